/*
 * Contents of the page of a comparison or gate beyond its tables: runs of both sides, every row of
 * every measure with its test and its run values. build_page_compare.c makes it. Values are in base
 * units, changes are fractions; NaN is "undefined". Texts are as recorded, hostile bytes and all.
 */
#ifndef STEPSTAT_REPORT_PAGE_PAGE_COMPARE_H
#define STEPSTAT_REPORT_PAGE_PAGE_COMPARE_H

#include "report/page/page.h"
#include "report/page/page_names.h"

enum page_side_id { PAGE_BASE, PAGE_NEW, PAGE_SIDES };

/* One measure of a row, or of the step. */
struct page_compared {
	double mean[PAGE_SIDES];
	double difference, change, low, high, level;
	double p, q, margin, detectable;
	double log_ratio, log_se, df;
	const char *verdict;  /* "REGRESSED"; NULL: none */
	const char *evidence; /* "test", "exact"; NULL: none */
	const char *note;     /* what the verdict says beside its word: "moved"; NULL: nothing */
	/* [runs of the side], as tested, NaN where a run has no value; NULL: the side has none. */
	const double *run[PAGE_SIDES];
	size_t runs[PAGE_SIDES];
	enum dimension dimension; /* of its values */
};

struct page_compared_row {
	const char *name, *short_name;
	const char *was; /* name in base where that differs; else NULL */
	const char *type;
	const char *codes;		/* as in files */
	const struct name_parts *parts; /* of a benchmark; else NULL */
	const char *mark;		/* of the note about its verdict; NULL: none */
	size_t measure;			/* in page_compare.measure */
	bool shown;			/* one by one on a screen, too */
	bool failed;			/* a gate says so */
	bool small;			/* tested with the other small ones */
	bool moved;			/* one of page_compare.moved_rows */
	size_t ran[PAGE_SIDES], steps[PAGE_SIDES];
	struct page_compared value;
};

struct page_compared_measure {
	const char *name;
	enum dimension dimension;
	bool higher; /* is better */
};

/* The typical change of the benchmarks of a package, by the ratios of their means. */
struct page_package {
	const char *name;
	size_t measure, count; /* rows that are on both sides */
	double change;	       /* geometric mean less 1 */
};

struct page_compared_run {
	const char *name;
	size_t kept, left; /* steps */
	double mean;	   /* of what decides; NaN: left out */
};

struct page_side {
	const char *label; /* "before/" */
	const char *what;  /* "5 runs x 97 steps" */
	struct page_compared_run *run;
	size_t run_count;
};

struct page_compare {
	struct page_side side[PAGE_SIDES];
	const char *noun, *nouns; /* of rows: "op", "ops" */
	struct page_compared_measure *measure;
	size_t measure_count;
	/* First what failed, then what a screen shows, what moved, the others; each as the
	 * comparison has them. The first `count` are of the first measure, of benchmarks all are;
	 * `further` of the other measures follow. */
	struct page_compared_row *row;
	size_t count, further;
	struct page_package *package; /* of benchmarks, as rows come */
	size_t package_count;
	/* Rows from the first on that are open: what failed, else what a screen shows. */
	size_t open;
	struct page_compared step;  /* what the first sentence is about */
	struct page_compared total; /* of all rows of the first measure */
	const char *step_name;	    /* "step time", "op time", "requested" */
	bool benchmarks;	    /* rows stand for themselves: there is no step */
	bool adds_up;		    /* differences of rows add up to that of all ops */
	/* Work that moved between rows, or NEW in the place of GONE; NULL: none. */
	const char *moved_kind, *moved_text;
	double moved_adds;
	double margin;		      /* fraction of base, of all rows; NaN: none, or by policy */
	const char *const (*term)[2]; /* of the method: what, and in which words */
	size_t term_count;
};

#endif
