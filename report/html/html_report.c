/*
 * The sections in the order of the page: answer, steps, ranks, ops, why ranks differ, devices,
 * scopes, share against CV, notes, method. The script draws the plots; everything on them is a
 * sentence or a table, too.
 */
#include "report/html/html_report.h"

#include <math.h>
#include <string.h>
#include "base/names/short_names.h"
#include "base/number.h"
#include "report/html/html_data.h"
#include "report/html/html_number.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/page/page_stack.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define ROWS_WHOLE 300 /* of ops: all are written */
#define ROWS_MOST 200  /* else these, and the script adds the others */
#define SCOPES_MOST 50
#define TABLE_MOST 500 /* rows of other tables */
#define SCATTER_LEAST 3

struct html_maker {
	struct text *out;
	const struct report *report;
	const struct web_page *page;
	struct arena *arena;
	bool *above; /* of each answer: the whole of it stands above the first plot */
};

/* ---- the answer ---- */

/* "3 things were lost, odd or assumed" */
static size_t losses_of(const struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; report->issues && i < report->issues->count; i++)
		n += report->issues->issue[i].severity != ISSUE_INFO;
	return n;
}

/* The first sentence, without what is in brackets, and others while there is room. */
static void add_answer(struct html_maker *m)
{
	const struct report *report = m->report;

	m->above = html_choose_lines(report, NULL);
	for (size_t i = 0; i < report->answer_count; i++) {
		const size_t n = html_answer_length(report, i);
		const bool whole = n == strlen(report->answer[i]);

		if (!m->above[i])
			continue;
		m->above[i] = whole;
		text_add(m->out, i ? "<p class=\"line\">" : "<h1>");
		html_sentence(m->out, arena_printf(m->arena, whole ? "%.*s" : "%.*s.", (int)n,
					      report->answer[i]));
		text_add(m->out, i ? "</p>\n" : "</h1>\n");
	}
	if (report->answer_count)
		return;

	/* Add an answer where the report has no sentence of times. */
	const struct page_numbers *total = &m->page->total.number;

	text_add(m->out, "<h1>A step has <b>");
	html_add_quantity(m->out, m->page->dimension, total->mean, false);
	text_add(m->out, "</b> of ");
	html_add(m->out, m->page->measure);
	if (!isnan(total->cv)) {
		text_add(m->out, ", CV <b>");
		html_add_percent(m->out, total->cv);
		text_add(m->out, " %</b>");
	}
	text_add(m->out, ".</h1>\n");
}

static void add_head(struct html_maker *m)
{
	const size_t losses = losses_of(m->report);

	html_facts(m->out, m->report);
	add_answer(m);
	if (losses)
		text_printf(m->out,
			"<p class=\"line\"><a href=\"#notes\">%zu thing%s lost, odd or "
			"assumed</a></p>\n",
			losses, losses == 1 ? "" : "s");
	html_add_noscript(m->out);
}

/* ---- sections ---- */

static void open_section(
	struct html_maker *m, const char *id, const char *kind, const char *heading)
{
	text_printf(m->out,
		"<section id=\"%s\" class=\"%s\"><div class=\"head\"><h2>%s</h2></div>\n", id, kind,
		heading);
}

/* Words of what only a script does. */
#define CLICK(what) " <span class=\"script\">A click " what ".</span>"

static void close_section(struct html_maker *m, const char *caption)
{
	if (caption)
		text_printf(m->out, "<p class=\"caption\">%s</p>\n", caption);
	text_add(m->out, "</section>\n");
}

static void add_named_table(struct html_maker *m, const char *name, const char *summary)
{
	const struct table *table = html_find_table(m->report, name);

	if (!table)
		return;
	text_printf(m->out, "<details open id=\"%s-table\"><summary>%s</summary>", name, summary);
	html_table(m->out, table, m->arena,
		&(struct html_table_options){.complete = true,
			.most = TABLE_MOST,
			.rest_option = arena_printf(m->arena, "--table=%s -o %s.csv", name, name)});
	text_add(m->out, "</details>\n");
}

static void add_value_cell(
	struct html_maker *m, const struct html_scale *scale, const char *head, double value)
{
	text_add(m->out, "<td class=\"n\"");
	html_add_attribute(m->out, "data-h", head);
	text_add_char(m->out, '>');
	if (!isnan(value))
		html_add_scaled(m->out, scale, value, false);
	text_add(m->out, "</td>");
}

static void add_step_row(struct html_maker *m, const struct html_scale *scale,
	const struct page_stack *stack, const double *level, size_t s)
{
	const struct page_step *step = &m->page->step[s];

	text_add(m->out, "<tr>");
	if (m->page->run_count > 1) {
		text_add(m->out, "<td class=\"text\">");
		html_add(m->out, m->page->run[step->run].name);
		text_add(m->out, "</td>");
	}
	text_add(m->out, "<td class=\"n\" data-h=\"step\">");
	html_add(m->out, step->label);
	text_add(m->out, "</td>");
	add_value_cell(m, scale, "time", page_step_value(m->page, step));
	add_value_cell(m, scale, "neighbours", level[s]);
	for (size_t i = 0; i < stack->count; i++)
		add_value_cell(m, scale, stack->row[i].name, stack->row[i].value[s]);
	text_printf(m->out, "<td class=\"text\">%s</td></tr>\n",
		step->kept ? step->outlier ? "outlier" : "" : step->fate);
}

/* The plot as it is at first: the time of each step, its neighbours, its parts. */
static void add_steps_table(struct html_maker *m)
{
	const struct web_page *page = m->page;
	const size_t count = page->step_count < TABLE_MOST ? page->step_count : TABLE_MOST;
	double *value = arena_array(m->arena, page->step_count, sizeof(*value)), largest = 0;
	struct page_stack stack[PAGE_STACKS];
	struct html_scale scale;
	const double *level;

	page_stacks_make(page, m->arena, stack);
	for (size_t s = 0; s < page->step_count; s++) {
		value[s] = page_step_value(page, &page->step[s]);
		largest = fmax(largest, value[s]);
	}
	level = page_levels(page, value, m->arena);
	scale = html_scale_of(page->dimension, largest);
	text_printf(m->out,
		"<details open id=\"steps-table\"><summary>The steps as a "
		"table%s%s</summary><table "
		"class=\"rows\"><thead><tr>%s<th class=\"n\">step</th><th class=\"n\">time</th><th "
		"class=\"n\">neighbours</th>",
		*scale.unit->name ? ", in " : "", html_unit_name(scale.unit),
		page->run_count > 1 ? "<th>run</th>" : "");
	for (size_t i = 0; i < stack[0].count; i++) {
		text_add(m->out, "<th class=\"n\">");
		html_add(m->out, stack[0].row[i].name);
		text_add(m->out, "</th>");
	}
	text_add(m->out, "<th></th></tr></thead><tbody>\n");
	for (size_t s = 0; s < count; s++)
		add_step_row(m, &scale, &stack[0], level, s);
	text_add(m->out, "</tbody></table>\n");
	if (count < page->step_count)
		text_printf(m->out,
			"<p class=\"how\">%zu more steps: <code>--table=steps -o "
			"steps.csv</code></p>\n",
			page->step_count - count);
	text_add(m->out, "</details>\n");
}

static void add_steps(struct html_maker *m)
{
	open_section(m, "steps", "", "Steps");
	text_add(m->out,
		"<div class=\"two script\"><div class=\"plot\" id=\"steps-plot\"></div><div "
		"class=\"legend\" id=\"steps-legend\"></div></div>\n<p class=\"caption script\" "
		"id=\"steps-how\"></p>\n");
	add_steps_table(m);
	close_section(m, NULL);
}

/* ---- ops ---- */

struct ops_columns {
	struct html_scale mean, second;
	bool cls, type, runs, dots, ran, jitter, second_known, half, cv;
};

static struct ops_columns columns_of(const struct web_page *page, enum page_kind kind)
{
	const struct page_rows *rows = &page->rows[kind];
	struct ops_columns c = {.cls = kind == PAGE_NAME && page->class_count > 1,
		.runs = page->run_count > 1,
		.dots = kind == PAGE_NAME && page->kept_count > 1,
		.jitter = page->kept_count > 1,
		.second_known = page->second,
		.half = isfinite(page->total.number.high - page->total.number.low),
		.cv = !isnan(page->total.number.cv)};
	double mean = 0, second = 0;
	bool whole = true;

	c.type = kind == PAGE_NAME && !c.cls && page->type_count > 1;
	for (size_t i = 0; i < rows->count; i++) {
		const struct page_numbers *n = &rows->row[i].number;

		mean = fmax(mean, fabs(n->mean));
		whole &= n->mean == floor(n->mean);
		second = fmax(second, n->second);
		c.half |= isfinite(n->high - n->low);
		c.cv |= !isnan(n->cv) || rows->row[i].mark;
		c.ran |= kind == PAGE_NAME && n->ran != n->steps;
	}
	/* One that is not whole needs decimals in all. */
	c.mean = html_scale_of(page->dimension, whole ? mean : nextafter(mean, INFINITY));
	c.second = html_scale_of(DIMENSION_BYTES, second);
	return c;
}

/* Attributes are our own words. */
static void add_column(
	struct html_maker *m, const char *attributes, const char *title, const struct unit *unit)
{
	text_printf(m->out, "<th scope=\"col\"%s>", attributes);
	html_add(m->out, title);
	if (unit)
		text_printf(m->out, "<br><span class=\"unit\">%s</span>", html_unit_name(unit));
	text_add(m->out, "</th>");
}

static void add_plot_column(struct html_maker *m, const char *plot, const char *title)
{
	text_printf(m->out,
		"<th scope=\"col\" class=\"cell\" data-plot=\"%s\"><span "
		"class=\"unseen\">%s</span></th>",
		plot, title);
}

static const char *mean_title(const struct html_maker *m)
{
	return m->page->dimension == DIMENSION_TIME
		       ? "time/step"
		       : arena_printf(m->arena, "%s/step", m->page->measure);
}

static void add_columns(struct html_maker *m, const struct ops_columns *c, const char *noun)
{
	const struct web_page *page = m->page;
	char level[NUMBER_TEXT_SIZE];

	text_add(m->out, "<thead><tr>");
	add_column(m, " data-key=\"name\" data-kind=\"text\"", noun, NULL);
	if (c->cls || c->type)
		add_column(m,
			c->cls ? " data-key=\"cls\" data-kind=\"text\""
			       : " data-key=\"type\" data-kind=\"text\"",
			c->cls ? "class" : "type", NULL);
	add_column(m,
		arena_printf(m->arena,
			" class=\"n\" data-key=\"mean\" data-kind=\"time\"%s data-label=\"sum\"",
			page->overlap ? "" : " data-sum"),
		mean_title(m), c->mean.unit);
	add_plot_column(m, "bar", "size");
	if (c->half)
		add_column(m, " class=\"n\" data-key=\"half\" data-kind=\"within\"",
			arena_printf(m->arena, "%s %%",
				number_format_real(level, 100 * page->confidence, 6)),
			NULL);
	add_column(m,
		arena_printf(m->arena,
			" class=\"n\" data-key=\"share\" data-kind=\"percent\"%s "
			"data-label=\"share\"",
			page->overlap ? "" : " data-sum"),
		"share %", NULL);
	if (c->cv)
		add_column(m, " class=\"n\" data-key=\"cv\" data-kind=\"spread\"", "CV %", NULL);
	if (c->runs)
		add_column(m, " class=\"n\" data-key=\"cvrun\" data-kind=\"spread\"", "of runs %",
			NULL);
	if (c->dots)
		add_plot_column(m, "dots", "a dot for each step");
	if (c->jitter)
		add_column(m,
			arena_printf(m->arena,
				" class=\"n\" data-key=\"jitter\" data-kind=\"percent\"%s "
				"data-label=\"jitter\"",
				page->overlap ? "" : " data-sum"),
			"jitter %", NULL);
	if (c->second_known)
		add_column(m,
			" class=\"n\" data-key=\"second\" data-kind=\"bytes\" data-sum "
			"data-label=\"memory\"",
			page->second, c->second.unit);
	if (c->ran)
		add_column(m, " class=\"n\" data-key=\"ran\" data-kind=\"ran\"", "ran", NULL);
	text_add(m->out, "</tr></thead>\n");
}

static void open_cell(struct html_maker *m, const char *key, const char *head)
{
	text_printf(m->out, "<td class=\"n\" data-key=\"%s\" data-h=\"%s\">", key, head);
}

/* A fraction as percent; empty where it is not known. */
static void add_percent_cell(
	struct html_maker *m, const char *key, const char *head, double value, bool fixed)
{
	open_cell(m, key, head);
	if (!isnan(value) && fixed)
		html_add_fixed(m->out, html_rounded(100 * value), 1, false);
	else if (!isnan(value))
		html_add_percent(m->out, value);
}

static void add_cv(struct html_maker *m, double cv, const char *mark)
{
	add_percent_cell(m, "cv", "CV %", cv, false);
	if (mark) {
		text_add(m->out, "<sup>");
		html_add(m->out, mark);
		text_add(m->out, "</sup>");
	}
	text_add(m->out, "</td>");
}

/* The cells of a row but its name. */
static void add_numbers(struct html_maker *m, const struct ops_columns *c,
	const struct page_numbers *n, const char *mark, bool is_row)
{
	const double half = (n->high - n->low) / 2 / n->mean;
	const char *unit = html_unit_name(c->mean.unit);
	const char *head = arena_printf(m->arena, "%s%s%s", mean_title(m), *unit ? ", " : "", unit);

	char number[NUMBER_TEXT_SIZE];

	if (is_row)
		open_cell(m, "mean", head);
	else
		text_printf(m->out,
			"<td class=\"n\" data-key=\"mean\" data-h=\"%s\" data-v=\"%s\">", head,
			number_format_real(number, n->mean / data_unit(m->page), HTML_DIGITS));
	html_add_scaled(m->out, &c->mean, n->mean, false);
	text_add(m->out, "</td><td class=\"cell\" data-plot=\"bar\"></td>");
	if (c->half) {
		open_cell(m, "half", "interval");
		if (isfinite(half)) {
			text_add(m->out, "\u00b1 ");
			html_add_percent(m->out, half);
			text_add(m->out, " %");
		}
		text_add(m->out, "</td>");
	}
	add_percent_cell(m, "share", "share %", is_row ? n->share : 1, true);
	text_add(m->out, "</td>");
	if (c->cv)
		add_cv(m, n->cv, mark);
	if (c->runs) {
		add_percent_cell(m, "cvrun", "of runs %", n->cv_run, false);
		text_add(m->out, "</td>");
	}
	if (c->dots)
		text_add(m->out, "<td class=\"cell\" data-plot=\"dots\"></td>");
	if (c->jitter) {
		add_percent_cell(m, "jitter", "jitter %", n->jitter, true);
		text_add(m->out, "</td>");
	}
	if (c->second_known) {
		open_cell(m, "second", m->page->second);
		if (!isnan(n->second))
			html_add_scaled(m->out, &c->second, n->second, false);
		text_add(m->out, "</td>");
	}
	if (c->ran && is_row)
		text_printf(m->out, "<td class=\"n\" data-key=\"ran\" data-h=\"ran\">%zu/%zu</td>",
			n->ran, n->steps);
	else if (c->ran)
		text_add(m->out, "<td></td>");
	text_add(m->out, "</tr>\n");
}

static void add_sums(struct html_maker *m, const struct ops_columns *c)
{
	const struct web_page *page = m->page;

	text_add(m->out, "</tbody><tfoot><tr><td class=\"name\">");
	html_add(m->out, page->total.label);
	text_add(m->out, c->cls || c->type ? "</td><td></td>" : "</td>");
	add_numbers(m, c, &page->total.number, NULL, false);
	if (!isnan(page->not_in_ops) && c->jitter) {
		/* Add what no row has. */
		text_add(m->out, "<tr class=\"part\"><td class=\"name\">in no op: idle, waiting, "
				 "overlap</td>");
		for (int i = c->cls || c->type ? 0 : 1; i < 4 + c->half + c->cv + c->runs + c->dots;
			i++)
			text_add(m->out, "<td></td>");
		add_percent_cell(m, "jitter", "jitter %", page->not_in_ops, true);
		text_add(m->out, "</td>");
		for (int i = 0; i < c->second_known + c->ran; i++)
			text_add(m->out, "<td></td>");
		text_add(m->out, "</tr>\n");
	}
	text_add(m->out, "</tfoot></table>\n");
}

static void add_rows(struct html_maker *m, enum page_kind kind, const char *id)
{
	const struct page_rows *rows = &m->page->rows[kind];
	const struct ops_columns c = columns_of(m->page, kind);
	const size_t whole = kind == PAGE_SCOPE ? SCOPES_MOST : ROWS_WHOLE;
	const size_t most = rows->count <= whole ? rows->count
			    : kind == PAGE_SCOPE ? SCOPES_MOST
						 : ROWS_MOST;

	text_printf(m->out, "<table class=\"rows\" id=\"%s\">", id);
	add_columns(m, &c, rows->noun);
	text_add(m->out, "<tbody>\n");
	for (size_t i = 0; i < most; i++) {
		const struct page_row *row = &rows->row[i];

		text_printf(m->out, "<tr data-i=\"%zu\"><td class=\"name\">", i);
		html_add_name(m->out,
			!*row->name	     ? NO_NAME
			: kind == PAGE_SCOPE ? row->name
					     : row->short_name,
			row->name);
		text_add(m->out, "</td>");
		if (c.cls || c.type) {
			text_add(m->out, "<td class=\"wide\">");
			html_add(m->out, c.cls ? m->page->class_name[row->class_name]
					       : m->page->type[row->type]);
			text_add(m->out, "</td>");
		}
		add_numbers(m, &c, &row->number, row->mark, true);
	}
	add_sums(m, &c);
	if (most < rows->count)
		text_printf(m->out, "<p class=\"how%s\">%zu more rows: <code>%s</code></p>\n",
			kind == PAGE_SCOPE ? "" : " without", rows->count - most,
			kind == PAGE_SCOPE ? "--by=scope --top=all" : "--top=all");
}

static void add_ops(struct html_maker *m)
{
	open_section(m, "ops", "long", "Ops");
	add_rows(m, PAGE_NAME, "ops-table");
	close_section(m, m->page->kept_count > 1
				 ? "<span class=\"script\">A dot is a step, on one scale of "
				   "factors around the median of "
				   "the row; orange: an outlier.</span>" CLICK("opens a row")
				 : "One step has no spread." CLICK("opens a row"));
}

/* ---- devices and ranks ---- */

static void add_part_rows(struct html_maker *m, const struct page_device *device, const char *group,
	const struct page_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct page_part *part = &parts[i];

		text_add(m->out, "<tr><td>");
		html_add(m->out, device->name);
		text_printf(m->out, "</td><td>%s",
			group		   ? group
			: part->of_idle	   ? "idle: "
			: part->of_compute ? "under compute: "
					   : "");
		html_add(m->out, part->name);
		text_add(m->out, "</td><td class=\"n\" data-h=\"a step\">");
		html_add_quantity(m->out, DIMENSION_TIME, part->mean, false);
		text_add(m->out, "</td><td class=\"n\" data-h=\"of the window\">");
		html_add_percent(m->out, part->mean / device->window);
		text_add(m->out, " %</td><td class=\"n\" data-h=\"interval\">");
		if (!isnan(part->low)) {
			html_add_quantity(m->out, DIMENSION_TIME, part->low, false);
			text_add(m->out, " to ");
			html_add_quantity(m->out, DIMENSION_TIME, part->high, false);
		}
		text_add(m->out, "</td></tr>\n");
	}
}

static void add_devices(struct html_maker *m)
{
	if (!m->page->devices_count)
		return;
	open_section(m, "devices", "", "Devices");
	text_add(m->out,
		"<div class=\"plot script\" id=\"devices-plot\"></div>\n<details "
		"open><summary>As a table, with what the host did while it was "
		"late</summary><table class=\"rows\"><thead><tr><th>device</th><th>part</th><th "
		"class=\"n\">a step</th><th class=\"n\">of the window</th><th "
		"class=\"n\">interval</th></tr></thead><tbody>\n");
	for (size_t d = 0; d < m->page->devices_count; d++) {
		const struct page_device *device = &m->page->devices[d];

		add_part_rows(m, device, NULL, device->part, device->part_count);
		add_part_rows(m, device, "the host was late, outermost: ", device->outermost,
			device->outermost_count);
		add_part_rows(m, device, "the host was late, innermost: ", device->innermost,
			device->innermost_count);
	}
	text_add(m->out, "</tbody></table></details>\n");
	close_section(m, "What each device did in its window, from the start of a step to the "
			 "start of the next: the parts add up to it. This is by time; rows of ops "
			 "are by launch.");
}

static void add_ranks(struct html_maker *m)
{
	if (!m->page->rank_count)
		return;
	open_section(m, "ranks", "", "Ranks");
	text_add(m->out, "<div class=\"plot script\" id=\"ranks-plot\"></div><p class=\"caption "
			 "script\" id=\"ranks-said\"></p>\n");
	add_named_table(m, "ranks",
		m->page->grouped ? "The ranks as a table; excess over the median of all ranks"
				 : "The ranks as a table");
	close_section(m, NULL);
}

static void add_split(struct html_maker *m)
{
	if (!m->page->split_count)
		return;
	open_section(m, "split", "", "Why ranks differ");
	text_add(m->out, "<div class=\"plot script\" id=\"split-plot\"></div>\n");
	add_named_table(m, "split", "The split as a table");
	close_section(m, "Variance over ranks and steps, in percent: always the same ranks, all "
			 "ranks together, changing.");
}

/* ---- scopes, share against CV ---- */

static void add_scopes(struct html_maker *m)
{
	if (!m->page->rows[PAGE_SCOPE].count)
		return;
	open_section(m, "scopes", "", "Scopes");
	text_add(m->out,
		"<div class=\"plot script\" id=\"scopes-plot\"></div><p class=\"said script\" "
		"id=\"scopes-said\"></p>\n<details open><summary>The scopes as a table</summary>");
	add_rows(m, PAGE_SCOPE, "scopes-table");
	text_add(m->out, "</details>\n");
	close_section(m, "From left to right down the names; height is the mean of a step, colour "
			 "how unsteady the scope is as a whole." CLICK("enters a scope"));
}

static void add_scatter(struct html_maker *m)
{
	if (m->page->kept_count < SCATTER_LEAST || m->page->rows[PAGE_NAME].count < SCATTER_LEAST)
		return;
	open_section(m, "scatter", "script", "Share against CV");
	text_add(m->out, "<div class=\"plot\" id=\"scatter-plot\"></div>\n");
	close_section(m, "Right is expensive, up is unsteady; on one slanted line ops make a step "
			 "vary by the same time, if each varies by itself. A click opens the row.");
}

/* ---- notes and method ---- */

static void add_notes(struct html_maker *m)
{
	open_section(m, "notes", "long", "Notes");
	html_notes(m->out, m->report, m->above, NULL);
	close_section(m, NULL);
}

static void add_term(struct html_maker *m, const char *term, const char *value)
{
	text_add(m->out, "<dt>");
	html_add(m->out, term);
	text_add(m->out, "</dt><dd>");
	html_add(m->out, value);
	text_add(m->out, "</dd>");
}

static const char *what_is_in_page(const struct html_maker *m)
{
	const struct page_rows *rows = &m->page->rows[PAGE_NAME];
	size_t left = 0;

	for (size_t i = 0; i < rows->count; i++)
		left += !rows->row[i].value;
	if (!left)
		return arena_printf(m->arena, "%zu %s \u00d7 %zu steps, every value", rows->count,
			rows->nouns, m->page->step_count);
	return arena_printf(m->arena,
		"%zu %s \u00d7 %zu steps; of the %zu smallest the quantiles and the farthest "
		"outliers of the steps",
		rows->count, rows->nouns, m->page->step_count, left);
}

static void add_code(struct html_maker *m, const char *term, const char *value)
{
	if (!value)
		return;
	text_printf(m->out, "<dt>%s</dt><dd><code>", term);
	html_add(m->out, value);
	text_add(m->out, "</code></dd>");
}

static void add_method(struct html_maker *m)
{
	const struct web_page *page = m->page;
	const char *const word[][2] = {
		{"share", page->overlap ? "sum of the row / sum of all ops; rows overlap"
					: "sum of the row / sum of all ops; adds up to 100 %"},
		{"CV", page->population ? "standard deviation with the divisor n / mean over the "
					  "steps; several runs: within runs"
					: "standard deviation / mean over the steps; several runs: "
					  "within runs"},
		{"jitter",
			"cov(x, T) / var(T): of a step that is 1 ms too long, this part is usually "
			"found in the row. T is the step time where steps are marked, else the op "
			"time. Negative: it is short when others are long"},
		{"interval",
			"mean \u2213 t sd / \u221an, longer where steps may be correlated "
			"(n_eff: what they count as); several runs: t over the run means; none "
			"where steps lie on two levels, or with n_eff below 5 (5 steps, and 50 "
			"and more)"},
		{"neighbours", "the median of the four nearest kept steps of the run"},
		{"outlier", "farther than 10 \u00d7 1.4826 MAD from the median"}};

	open_section(m, "method", "long", "Method");
	text_add(m->out, "<dl class=\"pairs\">");
	add_code(m, "command", page->command);
	add_term(m, "program", page->version);
	if (page->resolution > 0 && page->dimension == DIMENSION_TIME) {
		text_add(m->out, "<dt>resolution</dt><dd>");
		html_add_quantity(m->out, DIMENSION_TIME, page->resolution, false);
		text_add(m->out, ", the step of the recorded times</dd>");
	}
	if (page->has_step_time)
		add_term(m, "step time",
			arena_printf(m->arena, "%s (--step-time)", page->step_time_of));
	add_term(m, "in this file", what_is_in_page(m));
	for (size_t i = 0; i < COUNT(word); i++)
		add_term(m, word[i][0], word[i][1]);
	add_code(m, "the means in SQL", page->sql);
	text_add(m->out, "</dl>\n");
	close_section(m, NULL);
}

void html_report(struct text *out, const struct report *report, const struct web_page *page)
{
	struct html_maker m = {.out = out, .report = report, .page = page, .arena = report->arena};

	add_head(&m);
	add_steps(&m);
	add_ranks(&m);
	add_ops(&m);
	add_split(&m);
	add_devices(&m);
	add_scopes(&m);
	add_scatter(&m);
	add_notes(&m);
	add_method(&m);
}
