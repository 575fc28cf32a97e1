/* asv: results of one commit on one machine, where null is a benchmark that failed; and the output
 * of `asv run`: "[ 35.00%] ... NAME 11.1+-0.01us", "failed", "n/a". Tables of parameters ("ok") are
 * not read: the JSON beside has them. */
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "ingest/bench/bench.h"
#include "ingest/bench/bench_json.h"

/* Measure and unit by the beginning of the function's name. */
static struct bench_row asv_row(const char *name)
{
	static const struct {
		const char *beginning, *measure, *unit;
	} kinds[] = {{"time", "time", "s"}, {"peakmem", "memory", "B"}, {"mem", "memory", "B"},
		{"track", "track", NULL}};
	const char *dot = strrchr(name, '.');
	struct bench_row row = {.benchmark = name, .measure = "value"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (text_starts(dot ? dot + 1 : name, kinds[i].beginning)) {
			row.measure = kinds[i].measure;
			row.unit = kinds[i].unit;
			break;
		}
	return row;
}

/* ---- results ---- */

/* Values by combination of parameters, of which the last one changes fastest. */
static const char *combination(
	struct bench *b, const char *name, const struct bench_node *params, size_t index)
{
	const char *tail = "", *value;
	char at[24];

	for (size_t i = bench_count(*params), last = i; i-- > 0;) {
		snprintf(at, sizeof(at), "%zu", i);
		const struct bench_node values = bench_at(params, at);
		const size_t n = bench_count(values);

		if (!n)
			return name;
		snprintf(at, sizeof(at), "%zu", index % n);
		value = bench_text_at(b, &values, at);
		tail = arena_printf(
			b->arena, "%s%s%s", value ? value : "", i + 1 < last ? ", " : ")", tail);
		index /= n;
	}
	return *tail ? arena_printf(b->arena, "%s(%s", name, tail) : name;
}

static int add_result(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	/* A list of columns, an object of an older version, or the value alone. */
	const bool is_object = item->value.kind == '{', is_list = item->value.kind == '[';
	struct bench_node result = is_object ? bench_at(item, "result")
				   : is_list ? bench_at(item, "0")
					     : *item;
	const struct bench_node params = is_object ? bench_at(item, "params")
					 : is_list ? bench_at(item, "1")
						   : (struct bench_node){0};
	struct bench_row row = asv_row(name);
	struct bench_node one = result;

	for (size_t i = 0; result.value.kind == '[' ? bench_next(&result, &one) : i == 0; i++) {
		row.benchmark = combination(b, name, &params, i);
		if (bench_add_node(b, row, &one, NULL, err) < 0)
			return -1;
	}
	return 0;
}

static const struct bench_shape shape = {
	.list = "results",
	.item = add_result,
	.framework = "asv",
	.fact = {{BENCH_HOST, "params.machine"}, {BENCH_MACHINE, "params.cpu"}},
};

const struct reader reader_asv = {
	.name = "asv",
	.title = "asv results",
	.summary = "results of airspeed velocity (.asv/results/MACHINE/COMMIT-ENV.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"commit_hash\"", "\"results\""}}},
	.read = bench_read_json,
	.source = &shape,
};

/* ---- what asv run prints ---- */

#define DOT "\302\267"	      /* U+00B7 */
#define PLUS_MINUS "\302\261" /* U+00B1 */

/* Behind "[ 35.00%] ...": NULL where the line is none. */
static const char *behind_percent(const char *line)
{
	const char *at = strchr(line, ']');

	if (*line != '[' || !at || at == line || at[-1] != '%')
		return NULL;
	at++;
	at += strspn(at, " ");
	if (!text_starts(at, DOT DOT DOT " "))
		return NULL;
	return at + strlen(DOT DOT DOT " ");
}

/* Name and the word behind it, of which there is no further one. */
static bool is_result(const char *line)
{
	const char *at = behind_percent(line);
	struct bench_word name, value, more;

	if (!at)
		return false;
	name = bench_word_next(&at);
	value = bench_word_next(&at);
	more = bench_word_next(&at);
	return name.size && value.size && !more.size && memchr(name.at, '.', name.size) &&
	       *name.at != '(' && !text_starts(name.at, "===");
}

/* "[  0.00%] · For project commit 4238c44d <master>:" */
static void find_commit(struct bench *b, const char *line)
{
	static const char before[] = " commit ";
	const char *at = strstr(line, DOT " For ") ? strstr(line, before) : NULL;
	struct bench_word word;

	if (!at)
		return;
	at += sizeof(before) - 1;
	word = bench_word_next(&at);
	b->facts.of[BENCH_COMMIT] = bench_visible(b, word.at, word.size);
}

static int asv_line(struct bench *b, void *state, const char *line, struct error *err)
{
	const char *at = behind_percent(line);
	struct bench_word name, value;
	struct bench_row row;

	(void)state;
	if (!is_result(line)) {
		find_commit(b, line);
		return 0;
	}
	name = bench_word_next(&at);
	value = bench_word_next(&at);
	row = asv_row(bench_word_text(b, &name));
	if (bench_word_is(&value, "ok")) {
		bench_left_out(b, "bench-asv-table",
			"tables of parameters, not read (the files in .asv/results have them)",
			row.benchmark);
		return 0;
	}
	row.benchmark = bench_distinct(b, row.benchmark);
	if (text_is_digit(*value.at)) {
		/* "11.1", and the letters behind it as a unit: "us"; of memory "k" is 1000
		 * bytes. */
		const size_t digits = strspn(value.at, "0123456789.e+-");
		const size_t size = digits < value.size ? digits : value.size;
		const char *rest = bench_visible(b, value.at + size, value.size - size);

		if (text_starts(rest, PLUS_MINUS)) {
			rest += strlen(PLUS_MINUS);
			rest += strspn(rest, "0123456789.e+-");
		}
		row.value = bench_visible(b, value.at, size);
		if (text_equal(row.measure, "memory"))
			row.unit = *rest ? arena_printf(b->arena, "%cB", *rest == 'k' ? 'K' : *rest)
					 : "B";
		else if (*rest)
			row.unit = text_equal(rest, "m") ? "min" : rest;
	} else
		bench_not_measured(b, row.benchmark, bench_word_text(b, &value));
	return bench_add(b, &row, err);
}

static int asv_text_probe(const struct probe *p)
{
	return probe_has(p, "%] " DOT) && bench_probe_lines(p, is_result) ? 80 : 0;
}

static const struct bench_lines lines = {.framework = "asv", .line = asv_line};

const struct reader reader_asv_text = {
	.name = "asv-text",
	.title = "asv run",
	.summary = "what asv run prints (asv run > FILE.txt)",
	.suffixes = BENCH_TEXT,
	.probe = asv_text_probe,
	.read = bench_read_lines,
	.source = &lines,
};
