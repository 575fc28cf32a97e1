/*
 * Takes the times of each step and has them described.
 */
#include "analysis/totals.h"

#include <math.h>
#include "base/memory.h"

static const char *const percentiles[] = {"p5", "p25", "p75", "p90", "p95", "p99"};

#define PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

const char *total_name(enum total_kind kind)
{
	static const char *const name[] = {
		[TOTAL_OP_TIME] = "op_time",
		[TOTAL_WALL] = "wall",
		[TOTAL_BUSY] = "busy",
	};

	return name[kind];
}

/* All that is said of a series; shares are of ops. */
static void choose(struct totals *totals, struct arena *arena)
{
	struct statistic_choice *choice =
		arena_array(arena, STATISTIC_COUNT + PERCENTILES, sizeof(*choice));
	size_t n = 0;

	for (enum statistic_id id = 0; id < STATISTIC_COUNT; id++) {
		const struct statistic *stat = statistic_at(id);

		if (id == STATISTIC_SHARE || id == STATISTIC_JITTER || id == STATISTIC_RAN)
			continue;
		if (id != STATISTIC_QUANTILE)
			choice[n++] = (struct statistic_choice){stat, 0, stat->name};
		for (size_t i = 0; id == STATISTIC_QUANTILE && i < PERCENTILES; i++)
			n += statistic_choose(percentiles[i], &choice[n], NULL) == 0;
	}
	totals->choice = choice;
	totals->choice_count = n;
}

static void choose_extra(struct totals *totals, struct arena *arena)
{
	struct statistic_choice *extra = arena_array(arena, totals->choice_count, sizeof(*extra));
	size_t n = 0;

	for (size_t i = 0; i < totals->choice_count; i++)
		if (statistic_needs_series(totals->choice[i].statistic->id))
			extra[n++] = totals->choice[i];
	totals->with.options.extra = extra;
	totals->with.options.extra_count = n;
	totals->with.arena = arena;
}

/* Op time is that of the report: of the selected ops where shares are of these. */
static double *op_time(const struct totals *totals, const struct cube *self, struct arena *arena)
{
	const struct summary *summary = &totals->with;
	double *total = arena_array(arena, self->step_count, sizeof(*total));
	bool *known = arena_array(arena, self->step_count, sizeof(*known));

	if (!cube_has(self, MEASURE_TIME))
		return NULL;
	steps_totals(self, MEASURE_TIME, total, known);
	for (size_t s = 0; s < self->step_count; s++)
		total[s] = known[s] ? total[s] : NAN;
	for (size_t m = 0; m < summary->options.measure_count; m++) {
		if (summary->options.measure[m] != MEASURE_TIME || !summary->options.of_selected)
			continue;
		for (size_t s = 0; s < self->step_count; s++)
			total[s] = NAN;
		for (size_t i = 0; i < summary->steps->count && summary->step_known[m]; i++)
			total[summary->steps->step[i]] = summary->step_total[m][i];
	}
	return total;
}

static double *wall_time(const struct cube *self, bool busy, struct arena *arena)
{
	double *time = arena_array(arena, self->step_count, sizeof(*time));
	bool any = false;

	for (size_t s = 0; s < self->step_count; s++) {
		const struct step *step = &self->step[s];

		time[s] = !step->has_wall ? NAN
			  : busy	  ? (double)step->busy_ps
					  : (double)step->end_ps - (double)step->start_ps;
		any |= step->has_wall;
	}
	return any ? time : NULL;
}

static void describe(struct totals *totals, enum total_kind kind, struct arena *arena)
{
	const struct step_set *steps = totals->with.steps;
	double *kept = arena_array(arena, steps->count, sizeof(*kept));

	totals->known[kind] = totals->step[kind] != NULL;
	for (size_t i = 0; i < steps->count && totals->known[kind]; i++) {
		kept[i] = totals->step[kind][steps->step[i]];
		totals->known[kind] = !isnan(kept[i]);
	}
	if (totals->known[kind])
		summary_describe(&totals->with, MEASURE_TIME, kept, &totals->value[kind]);
}

struct totals *totals_make(
	const struct summary *summary, const struct cube *self, struct arena *arena)
{
	struct totals *totals = arena_alloc(arena, sizeof(*totals));

	totals->with = *summary;
	choose(totals, arena);
	choose_extra(totals, arena);
	totals->step[TOTAL_OP_TIME] = op_time(totals, self, arena);
	totals->step[TOTAL_WALL] = wall_time(self, false, arena);
	totals->step[TOTAL_BUSY] = wall_time(self, true, arena);
	for (enum total_kind kind = 0; kind < TOTAL_KINDS; kind++)
		describe(totals, kind, arena);
	return totals;
}
