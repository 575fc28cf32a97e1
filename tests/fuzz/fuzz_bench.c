/*
 * Arbitrary bytes through the probe and the reader of every benchmark tool.
 */
#include <stdint.h>
#include "tests/fuzz/check_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const readers[] = {"google-benchmark", "pytest-benchmark", "hyperfine", "pyperf",
	"jmh", "benchmarkdotnet", "vitest", "name-value", "bencher", "sglang-kernels",
	"kernelbench", "pytorch-oss", "asv", "julia", "criterion", "serving", "nvbench", "aiperf",
	"go-bench", "cargo-bench", "catch2", "asv-text", "tensorboard-events"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 10000},
		.max_record_bytes = 100000,
		.kilobyte = 1000,
	};
	const struct probe probe = {.bytes = data,
		.size = size < PROBE_BYTES ? size : PROBE_BYTES,
		.whole = size < PROBE_BYTES,
		.path = "fuzz_3.json"};

	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++) {
		const int score = reader_probe(reader_find(readers[i], NULL), &probe);

		require(score >= 0 && score <= 100);
		check_read(readers[i], data, size, &opt);
	}
	return 0;
}
