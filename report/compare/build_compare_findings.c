/* Words for the causes of a change (analysis/causes/causes.h). */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "base/names/short_names.h"
#include "base/text.h"
#include "report/build_causes.h"
#include "report/compare/build_compare_words.h"

static bool tells_moved(const struct compare_builder *b)
{
	return b->comparison->moved.up > 0 && !compare_is_of_runtimes(b);
}

const char *compare_moved_words(const struct compare_builder *b)
{
	const struct moved_work *moved = &b->comparison->moved;
	const struct compared *sum = &moved->sum;
	const struct measure *measure = compare_measure_of(b, 0);

	if (!tells_moved(b))
		return NULL;
	return arena_printf(arena_of(b), "%s: %zu %s %s (%s), %zu %s (%s); together %s, %s%s%s.",
		moved->cancels ? "Work moved" : "NEW in the place of GONE", moved->up,
		phrase_noun(b->build, moved->up), moved->up == 1 ? "takes more" : "take more",
		phrase_difference(arena_of(b), compare_unit(b), moved->more, true), moved->down,
		"less", phrase_difference(arena_of(b), compare_unit(b), -moved->less, true),
		phrase_pair(arena_of(b), measure->dimension, sum->base_mean, sum->new_mean),
		phrase_change_within(arena_of(b), sum->change, sum->low, sum->high),
		sum->verdict == VERDICT_NONE ? "" : ", ",
		sum->verdict == VERDICT_NONE
			? ""
			: verdict_word(sum->verdict, verdict_dimension(measure)));
}

/* " in new from step 31 on", " in base every 8th step": what that side shows by itself. */
static const char *phrase_since(const struct compare_builder *b, const struct cause *c)
{
	const struct cause *when = c->since;
	const bool of_new = c->side == CAUSE_OF_NEW;
	const struct compare_side *side = of_new ? b->new : b->base;
	struct arena *arena = arena_of(b);
	const char *name = of_new ? "new" : "base", *step;

	if (!when)
		return "";
	step = phrase_step(arena, side->run.cube, when->step);
	if (when->kind == CAUSE_SHIFT)
		return arena_printf(arena, ", in %s from step %s %s%s", name, step,
			when->last == UINT32_MAX ? "on" : "to ",
			when->last == UINT32_MAX ? ""
						 : phrase_step(arena, side->run.cube, when->last));
	if (when->kind == CAUSE_RUN)
		return arena_printf(arena, ", in %s in %s", name,
			phrase_run(arena, "run", compare_run_name(b, side, when->run)));
	if (when->kind == CAUSE_TREND)
		return arena_printf(arena, ", in %s more and more", name);
	if (when->every)
		return arena_printf(arena, ", in %s every %zu%s step", name, when->every,
			number_ordinal_ending(when->every));
	if (when->numbers > 1)
		return arena_printf(arena, ", in %s in %zu steps (as %s)", name, when->steps, step);
	return arena_printf(arena, ", in %s in step %s%s", name, step,
		side->run.steps->run_count < 2 ? ""
					       : arena_printf(arena, " of %zu of %zu runs",
							 when->runs, side->run.steps->run_count));
}

/* "+0.59 ms a step, +9.9 %" */
static const char *phrase_by(const struct compare_builder *b, const struct cause *c)
{
	const struct compared *v = &b->comparison->row[c->group].value[c->measure];
	struct arena *arena = arena_of(b);

	if (b->comparison->benchmarks)
		return phrase_change_within(arena, v->change, v->low, v->high);
	return arena_printf(arena, "%s a step%s%s",
		phrase_difference(arena, compare_unit(b), v->difference, true),
		isnan(v->change) ? "" : ", ",
		isnan(v->change) ? "" : phrase_change(arena, v->change));
}

/* "conv2: +0.59 ms a step, +9.9 %, 4 -> 6 calls." */
static const char *phrase_row(const struct compare_builder *b, const struct cause *c)
{
	const struct compared *v = &b->comparison->row[c->group].value[c->measure];
	struct arena *arena = arena_of(b);
	const bool is_lone = v->verdict == VERDICT_NEW || v->verdict == VERDICT_GONE;

	return arena_printf(arena, "%s%s%s: %s%s%s%s.",
		c->measure ? compare_measure_of(b, c->measure)->name : "", c->measure ? " of " : "",
		b->short_name[c->group], is_lone ? verdict_word(v->verdict, DIMENSION_TIME) : "",
		is_lone ? ", " : "", phrase_by(b, c),
		is_lone ? phrase_since(b, c)
			: arena_printf(arena, "%s%s", phrase_calls(arena, c), phrase_since(b, c)));
}

static const char *phrase_clock(const struct compare_builder *b, const struct cause *c)
{
	const struct compared_row *row = &b->comparison->row[c->group];
	const size_t clock = compared_clock(b->comparison, row);
	struct arena *arena = arena_of(b);

	return arena_printf(arena, "%s: time %s, %s %s%s: the clock explains it.",
		b->short_name[c->group], phrase_change(arena, row->value[0].change),
		compare_measure_of(b, clock)->name, phrase_change(arena, row->value[clock].change),
		c->rows == 1 ? ""
			     : arena_printf(arena, ", and so for %zu more %s", c->rows - 1,
				       phrase_noun(b->build, c->rows - 1)));
}

/* "Idle time of gpu:0: +2.90 ms a step, host late in DataLoader +2.90 ms." */
static const char *phrase_idle(const struct compare_builder *b, const struct cause *c)
{
	const struct compared_device *device = c->compared;
	const double idle = device->part[PART_IDLE].difference;
	const struct unit *unit = unit_choose(DIMENSION_TIME, fabs(idle));
	struct arena *arena = arena_of(b);
	const struct compared *most = &device->part[c->part];
	const char *of = compare_part_words(c->part);

	for (size_t i = 0; c->host && i < device->cause_count; i++)
		if (text_equal(device->cause[i].name, c->host)) {
			most = &device->cause[i].value;
			of = compare_host_words(b, c->host);
		}
	return arena_printf(arena, "Idle time of %s: %s a step%s%s%s.",
		compare_device_words(b, device), phrase_difference(arena, unit, idle, true),
		c->part == PART_IDLE ? "" : arena_printf(arena, ", %s ", of + strlen("idle: ")),
		c->part == PART_IDLE ? "" : phrase_difference(arena, unit, most->difference, true),
		phrase_since(b, c));
}

static const char *phrase_outside(const struct compare_builder *b, const struct cause *c)
{
	const double own = c->size * c->from;

	return arena_printf(arena_of(b), "%s a step is in no %s (idle, waiting, what overlaps)%s.",
		phrase_difference(arena_of(b), compare_unit(b), own, true), b->build->row_noun,
		phrase_since(b, c));
}

static const char *phrase_common(const struct compare_builder *b, const struct cause *c)
{
	return arena_printf(arena_of(b), "%s%s: %s.", compare_shift_words(b), phrase_since(b, c),
		arena_printf(arena_of(b),
			compare_is_in_turns(b) ? "something that all %s use, as they ran in turns"
					       : "the machine, or something that all %s use",
			b->build->row_nouns));
}

/* "26 of 30 ops have 11.8 % fewer calls: new recorded less (nothing marks steps); one call takes
 * +2.1 %." */
static const char *phrase_work(const struct compare_builder *b)
{
	const struct unequal_work *work = &b->comparison->work;
	const bool less = work->calls < 0;

	return arena_printf(arena_of(b),
		"%zu of %zu %s have %s %s calls: new recorded %s (nothing marks steps); one call "
		"takes %s.",
		work->ops, work->of, work->of_ops ? "ops" : b->build->row_nouns,
		phrase_percent(arena_of(b), fabs(work->calls)), less ? "fewer" : "more",
		less ? "less" : "more", phrase_change(arena_of(b), work->same_calls));
}

/* The option that explains a row whose name is a pattern for itself. */
static const char *next_of_row(const struct compare_builder *b, const struct cause *c)
{
	const char *name = b->comparison->row[c->group].name;
	size_t n = 0;

	while (isalnum((unsigned char)name[n]) || (name[n] && strchr("_/:-", name[n])))
		n++;
	if (name[n] || n > SHORT_NAME_WIDTH)
		return arena_printf(arena_of(b), "Next: look at %s.", b->short_name[c->group]);
	return arena_printf(
		arena_of(b), "Next: look at %s  (--explain=%s).", b->short_name[c->group], name);
}

/* A cause that one side shows and the other does not. */
static void tell_of_side(const struct compare_builder *b, struct told_cause *told)
{
	const bool of_new = told->cause->side == CAUSE_OF_NEW;
	const struct compare_side *side = of_new ? b->new : b->base;
	const struct cause_teller teller = {b->report, side->summary, side->ranks, b->build,
		report_group_names(arena_of(b), side->run.grouping, b->build), 0};
	const struct cause *cause = told->cause;

	*told = cause_tell(&teller, cause->since);
	told->text = arena_printf(arena_of(b), "In %s: %s", of_new ? "new" : "base", told->text);
	told->next = arena_printf(arena_of(b), "Next: see %s by itself  (stepstat report).",
		phrase_visible(arena_of(b), side->label));
	told->cause = cause;
	told->is_said = cause->kind == CAUSE_RUN && b->comparison->odd.kind == ODD_APART;
}

static struct told_cause tell(const struct compare_builder *b, const struct cause *c)
{
	static const char *const sides[] = {
		[CAUSE_OF_BOTH] = NULL, [CAUSE_OF_BASE] = "base", [CAUSE_OF_NEW] = "new"};
	struct told_cause told = {.cause = c, .next = "Next: see the parts  (--table=parts)."};

	switch (c->kind) {
	case CAUSE_ROW:
		told.text = phrase_row(b, c);
		told.next = next_of_row(b, c);
		break;
	case CAUSE_WORK:
		told.text = phrase_work(b);
		told.next = NULL;
		break;
	case CAUSE_CLOCK:
		told.text = phrase_clock(b, c);
		told.next = "Next: fix the clock, or record in turns.";
		break;
	case CAUSE_COMMON:
		told.text = phrase_common(b, c);
		told.next = NULL;
		break;
	case CAUSE_MOVED:
	case CAUSE_REPLACED:
		told.text = compare_moved_words(b);
		told.next = NULL;
		break;
	case CAUSE_IDLE:
		told.op = c->host;
		told.device = c->compared->new;
		told.text = phrase_idle(b, c);
		told.next = c->part == PART_HOST_LATE
				    ? "Next: see what the host does meanwhile  (--on=host)."
				    : NULL;
		break;
	case CAUSE_OUTSIDE:
		told.text = phrase_outside(b, c);
		break;
	default:
		tell_of_side(b, &told);
		break;
	}
	if (c->group != SIZE_MAX)
		told.op = b->comparison->row[c->group].name;
	told.side = sides[c->side];
	told.not_of_time = compare_measure_of(b, c->measure)->dimension != DIMENSION_TIME;
	return told;
}

const char *compare_answer_findings(struct compare_builder *b)
{
	struct cause_list of_side[2], *all = arena_alloc(arena_of(b), sizeof(*all));
	const struct compare_side *side[2] = {b->base, b->new};
	struct told_cause told[CAUSES_KEPT];
	struct cause_sources from = {.comparison = b->comparison,
		.alpha = b->opt->rule.alpha,
		.names_differ = compare_is_of_runtimes(b),
		.side = {b->base, b->new},
		.of_side = {&of_side[0], &of_side[1]}};

	for (size_t i = 0; i < 2; i++) {
		causes_find(&(struct cause_sources){.summary = side[i]->summary,
				    .ranks = side[i]->ranks},
			&of_side[i]);
		report_note_single(b->report, i ? "new: " : "base: ", &of_side[i]);
	}
	causes_find(&from, all);
	for (size_t i = 0; i < all->count; i++)
		told[i] = tell(b, &all->cause[i]);
	answers_tell(b->report, told, all->count, true);
	if (!all->count)
		return NULL;

	const char *medians = all->cause[0].side == CAUSE_OF_BOTH ? NULL : compare_next_medians(b);

	return medians ? medians : told[0].next;
}
