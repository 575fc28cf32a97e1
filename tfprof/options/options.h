/* Options of one command of tfprof: those of a typed line, with the defaults of the command line
 * program. It runs nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/text.h"

/* Quantities to choose, to order by and to set a minimum of. The numbers come first, in this
 * order. */
enum quantity {
	QUANTITY_BYTES,
	QUANTITY_PEAK_BYTES,
	QUANTITY_RESIDUAL_BYTES,
	QUANTITY_OUTPUT_BYTES,
	QUANTITY_MICROS,
	QUANTITY_ACCELERATOR_MICROS,
	QUANTITY_CPU_MICROS,
	QUANTITY_PARAMS,
	QUANTITY_FLOAT_OPS,
	QUANTITY_OCCURRENCE, /* run count */
	QUANTITY_DEFINITION, /* nodes; no select word of its own */
	QUANTITIES
};

enum select_word {
	SELECT_ACCELERATOR_MICROS, /* in alphabetical order, as they are kept and printed */
	SELECT_BYTES,
	SELECT_CPU_MICROS,
	SELECT_DEVICE,
	SELECT_FLOAT_OPS,
	SELECT_INPUT_SHAPES,
	SELECT_MICROS,
	SELECT_OCCURRENCE,
	SELECT_OP_TYPES,
	SELECT_OUTPUT_BYTES,
	SELECT_PARAMS,
	SELECT_PEAK_BYTES,
	SELECT_RESIDUAL_BYTES,
	SELECT_TENSOR_VALUE,
	SELECT_WORDS
};

/* Ours: words for the mean and the CV over several steps (micros_mean, micros_cv), by index; what
 * they mean is in tfprof/options/step_words.h. */
#define STEP_WORDS 18

enum tfprof_output {
	OUTPUT_STDOUT,
	OUTPUT_FILE,
	OUTPUT_TIMELINE,
	OUTPUT_PPROF,
	OUTPUT_NONE,
	OUTPUT_CSV, /* ours, from here on: tables */
	OUTPUT_JSON,
	OUTPUT_MD,
	OUTPUT_TXT
};

/* A list of regular expressions as typed. */
struct word_list {
	const char **word;
	size_t count;
};

struct tfprof_options {
	int64_t max_depth;
	int64_t min[QUANTITIES]; /* by quantity; those without an option stay 0 */
	/* -step: a number, any negative one is the average over a node's own steps. Ours: several
	 * steps, whose mean and CV are shown. */
	int64_t step;
	bool several_steps;
	struct {
		int64_t from, to; /* both included */
	} * step_range;
	size_t step_range_count;
	const char *order_by; /* as typed: "name", "bytes", ...; "" only by the API */
	struct word_list account_type, start_name, trim_name, show_name, hide_name;
	bool account_displayed_op_only;
	bool select[SELECT_WORDS];
	bool select_steps[STEP_WORDS];
	double min_steps[STEP_WORDS];	 /* 0: none; of a CV in percent */
	struct word_list unknown_select; /* words of the flag --select, which is not checked */
	enum tfprof_output output;
	/* key=value pairs of -output, added to by each parse as the original's map: sorted by
	 * key */
	struct {
		const char *key, *value;
	} * output_option;
	size_t output_option_count;
	bool advise_all;       /* ours: advise --all, with the checkers of steps */
	const char *proto_out; /* ours: file for the result message, or NULL */
};

/* True if a column is shown: micros brings both of its parts along. */
static inline bool tfprof_selects(const struct tfprof_options *options, enum select_word word)
{
	return options->select[word] ||
	       ((word == SELECT_ACCELERATOR_MICROS || word == SELECT_CPU_MICROS) &&
		       options->select[SELECT_MICROS]);
}

/* The select word of this name, or SELECT_WORDS. */
enum select_word select_find(const char *name, size_t n);
const char *select_name(enum select_word word);
/* All selected words, unknown ones too, in alphabetical order, once each; `word` has room for all.
 * Returns how many. */
size_t tfprof_selected_words(const struct tfprof_options *options, const char **word);
/* The quantity that an order_by word names: QUANTITIES for "name" and unknown ones. */
enum quantity quantity_of_order(const char *order_by);

/* Words by index, NULL past the last: for completion. */
const char *tfprof_option_name(size_t index); /* "-max_depth" */
const char *tfprof_select_name(size_t index); /* "bytes" */
const char *tfprof_order_name(size_t index);
const char *tfprof_command_name(size_t index); /* "scope"; after the commands the sets of options */

/* The defaults of the command line program; lists in the arena. */
void tfprof_options_init(struct tfprof_options *options, struct arena *arena);
const char *tfprof_output_file(
	const struct tfprof_options *options); /* value of outfile, or NULL */

enum tfprof_command {
	COMMAND_NONE, /* an empty line */
	COMMAND_SCOPE,
	COMMAND_GRAPH,
	COMMAND_OP,
	COMMAND_CODE,
	COMMAND_ADVISE,
	COMMAND_SET,
	COMMAND_HELP
};

enum tfprof_command tfprof_command_find(const char *name); /* COMMAND_NONE when there is none */

/* Parses a typed line (the part after the prompt). *options holds the session's options on entry
 * and those of this line on return. False: `message` is the status text after "E: " ("Invalid
 * argument: First string must be a valid command.") as the original prints it. */
bool tfprof_line_parse(const char *line, struct arena *arena, enum tfprof_command *command,
	struct tfprof_options *options, struct text *message);
/* "--all" or "-all", which `advise` accepts. */
bool tfprof_asks_all(const char *word);
/* Whole text is a decimal number in range; white space around it (no blanks) and a plus sign are
 * allowed. */
bool tfprof_integer_parse(const char *s, int64_t least, int64_t most, int64_t *out);
/* True, t, yes, y, 1, or false, f, no, n, 0, in any case. */
bool tfprof_bool_parse(const char *s, bool *out);
/* The words of -select without a check: unknown ones go into unknown_select. */
void tfprof_select_set(struct tfprof_options *options, const char *text, struct arena *arena);
/* One option word with the next word (NULL: none), for flags as well; *used_next says whether the
 * next word was used. */
bool tfprof_option_apply(struct tfprof_options *options, const char *word, const char *next,
	bool *used_next, struct arena *arena, struct text *message);
/* The list that an empty line prints, one option a line ("%-28s%s"). */
void tfprof_options_print(const struct tfprof_options *options, struct text *out);

/* ---- Lists of words separated by commas: splitting, quotes, printing. It does not know what
 * the words mean ---- */

/* Splits at commas; empty parts vanish. */
void word_list_split(struct word_list *list, const char *text, struct arena *arena);
/* The next word of a typed line, NULL after the last; only blanks separate. */
char *word_list_next(const char **line, struct arena *arena);
/* Without quote characters of both kinds at both ends; a text of quotes alone becomes empty. */
const char *word_list_strip_quotes(const char *text, struct arena *arena);

/* ---- Sets of options that have a name in TensorFlow's interface for programs, today's and that
 * of 2017, as commands of the scope view. It parses no line ---- */

/* Name of the set at `index`, or NULL past the last. */
const char *tfprof_preset_name(size_t index);
/* False when there is no set of this name. Sets every option that says what is shown; the step, the
 * output and the file of the message stay as they are. */
bool tfprof_preset_apply(struct tfprof_options *options, const char *name, struct arena *arena);

/* ---- The value of -output: TYPE or TYPE:key=value,key=value. It writes no output ---- */

/* Sets the type and adds to the keys; an empty text is stdout. False with the status text in
 * `message`. */
bool tfprof_output_parse(struct tfprof_options *options, const char *text, struct arena *arena,
	struct text *message);
void tfprof_output_print(const struct tfprof_options *options, struct text *out);
/* The writer of a type that is a table; NULL for the others. */
const char *tfprof_output_writer(enum tfprof_output type);
