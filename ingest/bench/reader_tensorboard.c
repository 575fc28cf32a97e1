/* TensorBoard's event files: TFRecords (length, its masked CRC-32C, bytes, theirs) of Event
 * {wall_time 1, step 2, summary 5 {value 1 {tag 1, simple_value 2, tensor 8}}}. A tag of scalars is
 * a benchmark, its steps are those of the training. A record that is cut at the end is normal: the
 * program was stopped. */
#include "base/number.h"
#include "base/packed_number.h"
#include "base/text.h"
#include "ingest/bench/bench.h"
#include "ingest/protobuf/wire.h"
#include "base/checksum.h"
#include <string.h>

#define HEAD_BYTES 12 /* length and its checksum */

enum { TENSOR_FLOAT = 1, TENSOR_DOUBLE = 2 };

struct scalar {
	const char *tag;
	double value;
	bool found;
};

static uint32_t u32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return little_32(value);
}

static double float_of(uint64_t bits)
{
	const uint32_t low = (uint32_t)bits;
	float value;

	memcpy(&value, &low, sizeof(value));
	return (double)value;
}

static double double_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* The bytes of one number, as they stand in tensor_content. */
static void content_of(const struct wire *w, uint64_t type, struct scalar *out)
{
	const size_t size = (size_t)(w->end - w->at);
	uint64_t bits;

	if (type == TENSOR_FLOAT && size == sizeof(uint32_t)) {
		out->value = float_of(u32(w->at));
		out->found = true;
	} else if (type == TENSOR_DOUBLE && size == sizeof(bits)) {
		memcpy(&bits, w->at, sizeof(bits));
		out->value = double_of(little_64(bits));
		out->found = true;
	}
}

/* TensorProto {dtype 1, tensor_content 4, float_val 5, double_val 6} of one number. */
static void read_tensor(struct wire w, struct scalar *out)
{
	struct wire_field f;
	uint64_t type = 0;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		struct wire inside = f.type == WIRE_BYTES ? wire_inside(&f) : (struct wire){0};

		if (f.number == 1 && f.type == WIRE_VARINT)
			type = f.value;
		else if (f.type == WIRE_BYTES && f.number >= 4 && f.number <= 6)
			content_of(&inside, f.number == 4 ? type : f.number - 4, out);
		else if (f.number == 5 && f.type == WIRE_FIXED32)
			*out = (struct scalar){out->tag, float_of(f.value), true};
		else if (f.number == 6 && f.type == WIRE_FIXED64)
			*out = (struct scalar){out->tag, double_of(f.value), true};
	}
}

static void read_value(struct bench *b, struct wire w, struct scalar *out)
{
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (f.type == WIRE_BYTES && f.number == 1) {
			const struct wire tag = wire_inside(&f);

			out->tag =
				bench_visible(b, (const char *)tag.at, (size_t)(tag.end - tag.at));
		} else if (f.type == WIRE_BYTES && f.number == 8) {
			read_tensor(wire_inside(&f), out);
		} else if (f.type == WIRE_FIXED32 && f.number == 2) {
			out->value = float_of(f.value);
			out->found = true;
		}
	}
}

static int read_summary(struct bench *b, struct wire w, int64_t step, struct error *err)
{
	char digits[NUMBER_TEXT_SIZE];
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		struct scalar scalar = {0};
		struct bench_row row = {.step = step};

		if (f.type != WIRE_BYTES || f.number != 1)
			continue;
		read_value(b, wire_inside(&f), &scalar);
		if (!scalar.tag || !scalar.found) /* a picture, a text, a histogram */
			continue;
		row.benchmark = scalar.tag;

		/* "time" with its unit of a tag that says one ("perf/step_time_ms"); else the
		 * number alone. */
		const char *last = text_base_name(row.benchmark), *unit = strrchr(last, '_');

		row.measure = "value";
		row.unit = NULL;
		if (strstr(last, "loss")) {
			row.measure = "loss";
		} else if (unit && text_equal(bench_measure(b, unit + 1), "time")) {
			row.measure = "time";
			row.unit = bench_unit(b, unit + 1);
		}
		if (scalar.value - scalar.value == 0) {
			row.value = arena_strdup(b->arena,
				number_format_shortest_float(digits, (float)scalar.value));
			if ((double)(float)scalar.value != scalar.value)
				row.value = arena_strdup(
					b->arena, number_format_shortest(digits, scalar.value));
		}
		if (bench_add_once(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

/* The length at the beginning of a record; false where its checksum is wrong. */
static bool length_of(const unsigned char *head, uint64_t *length)
{
	memcpy(length, head, sizeof(*length));
	*length = little_64(*length);
	return u32(head + 8) == crc32c_mask(crc32c(0, head, 8));
}

static int cut(struct bench *b)
{
	issue_add(&b->out->issues, ISSUE_INFO, "bench-record-cut",
		"event files whose last record is cut, as of a program that was stopped", 1,
		b->out->path);
	return 0;
}

static int damaged(struct bench *b, struct error *err)
{
	char place[512];

	error_place_offset(place, sizeof(place), b->out->path, input_offset(b->in));
	return error_set(err, ERROR_INPUT, place, "record is damaged: its checksum is another");
}

static int fill(struct bench *b, struct error *err)
{
	const unsigned char *bytes;
	size_t size;
	uint64_t length;

	b->facts.of[BENCH_FRAMEWORK] = "TensorBoard";
	for (;;) {
		if (input_peek(b->in, HEAD_BYTES, &bytes, &size, err) < 0)
			return -1;
		if (size < HEAD_BYTES)
			return size ? cut(b) : 0;
		if (!length_of(bytes, &length) || length > b->opt->max_record_bytes)
			return damaged(b, err);
		input_skip(b->in, HEAD_BYTES);
		if (input_read(b->in, length + 4, b->opt->max_record_bytes + 4, "a record", &bytes,
			    NULL) < 0)
			return cut(b);
		if (u32(bytes + length) != crc32c_mask(crc32c(0, bytes, length)))
			return damaged(b, err);

		struct wire w = (struct wire){bytes, bytes + length};
		const struct wire whole = w;
		char digits[NUMBER_TEXT_SIZE];
		struct wire_field f;
		int64_t step = 0;

		while (wire_next(&w, &f) == WIRE_FIELD) {
			if (f.number == 2 && f.type == WIRE_VARINT)
				step = (int64_t)f.value;
			if (f.number == 1 && f.type == WIRE_FIXED64 && !b->facts.of[BENCH_START])
				b->facts.of[BENCH_START] = arena_strdup(b->arena,
					number_format_fixed(digits, double_of(f.value), 6));
		}
		w = whole;
		while (wire_next(&w, &f) == WIRE_FIELD)
			if (f.number == 5 && f.type == WIRE_BYTES &&
				read_summary(b, wire_inside(&f), step, err) < 0)
				return -1;
	}
}

static int tensorboard_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read(in, out, opt, fill, err);
}

/* The first record is an Event with its wall time first. */
static int tensorboard_probe(const struct probe *p)
{
	uint64_t length;

	if (p->size <= HEAD_BYTES || p->bytes[HEAD_BYTES] != 0x09)
		return 0;
	return length_of(p->bytes, &length) || probe_has(p, "brain.Event:") ? 90 : 0;
}

const struct reader reader_tensorboard = {
	.name = "tensorboard-events",
	.title = "TensorBoard event file",
	.summary = "scalars of TensorBoard's event files (events.out.tfevents.*)",
	.probe = tensorboard_probe,
	.read = tensorboard_read,
	.companion = true, /* it lies beside profiles of a training */
	.refusal = "which is read where it is given by name",
	.advice = "give the file itself, not its folder",
	.empty_hint = "the file has no scalars: write them with add_scalar or tf.summary.scalar",
};
