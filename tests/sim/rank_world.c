/* Draws the jobs: a time is its row's, times what the step, the rank, the rank in the row and
 * chance make of it. The whole is the sum of the rows. */
#include "tests/sim/rank_world.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_randist.h>
#include "stats/job/rank_culprits.h"

enum { SLOW_RANK = 1 };

const struct rank_world rank_worlds[] = {
	{.name = "independent steps", .noise = 0.02},
	{.name = "lag-1 0.6", .noise = 0.02, .lag1 = 0.6},
	{.name = "steps in common", .noise = 0.02, .common = 0.1},
	{.name = "natural spread 0.5 %", .noise = 0.02, .rank = 0.005},
	{.name = "natural spread 2 %", .noise = 0.02, .rank = 0.02},
	{.name = "natural spread 3 %", .noise = 0.02, .rank = 0.03},
	{.name = "0.5 % in each row", .noise = 0.02, .rank_row = 0.005},
	{.name = "2 % in each row, lag-1", .noise = 0.02, .lag1 = 0.6, .rank_row = 0.02},
	{.name = "lognormal 0.5", .noise = 0.5},
	{.name = "lognormal 0.5, spread", .noise = 0.5, .rank = 0.005, .common = 0.1},
	{.name = "spikes in 0.2 of steps", .noise = 0.02, .spikes = 0.2},
	{.name = "spikes, lag-1, spread", .noise = 0.05, .lag1 = 0.6, .rank = 0.005, .spikes = 0.2},
	{.name = "half 2 % slower", .noise = 0.02, .rank = 0.005, .hosts = 0.02},
	{.name = "one 10 % faster", .noise = 0.02, .rank = 0.005, .fast = 0.1},
	{.name = "whole us", .noise = 0.02, .rank = 0.005, .grid_us = 1},
	{.name = "whole us, no noise", .noise = 0.0001, .rank_row = 0.005, .grid_us = 1},
	{.name = "4 stages", .noise = 0.02, .rank = 0.005, .groups = 4},
	{.name = "4 stages, all of it",
		.noise = 0.1,
		.lag1 = 0.6,
		.common = 0.1,
		.rank = 0.005,
		.rank_row = 0.005,
		.spikes = 0.1,
		.groups = 4},
};

const size_t rank_worlds_count = sizeof(rank_worlds) / sizeof(rank_worlds[0]);

struct job {
	const struct rank_world *world;
	struct rank_size size;
	struct rank_plant plant;
	double *row, *whole; /* [rank * steps + step] */
	double *rank, *common;
	size_t *group;
};

static void job_init(struct job *job, const struct rank_world *world, const struct rank_size *size)
{
	const size_t cells = size->ranks * size->steps;

	*job = (struct job){.world = world, .size = *size};
	job->row = calloc(cells, sizeof(double));
	job->whole = calloc(cells, sizeof(double));
	job->rank = calloc(size->ranks, sizeof(double));
	job->common = calloc(size->steps, sizeof(double));
	job->group = calloc(size->ranks, sizeof(size_t));
	if (!job->row || !job->whole || !job->rank || !job->common || !job->group)
		abort();
	for (size_t r = 0; r < size->ranks && world->groups; r++)
		job->group[r] = r * world->groups / size->ranks;
}

static void job_release(struct job *job)
{
	free(job->row);
	free(job->whole);
	free(job->rank);
	free(job->common);
	free(job->group);
}

/* What all rows of the job share. */
static void draw_job(gsl_rng *rng, struct job *job)
{
	const struct rank_world *const w = job->world;

	for (size_t r = 0; r < job->size.ranks; r++) {
		job->rank[r] = gsl_ran_gaussian_ziggurat(rng, w->rank);
		if (r % 2)
			job->rank[r] += log1p(w->hosts);
		job->rank[r] += 0.1 * (double)job->group[r];
	}
	job->rank[0] += log1p(-w->fast);
	for (size_t t = 0; t < job->size.steps; t++)
		job->common[t] = gsl_ran_gaussian_ziggurat(rng, w->common);
	memset(job->whole, 0, job->size.ranks * job->size.steps * sizeof(*job->whole));
}

/* Times of one rank in one row, in ns or on the grid. */
static void draw_rank(gsl_rng *rng, const struct job *job, double log_ns, double *x)
{
	const struct rank_world *const w = job->world;
	const double fresh = w->noise * sqrt(1 - w->lag1 * w->lag1);
	const double grid_ns = w->grid_us > 0 ? 1000 * w->grid_us : 1;
	double noise = gsl_ran_gaussian_ziggurat(rng, w->noise);

	for (size_t t = 0; t < job->size.steps; t++) {
		x[t] = rint(exp(log_ns + job->common[t] + noise) / grid_ns) * grid_ns;
		noise = w->lag1 * noise + gsl_ran_gaussian_ziggurat(rng, fresh);
	}
}

static void draw_row(gsl_rng *rng, struct job *job, size_t row)
{
	const struct rank_world *const w = job->world;
	const size_t steps = job->size.steps, ranks = job->size.ranks;
	const bool planted = job->plant.by > 0 && (job->plant.rows == 0 || row < job->plant.rows);
	const double log_ns = w->grid_us > 0 ? log(1000 * w->grid_us * gsl_ran_flat(rng, 1, 30))
					     : gsl_ran_flat(rng, log(1e4), log(1e6));

	for (size_t r = 0; r < ranks; r++) {
		const double slow = planted && r == SLOW_RANK ? log1p(job->plant.by) : 0;
		const double own = gsl_ran_gaussian_ziggurat(rng, w->rank_row);

		draw_rank(rng, job, log_ns + job->rank[r] + own + slow, job->row + r * steps);
	}
	for (size_t t = 0; t < steps && w->spikes > 0; t++)
		if (gsl_rng_uniform(rng) < w->spikes)
			job->row[gsl_rng_uniform_int(rng, ranks) * steps + t] *= 5;
	for (size_t i = 0; i < ranks * steps; i++)
		job->whole[i] += job->row[i];
}

/* Who is named in one job. */
struct named {
	bool whole, row;	     /* the planted rank, as a whole, in a planted row */
	bool false_whole, false_row; /* any other */
	bool elsewhere;		     /* it, in a row that is not planted */
};

static void add_row(struct rank_culprits *culprits, const struct job *job, size_t row)
{
	const size_t groups = job->world->groups ? job->world->groups : 1;
	const struct rank_matrix matrix = {.x = job->row,
		.ranks = job->size.ranks,
		.steps = job->size.steps,
		.group = groups > 1 ? job->group : NULL};
	struct row_sums *const sums = calloc(groups, sizeof(*sums));

	if (!sums)
		abort();
	rank_matrix_sums(&matrix, sums, groups);
	rank_culprits_row(culprits, row, sums, NULL);
	for (size_t g = 0; g < groups; g++)
		row_sums_release(&sums[g]);
	free(sums);
}

/* The rows come after the whole, which is their sum: they are drawn twice, alike. */
static void run_job(gsl_rng *rng, struct job *job, struct named *named)
{
	gsl_rng *again = gsl_rng_clone(rng);
	const struct rank_size *const size = &job->size;
	struct rank_culprits *culprits =
		rank_culprits_new(size->ranks, size->steps, job->world->groups ? job->group : NULL);
	struct rank_place *place = calloc(size->ranks, sizeof(*place));
	const struct rank_culprit *list;
	size_t count;

	if (!place)
		abort();
	*named = (struct named){0};
	draw_job(rng, job);
	for (size_t row = 0; row < size->rows; row++)
		draw_row(rng, job, row);
	rank_culprits_whole(culprits, job->whole, place);
	free(place);
	draw_job(again, job);
	for (size_t row = 0; row < size->rows; row++) {
		draw_row(again, job, row);
		add_row(culprits, job, row);
	}
	list = rank_culprits_named(culprits, &count);
	for (size_t i = 0; i < count; i++) {
		const bool whole = list[i].row == RANK_CULPRITS_WHOLE;
		const bool right = job->plant.by > 0 && list[i].rank == SLOW_RANK;

		if (!right)
			*(whole ? &named->false_whole : &named->false_row) = true;
		else if (whole)
			named->whole = true;
		else if (job->plant.rows == 0 || list[i].row < job->plant.rows)
			named->row = true;
		else
			named->elsewhere = true;
	}
	rank_culprits_free(culprits);
	gsl_rng_free(again);
}

void rank_world_run(gsl_rng *rng, const struct rank_world *world, const struct rank_size *size,
	const struct rank_plant *plant, size_t jobs, struct rank_tally *tally)
{
	struct job job;

	*tally = (struct rank_tally){.jobs = jobs};
	job_init(&job, world, size);
	job.plant = *plant;
	for (size_t i = 0; i < jobs; i++) {
		struct named named;

		run_job(rng, &job, &named);
		tally->whole += named.whole;
		tally->row += named.row;
		tally->elsewhere += named.elsewhere;
		tally->false_whole += named.false_whole;
		tally->false_row += named.false_row;
		tally->any += named.false_whole || named.false_row;
	}
	job_release(&job);
}
