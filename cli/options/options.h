/* The option table, for the command line, the help and the man page. Words are matched exactly. */
#pragma once

#include "base/text.h"
#include "cli/options/settings.h"

enum option_group {
	GROUP_SELECT,
	GROUP_STEPS,
	GROUP_RUN,
	GROUP_SIDES,
	GROUP_DECIDE,
	GROUP_MEASURE,
	GROUP_SHOW,
	GROUP_OUTPUT,
	GROUP_INPUT,
	GROUP_COUNT
};

/* How an option's value is set; see options.def. */
enum option_kind {
	OPTION_HANDLER,
	OPTION_SWITCH,
	OPTION_WORD,
	OPTION_COUNT,
	OPTION_BYTES,
	OPTION_TIME,
	OPTION_PERCENT,
	OPTION_TEXT,
	OPTION_STEPS,
	OPTION_RULE,
	OPTION_EARLIER,
};

struct option_spec {
	const char *name;     /* "on_collision"; "o" is -o */
	const char *argument; /* "" for a switch, and where there are words */
	enum option_group group;
	const char
		*commands; /* letters of commands: "R": typed; "r": a key of stepstat.yaml only */
	const char *short_for; /* letters of the commands whose one-screen help has it */
	const char *standard;  /* default, "" when none */
	const char *help;

	enum option_kind kind;
	size_t at, bytes;	  /* the member of struct settings and its size */
	size_t typed_at;	  /* the member for the text as typed; 0: none */
	const char *const *words; /* NULL: any value */
	int64_t number;
	double above, below;
	int (*apply)(struct settings *settings, const char *value, struct error *err);
};

extern const struct option_spec option_table[];
extern const size_t option_count;
extern const char *const option_group_titles[GROUP_COUNT];

/* True if it can be typed after the command of this letter. */
bool option_is_typed(const struct option_spec *spec, char letter);
/* True if it is a key of stepstat.yaml for this command, and nothing that can be typed. */
bool option_is_key(const struct option_spec *spec, char letter);
/* "--" before what is typed after some command, "-" before one letter, "" before a key. */
const char *option_dashes(const struct option_spec *spec);
bool option_has_value(const struct option_spec *spec);
/* Adds what the help shows after "=": "sum|keep|error", "FILE". */
void option_add_argument(const struct option_spec *spec, struct text *out);
/* The name as it is typed, without dashes before it: "on-collision". */
char *option_dashed_name(const struct option_spec *spec, struct arena *arena);
/* Sets the option's value, which is in the settings' arena; NULL for a switch. */
int option_set_value(struct settings *settings, const struct option_spec *spec, const char *value,
	struct error *err);

/* The entry of this name (dashes as typed), or NULL. */
const struct option_spec *options_find(const char *name);
/* Adds " (also --per-rank, --per-run)": words of the option that are options by themselves, of one
 * command or of all (0). */
void options_add_spellings(const struct option_spec *spec, char letter, struct text *out);
/* Sets an option from a configuration file; `place` is for messages and for `stepstat config`. */
int options_set(struct settings *settings, char letter, const char *name, const char *value,
	const char *place, struct error *err);

/* Fills the settings from the words after the command; `letter` is the command's. */
int options_parse(struct settings *settings, char letter, const char *command, int argc,
	char *const *argv, struct error *err);
