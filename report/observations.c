/*
 * The CSV of observations.
 */
#include "report/observations.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "report/csv_field.h"

struct exporter {
	const struct cube *cube;
	const struct step_set *steps;
	const struct observations_options *opt;
	struct text *line; /* of the output, reused */
	uint32_t *place;
	int64_t **value; /* per measure: of each kept step */
	unsigned char **state;
};

static const struct unit *unit_of(const struct exporter *e, enum measure_id id)
{
	switch (measure_at(id)->dimension) {
	case DIMENSION_TIME:
		return e->opt->time_unit ? e->opt->time_unit : unit_lookup("us");
	case DIMENSION_BYTES:
		return e->opt->bytes_unit ? e->opt->bytes_unit : unit_lookup("B");
	default:
		return unit_lookup("count");
	}
}

static bool is_static(const struct exporter *e, size_t m)
{
	return measure_at(e->opt->measure[m])->kind == MEASURE_STATIC;
}

/* value / factor as an exact decimal where the factor is a power of ten, else with 15 digits. */
static void put_value(const struct exporter *e, size_t m, int64_t value)
{
	const struct unit *unit = unit_of(e, e->opt->measure[m]);
	int64_t factor = unit ? unit->factor : 1, rest = value % factor, scale = factor;
	char digits[NUMBER_TEXT_SIZE];
	int decimals = 0;

	if (!rest) {
		text_add(e->line, number_format_int(digits, value / factor));
		return;
	}
	while (scale % 10 == 0) {
		scale /= 10;
		decimals++;
	}
	if (scale != 1) {
		text_add(e->line, number_format_real(digits, (double)value / (double)factor, 15));
		return;
	}
	rest = rest < 0 ? -rest : rest;
	while (rest % 10 == 0) {
		rest /= 10;
		decimals--;
	}
	text_printf(e->line, "%s%s.%0*lld", value < 0 && value > -factor ? "-" : "",
		number_format_int(digits, value / factor), decimals, (long long)rest);
}

static void put_header(const struct exporter *e)
{
	if (!e->opt->wide) {
		text_add(e->line, "run,step,op,measure,value,unit\n");
		return;
	}
	text_add(e->line, "run,step,op,type,device");
	for (size_t m = 0; m < e->opt->measure_count; m++) {
		const struct measure *measure = measure_at(e->opt->measure[m]);

		text_printf(e->line, ",%s", measure->name);
		if (measure->dimension != DIMENSION_COUNT)
			text_printf(e->line, "_%s", unit_of(e, measure->id)->key);
	}
	text_add(e->line, "\n");
}

static void put_key(const struct exporter *e, size_t i, const char *op)
{
	const struct step *step = &e->cube->step[e->steps->step[i]];
	char digits[NUMBER_TEXT_SIZE];

	csv_field(e->line, step->run, false);
	text_printf(e->line, ",%s,", number_format_int(digits, step->number));
	csv_field(e->line, op, false);
}

static void put_long(const struct exporter *e, const struct group *group, size_t i)
{
	for (size_t m = 0; m < e->opt->measure_count; m++) {
		const struct measure *measure = measure_at(e->opt->measure[m]);

		if (is_static(e, m) || !e->state[m][i])
			continue;
		put_key(e, i, group->name);
		text_printf(e->line, ",%s,", measure->name);
		if (e->state[m][i] == 1)
			put_value(e, m, e->value[m][i]);
		text_printf(e->line, ",%s\n", unit_of(e, measure->id)->key);
	}
}

static void put_static(const struct exporter *e, const struct group *group)
{
	for (size_t m = 0; m < e->opt->measure_count; m++) {
		int64_t value;

		if (!is_static(e, m) ||
			!grouping_static(e->cube, group, e->opt->measure[m], &value))
			continue;
		text_add(e->line, ",,");
		csv_field(e->line, group->name, false);
		text_printf(e->line, ",%s,", measure_at(e->opt->measure[m])->name);
		put_value(e, m, value);
		text_add(e->line, ",count\n");
	}
}

static void put_wide(const struct exporter *e, const struct group *group, size_t i)
{
	put_key(e, i, group->name);
	text_add(e->line, ",");
	csv_field(e->line, group->type, false);
	text_add(e->line, ",");
	csv_field(e->line, group->device, false);
	for (size_t m = 0; m < e->opt->measure_count; m++) {
		int64_t value;

		text_add(e->line, ",");
		if (is_static(e, m)) {
			if (grouping_static(e->cube, group, e->opt->measure[m], &value))
				put_value(e, m, value);
		} else if (e->state[m][i] == 1) {
			put_value(e, m, e->value[m][i]);
		}
	}
	text_add(e->line, "\n");
}

static void put_group(const struct exporter *e, const struct group *group)
{
	for (size_t m = 0; m < e->opt->measure_count; m++)
		if (!is_static(e, m))
			grouping_values(e->cube, group, e->opt->measure[m], e->place,
				e->steps->count, e->value[m], e->state[m]);
	if (!e->opt->wide)
		put_static(e, group);
	for (size_t i = 0; i < e->steps->count; i++) {
		bool present = false;

		for (size_t m = 0; m < e->opt->measure_count; m++)
			present |= !is_static(e, m) && e->state[m][i];
		if (!present)
			continue;
		if (e->opt->wide)
			put_wide(e, group, i);
		else
			put_long(e, group, i);
	}
}

void observations_write(const struct cube *cube, const struct step_set *steps,
	const struct grouping *grouping, const struct observations_options *opt,
	struct outfile *out)
{
	struct arena *arena = arena_new();
	struct text line;
	struct exporter e = {.cube = cube, .steps = steps, .opt = opt, .line = &line};

	e.place = arena_array(arena, cube->step_count, sizeof(uint32_t));
	memset(e.place, 0xff, cube->step_count * sizeof(uint32_t));
	for (uint32_t i = 0; i < steps->count; i++)
		e.place[steps->step[i]] = i;
	e.value = arena_array(arena, opt->measure_count, sizeof(*e.value));
	e.state = arena_array(arena, opt->measure_count, sizeof(*e.state));
	for (size_t m = 0; m < opt->measure_count; m++) {
		e.value[m] = arena_array(arena, steps->count, sizeof(int64_t));
		e.state[m] = arena_array(arena, steps->count, 1);
	}
	text_init(&line);
	put_header(&e);
	for (size_t g = 0; g < grouping->count; g++) {
		put_group(&e, &grouping->group[g]);
		outfile_write(out, line.data, line.size);
		text_clear(&line);
	}
	outfile_write(out, line.data, line.size);
	text_release(&line);
	arena_free(arena);
}
