/*
 * The values of one column in a group of rows: collected, then written as pages with what the
 * footer says of them. Used by parquet_writer.c only.
 */
#ifndef STEPSTAT_EXPORT_PARQUET_PARQUET_CHUNK_H
#define STEPSTAT_EXPORT_PARQUET_PARQUET_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zstd.h>
#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "export/parquet/parquet_writer.h"
#include "export/parquet/thrift_writer.h"

/* Sink of the bytes, and how they get there. */
struct parquet_sink {
	struct outfile *out;
	uint64_t at; /* bytes written */
	ZSTD_CCtx *zstd;
	struct text page, packed, head; /* of the page that is made */
	bool failed;			/* zstd did */
};

void parquet_sink_write(struct parquet_sink *sink, const void *bytes, size_t size);

struct parquet_chunk_writer {
	const char *name;
	enum parquet_kind kind;
	bool required;
	uint32_t *given; /* of each row: 1 or 0 */
	size_t given_room, rows, nulls;
	union {
		int64_t *integer;
		double *real;
		uint32_t *text; /* numbers of the texts */
	} value;
	size_t value_room, count; /* values that are given */
	struct arena *arena;	  /* of the texts of this group */
	struct intern *texts;
	size_t text_bytes;  /* of different texts, as a dictionary has them */
	size_t plain_bytes; /* of all values and levels, unpacked */
};

void parquet_chunk_init(struct parquet_chunk_writer *c, const struct parquet_form *form);
void parquet_chunk_release(struct parquet_chunk_writer *c);
void parquet_chunk_text(struct parquet_chunk_writer *c, const char *text, size_t size);
void parquet_chunk_integer(struct parquet_chunk_writer *c, int64_t value);
void parquet_chunk_real(struct parquet_chunk_writer *c, double value);
/* A row without a value. */
void parquet_chunk_null(struct parquet_chunk_writer *c);
/* Writes the pages, adds the chunk to the list of columns in `meta`, and begins anew. Returns the
 * unpacked size. */
uint64_t parquet_chunk_write(
	struct parquet_chunk_writer *c, struct parquet_sink *sink, struct thrift_writer *meta);

#endif
