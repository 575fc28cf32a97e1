/* The log of events: work that one thread gives to another. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

static void hand(struct trace *t, const char *thread, uint64_t id, int64_t start, int64_t end_ps)
{
	eventlog_hand_over(t->log, &(struct log_handover){.lane = lane(t, "p", thread),
					   .kind = 2,
					   .id = id,
					   .start_ps = start,
					   .end_ps = end_ps,
					   .is_taken = end_ps > start});
}

static void add_on(struct trace *t, const char *thread, const char *name, int64_t start)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, name),
		       .start_ps = start,
		       .dur_ps = 1});
}

static void add_launch_on(struct trace *t, const char *thread, int64_t start, uint64_t link)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, "launch"),
		       .start_ps = start,
		       .dur_ps = 1,
		       .link = link,
		       .flags = EVENT_LAUNCHES});
}

static void begin_steps(struct trace *t)
{
	begin(t, NULL);
	add_mark(t, "p", 1, 0, 100);
	add_mark(t, "p", 2, 100, 200);
}

TEST(what_is_taken_over_is_in_the_step_of_the_giver)
{
	struct trace t;

	begin_steps(&t);
	hand(&t, "1", 7, 90, 90);   /* given in step 1 */
	hand(&t, "2", 7, 110, 150); /* taken over in step 2 */
	hand(&t, "2", 8, 160, 170); /* given by nothing in the trace */
	add_on(&t, "2", "before", 109);
	add_on(&t, "2", "first", 110);
	add_on(&t, "2", "last", 149);
	add_on(&t, "2", "after", 150);
	add_on(&t, "2", "alone", 165);
	add_on(&t, "1", "other", 120);
	add_launch_on(&t, "2", 120, 11);
	add_kernel(&t, 300, 11);
	finish(&t);
	assert_int_equal(calls(&t, "first", 1), 1);
	assert_int_equal(calls(&t, "last", 1), 1);
	assert_int_equal(calls(&t, "launch", 1), 1);
	assert_int_equal(calls(&t, "kernel", 1), 1);
	assert_int_equal(calls(&t, "before", 2), 1);
	assert_int_equal(calls(&t, "after", 2), 1);
	assert_int_equal(calls(&t, "alone", 2), 1);
	assert_int_equal(calls(&t, "other", 2), 1);
	assert_int_equal(issues(&t, "handed-over"), 4);
	end(&t);
}

TEST(chains_lead_to_the_first_giver)
{
	struct trace t;

	begin_steps(&t);
	hand(&t, "3", 2, 120, 180); /* in any order */
	hand(&t, "2", 2, 115, 115);
	hand(&t, "2", 1, 110, 150);
	hand(&t, "1", 1, 50, 50);
	hand(&t, "4", 3, 130, 190); /* given outside of all steps */
	hand(&t, "1", 3, -5, -5);
	hand(&t, "3", 4, 140, 150); /* in something taken over, given in step 2 */
	hand(&t, "1", 4, 105, 105);
	add_on(&t, "3", "far", 130);
	add_on(&t, "3", "inner", 145);
	add_on(&t, "3", "again", 155);
	add_on(&t, "4", "outside", 140);
	finish(&t);
	assert_int_equal(calls(&t, "far", 1), 1);
	assert_int_equal(calls(&t, "again", 1), 1);
	assert_int_equal(calls(&t, "inner", 2), 1);
	assert_int_equal(issues(&t, "event-outside"), 1);
	end(&t);
}

/* Many that have ended lie in one that goes on: each is passed once, not for each event. */
TEST(what_has_ended_is_passed_once)
{
	enum { ENDED = 50000, EVENTS = 300000 };
	struct trace t;

	begin_steps(&t);
	hand(&t, "1", 1, 50, 50);
	hand(&t, "1", 2, 120, 120);
	hand(&t, "2", 1, 101, 199);
	for (int i = 0; i < ENDED; i++)
		hand(&t, "2", 2, 110, 115);
	for (int i = 0; i < EVENTS; i++)
		add(&t, &(struct event){
				.lane = lane(&t, "p", "2"), .op = op(&t, "late"), .start_ps = 150});
	finish(&t);
	assert_int_equal(calls(&t, "late", 1), EVENTS);
	end(&t);
}

TEST(a_device_takes_over_on_all_its_lanes)
{
	struct trace t;
	uint32_t modules, ops;

	begin_steps(&t);
	modules = lane(&t, "device", "modules");
	ops = lane(&t, "device", "ops");
	eventlog_lane_at(t.log, modules)->accelerator = true;
	eventlog_lane_at(t.log, ops)->accelerator = true;
	hand(&t, "1", 1, 50, 50);
	eventlog_hand_over(t.log, &(struct log_handover){.lane = modules,
					  .kind = 2,
					  .id = 1,
					  .start_ps = 150,
					  .end_ps = 180,
					  .is_taken = true,
					  .by_process = true});
	for (int64_t start = 140; start < 200; start += 20)
		add(&t, &(struct event){
				.lane = ops, .op = op(&t, "dot"), .start_ps = start, .dur_ps = 5});
	add_on(&t, "2", "host", 160);
	finish(&t);
	assert_int_equal(calls(&t, "dot", 1), 1);
	assert_int_equal(calls(&t, "dot", 2), 2);
	assert_int_equal(calls(&t, "host", 2), 1);
	end(&t);
}

TEST(circles_and_ids_given_twice)
{
	struct trace t;

	begin_steps(&t);
	hand(&t, "1", 1, 50, 50); /* the first counts */
	hand(&t, "1", 1, 150, 150);
	hand(&t, "2", 1, 160, 170);
	hand(&t, "5", 5, 120, 140); /* each is given in the other */
	hand(&t, "6", 5, 125, 125);
	hand(&t, "6", 6, 120, 140);
	hand(&t, "5", 6, 125, 125);
	hand(&t, "7", 7, 110, 190); /* given in itself */
	hand(&t, "7", 7, 130, 130);
	add_on(&t, "2", "twice", 165);
	add_on(&t, "5", "circle", 130);
	add_on(&t, "6", "circle", 130);
	add_on(&t, "7", "itself", 150);
	finish(&t);
	assert_int_equal(calls(&t, "twice", 1), 1);
	assert_int_equal(calls(&t, "circle", 2), 2);
	assert_int_equal(calls(&t, "itself", 2), 1);
	end(&t);
}

TEST(without_steps_or_with_those_of_devices_nothing_is_followed)
{
	struct trace t;

	begin(&t, NULL);
	hand(&t, "1", 1, 50, 50);
	hand(&t, "2", 1, 160, 170);
	add_on(&t, "2", "op", 165);
	finish(&t);
	assert_int_equal(t.profile->step_count, 1);
	assert_int_equal(issues(&t, "handed-over"), 0);
	end(&t);

	begin_steps(&t);
	hand(&t, "1", 1, 50, 50);
	hand(&t, "2", 1, 160, 170);
	eventlog_forget_handoffs(t.log);
	add_on(&t, "2", "op", 165);
	finish(&t);
	assert_int_equal(calls(&t, "op", 2), 1);
	end(&t);
}
