/*
 * Claims of the same rule if the runs were divided otherwise. Runs that differ among themselves as
 * much as the sides do, because each takes one of two algorithms or has a machine of its own, give
 * such claims as well, and then those of the comparison are withheld.
 */
#include <math.h>
#include "analysis/compare/decider.h"
#include "base/memory.h"
#include "base/number.h"
#include "stats/splits.h"
#include "stats/student.h"

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
	struct decider *d;
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
static void centre(const struct decider *d, size_t i)
{
	const struct moderated_data data = decider_tested(d);
	double *x = decider_tested_row(d, i);
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
	const struct decider *d = s->d;
	size_t n = 0;

	for (int side = 0; side < 2; side++)
		for (size_t r = 0; r < d->runs; r++)
			if (of_new[r] == (side == 1))
				s->from[n++] = r;
	for (size_t i = 0; i < d->count; i++)
		for (size_t r = 0; r < d->runs; r++)
			s->shuffled[i * d->runs + r] = decider_logs(d, i)[s->from[r]];
}

/* Differences of rounds with exchanged sides have the other sign. */
static void exchange(struct relabeller *s, const bool *exchanged)
{
	const struct decider *d = s->d;
	const size_t rounds = d->runs_base;

	for (size_t i = 0; i < d->count; i++)
		for (size_t r = 0; r < rounds; r++)
			s->shuffled[i * rounds + r] =
				decider_tested_row(d, i)[r] * (exchanged[r] ? -1 : 1);
}

/* The p value raised for the chance that the op is one of the noisy ones. */
static double allow_stray(const struct moderated_op *op)
{
	return op->stray > 0 ? moderated_allow_stray(op->p, op->stray,
				       student_two_sided(op->diff / op->stray_se, op->df))
			     : op->p;
}

/* With the rounding of the row, as the comparison itself. */
static double p_of(const struct moderated_op *op, const struct compared *v)
{
	double se = op->se, df = op->df;

	if (op->state != MODERATED_FAMILY)
		return NAN;
	if (!(v->rounding_variance > 0))
		return allow_stray(op);
	decider_add_known(v->rounding_variance, &se, &df);
	return student_two_sided(op->diff / se, df);
}

/* Each family by its own rule. */
static void adjust(const struct relabeller *s)
{
	const struct decider *d = s->d;

	for (size_t i = 0, end; i < s->count; i = end) {
		const size_t family = d->family[s->row[i]];

		for (end = i + 1; end < s->count && d->family[s->row[end]] == family; end++)
			;
		decider_adjust_p(d, family, s->q + i, s->diff + i, end - i);
	}
}

static void claim(struct relabeller *s)
{
	const struct decider *d = s->d;
	struct moderated_data data = decider_tested(d);
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
	const struct decider *d = s->d;
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

/*
 * The largest p with which a claim is still made: of the claims up to it, at most SHARE_MOST times
 * as many come from another split, on average, with a p about as small (the false discovery rate
 * of Tusher et al. 2001, who ask for one as small: then an op of two algorithms passes wherever
 * those in other splits happen to be the less certain half). A single change that is far beyond
 * chance is not withheld for the little that chance gives to other splits.
 */
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

void decider_relabel(struct decider *d)
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
	if (!decider_is_moderated(d) || !out->observed || d->runs_base < RUNS_LEAST ||
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
			const struct moderated_data data = decider_tested(d);

			for (size_t r = 0; r < data.runs_base + data.runs_new; r++)
				decider_tested_row(d, i)[r] = NAN;
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
