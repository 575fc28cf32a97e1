/*
 * Sums of squares in two passes: sums of the distances from the first value (exact for whole
 * numbers whose sums stay below 2^53), then squares of the distances from the means.
 */
#include "stats/job/rank_split.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"

/* What the passes have in common. The arrays have one entry per rank or step. */
struct means {
	double origin; /* what is taken off each value first */
	double *rank, *step, *group;
	size_t *group_ranks;
};

/* Four sums that do not wait for each other: a single one takes the time of an addition a value. */
struct four_sums {
	double a, b, c, d;
};

static double four_sum_up(const struct four_sums *sum)
{
	return (sum->a + sum->b) + (sum->c + sum->d);
}

/* Takes a value less the origin to the sum of its step. */
static inline double take(double x, double origin, double *step)
{
	const double distance = x - origin;

	*step += distance;
	return distance;
}

/* The sum of one rank's distances from the origin, which are added to those of the steps, too. */
static double rank_sum(const double *restrict x, size_t steps, double origin, double *restrict step)
{
	struct four_sums sum = {0, 0, 0, 0};
	size_t t = 0;

	for (; t + 4 <= steps; t += 4) {
		sum.a += take(x[t], origin, &step[t]);
		sum.b += take(x[t + 1], origin, &step[t + 1]);
		sum.c += take(x[t + 2], origin, &step[t + 2]);
		sum.d += take(x[t + 3], origin, &step[t + 3]);
	}
	for (; t < steps; t++)
		sum.a += take(x[t], origin, &step[t]);
	return four_sum_up(&sum);
}

static inline double square(double x)
{
	return x * x;
}

/* The squares of what is left of one rank's values without the means of the rank and the steps. */
static double rank_squares(
	const double *restrict x, size_t steps, double taken, const double *restrict step)
{
	struct four_sums sum = {0, 0, 0, 0};
	size_t t = 0;

	for (; t + 4 <= steps; t += 4) {
		sum.a += square(x[t] - taken - step[t]);
		sum.b += square(x[t + 1] - taken - step[t + 1]);
		sum.c += square(x[t + 2] - taken - step[t + 2]);
		sum.d += square(x[t + 3] - taken - step[t + 3]);
	}
	for (; t < steps; t++)
		sum.a += square(x[t] - taken - step[t]);
	return four_sum_up(&sum);
}

/* False where a value is missing. */
static bool sum_up(const struct rank_matrix *m, struct means *means)
{
	double all = 0;

	memset(means->step, 0, m->steps * sizeof(*means->step));
	for (size_t r = 0; r < m->ranks; r++) {
		means->rank[r] =
			rank_sum(m->x + r * m->steps, m->steps, means->origin, means->step);
		all += means->rank[r];
	}
	return !isnan(all);
}

/* From sums to means of ranks, steps and groups, about the mean of all, which is added to origin;
 * the squares of all but the last part. */
static void take_means(const struct rank_matrix *m, struct means *means, struct rank_split *out)
{
	const double ranks = (double)m->ranks, steps = (double)m->steps;
	double mean = 0;

	for (size_t r = 0; r < m->ranks; r++)
		mean += means->rank[r];
	mean /= ranks * steps;
	for (size_t t = 0; t < m->steps; t++) {
		means->step[t] = means->step[t] / ranks - mean;
		out->step += ranks * square(means->step[t]);
	}
	for (size_t r = 0; r < m->ranks; r++) {
		const size_t g = m->group ? m->group[r] : 0;

		means->rank[r] = means->rank[r] / steps - mean;
		means->group[g] += means->rank[r];
		means->group_ranks[g]++;
	}
	for (size_t r = 0; r < m->ranks; r++) {
		const size_t g = m->group ? m->group[r] : 0;
		const double of_group =
			m->group ? means->group[g] / (double)means->group_ranks[g] : 0;

		out->group += steps * square(of_group);
		out->in_group += steps * square(means->rank[r] - of_group);
	}
	means->origin += mean;
}

static void split_sums(const struct rank_matrix *m, struct means *means, struct rank_split *out)
{
	take_means(m, means, out);
	for (size_t r = 0; r < m->ranks; r++)
		out->rank_by_step += rank_squares(
			m->x + r * m->steps, m->steps, means->origin + means->rank[r], means->step);
	out->total = out->group + out->in_group + out->step + out->rank_by_step;
	out->group /= out->total;
	out->in_group /= out->total;
	out->step /= out->total;
	out->rank_by_step /= out->total;
}

static void undefined(struct rank_split *out, double total)
{
	out->total = total;
	out->group = out->in_group = out->step = out->rank_by_step = NAN;
}

/* A matrix of the ranks that have a value and the steps in which they all have one, in x and
 * group. */
static void leave_out(
	const struct rank_matrix *m, struct rank_matrix *out, double *x, size_t *group)
{
	bool *const kept = memory_alloc(m->ranks), *const whole = memory_alloc(m->steps);

	*out = (struct rank_matrix){.x = x, .group = group};
	memset(whole, true, m->steps);
	for (size_t r = 0; r < m->ranks; r++) {
		for (size_t t = 0; t < m->steps; t++)
			kept[r] |= !isnan(m->x[r * m->steps + t]);
		for (size_t t = 0; kept[r] && t < m->steps; t++)
			whole[t] &= !isnan(m->x[r * m->steps + t]);
	}
	for (size_t t = 0; t < m->steps; t++)
		out->steps += whole[t];
	for (size_t r = 0; r < m->ranks; r++) {
		if (!kept[r])
			continue;
		for (size_t t = 0; t < m->steps; t++)
			if (whole[t])
				*x++ = m->x[r * m->steps + t];
		group[out->ranks++] = m->group ? m->group[r] : 0;
	}
	if (!m->group)
		out->group = NULL;
	memory_free(kept);
	memory_free(whole);
}

/* The means have the sums. */
static void split_whole(const struct rank_matrix *m, struct means *means, struct rank_split *out)
{
	*out = (struct rank_split){.ranks = m->ranks, .steps = m->steps};
	if (m->ranks < 2 || m->steps < 2) {
		undefined(out, NAN);
		return;
	}
	split_sums(m, means, out);
	if (out->total == 0)
		undefined(out, 0);
}

static double first_of(const struct rank_matrix *m)
{
	return m->ranks && m->steps ? m->x[0] : 0;
}

static void split_rest(const struct rank_matrix *m, struct means *means, struct rank_split *out)
{
	double *const x = memory_alloc(memory_product(m->ranks * m->steps, sizeof(*x)));
	size_t *const group = memory_alloc(memory_product(m->ranks, sizeof(*group)));
	struct rank_matrix rest;

	leave_out(m, &rest, x, group);
	means->origin = first_of(&rest);
	sum_up(&rest, means);
	split_whole(&rest, means, out);
	memory_free(x);
	memory_free(group);
}

void rank_split_compute(const struct rank_matrix *m, struct rank_split *out)
{
	struct means means = {.origin = first_of(m)};

	means.rank = memory_alloc(memory_product(m->ranks, sizeof(*means.rank)));
	means.step = memory_alloc(memory_product(m->steps, sizeof(*means.step)));
	means.group = memory_alloc(memory_product(m->ranks, sizeof(*means.group)));
	means.group_ranks = memory_alloc(memory_product(m->ranks, sizeof(*means.group_ranks)));
	if (sum_up(m, &means))
		split_whole(m, &means, out);
	else
		split_rest(m, &means, out);
	memory_free(means.rank);
	memory_free(means.step);
	memory_free(means.group);
	memory_free(means.group_ranks);
}
