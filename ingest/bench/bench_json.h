/*
 * The walk over JSON files of benchmark tools: values by path, lists and
 * objects item by item. A file that is cut or damaged anywhere is an error,
 * since what is behind the place would lack.
 */
#ifndef STEPSTAT_INGEST_BENCH_BENCH_JSON_H
#define STEPSTAT_INGEST_BENCH_BENCH_JSON_H

#include "ingest/bench/bench.h"
#include "ingest/json/json_table.h"

/* A value and, of an object or a list, the walk over it. Of none, value.kind is
 * 0. */
struct bench_node {
	struct json_value key; /* of a member of an object */
	struct json_value value;
	struct json_walk inside;
};

struct bench_shape;

/* Adds the rows of one value of the input: most files have one, some a line a
 * run. `index` is its place, `count` their number. */
typedef int bench_each_fn(struct bench *b, const struct bench_node *root, size_t index,
	size_t count, struct error *err);

/* What the `read` of a reader does, where one function or one shape says all.
 */
int bench_read_json(struct input *in, struct profile *out, const struct read_options *opt,
	bench_each_fn *each, struct error *err);
int bench_read_shape(struct input *in, struct profile *out, const struct read_options *opt,
	const struct bench_shape *shape, struct error *err);

/* The value at "a.b.0.c", members of objects and items of lists (from 0). */
struct bench_node bench_at(const struct bench_node *of, const char *path);
/* The next item or member; `walk` begins as of->inside. */
bool bench_next(const struct bench_node *of, struct json_walk *walk, struct bench_node *out);
size_t bench_count(const struct bench_node *of);
bool bench_is(const struct bench_node *node, const char *text); /* a string */
bool bench_is_true(const struct bench_node *node);

/* The value as a text that may be shown; NULL: none, null, or a list or an
 * object. */
const char *bench_text(struct bench *b, const struct bench_node *node);
const char *bench_key(struct bench *b, const struct bench_node *member);
/* The text at a path. */
const char *bench_text_at(struct bench *b, const struct bench_node *of, const char *path);
/* The number as written, in quotes or not; NULL: none, null, NaN or without
 * end. What is no number is handed on: the table refuses it with its place. */
const char *bench_number(struct bench *b, const struct bench_node *node);

/* Sets the fact from the text at the path, where there is one. */
void bench_fact(
	struct bench *b, enum bench_fact fact, const struct bench_node *of, const char *path);

/* The beginning of a file, for probes: what is whole of it can be walked. */
struct bench_beginning {
	struct json_table table;
	struct bench_node root;
};

void bench_beginning_open(struct bench_beginning *begin, const struct probe *p);
void bench_beginning_close(struct bench_beginning *begin);

/* Where the values of a benchmark stand in its object, and what they mean. */
enum bench_each {
	BENCH_ONE,	     /* one value */
	BENCH_RUNS,	     /* a list: a run each */
	BENCH_STEPS,	     /* a list: a step each, of one run */
	BENCH_RUNS_OF_STEPS, /* a list of runs, each a list of steps */
};

struct bench_value {
	const char *path, *measure, *unit;
	enum bench_each each;
	const char *codes; /* path of a list beside it: of what is not 0 the value is
			      not measured */
};

/* Adds the values of a benchmark; without a value at the path nothing. *found,
 * unless NULL, says whether there was one. */
int bench_add_values(struct bench *b, const struct bench_node *item, const char *benchmark,
	const struct bench_value *value, bool *found, struct error *err);

#define BENCH_NAMES 3
#define BENCH_VALUES 6
#define BENCH_FACTS_AT 8

/* Where things stand in the files of a tool. Paths that are NULL end a list. */
struct bench_shape {
	const char *list; /* path of the list, or object, of benchmarks; "": the root */
	const char *name[BENCH_NAMES]; /* of an item: the first that is there; none:
					  its key */
	const char *failed;	       /* of an item: what it says when it was skipped or failed */
	/* Of those of one measure the first that is there. */
	struct bench_value value[BENCH_VALUES];
	const char *framework; /* the tool */
	struct {
		enum bench_fact fact;
		const char *path; /* of the root */
	} fact[BENCH_FACTS_AT];
	/* Adds what the table does not say; NULL: nothing. */
	int (*item)(struct bench *b, const struct bench_node *item, const char *benchmark,
		struct error *err);
};

/* Adds all benchmarks of a value with this shape. A name that comes again is
 * another benchmark. */
int bench_shape_read(struct bench *b, const struct bench_node *root,
	const struct bench_shape *shape, struct error *err);

#endif
