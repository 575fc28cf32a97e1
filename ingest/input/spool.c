/*
 * Copies what cannot be read at offsets.
 */
#include "ingest/input/spool.h"

#include <errno.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"

#define PIECE_BYTES ((size_t)256 << 10)
#define IN_MEMORY_MOST ((size_t)16 << 20) /* then a file is made */
#define WHAT "in which an input is unpacked"

static int limit_passed(const struct input *in, uint64_t most_bytes, struct error *err)
{
	error_set(err, ERROR_LIMIT, input_path(in),
		"more than %llu bytes of temporary disk to unpack it",
		(unsigned long long)most_bytes);
	return error_hint(err, "unpack it first, or allow more with --spill-limit");
}

static int write_all(
	int fd, const unsigned char *bytes, size_t n, const char *folder, struct error *err)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return temporary_file_failed(folder, "write", WHAT, err);
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

/* The rest of the input behind the bytes in memory. */
static int copy_to_file(struct spool *spool, struct input *in, const char *folder,
	uint64_t most_bytes, struct error *err)
{
	uint64_t size = spool->file.size;
	size_t got = (size_t)size;

	spool->fd = temporary_file_open(folder, WHAT, err);
	if (spool->fd < 0)
		return -1;
	do {
		if (size > most_bytes)
			return limit_passed(in, most_bytes, err);
		if (write_all(spool->fd, spool->bytes, got, folder, err) ||
			input_take(in, spool->bytes, PIECE_BYTES, &got, err))
			return -1;
		size += got;
	} while (got > 0);
	spool->file = (struct span_file){.path = input_path(in), .fd = spool->fd, .size = size};
	memory_free(spool->bytes);
	spool->bytes = NULL;
	return 0;
}

static int copy(struct spool *spool, struct input *in, const char *folder, uint64_t most_bytes,
	struct error *err)
{
	size_t room = 0, size = 0, got;

	do {
		spool->bytes = memory_make_room(spool->bytes, &room, size + PIECE_BYTES, 1);
		if (input_take(in, spool->bytes + size, PIECE_BYTES, &got, err))
			return -1;
		size += got;
		spool->file.size = size;
		if (size > IN_MEMORY_MOST)
			return copy_to_file(spool, in, folder, most_bytes, err);
	} while (got > 0);
	span_file_memory(&spool->file, input_path(in), spool->bytes, size);
	return 0;
}

int spool_open(struct spool *spool, struct input *in, const char *folder, uint64_t most_bytes,
	struct error *err)
{
	*spool = (struct spool){.file = {.path = input_path(in), .fd = -1}, .fd = -1};
	if (input_span(in, &spool->file))
		return 0;
	if (copy(spool, in, folder, most_bytes, err) == 0)
		return 0;
	spool_close(spool);
	return -1;
}

void spool_close(struct spool *spool)
{
	memory_free(spool->bytes);
	if (spool->fd >= 0)
		close(spool->fd);
	spool->bytes = NULL;
	spool->fd = -1;
}
