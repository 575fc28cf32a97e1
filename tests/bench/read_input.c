/* How fast bytes come out of a file: `read_input HOW FILE`. HOW is `alone`: a gzip file is unpacked
 * and nothing else, in one thread; `window`: as readers get it, in windows of up to 1 MiB; `parse`:
 * the same with a parser's work, which is counting braces and quotes here; `alone-parse`: that work
 * after unpacking, in the same thread. Prints the bytes and what was counted. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ingest/input/gzip_stream.h"
#include "ingest/input/input.h"

#define WINDOW_BYTES ((size_t)1 << 20)

static uint64_t braces(const unsigned char *bytes, size_t size)
{
	uint64_t depth = 0;

	for (size_t i = 0; i < size; i++)
		depth += bytes[i] == '{' || bytes[i] == '"' ? 1 + (depth & 1) : 0;
	return depth;
}

static int unpack(const char *path, int parse, uint64_t *total, uint64_t *seen, struct error *err)
{
	struct raw_file file = {.path = path, .fd = open(path, O_RDONLY), .break_fd = -1};
	unsigned char *bytes = malloc(WINDOW_BYTES);
	struct gzip_stream stream;
	size_t got;

	if (file.fd < 0)
		return -1;
	gzip_stream_init(&stream, &file, NULL, 0);
	while (!stream.at_end) {
		if (gzip_stream_read(&stream, bytes, WINDOW_BYTES, &got, err))
			return -1;
		*total += got;
		*seen += parse ? braces(bytes, got) : 0;
	}
	gzip_stream_release(&stream);
	free(bytes);
	return close(file.fd);
}

static int windows(const char *path, int parse, uint64_t *total, uint64_t *seen, struct error *err)
{
	struct input *in = input_open(path, err);
	const unsigned char *bytes;
	size_t size = 1;

	if (!in)
		return -1;
	while (size > 0) {
		if (input_peek(in, WINDOW_BYTES, &bytes, &size, err))
			return -1;
		/* A parser leaves the event that is cut by the end of the window. */
		size_t whole = size > 300 ? size - 300 : size;

		*total += whole;
		*seen += parse ? braces(bytes, whole) : 0;
		input_skip(in, whole);
	}
	input_close(in);
	return 0;
}

int main(int argc, char **argv)
{
	struct error err = {.message = "cannot open"};
	uint64_t total = 0, seen = 0;

	if (argc != 3)
		return 2;
	int parse = strstr(argv[1], "parse") != NULL;
	int status = strncmp(argv[1], "alone", 5) == 0
			     ? unpack(argv[2], parse, &total, &seen, &err)
			     : windows(argv[2], parse, &total, &seen, &err);

	if (status) {
		fprintf(stderr, "read_input: %s: %s\n", argv[2], err.message);
		return 1;
	}
	printf("%llu %llu\n", (unsigned long long)total, (unsigned long long)seen);
	return 0;
}
