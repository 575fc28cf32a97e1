/*
 * Words and rows of the parts of devices.
 */
#include "report/compare/build_compare_words.h"

#include <math.h>
#include <stdlib.h>
#include "analysis/compare/compared_step.h"
#include "base/text.h"
#include "base/order.h"
#include "report/build_tables.h"

#define DEVICES_SHOWN 4
#define PART_MOST 0.5	   /* of all that changed: one part is the answer */
#define PART_SECOND 0.01   /* of the first: the second is named, too */
#define WINDOW_LEAST 0.005 /* of the window in base: a smaller change needs no explanation */

static const struct compared_devices *devices_of(const struct compare_builder *b)
{
	return &b->comparison->devices;
}

static double zero_if_nan(double value)
{
	return isnan(value) ? 0 : value;
}

/* "gpu:0"; "gpu:3 -> gpu:1" where the sides call it differently. */
static const char *device_name(
	const struct compare_builder *b, const struct compared_device *device)
{
	const char *base = device->base, *new = device->new;

	if (!base || !new || text_equal(base, new))
		return phrase_visible(arena_of(b), base ? base : new);
	return arena_printf(arena_of(b), "%s -> %s", phrase_visible(arena_of(b), base),
		phrase_visible(arena_of(b), new));
}

static const char *part_phrase(enum compared_part part)
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

/* 0 on both sides, or known on none. */
static bool is_empty(const struct compared *v)
{
	return zero_if_nan(v->base_mean) == 0 && zero_if_nan(v->new_mean) == 0;
}

/* ---- the sentence ---- */

/* The two parts of the window that changed most, larger first; the sum of all changes. */
static double largest_parts(const struct compared_device *device, enum compared_part most[2])
{
	double sum = 0;

	most[0] = PART_COMPUTE;
	most[1] = PART_COMMUNICATION;
	for (int p = 0; p < PARTS_OF_WINDOW; p++) {
		double change = fabs(device->part[p].difference);

		sum += change;
		if (p == 0)
			continue;
		if (change > fabs(device->part[most[0]].difference)) {
			most[1] = most[0];
			most[0] = (enum compared_part)p;
		} else if (most[1] == most[0] || change > fabs(device->part[most[1]].difference)) {
			most[1] = (enum compared_part)p;
		}
	}
	return sum;
}

/* The device whose window changed most; NULL: none that both sides have. */
static const struct compared_device *changed_device(const struct compare_builder *b)
{
	const struct compared_device *found = NULL;

	for (size_t i = 0; i < devices_of(b)->count; i++) {
		const struct compared_device *device = &devices_of(b)->device[i];
		const struct compared *window = &device->part[PART_WINDOW];

		if (window->base && window->new &&
			(!found || fabs(window->difference) >
					   fabs(found->part[PART_WINDOW].difference)))
			found = device;
	}
	return found;
}

void compare_answer_parts(struct compare_builder *b)
{
	const enum verdict verdict = compared_step(b->comparison)->verdict;
	const struct compared_device *device = changed_device(b);
	const struct compared *window, *first, *second;
	const struct unit *unit;
	enum compared_part most[2];
	double sum;

	if (!device || b->comparison->new_is_base || verdict == VERDICT_SAME ||
		verdict == VERDICT_INCONCLUSIVE)
		return;
	window = &device->part[PART_WINDOW];
	sum = largest_parts(device, most);
	first = &device->part[most[0]];
	second = &device->part[most[1]];
	if (!(fabs(window->difference) >= WINDOW_LEAST * window->base_mean) ||
		!(fabs(first->difference) >= PART_MOST * sum) ||
		first->difference * window->difference <= 0)
		return;
	unit = unit_choose(DIMENSION_TIME, fabs(first->difference));
	report_answer(b->report, "What changed on %s: %s %s a step%s.", device_name(b, device),
		part_phrase(most[0]), phrase_difference(arena_of(b), unit, first->difference, true),
		fabs(second->difference) >= PART_SECOND * fabs(first->difference)
			? arena_printf(arena_of(b), ", %s %s", part_phrase(most[1]),
				  phrase_difference(arena_of(b), unit, second->difference, true))
			: "");
}

/* ---- the tables ---- */

/* Sources of the cells of a row. */
struct part_line {
	const struct compare_builder *b;
	const char *device, *part;
	const char *base_device, *new_device; /* of files; NULL: none */
	const struct compared *value;	      /* NULL: a row without numbers */
	const struct unit *unit;	      /* of people: of the difference */
};

enum part_column {
	PART_DEVICE,
	PART_NAME,
	PART_BASE,
	PART_NEW,
	PART_CHANGE,
	PART_INTERVAL,
	PART_DIFFERENCE,
	/* of files */
	PART_BASE_DEVICE,
	PART_NEW_DEVICE,
	PART_LOW,
	PART_HIGH,
	PART_LEVEL,
	PART_P,
};

static bool is_bounded(const struct compared *v)
{
	return isfinite(v->low) && isfinite(v->high) && v->evidence != EVIDENCE_EXACT;
}

static struct cell interval_cell(const struct part_line *line)
{
	const struct compared *v = line->value;

	if (!is_bounded(v))
		return cell_blank();
	return cell_text(phrase_bounds(arena_of(line->b), v->low, v->high, 0));
}

static struct cell change_cell(const struct part_line *line)
{
	const struct compared *v = line->value;

	if (!v->base != !v->new)
		return cell_text(v->base ? "gone" : "new");
	/* Without a base there is no change in percent. */
	if (v->change > FACTOR_FROM)
		return cell_text(phrase_factor(arena_of(line->b), v->change));
	return isnan(v->change) ? cell_blank() : cell_real(v->change);
}

static struct cell number_cell(enum part_column column, const struct part_line *line)
{
	const struct compared *v = line->value;

	switch (column) {
	case PART_BASE:
		return cell_real(v->base_mean);
	case PART_NEW:
		return cell_real(v->new_mean);
	case PART_CHANGE:
		return line->unit ? change_cell(line) : cell_real(v->change);
	case PART_INTERVAL:
		return interval_cell(line);
	case PART_LOW:
		return cell_real(is_bounded(v) ? v->low : NAN);
	case PART_HIGH:
		return cell_real(is_bounded(v) ? v->high : NAN);
	case PART_LEVEL:
		return cell_real(is_bounded(v) ? v->level : NAN);
	case PART_P:
		return cell_real(v->p);
	default:
		return cell_real(
			line->unit ? v->difference / (double)line->unit->factor : v->difference);
	}
}

static struct cell part_cell(const struct column *column, const void *from)
{
	const struct part_line *line = from;

	switch ((enum part_column)column->index) {
	case PART_DEVICE:
		return cell_text(line->device);
	case PART_NAME:
		return line->part ? cell_text(line->part) : cell_blank();
	case PART_BASE_DEVICE:
		return cell_text(line->base_device);
	case PART_NEW_DEVICE:
		return cell_text(line->new_device);
	default:
		break;
	}
	return line->value ? number_cell((enum part_column)column->index, line) : cell_blank();
}

static void add_display_columns(struct compare_builder *b, const struct unit *unit)
{
	struct arena *arena = arena_of(b);
	const struct column mean = {.measure = "time",
		.dimension = DIMENSION_TIME,
		.unit = unit,
		.decimals = 2,
		.align = ALIGN_RIGHT};
	struct column columns[] = {[PART_DEVICE] = {.stat = "device"},
		[PART_NAME] = {.stat = "part"},
		[PART_BASE] = mean,
		[PART_NEW] = mean,
		[PART_CHANGE] = {.stat = "change",
			.dimension = DIMENSION_FRACTION,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true},
		[PART_INTERVAL] = {.stat = "interval",
			.title = arena_printf(
				arena, "[%s]", phrase_level(arena, b->opt->confidence)),
			.align = ALIGN_RIGHT,
			.drop = 1},
		[PART_DIFFERENCE] = {.stat = "difference",
			.title = arena_printf(arena, "%s/step", unit->name),
			.decimals = 2,
			.align = ALIGN_RIGHT,
			.show_sign = true}};

	columns[PART_BASE].stat = "base";
	columns[PART_NEW].stat = "new";
	report_add_columns(b->report, &b->report->before, part_cell, columns,
		sizeof(columns) / sizeof(*columns));
}

/* Hidden communication is in compute already: in files alone. */
static void add_display(struct compare_builder *b)
{
	const struct compared_devices *devices = devices_of(b);
	/* One unit for all, that of the largest window. */
	const struct unit *asked = unit_given(b->build, DIMENSION_TIME);
	double largest = 0;

	for (size_t i = 0; i < devices_of(b)->count; i++) {
		const struct compared *window = &devices_of(b)->device[i].part[PART_WINDOW];

		largest = fmax(largest, zero_if_nan(window->base_mean));
		largest = fmax(largest, zero_if_nan(window->new_mean));
	}
	struct part_line line = {
		.b = b, .unit = asked ? asked : unit_choose(DIMENSION_TIME, largest)};
	const size_t beyond = devices->count > DEVICES_SHOWN ? devices->count - DEVICES_SHOWN : 0;

	b->report->before.name = "parts";
	add_display_columns(b, line.unit);
	for (size_t i = 0; i < devices->count; i++) {
		line.device = device_name(b, &devices->device[i]);
		for (int p = 0; p < PART_HIDDEN; p++) {
			struct row *row;

			line.part = part_phrase((enum compared_part)p);
			line.value = &devices->device[i].part[p];
			if (is_empty(line.value))
				continue;
			row = report_make_row(b->report, &b->report->before, &line);
			row->on_screen = i < DEVICES_SHOWN || b->build->top == SIZE_MAX;
			row->role = p == PART_WINDOW ? ROW_TOTAL : ROW_BODY;
			row->band = compare_band(b->report, line.value);
		}
	}
	if (beyond && b->build->top != SIZE_MAX) {
		struct part_line more = {.b = b,
			.device = arena_printf(arena_of(b), "[%zu more device%s]", beyond,
				beyond == 1 ? "" : "s")};

		report_make_row(b->report, &b->report->before, &more)->in_files = false;
	}

	/* Beside the devices: its ops add up over threads, not to the window. */
	const struct compared *const host[] = {
		&devices_of(b)->host_ops, &devices_of(b)->host_waiting};
	static const char *const part[] = {"ops", "ops: waiting"};

	line.device = "host";
	for (size_t i = 0; i < 2; i++) {
		line.part = part[i];
		line.value = host[i];
		if (!is_empty(host[i]))
			report_make_row(b->report, &b->report->before, &line);
	}
}

static void add_data_columns(struct compare_builder *b, struct table *table)
{
	static const struct {
		enum part_column column;
		const char *stat;
		enum dimension dimension;
		int digits;
	} number[] = {
		{PART_BASE, "base", DIMENSION_TIME, 15},
		{PART_NEW, "new", DIMENSION_TIME, 15},
		{PART_DIFFERENCE, "difference", DIMENSION_TIME, 15},
		{PART_CHANGE, "change", DIMENSION_FRACTION, 15},
		{PART_LOW, "low", DIMENSION_FRACTION, 12},
		{PART_HIGH, "high", DIMENSION_FRACTION, 12},
		{PART_LEVEL, "level", DIMENSION_FRACTION, 12},
		{PART_P, "p", DIMENSION_NONE, 12},
	};
	static const struct {
		enum part_column column;
		const char *name;
	} text[] = {{PART_BASE_DEVICE, "base_device"}, {PART_NEW_DEVICE, "new_device"},
		{PART_NAME, "part"}};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		struct column *column = report_text_column(b->report, table, text[i].name);

		column->make = part_cell;
		column->index = text[i].column;
	}
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++) {
		struct column *column = report_add_column(b->report, table);

		column->measure = "time";
		column->stat = column->title = number[i].stat;
		column->dimension = number[i].dimension;
		column->unit = unit_given(b->build, number[i].dimension);
		column->digits = number[i].digits;
		column->make = part_cell;
		column->index = number[i].column;
	}
}

/* Every part that a side knows; first the step itself. */
static void add_data(struct compare_builder *b)
{
	const struct compared_devices *devices = devices_of(b);
	struct part_line line = {.b = b};
	struct table *table = &b->report->more[b->report->more_count++];

	*table = (struct table){.name = "parts"};
	add_data_columns(b, table);
	if (b->comparison->step_times != STEP_TIMES_NONE) {
		line.part = "step_time";
		line.value = &b->comparison->step_time;
		report_make_row(b->report, table, &line);
	}
	for (size_t i = 0; i < devices->count; i++) {
		line.base_device = devices->device[i].base;
		line.new_device = devices->device[i].new;
		for (int p = 0; p < PARTS; p++) {
			line.part = compared_part_name((enum compared_part)p);
			line.value = &devices->device[i].part[p];
			if (line.value->base || line.value->new)
				report_make_row(b->report, table, &line);
		}
	}
	line.base_device = line.new_device = NULL;
	for (size_t i = 0; i < 2; i++) {
		line.part = step_series_name(i ? SERIES_HOST_WAITING : SERIES_HOST_OPS);
		line.value = i ? &devices->host_waiting : &devices->host_ops;
		if (devices->count && (line.value->base || line.value->new))
			report_make_row(b->report, table, &line);
	}
}

void compare_add_parts(struct compare_builder *b)
{
	if (b->comparison->step_times != STEP_TIMES_DECIDE && !devices_of(b)->count)
		return;
	b->report->more = arena_array(arena_of(b), 1, sizeof(*b->report->more));
	add_data(b);
	if (devices_of(b)->count)
		add_display(b);
}

/*
 * Two runtimes side by side.
 */

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
