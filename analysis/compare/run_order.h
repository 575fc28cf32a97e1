/*
 * In which order the runs of two sides were recorded, by the start times in the files and by
 * nothing else: values of a run never decide what it is compared with.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_RUN_ORDER_H
#define STEPSTAT_ANALYSIS_COMPARE_RUN_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analysis/run_values.h"
#include "base/arena.h"

enum run_order_kind {
	/* Not known: a run has no time of day, or a side has fewer than 2 runs. */
	RUN_ORDER_UNKNOWN,
	RUN_ORDER_MIXED, /* known, and none of the others */
	/* One run after the other, and each two that follow are one of base and one of new: b n b
	 * n, n b b n, ... */
	RUN_ORDER_ROUNDS,
	RUN_ORDER_BASE_FIRST, /* all of base ended before new began */
	RUN_ORDER_NEW_FIRST,
};

struct run_order {
	enum run_order_kind kind;
	/* RUN_ORDER_ROUNDS: run round[i] of new belongs to run i of base; else NULL. */
	const size_t *round;
	size_t rounds;
	bool base_leads; /* base is the first in every round */
	bool new_leads;
	/* RUN_ORDER_BASE_FIRST and RUN_ORDER_NEW_FIRST: between the end of the earlier side and the
	 * start of the later one. */
	int64_t gap_ns;
};

/* Fills *out, of the kept runs. A time counts from the year 2000 on: smaller ones are since the
 * start of a process or of a machine, and those of two files cannot be compared. Fewer than
 * RUN_ORDER_ROUNDS_LEAST rounds are RUN_ORDER_MIXED. Memory of `round` is in the arena. */
enum { RUN_ORDER_ROUNDS_LEAST = 3 };
void run_order_find(const struct run_side *base, const struct run_side *new, struct arena *arena,
	struct run_order *out);

#endif
