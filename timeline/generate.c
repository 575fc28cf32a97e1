/* Steps of RunMetadata as a timeline: processes, lanes, tensors, executions, memory, in the order
 * in which the original writes them; and the files, one after the other. */
#include "timeline/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "timeline/lanes.h"
#include "base/memory.h"
#include "base/order.h"
#include "tfprof/files/run_metadata.h"
#include "timeline/json_writer.h"
#include "base/text.h"
#include "ingest/find.h"
#include "ingest/read_file.h"
#include "timeline/input_kind.h"

struct timeline_event {
	const char *phase, *category;
	struct recorded_text name;
	int64_t pid, tid;
	json_whole ts_micros;
};

static void trace_event_open(struct json_writer *json, const struct timeline_event *event)
{
	json_open(json, NULL, '{');
	json_word(json, "ph", event->phase);
	json_word(json, "cat", event->category);
	json_string(json, "name", event->name.bytes, event->name.size);
	json_number(json, "pid", event->pid);
	json_number(json, "tid", event->tid);
	json_number(json, "ts", event->ts_micros);
}

static void trace_event_close(struct json_writer *json)
{
	json_close(json, '}');
}

/* An event with nothing but an id: flows, and objects that are created and destroyed. */
static void trace_event_with_id(
	struct json_writer *json, const struct timeline_event *event, int64_t id)
{
	trace_event_open(json, event);
	json_number(json, "id", id);
	trace_event_close(json);
}

/* The name of a process: "LABEL: NAME KIND", or without the label. */
static void trace_event_process(struct json_writer *json, int64_t pid, const char *label,
	struct recorded_text name, const char *kind)
{
	struct text text;

	text_init(&text);
	if (label)
		text_printf(&text, "%s: ", label);
	text_add_bytes(&text, name.bytes, name.size);
	text_add(&text, kind);
	json_open(json, NULL, '{');
	json_word(json, "name", "process_name");
	json_word(json, "ph", "M");
	json_number(json, "pid", pid);
	json_open(json, "args", '{');
	json_string(json, "name", text_string(&text), text.size);
	json_close(json, '}');
	json_close(json, '}');
	text_release(&text);
}

struct tensor {
	const char *name; /* name_size bytes */
	size_t name_size;
	int64_t object;			       /* its number in the trace */
	int64_t start_micros;		       /* made */
	json_whole end_micros;		       /* of the execution that made it */
	json_whole unused_micros;	       /* last use */
	int64_t compute_pid, tensors_pid, tid; /* of that execution */
	struct recorded_text allocator;
	int64_t size_bytes; /* requested */
};

struct tensor_table {
	struct arena *arena;
	struct intern *names;
	struct vec tensor; /* struct tensor, by number of its name */
	struct text text;
	size_t name_bytes;
};

/* Names are made here: a long name with many outputs would fill any memory out of a small file. */
#define NAME_BYTES_MOST ((size_t)256 << 20)

/* The tensor that is output `index` of an execution: its name and number are set, the rest is the
 * caller's. One of the same name is replaced, and the new one has the number of names so far, as in
 * timeline.py. NULL: ERROR_LIMIT. */
static struct tensor *tensor_table_make(
	struct tensor_table *table, struct recorded_text node, size_t index, struct error *err)
{
	struct tensor *tensor;
	size_t known = table->tensor.count;
	uint32_t id;

	text_clear(&table->text);
	text_add_bytes(&table->text, node.bytes, node.size);
	if (index)
		text_printf(&table->text, ":%zu", index);
	if (table->text.size > NAME_BYTES_MOST - table->name_bytes) {
		error_set(err, ERROR_LIMIT, NULL,
			"names of tensors with more than %zu bytes in a step", NAME_BYTES_MOST);
		return NULL;
	}
	id = intern_id(table->names, text_string(&table->text), table->text.size);
	if (id < known) {
		tensor = vec_at(&table->tensor, id);
	} else {
		table->name_bytes += table->text.size;
		tensor = vec_push(&table->tensor, err);
		if (!tensor)
			return NULL;
	}
	tensor->name = intern_name(table->names, id);
	tensor->name_size = table->text.size;
	tensor->object = (int64_t)known;
	return tensor;
}

/* The tensor that an input names; without the mark of a transfer ("/_12") when that has none. NULL:
 * none. */
static struct tensor *tensor_table_find(
	const struct tensor_table *table, struct recorded_text input)
{
	uint32_t id;

	if (intern_find(table->names, input.bytes, input.size, &id))
		return vec_at(&table->tensor, id);
	for (size_t i = input.size; i-- > 1;)
		if (input.bytes[i - 1] == '/' && input.bytes[i] == '_')
			return i > 1 && intern_find(table->names, input.bytes, i - 1, &id)
				       ? vec_at(&table->tensor, id)
				       : NULL;
	return NULL;
}

/* ---- Sorts what was allocated and freed, and adds it up ---- */

/* Bytes allocated (at the start of a tensor) or freed (after its last use). */
struct allocator_change {
	uint32_t allocator; /* by first tensor */
	json_whole micros, bytes;
	const struct tensor *tensor;
};

static int compare_names(const struct tensor *a, const struct tensor *b)
{
	size_t n = a->name_size < b->name_size ? a->name_size : b->name_size;
	int order = memcmp(a->name, b->name, n);

	return order ? order : (a->name_size > b->name_size) - (a->name_size < b->name_size);
}

ORDERED(compare_changes, struct allocator_change,
	ORDER(x->allocator, y->allocator)
		?: ORDER(x->micros, y->micros)
		?: ORDER(x->bytes, y->bytes)
		?: compare_names(x->tensor, y->tensor));

/* Writes a "D" event for each tensor and the "C" events of each allocator, these to the process
 * `pid`. */
static void memory_counters_write(
	struct json_writer *json, const struct tensor_table *table, int64_t pid)
{
	const struct tensor *tensor = table->tensor.data;
	size_t count = memory_product(table->tensor.count, 2);
	struct allocator_change *change = memory_alloc(memory_product(count, sizeof(*change)));
	struct arena *arena = arena_new();
	struct intern *allocators = intern_new(arena);
	json_whole total = 0;

	for (size_t i = 0; i < table->tensor.count; i++) {
		const struct tensor *t = &tensor[i];
		uint32_t allocator = intern_id(allocators, t->allocator.bytes, t->allocator.size);
		struct timeline_event event = {.phase = "D",
			.category = "Tensor",
			.name = {t->name, t->name_size},
			.pid = t->tensors_pid,
			.ts_micros = t->unused_micros};

		trace_event_with_id(json, &event, t->object);
		change[2 * i] =
			(struct allocator_change){allocator, t->start_micros, t->size_bytes, t};
		change[2 * i + 1] = (struct allocator_change){
			allocator, t->unused_micros, -(json_whole)t->size_bytes, t};
	}
	if (count)
		qsort(change, count, sizeof(*change), compare_changes);
	for (size_t i = 0; i < count; i++) {
		if (i && change[i].allocator != change[i - 1].allocator)
			total = 0;
		total += change[i].bytes;

		const struct recorded_text *allocator = &change[i].tensor->allocator;
		struct timeline_event event = {.phase = "C",
			.category = "Memory",
			.name = *allocator,
			.pid = pid,
			.ts_micros = change[i].micros};

		trace_event_open(json, &event);
		json_open(json, "args", '{');
		json_number_named(json, allocator->bytes, allocator->size, total);
		json_close(json, '}');
		trace_event_close(json);
	}
	arena_free(arena);
	memory_free(change);
}

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

static json_whole end_of(const struct recorded_node *node)
{
	return (json_whole)node->start_micros + node->dur_micros;
}

static bool equal(struct recorded_text a, struct recorded_text b)
{
	return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

static ptrdiff_t first_of(struct recorded_text text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.size; i++)
		if (memcmp(text.bytes + i, word, n) == 0)
			return (ptrdiff_t)i;
	return -1;
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
			(tensor->compute_pid != pid || tensor->tid != tid)) {
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
			event.ts_micros = node->start_micros;
			trace_event_with_id(job->json, &event, id);
		}
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
	bool stream =
		first_of(device->name, "/stream:") >= 0 || first_of(device->name, "/memcpy") >= 0;

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

	job.tensors.arena = arena_new();
	job.tensors.names = intern_new(job.tensors.arena);
	vec_init(&job.tensors.tensor, sizeof(struct tensor), UINT32_MAX - 1, "tensors in a step");
	text_init(&job.tensors.text);
	job.tensors.name_bytes = 0;
	result = write_step(&job, label, err);
	text_release(&job.tensors.text);
	vec_release(&job.tensors.tensor);
	arena_free(job.tensors.arena);
	arena_free(job.arena);
	return result;
}

void timeline_writer_end(struct timeline_writer *writer)
{
	json_close(&writer->json, ']');
	json_close(&writer->json, '}');
	json_end(&writer->json);
}

/* ---- Takes labels apart as the pattern (.*) = (.*)\((.*)\) does at the start of a label: in
 * its first line, each part as long as it can be, the first one first ---- */

static const struct recorded_text unknown = {"unknown", 7};

/* Offset of the last `word` in the first `size` bytes; -1: none. */
static ptrdiff_t last_of(const char *bytes, size_t size, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = size < n ? 0 : size - n + 1; i-- > 0;)
		if (memcmp(bytes + i, word, n) == 0)
			return (ptrdiff_t)i;
	return -1;
}

struct op_label op_label_parse(struct recorded_text label)
{
	ptrdiff_t line = first_of(label, "\n");
	size_t size = line < 0 ? label.size : (size_t)line;
	ptrdiff_t close = last_of(label.bytes, size, ")");
	ptrdiff_t open = close < 0 ? -1 : last_of(label.bytes, (size_t)close, "(");
	ptrdiff_t equals = open < 0 ? -1 : last_of(label.bytes, (size_t)open, " = ");
	struct op_label parts = {.op = unknown, .inputs = {"", 0}};

	if (equals < 0)
		return parts;
	parts.op = (struct recorded_text){label.bytes + equals + 3, (size_t)(open - equals - 3)};
	parts.inputs = (struct recorded_text){label.bytes + open + 1, (size_t)(close - open - 1)};
	parts.has_inputs = parts.inputs.size > 0;
	return parts;
}

bool op_label_input(struct op_label *label, struct recorded_text *input)
{
	ptrdiff_t comma;

	if (!label->has_inputs)
		return false;
	*input = label->inputs;
	comma = first_of(label->inputs, ", ");
	label->has_inputs = comma >= 0;
	if (comma < 0)
		return true;
	input->size = (size_t)comma;
	label->inputs.bytes += comma + 2;
	label->inputs.size -= (size_t)comma + 2;
	return true;
}

void op_label_kernel(
	const struct recorded_node *node, struct recorded_text *name, struct recorded_text *op)
{
	ptrdiff_t start = first_of(node->label, "@@"), end = first_of(node->label, "#");
	ptrdiff_t colon;

	*name = node->name;
	*op = unknown;
	if (start >= 0 && start + 2 < end)
		*name = (struct recorded_text){
			node->label.bytes + start + 2, (size_t)(end - start - 2)};
	colon = first_of(*name, ":");
	if (colon < 0)
		return;
	*op = (struct recorded_text){name->bytes + colon + 1, name->size - (size_t)colon - 1};
	name->size = (size_t)colon;
	colon = first_of(*op, ":");
	if (colon >= 0)
		op->size = (size_t)colon;
}

/* ---- Finds the files, looks what they are, and writes step after step ---- */

/* Returns 0 if the input is RunMetadata by its content, or -1 with the reason: it is not, or that
 * is not known. */
static int check_kind(const struct generate_job *job, struct input *in, struct error *err)
{
	struct probe probe;

	if (job->from)
		return 0;
	return probe_input(in, &probe, err) == 0 ? expect_run_metadata(&probe, err) : -1;
}

/* Finds whether a file of a folder is to be read. A file that cannot be opened there is an error
 * all the same. */
static int check_found(
	const struct generate_job *job, const char *path, bool *wanted, struct error *err)
{
	struct input *in = input_open(path, err);
	struct error reason;

	if (!in)
		return -1;
	*wanted = check_kind(job, in, &reason) == 0;
	input_close(in);
	return 0;
}

/* Chooses the files that are to be read. */
static int choose(const struct generate_job *job, struct vec *found, struct vec *skipped,
	struct arena *arena, const struct found_file **chosen, size_t *count, struct error *err)
{
	*count = 0;
	for (size_t i = 0; i < found->count; i++) {
		const struct found_file *file = vec_at(found, i);
		bool wanted = true;

		if (!file->named && check_found(job, file->path, &wanted, err))
			return -1;
		if (wanted)
			chosen[(*count)++] = file;
		else
			attempt_would_read(file->path, job->from, arena, skipped);
	}
	if (*count)
		return 0;
	return error_set(err, ERROR_INPUT, job->paths[0], "no RunMetadata among %zu %s",
		found->count, found->count == 1 ? "file" : "files");
}

static int add_file(const struct generate_job *job, struct timeline_writer *writer,
	const struct found_file *file, const char *label, struct issue_list *issues,
	struct error *err)
{
	struct input *in = input_open_as(file->path, file->is_stdin ? job->input_name : NULL, err);
	struct recorded_step *step = NULL;
	size_t replaced = writer->json.replaced;
	int result = -1;

	if (!in)
		return -1;
	if (check_kind(job, in, err) == 0)
		step = recorded_step_read(in, &job->read, job->options.memory, err);
	if (step)
		result = timeline_writer_add(writer, step, label, err);
	if (step)
		input_report_tail(in, issues);
	if (writer->json.replaced > replaced)
		issue_add(issues, ISSUE_LOSS, "not-utf8",
			"bytes in names that are not UTF-8, written as U+FFFD",
			writer->json.replaced - replaced, file->name);
	recorded_step_free(step);
	input_close(in);
	return result;
}

static int write_all(const struct generate_job *job, const struct found_file *const *files,
	size_t count, struct arena *arena, struct issue_list *issues, struct error *err)
{
	const char **names = arena_array(arena, count, sizeof(*names)), **labels;
	struct trace_file *file = trace_file_open(job->output, err);
	struct timeline_writer writer;
	int result = 0;

	if (!file)
		return -1;
	for (size_t i = 0; i < count; i++)
		names[i] = files[i]->name;
	labels = step_labels(names, count, arena);
	timeline_writer_begin(&writer, file, &job->options);
	for (size_t i = 0; i < count && result == 0; i++)
		result = add_file(job, &writer, files[i], labels[i], issues, err);
	timeline_writer_end(&writer);
	if (result == 0 && job->strict) /* before the file is put in place */
		result = issue_list_refuse_losses(issues, err);
	if (result == 0)
		return trace_file_commit(file, err);
	trace_file_discard(file);
	return -1;
}

int generate_files(const struct generate_job *job, struct issue_list *issues, struct error *err)
{
	struct arena *arena = arena_new();
	struct vec found = {0}, skipped = {0};
	int result = find_files(job->paths, job->path_count, arena, &found, &skipped, err);
	const struct found_file **chosen = arena_array(arena, found.count, sizeof(*chosen));
	size_t count = 0;

	find_name_stdin(&found, job->input_name);
	if (result == 0)
		result = choose(job, &found, &skipped, arena, chosen, &count, err);
	skipped_report(issues, skipped.data, skipped.count);
	if (result == 0)
		result = write_all(job, chosen, count, arena, issues, err);
	vec_release(&found);
	vec_release(&skipped);
	arena_free(arena);
	return result;
}
