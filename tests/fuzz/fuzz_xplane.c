/* Arbitrary bytes through the reader of XPlane files: planes, tables before and behind their lines,
 * steps on host and device, stats of all kinds, programs; with and without totals, markers, names
 * of the user's, rows by scope, source and module. */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum trace_rows rows[] = {
		TRACE_ROWS_OPS, TRACE_ROWS_SCOPES, TRACE_ROWS_SOURCES, TRACE_ROWS_MODULES};
	struct read_options opt = {
		.limits = {.ops = 20, .steps = 50, .observations = 100000},
		.threads = size % 4,
		.max_record_bytes = 100000,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES,
			.totals = size % 2,
			.rows = rows[size / 2 % 4],
			.name = size % 3 == 0 ? "{name} {args.hlo_module} {args.x}" : NULL,
			.marker = size % 5 == 0 ? is_fuzz_step : NULL},
	};

	check_read("xplane", data, size, &opt);
	return 0;
}
