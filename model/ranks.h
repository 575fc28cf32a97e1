/* The processes ("ranks") of a job, and what each of them recorded. A cube whose runs have several
 * ranks holds what stands for all of them (struct merge_options: rank_value); here is the rest, for
 * questions about single ranks, in little memory. */
#pragma once

#include "model/cube.h"
#include "model/host_device.h"
#include "model/packed_rows.h"

#define RANKS_AHEAD 4 /* parts whose bytes are asked for, twice as many whose places are */
/* processes that are ranks only by their times */
#define RANKS_ASSUMED "same-time"
#define RANKS_MISSING "ranks-missing" /* runs without ranks that other runs have */

struct job_rank {
	const char *name;
	const char
		*group; /* its pipeline stage, as the source or --rank-group says; NULL: unknown */
};

/* Rows, steps and series that one profile recorded. */
struct rank_source {
	const char *path;
	struct packed_rows *rows; /* owned */
	size_t step_count;	  /* of the profile */
	uint32_t *op;		  /* of each op of the profile: op of the cube; UINT32_MAX: gone */
	uint32_t *step_of;	  /* of each step: step of the cube; UINT32_MAX: not in it */
	uint32_t *rank_of;	  /* of each step: its rank */
	struct step *step;	  /* the profile's: times and numbers */
	struct step_series_list series;
	struct collective_calls collectives; /* op and step are the profile's */
	/* The profile stands for several ranks, whose sums these are (owned): rank_of says nothing.
	 * NULL: each step is of one rank. */
	struct job_sums *job;
};

/* A row of the cube has parts in these ops of these sources. */
struct rank_part {
	uint32_t source, op;
};

struct ranks {
	struct job_rank *rank; /* in natural order of names */
	size_t count;
	struct rank_source *source;
	size_t source_count;
	struct rank_part *part; /* of op o: part_first[o] .. part_first[o + 1] - 1 */
	size_t *part_first, part_count;
	struct step_sums *steps; /* of the cube's steps, what all of them recorded */
	enum rows_on on;	 /* what of their rows counts: ON_ALL, ON_DEVICE or ON_HOST */
	size_t most;	/* observations that an op has in one source: room for packed_rows_read */
	size_t threads; /* that add them up, the caller's included; 0 is 1 */
};

/* Way from profiles to the cube: for ranks_of_profiles. */
struct rank_maps {
	uint32_t *const *op;   /* [profile][op] -> op of the cube */
	uint32_t *const *step; /* [profile][step] -> step of the cube, or UINT32_MAX */
	uint32_t *const
		*rank; /* [profile][step] -> index of the rank; UINT32_MAX: not of several */
	const size_t *step_count; /* of each profile */
};

/* Takes the observations of the profiles (packed, if they are not yet); all in the cube's arena.
 * The names of the ranks are the caller's to fill in. Of totals (cube->given) the profiles have no
 * steps of their own. */
struct ranks *ranks_of_profiles(struct cube *cube, struct profile *const *profiles, size_t count,
	const struct rank_maps *maps);
/* Fills the rows of the cube, whose ops and steps are known: for each op and step what stands for
 * its ranks. step_of: of each step of each source, where it goes; NULL: as the sources say. The
 * cube's rank_count says what a mean over the ranks divides by. */
void ranks_sum_rows(
	struct cube *cube, const struct ranks *ranks, uint32_t *const *step_of, bool largest);
/* Counts sums over ranks that are too large as a loss. */
void ranks_note_too_large(struct cube *cube, size_t count, const char *place);
/* Op o of the cube is op to[o] from now on, UINT32_MAX: it is gone; of its rows those of `on`
 * count.
 */
void ranks_renumber_ops(
	struct ranks *ranks, const struct cube *cube, const uint32_t *to, enum rows_on on);

/* Advice to the processor, before part i is read: bytes of a part soon after it, which are far
 * away. */
static inline void ranks_prefetch(const struct ranks *ranks, size_t i)
{
	const struct rank_part *part = &ranks->part[i + RANKS_AHEAD], *far = part + RANKS_AHEAD;

	if (i + 2 * RANKS_AHEAD < ranks->part_count)
		__builtin_prefetch(&ranks->source[far->source].rows->first[far->op]);
	if (i + RANKS_AHEAD < ranks->part_count)
		packed_rows_prefetch(ranks->source[part->source].rows, part->op);
}

/* The runs and steps of cube_of_ranks, without ops and rows. The caller frees it. */
struct cube *cube_of_recordings(const struct cube *cube);
/* A cube in which each rank of each run is a run of its own (struct run: rank), with the same ops.
 * The caller frees it. */
struct cube *cube_of_ranks(const struct cube *cube);

/* The steps of a job of several ranks: their times, and what devices did in them. Internal to
 * model/. */

/* Sums of the records of all sources about the steps of the cube, in its arena. */
struct step_sums *rank_steps_sum(struct cube *cube, const struct ranks *ranks);
/* Steps and series of the cube from them: times of the slowest rank, of its devices the mean. */
void rank_steps_fill(struct cube *cube, const struct step_sums *sums);
