/* google/benchmark --benchmark_out: repetitions are of one process, aggregates of them are left
 * out. */
#include "ingest/bench/bench_json.h"

#include <string.h>

/* Numbers of an item that are no results. */
static const char *const known[] = {"family_index", "per_family_instance_index", "repetitions",
	"repetition_index", "threads", "iterations", "real_time", "cpu_time", "max_bytes_used",
	"rms", "cv"};

static bool is_counter(const struct bench_node *member)
{
	if (member->value.kind != '0')
		return false;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (json_equal(&member->key, known[i]))
			return false;
	return true;
}

static bool is_aggregate(const struct bench_node *item)
{
	return bench_is_at(item, "run_type", "aggregate");
}

static const char *name_of(struct bench *b, const struct bench_node *item)
{
	const char *name = bench_text_at(b, item, "run_name");

	return name ? name : bench_text_at(b, item, "name");
}

/* Counters are plain members beside the times: a rate has "_per_second" in its name. */
static int add_counters(
	struct bench *b, const struct bench_node *item, struct bench_row row, struct error *err)
{
	struct bench_node members = *item, member;

	while (bench_next(&members, &member)) {
		if (!is_counter(&member))
			continue;
		row.measure = bench_key(b, &member);
		row.unit = text_equal(row.measure, "bytes_per_second")	 ? "B/s"
			   : text_equal(row.measure, "items_per_second") ? "items/s"
									 : NULL;
		row.value = bench_number(b, &member);
		if (bench_add(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

static int add_times(
	struct bench *b, const struct bench_node *item, struct bench_row row, struct error *err)
{
	const struct bench_node real = bench_at(item, "real_time"),
				cpu = bench_at(item, "cpu_time");
	const char *unit = bench_text_at(b, item, "time_unit");

	row.unit = unit ? unit : "ns";
	row.value = bench_number(b, &real);
	row.measure = "time";
	if (real.value.kind && bench_add(b, &row, err) < 0)
		return -1;
	row.value = bench_number(b, &cpu);
	row.measure = "cpu";
	return cpu.value.kind ? bench_add(b, &row, err) : 0;
}

/* A file with aggregates alone (--benchmark_report_aggregates_only) has the mean as its one
 * value. */
static bool is_mean(const struct bench_node *item)
{
	const struct bench_node name = bench_at(item, "aggregate_name");

	return name.value.kind == 0 || bench_is_at(item, "aggregate_name", "mean");
}

static int add_item(struct bench *b, const struct bench_node *item, const char *name,
	struct intern *iterated, struct error *err)
{
	const struct bench_node index = bench_at(item, "repetition_index");
	struct bench_row row = {.benchmark = name};
	uint64_t repetition;
	uint32_t id;

	/* The message of an item that failed or was skipped */
	const char *message = bench_text_at(b, item, "error_message");

	if (!message)
		message = bench_text_at(b, item, "skip_message");
	const char *why =
		bench_is_true_at(item, "error_occurred") || bench_is_true_at(item, "skipped")
			? message ? message : ""
			: NULL;

	if (is_aggregate(item)) {
		if (intern_find(iterated, name, strlen(name), &id))
			return 0;
		if (!is_mean(item)) {
			bench_left_out(b, "bench-aggregate",
				"aggregates that are no mean, of benchmarks without iterations",
				name);
			return 0;
		}
		repetition = bench_times_seen(b, name);
	} else {
		const size_t seen = bench_times_seen(b, name);

		if (!json_unsigned(&index.value, &repetition) || repetition < seen)
			repetition = seen;
	}
	row.run = bench_run(b, repetition);
	row.step = (int64_t)repetition;
	if (!why && bench_at(item, "real_time").value.kind == 0)
		why = "no real_time";
	if (why) {
		bench_not_measured(b, name, why);
		row.measure = "time";
		row.unit = "ns";
		return bench_add(b, &row, err);
	}
	return add_times(b, item, row, err) < 0 ? -1 : add_counters(b, item, row, err);
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	const struct bench_node list = bench_at(root, "benchmarks");
	struct intern *iterated =
		intern_new(b->arena); /* what the file has more of than aggregates */
	struct bench_node items = list, item;
	const char *name;

	while (bench_next(&items, &item))
		if ((name = name_of(b, &item)) && !is_aggregate(&item))
			intern_id(iterated, name, strlen(name));
	for (items = list; bench_next(&items, &item);)
		if ((name = name_of(b, &item)) && add_item(b, &item, name, iterated, err) < 0)
			return -1;
	return 0;
}

static const struct bench_shape shape = {
	.framework = "google/benchmark",
	.repeats = true,
	.each = each,
};

const struct reader reader_google_benchmark = {
	.name = "google-benchmark",
	.title = "google/benchmark results",
	.summary = "times of google/benchmark (--benchmark_out=FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {80, "{",
		{{"\"benchmarks\"", "\"time_unit\"", "\"cpu_time\""},
			{"\"benchmarks\"", "\"library_build_type\""},
			{"\"benchmarks\"", "\"family_index\""}}},
	.read = bench_read_json,
	.source = &shape,
};
