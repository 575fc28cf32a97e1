/* The console report of Catch2: of each benchmark a line that ends in samples, iterations and
 * estimated time, under it the mean with its bounds, under it the standard deviation. A long name
 * stands on lines of its own above. */
#include <string.h>
#include "ingest/bench/bench.h"

struct catch_state {
	const char *above; /* the line before, where it is a name */
	const char *name;  /* of which the mean follows */
};

/* The last words of a line, from the back: up to `most`. Returns their number. */
static size_t last_words(const char *line, struct bench_word *word, size_t most)
{
	size_t end = strlen(line), n = 0;

	while (n < most) {
		size_t begin;

		while (end && strchr(" \t\r", line[end - 1]))
			end--;
		if (!end)
			break;
		for (begin = end; begin && !strchr(" \t\r", line[begin - 1]);)
			begin--;
		word[n++] = (struct bench_word){line + begin, end - begin};
		end = begin;
	}
	return n;
}

static bool is_unit(const struct bench_word *word)
{
	static const char *const units[] = {"ps", "ns", "us", "\302\265s", "\316\274s", "ms", "s"};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (bench_word_is(word, units[i]))
			return true;
	return false;
}

static bool is_whole(const struct bench_word *word)
{
	return word->size && strspn(word->at, "0123456789") >= word->size;
}

/* "NAME   100   208   7.1968 ms": *end becomes the end of the name. */
static bool is_head(const char *line, const char **end)
{
	struct bench_word word[4];

	if (last_words(line, word, 4) < 4 || !is_unit(&word[0]) ||
		!bench_word_is_number(&word[1]) || !is_whole(&word[2]) || !is_whole(&word[3]))
		return false;
	*end = word[3].at;
	return true;
}

static bool is_headline(const char *line)
{
	return strstr(line, "benchmark name") && strstr(line, "samples") &&
	       strstr(line, "iterations");
}

/* "344 ns   341 ns   349 ns" */
static int add_mean(struct bench *b, struct catch_state *state, const char *line, struct error *err)
{
	struct bench_word value = bench_word_next(&line), unit = bench_word_next(&line);
	struct bench_row row = {.benchmark = bench_distinct(b, state->name), .measure = "time"};

	state->name = NULL;
	if (bench_word_is_number(&value) && is_unit(&unit)) {
		row.value = bench_word_number(b, &value);
		row.unit = bench_word_text(b, &unit);
	} else {
		row.unit = "ns";
		bench_not_measured(b, row.benchmark, "no mean");
	}
	return bench_add(b, &row, err);
}

static int catch_line(struct bench *b, void *of, const char *line, struct error *err)
{
	struct catch_state *state = of;
	const char *end, *name;

	if (state->name)
		return add_mean(b, state, line, err);
	if (is_head(line, &end)) {
		name = bench_trimmed(b, line, (size_t)(end - line));
		state->name = *name ? name : state->above ? state->above : "benchmark";
		return 0;
	}
	state->above = bench_trimmed(b, line, strlen(line));
	if (!*state->above)
		state->above = NULL;
	return 0;
}

static int catch_end(struct bench *b, void *of, struct error *err)
{
	struct catch_state *state = of;

	return state->name ? add_mean(b, state, "", err) : 0;
}

static int catch2_probe(const struct probe *p)
{
	return bench_probe_lines(p, is_headline) ? 80 : 0;
}

static const struct bench_lines lines = {.framework = "Catch2",
	.state_bytes = sizeof(struct catch_state),
	.line = catch_line,
	.end = catch_end};

const struct reader reader_catch2 = {
	.name = "catch2",
	.title = "Catch2 benchmarks",
	.summary = "console report of Catch2's benchmarks",
	.suffixes = BENCH_TEXT,
	.probe = catch2_probe,
	.read = bench_read_lines,
	.source = &lines,
};
