/* The report of a session of `ab`, and its lines while it runs. It computes nothing. */
#pragma once

#include "ab/session.h"
#include "report/build.h"

/* Adds the question, a line each: the commands, the order, the margin. */
void ab_add_heading(struct report *report, const struct ab_session *session);
/* The line of a round for a terminal of that width: times, change, interval; "" of round 0: the
 * names of the columns. In the arena. */
const char *ab_round_line(
	struct arena *arena, const struct ab_session *session, size_t round, size_t width);
/* Number of rounds that are still needed, as a sentence. */
const char *ab_state_line(struct arena *arena, const struct ab_session *session);
/* The whole of it, with the result as exit status. `said`: the heading has been shown already. */
struct report *build_ab(const struct ab_session *session, bool said);
