/* The walk over JSON files of benchmark tools: values by path, lists and objects item by item. A
 * file that is cut or damaged anywhere is an error, since what is behind the place would lack. */
#pragma once

#include "ingest/bench/bench.h"
#include "ingest/json/json_table.h"

/* A value and, of an object or a list, the walk over it. Of none, value.kind is 0. */
struct bench_node {
	struct json_value key; /* of a member of an object */
	struct json_value value;
	struct json_walk inside;
};

/* The `read` of readers whose source is a struct bench_shape. */
int bench_read_json(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err);

/* The value at "a.b.0.c", members of objects and items of lists (from 0). */
struct bench_node bench_at(const struct bench_node *of, const char *path);
/* The next item or member, behind which `of` moves. */
bool bench_next(struct bench_node *of, struct bench_node *out);
size_t bench_count(struct bench_node of);
/* The value at a path: a string; true. */
bool bench_is_at(const struct bench_node *of, const char *path, const char *text);
bool bench_is_true_at(const struct bench_node *of, const char *path);

/* The value as a text that may be shown; NULL: none, null, or a list or an object. */
const char *bench_text(struct bench *b, const struct bench_node *node);
const char *bench_key(struct bench *b, const struct bench_node *member);
/* The text at a path. */
const char *bench_text_at(struct bench *b, const struct bench_node *of, const char *path);
/* The number as written, in quotes or not; NULL: none, null, NaN or without end. What is no number
 * is handed on: the table refuses it with its place. */
const char *bench_number(struct bench *b, const struct bench_node *node);
/* The number of a value that is not in quotes; false: it is none, and *out stays. */
bool bench_real(const struct bench_node *node, double *out);

/* Sets the facts that members of the object name ("date", "commit", "gpu_name"). The root has this
 * done, and its members "context", "meta" and "metadata". */
void bench_facts_named(struct bench *b, const struct bench_node *of);
/* Sets the fact from the text at the path, where there is one; a start may be the end of it. */
void bench_fact(
	struct bench *b, enum bench_fact fact, const struct bench_node *of, const char *path);
/* Adds the row with the number; without one the benchmark was not measured, for that reason. */
int bench_add_node(struct bench *b, struct bench_row row, const struct bench_node *number,
	const char *why, struct error *err);

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
	const char *codes; /* path of a list beside it: of what is not 0 the value is not measured
			    */
};

/* Adds the values of a benchmark; without a value at the path nothing. *found, unless NULL, says
 * whether there was one. */
int bench_add_values(struct bench *b, const struct bench_node *item, const char *benchmark,
	const struct bench_value *value, bool *found, struct error *err);

#define BENCH_GROUPS 3
#define BENCH_NAMES 3
#define BENCH_VALUES 6
#define BENCH_FACTS_AT 8

/* Where things stand in the files of a tool. Paths that are NULL end a list. */
struct bench_shape {
	const char *framework; /* the tool */
	struct {
		enum bench_fact fact;
		const char *path; /* of the root */
	} fact[BENCH_FACTS_AT];
	bool repeats; /* runs are repetitions of one process */
	/* Adds the rows of one value of the input: most files have one, some a line a run (b->index
	 * of b->count). NULL: what follows says all. */
	int (*each)(struct bench *b, const struct bench_node *root, struct error *err);
	const char *group[BENCH_GROUPS]; /* paths of lists, each in an item of the one before */
	const char *group_name;		 /* of an item of the last of them; NULL: its key */
	const char *group_joint;	 /* between its name and that of a benchmark */
	const char *list; /* path of the list, or object, of benchmarks; "": the root */
	const char *name[BENCH_NAMES]; /* of an item: the first that is there; none: its key */
	/* Returns, of those of one measure, the first that is there. */
	struct bench_value value[BENCH_VALUES];
	/* Adds what the table does not say; NULL: nothing. */
	int (*item)(struct bench *b, const struct bench_node *item, const char *benchmark,
		struct error *err);
};
