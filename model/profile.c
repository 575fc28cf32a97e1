/* Building a profile: names are interned so that an op's id is its index, observations are parallel
 * columns that grow together. */
#include "model/profile.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/packed_rows.h"

#define OBSERVATIONS_FIRST 256

const struct profile_limits profile_limits_default = PROFILE_LIMITS;

struct profile *profile_new(const char *path)
{
	struct arena *arena = arena_new();
	struct profile *profile = arena_alloc(arena, sizeof(*profile));

	profile->arena = arena;
	profile->path = arena_strdup(arena, path);
	profile->format = profile->format_title = "";
	profile->names = intern_new(arena);
	issue_list_init(&profile->issues, arena);
	return profile;
}

void profile_make_part(struct profile *p, const struct profile *whole, size_t part, const char *own)
{
	const char *input = whole->input ? whole->input : whole->path, *base;

	p->input = arena_strdup(p->arena, input);
	p->entry = whole->entry ? arena_strdup(p->arena, whole->entry) : NULL;
	p->part = part;
	p->path = arena_printf(p->arena, "%s/%s", input, own);
	base = text_base_name(p->path);
	p->group = arena_strndup(p->arena, p->path, (size_t)(base - p->path) - 1);
	p->argument = whole->argument;
	p->is_stdin = whole->is_stdin;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	for (struct profile *next = profile->next, *after; next; next = after) {
		after = next->next;
		next->next = NULL;
		profile_free(next);
	}
	profile_free(profile->totals);
	packed_rows_free(profile->packed);
	job_sums_free(profile->job);
	collective_calls_release(&profile->collectives);
	for (size_t i = 0; i < MEASURE_STEP_COUNT; i++)
		memory_free(profile->obs.column[i]);
	for (size_t i = 0; i < CALL_KINDS; i++)
		memory_free(profile->obs.calls[i]);
	memory_free(profile->obs.op);
	memory_free(profile->obs.step);
	memory_free(profile->op);
	memory_free(profile->step);
	arena_free(profile->arena);
}

void profile_drop_rows(struct profile *profile)
{
	packed_rows_free(profile->packed);
	profile->packed = NULL;
	profile->call_source = NULL;
	profile->obs.count = 0;
	for (size_t o = 0; o < profile->op_count; o++)
		profile->op[o].device = "";
	if (profile->totals)
		profile_drop_rows(profile->totals);
}

bool step_start(const struct step *step, int64_t *ns)
{
	const int64_t whole = step->start_ps / 1000 - (step->start_ps % 1000 < 0);

	return step->base_ns > 0 && number_add(step->base_ns, step->has_wall ? whole : 0, ns) &&
	       *ns > 0;
}

struct facts *profile_run_facts(struct profile *profile, const char *run)
{
	uint32_t id;

	if (!profile->fact_runs)
		profile->fact_runs = intern_new(profile->arena);
	id = intern_id(profile->fact_runs, run, strlen(run));
	profile->run_facts = arena_make_room(profile->arena, profile->run_facts, id,
		&profile->run_facts_room, sizeof(*profile->run_facts));
	return &profile->run_facts[id];
}

void profile_overlay_facts(struct profile *profile, const struct facts *over)
{
	const size_t runs = profile->fact_runs ? intern_count(profile->fact_runs) : 0;

	facts_overlay(&profile->facts, over, profile->arena);
	for (size_t i = 0; i < runs; i++)
		facts_overlay(&profile->run_facts[i], over, profile->arena);
	if (fact_lists_are_empty(&profile->file_facts))
		return;
	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		char number[FACT_NUMBER_BYTES];

		if (facts_text(over, id, number))
			profile->file_facts.of[id].count = 0;
	}
	fact_lists_add_file(&profile->file_facts, profile->arena, over, profile->path);
}

const struct facts *profile_facts_of_step(
	const struct profile *profile, size_t step, struct arena *arena)
{
	const char *run = profile->step[step].run;
	const size_t runs = profile->fact_runs ? intern_count(profile->fact_runs) : 0;
	struct facts *out;
	uint32_t id;

	if (!runs)
		return &profile->facts;
	/* A fact that only some runs state is not one of the others. */
	out = facts_copy(&profile->facts, arena);
	for (size_t i = 0; i < runs; i++)
		facts_remove(out, &profile->run_facts[i]);
	if (intern_find(profile->fact_runs, "", 0, &id))
		facts_overlay(out, &profile->run_facts[id], arena);
	if (run && intern_find(profile->fact_runs, run, strlen(run), &id))
		facts_overlay(out, &profile->run_facts[id], arena);
	return out;
}

void profile_share_facts(struct profile *profile)
{
	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		const char *text = fact_lists_common(&profile->file_facts, id);

		if (text)
			facts_set(&profile->facts, profile->arena, id, text, strlen(text));
	}
}

static uint32_t profile_push_op(struct profile *profile, uint32_t id)
{
	profile->op = memory_make_room(
		profile->op, &profile->op_room, profile->op_count + 1, sizeof(*profile->op));
	profile->op[profile->op_count++] = (struct op){
		.name = intern_name(profile->names, id),
		.type = "",
		.device = "",
		.shape = "",
	};
	return id;
}

/* profile_op for a name with zero bytes. */
static uint32_t op_with_zeros(struct profile *profile, const char *name, size_t n, bool *is_new,
	const struct profile_limits *limits)
{
	struct text visible;
	uint32_t id;

	text_init(&visible);
	text_add_zeros_visible(&visible, name, n);
	id = profile_op(profile, text_string(&visible), visible.size, is_new, limits);
	text_release(&visible);
	return id;
}

uint32_t profile_op(struct profile *profile, const char *name, size_t n, bool *is_new,
	const struct profile_limits *limits)
{
	uint32_t id;

	if (n && memchr(name, 0, n))
		return op_with_zeros(profile, name, n, is_new, limits);

	*is_new = false;
	if (intern_find(profile->names, name, n, &id))
		return id;
	if (profile->op_count >= limits->ops ||
		(limits->name_bytes && intern_bytes(profile->names) + n > limits->name_bytes)) {
		const bool many = profile->op_count >= limits->ops;
		char text[120];

		snprintf(text, sizeof(text),
			"op names beyond the first %zu%s, taken together as " OTHER_NAMES,
			many ? limits->ops : limits->name_bytes,
			many ? " (max-ops)" : " bytes of names (max-names)");
		issue_add(&profile->issues, ISSUE_LOSS, "names-capped", text, 1, profile->path);
		name = OTHER_NAMES;
		n = strlen(OTHER_NAMES);
		if (intern_find(profile->names, name, n, &id))
			return id;
	}
	*is_new = true;
	return profile_push_op(profile, intern_id(profile->names, name, n));
}

int profile_add_step(struct profile *profile, const struct step *step, uint32_t *index,
	const struct profile_limits *limits, struct error *err)
{
	if (profile->step_count >= limits->steps) {
		error_set(err, ERROR_LIMIT, profile->path, "more than %zu steps", limits->steps);
		return error_hint(err, "allow more with max-steps in stepstat.yaml");
	}
	if (step->run &&
		(!profile->step_count || step->run != profile->step[profile->step_count - 1].run))
		profile->run_bytes += strlen(step->run);
	if (limits->name_bytes && profile->run_bytes > limits->name_bytes / 4) {
		error_set(err, ERROR_LIMIT, profile->path,
			"names of runs of more than %zu bytes together", limits->name_bytes / 4);
		return error_hint(err, "max-names in stepstat.yaml allows a quarter of it to runs");
	}
	profile->step = memory_make_room(profile->step, &profile->step_room,
		profile->step_count + 1, sizeof(*profile->step));
	*index = (uint32_t)profile->step_count++;
	profile->step[*index] = *step;
	return 0;
}

void profile_have(struct profile *profile, enum measure_id id)
{
	struct observations *obs = &profile->obs;

	if (obs->column[id])
		return;
	obs->column[id] =
		memory_alloc(memory_product(obs->room ? obs->room : 1, sizeof(*obs->column[id])));
	if (measure_is_own(id))
		profile->own[profile->own_count++] = id;
}

size_t observations_columns(const struct observations *obs, enum measure_id out[MEASURE_STEP_COUNT])
{
	size_t n = 0;

	for (enum measure_id id = 0; id < MEASURE_STEP_COUNT; id++)
		if (obs->column[id])
			out[n++] = id;
	return n;
}

void profile_have_calls(struct profile *profile, enum call_kind kind)
{
	struct observations *obs = &profile->obs;

	if (!obs->calls[kind])
		obs->calls[kind] = memory_alloc(
			memory_product(obs->room ? obs->room : 1, sizeof(*obs->calls[kind])));
}

static void observations_resize(struct observations *obs, size_t room)
{
	obs->op = memory_resize(obs->op, memory_product(room, sizeof(*obs->op)));
	obs->step = memory_resize(obs->step, memory_product(room, sizeof(*obs->step)));
	for (size_t i = 0; i < MEASURE_STEP_COUNT; i++) {
		size_t bytes = memory_product(room, sizeof(*obs->column[i]));

		if (obs->column[i] && obs->room) {
			obs->column[i] = memory_resize(obs->column[i], bytes);
		} else if (obs->column[i]) { /* new: zero, and untouched pages stay untouched */
			memory_free(obs->column[i]);
			obs->column[i] = memory_alloc(bytes);
		}
	}
	for (size_t i = 0; i < CALL_KINDS; i++)
		if (obs->calls[i])
			obs->calls[i] = memory_resize(
				obs->calls[i], memory_product(room, sizeof(*obs->calls[i])));
	obs->room = room;
}

static int too_many_observations(
	const struct profile *profile, const struct profile_limits *limits, struct error *err)
{
	error_set(err, ERROR_LIMIT, profile->path, "more than %zu observations (ops times steps)",
		limits->observations);
	return error_hint(err, "allow more with max-observations in stepstat.yaml");
}

int profile_observe(struct profile *profile, uint32_t op, uint32_t step, size_t *row,
	const struct profile_limits *limits, struct error *err)
{
	struct observations *obs = &profile->obs;

	if (obs->count >= limits->observations)
		return too_many_observations(profile, limits, err);
	if (obs->count == obs->room)
		observations_resize(obs, memory_next_room(obs->room, OBSERVATIONS_FIRST));
	*row = obs->count++;
	obs->op[*row] = op;
	obs->step[*row] = step;
	for (size_t i = 0; i < MEASURE_OWN_FIRST; i++)
		if (obs->column[i])
			obs->column[i][*row] = CELL_ABSENT;
	for (size_t i = 0; i < profile->own_count; i++)
		obs->column[profile->own[i]][*row] = CELL_ABSENT;
	for (size_t i = 0; i < CALL_KINDS; i++)
		if (obs->calls[i])
			obs->calls[i][*row] = (struct call_sums){0};
	return 0;
}

void profile_reserve(struct profile *profile, size_t count)
{
	if (!profile->obs.room && count)
		observations_resize(&profile->obs, count);
}

int profile_add_rows(struct profile *profile, size_t count, size_t *row,
	const struct profile_limits *limits, struct error *err)
{
	struct observations *obs = &profile->obs;
	const size_t need = obs->count + count;

	if (obs->count > limits->observations || count > limits->observations - obs->count)
		return too_many_observations(profile, limits, err);
	if (need > obs->room) /* exactly the first time, by doubling later */
		observations_resize(obs, obs->room ? memory_next_room(obs->room, need) : need);
	*row = obs->count;
	obs->count = need;
	return 0;
}

int profile_observe_many(struct profile *profile, size_t count, size_t *row,
	const struct profile_limits *limits, struct error *err)
{
	struct observations *obs = &profile->obs;
	const bool is_new = obs->room == 0;

	if (profile_add_rows(profile, count, row, limits, err) < 0)
		return -1;
	for (size_t i = 0; !is_new && i < MEASURE_STEP_COUNT; i++)
		if (obs->column[i] && count)
			memset(obs->column[i] + *row, 0, count * sizeof(*obs->column[i]));
	for (size_t i = 0; i < CALL_KINDS; i++)
		if (obs->calls[i] && count)
			memset(obs->calls[i] + *row, 0, count * sizeof(*obs->calls[i]));
	return 0;
}

void call_sums_add(struct call_sums *sums, enum call_kind kind, int64_t ps)
{
	const unsigned __int128 size = ps < 0 ? -(__int128)ps : ps;
	const struct call_sums one = {
		.count = 1,
		.below = ps < (kind == CALLS_DELAY ? 0 : CALL_SHORT_PS),
		.min_ps = ps,
		.max_ps = ps,
		.sum_ps = ps,
		.squares = size * size,
	};

	call_sums_join(sums, &one);
}

void call_sums_join(struct call_sums *into, const struct call_sums *from)
{
	if (!from->count)
		return;
	if (!into->count || from->min_ps < into->min_ps)
		into->min_ps = from->min_ps;
	if (!into->count || from->max_ps > into->max_ps)
		into->max_ps = from->max_ps;
	into->count += from->count;
	into->below += from->below;
	into->sum_ps += from->sum_ps;
	/* An unknown one is the largest there is: whatever is added to it does not fit either. */
	if (__builtin_add_overflow(into->squares, from->squares, &into->squares))
		into->squares = CALL_SQUARES_UNKNOWN;
}
