/* Inside the reader of tfprof's text: the legend line and single rows, as values; and the profile
 * that rows of reports become. It reads no files. For the reader and its tests. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/memory.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "model/measure.h"

/* Kinds of columns. The ones with numbers come first. */
enum tfprof_item {
	ITEM_PARAMS,
	ITEM_FLOAT_OPS,
	ITEM_REQUESTED,
	ITEM_PEAK,
	ITEM_RESIDUAL,
	ITEM_OUTPUT,
	ITEM_MICROS,
	ITEM_ACCELERATOR,
	ITEM_CPU,
	ITEM_NUMBERS, /* how many have numbers with a unit */
	ITEM_DEVICE = ITEM_NUMBERS,
	ITEM_TYPES,
	ITEM_OCCURRENCE,
	ITEM_SHAPES,
	ITEM_COUNT
};

/* The columns in their order: numbers, then text. */
struct tfprof_legend {
	enum tfprof_item number[ITEM_NUMBERS];
	size_t number_count;
	bool device, types, occurrence, shapes;
	bool given; /* there was a legend line; versions up to 1.2 have none, and text may follow */
};

/* A printed number. value is in base units: ps, bytes, 1. */
struct tfprof_number {
	bool known;	     /* not "--" */
	bool in_range;	     /* value fits */
	unsigned char scale; /* 0: exact; 1, 2, 3: printed to 0.01 of KB, MB; ms, sec; k, m, b */
	int64_t value;
};

struct tfprof_row {
	const char *name;
	size_t name_size;
	size_t depth; /* shown ancestors; the root has 0 */
	struct tfprof_number self[ITEM_NUMBERS], total[ITEM_NUMBERS]; /* of the legend's columns */
	struct tfprof_number runs, total_runs, defined, total_defined;
	const char *device, *types; /* not ended by a zero; NULL where there is none */
	size_t device_size, types_size;
};

const char *tfprof_item_name(enum tfprof_item item); /* of the measure: "requested" */
/* The step of the printed numbers of a column: "0.01 MB". */
const char *tfprof_scale_name(enum tfprof_item item, unsigned char scale);
/* Largest error of a printed number, in base units: half of its last digit. */
double tfprof_scale_error(enum tfprof_item item, unsigned char scale);

/* True if it is a legend line ("node name | ..."): *bad is then NULL, or the start of a column that
 * is not known or not in tfprof's order. */
bool tfprof_legend_parse(
	const char *line, size_t size, struct tfprof_legend *out, const char **bad);
/* The columns of versions without a legend, from their row of the root, whose units
 * distinguish them. False when they do not. */
bool tfprof_legend_guess(const char *line, size_t size, struct tfprof_legend *out);

/* Rows of the views that are trees ("name (self/total, ...)", indented) and of the op view
 * ("name   value (accumulated%, own%), ..."). False when the line does not fit the legend. kilobyte
 * 1024: x MB are 1024 x KB, as the old sheet had it; B and KB are not changed. */
bool tfprof_tree_row(const struct tfprof_legend *legend, const char *line, size_t size,
	int64_t kilobyte, struct tfprof_row *out);
bool tfprof_op_row(const struct tfprof_legend *legend, const char *line, size_t size,
	int64_t kilobyte, struct tfprof_row *out);

/* ---- rows as ops, totals and observations of a profile; what printing lost is counted ---- */

#define TFPROF_SCALES 4

/* A tree is the scope or the graph view, which look alike. */
enum tfprof_view { VIEW_UNKNOWN, VIEW_TREE, VIEW_OP, VIEW_CODE };

/* Number of rows that print a column to the digits of a scale, and the line of the first. */
struct tfprof_rounding {
	size_t rows, line;
};

/* A total of the root, and the least and the most that the rows below add up to. */
struct tfprof_sum {
	struct tfprof_number root;
	double least, most;
};

/* Target of rows: the ops, or the totals. */
struct tfprof_target {
	struct profile *profile;
	bool sums;	  /* these are the totals */
	size_t other_row; /* of "[other names]" in the current step, or SIZE_MAX */
	struct vec seen;  /* size_t: per op, the report in which it was last */
};

struct tfprof_table {
	const struct read_options *opt;
	const struct line_reader *lines; /* for places */
	struct tfprof_legend legend;	 /* of all reports */
	enum tfprof_view view;
	struct tfprof_target ops, totals;
	uint32_t step;	/* of the current report */
	size_t reports; /* begun */
	size_t rows;	/* that fit, the root too */
	size_t shown;	/* without the root */
	size_t own;	/* with values of their own */
	size_t not_own; /* with "--" in their place */
	size_t code;	/* that look like lines of code */
	bool graph_view, part;
	struct vec parent; /* const char *: names of the last rows, by depth from 1 */
	struct arena *scratch;
	struct tfprof_sum sum[ITEM_NUMBERS];
	struct tfprof_rounding rounding[ITEM_NUMBERS][TFPROF_SCALES];
};

void tfprof_table_init(struct tfprof_table *t, struct profile *out, const struct read_options *opt,
	const struct line_reader *lines);
void tfprof_table_release(struct tfprof_table *t);

void tfprof_table_issue(struct tfprof_table *t, enum issue_severity severity, const char *code,
	const char *text); /* with the line as its place */

/* A report of the legend and view of the first; the step's place in the profile. */
int tfprof_table_begin(struct tfprof_table *t, const struct step *step, struct error *err);
int tfprof_table_row(struct tfprof_table *t, const struct tfprof_row *row, struct error *err);
/* Reports, after the last row, values lost or assumed as issues, and moves the totals to the
 * profile. */
void tfprof_table_end(struct tfprof_table *t);
