/*
 * A file without a name, or one whose name is removed at once: not every file system knows files
 * without one.
 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */
#include "base/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
