/*
 * aiperf: profile_export.jsonl has a request a line, which is a step;
 * profile_export_aiperf.json the sums of a run. Requests of the warm-up and
 * those that failed are apart.
 */
#include "base/number.h"
#include "base/text.h"
#include "ingest/bench/bench_json.h"
#include "ingest/bench/bench_tails.h"
#include <string.h>

/* "tokens/sec/user" is "tokens/s/user". */
static const char *unit_of(struct bench *b, const struct bench_node *metric)
{
	const char *unit = bench_text_at(b, metric, "unit"), *at;

	if (!unit || !(at = strstr(unit, "/sec")))
		return unit ? bench_unit(b, unit) : NULL;
	return bench_unit(
		b, arena_printf(b->arena, "%.*s/s%s", (int)(at - unit), unit, at + strlen("/sec")));
}

static int add_request(
	struct bench *b, const struct bench_node *record, int64_t step, struct error *err)
{
	const struct bench_node metrics = bench_at(record, "metrics");
	struct json_walk walk = metrics.inside;
	struct bench_node metric;

	while (bench_next(&metrics, &walk, &metric)) {
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

static bool is_warm_up(const struct bench_node *record)
{
	const struct bench_node credit = bench_at(record, "metadata.credit_phase"),
				phase = bench_at(record, "metadata.benchmark_phase");

	return bench_is(&credit, "warmup") || bench_is(&phase, "warmup");
}

static int add_record(
	struct bench *b, const struct bench_node *record, size_t index, struct error *err)
{
	const struct bench_node error = bench_at(record, "error");

	if (is_warm_up(record)) {
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
	return add_request(b, record, (int64_t)index, err);
}

/* ---- sums ---- */

static int add_percentiles(struct bench *b, const struct bench_node *metric, double requests,
	struct bench_row row, struct error *err)
{
	struct json_walk walk = metric->inside;
	const char *name = row.measure, *key;
	struct bench_node member;
	double percent;

	while (bench_next(metric, &walk, &member)) {
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

static int add_sums(struct bench *b, const struct bench_node *root, struct error *err)
{
	const struct bench_node count = bench_at(root, "request_count.avg");
	struct json_walk walk = root->inside;
	struct bench_node metric;
	double requests = 0;

	number_parse_real(count.value.at, count.value.size, &requests);
	bench_fact(b, BENCH_START, root, "start_time");
	while (bench_next(root, &walk, &metric)) {
		const struct bench_node avg = bench_at(&metric, "avg");
		const struct bench_row row = {.benchmark = "requests",
			.measure = bench_key(b, &metric),
			.value = bench_number(b, &avg),
			.unit = unit_of(b, &metric)};

		if (metric.value.kind != '{' || avg.value.kind == 0)
			continue;
		if (bench_add(b, &row, err) < 0 ||
			add_percentiles(b, &metric, requests, row, err) < 0)
			return -1;
	}
	return 0;
}

static int each(struct bench *b, const struct bench_node *root, size_t index, size_t count,
	struct error *err)
{
	(void)count;
	b->facts.of[BENCH_FRAMEWORK] = "aiperf";
	return bench_at(root, "metadata").value.kind ? add_record(b, root, index, err)
						     : add_sums(b, root, err);
}

static int aiperf_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_json(in, out, opt, each, err);
}

static int aiperf_probe(const struct probe *p)
{
	const bool records = probe_has(p, "\"metadata\"") && probe_has(p, "\"request_start_ns\"") &&
			     probe_has(p, "\"metrics\""),
		   sums = probe_has(p, "\"input_config\"") && probe_has(p, "\"avg\"") &&
			  probe_has(p, "\"request_latency\"");

	return probe_begins(p, "{") && (records || sums) ? 90 : 0;
}

const struct reader reader_aiperf = {
	.name = "aiperf",
	.title = "aiperf results",
	.summary = "requests of aiperf (profile_export.jsonl), or their sums "
		   "(profile_export_aiperf.json)",
	.suffixes = (const char *const[]){".json", ".jsonl", NULL},
	.probe = aiperf_probe,
	.read = aiperf_read,
};
