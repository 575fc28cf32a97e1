/* Profiles and cubes made by hand for tests: one value at a time, by name of the op and number of
 * the step. Times are given in microseconds. */
#pragma once

#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "model/merge.h"

#define US 1000000 /* ps */

static inline struct op *made_op(struct profile *p, const char *name)
{
	bool is_new;
	uint32_t index = profile_op(p, name, strlen(name), &is_new, &profile_limits_default);

	return &p->op[index];
}

static inline struct op *made_op_as(
	struct profile *p, const char *name, const char *type, const char *device)
{
	struct op *op = made_op(p, name);

	op->type = type;
	op->device = device;
	op->defined = 1;
	return op;
}

/* The step of this number, added when new. The fingerprint follows from the values put in. */
static inline struct step *made_step(struct profile *p, int64_t number)
{
	struct step step = {.number = number};
	struct error err;
	uint32_t index;

	for (size_t i = 0; i < p->step_count; i++)
		if (p->step[i].number == number)
			return &p->step[i];
	if (profile_add_step(p, &step, &index, &profile_limits_default, &err) < 0)
		abort();
	return &p->step[index];
}

static inline size_t made_row(struct profile *p, uint32_t op, uint32_t step)
{
	struct error err;
	size_t row;

	for (size_t i = 0; i < p->obs.count; i++)
		if (p->obs.op[i] == op && p->obs.step[i] == step)
			return i;
	if (profile_observe(p, op, step, &row, &profile_limits_default, &err) < 0)
		abort();
	return row;
}

/* Sets a measure of an op in a step; times in ps, as stored. The op becomes present there. */
static inline void put(
	struct profile *p, const char *name, int64_t number, enum measure_id id, int64_t value)
{
	struct step *step = made_step(p, number);
	uint32_t at = (uint32_t)(step - p->step), op = (uint32_t)(made_op(p, name) - p->op);
	size_t row;

	if (!p->obs.column[id]) {
		profile_have(p, id);
		for (size_t i = 0; i < p->obs.count; i++)
			p->obs.column[id][i] = CELL_ABSENT;
	}
	row = made_row(p, op, at);
	p->obs.column[id][row] = value;
	p->step[at].fingerprint += (uint64_t)value * 1000003u + strlen(name) + (uint64_t)id;
}

static inline void put_cpu(struct profile *p, const char *name, int64_t number, int64_t us)
{
	put(p, name, number, MEASURE_CPU, us * US);
}

/* The same op in the steps first, first + 1, ...; a negative time leaves it out of that step. */
static inline void put_series(
	struct profile *p, const char *name, int64_t first, const int *us, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (us[i] >= 0)
			put_cpu(p, name, first + (int64_t)i, us[i]);
}

static inline struct profile *made_profile(const char *path, const char *group)
{
	struct profile *p = profile_new(path);

	p->group = group;
	p->format = "test";
	p->format_title = "test profile";
	return p;
}

/* Merges and frees them; NULL with err when they do not go together. */
static inline struct cube *made_cube(
	struct profile **profiles, size_t count, enum runs_mode mode, struct error *err)
{
	struct merge_options opt = {.mode = mode};
	struct cube *cube = merge_profiles(profiles, count, &opt, err);

	for (size_t i = 0; i < count; i++)
		profile_free(profiles[i]);
	return cube;
}

/* Of one profile, which is freed. */
static inline struct cube *cube_of(struct profile *p)
{
	struct error err;
	struct cube *cube = made_cube(&p, 1, RUNS_AUTO, &err);

	if (!cube)
		abort();
	return cube;
}

/* Index of the op, or of the step of this number. */
static inline uint32_t op_at(const struct cube *cube, const char *name)
{
	for (uint32_t o = 0; o < cube->op_count; o++)
		if (text_equal(cube->op[o].name, name))
			return o;
	abort();
}

/* The value of an op in the step with this index, or CELL_ABSENT; aborts when there is no row. */
static inline int64_t value_at(
	const struct cube *cube, enum measure_id id, const char *name, uint32_t step)
{
	uint32_t o = op_at(cube, name);

	for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++)
		if (cube->step_of[r] == step)
			return cube_value(cube, id, o, r);
	abort();
}

static inline bool is_present(const struct cube *cube, const char *name, uint32_t step)
{
	uint32_t o = op_at(cube, name);

	for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++)
		if (cube->step_of[r] == step)
			return true;
	return false;
}
