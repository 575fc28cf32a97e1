/* The stream: a window of bytes over a file, a pipe or memory. Plain memory is its own window; a
 * plain file is read into a buffer; gzip data are unpacked ahead of the reader, and the window is
 * over the blocks that come out. */
#include "ingest/input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"
#include "ingest/input/gzip_stream.h"
#include "ingest/input/read_ahead.h"
#include "ingest/input/span_file.h"

#define BUFFER_BYTES ((size_t)256 << 10)
#define PEEK_MOST READ_AHEAD_KEPT_MOST
#define SEEK_LEAST ((size_t)128 << 10) /* fewer are read and thrown away */
#define PLACE_BYTES 512

struct input {
	char *path; /* for messages */
	struct raw_file file;
	uint64_t file_bytes; /* of a regular file, else 0 */
	bool is_memory;
	const unsigned char *window; /* [at, end) is unread */
	size_t at, end;
	uint64_t window_offset; /* of window[0], in the unpacked data */
	unsigned char *buffer;	/* what window points to for a file that is not packed */
	size_t buffer_bytes;
	unsigned char *big; /* for input_read of more than a peek */
	size_t big_bytes;
	bool at_end; /* nothing will come after the window */
	struct gzip_stream gzip;
	struct read_ahead *ahead; /* of `gzip`; NULL: the bytes are not packed */
};

void input_count(struct input *in, _Atomic uint64_t *bytes)
{
	in->file.counter = bytes;
}

/* Goes on in the block that comes next; what is unread is put before it. */
static int fill_unpacked(struct input *in, size_t want, struct error *err)
{
	while (in->end - in->at < want) {
		const unsigned char *bytes;
		size_t size;
		int got = read_ahead_next(in->ahead, in->end - in->at, &bytes, &size, err);

		if (got < 0)
			return -1;
		in->at_end = got == 0;
		if (got == 0)
			break;
		in->window = bytes;
		in->window_offset += in->at;
		in->at = 0;
		in->end = size;
	}
	return 0;
}

/* Makes `want` bytes visible where they exist. */
static int input_fill(struct input *in, size_t want, struct error *err)
{
	if (in->end - in->at >= want || in->at_end)
		return 0;
	if (in->ahead)
		return fill_unpacked(in, want, err);
	size_t left = in->end - in->at, room = in->buffer_bytes;

	/* Room for `want` bytes from the first unread one on, and for as many again, so that small
	 * reads do not each move the rest. */
	if (room - in->at < want || room - in->end < room / 4) {
		in->buffer =
			memory_make_room(in->buffer, &in->buffer_bytes, memory_product(want, 2), 1);
		memmove(in->buffer, in->buffer + in->at, left);
		in->window = in->buffer;
		in->window_offset += in->at;
		in->at = 0;
		in->end = left;
	}
	while (in->end - in->at < want && !in->at_end) {
		size_t got;

		if (raw_file_read(
			    &in->file, in->buffer + in->end, in->buffer_bytes - in->end, &got, err))
			return -1;
		in->end += got;
		in->at_end = got == 0;
	}
	return 0;
}

/* Looks at the first bytes and starts to unpack where they are gzip's. */
static int input_start(struct input *in, struct error *err)
{
	if (in->file.fd >= 0) {
		in->buffer_bytes = BUFFER_BYTES;
		in->buffer = memory_alloc(in->buffer_bytes);
		in->window = in->buffer;
		if (input_fill(in, 2, err))
			return -1;
	}
	if (!gzip_magic(in->window, in->end))
		return 0;
	gzip_stream_init(&in->gzip, &in->file, in->window, in->end);
	in->ahead = read_ahead_new(&in->gzip);
	memory_free(in->buffer);
	in->buffer = NULL;
	in->window = (const unsigned char *)"";
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
	in->file = (struct raw_file){.path = in->path, .fd = -1, .break_fd = -1};
	return in;
}

static int input_connect(struct input *in, const char *path, struct error *err)
{
	struct stat status;

	if (strcmp(path, "-") == 0)
		in->file.fd = STDIN_FILENO;
	else
		in->file.fd = file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (in->file.fd < 0 || fstat(in->file.fd, &status) != 0)
		return error_set(err, ERROR_INPUT, in->path, "cannot open: %s", strerror(errno));
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_INPUT, in->path, "is a folder, expected a file");
	if (S_ISREG(status.st_mode) && lseek(in->file.fd, 0, SEEK_CUR) == 0)
		in->file_bytes = (uint64_t)status.st_size;
	return 0;
}

struct input *input_open(const char *path, struct error *err)
{
	return input_open_as(path, NULL, err);
}

struct input *input_open_as(const char *path, const char *name, struct error *err)
{
	struct input *in = input_new(name		      ? name
				     : strcmp(path, "-") == 0 ? "standard input"
							      : path);

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
	in->is_memory = true;
	input_start(in, NULL); /* nothing is read, so nothing can fail */
	return in;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	read_ahead_free(in->ahead);
	if (in->ahead)
		gzip_stream_release(&in->gzip);
	if (in->file.fd > STDIN_FILENO)
		close(in->file.fd);
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

int input_take(struct input *in, void *to, size_t room, size_t *got, struct error *err)
{
	size_t left = in->end - in->at;

	*got = 0;
	if (room == 0 || (left == 0 && in->at_end))
		return 0;
	if (left == 0 && !in->ahead) {
		/* Past the window, of a file that is not packed. */
		if (raw_file_read(&in->file, to, room, got, err))
			return -1;
		in->window_offset += in->at + *got;
		in->at = in->end = 0;
		in->at_end = *got == 0;
		return 0;
	}
	if (left == 0 && input_fill(in, 1, err))
		return -1;
	left = in->end - in->at;
	*got = left < room ? left : room;
	if (*got)
		memcpy(to, in->window + in->at, *got);
	in->at += *got;
	return 0;
}

static int input_ends(const struct input *in, const char *what, struct error *err)
{
	char place[PLACE_BYTES];

	error_place_offset(place, sizeof(place), in->path, in->window_offset + in->end);
	error_set(err, ERROR_INPUT, place, "ends inside %s", what);
	return error_hint(err, "the file is cut off or damaged: copy or record it again");
}

/* More than a peek: collected in a buffer that grows with what arrives, not with what is
 * promised. */
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

int input_read(struct input *in, size_t n, size_t cap, const char *what,
	const unsigned char **bytes, struct error *err)
{
	if (n > cap) {
		char place[PLACE_BYTES];

		error_place_offset(place, sizeof(place), in->path, input_offset(in));
		error_set(err, ERROR_LIMIT, place, "%zu bytes for %s, at most %zu are allowed", n,
			what, cap);
		return error_hint(
			err, "allow more with max-record in stepstat.yaml, if the file is sound");
	}
	if (in->end - in->at < n && n > PEEK_MOST && (in->file.fd >= 0 || in->ahead))
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

	if (in->ahead || in->file_bytes == 0 || n - (in->end - in->at) < SEEK_LEAST ||
		offset > in->file_bytes || n > in->file_bytes - offset)
		return 0;
	if (lseek(in->file.fd, (off_t)(offset + n), SEEK_SET) < 0)
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

bool input_span(const struct input *in, struct span_file *out)
{
	int fd;

	if (in->ahead)
		return false;
	if (in->is_memory) {
		span_file_memory(out, in->path, in->window, in->end);
		return true;
	}
	fd = in->file_bytes ? fcntl(in->file.fd, F_DUPFD_CLOEXEC, 0) : -1;
	*out = (struct span_file){
		.path = in->path, .fd = fd, .size = in->file_bytes, .counter = in->file.counter};
	return fd >= 0;
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
	return in->ahead != NULL;
}

bool input_trailing_garbage(const struct input *in)
{
	return in->ahead && read_ahead_garbage(in->ahead);
}

/* Streams into files. What is a file already is not copied. */

#define COPY_BYTES ((size_t)1 << 20)

static int cannot(const char *doing, const char *folder, const char *path, struct error *err)
{
	error_set(err, ERROR_OUTPUT, folder, "cannot %s a temporary copy of %s: %s", doing, path,
		strerror(errno));
	return error_hint(err, "set TMPDIR to a folder that can be written and has room, or give a "
			       "file that is not packed");
}

static int write_all(int fd, const unsigned char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			errno = done < 0 ? errno : ENOSPC;
			return -1;
		}
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

static int copy(struct input *in, const char *folder, uint64_t max_bytes, struct span_file *out,
	struct error *err)
{
	unsigned char *bytes = memory_alloc(COPY_BYTES);
	size_t got = 1;
	int result = 0;

	while (result == 0 && got > 0) {
		result = input_take(in, bytes, COPY_BYTES, &got, err);
		if (result < 0 || got == 0)
			break;
		out->size += got;
		if (out->size > max_bytes) {
			error_set(err, ERROR_LIMIT, folder,
				"more than %" PRIu64 " bytes of temporary disk for a copy of %s",
				max_bytes, out->path);
			result = error_hint(err, "allow more with spill-limit in stepstat.yaml, or "
						 "give a file that is not packed");
		} else if (write_all(out->fd, bytes, got) < 0) {
			result = cannot("write", folder, out->path, err);
		}
	}
	memory_free(bytes);
	return result;
}

int input_seekable(struct input *in, const char *folder, uint64_t max_bytes, struct span_file *out,
	struct error *err)
{
	if (input_span(in, out))
		return 0;
	folder = folder ? folder : "/tmp";
	*out = (struct span_file){.path = input_path(in), .fd = temporary_file(folder)};
	if (out->fd < 0)
		return cannot("make", folder, out->path, err);
	if (copy(in, folder, max_bytes, out, err) == 0)
		return 0;
	span_file_close(out);
	return -1;
}

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

void line_reader_init(struct line_reader *r, struct input *in, size_t cap)
{
	*r = (struct line_reader){.in = in, .cap = cap};
	text_init(&r->text);
}

void line_reader_release(struct line_reader *r)
{
	text_release(&r->text);
}

const char *line_reader_place(const struct line_reader *r, char *out, size_t room)
{
	snprintf(out, room, "%s:%zu", input_path(r->in), r->number);
	return out;
}

/* Adds bytes up to the line end; *more is set when there was none yet. */
static int add_part(struct line_reader *r, bool *more, struct error *err)
{
	const unsigned char *bytes, *end;
	size_t size, part;

	if (input_peek(r->in, 1, &bytes, &size, err))
		return -1;
	if (size == 0) {
		r->unended = true;
		*more = false;
		return 0;
	}
	end = memchr(bytes, '\n', size);
	part = end ? (size_t)(end - bytes) : size;
	if (part > r->cap - r->text.size) {
		char place[512];

		error_set(err, ERROR_LIMIT, line_reader_place(r, place, sizeof(place)),
			"a line of more than %zu bytes", r->cap);
		return error_hint(err, "allow more with max-record in stepstat.yaml");
	}
	text_add_bytes(&r->text, (const char *)bytes, part);
	input_skip(r->in, part + (end != NULL));
	*more = !end;
	return 0;
}

int line_reader_next(struct line_reader *r, const char **line, size_t *size, struct error *err)
{
	size_t skip = 0;
	bool more = true, unended = r->unended;

	text_clear(&r->text);
	r->unended = false;
	r->number++;
	while (more)
		if (add_part(r, &more, err))
			return -1;
	if (r->unended && r->text.size == 0) {
		r->unended = unended;
		r->number--;
		return 0;
	}
	*line = text_string(&r->text);
	*size = r->text.size;
	if (r->number == 1 && *size >= 3 && memcmp(*line, BYTE_ORDER_MARK, 3) == 0)
		skip = 3;
	*line += skip;
	*size -= skip;
	if (*size > 0 && (*line)[*size - 1] == '\r') {
		r->text.data[r->text.size - 1] = '\0';
		--*size;
	}
	return 1;
}
