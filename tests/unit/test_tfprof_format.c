/* Numbers as tfprof prints them. The expected texts are those of the description: two digits, no
 * carry into the next unit, nothing above MB, negative numbers whole. */
#include "tfprof/view/view.h"
#include "tests/unit/test.h"

static void check(void (*format)(struct text *out, int64_t n), int64_t n, const char *expected)
{
	struct text text;

	text_init(&text);
	format(&text, n);
	assert_string_equal(text_string(&text), expected);
	text_release(&text);
}

TEST(numbers_have_k_m_b)
{
	check(format_number, 0, "0");
	check(format_number, 999, "999");
	check(format_number, 1000, "1.00k");
	check(format_number, 10440, "10.44k");
	check(format_number, 999999, "1000.00k");
	check(format_number, 1000000, "1.00m");
	check(format_number, 999999999, "1000.00m");
	check(format_number, 1000000000, "1.00b");
	check(format_number, INT64_MAX, "9223372036.85b");
}

TEST(times_end_at_seconds)
{
	check(format_time, 999, "999us");
	check(format_time, 4945, "4.95ms"); /* 4.945 as a double is a little above */
	check(format_time, 999999, "1000.00ms");
	check(format_time, 1000000, "1.00sec");
	check(format_time, 3600000000, "3600.00sec");
}

TEST(memory_has_no_gigabyte)
{
	check(format_memory, 999, "999B");
	check(format_memory, 2560, "2.56KB");
	check(format_memory, 999999, "1000.00KB");
	check(format_memory, 5000000000, "5000.00MB");
}

/* Two digits as the C library rounds the quotient of doubles: all below 3 000 000, then ever
 * sparser ones beside halves. */
TEST(digits_are_those_of_printf)
{
	int64_t stride = 1;
	char expected[64];

	for (int64_t n = 1000; n < INT64_MAX / 4; n += stride) {
		bool sparse = n >= 3000000;
		int64_t half = sparse ? n / 10000 * 10000 + 5000 + n % 3 - 1 : n;

		if (half < 1000000)
			snprintf(expected, sizeof(expected), "%.2fms", (double)half / 1e3);
		else
			snprintf(expected, sizeof(expected), "%.2fsec", (double)half / 1e6);
		check(format_time, half, expected);
		stride = sparse ? n / 1000 : 1;
	}
}

TEST(below_zero_is_whole)
{
	check(format_number, -5000, "-5000");
	check(format_time, -9223372036853773810, "-9223372036853773810us");
	check(format_memory, INT64_MIN, "-9223372036854775808B");
}

TEST(shapes_are_joined)
{
	const int64_t dim[] = {-1, 6, 3};
	struct text text;

	text_init(&text);
	format_shape(&text, dim, 0);
	assert_string_equal(text_string(&text), "");
	format_shape(&text, dim, 3);
	assert_string_equal(text_string(&text), "-1x6x3");
	text_release(&text);
}
