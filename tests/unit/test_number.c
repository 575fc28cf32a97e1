/* Numbers: what is refused, exact scaling, rounding, and texts that do not depend on a locale. */
#include <math.h>
#include "base/number.h"
#include "tests/unit/test.h"

static const char *const no_numbers[] = {"", "+", "-", "a", " 1", "1 ", "1\n", "--1", "+-1", "1-",
	"0x10", "1,5", "1_000", "nan", "inf", "-inf", "NaN", "Infinity", "\xd9\xa1"};
static const char *const no_reals[] = {".", ".5", "5.", "-.5", "1e", "1e+", "1e-", "1e1.5", "e5",
	"1.2.3", "1e5e5", "1.e5", "1d5", "1e 5", "0x1p3"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_int(const char *s, int64_t expected)
{
	int64_t value = 42;

	assert_true(number_parse_int(s, strlen(s), &value));
	assert_true(value == expected);
}

static void check_no_int(const char *s)
{
	int64_t value = 42;

	if (number_parse_int(s, strlen(s), &value) || value != 42)
		fail_msg("\"%s\" was taken", s);
}

TEST(parse_int)
{
	check_int("0", 0);
	check_int("-0", 0);
	check_int("+7", 7);
	check_int("007", 7);
	check_int("-123456789012", -123456789012);
	check_int("9223372036854775807", INT64_MAX);
	check_int("-9223372036854775808", INT64_MIN);
	check_int("00000000000000000000000000000000009", 9);
	check_no_int("9223372036854775808");
	check_no_int("-9223372036854775809");
	check_no_int("92233720368547758070");
	check_no_int("18446744073709551617");
	check_no_int("1.0");
	check_no_int("1e3");
	for (size_t i = 0; i < COUNT(no_numbers); i++)
		check_no_int(no_numbers[i]);
	int64_t value;

	assert_true(number_parse_int("123456", 3, &value)); /* not to the end */
	assert_int_equal(value, 123);
	assert_false(number_parse_int("12\0", 3, &value));
	assert_false(number_parse_int(NULL, 0, &value));
}

/* The bits must be the same: the expected values are converted by the compiler. */
static void check_real(const char *s, double expected)
{
	double value = 42;

	assert_true(number_parse_real(s, strlen(s), &value));
	if (memcmp(&value, &expected, sizeof(value)) != 0)
		fail_msg("\"%s\" is %.17g, not %.17g", s, value, expected);
}

static void check_no_real(const char *s)
{
	double value = 42;

	if (number_parse_real(s, strlen(s), &value) || value != 42)
		fail_msg("\"%s\" was taken", s);
}

TEST(parse_real)
{
	check_real("0", 0.0);
	check_real("-0", -0.0);
	check_real("-0.000e5", -0.0);
	check_real("1", 1.0);
	check_real("+1.5", 1.5);
	check_real("-12.25", -12.25);
	check_real("0.1", 0.1);
	check_real("123.456", 123.456);
	check_real("1e3", 1e3);
	check_real("1E+3", 1e3);
	check_real("1.5e-07", 1.5e-07);
	check_real("1e22", 1e22);
	check_real("1e23", 1e23);
	check_real("9007199254740991", 9007199254740991.0);
	check_real("9007199254740993", 9007199254740992.0); /* 2^53 + 1: to even */
	check_real("3.14159265358979323846264338327950288", 3.14159265358979323846264338327950288);
	check_real("1234567890123456789012345678901234567890",
		1234567890123456789012345678901234567890.0);
	check_real("1.7976931348623157e308", 1.7976931348623157e308);
	check_real("2.2250738585072011e-308", 2.2250738585072011e-308);
	check_real("4.9e-324", 4.9e-324);
	check_real("1e-400", 0.0);
	check_real("0e99999999999999999999", 0.0);
	check_real("1e-99999999999999999999", 0.0);
	check_no_real("1e309");
	check_no_real("-1e309");
	check_no_real("1e99999999999999999999");
	for (size_t i = 0; i < COUNT(no_numbers); i++)
		check_no_real(no_numbers[i]);
	for (size_t i = 0; i < COUNT(no_reals); i++)
		check_no_real(no_reals[i]);
	double value;

	assert_true(number_parse_real("1.2599", 3, &value));
	assert_true(value == 1.2);
	assert_false(number_parse_real("1.25", 2, &value));
}

TEST(parse_long_real)
{
	char s[1100];
	double value;

	/* 0.(400 zeros)1e401 */
	memset(s, '0', sizeof(s));
	s[1] = '.';
	memcpy(s + 402, "1e401", 5);
	assert_true(number_parse_real(s, 407, &value));
	assert_true(value == 1.0);
	/* 1 and 1000 zeros */
	memset(s, '0', sizeof(s));
	s[0] = '1';
	assert_false(number_parse_real(s, 1001, &value));
	memcpy(s + 1001, "e-1000", 6);
	assert_true(number_parse_real(s, 1007, &value));
	assert_true(value == 1.0);
}

static void check_exact(const char *s, int64_t factor, int64_t expected)
{
	int64_t value = 42;
	bool inexact = true;

	if (!number_parse_scaled(s, strlen(s), factor, &value, &inexact) || value != expected)
		fail_msg("\"%s\" is %lld", s, (long long)value);
	assert_false(inexact);
}

static void check_rounded(const char *s, int64_t factor, int64_t expected)
{
	int64_t value = 42;
	bool inexact = false;

	if (number_parse_scaled(s, strlen(s), factor, &value, &inexact) || value != expected)
		fail_msg("\"%s\" is %lld", s, (long long)value);
	assert_true(inexact);
}

static void check_refused(const char *s, int64_t factor)
{
	int64_t value = 42;
	bool inexact = true;

	if (number_parse_scaled(s, strlen(s), factor, &value, &inexact) || value != 42)
		fail_msg("\"%s\" was taken", s);
	assert_false(inexact);
}

TEST(scaled_exactly)
{
	check_exact("0", 1000, 0);
	check_exact("-0.000", 1000, 0);
	check_exact("1.25", 1000, 1250);
	check_exact("-1.25", 1000, -1250);
	check_exact("+3", 7, 21);
	check_exact("4711.123456", 1000000, 4711123456);
	check_exact("1.5000000000000000000000000000000000", 2, 3);
	check_exact("000000000000000000000000000000001.5", 2, 3);
	check_exact("1e3", 1000, 1000000);
	check_exact("1.5E2", 1, 150);
	check_exact("1500e-2", 1, 15);
	check_exact("100000000000000000000000e-23", 7, 7);
	check_exact("12345678901234567890e-19", 1000000000000000000, 1234567890123456789);
	check_exact("0.00000000000000000000000000001e30", 1, 10);
	check_exact("0.33333", 60000000000000, 19999800000000);
	check_exact("0.5", 60, 30);
	check_exact("0.5", 1024, 512);
	check_exact("0.0009765625", 1024, 1);
	check_exact("1589883.123456789012", 1000000000000, 1589883123456789012);
	check_exact("0e99999999999999999999", 5, 0);
	check_exact("0.0e-99999999999999999999", 5, 0);
}

TEST(scaled_to_the_limits)
{
	check_exact("9223372036854775807", 1, INT64_MAX);
	check_exact("-9223372036854775808", 1, INT64_MIN);
	check_exact("9223372036854.775807", 1000000, INT64_MAX);
	check_exact("-9223372036854.775808", 1000000, INT64_MIN);
	check_exact("9.223372036854775807e18", 1, INT64_MAX);
	check_exact("1", INT64_MAX, INT64_MAX);
	check_refused("9223372036854775808", 1);
	check_refused("-9223372036854775809", 1);
	check_refused("9223372036854.775808", 1000000);
	check_refused("9223372036854775807.5", 1);
	check_refused("2", INT64_MAX);
	check_refused("1e19", 1);
	check_refused("1e400", 1);
	check_refused("1e99999999999999999999", 1);
	check_refused("99999999999999999999999999999999999999999999999", 1000);
	check_rounded("9223372036854775807.4", 1, INT64_MAX);
	check_rounded("-9223372036854775808.4", 1, INT64_MIN);
}

TEST(scaled_and_rounded)
{
	check_rounded("0.0004", 1000, 0);
	check_rounded("0.0005", 1000, 1);
	check_rounded("-0.0005", 1000, -1);
	check_rounded("0.00049999999999999999999999999999999999999999", 1000, 0);
	check_rounded("0.00050000000000000000000000000000000000000001", 1000, 1);
	check_rounded("1.0000000000000000000000000000000000000000001", 1000, 1000);
	check_rounded("1.5E-3", 1000, 2);
	check_rounded("2.5e-3", 1000, 3);
	check_rounded("0.025", 1024, 26); /* 25.6 */
	check_rounded("0.024", 1024, 25); /* 24.576 */
	check_rounded("1e-3", 60, 0);	  /* 0.06 */
	check_rounded("0.33333333333333333333", 3, 1);
	check_rounded("0.1666666666666666", 3, 0); /* just below a half */
	check_rounded("1e-99999999999999999999", 1000, 0);
	check_rounded("123.4567", 1000, 123457);
}

TEST(scaled_refuses_other_texts)
{
	int64_t value = 42;

	for (size_t i = 0; i < COUNT(no_numbers); i++)
		check_refused(no_numbers[i], 1000);
	for (size_t i = 0; i < COUNT(no_reals); i++)
		check_refused(no_reals[i], 1000);
	assert_false(number_parse_scaled("0.5", 3, 1, &value, NULL));
	assert_int_equal(value, 1);
	assert_true(number_parse_scaled("12.5,", 4, 2, &value, NULL));
	assert_int_equal(value, 25);
}

static void check_format(double value, int digits, const char *expected)
{
	char out[NUMBER_TEXT_SIZE];

	assert_ptr_equal(number_format_real(out, value, digits), out);
	assert_string_equal(out, expected);
}

TEST(format_real)
{
	check_format(0.0, 15, "0");
	check_format(-0.0, 15, "0");
	check_format(1.0, 15, "1");
	check_format(-1.5, 15, "-1.5");
	check_format(0.1, 15, "0.1");
	check_format(0.1, 17, "0.10000000000000001");
	check_format(1.0 / 3, 15, "0.333333333333333");
	check_format(1.0 / 3, 3, "0.333");
	check_format(123456.0, 3, "1.23e+05");
	check_format(1e20, 15, "1e+20");
	check_format(1.5e-7, 15, "1.5e-07");
	check_format(0.0001, 15, "0.0001");
	check_format(123456789012345.0, 15, "123456789012345");
	check_format(-1.7976931348623157e308, 17, "-1.7976931348623157e+308");
	check_format(NAN, 15, "");
	check_format(INFINITY, 15, "");
	check_format(-INFINITY, 15, "");
	check_format(2.5, 0, "2");	/* at least one digit */
	check_format(0.5, 1000, "0.5"); /* at most 17 */
}

/* Numbers of few decimals do not go through printf; it knows them all. */
TEST(format_real_as_printf)
{
	static const int digits[] = {1, 3, 6, 12, 15, 17};
	uint64_t random = 1;
	char expected[NUMBER_TEXT_SIZE];

	for (int i = 0; i < 200000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;

		/* Whole numbers of 1 to 16 digits over 10^0 to 10^7; some next to them. */
		const double whole = (double)(random >> (11 + i % 50)),
			     value = (i % 2 ? -whole : whole) / pow(10, i / 7 % 8),
			     near = i % 5 ? value : nextafter(value, 0);

		for (size_t k = 0; k < COUNT(digits); k++) {
			snprintf(expected, sizeof(expected), "%.*g", digits[k], near);
			check_format(near, digits[k], strcmp(expected, "-0") == 0 ? "0" : expected);
		}
	}
	check_format(999999.7, 6, "1e+06"); /* a digit more than asked for */
	check_format(999999.2, 6, "999999");
	check_format(0.5, 1, "0.5");
	check_format(2.5, 1, "2"); /* between two: to even */
	check_format(0.000099, 15, "9.9e-05");
	check_format(999999999.999999, 15, "999999999.999999");
}

static void check_fixed(double value, int decimals, const char *expected)
{
	char out[NUMBER_TEXT_SIZE];

	assert_ptr_equal(number_format_fixed(out, value, decimals), out);
	assert_string_equal(out, expected);
}

TEST(format_fixed)
{
	check_fixed(0, 2, "0.00");
	check_fixed(-0.0, 2, "0.00");
	check_fixed(-0.001, 2, "0.00");
	check_fixed(-0.4, 0, "0");
	check_fixed(-0.006, 2, "-0.01");
	check_fixed(6.21, 2, "6.21");
	check_fixed(99.999, 2, "100.00");
	check_fixed(0.125, 2, "0.12"); /* a tie in binary: to even */
	check_fixed(1e6, 0, "1000000");
	check_fixed(-10, 1, "-10.0");
	check_fixed(123, -3, "123");
	check_fixed(NAN, 2, "");
	check_fixed(INFINITY, 2, "");
	check_fixed(1e300, 2, "1e+300"); /* would not fit */
	check_fixed(-1e30, 2, "-1e+30");
	/* 2^99, the largest power of 2 below the limit, with the most decimals */
	check_fixed(633825300114114700748351602688.0, 20,
		"633825300114114700748351602688.00000000000000000000");
}

TEST(format_int)
{
	char out[NUMBER_TEXT_SIZE];

	assert_string_equal(number_format_int(out, 0), "0");
	assert_string_equal(number_format_int(out, -5), "-5");
	assert_string_equal(number_format_int(out, INT64_MAX), "9223372036854775807");
	assert_string_equal(number_format_int(out, INT64_MIN), "-9223372036854775808");
}

TEST(checked_sums_and_products)
{
	int64_t value = 42;

	assert_true(number_add(2, -5, &value));
	assert_true(value == -3);
	assert_true(number_add(INT64_MAX, 0, &value));
	assert_true(number_add(INT64_MAX - 1, 1, &value));
	assert_true(value == INT64_MAX);
	assert_true(number_multiply(-3, 7, &value));
	assert_true(value == -21);
	assert_true(number_multiply(3037000499, 3037000499, &value));
	assert_true(value == 9223372030926249001);
	assert_false(number_add(INT64_MAX, 1, &value));
	assert_false(number_add(INT64_MIN, -1, &value));
	assert_false(number_multiply(3037000500, 3037000500, &value));
	assert_false(number_multiply(INT64_MIN, -1, &value));
	assert_true(value == 9223372030926249001); /* untouched */
}

TEST(micros)
{
	char out[NUMBER_TEXT_SIZE];

	assert_string_equal(number_format_micros(out, 0, 0), "0");
	assert_string_equal(number_format_micros(out, 0, 1), "0.000001");
	assert_string_equal(number_format_micros(out, -1, 750000), "-0.25");
	assert_string_equal(number_format_micros(out, 0, -1), "-0.000001");
	assert_string_equal(
		number_format_micros(out, 1712195495502094, 565000), "1712195495502094.565");
	assert_string_equal(
		number_format_micros(out, 2199023255552, INT64_MAX), "11422395292406.775807");
	assert_string_equal(
		number_format_micros(out, INT64_MIN, -999999), "-9223372036854775808.999999");
}

TEST(common_divisors)
{
	assert_int_equal(number_common_divisor(12, 18), 6);
	assert_int_equal(number_common_divisor(0, 7), 7);
	assert_int_equal(number_common_divisor(7, 0), 7);
	assert_int_equal(number_common_divisor(INT64_MAX, INT64_MAX - 1), 1);
	assert_int_equal(number_common_divisor(0, 0), 0);
}

TEST(sorted_numbers)
{
	double x[] = {3, -1, 2.5, -INFINITY, 2.5, 0};
	static const double expected[] = {-INFINITY, -1, 0, 2.5, 2.5, 3};

	number_sort(x, sizeof(x) / sizeof(*x));
	assert_memory_equal(x, expected, sizeof(x));
	number_sort(NULL, 0);
}
