/* Protobuf's wire format by hand, and Box and Muller's normal numbers from splitmix64. */
#include "tests/bench/made_obs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

_Noreturn void die(const char *what)
{
	fprintf(stderr, "made .obs files: %s\n", what);
	exit(1);
}

void *room_for(uint64_t count, size_t size)
{
	void *room = calloc(count, size);

	if (!room)
		die("out of memory");
	return room;
}

/* ---- bytes ---- */

static void put_byte(struct bytes *b, unsigned char byte)
{
	if (b->size == b->room) {
		b->room = 2 * b->room + 4096;
		b->data = realloc(b->data, b->room);
		if (!b->data)
			die("out of memory");
	}
	b->data[b->size++] = byte;
}

void put_varint(struct bytes *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(b, (unsigned char)(value | 0x80));
	put_byte(b, (unsigned char)value);
}

void put_number(struct bytes *b, unsigned field, uint64_t value)
{
	put_varint(b, (uint64_t)field << 3);
	put_varint(b, value);
}

void put_fixed(struct bytes *b, uint64_t value, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		put_byte(b, (unsigned char)(value >> (8 * i)));
}

static void put_bytes(struct bytes *b, unsigned field, const void *data, size_t size)
{
	const unsigned char *from = data;

	put_varint(b, (uint64_t)field << 3 | 2);
	put_varint(b, size);
	for (size_t i = 0; i < size; i++)
		put_byte(b, from[i]);
}

void put_string(struct bytes *b, unsigned field, const char *s)
{
	put_bytes(b, field, s, strlen(s));
}

void put_message(struct bytes *b, unsigned field, struct bytes *inside)
{
	put_bytes(b, field, inside->data, inside->size);
	inside->size = 0;
}

void put_difference(struct bytes *b, int64_t now, int64_t before)
{
	uint64_t d = (uint64_t)now - (uint64_t)before;

	put_varint(b, d << 1 ^ (0 - (d >> 63)));
}

void put_head(struct bytes *out, const char *title)
{
	struct bytes part = {0};

	put_string(out, 1, "stepstat.obs");
	put_number(&part, 1, 1);
	put_string(&part, 2, title);
	put_message(out, 2, &part);
	free(part.data);
}

void put_measure(struct bytes *out, const char *name, const char *unit)
{
	struct bytes part = {0};

	put_string(&part, 1, name);
	put_string(&part, 2, unit);
	put_message(out, 4, &part);
	free(part.data);
}

void put_end(struct bytes *out, uint64_t observations)
{
	const uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), out->data, (uInt)out->size);
	struct bytes part = {0};

	put_number(&part, 1, observations);
	put_varint(&part, 2 << 3 | 5);
	put_fixed(&part, crc, 4);
	put_message(out, 15, &part);
	free(part.data);
}

/* ---- chance ---- */

uint64_t chance(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

double fraction(uint64_t *state)
{
	return ((double)(chance(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box & Muller 1958, one of the two. */
double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(fraction(state)));

	return radius * cos(2 * M_PI * fraction(state));
}
