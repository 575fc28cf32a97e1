/* JSON strings in each spelling: control characters, quotes, characters of each length, bytes that
 * are not UTF-8, escapes that are kept. */
#include "base/output/json_text.h"
#include "tests/unit/test.h"

static void check(
	const char *bytes, size_t size, unsigned spelling, const char *expected, size_t replaced)
{
	struct text line;

	text_init(&line);
	assert_int_equal(json_text_exact(&line, bytes, size, spelling), replaced);
	assert_string_equal(text_string(&line), expected);
	text_release(&line);
}

#define SPECIAL "a\"\\/\b\f\n\r\t\0\x1f\x7f"
#define WIDE "\xc3\xa9\xe2\x80\xa8\xe2\x80\xa9\xf0\x9f\x98\x80"

TEST(ascii_characters)
{
	check("", 0, 0, "\"\"", 0);
	check(SPECIAL, sizeof(SPECIAL) - 1, 0,
		"\"a\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009\\u0000\\u001f\x7f\"", 0);
	check(SPECIAL, sizeof(SPECIAL) - 1, JSON_SHORT,
		"\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\"", 0);
	check(SPECIAL, sizeof(SPECIAL) - 1, JSON_PYTHON,
		"\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\"", 0);
}

TEST(wide_characters)
{
	check(WIDE, sizeof(WIDE) - 1, 0, "\"" WIDE "\"", 0);
	check(WIDE, sizeof(WIDE) - 1, JSON_LINE_ENDS, "\"\xc3\xa9\\u2028\\u2029\xf0\x9f\x98\x80\"",
		0);
	check(WIDE, sizeof(WIDE) - 1, JSON_ASCII, "\"\\u00e9\\u2028\\u2029\\ud83d\\ude00\"", 0);
	check("\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf", 9, JSON_PYTHON, "\"\\ud7ff\\ue000\\uffff\"",
		0);
}

/* A lone byte, a surrogate, a character that is cut off: each byte is replaced. */
TEST(not_utf8)
{
	for (unsigned spelling = 0; spelling < 32; spelling++) {
		check("a\xff", 2, spelling, "\"a\\ufffd\"", 1);
		check("\xed\xa0\x80", 3, spelling, "\"\\ufffd\\ufffd\\ufffd\"", 3);
		check("\xe2\x82", 2, spelling, "\"\\ufffd\\ufffd\"", 2);
	}
}

TEST(kept_escapes)
{
	static const char inside[] = "\\\" \\\\ \\/ \\n \\u00E9 \\x \\u12g4 \"";

	check(inside, sizeof(inside) - 1, JSON_KEEP_ESCAPES,
		"\"\\\" \\\\ \\/ \\n \\u00E9 \\\\x \\\\u12g4 \\\"\"", 0);
	check("\\", 1, JSON_KEEP_ESCAPES, "\"\\\\\"", 0);
	check("\\u00e", 5, JSON_KEEP_ESCAPES, "\"\\\\u00e\"", 0);
	check("\\n", 2, 0, "\"\\\\n\"", 0);
}

TEST(made_visible)
{
	struct text line;

	text_init(&line);
	json_text(&line, "a\"\\\n\xff\xe2\x80\xa8\xc3\xa9");
	assert_string_equal(text_string(&line), "\"a\\\"\\\\\\\\x0a\\\\xff\\u2028\xc3\xa9\"");
	text_release(&line);
}
