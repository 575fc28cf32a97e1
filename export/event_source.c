/* Reads files of events once more, row by row. */
#include "export/event_source.h"

#include <inttypes.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "ingest/load.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "model/profile.h"
#include "writers/writer.h"
#include "base/output/json_text.h"

bool events_may_be_in(const char *path)
{
	struct error err;
	struct probe probe;
	const bool is_stream = text_equal(path, "-");
	struct input *in = is_stream ? NULL : probe_file(path, NULL, &probe, &err);
	const struct reader *reader = in ? reader_detect(&probe, &err) : NULL;
	bool may = in && ((probe_is_json(&probe) && !(reader && reader->sums_only)) ||
				 (reader && reader->is_trace) || pftrace_is_of(&probe, NULL));

	input_close(in);
	/* A file that cannot be read now is reported when its events are read. */
	return may || (!in && !is_stream);
}

/* Number of files, from this one on, of its path. */
static size_t events_of_path(const struct event_files *files, size_t first)
{
	size_t end = first + 1;

	while (end < files->count && text_equal(files->file[end].path, files->file[first].path))
		end++;
	return end - first;
}

/* ---- attributed ---- */

struct attributed {
	const struct event_file *file; /* those of one path, in order of their places */
	size_t count;
	int (*row)(void *to, const struct event_place *at, const struct event_row *event,
		struct error *err);
	void *to;
	/* Run of the last step, as places in its profile; for files without steps of a cube. */
	const struct profile *profile;
	size_t first, end;
	char label[NUMBER_TEXT_SIZE];
};

/* The file in the path that the event is of; NULL: one that has no step. */
static const struct event_file *file_of(const struct attributed *a, const struct profile *profile)
{
	size_t low = 0, high = a->count;

	if (!profile->input)
		return a->file;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->file[middle].part < profile->part)
			low = middle + 1;
		else
			high = middle;
	}
	return low < a->count && a->file[low].part == profile->part ? &a->file[low] : NULL;
}

/* True if the event names its run as the cube does. The name of a process is none: the run is then
 * that of the job. */
static bool names_run(const struct event_file *file, const struct event_row *event)
{
	return event->run && !(file && file->run && event->profile->run_is_rank);
}

static int on_row(void *context, const struct event_row *event, struct error *err)
{
	struct attributed *a = context;
	const struct event_file *file = file_of(a, event->profile);
	struct event_place at = {.rank = file ? file->rank : NULL};
	struct event_step own;

	if (names_run(file, event))
		at.run = event->run;
	else if (file && file->run)
		at.run = file->run;
	else if (event->profile->input)
		at.run = event->profile->path;
	if (event->has_step && file && event->place < file->step_count)
		at.step = file->step[event->place];
	if (event->has_step && !at.step) {
		/* Step of an event as its file has it: profiles list the steps run by run, in order
		 * of time. */
		const struct step *step = event->profile->step;

		if (a->profile != event->profile || event->place < a->first ||
			event->place >= a->end) {
			a->profile = event->profile;
			a->first = a->end = event->place;
			while (a->first > 0 && step[a->first - 1].run == step[event->place].run)
				a->first--;
			while (a->end < event->profile->step_count &&
				step[a->end].run == step[event->place].run)
				a->end++;
		}
		own = (struct event_step){event->step, event->place - (int64_t)a->first,
			step[event->place].kind, number_format_int(a->label, event->step),
			UINT32_MAX};
		at.step = &own;
	}
	return a->row(a->to, &at, event, err);
}

int events_each(const struct event_files *files,
	int (*row)(void *to, const struct event_place *at, const struct event_row *event,
		struct error *err),
	void *to, struct error *err)
{
	struct attributed a = {.row = row, .to = to};
	struct load_options load = {.from = files->from,
		.input_name = files->input_name,
		.read = files->read,
		.jobs = 1};

	load.read.trace.sink = on_row;
	load.read.trace.sink_context = &a;
	for (size_t i = 0; i < files->count; i += a.count) {
		struct loaded *loaded;

		a.file = &files->file[i];
		a.count = events_of_path(files, i);
		loaded = load_inputs(&a.file->path, 1, &load, err);
		if (!loaded)
			return -1;
		for (size_t k = 0; files->issues && k < loaded->count; k++)
			issue_list_join(files->issues, &loaded->profile[k]->issues);
		loaded_free(loaded);
	}
	return 0;
}

/* ---- raw ---- */

struct raw {
	int (*row)(void *to, const struct trace_event *event, struct error *err);
	void *to;
};

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	struct raw *raw = context;

	return raw->row(raw->to, event, err);
}

int events_each_raw(const struct event_files *files,
	int (*row)(void *to, const struct trace_event *event, struct error *err), void *to,
	struct error *err)
{
	struct raw raw = {row, to};
	struct trace_handler handler = {.event = on_event,
		.context = &raw,
		.spill_folder = files->read.trace.spill_folder,
		.max_spill_bytes = files->read.trace.max_spill_bytes};

	for (size_t i = 0; i < files->count; i += events_of_path(files, i)) {
		struct input *in = input_open(files->file[i].path, err);
		struct arena *arena;
		struct issue_list issues; /* reported when the file was read as a profile */
		struct trace_totals totals;
		int status;

		if (!in)
			return -1;
		arena = arena_new();
		issue_list_init(&issues, arena);
		status = trace_scan(
			in, &handler, &issues, files->read.max_record_bytes, &totals, err);
		arena_free(arena);
		input_close(in);
		if (status < 0)
			return -1;
	}
	return 0;
}

static const char *const names[EVENT_COLUMNS] = {"run", "step", "process", "lane", "device", "op",
	"type", "start_us", "dur_us", "self_us", "depth", "bytes", "rank", "index", "kind"};
#define OP 5
#define RANK 12
#define INDEX 13
#define INDENT_MOST 40
#define EXACT_MOST (INT64_C(1) << 53) /* below it every whole number is a double */

/* Values that are written of an event. Numbers are texts; "" is unknown. */
struct event_values {
	const char *text[EVENT_COLUMNS];
	char step[NUMBER_TEXT_SIZE], index[NUMBER_TEXT_SIZE], start[NUMBER_TEXT_SIZE],
		dur[NUMBER_TEXT_SIZE], self[NUMBER_TEXT_SIZE], depth[NUMBER_TEXT_SIZE],
		bytes[NUMBER_TEXT_SIZE];
};

static bool is_number(size_t i)
{
	return i == 1 || (i >= 7 && i < RANK) || i == INDEX;
}

/* ---- text ---- */

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
		if (i == 0) {
			/* " | rank 3", unless the run is named so. */
			if (!*v->text[RANK] ||
				(text_starts(v->text[0], "rank ") &&
					text_equal(v->text[0] + strlen("rank "), v->text[RANK])))
				continue;
			text_add(&s->lane, s->lane.size ? " | rank " : "rank ");
			text_add_shown(&s->lane, v->text[RANK]);
		}
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

static void begin_parquet(struct event_stream *stream, const char *program)
{
	struct parquet_form column[EVENT_COLUMNS];

	for (size_t i = 0; i < EVENT_COLUMNS; i++)
		column[i] = (struct parquet_form){names[i],
			!is_number(i)		     ? PARQUET_TEXTS
			: text_ends(names[i], "_us") ? PARQUET_REALS
						     : PARQUET_INTEGERS,
			false};
	stream->parquet = parquet_writer_new(stream->out, column, EVENT_COLUMNS, program);
}

/* The real number that is nearest to us + ps / 10^6. */
static double micros_of(int64_t us, int64_t ps)
{
	char number[NUMBER_TEXT_SIZE];
	int64_t whole;
	double value;

	if (number_multiply(us, PS_PER_US, &whole) && number_add(whole, ps, &whole) &&
		whole > -EXACT_MOST && whole < EXACT_MOST)
		return (double)whole / PS_PER_US;
	number_format_micros(number, us, ps);
	number_parse_real(number, strlen(number), &value);
	return value;
}

static void add_parquet(struct event_stream *s, const struct event_place *at,
	const char *const *text, const struct event_row *row)
{
	struct parquet_writer *w = s->parquet;
	const struct event *e = row->event;

	for (size_t i = 0; i < EVENT_COLUMNS; i++) {
		if (is_number(i) || (!*text[i] && i != OP))
			continue;
		if (text_equal(text_string(&s->before[i]), text[i]) && parquet_put_again(w, i))
			continue;
		text_clear(&s->before[i]);
		text_add(&s->before[i], text[i]);
		text_clear(&s->line);
		text_add_visible(&s->line, text[i]);
		parquet_put_text(w, i, text_string(&s->line), s->line.size);
	}
	if (at->step) {
		parquet_put_integer(w, 1, at->step->number);
		parquet_put_integer(w, INDEX, at->step->index);
	}
	parquet_put_real(w, 7, micros_of(row->base_us, e->start_ps));
	parquet_put_real(w, 8, micros_of(0, e->dur_ps));
	parquet_put_real(w, 9, micros_of(0, row->self_ps));
	parquet_put_integer(w, 10, row->depth);
	if (e->bytes_kind != BYTES_NONE)
		parquet_put_integer(w, 11, e->bytes);
	parquet_end_row(w);
}

static void flush(struct event_stream *s)
{
	text_add(&s->line, "\n");
	outfile_write(s->out, s->line.data, s->line.size);
	text_clear(&s->line);
}

void event_stream_begin(struct event_stream *stream, const char *program)
{
	text_init(&stream->line);
	text_init(&stream->lane);
	text_init(&stream->lane_before);
	for (size_t i = 0; i < EVENT_COLUMNS; i++)
		text_init(&stream->before[i]);
	if (stream->form == STREAM_PARQUET)
		begin_parquet(stream, program);
	if (stream->form != STREAM_CSV)
		return;
	for (size_t i = 0; i < EVENT_COLUMNS; i++)
		text_printf(&stream->line, "%s%s", i ? "," : "", names[i]);
	flush(stream);
}

static void add_numbers(
	struct event_values *v, const struct event_place *at, const struct event_row *row)
{
	const struct event *e = row->event;

	if (at->step) {
		v->text[1] = number_format_int(v->step, at->step->number);
		v->text[INDEX] = number_format_int(v->index, at->step->index);
	}
	v->text[7] = number_format_micros(v->start, row->base_us, e->start_ps);
	v->text[8] = number_format_micros(v->dur, 0, e->dur_ps);
	v->text[9] = number_format_micros(v->self, 0, row->self_ps);
	v->text[10] = number_format_int(v->depth, row->depth);
	if (e->bytes_kind != BYTES_NONE)
		v->text[11] = number_format_int(v->bytes, e->bytes);
}

void event_stream_add(struct event_stream *stream, const struct event_place *at, const char *op,
	const struct event_row *row)
{
	struct event_values v = {
		.text = {at->run ? at->run : "", "", row->process, row->lane, row->device, op,
			row->type, "", "", "", "", "", at->rank ? at->rank : "", "",
			at->step && at->step->kind ? at->step->kind : ""}};

	if (stream->form == STREAM_PARQUET) {
		add_parquet(stream, at, v.text, row);
		return;
	}
	add_numbers(&v, at, row);
	if (stream->form == STREAM_TEXT)
		add_text(stream, &v, at->step, row->depth);
	else if (stream->form == STREAM_CSV) {
		for (size_t i = 0; i < EVENT_COLUMNS; i++) {
			text_add(&stream->line, i ? "," : "");
			if (is_number(i))
				text_add(&stream->line, v.text[i]);
			else
				csv_field(&stream->line, v.text[i], stream->csv_safe);
		}
	} else {
		for (size_t i = 0; i < EVENT_COLUMNS; i++) {
			text_printf(&stream->line, "%s\"%s\":", i ? "," : "{", names[i]);
			if (is_number(i))
				text_add(&stream->line, *v.text[i] ? v.text[i] : "null");
			else
				json_text(&stream->line, v.text[i]);
		}
		text_add(&stream->line, "}");
	}
	flush(stream);
}

int event_stream_finish(struct event_stream *stream, struct error *err)
{
	return stream->parquet ? parquet_writer_finish(stream->parquet, err) : 0;
}

void event_stream_end(struct event_stream *stream)
{
	for (size_t i = 0; i < EVENT_COLUMNS; i++)
		text_release(&stream->before[i]);
	parquet_writer_free(stream->parquet);
	text_release(&stream->line);
	text_release(&stream->lane);
	text_release(&stream->lane_before);
}
