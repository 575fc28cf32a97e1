/* The steps that are to be one run on one process, of one profile or of several. It does not decide
 * which these are. */
#pragma once

#include "base/memory.h"
#include "model/profile.h"

#define NO_RANK UINT32_MAX

/* A step of a profile. */
struct run_piece {
	uint32_t profile, step;
	int64_t number;
	const char *kind; /* as in struct step */
	uint32_t again;	  /* steps of its kind, number and rank before it in the run */
	uint32_t place;	  /* of the step in its run, from 0 */
	uint32_t rank;	  /* in struct run_plans; NO_RANK where that has none */
	uint64_t fingerprint;
};

/* True for steps of one number and kind. */
bool run_piece_is_same(const struct run_piece *a, const struct run_piece *b);

/* Epoch of the times of the step in ns; 0: not known. */
int64_t run_piece_base_ns(struct profile *const *profiles, const struct run_piece *piece);
/* Start and end of the step in ns since 1970, without an epoch since any point. False: it has no
 * times, or they do not fit. */
bool run_piece_times(struct profile *const *profiles, const struct run_piece *piece,
	int64_t *start_ns, int64_t *end_ns);

/* Order by number, then by place in the inputs; for qsort. */
int run_pieces_compare(const void *a, const void *b);

/* Drops repeats of a step in other files, puts the pieces (struct run_piece) in order of time,
 * where it is not known of number, and fills `place` and `again`. ERROR_INPUT: one number has
 * different times in files that are a step each, or in runs that the source tells apart. */
int run_pieces_sort(struct profile *const *profiles, struct vec *pieces, struct issue_list *issues,
	struct error *err);
