/* A recording goes on another one of its process where the source names the process in full, where
 * the numbers of steps go on, or where it begins after the end of the other. Numbers of processes
 * repeat in containers: in doubt both are one run, since pieces of one run that count as several
 * make verdicts of nothing. Runs of their own are what no clock orders, and process 1 of a host
 * without a name, which every container has. */
#include "model/facts/windows.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/text.h"

/* Systems give numbers below it at their start only (RESERVED_PIDS of Linux); what has such a
 * number runs in a container, as others do under the same number. */
#define NUMBER_LEAST 300

/* A window on its way into a run. */
struct placed_window {
	struct process_window *window;
	uint32_t process; /* windows of other processes have another */
	size_t place;
	const struct placed_window *run; /* its first window */
	bool is_last;			 /* of its run, so far */
};

/* Order of windows of a process: by their numbers, else by time, else by step numbers. */
static int compare_windows(const void *a, const void *b)
{
	const struct placed_window *p = a, *q = b;
	const struct process_window *x = p->window, *y = q->window;

	if (p->process != q->process)
		return p->process < q->process ? -1 : 1;
	if (x->facts->window != y->facts->window)
		return x->facts->window < y->facts->window ? -1 : 1;
	if (x->is_timed != y->is_timed)
		return x->is_timed ? -1 : 1;
	if (x->is_timed && x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (p->place > q->place) - (p->place < q->place);
}

/* Relation of two windows: the later one begins after the end of the earlier, or overlaps it;
 * unknown without a common clock. */
enum order { ORDER_FOLLOWS, ORDER_UNKNOWN, ORDER_OVERLAPS };

static enum order order_of(const struct process_window *before, const struct process_window *w)
{
	if (!before->is_timed || !w->is_timed || before->is_since_epoch != w->is_since_epoch)
		return ORDER_UNKNOWN;
	if (w->start_ns >= before->end_ns)
		return ORDER_FOLLOWS;
	return w->is_since_epoch ? ORDER_OVERLAPS : ORDER_UNKNOWN;
}

enum window_evidence {
	OTHER_PROCESS,
	MAY_BE_ONE,
	NUMBER_ALONE,	 /* nothing says that another process had not the same */
	WINDOW_NUMBERED, /* the source numbers the windows of the process */
	PROCESS_NAMED,	 /* and when it started */
	STEPS_CONTINUE,
	NUMBER_OF_HOST
};

static enum window_evidence evidence_of(
	const struct process_window *before, const struct process_window *w)
{
	const struct facts *a = before->facts, *b = w->facts;
	const enum order order = order_of(before, w);
	const bool same_host = a->host && b->host && text_equal(a->host, b->host);

	if (a->host && b->host && !same_host)
		return OTHER_PROCESS;
	if (b->process && a->window && b->window)
		return a->window == b->window ? OTHER_PROCESS : WINDOW_NUMBERED;
	if (order == ORDER_OVERLAPS)
		return OTHER_PROCESS;
	if (b->process && order == ORDER_FOLLOWS)
		return PROCESS_NAMED;
	if (before->is_numbered && w->is_numbered && w->first > before->last)
		return STEPS_CONTINUE;
	if (order == ORDER_FOLLOWS && w->is_since_epoch && (same_host || b->pid > 1))
		return same_host && b->pid >= NUMBER_LEAST ? NUMBER_OF_HOST : NUMBER_ALONE;
	return MAY_BE_ONE;
}

/* "process 4242 of node7", and why the window goes on its run. NULL: nothing is known. */
static const char *explain(
	struct arena *arena, const struct facts *facts, enum window_evidence evidence)
{
	static const char *const words[] = {[OTHER_PROCESS] = "",
		[MAY_BE_ONE] = ", which is not unique",
		[NUMBER_ALONE] = ": windows that follow each other, by its number alone",
		[WINDOW_NUMBERED] = ": windows by their numbers",
		[PROCESS_NAMED] = ": windows that follow each other",
		[STEPS_CONTINUE] = ": windows, whose steps go on",
		[NUMBER_OF_HOST] = ": windows that follow each other"};

	if (!facts->process && !facts->pid)
		return NULL;
	return arena_printf(arena, "process %s%s%s%s",
		facts->process ? facts->process
			       : arena_printf(arena, "%lld", (long long)facts->pid),
		facts->host ? " of " : "", facts->host ? facts->host : "", words[evidence]);
}

/* The run, by its last window, that this one goes on; NULL: it begins one. */
static struct placed_window *find_run(
	struct placed_window *first, struct placed_window *w, enum window_evidence *found)
{
	struct placed_window *into = NULL;

	*found = OTHER_PROCESS;
	for (struct placed_window *before = w; before-- > first;) {
		const enum window_evidence evidence =
			before->is_last ? evidence_of(before->window, w->window) : OTHER_PROCESS;

		if (evidence <= *found)
			continue;
		*found = evidence;
		into = evidence > MAY_BE_ONE ? before : NULL;
	}
	return into;
}

struct window_doubts windows_find(struct process_window *window, size_t count, struct arena *arena)
{
	struct placed_window *placed = arena_array(arena, count, sizeof(*placed)), *first = placed;
	struct intern *keys = intern_new(arena);
	struct window_doubts doubts = {0};

	for (size_t i = 0; i < count; i++) {
		/* Different for windows that cannot be of one process. */
		const struct facts *facts = window[i].facts;
		const char *process = facts->process ? facts->process
				      : facts->pid
					      ? arena_printf(arena, "%lld", (long long)facts->pid)
					      : arena_printf(arena, "no %zu", i);
		const char *key = arena_printf(arena, "%s\n%s\n%s", window[i].folder, process,
			window[i].rank ? window[i].rank : "");

		placed[i] = (struct placed_window){.window = &window[i],
			.process = intern_id(keys, key, strlen(key)),
			.place = i};
	}
	if (count)
		qsort(placed, count, sizeof(*placed), compare_windows);
	for (struct placed_window *w = placed; w < placed + count; w++) {
		enum window_evidence evidence;
		struct placed_window *into;

		first = w->process == first->process ? first : w;
		into = find_run(first, w, &evidence);
		w->run = into ? into->run : w;
		w->is_last = true;
		if (into)
			into->is_last = false;
		doubts.apart += evidence == MAY_BE_ONE;
		doubts.joined += evidence == NUMBER_ALONE;
		w->window->into = w->run->place;
		w->window->turn = (size_t)(w - placed);
		w->window->why = explain(arena, w->window->facts, evidence);
	}
	return doubts;
}
