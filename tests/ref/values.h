/* Reads the reference values and series that tests compare with: CSV lines found by how they begin,
 * and NIST data files. It computes nothing; a missing file or line fails the test. */
#pragma once

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/number.h"

#define REF_LINE_SIZE 16384
#define REF_EXPECTED "tests/ref/expected.csv"
#define REF_SERIES "tests/ref/series.csv"
#define REF_COMPARE "tests/ref/compare.csv"
#define REF_COMPARE_SERIES "tests/ref/compare_series.csv"

static inline FILE *ref_open(const char *path)
{
	const char *top = getenv("top_srcdir");
	char name[4096];
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", top ? top : ".", path);
	file = fopen(name, "r");
	if (!file)
		fail_msg("cannot open %s", name);
	return file;
}

/* The rest of the first line of `path` that begins with `start`, in line[REF_LINE_SIZE]. */
static inline char *ref_find(const char *path, const char *start, char *line)
{
	FILE *file = ref_open(path);
	const size_t n = strlen(start);
	bool found = false;

	while (!found && fgets(line, REF_LINE_SIZE, file))
		found = strncmp(line, start, n) == 0;
	fclose(file);
	if (!found)
		fail_msg("%s has no line '%s'", path, start);
	return line + n;
}

/* Takes one number and the comma, quotes and line end around it; false at the end of the line. */
static inline bool ref_next(char **s, double *out)
{
	const size_t skip = strspn(*s, ",\" \r\n"), n = strcspn(*s + skip, ",\" \r\n");
	const char *word = *s + skip;

	*s += skip + n;
	if (n == 0)
		return false;
	if (strncmp(word, "inf", n) == 0 || strncmp(word, "nan", n) == 0) {
		*out = word[0] == 'i' ? INFINITY : NAN;
		return true;
	}
	if (!number_parse_real(word, n, out))
		fail_msg("'%.*s' is no number", (int)n, word);
	return true;
}

/* Number `column` (from 0) after `start`. */
static inline double ref_column(const char *path, const char *start, int column)
{
	char line[REF_LINE_SIZE], *s = ref_find(path, start, line);
	double value = NAN;

	for (int i = 0; i <= column; i++)
		if (!ref_next(&s, &value))
			fail_msg("'%s' has no column %d", start, column);
	return value;
}

static inline double ref_expected(const char *series, const char *quantity)
{
	char start[256];

	snprintf(start, sizeof(start), "%s,%s,", series, quantity);
	return ref_column(REF_EXPECTED, start, 0);
}

/* All numbers of the line of that name. */
static inline size_t ref_row(const char *path, const char *name, double *out, size_t room)
{
	char line[REF_LINE_SIZE], start[256], *s;
	size_t n = 0;
	double value;

	snprintf(start, sizeof(start), "%s,", name);
	s = ref_find(path, start, line);
	while (ref_next(&s, &value)) {
		assert_true(n < room);
		out[n++] = value;
	}
	return n;
}

static inline size_t ref_series(const char *name, double *out, size_t room)
{
	return ref_row(REF_SERIES, name, out, room);
}

/* A file of the NIST univariate collection: one number a line after the last line of words. */
static inline size_t ref_nist(const char *name, double *out, size_t room)
{
	char path[256], line[REF_LINE_SIZE];
	size_t count = 0;
	FILE *file;

	snprintf(path, sizeof(path), "tests/data/stats/nist-strd/%s.txt", name);
	file = ref_open(path);
	while (fgets(line, sizeof(line), file)) {
		const size_t skip = strspn(line, " \t\r\n"), n = strcspn(line + skip, " \t\r\n");

		if (n == 0)
			continue;
		assert_true(count < room);
		if (number_parse_real(line + skip, n, &out[count]))
			count++;
		else
			count = 0;
	}
	fclose(file);
	return count;
}

/* |got - want| <= relative * |want|, and infinities and NaN equal. */
static inline void ref_near(const char *what, double got, double want, double relative)
{
	if (got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= relative * fabs(want))
		return;
	fail_msg("%s: %.17g, expected %.17g (off by %.2g)", what, got, want,
		fabs(got - want) / fabs(want));
}
