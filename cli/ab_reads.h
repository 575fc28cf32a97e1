/*
 * Comparison of files that the runs of `ab` wrote: profiles and files of benchmarks, the runs of a
 * round as a pair. And records in the place of two sides.
 */
#ifndef STEPSTAT_CLI_AB_READS_H
#define STEPSTAT_CLI_AB_READS_H

#include "ab/session.h"
#include "cli/options/settings.h"
#include "report/report.h"

/* Adds the rows of what command `side` wrote against the first to the report of the session: the
 * times of the commands go above them. What cannot be compared is a note. */
void ab_reads_add(
	struct settings *s, const struct ab_session *session, size_t side, struct report *report);

/* The record of which both inputs are sides, FOLDER/a and FOLDER/b; NULL: they are not, or options
 * ask for more than its answer. In the settings' arena. */
const char *ab_record_of_sides(const struct settings *s);
/* Shows the record; returns the exit status of ab, or -1. */
int ab_show_record(struct settings *s, const char *folder, struct error *err);

#endif
