/* Words for the findings of a gate. */
#include "report/compare/build_gate.h"

#include <math.h>
#include "analysis/compare/comparison.h"
#include "base/day.h"
#include "base/text.h"
#include "model/issue/issue.h"
#include "report/compare/build_compare_words.h"

struct gater {
	struct report *report;
	struct arena *arena;
	const struct comparison *comparison;
	const struct compare_options *compare;
	const struct policies *policies;
	const struct gate *gate;
	const struct build_options *build;
};

static const char *noun(const struct gater *g, size_t count)
{
	return phrase_noun(g->build, count);
}

/* The step, or a further kind of step, by how long it took. */
static bool is_step_time(const struct gater *g, const struct finding *f)
{
	return (f->kind == FINDING_TOTAL || f->kind == FINDING_KIND) &&
	       g->comparison->step_times == STEP_TIMES_DECIDE;
}

static const char *change_text(const struct gater *g, const struct finding *f)
{
	const struct compared *v = f->value;

	return arena_printf(g->arena, "%s%s, %s",
		phrase_pair(g->arena, measure_at(f->measure)->dimension, v->base_mean, v->new_mean),
		is_step_time(g, f) ? " of step time" : "", phrase_change(g->arena, v->change));
}

static const char *not_whole_text(const struct gater *g, const struct finding *f)
{
	const char *result;
	struct text text;

	text_init(&text);
	issue_add_sentence(&text, f->issue);
	result = arena_printf(g->arena,
		"%s: %s: copy or record again; --allow-loss=100%% judges what is left", f->side,
		text_string(&text));
	text_release(&text);
	return result;
}

static const char *expected_runs_text(const struct gater *g, const struct finding *f)
{
	const bool is_new = text_equal(f->side, "new");
	const size_t runs = is_new ? g->comparison->runs_new : g->comparison->runs_base;
	const size_t expected = g->policies->runs_expected;
	const bool named = f->missing && runs < expected;

	return arena_printf(g->arena,
		"%s: %zu run%s, %zu expected%s%s%s: %s, or expect %zu (runs_expected)", f->side,
		runs, runs == 1 ? "" : "s", expected, named ? "; only in " : "",
		named ? (is_new ? "base: " : "new: ") : "", named ? f->missing : "",
		runs < expected ? "record what is missing" : "leave the others out", runs);
}

static const char *evidence_text(const struct gater *g, const struct compared *v)
{
	if (v->evidence == EVIDENCE_EXACT)
		return "exact";
	return arena_printf(g->arena, "q %s", phrase_p(g->arena, v->q));
}

/* Why a waiver does not help, or that it does. */
static const char *waiver_text(const struct gater *g, const struct finding *f)
{
	const struct waiver *w = f->waiver;
	char day[DAY_TEXT_SIZE];

	if (!w)
		return "";
	day_to_text(day, w->expires_day);
	if (f->result == FINDING_WAIVED)
		return arena_printf(
			g->arena, "; waived by %s until %s (%s)", w->owner, day, w->reason);
	if (!isnan(w->ceiling_frac) && f->value && f->value->change > w->ceiling_frac)
		return arena_printf(g->arena, "; the waiver of %s covers up to %s only", w->owner,
			phrase_percent(g->arena, w->ceiling_frac));
	return arena_printf(g->arena, "; the waiver of %s expired after %s", w->owner, day);
}

/* A row that was judged by its verdict. */
static const char *verdict_message(const struct gater *g, const struct finding *f)
{
	const struct compared *v = f->value;

	return arena_printf(g->arena, "%s (%s; margin %s)%s%s", change_text(g, f),
		evidence_text(g, v), phrase_level(g->arena, v->margin), waiver_text(g, f),
		gate_is_moved(g->policies, f) ? "; moved" : "");
}

static const char *moved_message(const struct gater *g, const struct finding *f)
{
	const struct moved_work *moved = &g->comparison->moved;

	return arena_printf(g->arena, "%zu %s %zu %s: %s together (margin %s)", moved->up,
		moved->cancels ? "more and" : "NEW in the place of", moved->down,
		moved->cancels ? "less cancel" : "GONE", change_text(g, f),
		phrase_level(g->arena, f->value->margin));
}

/* Change that ops must be able to show: "twice their margin", or "10 %". */
static const char *must_show(const struct gater *g, const char *whose)
{
	if (!(g->policies->shown_frac > 0))
		return arena_printf(g->arena, "twice %s margin", whose);
	return arena_printf(g->arena, "%s%s", phrase_level(g->arena, g->policies->shown_frac),
		policies_count(g->policies) ? ", or of twice the margin of a policy" : "");
}

static const char *inconclusive_message(const struct gater *g, const struct finding *f)
{
	const struct compared *v = f->value;

	if (v->reason)
		return arena_printf(g->arena, "no verdict: %s", v->reason);
	if (v->unsteady)
		return arena_printf(g->arena,
			"%s: undecided; runs without a steady state cannot be compared",
			change_text(g, f));
	if (isnan(v->detectable))
		return arena_printf(g->arena, "%s: undecided", change_text(g, f));
	return arena_printf(g->arena, "%s: undecided; %s%s would have been seen%s",
		change_text(g, f),
		gate_sees(g->policies, v) > FACTOR_FROM ? "nothing" : "only a change above ",
		gate_sees(g->policies, v) > FACTOR_FROM
			? ""
			: phrase_rough(g->arena, gate_sees(g->policies, v)),
		!f->blind ? ""
		: gate_must_show(g->policies, v) > 2 * v->margin
			? arena_printf(g->arena, ", more than %s",
				  phrase_level(g->arena, gate_must_show(g->policies, v)))
			: arena_printf(g->arena, ", more than twice the margin of %s",
				  phrase_level(g->arena, v->margin)));
}

/* "1 of 24 steps of new". */
static const char *unknown_side(const struct gater *g, const struct run_row *row, const char *side)
{
	return arena_printf(g->arena, "%zu of %zu steps of %s", row->unknown, row->steps, side);
}

/* Why there was no test, with what is not known of either side. */
static const char *no_verdict_message(const struct gater *g, const struct finding *f)
{
	const struct compared *v = f->value;
	bool thin = v->base->thin || v->new->thin;
	const char *part[2], *reason = v->reason ? v->reason
				       : thin	 ? "too few of the steps of a run are known"
						 : "nothing could be tested";
	size_t n = 0;

	if (v->base->unknown)
		part[n++] = unknown_side(g, v->base, "base");
	if (v->new->unknown)
		part[n++] = unknown_side(g, v->new, "new");
	if (!n)
		return arena_printf(g->arena, "no verdict: %s", reason);
	return arena_printf(g->arena, "no verdict: %s; values are not known in %s", reason,
		phrase_list(g->arena, part, n));
}

static const char *runs_message(const struct gater *g, const struct finding *f)
{
	size_t base = g->comparison->runs_base, new = g->comparison->runs_new;

	/* Benchmarks are no parts of a step. */
	const struct compared *step = g->compare->benchmarks && g->comparison->count
					      ? &g->comparison->row[0].value[0]
					      : compared_step(g->comparison);

	if (!f->row && !f->value && base > 1 && new > 1 && step->evidence == EVIDENCE_NONE &&
		step->reason)
		return arena_printf(g->arena, "no verdict is possible: %s", step->reason);
	if (!f->row && !f->value)
		return arena_printf(g->arena,
			"no verdict is possible from %zu run%s of base and %zu of new: %s", base,
			base == 1 ? "" : "s", new, phrase_more_runs(g->arena, g->compare));
	if (f->value->evidence == EVIDENCE_ONE_RUN)
		return "no verdict: one run on a side";
	return arena_printf(g->arena,
		"no verdict: %zu run%s of base and %zu of new, the policy asks for %zu a side",
		base, base == 1 ? "" : "s", new, f->policy->min_runs);
}

static const char *unmatched_message(const struct gater *g)
{
	return arena_printf(g->arena,
		"%s of the op time is in %s of one side that ran in few runs: names that change "
		"from run to run are not compared; give them one name (--rename), or judge what "
		"is left (--allow-loss=%.0f%%)",
		phrase_percent(g->arena, g->gate->rare_share), noun(g, 2),
		ceil(100 * g->gate->rare_share));
}

/* "ran 97/97 -> 49/97", "1 -> 2 executions per step". */
static const char *ran_text(const struct gater *g, const struct compared_row *row)
{
	const struct run_row *base = row->value[0].base, *new = row->value[0].new;

	if (base->ran != base->steps || new->ran != new->steps)
		return arena_printf(g->arena, "ran in %zu of %zu -> %zu of %zu steps", base->ran,
			base->steps, new->ran, new->steps);
	return arena_printf(g->arena, "%.6g -> %.6g executions per step", row->executions_base,
		row->executions_new);
}

/* "5 of 5 runs of new need 8 steps to warm up, base at most 0: +53.3 % of a step (p 0.004; margin
 * 2 %)". */
static const char *warmup_message(const struct gater *g)
{
	const struct warmup_change *change = &g->comparison->warmup;
	const char *steps = arena_printf(g->arena, "%zu", change->least);

	if (change->least < change->most)
		steps = arena_printf(g->arena, "%zu to %zu", change->least, change->most);
	return arena_printf(g->arena,
		"%zu of %zu run%s of new need%s %s step%s to warm up, base at most %zu: %s of a "
		"step (p %s; margin %s)",
		change->runs, g->comparison->runs_new, g->comparison->runs_new == 1 ? "" : "s",
		change->runs == 1 ? "s" : "", steps, change->most == 1 ? "" : "s", change->left_out,
		phrase_change(g->arena, change->fraction), phrase_p(g->arena, change->p),
		phrase_level(g->arena, g->policies->standard.margin_frac));
}

/* Passed because nothing asks for a verdict, not because of one. */
static bool is_skipped(const struct finding *f)
{
	if (f->result != FINDING_PASSED || !f->value)
		return false;
	if (f->kind == FINDING_FEW_RUNS || f->blind)
		return true;
	if (!f->value->base || !f->value->new)
		return false;
	return f->value->verdict == VERDICT_NONE || f->value->unsteady;
}

static const char *message_of(const struct gater *g, const struct finding *f)
{
	char day[DAY_TEXT_SIZE];

	switch (f->kind) {
	case FINDING_TOTAL:
	case FINDING_KIND:
		if (f->step_kind && f->step_kind->reason)
			return arena_printf(g->arena, "no verdict: %s", f->step_kind->reason);
		if (is_skipped(f) || (f->blind && f->value->verdict == VERDICT_INCONCLUSIVE))
			return inconclusive_message(g, f);
		if (f->result == FINDING_UNDECIDED)
			return no_verdict_message(g, f);
		return verdict_message(g, f);
	case FINDING_VERDICT:
		return verdict_message(g, f);
	case FINDING_UNJUDGED:
	case FINDING_THIN:
		return no_verdict_message(g, f);
	case FINDING_WARMUP:
		return warmup_message(g);
	case FINDING_MOVED:
		return moved_message(g, f);
	case FINDING_INCONCLUSIVE:
		return inconclusive_message(g, f);
	case FINDING_NEW:
		return arena_printf(g->arena, "only in new%s", waiver_text(g, f));
	case FINDING_GONE:
		return arena_printf(g->arena, "only in base%s", waiver_text(g, f));
	case FINDING_LOST:
		return "measured in base, in no run of new (--lost=pass)";
	case FINDING_RARE:
		return arena_printf(g->arena, "only in %s, and rare: %s",
			f->value->base ? "base" : "new", phrase_presence(g->arena, f->value));
	case FINDING_EXECUTIONS:
		return arena_printf(g->arena, "%s%s", ran_text(g, f->row), waiver_text(g, f));
	case FINDING_FEW_RUNS:
		return runs_message(g, f);
	case FINDING_NO_PAIR:
		return arena_printf(g->arena,
			"no %s is on both sides: nothing could be compared (--match=nearest pairs "
			"names that differ a little, --match=type+shape ops of equal type and "
			"shape)",
			noun(g, 1));
	case FINDING_UNMATCHED:
		return unmatched_message(g);
	case FINDING_SAME_RUNS:
		return "every run of new has the values of a run of base, step by step: the same "
		       "files on both sides?";
	case FINDING_NOT_WHOLE:
		return not_whole_text(g, f);
	case FINDING_RUNS:
		return expected_runs_text(g, f);
	case FINDING_NO_OP:
		return arena_printf(g->arena, "the policy (%s) fits no %s: it watches nothing",
			f->policy->place, noun(g, 1));
	case FINDING_EXPIRED_WAIVER:
		return arena_printf(g->arena, "the waiver of %s (%s) expired after %s (%s)",
			f->waiver->owner, f->waiver->place,
			day_to_text(day, f->waiver->expires_day), f->waiver->reason);
	case FINDING_EXPIRED_BASE:
		return arena_printf(g->arena, "the base expired after %s: record it again",
			day_to_text(day, g->policies->baseline_expires_day));
	}
	return "";
}

static const char *policy_name(const struct gater *g, const struct finding *f)
{
	switch (f->kind) {
	case FINDING_EXPIRED_WAIVER:
		return "waivers";
	case FINDING_EXPIRED_BASE:
		return "base";
	case FINDING_NO_PAIR:
	case FINDING_UNMATCHED:
	case FINDING_SAME_RUNS:
		return "base and new";
	case FINDING_NOT_WHOLE:
	case FINDING_RUNS:
		return f->side;
	default:
		return f->policy && f->policy != &g->policies->standard ? f->policy->name
		       : g->comparison->benchmarks			? "all benchmarks"
									: "all ops";
	}
}

static const char *subject_of(const struct gater *g, const struct finding *f)
{
	if (f->row)
		return f->row->name;
	if (f->kind == FINDING_WARMUP)
		return "[warm-up]";
	if (f->kind == FINDING_MOVED)
		return g->comparison->moved.cancels ? "[moved work]" : "[replaced ops]";
	if (f->kind == FINDING_KIND)
		return arena_printf(g->arena, "[the step], kind %s", f->step_kind->word);
	if (!f->value)
		return NULL;
	if (f->kind == FINDING_TOTAL)
		return f->value == compared_step(g->comparison) ? "[the step]"
								: "[the step without waived ops]";
	for (size_t m = 0; m < g->comparison->measure_count; m++)
		if (g->comparison->measure[m].id == f->measure)
			return arena_printf(
				g->arena, "[%zu small ops]", g->comparison->measure[m].small_count);
	return NULL;
}

static const char *finding_verdict(const struct finding *f)
{
	switch (f->kind) {
	case FINDING_EXECUTIONS:
		return "RAN";
	case FINDING_NEW:
		return "NEW";
	case FINDING_GONE:
		return "GONE";
	case FINDING_LOST:
		return "LOST";
	case FINDING_RARE:
		return "RARE";
	case FINDING_WARMUP:
		return f->result == FINDING_FAILED ? "REGRESSED" : NULL;
	case FINDING_MOVED:
		if (f->value->verdict == VERDICT_SAME)
			return "MOVED";
		/* fall through */
	case FINDING_TOTAL:
	case FINDING_KIND:
	case FINDING_VERDICT:
	case FINDING_INCONCLUSIVE:
		if (f->blind)
			return "BLIND";
		return f->value->verdict == VERDICT_NONE
			       ? NULL
			       : verdict_word(f->value->verdict,
					 verdict_dimension(measure_at(f->measure)));
	default:
		return NULL;
	}
}

static enum check_status status_of(const struct finding *f)
{
	static const enum check_status status[] = {
		[FINDING_PASSED] = CHECK_PASSED,
		[FINDING_FAILED] = CHECK_FAILED,
		[FINDING_UNDECIDED] = CHECK_UNDECIDED,
		[FINDING_WAIVED] = CHECK_WAIVED,
		[FINDING_UNUSABLE] = CHECK_UNUSABLE,
	};

	return is_skipped(f) ? CHECK_SKIPPED : status[f->result];
}

/* Checks of a policy together, the step before the ops: JUnit has a suite for each. */
static void add_checks(const struct gater *g)
{
	size_t count = g->gate->count;
	bool *added = arena_array(g->arena, count, sizeof(*added));

	for (size_t first = 0; first < count; first++) {
		const char *policy = policy_name(g, &g->gate->finding[first]);

		if (added[first])
			continue;
		for (int of_ops = 0; of_ops < 2; of_ops++)
			for (size_t i = first; i < count; i++) {
				const struct finding *f = &g->gate->finding[i];

				if (added[i] || finding_is_of_step(f) == of_ops ||
					!text_equal(policy_name(g, f), policy))
					continue;
				added[i] = true;

				bool of_measure = f->row || f->value;

				report_check(g->report,
					&(struct check){.name = policy_name(g, f),
						.subject = subject_of(g, f),
						.measure = of_measure ? measure_at(f->measure)->name
								      : NULL,
						.status = status_of(f),
						.verdict = finding_verdict(f),
						.is_blind = f->blind,
						.of_step = finding_is_of_step(f)},
					"%s", message_of(g, f));
			}
	}
}

static void count(struct text *out, size_t n, const char *one, const char *many)
{
	if (n)
		text_printf(out, "%s%zu %s", out->size ? ", " : "", n, n == 1 ? one : many);
}

static void count_rows(
	const struct gater *g, struct text *out, size_t n, const char *one, const char *many)
{
	count(out, n, arena_printf(g->arena, "%s %s", noun(g, 1), one),
		arena_printf(g->arena, "%s %s", noun(g, 2), many));
}

/* An op with a finding in two measures is one op: has it been seen with this kind? seen: for each
 * row of the comparison, a bit per kind. */
static bool seen_before(const struct gater *g, const struct finding *f, uint32_t *seen)
{
	uint32_t bit = UINT32_C(1) << f->kind, *of_row;
	bool before;

	if (!f->row)
		return false;
	of_row = &seen[f->row - g->comparison->row];
	before = *of_row & bit;
	*of_row |= bit;
	return before;
}

/* Bytes and counts, and what nobody knows the better direction of, take more. */
static bool is_of_bytes(enum measure_id id)
{
	const enum dimension dimension = verdict_dimension(measure_at(id));

	return dimension != DIMENSION_TIME &&
	       (dimension <= DIMENSION_FRACTION || !dimension_is_judged(dimension));
}

/* "2 ops REGRESSED, 1 op NEW" over what failed. */
static const char *failures(const struct gater *g)
{
	uint32_t *seen = arena_array(g->arena, g->comparison->count + 1, sizeof(*seen));
	const struct measure *step = measure_at(g->comparison->measure[0].id);
	size_t n[FINDING_EXPIRED_BASE + 1] = {0}, slower = 0, more = 0;
	struct text text;
	const char *words;

	text_init(&text);
	for (size_t i = 0; i < g->gate->count; i++) {
		const struct finding *f = &g->gate->finding[i];

		if (f->result != FINDING_FAILED || seen_before(g, f, seen))
			continue;
		if (f->kind == FINDING_VERDICT && is_of_bytes(f->measure))
			more++;
		else if (f->kind == FINDING_VERDICT && f->value->verdict == VERDICT_SLOWER)
			slower++;
		else
			n[f->kind]++;
	}
	if (n[FINDING_TOTAL])
		text_add(&text, is_of_bytes(step->id)			    ? "the step takes more"
				: verdict_dimension(step) == DIMENSION_TIME ? "the step got slower"
									    : "the step got worse");
	count(&text, n[FINDING_KIND], "other kind of step got slower",
		"other kinds of step got slower");
	if (n[FINDING_WARMUP])
		text_printf(&text, "%sthe warm-up got longer", text.size ? ", " : "");
	if (n[FINDING_MOVED])
		text_printf(&text,
			g->comparison->moved.cancels
				? "%swork moved between %s"
				: "%sNEW %s cost more than the GONE ones that they replace",
			text.size ? ", " : "", noun(g, 2));
	count_rows(g, &text, n[FINDING_VERDICT], "REGRESSED", "REGRESSED");
	count_rows(g, &text, slower, "SLOWER", "SLOWER");
	count_rows(g, &text, more, "takes MORE", "take MORE");
	count_rows(g, &text, n[FINDING_NEW], "NEW", "NEW");
	count_rows(g, &text, n[FINDING_GONE], "GONE", "GONE");
	count_rows(
		g, &text, n[FINDING_EXECUTIONS], "with other executions", "with other executions");
	words = arena_strdup(g->arena, text_string(&text));
	text_release(&text);
	return words;
}

/* "b is LOST: ...", "b and 2 more are LOST: ..." of rows of one kind; what is of no row has no
 * name. */
static const char *first_unusable(const struct gater *g)
{
	const struct finding *first = NULL;
	uint32_t *seen = arena_array(g->arena, g->comparison->count + 1, sizeof(*seen));
	size_t rows = 0;

	for (size_t i = 0; i < g->gate->count; i++) {
		const struct finding *f = &g->gate->finding[i];

		if (f->result != FINDING_UNUSABLE)
			continue;
		first = first ? first : f;
		rows += f->kind == first->kind && !seen_before(g, f, seen);
	}
	if (!first || !first->row)
		return first ? message_of(g, first) : "";
	return arena_printf(g->arena, "%s%s%s: %s", phrase_visible(g->arena, first->row->name),
		rows > 1 ? arena_printf(g->arena, " and %zu more", rows - 1) : "",
		first->kind != FINDING_LOST ? ""
		: rows > 1		    ? " are LOST"
					    : " is LOST",
		message_of(g, first));
}

static const char *whole_words(const struct gater *g)
{
	return g->comparison->benchmarks ? "the rows" : "the op time";
}

/* Counts those of one kind. */
static size_t count_undecided(const struct gater *g, enum finding_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < g->gate->count; i++)
		n += g->gate->finding[i].result == FINDING_UNDECIDED &&
		     g->gate->finding[i].kind == kind;
	return n;
}

/* The step was tested, by steps that are too few. */
static bool is_step_thin(const struct gater *g)
{
	for (size_t i = 0; i < g->gate->count; i++) {
		const struct finding *f = &g->gate->finding[i];

		if (f->kind == FINDING_TOTAL && f->result == FINDING_UNDECIDED)
			return !f->value->reason;
	}
	return false;
}

/* ", the step and 2 ops could not be tested": a phrase after others. */
static void add_undecided(const struct gater *g, struct text *out, bool step, size_t ops,
	const char *one, const char *many)
{
	if (!step && !ops)
		return;
	text_add(out, out->size ? ", " : "");
	if (step)
		text_add(out, "the step");
	if (ops)
		text_printf(out, "%s%zu %s", step ? " and " : "", ops, noun(g, ops));
	text_printf(out, " %s", step + ops == 1 ? one : many);
}

/* "the step and 2 ops could not be tested, 1 op that must have a verdict has none". */
static const char *undecided(const struct gater *g)
{
	size_t step = count_undecided(g, FINDING_TOTAL), kinds = count_undecided(g, FINDING_KIND),
	       ops = count_undecided(g, FINDING_UNJUDGED);
	size_t thin = count_undecided(g, FINDING_THIN);
	size_t wanted = g->gate->results[FINDING_UNDECIDED] - step - kinds - ops - thin;
	bool few = is_step_thin(g);
	struct text text;
	const char *words;

	text_init(&text);
	add_undecided(g, &text, step && !few, ops, "could not be tested", "could not be tested");
	add_undecided(g, &text, step && few, thin, "is known in too few steps of a run",
		"are known in too few steps of a run");
	count(&text, kinds, "other kind of step could not be judged",
		"other kinds of step could not be judged");
	if (wanted)
		text_printf(&text, "%s%zu %s that must have a verdict %s none",
			text.size ? ", " : "", wanted, noun(g, wanted),
			wanted == 1 ? "has" : "have");
	words = arena_strdup(g->arena, text_string(&text));
	text_release(&text);
	return words;
}

/* "; 1 waived". */
static const char *waived(const struct gater *g)
{
	size_t n = g->gate->results[FINDING_WAIVED];

	return n ? arena_printf(g->arena, "; %zu waived", n) : "";
}

/* The comparison says to compare medians next. */
static bool next_is_medians(const struct gater *g)
{
	const struct report *report = g->report;

	return report->next && strstr(report->answer[report->next - 1], "--run-value=median");
}

static const char *outliers_first(const struct gater *g)
{
	return g->gate->outliers && !next_is_medians(g)
		       ? "outlier steps make most of the spread of the runs: try "
			 "--run-value=median; else "
		       : "";
}

/* Advice as in the plan of the answer. */
static const char *blind_remedy(const struct gater *g)
{
	const struct compared_measure *first = &g->comparison->measure[0];
	const double margin = g->compare->rule.margin_relative;

	if (compare_odd_decides(g->comparison))
		return "see what is odd among the runs";
	if (next_is_medians(g))
		return "compare medians (--run-value=median)";
	return margin > 0 && first->open_sd_run > 0 && !isnan(first->limit_p) &&
			       !run_plan_open(first, g->compare->method, margin).runs
		       ? "measure on a quieter machine"
		       : "record more runs";
}

/* Some row would be red but for the work that moved. */
static bool is_moved_red(const struct gater *g)
{
	for (size_t i = 0; i < g->gate->count; i++)
		if (gate_is_moved(g->policies, &g->gate->finding[i]) &&
			gate_is_red(g->policies, g->gate->finding[i].value))
			return true;
	return false;
}

/* Green where the step was judged; else it only passed. */
static void add_passed(const struct gater *g)
{
	const struct compared *step = compared_step(g->comparison);
	const bool open = step->verdict == VERDICT_INCONCLUSIVE &&
			  gate_is_blind(g->comparison, g->policies, step);

	report_result(g->report, 0, "%s: %s %s REGRESSED%s%s%s", open ? "passed" : "green",
		is_moved_red(g)
			? arena_printf(g->arena, "work moved between %s, no other", noun(g, 2))
			: "no",
		noun(g, 1),
		g->policies->fail_on == FAIL_ON_SLOWER ? " or is SLOWER by more than its margin"
						       : "",
		open ? "; the step is undecided" : "", waived(g));
}

static void add_result(const struct gater *g)
{
	const struct gate *gate = g->gate;
	int status = gate->exit_status;

	switch (status) {
	case 1:
		report_result(g->report, status, "red: %s%s", failures(g), waived(g));
		break;
	case 3:
		report_result(g->report, status, "unusable: %s%s%s", first_unusable(g),
			gate->results[FINDING_FAILED] ? "; besides " : "", failures(g));
		break;
	case 4:
		if (gate->step_blind && gate->too_blind)
			report_result(g->report, status,
				"blind: the step could not have shown a change of %s; %s%s, or "
				"widen the margin (--blind=pass lets it pass)",
				must_show(g, "its"), outliers_first(g), blind_remedy(g));
		else if (gate->too_blind)
			report_result(g->report, status,
				"blind: %s with %s of %s could not have shown a change "
				"of %s; %s%s, or widen the margin (--blind=pass lets it pass)",
				noun(g, 2),
				phrase_percent(g->arena, gate->blind_share + gate->sum_share +
								 gate->unmatched_share),
				whole_words(g), must_show(g, "their"), outliers_first(g),
				blind_remedy(g));
		else
			report_result(g->report, status, "undecided: %s", undecided(g));
		break;
	case 5:
		report_result(g->report, status, "improved: %zu %s, nothing is red", gate->improved,
			noun(g, gate->improved));
		break;
	default:
		add_passed(g);
	}
}

static void add_part(struct text *out, const char *part)
{
	text_printf(out, "%s%s", out->size ? "; " : "", part);
}

/* All that could not have gone red, in one line. */
static void note_blind(const struct gater *g)
{
	const struct gate *gate = g->gate;
	const struct compared_measure *first = &g->comparison->measure[0];
	struct text text;

	text_init(&text);
	if (gate->step_blind || gate->blind)
		text_printf(&text, "%s%s%s could not have shown a change of %s",
			gate->step_blind ? "the step" : "",
			gate->step_blind && gate->blind ? " and " : "",
			gate->blind ? arena_printf(g->arena, "%zu %s with %s of %s", gate->blind,
					      noun(g, gate->blind),
					      phrase_percent(g->arena, gate->blind_share),
					      whole_words(g))
				    : "",
			must_show(g, gate->step_blind + gate->blind == 1 ? "its" : "their"));
	if (gate->sum_share > 0)
		add_part(
			&text, arena_printf(g->arena,
				       "%s of the op time is in %zu small %s, tested only as a sum",
				       phrase_percent(g->arena, gate->sum_share),
				       first->small_count, noun(g, first->small_count)));
	if (gate->unmatched_share > 0)
		add_part(&text,
			arena_printf(g->arena, "%s is in %s that one side does not have",
				phrase_percent(g->arena, gate->unmatched_share), noun(g, 2)));
	if (text.size)
		report_note(g->report, "!",
			gate->step_blind || gate->blind ? "--blind"
			: gate->sum_share > 0		? "--min-share"
							: NULL,
			"BLIND: %s", text_string(&text));
	text_release(&text);
}

void build_gate(struct report *report, const struct comparison *comparison,
	const struct compare_options *compare, const struct policies *policies,
	const struct gate *gate, const struct build_options *build)
{
	struct gater g = {report, report->arena, comparison, compare, policies, gate, build};
	const size_t first = report->note_count;

	build_gate_result(report, comparison, compare, policies, gate, build);
	for (size_t i = 0; i < policies_waiver_count(g.policies); i++) {
		const struct waiver *w = policies_waiver_at(g.policies, i);

		if (!w->hits)
			report_note(g.report, NULL, NULL, "the waiver of %s (%s) was not needed",
				w->owner, w->place);
	}
	note_blind(&g);
	compare_trim_notes(report, comparison, first);
}

void build_gate_result(struct report *report, const struct comparison *comparison,
	const struct compare_options *compare, const struct policies *policies,
	const struct gate *gate, const struct build_options *build)
{
	struct gater g = {report, report->arena, comparison, compare, policies, gate, build};

	add_checks(&g);
	add_result(&g);
}
