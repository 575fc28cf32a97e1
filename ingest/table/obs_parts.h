/*
 * One element of a container of observations, taken apart: its fields by their numbers, and the
 * lists of numbers in them. It knows no element.
 */
#ifndef STEPSTAT_INGEST_TABLE_OBS_PARTS_H
#define STEPSTAT_INGEST_TABLE_OBS_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "ingest/protobuf/wire.h"

#define OBS_PARTS_MOST 24 /* fields of higher numbers are passed over */

struct obs_parts {
	uint32_t numbers, bytes; /* a bit for each field that is there, by its type */
	struct wire_field field[OBS_PARTS_MOST]; /* of several the last */
};

/* Takes the element apart; false: it is damaged. */
bool obs_parts_of(struct obs_parts *parts, struct wire w);
/* Contents of the next field of this number that is a message; false at the end. */
bool obs_parts_next(struct wire *w, uint32_t number, struct wire *inside);

static inline bool obs_has_bytes(const struct obs_parts *parts, uint32_t number)
{
	return parts->bytes >> number & 1;
}

/* Value of a number; `otherwise`: it is not there. */
static inline uint64_t obs_number(
	const struct obs_parts *parts, uint32_t number, uint64_t otherwise)
{
	return parts->numbers >> number & 1 ? parts->field[number].value : otherwise;
}

/* Contents of a field of bytes; none where it is not there. */
static inline struct wire obs_bytes(const struct obs_parts *parts, uint32_t number)
{
	static const unsigned char nothing[1];

	return obs_has_bytes(parts, number) ? wire_inside(&parts->field[number])
					    : (struct wire){nothing, nothing};
}

static inline size_t obs_size(struct wire bytes)
{
	return (size_t)(bytes.end - bytes.at);
}

/* The text of a field, copied, or `otherwise` where it is not there; NULL when it holds a byte 0,
 * which no text of ours does. */
const char *obs_text(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, const char *otherwise);
const char *obs_copy(struct wire bytes, struct arena *arena);

/* Number of values in a list. */
size_t obs_count(struct wire list);
/* Values that follow each other as differences, times the factor; false when they are not
 * `count`. */
bool obs_differences(struct wire list, uint64_t factor, int64_t *out, size_t count);
/* The same of the list in a field, in the arena; NULL when they are not `count`. */
int64_t *obs_list(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count);
/* The same; zeros where the field is not there. */
int64_t *obs_list_or_zeros(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count);
/* Values that are no differences. */
uint64_t *obs_plain_list(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count);

/* Lengths of stretches, by turns of `first` and its opposite, into flags; what they leave over is
 * false, and all flags are `all` when there are none. False when they are too long. */
bool obs_stretches(struct wire list, bool first, bool all, bool *out, size_t count);
/* The same of stretches that begin with those that are, in the arena, and how many are; NULL when
 * they are too long. */
bool *obs_flags(const struct obs_parts *parts, uint32_t number, bool all, struct arena *arena,
	size_t count, size_t *set);

#endif
