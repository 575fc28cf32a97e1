/*
 * Events as rows of `events`, with the step that each counts for, and of `flat`, the columns that
 * the timelines of TensorFlow were flattened to for BigQuery.
 */
#include "export/tables.h"

#include <string.h>
#include "base/text.h"
#include "model/profile.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct table_field events_fields[] = {
	{"run", FIELD_TEXT, false, "run; with rank and step_index the key of the table steps"},
	{"step", FIELD_INTEGER, false, "step that it counts for; null: none"},
	{"op", FIELD_TEXT, true, "name of the op as recorded, before any rule"},
	{"type", FIELD_TEXT, false, "its type or category"},
	{"device", FIELD_TEXT, false, "device"},
	{"process", FIELD_TEXT, false, "name of the process"},
	{"lane", FIELD_TEXT, false, "thread or stream"},
	{"start_ps", FIELD_INTEGER, true, "start, since base_ns"},
	{"dur_ps", FIELD_INTEGER, true, "duration"},
	{"self_ps", FIELD_INTEGER, true, "duration without nested events"},
	{"depth", FIELD_INTEGER, true, "0: nothing around it on its lane"},
	{"link", FIELD_INTEGER, false, "correlation id of a launch and of what it started"},
	{"bytes", FIELD_INTEGER, false, "bytes, where the event has them"},
	{"base_ns", FIELD_INTEGER, false,
		"where start_ps is 0, in ns of the clock of the source; null: at the 0 of its "
		"times"},
	{"rank", FIELD_TEXT, false, "process of a job; null where the source names none"},
	{"step_index", FIELD_INTEGER, false, STEP_INDEX_SUMMARY "; null: it counts for none"},
};
const struct table_form table_events = {"events", "one row for each event that counts as an op",
	events_fields, COUNT(events_fields)};

static const struct table_field flat_fields[] = {
	{"index", FIELD_INTEGER, true, "place among the events of all files, from 0"},
	{"ph", FIELD_TEXT, false, "phase of the Chrome trace format"},
	{"cat", FIELD_TEXT, false, "category"},
	{"name", FIELD_TEXT, false, "name"},
	{"pid", FIELD_INTEGER, false, "process; null where it is not a number"},
	{"tid", FIELD_INTEGER, false, "thread; null where it is not a number"},
	{"ts", FIELD_MICROS, false, "start in us, as in the file"},
	{"dur", FIELD_MICROS, false, "duration in us"},
	{"arg_name", FIELD_TEXT, false, "args.name: the node, in TensorFlow's timelines"},
	{"arg_op", FIELD_TEXT, false, "args.op: its type"},
};
const struct table_form table_flat = {"flat",
	"one row for each event as in the files, without a step", flat_fields, COUNT(flat_fields)};

const struct table_form *const table_forms[] = {&table_meta, &table_measures, &table_steps,
	&table_ranks, &table_step_series, &table_ops, &table_obs, &table_events};
const size_t table_form_count = COUNT(table_forms);

struct event_writer {
	struct table_sink *sink;
	int64_t index;
	struct text raw, text[8]; /* the texts of one row, harmless */
	size_t used;
};

static struct table_value text(struct event_writer *w, const char *s)
{
	struct text *t = &w->text[w->used++];

	text_clear(t);
	text_add_visible(t, s);
	return table_text(text_string(t));
}

/* Text of the log; "" becomes null. */
static struct table_value word(struct event_writer *w, const char *s)
{
	return s && *s ? text(w, s) : table_text(NULL);
}

/* A value of the file: an empty text is one, null is none. */

static struct table_value json_word(struct event_writer *w, const struct json_value *value)
{
	if (!value->kind ||
		(value->kind == 'w' && value->size == 4 && memcmp(value->at, "null", 4) == 0))
		return table_text(NULL);
	text_clear(&w->raw);
	json_add_text(&w->raw, value);
	return text(w, text_string(&w->raw));
}

static struct table_value json_number(const struct json_value *value)
{
	struct table_value out = {0};

	out.known = json_integer(value, &out.integer);
	return out;
}

static struct table_value micros(const struct trace_time *time)
{
	return (struct table_value){.known = time->known, .integer = time->us, .ps = time->ps};
}

static int put_event(
	void *to, const struct event_place *at, const struct event_row *row, struct error *err)
{
	struct event_writer *w = to;
	const struct event *e = row->event;

	w->used = 0;
	struct table_value value[] = {word(w, at->run),
		{.known = at->step, .integer = at->step ? at->step->number : 0}, word(w, row->op),
		word(w, row->type), word(w, row->device), word(w, row->process), word(w, row->lane),
		table_integer(e->start_ps), table_integer(e->dur_ps), table_integer(row->self_ps),
		table_integer(row->depth),
		{.known = e->link && e->link <= INT64_MAX, .integer = (int64_t)e->link},
		{.known = e->bytes_kind != BYTES_NONE, .integer = e->bytes},
		{.known = row->profile->base_ns != 0, .integer = row->profile->base_ns},
		word(w, at->rank), {.known = at->step, .integer = at->step ? at->step->index : 0}};

	if (!value[2].known)
		value[2] = table_text("");
	return w->sink->row(w->sink, value, err);
}

static int put_flat(void *to, const struct trace_event *e, struct error *err)
{
	struct event_writer *w = to;
	const char phase[] = {e->phase, 0};
	struct json_value name = trace_arg(e, "name"), op = trace_arg(e, "op");

	w->used = 0;
	struct table_value value[] = {table_integer(w->index++), word(w, phase),
		json_word(w, &e->category), json_word(w, &e->name), json_number(&e->process),
		json_number(&e->thread), micros(&e->start), micros(&e->duration),
		json_word(w, &name), json_word(w, &op)};

	return w->sink->row(w->sink, value, err);
}

static int write_all(
	const struct event_files *files, bool flat, struct table_sink *sink, struct error *err)
{
	struct event_writer w = {.sink = sink};
	int status = sink->begin(sink, flat ? &table_flat : &table_events, err);

	text_init(&w.raw);
	for (size_t i = 0; i < COUNT(w.text); i++)
		text_init(&w.text[i]);
	if (!status)
		status = flat ? events_each_raw(files, put_flat, &w, err)
			      : events_each(files, put_event, &w, err);
	if (!status)
		status = sink->end(sink, err);
	for (size_t i = 0; i < COUNT(w.text); i++)
		text_release(&w.text[i]);
	text_release(&w.raw);
	return status;
}

int tables_write_events(const struct event_files *files, struct table_sink *sink, struct error *err)
{
	return write_all(files, false, sink, err);
}

int tables_write_flat(const struct event_files *files, struct table_sink *sink, struct error *err)
{
	return write_all(files, true, sink, err);
}
