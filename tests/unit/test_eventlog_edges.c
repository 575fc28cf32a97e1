/* The log of events: what is equal, what starts at the end of a step, steps that overlap. */
#include "base/number.h"
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

/* EVENT_AROUND is around what is equal to it, and in what is longer; also on a lane whose number is
 * odd. */
TEST(around_is_outside_of_equal_events)
{
	const int64_t starts[] = {-(INT64_C(1) << 62) + 1, -1, 0, INT64_C(1) << 61};
	struct trace t;

	for (size_t i = 0; i < 4; i++) {
		begin(&t, NULL);
		lane(&t, "p", "0");
		add_op(&t, "inner", starts[i], 50);
		add_op(&t, "longer", starts[i], 51);
		add(&t, &(struct event){.lane = lane(&t, "p", "1"),
				.op = op(&t, "loop"),
				.start_ps = starts[i],
				.dur_ps = 50,
				.flags = EVENT_AROUND});
		finish(&t);
		assert_int_equal(cpu(&t, "inner", 0), 50);
		assert_int_equal(cpu(&t, "loop", 0), 0);
		assert_int_equal(cpu(&t, "longer", 0), 1);
		assert_int_equal(t.profile->step[0].start_ps, starts[i]);
		assert_int_equal(t.profile->issues.count, 0);
		end(&t);
	}
}

static void add_closed(
	struct trace *t, const char *of, int64_t number, int64_t start, int64_t end_ps)
{
	const struct step_mark mark = {.process = process(t, of),
		.number = number,
		.numbered = true,
		.start_ps = start,
		.end_ps = end_ps,
		.closed_end = true};

	assert_int_equal(eventlog_mark(t->log, &mark, &t->err), 0);
}

/* Steps [0, 10], [10, 20] (of which the first loses its last point) and [30, 40]; events start at
 * every fifth. */
TEST(closed_ends_take_what_starts_there)
{
	struct trace t;

	begin(&t, NULL);
	add_closed(&t, "p", 0, 0, 10);
	add_closed(&t, "p", 1, 10, 20);
	add_closed(&t, "p", 2, 30, 40);
	for (int64_t start = 0; start <= 45; start += 5)
		add_op(&t, "a", start, 0);
	finish(&t);
	assert_int_equal(t.profile->step_count, 3);
	assert_int_equal(calls(&t, "a", 0), 2); /* 0 5 */
	assert_int_equal(calls(&t, "a", 1), 3); /* 10 15 20 */
	assert_int_equal(calls(&t, "a", 2), 3); /* 30 35 40 */
	assert_int_equal(issues(&t, "event-outside"), 2);
	assert_int_equal(issues(&t, "step-overlap"), 0);
	assert_int_equal(step_at(&t, 1)->end_ps, 20);
	end(&t);
}

/* [0, 10] and [20, 30]: their last points, asked for first, are in them; the next ones are not. */
TEST(last_points_alone)
{
	struct trace t;

	begin(&t, NULL);
	add_closed(&t, "p", 0, 0, 10);
	add_closed(&t, "p", 1, 20, 30);
	add_op(&t, "a", 10, 0);
	add_op(&t, "b", 11, 0);
	add_op(&t, "a", 30, 0);
	add_op(&t, "b", 31, 0);
	finish(&t);
	assert_int_equal(calls(&t, "a", 0), 1);
	assert_int_equal(calls(&t, "a", 1), 1);
	assert_int_equal(issues(&t, "event-outside"), 2);
	end(&t);
}

/* Two processes whose steps overlap are one run: each event is in a step of its own process. */
TEST(joined_runs_may_overlap)
{
	struct trace t;

	begin(&t, NULL);
	eventlog_join_runs(t.log);
	add_mark(&t, "p", 0, 0, 100);
	add_mark(&t, "q", 1, 50, 150);
	add_mark(&t, "p", 2, 100, 200);
	add_op(&t, "a", 60, 7);
	add_op(&t, "a", 120, 3);
	add(&t, &(struct event){.lane = lane(&t, "q", "1"),
			.op = op(&t, "b"),
			.start_ps = 70,
			.dur_ps = 5});
	finish(&t);
	assert_int_equal(t.profile->step_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_null(t.profile->step[i].run);
	assert_int_equal(cpu(&t, "a", 0), 7);
	assert_int_equal(cpu(&t, "b", 1), 5);
	assert_int_equal(cpu(&t, "a", 2), 3);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
}

/* A step of all processes from 0 to 1000, in which a process has one of its own: what is in that is
 * not in the other one, also after events that were. */
TEST(own_steps_come_before_those_of_all)
{
	const struct step_mark all = {.process = EVENTLOG_ANY,
		.number = 9,
		.numbered = true,
		.start_ps = 0,
		.end_ps = 1000};
	struct trace t;

	begin(&t, NULL);
	eventlog_join_runs(t.log);
	add_mark(&t, "p", 0, 100, 200);
	assert_int_equal(eventlog_mark(t.log, &all, &t.err), 0);
	for (int64_t start = 50; start < 300; start += 10)
		add_op(&t, "a", start, 1);
	for (int64_t start = 50; start < 300; start += 10)
		add(&t, &(struct event){.lane = lane(&t, "q", "1"),
				.op = op(&t, "b"),
				.start_ps = start,
				.dur_ps = 1});
	finish(&t);
	assert_int_equal(t.profile->step_count, 2);
	assert_int_equal(calls(&t, "a", 0), 10);
	assert_int_equal(calls(&t, "a", 9), 15); /* 50 to 90 and 200 to 290 */
	assert_int_equal(calls(&t, "b", 9), 25);
	end(&t);
}

/* A million processes may have names. More may be named, which matters to no event; an event of one
 * of them is too much. */
TEST(processes_past_the_limit)
{
	char key[32];
	struct trace t;

	begin(&t, NULL);
	add_op(&t, "a", 0, 5);
	for (int i = 0; i < 1000001; i++) {
		uint32_t id =
			eventlog_process(t.log, key, (size_t)snprintf(key, sizeof(key), "%d", i));

		eventlog_name_process(t.log, id, "worker", 6);
		assert_int_equal(id == UINT32_MAX, i >= 999999);
	}
	assert_int_equal(eventlog_lane(t.log, UINT32_MAX, "1", 1, &t.err), UINT32_MAX);
	assert_int_equal(t.err.kind, ERROR_LIMIT);
	finish(&t);
	assert_int_equal(cpu(&t, "a", 0), 5);
	end(&t);
}

static int64_t unnumbered(const char *name, struct text *out)
{
	const size_t n = strcspn(name, "0123456789");
	int64_t number;

	if (strcmp(name, "file.py(12): f") != 0)
		text_add_bytes(out, name, n);
	return number_parse_int(name + n, strlen(name + n), &number) ? number : MARKER_UNNUMBERED;
}

/* Ten loops of 1000 ps in which an "eval" takes 600, a "load" 300, the first loop 9000. */
static void add_loops(struct trace *t)
{
	char name[16];

	for (int i = 0; i < 10; i++) {
		const int64_t at = i ? 8000 + 1000 * i : 0;

		snprintf(name, sizeof(name), "eval%d", i);
		add_op(t, name, at, i ? 600 : 8600);
		add_op(t, "eval", at + 10, 100); /* in it */
		add_op(t, "load", at + (i ? 600 : 8600), 300);
		add_op(t, "file.py(12): f", at + 20, 50);
		/* Twice a loop, 100 ps apart. */
		add_op(t, "pair", at + 200, 10);
		add_op(t, "pair", at + 300, 10);
		/* On a device: */
		add_kernel(t, at + 400, 0);
	}
}

/* What may mark steps: the name with its count, by how much it covers; no frame, no kernel, nothing
 * that is irregular, or that is over after a third of the recording. */
TEST(recurring_slices_are_found_where_nothing_marks_steps)
{
	struct eventlog_options opt = plain;
	const struct recurring *found;
	struct trace t;

	opt.marker_name = unnumbered;
	begin(&t, &opt);
	add_loops(&t);
	for (int i = 0; i < 5; i++)
		add_op(&t, "early", 10000 + 950 + 5 * i, 2);
	finish(&t);
	assert_int_equal(eventlog_recurring(t.log, &found), 2);
	assert_string_equal(found[0].name, "eval");
	assert_int_equal(found[0].count, 10);
	assert_int_equal(found[0].covered_ps, 8600 + 9 * 600);
	assert_string_equal(found[1].name, "load");
	assert_int_equal(found[1].count, 10);
	assert_int_equal(found[1].covered_ps, 3000);
	end(&t);
	begin(&t, &opt);
	add_loops(&t);
	add_mark(&t, NULL, 1, 0, 18000);
	finish(&t);
	assert_int_equal(eventlog_recurring(t.log, &found), 0);
	end(&t);
}

/* Slices with numbers that all rise, half of them by 1, come before those that cover more. */
TEST(slices_that_count_are_the_first)
{
	static const struct {
		int number[5];
		bool counts;
	} of[] = {{{3, 4, 5, 6, 7}, true}, {{0, 1, 3, 5, 6}, true}, {{0, 1, 3, 5, 7}, false},
		{{1, 2, 3, 3, 4}, false}, {{0, 1, 2, 0, 1}, false}};
	struct eventlog_options opt = plain;
	const struct recurring *found;

	opt.marker_name = unnumbered;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct trace t;

		begin(&t, &opt);
		for (int k = 0; k < 5; k++) {
			char name[16];

			snprintf(name, sizeof(name), "go %d", of[i].number[k]);
			add_op(&t, name, 100 * k, 10);
			add_op(&t, "work", 100 * k + 20, 70);
		}
		finish(&t);
		assert_int_equal(eventlog_recurring(t.log, &found), 2);
		assert_string_equal(found[0].name, of[i].counts ? "go " : "work");
		end(&t);
	}
}

/* Two threads run 3 and 4 of a name: both count, the one that they cover more says how much. Two
 * slices are not enough. */
TEST(recurring_slices_of_two_threads)
{
	struct eventlog_options opt = plain;
	const struct recurring *found;
	struct trace t;

	opt.marker_name = unnumbered;
	begin(&t, &opt);
	for (int i = 0; i < 7; i++)
		add(&t, &(struct event){.lane = lane(&t, "p", i < 3 ? "1" : "2"),
				.op = op(&t, "work"),
				.start_ps = 100 * (i < 3 ? i : i - 3),
				.dur_ps = 10});
	add_op(&t, "two", 0, 5);
	add_op(&t, "two", 200, 5);
	finish(&t);
	assert_int_equal(eventlog_recurring(t.log, &found), 1);
	assert_string_equal(found[0].name, "work");
	assert_int_equal(found[0].count, 7);
	assert_int_equal(found[0].covered_ps, 40);
	end(&t);
}

/* Slices of 10 ps in a recording that ends at 1000. Three are enough; of the changes from gap to
 * gap half may be by more than twice; they reach, with a gap after the last, over half of the
 * recording. */
TEST(slices_recur_from_here_on)
{
	static const struct {
		int at[4], count;
		bool recurs;
	} of[] = {{{0, 300, 600}, 3, true}, {{0, 300}, 2, false}, {{0, 200, 600}, 3, true},
		{{0, 200, 602}, 3, false}, {{0, 100, 200, 700}, 4, true},
		{{0, 100, 302, 708}, 4, false}, {{0, 125, 250, 375}, 4, true},
		{{0, 166, 333}, 3, false}};
	struct eventlog_options opt = plain;
	const struct recurring *found;

	opt.marker_name = unnumbered;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct trace t;

		begin(&t, &opt);
		for (int k = 0; k < of[i].count; k++)
			add_op(&t, "work", of[i].at[k], 10);
		add_op(&t, "end", 990, 10);
		finish(&t);
		assert_int_equal(eventlog_recurring(t.log, &found), of[i].recurs);
		end(&t);
	}
}
