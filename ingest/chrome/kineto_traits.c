/* Meaning of the events of PyTorch traces by their categories and names. */
#include "ingest/chrome/kineto_traits.h"

#include <string.h>
#include "ingest/chrome/kineto_facts.h"
#include "ingest/chrome/kineto_shapes.h"
#include "ingest/chrome/trace.h"
#include "ingest/trace/host_words.h"
#include "ingest/trace/step_names.h"

static bool ends_in(const struct json_value *category, const char *end)
{
	struct json_value tail = *category;
	const char *const words[] = {end, NULL};
	size_t size = strlen(end);

	if (category->size < size)
		return false;
	tail.at += category->size - size;
	tail.size = size;
	return json_is_one_of(&tail, words);
}

/* Categories by libkineto's ActivityType; before 2022 with other words. Devices other than CUDA
 * have prefixes of their own (xpu_, mtia_, privateuse1_) before the same words. */
static enum meaning meaning_of(const struct json_value *category)
{
	static const char *const kernels[] = {"kernel", "mtia_insight", "collective_comm", NULL};
	static const char *const copies[] = {"gpu_memcpy", "gpu_memset", "memcpy", "memset", NULL};
	static const char *const waits[] = {
		"cuda_sync", "cuda_event", "hip_sync", "xpu_sync", NULL};
	static const char *const calls[] = {"runtime", "driver", NULL};
	static const char *const around[] = {"trace", "hardware_counters", NULL};

	if (json_is_one_of(category, kernels) || ends_in(category, "_kernel"))
		return DEVICE_OP;
	if (json_is_one_of(category, copies) || ends_in(category, "_memcpy") ||
		ends_in(category, "_memset"))
		return DEVICE_COPY;
	if (ends_in(category, "_runtime") || ends_in(category, "_driver") ||
		json_is_one_of(category, calls))
		return HOST_CALL;
	if (json_is_one_of(category, (const char *const[]){"python_function", NULL}))
		return HOST_FRAME;
	if (ends_in(category, "_user_annotation"))
		return DEVICE_NOTE;
	if (ends_in(category, "_profiler_range") || ends_in(category, "_scope_profiler"))
		return DEVICE_RANGE;
	if (json_is_one_of(category, waits) || ends_in(category, "_sync"))
		return DEVICE_WAIT;
	if (json_is_one_of(category, (const char *const[]){"overhead", NULL}))
		return OVERHEAD;
	if (json_is_one_of(category, (const char *const[]){"mtia_ccp_events", NULL}))
		return DEVICE_PART;
	return json_is_one_of(category, around) ? AROUND : HOST_OP;
}

bool kineto_step_number(const struct json_value *name, int64_t *number)
{
	struct json_value digits = *name;
	const size_t prefix = strlen(PROFILER_STEP);
	uint64_t value;

	if (!step_is_whole(name->at, name->size))
		return false;
	digits.at += prefix;
	digits.size -= prefix;
	if (!json_unsigned(&digits, &value) || value > INT64_MAX)
		return false;
	*number = (int64_t)value;
	return true;
}

/* Kernels and copies of CUDA and ROCm have a stream for a lane; other devices have lanes for what
 * works side by side. */
static bool is_stream_work(const struct json_value *category)
{
	static const char *const words[] = {
		"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset", NULL};

	return json_is_one_of(category, words);
}

static uint32_t op_traits(const struct trace_event *event)
{
	int64_t number;

	return 1U << ASKED_ID | (kineto_step_number(&event->name, &number) ? KINETO_IS_STEP : 0) |
	       (kineto_is_serving_step(event) ? KINETO_IS_SERVING_STEP : 0) |
	       (kineto_is_host_collective(event) ? KINETO_IS_COLLECTIVE : 0) |
	       (kineto_is_product(&event->name) ? KINETO_IS_PRODUCT : 0) |
	       (json_begins(&event->name, KINETO_BACKWARD_FUNCTION) ||
				       json_equal(&event->name, KINETO_COMM_PARAMS)
			       ? KINETO_IS_CHECKED
			       : 0);
}

static uint32_t traits_of(const struct trace_event *event)
{
	const enum meaning what = meaning_of(&event->category);
	const uint32_t traits = (uint32_t)what << KINETO_MEANING_SHIFT;
	const struct json_value *name = &event->name;

	switch (what) {
	case HOST_OP:
		return traits | op_traits(event);
	case HOST_CALL:
		return traits | 1U << ASKED_CORRELATION |
		       host_launch_traits(name->at, name->size) << KINETO_LAUNCH_SHIFT |
		       (json_begins(name, KINETO_EVENT_RECORD) ||
					       host_waits_for_device(name->at, name->size)
				       ? KINETO_IS_CHECKED
				       : 0);
	case HOST_FRAME:
		return traits | 1U << ASKED_PYTHON_ID;
	case DEVICE_OP:
	case DEVICE_COPY:
	case DEVICE_PART:
		return traits | 1U << ASKED_CORRELATION |
		       (is_stream_work(&event->category) ? KINETO_IS_STREAM_WORK : 0) |
		       (kineto_is_device_collective(event) ? KINETO_IS_COLLECTIVE : 0);
	default:
		return traits;
	}
}

/* Calls, kernels and ops of which nothing has to be looked up, like most. */
static bool is_ready(const struct trace_event *event)
{
	const uint32_t special = KINETO_IS_STEP | KINETO_IS_SERVING_STEP | KINETO_IS_COLLECTIVE |
				 KINETO_IS_CHECKED | KINETO_IS_PRODUCT;

	if (event->traits & special)
		return false;
	switch (kineto_meaning(event->traits)) {
	case HOST_OP:
	case HOST_CALL:
		return true;
	case DEVICE_OP:
		return event->start.us != 0;
	default:
		return false;
	}
}

const struct trace_ahead kineto_ahead = {
	.asked = {[ASKED_ID] = "External id",
		[ASKED_CORRELATION] = "correlation",
		[ASKED_PYTHON_ID] = "Python id"},
	.are_numbers = true,
	.traits = traits_of,
	.ready = is_ready,
	.phases = "XiIM",
};
