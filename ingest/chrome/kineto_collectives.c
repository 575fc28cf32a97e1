/*
 * Collectives in PyTorch traces: kernels of NCCL and its relatives, with the facts about the call
 * in their args or in those of the op record_param_comms, and the annotations of gloo on hosts.
 */
#include <string.h>
#include "ingest/events/device_work.h"
#include "ingest/chrome/kineto_labels.h"

/* The libraries have "ccl" in the names of their kernels; also by the category that some devices
 * have for it. Every kernel is looked at. */
static bool is_communication(const struct trace_event *event)
{
	static const char *const categories[] = {"collective_comm", NULL};

	for (size_t i = 0; i + 3 <= event->name.size; i++) {
		const char *c = event->name.at + i;

		if ((c[0] | 0x20) == 'c' && (c[1] | 0x20) == 'c' && (c[2] | 0x20) == 'l')
			return true;
	}
	return json_is_one_of(&event->category, categories);
}

/* Reads the collective that the event describes; false: it describes none. Text of `group`: name of
 * the group and, since each process may number its groups by itself, the ranks in it. */
static bool read_collective(
	const struct trace_event *event, struct text *group, struct log_collective *out)
{
	static const char *const names[] = {
		"Collective name", "Process Group Name", "Process Group Ranks", "Seq"};
	struct json_value value[4];

	trace_args(event, names, value, 4);
	if (value[0].kind == 0)
		return false;
	if (value[1].kind)
		json_add_text(group, &value[1]);
	if (value[1].kind && value[2].kind) {
		text_add(group, " ");
		json_add_text(group, &value[2]);
	}
	*out = (struct log_collective){
		.is_of_all = device_work_is_of_all(value[0].at, value[0].size),
		.group = text_string(group),
		.group_size = group->size};
	if (!json_integer(&value[3], &out->sequence))
		out->sequence = COLLECTIVE_UNKNOWN;
	return true;
}

/* A kernel of a library for communication: since 2024 it says itself which collective it is, in
 * between only the op that launched it does. */
void kineto_device_collective(struct trace *t, const struct trace_event *event, struct event *to)
{
	struct eventlog *log = trace_log(t);
	struct log_collective collective;
	struct json_value id;
	struct text group;
	uint64_t number;

	if (!is_communication(event))
		return;
	text_init(&group);
	to->bytes_kind = BYTES_COLLECTIVE;
	if (read_collective(event, &group, &collective)) {
		to->bytes = eventlog_collective(log, &collective);
	} else {
		id = trace_arg(event, "External id");
		to->bytes = eventlog_collective_of_id(json_unsigned(&id, &number) ? number : 0,
			device_work_is_of_all(event->name.at, event->name.size));
	}
	text_release(&group);
}

/* Sets the collective of a call on processors: gloo's own threads draw it from its start to its
 * result. */
void kineto_host_collective(struct trace *t, const struct trace_event *event, struct event *to)
{
	static const char prefix[] = "gloo:";
	static const char *const annotations[] = {"user_annotation", NULL};
	const struct log_collective collective = {
		.is_of_all = true, .sequence = COLLECTIVE_UNKNOWN};

	if (event->name.size < strlen(prefix) ||
		memcmp(event->name.at, prefix, strlen(prefix)) != 0 ||
		!json_is_one_of(&event->category, annotations) ||
		!device_work_is_of_all(event->name.at, event->name.size))
		return;
	to->bytes_kind = BYTES_COLLECTIVE;
	to->bytes = eventlog_collective(trace_log(t), &collective);
}

void kineto_describe_collective(struct trace *t, const struct trace_event *event)
{
	struct log_collective collective;
	struct json_value id = trace_arg(event, "External id");
	struct text group;
	uint64_t number;

	if (!json_unsigned(&id, &number))
		return;
	text_init(&group);
	if (read_collective(event, &group, &collective))
		eventlog_describe_id(trace_log(t), number, &collective);
	text_release(&group);
}
