/*
 * Words are those of the tables and sentences of a comparison; run values are those that were
 * tested; values step by step are read from the cubes once more.
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

static struct page_compared describe(
	const struct compare_maker *m, const struct compared *v, enum dimension dimension)
{
	const bool on_logs = v->evidence != EVIDENCE_LINEAR;
	const bool bounded = !isnan(v->low) && !isnan(v->high);

	return (struct page_compared){.on_side = {v->base && v->verdict != VERDICT_NEW,
					      v->new && v->verdict != VERDICT_LOST},
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
		.phrase = phrase_verdict(&m->builder, v, dimension)};
}

static const char *interval_words(const struct compare_maker *m, const struct compared *v)
{
	return v->evidence == EVIDENCE_EXACT ? NULL : phrase_bounds(m->arena, v->low, v->high, 0);
}

static const char *step_name(const struct compare_maker *m)
{
	const struct measure *measure = measure_of(m, 0);

	if (m->compare->by_step_time)
		return "step time";
	return measure->id == MEASURE_TIME ? "op time" : measure->name;
}

static void describe_step(struct compare_maker *m)
{
	const struct compared *step = compared_step(m->comparison), *wall = NULL;
	struct page_compare *compare = m->compare;

	compare->by_step_time = m->comparison->step_times == STEP_TIMES_DECIDE;
	compare->step = describe(m, step, verdict_dimension(measure_of(m, 0)));
	if (m->comparison->benchmarks)
		compare->step.verdict = m->report->tone == TONE_WORSE	 ? "REGRESSED"
					: m->report->tone == TONE_BETTER ? "IMPROVED"
									 : NULL;
	compare->step_name = step_name(m);
	compare->step_change = phrase_change(m->arena, step->change, 1);
	compare->step_interval = interval_words(m, step);
	/* Beside what decides: the other of op time and step time. */
	if (compare->by_step_time)
		wall = &m->comparison->measure[0].total;
	else if (m->comparison->step_times == STEP_TIMES_BESIDE)
		wall = &m->comparison->step_time;
	if (!wall || isnan(wall->change))
		return;
	compare->wall_change = phrase_change(m->arena, wall->change, 1);
	compare->wall_interval = interval_words(m, wall);
}

/* ---- runs and steps ---- */

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

static const struct run_row *row_of(const struct compared *value, enum page_side_id side)
{
	return side == PAGE_BASE ? value->base : value->new;
}

static void fill_steps(struct compare_maker *m, enum page_side_id side)
{
	const struct run_side *from = &side_of(m, side)->run;
	const struct cube *self = from->self;
	struct page_side *out = &m->compare->side[side];
	struct arena *scratch = arena_new();
	double *total = arena_array(scratch, self->step_count, sizeof(*total));
	bool *known = arena_array(scratch, self->step_count, sizeof(*known));
	const char **label = phrase_steps(m->arena, self);

	steps_totals(self, m->comparison->measure[0].id, total, known);
	out->step_count = self->step_count;
	out->step = arena_array(m->arena, out->step_count, sizeof(*out->step));
	for (size_t s = 0; s < out->step_count; s++) {
		const bool kept = from->steps->fate[s] == STEP_KEPT;

		out->step[s] = (struct page_step){.label = label[s],
			.kept = kept,
			.fate = page_fate(from->steps->fate[s]),
			.kind = from->steps->kinds.of_step[s],
			.time = step_series_value(self->times.time_ps, s),
			.op_time = known[s] ? total[s] : NAN,
			.busy = NAN};
		out->left += !kept;
	}
	arena_free(scratch);
}

static void fill_side(struct compare_maker *m, enum page_side_id side)
{
	const struct compare_side *from = side_of(m, side);
	const struct cube *self = from->run.self;
	const struct compared *total = &m->comparison->measure[0].total;
	const double *mean = run_values(m, side, row_of(compared_step(m->comparison), side));
	const double *ops = run_values(m, side, row_of(total, side));
	struct page_side *out = &m->compare->side[side];

	out->label = from->label;
	out->what = describe_steps(m->arena, from->run.cube, from->run.steps);
	out->run_count = self->run_count;
	out->run = arena_array(m->arena, out->run_count, sizeof(*out->run));
	fill_steps(m, side);
	for (size_t r = 0; r < self->run_count; r++) {
		out->run[r] = (struct page_run){.name = self->run[r].name,
			.first = self->run[r].step_first,
			.count = self->run[r].step_count,
			.mean = mean ? mean[r] : NAN,
			.op_mean = ops ? ops[r] : NAN,
			.left_out = !mean || isnan(mean[r])};
		for (size_t s = 0; s < out->run[r].count; s++)
			out->step[out->run[r].first + s].run = r;
	}
}

/* ---- rows ---- */

static void fill_rows(struct compare_maker *m)
{
	struct page_compare *compare = m->compare;
	const size_t measures = compare->measure_count;

	compare->count = m->comparison->count;
	compare->row = arena_array(m->arena, compare->count, sizeof(*compare->row));
	for (size_t i = 0; i < compare->count; i++) {
		const struct compared_row *from = &m->comparison->row[i];
		struct page_compared_row *row = &compare->row[i];

		*row = (struct page_compared_row){.name = from->name,
			.short_name = m->builder.short_name[i],
			.was = from->was,
			.type = from->type,
			.paired = compare_paired_word(from),
			.codes = compare_codes(&m->builder, from),
			.mark = m->report->note_count ? page_row_mark(m->report, from->name) : NULL,
			.small = from->value[0].small,
			.measure = arena_array(m->arena, measures, sizeof(*row->measure))};
		for (size_t k = 0; k < measures; k++)
			row->measure[k] =
				describe(m, &from->value[k], verdict_dimension(measure_of(m, k)));
		for (enum page_side_id side = 0; side < PAGE_SIDES; side++) {
			const struct run_row *of = row_of(&from->value[0], side);

			row->run[side] = run_values(m, side, of);
			row->runs[side] = side_of(m, side)->run.self->run_count;
			row->ran[side] = of ? of->ran : 0;
			row->steps[side] = of ? of->steps : 0;
		}
	}
}

/* Values step by step of the first rows, until the page is full. */
static void fill_values(struct compare_maker *m)
{
	struct page_compare *compare = m->compare;
	const enum measure_id id = m->comparison->measure[0].id;
	struct arena *scratch = arena_new();
	struct page_values values[PAGE_SIDES];
	double digits = 0;

	for (enum page_side_id side = 0; side < PAGE_SIDES; side++)
		page_values_init(&values[side], side_of(m, side)->run.cube, id, scratch);
	for (size_t i = 0; measure_at(id)->kind != MEASURE_STATIC && i < compare->count; i++) {
		const struct compared_row *from = &m->comparison->row[i];

		for (enum page_side_id side = 0; side < PAGE_SIDES; side++) {
			const struct group *group = side == PAGE_BASE ? from->base : from->new;
			const size_t steps = values[side].cube->step_count;
			double *copy;

			if (!group)
				continue;
			digits += page_digits_of(from->value[0].base_mean > from->value[0].new_mean
							 ? from->value[0].base_mean
							 : fmax(from->value[0].new_mean, 0),
				m->page->grid, steps);
			if (digits > PAGE_DIGITS_MOST)
				break;
			page_values_read(&values[side], group);
			copy = arena_array(m->arena, steps, sizeof(*copy));
			memcpy(copy, values[side].x, steps * sizeof(*copy));
			compare->row[i].value[side] = copy;
		}
	}
	arena_free(scratch);
}

static void fill_measures(struct compare_maker *m)
{
	struct page_compare *compare = m->compare;

	compare->measure_count = m->comparison->measure_count;
	compare->measure = arena_array(m->arena, compare->measure_count, sizeof(*compare->measure));
	for (size_t k = 0; k < compare->measure_count; k++) {
		const struct compared_measure *from = &m->comparison->measure[k];
		const struct measure *measure = measure_of(m, k);

		compare->measure[k] = (struct page_compared_measure){.name = measure->name,
			.dimension = measure->dimension,
			.total = describe(m, &from->total, verdict_dimension(measure))};
		if (!from->small.base)
			continue;
		compare->measure[k].small_count = from->small_count;
		compare->measure[k].small = describe(m, &from->small, verdict_dimension(measure));
	}
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
	m->compare->margin_words = margin;
}

static double resolution(const struct compare_maker *m)
{
	const double base = m->from->base->run.steps->time_resolution_ps;
	const double new = m->from->new->run.steps->time_resolution_ps;

	if (m->from->base->run.cube->divisor || m->from->new->run.cube->divisor)
		return 0;
	return fmin(base, new);
}

static void describe_whole(struct compare_maker *m)
{
	const struct page_compare_source *from = m->from;
	struct web_page *page = m->page;

	page->title = arena_printf(m->arena, "%s against %s - stepstat %s", from->new->label,
		from->base->label, m->report->command);
	page->command = from->command;
	page->version = from->version;
	page->input = from->input;
	page->input_count = from->input_count;
	page->option = from->option;
	page->option_count = from->option_count;
	page->measure = measure_of(m, 0)->name;
	page->dimension = measure_of(m, 0)->dimension;
	page->resolution = page->dimension == DIMENSION_TIME ? resolution(m) : 1;
	page->grid = page_grid(page);
	page->confidence = from->opt->confidence;
	m->compare->benchmarks = m->comparison->benchmarks;
	m->compare->noun = from->build->row_noun;
	m->compare->nouns = from->build->row_nouns;
	m->compare->adds_up = compare_adds_up(&m->builder);
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
	fill_values(&m);
	m.page->has_step_time = m.compare->by_step_time;
	report->page = m.page;
}
