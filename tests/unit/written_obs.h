/* From a cube to the bytes of a .obs file, and from bytes to a profile, for tests. */
#pragma once

#include "export/observations.h"
#include "ingest/reader.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

struct written {
	struct arena *arena;
	struct cube *cube;
	struct step_set steps;
	struct grouping rows, all;
	struct observation_set set;
	struct outfile *out;
	const char *bytes;
	size_t size;
};

static inline void write_obs(struct written *w, struct cube *cube)
{
	struct step_options opt = {.warmup = WARMUP_MODE_NONE};
	struct error err;

	memset(w, 0, sizeof(*w));
	w->arena = arena_new();
	w->cube = cube;
	assert_int_equal(steps_select(cube, &opt, w->arena, &w->steps, &err), 0);
	w->all = op_series_each_op(cube, w->arena);
	w->rows = op_series_each_op(cube, w->arena);
	w->rows.count = 0;
	for (size_t g = 0; g < w->all.count; g++)
		if (cube->op_first[g + 1] > cube->op_first[g])
			w->rows.group[w->rows.count++] = w->all.group[g];
	w->set = (struct observation_set){.cube = cube,
		.steps = &w->steps,
		.rows = &w->rows,
		.all = &w->all,
		.complete = true};
	w->set.measure = op_series_measures(cube, &w->rows, w->arena, &w->set.measure_count);
	w->out = outfile_memory();
	assert_int_equal(observations_write_obs(&w->set, NULL, w->out, &err), 0);
	w->bytes = outfile_data(w->out, &w->size);
}

static inline void release(struct written *w)
{
	outfile_discard(w->out);
	cube_free(w->cube);
	arena_free(w->arena);
}

static inline struct profile *read_obs_with(
	const void *bytes, size_t size, const struct read_options *opt, struct error *err)
{
	struct input *in = input_memory(bytes, size, "x.obs");
	struct profile *p = profile_new("x.obs");

	*err = (struct error){.kind = ERROR_NONE};
	if (reader_find("obs", err)->read(in, p, opt, err) < 0) {
		profile_free(p);
		p = NULL;
	}
	input_close(in);
	return p;
}

static inline struct profile *read_obs(const void *bytes, size_t size, struct error *err)
{
	return read_obs_with(bytes, size, &read_options_default, err);
}
