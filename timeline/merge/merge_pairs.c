/*
 * Beginnings are numbered in the order of the files; for each the class and the bytes of its slice
 * are kept, in four bytes. An end finds the number of its beginning on the stack of its thread.
 */
#include "base/memory.h"
#include "timeline/merge/merge_lanes.h"
#include "timeline/merge/merge_parts.h"

#define BEGINS_MOST ((size_t)1 << 31)
#define BYTES_BITS 21
#define BYTES_MOST ((1U << BYTES_BITS) - 1) /* and more */
#define ALONE UINT32_MAX

_Static_assert(CLASSES < UINT32_MAX >> BYTES_BITS, "a class and bytes fit into 32 bits");

struct opened {
	size_t number;
	struct trace_time start;
	uint64_t bytes;
	bool leaves; /* second reading */
};

struct merge_pairs {
	struct merge_lanes *lanes; /* struct opened */
	struct vec slice;     /* uint32_t by beginning: class and bytes; ALONE: it has no end */
	size_t next;	      /* second reading: number of the next beginning */
	uint64_t alone_bytes; /* of beginnings, until they have ends */
};

struct merge_pairs *merge_pairs_new(void)
{
	struct merge_pairs *pairs = memory_alloc(sizeof(*pairs));

	pairs->lanes = merge_lanes_new(sizeof(struct opened));
	vec_init(&pairs->slice, sizeof(uint32_t), BEGINS_MOST, "slices in two events (B, E)");
	return pairs;
}

void merge_pairs_free(struct merge_pairs *pairs)
{
	if (!pairs)
		return;
	merge_lanes_free(pairs->lanes);
	vec_release(&pairs->slice);
	memory_free(pairs);
}

void merge_pairs_file(struct merge_pairs *pairs)
{
	merge_lanes_clear(pairs->lanes);
}

/* Class of a pair; without both times it is of the shortest. */
static size_t class_between(const struct trace_time *start, const struct trace_time *end)
{
	struct trace_time duration = {.known = start->known && end->known};

	if (!duration.known || __builtin_sub_overflow(end->us, start->us, &duration.us))
		return 0;
	duration.ps = end->ps - start->ps;
	if (duration.ps < 0) {
		duration.ps += 1000000;
		if (__builtin_sub_overflow(duration.us, 1, &duration.us))
			return 0;
	}
	return merge_class(&duration);
}

int merge_pairs_add(struct merge_pairs *pairs, const struct trace_event *event, uint64_t bytes,
	struct merge_sizes *sizes, struct error *err)
{
	struct opened *opened;
	uint32_t *slice;
	size_t class;

	if (event->phase == 'B') {
		slice = vec_push(&pairs->slice, err);
		opened = slice ? merge_lanes_push(pairs->lanes, event, err) : NULL;
		if (!opened)
			return -1;
		*slice = ALONE;
		*opened = (struct opened){
			.number = pairs->slice.count - 1, .start = event->start, .bytes = bytes};
		pairs->alone_bytes += bytes;
		return 0;
	}
	opened = merge_lanes_pop(pairs->lanes, event);
	if (!opened) {
		sizes->others += bytes;
		return 0;
	}
	class = class_between(&opened->start, &event->start);
	sizes->slices[class] += opened->bytes + bytes;
	slice = vec_at(&pairs->slice, opened->number);
	*slice =
		(uint32_t) class << BYTES_BITS |
		(uint32_t)(opened->bytes + bytes < BYTES_MOST ? opened->bytes + bytes : BYTES_MOST);
	pairs->alone_bytes -= opened->bytes;
	return 0;
}

void merge_pairs_end(struct merge_pairs *pairs, struct merge_sizes *sizes)
{
	sizes->others += pairs->alone_bytes;
	pairs->alone_bytes = 0;
	merge_lanes_clear(pairs->lanes);
}

/* A slice whose bytes are not known exactly is too long to stay in part of its class. */
static bool is_left(struct merge_cut *cut, uint32_t slice)
{
	uint32_t bytes = slice & BYTES_MOST;

	return slice != ALONE && merge_cut_leaves(cut, slice >> BYTES_BITS,
					 bytes < BYTES_MOST ? bytes : cut->class_bytes);
}

/* The file may have grown between the readings. */
static uint32_t slice_at(const struct merge_pairs *pairs, size_t number)
{
	return number < pairs->slice.count ? *(const uint32_t *)vec_at(&pairs->slice, number)
					   : ALONE;
}

int merge_pairs_next(struct merge_pairs *pairs, const struct trace_event *event,
	struct merge_cut *cut, bool *leaves, struct error *err)
{
	struct opened *opened;
	uint32_t slice;

	if (event->phase == 'B') {
		opened = merge_lanes_push(pairs->lanes, event, err);
		if (!opened)
			return -1;
		opened->number = pairs->next++;
		slice = slice_at(pairs, opened->number);
		opened->leaves = is_left(cut, slice);
	} else {
		opened = merge_lanes_pop(pairs->lanes, event);
		if (!opened)
			return 0;
		slice = slice_at(pairs, opened->number);
	}
	*leaves = opened->leaves;
	return slice != ALONE;
}
