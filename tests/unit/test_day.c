/* Days against Python's datetime (toordinal of the day less that of 1970-01-01), and texts that are
 * no day. */
#include "base/day.h"
#include "tests/unit/test.h"

struct known {
	const char *text;
	int32_t day;
};

static const struct known known[] = {
	{"0001-01-01", -719162},
	{"0001-03-01", -719103},
	{"0004-02-29", -718008},
	{"0100-02-28", -682945},
	{"0100-03-01", -682944},
	{"0400-02-29", -573372},
	{"1582-10-15", -141427},
	{"1600-02-29", -135081},
	{"1600-12-31", -134775},
	{"1601-01-01", -134774},
	{"1700-02-28", -98557},
	{"1700-03-01", -98556},
	{"1899-12-31", -25568},
	{"1900-02-28", -25509},
	{"1900-03-01", -25508},
	{"1969-12-31", -1},
	{"1970-01-01", 0},
	{"1970-01-02", 1},
	{"1972-02-29", 789},
	{"1999-12-31", 10956},
	{"2000-01-01", 10957},
	{"2000-02-28", 11015},
	{"2000-02-29", 11016},
	{"2000-03-01", 11017},
	{"2000-12-31", 11322},
	{"2024-02-29", 19782},
	{"2026-11-22", 20779},
	{"2026-12-31", 20818},
	{"2027-01-01", 20819},
	{"2027-06-30", 20999},
	{"2028-02-29", 21243},
	{"2028-03-01", 21244},
	{"2038-01-19", 24855},
	{"2100-02-28", 47540},
	{"2100-03-01", 47541},
	{"2400-02-29", 157113},
	{"9999-12-31", 2932896},
};

#define KNOWN_COUNT (sizeof(known) / sizeof(known[0]))

TEST(known_days_have_their_number)
{
	for (size_t i = 0; i < KNOWN_COUNT; i++) {
		int32_t day = INT32_MAX;

		if (!day_from_text(known[i].text, &day) || day != known[i].day)
			fail_msg("%s: %d", known[i].text, day);
	}
}

TEST(known_numbers_have_their_day)
{
	char text[DAY_TEXT_SIZE];

	for (size_t i = 0; i < KNOWN_COUNT; i++)
		assert_string_equal(day_to_text(text, known[i].day), known[i].text);
}

/* Each day has its own text, one later in order than that of the day before. */
TEST(every_day_comes_back)
{
	char text[DAY_TEXT_SIZE], before[DAY_TEXT_SIZE] = "";

	for (int32_t day = known[0].day; day <= known[KNOWN_COUNT - 1].day; day++) {
		int32_t back = INT32_MAX;

		day_to_text(text, day);
		if (!day_from_text(text, &back) || back != day || strcmp(before, text) >= 0)
			fail_msg("%d: \"%s\" after \"%s\"", day, text, before);
		memcpy(before, text, sizeof(before));
	}
}

TEST(what_is_no_day_is_refused)
{
	static const char *const texts[] = {"", "2026", "2026-02-30", "2026-02-29", "1900-02-29",
		"2100-02-29", "2026-04-31", "2026-06-31", "2026-09-31", "2026-11-31", "2026-13-01",
		"2026-00-10", "2026-10-00", "2026-10-32", "0000-12-31", "2026-1-01", "2026-01-1",
		"2026/01/01", "20260101", " 2026-01-01", "2026-01-01 ", "2026-01-01T00",
		"02026-01-01", "-026-01-01", "2026-01-0x", "31-12-2026", "tomorrow"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int32_t day = 12345;

		if (day_from_text(texts[i], &day))
			fail_msg("\"%s\" was taken for day %d", texts[i], day);
		assert_int_equal(day, 12345);
	}
}

TEST(days_outside_of_the_years_have_no_text)
{
	char text[DAY_TEXT_SIZE];

	assert_string_equal(day_to_text(text, known[0].day - 1), "");
	assert_string_equal(day_to_text(text, known[KNOWN_COUNT - 1].day + 1), "");
	assert_string_equal(day_to_text(text, INT32_MIN), "");
	assert_string_equal(day_to_text(text, INT32_MAX), "");
}

/* Seconds by Python: datetime.fromisoformat(...).replace(tzinfo=UTC).timestamp(). */
TEST(seconds_are_of_the_day_they_fall_in)
{
	static const struct {
		int64_t seconds;
		int32_t day;
	} cases[] = {{0, 0}, {86399, 0}, {86400, 1}, {-1, -1}, {-86400, -1}, {-86401, -2},
		{1798761599, 20818} /* 2026-12-31T23:59:59 */,
		{1798761600, 20819} /* 2027-01-01T00:00:00 */};
	int32_t day = 7;

	assert_false(day_from_seconds(INT64_MAX, &day));
	assert_false(day_from_seconds(INT64_MIN, &day));
	assert_int_equal(day, 7);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(day_from_seconds(cases[i].seconds, &day));
		assert_int_equal(day, cases[i].day);
	}
}
