/*
 * The data of the page of a comparison: one function for each key.
 */
#include <math.h>
#include <stddef.h>
#include "report/html/html_compare.h"
#include "report/html/html_data.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- numbers and texts of a test ---- */

/* Scales of values: us, bytes or the unit of the measure; percent. */
enum test_scale { SCALE_NONE, SCALE_UNIT, SCALE_PERCENT };

static const struct {
	const char *key;
	size_t at;
	enum test_scale scale;
} numbers[] = {
	{"base", offsetof(struct page_compared, mean[PAGE_BASE]), SCALE_UNIT},
	{"new", offsetof(struct page_compared, mean[PAGE_NEW]), SCALE_UNIT},
	{"adds", offsetof(struct page_compared, difference), SCALE_UNIT},
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

static const struct {
	const char *key;
	size_t at;
} texts[] = {
	{"verdict", offsetof(struct page_compared, verdict)},
	{"evidence", offsetof(struct page_compared, evidence)},
	{"note", offsetof(struct page_compared, note)},
};

static const struct {
	const char *key;
	size_t at;
} names[] = {
	{"name", offsetof(struct page_compared_row, name)},
	{"short", offsetof(struct page_compared_row, short_name)},
	{"was", offsetof(struct page_compared_row, was)},
	{"cls", offsetof(struct page_compared_row, type)},
	{"codes", offsetof(struct page_compared_row, codes)},
	{"mark", offsetof(struct page_compared_row, mark)},
};

static void data_value(
	struct text *out, const struct page_compared *v, size_t field, enum dimension dimension)
{
	const double value = *(const double *)((const char *)v + numbers[field].at);

	data_number(out, numbers[field].scale == SCALE_UNIT	 ? value / data_unit_of(dimension)
			 : numbers[field].scale == SCALE_PERCENT ? 100 * value
								 : value);
}

static const char *text_at(const void *from, size_t at)
{
	return *(const char *const *)((const char *)from + at);
}

static void data_runs(struct text *out, const struct page_compared *v, enum page_side_id side,
	enum dimension dimension)
{
	if (!v->run[side]) {
		text_add(out, "null");
		return;
	}
	text_add_char(out, '[');
	for (size_t r = 0; r < v->runs[side]; r++) {
		data_comma(out, r);
		data_number(out, v->run[side][r] / data_unit_of(dimension));
	}
	text_add_char(out, ']');
}

/* An object of one test. */
static void data_test(struct text *out, const char *key, const struct page_compared *v,
	const struct web_page *page, const char *name)
{
	data_next(out, key);
	text_add(out, "{\"name\":");
	data_text(out, name);
	for (size_t i = 0; i < COUNT(texts); i++)
		data_member(out, texts[i].key, text_at(v, texts[i].at));
	for (size_t i = 0; i < COUNT(numbers); i++) {
		data_next(out, numbers[i].key);
		data_value(out, v, i, page->dimension);
	}
	for (enum page_side_id side = 0; side < PAGE_SIDES; side++) {
		data_next(out, side == PAGE_BASE ? "runs0" : "runs1");
		data_runs(out, v, side, page->dimension);
	}
	text_add_char(out, '}');
}

/* ---- rows ---- */

/* Adds an array with what `add` says of each row. */
#define EACH_ROW(key, add)                                                                         \
	do {                                                                                       \
		data_next(out, key);                                                               \
		text_add_char(out, '[');                                                           \
		for (size_t i = 0; i < count; i++) {                                               \
			const struct page_compared_row *row = &first[i];                           \
			const struct page_compared_measure *measure = &c->measure[row->measure];   \
                                                                                                   \
			data_comma(out, i);                                                        \
			(void)measure;                                                             \
			add;                                                                       \
		}                                                                                  \
		text_add_char(out, ']');                                                           \
	} while (0)

static void data_presence(struct text *out, const struct page_compared_row *row, size_t side)
{
	if (row->value.run[side])
		text_printf(out, "[%zu,%zu]", row->ran[side], row->steps[side]);
	else
		text_add(out, "null");
}

/* {"size":"64"} */
static void data_params(struct text *out, const struct name_parts *parts)
{
	text_add_char(out, '{');
	for (size_t k = 0; k < parts->params; k++) {
		data_comma(out, k);
		data_text(out, parts->param[k][0]);
		text_add_char(out, ':');
		data_text(out, parts->param[k][1]);
	}
	text_add_char(out, '}');
}

static void data_rows(struct text *out, const char *key, const struct page_compare *c,
	const struct page_compared_row *first, size_t count)
{
	data_next(out, key);
	text_printf(out, "{\"count\":%zu", count);
	for (size_t k = 0; k < COUNT(names); k++)
		EACH_ROW(names[k].key, data_text(out, text_at(row, names[k].at)));
	if (c->benchmarks) {
		EACH_ROW("package", data_text(out, row->parts->package));
		EACH_ROW("bench", data_text(out, row->parts->bench));
		EACH_ROW("params", data_params(out, row->parts));
	}
	EACH_ROW("measure", data_text(out, measure->name));
	EACH_ROW("unit", data_text(out, data_base_unit(measure->dimension)));
	EACH_ROW("higher", text_add(out, measure->higher ? "true" : "false"));
	EACH_ROW("small", text_add_char(out, row->small ? '1' : '0'));
	EACH_ROW("moved", text_add_char(out, row->moved ? '1' : '0'));
	for (size_t k = 0; k < COUNT(texts); k++)
		EACH_ROW(texts[k].key, data_text(out, text_at(&row->value, texts[k].at)));
	for (size_t k = 0; k < COUNT(numbers); k++)
		EACH_ROW(numbers[k].key, data_value(out, &row->value, k, measure->dimension));
	EACH_ROW("ran0", data_presence(out, row, PAGE_BASE));
	EACH_ROW("ran1", data_presence(out, row, PAGE_NEW));
	EACH_ROW("runs0", data_runs(out, &row->value, PAGE_BASE, measure->dimension));
	EACH_ROW("runs1", data_runs(out, &row->value, PAGE_NEW, measure->dimension));
	text_add_char(out, '}');
}

static void data_groups(struct text *out, const struct web_page *page)
{
	const struct page_compare *c = page->compare;
	size_t n = 0;

	text_add(out, ",\"groups\":[");
	if (c->moved_text) {
		text_add(out, "{\"kind\":");
		data_text(out, c->moved_kind);
		data_member(out, "text", c->moved_text);
		data_real(out, "adds", c->moved_adds / data_unit(page));
		text_add(out, ",\"rows\":[");
		for (size_t i = 0; i < c->count; i++)
			if (c->row[i].moved) {
				data_comma(out, n++);
				text_printf(out, "%zu", i);
			}
		text_add(out, "]}");
	}
	text_add_char(out, ']');
}

static void data_packages(struct text *out, const struct page_compare *c)
{
	text_add(out, ",\"packages\":[");
	for (size_t k = 0; k < c->package_count; k++) {
		const struct page_package *package = &c->package[k];

		data_comma(out, k);
		text_add(out, "{\"name\":");
		data_text(out, package->name);
		data_member(out, "measure", c->measure[package->measure].name);
		text_printf(out, ",\"count\":%zu", package->count);
		data_real(out, "change", 100 * package->change);
		text_add_char(out, '}');
	}
	text_add_char(out, ']');
}

/* ---- sides ---- */

static void data_side(struct text *out, const struct web_page *page, enum page_side_id id)
{
	const struct page_side *side = &page->compare->side[id];

	text_printf(out, ",\"side%d\":{\"title\":", (int)id);
	data_text(out, side->label);
	data_member(out, "what", side->what);
	text_add(out, ",\"runs\":[");
	for (size_t r = 0; r < side->run_count; r++) {
		const struct page_compared_run *run = &side->run[r];

		data_comma(out, r);
		text_add(out, "{\"name\":");
		data_text(out, run->name);
		text_printf(out, ",\"kept\":%zu,\"left\":%zu", run->kept, run->left);
		data_real(out, "mean", run->mean / data_unit(page));
		text_add_char(out, '}');
	}
	text_add(out, "]}");
}

/* ---- words ---- */

static void data_codes(struct text *out)
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

	data_words(out, "codes", codes, COUNT(codes));
}

void html_compare_data(struct text *out, const struct report *report, const struct web_page *page)
{
	const struct page_compare *c = page->compare;

	text_add_char(out, '{');
	data_common(out, report, page);
	data_member(out, "page", c->benchmarks ? "suite" : "compare");
	data_member(out, "unit", c->benchmarks ? "" : data_base_unit(page->dimension));
	data_member(out, "noun", c->noun);
	data_member(out, "nouns", c->nouns);
	text_printf(out, ",\"fold\":%zu,\"addsup\":%s", html_compare_open(c),
		c->adds_up ? "true" : "false");
	data_real(out, "margin", 100 * c->margin);
	data_rows(out, "rows", c, c->row, c->count);
	if (c->further)
		data_rows(out, "further", c, c->row + c->count, c->further);
	if (c->benchmarks)
		data_packages(out, c);
	else
		data_groups(out, page);
	data_test(out, "step", &c->step, page, c->step_name);
	data_test(out, "total", &c->total, page, c->benchmarks ? NULL : "all ops");
	data_side(out, page, PAGE_BASE);
	data_side(out, page, PAGE_NEW);
	if (report->has_result)
		text_printf(out, ",\"exit\":%d", report->exit_status);
	html_looks(out);
	data_codes(out);
	text_add_char(out, '}');
}
