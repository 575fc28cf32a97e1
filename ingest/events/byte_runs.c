/*
 * Chunks of sources, the block that full ones are copied to, and the file for the block.
 */
#include "ingest/events/byte_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/order.h"

#define STRETCHES_MOST ((size_t)65536)
#define CHUNK_LEAST ((size_t)512)
#define CHUNK_MOST ((size_t)16 << 10)
#define CHUNKS_LEAST ((size_t)8) /* sources of which each has a chunk in the smallest buffer */
#define READ_BYTES ((size_t)256 << 10)
/* Bytes that are written at once to a file: so much stays in a cache of the processor. */
#define WRITE_BYTES ((size_t)256 << 10)
#define SLACK ((size_t)BYTE_RUNS_RECORD_MOST) /* may be read behind any bytes */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

void byte_runs_init(struct byte_runs *r, const struct byte_runs_options *opt)
{
	*r = (struct byte_runs){
		.disk = {.folder = opt->folder ? opt->folder : "/tmp",
			.what = opt->what,
			.max_bytes = opt->max_disk_bytes},
		.chunk_bytes_most = larger(opt->buffer_bytes / 2, CHUNKS_LEAST * CHUNK_LEAST),
		.block_bytes = larger(opt->buffer_bytes, CHUNK_MOST),
		.fd = -1,
	};
	vec_init(&r->stretch, sizeof(struct stretch), SIZE_MAX, "stretches");
}

void byte_runs_release(struct byte_runs *r)
{
	for (size_t i = 0; i < r->source_room; i++)
		memory_free(r->source[i].chunk);
	memory_free(r->source);
	memory_unmap(r->block, r->block_bytes + SLACK);
	if (r->fd >= 0)
		close(r->fd);
	vec_release(&r->stretch);
	*r = (struct byte_runs){.fd = -1};
}

/* ---- writing ---- */

static int write_block(struct byte_runs *r, struct error *err)
{
	if (r->fd < 0)
		r->fd = spill_file_open(&r->disk, err);
	if (r->fd < 0 || spill_file_write(&r->disk, r->fd, r->offset, r->block, r->used, err))
		return -1;
	r->offset += r->used;
	r->used = 0;
	return 0;
}

/* Makes a stretch of the chunk, which is empty then. 1; 0: no room for it; -1. */
static int move_chunk(struct byte_runs *r, uint32_t id, struct error *err)
{
	struct byte_source *source = &r->source[id];
	const size_t bytes = (size_t)(source->at - source->chunk);
	const size_t most = r->fd < 0 ? r->block_bytes : WRITE_BYTES;
	struct stretch *last =
		r->stretch.count ? (struct stretch *)r->stretch.data + r->stretch.count - 1 : NULL;

	if (r->used + bytes > most && r->disk.max_bytes == 0)
		return 0;
	if (!r->block)
		r->block = memory_map(r->block_bytes + SLACK);
	if (r->used + bytes > (most < r->block_bytes ? most : r->block_bytes) &&
		write_block(r, err))
		return -1;
	if (!last || last->source != id || source->is_cut) {
		if (r->stretch.count == STRETCHES_MOST)
			return 0;
		last = vec_push(&r->stretch, err);
		*last = (struct stretch){
			id, source->is_cut, r->stretch.count, r->offset + r->used, 0, NULL};
	}
	memcpy(r->block + r->used, source->chunk, bytes);
	r->used += bytes;
	last->bytes += bytes;
	source->since_cut += bytes;
	source->at = source->chunk;
	source->is_cut = false;
	return 1;
}

int byte_runs_make_room(struct byte_runs *r, uint32_t id, struct error *err)
{
	struct byte_source *source;
	size_t bytes, used, more;

	r->source = memory_make_room_zeroed(
		r->source, &r->source_room, (size_t)id + 1, sizeof(*r->source));
	source = &r->source[id];
	bytes = (size_t)(source->end - source->chunk);
	used = (size_t)(source->at - source->chunk);
	more = bytes ? bytes : CHUNK_LEAST;
	if (bytes == CHUNK_MOST || r->chunk_bytes + more > r->chunk_bytes_most)
		return bytes ? move_chunk(r, id, err) : 0;
	r->chunk_bytes += more;
	source->chunk = memory_resize(source->chunk, bytes + more + SLACK);
	source->at = source->chunk + used;
	source->end = source->chunk + bytes + more;
	source->is_cut |= bytes == 0;
	return 1;
}

int byte_runs_cut(struct byte_runs *r, uint32_t id, struct error *err)
{
	const int got = r->source[id].at > r->source[id].chunk ? move_chunk(r, id, err) : 1;

	if (got > 0) {
		r->source[id].is_cut = true;
		r->source[id].since_cut = 0;
	}
	return got;
}

/* ---- reading ---- */

static int compare_stretches(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return ORDER(x->source, y->source) ?: ORDER(x->number, y->number);
}

int byte_runs_end(struct byte_runs *r, struct error *err)
{
	struct stretch *behind;

	if (r->fd >= 0 && write_block(r, err))
		return -1;
	if (r->fd >= 0) {
		memory_unmap(r->block, r->block_bytes + SLACK);
		r->block = NULL;
	}
	for (uint32_t i = 0; i < r->source_room; i++) {
		const struct byte_source *source = &r->source[i];
		struct stretch *tail;

		if (source->at == source->chunk)
			continue;
		tail = vec_push(&r->stretch, err);
		*tail = (struct stretch){i, source->is_cut, r->stretch.count, 0,
			(uint64_t)(source->at - source->chunk), source->chunk};
	}
	if (r->stretch.count)
		qsort(r->stretch.data, r->stretch.count, sizeof(struct stretch), compare_stretches);
	behind = vec_push(&r->stretch, err);
	*behind = (struct stretch){.source = UINT32_MAX};
	return 0;
}

const struct stretch *byte_runs_first(const struct byte_runs *r, uint32_t source)
{
	const struct stretch *stretch = r->stretch.data;
	size_t low = 0, high = r->stretch.count - 1;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (stretch[middle].source < source)
			low = middle + 1;
		else
			high = middle;
	}
	return stretch + low;
}

void byte_pass_init(struct byte_pass *p, const struct byte_runs *r, const struct stretch *first,
	const struct stretch *last)
{
	*p = (struct byte_pass){.runs = r, .next = first, .last = last};
	if (r->fd < 0)
		return;
	/* Short ones of many sources need little. */
	for (const struct stretch *s = first; s < last && p->window_bytes < READ_BYTES; s++)
		if (!s->chunk && s->bytes > p->window_bytes)
			p->window_bytes = s->bytes < READ_BYTES ? (size_t)s->bytes : READ_BYTES;
	if (p->window_bytes)
		p->window = memory_alloc(p->window_bytes + 2 * SLACK);
}

void byte_pass_release(struct byte_pass *p)
{
	memory_free(p->window);
}

/* The next stretch begins. */
static void begin(struct byte_pass *p)
{
	const struct stretch *s = p->next++;

	p->left = s->bytes;
	if (s->chunk || !p->window) {
		p->at = s->chunk ? s->chunk : p->runs->block + s->offset;
		p->end = p->at + s->bytes;
	} else {
		p->window_end = s->offset;
		p->at = p->end = p->window;
	}
}

int byte_pass_fill(struct byte_pass *p, const struct stretch **begun, struct error *err)
{
	size_t have, want;

	if (p->left == 0) {
		if (p->next == p->last)
			return 0;
		*begun = p->next;
		begin(p);
	}
	have = (size_t)(p->end - p->at);
	if (have >= BYTE_RUNS_RECORD_MOST || have == p->left)
		return 1;
	/* More of the stretch into the window, behind what is left of it. */
	want = p->window_bytes + SLACK - have;
	if (want > p->left - have)
		want = (size_t)(p->left - have);
	if (have)
		memmove(p->window, p->at, have);
	if (spill_file_read(
		    &p->runs->disk, p->runs->fd, p->window_end, p->window + have, want, err))
		return -1;
	p->window_end += want;
	p->at = p->window;
	p->end = p->at + have + want;
	return 1;
}
