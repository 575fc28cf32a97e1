/*
 * A file without a name, or one whose name is removed at once: not every file system knows files
 * without one.
 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */
#include "base/temporary_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"

int file_open(const char *path, int flags)
{
	int fd;

	do
		fd = open(path, flags, 0666);
	while (fd < 0 && errno == EINTR);
	return fd;
}

int file_sync(int fd)
{
	int status;

	do
		status = fsync(fd);
	while (status != 0 && errno == EINTR);
	if (status != 0 && (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP))
		return 0;
	return status;
}

int temporary_file(const char *folder)
{
	char path[4096];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), length;

	if (fd >= 0)
		return fd;
	length = snprintf(path, sizeof(path), "%s/stepstat-XXXXXX", folder);
	if (length < 0 || (size_t)length >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int temporary_file_write(int fd, const void *bytes, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t got =
			pwrite(fd, (const char *)bytes + done, n - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got < 0 ? errno : ENOSPC;
			return -1;
		}
		done += (size_t)got;
	}
	return 0;
}

int temporary_file_read(int fd, void *bytes, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(fd, (char *)bytes + done, n - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got < 0 ? errno : EIO;
			return -1;
		}
		done += (size_t)got;
	}
	return 0;
}

bool temporary_file_is(const char *name)
{
	const size_t end = sizeof(TEMPORARY_FILE_MARK) - 1 + TEMPORARY_FILE_LETTERS;
	const size_t size = strlen(name);

	if (size <= end)
		return false;
	name += size - end;
	return strncmp(name, TEMPORARY_FILE_MARK, sizeof(TEMPORARY_FILE_MARK) - 1) == 0 &&
	       strspn(name + sizeof(TEMPORARY_FILE_MARK) - 1, TEMPORARY_FILE_ALPHABET) ==
		       TEMPORARY_FILE_LETTERS;
}

/*
 * Bytes that are added wait in memory until there are enough of them to write. Bytes are read in
 * large pieces, of which one is kept.
 */

#define WINDOW_BYTES ((size_t)256 << 10)

struct spool {
	struct spool_options options;
	int fd; /* -1: all is in memory */
	char *tail;
	size_t tail_size, tail_room;
	uint64_t written; /* bytes in the file; the tail follows */
	char *window;	  /* of the file; NULL: none was read yet */
	uint64_t window_at;
	size_t window_size;
};

struct spool *spool_new(const struct spool_options *options)
{
	struct spool *s = memory_alloc(sizeof(*s));

	s->options = *options;
	if (!s->options.folder)
		s->options.folder = "/tmp";
	s->fd = -1;
	return s;
}

void spool_free(struct spool *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	memory_free(s->tail);
	memory_free(s->window);
	memory_free(s);
}

uint64_t spool_size(const struct spool *s)
{
	return s->written + s->tail_size;
}

void spool_clear(struct spool *s)
{
	s->written = 0;
	s->tail_size = 0;
	s->window_size = 0;
}

static int file_fail(const struct spool *s, const char *doing, struct error *err)
{
	const char *word = strerror(errno);

	error_set(err, ERROR_OUTPUT, s->options.folder,
		"cannot %s the temporary file in which %s are kept: %s", doing, s->options.what,
		word);
	return error_hint(err, "set TMPDIR to a folder that can be written and has room, or read "
			       "fewer files at once");
}

static int write_tail(struct spool *s, struct error *err)
{
	const uint64_t most = s->options.max_disk_bytes;

	if (s->tail_size > most || s->written > most - s->tail_size) {
		error_set(err, ERROR_LIMIT, s->options.folder,
			"more than %llu bytes of temporary disk to keep %s",
			(unsigned long long)most, s->options.what);
		return error_hint(err, "allow more with spill-limit in stepstat.yaml, or read "
				       "fewer files at once");
	}
	if (s->fd < 0)
		s->fd = temporary_file(s->options.folder);
	if (s->fd < 0)
		return file_fail(s, "make", err);
	if (temporary_file_write(s->fd, s->tail, s->tail_size, s->written) != 0)
		return file_fail(s, "write", err);
	s->written += s->tail_size;
	s->tail_size = 0;
	return 0;
}

int spool_add(struct spool *s, const void *bytes, size_t n, struct error *err)
{
	if (s->tail_size > 0 && n > s->options.memory_bytes - s->tail_size &&
		write_tail(s, err) != 0)
		return -1;
	s->tail = memory_make_room(s->tail, &s->tail_room, s->tail_size + n, 1);
	if (n > 0)
		memcpy(s->tail + s->tail_size, bytes, n);
	s->tail_size += n;
	return s->tail_size < s->options.memory_bytes ? 0 : write_tail(s, err);
}

static int fill_window(struct spool *s, uint64_t offset, struct error *err)
{
	const uint64_t rest = s->written - offset;
	const size_t size = rest < WINDOW_BYTES ? (size_t)rest : WINDOW_BYTES;

	if (!s->window)
		s->window = memory_alloc(WINDOW_BYTES);
	if (temporary_file_read(s->fd, s->window, size, offset) != 0) {
		s->window_size = 0;
		return file_fail(s, "read back", err);
	}
	s->window_at = offset;
	s->window_size = size;
	return 0;
}

int spool_read(struct spool *s, uint64_t offset, void *to, size_t n, struct error *err)
{
	char *out = to;

	assert(offset <= spool_size(s) && n <= spool_size(s) - offset);
	while (n > 0 && offset < s->written) {
		size_t at, size;

		if ((offset < s->window_at || offset - s->window_at >= s->window_size) &&
			fill_window(s, offset, err) != 0)
			return -1;
		at = (size_t)(offset - s->window_at);
		size = s->window_size - at < n ? s->window_size - at : n;
		memcpy(out, s->window + at, size);
		out += size;
		offset += size;
		n -= size;
	}
	if (n > 0)
		memcpy(out, s->tail + (offset - s->written), n);
	return 0;
}
