/*
 * A run of one value is written as such from two groups on; what is between runs are groups, of
 * which only the last may be filled up with zeros.
 */
#include "export/parquet/bit_runs_writer.h"

#include "base/output/protobuf_writer.h"

#define GROUP 8
#define RUN_LEAST ((size_t)2 * GROUP)

static size_t run_length(const uint32_t *value, size_t count)
{
	size_t n = 1;

	while (n < count && value[n] == value[0])
		n++;
	return n;
}

static void add_groups(struct text *out, const uint32_t *value, size_t count, unsigned width)
{
	const size_t groups = (count + GROUP - 1) / GROUP;
	uint64_t bits = 0;
	unsigned held = 0;

	if (count == 0)
		return;
	protobuf_add_varint(out, (uint64_t)groups << 1 | 1);
	for (size_t i = 0; i < groups * GROUP; i++) {
		bits |= (uint64_t)(i < count ? value[i] : 0) << held;
		for (held += width; held >= 8; held -= 8, bits >>= 8)
			text_add_char(out, (char)bits);
	}
}

void bit_runs_add(struct text *out, const uint32_t *value, size_t count, unsigned width)
{
	size_t first = 0, i = 0; /* groups from `first` up to `i` are not written yet */

	while (i < count) {
		const size_t same = run_length(value + i, count - i);

		if (same < RUN_LEAST) {
			i += GROUP < count - i ? GROUP : count - i;
			continue;
		}
		add_groups(out, value + first, i - first, width);
		protobuf_add_varint(out, (uint64_t)same << 1);
		protobuf_add_fixed(out, value[i], (width + 7) / 8);
		first = i += same;
	}
	add_groups(out, value + first, count - first, width);
}
