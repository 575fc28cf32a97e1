/* The split of steps: parts of the window of a device, or the largest rows of a class, type
 * or name; each with the level of its neighbours, so that the excess of a step is split alike. */
#pragma once

#include "report/build.h"
#include "report/page/page.h"

#define PAGE_STACK_ROWS 9 /* parts of a device; of rows PAGE_STACK_LARGEST and the rest */
#define PAGE_STACK_LARGEST 5
#define PAGE_STACKS 6

/* Numbers as one cell, or none; NULL: none. */
struct cell page_list(struct arena *arena, const double *value, size_t count);
/* The median of the four kept steps of the run that are nearest to each kept one; NaN: others. */
double *page_levels(const struct web_page *page, const double *value, struct arena *arena);
/* Adds the table of stacks, the one to show first at the front; at most PAGE_STACKS. */
void page_stacks_add(
	const struct web_page *page, struct report *report, const struct build_options *opt);
