/* The files that the paths of a command line name: folders are listed, duplicates removed, and all
 * are sorted as people sort names. It opens no file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/issue/issue.h"

#define FILES_MOST ((size_t)1000000)

/* A file that was named, or found in a folder. */
struct found_file {
	const char *path;  /* to open */
	const char *name;  /* shown: the path, or what stands for it */
	const char *group; /* folder it lies in, or NULL */
	bool named;	   /* also, or only, on the command line itself */
	bool is_stdin;
	size_t argument; /* place among the arguments */
	uint64_t size_bytes;
	dev_t device;
	ino_t inode;
	struct timespec modified, changed; /* of its bytes; also of its name and mode */
};

/* A file that was found in a folder and not read, with the reason, for --explain-inputs and the
 * notes. */
struct skipped_file {
	const char *path, *reason;
	const char *hint; /* what to do instead; NULL: not known */
	bool companion;
	bool broken; /* not whole: by name or content it is of a format, and it cannot be read so */
};

/* Fills both vectors (struct found_file, struct skipped_file), which are initialised here and
 * released by the caller, also after an error; texts are in the arena. Folders are gone through to
 * the bottom, hidden names left out; the same file named twice is there once. Natural order of
 * paths, whatever the order of arguments. */
int find_files(const char *const *paths, size_t count, struct arena *arena, struct vec *found,
	struct vec *skipped, struct error *err);

/* Adds those that are not whole to the issues, as the loss "not-whole". */
void skipped_report(struct issue_list *issues, const struct skipped_file *skipped, size_t count);

/* Gives standard input a name, and its place among the files by it. NULL: none. */
void find_name_stdin(struct vec *found, const char *name);
