/* Comparison of files that the runs of `ab` wrote: profiles and files of benchmarks, the runs of a
 * round as a pair. And records in the place of two sides. */
#pragma once

#include "ab/session.h"
#include "cli/options/settings.h"
#include "report/report.h"

/* Adds the rows of what command `side` wrote against the first to the report of the session: the
 * times of the commands go above them. What cannot be compared is a note. */
void ab_reads_add(
	struct settings *s, const struct ab_session *session, size_t side, struct report *report);

/* True if each row of what the commands wrote has a verdict that answers, or none can be had. */
bool ab_reads_decided(struct settings *s, const struct ab_session *session);

/* Sets the comparison to the pairs of the session, at a level that holds whenever it ends; where
 * `side` is not 0, of what that command and the first wrote, in the place of the inputs. */
int ab_reads_ask(
	struct settings *s, const struct ab_session *session, size_t side, struct error *err);

/* Where the inputs are sides of a record: shows what its session says about them, and returns 1
 * with the exit status of ab. FOLDER/reads/a and FOLDER/reads/b, and what only tables can answer
 * (`by_tables`, --explain), are left to the comparison, set as above: 0, as for any other inputs.
 * -1: an error. */
int ab_sides_answer(struct settings *s, bool by_tables, int *exit_status, struct error *err);
