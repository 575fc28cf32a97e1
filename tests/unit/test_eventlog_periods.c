/* The log of events: steps whose marks are only the launch, and periods. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

#define US INT64_C(1000000) /* ps */

static uint64_t links;

/* Launched at `at`, at work from `from` to `to`, in us. */
static void add_work(struct trace *t, int64_t at, int64_t from, int64_t to)
{
	const uint32_t gpu = lane(t, "gpu", "7");

	*eventlog_lane_at(t->log, gpu) = (struct lane){.process = process(t, "gpu"),
		.name = "stream 7",
		.device = "gpu:0",
		.accelerator = true,
		.flat = true};
	links++;
	add(t, &(struct event){.lane = lane(t, "host", "1"),
		       .op = op(t, "launch"),
		       .start_ps = at * US,
		       .dur_ps = US,
		       .link = links,
		       .flags = EVENT_LAUNCHES});
	add(t, &(struct event){.lane = gpu,
		       .op = op(t, "gemm"),
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US,
		       .link = links,
		       .flags = EVENT_LAUNCHED});
}

static void add_host_op(struct trace *t, int64_t from, int64_t to)
{
	add(t, &(struct event){.lane = lane(t, "host", "2"),
		       .op = op(t, "host op"),
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US});
}

static void add_host_mark(struct trace *t, int64_t number, int64_t from, int64_t to)
{
	add_mark(t, "host", number, from * US, to * US);
}

/* In us; -1: not known. */
static int64_t value(const struct trace *t, enum step_series_kind kind, size_t step)
{
	const int64_t *series = step_series_find(&t->profile->series, kind, "");

	return series && series[step] != CELL_ABSENT ? series[step] / US : -1;
}

/* time     0    10        50        90   100  110      150        190  200  210
 * marks    |---|                         |----|                        |----|
 * stream     [ work       ]                 [ work       ]                 [ work until 260 ]
 * host op                 [50, 55)                       [150, 155)                [250, 255) */
static void add_server(struct trace *t, int64_t work_end)
{
	for (int64_t i = 0; i < 3; i++) {
		add_host_mark(t, i, 100 * i, 100 * i + 10);
		add_work(t, 100 * i + 2, 100 * i + 5, 100 * i + work_end);
		add_host_op(t, 100 * i + 50, 100 * i + 55);
	}
}

static struct eventlog_options asking(enum step_time_kind kind)
{
	struct eventlog_options opt = plain;

	opt.step_time = kind;
	return opt;
}

TEST(marks_that_only_launch_make_periods)
{
	struct trace t;

	begin(&t, NULL);
	add_server(&t, 60);
	finish(&t);
	assert_null(step_series_find(&t.profile->series, SERIES_MARKER, ""));
	for (size_t s = 0; s < 3; s++) {
		assert_int_equal(value(&t, SERIES_LAUNCH, s), 10);
		assert_int_equal(value(&t, SERIES_PERIOD, s), s < 2 ? 100 : -1);
		assert_int_equal(cpu(&t, "host op", (int64_t)s), 5 * US);
	}
	end(&t);
}

/* The work of a step is from 5 to its end, the mark ends at 10: of 6 us a sixth, of 7 us more than
 * a quarter runs after it; exactly a fifth of 5 us is not more than a fifth. */
TEST(a_fifth_of_the_work_decides)
{
	static const struct {
		int64_t from, to;
		bool is_launch;
	} of[] = {{5, 11, false}, {5, 12, true}, {6, 11, false}, {0, 10, false}};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct trace t;

		begin(&t, NULL);
		for (int64_t s = 0; s < 3; s++) {
			add_host_mark(&t, s, 100 * s, 100 * s + 10);
			add_work(&t, 100 * s, 100 * s + of[i].from, 100 * s + of[i].to);
			add_host_op(&t, 100 * s + 50, 100 * s + 55);
		}
		finish(&t);
		assert_int_equal(value(&t, SERIES_LAUNCH, 1), of[i].is_launch ? 10 : -1);
		assert_int_equal(value(&t, SERIES_MARKER, 1), of[i].is_launch ? -1 : 10);
		assert_int_equal(value(&t, SERIES_PERIOD, 1), 100);
		assert_int_equal(cpu(&t, "host op", 1), of[i].is_launch ? 5 * US : CELL_ABSENT);
		end(&t);
	}
}

/* What is asked for decides which events are in a step, not what its marks are. */
TEST(the_option_decides_on_events)
{
	for (enum step_time_kind asked = STEP_TIME_MARKER; asked <= STEP_TIME_SPAN; asked++) {
		for (int64_t work_end = 10; work_end <= 60; work_end += 50) {
			const struct eventlog_options opt = asking(asked);
			const bool is_period = asked == STEP_TIME_PERIOD;
			struct trace t;

			begin(&t, &opt);
			add_server(&t, work_end);
			finish(&t);
			assert_int_equal(cpu(&t, "host op", 1), is_period ? 5 * US : CELL_ABSENT);
			assert_int_equal(value(&t, SERIES_LAUNCH, 1), work_end > 10 ? 10 : -1);
			assert_int_equal(value(&t, SERIES_MARKER, 1), work_end > 10 ? -1 : 10);
			assert_int_equal(value(&t, SERIES_PERIOD, 1), 100);
			end(&t);
		}
	}
}

/* From 0 to the last end of the device's work, 80; the host's op until 99 is later. */
TEST(a_single_launch_lasts_until_its_work_ends)
{
	struct trace t;

	begin(&t, NULL);
	add_host_mark(&t, 7, 0, 10);
	add_work(&t, 2, 5, 60);
	add_work(&t, 3, 60, 80);
	add_host_op(&t, 95, 99);
	finish(&t);
	assert_int_equal(value(&t, SERIES_LAUNCH, 0), 10);
	assert_int_equal(value(&t, SERIES_PERIOD, 0), 80);
	end(&t);
}

/* Marks that touch, and those that are whole steps by their nature, are no launches. */
TEST(whole_marks_are_markers)
{
	for (int touching = 0; touching < 2; touching++) {
		struct trace t;

		begin(&t, NULL);
		for (int64_t i = 0; i < (touching ? 3 : 1); i++) {
			const struct step_mark mark = {.process = process(&t, "host"),
				.start_ps = 100 * i * US,
				.end_ps = (100 * i + 99) * US + US / 10 * 9,
				.is_whole = !touching};

			assert_int_equal(eventlog_mark(t.log, &mark, &t.err), 0);
			add_work(&t, 100 * i + 50, 100 * i + 100, 100 * i + 150);
		}
		finish(&t);
		assert_null(step_series_find(&t.profile->series, SERIES_LAUNCH, ""));
		assert_int_equal(value(&t, SERIES_MARKER, 0), 99);
		assert_int_equal(value(&t, SERIES_PERIOD, 0), touching ? 100 : -1);
		end(&t);
	}
}

/* Gaps of a hundredth of the period are none; from there on they are. */
TEST(a_hundredth_of_the_period_is_no_gap)
{
	for (int64_t gap_ps = US; gap_ps <= US + 1; gap_ps++) {
		struct trace t;

		begin(&t, NULL);
		for (int64_t i = 0; i < 3; i++) {
			add_mark(&t, "host", i, 100 * i * US, 100 * (i + 1) * US - gap_ps);
			add_work(&t, 100 * i + 50, 100 * i + 100, 100 * i + 150);
		}
		finish(&t);
		assert_int_equal(step_series_find(&t.profile->series, SERIES_LAUNCH, "") != NULL,
			gap_ps > US);
		end(&t);
	}
}

/* Steps 2 to 8 are missing: step 1 has no period and takes nothing of theirs; the last one takes
 * no more than the longest period either. */
TEST(nothing_is_taken_from_missing_steps)
{
	const struct eventlog_options opt = asking(STEP_TIME_PERIOD);
	static const int64_t number[] = {0, 1, 9, 10};
	struct trace t;

	begin(&t, &opt);
	for (int64_t i = 0; i < 4; i++) {
		const int64_t at = i < 2 ? 100 * i : 500 + 100 * i;

		add_host_mark(&t, number[i], at, at + 10);
		add_host_op(&t, at + 50, at + 55);
		if (i % 2)
			add_host_op(&t, at + 150, at + 155);
	}
	finish(&t);
	for (size_t s = 0; s < 4; s++) {
		assert_int_equal(value(&t, SERIES_PERIOD, s), s % 2 ? -1 : 100);
		assert_int_equal(cpu(&t, "host op", number[s]), 5 * US);
	}
	end(&t);
}

/* Marks of two threads overlap: each step lasts until the next one of any thread begins. */
TEST(overlapping_marks_are_from_start_to_start)
{
	struct trace t;

	begin(&t, NULL);
	for (int64_t i = 0; i < 4; i++) {
		add_host_mark(&t, i, 50 * i, 50 * i + 60);
		add_work(&t, 50 * i + 5, 50 * i + 100, 50 * i + 150);
	}
	finish(&t);
	for (size_t s = 0; s < 4; s++)
		assert_int_equal(value(&t, SERIES_PERIOD, s), s < 3 ? 50 : -1);
	end(&t);
}

/* A mark without a duration takes no time; what the step takes is from mark to mark. */
TEST(points_have_periods)
{
	struct trace t;

	begin(&t, NULL);
	for (int64_t i = 0; i < 3; i++) {
		add_host_mark(&t, i, 100 * i, 100 * i);
		add_work(&t, 100 * i + 2, 100 * i + 5, 100 * i + 60);
		add_host_op(&t, 100 * i + 70, 100 * i + 75);
	}
	finish(&t);
	assert_null(step_series_find(&t.profile->series, SERIES_MARKER, ""));
	assert_null(step_series_find(&t.profile->series, SERIES_LAUNCH, ""));
	for (size_t s = 0; s < 3; s++) {
		assert_int_equal(value(&t, SERIES_PERIOD, s), s < 2 ? 100 : -1);
		assert_int_equal(value(&t, SERIES_SPAN, s), 73);
		assert_int_equal(cpu(&t, "host op", (int64_t)s), 5 * US);
	}
	end(&t);
}

/* Of marks in others only the outermost are steps: a point at the end of one is in none. */
TEST(a_point_at_the_end_is_outside)
{
	static const int64_t at[] = {0, 50, 99, 100};

	for (size_t i = 0; i < 4; i++) {
		struct trace t;

		begin(&t, NULL);
		for (int64_t m = 0; m < 2; m++) {
			const struct step_mark mark = {.process = process(&t, "host"),
				.number = m,
				.numbered = true,
				.start_ps = m ? at[i] * US : 0,
				.end_ps = m ? at[i] * US : 100 * US,
				.outermost = true};

			assert_int_equal(eventlog_mark(t.log, &mark, &t.err), 0);
		}
		add_host_op(&t, 10, 15);
		add_host_op(&t, 110, 115);
		finish(&t);
		assert_int_equal(t.profile->step_count, i == 3 ? 2 : 1);
		assert_int_equal(issues(&t, "step-nested"), i < 3);
		assert_int_equal(issues(&t, "step-point"), i == 3);
		end(&t);
	}
}

/* Periods are as long as times allow: the last step lasts until the end of all. */
TEST(the_longest_period_has_no_end)
{
	static const int64_t most = INT64_C(1) << 62;
	const struct eventlog_options opt = asking(STEP_TIME_PERIOD);
	struct trace t;

	begin(&t, &opt);
	add_mark(&t, "host", 0, -most, 10 - most);
	add_mark(&t, "host", 1, most - 100, most - 90);
	add(&t, &(struct event){.lane = lane(&t, "host", "2"),
			.op = op(&t, "first"),
			.start_ps = 5 - most,
			.dur_ps = 1});
	add(&t, &(struct event){.lane = lane(&t, "host", "2"),
			.op = op(&t, "last"),
			.start_ps = most - 50,
			.dur_ps = 7});
	finish(&t);
	assert_int_equal(cpu(&t, "first", 0), 1);
	assert_int_equal(cpu(&t, "last", 1), 7);
	end(&t);
}
