/*
 * Lists are protobuf's packed fields. Differences are modulo 2^64, as zigzag varints.
 */
#include "ingest/table/obs_parts.h"

#include <string.h>

bool obs_parts_of(struct obs_parts *parts, struct wire w)
{
	struct wire_field f;
	enum wire_result got;

	parts->numbers = parts->bytes = 0;
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number >= OBS_PARTS_MOST || f.type == WIRE_GROUP)
			continue;
		const uint32_t bit = UINT32_C(1) << f.number;

		parts->field[f.number] = f;
		parts->bytes = f.type == WIRE_BYTES ? parts->bytes | bit : parts->bytes & ~bit;
		parts->numbers =
			f.type != WIRE_BYTES ? parts->numbers | bit : parts->numbers & ~bit;
	}
	return got == WIRE_END;
}

bool obs_parts_next(struct wire *w, uint32_t number, struct wire *inside)
{
	struct wire_field f;

	while (wire_next(w, &f) == WIRE_FIELD)
		if (f.number == number && f.type == WIRE_BYTES) {
			*inside = wire_inside(&f);
			return true;
		}
	return false;
}

/* ---- texts ---- */

const char *obs_copy(struct wire bytes, struct arena *arena)
{
	if (memchr(bytes.at, 0, obs_size(bytes)))
		return NULL;
	return arena_strndup(arena, (const char *)bytes.at, obs_size(bytes));
}

const char *obs_text(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, const char *otherwise)
{
	return obs_has_bytes(parts, number) ? obs_copy(obs_bytes(parts, number), arena) : otherwise;
}

/* ---- lists ---- */

size_t obs_count(struct wire list)
{
	const size_t size = obs_size(list);
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += list.at[i] < 0x80;
	return count;
}

/* The hot loop of the reader. */
bool obs_differences(struct wire w, uint64_t factor, int64_t *out, size_t count)
{
	uint64_t now = 0, value;

	for (size_t i = 0; i < count; i++) {
		if (!wire_varint(&w, &value))
			return false;
		now += packed_unzigzag(value);
		out[i] = (int64_t)(now * factor);
	}
	return w.at == w.end;
}

int64_t *obs_list(const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count)
{
	const struct wire list = obs_bytes(parts, number);
	int64_t *out = obs_count(list) == count ? arena_array(arena, count, sizeof(*out)) : NULL;

	return out && obs_differences(list, 1, out, count) ? out : NULL;
}

int64_t *obs_list_or_zeros(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count)
{
	return obs_size(obs_bytes(parts, number)) ? obs_list(parts, number, arena, count)
						  : arena_array(arena, count, sizeof(int64_t));
}

uint64_t *obs_plain_list(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count)
{
	struct wire list = obs_bytes(parts, number);
	uint64_t *out = obs_count(list) == count ? arena_array(arena, count, sizeof(*out)) : NULL;

	for (size_t i = 0; out && i < count; i++)
		if (!wire_varint(&list, &out[i]))
			return NULL;
	return list.at == list.end ? out : NULL;
}

bool obs_stretches(struct wire list, bool first, bool all, bool *out, size_t count)
{
	bool now = first;
	size_t at = 0;

	if (list.at == list.end) {
		memset(out, all, count * sizeof(bool));
		return true;
	}
	while (list.at < list.end) {
		uint64_t length;

		if (!wire_varint(&list, &length) || length > count - at)
			return false;
		memset(out + at, now, (size_t)length * sizeof(bool));
		at += (size_t)length;
		now = !now;
	}
	memset(out + at, false, (count - at) * sizeof(bool));
	return true;
}

bool *obs_flags(const struct obs_parts *parts, uint32_t number, bool all, struct arena *arena,
	size_t count, size_t *set)
{
	bool *flag = arena_array(arena, count, sizeof(*flag));

	if (!obs_stretches(obs_bytes(parts, number), true, all, flag, count))
		return NULL;
	*set = 0;
	for (size_t i = 0; i < count; i++)
		*set += flag[i];
	return flag;
}
