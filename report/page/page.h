/* Contents of a page for a browser beyond the tables of a report: every step, every op step by
 * step, rows by name, type, class and scope, work of devices and ranks. build_page.c makes it for
 * writers that ask for it (struct writer: wants_page); they draw and compute no statistic.
 *
 * Times are in ps and memory in bytes, shares and CVs are fractions; NaN is "undefined". Texts are
 * as recorded, hostile bytes and all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/unit.h"

enum page_kind { PAGE_NAME, PAGE_TYPE, PAGE_CLASS, PAGE_SCOPE, PAGE_KINDS };

/* Numbers over the kept steps, as the tables have them. */
struct page_numbers {
	double mean, low, high;
	double cv, cv_run; /* between steps, between runs (NaN: one run) */
	double jitter;
	double second; /* mean of page->second; NaN: not known */
};

struct page_row {
	const char *name;
	const char *short_name; /* as sentences have it */
	double share, jitter;
	/* [page->step_count]: NaN where it did not run (that counts as 0); NULL: left out, because
	 * the page would become too large. */
	const double *value;
};

struct page_rows {
	const char *noun, *nouns; /* "op", "ops" */
	struct page_row *row;	  /* the largest mean first */
	size_t count;		  /* 0: the page does not offer them */
};

struct page_step {
	bool kept;
	double value;	/* step time where it decides, else op_time; NaN: not known */
	double op_time; /* sum over all ops of the first measure; NaN: not known */
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

	struct page_rows rows[PAGE_KINDS];
	struct page_total total;
	double not_in_ops; /* share of the jitter that no op has; NaN: there is no such row */

	struct page_device *devices;
	size_t devices_count;

	size_t rank_count;
	bool grouped; /* ranks have groups: excesses are over the median rank of the group */
	const struct page_compare *compare; /* of a comparison or gate; else NULL */
};
