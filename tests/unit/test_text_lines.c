/* Lines of an input: ends of every kind, numbers, the cap, gzip on the way. */
#include "ingest/input/input.h"
#include "tests/unit/test.h"

static void expect_lines(const char *bytes, size_t size, size_t count, const char *const *want)
{
	struct input *in = input_memory(bytes, size, "text");
	struct error err = {.kind = ERROR_NONE};
	struct line_reader r;
	const char *line;
	size_t length;

	line_reader_init(&r, in, 1000);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(line_reader_next(&r, &line, &length, &err), 1);
		assert_int_equal(length, strlen(want[i]));
		assert_string_equal(line, want[i]);
		assert_int_equal(r.number, i + 1);
	}
	assert_int_equal(line_reader_next(&r, &line, &length, &err), 0);
	assert_int_equal(r.number, count);
	assert_int_equal(r.unended, size > 0 && bytes[size - 1] != '\n');
	line_reader_release(&r);
	input_close(in);
}

TEST(line_ends)
{
	expect_lines("", 0, 0, NULL);
	expect_lines("\n", 1, 1, (const char *const[]){""});
	expect_lines("a\nb", 3, 2, (const char *const[]){"a", "b"});
	expect_lines("a\r\n\r\nb\n", 7, 3, (const char *const[]){"a", "", "b"});
	expect_lines("\xef\xbb\xbf"
		     "a\n\xef\xbb\xbf",
		8, 2, (const char *const[]){"a", "\xef\xbb\xbf"});
	expect_lines("a\rb\n", 4, 1, (const char *const[]){"a\rb"});
}

TEST(zero_bytes_stay)
{
	struct input *in = input_memory("a\0b\nc", 5, "text");
	struct line_reader r;
	const char *line;
	size_t size;

	line_reader_init(&r, in, 1000);
	assert_int_equal(line_reader_next(&r, &line, &size, NULL), 1);
	assert_int_equal(size, 3);
	assert_memory_equal(line, "a\0b", 4);
	line_reader_release(&r);
	input_close(in);
}

TEST(the_cap)
{
	struct input *in = input_memory("ok\n12345678901\n", 15, "text");
	struct error err = {.kind = ERROR_NONE};
	struct line_reader r;
	const char *line;
	size_t size;
	char place[64];

	line_reader_init(&r, in, 10);
	assert_int_equal(line_reader_next(&r, &line, &size, &err), 1);
	assert_string_equal(line_reader_place(&r, place, sizeof(place)), "text:1");
	assert_int_equal(line_reader_next(&r, &line, &size, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.place, "text:2");
	assert_non_null(strstr(err.hint, "max-record"));
	line_reader_release(&r);
	input_close(in);
}
