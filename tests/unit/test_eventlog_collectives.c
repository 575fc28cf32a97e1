/* The log of events: which of them are calls of collectives, and what is known of each. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

static void add_on(
	struct trace *t, const char *stream, const char *name, int64_t start, int64_t dur)
{
	const uint32_t id = lane(t, "gpu", stream);

	eventlog_lane_at(t->log, id)->accelerator = true;
	add(t, &(struct event){.lane = id, .op = op(t, name), .start_ps = start, .dur_ps = dur});
}

/* With what is known of it. */
static void add_known(
	struct trace *t, const char *stream, int64_t start, int64_t dur, int64_t value)
{
	const uint32_t id = lane(t, "gpu", stream);

	eventlog_lane_at(t->log, id)->accelerator = true;
	add(t, &(struct event){.lane = id,
		       .op = op(t, "ncclDevKernel_Generic"),
		       .start_ps = start,
		       .dur_ps = dur,
		       .bytes = value,
		       .bytes_kind = BYTES_COLLECTIVE});
}

static struct log_collective in_group(const char *group, int64_t sequence)
{
	return (struct log_collective){true, group, strlen(group), sequence};
}

static void check_call(
	const struct trace *t, size_t i, const char *group, int64_t sequence, int64_t dur_ps)
{
	const struct collective_call *call = &t->profile->collectives.call[i];

	if (group)
		assert_string_equal(call->group, group);
	else
		assert_null(call->group);
	assert_true(call->sequence == sequence);
	assert_true(call->dur_ps == dur_ps);
}

/* A report of the ops of one file has no use for them. */
TEST(are_left_out_where_ops_suffice)
{
	for (int suffice = 0; suffice < 2; suffice++) {
		struct eventlog_options opt = plain;
		struct trace t;

		opt.ops_suffice = suffice;
		begin(&t, &opt);
		add_mark(&t, NULL, 1, 0, 1000);
		add_on(&t, "8", "ncclDevKernel_AllReduce_Sum", 200, 12);
		add_known(&t, "9", 100, 5, eventlog_collective_of_id(0, true));
		finish(&t);
		assert_int_equal(t.profile->collectives.count, suffice ? 0 : 2);
		assert_int_equal(t.profile->obs.count, 2);
		end(&t);
	}
}

/* Only operations of all processes, whole, on devices, in steps; in order of step and start. */
TEST(names_say_what_is_a_collective)
{
	static const char *const others[] = {"ncclDevKernel_SendRecv", "ncclDevKernel_Broadcast",
		"ncclDevKernel_Generic", "reduce_kernel", "all-reduce-start.1", "all-reduce-done.1",
		"collective-permute.3", "gemm"};
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 1000);
	add_mark(&t, "p", 2, 1000, 2000);
	eventlog_share_marks(t.log);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		add_on(&t, "7", others[i], 500 + 10 * (int64_t)i, 5);
	add_on(&t, "9", "reduce-scatter.2", 1100, 11);
	add_on(&t, "8", "ncclDevKernel_AllReduce_Sum", 200, 12);
	add_on(&t, "9", "rcclDevKernel_AllGather", 100, 13);
	add_on(&t, "9", "ncclDevKernel_AllToAll", 2500, 14); /* in no step */
	add_op(&t, "nccl:all_reduce", 100, 90);		     /* the host only starts it */
	finish(&t);
	assert_int_equal(t.profile->collectives.count, 3);
	check_call(&t, 0, NULL, COLLECTIVE_UNKNOWN, 13);
	check_call(&t, 1, NULL, COLLECTIVE_UNKNOWN, 12);
	check_call(&t, 2, NULL, COLLECTIVE_UNKNOWN, 11);
	assert_int_equal(t.profile->step[t.profile->collectives.call[2].step].number, 2);
	assert_string_equal(
		t.profile->op[t.profile->collectives.call[0].op].name, "rcclDevKernel_AllGather");
	end(&t);
}

TEST(readers_say_more_than_names)
{
	struct log_collective some = in_group("g", 3), far = in_group("g", INT64_MAX), big;
	struct trace t;

	begin(&t, NULL);
	big = in_group("h", INT64_C(1) << 40);
	some.is_of_all = false;
	add_known(&t, "1", 10, 1, eventlog_collective(t.log, &big));
	add_known(&t, "1", 20, 2, eventlog_collective(t.log, &far));
	add_known(&t, "1", 30, 3, eventlog_collective(t.log, &some));
	add_known(&t, "1", 40, 4,
		eventlog_collective(
			t.log, &(struct log_collective){.is_of_all = true, .sequence = 9}));
	/* Said before, said after, not at all. */
	some = in_group("said", 0);
	eventlog_describe_id(t.log, 77, &some);
	add_known(&t, "1", 50, 5, eventlog_collective_of_id(77, false));
	add_known(&t, "1", 60, 6, eventlog_collective_of_id(78, true));
	add_known(&t, "1", 70, 7, eventlog_collective_of_id(79, true));
	add_known(&t, "1", 80, 8, eventlog_collective_of_id(79, false));
	add_known(&t, "1", 90, 9, eventlog_collective_of_id(0, true));
	add_known(&t, "1", 95, 10, eventlog_collective_of_id(UINT64_MAX, true));
	some = in_group("g", 5);
	some.is_of_all = false;
	eventlog_describe_id(t.log, 78, &some);
	finish(&t);
	assert_int_equal(t.profile->collectives.count, 7);
	check_call(&t, 0, "h", INT64_C(1) << 40, 1);
	check_call(&t, 1, "g", COLLECTIVE_UNKNOWN, 2);
	check_call(&t, 2, NULL, COLLECTIVE_UNKNOWN, 4);
	check_call(&t, 3, "said", 0, 5);
	check_call(&t, 4, NULL, COLLECTIVE_UNKNOWN, 7);
	check_call(&t, 5, NULL, COLLECTIVE_UNKNOWN, 9);
	check_call(&t, 6, NULL, COLLECTIVE_UNKNOWN, 10);
	end(&t);
}

/* It is no number of bytes, neither in a row nor for the sink. */
static int look(void *context, const struct event_row *row, struct error *err)
{
	(void)err;
	assert_int_equal(row->event->bytes_kind, BYTES_NONE);
	assert_int_equal(row->event->bytes, 0);
	++*(size_t *)context;
	return 0;
}

TEST(what_is_known_is_no_bytes)
{
	struct eventlog_options opt = plain;
	struct log_collective c = in_group("g", 3);
	struct trace t;
	size_t rows = 0;

	opt.sink = look;
	opt.context = &rows;
	begin(&t, &opt);
	add_known(&t, "1", 10, 5, eventlog_collective(t.log, &c));
	finish(&t);
	assert_int_equal(rows, 1);
	assert_null(t.profile->obs.column[MEASURE_TRANSFERRED]);
	assert_null(t.profile->obs.column[MEASURE_REQUESTED]);
	assert_int_equal(t.profile->collectives.count, 1);
	end(&t);
}

/* A kernel without times is a call whose duration is not known. */
TEST(without_times)
{
	struct trace t;
	struct event event;

	begin(&t, NULL);
	add_host_launch(&t, 10, 5);
	add_host_launch(&t, 20, 6);
	event = (struct event){.lane = lane(&t, "gpu", "7"),
		.op = op(&t, "ncclDevKernel_AllReduce"),
		.link = 5,
		.flags = EVENT_LAUNCHED | EVENT_TIMELESS};
	eventlog_lane_at(t.log, event.lane)->accelerator = true;
	add(&t, &event);
	event.link = 6;
	event.start_ps = 40;
	event.flags = EVENT_LAUNCHED | EVENT_UNMEASURED;
	add(&t, &event);
	finish(&t);
	assert_int_equal(t.profile->collectives.count, 2);
	check_call(&t, 0, NULL, COLLECTIVE_UNKNOWN, COLLECTIVE_UNKNOWN);
	check_call(&t, 1, NULL, COLLECTIVE_UNKNOWN, COLLECTIVE_UNKNOWN);
	end(&t);
}

/* Calls of lanes come lane by lane; pairs that start together are told apart by their durations. */
TEST(lanes_are_merged)
{
	struct trace t;

	for (int lanes = 1; lanes <= 6; lanes++) {
		begin(&t, NULL);
		for (int on = 0; on < lanes; on++)
			for (int i = 0; i < 200; i++) {
				const char stream[] = {(char)('0' + on), 0};
				const int number = lanes % 2 ? i : 199 - i; /* also backwards */
				struct log_collective c = in_group("g", number);

				if (number * 7 % 11 % lanes == on)
					add_known(&t, stream, 100 * (number / 2), 1 + number % 2,
						eventlog_collective(t.log, &c));
			}
		finish(&t);
		assert_int_equal(t.profile->collectives.count, 200);
		for (int i = 0; i < 200; i++)
			check_call(&t, (size_t)i, "g", i, 1 + i % 2);
		end(&t);
	}
}
