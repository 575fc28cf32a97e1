/* The sources of a job of several ranks, its ranks as runs, and its steps. */
#include "model/ranks.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"

#define NOWHERE UINT32_MAX

static void release_source(void *object)
{
	struct rank_source *source = object;

	packed_rows_free(source->rows);
	collective_calls_release(&source->collectives);
	job_sums_free(source->job);
}

/* Finds the parts of each op; a part of an op that is gone is nowhere. */
static void find_places(struct ranks *ranks, const struct cube *cube)
{
	size_t *next = memory_alloc(memory_product(cube->op_count + 1, sizeof(*next)));
	size_t count = 0;

	ranks->part_first =
		arena_array(cube->arena, cube->op_count + 1, sizeof(*ranks->part_first));
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t s = 0; s < ranks->source_count; s++) {
			const struct rank_source *source = &ranks->source[s];

			for (uint32_t o = 0; o < source->rows->op_count; o++) {
				const uint32_t op = source->op[o];

				if (op == NOWHERE || source->rows->first[o].row ==
							     source->rows->first[o + 1].row)
					continue;
				if (fill)
					ranks->part[next[op]++] = (struct rank_part){s, o};
				else
					next[op]++;
			}
		}
		if (fill)
			break;
		for (size_t o = 0; o < cube->op_count; o++) {
			const size_t n = next[o];

			ranks->part_first[o] = next[o] = count;
			count += n;
		}
		ranks->part_first[cube->op_count] = ranks->part_count = count;
		ranks->part = arena_array(cube->arena, count, sizeof(*ranks->part));
	}
	memory_free(next);
}

struct ranks *ranks_of_profiles(struct cube *cube, struct profile *const *profiles, size_t count,
	const struct rank_maps *maps)
{
	struct arena *arena = cube->arena;
	struct ranks *ranks = arena_alloc(arena, sizeof(*ranks));
	struct intern *groups = intern_new(arena);

	ranks->source = arena_array(arena, count, sizeof(*ranks->source));
	ranks->source_count = count;
	ranks->on = ON_ALL;
	for (size_t p = 0; p < count; p++) {
		struct rank_source *source = &ranks->source[p];
		struct profile *profile = profiles[p];
		const size_t steps = maps->step_count[p];

		source->path = arena_strdup(arena, profile->path);
		source->rows = profile->packed ? profile->packed : packed_rows_of(profile);
		profile->packed = NULL;
		source->job = profile->job;
		profile->job = NULL;
		source->collectives = profile->collectives;
		profile->collectives = (struct collective_calls){0};
		collective_calls_name(&source->collectives, groups);
		arena_defer(arena, release_source, source);
		ranks->most = source->rows->most > ranks->most ? source->rows->most : ranks->most;
		source->step_count = steps;
		source->op = arena_array(arena, source->rows->op_count, sizeof(*source->op));
		source->step_of = arena_array(arena, steps, sizeof(*source->step_of));
		source->rank_of = arena_array(arena, steps, sizeof(*source->rank_of));
		source->step = arena_array(arena, steps, sizeof(*source->step));
		if (source->rows->op_count)
			memcpy(source->op, maps->op[p],
				source->rows->op_count * sizeof(*source->op));
		for (size_t s = 0; s < steps; s++) {
			source->step_of[s] = maps->step[p][s];
			source->rank_of[s] = maps->rank[p][s];
			if (s >= profile->step_count)
				continue;
			source->step[s] = profile->step[s];
			if (!source->step[s].base_ns)
				source->step[s].base_ns = profile->base_ns;
		}
		step_series_join(
			&source->series, arena, steps, &profile->series, profile->step_count, NULL);
		step_series_fill_causes(&source->series, steps);
	}
	find_places(ranks, cube);
	return ranks;
}

void ranks_renumber_ops(
	struct ranks *ranks, const struct cube *cube, const uint32_t *to, enum rows_on on)
{
	ranks->on = on;
	for (size_t s = 0; s < ranks->source_count; s++)
		for (size_t o = 0; o < ranks->source[s].rows->op_count; o++)
			if (ranks->source[s].op[o] != NOWHERE)
				ranks->source[s].op[o] = to[ranks->source[s].op[o]];
	find_places(ranks, cube);
}

/* ---- ranks as runs ---- */

/* A recording: the steps of one rank in one run. */
struct recorded {
	uint32_t run, rank;
};

ORDERED(compare_recorded, struct recorded, ORDER(x->run, y->run) ?: ORDER(x->rank, y->rank));

/* A step of a source, on its way into the cube of ranks. */
struct placed_step {
	struct recorded of;
	uint32_t place; /* in the cube of the job */
	uint32_t source, step;
};

ORDERED(compare_placed, struct placed_step,
	compare_recorded(&x->of, &y->of) ?: ORDER(x->place, y->place));

static size_t place_steps(const struct cube *cube, struct arena *scratch, struct placed_step **out)
{
	const struct ranks *ranks = cube->ranks;
	struct placed_step *placed;
	size_t n = 0;
	uint32_t *run_of = arena_array(scratch, cube->step_count, sizeof(*run_of));

	for (uint32_t r = 0; r < cube->run_count; r++)
		for (size_t i = 0; i < cube->run[r].step_count; i++)
			run_of[cube->run[r].step_first + i] = r;

	for (size_t p = 0; p < ranks->source_count; p++)
		n += ranks->source[p].step_count;
	placed = arena_array(scratch, n, sizeof(*placed));
	n = 0;
	for (uint32_t p = 0; p < ranks->source_count; p++)
		for (uint32_t s = 0; s < ranks->source[p].step_count; s++) {
			const struct rank_source *source = &ranks->source[p];

			if (source->step_of[s] == NOWHERE)
				continue;
			placed[n++] = (struct placed_step){
				{run_of[source->step_of[s]], source->rank_of[s]},
				source->step_of[s], p, s};
		}
	if (n)
		qsort(placed, n, sizeof(*placed), compare_placed);
	*out = placed;
	return n;
}

/* Runs and steps; step_to[source][step] is where each step goes. */
static void add_runs(
	struct cube *out, const struct cube *cube, struct arena *scratch, uint32_t **step_to)
{
	const struct ranks *ranks = cube->ranks;
	struct placed_step *placed;
	const size_t n = place_steps(cube, scratch, &placed);
	struct intern *kinds = intern_new(out->arena);

	out->step_count = n;
	out->step = arena_array(out->arena, n, sizeof(*out->step));
	out->run = arena_array(out->arena, n, sizeof(*out->run));
	for (size_t i = 0; i < n; i++) {
		const struct placed_step *at = &placed[i];
		const struct run *job = &cube->run[at->of.run];
		struct run *run;

		if (i == 0 || compare_recorded(&placed[i - 1].of, &at->of) != 0) {
			run = &out->run[out->run_count++];
			run->name = arena_strdup(out->arena, job->name);
			run->sources = arena_strdup(out->arena, ranks->source[at->source].path);
			run->path = run->sources;
			run->step_first = i;
			if (job->facts)
				run->facts = facts_copy(job->facts, out->arena);
			if (at->of.rank != NOWHERE) {
				const struct job_rank *rank = &ranks->rank[at->of.rank];

				run->rank = arena_strdup(out->arena, rank->name);
				run->rank_group =
					rank->group ? arena_strdup(out->arena, rank->group) : NULL;
			} else {
				run->rank = job->rank ? arena_strdup(out->arena, job->rank) : NULL;
			}
		}
		run = &out->run[out->run_count - 1];
		if (run->step_count && placed[i - 1].source != at->source) {
			run->sources = arena_printf(out->arena, "%s ... %s",
				ranks->source[placed[run->step_first].source].path,
				ranks->source[at->source].path);
			run->path = NULL;
		}
		run->step_count++;
		out->step[i] = ranks->source[at->source].step[at->step];
		out->step[i].number = cube->step[at->place].number;
		out->step[i].index = cube->step[at->place].index;
		out->step[i].origin = at->step;
		out->step[i].run = run->name;
		out->step[i].kind = intern_copy(kinds, cube->step[at->place].kind);
		out->step[i].rank = run->rank;
		out->step[i].rank_group = run->rank_group;
		out->step[i].source = at->source;
		step_to[at->source][at->step] = (uint32_t)i;
	}
	for (size_t p = 0; p < ranks->source_count; p++)
		step_series_join(&out->series, out->arena, n, &ranks->source[p].series,
			ranks->source[p].step_count, step_to[p]);
}

static void add_ops(struct cube *out, const struct cube *cube)
{
	out->op_count = cube->op_count;
	out->op = arena_array(out->arena, cube->op_count, sizeof(*out->op));
	out->has_accelerator = arena_array(out->arena, cube->op_count, sizeof(bool));
	for (size_t o = 0; o < cube->op_count; o++) {
		struct op *op = &out->op[o];

		*op = cube->op[o];
		op->name = arena_strdup(out->arena, op->name);
		op->type = arena_strdup(out->arena, op->type);
		op->device = arena_strdup(out->arena, op->device);
		op->shape = arena_strdup(out->arena, op->shape);
		out->has_accelerator[o] = cube->has_accelerator[o];
	}
}

/* step_to[source][step]: where each step of the sources is in the cube. */
static struct cube *new_recordings(
	const struct cube *cube, struct arena *scratch, uint32_t ***step_to)
{
	const struct ranks *ranks = cube->ranks;
	struct cube *out = cube_new();

	*step_to = arena_array(scratch, ranks->source_count, sizeof(**step_to));
	for (size_t p = 0; p < ranks->source_count; p++) {
		const size_t steps = ranks->source[p].step_count;

		(*step_to)[p] = arena_array(scratch, steps, sizeof(***step_to));
		memset((*step_to)[p], 0xff, steps * sizeof(***step_to));
	}
	add_runs(out, cube, scratch, *step_to);
	return out;
}

struct cube *cube_of_recordings(const struct cube *cube)
{
	struct arena *scratch = arena_new();
	uint32_t **step_to;
	struct cube *out = new_recordings(cube, scratch, &step_to);

	arena_free(scratch);
	return out;
}

struct cube *cube_of_ranks(const struct cube *cube)
{
	const struct ranks *ranks = cube->ranks;
	struct arena *scratch = arena_new();
	uint32_t **step_to;
	struct cube *out = new_recordings(cube, scratch, &step_to);

	add_ops(out, cube);
	out->format_title =
		cube->format_title ? arena_strdup(out->arena, cube->format_title) : NULL;
	issue_list_join(&out->issues, &cube->issues);
	fact_lists_join(&out->facts, out->arena, &cube->facts);
	memcpy(out->own, cube->own, sizeof(out->own));
	out->own_count = cube->own_count;
	out->benchmarks = cube->benchmarks;
	ranks_sum_rows(out, ranks, step_to, false);
	for (size_t p = 0; p < ranks->source_count; p++)
		collective_calls_join(&out->collectives, &ranks->source[p].collectives,
			ranks->source[p].op, step_to[p]);
	collective_calls_name(&out->collectives, intern_new(out->arena));
	collective_calls_sort(&out->collectives, out->step_count);
	if (cube->given) {
		out->given = cube_new();
		out->given->nesting = cube->given->nesting;
		out->given->step = out->step;
		out->given->step_count = out->step_count;
		add_ops(out->given, cube->given);
		ranks_sum_rows(out->given, cube->given->ranks, step_to, false);
	}
	if (cube->times.kind != STEP_TIME_NONE)
		step_time_choose(out, cube->times.kind, NULL);
	out->times.decides = cube->times.decides;
	cube_keep_on(out, ranks->on);
	arena_free(scratch);
	return out;
}

/* Steps of a job: the sums of what its ranks recorded, and what becomes of them. */

#define NOWHERE UINT32_MAX

/* ---- one rank ---- */

/* The devices of one source in natural order, and where each is among those of its type. */
struct own_devices {
	struct intern *name, *type;
	uint32_t *type_of, *place; /* [device] */
	struct device_sums *sums;  /* [type] */
};

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
	struct series_sum like = {.kind = (int)from->kind,
		.type = "",
		.cause = from->cause,
		.is_largest = step_series_is_of_slowest(from->kind)};
	uint32_t d;

	if (*from->device && intern_find(own->name, from->device, strlen(from->device), &d)) {
		like.type = intern_name(own->type, own->type_of[d]);
		like.place = own->place[d];
	}
	into = step_sums_series(sums, &like);
	for (size_t s = 0; s < source->step_count; s++)
		if (source->step_of[s] != NOWHERE)
			too_large +=
				!series_sum_add(into, source->step_of[s], from->value_ps[s], 1);
	return too_large;
}

static size_t add_rank(
	struct step_sums *sums, const struct rank_source *source, struct arena *scratch)
{
	size_t too_large = 0;
	struct own_devices own = {.name = intern_new(scratch), .type = intern_new(scratch)};
	const char **name;
	const size_t count = step_series_devices(&source->series, scratch, &name);

	own.type_of = arena_array(scratch, count, sizeof(*own.type_of));
	own.place = arena_array(scratch, count, sizeof(*own.place));
	own.sums = arena_array(scratch, count, sizeof(*own.sums));
	for (size_t d = 0; d < count; d++) {
		const char *colon = strrchr(name[d], ':');
		const uint32_t type = intern_id(
			own.type, name[d], colon ? (size_t)(colon - name[d]) : strlen(name[d]));

		intern_id(own.name, name[d], strlen(name[d]));
		own.type_of[d] = type;
		own.place[d] = own.sums[type].most++;
	}

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
	ranks_note_too_large(cube, too_large, "steps");
	arena_free(scratch);
	return sums;
}

/* ---- all of them ---- */

/* The line of a set of devices that was found last: series are in the order of type and place. */
struct device_line {
	const char *set, *at;
	uint32_t place;
};

/* Returns the name of a series' device in the job. Where all ranks have the same devices, it is
 * their name; else devices are matched by their place in each rank: "gpu:0" is the first of
 * every rank. */
static const char *name_device(struct arena *arena, struct device_line *line,
	const struct step_sums *sums, const struct series_sum *series)
{
	const struct device_sums *devices;

	if (!*series->type)
		return "";
	devices = step_sums_device(sums, series->type);
	if (!devices->differ) {
		const char *set = devices->set;
		uint32_t place = series->place;

		if (line->set != set || place < line->place)
			*line = (struct device_line){.set = set, .at = set};
		for (; line->place < place; line->place++)
			line->at = strchr(line->at, '\n') + 1;
		return arena_strndup(arena, line->at, (size_t)(strchr(line->at, '\n') - line->at));
	}
	return devices->most == 1 ? devices->type
				  : arena_printf(arena, "%s:%u", devices->type, series->place);
}

void rank_steps_fill(struct cube *cube, const struct step_sums *sums)
{
	struct device_line line = {0};

	/* Start and end of the slowest rank, the mean of how long any op ran. */
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
	for (size_t i = 0; i < sums->series_count; i++) {
		const struct series_sum *from = sums->series[i];
		/* A series that some ranks of a step do not have at all is not known there, but for
		 * devices. */
		int64_t *value = step_series_add_like(&cube->series, cube->arena,
			&(struct step_series){.kind = (enum step_series_kind)from->kind,
				.device = name_device(cube->arena, &line, sums, from),
				.cause = from->cause},
			cube->step_count);
		const struct series_sum late = {.kind = SERIES_HOST_LATE,
			.type = from->type,
			.cause = "",
			.place = from->place};
		/* A rank without the cause has none of it: the mean is over those of the whole. */
		const struct series_sum *whole = *from->cause ? step_sums_find(sums, &late) : NULL;

		for (size_t s = 0; s < cube->step_count; s++) {
			const int64_t count = whole ? whole->count[s] : from->count[s];

			if (!count || (!*from->type && count < cube->rank_count[s]))
				continue;
			value[s] = from->value[s];
			if (value[s] != STEP_SUMS_UNKNOWN && count > 1 && !from->is_largest)
				value[s] = (value[s] + count / 2) / count;
		}
	}
}
