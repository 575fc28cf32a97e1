/* Runs one command and measures it: wall time, CPU time and peak memory of its processes. Nothing
 * of it is left running. It keeps no record and knows no sides. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ab/counters.h"
#include "ab/memory_group.h"
#include "base/arena.h"
#include "base/error.h"

/* In a command: the folder of the run. */
#define AB_OUT "{out}"
/* In its environment: the same. */
#define AB_OUT_VARIABLE "STEPSTAT_OUT"

struct command_line_words {
	char *const *word; /* for execvp, ends in NULL */
	bool by_shell;	   /* sh -c TEXT */
};

/* Words of the text for execvp: quotes and backslashes as sh has them; by the shell where anything
 * else means something to it, unless there is to be none (then ERROR_USAGE). */
int command_words(const char *text, bool no_shell, struct arena *arena,
	struct command_line_words *out, struct error *err);

struct command_request {
	const struct command_line_words *words;
	const char *run;		     /* value of STEPSTAT_RUN; NULL: unset */
	const char *folder;		     /* of AB_OUT, and value of STEPSTAT_OUT; NULL: unset */
	int output;			     /* descriptor for both outputs of the command */
	int64_t limit_ns;		     /* of its wall time; 0: none */
	const struct counted_event *counted; /* [COMMAND_COUNTS]; NULL: nothing is counted */
	const struct memory_group *group;    /* in which it runs; NULL: that of this process */
};

struct command_result {
	int64_t start_ns; /* since 1970 */
	int64_t wall_ns, user_ns, system_ns;
	int64_t peak_bytes;	       /* of the largest process; -1: below what can be seen */
	bool peak_of_tree;	       /* peak_bytes is of all processes of the group together */
	int64_t count[COMMAND_COUNTS]; /* of all processes; -1: not counted */
	int exit_status;	       /* -1: ended by the signal */
	int signal;
	bool timed_out;
	int interrupted; /* the signal that this process got meanwhile; 0: none */
	size_t left;	 /* processes that the command left running; they are ended */
};

/* Signals that command_run waits for are blocked between these two, and the process adopts what its
 * children leave. */
struct command_watch;
struct command_watch *command_watch_start(struct arena *arena);
/* A signal that came between two runs; 0: none. Waits for it at most so long. */
int command_watch_pause(const struct command_watch *watch, int64_t most_ns);
void command_watch_stop(struct command_watch *watch);

/* ERROR_INPUT where it cannot be started. */
int command_run(const struct command_watch *watch, const struct command_request *request,
	struct command_result *out, struct error *err);

int64_t clock_now_ns(void); /* CLOCK_MONOTONIC */
