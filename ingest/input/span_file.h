/* A file that is read at offsets, or bytes in memory in its place. It unpacks nothing and keeps
 * nothing; for streams there is struct input. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

struct span_file {
	const char *path;	    /* the caller's */
	int fd;			    /* -1 in memory */
	const unsigned char *bytes; /* in memory; the caller's */
	uint64_t size;
	_Atomic uint64_t *counter; /* of bytes read, for progress; NULL: none */
};

/* Regular files only. ERROR_INPUT with the system's word. */
int span_file_open(struct span_file *file, const char *path, struct error *err);
void span_file_memory(struct span_file *file, const char *path, const void *bytes, size_t size);
void span_file_close(struct span_file *file);
/* Exactly n bytes at the offset; ERROR_INPUT "ends inside WHAT" when they are not all there. */
int span_file_read(const struct span_file *file, uint64_t offset, void *out, size_t n,
	const char *what, struct error *err);
/* ERROR_INPUT with FILE:byte N. Always -1. */
int span_file_damaged(
	const struct span_file *file, uint64_t offset, const char *message, struct error *err);

/* A window over a file that is read at offsets, for long stretches from front to back: what is
 * asked for is there in one piece. It does not know what the bytes mean. */

struct span_window {
	const struct span_file *file;
	unsigned char *buffer;	    /* NULL where the file is in memory */
	const unsigned char *bytes; /* what is at offset `at` */
	uint64_t at;
	size_t size, room, usual_bytes;
};

/* So many bytes are read at once, unless more are wanted in one piece. */
void span_window_init(struct span_window *w, const struct span_file *file, size_t usual_bytes);
void span_window_release(struct span_window *w);
/* Makes *bytes the bytes from the offset on, *size of them: `want` at least, unless the file ends
 * before. Valid until the next call. */
int span_window_get(struct span_window *w, uint64_t offset, size_t want,
	const unsigned char **bytes, size_t *size, struct error *err);
