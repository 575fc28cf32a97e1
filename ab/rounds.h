/* The loop of a session: rounds of runs until the question is answered or a limit is reached. */
#pragma once

#include "ab/record.h"

/* Called after each round that is complete; where the time is decided, `decided` says whether all
 * else is, too. */
struct ab_watcher {
	void (*round)(void *context, const struct ab_session *session, size_t round);
	bool (*decided)(void *context, const struct ab_session *session); /* NULL: it is */
	void *context;
};

/* Splits the commands into words, and takes the processors of the options where runs follow.
 * -1: ERROR_USAGE. */
int ab_prepare_commands(struct ab_session *session, bool runs_follow, struct error *err);
/* Measures the start of the shell, where a command needs one; a signal meanwhile ends the session
 * before its first run. */
int ab_measure_shell(struct ab_session *session, struct error *err);
/* Runs the commands; each run is in the record before the next begins. A command that fails or
 * cannot be started, a limit, a signal and a record that cannot be written are ends of the session,
 * no errors. */
void ab_run_rounds(
	struct ab_session *session, struct ab_record *record, const struct ab_watcher *watcher);
