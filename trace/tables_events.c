/*
 * Events as rows of `events`, with the step that each counts for, and of `flat`, the columns that the
 * timelines of TensorFlow were flattened to for BigQuery.
 */
#include "trace/tables.h"

#include "base/text.h"
#include "model/profile.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct table_field events_fields[] = {
	{"run", FIELD_TEXT, true, "run; with step the key of the table steps"},
	{"step", FIELD_INTEGER, false, "step that it counts for; null: none"},
	{"ph", FIELD_TEXT, false, "phase of the Chrome trace format; X: from start for dur"},
	{"cat", FIELD_TEXT, false, "category"},
	{"name", FIELD_TEXT, true, "name as recorded"},
	{"pid", FIELD_INTEGER, false, "process"},
	{"tid", FIELD_INTEGER, false, "thread"},
	{"process", FIELD_TEXT, false, "name of the process"},
	{"thread", FIELD_TEXT, false, "name of the thread"},
	{"start_ps", FIELD_INTEGER, false, "start, since the base of the source"},
	{"dur_ps", FIELD_INTEGER, false, "duration"},
	{"self_ps", FIELD_INTEGER, false, "duration without what is nested in it"},
	{"arg_name", FIELD_TEXT, false, "args.name: the node, in TensorFlow's timelines"},
	{"arg_op", FIELD_TEXT, false, "args.op: its type"},
	{"args", FIELD_TEXT, false, "all arguments as JSON"},
};
const struct table_form table_events = {
	"events", "one row for each event as read", events_fields, COUNT(events_fields)};

static const struct table_field flat_fields[] = {
	{"index", FIELD_INTEGER, true, "place in the file, from 0"},
	{"ph", FIELD_TEXT, false, "phase of the Chrome trace format"},
	{"cat", FIELD_TEXT, false, "category"},
	{"name", FIELD_TEXT, false, "name as recorded"},
	{"pid", FIELD_INTEGER, false, "process"},
	{"tid", FIELD_INTEGER, false, "thread"},
	{"ts", FIELD_MICROS, false, "start, us since the base of the source"},
	{"dur", FIELD_MICROS, false, "duration, us"},
	{"arg_name", FIELD_TEXT, false, "args.name: the node, in TensorFlow's timelines"},
	{"arg_op", FIELD_TEXT, false, "args.op: its type"},
};
const struct table_form table_flat = {
	"flat", "one row for each event, no step", flat_fields, COUNT(flat_fields)};

const struct table_form *const table_forms[] = {
	&table_meta, &table_measures, &table_steps, &table_ops, &table_obs, &table_events};
const size_t table_form_count = COUNT(table_forms);

struct event_writer {
	struct table_sink *sink;
	int64_t index;
	struct text text[9]; /* of one row, harmless */
	size_t used;
};

static struct table_value word(struct event_writer *w, const char *s)
{
	struct text *t = &w->text[w->used++];

	text_clear(t);
	if (s)
		text_add_visible(t, s);
	return table_text(s ? text_string(t) : NULL);
}

static struct table_value number(int64_t value)
{
	return (struct table_value){.known = value != CELL_ABSENT, .integer = value};
}

static int put_event(void *to, const struct event_record *e, struct error *err)
{
	struct event_writer *w = to;

	w->used = 0;
	struct table_value row[] = {word(w, e->run), number(e->step), word(w, e->phase),
		word(w, e->category), word(w, e->name), number(e->pid), number(e->tid),
		word(w, e->process), word(w, e->thread), number(e->start_ps), number(e->dur_ps),
		number(e->self_ps), word(w, e->arg_name), word(w, e->arg_op), word(w, e->args)};

	return w->sink->row(w->sink, row, err);
}

static int put_flat(void *to, const struct event_record *e, struct error *err)
{
	struct event_writer *w = to;

	w->used = 0;
	struct table_value row[] = {table_integer(w->index++), word(w, e->phase),
		word(w, e->category), word(w, e->name), number(e->pid), number(e->tid),
		number(e->start_ps), number(e->dur_ps), word(w, e->arg_name), word(w, e->arg_op)};

	return w->sink->row(w->sink, row, err);
}

static int write_all(const struct event_source *events, const struct table_form *form,
	int (*put)(void *, const struct event_record *, struct error *), struct table_sink *sink,
	struct error *err)
{
	struct event_writer w = {.sink = sink};
	int status = sink->begin(sink, form, err);

	for (size_t i = 0; i < COUNT(w.text); i++)
		text_init(&w.text[i]);
	if (!status)
		status = events->each(events->context, put, &w, err);
	if (!status)
		status = sink->end(sink, err);
	for (size_t i = 0; i < COUNT(w.text); i++)
		text_release(&w.text[i]);
	return status;
}

int tables_write_events(
	const struct event_source *events, struct table_sink *sink, struct error *err)
{
	return write_all(events, &table_events, put_event, sink, err);
}

int tables_write_flat(
	const struct event_source *events, struct table_sink *sink, struct error *err)
{
	return write_all(events, &table_flat, put_flat, sink, err);
}
