/*
 * One function for each key of the data.
 */
#include "report/html/html_data.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include "base/intern.h"
#include "base/number.h"
#include "base/output/json_text.h"
#include "base/unit.h"
#include "report/html/html_page.h"
#include "report/page/page_stack.h"
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

static double number_of(const struct data_field *field, const void *at, double unit)
{
	return field->kind == 'z'   ? (double)*(const size_t *)at
	       : field->kind == 'b' ? *(const bool *)at
	       : field->kind == 'u' ? *(const double *)at / unit
	       : field->kind == 'p' ? *(const double *)at * 100
				    : *(const double *)at;
}

static void data_cell(struct text *out, const struct data_field *field, const void *at, double unit)
{
	if (field->kind == 's')
		data_text(out, *(const char *const *)at);
	else if (field->kind == 'z')
		data_print(out, "%z", *(const size_t *)at);
	else
		data_number(out, number_of(field, at, unit));
}

/* True if a field of all items is one number. */
static bool is_alike(const struct data_field *field, const struct data_items *items)
{
	const char *first = (const char *)items->first + field->at;

	if (!items->is_folded || field->kind == 's' || !items->count)
		return false;
	for (size_t i = 1; i < items->count; i++) {
		const double a = number_of(field, first, 1);
		const double b = number_of(field, first + i * items->size, 1);

		if (a != b && !(isnan(a) && isnan(b)))
			return false;
	}
	return true;
}

void data_columns(struct text *out, const struct data_field *field, size_t count,
	const struct data_items *items)
{
	for (size_t f = 0; f < count; f++) {
		const bool alike = is_alike(&field[f], items);

		text_printf(out, alike ? ",\"%s\":" : ",\"%s\":[", field[f].key);
		for (size_t i = 0; i < (alike ? 1 : items->count); i++) {
			const char *item = (const char *)items->first + i * items->size;

			data_comma(out, i);
			data_cell(out, &field[f], item + field[f].at,
				items->dimension
					? data_unit_of(*(
						  const enum dimension *)(item + items->dimension))
					: items->unit);
		}
		if (!alike)
			text_add_char(out, ']');
	}
}

void data_members(struct text *out, const struct data_field *field, size_t count, const void *item,
	double unit)
{
	for (size_t f = 0; f < count; f++) {
		text_printf(out, ",\"%s\":", field[f].key);
		data_cell(out, &field[f], (const char *)item + field[f].at, unit);
	}
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

/* ---- tables ---- */

static bool is_of_texts(const struct table *table, size_t column)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (table->row[i].cell[column].kind == CELL_TEXT)
			return true;
	return false;
}

/* {"words":["a","b"],"at":[0,0,1,null]}: names come again in many rows. */
static void data_words_of(
	struct text *out, const struct table *table, size_t column, struct arena *arena)
{
	struct intern *words = intern_new(arena);
	struct text at;

	text_init(&at);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct cell *cell = &table->row[i].cell[column];

		data_comma(&at, i);
		if (cell->kind == CELL_TEXT && cell->text)
			text_printf(&at, "%u",
				(unsigned)intern_id(words, cell->text, strlen(cell->text)));
		else
			text_add(&at, "null");
	}
	text_add(out, "{\"words\":[");
	for (size_t i = 0; i < intern_count(words); i++) {
		data_comma(out, i);
		data_text(out, intern_name(words, (uint32_t)i));
	}
	text_printf(out, "],\"at\":[%s]}", text_string(&at));
	text_release(&at);
}

static void data_numbers_of(struct text *out, const struct table *table, size_t column)
{
	text_add_char(out, '[');
	for (size_t i = 0; i < table->row_count; i++) {
		const struct cell *cell = &table->row[i].cell[column];

		data_comma(out, i);
		data_number(out, cell->kind == CELL_REAL      ? cell->real
				 : cell->kind == CELL_INTEGER ? (double)cell->integer
							      : NAN);
	}
	text_add_char(out, ']');
}

void data_table(struct text *out, const char *key, const struct table *table, struct arena *arena)
{
	static const char *const tones[] = {[TONE_PLAIN] = "",
		[TONE_WORSE] = "worse",
		[TONE_BETTER] = "better",
		[TONE_OPEN] = "quiet"};

	text_printf(out, ",\"%s\":{", key);
	for (size_t c = 0; c < table->column_count; c++) {
		text_printf(out, "\"%s\":", table->column[c].stat);
		if (is_of_texts(table, c))
			data_words_of(out, table, c, arena);
		else
			data_numbers_of(out, table, c);
		text_add_char(out, ',');
	}
	text_add(out, "\"tone\":[");
	for (size_t i = 0; i < table->row_count; i++) {
		data_comma(out, i);
		data_text(out, tones[table->row[i].tone]);
	}
	text_add(out, "]}");
}

double data_unit_of(enum dimension dimension)
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
	data_print(out, "stepstat:%z,command:%s,version:%s,measure:%s,confidence:%n,scale:%n",
		(size_t)1, report->command, page->version, page->measure, 100 * page->confidence,
		page->grid / data_unit_of(page->dimension));
	data_texts(out, "inputs", page->input, page->input_count);
	data_texts(out, "options", page->option, page->option_count);
	DATA_EACH(out, "notes", note, note, report->note, report->note_count,
		data_print(
			out, "{mark:%s,text:%s,option:%s}", note->mark, note->text, note->option));
}

/* ---- runs and steps ---- */

static const char *const fate_words[] = {
	"yes", "warm-up", "other kind", "not chosen", "run left out"};

static size_t fate_index(const char *fate)
{
	size_t i = 0;

	while (i + 1 < COUNT(fate_words) && strcmp(fate, fate_words[i]) != 0)
		i++;
	return i;
}

/* The label of a step: a number, a text where that comes again. */
static void data_step(struct text *out, const struct page_step *step)
{
	if (strchr(step->label, ' '))
		data_text(out, step->label);
	else
		text_add(out, step->label);
}

#define EACH_STEP(key, add) DATA_EACH(out, key, page_step, step, page->step, page->step_count, add)

/* A series over the steps; NaN is null. */
static void data_steps(struct text *out, const char *key, const struct web_page *page,
	const double *value, double unit)
{
	text_printf(out, ",\"%s\":[", key);
	for (size_t s = 0; s < page->step_count; s++) {
		data_comma(out, s);
		data_number(out, value[s] / unit);
	}
	text_add_char(out, ']');
}

/* Base units in one unit of step times. */
static double step_unit(const struct web_page *page)
{
	return page->has_step_time ? PS_PER_US : data_unit_of(page->dimension);
}

static void data_all_steps(struct text *out, const struct web_page *page)
{
	static const struct data_field numbers[] = {DATA_FIELD("mean", page_numbers, mean, 'u'),
		DATA_FIELD("low", page_numbers, low, 'u'),
		DATA_FIELD("high", page_numbers, high, 'u'),
		DATA_FIELD("cv", page_numbers, cv, 'p')};
	struct arena *scratch = arena_new();
	double *value = arena_array(scratch, page->step_count, sizeof(*value));
	size_t outliers = 0;

	for (size_t s = 0; s < page->step_count; s++)
		value[s] = page_step_value(page, &page->step[s]);
	data_print(out, ",steps:{name:%s",
		page->has_step_time ? "step time"
		: page->dimension == DIMENSION_TIME
			? "op time"
			: arena_printf(scratch, "sum of %s", page->measure));
	EACH_STEP("number", data_step(out, step));
	data_steps(out, "time", page, value, step_unit(page));
	data_steps(out, "level", page, page_levels(page, value, scratch), step_unit(page));
	EACH_STEP("total", data_number(out, step->op_time / data_unit_of(page->dimension)));
	if (page->kept_count < page->step_count) {
		EACH_STEP("left", text_add_char(out, step->kept ? '0' : '1'));
		EACH_STEP("fate", data_print(out, "%z", fate_index(step->fate)));
		data_texts(out, "fates", fate_words, COUNT(fate_words));
	}
	text_add(out, ",\"out\":[");
	for (size_t s = 0; s < page->step_count; s++)
		if (page->step[s].outlier) {
			data_comma(out, outliers++);
			data_print(out, "%z", s);
		}
	text_add_char(out, ']');
	data_members(out, numbers, COUNT(numbers),
		page->has_step_time ? &page->step_time : &page->total.number, step_unit(page));
	if (page->longest < page->step_count)
		data_print(out, ",longest:%z", page->longest);
	else
		data_print(out, ",longest:%n", NAN);
	text_add_char(out, '}');
	arena_free(scratch);
	DATA_EACH(out, "runs", page_run, run, page->run, page->run_count,
		data_print(out, "{name:%s,first:%z,count:%z,mean:%n}", run->name, run->first,
			run->count, run->mean / step_unit(page)));
}

static void data_stack(struct text *out, const struct web_page *page, const struct page_stack *of)
{
	const double unit = text_starts(of->id, "part") ? PS_PER_US : data_unit_of(page->dimension);

	data_print(out, "{id:%s,label:%s,text:%s", of->id, of->label, of->text);
	DATA_EACH(out, "rows", page_stack_row, row, of->row, of->count, {
		data_print(out, "{kind:%s,name:%s,mean:%n", row->kind, row->name, row->mean / unit);
		data_steps(out, "value", page, row->value, unit);
		data_steps(out, "level", page, row->level, unit);
		text_add_char(out, '}');
	});
	text_add_char(out, '}');
}

static void data_stacks(struct text *out, const struct web_page *page)
{
	struct page_stack stack[PAGE_STACKS];
	struct arena *scratch = arena_new();
	const size_t count = page_stacks_make(page, scratch, stack);

	DATA_EACH(out, "stacks", page_stack, of, stack, count, data_stack(out, page, of));
	arena_free(scratch);
}

/* ---- rows ---- */

/* The last one is there with a second measure. */
static const struct data_field row_fields[] = {DATA_FIELD("name", page_row, name, 's'),
	DATA_FIELD("mean", page_row, number.mean, 'u'),
	DATA_FIELD("share", page_row, number.share, 'p'),
	DATA_FIELD("cv", page_row, number.cv, 'p'), DATA_FIELD("low", page_row, number.low, 'u'),
	DATA_FIELD("high", page_row, number.high, 'u'), DATA_FIELD("sd", page_row, number.sd, 'u'),
	DATA_FIELD("robust", page_row, number.robust_cv, 'p'),
	DATA_FIELD("cvrun", page_row, number.cv_run, 'p'),
	DATA_FIELD("min", page_row, number.min, 'u'),
	DATA_FIELD("median", page_row, number.median, 'u'),
	DATA_FIELD("max", page_row, number.max, 'u'), DATA_FIELD("p95", page_row, number.p95, 'u'),
	DATA_FIELD("jitter", page_row, number.jitter, 'p'),
	DATA_FIELD("n", page_row, number.n, 'z'), DATA_FIELD("neff", page_row, number.n_eff, 'n'),
	DATA_FIELD("lag1", page_row, number.lag1, 'n'),
	DATA_FIELD("calls", page_row, number.calls, 'n'),
	DATA_FIELD("floor", page_row, number.cv_floor, 'p'),
	DATA_FIELD("ran", page_row, number.ran, 'z'),
	DATA_FIELD("steps", page_row, number.steps, 'z'), DATA_FIELD("type", page_row, type, 'z'),
	DATA_FIELD("cls", page_row, class_name, 'z'), DATA_FIELD("device", page_row, device, 'z'),
	DATA_FIELD("mark", page_row, mark, 's'),
	DATA_FIELD("second", page_row, number.second, 'n')};

static const struct data_field total_fields[] = {DATA_FIELD("mean", page_total, number.mean, 'u'),
	DATA_FIELD("low", page_total, number.low, 'u'),
	DATA_FIELD("high", page_total, number.high, 'u'),
	DATA_FIELD("cv", page_total, number.cv, 'p'),
	DATA_FIELD("cvrun", page_total, number.cv_run, 'p'),
	DATA_FIELD("jitter", page_total, number.jitter, 'p'),
	DATA_FIELD("second", page_total, number.second, 'n')};

static void data_outliers(struct text *out, const struct page_row *row)
{
	text_add_char(out, '[');
	for (size_t k = 0; row->value && k < row->outlier_count; k++) {
		data_comma(out, k);
		data_print(out, "%z", row->outlier[k]);
	}
	text_add_char(out, ']');
}

/* Values as integers of the grid; NaN is null. */
static void data_grid(struct text *out, const double *value, size_t count, double grid)
{
	char number[NUMBER_TEXT_SIZE];

	for (size_t i = 0; i < count; i++) {
		data_comma(out, i);
		text_add(out, isnan(value[i])
				      ? "null"
				      : number_format_int(number, llround(value[i] / grid)));
	}
}

static void data_series(struct text *out, const struct page_row *row, const struct web_page *page)
{
	if (!row->value) {
		text_add(out, "null");
		return;
	}
	text_add_char(out, '[');
	data_grid(out, row->value, page->step_count, page->grid);
	text_add_char(out, ']');
}

static void data_ops(struct text *out, const struct web_page *page)
{
	const struct page_rows *rows = &page->rows[PAGE_NAME];
	size_t n = 0;

	data_print(out, ",ops:{noun:%s", rows->noun);
	data_columns(out, row_fields, COUNT(row_fields) - !page->second,
		&(struct data_items){rows->row, sizeof(*rows->row), rows->count,
			data_unit_of(page->dimension), 0, true});
	DATA_EACH(out, "out", page_row, row, rows->row, rows->count, data_outliers(out, row));
	DATA_EACH(out, "short", page_row, row, rows->row, rows->count,
		data_text(out, text_equal(row->short_name, row->name) ? NULL : row->short_name));
	text_add_char(out, '}');
	DATA_EACH(
		out, "series", page_row, row, rows->row, rows->count, data_series(out, row, page));
	/* Add sketches of rows without values. */
	for (size_t i = 0; i < rows->count; i++) {
		const struct page_row *row = &rows->row[i];

		if (row->value)
			continue;
		text_printf(out, n++ ? ",\"%zu\":[" : ",\"sketch\":{\"%zu\":[", i);
		data_grid(out, row->quantile, PAGE_QUANTILES, page->grid);
		text_add(out, ",[");
		data_grid(out, row->far, row->far_count, page->grid);
		text_add(out, "]]");
	}
	text_add(out, n ? "}" : "");
}

/* ---- tables, ranks ---- */

/* Tables of the report. */
static void data_tables(struct text *out, const struct report *report)
{
	static const char *const name[] = {"findings", "ranks", "split", "parts", "scopes"};

	for (size_t i = 0; i < COUNT(name); i++) {
		const struct table *table = html_find_table(report, name[i]);

		if (!table)
			continue;
		text_printf(out, ",\"%s\":", name[i]);
		writer_json_columns(out, table);
	}
}

/* Most cells of ranks and steps for which the excess of each step is added; more cannot be looked
 * at. */
#define RANK_CELLS_MOST 60000

/* Work over the median rank, beside the table of ranks. */
static void data_excess(struct text *out, const struct web_page *page)
{
	static const struct data_field fields[] = {DATA_FIELD("mean", page_rank, excess_mean, 'u'),
		DATA_FIELD("culprit", page_rank, culprit, 'b')};
	const struct data_items items = {
		page->rank, sizeof(*page->rank), page->rank_count, PS_PER_US, 0, false};

	if (!page->rank_count)
		return;
	data_print(out, ",excess:{grouped:%b", page->grouped);
	data_columns(out, fields, COUNT(fields), &items);
	if (page->rank_count <= RANK_CELLS_MOST / (page->kept_count ? page->kept_count : 1))
		DATA_EACH(out, "steps", page_rank, rank, page->rank, page->rank_count, {
			text_add_char(out, '[');
			for (size_t s = 0; s < page->kept_count; s++) {
				data_comma(out, s);
				data_number(out, rank->excess[s] / PS_PER_US);
			}
			text_add_char(out, ']');
		});
	text_add_char(out, '}');
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
	text_add_char(out, '{');
	data_common(out, report, page);
	data_print(out, ",page:%s,title:%s,unit:%s,second:%s,overlap:%b,cut:%b", "report",
		page->title, data_base_unit(page->dimension), page->second, page->overlap,
		page->is_cut);
	data_all_steps(out, page);
	data_stacks(out, page);
	data_ops(out, page);
	data_texts(out, "types", page->type, page->type_count);
	data_texts(out, "classes", page->class_name, page->class_count);
	data_texts(out, "of", page->device, page->device_count);
	data_print(out, ",total:{label:%s", page->total.label);
	data_members(out, total_fields, COUNT(total_fields), &page->total,
		data_unit_of(page->dimension));
	data_print(out, "},notin:%n", 100 * page->not_in_ops);
	data_tables(out, report);
	data_excess(out, page);
	data_formulas(out, page);
	text_add_char(out, '}');
}
