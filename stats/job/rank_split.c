/* Numerators are differences of whole numbers, so that nothing cancels, however far the values are
 * from zero. */
#include "stats/job/rank_split.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

/* The sums of all groups together. */
struct all_sums {
	uint64_t ranks;
	wide_half total;
	struct wide squares, rank_squares;
};

static void add_up(const struct row_sums *group, size_t count, struct all_sums *out)
{
	*out = (struct all_sums){0};
	for (size_t g = 0; g < count; g++) {
		out->ranks += group[g].ranks;
		out->total += row_sums_total(&group[g]);
		out->squares = wide_plus(out->squares, group[g].squares);
		out->rank_squares = wide_plus(out->rank_squares, group[g].rank_squares);
	}
}

static double square(double x)
{
	return x * x;
}

/* The squares of (a times - b over) / (times over), the difference of two means. */
static double square_of_difference(wide_half a, uint64_t times, wide_half b, uint64_t over)
{
	bool negative;
	const double d = wide_distance(wide_times(wide_product(a, 1), times),
		wide_times(wide_product(b, 1), over), &negative);

	return square(d / ((double)times * (double)over));
}

static void undefined(struct rank_split *out, double total)
{
	out->total = total;
	out->group = out->in_group = out->step = out->rank_by_step = NAN;
}

void rank_split_compute(const struct row_sums *group, size_t count, struct rank_split *out)
{
	const uint64_t steps = count ? group->steps : 0;
	struct wide step_squares = {{0}}, rest;
	struct all_sums all;

	add_up(group, count, &all);
	*out = (struct rank_split){.ranks = all.ranks, .steps = steps};
	if (all.ranks < 2 || steps < 2) {
		undefined(out, NAN);
		return;
	}
	for (size_t g = 0; g < count; g++) {
		if (!group[g].ranks)
			continue;
		out->group += (double)group[g].ranks * (double)steps *
			      square_of_difference(row_sums_total(&group[g]), all.ranks, all.total,
				      group[g].ranks) /
			      square((double)steps);

		/* Squares of the ranks within a group, times its number of ranks: n sum S_r^2 -
		 * (sum S_r)^2. */
		const wide_half total = row_sums_total(&group[g]);

		out->in_group +=
			wide_double(wide_minus(wide_times(group[g].rank_squares, group[g].ranks),
				wide_product(total, total))) /
			((double)group[g].ranks * (double)steps);
	}
	for (size_t t = 0; t < steps; t++) {
		wide_half sum = 0;

		for (size_t g = 0; g < count; g++)
			sum += group[g].step_sum[t];

		step_squares = wide_plus(step_squares, wide_product(sum, sum));
		out->step += square_of_difference(sum, steps, all.total, 1) / (double)all.ranks;
	}
	/* ranks steps sum x^2 - ranks sum S_r^2 - steps sum S_t^2 + (sum x)^2 */
	rest = wide_plus(wide_times(wide_times(all.squares, all.ranks), steps),
		wide_product(all.total, all.total));
	rest = wide_minus(rest, wide_times(all.rank_squares, all.ranks));
	rest = wide_minus(rest, wide_times(step_squares, steps));
	out->rank_by_step = wide_double(rest) / ((double)all.ranks * (double)steps);
	out->total = wide_double(wide_minus(wide_times(wide_times(all.squares, all.ranks), steps),
			     wide_product(all.total, all.total))) /
		     ((double)all.ranks * (double)steps);
	if (out->total == 0) {
		undefined(out, 0);
		return;
	}
	out->group /= out->total;
	out->in_group /= out->total;
	out->step /= out->total;
	out->rank_by_step /= out->total;
}

/* Rank by rank: those without any value first tell which steps count. */

static bool has_any(const struct rank_matrix *m, size_t rank)
{
	for (size_t t = 0; t < m->steps; t++)
		if (!isnan(m->x[rank * m->steps + t]))
			return true;
	return false;
}

void rank_matrix_sums(const struct rank_matrix *m, struct row_sums *group, size_t groups)
{
	bool *const present = memory_alloc(m->ranks), *const whole = memory_alloc(m->steps);
	size_t *const step = memory_alloc(memory_product(m->steps, sizeof(*step)));
	uint64_t *const x = memory_alloc(memory_product(m->steps, sizeof(*x)));
	size_t steps = 0;

	/* The steps in which every rank has a value that has one at all; how many. */
	memset(whole, true, m->steps);
	for (size_t r = 0; r < m->ranks; r++) {
		present[r] = has_any(m, r);
		for (size_t t = 0; present[r] && t < m->steps; t++)
			whole[t] &= !isnan(m->x[r * m->steps + t]);
	}
	for (size_t t = 0; t < m->steps; t++)
		if (whole[t])
			step[steps++] = t;
	for (size_t g = 0; g < groups; g++)
		row_sums_init(&group[g], steps);
	for (size_t r = 0; r < m->ranks; r++) {
		if (!present[r])
			continue;
		for (size_t t = 0; t < steps; t++)
			x[t] = (uint64_t)m->x[r * m->steps + step[t]];
		row_sums_add(&group[m->group ? m->group[r] : 0], (uint32_t)r, x);
	}
	memory_free(x);
	memory_free(step);
	memory_free(whole);
	memory_free(present);
}
