/* The writer registry: one struct per output format, listed in writers.def, chosen by suffix or by
 * name. Writers know cells and columns, never statistics. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "report/report.h"

/* Strips of characters beside the numbers of a table, where there is room (text only). */
enum writer_bars { BARS_NONE, BARS_ASCII, BARS_BLOCKS };

struct writer_options {
	size_t width;  /* columns of the terminal; 0: as wide as needed */
	bool complete; /* all rows (files, --top=all) instead of the short form of the screen */
	bool fold; /* not complete: what the screen leaves out follows, folded (Markdown only) */
	bool long_shape;    /* --shape=long: CSV and JSON, one row per op, measure and statistic */
	bool csv_safe;	    /* names that a spreadsheet would run are made harmless */
	bool decimal_comma; /* CSV: numbers as 1,5 and ; between fields */
	bool whole_names;   /* --names=full: columns of names are not shortened */
	bool file;	    /* it is kept: it has whole names beside short ones */
	bool color;	    /* ANSI colours: bold heading, dim notes (text only) */
	enum writer_bars bars;
};

enum writer_content {
	WRITER_REPORT,
	WRITER_OBSERVATIONS, /* these and those below are of `stepstat export`, and have no write */
	WRITER_TABLES,
	WRITER_QUERIES,
};

struct writer {
	const char *name;	     /* value of --to */
	const char *summary;	     /* for `stepstat formats` */
	const char *const *suffixes; /* NULL-terminated: ".csv" */
	bool of_gate;		     /* it holds checks, which only `stepstat gate` has */
	bool without_notes;	     /* it leaves the notes of the report out */
	bool holds_all;		     /* further tables, whatever --table says */
	bool explains;		     /* the extra tables of the report, too */
	bool binary;		     /* nothing for a terminal */
	bool wants_page;	     /* it holds report->page where there is one */
	bool draws_sides;	     /* and the page of a comparison */
	bool has_shapes;	     /* long_shape is for it */
	bool has_values;	     /* it shows the tables of single values (sheets: values) */
	enum writer_content holds;
	int (*write)(const struct report *report, const struct writer_options *opt,
		struct outfile *out, struct error *err);
};

extern const struct writer *const writer_table[];
extern const size_t writer_count;

const struct writer *writer_find(const char *name, struct error *err);
/* Writer by the suffix of a path; ERROR_USAGE lists the known suffixes. */
const struct writer *writer_for_path(const char *path, struct error *err);

/* Shared by the writers for people. `complete` as in the options: which rows are shown.
 * The unit of a column over the rows that are shown; its decimals; a cell as text ("6.21 ms",
 * "14.8%", "-"), harmless bytes only, without its mark. */
bool writer_row_shown(const struct row *row, bool complete);
bool writer_cell_value(const struct cell *cell, double *value); /* false: no number */
const struct unit *writer_column_unit(const struct table *table, size_t column, bool complete);
int writer_column_decimals(
	const struct table *table, size_t column, const struct unit *unit, bool complete);
void writer_cell_text(const struct column *column, const struct unit *unit, int decimals,
	const struct cell *cell, struct text *out);
/* The short form of each body row's text in a column, at most `width` columns, in the arena; NULL
 * for other rows. All rows of the table count, so that a name has one form wherever it stands. */
void writer_short_names(const struct table *table, size_t column, size_t width, struct arena *arena,
	const char **cut);
/* True if the form of a name differs from the name, made harmless. */
bool writer_name_is_cut(const char *name, const char *cut);

/* Shared by the writers for programs, which always show the rows that are in_files. The name of a
 * column ("time_mean_us", "op") is added to out. The key of its unit is "us", "bytes", "count",
 * "pct" or ""; what was asked for in column->unit comes first. A number in that unit is written to
 * out[NUMBER_TEXT_SIZE]: "" where it is undefined or no number. */
void writer_column_name(const struct column *column, struct text *out);
const char *writer_column_unit_key(const struct column *column);
const struct unit *writer_column_file_unit(const struct column *column);
const char *writer_file_number(const struct column *column, const struct cell *cell, char *out);
/* A table as JSON by column, in base units with six digits, its columns named without unit:
 * {"rows":2,"op":["a","b"],"mean":[1,2]}. What is the same in all of several rows stands alone,
 * texts that come again are {"words":["a","b"],"at":[0,0,1,null]}; `tone` is there where a row has
 * one. */
void writer_json_columns(struct text *out, const struct table *table, struct arena *arena);
/* True for a column that, in the long shape, identifies the row (run, side, op, type), or one that
 * becomes a line of its own (it has a measure). Others (device, ran, steps, notes) are left out
 * there. */
bool writer_column_is_key(const struct column *column);
bool writer_column_is_value(const struct column *column);

/* ---- Parts that the writers of a gate's checks share: the order and the words of checks. It
 * knows no format and escapes nothing ---- */

/* Loudness of a check that did not pass. Red: it failed, or could not have failed. */
enum check_level { LEVEL_RED, LEVEL_UNDECIDED, LEVEL_WAIVED, LEVEL_COUNT };

struct listed_check {
	const struct check *check;
	enum check_level level;
};

/* The checks that did not pass, those that are blind only where asked for: those of the step first,
 * then the others by level; each in the order of the report. */
struct check_list {
	struct listed_check *item;
	size_t count;
	size_t of_level[LEVEL_COUNT]; /* how many */
};

void check_list_init(struct check_list *list, const struct report *report, bool blind);
void check_list_release(struct check_list *list);

const char *check_status_word(enum check_status status); /* "passed", "failed" ... */
/* The verdict, or the word of the status where there is none. */
const char *check_verdict(const struct check *check);
/* Adds "unit/conv time": what was looked at, as recorded; the policy where nothing was named. */
void check_add_subject(const struct check *check, struct text *out);
/* Adds "REGRESSED: unit/conv time (convolutions)", as recorded. */
void check_add_title(const struct check *check, struct text *out);

/* Level of a gate's exit status; LEVEL_COUNT: green. */
enum check_level check_exit_level(int exit_status);

/* Error for a format that has nothing but checks, when the report has no result. */
int check_need_result(const struct report *report, const char *format, struct error *err);

/* ---- One text field of a CSV line: made harmless, quoted where a reader would otherwise take
 * it for something else ---- */

/* `safe`: what a spreadsheet would run (= + - @ at the start) gets a single quote before it. */
void csv_field(struct text *line, const char *s, bool safe);
/* The same where fields are separated by `separator`. */
void csv_field_between(struct text *line, const char *s, bool safe, char separator);
