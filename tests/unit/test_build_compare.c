/* The report of a comparison: words, folded rows, sums, notes. Numbers and lines that are expected
 * are those of the sketch that the report was designed from. */
#include <math.h>
#include "analysis/compare/comparison.h"
#include "base/text.h"
#include "report/compare/build_compare.h"
#include "report/compare/build_compare_explain.h"
#include "tests/unit/test.h"
#include "writers/writer.h"
#include "tests/unit/made_runs.h"

#define MS 1e9 /* ps */
#define RUNS 5
#define STEPS 97 /* kept, per run */
#define WARMUP 3 /* left out, per run */
#define SAME_ROWS 44
#define SMALL_ROWS 163

extern const struct writer writer_text;
extern const struct writer writer_csv;

/* One side as the report looks at it: names of runs, kept steps, numbers of ops. */
struct made_side {
	struct cube cube;
	struct step_set steps;
	struct grouping grouping;
	struct run run[RUNS];
	struct step step[RUNS * (STEPS + WARMUP)];
	uint32_t kept[RUNS * STEPS];
	size_t first[RUNS + 1];
	uint32_t run_of[RUNS];
	struct warmup warmup[RUNS];
	size_t skipped[RUNS];
};

struct made {
	struct arena *arena;
	struct made_side base_side, new_side;
	struct compare_side base, new;
	struct comparison c;
	struct compared_measure measure[2];
	struct compare_options opt;
	struct build_options build;
};

static void make_side(struct made_side *side, size_t ops)
{
	static const char *const names[RUNS] = {"run_1", "run_2", "run_3", "run_4", "run_5"};

	for (uint32_t r = 0; r < RUNS; r++) {
		size_t from = r * (STEPS + WARMUP);

		side->run[r] =
			(struct run){names[r], NULL, NULL, "", NULL, from, STEPS + WARMUP, NULL};
		side->run_of[r] = r;
		side->first[r + 1] = (r + 1) * STEPS;
		side->warmup[r] = (struct warmup){WARMUP_FOUND, WARMUP, 2.9, 1, 1};
		side->skipped[r] = WARMUP;
		for (size_t i = 0; i < STEPS + WARMUP; i++)
			side->step[from + i].number = (int64_t)i;
		for (size_t i = 0; i < STEPS; i++)
			side->kept[r * STEPS + i] = (uint32_t)(from + WARMUP + i);
	}
	side->cube = (struct cube){.run = side->run,
		.run_count = RUNS,
		.step = side->step,
		.step_count = RUNS * (STEPS + WARMUP)};
	side->steps = (struct step_set){.step = side->kept,
		.count = RUNS * STEPS,
		.first = side->first,
		.run = side->run_of,
		.run_count = RUNS,
		.warmup = side->warmup,
		.is_alike = true,
		.warmup_most = WARMUP,
		.skipped = side->skipped,
		.dropped_warmup = RUNS * WARMUP};
	side->grouping = (struct grouping){.ops = ops, .ops_kept = ops};
}

static struct run_row *run_row(struct made *t, double mean)
{
	struct run_row *row = arena_alloc(t->arena, sizeof(*row));

	*row = (struct run_row){.run = arena_array(t->arena, RUNS, sizeof(struct run_value)),
		.runs = RUNS,
		.valued = RUNS,
		.mean = mean,
		.steps = RUNS * STEPS,
		.ran = RUNS * STEPS};
	for (size_t r = 0; r < RUNS; r++)
		row->run[r] = (struct run_value){
			.steps = STEPS, .ran = STEPS, .value = mean, .scaled = log(mean)};
	return row;
}

/* Times in ms; below 0: the side has no such row. */
static struct compared compared(
	struct made *t, double base_ms, double new_ms, double change, enum verdict verdict)
{
	double base_mean = base_ms < 0 ? NAN : base_ms * MS,
	       new_mean = new_ms < 0 ? NAN : new_ms * MS;

	return (struct compared){
		.base = isnan(base_mean) ? NULL : run_row(t, base_mean),
		.new = isnan(new_mean) ? NULL : run_row(t, new_mean),
		.base_mean = base_mean,
		.new_mean = new_mean,
		.difference = (isnan(new_mean) ? 0 : new_mean) - (isnan(base_mean) ? 0 : base_mean),
		.change = change,
		.low = NAN,
		.high = NAN,
		.level = 0.95,
		.evidence = EVIDENCE_TEST,
		.diff = log1p(change),
		.se = 0.01,
		.df = 8,
		.t = 2,
		.p = 0.01,
		.q = NAN,
		.p_above = NAN,
		.q_above = NAN,
		.p_below = NAN,
		.q_below = NAN,
		.p_same = NAN,
		.margin = 0.02,
		.alpha = 0.05,
		.detectable = NAN,
		.verdict = verdict,
	};
}

static struct compared with_interval(struct compared value, double low, double high, double q)
{
	value.low = low;
	value.high = high;
	value.q = q;
	return value;
}

static struct compared exactly(double base, double new, enum verdict verdict)
{
	return (struct compared){.base_mean = base,
		.new_mean = new,
		.difference = new - base,
		.change = base > 0 ? new / base - 1 : 0,
		.low = NAN,
		.high = NAN,
		.evidence = EVIDENCE_EXACT,
		.p = NAN,
		.q = NAN,
		.detectable = NAN,
		.verdict = verdict};
}

static struct compared *add(struct made *t, const char *name, struct compared value)
{
	struct compared_row *row = &t->c.row[t->c.count++];

	*row = (struct compared_row){.name = name,
		.type = "Conv2D",
		.device = "cpu:0",
		.executions_base = NAN,
		.executions_new = NAN};
	row->value = arena_array(t->arena, 2, sizeof(*row->value));
	row->value[0] = value;
	row->value[1] = exactly(1000, 1000, VERDICT_SAME);
	row->base = value.base ? arena_alloc(t->arena, sizeof(struct group)) : NULL;
	row->new = value.new ? arena_alloc(t->arena, sizeof(struct group)) : NULL;
	if (!value.small)
		t->measure[0].verdicts[value.verdict]++;
	return row->value;
}

static void add_rows(struct made *t)
{
	struct compared small = compared(t, 0.41 / SMALL_ROWS, 0.41 / SMALL_ROWS, 0, VERDICT_NONE);
	struct compared *value;

	add(t, "gradients/unit_3_2/\342\200\246/Conv2DBackpropFilter",
		with_interval(
			compared(t, 5.80, 7.14, 0.231, VERDICT_REGRESSED), 0.204, 0.259, 1e-5));
	value = add(t, "unit_3_2/sub2/conv2/Conv2D",
		with_interval(
			compared(t, 6.21, 6.66, 0.072, VERDICT_REGRESSED), 0.05, 0.095, 0.001));
	value[1] = exactly(12.58e6, 15.10e6, VERDICT_REGRESSED);
	value[1].change = 0.2;
	add(t, "gradients/\342\200\246/FusedBatchNormGrad",
		with_interval(
			compared(t, 2.71, 2.30, -0.151, VERDICT_IMPROVED), -0.176, -0.126, 1e-5));
	value = add(t, "unit_3_2/transpose", compared(t, -1, 0.21, NAN, VERDICT_NEW));
	value->evidence = EVIDENCE_NONE;
	add(t, "logits/MatMul",
		with_interval(compared(t, 2.05, 2.09, 0.02, VERDICT_SLOWER), 0.009, 0.031, 0.009));
	value = add(t, "input/ReadFile",
		with_interval(
			compared(t, 3.94, 4.10, 0.041, VERDICT_INCONCLUSIVE), -0.17, 0.305, 0.81));
	value->detectable = 0.33;
	for (size_t i = 0; i < 2; i++)
		add(t, arena_printf(t->arena, "undecided_%zu", i),
			compared(t, 0.435, 0.435, 0, VERDICT_INCONCLUSIVE));
	add(t, "same", compared(t, 1.125, 1.135, 0.01 / 1.125, VERDICT_SAME));
	for (size_t i = 0; i < SAME_ROWS - 1; i++)
		add(t, arena_printf(t->arena, "same_%zu", i),
			compared(t, 0.435, 0.435, 0, VERDICT_SAME));
	small.small = true;
	small.evidence = EVIDENCE_NONE;
	for (size_t i = 0; i < SMALL_ROWS; i++)
		add(t, arena_printf(t->arena, "small_%zu", i), small);
}

static void make_measures(struct made *t)
{
	const struct run_table table = {.measure = MEASURE_TIME,
		.runs = RUNS,
		.cv_step = 0.026,
		.cv_run = 0.012,
		.icc = 0.18,
		.design_effect = 1 + (STEPS - 1) * 0.18,
		.n_eff_share = 1};
	struct compared_measure *m = t->measure;

	m[0].id = MEASURE_TIME;
	m[1].id = MEASURE_PEAK;
	m[0].base = m[0].new = table;
	m[0].total = with_interval(
		compared(t, 41.82, 43.62, 0.043, VERDICT_REGRESSED), 0.031, 0.055, NAN);
	m[0].small =
		with_interval(compared(t, 0.41, 0.41, 0.001, VERDICT_SAME), -0.009, 0.011, 0.9);
	m[0].small_count = SMALL_ROWS;
	m[0].family = 52;
	m[0].flagged = 4;
	m[0].flag_level_least = m[0].flag_level_most = 1 - 0.05 * 4 / 52;
	m[0].smallest_p = NAN;
	m[0].median_diff = 0.001;
	m[0].above = 27;
	m[0].below = 25;
	m[0].sign_p = 0.89;
	m[0].geomean = m[0].geomean_p = NAN;
	m[0].limit_p = 0.05;
	m[0].moderated = (struct moderated){.family = 52}; /* no prior: 8 degrees of freedom */
	/* power.t.test of R: 5 runs a side find 2.02444 sd with power 0.8. */
	m[0].sd_run = log1p(0.01) / 2.025;
	m[1].total = exactly(100e6, 100e6, VERDICT_SAME);
	m[1].smallest_p = m[1].geomean = m[1].flag_level_least = NAN;
}

static int set_up(void **state)
{
	struct made *t = calloc(1, sizeof(*t));

	t->arena = arena_new();
	make_side(&t->base_side, 214);
	make_side(&t->new_side, 215);
	t->base = (struct compare_side){.label = "base/",
		.run = {&t->base_side.cube, &t->base_side.cube, &t->base_side.steps,
			&t->base_side.grouping}};
	t->new = (struct compare_side){.label = "new/",
		.run = {&t->new_side.cube, &t->new_side.cube, &t->new_side.steps,
			&t->new_side.grouping}};
	t->c = (struct comparison){.row = arena_array(t->arena, 300, sizeof(*t->c.row)),
		.measure = t->measure,
		.measure_count = 2,
		.step_times = STEP_TIMES_BESIDE,
		.step_time_kind = STEP_TIME_SPAN,
		.pairing = {.paired = 214, .only_new = 1},
		.runs_base = RUNS,
		.runs_new = RUNS,
		.arena = t->arena};
	add_rows(t);
	make_measures(t);
	t->c.step_time =
		with_interval(compared(t, 22.1, 22.9, 0.036, VERDICT_REGRESSED), 0.022, 0.05, NAN);
	t->opt = usual_options(METHOD_MODERATED);
	t->opt.rule.min_runs = 2;
	t->opt.min_share = 0.001;
	t->build = (struct build_options){.row_noun = "op", .row_nouns = "ops", .top = 10};
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct made *t = *state;

	arena_free(t->arena);
	free(t);
	return 0;
}

static struct report *report_of(const struct made *t)
{
	return build_comparison(&t->base, &t->new, &t->c, &t->opt, &t->build, NULL);
}

/* The page with runs of blanks as one and lines without blanks at their ends. */
static char *page_of(
	const struct report *report, const struct writer *writer, bool complete, bool squeeze)
{
	const struct writer_options opt = {.complete = complete};
	struct error err;
	struct outfile *out = outfile_memory();
	size_t size, n = 0;
	const char *data;
	char *page;

	assert_int_equal(writer->write(report, &opt, out, &err), 0);
	data = outfile_data(out, &size);
	page = malloc(size + 1);
	for (size_t i = 0; i < size; i++)
		if (!squeeze || data[i] != ' ' || (n && page[n - 1] != ' '))
			page[n++] = data[i];
	page[n] = '\0';
	outfile_discard(out);
	return page;
}

static void assert_holds(const char *page, const char *line)
{
	if (!strstr(page, line))
		fail_msg("no \"%s\" in\n%s", line, page);
}

static void assert_lacks(const char *page, const char *line)
{
	if (strstr(page, line))
		fail_msg("\"%s\" in\n%s", line, page);
}

TEST_WITH(looks_like_the_sketch, set_up, tear_down)
{
	static const char *const lines[] = {
		"base/: 5 runs x 97 steps new/: 5 runs x 97 steps margin 2 %, false discoveries 5 "
		"%\n",
		"new is SLOWER: 41.82 -> 43.62 ms of op time per step, +4.3 % [+3.1, +5.5].\n",
		"Wall time, from first start to last end: +3.6 % [+2.2, +5.0].\n",
		"2 ops REGRESSED (+1.79 ms), 1 IMPROVED (-0.41), 1 NEW (+0.21); 1 SLOWER, 44 SAME, "
		"3 INCONCLUSIVE.\n",
		"op base new change [95 %] q ms/step verdict\n",
		"gradients/unit_3_2/\342\200\246/Conv2DBackpropFilter 5.80 ms 7.14 ms +23.1% "
		"[+20.4, +25.9] <0.001 +1.34 REGRESSED\n",
		"unit_3_2/sub2/conv2/Conv2D 6.21 ms 6.66 ms +7.2% [ +5.0, +9.5] 0.001 +0.45 "
		"REGRESSED\n",
		"gradients/\342\200\246/FusedBatchNormGrad 2.71 ms 2.30 ms -15.1% [-17.6, -12.6] "
		"<0.001 -0.41 IMPROVED\n",
		"unit_3_2/transpose - 0.21 ms new +0.21 NEW\n",
		"logits/MatMul 2.05 ms 2.09 ms +2.0% [ +0.9, +3.1] 0.009 +0.04 SLOWER (size near 2 "
		"%)\n",
		"input/ReadFile 3.94 ms 4.10 ms +4.1% [-17.0, +30.5] 0.81 +0.16 INCONCLUSIVE (sees "
		"> 33 %)\n",
		"[46 ops, none above 0.9 %] 20.70 ms 20.71 ms +0.0% +0.01 44 SAME, 2 "
		"INCONCLUSIVE\n",
		"[163 small ops, tested as one] 0.41 ms 0.41 ms +0.1% [ -0.9, +1.1] 0.90 0.00 "
		"SAME\n",
		"all ops 41.82 ms 43.62 ms +4.3% [ +3.1, +5.5] +1.80\n",
		"! memory: peak of unit_3_2/sub2/conv2/Conv2D 12.58 -> 15.10 MB (+20.0 %, exact)\n",
		"left out: the first 3 of 100 steps in every run (warm-up: up to 2.9 times the "
		"median) --warmup=none\n",
		"Next: look at gradients/unit_3_2",
	};
	/* Of files, and of --top=all. */
	static const char *const details[] = {
		"runs differ by CV 1.2 % (median op), steps by 2.6 %; ICC 0.18, the runs' part of ",
		"no common shift shown (median op +0.1 %); to show a change of 1 % in the median ",
	};
	struct report *report = report_of(*state);
	char *page = page_of(report, &writer_text, false, true);
	char *file = page_of(report, &writer_text, true, true);

	for (size_t i = 0; i < sizeof(details) / sizeof(*details); i++)
		assert_holds(file, details[i]);
	assert_lacks(page, details[0]);
	free(file);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_holds(page, lines[i]);
	assert_lacks(page, "same_1");
	assert_lacks(page, "small_1 ");
	free(page);
	report_free(report);
}

/* base, new and the difference of the rows that are shown, against the total. */
static void assert_adds_up(const struct report *report, bool complete)
{
	static const char *const stats[] = {"base", "new", "difference"};
	const struct table *table = &report->display;

	for (size_t s = 0; s < 3; s++)
		for (size_t c = 0; c < table->column_count; c++) {
			double sum = 0, total = NAN;

			if (!text_equal(table->column[c].stat, stats[s]))
				continue;
			for (size_t r = 0; r < table->row_count; r++) {
				const struct row *row = &table->row[r];

				if (!writer_row_shown(row, complete))
					continue;
				if (row->role == ROW_TOTAL)
					total = row->cell[c].real;
				else if (row->cell[c].kind == CELL_REAL)
					sum += row->cell[c].real;
			}
			assert_true(fabs(sum - total) <= 1e-9 * fabs(total));
		}
}

TEST_WITH(adds_up, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report = report_of(t);

	assert_adds_up(report, false);
	assert_adds_up(report, true);
	report_free(report);
	t->build.top = SIZE_MAX;
	report = report_of(t);
	assert_adds_up(report, false);
	report_free(report);
}

TEST_WITH(dropped_ops_are_a_row, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;
	char *page;

	t->base_side.grouping.ops += 3;
	t->measure[0].total.base_mean += 1 * MS;
	t->measure[0].total.new_mean += 2 * MS;
	t->measure[0].total.difference += 1 * MS;
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, "[3 ops not selected] 1.00 ms 2.00 ms +100.0% +1.00\n");
	assert_adds_up(report, false);
	assert_adds_up(report, true);
	free(page);
	report_free(report);
}

TEST_WITH(fragile_verdicts_are_marked, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;
	char *page;

	t->c.row[0].value[0].fragile_run = true;
	t->c.row[0].value[0].fragile_run_index = 2;
	t->c.row[1].value[0].fragile_run = true;
	t->c.row[1].value[0].fragile_run_index = 2;
	t->c.row[2].value[0].fragile_step = true;
	t->c.row[2].value[0].fragile_step_of_base = true;
	t->c.row[2].value[0].fragile_step_index = 137; /* the step 37 of the second run */
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, "+1.34 REGRESSED a\n");
	assert_holds(page, "+0.45 REGRESSED a\n");
	assert_holds(page, "-0.41 IMPROVED b\n");
	assert_holds(page, "ab fragile: without one of run_3 of new (a) and step 37 of run_2 "
			   "of base (b) alone the claim would not be made ");
	free(page);
	report_free(report);
}

TEST_WITH(one_run_gives_no_verdict, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;
	char *page;

	t->c.runs_base = t->c.runs_new = 1;
	memset(t->measure[0].verdicts, 0, sizeof(t->measure[0].verdicts));
	for (size_t i = 0; i < t->c.count; i++) {
		t->c.row[i].value[0].verdict = VERDICT_NONE;
		t->c.row[i].value[0].evidence = EVIDENCE_ONE_RUN;
		t->c.row[i].value[0].q = NAN;
	}
	t->measure[0].verdicts[VERDICT_NONE] = 52;
	t->measure[0].total.verdict = VERDICT_NONE;
	t->measure[0].total.evidence = EVIDENCE_ONE_RUN;
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, "No verdict from one run a side: 41.82 -> 43.62 ms of op time per step, "
			   "+4.3 % [+3.1, +5.5]");
	assert_holds(page, "about these runs only.\n");
	assert_holds(page, "record 3 runs or more a side");
	assert_holds(page, "no verdict (1 run)\n");
	assert_lacks(page, "SLOWER");
	free(page);
	report_free(report);
}

TEST_WITH(undecided_total, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;

	t->measure[0].total.verdict = VERDICT_INCONCLUSIVE;
	t->measure[0].total.detectable = 0.052;
	report = report_of(t);
	assert_string_equal(report->answer[0],
		"Cannot tell whether new is slower or faster: 41.82 -> 43.62 ms of op time per "
		"step, +4.3 % [+3.1, +5.5]; these runs show only changes above 5.2 %.");
	report_free(report);
	t->measure[0].total.verdict = VERDICT_SAME;
	report = report_of(t);
	assert_true(text_starts(report->answer[0], "The step as a whole stays within 2 %: 41.82"));
	report_free(report);
}

TEST_WITH(bytes_have_other_words, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;
	char *page;

	t->measure[0].id = MEASURE_REQUESTED;
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, "new takes MORE: 41.82 -> 43.62 GB of requested per step");
	assert_holds(page, "2 ops MORE (+1.79 GB), 1 LESS (-0.41), 1 NEW (+0.21); 1 MORE near the");
	assert_holds(page, "MORE (size near 2 %)");
	assert_holds(page, "GB/step");
	assert_lacks(page, "SLOWER");
	assert_lacks(page, "REGRESSED"); /* nor IMPROVED: the line above has all counts */
	free(page);
	report_free(report);
}

TEST_WITH(a_common_shift_is_told, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;
	char *page;

	t->measure[0].above = 50;
	t->measure[0].below = 2;
	t->measure[0].sign_p = 6e-13;
	t->measure[0].median_diff = log(1.031);
	t->measure[0].geomean_p = 0.2;
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, "! 50 of 52 tested ops are slower, median +3.1 %, and runs of a side "
			   "differ by as much: looks like the machine --normalize\n");
	free(page);
	report_free(report);
	/* Runs of a side agree much better than the sides. */
	t->measure[0].geomean_p = 1e-6;
	t->measure[0].geomean = 1.031;
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, "50 of 52 tested ops are slower, median +3.1 %: the machine, or "
			   "something that all ops use.\n");
	assert_holds(page, "Next: record base and new in turns; ");
	assert_lacks(page, "--normalize");
	free(page);
	report_free(report);
}

TEST_WITH(programs_get_every_number, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;
	char *page;

	t->c.row[1].value[0].fragile_run = true;
	report = report_of(t);
	page = page_of(report, &writer_csv, true, false);
	assert_true(text_starts(page,
		"op,type,device,base_ran,base_steps,new_ran,new_steps,time_base_us,time_new_"
		"us,time_difference_us,time_change_pct,peak_base_bytes,peak_new_bytes,peak_"
		"difference_bytes,peak_change_pct,time_verdict,time_evidence,time_low_pct,"
		"time_high_pct,time_level_pct,time_p,time_q,time_margin_pct,time_detectable_"
		"pct,time_logratio,time_logse,time_df,peak_verdict,"));
	assert_holds(page, "peak_df,base_name,paired,short,notes\n");
	assert_holds(page,
		"\nunit_3_2/sub2/conv2/"
		"Conv2D,Conv2D,cpu:0,485,485,485,485,6210,6660,450,7.2,12580000,15100000,2520000,"
		"20,REGRESSED,test,5,9.5,95,0.01,0.001,2,,0.0695260626486,0.01,8,MORE,exact,");
	assert_holds(page, ",fragile-run\n");
	assert_holds(page, "\nunit_3_2/transpose,Conv2D,cpu:0,,,485,485,,210,210,,");
	assert_holds(page, ",new,unit_3_2/transpose,new\n");
	assert_holds(page, ",small\n");
	free(page);
	report_free(report);
}

/* The page has these words for the warm-up. */
static void assert_warmup(struct made *t, struct warmup_change change, const char *words)
{
	struct report *report;
	char *page;

	t->c.warmup = change;
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, words);
	free(page);
	report_free(report);
}

/* What new needs beyond base is part of the change; one run alone is no reason for a mark. */
TEST_WITH(a_longer_warmup_is_said, set_up, tear_down)
{
	struct made *t = *state;

	t->c.runs_new = 5;
	assert_warmup(t,
		(struct warmup_change){.left_out = 3,
			.runs = 5,
			.least = 8,
			.most = 9,
			.typical = true,
			.fraction = 0.37},
		"! longer warm-up: 5 of 5 runs of new need 8 to 9 steps, base at most 3; the "
		"further ones are part of the change (+37.0 % of a step) --warmup=9\n");
	assert_warmup(t, (struct warmup_change){.runs = 1, .least = 1, .most = 1, .fraction = 0.01},
		"\302\267 longer warm-up: 1 of 5 runs of new needs 1 step, base at most 0; the "
		"further ones are part of the change (+1.0 % of a step) --warmup=1\n");
}

/* Everything at once: the screen keeps what matters most, files keep all. */
TEST_WITH(screens_show_the_first_notes, set_up, tear_down)
{
	struct made *t = *state;
	struct report *report;
	char *screen, *file;

	t->c.duplicates = 1;
	t->c.unmatched_new = 0.3;
	t->base_side.steps.dropped_kind = 4;
	t->base_side.warmup[1].state = WARMUP_UNSTEADY;
	t->measure[0].geomean = 1.004;
	t->measure[0].geomean_count = 40;
	t->measure[0].base.n_eff_share = t->measure[0].new.n_eff_share = 0.25;
	for (size_t i = 0; i < 3; i++) {
		t->c.row[i].value[0].fragile_run = true;
		t->c.row[i].value[0].fragile_run_index = i;
	}
	report = report_of(t);
	screen = page_of(report, &writer_text, false, true);
	file = page_of(report, &writer_text, true, true);
	assert_holds(screen, "! run_1 of base and run_1 of new have the same values: the "
			     "same file twice? --explain-inputs\n");
	assert_holds(screen, "! no steady state in 1 run (run_2 of base): ");
	assert_holds(screen,
		"! 0 % of base and 30 % of new is in ops that the other side does not have");
	assert_holds(screen, "abc fragile: ");
	assert_lacks(screen, "typical op");
	assert_holds(file, "typical op (geometric mean over 40) +0.4 %");
	assert_holds(file, "left out: 4 steps of another kind (other ops: evaluation, saving)");
	/* 97 steps, a quarter of them */
	assert_holds(file, "steps are correlated: 97 of a run count as 24 (median op)");
	free(screen);
	free(file);
	report_free(report);
}

static bool takes_matmul(void *context, const char *name)
{
	return text_equal(name, context);
}

TEST_WITH(explains_its_numbers, set_up, tear_down)
{
	struct made *t = *state;
	char name[] = "logits/MatMul", other[] = "nothing";
	struct explain_choice choice = {takes_matmul, name};
	struct report *report =
		build_compare_explain(&t->base, &t->new, &t->c, &t->opt, &t->build, &choice);
	char *page = page_of(report, &writer_text, false, true);

	assert_holds(page, "logits/MatMul (Conv2D), time per step: SLOWER\n");
	/* ln(2.05e9) = ln(2.05) + 9 ln(10) */
	assert_holds(page, "run_3 97 3 97 2050 21.4411056301\n");
	assert_holds(page, "means: base 2050, new 2090, difference 40 us; change 2 %\n");
	assert_holds(page, "p = 0.01 (two-sided); q = 0.009");
	assert_holds(page, "interval of the change: 0.9 % to 3.1 % at 95 %\n");
	assert_holds(page, "ln(1 + margin) = 0.0198026272962");
	assert_holds(page, "No random numbers were used");
	assert_lacks(page, "ReadFile");
	assert_int_equal(report->data.row_count, 2 * RUNS);
	free(page);
	report_free(report);
	choice.context = other;
	assert_null(build_compare_explain(&t->base, &t->new, &t->c, &t->opt, &t->build, &choice));
}

/* With many runs only the rounding is left, and a known variance needs 0.975 and 0.8 of the normal
 * distribution: 1.959964 + 0.841621 = 2.801585 standard errors. */
TEST_WITH(runs_do_not_take_rounding_away, set_up, tear_down)
{
	struct made *t = *state;
	struct compared_measure *m = &t->measure[0];
	struct report *report;
	char *page;

	assert_int_equal(run_plan_runs(m, METHOD_WELCH, 0.01), 5);
	m->rounding_variance = pow(log1p(0.01) / 2.81, 2);
	assert_int_not_equal(run_plan_runs(m, METHOD_WELCH, 0.01), 5);
	m->rounding_variance = pow(log1p(0.01) / 2.80, 2);
	assert_int_equal(run_plan_runs(m, METHOD_WELCH, 0.01), 0);
	m->rounding_variance = pow(log1p(0.01) / 2.801585, 2);
	assert_true(fabs(run_plan_change(m, METHOD_WELCH, 1000000) - 0.01) < 1e-6);
	m->limited = true;
	m->total.verdict = VERDICT_INCONCLUSIVE;
	for (size_t i = 0; i < t->c.count; i++)
		t->c.row[i].value[0].verdict = VERDICT_INCONCLUSIVE;
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page,
		"Next: record finer times; more runs do not show what their resolution hides.");
	free(page);
	report_free(report);
}

/* A device whose window grew by 1.5 ms: 1.4 ms of it idle. */
static struct compared_device changed_device(struct made *t, const char *name)
{
	struct compared_device device = {.base = name, .new = name};

	for (int p = 0; p < PARTS; p++)
		device.part[p] = compared(t, 0, 0, NAN, VERDICT_NONE);
	device.part[PART_COMPUTE] = compared(t, 10, 10.1, 0.01, VERDICT_NONE);
	device.part[PART_IDLE] =
		with_interval(compared(t, 5, 6.4, 0.28, VERDICT_REGRESSED), 0.2, 0.36, 0.01);
	device.part[PART_HOST_LATE] = compared(t, 5, 6.4, 0.28, VERDICT_NONE);
	device.part[PART_WINDOW] = compared(t, 15, 16.5, 0.1, VERDICT_NONE);
	return device;
}

TEST_WITH(devices_are_before_the_ops, set_up, tear_down)
{
	static const char *const names[] = {"gpu:0", "gpu:1", "gpu:2", "gpu:3", "gpu:4", "gpu:5"};
	struct made *t = *state;
	struct report *report;
	char *page;

	t->c.step_times = STEP_TIMES_DECIDE;
	t->c.devices.device = arena_array(t->arena, 6, sizeof(*t->c.devices.device));
	t->c.devices.count = 6;
	for (size_t i = 0; i < 6; i++)
		t->c.devices.device[i] = changed_device(t, names[i]);
	report = report_of(t);
	page = page_of(report, &writer_text, false, true);
	assert_holds(page, "new is SLOWER: a step took 22.10 ms and takes 22.90 ms, +3.6 %");
	assert_holds(page, "Idle time of gpu:0: +1.40 ms a step");
	assert_holds(page, "gpu:0 idle 5.00 ms 6.40 ms +28.0% [+20.0, +36.0] +1.40\n");
	assert_holds(page, "gpu:3 window 15.00 ms 16.50 ms +10.0% +1.50\n[2 more devices]\n");
	/* Neither parts that are 0 on both sides, nor devices after the fourth. */
	assert_lacks(page, "copies alone");
	assert_lacks(page, "gpu:4");
	assert_true(strstr(page, "gpu:0 window") < strstr(page, "all ops"));
	free(page);
	page = page_of(report, &writer_text, true, true);
	assert_holds(page, "gpu:5 window");
	free(page);
	report_free(report);
}
