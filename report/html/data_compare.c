/*
 * The data of the page of a comparison: one function for each key.
 */
#include <math.h>
#include <stddef.h>
#include "report/html/html_compare.h"
#include "report/html/html_data.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- tests and rows ---- */

#define TEST(key, member, kind) DATA_FIELD(key, page_compared, member, kind)
static const struct data_field test_fields[] = {TEST("verdict", verdict, 's'),
	TEST("evidence", evidence, 's'), TEST("note", note, 's'),
	TEST("base", mean[PAGE_BASE], 'u'), TEST("new", mean[PAGE_NEW], 'u'),
	TEST("adds", difference, 'u'), TEST("change", change, 'p'), TEST("low", low, 'p'),
	TEST("high", high, 'p'), TEST("level", level, 'p'), TEST("p", p, 'n'), TEST("q", q, 'n'),
	TEST("margin", margin, 'p'), TEST("sees", detectable, 'p'),
	TEST("logratio", log_ratio, 'n'), TEST("logse", log_se, 'n'), TEST("df", df, 'n')};

#define ROW(key, member, kind) DATA_FIELD(key, page_compared_row, member, kind)
static const struct data_field row_fields[] = {ROW("name", name, 's'),
	ROW("short", short_name, 's'), ROW("was", was, 's'), ROW("cls", type, 's'),
	ROW("codes", codes, 's'), ROW("mark", mark, 's'), ROW("moved", moved, 'b')};

static void data_runs(
	struct text *out, const struct page_compared *v, enum page_side_id side, double unit)
{
	if (!v->run[side]) {
		data_print(out, "%s", NULL);
		return;
	}
	text_add_char(out, '[');
	for (size_t r = 0; r < v->runs[side]; r++) {
		data_comma(out, r);
		data_print(out, "%n", v->run[side][r] / unit);
	}
	text_add_char(out, ']');
}

/* An object of one test. */
static void data_test(struct text *out, const char *key, const struct page_compared *v,
	const struct web_page *page, const char *name)
{
	const double unit = data_unit_of(page->dimension);

	text_printf(out, ",\"%s\":", key);
	data_print(out, "{name:%s", name);
	data_members(out, test_fields, COUNT(test_fields), v, unit);
	data_print(out, ",runs0:");
	data_runs(out, v, PAGE_BASE, unit);
	data_print(out, ",runs1:");
	data_runs(out, v, PAGE_NEW, unit);
	text_add_char(out, '}');
}

#define EACH_ROW(key, add) DATA_EACH(out, key, page_compared_row, row, first, count, add)

static void data_presence(struct text *out, const struct page_compared_row *row, size_t side)
{
	if (row->value.run[side])
		data_print(out, "[%z,%z]", row->ran[side], row->steps[side]);
	else
		data_print(out, "%s", NULL);
}

/* {"size":"64"} */
static void data_params(struct text *out, const struct name_parts *parts)
{
	text_add_char(out, '{');
	for (size_t k = 0; k < parts->params; k++) {
		data_comma(out, k);
		data_print(out, "%s:%s", parts->param[k][0], parts->param[k][1]);
	}
	text_add_char(out, '}');
}

static void data_rows(struct text *out, const char *key, const struct page_compare *c,
	const struct page_compared_row *first, size_t count)
{
	struct data_items items = {first, sizeof(*first), count, 1, 0};

	text_printf(out, ",\"%s\":", key);
	data_print(out, "{count:%z", count);
	data_columns(out, row_fields, COUNT(row_fields), &items);
	if (c->benchmarks) {
		EACH_ROW("package", data_print(out, "%s", row->parts->package));
		EACH_ROW("bench", data_print(out, "%s", row->parts->bench));
		EACH_ROW("params", data_params(out, row->parts));
	}
	EACH_ROW("measure", data_print(out, "%s", c->measure[row->measure].name));
	EACH_ROW("unit", data_print(out, "%s", data_base_unit(c->measure[row->measure].dimension)));
	EACH_ROW("higher", data_print(out, "%b", c->measure[row->measure].higher));
	/* A test has its unit beside it. */
	items.first = &first->value;
	items.dimension = offsetof(struct page_compared, dimension);
	data_columns(out, test_fields, COUNT(test_fields), &items);
	EACH_ROW("ran0", data_presence(out, row, PAGE_BASE));
	EACH_ROW("ran1", data_presence(out, row, PAGE_NEW));
	EACH_ROW("runs0",
		data_runs(out, &row->value, PAGE_BASE, data_unit_of(row->value.dimension)));
	EACH_ROW(
		"runs1", data_runs(out, &row->value, PAGE_NEW, data_unit_of(row->value.dimension)));
	text_add_char(out, '}');
}

/* ---- what rows are together ---- */

static void data_groups(struct text *out, const struct web_page *page)
{
	const struct page_compare *c = page->compare;
	size_t n = 0;

	if (!c->moved_text)
		return;
	data_print(out, ",groups:[{kind:%s,text:%s,adds:%n,rows:[", c->moved_kind, c->moved_text,
		c->moved_adds / data_unit_of(page->dimension));
	for (size_t i = 0; i < c->count; i++)
		if (c->row[i].moved) {
			data_comma(out, n++);
			data_print(out, "%z", i);
		}
	text_add(out, "]}]");
}

static void data_side(struct text *out, const struct web_page *page, enum page_side_id id)
{
	const struct page_side *side = &page->compare->side[id];

	data_print(out, id == PAGE_BASE ? ",side0:{title:%s,what:%s" : ",side1:{title:%s,what:%s",
		side->label, side->what);
	DATA_EACH(out, "runs", page_compared_run, run, side->run, side->run_count,
		data_print(out, "{name:%s,kept:%z,left:%z,mean:%n}", run->name, run->kept,
			run->left, run->mean / data_unit_of(page->dimension)));
	text_add_char(out, '}');
}

/* ---- words ---- */

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

void html_compare_data(struct text *out, const struct report *report, const struct web_page *page)
{
	const struct page_compare *c = page->compare;

	text_add_char(out, '{');
	data_common(out, report, page);
	data_print(out, ",page:%s,unit:%s,noun:%s,nouns:%s,fold:%z,addsup:%b,margin:%n",
		c->benchmarks ? "suite" : "compare",
		c->benchmarks ? "" : data_base_unit(page->dimension), c->noun, c->nouns,
		html_compare_open(c), c->adds_up, 100 * c->margin);
	data_rows(out, "rows", c, c->row, c->count);
	if (c->further)
		data_rows(out, "further", c, c->row + c->count, c->further);
	if (c->benchmarks)
		DATA_EACH(out, "packages", page_package, package, c->package, c->package_count,
			data_print(out, "{name:%s,measure:%s,count:%z,change:%n}", package->name,
				c->measure[package->measure].name, package->count,
				100 * package->change));
	else
		data_groups(out, page);
	data_test(out, "step", &c->step, page, c->step_name);
	data_test(out, "total", &c->total, page, c->benchmarks ? NULL : "all ops");
	data_side(out, page, PAGE_BASE);
	data_side(out, page, PAGE_NEW);
	if (report->has_result)
		text_printf(out, ",\"exit\":%d", report->exit_status);
	html_looks(out);
	data_words(out, "codes", codes, COUNT(codes));
	text_add_char(out, '}');
}
