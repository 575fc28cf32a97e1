/* Arbitrary bytes as a Perfetto trace: packets, names, clocks, tracks, pairs; by the dialect of any
 * producer and by PyTorch's, and each event as JSON. */
#include <stdint.h>
#include "ingest/chrome/trace_scan.h"
#include "tests/fuzz/check_profile.h"

#define RECORD_MOST ((size_t)100000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Events have a phase, whole texts, args that are there once more when asked for by name. */
static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	const struct json_value text = trace_event_text(event);
	struct json_member arg;
	size_t at = 0;

	(void)context;
	(void)err;
	require(event->phase && text.size >= 2 && text.at[0] == '{' &&
		text.at[text.size - 1] == '}');
	while (trace_next_arg(event, &at, &arg))
		require(arg.key.kind == '"' || arg.key.size == 0);
	return 0;
}

static void scan(const void *data, size_t size)
{
	const struct trace_handler handler = {.event = on_event, .max_spill_bytes = 1 << 20};
	struct input *in = input_memory(data, size, "fuzz");
	struct arena *arena = arena_new();
	struct issue_list issues;
	struct trace_totals totals;
	struct error err = {.kind = ERROR_NONE};

	issue_list_init(&issues, arena);
	if (trace_scan(in, &handler, &issues, RECORD_MOST, &totals, &err) != 0)
		require(err.kind != ERROR_NONE && err.message[0]);
	arena_free(arena);
	input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 100000},
		.max_record_bytes = RECORD_MOST,
		.trace = {.sort_bytes = FUZZ_SORT_BYTES, .totals = size % 3 == 0},
	};

	check_read(size % 2 ? "pftrace" : "kineto", data, size, &opt);
	if (size % 4 == 1)
		scan(data, size);
	return 0;
}
