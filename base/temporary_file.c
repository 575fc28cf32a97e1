/* A file without a name, or one whose name is removed at once: not every file system knows files
 * without one. */
#define _GNU_SOURCE /* mkostemp */
#include "base/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/platform.h"

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
	int fd = platform_nameless_file(folder), length;

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
