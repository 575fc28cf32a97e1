/*
 * Notes of a comparison about its runs: copies, runs without a steady state.
 */
#include "report/compare/build_compare_runs.h"

#include <math.h>

#include <inttypes.h>
#include "analysis/named_kinds.h"
#include "base/number.h"
#include "base/text.h"
#include "report/compare/build_compare_notes.h"

#define NS_PER_SECOND INT64_C(1000000000)
#define NAMED_MOST 3	   /* runs in one note */
#define CLAIMS_MUCH 0.1	   /* by the splits of the runs, on average */
#define WARMUP_MUCH 0.0005 /* of a step: less is +0.0 % */

const char *compare_run_name(
	const struct compare_builder *b, const struct compare_side *side, size_t run)
{
	return phrase_visible(
		b->report->arena, side->run.cube->run[side->run.steps->run[run]].name);
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
	return phrase_visible(b->report->arena, side->run.cube->run[run].name);
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
			"run %s of %s has the values of run %s, step by step: they count as one "
			"run%s",
			name_in(b, side, first->run), which, name_in(b, side, first->of),
			count > 1 ? arena_printf(b->report->arena, " (%zu such copies)", count)
				  : "");
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
			phrase_list(
				b->report->arena, name, count < NAMED_MOST ? count : NAMED_MOST),
			count > NAMED_MOST ? arena_printf(b->report->arena, " and %zu more",
						     count - NAMED_MOST)
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

static void note_unsteady(struct compare_builder *b)
{
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
		"means%s%s: "
		"%s%s",
		count > 1 ? "" : " of ", count > 1 ? "" : of, text_string(&names),
		more ? arena_printf(
			       b->report->arena, " and %zu more run%s", more, more == 1 ? "" : "s")
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

/* Base decides what is left out of both sides; what new needs beyond that is part of the change. */
static void note_warmup(struct compare_builder *b)
{
	const struct warmup_change *change = &b->comparison->warmup;
	struct arena *arena = b->report->arena;
	const char *steps = arena_printf(arena, "%zu", change->least);

	if (!change->runs || (!change->typical && fabs(change->fraction) < WARMUP_MUCH))
		return;
	if (change->least < change->most)
		steps = arena_printf(arena, "%zu to %zu", change->least, change->most);
	report_note(b->report, change->typical ? "!" : NULL,
		arena_printf(arena, "--warmup=%zu", change->most),
		"longer warm-up: %zu of %zu run%s of new need%s %s step%s, base at most %zu; the "
		"further ones are part of the change (%s of a step)",
		change->runs, b->comparison->runs_new, b->comparison->runs_new == 1 ? "" : "s",
		change->runs == 1 ? "s" : "", steps, change->most == 1 ? "" : "s", change->left_out,
		phrase_change(arena, change->fraction, 1));
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

	if (!base_first && order->kind != RUN_ORDER_NEW_FIRST)
		return NULL;
	return arena_printf(b->report->arena,
		"all runs of %s were recorded before those of %s (%s between)",
		base_first ? "base" : "new", base_first ? "new" : "base",
		phrase_gap(b->report->arena, order->gap_ns));
}

const char *compare_block_clause(const struct compare_builder *b)
{
	const char *phrase = block_phrase(b);

	return phrase ? arena_printf(b->report->arena,
				"; %s: recorded in turns they "
				"would tell which",
				phrase)
		      : "";
}

void compare_note_turns(struct compare_builder *b)
{
	const struct run_order *order = &b->comparison->order;
	const char *first = "";

	if (!b->opt->in_turns)
		return;
	if (order->base_leads || order->new_leads)
		first = arena_printf(b->report->arena,
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
	bool claims = total->evidence != EVIDENCE_EXACT && compare_claims_change(total);

	if (measure_at(c->measure[0].id)->dimension != DIMENSION_TIME)
		return false;
	for (size_t i = 0; i < c->count && !claims; i++) {
		const struct compared *value = &c->row[i].value[0];

		claims = value->evidence != EVIDENCE_EXACT && compare_claims_change(value);
	}
	return claims;
}

/* The note on what nearly all ops do says it already. */
void compare_note_block(struct compare_builder *b)
{
	const char *phrase = block_phrase(b);

	if (phrase && claims_change(b->comparison) && !compare_shift_exceeds_runs(b))
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
	struct arena *arena = b->report->arena;
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
	struct arena *arena = b->report->arena;
	enum dimension dimension = measure_at(b->comparison->measure[0].id)->dimension;
	const char *option = arena_printf(arena, "--kind=%s", kind->word), *bounds;
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
	bounds = phrase_bounds(arena, v->low, v->high, 1);
	worse = v->verdict == VERDICT_REGRESSED || v->verdict == VERDICT_SLOWER ||
		v->low > v->margin ||
		(v->verdict == VERDICT_NONE && (v->base->unknown || v->new->unknown));
	report_note(b->report, worse ? "!" : NULL, option,
		"steps of kind %s (%zu a run): %s per step, %s%s%s: %s", kind->word, steps,
		phrase_pair(arena, dimension, v->base_mean, v->new_mean),
		phrase_change(arena, v->change, 1), bounds ? " " : "", bounds ? bounds : "",
		phrase_verdict(b, v, dimension));
}

/* With --kind=all an op has a row for each kind of step. */
static void note_kind_rows(struct compare_builder *b)
{
	const struct kinds *base = &b->base->run.steps->kinds, *new = &b->new->run.steps->kinds;
	const char *word = kinds_word(base->count > 1 ? base : new, 2, b->report->arena);

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
		const char *a = describe_fact(b->report->arena, base, noted[i]),
			   *c = describe_fact(b->report->arena, new, noted[i]);
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
	note_warmup(b);
	const struct comparison *c = b->comparison;

	if (c->duplicates)
		report_note(b->report, "!", "--explain-inputs",
			"run %s of base and run %s of new have the same values: the same file "
			"twice?%s",
			compare_run_name(b, b->base, c->duplicate_base),
			compare_run_name(b, b->new, c->duplicate_new),
			c->duplicates > 1
				? arena_printf(b->report->arena, " (%zu such pairs)", c->duplicates)
				: "");
	note_side_copies(b, b->base, "base");
	note_side_copies(b, b->new, "new");
	note_unsteady(b);
	note_far_off(b);
	note_missing(b);
}
