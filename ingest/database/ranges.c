/* Rows of the host: calls of the runtime, which launch, and ranges that the program drew (NVTX,
 * roctx), which are ops, annotations around launches, or steps.
 *
 * PyTorch draws a range for each of its ops under torch.autograd.profiler.emit_nvtx() and `nsys
 * --pytorch=autograd-nvtx`: "aten::copy_, seq = 12, op_id = 34, sizes = [[2]]"
 * (torch/csrc/profiler/util.cpp, getNvtxStr()). Annotations of users get an op_id there, too. The
 * name is what stands before. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "ingest/database/database.h"
#include "ingest/json/json_table.h"
#include "ingest/trace/host_words.h"

#define TYPE_OP "cpu_op"
#define TYPE_ANNOTATION "user_annotation"
#define KEY_OP 'o'
#define KEY_ANNOTATION 'a'
#define KEY_CALL 'c'
#define KEY_BYTES 64
#define UNNAMED "[unnamed]"

struct known_range {
	struct known_op op;
	struct marker_name marker; /* where it is a step */
	bool is_step;
	bool waits;    /* of a call: until all work of the device has ended */
	uint8_t flags; /* of its events */
	uint32_t label;
};

/* A range or a call, by its text. */
struct host_name {
	const char *text; /* without what PyTorch adds */
	size_t size;
	bool is_op;	   /* of the framework */
	bool has_sequence; /* autograd records it */
};

/* ---- names ---- */

/* The word begins with a comma. */
static size_t find(const char *text, size_t size, const char *word)
{
	const size_t n = strlen(word);
	const char *end = text + size, *at = text;

	while ((at = memchr(at, ',', (size_t)(end - at))) && (size_t)(end - at) >= n)
		if (memcmp(at++, word, n) == 0)
			return (size_t)(at - 1 - text);
	return size;
}

/* Names of ops and of autograd's functions are words of C++. */
static bool is_name_of_op(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') ||
			    text_is_digit(text[i]) || text[i] == '_' || text[i] == ':'))
			return false;
	return size > 0;
}

static struct host_name parse_range(const char *text, size_t size)
{
	const size_t sequence = find(text, size, ", seq = "), id = find(text, size, ", op_id = "),
		     sizes = find(text, size, ", sizes = "),
		     inputs = find(text, size, ", input_op_ids = ");
	struct host_name name = {.text = text, .size = size};
	bool covers;

	name.size = sequence < name.size ? sequence : name.size;
	name.size = id < name.size ? id : name.size;
	if (sequence == size && id == size)
		return name;
	name.size = sizes < name.size ? sizes : name.size;
	name.size = inputs < name.size ? inputs : name.size;
	name.has_sequence = sequence < size;
	name.is_op = is_name_of_op(text, name.size) ||
		     host_phase_of_name(text, name.size, &covers) == PHASE_BACKWARD;
	return name;
}

/* The member "message" of the event of a call of roctx, in scratch. False: it has none. */
static bool message_of(struct source_row *row, const char **text, size_t *size)
{
	const struct source_value *value = &row->value[FIELD_TEXT];
	const struct json_value object = {value->text, value->size, '{'};
	struct text *scratch = &row->db->scratch;
	struct json_table table;
	struct json_walk walk;
	struct json_member member;
	bool found = false;

	if (value->kind != VALUE_TEXT || value->size == 0 || value->text[0] != '{')
		return false;
	text_clear(scratch);
	walk = json_table_open(&table, &object);
	while (!found && json_next_member(&walk, &member, NULL)) {
		found = json_equal(&member.key, "message") && member.value.kind == '"';
		if (found)
			json_add_text(scratch, &member.value);
	}
	json_table_close(&table);
	*text = text_string(scratch);
	*size = scratch->size;
	return found;
}

/* 1, 0: it has none, -1. */
static int text_of(struct source_row *row, const struct host_row *host, const char **text,
	size_t *size, struct error *err)
{
	const struct source_value *value = &row->value[FIELD_TEXT];

	if (host->text_is_json)
		return message_of(row, text, size) ? 1 : row_text(row, FIELD_NAME, text, size, err);
	if (row->place[FIELD_TEXT] >= 0 && value->kind == VALUE_TEXT && !row->db->is->has_sets) {
		*text = value->text;
		*size = value->size;
		return 1;
	}
	return row_text(row, FIELD_NAME, text, size, err);
}

/* ---- lanes ---- */

static uint32_t host_lane(struct source_row *row, struct error *err)
{
	struct process *p = row->process;
	char key[32], name[48];
	int64_t thread = 0, shown = 0;
	struct lane *lane;
	uint32_t id;

	if (row_number(row, FIELD_THREAD, &thread))
		thread = described_system_id(row->db->is, thread);
	if (p->has_last && p->last_thread == (uint64_t)thread)
		return p->last_lane;
	snprintf(key, sizeof(key), "%lld", (long long)thread);
	id = eventlog_lane(p->log, p->host, key, strlen(key), err);
	if (id == UINT32_MAX)
		return id;
	lane = eventlog_lane_at(p->log, id);
	if (!*lane->device) {
		lane->device = "cpu";
		if (row->value[FIELD_THREAD].kind == VALUE_INTEGER)
			row_thread(row, &shown);
		snprintf(name, sizeof(name), "thread %lld", (long long)shown);
		lane->name = eventlog_text(p->log, name, strlen(name));
	}
	p->has_last = true;
	p->last_thread = (uint64_t)thread;
	return p->last_lane = id;
}

/* ---- ranges ---- */

/* Sets label and flags of the range for --by=launcher and its kind. */
static void set_label(
	struct source_row *row, const struct host_name *name, struct known_range *range)
{
	struct eventlog *log = row->process->log;
	enum host_phase phase;
	bool covers = false, is_label = false;

	range->label = EVENT_OWN_LABEL;
	switch (row->db->opt->trace.rows) {
	case TRACE_ROWS_OPS:
	case TRACE_ROWS_SCOPES:
	case TRACE_ROWS_SOURCES:
	case TRACE_ROWS_SHAPES: /* databases have neither these nor frames */
	case TRACE_ROWS_STACKS:
		return;
	case TRACE_ROWS_LAUNCHERS:
		is_label = name->is_op;
		break;
	case TRACE_ROWS_ANNOTATIONS:
		is_label = !name->is_op;
		break;
	case TRACE_ROWS_MODULES:
		is_label = host_is_module(name->text, name->size);
		break;
	case TRACE_ROWS_PHASES:
		phase = host_phase_of_name(name->text, name->size, &covers);
		if (phase == PHASE_NONE && name->is_op)
			phase = name->has_sequence ? PHASE_FORWARD : PHASE_NONE;
		else if (phase == PHASE_NONE)
			phase = host_phase_of_words(name->text, name->size);
		is_label = phase != PHASE_NONE;
		if (is_label)
			range->label = eventlog_op(
				log, host_phase_name(phase), strlen(host_phase_name(phase)), "", 0);
		break;
	}
	range->flags = is_label ? EVENT_LABELLED | (covers ? EVENT_COVERS : 0) : 0;
}

/* Finds whether the range is a step: by --step-marker, else by its name. */
static int find_step(struct source_row *row, const struct host_name *name,
	struct known_range *range, struct error *err)
{
	struct trace_requests *asked = row->process->asked;
	int answer;

	if (!trace_requests_has_marker(asked)) {
		range->is_step = !name->is_op && step_name(name->text, name->size, &range->marker);
		if (range->is_step)
			range->marker.kind =
				trace_requests_kind(asked, name->text, name->size, &range->marker);
		return 0;
	}
	answer = trace_requests_is_marker(asked, name->text, name->size, &range->marker, err);
	range->is_step = answer > 0;
	return answer < 0 ? -1 : 0;
}

static void keep_range(
	struct source_row *row, const char *key, size_t size, const struct known_range *range)
{
	struct process *p = row->process;
	uint32_t id;

	if (intern_count(p->range_keys) >= row->db->opt->limits.ops)
		return;
	id = intern_id(p->range_keys, key, size);
	p->range = memory_make_room(p->range, &p->range_room, (size_t)id + 1, sizeof(*p->range));
	p->range[id] = *range;
}

/* The answers for a name are kept; with a template a name of an op depends on the whole row. */
static int know_range(struct source_row *row, const struct host_name *name,
	struct known_range *range, struct error *err)
{
	struct process *p = row->process;
	struct text *key = &row->db->name;
	const bool is_kept = !trace_requests_has_name(p->asked);
	struct host_name own = *name;
	uint32_t id;

	text_clear(key);
	text_add_char(key, name->is_op ? KEY_OP : KEY_ANNOTATION);
	text_add_char(key, name->has_sequence ? '1' : '0');
	text_add_bytes(key, name->text, name->size);
	own.text = text_string(key) + 2;
	if (is_kept && intern_find(p->range_keys, text_string(key), key->size, &id)) {
		*range = p->range[id];
		return 0;
	}
	*range = (struct known_range){.label = EVENT_OWN_LABEL};
	if (find_step(row, &own, range, err) != 0)
		return -1;
	set_label(row, &own, range);
	if (!range->is_step)
		range->op =
			row_op(row, own.text, own.size, name->is_op ? TYPE_OP : TYPE_ANNOTATION);
	if (is_kept)
		keep_range(row, text_string(key), key->size, range);
	return 0;
}

static int add_step(struct source_row *row, enum row_time time, const struct event *e,
	const struct known_range *range, struct error *err)
{
	struct process *p = row->process;
	struct step_mark mark = {
		.process = p->host,
		.numbered = range->marker.numbered,
		.number = range->marker.number,
		.kind = range->marker.kind,
		.is_whole = range->marker.is_whole,
		.start_ps = e->start_ps,
		.outermost = true,
		.open_end = time == ROW_OPEN,
		.thread = e->lane + 1,
	};

	if (time == ROW_FAR || time == ROW_UNTIMED || time == ROW_TIMELESS)
		return 0;
	if (!number_add(e->start_ps, e->dur_ps, &mark.end_ps))
		mark.end_ps = INT64_MAX;
	p->marks++;
	return eventlog_mark(p->log, &mark, err);
}

static int add_range(struct source_row *row, const struct host_row *host, enum row_time time,
	struct event *e, struct error *err)
{
	struct known_range range;
	struct host_name name;
	const char *text = UNNAMED;
	size_t size = strlen(UNNAMED);

	if (text_of(row, host, &text, &size, err) < 0)
		return -1;
	name = parse_range(text, size);
	if (know_range(row, &name, &range, err) != 0)
		return -1;
	if (range.is_step)
		return add_step(row, time, e, &range, err);
	if (host->meaning == HOST_SPAN) {
		row_issue(row, ISSUE_INFO, "open-ranges",
			"ranges that may end on any thread (nvtxRangeStart, roctxRangeStart): only "
			"steps are made of them");
		return 0;
	}
	if (time == ROW_OPEN) {
		row_issue(row, ISSUE_LOSS, "range-end",
			"ranges that had not ended when the recording did, left out");
		return 0;
	}
	e->op = range.op.op;
	e->type = range.op.type;
	e->flags = EVENT_AROUND | range.flags;
	e->label = range.label;
	return row_add(row, time, e, err);
}

/* ---- calls ---- */

static int name_call(struct source_row *row, const struct host_row *host, struct known_range *call,
	struct error *err)
{
	struct process *p = row->process;
	struct host_name name = {.text = UNNAMED, .size = strlen(UNNAMED)};
	struct text *own = &row->db->name;

	if (text_of(row, host, &name.text, &name.size, err) < 0)
		return -1;
	text_clear(own);

	/* cudaLaunchKernel_v7000 is the cudaLaunchKernel of CUDA 7.0. */
	size_t at = name.size;

	while (at > 0 && text_is_digit(name.text[at - 1]))
		at--;
	text_add_bytes(own, name.text,
		at < name.size && at > 2 && name.text[at - 1] == 'v' && name.text[at - 2] == '_' &&
				name.size - at >= 4
			? at - 2
			: name.size);
	name = (struct host_name){.text = text_string(own), .size = own->size};
	*call = (struct known_range){.flags = EVENT_LAUNCHES};
	if (trace_requests_has_marker(p->asked) && find_step(row, &name, call, err) != 0)
		return -1;
	call->label = host_launch_traits(name.text, name.size);
	call->waits = host_waits_for_device(name.text, name.size);
	if (!call->is_step)
		call->op = row_op(row, name.text, name.size, host->type);
	return 0;
}

/* Looks up the call by the id of its name, where rows have ids. */
static int know_call(struct source_row *row, const struct host_row *host, struct known_range *call,
	struct error *err)
{
	struct process *p = row->process;
	const struct source_value *id_of = &row->value[FIELD_NAME];
	char key[KEY_BYTES];
	size_t size;
	uint32_t id;

	if (id_of->kind != VALUE_INTEGER || trace_requests_has_name(p->asked))
		return name_call(row, host, call, err);
	key[0] = KEY_CALL;
	memcpy(key + 1, &id_of->integer, sizeof(id_of->integer));
	size = 1 + sizeof(id_of->integer);
	for (const char *c = host->type; *c && size < sizeof(key); c++)
		key[size++] = *c;
	if (intern_find(p->range_keys, key, size, &id)) {
		*call = p->range[id];
		return 0;
	}
	if (name_call(row, host, call, err) != 0)
		return -1;
	keep_range(row, key, size, call);
	return 0;
}

int host_row_add(struct source_row *row, struct error *err)
{
	struct host_row host = {.value = row->value};
	struct event e = {.kind = EVENT_OP};
	enum row_time time;

	row->table->host(&host);
	if (host.meaning == HOST_LEFT_OUT)
		return 0;
	time = row_times(row, &e.start_ps, &e.dur_ps);
	if (time == ROW_UNTIMED)
		return 0;
	e.lane = host_lane(row, err);
	if (e.lane == UINT32_MAX)
		return -1;
	if (host.meaning != HOST_CALL)
		return add_range(row, &host, time, &e, err);

	struct process *p = row->process;
	struct known_range call;
	int64_t link, end_ps;

	if (know_call(row, &host, &call, err) != 0)
		return -1;
	if (call.is_step)
		return add_step(row, time, &e, &call, err);
	if (row_number(row, FIELD_LINK, &link) && link > 0)
		e.link = (uint64_t)link;
	e.op = call.op.op;
	e.type = call.op.type;
	e.flags = e.link ? call.flags : 0;
	e.label = call.label;
	if (call.waits && time == ROW_TIMED && number_add(e.start_ps, e.dur_ps, &end_ps))
		eventlog_device_wait(p->log, e.start_ps, end_ps);
	return row_add(row, time, &e, err);
}
