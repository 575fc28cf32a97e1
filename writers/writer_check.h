/*
 * Parts that the writers of a gate's checks share: the order and the words of checks. It knows no
 * format and escapes nothing.
 */
#ifndef STEPSTAT_WRITERS_WRITER_CHECK_H
#define STEPSTAT_WRITERS_WRITER_CHECK_H

#include <stddef.h>
#include "base/error.h"
#include "base/text.h"
#include "report/report.h"

/* Loudness of a check that did not pass. Red: it failed, or could not have failed. */
enum check_level { LEVEL_RED, LEVEL_UNDECIDED, LEVEL_WAIVED, LEVEL_COUNT };

struct listed_check {
	const struct check *check;
	enum check_level level;
};

/* The checks that did not pass, those that are blind only where asked for: those of the step first,
 * then the others by level; each in the order of the report. */
struct check_list {
	struct listed_check *item;
	size_t count;
	size_t of_level[LEVEL_COUNT]; /* how many */
};

void check_list_init(struct check_list *list, const struct report *report, bool blind);
void check_list_release(struct check_list *list);

const char *check_status_word(enum check_status status); /* "passed", "failed" ... */
/* The verdict, or the word of the status where there is none. */
const char *check_verdict(const struct check *check);
/* Adds "unit/conv time": what was looked at, as recorded; the policy where nothing was named. */
void check_add_subject(const struct check *check, struct text *out);
/* Adds "REGRESSED: unit/conv time (convolutions)", as recorded. */
void check_add_title(const struct check *check, struct text *out);

/* Level of a gate's exit status; LEVEL_COUNT: green. */
enum check_level check_exit_level(int exit_status);

/* Error for a format that has nothing but checks, when the report has no result. */
int check_need_result(const struct report *report, const char *format, struct error *err);

#endif
