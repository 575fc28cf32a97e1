/* Arbitrary bytes through the reader of PyTorch traces: launches and what they launched, memory
 * events, ranks, steps; plainly, or with totals and the rules of key_averages; rows of ops, or of
 * what launched them. */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 100000},
		.max_record_bytes = 100000,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES,
			.key_averages = size % 2,
			.totals = size % 2,
			.rows = (enum trace_rows)(size / 2 % (TRACE_ROWS_STACKS + 1)),
			.stack_depth = size % 3},
	};

	check_read("kineto", data, size, &opt);
	return 0;
}
