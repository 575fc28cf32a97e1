/* Heights start at 0, so that what looks twice as high is twice as much; steps that share a mark
 * show the largest of them, so that none that stands out is lost. */
#include "writers/text_strips.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"

#define BAR_WIDTH 8
#define STEPS_LEAST 6  /* columns of a strip of steps, unless there are fewer steps */
#define STEPS_USUAL 24 /* names are shortened for this many, not for more */
#define STEPS_MOST 96
#define RUN_LEAST 3 /* columns of one run, to be told from its neighbours */
#define BAND_LEAST 15
#define BAND_USUAL 21
#define BAND_MOST 41
#define BAND_MARGINS 10 /* larger changes are beyond the strip */
#define LEVELS 8

struct glyphs {
	const char *level[LEVELS + 1]; /* of a step; 0: nothing */
	const char *eighth[LEVELS];    /* of the end of a bar; 0: nothing */
	const char *full, *unknown, *between_runs;
	const char *line, *crossing, *change, *margin, *zero, *beyond_left, *beyond_right;
};

static const struct glyphs glyphs[] = {
	[BARS_ASCII] = {.level = {" ", "_", ".", ":", "-", "=", "+", "*", "#"},
		.eighth = {"", "", "", "", "#", "#", "#", "#"},
		.full = "#",
		.unknown = "?",
		.between_runs = "|",
		.line = "-",
		.crossing = "+",
		.change = "#",
		.margin = ":",
		.zero = "|",
		.beyond_left = "<",
		.beyond_right = ">"},
	[BARS_BLOCKS] = {.level = {" ", "\342\226\201", "\342\226\202", "\342\226\203",
				 "\342\226\204", "\342\226\205", "\342\226\206", "\342\226\207",
				 "\342\226\210"}, /* U+2581 to U+2588 */
		.eighth = {"", "\342\226\217", "\342\226\216", "\342\226\215", "\342\226\214",
			"\342\226\213", "\342\226\212", "\342\226\211"}, /* U+258F to U+2589 */
		.full = "\342\226\210",
		.unknown = "\302\267",		 /* U+00B7 */
		.between_runs = "\342\224\202",	 /* U+2502 */
		.line = "\342\224\200",		 /* U+2500 */
		.crossing = "\342\224\274",	 /* U+253C */
		.change = "\342\226\240",	 /* U+25A0 */
		.margin = "\342\224\212",	 /* U+250A */
		.zero = "\342\224\202",		 /* U+2502 */
		.beyond_left = "\342\227\202",	 /* U+25C2 */
		.beyond_right = "\342\226\270"}, /* U+25B8 */
};

#define OUTLIER_COLOR "33"

const char *tone_color(enum tone tone)
{
	static const char *const color[] = {
		[TONE_PLAIN] = "", [TONE_WORSE] = "31", [TONE_BETTER] = "32", [TONE_OPEN] = "33"};

	return color[tone];
}

static const struct glyphs *glyphs_of(const struct strips *strips)
{
	return &glyphs[strips->opt->bars];
}

static bool is_shown(const struct strips *strips, const struct row *row)
{
	return writer_row_shown(row, strips->opt->complete);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- what is shown ---- */

/* The largest of the column but for the total. */
static double find_bar_scale(const struct strips *strips)
{
	double largest = 0, size;

	for (size_t i = 0; i < strips->table->row_count; i++) {
		const struct row *row = &strips->table->row[i];

		if (is_shown(strips, row) && row->role != ROW_TOTAL &&
			writer_cell_value(&row->cell[strips->bar_of], &size))
			largest = fmax(largest, size);
	}
	return largest;
}

static double largest_end(const struct band *band)
{
	double largest = fabs(band->change);

	if (isfinite(band->low) && isfinite(band->high))
		largest = fmax(largest, fmax(fabs(band->low), fabs(band->high)));
	return isfinite(largest) ? largest : 0;
}

/* 0 without a row that has a change. */
static double find_band_scale(const struct strips *strips)
{
	double largest = 0, margin = 0;

	for (size_t i = 0; i < strips->table->row_count; i++) {
		const struct row *row = &strips->table->row[i];

		if (!is_shown(strips, row) || !row->band)
			continue;
		largest = fmax(largest, largest_end(row->band));
		if (isfinite(row->band->margin))
			margin = fmax(margin, row->band->margin);
	}
	if (!(largest > 0))
		return 0;
	if (margin > 0)
		largest = fmax(fmin(largest, BAND_MARGINS * margin), 2 * margin);

	/* 1, 2 or 5 times a power of ten, at least x. */
	double power = pow(10, floor(log10(largest)));

	for (;; power *= 10) {
		const double part[] = {power, 2 * power, 5 * power};

		for (size_t i = 0; i < 3; i++)
			if (part[i] >= largest * (1 - 1e-9))
				return part[i];
	}
}

static bool has_steps(const struct strips *strips)
{
	if (strips->report->steps.count < 2)
		return false;
	for (size_t i = 0; i < strips->table->row_count; i++)
		if (is_shown(strips, &strips->table->row[i]) && strips->table->row[i].steps)
			return true;
	return false;
}

/* The longest strip of a row with a mark for each step. */
static size_t marks_of_steps(const struct strips *strips)
{
	const struct report_steps *steps = &strips->report->steps;
	size_t most = 0;

	for (size_t i = 0; i < strips->table->row_count; i++) {
		const struct row_steps *of = strips->table->row[i].steps;

		if (!of || !is_shown(strips, &strips->table->row[i]))
			continue;
		size_t marks = steps->first[of->run_first + of->run_count] -
			       steps->first[of->run_first] + of->run_count - 1;

		most = marks > most ? marks : most;
	}
	return least(most, STEPS_MOST);
}

static void plan_bar(struct strips *strips, size_t room, size_t gap)
{
	strips->bar_scale = strips->bar_of == SIZE_MAX ? 0 : find_bar_scale(strips);
	if (strips->bar_scale > 0 && gap + BAR_WIDTH <= room)
		strips->bar_width = BAR_WIDTH;
}

void strips_plan(struct strips *strips, size_t room, size_t bar_of, size_t gap)
{
	size_t usual, fewest;

	strips->bar_of = bar_of;
	if (strips->opt->bars == BARS_NONE)
		return;
	strips->band_scale = find_band_scale(strips);
	if (strips->band_scale > 0) {
		strips->kind = STRIP_BAND;
		strips->most = BAND_MOST;
		usual = BAND_USUAL;
		fewest = BAND_LEAST;
	} else if (has_steps(strips)) {
		/* The title of this strip, "steps", has 5 columns. */
		size_t marks = marks_of_steps(strips);

		strips->kind = STRIP_STEPS;
		strips->most = marks > 5 ? marks : 5;
		usual = least(strips->most, STEPS_USUAL);
		fewest = least(strips->most, STEPS_LEAST);
		strips->value = memory_alloc(
			memory_product(strips->report->steps.count, sizeof(*strips->value)));
		strips->outlier = memory_alloc(strips->report->steps.count);
	} else {
		plan_bar(strips, room, gap);
		return;
	}
	if (room < gap + fewest) {
		strips->kind = STRIP_NONE;
		plan_bar(strips, room, gap);
		return;
	}
	if (room >= 2 * gap + usual + BAR_WIDTH)
		plan_bar(strips, room, gap);
	room -= strips->bar_width ? gap + strips->bar_width : 0;
	strips->width = least(usual, room - gap);
}

void strips_widen(struct strips *strips, size_t room)
{
	if (strips->kind == STRIP_NONE)
		return;
	strips->width = least(strips->width + room, strips->most);
	if (strips->kind == STRIP_BAND && strips->width % 2 == 0)
		strips->width--; /* 0 is in the middle */
}

void strips_release(struct strips *strips)
{
	memory_free(strips->value);
	memory_free(strips->outlier);
	strips->value = NULL;
	strips->outlier = NULL;
}

size_t strips_width(const struct strips *strips, size_t gap)
{
	return (strips->bar_width ? gap + strips->bar_width : 0) +
	       (strips->kind != STRIP_NONE ? gap + strips->width : 0);
}

/* ---- bars ---- */

void strips_add_bar(const struct strips *strips, const struct row *row, struct text *out)
{
	const struct glyphs *g = glyphs_of(strips);
	double size;
	size_t eighths = 0, used;

	if (row && row->role != ROW_TOTAL && writer_cell_value(&row->cell[strips->bar_of], &size) &&
		size > 0) {
		eighths = (size_t)round(
			fmin(size / strips->bar_scale, 1) * (double)(LEVELS * strips->bar_width));
		eighths = eighths ? eighths : 1;
	}
	for (size_t i = 0; i < eighths / LEVELS; i++)
		text_add(out, g->full);
	used = eighths / LEVELS;
	if (*g->eighth[eighths % LEVELS]) {
		text_add(out, g->eighth[eighths % LEVELS]);
		used++;
	}
	text_add_repeat(out, ' ', strips->bar_width - used);
}

/* ---- steps ---- */

/* Goes on with the colour of what is before where that is the same. */
static void add_colored(
	const struct strips *strips, const char *glyph, const char *color, struct text *out)
{
	static const char end[] = "\033[0m";
	const char *before;

	if (!strips->opt->color || !*color) {
		text_add(out, glyph);
		return;
	}
	before = text_ends(text_string(out), end) ? out->data + out->size - strlen(end) : NULL;
	while (before && before > out->data && *--before != '\033')
		;
	if (before && text_starts(before, "\033[") && text_starts(before + 2, color)) {
		out->size -= strlen(end);
		out->data[out->size] = '\0';
	} else {
		text_printf(out, "\033[%sm", color);
	}
	text_printf(out, "%s%s", glyph, end);
}

/* The largest of steps from..to - 1, which are not none. */
static void add_mark(
	const struct strips *strips, size_t from, size_t to, double top, struct text *out)
{
	const struct glyphs *g = glyphs_of(strips);
	double largest = NAN;
	bool outlier = false;
	size_t level = 0;

	for (size_t i = from; i < to; i++) {
		largest = fmax(largest, strips->value[i]);
		outlier |= strips->outlier[i];
	}
	if (isnan(largest)) {
		text_add(out, g->unknown);
		return;
	}
	if (largest > 0)
		level = (size_t)fmin(fmax(round(LEVELS * largest / top), 1), LEVELS);
	add_colored(strips, g->level[level], outlier ? OUTLIER_COLOR : "", out);
}

/* Steps from..to - 1 in at most `width` marks; how many. */
static size_t add_marks(const struct strips *strips, size_t from, size_t to, size_t width,
	double top, struct text *out)
{
	size_t n = to - from, marks = least(n, width);

	for (size_t k = 0; k < marks; k++)
		add_mark(strips, from + k * n / marks, from + (k + 1) * n / marks, top, out);
	return marks;
}

/* Columns of run r, where runs have parts of their own, as long as they are. */
static size_t room_of_run(const struct strips *strips, const struct row_steps *of, size_t r)
{
	const size_t *first = strips->report->steps.first + of->run_first;
	const size_t n = first[of->run_count] - first[0], room = strips->width - of->run_count + 1;

	return (first[r + 1] - first[0]) * room / n - (first[r] - first[0]) * room / n;
}

/* True if all runs have parts of their own, with a line between them. */
static bool tells_runs_apart(const struct strips *strips, const struct row_steps *of)
{
	const size_t *first = strips->report->steps.first + of->run_first;

	if (of->run_count < 2 || strips->width < of->run_count)
		return false;
	for (size_t r = 0; r < of->run_count; r++)
		if (room_of_run(strips, of, r) < least(first[r + 1] - first[r], RUN_LEAST))
			return false;
	return true;
}

static void add_steps(const struct strips *strips, const struct row *row, struct text *out)
{
	const struct report_steps *steps = &strips->report->steps;
	const struct row_steps *of = row->steps;
	const size_t *first;
	size_t used = 0, last;
	double top;

	if (of && steps->read(of, strips->value, strips->outlier)) {
		first = steps->first + of->run_first;
		last = first[of->run_count];

		/* Twice the mean, or the largest step. */
		double sum = 0, largest = 0;
		size_t n = 0;

		for (size_t i = first[0]; i < last; i++) {
			if (isnan(strips->value[i]))
				continue;
			sum += strips->value[i];
			largest = fmax(largest, strips->value[i]);
			n++;
		}
		top = n ? fmax(largest, 2 * sum / (double)n) : 0;
		if (!tells_runs_apart(strips, of))
			used = add_marks(strips, first[0], last, strips->width, top, out);
		else
			for (size_t r = 0; r < of->run_count; r++) {
				text_add(out, r ? glyphs_of(strips)->between_runs : "");
				used += add_marks(strips, first[r], first[r + 1],
						room_of_run(strips, of, r), top, out) +
					(r > 0);
			}
	}
	text_add_repeat(out, ' ', strips->width - used);
}

/* ---- intervals of changes ---- */

/* A column of the strip; *beyond: -1 or 1 where x is not on it. */
static size_t place_of(const struct strips *strips, double x, int *beyond)
{
	double middle = (double)(strips->width / 2);
	double place = middle + round(x / strips->band_scale * middle);

	*beyond = place < 0 ? -1 : place > 2 * middle ? 1 : 0;
	return (size_t)fmin(fmax(place, 0), 2 * middle);
}

static void put(const char **cell, const struct strips *strips, double x, const char *glyph)
{
	int beyond;
	size_t at = place_of(strips, x, &beyond);

	if (!beyond)
		cell[at] = glyph;
}

static void draw_band(const struct strips *strips, const struct band *band, const char **cell)
{
	const struct glyphs *g = glyphs_of(strips);
	int left = 0, right = 0, beyond;

	put(cell, strips, 0, g->zero);
	if (band->margin > 0 && isfinite(band->margin)) {
		put(cell, strips, -band->margin, g->margin);
		put(cell, strips, band->margin, g->margin);
	}
	if (!isnan(band->low) && !isnan(band->high)) {
		size_t from = place_of(strips, band->low, &left);
		size_t to = place_of(strips, band->high, &right);

		for (size_t i = from; i <= to; i++)
			cell[i] = cell[i] == g->margin ? g->crossing : g->line;
	}
	put(cell, strips, band->change, g->change);
	place_of(strips, band->change, &beyond);
	if (left < 0 || beyond < 0)
		cell[0] = g->beyond_left;
	if (right > 0 || beyond > 0)
		cell[strips->width - 1] = g->beyond_right;
}

void strips_add(const struct strips *strips, const struct row *row, struct text *out)
{
	if (row && strips->kind == STRIP_STEPS) {
		add_steps(strips, row, out);
	} else if (row) {
		const struct glyphs *g = glyphs_of(strips);
		const char *cell[BAND_MOST];

		for (size_t i = 0; i < strips->width; i++)
			cell[i] = " ";
		if (row->band && isfinite(row->band->change))
			draw_band(strips, row->band, cell);
		for (size_t i = 0; i < strips->width; i++) {
			bool is_axis =
				cell[i] == g->zero || cell[i] == g->margin || *cell[i] == ' ';

			add_colored(strips, cell[i], is_axis ? "" : tone_color(row->tone), out);
		}
	} else if (strips->kind == STRIP_BAND) {
		/* "-20% 0 +20%" */
		char number[NUMBER_TEXT_SIZE];
		size_t side, half = strips->width / 2;

		number_format_real(number, 100 * strips->band_scale, 3);
		side = strlen(number) + 2;
		if (side >= half) {
			text_add_repeat(out, ' ', strips->width);
			return;
		}
		text_printf(out, "-%s%%", number);
		text_add_repeat(out, ' ', half - side);
		text_add_char(out, '0');
		text_add_repeat(out, ' ', half - side);
		text_printf(out, "+%s%%", number);
	} else {
		text_add(out, "steps");
		text_add_repeat(out, ' ', strips->width - 5);
	}
}

void strips_explain(const struct strips *strips, struct text *out)
{
	const struct glyphs *g = glyphs_of(strips);

	if (strips->kind == STRIP_STEPS)
		text_printf(out,
			"steps: a mark is a step%s; heights are from 0 to twice the mean of the "
			"row, or to its largest step%s",
			strips->width < marks_of_steps(strips) ? ", or the largest of a few" : "",
			strips->opt->color ? "; coloured: outliers" : "");
	else if (strips->kind == STRIP_BAND)
		text_printf(out, "%s is the change, %s its interval, %s the margin, %s no change",
			g->change, g->line, g->margin, g->zero);
}

/* ---- A number and its unit ("41.82 ms", "5 %") are one word; all blanks that stood between two
 * words are kept unless the line is broken there ---- */

struct text_word {
	const char *start;
	size_t bytes, width, blanks; /* blanks before it */
};

static bool is_short_word(const char *s)
{
	size_t n = strcspn(s, " ");

	return n > 0 && (n <= 2 || (n == 3 && strchr(",;.)", s[2])));
}

static const char *word_end(const char *s)
{
	for (;;) {
		s += strcspn(s, " ");
		if (s[0] == '\0' || s[-1] < '0' || s[-1] > '9' || !is_short_word(s + 1))
			return s;
		s++;
	}
}

static struct text_word word_next(const char **s, struct text *scratch)
{
	struct text_word word = {.blanks = strspn(*s, " ")};
	const char *end;

	word.start = *s + word.blanks;
	end = *word.start ? word_end(word.start) : word.start;
	word.bytes = (size_t)(end - word.start);
	text_clear(scratch);
	text_add_bytes(scratch, word.start, word.bytes);
	word.width = text_width(text_string(scratch));
	*s = end;
	return word;
}

size_t words_in_line(const char *s, size_t room, struct text *scratch)
{
	const char *rest = s, *gap = NULL;
	size_t used = 0;

	while (*rest) {
		const char *before = rest;
		struct text_word word = word_next(&rest, scratch);

		if (before != s && used + word.blanks + word.width > room) {
			if (word.bytes == 0)
				break;
			return (size_t)((gap && word.blanks < 2 ? gap : before) - s);
		}
		if (before != s && word.blanks >= 2 && used >= room / 3)
			gap = before;
		used += word.blanks + word.width;
	}
	return strlen(s);
}
