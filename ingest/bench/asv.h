/*
 * The parts of the name of a benchmark of airspeed velocity, in its JSON and in what it prints.
 */
#ifndef STEPSTAT_INGEST_BENCH_ASV_H
#define STEPSTAT_INGEST_BENCH_ASV_H

#include "base/text.h"
#include "ingest/bench/bench.h"
#include <string.h>

/* Measure and unit by the beginning of the function's name. */
static inline struct bench_row asv_row(const char *name)
{
	static const struct {
		const char *beginning, *measure, *unit;
	} kinds[] = {{"time", "time", "s"}, {"peakmem", "memory", "B"}, {"mem", "memory", "B"},
		{"track", "track", NULL}};
	const char *dot = strrchr(name, '.');
	struct bench_row row = {.benchmark = name, .measure = "value"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (text_starts(dot ? dot + 1 : name, kinds[i].beginning)) {
			row.measure = kinds[i].measure;
			row.unit = kinds[i].unit;
			break;
		}
	return row;
}

#endif
