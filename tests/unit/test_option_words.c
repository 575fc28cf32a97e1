/* Words and percentages of options. */
#include "cli/options/option_words.h"
#include "tests/unit/test.h"

static const char *const words[] = {"sum", "keep", "error", NULL};

TEST(words_are_matched_exactly)
{
	struct error err = {0};

	assert_int_equal(word_index("--x", "sum", words, &err), 0);
	assert_int_equal(word_index("--x", "error", words, &err), 2);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_int_equal(word_index("--x", "err", words, &err), -1);
	assert_int_equal(word_index("--x", "Sum", words, &err), -1);
	assert_int_equal(word_index("--x", "", words, &err), -1);
}

TEST(nearest_word_is_offered)
{
	struct error err = {0};

	assert_int_equal(word_index("--on-collision", "kep", words, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "--on-collision");
	assert_string_equal(err.message, "unknown word \"kep\"");
	assert_string_equal(err.hint, "did you mean \"keep\"? one of sum, keep, error");
	assert_int_equal(word_index("--on-collision", "frobnicate", words, &err), -1);
	assert_string_equal(err.hint, "one of sum, keep, error");
}

TEST(place_is_put_where_there_is_none)
{
	struct error err = {0};

	error_set(&err, ERROR_USAGE, NULL, "unknown unit \"x\"");
	error_hint(&err, "units: us 100%%");
	assert_int_equal(word_place("--unit", &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "--unit");
	assert_string_equal(err.message, "unknown unit \"x\"");
	assert_string_equal(err.hint, "units: us 100%");
	assert_int_equal(word_place("--other", &err), -1);
	assert_string_equal(err.place, "--unit");
}

TEST(percentages)
{
	static const struct {
		const char *text;
		double fraction;
	} good[] = {{"5%", 0.05}, {"5", 0.05}, {"0", 0}, {"100%", 1}, {"99.5%", 0.995}};
	static const char *const bad[] = {"", "%", "-1", "101", "5 %", "5%%", "x", "nan", "1e400"};
	struct error err = {0};
	double fraction;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(word_percent("--x", good[i].text, &fraction, &err), 0);
		assert_true(
			fraction > good[i].fraction - 1e-15 && fraction < good[i].fraction + 1e-15);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(word_percent("--x", bad[i], &fraction, &err), -1);
	assert_string_equal(err.place, "--x");
	assert_string_equal(err.message, "expected a percentage from 0 to 100, found \"1e400\"");
}
