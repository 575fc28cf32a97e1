/* The log of events: what cannot be true, and the bounds of what it changes. */
#include "base/unit.h"
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

#define US PS_PER_US
#define SECOND (INT64_C(1000000) * US)

static void on_lane(struct trace *t, const char *stream, const char *name, int64_t start,
	int64_t dur, uint64_t link)
{
	struct event event = {.lane = lane(t, "gpu", stream),
		.op = op(t, name),
		.start_ps = start,
		.dur_ps = dur,
		.link = link,
		.flags = EVENT_LAUNCHED};
	struct lane *to = eventlog_lane_at(t->log, event.lane);

	to->accelerator = to->flat = to->serial = true;
	add(t, &event);
}

static void on_stream(struct trace *t, const char *name, int64_t start, int64_t dur, uint64_t link)
{
	on_lane(t, "7", name, start, dur, link);
}

static void assert_effect(
	const struct trace *t, const char *code, const char *row, int64_t low, int64_t high)
{
	const struct issue *issue = find_issue(t, code);

	assert_non_null(issue);
	assert_int_equal(issue->effect.unit, EFFECT_PS);
	assert_string_equal(issue->effect.row, row);
	assert_true(issue->effect.low == low);
	assert_true(issue->effect.high == high);
}

/* Each ends where the next begins; of rows that it changes by as much the first by name. */
TEST(a_stream_does_one_thing_after_the_other)
{
	struct trace t;

	begin(&t, NULL);
	on_stream(&t, "c", 20 * US, 5 * US, 3); /* in any order */
	on_stream(&t, "b", 5 * US, 30 * US, 2);
	on_stream(&t, "a", 0, 20 * US, 1);
	on_stream(&t, "a", 60 * US, 10 * US, 4);
	on_stream(&t, "b", 70 * US - US, 4 * US, 5); /* by 1 us: the clock's resolution */
	finish(&t);
	assert_int_equal(issues(&t, "stream-overlap"), 2);
	assert_effect(&t, "stream-overlap", "a", 15 * US, 30 * US);
	assert_int_equal(find_issue(&t, "stream-overlap")->effect.recorded, 30 * US);
	assert_int_equal(find_issue(&t, "stream-overlap")->severity, ISSUE_ERROR);
	end(&t);
}

TEST(what_one_launch_started_may_overlap)
{
	struct trace t;

	begin(&t, NULL);
	on_stream(&t, "a", 0, 20 * US, 1);
	on_stream(&t, "b", 5 * US, 3 * US, 1);
	on_stream(&t, "c", 10 * US, 10 * US, 1);
	on_stream(&t, "d", 20 * US, 10 * US, 2);
	finish(&t);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
}

TEST(lanes_of_other_devices_are_no_streams)
{
	struct trace t;

	begin(&t, NULL);
	add_kernel(&t, 0, 1);
	add_kernel(&t, 5, 2);
	finish(&t);
	assert_int_equal(issues(&t, "stream-overlap"), 0);
	end(&t);
}

TEST(a_call_without_time_is_in_the_step_of_its_launch)
{
	struct trace t;
	struct event event = {.flags = EVENT_LAUNCHED | EVENT_TIMELESS, .link = 12};

	begin(&t, NULL);
	add_mark(&t, "p", 1, 1000 * US, 1100 * US);
	add_mark(&t, "p", 2, 1100 * US, 1200 * US);
	add_host_launch(&t, 1010 * US, 11);
	add_host_launch(&t, 1110 * US, 12);
	on_stream(&t, "gemm", 1020 * US, 30 * US, 11);
	event.lane = lane(&t, "gpu", "7");
	event.op = op(&t, "gemm");
	add(&t, &event);
	event.link = 99; /* launched by nothing that is there: nowhere */
	add(&t, &event);
	finish(&t);
	assert_int_equal(issues(&t, "zero-time"), 2);
	assert_effect(&t, "zero-time", "gemm", 30 * US, 90 * US);
	assert_string_equal(find_issue(&t, "zero-time")->effect.steps, "2");
	assert_int_equal(cell_of(t.profile, "gemm", 1, MEASURE_ACCELERATOR), 30 * US);
	assert_int_equal(cell_of(t.profile, "gemm", 2, MEASURE_ACCELERATOR), 0);
	assert_int_equal(calls(&t, "gemm", 2), 1);
	assert_int_equal(step_at(&t, 1)->start_ps, 1000 * US); /* not 0 */
	assert_int_equal(issues(&t, "kernel-lost") + issues(&t, "launch-lost"), 0);
	end(&t);
}

/* Kernels of less than 1 us are 0 where times are microseconds. */
TEST(zero_is_a_duration_where_clocks_are_coarse)
{
	struct trace t;

	for (int fine = 0; fine < 2; fine++) {
		begin(&t, NULL);
		on_stream(&t, "a", 10 * US, 0, 1);
		on_stream(&t, "a", 20 * US + (fine ? 500 : 0), 7 * US, 2);
		finish(&t);
		assert_int_equal(issues(&t, "zero-time"), fine);
		if (fine)
			assert_effect(&t, "zero-time", "a", 7 * US, 14 * US);
		end(&t);
	}
}

TEST(clocks_of_host_and_device)
{
	struct trace t;

	begin(&t, NULL);
	add_host_launch(&t, 100 * US, 1);
	add_host_launch(&t, 200 * US, 2);
	add_host_launch(&t, 300 * US, 3);
	add_host_launch(&t, 400 * US, 4);
	eventlog_device_wait(t.log, 310 * US, 350 * US);
	eventlog_device_wait(t.log, 110 * US, 120 * US);
	on_stream(&t, "a", 99 * US, 5 * US, 1);	  /* by 1 us: its resolution */
	on_stream(&t, "b", 150 * US, 5 * US, 2);  /* 50 us before its launch */
	on_stream(&t, "c", 345 * US, 12 * US, 3); /* 7 us after the wait had ended */
	on_stream(&t, "d", 500 * US, 5 * US, 4);  /* nothing waits for it */
	finish(&t);
	assert_int_equal(issues(&t, "before-launch"), 1);
	assert_effect(&t, "before-launch", "b", 50 * US, EFFECT_UNKNOWN);
	assert_int_equal(issues(&t, "after-sync"), 1);
	assert_effect(&t, "after-sync", "c", 7 * US, EFFECT_UNKNOWN);
	end(&t);
}

/* What each stream began with is lost only on streams of which no launch is there. */
TEST(kernels_without_launches_on_several_streams)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 1000 * US);
	add_host_launch(&t, US, 10);
	add_host_launch(&t, 2 * US, 11);
	on_lane(&t, "1", "a", 10 * US, 5 * US, 1); /* before the recording */
	on_lane(&t, "1", "a", 20 * US, 5 * US, 10);
	on_lane(&t, "2", "a", 30 * US, 7 * US, 2); /* lost */
	on_lane(&t, "2", "b", 40 * US, 3 * US, 3);
	on_lane(&t, "2", "a", 50 * US, 4 * US, 4);
	on_lane(&t, "3", "b", 60 * US, 50 * US, 5); /* before the recording */
	on_lane(&t, "3", "b", 120 * US, 5 * US, 11);
	finish(&t);
	assert_int_equal(issues(&t, "launch-before"), 2);
	assert_int_equal(issues(&t, "kernel-lost"), 3);
	/* 21 us in all, of which 7 and 4 are lost. */
	assert_effect(&t, "kernel-lost", "a", 10 * US, 21 * US);
	end(&t);
}

TEST(the_same_event_twice)
{
	struct trace t;
	struct event event;

	begin(&t, NULL);
	on_stream(&t, "a", 10 * US, 5 * US, 1);
	on_stream(&t, "a", 10 * US, 5 * US, 1);
	event = (struct event){.lane = lane(&t, "p", "1"),
		.op = op(&t, "host"),
		.start_ps = 10 * US,
		.dur_ps = 5 * US,
		.link = 7,
		.flags = EVENT_AROUND};
	add(&t, &event);
	event.link = 8; /* another one, in the first */
	add(&t, &event);
	event.dur_ps = 0;
	add(&t, &event);
	add(&t, &event); /* no time that would count twice */
	finish(&t);
	assert_int_equal(issues(&t, "duplicate-event"), 1);
	assert_effect(&t, "duplicate-event", "a", 5 * US, 10 * US);
	end(&t);
}

TEST(nothing_ends_long_after_the_recording)
{
	struct trace t;

	begin(&t, NULL);
	eventlog_set_end(t.log, 100 * US);
	add_op(&t, "host", 50 * US, SECOND);
	add_op(&t, "late", 60 * US, 2 * SECOND);
	on_stream(&t, "kernel", 50 * US, 3 * SECOND, 1);
	finish(&t);
	assert_int_equal(issues(&t, "long-event"), 2);
	assert_effect(&t, "long-event", "kernel", 0, 3 * SECOND);
	end(&t);
	begin(&t, NULL); /* it is not known when the recording ended */
	on_stream(&t, "kernel", 50 * US, 3 * SECOND, 1);
	finish(&t);
	assert_int_equal(issues(&t, "long-event"), 0);
	end(&t);
}

TEST(slices_that_are_not_in_each_other)
{
	struct trace t;
	const struct step_mark mark = {.process = 0,
		.numbered = true,
		.number = 1,
		.start_ps = 0,
		.end_ps = 100 * US,
		.thread = 1};

	begin(&t, NULL);
	add_op(&t, "outer", 0, 20 * US);
	add_op(&t, "inner", 15 * US, 10 * US);
	add_op(&t, "by 1 us", 30 * US, 10 * US);
	add_op(&t, "by 1 us", 39 * US, 2 * US);
	add_op(&t, "beyond", 90 * US, 50 * US);
	assert_int_equal(eventlog_mark(t.log, &mark, &t.err), 0);
	finish(&t);
	assert_int_equal(issues(&t, "bad-nesting"), 1);
	assert_effect(&t, "bad-nesting", "inner", 5 * US, 10 * US);
	assert_int_equal(issues(&t, "events-overlap"), 1);
	assert_int_equal(issues(&t, "step-crossing"), 1);
	assert_effect(&t, "step-crossing", "beyond", 10 * US, 50 * US);
	end(&t);
}

TEST(a_device_that_counts_from_another_zero)
{
	struct trace t;
	struct event event;

	for (int within = 0; within < 2; within++) {
		begin(&t, NULL);
		add_mark(&t, NULL, 1, 1000 * US, 1100 * US);
		add_op(&t, "host", 1010 * US, US);
		event = (struct event){
			.lane = lane(&t, "gpu", "7"), .op = op(&t, "kernel"), .dur_ps = 5 * US};
		eventlog_lane_at(t.log, event.lane)->accelerator = true;
		add(&t, &event);
		event.start_ps = within ? 1050 * US : 50 * US;
		add(&t, &event);
		finish(&t);
		assert_int_equal(issues(&t, "device-clock"), within ? 0 : 2);
		if (!within)
			assert_effect(&t, "device-clock", "kernel", 0, 10 * US);
		end(&t);
	}
}

TEST(a_stream_that_is_waited_for_is_idle)
{
	struct trace t;
	struct event wait = {.kind = EVENT_INSTANT, .start_ps = 20 * US};

	begin(&t, NULL);
	on_stream(&t, "a", 0, 10 * US, 1);
	on_stream(&t, "b", 10 * US, 15 * US, 2);
	wait.lane = lane(&t, "gpu", "7");
	wait.op = op(&t, "wait");
	add(&t, &wait);
	wait.start_ps = 25 * US;
	add(&t, &wait);
	finish(&t);
	assert_int_equal(issues(&t, "sync-overlap"), 1);
	assert_effect(&t, "sync-overlap", "b", 10 * US, 15 * US);
	end(&t);
}
