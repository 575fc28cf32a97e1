/* The sections in the order of the page: answer, steps, ranks, ops, why ranks differ, devices,
 * scopes, share against CV, notes, method. The script draws the plots; everything on them is a
 * sentence or a table, too. */
#include "report/html/html_report.h"

#include <math.h>
#include <string.h>
#include "report/html/html_page.h"
#include "report/build.h"
#include "report/html/html_text.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define ROWS_MOST 300 /* of ops, where there is no script */
#define SCOPES_MOST 50
#define SCATTER_LEAST 3
#define LONGEST_LEAST 3 /* steps: of two one is the longer */

struct html_maker {
	struct text *out;
	const struct report *report;
	const struct web_page *page;
	struct arena *arena;
	bool *above; /* of each answer: the whole of it stands above the first plot */
};

/* ---- the answer ---- */

/* The first sentence, without what is in brackets, and others while there is room. */
static void add_answer(struct html_maker *m)
{
	const struct report *report = m->report;

	m->above = html_choose_lines(report, NULL);
	html_answers(m->out, report, m->above, NULL, true);
	if (report->answer_count)
		return;

	/* Add an answer where the report has no sentence of times. */
	const struct page_numbers *total = &m->page->total.number;

	text_add(m->out, "<h1>");
	html_sentence(m->out,
		arena_printf(m->arena,
			isnan(total->mean) ? "The %s of a step is not known."
			: isnan(total->cv) ? "The %s of a step is %s."
					   : "The %s of a step is %s, CV %s.",
			m->page->measure,
			(m->page->dimension == DIMENSION_COUNT ? phrase_exact : phrase_quantity)(
				m->arena, m->page->dimension, total->mean),
			phrase_percent(m->arena, total->cv)));
	text_add(m->out, "</h1>\n");
}

static void add_head(struct html_maker *m)
{
	const size_t losses = html_losses(m->report);

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

/* Words of what only a script does. */
#define CLICK(what) " <span class=\"script\">A click " what ".</span>"

static void close_section(struct html_maker *m, const char *caption)
{
	if (caption)
		text_printf(m->out, "<p class=\"caption\">%s</p>\n", caption);
	text_add(m->out, "</section>\n");
}

static void add_steps(struct html_maker *m)
{
	html_section(m->out, "steps", "", "Steps");
	text_add(m->out,
		"<div class=\"two script\"><div class=\"plot\" id=\"steps-plot\"></div><div "
		"class=\"legend\" id=\"steps-legend\"></div></div>\n<p class=\"caption script\" "
		"id=\"steps-how\"></p>\n");
	html_named_table(m->out, m->report, "steps", TABLE_MOST, "The steps as a table");
	close_section(m, NULL);
}

/* ---- ops ---- */

static void add_ops(struct html_maker *m)
{
	html_section(m->out, "ops", "long", "Ops");
	text_add(m->out, "<div class=\"script\" id=\"ops-table\"></div>\n<noscript>");
	html_table(m->out, &m->report->display, m->arena,
		&(struct html_table_options){
			.complete = true, .most = ROWS_MOST, .rest_option = "--top=all"});
	text_add(m->out, "</noscript>\n");
	close_section(m,
		m->page->kept_count > 1
			? "<span class=\"script\">A dot is a step, on one scale of factors around "
			  "the median of the row; orange: an outlier.</span>" CLICK("opens a row")
			: "One step has no spread." CLICK("opens a row"));
}

/* A plot of two steps, which the script draws. */
static void add_longest(struct html_maker *m)
{
	if (m->page->kept_count < LONGEST_LEAST)
		return;
	html_section(m->out, "longest", "script", "The longest step beside the median step");
	text_add(m->out, "<div class=\"plot\" id=\"longest-plot\"></div>\n");
	close_section(m, "Split as the steps above, on one scale.");
}

/* ---- devices and ranks ---- */

static void add_devices(struct html_maker *m)
{
	if (!html_find_table(m->report, "parts"))
		return;
	html_section(m->out, "devices", "", "Devices");
	text_add(m->out, "<div class=\"plot script\" id=\"devices-plot\"></div>\n");
	html_named_table(m->out, m->report, "parts", TABLE_MOST,
		"As a table, with what the host did while it was late");
	close_section(m,
		"What each device did in its window, from the start of a step to the start of "
		"the next: the parts add up to it. This is by time; rows of ops are by launch.");
}

static void add_ranks(struct html_maker *m)
{
	if (!m->page->rank_count)
		return;
	html_section(m->out, "ranks", "", "Ranks");
	text_add(m->out, "<div class=\"plot script\" id=\"ranks-plot\"></div><p class=\"caption "
			 "script\" id=\"ranks-said\"></p>\n");
	html_named_table(m->out, m->report, "ranks", TABLE_MOST,
		m->page->grouped ? "The ranks as a table; excess over the median of all ranks"
				 : "The ranks as a table");
	close_section(m, NULL);
}

static void add_split(struct html_maker *m)
{
	if (!html_find_table(m->report, "split") || m->page->kept_count < 2)
		return;
	html_section(m->out, "split", "", "Why ranks differ");
	text_add(m->out, "<div class=\"plot script\" id=\"split-plot\"></div>\n");
	html_named_table(m->out, m->report, "split", TABLE_MOST, "The split as a table");
	close_section(m, "Variance over ranks and steps, in percent: always the same ranks, all "
			 "ranks together, changing.");
}

/* ---- scopes, share against CV ---- */

static void add_scopes(struct html_maker *m)
{
	if (!html_find_table(m->report, "scopes"))
		return;
	html_section(m->out, "scopes", "", "Scopes");
	text_add(m->out, "<div class=\"plot script\" id=\"scopes-plot\"></div><p class=\"said "
			 "script\" id=\"scopes-said\"></p>\n");
	html_named_table(m->out, m->report, "scopes", SCOPES_MOST, "The scopes as a table");
	close_section(m, "From left to right down the names; height is the mean of a step, colour "
			 "how unsteady the scope is as a whole." CLICK("enters a scope"));
}

static void add_scatter(struct html_maker *m)
{
	if (m->page->kept_count < SCATTER_LEAST || m->page->rows[PAGE_NAME].count < SCATTER_LEAST)
		return;
	html_section(m->out, "scatter", "script", "Share against CV");
	text_add(m->out, "<div class=\"plot\" id=\"scatter-plot\"></div>\n");
	close_section(m, "Right is expensive, up is unsteady; on one slanted line ops make a step "
			 "vary by the same time, if each varies by itself. A click opens the row.");
}

/* ---- notes and method ---- */

static void add_notes(struct html_maker *m)
{
	html_section(m->out, "notes", "long", "Notes");
	html_notes(m->out, m->report, m->above, NULL);
	close_section(m, NULL);
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
		{"jitter", "cov(x, T) / var(T): of a step that is 1 ms too long, this part is "
			   "usually found in the row. T is the step time where steps are marked, "
			   "else the op time. Negative: it is short when others are long"},
		{"interval",
			"mean \u2213 t sd / \u221an, longer where steps may be correlated (n_eff: "
			"what they count as); several runs: t over the run means; none where steps "
			"lie on two levels, or with n_eff below 5 (5 steps, and 50 and more)"},
		{"neighbours", "the median of the four nearest kept steps of the run"},
		{"outlier", "farther than 10 \u00d7 1.4826 MAD from the median"}};

	html_section(m->out, "method", "long", "Method");
	text_add(m->out, "<dl class=\"pairs\">");
	html_term(m->out, "command", page->command, true);
	html_term(m->out, "program", page->version, false);
	if (page->resolution > 0 && page->dimension == DIMENSION_TIME)
		html_term(m->out, "resolution",
			arena_printf(m->arena, "%s, the step of the recorded times",
				phrase_exact(m->arena, DIMENSION_TIME, page->resolution)),
			false);
	if (page->has_step_time)
		html_term(m->out, "step time",
			arena_printf(m->arena, "%s (--step-time)", page->step_time_of), false);
	html_term(m->out, "in this file", what_is_in_page(m), false);
	for (size_t i = 0; i < COUNT(word); i++)
		html_term(m->out, word[i][0], word[i][1], false);
	html_term(m->out, "the means in SQL", page->sql, true);
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
	add_longest(&m);
	add_split(&m);
	add_devices(&m);
	add_scopes(&m);
	add_scatter(&m);
	add_notes(&m);
	add_method(&m);
}
