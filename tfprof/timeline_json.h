/*
 * The events of a timeline as JSON text, in the original's spelling: keys sorted, no blanks, all
 * numbers integers. It knows nothing of models.
 */
#ifndef STEPSTAT_TFPROF_TIMELINE_JSON_H
#define STEPSTAT_TFPROF_TIMELINE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

struct timeline {
	struct text blocks; /* names of processes and blocks, each event followed by a comma */
	struct text rest;   /* flows and counters, written behind them */
	int64_t process_count;
};

void timeline_init(struct timeline *timeline);
void timeline_release(struct timeline *timeline);
/* Gives the name to the next process; its number. */
int64_t timeline_process(
	struct timeline *timeline, const char *prefix, const char *name, const char *suffix);
void timeline_process_name(struct timeline *timeline, int64_t pid, const char *name);
/* "X". With `op` set the arguments have the name as op too. */
void timeline_block(struct timeline *timeline, const char *name, bool op, int64_t pid, int64_t tid,
	int64_t start, int64_t dur);
/* "s" (begin) or "t" (end) of an arrow named NAME_flow. */
void timeline_flow(struct timeline *timeline, const char *name, char phase, int64_t id, int64_t pid,
	int64_t tid, int64_t time);
/* "C": `args` is the JSON text of an object. */
void timeline_counter(
	struct timeline *timeline, const char *name, const char *args, int64_t pid, int64_t time);
/* The whole file. */
void timeline_text(const struct timeline *timeline, struct text *out);
/* A string with its quotes; what is not UTF-8 becomes U+FFFD, what is not ASCII is escaped. */
void timeline_string(struct text *out, const char *s);

#endif
