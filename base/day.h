/*
 * Days of the calendar: "2026-12-31" to days since 1970-01-01 and back. It knows no clock, no time
 * of day and no time zone.
 */
#ifndef STEPSTAT_BASE_DAY_H
#define STEPSTAT_BASE_DAY_H

#include <stdbool.h>
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

#endif
