/* The rows of a page: their numbers, their values step by step, what of them is left out where the
 * page would become too large. It draws nothing. */
#pragma once

#include "base/intern.h"
#include "report/page/build_page.h"

/* The letters of the notes about rows, which stand in the table that people read. NULL: none. */
struct page_marks {
	struct intern *name;
	const char **mark;
};
void page_marks_find(struct page_marks *marks, const struct report *report);
const char *page_row_mark(const struct page_marks *marks, const char *name);

/* Numbers of a row or of the total. `second`: index of the second measure; SIZE_MAX: none. */
size_t page_second_measure(const struct web_page *page, const struct summary *summary);
struct page_numbers page_numbers_of(const struct summary_value *value, size_t second);

/* Adds the table of scopes. */
void page_scopes_add(const struct page_source *from, struct report *report);
/* Fills page->rows[kind] from the summary of this kind, which is none of scopes; those by name
 * become the table of series, too. */
void page_rows_fill(struct web_page *page, enum page_kind kind, const struct page_source *from,
	struct report *report);
