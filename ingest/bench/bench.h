/* The content of a file of a benchmark tool, as rows of a table in the long form: run, step,
 * benchmark, measure, value, unit, and the facts of the run. Readers of single formats add rows;
 * what rows mean is decided by ingest/table/table_read.h for all of them. Texts are read line by
 * line and word by word. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/memory.h"
#include "ingest/reader.h"

enum bench_fact {
	BENCH_START,
	BENCH_HOST,
	BENCH_MACHINE,
	BENCH_COMMIT,
	BENCH_BRANCH,
	BENCH_DEVICE_MODEL,
	BENCH_DRIVER,
	BENCH_FRAMEWORK,
	BENCH_FACTS
};

struct bench_facts {
	const char *of[BENCH_FACTS]; /* NULL: not said */
};

/* Texts are the file's as people may see them (bench_visible), and live in the arena. */
struct bench_row {
	const char *run; /* NULL: the file is one */
	int64_t step;
	const char *benchmark, *measure;
	const char *value; /* a number as written; NULL: not measured */
	const char *unit;  /* as written; NULL: the measure has none */
};

struct bench {
	struct arena *arena;
	struct profile *out;
	const struct read_options *opt;
	struct input *in;
	struct bench_facts facts; /* of the rows that are added next */
	bool repeats;		  /* runs are repetitions of one process */
	const char *prefix;	  /* of names of shapes; NULL: none */
	size_t index, count;	  /* of the values of a file of JSON, and which one is read */
	struct intern *names;
	struct vec seen; /* size_t: of each name, how often it came */
	struct vec row;
	struct text scratch;
};

/* Reads the input into `out`: `fill` adds the rows. Without a row that is measured it is an error.
 */
int bench_read(struct input *in, struct profile *out, const struct read_options *opt,
	int (*fill)(struct bench *b, struct error *err), struct error *err);

#define BENCH_JSON ((const char *const[]){".json", NULL}) /* suffixes of readers */

/* Adds a row; ERROR_LIMIT past the cap of observations. Without a value the benchmark is one that
 * was not measured in that run. */
int bench_add(struct bench *b, const struct bench_row *row, struct error *err);
/* The same for a step that may come again (a training that went on from an older state): the first
 * value is kept, the others are counted. */
int bench_add_once(struct bench *b, const struct bench_row *row, struct error *err);
/* Sets the fact that a file has under this name, in its own words ("date", "git_sha", "hostname");
 * other names are left alone. */
void bench_set_fact(struct bench *b, const char *name, const char *value);
/* Says that the benchmark was skipped or failed: its rows have no value. */
void bench_not_measured(struct bench *b, const char *benchmark, const char *why);
/* Says that values of a kind that is not read were left out. */
void bench_left_out(struct bench *b, const char *code, const char *what, const char *example);

/* The bytes as a text of the arena that may be shown and looks the same in tables. */
const char *bench_visible(struct bench *b, const char *bytes, size_t size);
/* The name of run `index` (from 0). Where all rows are of the first, the file is one. */
const char *bench_run(struct bench *b, size_t index);
/* How often the name has come before. */
size_t bench_times_seen(struct bench *b, const char *name);
/* The name, or "NAME (2nd)" when it has come before. */
const char *bench_distinct(struct bench *b, const char *name);

/* The unit of a time in the tools' words ("ns/op", "second", "ms/iter"), or the word itself. */
const char *bench_unit(struct bench *b, const char *word);
/* A word of a file as the unit of a measure, which has no blanks, commas, brackets and colons. */
const char *bench_unit_word(struct bench *b, const char *word);
/* The name of the measure of a value with such a unit: "time", "memory", or made of the unit. */
const char *bench_measure(struct bench *b, const char *word);
/* "req_per_s" of "req/s". */
const char *bench_unit_name(struct bench *b, const char *word);

/* True if 10 of the requests lie beyond the percentile, or their number is not known (0). Else it
 * is said that `what` is left out. */
bool bench_tail_is_known(struct bench *b, double percent, double requests, const char *what);

/* ---- lines and words of texts ---- */

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
