/* One pass over the steps of each rank, beside those of the middle rank. */
#include "model/rank_clocks.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"

#define STEPS_LEAST 2		  /* that two ranks share: one may be cut */
#define RESOLUTION_PS 1000000	  /* clocks of two machines, and times in whole us */
#define FAR_PS ((int64_t)1 << 61) /* of clock_pair half the room */

int64_t rank_clocks_world(const struct profile *profile)
{
	return profile->facts.world_size > 1 ? profile->facts.world_size : 0;
}

/* Start and end after zero_ns; false where they are not known, or too far from it. */
static bool find_times(struct profile *const *profiles, const struct run_piece *piece,
	int64_t zero_ns, int64_t *start_ps, int64_t *end_ps)
{
	const struct step *step = &profiles[piece->profile]->step[piece->step];
	const int64_t base_ns = run_piece_base_ns(profiles, piece);
	int64_t shift;

	if (!step->has_wall || !base_ns || __builtin_sub_overflow(base_ns, zero_ns, &shift) ||
		__builtin_mul_overflow(shift, 1000, &shift) ||
		__builtin_add_overflow(shift, step->start_ps, start_ps) ||
		__builtin_add_overflow(shift, step->end_ps, end_ps))
		return false;
	return *start_ps > -FAR_PS && *end_ps < FAR_PS && *start_ps <= *end_ps;
}

int64_t rank_clocks_apart_ps(
	struct profile *const *profiles, const struct rank_pieces *a, const struct rank_pieces *b)
{
	struct clock_bounds bounds;
	struct clock_pair *pair;
	size_t n = 0;
	int64_t zero_ns, apart_ps;

	if (!a->count || !b->count)
		return 0;
	zero_ns = run_piece_base_ns(profiles, &a->piece[0]);
	pair = memory_alloc(memory_product(a->count, sizeof(*pair)));
	for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
		const struct run_piece *x = &a->piece[i], *y = &b->piece[k];

		if (x->place == y->place &&
			find_times(profiles, x, zero_ns, &pair[n].a_start_ps, &pair[n].a_end_ps) &&
			find_times(profiles, y, zero_ns, &pair[n].b_start_ps, &pair[n].b_end_ps))
			n++;
		i += x->place <= y->place;
		k += y->place <= x->place;
	}
	bounds = clock_bounds_find(pair, n);
	memory_free(pair);
	if (n < STEPS_LEAST || bounds.contradicts)
		return 0;
	apart_ps = clock_bounds_apart_ps(&bounds);
	return apart_ps > RESOLUTION_PS ? apart_ps : 0;
}

/* A rank of a run that is looked at. */
struct timed_rank {
	struct rank_pieces of;
	int64_t start_ns; /* of its first step, since 1970 */
};

ORDERED(compare_starts, struct timed_rank,
	ORDER(x->start_ns, y->start_ns) ?: ORDER(x->of.piece->rank, y->of.piece->rank));

ORDERED(compare_pieces, struct run_piece, ORDER(x->rank, y->rank) ?: ORDER(x->place, y->place));

static struct issue_effect effect_of(
	const struct run_plans *plans, const char *rank, int64_t apart_ps)
{
	return (struct issue_effect){.unit = apart_ps ? EFFECT_PS : EFFECT_NONE,
		.row = arena_printf(plans->arena, "rank %s", rank),
		.low = apart_ps,
		.high = EFFECT_UNKNOWN,
		.recorded = EFFECT_UNKNOWN,
		.steps = ""};
}

static void check_run(
	struct profile *const *profiles, const struct run_plans *plans, const struct run_plan *plan)
{
	struct arena *scratch = arena_new();
	struct run_piece *piece = arena_array(scratch, plan->count, sizeof(*piece));
	struct timed_rank *rank = arena_array(scratch, plans->rank_count + 1, sizeof(*rank));
	const struct run_piece *worst = NULL;
	int64_t most_ps = 0;
	size_t count = 0;

	/* The ranks of the run with times, in order of their start; their number. */
	size_t n = 0;

	memcpy(piece, plan->piece, plan->count * sizeof(*piece));
	qsort(piece, plan->count, sizeof(*piece), compare_pieces);
	for (size_t first = 0, next; first < plan->count; first = next) {
		const struct profile *profile = profiles[piece[first].profile];
		int64_t start_ns, end_ns;

		for (next = first + 1; next < plan->count && piece[next].rank == piece[first].rank;)
			next++;
		if (piece[first].rank == NO_RANK || !rank_clocks_world(profile) ||
			!run_piece_base_ns(profiles, &piece[first]) ||
			!run_piece_times(profiles, &piece[first], &start_ns, &end_ns))
			continue;
		rank[n++] = (struct timed_rank){{&piece[first], next - first}, start_ns};
	}
	if (n)
		qsort(rank, n, sizeof(*rank), compare_starts);

	for (size_t r = 0; r < n; r++) {
		const int64_t apart_ps =
			rank_clocks_apart_ps(profiles, &rank[n / 2].of, &rank[r].of);

		count += apart_ps > 0;
		if (apart_ps <= most_ps)
			continue;
		most_ps = apart_ps;
		worst = rank[r].of.piece;
	}
	if (worst) {
		const struct issue_effect effect =
			effect_of(plans, plans->rank[worst->rank], most_ps);

		issue_add(plans->issues, ISSUE_ERROR, RANK_CLOCK,
			"ranks with no moment in common with another rank in any step: their "
			"clocks are apart",
			count, profiles[worst->profile]->path);
		issue_set_effect(plans->issues, RANK_CLOCK, &effect);
	}
	arena_free(scratch);
}

void rank_clocks_check(struct profile *const *profiles, const struct run_plans *plans)
{
	for (size_t r = 0; r < plans->count; r++)
		if (plans->plan[r].several_ranks)
			check_run(profiles, plans, &plans->plan[r]);
}

void rank_clocks_note_times(
	const struct run_plans *plans, const char *rank, int64_t apart_ps, const char *path)
{
	const struct issue_effect effect = effect_of(plans, rank, apart_ps);

	issue_add(plans->issues, ISSUE_ERROR, RANK_TIMES,
		"recordings of other ranks of a job of the same size with the same steps, at "
		"another time: runs of their own here, or ranks of one run whose clocks are apart",
		1, path);
	issue_set_effect(plans->issues, RANK_TIMES, &effect);
}

/* Bounds of the shift between two clocks, by intersection: the interval form of the bounds on clock
 * offsets that messages give (K. Marzullo, S. Owicki, Maintaining the time in a distributed system,
 * 1983). */

struct clock_bounds clock_bounds_find(const struct clock_pair *pair, size_t count)
{
	struct clock_bounds bounds = {.low_ps = INT64_MIN, .high_ps = INT64_MAX};

	for (size_t i = 0; i < count; i++) {
		const int64_t low = pair[i].a_start_ps - pair[i].b_end_ps;
		const int64_t high = pair[i].a_end_ps - pair[i].b_start_ps;

		bounds.low_ps = low > bounds.low_ps ? low : bounds.low_ps;
		bounds.high_ps = high < bounds.high_ps ? high : bounds.high_ps;
	}
	bounds.contradicts = bounds.low_ps > bounds.high_ps;
	return bounds;
}

int64_t clock_bounds_apart_ps(const struct clock_bounds *bounds)
{
	if (bounds->low_ps > 0)
		return bounds->low_ps;
	return bounds->high_ps < 0 ? -bounds->high_ps : 0;
}
