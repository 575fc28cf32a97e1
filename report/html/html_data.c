/*
 * One function for each key of the data.
 */
#include "report/html/html_data.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include "base/number.h"
#include "base/output/json_text.h"
#include "base/unit.h"
#include "report/html/html_page.h"
#include "report/page/page_stack.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- pieces ---- */

void data_number(struct text *out, double value)
{
	char number[NUMBER_TEXT_SIZE];

	text_add(out, isfinite(value) ? number_format_real(number, value, HTML_DIGITS) : "null");
}

void data_text(struct text *out, const char *s)
{
	if (s)
		json_text_shown(out, s);
	else
		text_add(out, "null");
}

static void data_key(struct text *out, const char *key)
{
	text_printf(out, "\"%s\":", key);
}

void data_next(struct text *out, const char *key)
{
	text_add_char(out, ',');
	data_key(out, key);
}

void data_comma(struct text *out, size_t index)
{
	if (index)
		text_add_char(out, ',');
}

static void data_count(struct text *out, size_t value)
{
	text_printf(out, "%zu", value);
}

void data_member(struct text *out, const char *key, const char *value)
{
	data_next(out, key);
	data_text(out, value);
}

void data_real(struct text *out, const char *key, double value)
{
	data_next(out, key);
	data_number(out, value);
}

static void data_texts(struct text *out, const char *key, const char *const *text, size_t count)
{
	data_next(out, key);
	text_add_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		data_comma(out, i);
		data_text(out, text[i]);
	}
	text_add_char(out, ']');
}

double data_unit_of(enum dimension dimension)
{
	return dimension == DIMENSION_TIME	? PS_PER_US
	       : dimension > DIMENSION_FRACTION ? (double)unit_choose(dimension, 0)->factor
						: 1;
}

double data_unit(const struct web_page *page)
{
	return data_unit_of(page->dimension);
}

const char *data_base_unit(enum dimension dimension)
{
	return dimension == DIMENSION_TIME    ? "us"
	       : dimension == DIMENSION_BYTES ? "B"
					      : unit_choose(dimension, 0)->name;
}

/* A value of a series, as an integer of the grid. */
static void data_value(struct text *out, double value, double grid)
{
	char number[NUMBER_TEXT_SIZE];

	if (isnan(value))
		text_add(out, "null");
	else
		text_add(out, number_format_int(number, llround(value / grid)));
}

/* ---- all pages ---- */

void data_common(struct text *out, const struct report *report, const struct web_page *page)
{
	text_add(out, "\"stepstat\":1");
	data_member(out, "command", report->command);
	data_member(out, "version", page->version);
	data_texts(out, "inputs", page->input, page->input_count);
	data_texts(out, "options", page->option, page->option_count);
	data_member(out, "measure", page->measure);
	data_real(out, "confidence", 100 * page->confidence);
	data_real(out, "scale", page->grid / data_unit(page));
	text_add(out, ",\"notes\":[");
	for (size_t i = 0; i < report->note_count; i++) {
		data_comma(out, i);
		text_add(out, "{\"mark\":");
		data_text(out, report->note[i].mark);
		data_member(out, "text", report->note[i].text);
		data_member(out, "option", report->note[i].option);
		text_add_char(out, '}');
	}
	text_add_char(out, ']');
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

/* Adds a list with what `add` says of each `item` of an array. */
#define EACH(key, type, item, array, n, add)                                                       \
	do {                                                                                       \
		data_next(out, key);                                                               \
		text_add_char(out, '[');                                                           \
		for (size_t at = 0; at < (n); at++) {                                              \
			const struct type *item = &(array)[at];                                    \
                                                                                                   \
			data_comma(out, at);                                                       \
			add;                                                                       \
		}                                                                                  \
		text_add_char(out, ']');                                                           \
	} while (0)
#define EACH_STEP(key, add) EACH(key, page_step, step, page->step, page->step_count, add)

/* A series over the steps; NaN is null. */
static void data_steps(struct text *out, const char *key, const struct web_page *page,
	const double *value, double unit)
{
	data_next(out, key);
	text_add_char(out, '[');
	for (size_t s = 0; s < page->step_count; s++) {
		data_comma(out, s);
		data_number(out, value[s] / unit);
	}
	text_add_char(out, ']');
}

/* Base units in one unit of step times. */
static double step_unit(const struct web_page *page)
{
	return page->has_step_time ? PS_PER_US : data_unit(page);
}

static void data_shifts(struct text *out, const struct report *report)
{
	const struct table *table = html_find_table(report, "findings");
	size_t n = 0;

	text_add(out, ",\"shifts\":[");
	for (size_t i = 0; table && i < table->row_count; i++) {
		const struct cell *code = html_cell(table, &table->row[i], "code");
		const struct cell *step = html_cell(table, &table->row[i], "step");
		const struct cell *run = html_cell(table, &table->row[i], "run");
		const struct cell *words = html_cell(table, &table->row[i], "text");

		if (!text_equal(code->text, "level-shift"))
			continue;
		data_comma(out, n++);
		text_printf(out, "{\"at\":%lld,\"run\":", (long long)step->integer);
		data_text(out, run->text);
		data_member(out, "text", words->text);
		text_add_char(out, '}');
	}
	text_add_char(out, ']');
}

static void data_all_steps(
	struct text *out, const struct report *report, const struct web_page *page)
{
	const struct page_numbers *n = page->has_step_time ? &page->step_time : &page->total.number;
	struct arena *scratch = arena_new();
	double *value = arena_array(scratch, page->step_count, sizeof(*value));
	size_t outliers = 0;

	for (size_t s = 0; s < page->step_count; s++)
		value[s] = page_step_value(page, &page->step[s]);
	text_add(out, ",\"steps\":{\"name\":");
	data_text(out, page->has_step_time ? "step time"
		       : page->dimension == DIMENSION_TIME
			       ? "op time"
			       : arena_printf(scratch, "sum of %s", page->measure));
	EACH_STEP("number", data_step(out, step));
	data_steps(out, "time", page, value, step_unit(page));
	data_steps(out, "level", page, page_levels(page, value, scratch), step_unit(page));
	EACH_STEP("total", data_number(out, step->op_time / data_unit(page)));
	if (page->kept_count < page->step_count) {
		EACH_STEP("left", text_add_char(out, step->kept ? '0' : '1'));
		EACH_STEP("fate", data_count(out, fate_index(step->fate)));
		data_texts(out, "fates", fate_words, COUNT(fate_words));
	}
	text_add(out, ",\"out\":[");
	for (size_t s = 0; s < page->step_count; s++)
		if (page->step[s].outlier) {
			data_comma(out, outliers++);
			data_count(out, s);
		}
	text_add_char(out, ']');
	data_real(out, "mean", n->mean / step_unit(page));
	data_real(out, "low", n->low / step_unit(page));
	data_real(out, "high", n->high / step_unit(page));
	data_real(out, "cv", 100 * n->cv);
	data_next(out, "longest");
	if (page->longest < page->step_count)
		data_count(out, page->longest);
	else
		text_add(out, "null");
	data_shifts(out, report);
	text_add_char(out, '}');
	arena_free(scratch);
	EACH("runs", page_run, run, page->run, page->run_count, {
		text_add(out, "{\"name\":");
		data_text(out, run->name);
		text_printf(out, ",\"first\":%zu,\"count\":%zu", run->first, run->count);
		data_real(out, "mean", run->mean / step_unit(page));
		text_add_char(out, '}');
	});
}

static void data_stacks(struct text *out, const struct web_page *page)
{
	struct page_stack stack[PAGE_STACKS];
	struct arena *scratch = arena_new();
	const size_t count = page_stacks_make(page, scratch, stack);

	text_add(out, ",\"stacks\":[");
	for (size_t i = 0; i < count; i++) {
		const double unit = text_starts(stack[i].id, "part") ? PS_PER_US : data_unit(page);

		data_comma(out, i);
		text_printf(out, "{\"id\":\"%s\"", stack[i].id);
		data_member(out, "label", stack[i].label);
		data_member(out, "text", stack[i].text);
		text_add(out, ",\"rows\":[");
		for (size_t r = 0; r < stack[i].count; r++) {
			const struct page_stack_row *row = &stack[i].row[r];

			data_comma(out, r);
			text_printf(out, "{\"kind\":\"%s\"", row->kind);
			data_member(out, "name", row->name);
			data_real(out, "mean", row->mean / unit);
			data_steps(out, "value", page, row->value, unit);
			data_steps(out, "level", page, row->level, unit);
			text_add_char(out, '}');
		}
		text_add(out, "]}");
	}
	text_add_char(out, ']');
	arena_free(scratch);
}

/* ---- rows ---- */

/* Scales of values: us or bytes, percent; a count is a size_t. */
enum row_scale { SCALE_NONE, SCALE_UNIT, SCALE_PERCENT, SCALE_COUNT };

#define ROW_FIELD(key, member, scale)                                                              \
	{                                                                                          \
		key, offsetof(struct page_numbers, member), scale                                  \
	}
#define SECOND "second"

static const struct row_field {
	const char *key;
	size_t at;
	enum row_scale scale;
} row_fields[] = {ROW_FIELD("mean", mean, SCALE_UNIT), ROW_FIELD("low", low, SCALE_UNIT),
	ROW_FIELD("high", high, SCALE_UNIT), ROW_FIELD("sd", sd, SCALE_UNIT),
	ROW_FIELD("cv", cv, SCALE_PERCENT), ROW_FIELD("robust", robust_cv, SCALE_PERCENT),
	ROW_FIELD("cvrun", cv_run, SCALE_PERCENT), ROW_FIELD("min", min, SCALE_UNIT),
	ROW_FIELD("median", median, SCALE_UNIT), ROW_FIELD("max", max, SCALE_UNIT),
	ROW_FIELD("p95", p95, SCALE_UNIT), ROW_FIELD("share", share, SCALE_PERCENT),
	ROW_FIELD("jitter", jitter, SCALE_PERCENT), ROW_FIELD("n", n, SCALE_COUNT),
	ROW_FIELD("neff", n_eff, SCALE_NONE), ROW_FIELD("lag1", lag1, SCALE_NONE),
	ROW_FIELD("calls", calls, SCALE_NONE), ROW_FIELD("floor", cv_floor, SCALE_PERCENT),
	ROW_FIELD("ran", ran, SCALE_COUNT), ROW_FIELD("steps", steps, SCALE_COUNT),
	ROW_FIELD(SECOND, second, SCALE_NONE)};

static double field_value(const struct page_numbers *n, const struct row_field *field, double unit)
{
	const void *at = (const char *)n + field->at;

	if (field->scale == SCALE_COUNT)
		return (double)*(const size_t *)at;
	return *(const double *)at * (field->scale == SCALE_PERCENT ? 100 : 1) /
	       (field->scale == SCALE_UNIT ? unit : 1);
}

#define EACH_ROW(key, add) EACH(key, page_row, row, rows->row, rows->count, add)

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Adds a field of all rows; a value that all rows share stands alone. */
static void data_field(struct text *out, const struct web_page *page, const struct page_rows *rows,
	const struct row_field *field)
{
	const double unit = data_unit(page);
	const double first = rows->count ? field_value(&rows->row[0].number, field, unit) : NAN;
	size_t same = 0;

	while (same < rows->count &&
		same_number(first, field_value(&rows->row[same].number, field, unit)))
		same++;
	if (same == rows->count) {
		data_number(out, first);
		return;
	}
	text_add_char(out, '[');
	for (size_t i = 0; i < rows->count; i++) {
		data_comma(out, i);
		data_number(out, field_value(&rows->row[i].number, field, unit));
	}
	text_add_char(out, ']');
}

static void data_outliers(struct text *out, const struct page_row *row)
{
	text_add_char(out, '[');
	for (size_t k = 0; row->value && k < row->outlier_count; k++) {
		data_comma(out, k);
		data_count(out, row->outlier[k]);
	}
	text_add_char(out, ']');
}

static bool is_field(const char *key, const char *const *keys)
{
	while (keys && *keys && strcmp(*keys, key) != 0)
		keys++;
	return !keys || *keys;
}

/* Rows by column; `keys` names the columns that are wanted, NULL: all. */
static void data_rows(struct text *out, const char *key, const struct web_page *page,
	const struct page_rows *rows, const char *const *keys)
{
	data_next(out, key);
	text_add(out, "{\"noun\":");
	data_text(out, rows->noun);
	EACH_ROW("name", data_text(out, row->name));
	for (size_t f = 0; f < COUNT(row_fields); f++) {
		if ((strcmp(row_fields[f].key, SECOND) == 0 && !page->second) ||
			!is_field(row_fields[f].key, keys))
			continue;
		data_next(out, row_fields[f].key);
		data_field(out, page, rows, &row_fields[f]);
	}
	if (!keys) {
		EACH_ROW("out", data_outliers(out, row));
		EACH_ROW("short",
			data_text(
				out, strcmp(row->short_name, row->name) ? row->short_name : NULL));
		EACH_ROW("type", data_count(out, row->type));
		EACH_ROW("cls", data_count(out, row->class_name));
		EACH_ROW("device", data_count(out, row->device));
		EACH_ROW("mark", data_text(out, row->mark ? row->mark : ""));
	}
	text_add_char(out, '}');
}

static void data_series(struct text *out, const struct web_page *page, const struct page_rows *rows)
{
	text_add_char(out, '[');
	for (size_t i = 0; i < rows->count; i++) {
		data_comma(out, i);

		const double grid = page->grid;

		if (!rows->row[i].value) {
			text_add(out, "null");
			continue;
		}
		text_add_char(out, '[');
		for (size_t s = 0; s < page->step_count; s++) {
			data_comma(out, s);
			data_value(out, rows->row[i].value[s], grid);
		}
		text_add_char(out, ']');
	}
	text_add_char(out, ']');
}

/* Adds sketches of rows without values. */
static void data_left_out(struct text *out, const struct web_page *page)
{
	const struct page_rows *rows = &page->rows[PAGE_NAME];
	size_t n = 0;

	for (size_t i = 0; i < rows->count; i++)
		n += !rows->row[i].value;
	if (!n)
		return;
	text_add(out, ",\"sketch\":{");
	n = 0;
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->row[i].value)
			continue;
		data_comma(out, n++);
		text_printf(out, "\"%zu\":", i);

		const double grid = page->grid;

		text_add_char(out, '[');
		for (size_t q = 0; q < PAGE_QUANTILES; q++) {
			data_comma(out, q);
			data_value(out, rows->row[i].quantile[q], grid);
		}
		text_add(out, ",[");
		for (size_t k = 0; k < rows->row[i].far_count; k++) {
			data_comma(out, k);
			data_value(out, rows->row[i].far[k], grid);
		}
		text_add(out, "]]");
	}
	text_add_char(out, '}');
}

static void data_total(struct text *out, const struct web_page *page)
{
	static const char *const keys[] = {
		"mean", "low", "high", "cv", "cvrun", "sd", "jitter", SECOND};

	text_add(out, ",\"total\":{\"label\":");
	data_text(out, page->total.label);
	for (size_t i = 0; i < COUNT(keys); i++)
		for (size_t f = 0; f < COUNT(row_fields); f++)
			if (strcmp(row_fields[f].key, keys[i]) == 0)
				data_real(out, keys[i],
					field_value(&page->total.number, &row_fields[f],
						data_unit(page)));
	text_add_char(out, '}');
	if (!isnan(page->not_in_ops))
		data_real(out, "notin", 100 * page->not_in_ops);
}

/* ---- devices and ranks ---- */

static void data_devices(struct text *out, const struct web_page *page)
{
	if (!page->devices_count)
		return;
	EACH("devices", page_device, device, page->devices, page->devices_count, {
		text_add(out, "{\"name\":");
		data_text(out, device->name);
		data_real(out, "total", device->window / PS_PER_US);
		text_add(out, ",\"parts\":[");
		for (size_t i = 0; i < device->part_count; i++) {
			const struct page_part *part = &device->part[i];

			data_comma(out, i);
			text_printf(out, "{\"kind\":\"%s\",\"of\":\"%s\"", page_part_kind(part, i),
				part->of_idle	   ? "idle"
				: part->of_compute ? "compute"
						   : "window");
			data_member(out, "name", part->name);
			data_real(out, "mean", part->mean / PS_PER_US);
			text_add_char(out, '}');
		}
		text_add(out, "]}");
	});
}

/* Most cells of ranks and steps for which the excess of each step is added; more cannot be looked
 * at. */
#define RANK_CELLS_MOST 60000

#define EACH_RANK(key, add) EACH(key, page_rank, rank, page->rank, page->rank_count, add)

static void data_ranks(struct text *out, const struct web_page *page)
{
	if (!page->rank_count)
		return;
	text_printf(out, ",\"ranks\":{\"grouped\":%s", page->grouped ? "true" : "false");
	EACH_RANK("name", data_text(out, rank->name));
	EACH_RANK("group", data_text(out, rank->group));
	EACH_RANK("work", data_number(out, rank->work / PS_PER_US));
	EACH_RANK("mean", data_number(out, rank->excess_mean / PS_PER_US));
	EACH_RANK("slowest", data_count(out, rank->slowest_in));
	EACH_RANK("steps", data_count(out, rank->steps));
	EACH_RANK("culprit", text_add_char(out, rank->culprit ? '1' : '0'));
	if (page->rank_count <= RANK_CELLS_MOST / (page->kept_count ? page->kept_count : 1)) {
		text_add(out, ",\"excess\":[");
		for (size_t r = 0; r < page->rank_count; r++) {
			data_comma(out, r);
			text_add_char(out, '[');
			for (size_t s = 0; s < page->kept_count; s++) {
				data_comma(out, s);
				data_number(out, page->rank[r].excess[s] / PS_PER_US);
			}
			text_add_char(out, ']');
		}
		text_add_char(out, ']');
	}
	text_add_char(out, '}');
}

/* ---- words ---- */

void data_words(struct text *out, const char *key, const char *const (*word)[2], size_t count)
{
	data_next(out, key);
	text_add_char(out, '{');
	for (size_t i = 0; i < count; i++) {
		data_comma(out, i);
		data_key(out, word[i][0]);
		data_text(out, word[i][1]);
	}
	text_add_char(out, '}');
}

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
	static const char *const of_scopes[] = {"mean", "share", "cv", NULL};

	text_add_char(out, '{');
	data_common(out, report, page);
	data_member(out, "page", "report");
	data_member(out, "title", page->title);
	data_member(out, "unit", data_base_unit(page->dimension));
	data_all_steps(out, report, page);
	data_stacks(out, page);
	data_rows(out, "ops", page, &page->rows[PAGE_NAME], NULL);
	if (page->rows[PAGE_SCOPE].count)
		data_rows(out, "scopes", page, &page->rows[PAGE_SCOPE], of_scopes);
	if (page->type_count)
		data_texts(out, "types", page->type, page->type_count);
	if (page->class_count)
		data_texts(out, "classes", page->class_name, page->class_count);
	data_texts(out, "of", page->device, page->device_count);
	data_member(out, "second", page->second);
	if (page->is_cut)
		text_add(out, ",\"cut\":true");
	if (page->overlap)
		text_add(out, ",\"overlap\":true");
	text_add(out, ",\"series\":");
	data_series(out, page, &page->rows[PAGE_NAME]);
	data_left_out(out, page);
	data_total(out, page);
	data_devices(out, page);
	data_ranks(out, page);
	if (page->split_count) {
		text_add(out, ",\"split\":[");
		for (size_t i = 0; i < page->split_count; i++) {
			const struct page_split *split = &page->split[i];

			data_comma(out, i);
			text_add(out, "{\"name\":");
			data_text(out, split->name);
			data_real(out, "group", 100 * split->group);
			data_real(out, "in", 100 * split->in_group);
			data_real(out, "step", 100 * split->step);
			data_real(out, "rs", 100 * split->rank_by_step);
			text_add_char(out, '}');
		}
		text_add_char(out, ']');
	}
	data_formulas(out, page);
	text_add_char(out, '}');
}
