/* The footer of a Parquet file: its columns, and where the chunk of each lies in each group of
 * rows. It reads no pages (ingest/parquet/parquet_column.h) and does not know what columns are
 * for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "ingest/input/span_file.h"
#include "ingest/parquet/parquet_format.h"

/* Meaning of the values of a column, beyond their type. */
enum parquet_meaning {
	MEANING_PLAIN,	   /* numbers, texts and truth values as they are */
	MEANING_UNSIGNED,  /* integers */
	MEANING_DECIMAL,   /* integers, divided by 10^scale */
	MEANING_DATE,	   /* days since 1970-01-01 */
	MEANING_TIMESTAMP, /* units of `scale` ns since 1970: texts, and no numbers */
	MEANING_OTHER,	   /* cannot be read: what is nested, times of day, UUIDs, ... */
};

/* A column: a child of the root of the schema. */
struct parquet_field {
	const char *name;
	enum parquet_type type;
	size_t fixed_bytes; /* of PARQUET_FIXED */
	bool optional;
	enum parquet_meaning meaning;
	const char *word; /* of MEANING_TIMESTAMP and MEANING_OTHER: "a point in time" */
	int scale;
	size_t chunk; /* its place among the chunks of a group */
};

/* The values of a column in a group of rows. */
struct parquet_chunk {
	enum parquet_type type;
	enum parquet_codec codec;
	uint64_t values;  /* nulls included */
	uint64_t at, end; /* in the file */
};

struct parquet_file {
	const struct span_file *span;
	struct arena *arena;
	size_t page_most;   /* bytes of a page, packed or not, and of the footer */
	size_t buffer_left; /* bytes that buffers of columns may still take together */
	size_t threads;	    /* that may read parts of it: the caller's to set */
	uint64_t rows;
	struct parquet_field *field;
	size_t field_count;
	/* State of parquet_group_next: */
	uint64_t data_end;			 /* where the footer begins */
	const unsigned char *group, *footer_end; /* the groups that were not read yet */
	size_t groups_left;
	uint32_t group_number; /* of the group that was read last, from 1 */
	struct parquet_chunk *chunk;
	size_t chunk_count; /* of each group: all leaves of the schema */
};

/* Reads and checks the footer. The span and the arena are the caller's and outlive the file. */
int parquet_file_open(struct parquet_file *file, const struct span_file *span, size_t page_most,
	struct arena *arena, struct error *err);
/* The next group of rows, its chunks in file->chunk: 1, 0 at the end, -1. */
int parquet_group_next(struct parquet_file *file, uint64_t *rows, struct error *err);
