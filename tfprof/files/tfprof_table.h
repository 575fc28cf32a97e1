/*
 * Inside the reader of tfprof's text: rows of reports become ops, totals and observations of a
 * profile, and what printing lost is counted. It reads no files.
 */
#ifndef STEPSTAT_TFPROF_FILES_TFPROF_TABLE_H
#define STEPSTAT_TFPROF_FILES_TFPROF_TABLE_H

#include "base/memory.h"
#include "ingest/input/text_lines.h"
#include "ingest/reader.h"
#include "tfprof/files/tfprof_text.h"

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

#endif
