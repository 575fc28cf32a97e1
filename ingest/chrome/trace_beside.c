/* Kinds by their phases, and what is said of each. */
#include "ingest/chrome/trace_beside.h"

#include <string.h>

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
