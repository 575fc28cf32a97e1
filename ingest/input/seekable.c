/*
 * Streams into files. What is a file already is not copied.
 */
#include "ingest/input/seekable.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"

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
			result = error_hint(err,
				"allow more with spill-limit in stepstat.yaml, or give a file "
				"that is not packed");
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
