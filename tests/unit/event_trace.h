/* A trace by hand: events, marks and what came out, in short words. */
#pragma once

#include <string.h>
#include "ingest/events/eventlog.h"
#include "tests/unit/test.h"

#define DISK_BYTES (UINT64_C(1) << 30)

/* Few links are already several ranges for as many threads. */
static const struct eventlog_options plain = {
	.limits = {.ops = 1000, .steps = 1000, .observations = 1000000},
	.threads = 3,
	.buffer_bytes = 16,
	.max_spill_bytes = DISK_BYTES,
};

struct trace {
	struct profile *profile;
	struct eventlog *log;
	struct error err;
};

static inline void begin(struct trace *t, const struct eventlog_options *opt)
{
	memset(t, 0, sizeof(*t));
	t->profile = profile_new("trace.json");
	t->log = eventlog_new(t->profile, opt ? opt : &plain);
}

static inline void end(struct trace *t)
{
	eventlog_free(t->log);
	profile_free(t->profile);
}

static inline uint32_t process(struct trace *t, const char *key)
{
	return eventlog_process(t->log, key, strlen(key));
}

static inline uint32_t lane(struct trace *t, const char *process_key, const char *key)
{
	uint32_t id = eventlog_lane(t->log, process(t, process_key), key, strlen(key), &t->err);

	assert_true(id != UINT32_MAX);
	return id;
}

static inline uint32_t op(struct trace *t, const char *name)
{
	return eventlog_op(t->log, name, strlen(name), "", 0);
}

static inline void add(struct trace *t, const struct event *event)
{
	assert_int_equal(eventlog_add(t->log, event, &t->err), 0);
}

/* An op on lane "1" of process "p". */
static inline void add_op(struct trace *t, const char *name, int64_t start, int64_t dur)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, name),
		       .start_ps = start,
		       .dur_ps = dur});
}

/* A launch of 1 ps there, of the work with this link. */
static inline void add_host_launch(struct trace *t, int64_t start, uint64_t link)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, "launch"),
		       .start_ps = start,
		       .dur_ps = 1,
		       .link = link,
		       .flags = EVENT_LAUNCHES});
}

static inline void add_mark(
	struct trace *t, const char *of, int64_t number, int64_t start, int64_t end_ps)
{
	const struct step_mark mark = {.process = of ? process(t, of) : EVENTLOG_ANY,
		.number = number,
		.numbered = true,
		.start_ps = start,
		.end_ps = end_ps};

	assert_int_equal(eventlog_mark(t->log, &mark, &t->err), 0);
}

static inline void finish(struct trace *t)
{
	assert_int_equal(eventlog_finish(t->log, 0, false, &t->err), 0);
}

static inline int64_t cell_of(
	const struct profile *p, const char *name, int64_t step, enum measure_id id)
{
	for (size_t i = 0; i < p->obs.count; i++)
		if (strcmp(p->op[p->obs.op[i]].name, name) == 0 &&
			p->step[p->obs.step[i]].number == step)
			return p->obs.column[id] ? p->obs.column[id][i] : CELL_ABSENT;
	return CELL_ABSENT;
}

static inline int64_t cpu(const struct trace *t, const char *name, int64_t step)
{
	return cell_of(t->profile, name, step, MEASURE_CPU);
}

static inline int64_t calls(const struct trace *t, const char *name, int64_t step)
{
	return cell_of(t->profile, name, step, MEASURE_OCCURRENCE);
}

static inline const struct issue *find_issue(const struct trace *t, const char *code)
{
	for (size_t i = 0; i < t->profile->issues.count; i++)
		if (strcmp(t->profile->issues.issue[i].code, code) == 0)
			return &t->profile->issues.issue[i];
	return NULL;
}

static inline size_t issues(const struct trace *t, const char *code)
{
	const struct issue *issue = find_issue(t, code);

	return issue ? issue->count : 0;
}

static inline const struct step *step_at(const struct trace *t, int64_t number)
{
	for (size_t i = 0; i < t->profile->step_count; i++)
		if (t->profile->step[i].number == number)
			return &t->profile->step[i];
	fail();
	return NULL;
}

/* On a stream of an accelerator, 10 ps long. */
static inline void add_kernel(struct trace *t, int64_t start, uint64_t link)
{
	struct event event = {.lane = lane(t, "gpu", "7"),
		.op = op(t, "kernel"),
		.start_ps = start,
		.dur_ps = 10,
		.link = link,
		.flags = EVENT_LAUNCHED};

	eventlog_lane_at(t->log, event.lane)->accelerator = true;
	add(t, &event);
}
