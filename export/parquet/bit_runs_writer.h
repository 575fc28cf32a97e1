/*
 * Small numbers as runs of one value and groups of eight, bit by bit: the other side of
 * ingest/parquet/parquet_page.h.
 */
#ifndef STEPSTAT_EXPORT_PARQUET_BIT_RUNS_WRITER_H
#define STEPSTAT_EXPORT_PARQUET_BIT_RUNS_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

/* Appends `count` values of `width` bits each, 0 to 32. */
void bit_runs_add(struct text *out, const uint32_t *value, size_t count, unsigned width);

#endif
