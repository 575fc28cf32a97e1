/*
 * Adjusts p values for the number of rows that are tested together: families of rows, q, the rows
 * that are flagged, and the levels of their intervals.
 */
#include <math.h>
#include <string.h>
#include "analysis/decider.h"
#include "analysis/leave_one_out.h"
#include "base/memory.h"

static size_t watch_family(struct decider *d, const void *watch)
{
	for (size_t i = 0; i < d->watches; i++)
		if (d->watch[i] == watch)
			return FAMILY_WATCH + i;
	d->watch[d->watches] = watch;
	return FAMILY_WATCH + d->watches++;
}

static size_t family_of(struct decider *d, const struct compared *v)
{
	if (isnan(v->p))
		return FAMILY_NONE;
	if (v->watch)
		return watch_family(d, v->watch);
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

/* Members of a family: indexes of rows. */
static size_t members_of(const struct decider *d, size_t family, size_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->family[i] == family)
			out[n++] = i;
	return n;
}

static void adjust_one(enum multiple_method method, const struct decider *d, const size_t *member,
	size_t n, size_t p_at, size_t q_at)
{
	double *p = arena_array(d->scratch, n, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		memcpy(&p[i], (const char *)d->row[member[i]].value + p_at, sizeof(*p));
	multiple_adjust(method, p, n, p);
	for (size_t i = 0; i < n; i++)
		memcpy((char *)d->row[member[i]].value + q_at, &p[i], sizeof(*p));
}

/* FCR: the flagged get wider intervals (Benjamini & Yekutieli 2005); a watch-list Bonferroni's. */
static void set_levels(struct decider *d, const size_t *member, size_t n, bool watched)
{
	size_t flagged = 0;

	for (size_t i = 0; i < n; i++)
		flagged += d->row[member[i]].value->flagged;
	for (size_t i = 0; i < n; i++) {
		struct compared *v = d->row[member[i]].value;
		double level = watched ? 1 - v->alpha / (double)n
				       : multiple_interval_level(v->alpha, flagged, n);

		if (v->flagged)
			v->level = fmax(level, d->opt->confidence);
	}
}

static void adjust_family(struct decider *d, size_t family, size_t *member)
{
	bool watched = family >= FAMILY_WATCH;
	enum multiple_method method = watched ? MULTIPLE_HOLM : d->opt->adjust;
	size_t n = members_of(d, family, member);

	adjust_one(
		method, d, member, n, offsetof(struct compared, p), offsetof(struct compared, q));
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
	set_levels(d, member, n, watched);
	if (family == FAMILY_COMMON)
		for (size_t i = 0; i < n; i++)
			if (d->row[member[i]].value->flagged)
				d->measure->flag_level = d->row[member[i]].value->level;
}

void decider_adjust(struct decider *d)
{
	size_t *member = arena_array(d->scratch, d->count, sizeof(*member));

	d->family = arena_array(d->scratch, d->count, sizeof(*d->family));
	d->watch = arena_array(d->scratch, d->count, sizeof(*d->watch));
	for (size_t i = 0; i < d->count; i++)
		d->family[i] = family_of(d, d->row[i].value);
	for (size_t f = FAMILY_COMMON; f < FAMILY_WATCH + d->watches; f++)
		adjust_family(d, f, member);
}

/* The largest p that the adjustment lets pass, with as many claims as there are. */
static double find_limit(const struct decider *d, size_t i)
{
	const struct compared *v = d->row[i].value;
	enum multiple_method method = d->family[i] >= FAMILY_WATCH ? MULTIPLE_HOLM : d->opt->adjust;
	size_t family = 0, claims = 0;
	double harmonic = 0;

	for (size_t k = 0; k < d->count; k++) {
		if (d->family[k] != d->family[i])
			continue;
		harmonic += 1 / (double)++family;
		claims += fragile_claim_q(v, d->row[k].value) < v->alpha;
	}
	if (method == MULTIPLE_HOLM)
		return v->alpha / (double)(family - claims + 1);
	return v->alpha * (double)claims / (double)family / (method == MULTIPLE_BY ? harmonic : 1);
}

double decider_limit(struct decider *d, size_t i)
{
	const struct compared *v = d->row[i].value;
	struct limit *added;

	for (size_t k = 0; k < d->limits; k++) {
		const struct limit *known = &d->limit[k];

		if (known->family == d->family[i] && known->alpha == v->alpha &&
			known->verdict == v->verdict)
			return known->p;
	}
	added = &d->limit[d->limits++];
	*added = (struct limit){d->family[i], v->alpha, v->verdict, find_limit(d, i)};
	return added->p;
}
