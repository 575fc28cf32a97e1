/* The words after the program's name: `--name=value` flags, a command to run once. It reads no
 * file and prints nothing: what the original prints is added to texts. */
#pragma once

#include "tfprof/options/options.h"

/* The files that the flags name. */
struct tfprof_inputs {
	const char *profile_path, *graph_path, *op_log_path,
		*checkpoint_path; /* NULL or "": none */
	const char **run_meta_path;
	size_t run_meta_count;
};

struct tfprof_flags {
	struct tfprof_inputs inputs;
	struct tfprof_options options;
	const char *write_profile;   /* ours: the file that the model is written to as a profile;
					NULL: none */
	enum tfprof_command command; /* to run once; COMMAND_NONE: lines are typed */
};

/* The words that a program is called with. */
struct tfprof_command_line {
	const char *program;
	int count;
	char *const *word; /* those after the program's name */
};

/* Name of the flag at `index` ("profile_path"), those of minimums over several steps after the
 * others; NULL past the last. */
const char *tfprof_flag_name(size_t index);
/* Returns -1 when the program goes on, else the status it ends with. */
int tfprof_flags_parse(struct tfprof_flags *flags, const struct tfprof_command_line *line,
	struct arena *arena, struct text *out, struct text *messages);
/* Text that `help` prints. */
void tfprof_help_text(struct text *out);
