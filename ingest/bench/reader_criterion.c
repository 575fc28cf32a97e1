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
	const struct bench_node times = bench_at(root, "times"), iters = bench_at(root, "iters");
	struct json_walk time_walk = times.inside, iter_walk = iters.inside;
	struct bench_node time, iter;
	double ns, n;

	for (; bench_next(&times, &time_walk, &time) && bench_next(&iters, &iter_walk, &iter);
		row.step++) {
		char digits[NUMBER_TEXT_SIZE];

		row.value = bench_number(b, &time);
		if (row.value && number_parse_real(row.value, strlen(row.value), &ns) &&
			number_parse_real(iter.value.at, iter.value.size, &n) && n > 0)
			row.value = arena_strdup(b->arena, number_format_shortest(digits, ns / n));
		if (bench_add(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

static int each(struct bench *b, const struct bench_node *root, size_t index, size_t count,
	struct error *err)
{
	struct bench_row row = {.benchmark = name_of(b), .measure = "time", .unit = "ns"};
	const struct bench_value mean = {
		.path = "mean.point_estimate", .measure = "time", .unit = "ns"};

	(void)index;
	(void)count;
	b->facts.of[BENCH_FRAMEWORK] = "criterion";
	if (bench_at(root, "times").value.kind)
		return add_samples(b, root, row, err);
	return bench_add_values(b, root, row.benchmark, &mean, NULL, err);
}

static int criterion_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_json(in, out, opt, each, err);
}

static int criterion_probe(const struct probe *p)
{
	const bool is_sample = probe_has(p, "\"iters\"") && probe_has(p, "\"times\""),
		   is_estimate = probe_has(p, "\"point_estimate\"") && probe_has(p, "\"std_dev\"");

	return probe_begins(p, "{") && (is_sample || is_estimate) ? 80 : 0;
}

const struct reader reader_criterion = {
	.name = "criterion",
	.title = "criterion samples or estimates",
	.summary = "one benchmark of criterion (new/sample.json, new/estimates.json)",
	.suffixes = BENCH_JSON,
	.probe = criterion_probe,
	.read = criterion_read,
};
