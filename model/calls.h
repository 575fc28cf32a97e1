/*
 * Single executions ("calls") of an op as numbers that add up: exact integers, so that
 * neither their order nor how they are grouped can change a result, in memory that does not grow
 * with the calls. And one by one, in order of their times, which percentiles need: whoever reads
 * traces keeps them, in memory of fixed size (ingest/events/call_store.h); profiles and cubes say
 * which op and step the numbers in them mean.
 */
#ifndef STEPSTAT_MODEL_CALLS_H
#define STEPSTAT_MODEL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* Kinds of times that a call has: the measures `cpu`, `accelerator` and `delay`. */
enum call_kind {
	CALLS_CPU,
	CALLS_ACCELERATOR,
	CALLS_DELAY, /* from the start of the launch to the start of what it launched; below 0
			where the clocks of host and device differ by more */
	CALL_KINDS
};
#define CALL_TIME_KINDS CALLS_DELAY /* those before it are times of execution */

#define CALL_SHORT_PS INT64_C(5000000) /* 5 us: about what a launch costs */

#define CALL_SQUARES_UNKNOWN (~(unsigned __int128)0) /* they did not fit; and stay so */

/* Sums of calls. All zero: no call. */
struct call_sums {
	int64_t count;
	int64_t below;		/* of times: below CALL_SHORT_PS; of delays: below 0 */
	int64_t min_ps, max_ps; /* 0 without a call */
	__int128 sum_ps;
	unsigned __int128 squares; /* of ps */
};

/* One call of -2^63 + 1 .. 2^63 - 1 ps; times are not below 0. */
void call_sums_add(struct call_sums *sums, enum call_kind kind, int64_t ps);
void call_sums_join(struct call_sums *into, const struct call_sums *from);

/* ---- one by one ---- */

/* A value that has a part in the call_sums of the same op, step and kind. */
struct call_record {
	int64_t ps;
	uint32_t source; /* as in struct call_source */
	uint32_t op;	 /* of the profile */
	uint32_t place;	 /* of the step: see struct call_source */
	enum call_kind kind;
	bool total; /* of the totals, else of the ops themselves */
};

/* Source of the records of one profile. */
struct call_source {
	uint32_t number; /* of the records: struct call_record.source */
	uint32_t *step; /* of each place: of the profile, in a cube of the cube; UINT32_MAX: none */
	size_t place_count;
	const char **op; /* in a cube: names of the profile's ops */
	size_t op_count;
};

struct call_values {
	/* The next call of `next` returns the first record. */
	int (*rewind)(struct call_values *values, struct error *err);
	/* 1: the next record, by ps; 0: there is none; -1: it cannot be read back. */
	int (*next)(struct call_values *values, struct call_record *record, struct error *err);
	void (*free)(struct call_values *values);
};

#endif
