/* The profiles of each file of some folders, for a program that looks at them again and again: a
 * file is read again when its size, times or inode are others. load.c fills it; it reads
 * nothing. */
#pragma once

#include "base/memory.h"
#include "ingest/find.h"
#include "model/profile.h"

struct profile_cache_options {
	/* True if it is an input at all. Otherwise it is as if it were not there. */
	bool (*is_input)(const void *context, const struct found_file *file);
	/* May it be read now? While it is being written what was read of it before stays. */
	bool (*is_whole)(const void *context, const struct found_file *file);
	const void *context;
};

/* A file, and what the last reading of it gave: profiles, or why it was skipped. */
struct cached_file {
	struct found_file as_read; /* path and name are the cache's; size, times and inode */
	bool known;		   /* it was read */
	struct profile **profile;
	size_t profile_count;
	char *reason; /* of a file without a profile */
	bool companion, broken;
	bool said; /* for the owner of the cache: it has told that the file is broken */
};

struct profile_cache {
	struct profile_cache_options options;
	struct cached_file *file; /* in the order of the files that were found last */
	size_t count;
	size_t profiles; /* of all files */
	size_t reads;	 /* files that were read, ever */
	bool changed;	 /* something that a report shows did: the caller clears it */
};

struct profile_cache *profile_cache_new(const struct profile_cache_options *options);
void profile_cache_free(struct profile_cache *cache); /* frees the profiles; NULL is fine */

/* The files that were found become those of the cache, in the same order; what is known of them
 * stays, others are forgotten, and what is no input is taken out of `found`. */
void profile_cache_list(struct profile_cache *cache, struct vec *found);
/* May file number i of those that were found be read, and is that worth while? */
bool profile_cache_wants(
	const struct profile_cache *cache, size_t i, const struct found_file *found);
/* True if it is still as it was found. Else what was read of it is to be thrown away. */
bool profile_cache_is_same(const struct profile_cache *cache, const struct found_file *found);
/* Replaces what is known of file i. The profiles are the cache's from now on. */
void profile_cache_put(struct profile_cache *cache, size_t i, const struct found_file *found,
	struct profile *const *profile, size_t count);
/* The same for a file without a profile. */
void profile_cache_put_skipped(struct profile_cache *cache, size_t i,
	const struct found_file *found, const struct skipped_file *skipped);
