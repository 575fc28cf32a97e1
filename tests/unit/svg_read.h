/*
 * Plots of a page read back from their markup, for tests: outlines and dashes of paths, the scale
 * of the axis, and whether all of it is ours.
 */
#ifndef STEPSTAT_TESTS_UNIT_SVG_READ_H
#define STEPSTAT_TESTS_UNIT_SVG_READ_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/number.h"
#include "base/text.h"
#include "report/html/plots.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The attribute d of the first path of this class from `from` on; *after: where it ends. */
static inline const char *path_of(const char *from, const char *class_name, const char **after)
{
	char start[64];

	snprintf(start, sizeof(start), "<path class=\"%s\"", class_name);
	const char *found = strstr(from, start);

	if (!found)
		return NULL;
	found = strstr(found, " d=\"") + 4;
	if (after)
		*after = strchr(found, '"');
	return found;
}

/* The number at *at, which moves behind it. */
static inline double read_number(const char **at)
{
	size_t n = strspn(*at, "-.0123456789");
	double value;

	assert_true(number_parse_real(*at, n, &value));
	*at += n;
	return value;
}

struct reader {
	const char *at;
	double x, y, start_x, start_y;
	char command;
};

/* The next command of M, m, h, H, v, V, z, carried out; false at the end. */
static inline bool read_command(struct reader *r)
{
	double a;

	if (*r->at == '"' || !*r->at)
		return false;
	r->command = *r->at++;
	if (r->command == 'z') {
		r->x = r->start_x;
		r->y = r->start_y;
		return true;
	}
	a = read_number(&r->at);
	switch (r->command) {
	case 'M':
	case 'm': {
		double b = (r->at++, read_number(&r->at)); /* behind the blank */

		r->x = r->command == 'M' ? a : r->x + a;
		r->y = r->command == 'M' ? b : r->y + b;
		r->start_x = r->x;
		r->start_y = r->y;
		break;
	}
	case 'h':
		r->x += a;
		break;
	case 'H':
		r->x = a;
		break;
	case 'v':
		r->y += a;
		break;
	case 'V':
		r->y = a;
		break;
	default:
		fail_msg("command %c", r->command);
	}
	return true;
}

/* The y of the outline above (or below) place x, y0 where nothing is drawn there. */
static inline double outline_at(const char *d, double x, double y0, bool above)
{
	struct reader r = {.at = d};
	double found = y0, before = 0;

	if (!d)
		return y0;
	while (read_command(&r)) {
		if (r.command == 'H' && before < x && x < r.x)
			found = above ? fmin(found, r.y) : fmax(found, r.y);
		before = r.x;
	}
	return found;
}

/* The y of the dash over place x. */
static inline double dash_at(const char *d, double x)
{
	struct reader r = {.at = d};
	double before = 0;

	while (d && read_command(&r)) {
		if (r.command == 'h' && before < x && x < r.x)
			return r.y;
		before = r.x;
	}
	return NAN;
}

static inline size_t count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* The line of value 0. */
static inline double zero_y(const char *svg)
{
	const char *d = path_of(svg, "axis", NULL);
	struct reader r = {.at = d};

	assert_non_null(d);
	assert_true(read_command(&r));
	return r.y - 0.5; /* lines are on whole pixels */
}

/* px of one ms, from the labels of the axis. */
static inline double px_per_ms(const char *svg, double y0)
{
	double most = 0, scale = 0;

	for (const char *at = svg; (at = strstr(at, "<text x=\"38\" y=\""));) {
		double y, value;

		at += 16;
		y = read_number(&at);
		at = strchr(at, '>') + 1;
		if (strspn(at, "-.0123456789") == 0 || *at == '-')
			continue;
		value = read_number(&at);
		if (value > most) {
			most = value;
			scale = (y0 + 4.5 - y) / value;
		}
	}
	return scale;
}

/* Markup is ours: known elements, known attributes, quoted values without < and quotes. */
static inline void assert_clean(const char *s)
{
	static const char *const elements[] = {
		"svg", "g", "path", "rect", "circle", "text", "title"};
	static const char *const attributes[] = {"width", "height", "viewBox",
		"preserveAspectRatio", "role", "aria-label", "class", "d", "x", "y", "cx", "cy",
		"r", "text-anchor", "fill", "pointer-events", "stroke-width", "data-t", "data-i",
		"data-r"};
	size_t depth = 0;

	while ((s = strchr(s, '<'))) {
		bool closing = *++s == '/', known = false, open = true;
		size_t n;

		s += closing;
		n = strspn(s, "abcdefghijklmnopqrstuvwxyz");
		for (size_t i = 0; i < COUNT(elements); i++)
			known = known || (strlen(elements[i]) == n && !strncmp(elements[i], s, n));
		assert_true(known);
		s += n;
		while (*s == ' ') {
			known = false;
			n = strcspn(++s, "=");
			for (size_t i = 0; i < COUNT(attributes); i++)
				known = known || (strlen(attributes[i]) == n &&
							 !strncmp(attributes[i], s, n));
			assert_true(known);
			s += n;
			assert_memory_equal(s, "=\"", 2);
			s += 2;
			n = strcspn(s, "\"<>");
			s += n;
			assert_int_equal(*s, '"');
			s++;
		}
		if (*s == '/') {
			open = false;
			s++;
		}
		assert_int_equal(*s, '>');
		if (closing)
			depth--;
		else if (open)
			depth++;
	}
	assert_int_equal(depth, 0);
}

static inline void plot_all(struct text *t, const struct web_page *page)
{
	plot_steps(t, page);
	plot_excess(t, page);
	plot_scatter(t, page);
	for (size_t d = 0; d < page->devices_count; d++)
		plot_parts(t, page, d);
	plot_ranks(t, page);
	plot_split(t, page);
	plot_scopes(t, page);
	for (size_t i = 0; i < page->rows[PAGE_NAME].count && i < 24; i++) {
		plot_row_mean(
			t, &page->rows[PAGE_NAME].row[i], page->rows[PAGE_NAME].row[0].number.mean);
		plot_row_steps(t, page, &page->rows[PAGE_NAME].row[i]);
	}
}

#endif
