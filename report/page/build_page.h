/* Makes the data of a page (report/page/page.h) from the results of a report. It chooses and
 * orders; the numbers are those of the summaries. */
#pragma once

#include "analysis/job/job_ranks.h"
#include "analysis/totals.h"
#include "report/build.h"
#include "report/page/page.h"

struct page_source {
	/* Summaries of the same steps, with the same measures. PAGE_NAME is that of the report,
	 * whatever its rows are; others NULL: not offered. They outlive the page. */
	struct summary *summary[PAGE_KINDS];
	const struct cube *self;
	const struct totals *totals;
	const struct build_options *opt;
	const char *command, *sql, *version; /* as in struct web_page */
	/* Parts of the commands on the page: inputs and options as typed. */
	const char *const *input, *const *option;
	size_t input_count, option_count;
	bool is_cut; /* as in struct web_page */
};

/* Facts of the first line of a page: the day of the first step (UTC), and what the files of a side
 * agree on; of two sides that differ "a \u2192 b". */
void page_facts(
	struct web_page *page, const struct cube *const *side, size_t count, struct arena *arena);

/* The report gets the page, in its arena. */
void build_page(struct report *report, const struct page_source *from);

/* A row for each run of a cube with its `value`, NaN where it has none; side: NULL where the table
 * has no column of it. */
#define PAGE_RUN_COLUMNS "run steps:n left_out:n value:v"
void page_runs_add(struct report *report, struct table *table, const char *side,
	const struct cube *self, const struct step_set *steps, const double *value);
