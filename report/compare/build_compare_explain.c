/* Words every number of a verdict, one block of lines for a row and a measure. */
#include "report/compare/build_compare_explain.h"

#include <math.h>
#include <string.h>
#include "analysis/compare/row_split.h"
#include "base/number.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"

#define DIGITS 12 /* a distribution or a logarithm was involved */

/* A row under its name: an op, the total, the merged row. */
struct explained_row {
	const char *name;
	const struct compared_row *row; /* NULL: not an op */
	const struct compared *value;	/* of measure m */
	size_t m;
};

static const char *exact(const struct compare_builder *b, double value)
{
	char number[NUMBER_TEXT_SIZE];

	if (isnan(value))
		return "not defined";
	if (isinf(value))
		return value > 0 ? "infinite" : "-infinite";
	return arena_strdup(arena_of(b), number_format_real(number, value, DIGITS));
}

static const char *exact_percent(const struct compare_builder *b, double fraction)
{
	return isfinite(fraction) ? arena_printf(arena_of(b), "%s %%", exact(b, 100 * fraction))
				  : exact(b, fraction);
}

/* The unit of files. */
static const struct unit *unit_of(const struct compare_builder *b, size_t m)
{
	return unit_choose(compare_measure_of(b, m)->dimension, 0);
}

static const char *quantity(const struct compare_builder *b, size_t m, double value)
{
	return exact(b, value / (double)unit_of(b, m)->factor);
}

/* ---- the runs ---- */

static size_t name_width(
	const struct compare_builder *b, const struct compare_side *side, size_t width)
{
	const struct step_set *steps = side->run.steps;

	for (size_t r = 0; r < steps->run_count; r++) {
		const char *name = side->run.cube->run[steps->run[r]].name;
		size_t n = text_width(phrase_visible(arena_of(b), name));

		width = n > width ? n : width;
	}
	return width;
}

static void add_padded(struct text *line, const char *s, size_t width, bool right)
{
	size_t n = text_width(s), blanks = n < width ? width - n : 0;

	text_add_repeat(line, ' ', right ? blanks : 0);
	text_add(line, s);
	text_add_repeat(line, ' ', right ? 0 : blanks);
}

static void add_run_line(struct compare_builder *b, size_t width, const char *const *cell)
{
	static const size_t column[] = {6, 9, 6, 18, 18};
	struct text line;

	text_init(&line);
	text_add(&line, "    ");
	add_padded(&line, cell[0], width, false);
	for (size_t i = 0; i < sizeof(column) / sizeof(*column); i++) {
		text_add(&line, "  ");
		add_padded(&line, cell[1 + i], column[i], true);
	}
	report_answer(b->report, "%s", text_string(&line));
	text_release(&line);
}

static size_t left_out(const struct compare_side *side, size_t r)
{
	const struct step_set *steps = side->run.steps;

	return side->run.cube->run[steps->run[r]].step_count -
	       (steps->first[r + 1] - steps->first[r]);
}

static void add_runs(struct compare_builder *b, const struct compare_side *side, bool of_new,
	const struct compared *v, size_t m, size_t width)
{
	const struct run_row *row = of_new ? v->new : v->base;
	struct arena *arena = arena_of(b);
	bool steps = compare_measure_of(b, m)->kind != MEASURE_STATIC;
	const char *const unit = unit_of(b, m)->name;
	const char *const head[] = {of_new ? "runs of new" : "runs of base", "steps", "left out",
		"ran", *unit ? unit : "value",
		compare_measure_of(b, m)->dimension == DIMENSION_TIME ? "ln of ps" : "ln"};

	if (!row)
		return;
	add_run_line(b, width, head);
	for (size_t r = 0; r < row->runs; r++) {
		const struct run_value *run = &row->run[r];
		const char *name = side->run.cube->run[side->run.steps->run[r]].name;
		const char *const cell[] = {phrase_visible(arena, name),
			steps ? arena_printf(arena, "%zu", run->steps) : "-",
			steps ? arena_printf(arena, "%zu", left_out(side, r)) : "-",
			steps ? arena_printf(arena, "%zu", run->ran) : "-",
			quantity(b, m, run->value),
			isnan(run->scaled)		    ? "-"
			: compared_is_far_off(v, of_new, r) ? "left out: far off"
							    : exact(b, run->scaled)};

		add_run_line(b, width, cell);
	}
}

/* ---- the test ---- */

static void explain_means(struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;
	const char *unit = unit_of(b, s->m)->name;

	report_answer(b->report, "  means: base %s, new %s, difference %s%s%s; change %s",
		quantity(b, s->m, v->base_mean), quantity(b, s->m, v->new_mean),
		quantity(b, s->m, v->difference), *unit ? " " : "", unit,
		exact_percent(b, v->change));
	if (s->row && s->row->ran_changed && v->base && v->new)
		report_answer(b->report,
			"  ran in %zu of %zu steps of base, in %zu of %zu of new; executions per "
			"step %s and %s",
			v->base->ran, v->base->steps, v->new->ran, v->new->steps,
			exact(b, s->row->executions_base), exact(b, s->row->executions_new));
}

static const char *shared_words(const struct compare_builder *b, const struct moderated *all)
{
	if (all->groups == 0)
		return arena_printf(arena_of(b), "all %s", b->build->row_nouns);
	return arena_printf(arena_of(b), "the %s of its device or type (%zu groups differ)",
		b->build->row_nouns, all->groups);
}

static const char *prior_words(const struct moderated *all)
{
	if (!isnan(all->s2_prior))
		return "";
	return all->by_steps ? " at its mean and its steps" : " at its mean";
}

/* The ratio of the sides' variances, and what it does to the standard error. */
static void explain_ratio(
	struct compare_builder *b, const struct moderated *all, const struct moderated_op *op)
{
	if (isnan(all->ratio_found))
		return;
	report_answer(b->report,
		"  k = variance of a run of new / variance of a run of base = %s%s: squares of new "
		"are divided by k before sides are pooled",
		exact(b, op->ratio),
		all->family < 2 ? ""
				: arena_printf(arena_of(b),
					  " (%s over all %s; their own differ by sd(ln k) = %s)",
					  exact(b, all->ratio_found), b->build->row_nouns,
					  exact(b, all->ratio_own_sd)));
	if (all->few_runs)
		report_answer(b->report,
			"  one side has so few runs that k is hardly known: p is the mean over k "
			"(Behrens 1929, Fisher 1935), se and df are those of the t nearest to it");
}

static void explain_common(struct compare_builder *b, const struct explained_row *s)
{
	const struct common_change *common = &b->comparison->measure[s->m].common;
	const struct compared *v = s->value;

	if (s->row && v->evidence == EVIDENCE_TEST && common->ops)
		report_answer(b->report,
			"  against the other %s: %s, the mode of %zu differences, is taken off d; "
			"se^2 is raised by %s for the median of each run and by %s for the mode: "
			"se = %s, df = %s",
			b->build->row_nouns, exact_percent(b, expm1(common->change)), common->ops,
			exact_percent(b, common->raised - 1), exact(b, common->variance),
			exact(b, sqrt(v->se * v->se - v->rounding_variance)), exact(b, v->df));
	if (s->m == 0 && s->row && s->row->against)
		report_answer(b->report, "  against the other %s: %s %s, q = %s (--normalize)",
			b->build->row_nouns, exact_percent(b, s->row->against->change),
			phrase_bounds(arena_of(b), s->row->against->low, s->row->against->high, 0),
			exact(b, s->row->against->q));
}

/* The factor of the variance of one value. */
static const char *number_of_values(
	const struct compare_builder *b, const struct moderated *all, const struct moderated_op *op)
{
	if (all->rounds)
		return arena_printf(arena_of(b), "/%zu", op->runs_new);
	return arena_printf(arena_of(b), "(1/%zu + %s/%zu)", op->runs_base,
		isnan(all->ratio_found) ? "1" : "k", op->runs_new);
}

static void explain_moderated(struct compare_builder *b, const struct explained_row *s)
{
	const struct moderated *all = &b->comparison->measure[s->m].moderated;
	const struct moderated_op *op = &s->value->detail;

	const char *unit = all->rounds ? "round" : "run";

	report_answer(b->report,
		all->rounds ? "  d = mean of ln(new) - ln(base) over the rounds = %s: the "
			      "geometric means of the runs differ by %s"
			    : "  d = mean ln(new) - mean ln(base) = %s: the geometric means of the "
			      "runs differ by %s",
		exact(b, s->value->diff), exact_percent(b, expm1(s->value->diff)));
	report_answer(b->report,
		"  own variance of a %s: s2 = %s with nu = %s; prior%s s0^2 = %s with d0 = %s",
		all->rounds ? "round's difference" : "run", exact(b, op->s2), exact(b, op->nu),
		prior_words(all), exact(b, op->s2_prior), exact(b, op->df_prior));
	if (op->df_prior < all->df_prior)
		report_answer(b->report,
			"  its variance is an outlier: d0 is %s for most %s (robust prior, Phipson "
			"et al. 2016)",
			exact(b, all->df_prior), b->build->row_nouns);
	report_answer(b->report, "  moderated (Smyth 2004): %s = %s",
		isinf(op->df_prior) ? "s0^2" : "(d0 s0^2 + nu s2)/(d0 + nu)",
		exact(b, op->s2_posterior));
	if (all->split)
		report_answer(b->report,
			"  shared by %s of a %s: variance %s with df = %s (of the median "
			"deviations of the %ss)",
			shared_words(b, all), unit, exact(b, op->shared_s2),
			exact(b, all->shared_df), unit);
	else if (b->opt->method == METHOD_MODERATED)
		report_answer(b->report,
			"  shared by all %s of a run: not separated (fewer than %d %s)",
			b->build->row_nouns, MODERATED_SPLIT_OPS, b->build->row_nouns);
	explain_ratio(b, all, op);
	report_answer(b->report, "  se = sqrt(%s%s) = %s, df = %s (%s)",
		all->split ? "(moderated + shared)" : "moderated ", number_of_values(b, all, op),
		exact(b, s->value->own_se), exact(b, s->value->own_df),
		all->split ? "of both parts together: doc/comparison.md"
		: isnan(all->ratio_found)
			? "d0 + nu, at most all nu of the family"
			: "d0 + nu, at most all nu of the family, less for the error of k");
}

/* The variance that the rounding of the times adds. */
static void explain_rounding(struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;
	const char *q = phrase_exact(
		arena_of(b), DIMENSION_TIME, compared_grid(v, &b->comparison->measure[s->m]));

	if (v->rounding_shift > 0)
		report_answer(b->report,
			"  times are multiples of %s: d may be off by %s, alike in all runs, and "
			"nothing is claimed within that",
			q, exact(b, v->rounding_shift));
	else if (v->rounding_variance > 0)
		report_answer(b->report,
			"  times are multiples of %s: the rounding, alike in all runs of a side, "
			"adds %s to se^2; so se = %s, df = %s",
			q, exact(b, v->rounding_variance), exact(b, v->se), exact(b, v->df));
}

/* Rounds of few ops are tested op by op. */
static bool is_moderated(const struct compare_builder *b, size_t m)
{
	const enum compare_method method = b->opt->method;

	return method == METHOD_MODERATED || method == METHOD_LIMMA ||
	       (method == METHOD_PAIRED && b->comparison->measure[m].moderated.prior_ops > 0);
}

/* The parts of the standard error. */
static void explain_spread(struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;
	enum compare_method method = b->opt->method;
	bool single = !s->row && v != &b->comparison->measure[s->m].small;
	const char *how = "Welch 1947, variances of the sides apart";

	if (is_moderated(b, s->m) && !single && v->evidence == EVIDENCE_TEST) {
		explain_moderated(b, s);
		return;
	}
	if (v->evidence == EVIDENCE_FLOOR)
		how = v->rare ? "the runs of each side are alike, but it ran in few steps: the "
				"rounding of its own times and the variance of the typical row"
			      : arena_printf(arena_of(b),
					"the runs of each side are alike: variance q^2/(12 mean^2) "
					"of the resolution q = %s%s",
					quantity(b, s->m,
						compared_grid(v, &b->comparison->measure[s->m])),
					b->comparison->measure[s->m].moderated.split
						? ", and what all of a run share"
						: "");
	else if (v->evidence == EVIDENCE_GIVEN && (!isnan(b->opt->run_cv) || b->opt->noise))
		how = isnan(b->opt->run_cv) ? "spread between runs from the noise file"
					    : arena_printf(arena_of(b),
						      "2 cv^2 with cv = %s of --run-cv, plus what "
						      "the steps leave open",
						      exact(b, b->opt->run_cv));
	else if (v->evidence == EVIDENCE_GIVEN && b->opt->sessions)
		how = arena_printf(arena_of(b),
			"means of sessions, %zu of base and %zu of new; their variance is that of "
			"base",
			b->opt->sessions->base_count, b->opt->sessions->new_count);
	else if (v->evidence == EVIDENCE_GIVEN || v->evidence == EVIDENCE_ONE_RUN)
		how = b->comparison->runs_base > 1 || b->comparison->runs_new > 1
			      ? "the one run is taken to vary as those of the other side"
			      : "sd(ln x)^2/n_eff of the steps of each side: nothing is known "
				"between runs";
	else if (method == METHOD_PAIRED)
		how = "paired t over the rounds";
	if (method == METHOD_RANKSUM && v->evidence == EVIDENCE_TEST)
		report_answer(b->report,
			"  d = %s: the shift of the logarithms (Hodges & Lehmann 1963)",
			exact(b, v->diff));
	else
		report_answer(b->report, "  d = mean %s - mean %s = %s, se = %s, df = %s (%s)",
			v->evidence == EVIDENCE_LINEAR ? "new" : "ln(new)",
			v->evidence == EVIDENCE_LINEAR ? "base" : "ln(base)", exact(b, v->diff),
			exact(b, v->own_se), exact(b, v->own_df), how);
	if (v->evidence == EVIDENCE_LINEAR)
		report_answer(b->report, "  a run value is 0: no logarithm, so the values "
					 "themselves (in ps or bytes), apart from the others");
}

/* The p values that were adjusted with that of s, in ascending order. One-sided: of the direction
 * of s. */
static const double *family_of(const struct compare_builder *b, const struct explained_row *s,
	bool one_sided, size_t *family)
{
	const struct comparison *c = b->comparison;
	const struct compared *v = s->value;
	double *p = arena_array(arena_of(b), c->count + 1, sizeof(*p));

	*family = 0;
	for (size_t i = 0; i <= c->count; i++) {
		const struct compared *other =
			i < c->count ? &c->row[i].value[s->m] : &c->measure[s->m].small;

		if ((i == c->count && !c->measure[s->m].small_count) || isnan(other->p) ||
			other->watch != v->watch || (!v->watch && other->evidence != v->evidence))
			continue;
		if (!one_sided)
			p[(*family)++] = other->p;
		else if ((other->diff > 0) == (v->diff > 0))
			p[(*family)++] = other->p / 2;
		else
			p[(*family)++] = 1 - other->p / 2;
	}
	number_sort(p, *family);
	return p;
}

/* From 1. */
static size_t rank_in(const double *p, size_t n, double own)
{
	size_t rank = 1;

	while (rank <= n && p[rank - 1] < own)
		rank++;
	return rank;
}

/* n p/k of the k from `from` on where it is least, as a product. */
static const char *phrase_least(
	const struct compare_builder *b, const double *p, size_t n, size_t from)
{
	size_t least = from;

	for (size_t k = from; k <= n; k++)
		if (p[k - 1] / (double)k < p[least - 1] / (double)least)
			least = k;
	return arena_printf(arena_of(b), "%zu * %s/%zu = %s", n, exact(b, p[least - 1]), least,
		exact(b, (double)n * p[least - 1] / (double)least));
}

/* The three terms of multiple_adjust_directions. */
static void explain_q_of_direction(struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;
	size_t n;
	const double *p = family_of(b, s, true, &n);
	size_t rank = rank_in(p, n, v->p / 2);

	report_answer(b->report,
		"  q = %s, the largest of p, A and 2 M; of the one-sided p of all %zu, %s, p/2 is "
		"number %zu",
		exact(b, v->q), n, v->diff > 0 ? "upwards" : "downwards", rank);
	report_answer(b->report, "  A = %s, the least from number %zu on (%s)",
		phrase_least(b, p, n, rank), rank, adjust_phrase(MULTIPLE_BH));
	report_answer(
		b->report, "  M = %s, the least of all (Simes 1986)", phrase_least(b, p, n, 1));
}

static const char *phrase_q(const struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;
	const double *p;
	size_t n, rank;

	if (v->by_direction || v == &b->comparison->measure[s->m].total ||
		v == &b->comparison->step_time)
		return "";
	p = family_of(b, s, false, &n);
	rank = rank_in(p, n, v->p);
	return arena_printf(arena_of(b), "; q = %s: number %zu of %zu, %s", exact(b, v->q), rank, n,
		adjust_phrase(v->watch ? MULTIPLE_HOLM : b->opt->adjust));
}

static void explain_p(struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;
	const char *q;

	if (isnan(v->p))
		return;
	q = phrase_q(b, s);
	if (isnan(v->t))
		report_answer(b->report, "  p = %s (two-sided, over all assignments of ranks)%s",
			exact(b, v->p), q);
	else
		report_answer(b->report, "  t = d/se = %s, p = %s (two-sided)%s", exact(b, v->t),
			exact(b, v->p), q);
	if (v->by_direction)
		explain_q_of_direction(b, s);
	report_answer(b->report,
		"  margin %s%s: beyond it above p = %s, q = %s; below p = %s, q = %s (minimum "
		"effect)",
		exact_percent(b, v->margin),
		v->evidence == EVIDENCE_LINEAR ? ""
					       : arena_printf(arena_of(b), ", ln(1 + margin) = %s",
							 exact(b, log1p(v->margin))),
		exact(b, v->p_above), exact(b, v->q_above), exact(b, v->p_below),
		exact(b, v->q_below));
	report_answer(b->report,
		"  within the margin: p = %s, the larger of two one-sided tests (Schuirmann 1987)",
		exact(b, v->p_same));
}

/* The lines of a row with a run value of 0. */
static const char *lack_of_interval(const struct compared *v)
{
	if (!(v->base_mean > 0))
		return "base is 0";
	return isnan(v->low) ? "it would reach -100 %, so the normal theory does not fit these runs"
			     : "base may be 0, as far as its runs show (Fieller 1954)";
}

static void explain_interval(struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;

	const bool linear = v->evidence == EVIDENCE_LINEAR;

	if (isnan(v->low) && isnan(v->high) && !linear)
		return;
	if (linear && !isfinite(v->low))
		report_answer(b->report, "  no interval of the change: %s", lack_of_interval(v));
	else
		report_answer(b->report, "  interval of the change: %s to %s at %s%s",
			exact_percent(b, v->low), exact_percent(b, v->high),
			exact_percent(b, v->level),
			v->level > b->opt->confidence
				? ", as it was picked out by its p (Benjamini & Yekutieli 2005)"
				: "");
	if (isfinite(v->detectable))
		report_answer(b->report,
			"  such data show a change of %s as REGRESSED with power 0.8, alpha = %s",
			exact_percent(b, v->detectable), exact(b, v->alpha));
}

/* Which rule of those that are tried in order made the verdict. */
static const char *ground(const struct compare_builder *b, const struct explained_row *s)
{
	const struct compared *v = s->value;

	if (v->evidence == EVIDENCE_EXACT)
		return "the same in all steps of a side, so decided without a test";
	switch (v->verdict) {
	case VERDICT_NONE:
		return v->reason ? v->reason : "no test is possible";
	case VERDICT_NEW:
		return "only in new";
	case VERDICT_GONE:
		return "only in base";
	case VERDICT_RARE:
		return arena_printf(arena_of(b),
			"only in %s, %s: not shown to be on one side only (Fisher's exact test "
			"over the runs, p %s, q %s)",
			v->base ? "base" : "new", phrase_presence(arena_of(b), v),
			phrase_p(arena_of(b), v->p_presence), phrase_p(arena_of(b), v->q_presence));
	case VERDICT_REGRESSED:
	case VERDICT_IMPROVED:
		return "beyond the margin: q of the minimum-effect test is below alpha";
	case VERDICT_SAME:
		return "within the margin: p of the equivalence test is below alpha";
	case VERDICT_SLOWER:
	case VERDICT_FASTER:
		return "q is below alpha, but the size may be within the margin";
	default:
		return b->opt->unsteady ? "a run has no steady state"
					: "neither a change nor SAME is shown";
	}
}

static void explain_subject(struct compare_builder *b, const struct explained_row *s)
{
	const struct measure *measure = compare_measure_of(b, s->m);
	const struct compared *v = s->value;
	size_t width = name_width(b, b->new, name_width(b, b->base, strlen("runs of base")));
	const char *type = s->row && s->row->type && *s->row->type ? s->row->type : NULL;

	report_answer(b->report, "%s", "");
	report_answer(b->report, "%s%s%s%s, %s%s: %s", phrase_visible(arena_of(b), s->name),
		type ? " (" : "", type ? phrase_visible(arena_of(b), type) : "", type ? ")" : "",
		measure->name,
		measure->kind == MEASURE_STATIC || b->comparison->benchmarks ? ""
		: v->per_call						     ? " per call"
									     : " per step",
		verdict_word(v->verdict, verdict_dimension(measure)));
	report_answer(b->report, "  %s", ground(b, s));
	if (v->split)
		report_answer(b->report, "  how often it ran: %s per step, p %s, q %s: %s",
			phrase_pair(arena_of(b), DIMENSION_NONE, v->split->often[0].mean,
				v->split->often[1].mean),
			exact(b, v->split->number.p), exact(b, v->split->number.q),
			verdict_word(v->split->number.verdict, DIMENSION_NONE));
	if (s->row && s->row->was)
		report_answer(b->report, "  in base it is %s, paired by %s",
			phrase_visible(arena_of(b), s->row->was),
			s->row->how == PAIRED_NEAREST ? "nearest name" : "type and shape");
	if (isnan(v->base_mean) && isnan(v->new_mean))
		return;
	if (v->evidence != EVIDENCE_EXACT) {
		add_runs(b, b->base, false, v, s->m, width);
		add_runs(b, b->new, true, v, s->m, width);
	}
	explain_means(b, s);
	if (v->evidence == EVIDENCE_NONE || v->evidence == EVIDENCE_EXACT || isnan(v->diff))
		return;
	explain_spread(b, s);
	if (s->value->presence_variance > 0)
		report_answer(b->report,
			"  it ran in some steps by chance: se is at least %s, what the draw of the "
			"steps leaves",
			exact(b, sqrt(s->value->presence_variance)));
	explain_common(b, s);
	explain_rounding(b, s);
	explain_p(b, s);
	explain_interval(b, s);
	if (s->value->fragile_run)
		report_answer(b->report, "  fragile: it hangs on %s alone",
			phrase_run(arena_of(b), "run", fragile_run_name(b, s->value)));
	if (s->value->fragile_step)
		report_answer(b->report, "  fragile: it hangs on %s alone",
			fragile_step_name(b, s->value));
}

/* ---- the table for programs ---- */

static void add_columns(struct compare_builder *b)
{
	/* After these the value and its logarithm for each measure. */
	static const struct column leading[] = {{.stat = "side"}, {.stat = "run"}, {.stat = "op"},
		{.stat = "type"}, {.stat = "steps", .align = ALIGN_RIGHT},
		{.stat = "left_out", .align = ALIGN_RIGHT}, {.stat = "ran", .align = ALIGN_RIGHT}};
	struct report *report = b->report;

	report_add_columns(
		report, &report->data, NULL, leading, sizeof(leading) / sizeof(*leading));
	for (size_t m = 0; m < b->comparison->measure_count; m++)
		for (size_t i = 0; i < 2; i++) {
			const struct measure *measure = compare_measure_of(b, m);
			struct column *column = report_add_column(report, &report->data);

			column->measure = measure->name;
			column->stat = column->title = i ? "ln" : "value";
			column->dimension = i ? DIMENSION_NONE : measure->dimension;
			column->digits = DIGITS;
		}
}

/* A row per run of one side. value[m] are of one op, or of the total. */
static void add_data(struct compare_builder *b, const struct explained_row *s, bool of_base,
	const struct compared *const *value)
{
	const struct run_row *first = of_base ? value[0]->base : value[0]->new;
	const struct compare_side *side = of_base ? b->base : b->new;

	for (size_t r = 0; first && r < first->runs; r++) {
		struct cell *cell = report_add_row(b->report, &b->report->data)->cell;

		*cell++ = cell_text(of_base ? "base" : "new");
		*cell++ = cell_text(side->run.cube->run[side->run.steps->run[r]].name);
		*cell++ = cell_text(of_base && s->row && s->row->was ? s->row->was : s->name);
		*cell++ = cell_text(s->row ? s->row->type : "");
		*cell++ = cell_integer((int64_t)first->run[r].steps);
		*cell++ = cell_integer((int64_t)left_out(side, r));
		*cell++ = cell_integer((int64_t)first->run[r].ran);
		for (size_t m = 0; m < b->comparison->measure_count; m++) {
			/* NULL: the side has no such row. */
			const struct run_row *row = of_base ? value[m]->base : value[m]->new;

			*cell++ = cell_real(row ? row->run[r].value : NAN);
			*cell++ = cell_real(row ? row->run[r].scaled : NAN);
		}
	}
}

/* ---- all of it ---- */

static bool is_explained(const struct explain_choice *choice, const char *name)
{
	return choice->is_explained(choice->context, name);
}

/* The values of one subject, measure by measure. */
static void explain(struct compare_builder *b, const char *name, const struct compared_row *row,
	const struct compared *const *value)
{
	struct explained_row s = {.name = name, .row = row};

	for (s.m = 0; s.m < b->comparison->measure_count; s.m++) {
		s.value = row_split_tested(value[s.m], arena_of(b));
		if (s.value->base || s.value->new)
			explain_subject(b, &s);
	}
	add_data(b, &s, true, value);
	add_data(b, &s, false, value);
}

static void add_heading(struct compare_builder *b)
{
	const struct compare_options *opt = b->opt;
	struct arena *arena = arena_of(b);
	const struct compare_side *const side[] = {b->base, b->new};

	for (size_t i = 0; i < 2; i++)
		report_heading(b->report, "%s  %s: %s", i ? "new " : "base",
			phrase_visible(arena, side[i]->label),
			describe_steps(arena, side[i]->run.cube, side[i]->run.steps));
	report_heading(b->report, "%s; alpha %s, adjusted by %s; intervals at %s",
		method_phrase(opt), phrase_level(arena, opt->rule.alpha),
		adjust_phrase(opt->adjust), phrase_level(arena, opt->confidence));
	report_answer(b->report, "The value of a row in a run is one number: its total over the "
				 "kept steps by their number, unless");
	report_answer(b->report,
		"--run-value says otherwise. %s are compared, not steps, on the natural logarithm.",
		opt->sessions ? "Means of sessions" : "Runs");
	report_answer(b->report, "No random numbers were used: the same inputs give these numbers "
				 "everywhere, to 12 digits.");
}

struct report *build_compare_explain(const struct compare_side *base,
	const struct compare_side *new, const struct comparison *comparison,
	const struct compare_options *opt, const struct build_options *build,
	const struct explain_choice *choice)
{
	struct compare_builder b = {
		base, new, comparison, opt, build, report_new("compare"), NULL, NULL};

	b.report->data.name = "runs";
	add_heading(&b);
	add_columns(&b);
	compare_details_add(&b);

	const struct comparison *c = b.comparison;
	const struct compared **value = arena_array(arena_of(&b), c->measure_count, sizeof(*value));
	bool small = is_explained(choice, "[small ops]");
	size_t taken = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared_row *row = &c->row[i];

		if (!is_explained(choice, row->name) &&
			!(row->was && is_explained(choice, row->was)))
			continue;
		for (size_t m = 0; m < c->measure_count; m++) {
			value[m] = &row->value[m];
			small = small || value[m]->small;
		}
		explain(&b, row->name, row, value);
		taken++;
	}
	for (size_t m = 0; m < c->measure_count; m++)
		value[m] = &c->measure[m].small;
	if (small && value[0]->base) {
		explain(&b, "[small ops]", NULL, value);
		taken++;
	}
	for (size_t m = 0; m < c->measure_count; m++)
		value[m] = &c->measure[m].total;
	if (!c->benchmarks && is_explained(choice, "all ops")) {
		explain(&b, "all ops", NULL, value);
		taken++;
	}
	value[0] = &c->step_time;
	if (c->step_times == STEP_TIMES_DECIDE && is_explained(choice, "[the step]")) {
		explain(&b, "[the step]", NULL, value);
		taken++;
	}
	if (taken)
		return b.report;
	report_free(b.report);
	return NULL;
}
