/* Any Chrome trace that is of no dialect with rules of its own: Chrome, Node.js, MXNet, VizTracer,
 * clang -ftime-trace, CMake, TypeScript and others that write the format. Its ops are its slices:
 * complete events (X) and pairs (B, E). What else it holds takes no time of a thread, and is
 * counted. */
#include <string.h>
#include "ingest/chrome/trace_pairs.h"
#include "ingest/trace/source_facts.h"

struct chrome {
	struct trace_pairs *pairs; /* NULL until one is met */
	struct trace_beside beside;
	uint64_t base_us;
};

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
		trace_beside_count(&c->beside, BESIDE_SUM, event);
		return 0;
	case 'B':
	case 'E':
		if (!c->pairs)
			c->pairs = trace_pairs_new(t);
		return trace_pairs_add(c->pairs, event, name, &event->category, err);
	default:
		trace_beside_count(&c->beside, trace_beside_of(event->phase), event);
		return 0;
	}
}

static bool is_ready(const struct trace_event *event)
{
	return event->name.kind && !is_sum(event);
}

static int chrome_ready(struct trace *t, const struct trace_ready *ready, uint32_t pair,
	struct event *event, struct error *err)
{
	event->link = ready->offset + 1;
	if (!trace_known_op(t, pair, event))
		return 0;
	return eventlog_add(trace_log(t), event, err) != 0 ? -1 : 1;
}

static int chrome_member(struct trace *t, const struct json_member *member, struct error *err)
{
	static const char begin[] = "beginningOfTime", samples[] = "samples";
	struct chrome *c = trace_state(t);

	(void)err;
	source_facts_said(trace_profile(t), member);
	if (member->key.size == sizeof(begin) - 1 &&
		memcmp(member->key.at, begin, sizeof(begin) - 1) == 0 &&
		!json_unsigned(&member->value, &c->base_us))
		c->base_us = 0;
	/* Catapult's: as phase P. */
	if (member->key.size == sizeof(samples) - 1 &&
		memcmp(member->key.at, samples, sizeof(samples) - 1) == 0 &&
		member->value.kind == '[' && memchr(member->value.at, '{', member->value.size))
		c->beside.kind[BESIDE_SECTION].count++;
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
	trace_beside_report(t, &c->beside);
	return c->pairs ? trace_pairs_finish(c->pairs, err) : 0;
}

static void chrome_release(struct trace *t)
{
	trace_pairs_free(((struct chrome *)trace_state(t))->pairs);
}

static const struct trace_ahead chrome_ahead = {.asked = {NULL}, .ready = is_ready};

static const struct trace_dialect chrome_dialect = {
	.ahead = &chrome_ahead,
	.state_bytes = sizeof(struct chrome),
	.member = chrome_member,
	.event = chrome_event,
	.ready = chrome_ready,
	.end = chrome_end,
	.release = chrome_release,
	.file_is_step = true,
	.has_pids = true,
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
