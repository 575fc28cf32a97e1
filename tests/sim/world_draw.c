/* Draws recordings of a world. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <gsl/gsl_randist.h>
#include "tests/sim/world.h"

#define PS_PER_US 1e6
#define MORE_NOISE 6
#define SECOND_SPEED 0.08
#define RARE_EXECUTIONS 2
#define WARMING_STEPS 0.7 /* more than the half that may be warm-up */

/* What the ops of one run have in common. */
struct run_effects {
	double shared[SIDES][WORLD_RUNS_MAX], group[SIDES][WORLD_RUNS_MAX];
};

static double usual(double value, double otherwise)
{
	return value > 0 ? value : otherwise;
}

struct world world_usual(const struct world *w)
{
	struct world u = *w;

	u.options = w->options ? w->options : "";
	u.ops = w->ops > 0 ? w->ops : 100;
	u.steps = w->steps > 0 ? w->steps : 30;
	u.cv[BASE] = usual(w->cv[BASE], 0.015);
	u.cv[NEW] = usual(w->cv[NEW], u.cv[BASE]);
	u.spread = usual(w->spread, 0.3);
	u.step_cv = usual(w->step_cv, 0.05);
	u.step_cv_most = usual(w->step_cv_most, u.step_cv);
	u.us_least = usual(w->us_least, 100);
	u.us_most = usual(w->us_most, fmax(2000, u.us_least));
	u.grid_us = usual(w->grid_us, 1 / PS_PER_US);
	return u;
}

static double draw_cv_factor(gsl_rng *rng, const struct world *w)
{
	if (w->prior_df > 0)
		return sqrt(w->prior_df / gsl_ran_chisq(rng, w->prior_df));
	return gsl_ran_lognormal(rng, 0, w->spread);
}

/* A share of the ops is the same number of them in every comparison, at least one. */
static bool among_first(size_t op, double share, size_t ops)
{
	return share > 0 && (double)op < fmax(1, round(share * (double)ops));
}

static void draw_op(gsl_rng *rng, const struct world *w, struct world_op *out)
{
	const double factor = draw_cv_factor(rng, w);

	*out = (struct world_op){0};
	out->us = w->us_least * pow(w->us_most / w->us_least, gsl_rng_uniform(rng));
	for (enum side side = BASE; side < SIDES; side++)
		out->cv[side] = w->cv[side] * factor;
	out->step_cv = gsl_ran_flat(rng, w->step_cv, w->step_cv_most);
}

/* Kinds are given from both ends, so that ops that change are not those that are noisy, rare or of
 * two speeds. */
void world_draw_ops(gsl_rng *rng, const struct world *w, bool changed, struct world_op *op)
{
	for (size_t i = 0; i < w->ops; i++) {
		draw_op(rng, w, &op[i]);
		op[i].grouped = i % 5 < round(5 * w->group);
		op[i].named = op[i].grouped && !w->hidden;
		op[i].two_speeds = among_first(i, w->two_speeds, w->ops);
		op[i].rare = among_first(i, w->rare, w->ops);
		op[i].noisy = among_first(i, w->noisy, w->ops);
		if (op[i].noisy)
			for (enum side side = BASE; side < SIDES; side++)
				op[i].cv[side] *= MORE_NOISE;
		if (op[i].rare)
			op[i].us = gsl_ran_flat(rng, 2, 10);
		if (!changed || !among_first(w->ops - 1 - i, w->changed, w->ops))
			continue;
		op[i].change = w->change;
		op[i].missing = w->missing;
	}
}

/* A machine that gets slower from run to run: base, new, base, new. */
static void add_drift(gsl_rng *rng, const struct world *w, struct run_effects *out)
{
	const size_t runs = w->runs[BASE] + w->runs[NEW];
	double at = 0;

	for (size_t i = 0; i < runs; i++) {
		out->shared[i % SIDES][i / SIDES] += at;
		at += log(1 + w->trend) / (double)(runs - 1) + gsl_ran_gaussian(rng, w->walk);
	}
}

static void draw_effects(gsl_rng *rng, const struct world *w, struct run_effects *out)
{
	double rounds[WORLD_RUNS_MAX];

	for (size_t r = 0; r < WORLD_RUNS_MAX; r++)
		rounds[r] = gsl_ran_gaussian(rng, w->round);
	for (enum side side = BASE; side < SIDES; side++) {
		for (size_t r = 0; r < w->runs[side]; r++) {
			out->shared[side][r] = rounds[r] + gsl_ran_gaussian(rng, w->shared);
			out->group[side][r] = gsl_ran_gaussian(rng, w->group_sd);
		}
	}
	if (w->trend || w->walk)
		add_drift(rng, w, out);
}

/* What is added to the log of all steps of an op in a run. */
static double draw_run(gsl_rng *rng, const struct world_op *op, enum side side)
{
	double value = gsl_ran_gaussian_ziggurat(rng, op->cv[side]);

	if (op->two_speeds && gsl_rng_uniform(rng) < 0.5)
		value += log(1 + SECOND_SPEED);
	if (side == NEW)
		value += log(1 + op->change);
	return value;
}

static int64_t recorded_ps(const struct world *w, const struct world_op *op, double log_time)
{
	const double grid = op->rare ? 1 : w->grid_us;

	return (int64_t)(round(op->us * exp(log_time) / grid) * round(grid * PS_PER_US));
}

static bool runs_in_step(const struct world *w, const struct world_op *op, size_t step)
{
	return !op->rare || step % (w->steps / RARE_EXECUTIONS) == w->steps / RARE_EXECUTIONS / 2;
}

/* What the warm-up of the unsteady run adds. */
static double warming(const struct world *w, size_t step)
{
	const size_t end = (size_t)(WARMING_STEPS * (double)w->steps);

	return step < end ? log(2 - (double)step / (double)end) : 0;
}

/* Logs of an op's times in the steps of a run, relative to the op's usual time. */
static void draw_steps(
	gsl_rng *rng, const struct world *w, const struct world_op *op, double run, double *value)
{
	double noise = gsl_ran_gaussian_ziggurat(rng, 1);

	for (size_t s = 0; s < w->steps; s++) {
		value[s] = run + op->step_cv * noise;
		noise = w->lag * noise +
			sqrt(1 - w->lag * w->lag) * gsl_ran_gaussian_ziggurat(rng, 1);
	}
}

static void draw_side(gsl_rng *rng, const struct world *w, const struct world_op *op,
	const struct run_effects *effects, enum side side, struct recording *out)
{
	double value[WORLD_STEPS_MAX];

	for (size_t r = 0; r < w->runs[side]; r++) {
		const bool first = side == BASE && r == 0;

		for (size_t i = 0; i < w->ops; i++) {
			int64_t *const ps = out->ps + (i * w->runs[side] + r) * w->steps;
			double run = effects->shared[side][r] + draw_run(rng, &op[i], side);

			if (op[i].grouped)
				run += effects->group[side][r];
			draw_steps(rng, w, &op[i], run, value);
			for (size_t s = 0; s < w->steps; s++) {
				const double more = first && w->unsteady ? warming(w, s) : 0;
				const bool present =
					runs_in_step(w, &op[i], s) && !(first && op[i].missing);

				ps[s] = present ? recorded_ps(w, &op[i], value[s] + more) : -1;
			}
		}
	}
}

void world_record(
	gsl_rng *rng, const struct world *w, const struct world_op *op, const char *folder)
{
	static const char *const name[SIDES] = {"base.obs", "new.obs"};
	struct run_effects effects;

	draw_effects(rng, w, &effects);
	for (enum side side = BASE; side < SIDES; side++) {
		struct recording r = {w->ops, w->runs[side], w->steps, NULL};
		char path[512];

		if (r.runs == 0)
			continue;
		r.ps = calloc(r.ops * r.runs * r.steps, sizeof(*r.ps));
		if (r.ps == NULL) {
			fprintf(stderr, "worlds: out of memory\n");
			exit(1);
		}
		draw_side(rng, w, op, &effects, side, &r);
		snprintf(path, sizeof(path), "%s/%s", folder, name[side]);
		world_write(path, &r, op);
		free(r.ps);
	}
}

double world_mean_us(const struct world_op *op)
{
	return op->us * exp(op->step_cv * op->step_cv / 2);
}
