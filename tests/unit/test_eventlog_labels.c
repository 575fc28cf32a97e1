/* The log of events: labels of the forward pass, and rows of the host's own events. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

static const struct eventlog_options by_label = {
	.limits = {.ops = 1000, .steps = 1000, .observations = 1000000},
	.max_spill_bytes = DISK_BYTES,
	.by_launcher = true,
	.or_host = true,
	.totals = true,
};

static void add_part(struct trace *t, const char *thread, enum event_kind kind, const char *name,
	uint64_t number, int64_t start, int64_t dur)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, name),
		       .kind = (uint8_t)kind,
		       .start_ps = start,
		       .dur_ps = dur,
		       .link = number,
		       .flags = EVENT_LABELLED | (kind == EVENT_OP ? EVENT_AROUND : 0),
		       .label = EVENT_OWN_LABEL});
}

static void add_frame(
	struct trace *t, const char *thread, const char *name, int64_t start, int64_t dur)
{
	add_part(t, thread, EVENT_FRAME, name, 0, start, dur);
}

static void add_forward(struct trace *t, const char *thread, uint64_t number, int64_t start)
{
	add_part(t, thread, EVENT_FORWARD, "forward", number, start, 1);
}

static void add_backward(
	struct trace *t, const char *thread, uint64_t number, int64_t start, int64_t dur)
{
	add_part(t, thread, EVENT_BACKWARD, "backward", number, start, dur);
}

/* Of a thread of the forward pass. */
static void add_backward_of(struct trace *t, const char *thread, int64_t of, uint64_t number,
	int64_t start, int64_t dur)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, "backward"),
		       .kind = EVENT_BACKWARD,
		       .start_ps = start,
		       .dur_ps = dur,
		       .link = number,
		       .bytes = of,
		       .flags = EVENT_LABELLED,
		       .label = EVENT_OWN_LABEL});
}

/* A launch, and its work of 10 ps. */
static void add_work(struct trace *t, const char *thread, int64_t start, uint64_t link)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, "launch"),
		       .start_ps = start,
		       .dur_ps = 1,
		       .link = link,
		       .flags = EVENT_LAUNCHES});
	add_kernel(t, 10000 + 20 * (int64_t)link, link);
}

/* An op of the host, on thread "1", that is no label. */
static void add_plain(struct trace *t, const char *name, int64_t start, int64_t dur)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, name),
		       .start_ps = start,
		       .dur_ps = dur,
		       .link = 9,
		       .flags = EVENT_AROUND});
}

static int64_t own(const struct trace *t, const char *name)
{
	return cell_of(t->profile, name, 0, MEASURE_ACCELERATOR);
}

static int64_t total(const struct trace *t, const char *name, enum measure_id id)
{
	return cell_of(t->profile->totals, name, 0, id);
}

TEST(backward_work_is_where_its_forward_op_was)
{
	struct trace t;

	begin(&t, &by_label);
	add_frame(&t, "1", "model", 0, 100);
	add_frame(&t, "1", "first", 10, 20);
	add_frame(&t, "1", "second", 40, 20);
	add_forward(&t, "1", 5, 15);
	add_forward(&t, "1", 5, 45); /* the last one before it made the function */
	add_forward(&t, "1", 6, 95); /* in the model only */
	add_forward(&t, "1", 5, 320);
	add_backward(&t, "2", 5, 200, 50);
	add_backward(&t, "2", 5, 205, 40); /* in the event that evaluates it */
	add_backward(&t, "2", 6, 260, 10);
	add_backward(&t, "2", 7, 280, 10); /* its forward op is not in the trace */
	add_work(&t, "2", 199, 1);
	add_work(&t, "2", 200, 2);
	add_work(&t, "2", 210, 3);
	add_work(&t, "2", 249, 4);
	add_work(&t, "2", 250, 5);
	add_work(&t, "2", 265, 6);
	add_work(&t, "2", 285, 7);
	finish(&t);
	assert_int_equal(own(&t, "second"), 30);
	assert_int_equal(own(&t, "model"), 10);
	assert_int_equal(own(&t, "first"), CELL_ABSENT);
	assert_int_equal(own(&t, NOT_ATTRIBUTED_NAME), 30);
	assert_int_equal(total(&t, "model", MEASURE_ACCELERATOR), 40);
	assert_int_equal(total(&t, "second", MEASURE_OCCURRENCE), 3);
	assert_int_equal(issues(&t, "backward-unknown"), 1);
	end(&t);
}

/* What is computed again in the backward pass has frames of its own, in those of the forward op
 * that it stands for. */
TEST(recomputed_ops_are_forward_ops_too)
{
	struct trace t;

	begin(&t, &by_label);
	add_frame(&t, "1", "model", 0, 100);
	add_forward(&t, "1", 5, 50);
	add_backward(&t, "2", 5, 200, 200);
	add_frame(&t, "2", "again", 210, 50);
	add_forward(&t, "2", 8, 220);
	add_forward(&t, "2", 9, 270); /* in no frame of its own */
	add_work(&t, "2", 230, 1);
	add_backward(&t, "2", 9, 300, 20);
	add_backward(&t, "2", 8, 330, 20);
	add_work(&t, "2", 310, 2);
	add_work(&t, "2", 340, 3);
	finish(&t);
	assert_int_equal(own(&t, "again"), 20);
	assert_int_equal(own(&t, "model"), 10);
	assert_int_equal(total(&t, "model", MEASURE_ACCELERATOR), 30);
	end(&t);
}

TEST(numbers_of_several_threads_say_nothing)
{
	struct trace t;

	for (int i = 0; i < 2; i++) {
		begin(&t, &by_label);
		add_frame(&t, "1", "model", 0, 100);
		add_frame(&t, "3", "other", 0, 100);
		add_forward(&t, "1", 5, 50);
		if (i)
			add_forward(&t, "3", 5, 60);
		add_backward(&t, "2", 5, 200, 50);
		add_work(&t, "2", 210, 1);
		finish(&t);
		assert_int_equal(own(&t, i ? NOT_ATTRIBUTED_NAME : "model"), 10);
		assert_int_equal(issues(&t, "backward-unknown"), i);
		end(&t);
	}
}

/* Lane "1" is thread 1, and lane "3" thread 2: a number that one lane alone has says so. Of a
 * thread whose numbers all are on several lanes it is not known. */
TEST(threads_are_known_by_numbers_of_their_own)
{
	struct trace t;
	const struct {
		uint64_t number;
		int64_t thread;
	} backward[] = {{5, 1}, {6, 1}, {5, 2}, {7, 2}, {5, 3}, {8, 1}};

	begin(&t, &by_label);
	add_frame(&t, "1", "model", 0, 100);
	add_frame(&t, "3", "other", 0, 100);
	add_forward(&t, "1", 5, 50);
	add_forward(&t, "1", 6, 60);
	add_forward(&t, "1", 9, 62);
	add_forward(&t, "3", 5, 65);
	add_forward(&t, "3", 7, 70);
	add_forward(&t, "3", 8, 75);
	for (size_t i = 0; i < sizeof(backward) / sizeof(*backward); i++) {
		const int64_t at = 200 + 50 * (int64_t)i;

		add_backward_of(&t, "2", backward[i].thread, backward[i].number, at, 40);
		add_work(&t, "2", at + 10, 1 + i);
	}
	add_backward_of(&t, "2", 1, 9, 900, 10);
	finish(&t);
	assert_int_equal(own(&t, "model"), 20);
	assert_int_equal(own(&t, "other"), 20);
	/* Thread 3, and number 8 of thread 1, which only the other lane has. */
	assert_int_equal(own(&t, NOT_ATTRIBUTED_NAME), 20);
	assert_int_equal(issues(&t, "backward-unknown"), 2);
	end(&t);
}

/* Number 5 is of two lanes: only the thread that its op names says which. The thread is known by
 * its other number as long as it is one of the first 65536. */
TEST(threads_are_bounded)
{
	struct trace t;

	for (int64_t more = 0; more < 2; more++) {
		const int64_t last = 65536 + more, after = 1000 + 2 * last;

		begin(&t, &by_label);
		add_frame(&t, "1", "model", 0, 100);
		add_frame(&t, "3", "other", 0, 100);
		add_forward(&t, "1", 5, 50);
		add_forward(&t, "3", 5, 60);
		add_forward(&t, "1", 6, 70);
		for (int64_t thread = 1; thread < last; thread++)
			add_backward_of(&t, "2", thread, 5, 200 + 2 * thread, 1);
		add_backward_of(&t, "2", last, 6, after, 10);
		add_backward_of(&t, "2", last, 5, after + 20, 10);
		add_work(&t, "2", after + 25, 1);
		finish(&t);
		assert_int_equal(own(&t, more ? NOT_ATTRIBUTED_NAME : "model"), 10);
		end(&t);
	}
}

/* Each backward op has in it the forward op of the next: of a chain of 16 the labels around the
 * first forward op are known. */
TEST(chains_of_backward_passes_are_bounded)
{
	struct trace t;

	for (int links = 16; links <= 17; links++) {
		begin(&t, &by_label);
		add_frame(&t, "1", "model", 0, 100);
		add_forward(&t, "1", 1, 50);
		for (int i = 1; i <= links; i++) {
			add_backward(&t, "2", (uint64_t)i, 200 * i, 100);
			add_forward(&t, "2", (uint64_t)i + 1, 200 * i + 10);
		}
		add_work(&t, "2", 200 * links + 50, 1);
		finish(&t);
		assert_int_equal(own(&t, links == 16 ? "model" : NOT_ATTRIBUTED_NAME), 10);
		assert_int_equal(issues(&t, "backward-unknown"), 0);
		end(&t);
	}
}

/* What is not kept is one issue, and not one of forward ops that are not in the trace. */
TEST(forward_ops_beyond_the_most_are_said)
{
	struct trace t;
	const int64_t most = 1048576;

	for (int64_t more = 0; more < 2; more++) {
		begin(&t, &by_label);
		add_frame(&t, "1", "model", 0, 2 * most);
		for (int64_t i = 0; i < most + more; i++)
			add_forward(&t, "1", (uint64_t)i, 1 + i);
		add_backward(&t, "2", (uint64_t)(most + more - 1), 3 * most, 50);
		add_work(&t, "2", 3 * most + 10, 1);
		finish(&t);
		assert_int_equal(own(&t, more ? NOT_ATTRIBUTED_NAME : "model"), 10);
		assert_int_equal(issues(&t, "forwards-many"), more);
		assert_int_equal(issues(&t, "backward-unknown"), 0);
		end(&t);
	}
}

/* Of 512 labels around one point the innermost counts; more are passed over. */
TEST(labels_are_bounded)
{
	struct trace t;

	for (int more = 0; more < 2; more++) {
		begin(&t, &by_label);
		for (int i = 0; i < 512 + more; i++) {
			char name[16];

			snprintf(name, sizeof(name), "%d", i + 1);
			add_frame(&t, "1", name, i, 2000 - 2 * i);
		}
		add_work(&t, "1", 600, 1);
		finish(&t);
		assert_int_equal(own(&t, "512"), 10);
		assert_int_equal(issues(&t, "launchers-deep"), more);
		end(&t);
	}
}

/* Stacks beyond the most names of ops are of the other names, and no issue speaks of their length.
 */
TEST(stacks_beyond_the_most_ops_have_other_names)
{
	struct trace t;
	struct eventlog_options opt = by_label;

	opt.stack_depth = 9;
	opt.limits.ops = 5; /* two frames, op, [not attributed] and "outer;inner" */
	begin(&t, &opt);
	add_frame(&t, "1", "outer", 0, 100);
	add_frame(&t, "1", "inner", 10, 80);
	add_frame(&t, "1", "inner", 20, 20);
	add_plain(&t, "op", 12, 5);
	add_plain(&t, "op", 25, 5);
	finish(&t);
	assert_int_equal(issues(&t, "stacks-many"), 0);
	assert_true(issues(&t, "names-capped") > 0);
	assert_int_equal(cpu(&t, "[other names]", 0), 5);
	end(&t);
}

/* A stack of the backward pass ends with the outermost frame of the forward op. */
TEST(stacks_are_those_of_the_forward_op)
{
	struct trace t;
	struct eventlog_options opt = by_label;

	opt.stack_depth = 2;
	for (int host = 0; host < 2; host++) {
		begin(&t, &opt);
		add_frame(&t, "1", "main", 0, 1000);
		add_frame(&t, "1", "step", 10, 500);
		add_frame(&t, "1", "layer", 20, 50);
		add_forward(&t, "1", 1, 30);
		add_forward(&t, "1", 2, 15); /* in step */
		add_backward(&t, "1", 1, 600, 50);
		add_backward(&t, "1", 2, 700, 50);
		for (int i = 0; i < 2; i++) {
			const int64_t at = i ? 710 : 610;

			if (host)
				add_plain(&t, "op", at, 10);
			else
				add_work(&t, "1", at, 1 + (uint64_t)i);
		}
		finish(&t);
		for (int i = 0; i < 2; i++) {
			const char *row = i ? "main;step" : "step;layer";

			assert_int_equal(host ? cpu(&t, row, 0) : own(&t, row), 10);
		}
		end(&t);
	}
}

TEST(own_time_is_in_the_innermost_label)
{
	struct trace t;

	begin(&t, &by_label);
	add_plain(&t, "before", 0, 10);
	add_part(&t, "1", EVENT_OP, "outer", 1, 10, 100);
	add_plain(&t, "op", 20, 30);
	add_part(&t, "1", EVENT_OP, "inner", 2, 30, 10);
	add_plain(&t, "op", 32, 5);
	add_frame(&t, "1", "frame", 60, 30);
	add_plain(&t, "op", 60, 30); /* as long as the frame, so in it */
	add_plain(&t, "op", 95, 5);
	add_frame(&t, "1", "in it", 95, 3); /* begins with the op and is shorter */
	add_part(&t, "1", EVENT_OP, "point", 3, 105, 0);
	finish(&t);
	assert_true(eventlog_launched(t.log).host && eventlog_launched(t.log).labelled);
	assert_int_equal(cpu(&t, NOT_ATTRIBUTED_NAME, 0), 10);
	assert_int_equal(cpu(&t, "outer", 0), 60);
	assert_int_equal(cpu(&t, "inner", 0), 10);
	assert_int_equal(cpu(&t, "frame", 0), 30);
	assert_int_equal(cpu(&t, "in it", 0), CELL_ABSENT);
	assert_int_equal(cpu(&t, "op", 0), CELL_ABSENT);
	assert_int_equal(calls(&t, "outer", 0), 3);
	assert_int_equal(calls(&t, "inner", 0), 2);
	assert_int_equal(calls(&t, "point", 0), 1);
	assert_int_equal(total(&t, "outer", MEASURE_CPU), 100); /* for which it is open */
	assert_int_equal(total(&t, "outer", MEASURE_OCCURRENCE), 7);
	assert_int_equal(total(&t, "inner", MEASURE_CPU), 10);
	end(&t);
}

/* Two ops of equal times: the one with the lower number is around the other. */
TEST(of_equal_times_numbers_decide)
{
	struct trace t;

	begin(&t, &by_label);
	add_part(&t, "1", EVENT_OP, "inner", 8, 10, 20);
	add_part(&t, "1", EVENT_OP, "outer", 7, 10, 20);
	finish(&t);
	assert_int_equal(cpu(&t, "inner", 0), 20);
	assert_int_equal(cpu(&t, "outer", 0), 0);
	assert_int_equal(calls(&t, "outer", 0), 1);
	assert_int_equal(total(&t, "outer", MEASURE_CPU), 20);
	end(&t);
}

/* Numbers of calls of the runtime are others: a call is within what is as long. */
TEST(a_launch_is_in_the_label_of_equal_times)
{
	struct trace t;

	begin(&t, &by_label);
	add_part(&t, "1", EVENT_OP, "label", 50, 10, 20);
	add(&t, &(struct event){.lane = lane(&t, "p", "1"),
			.op = op(&t, "launch"),
			.start_ps = 10,
			.dur_ps = 20,
			.link = 3,
			.flags = EVENT_LAUNCHES});
	finish(&t);
	assert_int_equal(cpu(&t, "label", 0), 20);
	assert_int_equal(calls(&t, "label", 0), 2);
	assert_int_equal(cpu(&t, NOT_ATTRIBUTED_NAME, 0), CELL_ABSENT);
	end(&t);
}

/* Two ops of one row that take the same time are two; a third one of the name of the second is one
 * that was written twice. */
TEST(ops_of_a_row_are_not_the_same)
{
	struct trace t;

	for (int i = 0; i < 2; i++) {
		begin(&t, &by_label);
		add_frame(&t, "1", "frame", 0, 2000);
		add_plain(&t, "first", 10, 1001);
		add_plain(&t, "second", 10, 1001);
		if (i)
			add_plain(&t, "second", 10, 1001);
		finish(&t);
		assert_int_equal(cpu(&t, "frame", 0), 1001);
		assert_int_equal(issues(&t, "duplicate-event"), i);
		end(&t);
	}
}

/* The op itself is counted, and its part in the order of autograd not once more. */
TEST(parts_out_of_range_are_not_counted)
{
	struct trace t;

	begin(&t, &by_label);
	add_plain(&t, "op", 10, 20);
	add_part(&t, "1", EVENT_FORWARD, "forward", 5, 10, -1);
	add_part(&t, "1", EVENT_BACKWARD, "backward", 5, 10, INT64_MAX / 2);
	finish(&t);
	assert_int_equal(cpu(&t, NOT_ATTRIBUTED_NAME, 0), 20);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
}

/* A device, whose launches then are what has rows; or none, and only for rows that may be the
 * host's. */
TEST(a_device_has_the_rows)
{
	struct trace t;
	struct eventlog_options opt = by_label;

	for (int i = 0; i < 2; i++) {
		opt.or_host = i == 0;
		begin(&t, &opt);
		add_part(&t, "1", EVENT_OP, "outer", 1, 10, 100);
		add_plain(&t, "op", 20, 30);
		if (i == 0)
			add_work(&t, "1", 60, 1);
		finish(&t);
		assert_false(eventlog_launched(t.log).host);
		assert_int_equal(own(&t, "outer"), i ? CELL_ABSENT : 10);
		assert_int_equal(t.profile->obs.count, i ? 0 : 1);
		end(&t);
	}
}

/* Labels and ops in files and on two threads, of which one has its events in no order. */
TEST(memory_is_bounded_and_order_does_not_matter)
{
	struct trace t;
	struct eventlog_options opt = by_label;
	const int64_t labels = 2000, each = 50;

	opt.buffer_bytes = 1 << 20;
	begin(&t, &opt);
	for (int64_t i = 0; i < labels * each; i++)
		for (int thread = 0; thread < 2; thread++) {
			const int64_t n = thread ? i * 48271 % (labels * each) : i;
			char name[16];

			snprintf(name, sizeof(name), "label%d", (int)(n / each % 10));
			if (n % each == 0)
				add_frame(&t, thread ? "2" : "1", name, n / each * 1000, 900);
			add(&t, &(struct event){.lane = lane(&t, "p", thread ? "2" : "1"),
					.op = op(&t, "op"),
					.start_ps = n / each * 1000 + n % each * 10,
					.dur_ps = 3});
		}
	finish(&t);
	for (int i = 0; i < 10; i++) {
		char name[16];

		snprintf(name, sizeof(name), "label%d", i);
		assert_int_equal(cpu(&t, name, 0), 2 * labels * each / 10 * 3);
	}
	assert_int_equal(t.profile->obs.count, 10);
	end(&t);
}
