/* Arbitrary bytes, packed or not, through the detection and the reader of tables. */
#include <stdint.h>
#include "tests/fuzz/check_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 10000},
		.max_record_bytes = 2000,
		.kilobyte = size % 2 ? 1024 : 1000,
	};

	check_read("csv", data, size, &opt);
	return 0;
}
