/* Writes a drawn recording as an .obs file (ingest/proto/obs.proto), which the program reads faster
 * than a table of the same values. Nothing is taken from the program that is measured. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "tests/sim/world.h"

/* Numbers of the texts, by their order. */
enum text { TYPE_ADD = 1, TYPE_MATMUL, GPU_0, GPU_1 };

struct bytes {
	unsigned char *data;
	size_t size, room;
};

static void put_byte(struct bytes *b, uint64_t byte)
{
	if (b->size == b->room) {
		b->room = 2 * b->room + 4096;
		b->data = realloc(b->data, b->room);
		if (b->data == NULL) {
			fprintf(stderr, "worlds: out of memory\n");
			exit(1);
		}
	}
	b->data[b->size++] = (unsigned char)byte;
}

static void put_varint(struct bytes *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(b, value | 0x80);
	put_byte(b, value);
}

static void put_number(struct bytes *b, unsigned int field, uint64_t value)
{
	put_varint(b, (uint64_t)field << 3);
	put_varint(b, value);
}

static void put_fixed(struct bytes *b, uint64_t value, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		put_byte(b, value >> (8 * i));
}

static void put_difference(struct bytes *b, int64_t now, int64_t before)
{
	const uint64_t d = (uint64_t)now - (uint64_t)before;

	put_varint(b, d << 1 ^ (0 - (d >> 63)));
}

static void put_bytes(struct bytes *b, unsigned int field, const void *data, size_t size)
{
	const unsigned char *const from = data;

	put_varint(b, (uint64_t)field << 3 | 2);
	put_varint(b, size);
	for (size_t i = 0; i < size; i++)
		put_byte(b, from[i]);
}

static void put_string(struct bytes *b, unsigned int field, const char *s)
{
	put_bytes(b, field, s, strlen(s));
}

/* Adds `inside` as a message or a packed list, and empties it for the next. */
static void put_message(struct bytes *b, unsigned int field, struct bytes *inside)
{
	put_bytes(b, field, inside->data, inside->size);
	inside->size = 0;
}

static void put_head(struct bytes *out, struct bytes *part)
{
	static const char *const texts[] = {"Add", "MatMul", "/gpu:0", "/gpu:1"};

	put_string(out, 1, "stepstat.obs");
	put_number(part, 1, 1);
	put_string(part, 2, "simulated");
	put_message(out, 2, part);
	put_string(part, 1, "time");
	put_string(part, 2, "ps");
	put_message(out, 4, part);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		put_string(out, 5, texts[i]);
}

static void put_run(struct bytes *out, struct bytes *part, struct bytes *list,
	const struct recording *r, size_t run)
{
	char name[32];

	snprintf(name, sizeof(name), "r%zu", run + 1);
	put_string(part, 1, name);
	for (size_t s = 0; s < r->steps; s++)
		put_difference(list, (int64_t)s + 1, (int64_t)s);
	put_message(part, 2, list);
	/* Equal fingerprints would be the same step of the same run: these differ, and with the
	 * values between the sides. */
	for (size_t s = 0; s < r->steps; s++) {
		const int64_t *const first = r->ps + run * r->steps + s;

		put_fixed(list, (uint64_t)*first * 0x9e3779b97f4a7c15U + run * r->steps + s, 8);
	}
	put_message(part, 3, list);
	put_message(out, 6, part);
}

static void put_op(struct bytes *out, struct bytes *part, size_t number, bool named)
{
	char name[32];

	snprintf(name, sizeof(name), "op%zu", number);
	put_string(part, 2, name);
	put_number(part, 3, named ? TYPE_MATMUL : TYPE_ADD);
	put_number(part, 4, named ? GPU_1 : GPU_0);
	put_message(out, 7, part);
}

/* Stretches of steps without and with the op, by turns. */
static void put_present(struct bytes *list, const int64_t *ps, size_t steps)
{
	bool present = false;
	size_t length = 0;

	for (size_t i = 0; i < steps; i++) {
		if ((ps[i] >= 0) != present) {
			put_varint(list, length);
			present = !present;
			length = 0;
		}
		length++;
	}
	put_varint(list, length);
}

/* Returns in how many steps the op is present. */
static size_t put_series(
	struct bytes *out, struct bytes *part, struct bytes *list, const int64_t *ps, size_t steps)
{
	struct bytes column = {0};
	int64_t before = 0;
	size_t present = 0;

	put_present(list, ps, steps);
	put_message(part, 2, list);
	for (size_t i = 0; i < steps; i++) {
		if (ps[i] < 0)
			continue;
		put_difference(list, ps[i], before);
		before = ps[i];
		present++;
	}
	put_number(&column, 1, 0);
	put_message(&column, 3, list);
	put_message(part, 3, &column);
	put_message(out, 8, part);
	free(column.data);
	return present;
}

static void put_all(struct bytes *out, const struct recording *r, const struct world_op *op)
{
	const size_t steps = r->runs * r->steps;
	struct bytes part = {0}, list = {0};
	size_t observations = 0;
	uint32_t crc;

	put_head(out, &part);
	for (size_t run = 0; run < r->runs; run++)
		put_run(out, &part, &list, r, run);
	for (size_t i = 0; i < r->ops; i++)
		put_op(out, &part, i, op[i].named);
	for (size_t i = 0; i < r->ops; i++) {
		put_number(&part, 1, i);
		observations += put_series(out, &part, &list, r->ps + i * steps, steps);
	}
	crc = (uint32_t)crc32(crc32(0, NULL, 0), out->data, (uInt)out->size);
	put_number(&part, 1, observations);
	put_varint(&part, 2 << 3 | 5);
	put_fixed(&part, crc, 4);
	put_message(out, 15, &part);
	free(part.data);
	free(list.data);
}

void world_write(const char *path, const struct recording *r, const struct world_op *op)
{
	struct bytes out = {0};
	FILE *const file = fopen(path, "wb");
	bool written;

	put_all(&out, r, op);
	written = file != NULL && fwrite(out.data, 1, out.size, file) == out.size;
	if ((file != NULL && fclose(file) != 0) || !written) {
		perror(path);
		exit(1);
	}
	free(out.data);
}
