/* Steps and ops made of the bytes one by one, as a reader would leave them, through runs, rows and
 * statistics to one writer into memory: no file, no table is read. The first bytes choose the
 * report (of one side, a comparison, a gate), its writer and a few options. What is written must be
 * text, where its format is text. */
#include <gsl/gsl_errno.h>
#include "base/text.h"
#include "analysis/gate/findings.h"
#include "model/merge.h"
#include "pipeline/page_sides.h"
#include "pipeline/report_choices.h"
#include "pipeline/two_sides.h"
#include "report/build_tables.h"
#include "report/compare/build_compare.h"
#include "report/compare/build_gate.h"
#include "report/page/build_page_compare.h"
#include "writers/writer.h"
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COUNT(x) (sizeof(x) / sizeof(*(x)))
#define RUNS_MOST 5

struct source {
	const uint8_t *at, *end;
	uint32_t random;
};

/* The bytes that are left; behind their end small numbers that depend on all of them. */
static unsigned below(struct source *s, unsigned n)
{
	if (s->at < s->end) {
		s->random = (s->random ^ *s->at) * 16777619u; /* FNV-1a */
		return *s->at++ % n;
	}
	s->random ^= s->random << 13;
	s->random ^= s->random >> 17;
	s->random ^= s->random << 5;
	return (s->random >> 8) % n;
}

static int64_t value(struct source *s, int64_t usual)
{
	static const int64_t odd[] = {CELL_ABSENT, 0, 1, 999, INT64_C(1) << 40, INT64_C(1) << 60,
		INT64_MAX, -1, INT64_MIN + 1};
	const unsigned which = below(s, 256);

	return which < COUNT(odd) ? odd[which] : usual + (int64_t)which * 1000003;
}

static uint32_t add_op(struct source *s, struct profile *p, unsigned op)
{
	static const char *const names[] = {"net/block_1/conv/Conv2D", "net/MatMul", "aten::mm",
		"ncclDevKernel_AllReduce", "a,\"b\"", "</script><b>&'", "=1+1", "x\ny", "\xff",
		"\xe2\x80\x8b\xef\xbb\xbfz", "\xf0\x9f\x9a\x80", "|`*_", "%s%n", "", "net",
		"void ns::kernel<float, ns::tile<128>>(ns::Params)"};
	static const char *const types[] = {"Conv2D", "MatMul", "kernel", "", "<b>", "cpu_op"};
	static const char *const devices[] = {"cpu:0", "gpu:0", "gpu:1", ""};
	const char *name = names[op % COUNT(names)];
	bool is_new;
	uint32_t id = profile_op(p, name, strlen(name), &is_new, &profile_limits_default);

	if (is_new) {
		p->op[id].type = types[below(s, COUNT(types))];
		p->op[id].device = devices[below(s, COUNT(devices))];
		p->op[id].params = value(s, 7);
		p->op[id].float_ops_each = below(s, 2) ? value(s, 100) : 0;
		p->op[id].defined = below(s, 2);
	}
	return id;
}

static void add_series(struct source *s, struct profile *p)
{
	static const char *const devices[] = {"gpu:0", "gpu:1"};

	for (unsigned n = below(s, 8); n > 0; n--) {
		const enum step_series_kind kind = (enum step_series_kind)below(s, SERIES_KINDS);
		const char *device = kind < SERIES_DEVICE_FIRST ? "" : devices[below(s, 2)];
		int64_t *of = step_series_add_like(&p->series, p->arena,
			&(struct step_series){.kind = kind,
				.device = device,
				.cause = kind < SERIES_PARTS_END ? "" : "load"},
			p->step_count);

		for (size_t i = 0; i < p->step_count; i++) {
			of[i] = value(s, INT64_C(400000000));
			if (of[i] < 0)
				of[i] = CELL_ABSENT;
		}
	}
}

/* A run of `steps` steps, each with some of the `ops`. */
static struct profile *make_profile(struct source *s, unsigned run, unsigned steps, unsigned ops)
{
	static const enum measure_id have[] = {MEASURE_CPU, MEASURE_ACCELERATOR, MEASURE_REQUESTED,
		MEASURE_PEAK, MEASURE_OCCURRENCE};
	static const char *const kinds[] = {NULL, NULL, "train", "eval"};
	const unsigned measures = 1 + below(s, COUNT(have));
	char path[] = "r0";
	struct error err;
	struct profile *p;

	path[1] = (char)('0' + run);
	p = profile_new(path);
	p->format = "csv";
	p->format_title = below(s, 2) ? "PyTorch profiler trace" : "TensorFlow profile";
	p->argument = run;
	for (unsigned m = 0; m < measures; m++)
		profile_have(p, have[m]);
	for (unsigned t = 0; t < steps; t++) {
		struct step step = {.number = t + below(s, 2),
			.run = path,
			.kind = kinds[below(s, 4)],
			.has_wall = below(s, 2),
			.start_ps = INT64_C(1000000000) * t,
			.end_ps = INT64_C(1000000000) * t + INT64_C(900000000),
			.busy_ps = STEP_BUSY_UNKNOWN,
			.fingerprint = run * 64 + t};
		uint32_t at;

		step.run = arena_strdup(p->arena, path);
		require(profile_add_step(p, &step, &at, &profile_limits_default, &err) == 0);
		for (unsigned op = 0; op < ops; op++) {
			size_t row;

			if (below(s, 16) == 0)
				continue;
			require(profile_observe(p, add_op(s, p, op), at, &row,
					&profile_limits_default, &err) == 0);
			for (unsigned m = 0; m < measures; m++)
				p->obs.column[have[m]][row] = value(s, 10000000 * (1 + op));
		}
	}
	add_series(s, p);
	return p;
}

static struct side *make_side(struct source *s, const struct job_settings *settings,
	const char *label, unsigned steps, unsigned ops, struct error *err)
{
	struct arena *arena = arena_new();
	struct side *side = arena_alloc(arena, sizeof(*side));
	struct merge_options merge = {.mode = RUNS_FILES, .step_time = settings->step_time};
	struct profile *profile[RUNS_MOST];
	const unsigned runs = 1 + below(s, RUNS_MOST);

	side->arena = arena;
	side->label = label;
	for (unsigned run = 0; run < runs; run++)
		profile[run] = make_profile(s, run, steps, ops);
	side->self = merge_profiles(profile, runs, &merge, err);
	for (unsigned run = 0; run < runs; run++)
		profile_free(profile[run]);
	if (side->self)
		return side;
	side_free(side);
	return NULL;
}

/* What every output of a text format must be. */
static void check_text(const struct outfile *out)
{
	size_t size;
	const char *at = outfile_data(out, &size), *end = at + size;

	while (at < end) {
		size_t length = text_utf8_length(at, (size_t)(end - at));

		require(length > 0 && *at != '\0');
		at += length;
	}
}

static void write_report(struct source *s, const struct report *report, const struct writer *writer)
{
	const unsigned bits = below(s, 256);
	const struct writer_options opt = {.width = bits & 1 ? 80 : 0,
		.complete = bits & 2,
		.fold = bits & 4,
		.long_shape = writer->has_shapes && bits & 8,
		.csv_safe = bits & 16,
		.decimal_comma = bits & 32,
		.whole_names = bits & 64,
		.file = bits & 128,
		.bars = (enum writer_bars)(bits % 3)};
	struct outfile *out = outfile_memory();
	struct error err;

	if (writer->write(report, &opt, out, &err) == 0 && !writer->binary)
		check_text(out);
	outfile_discard(out);
}

static void report_side(
	struct source *s, struct job_settings *settings, const struct writer *writer)
{
	struct side *side;
	struct build_options opt;
	struct page_sides *page = NULL;
	struct report *report;
	struct error err;

	report_choices_set_stats(settings);
	side = make_side(s, settings, "a", 1 + below(s, 7), 1 + below(s, 12), &err);
	if (!side)
		return;
	if (side_select(side, settings, &err) == 0 &&
		side_summarize(side, settings, NULL, &err) == 0 &&
		report_choices_make(settings, side, &opt, &err) == 0) {
		struct totals *totals;
		struct page_source source = {
			.self = side->self, .opt = &opt, .version = "", .command = ""};

		report = build_report(side->summary, NULL, side->self, &opt);
		source.totals = totals = totals_make(side->summary, side->self, side->arena);
		build_tables(report, totals, side->self, &opt);
		if (writer->wants_page)
			page = page_sides_make(side, settings, &source, &err);
		if (page)
			build_page(report, &source);
		write_report(s, report, writer);
		page_sides_free(page);
		report_free(report);
	}
	side_free(side);
}

static void judge(struct two_sides *v, struct policies *policies, const struct build_options *build,
	struct report *report)
{
	const struct gate_input input = {.comparison = &v->comparison,
		.compare = &v->options,
		.policies = policies,
		.today = 20000};
	struct gate gate;
	struct error err;

	report->command = "gate";
	if (gate_decide(&input, v->arena, &gate, &err) == 0)
		build_gate(report, &v->comparison, &v->options, policies, &gate, build);
}

static void report_two(
	struct source *s, struct job_settings *settings, const struct writer *writer, bool is_gate)
{
	struct arena *arena = arena_new();
	struct two_sides *v = arena_alloc(arena, sizeof(*v));
	const unsigned steps = 1 + below(s, 7), ops = 1 + below(s, 12);
	struct policies *policies = policies_new();
	struct build_options build;
	struct error err;

	v->arena = arena;
	two_sides_set_defaults(settings);
	v->base = make_side(s, settings, "base", steps, ops, &err);
	v->new_side = make_side(s, settings, "new", steps, ops, &err);
	if (v->base && v->new_side && two_sides_compare(v, settings, NULL, NULL, &err) == 0 &&
		report_choices_make(settings, v->base, &build, &err) == 0) {
		struct report *report = build_comparison(
			&v->base_runs, &v->new_runs, &v->comparison, &v->options, &build, NULL);
		const struct page_compare_source source = {.base = &v->base_runs,
			.new = &v->new_runs,
			.comparison = &v->comparison,
			.opt = &v->options,
			.build = &build,
			.command = "",
			.version = ""};

		if (is_gate)
			judge(v, policies, &build, report);
		if (writer->wants_page)
			build_page_compare(report, &source);
		write_report(s, report, writer);
		report_free(report);
	}
	policies_free(policies);
	two_sides_free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum group_by rows[] = {BY_NAME, BY_NAME, BY_TYPE, BY_DEVICE, BY_CLASS};
	struct source s = {.at = data, .end = data + size, .random = 2166136261u};
	struct arena *arena = arena_new();
	struct job_settings settings;
	const struct writer *writer = writer_table[below(&s, (unsigned)writer_count)];
	const unsigned command = below(&s, 4), bits = below(&s, 256);

	gsl_set_error_handler_off();
	job_settings_init(&settings, arena);
	settings.group.by = rows[below(&s, COUNT(rows))];
	settings.skip_absent = bits & 1;
	settings.per_run = bits & 2 && command < 2;
	settings.group.never_run = bits & 4;
	settings.value_total = bits & 8 && bits & 16;
	if (bits & 32)
		settings.top = 3;
	if (writer->write && (command > 2 || !writer->of_gate)) {
		if (command < 2)
			report_side(&s, &settings, writer);
		else
			report_two(&s, &settings, writer, command == 3);
	}
	arena_free(arena);
	return 0;
}
