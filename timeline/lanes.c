/* A tree of minima over the ends of the lanes. */
#include "timeline/lanes.h"

#include "base/memory.h"

/* Later than every sum of two 64-bit numbers. */
#define NEVER ((json_whole)1 << 100)

static void set(struct lanes *lanes, size_t lane, json_whole end)
{
	size_t at = lanes->leaves + lane;

	lanes->end[at] = end;
	while (at > 1) {
		json_whole twin = lanes->end[at ^ 1];

		lanes->end[at / 2] = lanes->end[at] < twin ? lanes->end[at] : twin;
		at /= 2;
	}
}

/* Twice the room, with the lanes in it. */
static void grow(struct lanes *lanes)
{
	size_t leaves = lanes->leaves ? memory_product(lanes->leaves, 2) : 1;
	json_whole *old = lanes->end;
	size_t first = lanes->leaves;

	lanes->end = memory_alloc(memory_product(memory_product(leaves, 2), sizeof(*lanes->end)));
	lanes->leaves = leaves;
	for (size_t i = 0; i < leaves; i++)
		lanes->end[leaves + i] = i < lanes->count ? old[first + i] : NEVER;
	for (size_t i = leaves - 1; i > 0; i--) {
		json_whole left = lanes->end[2 * i], right = lanes->end[2 * i + 1];

		lanes->end[i] = left < right ? left : right;
	}
	memory_free(old);
}

void lanes_init(struct lanes *lanes)
{
	*lanes = (struct lanes){0};
	grow(lanes);
	lanes->count = 1;
	set(lanes, 0, 0);
}

void lanes_release(struct lanes *lanes)
{
	memory_free(lanes->end);
}

size_t lanes_place(struct lanes *lanes, json_whole start, json_whole end)
{
	size_t at = 1, lane = lanes->count;

	if (lanes->end[1] < start) {
		while (at < lanes->leaves)
			at = lanes->end[2 * at] < start ? 2 * at : 2 * at + 1;
		lane = at - lanes->leaves;
	} else {
		if (lanes->count == lanes->leaves)
			grow(lanes);
		lanes->count++;
	}
	set(lanes, lane, end);
	return lane;
}
