/* The words of the notes on the steps of the runs, from evidence made by hand. */
#include <math.h>
#include "base/text.h"
#include "report/compare/build_compare_words.h"
#include "tests/unit/test.h"

#define MS 1e9 /* ps */
enum { RUNS = 5, STEPS = 100 };

/* Two sides of five runs in which nothing is odd; step s of the cube has the number s + 1. */
struct made {
	struct step step[RUNS * STEPS];
	struct run run_of_steps[RUNS];
	struct cube cube;
	struct steadiness_run run[2][RUNS];
	struct steadiness side[2];
	struct report *report;
};

static int setup(void **state)
{
	static const char *const names[RUNS] = {"run1", "run2", "run3", "run4", "run5"};
	struct report *report = report_new("compare");
	struct made *made = arena_alloc(report->arena, sizeof(*made));

	made->report = report;
	for (int s = 0; s < RUNS * STEPS; s++)
		made->step[s].number = s + 1;
	for (size_t r = 0; r < RUNS; r++)
		made->run_of_steps[r] = (struct run){.step_first = r * STEPS, .step_count = STEPS};
	made->cube.step = made->step;
	made->cube.run = made->run_of_steps;
	made->cube.run_count = RUNS;
	for (size_t i = 0; i < 2; i++) {
		for (size_t r = 0; r < RUNS; r++)
			made->run[i][r] = (struct steadiness_run){.run = names[r],
				.steps = STEPS,
				.mean = 100 * MS,
				.mean_without = NAN};
		made->side[i] = (struct steadiness){.run = made->run[i], .runs = RUNS};
	}
	*state = made;
	return 0;
}

static int teardown(void **state)
{
	report_free(((struct made *)*state)->report);
	return 0;
}

static void add_drift(struct made *made, size_t side, size_t run, double change)
{
	made->run[side][run].drifts = true;
	made->run[side][run].drift.slope_total = change;
	made->side[side].drifting++;
}

static void add_shift(struct made *made, size_t side, size_t run, double change, uint32_t step)
{
	made->run[side][run].shifts = true;
	made->run[side][run].drift.shift = change;
	made->run[side][run].drift.shift_at = step - 1;
	made->run[side][run].shift_step = step - 1;
	made->run[side][run].shift_after = STEPS - (step - 1);
	made->side[side].shifting++;
}

static void add_levels(
	struct made *made, size_t side, size_t run, double low_ms, double high_ms, double share)
{
	made->run[side][run].two_modes = true;
	made->run[side][run].modes = (struct modes){true, low_ms * MS, high_ms * MS, share, 20};
	made->side[side].two_modes++;
}

static void add_outliers(
	struct made *made, size_t side, size_t run, size_t count, double without_ms)
{
	made->run[side][run].outliers = count;
	for (uint32_t i = 0; i < count && i < STEADINESS_OUTLIERS_KEPT; i++)
		made->run[side][run].outlier[i] = 36 + 34 * i;
	made->run[side][run].mean_without = without_ms * MS;
	made->side[side].with_outliers++;
}

static void write_notes_of(struct made *made, bool of_means)
{
	const struct steady_side side[] = {
		{"base", &made->side[0], &made->cube}, {"new", &made->side[1], &made->cube}};

	compare_steady_notes(made->report, side, "op time per step", of_means);
}

static void write_notes(struct made *made)
{
	write_notes_of(made, true);
}

/* The only note. */
static void check_note(struct made *made, const char *mark, const char *option, const char *words)
{
	const struct note *note;

	write_notes(made);
	note = made->report->note;
	assert_int_equal(made->report->note_count, 1);
	assert_string_equal(note->text, words);
	assert_string_equal(note->option, option);
	if (mark)
		assert_string_equal(note->mark, mark);
	else
		assert_null(note->mark);
}

TEST_WITH(quiet_runs_need_no_words, setup, teardown)
{
	struct made *made = *state;

	write_notes(made);
	assert_int_equal(made->report->note_count, 0);
}

TEST_WITH(drift_of_some_runs, setup, teardown)
{
	struct made *made = *state;

	add_drift(made, 1, 4, 0.06);
	add_drift(made, 1, 2, 0.091);
	check_note(made, "!", "--steps=FROM:TO",
		"drift: from the first to the last kept step the totals of 2 of 5 runs of new rise "
		"by 6.0 to 9.1 % (run3 and run5)");
}

TEST_WITH(drift_of_both_sides, setup, teardown)
{
	struct made *made = *state;

	for (size_t r = 0; r < 4; r++)
		add_drift(made, 0, r, -0.12);
	add_drift(made, 1, 0, -0.031);
	add_drift(made, 1, 1, 0.15);
	check_note(made, "!", "--steps=FROM:TO",
		"drift: from the first to the last kept step the totals of 4 of 5 runs of base "
		"fall by 12 % (run1, run2, run3, ...), of 2 of 5 runs of new change by -3.1 % to "
		"+15.0 % (run1 and run2)");
}

TEST_WITH(drift_of_the_only_run, setup, teardown)
{
	struct made *made = *state;

	made->side[0].runs = 1;
	add_drift(made, 0, 0, 0.05);
	check_note(made, "!", "--steps=FROM:TO",
		"drift: from the first to the last kept step the totals of base rise by 5.0 %");
}

/* 50 of 100 steps follow step 51, 49 step 52. */
TEST_WITH(shift_and_the_longer_part, setup, teardown)
{
	struct made *made = *state;

	add_shift(made, 0, 1, 0.12, 51);
	check_note(made, "!", "--steps=51:", "a shift of +12.0 % at step 51 in run2 of base");
}

TEST_WITH(late_shift_of_the_only_run, setup, teardown)
{
	struct made *made = *state;

	made->side[1].runs = 1;
	add_shift(made, 1, 0, -0.034, 52);
	check_note(made, "!", "--steps=:51", "a shift of -3.4 % at step 52 in new");
}

TEST_WITH(shifts_beside_a_drift, setup, teardown)
{
	struct made *made = *state;

	add_drift(made, 0, 0, 0.05);
	add_shift(made, 1, 1, 0.12, 51);
	add_shift(made, 1, 3, -0.2, 21);
	check_note(made, "!", "--steps=FROM:TO",
		"drift: from the first to the last kept step the totals of 1 of 5 runs of base "
		"rise by 5.0 % (run1); shifts in 2 of 5 runs of new, the largest -20.0 % at step "
		"21 of run4");
}

TEST_WITH(the_fewer_steps_are_told, setup, teardown)
{
	struct made *made = *state;

	add_levels(made, 0, 1, 25, 41, 0.7);
	add_levels(made, 1, 0, 25, 30, 0.4);
	add_levels(made, 1, 2, 25, 41, 0.18);
	check_note(made, "!", "--explain=REGEX",
		"two levels: 30 % of the steps of run2 of base take 25.00 ms instead of 41.00 "
		"ms; 18 % of the steps of run3 of new take 41.00 ms instead of 25.00 ms (and "
		"in 1 more of 5 runs)");
}

/* Base 100 -> (4 x 100 + 95)/5 = 99; new 100 in both: 100/99 = 1.0101. */
TEST_WITH(outliers_of_one_run, setup, teardown)
{
	struct made *made = *state;

	add_outliers(made, 0, 1, 2, 95);
	check_note(made, NULL, "--run-value=median",
		"outlier steps: 37 and 71 in run2 of base; op time per step +0.0 % with them, "
		"+1.0 % without");
}

/* New 110 in all runs, without outliers (3 x 110 + 2 x 90)/5 = 102. */
TEST_WITH(many_outliers, setup, teardown)
{
	struct made *made = *state;

	made->side[0].runs = 1;
	for (size_t r = 0; r < RUNS; r++)
		made->run[1][r].mean = 110 * MS;
	add_outliers(made, 0, 0, 3, 100);
	add_outliers(made, 1, 1, 1, 90);
	add_outliers(made, 1, 4, 12, 90);
	check_note(made, NULL, "--run-value=median",
		"outlier steps: 37, 71 and 105 in base, 37, 71, 105, ... (12) in run5 of new "
		"and 1 in 1 more run; op time per step +10.0 % with them, +2.0 % without");
}

TEST_WITH(no_change_without_known_means, setup, teardown)
{
	struct made *made = *state;

	made->run[0][3].mean = NAN;
	add_outliers(made, 1, 0, 1, 90);
	check_note(made, NULL, "--run-value=median", "outlier steps: 37 in run1 of new");
}

TEST_WITH(medians_are_not_proposed_where_they_are_compared, setup, teardown)
{
	struct made *made = *state;

	add_outliers(made, 1, 0, 1, 90);
	write_notes_of(made, false);
	assert_int_equal(made->report->note_count, 1);
	assert_null(made->report->note->option);
}

TEST_WITH(one_note_of_a_kind, setup, teardown)
{
	struct made *made = *state;

	for (size_t i = 0; i < 2; i++) {
		add_drift(made, i, 0, 0.05);
		add_shift(made, i, 1, 0.05, 40);
		add_levels(made, i, 2, 25, 41, 0.3);
		add_outliers(made, i, 3, 1, 99);
	}
	write_notes(made);
	assert_int_equal(made->report->note_count, 3);
	assert_true(text_starts(made->report->note[0].text, "drift: "));
	assert_true(text_starts(made->report->note[1].text, "two levels: "));
	assert_true(text_starts(made->report->note[2].text, "outlier steps: "));
}
