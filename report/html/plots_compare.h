/*
 * The plots of a comparison as inline SVG, and how verdicts look. As report/html/plots.h, they draw
 * what struct page_compare holds and compute no statistic. Filled is what was shown, hollow is what
 * was not, so that they read the same without colour.
 */
#ifndef STEPSTAT_REPORT_HTML_PLOTS_COMPARE_H
#define STEPSTAT_REPORT_HTML_PLOTS_COMPARE_H

#include "base/text.h"
#include "report/page/page_compare.h"

/* Look of a verdict: the id of its icon without "i-", its class in templates/compare.css ("worse",
 * "better", "same", "dim", ""). */
struct verdict_look {
	const char *word, *icon, *class_name;
	bool decided; /* a change was shown, or a row is on one side only */
};
/* NULL and words that are none: those of no verdict. */
const struct verdict_look *verdict_look_of(const char *verdict);
/* The words that have a look of their own, in the order of the page. */
const struct verdict_look *verdict_look_at(size_t index); /* NULL: no more */

/* One scale for all rows: factors of base, stretched around 1, asinh(ln v / c), so that it shows
 * 1 % and 50 times. */
struct forest_scale {
	double low, high, c; /* factors at the ends; the typical standard error */
	double from, to, width;
	double margin; /* fraction; NaN: no band */
};
void forest_scale_make(struct forest_scale *scale, const struct page_compare *compare);
/* Place of a factor, within the width. */
double forest_x(const struct forest_scale *scale, double factor);
/* Ticks, for the head of the column. */
void plot_forest_axis(struct text *out, const struct forest_scale *scale);
/* Plot in a cell: margin band, interval, change; rings above are the runs of base, dots below those
 * of new. `row` NULL: of a sum, without runs. */
void plot_forest(struct text *out, const struct forest_scale *scale,
	const struct page_compared_row *row, const struct page_compared *value);

/* Contributions from base to new: the largest ones, those that rise first, then all others as one;
 * they add up to the difference of the totals. */
#define WATERFALL_ROWS 9
struct waterfall {
	struct waterfall_bar {
		const struct page_compared_row *row; /* NULL: base, the others, or new */
		double from, to;
	} bar[WATERFALL_ROWS + 3];
	size_t count;
	size_t others;	  /* rows in the bar before the last; 0: there is none */
	double low, high; /* of the axis; low > 0: its base is torn */
};
/* False: the rows do not add up, or a side has no total. */
bool waterfall_make(struct waterfall *waterfall, const struct page_compare *compare);
void plot_waterfall(struct text *out, const struct web_page *page);

/* A row for each run of both sides: its steps as dots, its value as a tick. */
void plot_runs(struct text *out, const struct web_page *page);

#endif
