/* Runs sorted by machine, named session and start; neighbours are compared. */
#include "model/sessions.h"

#include <stdlib.h>
#include <string.h>
#include "base/day.h"
#include "base/order.h"

struct session_run {
	const char *machine, *session; /* "": not known */
	int64_t start_ns;	       /* 0: not known */
	uint32_t run;
};

bool run_start(const struct cube *cube, size_t run, int64_t *ns)
{
	const struct run *of = &cube->run[run];
	int64_t start;
	bool known = false;

	if (of->facts && of->facts->start &&
		moment_from_text(of->facts->start, strlen(of->facts->start), ns))
		return true;
	for (size_t i = 0; i < of->step_count; i++) {
		if (!step_start(&cube->step[of->step_first + i], &start) || start < NS_YEAR_2000 ||
			(known && start >= *ns))
			continue;
		*ns = start;
		known = true;
	}
	return known;
}

ORDERED(compare_session_runs, struct session_run,
	strcmp(x->machine, y->machine)
		?: strcmp(x->session, y->session)
		?: ORDER(x->start_ns, y->start_ns)
		?: ORDER(x->run, y->run));

static bool begins(const struct session_run *before, const struct session_run *run)
{
	if (strcmp(before->machine, run->machine) != 0 ||
		strcmp(before->session, run->session) != 0)
		return true;
	return !*run->session && run->start_ns != before->start_ns &&
	       (!before->start_ns || run->start_ns - before->start_ns > SESSION_GAP_NS);
}

size_t sessions_find(const struct cube *cube, uint32_t *session)
{
	const size_t n = cube->run_count;
	struct arena *scratch = arena_new();
	struct session_run *run = arena_array(scratch, n, sizeof(*run));
	uint32_t *place = arena_array(scratch, n, sizeof(*place));
	size_t count = 0;

	for (size_t r = 0; r < n; r++) {
		const struct facts *facts = cube->run[r].facts;

		run[r] = (struct session_run){.machine = "", .session = "", .run = (uint32_t)r};
		if (facts && facts->machine)
			run[r].machine = facts->machine;
		if (facts && facts->session)
			run[r].session = facts->session;
		if (!run_start(cube, r, &run[r].start_ns))
			run[r].start_ns = 0;
	}
	if (n)
		qsort(run, n, sizeof(*run), compare_session_runs);
	for (size_t i = 0; i < n; i++) {
		count += i == 0 || begins(&run[i - 1], &run[i]);
		session[run[i].run] = (uint32_t)count - 1;
	}
	/* Numbers in order of the runs. */
	memset(place, 0xff, n * sizeof(*place));
	for (size_t r = 0, next = 0; r < n; r++) {
		if (place[session[r]] == UINT32_MAX)
			place[session[r]] = (uint32_t)next++;
		session[r] = place[session[r]];
	}
	arena_free(scratch);
	return count;
}
