/* The protobuf encoding, held against the bytes of protobuf.dev/programming-guides/encoding. */
#include "base/output/protobuf_writer.h"
#include "tests/unit/test.h"

static void expect(struct text *t, const char *bytes, size_t size)
{
	assert_int_equal(t->size, size);
	assert_memory_equal(t->data, bytes, size);
	text_release(t);
}

#define EXPECT(t, bytes) expect(t, bytes, sizeof(bytes) - 1)

TEST(varints)
{
	struct text t;

	text_init(&t);
	protobuf_add_varint(&t, 0);
	protobuf_add_varint(&t, 1);
	protobuf_add_varint(&t, 127);
	protobuf_add_varint(&t, 128);
	protobuf_add_varint(&t, 150);
	protobuf_add_varint(&t, (uint64_t)-2);
	EXPECT(&t, "\x00\x01\x7f\x80\x01\x96\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

/* message Test1 { int32 a = 1; } with a = 150; Test2 { string b = 2; } with "testing". */
TEST(fields)
{
	struct text t;

	text_init(&t);
	protobuf_add_number(&t, 1, 150);
	EXPECT(&t, "\x08\x96\x01");
	protobuf_add_string(&t, 2, "testing");
	EXPECT(&t, "\x12\x07testing");
	protobuf_add_bytes(&t, 2, "a\0b", 3);
	protobuf_add_bytes(&t, 2, NULL, 0);
	EXPECT(&t, "\x12\x03"
		   "a\0b\x12\x00");
	protobuf_add_number(&t, 536870911, 1); /* the greatest number of a field */
	EXPECT(&t, "\xf8\xff\xff\xff\x0f\x01");
}

/* Test3 { Test1 c = 3; } with c.a = 150. */
TEST(messages)
{
	struct text t, inside;

	text_init(&t);
	text_init(&inside);
	protobuf_add_number(&inside, 1, 150);
	protobuf_add_message(&t, 3, &inside);
	assert_int_equal(inside.size, 0);
	protobuf_add_message(&t, 3, &inside);
	EXPECT(&t, "\x1a\x03\x08\x96\x01\x1a\x00");
	text_release(&inside);
}

/* Test5 { repeated int32 f = 6 [packed=true]; } with 3, 270, 86942. */
TEST(packed)
{
	struct text t, numbers;

	text_init(&t);
	text_init(&numbers);
	protobuf_add_varint(&numbers, 3);
	protobuf_add_varint(&numbers, 270);
	protobuf_add_varint(&numbers, 86942);
	protobuf_add_message(&t, 6, &numbers);
	EXPECT(&t, "\x32\x06\x03\x8e\x02\x9e\xa7\x05");
	text_release(&numbers);
}

TEST(fixed)
{
	struct text t;

	text_init(&t);
	protobuf_add_tag(&t, 3, WIRE_FIXED32);
	protobuf_add_fixed(&t, 0x04030201, 4);
	protobuf_add_tag(&t, 4, WIRE_FIXED64);
	protobuf_add_fixed(&t, UINT64_C(0x0807060504030201), 8);
	EXPECT(&t, "\x1d\x01\x02\x03\x04\x21\x01\x02\x03\x04\x05\x06\x07\x08");
}

TEST(zigzag)
{
	assert_true(packed_zigzag(0) == 0);
	assert_true(packed_zigzag((uint64_t)-1) == 1);
	assert_true(packed_zigzag(1) == 2);
	assert_true(packed_zigzag((uint64_t)-2) == 3);
	assert_true(packed_zigzag(0x7fffffff) == 0xfffffffe);
	assert_true(packed_zigzag((uint64_t)INT64_MAX) == UINT64_MAX - 1);
	assert_true(packed_zigzag((uint64_t)INT64_MIN) == UINT64_MAX);
}
