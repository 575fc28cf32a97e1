/* Results of serving benchmarks: vLLM's `bench serve` (a flat object a file), SGLang's
 * bench_serving (one a line), and vLLM's `bench latency` and `bench throughput`. Means and
 * percentiles are measures of the run; where details were saved each request is a step. */
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "ingest/bench/bench.h"
#include "ingest/bench/bench_json.h"

struct serving {
	const struct bench_node *root;
	const char *run, *name;
	double requests; /* that are measured; 0: it does not say */
	bool has_details;
};

static const struct {
	const char *key, *measure, *unit;
} rates[] = {
	{"request_throughput", "request_throughput", "req/s"},
	{"request_goodput", "request_goodput", "req/s"},
	{"request_goodput:", "request_goodput", "req/s"},
	{"output_throughput", "output_throughput", "tokens/s"},
	{"input_throughput", "input_throughput", "tokens/s"},
	{"total_token_throughput", "total_throughput", "tokens/s"},
	{"total_throughput", "total_throughput", "tokens/s"},
	{"max_output_tokens_per_s", "max_output_throughput", "tokens/s"},
	{"requests_per_second", "request_throughput", "req/s"},
	{"tokens_per_second", "total_throughput", "tokens/s"},
};

static bool real_at(const struct bench_node *of, const char *path, double *out)
{
	const struct bench_node node = bench_at(of, path);

	return bench_real(&node, out);
}

static int add(struct bench *b, const struct serving *s, const char *measure, const char *value,
	const char *unit, struct error *err)
{
	return bench_add(b,
		&(struct bench_row){.run = s->run,
			.benchmark = s->name,
			.measure = measure,
			.value = value,
			.unit = unit},
		err);
}

static int add_rates(struct bench *b, const struct serving *s, struct error *err)
{
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		const struct bench_node node = {.value = bench_at(s->root, rates[i].key).value};
		const char *value = bench_number(b, &node);

		if (value && add(b, s, rates[i].measure, value, rates[i].unit, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- means and percentiles ---- */

/* "p99.9_ttft_ms", "mean_e2el_ms", "median_tpot" (in s): *measure becomes the name without the
 * unit. */
static bool is_summary(
	struct bench *b, const char *key, const char **measure, const char **unit, double *percent)
{
	static const char *const of[] = {"ttft", "tpot", "itl", "e2el", "e2e_latency"};
	const char *what = strchr(key, '_');
	size_t size;

	*percent = 0;
	if (!what)
		return false;
	if (*key == 'p' && !number_parse_real(key + 1, (size_t)(what - key) - 1, percent))
		return false;
	if (text_starts(key, "median_"))
		*percent = 50;
	else if (*key != 'p' && !text_starts(key, "mean_"))
		return false;
	what++;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		size = strlen(of[i]);
		if (!text_starts(what, of[i]))
			continue;
		if (!what[size] || text_equal(what + size, "_s"))
			*unit = "s";
		else if (text_equal(what + size, "_ms"))
			*unit = "ms";
		else
			continue;
		*measure = arena_strndup(b->arena, key, (size_t)(what - key) + size);
		return true;
	}
	return false;
}

/* ---- requests ---- */

/* Times of a request, in s; below 0: nothing. */
struct request {
	double ttft, e2e, tokens, gaps, gap_count;
};

static double sum_of(struct bench_node list, double *count)
{
	struct bench_node item;
	double sum = 0, value;

	*count = 0;
	while (bench_next(&list, &item))
		if (number_parse_real(item.value.at, item.value.size, &value)) {
			sum += value;
			++*count;
		}
	return sum;
}

static int add_seconds(struct bench *b, const struct serving *s, const char *measure, double value,
	int64_t step, struct error *err)
{
	char digits[NUMBER_TEXT_SIZE];
	struct bench_row row = {
		.run = s->run, .step = step, .benchmark = s->name, .measure = measure, .unit = "s"};

	if (value >= 0)
		row.value = arena_strdup(b->arena, number_format_real(digits, value, 15));
	return bench_add(b, &row, err);
}

static int add_request(struct bench *b, const struct serving *s, struct request r, bool failed,
	int64_t step, struct error *err)
{
	const bool has_gaps = r.gap_count > 0;

	if (failed)
		r = (struct request){-1, -1, -1, -1, -1};
	if (r.e2e < 0 && r.ttft >= 0 && has_gaps)
		r.e2e = r.ttft + r.gaps;
	if ((r.ttft >= 0 || failed) && add_seconds(b, s, "ttft", r.ttft, step, err) < 0)
		return -1;
	if (r.e2e >= 0 && add_seconds(b, s, "e2e", r.e2e, step, err) < 0)
		return -1;
	if (r.e2e >= 0 && r.ttft >= 0 && r.tokens > 1 &&
		add_seconds(b, s, "tpot", (r.e2e - r.ttft) / (r.tokens - 1), step, err) < 0)
		return -1;
	return !failed && has_gaps ? add_seconds(b, s, "itl", r.gaps / r.gap_count, step, err) : 0;
}

static bool next_of(struct bench_node *list, double *value)
{
	struct bench_node item;

	*value = -1;
	if (!bench_next(list, &item))
		return false;
	number_parse_real(item.value.at, item.value.size, value);
	return true;
}

/* Lists of the same requests, side by side. */
static int add_requests(struct bench *b, const struct serving *s, struct error *err)
{
	struct bench_node ttfts = bench_at(s->root, "ttfts"), itls = bench_at(s->root, "itls"),
			  e2es = bench_at(s->root, "latencies"),
			  lens = bench_at(s->root, "output_lens"),
			  errors = bench_at(s->root, "errors"), item;
	size_t failed_count = 0;

	for (int64_t step = 0;; step++) {
		struct request r = {.gaps = -1};
		const bool has_ttft = next_of(&ttfts, &r.ttft), has_e2e = next_of(&e2es, &r.e2e);
		bool failed = false;

		next_of(&lens, &r.tokens);
		if (bench_next(&itls, &item))
			r.gaps = sum_of(item, &r.gap_count);
		if (bench_next(&errors, &item))
			failed = item.value.kind == '"' && item.value.size > 0;
		if (!has_ttft && !has_e2e)
			break;
		failed_count += failed;
		if (add_request(b, s, r, failed, step, err) < 0)
			return -1;
	}
	issue_add(&b->out->issues, ISSUE_LOSS, "bench-request-failed",
		"requests that failed: not measured", failed_count, b->out->path);
	return 0;
}

/* ---- the whole ---- */

/* "MODEL rate=inf concurrency=16": what the load was is part of the name. */
static const char *name_of(struct bench *b, const struct bench_node *root)
{
	static const char *const keys[][2] = {{"request_rate", "rate"},
		{"max_concurrency", "concurrency"}, {"random_input_len", "input"},
		{"random_output_len", "output"}};
	const char *name = bench_text_at(b, root, "model_id"), *text;

	if (!name)
		name = bench_text_at(b, root, "model");
	name = name ? name : "serving";
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if ((text = bench_text_at(b, root, keys[i][0])))
			name = arena_printf(b->arena, "%s %s=%s", name, keys[i][1], text);
	return name;
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	const struct bench_node ttfts = bench_at(root, "ttfts"), e2es = bench_at(root, "latencies");
	struct serving s = {.root = root,
		.name = name_of(b, root),
		.run = b->count > 1 ? bench_run(b, b->index) : NULL};
	double failed = 0;

	s.has_details = bench_count(ttfts) > 0 || bench_count(e2es) > 0;
	if (!real_at(root, "completed", &s.requests) && !real_at(root, "num_prompts", &s.requests))
		s.requests = (double)bench_count(e2es);
	b->facts.of[BENCH_FRAMEWORK] = bench_text_at(b, root, "backend");
	if (real_at(root, "failed", &failed) && failed >= 1 && !s.has_details)
		issue_add(&b->out->issues, ISSUE_LOSS, "bench-request-failed",
			"requests that failed: not measured", (size_t)failed, b->out->path);
	if (add_rates(b, &s, err) < 0)
		return -1;

	struct bench_node members = *s.root, member;

	while (bench_next(&members, &member)) {
		const char *key = bench_key(b, &member), *measure, *unit, *value;
		double percent;

		if (!is_summary(b, key, &measure, &unit, &percent) ||
			(s.has_details && percent == 0) ||
			!bench_tail_is_known(b, percent, percent > 0 ? s.requests : 0, key))
			continue;
		value = bench_number(b, &member);
		if (value && add(b, &s, measure, value, unit, err) < 0)
			return -1;
	}
	return s.has_details ? add_requests(b, &s, err) : 0;
}

static const struct bench_shape shape = {.each = each};

const struct reader reader_serving = {
	.name = "serving",
	.title = "serving benchmark",
	.summary = "results of vLLM (vllm bench serve --save-result) and SGLang (bench_serving)",
	.suffixes = (const char *const[]){".json", ".jsonl", NULL},
	.signs = {75, "{",
		{{"\"request_throughput\""}, {"\"ttfts\"", "\"itls\""},
			{"\"avg_latency\"", "\"latencies\""},
			{"\"requests_per_second\"", "\"elapsed_time\""}}},
	.read = bench_read_json,
	.source = &shape,
};
