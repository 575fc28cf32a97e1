/* Unpacking by ISA-L. */
#include "ingest/input/gzip_stream.h"

#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include "base/memory.h"

#define LENGTH_BYTES 4 /* after the checksum (RFC 1952, 2.3.1) */

struct gunzip {
	struct inflate_state state;
};

struct gunzip *gunzip_new(void)
{
	struct gunzip *gunzip = memory_alloc(sizeof(*gunzip));

	isal_inflate_init(&gunzip->state);
	gunzip->state.crc_flag = ISAL_GZIP;
	return gunzip;
}

void gunzip_free(struct gunzip *gunzip)
{
	memory_free(gunzip);
}

void gunzip_next(struct gunzip *gunzip)
{
	isal_inflate_reset(&gunzip->state);
	gunzip->state.crc_flag = ISAL_GZIP;
}

enum gunzip_state gunzip_run(struct gunzip *gunzip, const unsigned char **in, size_t in_bytes,
	unsigned char **out, size_t out_bytes)
{
	struct inflate_state *s = &gunzip->state;
	const unsigned char *begin = *in;

	s->next_in = (uint8_t *)(uintptr_t)*in;
	s->avail_in = in_bytes < INT32_MAX ? (uint32_t)in_bytes : INT32_MAX;
	s->next_out = *out;
	s->avail_out = out_bytes < INT32_MAX ? (uint32_t)out_bytes : INT32_MAX;
	int result = isal_inflate(s);

	*in = s->next_in;
	*out = s->next_out;
	if (result == ISAL_INCORRECT_CHECKSUM) {
		*in -= *in - begin >= LENGTH_BYTES ? LENGTH_BYTES : 0; /* as zlib has it */
		return GUNZIP_CHECKSUM;
	}
	if (result < 0 || result == ISAL_NEED_DICT) {
		size_t ahead = (size_t)s->read_in_length / 8; /* read, but not looked at */

		*in -= s->read_in_length > 0 && ahead <= (size_t)(*in - begin) ? ahead : 0;
		return GUNZIP_DAMAGED;
	}
	return s->block_state == ISAL_BLOCK_FINISH ? GUNZIP_MEMBER_END : GUNZIP_GOES_ON;
}
