/* Reading at offsets: pread for files, a copy for memory; both refuse what lies outside. */
#include "ingest/input/span_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"

int span_file_open(struct span_file *file, const char *path, struct error *err)
{
	int fd = file_open(
		path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not stop us here */
	struct stat st;

	if (fd < 0)
		return error_set(err, ERROR_INPUT, path, "%s", strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(err, ERROR_INPUT, path, "not a regular file");
	}
	*file = (struct span_file){.path = path, .fd = fd, .size = (uint64_t)st.st_size};
	return 0;
}

void span_file_memory(struct span_file *file, const char *path, const void *bytes, size_t size)
{
	*file = (struct span_file){.path = path, .fd = -1, .bytes = bytes, .size = size};
}

void span_file_close(struct span_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

int span_file_damaged(
	const struct span_file *file, uint64_t offset, const char *message, struct error *err)
{
	char place[sizeof(err->place)];

	error_place_offset(place, sizeof(place), file->path, offset);
	return error_set(err, ERROR_INPUT, place, "%s", message);
}

int span_file_read(const struct span_file *file, uint64_t offset, void *out, size_t n,
	const char *what, struct error *err)
{
	char place[sizeof(err->place)];
	unsigned char *to = out;

	error_place_offset(place, sizeof(place), file->path, offset);
	if (offset > file->size || n > file->size - offset)
		return error_set(err, ERROR_INPUT, place, "file ends inside %s", what);
	if (file->fd < 0) {
		if (n > 0)
			memcpy(out, file->bytes + offset, n);
		return 0;
	}
	while (n > 0) {
		ssize_t got = pread(file->fd, to, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_set(err, ERROR_INPUT, place, "%s", strerror(errno));
		if (got == 0) /* it became shorter while we read */
			return error_set(err, ERROR_INPUT, place, "file ends inside %s", what);
		if (file->counter)
			atomic_fetch_add(file->counter, (uint64_t)got);
		to += got;
		offset += (uint64_t)got;
		n -= (size_t)got;
	}
	return 0;
}

/* The window: a buffer that is filled again where it does not hold what is asked for. */

void span_window_init(struct span_window *w, const struct span_file *file, size_t usual_bytes)
{
	*w = (struct span_window){.file = file, .usual_bytes = usual_bytes};
	if (file->fd >= 0)
		return;
	w->bytes = file->bytes;
	w->size = (size_t)file->size;
}

void span_window_release(struct span_window *w)
{
	memory_free(w->buffer);
	w->buffer = NULL;
}

/* Reads from the offset on, what the buffer has of it is kept. */
static int fill(struct span_window *w, uint64_t offset, size_t want, struct error *err)
{
	const uint64_t rest = w->file->size - offset;
	size_t kept = 0, size;

	if (want > w->room || !w->buffer)
		w->buffer = memory_make_room(
			w->buffer, &w->room, want < w->usual_bytes ? w->usual_bytes : want, 1);
	if (offset >= w->at && offset - w->at < w->size) {
		kept = w->size - (size_t)(offset - w->at);
		memmove(w->buffer, w->buffer + (offset - w->at), kept);
	}
	w->bytes = w->buffer;
	w->at = offset;
	w->size = kept;
	size = rest < w->room ? (size_t)rest : w->room;
	if (span_file_read(w->file, offset + kept, w->buffer + kept, size - kept, "a profile", err))
		return -1;
	w->size = size;
	return 0;
}

int span_window_get(struct span_window *w, uint64_t offset, size_t want,
	const unsigned char **bytes, size_t *size, struct error *err)
{
	const uint64_t rest = offset < w->file->size ? w->file->size - offset : 0;

	if (want > rest)
		want = (size_t)rest;
	if (want == 0) {
		*bytes = (const unsigned char *)"";
		*size = 0;
		return 0;
	}
	if ((offset < w->at || offset - w->at > w->size || w->size - (offset - w->at) < want) &&
		fill(w, offset, want, err))
		return -1;
	*bytes = w->bytes + (offset - w->at);
	*size = w->size - (size_t)(offset - w->at);
	return 0;
}
