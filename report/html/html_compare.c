/*
 * The sections of a comparison in the order of the page. One without data is left out, also in the
 * list of sections.
 */
#include "report/html/html_compare.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include "base/number.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/html/plots_compare.h"
#include "report/html/svg.h"
#include "writers/writer.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define ROWS_MOST 300	/* of the table that shows without script */
#define CHECKS_MOST 400 /* of each table of checks */
#define RUNS_MOST 100

const char html_compare_icons[] =
	"<symbol id=\"i-up\" viewBox=\"0 0 12 12\"><path d=\"M6 1 11.5 10.5H.5z\" "
	"fill=\"currentColor\"/></symbol>\n"
	"<symbol id=\"i-upo\" viewBox=\"0 0 12 12\"><path d=\"M6 2.2 10.6 10H1.4z\" fill=\"none\" "
	"stroke=\"currentColor\" stroke-width=\"1.5\"/></symbol>\n"
	"<symbol id=\"i-down\" viewBox=\"0 0 12 12\"><path d=\"M6 11 11.5 1.5H.5z\" "
	"fill=\"currentColor\"/></symbol>\n"
	"<symbol id=\"i-downo\" viewBox=\"0 0 12 12\"><path d=\"M6 9.8 10.6 2H1.4z\" fill=\"none\" "
	"stroke=\"currentColor\" stroke-width=\"1.5\"/></symbol>\n"
	"<symbol id=\"i-same\" viewBox=\"0 0 12 12\"><path d=\"M1.5 4.2h9M1.5 7.8h9\" "
	"stroke=\"currentColor\" stroke-width=\"1.7\"/></symbol>\n"
	"<symbol id=\"i-maybe\" viewBox=\"0 0 12 12\"><circle cx=\"6\" cy=\"6\" r=\"4.6\" "
	"fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\" stroke-dasharray=\"2.2 "
	"1.4\"/></symbol>\n"
	"<symbol id=\"i-new\" viewBox=\"0 0 12 12\"><path d=\"M6 1.5v9M1.5 6h9\" "
	"stroke=\"currentColor\" stroke-width=\"1.7\"/></symbol>\n"
	"<symbol id=\"i-gone\" viewBox=\"0 0 12 12\"><path d=\"M2.2 2.2l7.6 7.6M9.8 2.2L2.2 9.8\" "
	"stroke=\"currentColor\" stroke-width=\"1.6\"/></symbol>\n"
	"<symbol id=\"i-none\" viewBox=\"0 0 12 12\"><circle cx=\"6\" cy=\"6\" r=\"1.6\" "
	"fill=\"currentColor\"/></symbol>\n";

struct compare_writer {
	struct text *out;
	const struct report *report;
	const struct web_page *page;
	const struct page_compare *compare;
	struct arena *arena;
	struct forest_scale scale;
};

static void add_icon(struct text *out, const char *icon)
{
	text_printf(
		out, "<svg class=\"ic\" aria-hidden=\"true\"><use href=\"#i-%s\"/></svg>", icon);
}

/* ---- the result of a gate ---- */

static bool any_blind(const struct report *report)
{
	for (size_t i = 0; i < report->check_count; i++)
		if (text_equal(report->check[i].verdict, "BLIND"))
			return true;
	return false;
}

/* Class of the gate's result; a result that could not have shown a change is never green, also
 * where it is let pass. */
static const char *gate_class(const struct compare_writer *w)
{
	const bool step_decided =
		w->compare->benchmarks ||
		(w->compare->step.verdict && !text_equal(w->compare->step.verdict, "INCONCLUSIVE"));

	switch (w->report->exit_status) {
	case 0:
	case 5:
		return any_blind(w->report) && !step_decided ? "dim" : "better";
	case 4:
		return "dim";
	default:
		return "worse";
	}
}

static const char *gate_icon(const struct compare_writer *w)
{
	switch (w->report->exit_status) {
	case 0:
		return text_equal(gate_class(w), "dim") ? "maybe" : "fine";
	case 4:
		return "maybe";
	case 5:
		return "down";
	default:
		return w->report->exit_status == 1 ? "up" : "look";
	}
}

/* ---- sentences ---- */

/* The verdict that begins at s; NULL: none. */
static const struct verdict_look *verdict_at(const char *s)
{
	const struct verdict_look *look;

	for (size_t i = 0; (look = verdict_look_at(i)); i++) {
		const size_t n = strlen(look->word);

		if (strncmp(s, look->word, n) == 0 && (!s[n] || strchr(" ,.;:", s[n])))
			return look;
	}
	return NULL;
}

/* True if digits, perhaps with the noun of the rows behind them, stand before s. "2 ops REGRESSED"
 * is a count; a name that looks like a verdict has none. */
static bool is_counted(const struct compare_writer *w, const char *sentence, const char *s)
{
	const char *const noun[] = {w->compare->noun, w->compare->nouns};

	for (size_t i = 0; i < COUNT(noun); i++) {
		const size_t n = strlen(noun[i]) + 1;

		if ((size_t)(s - sentence) > n && s[-(ptrdiff_t)n - 1] == ' ' &&
			strncmp(s - n, noun[i], n - 1) == 0)
			return isdigit((unsigned char)s[-(ptrdiff_t)n - 2]) != 0;
	}
	return s - sentence > 1 && isdigit((unsigned char)s[-2]);
}

/* Words of verdicts stand out: in the first sentence, where no name is, and after counts. */
static void add_sentence(struct compare_writer *w, const char *sentence, bool linked)
{
	const char *start = sentence;
	struct text *out = w->out;

	for (const char *s = sentence; *s; s++) {
		const struct verdict_look *look =
			s == sentence || s[-1] == ' ' ? verdict_at(s) : NULL;

		if (!look || (linked && !is_counted(w, sentence, s)))
			continue;

		size_t n = (size_t)(s - start);
		struct text part;

		text_init(&part);
		text_add_bytes(&part, start, n);
		html_sentence(out, text_string(&part));
		text_release(&part);
		/* The number before a word, as in "2 ops REGRESSED", stands for rows: they are a
		 * click away. */
		if (linked)
			text_printf(out, "<a href=\"#ops\" data-only=\"%s\" class=\"%s\">%s</a>",
				look->word, look->class_name, look->word);
		else
			text_printf(out, "<b>%s</b>", look->word);
		s += strlen(look->word) - 1;
		start = s + 1;
	}
	html_sentence(out, start);
}

static void add_answers(struct compare_writer *w)
{
	const struct verdict_look *look = verdict_look_of(w->compare->step.verdict);

	for (size_t i = 0; i < w->report->answer_count; i++) {
		if (!i) {
			text_printf(w->out, "<h1 class=\"v %s\">", look->class_name);
			add_icon(w->out, look->icon);
			text_add(w->out, "<span class=\"t\">");

			/* "0.37 -> 2.90 ms", as the first sentence has it, which holds no name. */
			const char *at = strstr(w->report->answer[i], " -> ");

			add_sentence(w,
				at ? arena_printf(w->arena, "%.*s \u2192 %s",
					     (int)(at - w->report->answer[i]), w->report->answer[i],
					     at + 4)
				   : w->report->answer[i],
				false);
			text_add(w->out, "</span></h1>\n");
			continue;
		}
		text_add(w->out, "<p class=\"second\">");
		add_sentence(w, w->report->answer[i], true);
		text_add(w->out, "</p>\n");
	}
}

/* ---- figures ---- */

static const char *quantity(const struct compare_writer *w, double value, bool is_change)
{
	const struct unit *unit = svg_unit(w->page->dimension, fabs(value));
	const char *result;
	struct text t;

	text_init(&t);
	(is_change ? svg_add_change : svg_add_quantity)(&t, value, unit);
	result = arena_strdup(w->arena, text_string(&t));
	text_release(&t);
	return result;
}

static const char *beside(const struct compare_writer *w, const char *change, const char *interval)
{
	return interval ? arena_printf(w->arena, "%s %s", change, interval) : change;
}

static void add_figures(struct compare_writer *w)
{
	const struct page_compare *c = w->compare;
	const size_t left = c->side[PAGE_BASE].left + c->side[PAGE_NEW].left;

	text_add(w->out, "<dl class=\"figures\">");
	for (enum page_side_id side = 0; !c->benchmarks && side < PAGE_SIDES; side++)
		html_figure(w->out,
			arena_printf(w->arena, "%s, %s", c->step_name,
				side == PAGE_BASE ? "base" : "new"),
			quantity(w, c->step.mean[side], false), c->side[side].what);
	for (enum page_side_id side = 0; c->benchmarks && side < PAGE_SIDES; side++)
		html_figure(w->out, side == PAGE_BASE ? "base" : "new", c->side[side].what, NULL);
	if (!c->benchmarks)
		html_figure(w->out, "difference", quantity(w, c->step.difference, true),
			isnan(c->step.change) ? NULL : beside(w, c->step_change, c->step_interval));
	if (c->wall_change)
		html_figure(w->out, c->by_step_time ? "op time" : "wall time", c->wall_change,
			c->wall_interval);
	html_figure(w->out, "margin", c->margin_words,
		c->margin > 0 ? "smaller changes do not matter" : NULL);
	if (left || !c->benchmarks)
		html_figure(w->out, "left out", arena_printf(w->arena, "%zu", left),
			arena_printf(w->arena, "of %zu steps",
				c->side[PAGE_BASE].step_count + c->side[PAGE_NEW].step_count));
	text_add(w->out, "</dl>\n");
}

/* ---- sections ---- */

/* Heading and the sentence that says how to read it are our own words. */
static void open_section(
	struct compare_writer *w, const char *id, const char *heading, const char *how)
{
	text_printf(w->out, "<section id=\"%s\"><div class=\"head\"><h2>%s</h2><p>%s</p></div>\n",
		id, heading, how);
}

static void add_check(struct compare_writer *w, const struct check *check)
{
	const bool passed = check->status == CHECK_PASSED;
	const char *icon = passed			      ? "fine"
			   : check->status == CHECK_UNDECIDED ? "maybe"
			   : check->status == CHECK_SKIPPED   ? "none"
							      : "look";
	const char *class_name =
		check->status == CHECK_FAILED || check->status == CHECK_UNUSABLE ? "worse" : "dim";
	const char *const cell[] = {check->name, check->subject, check->measure};

	text_add(w->out, "<tr>");
	for (size_t i = 0; i < COUNT(cell); i++) {
		text_add(w->out, "<td class=\"l\">");
		html_add(w->out, cell[i]);
		text_add(w->out, "</td>");
	}
	text_printf(w->out, "<td class=\"l\"><span class=\"verdict %s\">", class_name);
	add_icon(w->out, icon);
	text_printf(w->out, "%s</span></td><td class=\"l\">", check_status_word(check->status));
	html_add(w->out, check->verdict);
	text_add(w->out, "</td><td class=\"l\">");
	html_add(w->out, check->message);
	text_add(w->out, "</td></tr>\n");
}

static void add_check_head(struct compare_writer *w)
{
	static const char *const head[] = {
		"policy", "subject", "measure", "status", "verdict", "what was found"};

	text_add(w->out,
		"<div class=\"scroll\" tabindex=\"0\"><table class=\"plain checks\"><thead><tr>");
	for (size_t i = 0; i < COUNT(head); i++)
		text_printf(w->out, "<th scope=\"col\" class=\"l\">%s</th>", head[i]);
	text_add(w->out, "</tr></thead><tbody>");
}

static void close_checks(struct compare_writer *w, size_t count)
{
	text_add(w->out, "</tbody></table></div>\n");
	if (count > CHECKS_MOST)
		text_printf(w->out,
			"<p class=\"dim\">%zu more are not in this page: <code>-o "
			"gate.xml</code></p>\n",
			count - CHECKS_MOST);
}

/* Adds the checks that did not pass first, the step before the ops; passed checks are folded. */
static void add_checks(struct compare_writer *w)
{
	const struct report *report = w->report;
	size_t of[CHECK_SKIPPED + 1] = {0};
	struct check_list list;

	if (!report->check_count)
		return;
	for (size_t i = 0; i < report->check_count; i++)
		of[report->check[i].status]++;
	open_section(w, "checks", "Checks",
		arena_printf(w->arena, "%zu of %zu failed, %zu undecided, %zu waived.",
			of[CHECK_FAILED] + of[CHECK_UNUSABLE], report->check_count,
			of[CHECK_UNDECIDED], of[CHECK_WAIVED]));
	check_list_init(&list, report, true);
	if (list.count) {
		add_check_head(w);
		for (size_t i = 0; i < list.count && i < CHECKS_MOST; i++)
			add_check(w, list.item[i].check);
		close_checks(w, list.count);
	}
	check_list_release(&list);
	size_t passed = of[CHECK_PASSED];
	size_t skipped = of[CHECK_SKIPPED];
	size_t count = 0;

	if (passed || skipped) {
		text_printf(w->out, "<details><summary>%zu passed", passed);
		if (skipped)
			text_printf(w->out, ", %zu could not be judged", skipped);
		text_add(w->out, "</summary>");
		add_check_head(w);
		for (size_t i = 0; i < w->report->check_count; i++)
			if ((w->report->check[i].status == CHECK_PASSED ||
				    w->report->check[i].status == CHECK_SKIPPED) &&
				count++ < CHECKS_MOST)
				add_check(w, &w->report->check[i]);
		close_checks(w, count);
		text_add(w->out, "</details>\n");
	}
	text_add(w->out, "</section>\n");
}

static void add_box(struct compare_writer *w, const char *id, const char *heading, const char *how,
	void (*plot)(struct text *, const struct web_page *))
{
	struct text drawn;

	text_init(&drawn);
	plot(&drawn, w->page);
	if (drawn.size) {
		text_printf(w->out, "<div class=\"plotbox\"><h3>%s</h3><p>%s</p><div id=\"%s\">",
			heading, how, id);
		text_add(w->out, text_string(&drawn));
		text_add(w->out, "</div></div>\n");
	}
	text_release(&drawn);
}

static void add_step(struct compare_writer *w)
{
	if (w->compare->benchmarks) /* a sum of them says nothing */
		return;
	open_section(w, "step", "The step",
		"The runs are what is compared: the steps of a run share its machine.");
	text_add(w->out, "<div class=\"two2\">");
	add_box(w, "runs", "Runs",
		w->compare->by_step_time
			? "A row per run: dots are the step times, the tick the value of the run, "
			  "pale dots are left out."
			: "A row per run: dots are its steps, the tick the value of the run, pale "
			  "dots are left out.",
		plot_runs);
	add_box(w, "fall",
		w->page->dimension == DIMENSION_TIME ? "From base to new, op time"
						     : "From base to new",
		"What each row adds. Filled: shown to have changed; hollow: not shown.",
		plot_waterfall);
	text_add(w->out, "</div></section>\n");
}

/* ---- ops ---- */

static const struct page_compared_row *find_row(const struct page_compare *c, const char *name)
{
	for (size_t i = 0; name && i < c->count; i++)
		if (strcmp(c->row[i].name, name) == 0)
			return &c->row[i];
	return NULL;
}

static void row_forest(struct text *out, const struct row *row, void *context)
{
	const struct compare_writer *w = context;
	const struct page_compared_row *of =
		row->role == ROW_BODY ? find_row(w->compare, row->cell[0].text) : NULL;
	size_t m = 0;

	/* A table of several measures names that of the row in its second column. */
	for (size_t k = 1; of && w->compare->benchmarks && k < w->compare->measure_count; k++)
		if (text_equal(row->cell[1].text, w->compare->measure[k].name))
			m = k;
	text_add(out, "<td class=\"plot\">");
	if (of)
		plot_forest(out, &w->scale, m ? NULL : of, &of->measure[m]);
	else if (row->role == ROW_TOTAL)
		plot_forest(out, &w->scale, NULL, &w->compare->measure[0].total);
	text_add(out, "</td>");
}

static const char *how_to_read(const struct compare_writer *w)
{
	const double margin = w->compare->margin;
	char number[NUMBER_TEXT_SIZE];

	if (!(margin > 0))
		return "Decided rows first. Squares are changes with their interval, rings the "
		       "runs "
		       "of base, dots the runs of new.";
	return arena_printf(w->arena,
		"Decided rows first. The shaded band is the margin of %s %%: an interval wholly "
		"outside of it is a change that matters, one wholly inside it is none. Rings are "
		"the runs of base, dots the runs of new.",
		number_format_real(number, 100 * margin, 6));
}

static void add_rows(struct compare_writer *w)
{
	struct text head;

	open_section(w, "ops", w->compare->benchmarks ? "Benchmarks" : "Ops", how_to_read(w));
	text_init(&head);
	text_add(&head, "<th scope=\"col\" class=\"l plot\">change with interval");
	plot_forest_axis(&head, &w->scale);
	text_add(&head, "</th>");
	text_add(w->out, "<div class=\"tools\" id=\"tools\"></div><div id=\"opstable\">");
	html_table(w->out, &w->report->display, w->arena,
		&(struct html_table_options){.most = ROWS_MOST,
			.rest_option = "--top=all, -o compare.csv",
			.extra = row_forest,
			.head = text_string(&head),
			.context = w});
	text_add(w->out, "</div><p id=\"more\" class=\"noprint\"></p></section>\n");
	text_release(&head);
}

/* ---- method ---- */

static void add_term(struct text *out, const char *term, const char *words)
{
	text_add(out, "<dt>");
	html_add(out, term);
	text_add(out, "</dt><dd>");
	html_add(out, words);
	text_add(out, "</dd>");
}

static void add_legend(struct compare_writer *w)
{
	static const char *const word[][2] = {{"REGRESSED", "above the margin"},
		{"IMPROVED", "below the margin"},
		{"SLOWER", "changed, the size may be within the margin"}, {"FASTER", "likewise"},
		{"WORSE", "as SLOWER, of losses"}, {"BETTER", "as FASTER, of losses"},
		{"MORE", "as SLOWER, of bytes and counts"},
		{"LESS", "as FASTER, of bytes and counts"},
		{"SAME", "shown to be within the margin"}, {"NEW", "only new has it"},
		{"GONE", "only base has it"}, {"LOST", "no run of new has measured it"},
		{"RARE", "on one side only, in so few runs that chance may have put it there"},
		{"INCONCLUSIVE", "neither shown to differ nor to be the same; \"sees\" is the "
				 "smallest change "
				 "that such runs would have shown"}};
	const bool is_time = w->page->dimension == DIMENSION_TIME;

	text_add(w->out, "<div><h3>Verdicts</h3><dl class=\"vd\">");
	for (size_t i = 0; i < COUNT(word); i++) {
		const struct verdict_look *look = verdict_look_of(word[i][0]);
		const bool of_bytes =
			text_equal(look->word, "MORE") || text_equal(look->word, "LESS");
		const bool of_benchmarks = text_equal(look->word, "LOST") ||
					   text_equal(look->word, "WORSE") ||
					   text_equal(look->word, "BETTER");
		const bool of_time =
			text_equal(look->word, "SLOWER") || text_equal(look->word, "FASTER");

		if ((of_bytes && is_time && w->compare->measure_count < 2) ||
			(of_time && !is_time) || (of_benchmarks && !w->compare->benchmarks))
			continue;
		text_printf(w->out, "<dt><span class=\"verdict %s\">", look->class_name);
		add_icon(w->out, look->icon);
		text_printf(w->out, "%s</span></dt><dd>", look->word);
		html_add(w->out, word[i][1]);
		text_add(w->out, "</dd>");
	}
	text_add(w->out, "</dl></div>\n");
}

static void add_run_row(struct compare_writer *w, enum page_side_id id, const struct page_run *run)
{
	const struct page_side *side = &w->compare->side[id];
	size_t kept = 0;

	for (size_t s = run->first; s < run->first + run->count; s++)
		kept += side->step[s].kept;
	text_printf(w->out, "<tr><td class=\"l\">%s</td><td class=\"l name\">",
		id == PAGE_BASE ? "base" : "new");
	html_add(w->out, run->name);
	text_printf(w->out, "</td><td>%zu</td><td>", kept);
	if (kept < run->count)
		text_printf(w->out, "%zu", run->count - kept);
	text_add(w->out, "</td><td>");
	if (!w->compare->benchmarks)
		html_add(w->out, quantity(w, run->mean, false));
	text_add(w->out, "</td></tr>\n");
}

static void add_runs(struct compare_writer *w)
{
	size_t left_out = 0;

	text_add(w->out,
		"<div><h3>Runs</h3><div class=\"scroll\" tabindex=\"0\"><table "
		"class=\"plain\"><thead><tr><th "
		"scope=\"col\" class=\"l\">side</th><th scope=\"col\" class=\"l\">run</th><th "
		"scope=\"col\">steps</th><th scope=\"col\">left out</th><th scope=\"col\">");
	if (!w->compare->benchmarks)
		html_add(w->out, w->compare->step_name);
	text_add(w->out, "</th></tr></thead><tbody>");
	for (enum page_side_id id = 0; id < PAGE_SIDES; id++) {
		const struct page_side *side = &w->compare->side[id];

		for (size_t r = 0; r < side->run_count && r < RUNS_MOST; r++)
			add_run_row(w, id, &side->run[r]);
		left_out += side->run_count > RUNS_MOST ? side->run_count - RUNS_MOST : 0;
	}
	text_add(w->out, "</tbody></table></div>");
	if (left_out)
		text_printf(w->out,
			"<p class=\"dim\">%zu more runs are in the data of the page</p>", left_out);
	text_add(w->out, "</div>\n");
}

static void add_method(struct compare_writer *w)
{
	open_section(w, "how", "Method", "Where the numbers come from, and how to check them.");
	text_add(w->out, "<div class=\"how\">\n");
	text_add(w->out, "<div><h3>Made by</h3>");
	if (w->page->command) {
		text_add(w->out, "<pre>");
		html_add(w->out, w->page->command);
		text_add(w->out, "</pre>");
	}
	text_add(w->out, "<dl>");
	for (size_t i = 0; i < w->compare->term_count; i++)
		add_term(w->out, w->compare->term[i][0], w->compare->term[i][1]);
	if (w->report->policy_file) {
		add_term(w->out, "policies", w->report->policy_file);
		add_term(w->out, "their SHA-256", w->report->policy_sha256);
	}
	text_add(w->out, "</dl></div>\n");
	add_legend(w);
	add_runs(w);
	text_add(w->out, "<div><h3>Data quality</h3>");
	html_issues(w->out, w->report);
	text_add(w->out, "</div>\n</div></section>\n");
}

/* ---- the page ---- */

static void add_nav(struct compare_writer *w, const struct text *sections)
{
	static const char *const link[][2] = {{"checks", "Checks"}, {"parts", "Step and devices"},
		{"step", "The step"}, {"ops", "Ops"}, {"how", "Method"}};

	text_add(w->out, "<nav class=\"bar\" aria-label=\"Sections\"><div class=\"wrap\">");
	for (size_t i = 0; i < COUNT(link); i++)
		if (strstr(text_string(sections),
			    arena_printf(w->arena, "<section id=\"%s\">", link[i][0])))
			text_printf(w->out, "<a href=\"#%s\">%s</a>", link[i][0],
				w->compare->benchmarks && i == 3 ? "Benchmarks" : link[i][1]);
	text_add(w->out, "<span class=\"grow\"></span><label><span class=\"vh\">unit</span><select "
			 "id=\"unit\"></select></label><button id=\"theme\" class=\"btn\" "
			 "type=\"button\">theme: auto</button></div></nav>\n");
}

void html_compare(struct text *out, const struct report *report, const struct web_page *page)
{
	struct compare_writer w = {
		.report = report, .page = page, .compare = page->compare, .arena = report->arena};
	struct text sections;

	forest_scale_make(&w.scale, w.compare);
	text_init(&sections);
	w.out = &sections;
	add_checks(&w);
	if (w.report->before.row_count) {
		open_section(&w, "parts", "Step and devices",
			"What a step and each device did, base against new. The parts of a device "
			"add up "
			"to "
			"its window.");
		html_table(w.out, &w.report->before, w.arena,
			&(struct html_table_options){
				.most = ROWS_MOST, .rest_option = "--table=parts -o parts.csv"});
		text_add(w.out, "</section>\n");
	}
	add_step(&w);
	add_rows(&w);
	add_method(&w);
	text_add(w.out, "<footer>");
	html_add(w.out, w.page->version);
	if (w.page->command) {
		text_add(w.out, " \u00b7 ");
		html_add(w.out, w.page->command);
	}
	text_add(w.out, " \u00b7 the same input and options give the same bytes</footer>");
	w.out = out;
	text_add(out, "<header class=\"wrap\">\n");
	html_brand(out, report);
	if (w.report->has_result) {
		text_printf(w.out, "<p class=\"gate %s\">", gate_class(&w));
		add_icon(w.out, gate_icon(&w));
		text_add(w.out, "<span>");
		html_add(w.out, w.report->result);
		text_printf(w.out, " <span class=\"dim\">\u00b7 exit status %d</span></span></p>\n",
			w.report->exit_status);
	}
	add_answers(&w);
	add_figures(&w);
	html_alerts(out, report);
	text_add(out, "</header>\n");
	add_nav(&w, &sections);
	text_add(out, "<main class=\"wrap\">");
	text_add_bytes(out, sections.data, sections.size);
	text_add(out, "</main>");
	text_release(&sections);
}
