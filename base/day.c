/* Days in the proleptic Gregorian calendar. Both directions count years from March, so that the
 * leap day is the last of its year (H. Hinnant, chrono-compatible low-level date algorithms, 2013).
 * A number says its unit by its size: seconds of this century have ten digits, ms thirteen, us
 * sixteen, ns nineteen. */
#include "base/day.h"

#include <stdio.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"

#define SECONDS_PER_DAY 86400
#define NS_PER_SECOND INT64_C(1000000000)
#define BASIC_MOST 48
#define DATE_SIZE (DAY_TEXT_SIZE - 1)
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

/* ---- points in time ---- */

/* The two digits at *at, at most `most`, moves on. */
static bool two_digits(const char **at, const char *end, int most, int64_t *value)
{
	int64_t found;

	if (end - *at < 2 || !number_parse_int(*at, 2, &found) || (*at)[0] == '+' || found < 0 ||
		found > most)
		return false;
	*at += 2;
	*value = found;
	return true;
}

/* ".5", ",123456": digits beyond ns are cut off. */
static bool read_fraction(const char **at, const char *end, int64_t *ns)
{
	int64_t scale = NS_PER_SECOND;
	const char *first = ++*at;

	for (; *at < end && text_is_digit(**at); ++*at) {
		scale /= 10;
		*ns += (**at - '0') * scale;
	}
	return *at > first;
}

/* "03:40", "03:40:16.5" in ns. */
static bool read_time(const char **at, const char *end, int64_t *ns)
{
	int64_t hour, minute, second = 0, part = 0;

	if (!two_digits(at, end, 23, &hour) || *at == end || *(*at)++ != ':' ||
		!two_digits(at, end, 59, &minute))
		return false;
	if (*at < end && **at == ':') {
		++*at;
		if (!two_digits(at, end, 60, &second))
			return false;
		if (*at < end && (**at == '.' || **at == ',') && !read_fraction(at, end, &part))
			return false;
	}
	*ns = ((hour * 60 + minute) * 60 + second) * NS_PER_SECOND + part;
	return true;
}

/* "Z", "+01:00", "-0530", "+01" in ns; nothing is UTC. */
static bool read_offset(const char **at, const char *end, int64_t *ns)
{
	int64_t hour, minute = 0;
	bool west;

	*ns = 0;
	if (*at == end)
		return true;
	if (**at == 'Z' || **at == 'z') {
		++*at;
		return true;
	}
	if (**at != '+' && **at != '-')
		return false;
	west = *(*at)++ == '-';
	if (!two_digits(at, end, 23, &hour))
		return false;
	if (*at < end && **at == ':')
		++*at;
	if (*at < end && !two_digits(at, end, 59, &minute))
		return false;
	*ns = (hour * 60 + minute) * 60 * NS_PER_SECOND * (west ? -1 : 1);
	return true;
}

/* "20260428-110159", "20260428T110159.5Z" with the signs between its parts, for n bytes of them; 0:
 * it is none. */
static size_t from_basic(const char *s, size_t n, char out[BASIC_MOST])
{
	if (n < strlen("20260428-110159") || n + 5 >= BASIC_MOST || !strchr("-_Tt ", s[8]) ||
		strspn(s, "0123456789") != 8 || strspn(s + 9, "0123456789") != 6)
		return 0;
	return (size_t)snprintf(out, BASIC_MOST, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2s%.*s", s, s + 4,
		s + 6, s + 9, s + 11, s + 13, (int)(n - 15), s + 15);
}

static bool from_iso(const char *s, size_t n, int64_t *ns)
{
	const char *at = s + DATE_SIZE, *end = s + n;
	int64_t time = 0, offset = 0, whole;
	char date[DAY_TEXT_SIZE];
	int32_t day;

	if (n < DATE_SIZE)
		return false;
	memcpy(date, s, DATE_SIZE);
	date[DATE_SIZE] = '\0';
	if (!day_from_text(date, &day))
		return false;
	if (at < end && (*at++ | ('t' ^ 'T')) != 't' && at[-1] != ' ')
		return false;
	if (n > DATE_SIZE && !read_time(&at, end, &time))
		return false;
	if (!read_offset(&at, end, &offset) || at != end ||
		!number_multiply(day, SECONDS_PER_DAY * NS_PER_SECOND, &whole) ||
		!number_add(whole, time - offset, &whole))
		return false;
	*ns = whole;
	return true;
}

static bool from_number(const char *s, size_t n, int64_t *ns)
{
	int64_t factor = NS_PER_SECOND, found;
	double size;
	bool inexact;

	if (!number_parse_real(s, n, &size))
		return false;
	for (double most = 1e11; factor > 1 && size >= most; most *= 1000)
		factor /= 1000;
	inexact = false;
	if ((!number_parse_scaled(s, n, factor, &found, &inexact) && !inexact) ||
		found < NS_YEAR_2000)
		return false;
	*ns = found;
	return true;
}

bool moment_from_text(const char *s, size_t n, int64_t *ns)
{
	char text[BASIC_MOST];
	const size_t size = from_basic(s, n, text);

	return size ? from_iso(text, size, ns) : from_iso(s, n, ns) || from_number(s, n, ns);
}

const char *moment_to_text(char *out, int64_t ns)
{
	int64_t seconds = ns / NS_PER_SECOND - (ns % NS_PER_SECOND < 0);
	const unsigned part = (unsigned)(ns - seconds * NS_PER_SECOND);
	char date[DAY_TEXT_SIZE];
	unsigned of_day;
	int32_t day = 0;

	day_from_seconds(seconds, &day);
	of_day = (unsigned)(seconds - (int64_t)day * SECONDS_PER_DAY);
	snprintf(out, MOMENT_TEXT_SIZE, "%sT%02u:%02u:%02u.%09uZ", day_to_text(date, day),
		of_day / 3600 % 24, of_day / 60 % 60, of_day % 60, part % 1000000000);
	return out;
}
