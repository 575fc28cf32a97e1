/* The share that each row has in events of the series of the steps. */
#include "analysis/causes/series_events.h"

#include <math.h>
#include "analysis/row_series.h"

#define EXCESS_OF_ROW 0.3   /* share of the change above that of the time, as part of its most */
#define SHARE_OF_ROW 0.5    /* share of the change from which the row alone is named */
#define PART_OF_CHANGE 0.02 /* what a row could have at most: less is not looked at */

/* How often the row ran in a step. */
static void count_calls(
	const struct cause_finder *f, struct step_event *e, struct row_series *series)
{
	const struct group *group = &f->summary->grouping->group[e->cause.group];

	if (!cube_has(f->summary->cube, MEASURE_OCCURRENCE))
		return;
	row_series_read(f->summary->cube, f->summary->steps, group, MEASURE_OCCURRENCE, series);
	e->cause.calls_from = series_mean(series->x, e->ref, e->ref_count);
	e->cause.calls_to = series_mean(series->x, e->on, e->on_count);
	row_series_clear(series);
}

/* Means against means: where the steps are known by their ops alone no time is outside these. */
static void settle_place(struct step_event *e, size_t rows)
{
	struct cause *cause = &e->cause;
	const double change = e->of_work ? e->ops_by : e->change;

	if (cause_is_most(change - e->ops_by, change))
		cause->place = CAUSE_NOT_IN_OPS;
	else if (cause_is_most(e->ops_by - e->rows_by, e->ops_by))
		cause->place = CAUSE_NOT_SELECTED;
	else if (cause->group == SIZE_MAX || (rows > 1 && e->excess < EXCESS_OF_ROW))
		cause->place = 2 * e->singles > e->on_count ? CAUSE_IN_CHANGING : CAUSE_IN_ALL;
	else if (e->by / e->ops_by < SHARE_OF_ROW)
		cause->place = CAUSE_IN_SEVERAL;
	else
		cause->place = CAUSE_IN_ROW;
	if (cause->place != CAUSE_IN_ROW && cause->place != CAUSE_IN_SEVERAL) {
		cause->group = SIZE_MAX;
		cause->row_from = cause->row_to = NAN;
	}
}

/* True if the row has steps that are long enough for a part of the smallest change. */
static bool may_matter(const struct cause_finder *f, size_t group)
{
	const double most = f->summary->all.row[group].value[0].runs.pooled.max;
	double least = INFINITY;

	for (size_t i = 0; i < f->count; i++)
		least = fmin(least, fabs(f->event[i].cause.to - f->event[i].cause.from));
	return !(most < PART_OF_CHANGE * least);
}

static void try_row(struct step_event *e, size_t group, const double *x, bool is_only)
{
	const double from = series_mean(x, e->ref, e->ref_count);
	const double by = series_mean(x, e->on, e->on_count) - from;
	const double share = e->ops_from > 0 ? from / e->ops_from : 0;
	const double excess = share < 1 ? (by / e->ops_by - share) / (1 - share) : 0;

	e->rows_by += by;
	for (size_t k = 0; e->is_single && k < e->on_count; k++) {
		const double more = e->ops[e->on[k]] - e->ops_from, own = x[e->on[k]] - from;

		if (!e->is_single[k] && more > 0 &&
			own - share * more >= EXCESS_OF_ROW * (1 - share) * more) {
			e->is_single[k] = true;
			e->singles++;
		}
	}
	if (!is_only && (!(excess > 0) || (e->cause.group != SIZE_MAX && excess <= e->excess)))
		return;
	e->cause.group = group;
	e->cause.row_from = from;
	e->cause.row_to = from + by;
	e->excess = excess;
	e->by = by;
}

/* Ranks wait for each other, and what they wait for is no cause: where the work of a rank changed
 * by most of the event, its row is one of work. Names the rank that did so alone. */
static void find_rank(const struct cause_finder *f, struct step_event *e)
{
	const size_t ranks = f->ranks->of->count, steps = f->ranks->steps;
	double *by = f->known, most = -INFINITY;
	const bool shorter = e->cause.to < e->cause.from;
	size_t n = 0, found = 0;

	for (size_t r = 0; r < ranks; r++) {
		const double *x = f->ranks->work_of_step_ps + r * steps;
		const double by_mean =
			series_mean(x, e->on, e->on_count) - series_mean(x, e->ref, e->ref_count);

		if (isnan(by_mean))
			continue;
		by[n] = shorter ? -by_mean : by_mean;
		found = by[n] > most ? r : found;
		most = fmax(most, by[n++]);
	}
	if (!n || !cause_is_most(most, fabs(e->cause.to - e->cause.from)))
		return;
	e->of_work = true;
	if (n >= RANK_CULPRITS_RANKS && cause_is_most(most - sample_middle(by, n), most))
		e->cause.of_rank = found;
}

void step_events_find_rows(struct cause_finder *f)
{
	const struct summary *summary = f->summary;
	const struct grouping *grouping = summary->grouping;
	struct row_series *series = row_series_new(summary->steps, f->arena);

	for (size_t i = 0; i < f->count; i++) {
		struct step_event *e = &f->event[i];

		if (e->on_count > 1 && e->cause.kind == CAUSE_LONG)
			e->is_single = arena_array(f->arena, e->on_count, sizeof(*e->is_single));
		e->change = series_mean(f->total, e->on, e->on_count) -
			    series_mean(f->total, e->ref, e->ref_count);
		if (f->ranks)
			find_rank(f, e);
		e->ops = e->of_work ? f->work : summary->step_total[0];
		e->ops_from = series_mean(e->ops, e->ref, e->ref_count);
		e->ops_by = series_mean(e->ops, e->on, e->on_count) - e->ops_from;
	}
	for (size_t g = 0; f->count && g < grouping->count; g++) {
		if (!may_matter(f, g))
			continue;
		row_series_read(summary->cube, summary->steps, &grouping->group[g],
			summary->options.measure[0], series);
		row_series_adjust(summary, summary->options.measure[0], series);
		for (size_t i = 0; i < f->count; i++)
			if (!f->event[i].of_work ||
				job_ranks_is_work(f->ranks, &grouping->group[g]))
				try_row(&f->event[i], g, series->x, grouping->count == 1);
		row_series_clear(series);
	}
	for (size_t i = 0; i < f->count; i++) {
		settle_place(&f->event[i], grouping->count);
		if (f->event[i].cause.group != SIZE_MAX)
			count_calls(f, &f->event[i], series);
	}
}
