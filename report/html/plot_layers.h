/*
 * Parts that the plots of steps share: the layers into which columns are split, their values and
 * their legend. plots.h says how they are chosen.
 */
#ifndef STEPSTAT_REPORT_HTML_PLOT_LAYERS_H
#define STEPSTAT_REPORT_HTML_PLOT_LAYERS_H

#include "report/html/plots.h"
#include "report/html/svg.h"

const struct page_row *plot_layer(
	const struct web_page *page, const struct plot_layers *layers, size_t layer);
/* Value of a row with values: 0 in a step without it. */
double plot_value(const struct page_row *row, size_t step);
/* True if step time is drawn beside the first measure: both are times. */
bool plot_has_step_time(const struct web_page *page);
/* Step time of a step; NaN: not known or not drawn. */
double plot_step_time(const struct web_page *page, size_t step);
/* Measure by which steps are judged: step time where it decides, else op time; NaN: not known. */
double plot_first_series(const struct web_page *page, size_t step);
/* Adds the short name of a row in at most `width` columns; it is not escaped. */
void plot_add_name(struct text *t, const struct page_row *row, size_t width);
/* Adds "12 other ops", nothing where there are none. */
void plot_layers_rest(
	struct text *t, const struct web_page *page, const struct plot_layers *layers);
/* `rest` is the text of what no layer has; NULL: nothing. */
void plot_layers_legend(struct text *out, const struct web_page *page,
	const struct plot_layers *layers, const char *rest, struct svg_legend *legend);

#endif
