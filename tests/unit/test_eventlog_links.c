/* The log of events: devices and what launched their work. */
#include "tests/unit/event_trace.h"
#include "tests/unit/test.h"

static int64_t kernels(const struct trace *t, int64_t step)
{
	return cell_of(t->profile, "kernel", step, MEASURE_ACCELERATOR);
}

TEST(kernels_have_the_step_of_their_launch)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 100, 200);
	add_kernel(&t, 150, 11); /* launched in step 1 */
	add_kernel(&t, 500, 12); /* in step 2, and behind all of them */
	add_kernel(&t, 160, 13); /* before the first step */
	add_kernel(&t, 170, 14); /* by nothing */
	add_kernel(&t, 180, 0);	 /* nothing is said */
	add_kernel(&t, 190, 15); /* twice, first in step 1 */
	add_kernel(&t, 110, 11); /* a second one of the same launch */
	add_host_launch(&t, 150, 12);
	add_host_launch(&t, 120, 15);
	add_host_launch(&t, 20, 15);
	add_host_launch(&t, 10, 11);
	add_host_launch(&t, -10, 13);
	add_host_launch(&t, 30, 16); /* starts nothing */
	finish(&t);
	assert_int_equal(kernels(&t, 1), 30);
	assert_int_equal(cell_of(t.profile, "kernel", 1, MEASURE_OCCURRENCE), 3);
	assert_int_equal(kernels(&t, 2), 10);
	assert_int_equal(calls(&t, "launch", 1), 3);
	assert_int_equal(calls(&t, "launch", 2), 2);
	assert_int_equal(issues(&t, "kernel-lost"), 2);
	assert_int_equal(find_issue(&t, "kernel-lost")->severity, ISSUE_LOSS);
	assert_int_equal(issues(&t, "launch-ambiguous"), 1);
	assert_int_equal(issues(&t, "event-outside"), 1);  /* a launch ... */
	assert_int_equal(issues(&t, "device-outside"), 1); /* ... and its kernel */
	assert_int_equal(issues(&t, "launches-missing"), 0);
	assert_int_equal(step_at(&t, 1)->end_ps, 200);
	assert_int_equal(step_at(&t, 1)->busy_ps, 3 * 1 + 3 * 10);
	assert_int_equal(step_at(&t, 2)->end_ps, 510);
	end(&t);
}

TEST(what_was_launched_before_recording_is_no_loss)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 100, 200);
	add_kernel(&t, 20, 1); /* the stream still works on what came before */
	add_kernel(&t, 40, 2);
	add_kernel(&t, 60, 10);
	add_kernel(&t, 80, 3); /* lost: one that came later has its launch */
	add_kernel(&t, 90, 11);
	add_host_launch(&t, 10, 10);
	add_host_launch(&t, 11, 11);
	finish(&t);
	assert_int_equal(issues(&t, "launch-before"), 2);
	assert_int_equal(find_issue(&t, "launch-before")->severity, ISSUE_INFO);
	assert_int_equal(issues(&t, "kernel-lost"), 1);
	assert_int_equal(kernels(&t, 1), 20);
	end(&t);
}

static void add_awaited(struct trace *t, int64_t start, uint64_t link)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, "launch"),
		       .start_ps = start,
		       .dur_ps = 1,
		       .link = link,
		       .flags = EVENT_LAUNCHES,
		       .label = LAUNCH_KERNEL});
}

TEST(launches_without_their_kernels_are_counted)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_awaited(&t, 10, 1);
	add_awaited(&t, 20, 2);
	add_awaited(&t, 30, 9);	    /* past the last that is there */
	add_host_launch(&t, 40, 3); /* starts nothing on a device */
	add_awaited(&t, 150, 4);    /* in no step */
	add_kernel(&t, 50, 2);
	finish(&t);
	assert_int_equal(issues(&t, "launch-lost"), 2);
	end(&t);
	begin(&t, NULL); /* nothing of a device is there (pytorch/kineto#996) */
	add_mark(&t, "p", 1, 0, 100);
	add_awaited(&t, 10, 1);
	finish(&t);
	assert_int_equal(issues(&t, "device-missing"), 1);
	assert_int_equal(issues(&t, "launch-lost"), 0);
	end(&t);
}

static void add_launch(struct trace *t, int64_t start, uint64_t link, uint32_t traits)
{
	add(t, &(struct event){.lane = lane(t, "p", "1"),
		       .op = op(t, "launch"),
		       .start_ps = start,
		       .dur_ps = 1,
		       .link = link,
		       .flags = EVENT_LAUNCHES,
		       .label = traits});
}

static void assert_loss(
	const struct trace *t, const char *code, enum loss_kind kind, int64_t lost, int64_t all)
{
	const struct issue *issue = find_issue(t, code);

	assert_non_null(issue);
	assert_int_equal(issue->loss.kind, kind);
	assert_int_equal(issue->loss.lost, lost);
	assert_int_equal(issue->loss.all, all);
	assert_int_equal(issue->severity, 20 * lost > all ? ISSUE_LOSS : ISSUE_INFO);
}

TEST(what_launched_nothing_is_a_part_of_all)
{
	struct trace t;

	for (int marked = 0; marked < 2; marked++) {
		begin(&t, NULL);
		if (marked)
			add_mark(&t, "p", 1, 0, 100);
		for (uint64_t i = 1; i <= 4; i++)
			add_launch(&t, 10 * (int64_t)i, i, LAUNCH_KERNEL);
		for (uint64_t i = 5; i <= 7; i++)
			add_launch(&t, 10 * (int64_t)i, i, LAUNCH_REPLAY);
		add_launch(&t, 90, 8, LAUNCH_COPY); /* of 0 bytes, perhaps */
		add_kernel(&t, 110, 2);
		add_kernel(&t, 120, 3);
		add_kernel(&t, 130, 4);
		add_kernel(&t, 140, 5);
		add_kernel(&t, 150, 5);
		finish(&t);
		assert_loss(&t, "launch-lost", LOSS_LAUNCHES, 1, 4);
		assert_loss(&t, "replay-lost", LOSS_REPLAYS, 2, 3);
		/* 50 are there; each of the two lost may have been as long as the third. */
		assert_int_equal(find_issue(&t, "replay-lost")->effect.low, 50);
		assert_int_equal(find_issue(&t, "replay-lost")->effect.high, 50 + 2 * 20);
		end(&t);
	}
}

TEST(without_a_device_copies_count_too)
{
	struct trace t;
	struct eventlog_options opt = {
		.limits = profile_limits_default, .device_option = "--devices"};

	begin(&t, &opt);
	add_launch(&t, 10, 1, LAUNCH_KERNEL);
	add_launch(&t, 20, 2, LAUNCH_COPY);
	add_launch(&t, 30, 3, LAUNCH_REPLAY);
	add_host_launch(&t, 40, 4);
	finish(&t);
	assert_loss(&t, "device-missing", LOSS_LAUNCHES, 3, 3);
	assert_string_equal(find_issue(&t, "device-missing")->text,
		"launches, no device event: record with --devices; this report is about the host "
		"only");
	end(&t);
	begin(&t, &opt); /* only the host was recorded, and it launches nothing */
	add_op(&t, "op", 10, 5);
	add_host_launch(&t, 40, 4);
	finish(&t);
	assert_null(find_issue(&t, "device-missing"));
	end(&t);
}

TEST(what_is_in_no_step_is_a_part_of_all)
{
	struct trace t;
	struct eventlog_options opt = {.limits = profile_limits_default};

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 200, 300);
	add_mark(&t, "p", 3, 400, 500); /* nothing runs */
	add_op(&t, "in", 10, 30);
	add_op(&t, "in", 210, 30);
	add_op(&t, "out", 120, 40);
	finish(&t);
	assert_loss(&t, "event-outside", LOSS_OP_TIME, 40, 100);
	assert_loss(&t, "step-empty", LOSS_STEPS, 1, 3);
	end(&t);
	begin(&t, NULL); /* with a device its time is what counts */
	add_mark(&t, "p", 1, 0, 100);
	add_op(&t, "in", 10, 30);
	add_op(&t, "out", 120, 40);
	add_host_launch(&t, 20, 1);
	add_host_launch(&t, 130, 2);
	add_kernel(&t, 40, 1);
	add_kernel(&t, 150, 2);
	finish(&t);
	assert_loss(&t, "device-outside", LOSS_DEVICE_TIME, 10, 20);
	assert_int_equal(find_issue(&t, "event-outside")->loss.kind, LOSS_NONE);
	assert_int_equal(find_issue(&t, "event-outside")->severity, ISSUE_INFO);
	end(&t);
	opt.window = &(struct log_window){0, 50};
	opt.window_count = 1;
	begin(&t, &opt); /* what windows leave out was asked for */
	add_op(&t, "in", 10, 30);
	add_op(&t, "out", 120, 40);
	finish(&t);
	assert_int_equal(find_issue(&t, "event-outside")->loss.kind, LOSS_NONE);
	end(&t);
}

TEST(a_kernel_may_be_launched_to_start_early)
{
	struct trace t;

	for (int traits = LAUNCH_KERNEL; traits <= (LAUNCH_KERNEL | LAUNCH_EARLY);
		traits += LAUNCH_EARLY)
		for (int64_t us = 3; us <= 30; us += 27) {
			begin(&t, NULL);
			add_launch(&t, 1, 1, LAUNCH_KERNEL);
			add_launch(&t, 2, 2, (uint32_t)traits);
			for (uint64_t i = 0; i < 2; i++) {
				struct lane *stream;
				const struct event kernel = {.lane = lane(&t, "gpu", "7"),
					.op = op(&t, "kernel"),
					.start_ps = (100 - us) * PS_PER_US * (int64_t)i + 10,
					.dur_ps = 100 * PS_PER_US,
					.link = 1 + i,
					.flags = EVENT_LAUNCHED};

				stream = eventlog_lane_at(t.log, kernel.lane);
				stream->accelerator = stream->flat = stream->serial = true;
				add(&t, &kernel);
			}
			finish(&t);
			assert_int_equal(issues(&t, "stream-overlap"),
				traits & LAUNCH_EARLY && us == 3 ? 0 : 1);
			end(&t);
		}
}

TEST(work_from_before_is_no_finding)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_host_launch(&t, 20, 1);
	add_kernel(&t, 10, 9);
	add_kernel(&t, 30, 1);
	finish(&t);
	assert_int_equal(find_issue(&t, "launch-before")->severity, ISSUE_INFO);
	assert_int_equal(find_issue(&t, "launch-before")->loss.kind, LOSS_BEFORE);
	assert_int_equal(find_issue(&t, "launch-before")->loss.lost, 10);
	assert_int_equal(find_issue(&t, "launch-before")->loss.all, 20);
	end(&t);
	begin(&t, NULL); /* the launches of the first step are lost: it has no other work */
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 100, 200);
	add_op(&t, "op", 10, 1);
	add_host_launch(&t, 120, 1);
	add_kernel(&t, 10, 9);
	add_kernel(&t, 30, 8);
	add_kernel(&t, 130, 1);
	finish(&t);
	assert_null(find_issue(&t, "launch-before"));
	assert_loss(&t, "kernel-lost", LOSS_DEVICE_TIME, 20, 30);
	end(&t);
}

TEST(a_short_last_step_is_reported)
{
	struct trace t;

	for (int lost = 1; lost <= 2; lost++) {
		begin(&t, NULL);
		add_mark(&t, "p", 1, 0, 100);
		add_mark(&t, "p", 2, 100, 200);
		for (int i = 0; i < 5; i++) {
			add_host_launch(&t, 10 + i, 1 + (uint64_t)i);
			add_kernel(&t, 20 + 10 * i, 1 + (uint64_t)i);
		}
		for (int i = 0; i < 5 - lost; i++) {
			add_host_launch(&t, 110 + i, 11 + (uint64_t)i);
			add_kernel(&t, 120 + 10 * i, 11 + (uint64_t)i);
		}
		finish(&t);
		assert_int_equal(issues(&t, "cut-step"), lost == 2); /* 4 of 5 are 0.8 */
		end(&t);
	}
}

TEST(without_any_link_time_decides)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 100, 200);
	add_host_launch(&t, 10, 7);
	add_kernel(&t, 50, 0);
	add_kernel(&t, 150, 0);
	add_kernel(&t, 160, 0);
	finish(&t);
	assert_int_equal(kernels(&t, 1), 10);
	assert_int_equal(kernels(&t, 2), 20);
	assert_int_equal(issues(&t, "launches-missing"), 3);
	end(&t);
}

TEST(a_run_has_the_name_that_is_given)
{
	struct trace t;

	begin(&t, NULL);
	eventlog_name_run(t.log, "rank 3");
	add_mark(&t, "p", 1, 0, 100);
	add_op(&t, "a", 0, 10);
	finish(&t);
	assert_string_equal(step_at(&t, 1)->run, "rank 3");
	end(&t);
}

TEST(without_any_launch_time_decides)
{
	struct trace t;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 100, 200);
	add_kernel(&t, 50, 3);
	add_kernel(&t, 150, 4);
	add_kernel(&t, 170, 0);
	add_kernel(&t, 250, 5);
	finish(&t);
	assert_int_equal(kernels(&t, 1), 10);
	assert_int_equal(kernels(&t, 2), 20);
	assert_int_equal(issues(&t, "launches-missing"), 4);
	assert_int_equal(issues(&t, "device-outside"), 1);
	assert_int_equal(issues(&t, "kernel-lost"), 0);
	end(&t);
	begin(&t, NULL); /* without marks there is but one step */
	add_host_launch(&t, 0, 1);
	add_kernel(&t, 50, 3);
	finish(&t);
	assert_int_equal(kernels(&t, 0), 10);
	assert_int_equal(t.profile->issues.count, 0);
	end(&t);
}

/* The i-th of 120 launches starts a kernel of 10 + i ps; the n-th kernel that is added of it: lane
 * by lane, backwards, or as they were launched. */
enum { KERNELS = 120, STREAMS = 40, KERNELS_A_STEP = 30 };

static int kernel_at(int turn, int n)
{
	const int each = KERNELS / STREAMS, by_lane = n / each + n % each * STREAMS;

	return turn == 0 ? by_lane : turn == 1 ? KERNELS - 1 - n : n;
}

/* More streams than are read side by side, and links that come in order or not. */
TEST(order_of_adding_does_not_count)
{
	static const size_t buffer[] = {0, 4096};

	for (int turn = 0; turn < 6; turn++) {
		struct eventlog_options opt = plain;
		struct trace t;

		opt.buffer_bytes = buffer[turn / 3];
		begin(&t, &opt);
		for (int s = 0; s < KERNELS / KERNELS_A_STEP; s++)
			add_mark(&t, "p", s, s * 300, (s + 1) * 300);
		eventlog_share_marks(t.log);
		for (int i = 0; i < KERNELS; i++)
			add_host_launch(&t, i * 10, (uint64_t)i + 1);
		for (int n = 0; n < KERNELS; n++) {
			const int i = kernel_at(turn % 3, n);
			char stream[16];

			snprintf(stream, sizeof(stream), "%d", i % STREAMS);
			const uint32_t id = lane(&t, "gpu", stream);

			eventlog_lane_at(t.log, id)->accelerator = true;
			eventlog_lane_at(t.log, id)->flat = true;
			add(&t, &(struct event){.lane = id,
					.op = op(&t, "kernel"),
					.start_ps = 10000 + i * 1000,
					.dur_ps = 10 + i,
					.link = (uint64_t)i + 1,
					.flags = EVENT_LAUNCHED});
		}
		finish(&t);
		for (int s = 0; s < KERNELS / KERNELS_A_STEP; s++) {
			const int first = s * KERNELS_A_STEP, last = first + KERNELS_A_STEP - 1;

			assert_int_equal(calls(&t, "kernel", s), KERNELS_A_STEP);
			assert_int_equal(cell_of(t.profile, "kernel", s, MEASURE_ACCELERATOR),
				KERNELS_A_STEP * 10 + (first + last) * KERNELS_A_STEP / 2);
		}
		end(&t);
	}
}

/* A runtime's call that begins or ends a capture, on this thread. */
static void add_capture(struct trace *t, const char *thread, int64_t start, uint32_t traits)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, "capture"),
		       .start_ps = start,
		       .dur_ps = 1,
		       .link = 1000 + (uint64_t)start,
		       .flags = EVENT_LAUNCHES,
		       .label = traits});
}

static void add_kernel_launch(struct trace *t, const char *thread, int64_t start, uint64_t link)
{
	add(t, &(struct event){.lane = lane(t, "p", thread),
		       .op = op(t, "launch"),
		       .start_ps = start,
		       .dur_ps = 1,
		       .link = link,
		       .flags = EVENT_LAUNCHES,
		       .label = LAUNCH_KERNEL});
}

/* What a thread launches between the begin and the end of a capture has no work of its own and is
 * none, from the start of the begin to that of the end; what another thread launches then, or one
 * whose begin has no end, is lost. By hand: of seven launches of steps that must have work, 5 have
 * none. */
TEST(captured_launches_are_not_lost)
{
	struct trace t;
	const struct issue *lost;

	begin(&t, NULL);
	add_mark(&t, "p", 1, 0, 100);
	add_mark(&t, "p", 2, 100, 200);
	add_capture(&t, "1", 20, LAUNCH_CAPTURE_ENDS); /* in any order */
	add_capture(&t, "1", 18, LAUNCH_CAPTURE_ENDS);
	add_capture(&t, "1", 10, LAUNCH_CAPTURE_BEGINS);
	add_capture(&t, "1", 14, LAUNCH_CAPTURE_BEGINS); /* of another stream */
	add_kernel_launch(&t, "1", 10, 20);		 /* captured */
	add_kernel_launch(&t, "1", 10, 22);		 /* captured */
	add_kernel_launch(&t, "1", 20, 21);		 /* not any more */
	add_kernel_launch(&t, "1", 12, 2);		 /* captured */
	add_kernel_launch(&t, "1", 16, 3);		 /* captured */
	add_kernel_launch(&t, "1", 19, 4);		 /* captured */
	add_kernel_launch(&t, "1", 5, 5);		 /* before */
	add_kernel_launch(&t, "1", 30, 6);		 /* after */
	add_kernel_launch(&t, "2", 15, 7);		 /* another thread */
	add_capture(&t, "1", 110, LAUNCH_CAPTURE_BEGINS);
	add_kernel_launch(&t, "1", 120, 8);  /* nothing ends it */
	add_kernel_launch(&t, "1", 130, 9);  /* has its kernel */
	add_kernel_launch(&t, "1", 140, 10); /* has its kernel */
	add_kernel(&t, 150, 9);
	add_kernel(&t, 160, 10);
	finish(&t);
	lost = find_issue(&t, "launch-lost");
	assert_int_equal(lost->count, 5);
	assert_int_equal(lost->loss.lost, 5);
	assert_int_equal(lost->loss.all, 7);
	assert_int_equal(step_at(&t, 1)->launches.all[0], 4);
	assert_int_equal(step_at(&t, 1)->launches.lost[0], 4);
	assert_int_equal(step_at(&t, 2)->launches.all[0], 3);
	assert_int_equal(step_at(&t, 2)->launches.lost[0], 1);
	end(&t);
}
