/*
 * Arbitrary bytes through the reader of XPlane files: planes, tables before and behind their lines,
 * steps on host and device, stats of all kinds; with and without totals, markers and names of the
 * user's.
 */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --step-marker: names that begin with s, of which some say a number. */
static int is_step(
	void *context, const char *name, bool *numbered, int64_t *number, struct error *err)
{
	(void)context;
	(void)err;
	*numbered = name[0] == 's' && name[1] != '\0';
	*number = name[0] ? name[1] : 0;
	return name[0] == 's';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 20, .steps = 50, .observations = 100000},
		.max_record_bytes = 100000,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES,
			.totals = size % 2,
			.name = size % 3 == 0 ? "{name} {args.hlo_module} {args.x}" : NULL,
			.marker = size % 5 == 0 ? is_step : NULL},
	};

	check_read("xplane", data, size, &opt);
	return 0;
}
