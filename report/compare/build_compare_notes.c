/* Chooses and words the notes of a comparison, in the order of their worth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/compare/comparison.h"
#include "base/number.h"
#include "base/text.h"
#include "report/build_notes.h"
#include "report/compare/build_compare_words.h"

/* On the screen; fewer where nothing changed. */
#define NOTES_MOST 4
#define NOTES_QUIET 3
#define MARKS_MOST 3
#define LOSSES_MOST 2
#define CHANGES_MOST 3	    /* of further measures */
#define NAMED_MOST 3	    /* runs, pairs in one note */
#define UNMATCHED_MUCH 0.05 /* of the time */

struct compare_noter {
	struct compare_builder *b;
	const char **short_name; /* of each row, then as in base; NULL: the same there */
	const bool *shown;
	const char **mark;
	const char *cause[MARKS_MOST];
	size_t causes;
};

static const char *noun(const struct compare_noter *n, size_t count)
{
	return phrase_noun(n->b->build, count);
}

/* ---- what is wrong ---- */

static void note_side_losses(struct compare_noter *n, const struct compare_side *side,
	const char *which, size_t *told, size_t *more)
{
	const struct issue_list *issues = &side->run.self->issues;

	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];
		struct text text;

		if (issue->severity == ISSUE_INFO)
			continue;
		if (*told >= LOSSES_MOST) {
			++*more;
			continue;
		}
		++*told;
		text_init(&text);
		issue_add_sentence(&text, issue);
		report_note(n->b->report, "!", NULL, "%s: %s", which,
			phrase_visible(arena_of(n->b), text_string(&text)));
		text_release(&text);
	}
}

static void note_losses(struct compare_noter *n)
{
	size_t told = 0, more = 0;

	note_side_losses(n, n->b->base, "base", &told, &more);
	note_side_losses(n, n->b->new, "new", &told, &more);
	if (more)
		report_note(n->b->report, "!", "--explain-inputs",
			"%zu more kinds of loss in the inputs", more);
}

/* Rows of which something is not known in the first measure. */
struct unknown {
	size_t rows, lost;	  /* rows with such a step; of them those that cannot be judged */
	size_t first, first_lost; /* index of the row */
};

static void find_unknown(const struct comparison *c, struct unknown *out)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];
		bool unknown = (v->base && v->base->unknown) || (v->new && v->new->unknown);
		bool lost = ((v->base && v->base->lost) || (v->new && v->new->lost)) &&
			    v->verdict == VERDICT_NONE;

		if (lost && !out->lost++)
			out->first_lost = i;
		else if (unknown && !lost && !out->rows++)
			out->first = i;
	}
}

/* Values that are not known take their steps out of the row, and out of the step's total. */
static void note_unknown(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;
	const struct run_row *base = c->measure[0].total.base, *new = c->measure[0].total.new;
	const char *measure = compare_measure_of(n->b, 0)->name;
	struct unknown unknown = {0};

	find_unknown(c, &unknown);
	if (unknown.lost)
		report_note(n->b->report, "!", "--exclude=REGEX",
			"%s of %zu %s (first: %s) is not known in any step of some run: no verdict",
			measure, unknown.lost, noun(n, unknown.lost),
			n->short_name[unknown.first_lost]);
	if (unknown.rows)
		report_note(n->b->report, "!", "--explain=REGEX",
			"%s of %zu %s (first: %s) is not known in all steps: judged on those that "
			"are known",
			measure, unknown.rows, noun(n, unknown.rows), n->short_name[unknown.first]);
	if ((base->unknown || new->unknown) && !c->benchmarks &&
		measure_at(c->measure[0].id)->additive)
		report_note(n->b->report, NULL, NULL,
			"the total is over the steps in which all is known: %zu of %zu of base, "
			"%zu of %zu of new",
			base->steps - base->unknown, base->steps, new->steps - new->unknown,
			new->steps);
}

/* The parts of a run value, where it is perhaps no step. */
static void note_averages(struct compare_noter *n)
{
	static const struct {
		const char *code, *text;
	} told[] = {
		{"step-unknown", NOTE_STEP_UNKNOWN},
		{"tfprof-average", NOTE_AVERAGE},
	};
	const struct compare_side *side[] = {n->b->base, n->b->new};

	for (size_t k = 0; k < sizeof(told) / sizeof(*told); k++) {
		bool of[2] = {false, false};

		for (size_t s = 0; s < 2; s++)
			for (size_t i = 0; i < side[s]->run.self->issues.count; i++)
				of[s] |= text_equal(
					side[s]->run.self->issues.issue[i].code, told[k].code);
		if (of[0] || of[1])
			report_note(n->b->report, "!", "--explain-inputs", "%s: %s",
				of[0] && of[1] ? "base and new"
				: of[0]	       ? "base"
					       : "new",
				told[k].text);
	}
}

static void note_runs(struct compare_noter *n)
{
	compare_notes_runs(n->b);
}

/* Why the step is judged by its op time although a side knows how long its steps took. */
static void note_step_times(struct compare_noter *n)
{
	const struct step_times *base = &n->b->base->run.self->times;
	const struct step_times *new_side = &n->b->new->run.self->times;

	if (n->b->comparison->step_times == STEP_TIMES_DECIDE || n->b->opt->value.of_selected ||
		first_measure(n->b)->id != MEASURE_TIME || (!base->decides && !new_side->decides))
		return;
	if (base->kind != new_side->kind)
		report_note(n->b->report, "!",
			base->time_ps && new_side->time_ps ? "--step-time=span" : NULL,
			"the step times of base and new are of different kinds (%s and %s): the op "
			"time of a step is compared",
			step_time_name(base->kind), step_time_name(new_side->kind));
	else
		report_note(n->b->report, "!",
			arena_printf(arena_of(n->b), "--step-time=%s", step_time_name(base->kind)),
			"only %s has an accelerator: the op time of a step is compared",
			base->decides ? "base" : "new");
}

/* Drift, levels and outliers of the steps of each run. */
static void note_steady(struct compare_noter *n)
{
	const struct run_side *base = &n->b->base->run, *new = &n->b->new->run;
	const bool by_step_time = n->b->comparison->step_times == STEP_TIMES_DECIDE;
	struct steadiness before, after;

	if (measure_at(first_measure(n->b)->id)->dimension != DIMENSION_TIME)
		return;
	steadiness_find(base, by_step_time, arena_of(n->b), &before);
	steadiness_find(new, by_step_time, arena_of(n->b), &after);
	compare_steady_notes(n->b->report,
		(struct steady_side[]){{"base", &before, base->self}, {"new", &after, new->self}},
		by_step_time ? "step time" : "op time per step",
		n->b->opt->value.kind == RUN_VALUE_MEAN ||
			n->b->opt->value.kind == RUN_VALUE_GEOMEAN);
}

static void note_nearest(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;
	size_t told = 0;

	for (size_t i = 0; i < c->count && told < NAMED_MOST; i++) {
		if (c->row[i].how != PAIRED_NEAREST || !c->row[i].was)
			continue;
		told++;
		report_note(n->b->report, "!", "--match=name",
			"paired by nearest name, which may be wrong: %s in base, %s in new",
			n->short_name[c->count + i], n->short_name[i]);
	}
	if (c->pairing.by_nearest > told && told)
		report_note(n->b->report, "!", "--match=name", "%zu more pairs by nearest name",
			c->pairing.by_nearest - told);
}

static void note_unmatched(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;

	if (compare_is_of_runtimes(n->b) || /* an answer says it */
		(c->unmatched_base <= UNMATCHED_MUCH && c->unmatched_new <= UNMATCHED_MUCH))
		return;
	report_note(n->b->report, "!", match_option(n->b),
		"%s of base and %s of new is in %s that the other side does not have: compared "
		"only within the step",
		phrase_level(arena_of(n->b), c->unmatched_base),
		phrase_level(arena_of(n->b), c->unmatched_new), n->b->build->row_nouns);
}

static void note_ranks(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;
	const struct compared_measure *measure = first_measure(n->b);
	double needed = ceil(measure->smallest_p * (double)measure->family / n->b->opt->rule.alpha);
	char p[NUMBER_TEXT_SIZE];

	if (isnan(measure->smallest_p))
		return;
	number_format_real(p, measure->smallest_p, 3);
	if (measure->smallest_p >= n->b->opt->rule.alpha)
		report_note(n->b->report, "!", "--method=moderated",
			"no result is possible with %zu v %zu ranks (smallest p %s)", c->runs_base,
			c->runs_new, p);
	else if (needed > 1 && n->b->opt->adjust == MULTIPLE_BH)
		report_note(n->b->report, "!", "--method=moderated",
			"%zu v %zu ranks have no p below %s: nothing is found unless %.0f of the "
			"%zu %s change",
			c->runs_base, c->runs_new, p, needed, measure->family,
			noun(n, measure->family));
}

/* ---- changes of further measures ---- */

struct noted_change {
	const char *name;
	size_t measure;
	const struct compared *value;
};

static int compare_changes(const void *a, const void *b)
{
	const struct noted_change *x = a, *y = b;
	double p = fabs(x->value->difference), q = fabs(y->value->difference);

	if (x->measure != y->measure)
		return x->measure < y->measure ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

/* Measures after the first that changed, largest first in each measure; after many, its total. */
static size_t find_changes(const struct compare_noter *n, struct noted_change *out)
{
	const struct comparison *c = n->b->comparison;
	size_t count = 0;

	for (size_t m = 1; m < c->measure_count; m++) {
		size_t before = count;

		for (size_t i = 0; i < c->count; i++)
			if (compared_claims_change(&c->row[i].value[m]))
				out[count++] = (struct noted_change){
					n->short_name[i], m, &c->row[i].value[m]};
		if (count - before > CHANGES_MOST && compared_claims_change(&c->measure[m].total))
			out[count++] = (struct noted_change){NULL, m, &c->measure[m].total};
	}
	if (count)
		qsort(out, count, sizeof(*out), compare_changes);
	return count;
}

static void note_changes(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;
	size_t room = (c->count + 1) * c->measure_count, told, count;
	struct noted_change *change = arena_array(arena_of(n->b), room, sizeof(*change));

	if (compare_is_mixed(n->b)) /* the table has them */
		return;
	count = find_changes(n, change);
	told = count < CHANGES_MOST ? count : CHANGES_MOST;
	for (size_t i = 0; i < told; i++) {
		const struct measure *measure = compare_measure_of(n->b, change[i].measure);
		const struct compared *value = change[i].value;
		bool worse =
			value->verdict == VERDICT_REGRESSED || value->verdict == VERDICT_SLOWER;
		const char *how =
			value->evidence == EVIDENCE_EXACT
				? "exact"
				: phrase_bounds(arena_of(n->b), value->low, value->high, 0);

		report_note(n->b->report, worse ? "!" : NULL, NULL, "%s%s of %s %s (%s%s%s)",
			measure->dimension == DIMENSION_BYTES ? "memory: " : "", measure->name,
			change[i].name ? change[i].name : "all ops",
			phrase_pair(arena_of(n->b), measure->dimension, value->base_mean,
				value->new_mean),
			phrase_change(arena_of(n->b), value->change), how ? ", " : "",
			how ? how : "");
	}
	if (count > told)
		report_note(n->b->report, NULL, "-o compare.csv", "%zu more such changes in %s",
			count - told,
			measure_is_own(c->measure[c->measure_count - 1].id) ? "other measures"
									    : "bytes and counts");
}

/* ---- marks ---- */

/* The letter of a cause; a new one while there are any. */
static const char *mark_of(struct compare_noter *n, const char *cause, bool may_add)
{
	char letter[2] = {'a', 0};
	size_t i = 0;

	while (i < n->causes && !text_equal(n->cause[i], cause))
		i++;
	if (i == n->causes) {
		if (!may_add || n->causes == MARKS_MOST)
			return NULL;
		n->cause[n->causes++] = cause;
	}
	letter[0] = (char)('a' + i);
	return arena_strdup(arena_of(n->b), letter);
}

static const char *fragile_cause(const struct compare_noter *n, const struct compared *value)
{
	if (value->fragile_run)
		return phrase_run(arena_of(n->b), "run", fragile_run_name(n->b, value));
	return value->fragile_step ? fragile_step_name(n->b, value) : NULL;
}

/* Rows on the screen first, so that they get the letters. */
static void mark_fragile(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;

	for (int shown = 1; shown >= 0; shown--)
		for (size_t i = 0; i < c->count; i++) {
			const char *cause;

			if (n->shown[i] != (shown != 0) ||
				!compared_claims_change(&c->row[i].value[0]))
				continue;
			cause = fragile_cause(n, &c->row[i].value[0]);
			if (cause)
				n->mark[i] = mark_of(n, cause, shown != 0);
		}
}

/* True if the letter is at a row of 3 v 3 runs whose spread was tested. How often these are fragile
 * was simulated (doc/comparison.md, fragile). */
static bool marks_three_runs(const struct compare_noter *n, char letter)
{
	const struct comparison *c = n->b->comparison;

	if (c->runs_base != 3 || c->runs_new != 3)
		return false;
	for (size_t i = 0; i < c->count; i++)
		if (n->mark[i] && *n->mark[i] == letter &&
			c->row[i].value[0].evidence == EVIDENCE_TEST)
			return true;
	return false;
}

/* "run 1 of base (a) and run 3 of new (b)"; marks "ab". */
static const char *fragile_causes(struct compare_noter *n, const char **marks)
{
	const char *part[MARKS_MOST];

	*marks = "a";
	for (size_t i = 0; i < n->causes; i++) {
		const char letter = (char)('a' + i);

		part[i] = n->causes == 1
				  ? n->cause[i]
				  : arena_printf(arena_of(n->b), "%s (%c)", n->cause[i], letter);
		*marks = i ? arena_printf(arena_of(n->b), "%s%c", *marks, letter) : *marks;
	}
	return phrase_list(arena_of(n->b), part, n->causes);
}

static void note_fragile(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;
	const char *marks, *causes = fragile_causes(n, &marks);
	bool three_runs = false;
	size_t more = 0;

	for (size_t i = 0; i < n->causes; i++)
		three_runs |= marks_three_runs(n, (char)('a' + i));
	for (size_t i = 0; i < c->count; i++) {
		const struct compared *value = &c->row[i].value[0];

		more += n->shown[i] && !n->mark[i] && compared_claims_change(value) &&
			(value->fragile_run || value->fragile_step);
	}
	if (n->causes)
		report_note(n->b->report, marks, "--explain=REGEX",
			"fragile: without %s%s alone the claim would not be made%s%s",
			n->causes > 1 ? "one of " : "", causes,
			three_runs ? "; with 3 runs a side this is common where a change is just "
				     "large enough to be found"
				   : "",
			more ? arena_printf(arena_of(n->b), "; %zu more verdict%s fragile", more,
				       more == 1 ? " is" : "s are")
			     : "");
}

/* ---- the data ---- */

/* "ran 39/200 -> 54/200 steps", "has 10 -> 3 executions per step". */
static const char *ran_phrase(const struct compare_noter *n, const struct compared_row *row)
{
	const struct run_row *base = row->value[0].base, *new = row->value[0].new;
	char before[NUMBER_TEXT_SIZE], after[NUMBER_TEXT_SIZE];

	if (base->ran * new->steps != new->ran * base->steps)
		return arena_printf(arena_of(n->b), "ran %zu/%zu -> %zu/%zu steps", base->ran,
			base->steps, new->ran, new->steps);
	return arena_printf(arena_of(n->b), "has %s -> %s executions per step",
		number_format_real(before, row->executions_base, 4),
		number_format_real(after, row->executions_new, 4));
}

/* Rows whose verdict does not say it beside them; how many rounds a benchmark took is its tool's
 * choice. */
static void note_ran(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;
	size_t first = SIZE_MAX, count = 0;

	for (size_t i = 0; i < c->count && !c->benchmarks; i++) {
		const struct compared *v = &c->row[i].value[0];

		if (!c->row[i].ran_changed || !v->base || !v->new || (v->split && n->shown[i]))
			continue;
		first = count++ ? first : i;
	}
	if (count)
		report_note(n->b->report, NULL, "-o compare.csv", "%s %s%s", n->short_name[first],
			ran_phrase(n, &c->row[first]),
			count > 1 ? arena_printf(arena_of(n->b),
					    "; %zu more ran in other steps, or another number of "
					    "times",
					    count - 1)
				  : "");
}

/* Note for a comparison with only two runs on a side: the smallest change that two runs a side
 * detect for the median row, and the smallest that three would. */
static void note_few_runs(struct compare_noter *n)
{
	const struct comparison *c = n->b->comparison;
	const struct compared_measure *measure = first_measure(n->b);
	size_t fewest = c->runs_base < c->runs_new ? c->runs_base : c->runs_new;
	double now = run_plan_change(measure, n->b->opt->method, 2);
	double more = run_plan_change(measure, n->b->opt->method, 3);

	if (fewest != 2 || !measure->family)
		return;
	if (isnan(now) || isnan(more))
		report_note(n->b->report, "!", NULL,
			"2 runs a side say little about how much runs differ; record 3 or more");
	else
		report_note(n->b->report, "!", NULL,
			"2 runs a side show a change of the median %s from %s on, 3 from %s; "
			"record 3 or more",
			n->b->build->row_noun, phrase_rough(arena_of(n->b), now),
			phrase_rough(arena_of(n->b), more));
}

struct dropped {
	size_t least, most, before, runs; /* steps at the start of a run */
	size_t steps, kinds;		  /* left out, by reason */
};

static void add_dropped(const struct step_set *steps, struct dropped *out)
{
	for (size_t r = 0; r < steps->run_count; r++) {
		size_t drop = steps->skipped[r];
		size_t before = steps->first[r + 1] - steps->first[r] + drop;

		out->least = !out->runs || drop < out->least ? drop : out->least;
		out->most = drop > out->most ? drop : out->most;
		out->before = !out->runs || before == out->before ? before : 0;
		out->runs++;
	}
	out->steps += steps->dropped_warmup;
	out->kinds += steps->dropped_kind;
}

static const char *dropped_words(const struct compare_noter *n, const struct dropped *d)
{
	if (d->least < d->most)
		return arena_printf(arena_of(n->b), "up to %zu step%s at the start of a run",
			d->most, d->most == 1 ? "" : "s");
	if (d->before)
		return arena_printf(arena_of(n->b), "the first %zu of %zu steps in every run",
			d->most, d->before);
	return arena_printf(arena_of(n->b), "the first %zu step%s of every run", d->most,
		d->most == 1 ? "" : "s");
}

/* " (warm-up: up to 2.9 times the median)": of base, which decides. */
static const char *warmup_words(const struct compare_noter *n, const struct step_set *base)
{
	double ratio = 0;

	if (!base->is_alike)
		return "";
	for (size_t r = 0; r < base->run_count; r++)
		if (base->warmup[r].ratio > ratio)
			ratio = base->warmup[r].ratio;
	return arena_printf(arena_of(n->b), " (warm-up: %s%.*f times the median)",
		base->run_count > 1 ? "up to " : "",
		ratio < 1.1  ? 2
		: ratio < 10 ? 1
			     : 0,
		ratio);
}

static void note_left_out(struct compare_noter *n)
{
	struct dropped d = {0};

	add_dropped(n->b->base->run.steps, &d);
	add_dropped(n->b->new->run.steps, &d);
	if (d.steps)
		report_note(n->b->report, NULL, "--warmup=none", "left out: %s%s",
			dropped_words(n, &d), warmup_words(n, n->b->base->run.steps));
	if (n->b->base->run.steps->kinds.gave_up)
		report_note(n->b->report, "!", "--kind=none", "%s", KINDS_GAVE_UP);
	if (d.kinds)
		report_note(n->b->report, NULL, "--kind=all",
			"left out: %zu step%s of another kind (other ops: evaluation, saving)",
			d.kinds, d.kinds == 1 ? "" : "s");
}

static void note_turns(struct compare_noter *n)
{
	compare_note_turns(n->b);
}

static void note_block(struct compare_noter *n)
{
	compare_note_block(n->b);
}

static void note_shift(struct compare_noter *n)
{
	compare_note_shift(n->b);
}

static void note_tests(struct compare_noter *n)
{
	compare_note_relabelling(n->b, true);
	compare_notes_tests(n->b, n->shown);
}

static void note_rules(struct compare_noter *n)
{
	const struct compare_side *side[] = {n->b->base, n->b->new};

	for (size_t i = 0; i < 2; i++)
		report_note_assumed(n->b->report, side[i]->run.self, i ? "new: " : "base: ");
	for (size_t i = 0; i < 2; i++)
		report_notes_grouping(n->b->report, i ? "new: " : "base: ", side[i]->run.grouping,
			side[i]->run.cube->totals ? GROUPED_TOTALS_PER_STEP : GROUPED_PER_STEP);
}

static void note_sums(struct compare_noter *n)
{
	report_note_rows(n->b->report, n->b->build, n->b->base->run.self);
	if (compare_adds_up(n->b))
		return;
	if (n->b->base->run.cube->totals || n->b->new->run.cube->totals)
		report_note(n->b->report, NULL, "--value=self",
			"rows hold everything below them and overlap: they do not add up to the "
			"total");
	else if (n->b->comparison->benchmarks)
		return;
	else if (n->b->opt->value.skip_absent)
		report_note(n->b->report, NULL, "--absent=zero",
			"means are over the steps in which each %s ran: they do not add up to the "
			"total",
			n->b->build->row_noun);
	else if (n->b->opt->value.kind != RUN_VALUE_MEAN)
		report_note(n->b->report, NULL, "--run-value=mean",
			"a value is not the mean over the steps: rows do not add up to the total");
}

static bool is_quiet(const struct comparison *c)
{
	const size_t *rows = c->measure[0].verdicts;

	for (int v = VERDICT_NEW; v < VERDICT_INCONCLUSIVE; v++)
		if (v != VERDICT_SAME && rows[v])
			return false;
	return !compared_claims_change(compared_step(c));
}

void compare_trim_notes(struct report *report, const struct comparison *comparison, size_t first)
{
	size_t room = is_quiet(comparison) ? NOTES_QUIET : NOTES_MOST;

	/* Notes that the table refers to and those that were added last, then warnings, then the
	 * rest. */
	for (int rank = 0; rank < 3; rank++)
		for (size_t i = 0; i < report->note_count; i++) {
			struct note *note = &report->note[i];
			const bool in_table = note->mark && *note->mark != '!';
			const int of = in_table || (first && i >= first) ? 0 : note->mark ? 1 : 2;

			if (of != rank || note->detail)
				continue;
			note->detail = room == 0;
			room -= room > 0;
		}
}

const char **compare_notes_add(struct compare_builder *b, const bool *shown)
{
	struct compare_noter n = {.b = b, .shown = shown};
	static void (*const note[])(struct compare_noter *) = {note_losses, note_unknown,
		note_averages, note_step_times, note_runs, note_steady, note_nearest,
		note_unmatched, note_ranks, note_few_runs, note_turns, note_shift, note_changes,
		note_fragile, note_left_out, note_ran, note_sums, note_block, note_tests,
		note_rules};
	size_t first_detail;

	n.mark = arena_array(arena_of(b), b->comparison->count + 1, sizeof(*n.mark));
	n.short_name = b->short_name;
	mark_fragile(&n);
	compare_notes_mixed(b);
	compare_notes_map(b);
	for (size_t i = 0; i < sizeof(note) / sizeof(*note); i++)
		note[i](&n);
	first_detail = b->report->note_count;
	compare_details_add(b);
	for (size_t i = first_detail; i < b->report->note_count; i++)
		b->report->note[i].detail = true;
	compare_trim_notes(b->report, b->comparison, 0);
	return n.mark;
}
