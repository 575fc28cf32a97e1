/* Applies policies and waivers to the verdicts of a comparison. */
#include "analysis/gate/findings.h"

#include <math.h>
#include <string.h>
#include "analysis/compare/compared_step.h"
#include "analysis/compare/row_split.h"
#include "analysis/compare/verdicts.h"

#define BLIND_MOST 0.5 /* of the total */
/* Part of the step: as little as sums of doubles may be off by. */
#define NOTHING_PART 1e-9
#define BLIND_MARGINS 2 /* a change of so many margins should turn the gate red */

struct gate_rule {
	const struct policy *policy;
	enum measure_id measure;
	struct compare_rule rule;
	struct gate_rule *new;
};

struct gate_rules {
	struct policies *policies;
	struct arena *arena;
	struct gate_rule *first;
	char *family; /* addresses identify the watch-lists */
};

struct gate_rules *gate_rules_new(struct policies *policies, struct arena *arena)
{
	struct gate_rules *rules = arena_alloc(arena, sizeof(*rules));

	rules->policies = policies;
	rules->arena = arena;
	rules->family = arena_array(arena, policies->family_count + 1, 1);
	return rules;
}

static struct compare_rule rule_from(const struct policy *policy, enum measure_id id)
{
	return (struct compare_rule){.margin_relative = policy->margin_frac,
		.margin_absolute = policy_margin_absolute(policy, id),
		.margin_share = policy->margin_share_frac,
		.alpha = policy->alpha,
		.min_runs = policy->min_runs};
}

bool gate_standard_rule(const struct policies *policies, struct compare_options *out)
{
	const struct policy *standard = &policies->standard;

	out->rule = rule_from(standard, MEASURE_TIME);
	out->rule.margin_absolute = NAN;
	out->margin_ps = standard->margin_ps;
	out->margin_bytes = standard->margin_bytes;
	return !policies_count(policies);
}

const struct compare_rule *gate_rule_of(
	void *rules, const char *name, enum measure_id id, struct error *err)
{
	struct gate_rules *r = rules;
	const struct policy *policy = policies_find(r->policies, name, id, err);
	struct gate_rule *rule;

	if (!policy)
		return NULL;
	for (rule = r->first; rule; rule = rule->new)
		if (rule->policy == policy && rule->measure == id)
			return &rule->rule;
	rule = arena_alloc(r->arena, sizeof(*rule));
	*rule = (struct gate_rule){policy, id, rule_from(policy, id), r->first};
	rule->rule.alone = policy != &r->policies->standard;
	rule->rule.watch = policy->watch ? r->family + policy->family : NULL;
	r->first = rule;
	return &rule->rule;
}

bool finding_is_of_step(const struct finding *f)
{
	return f->kind == FINDING_TOTAL || f->kind == FINDING_KIND || f->kind == FINDING_WARMUP;
}

bool gate_is_red(const struct policies *policies, const struct compared *value)
{
	if (value->verdict == VERDICT_REGRESSED)
		return true;
	if (policies->fail_on != FAIL_ON_SLOWER || value->verdict != VERDICT_SLOWER)
		return false;
	/* No fraction of a base of 0. */
	return isnan(value->change) ? value->difference > value->margin_units
				    : value->change > value->margin;
}

double gate_sees(const struct policies *policies, const struct compared *value)
{
	return policies && policies->fail_on == FAIL_ON_SLOWER ? value->detectable_slower
							       : value->detectable;
}

struct gate_decider {
	const struct comparison *comparison;
	const struct compare_options *compare;
	struct policies *policies;
	int32_t today;
	const struct gate_input *input;
	struct arena *arena;
	struct gate *out;
	size_t room;
	bool any_pair;		     /* rows that are on both sides */
	bool any_noisy, any_tested;  /* rows that need a test; rows that got one */
	size_t looked_at, all_blind; /* rows of all measures */
};

static struct run_row *copy_row(const struct run_row *row, struct arena *arena)
{
	struct run_row *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *row;
	copy->run = arena_array(arena, row->runs, sizeof(*copy->run));
	for (size_t r = 0; r < row->runs; r++)
		copy->run[r] = row->run[r];
	return copy;
}

static struct finding *add(struct gate_decider *d, const struct finding *finding)
{
	struct finding *slot = &d->out->finding[d->out->count++];

	*slot = *finding;
	d->out->results[finding->result]++;
	return slot;
}

/* A finding that would fail is looked up in the waivers. */
static int fail(struct gate_decider *d, struct finding *finding, struct error *err)
{
	double change = finding->kind == FINDING_VERDICT ? finding->value->change : NAN;
	const char *name = finding->row ? finding->row->name : "";

	finding->result = FINDING_FAILED;
	if (finding->row &&
		policies_waiver(d->policies,
			&(struct waiver_subject){name, finding->measure, change, d->today},
			&finding->waiver, err) < 0)
		return -1;
	if (finding->waiver && waiver_covers(finding->waiver, change, d->today))
		finding->result = FINDING_WAIVED;
	add(d, finding);
	return 0;
}

double gate_must_show(const struct policies *policies, const struct compared *value)
{
	const double twice = BLIND_MARGINS * value->margin;

	/* A margin of a policy of its own is told. */
	if (!policies || fabs(value->margin - policies->standard.margin_frac) > 1e-9)
		return twice;
	return fmax(twice, policies->shown_frac);
}

bool gate_is_blind(const struct comparison *comparison, const struct policies *policies,
	const struct compared *v)
{
	bool noisy = v->base && v->new && v->evidence != EVIDENCE_EXACT && !v->small &&
		     !v->base->lost && !v->new->lost;

	/* More runs of unequal amounts of work show no more. */
	if (comparison->work.ops && v->verdict == VERDICT_NONE)
		return false;
	if (!noisy || (v->verdict != VERDICT_INCONCLUSIVE && v->verdict != VERDICT_NONE))
		return false;
	if (v->verdict == VERDICT_NONE || v->withheld || v->unsteady)
		return true;
	/* Shown to be within the margin: it needs no more runs, even where the interval beside the
	 * verdict, which is longer, keeps it from being SAME. */
	if (v->p_same < v->alpha)
		return false;
	if (isnan(v->detectable)) /* ranks: is any result possible? */
		return !(comparison->measure[0].smallest_p < v->alpha);
	return gate_sees(policies, v) > gate_must_show(policies, v);
}

static bool is_blind(const struct gate_decider *d, const struct compared *v)
{
	return gate_is_blind(d->comparison, d->policies, v);
}

bool gate_is_moved(const struct policies *policies, const struct finding *f)
{
	return f->value && f->value->moved && f->policy == &policies->standard;
}

static void count_blind(struct gate_decider *d, const struct compared *v, struct finding *finding)
{
	double total = d->comparison->measure[0].total.base_mean;

	finding->blind = is_blind(d, v);
	d->looked_at++;
	d->all_blind += finding->blind;
	if (finding->measure != d->comparison->measure[0].id || !finding->blind)
		return;
	d->out->blind++;
	if (total > 0 && v->base->mean > 0)
		d->out->blind_share += v->base->mean / total;
}

static bool has_test(const struct compared *v)
{
	return v->evidence == EVIDENCE_TEST || v->evidence == EVIDENCE_FLOOR ||
	       v->evidence == EVIDENCE_LINEAR || v->evidence == EVIDENCE_GIVEN;
}

static bool too_few_runs(const struct compared *v, const struct policy *policy)
{
	size_t fewest = v->base->runs < v->new->runs ? v->base->runs : v->new->runs;

	return v->evidence == EVIDENCE_ONE_RUN ||
	       (v->evidence == EVIDENCE_NONE && fewest < policy->min_runs);
}

/* Nothing was tested and nothing decided: not for the lack of runs, which all rows share and which
 * is said once. What neither side knows of a measure beside the first is no part of the op. */
static bool lacks_verdict(const struct gate_decider *d, const struct finding *f)
{
	const struct compared *v = f->value;
	bool first = f->measure == d->comparison->measure[0].id;
	bool given = !isnan(d->compare->run_cv) || d->compare->noise;

	if (!v->base || !v->new || v->verdict != VERDICT_NONE ||
		(d->comparison->benchmarks && !compared_has_value(v)))
		return false;
	if (too_few_runs(v, f->policy) && !(v->evidence == EVIDENCE_ONE_RUN && given))
		return false;
	if (measure_at(f->measure)->kind == MEASURE_STATIC || !first)
		return !isnan(v->base_mean) || !isnan(v->new_mean);
	return true;
}

/* The few known steps of an op are no reason to let it pass. */
static bool is_thin(const struct compared *v)
{
	return v->base && v->new && (v->base->thin || v->new->thin);
}

/* An op that improved in two measures is one op. */
static bool improved_before(const struct finding *f)
{
	if (!f->row)
		return false;
	for (const struct compared *v = f->row->value; v < f->value; v++)
		if (v->verdict == VERDICT_IMPROVED && !v->small)
			return true;
	return false;
}

/* A row that is on both sides. */
static int decide_pair(struct gate_decider *d, struct finding *finding, struct error *err)
{
	const struct compared *v = finding->value;

	d->any_pair = true;
	if (v->evidence != EVIDENCE_EXACT && !v->base->lost && !v->new->lost)
		d->any_noisy = true;
	d->any_tested |= has_test(v);
	d->out->tested += has_test(v) && finding->measure == d->comparison->measure[0].id;
	d->out->improved += v->verdict == VERDICT_IMPROVED && !improved_before(finding) &&
			    !gate_is_moved(d->policies, finding);
	count_blind(d, v, finding);
	if (gate_is_red(d->policies, v) && !gate_is_moved(d->policies, finding))
		return fail(d, finding, err);
	if (lacks_verdict(d, finding)) {
		finding->kind = FINDING_UNJUDGED;
		finding->result = FINDING_UNDECIDED;
	} else if (is_thin(v)) {
		finding->kind = FINDING_THIN;
		finding->result = FINDING_UNDECIDED;
	} else if (too_few_runs(v, finding->policy)) {
		finding->kind = FINDING_FEW_RUNS;
		finding->result =
			v->evidence == EVIDENCE_ONE_RUN ? FINDING_PASSED : FINDING_UNUSABLE;
	} else if (v->verdict == VERDICT_INCONCLUSIVE || v->verdict == VERDICT_NONE) {
		finding->kind = FINDING_INCONCLUSIVE;
		if (finding->policy->inconclusive == POLICY_FAIL)
			finding->result = FINDING_UNDECIDED;
	}
	add(d, finding);
	return 0;
}

static int decide_alone(struct gate_decider *d, struct finding *finding, struct error *err)
{
	bool appeared = finding->value->verdict == VERDICT_NEW;

	if (finding->value->verdict == VERDICT_LOST) {
		finding->kind = FINDING_LOST;
		if (d->policies->lost_fails)
			finding->result = FINDING_UNUSABLE;
		add(d, finding);
		return 0;
	}
	enum policy_action action = appeared ? finding->policy->appeared : finding->policy->gone;

	finding->kind = appeared ? FINDING_NEW : FINDING_GONE;
	if (finding->value->verdict == VERDICT_RARE)
		finding->kind = FINDING_RARE;
	else if (action == POLICY_FAIL)
		return fail(d, finding, err);
	add(d, finding);
	return 0;
}

static int decide_row(
	struct gate_decider *d, const struct compared_row *row, size_t m, struct error *err)
{
	enum measure_id id = d->comparison->measure[m].id;
	struct finding finding = {.row = row, .value = &row->value[m], .measure = id};

	if (finding.value->small)
		return 0;
	/* A benchmark of other measures. */
	if (d->comparison->benchmarks && !compared_has_value(finding.value))
		for (size_t k = 0; k < d->comparison->measure_count; k++)
			if (compared_has_value(&row->value[k]))
				return 0;
	finding.policy = policies_find(d->policies, row->name, id, err);
	if (!finding.policy)
		return -1;
	if (m == 0 && row->ran_changed && finding.policy->executions == POLICY_FAIL) {
		struct finding ran = finding;

		ran.kind = FINDING_EXECUTIONS;
		if (fail(d, &ran, err) < 0)
			return -1;
	}
	if (finding.value->verdict == VERDICT_LOST ||
		(d->comparison->benchmarks && finding.value->verdict == VERDICT_NEW))
		return m == 0 || (row->base && row->new) ? decide_alone(d, &finding, err) : 0;
	if (row->base && row->new)
		return decide_pair(d, &finding, err);
	return m == 0 ? decide_alone(d, &finding, err) : 0;
}

static int decide_small(struct gate_decider *d, size_t m, struct error *err)
{
	const struct compared_measure *measure = &d->comparison->measure[m];
	struct finding finding = {
		.value = &measure->small, .measure = measure->id, .policy = &d->policies->standard};

	return measure->small_count ? decide_pair(d, &finding, err) : 0;
}

/* Takes a row off a total, run by run. */
static void subtract_row(struct run_row *total, const struct run_row *row)
{
	if (!row)
		return;
	total->lost |= row->lost;
	total->mean -= row->mean;
	for (size_t r = 0; r < total->runs; r++) {
		struct run_value *v = &total->run[r];

		v->value -= row->run[r].value;
		v->scaled = v->value > 0 ? log(v->value) : NAN;
		total->zero |= !(v->value > 0);
	}
}

static bool is_waived(const struct gate_decider *d, const struct finding *f)
{
	return f->result == FINDING_WAIVED && f->row &&
	       f->measure == d->comparison->measure[0].id && f->kind != FINDING_EXECUTIONS;
}

/* Ops run side by side, so that the step need not grow by what an op grows by, nor contain it: what
 * waived rows cost more is taken off the step time of new, at most. */
static void forgive_row(struct run_row *step, const struct compared *waived)
{
	if (!(waived->difference > 0))
		return;
	step->mean -= waived->difference;
	for (size_t r = 0; r < step->runs; r++) {
		struct run_value *v = &step->run[r];

		v->value -= waived->difference;
		v->scaled = v->value > 0 ? log(v->value) : NAN;
		step->zero |= !(v->value > 0);
	}
}

/* The step without the rows that are waived: the waiver of one op is none for all others. */
static const struct compared *unwaived(struct gate_decider *d)
{
	const struct compared_measure *measure = &d->comparison->measure[0];
	const struct compared *step = compared_step(d->comparison);
	const struct compare_options options = compared_step_options(d->comparison, d->compare);
	struct compared *rest = arena_alloc(d->arena, sizeof(*rest));
	struct run_row *base = copy_row(step->base, d->arena);
	struct run_row *new = copy_row(step->new, d->arena);

	for (size_t i = 0; i < d->out->count; i++) {
		const struct finding *f = &d->out->finding[i];

		if (!is_waived(d, f))
			continue;
		if (d->comparison->step_times == STEP_TIMES_DECIDE) {
			forgive_row(new, f->value);
			continue;
		}
		subtract_row(base, f->value->base);
		subtract_row(new, f->value->new);
	}
	*rest = (struct compared){.base = base, .new = new};
	decide_single(rest, &options, measure->id, measure->resolution, d->arena);
	return rest;
}

/* True if nothing is left beside the waived rows. Differences of sums are not exact. */
static bool is_nothing(const struct compared *rest, const struct compared *step)
{
	return fabs(rest->base->mean) <= NOTHING_PART * step->base->mean &&
	       fabs(rest->new->mean) <= NOTHING_PART * step->new->mean;
}

/* The step as a whole, by its own test: many ops that are each undecided add up. */
static void decide_total(struct gate_decider *d)
{
	const struct compared *step = compared_step(d->comparison);
	struct finding finding = {.kind = FINDING_TOTAL,
		.value = step,
		.measure = d->comparison->measure[0].id,
		.policy = &d->policies->standard};
	bool waived = false;

	if (d->comparison->benchmarks || !measure_at(finding.measure)->additive)
		return; /* there is no total */
	if (!has_test(step) && step->evidence != EVIDENCE_EXACT && !lacks_verdict(d, &finding))
		return;
	for (size_t i = 0; i < d->out->count; i++)
		waived |= is_waived(d, &d->out->finding[i]);
	/* Only means add up, so that a part can be taken off. */
	if (waived && d->compare->value.kind == RUN_VALUE_MEAN && !d->compare->value.skip_absent)
		finding.value = unwaived(d);
	if (waived && (finding.value == step || is_nothing(finding.value, step)))
		return;
	if (gate_is_red(d->policies, finding.value))
		finding.result = FINDING_FAILED;
	else if (lacks_verdict(d, &finding) || is_thin(finding.value))
		finding.result = FINDING_UNDECIDED;
	finding.blind = is_blind(d, finding.value);
	/* Beside waived ops it is judged, but not blind: the step itself was looked at. */
	d->out->step_blind = finding.blind && finding.value == step;
	add(d, &finding);
}

/* A further kind of step that both sides have, as the step itself. Nothing else judges its steps:
 * where its own check is blind, all of its time is. Of a kind with few steps in a run, as an
 * initialiser, nobody expects more: it can be red, and is said. */
static void decide_kind(struct gate_decider *d, const struct compared_kind *kind)
{
	struct finding finding = {.kind = FINDING_KIND,
		.value = &kind->value,
		.step_kind = kind,
		.measure = d->comparison->measure[0].id,
		.policy = &d->policies->standard};

	if (!kind->judged) {
		finding.result = FINDING_UNDECIDED;
		if (kind->reason)
			add(d, &finding);
		return;
	}
	if (!has_test(&kind->value) && kind->value.evidence != EVIDENCE_EXACT &&
		!lacks_verdict(d, &finding))
		return;
	finding.blind = is_blind(d, finding.value);
	if (gate_is_red(d->policies, finding.value))
		finding.result = FINDING_FAILED;
	else if (lacks_verdict(d, &finding) || is_thin(finding.value) ||
		 (finding.blind && d->policies->blind_fails &&
			 kind->steps_base >= KIND_STEPS_LEAST &&
			 kind->steps_new >= KIND_STEPS_LEAST))
		finding.result = FINDING_UNDECIDED;
	add(d, &finding);
}

/* Changes that cancel, as a whole; NEW ops in the place of GONE ones where their sum is red. */
static void decide_moved(struct gate_decider *d)
{
	const struct moved_work *moved = &d->comparison->moved;
	struct finding finding = {.kind = FINDING_MOVED,
		.value = &moved->sum,
		.measure = d->comparison->measure[0].id,
		.policy = &d->policies->standard};
	const bool is_replaced = moved->up && !moved->cancels && !d->compare->other_profiler &&
				 !d->compare->map_path;

	if (moved->cancels ? d->policies->moved_fails : gate_is_red(d->policies, &moved->sum))
		finding.result = FINDING_FAILED;
	if (moved->cancels || (is_replaced && finding.result == FINDING_FAILED))
		add(d, &finding);
}

/* A longer warm-up is red when the runs of new need more steps than those of base by their ranks,
 * and the further ones cost more than the margin: with too few runs for such a p it passes, and
 * counts in the step and in the ops. */
static void decide_warmup(struct gate_decider *d)
{
	const struct warmup_change *change = &d->comparison->warmup;
	const struct policy *policy = &d->policies->standard;
	struct finding finding = {.kind = FINDING_WARMUP, .policy = policy};

	if (!change->runs || d->comparison->measure[0].id != MEASURE_TIME)
		return;
	if (change->p <= policy->alpha && !(change->fraction <= policy->margin_frac) &&
		!(change->time_ps <= policy->margin_ps))
		finding.result = FINDING_FAILED;
	add(d, &finding);
}

/* Files and runs that a side lacks. */
static void check_sides(struct gate_decider *d)
{
	const struct policies *p = d->policies;
	const size_t runs[] = {d->comparison->runs_base, d->comparison->runs_new};

	for (size_t side = 0; side < 2; side++) {
		struct finding f = {.result = FINDING_UNUSABLE,
			.issue = d->input->not_whole[side],
			.side = side ? "new" : "base",
			.missing = d->input->missing[side]};

		f.kind = FINDING_NOT_WHOLE;
		if (f.issue && p->allow_loss_frac < 1)
			add(d, &f);
		f.kind = FINDING_RUNS;
		if (p->runs_expected && runs[side] != p->runs_expected)
			add(d, &f);
	}
}

/* Faults of the gate itself. */
static void check_gate(struct gate_decider *d)
{
	struct policies *p = d->policies;

	for (size_t i = 0; i < policies_count(p); i++)
		if (!policies_at(p, i)->matches)
			add(d, &(struct finding){.kind = FINDING_NO_OP,
				       .result = FINDING_UNUSABLE,
				       .policy = policies_at(p, i)});
	for (size_t i = 0; i < policies_waiver_count(p); i++)
		if (waiver_expired(policies_waiver_at(p, i), d->today))
			add(d, &(struct finding){.kind = FINDING_EXPIRED_WAIVER,
				       .result = FINDING_UNUSABLE,
				       .waiver = policies_waiver_at(p, i)});
	if (p->has_baseline_expiry && d->today > p->baseline_expires_day)
		add(d, &(struct finding){.kind = FINDING_EXPIRED_BASE, .result = FINDING_UNUSABLE});
	if (!d->any_pair)
		add(d, &(struct finding){.kind = FINDING_NO_PAIR, .result = FINDING_UNUSABLE});
	if (d->out->rare_share > p->allow_loss_frac)
		add(d, &(struct finding){.kind = FINDING_UNMATCHED, .result = FINDING_UNUSABLE});
	if (d->comparison->new_is_base)
		add(d, &(struct finding){.kind = FINDING_SAME_RUNS, .result = FINDING_UNUSABLE});
	check_sides(d);
	d->out->no_verdict = d->any_noisy && !d->any_tested;
	if (d->out->no_verdict)
		add(d, &(struct finding){.kind = FINDING_FEW_RUNS, .result = FINDING_UNUSABLE});
}

/* True if rows have a share of the step. */
static bool adds_up(const struct comparison *c)
{
	return !c->benchmarks && measure_at(c->measure[0].id)->additive;
}

/* Ops whose names change from run to run have no verdict, and the step hides what becomes of them.
 */
static double rare_share(const struct comparison *c)
{
	const struct compared_measure *first = &c->measure[0];
	double of[2] = {0, 0};

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];

		if (v->verdict != VERDICT_RARE)
			continue;
		of[0] += v->base ? v->base->mean / first->base.total.mean : 0;
		of[1] += v->new ? v->new->mean / first->new.total.mean : 0;
	}
	return fmax(of[0], of[1]);
}

/* Where blindness fails, the blind ops are what a reader of the checks has to see. */
static void fail_blind(struct gate *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct finding *f = &gate->finding[i];

		if (!f->blind || f->result != FINDING_PASSED)
			continue;
		f->result = FINDING_UNDECIDED;
		gate->results[FINDING_PASSED]--;
		gate->results[FINDING_UNDECIDED]++;
	}
}

/* Places in the list: the step, what else is about it, ops that did not pass, other ops. */
static int rank_of(const struct finding *f)
{
	if (f->kind == FINDING_TOTAL)
		return 0;
	if (finding_is_of_step(f))
		return 1;
	return f->result == FINDING_PASSED ? 3 : 2;
}

/* Each rank as it came. */
static void order(struct gate *gate, struct arena *arena)
{
	struct finding *sorted = arena_array(arena, gate->count, sizeof(*sorted));
	size_t n = 0;

	for (int rank = 0; rank < 4; rank++)
		for (size_t i = 0; i < gate->count; i++)
			if (rank_of(&gate->finding[i]) == rank)
				sorted[n++] = gate->finding[i];
	gate->finding = sorted;
}

/* Precedence: 3, 1, 4, 5, 0. */
static int status_of(const struct gate *gate, const struct policies *policies)
{
	if (gate->results[FINDING_UNUSABLE])
		return 3;
	if (gate->results[FINDING_FAILED])
		return 1;
	if (gate->results[FINDING_UNDECIDED] || gate->too_blind)
		return 4;
	return gate->improved && policies->improved_reports ? 5 : 0;
}

int gate_decide(
	const struct gate_input *input, struct arena *arena, struct gate *out, struct error *err)
{
	const struct comparison *comparison = input->comparison;
	struct policies *policies = input->policies;
	struct gate_decider d = {.comparison = comparison,
		.compare = input->compare,
		.policies = policies,
		.today = input->today,
		.input = input,
		.arena = arena,
		.out = out};

	*out = (struct gate){.policies = policies};
	policies_reset_hits(policies);
	d.room = comparison->count * (comparison->measure_count + 1) + comparison->measure_count +
		 policies_count(policies) + policies_waiver_count(policies) +
		 comparison->kind_count + 12;
	out->finding = arena_array(arena, d.room, sizeof(*out->finding));
	for (size_t m = 0; m < comparison->measure_count; m++) {
		for (size_t i = 0; i < comparison->count; i++)
			if (decide_row(&d, &comparison->row[i], m, err) < 0)
				return -1;
		if (decide_small(&d, m, err) < 0)
			return -1;
	}
	decide_total(&d);
	for (size_t i = 0; i < comparison->kind_count; i++)
		decide_kind(&d, &comparison->kind[i]);

	decide_moved(&d);
	decide_warmup(&d);
	const struct comparison *c = d.comparison;
	const struct compared_measure *first = &c->measure[0];
	const double unmatched = fmax(c->unmatched_base, c->unmatched_new);
	double sum = 0;

	/* The op time that no test of an op has looked at. The small ops count among the blind rows
	 * where they are blind together. */
	if (adds_up(c)) {
		if (first->small_count && first->base.total.mean > 0 &&
			!is_blind(&d, &first->small))
			sum = first->small.base_mean / first->base.total.mean;
		d.out->sum_share = sum > GATE_UNTESTED_MUCH ? sum : 0;
		d.out->unmatched_share = unmatched > GATE_UNTESTED_MUCH ? unmatched : 0;
		d.out->rare_share = rare_share(c);
	}
	check_gate(&d);
	if (!adds_up(comparison)) /* rows count alike */
		out->blind_share = d.looked_at ? (double)d.all_blind / (double)d.looked_at : 0;
	out->too_blind =
		policies->blind_fails &&
		(out->step_blind ||
			out->blind_share + out->sum_share + out->unmatched_share > BLIND_MOST);
	if (out->too_blind && !out->no_verdict)
		fail_blind(out);
	order(out, arena);
	out->exit_status = status_of(out, policies);
	return 0;
}

/* A copy of a row of run values that is `factor` times as large. */
static struct run_row *multiplied(const struct run_row *row, double factor, struct arena *arena)
{
	struct run_row *copy = copy_row(row, arena);

	copy->mean *= factor;
	for (size_t r = 0; r < row->runs; r++) {
		struct run_value *v = &copy->run[r];

		v->value *= factor;
		v->mean *= factor;
		v->least *= factor;
		v->most *= factor;
		v->variance *= factor * factor;
		v->scaled += log(factor);
	}
	return copy;
}

static void choose(const struct comparison *c, struct self_test *out)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];
		size_t at = out->count;
		bool logarithms = v->evidence == EVIDENCE_TEST || v->evidence == EVIDENCE_FLOOR ||
				  v->evidence == EVIDENCE_GIVEN;

		if (v->small || !logarithms || !(v->margin > 0) || !isfinite(v->margin))
			continue;
		while (at && out->planted[at - 1].row->value[0].base_mean < v->base_mean) {
			if (at < GATE_PLANTED_MOST)
				out->planted[at] = out->planted[at - 1];
			at--;
		}
		if (at < GATE_PLANTED_MOST)
			out->planted[at].row = &c->row[i];
		if (out->count < GATE_PLANTED_MOST)
			out->count++;
	}
}

int gate_self_test(struct comparison *comparison, const struct compare_options *compare,
	const struct policies *policies, struct arena *arena, struct self_test *out,
	struct error *err)
{
	double total = comparison->measure[0].total.base_mean;

	*out = (struct self_test){0};
	out->planted = arena_array(arena, GATE_PLANTED_MOST, sizeof(*out->planted));
	choose(comparison, out);
	for (size_t i = 0; i < out->count; i++) {
		struct planted *planted = &out->planted[i];
		struct compared *v = &planted->row->value[0];
		const struct run_row *new = v->new;
		double share = !adds_up(comparison) ? 1 / (double)out->count
			       : total > 0	    ? v->base_mean / total
						    : 0;
		struct run_row one = {0};

		const bool higher =
			measure_at(comparison->measure[0].id)->better == DIRECTION_HIGHER;

		/* As far down as up on a scale of ratios. */
		planted->change = higher ? 1 / (1 + 2 * v->margin) - 1 : 2 * v->margin;
		v->new = multiplied(new, (1 + planted->change) * exp(-v->diff), arena);
		if (v->split) {
			one = v->split->one[1];
			v->split->one[1] =
				*multiplied(&one, (1 + planted->change) * exp(-v->diff), arena);
		}
		if (comparison_decide(comparison, compare, err) < 0)
			return -1;
		planted->value = *v;
		planted->red = gate_is_red(policies, v);
		v->new = new;
		if (v->split)
			v->split->one[1] = one;
		out->share += share;
		out->red_share += planted->red ? share : 0;
		out->red += planted->red;
	}
	out->can_fail = out->red && (!policies->blind_fails ||
					    out->share - out->red_share <=
						    (BLIND_MOST + NOTHING_PART) * out->share);
	return comparison_decide(comparison, compare, err);
}
