/*
 * Splices new values into the text of an event.
 */
#include "trace/merge_event.h"

#include <inttypes.h>
#include <string.h>
#include "trace/json_mend.h"

struct change {
	struct merge *m;
	const struct merge_part *part;
	struct merge_file *file;
	uint32_t process;
	size_t part_index;
	const struct trace_event *event;
	struct text *out;
	bool exact;
};

static struct json_value value_of(const struct json_field *field)
{
	char c = field->value[0];
	size_t quote = c == '"';

	return (struct json_value){field->value + quote, field->value_size - 2 * quote,
		quote ? '"' : (c >= '0' && c <= '9') || c == '-' ? '0' : c};
}

static void add_pid(const struct change *c)
{
	text_printf(c->out, "%" PRId64, c->part->pid[c->process]);
}

static bool add_tid(const struct change *c, const struct json_field *field)
{
	struct json_value tid = value_of(field);
	uint32_t thread = merge_thread_of(c->m, c->file, c->process, &tid);

	if (thread == UINT32_MAX)
		return false;
	text_printf(c->out, "%" PRId64, ((const struct merge_thread *)vec_at(&c->file->thread, thread))->number);
	return true;
}

/* Ids of the first part stay; those of others come behind them, or get the part's number in front. */
static bool add_id(const struct change *c, const struct json_field *field)
{
	struct json_value id = value_of(field);
	bool hex = id.size > 2 && id.at[0] == '0' && (id.at[1] | 0x20) == 'x';
	uint64_t number;

	if (c->part_index == 0)
		return false;
	if (json_unsigned(&id, &number) && number < ID_MOST && c->part->id_shift < ID_MOST) {
		number += c->part->id_shift;
		if (hex)
			text_printf(c->out, "\"0x%" PRIx64 "\"", number);
		else
			text_printf(c->out, id.kind == '"' ? "\"%" PRIu64 "\"" : "%" PRIu64, number);
		return true;
	}
	text_printf(c->out, "\"%zu:", c->part_index);
	if (id.kind == '"')
		text_add_bytes(c->out, id.at, id.size);
	else /* a number, or something odd: as a text of itself */
		for (size_t i = 0; i < id.size; i++)
			if (id.at[i] != '"' && id.at[i] != '\\' && (unsigned char)id.at[i] >= ' ')
				text_add_char(c->out, id.at[i]);
	text_add_char(c->out, '"');
	return true;
}

/* "id2": {"local": ..., "global": ...}: only the second is known outside of its process. */
static bool add_id2(const struct change *c, const struct json_field *field)
{
	struct json_fields inner;
	const char *from = field->value;

	if (!json_fields_of(field->value, field->value_size, &inner))
		return false;
	for (size_t i = 0; i < inner.count; i++) {
		const struct json_field *f = &inner.field[i];

		if (!json_field_is(f, "global"))
			continue;
		text_add_bytes(c->out, from, (size_t)(f->value - from));
		from = add_id(c, f) ? f->value + f->value_size : f->value;
	}
	text_add_bytes(c->out, from, (size_t)(field->value + field->value_size - from));
	return true;
}

static bool add_time(struct change *c, const struct json_field *field)
{
	struct json_value time = value_of(field);
	bool quoted = time.kind == '"';
	size_t before = c->out->size;

	if (c->part->shift == 0 || c->event->phase == 'M' || !c->event->start.known)
		return false;
	if (quoted)
		text_add_char(c->out, '"');
	if (!time_shift(time.at, time.size, c->part->shift, c->out)) {
		c->out->size = before;
		c->exact = false;
		return false;
	}
	if (quoted)
		text_add_char(c->out, '"');
	return true;
}

/* args of process_name and process_sort_index. */
static bool add_args(const struct change *c, const struct json_field *field)
{
	bool is_name = json_equal(&c->event->name, "process_name");
	struct json_fields inner;
	const char *from = field->value;

	if (!(is_name || json_equal(&c->event->name, "process_sort_index")) ||
		!json_fields_of(field->value, field->value_size, &inner))
		return false;
	for (size_t i = 0; i < inner.count; i++) {
		const struct json_field *f = &inner.field[i];

		if (!json_field_is(f, is_name ? "name" : "sort_index"))
			continue;
		text_add_bytes(c->out, from, (size_t)(f->value - from));
		from = f->value;
		if (!is_name) {
			text_printf(c->out, "%" PRIu32, c->part->rank[c->process]);
			from += f->value_size;
		} else if (*f->value == '"') {
			json_mend_string(c->part->label, strlen(c->part->label), false, c->out);
			c->out->size--; /* its end is that of the name */
			text_add(c->out, ": ");
			from++;
		}
	}
	text_add_bytes(c->out, from, (size_t)(field->value + field->value_size - from));
	return true;
}

/* Are ids of this phase known beyond the process? Those of objects (N, O, D) and counters are its own. */
static bool has_global_id(char phase)
{
	return strchr("bneSTpFstfvV", phase) != NULL;
}

static bool add_changed(struct change *c, const struct json_field *field)
{
	if (json_field_is(field, "pid")) {
		add_pid(c);
		return true;
	}
	if (json_field_is(field, "ts"))
		return add_time(c, field);
	if (json_field_is(field, "tid"))
		return add_tid(c, field);
	if (json_field_is(field, "id"))
		return has_global_id(c->event->phase) && add_id(c, field);
	if (json_field_is(field, "bind_id"))
		return add_id(c, field);
	if (json_field_is(field, "id2"))
		return add_id2(c, field);
	return c->event->phase == 'M' && json_field_is(field, "args") && add_args(c, field);
}

bool merge_event_add(struct merge *m, size_t part, uint32_t process, const struct trace_event *event,
	const struct json_fields *fields, const char *text, size_t size, struct text *out)
{
	struct merge_part *p = merge_part_at(m, part);
	struct change c = {m, p, merge_file_at(m, p->file), process, part, event, out, true};
	const char *from = text;

	if (!event->process.kind) {
		text_add(out, "{\"pid\": ");
		add_pid(&c);
		text_add(out, fields->count ? ", " : "");
		from++;
	}
	for (size_t i = 0; i < fields->count; i++) {
		const struct json_field *field = &fields->field[i];

		text_add_bytes(out, from, (size_t)(field->value - from));
		from = field->value;
		if (add_changed(&c, field))
			from += field->value_size;
	}
	text_add_bytes(out, from, (size_t)(text + size - from));
	return c.exact;
}

static void begin_metadata(const char *name, int64_t pid, struct text *out, uint64_t *events)
{
	text_printf(out, "%s{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %" PRId64, (*events)++ ? ",\n" : "\n", name, pid);
}

/* What the process is called in a file that gives it no name: by its pid. */
static void add_name(const char *label, const char *key, struct text *out)
{
	struct text name;

	text_init(&name);
	text_add(&name, label);
	if (key[0])
		text_add(&name, ": ");
	text_add(&name, key);
	json_mend_string(text_string(&name), name.size, false, out);
	text_release(&name);
}

void merge_event_add_missing(struct merge *m, size_t part, struct text *out, uint64_t *events)
{
	const struct merge_part *p = merge_part_at(m, part);
	const struct merge_file *file = merge_file_at(m, p->file);

	for (size_t i = 0; i < file->process.count; i++) {
		const struct merge_process *process = vec_at(&file->process, i);

		if (!process->named) {
			begin_metadata("process_name", p->pid[i], out, events);
			text_add(out, ", \"args\": {\"name\": ");
			add_name(p->label, process->key, out);
			text_add(out, "}}");
		}
		if (!process->sorted) {
			begin_metadata("process_sort_index", p->pid[i], out, events);
			text_printf(out, ", \"args\": {\"sort_index\": %" PRIu32 "}}", p->rank[i]);
		}
	}
	for (size_t i = 0; i < file->thread.count; i++) {
		const struct merge_thread *thread = vec_at(&file->thread, i);

		if (thread->named)
			continue;
		begin_metadata("thread_name", p->pid[thread->process], out, events);
		text_printf(out, ", \"tid\": %" PRId64 ", \"args\": {\"name\": ", thread->number);
		json_mend_string(thread->key, strlen(thread->key), false, out);
		text_add(out, "}}");
	}
}
