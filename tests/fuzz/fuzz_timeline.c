/* Arbitrary bytes through the reader of TensorFlow timelines: rows that come after their events,
 * steps to be told apart, limits of ops and steps. */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 20, .steps = 50, .observations = 100000},
		.max_record_bytes = 100000,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES},
	};

	check_read("timeline", data, size, &opt);
	return 0;
}
