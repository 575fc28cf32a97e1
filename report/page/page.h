/*
 * Contents of a page for a browser beyond the tables of a report: every step, every op step by
 * step, rows by name, type, class and scope, work of devices and ranks. build_page.c makes it for
 * writers that ask for it (struct writer: wants_page); they draw and compute no statistic.
 *
 * Times are in ps and memory in bytes, shares and CVs are fractions; NaN is "undefined". Texts are
 * as recorded, hostile bytes and all.
 */
#ifndef STEPSTAT_REPORT_PAGE_PAGE_H
#define STEPSTAT_REPORT_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/unit.h"

enum page_kind { PAGE_NAME, PAGE_TYPE, PAGE_CLASS, PAGE_SCOPE, PAGE_KINDS };

/* Numbers of one row over the kept steps: as the tables have them. */
struct page_numbers {
	double mean, low, high, sd;
	double cv, cv_run; /* between steps, between runs (NaN: one run) */
	double robust_cv, cv_floor;
	double min, median, p95, max;
	double share, jitter;
	double lag1, n_eff;
	double second; /* mean of page->second; NaN: not known */
	double calls;  /* in all steps; NaN: not known, or not of a trace */
	size_t n, ran, steps;
};

/* Values in place of those that a row does not have in the page: PAGE_QUANTILES order statistics,
 * and the outliers that are farthest from the median, farthest first. */
#define PAGE_QUANTILES 7 /* min, 5 %, 25 %, 50 %, 75 %, 95 %, max */
#define PAGE_OUTLIERS 8

struct page_row {
	const char *name;
	const char *short_name;			/* as sentences have it */
	const char *type, *class_name, *device; /* of rows by name; else NULL */
	struct page_numbers number;
	const char *mark; /* of the note that explains its CV ("a"), or NULL */
	/* [page->step_count]: NaN where it did not run (that counts as 0); NULL: left out, because
	 * the page would become too large. */
	const double *value;
	/* Kept steps (ascending) farther than 10 scaled MAD from the median of all kept steps,
	 * which the page draws them against; all of them, also where there are no values. */
	const size_t *outlier;
	size_t outlier_count;
	double quantile[PAGE_QUANTILES]; /* of the kept steps; NaN when there are values */
	double far[PAGE_OUTLIERS];
	size_t far_count;
};

struct page_rows {
	const char *noun, *nouns; /* "op", "ops" */
	struct page_row *row;	  /* the largest mean first */
	size_t count;		  /* 0: the page does not offer them */
};

struct page_step {
	size_t run;
	const char *label; /* its number, "3 (2nd)" where that comes again in the run */
	bool kept;
	const char *fate; /* "yes", or why not: "warm-up", "other kind", ... */
	double time;	  /* step time, ps; NaN: not known */
	double op_time;	  /* sum over all ops of the first measure; NaN: not known */
	bool outlier;	  /* farther than 10 scaled MAD from the median of its run */
};

struct page_run {
	const char *name;
	size_t first, count; /* its steps */
	double mean;	     /* over its kept steps, of what the first sentence gives */
};

#define PAGE_NO_CAUSE "no known cause" /* idle time that is in no other part of idle */

/* Time of a device in each step for one part of its window; by time, not by launch. */
struct page_part {
	const char *name;	  /* "compute", "communication", "copies", "idle", ... */
	const double *value;	  /* [page->step_count], ps; NaN: not known */
	double mean;		  /* over the kept steps */
	bool is_idle;		  /* its own parts have of_idle */
	bool of_idle, of_compute; /* it is a part of that part, not of the window */
};

struct page_device {
	const char *name;
	struct page_part *part;
	size_t part_count;
	double window; /* mean, ps */
};

struct page_rank {
	const char *name;
	const char *group; /* NULL without one */
	/* [kept step]: over the median rank of its group (without groups: of all) in the step,
	 * ps; NaN: not there. */
	const double *excess;
	double excess_mean;
	bool culprit; /* named as slow in the whole of its work */
};

/* Total of the step: what rows are shares of. */
struct page_total {
	const char *label; /* "all ops" */
	struct page_numbers number;
};

struct web_page {
	const char *title; /* of the window */
	const char **fact; /* day, host, framework, device, commit: what is known and alike */
	size_t fact_count;
	bool is_cut;	     /* `stepstat timeline merge` of the inputs cuts out a step */
	const char *command; /* as typed, quoted for a shell; NULL: not known */
	const char *const *input, *const *option; /* as typed: what commands are made of */
	size_t input_count, option_count;
	const char *sql;     /* the command that checks the numbers; NULL: none */
	const char *version; /* "stepstat 0.1.0" */
	const char *measure; /* of all rows: "time" */
	enum dimension dimension;
	double resolution; /* grid of the recorded values in base units; 0: not known */
	/* Base units in one integer of a series: as fine as the recorded values, 1 ns where that is
	 * not known. */
	double grid;
	const char *second; /* another measure: "requested"; NULL: none */
	double confidence;
	bool overlap;	  /* rows hold everything below them: they add up to no step */
	bool population;  /* sd and CV divide by n */
	bool skip_absent; /* steps without an op do not count as 0 */

	struct page_run *run;
	size_t run_count;
	struct page_step *step; /* run by run */
	size_t step_count, kept_count;
	bool has_step_time;	  /* marked steps, or another time of the whole step, decides */
	const char *step_time_of; /* "marker", "span", ...; NULL without step time */
	struct page_numbers step_time; /* over the kept steps; NaN without */
	size_t longest; /* the kept step that is longest by it; step_count: it is known for none */

	struct page_rows rows[PAGE_KINDS];
	struct page_total total;
	double not_in_ops; /* share of the jitter that no op has; NaN: there is no such row */

	struct page_device *devices;
	size_t devices_count;

	struct page_rank *rank;
	size_t rank_count;
	bool grouped; /* ranks have groups: excesses are over the median rank of the group */
	const struct page_compare *compare; /* of a comparison or gate; else NULL */
};

/* Step time where it decides, else the sum over ops. */
double page_step_value(const struct web_page *page, const struct page_step *step);

#endif
