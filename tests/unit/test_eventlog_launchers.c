/* The log of events: rows of what launched the work of devices. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

static const struct eventlog_options by_launcher = {
	.limits = {.ops = 1000, .steps = 1000, .observations = 1000000},
	.max_spill_bytes = DISK_BYTES,
	.by_launcher = true,
};

static void add_label(struct trace *t, const char *name, int64_t start, int64_t dur)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, name),
		       .start_ps = start,
		       .dur_ps = dur,
		       .flags = EVENT_LABELLED | EVENT_AROUND,
		       .label = EVENT_OWN_LABEL});
}

static void add_launch_on(struct trace *t, const char *thread, int64_t start, uint64_t link)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, "launch"),
		       .start_ps = start,
		       .dur_ps = 2,
		       .link = link,
		       .flags = EVENT_LAUNCHES});
}

static void add_launch(struct trace *t, int64_t start, uint64_t link)
{
	add_launch_on(t, "1", start, link);
}

static int64_t own(const struct trace *t, const char *name, int64_t step)
{
	return cell_of(t->profile, name, step, MEASURE_ACCELERATOR);
}

static int64_t total(const struct trace *t, const char *name, int64_t step)
{
	return cell_of(t->profile->totals, name, step, MEASURE_ACCELERATOR);
}

TEST(a_row_is_the_innermost_label_around_the_launch)
{
	struct trace t;

	begin(&t, &by_launcher);
	add_kernel(&t, 500, 1);
	add_kernel(&t, 510, 2);
	add_kernel(&t, 520, 3);
	add_kernel(&t, 530, 4);
	add_kernel(&t, 540, 5);
	add_kernel(&t, 550, 6);
	add_kernel(&t, 560, 2);	       /* a second one of the same launch */
	add_launch(&t, 5, 1);	       /* in outer only */
	add_launch(&t, 10, 2);	       /* when inner begins */
	add_launch(&t, 20, 3);	       /* when inner ends, and next begins */
	add_launch(&t, 99, 4);	       /* at the end of outer */
	add_launch(&t, 100, 5);	       /* behind it */
	add_launch_on(&t, "2", 15, 6); /* beside it */
	add_label(&t, "inner", 10, 10);
	add_label(&t, "outer", 0, 100);
	add_label(&t, "next", 20, 5);
	add_op(&t, "deeper", 5, 3); /* launches, but is no label */
	finish(&t);
	assert_int_equal(own(&t, "outer", 0), 20);
	assert_int_equal(own(&t, "inner", 0), 20);
	assert_int_equal(calls(&t, "inner", 0), 2);
	assert_int_equal(own(&t, "next", 0), 10);
	assert_int_equal(own(&t, NOT_ATTRIBUTED_NAME, 0), 20);
	assert_int_equal(own(&t, "kernel", 0), CELL_ABSENT);
	assert_int_equal(own(&t, "deeper", 0), CELL_ABSENT);
	assert_int_equal(own(&t, "launch", 0), CELL_ABSENT);
	assert_int_equal(t.profile->obs.count, 4);
	assert_true(eventlog_launched(t.log).any && eventlog_launched(t.log).labelled);
	end(&t);
}

/* Labels that only overlap: the one that ended is not in the stack any more. */
TEST(a_row_may_be_a_stack_of_labels)
{
	struct eventlog_options opt = by_launcher;
	struct trace t;

	opt.stack_depth = 2;
	opt.totals = true;
	begin(&t, &opt);
	for (uint64_t i = 1; i <= 6; i++)
		add_kernel(&t, 500 + 10 * (int64_t)i, i);
	add_label(&t, "a", 0, 100);
	add_label(&t, "b", 10, 40);
	add_label(&t, "c", 20, 40); /* ends after b */
	add_label(&t, "a", 70, 10); /* in itself */
	add_launch(&t, 5, 1);
	add_launch(&t, 15, 2);
	add_launch(&t, 25, 3);
	add_launch(&t, 55, 4);
	add_launch(&t, 75, 5);
	add_launch(&t, 110, 6);
	finish(&t);
	assert_int_equal(own(&t, "a", 0), 10);
	assert_int_equal(own(&t, "a;b", 0), 10);
	assert_int_equal(own(&t, "b;c", 0), 10);
	assert_int_equal(own(&t, "a;c", 0), 10);
	assert_int_equal(own(&t, "a;a", 0), 10);
	assert_int_equal(own(&t, NOT_ATTRIBUTED_NAME, 0), 10);
	assert_int_equal(t.profile->obs.count, 6);
	assert_int_equal(total(&t, "a", 0), 50);
	assert_int_equal(total(&t, "a;b", 0), 20);
	assert_int_equal(total(&t, "b;c", 0), 10);
	assert_int_equal(total(&t, "a;c", 0), 10);
	assert_int_equal(total(&t, "a;a", 0), 10);
	end(&t);
}

TEST(rows_are_in_the_step_of_the_launch)
{
	struct trace t;

	begin(&t, &by_launcher);
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 100, 200);
	add_label(&t, "op", 90, 20);
	add_launch(&t, 95, 1);
	add_launch(&t, 105, 2);
	add_launch(&t, 250, 4); /* outside of all steps */
	add_kernel(&t, 300, 1);
	add_kernel(&t, 310, 2);
	add_kernel(&t, 320, 3); /* without a launch: in no step, and counted */
	add_kernel(&t, 330, 4);
	finish(&t);
	assert_int_equal(own(&t, "op", 1), 10);
	assert_int_equal(own(&t, "op", 2), 10);
	assert_int_equal(t.profile->obs.count, 2);
	assert_int_equal(issues(&t, "kernel-lost"), 1);
	end(&t);
}

TEST(what_nothing_launched_is_a_row)
{
	struct trace t;
	struct event alone = {.start_ps = 50, .dur_ps = 7};

	begin(&t, &by_launcher);
	add_label(&t, "op", 0, 20);
	add_launch(&t, 1, 1);
	add_kernel(&t, 10, 1);
	add_kernel(&t, 20, 2); /* its launch is not in the trace */
	add_kernel(&t, 30, 0);
	alone.lane = lane(&t, "gpu", "7");
	alone.op = op(&t, "alone"); /* nothing says that it was launched */
	add(&t, &alone);
	finish(&t);
	assert_int_equal(own(&t, "op", 0), 10);
	assert_int_equal(own(&t, NOT_ATTRIBUTED_NAME, 0), 27);
	assert_int_equal(calls(&t, NOT_ATTRIBUTED_NAME, 0), 3);
	end(&t);
}

TEST(totals_count_each_op_around_the_launch_once)
{
	struct trace t;
	struct eventlog_options opt = by_launcher;

	opt.totals = opt.calls = true;
	begin(&t, &opt);
	add_label(&t, "a", 0, 100);
	add_label(&t, "b", 10, 80);
	add_label(&t, "a", 20, 50); /* within itself */
	add_label(&t, "over", 0, 5);
	add_launch(&t, 30, 1);
	add_launch(&t, 80, 2);
	add_kernel(&t, 200, 1);
	add_kernel(&t, 210, 1);
	add_kernel(&t, 220, 2);
	add_kernel(&t, 230, 3);
	finish(&t);
	assert_int_equal(own(&t, "a", 0), 20);
	assert_int_equal(own(&t, "b", 0), 10);
	assert_int_equal(total(&t, "a", 0), 30);
	assert_int_equal(total(&t, "b", 0), 30);
	assert_int_equal(total(&t, NOT_ATTRIBUTED_NAME, 0), 10);
	assert_int_equal(total(&t, "over", 0), CELL_ABSENT);
	assert_int_equal(calls(&t, "a", 0), 2);
	assert_int_equal(cell_of(t.profile->totals, "a", 0, MEASURE_OCCURRENCE), 3);
	assert_int_equal(cell_of(t.profile->totals, "b", 0, MEASURE_OCCURRENCE), 3);
	end(&t);
}

static void add_covering(struct trace *t, const char *name, int64_t start, int64_t dur)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, "function"),
		       .label = op(t, name),
		       .start_ps = start,
		       .dur_ps = dur,
		       .flags = EVENT_LABELLED | EVENT_COVERS});
}

TEST(a_label_that_covers_wins_over_those_in_it)
{
	struct trace t;
	struct eventlog_options opt = by_launcher;

	opt.totals = true;
	opt.unlabelled = "other";
	begin(&t, &opt);
	add_label(&t, "forward", 0, 100);
	add_covering(&t, "backward", 10, 50);
	add_label(&t, "forward", 20, 10); /* recomputed */
	add_covering(&t, "input", 22, 4);
	add_launch(&t, 5, 1);
	add_launch(&t, 23, 2);
	add_launch(&t, 70, 3);
	add_launch(&t, 200, 4);
	for (uint64_t i = 1; i <= 5; i++)
		add_kernel(&t, 300 + 10 * (int64_t)i, i);
	finish(&t);
	assert_int_equal(own(&t, "forward", 0), 20);
	assert_int_equal(own(&t, "backward", 0), 10);
	assert_int_equal(own(&t, "input", 0), CELL_ABSENT);
	assert_int_equal(own(&t, "other", 0), 10);
	assert_int_equal(own(&t, NOT_ATTRIBUTED_NAME, 0), 10);
	assert_int_equal(total(&t, "forward", 0), 30);
	assert_int_equal(total(&t, "backward", 0), 10);
	end(&t);
}

TEST(of_overlapping_labels_the_later_one_is_the_inner_one)
{
	struct trace t;

	begin(&t, &by_launcher);
	add_label(&t, "first", 0, 20);
	add_label(&t, "second", 10, 20);
	add_launch(&t, 5, 1);
	add_launch(&t, 15, 2);
	add_launch(&t, 25, 3);
	for (uint64_t i = 1; i <= 3; i++)
		add_kernel(&t, 100 * (int64_t)i, i);
	finish(&t);
	assert_int_equal(own(&t, "first", 0), 10);
	assert_int_equal(own(&t, "second", 0), 20);
	end(&t);
}

TEST(frames_are_labels_only)
{
	struct trace t;
	struct event frame = {.dur_ps = 50,
		.kind = EVENT_FRAME,
		.flags = EVENT_LABELLED,
		.label = EVENT_OWN_LABEL};

	for (int i = 0; i < 2; i++) {
		begin(&t, i ? &by_launcher : &plain);
		frame.lane = lane(&t, "p", "1");
		frame.op = op(&t, "module");
		add(&t, &frame);
		add_launch(&t, 10, 1);
		add_kernel(&t, 20, 1);
		finish(&t);
		assert_int_equal(own(&t, "module", 0), i ? 10 : CELL_ABSENT);
		assert_int_equal(step_at(&t, 0)->start_ps, 10);
		end(&t);
	}
}

TEST(nothing_launched_is_said)
{
	struct trace t;

	begin(&t, &by_launcher);
	add_label(&t, "op", 0, 20);
	finish(&t);
	assert_false(eventlog_launched(t.log).any);
	assert_int_equal(t.profile->obs.count, 0);
	assert_int_equal(t.profile->step_count, 1);
	end(&t);
}

TEST(labels_deeper_than_the_most_are_counted)
{
	struct trace t;
	char name[16];

	begin(&t, &by_launcher);
	for (int i = 0; i < 600; i++) {
		snprintf(name, sizeof(name), "op%d", i);
		add_label(&t, name, i, 2000 - 2 * i);
	}
	add_launch(&t, 700, 1);
	add_kernel(&t, 3000, 1);
	finish(&t);
	assert_int_equal(own(&t, "op511", 0), 10);
	assert_int_equal(issues(&t, "launchers-deep"), 600 - 512);
	end(&t);
}

/* Labels and launches in files, 50 launches a label, in any order. */
TEST(memory_is_bounded_and_order_does_not_matter)
{
	struct trace t;
	struct eventlog_options opt = by_launcher;
	const int64_t labels = 2000, each = 50;

	opt.totals = true;
	opt.buffer_bytes = 1 << 20;
	begin(&t, &opt);
	for (int64_t i = 0; i < labels * each; i++) {
		const int64_t n = i * 48271 % (labels * each); /* each number once */

		if (n % each == 0) {
			char name[16];

			snprintf(name, sizeof(name), "op%d", (int)(n / each % 10));
			add_label(&t, name, n / each * 1000, 900);
		}
		add_launch(&t, n / each * 1000 + n % each, (uint64_t)n + 1);
		add_kernel(&t, 10 * n, (uint64_t)n + 1);
	}
	finish(&t);
	for (int i = 0; i < 10; i++) {
		char name[16];

		snprintf(name, sizeof(name), "op%d", i);
		assert_int_equal(own(&t, name, 0), labels / 10 * each * 10);
		assert_int_equal(total(&t, name, 0), labels / 10 * each * 10);
	}
	end(&t);
}
