/*
 * A list of series, with the place of each by its device and kind: a file may have thousands of
 * devices.
 */
#include "model/step_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/text.h"
#include "model/profile.h"

static const char *const names[SERIES_KINDS] = {
	[SERIES_MARKER] = "marker",
	[SERIES_LAUNCH] = "launch",
	[SERIES_PERIOD] = "period",
	[SERIES_SPAN] = "span",
	[SERIES_HOST_OPS] = "host_ops",
	[SERIES_HOST_WAITING] = "host_waiting",
	[SERIES_COMPUTE] = "compute",
	[SERIES_COMMUNICATION] = "communication_alone",
	[SERIES_COPIES] = "copies_alone",
	[SERIES_IDLE] = "idle",
	[SERIES_HIDDEN] = "communication_hidden",
	[SERIES_HOST_LATE] = "idle_host_late",
	[SERIES_WAITED] = "idle_waiting",
	[SERIES_GAPS] = "idle_short_gaps",
};

const char *step_series_name(enum step_series_kind kind)
{
	return names[kind];
}

bool step_series_kind_of(const char *name, enum step_series_kind *out)
{
	for (enum step_series_kind kind = 0; kind < SERIES_KINDS; kind++)
		if (strcmp(names[kind], name) == 0) {
			*out = kind;
			return true;
		}
	return false;
}

/* Places in the list from 1; 0: there is no such series. */
struct step_series_index {
	struct intern *device;
	uint32_t (*place)[SERIES_KINDS]; /* of each device */
	size_t room;
};

static struct step_series *find(
	const struct step_series_list *list, enum step_series_kind kind, const char *device)
{
	uint32_t id, place = 0;

	if (list->index && intern_find(list->index->device, device, strlen(device), &id))
		place = list->index->place[id][kind];
	return place ? &list->item[place - 1] : NULL;
}

static uint32_t *place_of(
	struct step_series_list *list, struct arena *arena, const struct step_series *series)
{
	struct step_series_index *index = list->index;
	size_t count;
	uint32_t id;

	if (!index) {
		list->index = index = arena_array(arena, 1, sizeof(*index));
		index->device = intern_new(arena);
	}
	count = intern_count(index->device);
	id = intern_id(index->device, series->device, strlen(series->device));
	index->place =
		arena_make_room(arena, index->place, count, &index->room, sizeof(*index->place));
	if (id == count)
		memset(index->place[id], 0, sizeof(index->place[id]));
	return &index->place[id][series->kind];
}

bool step_series_is_of_slowest(enum step_series_kind kind)
{
	return kind <= SERIES_SPAN;
}

int64_t *step_series_add(struct step_series_list *list, struct arena *arena,
	enum step_series_kind kind, const char *device, size_t steps)
{
	struct step_series *series = find(list, kind, device);

	if (series)
		return series->value_ps;
	list->item =
		arena_make_room(arena, list->item, list->count, &list->room, sizeof(*list->item));
	series = &list->item[list->count++];
	/* Series of the step are in order of kind, whichever was known first. */
	for (; !*device && series > list->item && !*series[-1].device && series[-1].kind > kind;
		series--) {
		series[0] = series[-1];
		++*place_of(list, arena, series);
	}
	series->kind = kind;
	series->device = arena_strdup(arena, device);
	*place_of(list, arena, series) = (uint32_t)(series - list->item) + 1;
	series->value_ps = arena_array(arena, steps, sizeof(*series->value_ps));
	for (size_t s = 0; s < steps; s++)
		series->value_ps[s] = CELL_ABSENT;
	return series->value_ps;
}

void step_series_join(struct step_series_list *into, struct arena *arena, size_t steps,
	const struct step_series_list *from, size_t from_steps, const uint32_t *map)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct step_series *series = &from->item[i];
		int64_t *value = step_series_add(into, arena, series->kind, series->device, steps);

		for (size_t s = 0; s < from_steps; s++)
			if (!map)
				value[s] = series->value_ps[s];
			else if (map[s] != UINT32_MAX)
				value[map[s]] = series->value_ps[s];
	}
}

const int64_t *step_series_find(
	const struct step_series_list *list, enum step_series_kind kind, const char *device)
{
	const struct step_series *series = find(list, kind, device);

	return series ? series->value_ps : NULL;
}

double step_series_value(const int64_t *value_ps, size_t step)
{
	return value_ps && value_ps[step] != CELL_ABSENT ? (double)value_ps[step] : NAN;
}

void device_series_find(
	const struct step_series_list *list, const char *device, struct device_series *out)
{
	*out = (struct device_series){{NULL}};
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_KINDS; kind++)
		out->value_ps[kind] = step_series_find(list, kind, device);
}

double device_series_sum(const struct device_series *series, enum step_series_kind to, size_t step)
{
	double sum = 0;

	for (enum step_series_kind kind = SERIES_COMPUTE; kind <= to; kind++)
		sum += step_series_value(series->value_ps[kind], step);
	return sum;
}

static int compare_devices(const void *a, const void *b)
{
	return text_compare_natural(*(const char *const *)a, *(const char *const *)b);
}

size_t step_series_devices(
	const struct step_series_list *list, struct arena *arena, const char ***out)
{
	const char **device = arena_array(arena, list->count, sizeof(*device));
	size_t n = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].kind == SERIES_COMPUTE)
			device[n++] = list->item[i].device;
	if (n)
		qsort(device, n, sizeof(*device), compare_devices);
	*out = device;
	return n;
}
