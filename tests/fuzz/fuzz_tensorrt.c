/* Arbitrary bytes through the readers of what TensorRT's trtexec exports: times of inferences and
 * averages of layers. A description of layers is read where the profile lies, so it goes through
 * the reader from a file. */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include "ingest/tensorrt/tensorrt.h"
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int count_event(void *context, const struct event_row *row, struct error *err)
{
	(void)err;
	require(row->event->dur_ps >= 0 && row->op && row->lane);
	++*(size_t *)context;
	return 0;
}

/* In a folder that is gone afterwards: X.graph.json beside X.profile.json. */
static void check_layers(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/fuzz_tensorrt_XXXXXX", path[64], beside[64];
	struct arena *arena = arena_new();
	struct issue_list issues;
	FILE *f;

	require(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/x.profile.json", folder);
	snprintf(beside, sizeof(beside), "%s/x.graph.json", folder);
	f = fopen(path, "wb");
	require(f && fclose(f) == 0);
	f = fopen(beside, "wb");
	require(f && fwrite(data, 1, size, f) == size && fclose(f) == 0);
	issue_list_init(&issues, arena);
	const struct layer_info *info = layer_info_beside(path, 100000, arena, &issues);

	if (info) {
		const char *type = layer_info_type(info, "a", 1);

		require(!type || *type);
	}
	arena_free(arena);
	require(remove(path) == 0 && remove(beside) == 0 && rmdir(folder) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t events = 0;
	struct read_options opt = {
		.limits = {.ops = 20, .steps = 50, .observations = 100000},
		.max_record_bytes = 100000,
		.calls = size % 2,
		.trace = {.sink = size % 3 ? count_event : NULL, .sink_context = &events},
	};

	check_read("tensorrt", data, size, &opt);
	check_read("tensorrt-profile", data, size, &opt);
	if (size % 8 == 0) /* files are slow */
		check_layers(data, size);
	return 0;
}
