/*
 * Runs on disk. A packed record is half a byte for each field, which says how it is written, and
 * then the bytes of the fields, lowest first. The half byte is 0 for the value 0, 1 to 8 for a
 * value of so many bytes, 9 for the value of the record before, 10 to 15 for a difference to it of
 * 1 to 6 bytes (folded: 0, -1, 1, -2, ...).
 */
#include "events/spill_run.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"

#define WRITE_BYTES ((size_t)128 << 10)
#define CODE_SAME 9
#define DELTA_BYTES_MOST 6

void spill_layout_init(struct spill_layout *layout, size_t record_bytes, const char *fields)
{
	size_t offset = 0, given = fields ? strlen(fields) : record_bytes / 8 - 2;

	assert(record_bytes >= 16 && record_bytes % 8 == 0 && given + 2 <= SPILL_FIELDS_MOST);
	memset(layout, 0, sizeof(*layout));
	layout->record_bytes = record_bytes;
	layout->fields = given + 2;
	layout->packed_most = (layout->fields + 1) / 2;
	for (size_t i = 0; i < layout->fields; i++) {
		size_t width = i >= 2 && fields ? (size_t)(fields[i - 2] - '0') : 8;

		assert(width == 1 || width == 2 || width == 4 || width == 8);
		offset += width;
		layout->field[i] = (struct spill_field){.width = (unsigned char)width,
			.end = (unsigned char)offset,
			.shift = (unsigned char)(64 - 8 * width)};
		layout->packed_most +=
			8; /* of narrow fields too: bytes read back are not trusted */
	}
	assert(offset == record_bytes);
}

/* Of a record in memory. The key is in front of it: eight bytes that end with the field can be
 * read.
 */
static inline uint64_t field_get(const unsigned char *record, const struct spill_field *field)
{
	uint64_t eight;

	memcpy(&eight, record + field->end - 8, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return eight >> field->shift;
#else
	return eight & UINT64_MAX >> field->shift;
#endif
}

static inline void field_set(unsigned char *at, unsigned width, uint64_t value)
{
	uint32_t four = (uint32_t)value;
	uint16_t two = (uint16_t)value;

	switch (width) {
	case 8:
		memcpy(at, &value, 8);
		break;
	case 4:
		memcpy(at, &four, 4);
		break;
	case 2:
		memcpy(at, &two, 2);
		break;
	default:
		*at = (unsigned char)value;
	}
}

static inline unsigned bytes_of(uint64_t value)
{
	return (unsigned)(71 - __builtin_clzll(value | 1)) / 8 - (value == 0);
}

/* Writes what `value` needs after `previous` and moves *to past it; returns the code. Without
 * branches, which no processor could foresee: a value 0 has no bytes, and one of the record before
 * is a difference without bytes. */
static inline unsigned field_pack(uint64_t value, uint64_t previous, unsigned char **to)
{
	const uint64_t difference = value - previous,
		       folded = difference << 1 ^ (0 - (difference >> 63));
	const unsigned plain_bytes = bytes_of(value), delta_bytes = bytes_of(folded);
	const bool as_delta = (delta_bytes < plain_bytes) & (delta_bytes <= DELTA_BYTES_MOST);
	const uint64_t stored = htole64(as_delta ? folded : value);
	const unsigned bytes = as_delta ? delta_bytes : plain_bytes;

	memcpy(*to, &stored, 8);
	*to += bytes;
	return bytes + (as_delta ? CODE_SAME : 0);
}

static inline uint64_t field_unpack(unsigned code, uint64_t previous, const unsigned char **from)
{
	static const uint64_t mask[] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff,
		0xffffffffffff, 0xffffffffffffff, UINT64_MAX};
	const bool is_plain = code < CODE_SAME;
	const unsigned bytes = is_plain ? code : code - CODE_SAME;
	uint64_t stored;

	memcpy(&stored, *from, 8);
	stored = le64toh(stored) & mask[bytes];
	*from += bytes;
	return is_plain ? stored : previous + (stored >> 1 ^ (0 - (stored & 1)));
}

/* Returns the number of bytes written. */
static inline size_t record_pack(const struct spill_layout *layout, uint64_t *previous,
	const unsigned char *record, unsigned char *to)
{
	unsigned char *code = to, *data = to + (layout->fields + 1) / 2;
	unsigned low = 0;

	for (size_t i = 0; i < layout->fields; i++) {
		const uint64_t value = field_get(record, &layout->field[i]);
		const unsigned c = field_pack(value, previous[i], &data);

		previous[i] = value;
		if (i % 2)
			*code++ = (unsigned char)(low | c << 4);
		low = c;
	}
	if (layout->fields % 2)
		*code = (unsigned char)low;
	return (size_t)(data - to);
}

/* Returns the number of bytes read. */
static inline size_t record_unpack(const struct spill_layout *layout, uint64_t *previous,
	unsigned char *record, const unsigned char *from)
{
	const unsigned char *code = from, *data = from + (layout->fields + 1) / 2;

	for (size_t i = 0; i < layout->fields; i++) {
		const struct spill_field *field = &layout->field[i];
		const unsigned c = i % 2 == 0 ? code[i / 2] & 15u : code[i / 2] >> 4;

		previous[i] = field_unpack(c, previous[i], &data) & UINT64_MAX >> field->shift;
		field_set(record + field->end - field->width, field->width, previous[i]);
	}
	return (size_t)(data - from);
}

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
		return error_hint(
			err, "allow more with --spill-limit, or read fewer files at once");
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

void spill_writer_init(
	struct spill_writer *w, const struct spill_layout *layout, struct spill_disk *disk)
{
	memset(w, 0, sizeof(*w));
	w->layout = layout;
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
	memset(w->previous, 0, sizeof(w->previous));
}

static int writer_flush(struct spill_writer *w, struct error *err)
{
	if (spill_file_write(w->disk, w->fd, w->offset, w->block, w->used, err))
		return -1;
	w->offset += w->used;
	w->used = 0;
	return 0;
}

int spill_writer_put(struct spill_writer *w, const unsigned char *record, struct error *err)
{
	if (WRITE_BYTES - w->used < w->layout->packed_most + SPILL_SLACK && writer_flush(w, err))
		return -1;
	w->used += record_pack(w->layout, w->previous, record, w->block + w->used);
	return 0;
}

int spill_writer_end(struct spill_writer *w, struct error *err)
{
	w->run.bytes = w->offset + w->used - w->run.offset;
	return writer_flush(w, err);
}

void spill_reader_start(struct spill_reader *r, struct spill_run run)
{
	r->offset = run.offset;
	r->end = run.offset + run.bytes;
	r->at = r->have = 0;
	memset(r->previous, 0, sizeof(r->previous));
	memset(r->record, 0, r->layout->record_bytes);
}

/* Moves the unread bytes to the front and reads on. */
static int reader_fill(struct spill_reader *r, struct error *err)
{
	memmove(r->block, r->block + r->at, r->have - r->at);
	r->have -= r->at;
	r->at = 0;
	if (r->offset < r->end) {
		const size_t room = r->block_bytes - SPILL_SLACK - r->have,
			     size = r->end - r->offset < room ? (size_t)(r->end - r->offset) : room;

		if (spill_file_read(r->disk, r->fd, r->offset, r->block + r->have, size, err))
			return -1;
		r->offset += size;
		r->have += size;
	}
	return 0;
}

int spill_reader_next(struct spill_reader *r, struct error *err)
{
	if (r->have - r->at < r->layout->packed_most && r->offset < r->end && reader_fill(r, err))
		return -1;
	if (r->at == r->have)
		return 0;
	r->at += record_unpack(r->layout, r->previous, r->record, r->block + r->at);
	/* Else these are not the bytes that were written. */
	return r->at > r->have ? spill_file_damaged(r->disk, err) : 1;
}
