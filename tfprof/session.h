/* A session of tfprof: a model, the options that last from line to line, and the result of one
 * line. It writes the files that an output names. The caller prints the texts for standard output
 * and standard error. */
#pragma once

#include "tfprof/options/options.h"
#include "tfprof/view/model.h"
#include "tfprof/view/view.h"

struct tfprof_session {
	struct tfprof_model *model;
	struct tfprof_options options;	  /* those of the flags and of `set` */
	struct arena *words;		  /* their words, as long as the session */
	const uint32_t *by_name;	  /* nodes in the order of their names; in words */
	const struct scope_names *scopes; /* for all scope views, from the first on; in words */
	bool failed;	 /* an output file could not be written: a message said so */
	bool code_built; /* the code view was built: its message was printed */
};

void tfprof_session_init(struct tfprof_session *session, struct tfprof_model *model,
	const struct tfprof_options *options);
void tfprof_session_release(struct tfprof_session *session);
/* One typed line without its end; false when it was refused. */
bool tfprof_session_line(
	struct tfprof_session *session, const char *line, struct text *out, struct text *messages);
/* One command with the session's options: what a word on the command line runs once. */
void tfprof_session_run(struct tfprof_session *session, enum tfprof_command command,
	const struct tfprof_options *options, struct text *out, struct text *messages);
/* The view that a command shows, in the arena, without any output; its scopes' names are the
 * session's. NULL: refused, and messages say why. */
struct view *tfprof_session_view(struct tfprof_session *session, enum tfprof_command command,
	const struct tfprof_options *options, struct arena *arena, struct text *messages);
