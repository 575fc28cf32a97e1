/*
 * A list of steps, into which member after member puts those that it alone has.
 */
#include "model/run/rank_order.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/text.h"

#define NOWHERE UINT32_MAX

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

static int compare_members(const void *a, const void *b)
{
	const struct sized_member *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->member > y->member) - (x->member < y->member);
}

static int compare_pieces(const void *a, const void *b)
{
	const struct run_piece *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

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

/* Where the list goes on after a step; NOWHERE: before the first. */
static uint32_t *link_after(struct step_order *order, uint32_t at)
{
	return at == NOWHERE ? &order->head : &order->step[at].next;
}

/* Does this step of other members come before a new one of this member? */
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
			uint32_t *link = link_after(order, at);

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

void rank_order_steps(
	struct run_piece *piece, const size_t *first, size_t members, struct arena *arena)
{
	const size_t count = first[members];
	struct step_order order = {
		.step = arena_array(arena, count, sizeof(*order.step)), .head = NOWHERE};
	struct sized_member *sized = arena_array(arena, members, sizeof(*sized));
	uint32_t *place = arena_array(arena, count, sizeof(*place)), next = 0;

	order.id = name_steps(piece, count, arena);
	for (size_t m = 0; m < members; m++)
		sized[m] = (struct sized_member){m, first[m + 1] - first[m]};
	if (members)
		qsort(sized, members, sizeof(*sized), compare_members);
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
