/*
 * Words are those of the tables and sentences of a comparison; run values are those that were
 * tested.
 */
#include "report/page/build_page_compare.h"

#include <math.h>
#include <string.h>
#include "base/names/short_names.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"
#include "report/page/build_page.h"
#include "report/page/page_rows.h"

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

/* ---- numbers and words of a test ---- */

static const struct run_row *row_of(const struct compared *value, enum page_side_id side)
{
	return side == PAGE_BASE ? value->base : value->new;
}

/* Run values of the step set belong to the runs that are kept. */
static double *run_values(
	const struct compare_maker *m, enum page_side_id side, const struct run_row *row)
{
	const struct run_side *run = &side_of(m, side)->run;
	double *out;

	if (!row)
		return NULL;
	out = arena_array(m->arena, run->self->run_count, sizeof(*out));
	for (size_t r = 0; r < run->self->run_count; r++)
		out[r] = NAN;
	for (size_t k = 0; k < run->steps->run_count && k < row->runs; k++)
		out[run->steps->run[k]] = row->run[k].value;
	return out;
}

/* "moved" of "REGRESSED (moved)". */
static const char *remark_of(
	const struct compare_maker *m, const struct compared *v, enum dimension dimension)
{
	const char *word = verdict_word(v->verdict, dimension);
	const char *phrase = phrase_verdict(&m->builder, v, dimension);
	const size_t n = word && phrase ? strlen(word) : 0;

	if (!phrase || (word && strncmp(phrase, word, n) != 0))
		return phrase;
	if (!text_starts(phrase + n, " ("))
		return NULL;
	return arena_printf(m->arena, "%.*s", (int)strlen(phrase + n + 3), phrase + n + 2);
}

static struct page_compared describe(
	const struct compare_maker *m, const struct compared *v, const struct measure *measure)
{
	const enum dimension dimension = verdict_dimension(measure);
	const bool on_logs = v->evidence != EVIDENCE_LINEAR;
	const bool bounded = !isnan(v->low) && !isnan(v->high);
	struct page_compared out = {.dimension = measure->dimension,
		.mean = {v->base_mean, v->new_mean},
		.difference = v->difference,
		.change = v->change,
		.low = v->low,
		.high = v->high,
		.level = bounded ? v->level : NAN,
		.p = v->p,
		.q = v->q,
		.margin = v->base ? v->margin : NAN,
		.detectable = v->detectable,
		.log_ratio = on_logs ? v->diff : NAN,
		.log_se = on_logs ? v->se : NAN,
		.df = v->df,
		.verdict = v->verdict == VERDICT_NONE ? NULL : verdict_word(v->verdict, dimension),
		.evidence = evidence_word(v->evidence),
		.note = v->small && v->verdict == VERDICT_NONE ? "small, tested with the others"
							       : remark_of(m, v, dimension)};

	for (enum page_side_id side = 0; side < PAGE_SIDES; side++) {
		out.run[side] = run_values(m, side, row_of(v, side));
		out.runs[side] = side_of(m, side)->run.self->run_count;
	}
	return out;
}

static const char *step_name(const struct compare_maker *m)
{
	const struct measure *measure = measure_of(m, 0);

	if (m->comparison->step_times == STEP_TIMES_DECIDE)
		return "step time";
	return measure->id == MEASURE_TIME ? "op time" : measure->name;
}

static void describe_step(struct compare_maker *m)
{
	const struct measure *measure = measure_of(m, 0);
	struct page_compare *compare = m->compare;

	compare->total = describe(m, &m->comparison->measure[0].total, measure);
	compare->step = describe(m, compared_step(m->comparison), measure);
	if (m->comparison->benchmarks)
		compare->step.verdict = m->report->tone == TONE_WORSE	 ? "REGRESSED"
					: m->report->tone == TONE_BETTER ? "IMPROVED"
									 : NULL;
	compare->step_name = step_name(m);
}

static void fill_side(struct compare_maker *m, enum page_side_id side)
{
	const struct compare_side *from = side_of(m, side);
	const struct cube *self = from->run.self;
	const double *mean = m->compare->step.run[side];
	struct page_side *out = &m->compare->side[side];

	out->label = from->label;
	out->what = describe_steps(m->arena, from->run.cube, from->run.steps);
	out->run_count = self->run_count;
	out->run = arena_array(m->arena, out->run_count, sizeof(*out->run));
	for (size_t r = 0; r < self->run_count; r++) {
		struct page_compared_run *run = &out->run[r];

		run->name = self->run[r].name;
		run->mean = mean ? mean[r] : NAN;
		for (size_t s = 0; s < self->run[r].step_count; s++)
			if (from->run.steps->fate[self->run[r].step_first + s] == STEP_KEPT)
				run->kept++;
			else
				run->left++;
	}
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
	struct page_compared_row row = {.name = from->name,
		.short_name = m->builder.short_name[i],
		.was = from->was,
		.type = from->type,
		.codes = compare_codes(&m->builder, from),
		.mark = !k && m->report->note_count ? page_row_mark(m->report, from->name) : NULL,
		.measure = k,
		.small = from->value[k].small,
		.moved = !k && is_moved(m, &from->value[0]),
		.value = describe(m, &from->value[k], measure_of(m, k))};

	for (enum page_side_id side = 0; side < PAGE_SIDES; side++) {
		const struct run_row *of = row_of(&from->value[k], side);

		row.ran[side] = of ? of->ran : 0;
		row.steps[side] = of ? of->steps : 0;
	}
	return row;
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

/* Sums of logarithms of ratios first, then what they mean. */
static void fill_packages(struct compare_maker *m)
{
	struct page_compare *compare = m->compare;
	size_t n = 0;

	compare->package = arena_array(
		m->arena, (PACKAGES_MOST + 1) * compare->measure_count, sizeof(*compare->package));
	for (size_t i = 0; i < compare->count; i++) {
		const struct page_compared_row *row = &compare->row[i];
		const double ratio = row->value.mean[PAGE_NEW] / row->value.mean[PAGE_BASE];
		size_t k = 0;

		if (!(ratio > 0) || !isfinite(ratio))
			continue;
		while (k < n && (compare->package[k].measure != row->measure ||
					!text_equal(compare->package[k].name, row->parts->package)))
			k++;
		if (k == n)
			compare->package[n++] = (struct page_package){
				.name = row->parts->package, .measure = row->measure};
		compare->package[k].count++;
		compare->package[k].change += log(ratio);
	}
	for (size_t k = 0; k < n; k++)
		compare->package[k].change =
			expm1(compare->package[k].change / (double)compare->package[k].count);
	compare->package_count = n;
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
	if (c->benchmarks)
		fill_packages(m);
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
		{"test of a row", method_phrase(opt->method)},
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

	page->title = arena_printf(m->arena, "%s against %s", from->new->label, from->base->label);
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
	m->compare->moved_adds = m->comparison->moved.sum.difference;
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
	describe_step(&m);
	describe_method(&m);
	for (enum page_side_id side = 0; side < PAGE_SIDES; side++)
		fill_side(&m, side);
	fill_rows(&m);
	report->page = m.page;
}
