/*
 * Sorted runs of packed records in a temporary file: writing one after the other, reading each from
 * its start. Only for ingest/events/spill.c and, of the file, ingest/events/eventlog_runs.c; it
 * does not sort.
 */
#ifndef STEPSTAT_INGEST_EVENTS_SPILL_RUN_H
#define STEPSTAT_INGEST_EVENTS_SPILL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "ingest/events/packed_words.h"

struct spill_key {
	uint64_t hi, lo;
};

static inline bool spill_key_before(const struct spill_key *a, const struct spill_key *b)
{
	return a->hi != b->hi ? a->hi < b->hi : a->lo < b->lo;
}

/* Part of the disk that the file, or one file after the other, may use. */
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
/* Error for bytes that are not those that were written. Always -1. */
int spill_file_damaged(const struct spill_disk *disk, struct error *err);

struct spill_run {
	uint64_t offset, bytes;
};

/* Writes runs one after the other at the end of a file, in blocks. */
struct spill_writer {
	size_t words; /* of a record */
	struct spill_disk *disk;
	int fd;
	uint64_t offset; /* of block[0] in the file */
	unsigned char *block;
	size_t used;
	uint64_t before[PACKED_WORDS_MOST]; /* the record before, zeros at the start of a run */
	struct spill_run run;		    /* the one being written */
};

void spill_writer_init(struct spill_writer *w, size_t words, struct spill_disk *disk);
void spill_writer_release(struct spill_writer *w); /* does not close fd */
void spill_writer_begin(struct spill_writer *w);
int spill_writer_put(struct spill_writer *w, const void *record, struct error *err);
int spill_writer_end(struct spill_writer *w, struct error *err); /* w->run is complete then */

/* Reads one run. */
struct spill_reader {
	size_t words;
	const struct spill_disk *disk;
	int fd;
	uint64_t offset, end; /* what of the file is still to be read */
	unsigned char *block; /* block_bytes of the caller's */
	size_t block_bytes, at, have;
	/* The current one, and the one before, which stays as it is until the next is read; the
	 * caller's. */
	unsigned char *record, *before;
	const unsigned char *base; /* what the next one is packed against */
};

/* block_bytes is at least 2 * packed_most(words) + PACKED_SLACK. */
void spill_reader_start(struct spill_reader *r, struct spill_run run);
/* Moves the unread bytes to the front of the block and reads on. */
int spill_reader_fill(struct spill_reader *r, struct error *err);

/* 1: r->record is the next one; 0: the run is over. */
static inline int spill_reader_next(struct spill_reader *r, struct error *err)
{
	if (r->have - r->at < packed_most(r->words) && r->offset < r->end &&
		spill_reader_fill(r, err))
		return -1;
	if (r->at == r->have)
		return 0;
	unsigned char *const next = r->before;

	r->at += unpack_words(r->words, r->base, next, r->block + r->at);
	r->before = r->record;
	r->base = r->record = next;
	if (r->at <= r->have)
		return 1;
	r->at = r->have; /* these are not the bytes that were written */
	return spill_file_damaged(r->disk, err);
}

#endif
