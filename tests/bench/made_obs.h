/* What the programs that make .obs files share: bytes as ingest/proto/obs.proto describes them, and
 * numbers drawn by chance, the same ones everywhere. They take nothing from the program that is
 * measured. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PS_PER_NS 1000

_Noreturn void die(const char *what);	     /* says so and ends the program */
void *room_for(uint64_t count, size_t size); /* zeroed */

/* Grows; starts as {0}, and data is freed by its owner. */
struct bytes {
	unsigned char *data;
	size_t size, room;
};

void put_varint(struct bytes *b, uint64_t value);
void put_number(struct bytes *b, unsigned field, uint64_t value);
void put_fixed(struct bytes *b, uint64_t value, unsigned count);
void put_string(struct bytes *b, unsigned field, const char *s);
/* Adds `inside` as a message or a packed list, and empties it for the next. */
void put_message(struct bytes *b, unsigned field, struct bytes *inside);
void put_difference(struct bytes *b, int64_t now, int64_t before);

/* The elements that begin a file, a measure, and the element that ends the file. */
void put_head(struct bytes *out, const char *title);
void put_measure(struct bytes *out, const char *name, const char *unit);
void put_end(struct bytes *out, uint64_t observations);

/* splitmix64 (Steele, Lea & Flood 2014). */
uint64_t chance(uint64_t *state);
double fraction(uint64_t *state); /* in (0, 1) */
double normal(uint64_t *state);	  /* standard */
