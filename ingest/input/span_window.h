/*
 * A window over a file that is read at offsets, for long stretches from front to back: what is
 * asked for is there in one piece. It does not know what the bytes mean.
 */
#ifndef STEPSTAT_INGEST_INPUT_SPAN_WINDOW_H
#define STEPSTAT_INGEST_INPUT_SPAN_WINDOW_H

#include "ingest/input/span_file.h"

struct span_window {
	const struct span_file *file;
	unsigned char *buffer;	    /* NULL where the file is in memory */
	const unsigned char *bytes; /* what is at offset `at` */
	uint64_t at;
	size_t size, room;
};

void span_window_init(struct span_window *w, const struct span_file *file);
void span_window_release(struct span_window *w);
/* Makes *bytes the bytes from the offset on, *size of them: `want` at least, unless the file ends
 * before. Valid until the next call. */
int span_window_get(struct span_window *w, uint64_t offset, size_t want,
	const unsigned char **bytes, size_t *size, struct error *err);

#endif
