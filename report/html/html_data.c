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
#include "report/html/html_number.h"

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

/* Name of a dimension in the data: "time", "bytes", "count", or the word of that unit. */
static const char *data_dimension(enum dimension dimension)
{
	return dimension > DIMENSION_FRACTION ? unit_choose(dimension, 0)->name
					      : dimension_name(dimension);
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
	data_member(out, "dimension", data_dimension(page->dimension));
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

	while (i + 1 < sizeof(fate_words) / sizeof(*fate_words) && strcmp(fate, fate_words[i]) != 0)
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

/* Adds a list with what `add` says of each step of the run. */
#define EACH_STEP(key, add)                                                                        \
	do {                                                                                       \
		data_next(out, key);                                                               \
		text_add_char(out, '[');                                                           \
		for (size_t s = 0; s < run->count; s++) {                                          \
			const struct page_step *step = &page->step[run->first + s];                \
                                                                                                   \
			data_comma(out, s);                                                        \
			add;                                                                       \
		}                                                                                  \
		text_add_char(out, ']');                                                           \
	} while (0)

static bool any_known(const struct web_page *page, bool busy)
{
	for (size_t s = 0; s < page->step_count; s++)
		if (!isnan(busy ? page->step[s].busy : page->step[s].time))
			return true;
	return false;
}

static void data_runs(struct text *out, const struct web_page *page)
{
	text_add(out, ",\"runs\":[");
	for (size_t r = 0; r < page->run_count; r++) {
		const struct page_run *run = &page->run[r];

		data_comma(out, r);
		text_add(out, "{\"name\":");
		data_text(out, run->name);
		EACH_STEP("step", data_step(out, step));
		EACH_STEP("total", data_number(out, step->op_time / data_unit(page)));
		if (any_known(page, false))
			EACH_STEP("wall", data_number(out, step->time / PS_PER_US));
		if (any_known(page, true))
			EACH_STEP("busy", data_number(out, step->busy / PS_PER_US));
		EACH_STEP("left", text_add_char(out, step->kept ? '0' : '1'));
		EACH_STEP("fate", data_count(out, fate_index(step->fate)));

		size_t n = 0;

		text_add(out, ",\"out\":[");
		for (size_t s = 0; s < run->count; s++) {
			if (!page->step[run->first + s].outlier)
				continue;
			data_comma(out, n++);
			data_count(out, s);
		}
		text_add_char(out, ']');
		data_real(out, "mean", run->op_mean / data_unit(page));
		if (page->has_step_time)
			data_real(out, "wallmean", run->mean / PS_PER_US);
		text_add_char(out, '}');
	}
	text_add_char(out, ']');
	data_texts(out, "fates", fate_words, sizeof(fate_words) / sizeof(*fate_words));
	if (any_known(page, false))
		data_member(out, "wallname", "step time");
	text_printf(out, ",\"waitfirst\":%s", page->has_step_time ? "true" : "false");
	data_real(out, "usual", page->median / (page->has_step_time ? PS_PER_US : data_unit(page)));
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
	ROW_FIELD("floor", cv_floor, SCALE_PERCENT), ROW_FIELD("ran", ran, SCALE_COUNT),
	ROW_FIELD("steps", steps, SCALE_COUNT), ROW_FIELD(SECOND, second, SCALE_NONE)};

static double field_value(const struct page_numbers *n, const struct row_field *field, double unit)
{
	const void *at = (const char *)n + field->at;

	if (field->scale == SCALE_COUNT)
		return (double)*(const size_t *)at;
	return *(const double *)at * (field->scale == SCALE_PERCENT ? 100 : 1) /
	       (field->scale == SCALE_UNIT ? unit : 1);
}

static size_t type_of(const struct page_row *row)
{
	return row->type;
}

static size_t class_of(const struct page_row *row)
{
	return row->class_name;
}

static size_t device_of(const struct page_row *row)
{
	return row->device;
}

static void data_indexes(struct text *out, const char *key, const struct page_rows *rows,
	size_t (*index)(const struct page_row *))
{
	data_next(out, key);
	text_add_char(out, '[');
	for (size_t i = 0; i < rows->count; i++) {
		data_comma(out, i);
		data_count(out, index(&rows->row[i]));
	}
	text_add_char(out, ']');
}

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

static void data_row_kind(
	struct text *out, const struct web_page *page, enum page_kind kind, const char *key)
{
	const struct page_rows *rows = &page->rows[kind];

	data_key(out, key);
	text_add(out, "{\"noun\":");
	data_text(out, rows->noun);
	data_member(out, "nouns", rows->nouns);
	text_add(out, ",\"op\":[");
	for (size_t i = 0; i < rows->count; i++) {
		data_comma(out, i);
		data_text(out, rows->row[i].name);
	}
	text_add_char(out, ']');
	for (size_t f = 0; f < sizeof(row_fields) / sizeof(*row_fields); f++) {
		if (strcmp(row_fields[f].key, SECOND) == 0 && !page->second)
			continue;
		data_next(out, row_fields[f].key);
		data_field(out, page, rows, &row_fields[f]);
	}
	text_add(out, ",\"out\":[");
	for (size_t i = 0; i < rows->count; i++) {
		data_comma(out, i);
		text_add_char(out, '[');
		for (size_t k = 0; rows->row[i].value && k < rows->row[i].outlier_count; k++) {
			data_comma(out, k);
			data_count(out, rows->row[i].outlier[k]);
		}
		text_add_char(out, ']');
	}
	text_add_char(out, ']');
	if (kind == PAGE_NAME) {
		/* Add the values that only rows by name have. */
		data_indexes(out, "type", rows, type_of);
		data_indexes(out, "class", rows, class_of);
		data_indexes(out, "device", rows, device_of);
		text_add(out, ",\"short\":[");
		for (size_t i = 0; i < rows->count; i++) {
			const struct page_row *row = &rows->row[i];
			const bool same = strcmp(row->short_name, row->name) == 0;

			data_comma(out, i);
			data_text(out, same ? NULL : row->short_name);
		}
		text_add(out, "],\"mark\":[");
		for (size_t i = 0; i < rows->count; i++) {
			data_comma(out, i);
			data_text(out, rows->row[i].mark ? rows->row[i].mark : "");
		}
		text_add_char(out, ']');
	}
	text_add_char(out, '}');
}

static const char *const kind_keys[] = {"name", "type", "class", "scope"};

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

/* Adds sketches of rows without values, and series of groups, which the page cannot add up from
 * such rows. */
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
	text_add(out, "},\"groupseries\":{\"type\":");
	data_series(out, page, &page->rows[PAGE_TYPE]);
	text_add(out, ",\"class\":");
	data_series(out, page, &page->rows[PAGE_CLASS]);
	text_add_char(out, '}');
}

static void data_total(struct text *out, const struct web_page *page)
{
	static const char *const keys[] = {
		"mean", "low", "high", "cv", "cvrun", "sd", "jitter", SECOND};
	const struct page_numbers *step = &page->step_time;

	text_add(out, ",\"total\":{\"label\":");
	data_text(out, page->total.label);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		for (size_t f = 0; f < sizeof(row_fields) / sizeof(*row_fields); f++)
			if (strcmp(row_fields[f].key, keys[i]) == 0)
				data_real(out, keys[i],
					field_value(&page->total.number, &row_fields[f],
						data_unit(page)));
	if (page->has_step_time) {
		data_real(out, "wall", step->mean / PS_PER_US);
		data_real(out, "walllow", step->low / PS_PER_US);
		data_real(out, "wallhigh", step->high / PS_PER_US);
		data_real(out, "wallcv", 100 * step->cv);
		data_real(out, "wallcvrun", 100 * step->cv_run);
	}
	text_add_char(out, '}');
	if (!isnan(page->not_in_ops))
		data_real(out, "notin", 100 * page->not_in_ops);
}

/* ---- devices and ranks ---- */

static void data_devices(struct text *out, const struct web_page *page)
{
	if (!page->devices_count)
		return;
	text_add(out, ",\"parts\":[");
	for (size_t d = 0; d < page->devices_count; d++) {
		const struct page_device *device = &page->devices[d];

		data_comma(out, d);
		text_add(out, "{\"device\":");
		data_text(out, device->name);
		data_real(out, "window", device->window / PS_PER_US);
		text_add(out, ",\"part\":[");
		for (size_t i = 0; i < device->part_count; i++) {
			data_comma(out, i);
			text_add(out, "{\"name\":");
			data_text(out, device->part[i].name);
			data_real(out, "mean", device->part[i].mean / PS_PER_US);
			data_real(out, "usual", device->part[i].median / PS_PER_US);
			text_printf(out, ",\"of\":\"%s\"",
				device->part[i].of_idle	     ? "idle"
				: device->part[i].of_compute ? "compute"
							     : "window");
			text_add(out, ",\"value\":[");
			for (size_t s = 0; s < page->step_count; s++) {
				data_comma(out, s);
				data_number(out, device->part[i].value[s] / PS_PER_US);
			}
			text_add(out, "]}");
		}
		text_add(out, "]}");
	}
	text_add_char(out, ']');
}

/* Most cells of ranks and steps for which the excess of each step is added; more cannot be looked
 * at. */
#define RANK_CELLS_MOST 60000

/* Adds a list with what `add` says of each rank. */
#define EACH_RANK(key, add)                                                                        \
	do {                                                                                       \
		data_next(out, key);                                                               \
		text_add_char(out, '[');                                                           \
		for (size_t r = 0; r < page->rank_count; r++) {                                    \
			const struct page_rank *rank = &page->rank[r];                             \
                                                                                                   \
			data_comma(out, r);                                                        \
			add;                                                                       \
		}                                                                                  \
		text_add_char(out, ']');                                                           \
	} while (0)

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

static void data_help(struct text *out, const struct web_page *page)
{
	const bool several = page->run_count > 1, of_step = !isnan(page->not_in_ops);
	const char *const help[][2] = {{"op", "name of the op after the rules"},
		{"mean", page->skip_absent ? "mean over the steps in which the op ran"
			 : several ? "mean of the run means; a step without the op counts as 0"
				   : "mean over the steps; a step without the op counts as 0"},
		{"bar", "mean, with the interval of the mean"},
		{"strip", "a dot for each step, on a scale of factors around the median of the op; "
			  "orange: farther than 14.8 MAD from it"},
		{"share", "part of what all ops have over all steps"},
		{"cv", "coefficient of variation over the steps: sd / mean"},
		{"cvrun", "coefficient of variation of the run means"},
		{"robust",
			"1.4826 MAD / median, shown where it and CV differ by more than a factor "
			"of 2"},
		{"jitter",
			of_step ? "part of the step-to-step variance of the step time that moves "
				  "with this op; with [not in ops] it adds up to 100 %, negative "
				  "when an op compensates"
				: "part of the step-to-step variance of the op time that moves "
				  "with this op; adds up to 100 %, negative when an op "
				  "compensates"},
		{"second", "mean of the other measure per step"},
		{"ran", "steps in which the op ran, of all steps"}};
	const char *const formula[][2] = {{"mean", several ? "mean of the run means" : "Σx / n"},
		{"ci", several ? "mean ∓ t(runs − 1) sd of run means / √runs"
			       : "mean ∓ t sd / √n, widened for correlated steps"},
		{"noci", "none: n_eff below 5, steps on two levels, or wider than a factor of 10"},
		{"median", "middle value"}, {"p95", "R type 7"},
		{"sd", page->population ? "√(Σ(x − mean)² / n)" : "√(Σ(x − mean)² / (n − 1))"},
		{"cv", several ? "√(mean of the runs’ variances) / mean" : "sd / mean"},
		{"cvrun", "sd of run means / their mean"}, {"robust", "1.4826 MAD / median"},
		{"floor", "resolution / (√12 mean)"}, {"share", "Σx / ΣS, S: all ops"},
		{"jitter", of_step ? "cov(x, T) / var(T), T: step time" : "cov(x, S) / var(S)"},
		{"neff", "n (1 − r) / (1 + r), r: lag 1"}, {"second", "mean per step"}};

	data_words(out, "help", help, sizeof(help) / sizeof(*help));
	data_words(out, "formula", formula, sizeof(formula) / sizeof(*formula));
}

void html_data(struct text *out, const struct report *report, const struct web_page *page)
{
	text_add_char(out, '{');
	data_common(out, report, page);
	data_runs(out, page);
	text_add(out, ",\"rows\":{");
	for (enum page_kind kind = 0, n = 0; kind < PAGE_KINDS; kind++) {
		if (kind != PAGE_NAME && !page->rows[kind].count)
			continue;
		data_comma(out, n++);
		data_row_kind(out, page, kind, kind_keys[kind]);
	}
	text_add_char(out, '}');
	if (page->type_count)
		data_texts(out, "type", page->type, page->type_count);
	if (page->class_count)
		data_texts(out, "class", page->class_name, page->class_count);
	data_texts(out, "device", page->device, page->device_count);
	data_member(out, "second", page->second);
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
	data_help(out, page);
	text_add_char(out, '}');
}
