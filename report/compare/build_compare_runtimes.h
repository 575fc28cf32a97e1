/*
 * Sentences about two sides from different profilers, or whose names a map makes alike: what each
 * of them is and how fine its times are, and how much of it has no partner. It decides nothing.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_RUNTIMES_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_RUNTIMES_H

#include "report/compare/build_compare_words.h"

/* True if the sides come from different profilers, or their names are mapped. */
bool compare_is_of_runtimes(const struct compare_builder *b);
/* ", ONNX Runtime profile, times to 1 us"; nothing of sides of one profiler. */
const char *compare_describe_profiler(
	const struct compare_builder *b, const struct compare_side *side);
/* The shares without a partner, with the largest of their rows; nothing unless
 * compare_is_of_runtimes. */
void compare_answer_unmatched(struct compare_builder *b);
/* The same as the table `sides`, a row for each. */
void compare_add_sides(struct compare_builder *b);
/* Rules of the map that match nothing. */
void compare_notes_map(struct compare_builder *b);

#endif
