/* Chooses between step time and op time, once for all that speaks of the step. */
#include "analysis/compare/compared_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/compare/comparison.h"
#include "analysis/compare/noise.h"
#include "analysis/compare/verdicts.h"
#include "analysis/device_causes.h"
#include "analysis/step_kinds.h"
#include "base/memory.h"
#include "base/order.h"
#include "stats/ranks.h"

enum step_times_use step_times_use(const struct run_side *base, const struct run_side *new_side,
	enum measure_id id, const struct run_value_options *opt)
{
	const struct step_times *b = &base->self->times, *n = &new_side->self->times;

	if (!b->time_ps || !n->time_ps || b->kind != n->kind)
		return STEP_TIMES_NONE;
	return b->decides && n->decides && id == MEASURE_TIME && !opt->of_selected
		       ? STEP_TIMES_DECIDE
		       : STEP_TIMES_BESIDE;
}

struct run_row step_row(const struct run_side *side, enum measure_id id, bool by_time,
	const struct run_value_options *opt, struct arena *arena)
{
	const struct step_set *steps = side->steps;
	struct arena *scratch = arena_new();
	double *total = arena_array(scratch, side->self->step_count, sizeof(*total));
	bool *known = arena_array(scratch, side->self->step_count, sizeof(*known));
	double *kept = arena_array(scratch, steps->count, sizeof(*kept));
	unsigned char *state = arena_array(scratch, steps->count, sizeof(*state));
	struct run_value_options values = *opt;
	struct run_row row = {0};

	if (!by_time)
		steps_totals(side->self, id, total, known);
	for (size_t i = 0; i < steps->count; i++) {
		const uint32_t s = steps->step[i];

		kept[i] = by_time ? step_series_value(side->self->times.time_ps, s) : total[s];
		state[i] = isnan(kept[i])	 ? RUN_STEP_ABSENT
			   : by_time || known[s] ? RUN_STEP_PRESENT
						 : RUN_STEP_UNKNOWN;
		kept[i] = state[i] == RUN_STEP_ABSENT ? 0 : kept[i];
	}
	values.skip_absent |= by_time; /* a last step without a period is none with 0 */
	run_row_of_series(steps, &values, kept, state, arena, &row);
	arena_free(scratch);
	return row;
}

const struct compared *compared_step(const struct comparison *comparison)
{
	return comparison->step_times == STEP_TIMES_DECIDE ? &comparison->step_time
							   : &comparison->measure[0].total;
}

struct compare_options compared_step_options(
	const struct comparison *comparison, const struct compare_options *opt)
{
	struct compare_options of_step = *opt;

	if (opt->noise && comparison->step_times == STEP_TIMES_DECIDE)
		of_step.noise = noise_of_step_time(opt->noise, comparison->step_time_kind);
	return of_step;
}

/* Chooses the steps of each further kind as those of the rows were chosen, and tests their
 * totals. */

#define KINDS_MOST 20 /* more are not kinds of step but steps without order */

/* Returns for each of `kinds` kinds the fewest steps in a kept run: 0 where a run has none. */
static size_t *fewest_steps(const struct run_side *side, size_t kinds, struct arena *arena)
{
	const struct step_set *steps = side->steps;
	size_t *fewest = arena_array(arena, kinds, sizeof(*fewest));
	size_t *runs = arena_array(arena, kinds, sizeof(*runs));
	size_t *here = arena_array(arena, kinds, sizeof(*here));

	for (size_t r = 0; r < steps->run_count; r++) {
		const struct run *run = &side->self->run[steps->run[r]];
		const uint32_t *of_step = &steps->kinds.of_step[run->step_first];

		for (size_t i = 0; i < run->step_count; i++)
			here[of_step[i] - 1]++;
		/* Only the kinds of the run, not all kinds for each run. */
		for (size_t i = 0; i < run->step_count; i++) {
			size_t k = of_step[i] - 1;

			if (!here[k])
				continue;
			if (!runs[k]++ || here[k] < fewest[k])
				fewest[k] = here[k];
			here[k] = 0;
		}
	}
	for (size_t k = 0; k < kinds; k++)
		fewest[k] = runs[k] == steps->run_count ? fewest[k] : 0;
	return fewest;
}

/* Odd steps and those without time are no work that repeats. */
static bool can_be_judged(
	const struct kinds *kinds, uint32_t kind, size_t here, size_t there, size_t least)
{
	return here >= least && there >= least && kind != kinds->odd && kind != kinds->timeless;
}

/* Part of the steps of each run of the cube that are of the kind; returns the mean. */
static double share_of_runs(const struct run_side *side, uint32_t kind, double *share)
{
	const struct cube *cube = side->self;
	double sum = 0;

	for (size_t r = 0; r < cube->run_count; r++) {
		const struct run *run = &cube->run[r];
		size_t n = 0;

		for (size_t i = 0; i < run->step_count; i++)
			n += side->steps->kinds.of_step[run->step_first + i] == kind;
		share[r] = (double)n / (double)run->step_count;
		sum += share[r];
	}
	return sum / (double)cube->run_count;
}

/* How often the kind came is a count by run: steps of a run are not independent. */
static void compare_shares(
	const struct comparison_input *input, size_t kinds, struct compared_kind *kind)
{
	const struct run_side *base = &input->base.run, *new = &input->new.run;
	double *of_base = memory_alloc(memory_product(base->self->run_count, sizeof(*of_base)));
	double *of_new = memory_alloc(memory_product(new->self->run_count, sizeof(*of_new)));
	struct rank_tables tables;
	struct rank_test test;

	kind->share_base = share_of_runs(base, kind->number, of_base);
	kind->share_new = share_of_runs(new, kind->number, of_new);
	rank_tables_init(&tables);
	rank_sum_test(&tables,
		&(struct rank_samples){
			of_base, base->self->run_count, of_new, new->self->run_count},
		&test);
	kind->share_p = fmin(1, test.p * (double)(kinds - 1));
	rank_tables_release(&tables);
	memory_free(of_base);
	memory_free(of_new);
}

static bool is_unsteady(const struct step_set *steps)
{
	size_t unsteady = 0;

	for (size_t r = 0; r < steps->run_count; r++)
		unsteady += steps->is_alike && steps->warmup[r].state == WARMUP_UNSTEADY;
	return 2 * unsteady >= steps->run_count && unsteady;
}

/* NULL, or why it cannot be judged. */
static const char *judge(
	const struct comparison_input *input, struct compared_kind *kind, struct comparison *out)
{
	struct arena *arena = out->arena;
	const struct run_side *side[] = {&input->base.run, &input->new.run};
	enum measure_id id = input->measure[0];
	struct compare_options options = compared_step_options(out, input->options);
	struct step_options choice = input->steps;
	struct run_row *row = arena_array(arena, 2, sizeof(*row));
	struct step_set *set = arena_array(arena, 2, sizeof(*set));
	struct run_side of_kind;
	struct error err;

	choice.kind = kind->number;
	choice.kind_name = NULL;
	for (size_t s = 0; s < 2; s++) {
		choice.kinds = &side[s]->steps->kinds;
		choice.base = s ? &set[0] : NULL;
		if (steps_select(side[s]->self, &choice, arena, &set[s], &err) < 0)
			return "none of its steps is left";
		if (options.method == METHOD_PAIRED &&
			set[s].run_count != side[s]->steps->run_count) {
			if (!options.in_turns)
				return "its runs are not those of the rounds";
			options.method = METHOD_MODERATED;
		}
		of_kind = *side[s];
		of_kind.steps = &set[s];
		row[s] = step_row(&of_kind, id, out->step_times == STEP_TIMES_DECIDE,
			&input->options->value, arena);
	}
	options.unsteady = is_unsteady(&set[0]) || is_unsteady(&set[1]);
	kind->value.base = &row[0];
	kind->value.new = &row[1];
	decide_single(&kind->value, &options, id,
		measure_at(id)->dimension == DIMENSION_TIME
			? fmax(set[0].time_resolution_ps, set[1].time_resolution_ps)
			: 0,
		NULL);
	return NULL;
}

uint32_t *compared_kinds_of_steps(
	const struct run_side *side, const struct run_side *other, struct arena *arena)
{
	const struct step_set *steps = side->steps;
	size_t kinds = steps->kinds.count > other->steps->kinds.count ? steps->kinds.count
								      : other->steps->kinds.count;
	const size_t *here = fewest_steps(side, kinds, arena);
	const size_t *there = fewest_steps(other, kinds, arena);
	uint32_t *of_step = arena_array(arena, side->self->step_count, sizeof(*of_step));

	for (size_t i = 0; i < side->self->step_count; i++) {
		uint32_t kind = steps->kinds.of_step[i];

		of_step[i] = can_be_judged(&steps->kinds, kind, here[kind - 1], there[kind - 1], 1)
				     ? kind
				     : 1;
	}
	return of_step;
}

void compared_kinds_find(const struct comparison_input *input, struct comparison *out)
{
	const struct kinds *base = &input->base.run.steps->kinds;
	const struct kinds *new_side = &input->new.run.steps->kinds;
	size_t kinds = base->count > new_side->count ? base->count : new_side->count;
	/* A run has a value from one step on; a spread that is given is that of whole runs. */
	const size_t least =
		!isnan(input->options->run_cv) || input->options->noise ? KIND_STEPS_LEAST : 1;
	const size_t *steps_base, *steps_new;

	if (kinds < 2 || input->options->value.of_selected ||
		measure_at(input->measure[0])->kind == MEASURE_STATIC)
		return;
	steps_base = fewest_steps(&input->base.run, kinds, out->arena);
	steps_new = fewest_steps(&input->new.run, kinds, out->arena);
	out->kind = arena_array(out->arena, KINDS_MOST, sizeof(*out->kind));
	for (uint32_t k = 1; k <= kinds; k++) {
		struct compared_kind kind = {.number = k,
			.word = kinds_word(base, k, out->arena),
			.steps_base = steps_base[k - 1],
			.steps_new = steps_new[k - 1]};

		if (k == input->steps.kind)
			continue;
		const bool is_judged =
			can_be_judged(base, k, kind.steps_base, kind.steps_new, least);

		compare_shares(input, kinds, &kind);
		if (!is_judged && !(kind.share_p < COMPARED_SHARE_P))
			continue;
		if (out->kind_count == KINDS_MOST) {
			out->kinds_beyond++;
			continue;
		}
		if (is_judged) {
			kind.reason = judge(input, &kind, out);
			kind.judged = !kind.reason;
		}
		out->kind[out->kind_count++] = kind;
	}
}

/* Makes the rows of the parts from the series of both sides and has each decided by itself. */

/* Number of the parts that are recorded. */
static const enum step_series_kind series_of[PARTS] = {
	[PART_COMPUTE] = SERIES_COMPUTE,
	[PART_COMMUNICATION] = SERIES_COMMUNICATION,
	[PART_COPIES] = SERIES_COPIES,
	[PART_IDLE] = SERIES_IDLE,
	[PART_HOST_LATE] = SERIES_HOST_LATE,
	[PART_WAITED] = SERIES_WAITED,
	[PART_GAPS] = SERIES_GAPS,
	[PART_HIDDEN] = SERIES_HIDDEN,
};

const char *compared_part_name(enum compared_part part)
{
	if (part == PART_WINDOW || part == PART_NO_CAUSE)
		return part == PART_WINDOW ? "window" : "idle_no_cause";
	return step_series_name(series_of[part]);
}

/* In a step, ps; NaN where it is not known. */
static double part_ps(const struct device_series *series, enum compared_part part, size_t step)
{
	const double window = device_series_sum(series, SERIES_IDLE, step);
	double rest;

	/* Means of parts add up only over the same steps. */
	if (isnan(window) || part == PART_WINDOW)
		return window;
	if (part != PART_NO_CAUSE)
		return step_series_value(series->value_ps[series_of[part]], step);
	rest = step_series_value(series->value_ps[SERIES_IDLE], step);
	for (enum step_series_kind kind = SERIES_HOST_LATE; kind <= SERIES_GAPS; kind++)
		rest -= step_series_value(series->value_ps[kind], step);
	return rest;
}

/* The rows of a device; NULL where no kept step knows the part. */
static void device_rows(const struct run_side *side, const char *device, struct arena *arena,
	const struct run_row *out[PARTS])
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	const struct step_set *steps = side->steps;
	struct arena *scratch = arena_new();
	double *x = arena_array(scratch, steps->count, sizeof(*x));
	unsigned char *state = arena_array(scratch, steps->count, sizeof(*state));
	struct device_series series;

	device_series_find(&side->self->series, device, &series);
	for (int p = 0; p < PARTS; p++) {
		struct run_row *row = arena_alloc(arena, sizeof(*row));
		size_t known = 0;

		for (size_t i = 0; i < steps->count; i++) {
			bool is_known;

			x[i] = part_ps(&series, p, steps->step[i]);
			is_known = !isnan(x[i]);
			state[i] = is_known ? RUN_STEP_PRESENT : RUN_STEP_UNKNOWN;
			x[i] = is_known ? x[i] : 0;
			known += is_known;
		}
		*row = (struct run_row){0};
		run_row_of_series(steps, &opt, x, state, arena, row);
		out[p] = known ? row : NULL;
	}
	arena_free(scratch);
}

/* The row of a series of the step; NULL where some kept step does not know it. */
static const struct run_row *step_series_row(
	const struct run_side *side, enum step_series_kind kind, struct arena *arena)
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	const int64_t *series = step_series_find(&side->self->series, kind, "");
	struct arena *scratch = arena_new();
	double *x = arena_array(scratch, side->steps->count, sizeof(*x));
	struct run_row *row = NULL;
	size_t known = 0;

	for (size_t i = 0; series && i < side->steps->count; i++) {
		x[i] = step_series_value(series, side->steps->step[i]);
		known += !isnan(x[i]);
	}
	if (known && known == side->steps->count) {
		row = arena_alloc(arena, sizeof(*row));
		*row = (struct run_row){0};
		run_row_of_series(side->steps, &opt, x, NULL, arena, row);
	}
	arena_free(scratch);
	return row;
}

/* Both sides, and how their parts are decided. */
struct parts_maker {
	const struct run_side *base, *new;
	struct compare_options opt;
	double resolution; /* the coarser one of the sides */
	struct arena *arena;
};

static void decide_part(const struct parts_maker *m, struct compared *v)
{
	if (v->base && v->new)
		decide_single(v, &m->opt, MEASURE_TIME, m->resolution, NULL);
	else
		decide_means(v);
}

static void fill_host(const struct parts_maker *m, enum step_series_kind kind, struct compared *out)
{
	*out = (struct compared){.base = step_series_row(m->base, kind, m->arena),
		.new = step_series_row(m->new, kind, m->arena)};
	decide_part(m, out);
}

static size_t find_name(const char *const *name, size_t count, const char *sought)
{
	size_t i = 0;

	while (i < count && strcmp(name[i], sought) != 0)
		i++;
	return i;
}

/* The row of one cause on a side that has causes of this device; NULL: it has none of any. */
static const struct run_row *cause_row(const struct run_side *side,
	const struct device_cause *cause, const struct run_row *late, struct arena *arena)
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	const struct step_set *steps = side->steps;
	struct arena *scratch = arena_new();
	double *x = arena_array(scratch, steps->count, sizeof(*x));
	unsigned char *state = arena_array(scratch, steps->count, sizeof(*state));
	struct run_row *row = NULL;

	for (size_t i = 0; i < steps->count && late; i++) {
		const double value = cause ? step_series_value(cause->value_ps, steps->step[i]) : 0;

		x[i] = isnan(value) ? 0 : value;
		state[i] = isnan(value) ? RUN_STEP_UNKNOWN : RUN_STEP_PRESENT;
	}
	if (late) {
		row = arena_alloc(arena, sizeof(*row));
		*row = (struct run_row){0};
		run_row_of_series(steps, &opt, x, state, arena, row);
	}
	arena_free(scratch);
	return row;
}

ORDERED(compare_causes, struct compared_cause,
	ORDER(fmax(y->value.base_mean, y->value.new_mean),
		fmax(x->value.base_mean, x->value.new_mean))
		?: strcmp(x->name, y->name));

/* The causes of both sides; those that a side does not have are 0 there, but for those that may be
 * among its small ones, by what these take together: they are folded here and there. */
static void fill_causes(const struct parts_maker *m, struct compared_device *out)
{
	const struct run_side *side[] = {m->base, m->new};
	const char *device[] = {out->base, out->new};
	struct device_cause *cause[2] = {NULL, NULL};
	size_t count[2];

	for (size_t i = 0; i < 2; i++)
		count[i] = device[i] ? device_causes_spoken(side[i]->self, side[i]->steps,
					       device[i], m->arena, &cause[i])
				     : 0;

	double most_ps[2];

	for (size_t i = 0; i < 2; i++) {
		const struct device_cause *other =
			device_causes_named(cause[1 - i], count[1 - i], STEP_SERIES_OTHER);

		most_ps[i] = other ? other->mean_ps : -1;
	}
	for (size_t i = 0; i < 2; i++)
		count[i] = device_causes_fold(side[i]->self, cause[i], count[i], cause[1 - i],
			count[1 - i], most_ps[i], m->arena);
	out->cause = arena_array(m->arena, count[0] + count[1], sizeof(*out->cause));
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < count[i]; k++) {
			const char *name = cause[i][k].name;
			struct compared_cause *to = &out->cause[out->cause_count];

			if (i && count[0] && device_causes_named(cause[0], count[0], name))
				continue;
			*to = (struct compared_cause){.name = name};
			to->value.base = cause_row(m->base,
				count[0] ? device_causes_named(cause[0], count[0], name) : NULL,
				out->part[PART_HOST_LATE].base, m->arena);
			to->value.new = cause_row(m->new,
				count[1] ? device_causes_named(cause[1], count[1], name) : NULL,
				out->part[PART_HOST_LATE].new, m->arena);
			decide_part(m, &to->value);
			out->cause_count++;
		}
	if (out->cause_count)
		qsort(out->cause, out->cause_count, sizeof(*out->cause), compare_causes);
}

void compared_devices_make(const struct run_side *base, const struct run_side *new_side,
	const struct compare_options *opt, struct arena *arena, struct compared_devices *out)
{
	const char **name[2];
	const size_t bases = step_series_devices(&base->self->series, arena, &name[0]),
		     news = step_series_devices(&new_side->self->series, arena, &name[1]);
	struct compare_options alone = *opt;

	alone.value = (struct run_value_options){.kind = RUN_VALUE_MEAN};
	/* The given spread is that of ops and of the step. */
	alone.noise = NULL;
	alone.run_cv = NAN;
	const struct parts_maker maker = {
		.base = base,
		.new = new_side,
		.opt = alone,
		.resolution =
			fmax(base->steps->time_resolution_ps, new_side->steps->time_resolution_ps),
		.arena = arena,
	};

	*out = (struct compared_devices){0};
	out->device = arena_array(arena, bases + news, sizeof(*out->device));
	for (size_t i = 0; i < bases; i++) {
		size_t at = bases == news ? i : find_name(name[1], news, name[0][i]);

		out->device[out->count++] = (struct compared_device){
			.base = name[0][i], .new = at < news ? name[1][at] : NULL};
	}
	for (size_t i = 0; i < news && bases != news; i++)
		if (find_name(name[0], bases, name[1][i]) == bases)
			out->device[out->count++] = (struct compared_device){.new = name[1][i]};
	for (size_t i = 0; i < out->count; i++) {
		const struct run_row *rows[2][PARTS] = {{NULL}};

		if (out->device[i].base)
			device_rows(maker.base, out->device[i].base, maker.arena, rows[0]);
		if (out->device[i].new)
			device_rows(maker.new, out->device[i].new, maker.arena, rows[1]);
		for (int p = 0; p < PARTS; p++) {
			out->device[i].part[p] =
				(struct compared){.base = rows[0][p], .new = rows[1][p]};
			decide_part(&maker, &out->device[i].part[p]);
		}
		fill_causes(&maker, &out->device[i]);
	}
	fill_host(&maker, SERIES_HOST_OPS, &out->host_ops);
	fill_host(&maker, SERIES_HOST_WAITING, &out->host_waiting);
}
