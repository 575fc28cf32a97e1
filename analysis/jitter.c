/*
 * Compares the jitter share of each row with what an equal share could be by chance.
 */
#include "analysis/jitter.h"

#include <math.h>

#define FALSE_NAMES 0.05 /* the chance of one name or more where all rows are alike */

void jitter_find(const struct summary *summary, double least, bool *out)
{
	const struct summary_part *all = &summary->all;
	const size_t rows = summary->grouping->count, lost = all->run_count + 1;
	const size_t steps = summary->steps->count;
	size_t moving = 0;

	for (size_t g = 0; g < rows; g++)
		moving += fabs(all->row[g].value[0].jitter) > 0;
	for (size_t g = 0; g < rows; g++) {
		const struct summary_value *value = &all->row[g].value[0];
		double equal = fmin(1 / (double)moving, least);

		out[g] =
			steps > lost && value->jitter > least &&
			value->jitter - equal > sample_jitter_allowance(value->jitter_se,
							steps - lost, FALSE_NAMES / (double)moving);
	}
}
