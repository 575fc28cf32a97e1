/*
 * Heads of runs, and values out of their bits.
 */
#include "ingest/parquet/bit_runs.h"

#include "base/packed_number.h"

void bit_runs_init(struct bit_runs *runs, const unsigned char *bytes, size_t size, unsigned width)
{
	*runs = (struct bit_runs){.at = bytes, .end = bytes + size, .width = width};
}

static bool begin_packed(struct bit_runs *runs, uint64_t groups)
{
	const uint64_t left = (uint64_t)(runs->end - runs->at), bytes = groups * runs->width;

	if (groups == 0)
		return false;
	runs->packed = runs->at;
	runs->bit = 0;
	runs->packed_left = groups * 8;
	/* Some writers leave out the end of the last group: it counts as far as there are bits. */
	if (bytes > left) {
		runs->packed_left = left * 8 / runs->width;
		runs->at = runs->end;
		return runs->packed_left > 0;
	}
	runs->at += bytes;
	return true;
}

bool bit_runs_more(struct bit_runs *runs)
{
	const unsigned bytes = (runs->width + 7) / 8;
	uint64_t head;

	if (!packed_varint_next(&runs->at, runs->end, &head) || head >> 35)
		return false;
	if (head & 1)
		return begin_packed(runs, head >> 1);
	if (head == 0 || bytes > (size_t)(runs->end - runs->at))
		return false;
	runs->same = 0;
	for (unsigned i = 0; i < bytes; i++)
		runs->same |= (uint32_t)*runs->at++ << (8 * i);
	runs->same_left = head >> 1;
	return true;
}

/* The same where fewer bytes are left than are read at once. */
static uint32_t packed_last(const unsigned char *at, size_t left, size_t bit, unsigned width)
{
	unsigned char last[PACKED_SLACK] = {0};

	memcpy(last, at, left);
	return (uint32_t)packed_bits_at(last, bit, width);
}

uint32_t bit_runs_packed(struct bit_runs *runs)
{
	const unsigned char *at = runs->packed + runs->bit / 8;
	const size_t bit = runs->bit % 8, left = (size_t)(runs->end - at);

	runs->packed_left--;
	runs->bit += runs->width;
	if (left < PACKED_SLACK)
		return packed_last(at, left, bit, runs->width);
	return (uint32_t)packed_bits_at(at, bit, runs->width);
}
