/* XLSX workbooks: the file itself and its parts (xlsx_book.c), a table of a report as a sheet
 * (xlsx_table.c), charts beside it (xlsx_charts.c). For writer_xlsx.c. */
#pragma once

#include <stdbool.h>
#include <xlsxwriter.h>
#include "base/arena.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "report/report.h"

/* xlsx_book.c: a workbook that is being made: its formats, cells whose text is harmless and whose
 * numbers are numbers, the first error of the library, and what had to be left out. It knows no
 * report. Callers pass finite numbers; nothing is written for others. Rows and columns count from
 * 0. */

enum xlsx_style {
	XLSX_TEXT,
	XLSX_GENERAL, /* a number as the program shows it best */
	XLSX_PLAIN,   /* whole, without separators: numbers of steps */
	XLSX_LEVEL,   /* p and q: three decimals, "<0.001" below */
	XLSX_FIXED,   /* and the next XLSX_DECIMALS ones: with so many decimals */
	XLSX_HEADER = XLSX_FIXED + 5,
	XLSX_HEADER_NUMBER, /* over numbers */
	XLSX_TITLE,
	XLSX_STRONG,
	XLSX_LABEL, /* of a line */
	XLSX_WRAP,  /* sentences */
	XLSX_LINK,
	XLSX_STYLES
};

#define XLSX_DECIMALS_MOST 4

/* Limits of a sheet; tests have smaller ones. */
struct xlsx_limits {
	size_t rows, columns;
	size_t text; /* UTF-16 units of a cell */
};

extern const struct xlsx_limits xlsx_limits_usual;

struct xlsx_book {
	lxw_workbook *workbook;
	struct xlsx_limits limits;
	lxw_format *format[XLSX_STYLES][2]; /* the second: of a total */
	lxw_format *good, *bad, *odd;	    /* of verdicts */
	lxw_error failed;		    /* the first; LXW_NO_ERROR: none */
	size_t cut_texts, rounded_numbers;  /* for the summary */
	struct text said;		    /* further sentences for it, a line each */
	struct text scratch;
	int fd; /* of the memory where the file is made */
	struct text path;
	char folder[sizeof("/tmp/stepstat-XXXXXX")]; /* of the path; "": it is that of the memory */
};

/* ERROR_OUTPUT where the workbook cannot be made. Released by xlsx_book_write in every case. */
int xlsx_book_open(struct xlsx_book *book, const struct xlsx_limits *limits, struct outfile *out,
	struct error *err);
/* Makes the file and hands it to `out`. */
int xlsx_book_write(struct xlsx_book *book, struct outfile *out, struct error *err);

/* Remembers the first error. */
void xlsx_check(struct xlsx_book *book, lxw_error error);
/* A sheet of this name, which is legal and not there yet; NULL where that failed, which the
 * functions below accept. */
lxw_worksheet *xlsx_sheet(struct xlsx_book *book, const char *name);
lxw_format *xlsx_format(struct xlsx_book *book, enum xlsx_style style, bool total);

struct xlsx_place {
	lxw_worksheet *sheet;
	lxw_row_t row;
	lxw_col_t column;
	lxw_format *format; /* NULL: none */
};

/* Text as recorded: what no XML may hold is made visible, nothing runs, and what is too long is
 * cut, which the summary says. Returns its columns on a screen. */
size_t xlsx_text(struct xlsx_book *book, const struct xlsx_place *place, const char *text);
void xlsx_number(struct xlsx_book *book, const struct xlsx_place *place, double value);
/* "=A1+B1" with the number that it has. */
void xlsx_formula(
	struct xlsx_book *book, const struct xlsx_place *place, const char *formula, double value);
/* A link to the first cell of another sheet of ours, with its name. */
void xlsx_link(struct xlsx_book *book, const struct xlsx_place *place, const char *sheet);
void xlsx_width(struct xlsx_book *book, lxw_worksheet *sheet, lxw_col_t column, double width);
/* Columns of a group that is closed; the button that opens it stands above the one behind them. */
void xlsx_fold(struct xlsx_book *book, lxw_worksheet *sheet, lxw_col_t first, lxw_col_t last);

/* xlsx_table.c: a table of a report as a sheet: real numbers in the units of the files, a header
 * that stays, a filter, widths, colours, formulas where a reader may want to check the arithmetic.
 */

/* Place of a table, for charts. Its columns are those of the sheet from the first on. */
struct xlsx_written {
	const char *name; /* of the sheet; NULL: it is not there */
	const struct table *table;
	const size_t *row; /* of the table: those that are on the sheet, the first in line 1 */
	size_t rows, columns;
};

/* Writes the rows that are shown; below them those of `sums` that are no body (NULL: none), whose
 * columns are found by measure and statistic. Of a comparison the columns that answer come first,
 * the others are folded. Lists and numbers are in the arena. */
void xlsx_write_table(struct xlsx_book *book, const char *name, const struct table *table,
	const struct table *sums, bool complete, struct arena *arena, struct xlsx_written *out);

/* The number of a cell in the unit of its column, as files have it; NaN where there is none. */
double xlsx_cell_number(const struct column *column, const struct cell *cell);

/* xlsx_charts.c: the sheet of charts: the largest rows with their intervals, the steps of each run,
 * the ranks. Charts draw cells of the other sheets, or cells beside themselves that are copies of
 * those. */

struct xlsx_charts {
	struct xlsx_book *book;
	lxw_worksheet *sheet; /* "charts" */
	struct arena *arena;
	const char *row_noun; /* over the names of rows: "op", "type" */
	size_t count;	      /* charts so far */
	lxw_row_t row;	      /* where the next one stands */
	lxw_col_t beside;     /* the next free column for copies */
};

/* Each draws its chart where the sheets hold what it needs. */
void xlsx_chart_rows(struct xlsx_charts *charts, const struct xlsx_written *ops);
void xlsx_chart_changes(struct xlsx_charts *charts, const struct xlsx_written *compared);
void xlsx_chart_steps(struct xlsx_charts *charts, const struct xlsx_written *steps);
void xlsx_chart_ranks(struct xlsx_charts *charts, const struct xlsx_written *ranks);
