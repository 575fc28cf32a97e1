/* Recordings of one process that follow each other (the windows of a schedule, rotated files) are
 * pieces of one run. Finds them by what their sources say of the process. */
#pragma once

#include "model/facts/facts.h"

/* A recording of one process. */
struct process_window {
	const struct facts *facts;
	const char *folder;
	const char *rank; /* NULL: not known */
	/* Times are in ns since 1970, or, where is_since_epoch is not set, since any point. */
	bool is_timed, is_since_epoch, is_numbered;
	int64_t start_ns, end_ns;
	int64_t first, last; /* numbers of steps */
	/* Set by windows_find(): the place of the recording that begins the run; its turn among
	 * all windows, which rises in a run; what says so, in words, or NULL. */
	size_t into, turn;
	const char *why;
};

/* Recordings that may or may not be windows of another one: those that begin runs, and those that
 * were taken for windows. */
struct window_doubts {
	size_t apart, joined;
};

struct window_doubts windows_find(struct process_window *window, size_t count, struct arena *arena);
