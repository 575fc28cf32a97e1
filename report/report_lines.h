/* The lines of a report of one side: the values of a row, the rest of the rows or the total for
 * each measure. Tables, columns and words are those of build_report.c. */
#pragma once

#include "analysis/calls.h"
#include "report/build.h"

/* Origin of a row: a group, in one part or in all of them. */
struct row_origin {
	size_t part, group;
};

#define ALL_PARTS SIZE_MAX

struct report_builder {
	struct summary *summary;
	struct calls *calls; /* of the same rows; NULL: the report is of steps */
	const struct cube *self;
	const struct build_options *opt;
	struct report *report;
	struct row_origin *origin; /* sorted; the parts of a group follow each other */
	size_t origin_count;
	bool *shown; /* per group: on the screen */
	struct statistic_choice *file_stat;
	size_t file_stat_count;
	const char **name; /* per group: the short form */
	const char **mark; /* per group: marks of the first measure's CV, or NULL */
};

/* Sources of the cells of a row. */
struct report_line {
	const struct report_builder *b;
	const char *label;
	const struct group *group; /* NULL: the rest or the total */
	size_t index;		   /* of the group */
	/* Summary and part of the line; the part of the rest or the total is NULL. */
	const struct summary *summary;
	const struct summary_part *part;
	size_t ran, steps;
	const struct summary_value *value; /* per measure; NULL: of calls */
	const struct call_value *call;	   /* per measure; NULL: of steps */
	const bool *shown; /* of the rest, per group: what is not in it; else NULL */
	bool only_jitter;  /* all other cells are blank */
};

const struct measure *measure_of(const struct report_builder *b, size_t m);
bool has_rows_of_ranks(const struct report_builder *b);
/* True if the values are those of several runs together. */
bool are_of_several_runs(const struct report_builder *b);

/* Line of a part of the summary, or of all of them (ALL_PARTS). */
struct report_line line_of(const struct report_builder *b, size_t part_index, size_t group);
struct report_line line_of_total(const struct report_builder *b);
/* Line of the rest of the total without the rows that are shown. */
struct report_line line_of_rest(
	const struct report_builder *b, const bool *shown, const char *label);
/* Line of the jitter of the step time that no op has. */
struct report_line line_of_not_in_ops(const struct report_builder *b);

/* CELL_ABSENT when not known. */
int64_t line_executions(const struct report_line *line);
/* NaN when undefined. */
double line_statistic(
	const struct report_line *line, size_t m, const struct statistic_choice *choice);
/* The codes of the column `notes`. */
const char *line_note_codes(const struct report_line *line);
