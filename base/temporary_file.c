/*
 * Temporary files.
 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */
#include "base/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder_of(const char *folder)
{
	return folder ? folder : "/tmp";
}

int temporary_file_failed(
	const char *folder, const char *doing, const char *what, struct error *err)
{
	const char *word = strerror(errno);

	error_set(err, ERROR_OUTPUT, folder_of(folder), "cannot %s the temporary file %s: %s",
		doing, what, word);
	return error_hint(err, "set TMPDIR to a folder that can be written and has room, or read "
			       "fewer files at once");
}

int temporary_file_open(const char *folder, const char *what, struct error *err)
{
	char path[4096];
	int fd = open(folder_of(folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Not every file system knows files without a name. */
	int length = snprintf(path, sizeof(path), "%s/stepstat-XXXXXX", folder_of(folder));

	if (length < 0 || (size_t)length >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return temporary_file_failed(folder, "make", what, err);
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return temporary_file_failed(folder, "make", what, err);
	unlink(path);
	return fd;
}
