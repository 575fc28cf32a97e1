/*
 * The sections in the order of the page. One without data is left out, also in the list of
 * sections.
 */
#include "report/html/html_report.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/unit.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/html/plots.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define STEPS_MOST 500 /* rows of a table in the page */
#define RANKS_MOST 300
#define MEMORY_MOST 12

struct html_maker {
	struct text *out;
	const struct report *report;
	const struct web_page *page;
	struct arena *arena;
};

/* ---- figures ---- */

static const char *quantity(struct arena *arena, enum dimension dimension, double value)
{
	const struct unit *unit = unit_choose(dimension, fabs(value));
	char number[NUMBER_TEXT_SIZE];

	if (isnan(value))
		return "-";
	return arena_printf(arena, "%s%s%s",
		number_format_fixed(number, value / (double)unit->factor,
			unit->factor == 1 && value == floor(value) ? 0 : 2),
		*unit->name ? " " : "", unit->name);
}

static const char *percent(struct arena *arena, double fraction)
{
	char number[NUMBER_TEXT_SIZE];

	if (isnan(fraction))
		return "-";
	return arena_printf(arena, "%s %%",
		number_format_fixed(number, 100 * fraction, fabs(fraction) < 0.0995 ? 1 : 0));
}

/* "± 2.1 % at 95 %" */
static const char *interval(const struct html_maker *m, const struct page_numbers *n)
{
	char number[NUMBER_TEXT_SIZE];

	if (isnan(n->low) || !(n->mean > 0))
		return "no interval";
	return arena_printf(m->arena, "± %s at %s %%",
		percent(m->arena, (n->high - n->low) / 2 / n->mean),
		number_format_real(number, 100 * m->page->confidence, 6));
}

static const char *spread(const struct html_maker *m, const struct page_numbers *n)
{
	if (isnan(n->cv_run))
		return "from step to step";
	return arena_printf(m->arena, "%s between runs", percent(m->arena, n->cv_run));
}

static const char *which_steps(const struct html_maker *m)
{
	const struct web_page *page = m->page;
	const size_t left = page->step_count - page->kept_count;
	const char *runs =
		page->run_count > 1 ? arena_printf(m->arena, "of %zu runs, ", page->run_count) : "";

	if (!left)
		return arena_printf(m->arena, "%snone left out", runs);
	return arena_printf(m->arena, "%s%zu left out", runs, left);
}

/* "Longest: step 6, 27.30 ms, 9.20 ms over the median step; OP took 16.20 ms instead of 0.10
 * ms." */
static void add_longest(struct html_maker *m)
{
	const struct web_page *page = m->page;
	struct page_cause cause;

	if (page->kept_count < 3 || page->longest == page->step_count)
		return;
	const struct page_step *step = &page->step[page->longest];
	const double value = page_step_value(page, step);

	if (!(value > page->median))
		return;
	text_add(m->out, "<p class=\"second\">Longest: <b>step ");
	html_add(m->out, step->label);
	if (page->run_count > 1) {
		text_add(m->out, " of ");
		html_add(m->out, page->run[step->run].name);
	}
	text_add(m->out, "</b>, ");
	html_add(m->out, quantity(m->arena, page->dimension, value));
	text_add(m->out, ", <b>");
	html_add(m->out, quantity(m->arena, page->dimension, value - page->median));
	text_add(m->out, "</b> over the median step; ");
	if (page_cause_of(page, page->longest, &cause)) {
		const double part = (cause.value - cause.usual) / (value - page->median);

		if (part < 0.5)
			text_add(m->out, "spread over several, most of it in ");
		if (cause.row)
			html_add(m->out, cause.row->short_name);
		else
			html_add(m->out,
				arena_printf(m->arena, "%s%s%s on %s",
					cause.part->of_idle ? "idle (" : "", cause.part->name,
					cause.part->of_idle ? ")" : "", cause.device->name));
		html_add(m->out, arena_printf(m->arena, "%s %s instead of %s.",
					 part < 0.5  ? ":"
					 : cause.row ? " took"
						     : " was",
					 quantity(m->arena, page->dimension, cause.value),
					 quantity(m->arena, page->dimension, cause.usual)));
		if (part > 1.25)
			text_add(m->out, " That is more than the excess: usual steps have other "
					 "long parts.");
		if (cause.row && page->rank_count && page->class_count &&
			strcmp(page->class_name[cause.row->class_name], "communication") == 0)
			text_add(m->out, " Waiting for other ranks is in it.");
	} else
		text_add(m->out, "nothing alone makes it long.");
	text_add(m->out, "</p>\n");
}

static void add_figures(struct html_maker *m)
{
	const struct web_page *page = m->page;
	const struct page_numbers *total = &page->total.number;
	const struct page_numbers *first = page->has_step_time ? &page->step_time : total;

	text_add(m->out, "<dl class=\"figures\">");
	if (page->has_step_time)
		html_figure(m->out, "step time", quantity(m->arena, DIMENSION_TIME, first->mean),
			interval(m, first));
	html_figure(m->out,
		page->dimension == DIMENSION_TIME
			? "op time per step"
			: arena_printf(m->arena, "%s per step", page->measure),
		quantity(m->arena, page->dimension, total->mean),
		page->has_step_time ? NULL : interval(m, total));
	for (size_t d = 0; d < m->page->devices_count && d < 3; d++) {
		const struct page_device *device = &m->page->devices[d];
		double busy = 0;

		for (size_t i = 0; i < device->part_count; i++)
			if (!device->part[i].of_idle && !device->part[i].of_compute &&
				strcmp(device->part[i].name, "idle") != 0)
				busy += device->part[i].mean;
		html_figure(m->out, arena_printf(m->arena, "%s busy", device->name),
			percent(m->arena, busy / device->window), "of its window");
	}
	if (page->kept_count > 1)
		html_figure(m->out, "CV", percent(m->arena, first->cv), spread(m, first));
	if (page->rank_count)
		html_figure(m->out, "ranks", arena_printf(m->arena, "%zu", page->rank_count), NULL);
	html_figure(
		m->out, "steps", arena_printf(m->arena, "%zu", page->kept_count), which_steps(m));
	html_figure(m->out, page->rows[PAGE_NAME].nouns,
		arena_printf(m->arena, "%zu", page->rows[PAGE_NAME].count),
		page->rows[PAGE_TYPE].count
			? arena_printf(m->arena, "%zu types", page->rows[PAGE_TYPE].count)
			: NULL);
	if (page->second && !isnan(total->second))
		html_figure(m->out, page->second,
			quantity(m->arena, DIMENSION_BYTES, total->second), "per step");
	text_add(m->out, "</dl>\n");
}

/* ---- sections ---- */

/* Opens a section; its heading and the sentence that says how to read it are our own words. */
static void open_section(struct html_maker *m, const char *id, const char *heading, const char *how)
{
	text_printf(m->out, "<section id=\"%s\"><div class=\"head\"><h2>%s</h2><p>%s</p>", id,
		heading, how);
}

static void close_section(struct html_maker *m)
{
	text_add(m->out, "</section>\n");
}

static void add_box(struct html_maker *m, const char *id, const char *class_name,
	void (*plot)(struct text *, const struct web_page *))
{
	text_printf(m->out, "<div id=\"%s\" class=\"%s\" tabindex=\"0\">", id, class_name);
	plot(m->out, m->page);
	text_add(m->out, "</div>\n");
}

/* Name of the sum of a step's rows. */
static const char *sum_name(const struct html_maker *m)
{
	return m->page->dimension == DIMENSION_TIME
		       ? "op time"
		       : arena_printf(m->arena, "sum of %s", m->page->measure);
}

static void add_steps(struct html_maker *m)
{
	const struct table *table = html_find_table(m->report, "steps");
	const bool of_step = m->page->has_step_time;
	const struct web_page *page = m->page;

	open_section(m, "steps", "Steps",
		arena_printf(m->arena, "The %s of each step%s; %s", sum_name(m),
			page->overlap ? ", not split: rows hold everything below them"
				      : ", split into its largest rows",
			page->has_step_time ? "thick lines with numbers are the step time. Ops run "
					      "side by side, so "
					      "their sum may be longer. +: over the median step."
					    : "the line is the mean, the band its interval. +: "
					      "over the median step."));
	text_add(m->out,
		"<label class=\"noprint push\"><span class=\"vh\">split the "
		"steps</span><select id=\"stack\"></select></label></div>\n"
		"<div class=\"stepsgrid plotbox\"><div class=\"steps\" id=\"stepsplot\" "
		"tabindex=\"0\" role=\"group\" aria-label=\"Steps. Left and right arrow keys "
		"read one step after the other.\">");
	plot_steps(m->out, m->page);
	text_add(m->out, "</div><div class=\"legend\" id=\"legend\"></div></div>\n");
	if (m->page->kept_count > 1 && !m->page->overlap) {
		text_printf(m->out,
			"<h3>Excess of each step over the median</h3><p class=\"dim\">Where the %s "
			"of a step is above the median, and which rows are: the parts add "
			"up.%s</p>",
			of_step ? "step time" : sum_name(m),
			m->page->devices_count ? " Rows are by launch; what devices did by time is "
						 "below."
					       : "");
		add_box(m, "excess", "plotbox", plot_excess);
	}
	if (table) {
		text_add(m->out, "<details id=\"stepdata\" class=\"noprint\"><summary>The steps as "
				 "a table</summary>");
		html_table(m->out, table, m->arena,
			&(struct html_table_options){.complete = true,
				.most = STEPS_MOST,
				.rest_option = "--table=steps -o steps.csv"});
		text_add(m->out, "</details>");
	}
	close_section(m);
}

static void add_part_rows(struct html_maker *m, const struct page_device *device, const char *head,
	const struct page_part *parts, size_t count)
{
	text_printf(m->out,
		"<div class=\"scroll\" tabindex=\"0\"><table class=\"plain\"><thead><tr><th "
		"class=\"l\">%s</th><th>per step</th><th>of the window</th><th "
		"class=\"l\">interval</th></tr></thead><tbody>",
		head);
	for (size_t i = 0; i < count; i++) {
		const struct page_part *part = &parts[i];

		text_printf(m->out, "<tr%s><td class=\"l\">%s",
			part->of_idle || part->of_compute ? " class=\"dim\"" : "",
			part->of_idle	   ? "idle: "
			: part->of_compute ? "under compute: "
					   : "");
		html_add(m->out, part->name);
		text_add(m->out, "</td><td>");
		html_add(m->out, quantity(m->arena, DIMENSION_TIME, part->mean));
		text_add(m->out, "</td><td>");
		html_add(m->out, percent(m->arena, part->mean / device->window));
		text_add(m->out, "</td><td class=\"l\">");
		if (!isnan(part->low))
			html_add(m->out, arena_printf(m->arena, "%s to %s",
						 quantity(m->arena, DIMENSION_TIME, part->low),
						 quantity(m->arena, DIMENSION_TIME, part->high)));
		text_add(m->out, "</td></tr>\n");
	}
	text_add(m->out, "</tbody></table></div>\n");
}

/* Both readings of what the host did, closed: the first sentence names the largest. */
static void add_causes(struct html_maker *m, const struct page_device *device)
{
	if (!device->outermost_count)
		return;
	text_add(m->out,
		"<details class=\"noprint\"><summary>What the host did while it was "
		"late</summary><p>Each part of idle because the host was late, by what was "
		"open on the thread that launched next: once the outermost op below the "
		"step, as the first sentence names it, and once the innermost. Each adds up "
		"to the whole.</p>\n");
	add_part_rows(
		m, device, "outermost below the step", device->outermost, device->outermost_count);
	add_part_rows(m, device, "innermost", device->innermost, device->innermost_count);
	text_add(m->out, "</details>\n");
}

static void add_devices(struct html_maker *m)
{
	if (!m->page->devices_count)
		return;
	open_section(m, "devices", "Devices",
		"What each device did in its window, from the start of a step to the start of the "
		"next: the parts add up to it. This is by time; rows of ops are by launch.");
	text_add(m->out, "</div>\n");
	for (size_t d = 0; d < m->page->devices_count; d++) {
		const struct page_device *device = &m->page->devices[d];

		text_add(m->out, "<h3>");
		html_add(m->out, device->name);
		text_printf(m->out, "</h3><div class=\"plotbox parts\" data-device=\"%zu\">", d);
		plot_parts(m->out, m->page, d);
		text_add(m->out, "</div>\n");
		add_part_rows(m, device, "part", device->part, device->part_count);
		add_causes(m, device);
	}
	close_section(m);
}

static void add_named_table(
	struct html_maker *m, const char *name, const char *summary, const char *index)
{
	const struct table *table = html_find_table(m->report, name);

	if (!table)
		return;
	text_printf(m->out, "<details id=\"%sdata\"><summary>%s</summary>", name, summary);
	html_table(m->out, table, m->arena,
		&(struct html_table_options){.complete = true,
			.most = RANKS_MOST,
			.index = index,
			.rest_option = arena_printf(m->arena, "--table=%s -o %s.csv", name, name)});
	text_add(m->out, "</details>\n");
}

static void add_ranks(struct html_maker *m)
{
	if (!m->page->rank_count)
		return;
	open_section(m, "ranks", "Ranks",
		m->page->grouped
			? "Work of each rank in each step, over the median rank of its group in "
			  "that step: a warm row is always slow, a warm column is one step. Ranks "
			  "are no replicates."
			: "Work of each rank in each step, over the median rank of that step: a "
			  "warm row is always slow, a warm column is one step. Ranks are no "
			  "replicates.");
	text_add(m->out, "</div>\n");
	add_box(m, "rankmap", "plotbox", plot_ranks);
	text_add(m->out, "<p id=\"rankread\" class=\"icread dim\"></p>");
	if (m->page->split_count) {
		text_add(m->out,
			"<h3>Where the variance is</h3><p class=\"dim\">Of all values over "
			"ranks and steps: always the same ranks, all ranks together, or "
			"changing.</p>");
		add_box(m, "split", "plotbox", plot_split);
	}
	add_named_table(m, "ranks",
		m->page->grouped ? "The ranks as a table; excess over the median of all ranks"
				 : "The ranks as a table",
		"data-r");
	add_named_table(m, "split", "The split as a table", NULL);
	close_section(m);
}

/* ---- ops ---- */

static const struct page_row *find_row(const struct web_page *page, const char *name)
{
	const struct page_rows *rows = &page->rows[PAGE_NAME];

	for (size_t i = 0; name && i < rows->count; i++)
		if (strcmp(rows->row[i].name, name) == 0)
			return &rows->row[i];
	return NULL;
}

static void row_plots(struct text *out, const struct row *row, void *context)
{
	const struct html_maker *m = context;
	const struct page_row *of =
		row->role == ROW_BODY ? find_row(m->page, row->cell[0].text) : NULL;

	text_add(out, "<td class=\"plot\">");
	if (of) {
		double mean = 0, high = 0;

		for (size_t i = 0; i < m->page->rows[PAGE_NAME].count; i++) {
			const struct page_numbers *n = &m->page->rows[PAGE_NAME].row[i].number;

			mean = fmax(mean, n->mean);
			high = fmax(high, n->high);
		}
		plot_row_mean(out, of, fmin(fmax(mean, high), 1.7 * mean));
	}
	text_add(out, "</td>");
	if (m->page->kept_count < 2)
		return;
	text_add(out, "<td class=\"plot\">");
	if (of)
		plot_row_steps(out, m->page, of);
	text_add(out, "</td>");
}

static void add_ops(struct html_maker *m)
{
	const bool several = m->page->kept_count > 1;
	bool marked = false;

	open_section(m, "ops", "Ops",
		several ? "One dot per step: a row of dots in one place is steady, two heaps are "
			  "two "
			  "modes, orange dots are outliers. Click a row for its numbers."
			: "One step: no spread. Click a row for its numbers.");
	text_add(m->out, "</div>\n<div class=\"tools\" id=\"tools\"></div><div id=\"opstable\">");
	html_table(m->out, &m->report->display, m->arena,
		&(struct html_table_options){.most = 100,
			.rest_option = "--top=all",
			.extra = row_plots,
			.head = several ? "<th class=\"plot l\">mean, interval</th><th "
					  "class=\"plot "
					  "l\">each step, against the median</th>"
					: "<th class=\"plot l\">mean</th>",
			.context = m});
	text_add(m->out, "</div><p id=\"more\" class=\"noprint\"></p>\n");
	for (size_t i = 0; i < m->report->note_count; i++) {
		if (!m->report->note[i].mark || text_equal(m->report->note[i].mark, "!"))
			continue;
		text_add(m->out, marked ? "" : "<ul class=\"foot\">");
		marked = true;
		text_add(m->out, "<li><b class=\"mk\">");
		html_add(m->out, m->report->note[i].mark);
		text_add(m->out, "</b> ");
		html_add(m->out, m->report->note[i].text);
		text_add(m->out, "</li>");
	}
	text_add(m->out, marked ? "</ul>\n" : "");
	close_section(m);
}

static void add_scatter(struct html_maker *m)
{
	if (m->page->kept_count < 3 || m->page->rows[PAGE_NAME].count < 3)
		return;
	open_section(m, "scatter", "Share against CV",
		"Right is expensive, up is unsteady; on one slanted line ops make a step vary by "
		"the "
		"same time, if each varies by itself.");
	text_add(m->out, "</div>\n");
	add_box(m, "scatterplot", "plotbox", plot_scatter);
	text_add(m->out,
		"<p id=\"dotread\" class=\"icread dotread\"><span class=\"dim\">Point at an "
		"op; click to open its row.</span></p>\n");
	close_section(m);
}

static void add_scopes(struct html_maker *m)
{
	if (!m->page->rows[PAGE_SCOPE].count)
		return;
	open_section(m, "scopes", "Scopes",
		"From left to right down the names; height is the mean per step, colour is how "
		"unsteady the scope is as a whole.");
	text_add(m->out,
		"<span class=\"cvkey\" aria-label=\"Colours of CV\">CV <span><i "
		"class=\"k0\"></i>below 5 %</span><span><i class=\"k1\"></i>5 to "
		"15</span><span><i class=\"k2\"></i>15 to 50</span><span><i class=\"k3\"></i>50 to "
		"150</span><span><i class=\"k4\"></i>above 150 %</span></span></div>\n<p "
		"class=\"icread\" id=\"icread\"><span class=\"dim\">Point at a scope; click to "
		"enter "
		"it. Its numbers are in the table above, rows: scope.</span></p><p id=\"crumbs\" "
		"class=\"noprint\"></p>");
	add_box(m, "icicle", "scroll plotbox", plot_scopes);
	close_section(m);
}

/* ---- memory ---- */

/* The rows with the most memory, the largest first; at most MEMORY_MOST. */
static size_t largest_by_second(const struct web_page *page, const struct page_row **out)
{
	const struct page_rows *rows = &page->rows[PAGE_NAME];
	size_t n = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct page_row *row = &rows->row[i];
		size_t place = n;

		if (!(row->number.second > 0))
			continue;
		while (place > 0 && out[place - 1]->number.second < row->number.second)
			place--;
		if (place >= MEMORY_MOST)
			continue;
		n += n < MEMORY_MOST;
		memmove(&out[place + 1], &out[place], (n - place - 1) * sizeof(*out));
		out[place] = row;
	}
	return n;
}

static void add_memory(struct html_maker *m)
{
	const struct page_row *row[MEMORY_MOST];
	const size_t n = m->page->second ? largest_by_second(m->page, row) : 0;
	char number[NUMBER_TEXT_SIZE];

	if (!n)
		return;
	open_section(m, "memory", "Memory", "The rows with the most memory per step.");
	text_printf(m->out,
		"</div>\n<div class=\"scroll\" tabindex=\"0\"><table "
		"class=\"plain\"><thead><tr><th "
		"class=\"l\">%s</th><th>%s</th><th class=\"l\"><span class=\"vh\">bar</span></th>"
		"<th>of all</th></tr></thead><tbody>",
		m->page->rows[PAGE_NAME].noun, m->page->second);
	for (size_t i = 0; i < n; i++) {
		const double share = row[i]->number.second / m->page->total.number.second;

		text_add(m->out, "<tr><td class=\"l name\">");
		html_add(m->out, row[i]->short_name);
		text_add(m->out, "</td><td>");
		html_add(m->out, quantity(m->arena, DIMENSION_BYTES, row[i]->number.second));
		text_printf(m->out,
			"</td><td class=\"l\"><svg width=\"240\" height=\"14\" viewBox=\"0 0 240 "
			"14\" aria-hidden=\"true\"><rect class=\"b\" y=\"2\" height=\"10\" "
			"width=\"%s\"/></svg></td><td>",
			number_format_fixed(
				number, 240 * row[i]->number.second / row[0]->number.second, 1));
		html_add(m->out, percent(m->arena, share));
		text_add(m->out, "</td></tr>\n");
	}
	text_add(m->out, "</tbody></table></div>\n");
	close_section(m);
}

/* ---- data and method ---- */

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
		"outliers "
		"of the steps",
		rows->count, rows->nouns, m->page->step_count, left);
}

static void add_made_by(struct html_maker *m)
{
	const struct web_page *page = m->page;

	text_add(m->out, "<div><h3>Made by</h3>");
	if (page->command) {
		text_add(m->out, "<pre>");
		html_add(m->out, page->command);
		text_add(m->out, "</pre>");
	}
	text_add(m->out, "<dl>");
	add_term(m, "program", page->version);
	if (page->resolution > 0 && page->dimension == DIMENSION_TIME)
		add_term(m, "resolution",
			arena_printf(m->arena, "%s, the step of the recorded times",
				quantity(m->arena, DIMENSION_TIME, page->resolution)));
	if (page->has_step_time)
		add_term(m, "step time",
			arena_printf(m->arena, "%s (--step-time)", page->step_time_of));
	add_term(m, "in this file", what_is_in_page(m));
	text_add(m->out, "</dl></div>\n");
}

static void add_method(struct html_maker *m)
{
	const char *const word[][2] = {
		{"share", m->page->overlap ? "sum of the row / sum of all ops; rows overlap"
					   : "sum of the row / sum of all ops; adds up to 100 %"},
		{"CV", m->page->population
				? "standard deviation with the divisor n / mean over the steps; "
				  "several runs: within runs"
				: "standard deviation / mean over the steps; several runs: within "
				  "runs"},
		{"jitter",
			"cov(x, T) / var(T): of a step that is 1 ms too long, this part is usually "
			"found in the row. T is the step time where steps are marked, else the op "
			"time. Negative: it is short when others are long"},
		{"interval", "mean \u2213 t sd / \u221an, longer where steps may be correlated "
			     "(n_eff: what "
			     "they count as); several runs: t over the run means; none where steps "
			     "lie on "
			     "two levels, or with n_eff below 5 (5 steps, and 50 and more)"},
		{"outlier", "farther than 10 \u00d7 1.4826 MAD from the median"}};

	open_section(
		m, "how", "Data and method", "Where the numbers come from, and how to check them.");
	text_add(m->out, "</div><div class=\"how\">\n");
	add_made_by(m);
	text_add(m->out, "<div><h3>Data quality</h3>");
	html_issues(m->out, m->report);
	text_add(m->out, "</div>\n");
	if (m->page->sql) {
		text_add(m->out, "<div><h3>The same numbers in SQL</h3><pre>");
		html_add(m->out, m->page->sql);
		text_add(m->out, "</pre></div>\n");
	}
	text_add(m->out, "<div><h3>What the columns are</h3><dl>");
	for (size_t i = 0; i < COUNT(word); i++)
		add_term(m, word[i][0], word[i][1]);
	text_add(m->out, "</dl></div>\n</div>");
	close_section(m);
}

/* ---- the page ---- */

static void add_nav(struct html_maker *m, const struct text *sections)
{
	static const char *const link[][2] = {{"steps", "Steps"}, {"devices", "Devices"},
		{"ranks", "Ranks"}, {"ops", "Ops"}, {"scatter", "Share and CV"},
		{"scopes", "Scopes"}, {"memory", "Memory"}, {"how", "Method"}};

	text_add(m->out, "<nav class=\"bar\" aria-label=\"Sections\"><div class=\"wrap\">");
	for (size_t i = 0; i < COUNT(link); i++)
		if (strstr(text_string(sections),
			    arena_printf(m->arena, "<section id=\"%s\">", link[i][0])))
			text_printf(m->out, "<a href=\"#%s\">%s</a>", link[i][0], link[i][1]);
	text_add(m->out, "<span class=\"grow\"></span><label><span class=\"vh\">unit</span><select "
			 "id=\"unit\"></select></label><button id=\"theme\" class=\"btn\" "
			 "type=\"button\">theme: auto</button></div></nav>\n");
}

void html_report(struct text *out, const struct report *report, const struct web_page *page)
{
	struct html_maker m = {.report = report, .page = page, .arena = report->arena};
	struct text sections;

	text_init(&sections);
	m.out = &sections;
	add_steps(&m);
	add_devices(&m);
	add_ranks(&m);
	add_ops(&m);
	add_scatter(&m);
	add_scopes(&m);
	add_memory(&m);
	add_method(&m);
	text_add(m.out, "<footer>");
	html_add(m.out, m.page->version);
	if (m.page->command) {
		text_add(m.out, " \u00b7 ");
		html_add(m.out, m.page->command);
	}
	text_add(m.out, " \u00b7 the same input and options give the same bytes</footer>");
	m.out = out;
	text_add(out, "<header class=\"wrap\">\n");
	html_brand(out, report);
	html_answers(out, report);
	if (!report->answer_count) {
		/* Add an answer where the report has no sentence of times. */
		const struct page_numbers *total = &m.page->total.number;

		text_add(m.out, "<h1>A step has <b>");
		html_add(m.out, quantity(m.arena, m.page->dimension, total->mean));
		text_add(m.out, "</b> of ");
		html_add(m.out, m.page->measure);
		if (!isnan(total->cv)) {
			text_add(m.out, ", CV <b>");
			html_add(m.out, percent(m.arena, total->cv));
			text_add(m.out, "</b>");
		}
		text_add(m.out, ".</h1>\n");
	}
	add_longest(&m);
	add_figures(&m);
	html_alerts(out, report);
	text_add(out, "</header>\n");
	add_nav(&m, &sections);
	text_add(out, "<main class=\"wrap\">");
	text_add_bytes(out, sections.data, sections.size);
	text_add(out, "</main>");
	text_release(&sections);
}
