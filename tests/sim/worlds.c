/*
 * What the program itself says of simulated recordings: every comparison is written as two CSV
 * tables, compared by the program that is named, and its CSV result is counted. The same seed makes
 * the same recordings for every program. doc/statistics-simulation.md quotes the tables.
 * Usage: worlds PROGRAM [COMPARISONS [SEED [PART-OF-A-WORLD'S-NAME]]]
 */
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <gsl/gsl_errno.h>
#include "base/number.h"
#include "tests/sim/world.h"

#define Q_FOUND 0.05
#define MARGIN 0.02

static volatile sig_atomic_t stopped;

/* One world is one line. */
/* clang-format off */
static const struct world worlds[] = {
#define SECTION "Equal spread"
	{SECTION, "alike 2 v 2", .runs = {2, 2}, .changed = 0.1, .change = 0.1},
	{SECTION, "alike 3 v 3", .runs = {3, 3}, .changed = 0.1, .change = 0.1},
	{SECTION, "alike 5 v 5", .runs = {5, 5}, .changed = 0.1, .change = 0.1},
	{SECTION, "alike 10 v 10", .runs = {10, 10}, .changed = 0.1, .change = 0.1},
	{SECTION, "alike 10 v 3", .runs = {10, 3}, .changed = 0.1, .change = 0.1},
	{SECTION, "alike 3 v 10", .runs = {3, 10}, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "Unequal spread: run CV 1 % and 4 %"
	{SECTION, "unequal 10 v 3", .runs = {10, 3}, .cv = {0.01, 0.04}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 3 v 10", .runs = {3, 10}, .cv = {0.04, 0.01}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 3 v 3", .runs = {3, 3}, .cv = {0.01, 0.04}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 5 v 5", .runs = {5, 5}, .cv = {0.01, 0.04}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 10 v 3, noisy base", .runs = {10, 3}, .cv = {0.04, 0.01}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "Whole us, 2 to 30 us; all ops change"
	{SECTION, "rounding +1 %, 3 v 3", .runs = {3, 3}, .cv = {0.002}, .step_cv = 0.01, .us_least = 2, .us_most = 30, .grid_us = 1, .changed = 1, .change = 0.01},
	{SECTION, "rounding +1 %, 5 v 5", .runs = {5, 5}, .cv = {0.002}, .step_cv = 0.01, .us_least = 2, .us_most = 30, .grid_us = 1, .changed = 1, .change = 0.01},
#undef SECTION
#define SECTION "A tenth of the ops 6 times as noisy; power of the others"
	{SECTION, "noisy none, 3 v 3", .ops = 300, .runs = {3, 3}, .cv = {0.02}, .spread = 0.01, .changed = 0.03, .change = 0.1},
	{SECTION, "noisy tenth, 3 v 3", .ops = 300, .runs = {3, 3}, .cv = {0.02}, .spread = 0.01, .noisy = 0.1, .changed = 0.03, .change = 0.1},
	{SECTION, "noisy tenth, 5 v 5", .ops = 300, .runs = {5, 5}, .cv = {0.02}, .spread = 0.01, .noisy = 0.1, .changed = 0.03, .change = 0.1},
#undef SECTION
};
/* clang-format on */

/* Sums over the comparisons of a world: those without any change, and those with changes. */
struct tally {
	double comparisons, any_q, any_beyond, any_wrong, flagged, wrong;
	double power_q, power_beyond, false_share;
};

static bool is_wrong(enum said said, double change)
{
	switch (said) {
	case SAID_REGRESSED:
		return change <= MARGIN;
	case SAID_IMPROVED:
		return change >= -MARGIN;
	case SAID_SLOWER:
		return change <= 0;
	case SAID_FASTER:
		return change >= 0;
	case SAID_SAME:
		return fabs(change) > MARGIN;
	default:
		return false;
	}
}

static void tally_add(
	struct tally *t, size_t ops, const struct world_op *op, const struct world_answer *answer)
{
	size_t beyond = 0, wrong = 0, truth = 0, right_q = 0, wrong_q = 0, regressed = 0;

	for (size_t i = 0; i < ops; i++) {
		const enum said said = answer[i].said;
		const bool changed = op[i].change != 0, found = answer[i].q < Q_FOUND;

		truth += changed;
		right_q += found && changed;
		wrong_q += found && !changed;
		regressed += changed && said == SAID_REGRESSED;
		beyond += said == SAID_REGRESSED || said == SAID_IMPROVED;
		wrong += is_wrong(said, op[i].change);
	}
	t->comparisons++;
	t->any_q += right_q + wrong_q > 0;
	t->any_beyond += beyond > 0;
	t->any_wrong += wrong > 0;
	t->flagged += (double)(right_q + wrong_q);
	t->wrong += (double)wrong;
	if (right_q + wrong_q > 0)
		t->false_share += (double)wrong_q / (double)(right_q + wrong_q);
	if (truth == 0)
		return;
	t->power_q += (double)right_q / (double)truth;
	t->power_beyond += (double)regressed / (double)truth;
}

struct job {
	struct world_program program;
	gsl_rng *rng;
	size_t comparisons;
};

static void simulate(struct job *job, const struct world *w, bool changed, struct tally *tally)
{
	static struct world_op op[WORLD_OPS_MAX];
	static struct world_answer answer[WORLD_OPS_MAX];

	*tally = (struct tally){0};
	for (size_t i = 0; i < job->comparisons && !stopped; i++) {
		world_draw_ops(job->rng, w, changed, op);
		world_record(job->rng, w, op, job->program.folder);
		if (world_compare(&job->program, w, answer))
			tally_add(tally, w->ops, op, answer);
	}
}

static void print_verdicts(struct job *job, const struct world *w)
{
	struct tally none, some;

	simulate(job, w, false, &none);
	printf("| %s | %.3f | %.3f | %.2f | %.3f |", w->name, none.any_q / none.comparisons,
		none.any_beyond / none.comparisons, none.flagged / none.comparisons,
		none.any_wrong / none.comparisons);
	if (w->changed > 0) {
		simulate(job, w, true, &some);
		printf(" %.3f | %.3f | %.3f | %.3f | %.2f |\n", some.power_q / some.comparisons,
			some.power_beyond / some.comparisons, some.false_share / some.comparisons,
			some.any_wrong / some.comparisons, some.wrong / some.comparisons);
	} else {
		printf(" - | - | - | - | - |\n");
	}
}

/* How a kind of world is counted: the heads of its columns, and what makes a line of them. */
static const struct judging {
	const char *columns;
	void (*print)(struct job *job, const struct world *w);
} judging[] = {
	[BY_VERDICTS] = {"A/A: any q < 0.05 | A/A: any REGRESSED, IMPROVED | A/A: ops q < 0.05 | "
			 "A/A: any wrong verdict | power q < 0.05 | power REGRESSED | false share "
			 "| any wrong verdict | wrong verdicts",
		print_verdicts},
};

static void print_head(const struct world *w)
{
	const char *const columns = judging[w->judge].columns;

	printf("\n### %s\n\n| world | %s |\n| --- | ---", w->section, columns);
	for (const char *at = columns; *at != '\0'; at++)
		if (*at == '|')
			printf(" | ---");
	printf(" |\n");
}

/* Numbers of a world depend on the seed and its name alone, not on the worlds before it. */
static unsigned long world_seed(size_t seed, const char *name)
{
	uint32_t hash = 2166136261U ^ (uint32_t)seed;

	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619U;
	return hash;
}

static void print_worlds(struct job *job, size_t seed, const char *part)
{
	const char *section = "";

	for (size_t i = 0; i < sizeof(worlds) / sizeof(worlds[0]) && !stopped; i++) {
		const struct world w = world_usual(&worlds[i]);

		if (strstr(w.name, part) == NULL)
			continue;
		if (strcmp(section, w.section) != 0)
			print_head(&w);
		section = w.section;
		gsl_rng_set(job->rng, world_seed(seed, w.name));
		judging[w.judge].print(job, &w);
		fflush(stdout);
	}
}

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

static void remove_folder(const char *folder)
{
	static const char *const name[] = {"base.csv", "new.csv", "out", "errors"};

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		char path[512];

		snprintf(path, sizeof(path), "%s/%s", folder, name[i]);
		unlink(path);
	}
	rmdir(folder);
}

static size_t argument(int argc, char **argv, int place, size_t usual)
{
	int64_t value;

	if (place >= argc)
		return usual;
	if (!number_parse_int(argv[place], strlen(argv[place]), &value) || value < 1) {
		fprintf(stderr, "worlds: '%s' is not a number above 0\n", argv[place]);
		exit(2);
	}
	return (size_t)value;
}

int main(int argc, char **argv)
{
	const size_t comparisons = argument(argc, argv, 2, 200);
	const size_t seed = argument(argc, argv, 3, 20240301);
	char folder[] = "/tmp/worlds-XXXXXX", *path;
	struct job job = {.comparisons = comparisons, .rng = gsl_rng_alloc(gsl_rng_mt19937)};

	path = argc > 1 ? realpath(argv[1], NULL) : NULL;
	if (path == NULL || mkdtemp(folder) == NULL) {
		fprintf(stderr, "usage: worlds PROGRAM [COMPARISONS [SEED [PART-OF-NAME]]]\n");
		return 2;
	}
	gsl_set_error_handler_off();
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	job.program = (struct world_program){.path = path, .folder = folder};
	printf("%zu comparisons a number, generator mt19937, seed %zu\n", comparisons, seed);
	print_worlds(&job, seed, argc > 4 ? argv[4] : "");
	if (job.program.failures > 0)
		printf("\n%zu calls of the program failed\n", job.program.failures);
	remove_folder(folder);
	gsl_rng_free(job.rng);
	free(path);
	return 0;
}
