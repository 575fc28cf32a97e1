/* The log of events: what each device did in each step, by time. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

#define US INT64_C(1000000) /* ps */

static void add_work(
	struct trace *t, const char *stream, const char *name, int64_t from, int64_t to)
{
	const uint32_t id = lane(t, "gpu", stream);

	eventlog_lane_at(t->log, id)->accelerator = true;
	eventlog_lane_at(t->log, id)->flat = true;
	eventlog_lane_at(t->log, id)->device = "gpu:0";
	add(t, &(struct event){.lane = id,
		       .op = op(t, name),
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US,
		       .link = (uint64_t)from + 1,
		       .flags = EVENT_LAUNCHED});
}

/* What starts at `starts` is launched at `at`. */
static void add_launch(struct trace *t, int64_t at, int64_t starts)
{
	add(t, &(struct event){.lane = lane(t, "host", "1"),
		       .op = op(t, "launch"),
		       .start_ps = at * US,
		       .dur_ps = US,
		       .link = (uint64_t)starts + 1,
		       .flags = EVENT_LAUNCHES});
}

/* In us; -1: not known. */
static int64_t part(const struct trace *t, enum step_series_kind kind, int64_t number)
{
	const int64_t *value = step_series_find(
		&t->profile->series, kind, kind < SERIES_DEVICE_FIRST ? "" : "gpu:0");

	for (size_t s = 0; s < t->profile->step_count; s++)
		if (value && t->profile->step[s].number == number && value[s] != CELL_ABSENT)
			return value[s] / US;
	return -1;
}

/* time     0    10   20   30   40   50   60   70   80   90  100  110  120  130
 * step 1   |------------- marker ----------|         |----- step 2, marker -|
 * stream 7      [compute ]    [compute     ]         [comp]
 * stream 8           [nccl     ]                          [memcpy  ]
 * Step 1 ends where step 2 starts. */
static void add_two_steps(struct trace *t)
{
	add_mark(t, "host", 1, 0, 70 * US);
	add_mark(t, "host", 2, 90 * US, 130 * US);
	eventlog_share_marks(t->log);
	add_launch(t, 2, 10);
	add_launch(t, 3, 20);
	add_launch(t, 5, 45);
	add_launch(t, 85, 90);
	add_launch(t, 91, 101);
	add_work(t, "7", "gemm", 10, 30);
	add_work(t, "8", "ncclDevKernel_AllReduce", 20, 40);
	add_work(t, "7", "gemm", 45, 70);
	add_work(t, "7", "gemm", 90, 100);
	add_work(t, "8", "Memcpy HtoD", 101, 120);
}

static void begin_two_steps(struct trace *t)
{
	begin(t, NULL);
	add_two_steps(t);
	finish(t);
}

TEST(parts_add_up_to_the_window)
{
	struct trace t;

	begin_two_steps(&t);
	assert_int_equal(part(&t, SERIES_COMPUTE, 1), 20 + 25);
	assert_int_equal(part(&t, SERIES_COMMUNICATION, 1), 10);
	assert_int_equal(part(&t, SERIES_COPIES, 1), 0);
	assert_int_equal(part(&t, SERIES_IDLE, 1), 10 + 5 + 20);
	assert_int_equal(part(&t, SERIES_HIDDEN, 1), 10);
	assert_int_equal(part(&t, SERIES_COMPUTE, 2), 10);
	assert_int_equal(part(&t, SERIES_COMMUNICATION, 2), 0);
	assert_int_equal(part(&t, SERIES_COPIES, 2), 19);
	assert_int_equal(part(&t, SERIES_IDLE, 2), 1 + 10);
	end(&t);
}

/* From 0 to 10 and from 70 to 90 the next kernel had not been launched when the gap began; the
 * kernel at 45 had been launched at 5, before the gap from 40 on; the copy at 101 was launched
 * before 100 and followed within 2 us; nothing came after 120. */
TEST(idle_has_a_cause)
{
	struct trace t;

	begin_two_steps(&t);
	assert_int_equal(part(&t, SERIES_HOST_LATE, 1), 10 + 20);
	assert_int_equal(part(&t, SERIES_WAITED, 1), 5);
	assert_int_equal(part(&t, SERIES_GAPS, 1), 0);
	assert_int_equal(part(&t, SERIES_HOST_LATE, 2), 10);
	assert_int_equal(part(&t, SERIES_WAITED, 2), 0);
	assert_int_equal(part(&t, SERIES_GAPS, 2), 1);
	end(&t);
}

/* All launched early: 2 us between two kernels are a gap, 3 us are waited for. */
TEST(two_microseconds_are_a_gap)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "host", 1, 0, 100 * US);
	eventlog_share_marks(t.log);
	add_launch(&t, 0, 10);
	add_launch(&t, 1, 22);
	add_launch(&t, 2, 35);
	add_work(&t, "7", "gemm", 10, 20);
	add_work(&t, "7", "gemm", 22, 32);
	add_work(&t, "7", "gemm", 35, 50);
	finish(&t);
	assert_int_equal(part(&t, SERIES_GAPS, 1), 2);
	assert_int_equal(part(&t, SERIES_WAITED, 1), 3);
	end(&t);
}

TEST(steps_have_three_times)
{
	struct trace t;

	begin_two_steps(&t);
	assert_int_equal(part(&t, SERIES_MARKER, 1), 70);
	assert_int_equal(part(&t, SERIES_MARKER, 2), 40);
	assert_int_equal(part(&t, SERIES_PERIOD, 1), 90);
	assert_int_equal(part(&t, SERIES_PERIOD, 2), -1); /* the last one has none */
	/* From the launch at 2 to the end of the kernel at 70; the launch at 85 is in no step. */
	assert_int_equal(part(&t, SERIES_SPAN, 1), 68);
	assert_int_equal(part(&t, SERIES_SPAN, 2), 120 - 91);
	end(&t);
}

/* A trace without marks is one step without a marker; the device has it as its window. */
TEST(without_marks_the_span_is_the_window)
{
	struct trace t;

	begin(&t, NULL);
	add_launch(&t, 0, 10);
	add_work(&t, "7", "gemm", 10, 30);
	add_op(&t, "host op", 35 * US, 5 * US);
	finish(&t);
	assert_int_equal(part(&t, SERIES_MARKER, 0), -1);
	assert_int_equal(part(&t, SERIES_COMPUTE, 0), 20);
	assert_int_equal(part(&t, SERIES_IDLE, 0), 10 + 10);
	assert_int_equal(part(&t, SERIES_HOST_LATE, 0), 10 + 10);
	end(&t);
}

/* What is around other events on a lane is what these do; its own stretches are compute. */
TEST(around_communication_is_no_compute)
{
	struct trace t;
	uint32_t id;

	begin(&t, NULL);
	add_mark(&t, NULL, 1, 0, 100 * US);
	id = lane(&t, "tpu", "ops");
	eventlog_lane_at(t.log, id)->accelerator = true;
	eventlog_lane_at(t.log, id)->device = "gpu:0";
	add(&t, &(struct event){.lane = id, .op = op(&t, "while"), .dur_ps = 80 * US});
	add(&t, &(struct event){.lane = id,
			.op = op(&t, "all-reduce.1"),
			.start_ps = 10 * US,
			.dur_ps = 20 * US});
	finish(&t);
	assert_int_equal(part(&t, SERIES_COMPUTE, 1), 60);
	assert_int_equal(part(&t, SERIES_COMMUNICATION, 1), 20);
	assert_int_equal(part(&t, SERIES_IDLE, 1), 20);
	assert_int_equal(part(&t, SERIES_HIDDEN, 1), 0);
	end(&t);
}

/* How long anything ran is left out where it is not asked for and all steps are windows of a device
 * with work. */
TEST(parts_may_suffice)
{
	const struct {
		bool suffice, two_processes, too_many;
		int64_t work_us;
		bool is_known;
	} of[] = {
		{true, false, false, 4, false}, {false, false, false, 4, true},
		{true, true, false, 4, true}, /* the other process has a step without a device */
		{true, false, false, 0, true},
		{true, false, true, 4, true}, /* values of devices, so that none are made */
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct eventlog_options opt = plain;
		struct trace t;

		opt.ops_suffice = of[i].suffice;
		opt.limits.observations = of[i].too_many ? 4 : opt.limits.observations;
		begin(&t, &opt);
		add_mark(&t, "host", 1, 0, 50 * US);
		if (of[i].two_processes) {
			add_mark(&t, "p", 7, 0, 50 * US);
			add_op(&t, "op", 30 * US, US);
		} else {
			eventlog_share_marks(t.log);
		}
		add_launch(&t, 1, 20);
		add_work(&t, "7", "gemm", 20, 20 + of[i].work_us);
		finish(&t);
		assert_true(t.profile->step_count >= 1 && step_at(&t, 1)->has_wall);
		assert_int_equal(step_knows_busy(step_at(&t, 1)), of[i].is_known);
		if (of[i].is_known) /* the launch, the work */
			assert_int_equal(step_at(&t, 1)->busy_ps, (1 + of[i].work_us) * US);
		else
			assert_int_equal(part(&t, SERIES_COMPUTE, 1), of[i].work_us);
		end(&t);
	}
}

/* All the work of a device has no length in its place, but a time of its own. */
TEST(work_may_have_no_length)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, NULL, 1, 0, 50 * US);
	const uint32_t id = lane(&t, "gpu", "line");

	eventlog_lane_at(t.log, id)->accelerator = true;
	eventlog_lane_at(t.log, id)->device = "gpu:0";
	add(&t, &(struct event){.lane = id,
			.op = op(&t, "gemm"),
			.start_ps = 10 * US,
			.bytes = -20 * US,
			.flags = EVENT_NESTS});
	finish(&t);
	assert_int_equal(part(&t, SERIES_COMPUTE, 1), 20);
	end(&t);
}

/* Of `all` launches in step 2 so many lack in the device's records. Of kernels a twentieth may; the
 * kernels of a replay are many. Step 1 lost nothing. */
TEST(idle_beside_lost_work_has_no_cause)
{
	static const struct {
		uint32_t trait;
		int all, lost, late_us;
	} of[] = {{LAUNCH_KERNEL, 20, 1, 10}, {LAUNCH_KERNEL, 19, 1, 0}, {LAUNCH_KERNEL, 20, 2, 0},
		{LAUNCH_REPLAY, 30, 1, 0}, {LAUNCH_REPLAY, 30, 0, 10}};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct trace t;

		begin(&t, NULL);
		add_two_steps(&t);
		for (int k = 0; k < of[i].all; k++)
			add(&t, &(struct event){.lane = lane(&t, "host", "1"),
					.op = op(&t, "launch"),
					.start_ps = 92 * US + k,
					.link = k < of[i].lost ? 1000 + (uint64_t)k : 102,
					.flags = EVENT_LAUNCHES,
					.label = of[i].trait});
		finish(&t);
		assert_int_equal(part(&t, SERIES_IDLE, 2), 11);
		assert_int_equal(part(&t, SERIES_HOST_LATE, 2), of[i].late_us);
		assert_int_equal(part(&t, SERIES_HOST_LATE, 1), 30);
		end(&t);
	}
}

/* Where events nest a launch is of the outermost: it explains no rest. */
TEST(launches_explain_rests_of_flat_lanes)
{
	for (int is_flat = 0; is_flat < 2; is_flat++) {
		struct trace t;

		begin(&t, NULL);
		add_mark(&t, "host", 1, 0, 50 * US);
		eventlog_share_marks(t.log);
		add_launch(&t, 5, 10);
		add_work(&t, "7", "gemm", 10, 50);
		eventlog_lane_at(t.log, lane(&t, "gpu", "7"))->flat = is_flat;
		finish(&t);
		assert_int_equal(part(&t, SERIES_IDLE, 1), 10);
		assert_int_equal(part(&t, SERIES_HOST_LATE, 1), is_flat ? 10 : 0);
		end(&t);
	}
}

/* A stream works on something long while it does much else: no part of its time, and no range of
 * links, hides that. It rests before, and for half of the time after. */
TEST(what_is_long_is_at_work_in_all_parts)
{
	for (size_t threads = 1; threads <= 16; threads *= 2) {
		struct eventlog_options opt = plain;
		struct trace t;

		opt.threads = threads;
		begin(&t, &opt);
		add_mark(&t, "host", 1, 0, 4000 * US);
		eventlog_share_marks(t.log);
		for (int64_t i = 0; i < 200; i++)
			add_launch(&t, i < 100 ? i : 10 * i + 990, i < 100 ? 100 + 10 * i : 20 * i);
		for (int64_t i = 0; i < 100; i++)
			add_work(&t, "7", i % 2 ? "nccl" : "long", 100 + 10 * i,
				i ? 104 + 10 * i : 2000);
		for (int64_t i = 100; i < 200; i++)
			add_work(&t, "7", "memcpy", 20 * i, 20 * i + 10);
		finish(&t);
		assert_int_equal(part(&t, SERIES_COMPUTE, 1), 1900);
		assert_int_equal(part(&t, SERIES_HIDDEN, 1), 50 * 4);
		assert_int_equal(part(&t, SERIES_COPIES, 1), 1000);
		assert_int_equal(part(&t, SERIES_IDLE, 1), 100 + 1000);
		end(&t);
	}
}
