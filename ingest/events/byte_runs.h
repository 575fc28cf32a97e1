/* Bytes of many sources, each appended to what the source has, in a spool. It does not know what
 * they mean.
 *
 * A source writes into a chunk of its own, so that sources may take turns at each record; full
 * chunks are its stretches. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/spool.h"

/* Bytes of a record at most, with those behind it that are written or read with it. */
#define BYTE_RUNS_RECORD_MOST 80

struct byte_source {
	unsigned char *at, *end; /* of its chunk: where it goes on */
	unsigned char *chunk;
	uint64_t since_cut; /* bytes before the chunk, from the last cut on */
	uint64_t key;	    /* of the last cut, or of the first record; the caller sets it, it never
			       becomes less. UINT64_MAX: nobody reads from there on */
	bool is_cut;	    /* what is in the chunk begins at a cut */
};

struct stretch {
	uint32_t source;
	bool is_cut;  /* can be read without what is before it */
	uint64_t key; /* where is_cut: of this cut */
	size_t number;
	const struct spool *spool;
	uint64_t offset, bytes;
};

struct byte_runs {
	struct spool spool;
	struct byte_source *source;
	size_t source_room;
	size_t chunk_bytes, chunk_bytes_most; /* of all chunks */
	struct vec stretch;
};

/* The memory of the options is for both spool and chunks; the texts must outlive the runs. */
void byte_runs_init(struct byte_runs *r, const struct spool_options *options);
void byte_runs_release(struct byte_runs *r);

/* True if one more record may be written at `at`, which the caller moves behind it then. */
static inline bool byte_runs_has_room(const struct byte_runs *r, uint32_t source)
{
	return source < r->source_room &&
	       r->source[source].end - r->source[source].at >= BYTE_RUNS_RECORD_MOST;
}
/* Makes this so. 1; 0: the memory is full, and no file may be made; -1. */
int byte_runs_make_room(struct byte_runs *r, uint32_t source, struct error *err);
static inline uint64_t byte_source_since_cut(const struct byte_source *source)
{
	return source->since_cut + (uint64_t)(source->at - source->chunk);
}
/* The records that follow are written so that they can be read without those before. 1, or as
 * byte_runs_make_room. */
int byte_runs_cut(struct byte_runs *r, uint32_t source, struct error *err);
/* Adds what others, which have ended, have of the source; their bytes stay where they are, and must
 * be there as long as these. Cuts with keys below `least` get UINT64_MAX. */
int byte_runs_adopt(struct byte_runs *r, uint32_t source, const struct byte_runs *others,
	uint64_t least, struct error *err);
/* No record is added after this. */
int byte_runs_end(struct byte_runs *r, struct error *err);
/* The first stretch of this source or a later one, after byte_runs_end; there is always one behind
 * the last. */
const struct stretch *byte_runs_first(const struct byte_runs *r, uint32_t source);

/* Reading of stretches that follow each other; several may read at the same time. */
struct byte_pass {
	struct spool_pass bytes;
	const struct stretch *next, *last; /* `last`: behind them */
};

void byte_pass_init(struct byte_pass *p, const struct byte_runs *r, const struct stretch *first,
	const struct stretch *last);
void byte_pass_release(struct byte_pass *p);
/* 1: a record is at bytes.at; *begun is the stretch where it is the first of one, else NULL; 0: the
 * end; -1. */
static inline int byte_pass_next(
	struct byte_pass *p, const struct stretch **begun, struct error *err)
{
	*begun = NULL;
	if (p->bytes.at == p->bytes.end && !p->bytes.left) {
		if (p->next == p->last)
			return 0;
		*begun = p->next++;
		p->bytes.spool = (*begun)->spool;
		spool_pass_begin(&p->bytes, (*begun)->offset, (*begun)->bytes);
	}
	return spool_pass_need(&p->bytes, BYTE_RUNS_RECORD_MOST, err) ? -1 : 1;
}
/* Moves behind a record. -1: these are not the bytes that were written. */
static inline int byte_pass_over(
	struct byte_pass *p, const unsigned char *record_end, struct error *err)
{
	p->bytes.at = record_end;
	return record_end > p->bytes.end ? spool_damaged(p->bytes.spool, err) : 0;
}
