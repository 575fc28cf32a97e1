/*
 * Texts of benchmark tools, line by line, and the words of a line.
 */
#ifndef STEPSTAT_INGEST_BENCH_BENCH_LINES_H
#define STEPSTAT_INGEST_BENCH_BENCH_LINES_H

#include "ingest/bench/bench.h"

struct bench_lines {
	const char *framework; /* the tool */
	bool repeats;	       /* runs are repetitions of one process */
	size_t state_bytes;    /* of what a reader keeps from line to line, zeroed before
				  the first */
	int (*line)(struct bench *b, void *state, const char *line, struct error *err);
	int (*end)(struct bench *b, void *state, struct error *err); /* after the last; or NULL */
};

/* The `read` of readers whose source is a struct bench_lines. */
int bench_read_lines(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err);

/* A word of a line: what stands between blanks. */
struct bench_word {
	const char *at;
	size_t size; /* 0: there is none */
};

/* The next word from *at on, which moves behind it. */
struct bench_word bench_word_next(const char **at);
bool bench_word_is(const struct bench_word *word, const char *text);
bool bench_word_is_number(const struct bench_word *word);
/* A number with commas between thousands, without them. */
const char *bench_word_number(struct bench *b, const struct bench_word *word);
const char *bench_word_text(struct bench *b, const struct bench_word *word);
/* The bytes without blanks at their ends, as a text that may be shown. */
const char *bench_trimmed(struct bench *b, const char *at, size_t size);

/* True if a line of the bytes is one: for probes. The last one may be cut. */
bool bench_probe_lines(const struct probe *p, bool (*is_one)(const char *line));

#define BENCH_TEXT ((const char *const[]){".txt", NULL}) /* suffixes of readers */

#endif
