/* The sections of a comparison in the order of the page: answer, rows, the step, notes, method. */
#include "report/html/html_compare.h"

#include <math.h>
#include <string.h>
#include "report/html/html_page.h"
#include "report/build.h"
#include "report/html/html_text.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define ROWS_MOST 300	/* of the table that shows without script */
#define FURTHER_MOST 40 /* rows of further measures */
#define RUNS_MOST 200
#define OPEN_MOST 10  /* rows at first ... */
#define OPEN_FAILED 6 /* ... of a gate that failed */
#define SUITE_LEAST 4 /* benchmarks of which a plot says more than their table */

/* Looks of verdicts, and what they mean, in the order of the page. */
static const struct verdict_look looks[] = {
	{"REGRESSED", "\u25b2", "worse", "above the margin", true},
	{"MORE", "\u25b3", "worse", "as SLOWER, of bytes and counts", false},
	{"SLOWER", "\u25b3", "worse", "changed, the size may be within the margin", false},
	{"WORSE", "\u25b3", "worse", "as SLOWER, of losses", false},
	{"LOST", "\u00d7", "worse", "no run of new has measured it", true},
	{"IMPROVED", "\u25bc", "better", "below the margin", true},
	{"LESS", "\u25bd", "better", "as FASTER, of bytes and counts", false},
	{"FASTER", "\u25bd", "better", "likewise", false},
	{"BETTER", "\u25bd", "better", "as FASTER, of losses", false},
	{"NEW", "+", "quiet", "only new has it", true},
	{"GONE", "\u00d7", "quiet", "only base has it", true},
	{"RARE", "\u25cc", "quiet",
		"on one side only, in so few runs that chance may have put it there", false},
	{"INCONCLUSIVE", "\u25cc", "quiet",
		"neither shown to differ nor to be the same; \"sees\" is the smallest change that "
		"such runs would have shown",
		false},
	{"SAME", "=", "quiet", "shown to be within the margin", false},
};

const struct verdict_look *verdict_look_of(const char *verdict)
{
	static const struct verdict_look none = {"no verdict", "", "quiet", NULL, false};

	for (size_t i = 0; verdict && i < COUNT(looks); i++)
		if (strcmp(looks[i].word, verdict) == 0)
			return &looks[i];
	return &none;
}

bool html_is_word(const char *s, const char *word)
{
	return s && word && text_equal(s, word);
}

struct compare_writer {
	struct text *out;
	const struct report *report;
	const struct web_page *page;
	const struct page_compare *compare;
	struct arena *arena;
	bool *above; /* of the answers: it stands above the first table */
};

/* ---- the answer ---- */

static void add_answers(struct compare_writer *w)
{
	const struct report *report = w->report;
	const struct verdict_look *look = verdict_look_of(w->compare->step_verdict);

	if (report->has_result) {
		text_printf(w->out, "<p class=\"result %s\">", html_gate_class(report, w->compare));
		html_add(w->out, arena_printf(w->arena, "%.*s (exit status %d)",
					 (int)html_result_length(report), report->result,
					 report->exit_status));
		text_add(w->out, "</p>\n");
	}
	html_answers(w->out, report, w->above,
		*look->mark ? arena_printf(w->arena, "<span class=\"icon %s\">%s</span> ",
				      look->class_name, look->mark)
			    : NULL,
		true);
	html_add_noscript(w->out);
}

/* ---- the rows ---- */

/* ---- lines for what is folded ---- */

/* A button that filters the table: `pattern` is what the script looks for. */
static void add_button(struct compare_writer *w, const char *pattern)
{
	text_add(w->out, " <button type=\"button\" class=\"script small\"");
	html_add_attribute(w->out, "data-filter", pattern);
	text_add(w->out, ">show rows</button></p>\n");
}

/* "9 other ops: 4 SAME, 5 INCONCLUSIVE", of the rows that are not open. */
static void add_others(struct compare_writer *w, size_t open)
{
	const struct page_compare *c = w->compare;
	const char *before = ": ";
	size_t others = 0, without = 0;

	for (size_t i = open; i < c->count; i++)
		others += !c->row[i].moved;
	if (!others)
		return;
	text_printf(w->out, "<p class=\"foldline\">\u25cc %zu other %s", others,
		c->measure_count > 1 && c->benchmarks ? (others == 1 ? "value" : "values")
		: others == 1			      ? c->noun
						      : c->nouns);
	for (size_t k = 0; k < COUNT(looks); k++) {
		size_t n = 0;

		for (size_t i = open; i < c->count; i++)
			n += !c->row[i].moved && html_is_word(c->row[i].verdict, looks[k].word);
		if (n) {
			text_printf(w->out, "%s%zu %s", before, n, looks[k].word);
			before = ", ";
		}
	}
	for (size_t i = open; i < c->count; i++)
		without += !c->row[i].moved && !c->row[i].verdict;
	if (without)
		text_printf(w->out, "%s%zu without verdict", before, without);
	text_add(w->out, " <button type=\"button\" class=\"script small\" data-all>show "
			 "rows</button></p>\n");
}

static void add_moved(struct compare_writer *w)
{
	const struct page_compare *c = w->compare;

	if (!c->moved_text)
		return;
	text_printf(w->out, "<p class=\"foldline\">%s ",
		html_is_word(c->moved_kind, "moved") ? "\u21c4" : "\u21e2");
	html_sentence(w->out, c->moved_text);
	add_button(w, html_is_word(c->moved_kind, "moved") ? "moved" : "/^(NEW|GONE) /");
}

/* Sums of the report that are no rows: what was not selected, what is not known. */
static void add_remainder(struct compare_writer *w)
{
	const struct table *table = &w->report->display;
	const enum dimension dimension = w->page->dimension;

	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->row[r];

		if (row->role != ROW_OTHER || !row->in_files)
			continue;
		text_add(w->out, "<p class=\"foldline\">");
		html_add(w->out, row->cell[0].text);
		for (size_t k = 1; k < table->column_count; k++)
			if (row->cell[k].kind == CELL_REAL &&
				table->column[k].dimension == dimension)
				html_sentence(w->out,
					arena_printf(w->arena, ", %s %s", table->column[k].stat,
						phrase_exact(
							w->arena, dimension, row->cell[k].real)));
		text_add(w->out, "</p>\n");
	}
}

size_t html_rows_open(const struct page_compare *compare)
{
	const size_t most = compare->count && compare->row[0].failed ? OPEN_FAILED : OPEN_MOST;

	return compare->open < most ? compare->open : most;
}

static void add_rows(struct compare_writer *w)
{
	const struct page_compare *c = w->compare;
	const size_t open = html_rows_open(c);

	html_section(w->out, "rows", "long",
		c->count && c->row[0].failed
			? c->benchmarks ? "Benchmarks that failed" : "Ops that failed"
		: c->benchmarks ? "Benchmarks"
				: "Ops");
	text_add(w->out, "<div class=\"script\" id=\"rows-table\"></div>\n<noscript>");
	html_table(w->out, &w->report->display, w->arena,
		&(struct html_table_options){
			.complete = true, .most = ROWS_MOST, .rest_option = "-o compare.csv"});
	text_add(w->out, "</noscript>\n");
	add_moved(w);
	add_others(w, open);
	add_remainder(w);
	text_add(w->out, "<p class=\"caption script\">\u25a1 change with interval, filled: shown; "
			 "\u25cb runs of base, \u25cf of new; grey: the margin; tinted: the worse "
			 "side.</p></section>\n");
}

/* ": 12.00 -> 13.00 MB, +8.3 %"; of one side its value. */
static const char *change_of(const struct compare_writer *w, const struct page_compared_row *row)
{
	const enum dimension dimension = w->compare->measure[row->measure].dimension;
	const double base = row->mean[PAGE_BASE], new = row->mean[PAGE_NEW];

	if (!isfinite(row->change))
		return arena_printf(w->arena, ": %s",
			phrase_exact(w->arena, dimension, isnan(new) ? base : new));
	return arena_printf(w->arena, ": %s, %+.1f %%", phrase_pair(w->arena, dimension, base, new),
		100 * row->change);
}

/* Values of further measures that changed, a line each. */
static void add_further(struct compare_writer *w)
{
	const struct page_compare *c = w->compare;
	size_t shown = 0;

	for (size_t i = c->count; i < c->count + c->further; i++) {
		const struct page_compared_row *row = &c->row[i];
		const struct verdict_look *look = verdict_look_of(row->verdict);

		if (!row->shown || shown++ >= FURTHER_MOST)
			continue;
		if (shown == 1) {
			html_section(w->out, "further", "long", "Other measures");
			text_add(w->out, "<ul class=\"notes\">");
		}
		text_printf(w->out, "<li><b class=\"%s\">%s %s</b> ", look->class_name, look->mark,
			look->word);
		html_add(w->out, c->measure[row->measure].name);
		text_add(w->out, " of ");
		html_add(w->out, row->name);
		html_sentence(w->out, change_of(w, row));
		text_add(w->out, "</li>\n");
	}
	if (!shown)
		return;
	text_add(w->out, "</ul>\n");
	if (shown > FURTHER_MOST)
		text_printf(w->out,
			"<p class=\"foldline\">%zu more: <code>-o compare.csv</code></p>\n",
			shown - FURTHER_MOST);
	text_add(w->out, HTML_SECTION_END);
}

/* ---- a suite as a whole ---- */

static void add_suite(struct compare_writer *w)
{
	const struct page_compare *c = w->compare;
	bool any = false;

	if (!c->benchmarks || c->count < SUITE_LEAST)
		return;
	for (size_t i = 0; i < c->count; i++)
		any |= c->row[i].parts->params > 0;
	html_section(w->out, "glance", "script", "All changes");
	text_add(w->out, "<div class=\"plot\" id=\"glance-plot\"></div><p class=\"caption\">A dot "
			 "is a benchmark, filled: shown to have changed; \u25c6 the geometric mean "
			 "of a package. Tinted: the worse side.</p></section>\n");
	if (!any)
		return;
	html_section(w->out, "parameters", "script", "Over parameters");
	text_add(w->out, "<div class=\"facets\" id=\"facets\"></div><p class=\"caption\">Change in "
			 "percent of benchmarks in which something changed; whiskers are "
			 "intervals.</p></section>\n");
}

/* ---- the step ---- */

static void add_runs(struct compare_writer *w)
{
	html_named_table(w->out, w->report, "runs", RUNS_MOST, "The runs as a table");
}

static void add_step(struct compare_writer *w)
{
	const struct page_compare *c = w->compare;

	if (c->benchmarks) /* a sum of them says nothing */
		return;
	html_section(w->out, "whole", "", "The step");
	text_add(w->out, "<div class=\"half script\">");
	if (c->adds_up)
		text_printf(w->out,
			"<div><h3>From base to new%s</h3><div class=\"plot\" "
			"id=\"fall-plot\"></div></div>",
			w->page->dimension == DIMENSION_TIME ? ", op time" : "");
	text_printf(w->out,
		"<div><h3>Runs, %s</h3><div class=\"plot\" id=\"runs-plot\"></div></div></div>\n",
		c->step_name);
	if (c->adds_up)
		text_add(w->out,
			"<p class=\"caption script\">Filled: shown to have changed; hollow: not "
			"shown; grey: replaced, moved, on one side only.</p>\n");
	add_runs(w);
	if (w->report->before.row_count) {
		text_add(w->out, "<h3>Parts of the step</h3>");
		html_table(w->out, &w->report->before, w->arena,
			&(struct html_table_options){
				.most = ROWS_MOST, .rest_option = "--table=parts -o parts.csv"});
	}
	text_add(w->out, HTML_SECTION_END);
}

/* ---- notes and method ---- */

static void add_notes(struct compare_writer *w)
{
	const struct report *report = w->report;
	bool further = false;

	for (size_t i = 0; i < report->answer_count; i++)
		further |= !w->above[i] && !html_is_word(report->answer[i], w->compare->moved_text);
	const size_t shown = report->has_result ? html_result_length(report) : 0;

	further |= report->has_result && report->result[shown];
	if (!report->note_count && !further && !(report->issues && report->issues->count))
		return;
	html_section(w->out, "notes", "", "Notes");
	if (report->has_result && report->result[shown]) {
		text_add(w->out, "<p class=\"how\">");
		html_sentence(
			w->out, report->result + shown + strspn(report->result + shown, "; "));
		text_add(w->out, "</p>\n");
	}
	html_notes(w->out, report, w->above, w->compare->moved_text);
	text_add(w->out, HTML_SECTION_END);
}

static bool is_of_page(const struct compare_writer *w, const char *word)
{
	static const char *const of_bytes[] = {"MORE", "LESS"},
				 *const of_time[] = {"SLOWER", "FASTER"},
				 *const of_benchmarks[] = {"LOST", "WORSE", "BETTER"};
	const bool is_time = w->page->dimension == DIMENSION_TIME;

	for (size_t i = 0; i < COUNT(of_bytes); i++)
		if ((html_is_word(word, of_bytes[i]) && is_time && w->compare->measure_count < 2) ||
			(html_is_word(word, of_time[i]) && !is_time))
			return false;
	for (size_t i = 0; i < COUNT(of_benchmarks); i++)
		if (html_is_word(word, of_benchmarks[i]) && !w->compare->benchmarks)
			return false;
	return true;
}

static void add_legend(struct compare_writer *w)
{
	text_add(w->out, "<details><summary>What the verdicts mean</summary><dl class=\"pairs\">");
	for (size_t i = 0; i < COUNT(looks); i++) {
		if (!is_of_page(w, looks[i].word))
			continue;
		text_printf(w->out, "<dt><span class=\"%s\">%s %s</span></dt><dd>",
			looks[i].class_name, looks[i].mark, looks[i].word);
		html_add(w->out, looks[i].meaning);
		text_add(w->out, "</dd>");
	}
	text_add(w->out, "</dl></details>\n");
}

static void add_method(struct compare_writer *w)
{
	const struct report *report = w->report;

	html_section(w->out, "method", "", "Method");
	if (w->page->command) {
		text_add(w->out, "<p><code>");
		html_add(w->out, w->page->command);
		text_add(w->out, "</code></p>");
	}
	for (size_t i = HTML_FACTS; html_fact(report, i); i++) {
		text_add(w->out, "<p class=\"how\">");
		html_add(w->out, html_fact(report, i));
		text_add(w->out, "</p>\n");
	}
	text_add(w->out, "<dl class=\"pairs\">");
	for (size_t i = 0; i < w->compare->term_count; i++)
		html_term(w->out, w->compare->term[i][0], w->compare->term[i][1], false);
	if (report->policy_file) {
		html_term(w->out, "policies", report->policy_file, false);
		html_term(w->out, "their SHA-256", report->policy_sha256, false);
	}
	text_add(w->out, "</dl>\n");
	add_legend(w);
	if (w->compare->benchmarks)
		add_runs(w);
	text_add(w->out, HTML_SECTION_END);
}

/* ---- the page ---- */

void html_looks(struct text *out)
{
	text_add(out, ",\"looks\":{");
	for (size_t i = 0; i < COUNT(looks); i++)
		text_printf(out, "%s\"%s\":[\"%s\",\"%s\",%d]", i ? "," : "", looks[i].word,
			looks[i].mark, looks[i].class_name, looks[i].is_shown);
	text_add_char(out, '}');
}

void html_compare(struct text *out, const struct report *report, const struct web_page *page)
{
	struct compare_writer w = {.out = out,
		.report = report,
		.page = page,
		.compare = page->compare,
		.arena = report->arena};

	w.above = html_choose_lines(report, page->compare->moved_text);
	html_facts(out, report);
	add_answers(&w);
	html_checks_failed(out, report, page->compare);
	if (!report->has_result)
		add_suite(&w);
	add_rows(&w);
	if (report->has_result)
		add_suite(&w);
	add_further(&w);
	add_step(&w);
	html_checks(out, report);
	add_notes(&w);
	add_method(&w);
}
