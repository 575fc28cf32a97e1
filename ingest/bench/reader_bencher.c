/*
 * bencher's metric format: {benchmark {measure {value, lower_value, upper_value}}}.
 */
#include "base/text.h"
#include "ingest/bench/bench_json.h"

/* Units of the measures that bencher has by itself. */
static const struct {
	const char *measure, *name, *unit;
} built_in[] = {
	{"latency", "time", "ns"},
	{"throughput", "throughput", "ops/s"},
	{"build-time", "time", "s"},
	{"file-size", "memory", "B"},
};

static int add_measures(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	struct bench_node members = *item, member;

	while (bench_next(&members, &member)) {
		struct bench_value value = {.path = "value", .measure = bench_key(b, &member)};

		for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++)
			if (text_equal(value.measure, built_in[i].measure)) {
				value.measure = built_in[i].name;
				value.unit = built_in[i].unit;
				break;
			}
		if (bench_add_values(b, &member, name, &value, NULL, err) < 0)
			return -1;
	}
	return 0;
}

static const struct bench_shape shape = {.list = "", .item = add_measures};

static int bencher_probe(const struct probe *p)
{
	struct bench_beginning begin;
	bool is_metric = false;

	if (!probe_begins(p, "{") || !probe_has(p, "\"value\""))
		return 0;
	bench_beginning_open(&begin, p);
	struct bench_node benchmark, measure;

	is_metric = bench_next(&begin.root, &benchmark) && benchmark.value.kind == '{' &&
		    bench_next(&benchmark, &measure) && measure.value.kind == '{' &&
		    bench_at(&measure, "value").value.kind == '0';
	bench_beginning_close(&begin);
	return is_metric ? 60 : 0;
}

const struct reader reader_bencher = {
	.name = "bencher",
	.title = "bencher metrics (BMF)",
	.summary = "metrics by benchmark and measure (bencher JSON)",
	.suffixes = BENCH_JSON,
	.probe = bencher_probe,
	.read = bench_read_json,
	.source = &shape,
};
