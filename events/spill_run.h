/*
 * Sorted runs of packed records in a temporary file: writing one after the other, reading each from
 * its start. Only for events/spill.c and, of the file,
 * events/eventlog_runs.c; it does not sort.
 */
#ifndef STEPSTAT_EVENTS_SPILL_RUN_H
#define STEPSTAT_EVENTS_SPILL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

#define SPILL_FIELDS_MOST 32
/* Packing may write, and unpacking read, this many bytes after a record. */
#define SPILL_SLACK 8

struct spill_field {
	unsigned char width, end; /* bytes; in the record */
	unsigned char shift;	  /* bits that it has less than 64 */
};

/* Where the fields of a record are; the key's two come first. */
struct spill_layout {
	size_t record_bytes;
	size_t fields;
	size_t packed_most; /* bytes of a packed record, without the slack */
	struct spill_field field[SPILL_FIELDS_MOST];
};

void spill_layout_init(struct spill_layout *layout, size_t record_bytes, const char *fields);

struct spill_key {
	uint64_t hi, lo;
};

static inline bool spill_key_before(const struct spill_key *a, const struct spill_key *b)
{
	return a->hi != b->hi ? a->hi < b->hi : a->lo < b->lo;
}

/* How much of the disk the file, or one file after the other, may use. */
struct spill_disk {
	const char *folder, *what;
	uint64_t now_bytes, most_bytes, max_bytes;
};

/* Opens a file that has no name. Returns the descriptor or -1. */
int spill_file_open(const struct spill_disk *disk, struct error *err);

/* Writes n bytes at the offset, within the limit of the disk; reads them back, exactly n. */
int spill_file_write(struct spill_disk *disk, int fd, uint64_t offset, const unsigned char *bytes,
	size_t n, struct error *err);
int spill_file_read(const struct spill_disk *disk, int fd, uint64_t offset, unsigned char *bytes,
	size_t n, struct error *err);
/* These are not the bytes that were written. Always -1. */
int spill_file_damaged(const struct spill_disk *disk, struct error *err);

struct spill_run {
	uint64_t offset, bytes;
};

/* Writes runs one after the other at the end of a file, in blocks. */
struct spill_writer {
	const struct spill_layout *layout;
	struct spill_disk *disk;
	int fd;
	uint64_t offset; /* of block[0] in the file */
	unsigned char *block;
	size_t used;
	uint64_t previous[SPILL_FIELDS_MOST]; /* the record before, zeros at the start of a run */
	struct spill_run run;		      /* the one being written */
};

void spill_writer_init(
	struct spill_writer *w, const struct spill_layout *layout, struct spill_disk *disk);
void spill_writer_release(struct spill_writer *w); /* does not close fd */
void spill_writer_begin(struct spill_writer *w);
int spill_writer_put(struct spill_writer *w, const unsigned char *record, struct error *err);
int spill_writer_end(struct spill_writer *w, struct error *err); /* w->run is complete then */

/* Reads one run. */
struct spill_reader {
	const struct spill_layout *layout;
	const struct spill_disk *disk;
	int fd;
	uint64_t offset, end; /* what of the file is still to be read */
	unsigned char *block; /* block_bytes of the caller's */
	size_t block_bytes, at, have;
	unsigned char *record;		      /* the current one; record_bytes of the caller's */
	uint64_t previous[SPILL_FIELDS_MOST]; /* its fields */
};

/* block_bytes is at least 2 * packed_most + SPILL_SLACK. */
void spill_reader_start(struct spill_reader *r, struct spill_run run);
/* 1: r->record is the next one; 0: the run is over. */
int spill_reader_next(struct spill_reader *r, struct error *err);

#endif
