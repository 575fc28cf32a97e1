/* Adjusts p values for the number of rows that are tested together: families of rows, q, the rows
 * that are flagged, and the levels of their intervals. */
#include <math.h>
#include <string.h>
#include "analysis/compare/row_split.h"
#include "analysis/compare/row_test.h"
#include "base/memory.h"
#include "base/number.h"
#include "stats/levels.h"
#include "stats/student.h"
#include "stats/tests.h"

/* The last answer of find_shift. */
struct shift_found {
	double df, limit, shift;
};

static size_t family_of(struct rows_tester *d, const struct compared *v)
{
	if (isnan(v->p))
		return FAMILY_NONE;
	if (v->watch) {
		for (size_t i = 0; i < d->watches; i++)
			if (d->watch[i] == v->watch)
				return FAMILY_WATCH + i;
		d->watch[d->watches] = v->watch;
		return FAMILY_WATCH + d->watches++;
	}
	switch (v->evidence) {
	case EVIDENCE_TEST:
		return FAMILY_COMMON;
	case EVIDENCE_LINEAR:
		return FAMILY_LINEAR;
	case EVIDENCE_FLOOR:
		return FAMILY_FLOOR;
	case EVIDENCE_GIVEN:
		return FAMILY_GIVEN;
	default:
		return FAMILY_NONE;
	}
}

static void adjust_one(enum multiple_method method, const struct rows_tester *d,
	const size_t *member, size_t n, size_t p_at, size_t q_at)
{
	double *p = arena_array(d->scratch, n, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		memcpy(&p[i], (const char *)d->row[member[i]].value + p_at, sizeof(*p));
	multiple_adjust(method, p, n, p);
	for (size_t i = 0; i < n; i++)
		memcpy((char *)d->row[member[i]].value + q_at, &p[i], sizeof(*p));
}

/* True if each direction is adjusted by itself. The methods that other programs have too stay as
 * they are there. */
static bool by_direction(const struct rows_tester *d, size_t family)
{
	return d->opt->method != METHOD_LIMMA && tester_is_moderated(d) &&
	       d->opt->adjust == MULTIPLE_BH && family < FAMILY_WATCH;
}

static enum multiple_method method_of(const struct rows_tester *d, size_t family)
{
	return family >= FAMILY_WATCH ? MULTIPLE_HOLM : d->opt->adjust;
}

/* Replaces the p values of a family (FAMILY_COMMON, or a watch-list) by their q. `diff`: the
 * differences of the same rows. */
static void adjust_p(
	const struct rows_tester *d, size_t family, double *p, const double *diff, size_t n)
{
	if (by_direction(d, family))
		multiple_adjust_directions(p, diff, n, p);
	else
		multiple_adjust(method_of(d, family), p, n, p);
}

/* Part of the alpha that all families have together. */
static double share_of(const struct rows_tester *d, size_t family)
{
	const struct alpha_shares *shares = d->opt->shares;

	if (!shares)
		return 1;
	return family == FAMILY_COMMON	 ? shares->test
	       : family == FAMILY_LINEAR ? shares->linear
	       : family == FAMILY_FLOOR	 ? shares->floor
					 : 1;
}

/* The flagged get wider intervals, so that the share of intervals that miss stays as small as
 * without picking (Benjamini & Yekutieli 2005): of k picked out of n, 1 - alpha k/n. With one-sided
 * tests each end is at 1 - alpha k/n, k of that direction. A watch-list has Bonferroni's. */
static void set_levels(struct rows_tester *d, size_t family, const size_t *member, size_t n)
{
	bool watched = family >= FAMILY_WATCH, one_sided = by_direction(d, family);
	size_t flagged[2] = {0, 0}; /* down and up */

	for (size_t i = 0; i < n; i++) {
		const struct compared *v = d->row[member[i]].value;

		flagged[one_sided && v->diff > 0] += v->flagged;
	}
	for (size_t i = 0; i < n; i++) {
		struct compared *v = d->row[member[i]].value;
		size_t k = flagged[one_sided && v->diff > 0];
		double level = watched ? 1 - v->alpha / (double)n
				       : multiple_interval_level((one_sided + 1) * v->alpha, k, n);

		if (v->flagged)
			v->level = fmax(level, d->opt->confidence);
	}
}

static void adjust_family(struct rows_tester *d, size_t family, size_t *member)
{
	bool watched = family >= FAMILY_WATCH;
	enum multiple_method method = method_of(d, family);
	/* Members of a family: indexes of rows. */
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->family[i] == family)
			member[n++] = i;

	double *p = arena_array(d->scratch, n, sizeof(*p));
	double *diff = arena_array(d->scratch, n, sizeof(*diff));

	for (size_t i = 0; i < n; i++) {
		p[i] = d->row[member[i]].value->p;
		diff[i] = d->row[member[i]].value->diff;
	}
	adjust_p(d, family, p, diff, n);
	for (size_t i = 0; i < n; i++) {
		d->row[member[i]].value->q = fmin(1, p[i] * share_of(d, family));
		d->row[member[i]].value->by_direction |= by_direction(d, family);
	}
	adjust_one(method, d, member, n, offsetof(struct compared, p_above),
		offsetof(struct compared, q_above));
	adjust_one(method, d, member, n, offsetof(struct compared, p_below),
		offsetof(struct compared, q_below));
	for (size_t i = 0; i < n; i++) {
		struct compared *v = d->row[member[i]].value;

		v->in_family = family == FAMILY_COMMON || watched;
		v->flagged = v->q < v->alpha;
		if (family == FAMILY_COMMON) {
			d->measure->family++;
			d->measure->flagged += v->flagged;
		}
	}
	set_levels(d, family, member, n);
	if (family == FAMILY_COMMON) {
		/* The levels of the flagged, from the lowest to the highest. */
		struct compared_measure *measure = d->measure;

		for (size_t i = 0; i < n; i++) {
			const struct compared *v = d->row[member[i]].value;

			if (!v->flagged)
				continue;
			measure->flag_level_least = fmin(measure->flag_level_least, v->level);
			measure->flag_level_most = fmax(measure->flag_level_most, v->level);
		}
	}
}

void tester_adjust(struct rows_tester *d)
{
	size_t *member = arena_array(d->scratch, d->count, sizeof(*member));

	d->family = arena_array(d->scratch, d->count, sizeof(*d->family));
	d->watch = arena_array(d->scratch, d->count, sizeof(*d->watch));
	for (size_t i = 0; i < d->count; i++)
		d->family[i] = family_of(d, d->row[i].value);
	for (size_t f = FAMILY_COMMON; f < FAMILY_WATCH + d->watches; f++)
		adjust_family(d, f, member);
}

/* ---- the largest p that is still claimed ---- */

static bool is_claimed(const struct compared *v, enum verdict claim, double alpha)
{
	switch (claim) {
	case VERDICT_REGRESSED:
		return v->flagged && v->q_above < alpha;
	case VERDICT_IMPROVED:
		return v->flagged && v->q_below < alpha;
	case VERDICT_SLOWER:
		return v->q < alpha && v->diff > 0;
	case VERDICT_FASTER:
		return v->q < alpha && v->diff < 0;
	default:
		return v->q < alpha;
	}
}

/* Rows of a family, and those of them with the claim. */
static size_t count_claims(
	const struct rows_tester *d, size_t i, enum verdict claim, size_t *family, double *harmonic)
{
	double alpha = d->row[i].value->alpha;
	size_t claims = 0;

	*family = 0;
	*harmonic = 0;
	for (size_t k = 0; k < d->count; k++) {
		if (d->family[k] != d->family[i])
			continue;
		*harmonic += 1 / (double)++*family;
		claims += is_claimed(d->row[k].value, claim, alpha);
	}
	return claims;
}

/* One-sided tests with `claims` made. A claim that is alone has to carry the test of its direction
 * (multiple_adjust_directions), too. No p above alpha is claimed. */
static double limit_of_direction(double alpha, size_t claims, size_t family)
{
	double share = claims > 1 ? 2 * (double)claims : 1;

	return alpha * fmin(1, share / (double)family);
}

static double find_limit(const struct rows_tester *d, size_t i, enum verdict claim)
{
	const struct compared *v = d->row[i].value;
	enum multiple_method method = method_of(d, d->family[i]);
	bool effect = claim == VERDICT_REGRESSED || claim == VERDICT_IMPROVED;
	bool directed = by_direction(d, d->family[i]);
	size_t family, claims;
	double harmonic;

	/* Two-sided tests do not ask for the direction. */
	if (!effect && !directed)
		claim = VERDICT_NONE;
	claims = count_claims(d, i, claim, &family, &harmonic);
	claims += !is_claimed(v, claim, v->alpha);
	if (method == MULTIPLE_HOLM)
		return v->alpha / (double)(family - claims + 1);
	if (!effect && directed)
		return limit_of_direction(v->alpha, claims, family);
	return v->alpha * (double)claims / (double)family / (method == MULTIPLE_BY ? harmonic : 1);
}

double tester_limit(struct rows_tester *d, size_t i, enum verdict claim)
{
	const struct compared *v = d->row[i].value;
	bool made = is_claimed(v, claim, v->alpha);
	struct limit *added;

	for (size_t k = 0; k < d->limits; k++) {
		const struct limit *known = &d->limit[k];

		if (known->family == d->family[i] && known->alpha == v->alpha &&
			known->claim == claim && known->made == made)
			return known->p;
	}
	if (d->limits == d->limit_room)
		return find_limit(d, i, claim);
	added = &d->limit[d->limits++];
	*added = (struct limit){d->family[i], v->alpha, claim, made, find_limit(d, i, claim)};
	return added->p;
}

/* ---- the smallest change that is found ---- */

/* In units of the standard error; the same for all rows of the same df and limit. Methods that
 * other programs have too show what these show. */
static double find_shift(
	const struct rows_tester *d, struct shift_found *last, double df, double limit, int sides)
{
	double shift;

	if (last->df == df && last->limit == limit && last->shift > 0)
		return last->shift;
	if (d->opt->sessions) {
		/* Base and its error stay what they are for the runs to come. */
		*last = (struct shift_found){df, limit,
			levels_sees(
				&(struct levels_error){1, df}, 2 * limit / sides, COMPARE_POWER)};
		return last->shift;
	}
	shift = equivalence_detectable(1, df, limit, sides, COMPARE_POWER);
	if (d->opt->method != METHOD_LIMMA && tester_is_moderated(d)) {
		const double critical = student_quantile(limit / sides, df), gap = shift - critical;
		/* The shift in units of a standard error that is an estimate: that of the runs at
		 * hand and that of the runs to come have a relative variance of about 1/(2 df)
		 * each. equivalence_detectable counts the second alone; its shift is c + g with the
		 * critical value c. With both, D = c + sqrt(g^2 + k D^2), k = z^2/(2 df), z the
		 * normal quantile of COMPARE_POWER. Own; rates by tests/sim/sees.py. */
		const double z = student_quantile(1 - COMPARE_POWER, INFINITY),
			     k = fmin(z * z / (2 * df), 0.5);

		shift = (critical + sqrt(k * critical * critical + (1 - k) * gap * gap)) / (1 - k);
	}
	*last = (struct shift_found){df, limit, shift};
	return shift;
}

void tester_detect(struct rows_tester *d)
{
	struct shift_found slower = {0}, beyond = {0};

	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		bool linear = v->evidence == EVIDENCE_LINEAR;
		double low, high, found;

		if (isnan(v->p) || !(v->se > 0))
			continue;
		row_test_margins(v, linear, &low, &high);
		found = v->se *
			find_shift(d, &slower, v->df, tester_limit(d, i, VERDICT_SLOWER), 2);
		high += v->se *
			find_shift(d, &beyond, v->df, tester_limit(d, i, VERDICT_REGRESSED), 1);
		high = fmax(high, found);
		v->detectable_slower = linear ? found / v->base_mean : expm1(found);
		v->detectable = linear ? high / v->base_mean : expm1(high);
	}
}

/* ---- one alpha: Hochberg's step-up over the families ---- */

#define FAMILIES 6
/* A family that claims alone pays so much: the families depend on each other and are careful by
 * themselves, so that Hochberg's factors would leave half of alpha unused. By simulation
 * (tests/sim/families.py). */
#define FACTOR_MOST 1.5

/* Hochberg's (1988) step-up: adjusted[i] is the least of (how many are as large or larger) x q over
 * those that are as large as i or larger. */
static double adjusted(const double q[FAMILIES], size_t of)
{
	double least = INFINITY;

	for (size_t i = 0; i < FAMILIES; i++) {
		size_t larger = 0;

		if (!(q[i] >= q[of]))
			continue;
		for (size_t k = 0; k < FAMILIES; k++)
			larger += q[k] > q[i] || (q[k] == q[i] && k >= i);
		least = fmin(least, (double)larger * q[i]);
	}
	return fmin(least, 1);
}

bool alpha_shares_find(const struct comparison *comparison, const struct compare_options *opt,
	struct alpha_shares *out)
{
	double least[FAMILIES], by[FAMILIES];
	bool any = false;

	if (opt->method != METHOD_MODERATED && opt->method != METHOD_PAIRED)
		return false;
	/* The smallest q of each, in the order of struct alpha_shares; NaN: it has no test. */
	for (size_t i = 0; i < FAMILIES; i++)
		least[i] = NAN;
	for (size_t i = 0; i < comparison->count; i++) {
		const struct compared *v = &comparison->row[i].value[0];

		if (v->watch || v->small)
			continue;
		if (v->evidence == EVIDENCE_TEST)
			least[0] = fmin(least[0], v->q);
		else if (v->evidence == EVIDENCE_LINEAR)
			least[1] = fmin(least[1], v->q);
		else if (v->evidence == EVIDENCE_FLOOR)
			least[2] = fmin(least[2], v->q);
		if (!v->base != !v->new)
			least[3] = fmin(least[3], v->q_presence);
		if (v->split)
			least[4] = fmin(least[4], v->split->number.q);
	}
	least[5] = compared_step(comparison)->q;
	for (size_t i = 0; i < FAMILIES; i++) {
		const double q = isnan(least[i]) ? 1 : adjusted(least, i);

		by[i] = least[i] < opt->rule.alpha && q >= opt->rule.alpha &&
					least[i] * FACTOR_MOST >= opt->rule.alpha
				? FACTOR_MOST
				: 1;
		any |= by[i] > 1;
	}
	*out = (struct alpha_shares){by[0], by[1], by[2], by[3], by[4], by[5]};
	return any;
}

struct compare_options alpha_share_alone(
	const struct compare_options *opt, double factor, struct alpha_shares *room)
{
	struct compare_options alone = *opt;

	alone.shares = NULL;
	if (!opt->shares || factor <= 1)
		return alone;
	*room = (struct alpha_shares){factor, factor, factor, factor, factor, factor};
	alone.shares = room;
	/* A row that claims nothing has an interval that holds 0. */
	alone.confidence = fmax(alone.confidence, 1 - opt->rule.alpha / factor);
	return alone;
}

/* Claims of the same rule if the runs were divided otherwise. Runs that differ among themselves as
 * much as the sides do, because each takes one of two algorithms or has a machine of its own, give
 * such claims as well, and then those of the comparison are withheld. */

#define RUNS_LEAST 3 /* a side */
#define SPLITS_MOST 200
#define SPLITS_LEAST 10
#define CLAIMS_FIRST 64
/* Run values tested over all splits; more of them are tested in fewer splits. Many rows need fewer:
 * each split says more. */
#define VALUES_MOST 300000
/* Claims of another split, of those of the comparison, up to which these are made. */
#define SHARE_MOST 0.1
/* p values of equal effects scatter: p^0.95 and less counts as no larger than p. */
#define AS_SMALL 0.95

struct relabeller {
	struct rows_tester *d;
	const size_t *row; /* those with a test on logarithms, one family after another */
	size_t count;
	size_t *from;	  /* [runs]: of a split, in the order of its sides */
	double *shuffled; /* [rows of the decider][runs, or rounds] */
	struct moderated_op *op;
	double *p, *q, *diff; /* of one split */
	double *claim;	      /* p of the claims of all splits */
	size_t claims, room;
};

/* A change that is claimed is taken as real, and off its runs: it would make claims wherever a
 * split happens to be near the one that was observed. */
static void centre(const struct rows_tester *d, size_t i)
{
	const struct moderated_data data = tester_tested(d);
	double *x = tester_tested_row(d, i);
	double sum[2] = {0, 0}, n[2] = {0, 0}, change;

	for (size_t r = 0; r < data.runs_base + data.runs_new; r++)
		if (!isnan(x[r])) {
			sum[r >= data.runs_base] += x[r];
			n[r >= data.runs_base]++;
		}
	change = sum[1] / n[1] - (data.runs_base ? sum[0] / n[0] : 0);
	for (size_t r = data.runs_base; r < data.runs_base + data.runs_new; r++)
		x[r] -= change;
}

/* The runs of a split in the order of its sides. */
static void shuffle(struct relabeller *s, const bool *of_new)
{
	const struct rows_tester *d = s->d;
	size_t n = 0;

	for (int side = 0; side < 2; side++)
		for (size_t r = 0; r < d->runs; r++)
			if (of_new[r] == (side == 1))
				s->from[n++] = r;
	for (size_t i = 0; i < d->count; i++)
		for (size_t r = 0; r < d->runs; r++)
			s->shuffled[i * d->runs + r] = tester_logs(d, i)[s->from[r]];
}

/* Differences of rounds with exchanged sides have the other sign. */
static void exchange(struct relabeller *s, const bool *exchanged)
{
	const struct rows_tester *d = s->d;
	const size_t rounds = d->runs_base;

	for (size_t i = 0; i < d->count; i++)
		for (size_t r = 0; r < rounds; r++)
			s->shuffled[i * rounds + r] =
				tester_tested_row(d, i)[r] * (exchanged[r] ? -1 : 1);
}

/* The p value raised for the chance that the op is one of the noisy ones. */
static double allow_hidden_outlier(const struct moderated_op *op)
{
	return op->hidden_outlier > 0
		       ? moderated_allow_hidden_outlier(op->p, op->hidden_outlier,
				 student_two_sided(op->diff / op->hidden_outlier_se, op->df))
		       : op->p;
}

/* With the rounding of the row, as the comparison itself. */
static double p_of(const struct moderated_op *op, const struct compared *v)
{
	double se = op->se, df = op->df;

	if (op->state != MODERATED_FAMILY)
		return NAN;
	if (!(v->rounding_variance > 0))
		return allow_hidden_outlier(op);
	tester_add_known(v->rounding_variance, &se, &df);
	return student_two_sided(op->diff / se, df);
}

/* Each family by its own rule. */
static void adjust(const struct relabeller *s)
{
	const struct rows_tester *d = s->d;

	for (size_t i = 0, end; i < s->count; i = end) {
		const size_t family = d->family[s->row[i]];

		for (end = i + 1; end < s->count && d->family[s->row[end]] == family; end++)
			;
		adjust_p(d, family, s->q + i, s->diff + i, end - i);
	}
}

static void claim(struct relabeller *s)
{
	const struct rows_tester *d = s->d;
	struct moderated_data data = tester_tested(d);
	struct moderated_options opt = d->asked;
	struct moderated summary;

	data.value = s->shuffled;
	opt.confidence = 0; /* nobody looks at the intervals, and quantiles of t take long */
	moderated_test(&data, &opt, s->op, &summary);
	for (size_t i = 0; i < s->count; i++) {
		const struct moderated_op *op = &s->op[s->row[i]];

		s->p[i] = s->q[i] = p_of(op, d->row[s->row[i]].value);
		s->diff[i] = op->diff;
	}
	adjust(s);
	for (size_t i = 0; i < s->count; i++)
		if (s->q[i] < d->row[s->row[i]].value->alpha) {
			if (s->claims == s->room) {
				s->room = memory_next_room(s->room, CLAIMS_FIRST);
				s->claim = memory_resize(
					s->claim, memory_product(s->room, sizeof(*s->claim)));
			}
			s->claim[s->claims++] = s->p[i];
		}
}

static size_t claim_in_splits(struct relabeller *s)
{
	const struct rows_tester *d = s->d;
	const bool paired = d->opt->method == METHOD_PAIRED;
	const size_t runs = paired ? d->runs_base : d->runs;
	size_t most = VALUES_MOST / ((d->count + 1) * runs), splits;
	bool *split;

	most = most < SPLITS_LEAST ? SPLITS_LEAST : most > SPLITS_MOST ? SPLITS_MOST : most;
	split = arena_array(d->scratch, memory_product(most + 1, runs), sizeof(*split));
	splits = paired ? splits_fill_rounds(runs, most, split)
			: splits_fill(d->runs_base, runs - d->runs_base, most, split);
	for (size_t i = 0; i < splits; i++) {
		if (paired)
			exchange(s, split + i * runs);
		else
			shuffle(s, split + i * runs);
		claim(s);
	}
	return splits;
}

/* The largest p with which a claim is still made: of the claims up to it, at most SHARE_MOST times
 * as many come from another split, on average, with a p about as small (the false discovery rate
 * of Tusher et al. 2001, who ask for one as small: then an op of two algorithms passes wherever
 * those in other splits happen to be the less certain half). A single change that is far beyond
 * chance is not withheld for the little that chance gives to other splits. */
static double largest_p(struct relabeller *s, size_t splits, size_t observed)
{
	double *p = arena_array(s->d->scratch, observed + 1, sizeof(*p)), largest = -1;
	size_t n = 0, below = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->d->row[s->row[i]].value->flagged)
			p[n++] = s->d->row[s->row[i]].value->p;
	number_sort(p, n);
	number_sort(s->claim, s->claims);
	for (size_t i = 0; i < n; i++) {
		while (below < s->claims && s->claim[below] <= pow(p[i], AS_SMALL))
			below++;
		if ((double)below <= SHARE_MOST * (double)splits * (double)(i + 1))
			largest = p[i];
	}
	return largest;
}

void tester_relabel(struct rows_tester *d)
{
	struct relabelling *out = &d->measure->relabelling;
	size_t *row = arena_array(d->scratch, d->count, sizeof(*row));
	size_t n = 0;

	for (size_t f = FAMILY_COMMON; f < FAMILY_WATCH + d->watches; f++)
		for (size_t i = 0; i < d->count; i++)
			if (d->family[i] == f && d->row[i].value->evidence == EVIDENCE_TEST)
				row[n++] = i;
	struct relabeller s = {.d = d, .row = row, .count = n};

	*out = (struct relabelling){.claims = NAN};

	size_t claims = 0;

	for (size_t i = 0; i < s.count; i++)
		claims += d->row[row[i]].value->flagged;
	out->observed = claims;
	if (!tester_is_moderated(d) || !out->observed || d->runs_base < RUNS_LEAST ||
		d->runs - d->runs_base < RUNS_LEAST)
		return;
	s.shuffled = arena_array(d->scratch, memory_product(d->count, d->runs), sizeof(double));
	s.from = arena_array(d->scratch, d->runs, sizeof(*s.from));
	s.op = arena_array(d->scratch, d->count, sizeof(*s.op));
	s.p = arena_array(d->scratch, s.count, sizeof(*s.p));
	s.q = arena_array(d->scratch, s.count, sizeof(*s.q));
	s.diff = arena_array(d->scratch, s.count, sizeof(*s.diff));
	for (size_t i = 0; i < d->count; i++)
		if (d->row[i].value->evidence != EVIDENCE_TEST) {
			/* A row that is constant on both sides is not part of the test of any split
			 * either. */
			const struct moderated_data data = tester_tested(d);

			for (size_t r = 0; r < data.runs_base + data.runs_new; r++)
				tester_tested_row(d, i)[r] = NAN;
		}
	for (size_t i = 0; i < s.count; i++)
		if (d->row[row[i]].value->flagged)
			centre(d, row[i]);
	out->splits = claim_in_splits(&s);
	if (out->splits) {
		out->claims = (double)s.claims / (double)out->splits;

		double largest = largest_p(&s, out->splits, out->observed);
		size_t count = 0;

		for (size_t i = 0; i < s.count; i++) {
			struct compared *v = s.d->row[s.row[i]].value;

			v->withheld = v->flagged && v->verdict != VERDICT_SAME && v->p > largest;
			if (!v->withheld)
				continue;
			v->verdict = VERDICT_INCONCLUSIVE;
			v->flagged = v->fragile_run = v->fragile_step = false;
			s.d->measure->flagged -= s.d->family[s.row[i]] == FAMILY_COMMON;
			count++;
		}
		out->withheld = count;
	}
	memory_free(s.claim);
}
