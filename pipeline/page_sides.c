/* Groups the ops again in other ways and has each summarized as the report was. */
#include "pipeline/page_sides.h"

#include <string.h>
#include "analysis/select/grouping.h"

static void release_summary(void *object)
{
	summary_free(object);
}

static void summarize(struct page_sides *sides, const struct side *side, enum page_kind kind,
	struct page_source *out)
{
	struct summary_options opt = side->summary->options;

	opt.parts = PARTS_NONE;
	opt.extra_count = 0;
	out->summary[kind] =
		summary_make(side->self, side->self, &side->steps, &sides->grouping[kind], &opt);
	arena_defer(sides->arena, release_summary, out->summary[kind]);
}

/* Rows say more than the ops themselves when they are several, and fewer than these. */
static int add_kind(struct page_sides *sides, const struct side *side,
	const struct job_settings *settings, enum page_kind kind, enum group_by by,
	struct page_source *out, struct error *err)
{
	struct group_options group = settings->group;
	struct grouping *grouping = &sides->grouping[kind];

	group.by = by;
	group.step_index = side->steps.index_of;
	if (grouping_make(side->self, settings->rules, &group, sides->arena, grouping, err) < 0)
		return -1;
	if (grouping->count > 1 && grouping->count < side->grouping.count)
		summarize(sides, side, kind, out);
	return 0;
}

/* Smaller scopes are below a pixel of a page. */
#define SCOPE_LEAST 0.001
#define SCOPES_MOST 2000

/* Rows that are scopes of others, or have one. */
static bool has_scopes(const struct side *side)
{
	for (size_t g = 0; g < side->grouping.count; g++)
		if (strchr(side->grouping.group[g].name, '/'))
			return true;
	return false;
}

/* Sums over the rows below, by the names of the rows. Where a source shows only some of its ops
 * they would be too small. */
static void add_scopes(struct page_sides *sides, const struct side *side, struct page_source *out)
{
	const struct grouping *rows = &side->grouping;
	double *weight;

	if (side->self->given || !has_scopes(side))
		return;
	weight = arena_array(sides->arena, rows->count, sizeof(*weight));
	for (size_t g = 0; g < rows->count; g++) {
		const double share = side->summary->all.row[g].value[0].share;

		weight[g] = share > 0 ? share : 0;
	}
	scopes_make(
		rows, weight, SCOPE_LEAST, SCOPES_MOST, sides->arena, &sides->grouping[PAGE_SCOPE]);
	if (sides->grouping[PAGE_SCOPE].count > 1)
		summarize(sides, side, PAGE_SCOPE, out);
}

struct page_sides *page_sides_make(const struct side *side, const struct job_settings *settings,
	struct page_source *out, struct error *err)
{
	struct arena *arena = arena_new();
	struct page_sides *sides = arena_alloc(arena, sizeof(*sides));

	sides->arena = arena;
	out->summary[PAGE_NAME] = side->summary;
	if (settings->group.by != BY_NAME || settings->value_total)
		return sides;
	if (add_kind(sides, side, settings, PAGE_TYPE, BY_TYPE, out, err) < 0 ||
		add_kind(sides, side, settings, PAGE_CLASS, BY_CLASS, out, err) < 0) {
		page_sides_free(sides);
		return NULL;
	}
	add_scopes(sides, side, out);
	return sides;
}

void page_sides_free(struct page_sides *sides)
{
	if (sides)
		arena_free(sides->arena);
}
