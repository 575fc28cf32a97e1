/*
 * KernelBench: mean and spread of trials of one process, which are one run.
 */
#include "ingest/bench/bench_json.h"

/* Rows may be of another device than the name of the file says: the device is part of the name. */
static int add_kernel(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	const char *hardware = bench_text_at(b, item, "hardware");
	const struct bench_value mean = {.path = "mean", .measure = "time", .unit = "ms"};

	if (hardware)
		name = arena_printf(b->arena, "%s [%s]", name, hardware);
	return bench_add_values(b, item, name, &mean, NULL, err);
}

static const struct bench_shape shape = {
	.group = {""}, .group_joint = "/", .list = "", .item = add_kernel};

const struct reader reader_kernelbench = {
	.name = "kernelbench",
	.title = "KernelBench times",
	.summary = "means of KernelBench (results/timing/*.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"num_trials\"", "\"mean\"", "\"std\""}}},
	.read = bench_read_json,
	.source = &shape,
};
