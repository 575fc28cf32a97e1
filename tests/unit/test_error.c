/* Error texts: what is set, what is cut where, and that a message may be made from itself. */
#include "base/error.h"
#include "tests/unit/test.h"

TEST(set_fills_everything)
{
	struct error err;

	memset(&err, 'x', sizeof(err));
	assert_int_equal(error_set(&err, ERROR_INPUT, "a.json:byte 12", "expected %s, found \"%c\"",
				 "a number", 'q'),
		-1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.place, "a.json:byte 12");
	assert_string_equal(err.message, "expected a number, found \"q\"");
	assert_string_equal(err.hint, "");
	assert_int_equal(error_set(&err, ERROR_USAGE, NULL, "plain"), -1);
	assert_string_equal(err.place, "");
	assert_string_equal(err.message, "plain");
}

TEST(hint_and_context)
{
	struct error err;

	error_set(&err, ERROR_OUTPUT, "out.csv", "disk full");
	assert_int_equal(error_hint(&err, "try %s", "--out=DIR"), -1);
	assert_int_equal(error_context(&err, "step %d", 7), -1);
	assert_string_equal(err.message, "step 7: disk full");
	assert_string_equal(err.hint, "try --out=DIR");
	assert_string_equal(err.place, "out.csv");
	error_context(&err, "run 2");
	assert_string_equal(err.message, "run 2: step 7: disk full");
	error_set(&err, ERROR_LIMIT, "x", "new");
	assert_string_equal(err.hint, "");
}

TEST(own_texts_as_arguments)
{
	struct error err;

	error_set(&err, ERROR_INPUT, "old place", "old");
	error_hint(&err, "more");
	error_set(&err, err.kind, err.place, "%s, %s", err.message, err.hint);
	assert_string_equal(err.message, "old, more");
	assert_string_equal(err.place, "old place");
	error_context(&err, "%s", err.place);
	assert_string_equal(err.message, "old place: old, more");
}

TEST(long_texts_end_in_dots)
{
	struct error err;
	char text[3000];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&err, ERROR_INPUT, text, "%s", text);
	error_hint(&err, "%s", text);
	assert_int_equal(strlen(err.place), 511);
	assert_string_equal(err.place + 507, "a...");
	assert_int_equal(strlen(err.message), 1023);
	assert_string_equal(err.message + 1019, "a...");
	assert_int_equal(strlen(err.hint), 511);
	assert_string_equal(err.hint + 507, "a...");
	/* One that just fits stays whole. */
	text[1023] = '\0';
	error_set(&err, ERROR_INPUT, "", "%s", text);
	assert_string_equal(err.message, text);
	text[1023] = 'a';
	text[1024] = '\0';
	error_set(&err, ERROR_INPUT, "", "%s", text);
	assert_string_equal(err.message + 1019, "a...");
}

TEST(context_cuts_the_end)
{
	struct error err;
	char text[1020];

	memset(text, 'b', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&err, ERROR_INPUT, "", "%s", text);
	error_context(&err, "reading");
	assert_int_equal(strlen(err.message), 1023);
	assert_memory_equal(err.message, "reading: bbb", 12);
	assert_string_equal(err.message + 1019, "b...");
	error_context(&err, "%s%s", text, text);
	assert_int_equal(strlen(err.message), 1023);
}

/* Message length is 1023, so text is kept up to byte 1020; a character across that is left out. */
TEST(cut_is_at_a_character)
{
	static const char *const letters[] = {"\303\251", "\342\202\254", "\360\237\230\200"};

	for (size_t kind = 0; kind < 3; kind++) {
		size_t bytes = strlen(letters[kind]);

		for (size_t before = 0; before < bytes; before++) {
			struct error err;
			char text[2000];
			size_t size = before;

			memset(text, 'a', before);
			while (size + bytes < 1500) {
				memcpy(text + size, letters[kind], bytes);
				size += bytes;
			}
			text[size] = '\0';
			error_set(&err, ERROR_INPUT, "", "%s", text);
			size_t kept = before + (1020 - before) / bytes * bytes;

			assert_int_equal(strlen(err.message), kept + 3);
			assert_memory_equal(err.message, text, kept);
			assert_string_equal(err.message + kept, "...");
		}
	}
}

TEST(cut_of_bytes_that_are_no_utf8)
{
	struct error err;
	char text[2000];

	memset(text, 0x80, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&err, ERROR_INPUT, "", "%s", text);
	assert_int_equal(strlen(err.message), 1023);
	assert_string_equal(err.message + 1020, "...");
}

TEST(place_with_offset)
{
	char out[64], small[24], tiny[4], one[1];

	assert_ptr_equal(error_place_offset(out, sizeof(out), "dir/a.pb", 123), out);
	assert_string_equal(out, "dir/a.pb:byte 123");
	error_place_offset(out, sizeof(out), "", 18446744073709551615u);
	assert_string_equal(out, ":byte 18446744073709551615");
	error_place_offset(small, sizeof(small), "a-long-name-of-a-file.json", 5);
	assert_string_equal(small, "a-long-name-o...:byte 5");
	error_place_offset(tiny, sizeof(tiny), "abc", 5);
	assert_true(strlen(tiny) < sizeof(tiny));
	error_place_offset(one, sizeof(one), "abc", 5);
	assert_string_equal(one, "");
}
