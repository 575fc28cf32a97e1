/* Heading and answer of a comparison; the tables and the notes are build_compare_*.c. */
#include "report/compare/build_compare.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include "analysis/gate/findings.h"
#include "base/day.h"
#include "base/names/short_names.h"
#include "base/text.h"
#include "report/build_tables.h"
#include "report/compare/build_compare_words.h"

#define HEADING_WIDE 120 /* columns: both sides and the rules on one line up to here */
#define GAP "     "
#define COMMIT_WHOLE 40 /* digits of a commit of git, of which 12 are shown */

static const char *describe_side(const struct compare_builder *b, const struct compare_side *side)
{
	const char *models = describe_models(arena_of(b), side->run.self);
	const size_t rows = side->run.grouping->count;

	return arena_printf(arena_of(b), "%s: %s%s%s%s%s", phrase_visible(arena_of(b), side->label),
		describe_steps(arena_of(b), side->run.cube, side->run.steps),
		!b->comparison->benchmarks
			? ""
			: arena_printf(arena_of(b), ", %zu %s", rows, phrase_noun(b->build, rows)),
		models ? ", " : "", models ? models : "", compare_describe_profiler(b, side));
}

/* "margin 2 %", with all margins that a change must exceed. */
static const char *describe_margin(const struct compare_builder *b)
{
	const struct compare_rule *rule = &b->opt->rule;
	struct arena *arena = arena_of(b);
	const double absolute = compare_margin_absolute(b->opt, b->comparison->measure[0].id);
	const char *part[3], *all;
	size_t n = 0;

	if (b->opt->rule_of)
		return "margins by policy";
	if (rule->margin_relative > 0 || isnan(absolute))
		part[n++] = phrase_level(arena, rule->margin_relative);
	if (!isnan(absolute))
		part[n++] = phrase_exact(arena, compare_measure_of(b, 0)->dimension, absolute);
	if (!isnan(rule->margin_share))
		part[n++] = arena_printf(
			arena, "%s of the step", phrase_level(arena, rule->margin_share));
	if (!n)
		return "no margin";
	all = phrase_list(arena, part, n);
	return arena_printf(arena, "margin %s", all);
}

static const char *describe_rules(const struct compare_builder *b)
{
	static const char *const value[] = {
		[RUN_VALUE_MEAN] = "",
		[RUN_VALUE_GEOMEAN] = ", geometric means of the steps",
		[RUN_VALUE_MEDIAN] = ", medians of the steps",
		[RUN_VALUE_TRIMMED] = ", trimmed means of the steps",
		[RUN_VALUE_P90] = ", 90th percentiles of the steps",
		[RUN_VALUE_P99] = ", 99th percentiles of the steps",
	};
	const char *alpha = phrase_level(arena_of(b), b->opt->rule.alpha);
	const char *errors = arena_printf(arena_of(b), "false discoveries %s%s", alpha,
		b->opt->adjust == MULTIPLE_BY ? " under any dependence" : "");

	if (b->opt->adjust == MULTIPLE_HOLM)
		errors = arena_printf(arena_of(b), "any false alarm %s (Holm)", alpha);
	return arena_printf(arena_of(b), "%s, %s%s%s%s%s", describe_margin(b), errors,
		b->opt->method == METHOD_MODERATED ? "" : ", ",
		b->opt->method == METHOD_MODERATED ? "" : method_phrase(b->opt),
		value[b->opt->value.kind], b->opt->normalize ? ", common shift removed" : "");
}

/* The first day of a side; "": it is not known. */
static const char *describe_day(const struct compare_builder *b, const struct cube *self)
{
	int64_t first = INT64_MAX;
	char text[DAY_TEXT_SIZE];
	int32_t day;

	for (size_t s = 0; s < self->step_count; s++)
		if (self->step[s].base_ns >= NS_YEAR_2000 && self->step[s].base_ns < first)
			first = self->step[s].base_ns;
	if (first == INT64_MAX || !day_from_seconds(first / 1000000000, &day))
		return "";
	return arena_strdup(arena_of(b), day_to_text(text, day));
}

/* "commit 45a62e738a6d, machine ci-1, 2026-11-27": what the files of a side say; "": nothing that
 * tells versions apart. */
static const char *describe_recording(const struct compare_builder *b, const struct cube *self)
{
	const char *commit = describe_fact(arena_of(b), self, FACT_COMMIT);
	const char *machine = describe_fact(arena_of(b), self, FACT_MACHINE);
	const char *day = describe_day(b, self), *what = "machine ";

	if (!commit && !machine && !b->comparison->benchmarks)
		return "";
	if (!machine) {
		machine = describe_fact(arena_of(b), self, FACT_HOST);
		what = "host ";
	}
	return arena_printf(arena_of(b), "%s%.*s%s%s%s%s%s", commit ? "commit " : "",
		commit && strlen(commit) == COMMIT_WHOLE ? 12 : INT_MAX, commit ? commit : "",
		commit && machine ? ", " : "", machine ? what : "", machine ? machine : "",
		(commit || machine) && *day ? ", " : "", day);
}

static void add_recording(struct compare_builder *b)
{
	const char *base = describe_recording(b, b->base->run.self),
		   *new = describe_recording(b, b->new->run.self);

	if (text_equal(base, new) && *base)
		report_heading(b->report, "recorded: %s", base);
	else if (*base || *new)
		report_heading(b->report, "recorded: base %s; new %s", *base ? base : "unknown",
			*new ? new : "unknown");
}

static void add_heading(struct compare_builder *b)
{
	const char *base = describe_side(b, b->base), *new = describe_side(b, b->new);
	const char *rules = describe_rules(b);
	const char *line = arena_printf(arena_of(b), "%s" GAP "%s" GAP "%s", base, new, rules);

	/* Equal labels ("8 inputs") need the words that tell the sides apart. */
	if (!b->build->several && text_width(line) <= HEADING_WIDE &&
		!text_equal(b->base->label, b->new->label)) {
		report_heading(b->report, "%s", line);
		return;
	}
	report_heading(b->report, "base  %s", base);
	report_heading(b->report, "new   %s", new);
	b->report->side_count = b->report->heading_count;
	report_heading(b->report, "%s", rules);
}

/* ---- the first sentence ---- */

/* True if there is a change beside that of the step which the first sentence must not deny. */
static bool is_changed_within(const struct compare_builder *b)
{
	const size_t *rows = b->comparison->measure[0].verdicts;

	return (b->gate && b->gate->exit_status == 1) || rows[VERDICT_REGRESSED] ||
	       rows[VERDICT_IMPROVED];
}

static const char *claim_same(const struct compare_builder *b, const struct compared *total)
{
	const char *margin = phrase_level(arena_of(b), total->margin);

	if (is_changed_within(b))
		return arena_printf(arena_of(b), "The step as a whole stays within %s", margin);
	if (total->evidence == EVIDENCE_EXACT && total->difference == 0)
		return "new is exactly the SAME";
	return arena_printf(arena_of(b), "new is the SAME within %s%s", margin,
		total->flagged ? " (changed, but by less)" : "");
}

/* Nothing is blind here: a change of twice the margin would have been seen. */
static const char *claim_open(const struct compare_builder *b, const struct compared *total)
{
	bool is_time = compare_measure_of(b, 0)->dimension == DIMENSION_TIME;

	if (b->gate && b->gate->exit_status == 1)
		return "The step as a whole is undecided";
	if (!gate_is_blind(b->comparison, b->gate ? b->gate->policies : NULL, total))
		return "No change is shown";
	return is_time ? "Cannot tell whether new is slower or faster"
		       : "Cannot tell whether new takes more or less";
}

/* "new is SLOWER", "new takes MORE", "new is WORSE". */
static const char *claim(const struct compare_builder *b, const struct compared *total)
{
	const enum dimension dimension = verdict_dimension(compare_measure_of(b, 0));
	struct arena *arena = arena_of(b);
	enum verdict verdict = total->verdict;
	const char *size = "", *word;

	if ((verdict == VERDICT_SLOWER || verdict == VERDICT_FASTER) && total->margin > 0 &&
		isfinite(total->margin))
		size = arena_printf(
			arena, ", perhaps by less than %s", phrase_level(arena, total->margin));
	switch (verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_SLOWER:
	case VERDICT_IMPROVED:
	case VERDICT_FASTER:
		word = verdict_word(verdict == VERDICT_REGRESSED  ? VERDICT_SLOWER
				    : verdict == VERDICT_IMPROVED ? VERDICT_FASTER
								  : verdict,
			dimension);
		return arena_printf(arena, "new %s %s%s",
			text_equal(word, "MORE") || text_equal(word, "LESS") ? "takes" : "is", word,
			size);
	case VERDICT_SAME:
		return claim_same(b, total);
	case VERDICT_INCONCLUSIVE:
		return claim_open(b, total);
	default:
		return NULL;
	}
}

/* Answers "Wall time, from first start to last end: +3.6 % [+2.2, +5.0].", where the step is judged
 * by its op time. */
static void answer_wall(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const struct compared *wall = &c->step_time;
	/* Beside a total whose spread is given, an interval from the steps alone would mislead. */
	const bool bounded =
		c->measure[0].total.evidence != EVIDENCE_GIVEN || wall->evidence == EVIDENCE_GIVEN;

	if (c->step_times != STEP_TIMES_BESIDE || c->step_time_kind != STEP_TIME_SPAN ||
		compare_measure_of(b, 0)->dimension != DIMENSION_TIME || isnan(wall->change) ||
		c->new_is_base || c->benchmarks)
		return;
	report_answer(b->report, "Wall time, from first start to last end: %s.",
		phrase_change_within(
			arena_of(b), wall->change, bounded ? wall->low : NAN, wall->high));
}

/* "41.82 -> 43.62 ms of op time per step". */
static const char *describe_op_time(const struct compare_builder *b, const struct compared *total)
{
	const struct measure *measure = compare_measure_of(b, 0);
	const char *what = measure->id == MEASURE_TIME ? "op time" : measure->name;

	return arena_printf(arena_of(b), "%s of %s%s%s",
		phrase_pair(arena_of(b), measure->dimension, total->base_mean, total->new_mean),
		b->opt->value.of_selected ? "selected " : "", what,
		measure->kind == MEASURE_STATIC ? "" : " per step");
}

/* "a step took 22.10 ms and takes 23.04 ms, +4.3 % [+3.1, +5.5]". */
static const char *describe_total(const struct compare_builder *b, const struct compared *total)
{
	struct arena *arena = arena_of(b);
	const bool exact = total->evidence == EVIDENCE_EXACT;
	const char *values = describe_op_time(b, total);

	if (b->comparison->step_times == STEP_TIMES_DECIDE)
		values = arena_printf(arena, "a step took %s and takes %s%s%s",
			phrase_quantity(arena, DIMENSION_TIME, total->base_mean),
			phrase_quantity(arena, DIMENSION_TIME, total->new_mean),
			step_time_phrase(b->new->run.self),
			b->new->ranks ? " on the slowest rank" : "");
	return arena_printf(arena, "%s, %s", values,
		phrase_change_within(arena, total->change, exact ? NAN : total->low, total->high));
}

static bool is_one_to_one(const struct compare_builder *b)
{
	return b->comparison->runs_base < 2 && b->comparison->runs_new < 2;
}

static void answer_total(struct compare_builder *b)
{
	const struct compared *total = compared_step(b->comparison);
	const char *said = claim(b, total), *numbers;

	if (b->comparison->new_is_base) {
		b->report->is_verdict = true;
		report_answer(b->report, "Nothing was compared: new is base, every run of it has "
					 "the values of a run of base.");
		return;
	}
	if (b->comparison->benchmarks) {
		compare_answer_typical(b);
		return;
	}
	if (isnan(total->base_mean) || isnan(total->new_mean))
		return;
	numbers = describe_total(b, total);
	b->report->tone = compare_tone(total->verdict);
	b->report->is_verdict = true;
	if (total->unsteady)
		report_answer(b->report, "%s: %s; a run without a steady state cannot be compared.",
			said, numbers);
	else if (total->verdict == VERDICT_INCONCLUSIVE && isfinite(total->detectable))
		report_answer(b->report, "%s: %s; %s%s.", said, numbers,
			total->detectable > FACTOR_FROM
				? "these runs would not even show ten times as much"
				: "these runs show only changes above ",
			total->detectable > FACTOR_FROM
				? ""
				: phrase_rough(arena_of(b), total->detectable));
	else if (said)
		report_answer(b->report, "%s: %s.", said, numbers);
	else if (compare_is_one_run(b, total))
		report_answer(b->report, "No verdict from one run %s side: %s%s.",
			is_one_to_one(b) ? "a" : "on a", numbers,
			isnan(total->low)  ? ""
			: is_one_to_one(b) ? "; the intervals are about these runs only"
					   : "; the intervals take the one run to vary as those of "
					     "the other side");
	else
		report_answer(b->report, "No verdict%s%s%s: %s.", total->reason ? " (" : "",
			total->reason ? total->reason : "", total->reason ? ")" : "", numbers);
}

/* ---- the second sentence ---- */

static double sum_of(const struct compare_builder *b, enum verdict verdict)
{
	double sum = 0;

	for (size_t i = 0; i < b->comparison->count; i++) {
		const struct compared *value = &b->comparison->row[i].value[0];

		if (value->verdict == verdict && !value->small && !value->moved &&
			!isnan(value->difference))
			sum += value->difference;
	}
	return sum;
}

/* A benchmark of several measures has a verdict for each. */
static const char *row_noun(const struct compare_builder *b, size_t count)
{
	return !compare_is_mixed(b) ? phrase_noun(b->build, count)
	       : count == 1	    ? "value"
				    : "values";
}

/* "2 ops REGRESSED (+1.79 ms), 1 IMPROVED (-0.41)": the noun and the unit with the first only. */
static void add_counts(const struct compare_builder *b, const size_t rows_of[VERDICT_COUNT],
	const enum verdict *verdict, size_t count, bool sums, struct text *out)
{
	const enum dimension dimension =
		compare_is_mixed(b) ? DIMENSION_TIME : verdict_dimension(compare_measure_of(b, 0));
	bool first = out->size == 0, any = false;

	for (size_t i = 0; i < count; i++) {
		/* MORE and LESS are the words of two verdicts each. */
		const bool near = dimension != DIMENSION_TIME && !dimension_is_rate(dimension) &&
				  (verdict[i] == VERDICT_SLOWER || verdict[i] == VERDICT_FASTER);
		size_t rows = rows_of[verdict[i]];

		if (!rows)
			continue;
		text_printf(out, "%s%zu%s%s %s%s",
			any	? ", "
			: first ? ""
				: "; ",
			rows, first ? " " : "", first ? row_noun(b, rows) : "",
			verdict_word(verdict[i], dimension), near ? " near the margin" : "");
		if (sums)
			text_printf(out, " (%s)",
				phrase_difference(arena_of(b), compare_unit(b),
					sum_of(b, verdict[i]), first));
		first = false;
		any = true;
	}
}

static void answer_rows(struct compare_builder *b)
{
	static const enum verdict changed[] = {
		VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_NEW, VERDICT_GONE, VERDICT_LOST};
	static const enum verdict others[] = {
		VERDICT_SLOWER, VERDICT_FASTER, VERDICT_SAME, VERDICT_INCONCLUSIVE, VERDICT_RARE};
	const size_t measures = compare_is_mixed(b) ? b->comparison->measure_count : 1;
	size_t rows[VERDICT_COUNT] = {0};
	bool none;
	struct text text;

	if (b->comparison->new_is_base)
		return;
	for (size_t m = 0; m < measures; m++)
		for (size_t v = 0; v < VERDICT_COUNT; v++)
			rows[v] += b->comparison->measure[m].verdicts[v];
	for (size_t i = 0; i < b->comparison->count; i++)
		rows[b->comparison->row[i].value[0].verdict] -=
			b->comparison->row[i].value[0].moved;
	if (compare_moved_words(b) && !b->comparison->moved.cancels)
		rows[VERDICT_NEW] = rows[VERDICT_GONE] = 0; /* told with their sum */
	none = !rows[VERDICT_REGRESSED] && !rows[VERDICT_IMPROVED] && !rows[VERDICT_SLOWER] &&
	       !rows[VERDICT_FASTER];
	if (compare_is_one_run(b, compared_step(b->comparison)) && !b->comparison->work.ops)
		report_next(b->report, "Next: %s.", phrase_more_runs(arena_of(b), b->opt));
	text_init(&text);
	add_counts(b, rows, changed, sizeof(changed) / sizeof(*changed), compare_adds_up(b), &text);
	add_counts(b, rows, others, sizeof(others) / sizeof(*others), false, &text);
	if (text.size)
		report_answer(b->report, "%s%s.",
			none && !compare_is_one_run(b, compared_step(b->comparison))
				? arena_printf(arena_of(b),
					  "No %s%s%s is known to have changed beyond the margin: ",
					  b->comparison->moved.cancels ? "other " : "",
					  row_noun(b, 1),
					  rows[VERDICT_NEW] || rows[VERDICT_GONE]
						  ? " that is on both sides"
						  : "")
				: "",
			text_string(&text));
	text_release(&text);
}

/* ---- runs that do not belong to their side ---- */

/* "new is SLOWER, +10.1 % [+9.7, +10.4]: 12 ops REGRESSED"; of benchmarks the rows alone. */
static const char *describe_without(const struct compare_builder *b)
{
	static const enum verdict told[] = {VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_NEW,
		VERDICT_GONE, VERDICT_LOST, VERDICT_SLOWER, VERDICT_FASTER, VERDICT_SAME,
		VERDICT_INCONCLUSIVE};
	const struct odd_runs *odd = &b->comparison->odd;
	const char *said = odd->step.verdict == VERDICT_INCONCLUSIVE ? "it is undecided"
								     : claim(b, &odd->step);
	size_t count[VERDICT_COUNT];
	const char *words;
	struct text rows;

	memcpy(count, odd->verdicts, sizeof(count));
	if (compare_moved_words(b))
		count[VERDICT_NEW] = count[VERDICT_GONE] = 0; /* told with their sum */
	text_init(&rows);
	add_counts(b, count, told, sizeof(told) / sizeof(*told), false, &rows);
	words = b->comparison->benchmarks
			? arena_strdup(arena_of(b),
				  rows.size ? text_string(&rows) : "there is no verdict")
			: arena_printf(arena_of(b), "%s, %s%s%s",
				  said ? said : "there is no verdict",
				  phrase_change_within(arena_of(b), odd->step.change, odd->step.low,
					  odd->step.high),
				  rows.size ? ": " : "", text_string(&rows));
	text_release(&rows);
	return words;
}

static void answer_odd(struct compare_builder *b)
{
	const struct odd_runs *odd = &b->comparison->odd;
	const bool is_time = compare_measure_of(b, 0)->dimension == DIMENSION_TIME;
	const bool of_new = odd->base == SIZE_MAX;
	const size_t others = (of_new ? b->comparison->runs_new : b->comparison->runs_base) - 1;

	if (b->comparison->new_is_base || odd->kind == ODD_NONE)
		return;
	if (odd->kind == ODD_EXCHANGED)
		report_answer(b->report,
			"Runs %s of base and %s of new look exchanged; without them %s.",
			compare_run_name(b, b->base, odd->base),
			compare_run_name(b, b->new, odd->new), describe_without(b));
	else if (odd->kind == ODD_ROUND)
		report_answer(b->report,
			"The round of %s and %s lies apart: its change is %s %s that of the other "
			"%zu; without it %s.",
			compare_run_name(b, b->base, odd->base),
			compare_run_name(b, b->new, odd->new),
			phrase_percent(arena_of(b), fabs(expm1(odd->shift))),
			odd->shift > 0 ? "above" : "below", others, describe_without(b));
	else if (odd->kind == ODD_LACKS)
		report_answer(b->report,
			"%s of %s lacks %zu %s that the other %zu runs of both sides have; without "
			"it %s.",
			phrase_run(arena_of(b), "Run", compare_odd_name(b)),
			of_new ? "new" : "base", odd->lacks, phrase_noun(b->build, odd->lacks),
			b->comparison->runs_base + b->comparison->runs_new - 1,
			describe_without(b));
	else
		report_answer(b->report, "%s is %s %s than the other %zu of %s; without it %s.",
			phrase_run(arena_of(b), "Run", compare_odd_name(b)),
			phrase_percent(arena_of(b), fabs(expm1(odd->shift))),
			is_time		 ? odd->shift > 0 ? "slower" : "faster"
			: odd->shift > 0 ? "larger"
					 : "smaller",
			others, of_new ? "new" : "base", describe_without(b));
}

const char **compare_short_names(const struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const char **name = arena_array(arena_of(b), 2 * c->count + 1, sizeof(*name));

	for (size_t i = 0; i < c->count; i++) {
		name[i] = c->row[i].name;
		name[c->count + i] = c->row[i].was;
	}
	if (!b->build->whole_names)
		short_names(name, 2 * c->count, SHORT_NAME_WIDTH, arena_of(b), name);
	return name;
}

struct report *build_comparison(const struct compare_side *base, const struct compare_side *new,
	const struct comparison *comparison, const struct compare_options *opt,
	const struct build_options *build, const struct gate *gate)
{
	struct compare_builder b = {
		base, new, comparison, opt, build, report_new("compare"), NULL, gate};
	const bool *shown;
	const char **mark, *findings;

	b.short_name = compare_short_names(&b);
	report_join_issues(b.report, (const struct cube *[]){base->run.self, new->run.self}, 2);
	add_heading(&b);
	add_recording(&b);
	answer_total(&b);
	findings = compare_answer_findings(&b);
	compare_answer_unmatched(&b);
	answer_rows(&b);
	compare_answer_against(&b);
	answer_odd(&b);
	compare_answer_next(&b, findings);
	answer_wall(&b);
	shown = compare_choose_rows(&b);
	mark = compare_notes_add(&b, shown);
	compare_add_parts(&b);
	compare_add_sides(&b);
	build_facts(b.report, (const struct cube *[]){base->run.self, new->run.self},
		(const char *[]){"base", "new"}, 2);
	compare_add_display(&b, shown, mark);
	compare_add_data(&b);
	return b.report;
}
