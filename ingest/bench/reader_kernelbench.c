/*
 * KernelBench: mean and spread of trials of one process, which are one run.
 */
#include "ingest/bench/bench_json.h"

/* Rows may be of another device than the name of the file says: the device is
 * part of the name. */
static int add_kernel(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	const char *hardware = bench_text_at(b, item, "hardware");
	const struct bench_value mean = {.path = "mean", .measure = "time", .unit = "ms"};

	if (hardware)
		name = arena_printf(b->arena, "%s [%s]", name, hardware);
	return bench_add_values(b, item, name, &mean, NULL, err);
}

static const struct bench_shape level_shape = {.list = "", .item = add_kernel};

static int each(struct bench *b, const struct bench_node *root, size_t index, size_t count,
	struct error *err)
{
	struct json_walk walk = root->inside;
	struct bench_node level;

	(void)index;
	(void)count;
	while (bench_next(root, &walk, &level)) {
		b->prefix = arena_printf(b->arena, "%s/", bench_key(b, &level));
		if (bench_shape_read(b, &level, &level_shape, err) < 0)
			return -1;
	}
	return 0;
}

static int kernelbench_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_json(in, out, opt, each, err);
}

static int kernelbench_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"num_trials\"") && probe_has(p, "\"mean\"") &&
			       probe_has(p, "\"std\"")
		       ? 85
		       : 0;
}

const struct reader reader_kernelbench = {
	.name = "kernelbench",
	.title = "KernelBench times",
	.summary = "means of KernelBench (results/timing/*.json)",
	.suffixes = BENCH_JSON,
	.probe = kernelbench_probe,
	.read = kernelbench_read,
};
