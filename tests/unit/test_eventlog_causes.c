/* The log of events: what the host did while a device was idle because the host was late. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

#define US INT64_C(1000000) /* ps */

static void add_work(struct trace *t, const char *device, int64_t link, int64_t from, int64_t to)
{
	const uint32_t id = lane(t, device, "7");

	eventlog_lane_at(t->log, id)->accelerator = true;
	eventlog_lane_at(t->log, id)->flat = true;
	eventlog_lane_at(t->log, id)->device = device;
	add(t, &(struct event){.lane = id,
		       .op = op(t, "gemm"),
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US,
		       .link = (uint64_t)link,
		       .flags = EVENT_LAUNCHED});
}

/* A call of 1 us. */
static void add_launch(struct trace *t, const char *thread, int64_t at, int64_t link)
{
	add(t, &(struct event){.lane = lane(t, "host", thread),
		       .op = op(t, "launch"),
		       .start_ps = at * US,
		       .dur_ps = US,
		       .link = (uint64_t)link,
		       .flags = EVENT_LAUNCHES});
}

static void add_host_op(
	struct trace *t, const char *thread, const char *name, int64_t from, int64_t to)
{
	add(t, &(struct event){.lane = lane(t, "host", thread),
		       .op = op(t, name),
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US,
		       .flags = EVENT_AROUND});
}

static void add_context(struct trace *t, const char *thread, const char *name, uint64_t number,
	int64_t from, int64_t to)
{
	add(t, &(struct event){.kind = EVENT_CONTEXT,
		       .lane = lane(t, "host", thread),
		       .op = eventlog_context(t->log, name, strlen(name)),
		       .link = number,
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US});
}

/* In us; -1: there is no such series, or it is not known. */
static int64_t series(const struct trace *t, enum step_series_kind kind, const char *device,
	const char *cause, int64_t number)
{
	const struct step_series_list *list = &t->profile->series;

	for (size_t i = 0; i < list->count; i++) {
		const struct step_series *of = &list->item[i];

		if (of->kind != kind || strcmp(of->device, device) || strcmp(of->cause, cause))
			continue;
		for (size_t s = 0; s < t->profile->step_count; s++)
			if (t->profile->step[s].number == number && of->value_ps[s] != CELL_ABSENT)
				return of->value_ps[s] / US;
	}
	return -1;
}

static int64_t outermost(const struct trace *t, const char *name, int64_t number)
{
	return series(t, SERIES_LATE_OUTERMOST, "gpu:0", name, number);
}

static int64_t innermost(const struct trace *t, const char *name, int64_t number)
{
	return series(t, SERIES_LATE_INNERMOST, "gpu:0", name, number);
}

/* Both kinds add up to the whole, in each step and to the picosecond. */
static void assert_adds_up(const struct trace *t, const char *device)
{
	const struct step_series_list *list = &t->profile->series;
	const int64_t *late = step_series_find(list, SERIES_HOST_LATE, device);

	for (size_t s = 0; s < t->profile->step_count; s++) {
		int64_t sum[2] = {0, 0};

		for (size_t i = 0; i < list->count; i++) {
			if (*list->item[i].cause && strcmp(list->item[i].device, device) == 0)
				sum[list->item[i].kind == SERIES_LATE_INNERMOST] +=
					list->item[i].value_ps[s];
		}
		assert_int_equal(sum[0], late[s]);
		assert_int_equal(sum[1], late[s]);
	}
}

/* time     0    10   20   30   40   50   60   70   80   90  100
 * step 1   |------------- marker ------------------------------|
 * main        [load               ]  [opt    ]
 *                [decode] [copy]        L(57)
 * gpu:0    late until 25, which is launched at 22, is the work; late from 30 to 60 */
static void add_nested(struct trace *t)
{
	add_mark(t, "host", 1, 0, 100 * US);
	eventlog_share_marks(t->log);
	add_host_op(t, "1", "load", 5, 45);
	add_host_op(t, "1", "decode", 10, 20);
	add_launch(t, "1", 22, 1);
	add_host_op(t, "1", "copy", 28, 40);
	add_host_op(t, "1", "opt", 50, 59);
	add_launch(t, "1", 57, 2);
	add_work(t, "gpu:0", 1, 25, 30);
	add_work(t, "gpu:0", 2, 60, 100);
}

TEST(nested_ops_share_a_gap)
{
	struct trace t;

	begin(&t, NULL);
	add_nested(&t);
	finish(&t);
	assert_int_equal(series(&t, SERIES_HOST_LATE, "gpu:0", "", 1), 25 + 30);
	assert_int_equal(outermost(&t, "load", 1), 20 + 15);
	assert_int_equal(outermost(&t, "opt", 1), 9);
	assert_int_equal(outermost(&t, "[nothing recorded]", 1), 5 + 5 + 1);
	assert_int_equal(innermost(&t, "decode", 1), 10);
	assert_int_equal(innermost(&t, "launch", 1), 1 + 1);
	assert_int_equal(innermost(&t, "load", 1), 5 + 2 + 2 + 5);
	assert_int_equal(innermost(&t, "copy", 1), 10);
	assert_int_equal(innermost(&t, "opt", 1), 7 + 1);
	assert_int_equal(innermost(&t, "[nothing recorded]", 1), 11);
	assert_int_equal(outermost(&t, "decode", 1), -1);
	assert_adds_up(&t, "gpu:0");
	end(&t);
}

/* The gap from 20 to 50 ends with a launch of thread 2; that from 60 on, after the last work, is of
 * the same thread. What thread 1 does is not asked. */
TEST(the_thread_that_launches_next_is_asked)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "host", 1, 0, 100 * US);
	eventlog_share_marks(t.log);
	add_host_op(&t, "1", "wait", 0, 99);
	add_launch(&t, "1", 1, 1);
	add_host_op(&t, "2", "backward", 30, 70);
	add_launch(&t, "2", 40, 2);
	add_work(&t, "gpu:0", 1, 2, 20);
	add_work(&t, "gpu:0", 2, 50, 60);
	finish(&t);
	assert_int_equal(series(&t, SERIES_HOST_LATE, "gpu:0", "", 1), 2 + 30 + 40);
	assert_int_equal(outermost(&t, "wait", 1), 2);
	assert_int_equal(outermost(&t, "backward", 1), 20 + 10);
	assert_int_equal(outermost(&t, "[nothing recorded]", 1), 10 + 30);
	assert_int_equal(innermost(&t, "launch", 1), 1 + 1);
	assert_adds_up(&t, "gpu:0");
	end(&t);
}

/* One gap from 20 to 150 over the border at 100; what reaches over it is in both steps. Until and
 * after the windows nothing is counted. */
TEST(a_gap_spans_two_steps)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "host", 1, 0, 100 * US);
	add_mark(&t, "host", 2, 100 * US, 200 * US);
	eventlog_share_marks(t.log);
	add_launch(&t, "1", 1, 1);
	add_host_op(&t, "1", "epoch", 0, 200);
	add_host_op(&t, "1", "load", 80, 130);
	add_launch(&t, "1", 140, 2);
	add_work(&t, "gpu:0", 1, 0, 20);
	add_work(&t, "gpu:0", 2, 150, 200);
	finish(&t);
	assert_int_equal(series(&t, SERIES_HOST_LATE, "gpu:0", "", 1), 80);
	assert_int_equal(series(&t, SERIES_HOST_LATE, "gpu:0", "", 2), 50);
	assert_int_equal(outermost(&t, "load", 1), 20);
	assert_int_equal(outermost(&t, "load", 2), 30);
	/* An op around whole steps is below none; it is named where nothing else is open. */
	assert_int_equal(outermost(&t, "epoch", 1), 60);
	assert_int_equal(outermost(&t, "launch", 2), 1);
	assert_int_equal(outermost(&t, "epoch", 2), 10 + 9);
	assert_int_equal(innermost(&t, "epoch", 1), 60);
	assert_adds_up(&t, "gpu:0");
	end(&t);
}

/* A context is the innermost where it began last, and the outermost only where no op is open. Of
 * two that are equal in time that of the lower number is around the other. */
TEST(contexts_are_open_too)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "host", 1, 0, 100 * US);
	eventlog_share_marks(t.log);
	add_context(&t, "1", "train", 1, 2, 90);
	add_context(&t, "1", "inner", 4, 10, 30);
	add_context(&t, "1", "outer", 3, 10, 30);
	add_host_op(&t, "1", "step", 20, 60);
	add_context(&t, "1", "sleep", 5, 40, 50);
	add_launch(&t, "1", 70, 1);
	add_work(&t, "gpu:0", 1, 75, 100);
	finish(&t);
	assert_int_equal(outermost(&t, "train", 1), 18 + 10 + 4);
	assert_int_equal(outermost(&t, "launch", 1), 1);
	assert_int_equal(outermost(&t, "step", 1), 40);
	assert_int_equal(outermost(&t, "[nothing recorded]", 1), 2);
	assert_int_equal(innermost(&t, "train", 1), 8 + 10 + 4);
	assert_int_equal(innermost(&t, "inner", 1), 10);
	assert_int_equal(innermost(&t, "outer", 1), -1);
	assert_int_equal(innermost(&t, "step", 1), 20 + 10);
	assert_int_equal(innermost(&t, "sleep", 1), 10);
	assert_adds_up(&t, "gpu:0");
	assert_int_equal(t.profile->op_count, 3); /* contexts are no ops */
	end(&t);
}

static void add_typed(struct trace *t, const char *name, const char *type, int64_t from, int64_t to)
{
	add(t, &(struct event){.lane = lane(t, "host", "1"),
		       .op = eventlog_op(t->log, name, strlen(name), type, strlen(type)),
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US,
		       .flags = EVENT_AROUND});
}

/* An annotation of 900 of 1000 us is around the step while another annotation is in it, and one of
 * 899 is not; an op in it is only part of it. */
TEST(what_is_around_nearly_all_of_a_step_is_no_cause)
{
	struct trace t;

	for (int shorter = 0; shorter < 2; shorter++) {
		begin(&t, NULL);
		add_mark(&t, "host", 1, 0, 1000 * US);
		eventlog_share_marks(t.log);
		add_typed(&t, "train", "note", 0, 900 - shorter);
		add_typed(&t, "data", "note", 100, 400);
		add_typed(&t, "decode", "op", 200, 300);
		add_typed(&t, "copy", "op", 500, 600);
		add_typed(&t, "log", "note", 520, 560); /* in an op in it */
		add_launch(&t, "1", 700, 1);
		add_work(&t, "gpu:0", 1, 701, 1000);
		finish(&t);
		assert_int_equal(outermost(&t, "data", 1), shorter ? -1 : 300);
		assert_int_equal(outermost(&t, "copy", 1), shorter ? -1 : 40);
		assert_int_equal(outermost(&t, "train", 1), shorter ? 701 : 701 - 340);
		assert_int_equal(outermost(&t, "decode", 1), -1);
		assert_int_equal(innermost(&t, "decode", 1), 100);
		assert_adds_up(&t, "gpu:0");
		end(&t);
	}
}

/* 257 devices are late at once: what the thread did is known for 256 of them, the first by order of
 * their lanes and not of the events. */
TEST(stretches_at_once_are_bounded)
{
	struct trace t;

	for (int i = 0; i < 4; i++) {
		const int devices = 256 + i % 2;
		const bool backwards = i >= 2;

		begin(&t, NULL);
		add_mark(&t, "host", 1, 0, 100 * US);
		eventlog_share_marks(t.log);
		add_host_op(&t, "1", "load", 0, 50);
		for (int k = 0; k < devices; k++) {
			const int number = backwards ? devices - 1 - k : k;
			char *name = arena_printf(t.profile->arena, "gpu:%d", number);

			add_launch(&t, "1", 60, 1 + number);
			add_work(&t, name, 1 + number, 65, 100);
		}
		finish(&t);
		int known = 0;

		for (int k = 0; k < devices; k++) {
			const char *name = arena_printf(t.profile->arena, "gpu:%d", k);

			known += series(&t, SERIES_LATE_OUTERMOST, name, "load", 1) == 50;
			assert_adds_up(&t, name);
		}
		assert_int_equal(known, 256);
		assert_int_equal(issues(&t, "causes-many"), i % 2);
		end(&t);
	}
}

/* Ops that only overlap are not deep; of 1024 in each other the innermost counts, more do not. */
TEST(depth_is_bounded)
{
	struct trace t;

	for (int i = 0; i < 3; i++) {
		const int ops = i ? 1023 + i : 3000;

		begin(&t, NULL);
		add_mark(&t, "host", 1, 0, 10000 * US);
		eventlog_share_marks(t.log);
		for (int k = 0; k < ops; k++)
			add_host_op(&t, "1",
				k == 1023  ? "last"
				: k > 1023 ? "more"
					   : "op",
				1 + k, i ? 8000 - k : 501 + k);
		add_launch(&t, "1", 9000, 1);
		add_work(&t, "gpu:0", 1, 9001, 10000);
		finish(&t);
		assert_int_equal(issues(&t, "causes-deep"), i == 2);
		assert_int_equal(innermost(&t, "more", 1), i ? -1 : 501 + 2999 - 1025);
		if (i)
			assert_int_equal(innermost(&t, "last", 1), 8000 - 1023 - 1024);
		assert_adds_up(&t, "gpu:0");
		end(&t);
	}
}

/* Two devices wait for one thread at the same time; each has all of it. */
TEST(devices_wait_side_by_side)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "host", 1, 0, 100 * US);
	eventlog_share_marks(t.log);
	add_host_op(&t, "1", "load", 0, 50);
	add_launch(&t, "1", 60, 1);
	add_launch(&t, "1", 62, 2);
	add_work(&t, "gpu:0", 1, 65, 100);
	add_work(&t, "gpu:1", 2, 70, 100);
	finish(&t);
	assert_int_equal(outermost(&t, "load", 1), 50);
	assert_int_equal(series(&t, SERIES_LATE_OUTERMOST, "gpu:1", "load", 1), 50);
	assert_int_equal(series(&t, SERIES_LATE_INNERMOST, "gpu:1", "launch", 1), 2);
	assert_adds_up(&t, "gpu:0");
	assert_adds_up(&t, "gpu:1");
	end(&t);
}

/* Of 40 names the largest 32 are kept apart. */
TEST(small_names_are_one)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "host", 1, 0, 2000 * US);
	eventlog_share_marks(t.log);
	for (int64_t i = 1, at = 0; i <= 40; at += i++) {
		char name[8] = {'o', 'p', (char)('0' + i / 10), (char)('0' + i % 10)};

		add_host_op(&t, "1", name, at, at + i);
	}
	add_launch(&t, "1", 900, 1);
	add_work(&t, "gpu:0", 1, 901, 2000);
	finish(&t);
	/* 820 us of ops, 80 of nothing, 1 of the launch: op40 to op10 and nothing are the largest.
	 */
	assert_int_equal(outermost(&t, "op40", 1), 40);
	assert_int_equal(outermost(&t, "[nothing recorded]", 1), 80);
	assert_int_equal(outermost(&t, "op10", 1), 10);
	assert_int_equal(outermost(&t, "op09", 1), -1);
	assert_int_equal(outermost(&t, "[other]", 1), 1 + 45);
	assert_adds_up(&t, "gpu:0");
	end(&t);
}

/* Ops of the host that are one row: the outermost has the name of each. */
TEST(the_outermost_has_its_own_name)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "host", 1, 0, 100 * US);
	eventlog_share_marks(t.log);
	for (int i = 0; i < 2; i++)
		add(&t, &(struct event){.lane = lane(&t, "host", "1"),
				.op = op(&t, "[host]"),
				.bytes_kind = BYTES_NAME,
				.bytes = eventlog_context(t.log, i ? "write" : "read", 4 + i),
				.start_ps = (5 + 10 * i) * US,
				.dur_ps = (30 - 10 * i) * US});
	add_launch(&t, "1", 50, 1);
	add_work(&t, "gpu:0", 1, 60, 100);
	finish(&t);
	assert_int_equal(outermost(&t, "read", 1), 30);
	assert_int_equal(outermost(&t, "write", 1), -1);
	assert_int_equal(innermost(&t, "[host]", 1), 30);
	assert_int_equal(cpu(&t, "[host]", 1), 30 * US);
	assert_adds_up(&t, "gpu:0");
	end(&t);
}

static void add_label(struct trace *t, const char *thread, enum event_kind kind, const char *name,
	uint64_t number, int64_t from, int64_t to)
{
	add(t, &(struct event){.kind = (uint8_t)kind,
		       .lane = lane(t, "host", thread),
		       .op = op(t, name),
		       .link = number,
		       .start_ps = from * US,
		       .dur_ps = (to - from) * US,
		       .flags = EVENT_LABELLED,
		       .label = EVENT_OWN_LABEL});
}

/* The innermost is the row of what would be launched then, also where that is a stack with which
 * nothing was launched, and in the backward pass; the outermost is as ever.
 * time     0    10   20   30   40   50   60   70   80   90  100
 * main       [model               ]
 *               [layer] L(22) [copy]      L(57)
 *                F7
 * second                                     [backward 7 ]L(81)
 * gpu:0                  [1]              |2                [3    ]
 */
TEST(rows_of_labels_share_a_gap)
{
	const struct eventlog_options by_label = {
		.limits = plain.limits, .max_spill_bytes = DISK_BYTES, .by_launcher = true};

	for (size_t depth = 1; depth <= 2; depth++) {
		struct eventlog_options opt = by_label;
		struct trace t;

		opt.stack_depth = depth;
		begin(&t, &opt);
		add_mark(&t, "host", 1, 0, 100 * US);
		eventlog_share_marks(t.log);
		add_label(&t, "1", EVENT_FRAME, "model", 1, 5, 45);
		add_label(&t, "1", EVENT_FRAME, "layer", 2, 10, 20);
		add_label(&t, "1", EVENT_FORWARD, "f", 7, 12, 13);
		add_label(&t, "2", EVENT_BACKWARD, "b", 7, 62, 80);
		add_host_op(&t, "1", "copy", 28, 40);
		add_launch(&t, "1", 22, 1);
		add_launch(&t, "1", 57, 2);
		add_launch(&t, "2", 81, 3);
		add_work(&t, "gpu:0", 1, 25, 30);
		add_work(&t, "gpu:0", 2, 60, 61);
		add_work(&t, "gpu:0", 3, 85, 100);
		finish(&t);
		assert_int_equal(series(&t, SERIES_HOST_LATE, "gpu:0", "", 1), 25 + 30 + 24);
		assert_int_equal(innermost(&t, "model", 1), 5 + 5 + 15);
		assert_int_equal(innermost(&t, depth == 1 ? "layer" : "model;layer", 1), 10 + 18);
		assert_int_equal(innermost(&t, NOT_ATTRIBUTED_NAME, 1), 5 + 15 + 1 + 5);
		assert_int_equal(innermost(&t, "copy", 1), -1);
		assert_int_equal(outermost(&t, "copy", 1), 10);
		assert_int_equal(outermost(&t, "launch", 1), 3);
		assert_int_equal(outermost(&t, "[nothing recorded]", 1), 79 - 13);
		assert_adds_up(&t, "gpu:0");
		assert_int_equal(
			cell_of(t.profile, "model;layer", 1, MEASURE_ACCELERATOR), CELL_ABSENT);
		end(&t);
	}
}

/* Each 20 us: an op of 10 us, 2 us later a launch of 1 us, 1 us later 2 us of work. A second device
 * is late until the end of all, over all parts of the lane. */
TEST(parts_add_up)
{
	static const size_t threads[] = {1, 2, 3, 8, 16}, buffer_bytes[] = {0, 1 << 16, 1 << 18};
	const int count = 20000;
	struct trace t;

	for (int turn = 0; turn < 15; turn++) {
		struct eventlog_options opt = plain;

		opt.threads = threads[turn % 5];
		opt.buffer_bytes = buffer_bytes[turn / 5];
		begin(&t, &opt);
		add_mark(&t, "host", 1, 0, (int64_t)20 * count * US);
		eventlog_share_marks(t.log);
		for (int64_t i = 0; i < count; i++) {
			add_host_op(&t, "1", "load", 20 * i, 20 * i + 10);
			add_launch(&t, "1", 20 * i + 12, 1 + i);
			add_work(&t, "gpu:0", 1 + i, 20 * i + 14, 20 * i + 16);
		}
		add_launch(&t, "1", 20 * count - 5, 1 + count);
		add_work(&t, "gpu:1", 1 + count, 20 * count - 4, 20 * count);
		finish(&t);
		assert_int_equal(outermost(&t, "load", 1), 10 * count);
		assert_int_equal(innermost(&t, "launch", 1), count);
		/* 3 us before each work, 4 after it */
		assert_int_equal(outermost(&t, "[nothing recorded]", 1), 7 * count);
		assert_int_equal(series(&t, SERIES_LATE_OUTERMOST, "gpu:1", "load", 1), 10 * count);
		assert_int_equal(
			series(&t, SERIES_LATE_INNERMOST, "gpu:1", "launch", 1), count + 1);
		assert_adds_up(&t, "gpu:0");
		assert_adds_up(&t, "gpu:1");
		end(&t);
	}
}

/* The thread that has launched last is late in the end, long before which nothing is launched any
 * more. */
TEST(the_end_is_of_the_last_launch)
{
	for (size_t threads = 1; threads <= 16; threads *= 2) {
		struct eventlog_options opt = plain;
		struct trace t;

		opt.threads = threads;
		begin(&t, &opt);
		add_mark(&t, "host", 1, 0, 1000 * US);
		eventlog_share_marks(t.log);
		for (int64_t i = 0; i < 40; i++) {
			add_launch(&t, "1", 10 * i, 1 + i);
			add_work(&t, "gpu:0", 1 + i, 10 * i + 1, 10 * i + 10);
		}
		for (int64_t i = 40; i < 80; i++)
			add_work(&t, "gpu:0", 1 + i, 10 * i, 10 * i + 10);
		add_host_op(&t, "1", "load", 810, 890);
		finish(&t);
		assert_int_equal(series(&t, SERIES_HOST_LATE, "gpu:0", "", 1), 40 + 200);
		assert_int_equal(outermost(&t, "load", 1), 80);
		end(&t);
	}
}
