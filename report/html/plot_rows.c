/*
 * The plots in cells of the table: a mean with its interval, and every step as a dot.
 */
#include "report/html/plots.h"

#include <math.h>
#include "base/memory.h"
#include "base/number.h"
#include "report/html/html_text.h"
#include "report/html/svg.h"

#define MEAN_WIDTH 160.0
#define STEPS_WIDTH 260.0
#define DOT 3.2		  /* px from dot to dot */
#define BINS 83		  /* of dots in STEPS_WIDTH, both ends */
#define STACK 5		  /* dots above one another at most */
#define ZERO 14.0	  /* px for steps without the op */
#define LEAST_SHARE 0.001 /* of rows that the scale is made for */

static void open_cell(struct text *out, double width)
{
	text_add(out, "<svg width=\"");
	svg_number(out, width);
	text_add(out, "\" height=\"24\" viewBox=\"0 0 ");
	svg_number(out, width);
	text_add(out, " 24\" role=\"img\"");
}

void plot_row_mean(struct text *out, const struct page_row *row, double top)
{
	const struct page_numbers *number = &row->number;
	double scale = top > 0 ? MEAN_WIDTH / top : 0;
	struct text label;

	if (isnan(number->mean))
		return;
	text_init(&label);
	text_add(&label, "share of the step ");
	svg_add_percent(&label, number->share);
	open_cell(out, MEAN_WIDTH);
	html_add_attribute(out, "aria-label", text_string(&label));
	text_add_char(out, '>');
	svg_rect(out, "b", 0, 6, fmin(fmax(number->mean * scale, 0.75), MEAN_WIDTH), 12);
	if (number->high > number->low) {
		double low = fmax(number->low, 0) * scale, high = number->high * scale;

		text_clear(&label);
		svg_move(&label, low, 12);
		text_add_char(&label, 'H');
		svg_number(&label, fmin(high, MEAN_WIDTH));
		svg_move(&label, low, 9);
		text_add(&label, "v6");
		/* An arrow where it leaves the scale. */
		svg_move(&label, fmin(high, MEAN_WIDTH - 4), high > MEAN_WIDTH ? 8.5 : 9);
		text_add(&label, high > MEAN_WIDTH ? "l4 3.5l-4 3.5" : "v6");
		svg_path(out, "w", text_string(&label));
	}
	text_add(out, "</svg>");
	text_release(&label);
}

/* A scale of factors, stretched around 1: asinh(ln v / c), so that one axis shows 1 % and 50
 * times. c is the typical spread. */
struct factor_scale {
	double low, high, c, from, to, zero;
};

/* Reference of a row's dots: its median, or the median of the steps in which it ran where it did
 * not run in all. 0: none. */
static double reference(const struct web_page *page, const struct page_row *row)
{
	const struct page_numbers *number = &row->number;
	double *x, median;
	size_t n = 0;

	if (number->ran >= number->steps && number->median > 0)
		return number->median;
	if (!row->value)
		return number->mean > 0 ? number->mean : 0;
	x = memory_alloc(memory_product(page->step_count + 1, sizeof(*x)));
	for (size_t t = 0; t < page->step_count; t++)
		if (page->step[t].kept && row->value[t] > 0)
			x[n++] = row->value[t];
	number_sort(x, n);
	median = n ? x[n / 2] : 0;
	memory_free(x);
	return median;
}

static void widen(struct factor_scale *scale, double factor)
{
	scale->low = fmin(scale->low, factor);
	scale->high = fmax(scale->high, factor);
}

static double stretch(const struct factor_scale *scale, double factor)
{
	return asinh(log(factor) / scale->c);
}

/* Over all rows, so that it is the same in each cell. */
static void make_scale(
	struct factor_scale *scale, const struct web_page *page, const struct page_rows *rows)
{
	double *spread = memory_alloc(memory_product(rows->count + 1, sizeof(*spread)));
	size_t n = 0;

	*scale = (struct factor_scale){.low = 1, .high = 1};
	for (size_t i = 0; i < rows->count; i++) {
		const struct page_row *row = &rows->row[i];
		const struct page_numbers *number = &row->number;
		double ref;

		if (!(number->share >= LEAST_SHARE))
			continue;
		if (number->robust_cv > 0 || number->cv > 0)
			spread[n++] = number->robust_cv > 0 ? number->robust_cv : number->cv;
		ref = row->value ? reference(page, row) : 0;
		if (!(ref > 0))
			continue;
		widen(scale, number->max / ref);
		if (number->min > 0)
			widen(scale, number->min / ref);
		if (number->ran >= number->steps)
			continue;
		scale->zero = ZERO;
		for (size_t t = 0; t < page->step_count; t++)
			if (page->step[t].kept && row->value[t] > 0)
				widen(scale, row->value[t] / ref);
	}
	number_sort(spread, n);
	scale->c = fmin(fmax(n ? 2 * spread[n / 2] : 0.1, 0.006), 0.5);
	scale->low = fmin(fmax(scale->low, 1.0 / 64), exp(-2.5 * scale->c));
	scale->high = fmin(fmax(scale->high, exp(2.5 * scale->c)), 64);
	scale->from = stretch(scale, scale->low) - 0.1;
	scale->to = stretch(scale, scale->high) + 0.1;
	memory_free(spread);
}

static double place(const struct factor_scale *scale, double factor)
{
	double x;

	if (!(factor > 0))
		return 4;
	x = scale->zero + (stretch(scale, factor) - scale->from) / (scale->to - scale->from) *
				  (STEPS_WIDTH - scale->zero);
	return fmin(fmax(x, scale->zero), STEPS_WIDTH);
}

struct swarm {
	size_t count[BINS];
	double x[BINS][STACK];
};

static void add_dot(struct swarm *swarm, double x)
{
	size_t bin = (size_t)(x / DOT + 0.5), k = swarm->count[bin]++;

	if (k < STACK)
		swarm->x[bin][k] = x;
}

/* Dots without overlap. Each occupied place has a dot, so no value is hidden; a full one is a
 * line, as its dots touch. */
static void draw_swarm(struct text *out, const struct swarm *swarm, const char *class_name)
{
	struct text d;

	text_init(&d);
	for (size_t bin = 0; bin < BINS; bin++) {
		if (swarm->count[bin] >= STACK) {
			svg_move(&d, (double)bin * DOT, 12 - STACK / 2 * DOT);
			text_printf(&d, "v%g", (STACK - 1) * DOT);
			continue;
		}
		for (size_t k = 0; k < swarm->count[bin]; k++) {
			double off = (double)((k + 1) / 2) * DOT;

			svg_move(&d, swarm->x[bin][k], 12 + (k % 2 ? off : -off));
			text_add(&d, "h0");
		}
	}
	svg_path(out, class_name, text_string(&d));
	text_release(&d);
}

/* Off the scale are so many at either end. */
struct off_scale {
	size_t below, above;
};

static void add_outlier(
	struct text *out, const struct factor_scale *scale, double factor, struct off_scale *off)
{
	if (factor > scale->high * 1.1)
		off->above++;
	else if (factor > 0 && factor < scale->low * 0.9)
		off->below++;
	else {
		text_add(out, "<circle class=\"o\" cx=\"");
		svg_number(out, place(scale, factor));
		text_add(out, "\" cy=\"12\" r=\"3.4\"/>");
	}
}

/* A triangle at the end, with their number. */
static void add_off_scale(
	struct text *out, const struct factor_scale *scale, const struct off_scale *off)
{
	char number[NUMBER_TEXT_SIZE];

	if (off->above)
		text_printf(out, "<path class=\"o\" d=\"M%g 8l6 4l-6 4z\"/>", STEPS_WIDTH - 6);
	if (off->above > 1)
		svg_label(out, STEPS_WIDTH - 9, 16, SVG_END, "h",
			number_format_int(number, (int64_t)off->above));
	if (off->below)
		text_printf(out, "<path class=\"o\" d=\"M%g 8l-6 4l6 4z\"/>", scale->zero + 6);
	if (off->below > 1)
		svg_label(out, scale->zero + 9, 16, SVG_START, "h",
			number_format_int(number, (int64_t)off->below));
}

static void add_values(struct text *out, const struct web_page *page, const struct page_row *row,
	const struct factor_scale *scale, double ref)
{
	struct swarm dots = {0}, absent = {0};
	struct off_scale off = {0};
	size_t next = 0;
	struct text outliers;

	text_init(&outliers);
	for (size_t t = 0; t < page->step_count; t++) {
		double factor = row->value[t] / ref;
		bool outlier;

		while (next < row->outlier_count && row->outlier[next] < t)
			next++;
		outlier = next < row->outlier_count && row->outlier[next] == t;
		if (!page->step[t].kept)
			continue;
		if (!(factor > 0) && !outlier)
			add_dot(&absent, 4);
		else if (outlier || factor > scale->high * 1.1 || factor < scale->low * 0.9)
			add_outlier(&outliers, scale, factor, &off);
		else
			add_dot(&dots, place(scale, factor));
	}
	draw_swarm(out, &dots, "d");
	draw_swarm(out, &absent, "d zz");
	text_add(out, text_string(&outliers));
	add_off_scale(out, scale, &off);
	text_release(&outliers);
}

static void add_sketch(
	struct text *out, const struct page_row *row, const struct factor_scale *scale, double ref)
{
	double x[PAGE_QUANTILES];
	struct off_scale off = {0};
	struct text d;

	text_init(&d);
	for (size_t k = 0; k < PAGE_QUANTILES; k++)
		x[k] = place(scale, row->quantile[k] / ref);
	svg_move(&d, x[1], 12);
	text_add_char(&d, 'H');
	svg_number(&d, x[5]);
	svg_path(out, "w q", text_string(&d));
	text_clear(&d);
	svg_move(&d, x[2], 12);
	text_add_char(&d, 'H');
	svg_number(&d, x[4]);
	svg_path(out, "w q5", text_string(&d));
	text_clear(&d);
	svg_move(&d, x[0], 12);
	text_add(&d, "h0");
	svg_move(&d, x[6], 12);
	text_add(&d, "h0");
	svg_path(out, "d", text_string(&d));
	for (size_t k = 0; k < row->far_count; k++)
		add_outlier(out, scale, row->far[k] / ref, &off);
	add_off_scale(out, scale, &off);
	text_release(&d);
}

/* The rows among which this one stands. */
static const struct page_rows *rows_of(const struct web_page *page, const struct page_row *row)
{
	for (size_t kind = 0; kind < PAGE_KINDS; kind++) {
		const struct page_rows *rows = &page->rows[kind];

		if (rows->count && row >= rows->row && row < rows->row + rows->count)
			return rows;
	}
	return &page->rows[PAGE_NAME];
}

void plot_row_steps(struct text *out, const struct web_page *page, const struct page_row *row)
{
	double ref = reference(page, row);
	struct factor_scale scale;
	struct text label;

	if (page->kept_count < 2 || !(ref > 0) || (!row->value && isnan(row->quantile[0])))
		return;
	make_scale(&scale, page, rows_of(page, row));
	text_init(&label);
	text_printf(&label, "each step against the median, CV ");
	svg_add_percent(&label, row->number.cv);
	if (row->outlier_count)
		text_printf(&label, ", %zu outlier%s", row->outlier_count,
			row->outlier_count == 1 ? "" : "s");
	open_cell(out, STEPS_WIDTH);
	html_add_attribute(out, "aria-label", text_string(&label));
	text_add_char(out, '>');
	svg_line_down(out, "axis", place(&scale, 1), 1, 22);
	if (row->value)
		add_values(out, page, row, &scale, ref);
	else
		add_sketch(out, row, &scale, ref);
	text_add(out, "</svg>");
	text_release(&label);
}
