/* Files of benchmark tools in JSON of which a shape says all, or all but a screen: lists of results
 * with a name and values. */
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "ingest/bench/bench_json.h"

/* hyperfine --export-json: each time is that of a process. */

const struct reader reader_hyperfine = {
	.name = "hyperfine",
	.title = "hyperfine results",
	.summary = "times of commands (hyperfine --export-json FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {80, "{",
		{{"\"results\"", "\"command\"", "\"times\""},
			{"\"results\"", "\"command\"", "\"stddev\""}}},
	.read = bench_read_json,
	.source =
		&(const struct bench_shape){
			.list = "results",
			.name = {"command"},
			.value = {{"times", "time", "s", BENCH_RUNS, "exit_codes"},
				{"mean", "time", "s"},
				{"memory_usage_byte", "memory", "B", BENCH_RUNS, "exit_codes"}},
			.framework = "hyperfine",
		},
};

/* pytest-benchmark --benchmark-json: rounds of one process are its steps; without them
 * (--benchmark-save-data) there is their mean. */

const struct reader reader_pytest_benchmark = {
	.name = "pytest-benchmark",
	.title = "pytest-benchmark results",
	.summary = "rounds of pytest-benchmark (--benchmark-json=FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{",
		{{"\"machine_info\"", "\"fullname\""}, {"\"machine_info\"", "\"benchmarks\""}}},
	.read = bench_read_json,
	.source =
		&(const struct bench_shape){
			.list = "benchmarks",
			.name = {"fullname", "name"},
			.value = {{"stats.data", "time", "s", BENCH_STEPS},
				{"stats.mean", "time", "s"}},
			.framework = "pytest-benchmark",
			.fact = {{BENCH_HOST, "machine_info.node"},
				{BENCH_MACHINE, "machine_info.cpu.brand"},
				{BENCH_MACHINE, "machine_info.cpu.brand_raw"},
				{BENCH_COMMIT, "commit_info.id"},
				{BENCH_BRANCH, "commit_info.branch"}},
		},
};

/* vitest bench --outputJson: files, groups, benchmarks. */

const struct reader reader_vitest = {
	.name = "vitest",
	.title = "vitest bench results",
	.summary = "means of vitest (vitest bench --outputJson=FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"files\"", "\"groups\"", "\"hz\""}}},
	.read = bench_read_json,
	.source =
		&(const struct bench_shape){
			.framework = "vitest",
			.group = {"files", "groups"},
			.group_name = "fullName",
			.group_joint = " > ",
			.list = "benchmarks",
			.name = {"name"},
			.value = {{"samples", "time", "ms", BENCH_STEPS}, {"mean", "time", "ms"}},
		},
};

/* BenchmarkDotNet: nanoseconds of one operation in each iteration of a process. */

const struct reader reader_benchmarkdotnet = {
	.name = "benchmarkdotnet",
	.title = "BenchmarkDotNet results",
	.summary = "iterations of BenchmarkDotNet (JsonExporter.Full, *-report-full.json)",
	.suffixes = BENCH_JSON,
	.signs = {90, "{",
		{{"\"BenchmarkDotNetVersion\""}, {"\"HostEnvironmentInfo\"", "\"Statistics\""}}},
	.read = bench_read_json,
	.source =
		&(const struct bench_shape){
			.list = "Benchmarks",
			.name = {"FullName", "DisplayInfo", "Method"},
			.value = {{"Statistics.OriginalValues", "time", "ns", BENCH_STEPS},
				{"Statistics.Mean", "time", "ns"},
				{"Memory.BytesAllocatedPerOperation", "memory", "B"}},
			.framework = "BenchmarkDotNet",
			/* "Sample.Benchmarks-20200529-164431" */
			.fact = {{BENCH_MACHINE, "HostEnvironmentInfo.ProcessorName"},
				{BENCH_START, "Title"}},
		},
};

/* criterion: samples of one process are steps, an estimate is a mean. */

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
static const char *criterion_name_of(struct bench *b)
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

static int criterion_each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_row row = {.benchmark = criterion_name_of(b), .measure = "time", .unit = "ns"};
	const struct bench_value mean = {
		.path = "mean.point_estimate", .measure = "time", .unit = "ns"};

	if (bench_at(root, "times").value.kind)
		return add_samples(b, root, row, err);
	return bench_add_values(b, root, row.benchmark, &mean, NULL, err);
}

const struct reader reader_criterion = {
	.name = "criterion",
	.title = "criterion samples or estimates",
	.summary = "one benchmark of criterion (new/sample.json, new/estimates.json)",
	.suffixes = BENCH_JSON,
	.signs = {80, "{", {{"\"iters\"", "\"times\""}, {"\"point_estimate\"", "\"std_dev\""}}},
	.read = bench_read_json,
	.source = &(const struct bench_shape){.framework = "criterion", .each = criterion_each},
};

/* KernelBench: mean and spread of trials of one process, which are one run. */

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

const struct reader reader_kernelbench = {
	.name = "kernelbench",
	.title = "KernelBench times",
	.summary = "means of KernelBench (results/timing/*.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"num_trials\"", "\"mean\"", "\"std\""}}},
	.read = bench_read_json,
	.source =
		&(const struct bench_shape){
			.group = {""}, .group_joint = "/", .list = "", .item = add_kernel},
};

/* Lists of {name, unit, value, range} that people write for github-action-benchmark. */

/* One value of name_value_each; its range is a text for people. */
static int add_item(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	const char *unit = bench_text_at(b, item, "unit");
	const struct bench_value value = {.path = "value",
		.measure = bench_measure(b, unit ? unit : ""),
		.unit = unit ? bench_unit(b, unit) : NULL};

	return bench_add_values(b, item, name, &value, NULL, err);
}

static int name_value_probe(const struct probe *p)
{
	struct bench_beginning begin;
	bool is_list = false;

	if (!probe_begins(p, "["))
		return 0;
	bench_beginning_open(&begin, p);
	const struct bench_node first = bench_at(&begin.root, "0");

	is_list = bench_at(&first, "name").value.kind == '"' &&
		  bench_at(&first, "value").value.kind && bench_at(&first, "unit").value.kind;
	bench_beginning_close(&begin);
	return is_list ? 80 : 0;
}

const struct reader reader_name_value = {
	.name = "name-value",
	.title = "list of benchmarks (name, unit, value)",
	.summary = "lists of {name, unit, value} (github-action-benchmark: custom*IsBetter)",
	.suffixes = BENCH_JSON,
	.probe = name_value_probe,
	.read = bench_read_json,
	.source = &(const struct bench_shape){.list = "", .name = {"name"}, .item = add_item},
};

/* SGLang's kernel-bench: one value of each case and measurement, null where it is not
 * measured. */

/* Names are those of a case. */
static int add_case(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	struct bench_node measurements = bench_at(item, "measurements"), one;
	const char *unit = bench_text_at(b, item, "metric");
	const struct bench_node better = bench_at(item, "higher_is_better");
	const char *measure = bench_measure(b, unit ? unit : "");

	unit = unit ? bench_unit(b, unit) : "";
	if (better.value.kind && !text_equal(measure, "time"))
		unit = arena_printf(b->arena, "%s:%s", unit,
			bench_is_true_at(item, "higher_is_better") ? "higher" : "lower");
	while (bench_next(&measurements, &one)) {
		const struct bench_row row = {
			.benchmark = bench_distinct(
				b, arena_printf(b->arena, "%s/%s", name, bench_key(b, &one))),
			.unit = *unit ? unit : NULL,
			.measure = measure};

		if (bench_add_node(b, row, &one, "null", err) < 0)
			return -1;
	}
	return 0;
}

const struct reader reader_sglang_kernels = {
	.name = "sglang-kernels",
	.title = "kernel benchmarks of SGLang",
	.summary = "cases and measurements of SGLang (kernel-bench)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"cases\"", "\"measurements\"", "\"metric\""}}},
	.read = bench_read_json,
	.source =
		&(const struct bench_shape){
			.list = "cases",
			.item = add_case,
			.fact = {{BENCH_DEVICE_MODEL, "meta.device_name"}},
		},
};

/* Records of PyTorch's benchmark database, version 3: one metric each. The direction is not
 * said. */

static const char *join(struct bench *b, const char *name, const char *part)
{
	if (!part || !*part)
		return name;
	return name ? arena_printf(b->arena, "%s/%s", name, part) : part;
}

/* Several values are of shapes, where there are as many of them; else steps of one process. */
static int add_values(
	struct bench *b, const struct bench_node *record, struct bench_row row, struct error *err)
{
	struct bench_node values = bench_at(record, "metric.benchmark_values"),
			  shapes = bench_at(record, "shape"), value, shape;
	const char *name = row.benchmark;
	const bool of_shapes =
		shapes.value.kind == '[' && bench_count(shapes) == bench_count(values);

	for (size_t i = 0; bench_next(&values, &value); i++) {
		if (of_shapes && bench_next(&shapes, &shape)) {
			const char *text = bench_visible(b, shape.value.at, shape.value.size);

			row.benchmark = arena_printf(b->arena, "%s/%s", name, text);
		} else {
			row.step = (int64_t)i;
		}
		if (bench_add_node(b, row, &value, row.measure, err) < 0)
			return -1;
	}
	return 0;
}

static int add_record(struct bench *b, const struct bench_node *record, struct error *err)
{
	struct bench_row row = {.measure = bench_text_at(b, record, "metric.name")};
	const struct bench_node info = bench_at(record, "benchmark.extra_info");
	const char *name = join(b, NULL, bench_text_at(b, record, "benchmark.name"));

	name = join(b, name, bench_text_at(b, record, "model.name"));
	name = join(b, name, bench_text_at(b, record, "benchmark.mode"));
	name = join(b, name, bench_text_at(b, record, "benchmark.dtype"));
	bench_facts_named(b, record);
	bench_facts_named(b, &info);
	if (!name || !row.measure) {
		bench_left_out(b, "bench-nameless", "results without a name, not read", "record");
		return 0;
	}
	/* A metric of a name comes once; then it is of other arguments. */
	const size_t before =
		bench_times_seen(b, arena_printf(b->arena, "%s\n%s", name, row.measure));

	row.benchmark = before ? arena_printf(b->arena, "%s (%zu)", name, before + 1) : name;
	return add_values(b, record, row, err);
}

static int pytorch_each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node records = *root, record;

	if (root->value.kind == '{')
		return add_record(b, root, err);
	while (bench_next(&records, &record))
		if (add_record(b, &record, err) < 0)
			return -1;
	return 0;
}

const struct reader reader_pytorch_oss = {
	.name = "pytorch-oss",
	.title = "PyTorch benchmark records",
	.summary = "records of vLLM, torchao, helion, ExecuTorch for the PyTorch dashboard (v3)",
	.suffixes = BENCH_JSON,
	.signs = {90, NULL, {{"\"benchmark_values\"", "\"metric\""}}},
	.read = bench_read_json,
	.source = &(const struct bench_shape){.each = pytorch_each},
};

/* bencher's metric format: {benchmark {measure {value, lower_value, upper_value}}}. */

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
	.source = &(const struct bench_shape){.list = "", .item = add_measures},
};

/* JMH -rf json. */

/* "benchmark:size=10,kind=a": parameters are part of the name, the mode where it alone differs. */
static const char *jmh_name_of(struct bench *b, const struct bench_node *item)
{
	struct bench_node params = bench_at(item, "params"), param;
	const char *name = bench_text_at(b, item, "benchmark"), *mode;

	for (size_t i = 0; name && bench_next(&params, &param); i++)
		name = arena_printf(b->arena, "%s%c%s=%s", name, i ? ',' : ':',
			bench_key(b, &param), bench_text(b, &param) ? bench_text(b, &param) : "");
	if (!name || !bench_times_seen(b, name))
		return name;
	mode = bench_text_at(b, item, "mode");
	return bench_distinct(b, mode ? arena_printf(b->arena, "%s:%s", name, mode) : name);
}

/* A fork is a process, an iteration a step of it; of sampled times there is only their mean. */
static int add_metric(struct bench *b, const struct bench_node *metric, const char *name,
	const char *measure, struct error *err)
{
	const char *unit = bench_text_at(b, metric, "scoreUnit");
	struct bench_value value = {.path = "rawData", .each = BENCH_RUNS_OF_STEPS};
	bool found;

	value.unit = bench_unit(b, unit ? unit : "");
	if (measure && text_equal(measure, "throughput"))
		value.unit = arena_printf(b->arena, "%s:higher", value.unit);
	value.measure = measure ? measure : bench_measure(b, unit ? unit : "");
	if (bench_add_values(b, metric, name, &value, &found, err) < 0)
		return -1;
	value.path = "score";
	value.each = BENCH_ONE;
	return found ? 0 : bench_add_values(b, metric, name, &value, NULL, err);
}

static int jmh_each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node items = *root, item, metric;

	while (bench_next(&items, &item)) {
		const struct bench_node primary = bench_at(&item, "primaryMetric");
		struct bench_node others = bench_at(&item, "secondaryMetrics");
		const char *name = jmh_name_of(b, &item);

		if (!name)
			continue;
		if (add_metric(b, &primary, name,
			    bench_is_at(&item, "mode", "thrpt") ? "throughput" : NULL, err) < 0)
			return -1;
		while (bench_next(&others, &metric))
			if (add_metric(b, &metric, name, bench_key(b, &metric), err) < 0)
				return -1;
	}
	return 0;
}

const struct reader reader_jmh = {
	.name = "jmh",
	.title = "JMH results",
	.summary = "forks and iterations of JMH (-rf json)",
	.suffixes = BENCH_JSON,
	.signs = {90, "[",
		{{"\"primaryMetric\"", "\"jmhVersion\""}, {"\"primaryMetric\"", "\"scoreUnit\""}}},
	.read = bench_read_json,
	.source = &(const struct bench_shape){.framework = "JMH", .each = jmh_each},
};

/* BenchmarkTools.save: groups in groups. */

#define DEPTH_MOST 32

static int add_group(struct bench *b, const struct bench_node *node, const char *name, size_t depth,
	struct error *err);

/* A trial has the times of its samples, an estimate one of julia_each; both in ns. */
static int add_trial(
	struct bench *b, const struct bench_node *trial, const char *name, struct error *err)
{
	static const struct bench_value values[] = {
		{.path = "times", .measure = "time", .unit = "ns", .each = BENCH_STEPS},
		{.path = "time", .measure = "time", .unit = "ns"},
		{.path = "memory", .measure = "memory", .unit = "B"},
		{.path = "allocs", .measure = "allocs", .unit = ":lower"}};

	name = bench_distinct(b, name);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (bench_add_values(b, trial, name, &values[i], NULL, err) < 0)
			return -1;
	return 0;
}

/* ["BenchmarkGroup", {"data": {NAME: ...}}], ["Trial", {...}], ["TrialEstimate", {...}] */
static int add_group(struct bench *b, const struct bench_node *node, const char *name, size_t depth,
	struct error *err)
{
	const struct bench_node content = bench_at(node, "1");

	if (depth > DEPTH_MOST || content.value.kind != '{')
		return 0;
	if (bench_is_at(node, "0", "BenchmarkGroup")) {
		struct bench_node data = bench_at(&content, "data"), member;

		while (bench_next(&data, &member)) {
			const char *own = bench_key(b, &member);

			own = *name ? arena_printf(b->arena, "%s/%s", name, own) : own;
			if (add_group(b, &member, own, depth + 1, err) < 0)
				return -1;
		}
		return 0;
	}
	return bench_is_at(node, "0", "Trial") || bench_is_at(node, "0", "TrialEstimate")
		       ? add_trial(b, &content, *name ? name : "benchmark", err)
		       : 0;
}

static int julia_each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node groups = bench_at(root, "1"), group;

	while (bench_next(&groups, &group))
		if (add_group(b, &group, "", 0, err) < 0)
			return -1;
	return 0;
}

const struct reader reader_julia = {
	.name = "julia",
	.title = "BenchmarkTools results",
	.summary = "trials of Julia (BenchmarkTools.save)",
	.suffixes = BENCH_JSON,
	.signs = {90, "[", {{"\"BenchmarkTools\""}}},
	.read = bench_read_json,
	.source = &(const struct bench_shape){.framework = "BenchmarkTools", .each = julia_each},
};

/* pyperf -o: each run is a process, its values are steps; a run that only calibrates has none. */

static const char *metadata(struct bench *b, const struct bench_node *root,
	const struct bench_node *benchmark, const char *key)
{
	const struct bench_node own = bench_at(benchmark, "metadata"),
				common = bench_at(root, "metadata");
	const char *text = bench_text_at(b, &own, key);

	return text ? text : bench_text_at(b, &common, key);
}

/* Values of a run are those of a process; one that only calibrates has none. */
static int add_run(struct bench *b, const struct bench_node *run, struct bench_row row,
	size_t *number, struct error *err)
{
	struct bench_node values = bench_at(run, "values"), value;

	if (bench_count(values) == 0)
		return 0;
	row.run = bench_run(b, (*number)++);
	bench_fact(b, BENCH_START, run, "metadata.date");
	for (row.step = 0; bench_next(&values, &value); row.step++)
		if (bench_add_node(b, row, &value, NULL, err) < 0)
			return -1;
	return 0;
}

static int pyperf_each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node list = bench_at(root, "benchmarks"), item;

	while (bench_next(&list, &item)) {
		struct bench_node runs = bench_at(&item, "runs"), run;
		const char *name = metadata(b, root, &item, "name"),
			   *unit = metadata(b, root, &item, "unit");
		struct bench_row row = {.unit = "s", .measure = "time"};
		size_t number = 0;

		row.benchmark = bench_distinct(b, name ? name : "benchmark");
		if (unit) {
			row.unit = text_equal(unit, "integer") ? NULL : bench_unit(b, unit);
			row.measure = bench_measure(b, unit);
		}
		while (bench_next(&runs, &run))
			if (add_run(b, &run, row, &number, err) < 0)
				return -1;
		if (!number)
			bench_not_measured(b, row.benchmark, "no values");
	}
	return 0;
}

const struct reader reader_pyperf = {
	.name = "pyperf",
	.title = "pyperf results",
	.summary = "values of processes of pyperf (-o FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{",
		{{"\"runs\"", "\"benchmarks\"", "\"warmups\""},
			{"\"runs\"", "\"benchmarks\"", "\"perf_version\""},
			{"\"runs\"", "\"benchmarks\"", "\"values\""}}},
	.read = bench_read_json,
	.source =
		&(const struct bench_shape){
			.framework = "pyperf",
			.fact = {{BENCH_MACHINE, "metadata.cpu_model_name"}},
			.each = pyperf_each,
		},
};
