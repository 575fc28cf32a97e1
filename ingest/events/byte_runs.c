/* Chunks of sources, and the spool that full ones are copied to. */
#include "ingest/events/byte_runs.h"

#include <stdlib.h>
#include <string.h>
#include "base/order.h"

#define STRETCHES_MOST ((size_t)65536)
#define CHUNK_LEAST ((size_t)512)
#define CHUNK_MOST ((size_t)16 << 10)
#define CHUNKS_LEAST ((size_t)8) /* sources of which each has a chunk in the smallest buffer */
#define READ_BYTES ((size_t)256 << 10)

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

void byte_runs_init(struct byte_runs *r, const struct spool_options *options)
{
	struct spool_options spool = *options;

	*r = (struct byte_runs){
		.chunk_bytes_most = larger(options->memory_bytes / 2, CHUNKS_LEAST * CHUNK_LEAST)};
	spool.memory_bytes = larger(options->memory_bytes, 2 * CHUNK_MOST);
	spool_init(&r->spool, &spool);
	vec_init(&r->stretch, sizeof(struct stretch), SIZE_MAX, "stretches");
}

void byte_runs_release(struct byte_runs *r)
{
	for (size_t i = 0; i < r->source_room; i++)
		memory_free(r->source[i].chunk);
	memory_free(r->source);
	spool_release(&r->spool);
	vec_release(&r->stretch);
	*r = (struct byte_runs){.spool.fd = -1};
}

/* Makes a stretch of the chunk, which is empty then. */
static int move_chunk(struct byte_runs *r, uint32_t id, struct error *err)
{
	struct byte_source *source = &r->source[id];
	const size_t bytes = (size_t)(source->at - source->chunk);
	const uint64_t offset = spool_size(&r->spool);
	struct stretch *last =
		r->stretch.count ? (struct stretch *)r->stretch.data + r->stretch.count - 1 : NULL;

	if (spool_add(&r->spool, source->chunk, bytes, err))
		return -1;
	if (!last || last->source != id || source->is_cut) {
		last = vec_push(&r->stretch, err);
		*last = (struct stretch){.source = id,
			.is_cut = source->is_cut,
			.key = source->key,
			.number = r->stretch.count,
			.spool = &r->spool,
			.offset = offset};
	}
	last->bytes += bytes;
	source->since_cut += bytes;
	source->at = source->chunk;
	source->is_cut = false;
	return 0;
}

/* Room for so many more bytes beside all chunks, which are moved in the end. */
static bool spool_takes(const struct byte_runs *r, size_t more)
{
	return r->spool.options.max_disk_bytes > 0 ||
	       r->spool.used + r->chunk_bytes + more <= r->spool.options.memory_bytes;
}

/* 1; 0: no room for it; -1. */
static int try_to_move(struct byte_runs *r, uint32_t id, struct error *err)
{
	if (r->stretch.count >= STRETCHES_MOST || !spool_takes(r, CHUNK_MOST))
		return 0;
	return move_chunk(r, id, err) ? -1 : 1;
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
	if (bytes == CHUNK_MOST || r->chunk_bytes + more > r->chunk_bytes_most ||
		!spool_takes(r, more))
		return bytes ? try_to_move(r, id, err) : 0;
	r->chunk_bytes += more;
	source->chunk = memory_resize(source->chunk, bytes + more + SPOOL_SLACK);
	source->at = source->chunk + used;
	source->end = source->chunk + bytes + more;
	source->is_cut |= bytes == 0;
	return 1;
}

int byte_runs_cut(struct byte_runs *r, uint32_t id, struct error *err)
{
	const int got = r->source[id].at > r->source[id].chunk ? try_to_move(r, id, err) : 1;

	if (got > 0) {
		r->source[id].is_cut = true;
		r->source[id].since_cut = 0;
	}
	return got;
}

int byte_runs_adopt(struct byte_runs *r, uint32_t id, const struct byte_runs *others,
	uint64_t least, struct error *err)
{
	struct byte_source *source;

	r->source = memory_make_room_zeroed(
		r->source, &r->source_room, (size_t)id + 1, sizeof(*r->source));
	source = &r->source[id];
	if (source->at > source->chunk && move_chunk(r, id, err))
		return -1;
	for (const struct stretch *from = byte_runs_first(others, id); from->source == id; from++) {
		struct stretch *stretch = vec_push(&r->stretch, err);

		*stretch = *from;
		stretch->number = r->stretch.count;
		if (stretch->key < least)
			stretch->key = UINT64_MAX;
	}
	source->key = UINT64_MAX;
	source->is_cut = true;
	source->since_cut = 0;
	return 0;
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

	for (uint32_t i = 0; i < r->source_room; i++) {
		struct byte_source *source = &r->source[i];

		if (source->at > source->chunk && move_chunk(r, i, err))
			return -1;
		memory_free(source->chunk);
		*source = (struct byte_source){0};
	}
	if (spool_settle(&r->spool, err))
		return -1;
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
	uint64_t most = BYTE_RUNS_RECORD_MOST;

	/* Short ones of many sources need little. */
	for (const struct stretch *s = first; s < last && most < READ_BYTES; s++)
		most = s->bytes > most ? s->bytes : most;
	*p = (struct byte_pass){.next = first, .last = last};
	spool_pass_init(&p->bytes, &r->spool, most < READ_BYTES ? (size_t)most : READ_BYTES);
}

void byte_pass_release(struct byte_pass *p)
{
	spool_pass_release(&p->bytes);
}
