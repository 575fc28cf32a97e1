/* One function for each key of the data. */
#include "report/html/html_data.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "base/number.h"
#include "base/output/json_text.h"
#include "base/unit.h"
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

void data_comma(struct text *out, size_t index)
{
	if (index)
		text_add_char(out, ',');
}

void data_print(struct text *out, const char *format, ...)
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

void data_words(struct text *out, const char *key, const char *const (*word)[2], size_t count)
{
	text_printf(out, ",\"%s\":{", key);
	for (size_t i = 0; i < count; i++) {
		data_comma(out, i);
		text_printf(out, "\"%s\":", word[i][0]);
		data_text(out, word[i][1]);
	}
	text_add_char(out, '}');
}

void data_table(struct text *out, const char *key, const struct table *table, struct arena *arena)
{
	if (!table)
		return;
	text_printf(out, ",\"%s\":", key);
	writer_json_columns(out, table, arena);
}

/* Base units in one unit of the data: us, bytes, or the smallest unit of what has its own. */
static double data_unit_of(enum dimension dimension)
{
	return dimension == DIMENSION_TIME	? PS_PER_US
	       : dimension > DIMENSION_FRACTION ? (double)unit_choose(dimension, 0)->factor
						: 1;
}

const char *data_base_unit(enum dimension dimension)
{
	return dimension == DIMENSION_TIME    ? "us"
	       : dimension == DIMENSION_BYTES ? "B"
					      : unit_choose(dimension, 0)->name;
}

/* ---- all pages ---- */

void data_common(struct text *out, const struct report *report, const struct web_page *page)
{
	data_print(out, "stepstat:%z,command:%s,version:%s,measure:%s,confidence:%n", (size_t)1,
		report->command, page->version, page->measure, 100 * page->confidence);
	data_texts(out, "inputs", page->input, page->input_count);
	data_texts(out, "options", page->option, page->option_count);
	DATA_EACH(out, "notes", note, note, report->note, report->note_count,
		data_print(
			out, "{mark:%s,text:%s,option:%s}", note->mark, note->text, note->option));
}

/* ---- runs and steps ---- */

/* Base units in one unit of step times. */
static double step_unit(const struct web_page *page)
{
	return page->has_step_time ? PS_PER_US : data_unit_of(page->dimension);
}

static void data_all_steps(struct text *out, const struct web_page *page, struct arena *arena)
{
	const struct page_numbers *of =
		page->has_step_time ? &page->step_time : &page->total.number;
	const double unit = step_unit(page);

	data_print(out, ",steps:{name:%s,mean:%n,low:%n,high:%n,cv:%n",
		page->has_step_time ? "step time"
		: page->dimension == DIMENSION_TIME
			? "op time"
			: arena_printf(arena, "sum of %s", page->measure),
		of->mean / unit, of->low / unit, of->high / unit, 100 * of->cv);
	if (page->longest < page->step_count)
		data_print(out, ",longest:%z", page->longest);
	else
		data_print(out, ",longest:%n", NAN);
	text_add_char(out, '}');
	DATA_EACH(out, "runs", page_run, run, page->run, page->run_count,
		data_print(out, "{name:%s,first:%z,count:%z,mean:%n}", run->name, run->first,
			run->count, run->mean / step_unit(page)));
}

/* ---- tables, ranks ---- */

/* Tables of the report. */
static void data_tables(struct text *out, const struct report *report)
{
	static const char *const name[] = {"findings", "ranks", "split", "parts", "scopes",
		"series", "levels", "stacks", "excess"};

	for (size_t i = 0; i < COUNT(name); i++)
		data_table(out, name[i], html_find_table(report, name[i]), report->arena);
}

/* ---- words ---- */

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

void html_data(struct text *out, const struct report *report, const struct web_page *page)
{
	const struct page_numbers *total = &page->total.number;
	const double unit = data_unit_of(page->dimension);

	text_add_char(out, '{');
	data_common(out, report, page);
	data_print(out, ",page:%s,title:%s,unit:%s,noun:%s,second:%s,overlap:%b,cut:%b", "report",
		page->title, data_base_unit(page->dimension), page->rows[PAGE_NAME].noun,
		page->second, page->overlap, page->is_cut);
	data_all_steps(out, page, report->arena);
	data_print(out,
		",total:{label:%s,mean:%n,low:%n,high:%n,cv:%n,cvrun:%n,jitter:%n,second:%n},notin:"
		"%n",
		page->total.label, total->mean / unit, total->low / unit, total->high / unit,
		100 * total->cv, 100 * total->cv_run, 100 * total->jitter, total->second,
		100 * page->not_in_ops);
	data_tables(out, report);
	data_formulas(out, page);
	text_add_char(out, '}');
}
