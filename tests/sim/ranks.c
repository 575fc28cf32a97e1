/* How often is a rank of a job called slow that is as good as the others, and how often one that is
 * slow? `make check-statistics` prints the tables that doc/statistics-simulation.md quotes;
 * tests/unit/test_rank_culprits.c does a few of them. Usage: ranks [JOBS [SEED]] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <gsl/gsl_rng.h>
#include "tests/sim/rank_world.h"

/* Jobs of so many values, of which fewer are drawn. */
#define LARGE 200000
#define HUGE_JOB 10000000

static const struct rank_size sizes[] = {
	{2, 20, 20},
	{3, 5, 20},
	{3, 100, 1},
	{4, 5, 500},
	{4, 44, 20},
	{8, 5, 1},
	{8, 5, 500},
	{8, 44, 50},
	{64, 5, 20},
	{64, 20, 100},
	{1000, 5, 20},
	{1000, 20, 20},
};

/* Jobs with a slow rank. */
static const struct slow {
	struct rank_world world;
	struct rank_size size;
	struct rank_plant plant;
} slow[] = {
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {8, 44, 20}, {0.05, 0}},
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {8, 6, 20}, {0.05, 0}},
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {8, 44, 20}, {0.03, 0}},
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {4, 44, 20}, {0.15, 0}},
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {3, 44, 20}, {0.3, 0}},
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {3, 44, 20}, {0.2, 0}},
	{{.name = "natural spread 2 %", .noise = 0.02, .rank = 0.02}, {3, 44, 20}, {0.2, 0}},
	{{.name = "natural spread 2 %", .noise = 0.02, .rank = 0.02}, {3, 44, 20}, {0.2, 1}},
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {2, 44, 20}, {0.3, 0}},
	{{.name = "0.5 % in each row", .noise = 0.02, .rank_row = 0.005}, {8, 44, 20}, {0.15, 1}},
	{{.name = "0.5 % in each row", .noise = 0.02, .rank_row = 0.005}, {64, 44, 20}, {0.05, 1}},
	{{.name = "4 stages", .noise = 0.02, .rank = 0.005, .groups = 4}, {16, 44, 20}, {0.3, 0}},
	{{.name = "spikes, lag-1, spread",
		 .noise = 0.05,
		 .lag1 = 0.6,
		 .rank = 0.005,
		 .spikes = 0.2},
		{8, 44, 20}, {0.15, 0}},
	{{.name = "lognormal 0.5, spread", .noise = 0.5, .rank = 0.005}, {8, 44, 20}, {0.15, 0}},
	{{.name = "whole us", .noise = 0.02, .rank = 0.005, .grid_us = 1}, {8, 44, 20}, {0.05, 0}},
	{{.name = "independent steps", .noise = 0.02}, {1000, 100, 500}, {0.03, 1}},
	{{.name = "0.5 % in each row", .noise = 0.02, .rank_row = 0.005}, {1000, 100, 500},
		{0.03, 1}},
	{{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005}, {1000, 100, 500},
		{0.15, 0}},
};

static const struct rank_plant nobody = {0, 0};

static size_t jobs_of(const struct rank_size *size, size_t jobs)
{
	const size_t values = size->ranks * size->steps * size->rows;

	return values > HUGE_JOB ? jobs / 20 + 1 : values > LARGE ? jobs / 5 + 1 : jobs;
}

static double rate(size_t count, const struct rank_tally *tally)
{
	return (double)count / (double)tally->jobs;
}

static void print_alike(gsl_rng *rng, size_t jobs)
{
	const size_t count = sizeof(sizes) / sizeof(sizes[0]);

	printf("Jobs of alike ranks with a culprit, by ranks x steps x rows\n\n| world |");
	for (size_t i = 0; i < count; i++)
		printf(" %zu x %zu x %zu |", sizes[i].ranks, sizes[i].steps, sizes[i].rows);
	printf("\n| --- |");
	for (size_t i = 0; i < count; i++)
		printf(" --- |");
	printf("\n");
	for (size_t w = 0; w < rank_worlds_count; w++) {
		printf("| %s |", rank_worlds[w].name);
		for (size_t i = 0; i < count; i++) {
			struct rank_tally t;

			rank_world_run(rng, &rank_worlds[w], &sizes[i], &nobody,
				jobs_of(&sizes[i], jobs), &t);
			printf(" %.3f |", rate(t.any, &t));
			fflush(stdout);
		}
		printf("\n");
	}
}

static void print_slow(gsl_rng *rng, size_t jobs)
{
	printf("\nJobs with a slow rank: how often it is named\n\n"
	       "| world | ranks x steps x rows | slow | jobs | the whole | the row | another rank "
	       "|\n"
	       "| --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++) {
		const struct rank_size *const size = &slow[i].size;
		const struct rank_plant *const plant = &slow[i].plant;
		struct rank_tally t;

		rank_world_run(rng, &slow[i].world, size, plant, jobs_of(size, jobs), &t);
		printf("| %s | %zu x %zu x %zu | +%g %% in %s | %zu | %.2f | %.2f | %.3f |\n",
			slow[i].world.name, size->ranks, size->steps, size->rows, 100 * plant->by,
			plant->rows ? "one row" : "all rows", t.jobs, rate(t.whole, &t),
			rate(t.row, &t), rate(t.any, &t));
		fflush(stdout);
	}
}

static uint64_t number_of(const char *word)
{
	char *end;
	const uint64_t number = strtoull(word, &end, 10);

	if (*end || number == 0) {
		fprintf(stderr, "usage: ranks [JOBS [SEED]]\n");
		exit(2);
	}
	return number;
}

int main(int argc, char **argv)
{
	const size_t jobs = argc > 1 ? number_of(argv[1]) : 400;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, argc > 2 ? number_of(argv[2]) : 20240301);
	print_alike(rng, jobs);
	print_slow(rng, jobs);
	gsl_rng_free(rng);
	return 0;
}
