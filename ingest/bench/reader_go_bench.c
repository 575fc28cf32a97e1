/* The text of `go test -bench` (golang.org/design/14313-benchmark-format): lines of results, `key:
 * value` lines, and lines of units. Results of a name that come again are those of -count. */
#include <string.h>
#include "base/text.h"
#include "ingest/bench/bench.h"

#define BENCHMARK "Benchmark"

struct go_state {
	const char *package;
	struct intern *keys;  /* "KEY", and "KEY:VALUE" */
	struct intern *units; /* of which a line says what is better: "UNIT:higher" */
};

static const struct {
	const char *word, *measure, *unit;
} units[] = {
	{"ns/op", "time", "ns"},
	{"MB/s", "throughput", "MB/s"},
	{"B/op", "memory", "B"},
	{"allocs/op", "allocs", ":lower"},
};

/* True if it is a result: name, iterations, a value and its unit. */
static bool is_result(const char *line)
{
	struct bench_word iterations, value, unit;

	if (!text_starts(line, BENCHMARK))
		return false;
	bench_word_next(&line);
	iterations = bench_word_next(&line);
	value = bench_word_next(&line);
	unit = bench_word_next(&line);
	return bench_word_is_number(&iterations) && bench_word_is_number(&value) && unit.size > 0;
}

/* "PACKAGE.NAME": names of packages may be equal. */
static const char *name_of(
	struct bench *b, const struct go_state *state, const char *at, size_t size)
{
	const char *name = bench_visible(b, at, size);

	if (text_starts(name, BENCHMARK) && name[strlen(BENCHMARK)])
		name += strlen(BENCHMARK);
	return state->package ? arena_printf(b->arena, "%s.%s", state->package, name) : name;
}

/* "B" of "text-bytes", "ns" of "p99-ns"; else the unit as it is. */
static const char *unit_behind_dash(struct bench *b, const char *unit)
{
	const char *dash = strrchr(unit, '-');
	const char *measure = dash ? bench_measure(b, dash + 1) : "";

	if (text_equal(measure, "time") || text_equal(measure, "memory"))
		return bench_unit(b, dash + 1);
	return bench_unit_word(b, unit);
}

static int add_value(struct bench *b, const struct go_state *state, struct bench_row row,
	const char *unit, struct error *err)
{
	const char *better[] = {"higher", "lower"};
	uint32_t id;

	row.measure = NULL;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (text_equal(unit, units[i].word)) {
			row.measure = units[i].measure;
			row.unit = units[i].unit;
		}
	if (!row.measure) {
		row.measure = bench_unit_name(b, unit);
		row.unit = unit_behind_dash(b, unit);
		for (size_t i = 0; i < 2 && state->units; i++) {
			const char *key = arena_printf(b->arena, "%s:%s", unit, better[i]);

			if (intern_find(state->units, key, strlen(key), &id))
				row.unit = arena_printf(b->arena, "%s:%s", row.unit, better[i]);
		}
	}
	return bench_add(b, &row, err);
}

static int add_result(
	struct bench *b, const struct go_state *state, const char *line, struct error *err)
{
	const struct bench_word word = bench_word_next(&line);
	struct bench_row row = {.benchmark = name_of(b, state, word.at, word.size)};
	const size_t repetition = bench_times_seen(b, row.benchmark);
	struct bench_word value, unit;

	row.run = bench_run(b, repetition);
	row.step = (int64_t)repetition;
	bench_word_next(&line);
	for (;;) {
		value = bench_word_next(&line);
		unit = bench_word_next(&line);
		if (unit.size == 0)
			return 0;
		row.value = bench_word_text(b, &value);
		if (add_value(b, state, row, bench_word_text(b, &unit), err) < 0)
			return -1;
	}
}

/* "--- FAIL: BenchmarkX-8", and "--- SKIP:" */
static int add_failure(struct bench *b, const struct go_state *state, const char *line,
	const char *why, struct error *err)
{
	const char *at = line + strlen("--- FAIL:");
	const struct bench_word word = bench_word_next(&at);
	struct bench_row row = {.measure = "time", .unit = "ns"};
	size_t repetition;

	row.benchmark = name_of(b, state, word.at, word.size);
	bench_not_measured(b, row.benchmark, why);
	repetition = bench_times_seen(b, row.benchmark);
	row.run = bench_run(b, repetition);
	row.step = (int64_t)repetition;
	return bench_add(b, &row, err);
}

/* "Unit UNIT better=higher" */
static void read_unit(struct bench *b, struct go_state *state, const char *line)
{
	struct bench_word unit, key;
	const char *text;

	bench_word_next(&line);
	unit = bench_word_next(&line);
	while ((key = bench_word_next(&line)).size) {
		text = bench_word_text(b, &key);
		if (!text_starts(text, "better="))
			continue;
		if (!state->units)
			state->units = intern_new(b->arena);
		text = arena_printf(
			b->arena, "%s:%s", bench_word_text(b, &unit), text + strlen("better="));
		intern_id(state->units, text, strlen(text));
	}
}

static void read_key(struct bench *b, struct go_state *state, const char *line)
{
	const char *value = strchr(line, ':') + 1;
	const char *text = bench_trimmed(b, value, strlen(value));

	if (!*text)
		text = NULL;
	if (text_starts(line, "pkg:"))
		state->package = text;
	else if (text_starts(line, "cpu:"))
		b->facts.of[BENCH_MACHINE] = text;
	else if (text) {
		const char *key = bench_visible(b, line, strcspn(line, ":"));

		bench_set_fact(b, key, text);

		/* Results of two settings in one file are taken together, which is said. */
		const char *pair = arena_printf(b->arena, "%s: %s", key, text);
		uint32_t id;

		if (!state->keys)
			state->keys = intern_new(b->arena);
		if (intern_find(state->keys, key, strlen(key), &id) &&
			!intern_find(state->keys, pair, strlen(pair), &id)) {
			text_clear(&b->scratch);
			text_printf(&b->scratch, "%s: %s", b->out->path, pair);
			issue_add(&b->out->issues, ISSUE_LOSS, "bench-settings",
				"settings that change within the file: results of one name are "
				"taken together",
				1, text_string(&b->scratch));
		}
		intern_id(state->keys, key, strlen(key));
		intern_id(state->keys, pair, strlen(pair));
	}
}

static int go_line(struct bench *b, void *of, const char *line, struct error *err)
{
	struct go_state *state = of;

	if (is_result(line))
		return add_result(b, state, line, err);
	if (text_starts(line, "--- FAIL: " BENCHMARK))
		return add_failure(b, state, line, "FAIL", err);
	if (text_starts(line, "--- SKIP: " BENCHMARK))
		return add_failure(b, state, line, "SKIP", err);
	if (text_starts(line, "FAIL\t"))
		bench_left_out(b, "bench-package-failed",
			"packages that failed: what else they measure is not known",
			bench_trimmed(b, line + 5, strlen(line + 5)));
	else if (text_starts(line, "Unit "))
		read_unit(b, state, line);
	else if (*line >= 'a' && *line <= 'z' && strcspn(line, ": \t") == strcspn(line, ":") &&
		 strchr(line, ':'))
		read_key(b, state, line);
	return 0;
}

static int go_bench_probe(const struct probe *p)
{
	return probe_has(p, BENCHMARK) && bench_probe_lines(p, is_result) ? 75 : 0;
}

static const struct bench_lines lines = {.framework = "Go testing",
	.repeats = true,
	.state_bytes = sizeof(struct go_state),
	.line = go_line};

const struct reader reader_go_bench = {
	.name = "go-bench",
	.title = "Go benchmarks",
	.summary = "text of Go's benchmarks (go test -bench=. -count=10 > FILE.txt)",
	.suffixes = BENCH_TEXT,
	.probe = go_bench_probe,
	.read = bench_read_lines,
	.source = &lines,
};
