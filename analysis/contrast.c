/*
 * Pairs the rows of two summaries by name and takes differences and ratios of the means.
 */
#include "analysis/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double mean_of(const struct summary_value *value)
{
	if (!value)
		return NAN;
	if (value->is_static)
		return value->known ? value->static_value : NAN;
	return value->runs.mean;
}

static struct contrast_value contrast_values(
	const struct summary_value *base, const struct summary_value *next)
{
	struct contrast_value v = {mean_of(base), mean_of(next), NAN, NAN};

	if (!isnan(v.base) || !isnan(v.next))
		v.difference = (isnan(v.next) ? 0 : v.next) - (isnan(v.base) ? 0 : v.base);
	if (v.base > 0 && !isnan(v.next))
		v.ratio = v.next / v.base;
	return v;
}

static void fill_row(struct contrast_row *row, const struct summary_row *base,
	const struct summary_row *next, size_t measures, struct arena *arena)
{
	const struct group *group = base ? base->group : next->group;

	row->base = base;
	row->next = next;
	row->name = group->name;
	row->type = group->type;
	row->device = group->device;
	row->value = arena_array(arena, measures, sizeof(*row->value));
	for (size_t m = 0; m < measures; m++)
		row->value[m] = contrast_values(
			base ? &base->value[m] : NULL, next ? &next->value[m] : NULL);
}

static int compare_rows(const void *a, const void *b)
{
	const struct contrast_row *x = a, *y = b;
	double p = fabs(x->value[0].difference), q = fabs(y->value[0].difference);

	p = isnan(p) ? -1 : p;
	q = isnan(q) ? -1 : q;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Both groupings are sorted by name: one pass. Rows of one name (kept collisions) are paired in
 * order. */
void contrast_make(const struct summary *base, const struct summary *next, struct arena *arena,
	struct contrast *out)
{
	size_t i = 0, j = 0, n = base->grouping->count, k = next->grouping->count;
	size_t measures = base->options.measure_count;

	memset(out, 0, sizeof(*out));
	out->row = arena_array(arena, n + k, sizeof(*out->row));
	while (i < n || j < k) {
		int order = i == n   ? 1
			    : j == k ? -1
				     : strcmp(base->grouping->group[i].name,
					       next->grouping->group[j].name);
		const struct summary_row *left = order <= 0 ? &base->all.row[i++] : NULL;
		const struct summary_row *right = order >= 0 ? &next->all.row[j++] : NULL;

		out->only_base += !right;
		out->only_next += !left;
		fill_row(&out->row[out->count++], left, right, measures, arena);
	}
	out->total = arena_array(arena, measures, sizeof(*out->total));
	for (size_t m = 0; m < measures; m++)
		out->total[m] = contrast_values(&base->all.total[m], &next->all.total[m]);
	if (out->count)
		qsort(out->row, out->count, sizeof(*out->row), compare_rows);
}
