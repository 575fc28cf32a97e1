/*
 * The rows of a page: their numbers, their values step by step, what of them is left out where the
 * page would become too large. It draws nothing.
 */
#ifndef STEPSTAT_REPORT_PAGE_PAGE_ROWS_H
#define STEPSTAT_REPORT_PAGE_PAGE_ROWS_H

#include "report/page/build_page.h"

/* Digits of values of ops that a page holds at most, and commas between them. */
#define PAGE_DIGITS_MOST 2500000

/* Values of a group of ops in every step of a cube. */
struct page_values {
	const struct cube *cube;
	enum measure_id id;
	double *x; /* [cube->step_count]: of the group read last; NaN: it did not run, or not known
		    */
	uint32_t *every_step; /* each step is its own index */
	int64_t *value;
	unsigned char *state;
	uint32_t *touched;
};
void page_values_init(
	struct page_values *v, const struct cube *cube, enum measure_id id, struct arena *scratch);
void page_values_read(struct page_values *v, const struct group *group);
/* Characters of that many values of a row as text, each with a comma. */
double page_digits_of(double mean, double grid, size_t steps);
/* The letter of the note about a row: it stands in the table that people read. NULL: none. */
const char *page_row_mark(const struct report *report, const char *name);

/* Numbers of a row or of the total. `second`: index of the second measure; SIZE_MAX: none. */
struct page_numbers page_numbers_of(
	const struct summary *summary, const struct summary_value *value, size_t second);

/* Fills page->rows[kind] from the summary of this kind, and for PAGE_NAME the tables of types,
 * classes and devices. */
void page_rows_fill(struct web_page *page, enum page_kind kind, const struct page_source *from,
	struct report *report);

#endif
