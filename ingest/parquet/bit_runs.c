/*
 * Heads of runs, and values out of their bits.
 */
#include "ingest/parquet/bit_runs.h"

void bit_runs_init(struct bit_runs *runs, const unsigned char *bytes, size_t size, unsigned width)
{
	*runs = (struct bit_runs){.at = bytes, .end = bytes + size, .width = width};
}

static bool read_head(struct bit_runs *runs, uint64_t *head)
{
	*head = 0;
	for (unsigned shift = 0; shift < 35; shift += 7) {
		unsigned char byte;

		if (runs->at == runs->end)
			return false;
		byte = *runs->at++;
		*head |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
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

	if (!read_head(runs, &head))
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

uint32_t bit_runs_packed(struct bit_runs *runs)
{
	const unsigned char *at = runs->packed + runs->bit / 8;
	const unsigned first = (unsigned)(runs->bit % 8), bits = first + runs->width;
	uint64_t value = 0;

	runs->packed_left--;
	runs->bit += runs->width;
	for (unsigned i = 0; i * 8 < bits; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return (uint32_t)(value >> first & ((UINT64_C(1) << runs->width) - 1));
}
