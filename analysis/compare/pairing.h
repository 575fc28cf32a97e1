/* Which row of one side is which row of the other: by name, then by type and shape or by nearest
 * name. It compares no values. */
#pragma once

#include "analysis/select/grouping.h"

/* The leftovers of a side that are looked at beyond names; more are an error. */
#define PAIRING_MOST 3000

enum pairing_mode { PAIRING_NAME, PAIRING_TYPE_SHAPE, PAIRING_NEAREST };
/* As users write them, in the order of the enum, then NULL. */
extern const char *const pairing_mode_words[];
enum pairing_how { PAIRED_NAME, PAIRED_TYPE_SHAPE, PAIRED_NEAREST, UNPAIRED };

struct pair {
	size_t base, new; /* index of the group, SIZE_MAX: the side has none */
	enum pairing_how how;
};

struct pairing_side {
	const struct cube *cube;
	const struct grouping *grouping; /* of its ops */
};

struct pairing {
	/* base's groups in their order, then those that only new has in theirs */
	struct pair *pair;
	size_t count;
	size_t paired; /* in whatever way */
	size_t only_base, only_new;
	size_t by_shape, by_nearest; /* of the paired */
};

/* True if any op has a shape of its output. */
bool pairing_has_shapes(const struct cube *cube);

/* Pairs groups of equal name; those of one name (kept collisions) in order. What is left over on
 * both sides is paired as the mode says:
 *
 * PAIRING_TYPE_SHAPE: groups of equal type, device and shape of outputs. Where each side has as
 * many of them, in order of name; where not, the nearest names first, and the rest of the larger
 * side stays alone. Never where type or shape is not known. ERROR_INPUT when a side has no shapes
 * at all.
 *
 * PAIRING_NEAREST: groups of one type (not known counts as a type) with the nearest names first, if
 * not more than 40 % of the longer name has to be edited (text_distance: case is ignored). Of more
 * than 300 names a side each is compared with the 144 of the other side that look most alike
 * (analysis/compare/pairing.h), and again when these have found others: names of which nothing
 * but long random numbers differs may then get another partner than the very nearest.
 *
 * Of names equally near those pair first that come first in base, then in new. ERROR_LIMIT when
 * names are to be compared and more than PAIRING_MOST of a side are left. */
int pairing_make(const struct pairing_side *base, const struct pairing_side *new,
	enum pairing_mode mode, struct arena *arena, struct pairing *out, struct error *err);
