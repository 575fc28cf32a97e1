/* aiperf: profile_export.jsonl has a request a line, which is a step; profile_export_aiperf.json
 * the sums of a run. Requests of the warm-up and those that failed are apart. */
#include <string.h>
#include "base/number.h"
#include "ingest/bench/bench.h"
#include "ingest/bench/bench_json.h"

/* "tokens/sec/user" is "tokens/s/user". */
static const char *unit_of(struct bench *b, const struct bench_node *metric)
{
	const char *unit = bench_text_at(b, metric, "unit"), *at;

	if (!unit || !(at = strstr(unit, "/sec")))
		return unit ? bench_unit(b, unit) : NULL;
	return bench_unit(
		b, arena_printf(b->arena, "%.*s/s%s", (int)(at - unit), unit, at + strlen("/sec")));
}

static int add_record(struct bench *b, const struct bench_node *record, struct error *err)
{
	const struct bench_node error = bench_at(record, "error");

	if (bench_is_at(record, "metadata.credit_phase", "warmup") ||
		bench_is_at(record, "metadata.benchmark_phase", "warmup")) {
		issue_add(&b->out->issues, ISSUE_INFO, "bench-warm-up",
			"requests of the warm-up, left out", 1, b->out->path);
		return 0;
	}
	if (error.value.kind == '{' || error.value.kind == '"') {
		issue_add(&b->out->issues, ISSUE_LOSS, "bench-request-failed",
			"requests that failed: not measured", 1, b->out->path);
		return 0;
	}
	if (!b->facts.of[BENCH_START])
		bench_fact(b, BENCH_START, record, "metadata.request_start_ns");

	int64_t step = (int64_t)b->index;
	struct bench_node metrics = bench_at(record, "metrics"), metric;

	while (bench_next(&metrics, &metric)) {
		const struct bench_node value = bench_at(&metric, "value");
		const struct bench_row row = {.step = step,
			.benchmark = "requests",
			.measure = bench_key(b, &metric),
			.value = bench_number(b, &value),
			.unit = unit_of(b, &metric)};

		/* Gaps between tokens are a list; their mean is inter_token_latency. */
		if (value.value.kind != '[' && bench_add(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- sums ---- */

static int add_percentiles(struct bench *b, struct bench_node metric, double requests,
	struct bench_row row, struct error *err)
{
	const char *name = row.measure, *key;
	struct bench_node member;
	double percent;

	while (bench_next(&metric, &member)) {
		key = bench_key(b, &member);
		if (*key != 'p' || !number_parse_real(key + 1, strlen(key) - 1, &percent))
			continue;
		row.measure = arena_printf(b->arena, "%s_%s", key, name);
		row.value = bench_number(b, &member);
		if (bench_tail_is_known(b, percent, requests, row.measure) && row.value &&
			bench_add(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	if (bench_at(root, "metadata").value.kind)
		return add_record(b, root, err);

	const struct bench_node count = bench_at(root, "request_count.avg");
	struct bench_node metrics = *root, metric;
	double requests = 0;

	bench_real(&count, &requests);
	while (bench_next(&metrics, &metric)) {
		const struct bench_node avg = bench_at(&metric, "avg");
		const struct bench_row row = {.benchmark = "requests",
			.measure = bench_key(b, &metric),
			.value = bench_number(b, &avg),
			.unit = unit_of(b, &metric)};

		if (metric.value.kind != '{' || avg.value.kind == 0)
			continue;
		if (bench_add(b, &row, err) < 0 ||
			add_percentiles(b, metric, requests, row, err) < 0)
			return -1;
	}
	return 0;
}

static const struct bench_shape shape = {.framework = "aiperf", .each = each};

const struct reader reader_aiperf = {
	.name = "aiperf",
	.title = "aiperf results",
	.summary = "requests of aiperf (profile_export.jsonl), or their sums "
		   "(profile_export_aiperf.json)",
	.suffixes = (const char *const[]){".json", ".jsonl", NULL},
	.signs = {90, "{",
		{{"\"metadata\"", "\"request_start_ns\"", "\"metrics\""},
			{"\"input_config\"", "\"avg\"", "\"request_latency\""}}},
	.read = bench_read_json,
	.source = &shape,
};
