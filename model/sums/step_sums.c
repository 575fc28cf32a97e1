/*
 * Lists are kept in order, so that they are the same whatever came first.
 */
#include "model/sums/step_sums.h"

#include <string.h>
#include "base/number.h"

struct step_sums *step_sums_new(struct arena *arena, size_t steps)
{
	struct step_sums *sums = arena_alloc(arena, sizeof(*sums));

	sums->arena = arena;
	sums->step_count = steps;
	sums->step = arena_array(arena, steps, sizeof(*sums->step));
	return sums;
}

static bool add(int64_t *sum, int64_t value)
{
	if (*sum == STEP_SUMS_UNKNOWN || value == STEP_SUMS_UNKNOWN) {
		*sum = STEP_SUMS_UNKNOWN;
		return true;
	}
	if (number_add(*sum, value, sum))
		return true;
	*sum = STEP_SUMS_UNKNOWN;
	return false;
}

/* True if a is longer than b, or as long and earlier. */
static bool is_longer(const struct step_sum *a, const struct step_sum *b)
{
	const int64_t x = a->end_ps - a->start_ps, y = b->end_ps - b->start_ps;

	if (x != y)
		return x > y;
	if (a->base_ns != b->base_ns)
		return a->base_ns < b->base_ns;
	return a->start_ps < b->start_ps;
}

bool step_sums_add(struct step_sums *sums, size_t step, const struct step_sum *from)
{
	struct step_sum *to = &sums->step[step];

	if (from->timed && (!to->timed || is_longer(from, to))) {
		to->start_ps = from->start_ps;
		to->end_ps = from->end_ps;
		to->base_ns = from->base_ns;
	}
	to->timed += from->timed;
	to->ranks += from->ranks;
	to->fingerprint += from->fingerprint;
	return add(&to->busy_ps, from->busy_ps);
}

/* The place of the devices of this type, or where they belong. */
static size_t device_place(const struct step_sums *sums, const char *type, bool *is_there)
{
	size_t low = 0, high = sums->device_count;

	while (low < high) {
		const size_t i = low + (high - low) / 2;

		if (strcmp(sums->device[i].type, type) < 0)
			low = i + 1;
		else
			high = i;
	}
	*is_there = low < sums->device_count && strcmp(sums->device[low].type, type) == 0;
	return low;
}

const struct device_sums *step_sums_device(const struct step_sums *sums, const char *type)
{
	bool is_there;
	const size_t i = device_place(sums, type, &is_there);

	return is_there ? &sums->device[i] : NULL;
}

void step_sums_add_devices(struct step_sums *sums, const struct device_sums *from)
{
	struct device_sums *at;
	bool is_there;
	const size_t i = device_place(sums, from->type, &is_there);

	if (is_there) {
		at = &sums->device[i];
		at->most = from->most > at->most ? from->most : at->most;
		at->differ |= from->differ || strcmp(at->set, from->set) != 0;
		if (strcmp(from->set, at->set) < 0)
			at->set = arena_strdup(sums->arena, from->set);
		return;
	}
	sums->device = arena_make_room(sums->arena, sums->device, sums->device_count,
		&sums->device_room, sizeof(*sums->device));
	at = sums->device + i;
	memmove(at + 1, at, (sums->device_count++ - i) * sizeof(*at));
	*at = *from;
	at->type = arena_strdup(sums->arena, from->type);
	at->set = arena_strdup(sums->arena, from->set);
}

/* Order of a series and one of this kind, type and place; below 0: the series comes before it. */
static int compare(const struct series_sum *series, int kind, const char *type, uint32_t place)
{
	const int order = strcmp(series->type, type);

	if (series->kind != kind)
		return series->kind < kind ? -1 : 1;
	return order ? order : (series->place > place) - (series->place < place);
}

struct series_sum *step_sums_series(
	struct step_sums *sums, int kind, const char *type, uint32_t place, bool is_largest)
{
	struct series_sum *at;
	size_t low = 0, high = sums->series_count;

	while (low < high) {
		const size_t i = low + (high - low) / 2;
		const int order = compare(sums->series[i], kind, type, place);

		if (order == 0)
			return sums->series[i];
		if (order < 0)
			low = i + 1;
		else
			high = i;
	}
	sums->series = arena_make_room(sums->arena, sums->series, sums->series_count,
		&sums->series_room, sizeof(struct series_sum *));
	memmove(sums->series + low + 1, sums->series + low,
		(sums->series_count++ - low) * sizeof(struct series_sum *));
	at = sums->series[low] = arena_alloc(sums->arena, sizeof(*at));
	*at = (struct series_sum){
		.kind = kind, .type = arena_strdup(sums->arena, type), .place = place};
	at->is_largest = is_largest;
	at->value = arena_array(sums->arena, sums->step_count, sizeof(*at->value));
	at->count = arena_array(sums->arena, sums->step_count, sizeof(*at->count));
	return at;
}

bool series_sum_add(struct series_sum *series, size_t step, int64_t value, uint32_t count)
{
	int64_t *sum = &series->value[step];

	if (!count)
		return true;
	series->count[step] += count;
	if (series->count[step] == count) {
		*sum = value;
		return true;
	}
	if (!series->is_largest || value == STEP_SUMS_UNKNOWN || *sum == STEP_SUMS_UNKNOWN)
		return add(sum, value);
	*sum = value > *sum ? value : *sum;
	return true;
}

size_t step_sums_join(struct step_sums *sums, const struct step_sums *from, const uint32_t *to)
{
	size_t too_large = 0;

	for (size_t s = 0; s < from->step_count; s++)
		if (to[s] != UINT32_MAX && from->step[s].ranks)
			too_large += !step_sums_add(sums, to[s], &from->step[s]);
	for (size_t i = 0; i < from->device_count; i++)
		step_sums_add_devices(sums, &from->device[i]);
	for (size_t i = 0; i < from->series_count; i++) {
		const struct series_sum *series = from->series[i];
		struct series_sum *into = step_sums_series(
			sums, series->kind, series->type, series->place, series->is_largest);

		for (size_t s = 0; s < from->step_count; s++)
			if (to[s] != UINT32_MAX)
				too_large += !series_sum_add(
					into, to[s], series->value[s], series->count[s]);
	}
	return too_large;
}
