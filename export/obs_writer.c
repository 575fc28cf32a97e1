/* Lists are collected in one text and put into their message as a packed field. */
#include "export/obs_writer.h"

#include <string.h>
#include "base/checksum.h"
#include "base/memory.h"
#include "model/step_series.h"

uint64_t *obs_room(struct obs_writer *w, size_t count)
{
	w->room = memory_make_room(w->room, &w->room_count, count, sizeof(*w->room));
	return w->room;
}

void obs_put_list(struct obs_writer *w, struct text *to, unsigned field)
{
	if (w->list.size)
		protobuf_add_message(to, field, &w->list);
}

void obs_put_differences(
	struct obs_writer *w, struct text *to, unsigned field, const uint64_t *value, size_t count)
{
	uint64_t before = 0;

	for (size_t i = 0; i < count; before = value[i++])
		protobuf_add_varint(&w->list, packed_zigzag(value[i] - before));
	obs_put_list(w, to, field);
}

void obs_put_plain(
	struct obs_writer *w, struct text *to, unsigned field, const uint64_t *value, size_t count)
{
	for (size_t i = 0; i < count; i++)
		protobuf_add_varint(&w->list, value[i]);
	obs_put_list(w, to, field);
}

void obs_put_stretches(struct obs_writer *w, struct text *to, unsigned field, const bool *is,
	size_t count, bool usual)
{
	size_t same = 0, length = 0;
	bool now = true;

	while (same < count && is[same] == usual)
		same++;
	if (same == count)
		return;
	for (size_t i = 0; i < count; i++) {
		if (is[i] != now) {
			protobuf_add_varint(&w->list, length);
			length = 0;
			now = !now;
		}
		length++;
	}
	protobuf_add_varint(&w->list, length);
	obs_put_list(w, to, field);
}

void obs_put_name(struct obs_writer *w, const char *name, unsigned shared, unsigned rest)
{
	const char *before = w->name ? w->name : "";
	size_t n = 0;

	while (name[n] && name[n] == before[n])
		n++;
	w->name = name;
	if (n)
		protobuf_add_number(&w->element, shared, n);
	protobuf_add_string(&w->element, rest, name + n);
}

static void write_raw(struct obs_writer *w, const struct text *t)
{
	w->crc = crc32_add(w->crc, text_string(t), t->size);
	outfile_write(w->out, text_string(t), t->size);
}

void obs_write_element(struct obs_writer *w, unsigned field, struct text *contents)
{
	struct text head;

	text_init(&head);
	protobuf_add_tag(&head, field, WIRE_BYTES);
	protobuf_add_varint(&head, contents->size);
	write_raw(w, &head);
	write_raw(w, contents);
	text_clear(contents);
	text_release(&head);
}

/* ---- The section of sums. Values of a row are written as multiples of the unit that divides
 * all of them ---- */

/* ---- steps ---- */

static void put_step_numbers(struct obs_writer *w, const struct step_sums *steps)
{
	uint64_t *value = obs_room(w, steps->step_count);

#define PUT(field, member)                                                                         \
	for (size_t s = 0; s < steps->step_count; s++)                                             \
		value[s] = (uint64_t)steps->step[s].member;                                        \
	obs_put_differences(w, &w->element, OBS_JOB_STEPS_##field, value, steps->step_count);
	OBS_JOB_STEP_LISTS(PUT)
#undef PUT
}

void obs_write_job_steps(struct obs_writer *w, const struct step_sums *steps)
{
	put_step_numbers(w, steps);
	for (size_t i = 0; i < steps->device_count; i++) {
		text_clear(&w->part);
		protobuf_add_string(&w->part, OBS_JOB_DEVICES_TYPE, steps->device[i].type);
		protobuf_add_number(&w->part, OBS_JOB_DEVICES_MOST, steps->device[i].most);
		protobuf_add_string(&w->part, OBS_JOB_DEVICES_SET, steps->device[i].set);
		if (steps->device[i].differ)
			protobuf_add_number(&w->part, OBS_JOB_DEVICES_DIFFER, 1);
		protobuf_add_message(&w->element, OBS_JOB_STEPS_DEVICES, &w->part);
	}
	for (size_t i = 0; i < steps->series_count; i++) {
		const struct series_sum *series = steps->series[i];
		uint64_t *count = obs_room(w, steps->step_count);

		text_clear(&w->part);
		protobuf_add_string(&w->part, OBS_JOB_SERIES_KIND,
			step_series_name((enum step_series_kind)series->kind));
		if (*series->type)
			protobuf_add_string(&w->part, OBS_JOB_SERIES_TYPE, series->type);
		if (series->place)
			protobuf_add_number(&w->part, OBS_JOB_SERIES_PLACE, series->place);
		obs_put_differences(w, &w->part, OBS_JOB_SERIES_VALUE, (uint64_t *)series->value,
			steps->step_count);
		for (size_t s = 0; s < steps->step_count; s++)
			count[s] = series->count[s];
		obs_put_differences(w, &w->part, OBS_JOB_SERIES_COUNT, count, steps->step_count);
		if (*series->cause)
			protobuf_add_string(&w->part, OBS_JOB_SERIES_CAUSE, series->cause);
		protobuf_add_message(&w->element, OBS_JOB_STEPS_SERIES, &w->part);
	}
	obs_write_element(w, OBS_JOB_STEPS, &w->element);
}

/* ---- ranks ---- */

static void write_set(struct obs_writer *w, const struct sums_set *set)
{
	const struct step_set *steps = w->set->steps;
	const struct step *step = w->set->cube->step;
	uint64_t *place = obs_room(w, set->step_count);
	bool ascending = true;

	for (size_t i = 1; i < steps->count; i++)
		ascending &= step[steps->step[i - 1]].number < step[steps->step[i]].number;
	for (size_t i = 0; i < set->step_count; i++)
		place[i] = ascending ? (uint64_t)step[steps->step[set->step[i]]].number
				     : (uint64_t)set->step[i];
	obs_put_differences(w, &w->element, ascending ? OBS_JOB_SET_NUMBER : OBS_JOB_SET_PLACE,
		place, set->step_count);
	for (size_t r = 0; r < set->rank_count; r++) {
		text_clear(&w->part);
		protobuf_add_string(&w->part, OBS_JOB_RANK_NAME, set->rank[r].name);
		if (*set->rank[r].group)
			protobuf_add_string(&w->part, OBS_JOB_RANK_GROUP, set->rank[r].group);
		obs_put_differences(
			w, &w->part, OBS_JOB_RANK_WORK, set->rank[r].work, set->step_count);
		if (set->step_count && memcmp(set->rank[r].work, set->rank[r].all,
					       set->step_count * sizeof(*set->rank[r].all)) != 0)
			obs_put_differences(
				w, &w->part, OBS_JOB_RANK_ALL, set->rank[r].all, set->step_count);
		protobuf_add_message(&w->element, OBS_JOB_SET_RANK, &w->part);
	}
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

/* Values in units. */
static void put_units(struct obs_writer *w, struct text *to, unsigned field, const uint64_t *x,
	size_t count, uint64_t unit)
{
	uint64_t *value = obs_room(w, count);

	for (size_t t = 0; t < count; t++)
		value[t] = x[t] / unit;
	obs_put_differences(w, to, field, value, count);
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
	obs_put_name(w, row->name, OBS_JOB_ROW_SHARED, OBS_JOB_ROW_REST);
	if (*group->group)
		protobuf_add_string(&w->element, OBS_JOB_ROW_GROUP, group->group);
	protobuf_add_number(&w->element, OBS_JOB_ROW_RANKS, sums->ranks);
	protobuf_add_number(&w->element, OBS_JOB_ROW_UNIT, sums->unit);
#define PUT(field, member) put_wide(w, &sums->member, OBS_JOB_ROW_##field);
	OBS_JOB_ROW_WIDES(PUT)
#undef PUT

	uint64_t *value = obs_room(w, sums->steps);
	bool any = false;

	for (size_t t = 0; t < sums->steps; t++)
		value[t] = (uint64_t)(sums->step_sum[t] / unit);
	obs_put_differences(w, &w->element, OBS_JOB_ROW_STEP, value, sums->steps);
	for (size_t t = 0; t < sums->steps; t++) {
		value[t] = (uint64_t)(sums->step_sum[t] / unit >> 64);
		any |= value[t] != 0;
	}
	if (any)
		obs_put_plain(w, &w->element, OBS_JOB_ROW_STEP_HIGH, value, sums->steps);

	uint64_t *rank;

	put_units(w, &w->element, OBS_JOB_ROW_LONGEST, sums->longest, sums->steps, unit);
	rank = obs_room(w, sums->steps);
	for (size_t t = 0; t < sums->steps; t++)
		rank[t] = sums->longest_rank[t] == ROW_SUMS_SEVERAL
				  ? 0
				  : (uint64_t)sums->longest_rank[t] + 1;
	obs_put_differences(w, &w->element, OBS_JOB_ROW_LONGEST_RANK, rank, sums->steps);
	for (size_t i = 0; i < sums->slowest_count; i++) {
		text_clear(&w->part);
		protobuf_add_number(&w->part, OBS_JOB_SLOWEST_RANK, sums->slowest[i].rank);
		put_units(
			w, &w->part, OBS_JOB_SLOWEST_VALUE, sums->slowest[i].x, sums->steps, unit);
		protobuf_add_message(&w->element, OBS_JOB_ROW_SLOWEST, &w->part);
	}
	obs_write_element(w, OBS_JOB_ROW, &w->element);
}

void obs_write_job_sums(struct obs_writer *w, const struct job_sums *sums)
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
