/* A Parquet file, row by row: columns of texts, integers and real numbers, texts through a
 * dictionary while that is small, packed with zstd. It holds one group of rows in memory and does
 * not know what the columns are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/output/outfile.h"
#include "base/text.h"

enum parquet_kind { PARQUET_TEXTS, PARQUET_INTEGERS, PARQUET_REALS };

struct parquet_form {
	const char *name;
	enum parquet_kind kind;
	bool required; /* has a value in every row */
};

struct parquet_writer;

/* The columns and the name of the program ("stepstat 0.1.0") are copied; the outfile stays the
 * caller's. */
struct parquet_writer *parquet_writer_new(
	struct outfile *out, const struct parquet_form *columns, size_t count, const char *program);
/* Values of the row that is made, in any order, each column once at most; without one it is null.
 * A text is UTF-8 and has no byte 0. */
void parquet_put_text(struct parquet_writer *w, size_t column, const char *text, size_t size);
/* The last text of the column once more; false where it is no longer in memory. */
bool parquet_put_again(struct parquet_writer *w, size_t column);
void parquet_put_integer(struct parquet_writer *w, size_t column, int64_t value);
void parquet_put_real(struct parquet_writer *w, size_t column, double value);
void parquet_end_row(struct parquet_writer *w);
/* The last rows and the footer. -1: packing failed (ERROR_OUTPUT); what could not be written is
 * reported by the outfile. */
int parquet_writer_finish(struct parquet_writer *w, struct error *err);
void parquet_writer_free(struct parquet_writer *w); /* NULL is fine */

/* Small numbers as runs of one value and groups of eight, bit by bit: the other side of
 * ingest/parquet/parquet_page.h. */

/* Appends `count` values of `width` bits each, 0 to 32. */
void bit_runs_add(struct text *out, const uint32_t *value, size_t count, unsigned width);
