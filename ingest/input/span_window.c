/*
 * The window: a buffer that is filled again where it does not hold what is asked for.
 */
#include "ingest/input/span_window.h"

#include <string.h>
#include "base/memory.h"

#define WINDOW_BYTES ((size_t)256 << 10) /* stays in a cache of the processor */

void span_window_init(struct span_window *w, const struct span_file *file)
{
	*w = (struct span_window){.file = file};
	if (file->fd >= 0)
		return;
	w->bytes = file->bytes;
	w->size = (size_t)file->size;
}

void span_window_release(struct span_window *w)
{
	memory_free(w->buffer);
	w->buffer = NULL;
}

/* Reads from the offset on, what the buffer has of it is kept. */
static int fill(struct span_window *w, uint64_t offset, size_t want, struct error *err)
{
	const uint64_t rest = w->file->size - offset;
	size_t kept = 0, size;

	if (want > w->room || !w->buffer)
		w->buffer = memory_make_room(
			w->buffer, &w->room, want < WINDOW_BYTES ? WINDOW_BYTES : want, 1);
	if (offset >= w->at && offset - w->at < w->size) {
		kept = w->size - (size_t)(offset - w->at);
		memmove(w->buffer, w->buffer + (offset - w->at), kept);
	}
	w->bytes = w->buffer;
	w->at = offset;
	w->size = kept;
	size = rest < w->room ? (size_t)rest : w->room;
	if (span_file_read(w->file, offset + kept, w->buffer + kept, size - kept, "a profile", err))
		return -1;
	w->size = size;
	return 0;
}

int span_window_get(struct span_window *w, uint64_t offset, size_t want,
	const unsigned char **bytes, size_t *size, struct error *err)
{
	const uint64_t rest = offset < w->file->size ? w->file->size - offset : 0;

	if (want > rest)
		want = (size_t)rest;
	if (want == 0) {
		*bytes = (const unsigned char *)"";
		*size = 0;
		return 0;
	}
	if ((offset < w->at || offset - w->at > w->size || w->size - (offset - w->at) < want) &&
		fill(w, offset, want, err))
		return -1;
	*bytes = w->bytes + (offset - w->at);
	*size = w->size - (size_t)(offset - w->at);
	return 0;
}
