/* Arbitrary bytes through the reader of profiles of ONNX Runtime: runs of several threads, devices,
 * kernels; with and without totals and markers of the user's. */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 20, .steps = 50, .observations = 100000},
		.max_record_bytes = 100000,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES,
			.totals = size % 2,
			.marker = size % 5 == 0 ? is_fuzz_step : NULL},
	};

	check_read("onnxruntime", data, size, &opt);
	return 0;
}
