/* Around which time a trace lies, found before it is read: one event with a stray time at its start
 * must not push all others out of the range that times are kept in. */
#pragma once

#include "ingest/input/input.h"

#define TRACE_STARTS_MOST 1024
/* Times are kept relative to a multiple of 2^41 us (25 days) near the first of them: so they fit,
 * and files of one recording share their base. */
#define TRACE_GRID_US ((int64_t)1 << 41)

struct trace_starts {
	int64_t us[TRACE_STARTS_MOST];
	size_t count;
};

/* Median of the starts; there is one at least. The starts are sorted. */
int64_t trace_starts_middle(struct trace_starts *starts);

/* The median of the starts ("ts") of the events at the beginning of the input, in us, without
 * consuming any of it. *found is false when there are fewer than 16 among its first 256 KB, too
 * few to find a stray one. */
int trace_base(struct input *in, int64_t *us, bool *found, struct error *err);
