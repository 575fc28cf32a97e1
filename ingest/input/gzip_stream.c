/* Members one after the other, over a buffer of packed bytes. */
#include "ingest/input/gzip_stream.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "base/memory.h"

#define RAW_BYTES ((size_t)128 << 10)
#define PLACE_BYTES 512

bool gzip_magic(const unsigned char *bytes, size_t size)
{
	return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

void gzip_stream_init(
	struct gzip_stream *s, struct raw_file *file, const unsigned char *head, size_t size)
{
	memset(s, 0, sizeof(*s));
	s->file = file;
	s->gunzip = gunzip_new();
	s->raw = head;
	s->raw_end = size;
	if (file->fd >= 0) {
		s->raw_buffer = memory_alloc(size > RAW_BYTES ? size : RAW_BYTES);
		memcpy(s->raw_buffer, head, size);
		s->raw = s->raw_buffer;
	} else {
		s->raw_at_end = true;
	}
}

void gzip_stream_release(struct gzip_stream *s)
{
	gunzip_free(s->gunzip);
	memory_free(s->raw_buffer);
	memset(s, 0, sizeof(*s));
}

/* Reads more packed bytes after those in view. */
static int fill_raw(struct gzip_stream *s, struct error *err)
{
	size_t left = s->raw_end - s->raw_at, got = 0;

	if (s->raw_at_end)
		return 0;
	memmove(s->raw_buffer, s->raw_buffer + s->raw_at, left);
	s->raw_offset += s->raw_at;
	s->raw_at = 0;
	s->raw_end = left;
	if (raw_file_read(s->file, s->raw_buffer + left, RAW_BYTES - left, &got, err))
		return -1;
	s->raw_end += got;
	s->raw_at_end = got == 0;
	return 0;
}

/* Moves on after a member: to another one, padding of zeros (tapes), the end, or something else. */
static int next_member(struct gzip_stream *s, struct error *err)
{
	while (s->raw_end - s->raw_at < 2 && !s->raw_at_end)
		if (fill_raw(s, err))
			return -1;
	if (gzip_magic(s->raw + s->raw_at, s->raw_end - s->raw_at)) {
		gunzip_next(s->gunzip);
		return 0;
	}
	s->at_end = true;
	while (!s->garbage) {
		for (; s->raw_at < s->raw_end; s->raw_at++)
			if (s->raw[s->raw_at] != 0)
				s->garbage = true;
		if (s->raw_at_end || s->garbage)
			break;
		if (fill_raw(s, err))
			return -1;
	}
	return 0;
}

static int gzip_fail(const struct gzip_stream *s, struct error *err, const char *what)
{
	char place[PLACE_BYTES];

	error_place_offset(place, sizeof(place), s->file->path, s->raw_offset + s->raw_at);
	error_set(err, ERROR_INPUT, place, "%s", what);
	return error_hint(err, "test the file with gzip -t, copy or record it again");
}

/* One call of the unpacker, which reads or writes something, or fails. */
static int gzip_step(struct gzip_stream *s, unsigned char **to, size_t room, struct error *err)
{
	if (s->raw_at == s->raw_end && fill_raw(s, err))
		return -1;
	const unsigned char *from = s->raw + s->raw_at;
	const unsigned char *before = *to;
	enum gunzip_state state = gunzip_run(s->gunzip, &from, s->raw_end - s->raw_at, to, room);
	bool moved = *to != before || from != s->raw + s->raw_at;

	s->raw_at = (size_t)(from - s->raw);
	switch (state) {
	case GUNZIP_MEMBER_END:
		return next_member(s, err);
	case GUNZIP_CHECKSUM:
		return gzip_fail(s, err, "the gzip data are damaged: wrong checksum");
	case GUNZIP_DAMAGED:
		return gzip_fail(s, err, "the gzip data are damaged");
	case GUNZIP_GOES_ON:
		break;
	}
	if (moved || (s->raw_at == s->raw_end && !s->raw_at_end))
		return 0;
	return gzip_fail(s, err,
		s->raw_at == s->raw_end ? "the gzip data end too early"
					: "the gzip data are damaged");
}

int gzip_stream_read(
	struct gzip_stream *s, unsigned char *bytes, size_t size, size_t *got, struct error *err)
{
	unsigned char *to = bytes;
	int status = 0;

	while (status == 0 && to < bytes + size && !s->at_end)
		status = gzip_step(s, &to, size - (size_t)(to - bytes), err);
	*got = (size_t)(to - bytes);
	return status;
}

#define PIECE_BYTES ((size_t)64 << 10)

bool unzlib(const void *bytes, size_t size, size_t most, struct text *out)
{
	z_stream z;
	int state = Z_OK;

	text_clear(out);
	memset(&z, 0, sizeof(z));
	if (size > UINT_MAX || inflateInit(&z) != Z_OK)
		return false;
	z.next_in = (z_const Bytef *)bytes;
	z.avail_in = (uInt)size;
	while (state == Z_OK && out->size < most) {
		char *room = text_room(out, PIECE_BYTES);

		z.next_out = (Bytef *)room;
		z.avail_out = PIECE_BYTES;
		state = inflate(&z, Z_NO_FLUSH);
		text_extend(out, PIECE_BYTES - z.avail_out);
	}
	inflateEnd(&z);
	return state == Z_STREAM_END;
}

/* Reading with all its interruptions. A pipe may give nothing for hours: so that the thread that
 * reads it can be stopped, it waits for the pipe and for the word to stop at once. */

/* 0: there is something to read (or the end); -1: asked to stop. */
static int wait_for_bytes(const struct raw_file *file)
{
	struct pollfd wait[2] = {
		{.fd = file->break_fd, .events = POLLIN}, {.fd = file->fd, .events = POLLIN}};

	if (file->break_fd < 0)
		return 0;
	while (poll(wait, 2, -1) < 0)
		if (errno != EINTR)
			return 0; /* then read without waiting */
	return wait[0].revents ? -1 : 0;
}

int raw_file_read(struct raw_file *file, void *bytes, size_t size, size_t *got, struct error *err)
{
	ssize_t n;

	if (wait_for_bytes(file))
		return error_set(err, ERROR_INPUT, file->path, "reading was broken off");
	do
		n = read(file->fd, bytes, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set(
			err, ERROR_INPUT, file->path, "reading failed: %s", strerror(errno));
	*got = (size_t)n;
	_Atomic uint64_t *counter = file->counter;

	if (counter)
		atomic_fetch_add(counter, (uint64_t)n);
	return 0;
}
