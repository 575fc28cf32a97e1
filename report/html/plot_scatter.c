/*
 * Share against CV.
 */
#include "report/html/plots.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "report/html/html_text.h"
#include "report/html/plot_layers.h"

#define HEIGHT 430.0
#define LEFT 52.0
#define TOP 14.0
#define BOTTOM (HEIGHT - 66) /* of the plot; below it is the strip, then the axis */
#define STRIP (HEIGHT - 50)
#define CELL 3.0   /* px, dots of the same cell are one */
#define SINGLE 300 /* ops that the script can find */
#define NAMED 8
#define LEAST_SHARE 1e-6 /* smaller ones stand at the left edge */

struct spot {
	size_t row;
	double x, y, jitter; /* share x CV; below 0: no CV or none above 0 */
	bool outlier;
};

struct scatter {
	const struct web_page *page;
	const struct page_rows *rows;
	double x0, x1, y0, y1; /* log10 of the edges */
	struct spot *spot;
	size_t count, flat; /* flat: without a CV above 0 */
	struct text body;
};

static double place_x(const struct scatter *s, double share)
{
	double at = (log10(fmax(share, 1e-300)) - s->x0) / (s->x1 - s->x0);

	return LEFT + fmin(fmax(at, 0), 1) * (SVG_WIDTH - LEFT - 8);
}

static double place_y(const struct scatter *s, double cv)
{
	double at = (log10(fmax(cv, 1e-300)) - s->y0) / (s->y1 - s->y0);

	return BOTTOM - fmin(fmax(at, 0), 1) * (BOTTOM - TOP);
}

static int compare_spots(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->jitter != y->jitter)
		return x->jitter < y->jitter ? 1 : -1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Edges are whole powers of ten around the data; the first at the smallest share that matters. */
static bool scale(struct scatter *s)
{
	double share[2] = {INFINITY, 0}, cv[2] = {INFINITY, 0};

	for (size_t i = 0; i < s->rows->count; i++) {
		const struct page_numbers *number = &s->rows->row[i].number;

		if (!(number->share > 0))
			continue;
		share[0] = fmin(share[0], fmax(number->share, LEAST_SHARE));
		share[1] = fmax(share[1], number->share);
		if (!(number->cv > 0))
			continue;
		cv[0] = fmin(cv[0], number->cv);
		cv[1] = fmax(cv[1], number->cv);
	}
	if (!(share[1] > 0) || !(cv[1] > 0))
		return false;
	s->x0 = floor(log10(share[0]) * 2) / 2;
	s->x1 = fmin(ceil(log10(share[1]) * 4 + 0.2) / 4, 0.02);
	s->x1 = fmax(s->x1, s->x0 + 1);
	s->y0 = floor(fmax(log10(cv[0]), -5) * 2) / 2;
	s->y1 = fmax(ceil(log10(cv[1]) * 4 + 0.2) / 4, s->y0 + 1);
	return true;
}

static void add_axis_label(
	struct scatter *s, double x, double y, enum svg_anchor anchor, double value)
{
	struct text t;

	text_init(&t);
	svg_add_tick(&t, value * 100);
	text_add(&t, SVG_BLANK "%");
	svg_label(&s->body, x, y, anchor, NULL, text_string(&t));
	text_release(&t);
}

static void add_axes(struct scatter *s)
{
	static const double steps[] = {1, 3};
	double width = SVG_WIDTH - LEFT - 8;

	for (double e = floor(s->x0); e <= s->x1; e++)
		for (size_t k = 0; k < 2; k++) {
			double share = steps[k] * pow(10, e);

			if (log10(share) < s->x0 - 1e-9 || log10(share) > s->x1 + 1e-9)
				continue;
			svg_line_down(&s->body, "gridl", place_x(s, share), TOP, BOTTOM - TOP);
			add_axis_label(s, place_x(s, share), HEIGHT - 18, SVG_MIDDLE, share);
		}
	for (double e = floor(s->y0); e <= s->y1; e++)
		for (size_t k = 0; k < 2; k++) {
			double cv = steps[k] * pow(10, e);

			if (log10(cv) < s->y0 - 1e-9 || log10(cv) > s->y1 + 1e-9)
				continue;
			svg_line_across(&s->body, "gridl", LEFT, place_y(s, cv), width);
			add_axis_label(s, LEFT - 6, place_y(s, cv) + 4, SVG_END, cv);
		}
	svg_line_across(&s->body, "axis", LEFT, BOTTOM, width);
	svg_label(&s->body, SVG_WIDTH - 8, HEIGHT - 4, SVG_END, NULL, "share of the step");
	svg_label(&s->body, LEFT + 4, TOP + 8, SVG_START, "h", "CV");
}

/* Lines of equal jitter that an op adds to the step if it varies alone: share x CV is the same on a
 * line. */
static void add_equal_jitter(struct scatter *s)
{
	struct text d, t;

	text_init(&d);
	text_init(&t);
	for (double e = ceil(s->x0 + s->y0); e < s->x1 + s->y1; e++) {
		/* Ends of the line, where it enters and where it leaves the plot. */
		double xa = fmax(s->x0, e - s->y1), xb = fmin(s->x1, e - s->y0);
		double px = place_x(s, pow(10, xa)), py = place_y(s, pow(10, e - xa));

		if (xb - xa < 0.2)
			continue;
		text_clear(&d);
		svg_move(&d, px, py);
		text_add_char(&d, 'L');
		svg_number(&d, place_x(s, pow(10, xb)));
		text_add_char(&d, ' ');
		svg_number(&d, place_y(s, pow(10, e - xb)));
		svg_path(&s->body, "iso", text_string(&d));
		text_clear(&t);
		svg_add_tick(&t, pow(10, e + 2));
		text_add(&t, SVG_BLANK "% of the step");
		/* Label at the lower right end, where few ops are. */
		svg_label(&s->body, place_x(s, pow(10, xb)) - (xb < s->x1 ? 6 : 2),
			place_y(s, pow(10, e - xb)) - 4, SVG_END, "h", text_string(&t));
	}
	text_release(&d);
	text_release(&t);
}

static void add_single(struct scatter *s, const struct spot *spot, bool titled)
{
	const struct page_row *row = &s->rows->row[spot->row];

	text_printf(&s->body, "<circle class=\"%s\" data-i=\"%zu\" cx=\"",
		spot->outlier ? "so" : "sd", spot->row);
	svg_number(&s->body, spot->x);
	text_add(&s->body, "\" cy=\"");
	svg_number(&s->body, spot->y);
	if (!titled) {
		text_add(&s->body, "\" r=\"3\"/>");
		return;
	}
	text_add(&s->body, "\" r=\"3\"><title>");
	html_add_cut(&s->body, row->name, 120);
	text_add(&s->body, ": share ");
	svg_add_percent(&s->body, row->number.share);
	text_add(&s->body, ", CV ");
	svg_add_percent(&s->body, row->number.cv);
	text_add(&s->body, "</title></circle>");
}

/* The smaller ones: of each cell of the plot and kind of dot one. */
static void add_many(struct scatter *s)
{
	const size_t columns = (size_t)(SVG_WIDTH / CELL) + 1, lines = (size_t)(HEIGHT / CELL) + 1;
	unsigned char *taken = memory_alloc(columns * lines);
	size_t places = 0;
	struct text d[2];

	text_init(&d[0]);
	text_init(&d[1]);
	for (size_t i = SINGLE; i < s->count; i++) {
		const struct spot *spot = &s->spot[i];
		size_t cell = (size_t)(spot->y / CELL) * columns + (size_t)(spot->x / CELL);
		unsigned char bit = spot->outlier ? 2 : 1;

		if (taken[cell] & bit)
			continue;
		taken[cell] |= bit;
		places++;
		svg_move(&d[spot->outlier], round(spot->x), round(spot->y));
		text_add(&d[spot->outlier], "h0");
	}
	if (s->count > SINGLE) {
		text_printf(&s->body, "<g><title>%zu smaller %s in %zu places</title>",
			s->count - SINGLE, s->rows->nouns, places);
		svg_path(&s->body, "sdm", text_string(&d[0]));
		svg_path(&s->body, "som", text_string(&d[1]));
		text_add(&s->body, "</g>");
	}
	text_release(&d[0]);
	text_release(&d[1]);
	memory_free(taken);
}

struct label_box {
	double x0, x1, y;
};

static bool is_free(const struct label_box *box, size_t count, const struct label_box *wanted)
{
	if (wanted->x0 < LEFT || wanted->x1 > SVG_WIDTH || wanted->y < TOP)
		return false;
	for (size_t i = 0; i < count; i++)
		if (wanted->x0 < box[i].x1 && wanted->x1 > box[i].x0 &&
			fabs(wanted->y - box[i].y) < 12)
			return false;
	return true;
}

/* Names beside the dots that are farthest up and right: right of it, left, above, below. */
static void add_names(struct scatter *s)
{
	struct label_box box[NAMED];
	size_t count = 0;
	struct text t;

	text_init(&t);
	for (size_t i = 0; i < s->count && i < NAMED && s->spot[i].jitter > 0; i++) {
		const struct spot *spot = &s->spot[i];

		text_clear(&t);
		plot_add_name(&t, &s->rows->row[spot->row], 40);
		double width = (double)text_width(text_string(&t)) * SVG_EM;
		const struct label_box at[] = {
			{spot->x + 6, spot->x + 6 + width, spot->y + 4},
			{spot->x - 6 - width, spot->x - 6, spot->y + 4},
			{spot->x + 4, spot->x + 4 + width, spot->y - 9},
			{spot->x + 4, spot->x + 4 + width, spot->y + 17},
			{spot->x - 4 - width, spot->x - 4, spot->y - 9},
			{spot->x - 4 - width, spot->x - 4, spot->y + 17},
		};

		for (size_t k = 0; k < sizeof(at) / sizeof(at[0]); k++)
			if (is_free(box, count, &at[k])) {
				box[count++] = at[k];
				svg_label(&s->body, at[k].x0, at[k].y, SVG_START, "k h",
					text_string(&t));
				break;
			}
	}
	text_release(&t);
}

void plot_scatter(struct text *out, const struct web_page *page)
{
	struct scatter s = {.page = page, .rows = &page->rows[PAGE_NAME]};
	struct text label;

	if (page->kept_count < 2 || !scale(&s))
		return;
	text_init(&label);
	text_init(&s.body);
	s.spot = memory_alloc(memory_product(s.rows->count + 1, sizeof(*s.spot)));
	for (size_t i = 0; i < s.rows->count; i++) {
		const struct page_numbers *number = &s.rows->row[i].number;
		bool spread = number->cv > 0;

		if (!(number->share > 0))
			continue;
		s.flat += !spread;
		s.spot[s.count++] = (struct spot){.row = i,
			.x = place_x(&s, number->share),
			.y = spread ? place_y(&s, number->cv) : STRIP,
			.jitter = spread ? number->share * number->cv : -1,
			.outlier = s.rows->row[i].outlier_count > 0};
	}
	qsort(s.spot, s.count, sizeof(*s.spot), compare_spots);
	add_axes(&s);
	add_equal_jitter(&s);
	add_many(&s);
	for (size_t i = s.count < SINGLE ? s.count : SINGLE; i-- > 0;)
		add_single(&s, &s.spot[i], i < NAMED);
	struct text t;

	if (s.flat) {
		text_init(&t);
		text_printf(&t, "%zu without a CV above 0", s.flat);
		svg_label(&s.body, SVG_WIDTH - 8, STRIP + 4, SVG_END, "h", text_string(&t));
		svg_label(&s.body, LEFT - 6, STRIP + 4, SVG_END, NULL, "0");
		text_release(&t);
	}
	add_names(&s);
	text_printf(&label,
		"Share of the step against CV of %zu %s; farthest up and right: ", s.count,
		s.count == 1 ? s.rows->noun : s.rows->nouns);
	plot_add_name(&label, &s.rows->row[s.spot[0].row], 48);
	text_add(&label, " with share ");
	svg_add_percent(&label, s.rows->row[s.spot[0].row].number.share);
	text_add(&label, " and CV ");
	svg_add_percent(&label, s.rows->row[s.spot[0].row].number.cv);
	svg_wrap(out, SVG_WIDTH, HEIGHT, text_string(&label), text_string(&s.body));
	memory_free(s.spot);
	text_release(&s.body);
	text_release(&label);
}
