/* Puts two sides together: pairs become rows, small rows one row, and every measure is decided. */
#include "analysis/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/compare/compared_again.h"
#include "analysis/compare/compared_step.h"
#include "analysis/compare/row_split.h"
#include "analysis/compare/row_test.h"
#include "analysis/compare/run_order.h"
#include "analysis/compare/unequal_work.h"
#include "analysis/compare/verdicts.h"
#include "analysis/select/rules.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "stats/student.h"
#include "stats/tests.h"

const char *const compare_method_words[] = {
	"moderated", "limma", "welch", "ranksum", "paired", NULL};

/* Shares of the steps in which an op ran that differ by more than this are reported. */
#define RAN_POINTS 0.05

struct comparison_maker {
	const struct compare_side *base, *new;
	const struct compare_options *opt;
	struct arena *arena;
	struct comparison *out;
};

static const char *common(const char *a, const char *b)
{
	return !a ? b : !b || strcmp(a, b) == 0 ? a : "";
}

static void fill_row(
	const struct comparison_maker *m, const struct pair *pair, struct compared_row *row)
{
	const struct grouping *base = m->base->run.grouping, *new = m->new->run.grouping;

	row->base = pair->base == SIZE_MAX ? NULL : &base->group[pair->base];
	row->new = pair->new == SIZE_MAX ? NULL : &new->group[pair->new];
	row->how = pair->how;
	row->name = row->new ? row->new->name : row->base->name;
	if (row->base && strcmp(row->base->name, row->name) != 0)
		row->was = row->base->name;
	row->type = common(row->base ? row->base->type : NULL, row->new ? row->new->type : NULL);
	row->device =
		common(row->base ? row->base->device : NULL, row->new ? row->new->device : NULL);
	row->executions_base = row->executions_new = NAN;
	row->value = arena_array(m->arena, m->out->measure_count, sizeof(*row->value));
}

static void make_tables(const struct comparison_maker *m, const enum measure_id *id)
{
	for (size_t i = 0; i < m->out->measure_count; i++) {
		struct compared_measure *measure = &m->out->measure[i];
		double base = m->base->run.steps->time_resolution_ps,
		       new = m->new->run.steps->time_resolution_ps;

		measure->id = id[i];
		if (measure_at(id[i])->dimension == DIMENSION_TIME)
			measure->resolution = fmax(base, new);
		run_table_make(&m->base->run, id[i], &m->opt->value, m->arena, &measure->base);
		run_table_make(&m->new->run, id[i], &m->opt->value, m->arena, &measure->new);
		measure->total.base = &measure->base.total;
		measure->total.new = &measure->new.total;
	}
}

/* The grid of a side, in a copy of its steps: of few times, that of both sides. */
static void refine_grid(struct run_side *side, const struct run_side *other, struct step_set *steps)
{
	*steps = *side->steps;
	if (grid_is_rough(&steps->grid))
		grid_join(&steps->grid, &other->steps->grid);
	steps->time_resolution_ps = grid_of_values(&steps->grid);
	side->steps = steps;
}

/* Present in the same share of the steps, as often in each? */
static bool ran_differs(
	const struct compared_row *row, const struct run_row *base, const struct run_row *new)
{
	double b, n;

	if (!row->base || !row->new || !base->steps || !new->steps)
		return false;
	b = (double)base->ran / (double)base->steps;
	n = (double)new->ran / (double)new->steps;
	return fabs(b - n) > RAN_POINTS || (b == 1) != (n == 1);
}

static double executions(const struct run_row *row, bool *constant)
{
	*constant = row->constant && row->ran == row->steps && !isnan(row->mean);
	return row->mean;
}

/* Executions per step, where the sources count them. */
static void count_executions(const struct comparison_maker *m)
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	struct run_table base, new;
	struct arena *scratch;

	if (!cube_has(m->base->run.self, MEASURE_OCCURRENCE) ||
		!cube_has(m->new->run.self, MEASURE_OCCURRENCE))
		return;
	scratch = arena_new();
	run_table_make(&m->base->run, MEASURE_OCCURRENCE, &opt, scratch, &base);
	run_table_make(&m->new->run, MEASURE_OCCURRENCE, &opt, scratch, &new);
	for (size_t i = 0; i < m->out->count; i++) {
		struct compared_row *row = &m->out->row[i];
		bool steady_base = false, steady_new = false;

		if (row->base)
			row->executions_base = executions(
				&base.row[row->base - m->base->run.grouping->group], &steady_base);
		if (row->new)
			row->executions_new = executions(
				&new.row[row->new - m->new->run.grouping->group], &steady_new);
		row->ran_changed |=
			steady_base && steady_new && row->executions_base != row->executions_new;
	}
	arena_free(scratch);
}

static void make_rows(
	const struct comparison_maker *m, const struct pairing *pairing, const enum measure_id *id)
{
	struct comparison *out = m->out;

	out->count = pairing->count;
	out->measure = arena_array(m->arena, out->measure_count, sizeof(*out->measure));
	out->row = arena_array(m->arena, out->count, sizeof(*out->row));
	make_tables(m, id);
	for (size_t i = 0; i < out->count; i++) {
		const struct pair *pair = &pairing->pair[i];
		struct compared_row *row = &out->row[i];

		fill_row(m, pair, row);
		for (size_t j = 0; j < out->measure_count; j++) {
			const struct compared_measure *measure = &out->measure[j];

			row->value[j].base =
				pair->base == SIZE_MAX ? NULL : &measure->base.row[pair->base];
			row->value[j].new =
				pair->new == SIZE_MAX ? NULL : &measure->new.row[pair->new];
		}
		row->value[0].is_benchmark = out->benchmarks;
		if (row->base && row->new)
			row->ran_changed = ran_differs(row, row->value[0].base, row->value[0].new);
	}
	count_executions(m);
}

static bool steps_are_unmarked(const struct compare_side *side)
{
	return issue_list_unmarked(&side->run.self->issues) >= side->run.self->step_count;
}

/* A row for each op, of the side and of its means. */
static bool has_plain_rows(const struct comparison_maker *m, const struct compare_side *side)
{
	const struct grouping *g = side->run.grouping;

	return m->opt->value.kind == RUN_VALUE_MEAN && !m->opt->value.skip_absent &&
	       g->count == g->ops && g->ops_kept == g->ops;
}

/* How much was recorded does not depend on which ops are shown, and in which rows. Sides whose ops
 * have other names are compared by the rows. */
static int find_work(const struct comparison_maker *m, struct error *err)
{
	struct compare_options opt = *m->opt;
	struct comparison ops = {.measure_count = 1};
	struct compare_side side[] = {*m->base, *m->new};
	struct grouping grouping[2];
	struct pairing pairing;
	struct rules *none;
	struct comparison_maker of_ops = {&side[0], &side[1], &opt, arena_new(), &ops};
	int status = 0;

	opt.value = (struct run_value_options){.kind = RUN_VALUE_MEAN};
	none = rules_new();
	for (int i = 0; i < 2 && status == 0; i++) {
		const struct group_options by_name = {.by = BY_NAME,
			.step_index = side[i].run.steps->index_of,
			.allow_empty = true};

		side[i].run.cube = side[i].run.self;
		status = grouping_make(
			side[i].run.cube, none, &by_name, of_ops.arena, &grouping[i], err);
		side[i].run.grouping = &grouping[i];
	}
	if (status == 0)
		status = pairing_make(&(struct pairing_side){side[0].run.cube, &grouping[0]},
			&(struct pairing_side){side[1].run.cube, &grouping[1]}, PAIRING_NAME,
			of_ops.arena, &pairing, err);
	if (status == 0) {
		make_rows(&of_ops, &pairing, &m->out->measure[0].id);
		if (unequal_work_find(&ops, opt.rule.margin_relative)) {
			m->out->work = ops.work;
			m->out->work.of_ops = true;
		} else {
			unequal_work_find(m->out, opt.rule.margin_relative);
		}
	}
	rules_free(none);
	arena_free(of_ops.arena);
	return status;
}

static double larger_share(const struct compared *v, const struct compared_measure *measure)
{
	return fmax(
		v->base->mean / measure->base.total.mean, v->new->mean / measure->new.total.mean);
}

/* The share below which rows are small: as asked for, or the share of the row with which the
 * largest ones make half of what both sides have. */
static double small_share(const struct comparison_maker *m, size_t which)
{
	const struct compared_measure *measure = &m->out->measure[which];
	double *share = arena_array(m->arena, m->out->count, sizeof(*share)), all = 0, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->out->count && !m->opt->min_share_fixed; i++) {
		const struct compared *v = &m->out->row[i].value[which];
		const double of_row = v->base && v->new ? larger_share(v, measure) : NAN;

		if (!(of_row > 0))
			continue;
		share[n++] = of_row;
		all += of_row;
	}
	number_sort(share, n);
	while (n > 0 && sum < all / 2)
		sum += share[--n];
	return sum > 0 ? fmin(m->opt->min_share, share[n]) : m->opt->min_share;
}

static bool is_small(const struct compared *v, const struct compared_measure *measure, double share)
{
	/* A row that is not known in some steps is judged alone: the sum of many would be known in
	 * none. */
	if (!v->base || !v->new || v->base->unknown || v->new->unknown || v->base->lost ||
		v->new->lost ||
		(measure_at(measure->id)->dimension != DIMENSION_TIME && v->base->constant &&
			v->new->constant))
		return false;
	return v->base->mean < share * measure->base.total.mean &&
	       v->new->mean < share * measure->new.total.mean;
}

/* A row below min_share of the step on both sides is too small to be tested alone, unless a rule
 * names it. */
static int find_small(const struct comparison_maker *m, const char *name, const struct compared *v,
	const struct compared_measure *measure, double share, bool *small, struct error *err)
{
	const struct compare_rule *rule = &m->opt->rule;

	*small = !m->out->benchmarks && is_small(v, measure, share);
	if (*small && m->opt->rule_of)
		rule = m->opt->rule_of(m->opt->rule_context, name, measure->id, err);
	if (!rule)
		return -1;
	*small &= !rule->alone;
	return 0;
}

/* Marks the small rows and adds them up; one alone stays what it is. */
static int merge_small(const struct comparison_maker *m, size_t which, struct error *err)
{
	struct compared_measure *measure = &m->out->measure[which];
	size_t *base = arena_array(m->arena, m->out->count, sizeof(*base));
	size_t *new = arena_array(m->arena, m->out->count, sizeof(*new));
	struct run_row *merged = arena_array(m->arena, 2, sizeof(*merged));
	const double share = small_share(m, which);
	size_t n = 0;

	for (size_t i = 0; i < m->out->count; i++) {
		struct compared_row *row = &m->out->row[i];
		bool small;

		if (find_small(m, row->name, &row->value[which], measure, share, &small, err) < 0)
			return -1;
		if (!small)
			continue;
		base[n] = (size_t)(row->base - m->base->run.grouping->group);
		new[n++] = (size_t)(row->new - m->new->run.grouping->group);
		row->value[which].small = true;
	}
	if (n == 1)
		for (size_t i = 0; i < m->out->count; i++)
			m->out->row[i].value[which].small = false;
	if (n < 2)
		return 0;
	measure->small_count = n;
	merged[0] =
		run_row_of_groups(&m->base->run, measure->id, &m->opt->value, base, n, m->arena);
	merged[1] = run_row_of_groups(&m->new->run, measure->id, &m->opt->value, new, n, m->arena);
	measure->small.base = &merged[0];
	measure->small.new = &merged[1];
	return 0;
}

static void add_step_time(const struct comparison_maker *m)
{
	const enum measure_id id = m->out->measure[0].id;
	struct run_row *row = arena_array(m->arena, 2, sizeof(*row));

	if (m->out->benchmarks)
		return;

	m->out->step_time_kind = m->base->run.self->times.kind;
	m->out->step_times = step_times_use(&m->base->run, &m->new->run, id, &m->opt->value);
	if (m->out->step_times == STEP_TIMES_NONE)
		return;
	row[0] = step_row(&m->base->run, id, true, &m->opt->value, m->arena);
	row[1] = step_row(&m->new->run, id, true, &m->opt->value, m->arena);
	m->out->step_time.base = &row[0];
	m->out->step_time.new = &row[1];
}

bool compared_has_value(const struct compared *v)
{
	return (v->base && v->base->valued) || (v->new && v->new->valued);
}

static void add_unmatched(struct comparison *c)
{
	const struct compared_measure *first = &c->measure[0];

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];

		if (v->base && !v->new && v->base->mean > 0 && first->base.total.mean > 0)
			c->unmatched_base += v->base->mean / first->base.total.mean;
		if (v->new && !v->base && v->new->mean > 0 && first->new.total.mean > 0)
			c->unmatched_new += v->new->mean / first->new.total.mean;
	}
}

static int rank_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_INCONCLUSIVE:
	case VERDICT_RARE:
		return 1;
	case VERDICT_SAME:
	case VERDICT_NONE:
		return 2;
	default:
		return 0;
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct compared_row *x = a, *y = b;
	const struct compared *v = &x->value[0], *w = &y->value[0];
	int rank = (v->small ? 3 : rank_of(v->verdict)) - (w->small ? 3 : rank_of(w->verdict));
	const bool ratios = v->is_benchmark; /* their sizes differ by what they are */
	double p = fabs(ratios ? v->diff : v->difference);
	double q = fabs(ratios ? w->diff : w->difference);

	if (rank)
		return rank;
	p = isnan(p) ? -1 : p;
	q = isnan(q) ? -1 : q;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

static const char *group_word(const struct compared_row *row, bool by_device)
{
	const char *word = by_device ? row->device : row->type;

	return word ? word : "";
}

/* Few of those that this leaves have no test after all: without spread, or by a rule. */
static bool can_be_tested(const struct compared *v)
{
	return v->base && v->new && !v->small && v->base->valued > 1 && v->new->valued > 1 &&
	       !v->base->zero && !v->new->zero;
}

/* group[i]: a number for the device of row i, or its type. Returns how many of them have enough
 * rows with a test to have run effects of their own; rows without a word have no device. */
static size_t find_groups(const struct comparison *c, size_t which, bool by_device, size_t *group)
{
	struct arena *scratch = arena_new();
	struct intern *words = intern_new(scratch);
	size_t *members = arena_array(scratch, c->count, sizeof(*members)), large = 0;

	for (size_t i = 0; i < c->count; i++) {
		const char *word = group_word(&c->row[i], by_device);

		group[i] = intern_id(words, word, strlen(word));
		if (*word && can_be_tested(&c->row[i].value[which]))
			large += ++members[group[i]] == MODERATED_SPLIT_OPS;
	}
	arena_free(scratch);
	return large;
}

static int decide_measure(
	struct comparison *c, size_t which, const struct compare_options *opt, struct error *err)
{
	struct compared_measure *measure = &c->measure[which];
	struct decide_row *row = memory_alloc(memory_product(c->count + 1, sizeof(*row)));
	size_t *group = memory_alloc(memory_product(c->count, sizeof(*group))), n = 0;
	struct compare_options alone;
	struct alpha_shares room;
	int status;

	decide_means(&measure->total);
	/* Rows of several devices share run effects by device, those of one by type. */
	if (find_groups(c, which, true, group) < 2)
		find_groups(c, which, false, group);
	for (size_t i = 0; i < c->count; i++)
		row[n++] = (struct decide_row){&c->row[i].value[which], c->row[i].name, group[i]};
	if (measure->small_count)
		row[n++] = (struct decide_row){&measure->small, "[small ops]", c->count};
	measure->arena = c->arena;
	row_splits_begin(c, which);
	status = decide_rows(row, n, opt, measure, err);
	memory_free(row);
	memory_free(group);
	if (row_splits_end(c, which, opt, err) < 0 || status < 0)
		return -1;
	if (measure_at(measure->id)->additive)
		unequal_work_withhold_rows(c, which);
	/* A static measure does not know in how many runs its op is. */
	for (size_t i = 0; i < c->count; i++)
		if (c->row[i].value[0].verdict == VERDICT_RARE)
			c->row[i].value[which].verdict = VERDICT_RARE;
	alone = alpha_share_alone(opt, opt->shares ? opt->shares->step : 1, &room);
	decide_single(&measure->total, &alone, measure->id, measure->resolution, c->arena);
	memset(measure->verdicts, 0, sizeof(measure->verdicts));
	for (size_t i = 0; i < c->count; i++)
		if (!c->row[i].value[which].small)
			measure->verdicts[c->row[i].value[which].verdict]++;
	return 0;
}

static void decide_step(struct comparison *comparison, const struct compare_options *opt)
{
	struct alpha_shares room;
	struct compare_options of_step = compared_step_options(comparison, opt);

	of_step = alpha_share_alone(&of_step, opt->shares ? opt->shares->step : 1, &room);
	if (comparison->step_times != STEP_TIMES_DECIDE)
		of_step.noise = NULL; /* it knows op time only */
	if (comparison->step_times != STEP_TIMES_NONE)
		decide_single(&comparison->step_time, &of_step, MEASURE_TIME,
			comparison->measure[0].resolution, comparison->arena);
	if (comparison->work.ops && compared_step(comparison)->verdict != VERDICT_NONE) {
		unequal_work_withhold(&comparison->step_time);
		unequal_work_withhold(&comparison->measure[0].total);
	}
}

int comparison_decide(
	struct comparison *comparison, const struct compare_options *opt, struct error *err)
{
	struct compare_options shared = *opt;
	struct alpha_shares shares;

	for (size_t i = 0; i < comparison->measure_count; i++)
		if (decide_measure(comparison, i, opt, err) < 0)
			return -1;
	decide_step(comparison, opt);
	if (!alpha_shares_find(comparison, opt, &shares))
		return 0;
	shared.shares = &shares;
	if (decide_measure(comparison, 0, &shared, err) < 0)
		return -1;
	decide_step(comparison, &shared);
	return 0;
}

int comparison_make(const struct comparison_input *input, struct arena *arena,
	struct comparison *out, struct error *err)
{
	const struct pairing *pairing = input->pairing;
	struct compare_side base = input->base, new = input->new;
	struct comparison_maker m = {&base, &new, input->options, arena, out};
	struct step_set steps_base, steps_new;

	*out = (struct comparison){.measure_count = input->measure_count,
		.pairing = *pairing,
		.runs_base = input->base.run.steps->run_count,
		.runs_new = input->new.run.steps->run_count,
		.new_is_base = input->same_files,
		.benchmarks = input->options->benchmarks,
		.order = input->order,
		.arena = arena};
	refine_grid(&base.run, &input->new.run, &steps_base);
	refine_grid(&new.run, &input->base.run, &steps_new);
	make_rows(&m, pairing, input->measure);
	if (steps_are_unmarked(&base) && steps_are_unmarked(&new)) {
		if (has_plain_rows(&m, &base) && has_plain_rows(&m, &new))
			unequal_work_find(out, input->options->rule.margin_relative);
		else if (find_work(&m, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < input->measure_count; i++)
		if (merge_small(&m, i, err) < 0)
			return -1;
	for (size_t i = 0; i < input->measure_count; i++)
		row_splits_make(&base, &new, input->options, i, out);
	add_step_time(&m);
	if (out->measure[0].id == MEASURE_TIME)
		compared_devices_make(&base.run, &new.run, input->options, arena, &out->devices);
	if (comparison_decide(out, input->options, err) < 0 ||
		compared_against_find(out, input->options, err) < 0 ||
		compared_odd_find(out, input->options, err) < 0)
		return -1;
	shared_runs_find(input, out);
	if (!out->benchmarks)
		moved_work_find(&base, &new, input->options, out);
	add_unmatched(out);
	warmup_change_find(input->base.run.steps, input->new.run.steps, &out->warmup);
	compared_kinds_find(input, out);
	if (out->count)
		qsort(out->row, out->count, sizeof(*out->row), compare_rows);
	return 0;
}

/* Power of the test of the median op with other numbers of runs. */

/* The part of the variance of a difference that more runs make smaller. */
static double own_variance(const struct compared_measure *measure, size_t runs)
{
	return measure->sd_run * measure->sd_run * 2 / (double)runs;
}

static double own_df(
	const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	if (method == METHOD_MODERATED || method == METHOD_LIMMA || method == METHOD_PAIRED)
		return moderated_planned_df(&measure->moderated, runs);
	return 2 * ((double)runs - 1);
}

/* The known rounding beside the estimated variance, as in the test. */
static double df_of(const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	const double own = own_variance(measure, runs),
		     share = own / (own + measure->rounding_variance);

	return own_df(measure, method, runs) / (share * share);
}

static double se_of(const struct compared_measure *measure, size_t runs)
{
	return sqrt(own_variance(measure, runs) + measure->rounding_variance);
}

size_t run_plan_runs(
	const struct compared_measure *measure, enum compare_method method, double change)
{
	size_t least = 2, past = RUN_PLAN_MOST + 1; /* power grows with the runs */

	while (least < past) {
		const size_t runs = (least + past) / 2;

		if (equivalence_power(log1p(change), se_of(measure, runs),
			    df_of(measure, method, runs), measure->limit_p, 2) >= COMPARE_POWER)
			past = runs;
		else
			least = runs + 1;
	}
	return least <= RUN_PLAN_MOST ? least : 0;
}

struct run_plan_range run_plan_open(
	const struct compared_measure *measure, enum compare_method method, double change)
{
	struct compared_measure open = *measure;
	const double df = fmax(measure->open_df, 1);
	size_t runs[3];

	for (int i = 0; i < 3; i++) {
		const double chi2 =
			i == 0 ? df : student_chi_squared_quantile(i == 1 ? 0.9 : 0.1, df);

		open.sd_run = measure->open_sd_run * sqrt(df / chi2);
		runs[i] = run_plan_runs(&open, method, change);
	}
	return (struct run_plan_range){runs[0], runs[1], runs[2]};
}

double run_plan_change(
	const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	return expm1(equivalence_detectable(se_of(measure, runs), df_of(measure, method, runs),
		measure->limit_p, 2, COMPARE_POWER));
}
