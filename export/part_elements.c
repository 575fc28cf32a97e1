/*
 * Values of a row are written as multiples of the unit that divides all of them.
 */
#include "export/part_elements.h"

#include <string.h>
#include "base/output/protobuf_writer.h"
#include "ingest/table/obs_format.h"
#include "model/step_series.h"

/* ---- steps ---- */

/* One number of each step, as differences. */
static void put_numbers(struct obs_writer *w, const uint64_t *value, size_t count, unsigned field)
{
	obs_list_differences(w, value, count);
	obs_put_list(w, &w->element, field);
}

static void put_step_numbers(struct obs_writer *w, const struct step_sums *steps)
{
	const size_t n = steps->step_count;
	uint64_t *value[OBS_JOB_STEPS_BUSY + 1];

	for (unsigned field = OBS_JOB_STEPS_RANKS; field <= OBS_JOB_STEPS_BUSY; field++)
		value[field] = arena_array(w->arena, n, sizeof(uint64_t));
	for (size_t s = 0; s < n; s++) {
		const struct step_sum *step = &steps->step[s];

		value[OBS_JOB_STEPS_RANKS][s] = step->ranks;
		value[OBS_JOB_STEPS_TIMED][s] = step->timed;
		value[OBS_JOB_STEPS_START][s] = (uint64_t)step->start_ps;
		value[OBS_JOB_STEPS_END][s] = (uint64_t)step->end_ps;
		value[OBS_JOB_STEPS_BASE][s] = (uint64_t)step->base_ns;
		value[OBS_JOB_STEPS_BUSY][s] = (uint64_t)step->busy_ps;
	}
	for (unsigned field = OBS_JOB_STEPS_RANKS; field <= OBS_JOB_STEPS_BUSY; field++)
		put_numbers(w, value[field], n, field);
}

static void put_devices(struct obs_writer *w, const struct device_sums *devices)
{
	text_clear(&w->part);
	protobuf_add_string(&w->part, OBS_JOB_DEVICES_TYPE, devices->type);
	protobuf_add_number(&w->part, OBS_JOB_DEVICES_MOST, devices->most);
	protobuf_add_string(&w->part, OBS_JOB_DEVICES_SET, devices->set);
	if (devices->differ)
		protobuf_add_number(&w->part, OBS_JOB_DEVICES_DIFFER, 1);
	protobuf_add_message(&w->element, OBS_JOB_STEPS_DEVICES, &w->part);
}

static void put_series(struct obs_writer *w, const struct series_sum *series, size_t steps)
{
	uint64_t *value = arena_array(w->arena, steps, sizeof(*value));
	uint64_t *count = arena_array(w->arena, steps, sizeof(*count));

	for (size_t s = 0; s < steps; s++) {
		value[s] = (uint64_t)series->value[s];
		count[s] = series->count[s];
	}
	text_clear(&w->part);
	protobuf_add_string(&w->part, OBS_JOB_SERIES_KIND,
		step_series_name((enum step_series_kind)series->kind));
	if (*series->type)
		protobuf_add_string(&w->part, OBS_JOB_SERIES_TYPE, series->type);
	if (series->place)
		protobuf_add_number(&w->part, OBS_JOB_SERIES_PLACE, series->place);
	obs_list_differences(w, value, steps);
	obs_put_list(w, &w->part, OBS_JOB_SERIES_VALUE);
	obs_list_differences(w, count, steps);
	obs_put_list(w, &w->part, OBS_JOB_SERIES_COUNT);
	protobuf_add_message(&w->element, OBS_JOB_STEPS_SERIES, &w->part);
}

void part_write_steps(struct obs_writer *w, const struct step_sums *steps)
{
	put_step_numbers(w, steps);
	for (size_t i = 0; i < steps->device_count; i++)
		put_devices(w, &steps->device[i]);
	for (size_t i = 0; i < steps->series_count; i++)
		put_series(w, steps->series[i], steps->step_count);
	obs_write_element(w, OBS_JOB_STEPS, &w->element);
}

/* ---- ranks ---- */

static void put_rank(struct obs_writer *w, const struct sums_rank *rank, size_t steps)
{
	text_clear(&w->part);
	protobuf_add_string(&w->part, OBS_JOB_RANK_NAME, rank->name);
	if (*rank->group)
		protobuf_add_string(&w->part, OBS_JOB_RANK_GROUP, rank->group);
	obs_list_differences(w, rank->work, steps);
	obs_put_list(w, &w->part, OBS_JOB_RANK_WORK);
	if (steps && memcmp(rank->work, rank->all, steps * sizeof(*rank->all)) != 0) {
		obs_list_differences(w, rank->all, steps);
		obs_put_list(w, &w->part, OBS_JOB_RANK_ALL);
	}
	protobuf_add_message(&w->element, OBS_JOB_SET_RANK, &w->part);
}

static void write_set(struct obs_writer *w, const struct sums_set *set)
{
	const struct step_set *steps = w->set->steps;
	const struct step *step = w->set->cube->step;
	uint64_t *place = arena_array(w->arena, set->step_count, sizeof(*place));
	bool ascending = true;

	for (size_t i = 1; i < steps->count; i++)
		ascending &= step[steps->step[i - 1]].number < step[steps->step[i]].number;
	for (size_t i = 0; i < set->step_count; i++)
		place[i] = ascending ? (uint64_t)step[steps->step[set->step[i]]].number
				     : (uint64_t)set->step[i];
	put_numbers(w, place, set->step_count, ascending ? OBS_JOB_SET_NUMBER : OBS_JOB_SET_PLACE);
	for (size_t r = 0; r < set->rank_count; r++)
		put_rank(w, &set->rank[r], set->step_count);
	obs_write_element(w, OBS_JOB_SET, &w->element);
}

/* ---- rows ---- */

/* The bytes of the number, the lowest first, without zeros at the end. */
static void put_wide(struct obs_writer *w, const struct wide *value, unsigned field)
{
	unsigned char bytes[WIDE_LIMBS * 8];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (unsigned char)(value->limb[i / 8] >> (8 * (i % 8)));
		n = bytes[i] ? i + 1 : n;
	}
	if (n)
		protobuf_add_bytes(&w->element, field, bytes, n);
}

static void put_step_sums(struct obs_writer *w, const struct row_sums *sums, uint64_t unit)
{
	uint64_t before = 0;
	bool high = false;

	for (size_t t = 0; t < sums->steps; t++) {
		const wide_half value = sums->step_sum[t] / unit;

		protobuf_add_varint(&w->list, protobuf_zigzag((uint64_t)value - before));
		before = (uint64_t)value;
		high |= value >> 64 != 0;
	}
	obs_put_list(w, &w->element, OBS_JOB_ROW_STEP);
	for (size_t t = 0; high && t < sums->steps; t++)
		protobuf_add_varint(&w->list, (uint64_t)(sums->step_sum[t] / unit >> 64));
	obs_put_list(w, &w->element, OBS_JOB_ROW_STEP_HIGH);
}

/* Values in units, as differences. */
static void list_values(struct obs_writer *w, const uint64_t *x, size_t count, uint64_t unit)
{
	uint64_t before = 0;

	for (size_t t = 0; t < count; t++) {
		protobuf_add_varint(&w->list, protobuf_zigzag(x[t] / unit - before));
		before = x[t] / unit;
	}
}

static void put_longest(struct obs_writer *w, const struct row_sums *sums, uint64_t unit)
{
	uint64_t before = 0;

	list_values(w, sums->longest, sums->steps, unit);
	obs_put_list(w, &w->element, OBS_JOB_ROW_LONGEST);
	for (size_t t = 0; t < sums->steps; t++) {
		const uint32_t rank = sums->longest_rank[t];
		const uint64_t now = rank == ROW_SUMS_SEVERAL ? 0 : (uint64_t)rank + 1;

		protobuf_add_varint(&w->list, protobuf_zigzag(now - before));
		before = now;
	}
	obs_put_list(w, &w->element, OBS_JOB_ROW_LONGEST_RANK);
}

static void put_slowest(
	struct obs_writer *w, const struct row_rank *rank, size_t steps, uint64_t unit)
{
	text_clear(&w->part);
	protobuf_add_number(&w->part, OBS_JOB_SLOWEST_RANK, rank->rank);
	list_values(w, rank->x, steps, unit);
	obs_put_list(w, &w->part, OBS_JOB_SLOWEST_VALUE);
	protobuf_add_message(&w->element, OBS_JOB_ROW_SLOWEST, &w->part);
}

static void put_name(struct obs_writer *w, const char *name)
{
	const char *before = w->name ? w->name : "";
	size_t shared = 0;

	while (name[shared] && name[shared] == before[shared])
		shared++;
	w->name = name;
	if (shared)
		protobuf_add_number(&w->element, OBS_JOB_ROW_SHARED, shared);
	protobuf_add_string(&w->element, OBS_JOB_ROW_REST, name + shared);
}

static void write_row(struct obs_writer *w, size_t set, const struct sums_row *row,
	const struct group_sums *group)
{
	const struct row_sums *sums = &group->sums;
	const uint64_t unit = sums->unit ? sums->unit : 1;

	protobuf_add_number(&w->element, OBS_JOB_ROW_SET, set);
	protobuf_add_number(&w->element, OBS_JOB_ROW_OF,
		row->is_class	      ? OBS_OF_CLASS
		: row->on_accelerator ? OBS_OF_ACCELERATOR
				      : OBS_OF_HOST);
	put_name(w, row->name);
	if (*group->group)
		protobuf_add_string(&w->element, OBS_JOB_ROW_GROUP, group->group);
	protobuf_add_number(&w->element, OBS_JOB_ROW_RANKS, sums->ranks);
	protobuf_add_number(&w->element, OBS_JOB_ROW_UNIT, sums->unit);
	put_wide(w, &sums->squares, OBS_JOB_ROW_SQUARES);
	put_wide(w, &sums->rank_squares, OBS_JOB_ROW_SQUARES + 1);
	put_wide(w, &sums->products, OBS_JOB_ROW_SQUARES + 2);
	put_wide(w, &sums->first_products, OBS_JOB_ROW_SQUARES + 3);
	put_wide(w, &sums->last_products, OBS_JOB_ROW_LAST_PRODUCTS);
	put_step_sums(w, sums, unit);
	put_longest(w, sums, unit);
	for (size_t i = 0; i < sums->slowest_count; i++)
		put_slowest(w, &sums->slowest[i], sums->steps, unit);
	obs_write_element(w, OBS_JOB_ROW, &w->element);
}

void part_write_sums(struct obs_writer *w, const struct job_sums *sums)
{
	w->name = NULL;
	for (size_t i = 0; i < sums->set_count; i++)
		write_set(w, &sums->set[i]);
	for (size_t i = 0; i < sums->set_count; i++)
		for (size_t k = 0; k < sums->set[i].row_count; k++)
			for (size_t g = 0; g < sums->set[i].row[k].group_count; g++)
				write_row(
					w, i, &sums->set[i].row[k], &sums->set[i].row[k].group[g]);
}
