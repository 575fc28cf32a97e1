/*
 * Reading with all its interruptions. A pipe may give nothing for hours: so that the thread that
 * reads it can be stopped, it waits for the pipe and for the word to stop at once.
 */
#include "ingest/input/raw_file.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

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
