/* Reports over recorded runs: what they say about noise, and the history of each row. Nothing here
 * computes a statistic. */
#pragma once

#include "analysis/recorded/history.h"
#include "report/build.h"
#include "stats/sessions.h"

struct recorded_input {
	const struct recorded_runs *recorded;
	const struct cube *cube;
	const struct grouping *grouping;
	const struct step_set *steps;
	double alpha, margin; /* margin: the change that one wants to see */
};

/* The changes of the history are taken out of the levels already. */
struct report *build_noise(const struct recorded_input *in, const struct history *history,
	const struct build_options *opt);
struct report *build_history(const struct recorded_input *in, const struct history *history,
	const struct build_options *opt);

/* Building blocks of both. */
/* "30 runs in 10 sessions on 2 machines". */
const char *phrase_recorded(struct arena *arena, const struct recorded_runs *recorded);
/* Adds the heading, the issues of the inputs, and the notes on what is not known of runs. */
void recorded_begin(
	struct report *report, const struct recorded_input *in, const struct build_options *opt);
/* The run at this place of a series. */
const struct run *recorded_run_at(
	const struct recorded_input *in, const struct history_series *series, size_t place);
/* The name by which the store of a run knows it: that of its file, without the suffix. */
const char *recorded_name_of(struct arena *arena, const struct run *run);
/* "20261120T030000Z-0123456789abcdef, commit c0ffee, broken": a session by its first run. */
const char *phrase_session(struct arena *arena, const struct run *run);
/* Notes on sessions that lie apart: the rows of both, and the session in words. */
void report_note_sessions(struct report *report, const struct session_findings *found,
	const char *const row[2], const char *session);
/* Short name of each row, as screens have it. */
const char **recorded_names(
	struct report *report, const struct recorded_input *in, const struct build_options *opt);
