/* Answers with the next thing to do after a comparison: the last sentence, "Next: ...". */
#include <math.h>
#include <string.h>
#include "analysis/compare/comparison.h"
#include "analysis/gate/findings.h"
#include "analysis/run_stability.h"
#include "report/compare/build_compare_words.h"

bool compare_odd_decides(const struct comparison *c)
{
	const struct odd_runs *odd = &c->odd;

	if (odd->kind == ODD_NONE)
		return false;
	return c->benchmarks
		       ? memcmp(odd->verdicts, c->measure[0].verdicts, sizeof(odd->verdicts)) != 0
		       : odd->step.verdict != compared_step(c)->verdict;
}

static bool answer_next_odd(struct compare_builder *b)
{
	const struct odd_runs *odd = &b->comparison->odd;

	if (!compare_odd_decides(b->comparison))
		return false;
	if (odd->kind == ODD_EXCHANGED)
		report_next(b->report, "Next: see whether a file of base is among those of new.");
	else
		report_next(b->report, "Next: see what happened to %s%s, or record it again.",
			odd->kind == ODD_ROUND ? "the round of " : "", compare_odd_name(b));
	return true;
}

/* A row and one of its measures. */
struct row_measure {
	size_t row, measure;
};

/* False: no row is LOST. */
static bool answer_lost(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const size_t measures = c->benchmarks ? c->measure_count : 1;
	struct row_measure first = {0};
	size_t count = 0;

	for (struct row_measure at = {0}; at.row < c->count; at.row++) {
		at.measure = 0;
		while (at.measure < measures &&
			c->row[at.row].value[at.measure].verdict != VERDICT_LOST)
			at.measure++;
		if (at.measure < measures && !count++)
			first = at;
	}
	if (!count)
		return false;
	report_next(b->report, "Next: see why new did not measure %s%s%s%s.",
		first.measure ? compare_measure_of(b, first.measure)->name : "",
		first.measure ? " of " : "", b->short_name[first.row],
		count > 1 ? arena_printf(arena_of(b), " and %zu more", count - 1) : "");
	return true;
}

/* False: these runs say nothing of ops against each other that would be the next thing to do. */
static bool answer_next_against(struct compare_builder *b)
{
	const size_t most = compare_most_against(b);

	if (!compare_has_groups(b) && most != SIZE_MAX)
		report_next(b->report, "Next: look at %s, which changed most against the other %s.",
			b->short_name[most], b->build->row_nouns);
	return compare_has_groups(b) || most != SIZE_MAX;
}

/* True if most of what was tested is neither changed nor the same. */
static bool is_mostly_open(const struct compared_measure *measure)
{
	size_t decided = 0;

	for (int v = VERDICT_REGRESSED; v < VERDICT_INCONCLUSIVE; v++)
		decided += measure->verdicts[v];
	return measure->verdicts[VERDICT_INCONCLUSIVE] > decided;
}

static const char *name_of(const struct compare_builder *b, const struct compared *value)
{
	for (size_t i = 0; i < b->comparison->count; i++)
		if (&b->comparison->row[i].value[0] == value)
			return b->short_name[i];
	return "the step";
}

/* " (15 to 60)", "" where the plan is known as well as it can be. */
static const char *range_words(struct compare_builder *b, const struct run_plan_range *plan)
{
	if (plan->least == plan->most)
		return "";
	return plan->most ? arena_printf(arena_of(b), " (%zu to %zu)", plan->least, plan->most)
			  : arena_printf(arena_of(b), " (%zu or more)", plan->least);
}

/* True if most undecided rows have medians that tell their runs apart by less than half. */
static bool medians_are_steadier(const struct compare_builder *b)
{
	const struct compare_side *side[2] = {b->base, b->new};
	struct run_value_options median = b->opt->value;
	struct arena *scratch = arena_new();
	struct run_table table[2];
	const enum measure_id id = b->comparison->measure[0].id;
	size_t open = 0, steadier = 0;

	median.kind = RUN_VALUE_MEDIAN;
	for (size_t i = 0; i < 2; i++)
		run_table_make(&side[i]->run, id, &median, scratch, &table[i]);
	for (size_t i = 0; i < b->comparison->count; i++) {
		const struct compared_row *row = &b->comparison->row[i];
		const struct compared *v = &row->value[0];

		if (v->evidence != EVIDENCE_TEST || v->verdict != VERDICT_INCONCLUSIVE || v->small)
			continue;
		open++;
		steadier += run_rows_steadier((const struct run_row *const[]){v->base, v->new},
			(const struct run_row *const[]){
				&table[0].row[row->base - b->base->run.grouping->group],
				&table[1].row[row->new - b->new->run.grouping->group]});
	}
	arena_free(scratch);
	return steadier > open / 2;
}

const char *compare_next_medians(const struct compare_builder *b)
{
	static const enum verdict shown[] = {
		VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_SLOWER, VERDICT_FASTER};
	const struct compared_measure *measure = &b->comparison->measure[0];

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		if (measure->verdicts[shown[i]])
			return NULL;
	if (b->opt->value.kind != RUN_VALUE_MEAN || measure->limited ||
		measure_at(measure->id)->dimension != DIMENSION_TIME || !medians_are_steadier(b))
		return NULL;
	return "Next: compare medians, which single long steps do not move  (--run-value=median).";
}

static void answer_more_runs(struct compare_builder *b)
{
	const struct compared_measure *measure = &b->comparison->measure[0];
	double margin = b->opt->rule.margin_relative;
	const char *change = phrase_level(arena_of(b), margin), *what;
	const size_t present = b->comparison->runs_base < b->comparison->runs_new
				       ? b->comparison->runs_base
				       : b->comparison->runs_new;
	const char *medians = compare_next_medians(b);
	struct run_plan_range plan;

	if (medians) {
		report_next(b->report, "%s", medians);
		return;
	}
	if (measure->limited) {
		report_next(b->report, "Next: record finer times; more runs do not show what their "
				       "resolution hides.");
		return;
	}
	if (b->opt->rule_of || !(margin > 0) || !(measure->open_sd_run > 0) ||
		isnan(measure->limit_p))
		return;
	plan = run_plan_open(measure, b->opt->method, margin);
	what = measure->open_count > 1 ? arena_printf(arena_of(b), "the median of the undecided %s",
						 b->build->row_nouns)
				       : name_of(b, measure->open_first);
	if (plan.runs > present)
		report_next(b->report,
			"Next: record %zu runs a side%s, which show a change of %s in %s.",
			plan.runs, range_words(b, &plan), change, what);
	else if (!plan.runs)
		report_next(b->report,
			"Next: a quieter machine or a wider margin; %d runs a side would not show "
			"a change of %s in %s.",
			RUN_PLAN_MOST, change, what);
	else
		report_next(b->report,
			"Next: look whether %s matters: %s is near it, and many more runs would be "
			"needed to say on which side.",
			change, what);
}

/* True if what is NEW may be GONE under another name, and no row that both sides have changed. */
static bool may_be_renamed(const struct compare_builder *b)
{
	const size_t *verdicts = b->comparison->measure[0].verdicts;

	return verdicts[VERDICT_NEW] && verdicts[VERDICT_GONE] && !verdicts[VERDICT_REGRESSED] &&
	       !verdicts[VERDICT_SLOWER] && match_option(b);
}

void compare_answer_next(struct compare_builder *b, const char *findings)
{
	const struct compared_measure *measure = &b->comparison->measure[0];

	if (b->comparison->new_is_base) {
		report_next(b->report, "Next: compare with the recordings of another version.");
		return;
	}
	if (b->comparison->work.ops) {
		report_next(b->report, "Next: mark steps  (--step-marker=REGEX), or see calls  "
				       "(stepstat report --per=call).");
		return;
	}
	if (compare_is_one_run(b, compared_step(b->comparison)) || b->opt->unsteady)
		return;
	if (answer_next_odd(b))
		return;
	if (compared_shift_exceeds_runs(b->comparison, b->opt->rule.alpha) &&
		!compare_is_in_turns(b))
		report_next(b->report, "Next: record base and new in turns; that tells a change of "
				       "the machine from one of the program.");
	else if (may_be_renamed(b))
		report_next(b->report,
			"Next: see whether what is NEW is what is GONE under another name (%s).",
			match_option(b));
	else if (answer_lost(b))
		return;
	else if (findings)
		report_next(b->report, "%s", findings);
	else if (answer_next_against(b))
		return;
	else if (b->gate && b->gate->exit_status == 1) {
		/* Red, and no row is to blame. */
		if (b->comparison->moved.cancels && b->gate->policies->moved_fails)
			report_next(b->report,
				"Next: see why work moved between %s; moved: pass lets it.",
				b->build->row_nouns);
	} else if (compared_step(b->comparison)->verdict == VERDICT_SAME &&
		   !(b->gate && b->gate->exit_status == 4))
		report_next(b->report,
			is_mostly_open(measure) ? "Next: nothing to do for the step; single %s may "
						  "hide changes that only %s show."
						: "Next: nothing to do.",
			b->build->row_nouns, measure->limited ? "finer times" : "more runs");
	else if (compared_step(b->comparison)->verdict == VERDICT_INCONCLUSIVE ||
		 is_mostly_open(measure) || (b->gate && b->gate->exit_status == 4))
		answer_more_runs(b);
}
