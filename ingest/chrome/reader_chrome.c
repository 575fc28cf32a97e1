/*
 * Any Chrome trace that is of no dialect with rules of its own: Chrome, Node.js, MXNet, VizTracer,
 * clang -ftime-trace, CMake, TypeScript and others that write the format. Its ops are its slices:
 * complete events (X) and pairs (B, E). What else it holds takes no time of a thread, and is
 * counted.
 */
#include <string.h>
#include "ingest/chrome/trace.h"
#include "ingest/chrome/trace_pairs.h"

enum beside {
	BESIDE_ASYNC,
	BESIDE_FLOW,
	BESIDE_INSTANT,
	BESIDE_COUNTER,
	BESIDE_OBJECT,
	BESIDE_SAMPLE,
	BESIDE_SECTION,
	BESIDE_DUMP,
	BESIDE_SUM,
	BESIDE_OTHER,
	BESIDE_COUNT
};

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

struct chrome {
	struct trace_pairs *pairs; /* NULL until one is met */
	struct {
		size_t count;
		uint64_t offset; /* of the first */
	} beside[BESIDE_COUNT];
	uint64_t base_us;
};

static void count(struct chrome *c, enum beside kind, const struct trace_event *event)
{
	if (c->beside[kind].count++ == 0)
		c->beside[kind].offset = event->offset;
}

static enum beside kind_of(char phase)
{
	for (size_t i = 0; i < BESIDE_COUNT; i++)
		if (phase && strchr(beside[i].phases, phase))
			return (enum beside)i;
	return BESIDE_OTHER;
}

/* clang ends its trace with one event for each name, as long as all slices of that name
 * together. */
static bool is_sum(const struct trace_event *event)
{
	return event->name.size > 6 && memcmp(event->name.at, "Total ", 6) == 0 &&
	       trace_arg(event, "avg ms").kind != 0;
}

static int chrome_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	static const struct json_value nameless = {"[no name]", 9, '"'};
	struct chrome *c = trace_state(t);
	const struct json_value *name = event->name.kind ? &event->name : &nameless;
	const struct event in_order = {
		.link = event->offset + 1}; /* of slices of the same times the first is around */

	switch (event->phase) {
	case 'X':
		if (!is_sum(event))
			return trace_add(t, event, name, &event->category, &in_order, err);
		count(c, BESIDE_SUM, event);
		return 0;
	case 'B':
	case 'E':
		if (!c->pairs)
			c->pairs = trace_pairs_new(t);
		return trace_pairs_add(c->pairs, event, name, &event->category, err);
	default:
		count(c, kind_of(event->phase), event);
		return 0;
	}
}

static int chrome_member(struct trace *t, const struct json_member *member, struct error *err)
{
	static const char begin[] = "beginningOfTime", samples[] = "samples";
	struct chrome *c = trace_state(t);

	(void)err;
	if (member->key.size == sizeof(begin) - 1 &&
		memcmp(member->key.at, begin, sizeof(begin) - 1) == 0 &&
		!json_unsigned(&member->value, &c->base_us))
		c->base_us = 0;
	/* Catapult's: as phase P. */
	if (member->key.size == sizeof(samples) - 1 &&
		memcmp(member->key.at, samples, sizeof(samples) - 1) == 0 &&
		member->value.kind == '[' && memchr(member->value.at, '{', member->value.size))
		c->beside[BESIDE_SECTION].count++;
	return 0;
}

static int chrome_end(struct trace *t, struct error *err)
{
	struct chrome *c = trace_state(t);
	struct profile *p = trace_profile(t);
	int64_t base_ns;

	if (c->base_us <= INT64_MAX / 1000 &&
		!__builtin_add_overflow(p->base_ns, (int64_t)c->base_us * 1000, &base_ns))
		p->base_ns = base_ns;
	for (size_t i = 0; i < BESIDE_COUNT; i++)
		trace_report_issues(t, ISSUE_INFO, beside[i].code, beside[i].text,
			c->beside[i].count, c->beside[i].offset);
	return c->pairs ? trace_pairs_finish(c->pairs, err) : 0;
}

static void chrome_release(struct trace *t)
{
	trace_pairs_free(((struct chrome *)trace_state(t))->pairs);
}

static const struct trace_dialect chrome_dialect = {
	.state_bytes = sizeof(struct chrome),
	.member = chrome_member,
	.event = chrome_event,
	.end = chrome_end,
	.release = chrome_release,
	.file_is_step = true,
};

static int chrome_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, &chrome_dialect, err);
}

static int chrome_probe(const struct probe *p)
{
	return probe_is_json(p) && (probe_has(p, "\"traceEvents\"") || probe_has(p, "\"ph\"")) ? 70
											       : 0;
}

const struct reader reader_chrome = {
	.name = "chrome",
	.title = "Chrome trace",
	.summary = "Chrome trace of any program (trace event format, JSON)",
	.suffixes = (const char *const[]){".json", NULL},
	.probe = chrome_probe,
	.read = chrome_read,
	.dialect = &chrome_dialect,
	.empty_hint = "ops are its slices: complete events (ph X), or pairs (B, E)",
};
