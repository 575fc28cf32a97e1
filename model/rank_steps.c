/*
 * Steps of a job: the sums of what its ranks recorded, and what becomes of them.
 */
#include "model/rank_steps.h"

#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"

#define NOWHERE UINT32_MAX

void rank_sums_note(struct cube *cube, size_t count, const char *place)
{
	if (count)
		issue_add(&cube->issues, ISSUE_LOSS, "sum-range",
			"sums over the ranks of a step of more than 64 bits, left out", count,
			place);
}

/* "gpu" of "gpu:3". */
static size_t type_length(const char *device)
{
	const char *colon = strrchr(device, ':');

	return colon ? (size_t)(colon - device) : strlen(device);
}

/* ---- one rank ---- */

/* The devices of one source in natural order, and where each is among those of its type. */
struct own_devices {
	struct intern *name, *type;
	uint32_t *type_of, *place; /* [device] */
	struct device_sums *sums;  /* [type] */
};

static struct own_devices list_devices(const struct rank_source *source, struct arena *scratch)
{
	struct own_devices own = {.name = intern_new(scratch), .type = intern_new(scratch)};
	const char **name;
	const size_t count = step_series_devices(&source->series, scratch, &name);

	own.type_of = arena_array(scratch, count, sizeof(*own.type_of));
	own.place = arena_array(scratch, count, sizeof(*own.place));
	own.sums = arena_array(scratch, count, sizeof(*own.sums));
	for (size_t d = 0; d < count; d++) {
		const uint32_t type = intern_id(own.type, name[d], type_length(name[d]));

		intern_id(own.name, name[d], strlen(name[d]));
		own.type_of[d] = type;
		own.place[d] = own.sums[type].most++;
	}
	return own;
}

static void add_devices(struct step_sums *sums, const struct own_devices *own)
{
	const size_t types = intern_count(own->type), count = intern_count(own->name);
	struct text *set = memory_alloc(memory_product(types, sizeof(*set)));

	for (size_t d = 0; d < count; d++)
		text_printf(&set[own->type_of[d]], "%s\n", intern_name(own->name, (uint32_t)d));
	for (size_t t = 0; t < types; t++) {
		own->sums[t].type = intern_name(own->type, (uint32_t)t);
		own->sums[t].set = text_string(&set[t]);
		step_sums_add_devices(sums, &own->sums[t]);
		text_release(&set[t]);
	}
	memory_free(set);
}

static size_t add_series(struct step_sums *sums, const struct rank_source *source,
	const struct step_series *from, const struct own_devices *own)
{
	struct series_sum *into;
	size_t too_large = 0;
	uint32_t d = 0;
	const bool is_of_device =
		*from->device && intern_find(own->name, from->device, strlen(from->device), &d);

	into = step_sums_series(sums, (int)from->kind,
		is_of_device ? intern_name(own->type, own->type_of[d]) : "",
		is_of_device ? own->place[d] : 0, step_series_is_of_slowest(from->kind));
	for (size_t s = 0; s < source->step_count; s++)
		if (source->step_of[s] != NOWHERE)
			too_large +=
				!series_sum_add(into, source->step_of[s], from->value_ps[s], 1);
	return too_large;
}

static size_t add_rank(
	struct step_sums *sums, const struct rank_source *source, struct arena *scratch)
{
	const struct own_devices own = list_devices(source, scratch);
	size_t too_large = 0;

	for (size_t s = 0; s < source->step_count; s++) {
		const struct step *step = &source->step[s];
		const struct step_sum from = {.ranks = 1,
			.timed = step->has_wall,
			.start_ps = step->start_ps,
			.end_ps = step->end_ps,
			.base_ns = step->base_ns,
			.busy_ps = step->busy_ps == STEP_BUSY_UNKNOWN ? STEP_SUMS_UNKNOWN
								      : step->busy_ps,
			.fingerprint = step->fingerprint};

		if (source->step_of[s] != NOWHERE)
			too_large += !step_sums_add(sums, source->step_of[s], &from);
	}
	add_devices(sums, &own);
	for (size_t i = 0; i < source->series.count; i++)
		too_large += add_series(sums, source, &source->series.item[i], &own);
	return too_large;
}

struct step_sums *rank_steps_sum(struct cube *cube, const struct ranks *ranks)
{
	struct step_sums *sums = step_sums_new(cube->arena, cube->step_count);
	struct arena *scratch = arena_new();
	size_t too_large = 0;

	for (size_t p = 0; p < ranks->source_count; p++) {
		const struct rank_source *source = &ranks->source[p];

		too_large += source->job ? step_sums_join(sums, source->job->steps, source->step_of)
					 : add_rank(sums, source, scratch);
	}
	rank_sums_note(cube, too_large, "steps");
	arena_free(scratch);
	return sums;
}

/* ---- all of them ---- */

/* Start and end of the slowest rank, the mean of how long any op ran. */
static void fill_times(struct cube *cube, const struct step_sums *sums)
{
	for (size_t s = 0; s < cube->step_count; s++) {
		const struct step_sum *from = &sums->step[s];
		struct step *to = &cube->step[s];

		to->rank = to->rank_group = NULL;
		to->has_wall = from->timed == from->ranks;
		to->start_ps = from->start_ps;
		to->end_ps = from->end_ps;
		to->base_ns = from->base_ns;
		to->fingerprint = from->fingerprint;
		if (from->busy_ps == STEP_SUMS_UNKNOWN)
			to->busy_ps = STEP_BUSY_UNKNOWN;
		else if (from->ranks)
			to->busy_ps = from->busy_ps / (int64_t)from->ranks;
	}
}

/* The line of a set of devices that was found last: series are in the order of type and place. */
struct device_line {
	const char *set, *at;
	uint32_t place;
};

static const char *device_at(
	struct arena *arena, struct device_line *line, const char *set, uint32_t place)
{
	if (line->set != set || place < line->place)
		*line = (struct device_line){.set = set, .at = set};
	for (; line->place < place; line->place++)
		line->at = strchr(line->at, '\n') + 1;
	return arena_strndup(arena, line->at, (size_t)(strchr(line->at, '\n') - line->at));
}

/* Ranks number their devices in their own way: the first of each rank is the first of all. Where
 * every rank has the same ones, they keep their names. */
static const char *name_device(struct arena *arena, struct device_line *line,
	const struct step_sums *sums, const struct series_sum *series)
{
	const struct device_sums *devices;

	if (!*series->type)
		return "";
	devices = step_sums_device(sums, series->type);
	if (!devices->differ)
		return device_at(arena, line, devices->set, series->place);
	return devices->most == 1 ? devices->type
				  : arena_printf(arena, "%s:%u", devices->type, series->place);
}

/* A series that some ranks of a step do not have at all is not known there, but for devices. */
static void fill_series(struct cube *cube, struct device_line *line, const struct step_sums *sums,
	const struct series_sum *series)
{
	int64_t *value =
		step_series_add(&cube->series, cube->arena, (enum step_series_kind)series->kind,
			name_device(cube->arena, line, sums, series), cube->step_count);

	for (size_t s = 0; s < cube->step_count; s++) {
		const int64_t count = series->count[s];

		if (!count || (!*series->type && count < cube->rank_count[s]))
			continue;
		value[s] = series->value[s];
		if (value[s] != STEP_SUMS_UNKNOWN && count > 1 && !series->is_largest)
			value[s] = (value[s] + count / 2) / count;
	}
}

void rank_steps_fill(struct cube *cube, const struct step_sums *sums)
{
	struct device_line line = {0};

	fill_times(cube, sums);
	for (size_t i = 0; i < sums->series_count; i++)
		fill_series(cube, &line, sums, sums->series[i]);
}
