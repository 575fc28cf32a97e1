/*
 * The sums of each op in each step, and the observations that are made of them.
 */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "model/eventlog_parts.h"
#include "model/order.h"

#define ROOM_FIRST 512

static void use(struct sums *sums, enum sum_id id)
{
	sums->at[id] = (int)sums->width++;
}

void sums_init(struct eventlog *log)
{
	struct sums *sums = &log->sums;
	bool accelerator = false;

	for (size_t i = 0; i < log->lane.count; i++)
		accelerator |= lanes_of(log)[i].accelerator && !lanes_of(log)[i].skip;
	for (size_t i = 0; i < SUM_COUNT; i++)
		sums->at[i] = -1;
	use(sums, SUM_CPU);
	use(sums, SUM_CALLS);
	if (accelerator)
		use(sums, SUM_ACCELERATOR);
	if (log->opt.totals)
		use(sums, SUM_TOTAL_CPU);
	if (log->opt.totals && accelerator)
		use(sums, SUM_TOTAL_ACCELERATOR);
	if (log->bytes_seen & 1u << BYTES_ALLOCATED) {
		use(sums, SUM_REQUESTED);
		use(sums, SUM_RESIDUAL);
	}
	if (log->bytes_seen & 1u << BYTES_OUTPUT)
		use(sums, SUM_OUTPUT);
	if (log->bytes_seen & 1u << BYTES_TRANSFERRED)
		use(sums, SUM_TRANSFERRED);
	sums->last = memory_alloc(memory_product(log->profile->op_count, sizeof(*sums->last)));
}

void sums_release(struct eventlog *log)
{
	struct sums *sums = &log->sums;

	memory_free(sums->op);
	memory_free(sums->slot);
	memory_free(sums->value);
	memory_free(sums->place);
	memory_free(sums->last);
	*sums = (struct sums){0};
}

static uint32_t *place_of(const struct sums *sums, uint32_t op, uint32_t slot)
{
	const uint64_t golden = 0x9e3779b97f4a7c15u;
	uint64_t hash = ((uint64_t)slot << 32 | op) * golden;

	for (size_t i = (size_t)(hash >> 32) & sums->mask;; i = (i + 1) & sums->mask) {
		uint32_t row = sums->place[i];

		if (row == 0 || (sums->op[row - 1] == op && sums->slot[row - 1] == slot))
			return &sums->place[i];
	}
}

static void sums_grow(struct sums *sums)
{
	size_t room = sums->room ? memory_product(sums->room, 2) : ROOM_FIRST;

	sums->op = memory_resize(sums->op, memory_product(room, sizeof(*sums->op)));
	sums->slot = memory_resize(sums->slot, memory_product(room, sizeof(*sums->slot)));
	sums->value = memory_resize(sums->value,
		memory_product(memory_product(room, sums->width), sizeof(*sums->value)));
	memory_free(sums->place);
	sums->place = memory_alloc(memory_product(memory_product(room, 2), sizeof(*sums->place)));
	sums->room = room;
	sums->mask = 2 * room - 1;
	for (size_t i = 0; i < sums->count; i++)
		*place_of(sums, sums->op[i], sums->slot[i]) = (uint32_t)i + 1;
}

int64_t *sums_row(struct eventlog *log, uint32_t op, uint32_t slot, struct error *err)
{
	struct sums *sums = &log->sums;
	uint32_t last = sums->last[op], *place;

	if (last && sums->slot[last - 1] == slot)
		return sums->value + (last - 1) * sums->width;
	if (sums->count == sums->room)
		sums_grow(sums);
	place = place_of(sums, op, slot);
	if (*place == 0) {
		if (sums->count >= log->opt.limits.observations || sums->count >= UINT32_MAX / 2) {
			error_set(err, ERROR_LIMIT, log->profile->path,
				"more than %zu observations (ops times steps)", sums->count);
			error_hint(err, "allow more with --max-observations");
			return NULL;
		}
		sums->op[sums->count] = op;
		sums->slot[sums->count] = slot;
		memset(sums->value + sums->count * sums->width, 0,
			sums->width * sizeof(*sums->value));
		*place = (uint32_t)++sums->count;
	}
	sums->last[op] = *place;
	return sums->value + (*place - 1) * sums->width;
}

void sum_add(struct eventlog *log, int64_t *row, enum sum_id id, int64_t value)
{
	int64_t *sum = &row[log->sums.at[id]];

	if (*sum == CELL_ABSENT) /* it was out of range already */
		return;
	if (number_add(*sum, value, sum) && *sum != CELL_ABSENT)
		return;
	*sum = CELL_ABSENT;
	log->tally[TALLY_SUM].count++;
}

/* ---- observations ---- */

static const enum measure_id measure_of[SUM_COUNT] = {
	[SUM_CPU] = MEASURE_CPU,
	[SUM_ACCELERATOR] = MEASURE_ACCELERATOR,
	[SUM_CALLS] = MEASURE_OCCURRENCE,
	[SUM_TOTAL_CPU] = MEASURE_CPU,
	[SUM_TOTAL_ACCELERATOR] = MEASURE_ACCELERATOR,
	[SUM_REQUESTED] = MEASURE_REQUESTED,
	[SUM_RESIDUAL] = MEASURE_RESIDUAL,
	[SUM_OUTPUT] = MEASURE_OUTPUT,
	[SUM_TRANSFERRED] = MEASURE_TRANSFERRED,
};

struct named_op {
	const char *name;
	uint32_t op;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct named_op *)a)->name, ((const struct named_op *)b)->name);
}

/* The rows by name of the op and step: the order of the cube, so that merging moves none. */
static struct keyed *rows_in_order(const struct eventlog *log, struct arena *scratch)
{
	const struct sums *sums = &log->sums;
	const struct profile *profile = log->profile;
	struct named_op *named = arena_array(scratch, profile->op_count, sizeof(*named));
	uint32_t *rank = arena_array(scratch, profile->op_count, sizeof(*rank));
	struct keyed *item = arena_array(scratch, 2 * sums->count, sizeof(*item));

	for (uint32_t i = 0; i < profile->op_count; i++)
		named[i] = (struct named_op){profile->op[i].name, i};
	if (profile->op_count)
		qsort(named, profile->op_count, sizeof(*named), compare_names);
	for (uint32_t i = 0; i < profile->op_count; i++)
		rank[named[i].op] = i;
	for (size_t i = 0; i < sums->count; i++) {
		uint64_t step = slots_of(log)[sums->slot[i]].index;

		item[i].key = (int64_t)((uint64_t)rank[sums->op[i]] << 32 | step);
		item[i].value = (int64_t)i;
	}
	order_by_key(item, item + sums->count, sums->count);
	return item;
}

/* Copies the used ones of some sums into the profile's observations. */
static int observe(const struct eventlog *log, struct profile *profile, const struct keyed *item,
	const enum sum_id *ids, size_t id_count, struct error *err)
{
	const struct sums *sums = &log->sums;
	struct observations *obs = &profile->obs;
	size_t first;

	for (size_t k = 0; k < id_count; k++)
		if (sums->at[ids[k]] >= 0)
			profile_have(profile, measure_of[ids[k]]);
	if (profile_observe_many(profile, sums->count, &first, &log->opt.limits, err))
		return -1;
	for (size_t i = 0; i < sums->count; i++) {
		size_t from = (size_t)item[i].value, row = first + i;
		const int64_t *value = sums->value + from * sums->width;

		obs->op[row] = sums->op[from];
		obs->step[row] = slots_of(log)[sums->slot[from]].index;
		for (size_t k = 0; k < id_count; k++)
			if (sums->at[ids[k]] >= 0)
				obs->column[measure_of[ids[k]]][row] = value[sums->at[ids[k]]];
	}
	return 0;
}

/* `time` of a scope is told where accelerators have a part in it: the cube cannot derive it then.
 */
static void tell_time(struct profile *totals)
{
	const int64_t *accelerator = totals->obs.column[MEASURE_ACCELERATOR];
	bool *has = memory_alloc(memory_product(totals->op_count, sizeof(*has)));

	profile_have(totals, MEASURE_TIME);
	for (size_t i = 0; i < totals->obs.count; i++)
		has[totals->obs.op[i]] |= accelerator[i] != 0 && accelerator[i] != CELL_ABSENT;
	for (size_t i = 0; i < totals->obs.count; i++)
		totals->obs.column[MEASURE_TIME][i] =
			has[totals->obs.op[i]] ? accelerator[i] : CELL_ABSENT;
	memory_free(has);
}

/* The same ops and steps with times that include what is nested. */
static int observe_totals(const struct eventlog *log, const struct keyed *item, struct error *err)
{
	static const enum sum_id ids[] = {SUM_TOTAL_CPU, SUM_TOTAL_ACCELERATOR, SUM_CALLS};
	struct profile *profile = log->profile, *totals = profile_new(profile->path);

	profile->totals = totals;
	for (size_t i = 0; i < profile->op_count; i++) {
		struct op op = profile->op[i];
		struct profile_limits limits = {.ops = profile->op_count};
		bool is_new;
		uint32_t id = profile_op(totals, op.name, strlen(op.name), &is_new, &limits);

		op.name = totals->op[id].name;
		op.type = arena_strdup(totals->arena, op.type);
		op.device = arena_strdup(totals->arena, op.device);
		totals->op[id] = op;
	}
	for (size_t i = 0; i < profile->step_count; i++) {
		uint32_t index;

		if (profile_add_step(totals, &profile->step[i], &index, &log->opt.limits, err))
			return -1;
	}
	if (observe(log, totals, item, ids, sizeof(ids) / sizeof(*ids), err))
		return -1;
	if (totals->obs.column[MEASURE_ACCELERATOR])
		tell_time(totals);
	return 0;
}

int sums_observe(struct eventlog *log, struct error *err)
{
	static const enum sum_id ids[] = {SUM_CPU, SUM_ACCELERATOR, SUM_CALLS, SUM_REQUESTED,
		SUM_RESIDUAL, SUM_OUTPUT, SUM_TRANSFERRED};
	struct arena *scratch = arena_new();
	const struct keyed *item = rows_in_order(log, scratch);
	int result = observe(log, log->profile, item, ids, sizeof(ids) / sizeof(*ids), err);

	if (result == 0 && log->opt.totals)
		result = observe_totals(log, item, err);
	arena_free(scratch);
	return result;
}
