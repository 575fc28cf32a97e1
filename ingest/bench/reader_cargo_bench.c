/* Texts of Rust's benchmarks: `cargo bench` (test NAME ... bench: N ns/iter (+/- M)), and criterion
 * (NAME time: [LOW UNIT MIDDLE UNIT HIGH UNIT]), whose name may stand on the line above. */
#include <string.h>
#include "base/text.h"
#include "ingest/bench/bench.h"

struct cargo_state {
	const char *name;  /* of the last "Benchmarking NAME" */
	const char *above; /* the line before */
	bool pending;	   /* the name has no result yet */
	const char *last;  /* of the last result: its throughput follows */
};

/* ---- cargo bench ---- */

static int add_test(struct bench *b, const char *line, struct error *err)
{
	const char *dots = strstr(line, " ... "), *name_end = dots, *at;
	struct bench_row row = {.measure = "time", .unit = "ns"};
	struct bench_word word, unit, sign;

	row.benchmark = bench_trimmed(b, line + 5, (size_t)(name_end - line - 5));
	at = dots + strlen(" ... ");
	word = bench_word_next(&at);
	if (bench_word_is(&word, "FAILED")) {
		row.benchmark = bench_distinct(b, row.benchmark);
		bench_not_measured(b, row.benchmark, "FAILED");
		return bench_add(b, &row, err);
	}
	if (!bench_word_is(&word, "bench:"))
		return 0; /* ignored, or a test that is no benchmark */
	row.benchmark = bench_distinct(b, row.benchmark);
	word = bench_word_next(&at);
	unit = bench_word_next(&at);
	row.value = bench_word_number(b, &word);
	row.unit = bench_unit(b, bench_word_text(b, &unit));
	row.measure = bench_measure(b, bench_word_text(b, &unit));
	if (bench_add(b, &row, err) < 0)
		return -1;
	at = strstr(at, ") = ");
	if (!at)
		return 0;
	at += 1;
	sign = bench_word_next(&at);
	word = bench_word_next(&at);
	unit = bench_word_next(&at);
	if (!sign.size || !bench_word_is_number(&word))
		return 0;
	row.value = bench_word_number(b, &word);
	row.unit = bench_unit_word(b, bench_word_text(b, &unit));
	row.measure = "throughput";
	return bench_add(b, &row, err);
}

static bool is_test(const char *line)
{
	const char *dots = strstr(line, " ... ");

	return text_starts(line, "test ") && dots > line + 4 &&
	       (text_starts(dots, " ... bench: ") || text_starts(dots, " ... FAILED"));
}

/* ---- criterion ---- */

/* The bracket behind "time:" or "thrpt:"; NULL: it is no such line. */
static const char *estimates(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	if (!at || (at > line && !strchr(" \t", at[-1])))
		return NULL;
	at += strlen(word);
	at += strspn(at, " \t");
	return *at == '[' && strchr(at, ']') ? at + 1 : NULL;
}

/* The second of the three. */
static int add_estimate(
	struct bench *b, const char *at, const char *name, const char *measure, struct error *err)
{
	struct bench_word word[4];
	struct bench_row row = {.benchmark = name, .measure = measure};

	for (size_t i = 0; i < 4; i++)
		word[i] = bench_word_next(&at);
	row.value = bench_word_number(b, &word[2]);
	row.unit = text_equal(measure, "time") ? bench_word_text(b, &word[3])
					       : bench_unit_word(b, bench_word_text(b, &word[3]));
	return bench_add(b, &row, err);
}

static void end_pending(struct bench *b, struct cargo_state *state)
{
	if (state->pending)
		bench_not_measured(b, state->name, "no result");
	state->pending = false;
}

/* "Benchmarking NAME", and with what it does: "Benchmarking NAME: Warming up for 3.0000 s" */
static void begin_benchmark(struct bench *b, struct cargo_state *state, const char *line)
{
	const char *at = line + strlen("Benchmarking "), *doing = strstr(at, ": Warming up");
	const char *name;

	if (!doing && (strstr(at, ": Collecting") || strstr(at, ": Analyzing")))
		return;
	name = bench_trimmed(b, at, doing ? (size_t)(doing - at) : strlen(at));
	if (state->pending && text_equal(state->name, name))
		return;
	end_pending(b, state);
	state->name = name;
	state->pending = true;
}

static int cargo_line(struct bench *b, void *of, const char *line, struct error *err)
{
	struct cargo_state *state = of;
	const char *time = estimates(line, "time:"), *thrpt = estimates(line, "thrpt:");

	if (is_test(line))
		return add_test(b, line, err);
	if (time) {
		const char *name = bench_trimmed(b, line, (size_t)(strstr(line, "time:") - line));

		state->last = bench_distinct(b, *name	       ? name
						: state->above ? state->above
						: state->name  ? state->name
							       : "benchmark");
		state->pending = false;
		return add_estimate(b, time, state->last, "time", err);
	}
	if (thrpt && state->last) /* of the change there is one, too, in percent */
		return strstr(thrpt, "%") ? 0
					  : add_estimate(b, thrpt, state->last, "throughput", err);
	if (text_starts(line, "Benchmarking "))
		begin_benchmark(b, state, line);
	else if (text_starts(line, "error: "))
		bench_left_out(b, "bench-package-failed",
			"packages that failed: what else they measure is not known",
			bench_trimmed(b, line, strlen(line)));
	else
		state->above = bench_trimmed(b, line, strlen(line));
	if (state->above && !*state->above)
		state->above = NULL;
	return 0;
}

static int cargo_end(struct bench *b, void *of, struct error *err)
{
	(void)err;
	end_pending(b, of);
	return 0;
}

static bool is_either(const char *line)
{
	return is_test(line) || estimates(line, "time:") != NULL;
}

static int cargo_bench_probe(const struct probe *p)
{
	return bench_probe_lines(p, is_either) ? 75 : 0;
}

static const struct bench_lines lines = {
	.state_bytes = sizeof(struct cargo_state), .line = cargo_line, .end = cargo_end};

const struct reader reader_cargo_bench = {
	.name = "cargo-bench",
	.title = "Rust benchmarks",
	.summary = "text of cargo bench, also with criterion (cargo bench > FILE.txt)",
	.suffixes = BENCH_TEXT,
	.probe = cargo_bench_probe,
	.read = bench_read_lines,
	.source = &lines,
};
