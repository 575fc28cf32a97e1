/*
 * What the user asked for, as values. Filled by the option table; it does nothing itself.
 */
#ifndef STEPSTAT_CLI_SETTINGS_H
#define STEPSTAT_CLI_SETTINGS_H

#include "analysis/comparison.h"
#include "analysis/steps.h"
#include "analysis/summary.h"
#include "base/arena.h"
#include "base/digest.h"
#include "base/vec.h"
#include "ingest/load.h"
#include "model/merge.h"
#include "report/writer.h"
#include "select/grouping.h"
#include "timeline/merge_files.h"
#include "export/queries.h"

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum table_shape {
	SHAPE_DEFAULT,
	SHAPE_WIDE,
	SHAPE_LONG
}; /* wide for reports, long for observations */
enum layout { LAYOUT_TABLE, LAYOUT_NOTEBOOK, LAYOUT_FLAT };

enum input_side { INPUT_PLAIN, INPUT_BASE, INPUT_NEW };
enum pair_mode { PAIR_NAME, PAIR_ORDER, PAIR_REGEX };

/* Of `compare` and `gate`. */
struct compare_settings {
	enum input_side side;  /* where the next input goes */
	struct vec base, next; /* const char *: after --base, --new */
	struct compare_options options;
	/* As typed, for the policies of a gate; NULL when not given. */
	const char *margin_text, *alpha_text, *fail_on_text, *blind_text;
	enum pairing_mode match;
	enum pair_mode pair;
	const char *pair_pattern;	  /* PAIR_REGEX */
	const char *noise_path, *explain; /* NULL: none */
	bool allow_mixed;
	bool self_test;
	int32_t today; /* days since 1970-01-01; INT32_MIN: the clock's */
};

/* Of `timeline`. */
struct timeline_settings {
	bool memory, no_dataflow;
	enum merge_clock clock;
	struct vec skip;  /* struct step_range */
	size_t max_bytes; /* 0: any */
};

struct settings {
	struct arena *arena;
	struct vec input;      /* const char *: files and folders, in order of arguments */
	struct vec output;     /* const char *: -o FILE */
	struct vec rules_file; /* const char *: --rules=FILE, which are read by now */

	struct rules *rules;
	bool rules_given;
	struct group_options group;
	bool value_total;
	bool of_selected;

	struct vec range; /* struct step_range */
	struct step_options steps;
	bool kind_chosen;
	const char *warmup_text; /* as typed, NULL when not given */
	bool skip_absent;
	enum runs_mode runs_mode;
	const char *runs_pattern; /* of --runs=REGEX */
	bool per_run;

	struct vec measure; /* enum measure_id */
	bool measures_given;
	struct vec stat; /* struct statistic_choice */
	bool stats_given;
	struct sample_options sample;
	const char *sort_text; /* as typed */
	size_t top;
	bool stat_extra; /* the last of stat is there only because rows are sorted by it */
	bool top_given;
	bool whole_names; /* --names=full */
	double min_share;
	bool min_share_given;
	struct compare_settings compare;
	struct timeline_settings timeline;
	const struct unit *time_unit, *bytes_unit;

	bool any_output; /* the command's: -o need not name a writer */
	const struct writer *to;
	enum table_shape shape;
	const char *table; /* --table; NULL: ops, and -o NAME/ all */
	bool csv_safe;
	bool decimal_comma; /* --decimal=comma */
	enum layout layout;
	bool as_printed;
	enum query_dialect queries; /* of export; QUERY_NONE: no SQL */
	size_t shard_bytes;
	bool gzip;
	bool events;	  /* also the table `events` */
	bool write;	  /* sql may open other files */
	int64_t kilobyte; /* 1000 or 1024 */

	const struct reader *from;
	struct read_options read;
	const char *graph_path, *op_log_path; /* NULL: none */
	size_t jobs;			      /* files read at a time */
	bool strict, quiet, explain_inputs;
	enum color_mode color;
	bool help, help_all;
	struct origin *origin; /* as long as the option table */
	const char *config;    /* configuration file in force, NULL: none */
	/* Its bytes, read once, so that all that is taken from it is from the same file. */
	const char *config_bytes;
	size_t config_size;
	char config_sha256[DIGEST_SIZE];
};

/* Where a setting came from; per entry of the option table. */
struct origin {
	const char *value; /* as given, "yes" for a switch; NULL: the default holds */
	const char *place; /* "command line" or "stepstat.yaml:4:3" */
	bool from_file;
};

/* Defaults; the arena owns everything but the vectors, which are released with it. */
struct settings *settings_new(void);
void settings_free(struct settings *settings);
int settings_add_input(struct settings *settings, const char *path, struct error *err);

#endif
