/*
 * Rows by which columns of steps are split.
 */
#include "report/html/plot_layers.h"

#include <math.h>
#include "base/names/short_names.h"

static bool is_even(const struct page_rows *rows)
{
	if (rows->count < 2)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].number.share >= 0.75)
			return false;
	return true;
}

static double weight(const struct page_row *row)
{
	/* Either may be undefined. */
	return fmax(fmax(row->number.share, row->number.jitter), 0);
}

void plot_layers_choose(const struct web_page *page, struct plot_layers *out)
{
	static const enum page_kind kinds[] = {PAGE_CLASS, PAGE_TYPE, PAGE_NAME};
	size_t kind = 0;

	while (kind < 3 && !is_even(&page->rows[kinds[kind]]))
		kind++;
	for (size_t k = 0; kind == 3 && k < 3; k++)
		if (page->rows[kinds[k]].count > 1 || kinds[k] == PAGE_NAME) {
			kind = k;
			break;
		}
	const struct page_rows *rows = &page->rows[kinds[kind]];

	*out = (struct plot_layers){.kind = kinds[kind]};
	for (size_t i = 0; i < rows->count && !page->overlap; i++)
		if (rows->row[i].value) {
			double w = weight(&rows->row[i]);
			size_t at = out->count;

			while (at > 0 && weight(&rows->row[out->row[at - 1]]) < w)
				at--;
			if (at == PLOT_LAYERS)
				continue;
			if (out->count < PLOT_LAYERS)
				out->count++;
			for (size_t j = out->count - 1; j > at; j--)
				out->row[j] = out->row[j - 1];
			out->row[at] = i;
		}
	/* Rows have the largest mean first. */
	for (size_t i = 1; i < out->count; i++)
		for (size_t k = i; k > 0 && out->row[k] < out->row[k - 1]; k--) {
			size_t row = out->row[k];

			out->row[k] = out->row[k - 1];
			out->row[k - 1] = row;
		}
}

const struct page_row *plot_layer(
	const struct web_page *page, const struct plot_layers *layers, size_t layer)
{
	return &page->rows[layers->kind].row[layers->row[layer]];
}

double plot_value(const struct page_row *row, size_t step)
{
	return isnan(row->value[step]) ? 0 : row->value[step];
}

bool plot_has_step_time(const struct web_page *page)
{
	return page->has_step_time && page->dimension == DIMENSION_TIME;
}

double plot_step_time(const struct web_page *page, size_t step)
{
	return page->dimension == DIMENSION_TIME ? page->step[step].time : NAN;
}

double plot_first_series(const struct web_page *page, size_t step)
{
	return plot_has_step_time(page) ? page->step[step].time : page->step[step].op_time;
}

void plot_layers_legend(struct text *out, const struct web_page *page,
	const struct plot_layers *layers, const char *rest, struct svg_legend *legend)
{
	static const char *const classes[] = {"l0", "l1", "l2", "l3", "l4"};
	struct text text;

	text_init(&text);
	for (size_t i = 0; i < layers->count; i++) {
		const struct page_row *row = plot_layer(page, layers, i);

		text_clear(&text);
		plot_add_name(&text, row, 40);
		svg_legend_add(out, legend, classes[i], text_string(&text));
	}
	if (rest)
		svg_legend_add(out, legend, "l5", rest);
	text_release(&text);
}

void plot_add_name(struct text *t, const struct page_row *row, size_t width)
{
	const char *name = row->short_name ? row->short_name : row->name;

	text_add_shortened(t, *name ? name : NO_NAME, width);
}

void plot_layers_rest(struct text *t, const struct web_page *page, const struct plot_layers *layers)
{
	const struct page_rows *rows = &page->rows[layers->kind];
	size_t others = rows->count - layers->count;

	if (page->overlap)
		text_add(t, page->total.label);
	else if (others)
		text_printf(t, "%zu other %s", others, others == 1 ? rows->noun : rows->nouns);
}
