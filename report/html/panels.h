/*
 * Small multiples: a panel for each run with one scale, and the columns of its steps. Where steps
 * are finer than columns can be, a column is the longest step of its place. It draws no data.
 */
#ifndef STEPSTAT_REPORT_HTML_PANELS_H
#define STEPSTAT_REPORT_HTML_PANELS_H

#include "report/html/svg.h"
#include "report/page/page.h"

/* More runs than that share one panel, one beside the other. */
#define PANEL_RUNS 48
/* Limit for all panels together, or a page of many runs would be too large. */
#define PANEL_COLUMNS 600

struct panel {
	const char *name;    /* of the run; NULL: there is one */
	size_t run;	     /* the first of it */
	size_t first, count; /* its steps in page->step */
};

struct plot_column {
	size_t step;	      /* in page->step: the longest of its place */
	size_t first, after;  /* the steps of its place */
	double x, width;      /* of what is drawn */
	double place_x, room; /* with the gap to its neighbours */
};

struct panels {
	const struct web_page *page;
	struct panel *panel;
	size_t count, per_line, lines;
	double left, gap, width;    /* of a panel */
	double height;		    /* of a line of panels */
	double top, bottom;	    /* of the plot in a line */
	double low, high;	    /* values at bottom and top */
	struct plot_column *column; /* of the panel in hand (panels_columns) */
	size_t column_count;
};

/* Panels of a plot of this width in all; `height` of a line of panels for one run, and for several
 * in one line, two, more. */
void panels_init(
	struct panels *p, const struct web_page *page, double width, const double height[static 4]);
void panels_release(struct panels *p);
/* Upper left corner of a panel. */
double panels_x(const struct panels *p, size_t panel);
double panels_line(const struct panels *p, size_t panel);
/* Place of a value in a panel. */
double panels_y(const struct panels *p, size_t panel, double value);
/* Fills p->column with the columns of a panel; of steps that share a place the one whose `longest`
 * is largest, [page->step_count], NaN below all. */
void panels_columns(struct panels *p, size_t panel, const double *longest);
/* Grid with ticks in `unit`, the unit itself once, the name of the run with `figure` beside it. */
void panels_add_grid(struct text *out, const struct panels *p, size_t panel,
	const struct unit *unit, const char *figure);
/* Numbers of steps below the columns in hand. */
void panels_add_numbers(struct text *out, const struct panels *p, size_t panel);
/* Areas over the columns in hand with data-t. */
void panels_add_hits(struct text *out, const struct panels *p, size_t panel);
/* Adds to d the outline of the columns from `y0` to top[column], where that is y0 nothing. */
void panels_add_outline(struct text *d, const struct panels *p, double y0, const double *top);

#endif
