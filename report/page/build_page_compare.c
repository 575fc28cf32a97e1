/* Words are those of the tables and sentences of a comparison; run values are those that were
 * tested. */
#include "report/page/build_page_compare.h"

#include <math.h>
#include <string.h>
#include "base/text.h"
#include "report/build_tables.h"
#include "report/compare/build_compare_words.h"
#include "report/page/build_page.h"
#include "report/page/page_rows.h"
#include "report/page/page_stack.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

struct compare_maker {
	struct web_page *page;
	struct page_compare *compare;
	const struct page_compare_source *from;
	const struct comparison *comparison;
	struct compare_builder builder; /* for words */
	struct report *report;
	struct arena *arena;
};

static const struct compare_side *side_of(const struct compare_maker *m, enum page_side_id side)
{
	return side == PAGE_BASE ? m->from->base : m->from->new;
}

static const struct measure *measure_of(const struct compare_maker *m, size_t index)
{
	return measure_at(m->comparison->measure[index].id);
}

static struct table *drawn(const struct compare_maker *m, const char *name, const char *columns)
{
	return report_spell_columns(m->report, report_append_drawn(m->report, name), m->from->build,
		measure_of(m, 0)->dimension, columns);
}

/* ---- numbers and words of a test ---- */

static const struct run_row *row_of(const struct compared *value, enum page_side_id side)
{
	return side == PAGE_BASE ? value->base : value->new;
}

/* The unit of a measure in files. */
static const struct unit *unit_of(const struct measure *measure)
{
	return measure->dimension == DIMENSION_TIME ? unit_lookup("us")
						    : unit_choose(measure->dimension, 0);
}

/* The value of each run, as tested; NaN where it has none, row or value. Run values of the step set
 * belong to the runs that are kept. */
static double *values_of_runs(
	const struct compare_maker *m, const struct run_side *run, const struct run_row *row)
{
	double *out = arena_array(m->arena, run->self->run_count, sizeof(*out));

	for (size_t r = 0; r < run->self->run_count; r++)
		out[r] = NAN;
	for (size_t k = 0; row && k < run->steps->run_count && k < row->runs; k++)
		out[run->steps->run[k]] = row->run[k].value;
	return out;
}

/* The same as a cell; none where the side has not got the row. */
static struct cell run_values(const struct compare_maker *m, enum page_side_id side,
	const struct compared *value, const struct unit *unit)
{
	const struct run_side *run = &side_of(m, side)->run;
	const struct run_row *row = row_of(value, side);
	double *out;

	if (!row)
		return cell_real(NAN);
	out = values_of_runs(m, run, row);
	for (size_t r = 0; unit && r < run->self->run_count; r++)
		out[r] /= (double)unit->factor;
	return page_list(m->arena, out, run->self->run_count);
}

/* "moved" of "REGRESSED (moved)". */
static const char *remark_of(
	const struct compare_maker *m, const struct compared *v, enum dimension dimension)
{
	if (v->small && v->verdict == VERDICT_NONE)
		return "small, tested with the others";

	const char *word = verdict_word(v->verdict, dimension);
	const char *phrase = phrase_verdict(&m->builder, v, dimension);
	const size_t n = word && phrase ? strlen(word) : 0;

	if (!phrase || (word && strncmp(phrase, word, n) != 0))
		return phrase;
	if (!text_starts(phrase + n, " ("))
		return NULL;
	return arena_printf(m->arena, "%.*s", (int)strlen(phrase + n + 3), phrase + n + 2);
}

static const char *word_of(const struct compared *v, const struct measure *measure)
{
	return v->verdict == VERDICT_NONE ? NULL
					  : verdict_word(v->verdict, verdict_dimension(measure));
}

static const char *step_name(const struct compare_maker *m)
{
	const struct measure *measure = measure_of(m, 0);

	if (m->comparison->step_times == STEP_TIMES_DECIDE)
		return "step time";
	return measure->id == MEASURE_TIME ? "op time" : measure->name;
}

/* The tests of what the first sentence is about and of the sum of all rows. Benchmarks have
 * neither. */
static void add_step(struct compare_maker *m)
{
	const struct measure *measure = measure_of(m, 0);
	const struct compared *step = compared_step(m->comparison);
	const struct {
		const char *name;
		const struct compared *value;
	} of[] = {{m->compare->step_name, step}, {"all ops", &m->comparison->measure[0].total}};
	struct table *table;

	if (m->comparison->benchmarks) {
		m->compare->step_verdict = m->report->tone == TONE_WORSE    ? "REGRESSED"
					   : m->report->tone == TONE_BETTER ? "IMPROVED"
									    : NULL;
		return;
	}
	m->compare->step_verdict = word_of(step, measure);
	table = drawn(m, "step", "of");
	compare_add_test(&m->builder, table);
	report_spell_columns(m->report, table, m->from->build, measure->dimension,
		"note base_runs:v new_runs:v");
	for (size_t i = 0; i < COUNT(of); i++) {
		struct cell *cell = report_add_row(m->report, table)->cell;

		*cell++ = cell_text(of[i].name);
		cell = compare_fill_test(&m->builder, cell, of[i].value);
		*cell++ = cell_text(remark_of(m, of[i].value, verdict_dimension(measure)));
		*cell++ = run_values(m, PAGE_BASE, of[i].value, NULL);
		*cell = run_values(m, PAGE_NEW, of[i].value, NULL);
	}
}

/* The runs of both sides, with their value of what the first sentence is about. */
static void add_runs(struct compare_maker *m)
{
	struct table *table = drawn(m, "runs", "side " PAGE_RUN_COLUMNS);

	for (enum page_side_id side = 0; side < PAGE_SIDES; side++) {
		const struct run_side *run = &side_of(m, side)->run;
		const struct run_row *row = m->comparison->benchmarks
						    ? NULL
						    : row_of(compared_step(m->comparison), side);

		page_runs_add(m->report, table, side == PAGE_BASE ? "base" : "new", run->self,
			run->steps, values_of_runs(m, run, row));
	}
	table->column[4].title = m->compare->step_name;
	if (m->comparison->benchmarks)
		table_drop_unknown(table, 4, 5);
}

/* ---- rows ---- */

static void fill_measures(struct compare_maker *m)
{
	struct page_compare *compare = m->compare;

	compare->measure_count = m->comparison->measure_count;
	compare->measure = arena_array(m->arena, compare->measure_count, sizeof(*compare->measure));
	for (size_t k = 0; k < compare->measure_count; k++) {
		const struct measure *measure = measure_of(m, k);

		compare->measure[k] = (struct page_compared_measure){
			measure->name, measure->dimension, measure->better == DIRECTION_HIGHER};
	}
}

/* NEW in the place of GONE is on one side only. */
static bool is_moved(const struct compare_maker *m, const struct compared *v)
{
	return v->moved || (m->compare->moved_text && !m->comparison->moved.cancels &&
				   (v->verdict == VERDICT_NEW || v->verdict == VERDICT_GONE));
}

static struct page_compared_row describe_row(const struct compare_maker *m, size_t i, size_t k)
{
	const struct compared_row *from = &m->comparison->row[i];
	const struct compared *value = &from->value[k];

	return (struct page_compared_row){.name = from->name,
		.row = i,
		.measure = k,
		.verdict = word_of(value, measure_of(m, k)),
		.mean = {value->base_mean, value->new_mean},
		.change = value->change,
		.moved = !k && is_moved(m, &from->value[0])};
}

/* Rows follow the order of the checks, so that the search goes on from the last one. */
static void mark_failed(struct compare_maker *m, struct page_compared_row *row, size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i < m->report->check_count; i++) {
		const struct check *check = &m->report->check[i];

		if (!check->subject || check->of_step ||
			(check->status != CHECK_FAILED && check->status != CHECK_UNUSABLE))
			continue;
		for (size_t k = 0; k < count; k++, at++) {
			struct page_compared_row *of = &row[at % count];

			if (!text_equal(of->name, check->subject) ||
				(check->measure &&
					!text_equal(m->compare->measure[of->measure].name,
						check->measure)))
				continue;
			of->failed = true;
			break;
		}
	}
}

/* Place among the others; work that moved is one line of the page. */
static int rank_of(const struct page_compared_row *row)
{
	return row->failed ? 0 : row->moved ? 2 : row->shown ? 1 : 3;
}

/* Rows keep the order that they have among those of their rank. */
static void arrange(struct compare_maker *m, const struct page_compared_row *row, size_t count)
{
	struct page_compare *compare = m->compare;
	size_t n = 0, end[4];

	for (int rank = 0; rank < 4; rank++) {
		for (size_t i = 0; i < count; i++)
			if (rank_of(&row[i]) == rank)
				compare->row[n++] = row[i];
		end[rank] = n;
	}
	compare->open = end[0] ? end[0] : end[1];
}

static const struct name_parts *parts_of_names(const struct compare_maker *m)
{
	const struct comparison *c = m->comparison;
	const char **name = arena_array(m->arena, c->count, sizeof(*name));

	for (size_t i = 0; i < c->count; i++)
		name[i] = c->row[i].name;
	return name_parts_find(m->arena, name, c->count);
}

/* The typical change of the benchmarks of a package, by the ratios of their means: sums of their
 * logarithms first. */
static void add_packages(struct compare_maker *m)
{
	const struct page_compare *compare = m->compare;
	struct table *table = drawn(m, "packages", "package measure count:n change:f");

	for (size_t i = 0; i < compare->count; i++) {
		const struct page_compared_row *row = &compare->row[i];
		const char *measure = compare->measure[row->measure].name;
		const double ratio = row->mean[PAGE_NEW] / row->mean[PAGE_BASE];
		size_t k = 0;

		if (!(ratio > 0) || !isfinite(ratio))
			continue;
		while (k < table->row_count &&
			!(text_equal(table->row[k].cell[0].text, row->parts->package) &&
				text_equal(table->row[k].cell[1].text, measure)))
			k++;
		if (k == table->row_count)
			report_add_cells(m->report, table,
				(const struct cell[]){cell_text(row->parts->package),
					cell_text(measure), cell_integer(0), cell_real(0)});
		table->row[k].cell[2].integer++;
		table->row[k].cell[3].real += log(ratio);
	}
	for (size_t k = 0; k < table->row_count; k++) {
		struct cell *cell = table->row[k].cell;

		cell[3] = cell_real(expm1(cell[3].real / (double)cell[2].integer));
	}
}

/* "size=64, kind=small" */
static const char *parameters(const struct compare_maker *m, const struct name_parts *parts)
{
	const char *all = "";

	for (size_t k = 0; k < parts->params; k++)
		all = arena_printf(m->arena, "%s%s%s=%s", all, k ? ", " : "", parts->param[k][0],
			parts->param[k][1]);
	return all;
}

/* Adds the rows of the page with what the data does not say. */
static void add_changes(struct compare_maker *m)
{
	const struct page_compare *compare = m->compare;
	struct table *table = drawn(m, "changes",
		compare->benchmarks ? "row:n op measure unit higher:n moved:n mark note "
				      "base_runs:x new_runs:x package benchmark parameters"
				    : "row:n op measure unit higher:n moved:n mark note "
				      "base_runs:x new_runs:x");
	struct page_marks marks;

	page_marks_find(&marks, m->report);
	for (size_t i = 0; i < compare->count; i++) {
		const struct page_compared_row *row = &compare->row[i];
		const struct measure *measure = measure_of(m, row->measure);
		const struct compared *value = &m->comparison->row[row->row].value[row->measure];
		const struct name_parts *parts = row->parts;

		report_add_cells(m->report, table,
			(const struct cell[]){cell_integer((int64_t)row->row), cell_text(row->name),
				cell_text(measure->name), cell_text(unit_of(measure)->name),
				cell_integer(measure->better == DIRECTION_HIGHER),
				cell_integer(row->moved),
				cell_text(row->measure ? NULL : page_row_mark(&marks, row->name)),
				cell_text(remark_of(m, value, verdict_dimension(measure))),
				run_values(m, PAGE_BASE, value, unit_of(measure)),
				run_values(m, PAGE_NEW, value, unit_of(measure)),
				cell_text(parts ? parts->package : NULL),
				cell_text(parts ? parts->bench : NULL),
				cell_text(parts ? parameters(m, parts) : NULL)});
	}
}

static void fill_rows(struct compare_maker *m)
{
	struct page_compare *compare = m->compare;
	const struct comparison *c = m->comparison;
	const bool *shown = compare_choose_rows(&m->builder);
	const size_t most = c->count * c->measure_count;
	const struct name_parts *parts = c->benchmarks ? parts_of_names(m) : NULL;
	struct page_compared_row *row = arena_array(m->arena, most, sizeof(*row));
	size_t n = 0;

	compare->row = arena_array(m->arena, most, sizeof(*compare->row));
	for (size_t k = 0; k < c->measure_count; k++) {
		for (size_t i = 0; i < c->count; i++) {
			const struct compared *value = &c->row[i].value[k];

			if ((k || compare_is_mixed(&m->builder)) && !compared_has_value(value))
				continue;
			row[n] = describe_row(m, i, k);
			row[n].parts = parts ? &parts[i] : NULL;
			row[n].shown =
				k ? compared_claims_change(value) || value->verdict == VERDICT_LOST
				  : shown[i];
			n++;
		}
		if (!k || c->benchmarks)
			compare->count = n;
	}
	compare->further = n - compare->count;
	mark_failed(m, row, compare->count);
	arrange(m, row, compare->count);
	memcpy(compare->row + compare->count, row + compare->count,
		compare->further * sizeof(*row));
	add_changes(m);
	if (c->benchmarks)
		add_packages(m);
}

/* ---- the whole ---- */

static void describe_method(struct compare_maker *m)
{
	const struct compare_options *opt = m->from->opt;
	const char *alpha = phrase_level(m->arena, opt->rule.alpha);
	const char *margin = opt->rule_of ? "by policy"
			     : opt->rule.margin_relative > 0
				     ? phrase_level(m->arena, opt->rule.margin_relative)
			     : isnan(opt->rule.margin_absolute) && isnan(opt->rule.margin_share)
				     ? "none"
				     : "not relative";
	const char *const term[][2] = {{"program", m->from->version},
		{"test of a row", method_phrase(opt)},
		{"value of a run", arena_printf(m->arena, "%s of its kept steps",
					   run_value_words[opt->value.kind])},
		{"many rows",
			arena_printf(m->arena, "%s, at %s", adjust_phrase(opt->adjust), alpha)},
		{"margin", margin},
		{"intervals", arena_printf(m->arena, "at %s, wider for rows that changed",
				      phrase_level(m->arena, opt->confidence))}};
	const char *(*copy)[2] = arena_alloc(m->arena, sizeof(term));

	memcpy(copy, term, sizeof(term));
	m->compare->term = (const char *const(*)[2])copy;
	m->compare->term_count = sizeof(term) / sizeof(*term);
	m->compare->margin = opt->rule_of ? NAN : opt->rule.margin_relative;
}

static void describe_whole(struct compare_maker *m)
{
	const struct page_compare_source *from = m->from;
	struct web_page *page = m->page;
	const char *base = text_base_name(from->base->label),
		   *new = text_base_name(from->new->label);

	page->title = *base && *new && !text_equal(base, new)
			      ? arena_printf(m->arena, "%s against %s", new, base)
			      : arena_printf(m->arena, "%s against %s", from->new->label,
					from->base->label);
	page->command = from->command;
	page->version = from->version;
	page->input = from->input;
	page->input_count = from->input_count;
	page->option = from->option;
	page->option_count = from->option_count;
	page->measure = measure_of(m, 0)->name;
	page->dimension = measure_of(m, 0)->dimension;
	page->confidence = from->opt->confidence;
	page_facts(page, (const struct cube *[]){from->base->run.self, from->new->run.self},
		PAGE_SIDES, m->arena);
	m->compare->benchmarks = m->comparison->benchmarks;
	m->compare->noun = from->build->row_noun;
	m->compare->nouns = from->build->row_nouns;
	m->compare->adds_up = compare_adds_up(&m->builder) && !m->comparison->benchmarks;
	m->compare->moved_text = compare_moved_words(&m->builder);
	m->compare->moved_kind = m->comparison->moved.cancels ? "moved" : "replaced";
	m->compare->step_name = step_name(m);
}

void build_page_compare(struct report *report, const struct page_compare_source *from)
{
	struct compare_maker m = {.from = from,
		.comparison = from->comparison,
		.report = report,
		.arena = report->arena,
		.builder = {from->base, from->new, from->comparison, from->opt, from->build, report,
			NULL}};

	m.builder.short_name = compare_short_names(&m.builder);
	m.page = arena_alloc(m.arena, sizeof(*m.page));
	m.page->compare = m.compare = arena_alloc(m.arena, sizeof(*m.compare));
	describe_whole(&m);
	fill_measures(&m);
	describe_method(&m);
	fill_rows(&m);
	add_step(&m);
	add_runs(&m);
	report->page = m.page;
}
