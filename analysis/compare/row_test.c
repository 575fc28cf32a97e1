/* One row's test: by t on logarithms or on values, by ranks. */
#include "analysis/compare/row_test.h"

#include <math.h>
#include "base/memory.h"
#include "stats/moderated/moderated.h"
#include "stats/student.h"
#include "stats/tests.h"

static size_t read_side(const struct run_row *row, bool linear, double *out, size_t *run)
{
	size_t n = 0;

	for (size_t r = 0; r < row->runs; r++) {
		double x = linear ? row->run[r].value : row->run[r].scaled;

		if (isnan(x))
			continue;
		out[n] = x;
		run[n++] = r;
	}
	return n;
}

void row_test_read(const struct compared *value, bool linear, struct row_test_sample *out)
{
	out->base_n = read_side(value->base, linear, out->base, out->base_run);
	out->new_n = read_side(value->new, linear, out->new, out->new_run);
}

double row_test_log_margin(const struct compared *value)
{
	return log1p(value->margin);
}

void row_test_margins(const struct compared *value, bool linear, double *low, double *high)
{
	*high = linear ? value->margin_units : row_test_log_margin(value);
	*low = -*high;
	if (linear && value->base_mean > 0)
		*low /= 1 + value->margin;
}

void row_test_conclude(struct compared *value, double diff, double se, double df, bool linear)
{
	struct equivalence same;
	struct t_test test;
	double low, high;

	row_test_margins(value, linear, &low, &high);
	test_estimate(diff, se, df, value->level, &test);
	value->diff = diff;
	value->se = se;
	value->df = df;
	value->t = test.t;
	value->p = test.p;
	value->p_above = equivalence_above(diff, se, df, high);
	value->p_below = equivalence_below(diff, se, df, low);
	equivalence_test(diff, se, df, low, high, &same);
	value->p_same = same.p;
}

void row_test_allow_hidden_outlier(struct compared *value, double hidden_outlier, double se)
{
	struct compared other = *value;

	row_test_conclude(&other, value->diff, se, value->df, false);
	value->p = moderated_allow_hidden_outlier(value->p, hidden_outlier, other.p);
	value->p_above =
		moderated_allow_hidden_outlier(value->p_above, hidden_outlier, other.p_above);
	value->p_below =
		moderated_allow_hidden_outlier(value->p_below, hidden_outlier, other.p_below);
	value->p_same = moderated_allow_hidden_outlier(value->p_same, hidden_outlier, other.p_same);
}

/* Samples moved by a margin: how likely is such an order by chance alone? */
static void ranks_against(struct rank_tables *tables, const struct row_test_sample *x,
	double margin, struct rank_test *out)
{
	double *moved = memory_alloc(memory_product(x->new_n, sizeof(*moved)));

	for (size_t i = 0; i < x->new_n; i++)
		moved[i] = x->new[i] - margin;
	rank_sum_test(tables, &(struct rank_samples){x->base, x->base_n, moved, x->new_n}, out);
	memory_free(moved);
}

void row_test_ranks(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x)
{
	double margin = row_test_log_margin(value);
	struct rank_test plain, above, below;
	struct rank_interval shift;

	rank_sum_test(tables, &(struct rank_samples){x->base, x->base_n, x->new, x->new_n}, &plain);
	ranks_against(tables, x, margin, &above);
	ranks_against(tables, x, -margin, &below);
	rank_shift(tables, &(struct rank_samples){x->base, x->base_n, x->new, x->new_n},
		value->level, &shift);
	value->diff = shift.estimate;
	value->se = value->df = value->t = NAN;
	value->p = plain.p;
	value->p_above = above.greater;
	value->p_below = below.less;
	value->p_same = fmax(below.greater, above.less);
}

void row_test_welch(struct compared *value, const struct row_test_sample *x)
{
	struct t_test test;

	test_welch(x->base, x->base_n, x->new, x->new_n, value->level, &test);
	row_test_conclude(value, test.diff, test.se, test.df, false);
}

static size_t values_above_zero(const double *x, size_t n, double *out)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (x[i] > 0)
			out[count++] = x[i];
	return count;
}

/* Zeros and values far from them are no normal sample: Welch's p of 8 runs of 10 against 1 is a
 * tenth of Fisher's. Its error is raised to what the order, or the values above 0, can show; own.
 */
void row_test_linear(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x)
{
	struct t_test test;
	double least;

	test_welch(x->base, x->base_n, x->new, x->new_n, value->level, &test);

	/* The smaller p of two questions that zeros leave apart: is one side larger by the order of
	 * its values, is it by those that are not 0? NaN: neither can be asked. */
	double *above = memory_alloc(memory_product(x->base_n + x->new_n, sizeof(*above)));
	const size_t base_n = values_above_zero(x->base, x->base_n, above);
	const size_t new_n = values_above_zero(x->new, x->new_n, above + base_n);
	struct rank_test order;
	struct t_test size = {.p = NAN};

	rank_sum_test(tables, &(struct rank_samples){x->base, x->base_n, x->new, x->new_n}, &order);
	if (base_n > 1 && new_n > 1)
		test_welch(above, base_n, above + base_n, new_n, 0.95, &size);
	memory_free(above);
	least = fmin(order.p, size.p);
	if (test.p < least)
		test.se = fabs(test.diff) / student_quantile(fmin(least, 0.99) / 2, test.df);
	row_test_conclude(value, test.diff, test.se, test.df, true);
}

/* Values that are not below 0 do not shrink by more than 100 %. An interval that would reach as far
 * shows that the normal theory does not fit such runs, and then its other end is too low as well:
 * there is none. A base of 0 has no ratio. */
static void linear_interval(struct compared *value, const struct row_test_sample *x)
{
	struct ratio ratio;
	struct t_test test;

	test_welch(x->base, x->base_n, x->new, x->new_n, value->level, &test);
	test_fieller(x->base, x->base_n, x->new, x->new_n, value->level,
		fmax(1, value->se / test.se), &ratio);
	if (!(value->base_mean > 0) || (!ratio.unbounded && !(ratio.low > 0)))
		return;
	value->low = ratio.low - 1;
	value->high = ratio.high - 1;
}

void row_test_interval(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x)
{
	struct rank_interval shift;
	struct t_test test;

	if (value->evidence == EVIDENCE_LINEAR) {
		linear_interval(value, x);
		return;
	}
	if (tables) {
		rank_shift(tables, &(struct rank_samples){x->base, x->base_n, x->new, x->new_n},
			value->level, &shift);
		value->low = expm1(shift.low);
		value->high = expm1(shift.high);
		return;
	}
	test_estimate(value->diff, value->se, value->df, value->level, &test);
	value->low = expm1(test.low);
	value->high = expm1(test.high);
}
