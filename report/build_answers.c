/* The sentences of a report that answer: what a step or a call takes, and what varies. */
#include "report/build_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/totals.h"
#include "base/order.h"
#include "base/text.h"
#include "report/build_causes.h"
#include "report/build_devices.h"
#include "report/build_ranks.h"

struct answerer {
	struct report *report;
	const struct summary *summary;
	const struct build_options *opt;
	const char *const *name;
	const struct cube *self;
	struct device_parts *device;
	size_t device_count;
};

static bool is_of_time(const struct answerer *b)
{
	return b->summary->options.measure[0] == MEASURE_TIME;
}

static bool is_of_selected(const struct answerer *b)
{
	return b->summary->options.of_selected && !b->summary->overlap;
}

/* " [21.87, 22.33], CV 3.1 %": between runs and between steps where there are several runs. */
static const char *phrase_spread(struct answerer *b, const struct runs *runs)
{
	struct arena *arena = b->report->arena;
	const bool several = runs->runs > 1;
	const char *interval = "", *spread = "";

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
	return arena_printf(arena, "%s%s", interval, spread);
}

/* " a rank": values are means over the ranks. */
static const char *phrase_ranks(const struct answerer *b)
{
	return b->opt->ranks ? " a rank" : "";
}

/* " of kind train": the first of several that the source names. */
static const char *phrase_kind(const struct answerer *b)
{
	if (!b->opt->first_kind)
		return "";
	return arena_printf(b->report->arena, " of kind %s",
		phrase_visible(b->report->arena, b->summary->steps->kinds.name[0]));
}

static void answer_total(struct answerer *b)
{
	struct arena *arena = b->report->arena;
	const struct runs *runs = &b->summary->all.total[0].runs;

	if (runs->mean == 0) {
		report_answer(b->report, "%s no time: every recorded time is 0.",
			is_of_selected(b) ? "The selected ops took"
					  : "The ops of these steps took");
		return;
	}
	report_answer(b->report, "%s %s of op time%s%s.",
		is_of_selected(b)
			? arena_printf(arena, "The selected ops of a step%s take", phrase_kind(b))
			: arena_printf(arena, "A step%s takes", phrase_kind(b)),
		phrase_quantity(arena, DIMENSION_TIME, runs->mean), phrase_ranks(b),
		phrase_spread(b, runs));
}

/* Answers how long the step took, and how much of it ops are. */
static void answer_step(struct answerer *b)
{
	struct arena *arena = b->report->arena;
	const struct summary_part *all = &b->summary->all;
	const double ops = all->total[0].runs.mean;
	const char *from = step_time_phrase(b->self);
	const struct job_collectives *collectives =
		b->opt->ranks ? b->opt->ranks->collectives : NULL;
	const char *beside = "", *busy = "", *waiting = "";

	if (collectives && collectives->matches && collectives->mean_waiting_ps > 0)
		waiting = arena_printf(arena, ", %s waiting for the last rank",
			phrase_percent(arena, collectives->mean_waiting_ps / all->time.mean));
	/* Busy time, in which any op of host or devices ran; left out where each device has a
	 * sentence of its own, in comparisons, and where it is longer than the step. */
	if (all->has_busy && b->device_count <= 0 && !b->self->is_one_side &&
		all->busy.mean <= 1.005 * all->time.mean)
		busy = arena_printf(arena, "%sbusy %s%s",
			describe_device_count(b->self) > 1 ? "at least one " : "",
			phrase_percent(arena, fmin(1, all->busy.mean / all->time.mean)), waiting);
	if (!isnan(ops) && !is_of_selected(b))
		beside = arena_printf(arena, "  (%s of op time%s%s%s)",
			phrase_quantity(arena, DIMENSION_TIME, ops), phrase_ranks(b),
			*busy ? ", " : "", busy);
	else if (*busy)
		beside = arena_printf(arena, "  (%s)", busy);
	report_answer(b->report, "A step%s takes %s%s%s%s.", phrase_kind(b),
		phrase_quantity(arena, DIMENSION_TIME, all->time.mean), from,
		phrase_spread(b, &all->time), beside);
}

/* Answers how much op time the host has, where the table has the rows of devices, or of the
 * host. */
static void answer_host(struct answerer *b)
{
	struct arena *arena = b->report->arena;
	const double ops = summary_series_mean(b->summary, b->self, SERIES_HOST_OPS);
	const double waiting = summary_series_mean(b->summary, b->self, SERIES_HOST_WAITING);
	const double launch = summary_series_mean(b->summary, b->self, SERIES_LAUNCH);
	const char *waits = "";

	if (*step_time_phrase(b->self) && !isnan(launch) && b->summary->all.has_time)
		report_answer(b->report, "The host launches a step in %s.",
			phrase_quantity(arena, DIMENSION_TIME, launch));
	if (isnan(ops) || ops == b->summary->all.total[0].runs.mean)
		return;
	if (waiting > 0)
		waits = arena_printf(arena, ", %s of it waiting",
			phrase_quantity(arena, DIMENSION_TIME, waiting));
	report_answer(b->report, "The host has %s of op time%s  (--on=host).",
		phrase_quantity(arena, DIMENSION_TIME, ops), waits);
}

#define PERIOD_MUCH 2 /* times the marker */

/* Answers what passes from the start of a step to the start of the next one, where their marker is
 * too short to be the step. True if it does. */
static bool answer_period(struct answerer *b)
{
	const double marker = summary_series_mean(b->summary, b->self, SERIES_MARKER);
	const double period = summary_series_mean(b->summary, b->self, SERIES_PERIOD);

	if (b->self->times.kind != STEP_TIME_MARKER || !(period > PERIOD_MUCH * marker))
		return false;
	report_answer(b->report,
		"The marker is short: from start to start pass %s  (--step-time=period).",
		phrase_quantity(b->report->arena, DIMENSION_TIME, period));
	return true;
}

/* A step has a time of its own, or only that of its ops. True if its period is said. */
static bool answer_time(struct answerer *b)
{
	const struct summary_part *all = &b->summary->all;
	const bool has_step = all->has_time && all->time.mean > 0;

	if (is_of_selected(b) || !has_step || all->total[0].runs.mean == 0)
		answer_total(b);
	if (!has_step)
		return false;
	answer_step(b);
	return answer_period(b);
}

struct culprit {
	double jitter;
	const char *name, *shown;
};

ORDERED(compare_culprits, struct culprit, ORDER(y->jitter, x->jitter) ?: strcmp(x->name, y->name));

#define CULPRITS_NAMED 3

/* True if jitter shares refer to the step time. */
static bool is_of_step(const struct answerer *b)
{
	return b->summary->jitter_of[0] != b->summary->step_total[0];
}

/* Nobody is named. `largest`: the row with the largest share above JITTER_SHOWN, none of which is
 * more than its share of the time and chance may give; SIZE_MAX: no share is. */
static void answer_no_culprit(struct answerer *b, size_t largest)
{
	const struct summary_part *all = &b->summary->all;
	const struct grouping *grouping = b->summary->grouping;
	struct arena *arena = b->report->arena;
	const char *kind = grouping->ops_kept < grouping->ops ? "selected" : "single";
	const char *of = is_of_step(b) || !all->has_time ? "" : " of the op time";

	if (grouping->count > 1 && jitter_is_common(b->summary) && !(all->base[0].not_in_ops > 0.5))
		report_answer(b->report,
			"All %s get longer together (+%s): the machine, not %s %s.",
			b->opt->row_nouns, phrase_percent(arena, all->total[0].runs.cv_step),
			strchr("aeiou", *b->opt->row_noun) ? "an" : "a", b->opt->row_noun);
	else if (largest == SIZE_MAX)
		report_answer(b->report, "No %s %s carries more than 10 %% of the jitter%s.", kind,
			b->opt->row_noun, of);
	else if (all->row[largest].value[0].share < 1)
		report_answer(b->report,
			"No %s %s stands out in the jitter%s: %s has %s of it with %s of the op "
			"time, no more than %zu steps explain.",
			kind, b->opt->row_noun, of, phrase_list(arena, &b->name[largest], 1),
			phrase_percent(arena, all->row[largest].value[0].jitter),
			phrase_percent(arena, all->row[largest].value[0].share),
			b->summary->steps->count);
}

/* Each op with its own share: shares of ops that compensate are negative, so the others may add up
 * to more than 100 %. */
static void answer_jitter(struct answerer *b)
{
	struct arena *arena = b->report->arena;
	const struct grouping *grouping = b->summary->grouping;
	struct culprit *culprit = arena_array(arena, grouping->count, sizeof(*culprit));
	bool *named_row = arena_array(arena, grouping->count, sizeof(*named_row));
	struct text named;
	double sum = 0;
	size_t n = 0, largest = SIZE_MAX;

	if (isnan(b->summary->all.total[0].jitter) || b->summary->overlap)
		return;
	jitter_find(b->summary, JITTER_SHOWN, named_row);
	for (size_t g = 0; g < grouping->count; g++) {
		const double jitter = b->summary->all.row[g].value[0].jitter;

		if (jitter > JITTER_SHOWN &&
			(largest == SIZE_MAX ||
				jitter > b->summary->all.row[largest].value[0].jitter))
			largest = g;
		if (named_row[g])
			culprit[n++] = (struct culprit){b->summary->all.row[g].value[0].jitter,
				grouping->group[g].name, b->name[g]};
	}
	if (!n) {
		answer_no_culprit(b, largest);
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
	report_answer(b->report, "The %s time varies from step to step with %s%s.",
		is_of_step(b) ? "step" : "op", text_string(&named),
		sum > 1.005 ? "; other ops compensate for a part" : "");
	text_release(&named);
}

/* Answers what of the jitter is in no op: idle, waiting and what overlaps may vary more than any.
 */
static void answer_not_in_ops(struct answerer *b)
{
	const struct summary_part *all = &b->summary->all;
	const double share = all->base[0].not_in_ops;

	if (isnan(all->total[0].jitter) || b->summary->overlap || !is_of_step(b) || !(share > 0.5))
		return;
	report_answer(b->report,
		"%s of the jitter of the step time is not in ops: idle, waiting, what overlaps.",
		phrase_percent(b->report->arena, fmin(1, share)));
}

/* Answers what warm-up makes of the mean, where that is much. True if it does. */
static bool answer_warmup(struct answerer *b, const struct report_warmup *warmup)
{
	char *sentence;

	if (!warmup->is_large || issue_list_in_doubt(&b->summary->cube->issues))
		return false;
	sentence = arena_strdup(b->report->arena, warmup->sentence);
	*sentence = *sentence == 't' ? 'T' : 'I';
	report_answer(b->report, "%s%s.", sentence, b->report->next ? "  (--warmup=auto)" : "");
	if (!b->report->next)
		report_next(b->report, "Next: leave out the warm-up  (--warmup=auto).");
	return true;
}

struct answered answers_add(struct report *report, const struct summary *summary,
	const struct cube *self, const struct build_options *opt,
	const struct report_warmup *warmup, const char *const *name)
{
	/* The first of several kinds of steps; the jitter would be between kinds. */
	struct answerer first = {
		report, opt->first_kind ? opt->first_kind : summary, opt, name, self, NULL, 0};
	struct answerer b = {report, summary, opt, name, self, NULL, 0};
	const bool is_timed = is_of_time(&first) && !isnan(first.summary->all.total[0].runs.mean);
	const bool varies = is_of_time(&b) && (!opt->first_kind || opt->ranks);
	struct cause_list causes = {0};
	struct answered answered = {false, false};

	if (is_timed) {
		first.device_count =
			device_parts_make(first.summary, self, report->arena, &first.device);
		answered.period = answer_time(&first);
	}
	if (is_of_time(&first))
		answers_add_causes(report,
			&(struct cause_sources){.summary = varies ? summary : NULL,
				.ranks = varies ? opt->ranks : NULL,
				.device = first.device,
				.device_count = first.device_count},
			summary, opt, name, &causes);
	if (is_timed)
		answered.warmup = answer_warmup(&b, warmup);
	if (is_timed)
		answers_add_devices(report, first.device, first.device_count, &causes);
	if (varies && opt->ranks)
		answers_add_ranks(report, opt->ranks, name);
	if (varies && !causes.suffice && !answered.warmup) {
		answer_jitter(&b);
		answer_not_in_ops(&b);
	}
	if (is_timed)
		answer_host(&first);
	return answered;
}

/* Answers how short the work of devices is, and how long it waits. */
static void answer_launches(const struct answerer *b, const struct calls *calls)
{
	struct arena *arena = b->report->arena;
	const struct call_sums *delay = &calls->delay;
	const char *wait = "";
	struct moments moments;

	if (!calls->device.count)
		return;
	moments_of_sums(delay->count, delay->sum_ps, delay->squares, &moments);
	if (delay->count)
		wait = arena_printf(arena, "; work starts %s after its launch on average",
			phrase_quantity(arena, DIMENSION_TIME, moments_mean(&moments)));
	report_answer(b->report, "Of %lld call%s on devices %s take less than 5 us%s.",
		(long long)calls->device.count, calls->device.count == 1 ? "" : "s",
		phrase_percent(arena, (double)calls->device.below / (double)calls->device.count),
		wait);
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
	answer_launches(&b, calls);
}
