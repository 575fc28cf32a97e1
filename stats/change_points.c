/* Binary segmentation by permutation: each search takes the largest of all splits, and of all
 * stretches, and compares it with the same search in series of the same values in other orders. */
#include "stats/change_points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"
#include "base/order.h"
#include "stats/drift.h"
#include "stats/moments.h"
#include "stats/ranks.h"

#define SEED 20240229 /* any; the same data give the same answer */
/* About the 95 % points of the two statistics where nothing changed, so that they compete alike. */
#define SPLIT_SCALE 3.0
#define STRETCH_SCALE 1.75
/* Correlation is raised by what the fit of a level took away, in 1/n, and by its standard error:
 * noise that wanders must not pass for a change. */
#define MEMORY_COSTS 8
#define MEMORY_CAUTION 0.9
#define MEMORY_MOST 0.9
#define NEAR_MOST 30 /* values on each side of which a change is the shift */
/* A line that no split shows, of little noise: its own test at a tenth of alpha, so that it adds
 * little to what is found by chance. */
#define DRIFT_TESTS 10
#define PRUNE_ROUNDS 8
/* Parameters of two levels and their place, less those of a line (Schwarz). */
#define SPLIT_COSTS 1
#define CLIP 6.0
#define MAD_NORMAL 1.482602218505602
#define EXCEED_MOST 10 /* orders that do as well: more decide nothing (Besag & Clifford 1991) */

/* Room for one series, and the tables of its length. */
struct search {
	gsl_rng *rng;
	const struct change_point_options *opt;
	double *score, *order, *noise, *weight;
	size_t weights; /* length that `weight` is for */
};

struct best_split {
	double statistic;
	size_t from, to; /* the stretch, or the values from `from` to the end */
};

/* Mean 0, variance 1. False: all are equal. */
static bool center(double *x, size_t n)
{
	double sum = 0, squares = 0, scale;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	sum /= (double)n;
	for (size_t i = 0; i < n; i++) {
		x[i] -= sum;
		squares += x[i] * x[i];
	}
	scale = squares > 0 ? sqrt((double)n / squares) : 0;
	for (size_t i = 0; i < n; i++)
		x[i] *= scale;
	return squares > 0;
}

/* Spread of neighbours' differences by their MAD, as of one value: a change of level hardly moves
 * it. */
static double spread_of(struct search *s, const double *x, size_t n)
{
	double *d = s->order;

	for (size_t i = 1; i < n; i++)
		d[i - 1] = fabs(x[i] - x[i - 1]);
	return MAD_NORMAL * gsl_stats_median(d, 1, n - 1) / M_SQRT2;
}

/* Values with mean 0 and variance 1 of which none is far out: they are moved to CLIP spreads from
 * the median, and a single one to the next. False: all are equal. */
static bool set_scores(struct search *s, const double *x, size_t n)
{
	const double spread = spread_of(s, x, n);
	double low, high, middle;

	memcpy(s->noise, x, n * sizeof(*x));
	gsl_sort(s->noise, 1, n);
	middle = gsl_stats_median_from_sorted_data(s->noise, 1, n);
	low = s->noise[CHANGE_POINT_SIDE - 1];
	high = s->noise[n - CHANGE_POINT_SIDE];
	if (spread > 0) {
		low = fmax(low, middle - CLIP * spread);
		high = fmin(high, middle + CLIP * spread);
	}
	for (size_t i = 0; i < n; i++)
		s->score[i] = fmin(high, fmax(low, x[i]));
	return center(s->score, n);
}

static void set_weights(struct search *s, size_t n)
{
	if (s->weights == n)
		return;
	s->weights = n;
	for (size_t k = 1; k < n; k++) {
		const bool is_allowed = k >= CHANGE_POINT_SIDE && n - k >= CHANGE_POINT_SIDE;

		s->weight[k] = is_allowed ? sqrt((double)n / ((double)k * (double)(n - k))) : 0;
	}
}

/* Sums over residuals. */
struct memory {
	double squares, products, last;
};

static void memory_add(struct memory *m, double d)
{
	m->squares += d * d;
	m->products += d * m->last;
	m->last = d;
}

/* Correlation of neighbours, with what the fit took of it. */
static double memory_of(const struct memory *m, size_t n)
{
	double r = m->squares > 0 ? m->products / m->squares : 0;

	r += (MEMORY_COSTS + 4 * r) / (double)n + MEMORY_CAUTION * sqrt((1 - r * r) / (double)n);
	return fmin(MEMORY_MOST, fmax(0, r));
}

/* The lesser of the correlations around the levels of the parts and around a straight line: a drift
 * is no memory. Values z have mean 0 and variance 1. */
static double correlation_of(const double *z, size_t n, const struct best_split *f)
{
	const size_t end[] = {f->from, f->to, n};
	const double middle = ((double)n - 1) / 2;
	struct memory levels = {0}, line = {0};
	double slope = 0;
	size_t i = 0;

	for (size_t part = 0; part < 3; part++) {
		const size_t first = i;
		double mean = 0;

		for (size_t k = first; k < end[part]; k++)
			mean += z[k];
		mean /= (double)(end[part] - first);
		levels.last = 0; /* a change is no neighbourhood */
		for (; i < end[part]; i++)
			memory_add(&levels, z[i] - mean);
	}
	for (i = 0; i < n; i++)
		slope += z[i] * ((double)i - middle);
	slope *= 12 / ((double)n * ((double)n * (double)n - 1));
	for (i = 0; i < n; i++)
		memory_add(&line, z[i] - slope * ((double)i - middle));
	return fmin(memory_of(&levels, n), memory_of(&line, n));
}

/* The best split, or with stretches also the stretch that differs most from what is around it. */
static void find(const struct search *s, const double *z, double mean, size_t n, bool stretches,
	struct best_split *out)
{
	double sum = 0, split = 0, low = 0, high = 0;
	size_t split_at = 0, low_at = 0, high_at = 0;

	for (size_t k = 1; k < n; k++) {
		double d;

		sum += z[k - 1] - mean;
		d = fabs(sum) * s->weight[k];
		if (d > split) {
			split = d;
			split_at = k;
		}
		if (sum < low) {
			low = sum;
			low_at = k;
		}
		if (sum > high) {
			high = sum;
			high_at = k;
		}
	}
	split /= SPLIT_SCALE;
	out->statistic = stretches ? (high - low) / sqrt((double)n) / STRETCH_SCALE : 0;
	out->from = low_at < high_at ? low_at : high_at;
	out->to = low_at < high_at ? high_at : low_at;
	if (split >= out->statistic) {
		out->statistic = split;
		out->from = split_at;
		out->to = n;
	}
}

static void shuffle(gsl_rng *rng, double *x, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		const size_t k = (size_t)((uint64_t)gsl_rng_get(rng) * i >> 32);
		const double other = x[k];

		x[k] = x[i - 1];
		x[i - 1] = other;
	}
}

/* The search in a series that remembers, made of the surprises in s->noise. */
static void remember(
	struct search *s, size_t n, double memory, bool stretches, struct best_split *out)
{
	double last = s->noise[n - 1] / sqrt(1 - memory * memory), sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		s->order[i] = last = memory * last + s->noise[i];
		sum += last;
		squares += last * last;
	}
	sum /= (double)n;
	squares = squares / (double)n - sum * sum;
	find(s, s->order, sum, n, stretches, out);
	out->statistic = squares > 0 ? out->statistic / sqrt(squares) : 0;
}

/* Share of orders of the scores in which a search does as well as `f`; of correlated scores, of
 * series that remember as much
 * and are made of their surprises in another order. */
static double probability(
	struct search *s, size_t n, bool stretches, double memory, const struct best_split *f)
{
	size_t exceed = 0, tried = 0;

	for (size_t i = 0; i < n; i++)
		s->noise[i] = s->score[i] - (i ? memory * s->score[i - 1] : 0);
	while (tried < s->opt->orders && exceed < EXCEED_MOST) {
		struct best_split other;

		shuffle(s->rng, s->noise, n);
		if (memory > 0)
			remember(s, n, memory, stretches, &other);
		else
			find(s, s->noise, 0, n, stretches, &other);
		exceed += other.statistic >= f->statistic * (1 - 1e-12);
		tried++;
	}
	if (exceed == EXCEED_MOST)
		return (double)exceed / (double)tried;
	return (double)(exceed + 1) / (double)(tried + 1);
}

/* One search. Returns its p, 1 where all values are equal or too few; so many orders put the same
 * values on one side, however clean that is. */
static double look(struct search *s, const double *x, size_t n, bool stretches,
	struct best_split *f, double *memory)
{
	*f = (struct best_split){0, 0, 0};
	*memory = 0;
	if (n < CHANGE_POINTS_LEAST || !set_scores(s, x, n))
		return 1;
	set_weights(s, n);
	find(s, s->score, 0, n, stretches, f);
	*memory = correlation_of(s->score, n, f);
	if (!(f->statistic > 0))
		return 1;
	return fmax(probability(s, n, stretches, *memory, f),
		2 * exp(-gsl_sf_lnchoose((unsigned)n, (unsigned)(f->to - f->from))));
}

/* Ranks from 1, those of equal values their mean: a bent drift is a line of ranks. */
static void set_ranks(struct search *s, const double *x, size_t n)
{
	size_t *place = memory_alloc(memory_product(n, sizeof(*place)));

	gsl_sort_index(place, x, 1, n);
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i; k < n && x[place[k]] == x[place[i]]; k++) {
		}
		for (size_t j = i; j < k; j++)
			s->score[place[j]] = ((double)(i + k) + 1) / 2;
	}
	memory_free(place);
}

static double slope_of(const double *x, size_t n)
{
	const double middle = ((double)n - 1) / 2;
	double products = 0;

	for (size_t i = 0; i < n; i++)
		products += ((double)i - middle) * (x[i] - x[0]);
	return products * 12 / ((double)n * ((double)n * (double)n - 1));
}

/* Squares around two levels, and around a straight line. True if the line leaves no more. */
static bool line_fits(const double *x, size_t n, size_t at)
{
	const double middle = ((double)n - 1) / 2,
		     spread = (double)n * ((double)n * (double)n - 1) / 12;
	long double products = 0;
	struct moments all, before, after;

	moments_compute(x, n, &all);
	moments_compute(x, at, &before);
	moments_compute(x + at, n - at, &after);
	for (size_t i = 0; i < n; i++)
		products += ((double)i - middle) * moments_deviation(&all, x[i]);
	return (double)n * log((double)((all.squares - products * products / spread) /
					(before.squares + after.squares))) <
	       SPLIT_COSTS * log((double)n);
}

struct points {
	size_t *at, count, room;
};

static void add_point(struct points *points, size_t at)
{
	points->at =
		memory_make_room(points->at, &points->room, points->count + 1, sizeof(*points->at));
	points->at[points->count++] = at;
}

/* Splits x[first..end) as long as a search finds something. Points come in order. */
static void split(struct search *s, const double *x, size_t first, size_t end,
	const struct best_split *known, struct points *points)
{
	struct best_split f;
	double memory;

	if (known)
		f = *known;
	else if (look(s, x + first, end - first, true, &f, &memory) > s->opt->alpha)
		return;
	if (f.from > 0)
		split(s, x, first, first + f.from, NULL, points);
	if (f.from > 0)
		add_point(points, first + f.from);
	split(s, x, first + f.from, first + f.to, NULL, points);
	if (first + f.to < end) {
		add_point(points, first + f.to);
		split(s, x, first + f.to, end, NULL, points);
	}
}

ORDERED(by_place, size_t, ORDER(*x, *y));

/* Looks again at each point between its neighbours: it moves to the best split there. The least
 * sure one goes unless its p times their number is at most alpha, until all are. */
static void prune(struct search *s, const double *x, size_t n, struct points *points, double *p)
{
	qsort(points->at, points->count, sizeof(*points->at), by_place);
	for (size_t round = 1; points->count; round++) {
		size_t worst = 0;
		bool moved = false;

		for (size_t i = 0; i < points->count; i++) {
			const size_t first = i ? points->at[i - 1] : 0;
			const size_t end = i + 1 < points->count ? points->at[i + 1] : n;
			struct best_split f;
			double memory;

			p[i] = look(s, x + first, end - first, false, &f, &memory);
			if (p[i] < 1 && line_fits(x + first, end - first, f.from))
				p[i] = 1;
			if (p[i] < 1 && points->at[i] != first + f.from) {
				points->at[i] = first + f.from;
				moved = true;
			}
			worst = p[i] > p[worst] ? i : worst;
		}
		if (moved && round < PRUNE_ROUNDS)
			continue;
		round = 0;
		if (p[worst] * (double)points->count > s->opt->alpha)
			memmove(points->at + worst, points->at + worst + 1,
				(--points->count - worst) * sizeof(*points->at));
		else
			return;
	}
}

/* Shift from x[first..at) to x[at..end), those nearest to it. */
static void set_change(const double *x, size_t first, size_t end, struct rank_tables *tables,
	struct change_point *out)
{
	const size_t before = out->at - first < NEAR_MOST ? out->at - first : NEAR_MOST;
	const size_t after = end - out->at < NEAR_MOST ? end - out->at : NEAR_MOST;
	const struct rank_samples samples = {x + out->at - before, before, x + out->at, after};
	struct rank_interval shift;

	rank_shift(tables, &samples, 0.95, &shift);
	out->change = shift.estimate;
	out->low = shift.low;
	out->high = shift.high;
}

static void report(const double *x, size_t n, const struct points *points, const double *p,
	struct change_points *out)
{
	struct rank_tables tables;

	rank_tables_init(&tables);
	out->point = memory_alloc(memory_product(points->count + 1, sizeof(*out->point)));
	out->count = points->count;
	for (size_t i = 0; i < points->count; i++) {
		struct change_point *point = &out->point[i];

		*point = (struct change_point){.at = points->at[i], .p = p[i]};
		set_change(x, i ? points->at[i - 1] : 0,
			i + 1 < points->count ? points->at[i + 1] : n, &tables, point);
	}
	rank_tables_release(&tables);
}

static void search_init(struct search *s, size_t n, const struct change_point_options *opt)
{
	s->opt = opt;
	s->rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(s->rng, SEED);
	s->score = memory_alloc(memory_product(n, 4 * sizeof(*s->score)));
	s->order = s->score + n;
	s->noise = s->order + n;
	s->weight = s->noise + n;
	s->weights = 0;
}

static void search_release(struct search *s)
{
	memory_free(s->score);
	gsl_rng_free(s->rng);
}

void change_points_find(const double *x, size_t n, const struct change_point_options *opt,
	struct change_points *out)
{
	struct points points = {0};
	struct search s;
	struct best_split f;
	double *p;
	struct drift drift;

	*out = (struct change_points){.p = NAN, .direction = NAN};
	if (n < CHANGE_POINTS_LEAST)
		return;
	search_init(&s, n, opt);
	out->p = look(&s, x, n, true, &f, &out->correlation);
	for (size_t i = f.from; i < f.to; i++)
		out->direction = (i == f.from ? 0 : out->direction) + s.score[i];
	if (out->p <= opt->alpha) {
		split(&s, x, 0, n, &f, &points);
		p = memory_alloc(memory_product(points.count + 1, sizeof(*p)));
		prune(&s, x, n, &points, p);
		report(x, n, &points, p, out);
		memory_free(p);
	}
	set_ranks(&s, x, n);
	drift_find(s.score, n, &drift);
	out->drifts = !points.count && drift.trend_p * DRIFT_TESTS <= opt->alpha;
	if (out->drifts) {
		out->p = fmin(out->p, drift.trend_p * DRIFT_TESTS);
		out->drift = slope_of(x, n) * ((double)n - 1);
	}
	memory_free(points.at);
	search_release(&s);
}
