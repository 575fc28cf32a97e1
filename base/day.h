/* Days of the calendar, "2026-12-31" to days since 1970-01-01 and back; points in time, ISO 8601 or
 * a number of seconds, ms, us or ns since 1970. It knows no clock and no time zones by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DAY_TEXT_SIZE 11 /* YYYY-MM-DD and the end */

/* Whole text is YYYY-MM-DD, a day that exists in the Gregorian calendar of the years 0001 to 9999
 * (also before it was in use). When false, *day is unchanged. */
bool day_from_text(const char *s, int32_t *day);
/* Writes the day to out[DAY_TEXT_SIZE]; "" outside of those years. Returns out. */
const char *day_to_text(char *out, int32_t day);
/* The UTC day of a point in time in seconds since 1970-01-01, as time() gives it. False when it is
 * outside of the years 0001 to 9999. */
bool day_from_seconds(int64_t seconds, int32_t *day);

#define NS_YEAR_2000 INT64_C(946684800000000000) /* since 1970 */
#define MOMENT_TEXT_SIZE 31			 /* of moment_to_text, and the end */

/* ns since 1970 of the whole text: "2026-11-28T03:40:16.5+01:00" (the time may be left out or cut,
 * a blank may stand for T; without an offset it is UTC; also "20261128-034016"), or a decimal
 * number from the year 2000 on, whose size says its unit. False, and *ns is unchanged: it is none,
 * or out of range. */
bool moment_from_text(const char *s, size_t n, int64_t *ns);
/* "2026-11-28T03:40:16.500000000Z"; returns out. */
const char *moment_to_text(char *out, int64_t ns);
