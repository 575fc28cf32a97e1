/*
 * Words for causes.
 */
#include "report/build_causes.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "report/build_tables.h"

struct cause_teller {
	struct report *report;
	const struct summary *summary;
	const struct build_options *opt;
	const char *const *name;
};

static const char *phrase_time(const struct cause_teller *t, double value)
{
	return phrase_quantity(t->report->arena, DIMENSION_TIME, value);
}

/* "24.71 -> 30.20 ms", "31.00 us -> 30.20 ms" */
static const char *phrase_levels(const struct cause_teller *t, double from, double to)
{
	const struct unit *unit = unit_choose(DIMENSION_TIME, fabs(from));
	char number[NUMBER_TEXT_SIZE];

	if (unit != unit_choose(DIMENSION_TIME, fabs(to)))
		return arena_printf(
			t->report->arena, "%s -> %s", phrase_time(t, from), phrase_time(t, to));
	return arena_printf(t->report->arena, "%s -> %s",
		number_format_fixed(number, from / (double)unit->factor, 2), phrase_time(t, to));
}

/* "1.35" */
static const char *phrase_times(const struct cause_teller *t, double factor)
{
	char number[NUMBER_TEXT_SIZE];

	return arena_strdup(
		t->report->arena, number_format_fixed(number, factor, factor < 10 ? 2 : 0));
}

/* ", 2 -> 6 calls", ", each call longer": where it runs several times. */
static const char *phrase_calls(const struct cause_teller *t, const struct cause *c)
{
	const double by_calls = c->calls_to / c->calls_from, by_time = c->row_to / c->row_from;
	char from[NUMBER_TEXT_SIZE], to[NUMBER_TEXT_SIZE];
	struct arena *arena = t->report->arena;

	if (!(c->calls_from > 0) || !(by_time > 1))
		return "";
	if (by_calls - 1 > (by_time - 1) / 2)
		return arena_printf(arena, ", %s -> %s calls",
			number_format_fixed(from, c->calls_from, c->calls_from < 10),
			number_format_fixed(to, c->calls_to, c->calls_to < 10));
	return c->calls_from >= 1.5 ? ", each call longer" : "";
}

/* ": op_7, 0.80 -> 2.40 ms" */
static const char *phrase_place(const struct cause_teller *t, const struct cause *c)
{
	struct arena *arena = t->report->arena;

	switch (c->place) {
	case CAUSE_IN_ROW:
	case CAUSE_IN_SEVERAL:
		return arena_printf(arena, "%s%s, %s%s",
			c->place == CAUSE_IN_ROW ? "" : "most of it in ",
			phrase_list(arena, &t->name[c->group], 1),
			phrase_levels(t, c->row_from, c->row_to), phrase_calls(t, c));
	case CAUSE_NOT_IN_OPS:
		return arena_printf(
			arena, "in no %s (idle, waiting, what overlaps)", t->opt->row_noun);
	case CAUSE_NOT_SELECTED:
		return arena_printf(arena, "in ops that are in no %s here", t->opt->row_noun);
	default:
		return arena_printf(arena, "all %s alike, so the machine", t->opt->row_nouns);
	}
}

/* " in 5 of 5 runs"; of one run its name where there are others */
static const char *phrase_runs(const struct cause_teller *t, const struct cause *c)
{
	const struct cube *cube = t->summary->cube;
	const size_t runs = t->summary->steps->run_count;

	if (runs < 2)
		return "";
	if (c->runs > 1)
		return arena_printf(t->report->arena, ", in %zu of %zu runs", c->runs, runs);
	return arena_printf(t->report->arena, ", in run %s",
		phrase_visible(t->report->arena, cube->run[t->summary->steps->run[c->run]].name));
}

/* "10th" */
static const char *phrase_ordinal(struct arena *arena, size_t n)
{
	const size_t last = n / 10 % 10 == 1 ? 0 : n % 10;

	return arena_printf(arena, "%zu%s", n,
		last == 1   ? "st"
		: last == 2 ? "nd"
		: last == 3 ? "rd"
			    : "th");
}

static const char *phrase_long(const struct cause_teller *t, const struct cause *c)
{
	struct arena *arena = t->report->arena;
	const char *step = phrase_step(arena, t->summary->cube, c->step);
	const bool several = c->numbers > 1 && !c->every;
	const char *who =
		c->every  ? arena_printf(arena, "Every %s step", phrase_ordinal(arena, c->every))
		: several ? arena_printf(arena, "%zu steps (as %s)", c->steps, step)
			  : arena_printf(arena, "Step %s", step);

	return arena_printf(arena, "%s take%s %s, %s times %s neighbours%s", who,
		several ? "" : "s", phrase_time(t, c->to), phrase_times(t, c->to / c->from),
		several ? "their" : "its", phrase_runs(t, c));
}

static const char *phrase_finding(const struct cause_teller *t, const struct cause *c)
{
	struct arena *arena = t->report->arena;
	const char *what;

	switch (c->kind) {
	case CAUSE_SHIFT:
		what = arena_printf(arena, "From step %s on a step takes %s instead of %s%s",
			phrase_step(arena, t->summary->cube, c->step), phrase_time(t, c->to),
			phrase_time(t, c->from), phrase_runs(t, c));
		break;
	case CAUSE_TREND:
		what = arena_printf(arena, "Steps get %s all along, %s%s",
			c->to > c->from ? "longer" : "shorter", phrase_levels(t, c->from, c->to),
			phrase_runs(t, c));
		break;
	default:
		what = phrase_long(t, c);
		break;
	}
	return arena_printf(arena, "%s: %s.", what, phrase_place(t, c));
}

/* The place as a word for programs. */
static const char *place_word(const struct cause *c)
{
	static const char *const words[] = {[CAUSE_IN_ROW] = "row",
		[CAUSE_IN_ALL] = "all",
		[CAUSE_IN_SEVERAL] = "several",
		[CAUSE_NOT_SELECTED] = "not-selected",
		[CAUSE_NOT_IN_OPS] = "not-in-ops"};

	return words[c->place];
}

/* Answers with what to look at next for the largest cause. */
static void answer_next(const struct cause_teller *t, const struct cause *c)
{
	const bool unnumbered = t->summary->cube->step[c->step].unnumbered;
	const long long step = t->summary->cube->step[c->step].number;
	struct report *report = t->report;

	if (c->place == CAUSE_NOT_IN_OPS)
		report_next(report, "Next: look at idle and waiting  (--table=totals).");
	else if (c->kind == CAUSE_TREND || unnumbered)
		report_next(report, "Next: see the steps  (--table=steps).");
	else if (c->kind == CAUSE_SHIFT)
		report_next(report, "Next: see the steps from there on  (--steps=%lld:).", step);
	else
		report_next(report, "Next: see step %lld  (--steps=%lld).", step, step);
}

/* A number that only long steps have. */
static struct cell cell_of_long(const struct cause *c, size_t value)
{
	return c->kind == CAUSE_LONG && value ? cell_integer((int64_t)value)
					      : (struct cell){.kind = CELL_NONE};
}

static void add_finding(
	const struct cause_teller *t, struct table *table, const struct cause *c, const char *text)
{
	const struct grouping *grouping = t->summary->grouping;
	const struct cube *cube = t->summary->cube;
	const struct step *step = &cube->step[c->step];
	const bool has_row = c->group != SIZE_MAX;

	report_add_cells(t->report, table,
		(const struct cell[]){cell_text(cause_code(c)), cell_text(place_word(c)),
			cell_text(has_row ? grouping->group[c->group].name : NULL),
			cell_text(cube->run[t->summary->steps->run[c->run]].name),
			cell_integer(step->number), cell_of_long(c, c->steps),
			cell_of_long(c, c->every), cell_integer((int64_t)c->runs),
			cell_real(c->size), cell_real(c->from), cell_real(c->to),
			cell_real(has_row ? c->row_from : NAN),
			cell_real(has_row ? c->row_to : NAN), cell_text(text)});
}

bool answers_add_causes(struct report *report, const struct summary *summary,
	const struct build_options *opt, const char *const *name)
{
	static const struct column columns[] = {{.stat = "code"}, {.stat = "where"}, {.stat = "op"},
		{.stat = "run"}, NUMBER_COLUMN("step", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("steps", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("every", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("runs", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("size", DIMENSION_FRACTION, 1),
		NUMBER_COLUMN("before", DIMENSION_TIME, 2),
		NUMBER_COLUMN("after", DIMENSION_TIME, 2),
		NUMBER_COLUMN("op_before", DIMENSION_TIME, 2),
		NUMBER_COLUMN("op_after", DIMENSION_TIME, 2), {.stat = "text"}};
	const struct cause_teller t = {report, summary, opt, name};
	struct table *table = report_append_table(report, "findings");
	struct cause_list causes;

	causes_find(summary, &causes);
	report_add_columns(report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < causes.count; i++) {
		const char *text = phrase_finding(&t, &causes.cause[i]);

		report_answer(report, "%s", text);
		add_finding(&t, table, &causes.cause[i], text);
	}
	if (causes.count)
		answer_next(&t, &causes.cause[0]);
	return causes.suffice;
}
