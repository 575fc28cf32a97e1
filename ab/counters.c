/* Counters of the system. */
#include "ab/counters.h"

#include <unistd.h>
#include "base/platform.h"

const struct counted_event counters_of_processor[COMMAND_COUNTS] = {
	[COUNT_INSTRUCTIONS] = {0, 1}, /* PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS */
	[COUNT_CYCLES] = {0, 0},       /* and PERF_COUNT_HW_CPU_CYCLES */
};

int counter_open(const struct counted_event *event)
{
	return platform_counter(event->type, event->config);
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
