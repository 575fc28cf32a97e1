/*
 * Stores every execution of a RunMetadata file in one arena, which grows with the file. Lists grow
 * on the heap and are copied to the arena when they are complete.
 */
#include "tfprof/files/recorded_step.h"

#include <string.h>
#include "base/text.h"
#include "base/memory.h"
#include "ingest/protobuf/arena_allocator.h"
#include "tfprof/files/run_frame.h"
#include "tfprof/files/tensor_text.h"
#include "ingest/protobuf/text_proto.h"
#include "ingest/protobuf/wire.h"

#define DEVICES_MOST ((size_t)1000000)

struct recorder {
	struct input *in;
	const struct read_options *opt;
	bool descriptions;
	struct recorded_step *step;
	struct arena *scratch; /* of one execution */
	struct text text;
	struct vec node;   /* struct recorded_node, of the present device */
	struct vec device; /* struct recorded_device */
	struct recorded_text name;
	size_t total; /* executions and outputs so far */
	bool has_step;
};

static struct recorded_text copy_bytes(struct recorder *r, const void *bytes, size_t size)
{
	if (size == 0)
		return (struct recorded_text){"", 0};
	return (struct recorded_text){arena_strndup(r->step->arena, bytes, size), size};
}

static struct recorded_text copy_data(struct recorder *r, const ProtobufCBinaryData *data)
{
	return copy_bytes(r, data->data, data->len);
}

static int too_many(struct recorder *r, struct error *err)
{
	error_set(err, ERROR_LIMIT, input_path(r->in),
		"more than %zu executions and outputs in a step", r->opt->limits.observations);
	return error_hint(err, "allow more with --max-observations");
}

static void copy_output(
	struct recorder *r, const Run__RecordedOutput *from, struct recorded_output *to)
{
	const Run__RecordedTensor *tensor = from->tensor_description;
	const Run__RecordedAllocation *allocation = tensor ? tensor->allocation_description : NULL;

	to->allocator = to->description = (struct recorded_text){"", 0};
	if (allocation) {
		to->requested_bytes = allocation->requested_bytes;
		to->allocator = copy_data(r, &allocation->allocator_name);
	}
	if (r->descriptions) {
		text_clear(&r->text);
		tensor_text_add(&r->text, tensor);
		to->description = copy_bytes(r, text_string(&r->text), r->text.size);
	}
}

static int add_execution(
	void *context, const unsigned char *bytes, size_t size, uint64_t start, struct error *err)
{
	struct recorder *r = context;
	ProtobufCAllocator allocator = arena_allocator(r->scratch);
	struct recorded_output *output;
	struct recorded_node *node;
	Run__RecordedNode *from;

	arena_reset(r->scratch);
	from = run__recorded_node__unpack(&allocator, size, bytes);
	if (!from)
		return wire_damaged(r->in, start, RUN_FRAME_EXECUTION, err);
	if (from->n_output >= r->opt->limits.observations - r->total)
		return too_many(r, err);
	r->total += from->n_output + 1;
	node = vec_push(&r->node, err);
	if (!node)
		return -1;
	output = arena_array(r->step->arena, from->n_output, sizeof(*output));
	for (size_t i = 0; i < from->n_output; i++)
		copy_output(r, from->output[i], &output[i]);
	*node = (struct recorded_node){
		.name = copy_data(r, &from->node_name),
		.label = copy_data(r, &from->timeline_label),
		.start_micros = from->all_start_micros,
		.dur_micros = from->all_end_rel_micros,
		.output = output,
		.output_count = from->n_output,
	};
	return 0;
}

static void begin_step(void *context)
{
	struct recorder *r = context;

	r->has_step = true;
}

static void begin_device(void *context)
{
	struct recorder *r = context;

	vec_clear(&r->node);
	r->name = (struct recorded_text){"", 0};
}

static void name_device(void *context, const char *name, size_t size)
{
	struct recorder *r = context;

	r->name = copy_bytes(r, name, size);
}

/* The items of a list, for good. */
static const void *copy_list(struct recorder *r, const struct vec *list)
{
	void *items = arena_array(r->step->arena, list->count, list->item_bytes);

	if (list->count)
		memcpy(items, list->data, list->count * list->item_bytes);
	return items;
}

static int end_device(void *context, struct error *err)
{
	struct recorder *r = context;
	struct recorded_device *device = vec_push(&r->device, err);

	if (!device)
		return -1;
	device->name = r->name;
	device->node = copy_list(r, &r->node);
	device->node_count = r->node.count;
	return 0;
}

static int read_all(struct recorder *r, struct error *err)
{
	const struct run_frame frame = {
		.context = r,
		.max_record_bytes = r->opt->max_record_bytes,
		.execution = &run__recorded_node__descriptor,
		.begin_step = begin_step,
		.begin_device = begin_device,
		.name_device = name_device,
		.add_execution = add_execution,
		.end_device = end_device,
	};
	bool text;

	if (text_proto_is_text(r->in, &text, err) ||
		(text ? run_frame_read_text(r->in, &frame, err)
		      : run_frame_read_binary(r->in, &frame, err)))
		return -1;
	if (r->has_step)
		return 0;
	error_set(err, ERROR_INPUT, input_path(r->in), "RunMetadata without step_stats");
	return error_hint(err, "nothing was traced: run the step with RunOptions.FULL_TRACE");
}

struct recorded_step *recorded_step_read(
	struct input *in, const struct read_options *opt, bool descriptions, struct error *err)
{
	struct arena *arena = arena_new();
	struct recorded_step *step = arena_alloc(arena, sizeof(*step));
	struct recorder r = {.in = in, .opt = opt, .descriptions = descriptions, .step = step};
	int result;

	step->arena = arena;
	r.scratch = arena_new();
	text_init(&r.text);
	vec_init(&r.node, sizeof(struct recorded_node), opt->limits.observations, "executions");
	vec_init(&r.device, sizeof(struct recorded_device), DEVICES_MOST, "devices");
	result = read_all(&r, err);
	if (result == 0) {
		step->device = copy_list(&r, &r.device);
		step->device_count = r.device.count;
	}
	vec_release(&r.device);
	vec_release(&r.node);
	text_release(&r.text);
	arena_free(r.scratch);
	if (result == 0)
		return step;
	arena_free(arena);
	return NULL;
}

void recorded_step_free(struct recorded_step *step)
{
	if (step)
		arena_free(step->arena);
}
