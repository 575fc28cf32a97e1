/* Readers of RunMetadata, one step each, in binary and in text. Executions are unpacked one by one;
 * those of a device are kept until its name is known, which may come last. */
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "ingest/proto/run_metadata.pb-c.h"
#include "ingest/reader.h"
#include "tfprof/files/run_metadata.h"
#include "ingest/protobuf/message_shape.h"
#include "ingest/input/step_number.h"
#include "ingest/protobuf/text_proto.h"
#include "ingest/protobuf/wire.h"
#include "tfprof/graph/host_trace.h"
#include "model/op_shape.h"
#include "tfprof/graph/step_stats.h"

/* A device of the host tracer: its executions, which wait until all other devices are known. */
struct host_device {
	const char *name;
	size_t name_size;
	struct node_stats *stats;
	size_t count, room;
};

struct run_reader {
	struct input *in;
	const struct read_options *opt;
	struct issue_list *issues;
	struct step_stats step;
	struct arena *scratch;	    /* of one execution */
	struct arena *device_arena; /* names in `stats` */
	struct text shape;
	struct node_stats *stats; /* executions of the present device */
	size_t stats_count, stats_room;
	/* Executions of the host tracer: each host of a distributed run has a device of its own. */
	struct arena *host_arena;
	struct intern *host_names;
	struct vec host; /* struct host_device, by name */
	size_t total;	 /* executions in the file so far */
	bool memory;	 /* allocators are counted apart, for the views */
};

/* ---- one execution ---- */

static bool is_kind_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text_is_digit(c) || c == '_' ||
	       c == '>' || c == '.';
}

/* The type in "NAME = TYPE(IN1, IN2)"; NULL when the label is of another form. */
static const char *kind_of(const ProtobufCBinaryData *label, size_t *size)
{
	const char *text = (const char *)label->data, *end, *at;

	if (label->len == 0)
		return NULL;
	end = text + label->len;
	for (; end - text >= 3; text++)
		if (memcmp(text, " = ", 3) == 0)
			break;
	if (end - text < 3)
		return NULL;
	text += 3;
	for (at = text; at < end && is_kind_char(*at); at++)
		;
	if (at == text || at == end || *at != '(')
		return NULL;
	*size = (size_t)(at - text);
	return text;
}

static void add(struct node_stats *to, int64_t *sum, int64_t value)
{
	to->overflow |= __builtin_add_overflow(*sum, value, sum);
}

static void add_bytes(struct node_stats *to, const Run__NodeExecStats *from)
{
	for (size_t i = 0; i < from->n_memory; i++) {
		const Run__AllocatorMemoryUsed *memory = from->memory[i];

		add(to, &to->total_bytes, memory->total_bytes);
		add(to, &to->peak_bytes, memory->peak_bytes);
		add(to, &to->live_bytes, memory->live_bytes);
	}
	for (size_t i = 0; i < from->n_output; i++) {
		const Run__TensorDescription *tensor = from->output[i]->tensor_description;
		const Run__AllocationDescription *a =
			tensor ? tensor->allocation_description : NULL;

		if (a)
			add(to, &to->output_bytes,
				a->allocated_bytes > a->requested_bytes ? a->allocated_bytes
									: a->requested_bytes);
	}
	if (from->memory_stats) {
		to->temp_bytes = from->memory_stats->temp_memory_size;
		to->persistent_bytes = from->memory_stats->persistent_memory_size;
	}
}

/* Adds the addresses of outputs: for written profiles. */
static void add_outputs(struct run_reader *r, struct node_stats *to, const Run__NodeExecStats *from)
{
	struct exec_output *all = arena_array(r->device_arena, from->n_output, sizeof(*all));

	to->output = all;
	for (size_t i = 0; i < from->n_output; i++) {
		const Run__TensorDescription *tensor = from->output[i]->tensor_description;
		const Run__AllocationDescription *a =
			tensor ? tensor->allocation_description : NULL;

		if (a)
			all[to->output_count++] = (struct exec_output){
				.slot = from->output[i]->slot,
				.bytes = a->allocated_bytes > a->requested_bytes
						 ? a->allocated_bytes
						 : a->requested_bytes,
				.address = a->ptr,
			};
	}
}

static bool is_of_gpu(const ProtobufCBinaryData *name)
{
	const char *at = (const char *)name->data;

	for (size_t i = 0; i + 3 <= name->len; i++)
		if (memcmp(at + i, "GPU", 3) == 0)
			return true;
	return false;
}

/* The allocations on a GPU. */
static void add_allocations(
	struct run_reader *r, struct node_stats *to, const Run__NodeExecStats *from)
{
	struct exec_allocation *all;
	size_t count = 0;

	for (size_t i = 0; i < from->n_memory; i++)
		count += from->memory[i]->n_allocation_records;
	to->allocation = all = arena_array(r->device_arena, count, sizeof(*all));
	for (size_t i = 0; i < from->n_memory; i++) {
		const Run__AllocatorMemoryUsed *memory = from->memory[i];

		if (!is_of_gpu(&memory->allocator_name))
			continue;
		to->gpu_allocators++;
		if (to->bytes_in_use < memory->allocator_bytes_in_use)
			to->bytes_in_use = memory->allocator_bytes_in_use;
		for (size_t k = 0; k < memory->n_allocation_records; k++)
			all[to->allocation_count++] = (struct exec_allocation){
				.alloc_micros = memory->allocation_records[k]->alloc_micros,
				.alloc_bytes = memory->allocation_records[k]->alloc_bytes,
			};
	}
}

static struct op_output output_of(struct run_reader *r, const Run__NodeOutput *from)
{
	const Run__TensorDescription *tensor = from->tensor_description;
	const Run__TensorShape *shape = tensor ? tensor->shape : NULL;
	struct op_output to = {.index = from->slot};
	int64_t *dim;

	if (!shape || shape->unknown_rank)
		return to;
	dim = arena_array(r->scratch, shape->n_dim, sizeof(*dim));
	for (size_t i = 0; i < shape->n_dim; i++)
		dim[i] = shape->dim[i]->size;
	to.known = true;
	to.dim = dim;
	to.dim_count = shape->n_dim;
	return to;
}

/* NULL: no output of a known shape. */
static const char *output_shape(struct run_reader *r, const Run__NodeExecStats *from)
{
	struct op_output *output;
	const char *shape;

	if (from->n_output == 0)
		return NULL;
	output = arena_array(r->scratch, from->n_output, sizeof(*output));
	for (size_t i = 0; i < from->n_output; i++)
		output[i] = output_of(r, from->output[i]);
	shape = op_shape_text(output, from->n_output, &r->shape);
	return *shape ? arena_strdup(r->device_arena, shape) : NULL;
}

/* The binary form of one NodeExecStats. */
static int add_execution(
	void *context, const unsigned char *bytes, size_t size, uint64_t start, struct error *err)
{
	struct run_reader *r = context;
	ProtobufCAllocator allocator = arena_allocator(r->scratch);
	Run__NodeExecStats *from;
	const char *kind;

	arena_reset(r->scratch);
	from = run__node_exec_stats__unpack(&allocator, size, bytes);
	if (!from)
		return wire_damaged(r->in, start, RUN_FRAME_EXECUTION, err);
	if (r->total++ >= r->opt->limits.observations) {
		error_set(err, ERROR_LIMIT, input_path(r->in), "more than %zu executions in a step",
			r->opt->limits.observations);
		return error_hint(err, "allow more with max-observations in stepstat.yaml");
	}
	struct node_stats *to =
		memory_push(&r->stats, &r->stats_count, &r->stats_room, sizeof(*to));

	*to = (struct node_stats){
		.name = arena_strndup(
			r->device_arena, (const char *)from->node_name.data, from->node_name.len),
		.name_size = from->node_name.len,
		.start_micros = from->all_start_micros,
		.dur_micros = from->op_end_rel_micros,
		.start_nanos = from->all_start_nanos,
		.dur_nanos = from->op_end_rel_nanos,
		.whole_micros = from->all_end_rel_micros,
		.whole_nanos = from->all_end_rel_nanos,
		.thread = from->thread_id,
	};
	kind = r->step.kinds ? kind_of(&from->timeline_label, &to->kind_size) : NULL;
	if (kind)
		to->kind = arena_strndup(r->device_arena, kind, to->kind_size);
	to->shape = output_shape(r, from);
	add_bytes(to, from);
	if (r->step.graph->detail && r->step.graph->detail->whole)
		add_outputs(r, to, from);
	if (r->memory)
		add_allocations(r, to, from);
	return 0;
}

/* ---- a device ---- */

/* Stores executions of the host tracer, some of which may be of ops whose device comes later. */
static void store_host(struct run_reader *r, const struct text *name)
{
	uint32_t id;
	struct host_device *device;

	if (r->stats_count == 0)
		return;
	id = intern_id(r->host_names, text_string(name), name->size);
	if (id < r->host.count) {
		device = vec_at(&r->host, id);
	} else {
		device = vec_push(&r->host, NULL);
		device->name = intern_name(r->host_names, id);
		device->name_size = name->size;
	}
	for (size_t i = 0; i < r->stats_count; i++) {
		struct node_stats *to =
			memory_push(&device->stats, &device->count, &device->room, sizeof(*to));

		*to = r->stats[i];
		to->name = arena_strndup(r->host_arena, to->name, to->name_size);
	}
}

static int end_device(void *context, const struct text *name, struct error *err)
{
	struct run_reader *r = context;

	(void)err;
	if (r->step.host_counts && device_is_host_trace(text_string(name), name->size)) {
		store_host(r, name);
	} else {
		step_stats_device(&r->step, text_string(name), name->size);
		for (size_t i = 0; i < r->stats_count; i++)
			step_stats_add(&r->step, &r->stats[i]);
	}
	r->stats_count = 0;
	arena_reset(r->device_arena);
	return 0;
}

/* Returns 1, or 0 where the file has no step_stats; -1. */
static int read_steps(struct run_reader *r, bool text, struct error *err)
{
	const struct run_frame frame = {
		.context = r,
		.max_record_bytes = r->opt->max_record_bytes,
		.execution = &run__node_exec_stats__descriptor,
		.add_execution = add_execution,
		.end_device = end_device,
	};

	return run_frame_read(r->in, &frame, text, err);
}

/* ---- the profile ---- */

static void report_step(struct run_reader *r)
{
	const struct step_stats *s = &r->step;
	const char *path = input_path(r->in);
	const struct found {
		size_t count;
		enum issue_severity severity;
		const char *code, *text;
	} found[] = {
		{s->has_kinds, ISSUE_INFO, "label-types",
			"steps whose op types are from the labels of the executions; --graph=FILE "
			"gives those of the model"},
		{s->had_zero, ISSUE_INFO, "name-zero",
			"names with a zero byte inside, shown as \\0"},
		{s->other_device, ISSUE_LOSS, "device-changed",
			"executions on a second device of their op, left out as tfprof does"},
		{s->without_start, ISSUE_LOSS, "start-missing-in-part",
			"executions without a start time, left out of ops that have others"},
		{s->without_nanos, ISSUE_INFO, "nanos-missing",
			"executions without nanoseconds: their microseconds count"},
		{s->session_ran ? s->host_counted : 0, ISSUE_INFO, HOST_INSIDE_CODE,
			HOST_INSIDE_TEXT},
		{s->host_repeated, ISSUE_INFO, HOST_REPEATED_CODE, HOST_REPEATED_TEXT},
		{s->host_range, ISSUE_LOSS, "host-range",
			"executions of /host:CPU without a start or with times that do not fit, "
			"left out"},
		{s->host_threadless, ISSUE_INFO, HOST_THREADS_CODE, HOST_THREADS_TEXT},
		{s->untimed, ISSUE_LOSS, "device-untimed",
			"executions on devices that tfprof has no time for: their time is not "
			"known"},
	};

	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		if (found[i].count)
			issue_add(r->issues, found[i].severity, found[i].code, found[i].text,
				found[i].count, path);
	input_report_tail(r->in, r->issues);
}

static void reader_init(struct run_reader *r, struct input *in, const struct read_options *opt)
{
	r->in = in;
	r->opt = opt;
	r->scratch = arena_new();
	r->device_arena = arena_new();
	r->host_arena = arena_new();
	r->host_names = intern_new(r->host_arena);
	vec_init(&r->host, sizeof(struct host_device), SIZE_MAX, "devices");
	text_init(&r->shape);
}

static void reader_release(struct run_reader *r)
{
	for (size_t i = 0; i < r->host.count; i++)
		memory_free(((struct host_device *)vec_at(&r->host, i))->stats);
	vec_release(&r->host);
	arena_free(r->host_arena);
	text_release(&r->shape);
	memory_free(r->stats);
	arena_free(r->device_arena);
	arena_free(r->scratch);
}

static int read_run(struct input *in, struct profile *out, const struct read_options *opt,
	bool text, struct error *err)
{
	struct graph *graph = graph_new();
	struct run_reader r = {
		.issues = &out->issues,
		.step = {.graph = graph, .kinds = !opt->graph, .host_counts = true},
	};
	bool numbered = step_number_in_name(input_path(in), &r.step.step);
	int result;

	graph->base = opt->graph;
	graph->no_shapes = !opt->graph;
	graph->no_float_ops = !opt->graph || opt->graph->no_float_ops;
	graph->nanos = opt->nanoseconds;
	graph->calls = opt->calls;
	reader_init(&r, in, opt);
	result = read_steps(&r, text, err);
	if (result >= 0) {
		for (size_t i = 0; i < r.host.count; i++) {
			const struct host_device *device = vec_at(&r.host, i);

			step_stats_device(&r.step, device->name, device->name_size);
			step_stats_host(&r.step, device->stats, device->count);
		}
		step_stats_end(&r.step);
		report_step(&r);
		result = graph_to_profile(graph, out, &opt->limits, err);
	}
	if (result == 0 && out->step_count)
		out->step[0].unnumbered = !numbered;
	reader_release(&r);
	graph_free(graph);
	return result;
}

int run_metadata_read_step(struct input *in, struct graph *graph, int64_t step,
	const struct read_options *opt, struct text *messages, struct error *err)
{
	struct run_reader r = {
		.issues = &graph->issues,
		.step = {.graph = graph, .step = step, .messages = messages},
		.memory = messages || (graph->detail && graph->detail->memory),
	};
	bool text;
	int result;

	if (text_proto_is_text(in, &text, err))
		return -1;
	reader_init(&r, in, opt);
	result = read_steps(&r, text, err);
	if (result > 0) {
		step_stats_end(&r.step);
		report_step(&r);
	}
	reader_release(&r);
	return result;
}

static int run_metadata_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return read_run(in, out, opt, false, err);
}

static int run_metadata_text_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return read_run(in, out, opt, true, err);
}

/* "step_stats" as the name of a field of the outermost message: at the beginning of a line, with
 * what may follow a name. */
static int probe_text(const struct probe *p)
{
	static const char word[] = "step_stats";
	const size_t size = sizeof(word) - 1;
	const char *bytes = (const char *)p->bytes;
	bool at_start = true;

	if (p->size == 0 || memchr(bytes, 0, p->size))
		return 0;
	for (size_t i = 0; i + size < p->size; i++) {
		if (at_start && memcmp(bytes + i, word, size) == 0 &&
			strchr(" \t\r\n:{<", bytes[i + size]))
			return 90;
		at_start = bytes[i] == '\n' || (unsigned char)bytes[i] == 0xbf ||
			   (at_start && (bytes[i] == ' ' || bytes[i] == '\t'));
	}
	return 0;
}

const struct reader reader_run_metadata = {
	.name = "run-metadata",
	.title = "TensorFlow RunMetadata",
	.summary = "TensorFlow 1.x RunMetadata (run_meta_N), binary; with --graph, --op-log",
	.suffixes = (const char *const[]){".run_metadata", NULL},
	.probe = shape_probe_run_metadata,
	.read = run_metadata_read,
	.is_file_a_step = true,
	.uses_graph = true,
	.uses_nanoseconds = true,
};

const struct reader reader_run_metadata_text = {
	.name = "run-metadata-text",
	.title = "TensorFlow RunMetadata (text)",
	.summary = "TensorFlow 1.x RunMetadata (run_meta_N), protobuf text; with --graph, --op-log",
	.suffixes = (const char *const[]){".pbtxt", NULL},
	.probe = probe_text,
	.read = run_metadata_text_read,
	.is_file_a_step = true,
	.uses_graph = true,
	.uses_nanoseconds = true,
};
