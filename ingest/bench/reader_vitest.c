/*
 * vitest bench --outputJson: files, groups, benchmarks.
 */
#include "ingest/bench/bench_json.h"

static const struct bench_shape group_shape = {
	.list = "benchmarks",
	.name = {"name"},
	.value = {{"samples", "time", "ms", BENCH_STEPS}, {"mean", "time", "ms"}},
	.framework = "vitest",
};

/* Names are those of a group. */
static int each(struct bench *b, const struct bench_node *root, size_t index, size_t count,
	struct error *err)
{
	const struct bench_node files = bench_at(root, "files");
	struct json_walk file_walk = files.inside, walk;
	struct bench_node file, group;

	(void)index;
	(void)count;
	while (bench_next(&files, &file_walk, &file)) {
		const struct bench_node groups = bench_at(&file, "groups");

		walk = groups.inside;
		while (bench_next(&groups, &walk, &group)) {
			const char *name = bench_text_at(b, &group, "fullName");

			b->prefix = name ? arena_printf(b->arena, "%s > ", name) : NULL;
			if (bench_shape_read(b, &group, &group_shape, err) < 0)
				return -1;
		}
	}
	return 0;
}

static int vitest_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_json(in, out, opt, each, err);
}

static int vitest_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"files\"") && probe_has(p, "\"groups\"") &&
			       probe_has(p, "\"hz\"")
		       ? 85
		       : 0;
}

const struct reader reader_vitest = {
	.name = "vitest",
	.title = "vitest bench results",
	.summary = "means of vitest (vitest bench --outputJson=FILE.json)",
	.suffixes = BENCH_JSON,
	.probe = vitest_probe,
	.read = vitest_read,
};
