/* All stages from a cube to its summary, for tests. It chooses all steps and rows by name. */
#pragma once

#include "analysis/summary.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

/* All from a cube to its summary, with the choices of the test. */
struct job {
	struct arena *arena;
	struct rules *rules;
	struct cube *cube, *totals;
	struct step_set steps;
	struct grouping grouping;
	struct summary *summary;
};

static inline struct job *job_of(
	struct cube *cube, const char *include, const struct summary_options *opt, bool totals)
{
	static const enum measure_id time_only[] = {MEASURE_TIME};
	struct arena *arena = arena_new();
	struct job *job = arena_alloc(arena, sizeof(*job));
	const struct step_options all = {.warmup = WARMUP_MODE_NONE};
	const struct group_options by_name = {.by = BY_NAME};
	struct summary_options mine = *opt;
	struct error err;

	job->arena = arena;
	job->cube = cube;
	job->rules = rules_new();
	if (totals)
		job->totals = cube_totals(cube, &err);
	if (include)
		assert_int_equal(
			rules_add(job->rules, RULE_INCLUDE, include, NULL, "--test", &err), 0);
	if (!mine.measure_count) {
		mine.measure = time_only;
		mine.measure_count = 1;
	}
	mine.sample.confidence = 0.95;
	assert_int_equal(steps_select(cube, &all, arena, &job->steps, &err), 0);
	assert_int_equal(grouping_make(totals ? job->totals : cube, job->rules, &by_name, arena,
				 &job->grouping, &err),
		0);
	job->summary =
		summary_make(cube, totals ? job->totals : cube, &job->steps, &job->grouping, &mine);
	return job;
}

static inline void job_free(struct job *job)
{
	summary_free(job->summary);
	rules_free(job->rules);
	cube_free(job->totals);
	cube_free(job->cube);
	arena_free(job->arena);
}
