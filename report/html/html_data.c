/* One function for each kind of page: its members, then its tables. */
#include "report/html/html_data.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "base/number.h"
#include "base/output/json_text.h"
#include "base/unit.h"
#include "report/html/html_compare.h"
#include "report/html/html_page.h"
#include "writers/writer.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define DATA_DIGITS 6

/* ---- pieces ---- */

static void data_number(struct text *out, double value)
{
	char number[NUMBER_TEXT_SIZE];

	text_add(out, isfinite(value) ? number_format_real(number, value, DATA_DIGITS) : "null");
}

static void data_text(struct text *out, const char *s)
{
	if (s)
		json_text_shown(out, s);
	else
		text_add(out, "null");
}

static void data_comma(struct text *out, size_t index)
{
	if (index)
		text_add_char(out, ',');
}

/* Adds the format, in which words are keys and get quotes: {first:%z,mean:%n}. %s is a text (NULL:
 * null), %z a size_t, %b a truth, %n a double with six digits (not finite: null). */
static void data_print(struct text *out, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	while (*format) {
		size_t n = 0;

		while (isalnum((unsigned char)format[n]))
			n++;
		if (n) {
			text_printf(out, "\"%.*s\"", (int)n, format);
			format += n;
			continue;
		}
		if (*format != '%') {
			text_add_char(out, *format++);
			continue;
		}
		switch (format[1]) {
		case 's':
			data_text(out, va_arg(list, const char *));
			break;
		case 'z':
			text_printf(out, "%zu", va_arg(list, size_t));
			break;
		case 'b':
			text_add(out, va_arg(list, int) ? "true" : "false");
			break;
		default:
			data_number(out, va_arg(list, double));
		}
		format += 2;
	}
	va_end(list);
}

static void data_texts(struct text *out, const char *key, const char *const *text, size_t count)
{
	text_printf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		data_comma(out, i);
		data_text(out, text[i]);
	}
	text_add_char(out, ']');
}

/* An object of these keys and texts. */
static void data_words(
	struct text *out, const char *key, const char *const (*word)[2], size_t count)
{
	text_printf(out, ",\"%s\":{", key);
	for (size_t i = 0; i < count; i++) {
		data_comma(out, i);
		text_printf(out, "\"%s\":", word[i][0]);
		data_text(out, word[i][1]);
	}
	text_add_char(out, '}');
}

/* The table as a member, by column; NULL: nothing. */
static void data_table(
	struct text *out, const char *key, const struct table *table, struct arena *arena)
{
	if (!table)
		return;
	text_printf(out, ",\"%s\":", key);
	writer_json_columns(out, table, arena);
}

/* Tables of these names, where the report has them. */
static void data_tables(
	struct text *out, const struct report *report, const char *const *name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		data_table(out, name[i], html_find_table(report, name[i]), report->arena);
}

/* The unit of the values of a dimension in the data. */
static const char *data_base_unit(enum dimension dimension)
{
	return dimension == DIMENSION_TIME    ? "us"
	       : dimension == DIMENSION_BYTES ? "B"
					      : unit_choose(dimension, 0)->name;
}

/* Members of pages of steps and of comparisons. */
static void data_common(struct text *out, const struct report *report, const struct web_page *page)
{
	data_print(out, "stepstat:%z,command:%s,version:%s,measure:%s,confidence:%n", (size_t)1,
		report->command, page->version, page->measure, 100 * page->confidence);
	data_texts(out, "inputs", page->input, page->input_count);
	data_texts(out, "options", page->option, page->option_count);
	text_add(out, ",\"notes\":[");
	for (size_t i = 0; i < report->note_count; i++) {
		const struct note *note = &report->note[i];

		data_comma(out, i);
		data_print(
			out, "{mark:%s,text:%s,option:%s}", note->mark, note->text, note->option);
	}
	text_add_char(out, ']');
}

/* ---- a report ---- */

static void data_formulas(struct text *out, const struct web_page *page)
{
	const bool several = page->run_count > 1, of_step = !isnan(page->not_in_ops);
	const char *const formula[][2] = {{"mean", several ? "mean of the run means" : "Σx / n"},
		{"ci", several ? "mean ∓ t(runs − 1) sd of run means / √runs"
			       : "mean ∓ t sd / √n, widened for correlated steps"},
		{"median", "middle value"}, {"p95", "R type 7"},
		{"sd", page->population ? "√(Σ(x − mean)² / n)" : "√(Σ(x − mean)² / (n − 1))"},
		{"cv", several ? "√(mean of the runs’ variances) / mean" : "sd / mean"},
		{"cvrun", "sd of run means / their mean"}, {"robust", "1.4826 MAD / median"},
		{"floor", "resolution / (√12 mean)"}, {"share", "Σx / ΣS, S: all ops"},
		{"jitter", of_step ? "cov(x, T) / var(T), T: step time" : "cov(x, S) / var(S)"},
		{"neff", "n (1 − r) / (1 + r), r: lag 1"}, {"second", "mean per step"}};

	data_words(out, "formula", formula, COUNT(formula));
}

static void data_report(struct text *out, const struct report *report, const struct web_page *page)
{
	static const char *const name[] = {"findings", "ranks", "split", "parts", "scopes",
		"series", "levels", "stacks", "excess", "step", "runs"};

	data_common(out, report, page);
	data_print(out, ",page:%s,title:%s,unit:%s,noun:%s,second:%s,overlap:%b,cut:%b", "report",
		page->title, data_base_unit(page->dimension), page->rows[PAGE_NAME].noun,
		page->second, page->overlap, page->is_cut);
	data_tables(out, report, name, COUNT(name));
	data_formulas(out, page);
}

/* ---- a comparison ---- */

/* Codes of notes, and their meaning. */
static const char *const codes[][2] = {{"new", "only new has it"}, {"gone", "only base has it"},
	{"fragile-run", "fragile: without one run there is no such verdict"},
	{"fragile-step", "fragile: without one step there is no such verdict"},
	{"small", "below --min-share on both sides: tested with the other small ones"},
	{"ran-changed", "it ran in another share of the steps, or another number of times in each"},
	{"zero", "a run value is 0: tested without logarithms"},
	{"floor", "all runs of a side have one value: tested against the resolution"},
	{"resolution", "the resolution of the times keeps the verdict from being more"},
	{"withheld", "flagged, but the runs differ as much among themselves"},
	{"run-far-off", "the change is that of the geometric means: one run far from the others "
			"moves the means out of the interval"},
	{"runs-left-out", "runs that lie far off are left out of its test and its means"},
	{"per-call", "change, interval and q are of one time that it ran, not of a step"},
	{"moved", "its change and those of other ops cancel: work that moved"},
	{"missing-runs", "a run has no value of it"},
	{"one-run", "one run on a side: the interval is about these runs only, or has the "
		    "spread of the other side"},
	{"few-runs", "two runs on a side: more false discoveries than asked for"},
	{"lost", "a run has steps, and none with a known value"}};

static void data_compare(struct text *out, const struct report *report, const struct web_page *page)
{
	static const char *const name[] = {"changes", "step", "runs", "packages"};
	const struct page_compare *c = page->compare;

	data_common(out, report, page);
	data_print(out, ",page:%s,unit:%s,noun:%s,nouns:%s,fold:%z,addsup:%b,margin:%n,moved:%s",
		c->benchmarks ? "suite" : "compare",
		c->benchmarks ? "" : data_base_unit(page->dimension), c->noun, c->nouns,
		html_rows_open(c), c->adds_up, 100 * c->margin,
		c->moved_text ? c->moved_kind : NULL);
	text_add(out, ",\"measures\":[");
	for (size_t i = 0; i < c->measure_count; i++) {
		data_comma(out, i);
		data_print(out, "{name:%s,unit:%s}", c->measure[i].name,
			data_base_unit(c->measure[i].dimension));
	}
	text_add_char(out, ']');
	data_table(out, "ops", &report->data, report->arena);
	data_tables(out, report, name, COUNT(name));
	if (report->has_result)
		text_printf(out, ",\"exit\":%d", report->exit_status);
	html_looks(out);
	data_words(out, "codes", codes, COUNT(codes));
}

/* ---- pairs of runs, histories ---- */

static void data_plain(struct text *out, const struct report *report)
{
	data_print(out, "page:%s,unit:%s", report->command, "");
	html_looks(out);
	data_table(out, "data", &report->data, report->arena);
	data_table(out, "display", &report->display, report->arena);
	for (size_t i = 0; i < report->more_count; i++)
		data_table(out, report->more[i].name, &report->more[i], report->arena);
}

void html_data(struct text *out, const struct report *report, const struct web_page *page)
{
	text_add_char(out, '{');
	if (!page)
		data_plain(out, report);
	else if (page->compare)
		data_compare(out, report, page);
	else
		data_report(out, report, page);
	text_add_char(out, '}');
}
