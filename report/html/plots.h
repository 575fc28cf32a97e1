/*
 * The plots of a page as inline SVG, so that they show without script, in print and to a screen
 * reader. Each function adds one element <svg> (or nothing, where the page has no data for it) and
 * draws what struct web_page holds; none computes a statistic. Classes and colours are those of
 * templates/page.css.
 *
 * What belongs to a step has the attribute data-t with the index of the step in page->step, what
 * belongs to an op data-i with its index in page->rows[PAGE_NAME], what belongs to a rank data-r:
 * the script links them.
 */
#ifndef STEPSTAT_REPORT_HTML_PLOTS_H
#define STEPSTAT_REPORT_HTML_PLOTS_H

#include "base/text.h"
#include "report/page/page.h"

/* The rows by which columns of steps are split: the first of class, type and name whose largest
 * row is below 75 %; and of these at most PLOT_LAYERS with the largest of share and jitter share,
 * ordered by mean, that have values. */
#define PLOT_LAYERS 5
struct plot_layers {
	enum page_kind kind;
	size_t row[PLOT_LAYERS], count;
};
void plot_layers_choose(const struct web_page *page, struct plot_layers *out);

/* Each step as a stacked column; step time as a short dark line; left-out steps hatched. As wide as
 * beside the legend; without areas of data-t, as the script draws it anew. */
void plot_steps(struct text *out, const struct web_page *page);
/* Excess of the first series (step time, else op time) over its median in each kept step, split
 * into the layers' own excess over theirs and the rest, which adds up. */
void plot_excess(struct text *out, const struct web_page *page);
/* Share of each op against its CV, both logarithmic, with lines of equal jitter. */
void plot_scatter(struct text *out, const struct web_page *page);
/* Parts of one device over the steps, stacked to the window. */
void plot_parts(struct text *out, const struct web_page *page, size_t device);
/* Ranks x steps: the excess of each over the median rank of the step. */
void plot_ranks(struct text *out, const struct web_page *page);
/* The split of the variance over ranks and steps, a bar for the whole and the largest rows. */
void plot_split(struct text *out, const struct web_page *page);
/* Scopes from left to right down the names; height is the mean, colour the CV. */
void plot_scopes(struct text *out, const struct web_page *page);
/* Plots in a cell of the table: mean with its interval on a scale from 0 to `top`; every step as a
 * dot. */
void plot_row_mean(struct text *out, const struct page_row *row, double top);
void plot_row_steps(struct text *out, const struct web_page *page, const struct page_row *row);

#endif
