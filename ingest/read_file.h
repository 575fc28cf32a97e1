/* One file, from its path to a profile or to the reason why there is none. Attempts share nothing,
 * so several threads read several files. load.c decides what a failed attempt means. */
#pragma once

#include "ingest/load.h"

enum attempt_state {
	ATTEMPT_READ,	 /* profile is set */
	ATTEMPT_REFUSED, /* no reader accepts it; err says why */
	ATTEMPT_FAILED,	 /* it cannot be opened, or it is broken; err says why */
};

struct attempt {
	const char *path;    /* given */
	const char *name;    /* given: stands for it, or NULL */
	bool is_stdin;	     /* given */
	const char *group;   /* given: folder, or NULL */
	bool named;	     /* given: named on the command line, not found in a folder */
	size_t argument;     /* given: place among the arguments */
	uint64_t size_bytes; /* given: of the file, 0 when unknown */
	enum attempt_state state;
	struct profile *profile;
	struct error err;
	bool is_text;	 /* by name and beginning it may be one that people write */
	bool is_foreign; /* failed, and it is a whole text of another kind */
	bool companion;	 /* refused, and known to lie beside profiles (a graph, a checkpoint) */
	bool cut;	 /* refused, though its name is that of a format: its bytes are not whole */
};

/* Reads all, with up to `jobs` threads; results do not depend on their number. */
void attempt_all(
	struct attempt *attempt, size_t count, size_t jobs, const struct load_options *opt);

/* True if a file of a folder that cannot be read has the name of a format. */
bool attempt_is_lost(const char *path);
/* Would a reader accept this file of a folder? Looks at the beginning only. If not, the file and
 * the reason are added to those that are skipped; NULL: to none. */
bool attempt_would_read(
	const char *path, const struct reader *from, struct arena *arena, struct vec *skipped);
