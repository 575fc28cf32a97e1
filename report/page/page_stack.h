/*
 * The split of steps: parts of the window of a device, or the largest rows of a class, type
 * or name; each with the level of its neighbours, so that the excess of a step is split alike.
 */
#ifndef STEPSTAT_REPORT_PAGE_PAGE_STACK_H
#define STEPSTAT_REPORT_PAGE_PAGE_STACK_H

#include "base/arena.h"
#include "report/page/page.h"

#define PAGE_STACK_ROWS 9 /* parts of a device; of rows PAGE_STACK_LARGEST and the rest */
#define PAGE_STACK_LARGEST 5
#define PAGE_STACKS 6

struct page_stack_row {
	const char *name;
	const char *kind; /* colour: "s0" (largest) to "s4", "rest", "idle0", "idle1" */
	double mean;
	const double *value, *level; /* [page->step_count]: NaN of steps that are left out */
};

struct page_stack {
	const char *id, *label, *text; /* "class", "class", how to read it */
	struct page_stack_row row[PAGE_STACK_ROWS];
	size_t count;
};

/* The stacks of a page, the one to show first at the front; at most PAGE_STACKS. */
size_t page_stacks_make(const struct web_page *page, struct arena *arena, struct page_stack *out);
/* Median of the four nearest kept steps of the run, for each kept step; NaN of others, and where
 * the run has no other. */
double *page_levels(const struct web_page *page, const double *value, struct arena *arena);

#endif
