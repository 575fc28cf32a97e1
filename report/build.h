/* Reports made from results: which rows and columns, in which order, with which words. Each
 * function returns a report in its own arena; writers turn it into text. Nothing here computes a
 * statistic. */
#pragma once

#include "analysis/calls.h"
#include "analysis/summary.h"
#include "report/report.h"

/* The last are columns of files: ends of the interval, codes of notes. */
enum sort_kind {
	SORT_STATISTIC,
	SORT_NAME,
	SORT_TYPE,
	SORT_DEVICE,
	SORT_RUN,
	SORT_RANK,
	SORT_STEPS,
	SORT_LOW,
	SORT_HIGH,
	SORT_NOTES,
};

struct job_ranks;

struct build_options {
	const char *label;		     /* what the user named: "profile_100", "runs/" */
	const char *row_noun, *row_nouns;    /* "op", "ops"; "type", "types"; "class", "classes" */
	const struct statistic_choice *stat; /* as the user chose, or the default columns */
	size_t stat_count;
	bool measure_given; /* the user chose the measures: their columns are never left out */
	bool stat_extra;    /* the last of stat is there only because rows are sorted by it */
	bool stat_given;    /* the user chose: every measure shows all of them, files too */
	enum sort_kind sort;
	size_t sort_measure; /* index in summary->options.measure */
	struct statistic_choice sort_stat;
	bool sort_given;  /* its column is always shown */
	bool whole_names; /* --names=full: in sentences, too */
	size_t top;	  /* rows on the screen; SIZE_MAX: all */
	double min_share; /* fraction; smaller rows go to [other] on the screen */
	const struct unit *time_unit, *bytes_unit; /* NULL: chosen by the writer */
	bool with_type;				   /* the type column (rows are ops) */
	bool with_calls;	   /* how often each row ran, on the screen and in files */
	bool rules_given;	   /* say how many ops they took */
	const char *warmup_option; /* the --warmup in force, for the notes */
	bool screen_only;	   /* no other rows and no data will be written */
	bool with_values;	   /* sheets: values: also each value of each step */
	bool rows_given;	   /* the user said what a row is */
	bool several;		   /* one of several comparisons with the same base */
	bool kind_chosen;	   /* --kind is given: do not propose it */
	/* Summary of the steps of the first kind alone, where sources name several; else NULL. */
	const struct summary *first_kind;
	const struct job_ranks *ranks; /* of a job of several ranks; else NULL */
};

struct report *report_new(const char *command);
void report_free(struct report *report);

/* The main report of one side. The summary must have `time` first where the source has it. With
 * calls, made of this summary, the same rows are over single executions; sort_stat and the stats
 * that are given must then be ones that calls_know. */
struct report *build_report(struct summary *summary, struct calls *calls, const struct cube *self,
	const struct build_options *opt);
/* The notebook's headerless sheet: rows in the order of tfprof's scope view, mean and CV of
 * requested KB, micros, accelerator and cpu. The summary must hold these four measures in this
 * order. */
struct report *build_notebook(struct summary *summary);

/* Building blocks, shared by the build_*.c files. */
void report_add_line(struct report *report, const char ***lines, size_t *count, const char *format,
	...) __attribute__((format(printf, 4, 5)));
#define report_heading(report, ...)                                                                \
	report_add_line(report, &(report)->heading, &(report)->heading_count, __VA_ARGS__)
#define report_answer(report, ...)                                                                 \
	report_add_line(report, &(report)->answer, &(report)->answer_count, __VA_ARGS__)
#define report_next(report, ...)                                                                   \
	do {                                                                                       \
		report_answer(report, __VA_ARGS__);                                                \
		(report)->next = (report)->answer_count;                                           \
	} while (0)
#define report_footer(report, ...)                                                                 \
	report_add_line(report, &(report)->footer, &(report)->footer_count, __VA_ARGS__)
void report_note(struct report *report, const char *mark, const char *option, const char *format,
	...) __attribute__((format(printf, 4, 5)));
/* Adds the check with the format as its message; its other texts are not copied. */
void report_check(struct report *report, const struct check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets the result of the gate: from here on the report has a result. */
void report_result(struct report *report, int exit_status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The file that set policies and settings, in the heading and for the writers. */
void report_policy(struct report *report, const char *path, const char *sha256);
struct column *report_add_column(struct report *report, struct table *table); /* before any row */
/* Columns as given, with their name as title where they have none and 15 digits where they have
 * none. Each gets its place in the list as index. make: NULL where rows are added as cells. */
void report_add_columns(struct report *report, struct table *table,
	struct cell (*make)(const struct column *, const void *), const struct column *column,
	size_t count);
/* The unit that the user asked for; NULL: none. */
const struct unit *unit_given(const struct build_options *opt, enum dimension dimension);
/* Sets it for all columns of times and bytes. */
void report_give_units(struct table *table, const struct build_options *opt);
/* Columns by their names, "run step:n mean:v", in the units of opt: texts, or after a colon s names
 * of rows, n counts, c counts with decimals, t times, b bytes, f fractions, x numbers without a
 * unit, v values of `dimension`. Returns the table. */
struct table *report_spell_columns(struct report *report, struct table *table,
	const struct build_options *opt, enum dimension dimension, const char *columns);
/* A column of text, named and titled `name`. */
struct column *report_text_column(struct report *report, struct table *table, const char *name);
struct row *report_add_row(struct report *report, struct table *table); /* shown everywhere */
/* Definition of a column of numbers, for report_add_columns. */
#define NUMBER_COLUMN(name, of_dimension, with_decimals)                                           \
	{                                                                                          \
		.stat = name, .dimension = of_dimension, .decimals = with_decimals,                \
		.align = ALIGN_RIGHT                                                               \
	}
/* A row of these cells, one for each column of the table, in their order. */
struct row *report_add_cells(struct report *report, struct table *table, const struct cell *cell);
/* Takes out those of the columns from first to end of which no row has a cell. */
void table_drop_unknown(struct table *table, size_t first, size_t end);
/* A row of which each column makes its own cell. */
struct row *report_make_row(struct report *report, struct table *table, const void *from);
struct cell cell_text(const char *text); /* NULL: none */
struct cell cell_integer(int64_t value);
struct cell cell_real(double value); /* NaN: none */
struct cell cell_blank(void);

/* Sets the losses of the report to those of all cubes; the first places name their files. */
void report_join_issues(struct report *report, const struct cube *const *cube, size_t count);
/* The note that rows of a table with one step a run may be benchmarks; none where --rows is given.
 */
void report_note_rows(
	struct report *report, const struct build_options *opt, const struct cube *cube);
/* True if no input states that it is a step (texts of tfprof without -step). */
bool steps_may_be_averages(const struct cube *cube);
/* Notes about such inputs. */
#define NOTE_STEP_UNKNOWN                                                                          \
	"texts of tfprof do not say their step: one made without -step is an average over "        \
	"steps, and their CV is not that between steps"
#define NOTE_AVERAGE "an average that tfprof made (-step -1) is one observation, without spread"
/* The number of each step of the cube, "3"; "3 (2nd)" where it is the second one of that number in
 * its run. */
const char **phrase_steps(struct arena *arena, const struct cube *cube);
/* The number of one step. */
const char *phrase_step(struct arena *arena, const struct cube *cube, size_t step);
/* "1 run x 90 steps (10..99)", "5 runs x 97 steps". */
const char *describe_steps(
	struct arena *arena, const struct cube *cube, const struct step_set *steps);
/* s made harmless (text_add_visible), in the arena. */
const char *phrase_visible(struct arena *arena, const char *s);
/* "run 3", "run1.json": a name that says that it is a run needs no word ("run") before it. With
 * "Run" it begins a sentence: "Run run1.json". */
const char *phrase_run(struct arena *arena, const char *word, const char *visible);
/* Name of a cause, short enough for a sentence. */
const char *phrase_cause(struct arena *arena, const char *name);
/* "/job:localhost/replica:0/task:0/device:gpu:0" is "gpu:0"; as recorded, not harmless. */
const char *phrase_device(const char *device);
/* Number of devices on which ops ran. */
size_t describe_device_count(const struct cube *cube);
/* "NVIDIA A100-PG509-200", "3 models of devices"; NULL: no file names one. */
const char *describe_models(struct arena *arena, const struct cube *cube);
/* "8", "nccl (2 files) and gloo (1 file)": the values that the files say, and what to add for each;
 * NULL: none. */
const char *describe_fact(struct arena *arena, const struct cube *cube, enum fact_id id);
/* "profile_100: TensorFlow profile, 1 run x 90 steps (10..99), 214 ops on cpu:0". */
const char *describe_inputs(struct arena *arena, const struct summary *summary,
	const struct cube *self, const struct build_options *opt);
/* "[204 other ops]": rows that are not shown, and ops that the rules left out, which are ops
 * whatever the rows are. */
const char *phrase_rest(
	struct arena *arena, const struct build_options *opt, size_t hidden, size_t dropped);
/* The noun of a row for a count: "op", "ops". */
const char *phrase_noun(const struct build_options *opt, size_t count);
/* "41.82 ms", "5.3 %": numbers inside sentences. */
const char *phrase_quantity(struct arena *arena, enum dimension dimension, double value);
/* " [41.31, 42.33]" in the unit that phrase_quantity gives `value`. */
const char *phrase_interval(
	struct arena *arena, enum dimension dimension, double value, double low, double high);
/* The short form of each group's name, as tables show it; equal to the whole ones where opt says
 * so. */
const char **report_group_names(
	struct arena *arena, const struct grouping *grouping, const struct build_options *opt);
/* The same with no more decimals than the value has: "1 us". */
const char *phrase_exact(struct arena *arena, enum dimension dimension, double value);
const char *phrase_percent(struct arena *arena, double fraction);
/* "41.82 -> 43.62 ms": both in one unit, that of the larger. */
const char *phrase_pair(struct arena *arena, enum dimension dimension, double base, double new);
/* "a, b and c", each made visible. */
const char *phrase_list(struct arena *arena, const char *const *word, size_t count);
