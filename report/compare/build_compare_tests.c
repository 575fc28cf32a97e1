/*
 * Words for the tests that are not the usual one, and for changes that are not the ratio of the
 * means.
 */
#include "report/compare/build_compare_tests.h"

#include <math.h>
#include "base/text.h"

#define GRID_COARSER 2	/* than what is written: it is worth a word */
#define GRID_LEAST 1e-4 /* of the value */

struct tested {
	struct compare_builder *b;
	const bool *shown;
};

static struct arena *arena_of(const struct tested *n)
{
	return n->b->report->arena;
}

static const struct compared_measure *first_measure(const struct tested *n)
{
	return &n->b->comparison->measure[0];
}

static const char *noun(const struct tested *n, size_t count)
{
	return phrase_noun(n->b->build, count);
}

/* The means beside them would give another change. */
static void note_scale(const struct tested *n)
{
	const struct compare_options *opt = n->b->opt;
	const char *what = NULL;

	if (!first_measure(n)->family)
		return;
	if (opt->method == METHOD_RANKSUM)
		what = "the shift of Hodges and Lehmann";
	else if (opt->normalize)
		what = "the ratio of the geometric means without the common shift";
	else if (opt->value.kind != RUN_VALUE_MEAN)
		what = "the ratio of the geometric means of the runs";
	if (what)
		report_note(n->b->report, NULL, "--explain=REGEX",
			"change is %s, not of the means shown", what);
}

static size_t count_evidence(const struct tested *n, enum evidence evidence)
{
	const struct comparison *c = n->b->comparison;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		count += c->row[i].value[0].evidence == evidence;
	return count;
}

static size_t count_rare(const struct tested *n)
{
	const struct comparison *c = n->b->comparison;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		count += c->row[i].value[0].rare;
	return count;
}

/* Grids that single rows show, coarser than what the file is written in. */
static void note_grids(const struct tested *n)
{
	const struct comparison *c = n->b->comparison;
	const double written = first_measure(n)->resolution;
	const struct compared *first = NULL;
	size_t count = 0, at = 0;
	double grid;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];

		grid = compared_grid(v, first_measure(n));
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
	grid = compared_grid(first, first_measure(n));
	report_note(n->b->report, NULL, "--explain=REGEX",
		"the values of %s%s lie on a grid of %s (%s): what changes by less does not show",
		n->b->short_name[at],
		count == 1 ? "" : arena_printf(arena_of(n), " and %zu more", count - 1),
		phrase_quantity(arena_of(n), compare_measure_of(n->b, 0)->dimension, grid),
		phrase_percent(arena_of(n), grid / first->base_mean));
}

static void note_evidence(const struct tested *n)
{
	size_t rare = count_rare(n);
	size_t linear = count_evidence(n, EVIDENCE_LINEAR);
	size_t floor = count_evidence(n, EVIDENCE_FLOOR) - rare;
	size_t given = count_evidence(n, EVIDENCE_GIVEN);

	if (linear) {
		/* Rows with a run value of 0 whose interval would not be one of a positive
		 * quantity. */
		const struct comparison *c = n->b->comparison;
		size_t count = 0;

		for (size_t i = 0; i < c->count; i++)
			count += c->row[i].value[0].evidence == EVIDENCE_LINEAR &&
				 isnan(c->row[i].value[0].low);
		report_note(n->b->report, NULL, "--explain=REGEX",
			"%zu %s 0 in some run: tested on the values, not on their logarithms, "
			"apart from the others%s",
			linear,
			arena_printf(
				arena_of(n), "%s %s", noun(n, linear), linear == 1 ? "is" : "are"),
			count ? "; no interval where it would reach -100 % or base is 0" : "");
	}
	if (floor)
		report_note(n->b->report, NULL, "--explain=REGEX",
			"%zu %s the same value in all runs of each side: tested against the "
			"resolution "
			"of the times, %s",
			floor,
			arena_printf(
				arena_of(n), "%s %s", noun(n, floor), floor == 1 ? "has" : "have"),
			phrase_exact(arena_of(n), compare_measure_of(n->b, 0)->dimension,
				first_measure(n)->resolution));
	if (rare)
		report_note(n->b->report, NULL, "--explain=REGEX",
			"%zu %s in few steps, with the same value in all runs of each side: this "
			"shows little, the rounding of %s own times counts",
			rare, arena_printf(arena_of(n), "%s ran", noun(n, rare)),
			rare == 1 ? "its" : "their");
	if (given && isnan(n->b->opt->run_cv) && !n->b->opt->noise)
		report_note(n->b->report, NULL, "--noise=FILE",
			"one run of %s: it is taken to vary as the %zu runs of %s do",
			n->b->comparison->runs_new < 2 ? "new" : "base",
			n->b->comparison->runs_new < 2 ? n->b->comparison->runs_base
						       : n->b->comparison->runs_new,
			n->b->comparison->runs_new < 2 ? "base" : "new");
	else if (given)
		report_note(n->b->report, NULL, isnan(n->b->opt->run_cv) ? "--noise" : "--run-cv",
			"one run a side: the spread between runs is taken from %s, not from these "
			"data",
			isnan(n->b->opt->run_cv)
				? "the noise file"
				: arena_printf(arena_of(n), "--run-cv=%s",
					  phrase_level(arena_of(n), n->b->opt->run_cv)));
}

/* Rows that got no verdict for a reason of their own. */
static void note_reasons(const struct tested *n)
{
	const struct comparison *c = n->b->comparison;
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
		report_note(n->b->report, NULL, "--explain=REGEX", "%zu %s without verdict (%s)",
			count, noun(n, count), reason);
}

/* Options that were given for one run a side and are not needed. */
static void note_unused(const struct tested *n)
{
	const struct compare_options *opt = n->b->opt;
	const struct comparison *c = n->b->comparison;

	if ((!isnan(opt->run_cv) || opt->noise) && c->runs_base > 1 && c->runs_new > 1)
		report_note(n->b->report, NULL, opt->noise ? "--noise" : "--run-cv",
			"the given spread between runs is not used: the runs themselves show it");
}

void compare_notes_tests(struct compare_builder *b, const bool *shown)
{
	struct tested n = {b, shown};

	note_scale(&n);
	note_unused(&n);

	/* A change and an interval of one test. */
	const struct comparison *c = n.b->comparison;
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *value = &c->row[i].value[0];

		count += n.shown[i] && value->of_centres;
	}
	if (count)
		report_note(n.b->report, NULL, "--explain=REGEX",
			"%zu change%s of the geometric means: one run far from the others moves "
			"the means out of the interval",
			count, count == 1 ? " is that" : "s are those");
	note_grids(&n);
	note_evidence(&n);
	note_reasons(&n);
}
