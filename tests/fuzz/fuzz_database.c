/* Arbitrary bytes as a database of a profiler: pages and tables that are damaged or lie, rows of
 * any values. The tables say whose it is. Plainly, with names by a template, and with rows of what
 * launched the work. */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t variant = size > 20 ? data[20] : 0; /* reserved bytes of a page: 0 in most */
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 100000},
		.max_record_bytes = 100000,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES,
			.totals = variant & 1,
			.name = variant & 2 ? "{name} {args.shortName}{args.bytes} {pid}" : NULL,
			.rows = (enum trace_rows)(variant / 4 % (TRACE_ROWS_STACKS + 1)),
			.stack_depth = 1},
	};

	check_read("nsight", data, size, &opt);
	return 0;
}
