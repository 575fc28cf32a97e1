/* The log of events: small traces by hand. Random ones are in test_eventlog_random.c. */
#include "model/merge.h"
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

/* a [0, 100) with b [10, 40) with c [20, 30), and b [50, 60): self times by hand. */
TEST(nested_time_is_taken_off)
{
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "c", 20, 10);
	add_op(&t, "b", 50, 10);
	add_op(&t, "a", 0, 100);
	add_op(&t, "b", 10, 30);
	finish(&t);
	assert_int_equal(t.profile->step_count, 1);
	assert_true(t.profile->step[0].unnumbered);
	assert_int_equal(cpu(&t, "a", 0), 60);
	assert_int_equal(cpu(&t, "b", 0), 30);
	assert_int_equal(cpu(&t, "c", 0), 10);
	assert_int_equal(calls(&t, "b", 0), 2);
	assert_null(t.profile->obs.column[MEASURE_ACCELERATOR]);
	assert_null(t.profile->obs.column[MEASURE_TRANSFERRED]);
	assert_null(t.profile->totals);
	assert_true(t.profile->step[0].has_wall);
	assert_int_equal(t.profile->step[0].start_ps, 0);
	assert_int_equal(t.profile->step[0].end_ps, 100);
	assert_int_equal(t.profile->step[0].busy_ps, 100);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
}

/* Of equal starts the longer one is around the other, also where durations are rounded in the key
 * (above 2^40 ps). */
TEST(longer_of_equal_starts_is_outside)
{
	const int64_t longs[] = {50, (INT64_C(1) << 40) + 1, 61000000000000, INT64_C(1) << 61};
	struct trace t;

	for (size_t i = 0; i < 4; i++) {
		begin(&t, NULL);
		add_op(&t, "inner", -7, longs[i] - longs[i] / 1000000 - 1);
		add_op(&t, "outer", -7, longs[i]);
		finish(&t);
		assert_int_equal(cpu(&t, "outer", 0), longs[i] / 1000000 + 1);
		/* The last one is longer than 7 days. */
		assert_int_equal(issues(&t, "long-event"), i < 3 ? 0 : 2);
		assert_int_equal(t.profile->issues.count, i == 3);
		end(&t);
	}
}

/* Equal in all: the one that was added first is around the other. */
TEST(equal_events_nest_in_order_of_adding)
{
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "first", 5, 50);
	add_op(&t, "second", 5, 50);
	finish(&t);
	assert_int_equal(cpu(&t, "first", 0), 0);
	assert_int_equal(cpu(&t, "second", 0), 50);
	end(&t);
}

/* Equal times, as coarse clocks make them: numbers say which began first. */
TEST(equal_events_nest_by_their_links)
{
	const uint64_t links[] = {9, 7, 8};
	const char *const names[] = {"inner", "outer", "middle"};
	struct trace t;

	begin(&t, NULL);
	for (size_t i = 0; i < 3; i++)
		add(&t, &(struct event){.lane = lane(&t, "p", "1"),
				.op = op(&t, names[i]),
				.start_ps = 5,
				.dur_ps = 50,
				.link = links[i]});
	add_op(&t, "child", 10, 20);
	finish(&t);
	assert_int_equal(cpu(&t, "outer", 0), 0);
	assert_int_equal(cpu(&t, "middle", 0), 0);
	assert_int_equal(cpu(&t, "inner", 0), 30);
	end(&t);
}

/* b [50, 120) begins in a [0, 100) and ends after it: neither is taken off the other; c [60, 70) is
 * in b. */
TEST(partial_overlaps_follow_each_other)
{
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "b", 50, 70);
	add_op(&t, "a", 0, 100);
	add_op(&t, "c", 60, 10);
	add_op(&t, "out", -10, 200);
	finish(&t);
	assert_int_equal(cpu(&t, "a", 0), 100);
	assert_int_equal(cpu(&t, "b", 0), 60);
	assert_int_equal(cpu(&t, "c", 0), 10);
	assert_int_equal(cpu(&t, "out", 0), 200 - 100 - 70);
	assert_int_equal(issues(&t, "events-overlap"), 1);
	assert_int_equal(find_issue(&t, "events-overlap")->severity, ISSUE_INFO);
	assert_string_equal(
		find_issue(&t, "events-overlap")->place, "trace.json: op b, 1, ts 0.00005");
	end(&t);
}

/* Two that overlap fill 9 + 9 of the 10 around them. */
TEST(self_time_is_not_negative)
{
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "around", 0, 10);
	add_op(&t, "x", 0, 9);
	add_op(&t, "y", 1, 9);
	finish(&t);
	assert_int_equal(cpu(&t, "around", 0), 0);
	assert_int_equal(cpu(&t, "x", 0), 9);
	assert_int_equal(cpu(&t, "y", 0), 9);
	assert_int_equal(issues(&t, "self-negative"), 1);
	end(&t);
}

TEST(flat_and_silent_and_skipped_lanes)
{
	struct trace t;
	struct event event;

	begin(&t, NULL);
	event = (struct event){
		.lane = lane(&t, "p", "stream 7"), .op = op(&t, "kernel"), .dur_ps = 100};
	eventlog_lane_at(t.log, event.lane)->flat = true;
	eventlog_lane_at(t.log, event.lane)->accelerator = true;
	eventlog_lane_at(t.log, event.lane)->device = "gpu:0";
	add(&t, &event);
	event.start_ps = 50;
	add(&t, &event); /* both keep 100 */
	event.lane = lane(&t, "p", "noise");
	event.op = op(&t, "noise");
	eventlog_lane_at(t.log, event.lane)->skip = true;
	add(&t, &event);
	add(&t, &(struct event){.lane = lane(&t, "p", "1"),
			.start_ps = 0,
			.dur_ps = 1000,
			.kind = EVENT_SILENT}); /* a Python frame */
	add_op(&t, "a", 10, 20);
	finish(&t);
	assert_int_equal(cell_of(t.profile, "kernel", 0, MEASURE_ACCELERATOR), 200);
	assert_int_equal(cpu(&t, "kernel", 0), 0);
	assert_int_equal(cpu(&t, "a", 0), 20);
	assert_int_equal(cell_of(t.profile, "a", 0, MEASURE_ACCELERATOR), 0);
	assert_int_equal(calls(&t, "noise", 0), CELL_ABSENT);
	assert_int_equal(t.profile->obs.count, 2);
	assert_string_equal(t.profile->op[op(&t, "kernel")].device, "gpu:0");
	assert_string_equal(t.profile->op[op(&t, "a")].device, "");
	assert_int_equal(t.profile->step[0].end_ps, 150); /* the silent one is in no step's time */
	assert_int_equal(t.profile->step[0].busy_ps, 150);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
}

/* Marks 1 [0, 100) and 2 [100, 200); b of step 2 runs until 250. */
TEST(steps_are_those_of_the_start)
{
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "before", -20, 5);
	add_op(&t, "a", 0, 10);
	add_op(&t, "a", 90, 20);
	add_op(&t, "a", 100, 10);
	add_op(&t, "b", 150, 100);
	add_op(&t, "after", 260, 1);
	add_mark(&t, NULL, 2, 100, 200);
	add_mark(&t, NULL, 1, 0, 100);
	add_mark(&t, NULL, 3, 300, 400);
	assert_int_equal(eventlog_mark_count(t.log), 3);
	finish(&t);
	assert_int_equal(t.profile->step_count, 2);
	assert_int_equal(cpu(&t, "a", 1), 10 + 10); /* the third one is in the second */
	assert_int_equal(cpu(&t, "a", 2), 10);
	assert_int_equal(cpu(&t, "b", 2), 100);
	assert_int_equal(issues(&t, "event-outside"), 2);
	assert_int_equal(find_issue(&t, "event-outside")->severity, ISSUE_INFO);
	assert_string_equal(
		find_issue(&t, "event-outside")->place, "trace.json: op before, 1, ts -0.00002");
	assert_int_equal(issues(&t, "step-empty"), 1);
	assert_int_equal(step_at(&t, 1)->start_ps, 0);
	assert_int_equal(step_at(&t, 1)->end_ps, 110);
	assert_int_equal(step_at(&t, 1)->busy_ps, 30);
	assert_int_equal(step_at(&t, 2)->start_ps, 100);
	assert_int_equal(step_at(&t, 2)->end_ps, 250);
	assert_int_equal(step_at(&t, 2)->busy_ps, 110);
	end(&t);
}

TEST(open_ends_and_numbers_in_order_of_time)
{
	const struct step_mark later = {.process = EVENTLOG_ANY, .start_ps = 100, .open_end = true},
			       first = {.process = EVENTLOG_ANY, .start_ps = 0, .open_end = true};
	struct trace t;

	begin(&t, NULL);
	assert_int_equal(eventlog_mark(t.log, &later, &t.err), 0);
	assert_int_equal(eventlog_mark(t.log, &first, &t.err), 0);
	add_op(&t, "a", 40, 10);
	add_op(&t, "a", 500, 20);
	finish(&t);
	assert_int_equal(cpu(&t, "a", 0), 10);
	assert_int_equal(cpu(&t, "a", 1), 20);
	assert_int_equal(step_at(&t, 0)->start_ps, 0);
	assert_int_equal(step_at(&t, 0)->end_ps, 100);
	assert_int_equal(step_at(&t, 1)->start_ps, 100);
	assert_int_equal(step_at(&t, 1)->end_ps, 520);
	assert_false(step_at(&t, 1)->unnumbered);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
}

/* The same mark of two threads: one of them has the events. */
TEST(mark_written_twice_is_one_step)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 7, 0, 100);
	add_mark(&t, "p", 7, 0, 100);
	add_mark(&t, "p", 8, 100, 200);
	add_op(&t, "a", 10, 5);
	add_op(&t, "a", 110, 6);
	finish(&t);
	assert_int_equal(t.profile->step_count, 2);
	assert_int_equal(cpu(&t, "a", 7), 5);
	assert_int_equal(cpu(&t, "a", 8), 6);
	assert_int_equal(issues(&t, "step-empty"), 1);
	assert_int_equal(issues(&t, "event-outside"), 0);
	end(&t);
}

/* 1 [0, 150) is cut at 100, where 2 begins; 1 comes again at 200 and is a step of its own; one ends
 * before it starts. */
TEST(odd_marks_are_counted)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, NULL, 1, 200, 300);
	add_mark(&t, NULL, 1, 0, 150);
	add_mark(&t, NULL, 2, 100, 200);
	add_mark(&t, NULL, 3, 400, 399);
	add_op(&t, "a", 120, 1);
	add_op(&t, "a", 220, 5);
	add_op(&t, "a", 20, 7);
	finish(&t);
	assert_int_equal(t.profile->step_count, 3);
	assert_int_equal(cpu(&t, "a", 2), 1);
	assert_int_equal(t.profile->step[0].number, 1);
	assert_int_equal(t.profile->step[0].end_ps, 100);
	assert_int_equal(t.profile->step[2].number, 1);
	assert_int_equal(t.profile->step[2].start_ps, 200);
	assert_int_equal(issues(&t, "step-overlap"), 1);
	assert_int_equal(issues(&t, "step-backwards"), 1);
	assert_int_equal(issues(&t, "event-outside"), 0);
	end(&t);
}

static void put_on(struct trace *t, const char *of, int64_t start, int64_t dur)
{
	add(t, &(struct event){.lane = lane(t, of, "1"),
		       .op = op(t, "a"),
		       .start_ps = start,
		       .dur_ps = dur});
}

/* Two processes of one name have steps at the same times; a third has none and takes those of
 * all. */
TEST(processes_with_steps_are_runs)
{
	struct trace t;

	begin(&t, NULL);
	put_on(&t, "20", 5, 1);
	put_on(&t, "9", 5, 2);
	put_on(&t, "30", 5, 4);
	put_on(&t, "9", 15, 8);
	eventlog_name_process(t.log, process(&t, "9"), "rank", 4);
	eventlog_name_process(t.log, process(&t, "20"), "rank", 4);
	add_mark(&t, "20", 1, 0, 10);
	add_mark(&t, "9", 1, 0, 10);
	add_mark(&t, NULL, 7, 0, 100);
	put_on(&t, "20", 2000, 1);
	put_on(&t, "9", 3000, 1);
	finish(&t);
	assert_int_equal(issues(&t, "event-outside"), 2);
	assert_string_equal(find_issue(&t, "event-outside")->place,
		"trace.json: op a, 1, ts 0.003"); /* 9 comes before 20 */
	assert_int_equal(t.profile->step_count, 3);
	assert_null(t.profile->step[0].run);
	assert_int_equal(t.profile->step[0].number, 7);
	assert_string_equal(t.profile->step[1].run, "rank");
	assert_string_equal(t.profile->step[2].run, "rank (20)");
	assert_int_equal(t.profile->obs.count, 3);
	for (size_t i = 0; i < 3; i++) /* of 30 and of what is behind the steps of 9; 9; 20 */
		assert_int_equal(t.profile->obs.column[MEASURE_CPU][i],
			((int64_t[]){4 + 8, 2, 1})[t.profile->obs.step[i]]);
	end(&t);
}

/* ---- bytes ---- */

static void add_bytes(struct trace *t, int64_t start, enum event_bytes kind, int64_t bytes)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, "memory"),
		       .start_ps = start,
		       .kind = EVENT_INSTANT,
		       .bytes_kind = (uint8_t)kind,
		       .bytes = bytes});
}

TEST(bytes_belong_to_the_op_around)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, NULL, 1, 0, 1000);
	add_op(&t, "a", 0, 100);
	add_op(&t, "b", 10, 20);
	add(&t, &(struct event){.lane = lane(&t, "p", "1"),
			.start_ps = 15,
			.dur_ps = 5,
			.kind = EVENT_SILENT});
	add_bytes(&t, 16, BYTES_ALLOCATED, 512); /* in the silent one: b */
	add_bytes(&t, 28, BYTES_ALLOCATED, -200);
	add_bytes(&t, 30, BYTES_ALLOCATED, 64); /* b has ended: a */
	add_bytes(&t, 50, BYTES_OUTPUT, 32);
	add_bytes(&t, 100, BYTES_ALLOCATED, 7);	 /* a has ended */
	add_bytes(&t, 5000, BYTES_ALLOCATED, 9); /* outside of all steps */
	add(&t, &(struct event){.lane = lane(&t, "p", "1"),
			.op = op(&t, "copy"),
			.start_ps = 200,
			.dur_ps = 1,
			.bytes = 4096,
			.bytes_kind = BYTES_TRANSFERRED});
	finish(&t);
	assert_int_equal(cell_of(t.profile, "b", 1, MEASURE_REQUESTED), 512);
	assert_int_equal(cell_of(t.profile, "b", 1, MEASURE_RESIDUAL), 312);
	assert_int_equal(cell_of(t.profile, "a", 1, MEASURE_REQUESTED), 64);
	assert_int_equal(cell_of(t.profile, "a", 1, MEASURE_OUTPUT), 32);
	assert_int_equal(cell_of(t.profile, "copy", 1, MEASURE_TRANSFERRED), 4096);
	assert_int_equal(cell_of(t.profile, "copy", 1, MEASURE_REQUESTED), 0);
	assert_int_equal(cell_of(t.profile, "memory", 1, MEASURE_REQUESTED), 7);
	assert_int_equal(cell_of(t.profile, "memory", 1, MEASURE_OCCURRENCE), 0);
	assert_int_equal(issues(&t, "event-outside"), 1);
	end(&t);
}

/* ---- totals, merging of only children ---- */

/* What --value=total makes of the trace below: ops in order of name, of which the second is b. */
static void check_merged(struct profile *profile)
{
	const struct merge_options opt = {.mode = RUNS_AUTO};
	struct error err;
	struct cube *cube = merge_profiles(&profile, 1, &opt, &err), *totals;

	assert_non_null(cube);
	totals = cube_totals(cube, &err);
	assert_non_null(totals);
	assert_int_equal(totals->row_count, 3);
	for (uint32_t o = 0; o < 3; o++)
		assert_int_equal(cube_value(totals, MEASURE_TIME, o, totals->op_first[o]),
			((int64_t[]){100, 50, 10})[o]);
	assert_int_equal(totals->issues.count, cube->issues.count);
	cube_free(totals);
	cube_free(cube);
}

TEST(totals_count_the_outermost)
{
	struct eventlog_options opt = plain;
	struct trace t;

	opt.totals = true;
	begin(&t, &opt);
	add_kernel(&t, 5, 0); /* there is an accelerator */
	add_op(&t, "a", 0, 100);
	add_op(&t, "b", 10, 50);
	add_op(&t, "a", 20, 30); /* in a, by way of b */
	finish(&t);
	assert_int_equal(cpu(&t, "a", 0), 50 + 30);
	assert_non_null(t.profile->totals);
	assert_int_equal(cell_of(t.profile->totals, "a", 0, MEASURE_CPU), 100);
	assert_int_equal(cell_of(t.profile->totals, "a", 0, MEASURE_OCCURRENCE), 2);
	assert_int_equal(cell_of(t.profile->totals, "b", 0, MEASURE_CPU), 50);
	assert_int_equal(cell_of(t.profile->totals, "kernel", 0, MEASURE_ACCELERATOR), 10);
	assert_int_equal(cell_of(t.profile->totals, "kernel", 0, MEASURE_TIME), 10);
	assert_int_equal(cell_of(t.profile->totals, "a", 0, MEASURE_TIME), CELL_ABSENT);
	assert_int_equal(t.profile->totals->step_count, 1);
	check_merged(t.profile);
	end(&t);
}

/* a > a > (a, b): the second is the only child of an a, the third is not. d > d > d: both are. f >
 * f, f: none. */
TEST(only_children_are_merged)
{
	struct eventlog_options opt = plain;
	struct trace t;

	for (int merge = 0; merge < 2; merge++) {
		opt.merge_only_child = merge;
		begin(&t, &opt);
		add_op(&t, "a", 0, 100);
		add_op(&t, "a", 10, 80);
		add_op(&t, "a", 20, 10);
		add_op(&t, "b", 40, 10);
		add_op(&t, "d", 200, 100);
		add_op(&t, "d", 210, 50);
		add_op(&t, "d", 220, 30);
		add_op(&t, "f", 400, 100);
		add_op(&t, "f", 410, 20);
		add_op(&t, "f", 440, 20);
		finish(&t);
		assert_int_equal(cpu(&t, "a", 0), 90);
		assert_int_equal(calls(&t, "a", 0), merge ? 2 : 3);
		assert_int_equal(cpu(&t, "d", 0), 100);
		assert_int_equal(calls(&t, "d", 0), merge ? 1 : 3);
		assert_int_equal(calls(&t, "f", 0), 3);
		assert_int_equal(cpu(&t, "f", 0), 100);
		end(&t);
	}
}

/* ---- the sink ---- */

struct seen {
	size_t count;
	char text[2000];
	bool refuse;
};

static int see(void *context, const struct event_row *row, struct error *err)
{
	struct seen *seen = context;
	size_t used = strlen(seen->text);

	if (seen->refuse)
		return error_set(err, ERROR_OUTPUT, NULL, "no more");
	seen->count++;
	snprintf(seen->text + used, sizeof(seen->text) - used,
		"%s/%s/%s %s:%s %s %lld of %s, %lld+%lld self %lld depth %u\n", row->process,
		row->lane, row->device, row->op, row->type, row->has_step ? "step" : "none",
		(long long)row->step, row->run ? row->run : "-", (long long)row->event->start_ps,
		(long long)row->event->dur_ps, (long long)row->self_ps, row->depth);
	return 0;
}

TEST(rows_come_in_order)
{
	struct seen seen = {.count = 0};
	struct eventlog_options opt = plain;
	struct trace t;
	uint32_t id;

	opt.sink = see;
	opt.context = &seen;
	begin(&t, &opt);
	add_kernel(&t, 30, 1);
	put_on(&t, "10", 3, 4);
	put_on(&t, "9", 120, 4);
	put_on(&t, "9", 0, 100);
	id = lane(&t, "9", "1");
	eventlog_lane_at(t.log, id)->name = eventlog_text(t.log, "thread 1 of main", 8);
	eventlog_lane_at(t.log, id)->device = "cpu:0";
	add(&t, &(struct event){.lane = id,
			.op = eventlog_op(t.log, "b", 1, "T", 1),
			.start_ps = 10,
			.dur_ps = 30,
			.link = 1,
			.flags = EVENT_LAUNCHES});
	eventlog_name_process(t.log, process(&t, "9"), "main", 4);
	add_mark(&t, "9", 4, 0, 50);
	add_mark(&t, "10", 5, 0, 10);
	finish(&t);
	assert_string_equal(seen.text,
		"main/thread 1/cpu:0 a: step 4 of main, 0+100 self 70 depth 0\n"
		"main/thread 1/cpu:0 b:T step 4 of main, 10+30 self 30 depth 1\n"
		"main/thread 1/cpu:0 a: none 0 of -, 120+4 self 4 depth 0\n"
		"10/1/ a: step 5 of 10, 3+4 self 4 depth 0\n"
		"gpu/7/ kernel: step 4 of main, 30+10 self 10 depth 0\n");
	assert_int_equal(issues(&t, "event-outside"), 1);
	end(&t);
	seen.refuse = true;
	begin(&t, &opt);
	add_op(&t, "a", 0, 1);
	assert_int_equal(eventlog_finish(t.log, 0, true, &t.err), -1);
	assert_string_equal(t.err.message, "no more");
	end(&t);
}

/* ---- limits ---- */

TEST(what_is_out_of_range_is_counted)
{
	const int64_t most = INT64_C(1) << 62;
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "a", INT64_MIN, 1);
	add_op(&t, "a", INT64_MAX, 1);
	add_op(&t, "a", 0, most);
	add_op(&t, "a", 0, -1);
	add_op(&t, "a", 1, INT64_MAX);
	add_op(&t, "a", 1 - most, 5);
	add_op(&t, "a", most - 6, 5);
	for (int i = 0; i < 3; i++) { /* 3 * 2^61 are too many for the third one only */
		struct event event = {.lane = lane(&t, "p", (const char *[]){"x", "y", "z"}[i]),
			.op = op(&t, "long"),
			.dur_ps = most / 2,
			.bytes_kind = BYTES_TRANSFERRED,
			.bytes = INT64_MAX};

		add(&t, &event);
		event.start_ps = -most / 2;
		add(&t, &event);
	}
	finish(&t);
	assert_int_equal(issues(&t, "event-range"), 1); /* negative */
	assert_int_equal(issues(&t, "clock-jump"), 2);
	assert_int_equal(issues(&t, "long-event"), 2 + 6); /* left out, and longer than 7 days */
	assert_int_equal(cpu(&t, "a", 0), 10);
	assert_int_equal(cpu(&t, "long", 0), CELL_ABSENT); /* 6 * 2^61 */
	assert_int_equal(calls(&t, "long", 0), 6);
	assert_int_equal(issues(&t, "sum-range"), 2);
	assert_int_equal(t.profile->step[0].start_ps, 1 - most);
	assert_int_equal(t.profile->step[0].end_ps, most - 1);
	assert_int_equal(t.profile->step[0].busy_ps, 5 + most + 5);
	end(&t);
}

TEST(deep_nesting_is_cut)
{
	struct trace t;

	begin(&t, NULL);
	for (int i = 0; i < 5000; i++)
		add_op(&t, "a", i, 20000 - 2 * i);
	finish(&t);
	assert_int_equal(issues(&t, "nesting-deep"), 5000 - 4096);
	assert_int_equal(calls(&t, "a", 0), 5000);
	end(&t);
}

TEST(caps_are_kept)
{
	const struct step_mark mark = {.process = EVENTLOG_ANY, .numbered = true, .open_end = true};
	struct eventlog_options opt = plain;
	struct trace t;

	opt.limits.ops = 2;
	opt.limits.steps = 1;
	opt.limits.observations = 2;
	begin(&t, &opt);
	add_op(&t, "a", 0, 10);
	add_op(&t, "b", 20, 10);
	assert_int_equal(eventlog_mark(t.log, &mark, &t.err), 0);
	assert_int_equal(eventlog_mark(t.log, &mark, &t.err), -1);
	assert_int_equal(t.err.kind, ERROR_LIMIT);
	assert_string_equal(t.err.hint, "allow more with max-steps in stepstat.yaml");
	add_op(&t, "c", 40, 10);
	add_op(&t, "d", 60, 10);
	assert_int_equal(issues(&t, "names-capped"), 2);
	assert_int_equal(eventlog_finish(t.log, 0, false, &t.err), -1);
	assert_int_equal(t.err.kind, ERROR_LIMIT);
	assert_string_equal(t.err.message, "more than 2 observations (ops times steps)");
	end(&t);
	begin(&t, NULL);
	assert_int_equal(eventlog_lane(t.log, UINT32_MAX, "1", 1, &t.err), UINT32_MAX);
	assert_int_equal(t.err.kind, ERROR_LIMIT);
	end(&t);
}

TEST(types_and_devices_of_ops)
{
	struct trace t;
	uint32_t a, b;

	begin(&t, NULL);
	a = eventlog_op(t.log, "a", 1, "Conv", 4);
	b = eventlog_op(t.log, "b", 1, "Conv", 4);
	assert_int_equal(eventlog_op(t.log, "a", 1, "Conv", 4), a);
	assert_int_equal(eventlog_op(t.log, "b", 1, "Con", 3), b);
	eventlog_op(t.log, "b", 1, "Conv", 4);
	for (int i = 0; i < 3; i++) {
		uint32_t on = lane(&t, "p", (const char *[]){"x", "y", "z"}[i]);

		eventlog_lane_at(t.log, on)->device = i < 2 ? "gpu:0" : "gpu:1";
		add(&t, &(struct event){.lane = on, .op = a, .dur_ps = 1});
		if (i < 2)
			add(&t, &(struct event){.lane = on, .op = b, .dur_ps = 1});
	}
	finish(&t);
	assert_string_equal(t.profile->op[a].type, "Conv");
	assert_string_equal(t.profile->op[b].type, "");
	assert_string_equal(t.profile->op[a].device, "");
	assert_string_equal(t.profile->op[b].device, "gpu:0");
	assert_true(t.profile->op[a].params == CELL_ABSENT);
	end(&t);
}

TEST(nothing_at_all_is_no_step)
{
	struct trace t;

	begin(&t, NULL);
	finish(&t);
	assert_int_equal(t.profile->step_count, 0);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
	eventlog_free(NULL);
}
