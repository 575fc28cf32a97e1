/*
 * Columns that grow with the steps; at the end they become arrays of all steps.
 */
#include "ingest/table/step_values.h"

#include <string.h>
#include "base/memory.h"

#define LEFT_OUT UINT32_MAX /* a series past the cap */

struct step_values_series {
	enum step_series_kind kind;
	const char *device;
	int64_t *value;
	size_t count, room;
};

void step_values_init(
	struct step_values *values, struct profile *out, const struct profile_limits *limits)
{
	*values = (struct step_values){
		.out = out, .arena = arena_new(), .most = limits->observations};
	values->keys = intern_new(values->arena);
}

uint32_t step_values_series(
	struct step_values *values, enum step_series_kind kind, const char *device)
{
	const char *key = arena_printf(values->arena, "%s %s", step_series_name(kind), device);
	uint32_t id;

	if (intern_find(values->keys, key, strlen(key), &id))
		return id;
	if (intern_count(values->keys) == STEP_VALUES_MOST)
		return LEFT_OUT;
	id = intern_id(values->keys, key, strlen(key));
	values->series = memory_make_room(
		values->series, &values->series_room, (size_t)id + 1, sizeof(*values->series));
	values->series[id] = (struct step_values_series){
		.kind = kind, .device = arena_strdup(values->arena, device)};
	return id;
}

/* Room for the values of all steps up to this one; false when that is too much. */
static bool make_room(struct step_values *values, struct step_values_series *series, uint32_t step)
{
	const size_t before = series->room;

	if (step < series->count)
		return true;
	if (values->cells - before > values->most ||
		step >= values->most - (values->cells - before))
		return false;
	series->value = memory_make_room(
		series->value, &series->room, (size_t)step + 1, sizeof(*series->value));
	values->cells += series->room - before;
	while (series->count <= step)
		series->value[series->count++] = CELL_ABSENT;
	return true;
}

enum step_value_result step_values_set(
	struct step_values *values, uint32_t series, uint32_t step, int64_t value_ps)
{
	int64_t *into;

	if (series == LEFT_OUT || !make_room(values, &values->series[series], step)) {
		values->dropped++;
		return STEP_VALUE_SET;
	}
	into = &values->series[series].value[step];
	if (*into != CELL_ABSENT)
		return *into == value_ps ? STEP_VALUE_SAME : STEP_VALUE_DIFFERS;
	*into = value_ps;
	return STEP_VALUE_SET;
}

void step_values_finish(struct step_values *values)
{
	const size_t steps = values->out->step_count, count = intern_count(values->keys);
	const size_t fit = steps ? values->most / steps : count; /* series of this many steps */

	for (size_t i = 0; i < count; i++) {
		const struct step_values_series *from = &values->series[i];
		int64_t *into;

		if (i >= fit) {
			values->dropped += from->count;
			continue;
		}
		into = step_series_add(
			&values->out->series, values->out->arena, from->kind, from->device, steps);
		if (from->count)
			memcpy(into, from->value, from->count * sizeof(*into));
	}
	issue_add(&values->out->issues, ISSUE_LOSS, "step-series-limit",
		"durations of steps, of more devices and steps than are kept", values->dropped,
		values->out->path);
}

void step_values_release(struct step_values *values)
{
	for (uint32_t i = 0; i < intern_count(values->keys); i++)
		memory_free(values->series[i].value);
	memory_free(values->series);
	arena_free(values->arena);
}
