/*
 * The runs of both sides: what is compared, since the run is the unit of replication.
 */
#include "report/html/plots_compare.h"

#include <math.h>
#include "base/memory.h"
#include "base/text.h"
#include "report/html/html_text.h"
#include "report/html/svg.h"

#define WIDTH 615.0
#define NAMES 110.0
#define NAME_COLUMNS 16
#define RUN 16.0
#define HEAD 20.0
#define AXIS 18.0
#define RUNS_MOST 60 /* of a side; more are told by number */
#define DOT 3.0
#define STACK 3	   /* dots above one another at most */
#define LOG_FROM 6 /* times: from here on the scale is logarithmic */

struct runs_drawing {
	struct text *body;
	const struct page_compare *compare;
	const struct unit *unit;
	double low, high;
	bool is_log;
	double from, to; /* of the axis */
	double y;
};

static double value_of(const struct page_compare *compare, const struct page_step *step)
{
	return compare->by_step_time ? step->time : step->op_time;
}

static double place(const struct runs_drawing *d, double value)
{
	return NAMES + ((d->is_log ? log10(fmax(value, d->low * 0.8)) : value) - d->from) /
			       (d->to - d->from) * (WIDTH - NAMES - 8);
}

static bool find_range(struct runs_drawing *d)
{
	d->low = INFINITY;
	d->high = 0;
	for (enum page_side_id side = 0; side < PAGE_SIDES; side++)
		for (size_t s = 0; s < d->compare->side[side].step_count; s++) {
			const double v = value_of(d->compare, &d->compare->side[side].step[s]);

			if (!(v > 0))
				continue;
			d->low = fmin(d->low, v);
			d->high = fmax(d->high, v);
		}
	if (!(d->high > 0))
		return false;
	d->is_log = d->high / d->low > LOG_FROM;
	if (d->is_log) {
		d->from = log10(d->low) - 0.05;
		d->to = log10(d->high) + 0.05;
	} else {
		d->from = d->low * 2 < d->high
				  ? 0
				  : d->low - fmax(d->high - d->low, d->high * 0.01) * 0.12;
		d->to = d->high + fmax(d->high - d->from, d->high * 0.01) * 0.04;
	}
	return true;
}

/* ---- the axis ---- */

static void add_tick(const struct runs_drawing *d, double value, double height)
{
	const double x = place(d, value * (double)d->unit->factor);
	struct text t;

	text_init(&t);
	svg_line_down(d->body, "gridl", x, 4, height - AXIS - 4);
	svg_add_tick(&t, value);
	svg_label(d->body, x, height - 4, SVG_MIDDLE, NULL, text_string(&t));
	text_release(&t);
}

static void add_axis(const struct runs_drawing *d, double height)
{
	const double factor = (double)d->unit->factor;
	const bool wide = d->is_log && d->to - d->from > 2;
	struct svg_ticks ticks = {.count = 0};
	struct text t;

	if (!d->is_log)
		svg_ticks_find(&ticks, d->from / factor, d->to / factor, 5);
	for (size_t i = 0; i < ticks.count; i++)
		add_tick(d, ticks.at[i], height);
	for (int e = -5; d->is_log && e <= 12; e++)
		for (int k = 0; k < (wide ? 1 : 3); k++) {
			const double v = (k == 0 ? 1 : k == 1 ? 2 : 5) * pow(10, e);
			const double at = log10(v * factor);

			if (at >= d->from && at <= d->to)
				add_tick(d, v, height);
		}
	text_init(&t);
	text_printf(&t, "%s%s", svg_unit_name(d->unit), d->is_log ? ", log scale" : "");
	svg_label(d->body, 0, height - 4, SVG_START, NULL, text_string(&t));
	text_release(&t);
}

/* ---- runs ---- */

/* Bins of a dot's width; each that has a step shows at least one dot, so that none is hidden. */
static void add_dots(const struct runs_drawing *d, const struct page_side *side,
	const struct page_run *run, bool kept)
{
	const size_t bins = (size_t)((WIDTH - NAMES) / DOT) + 2;
	unsigned char *stack = memory_alloc(bins);
	struct text path;

	text_init(&path);
	for (size_t b = 0; b < bins; b++)
		stack[b] = 0;
	for (size_t s = run->first; s < run->first + run->count; s++) {
		const double v = value_of(d->compare, &side->step[s]);
		const double x = place(d, v);
		const size_t bin = (size_t)fmin(fmax((x - NAMES) / DOT, 0), (double)bins - 1);

		if (side->step[s].kept != kept || !(v > 0) || stack[bin] >= STACK)
			continue;
		svg_move(&path, x,
			d->y + 8 + (stack[bin] % 2 ? 1 : -1) * ((stack[bin] + 1) / 2) * DOT);
		text_add(&path, "h0");
		stack[bin]++;
	}
	svg_path(d->body, kept ? "sd" : "sd left", text_string(&path));
	text_release(&path);
	memory_free(stack);
}

static void add_run(
	const struct runs_drawing *d, const struct page_side *side, const struct page_run *run)
{
	struct text t;

	text_init(&t);
	text_add_shortened(&t, run->name, NAME_COLUMNS);
	text_add(d->body, "<g><title>");
	html_add(d->body, run->name);
	text_add(d->body, "</title>");
	svg_label(d->body, 0, d->y + 11, SVG_START, NULL, text_string(&t));
	text_add(d->body, "</g>");
	add_dots(d, side, run, true);
	add_dots(d, side, run, false);
	if (!isnan(run->mean)) {
		text_clear(&t);
		svg_move(&t, round(place(d, run->mean)), d->y + 2);
		text_add(&t, "v12");
		svg_path(d->body, "rm", text_string(&t));
	}
	text_release(&t);
}

static void add_side(struct runs_drawing *d, enum page_side_id id)
{
	const struct page_side *side = &d->compare->side[id];
	const size_t count = side->run_count < RUNS_MOST ? side->run_count : RUNS_MOST;
	const double mean = d->compare->step.mean[id], x = place(d, mean), top = d->y;
	struct text t;

	text_init(&t);
	svg_label(d->body, 0, d->y + 13, SVG_START, "k", id == PAGE_BASE ? "base" : "new");
	if (!isnan(mean)) {
		svg_add_quantity(&t, mean, d->unit);
		svg_label(d->body, fmin(fmax(x, NAMES + 20), WIDTH - 32), d->y + 13, SVG_MIDDLE,
			"k h", text_string(&t));
	}
	d->y += HEAD;
	for (size_t r = 0; r < count; r++) {
		add_run(d, side, &side->run[r]);
		d->y += RUN;
	}
	if (count < side->run_count) {
		text_clear(&t);
		text_printf(&t, "and %zu more runs", side->run_count - count);
		svg_label(d->body, 0, d->y + 11, SVG_START, NULL, text_string(&t));
		d->y += RUN;
	}
	if (!isnan(mean))
		svg_line_down(d->body, "sm", x, top + 17, d->y - top - 17);
	d->y += 2;
	text_release(&t);
}

void plot_runs(struct text *out, const struct web_page *page)
{
	const struct page_compare *compare = page->compare;
	struct text body, rows;
	struct runs_drawing d = {.body = &rows, .compare = compare, .y = 4};

	if (!find_range(&d))
		return;
	text_init(&body);
	text_init(&rows);
	d.unit = svg_unit(page->dimension, d.high);
	add_side(&d, PAGE_BASE);
	add_side(&d, PAGE_NEW);
	d.body = &body;
	add_axis(&d, d.y + AXIS);
	text_add(&body, text_string(&rows));
	svg_wrap(out, WIDTH, d.y + AXIS,
		compare->by_step_time ? "Step time of each step, by run"
				      : "Total of each step, by run",
		text_string(&body));
	text_release(&body);
	text_release(&rows);
}
