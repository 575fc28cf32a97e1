/* Words and percentages of options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "cli/options/option_words.h"

static const char *const words[] = {"sum", "keep", "error", NULL};

static void words_are_matched_exactly(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(word_index("--x", "sum", words, &err), 0);
	assert_int_equal(word_index("--x", "error", words, &err), 2);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_int_equal(word_index("--x", "err", words, &err), -1);
	assert_int_equal(word_index("--x", "Sum", words, &err), -1);
	assert_int_equal(word_index("--x", "", words, &err), -1);
}

static void nearest_word_is_offered(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(word_index("--on-collision", "kep", words, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "--on-collision");
	assert_string_equal(err.message, "unknown word \"kep\"");
	assert_string_equal(err.hint, "did you mean \"keep\"? one of sum, keep, error");
	assert_int_equal(word_index("--on-collision", "frobnicate", words, &err), -1);
	assert_string_equal(err.hint, "one of sum, keep, error");
}

static void place_is_put_where_there_is_none(void **state)
{
	struct error err = {0};

	(void)state;
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

static void percentages(void **state)
{
	static const struct {
		const char *text;
		double fraction;
	} good[] = {{"5%", 0.05}, {"5", 0.05}, {"0", 0}, {"100%", 1}, {"99.5%", 0.995}};
	static const char *const bad[] = {"", "%", "-1", "101", "5 %", "5%%", "x", "nan", "1e400"};
	struct error err = {0};
	double fraction;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_matched_exactly),
		cmocka_unit_test(nearest_word_is_offered),
		cmocka_unit_test(place_is_put_where_there_is_none),
		cmocka_unit_test(percentages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
