/* zlib, in pieces. */
#include "ingest/input/unzlib.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#define PIECE_BYTES ((size_t)64 << 10)

bool unzlib(const void *bytes, size_t size, size_t most, struct text *out)
{
	z_stream z;
	int state = Z_OK;

	text_clear(out);
	memset(&z, 0, sizeof(z));
	if (size > UINT_MAX || inflateInit(&z) != Z_OK)
		return false;
	z.next_in = (z_const Bytef *)bytes;
	z.avail_in = (uInt)size;
	while (state == Z_OK && out->size < most) {
		char *room = text_room(out, PIECE_BYTES);

		z.next_out = (Bytef *)room;
		z.avail_out = PIECE_BYTES;
		state = inflate(&z, Z_NO_FLUSH);
		text_extend(out, PIECE_BYTES - z.avail_out);
	}
	inflateEnd(&z);
	return state == Z_STREAM_END;
}
