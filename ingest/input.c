/*
 * The stream: a window of bytes over a file, a pipe or memory. Plain memory is its own window;
 * everything else is read, and inflated where it is gzip, into a buffer in front of the reader.
 */
#include "ingest/input.h"

#include <errno.h>
#include <stdatomic.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "base/memory.h"

#define BUFFER_BYTES ((size_t)256 << 10)
#define RAW_BYTES ((size_t)64 << 10)
#define PEEK_MOST ((size_t)1 << 20)
#define SEEK_LEAST ((size_t)128 << 10) /* fewer are read and thrown away */
#define PLACE_BYTES 512

struct input {
	char *path;		     /* for messages */
	int fd;			     /* -1: memory */
	uint64_t file_bytes;	     /* of a regular file, else 0 */
	const unsigned char *window; /* [at, end) is unread */
	size_t at, end;
	uint64_t window_offset; /* of window[0], in the unpacked data */
	unsigned char *buffer;	/* what window points to, unless it is memory */
	size_t buffer_bytes;
	unsigned char *big; /* for input_take of more than a peek */
	size_t big_bytes;
	bool at_end; /* nothing will come after the window */
	bool gzip, garbage;
	z_stream inflater;
	const unsigned char *raw; /* packed bytes: the memory, or raw_buffer */
	unsigned char *raw_buffer;
	size_t raw_at, raw_end;
	uint64_t raw_offset; /* of raw[0] in the file */
	bool raw_at_end;
	_Atomic uint64_t *counter; /* of bytes read, for progress; NULL: none */
};

/* Reads up to `size` bytes of the file; *got is 0 at its end only. */
static int read_file(
	const struct input *in, void *bytes, size_t size, size_t *got, struct error *err)
{
	ssize_t n;

	do
		n = read(in->fd, bytes, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set(err, ERROR_INPUT, in->path, "reading failed: %s", strerror(errno));
	*got = (size_t)n;
	if (in->counter)
		atomic_fetch_add(in->counter, (uint64_t)n);
	return 0;
}

void input_count(struct input *in, _Atomic uint64_t *bytes)
{
	in->counter = bytes;
}

static int fill_raw(struct input *in, struct error *err)
{
	size_t got = 0;

	in->raw_offset += in->raw_end;
	in->raw_at = in->raw_end = 0;
	if (in->fd >= 0 && !in->raw_at_end && read_file(in, in->raw_buffer, RAW_BYTES, &got, err))
		return -1;
	in->raw_end = got;
	if (got == 0)
		in->raw_at_end = true;
	return 0;
}

/* At least two raw bytes in view, or all there are. */
static int need_two(struct input *in, struct error *err)
{
	while (in->raw_end - in->raw_at < 2 && !in->raw_at_end) {
		size_t left = in->raw_end - in->raw_at, got = 0;

		if (in->fd < 0) {
			in->raw_at_end = true;
			break;
		}
		memmove(in->raw_buffer, in->raw_buffer + in->raw_at, left);
		in->raw_offset += in->raw_at;
		in->raw_at = 0;
		in->raw_end = left;
		if (read_file(in, in->raw_buffer + left, RAW_BYTES - left, &got, err))
			return -1;
		in->raw_end += got;
		in->raw_at_end = got == 0;
	}
	return 0;
}

static bool is_gzip_magic(const unsigned char *bytes, size_t size)
{
	return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* After a member: another one, padding of zeros (tapes), the end, or something else. */
static int next_member(struct input *in, struct error *err)
{
	if (need_two(in, err))
		return -1;
	if (is_gzip_magic(in->raw + in->raw_at, in->raw_end - in->raw_at)) {
		inflateReset(&in->inflater);
		return 0;
	}
	in->at_end = true;
	while (!in->garbage) {
		for (; in->raw_at < in->raw_end; in->raw_at++)
			if (in->raw[in->raw_at] != 0)
				in->garbage = true;
		if (in->raw_at_end || in->garbage)
			break;
		if (fill_raw(in, err))
			return -1;
	}
	return 0;
}

static int gzip_fail(const struct input *in, struct error *err, const char *what)
{
	char place[PLACE_BYTES];

	error_place_offset(place, sizeof(place), in->path, in->raw_offset + in->raw_at);
	error_set(err, ERROR_INPUT, place, "%s", what);
	return error_hint(err, "test the file with gzip -t, copy or record it again");
}

/* Inflates up to `size` bytes; *got may be 0 without the end being reached. */
static int read_gzip(
	struct input *in, unsigned char *bytes, size_t size, size_t *got, struct error *err)
{
	z_stream *z = &in->inflater;

	*got = 0;
	if (in->raw_at == in->raw_end) {
		if (!in->raw_at_end && fill_raw(in, err))
			return -1;
		if (in->raw_at == in->raw_end)
			return gzip_fail(in, err, "the gzip data end too early");
	}
	size_t offered = in->raw_end - in->raw_at;

	if (offered > UINT32_MAX / 2)
		offered = UINT32_MAX / 2;
	z->next_in = (unsigned char *)(uintptr_t)(in->raw + in->raw_at);
	z->avail_in = (uInt)offered;
	z->next_out = bytes;
	z->avail_out = (uInt)size;
	int result = inflate(z, Z_NO_FLUSH);

	in->raw_at += offered - z->avail_in;
	*got = size - z->avail_out;
	if (result == Z_STREAM_END)
		return next_member(in, err);
	if (result == Z_OK || result == Z_BUF_ERROR)
		return 0;
	if (result == Z_MEM_ERROR)
		memory_alloc(SIZE_MAX / 2); /* reports, does not return */
	return gzip_fail(in, err,
		z->msg && strstr(z->msg, "check") ? "the gzip data are damaged: wrong checksum"
						  : "the gzip data are damaged");
}

/* Makes `want` bytes visible where they exist. */
static int input_fill(struct input *in, size_t want, struct error *err)
{
	if (in->end - in->at >= want || in->at_end)
		return 0;
	size_t left = in->end - in->at;

	if (in->buffer_bytes < want) {
		size_t room = in->buffer_bytes;

		while (room < want)
			room *= 2;
		in->buffer = memory_resize(in->buffer, room);
		in->buffer_bytes = room;
	}
	memmove(in->buffer, in->buffer + in->at, left);
	in->window = in->buffer;
	in->window_offset += in->at;
	in->at = 0;
	in->end = left;
	while (in->end < want && !in->at_end) {
		size_t got, room = in->buffer_bytes - in->end;
		unsigned char *to = in->buffer + in->end;

		if (in->gzip ? read_gzip(in, to, room, &got, err)
			     : read_file(in, to, room, &got, err))
			return -1;
		in->end += got;
		if (!in->gzip && got == 0)
			in->at_end = true;
	}
	return 0;
}

/* Looks at the first bytes and starts the inflater where they are gzip's. */
static int input_start(struct input *in, struct error *err)
{
	const unsigned char *head = in->window;
	size_t size = in->end;

	in->buffer_bytes = BUFFER_BYTES;
	if (in->fd >= 0) {
		in->buffer = memory_alloc(in->buffer_bytes);
		in->window = in->buffer;
		if (input_fill(in, 2, err))
			return -1;
		head = in->window;
		size = in->end;
	}
	if (!is_gzip_magic(head, size))
		return 0;
	in->gzip = true;
	if (inflateInit2(&in->inflater, 15 + 16) != Z_OK)
		memory_alloc(SIZE_MAX / 2);
	in->raw = head;
	in->raw_end = size;
	if (in->fd >= 0) { /* what was read so far becomes the first raw bytes */
		in->raw_buffer = memory_alloc(size > RAW_BYTES ? size : RAW_BYTES);
		memcpy(in->raw_buffer, head, size);
		in->raw = in->raw_buffer;
	} else {
		in->raw_at_end = true;
		in->buffer = memory_alloc(in->buffer_bytes);
	}
	in->window = in->buffer;
	in->at = in->end = 0;
	in->at_end = false;
	return 0;
}

static struct input *input_new(const char *path)
{
	struct input *in = memory_alloc(sizeof(*in));
	size_t size = strlen(path) + 1;

	in->path = memory_alloc(size);
	memcpy(in->path, path, size);
	in->fd = -1;
	return in;
}

static int input_connect(struct input *in, const char *path, struct error *err)
{
	struct stat status;

	if (strcmp(path, "-") == 0)
		in->fd = STDIN_FILENO;
	else
		in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (in->fd < 0 || fstat(in->fd, &status) != 0)
		return error_set(err, ERROR_INPUT, in->path, "cannot open: %s", strerror(errno));
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_INPUT, in->path, "is a folder, expected a file");
	if (S_ISREG(status.st_mode) && lseek(in->fd, 0, SEEK_CUR) == 0)
		in->file_bytes = (uint64_t)status.st_size;
	return 0;
}

struct input *input_open(const char *path, struct error *err)
{
	struct input *in = input_new(strcmp(path, "-") == 0 ? "standard input" : path);

	if (input_connect(in, path, err) == 0 && input_start(in, err) == 0)
		return in;
	input_close(in);
	return NULL;
}

struct input *input_memory(const void *bytes, size_t size, const char *name)
{
	struct input *in = input_new(name);

	in->window = bytes;
	in->end = size;
	in->at_end = true;
	input_start(in, NULL); /* nothing is read, so nothing can fail */
	return in;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->gzip)
		inflateEnd(&in->inflater);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	memory_free(in->raw_buffer);
	memory_free(in->buffer);
	memory_free(in->big);
	memory_free(in->path);
	memory_free(in);
}

int input_peek(
	struct input *in, size_t want, const unsigned char **bytes, size_t *size, struct error *err)
{
	if (input_fill(in, want < PEEK_MOST ? want : PEEK_MOST, err))
		return -1;
	*bytes = in->window + in->at;
	*size = in->end - in->at;
	return 0;
}

void input_skip(struct input *in, size_t n)
{
	size_t left = in->end - in->at;

	in->at += n < left ? n : left;
}

static int input_ends(const struct input *in, const char *what, struct error *err)
{
	char place[PLACE_BYTES];

	error_place_offset(place, sizeof(place), in->path, in->window_offset + in->end);
	error_set(err, ERROR_INPUT, place, "ends inside %s", what);
	return error_hint(err, "the file is cut off or damaged: copy or record it again");
}

/* More than a peek: collected in a buffer that grows with what arrives, not with what is promised.
 */
static int input_collect(struct input *in, size_t n, const char *what, const unsigned char **bytes,
	struct error *err)
{
	size_t have = 0;

	while (have < n) {
		size_t part = n - have < PEEK_MOST ? n - have : PEEK_MOST, left;

		if (input_fill(in, part, err))
			return -1;
		left = in->end - in->at;
		if (left < part)
			return input_ends(in, what, err);
		if (have + part > in->big_bytes) {
			in->big_bytes = have + part < n / 2 ? 2 * (have + part) : n;
			in->big = memory_resize(in->big, in->big_bytes);
		}
		memcpy(in->big + have, in->window + in->at, part);
		in->at += part;
		have += part;
	}
	*bytes = in->big;
	return 0;
}

int input_take(struct input *in, size_t n, size_t cap, const char *what,
	const unsigned char **bytes, struct error *err)
{
	if (n > cap) {
		char place[PLACE_BYTES];

		error_place_offset(place, sizeof(place), in->path, input_offset(in));
		error_set(err, ERROR_LIMIT, place, "%zu bytes for %s, at most %zu are allowed", n,
			what, cap);
		return error_hint(err, "allow more with --max-record, if the file is sound");
	}
	if (in->end - in->at < n && n > PEEK_MOST && (in->fd >= 0 || in->gzip))
		return input_collect(in, n, what, bytes, err);
	if (input_fill(in, n, err))
		return -1;
	if (in->end - in->at < n)
		return input_ends(in, what, err);
	*bytes = in->window + in->at;
	in->at += n;
	return 0;
}

/* Over the middle of a big part of a regular file by one seek; 1 when that was possible. */
static int input_seek(struct input *in, uint64_t n)
{
	uint64_t offset = input_offset(in);

	if (in->gzip || in->file_bytes == 0 || n - (in->end - in->at) < SEEK_LEAST ||
		offset > in->file_bytes || n > in->file_bytes - offset)
		return 0;
	if (lseek(in->fd, (off_t)(offset + n), SEEK_SET) < 0)
		return 0;
	in->window_offset = offset + n;
	in->at = in->end = 0;
	return 1;
}

int input_discard(struct input *in, uint64_t n, const char *what, struct error *err)
{
	if (n > in->end - in->at && input_seek(in, n))
		return 0;
	while (n > 0) {
		if (in->at == in->end && input_fill(in, 1, err))
			return -1;
		size_t left = in->end - in->at;

		if (left == 0)
			return input_ends(in, what, err);
		if (left > n)
			left = (size_t)n;
		in->at += left;
		n -= left;
	}
	return 0;
}

uint64_t input_offset(const struct input *in)
{
	return in->window_offset + in->at;
}

const char *input_path(const struct input *in)
{
	return in->path;
}

bool input_is_gzip(const struct input *in)
{
	return in->gzip;
}

bool input_trailing_garbage(const struct input *in)
{
	return in->garbage;
}
