/*
 * The data of the page of a comparison: one function for each key.
 */
#include <math.h>
#include <stddef.h>
#include "base/number.h"
#include "base/unit.h"
#include "report/html/html_compare.h"
#include "report/html/html_data.h"
#include "report/html/plots_compare.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- numbers of a test ---- */

/* Scales of values: us or bytes, percent. */
enum test_scale { SCALE_NONE, SCALE_UNIT, SCALE_PERCENT };

static const struct {
	const char *key;
	size_t at;
	enum test_scale scale;
} test_fields[] = {
	{"base", offsetof(struct page_compared, mean[PAGE_BASE]), SCALE_UNIT},
	{"new", offsetof(struct page_compared, mean[PAGE_NEW]), SCALE_UNIT},
	{"diff", offsetof(struct page_compared, difference), SCALE_UNIT},
	{"change", offsetof(struct page_compared, change), SCALE_PERCENT},
	{"low", offsetof(struct page_compared, low), SCALE_PERCENT},
	{"high", offsetof(struct page_compared, high), SCALE_PERCENT},
	{"level", offsetof(struct page_compared, level), SCALE_PERCENT},
	{"p", offsetof(struct page_compared, p), SCALE_NONE},
	{"q", offsetof(struct page_compared, q), SCALE_NONE},
	{"margin", offsetof(struct page_compared, margin), SCALE_PERCENT},
	{"sees", offsetof(struct page_compared, detectable), SCALE_PERCENT},
	{"logratio", offsetof(struct page_compared, log_ratio), SCALE_NONE},
	{"logse", offsetof(struct page_compared, log_se), SCALE_NONE},
	{"df", offsetof(struct page_compared, df), SCALE_NONE},
};

static double test_value(const struct page_compared *v, size_t field, double unit)
{
	const double value = *(const double *)((const char *)v + test_fields[field].at);

	return test_fields[field].scale == SCALE_UNIT	   ? value / unit
	       : test_fields[field].scale == SCALE_PERCENT ? 100 * value
							   : value;
}

/* An object of one test. */
static void data_test(struct text *out, const struct page_compared *v, enum dimension dimension)
{
	text_add(out, "{\"verdict\":");
	data_text(out, v->verdict);
	data_member(out, "phrase", v->phrase);
	data_member(out, "evidence", v->evidence);
	for (size_t f = 0; f < COUNT(test_fields); f++)
		data_real(out, test_fields[f].key, test_value(v, f, data_unit_of(dimension)));
	text_add_char(out, '}');
}

static void data_measure(struct text *out, const struct page_compare *c, size_t m)
{
	static const struct {
		const char *key;
		size_t at;
	} texts[] = {{"verdict", offsetof(struct page_compared, verdict)},
		{"phrase", offsetof(struct page_compared, phrase)},
		{"evidence", offsetof(struct page_compared, evidence)}};
	const enum dimension dimension = c->measure[m].dimension;

	data_text(out, c->measure[m].name);
	text_add(out, ":{\"dimension\":");
	data_text(out, data_dimension(dimension));
	data_next(out, "total");
	data_test(out, &c->measure[m].total, dimension);
	if (c->measure[m].small_count) {
		text_printf(out, ",\"smalls\":%zu,\"small\":", c->measure[m].small_count);
		data_test(out, &c->measure[m].small, dimension);
	}
	for (size_t f = 0; f < COUNT(test_fields); f++) {
		data_next(out, test_fields[f].key);
		text_add_char(out, '[');
		for (size_t i = 0; i < c->count; i++) {
			data_comma(out, i);
			data_number(
				out, test_value(&c->row[i].measure[m], f, data_unit_of(dimension)));
		}
		text_add_char(out, ']');
	}
	for (size_t t = 0; t < COUNT(texts); t++) {
		data_next(out, texts[t].key);
		text_add_char(out, '[');
		for (size_t i = 0; i < c->count; i++) {
			data_comma(out, i);
			data_text(out, *(const char *const *)((const char *)&c->row[i].measure[m] +
							      texts[t].at));
		}
		text_add_char(out, ']');
	}
	text_add_char(out, '}');
}

/* ---- runs and steps ---- */

static void data_run(struct text *out, const struct web_page *page, const struct page_side *side,
	const struct page_run *run)
{
	static const char *const key[] = {"step", "total", "wall", "left"};

	text_add(out, "{\"name\":");
	data_text(out, run->name);
	for (int f = 0; f < (int)COUNT(key); f++) {
		if (f == 2 && !page->compare->by_step_time)
			continue;
		data_next(out, key[f]);
		text_add_char(out, '[');
		for (size_t s = 0; s < run->count; s++) {
			const struct page_step *step = &side->step[run->first + s];

			data_comma(out, s);
			if (f) {
				const double value[] = {step->op_time / data_unit(page),
					step->time / PS_PER_US, step->kept ? 0 : 1};

				data_number(out, value[f - 1]);
			} else
				data_step(out, step);
		}
		text_add_char(out, ']');
	}
	data_real(out, "mean", run->mean / data_unit(page));
	data_real(out, "opmean", run->op_mean / data_unit(page));
	text_add_char(out, '}');
}

static void data_side(struct text *out, const struct web_page *page, enum page_side_id id)
{
	const struct page_side *side = &page->compare->side[id];

	text_printf(out, ",\"side%d\":{\"title\":", (int)id);
	data_text(out, side->label);
	text_add(out, ",\"runs\":[");
	for (size_t r = 0; r < side->run_count; r++) {
		data_comma(out, r);
		data_run(out, page, side, &side->run[r]);
	}
	text_add(out, "]}");
}

/* ---- rows ---- */

static void data_row_texts(struct text *out, const struct page_compare *c)
{
	static const char *const key[] = {
		"op", "short", "name0", "type", "paired", "codes", "mark"};

	for (size_t k = 0; k < COUNT(key); k++) {
		data_comma(out, k);
		data_key(out, key[k]);
		text_add_char(out, '[');
		for (size_t i = 0; i < c->count; i++) {
			const struct page_compared_row *row = &c->row[i];
			const bool same = text_equal(row->short_name, row->name);
			const char *const value[] = {row->name, same ? NULL : row->short_name,
				row->was, row->type ? row->type : "", row->paired, row->codes,
				row->mark ? row->mark : ""};

			data_comma(out, i);
			data_text(out, value[k]);
		}
		text_add_char(out, ']');
	}
}

static void data_series(struct text *out, const struct web_page *page, enum page_side_id id)
{
	const struct page_compare *c = page->compare;
	char number[NUMBER_TEXT_SIZE];

	text_printf(out, ",\"series%d\":[", (int)id);
	for (size_t i = 0; i < c->count; i++) {
		const double *value = c->row[i].value[id];

		data_comma(out, i);
		if (!value) {
			text_add(out, "null");
			continue;
		}
		text_add_char(out, '[');
		for (size_t s = 0; s < c->side[id].step_count; s++) {
			data_comma(out, s);
			text_add(out, isnan(value[s]) ? "null"
						      : number_format_int(number,
								llround(value[s] / page->grid)));
		}
		text_add_char(out, ']');
	}
	text_add_char(out, ']');
}

static void data_rows(struct text *out, const struct web_page *page)
{
	text_add(out, ",\"rows\":{");
	data_row_texts(out, page->compare);
	text_add(out, ",\"small\":[");
	for (size_t i = 0; i < page->compare->count; i++) {
		data_comma(out, i);
		text_add_char(out, page->compare->row[i].small ? '1' : '0');
	}
	text_add_char(out, ']');
	for (enum page_side_id id = 0; id < PAGE_SIDES; id++) {
		text_printf(out, ",\"ran%d\":[", (int)id);
		for (size_t i = 0; i < page->compare->count; i++) {
			data_comma(out, i);
			if (page->compare->row[i].run[id])
				text_printf(out, "[%zu,%zu]", page->compare->row[i].ran[id],
					page->compare->row[i].steps[id]);
			else
				text_add(out, "null");
		}
		text_add_char(out, ']');

		const struct page_compare *c = page->compare;

		text_printf(out, ",\"runs%d\":[", (int)id);
		for (size_t i = 0; i < c->count; i++) {
			const struct page_compared_row *row = &c->row[i];

			data_comma(out, i);
			if (!row->run[id]) {
				text_add(out, "null");
				continue;
			}
			text_add_char(out, '[');
			for (size_t r = 0; r < row->runs[id]; r++) {
				data_comma(out, r);
				data_number(out, row->run[id][r] / data_unit(page));
			}
			text_add_char(out, ']');
		}
		text_add_char(out, ']');
		data_series(out, page, id);
	}
	text_add_char(out, '}');
}

/* ---- checks and words ---- */

static void data_help(struct text *out)
{
	static const char *const codes[][2] = {{"new", "only new has it"},
		{"gone", "only base has it"},
		{"fragile-run", "fragile: without one run there is no such verdict"},
		{"fragile-step", "fragile: without one step there is no such verdict"},
		{"small", "below --min-share on both sides: tested with the other small ones"},
		{"ran-changed",
			"it ran in another share of the steps, or another number of times in each"},
		{"zero", "a run value is 0: tested without logarithms"},
		{"floor", "all runs of a side have one value: tested against the resolution"},
		{"resolution", "the resolution of the times keeps the verdict from being more"},
		{"withheld", "flagged, but the runs differ as much among themselves"},
		{"run-far-off",
			"the change is that of the geometric means: one run far from the others "
			"moves the means out of the interval"},
		{"runs-left-out", "runs that lie far off are left out of its test and its means"},
		{"per-call", "change, interval and q are of one time that it ran, not of a step"},
		{"moved", "its change and those of other ops cancel: work that moved"},
		{"missing-runs", "a run has no value of it"},
		{"one-run", "one run on a side: the interval is about these runs only, or has the "
			    "spread of the other side"},
		{"few-runs", "two runs on a side: more false discoveries than asked for"},
		{"lost", "a run has steps, and none with a known value"}};
	static const char *const formula[][2] = {{"base", "mean of the run values"},
		{"diff", "new \u2212 base"}, {"change", "new / base \u2212 1"},
		{"ci", "of the change, at"}, {"test", "test on logarithms of run values"},
		{"exact", "the same in all steps of a side"}, {"floor", "resolution of the times"},
		{"linear", "tested without logarithms"}, {"given", "spread between runs was given"},
		{"one run", "these runs only"}, {"q", "p, adjusted for the number of rows"},
		{"margin", "within it a change does not matter"},
		{"sees", "smallest change shown with power 0.8"},
		{"d", "mean ln(new) \u2212 mean ln(base)"}, {"se", "of d"}};

	data_words(out, "codes", codes, COUNT(codes));
	data_words(out, "formula", formula, COUNT(formula));
}

void html_compare_data(struct text *out, const struct report *report, const struct web_page *page)
{
	const struct page_compare *c = page->compare;
	const struct verdict_look *look = verdict_look_of(c->step.verdict);

	text_add_char(out, '{');
	data_common(out, report, page);
	data_member(out, "noun", c->noun);
	data_member(out, "nouns", c->nouns);
	text_add(out, ",\"measures\":[");
	for (size_t m = 0; m < c->measure_count; m++) {
		data_comma(out, m);
		data_text(out, c->measure[m].name);
	}
	text_add(out, "],\"m\":{");
	for (size_t m = 0; m < c->measure_count; m++) {
		data_comma(out, m);
		data_measure(out, c, m);
	}
	text_add_char(out, '}');
	data_rows(out, page);
	data_side(out, page, PAGE_BASE);
	data_side(out, page, PAGE_NEW);
	data_member(out, "stepname", c->step_name);
	data_next(out, "step");
	data_test(out, &c->step, page->dimension);
	text_printf(out, ",\"waitfirst\":%s,\"addsup\":%s,\"bench\":%s",
		c->by_step_time ? "true" : "false", c->adds_up ? "true" : "false",
		c->benchmarks ? "true" : "false");
	data_real(out, "margin", 100 * c->margin);
	data_member(out, "state", look->class_name);
	data_member(out, "icon", look->icon);
	if (report->has_result) {
		text_printf(out, ",\"exit\":%d", report->exit_status);
		data_member(out, "result", report->result);
	}
	data_help(out);
	text_add_char(out, '}');
}
