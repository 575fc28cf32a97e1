/* Arbitrary bytes through the probe and the reader of every benchmark tool, and as lines of a
 * log. */
#include <stdint.h>
#include "tests/fuzz/check_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const readers[] = {"google-benchmark", "pytest-benchmark", "hyperfine", "pyperf",
	"jmh", "benchmarkdotnet", "vitest", "name-value", "bencher", "sglang-kernels",
	"kernelbench", "pytorch-oss", "asv", "julia", "criterion", "serving", "nvbench", "aiperf",
	"go-bench", "cargo-bench", "catch2", "asv-text", "tensorboard-events", "log"};

/* The words of a line, of which there are two at least. */
static int match_words(
	void *context, const char *line, const char **value, size_t *size, struct error *err)
{
	(void)context;
	(void)err;
	for (size_t i = 0; i < 3; i++) {
		value[i] = *line ? line : NULL;
		size[i] = strcspn(line, " ");
		line += size[i] + (line[size[i]] == ' ');
	}
	return value[1] != NULL;
}

static const char *const names[] = {"step", "time_ms", "tokens_per_s"};
static const struct log_lines log_words = {names, 3, match_words, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 10000},
		.max_record_bytes = 100000,
		.kilobyte = 1000,
		.log = &log_words,
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
