/*
 * Days in the proleptic Gregorian calendar. Both directions count years from March, so that the
 * leap day is the last of its year (H. Hinnant, chrono-compatible low-level date algorithms, 2013).
 */
#include "base/day.h"

#include <stdio.h>

#define SECONDS_PER_DAY 86400
#define DAYS_PER_400_YEARS 146097
#define DAYS_BEFORE_1970 719468 /* from 0000-03-01, where the counting from March begins */

static bool is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_of_month(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static int32_t day_from_date(int year, int month, int day_of_month)
{
	int from_march = (month + 9) % 12;
	int y = month <= 2 ? year - 1 : year;
	int era = y / 400, year_of_era = y % 400;
	int day_of_year = (153 * from_march + 2) / 5 + day_of_month - 1;
	int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

	return era * DAYS_PER_400_YEARS + day_of_era - DAYS_BEFORE_1970;
}

static int digits(const char *s, int count)
{
	int value = 0;

	for (int i = 0; i < count; i++)
		value = 10 * value + (s[i] - '0');
	return value;
}

bool day_from_text(const char *s, int32_t *day)
{
	static const char form[] = "dddd-dd-dd";

	for (int i = 0; form[i]; i++)
		if (form[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != form[i])
			return false;
	if (s[sizeof(form) - 1])
		return false;
	int year = digits(s, 4), month = digits(s + 5, 2), day_of_month = digits(s + 8, 2);

	if (year < 1 || month < 1 || month > 12 || day_of_month < 1 ||
		day_of_month > days_of_month(year, month))
		return false;
	*day = day_from_date(year, month, day_of_month);
	return true;
}

static bool is_known(int64_t day)
{
	return day >= day_from_date(1, 1, 1) && day <= day_from_date(9999, 12, 31);
}

const char *day_to_text(char *out, int32_t day)
{
	out[0] = '\0';
	if (!is_known(day))
		return out;
	int from_start = day + DAYS_BEFORE_1970;
	int era = from_start / DAYS_PER_400_YEARS, day_of_era = from_start % DAYS_PER_400_YEARS;
	int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 -
				  day_of_era / (DAYS_PER_400_YEARS - 1)) /
			  365;
	int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int from_march = (5 * day_of_year + 2) / 153;
	int month = from_march < 10 ? from_march + 3 : from_march - 9;
	int year = 400 * era + year_of_era + (month <= 2);

	/* The remainders are only for the compiler, which cannot know the ranges. */
	snprintf(out, DAY_TEXT_SIZE, "%04u-%02u-%02u", (unsigned)year % 10000,
		(unsigned)month % 100,
		(unsigned)(day_of_year - (153 * from_march + 2) / 5 + 1) % 100);
	return out;
}

bool day_from_seconds(int64_t seconds, int32_t *day)
{
	int64_t whole = seconds / SECONDS_PER_DAY - (seconds % SECONDS_PER_DAY < 0);

	if (!is_known(whole))
		return false;
	*day = (int32_t)whole;
	return true;
}
