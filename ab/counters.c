/*
 * Counters by perf_event_open(2).
 */
#define _GNU_SOURCE /* syscall() */

#include "ab/counters.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct counted_event counters_of_processor[COMMAND_COUNTS] = {
	[COUNT_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	[COUNT_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
};

int counter_open(const struct counted_event *event)
{
	struct perf_event_attr attributes = {.type = event->type,
		.size = sizeof(attributes),
		.config = event->config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1};

	return (int)syscall(
		SYS_perf_event_open, &attributes, 0, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);
}

int64_t counter_close(int counter)
{
	struct {
		uint64_t value, enabled_ns, running_ns;
	} count;
	/* A counter that had to share its place with others is an estimate. */
	const int64_t value = read(counter, &count, sizeof(count)) == (ssize_t)sizeof(count) &&
					      count.running_ns == count.enabled_ns &&
					      count.enabled_ns && count.value <= INT64_MAX
				      ? (int64_t)count.value
				      : -1;

	close(counter);
	return value;
}
