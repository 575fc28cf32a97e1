/*
 * A shift is how many steps a member began after the reference. Collectives say it exactly; starts
 * do where one shift brings them together and the clocks are good enough to tell steps apart.
 */
#include "model/run/rank_shift.h"

#include <math.h>
#include "base/memory.h"
#include "base/text.h"

#define SHIFT_MOST 32	     /* steps */
#define STARTS_LEAST 2	     /* steps that both have */
#define SAME_START_PART 0.25 /* of a period: starts of one step are not further apart */
#define HOSTS_PERIOD_LEAST_NS                                                                      \
	20000000 /* clocks of hosts that take their time from a server may be                      \
		    some ms apart */

struct shift_member {
	const struct run_piece *piece;
	size_t count;
};

static bool is_by_place(struct profile *const *profiles, const struct shift_member *m)
{
	for (size_t i = 0; i < m->count; i++)
		if (!profiles[m->piece[i].profile]->step[m->piece[i].step].by_place)
			return false;
	return m->count > 0;
}

/* The place among the pieces of the member of step `step` of `profile`; -1: it has none. */
static int64_t place_of(const struct shift_member *m, uint32_t profile, uint32_t step)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->piece[i].profile == profile && m->piece[i].step == step)
			return (int64_t)i;
	return -1;
}

/* The first call of a collective in the profile with a group and a number; NULL: none. */
static const struct collective_call *first_call(
	const struct profile *profile, const struct collective_call *like)
{
	const struct collective_calls *calls = &profile->collectives;

	for (size_t i = 0; i < calls->count; i++) {
		const struct collective_call *call = &calls->call[i];

		if (call->group && call->sequence != COLLECTIVE_UNKNOWN &&
			(!like || (call->sequence == like->sequence &&
					  text_equal(call->group, like->group))))
			return call;
	}
	return NULL;
}

/* Shift between the steps of both in which the call of the same number is; false: no call is in
 * both. */
static bool shift_by_collectives(struct profile *const *profiles, const struct shift_member *a,
	const struct shift_member *b, int64_t *shift)
{
	const uint32_t of[2] = {a->piece[0].profile, b->piece[0].profile};

	for (size_t swap = 0; swap < 2; swap++) {
		const struct collective_call *mine = first_call(profiles[of[swap]], NULL),
					     *other = mine ? first_call(profiles[of[!swap]], mine)
							   : NULL;
		int64_t place[2];

		if (!other)
			continue;
		place[swap] = place_of(swap ? b : a, of[swap], mine->step);
		place[!swap] = place_of(swap ? a : b, of[!swap], other->step);
		*shift = place[0] - place[1];
		if (place[0] >= 0 && place[1] >= 0)
			return true;
	}
	return false;
}

/* Starts in ns since 1970; NULL: not all are known. */
static double *find_starts(struct profile *const *profiles, const struct shift_member *m)
{
	double *start = memory_alloc(memory_product(m->count, sizeof(*start)));

	for (size_t i = 0; i < m->count; i++) {
		const struct step *step = &profiles[m->piece[i].profile]->step[m->piece[i].step];
		const int64_t base_ns = run_piece_base_ns(profiles, &m->piece[i]);

		if (!base_ns || !step->has_wall) {
			memory_free(start);
			return NULL;
		}
		/* Differences of a double of this size are exact to 256 ns. */
		start[i] = (double)base_ns + (double)step->start_ps / 1000;
	}
	return start;
}

static bool shift_of_starts(const double *a, size_t a_count, const double *b, size_t b_count,
	double period_least_ns, int64_t *shift)
{
	const size_t fewer = a_count < b_count ? a_count : b_count;
	double best_ns = INFINITY, period_ns;

	if (fewer < STARTS_LEAST)
		return false;
	period_ns = (a[a_count - 1] - a[0]) / (double)(a_count - 1);
	for (int64_t s = -SHIFT_MOST; s <= SHIFT_MOST; s++) {
		double apart_ns = 0;
		size_t n = 0;

		for (size_t i = 0; i < b_count; i++)
			if ((int64_t)i + s >= 0 && (int64_t)i + s < (int64_t)a_count) {
				apart_ns += fabs(a[(int64_t)i + s] - b[i]);
				n++;
			}
		if (n < STARTS_LEAST || n < fewer / 2 || apart_ns / (double)n >= best_ns)
			continue;
		best_ns = apart_ns / (double)n;
		*shift = s;
	}
	return period_ns >= period_least_ns && best_ns <= SAME_START_PART * period_ns;
}

static bool shift_by_starts(struct profile *const *profiles, const struct shift_member *a,
	const struct shift_member *b, int64_t *shift)
{
	const char *host[2] = {profiles[a->piece[0].profile]->facts.host,
		profiles[b->piece[0].profile]->facts.host};
	const bool same = host[0] && host[1] && text_equal(host[0], host[1]);
	double *start[2] = {find_starts(profiles, a), find_starts(profiles, b)};
	const bool found = start[0] && start[1] &&
			   shift_of_starts(start[0], a->count, start[1], b->count,
				   same ? 0 : HOSTS_PERIOD_LEAST_NS, shift);

	memory_free(start[0]);
	memory_free(start[1]);
	return found;
}

size_t rank_shift_steps(struct profile *const *profiles, struct run_piece *piece,
	const size_t *first, size_t members)
{
	struct shift_member reference = {0};
	size_t undecided = 0;
	int64_t least = 0;

	for (size_t m = 0; m < members; m++) {
		const struct shift_member at = {&piece[first[m]], first[m + 1] - first[m]};

		if (!is_by_place(profiles, &at))
			return 0;
		if (at.count > reference.count)
			reference = at;
	}
	for (size_t m = 0; m < members; m++) {
		const struct shift_member at = {&piece[first[m]], first[m + 1] - first[m]};
		int64_t shift = 0;

		if (at.piece == reference.piece)
			continue;
		if (!shift_by_collectives(profiles, &reference, &at, &shift) &&
			!shift_by_starts(profiles, &reference, &at, &shift)) {
			undecided++;
			continue;
		}
		for (size_t i = 0; i < at.count; i++)
			piece[first[m] + i].number += shift;
		least = shift < least ? shift : least;
	}
	for (size_t i = first[0]; i < first[members]; i++)
		piece[i].number -= least;
	return undecided;
}
