/* Framing: varints of all lengths, field types, groups, damage; the same from memory and from a
 * stream. */
#include "ingest/protobuf/wire.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

TEST(varints_of_all_lengths)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		for (int less = 0; less < 2; less++) {
			uint64_t value = (UINT64_C(1) << bit) - (uint64_t)less, got = 0;

			for (size_t after = 0; after < 12; after++) {
				struct text t;

				text_init(&t);
				put_varint(&t, value);
				size_t size = t.size;

				text_add_repeat(&t, (char)0xff, after);
				struct wire w = {(const unsigned char *)t.data,
					(const unsigned char *)t.data + t.size};

				assert_true(wire_varint(&w, &got));
				assert_true(got == value);
				assert_int_equal(t.size - (size_t)(w.end - w.at), size);
				text_release(&t);
			}
		}
	}
}

static bool varint(const char *bytes, size_t size, uint64_t *value)
{
	struct wire w = {(const unsigned char *)bytes, (const unsigned char *)bytes + size};

	return wire_varint(&w, value);
}

TEST(unusual_varints)
{
	uint64_t v = 0;

	/* longer than needed is allowed; bits above 63 fall away; 11 bytes and no end are wrong */
	assert_true(varint("\x81\x80\x80\x80\x00", 5, &v) && v == 1);
	assert_true(varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, &v) && v == UINT64_MAX);
	assert_true(varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10, &v) && v == UINT64_MAX);
	assert_false(varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, &v));
	assert_false(varint("\xff\xff\xff", 3, &v));
	assert_false(varint("", 0, &v));
}

/* Fields of every type, a group with a group inside, and nothing after. */
static void add_fields(struct text *t)
{
	put_number(t, 1, -5);
	put_string(t, 2, "abc");
	text_add_bytes(t, "\x1d\x01\x02\x03\x04", 5);		      /* 3: fixed32 */
	text_add_bytes(t, "\x21\x01\x02\x03\x04\x05\x06\x07\x08", 9); /* 4: fixed64 */
	text_add_bytes(t, "\x2b\x08\x07\x33\x12\x01x\x34\x1d\x01\x02\x03\x04\x2c", 14); /* 5, 6 */
	put_number(t, 536870911, 1);
}

TEST(all_types_from_memory)
{
	struct text t;
	struct wire_field f = {0};

	text_init(&t);
	add_fields(&t);
	struct wire w = {(const unsigned char *)t.data, (const unsigned char *)t.data + t.size};

	assert_int_equal(wire_next(&w, &f), WIRE_FIELD);
	assert_true(f.number == 1 && f.type == WIRE_VARINT && (int64_t)f.value == -5);
	assert_int_equal(wire_next(&w, &f), WIRE_FIELD);
	assert_true(f.number == 2 && f.type == WIRE_BYTES && f.size == 3);
	assert_memory_equal(f.bytes, "abc", 3);
	assert_int_equal(wire_next(&w, &f), WIRE_FIELD);
	assert_true(f.number == 3 && f.type == WIRE_FIXED32 && f.value == 0x04030201);
	assert_int_equal(wire_next(&w, &f), WIRE_FIELD);
	assert_true(f.number == 4 && f.type == WIRE_FIXED64 && f.value == 0x0807060504030201);
	assert_int_equal(wire_next(&w, &f), WIRE_FIELD);
	assert_true(f.number == 5 && f.type == WIRE_GROUP);
	assert_int_equal(wire_next(&w, &f), WIRE_FIELD);
	assert_true(f.number == 536870911 && f.value == 1);
	assert_int_equal(wire_next(&w, &f), WIRE_END);
	text_release(&t);
}

TEST(all_types_from_a_stream)
{
	const uint32_t numbers[] = {1, 2, 3, 4, 5, 536870911};
	struct error err = {.kind = ERROR_NONE};
	struct text t;
	struct wire_field f = {0};

	text_init(&t);
	add_fields(&t);
	for (int limited = 0; limited < 2; limited++) {
		struct input *in = input_memory(t.data, t.size, "memory");
		uint64_t end = limited ? t.size : UINT64_MAX;

		for (size_t i = 0; i < 6; i++) {
			assert_int_equal(wire_stream_next(in, end, "it", &f, &err), 1);
			assert_int_equal(f.number, numbers[i]);
			if (f.type == WIRE_BYTES)
				assert_int_equal(input_discard(in, f.size, "it", &err), 0);
		}
		assert_int_equal(wire_stream_next(in, end, "it", &f, &err), 0);
		input_close(in);
	}
	text_release(&t);
}

/* What is wrong in memory is wrong from a stream, and the other way round. */
static void check_bad(const char *bytes, size_t size, const char *place, const char *message)
{
	struct wire w = {(const unsigned char *)bytes, (const unsigned char *)bytes + size};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(bytes, size, "f");
	struct wire_field f = {0};

	assert_int_equal(wire_next(&w, &f), WIRE_BAD);
	int got = wire_stream_next(in, UINT64_MAX, "it", &f, &err);

	if (got == 1 && f.type == WIRE_BYTES)
		got = input_discard(in, f.size, "it", &err);
	assert_int_equal(got, -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.place, place);
	assert_string_equal(err.message, message);
	input_close(in);
}

TEST(damage_is_found)
{
	check_bad("\x00\x01", 2, "f:byte 0", "damaged inside it"); /* number 0 */
	check_bad("\x0e\x01", 2, "f:byte 0", "damaged inside it"); /* type 6 */
	check_bad("\x0f\x01", 2, "f:byte 0", "damaged inside it"); /* type 7 */
	check_bad("\xf8\xff\xff\xff\x1f\x01", 6, "f:byte 0",
		"damaged inside it");				   /* tag over 32 bits */
	check_bad("\x0c", 1, "f:byte 0", "damaged inside it");	   /* group end alone */
	check_bad("\x0b\x14", 2, "f:byte 1", "damaged inside it"); /* of another number */
	check_bad("\x0a\x05xyz", 5, "f:byte 5", "ends inside it");
	check_bad("\x0a", 1, "f:byte 1", "ends inside it");
	check_bad("\x88", 1, "f:byte 1", "ends inside it");
	check_bad("\x08\xff", 2, "f:byte 2", "ends inside it");
	check_bad("\x0d\x01\x02", 3, "f:byte 3", "ends inside it");
}

TEST(field_must_not_pass_its_message)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory("\x0a\x05xyz12345678901234567890", 25, "f");
	struct wire_field f = {0};

	assert_int_equal(wire_stream_next(in, 5, "a node", &f, &err), -1);
	assert_string_equal(err.place, "f:byte 0");
	assert_string_equal(err.message, "damaged inside a node");
	input_close(in);
	in = input_memory("\x08\xff\xff\xff\x01", 5, "f"); /* a varint that passes it */
	assert_int_equal(wire_stream_next(in, 3, "a node", &f, &err), -1);
	assert_string_equal(err.message, "damaged inside a node");
	input_close(in);
}

TEST(deep_groups_are_refused)
{
	struct error err = {.kind = ERROR_NONE};
	struct text t;
	struct wire_field f = {0};

	text_init(&t);
	text_add_repeat(&t, '\x0b', 100000);
	text_add_repeat(&t, '\x0c', 100000);
	struct wire w = {(const unsigned char *)t.data, (const unsigned char *)t.data + t.size};
	struct input *in = input_memory(t.data, t.size, "f");

	assert_int_equal(wire_next(&w, &f), WIRE_BAD);
	assert_int_equal(wire_stream_next(in, UINT64_MAX, "it", &f, &err), -1);
	input_close(in);
	text_release(&t);
}
