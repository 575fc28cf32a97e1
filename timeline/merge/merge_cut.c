/*
 * Slices that --max-size leaves out: the shortest classes, and of the next one as much as has to
 * go, evenly over the files. So slices of one duration do not all go at once.
 */
#include "timeline/merge/merge_parts.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool merge_cut_leaves(struct merge_cut *cut, size_t class, uint64_t bytes)
{
	unsigned __int128 share;

	if (class + 1 != cut->end || cut->class_bytes == 0)
		return class < cut->end;
	cut->seen = smaller(cut->seen + bytes, cut->class_bytes);
	share = (unsigned __int128)cut->seen * cut->room / cut->class_bytes;
	if (cut->kept + bytes > share)
		return true;
	cut->kept += bytes;
	return false;
}

void merge_cut_set(struct merge_cut *cut, const struct merge_sizes *sizes, uint64_t most)
{
	uint64_t slices = 0;

	for (size_t i = 0; i < CLASSES; i++)
		slices += sizes->slices[i];
	while (cut->end < CLASSES && slices > most) {
		cut->class_bytes = sizes->slices[cut->end++];
		slices -= cut->class_bytes;
	}
	cut->room = cut->end > 0 ? most - slices : 0;
}
