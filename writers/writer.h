/*
 * The writer registry: one struct per output format, listed in writers.def, chosen by suffix or by
 * name. Writers know cells and columns, never statistics.
 */
#ifndef STEPSTAT_WRITERS_WRITER_H
#define STEPSTAT_WRITERS_WRITER_H

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
	bool holds_all;		     /* every table, whatever --table says */
	bool explains;		     /* the extra tables of the report, too */
	bool binary;		     /* nothing for a terminal */
	bool wants_page;	     /* it draws report->page where there is one */
	bool has_shapes;	     /* long_shape is for it */
	bool has_values;	     /* it shows the tables of single values (--sheets=values) */
	enum writer_content holds;
	int (*write)(const struct report *report, const struct writer_options *opt,
		struct outfile *out, struct error *err);
};

extern const struct writer *const writer_table[];
extern const size_t writer_count;

const struct writer *writer_find(const char *name, struct error *err);
/* Writer by the suffix of a path; ERROR_USAGE lists the known suffixes. */
const struct writer *writer_for_path(const char *path, struct error *err);

/*
 * Shared by the writers for people. `complete` as in the options: which rows are shown.
 * The unit of a column over the rows that are shown; its decimals; a cell as text ("6.21 ms",
 * "14.8%", "-"), harmless bytes only, without its mark.
 */
bool writer_row_shown(const struct row *row, bool complete);
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

/*
 * Shared by the writers for programs, which always show the rows that are in_files. The name of a
 * column ("time_mean_us", "op") is added to out. The key of its unit is "us", "bytes", "count",
 * "pct" or ""; what was asked for in column->unit comes first. A number in that unit is written to
 * out[NUMBER_TEXT_SIZE]: "" where it is undefined or no number.
 */
void writer_column_name(const struct column *column, struct text *out);
const char *writer_column_unit_key(const struct column *column);
const struct unit *writer_column_file_unit(const struct column *column);
const char *writer_file_number(const struct column *column, const struct cell *cell, char *out);
/* True for a column that, in the long shape, identifies the row (run, side, op, type), or one that
 * becomes a line of its own (it has a measure). Others (device, ran, steps, notes) are left out
 * there. */
bool writer_column_is_key(const struct column *column);
bool writer_column_is_value(const struct column *column);

#endif
