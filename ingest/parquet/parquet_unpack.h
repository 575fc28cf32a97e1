/*
 * The compression of Parquet's pages, by libraries.
 */
#ifndef STEPSTAT_INGEST_PARQUET_PARQUET_UNPACK_H
#define STEPSTAT_INGEST_PARQUET_PARQUET_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include "ingest/parquet/parquet_format.h"

const char *parquet_codec_name(enum parquet_codec codec); /* "BROTLI" */
bool parquet_codec_known(enum parquet_codec codec);	  /* is it one that is unpacked here? */

/* Packed bytes to exactly `size` others. False: they are damaged. */
bool parquet_unpack(enum parquet_codec codec, const unsigned char *packed, size_t packed_size,
	unsigned char *out, size_t size);

#endif
