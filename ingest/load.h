/* From paths on the command line to profiles in memory: lists folders, opens, detects, reads. It
 * does not merge. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "ingest/find.h"
#include "ingest/profile_cache.h"
#include "ingest/reader.h"
#include "model/issue/issue.h"
#include "model/profile.h"

/* Counters of a long job: workers write them, and a display reads them. */
struct progress {
	_Atomic uint64_t bytes_done, bytes_total; /* of the files on disk, packed or not */
	_Atomic uint64_t files_done, files_total;
};

struct load_options {
	const struct reader *from; /* NULL: detect */
	struct read_options read;
	const char *input_name;	   /* stands for the name of standard input; NULL: none */
	size_t jobs;		   /* threads that read; 0 is 1 */
	bool call_values;	   /* with read.calls: each of them, where the source has them */
	struct progress *progress; /* counters to keep; NULL: none */
	/* Files that were read before are not read again unless they changed; profiles are the
	 * cache's. Then folders without a profile are no error, and a broken file in one is
	 * skipped. Not with call_values. NULL: none. */
	struct profile_cache *cache;
};

struct loaded {
	struct arena *arena;
	struct profile **profile; /* in natural order of paths, whatever the order of arguments */
	size_t count;
	struct skipped_file *skipped;
	size_t skipped_count;
	struct call_values *call_values; /* NULL: not asked for */
};

/* Files and folders (recursively, hidden names left out; a folder's files get profile->group = the
 * folder); the same file named twice is read once. A file named directly must be readable as a
 * profile: otherwise -1. A file in a folder that no reader accepts is skipped with its reason; one
 * that is of a format by its content or name and cannot be read is skipped as a loss. A folder
 * with nothing readable is an error that says what was found there. */
struct loaded *load_inputs(
	const char *const *paths, size_t count, const struct load_options *opt, struct error *err);
void loaded_free(struct loaded *loaded); /* frees the profiles too, but for those of a cache */
