/* Keeps the single executions of all traces of a job for percentiles: in memory of fixed size, then
 * in a temporary file, sorted by time when the first is asked for. */
#pragma once

#include <stddef.h>
#include "model/profile.h"

struct call_store_options {
	size_t buffer_bytes;	 /* 0: 24 MiB */
	const char *folder;	 /* of the temporary file; NULL: /tmp; copied */
	uint64_t max_disk_bytes; /* 0: no file may be made */
};

struct call_store;

struct call_store *call_store_new(const struct call_store_options *opt);
/* The store as what reads it; it is freed by its `free`. */
struct call_values *call_store_values(struct call_store *store);

/* A number for a further source. These two may be called by several threads at a time. */
uint32_t call_store_source(struct call_store *store);
/* Not after the first rewind. Errors as for spill_add. */
int call_store_add(struct call_store *store, const struct call_record *record, size_t count,
	struct error *err);
