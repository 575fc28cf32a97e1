/*
 * Pages of a column: their heads, and their bytes, unpacked. It does not know how values are
 * written in them.
 */
#ifndef STEPSTAT_INGEST_PARQUET_PARQUET_PAGE_H
#define STEPSTAT_INGEST_PARQUET_PARQUET_PAGE_H

#include "ingest/parquet/parquet_file.h"

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
	size_t size, room;
};

/* Room for `size` bytes and one more. ERROR_LIMIT: the columns of the file need too much. */
int parquet_buffer_room(
	struct parquet_file *file, struct parquet_buffer *buffer, size_t size, struct error *err);
void parquet_buffer_release(struct parquet_buffer *buffer);

/* The head of the page at *at, which is moved to the bytes of the page. */
int parquet_page_head_read(struct parquet_file *file, const struct parquet_chunk *chunk,
	uint64_t *at, struct parquet_page_head *head, struct error *err);
/* The bytes of the page into `out`, by way of `packed`; *at is moved behind them. */
int parquet_page_read(struct parquet_file *file, const struct parquet_chunk *chunk, uint64_t *at,
	const struct parquet_page_head *head, struct parquet_buffer *packed,
	struct parquet_buffer *out, struct error *err);

#endif
