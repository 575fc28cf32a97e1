/* Words and numbers of a comparison. */
#include "report/compare/build_compare_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "analysis/compare/row_split.h"
#include "base/number.h"
#include "base/unit.h"

const char *verdict_word(enum verdict verdict, enum dimension dimension)
{
	static const char *const word[VERDICT_COUNT] = {
		[VERDICT_NONE] = "no verdict",
		[VERDICT_NEW] = "NEW",
		[VERDICT_GONE] = "GONE",
		[VERDICT_LOST] = "LOST",
		[VERDICT_RARE] = "RARE",
		[VERDICT_REGRESSED] = "REGRESSED",
		[VERDICT_IMPROVED] = "IMPROVED",
		[VERDICT_SAME] = "SAME",
		[VERDICT_SLOWER] = "SLOWER",
		[VERDICT_FASTER] = "FASTER",
		[VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
	};

	if (dimension == DIMENSION_TIME || dimension_is_rate(dimension))
		return word[verdict];
	if (dimension > DIMENSION_FRACTION && dimension_is_judged(dimension))
		return verdict == VERDICT_SLOWER   ? "WORSE"
		       : verdict == VERDICT_FASTER ? "BETTER"
						   : word[verdict];
	if (verdict == VERDICT_REGRESSED || verdict == VERDICT_SLOWER)
		return "MORE";
	if (verdict == VERDICT_IMPROVED || verdict == VERDICT_FASTER)
		return "LESS";
	return word[verdict];
}

enum dimension verdict_dimension(const struct measure *measure)
{
	return measure->better == DIRECTION_HIGHER && measure->dimension <= DIMENSION_FRACTION
		       ? DIMENSION_BYTES_RATE
		       : measure->dimension;
}

/* ---- verdicts with their half sentence ---- */

static bool excludes_zero(const struct compared *v)
{
	return v->low > 0 || v->high < 0;
}

/* A margin downwards: half of 100 % is as far as twice. */
static double margin_below(const struct compared *v)
{
	return 1 / (1 + v->margin) - 1;
}

static bool is_beyond_margin(const struct compared *v)
{
	return v->low > v->margin || v->high < margin_below(v);
}

/* The words of SLOWER and FASTER: how large the change may be. */
static const char *remark_size(struct arena *arena, const struct compared *v)
{
	const char *margin = phrase_level(arena, v->margin);

	if (!excludes_zero(v))
		return "just shown";
	if (!(v->margin > 0) || !isfinite(v->margin))
		return NULL;
	/* The number of rows takes back what the row by itself would show. */
	if (is_beyond_margin(v))
		return v->diff > 0 ? "alone REGRESSED" : "alone IMPROVED";
	return arena_printf(arena, "%s %s",
		fabs(v->change) > 2 * v->margin ? "perhaps <" : "size near", margin);
}

static const char *remark_undecided(
	const struct compare_builder *b, const struct compared *v, enum dimension dimension)
{
	struct arena *arena = arena_of(b);
	const char *sees =
		!isfinite(v->detectable) ? NULL
		: v->detectable > FACTOR_FROM
			? "nothing visible"
			: arena_printf(arena, "sees > %s", phrase_rough(arena, v->detectable));
	const char *but = NULL;

	if (v->unsteady)
		return "no steady state";
	if (v->withheld)
		return "the runs differ as much among themselves";
	if (v->reason)
		return v->reason;
	if (excludes_zero(v) && v->p < v->alpha)
		but = arena_printf(arena, "alone %s",
			verdict_word(v->diff > 0 ? VERDICT_SLOWER : VERDICT_FASTER, dimension));
	else if (excludes_zero(v) || (v->low >= margin_below(v) && v->high <= v->margin))
		but = arena_printf(arena, "not at %s", phrase_level(arena, v->alpha));
	if (!sees || !but)
		return sees ? sees : but;
	return arena_printf(arena, "%s; %s", sees, but);
}

#define STEPS_OF_ONE 5 /* of which a single one says something */

/* "1 run; most of it in step 12 of new": without that step less than half of the change is left. */
static const char *remark_one_run(const struct compare_builder *b, const struct compared *v)
{
	if (b->opt->value.kind != RUN_VALUE_MEAN || !v->base || !v->new)
		return "1 run";
	for (int of_new = 0; of_new < 2; of_new++) {
		const struct compare_side *side = of_new ? b->new : b->base;
		const struct run_row *row = of_new ? v->new : v->base;
		const struct run_value *run = row->run;
		const double sign = of_new ? 1 : -1;

		if (row->runs == 1 && run->steps >= STEPS_OF_ONE && fabs(v->change) > v->margin &&
			sign * v->difference > 0 &&
			(run->most - run->mean) / (double)(run->steps - 1) >
				fabs(v->difference) / 2)
			return arena_printf(arena_of(b), "1 run; most of it in step %s of %s",
				phrase_step(arena_of(b), side->run.cube, run->most_step),
				of_new ? "new" : "base");
	}
	return "1 run";
}

static const char *remark_of(
	const struct compare_builder *b, const struct compared *v, enum dimension dimension)
{
	struct arena *arena = arena_of(b);

	if (v->verdict == VERDICT_NONE)
		return v->evidence == EVIDENCE_ONE_RUN ? remark_one_run(b, v) : v->reason;
	if (v->verdict == VERDICT_RARE)
		return phrase_presence(arena, v);
	if ((isnan(v->low) || isinf(v->low)) && v->verdict != VERDICT_INCONCLUSIVE)
		return NULL;
	switch (v->verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_IMPROVED:
		return is_beyond_margin(v) ? NULL
					   : arena_printf(arena, "just beyond %s",
						     phrase_level(arena, v->margin));
	case VERDICT_SLOWER:
	case VERDICT_FASTER:
		return remark_size(arena, v);
	case VERDICT_INCONCLUSIVE:
		return remark_undecided(b, v, dimension);
	case VERDICT_SAME:
		return v->flagged ? arena_printf(arena, "changed, by less than %s",
					    phrase_level(arena, v->margin))
				  : NULL;
	default:
		return NULL;
	}
}

/* "+8.0 % a call; ran 39/200 -> 54/200", or the other way round where it ran more or less often. */
static const char *phrase_split(struct arena *arena, const struct compared *v)
{
	const struct row_split *split = v->split;
	const struct run_row *base = v->base, *new = v->new;
	char before[NUMBER_TEXT_SIZE], after[NUMBER_TEXT_SIZE];
	const char *one = arena_printf(arena, "%s a call", phrase_change(arena, split->change));
	const char *often = split->of_calls
				    ? arena_printf(arena, "ran %s -> %s a step",
					      number_format_real(before, split->often[0].mean, 4),
					      number_format_real(after, split->often[1].mean, 4))
				    : arena_printf(arena, "ran %zu/%zu -> %zu/%zu", base->ran,
					      base->steps, new->ran, new->steps);

	return v->per_call ? arena_printf(arena, "%s; %s", one, often)
			   : arena_printf(arena, "%s; %s", often, one);
}

/* Not measured in some runs of a side. */
static bool lacks_runs(const struct compared *v)
{
	return v->base->valued && v->new->valued &&
	       (v->base->valued < v->base->runs || v->new->valued < v->new->runs);
}

const char *phrase_verdict(
	const struct compare_builder *b, const struct compared *value, enum dimension dimension)
{
	struct arena *arena = arena_of(b);
	const char *word = verdict_word(value->verdict, dimension), *remark, *outside = NULL;

	if (value->evidence == EVIDENCE_EXACT)
		return word;
	if (b->comparison && b->comparison->benchmarks && value->base &&
		value->new &&lacks_runs(value) && value->verdict != VERDICT_LOST) {
		const struct run_row *row =
			value->new->valued < value->new->runs ? value->new : value->base;

		outside = arena_printf(arena, "measured in %zu of %zu runs of %s", row->valued,
			row->runs, row == value->new ? "new" : "base");
	}
	remark = remark_of(b, value, dimension);
	if (value->split && value->evidence != EVIDENCE_NONE)
		remark = arena_printf(arena, "%s%s%s", phrase_split(arena, value),
			remark ? "; " : "", remark ? remark : "");
	if (value->moved)
		remark = arena_printf(arena, "%s%smoved", remark ? remark : "", remark ? "; " : "");
	if (value->limited)
		remark = arena_printf(arena, "%s%slimited by the resolution", remark ? remark : "",
			remark ? "; " : "");
	if (value->of_centres)
		outside = "one run far off";
	if (!remark && !outside)
		return word;
	return arena_printf(arena, "%s (%s%s%s)", word, remark ? remark : "",
		remark && outside ? "; " : "", outside ? outside : "");
}

/* ---- others ---- */

const char *evidence_word(enum evidence evidence)
{
	static const char *const word[] = {
		[EVIDENCE_NONE] = NULL,
		[EVIDENCE_EXACT] = "exact",
		[EVIDENCE_TEST] = "test",
		[EVIDENCE_FLOOR] = "floor",
		[EVIDENCE_LINEAR] = "linear",
		[EVIDENCE_GIVEN] = "given",
		[EVIDENCE_ONE_RUN] = "one run",
	};

	return word[evidence];
}

const char *method_phrase(const struct compare_options *opt)
{
	static const char *const phrase[] = {
		[METHOD_MODERATED] = "moderated t, shared run effect separated",
		[METHOD_LIMMA] = "moderated t as limma",
		[METHOD_WELCH] = "Welch's t",
		[METHOD_RANKSUM] = "exact rank sum",
		[METHOD_PAIRED] = "paired t by round",
	};

	return opt->sessions ? "t of the means of sessions" : phrase[opt->method];
}

const char *adjust_phrase(enum multiple_method method)
{
	static const char *const phrase[] = {
		[MULTIPLE_BH] = "Benjamini and Hochberg 1995",
		[MULTIPLE_BY] = "Benjamini and Yekutieli 2001",
		[MULTIPLE_HOLM] = "Holm 1979",
	};

	return phrase[method];
}

/* A number with its sign; zero has a plus too, as in a column of changes. */
static const char *signed_number(char *out, double value, int decimals)
{
	char number[NUMBER_TEXT_SIZE];

	number_format_fixed(number, value, decimals);
	out[0] = '+';
	out[1] = '\0';
	memcpy(out + (*number != '-'), number, strlen(number) + 1);
	return out;
}

const char *phrase_change(struct arena *arena, double fraction)
{
	char number[NUMBER_TEXT_SIZE + 1];

	if (!isfinite(fraction))
		return "not defined";
	if (fraction > FACTOR_FROM)
		return phrase_factor(arena, fraction);
	return arena_printf(arena, "%s %%", signed_number(number, 100 * fraction, 1));
}

const char *phrase_factor(struct arena *arena, double fraction)
{
	char number[NUMBER_TEXT_SIZE];

	return arena_printf(arena, "x %s", number_format_real(number, 1 + fraction, 3));
}

/* An end of an interval: in percent, or a factor. */
static const char *bound_text(char *out, double fraction)
{
	char number[NUMBER_TEXT_SIZE];

	if (!(fraction > FACTOR_FROM))
		return signed_number(out, 100 * fraction, 1);
	snprintf(out, NUMBER_TEXT_SIZE + 3, "x %s", number_format_real(number, 1 + fraction, 3));
	return out;
}

const char *phrase_bounds(struct arena *arena, double low, double high, size_t width)
{
	char a[NUMBER_TEXT_SIZE + 3], b[NUMBER_TEXT_SIZE + 3];

	if (isnan(low) || isnan(high))
		return NULL;
	if (isinf(low) || isinf(high))
		return "unbounded";
	return arena_printf(arena, "[%*s, %*s]", (int)width, bound_text(a, low), (int)width,
		bound_text(b, high));
}

const char *phrase_change_within(struct arena *arena, double fraction, double low, double high)
{
	const char *bounds = phrase_bounds(arena, low, high, 0);

	return arena_printf(arena, "%s%s%s", phrase_change(arena, fraction), bounds ? " " : "",
		bounds ? bounds : "");
}

size_t bounds_width(double low, double high)
{
	char a[NUMBER_TEXT_SIZE + 3], b[NUMBER_TEXT_SIZE + 3];
	size_t of_low, of_high;

	if (!isfinite(low) || !isfinite(high))
		return 0;
	of_low = strlen(bound_text(a, low));
	of_high = strlen(bound_text(b, high));
	return of_low > of_high ? of_low : of_high;
}

const char *phrase_more_runs(struct arena *arena, const struct compare_options *opt)
{
	if (opt->assumed_base || opt->assumed_new)
		return arena_printf(arena,
			"record 3 runs or more a side; are the %zu processes of %s, recorded at "
			"one time, runs of their own: --ranks=none",
			opt->assumed_base ? opt->assumed_base : opt->assumed_new,
			opt->assumed_base ? "base" : "new");
	if (!opt->files_base && !opt->files_new)
		return "record 3 runs or more a side, or say how much runs differ (--run-cv=2% or "
		       "--noise=FILE)";
	return arena_printf(arena,
		"record 3 runs or more a side; were the %zu files of %s runs of their own: "
		"--runs=files, or --runs=REGEX (--explain-inputs says why not)",
		opt->files_base ? opt->files_base : opt->files_new,
		opt->files_base ? "base" : "new");
}

const char *phrase_p(struct arena *arena, double p)
{
	char number[NUMBER_TEXT_SIZE];

	if (isnan(p))
		return NULL;
	if (p < 0.001)
		return "<0.001";
	return arena_strdup(arena, number_format_fixed(number, p, p < 0.1 ? 3 : 2));
}

const char *phrase_level(struct arena *arena, double fraction)
{
	char number[NUMBER_TEXT_SIZE];

	return arena_printf(arena, "%s %%", number_format_real(number, 100 * fraction, 3));
}

const char *phrase_rough(struct arena *arena, double fraction)
{
	char number[NUMBER_TEXT_SIZE];

	int decimals = fraction < 0.0995 ? 1 : 0;
	double unit = decimals ? 10 : 1;

	/* A number that is exact in decimals is not raised by its binary rounding. */
	number_format_fixed(number, ceil(100 * fraction * unit * (1 - 1e-12)) / unit, decimals);
	return arena_printf(arena, "%s %%", number);
}

const char *phrase_presence(struct arena *arena, const struct compared *value)
{
	const struct run_row *row = value->base ? value->base : value->new;
	size_t runs = 0;

	for (size_t r = 0; r < row->runs; r++)
		runs += row->run[r].ran > 0;
	if (row->runs == 1)
		return arena_printf(arena, "in %zu of %zu steps", row->ran, row->steps);
	return arena_printf(arena, "in %zu of %zu steps, %zu of %zu runs", row->ran, row->steps,
		runs, row->runs);
}

const char *phrase_difference(
	struct arena *arena, const struct unit *unit, double difference, bool with_unit)
{
	char number[NUMBER_TEXT_SIZE + 1];
	double value = difference / (double)unit->factor;

	signed_number(number, value, unit->factor == 1 && value == floor(value) ? 0 : 2);
	/* A change that rounds to nothing has no direction; a plus would give it the wrong one. */
	if (!strpbrk(number, "123456789"))
		memmove(number, number + 1, strlen(number));
	return arena_printf(arena, "%s%s%s", number, with_unit && *unit->name ? " " : "",
		with_unit ? unit->name : "");
}

const struct measure *compare_measure_of(const struct compare_builder *b, size_t m)
{
	return measure_at(b->comparison->measure[m].id);
}

const struct unit *compare_unit(const struct compare_builder *b)
{
	const struct compared *total = &b->comparison->measure[0].total;
	enum dimension dimension = compare_measure_of(b, 0)->dimension;
	const struct unit *asked = unit_given(b->build, dimension);
	double largest, row = 0;

	if (asked)
		return asked;
	/* fmax leaves a NaN aside; without any total the largest row has to do. */
	largest = b->build->several ? fabs(total->base_mean)
				    : fmax(fabs(total->base_mean), fabs(total->new_mean));
	for (size_t i = 0; isnan(largest) && i < b->comparison->count; i++) {
		const struct compared *v = &b->comparison->row[i].value[0];

		row = fmax(row, fmax(fabs(v->base_mean), fabs(v->new_mean)));
	}
	return unit_choose(dimension, fmax(0, fmax(largest, row)));
}

const char *match_option(const struct compare_builder *b)
{
	const struct pairing *pairing = &b->comparison->pairing;

	if (!pairing->only_base || !pairing->only_new)
		return NULL;
	if (b->opt->other_profiler || b->opt->map_path)
		return "--map=FILE";
	if (pairing->by_nearest)
		return "--rename";
	return !pairing->by_shape && pairing_has_shapes(b->base->run.cube) &&
			       pairing_has_shapes(b->new->run.cube)
		       ? "--match=type+shape"
		       : "--match=nearest";
}

const char *fragile_run_name(const struct compare_builder *b, const struct compared *value)
{
	const struct compare_side *side = value->fragile_run_of_base ? b->base : b->new;
	uint32_t run = side->run.steps->run[value->fragile_run_index];

	return arena_printf(arena_of(b), "%s of %s",
		phrase_visible(arena_of(b), side->run.cube->run[run].name),
		value->fragile_run_of_base ? "base" : "new");
}

const char *fragile_step_name(const struct compare_builder *b, const struct compared *value)
{
	const struct compare_side *side = value->fragile_step_of_base ? b->base : b->new;
	const struct cube *cube = side->run.cube;
	size_t run = 0;

	while (run + 1 < cube->run_count &&
		value->fragile_step_index >= cube->run[run + 1].step_first)
		run++;
	return arena_printf(arena_of(b), "step %s of %s of %s",
		phrase_step(arena_of(b), cube, value->fragile_step_index),
		phrase_visible(arena_of(b), cube->run[run].name),
		value->fragile_step_of_base ? "base" : "new");
}

struct row_claims compare_row_claims(const struct comparison *c)
{
	const size_t measures = c->benchmarks ? c->measure_count : 1;
	struct row_claims out = {0};

	for (size_t i = 0; i < c->count; i++) {
		size_t of[VERDICT_COUNT] = {0}, worse, better;

		for (size_t m = 0; m < measures; m++)
			of[c->row[i].value[m].verdict]++;
		worse = of[VERDICT_REGRESSED] + of[VERDICT_SLOWER];
		better = of[VERDICT_IMPROVED] + of[VERDICT_FASTER];
		out.worse += worse > 0;
		out.better += better > 0;
		out.worse_values += worse;
		out.better_values += better;
		out.new += of[VERDICT_NEW] > 0;
		out.gone += of[VERDICT_GONE] > 0;
		out.lost += of[VERDICT_LOST] > 0;
	}
	return out;
}

enum tone compare_tone(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_SLOWER:
	case VERDICT_LOST:
		return TONE_WORSE;
	case VERDICT_IMPROVED:
	case VERDICT_FASTER:
		return TONE_BETTER;
	case VERDICT_INCONCLUSIVE:
	case VERDICT_RARE:
		return TONE_OPEN;
	default:
		return TONE_PLAIN;
	}
}

const struct band *compare_band(struct report *report, const struct compared *value)
{
	struct band *band;

	if (!value->base || !value->new || !isfinite(value->change))
		return NULL;
	band = arena_alloc(report->arena, sizeof(*band));
	*band = (struct band){value->change, NAN, NAN, value->margin};
	if (value->evidence != EVIDENCE_EXACT) {
		band->low = value->low;
		band->high = value->high;
	}
	return band;
}

bool compare_is_one_run(const struct compare_builder *b, const struct compared *value)
{
	return value->verdict == VERDICT_NONE && !b->opt->sessions &&
	       (b->comparison->runs_base < 2 || b->comparison->runs_new < 2);
}
