/* The shift that nearly all rows share. */
#include <math.h>
#include "report/compare/build_compare_words.h"

/* "14 of 15 ops are slower, median +5.0 %". */
const char *compare_shift_words(const struct compare_builder *b)
{
	const struct compared_measure *measure = first_measure(b);
	bool is_time = compare_measure_of(b, 0)->dimension == DIMENSION_TIME;
	bool above = measure->above > measure->below;
	size_t tested = measure->above + measure->below;

	return arena_printf(arena_of(b), "%zu of %zu tested %s are %s, median %s",
		above ? measure->above : measure->below, tested, phrase_noun(b->build, tested),
		is_time ? (above ? "slower" : "faster") : (above ? "larger" : "smaller"),
		phrase_change(arena_of(b), expm1(measure->median_diff)));
}

/* Runs of a side that differ as much as the sides speak of the machine. Where they agree better
 * the shift is a finding. */
void compare_note_shift(struct compare_builder *b)
{
	if (!compared_has_common_shift(b->comparison))
		return;
	if (compared_step(b->comparison)->verdict == VERDICT_SAME)
		report_note(b->report, NULL, NULL, "%s: within the margin", compare_shift_words(b));
	else if (!compared_shift_exceeds_runs(b->comparison, b->opt->rule.alpha) &&
		 b->comparison->odd.kind == ODD_NONE && !b->comparison->against.asked)
		report_note(b->report, "!", "--normalize",
			"%s, and runs of a side differ by as much: looks like the machine",
			compare_shift_words(b));
}

/* ---- against the other ops ---- */

static const struct common_change *common_of(const struct compare_builder *b)
{
	return b->comparison->against.asked ? &b->comparison->against.common
					    : &first_measure(b)->common;
}

bool compare_has_groups(const struct compare_builder *b)
{
	return common_of(b)->groups;
}

size_t compare_most_against(const struct compare_builder *b)
{
	size_t found = SIZE_MAX;
	double most = 0;

	for (size_t i = 0; i < b->comparison->count; i++) {
		const struct compared *v = b->comparison->row[i].against;

		if (!v || !compared_claims_change(v) || !(fabs(v->diff) > most) ||
			compared_claims_change(&b->comparison->row[i].value[0]))
			continue;
		most = fabs(v->diff);
		found = i;
	}
	return found;
}

/* Which of them changed is not known, whatever their number. */
static void answer_groups(struct compare_builder *b)
{
	const struct common_change *common = common_of(b);
	struct arena *arena = arena_of(b);
	const size_t apart = common->above + common->below, agree = common->ops - apart;
	const bool two = agree >= apart && (!common->above || !common->below);
	const char *turns = compare_is_in_turns(b) ? "" : "; record in turns";
	const char *bounds = phrase_bounds(arena, common->apart_low, common->apart_high, 0);

	if (two)
		report_answer(b->report,
			"Against each other the %s are two groups: %zu and %zu that differ by %s "
			"%s; these runs cannot tell which of them changed%s.",
			b->build->row_nouns, agree, apart, phrase_change(arena, common->apart),
			bounds, turns);
	else
		report_answer(b->report,
			"Against each other %zu %s agree and %zu lie apart from them; these runs "
			"cannot tell which of them changed%s.",
			agree, phrase_noun(b->build, agree), apart, turns);
}

void compare_answer_against(struct compare_builder *b)
{
	static const enum verdict told[] = {
		VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_SLOWER, VERDICT_FASTER};
	const struct against_others *against = &b->comparison->against;
	const enum dimension dimension = verdict_dimension(compare_measure_of(b, 0));
	const size_t most = compare_most_against(b);
	const char *part[sizeof(told) / sizeof(*told)];
	size_t n = 0;

	if (b->comparison->new_is_base)
		return;
	if (compare_has_groups(b)) {
		answer_groups(b);
		return;
	}
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		if (against->verdicts[told[i]])
			part[n++] = arena_printf(arena_of(b), "%zu %s", against->verdicts[told[i]],
				verdict_word(told[i], dimension));
	if (most != SIZE_MAX) {
		const struct compared *v = b->comparison->row[most].against;

		report_answer(b->report,
			"Against the other %s: %s, most %s; %s of what runs differ by is common to "
			"all.",
			b->build->row_nouns, phrase_list(arena_of(b), part, n),
			arena_printf(arena_of(b), "%s %s", b->short_name[most],
				phrase_change_within(arena_of(b), v->change, v->low, v->high)),
			phrase_level(arena_of(b), against->share));
	} else if (against->asked && !n && b->comparison->odd.kind == ODD_NONE &&
		   compared_step(b->comparison)->verdict == VERDICT_INCONCLUSIVE)
		report_answer(b->report, "Against the other %s none is known to have changed; %s.",
			b->build->row_nouns,
			compared_has_common_shift(b->comparison)
				? arena_printf(arena_of(b),
					  "%s: the machine, or something that all %s use%s",
					  compare_shift_words(b), b->build->row_nouns,
					  compare_is_in_turns(b) ? "" : ": record in turns")
				: arena_printf(arena_of(b),
					  "%s of what runs differ by is common to all",
					  phrase_level(arena_of(b), against->share)));
}

/* ---- the typical benchmark ---- */

#define TYPICAL_MOST 3 /* measures in the first sentence */

/* "time of 12 benchmarks: +3.2 % [+1.0, +5.4]" */
static const char *typical_words(const struct compare_builder *b, size_t m, bool first)
{
	const struct compared_measure *of = &b->comparison->measure[m];

	return arena_printf(arena_of(b), "%s of %zu%s%s: %s", compare_measure_of(b, m)->name,
		of->geomean_count, first ? " " : "",
		first ? phrase_noun(b->build, of->geomean_count) : "",
		phrase_change_within(
			arena_of(b), of->geomean - 1, of->geomean_low - 1, of->geomean_high - 1));
}

/* " (5 values)", where the rows changed in more measures than one each. */
static const char *values_words(const struct compare_builder *b, size_t rows, size_t values)
{
	return values > rows ? arena_printf(arena_of(b), " (%zu values)", values) : "";
}

/* No row has a test: one run a side, and nothing that says how much runs differ. */
static bool is_untested(const struct compare_builder *b)
{
	size_t tested = 0;

	for (size_t k = 0; k < b->comparison->measure_count; k++)
		for (int i = VERDICT_REGRESSED; i < VERDICT_COUNT; i++)
			tested += b->comparison->measure[k].verdicts[i];
	return tested == 0;
}

/* "Typical time of 12 benchmarks: +3.2 % [+1.0, +5.4], tokens_per_s of 3: -0.2 % (geometric means);
 * 2 got worse, 1 better." */
void compare_answer_typical(struct compare_builder *b)
{
	const struct row_claims rows = compare_row_claims(b->comparison);
	const char *typical = "";
	bool several = false;
	const size_t base = b->comparison->runs_base, new = b->comparison->runs_new;
	const size_t fewest = base < new ? base : new, most = base < new ? new : base;
	size_t count = 0;

	for (size_t k = 0; k < b->comparison->measure_count; k++) {
		const struct compared_measure *m = &b->comparison->measure[k];

		if (m->geomean_count && !isnan(m->geomean) && count < TYPICAL_MOST) {
			typical = arena_printf(arena_of(b), "%s%s%s", typical, count ? ", " : "",
				typical_words(b, k, count == 0));
			several |= m->geomean_count > 1;
			count++;
		}
	}
	b->report->is_verdict = true;
	b->report->tone = compare_tone(rows.worse || rows.lost ? VERDICT_REGRESSED
				       : rows.better	       ? VERDICT_IMPROVED
							       : VERDICT_SAME);
	if (!count && fewest < 2 && is_untested(b)) {
		report_answer(
			b->report, "No verdict from one run %s side.", most < 2 ? "a" : "on a");
		return;
	}
	if (count)
		typical = arena_printf(arena_of(b), "Typical %s%s; ", typical,
			!several    ? ""
			: count > 1 ? " (geometric means)"
				    : " (geometric mean)");
	report_answer(b->report, "%s%zu%s got worse%s, %zu better%s%s.", typical, rows.worse,
		count ? "" : arena_printf(arena_of(b), " %s", phrase_noun(b->build, rows.worse)),
		values_words(b, rows.worse, rows.worse_values), rows.better,
		values_words(b, rows.better, rows.better_values),
		rows.lost ? arena_printf(arena_of(b), ", %zu lost", rows.lost) : "");
}
