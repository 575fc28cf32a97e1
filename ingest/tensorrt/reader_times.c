/* trtexec --exportTimes: a row for each inference. A step is one inference, from the start of the
 * copy of its inputs to the end of the copy of its outputs; its ops are the two copies, the work of
 * the device between them, and the call that starts it on the host.
 *
 * Rows are of the producer's samples/common/sampleReporting.cpp (exportJSONTrace). Its times are
 * floats printed with six digits: durations are exact to that, but starts (of which none is 0) lose
 * digits as the run goes on. So ops have the durations that are printed, never differences of
 * starts, but for the call on the host, of which there is no other. 2019 has "In" and "Out" for
 * "H2d" and "D2h" and no host; until 2022 there is "endToEndMs", and the queries of the warm-up are
 * in the file. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/tensorrt/tensorrt.h"

enum times_field {
	ENQUEUE_START,
	ENQUEUE_END,
	H2D_START,
	H2D_END,
	COMPUTE_START,
	COMPUTE_END,
	D2H_START,
	D2H_END,
	H2D_TIME,
	COMPUTE_TIME,
	D2H_TIME,
	LATENCY,
	END_TO_END,
	FIELD_COUNT
};

static const struct {
	const char *key;
	enum times_field field;
} known_keys[] = {
	{"startEnqMs", ENQUEUE_START},
	{"endEnqMs", ENQUEUE_END},
	{"startH2dMs", H2D_START},
	{"startInMs", H2D_START},
	{"endH2dMs", H2D_END},
	{"endInMs", H2D_END},
	{"startComputeMs", COMPUTE_START},
	{"endComputeMs", COMPUTE_END},
	{"startD2hMs", D2H_START},
	{"startOutMs", D2H_START},
	{"endD2hMs", D2H_END},
	{"endOutMs", D2H_END},
	{"h2dMs", H2D_TIME},
	{"inMs", H2D_TIME},
	{"computeMs", COMPUTE_TIME},
	{"d2hMs", D2H_TIME},
	{"outMs", D2H_TIME},
	{"latencyMs", LATENCY},
	{"endToEndMs", END_TO_END},
};

struct inference {
	int64_t ps[FIELD_COUNT]; /* CELL_ABSENT: not there */
	int64_t number;		 /* of its row in the file, from 0 */
};

enum { OP_COMPUTE, OP_D2H, OP_ENQUEUE, OP_H2D, OP_COUNT };

/* Types are words of the rules of classes (analysis/select/classes.c). */
static const struct {
	const char *name, *type, *device;
	enum times_field start;
} op_words[OP_COUNT] = {
	[OP_COMPUTE] = {"Compute", "Kernel", TENSORRT_DEVICE, COMPUTE_START},
	[OP_D2H] = {"D2H", "Memcpy", TENSORRT_DEVICE, D2H_START},
	[OP_ENQUEUE] = {"Enqueue", "Runtime", "cpu", ENQUEUE_START},
	[OP_H2D] = {"H2D", "Memcpy", TENSORRT_DEVICE, H2D_START},
};

struct times_reader {
	struct profile *out;
	const struct read_options *opt;
	struct vec row; /* struct inference */
	int64_t rows;	/* of the file, so far */
	size_t odd;	/* rows that have no times of the device, or such as cannot be */
	uint64_t odd_at;
	bool has_span; /* all rows have END_TO_END */
};

/* ---- rows ---- */

/* A stretch between two points that both are known, not backwards. */
static bool is_stretch(const struct inference *row, enum times_field start, enum times_field end)
{
	return row->ps[start] != CELL_ABSENT && row->ps[end] != CELL_ABSENT &&
	       row->ps[start] <= row->ps[end];
}

/* Copies may be missing, the work of the device may not. */
static bool is_sound(const struct inference *row)
{
	static const enum times_field times[] = {H2D_TIME, COMPUTE_TIME, D2H_TIME, LATENCY};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (row->ps[times[i]] == CELL_ABSENT || row->ps[times[i]] < 0)
			return false;
	return is_stretch(row, H2D_START, H2D_END) && is_stretch(row, COMPUTE_START, COMPUTE_END) &&
	       is_stretch(row, D2H_START, D2H_END) && is_stretch(row, H2D_START, D2H_END) &&
	       row->ps[H2D_START] <= row->ps[COMPUTE_START] &&
	       row->ps[COMPUTE_END] <= row->ps[D2H_END];
}

static int add_row(void *context, const struct trace_event *event, struct error *err)
{
	struct times_reader *r = context;
	struct inference row, *kept;
	struct json_walk walk = trace_event_members(event);
	struct json_member member;

	for (size_t f = 0; f < FIELD_COUNT; f++)
		row.ps[f] = CELL_ABSENT;
	while (json_next_member(&walk, &member, NULL))
		for (size_t k = 0; k < sizeof(known_keys) / sizeof(*known_keys); k++)
			if (json_equal(&member.key, known_keys[k].key) &&
				!tensorrt_time(&member.value, &row.ps[known_keys[k].field]))
				row.ps[known_keys[k].field] = CELL_ABSENT;
	row.number = r->rows++;
	if (!is_sound(&row)) {
		if (!r->odd++)
			r->odd_at = event->offset;
		return 0;
	}
	kept = vec_push(&r->row, err);
	if (!kept)
		return error_hint(err, "allow more with max-steps in stepstat.yaml");
	*kept = row;
	r->has_span &= row.ps[END_TO_END] != CELL_ABSENT && row.ps[END_TO_END] >= 0;
	return 0;
}

static const struct inference *row_at(const struct times_reader *r, size_t i)
{
	return vec_at(&r->row, i);
}

/* ---- steps ---- */

static int add_steps(struct times_reader *r, struct error *err)
{
	for (size_t i = 0; i < r->row.count; i++) {
		const struct inference *row = row_at(r, i);
		const int64_t wall = row->ps[D2H_END] - row->ps[H2D_START];
		int64_t busy = row->ps[H2D_TIME] + row->ps[COMPUTE_TIME] + row->ps[D2H_TIME];
		const struct step step = {
			.number = row->number,
			.has_wall = true,
			.start_ps = row->ps[H2D_START],
			.end_ps = row->ps[D2H_END],
			.busy_ps = busy < wall ? busy : wall, /* its points are rounded more */
			.fingerprint = intern_hash(row->ps, sizeof(row->ps), 1),
		};
		uint32_t index;

		if (profile_add_step(r->out, &step, &index, &r->opt->limits, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- ops ---- */

static int64_t time_of(const struct inference *row, size_t op)
{
	static const enum times_field field[] = {
		[OP_H2D] = H2D_TIME, [OP_COMPUTE] = COMPUTE_TIME, [OP_D2H] = D2H_TIME};

	if (op != OP_ENQUEUE)
		return row->ps[field[op]];
	return is_stretch(row, ENQUEUE_START, ENQUEUE_END)
		       ? row->ps[ENQUEUE_END] - row->ps[ENQUEUE_START]
		       : CELL_ABSENT;
}

/* Copies that take no time anywhere were not made. */
static bool is_there(const struct times_reader *r, size_t op)
{
	for (size_t i = 0; i < r->row.count; i++) {
		const int64_t ps = time_of(row_at(r, i), op);

		if (ps != CELL_ABSENT && (ps > 0 || op == OP_COMPUTE || op == OP_ENQUEUE))
			return true;
	}
	return false;
}

static int add_op(struct times_reader *r, size_t kind, struct error *err)
{
	bool is_new;
	const uint32_t id = profile_op(
		r->out, op_words[kind].name, strlen(op_words[kind].name), &is_new, &r->opt->limits);
	struct op *op = &r->out->op[id];

	if (is_new) {
		op->type = op_words[kind].type;
		op->device = op_words[kind].device;
		op->shape = "";
		op->params = op->float_ops_each = CELL_ABSENT;
	}
	for (size_t i = 0; i < r->row.count; i++) {
		const bool is_host = kind == OP_ENQUEUE;
		const int64_t ps = time_of(row_at(r, i), kind);
		struct observations *obs = &r->out->obs;
		size_t row;

		if (ps == CELL_ABSENT)
			continue;
		if (profile_observe(r->out, id, (uint32_t)i, &row, &r->opt->limits, err) < 0)
			return -1;
		obs->column[MEASURE_ACCELERATOR][row] = is_host ? 0 : ps;
		obs->column[MEASURE_CPU][row] = is_host ? ps : 0;
		obs->column[MEASURE_OCCURRENCE][row] = 1;
		if (r->opt->calls) {
			const enum call_kind calls = is_host ? CALLS_CPU : CALLS_ACCELERATOR;

			call_sums_add(&obs->calls[calls][row], calls, ps);
		}
	}
	return 0;
}

static int add_ops(struct times_reader *r, struct error *err)
{
	size_t copies = 0;

	profile_have(r->out, MEASURE_ACCELERATOR);
	profile_have(r->out, MEASURE_CPU);
	profile_have(r->out, MEASURE_OCCURRENCE);
	if (r->opt->calls) {
		profile_have_calls(r->out, CALLS_CPU);
		profile_have_calls(r->out, CALLS_ACCELERATOR);
	}
	for (size_t kind = 0; kind < OP_COUNT; kind++) {
		if (!is_there(r, kind)) {
			copies += kind == OP_H2D || kind == OP_D2H;
			continue;
		}
		if (add_op(r, kind, err) < 0)
			return -1;
	}
	issue_add(&r->out->issues, ISSUE_INFO, "tensorrt-no-copies",
		"copies (to the device, to the host) that took no time in any inference, as with "
		"--noDataTransfers: no rows",
		copies, r->out->path);
	return 0;
}

/* ---- events ---- */

/* Each op is the only one on its lane. */
static int hand_over_all(const struct times_reader *r, struct error *err)
{
	for (size_t kind = 0; r->opt->trace.sink && kind < OP_COUNT; kind++) {
		const size_t rows = is_there(r, kind) ? r->row.count : 0;

		for (size_t i = 0; i < rows; i++) {
			const struct inference *row = row_at(r, i);
			const struct event event = {
				.start_ps = row->ps[op_words[kind].start],
				.dur_ps = time_of(row, kind),
				.kind = EVENT_OP,
			};
			const struct event_row shown = {
				.profile = r->out,
				.has_step = true,
				.place = (uint32_t)i,
				.step = row->number,
				.process = "trtexec",
				.lane = op_words[kind].name,
				.device = op_words[kind].device,
				.op = op_words[kind].name,
				.type = op_words[kind].type,
				.event = &event,
				.self_ps = event.dur_ps,
			};

			if (event.dur_ps == CELL_ABSENT)
				continue;
			if (r->opt->trace.sink(r->opt->trace.sink_context, &shown, err) != 0)
				return -1;
		}
	}
	return 0;
}

/* ---- durations of steps ---- */

static int64_t *add_series(struct times_reader *r, enum step_series_kind kind, const char *device)
{
	return step_series_add(&r->out->series, r->out->arena, kind, device, r->out->step_count);
}

/* True if each inference starts before the next one. With several streams (--infStreams) their
 * order may be another. */
static bool is_in_order(const struct times_reader *r)
{
	for (size_t i = 1; i < r->row.count; i++)
		if (row_at(r, i)->ps[H2D_START] < row_at(r, i - 1)->ps[H2D_START])
			return false;
	return true;
}

/* True if the next inference is in the file. */
static bool has_next(const struct times_reader *r, size_t step)
{
	return step + 1 < r->row.count &&
	       row_at(r, step + 1)->number <= row_at(r, step)->number + 1;
}

/* End of the step for the device: the start of the next one. A step before one that is left out
 * ends at its own end: the work of the device after it is not known. */
static int64_t window_end(const struct times_reader *r, size_t step)
{
	const struct inference *row = row_at(r, step);
	int64_t end = row->ps[D2H_END];

	if (step + 1 < r->row.count) {
		const int64_t next = row_at(r, step + 1)->ps[H2D_START];

		return has_next(r, step) || next < end ? next : end;
	}
	for (size_t i = 0; i < r->row.count; i++)
		if (row_at(r, i)->ps[D2H_END] > end)
			end = row_at(r, i)->ps[D2H_END];
	return end;
}

/* Device time by kind, in the order of time: the last end of each class is the end of its work. */
struct times_parts {
	const struct times_reader *r;
	int64_t *part[SERIES_KINDS];
	int64_t now_ps, compute_end_ps, copy_end_ps;
	size_t step;	   /* in whose window now_ps is */
	int64_t window_ps; /* where that ends */
};

/* Moves on to the next window; time between two windows is in none. */
static void enter_next(struct times_parts *d)
{
	const int64_t start_ps = row_at(d->r, ++d->step)->ps[H2D_START];

	d->window_ps = window_end(d->r, d->step);
	d->now_ps = start_ps > d->now_ps ? start_ps : d->now_ps;
}

static void add_stretch(struct times_parts *d, int64_t until_ps, enum step_series_kind kind)
{
	while (d->now_ps < until_ps) {
		const bool is_last = d->step + 1 == d->r->row.count;
		const int64_t end = is_last || until_ps < d->window_ps ? until_ps : d->window_ps;

		if (end > d->now_ps) {
			d->part[kind][d->step] += end - d->now_ps;
			d->now_ps = end;
		}
		if (d->now_ps < until_ps)
			enter_next(d);
	}
}

static void work_until(struct times_parts *d, int64_t until_ps)
{
	while (d->now_ps < until_ps) {
		int64_t end = until_ps;
		enum step_series_kind kind = SERIES_IDLE;

		if (d->compute_end_ps > d->now_ps) {
			kind = SERIES_COMPUTE;
			end = d->compute_end_ps;
		} else if (d->copy_end_ps > d->now_ps) {
			kind = SERIES_COPIES;
			end = d->copy_end_ps;
		}
		add_stretch(d, end < until_ps ? end : until_ps, kind);
	}
}

struct device_stretch {
	int64_t start_ps, end_ps;
	bool is_copy;
};

ORDERED(compare_stretches, struct device_stretch, ORDER(x->start_ps, y->start_ps));

static void add_device_parts(struct times_reader *r)
{
	static const enum step_series_kind kinds[] = {
		SERIES_COMPUTE, SERIES_COMMUNICATION, SERIES_COPIES, SERIES_IDLE, SERIES_HIDDEN};
	static const enum times_field ends[][2] = {
		{H2D_START, H2D_END}, {COMPUTE_START, COMPUTE_END}, {D2H_START, D2H_END}};
	const size_t n = r->row.count;
	struct device_stretch *work = memory_alloc(memory_product(3 * n, sizeof(*work)));
	struct times_parts d = {.r = r, .now_ps = row_at(r, 0)->ps[H2D_START]};

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		d.part[kinds[k]] = add_series(r, kinds[k], TENSORRT_DEVICE);
		for (size_t i = 0; i < n; i++)
			d.part[kinds[k]][i] = 0;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 3; k++)
			work[3 * i + k] = (struct device_stretch){
				row_at(r, i)->ps[ends[k][0]], row_at(r, i)->ps[ends[k][1]], k != 1};
	qsort(work, 3 * n, sizeof(*work), compare_stretches);
	d.compute_end_ps = d.copy_end_ps = d.now_ps;
	d.window_ps = window_end(r, 0);
	for (size_t i = 0; i < 3 * n; i++) {
		int64_t *end = work[i].is_copy ? &d.copy_end_ps : &d.compute_end_ps;

		work_until(&d, work[i].start_ps);
		*end = work[i].end_ps > *end ? work[i].end_ps : *end;
	}
	work_until(&d, window_end(r, n - 1));
	memory_free(work);
}

static void add_step_series(struct times_reader *r)
{
	const bool in_order = is_in_order(r);
	int64_t *marker = add_series(r, SERIES_MARKER, "");
	int64_t *span = r->has_span ? add_series(r, SERIES_SPAN, "") : NULL;
	int64_t *host = is_there(r, OP_ENQUEUE) ? add_series(r, SERIES_HOST_OPS, "") : NULL;

	for (size_t i = 0; i < r->row.count; i++) {
		const struct inference *row = row_at(r, i);

		marker[i] = row->ps[LATENCY];
		if (span)
			span[i] = row->ps[END_TO_END];
		if (in_order && has_next(r, i))
			add_series(r, SERIES_PERIOD, "")[i] =
				row_at(r, i + 1)->ps[H2D_START] - row->ps[H2D_START];
		if (host)
			host[i] = time_of(row, OP_ENQUEUE);
	}
	if (in_order)
		add_device_parts(r);
	else
		issue_add(&r->out->issues, ISSUE_INFO, "tensorrt-order",
			"the inferences are not in order of their starts, as with several streams: "
			"no periods, no parts of the device",
			1, r->out->path);
}

static int times_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct times_reader r = {.out = out, .opt = opt, .has_span = true};
	const struct trace_handler handler = {.event = add_row, .context = &r, .is_table = true};
	struct trace_totals totals;
	int result;

	vec_init(&r.row, sizeof(struct inference), opt->limits.steps, "steps");
	facts_set(&out->facts, out->arena, FACT_FRAMEWORK, "TensorRT", strlen("TensorRT"));
	result = trace_scan(in, &handler, &out->issues, opt->max_record_bytes, &totals, err);
	if (result == 0) {
		char place[512];

		error_place_offset(place, sizeof(place), r.out->path, r.odd_at);
		issue_add(&r.out->issues, ISSUE_LOSS, "tensorrt-odd",
			"inferences without the times of copies and device, or with such as cannot "
			"be, left out",
			r.odd, place);
		result = add_steps(&r, err);
	}
	if (result == 0 && r.row.count) {
		add_step_series(&r);
		result = add_ops(&r, err);
	}
	if (result == 0)
		result = hand_over_all(&r, err);
	vec_release(&r.row);
	return result;
}

const struct reader reader_tensorrt = {
	.name = "tensorrt",
	.title = "TensorRT times of inferences",
	.summary = "times of each inference in TensorRT (trtexec --exportTimes=FILE.json)",
	.suffixes = (const char *const[]){".json", NULL},
	.signs = {90, "[", {{"\"startComputeMs\"", "\"latencyMs\""}}},
	.read = times_read,
	.empty_hint = "the file has no inference: stepstat help tensorrt",
};
