/* Walks RunMetadata from the outermost message to the bytes of each execution. A recorded step is
 * stored in one arena, which grows with the file; lists grow on the heap and are copied to the
 * arena when they are complete. */
#include "tfprof/files/run_metadata.h"

#include <inttypes.h>
#include <string.h>
#include "base/memory.h"
#include "ingest/proto/run_metadata.pb-c.h"
#include "ingest/protobuf/text_proto.h"
#include "ingest/protobuf/wire.h"

#define A_DEVICE "the executions of a device"
#define THE_STEP "the step"

struct frame_walk {
	const struct run_frame *frame;
	struct input *in;
	struct text_proto *t; /* of the text form */
	struct text device;   /* name of the present one */
	struct text bytes;    /* an execution, of the text form */
	bool has_step;
};

/* ---- binary ---- */

static int read_device(struct frame_walk *w, uint64_t end, struct error *err)
{
	const struct run_frame *frame = w->frame;
	const unsigned char *bytes;
	struct wire_field f;
	int got;

	text_clear(&w->device);
	while ((got = wire_stream_next(w->in, end, A_DEVICE, &f, err)) > 0) {
		uint64_t start = input_offset(w->in);

		if (f.type != WIRE_BYTES)
			continue;
		if (f.number != 1 && f.number != 2) {
			if (input_discard(w->in, f.size, A_DEVICE, err))
				return -1;
			continue;
		}
		if (input_read(w->in, f.size, frame->max_record_bytes, RUN_FRAME_EXECUTION, &bytes,
			    err))
			return -1;
		if (f.number == 1) {
			text_clear(&w->device);
			text_add_bytes(&w->device, (const char *)bytes, f.size);
		} else if (frame->add_execution(frame->context, bytes, f.size, start, err)) {
			return -1;
		}
	}
	return got ? got : frame->end_device(frame->context, &w->device, err);
}

/* Fields of number 1 one level down, each to `inner`; the others are passed over. */
static int read_ones(struct frame_walk *w, uint64_t end,
	int (*inner)(struct frame_walk *w, uint64_t end, struct error *err), struct error *err)
{
	struct wire_field f;
	int got;

	while ((got = wire_stream_next(w->in, end, THE_STEP, &f, err)) > 0) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 1 ? inner(w, input_offset(w->in) + f.size, err)
				  : input_discard(w->in, f.size, THE_STEP, err))
			return -1;
	}
	return got;
}

static int read_step(struct frame_walk *w, uint64_t end, struct error *err)
{
	w->has_step = true;
	return read_ones(w, end, read_device, err);
}

/* ---- the same as text ---- */

static int read_field_text(struct frame_walk *w, const char *name, struct error *err)
{
	const struct run_frame *frame = w->frame;

	if (text_equal(name, "device")) {
		text_clear(&w->device);
		return text_proto_string(w->t, &w->device, err);
	}
	if (!text_equal(name, "node_stats"))
		return text_proto_skip(w->t, err);
	text_clear(&w->bytes);
	if (text_proto_encode(w->t, frame->execution, &w->bytes, err))
		return -1;
	return frame->add_execution(frame->context, (const unsigned char *)text_string(&w->bytes),
		w->bytes.size, 0, err);
}

static int read_device_text(struct frame_walk *w, struct error *err)
{
	const char *name;
	int got;

	if (text_proto_enter(w->t, err))
		return -1;
	text_clear(&w->device);
	while ((got = text_proto_next(w->t, &name, err)) > 0)
		if (read_field_text(w, name, err))
			return -1;
	return got ? got : w->frame->end_device(w->frame->context, &w->device, err);
}

/* The fields of one name, each to `inner`; the others are passed over. */
static int read_named(struct frame_walk *w, const char *wanted,
	int (*inner)(struct frame_walk *w, struct error *err), struct error *err)
{
	const char *name;
	int got;

	while ((got = text_proto_next(w->t, &name, err)) > 0)
		if (text_equal(name, wanted) ? inner(w, err) : text_proto_skip(w->t, err))
			return -1;
	return got;
}

static int read_step_text(struct frame_walk *w, struct error *err)
{
	if (text_proto_enter(w->t, err))
		return -1;
	w->has_step = true;
	return read_named(w, "dev_stats", read_device_text, err);
}

int run_frame_read(struct input *in, const struct run_frame *frame, bool text, struct error *err)
{
	struct frame_walk w = {.frame = frame, .in = in};
	int result;

	text_init(&w.device);
	text_init(&w.bytes);
	if (text) {
		w.t = text_proto_new(in, frame->max_record_bytes);
		result = read_named(&w, "step_stats", read_step_text, err);
		text_proto_free(w.t);
	} else {
		result = read_ones(&w, UINT64_MAX, read_step, err);
	}
	text_release(&w.device);
	text_release(&w.bytes);
	return result ? result : w.has_step;
}

/* ---- the text of a tensor ---- */

static void add_number(struct text *out, const char *name, int64_t value)
{
	if (value)
		text_printf(out, "%s: %" PRId64 "\n", name, value);
}

/* protobuf's escapes; the quotes around it are left out, and those inside lose theirs. */
static void add_string(struct text *out, const char *name, const ProtobufCBinaryData *value)
{
	static const char special[] = "\n\r\t'\\", letter[] = "nrt'\\";

	if (value->len == 0)
		return;
	text_printf(out, "%s: ", name);
	for (size_t i = 0; i < value->len; i++) {
		unsigned char c = value->data[i];
		const char *found = memchr(special, c, sizeof(special) - 1);

		if (c == '"')
			text_add_char(out, '\\');
		else if (found)
			text_printf(out, "\\%c", letter[found - special]);
		else if (c < 0x20 || c >= 0x7f)
			text_printf(out, "\\%03o", c);
		else
			text_add_char(out, (char)c);
	}
	text_add_char(out, '\n');
}

/* Adds the TensorDescription as Python's str() writes it, without '"'. NULL: a message without
 * fields, which is nothing. */
static void tensor_text_add(struct text *out, const Run__RecordedTensor *tensor)
{
	if (!tensor)
		return;
	const ProtobufCEnumValue *known = protobuf_c_enum_descriptor_get_value(
		&run__data_type__descriptor, (int)tensor->dtype);

	if (tensor->dtype != RUN__DATA_TYPE__DT_INVALID) {
		if (known)
			text_printf(out, "dtype: %s\n", known->name);
		else
			text_printf(out, "dtype: %d\n", (int)tensor->dtype);
	}
	if (tensor->shape) {
		text_add(out, "shape {\n");
		for (size_t i = 0; i < tensor->shape->n_dim; i++) {
			text_add(out, "  dim {\n");
			add_number(out, "    size", tensor->shape->dim[i]->size);
			add_string(out, "    name", &tensor->shape->dim[i]->name);
			text_add(out, "  }\n");
		}
		if (tensor->shape->unknown_rank)
			text_add(out, "  unknown_rank: true\n");
		text_add(out, "}\n");
	}
	if (tensor->allocation_description) {
		const Run__RecordedAllocation *allocation = tensor->allocation_description;

		text_add(out, "allocation_description {\n");
		add_number(out, "  requested_bytes", allocation->requested_bytes);
		add_number(out, "  allocated_bytes", allocation->allocated_bytes);
		add_string(out, "  allocator_name", &allocation->allocator_name);
		add_number(out, "  allocation_id", allocation->allocation_id);
		if (allocation->has_single_reference)
			text_add(out, "  has_single_reference: true\n");
		if (allocation->ptr)
			text_printf(out, "  ptr: %" PRIu64 "\n", allocation->ptr);
		text_add(out, "}\n");
	}
}

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
	size_t total;	   /* executions and outputs so far */
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
	if (from->n_output >= r->opt->limits.observations - r->total) {
		error_set(err, ERROR_LIMIT, input_path(r->in),
			"more than %zu executions and outputs in a step",
			r->opt->limits.observations);
		return error_hint(err, "allow more with max-observations in stepstat.yaml");
	}
	r->total += from->n_output + 1;
	node = vec_push(&r->node, err);
	if (!node)
		return -1;
	output = arena_array(r->step->arena, from->n_output, sizeof(*output));
	for (size_t i = 0; i < from->n_output; i++) {
		const Run__RecordedTensor *tensor = from->output[i]->tensor_description;
		const Run__RecordedAllocation *allocation =
			tensor ? tensor->allocation_description : NULL;

		output[i].allocator = output[i].description = (struct recorded_text){"", 0};
		if (allocation) {
			output[i].requested_bytes = allocation->requested_bytes;
			output[i].allocator = copy_data(r, &allocation->allocator_name);
		}
		if (r->descriptions) {
			text_clear(&r->text);
			tensor_text_add(&r->text, tensor);
			output[i].description = copy_bytes(r, text_string(&r->text), r->text.size);
		}
	}
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

/* The items of a list, for good. */
static const void *copy_list(struct recorder *r, const struct vec *list)
{
	void *items = arena_array(r->step->arena, list->count, list->item_bytes);

	if (list->count)
		memcpy(items, list->data, list->count * list->item_bytes);
	return items;
}

static int end_device(void *context, const struct text *name, struct error *err)
{
	struct recorder *r = context;
	struct recorded_device *device = vec_push(&r->device, err);

	if (!device)
		return -1;
	device->name = copy_bytes(r, text_string(name), name->size);
	device->node = copy_list(r, &r->node);
	device->node_count = r->node.count;
	vec_clear(&r->node);
	return 0;
}

static int read_all(struct recorder *r, struct error *err)
{
	const struct run_frame frame = {
		.context = r,
		.max_record_bytes = r->opt->max_record_bytes,
		.execution = &run__recorded_node__descriptor,
		.add_execution = add_execution,
		.end_device = end_device,
	};
	bool text;
	int got;

	if (text_proto_is_text(r->in, &text, err))
		return -1;
	got = run_frame_read(r->in, &frame, text, err);
	if (got)
		return got < 0 ? -1 : 0;
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
