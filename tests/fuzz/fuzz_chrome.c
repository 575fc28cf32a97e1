/* Arbitrary bytes through the reader of Chrome traces: pairs of begin and end, markers, windows,
 * single events in order. */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each event keeps what belongs to it. */
static int on_row(void *context, const struct event_row *row, struct error *err)
{
	size_t *rows = context;

	(void)err;
	require(row->process && row->lane && row->device && row->op && row->type);
	require(row->event->dur_ps >= 0 && row->self_ps >= 0 && row->self_ps <= row->event->dur_ps);
	++*rows;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct log_window windows[] = {{0, 1000000}, {5000000, INT64_MAX}};
	size_t rows = 0;
	struct read_options opt = {
		.limits = {.ops = 20, .steps = 50, .observations = 100000},
		.max_record_bytes = 100000,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES,
			.totals = size % 2,
			.marker = size % 3 == 0 ? is_fuzz_step : NULL,
			.window = windows,
			.window_count = size % 7 == 0 ? 1 + size % 2 : 0,
			.sink = on_row,
			.sink_context = &rows},
	};

	check_read("chrome", data, size, &opt);
	return 0;
}
