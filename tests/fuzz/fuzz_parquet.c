/* Arbitrary bytes through the reader of Parquet tables: footer, pages, codecs, cells. A stream has
 * no room for a copy (max_spill_bytes is 0), so that gzip data are an error. */
#include <stdint.h>
#include "ingest/parquet/parquet_format.h"
#include "tests/fuzz/check_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 10000},
		.max_record_bytes = 1 << 16,
		.kilobyte = 1000,
	};

	if (size >= PARQUET_MAGIC_BYTES && memcmp(data, PARQUET_MAGIC, PARQUET_MAGIC_BYTES) == 0)
		check_read("parquet", data, size, &opt);
	return 0;
}
