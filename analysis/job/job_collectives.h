/* Waiting and transfer in the collectives of a job: finds which calls of its ranks are one
 * collective and lets stats/job/collectives.h part them. Method: doc/statistics.md, "Waiting in
 * collectives". */
#pragma once

#include "analysis/summary.h"
#include "stats/job/collectives.h"

struct job_collectives {
	size_t matches;	 /* collectives whose calls were all found */
	size_t left_out; /* calls in kept steps that belong to no match */
	/* Matches of so many ranks that they may be several groups, which the source does not tell.
	 */
	size_t ungrouped;
	/* Number of processes of the job of which there is nothing, as far as its files say: what
	 * the others wait for them counts as transfer. */
	size_t not_read;
	/* Times of each rank, mean over its kept steps; NaN: it takes part in no match. */
	double *transfer_ps, *waiting_ps;
	size_t *last_in; /* of each rank: matches in which it alone came last */
	size_t *part_in; /* and in which it took part */
	double mean_transfer_ps, mean_waiting_ps; /* over the ranks that take part */
	size_t row; /* of the grouping, in which most is waited for; SIZE_MAX: in none */
};

/* In the arena; NULL when the job has no call of a collective in the kept steps. `self` has
 * ranks. */
struct job_collectives *job_collectives_make(
	const struct summary *summary, const struct cube *self, struct arena *arena);
/* True if it comes last in most of its matches, and waits less than every other rank. */
bool job_collectives_wait_for(const struct job_collectives *collectives, size_t ranks, size_t rank);
