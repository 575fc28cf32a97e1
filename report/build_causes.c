/* Words for causes, and the table `findings`. */
#include "report/build_causes.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "report/build_devices.h"
#include "report/build_ranks.h"
#include "report/build_tables.h"

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

#define CALLS_DIGITS 3

const char *phrase_calls(struct arena *arena, const struct cause *c)
{
	char from[NUMBER_TEXT_SIZE], to[NUMBER_TEXT_SIZE];

	switch (cause_of_calls(c)) {
	case CALLS_MORE:
		return arena_printf(arena, ", %s -> %s calls",
			number_format_real(from, c->calls_from, CALLS_DIGITS),
			number_format_real(to, c->calls_to, CALLS_DIGITS));
	case CALLS_LONGER:
		return c->row_to > c->row_from ? ", each call longer" : ", each call shorter";
	default:
		return "";
	}
}

/* ": op_7, 0.80 -> 2.40 ms" */
static const char *phrase_place(const struct cause_teller *t, const struct cause *c)
{
	struct arena *arena = t->report->arena;

	switch (c->place) {
	case CAUSE_IN_ROW:
	case CAUSE_IN_SEVERAL:
		return arena_printf(arena, "%s%s, %s%s%s",
			c->place == CAUSE_IN_ROW ? "" : "most of it in ",
			phrase_list(arena, &t->name[c->group], 1),
			phrase_levels(t, c->row_from, c->row_to),
			c->of_rank == SIZE_MAX ? "" : " as the mean of all ranks",
			phrase_calls(arena, c));
	case CAUSE_IN_CHANGING:
		return arena_printf(
			arena, "in single %s, not the same in each step", t->opt->row_nouns);
	case CAUSE_NOT_IN_OPS:
		return arena_printf(
			arena, "in no %s (idle, waiting, what overlaps)", t->opt->row_noun);
	case CAUSE_NOT_SELECTED:
		return arena_printf(arena, "in ops that are in no %s here", t->opt->row_noun);
	default:
		return arena_printf(arena, "all %s alike, so the machine", t->opt->row_nouns);
	}
}

static const char *run_name(const struct cause_teller *t, const struct cause *c)
{
	return phrase_visible(
		t->report->arena, t->summary->cube->run[t->summary->steps->run[c->run]].name);
}

/* ", in 5 of 5 runs"; of one run its name where there are others; ", in rank 3" */
static const char *phrase_runs(const struct cause_teller *t, const struct cause *c)
{
	const size_t runs = t->summary->steps->run_count;
	struct arena *arena = t->report->arena;
	const char *in = runs < 2      ? ""
			 : c->runs > 1 ? arena_printf(arena, ", in %zu of %zu runs", c->runs, runs)
				       : arena_printf(arena, ", in %s",
						 phrase_run(arena, "run", run_name(t, c)));

	return c->of_rank == SIZE_MAX
		       ? in
		       : arena_printf(arena, "%s, in rank %s", in,
				 phrase_visible(arena, t->ranks->of->rank[c->of_rank].name));
}

static const char *phrase_long(const struct cause_teller *t, const struct cause *c)
{
	struct arena *arena = t->report->arena;
	const char *step = phrase_step(arena, t->summary->cube, c->step);
	const bool several = c->numbers > 1 && !c->every;
	const char *who = c->every  ? arena_printf(arena, "Every %zu%s step", c->every,
					      number_ordinal_ending(c->every))
			  : several ? arena_printf(arena, "%s%zu steps (as %s)",
					      c->at_least ? "At least " : "", c->steps, step)
				    : arena_printf(arena, "Step %s", step);
	const char *vary = isnan(c->spread) ? ""
					    : arena_printf(arena, ", which vary by %s",
						      phrase_percent(arena, c->spread));

	return arena_printf(arena, "%s take%s %s, %s times %s neighbours%s%s", who,
		several ? "" : "s", phrase_time(t, c->to), phrase_times(t, c->to / c->from),
		several ? "their" : "its", vary, phrase_runs(t, c));
}

static const char *phrase_in_series(const struct cause_teller *t, const struct cause *c)
{
	struct arena *arena = t->report->arena;
	const char *what;

	switch (c->kind) {
	case CAUSE_SHIFT:
		what = arena_printf(arena, "From step %s %s%s a step takes %s instead of %s%s",
			phrase_step(arena, t->summary->cube, c->step),
			c->last == UINT32_MAX ? "on" : "to ",
			c->last == UINT32_MAX ? "" : phrase_step(arena, t->summary->cube, c->last),
			phrase_time(t, c->to), phrase_time(t, c->from), phrase_runs(t, c));
		break;
	case CAUSE_RUN:
		what = arena_printf(arena, "%s: a step takes %s, against %s in the %zu other runs",
			phrase_run(arena, "Run", run_name(t, c)), phrase_time(t, c->to),
			phrase_time(t, c->from), t->summary->steps->run_count - 1);
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

/* The sentence on what to look at next. */
static const char *next_in_series(const struct cause_teller *t, const struct cause *c)
{
	const struct step *step = &t->summary->cube->step[c->step];
	const long long number = step->number;
	struct arena *arena = t->report->arena;

	if (c->place == CAUSE_NOT_IN_OPS &&
		cause_is_most(t->idle_ps, c->size * summary_first_runs(t->summary)->mean))
		return "Next: look at idle and waiting  (--table=totals).";
	if (c->kind == CAUSE_RUN)
		return "Next: see the runs side by side  (--per-run).";
	if (c->kind == CAUSE_TREND || step->unnumbered)
		return "Next: see the steps  (--table=steps).";
	if (c->kind == CAUSE_SHIFT && c->last == UINT32_MAX)
		return arena_printf(arena, "Next: see the steps from %lld on  (--steps=%lld:).",
			number, number);
	if (c->kind == CAUSE_SHIFT)
		return arena_printf(arena, "Next: see these steps  (--steps=%lld:%lld).", number,
			(long long)t->summary->cube->step[c->last].number);
	return arena_printf(arena, "Next: see step %lld  (--steps=%lld).", number, number);
}

struct told_cause cause_tell(const struct cause_teller *t, const struct cause *c)
{
	struct arena *arena = t->report->arena;
	struct told_cause told = {.cause = c};

	if (c->group != SIZE_MAX)
		told.op = t->summary->grouping->group[c->group].name;
	switch (c->kind) {
	case CAUSE_SLOW_RANK:
		told.rank = t->ranks->of->rank[c->rank->rank].name;
		told.op = c->host ? c->host : told.op;
		told.text = phrase_slow_rank(t->report, t->ranks, t->name, c);
		told.next = arena_printf(arena, "Next: see rank %s by itself  (--rank=%s).",
			phrase_visible(arena, told.rank), phrase_visible(arena, told.rank));
		break;
	case CAUSE_HOST_LATE:
		told.op = c->host;
		told.device = c->device->device;
		told.text = phrase_host_late(t->report, c);
		told.next = "Next: see the ops of the host  (--on=host).";
		break;
	default:
		told.run = t->summary->cube->run[t->summary->steps->run[c->run]].name;
		if (c->of_rank != SIZE_MAX)
			told.rank = t->ranks->of->rank[c->of_rank].name;
		if (c->kind != CAUSE_RUN)
			told.step = &t->summary->cube->step[c->step];
		told.text = phrase_in_series(t, c);
		told.next = next_in_series(t, c);
		break;
	}
	return told;
}

/* The place as a word for programs. */
static const char *place_word(const struct cause *c)
{
	static const char *const words[] = {[CAUSE_IN_ROW] = "row",
		[CAUSE_IN_ALL] = "all",
		[CAUSE_IN_SEVERAL] = "several",
		[CAUSE_IN_CHANGING] = "several",
		[CAUSE_NOT_SELECTED] = "not-selected",
		[CAUSE_NOT_IN_OPS] = "not-in-ops"};

	if (c->kind == CAUSE_HOST_LATE || (c->kind == CAUSE_IDLE && c->part == PART_HOST_LATE))
		return "host";
	return c->rank ? "rank" : words[c->place];
}

static struct cell cell_of_count(size_t value)
{
	return value ? cell_integer((int64_t)value) : (struct cell){.kind = CELL_NONE};
}

static struct cell cell_of_time(const struct told_cause *told, double value)
{
	return cell_real(told->not_of_time ? NAN : value);
}

static void add_finding(struct report *report, struct table *table, const struct told_cause *told,
	size_t without_side)
{
	const struct cause *c = told->cause;
	/* The side that shows the change says when it is. */
	const struct cause *when = c->since ? c->since : c;
	const struct cell cell[] = {cell_text(told->side), cell_text(cause_code(c)),
		cell_text(place_word(c)), cell_text(told->op), cell_text(told->rank),
		cell_text(told->device), cell_text(told->run),
		told->step ? cell_integer(told->step->number) : (struct cell){.kind = CELL_NONE},
		cell_of_count(when->kind == CAUSE_LONG ? when->steps : 0),
		cell_of_count(when->kind == CAUSE_LONG ? when->every : 0),
		cell_of_count(when->runs), cell_real(c->size), cell_real(c->p),
		cell_of_time(told, c->from), cell_of_time(told, c->to),
		cell_of_time(told, c->row_from), cell_of_time(told, c->row_to),
		cell_real(c->calls_from), cell_real(c->calls_to), cell_text(told->text)};

	report_add_cells(report, table, cell + without_side);
}

void answers_tell(struct report *report, const struct told_cause *told, size_t count, bool of_sides)
{
	static const struct column columns[] = {{.stat = "side"}, {.stat = "code"},
		{.stat = "where"}, {.stat = "op"}, {.stat = "rank"}, {.stat = "device"},
		{.stat = "run"}, NUMBER_COLUMN("step", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("steps", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("every", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("runs", DIMENSION_COUNT, 0),
		NUMBER_COLUMN("size", DIMENSION_FRACTION, 1), NUMBER_COLUMN("p", DIMENSION_NONE, 3),
		NUMBER_COLUMN("before", DIMENSION_TIME, 2),
		NUMBER_COLUMN("after", DIMENSION_TIME, 2),
		NUMBER_COLUMN("op_before", DIMENSION_TIME, 2),
		NUMBER_COLUMN("op_after", DIMENSION_TIME, 2),
		NUMBER_COLUMN("calls_before", DIMENSION_NONE, 2),
		NUMBER_COLUMN("calls_after", DIMENSION_NONE, 2), {.stat = "text"}};
	const size_t without_side = of_sides ? 0 : 1;
	struct table *table = report_append_table(report, "findings");

	report_add_columns(report, table, NULL, columns + without_side,
		sizeof(columns) / sizeof(*columns) - without_side);
	for (size_t c = 0; c < table->column_count; c++)
		if (text_equal(table->column[c].stat, "p"))
			table->column[c].digits = 12;
	for (size_t i = 0; i < count; i++) {
		report->has_cause |= !told[i].is_said;
		if (i < CAUSES_SHOWN && !told[i].is_said)
			report_answer(report, "%s", told[i].text);
		add_finding(report, table, &told[i], without_side);
	}
	if (count > CAUSES_SHOWN)
		report_answer(report, "%zu more  (--table=findings).", count - CAUSES_SHOWN);
}

void report_note_single(struct report *report, const char *side, const struct cause_list *causes)
{
	if (causes->single)
		report_note(report, NULL, "--steps=FIRST:LAST",
			"%s%zu single steps are long: too many to look into each (at most %d)",
			side, causes->single, CAUSES_SINGLE_MOST);
}

void answers_add_causes(struct report *report, const struct cause_sources *from,
	const struct summary *summary, const struct build_options *opt, const char *const *name,
	struct cause_list *causes)
{
	struct cause_teller t = {report, summary, from->ranks, opt, name, 0};
	struct told_cause told[CAUSES_KEPT];

	causes_find(from, causes);
	report_note_single(report, "", causes);
	for (size_t i = 0; i < from->device_count; i++)
		t.idle_ps = fmax(
			t.idle_ps, from->device[i].part[SERIES_IDLE] * from->device[i].window_ps);
	for (size_t i = 0; i < causes->count; i++)
		told[i] = cause_tell(&t, &causes->cause[i]);
	answers_tell(report, told, causes->count, false);
	if (causes->count)
		report_next(report, "%s", told[0].next);
}
