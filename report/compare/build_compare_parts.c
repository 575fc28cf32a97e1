/* Words and rows of the parts of devices. */
#include <math.h>
#include <stdlib.h>
#include "analysis/compare/compared_step.h"
#include "base/order.h"
#include "base/text.h"
#include "report/build_tables.h"
#include "report/compare/build_compare_words.h"

#define DEVICES_SHOWN 4

static const struct compared_devices *devices_of(const struct compare_builder *b)
{
	return &b->comparison->devices;
}

static double zero_if_nan(double value)
{
	return isnan(value) ? 0 : value;
}

const char *compare_device_words(
	const struct compare_builder *b, const struct compared_device *device)
{
	const char *base = device->base, *new = device->new;

	if (!base || !new || text_equal(base, new))
		return phrase_visible(arena_of(b), base ? base : new);
	return arena_printf(arena_of(b), "%s -> %s", phrase_visible(arena_of(b), base),
		phrase_visible(arena_of(b), new));
}

const char *compare_part_words(enum compared_part part)
{
	static const char *const phrase[PARTS] = {
		[PART_COMPUTE] = "compute",
		[PART_COMMUNICATION] = "communication alone",
		[PART_COPIES] = "copies alone",
		[PART_IDLE] = "idle",
		[PART_HOST_LATE] = "idle: host late",
		[PART_WAITED] = "idle: waiting",
		[PART_GAPS] = "idle: short gaps",
		[PART_NO_CAUSE] = "idle: no known cause",
		[PART_WINDOW] = "window",
		[PART_HIDDEN] = "communication hidden",
	};

	return phrase[part];
}

const char *compare_host_words(const struct compare_builder *b, const char *name)
{
	return text_equal(name, STEP_SERIES_NOTHING)
		       ? "idle: host late, nothing recorded"
		       : arena_printf(arena_of(b), "idle: host late in %s",
				 phrase_cause(arena_of(b), name));
}

/* 0 on both sides, or known on none. */
static bool is_empty(const struct compared *v)
{
	return zero_if_nan(v->base_mean) == 0 && zero_if_nan(v->new_mean) == 0;
}

/* ---- the tables ---- */

static bool is_bounded(const struct compared *v)
{
	return isfinite(v->low) && isfinite(v->high) && v->evidence != EVIDENCE_EXACT;
}

static struct cell change_cell(const struct compare_builder *b, const struct compared *v)
{
	if (!v->base != !v->new)
		return cell_text(v->base ? "gone" : "new");
	/* Without a base there is no change in percent. */
	if (v->change > FACTOR_FROM)
		return cell_text(phrase_factor(arena_of(b), v->change));
	return isnan(v->change) ? cell_blank() : cell_real(v->change);
}

static struct row *add_line(const struct compare_builder *b, const struct unit *unit,
	const char *device, const char *part, const struct compared *v)
{
	return report_add_cells(b->report, &b->report->before,
		(const struct cell[]){cell_text(device), cell_text(part), cell_real(v->base_mean),
			cell_real(v->new_mean), change_cell(b, v),
			is_bounded(v) ? cell_text(phrase_bounds(arena_of(b), v->low, v->high, 0))
				      : cell_blank(),
			cell_real(v->difference / (double)unit->factor)});
}

#define SIDE_COLUMN(name)                                                                          \
	{                                                                                          \
		.stat = name, .measure = "time", .dimension = DIMENSION_TIME, .unit = unit,        \
		.decimals = 2, .align = ALIGN_RIGHT                                                \
	}

static void add_display_columns(struct compare_builder *b, const struct unit *unit)
{
	struct arena *arena = arena_of(b);
	const struct column columns[] = {{.stat = "device"}, {.stat = "part"}, SIDE_COLUMN("base"),
		SIDE_COLUMN("new"),
		{.stat = "change",
			.dimension = DIMENSION_FRACTION,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true},
		{.stat = "interval",
			.title = arena_printf(
				arena, "[%s]", phrase_level(arena, b->opt->confidence)),
			.align = ALIGN_RIGHT,
			.drop = 1},
		{.stat = "difference",
			.title = arena_printf(arena, "%s/step", unit->name),
			.decimals = 2,
			.align = ALIGN_RIGHT,
			.show_sign = true}};

	report_add_columns(
		b->report, &b->report->before, NULL, columns, sizeof(columns) / sizeof(*columns));
}

/* Causes on the screen: so many, down to this part of the window. */
#define CAUSES_SHOWN 3
#define CAUSE_LEAST 0.005

static void add_causes(struct compare_builder *b, const struct unit *unit,
	const struct compared_device *device, bool is_shown)
{
	const struct compared *window = &device->part[PART_WINDOW];
	const double least =
		CAUSE_LEAST * fmax(zero_if_nan(window->base_mean), zero_if_nan(window->new_mean));

	for (size_t i = 0; i < device->cause_count; i++) {
		const struct compared_cause *cause = &device->cause[i];
		struct row *row = add_line(b, unit, compare_device_words(b, device),
			compare_host_words(b, cause->name), &cause->value);

		row->on_screen =
			(is_shown && i < CAUSES_SHOWN &&
				fmax(cause->value.base_mean, cause->value.new_mean) >= least) ||
			b->build->top == SIZE_MAX;
		row->role = ROW_BODY;
		row->band = compare_band(b->report, &cause->value);
	}
}

/* Hidden communication is in compute already: in files alone. */
static void add_display(struct compare_builder *b)
{
	const struct compared_devices *devices = devices_of(b);
	/* One unit for all, that of the largest window. */
	const struct unit *unit = unit_given(b->build, DIMENSION_TIME);
	const size_t beyond = devices->count > DEVICES_SHOWN ? devices->count - DEVICES_SHOWN : 0;
	const bool all = b->build->top == SIZE_MAX;
	double largest = 0;

	for (size_t i = 0; i < devices->count; i++) {
		const struct compared *window = &devices->device[i].part[PART_WINDOW];

		largest = fmax(largest, zero_if_nan(window->base_mean));
		largest = fmax(largest, zero_if_nan(window->new_mean));
	}
	unit = unit ? unit : unit_choose(DIMENSION_TIME, largest);
	b->report->before.name = "parts";
	add_display_columns(b, unit);
	for (size_t i = 0; i < devices->count; i++)
		for (int p = 0; p < PART_HIDDEN; p++) {
			const struct compared *v = &devices->device[i].part[p];
			struct row *row;

			if (is_empty(v))
				continue;
			row = add_line(b, unit, compare_device_words(b, &devices->device[i]),
				compare_part_words((enum compared_part)p), v);
			row->on_screen = i < DEVICES_SHOWN || all;
			row->role = p == PART_WINDOW ? ROW_TOTAL : ROW_BODY;
			row->band = compare_band(b->report, v);
			if (p == PART_HOST_LATE)
				add_causes(b, unit, &devices->device[i], i < DEVICES_SHOWN || all);
		}
	if (beyond && !all) {
		struct row *more = report_add_row(b->report, &b->report->before);

		for (size_t c = 0; c < b->report->before.column_count; c++)
			more->cell[c] = cell_blank();
		more->cell[0] = cell_text(arena_printf(
			arena_of(b), "[%zu more device%s]", beyond, beyond == 1 ? "" : "s"));
		more->in_files = false;
	}
	/* Beside the devices: its ops add up over threads, not to the window. */
	if (!is_empty(&devices->host_ops))
		add_line(b, unit, "host", "ops", &devices->host_ops);
	if (!is_empty(&devices->host_waiting))
		add_line(b, unit, "host", "ops: waiting", &devices->host_waiting);
}

static struct table *add_data_table(struct compare_builder *b)
{
	struct table *table = report_spell_columns(b->report,
		report_append_table(b->report, "parts"), b->build, DIMENSION_NONE,
		"base_device new_device part base:t new:t difference:t change:f low:f high:f "
		"level:f p:x");

	for (size_t c = 3; c < table->column_count; c++) {
		table->column[c].measure = "time";
		if (c > 6)
			table->column[c].digits = 12;
	}
	return table;
}

static void add_data_row(const struct compare_builder *b, struct table *table,
	const struct compared_device *device, const char *part, const struct compared *v)
{
	report_add_cells(b->report, table,
		(const struct cell[]){cell_text(device ? device->base : NULL),
			cell_text(device ? device->new : NULL), cell_text(part),
			cell_real(v->base_mean), cell_real(v->new_mean), cell_real(v->difference),
			cell_real(v->change), cell_real(is_bounded(v) ? v->low : NAN),
			cell_real(is_bounded(v) ? v->high : NAN),
			cell_real(is_bounded(v) ? v->level : NAN), cell_real(v->p)});
}

static void add_data_causes(
	const struct compare_builder *b, struct table *table, const struct compared_device *device)
{
	for (size_t i = 0; i < device->cause_count; i++)
		add_data_row(b, table, device,
			arena_printf(arena_of(b), "%s %s", step_series_name(SERIES_LATE_OUTERMOST),
				device->cause[i].name),
			&device->cause[i].value);
}

/* Every part that a side knows; first the step itself. */
static void add_data(struct compare_builder *b)
{
	const struct compared_devices *devices = devices_of(b);
	struct table *table = add_data_table(b);

	if (b->comparison->step_times != STEP_TIMES_NONE)
		add_data_row(b, table, NULL, "step_time", &b->comparison->step_time);
	for (size_t i = 0; i < devices->count; i++)
		for (int p = 0; p < PARTS; p++) {
			const struct compared *v = &devices->device[i].part[p];

			if (v->base || v->new)
				add_data_row(b, table, &devices->device[i],
					compared_part_name((enum compared_part)p), v);
			if (p == PART_HOST_LATE)
				add_data_causes(b, table, &devices->device[i]);
		}
	for (size_t i = 0; i < 2; i++) {
		const struct compared *v = i ? &devices->host_waiting : &devices->host_ops;

		if (devices->count && (v->base || v->new))
			add_data_row(b, table, NULL,
				step_series_name(i ? SERIES_HOST_WAITING : SERIES_HOST_OPS), v);
	}
}

void compare_add_parts(struct compare_builder *b)
{
	if (b->comparison->step_times != STEP_TIMES_DECIDE && !devices_of(b)->count)
		return;
	add_data(b);
	if (devices_of(b)->count)
		add_display(b);
}

/* Two runtimes side by side. */

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
	return arena_printf(arena_of(b), ", times to %s",
		phrase_exact(arena_of(b), DIMENSION_TIME, steps->time_resolution_ps));
}

const char *compare_describe_profiler(
	const struct compare_builder *b, const struct compare_side *side)
{
	if (!b->opt->other_profiler)
		return "";
	return arena_printf(
		arena_of(b), ", %s%s", side->run.self->format_title, describe_grid(b, side));
}

/* ---- what has no partner ---- */

struct lonely_row {
	size_t row; /* index in the comparison */
	double share;
};

ORDERED(compare_shares, struct lonely_row, ORDER(y->share, x->share) ?: ORDER(x->row, y->row));

/* " (aten::add_ 5.3 %, aten::sum 1.2 % and 20 more)": the rows that only this side has, the largest
 * first; nothing where it has none. */
static const char *name_lonely(const struct compare_builder *b, bool of_new)
{
	const struct comparison *c = b->comparison;
	const double total = of_new ? c->measure[0].new.total.mean : c->measure[0].base.total.mean;
	struct arena *arena = arena_of(b);
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

	return rows ? phrase_percent(arena_of(b),
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

void compare_add_sides(struct compare_builder *b)
{
	static const struct column columns[] = {{.stat = "side"}, {.stat = "profiler"},
		NUMBER_COLUMN("grid", DIMENSION_TIME, 0),
		NUMBER_COLUMN("unmatched", DIMENSION_FRACTION, 0),
		NUMBER_COLUMN("unmatched_rows", DIMENSION_COUNT, 0)};
	const struct comparison *c = b->comparison;
	struct table *table;

	if (!compare_is_of_runtimes(b))
		return;
	table = report_append_table(b->report, "sides");
	report_add_columns(b->report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	table->column[2].digits = table->column[3].digits = 12;
	for (size_t i = 0; i < 2; i++) {
		const struct run_side *run = i ? &b->new->run : &b->base->run;
		const double grid = run->steps->time_resolution_ps;

		report_add_cells(b->report, table,
			(const struct cell[]){cell_text(i ? "new" : "base"),
				cell_text(run->self->format_title),
				grid > 0 && !grid_is_rough(&run->steps->grid) ? cell_real(grid)
									      : cell_blank(),
				cell_real(i ? c->unmatched_new : c->unmatched_base),
				cell_integer((
					int64_t)(i ? c->pairing.only_new : c->pairing.only_base))});
	}
}

void compare_notes_map(struct compare_builder *b)
{
	if (!b->opt->dead_map_count)
		return;
	report_note(b->report, "!", "--map", "%zu rule%s of the map match%s no %s: %s",
		b->opt->dead_map_count, b->opt->dead_map_count == 1 ? "" : "s",
		b->opt->dead_map_count == 1 ? "es" : "", b->build->row_noun,
		phrase_list(arena_of(b), b->opt->dead_map,
			b->opt->dead_map_count < DEAD_NAMED ? b->opt->dead_map_count : DEAD_NAMED));
}
