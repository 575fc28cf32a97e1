/* A report as data: heading, answer, two typed tables, checks, notes. build_*.c decides rows, order
 * and wording; writers only turn cells into text. Nothing here knows statistics or where the
 * numbers came from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/unit.h"
#include "model/issue/issue.h"

enum cell_kind {
	CELL_NONE,  /* undefined or unknown: empty in CSV, "-" in tables, null in JSON */
	CELL_BLANK, /* nothing belongs here (the type of a total row): empty everywhere, null in
		       JSON */
	CELL_TEXT,
	CELL_INTEGER, /* base units, printed exactly in files when the unit divides it, else as a
			 real */
	CELL_REAL,    /* base units (ps, bytes, 1); fractions for DIMENSION_FRACTION */
	CELL_LIST,    /* of reals, in tables for JSON and pages alone */
};

struct cell_list {
	const double *value; /* NaN: none */
	size_t count;
};

struct cell {
	enum cell_kind kind;
	union {
		const char *text; /* as recorded, hostile bytes and all: writers make it harmless */
		int64_t integer;
		double real;
		const struct cell_list *list;
	};
	const char *mark; /* letters of notes ("a", "ab"), shown after the number in tables only; or
			     NULL */
};

enum column_align { ALIGN_LEFT, ALIGN_RIGHT };

struct column {
	const char *measure,
		*stat;	   /* "time", "mean"; stat alone for run, op, type... (measure NULL) */
	const char *title; /* over the column in tables for people */
	enum dimension dimension;
	const struct unit *unit; /* asked for by the user; NULL: tables choose one per column, files
				    use us and bytes */
	int digits; /* significant digits in files: 15, or 12 where a distribution was involved */
	/* in tables for people; -1: 2, or as many (to 4) as show the smallest value */
	int decimals;
	enum column_align align;
	int drop;	/* narrow terminals leave out the highest first; 0 stays */
	bool own_units; /* tables for people: each cell has the unit of its size */
	bool show_sign; /* tables for people: a plus before what is above 0 */
	bool shorten;	/* text may be cut in the middle on a terminal */
	bool wrap;	/* of the last column: text may go on in the next line of a terminal */
	/* The cell of this column in the row that is made from `from`; NULL: the builder fills
	 * it. */
	struct cell (*make)(const struct column *column, const void *from);
	const void *of; /* for `make` alone: what the column shows... */
	size_t index;	/* ... and of which measure or kind */
	/* names from the inputs: they are short everywhere for people (short_names.h) */
	bool names;
	bool bar;   /* worth a bar beside the number: rows of this column are compared */
	bool toned; /* it says what the tone of the row says */
};

/* Meaning of a row, or of a whole comparison, for its reader: colours and marks have no other
 * meaning. */
enum tone { TONE_PLAIN, TONE_WORSE, TONE_BETTER, TONE_OPEN };

/* A change with its interval and the margin that it is held against, as fractions. NaN: not known;
 * a margin that is not above 0 or not finite: none. */
struct band {
	double change, low, high, margin;
};

/* A row over the steps: which of the report's runs, and what report_steps.read needs. */
struct row_steps {
	size_t run_first, run_count;
	const void *of;
};

enum row_role { ROW_BODY, ROW_OTHER, ROW_TOTAL };

struct row {
	struct cell *cell; /* one per column */
	enum row_role role;
	bool on_screen;		/* in the short form that a terminal shows */
	bool in_files;		/* in the complete form of files and of --top=all */
	const char *short_name; /* of a body row: the short form of its name, as sentences have it;
				   or NULL */
	enum tone tone;
	const struct band *band;       /* of a comparison; or NULL */
	const struct row_steps *steps; /* of a report; or NULL */
};

struct table {
	const char *name; /* "ops" */
	struct column *column;
	size_t column_count;
	struct row *row;
	size_t row_count;
};

struct note {
	const char *mark; /* "a", or NULL for a note that belongs to no cell */
	const char *text;
	const char *option; /* the option that acts on it, or NULL */
	bool detail;	    /* only in the complete form (files, --top=all), and in JSON */
};

/* The kept steps, for strips and plots of rows. Values are read when a writer asks for them: rows
 * times steps may be more than memory holds. What `read` uses lives as long as the summary from
 * which the report was built. */
struct report_steps {
	size_t count;	       /* 0: rows have no steps */
	const int64_t *number; /* of each step */
	const size_t *first; /* run_count + 1: the steps of run r are first[r]..first[r + 1] - 1 */
	size_t run_count;
	/* One value and one mark for each step, of the first measure of the report, in base units;
	 * NaN: not known, not of the row's runs, or a step that does not count. False: none. */
	bool (*read)(const struct row_steps *steps, double *value, bool *outlier);
};

#define POLICY_DIGITS 12 /* of the digest that people are shown */

enum check_status {
	CHECK_PASSED,
	CHECK_FAILED,
	CHECK_UNDECIDED, /* neither shown to be there nor shown to be absent */
	CHECK_WAIVED,	 /* it would have failed, and somebody signed for it */
	CHECK_UNUSABLE,	 /* it could not have failed: not enough data, or a waiver that expired */
	CHECK_SKIPPED,	 /* it could not be judged, and nothing asks for that: why is the message */
};

/* Subject and result of a check of a gate. Texts from outside are as recorded, hostile bytes and
 * all. */
struct check {
	/* of the policy: "convolutions"; checks of one policy follow each other */
	const char *name;
	const char *subject; /* the op, "all ops", or NULL */
	const char *measure; /* "time", or NULL */
	enum check_status status;
	const char *verdict; /* "REGRESSED", or NULL */
	const char *message; /* one sentence, or NULL */
	bool of_step;	     /* about the step as a whole: the first of its kind to be shown */
	bool is_blind;	     /* a screen counts it in one note with the others */
};

struct web_page;

struct report {
	struct arena *arena;
	const char *command;  /* "report", "compare", "export", "ops" */
	const char **heading; /* what was read: "profile_100: TensorFlow profile, 1 run x 90 steps
				 (10..99), ..." */
	size_t heading_count;
	size_t side_count; /* of a comparison: lines that name what was read; those behind them are
			      its rules, which a screen shows below the table. 0: no line is */
	const char **answer; /* the sentences that answer, the most important first */
	size_t answer_count;
	size_t next;	 /* number of the one that says what to do next, from 1; 0: none does */
	bool has_cause;	 /* the first of them, or that behind a verdict, is a cause */
	bool is_verdict; /* the first of them says how a comparison ended, and this is its tone */
	enum tone tone;
	struct report_steps steps;
	struct table before;  /* for people, above the next; without columns: none */
	struct table display; /* for people: text, Markdown, HTML */
	struct table data;    /* for programs: CSV, JSON */
	struct table *more;   /* further tables, for all: "steps", "totals"... */
	size_t more_count;
	/* Tables for documents that hold everything alone (spreadsheet): "values", "checks",
	 * "runs", "inputs", "columns" ... */
	struct table *extra;
	size_t extra_count;
	/* Tables that pages draw, which JSON has, too: "parts", "series" */
	struct table *drawn;
	size_t drawn_count;
	bool headerless;     /* CSV without the header line (the notebook layout) */
	struct check *check; /* in the order in which they are shown */
	size_t check_count;
	bool has_result;	 /* it is of a gate: the next two are set */
	int exit_status;	 /* of the gate */
	const char *result;	 /* "red: 2 ops REGRESSED" */
	const char *policy_file; /* of the gate: the file that set its policies and settings; NULL:
				    none */
	const char *policy_sha256; /* of its bytes, 64 digits */
	struct note *note;
	size_t note_count;
	const char **footer; /* text on a terminal only: where to go next */
	size_t footer_count;
	/* of the inputs; JSON lists them, notes name the important ones */
	const struct issue_list *issues;
	const struct web_page *page; /* for writers that want it (struct writer); else NULL */
};

/* Number of the lines of the heading that a screen shows above the table. */
size_t report_headings_above(const struct report *report);
/* Answers that a screen or a page shows above the table, for each, in the report's arena: as many
 * as leave it with at most SCREEN_WORDS words there, in their order, the one that says what to do
 * next before those behind the verdict or the first cause. The others stand below the table.
 * Without a table all do. */
#define SCREEN_WORDS 60
bool *report_choose_answers(const struct report *report);
