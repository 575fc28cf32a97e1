/*
 * Events as text, CSV and NDJSON.
 */
#include "export/event_stream.h"

#include <inttypes.h>
#include <string.h>
#include "base/number.h"
#include "model/profile.h"
#include "writers/csv_field.h"
#include "base/output/json_text.h"

static const char *const names[] = {"run", "step", "process", "lane", "device", "op", "type",
	"start_us", "dur_us", "self_us", "depth", "bytes", "rank", "index", "kind"};
#define NAMES (sizeof(names) / sizeof(names[0]))
#define RANK 12
#define INDEX 13
#define INDENT_MOST 40

/* Values that are written of an event. Numbers are texts; "" is unknown. */
struct event_values {
	const char *text[NAMES];
	char step[NUMBER_TEXT_SIZE], index[NUMBER_TEXT_SIZE], start[NUMBER_TEXT_SIZE],
		dur[NUMBER_TEXT_SIZE], self[NUMBER_TEXT_SIZE], depth[NUMBER_TEXT_SIZE],
		bytes[NUMBER_TEXT_SIZE];
};

static bool is_number(size_t i)
{
	return i == 1 || (i >= 7 && i < RANK) || i == INDEX;
}

static void fill(struct event_values *v, const struct event_place *at, const char *op,
	const struct event_row *row)
{
	const struct event *e = row->event;
	const char *const text[NAMES] = {at->run ? at->run : "",
		at->step ? number_format_int(v->step, at->step->number) : "", row->process,
		row->lane, row->device, op, row->type,
		number_format_micros(v->start, row->base_us, e->start_ps),
		number_format_micros(v->dur, 0, e->dur_ps),
		number_format_micros(v->self, 0, row->self_ps),
		number_format_int(v->depth, row->depth),
		e->bytes_kind == BYTES_NONE ? "" : number_format_int(v->bytes, e->bytes),
		at->rank ? at->rank : "",
		at->step ? number_format_int(v->index, at->step->index) : "",
		at->step && at->step->kind ? at->step->kind : ""};

	for (size_t i = 0; i < NAMES; i++)
		v->text[i] = text[i];
}

/* ---- text ---- */

/* " | rank 3", unless the run is named so. */
static void add_rank(struct event_stream *s, const struct event_values *v)
{
	if (!*v->text[RANK] || (text_starts(v->text[0], "rank ") &&
				       text_equal(v->text[0] + strlen("rank "), v->text[RANK])))
		return;
	text_add(&s->lane, s->lane.size ? " | rank " : "rank ");
	text_add_shown(&s->lane, v->text[RANK]);
}

/* A line above the events of each lane, then numbers, then the op, moved to the right by its
 * depth. */
static void add_text(struct event_stream *s, const struct event_values *v,
	const struct event_step *step, uint32_t depth)
{
	const char *label;
	size_t start;
	int wide;

	text_clear(&s->lane);
	for (size_t i = 0; i < 5; i++) {
		if (is_number(i) || !*v->text[i])
			continue;
		text_add(&s->lane, s->lane.size ? " | " : "");
		text_add_shown(&s->lane, v->text[i]);
		if (i == 0)
			add_rank(s, v);
	}
	text_disarm(&s->lane, 0);
	if (!text_equal(text_string(&s->lane), text_string(&s->lane_before))) {
		text_add(&s->line, s->any ? "\n" : "");
		s->any = true;
		text_printf(&s->line, "%s\n%6s %20s %14s %14s %12s  %s\n", text_string(&s->lane),
			"step", "start_us", "dur_us", "self_us", "bytes", "op");
		text_clear(&s->lane_before);
		text_add(&s->lane_before, text_string(&s->lane));
	}
	start = s->line.size;
	label = step ? step->label : "-";
	wide = strlen(label) > 6 ? (int)strlen(label) - 6 : 0;
	text_printf(&s->line, "%6s %*s %14s %14s %12s  ", label, 20 - (wide < 20 ? wide : 20),
		v->text[7], v->text[8], v->text[9], *v->text[11] ? v->text[11] : "-");
	text_add_repeat(&s->line, ' ', depth < INDENT_MOST ? depth : INDENT_MOST);
	text_add_shown(&s->line, v->text[5]);
	if (*v->text[6]) {
		text_add(&s->line, " (");
		text_add_shown(&s->line, v->text[6]);
		text_add(&s->line, ")");
	}
	text_disarm(&s->line, start);
}

/* ---- for programs ---- */

static void add_csv(struct event_stream *s, const struct event_values *v)
{
	for (size_t i = 0; i < NAMES; i++) {
		text_add(&s->line, i ? "," : "");
		if (is_number(i))
			text_add(&s->line, v->text[i]);
		else
			csv_field(&s->line, v->text[i], s->csv_safe);
	}
}

static void add_ndjson(struct event_stream *s, const struct event_values *v)
{
	for (size_t i = 0; i < NAMES; i++) {
		text_printf(&s->line, "%s\"%s\":", i ? "," : "{", names[i]);
		if (is_number(i))
			text_add(&s->line, *v->text[i] ? v->text[i] : "null");
		else
			json_text(&s->line, v->text[i]);
	}
	text_add(&s->line, "}");
}

static void flush(struct event_stream *s)
{
	text_add(&s->line, "\n");
	outfile_write(s->out, s->line.data, s->line.size);
	text_clear(&s->line);
}

void event_stream_begin(struct event_stream *stream)
{
	text_init(&stream->line);
	text_init(&stream->lane);
	text_init(&stream->lane_before);
	if (stream->form != STREAM_CSV)
		return;
	for (size_t i = 0; i < NAMES; i++)
		text_printf(&stream->line, "%s%s", i ? "," : "", names[i]);
	flush(stream);
}

void event_stream_add(struct event_stream *stream, const struct event_place *at, const char *op,
	const struct event_row *row)
{
	struct event_values v;

	fill(&v, at, op, row);
	if (stream->form == STREAM_TEXT)
		add_text(stream, &v, at->step, row->depth);
	else if (stream->form == STREAM_CSV)
		add_csv(stream, &v);
	else
		add_ndjson(stream, &v);
	flush(stream);
}

void event_stream_end(struct event_stream *stream)
{
	text_release(&stream->line);
	text_release(&stream->lane);
	text_release(&stream->lane_before);
}
