/* What the program itself says of simulated recordings: every comparison is written as two
 * .obs files, compared by the program that is named, and its CSV result is counted. The same seed
 * makes the same recordings for every program. doc/statistics-simulation.md quotes the tables.
 * Usage: worlds PROGRAM [COMPARISONS [SEED [PART-OF-A-WORLD'S-NAME]]] */
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

/* How a kind of world is counted: the heads of its columns, and what makes a line of them. */
static const struct judging {
	const char *columns;
	void (*print)(struct job *job, const struct world *w);
} judging[] = {
	[BY_VERDICTS] = {"A/A: any q < 0.05 | A/A: any REGRESSED, IMPROVED | A/A: ops q < 0.05 | "
			 "A/A: any wrong verdict | power q < 0.05 | power REGRESSED | false share "
			 "| any wrong verdict | wrong verdicts",
		print_verdicts},
	[BY_SEES] = {"sees (mean) | REGRESSED at that change | below the row's own change",
		print_sees},
	[BY_PLAN] = {"plans | runs a side (mean) | q < 0.05 at that change | REGRESSED",
		print_plan},
	[BY_WITHIN] = {"intervals shown | of these, with the true change", print_within},
	[BY_INTERVAL] = {"intervals shown | of these, with the true mean | below 0",
		print_intervals},
	[BY_JITTER] = {"reports that name an op", print_jitter},
	[BY_SAME] = {"SAME of ops that do not change | SAME of ops that do", print_same},
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

	for (size_t i = 0; i < worlds_count && !*job->stopped; i++) {
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

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

static void remove_folder(const char *folder)
{
	static const char *const name[] = {"base.obs", "new.obs", "out", "errors"};

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
	struct job job = {.comparisons = comparisons,
		.stopped = &stopped,
		.rng = gsl_rng_alloc(gsl_rng_mt19937)};

	path = argc > 1 ? realpath(argv[1], NULL) : NULL;
	if (path == NULL || mkdtemp(folder) == NULL) {
		fprintf(stderr, "usage: worlds PROGRAM [COMPARISONS [SEED [PART-OF-NAME]]]\n");
		return 2;
	}
	gsl_set_error_handler_off();
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	job.program = (struct world_program){.path = path, .folder = folder};
	printf("%zu comparisons a line, generator mt19937, seed %zu\n", comparisons, seed);
	print_worlds(&job, seed, argc > 4 ? argv[4] : "");
	if (stopped)
		printf("\nstopped: the last line has fewer comparisons\n");
	if (job.program.failures > 0)
		printf("\n%zu calls of the program failed\n", job.program.failures);
	remove_folder(folder);
	gsl_rng_free(job.rng);
	free(path);
	return 0;
}
