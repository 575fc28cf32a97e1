/* How often does a comparison of many ops claim what is not there, and how often does it find what
 * is? Simulated comparisons for the methods of stats/moderated/moderated.h; `make check-statistics`
 * prints the table that doc/statistics-simulation.md quotes. Usage: simulate [COMPARISONS
 * [SEED]] */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "base/number.h"
#include "stats/tests.h"
#include "stats/moderated/moderated.h"
#include "stats/multiple.h"

enum { OPS = 300, RUNS_MAX = 5, STEPS = 50 };
enum { LIMMA, DEFAULT, ONE_PRIOR, NOT_CAUTIOUS, KNOWN, METHODS };

static const char *const method_name[METHODS] = {
	"limma", "default", "one prior", "not cautious", "variances known"};

/* What is simulated: shared sd of a run, share of ops that get 10 % slower, whether short ops are
 * noisier. */
struct world {
	size_t ops, runs;
	double shared, planted;
	bool short_is_noisy;
};

struct draw {
	double value[OPS * 2 * RUNS_MAX];
	double step_variance[OPS]; /* the variance that the steps leave */
	double sd[OPS];		   /* of a run, the op's own */
	bool changed[OPS];
};

/* Run CV 2 % times a lognormal of 0.4, step CV 2 to 10 %; the step variance is estimated from all
 * steps of all runs, which for normal steps is a chi-squared. */
static void draw_op(
	gsl_rng *rng, const struct world *w, size_t op, const double *effect, struct draw *out)
{
	const double mean = gsl_ran_gaussian(rng, 1.6), df = (double)(2 * w->runs * (STEPS - 1));
	const double more = w->short_is_noisy ? exp(-0.25 * mean) : 1;
	const double run_sd = more * 0.02 * gsl_ran_lognormal(rng, 0, 0.4);
	const double step_sd = more * gsl_ran_flat(rng, 0.02, 0.1);
	const double sd = sqrt(run_sd * run_sd + step_sd * step_sd / STEPS);
	out->sd[op] = sd;
	out->changed[op] = gsl_rng_uniform(rng) < w->planted;
	for (size_t r = 0; r < 2 * w->runs; r++) {
		double value = mean + effect[r] + gsl_ran_gaussian(rng, sd);

		if (out->changed[op] && r >= w->runs)
			value += log(1.1);
		out->value[op * 2 * w->runs + r] = value;
	}
	out->step_variance[op] = step_sd * step_sd * gsl_ran_chisq(rng, df) / df / STEPS;
}

static void draw_comparison(gsl_rng *rng, const struct world *w, struct draw *out)
{
	double effect[2 * RUNS_MAX];

	for (size_t r = 0; r < 2 * w->runs; r++)
		effect[r] = gsl_ran_gaussian(rng, w->shared);
	for (size_t op = 0; op < w->ops; op++)
		draw_op(rng, w, op, effect, out);
}

/* Counts over the comparisons of one world and method. */
struct tally {
	double comparisons, with_truth;
	double any, any_red; /* comparisons with a false q < 0.05; with a false minimum effect */
	double power, power_red;       /* sums of the found share of the truth */
	double false_share, false_red; /* sums of the false share of what was found */
};

struct found {
	size_t right, wrong;
};

static struct found count(const double *p, const struct draw *d, size_t ops)
{
	struct found found = {0, 0};
	double q[OPS];

	multiple_adjust(MULTIPLE_BH, p, ops, q);
	for (size_t op = 0; op < ops; op++) {
		if (!(q[op] < 0.05))
			continue;
		if (d->changed[op])
			found.right++;
		else
			found.wrong++;
	}
	return found;
}

static double share(size_t part, size_t other)
{
	return part + other == 0 ? 0 : (double)part / (double)(part + other);
}

static void tally_add(
	const struct moderated_op *op, const struct draw *d, size_t ops, struct tally *t)
{
	const double margin = log(1.02);
	double p[OPS] = {0}, above[OPS] = {0}, below[OPS] = {0};
	struct found all, slower, faster;
	size_t truth = 0;

	for (size_t i = 0; i < ops; i++) {
		p[i] = op[i].p;
		above[i] = equivalence_above(op[i].diff, op[i].se, op[i].df, margin);
		below[i] = equivalence_below(op[i].diff, op[i].se, op[i].df, -margin);
		truth += d->changed[i];
	}
	all = count(p, d, ops);
	slower = count(above, d, ops);
	faster = count(below, d, ops);
	slower.wrong += faster.wrong + faster.right;
	t->comparisons++;
	t->any += all.wrong > 0;
	t->any_red += slower.wrong > 0;
	t->false_share += share(all.wrong, all.right);
	t->false_red += share(slower.wrong, slower.right);
	if (truth == 0)
		return;
	t->with_truth++;
	t->power += (double)all.right / (double)truth;
	t->power_red += (double)slower.right / (double)truth;
}

/* What no method can know: the test with the variances that were simulated. */
static void test_known(const struct world *w, const struct draw *d, struct moderated_op *op)
{
	for (size_t i = 0; i < w->ops; i++) {
		const double variance = d->sd[i] * d->sd[i] + w->shared * w->shared;
		const double *const value = d->value + i * 2 * w->runs;

		op[i].diff = 0;
		for (size_t r = 0; r < w->runs; r++)
			op[i].diff += (value[w->runs + r] - value[r]) / (double)w->runs;
		op[i].se = sqrt(variance * 2 / (double)w->runs);
		op[i].df = INFINITY;
		op[i].p = 2 * gsl_cdf_ugaussian_Q(fabs(op[i].diff) / op[i].se);
	}
}

static void run_method(
	int method, const struct world *w, const struct draw *d, struct moderated_op *op)
{
	const struct moderated_data data = {d->value, w->ops, w->runs, w->runs};
	/* Nobody looks at the intervals, and those of confidence 0 are made quickest. */
	struct moderated_options opt = {.confidence = 0, .plain = method == LIMMA};
	struct moderated summary;

	if (method == KNOWN) {
		test_known(w, d, op);
		return;
	}
	if (method != LIMMA) {
		opt.by_mean = method != ONE_PRIOR;
		opt.step_variance = d->step_variance;
		opt.robust = opt.ratio = true;
		opt.cautious = method != NOT_CAUTIOUS;
	}
	moderated_test(&data, &opt, op, &summary);
}

/* Methods that `methods` has the bit of. */
static void simulate(gsl_rng *rng, const struct world *w, unsigned int methods, size_t comparisons,
	struct tally *tally)
{
	static struct draw d;
	static struct moderated_op op[OPS];

	memset(tally, 0, METHODS * sizeof(*tally));
	for (size_t i = 0; i < comparisons; i++) {
		draw_comparison(rng, w, &d);
		for (int method = 0; method < METHODS; method++) {
			if (!(methods & 1U << method))
				continue;
			run_method(method, w, &d, op);
			tally_add(op, &d, w->ops, &tally[method]);
		}
	}
}

static void print_world(
	gsl_rng *rng, const struct world *w, unsigned int methods, size_t comparisons)
{
	struct world changed = *w;
	struct tally none[METHODS], some[METHODS];

	changed.planted = 0.05;
	simulate(rng, w, methods, comparisons, none);
	simulate(rng, &changed, methods, comparisons, some);
	for (int m = 0; m < METHODS; m++) {
		const struct tally *const n = &none[m], *const s = &some[m];

		if (!(methods & 1U << m))
			continue;
		printf("| %zu | %zu | %.0f %% | %s | %.3f | %.3f | %.2f | %.3f | %.2f | %.3f |\n",
			w->ops, w->runs, 100 * w->shared, method_name[m], n->any / n->comparisons,
			n->any_red / n->comparisons, s->power / s->with_truth,
			s->false_share / s->comparisons, s->power_red / s->with_truth,
			s->false_red / s->comparisons);
	}
	fflush(stdout);
}

static void print_head(const char *title)
{
	printf("\n## %s\n\n", title);
	printf("| ops | runs a side | shared sd | method | A/A: any q < 0.05 | A/A: any beyond 2 "
	       "%% | +10 %%: power | false share | power beyond 2 %% | false share |\n"
	       "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
}

static void print_many(gsl_rng *rng, bool short_is_noisy, size_t comparisons)
{
	for (size_t runs = 3; runs <= 5; runs += 2)
		for (int percent = 0; percent <= 3; percent++)
			print_world(rng,
				&(struct world){.ops = OPS,
					.runs = runs,
					.shared = percent / 100.0,
					.short_is_noisy = short_is_noisy},
				(1U << METHODS) - 1, comparisons);
}

static void print_few(gsl_rng *rng, size_t comparisons)
{
	static const size_t sizes[] = {2, 5, 9, 10, 20, 49, 50, 100};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int percent = 0; percent <= 2; percent += 2)
			print_world(rng,
				&(struct world){
					.ops = sizes[i], .runs = 3, .shared = percent / 100.0},
				1U << LIMMA | 1U << DEFAULT | 1U << ONE_PRIOR, comparisons);
}

/* The default's promise, to half the error of the other tables. */
static void print_promise(gsl_rng *rng, size_t comparisons)
{
	static const double shared[] = {0, 0.005, 0.01, 0.015, 0.02, 0.03};

	printf("\n## The default's false claims\n\n"
	       "| runs a side | short ops are noisier | shared sd | A/A: any q < 0.05 | A/A: any "
	       "beyond 2 %% |\n| --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < 4 * sizeof(shared) / sizeof(shared[0]); i++) {
		const struct world w = {.ops = OPS,
			.runs = i % 2 ? 5 : 3,
			.shared = shared[i / 4],
			.short_is_noisy = i / 2 % 2};
		struct tally tally[METHODS];

		simulate(rng, &w, 1U << DEFAULT, comparisons, tally);
		printf("| %zu | %s | %.1f %% | %.4f | %.4f |\n", w.runs,
			w.short_is_noisy ? "yes" : "no", 100 * w.shared,
			tally[DEFAULT].any / tally[DEFAULT].comparisons,
			tally[DEFAULT].any_red / tally[DEFAULT].comparisons);
		fflush(stdout);
	}
}

/* ---- how the p values of a comparison are adjusted ---- */

enum adjusting { TWO_SIDED, ONE_SIDED, PROGRAM, ADJUSTINGS };

static const char *const adjusting_name[ADJUSTINGS] = {
	"two-sided", "each direction by itself", "with Simes (the default)"};

/* Sums over comparisons; near and far: shares of the intervals of claims that miss the truth, which
 * is nearer to 0 than they reach, or further away. */
struct claims {
	double any, power, false_share, near, far;
};

static void adjust(enum adjusting how, const struct moderated_op *op, size_t ops, double *q)
{
	double p[OPS], diff[OPS], up[OPS], down[OPS];

	for (size_t i = 0; i < ops; i++) {
		p[i] = op[i].p;
		diff[i] = op[i].diff;
		up[i] = diff[i] > 0 ? p[i] / 2 : 1 - p[i] / 2;
		down[i] = 1 - up[i];
	}
	if (how == TWO_SIDED)
		multiple_adjust(MULTIPLE_BH, p, ops, q);
	if (how == PROGRAM)
		multiple_adjust_directions(p, diff, ops, q);
	if (how != ONE_SIDED)
		return;
	multiple_adjust(MULTIPLE_BH, up, ops, up);
	multiple_adjust(MULTIPLE_BH, down, ops, down);
	for (size_t i = 0; i < ops; i++)
		q[i] = fmax(diff[i] > 0 ? up[i] : down[i], p[i]);
}

static void claims_add(
	enum adjusting how, const struct moderated_op *op, const struct draw *d, struct claims *c)
{
	double q[OPS], near = 0, far = 0;
	size_t claimed[2] = {0, 0}, right = 0, all, truth = 0;

	adjust(how, op, OPS, q);
	for (size_t i = 0; i < OPS; i++) {
		claimed[op[i].diff > 0] += q[i] < 0.05;
		truth += d->changed[i];
	}
	all = claimed[0] + claimed[1];
	for (size_t i = 0; i < OPS; i++) {
		double k = (double)(how == TWO_SIDED ? all : 2 * claimed[op[i].diff > 0]);
		double half =
			gsl_cdf_tdist_Qinv(fmin(0.05 * k / OPS, 0.05) / 2, op[i].df) * op[i].se;
		double found = fabs(op[i].diff);
		double is = d->changed[i] ? (op[i].diff > 0 ? 1 : -1) * log(1.1) : 0;

		if (!(q[i] < 0.05))
			continue;
		right += d->changed[i] && op[i].diff > 0;
		near += is < found - half;
		far += is > found + half;
	}
	c->any += all > right;
	c->power += truth ? (double)right / (double)truth : 0;
	c->false_share += share(all - right, right);
	c->near += all ? near / (double)all : 0;
	c->far += all ? far / (double)all : 0;
}

static void print_adjusting(gsl_rng *rng, const struct world *w, size_t comparisons)
{
	static struct draw d;
	static struct moderated_op op[OPS];
	struct claims claims[ADJUSTINGS] = {{0, 0, 0, 0, 0}};
	const double n = (double)comparisons;

	for (size_t i = 0; i < comparisons; i++) {
		draw_comparison(rng, w, &d);
		run_method(DEFAULT, w, &d, op);
		for (int how = 0; how < ADJUSTINGS; how++)
			claims_add((enum adjusting)how, op, &d, &claims[how]);
	}
	for (int how = 0; how < ADJUSTINGS; how++)
		printf("| %zu | %.0f %% | %.1f %% | %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n",
			w->runs, 100 * w->shared, 100 * w->planted, adjusting_name[how],
			claims[how].any / n, claims[how].power / n, claims[how].false_share / n,
			claims[how].near / n, claims[how].far / n);
	fflush(stdout);
}

static void print_adjustings(gsl_rng *rng, size_t comparisons)
{
	static const double planted[] = {0, 0.05, 0.3};

	printf("\n## How p values are adjusted\n\n"
	       "| runs a side | shared sd | changed | adjusted | any false claim | power | false "
	       "share | too far from 0 | not far enough |\n"
	       "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t runs = 2; runs <= 5; runs++)
		for (size_t i = 0; runs != 4 && i < sizeof(planted) / sizeof(planted[0]); i++)
			print_adjusting(rng,
				&(struct world){.ops = OPS,
					.runs = runs,
					.shared = 0.01,
					.planted = planted[i]},
				comparisons);
}

static size_t argument(int argc, char **argv, int place, size_t usual)
{
	int64_t value;

	if (place >= argc)
		return usual;
	if (!number_parse_int(argv[place], strlen(argv[place]), &value) || value < 1) {
		fprintf(stderr, "simulate: '%s' is no number above 0\n", argv[place]);
		exit(2);
	}
	return (size_t)value;
}

int main(int argc, char **argv)
{
	const size_t comparisons = argument(argc, argv, 1, 1000);
	const size_t seed = argument(argc, argv, 2, 20240301);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_set_error_handler_off();
	gsl_rng_set(rng, seed);
	printf("%zu simulated comparisons a line, generator mt19937, seed %zu\n", comparisons,
		seed);
	print_head("Noise that does not depend on the op's time");
	print_many(rng, false, comparisons);
	print_head("Short ops are noisier (CV times time^-0.25)");
	print_many(rng, true, comparisons);
	print_head("Few ops");
	print_few(rng, comparisons);
	print_promise(rng, 4 * comparisons);
	gsl_rng_set(rng, seed);
	print_adjustings(rng, comparisons);
	gsl_rng_free(rng);
	return 0;
}
