/* Events that name others by an id: records of events of a device and the waits for them, and what
 * shares a number. They meet in a sorter of fixed memory, in whatever order they come. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

enum reference_kind {
	REFERENCE_RECORD, /* it is what waits name */
	REFERENCE_WAIT,	  /* it must not come before the record that it names */
	REFERENCE_SHARED, /* all of one id and group must have one op */
};

struct reference {
	uint64_t id, group; /* group: below 2^62; of REFERENCE_SHARED */
	int64_t time_ps;
	uint64_t offset; /* in the input, for messages */
	uint32_t op;
	enum reference_kind kind;
};

/* Number of references that break the rule of their kind, and the first of them by offset. */
struct broken_references {
	size_t waits, shared; /* shared: ids and groups */
	uint64_t first_wait, first_shared;
};

struct references;

/* The folder of a temporary file, which is at most so large; as in struct spill_options. */
struct references *references_new(const char *folder, uint64_t max_disk_bytes);
void references_free(struct references *references); /* NULL is fine */
int references_add(
	struct references *references, const struct reference *reference, struct error *err);
/* Finds the broken references; once, after the last one. Times agree within `tolerance_ps`. */
int references_check(struct references *references, int64_t tolerance_ps,
	struct broken_references *broken, struct error *err);
