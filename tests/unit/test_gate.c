/* What a gate makes of verdicts: every kind of finding, waivers, blind ops, the precedence of exit
 * statuses, and the planted change. Rows are made by hand, policies come from YAML in memory. */
#include <math.h>
#include <gsl/gsl_errno.h>
#include "analysis/gate/findings.h"
#include "base/day.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

#define RUNS 5
#define ROWS_MOST 30
#define WAIVER                                                                                     \
	"gate:\n"                                                                                  \
	"  waivers:\n"                                                                             \
	"    - {ops: conv, owner: anna, ceiling: 10%, expires: 2026-12-31, reason: known}\n"

struct made {
	struct arena *arena;
	struct comparison c;
	struct compared_measure measure;
	struct compare_options opt;
	int32_t today;
	struct policies *policies;
	struct gate gate;
	struct group group; /* stands for any */
};

static int32_t day(const char *text)
{
	int32_t out;

	assert_true(day_from_text(text, &out));
	return out;
}

static int make(void **state)
{
	struct arena *arena = arena_new();
	struct made *t = arena_alloc(arena, sizeof(*t));

	gsl_set_error_handler_off();
	t->arena = arena;
	t->measure = (struct compared_measure){.id = MEASURE_TIME,
		.base = {.runs = RUNS},
		.new = {.runs = RUNS},
		.total = {.base_mean = 1000},
		.smallest_p = NAN};
	t->c = (struct comparison){.row = arena_array(arena, ROWS_MOST, sizeof(*t->c.row)),
		.measure = &t->measure,
		.measure_count = 1,
		.runs_base = RUNS,
		.runs_new = RUNS,
		.arena = arena};
	t->opt = usual_options(METHOD_WELCH);
	t->today = day("2026-12-31");
	t->policies = policies_new();
	*state = t;
	return 0;
}

static int release(void **state)
{
	struct made *t = *state;

	policies_free(t->policies);
	arena_free(t->arena);
	return 0;
}

static void policies(struct made *t, const char *yaml)
{
	struct error err = {.kind = ERROR_NONE};

	policies_free(t->policies);
	t->policies = policies_new();
	if (policies_read_memory(t->policies, yaml, strlen(yaml), "s.yaml", &err))
		fail_msg("%s: %s", err.place, err.message);
}

static struct run_row *side(struct made *t, double mean, size_t runs)
{
	struct run_row *row = arena_alloc(t->arena, sizeof(*row));

	*row = (struct run_row){
		.mean = mean, .runs = runs, .valued = runs, .steps = 10 * runs, .ran = 10 * runs};
	return row;
}

/* A row of 100 of the step's 1000, tested, that changed by so much. */
static struct compared *add(struct made *t, const char *name, double change, enum verdict verdict)
{
	struct compared_row *row = &t->c.row[t->c.count++];
	struct compared *v = arena_alloc(t->arena, sizeof(*v));

	*row = (struct compared_row){.name = name, .value = v, .base = &t->group, .new = &t->group};
	*v = (struct compared){.base = side(t, 100, RUNS),
		.new = side(t, 100 * (1 + change), RUNS),
		.base_mean = 100,
		.new_mean = 100 * (1 + change),
		.difference = 100 * change,
		.change = change,
		.margin = 0.02,
		.margin_units = 2,
		.p_same = 1,
		.alpha = 0.05,
		.q = 0.5,
		.detectable = 0.01,
		.evidence = EVIDENCE_TEST,
		.verdict = verdict};
	return v;
}

static struct compared *add_missing(struct made *t, const char *name, enum verdict verdict)
{
	struct compared *v = add(t, name, 0, verdict);
	struct compared_row *row = &t->c.row[t->c.count - 1];

	v->evidence = EVIDENCE_NONE;
	if (verdict == VERDICT_NEW) {
		row->base = NULL;
		v->base = NULL;
	} else {
		row->new = NULL;
		v->new = NULL;
	}
	return v;
}

static void judge(struct made *t)
{
	struct error err = {.kind = ERROR_NONE};

	struct gate_input input = {.comparison = &t->c,
		.compare = &t->opt,
		.policies = t->policies,
		.today = t->today};

	if (gate_decide(&input, t->arena, &t->gate, &err))
		fail_msg("%s", err.message);
}

/* Status, and the kind and result of the first finding. */
static void expect(struct made *t, int status, enum finding_kind kind, enum finding_result result)
{
	judge(t);
	assert_int_equal(t->gate.exit_status, status);
	assert_int_equal(t->gate.finding[0].kind, kind);
	assert_int_equal(t->gate.finding[0].result, result);
}

TEST_WITH(green, make, release)
{
	struct made *t = *state;

	add(t, "conv", 0.001, VERDICT_SAME);
	add(t, "read", -0.1, VERDICT_IMPROVED);
	add(t, "new", 0.03, VERDICT_SLOWER);
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	assert_true(t->gate.count == 3 && t->gate.results[FINDING_PASSED] == 3);
	assert_true(t->gate.tested == 3 && t->gate.improved == 1 && !t->gate.blind);
}

TEST_WITH(red_by_a_regression, make, release)
{
	struct made *t = *state;

	add(t, "read", 0.001, VERDICT_SAME);
	add(t, "conv", 0.1, VERDICT_REGRESSED);
	expect(t, 1, FINDING_VERDICT, FINDING_FAILED);
	assert_string_equal(t->gate.finding[0].row->name, "conv");
	assert_true(t->gate.results[FINDING_FAILED] == 1 && t->gate.results[FINDING_PASSED] == 1);
}

/* q below alpha and the estimate beyond the margin. */
TEST_WITH(red_by_slower, make, release)
{
	struct made *t = *state;
	struct compared *v = add(t, "conv", 0.03, VERDICT_SLOWER);

	v->q = 0.01;
	policies(t, "gate: {fail_on: slower}\n");
	expect(t, 1, FINDING_VERDICT, FINDING_FAILED);
	v->change = 0.01;
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	v->change = 0.03;
	v->verdict = VERDICT_FASTER;
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	/* No steady state: nothing noisy has a verdict, whatever its q. */
	v->verdict = VERDICT_INCONCLUSIVE;
	expect(t, 0, FINDING_INCONCLUSIVE, FINDING_PASSED);
	/* From nothing: the margin in its unit decides. */
	v->verdict = VERDICT_SLOWER;
	v->change = NAN;
	v->margin = INFINITY;
	v->difference = 3;
	expect(t, 1, FINDING_VERDICT, FINDING_FAILED);
	v->difference = 1;
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
}

TEST_WITH(undecided_where_a_verdict_is_wanted, make, release)
{
	struct made *t = *state;

	add(t, "conv", 0.01, VERDICT_INCONCLUSIVE);
	expect(t, 0, FINDING_INCONCLUSIVE, FINDING_PASSED);
	policies(t, "gate: {inconclusive: fail}\n");
	expect(t, 4, FINDING_INCONCLUSIVE, FINDING_UNDECIDED);
	policies(t, "gate:\n  policies: [{ops: conv, inconclusive: fail}]\n");
	expect(t, 4, FINDING_INCONCLUSIVE, FINDING_UNDECIDED);
	policies(t, "gate:\n  inconclusive: fail\n  policies: [{ops: conv, inconclusive: pass}]\n");
	expect(t, 0, FINDING_INCONCLUSIVE, FINDING_PASSED);
}

TEST_WITH(ops_that_come_and_go, make, release)
{
	struct made *t = *state;

	add(t, "read", 0, VERDICT_SAME);
	add_missing(t, "conv", VERDICT_NEW);
	add_missing(t, "pool", VERDICT_GONE);
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	policies(t, "gate: {new: fail}\n");
	expect(t, 1, FINDING_NEW, FINDING_FAILED);
	assert_string_equal(t->gate.finding[0].row->name, "conv");
	assert_int_equal(t->gate.results[FINDING_FAILED], 1);
	policies(t, "gate: {gone: fail}\n");
	expect(t, 1, FINDING_GONE, FINDING_FAILED);
	assert_string_equal(t->gate.finding[0].row->name, "pool");
}

TEST_WITH(executions_that_changed, make, release)
{
	struct made *t = *state;

	add(t, "conv", 0, VERDICT_SAME);
	t->c.row[0].ran_changed = true;
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	policies(t, "gate: {executions: fail}\n");
	expect(t, 1, FINDING_EXECUTIONS, FINDING_FAILED);
	/* The verdict of the row stands beside it. */
	assert_int_equal(t->gate.count, 2);
	assert_int_equal(t->gate.finding[1].result, FINDING_PASSED);
}

TEST_WITH(nothing_to_compare, make, release)
{
	struct made *t = *state;

	add_missing(t, "conv", VERDICT_NEW);
	add_missing(t, "pool", VERDICT_GONE);
	expect(t, 3, FINDING_NO_PAIR, FINDING_UNUSABLE);
}

static void one_run(struct compared *v)
{
	v->evidence = EVIDENCE_ONE_RUN;
	v->verdict = VERDICT_NONE;
	v->reason = "one run on a side";
	v->q = v->detectable = NAN;
}

TEST_WITH(too_few_runs_for_any_verdict, make, release)
{
	struct made *t = *state;
	struct compared *exact;

	one_run(add(t, "conv", 0.5, VERDICT_NONE));
	one_run(add(t, "read", 0, VERDICT_NONE));
	expect(t, 3, FINDING_FEW_RUNS, FINDING_UNUSABLE);
	assert_true(t->gate.no_verdict && !t->gate.finding[0].row);
	assert_int_equal(t->gate.results[FINDING_UNUSABLE], 1);
	/* A regression of something exact beside it does not make it usable. */
	exact = add(t, "bytes", 1, VERDICT_REGRESSED);
	exact->evidence = EVIDENCE_EXACT;
	judge(t);
	assert_int_equal(t->gate.exit_status, 3);
	assert_int_equal(t->gate.results[FINDING_FAILED], 1);
}

/* Exact measures alone need no second run. */
TEST_WITH(exact_measures_need_no_runs, make, release)
{
	struct made *t = *state;
	struct compared *v = add(t, "conv", 0, VERDICT_SAME);

	v->evidence = EVIDENCE_EXACT;
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	assert_false(t->gate.no_verdict);
}

TEST_WITH(fewer_runs_than_the_policy_asks_for, make, release)
{
	struct made *t = *state;
	struct compared *v = add(t, "conv", 0, VERDICT_NONE);

	add(t, "read", 0, VERDICT_SAME);
	v->evidence = EVIDENCE_NONE;
	v->reason = "fewer runs than the policy asks for";
	policies(t, "gate:\n  policies: [{ops: conv, min_runs: 8}]\n");
	expect(t, 3, FINDING_FEW_RUNS, FINDING_UNUSABLE);
	assert_string_equal(t->gate.finding[0].row->name, "conv");
	assert_false(t->gate.no_verdict);
}

TEST_WITH(policy_that_fits_no_op, make, release)
{
	struct made *t = *state;

	add(t, "conv", 0, VERDICT_SAME);
	policies(t, "gate:\n  policies:\n    - {name: p, ops: '^pool$'}\n    - {ops: conv}\n");
	expect(t, 3, FINDING_NO_OP, FINDING_UNUSABLE);
	assert_string_equal(t->gate.finding[0].policy->name, "p");
	assert_int_equal(t->gate.results[FINDING_UNUSABLE], 1);
	/* One that another takes its ops from fits all the same. */
	policies(t, "gate:\n  policies:\n    - {ops: conv}\n    - {ops: con}\n");
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
}

TEST_WITH(waivers, make, release)
{
	struct made *t = *state;
	struct compared *v = add(t, "conv", 0.1, VERDICT_REGRESSED);

	policies(t, WAIVER);
	expect(t, 0, FINDING_VERDICT, FINDING_WAIVED);
	assert_string_equal(t->gate.finding[0].waiver->owner, "anna");
	v->change = 0.11; /* over its ceiling */
	expect(t, 1, FINDING_VERDICT, FINDING_FAILED);
	assert_non_null(t->gate.finding[0].waiver);
	v->change = 0.1;
	t->today = day("2027-01-01");
	judge(t); /* a failure that says so, and the regression is not waived */
	assert_int_equal(t->gate.exit_status, 3);
	assert_int_equal(t->gate.finding[0].result, FINDING_FAILED);
	assert_int_equal(t->gate.finding[1].kind, FINDING_EXPIRED_WAIVER);
	assert_int_equal(t->gate.finding[1].result, FINDING_UNUSABLE);
	/* Expired also where nothing needs it. */
	v->verdict = VERDICT_SAME;
	expect(t, 3, FINDING_EXPIRED_WAIVER, FINDING_UNUSABLE);
}

/* A change without a size has no ceiling to be under. */
TEST_WITH(waiver_of_an_op_that_is_gone, make, release)
{
	struct made *t = *state;

	add(t, "read", 0, VERDICT_SAME);
	add_missing(t, "conv", VERDICT_GONE);
	policies(t, WAIVER "  gone: fail\n");
	expect(t, 1, FINDING_GONE, FINDING_FAILED);
	policies(t, "gate:\n"
		    "  gone: fail\n"
		    "  waivers: [{ops: conv, owner: a, expires: 2026-12-31, reason: r}]\n");
	expect(t, 0, FINDING_GONE, FINDING_WAIVED);
}

TEST_WITH(base_that_expired, make, release)
{
	struct made *t = *state;

	add(t, "conv", 0, VERDICT_SAME);
	policies(t, "gate: {baseline_expires: 2026-12-31}\n");
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	t->today = day("2027-01-01");
	expect(t, 3, FINDING_EXPIRED_BASE, FINDING_UNUSABLE);
}

/* Each of ten ops has a tenth of the op time. */
TEST_WITH(blind_by_share, make, release)
{
	struct made *t = *state;

	for (size_t i = 0; i < 10; i++) {
		struct compared *v =
			add(t, "op", 0.01, i < 5 ? VERDICT_INCONCLUSIVE : VERDICT_SAME);

		v->detectable = 0.05; /* a SAME is not blind, whatever it could have seen */
	}
	judge(t);
	assert_int_equal(t->gate.blind, 5);
	assert_true(fabs(t->gate.blind_share - 0.5) < 1e-12);
	assert_int_equal(t->gate.exit_status, 0); /* not more than half */
	t->c.row[5].value->verdict = VERDICT_INCONCLUSIVE;
	judge(t);
	assert_true(t->gate.too_blind && fabs(t->gate.blind_share - 0.6) < 1e-12);
	assert_int_equal(t->gate.exit_status, 4);
	assert_int_equal(t->gate.results[FINDING_UNDECIDED], 6);
	policies(t, "gate: {blind: pass}\n");
	judge(t);
	assert_true(t->gate.exit_status == 0 && t->gate.blind == 6);
	policies(t, "gate: {blind: fail}\n");
	t->c.row[0].value->detectable = 0.02; /* as small as the margin is enough */
	judge(t);
	assert_true(t->gate.exit_status == 0 && t->gate.blind == 5);
	t->c.row[1].value->p_same = 0.01; /* shown to be within the margin */
	judge(t);
	assert_int_equal(t->gate.blind, 4);
}

/* More than a twentieth of the time that only one side has counts. */
TEST_WITH(much_that_is_not_matched, make, release)
{
	struct made *t = *state;

	add(t, "conv", 0.01, VERDICT_SAME);
	t->c.unmatched_base = 0.05;
	judge(t);
	assert_true(t->gate.unmatched_share == 0);
	t->c.unmatched_new = 0.0501;
	judge(t);
	assert_true(t->gate.unmatched_share == 0.0501);
}

/* A change of more than twice the margin of 2 % has to be seen. */
TEST_WITH(blind_above_two_margins, make, release)
{
	struct made *t = *state;
	struct compared *v = add(t, "conv", 0.01, VERDICT_INCONCLUSIVE);

	v->detectable = 0.0399;
	judge(t);
	assert_int_equal(t->gate.blind, 0);
	v->detectable = 0.0401;
	judge(t);
	assert_int_equal(t->gate.blind, 1);
}

TEST_WITH(blind_by_ranks_and_unrest, make, release)
{
	struct made *t = *state;
	struct compared *v = add(t, "conv", 0.01, VERDICT_INCONCLUSIVE);

	v->detectable = NAN;
	t->measure.smallest_p = 0.1;
	judge(t);
	assert_int_equal(t->gate.blind, 1);
	t->measure.smallest_p = 0.01;
	judge(t);
	assert_int_equal(t->gate.blind, 0);
	v->detectable = 0.01;
	v->unsteady = true;
	judge(t);
	assert_int_equal(t->gate.blind, 1);
}

TEST_WITH(small_ops_count_together, make, release)
{
	struct made *t = *state;

	add(t, "conv", 0, VERDICT_SAME);
	add(t, "tiny", 0.5, VERDICT_NONE)->small = true;
	t->measure.small = *add(t, "merged", 0.5, VERDICT_REGRESSED);
	t->c.count--;
	t->measure.small_count = 2;
	expect(t, 1, FINDING_VERDICT, FINDING_FAILED);
	assert_null(t->gate.finding[0].row);
	assert_ptr_equal(t->gate.finding[0].value, &t->measure.small);
	assert_int_equal(t->gate.count, 2); /* "tiny" has none of its own */
}

TEST_WITH(only_improved, make, release)
{
	struct made *t = *state;

	add(t, "conv", -0.1, VERDICT_IMPROVED);
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
	policies(t, "gate: {improved: report}\n");
	expect(t, 5, FINDING_VERDICT, FINDING_PASSED);
	t->c.row[0].value->verdict = VERDICT_SAME;
	expect(t, 0, FINDING_VERDICT, FINDING_PASSED);
}

/* 3, 1, 4, 5, 0: each wins over all that follow it. */
TEST_WITH(precedence, make, release)
{
	struct made *t = *state;

	policies(t, "gate: {improved: report, inconclusive: fail}\n");
	add(t, "faster", -0.1, VERDICT_IMPROVED);
	judge(t);
	assert_int_equal(t->gate.exit_status, 5);
	add(t, "undecided", 0.01, VERDICT_INCONCLUSIVE);
	judge(t);
	assert_int_equal(t->gate.exit_status, 4);
	add(t, "slower", 0.1, VERDICT_REGRESSED);
	judge(t);
	assert_int_equal(t->gate.exit_status, 1);
	policies(t, "gate: {baseline_expires: 2026-01-01, improved: report, inconclusive: fail}\n");
	judge(t);
	assert_int_equal(t->gate.exit_status, 3);
	/* What is not passed stands first, in the order of the rows. */
	assert_string_equal(t->gate.finding[0].row->name, "undecided");
	assert_string_equal(t->gate.finding[1].row->name, "slower");
	assert_int_equal(t->gate.finding[2].kind, FINDING_EXPIRED_BASE);
	assert_string_equal(t->gate.finding[3].row->name, "faster");
}

TEST_WITH(rules_of_policies, make, release)
{
	struct made *t = *state;
	struct error err = {.kind = ERROR_NONE};
	const struct compare_rule *conv, *pool, *read, *read_bytes;
	struct compare_options standard;
	struct gate_rules *rules;

	assert_true(gate_standard_rule(t->policies, &standard));
	assert_true(standard.rule.margin_relative == 0.02 && standard.rule.alpha == 0.05);
	policies(t, "gate:\n"
		    "  margin: 3%\n"
		    "  alpha: 1%\n"
		    "  policies:\n"
		    "    - {name: w, ops: conv, watch: true, margin: 5%, min_runs: 4}\n"
		    "    - {name: w, ops: pool, watch: true, margin: 50us}\n");
	assert_false(gate_standard_rule(t->policies, &standard));
	rules = gate_rules_new(t->policies, t->arena);
	conv = gate_rule_of(rules, "conv1", MEASURE_TIME, &err);
	pool = gate_rule_of(rules, "pool", MEASURE_TIME, &err);
	read = gate_rule_of(rules, "read", MEASURE_TIME, &err);
	assert_true(conv->margin_relative == 0.05 && conv->alpha == 0.01 && conv->min_runs == 4);
	assert_true(conv->alone && conv->watch && conv->watch == pool->watch);
	assert_true(pool->margin_relative == 0.03 && pool->margin_absolute == 50e6);
	read_bytes = gate_rule_of(rules, "pool", MEASURE_REQUESTED, &err);
	assert_true(isnan(read_bytes->margin_absolute));
	assert_true(read->margin_relative == 0.03 && !read->alone && !read->watch);
	assert_ptr_equal(conv, gate_rule_of(rules, "conv2", MEASURE_TIME, &err));
}

/* Run values whose logarithms differ by `change` with the standard error `se`. */
static void add_noisy(struct made *t, const char *name, double change, double se)
{
	static const double pattern[RUNS] = {-2, -1, 0, 1, 2};
	struct compared *v = add(t, name, change, VERDICT_NONE);

	for (int which = 0; which < 2; which++) {
		struct run_row *row = side(t, 0, RUNS);

		row->run = arena_array(t->arena, RUNS, sizeof(*row->run));
		for (size_t r = 0; r < RUNS; r++) {
			double scaled = log(100) + (which ? change : 0) + se * pattern[r];

			row->run[r] = (struct run_value){
				.value = exp(scaled), .scaled = scaled, .steps = 1};
			row->mean += exp(scaled) / RUNS;
		}
		if (which)
			v->new = row;
		else
			v->base = row;
	}
}

static void plant(struct made *t, struct self_test *test)
{
	struct error err = {.kind = ERROR_NONE};

	t->measure.total.base = t->c.row[0].value->base;
	t->measure.total.new = t->c.row[0].value->new;
	assert_int_equal(comparison_decide(&t->c, &t->opt, &err), 0);
	assert_int_equal(gate_self_test(&t->c, &t->opt, t->policies, t->arena, test, &err), 0);
}

/* ln 1.04 against the margin ln 1.02, 8 df: 0.0194 is 4.9 standard errors of 0.004, or 0.49 of
 * 0.04. What is there by chance, -0.01 and 0.05, neither hides nor helps it. */
TEST_WITH(planted_changes, make, release)
{
	struct made *t = *state;
	struct self_test test;
	const struct run_row *new;

	add_noisy(t, "sharp", -0.01, 0.004);
	add_noisy(t, "noisy", 0.05, 0.04);
	add_noisy(t, "red already", 0.1, 0.004);
	new = t->c.row[0].value->new;
	plant(t, &test);
	assert_int_equal(test.count, 3);
	assert_int_equal(test.red, 2);
	assert_true(test.can_fail);
	for (size_t i = 0; i < test.count; i++) {
		const struct planted *p = &test.planted[i];
		bool sharp = strcmp(p->row->name, "noisy") != 0;

		assert_true(fabs(p->change - 0.04) < 1e-12);
		assert_true(fabs(p->value.diff - log(1.04)) < 1e-12);
		assert_int_equal(p->red, sharp);
		assert_int_equal(
			p->value.verdict, sharp ? VERDICT_REGRESSED : VERDICT_INCONCLUSIVE);
	}
	/* As it was before. */
	assert_ptr_equal(t->c.row[0].value->new, new);
	assert_int_equal(t->c.row[0].value->verdict, VERDICT_SAME);
	assert_int_equal(t->c.row[2].value->verdict, VERDICT_REGRESSED);
}

/* One op that could go red does not speak for the others. */
TEST_WITH(planted_changes_of_half_the_time, make, release)
{
	struct made *t = *state;
	struct self_test test;

	add_noisy(t, "sharp", 0, 0.004);
	add_noisy(t, "noisy", 0, 0.04);
	add_noisy(t, "noisy too", 0, 0.04);
	plant(t, &test);
	assert_true(test.red == 1 && !test.can_fail);
	policies(t, "gate: {blind: pass}\n");
	plant(t, &test);
	assert_true(test.red == 1 && test.can_fail);
	t->opt.rule.margin_relative = 0.001;
	plant(t, &test);
	assert_true(test.count == 3 && test.red == 0 && !test.can_fail);
}

TEST_WITH(planted_changes_are_few, make, release)
{
	struct made *t = *state;
	struct self_test test;
	struct run_row larger;

	for (size_t i = 0; i < GATE_PLANTED_MOST + 5; i++)
		add_noisy(t, "op", 0, 0.001);
	add_noisy(t, "largest", 0, 0.001);
	larger = *t->c.row[t->c.count - 1].value->base;
	larger.mean *= 1.01;
	t->c.row[t->c.count - 1].value->base = &larger;
	plant(t, &test);
	assert_int_equal(test.count, GATE_PLANTED_MOST);
	assert_int_equal(test.red, GATE_PLANTED_MOST);
	assert_ptr_equal(test.planted[0].row, &t->c.row[t->c.count - 1]);
}
