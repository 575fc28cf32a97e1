/* Tables for documents that hold everything, such as a spreadsheet: the inputs with the rules for
 * reading them, each run, the meaning of columns. They are added to report->extra; formats for
 * programs do not have them. */
#pragma once

#include "model/cube.h"
#include "report/report.h"

/* A line typed or read from a configuration; texts are as recorded. */
struct input_line {
	const char *what;  /* "input", "base", "option", "rule" ... */
	const char *name;  /* "--by", "include"; or NULL */
	const char *value; /* NULL: none */
	const char *from;  /* where it comes from: "command line", "stepstat.yaml:4:3"; or NULL */
};

/* The runs of one side. */
struct extra_side {
	const char *side; /* "base"; NULL: there are no sides */
	const struct cube *cube;
};

/* `inputs and rules`: the lines in their order. */
void extra_add_inputs(struct report *report, const struct input_line *line, size_t count);
/* `runs`: a row for each run of each side, of a job of several ranks for each recording. */
void extra_add_runs(struct report *report, const struct extra_side *side, size_t count);
/* The columns and rows of it, for a table without them. */
void extra_fill_runs(
	struct report *report, struct table *table, const struct extra_side *side, size_t count);
/* `checks`, where the report has any. */
void extra_add_checks(struct report *report);
/* `issues`, where the report lists issues and has no such table. */
void extra_add_issues(struct report *report);
/* `columns`: name, unit and meaning of each column of each table that is not for people alone. */
void extra_add_columns(struct report *report);

/* Meaning of the words in the names of columns: for `stepstat help COLUMN` and for documents that
 * explain their own columns. It knows no table of numbers. */

/* Meaning of a word of columns.def alone; NULL: it has none. Lines after the first are indented. */
const char *column_word(const char *word);
/* Meaning of such a word, of a statistic or of a percentile; NULL: it is none. */
const char *column_word_or_statistic(const char *word);
/* Adds the meaning of a column of a table in one line; nothing where it is not known. */
void column_about(const struct table *table, size_t column, struct text *out);
