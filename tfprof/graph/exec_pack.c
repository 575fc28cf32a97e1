/* Packed executions: for each column a byte with two widths, that of the least number and that of
 * the differences from it, and the least number; then the differences of all columns. */
#include "tfprof/graph/exec_pack.h"

#include <string.h>
#include "base/memory.h"
#include "base/packed_number.h"

#define WIDTH_BITS 4

/* Places of the fields by column; the flags have none. */
static const size_t field_at[] = {
	offsetof(struct exec, step),
	offsetof(struct exec, start_micros),
	offsetof(struct exec, end_micros),
	offsetof(struct exec, run_count),
	offsetof(struct exec, accelerator_micros),
	offsetof(struct exec, cpu_micros),
	offsetof(struct exec, requested_bytes),
	offsetof(struct exec, peak_bytes),
	offsetof(struct exec, residual_bytes),
	offsetof(struct exec, output_bytes),
};

enum pack_column {
	COLUMN_STEP, /* less its place: steps without gaps are one number */
	COLUMN_START,
	COLUMN_DURATION, /* end less start */
	COLUMN_REST,	 /* as they are */
	COLUMN_FLAGS = sizeof(field_at) / sizeof(field_at[0]),
	COLUMNS,
};

#define FLAG_OVERFLOW 1u
#define FLAG_OWN_INTERVAL 2u

struct pack_form {
	uint64_t least; /* as int64 */
	unsigned width, least_width;
};

void exec_pack_release(struct exec_pack *pack)
{
	memory_free(pack->bytes);
	*pack = (struct exec_pack){0};
}

static void store(unsigned char *to, uint64_t value)
{
	value = little_64(value);
	memcpy(to, &value, sizeof(value));
}

static uint64_t number(const struct exec *exec, size_t i, size_t column)
{
	uint64_t value;

	switch (column) {
	case COLUMN_STEP:
		return (uint64_t)exec[i].step - i;
	case COLUMN_DURATION:
		return (uint64_t)exec[i].end_micros - (uint64_t)exec[i].start_micros;
	case COLUMN_FLAGS:
		return exec[i].overflow * FLAG_OVERFLOW | exec[i].own_interval * FLAG_OWN_INTERVAL;
	default:
		memcpy(&value, (const char *)&exec[i] + field_at[column], sizeof(value));
		return value;
	}
}

size_t exec_pack_add(struct exec_pack *pack, const struct exec *exec, size_t count)
{
	const size_t begin = pack->size;
	struct pack_form form[COLUMNS];
	size_t size = 0;

	if (count == 0)
		return begin;
	for (size_t k = 0; k < COLUMNS; k++) {
		int64_t least = INT64_MAX, most = INT64_MIN;

		for (size_t i = 0; i < count; i++) {
			int64_t value = (int64_t)number(exec, i, k);

			least = value < least ? value : least;
			most = value > most ? value : most;
		}
		form[k] = (struct pack_form){
			.least = (uint64_t)least,
			.width = packed_bytes((uint64_t)most - (uint64_t)least),
			.least_width = packed_bytes(packed_zigzag((uint64_t)least)),
		};
		size += 1 + form[k].least_width + count * form[k].width;
	}
	pack->bytes = memory_make_room(pack->bytes, &pack->room, begin + size + PACKED_SLACK, 1);
	unsigned char *to = pack->bytes + begin;

	for (size_t k = 0; k < COLUMNS; k++) {
		*to++ = (unsigned char)(form[k].least_width << WIDTH_BITS | form[k].width);
		store(to, packed_zigzag(form[k].least));
		to += form[k].least_width;
	}
	for (size_t k = 0; k < COLUMNS; k++)
		for (size_t i = 0; form[k].width && i < count; i++, to += form[k].width)
			store(to, number(exec, i, k) - form[k].least);
	pack->size = begin + size;
	return begin;
}

size_t exec_pack_get(
	const struct exec_pack *pack, size_t at, enum exec_part part, struct exec *to, size_t count)
{
	const unsigned char *from;
	struct pack_form form[COLUMNS];

	if (count == 0)
		return at;
	from = pack->bytes + at;
	for (size_t k = 0; k < COLUMNS; k++) {
		form[k].width = *from & ((1u << WIDTH_BITS) - 1);
		form[k].least_width = *from++ >> WIDTH_BITS;
		form[k].least = packed_unzigzag(packed_take(&from, form[k].least_width));
	}
	for (size_t k = 0; k < COLUMNS; k++) {
		if (part == EXEC_TIMES && k >= COLUMN_REST && k != COLUMN_FLAGS) {
			from += count * form[k].width;
			continue;
		}
		for (size_t i = 0; i < count; i++) {
			uint64_t value = form[k].least + packed_take(&from, form[k].width);

			switch (k) {
			case COLUMN_STEP:
				value += i;
				break;
			case COLUMN_DURATION: /* the start is there by now */
				value += (uint64_t)to[i].start_micros;
				break;
			case COLUMN_FLAGS:
				to[i].overflow = value & FLAG_OVERFLOW;
				to[i].own_interval = value & FLAG_OWN_INTERVAL;
				continue;
			default:
				break;
			}
			memcpy((char *)&to[i] + field_at[k], &value, sizeof(value));
		}
	}
	return (size_t)(from - pack->bytes);
}
