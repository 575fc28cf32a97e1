/*
 * criterion: samples of one process are steps, an estimate is a mean.
 */
#include "base/number.h"
#include "base/text.h"
#include "ingest/bench/bench_json.h"
#include <string.h>

/* The name in benchmark.json beside the file; NULL: there is none. */
static const char *name_beside(struct bench *b, size_t folder_bytes)
{
	const char *path =
		arena_printf(b->arena, "%.*sbenchmark.json", (int)folder_bytes, b->out->path);
	const char *name = NULL;
	struct bench_beginning begin;
	struct probe probe;
	struct input *in;

	if (b->out->is_stdin || !(in = probe_file(path, path, &probe, NULL)))
		return NULL;
	bench_beginning_open(&begin, &probe);
	name = bench_text_at(b, &begin.root, "full_id");
	bench_beginning_close(&begin);
	input_close(in);
	return name;
}

/* Else "GROUP/FUNCTION" of .../GROUP/FUNCTION/new/sample.json. */
static const char *name_of(struct bench *b)
{
	const char *path = b->out->path, *end = text_base_name(path), *from;
	const char *name = name_beside(b, (size_t)(end - path));

	if (name)
		return name;
	if (end - path < 5 || memcmp(end - 5, "/new/", 5) != 0)
		return "benchmark";
	end -= 5;
	from = end;
	for (size_t parts = 0; from > path && parts < 2; from--)
		parts += from[-1] == '/';
	while (from < end && *from == '/')
		from++;
	from += text_starts(from, "criterion/") ? strlen("criterion/") : 0;
	return bench_visible(b, from, (size_t)(end - from));
}

/* Times of samples are those of all their iterations. */
static int add_samples(
	struct bench *b, const struct bench_node *root, struct bench_row row, struct error *err)
{
	struct bench_node times = bench_at(root, "times"), iters = bench_at(root, "iters"), time,
			  iter;
	double ns, n;

	for (; bench_next(&times, &time) && bench_next(&iters, &iter); row.step++) {
		char digits[NUMBER_TEXT_SIZE];

		row.value = bench_number(b, &time);
		if (row.value && number_parse_real(row.value, strlen(row.value), &ns) &&
			bench_real(&iter, &n) && n > 0)
			row.value = arena_strdup(b->arena, number_format_shortest(digits, ns / n));
		if (bench_add(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_row row = {.benchmark = name_of(b), .measure = "time", .unit = "ns"};
	const struct bench_value mean = {
		.path = "mean.point_estimate", .measure = "time", .unit = "ns"};

	if (bench_at(root, "times").value.kind)
		return add_samples(b, root, row, err);
	return bench_add_values(b, root, row.benchmark, &mean, NULL, err);
}

static const struct bench_shape shape = {.framework = "criterion", .each = each};

const struct reader reader_criterion = {
	.name = "criterion",
	.title = "criterion samples or estimates",
	.summary = "one benchmark of criterion (new/sample.json, new/estimates.json)",
	.suffixes = BENCH_JSON,
	.signs = {80, "{", {{"\"iters\"", "\"times\""}, {"\"point_estimate\"", "\"std_dev\""}}},
	.read = bench_read_json,
	.source = &shape,
};
