/*
 * Holds events, then adds those of the tracer to the log, each with the time of the events nested
 * in it.
 */
#include "tfprof/files/timeline_host.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/unit.h"
#include "tfprof/files/timeline_device.h"
#include "tfprof/graph/host_trace.h"

#define PROCESSES_MOST ((size_t)1 << 20)

enum { UNSEEN, NOT_TRACER, TRACER };

void timeline_host_init(struct timeline_host *h, size_t events_most)
{
	vec_init(&h->held, sizeof(struct event), events_most,
		"events of /host:CPU (--max-observations)");
	vec_init(&h->seen, sizeof(unsigned char), PROCESSES_MOST, "processes");
}

void timeline_host_release(struct timeline_host *h)
{
	vec_release(&h->held);
	vec_release(&h->seen);
}

static bool is_tracer(const struct eventlog *log, uint32_t process)
{
	struct text device;
	bool is;

	text_init(&device);
	is = timeline_device(eventlog_process_name(log, process), &device) == ROW_TRACER;
	text_release(&device);
	return is;
}

bool timeline_host_is(struct timeline_host *h, const struct eventlog *log, uint32_t process)
{
	unsigned char *seen;

	while (process >= h->seen.count)
		if (!vec_push(&h->seen, NULL))
			return false;
	seen = vec_at(&h->seen, process);
	if (*seen == UNSEEN) {
		if (eventlog_process_name(log, process) == eventlog_process_key(log, process))
			return true;
		*seen = is_tracer(log, process) ? TRACER : NOT_TRACER;
	}
	return *seen == TRACER;
}

int timeline_host_hold(struct timeline_host *h, const struct event *event, struct error *err)
{
	struct event *to = vec_push(&h->held, err);

	if (!to)
		return -1;
	*to = *event;
	return 0;
}

/* ---- the end ---- */

struct adding {
	struct timeline_host *h;
	struct eventlog *log;
	const struct profile *profile;
	const bool *of_session;
	struct timeline_host_counts *counts;
	struct host_span *span; /* of one process */
	size_t span_count;
};

static uint32_t process_of(struct eventlog *log, const struct event *event)
{
	return eventlog_lane_at(log, event->lane)->process;
}

static void push_span(struct adding *a, size_t i)
{
	const struct event *event = vec_at(&a->h->held, i);
	const char *name = a->profile->op[event->op].name;
	int64_t end;

	if (a->of_session[event->op]) {
		a->counts->repeated++;
		return;
	}
	if (!number_add(event->start_ps, event->dur_ps, &end)) {
		a->counts->range++;
		return;
	}
	a->span[a->span_count++] = (struct host_span){.name = name,
		.name_size = strlen(name),
		.id = i,
		.start = event->start_ps,
		.dur = event->dur_ps};
}

static int add_spans(struct adding *a, struct error *err)
{
	host_trace_nest(a->span, a->span_count, false, PS_PER_US);
	for (size_t i = 0; i < a->span_count; i++) {
		struct event *event = vec_at(&a->h->held, a->span[i].id);

		event->flags |= EVENT_NESTS;
		event->bytes = event->dur_ps - a->span[i].own;
		if (eventlog_add(a->log, event, err) != 0)
			return -1;
	}
	a->counts->counted += a->span_count;
	a->span_count = 0;
	return 0;
}

struct row_turn {
	uint32_t process;
	size_t index;
};

static int compare_turns(const void *a, const void *b)
{
	const struct row_turn *x = a, *y = b;

	return ORDER(x->process, y->process) ?: ORDER(x->index, y->index);
}

/* Process by process. */
static int add_all(struct adding *a, struct row_turn *turn, struct error *err)
{
	size_t count = a->h->held.count;
	bool tracer = false;

	for (size_t i = 0; i < count; i++)
		turn[i] = (struct row_turn){process_of(a->log, vec_at(&a->h->held, i)), i};
	qsort(turn, count, sizeof(*turn), compare_turns);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || turn[i].process != turn[i - 1].process) {
			if (add_spans(a, err) != 0)
				return -1;
			tracer = is_tracer(a->log, turn[i].process);
		}
		if (tracer)
			push_span(a, turn[i].index);
		else if (eventlog_add(a->log, vec_at(&a->h->held, turn[i].index), err) != 0)
			return -1;
	}
	return add_spans(a, err);
}

int timeline_host_add(struct timeline_host *h, struct eventlog *log, const struct profile *profile,
	const bool *of_session, struct timeline_host_counts *counts, struct error *err)
{
	size_t count = h->held.count;
	struct adding a = {
		.h = h, .log = log, .profile = profile, .of_session = of_session, .counts = counts};
	struct row_turn *turn;
	int result;

	if (count == 0)
		return 0;
	turn = memory_alloc(memory_product(count, sizeof(*turn)));
	a.span = memory_alloc(memory_product(count, sizeof(*a.span)));
	result = add_all(&a, turn, err);
	memory_free(turn);
	memory_free(a.span);
	return result;
}
