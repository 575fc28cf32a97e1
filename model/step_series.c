/* A list of series, with the place of each by its device and kind: a file may have thousands of
 * devices. */
#include "model/step_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/order.h"
#include "base/text.h"
#include "model/cube.h"
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
	[SERIES_LATE_OUTERMOST] = "host_late_outermost",
	[SERIES_LATE_INNERMOST] = "host_late_innermost",
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

bool step_series_is_one(enum step_series_kind kind, const char *device, const char *cause)
{
	return (kind >= SERIES_DEVICE_FIRST) == (*device != '\0') &&
	       (kind >= SERIES_PARTS_END) == (*cause != '\0');
}

/* Places in the list from 1; 0: there is no such series. */
struct step_series_index {
	struct intern *text;		 /* devices and causes */
	struct intern *pair;		 /* of their numbers */
	uint32_t (*place)[SERIES_KINDS]; /* of each pair */
	size_t room;
};

static struct step_series *find(const struct step_series_list *list, const struct step_series *like)
{
	const struct step_series_index *index = list->index;
	uint32_t pair[2], id, place = 0;

	if (index && intern_find(index->text, like->device, strlen(like->device), &pair[0]) &&
		intern_find(index->text, like->cause, strlen(like->cause), &pair[1]) &&
		intern_find(index->pair, (const char *)pair, sizeof(pair), &id))
		place = index->place[id][like->kind];
	return place ? &list->item[place - 1] : NULL;
}

static uint32_t *place_of(
	struct step_series_list *list, struct arena *arena, const struct step_series *series)
{
	struct step_series_index *index = list->index;
	uint32_t pair[2], id;
	size_t count;

	if (!index) {
		list->index = index = arena_array(arena, 1, sizeof(*index));
		index->text = intern_new(arena);
		index->pair = intern_new(arena);
	}
	pair[0] = intern_id(index->text, series->device, strlen(series->device));
	pair[1] = intern_id(index->text, series->cause, strlen(series->cause));
	count = intern_count(index->pair);
	id = intern_id(index->pair, (const char *)pair, sizeof(pair));
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

int64_t *step_series_add_like(struct step_series_list *list, struct arena *arena,
	const struct step_series *like, size_t steps)
{
	struct step_series *series = find(list, like);

	if (series)
		return series->value_ps;
	list->item =
		arena_make_room(arena, list->item, list->count, &list->room, sizeof(*list->item));
	series = &list->item[list->count++];
	/* Series of the step are in order of kind, whichever was known first. */
	for (; !*like->device && series > list->item && !*series[-1].device &&
		series[-1].kind > like->kind;
		series--) {
		series[0] = series[-1];
		++*place_of(list, arena, series);
	}
	*series = (struct step_series){.kind = like->kind,
		.device = arena_strdup(arena, like->device),
		.cause = arena_strdup(arena, like->cause)};
	*place_of(list, arena, series) = (uint32_t)(series - list->item) + 1;
	series->value_ps = arena_array(arena, steps, sizeof(*series->value_ps));
	for (size_t s = 0; s < steps; s++)
		series->value_ps[s] = CELL_ABSENT;
	return series->value_ps;
}

int64_t *step_series_add(struct step_series_list *list, struct arena *arena,
	enum step_series_kind kind, const char *device, size_t steps)
{
	return step_series_add_like(list, arena,
		&(struct step_series){.kind = kind, .device = device, .cause = ""}, steps);
}

void step_series_join(struct step_series_list *into, struct arena *arena, size_t steps,
	const struct step_series_list *from, size_t from_steps, const uint32_t *map)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct step_series *series = &from->item[i];
		int64_t *value = step_series_add_like(into, arena, series, steps);

		for (size_t s = 0; s < from_steps; s++)
			if (!map)
				value[s] = series->value_ps[s];
			else if (map[s] != UINT32_MAX)
				value[map[s]] = series->value_ps[s];
	}
}

const char *step_series_place(struct arena *arena, const char *device, const char *cause)
{
	return arena_printf(arena, "%s%s%s", device, *cause ? STEP_SERIES_IN : "", cause);
}

void step_series_fill_causes(struct step_series_list *list, size_t steps)
{
	struct arena *scratch = arena_new();
	struct intern *groups = intern_new(scratch); /* of kinds and devices */
	uint32_t *group = arena_array(scratch, list->count, sizeof(*group));
	bool *known;

	for (size_t i = 0; i < list->count; i++) {
		const struct step_series *series = &list->item[i];
		const char *key = arena_printf(scratch, "%d %s", (int)series->kind, series->device);

		group[i] = *series->cause ? intern_id(groups, key, strlen(key)) : UINT32_MAX;
	}
	known = arena_array(scratch, intern_count(groups), sizeof(*known));
	for (size_t s = 0; s < steps && intern_count(groups); s++) {
		memset(known, 0, intern_count(groups));
		for (size_t i = 0; i < list->count; i++)
			if (group[i] != UINT32_MAX && list->item[i].value_ps[s] != CELL_ABSENT)
				known[group[i]] = true;
		for (size_t i = 0; i < list->count; i++)
			if (group[i] != UINT32_MAX && known[group[i]] &&
				list->item[i].value_ps[s] == CELL_ABSENT)
				list->item[i].value_ps[s] = 0;
	}
	arena_free(scratch);
}

const int64_t *step_series_find(
	const struct step_series_list *list, enum step_series_kind kind, const char *device)
{
	const struct step_series *series =
		find(list, &(struct step_series){.kind = kind, .device = device, .cause = ""});

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
	for (enum step_series_kind kind = SERIES_DEVICE_FIRST; kind < SERIES_PARTS_END; kind++)
		out->value_ps[kind] = step_series_find(list, kind, device);
}

double device_series_sum(const struct device_series *series, enum step_series_kind to, size_t step)
{
	double sum = 0;

	for (enum step_series_kind kind = SERIES_COMPUTE; kind <= to; kind++)
		sum += step_series_value(series->value_ps[kind], step);
	return sum;
}

ORDERED(compare_devices, char *, text_compare_natural(*x, *y));

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

/* Every step of a cube has the same kind of step time: what only some have is not used. The period
 * alone is not known of every step: the last one of a run has none. It comes before the marker
 * where that is only the launch, and before the span where marks are points. */

static const enum step_series_kind series_of[] = {
	[STEP_TIME_MARKER] = SERIES_MARKER,
	[STEP_TIME_PERIOD] = SERIES_PERIOD,
	[STEP_TIME_SPAN] = SERIES_SPAN,
};

const char *step_time_name(enum step_time_kind kind)
{
	if (kind == STEP_TIME_AUTO || kind == STEP_TIME_NONE)
		return kind == STEP_TIME_AUTO ? "auto" : "none";
	return step_series_name(series_of[kind]);
}

/* A launch is a marker, too. The span of a step that nothing marks is from its start to its end. */
static int64_t time_of(const struct step *step, enum step_time_kind kind, int64_t recorded_ps)
{
	if (recorded_ps != CELL_ABSENT)
		return recorded_ps;
	return kind == STEP_TIME_SPAN && step->has_wall ? step->end_ps - step->start_ps
							: CELL_ABSENT;
}

static const int64_t *launches_of(const struct cube *cube)
{
	return step_series_find(&cube->series, SERIES_LAUNCH, "");
}

/* True if the times of the run reach to the ends of its work, because no step has a period. Where
 * some step has one, the last has none, unless the next mark is there and nothing ran in it. */
static bool ends_with_work(const struct cube *cube, const struct run *run)
{
	const struct step *step = &cube->step[run->step_first];
	const int64_t *time = &cube->times.time_ps[run->step_first];
	const size_t last = run->step_count - 1;

	for (size_t i = 0; i < last; i++)
		if (time[i] == step[i + 1].start_ps - step[i].start_ps)
			return false;
	return launches_of(cube) && time[last] != CELL_ABSENT &&
	       time[last] <= step[last].end_ps - step[last].start_ps;
}

const char *step_time_phrase(const struct cube *cube)
{
	if (cube->times.kind != STEP_TIME_PERIOD)
		return "";
	return ends_with_work(cube, cube->run) ? " to the end of its device work"
					       : " from start to start";
}

static bool fill(struct cube *cube, enum step_time_kind kind)
{
	const int64_t *series = step_series_find(&cube->series, series_of[kind], "");
	const int64_t *launch = kind == STEP_TIME_MARKER ? launches_of(cube) : NULL;
	int64_t *time = arena_array(cube->arena, cube->step_count, sizeof(*time));

	for (size_t s = 0; s < cube->step_count; s++) {
		time[s] = series ? series[s] : CELL_ABSENT;
		if (launch && time[s] == CELL_ABSENT)
			time[s] = launch[s];
		time[s] = time_of(&cube->step[s], kind, time[s]);
	}
	for (size_t r = 0; r < cube->run_count; r++) {
		size_t known = 0;

		for (size_t i = 0; i < cube->run[r].step_count; i++)
			known += time[cube->run[r].step_first + i] != CELL_ABSENT;
		if (known != cube->run[r].step_count && (!known || kind != STEP_TIME_PERIOD))
			return false;
	}
	cube->times.kind = kind;
	cube->times.time_ps = time;
	return true;
}

static bool has_accelerator(const struct cube *cube)
{
	for (size_t o = 0; o < cube->op_count; o++)
		if (cube->has_accelerator[o])
			return true;
	return false;
}

int step_time_choose(struct cube *cube, enum step_time_kind asked, struct error *err)
{
	cube->times = (struct step_times){.kind = STEP_TIME_NONE};
	if (cube->step_count == 0)
		return 0;
	if (asked == STEP_TIME_AUTO) {
		if (!(launches_of(cube) && fill(cube, STEP_TIME_PERIOD)) &&
			!fill(cube, STEP_TIME_MARKER) && !fill(cube, STEP_TIME_PERIOD))
			fill(cube, STEP_TIME_SPAN);
		cube->times.decides = cube->times.kind == STEP_TIME_MARKER ||
				      cube->times.kind == STEP_TIME_PERIOD ||
				      (cube->times.kind == STEP_TIME_SPAN && has_accelerator(cube));
		return 0;
	}
	if (!fill(cube, asked)) {
		error_set(err, ERROR_USAGE, "--step-time", "some steps have no %s",
			step_time_name(asked));
		return error_hint(err,
			asked == STEP_TIME_SPAN
				? "the source has no times of events"
				: "nothing marks their start and end; use --step-time=span, or "
				  "name what marks them with --step-marker");
	}
	cube->times.decides = true;
	return 0;
}
