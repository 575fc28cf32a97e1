/* The request of the user as values: the job, and what only the command line and its outputs need.
 * The option table fills it; it does nothing itself. */
#pragma once

#include "base/checksum.h"
#include "export/queries.h"
#include "pipeline/settings.h"
#include "writers/writer.h"
#include "timeline/merge/merge_files.h"

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum table_shape {
	SHAPE_DEFAULT,
	SHAPE_WIDE,
	SHAPE_LONG
}; /* wide for reports, long for observations */
enum layout { LAYOUT_TABLE, LAYOUT_NOTEBOOK, LAYOUT_FLAT };
/* As users write them, in the order of the enums, then NULL; after the layouts: as-printed. */
extern const char *const color_mode_words[], *const layout_words[];

/* Settings of `timeline`. */
struct timeline_settings {
	bool memory, no_dataflow;
	enum merge_clock clock;
	struct vec skip;  /* struct step_range */
	size_t max_bytes; /* 0: any */
};

/* Settings of `ab`; NULL and 0: not given. */
struct ab_settings {
	uint64_t seed;
	size_t max_runs;
	int64_t max_time_ps, time_limit_ps, cool_down_ps;
	const char *prepare, *cleanup, *cpu, *resume, *reads;
	const char *record; /* the folder of -o */
	/* As typed; NULL: not given. */
	const char *max_time_text, *max_runs_text, *until_text, *shell_text, *cool_down_text,
		*time_limit_text, *seed_text;
	bool no_shell, ignore_failure, until_rows;
};

/* Settings of `record`, `prune` and `tag`; NULL: not given. */
struct store_settings {
	const char *session, *status, *keep;
	const char *label, *tag; /* several are joined by ", " */
	bool remove_tag, dry_run;
};

struct settings {
	struct arena *arena;
	struct job_settings job;
	struct vec output;     /* const char *: -o FILE */
	struct vec rules_file; /* const char *: --rules=FILE; they are read already */
	struct vec note;       /* const char *: to be printed before the job */
	struct timeline_settings timeline;
	struct ab_settings ab;
	struct store_settings store;

	/* The command and the words behind it, as typed. */
	const char *command_name;
	char *const *word;
	int word_count;

	bool any_output; /* of the command: -o need not name a writer */
	const struct writer *to;
	enum table_shape shape;
	const char *table; /* --table; NULL: ops, and -o NAME/ all */
	bool sheet_values; /* sheets: values */
	bool csv_safe;
	bool decimal_comma; /* --csv=comma */
	enum layout layout;
	enum query_dialect queries; /* of export; QUERY_NONE: no SQL */
	size_t shard_bytes;
	bool gzip;
	bool events; /* also the table `events` */
	bool write;  /* sql may open other files */

	bool quiet, no_sync, explain_inputs, follow;
	struct text *screen; /* where what standard output gets is put instead; NULL: nowhere */
	enum color_mode color, bars;
	bool help, help_all;
	struct origin *origin; /* as long as the option table */
	const char *config;    /* configuration file in force, NULL: none */
	/* Its bytes, read once, so that everything read from it is from the same file. */
	const char *config_bytes;
	size_t config_size;
	char config_sha256[DIGEST_SIZE];
	/* --policy-from: the file that it replaces, and its bytes; NULL: none. */
	const char *replaced_config, *replaced_bytes;
	size_t replaced_size;
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

/* Whether -o names a folder: one that exists, or a name that ends in '/'. */
bool output_is_folder(const char *path);
/* Whether the name ends in '/'. A report is written to no other folder: "ops.csv" may be one by
 * mistake. */
bool output_ends_in_slash(const char *path);
