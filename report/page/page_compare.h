/*
 * Contents of the page of a comparison or gate beyond its tables: runs and steps of both sides,
 * every row with its test, its run values and its steps. build_page_compare.c makes it. Values are
 * in base units, changes are fractions; NaN is "undefined". Texts are as recorded, hostile bytes
 * and all.
 */
#ifndef STEPSTAT_REPORT_PAGE_PAGE_COMPARE_H
#define STEPSTAT_REPORT_PAGE_PAGE_COMPARE_H

#include "report/page/page.h"

enum page_side_id { PAGE_BASE, PAGE_NEW, PAGE_SIDES };

/* One measure of a row, or of the step. */
struct page_compared {
	bool on_side[PAGE_SIDES]; /* the side has it */
	double mean[PAGE_SIDES];
	double difference, change, low, high, level;
	double p, q, margin, detectable;
	double log_ratio, log_se, df;
	const char *verdict;  /* "REGRESSED"; NULL: none */
	const char *evidence; /* "test", "exact"; NULL: none */
	const char *phrase;   /* the verdict with its half sentence */
};

struct page_compared_row {
	const char *name, *short_name;
	const char *was; /* name in base where that differs; else NULL */
	const char *type;
	const char *paired, *codes; /* as in files */
	const char *mark;	    /* of the note about its verdict; NULL: none */
	bool small;		    /* tested with the other small ones */
	size_t ran[PAGE_SIDES], steps[PAGE_SIDES];
	/* [runs of the side] of the first measure, as tested; NULL: the side has no such row. */
	const double *run[PAGE_SIDES];
	size_t runs[PAGE_SIDES];
	/* [steps of the side]: NaN where it did not run; NULL: the same, or left out, because the
	 * page would become too large. */
	const double *value[PAGE_SIDES];
	struct page_compared *measure; /* [page->measure_count] */
};

struct page_compared_measure {
	const char *name;
	enum dimension dimension;
	struct page_compared total; /* of all ops */
	struct page_compared small; /* the small ones as one */
	size_t small_count;	    /* 0: none */
};

struct page_side {
	const char *label;	 /* "before/" */
	const char *what;	 /* "5 runs x 97 steps" */
	struct page_run *run;	 /* all, also those that are left out */
	size_t run_count;	 /* `mean` is what decides, `op_mean` the total of the ops */
	struct page_step *step;	 /* run by run */
	size_t step_count, left; /* steps left out */
};

struct page_compare {
	struct page_side side[PAGE_SIDES];
	const char *noun, *nouns; /* of rows: "op", "ops" */
	struct page_compared_measure *measure;
	size_t measure_count;
	struct page_compared_row *row; /* in the order of the comparison: decided first */
	size_t count;
	struct page_compared step;		 /* what the first sentence is about */
	const char *step_name;			 /* "step time", "op time", "requested" */
	bool by_step_time;			 /* step time decides */
	bool benchmarks;			 /* rows stand for themselves: there is no step */
	const char *step_change, *step_interval; /* in words; interval NULL: none */
	const char *wall_change, *wall_interval; /* of a step time that stands beside; NULL: none */
	bool adds_up;				 /* differences of rows add up to that of all ops */
	double margin; /* fraction of base, of all rows; NaN: none, or by policy */
	const char *margin_words;
	const char *const (*term)[2]; /* of the method: what, and in which words */
	size_t term_count;
};

#endif
