/* A file without a name where the system has that, else one whose name is removed at once. */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */
#include "base/temporary/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int temporary_file(const char *folder)
{
	char path[4096];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Not every file system knows files without a name. */
	int length = snprintf(path, sizeof(path), "%s/stepstat-XXXXXX", folder);

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
		ssize_t wrote =
			pwrite(fd, (const char *)bytes + done, n - done, (off_t)(offset + done));

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			errno = wrote < 0 ? errno : ENOSPC;
			return -1;
		}
		done += (size_t)wrote;
	}
	return 0;
}

int64_t temporary_file_read(int fd, void *bytes, size_t n, uint64_t offset)
{
	ssize_t got;

	do
		got = pread(fd, bytes, n, (off_t)offset);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		errno = EIO;
	return got > 0 ? got : -1;
}
