/* Words of the notes that no screen shows unless it is asked to explain. */
#include <math.h>
#include "analysis/compare/comparison.h"
#include "base/number.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"

#define SHIFT_OPS_LEAST 10     /* ops that can speak of a common shift */
#define SPREAD_RATIO_MUCH 1.25 /* of the sds of runs of the two sides */
#define SPREAD_RATIO_SE 2      /* and so many standard errors of its logarithm */

static double mean_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : (a + b) / 2;
}

static double steps_of_a_run(const struct compare_builder *b)
{
	const struct step_set *base = b->base->run.steps, *new = b->new->run.steps;

	return (double)(base->count + new->count) / (double)(base->run_count + new->run_count);
}

static void note_spread(struct compare_builder *b)
{
	const struct run_table *base = &first_measure(b)->base, *new = &first_measure(b)->new;
	double cv_run = mean_known(base->cv_run, new->cv_run);
	double cv_step = mean_known(base->cv_step, new->cv_step);
	double icc = mean_known(base->icc, new->icc), steps = steps_of_a_run(b);
	double effect = mean_known(base->design_effect, new->design_effect);
	const char *worth = "";

	if (isnan(cv_run) || isnan(cv_step))
		return;
	if (icc > 0 && effect > 1)
		worth = arena_printf(arena_of(b),
			"; ICC %.2f, the runs' part of the variance: %.0f steps of a run are worth "
			"%.1f independent ones",
			icc, steps, steps / effect);
	report_note(b->report, NULL, "--explain=REGEX",
		"runs differ by CV %s (median %s), steps by %s%s",
		phrase_percent(arena_of(b), cv_run), b->build->row_noun,
		phrase_percent(arena_of(b), cv_step), worth);
}

static const char *flag_levels(const struct compare_builder *b)
{
	const struct compared_measure *measure = first_measure(b);
	const char *least = phrase_level(arena_of(b), measure->flag_level_least);
	const char *most = phrase_level(arena_of(b), measure->flag_level_most);

	return text_equal(least, most) ? least : arena_printf(arena_of(b), "%s to %s", least, most);
}

/* The promise of q and of the intervals of the discoveries, in the numbers of this comparison. */
static void note_discoveries(struct compare_builder *b)
{
	const struct compared_measure *measure = first_measure(b);
	double alpha = b->opt->rule.alpha;
	const char *level = "", *expects;
	char expected[NUMBER_TEXT_SIZE];

	if (!measure->flagged || b->opt->rule_of)
		return;
	if (measure->flag_level_most > b->opt->confidence)
		level = arena_printf(arena_of(b),
			"; their intervals are wider (%s), because they are picked for having "
			"changed",
			flag_levels(b));
	number_format_real(expected, alpha * (double)measure->flagged, 2);
	if (b->opt->adjust == MULTIPLE_HOLM)
		expects =
			arena_printf(arena_of(b), "the chance of any false alarm is at most this");
	else if (measure->flagged == 1)
		expects = arena_printf(arena_of(b),
			"at most %s of such claims are expected to be false alarms",
			phrase_level(arena_of(b), alpha));
	else
		expects = arena_printf(arena_of(b),
			"at most %s of them are expected to be false alarms", expected);

	/* Discoveries that are SAME would else contradict the first lines: " (2 SAME: ...)", or
	 * "". */
	const struct comparison *c = b->comparison;
	size_t same = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *value = &c->row[i].value[0];

		same += value->flagged && value->verdict == VERDICT_SAME && value->in_family;
	}
	report_note(b->report, NULL, "stepstat help comparison", "%zu %s %s q below %s%s: %s%s",
		measure->flagged, phrase_noun(b->build, measure->flagged),
		measure->flagged == 1 ? "has" : "have", phrase_level(arena_of(b), alpha),
		same ? arena_printf(
			       arena_of(b), " (%zu SAME: changed, but within the margin)", same)
		     : "",
		expects, level);
}

static void note_pairing(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const struct pairing *pairing = &c->pairing;
	size_t by_name = pairing->paired - pairing->by_shape - pairing->by_nearest;
	const char *others = "";

	if (!pairing->only_base && !pairing->only_new && !pairing->by_shape && !pairing->by_nearest)
		return;
	if (pairing->by_shape)
		others = arena_printf(arena_of(b), ", by type and shape %zu", pairing->by_shape);
	if (pairing->by_nearest)
		others = arena_printf(
			arena_of(b), "%s, by nearest name %zu", others, pairing->by_nearest);
	report_note(b->report, NULL, match_option(b),
		"paired by name: %zu of %zu in base, %zu of %zu in new%s", by_name,
		pairing->paired + pairing->only_base, by_name, pairing->paired + pairing->only_new,
		others);
}

static void note_typical(struct compare_builder *b)
{
	const struct compared_measure *measure = first_measure(b);
	size_t others = b->comparison->count - measure->geomean_count;

	if (!measure->geomean_count || isnan(measure->geomean))
		return;
	/* The merged row of the small ones is one of them. */
	if (measure->small_count)
		others = b->comparison->count + 1 - measure->geomean_count;
	report_note(b->report, NULL, NULL, "typical %s (geometric mean over %zu) %s%s",
		b->build->row_noun, measure->geomean_count,
		phrase_change_within(arena_of(b), measure->geomean - 1, measure->geomean_low - 1,
			measure->geomean_high - 1),
		others ? arena_printf(arena_of(b),
				 "; %zu not in it: small, exact, 0 in a run or not on both sides",
				 others)
		       : "");
}

/* "to show a change of 1 % in the median op, record 9 runs a side", for the smallest change that is
 * within reach; NULL when none is. */
static const char *plan(const struct compare_builder *b)
{
	static const double change[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
	for (size_t i = 0; i < sizeof(change) / sizeof(*change); i++) {
		size_t runs = run_plan_runs(first_measure(b), b->opt->method, change[i]);

		if (runs)
			return arena_printf(arena_of(b),
				"to show a change of %s in the median %s, record %zu runs a side",
				phrase_level(arena_of(b), change[i]), b->build->row_noun, runs);
	}
	return NULL;
}

static void note_plan(const struct compare_builder *b)
{
	const struct compared_measure *measure = first_measure(b);
	const char *planned = b->comparison->odd.kind == ODD_NONE ? plan(b) : NULL;

	if (b->comparison->against.asked)
		return;
	if (compared_has_common_shift(b->comparison) ||
		measure->above + measure->below < SHIFT_OPS_LEAST) {
		if (planned)
			report_note(b->report, NULL, NULL, "%s", planned);
		return;
	}
	report_note(b->report, NULL, NULL, "no common shift shown (median %s %s)%s%s",
		b->build->row_noun, phrase_change(arena_of(b), expm1(measure->median_diff)),
		planned ? "; " : "", planned ? planned : "");
}

void compare_details_add(struct compare_builder *b)
{
	const struct moderated *all = &first_measure(b)->moderated;
	const double ratio = all->ratio;
	const bool more = ratio > 1;
	const double times = sqrt(more ? ratio : 1 / ratio);
	char text[NUMBER_TEXT_SIZE];

	/* Sides whose runs differ in spread, when it is enough to matter. */
	if (b->opt->method == METHOD_MODERATED && times >= SPREAD_RATIO_MUCH &&
		fabs(log(ratio)) > SPREAD_RATIO_SE * all->ratio_log_se) {
		number_format_real(text, times, 2);
		report_note(b->report, NULL, NULL,
			"runs of %s vary %s times as much as runs of %s (sd): the test allows for "
			"it",
			more ? "new" : "base", text, more ? "base" : "new");
	}
	note_spread(b);
	note_plan(b);
	note_discoveries(b);
	compare_note_relabelling(b, false);
	note_pairing(b);

	const struct compared_measure *measure = first_measure(b);
	double share = mean_known(measure->base.n_eff_share, measure->new.n_eff_share);

	if (share < 0.5)
		report_note(b->report, NULL, "stepstat report --stats=lag1,neff",
			"steps are correlated: %.0f of a run count as %.0f (median %s)",
			steps_of_a_run(b), share * steps_of_a_run(b), b->build->row_noun);
	note_typical(b);
}

/* Words for the tests that are not the usual one, and for changes that are not the ratio of the
 * means. */

#define GRID_COARSER 2	/* than what is written: it is worth a word */
#define GRID_LEAST 1e-4 /* of the value */

static size_t count_evidence(struct compare_builder *b, enum evidence evidence)
{
	const struct comparison *c = b->comparison;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		count += c->row[i].value[0].evidence == evidence;
	return count;
}

static size_t count_rare(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		count += c->row[i].value[0].rare;
	return count;
}

/* Grids that single rows show, coarser than what the file is written in. */
static void note_grids(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const double written = first_measure(b)->resolution;
	const struct compared *first = NULL;
	size_t count = 0, at = 0;
	double grid;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];

		grid = compared_grid(v, first_measure(b));
		if (v->small || (v->evidence != EVIDENCE_TEST && v->evidence != EVIDENCE_FLOOR) ||
			!(grid > GRID_COARSER * written) ||
			!(grid > fmax(GRID_LEAST, sqrt(v->detail.s2)) * v->base_mean))
			continue;
		if (!count++) {
			first = v;
			at = i;
		}
	}
	if (!count)
		return;
	grid = compared_grid(first, first_measure(b));
	report_note(b->report, NULL, "--explain=REGEX",
		"the values of %s%s lie on a grid of %s (%s): what changes by less does not show",
		b->short_name[at],
		count == 1 ? "" : arena_printf(arena_of(b), " and %zu more", count - 1),
		phrase_quantity(arena_of(b), compare_measure_of(b, 0)->dimension, grid),
		phrase_percent(arena_of(b), grid / first->base_mean));
}

static void note_evidence(struct compare_builder *b)
{
	size_t rare = count_rare(b);
	size_t linear = count_evidence(b, EVIDENCE_LINEAR);
	size_t floor = count_evidence(b, EVIDENCE_FLOOR) - rare;
	size_t given = count_evidence(b, EVIDENCE_GIVEN);

	if (linear) {
		/* Rows with a run value of 0 whose interval would not be one of a positive
		 * quantity. */
		const struct comparison *c = b->comparison;
		size_t count = 0;

		for (size_t i = 0; i < c->count; i++)
			count += c->row[i].value[0].evidence == EVIDENCE_LINEAR &&
				 isnan(c->row[i].value[0].low);
		report_note(b->report, NULL, "--explain=REGEX",
			"%zu %s 0 in some run: tested on the values, not on their logarithms, "
			"apart from the others%s",
			linear,
			arena_printf(arena_of(b), "%s %s", phrase_noun(b->build, linear),
				linear == 1 ? "is" : "are"),
			count ? "; no interval where it would reach -100 % or base is 0" : "");
	}
	if (floor)
		report_note(b->report, NULL, "--explain=REGEX",
			"%zu %s the same value in all runs of each side: tested against the "
			"resolution of the times, %s",
			floor,
			arena_printf(arena_of(b), "%s %s", phrase_noun(b->build, floor),
				floor == 1 ? "has" : "have"),
			phrase_exact(arena_of(b), compare_measure_of(b, 0)->dimension,
				first_measure(b)->resolution));
	if (rare)
		report_note(b->report, NULL, "--explain=REGEX",
			"%zu %s in few steps, with the same value in all runs of each side: this "
			"shows little, the rounding of %s own times counts",
			rare, arena_printf(arena_of(b), "%s ran", phrase_noun(b->build, rare)),
			rare == 1 ? "its" : "their");
	if (given && b->opt->sessions)
		return; /* who gives the sessions says what they are */
	if (given && isnan(b->opt->run_cv) && !b->opt->noise)
		report_note(b->report, NULL, "--noise=FILE",
			"one run of %s: it is taken to vary as the %zu runs of %s do",
			b->comparison->runs_new < 2 ? "new" : "base",
			b->comparison->runs_new < 2 ? b->comparison->runs_base
						    : b->comparison->runs_new,
			b->comparison->runs_new < 2 ? "base" : "new");
	else if (given)
		report_note(b->report, NULL, isnan(b->opt->run_cv) ? "--noise" : "--run-cv",
			"one run a side: the spread between runs is taken from %s, not from these "
			"data",
			isnan(b->opt->run_cv) ? "the noise file"
					      : arena_printf(arena_of(b), "--run-cv=%s",
							phrase_level(arena_of(b), b->opt->run_cv)));
}

/* Rows that got no verdict for a reason of their own. */
static void note_reasons(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const char *reason = NULL;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *value = &c->row[i].value[0];

		if (value->verdict != VERDICT_NONE || value->small || !value->reason ||
			value->evidence == EVIDENCE_ONE_RUN)
			continue;
		reason = reason ? reason : value->reason;
		count++;
	}
	if (count)
		report_note(b->report, NULL, "--explain=REGEX", "%zu %s without verdict (%s)",
			count, phrase_noun(b->build, count), reason);
}

/* Options that were given for one run a side and are not needed. */
static void note_unused(struct compare_builder *b)
{
	const struct compare_options *opt = b->opt;
	const struct comparison *c = b->comparison;

	if ((!isnan(opt->run_cv) || opt->noise) && c->runs_base > 1 && c->runs_new > 1)
		report_note(b->report, NULL, opt->noise ? "--noise" : "--run-cv",
			"the given spread between runs is not used: the runs themselves show it");
}

void compare_notes_tests(struct compare_builder *b, const bool *shown)
{
	const struct compare_options *opt = b->opt;
	const char *what = NULL;

	/* The means beside them would give another change. */
	if (first_measure(b)->family) {
		if (opt->method == METHOD_RANKSUM)
			what = "the shift of Hodges and Lehmann";
		else if (opt->normalize)
			what = "the ratio of the geometric means without the common shift";
		else if (opt->value.kind != RUN_VALUE_MEAN)
			what = "the ratio of the geometric means of the runs";
		if (what)
			report_note(b->report, NULL, "--explain=REGEX",
				"change is %s, not of the means shown", what);
	}
	note_unused(b);

	/* A change and an interval of one test. */
	const struct comparison *c = b->comparison;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *value = &c->row[i].value[0];

		count += shown[i] && value->of_centres;
	}
	if (count)
		report_note(b->report, NULL, "--explain=REGEX",
			"%zu change%s of the geometric means: one run far from the others moves "
			"the means out of the interval",
			count, count == 1 ? " is that" : "s are those");
	note_grids(b);
	note_evidence(b);
	note_reasons(b);
}
