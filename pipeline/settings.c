/* Defaults of a job, and what follows from its settings: columns of ratios, the rows of ops for
 * readers, limits of ranks that are added up already. */
#include "pipeline/settings.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "analysis/select/pattern.h"
#include "model/own/measure_own.h"

static void release_vec(void *object)
{
	vec_release(object);
}

static void free_rules(void *object)
{
	rules_free(object);
}

static void init_vec(struct job_settings *s, struct vec *v, size_t item_bytes, const char *what)
{
	vec_init(v, item_bytes, 100000, what);
	arena_defer(s->arena, release_vec, v);
}

void job_settings_init(struct job_settings *s, struct arena *arena)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	*s = (struct job_settings){.arena = arena};
	init_vec(s, &s->input, sizeof(const char *), "inputs");
	init_vec(s, &s->range, sizeof(struct step_range), "parts of --steps");
	init_vec(s, &s->rank, sizeof(const char *), "ranks");
	init_vec(s, &s->capture, sizeof(const char *), "captures");
	init_vec(s, &s->measure, sizeof(enum measure_id), "measures");
	init_vec(s, &s->stat, sizeof(struct statistic_choice), "statistics");
	init_vec(s, &s->compare.base, sizeof(const char *), "inputs");
	init_vec(s, &s->compare.new_side, sizeof(const char *), "inputs");
	s->rules = rules_new();
	arena_defer(arena, free_rules, s->rules);
	s->measures_option = "--measures";
	s->sample.confidence = 0.95;
	s->top = 10;
	s->kilobyte = 1000;
	s->compare.options = (struct compare_options){.rule = {.margin_relative = 0.02,
							      .margin_absolute = NAN,
							      .margin_share = NAN,
							      .alpha = 0.05},
		.margin_ps = NAN,
		.margin_bytes = NAN,
		.min_share = 0.001,
		.run_cv = NAN};
	s->compare.allow_loss = 0.10;
	s->compare.today = INT32_MIN;
	s->read = read_options_default;
	s->read.trace.user_code = user_code_match;
	s->read.trace.tally = arena_alloc(arena, sizeof(*s->read.trace.tally));
	s->jobs = processors > 0 ? (size_t)processors : 1;
}

int job_settings_add_input(struct job_settings *s, const char *path, struct error *err)
{
	struct vec *list = s->compare.side == INPUT_BASE  ? &s->compare.base
			   : s->compare.side == INPUT_NEW ? &s->compare.new_side
							  : &s->input;
	const char **slot = vec_push(list, err);

	if (!slot)
		return -1;
	*slot = path;
	return 0;
}

/* Columns of ratios. What is not known in a row, or is divided by 0, is not known. */

struct operand {
	const struct measure *measure;
	const char *unit; /* "" of a plain number */
	double factor;	  /* base units in one of it */
};

int derived_measure_parse(char *text, struct derived_measure *out, struct error *err)
{
	char *equal = strchr(text, '='), *slash = equal ? strchr(equal, '/') : NULL;

	if (!slash || equal == text || slash == equal + 1 || !slash[1]) {
		error_set(err, ERROR_USAGE, NULL, "expected NAME=A/B, found \"%s\"", text);
		return error_hint(err, "A and B are measures: --measure=j_per_token=energy/tokens");
	}
	*equal = *slash = '\0';
	*out = (struct derived_measure){text, equal + 1, slash + 1, NULL};
	return measure_lookup(text) ? error_set(err, ERROR_USAGE, NULL,
					      "\"%s\" is a measure of the program", text)
				    : 0;
}

static bool find_operand(const struct cube *cube, const char *name, struct operand *out)
{
	const struct measure *measure = measure_lookup(name);
	const struct unit *unit;

	for (size_t i = 0; i < cube->own_count && !measure; i++)
		if (text_equal(measure_at(cube->own[i])->name, name))
			measure = measure_at(cube->own[i]);
	if (!measure || measure->id >= MEASURE_STEP_COUNT || !cube_has(cube, measure->id))
		return false;
	unit = measure->dimension == DIMENSION_TIME    ? unit_lookup("s")
	       : measure->dimension == DIMENSION_BYTES ? unit_lookup("B")
						       : measure_unit(measure);
	*out = (struct operand){measure, unit ? unit->name : "", unit ? (double)unit->factor : 1};
	return true;
}

static enum direction direction_of(const struct measure *above, const struct measure *below)
{
	if (above->better == DIRECTION_UNKNOWN && below->better != DIRECTION_UNKNOWN)
		return below->better == DIRECTION_LOWER ? DIRECTION_HIGHER : DIRECTION_LOWER;
	return above->better == below->better ? DIRECTION_UNKNOWN : above->better;
}

/* Both are sums over the ranks that recorded the step, where there are several: the ratio is of the
 * sums, which the divisor leaves as it is. */
static int64_t ratio_of(const struct cube *cube, const struct operand *above,
	const struct operand *below, double factor, uint32_t op, size_t row)
{
	const int64_t a = cube_value(cube, above->measure->id, op, row),
		      b = cube_value(cube, below->measure->id, op, row);
	const double ranks = cube->divisor ? cube->divisor[cube->step_of[row]] : 1;
	double value;

	if (a == CELL_ABSENT || b == CELL_ABSENT || b == 0)
		return CELL_ABSENT;
	value = (double)a / above->factor / ((double)b / below->factor) * factor * ranks;
	return fabs(value) < 9.2e18 ? llround(value) : CELL_ABSENT;
}

static int add_ratio(struct cube *cube, const struct derived_measure *derived, struct error *err)
{
	struct own_measure own = {.name = derived->name};
	struct operand above, below;
	char unit[MEASURE_OWN_SIZE];
	const struct unit *known;
	enum measure_id id;
	double factor;

	const bool has_above = find_operand(cube, derived->above, &above);

	if (!has_above || !find_operand(cube, derived->below, &below)) {
		error_set(err, ERROR_USAGE, "--measure", "no measure \"%s\" in the inputs",
			has_above ? derived->below : derived->above);
		return error_hint(err, "`--explain-inputs` shows what they have");
	}

	size_t size = sizeof(unit);

	if (above.measure->dimension == below.measure->dimension)
		snprintf(unit, size, "%s", "");
	else if (!*below.unit)
		snprintf(unit, size, "%s", above.unit);
	else
		snprintf(unit, size, "%s/%s", *above.unit ? above.unit : above.measure->name,
			below.unit);
	own.better = direction_of(above.measure, below.measure);
	own.unit = measure_own_declared(own.name) ? "" : unit;
	if (measure_own(&own, &id, err) < 0)
		return -1;
	if (!*measure_unit(measure_at(id))->name) {
		own.unit = unit;
		if (measure_own(&own, &id, err) < 0)
			return -1;
	}
	if (cube->column[id])
		return error_set(err, ERROR_USAGE, "--measure", "the inputs have a measure \"%s\"",
			derived->name);
	known = unit_own_lookup(unit);
	factor = (double)measure_factor(
		id, known && known->dimension == measure_at(id)->dimension ? unit : NULL);
	cube->own[cube->own_count++] = id;
	cube->column[id] = arena_array(cube->arena, cube->row_count, sizeof(int64_t));
	for (uint32_t op = 0; op < cube->op_count; op++)
		for (size_t row = cube->op_first[op]; row < cube->op_first[op + 1]; row++)
			cube->column[id][row] = ratio_of(cube, &above, &below, factor, op, row);
	return 0;
}

int cube_derive(struct cube *cube, const struct derived_measure *derived, struct error *err)
{
	for (; derived; derived = derived->next)
		if (add_ratio(cube, derived, err) < 0)
			return -1;
	return 0;
}

/* Rules are not for two threads at once. */

struct row_namer {
	const struct job_settings *settings;
	pthread_mutex_t lock;
};

static void release_lock(void *namer)
{
	pthread_mutex_destroy(&((struct row_namer *)namer)->lock);
}

struct row_namer *row_namer_new(const struct job_settings *settings, struct arena *arena)
{
	const struct group_options *group = &settings->group;
	struct row_namer *namer;

	if (!settings->value_total || group->by == BY_DEVICE ||
		(group_by_is_name(group->by) && group->collision == COLLISION_KEEP))
		return NULL;
	namer = arena_alloc(arena, sizeof(*namer));
	namer->settings = settings;
	pthread_mutex_init(&namer->lock, NULL);
	arena_defer(arena, release_lock, namer);
	return namer;
}

const char *row_namer_row(void *namer, const char *name, const char *type, struct arena *arena)
{
	struct row_namer *n = namer;
	const struct op op = {.name = name, .type = type, .device = ""};
	struct error ignored;
	const char *row;

	pthread_mutex_lock(&n->lock);
	if (grouping_row(n->settings->rules, &n->settings->group, &op, arena, &row, &ignored) < 0)
		row = NULL;
	pthread_mutex_unlock(&n->lock);
	return row;
}

/* One list of options with the reason why each needs the ranks themselves, and the rules, which
 * must leave rows as they were merged. */

/* The option that asks for single ranks; NULL: none does. */
static const char *asking_option(const struct job_settings *s)
{
	const struct {
		bool asks;
		const char *option;
	} list[] = {
		{s->per_rank, "--per-rank"},
		{s->rank.count > 0, "--rank"},
		{s->rank_value == RANK_VALUE_MAX, "--rank-value=max"},
		{s->ranks_mode == RANKS_NONE, "--ranks=none"},
		{s->rank_group_path != NULL, "--rank-group"},
		{s->of_selected, "--of=selected"},
		{s->ranks_apart, "export"},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i].asks)
			return list[i].option;
	return NULL;
}

/* merge: do the rules keep the op, under its name? */
static int check_op(const struct job_settings *s, const char *path, const char *name,
	struct arena *scratch, struct error *err)
{
	struct rule_outcome outcome;

	if (rules_apply(s->rules, name, scratch, &outcome, err) < 0)
		return -1;
	if (outcome.kept && text_equal(outcome.name, name))
		return 0;
	error_set(err, ERROR_INPUT, path,
		outcome.kept ? "its ranks are added up over the rows that they had: "
			       "\"%s\" cannot be renamed"
			     : "its ranks are added up over the rows that they had: "
			       "\"%s\" cannot be left out",
		name);
	return error_hint(err, "rules belong to the merge that reads the ranks; a report can have "
			       "others");
}

int part_limits_check(const struct job_settings *s, const struct loaded *loaded, struct error *err)
{
	const char *option = asking_option(s);

	for (size_t i = 0; i < loaded->count; i++) {
		if (!loaded->profile[i]->job)
			continue;
		if (s->one_job && s->rules_given) {
			struct arena *scratch = arena_new();
			int status = 0;

			for (size_t o = 0; o < loaded->profile[i]->op_count && status == 0; o++)
				status = check_op(s, loaded->profile[i]->path,
					loaded->profile[i]->op[o].name, scratch, err);
			arena_free(scratch);
			if (status < 0)
				return -1;
		}
		if (!option)
			continue;
		error_set(err, ERROR_INPUT, loaded->profile[i]->path,
			"%s needs the values of single ranks; here they are added up", option);
		return error_hint(err, "give the files that it was merged from (.obs)");
	}
	return 0;
}
