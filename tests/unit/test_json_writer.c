/* JSON text against that of Python's json.dumps(indent=4, separators=(',', ': ')), packed and not;
 * what is no UTF-8. */
#include <unistd.h>
#include "ingest/input/input.h"
#include "tests/unit/test.h"
#include "timeline/json_writer.h"

#define OUTPUT "test_json_writer.out"

static struct trace_file *open_file(const char *path)
{
	struct error err = {.kind = ERROR_NONE};
	struct trace_file *file = trace_file_open(path, &err);

	if (!file)
		fail_msg("%s: %s", err.place, err.message);
	return file;
}

/* Puts the file in place and compares what is in it, unpacked. */
static void check_file(struct trace_file *file, const char *path, const char *expected, size_t size)
{
	struct error err = {.kind = ERROR_NONE};
	const unsigned char *bytes;
	struct input *in;
	size_t n = strlen(path);

	assert_int_equal(trace_file_commit(file, &err), 0);
	in = input_open(path, &err);
	assert_non_null(in);
	assert_int_equal(input_is_gzip(in), n > 3 && strcmp(path + n - 3, ".gz") == 0);
	assert_int_equal(input_read(in, size, size, "the text", &bytes, &err), 0);
	assert_memory_equal(bytes, expected, size);
	assert_int_equal(input_peek(in, 1, &bytes, &n, &err), 0);
	assert_int_equal(n, 0);
	input_close(in);
	unlink(path);
}

static void write_document(struct json_writer *json)
{
	json_open(json, NULL, '{');
	json_open(json, "a", '[');
	json_close(json, ']');
	json_open(json, "b", '{');
	json_close(json, '}');
	json_open(json, "c", '[');
	json_number(json, NULL, 1);
	json_number(json, NULL, -2);
	json_open(json, NULL, '{');
	json_word(json, "x", "y");
	json_close(json, '}');
	json_close(json, ']');
	json_open(json, "d", '{');
	json_open(json, "e", '{');
	json_number(json, "f", ((json_whole)1 << 64) * 3);
	json_close(json, '}');
	json_close(json, '}');
	json_number_named(json, "g", 1, -((json_whole)1 << 64) - 1);
	json_number(json, "h", 0);
	json_close(json, '}');
}

TEST(a_document)
{
	static const char expected[] = "{\n"
				       "    \"a\": [],\n"
				       "    \"b\": {},\n"
				       "    \"c\": [\n"
				       "        1,\n"
				       "        -2,\n"
				       "        {\n"
				       "            \"x\": \"y\"\n"
				       "        }\n"
				       "    ],\n"
				       "    \"d\": {\n"
				       "        \"e\": {\n"
				       "            \"f\": 55340232221128654848\n"
				       "        }\n"
				       "    },\n"
				       "    \"g\": -18446744073709551617,\n"
				       "    \"h\": 0\n"
				       "}";
	static const char *const path[] = {OUTPUT, OUTPUT ".gz"};

	for (size_t i = 0; i < 2; i++) {
		struct trace_file *file = open_file(path[i]);
		struct json_writer json;

		json_begin(&json, file);
		write_document(&json);
		json_end(&json);
		check_file(file, path[i], expected, strlen(expected));
	}
}

static void check_string(const char *bytes, size_t size, const char *expected, size_t replaced)
{
	struct trace_file *file = open_file(OUTPUT);
	struct json_writer json;

	json_begin(&json, file);
	json_string(&json, NULL, bytes, size);
	json_end(&json);
	assert_int_equal(json.replaced, replaced);
	check_file(file, OUTPUT, expected, strlen(expected));
}

TEST(strings)
{
	check_string("", 0, "\"\"", 0);
	check_string("\"\\/\b\f\n\r\t", 8, "\"\\\"\\\\/\\b\\f\\n\\r\\t\"", 0);
	check_string("\0\1\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"", 0);
	check_string(
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"\\u00e9\\u20ac\\ud83d\\ude00\"", 0);
	check_string("\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf", 9, "\"\\ud7ff\\ue000\\uffff\"", 0);
	/* A lone byte, a surrogate, a character that is cut off: each byte is lost. */
	check_string("a\xff", 2, "\"a\\ufffd\"", 1);
	check_string("\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"", 3);
	check_string("\xe2\x82", 2, "\"\\ufffd\\ufffd\"", 2);
}

/* More than is kept in memory, and than one buffer of the compressor. */
TEST(a_long_list)
{
	static const char *const path[] = {OUTPUT, OUTPUT ".gz"};
	struct text expected;

	text_init(&expected);
	text_add_char(&expected, '[');
	for (int i = 0; i < 300000; i++)
		text_printf(&expected, "%s\n    %d", i ? "," : "", i * 7001);
	text_add(&expected, "\n]");
	for (size_t i = 0; i < 2; i++) {
		struct trace_file *file = open_file(path[i]);
		struct json_writer json;

		json_begin(&json, file);
		json_open(&json, NULL, '[');
		for (int k = 0; k < 300000; k++) {
			json_number(&json, NULL, k * 7001);
			assert_true(json.text.size < 70000);
		}
		json_close(&json, ']');
		json_end(&json);
		check_file(file, path[i], text_string(&expected), expected.size);
	}
	text_release(&expected);
}

TEST(nothing_is_left)
{
	struct error err = {.kind = ERROR_NONE};
	struct trace_file *file = open_file(OUTPUT ".gz");

	trace_file_write(file, "abc", 3);
	trace_file_discard(file);
	trace_file_discard(NULL);
	assert_int_equal(access(OUTPUT ".gz", F_OK), -1);
	assert_null(trace_file_open("no/such/folder/x.gz", &err));
	assert_int_equal(err.kind, ERROR_OUTPUT);
	file = open_file("/dev/full");
	trace_file_write(file, "abc", 3);
	assert_int_equal(trace_file_commit(file, &err), -1);
}
