/* A list of steps, into which member after member puts those that it alone has. Where numbers come
 * again and a member lacks some, its steps are first held against those of the longest one, since
 * counting them would be one off from there on. */
#include "model/run/rank_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

#define NOWHERE UINT32_MAX
#define ALIGN_ASIDE 32		     /* steps of a member in a row that the longest one lacks */
#define ALIGN_MOST ((size_t)1 << 26) /* pairs of steps that are looked at */

/* A step of the job. */
struct ordered_step {
	const struct run_piece *piece; /* of the first member that has it */
	uint32_t next;		       /* in the list; NOWHERE: none */
	bool listed;
	size_t member; /* the last one that has it, + 1 */
};

struct step_order {
	struct ordered_step *step;
	uint32_t head;
	const uint32_t *id; /* of the step of each piece */
};

struct sized_member {
	size_t member, count;
};

ORDERED(compare_members, struct sized_member,
	ORDER(y->count, x->count) ?: ORDER(x->member, y->member));

ORDERED(compare_pieces, struct run_piece, ORDER(x->place, y->place) ?: ORDER(x->rank, y->rank));

static uint32_t *name_steps(const struct run_piece *piece, size_t count, struct arena *arena)
{
	uint32_t *id = arena_array(arena, count, sizeof(*id));
	struct intern *keys = intern_new(arena);
	struct text key;

	text_init(&key);
	for (size_t i = 0; i < count; i++) {
		text_clear(&key);
		text_add_bytes(&key, (const char *)&piece[i].number, sizeof(piece[i].number));
		text_add_bytes(&key, (const char *)&piece[i].again, sizeof(piece[i].again));
		text_add(&key, piece[i].kind ? piece[i].kind : "");
		id[i] = intern_id(keys, text_string(&key), key.size);
	}
	text_release(&key);
	return id;
}

/* ---- steps whose numbers come again ---- */

/* Alignment of two beginnings of members: number of steps that are the same, and how far their
 * starts are apart. */
struct alignment {
	uint32_t same;
	double apart_ns;
};

enum align_move { MOVE_BOTH, MOVE_LONGEST, MOVE_MEMBER };

static bool is_better(const struct alignment *a, const struct alignment *b)
{
	return a->same != b->same ? a->same > b->same : a->apart_ns < b->apart_ns;
}

/* 0 where the clock of one of them is not known. */
static double apart_ns(
	struct profile *const *profiles, const struct run_piece *a, const struct run_piece *b)
{
	int64_t start[2], end_ns;

	if (!run_piece_base_ns(profiles, a) || !run_piece_base_ns(profiles, b) ||
		!run_piece_times(profiles, a, &start[0], &end_ns) ||
		!run_piece_times(profiles, b, &start[1], &end_ns))
		return 0;
	return fabs((double)start[0] - (double)start[1]);
}

struct aligner {
	struct profile *const *profiles;
	const struct run_piece *longest;
	struct run_piece *piece; /* of the member */
	size_t longest_count, count;
	size_t width; /* of the band of pairs: of step i, the steps from i - ALIGN_ASIDE on */
	uint8_t *move;
};

/* The best that ends with `b` steps of the member and `a` of the longest one; `above` is the row of
 * one step of the member less. Of equal ones the later steps of the longest one are without. */
static void align_pair(const struct aligner *al, const struct alignment *above,
	struct alignment *row, size_t a, size_t b)
{
	const size_t k = a + ALIGN_ASIDE - b;
	struct alignment best = {0}, next;
	uint8_t move = a ? MOVE_LONGEST : MOVE_MEMBER;

	if (a && k)
		best = row[k - 1];
	if (b && k + 1 < al->width && (!a || !k || is_better(&above[k + 1], &best))) {
		best = above[k + 1];
		move = MOVE_MEMBER;
	}
	if (a && b && run_piece_is_same(&al->longest[a - 1], &al->piece[b - 1])) {
		next = above[k];
		next.same++;
		next.apart_ns += apart_ns(al->profiles, &al->longest[a - 1], &al->piece[b - 1]);
		if (is_better(&next, &best)) {
			best = next;
			move = MOVE_BOTH;
		}
	}
	row[k] = best;
	al->move[b * al->width + k] = move;
}

static void align_member(struct aligner *al)
{
	struct alignment *row[2];
	size_t i = 0;
	bool comes_again = false;

	while (i < al->count && run_piece_is_same(&al->longest[i], &al->piece[i]))
		i++;
	for (size_t k = 0; k < al->longest_count; k++)
		comes_again |= al->longest[k].again > 0;
	al->width = al->longest_count - al->count + 2 * ALIGN_ASIDE + 1;
	if (!comes_again || (i == al->count && i == al->longest_count) ||
		al->width > ALIGN_MOST / (al->count + 1))
		return;
	al->move = memory_alloc((al->count + 1) * al->width);
	for (size_t k = 0; k < 2; k++)
		row[k] = memory_alloc(memory_product(al->width, sizeof(*row[k])));
	for (size_t b = 0; b <= al->count; b++)
		for (size_t k = b < ALIGN_ASIDE ? ALIGN_ASIDE - b : 0;
			k < al->width && b + k - ALIGN_ASIDE <= al->longest_count; k++)
			align_pair(al, row[(b + 1) % 2], row[b % 2], b + k - ALIGN_ASIDE, b);

	/* Steps of the member that are one of the longest get its count, others a higher one. */
	size_t a = al->longest_count, b = al->count;
	uint32_t own = (uint32_t)al->longest_count;

	while (b) {
		const uint8_t move = al->move[b * al->width + a + ALIGN_ASIDE - b];

		if (move != MOVE_MEMBER)
			a--;
		if (move != MOVE_LONGEST)
			b--;
		if (move == MOVE_BOTH)
			al->piece[b].again = al->longest[a].again;
		else if (move == MOVE_MEMBER)
			al->piece[b].again += own;
	}
	for (size_t k = 0; k < 2; k++)
		memory_free(row[k]);
	memory_free(al->move);
}

/* ---- the list ---- */

/* True if this step of other members comes before a new one of this member. */
static bool comes_before(
	const struct ordered_step *other, const struct ordered_step *new_step, size_t member)
{
	const struct run_piece *a = other->piece, *b = new_step->piece;

	return other->member != member + 1 && a->again == b->again && a->number < b->number &&
	       text_equal(a->kind ? a->kind : "", b->kind ? b->kind : "");
}

static void add_member(struct step_order *order, const struct run_piece *piece, size_t from,
	size_t to, size_t member)
{
	uint32_t at = NOWHERE;

	for (size_t i = from; i < to; i++)
		order->step[order->id[i]].member = member + 1;
	for (size_t i = from; i < to; i++) {
		struct ordered_step *step = &order->step[order->id[i]];

		if (!step->listed) {
			uint32_t *link = at == NOWHERE ? &order->head : &order->step[at].next;

			step->piece = &piece[i];
			step->listed = true;
			while (*link != NOWHERE && comes_before(&order->step[*link], step, member))
				link = &order->step[*link].next;
			step->next = *link;
			*link = order->id[i];
		}
		at = order->id[i];
	}
}

void rank_order_steps(struct profile *const *profiles, struct run_piece *piece, const size_t *first,
	size_t members, struct arena *arena)
{
	const size_t count = first[members];
	struct step_order order = {
		.step = arena_array(arena, count, sizeof(*order.step)), .head = NOWHERE};
	struct sized_member *sized = arena_array(arena, members, sizeof(*sized));
	uint32_t *place = arena_array(arena, count, sizeof(*place)), next = 0;

	for (size_t m = 0; m < members; m++)
		sized[m] = (struct sized_member){m, first[m + 1] - first[m]};
	if (members)
		qsort(sized, members, sizeof(*sized), compare_members);
	for (size_t m = 1; m < members; m++)
		align_member(&(struct aligner){.profiles = profiles,
			.longest = &piece[first[sized[0].member]],
			.longest_count = sized[0].count,
			.piece = &piece[first[sized[m].member]],
			.count = sized[m].count});
	order.id = name_steps(piece, count, arena);
	for (size_t m = 0; m < members; m++)
		add_member(&order, piece, first[sized[m].member], first[sized[m].member + 1],
			sized[m].member);
	for (uint32_t at = order.head; at != NOWHERE; at = order.step[at].next)
		place[at] = next++;
	for (size_t i = 0; i < count; i++)
		piece[i].place = place[order.id[i]];
	if (count)
		qsort(piece, count, sizeof(*piece), compare_pieces);
}

/* A shift is how many steps a member began after the reference. Collectives say it exactly; starts
 * do where one shift brings them together and the clocks are good enough to tell steps apart. */

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

size_t rank_shift_steps(struct profile *const *profiles, struct run_piece *piece,
	const size_t *first, size_t members)
{
	struct shift_member reference = {0};
	size_t undecided = 0;
	int64_t least = 0;

	for (size_t m = 0; m < members; m++) {
		const struct shift_member at = {&piece[first[m]], first[m + 1] - first[m]};

		for (size_t i = 0; i < at.count; i++)
			if (!profiles[at.piece[i].profile]->step[at.piece[i].step].by_place)
				return 0;
		if (at.count == 0)
			return 0;
		if (at.count > reference.count)
			reference = at;
	}
	for (size_t m = 0; m < members; m++) {
		const struct shift_member at = {&piece[first[m]], first[m + 1] - first[m]};
		int64_t shift = 0;

		if (at.piece == reference.piece)
			continue;
		if (!shift_by_collectives(profiles, &reference, &at, &shift)) {
			const char *host[2] = {profiles[reference.piece[0].profile]->facts.host,
				profiles[at.piece[0].profile]->facts.host};
			const bool same = host[0] && host[1] && text_equal(host[0], host[1]);
			double *start[2] = {
				find_starts(profiles, &reference), find_starts(profiles, &at)};
			const bool found =
				start[0] && start[1] &&
				shift_of_starts(start[0], reference.count, start[1], at.count,
					same ? 0 : HOSTS_PERIOD_LEAST_NS, &shift);

			memory_free(start[0]);
			memory_free(start[1]);
			if (!found) {
				undecided++;
				continue;
			}
		}
		for (size_t i = 0; i < at.count; i++)
			piece[first[m] + i].number += shift;
		least = shift < least ? shift : least;
	}
	for (size_t i = first[0]; i < first[members]; i++)
		piece[i].number -= least;
	return undecided;
}
