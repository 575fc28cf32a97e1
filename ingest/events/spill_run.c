/*
 * Runs on disk, of packed words (ingest/events/packed_words.h).
 */
#include "ingest/events/spill_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"

#define WRITE_BYTES ((size_t)128 << 10)

static int file_fail(const struct spill_disk *disk, const char *doing, struct error *err)
{
	const char *word = strerror(errno);

	error_set(err, ERROR_OUTPUT, disk->folder,
		"cannot %s the temporary file in which %s are sorted: %s", doing, disk->what, word);
	return error_hint(err, "set TMPDIR to a folder that can be written and has room, or read "
			       "fewer files at once");
}

int spill_file_open(const struct spill_disk *disk, struct error *err)
{
	int fd = temporary_file(disk->folder);

	return fd >= 0 ? fd : file_fail(disk, "make", err);
}

int spill_file_damaged(const struct spill_disk *disk, struct error *err)
{
	errno = EIO;
	return file_fail(disk, "read back", err);
}

int spill_file_write(struct spill_disk *disk, int fd, uint64_t offset, const unsigned char *bytes,
	size_t n, struct error *err)
{
	if (n > disk->max_bytes || disk->now_bytes > disk->max_bytes - n) {
		error_set(err, ERROR_LIMIT, disk->folder,
			"more than %llu bytes of temporary disk to sort %s",
			(unsigned long long)disk->max_bytes, disk->what);
		return error_hint(err, "allow more with spill-limit in stepstat.yaml, or read "
				       "fewer files at once");
	}
	if (temporary_file_write(fd, bytes, n, offset) != 0)
		return file_fail(disk, "write", err);
	disk->now_bytes += n;
	if (disk->most_bytes < disk->now_bytes)
		disk->most_bytes = disk->now_bytes;
	return 0;
}

int spill_file_read(const struct spill_disk *disk, int fd, uint64_t offset, unsigned char *bytes,
	size_t n, struct error *err)
{
	return temporary_file_read(fd, bytes, n, offset) == 0 ? 0
							      : file_fail(disk, "read back", err);
}

void spill_writer_init(struct spill_writer *w, size_t words, struct spill_disk *disk)
{
	memset(w, 0, sizeof(*w));
	w->words = words;
	w->disk = disk;
	w->fd = -1;
	w->block = memory_alloc(WRITE_BYTES);
}

void spill_writer_release(struct spill_writer *w)
{
	memory_free(w->block);
}

void spill_writer_begin(struct spill_writer *w)
{
	w->run.offset = w->offset + w->used;
	w->run.bytes = 0;
	memset(w->before, 0, sizeof(w->before));
}

static int writer_flush(struct spill_writer *w, struct error *err)
{
	if (spill_file_write(w->disk, w->fd, w->offset, w->block, w->used, err))
		return -1;
	w->offset += w->used;
	w->used = 0;
	return 0;
}

int spill_writer_put(struct spill_writer *w, const void *record, struct error *err)
{
	if (WRITE_BYTES - w->used < packed_most(w->words) + PACKED_SLACK && writer_flush(w, err))
		return -1;
	w->used += pack_words(w->words, w->before, record, w->block + w->used);
	return 0;
}

int spill_writer_end(struct spill_writer *w, struct error *err)
{
	w->run.bytes = w->offset + w->used - w->run.offset;
	return writer_flush(w, err);
}

/* Record before the first of a run. */
static const uint64_t zeros[PACKED_WORDS_MOST];

void spill_reader_start(struct spill_reader *r, struct spill_run run)
{
	r->offset = run.offset;
	r->end = run.offset + run.bytes;
	r->at = r->have = 0;
	r->base = (const unsigned char *)zeros;
}

int spill_reader_fill(struct spill_reader *r, struct error *err)
{
	memmove(r->block, r->block + r->at, r->have - r->at);
	r->have -= r->at;
	r->at = 0;
	if (r->offset < r->end) {
		const size_t room = r->block_bytes - packed_most(r->words) - PACKED_SLACK - r->have,
			     size = r->end - r->offset < room ? (size_t)(r->end - r->offset) : room;

		if (spill_file_read(r->disk, r->fd, r->offset, r->block + r->have, size, err))
			return -1;
		r->offset += size;
		r->have += size;
	}
	return 0;
}
