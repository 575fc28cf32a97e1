/* Sorts any number of records of one size by a 128-bit key in memory of fixed size: in place while
 * they fit, else through sorted and packed runs in a temporary file without a name. It does not
 * know what a record means. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* A record begins with its key, `uint64_t hi, lo` in the machine's order, compared as unsigned
 * numbers, hi first (a signed value sorts when its sign bit is flipped). Equal keys keep the order
 * in which they were added. On disk each 8 bytes need as many as their difference, as a number, to
 * those of the record before, and half a byte more: records that resemble their neighbours become
 * small. So what often changes is in the low bytes of a word: the first ones on little-endian
 * machines. */
struct spill_options {
	size_t record_bytes;	 /* a multiple of 8, 16 to 128 */
	size_t buffer_bytes;	 /* for the records and the room to sort them (8 bytes per record);
				    unused pages are not touched. At least a few KB */
	size_t run_bytes;	 /* for packed runs before a file is made; 0: 128 KB */
	const char *folder;	 /* of the temporary file; NULL: "/tmp"; copied */
	uint64_t max_disk_bytes; /* at any time; 0: no file may be made */
	const char *what;	 /* plural, for messages: "events"; must outlive the sorter */
};

struct spill;

struct spill *spill_new(const struct spill_options *options);
void spill_free(struct spill *spill); /* NULL is fine; closes the file, which removes it */

/* Copies the record. -1: the file cannot be made or written (ERROR_OUTPUT with the folder and the
 * system's word), or max_disk_bytes would be passed (ERROR_LIMIT). Not after spill_sort. */
int spill_add(struct spill *spill, const void *record, struct error *err);
/* The same of a record with which others come that are in order, and are packed at once; equal keys
 * need not keep their order then. */
int spill_begin_run(struct spill *spill, const void *record, struct error *err);
/* No record is added after this. Errors as for spill_add. */
int spill_sort(struct spill *spill, struct error *err);
/* 1 and the next record in order, valid until the call after the next one; 0 at the end; -1: the
 * file cannot be read back. */
int spill_next(struct spill *spill, const void **record, struct error *err);
/* The next record is the first again. After spill_sort. */
void spill_rewind(struct spill *spill);
uint64_t spill_disk_bytes(const struct spill *spill); /* the most that was on disk at one time */
