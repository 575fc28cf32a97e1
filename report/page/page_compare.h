/* Contents of the page of a comparison or gate beyond its tables: what is open, what failed, what a
 * row is called. build_page_compare.c makes it, and the tables "changes", "step", "runs" and
 * "packages", which JSON has, too. Texts are as recorded, hostile bytes and all. */
#pragma once

#include "report/page/page.h"
#include "report/page/page_names.h"

enum page_side_id { PAGE_BASE, PAGE_NEW, PAGE_SIDES };

/* One measure of a row. */
struct page_compared_row {
	const char *name;
	const struct name_parts *parts;	 /* of a benchmark; else NULL */
	size_t row;			 /* in the data of the report */
	size_t measure;			 /* in page_compare.measure */
	const char *verdict;		 /* "REGRESSED"; NULL: none */
	double mean[PAGE_SIDES], change; /* base units, fraction; NaN: not known */
	bool shown;			 /* one by one on a screen, too */
	bool failed;			 /* a gate says so */
	bool moved;			 /* work that moved, or NEW in the place of GONE */
};

struct page_compared_measure {
	const char *name;
	enum dimension dimension;
	bool higher; /* is better */
};

struct page_compare {
	const char *noun, *nouns; /* of rows: "op", "ops" */
	struct page_compared_measure *measure;
	size_t measure_count;
	/* First what failed, then what a screen shows, what moved, the others; each as the
	 * comparison has them. The first `count` are of the first measure, of benchmarks all are;
	 * `further` of the other measures follow. */
	struct page_compared_row *row;
	size_t count, further;
	/* Rows from the first on that are open: what failed, else what a screen shows. */
	size_t open;
	const char *step_verdict; /* of what the first sentence is about; NULL: none */
	const char *step_name;	  /* "step time", "op time", "requested" */
	bool benchmarks;	  /* rows stand for themselves: there is no step */
	bool adds_up;		  /* differences of rows add up to that of all ops */
	/* Work that moved between rows, or NEW in the place of GONE; NULL: none. */
	const char *moved_kind, *moved_text;
	double margin;		      /* fraction of base, of all rows; NaN: none, or by policy */
	const char *const (*term)[2]; /* of the method: what, and in which words */
	size_t term_count;
};
