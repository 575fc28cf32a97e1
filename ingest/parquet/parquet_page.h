/* Pages of a column: their heads, and their bytes, unpacked by libraries; and small numbers in them
 * as Parquet packs these: runs of one value and groups of eight, bit by bit (its "RLE/bit-packing
 * hybrid"), for levels and for places in a dictionary. It does not know how values are written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ingest/parquet/parquet_file.h"
#include "ingest/parquet/parquet_format.h"

struct parquet_page_head {
	int32_t type; /* enum parquet_page */
	size_t bytes, packed_bytes;
	uint32_t values; /* nulls included */
	int32_t encoding, definition_encoding;
	/* Fields of the second version: */
	size_t definition_bytes, repetition_bytes; /* before the values, never packed */
	bool is_packed;
	bool has_crc;
	uint32_t crc; /* of the packed bytes */
};

/* The bytes of a page, with one more behind them. */
struct parquet_buffer {
	unsigned char *bytes;
	size_t size;
};

/* Room for `size` bytes and one more, in place of what the buffer held. ERROR_LIMIT: the columns of
 * the file hold too much at one time. */
int parquet_buffer_room(
	struct parquet_file *file, struct parquet_buffer *buffer, size_t size, struct error *err);
void parquet_buffer_release(struct parquet_file *file, struct parquet_buffer *buffer);

/* The head of the page at *at, which is moved to the bytes of the page. */
int parquet_page_head_read(struct parquet_file *file, const struct parquet_chunk *chunk,
	uint64_t *at, struct parquet_page_head *head, struct error *err);
/* The bytes of the page into `out`; *at is moved behind them. Packed ones are in memory meanwhile,
 * and not counted: page_most at most. */
int parquet_page_read(struct parquet_file *file, const struct parquet_chunk *chunk, uint64_t *at,
	const struct parquet_page_head *head, struct parquet_buffer *out, struct error *err);

/* ---- compression ---- */

const char *parquet_codec_name(enum parquet_codec codec); /* "BROTLI" */
bool parquet_codec_known(enum parquet_codec codec);	  /* true if it is unpacked here */

/* ---- runs of small numbers ---- */

#define BIT_RUNS_WIDTH_MOST 32

struct bit_runs {
	const unsigned char *at, *end;
	unsigned width;	    /* bits of a value, 0 to BIT_RUNS_WIDTH_MOST */
	uint64_t same_left; /* of the run of one value */
	uint32_t same;
	uint64_t packed_left;	     /* of the groups */
	const unsigned char *packed; /* where they begin, and at which bit we are */
	uint64_t bit;
};

void bit_runs_init(struct bit_runs *runs, const unsigned char *bytes, size_t size, unsigned width);
/* A run begins; false when there is none, or it is damaged. */
bool bit_runs_more(struct bit_runs *runs);
uint32_t bit_runs_packed(struct bit_runs *runs);
/* Skips so many values; *ones: those that are 1, where they have one bit. False as
 * bit_runs_next. */
bool bit_runs_skip(struct bit_runs *runs, uint64_t count, uint64_t *ones);

/* The next value; in the header, as it is called for each. False past the end, or where the runs
 * are damaged. */
static inline bool bit_runs_next(struct bit_runs *runs, uint32_t *value)
{
	if (!runs->same_left && !runs->packed_left && !bit_runs_more(runs))
		return false;
	if (runs->same_left) {
		runs->same_left--;
		*value = runs->same;
		return true;
	}
	*value = bit_runs_packed(runs);
	return true;
}
