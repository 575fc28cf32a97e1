/*
 * Two runtimes side by side.
 */
#include "report/compare/build_compare_runtimes.h"

#include <math.h>
#include <stdlib.h>
#include "base/order.h"
#include "base/text.h"
#include "report/build_tables.h"

#define NAMED_MOST 3 /* rows without a partner, of each side */
#define DEAD_NAMED 3 /* rules that match nothing */

bool compare_is_of_runtimes(const struct compare_builder *b)
{
	return b->opt->other_profiler || b->opt->map_path;
}

/* ", times to 1 us"; nothing where the grid of the times is not known. */
static const char *describe_grid(const struct compare_builder *b, const struct compare_side *side)
{
	const struct step_set *steps = side->run.steps;

	if (!(steps->time_resolution_ps > 0) || grid_is_rough(&steps->grid))
		return "";
	return arena_printf(b->report->arena, ", times to %s",
		phrase_exact(b->report->arena, DIMENSION_TIME, steps->time_resolution_ps));
}

const char *compare_describe_profiler(
	const struct compare_builder *b, const struct compare_side *side)
{
	if (!b->opt->other_profiler)
		return "";
	return arena_printf(
		b->report->arena, ", %s%s", side->run.self->format_title, describe_grid(b, side));
}

/* ---- what has no partner ---- */

struct lonely_row {
	size_t row; /* index in the comparison */
	double share;
};

static int compare_shares(const void *a, const void *b)
{
	const struct lonely_row *x = a, *y = b;

	return ORDER(y->share, x->share) ?: ORDER(x->row, y->row);
}

/* " (aten::add_ 5.3 %, aten::sum 1.2 % and 20 more)": the rows that only this side has, the largest
 * first; nothing where it has none. */
static const char *name_lonely(const struct compare_builder *b, bool of_new)
{
	const struct comparison *c = b->comparison;
	const double total = of_new ? c->measure[0].new.total.mean : c->measure[0].base.total.mean;
	struct arena *arena = b->report->arena;
	struct lonely_row *lonely = arena_array(arena, c->count, sizeof(*lonely));
	const char *part[NAMED_MOST + 1];
	size_t count = 0, parts = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct compared *v = &c->row[i].value[0];
		const struct run_row *own = of_new ? v->new : v->base,
				     *other = of_new ? v->base : v->new;

		if (own && !other && own->mean > 0 && total > 0)
			lonely[count++] = (struct lonely_row){i, own->mean / total};
	}
	if (!count)
		return "";
	qsort(lonely, count, sizeof(*lonely), compare_shares);
	for (size_t i = 0; i < count && i < NAMED_MOST; i++)
		part[parts++] = arena_printf(arena, "%s %s", b->short_name[lonely[i].row],
			phrase_percent(arena, lonely[i].share));
	if (count > NAMED_MOST)
		part[parts++] = arena_printf(arena, "%zu more", count - NAMED_MOST);
	return arena_printf(arena, " (%s)", phrase_list(arena, part, parts));
}

static const char *phrase_share(const struct compare_builder *b, bool of_new)
{
	const size_t rows =
		of_new ? b->comparison->pairing.only_new : b->comparison->pairing.only_base;

	return rows ? phrase_percent(b->report->arena,
			      of_new ? b->comparison->unmatched_new : b->comparison->unmatched_base)
		    : "none";
}

void compare_answer_unmatched(struct compare_builder *b)
{
	const struct comparison *c = b->comparison;
	const struct measure *measure = compare_measure_of(b, 0);
	const char *what = measure->id == MEASURE_TIME ? "op time" : measure->name;

	if (!compare_is_of_runtimes(b) || c->new_is_base)
		return;
	if (!c->pairing.only_base && !c->pairing.only_new) {
		report_answer(b->report,
			"Every %s of base and new has a partner on the other side.",
			b->build->row_noun);
		return;
	}
	if (c->benchmarks) {
		report_answer(b->report,
			"Without a partner on the other side: %zu %s of base, %zu of new.",
			c->pairing.only_base, phrase_noun(b->build, c->pairing.only_base),
			c->pairing.only_new);
		return;
	}
	report_answer(b->report,
		"Without a partner on the other side: %s of the %s of base%s, %s of that of new%s.",
		phrase_share(b, false), what, name_lonely(b, false), phrase_share(b, true),
		name_lonely(b, true));
}

/* ---- the table ---- */

enum sides_column { SIDES_SIDE, SIDES_PROFILER, SIDES_GRID, SIDES_UNMATCHED, SIDES_ROWS };

struct sides_line {
	const struct compare_builder *b;
	bool of_new;
};

static struct cell sides_cell(const struct column *column, const void *from)
{
	const struct sides_line *line = from;
	const struct comparison *c = line->b->comparison;
	const struct run_side *run = line->of_new ? &line->b->new->run : &line->b->base->run;

	switch ((enum sides_column)column->index) {
	case SIDES_SIDE:
		return cell_text(line->of_new ? "new" : "base");
	case SIDES_PROFILER:
		return cell_text(run->self->format_title);
	case SIDES_GRID:
		return run->steps->time_resolution_ps > 0 && !grid_is_rough(&run->steps->grid)
			       ? cell_real(run->steps->time_resolution_ps)
			       : cell_blank();
	case SIDES_UNMATCHED:
		return cell_real(line->of_new ? c->unmatched_new : c->unmatched_base);
	case SIDES_ROWS:
		break;
	}
	return cell_integer((int64_t)(line->of_new ? c->pairing.only_new : c->pairing.only_base));
}

void compare_add_sides(struct compare_builder *b)
{
	static const struct column columns[] = {[SIDES_SIDE] = {.stat = "side"},
		[SIDES_PROFILER] = {.stat = "profiler"},
		[SIDES_GRID] = {.stat = "grid",
			.dimension = DIMENSION_TIME,
			.digits = 12,
			.align = ALIGN_RIGHT},
		[SIDES_UNMATCHED] = {.stat = "unmatched",
			.dimension = DIMENSION_FRACTION,
			.digits = 12,
			.align = ALIGN_RIGHT},
		[SIDES_ROWS] = {.stat = "unmatched_rows",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT}};
	struct table *table;

	if (!compare_is_of_runtimes(b))
		return;
	table = report_append_table(b->report, "sides");
	report_add_columns(
		b->report, table, sides_cell, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < 2; i++)
		report_make_row(b->report, table, &(struct sides_line){b, i == 1});
}

void compare_notes_map(struct compare_builder *b)
{
	if (!b->opt->dead_map_count)
		return;
	report_note(b->report, "!", "--map", "%zu rule%s of the map match%s no %s: %s",
		b->opt->dead_map_count, b->opt->dead_map_count == 1 ? "" : "s",
		b->opt->dead_map_count == 1 ? "es" : "", b->build->row_noun,
		phrase_list(b->report->arena, b->opt->dead_map,
			b->opt->dead_map_count < DEAD_NAMED ? b->opt->dead_map_count : DEAD_NAMED));
}
