/* Notes of a comparison about its runs: copies, runs without a steady state. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "analysis/step_kinds.h"
#include "analysis/compare/run_order.h"
#include "base/number.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"

#define NS_PER_SECOND INT64_C(1000000000)
#define NAMED_MOST 3	   /* runs in one note */
#define CLAIMS_MUCH 0.1	   /* by the splits of the runs, on average */
#define WARMUP_MUCH 0.0005 /* of a step: less is +0.0 % */

const char *compare_run_name(
	const struct compare_builder *b, const struct compare_side *side, size_t run)
{
	return phrase_visible(arena_of(b), side->run.cube->run[side->run.steps->run[run]].name);
}

const char *compare_odd_name(const struct compare_builder *b)
{
	const struct odd_runs *odd = &b->comparison->odd;

	return odd->base == SIZE_MAX ? compare_run_name(b, b->new, odd->new)
				     : compare_run_name(b, b->base, odd->base);
}

static const char *name_in(
	const struct compare_builder *b, const struct compare_side *side, uint32_t run)
{
	return phrase_visible(arena_of(b), side->run.cube->run[run].name);
}

static void note_side_copies(
	struct compare_builder *b, const struct compare_side *side, const char *which)
{
	const struct step_set *steps = side->run.steps;
	const struct left_out_run *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < steps->left_out_count; i++) {
		if (steps->left_out[i].why != RUN_COPY)
			continue;
		first = first ? first : &steps->left_out[i];
		count++;
	}
	if (count)
		report_note(b->report, "!", "--explain-inputs",
			"%s of %s has the values of %s, step by step: they count as one run%s",
			phrase_run(arena_of(b), "run", name_in(b, side, first->run)), which,
			phrase_run(arena_of(b), "run", name_in(b, side, first->of)),
			count > 1 ? arena_printf(arena_of(b), " (%zu such copies)", count) : "");
}

static void note_side_unsteady(
	struct compare_builder *b, const struct compare_side *side, const char *which)
{
	const struct step_set *steps = side->run.steps;
	const char *name[NAMED_MOST];
	size_t count = 0;

	for (size_t i = 0; i < steps->left_out_count; i++) {
		if (steps->left_out[i].why != RUN_UNSTEADY)
			continue;
		if (count < NAMED_MOST)
			name[count] = name_in(b, side, steps->left_out[i].run);
		count++;
	}
	if (count)
		report_note(b->report, "!", "--warmup=N",
			"left out: run%s %s%s of %s, without a steady state: more than half of the "
			"steps are slower than the last ones",
			count == 1 ? "" : "s",
			phrase_list(arena_of(b), name, count < NAMED_MOST ? count : NAMED_MOST),
			count > NAMED_MOST
				? arena_printf(arena_of(b), " and %zu more", count - NAMED_MOST)
				: "",
			which);
}

/* Adds the names of the side's runs without steady state, a few; returns how many there are. */
static size_t name_unsteady(const struct compare_builder *b, const struct compare_side *side,
	const char *which, struct text *out)
{
	const struct step_set *steps = side->run.steps;
	size_t count = 0;

	for (size_t r = 0; r < steps->run_count; r++) {
		if (steps->warmup[r].state != WARMUP_UNSTEADY)
			continue;
		if (count++ < NAMED_MOST)
			text_printf(out, "%s%s of %s", out->size ? ", " : "",
				compare_run_name(b, side, r), which);
	}
	return count;
}

/* Rows that leave the run out. */
static size_t rows_without(const struct compare_builder *b, bool of_new, size_t run)
{
	size_t rows = 0;

	for (size_t i = 0; i < b->comparison->count; i++)
		rows += compared_is_far_off(&b->comparison->row[i].value[0], of_new, run);
	return rows;
}

/* Adds "r3 of base (60 ops)" for each run that `one`, or without it any row, leaves out. Returns
 * how many further ones there are. */
static size_t name_far_off(
	const struct compare_builder *b, const struct compared *one, struct text *out)
{
	size_t named = 0, more = 0;

	for (int of_new = 0; of_new < 2; of_new++) {
		const struct compare_side *side = of_new ? b->new : b->base;

		for (size_t r = 0; r < side->run.steps->run_count; r++) {
			const size_t rows = one ? compared_is_far_off(one, of_new, r)
						: rows_without(b, of_new, r);

			if (rows && named++ < NAMED_MOST) {
				text_printf(out, "%s%s of %s", out->size ? ", " : "",
					compare_run_name(b, side, r), of_new ? "new" : "base");
				if (!one)
					text_printf(out, " (%zu %s)", rows,
						phrase_noun(b->build, rows));
			} else if (rows) {
				more++;
			}
		}
	}
	return more;
}

/* Runs that are left out of the test of a row, or of the step. */
static void note_far_off(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const struct compared *step = compared_step(c), *one = NULL;
	const char *of = "the step";
	struct text names;
	size_t count = 0, more;

	for (size_t i = 0; i < c->count; i++)
		if (c->row[i].value[0].far_off.run) {
			count++;
			one = &c->row[i].value[0];
			of = b->short_name[i];
		}
	if (!count && step->far_off.run)
		one = step;
	if (!one)
		return;
	text_init(&names);
	more = name_far_off(b, count > 1 ? NULL : one, &names);
	report_note(b->report, "!", "--method=welch",
		"far from the other runs of their side, and left out of the test and the "
		"means%s%s: %s%s",
		count > 1 ? "" : " of ", count > 1 ? "" : of, text_string(&names),
		more ? arena_printf(arena_of(b), " and %zu more run%s", more, more == 1 ? "" : "s")
		     : "");
	text_release(&names);
}

/* Ops that are judged although they have no value in some run. */
static void note_missing(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	size_t count = 0, first = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];

		if (v->small || v->evidence != EVIDENCE_TEST ||
			(v->base->valued == v->base->runs && v->new->valued == v->new->runs))
			continue;
		first = count++ ? first : i;
	}
	if (count)
		report_note(b->report, NULL, "--explain=REGEX",
			"%zu %s lack%s a value in some run and %s judged by the others (first: %s, "
			"in %zu of %zu runs of base and %zu of %zu of new)",
			count, phrase_noun(b->build, count), count == 1 ? "s" : "",
			count == 1 ? "is" : "are", b->short_name[first],
			c->row[first].value[0].base->valued, c->row[first].value[0].base->runs,
			c->row[first].value[0].new->valued, c->row[first].value[0].new->runs);
}

bool compare_is_in_turns(const struct compare_builder *b)
{
	return b->comparison->order.kind == RUN_ORDER_ROUNDS || b->opt->method == METHOD_PAIRED;
}

/* "40 seconds", "3 hours", "2 days": whole ones, of the largest unit of which there are two. */
static const char *phrase_gap(struct arena *arena, int64_t gap_ns)
{
	static const struct {
		const char *word;
		int64_t seconds;
	} unit[] = {{"days", 86400}, {"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
	int64_t seconds = gap_ns / NS_PER_SECOND;

	for (size_t i = 0; i < sizeof(unit) / sizeof(*unit); i++)
		if (seconds >= 2 * unit[i].seconds)
			return arena_printf(
				arena, "%" PRId64 " %s", seconds / unit[i].seconds, unit[i].word);
	return "less than 2 seconds";
}

/* "all runs of base were recorded before those of new (2 days between)"; NULL: they were not, or
 * nobody knows. */
static const char *block_phrase(const struct compare_builder *b)
{
	const struct run_order *order = &b->comparison->order;
	bool base_first = order->kind == RUN_ORDER_BASE_FIRST;

	if (b->opt->sessions) /* what lies between is what they are the unit for */
		return NULL;
	if (!base_first && order->kind != RUN_ORDER_NEW_FIRST)
		return NULL;
	return arena_printf(arena_of(b),
		"all runs of %s were recorded before those of %s (%s between)",
		base_first ? "base" : "new", base_first ? "new" : "base",
		phrase_gap(arena_of(b), order->gap_ns));
}

static const char *why_not_by_round(const struct compare_builder *b)
{
	const struct run_order *order = &b->comparison->order;

	if (order->rounds < RUN_ORDER_ROUNDS_OF_FEW)
		return arena_printf(arena_of(b), "so few %s need %d", b->build->row_nouns,
			RUN_ORDER_ROUNDS_OF_FEW);
	return arena_printf(arena_of(b),
		"%s is the first in each, and of so few %s a drift would look like a change",
		order->base_leads ? "base" : "new", b->build->row_nouns);
}

void compare_note_turns(struct compare_builder *b)
{
	const struct run_order *order = &b->comparison->order;
	const char *first = "";

	if (b->opt->turns_unused)
		report_note(b->report, NULL, "--method=paired",
			"the runs were recorded in turns (%zu rounds), but are not compared by "
			"round: %s",
			order->rounds, why_not_by_round(b));
	if (!b->opt->in_turns)
		return;
	if (order->base_leads || order->new_leads)
		first = arena_printf(arena_of(b),
			"; %s is the first in each, so a steady drift adds to the change: better "
			"base, new, new, base",
			order->base_leads ? "base" : "new");
	report_note(b->report, NULL, "--method=moderated",
		"the runs were recorded in turns: compared round by round (%zu rounds)%s",
		order->rounds, first);
}

/* True if there is a change that rests on a test of times. */
static bool claims_change(const struct comparison *c)
{
	const struct compared *total = compared_step(c);
	bool claims = total->evidence != EVIDENCE_EXACT && compared_claims_change(total);

	if (measure_at(c->measure[0].id)->dimension != DIMENSION_TIME)
		return false;
	for (size_t i = 0; i < c->count && !claims; i++) {
		const struct compared *value = &c->row[i].value[0];

		claims = value->evidence != EVIDENCE_EXACT && compared_claims_change(value);
	}
	return claims;
}

void compare_note_block(struct compare_builder *b)
{
	const char *phrase = block_phrase(b);

	if (phrase && claims_change(b->comparison))
		report_note(b->report, NULL, NULL,
			"%s: a drift of the machine would look like a change; record in turns",
			phrase);
}

/* True if the first measure has any claim; finds what the other splits of its runs claim. */
void compare_note_relabelling(struct compare_builder *b, bool matters)
{
	const struct relabelling *r = &b->comparison->measure[0].relabelling;
	char number[NUMBER_TEXT_SIZE];
	const char *shuffled;

	if (!r->splits || matters != (r->withheld || r->claims >= CLAIMS_MUCH))
		return;
	shuffled = b->opt->method == METHOD_PAIRED ? "sides exchanged in some rounds"
						   : "the sides shuffled";
	number_format_fixed(number, r->claims, r->claims < 0.095 ? 2 : 1);
	if (r->withheld)
		report_note(b->report, "!", "--explain=REGEX",
			"%zu of %zu changes %s withheld: the runs differ as much among themselves; "
			"with %s such runs claim %s %s (%zu splits)",
			r->withheld, r->observed, r->withheld == 1 ? "is" : "are", shuffled, number,
			b->build->row_nouns, r->splits);
	else
		report_note(b->report, NULL, NULL,
			"with %s such runs claim %s %s instead of %zu (%zu splits)", shuffled,
			number, b->build->row_nouns, r->observed, r->splits);
}

/* False: it came as often as before. */
static bool note_share(struct compare_builder *b, const struct compared_kind *kind)
{
	struct arena *arena = arena_of(b);
	const bool differs = kind->share_p < COMPARED_SHARE_P;

	if (differs)
		report_note(b->report, "!", "--table=steps",
			"kind %s of step: %s of the steps of a run of base, %s of new (p %s, by "
			"the ranks of the runs)",
			kind->word, phrase_percent(arena, kind->share_base),
			phrase_percent(arena, kind->share_new), phrase_p(arena, kind->share_p));
	return differs;
}

static void note_kind(struct compare_builder *b, const struct compared_kind *kind)
{
	const struct compared *v = &kind->value;
	struct arena *arena = arena_of(b);
	enum dimension dimension = measure_at(b->comparison->measure[0].id)->dimension;
	const char *option = arena_printf(arena, "--kind=%s", kind->word);
	size_t steps = kind->steps_base < kind->steps_new ? kind->steps_base : kind->steps_new;
	const bool is_said = note_share(b, kind);
	bool worse;

	if (kind->reason) {
		report_note(b->report, "!", option, "kind %s of step is not compared: %s",
			kind->word, kind->reason);
		return;
	}
	if (!kind->judged) {
		if (is_said)
			return;
		report_note(b->report, "!", option,
			"kind %s of step is not compared: %zu steps a run of base, %zu of new",
			kind->word, kind->steps_base, kind->steps_new);
		return;
	}
	worse = v->verdict == VERDICT_REGRESSED || v->verdict == VERDICT_SLOWER ||
		v->low > v->margin ||
		(v->verdict == VERDICT_NONE && (v->base->unknown || v->new->unknown));
	report_note(b->report, worse ? "!" : NULL, option,
		"steps of kind %s (%zu a run): %s per step, %s: %s", kind->word, steps,
		phrase_pair(arena, dimension, v->base_mean, v->new_mean),
		phrase_change_within(arena, v->change, v->low, v->high),
		phrase_verdict(b, v, dimension));
}

/* With --kind=all an op has a row for each kind of step. */
static void note_kind_rows(struct compare_builder *b)
{
	const struct kinds *base = &b->base->run.steps->kinds, *new = &b->new->run.steps->kinds;
	const char *word = kinds_word(base->count > 1 ? base : new, 2, arena_of(b));

	for (size_t i = 0; i < b->comparison->count; i++) {
		const struct compared_row *row = &b->comparison->row[i];

		if ((row->base && row->base->kind > 1) || (row->new && row->new->kind > 1)) {
			report_note(b->report, NULL,
				b->opt->value.skip_absent ? NULL : "--absent=skip",
				"rows named [kind %s] are of steps of kind %s, those without a "
				"kind of the other steps%s",
				word, word,
				b->opt->value.skip_absent ? ""
							  : "; times are per step of all kinds");
			return;
		}
	}
}

void compare_notes_mixed(struct compare_builder *b)
{
	/* Different profilers are the first, and classes what they have in common. */
	const bool by_class = text_equal(b->build->row_noun, "class");

	for (size_t i = 0; i < b->opt->mixed_count; i++)
		report_note(b->report, "!",
			i == 0 && b->opt->other_profiler && !by_class ? "--by=class"
								      : "--allow-mixed",
			"%s", b->opt->mixed[i]);
}

/* Facts in which the files of the sides differ; a file that says nothing does not differ. */
static void note_facts(struct compare_builder *b)
{
	static const enum fact_id noted[] = {FACT_DRIVER, FACT_FRAMEWORK, FACT_BACKEND, FACT_BATCH};
	const struct cube *base = b->base->run.self, *new = b->new->run.self;

	for (size_t i = 0; i < sizeof(noted) / sizeof(*noted); i++) {
		const char *a = describe_fact(arena_of(b), base, noted[i]),
			   *c = describe_fact(arena_of(b), new, noted[i]);
		const bool one_value = base->facts.of[noted[i]].count <= 1 &&
				       new->facts.of[noted[i]].count <= 1 &&
				       (!a || !c || text_equal(a, c));

		if (one_value)
			continue;
		if (a && c)
			report_note(b->report, NULL, "--table=facts", "%s differs: base %s; new %s",
				fact_name(noted[i]), a, c);
		else
			report_note(b->report, NULL, "--table=facts", "%s differs within %s: %s",
				fact_name(noted[i]), a ? "base" : "new", a ? a : c);
	}
}

void compare_notes_runs(struct compare_builder *b)
{
	note_facts(b);
	for (size_t i = 0; i < b->comparison->kind_count; i++)
		note_kind(b, &b->comparison->kind[i]);
	if (b->comparison->kinds_beyond)
		report_note(b->report, "!", "--kind=N",
			"%zu further kind%s of step %s not compared: there are too many",
			b->comparison->kinds_beyond, b->comparison->kinds_beyond == 1 ? "" : "s",
			b->comparison->kinds_beyond == 1 ? "is" : "are");
	note_kind_rows(b);
	const struct warmup_change *change = &b->comparison->warmup;
	struct arena *arena = arena_of(b);
	const char *steps = arena_printf(arena, "%zu", change->least);

	/* Base decides what is left out of both sides; what new needs beyond that is part of the
	 * change. */
	if (change->runs && (change->typical || !(fabs(change->fraction) < WARMUP_MUCH))) {
		if (change->least < change->most)
			steps = arena_printf(arena, "%zu to %zu", change->least, change->most);
		report_note(b->report, change->typical ? "!" : NULL,
			arena_printf(arena, "--warmup=%zu", change->most),
			"longer warm-up: %zu of %zu run%s of new need%s %s step%s, base at most "
			"%zu; the further ones are part of the change (%s of a step)",
			change->runs, b->comparison->runs_new,
			b->comparison->runs_new == 1 ? "" : "s", change->runs == 1 ? "s" : "",
			steps, change->most == 1 ? "" : "s", change->left_out,
			phrase_change(arena, change->fraction));
	}
	const struct comparison *c = b->comparison;

	if (c->duplicates)
		report_note(b->report, "!", "--explain-inputs",
			"%s of base and %s of new have the same values: the same file twice?%s",
			phrase_run(arena_of(b), "run",
				compare_run_name(b, b->base, c->duplicate_base)),
			phrase_run(
				arena_of(b), "run", compare_run_name(b, b->new, c->duplicate_new)),
			c->duplicates > 1
				? arena_printf(arena_of(b), " (%zu such pairs)", c->duplicates)
				: "");
	note_side_copies(b, b->base, "base");
	note_side_copies(b, b->new, "new");

	struct text names;
	size_t count;

	note_side_unsteady(b, b->base, "base");
	note_side_unsteady(b, b->new, "new");
	text_init(&names);
	count = name_unsteady(b, b->base, "base", &names);
	count += name_unsteady(b, b->new, "new", &names);
	if (count)
		report_note(b->report, "!", "--warmup=N",
			"no steady state in %zu run%s (%s): more than half of the steps are slower "
			"than the last ones%s",
			count, count == 1 ? "" : "s", text_string(&names),
			b->opt->unsteady ? "; noisy values get no verdict" : "");
	text_release(&names);
	note_far_off(b);
	note_missing(b);
}

/* Words the notes on the steps of the runs. One note holds what there is of its kind on both sides,
 * so that a comparison of many restless runs still has room for other notes. */

#define NAMED_MOST 3 /* runs in one list */

/* "run3", "run3, run5 and run6", "run1, run2, run3, ...": the runs that `odd` takes. */
static const char *run_list(struct arena *arena, const struct steady_side *side,
	bool (*odd)(const struct steadiness_run *run))
{
	const char *name[NAMED_MOST];
	size_t count = 0;

	for (size_t r = 0; r < side->steady->runs; r++)
		if (odd(&side->steady->run[r]) && count++ < NAMED_MOST)
			name[count - 1] = side->steady->run[r].run;
	if (count <= NAMED_MOST)
		return phrase_list(arena, name, count);
	return arena_printf(arena, "%s, %s, %s, ...", phrase_visible(arena, name[0]),
		phrase_visible(arena, name[1]), phrase_visible(arena, name[2]));
}

/* "run 3 of base"; where the side has one run only, "base". */
static const char *run_of(
	struct arena *arena, const struct steady_side *side, const struct steadiness_run *run)
{
	if (side->steady->runs == 1)
		return side->label;
	return arena_printf(arena, "%s of %s",
		phrase_run(arena, "run", phrase_visible(arena, run->run)), side->label);
}

static const char *step_of(struct arena *arena, const struct steady_side *side, uint32_t step)
{
	return phrase_step(arena, side->cube, step);
}

/* ---- drift and shift ---- */

static bool drifts(const struct steadiness_run *run)
{
	return run->drifts;
}

/* "rise by 6.0 to 9.1 %", "fall by 12 %", "change by -6.0 to +9.1 %". */
static const char *drift_range(struct arena *arena, const struct steadiness *steady)
{
	double low = INFINITY, high = -INFINITY;
	const char *from, *to;

	for (size_t r = 0; r < steady->runs; r++)
		if (steady->run[r].drifts) {
			low = fmin(low, steady->run[r].drift.slope_total);
			high = fmax(high, steady->run[r].drift.slope_total);
		}
	if (low < 0 && high > 0)
		return arena_printf(arena, "change by %s to %s", phrase_change(arena, low),
			phrase_change(arena, high));
	from = phrase_percent(arena, fmin(fabs(low), fabs(high)));
	to = phrase_percent(arena, fmax(fabs(low), fabs(high)));
	if (text_equal(from, to))
		return arena_printf(arena, "%s by %s", high > 0 ? "rise" : "fall", to);
	return arena_printf(arena, "%s by %.*s to %s", high > 0 ? "rise" : "fall",
		(int)(strlen(from) - strlen(" %")), from, to);
}

/* "2 of 5 runs of new rise by 6.0 to 9.1 % (run3 and run5)". */
static const char *drift_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness *steady = side->steady;
	const char *range = drift_range(arena, steady);

	if (steady->runs == 1)
		return arena_printf(arena, "%s %s", side->label, range);
	return arena_printf(arena, "%zu of %zu runs of %s %s (%s)", steady->drifting, steady->runs,
		side->label, range, run_list(arena, side, drifts));
}

static const struct steadiness_run *largest_shift(const struct steadiness *steady)
{
	const struct steadiness_run *largest = NULL;

	for (size_t r = 0; r < steady->runs; r++) {
		const struct steadiness_run *run = &steady->run[r];

		if (run->shifts &&
			(!largest || fabs(run->drift.shift) > fabs(largest->drift.shift)))
			largest = run;
	}
	return largest;
}

/* "a shift of +12.0 % at step 57 in run 2 of base". */
static const char *shift_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness_run *run = largest_shift(side->steady);
	const char *change = phrase_change(arena, run->drift.shift);
	const char *step = step_of(arena, side, run->shift_step);

	if (side->steady->shifting == 1)
		return arena_printf(arena, "a shift of %s at step %s in %s", change, step,
			run_of(arena, side, run));
	return arena_printf(arena,
		"shifts in %zu of %zu runs of %s, the largest %s at step %s of %s",
		side->steady->shifting, side->steady->runs, side->label, change, step,
		phrase_run(arena, "run", phrase_visible(arena, run->run)));
}

/* True if the numbers of the steps grow in order of time. */
static bool number_is_order(const struct cube *cube, const struct run *run)
{
	for (size_t i = 1; i < run->step_count; i++)
		if (cube->step[run->step_first + i].number <=
			cube->step[run->step_first + i - 1].number)
			return false;
	return true;
}

/* One shift divides the steps, and the option takes the longer part; else it is the user's
 * choice. */
static const char *moves_option(struct arena *arena, const struct steady_side side[2])
{
	const struct steady_side *at = side[0].steady->shifting ? &side[0] : &side[1];
	const struct steadiness_run *run = largest_shift(at->steady);
	const struct cube *cube = at->cube;
	const char *by;
	long long from;
	size_t r = 0;

	if (side[0].steady->drifting + side[1].steady->drifting > 0 ||
		side[0].steady->shifting + side[1].steady->shifting != 1)
		return "--steps=FROM:TO";
	while (r + 1 < cube->run_count && cube->run[r + 1].step_first <= run->shift_step)
		r++;
	by = number_is_order(cube, &cube->run[r]) ? "" : "@";
	from = *by ? (long long)(run->shift_step - cube->run[r].step_first + 1)
		   : (long long)cube->step[run->shift_step].number;
	if (2 * run->shift_after >= run->steps)
		return arena_printf(arena, "--steps=%s%lld:", by, from);
	return arena_printf(arena, "--steps=%s:%lld", by, from - 1);
}

static void note_moves(struct report *report, const struct steady_side side[2])
{
	struct text text;
	size_t drifting = 0;

	text_init(&text);
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->drifting)
			text_printf(&text, "%s%s",
				drifting++ ? ", of "
					   : "drift: from the first to the last kept step the "
					     "totals of ",
				drift_phrase(report->arena, &side[i]));
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->shifting)
			text_printf(&text, "%s%s", text.size ? "; " : "",
				shift_phrase(report->arena, &side[i]));
	if (text.size)
		report_note(
			report, "!", moves_option(report->arena, side), "%s", text_string(&text));
	text_release(&text);
}

/* ---- two levels ---- */

/* The run with the largest ratio of its levels. */
static const struct steadiness_run *most_split(const struct steadiness *steady)
{
	const struct steadiness_run *most = NULL;

	for (size_t r = 0; r < steady->runs; r++) {
		const struct steadiness_run *run = &steady->run[r];

		if (run->two_modes && (!most || run->modes.high * most->modes.low >
							most->modes.high * run->modes.low))
			most = run;
	}
	return most;
}

/* "18 % of the steps of run 1 of new take 41.00 ms instead of 25.00 ms": the fewer ones. */
static const char *levels_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness_run *run = most_split(side->steady);
	const struct modes *m = &run->modes;
	const char *high = phrase_quantity(arena, DIMENSION_TIME, m->high);
	const char *low = phrase_quantity(arena, DIMENSION_TIME, m->low), *more = "";
	bool few_high = m->share_high <= 0.5;

	if (side->steady->two_modes > 1)
		more = arena_printf(arena, " (and in %zu more of %zu runs)",
			side->steady->two_modes - 1, side->steady->runs);
	return arena_printf(arena, "%s of the steps of %s take %s instead of %s%s",
		phrase_percent(arena, few_high ? m->share_high : 1 - m->share_high),
		run_of(arena, side, run), few_high ? high : low, few_high ? low : high, more);
}

/* ---- outlier steps ---- */

static size_t outliers_of(const struct steadiness *steady)
{
	size_t count = 0;

	for (size_t r = 0; r < steady->runs; r++)
		count += steady->run[r].outliers;
	return count;
}

/* "37 and 71 in run 2 of base", "37, 71, 80, ... (12) in base", with "and 5 in 3 more runs". */
static const char *outliers_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness_run *run = &side->steady->run[0];

	for (size_t r = 1; r < side->steady->runs; r++)
		if (side->steady->run[r].outliers > run->outliers)
			run = &side->steady->run[r];
	const size_t others = side->steady->with_outliers - 1;
	const char *name[STEADINESS_OUTLIERS_KEPT], *list, *more = "";
	size_t kept =
		run->outliers < STEADINESS_OUTLIERS_KEPT ? run->outliers : STEADINESS_OUTLIERS_KEPT;

	for (size_t i = 0; i < kept; i++)
		name[i] = step_of(arena, side, run->outlier[i]);
	list = run->outliers == kept ? phrase_list(arena, name, kept)
				     : arena_printf(arena, "%s, %s, %s, ... (%zu)", name[0],
					       name[1], name[2], run->outliers);
	if (others)
		more = arena_printf(arena, " and %zu in %zu more run%s",
			outliers_of(side->steady) - run->outliers, others, others == 1 ? "" : "s");
	return arena_printf(arena, "%s in %s%s", list, run_of(arena, side, run), more);
}

/* Mean of the runs, with and without outlier steps. */
static double mean_of(const struct steadiness *steady, bool without)
{
	double sum = 0;

	for (size_t r = 0; r < steady->runs; r++)
		sum += without && steady->run[r].outliers ? steady->run[r].mean_without
							  : steady->run[r].mean;
	return sum / (double)steady->runs;
}

static void note_outliers(
	struct report *report, const struct steady_side side[2], const char *time, bool of_means)
{
	const double with = mean_of(side[1].steady, false) / mean_of(side[0].steady, false) - 1;
	const double without = mean_of(side[1].steady, true) / mean_of(side[0].steady, true) - 1;
	struct text text;

	text_init(&text);
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->with_outliers)
			text_printf(&text, "%s%s", text.size ? ", " : "outlier steps: ",
				outliers_phrase(report->arena, &side[i]));
	if (text.size && isfinite(with) && isfinite(without))
		text_printf(&text, "; %s %s with them, %s without", time,
			phrase_change(report->arena, with), phrase_change(report->arena, without));
	if (text.size)
		report_note(report, NULL, of_means ? "--run-value=median" : NULL, "%s",
			text_string(&text));
	text_release(&text);
}

void compare_steady_notes(
	struct report *report, const struct steady_side side[2], const char *time, bool of_means)
{
	note_moves(report, side);

	struct text text;

	text_init(&text);
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->two_modes)
			text_printf(&text, "%s%s", text.size ? "; " : "two levels: ",
				levels_phrase(report->arena, &side[i]));
	if (text.size)
		report_note(report, "!", "--explain=REGEX", "%s", text_string(&text));
	text_release(&text);
	note_outliers(report, side, time, of_means);
}
