/* Blocks packed with snappy: every element of its format (google/snappy's format_description.txt)
 * put together by hand around one entry, and one mistake each.
 */
#include "base/memory.h"
#include "tests/unit/test.h"
#include "tfprof/files/sstable.h"
#include "tests/unit/made_table.h"

/* Unpacked, 28 bytes: no shared bytes, a key of 1, a value of 16; "k"; 16 times "v"; one restart at
 * 0. The first literal ends with the first "v", copies from 1 byte before make the other 15. */
#define SIZE "\x1c"
#define FIRST "\x10\0\1\x10kv"
#define COPY_16_BITS "\x3a\1\0"
#define LAST "\x1c\0\0\0\0\1\0\0\0"
#define BYTES(text) text, sizeof(text) - 1

struct packed {
	const char *bytes;
	size_t size;
	const char *message;
};

/* What the first entry of the one block is, under its key and by walking. */
static int read_value(
	const struct text *file, bool unchecked, struct text *value, struct error *err)
{
	struct arena *arena = arena_new();
	struct sstable_entry entry;
	struct span_file in;
	struct sstable *t;
	int found = -1;

	span_file_memory(&in, "made", file->data, file->size);
	t = sstable_open(&in, unchecked, arena, err);
	if (t)
		found = sstable_find(t, "k", 1, arena, &entry, err);
	if (found > 0)
		text_add_bytes(value, (const char *)entry.value, entry.value_size);
	arena_free(arena);
	return found;
}

/* The block is behind an empty one of 13 bytes, so that its place is not 0. */
static void make_table(struct text *file, const char *bytes, size_t size, char kind)
{
	struct text block, handle;

	text_init(&block);
	text_init(&handle);
	put_block(file, &block, 0, &handle);
	text_clear(&handle);
	put_stored(file, bytes, size, kind, &handle);
	put_end(file, &handle);
	text_release(&block);
	text_release(&handle);
}

static void check_block(const char *bytes, size_t size, char kind, const char *message)
{
	struct error err = {.kind = ERROR_NONE};
	struct text file, value;
	int found;

	text_init(&file);
	text_init(&value);
	make_table(&file, bytes, size, kind);
	found = read_value(&file, false, &value, &err);
	if (message) {
		assert_int_equal(found, -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.message, message);
		assert_string_equal(err.place, "made:byte 13");
	} else {
		assert_int_equal(found, 1);
		assert_string_equal(text_string(&value), "vvvvvvvvvvvvvvvv");
	}
	text_release(&file);
	text_release(&value);
}

TEST(every_element)
{
	static const struct packed made[] = {
		{BYTES(SIZE FIRST COPY_16_BITS LAST), NULL},
		{BYTES(SIZE FIRST "\x3b\1\0\0\0" LAST), NULL},		    /* 32 bits */
		{BYTES(SIZE FIRST "\x1d\1\1\1" LAST), NULL},		    /* 11 bits: 11 and 4 */
		{BYTES(SIZE "\xf0\4\0\1\x10kv" COPY_16_BITS LAST), NULL},   /* size in 1 byte */
		{BYTES(SIZE "\xf4\4\0\0\1\x10kv" COPY_16_BITS LAST), NULL}, /* 2 */
		{BYTES(SIZE "\xf8\4\0\0\0\1\x10kv" COPY_16_BITS LAST), NULL},
		{BYTES(SIZE "\xfc\4\0\0\0\0\1\x10kv" COPY_16_BITS LAST), NULL},
		{BYTES(SIZE "\x6c\0\1\x10kvvvvvvvvvvvvvvvv\0\0\0\0\1\0\0\0"), NULL}, /* no copy */
	};

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		check_block(made[i].bytes, made[i].size, 1, NULL);
}

#define NO_SIZE "a block packed with snappy begins with a size that it cannot have"
#define SPOILT "a block packed with snappy is damaged"

TEST(one_mistake_each)
{
	static const struct packed made[] = {
		{BYTES(SIZE FIRST "\x3a\0\0" LAST), SPOILT},		 /* a copy of nothing yet */
		{BYTES(SIZE FIRST "\x3a\6\0" LAST), SPOILT},		 /* before the block */
		{BYTES(SIZE FIRST "\x3b\1\0\0\x80" LAST), SPOILT},	 /* 2 GiB before */
		{BYTES("\x1b" FIRST COPY_16_BITS LAST), SPOILT},	 /* a byte more than said */
		{BYTES("\x1d" FIRST COPY_16_BITS LAST), SPOILT},	 /* a byte less */
		{BYTES(SIZE FIRST COPY_16_BITS LAST "\0"), SPOILT},	 /* a literal of no byte */
		{BYTES(SIZE "\xfc\xff\xff\xff\xff" FIRST LAST), SPOILT}, /* a literal of 4 GiB */
		{BYTES("\xb8\3" FIRST COPY_16_BITS LAST), SPOILT},	 /* 440 of 20: 22 times */
		{BYTES("\xce\3" FIRST COPY_16_BITS LAST), NO_SIZE},	 /* 462: 23 times */
		{BYTES("\xff\xff\xff\xff\xf" FIRST), NO_SIZE},		 /* 4 GiB of 11 bytes */
		{BYTES("\xff\xff\xff\xff\x1f" FIRST), NO_SIZE},		 /* more than 32 bits */
		{BYTES("\x80\x80\x80\x80\x80\1" FIRST), NO_SIZE},
		{BYTES("\x80"), NO_SIZE},
		{BYTES(""), NO_SIZE},
		{BYTES("\0"), "block is damaged"},
		{BYTES("\3\x8\1\0\0"), "block is damaged"},   /* no number of restarts */
		{BYTES("\4\xc\1\0\0\0"), "block is damaged"}, /* one restart, which is not there */
		{BYTES("\x8\x1c\0\0\0\0\1\0\0\0"), "block is empty"},
		{BYTES("\xc\x2c\0\1\x10k\0\0\0\0\1\0\0\0"),
			"an entry of the table is damaged (byte 3 of the unpacked block)"},
	};

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		check_block(made[i].bytes, made[i].size, 1, made[i].message);
	check_block(BYTES(SIZE FIRST COPY_16_BITS LAST), 2, "unknown compression of a block");
}

/* Cut anywhere, the rest of a block is not one. */
TEST(cut_at_every_byte)
{
	static const char whole[] = SIZE FIRST COPY_16_BITS LAST;

	for (size_t size = 2; size < sizeof(whole) - 1; size++)
		check_block(whole, size, 1, SPOILT);
}

/* The checksum is of what is stored, and comes first. */
TEST(checksums)
{
	struct error err = {.kind = ERROR_NONE};
	struct text file, value;

	text_init(&file);
	text_init(&value);
	make_table(&file, BYTES(SIZE FIRST COPY_16_BITS LAST), 1);
	file.data[13 + 5] = 'w'; /* the key is "k" still, the value is not what it was */
	file.data[13 + 6] = 'w';
	assert_int_equal(read_value(&file, false, &value, &err), -1);
	assert_string_equal(err.message, "checksum of a block does not match");
	assert_string_equal(err.place, "made:byte 13");
	text_release(&file);
	text_release(&value);
}

/* 64 MB may become 1 GiB and a byte; so much is not asked for. */
TEST(a_block_that_would_be_too_large)
{
	size_t size = (size_t)64 << 20;
	char *bytes = memory_alloc(size);
	struct error err = {.kind = ERROR_NONE};
	struct text file, value;

	memcpy(bytes, "\x81\x80\x80\x80\4", 5);
	text_init(&file);
	text_init(&value);
	make_table(&file, bytes, size, 1);
	assert_int_equal(read_value(&file, true, &value, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.message, "a block of the table is larger than 1 GiB when unpacked");
	text_release(&file);
	text_release(&value);
	memory_free(bytes);
}
