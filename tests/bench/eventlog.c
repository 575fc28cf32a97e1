/* CPU time of the log of events (ingest/events/eventlog) for each event: adding, sorting, nesting,
 * sums. usage: eventlog EVENTS [BUFFER_MIB]    threads with nested ops, each fourth op launches a
 * kernel; late by up to a thousand */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "ingest/events/eventlog.h"

#define THREADS 8
#define OPS 300
#define EVENTS_OF_STEP 20000
#define LATE 1000

static double cpu_seconds(long *most_kb)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	*most_kb = usage.ru_maxrss;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static uint64_t next_random(uint64_t *state) /* xorshift64 (Marsaglia 2003) */
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void make_lanes(struct eventlog *log, uint32_t *lanes, uint32_t *stream)
{
	uint32_t process = eventlog_process(log, "1", 1);
	struct error err;
	char key[20];

	for (int i = 0; i < THREADS; i++) {
		snprintf(key, sizeof(key), "%d", i);
		lanes[i] = eventlog_lane(log, process, key, strlen(key), &err);
	}
	*stream = eventlog_lane(log, process, "stream", 6, &err);
	eventlog_lane_at(log, *stream)->accelerator = true;
	eventlog_lane_at(log, *stream)->flat = true;
}

/* The i-th event: trees of 13, one of 1000 ns with 3 of 300 with 3 of 90 each, one thread after the
 * other. */
static struct event make_event(size_t i, const uint32_t *lanes, uint64_t *state)
{
	static const int64_t starts[13] = {
		0, 1, 2, 93, 184, 302, 303, 394, 485, 603, 604, 695, 786};
	size_t tree = i / 13, part = i % 13;
	int64_t dur = part == 0 ? 1000 : part % 4 == 1 ? 300 : 90;

	return (struct event){
		.lane = lanes[tree % THREADS],
		.op = (uint32_t)((part * 23 + next_random(state) % 20) % OPS),
		.start_ps = ((int64_t)(tree / THREADS) * 1010 + starts[part]) * 1000,
		.dur_ps = dur * 1000,
		.link = i + 1,
		.flags = part % 4 == 0 ? EVENT_LAUNCHES : 0,
	};
}

static int fill(struct eventlog *log, size_t count, struct error *err)
{
	uint32_t lanes[THREADS], stream;
	uint64_t state = 88172645463325252u;
	char name[40];

	make_lanes(log, lanes, &stream);
	for (int i = 0; i < OPS; i++) {
		snprintf(name, sizeof(name), "aten::op_%d", i);
		eventlog_op(log, name, strlen(name), "", 0);
	}
	for (size_t i = 0; i < count; i++) {
		size_t late = i / LATE * LATE + (i * 617) % LATE;
		struct event event = make_event(late, lanes, &state);
		struct event kernel = event;

		if (eventlog_add(log, &event, err))
			return -1;
		if (!(event.flags & EVENT_LAUNCHES))
			continue;
		kernel.lane = stream;
		kernel.flags = EVENT_LAUNCHED;
		kernel.start_ps += 5000000;
		if (eventlog_add(log, &kernel, err))
			return -1;
	}
	return 0;
}

static int mark(struct eventlog *log, size_t count, struct error *err)
{
	int64_t step_ps = (int64_t)EVENTS_OF_STEP / 13 / THREADS * 1010 * 1000;

	for (size_t i = 0; i < count / EVENTS_OF_STEP + 1; i++) {
		const struct step_mark m = {.process = EVENTLOG_ANY,
			.start_ps = (int64_t)i * step_ps,
			.open_end = true};

		if (eventlog_mark(log, &m, err))
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct eventlog_options opt = {
		.limits = profile_limits_default, .max_spill_bytes = UINT64_MAX};
	size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 1000000;
	struct profile *profile = profile_new("made");
	struct eventlog *log;
	struct error err = {.kind = ERROR_NONE};
	long most_kb;
	double start = cpu_seconds(&most_kb), added;

	opt.buffer_bytes = argc > 2 ? (size_t)strtoull(argv[2], NULL, 10) << 20 : 0;
	log = eventlog_new(profile, &opt);
	if (mark(log, count, &err) || fill(log, count, &err))
		goto fail;
	added = cpu_seconds(&most_kb);
	if (eventlog_finish(log, 0, false, &err))
		goto fail;
	size_t events = count + count / 13 * 4;
	double end = cpu_seconds(&most_kb);

	printf("%zu events, %zu observations: add %.0f ns, finish %.0f ns of CPU per event, %ld "
	       "MB\n",
		events, profile->obs.count, (added - start) / (double)events * 1e9,
		(end - added) / (double)events * 1e9, most_kb / 1000);
	eventlog_free(log);
	profile_free(profile);
	return 0;
fail:
	fprintf(stderr, "%s\n", err.message);
	return 1;
}
