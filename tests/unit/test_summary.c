/* What a report computes, against values worked out by hand: one run, several runs, shares, the
 * rest. */
#include <math.h>
#include "tests/unit/summary_job.h"
#include "tests/unit/test.h"

static const struct sample_options usual = {.confidence = 0.95};

static const struct summary_value *row(const struct job *job, const char *name, size_t measure)
{
	for (size_t g = 0; g < job->grouping.count; g++)
		if (text_equal(job->grouping.group[g].name, name))
			return &job->summary->all.row[g].value[measure];
	abort();
}

static double statistic(const struct job *job, const struct summary_value *value, const char *name)
{
	struct statistic_choice choice;
	struct error err;

	assert_int_equal(statistic_choose(name, &choice, &err), 0);
	return summary_statistic(job->summary, value, &choice);
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

/* Steps 1..6. S: 180 212 178 210 181 239; mean 200, deviations -20 12 -22 10 -19 39. */
static struct cube *six_steps(void)
{
	struct profile *p = made_profile("p", NULL);
	const int read[] = {10, 10, 10, 10, 10, 40}, matmul[] = {100, 102, 98, 100, 101, 99};
	const int merge[] = {-1, 30, -1, 30, -1, 30}, rest[] = {70, 70, 70, 70, 70, 70};

	put_series(p, "read", 1, read, 6);
	put_series(p, "matmul", 1, matmul, 6);
	put_series(p, "merge", 1, merge, 6);
	put_series(p, "rest", 1, rest, 6);
	return cube_of(p);
}

TEST(statistics_of_one_run)
{
	const struct summary_options opt = {.sample = usual};
	struct job *job = job_of(six_steps(), NULL, &opt, false);
	const struct summary_value *v = row(job, "matmul", 0);

	assert_true(statistic(job, v, "mean") == 100 * US);
	assert_near(statistic(job, v, "sd"), sqrt(2) * US); /* 10 / 5 */
	assert_near(statistic(job, v, "cv"), sqrt(2) / 100);
	assert_near(statistic(job, v, "se"), sqrt(2.0 / 6) * US); /* not correlated: n_eff 6 */
	assert_true(statistic(job, v, "min") == 98 * US && statistic(job, v, "max") == 102 * US);
	assert_true(statistic(job, v, "median") == 100 * US);
	assert_true(statistic(job, v, "sum") == 600 * US);
	assert_true(statistic(job, v, "n") == 6 && statistic(job, v, "ran") == 6);
	assert_true(statistic(job, v, "mad") == 1 * US);
	assert_near(statistic(job, v, "robustcv"), 1.482602218505602 / 100);
	/* (0*2 - 2*2 - 2*0 + 0*1 - 1*1) / 10 */
	assert_near(statistic(job, v, "lag1"), -0.5);
	assert_true(statistic(job, v, "neff") == 6);
	assert_true(isnan(statistic(job, v, "cvrun")));
	/* t(5, 0.975) = 2.570581835636314, relative to the mean; r' is negative: no longer */
	assert_near(statistic(job, v, "ci"), 2.570581835636314 * sqrt(2.0 / 6) / 100);
	job_free(job);
}

TEST(absent_steps_count_as_zero)
{
	const struct summary_options opt = {.sample = usual};
	struct job *job = job_of(six_steps(), NULL, &opt, false);
	const struct summary_value *v = row(job, "merge", 0);

	assert_int_equal(v->ran, 3);
	assert_int_equal(v->steps, 6);
	assert_true(statistic(job, v, "mean") == 15 * US);
	assert_near(statistic(job, v, "cv"), sqrt(270) / 15); /* 6 * 225 / 5 */
	assert_true(statistic(job, v, "n") == 6);
	assert_int_equal(v->when_run->n, 3);
	assert_true(v->when_run->mean == 30 * US && v->when_run->cv == 0);
	job_free(job);
}

TEST(absent_steps_left_out_on_request)
{
	const struct summary_options opt = {.sample = usual, .skip_absent = true};
	struct job *job = job_of(six_steps(), NULL, &opt, false);
	const struct summary_value *v = row(job, "merge", 0);

	assert_true(statistic(job, v, "mean") == 30 * US);
	assert_true(statistic(job, v, "cv") == 0);
	assert_true(statistic(job, v, "n") == 3 && statistic(job, v, "ran") == 3);
	assert_near(statistic(job, v, "share"), 0.075); /* shares are of the step in any case */
	assert_null(v->when_run);
	job_free(job);
}

TEST(shares_and_jitter_add_up)
{
	static const char *const ops[] = {"read", "matmul", "merge", "rest"};
	static const double share[] = {0.075, 0.5, 0.075, 0.35};
	static const double jitter[] = {1170.0 / 3010, 10.0 / 3010, 1830.0 / 3010, 0};
	const struct summary_options opt = {.sample = usual};
	struct job *job = job_of(six_steps(), NULL, &opt, false);

	for (size_t i = 0; i < 4; i++) {
		assert_near(statistic(job, row(job, ops[i], 0), "share"), share[i]);
		assert_near(statistic(job, row(job, ops[i], 0), "jitter"), jitter[i]);
	}
	assert_true(statistic(job, job->summary->all.total, "mean") == 200 * US);
	assert_near(statistic(job, job->summary->all.total, "cv"), sqrt(602) / 200);
	assert_true(statistic(job, job->summary->all.total, "share") == 1);
	assert_near(statistic(job, job->summary->all.total, "jitter"), 1);
	job_free(job);
}

TEST(shares_refer_to_all_ops)
{
	const struct summary_options opt = {.sample = usual};
	struct job *job = job_of(six_steps(), "matmul|rest", &opt, false);

	assert_near(statistic(job, row(job, "matmul", 0), "share"), 0.5);
	assert_true(statistic(job, job->summary->all.total, "mean") == 200 * US);
	job_free(job);
}

TEST(shares_refer_to_the_selected_on_request)
{
	const struct summary_options opt = {.sample = usual, .of_selected = true};
	struct job *job = job_of(six_steps(), "matmul|rest", &opt, false);

	assert_near(statistic(job, row(job, "matmul", 0), "share"), 100.0 / 170);
	assert_near(statistic(job, row(job, "matmul", 0), "jitter"), 1);
	assert_true(statistic(job, row(job, "rest", 0), "jitter") == 0);
	assert_true(statistic(job, job->summary->all.total, "mean") == 170 * US);
	job_free(job);
}

TEST(rest_is_total_minus_shown)
{
	const struct summary_options opt = {.sample = usual};
	struct job *job = job_of(six_steps(), NULL, &opt, false);
	bool shown[] = {true, false, false, true}; /* matmul, merge, read, rest */
	struct summary_value *rest = summary_rest(job->summary, &job->summary->all, shown);

	assert_true(statistic(job, rest, "mean") == 30 * US);
	assert_near(statistic(job, rest, "share"), 0.15);
	assert_near(statistic(job, rest, "jitter"), 3000.0 / 3010);
	assert_true(
		statistic(job, rest, "min") == 10 * US && statistic(job, rest, "max") == 70 * US);
	job_free(job);
}

TEST(percentiles_and_other_means)
{
	struct statistic_choice extra[4];
	const struct summary_options opt = {.sample = usual, .extra = extra, .extra_count = 4};
	struct error err;
	struct job *job;

	assert_int_equal(statistic_choose("p95", &extra[0], &err), 0);
	assert_int_equal(statistic_choose("p25", &extra[1], &err), 0);
	assert_int_equal(statistic_choose("trimmed", &extra[2], &err), 0);
	assert_int_equal(statistic_choose("geomean", &extra[3], &err), 0);
	job = job_of(six_steps(), NULL, &opt, false);
	assert_near(statistic(job, row(job, "read", 0), "p95"), 32.5 * US);
	assert_near(statistic(job, row(job, "matmul", 0), "p25"), 99.25 * US);
	assert_near(statistic(job, row(job, "read", 0), "geomean"), 10 * pow(4, 1.0 / 6) * US);
	assert_true(isnan(statistic(job, row(job, "merge", 0), "geomean")));
	assert_true(isnan(statistic(job, row(job, "read", 0), "p99"))); /* was not asked for */
	job_free(job);
}

/* Two runs of three steps: means 100 and 110. */
static struct cube *two_runs(void)
{
	struct profile *p = made_profile("p", NULL), *q = made_profile("q", NULL);
	struct profile *both[] = {p, q};
	const int a[] = {98, 100, 102}, b[] = {107, 110, 113}, c[] = {50, 50, 50};
	struct error err;

	put_series(p, "op", 1, a, 3);
	put_series(q, "op", 1, b, 3);
	put_series(p, "flat", 1, c, 3);
	put_series(q, "flat", 1, c, 3);
	return made_cube(both, 2, RUNS_FILES, &err);
}

TEST(statistics_of_several_runs)
{
	const struct summary_options opt = {.sample = usual};
	struct job *job = job_of(two_runs(), NULL, &opt, false);
	const struct summary_value *v = row(job, "op", 0);

	assert_string_equal(job->summary->all.run, "all");
	assert_true(statistic(job, v, "mean") == 105 * US);
	/* variances 4 and 9 within the runs */
	assert_near(statistic(job, v, "cv"), sqrt(6.5) / 105);
	assert_near(statistic(job, v, "cvrun"), sqrt(50) / 105);
	/* t(1, 0.975) = 12.706204736174698, standard error 5 */
	assert_near(v->runs.high, (105 + 12.706204736174698 * 5) * US);
	assert_near(v->runs.low, (105 - 12.706204736174698 * 5) * US);
	assert_true(statistic(job, v, "n") == 6);
	assert_true(isnan(statistic(job, v, "sd")) && isnan(statistic(job, v, "lag1")));
	assert_near(statistic(job, v, "share"), 105.0 / 155);
	/* Jitter is within the runs: the other op is constant, so this one carries all. */
	assert_near(statistic(job, v, "jitter"), 1);
	assert_true(statistic(job, row(job, "flat", 0), "cvrun") == 0);
	job_free(job);
}

TEST(each_run_on_request)
{
	const struct summary_options opt = {.sample = usual, .parts = PARTS_RUNS};
	struct job *job = job_of(two_runs(), NULL, &opt, false);
	const struct summary_value *v = job->summary->part[1].row[1].value;

	assert_string_equal(job->grouping.group[1].name, "op");
	assert_string_equal(job->summary->part[0].run, "p");
	assert_string_equal(job->summary->part[1].run, "q");
	assert_true(statistic(job, v, "mean") == 110 * US);
	assert_near(statistic(job, v, "sd"), 3 * US);
	assert_near(statistic(job, v, "share"), 110.0 / 160);
	assert_true(statistic(job, job->summary->part[0].total, "mean") == 150 * US);
	assert_true(statistic(job, row(job, "op", 0), "mean") == 105 * US);
	job_free(job);
}

TEST(unknown_values_are_left_out)
{
	const struct summary_options opt = {.sample = usual};
	struct cube *cube = six_steps();
	struct job *job;

	cube->column[MEASURE_CPU][cube->op_first[op_at(cube, "read")] + 5] = CELL_ABSENT;
	job = job_of(cube, NULL, &opt, false);
	assert_int_equal(row(job, "read", 0)->lost, 1);
	assert_int_equal(row(job, "read", 0)->ran, 6);
	assert_true(statistic(job, row(job, "read", 0), "mean") == 10 * US);
	assert_true(statistic(job, row(job, "read", 0), "n") == 5);
	/* The total of that step is not known: no shares of anything. */
	assert_true(isnan(statistic(job, row(job, "read", 0), "share")));
	assert_true(isnan(statistic(job, row(job, "matmul", 0), "share")));
	assert_true(statistic(job, row(job, "matmul", 0), "mean") == 100 * US);
	assert_true(isnan(statistic(job, job->summary->all.total, "mean")));
	job_free(job);
}

TEST(one_step_makes_a_cv)
{
	const struct summary_options opt = {.sample = usual};
	struct job *job = job_of(six_steps(), NULL, &opt, false);
	const struct summary_value *v = row(job, "read", 0);

	assert_true(v->spiky);
	assert_int_equal(v->outliers, 1);
	assert_int_equal(job->cube->step[v->outlier[0]].number, 6);
	assert_true(v->cv_without == 0);
	assert_false(row(job, "matmul", 0)->spiky);
	assert_false(row(job, "rest", 0)->spiky);
	job_free(job);
}

TEST(spread_below_the_resolution_is_marked)
{
	struct profile *p = made_profile("p", NULL);
	const int coarse[] = {10, 40, 70, 20, 90, 20}, fine[] = {100, 100, 100, 110, 100, 100};
	const struct summary_options opt = {.sample = usual};
	struct job *job;

	put_series(p, "coarse", 1, coarse, 6);
	put_series(p, "fine", 1, fine, 6);
	job = job_of(cube_of(p), NULL, &opt, false);
	assert_true(job->summary->time_resolution_ps == 10.0 * US);
	assert_true(row(job, "fine", 0)->resolution_limited); /* sd 4.1 us */
	assert_false(row(job, "coarse", 0)->resolution_limited);
	job_free(job);
}

TEST(static_measures_have_no_spread)
{
	static const enum measure_id measures[] = {MEASURE_TIME, MEASURE_PARAMS};
	const struct summary_options opt = {
		.sample = usual, .measure = measures, .measure_count = 2};
	struct profile *p = made_profile("p", NULL);
	struct job *job;

	made_op_as(p, "a", "Mul", "")->params = 6;
	made_op_as(p, "b", "Add", "")->params = 4;
	put_cpu(p, "a", 1, 1);
	put_cpu(p, "b", 1, 1);
	put_cpu(p, "c", 1, 1);
	job = job_of(cube_of(p), NULL, &opt, false);
	assert_true(row(job, "a", 1)->is_static);
	assert_true(row(job, "a", 1)->known && row(job, "a", 1)->static_value == 6);
	assert_false(row(job, "c", 1)->known);
	assert_true(job->summary->all.total[1].static_value == 10);
	job_free(job);
}

TEST(wall_time_where_all_steps_have_it)
{
	const struct summary_options opt = {.sample = usual};
	struct profile *p = made_profile("p", NULL);
	struct job *job;

	for (int s = 1; s <= 2; s++) {
		struct step *step;

		put_cpu(p, "a", s, 10);
		step = made_step(p, s);
		step->has_wall = true;
		step->start_ps = (int64_t)s * 1000 * US;
		step->end_ps = step->start_ps + (s == 1 ? 30 : 50) * (int64_t)US;
		step->busy_ps = 20 * (int64_t)US;
	}
	job = job_of(cube_of(p), NULL, &opt, false);
	assert_true(job->summary->all.has_time);
	assert_true(job->summary->all.time.mean == 40 * US);
	assert_near(job->summary->all.time.cv_step, sqrt(200) / 40);
	assert_true(job->summary->all.busy.mean == 20 * US);
	job_free(job);
	job = job_of(six_steps(), NULL, &opt, false);
	assert_false(job->summary->all.has_time);
	job_free(job);
}

/* Over the kept steps of which it is known: the last step has no period. */
TEST(series_of_the_step_have_means)
{
	struct summary_options opt = {.sample = usual};
	struct profile *p = made_profile("p", NULL);
	int64_t *marker, *period;
	struct job *job;

	for (int s = 1; s <= 3; s++)
		put_cpu(p, "a", s, 10);
	marker = step_series_add(&p->series, p->arena, SERIES_MARKER, "", p->step_count);
	period = step_series_add(&p->series, p->arena, SERIES_PERIOD, "", p->step_count);
	for (int s = 0; s < 3; s++)
		marker[s] = (s + 1) * (int64_t)10;
	period[0] = 5;
	period[1] = 7;
	job = job_of(cube_of(p), NULL, &opt, false);
	assert_true(summary_series_mean(job->summary, job->cube, SERIES_MARKER) == 20);
	assert_true(summary_series_mean(job->summary, job->cube, SERIES_PERIOD) == 6);
	assert_true(isnan(summary_series_mean(job->summary, job->cube, SERIES_SPAN)));
	job->steps.count = 2;
	assert_true(summary_series_mean(job->summary, job->cube, SERIES_MARKER) == 15);
	job_free(job);
}

/* A step takes 5 us and twice the time of its op: the op has half of the jitter. */
TEST(jitter_of_the_step_time)
{
	static const int64_t op_us[] = {10, 20, 15, 30, 25, 10};
	struct summary_options opt = {.sample = usual, .jitter_of = JITTER_OF_STEP};
	struct profile *p = made_profile("p", NULL);
	struct job *job;

	for (int s = 1; s <= 6; s++) {
		struct step *step;

		put_cpu(p, "a", s, op_us[s - 1]);
		put_cpu(p, "b", s, 7);
		step = made_step(p, s);
		step->has_wall = true;
		step->start_ps = (int64_t)s * 1000 * US;
		step->end_ps = step->start_ps + (5 + 2 * op_us[s - 1]) * (int64_t)US;
	}
	job = job_of(cube_of(p), NULL, &opt, false);
	assert_near(job->summary->all.row[0].value[0].jitter, 0.5);
	assert_near(job->summary->all.row[1].value[0].jitter, 0);
	assert_near(job->summary->all.base[0].not_in_ops, 0.5);
	assert_near(job->summary->all.total[0].jitter, 1);
	job_free(job);
}

/* The last of six steps has no period: mean and jitter are those of the five before it. */
TEST(a_period_that_is_not_known_counts_nowhere)
{
	static const int64_t op_us[] = {10, 20, 15, 30, 25, 1000};
	struct summary_options opt = {.sample = usual};
	struct profile *p = made_profile("p", NULL);
	struct cube *cube;
	struct error err;
	struct job *job;
	int64_t *period;

	for (int s = 1; s <= 6; s++) {
		put_cpu(p, "a", s, op_us[s - 1]);
		put_cpu(p, "b", s, 7);
		made_step(p, s);
	}
	period = step_series_add(&p->series, p->arena, SERIES_PERIOD, "", p->step_count);
	for (int s = 0; s < 5; s++)
		period[s] = (5 + 2 * op_us[s]) * (int64_t)US;
	cube = cube_of(p);
	assert_int_equal(step_time_choose(cube, STEP_TIME_PERIOD, &err), 0);
	job = job_of(cube, NULL, &opt, false);
	assert_int_equal(job->summary->all.time.pooled.n, 5);
	assert_near(job->summary->all.time.mean, 45e6);
	assert_near(job->summary->all.row[0].value[0].jitter, 0.5);
	assert_near(job->summary->all.row[1].value[0].jitter, 0);
	assert_near(job->summary->all.base[0].not_in_ops, 0.5);
	job_free(job);
}

/* Without marks and without an accelerator jitter is of the op time. */
TEST(jitter_of_the_op_time)
{
	const struct summary_options opt = {.sample = usual};
	struct profile *p = made_profile("p", NULL);
	struct job *job;

	for (int s = 1; s <= 6; s++) {
		struct step *step;

		put_cpu(p, "a", s, 10 + s);
		step = made_step(p, s);
		step->has_wall = true;
		step->end_ps = 100 * (int64_t)US * (s % 2 + 1);
	}
	job = job_of(cube_of(p), NULL, &opt, false);
	assert_near(job->summary->all.row[0].value[0].jitter, 1);
	assert_true(isnan(job->summary->all.base[0].not_in_ops));
	job_free(job);
}

/* Rows are totals of scopes; the step's total stays the sum over the ops. */
/* Of 1000 us and d more a step, one op has 100 us and 11.5 or 12.5 % of d: jitter is its own
 * above 1.2 times its share. */
TEST(jitter_beyond_its_share)
{
	const struct summary_options opt = {.sample = usual};

	for (int part = 115; part <= 125; part += 10) {
		struct profile *p = made_profile("p", NULL);
		bool named[2];
		struct job *job;

		for (int s = 1; s <= 8; s++) {
			const int d = s * s % 5 - 2;

			put_cpu(p, "a", s, 100000 + part * d);
			put_cpu(p, "b", s, 900000 + (1000 - part) * d);
		}
		job = job_of(cube_of(p), NULL, &opt, false);
		jitter_find(job->summary, 0, named);
		for (size_t g = 0; g < 2; g++) {
			const bool is_a = job->summary->grouping->group[g].name[0] == 'a';

			assert_near(job->summary->all.row[g].value[0].jitter,
				(is_a ? part : 1000 - part) / 1000.0);
			assert_int_equal(named[g], is_a && part == 125);
		}
		job_free(job);
	}
}

TEST(totals_of_scopes_overlap)
{
	const struct summary_options opt = {.sample = usual};
	struct profile *p = made_profile("p", NULL);
	struct job *job;

	put_cpu(p, "s/a", 1, 10);
	put_cpu(p, "s/b", 1, 30);
	put_cpu(p, "t", 1, 60);
	job = job_of(cube_of(p), NULL, &opt, true);
	assert_true(job->summary->overlap);
	assert_true(statistic(job, row(job, "s", 0), "mean") == 40 * US);
	assert_near(statistic(job, row(job, "s", 0), "share"), 0.4);
	assert_true(statistic(job, job->summary->all.total, "mean") == 100 * US);
	job_free(job);
}

static double in_tens(const void *context, enum measure_id id, double value)
{
	(void)id;
	return floor(value / *(const double *)context) * *(const double *)context;
}

TEST(values_are_adjusted_first)
{
	const double grid = 10 * US;
	const struct summary_options opt = {
		.sample = usual, .adjust = in_tens, .adjust_context = &grid};
	struct job *job = job_of(six_steps(), NULL, &opt, false);

	assert_near(statistic(job, row(job, "matmul", 0), "mean"), 580.0 / 6 * US);
	job_free(job);
}

TEST(divisor_n_on_request)
{
	struct sample_options population = {.confidence = 0.95, .population = true};
	const struct summary_options opt = {.sample = population};
	struct job *job = job_of(six_steps(), NULL, &opt, false);

	assert_near(statistic(job, row(job, "matmul", 0), "cv"), sqrt(10.0 / 6) / 100);
	job_free(job);
}

/* Rows by several threads: the same bits, in rows that ran in all steps and in some. */
TEST(threads_agree)
{
	static const char *const names[] = {
		"mean", "sd", "cv", "median", "mad", "lag1", "ci", "share", "jitter", "ran"};
	struct summary_options opt = {.sample = usual};
	struct profile *p = made_profile("p", NULL);
	struct job *one, *many;
	static int us[1000];
	char name[16];

	for (int o = 0; o < 300; o++) {
		for (int i = 0; i < 1000; i++)
			us[i] = o % 3 == 1 && i % (o + 2) ? -1 : 100 + o + i * (o + 7) % 31;
		snprintf(name, sizeof(name), "op%d", o);
		put_series(p, name, 1, us, 1000);
	}
	one = job_of(cube_of(p), NULL, &opt, false);
	for (opt.threads = 2; opt.threads < 20; opt.threads += opt.threads < 4 ? 1 : 5) {
		many = arena_alloc(one->arena, sizeof(*many));
		*many = *one;
		many->summary = summary_make(one->cube, one->cube, &one->steps, &one->grouping,
			&(struct summary_options){.sample = one->summary->options.sample,
				.measure = one->summary->options.measure,
				.measure_count = 1,
				.threads = opt.threads});
		for (size_t g = 0; g < one->grouping.count; g++)
			for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
				const double a = statistic(one, &one->summary->all.row[g].value[0],
						     names[i]),
					     b = statistic(many,
						     &many->summary->all.row[g].value[0], names[i]);

				assert_true(a == b || (isnan(a) && isnan(b)));
			}
		summary_free(many->summary);
	}
	job_free(one);
}
