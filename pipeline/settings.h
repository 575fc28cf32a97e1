/* Settings of a job: its inputs, how they are read, which ops and steps are chosen, which numbers
 * are computed and which rows and columns a report of them has. The caller fills them (the command
 * line from its options, the library from its defaults); they do nothing themselves. */
#pragma once

#include "analysis/compare/comparison.h"
#include "analysis/steps.h"
#include "analysis/summary.h"
#include "base/arena.h"
#include "base/unit.h"
#include "base/memory.h"
#include "ingest/load.h"
#include "model/host_device.h"
#include "model/merge.h"
#include "analysis/select/grouping.h"
#include "analysis/select/rename.h"
#include "model/cube.h"

enum input_side { INPUT_PLAIN, INPUT_BASE, INPUT_NEW };
enum pair_mode { PAIR_NAME, PAIR_ORDER, PAIR_REGEX };

struct side;

/* Settings of a comparison. */
struct compare_settings {
	enum input_side side;	   /* where the next input goes */
	struct vec base, new_side; /* const char *: inputs */
	struct compare_options options;
	/* Texts as typed, for the policies of a gate; NULL when not given. */
	const char *margin_text, *alpha_text, *fail_on_text, *blind_text, *lost_text,
		*allow_loss_text, *first_text;
	const char *method_text; /* as typed; NULL: rounds are chosen by the order of the runs */
	enum pairing_mode match;
	enum pair_mode pair;
	const char *pair_pattern;	  /* PAIR_REGEX */
	const char *noise_path, *explain; /* NULL: none */
	const struct name_map *map;	  /* NULL: none */
	bool allow_mixed;
	double allow_loss; /* part that a side may have lost; the sides may differ by half of it */
	/* Sessions are the unit, each file of base is a run, and its files are those that base_from
	 * puts in the place of the words, once new is read; NULL: the words are. */
	bool by_sessions;
	int (*base_from)(
		void *context, const struct side *new_side, struct vec *base, struct error *err);
	void *base_context;
	bool self_test;
	int32_t today; /* days since 1970-01-01; INT32_MIN: the clock's */
};

struct progress_line;

/* Shows how far the reading is; `start` NULL: nothing is shown. start() may return NULL, which
 * stop() accepts. */
struct progress_display {
	struct progress_line *(*start)(struct progress *progress);
	void (*stop)(struct progress_line *line);
};

struct job_settings {
	struct arena *arena;
	struct vec input; /* const char *: files and folders in their order */

	struct rules *rules;
	bool rules_given;
	struct group_options group;
	bool value_total;
	bool of_selected;
	enum jitter_of jitter_of;

	struct vec range; /* struct step_range */
	struct step_options steps;
	bool kind_chosen;
	const char *warmup_text; /* as typed, NULL when not given */
	enum step_time_kind step_time;
	enum rows_on on;
	enum rows_mode rows;
	bool skip_absent;
	enum runs_mode runs_mode;
	const char *runs_pattern;     /* RUNS_NAMED */
	const char *const *input_run; /* RUNS_INPUTS: a name for each input */
	bool per_run, per_rank;
	enum ranks_mode ranks_mode;
	const char *ranks_pattern; /* RANKS_NAMED */
	struct vec rank;	   /* const char *: those that count; none: all */
	enum rank_value rank_value;
	const char *rank_group_path; /* NULL: none */
	bool one_job;		     /* all inputs are of one run: what merge adds up */
	bool ranks_apart; /* each rank of a run is a run of its own: what export writes */

	struct derived_measure *derived; /* --measure=NAME=A/B; NULL: none */
	struct vec measure;		 /* enum measure_id */
	bool measures_given;
	const char *measures_option; /* the option that chose them, for messages */
	struct vec stat;	     /* struct statistic_choice */
	bool stats_given;
	bool stat_extra; /* the last of stat is there only because rows are sorted by it */
	struct sample_options sample;

	const char *sort_text; /* as typed, NULL when not given */
	bool sort_optional;    /* a comparison that does not know the column keeps its own order */
	size_t top;
	bool top_given;
	bool whole_names;
	double min_share;
	bool min_share_given;
	const struct unit *time_unit, *bytes_unit; /* NULL: one per column */
	struct compare_settings compare;

	bool as_printed;  /* values are first rounded as tfprof prints them */
	int64_t kilobyte; /* 1000 or 1024 */

	const struct reader *from; /* NULL: detected */
	struct facts facts;	   /* --fact: of all inputs, over what they say */
	const char *input_name;	   /* stands for the name of standard input; NULL: none */
	struct read_options read;
	const char *graph_path, *op_log_path; /* NULL: none */
	struct vec capture;		      /* const char *: --graph=capture: */
	size_t jobs;			      /* threads that read */
	bool strict;			      /* losses in the input are errors */
	struct progress_display display;
	struct profile_cache *cache; /* of what was read before; NULL: none */
};

/* Sets the defaults. The arena must outlive the settings; their vectors and rules are released with
 * it. */
void job_settings_init(struct job_settings *settings, struct arena *arena);
int job_settings_add_input(struct job_settings *settings, const char *path, struct error *err);

/* Ratios of two measures, as the user asks for them (--measure=NAME=A/B): a further measure of each
 * row that has both. Ratios of sums or means are none of these. */

struct derived_measure {
	const char *name, *above, *below; /* names of measures */
	struct derived_measure *next;
};

/* Splits "NAME=A/B" in place; ERROR_USAGE where it is not that. */
int derived_measure_parse(char *text, struct derived_measure *out, struct error *err);
/* Adds them all to the cube. The unit is that of A where B is a plain number, none where both have
 * one unit, else A/B; better is what makes A better and B worse; --measure goes before both.
 * ERROR_USAGE where the inputs have no A or B. */
int cube_derive(struct cube *cube, const struct derived_measure *derived, struct error *err);

/* The rows of a job's ops for readers, which ask for them on several threads while they read. */

struct row_namer;

/* Namer in the arena; the settings outlive it. NULL: the settings make a row of each op, or rows
 * that are not known while a trace is read (those of devices). */
struct row_namer *row_namer_new(const struct job_settings *settings, struct arena *arena);
/* Function for trace_options.row_of: the row in the arena, NULL: that of the op alone. Patterns
 * that cannot be matched are an error where rows are made. */
const char *row_namer_row(void *namer, const char *name, const char *type, struct arena *arena);

/* Limits of ranks that are added up already: options about the values of single ranks are
 * rejected. */

/* ERROR_INPUT when a profile stands for several ranks and the settings ask for single ones. */
int part_limits_check(
	const struct job_settings *settings, const struct loaded *loaded, struct error *err);
