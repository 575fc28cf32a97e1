/* Begins and ends, sorted by lane and time, and the stack on which they meet. */
#include "ingest/chrome/trace_pairs.h"

#include <string.h>
#include "base/memory.h"
#include "ingest/events/spill.h"

#define BUFFER_BYTES ((size_t)6 << 20)
#define DEPTH_MOST 65536

/* One of the two events. The key is the lane and the time. */
struct half {
	uint64_t hi, lo;
	uint64_t name;		   /* hash, 0: it has none */
	struct marker_name marker; /* of a step */
	uint64_t offset;
	uint32_t op;
	uint8_t is_end, is_mark, type;
};

struct lost {
	size_t count;
	uint64_t offset; /* of the first */
};

struct trace_pairs {
	struct trace *t;
	struct spill *halves;
	struct vec stack; /* of struct half: the open ones, then those that are held */
	size_t depth, held;
	int64_t held_end_ps;
	uint64_t too_deep; /* open ones that are not on the stack */
	struct lost begin, end, named, deep;
};

struct trace_pairs *trace_pairs_new(struct trace *t)
{
	const struct trace_options *opt = &trace_read_options(t)->trace;
	struct spill_options options = {
		.record_bytes = sizeof(struct half),
		.buffer_bytes = opt->sort_bytes ? opt->sort_bytes : BUFFER_BYTES,
		.folder = opt->spill_folder,
		.max_disk_bytes = opt->max_spill_bytes,
		.what = "events",
	};
	struct trace_pairs *pairs = memory_alloc(sizeof(*pairs));

	pairs->t = t;
	pairs->halves = spill_new(&options);
	vec_init(&pairs->stack, sizeof(struct half), DEPTH_MOST, "open slices");
	return pairs;
}

void trace_pairs_free(struct trace_pairs *pairs)
{
	if (!pairs)
		return;
	spill_free(pairs->halves);
	vec_release(&pairs->stack);
	memory_free(pairs);
}

static uint64_t time_key(int64_t time_ps)
{
	return (uint64_t)time_ps ^ UINT64_C(1) << 63;
}

static int64_t key_time(uint64_t key)
{
	return (int64_t)(key ^ UINT64_C(1) << 63);
}

int trace_pairs_add(struct trace_pairs *pairs, const struct trace_event *event,
	const struct json_value *name, const struct json_value *type, struct error *err)
{
	struct half half = {.offset = event->offset, .is_end = event->phase == 'E'};
	int64_t time_ps;
	uint32_t lane;
	int marker = 0;

	if (!trace_start(pairs->t, event, &time_ps))
		return 0;
	if (trace_lane(pairs->t, event, &lane, err) != 0)
		return -1;
	if (!half.is_end)
		marker = trace_is_marker(pairs->t, name, &half.marker, err);
	if (marker < 0)
		return -1;
	if (!half.is_end && marker == 0)
		half.op = trace_op(pairs->t, event, name, type, &half.type);
	half.is_mark = marker > 0;
	half.name = event->name.size ? intern_hash(event->name.at, event->name.size, 0) | 1 : 0;
	half.hi = lane;
	half.lo = time_key(time_ps);
	return spill_add(pairs->halves, &half, err);
}

/* ---- the stack ---- */

static void report_lost(struct lost *lost, uint64_t offset)
{
	if (lost->count++ == 0)
		lost->offset = offset;
}

static int add_slice(
	struct trace_pairs *pairs, const struct half *begin, int64_t end_ps, struct error *err)
{
	struct eventlog *log = trace_log(pairs->t);
	int64_t start_ps = key_time(begin->lo);
	struct event event = {.lane = (uint32_t)begin->hi,
		.op = begin->op,
		.type = begin->type,
		.link = begin->offset + 1, /* of slices of the same times the first is around */
		.start_ps = start_ps};
	struct step_mark mark = {.process = eventlog_lane_at(log, event.lane)->process,
		.number = begin->marker.number,
		.numbered = begin->marker.numbered,
		.kind = begin->marker.kind,
		.is_whole = begin->marker.is_whole,
		.outermost = true,
		.start_ps = start_ps,
		.end_ps = end_ps};

	if (begin->is_mark)
		return eventlog_mark(log, &mark, err);
	if (__builtin_sub_overflow(end_ps, start_ps, &event.dur_ps))
		event.dur_ps = -1; /* for the log to count */
	return eventlog_add(log, &event, err);
}

/* Slices with the same start and end are held until all of them are known: the outer one goes
 * first, because that is how the log knows it from the inner one. */
static int flush(struct trace_pairs *pairs, struct error *err)
{
	for (size_t i = 0; i < pairs->held; i++)
		if (add_slice(pairs, vec_at(&pairs->stack, pairs->depth + i), pairs->held_end_ps,
			    err) != 0)
			return -1;
	pairs->held = 0;
	pairs->stack.count = pairs->depth;
	return 0;
}

static int add_begin(struct trace_pairs *pairs, const struct half *half, struct error *err)
{
	struct error full;
	struct half *top;

	if (flush(pairs, err) != 0)
		return -1;
	top = vec_push(&pairs->stack, &full);
	if (!top) {
		pairs->too_deep++;
		report_lost(&pairs->deep, half->offset);
		return 0;
	}
	*top = *half;
	pairs->depth++;
	return 0;
}

static int add_end(struct trace_pairs *pairs, const struct half *half, struct error *err)
{
	const struct half *top;
	int64_t end_ps = key_time(half->lo);

	if (pairs->too_deep > 0) {
		pairs->too_deep--;
		return 0;
	}
	if (pairs->depth == 0) {
		report_lost(&pairs->end, half->offset);
		return 0;
	}
	top = vec_at(&pairs->stack, pairs->depth - 1);
	if (half->name && top->name && half->name != top->name)
		report_lost(&pairs->named, half->offset);
	if (pairs->held && (pairs->held_end_ps != end_ps || top->lo != top[1].lo) &&
		flush(pairs, err) != 0)
		return -1;
	pairs->depth--;
	pairs->held++;
	pairs->held_end_ps = end_ps;
	return 0;
}

static int end_lane(struct trace_pairs *pairs, struct error *err)
{
	int status = flush(pairs, err);

	for (size_t i = 0; i < pairs->depth; i++)
		report_lost(&pairs->begin, ((const struct half *)vec_at(&pairs->stack, i))->offset);
	vec_clear(&pairs->stack);
	pairs->depth = 0;
	pairs->too_deep = 0;
	return status;
}

static void report_issue(struct trace_pairs *pairs)
{
	const struct {
		const struct lost *lost;
		const char *code, *text;
	} issues[] = {
		{&pairs->begin, "slice-open", "slices that begin (B) and do not end, left out"},
		{&pairs->end, "slice-end", "ends of slices (E) that did not begin, left out"},
		{&pairs->named, "slice-names",
			"slices whose end (E) has another name than what ends there; that of the "
			"begin counts"},
		{&pairs->deep, "slice-deep", "slices nested deeper than 65536, left out"},
	};

	for (size_t i = 0; i < sizeof(issues) / sizeof(issues[0]); i++)
		trace_report_issues(pairs->t, ISSUE_LOSS, issues[i].code, issues[i].text,
			issues[i].lost->count, issues[i].lost->offset);
}

int trace_pairs_finish(struct trace_pairs *pairs, struct error *err)
{
	const void *record;
	uint64_t lane = UINT64_MAX;
	int got;

	if (spill_sort(pairs->halves, err) != 0)
		return -1;
	while ((got = spill_next(pairs->halves, &record, err)) > 0) {
		const struct half *half = record;

		if (half->hi != lane && end_lane(pairs, err) != 0)
			return -1;
		lane = half->hi;
		if ((half->is_end ? add_end(pairs, half, err) : add_begin(pairs, half, err)) != 0)
			return -1;
	}
	if (got < 0 || end_lane(pairs, err) != 0)
		return -1;
	report_issue(pairs);
	return 0;
}

/* Phases by "Trace Event Format"; R, c and the brackets are of its later versions. */
static const struct {
	const char *phases, *code, *text;
} beside[BESIDE_COUNT] = {
	[BESIDE_ASYNC] = {"benSTpF", "chrome-async",
		"events of asynchronous work (b, e, n, S, T, p, F), left out: it overlaps, so "
		"it is not time of a thread"},
	[BESIDE_FLOW] = {"stf", "chrome-flow",
		"arrows between slices (s, t, f), which take no time"},
	[BESIDE_INSTANT] = {"iIR", "chrome-instant", "instants (i, I, R), which take no time"},
	[BESIDE_COUNTER] = {"C", "chrome-counter", "values of counters (C), left out"},
	[BESIDE_OBJECT] = {"NOD", "chrome-object", "lives of objects (N, O, D), left out"},
	[BESIDE_SAMPLE] = {"P", "chrome-sample",
		"samples of a sampling profiler, left out: they are points in time"},
	[BESIDE_SECTION] = {"", "chrome-samples",
		"lists of samples next to the events (\"samples\"), left out: they are points "
		"in time"},
	[BESIDE_DUMP] = {"vV", "chrome-dump", "dumps of memory (v, V), left out"},
	[BESIDE_SUM] = {"", "chrome-sum",
		"sums that clang adds (\"Total ...\"), left out: they repeat the time of the "
		"slices"},
	[BESIDE_OTHER] = {"", "chrome-other", "events of other phases, left out"},
};

void trace_beside_count(struct trace_beside *b, enum beside kind, const struct trace_event *event)
{
	if (b->kind[kind].count++ == 0)
		b->kind[kind].offset = event->offset;
}

enum beside trace_beside_of(char phase)
{
	for (size_t i = 0; i < BESIDE_COUNT; i++)
		if (phase && strchr(beside[i].phases, phase))
			return (enum beside)i;
	return BESIDE_OTHER;
}

void trace_beside_report(struct trace *t, const struct trace_beside *b)
{
	for (size_t i = 0; i < BESIDE_COUNT; i++)
		trace_report_issues(t, ISSUE_INFO, beside[i].code, beside[i].text, b->kind[i].count,
			b->kind[i].offset);
}
