/* Work of a device: kernels, copies, memsets and graphs, on lanes of device and stream. Each is
 * work of the step that launched it, as in PyTorch's traces. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "ingest/database/database.h"

#define NAME_BYTES 256
#define TYPE_KERNEL "kernel"
#define TYPE_COPY "gpu_memcpy"
#define TYPE_SET "gpu_memset"
#define GRAPH_NAME "CUDA graph"
#define UNNAMED "[unnamed]"

/* ---- lanes ---- */

enum lane_place { ON_DEVICE, ON_SOME_DEVICE, ON_HOST };

static bool is_host(const struct source_value *value)
{
	return value->kind == VALUE_TEXT && value->size == 3 && memcmp(value->text, "CPU", 3) == 0;
}

/* Place of the row's work; of a copy the device that took part: the other end may be the host. */
static enum lane_place place_of(struct source_row *row, int64_t *device)
{
	const bool to_host = is_host(&row->value[FIELD_TO]);

	if (to_host && is_host(&row->value[FIELD_FROM]))
		return ON_HOST;
	return row_number(row, to_host ? FIELD_OTHER_DEVICE : FIELD_DEVICE, device)
		       ? ON_DEVICE
		       : ON_SOME_DEVICE;
}

/* Key of a lane; two lanes differ when any part of it differs. */
struct lane_key {
	int64_t place, device;
	int64_t has_stream, stream, has_queue, queue; /* or context */
};

static uint32_t new_lane(struct process *p, const struct lane_key *key, struct error *err)
{
	char text[96];
	struct lane *lane;
	uint32_t process, id;

	snprintf(text, sizeof(text),
		key->place == ON_HOST	  ? "CPU"
		: key->place == ON_DEVICE ? "GPU %lld"
					  : "GPU",
		(long long)key->device);
	process = eventlog_process(p->log, text, strlen(text));
	snprintf(text, sizeof(text), "%lld.%lld", (long long)key->stream, (long long)key->queue);
	id = eventlog_lane(p->log, process, text, strlen(text), err);
	if (id == UINT32_MAX)
		return id;
	lane = eventlog_lane_at(p->log, id);
	lane->accelerator = key->place != ON_HOST;
	lane->flat = true;
	lane->serial = key->place == ON_DEVICE && key->has_stream;
	snprintf(text, sizeof(text),
		key->place == ON_HOST	  ? "cpu"
		: key->place == ON_DEVICE ? "gpu:%lld"
					  : "gpu",
		(long long)key->device);
	lane->device = eventlog_text(p->log, text, strlen(text));
	snprintf(text, sizeof(text),
		key->has_stream	 ? "stream %lld"
		: key->has_queue ? "queue %lld"
				 : "stream",
		(long long)(key->has_stream ? key->stream : key->queue));
	lane->name = eventlog_text(p->log, text, strlen(text));
	return id;
}

/* Lane of the row's device, stream, and context or queue. */
static uint32_t device_lane(struct source_row *row, struct error *err)
{
	struct process *p = row->process;
	struct lane_key key = {0};
	const size_t count = intern_count(p->lane_keys);
	uint32_t id;

	key.place = place_of(row, &key.device);
	key.has_stream = row_number(row, FIELD_STREAM, &key.stream);
	key.has_queue = row_number(row, FIELD_QUEUE, &key.queue);
	if (intern_find(p->lane_keys, (const char *)&key, sizeof(key), &id))
		return p->lane[id];
	id = new_lane(p, &key, err);
	if (id == UINT32_MAX)
		return id;
	intern_id(p->lane_keys, (const char *)&key, sizeof(key));
	p->lane = memory_make_room(p->lane, &p->lane_room, count + 1, sizeof(*p->lane));
	return p->lane[count] = id;
}

/* ---- names ---- */

static bool add_value(struct source_row *row, size_t extra, struct text *to)
{
	const struct database_reading *db = row->db;
	struct source_value value;
	struct error ignored;

	db->source->functions->value(row->rows, row->columns + extra, &value);
	for (size_t i = 0; db->is->text_ids && db->is->text_ids[i]; i++)
		if (value.kind == VALUE_INTEGER &&
			strcmp(db->is->text_ids[i], row->extra[extra]) == 0 &&
			db->source->functions->find(db->source, db->is->text_table,
				db->is->text_column, value.integer, &value, &ignored) != 1)
			return false;
	switch (value.kind) {
	case VALUE_INTEGER:
		text_printf(to, "%lld", (long long)value.integer);
		return true;
	case VALUE_REAL:
		text_printf(to, "%.15g", value.real);
		return true;
	case VALUE_TEXT:
		text_add_bytes(to, value.text, value.size);
		return true;
	default:
		return false;
	}
}

struct named_row {
	struct source_row *row;
	const char *name, *type;
	size_t size;
};

static bool add_field(void *context, enum name_field field, const char *key, struct text *to)
{
	const struct named_row *n = context;
	struct source_row *row = n->row;
	int64_t number;

	switch (field) {
	case NAME_NAME:
		text_add_bytes(to, n->name, n->size);
		return true;
	case NAME_CATEGORY:
	case NAME_TYPE:
		text_add(to, n->type);
		return true;
	case NAME_PROCESS:
		if (row->table->content != CONTENT_HOST && row_number(row, FIELD_DEVICE, &number))
			text_printf(to, "%lld", (long long)number);
		else
			text_add(to, eventlog_process_key(row->process->log, row->process->host));
		return true;
	case NAME_THREAD:
		if (row->table->content == CONTENT_HOST ? row_thread(row, &number)
							: row_number(row, FIELD_STREAM, &number))
			text_printf(to, "%lld", (long long)number);
		return true;
	case NAME_ARG:
		break;
	}
	for (size_t i = 0; i < row->extras; i++)
		if (strcmp(row->extra[i], key) == 0)
			return add_value(row, i, to);
	return false;
}

static bool next_key(void *context, size_t *at, const char **key, size_t *size)
{
	const struct named_row *n = context;

	if (*at >= n->row->extras)
		return false;
	*key = n->row->extra[(*at)++];
	*size = strlen(*key);
	return true;
}

struct known_op row_op(struct source_row *row, const char *name, size_t size, const char *type)
{
	struct process *p = row->process;
	struct text *scratch = &row->db->scratch;
	struct named_row named = {row, name, type, size};
	const struct name_source source = {add_field, next_key, &named};

	if (trace_requests_has_name(p->asked)) {
		/* A column that is a text moves the text of the last one. */
		text_clear(&row->db->named);
		text_add_bytes(&row->db->named, name, size);
		named.name = text_string(&row->db->named);
		text_clear(scratch);
		trace_requests_fill_name(p->asked, scratch, &source);
		name = text_string(scratch);
		size = scratch->size;
	}
	return (struct known_op){eventlog_op(p->log, name, size, type, strlen(type)),
		eventlog_type(p->log, type, strlen(type))};
}

/* The name of a row of a device. 1, 0: it has none, -1. */
static int name_of(struct source_row *row, char room[NAME_BYTES], const char **name, size_t *size,
	struct error *err)
{
	switch (row->table->content) {
	case CONTENT_COPY:
	case CONTENT_SET:
		*name = row->db->is->copy_name(room, NAME_BYTES, row->value);
		*size = strlen(*name);
		return 1;
	case CONTENT_GRAPH:
		*name = GRAPH_NAME;
		*size = strlen(GRAPH_NAME);
		return 1;
	default:
		return row_text(row, FIELD_NAME, name, size, err);
	}
}

static const char *type_of(enum content content)
{
	return content == CONTENT_COPY	? TYPE_COPY
	       : content == CONTENT_SET ? TYPE_SET
					: TYPE_KERNEL;
}

/* Size of the key made of the parts of the name; 0: it is not known by ids. */
static size_t key_of(const struct source_row *row, char key[32])
{
	const enum event_field fields[] = {FIELD_NAME, FIELD_KIND, FIELD_FROM, FIELD_TO};
	size_t size = 0;

	key[size++] = (char)row->table->content;
	for (size_t i = row->table->content == CONTENT_KERNEL ? 0 : 1;
		i < (row->table->content == CONTENT_KERNEL ? 1 : 4); i++) {
		const struct source_value *value = &row->value[fields[i]];
		const int64_t number = value->kind == VALUE_INTEGER ? value->integer : -1;

		if (value->kind == VALUE_TEXT)
			return 0;
		memcpy(key + size, &number, sizeof(number));
		size += sizeof(number);
	}
	return size;
}

static int device_op(struct source_row *row, struct known_op *op, struct error *err)
{
	struct process *p = row->process;
	char key[32], room[NAME_BYTES];
	const size_t key_size = trace_requests_has_name(p->asked) ? 0 : key_of(row, key);
	const char *name = UNNAMED, *type = type_of(row->table->content);
	size_t size = strlen(UNNAMED);
	uint32_t id;

	if (key_size && intern_find(p->op_keys, key, key_size, &id)) {
		*op = p->op[id];
		return 0;
	}
	if (name_of(row, room, &name, &size, err) < 0)
		return -1;
	*op = row_op(row, name, size, type);
	if (key_size && intern_count(p->op_keys) < row->db->opt->limits.ops) {
		id = intern_id(p->op_keys, key, key_size);
		p->op = memory_make_room(p->op, &p->op_room, (size_t)id + 1, sizeof(*p->op));
		p->op[id] = *op;
	}
	return 0;
}

/* ---- rows ---- */

static int add_device_row(struct source_row *row, struct error *err)
{
	struct event e = {.kind = EVENT_OP};
	const enum row_time time = row_times(row, &e.start_ps, &e.dur_ps);
	struct known_op op;
	int64_t link, bytes;

	if (time == ROW_UNTIMED)
		return 0;
	e.lane = device_lane(row, err);
	if (e.lane == UINT32_MAX || device_op(row, &op, err) != 0)
		return -1;
	e.op = op.op;
	e.type = op.type;
	if (eventlog_lane_at(row->process->log, e.lane)->accelerator) {
		e.flags = EVENT_LAUNCHED;
		if (row_number(row, FIELD_LINK, &link) && link > 0)
			e.link = (uint64_t)link;
	}
	if ((row->table->content == CONTENT_COPY || row->table->content == CONTENT_SET) &&
		row_number(row, FIELD_BYTES, &bytes) && bytes >= 0) {
		e.bytes = bytes;
		e.bytes_kind = BYTES_TRANSFERRED;
	}
	return row_add(row, time, &e, err);
}

/* True if the row would be read if its process were known. */
static bool is_event(const struct source_row *row)
{
	struct host_row host = {.value = row->value};

	if (row->table->content != CONTENT_HOST)
		return true;
	row->table->host(&host);
	return host.meaning != HOST_LEFT_OUT;
}

static int read_table(struct database_reading *db, size_t set, const struct described_table *table,
	struct error *err)
{
	struct source_row row;
	uint64_t others = 0, unsaid = 0;
	int status = row_open(&row, db, set, table, err);

	if (status <= 0)
		return status;
	while ((status = row_next(&row, err)) == 1) {
		row.process = row_process(&row);
		if (!row.process) {
			others += row.value[FIELD_PROCESS].kind == VALUE_INTEGER;
			unsaid += row.value[FIELD_PROCESS].kind == VALUE_NONE && is_event(&row);
			continue;
		}
		status = table->content == CONTENT_HOST ? host_row_add(&row, err)
							: add_device_row(&row, err);
		if (status != 0)
			break;
	}
	row_close(&row);
	row.process = NULL;
	if (others)
		issue_add(&db->out->issues, ISSUE_INFO, "other-processes",
			"rows of processes that did nothing on a device, left out", (size_t)others,
			db->path);
	if (unsaid)
		issue_add(&db->out->issues, ISSUE_LOSS, "row-process",
			"rows that do not say their process, in a recording of several, left out",
			(size_t)unsaid,
			arena_printf(db->arena, "%s: table %s", db->path, row.name));
	return status;
}

int events_read(struct database_reading *db, struct error *err)
{
	for (size_t set = 0; set < db->sets; set++)
		for (size_t i = 0; i < db->is->tables; i++)
			if (read_table(db, set, &db->is->table[i], err) != 0)
				return -1;
	return 0;
}
