/* The slowest ranks are a list in order: the largest of two lists are among the largest of each. */
#include "model/sums/row_sums.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"

void row_sums_init(struct row_sums *sums, size_t steps)
{
	*sums = (struct row_sums){.steps = steps};
	sums->step_sum = memory_alloc(memory_product(steps, sizeof(*sums->step_sum)));
	sums->longest = memory_alloc(memory_product(steps, sizeof(*sums->longest)));
	sums->longest_rank = memory_alloc(memory_product(steps, sizeof(*sums->longest_rank)));
}

void row_sums_release(struct row_sums *sums)
{
	for (size_t i = 0; i < sums->slowest_count; i++)
		memory_free(sums->slowest[i].x);
	memory_free(sums->slowest);
	memory_free(sums->step_sum);
	memory_free(sums->longest);
	memory_free(sums->longest_rank);
	*sums = (struct row_sums){0};
}

/* Terms that one rank adds to the sums of all. */
struct rank_terms {
	wide_half sum;
	struct wide squares, products, first_product, last_product, square;
};

static void find_terms(const uint64_t *x, size_t steps, struct rank_terms *out)
{
	/* Products are below 2^106, and there are at most 2^20 of them. */
	wide_half squares = 0, products = 0;
	uint64_t before = 0;

	*out = (struct rank_terms){0};
	for (size_t t = 0; t < steps; t++) {
		out->sum += x[t];
		squares += (wide_half)x[t] * x[t];
		products += (wide_half)x[t] * before;
		before = x[t];
	}
	out->squares = wide_product(squares, 1);
	out->products = wide_product(products, 1);
	out->square = wide_product(out->sum, out->sum);
	if (!steps)
		return;
	out->first_product = wide_product(out->sum, x[0]);
	out->last_product = wide_product(out->sum, x[steps - 1]);
}

static uint64_t common_unit(uint64_t unit, uint64_t x)
{
	if (unit == 1 || (unit && x % unit == 0))
		return unit;
	return (uint64_t)number_common_divisor((int64_t)unit, (int64_t)x);
}

static void look_at_longest(struct row_sums *sums, size_t step, uint64_t x, uint32_t rank)
{
	if (sums->ranks && x < sums->longest[step])
		return;
	sums->longest_rank[step] =
		sums->ranks && x == sums->longest[step] ? ROW_SUMS_SEVERAL : rank;
	sums->longest[step] = x;
}

static bool is_slower(const struct row_rank *a, const struct row_rank *b)
{
	return a->sum != b->sum ? a->sum > b->sum : a->rank < b->rank;
}

/* Puts a rank in its place, if it has one. */
static void keep_slowest(struct row_sums *sums, const struct row_rank *rank)
{
	const size_t bytes = memory_product(sums->steps, sizeof(*rank->x));
	size_t at = sums->slowest_count;
	uint64_t *x;

	while (at > 0 && is_slower(rank, &sums->slowest[at - 1]))
		at--;
	if (at == ROW_SUMS_SLOWEST)
		return;
	if (sums->slowest_count == ROW_SUMS_SLOWEST) {
		x = sums->slowest[--sums->slowest_count].x;
	} else {
		sums->slowest = memory_make_room(sums->slowest, &sums->slowest_room,
			sums->slowest_count + 1, sizeof(*sums->slowest));
		x = memory_alloc(bytes);
	}
	if (bytes)
		memcpy(x, rank->x, bytes);
	memmove(sums->slowest + at + 1, sums->slowest + at,
		(sums->slowest_count++ - at) * sizeof(*sums->slowest));
	sums->slowest[at] = (struct row_rank){rank->rank, rank->sum, x};
}

void row_sums_add(struct row_sums *sums, uint32_t rank, const uint64_t *x)
{
	struct row_rank place = {.rank = rank, .x = (uint64_t *)x};
	struct rank_terms terms;

	find_terms(x, sums->steps, &terms);
	for (size_t t = 0; t < sums->steps; t++) {
		sums->step_sum[t] += x[t];
		sums->unit = common_unit(sums->unit, x[t]);
		look_at_longest(sums, t, x[t], rank);
	}
	sums->ranks++;
	sums->squares = wide_plus(sums->squares, terms.squares);
	sums->rank_squares = wide_plus(sums->rank_squares, terms.square);
	sums->products = wide_plus(sums->products, terms.products);
	sums->first_products = wide_plus(sums->first_products, terms.first_product);
	sums->last_products = wide_plus(sums->last_products, terms.last_product);
	place.sum = terms.sum;
	keep_slowest(sums, &place);
}

void row_sums_join(struct row_sums *sums, const struct row_sums *from)
{
	if (!from->ranks)
		return;
	for (size_t t = 0; t < sums->steps; t++) {
		sums->step_sum[t] += from->step_sum[t];
		look_at_longest(sums, t, from->longest[t], from->longest_rank[t]);
	}
	sums->unit = common_unit(sums->unit, from->unit);
	sums->ranks += from->ranks;
	sums->squares = wide_plus(sums->squares, from->squares);
	sums->rank_squares = wide_plus(sums->rank_squares, from->rank_squares);
	sums->products = wide_plus(sums->products, from->products);
	sums->first_products = wide_plus(sums->first_products, from->first_products);
	sums->last_products = wide_plus(sums->last_products, from->last_products);
	for (size_t i = 0; i < from->slowest_count; i++)
		keep_slowest(sums, &from->slowest[i]);
}

void row_sums_take_out(struct row_sums *sums, const struct row_rank *rank)
{
	struct rank_terms terms;

	find_terms(rank->x, sums->steps, &terms);
	for (size_t t = 0; t < sums->steps; t++)
		sums->step_sum[t] -= rank->x[t];
	sums->ranks--;
	sums->squares = wide_minus(sums->squares, terms.squares);
	sums->rank_squares = wide_minus(sums->rank_squares, terms.square);
	sums->products = wide_minus(sums->products, terms.products);
	sums->first_products = wide_minus(sums->first_products, terms.first_product);
	sums->last_products = wide_minus(sums->last_products, terms.last_product);
}

void row_sums_copy(struct row_sums *sums, const struct row_sums *from)
{
	row_sums_init(sums, from->steps);
	for (size_t t = 0; t < from->steps; t++)
		sums->step_sum[t] = from->step_sum[t];
	sums->ranks = from->ranks;
	sums->squares = from->squares;
	sums->rank_squares = from->rank_squares;
	sums->products = from->products;
	sums->first_products = from->first_products;
	sums->last_products = from->last_products;
}

bool row_sums_append_slowest(struct row_sums *sums, uint32_t rank, const uint64_t *x)
{
	const size_t before = sums->slowest_count;
	struct row_rank place = {.rank = rank, .x = (uint64_t *)x};

	for (size_t t = 0; t < sums->steps; t++)
		place.sum += x[t];
	if (before == ROW_SUMS_SLOWEST ||
		(before && !is_slower(&sums->slowest[before - 1], &place)))
		return false;
	keep_slowest(sums, &place);
	return true;
}

void row_sums_renumber(struct row_sums *sums, const uint32_t *to)
{
	for (size_t t = 0; t < sums->steps; t++)
		if (sums->longest_rank[t] != ROW_SUMS_SEVERAL && sums->ranks)
			sums->longest_rank[t] = to[sums->longest_rank[t]];
	for (size_t i = 0; i < sums->slowest_count; i++)
		sums->slowest[i].rank = to[sums->slowest[i].rank];
}

wide_half row_sums_total(const struct row_sums *sums)
{
	wide_half total = 0;

	for (size_t t = 0; t < sums->steps; t++)
		total += sums->step_sum[t];
	return total;
}

/* Each kept value is at most the longest of its step. */
static bool slowest_are_possible(const struct row_sums *sums)
{
	for (size_t i = 0; i < sums->slowest_count; i++)
		for (size_t t = 0; t < sums->steps; t++)
			if (sums->slowest[i].x[t] > sums->longest[t])
				return false;
	return true;
}

/* Bounds for values from 0 on, of R ranks in n steps, with sums s_t of steps and S_r of ranks
 * (Cauchy-Schwarz): sum s_t^2 <= R sum x^2, sum S_r^2 <= n sum x^2, total^2 <= R sum S_r^2. A sum
 * of squares is at most the square of the sum; products of neighbours, and of a rank's sum with one
 * of its values, are at most the squares that they are made of. */
bool row_sums_are_possible(const struct row_sums *sums)
{
	const wide_half total = row_sums_total(sums);
	struct wide steps = {{0}}, longest = {{0}};

	for (size_t t = 0; t < sums->steps; t++) {
		const wide_half sum = sums->step_sum[t], most = sums->longest[t];

		if (most > sum || sum > most * sums->ranks)
			return false;
		steps = wide_plus(steps, wide_product(sum, sum));
		longest = wide_plus(longest, wide_product(most, most));
	}
	return !wide_less(wide_times(sums->squares, sums->ranks), steps) &&
	       !wide_less(wide_times(sums->squares, sums->steps), sums->rank_squares) &&
	       !wide_less(
		       wide_times(sums->rank_squares, sums->ranks), wide_product(total, total)) &&
	       !wide_less(steps, sums->squares) && !wide_less(sums->squares, longest) &&
	       !wide_less(sums->rank_squares, sums->squares) &&
	       !wide_less(wide_product(total, total), sums->rank_squares) &&
	       !wide_less(sums->squares, sums->products) &&
	       !wide_less(sums->rank_squares, sums->first_products) &&
	       !wide_less(sums->rank_squares, sums->last_products) && slowest_are_possible(sums);
}
