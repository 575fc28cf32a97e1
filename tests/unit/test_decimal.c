/* Exact decimals: what is parsed, scaling beyond 64 bits, and texts with and without zeros. */
#include "base/number.h"
#include "tests/unit/test.h"

static bool parses(const char *s, bool lenient)
{
	struct decimal_text d;

	return decimal_parse(&d, s, strlen(s), lenient);
}

TEST(grammar)
{
	static const char *const good[] = {"0", "-1", "+1", "1.5", "1e5", "1E-5", "-1.25e+3"};
	static const char *const lenient[] = {"5.", ".5", "-.5", "5.e3"};
	static const char *const bad[] = {
		"", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "1.2.3", " 1", "1 ", "0x1", "nan"};

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(parses(good[i], false) && parses(good[i], true));
	for (size_t i = 0; i < sizeof(lenient) / sizeof(*lenient); i++)
		assert_true(!parses(lenient[i], false) && parses(lenient[i], true));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_true(!parses(bad[i], false) && !parses(bad[i], true));
}

/* s times factor, as text. */
static void check(const char *s, int64_t factor, const char *expected, bool expected_inexact)
{
	struct decimal_text d;
	char out[DECIMAL_TEXT_SIZE];
	__int128 value;
	bool inexact;

	assert_true(decimal_parse(&d, s, strlen(s), true));
	assert_true(decimal_scale(&d, factor, &value, &inexact));
	decimal_format(out, value, 0);
	assert_string_equal(out, expected);
	assert_int_equal(inexact, expected_inexact);
}

static void check_too_large(const char *s, int64_t factor)
{
	struct decimal_text d;
	__int128 value;

	assert_true(decimal_parse(&d, s, strlen(s), true));
	assert_false(decimal_scale(&d, factor, &value, NULL));
}

TEST(scale)
{
	check("1712195495502094.565", 1000000, "1712195495502094565000", false);
	check("-9223372036854775807.999999", 1000000, "-9223372036854775807999999", false);
	check(".5", 1024, "512", false);
	check("5.", 60, "300", false);
	check("1e30", 1000000, "1000000000000000000000000000000000000", false);
	check("0.0000005", 1000000, "1", true);
	check("-0.0000005", 1000000, "-1", true);
	check("0.00000049999999999999999999999999999999999999999", 1000000, "0", true);
	check("1e-99999999999999999999", 1000000, "0", true);
	check("0e99999999999999999999", 1000000, "0", false);
	check("85070591730234615865843651857942052860", 1, "85070591730234615865843651857942052860",
		false);
	check_too_large("85070591730234615865843651857942052864", 1); /* 2^126 */
	check_too_large("1e33", 1000000);
	check_too_large("1e99999999999999999999", 1);
}

static void check_format(__int128 value, int decimals, const char *whole, const char *shortest)
{
	char out[DECIMAL_TEXT_SIZE];

	assert_int_equal(decimal_format(out, value, decimals), strlen(whole));
	assert_string_equal(out, whole);
	assert_int_equal(decimal_format_short(out, value, decimals), strlen(shortest));
	assert_string_equal(out, shortest);
}

TEST(format)
{
	check_format(0, 0, "0", "0");
	check_format(100, 0, "100", "100");
	check_format(-7, 0, "-7", "-7");
	check_format(0, 6, "0.000000", "0");
	check_format(1, 6, "0.000001", "0.000001");
	check_format(-250000, 6, "-0.250000", "-0.25");
	check_format(1250, 3, "1.250", "1.25");
	check_format(1000, 3, "1.000", "1");
	check_format(-100000, 3, "-100.000", "-100");
	check_format(UINT64_MAX, 0, "18446744073709551615", "18446744073709551615");
	check_format(
		(__int128)UINT64_MAX + 1, 20, "0.18446744073709551616", "0.18446744073709551616");
	check_format((__int128)1000000000000000000 * 1000000000000000000, 18,
		"1000000000000000000.000000000000000000", "1000000000000000000");
	check_format((__int128)((unsigned __int128)1 << 127), 6,
		"-170141183460469231731687303715884.105728",
		"-170141183460469231731687303715884.105728");
}
