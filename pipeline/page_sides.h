/* The rows that a page offers beside those of the report: the same steps by type, class and
 * scope. */
#pragma once

#include "pipeline/one_side.h"
#include "report/page/build_page.h"

struct page_sides {
	struct arena *arena;
	struct grouping grouping[PAGE_KINDS];
};

/* Fills summary[] of the source for a side that is summarized; NULL where rows of that kind would
 * say nothing more. What it refers to is the result, which the caller frees after the report was
 * written. */
struct page_sides *page_sides_make(const struct side *side, const struct job_settings *settings,
	struct page_source *out, struct error *err);
void page_sides_free(struct page_sides *sides); /* NULL is fine */
