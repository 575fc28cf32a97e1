/* Reads leveldb's table format: keys in the order of their bytes with their values, in blocks with
 * checksums. Blocks are plain or packed with snappy (leveldb's doc/table_format.md). It knows
 * nothing of what the values mean. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"
#include "ingest/input/span_file.h"

struct sstable;

/* Valid until the next entry. */
struct sstable_entry {
	const unsigned char *key;
	size_t key_size;
	const unsigned char *value;
	size_t value_size;
};

/* Reads footer and index. `file` must outlive the table. `unchecked`: checksums are not compared,
 * for a fuzzer, whose inputs would all fail. NULL: ERROR_INPUT (damaged) or ERROR_LIMIT (a block of
 * more than 1 GiB). In the arena. */
struct sstable *sstable_open(
	const struct span_file *file, bool unchecked, struct arena *arena, struct error *err);

/* Called for an entry: 0 goes on, 1 is enough, -1 with *err stops. */
typedef int sstable_visit(void *context, const struct sstable_entry *entry, struct error *err);
/* Every entry in order; -1 when something is damaged (keys out of order too) or the visitor
 * failed. */
int sstable_each(
	const struct sstable *table, sstable_visit *visit, void *context, struct error *err);
/* The entry with this key, in `arena`: 1, or 0 when there is none. */
int sstable_find(const struct sstable *table, const void *key, size_t key_size, struct arena *arena,
	struct sstable_entry *out, struct error *err);

/* Order of keys by memcmp, the shorter first when the other begins with it. */
int sstable_compare(const void *a, size_t a_size, const void *b, size_t b_size);
