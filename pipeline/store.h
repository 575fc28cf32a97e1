/* A store: a plain folder with one file of observations for each recorded run, whose facts say
 * when, where and of what it was recorded. Files are named by start and contents, so that folders
 * merge by copying; there is no index, and no lock that outlives its process. It lists and chooses;
 * `record` writes. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "ingest/load.h"
#include "model/facts/facts.h"

#define STORE_NAME_SIZE 34 /* "20261128T034016Z-0123456789abcdef" and the end */

struct store_run {
	const char *path, *name; /* the name without the suffix */
	struct facts facts;
	int64_t start_ns;
	uint32_t session; /* as sessions_find() numbers them, in order of start */
};

struct store {
	const char *folder;
	struct store_run *run; /* in order of start, then of name */
	size_t count;
	struct skipped_file *unreadable; /* files with such a name that are no observations */
	size_t unreadable_count;
};

/* Keeps runs of a store for reasons that no selector says. */
struct store_filter {
	void (*keep)(void *context, struct store *store);
	void *context;
};

/* The name of a run that began then, by its contents. */
void store_name(char out[STORE_NAME_SIZE], int64_t start_ns, const void *bytes, size_t n);
/* "STORE:last=30": a pointer to the colon, or to the end where there is no such part. */
const char *store_selector(const char *text);
/* True if the folder, or that before a selector, holds recorded runs. */
bool store_is(const char *text);
/* Reads the facts of all runs, in the arena. ERROR_INPUT: it is no folder. */
int store_read(const char *folder, struct arena *arena, struct store *out, struct error *err);
/* The same of "STORE:last=30", with store_choose(). */
int store_open(const char *text, struct arena *arena, struct store *out, struct error *err);
/* Sessions of this machine; NULL: of all. */
size_t store_sessions(const struct store *store, const char *machine);
/* Locks the file of a run against other processes that change or remove it, until *fd is closed,
 * and reads its facts again. 0: it is gone. */
int store_lock(struct store_run *run, struct arena *arena, int *fd, struct error *err);
/* Keeps the runs that the selector says: items joined by a comma, of last=N, tag=NAME, commit=ID (a
 * prefix), branch=NAME, machine=NAME. A word without `=` is the name of a run, its beginning, a
 * tag, or a commit. `also` (NULL: nothing) keeps of those that these leave, and last=N is the last
 * to choose. ERROR_USAGE, or ERROR_INPUT where the items leave no run. */
int store_choose(struct store *store, const char *selector, const struct store_filter *also,
	struct arena *arena, struct error *err);

/* Inputs in which each "STORE:selector" stands for the files of its runs. */
struct store_inputs {
	const char **path;
	size_t count;
	struct skipped_file *unreadable; /* of these stores */
	size_t unreadable_count;
};
/* A text that is the name of a file is no selector. */
int store_expand(const char *const *text, size_t count, struct arena *arena,
	struct store_inputs *out, struct error *err);
/* Adds what could not be read to the files that were skipped, as of folders. loaded NULL: nothing
 * is. */
void store_inputs_skip(const struct store_inputs *inputs, struct loaded *loaded);
