/*
 * Processes, lanes, tensors, executions, memory: in the order in which the original writes them.
 */
#include "timeline/generate.h"

#include <stdio.h>
#include <string.h>
#include "base/intern.h"
#include "timeline/lanes.h"
#include "timeline/memory_counters.h"
#include "timeline/op_label.h"
#include "timeline/tensors.h"
#include "timeline/timeline_event.h"

static const struct recorded_text recv_tensor = {"RecvTensor", 10};

/* One step on its way into the file. */
struct step_job {
	struct timeline_writer *writer;
	struct json_writer *json;
	const struct recorded_step *step;
	int64_t allocators_pid;
	int64_t *pid;  /* of each device; its tensors have the next one */
	int64_t **tid; /* of each device and execution */
	struct arena *arena;
	struct tensor_table tensors;
};

static json_integer end_of(const struct recorded_node *node)
{
	return (json_integer)node->start_micros + node->dur_micros;
}

static bool equal(struct recorded_text a, struct recorded_text b)
{
	return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

static bool contains(struct recorded_text text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.size; i++)
		if (memcmp(text.bytes + i, word, n) == 0)
			return true;
	return false;
}

/* Streams and copies of a GPU: what runs there is not an op of the graph. */
static bool is_stream(const struct recorded_device *device)
{
	return contains(device->name, "/stream:") || contains(device->name, "/memcpy");
}

/* A process for the allocators, and two for each device. Devices of one name share the last ones
 * given to it, as in the original. */
static void write_processes(struct step_job *job, const char *label)
{
	const struct recorded_step *step = job->step;
	struct intern *names = intern_new(job->arena);
	int64_t *last = arena_array(job->arena, step->device_count, sizeof(*last));
	int64_t *count = &job->writer->process_count;
	const struct recorded_text allocators = {"Allocators", 10};

	job->allocators_pid = (*count)++;
	trace_event_process(job->json, job->allocators_pid, label, allocators, "");
	for (size_t i = 0; i < step->device_count; i++) {
		struct recorded_text name = step->device[i].name;

		last[intern_id(names, name.bytes, name.size)] = *count;
		trace_event_process(job->json, (*count)++, label, name, " Compute");
		trace_event_process(job->json, (*count)++, label, name, " Tensors");
	}
	job->pid = arena_array(job->arena, step->device_count, sizeof(*job->pid));
	for (size_t i = 0; i < step->device_count; i++) {
		struct recorded_text name = step->device[i].name;

		job->pid[i] = last[intern_id(names, name.bytes, name.size)];
	}
}

static void assign_lanes(struct step_job *job)
{
	const struct recorded_step *step = job->step;

	job->tid = arena_array(job->arena, step->device_count, sizeof(*job->tid));
	for (size_t i = 0; i < step->device_count; i++) {
		const struct recorded_device *device = &step->device[i];
		struct lanes lanes;

		job->tid[i] = arena_array(job->arena, device->node_count, sizeof(**job->tid));
		lanes_init(&lanes);
		for (size_t k = 0; k < device->node_count; k++)
			job->tid[i][k] = (int64_t)lanes_place(
				&lanes, device->node[k].start_micros, end_of(&device->node[k]));
		lanes_release(&lanes);
	}
}

/* The object of a tensor, and its picture at the end of the execution that made it. */
static void write_object(
	struct step_job *job, const struct tensor *tensor, const struct recorded_output *output)
{
	struct json_writer *json = job->json;
	struct timeline_event event = {.phase = "N",
		.category = "Tensor",
		.name = {tensor->name, tensor->name_size},
		.pid = tensor->tensors_pid,
		.tid = tensor->tid,
		.ts_micros = tensor->start_micros};

	trace_event_with_id(json, &event, tensor->object);
	event.phase = "O";
	event.ts_micros = tensor->end_micros - 1;
	trace_event_open(json, &event);
	json_number(json, "id", tensor->object);
	json_open(json, "args", '{');
	json_open(json, "snapshot", '{');
	json_string(
		json, "tensor_description", output->description.bytes, output->description.size);
	json_close(json, '}');
	json_close(json, '}');
	trace_event_close(json);
}

static int make_tensors(struct step_job *job, size_t d, size_t k, struct error *err)
{
	const struct recorded_node *node = &job->step->device[d].node[k];

	for (size_t i = 0; i < node->output_count; i++) {
		const struct recorded_output *output = &node->output[i];
		struct tensor *tensor = tensor_table_make(&job->tensors, node->name, i, err);

		if (!tensor)
			return -1;
		tensor->start_micros = node->start_micros;
		tensor->end_micros = tensor->unused_micros = end_of(node);
		tensor->compute_pid = job->pid[d];
		tensor->tensors_pid = job->pid[d] + 1;
		tensor->tid = job->tid[d][k];
		tensor->allocator = output->allocator;
		tensor->size_bytes = output->requested_bytes;
		if (job->writer->options.memory)
			write_object(job, tensor, output);
	}
	return 0;
}

static void write_flow(struct step_job *job, const struct tensor *tensor, int64_t start_micros,
	int64_t pid, int64_t tid)
{
	int64_t id = job->writer->flow_count++;
	struct timeline_event event = {.phase = "s",
		.category = "DataFlow",
		.name = {tensor->name, tensor->name_size},
		.pid = tensor->compute_pid,
		.tid = tensor->tid,
		.ts_micros = tensor->end_micros};

	trace_event_with_id(job->json, &event, id);
	event.phase = "t";
	event.pid = pid;
	event.tid = tid;
	event.ts_micros = start_micros;
	trace_event_with_id(job->json, &event, id);
}

/* An input is used until just before the end of the consumer. Arrows within a lane would only
 * clutter. */
static void use_inputs(struct step_job *job, size_t d, size_t k, struct op_label label)
{
	const struct recorded_node *node = &job->step->device[d].node[k];
	int64_t pid = job->pid[d], tid = job->tid[d][k];
	struct recorded_text input;

	while (op_label_input(&label, &input)) {
		struct tensor *tensor = tensor_table_find(&job->tensors, input);

		if (!tensor)
			continue;
		if (tensor->unused_micros < end_of(node) - 1)
			tensor->unused_micros = end_of(node) - 1;
		if (job->writer->options.dataflow &&
			(tensor->compute_pid != pid || tensor->tid != tid))
			write_flow(job, tensor, node->start_micros, pid, tid);
	}
}

static void write_execution(
	struct step_job *job, size_t d, size_t k, struct recorded_text name, struct op_label label)
{
	const struct recorded_node *node = &job->step->device[d].node[k];
	struct json_writer *json = job->json;
	struct timeline_event event = {.phase = "X",
		.category = "Op",
		.name = label.op,
		.pid = job->pid[d],
		.tid = job->tid[d][k],
		.ts_micros = node->start_micros};
	struct recorded_text input;
	char member[32];

	trace_event_open(json, &event);
	json_number(json, "dur", node->dur_micros);
	json_open(json, "args", '{');
	json_string(json, "name", name.bytes, name.size);
	json_string(json, "op", label.op.bytes, label.op.size);
	for (size_t i = 0; op_label_input(&label, &input); i++) {
		snprintf(member, sizeof(member), "input%zu", i);
		json_string(json, member, input.bytes, input.size);
	}
	json_close(json, '}');
	trace_event_close(json);
}

static void write_compute(struct step_job *job, size_t d)
{
	const struct recorded_device *device = &job->step->device[d];
	bool stream = is_stream(device);

	for (size_t k = 0; k < device->node_count; k++) {
		const struct recorded_node *node = &device->node[k];
		struct recorded_text name = node->name;
		struct op_label label = {.op = recv_tensor};

		if (stream)
			op_label_kernel(node, &name, &label.op);
		else if (!equal(name, recv_tensor))
			label = op_label_parse(node->label);
		write_execution(job, d, k, name, label);
		use_inputs(job, d, k, label);
	}
}

static int write_step(struct step_job *job, const char *label, struct error *err)
{
	const struct recorded_step *step = job->step;

	write_processes(job, label);
	assign_lanes(job);
	for (size_t d = 0; d < step->device_count; d++)
		for (size_t k = 0; k < step->device[d].node_count; k++)
			if (make_tensors(job, d, k, err))
				return -1;
	for (size_t d = 0; d < step->device_count; d++)
		write_compute(job, d);
	if (job->writer->options.memory)
		memory_counters_write(job->json, &job->tensors, job->allocators_pid);
	return 0;
}

void timeline_writer_begin(struct timeline_writer *writer, struct trace_file *file,
	const struct generate_options *options)
{
	*writer = (struct timeline_writer){.options = *options};
	json_begin(&writer->json, file);
	json_open(&writer->json, NULL, '{');
	json_open(&writer->json, "traceEvents", '[');
}

int timeline_writer_add(struct timeline_writer *writer, const struct recorded_step *step,
	const char *label, struct error *err)
{
	struct step_job job = {
		.writer = writer, .json = &writer->json, .step = step, .arena = arena_new()};
	int result;

	tensor_table_init(&job.tensors);
	result = write_step(&job, label, err);
	tensor_table_release(&job.tensors);
	arena_free(job.arena);
	return result;
}

void timeline_writer_end(struct timeline_writer *writer)
{
	json_close(&writer->json, ']');
	json_close(&writer->json, '}');
	json_end(&writer->json);
}
