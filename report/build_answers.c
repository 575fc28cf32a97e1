/*
 * The sentences of a report that answer: what a step or a call takes, and what varies.
 */
#include "report/build_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"

struct answerer {
	struct report *report;
	const struct summary *summary;
	const struct build_options *opt;
	const char *const *name;
};

static bool is_of_time(const struct answerer *b)
{
	return b->summary->options.measure[0] == MEASURE_TIME;
}

static bool is_of_selected(const struct answerer *b)
{
	return b->summary->options.of_selected && !b->summary->overlap;
}

static void answer_total(struct answerer *b)
{
	struct arena *arena = b->report->arena;
	const struct summary_part *all = &b->summary->all;
	const struct summary_value *total = &all->total[0];
	const struct runs *runs = &total->runs;
	const char *interval = "", *spread = "";
	bool several = runs->runs > 1;

	if (isnan(runs->mean) || !is_of_time(b))
		return;
	if (runs->mean == 0) {
		report_answer(b->report, "%s no time: every recorded time is 0.",
			is_of_selected(b) ? "The selected ops took"
					  : "The ops of these steps took");
		return;
	}
	if (!isnan(runs->low))
		interval =
			phrase_interval(arena, DIMENSION_TIME, runs->mean, runs->low, runs->high);
	if (several && !isnan(runs->cv_run))
		spread = arena_printf(
			arena, ", CV %s between runs", phrase_percent(arena, runs->cv_run));
	if (!isnan(runs->cv_step))
		spread = arena_printf(arena, "%s, CV %s%s", spread,
			phrase_percent(arena, runs->cv_step),
			steps_may_be_averages(b->summary->cube) ? " between these reports"
			: several				? " between steps"
								: "");
	report_answer(b->report, "%s %s of op time%s%s.",
		is_of_selected(b) ? "The selected ops of a step take" : "A step takes",
		phrase_quantity(arena, DIMENSION_TIME, runs->mean), interval, spread);
}

/* Where the steps have a start and an end. */
static void answer_wall(struct answerer *b)
{
	struct arena *arena = b->report->arena;
	const struct summary_part *all = &b->summary->all;
	const char *spread = "", *busy = "";

	if (!all->has_wall || !(all->wall.mean > 0) || !is_of_time(b) ||
		isnan(all->total[0].runs.mean))
		return;
	if (!isnan(all->wall.cv_step))
		spread = arena_printf(arena, ", CV %s", phrase_percent(arena, all->wall.cv_step));
	if (all->busy.mean < 0.995 * all->wall.mean)
		busy = arena_printf(arena, "; ops run in %s of that (busy)",
			phrase_percent(arena, all->busy.mean / all->wall.mean));
	report_answer(b->report, "A step lasts %s from first start to last end (wall time)%s%s.",
		phrase_quantity(arena, DIMENSION_TIME, all->wall.mean), spread, busy);
}

struct culprit {
	double jitter;
	const char *name, *shown;
};

static int compare_culprits(const void *a, const void *b)
{
	const struct culprit *x = a, *y = b;

	if (x->jitter != y->jitter)
		return x->jitter > y->jitter ? -1 : 1;
	return strcmp(x->name, y->name);
}

#define CULPRITS_NAMED 3

/* Nobody is named. `several`: single shares are above JITTER_SHOWN, and none by more than chance.
 */
static void answer_no_culprit(struct answerer *b, bool several)
{
	const struct grouping *grouping = b->summary->grouping;
	const char *kind = grouping->ops_kept < grouping->ops ? "selected" : "single";
	const size_t steps = b->summary->steps->count;

	if (several)
		report_answer(b->report,
			"No %s %s stands out in the jitter: %zu steps do not show where it comes "
			"from.",
			kind, b->opt->row_noun, steps);
	else
		report_answer(b->report,
			"No %s %s carries more than 10 %% of the step-to-step jitter.", kind,
			b->opt->row_noun);
}

/* Each op with its own share: shares of ops that compensate are negative, so the others may add up
 * to more than 100 %. */
static void answer_jitter(struct answerer *b)
{
	struct arena *arena = b->report->arena;
	const struct grouping *grouping = b->summary->grouping;
	struct culprit *culprit = arena_array(arena, grouping->count, sizeof(*culprit));
	bool *named_row = arena_array(arena, grouping->count, sizeof(*named_row)), several = false;
	struct text named;
	double sum = 0;
	size_t n = 0;

	if (isnan(b->summary->all.total[0].jitter) || b->summary->overlap)
		return;
	jitter_find(b->summary, JITTER_SHOWN, named_row);
	for (size_t g = 0; g < grouping->count; g++) {
		several |= b->summary->all.row[g].value[0].jitter > JITTER_SHOWN;
		if (named_row[g])
			culprit[n++] = (struct culprit){b->summary->all.row[g].value[0].jitter,
				grouping->group[g].name, b->name[g]};
	}
	if (!n) {
		answer_no_culprit(b, several);
		return;
	}
	qsort(culprit, n, sizeof(*culprit), compare_culprits);
	n = n > CULPRITS_NAMED ? CULPRITS_NAMED : n;
	text_init(&named);
	for (size_t i = 0; i < n; i++) {
		sum += culprit[i].jitter;
		text_add(&named, !i ? "" : i + 1 < n ? ", " : " and ");
		text_printf(&named, "%s (%s%s)", phrase_list(arena, &culprit[i].shown, 1),
			phrase_percent(arena, culprit[i].jitter), i ? "" : " of the jitter");
	}
	report_answer(b->report, "The op time varies from step to step with %s%s.",
		text_string(&named), sum > 1.005 ? "; other ops compensate for a part" : "");
	text_release(&named);
}

void answers_add(struct report *report, const struct summary *summary,
	const struct build_options *opt, const char *const *name)
{
	struct answerer b = {report, summary, opt, name};

	answer_total(&b);
	answer_wall(&b);
	if (is_of_time(&b))
		answer_jitter(&b);
}

void answers_add_calls(struct report *report, const struct calls *calls)
{
	struct answerer b = {.report = report, .summary = calls->summary};
	struct arena *arena = report->arena;
	const struct call_value *total = &calls->all.total[0];
	size_t steps = b.summary->steps->count, runs = b.summary->steps->run_count;

	if (!is_of_time(&b) || !total->sums.count)
		return;
	report_answer(report,
		"%lld call%s%s in %zu step%s%s: %s of op time, %s per call on average.",
		(long long)total->sums.count, total->sums.count == 1 ? "" : "s",
		is_of_selected(&b) ? " of the selected ops" : "", steps, steps == 1 ? "" : "s",
		runs > 1 ? arena_printf(arena, " of %zu runs", runs) : "",
		phrase_quantity(arena, DIMENSION_TIME, (double)total->sums.sum_ps),
		phrase_quantity(arena, DIMENSION_TIME, moments_mean(&total->moments)));
}
