/* Specifications are interned, or, of old writers, in the first event. */
#include "ingest/perfetto/stages.h"

#include <inttypes.h>
#include <string.h>
#include "base/arena.h"
#include "base/memory.h"

#define SPECIFICATIONS_MOST 65536
#define NS_PER_US 1000

enum pf_stage_field { STAGE_EXTRA = 6, STAGE_SPECIFICATIONS = 7 };
enum pf_specification_field { SPECIFICATION_QUEUE = 2, SPECIFICATION_STAGE = 3 };
enum pf_launch_field { LAUNCH_GRID = 1, LAUNCH_BLOCK = 2, LAUNCH_ARGS = 3 };

struct pf_stages {
	struct arena *arena;
	struct vec queue, stage; /* struct json_value: of the old specifications */
};

struct pf_stage {
	uint64_t event_id, duration_ns, queue_iid, stage_iid, kernel_iid, name_iid;
	int64_t queue_id, stage_id, gpu;
	struct pf_bytes name, launch;
};

struct pf_stages *pf_stages_new(void)
{
	struct pf_stages *s = memory_alloc(sizeof(*s));

	s->arena = arena_new();
	vec_init(&s->queue, sizeof(struct json_value), SPECIFICATIONS_MOST, "queues");
	vec_init(&s->stage, sizeof(struct json_value), SPECIFICATIONS_MOST, "stages");
	return s;
}

void pf_stages_free(struct pf_stages *s)
{
	if (!s)
		return;
	vec_release(&s->queue);
	vec_release(&s->stage);
	arena_free(s->arena);
	memory_free(s);
}

/* ---- specifications in the first event ---- */

static void add_description(struct pf_stages *s, struct vec *to, struct pf_bytes bytes)
{
	static const struct pf_layout layout = {{[1] = {PF_BYTES, 0}}};
	struct json_value *value = vec_push(to, NULL);
	struct pf_bytes name = {0};

	if (!value)
		return;
	pf_set_members(&name, &layout, bytes);
	*value = pf_json_string(name, s->arena);
	value->at = arena_strndup(s->arena, value->at, value->size);
}

static void add_specifications(struct pf_stages *s, struct pf_bytes bytes)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == SPECIFICATION_QUEUE)
			add_description(s, &s->queue, pf_bytes_of(&f));
		else if (f.number == SPECIFICATION_STAGE)
			add_description(s, &s->stage, pf_bytes_of(&f));
	}
}

/* ---- one event ---- */

#define AT(member) offsetof(struct pf_stage, member)

/* 3: of writers before the numbers of interned specifications. */
static const struct pf_layout stage_layout = {{[1] = {PF_UINT64, AT(event_id)},
	[2] = {PF_UINT64, AT(duration_ns)},
	[3] = {PF_INT32, AT(queue_id)},
	[4] = {PF_INT32, AT(stage_id)},
	[11] = {PF_INT32, AT(gpu)},
	[13] = {PF_UINT64, AT(queue_iid)},
	[14] = {PF_UINT64, AT(stage_iid)},
	[17] = {PF_BYTES, AT(name)},
	[19] = {PF_UINT64, AT(kernel_iid)},
	[20] = {PF_UINT64, AT(name_iid)},
	[21] = {PF_BYTES, AT(launch)}}};

/* PyTorch calls these otherwise than in its JSON, for the sake of the viewer. */
static struct json_value arg_name(struct pf_bytes name, struct pf_args *args)
{
	static const struct {
		const char *name, *json;
	} known[] = {{"device id", "device"}, {"stream id", "stream"}, {"context id", "context"},
		{"shared_mem_dynamic", "shared memory"},
		{"registers_per_thread", "registers per thread"}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (text_is(name.at, name.size, known[i].name))
			return (struct json_value){known[i].json, strlen(known[i].json), '"'};
	return pf_json_string(name, pf_args_arena(args));
}

static void add_extra(struct pf_args *args, struct pf_bytes bytes)
{
	static const struct pf_layout layout = {
		{[1] = {PF_BYTES, 0}, [2] = {PF_BYTES, sizeof(struct pf_bytes)}}};
	struct pf_bytes text[2] = {0}; /* name, value */
	struct json_value key, value;

	pf_set_members(text, &layout, bytes);
	key = arg_name(text[0], args);
	value = pf_json_string(text[1], pf_args_arena(args));
	pf_args_add_text(args, &key, &value);
}

static void add_dimensions(struct pf_args *args, const char *key, struct pf_bytes bytes)
{
	static const struct pf_layout layout = {{[1] = {PF_UINT64, 0},
		[2] = {PF_UINT64, sizeof(uint64_t)},
		[3] = {PF_UINT64, 2 * sizeof(uint64_t)}}};
	uint64_t size[3] = {0};

	pf_set_members(size, &layout, bytes);
	pf_args_add_json(args, key,
		arena_printf(pf_args_arena(args), "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]",
			size[0], size[1], size[2]));
}

static bool parse(
	struct pf_stages *s, struct pf_bytes bytes, struct pf_args *args, struct pf_stage *stage)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	*stage = (struct pf_stage){.queue_id = -1, .stage_id = -1};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (pf_set_member(stage, &stage_layout, &f) || f.type != WIRE_BYTES)
			continue;
		if (f.number == STAGE_SPECIFICATIONS)
			add_specifications(s, pf_bytes_of(&f));
		else if (f.number == STAGE_EXTRA)
			add_extra(args, pf_bytes_of(&f));
	}
	return got == WIRE_END;
}

static struct json_value specification(
	const struct pf_names *names, uint64_t iid, const struct vec *old, int64_t id)
{
	struct json_value value = {0};

	if (iid)
		value = pf_name(names, PF_SPECIFICATION, iid);
	if (value.kind == 0 && id >= 0 && (uint64_t)id < old->count)
		value = *(const struct json_value *)vec_at(old, (size_t)id);
	return value;
}

static struct json_value name_of(const struct pf_stage *stage, const struct pf_names *names,
	const struct json_value *kind, struct arena *arena)
{
	struct json_value value = {0};

	if (stage->name.size)
		return pf_json_string(stage->name, arena);
	if (stage->name_iid)
		value = pf_name(names, PF_EVENT_NAME, stage->name_iid);
	if (value.kind == 0 && stage->kernel_iid)
		value = pf_name(names, PF_KERNEL, stage->kernel_iid);
	return value.kind ? value : *kind;
}

static struct json_value category_of(const struct json_value *kind)
{
	static const struct {
		const char *kind, *category;
	} known[] = {{"Kernel", "kernel"}, {"Memcpy", "gpu_memcpy"}, {"Memset", "gpu_memset"},
		{"Annotation", "gpu_user_annotation"}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (json_equal(kind, known[i].kind))
			return (struct json_value){
				known[i].category, strlen(known[i].category), '"'};
	return *kind;
}

/* "stream 07" is the stream 7. */
static struct json_value thread_of(const struct json_value *queue)
{
	static const char prefix[] = "stream ";
	struct json_value digits = *queue;
	uint64_t number;

	if (queue->size <= strlen(prefix) || memcmp(queue->at, prefix, strlen(prefix)) != 0)
		return *queue;
	digits.at += strlen(prefix);
	digits.size -= strlen(prefix);
	digits.kind = '0';
	if (!json_unsigned(&digits, &number))
		return *queue;
	while (digits.size > 1 && *digits.at == '0') {
		digits.at++;
		digits.size--;
	}
	return digits;
}

static struct json_value number_text(struct arena *arena, int64_t number)
{
	const char *digits = arena_printf(arena, "%" PRId64, number);

	return (struct json_value){digits, strlen(digits), '0'};
}

bool pf_stage_event(struct pf_stages *s, struct pf_bytes bytes, const struct pf_names *names,
	struct pf_args *args, struct trace_event *event)
{
	struct arena *arena = pf_args_arena(args);
	struct json_value kind, queue;
	struct pf_stage stage;

	if (!parse(s, bytes, args, &stage))
		return false;

	struct wire w = pf_wire(stage.launch);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == LAUNCH_GRID)
			add_dimensions(args, "grid", pf_bytes_of(&f));
		else if (f.number == LAUNCH_BLOCK)
			add_dimensions(args, "block", pf_bytes_of(&f));
		else if (f.number == LAUNCH_ARGS)
			pf_args_add_compute(args, pf_bytes_of(&f), names);
	}
	kind = specification(names, stage.stage_iid, &s->stage, stage.stage_id);
	queue = specification(names, stage.queue_iid, &s->queue, stage.queue_id);
	event->name = name_of(&stage, names, &kind, arena);
	event->category = category_of(&kind);
	event->process = number_text(arena, stage.gpu);
	event->thread = queue.kind ? thread_of(&queue) : number_text(arena, stage.queue_id);
	event->duration = (struct trace_time){(int64_t)(stage.duration_ns / NS_PER_US),
		(int32_t)(stage.duration_ns % NS_PER_US) * NS_PER_US, true};
	if (pf_arg(args, "device").kind == 0)
		pf_args_add_number(args, "device", stage.gpu);
	if (stage.event_id && pf_arg(args, "correlation").kind == 0)
		pf_args_add_number(args, "correlation", (int64_t)stage.event_id);
	return true;
}
