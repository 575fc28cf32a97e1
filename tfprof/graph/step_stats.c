/* tfprof's accounting of executions: time by class of device, bytes on the node's own device. */
#include "tfprof/graph/step_stats.h"

#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "tfprof/graph/host_trace.h"
#include "model/op_shape.h"
#include "base/number.h"

#define NANOS_PER_MICRO 1000
#define NO_NODE UINT32_MAX

/* The state of a node in the step of its turn; void in a later one. */
struct step_stats_node {
	uint32_t turn;
	uint32_t exec_plus_1; /* in graph->exec; 0: none yet */
	uint32_t without_start;
	bool on_session; /* ran on a device of the session */
};

/* `name` without the digits at its end and the ':' before them; 0 when it does not end like
 * this. */
static size_t before_number(const char *name)
{
	size_t n = strlen(name), digits = 0;

	while (n > 0 && text_is_digit(name[n - 1])) {
		n--;
		digits++;
	}
	return digits && n > 0 && name[n - 1] == ':' ? n - 1 : 0;
}

bool device_is_canonical(const char *name)
{
	static const char *const ends[] = {
		"/device:gpu", "/gpu", "/device:cpu", "/cpu", "/device:sycl"};
	size_t n = before_number(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t size = strlen(ends[i]);

		if (n >= size && memcmp(name + n - size, ends[i], size) == 0)
			return true;
	}
	return false;
}

bool device_is_accelerator_time(const char *name)
{
	return strstr(name, "stream:all") != NULL;
}

/* True if it is a device other than the CPU that computes, or a part of one. */
static bool device_is_accelerator(const char *name)
{
	return strstr(name, "gpu") || strstr(name, "sycl");
}

/* Adds `name` with each `what` and the digits after it replaced by "cpu:0". */
static void add_replaced(struct text *out, const char *name, const char *what)
{
	size_t size = strlen(what);

	while (*name) {
		size_t digits =
			strncmp(name, what, size) == 0 ? strspn(name + size, "0123456789") : 0;

		if (digits) {
			text_add(out, "cpu:0");
			name += size + digits;
		} else {
			text_add_char(out, *name++);
		}
	}
}

void step_stats_device(struct step_stats *s, const char *name, size_t n)
{
	struct text lower;

	text_init(&lower);
	for (size_t i = 0; i < n; i++)
		text_add_char(&lower,
			name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i]);
	s->device = graph_word(s->graph, text_string(&lower), lower.size, &s->had_zero);
	text_release(&lower);
	s->accelerator = device_is_accelerator_time(s->device);
	s->canonical = device_is_canonical(s->device);
	s->part = strstr(s->device, "/stream:") || strstr(s->device, "/memcpy");
	s->has_accelerator |= device_is_accelerator(s->device);
	s->has_stream |= device_is_accelerator(s->device) && s->accelerator;
}

bool name_is_transport(const char *name)
{
	return text_equal(name, "RecvTensor") || text_equal(name, "_SOURCE") ||
	       strstr(name, "MEMCPY");
}

static size_t op_name_size(const struct step_stats *s, const struct node_stats *in)
{
	const char *colon = in->name_size ? memchr(in->name, ':', in->name_size) : NULL;

	if (s->host_counts)
		return host_trace_name(in->name, in->name_size);
	return colon ? (size_t)(colon - in->name) : in->name_size;
}

/* The node of this execution, added when it is new; NO_NODE: it does not belong to a node. */
static uint32_t find_node(struct step_stats *s, const struct node_stats *in)
{
	struct graph *graph = s->graph;
	size_t size = op_name_size(s, in);
	const char *name = graph_word(graph, in->name, size, &s->had_zero);
	uint32_t index;

	if (graph_node_find(graph, name, &index)) {
		if (graph->detail) {
			graph->detail->covered_count += !graph->detail->node[index].covered;
			graph->detail->node[index].covered = true;
		}
		return index;
	}
	if (!(graph->base && graph_node_find(graph->base, name, &index)) && name_is_transport(name))
		return NO_NODE;
	index = graph_node_add(graph, name);
	if (!*graph->node[index].op) { /* exists at run time only */
		graph->node[index].op = graph->node[index].name;
		graph_node_type(graph, index, graph->node[index].op);
	}
	return index;
}

/* A type by the label, for a node whose type is only its name. */
static void set_type_by_label(struct step_stats *s, uint32_t index, const struct node_stats *in)
{
	struct graph_node *node = &s->graph->node[index];

	if (!s->kinds || !in->kind || !in->kind_size || node->op != node->name)
		return;
	node->op = graph_word(s->graph, in->kind, in->kind_size, &s->had_zero);
	node->op_type_count = node->op_type_room = 0; /* its name and a device: few */
	node->op_types = NULL;
	graph_node_type(s->graph, index, node->op);
	if (*node->canonical_device)
		graph_node_type(s->graph, index, node->canonical_device);
	s->has_kinds = true;
}

/* Executions whose outputs differ leave the node without a shape. */
static void join_shape(struct step_stats *s, uint32_t index, const struct node_stats *in)
{
	struct graph_node *node = &s->graph->node[index];
	const char *shape = op_shape_join(node->output_shape, in->shape);

	if (shape == in->shape && *shape)
		shape = graph_word(s->graph, shape, strlen(shape), NULL);
	node->output_shape = shape;
}

/* False: the node belongs to another device, and this execution is left out. */
static bool set_device(struct step_stats *s, uint32_t index)
{
	struct graph_node *node = &s->graph->node[index];

	if (!s->canonical)
		return true;
	if (*node->canonical_device)
		return text_equal(node->canonical_device, s->device);
	node->canonical_device = s->device;

	struct text gpu, host;

	text_init(&gpu);
	text_init(&host);
	add_replaced(&gpu, s->device, "gpu:");
	add_replaced(&host, text_string(&gpu), "device:sycl:");
	const char *word = graph_word(s->graph, text_string(&host), host.size, NULL);

	text_release(&gpu);
	text_release(&host);
	node->host_device = word;
	graph_node_type(s->graph, index, s->device);
	return true;
}

static struct step_stats_node *node_state(struct step_stats *s, uint32_t index)
{
	struct graph *graph = s->graph;
	struct step_stats_node *state;

	/* The first use of the step, which makes the states of nodes void. */
	if (!s->begun) {
		s->begun = true;
		s->first_exec = s->graph->exec_count;
		s->graph->step_turn++;
	}
	graph->step_node = memory_make_room_zeroed(graph->step_node, &graph->step_node_room,
		(size_t)index + 1, sizeof(*graph->step_node));
	state = &graph->step_node[index];
	if (state->turn != graph->step_turn)
		*state = (struct step_stats_node){.turn = graph->step_turn};
	return state;
}

static uint32_t exec_of_step(struct step_stats *s, uint32_t index)
{
	struct step_stats_node *state = node_state(s, index);

	if (!state->exec_plus_1) {
		struct exec *exec = graph_push_exec(s->graph);

		exec->node = index;
		exec->step = s->step;
		state->exec_plus_1 = (uint32_t)s->graph->exec_count;
	}
	return state->exec_plus_1 - 1;
}

static int64_t sum(struct exec *exec, int64_t a, int64_t b)
{
	exec_add(exec, &a, b);
	return a;
}

static int64_t step_stats_nanos(struct exec *exec, int64_t micros)
{
	int64_t nanos;

	exec->overflow |= __builtin_mul_overflow(micros, NANOS_PER_MICRO, &nanos);
	return nanos;
}

/* Extends start and end; 0 is unknown. */
static void extend(int64_t *from, int64_t *to, int64_t start, int64_t end)
{
	*from = *from > 0 && *from < start ? *from : start;
	*to = *to > end ? *to : end;
}

/* The same time in nanoseconds, where the graph has them. Where the source has none, the
 * microseconds count. */
static void add_nanos(
	struct step_stats *s, uint32_t index, const struct node_stats *in, int64_t dur)
{
	struct graph *graph = s->graph;
	struct exec *exec = &graph->exec[index];
	struct exec_nanos *nanos = &graph->exec_nanos[index];
	int64_t start = in->start_nanos, length = in->dur_nanos;

	if (start <= 0 || length <= 0)
		s->without_nanos++;
	if (start <= 0)
		start = step_stats_nanos(exec, in->start_micros);
	if (length <= 0)
		length = step_stats_nanos(exec, dur);
	extend(&nanos->start, &nanos->end, start, sum(exec, start, length));
	if (!s->accelerator && !s->canonical)
		return;
	exec_add(exec, s->accelerator ? &nanos->accelerator : &nanos->cpu, length);
	graph_add_call(graph, index, s->accelerator ? CALLS_ACCELERATOR : CALLS_CPU, length);
	graph->interval_nanos[graph->interval_count - 1] = (struct interval_nanos){start, length};
}

static void add_time(struct step_stats *s, uint32_t index, const struct node_stats *in)
{
	struct exec *exec = &s->graph->exec[index];
	int64_t dur = in->dur_micros ? in->dur_micros : 1;

	extend(&exec->start_micros, &exec->end_micros, in->start_micros,
		sum(exec, in->start_micros, dur));
	if (s->accelerator || s->canonical) {
		exec_add(exec, s->accelerator ? &exec->accelerator_micros : &exec->cpu_micros, dur);
		exec->run_count += !s->accelerator;
		if (!s->graph->nanos)
			graph_add_call(s->graph, index,
				s->accelerator ? CALLS_ACCELERATOR : CALLS_CPU, dur);
		*graph_push_interval(s->graph) = (struct interval){s->step, in->start_micros, dur};
	}
	if (s->graph->nanos)
		add_nanos(s, index, in, dur);
}

static void add_memory(struct exec *exec, const struct node_stats *in)
{
	int64_t held = sum(exec, in->persistent_bytes, in->temp_bytes);

	exec_add(exec, &exec->requested_bytes, sum(exec, in->total_bytes, held));
	exec_add(exec, &exec->peak_bytes, sum(exec, in->peak_bytes, held));
	exec_add(exec, &exec->residual_bytes, sum(exec, in->live_bytes, in->persistent_bytes));
	exec_add(exec, &exec->output_bytes, in->output_bytes);
	exec->overflow |= in->overflow;
}

/* The execution itself, for the requested step or all steps. */
static void add_exec_time(struct step_stats *s, uint32_t node, const struct node_stats *in)
{
	struct graph_detail *detail = s->graph->detail;

	if ((!detail->whole && s->step != detail->step) || in->start_micros <= 0 ||
		!(s->accelerator || s->canonical))
		return;
	*graph_detail_push_time(detail) = (struct exec_time){
		.node = node,
		.accelerator = s->accelerator,
		.step = s->step,
		.device = graph_detail_word(detail, s->device, strlen(s->device)),
		.start_micros = in->start_micros,
		.dur_micros = in->dur_micros ? in->dur_micros : 1,
	};
}

/* The sums are those of add_memory; `host` is a CPU. */
static const struct exec_bytes *new_exec_bytes(
	struct graph_detail *detail, const struct node_stats *in, bool host)
{
	struct exec_bytes *to = graph_detail_new_bytes(detail, in->output_count);
	struct exec sums = {0};

	add_memory(&sums, in);
	to->requested_bytes = sums.requested_bytes;
	to->peak_bytes = sums.peak_bytes;
	to->residual_bytes = sums.residual_bytes;
	to->output_bytes = sums.output_bytes;
	*(host ? &to->host_temp_bytes : &to->accelerator_temp_bytes) = in->temp_bytes;
	to->host_persistent_bytes = host ? in->persistent_bytes : 0;
	if (in->output_count)
		memcpy(to->output, in->output, in->output_count * sizeof(*to->output));
	return to;
}

static void add_exec_memory(struct step_stats *s, uint32_t node, const struct node_stats *in)
{
	struct graph_detail *detail = s->graph->detail;
	bool host = strstr(s->device, "cpu") != NULL;

	if (!detail->memory || !s->canonical || in->start_micros == 0)
		return;
	*graph_detail_push_memory(detail) = (struct exec_memory){
		.node = node,
		.step = s->step,
		.memory_micros = (int64_t)((uint64_t)in->start_micros + (uint64_t)in->dur_micros),
		.bytes_in_use = in->bytes_in_use,
		.accelerator_persistent_bytes = host ? 0 : in->persistent_bytes,
		.rest = detail->whole ? new_exec_bytes(detail, in, host) : NULL,
	};
	for (size_t i = 0; i < in->allocation_count; i++) {
		struct exec_allocation *to = graph_detail_push_allocation(detail);

		*to = in->allocation[i];
		to->node = node;
		to->step = s->step;
	}
}

void step_stats_add(struct step_stats *s, const struct node_stats *in)
{
	uint32_t node = find_node(s, in);

	if (node == NO_NODE)
		return;
	set_type_by_label(s, node, in);
	if (!set_device(s, node)) {
		s->other_device++;
		return;
	}
	uint32_t exec = exec_of_step(s, node);

	node_state(s, node)->on_session |= s->canonical;
	s->session_ran |= s->canonical;
	s->untimed += !s->canonical && !s->accelerator && !s->part;
	join_shape(s, node, in);
	if (in->start_micros > 0)
		add_time(s, exec, in);
	if (in->start_micros == 0)
		node_state(s, node)->without_start++;
	else if (s->canonical)
		add_memory(&s->graph->exec[exec], in);
	/* The messages of tfprof on its standard error. */
	if (s->messages && s->canonical) {
		if (in->start_micros == 0) {
			text_add_bytes(s->messages, in->name, in->name_size);
			text_add(s->messages, " has no start time, skipping\n");
		} else if (in->gpu_allocators > 1) {
			text_printf(s->messages, "found %zu gpu allocator for 1 node\n",
				in->gpu_allocators);
		}
	}
	if (s->graph->detail) {
		struct graph_detail *detail = s->graph->detail;

		if (detail->whole)
			*graph_detail_push_exec_device(detail) = (struct exec_device){node, s->step,
				graph_detail_word(detail, s->device, strlen(s->device))};
		add_exec_time(s, node, in);
		add_exec_memory(s, node, in);
	}
}

void step_stats_end(struct step_stats *s)
{
	struct graph *graph = s->graph;

	for (size_t i = s->begun ? s->first_exec : graph->exec_count; i < graph->exec_count; i++)
		if (graph->exec[i].start_micros)
			s->without_start += node_state(s, graph->exec[i].node)->without_start;
	if (graph->detail)
		graph->detail->misses_stream |= s->has_accelerator && !s->has_stream;
	*graph_push_step(graph) = s->step;
	if (!graph->order_later)
		graph_order_execs(graph);
}

/* ---- Enters what the host tracer recorded: own times, as CPU time, of ops that no device of
 * the session has ---- */

/* Times in ticks: microseconds, or nanoseconds where the graph has them. */
struct host_times {
	int64_t start, dur;
};

static bool to_ticks(int64_t micros, int64_t nanos, bool in_nanos, int64_t *ticks)
{
	*ticks = in_nanos && nanos > 0 ? nanos : micros;
	return !in_nanos || nanos > 0 || number_multiply(micros, NANOS_PER_MICRO, ticks);
}

static void set_host(struct graph_node *node, const char *device)
{
	bool has_device = *node->canonical_device != '\0';

	node->on_many_hosts |= has_device && !text_equal(node->canonical_device, device);
	if (node->on_many_hosts)
		device = "";
	else if (has_device)
		return;
	node->canonical_device = node->host_device = device;
}

static void add_span(
	struct step_stats *s, const struct host_span *span, const struct node_stats *in)
{
	struct graph *graph = s->graph;
	int64_t tick = graph->nanos ? NANOS_PER_MICRO : 1;
	uint32_t index;

	if (!graph_node_find(graph, span->name, &index))
		index = graph_node_add(graph, span->name);
	struct graph_node *node = &s->graph->node[index];
	struct text type;

	if (!*node->op) {
		text_init(&type);
		host_trace_type(in->name, in->name_size, &type);
		node->op = graph_word(s->graph, text_string(&type), type.size, &s->had_zero);
		text_release(&type);
	}
	set_host(&graph->node[index], s->device);
	uint32_t at = exec_of_step(s, index);
	struct exec *exec = &graph->exec[at];
	int64_t start = span->start / tick, own = span->own / tick, dur = span->dur / tick;

	extend(&exec->start_micros, &exec->end_micros, start, start + dur);
	exec_add(exec, &exec->cpu_micros, own);
	exec->run_count++;
	graph_add_call(graph, at, CALLS_CPU, span->own);
	*graph_push_interval(graph) = (struct interval){s->step, start, dur};
	s->host_counted++;
	if (!graph->nanos)
		return;
	struct exec_nanos *nanos = &graph->exec_nanos[at];

	extend(&nanos->start, &nanos->end, span->start, span->start + span->dur);
	exec_add(exec, &nanos->cpu, span->own);
	graph->interval_nanos[graph->interval_count - 1] =
		(struct interval_nanos){span->start, span->dur};
}

void step_stats_host(struct step_stats *s, const struct node_stats *in, size_t count)
{
	struct host_span *span = memory_alloc(memory_product(count, sizeof(*span)));
	bool threads = false;

	/* The spans that count. */
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		size_t size = host_trace_name(in[i].name, in[i].name_size);
		const char *name = graph_word(s->graph, in[i].name, size, &s->had_zero);
		struct host_times times;

		if (name_is_transport(name))
			continue;

		uint32_t index;

		if (graph_node_find(s->graph, name, &index) && node_state(s, index)->on_session) {
			s->host_repeated++;
			continue;
		}

		/* The tracer of TensorFlow 1.15 leaves op_end_rel at 0. */
		bool nanos = s->graph->nanos;
		bool whole = in[i].whole_micros > 0 || in[i].whole_nanos > 0;
		int64_t micros = whole ? in[i].whole_micros : in[i].dur_micros, end;

		if (in[i].start_micros <= 0 || micros < 0 ||
			!to_ticks(in[i].start_micros, in[i].start_nanos, nanos, &times.start) ||
			!to_ticks(micros, whole ? in[i].whole_nanos : in[i].dur_nanos, nanos,
				&times.dur) ||
			!number_add(times.start, times.dur, &end)) {
			s->host_range++;
			continue;
		}
		if (s->graph->nanos && (in[i].start_nanos <= 0 || in[i].whole_nanos <= 0))
			s->without_nanos++;
		span[kept++] = (struct host_span){.name = name,
			.name_size = strlen(name),
			.thread = in[i].thread,
			.id = i,
			.start = times.start,
			.dur = times.dur};
	}

	for (size_t i = 0; i < count; i++)
		threads |= in[i].thread != 0;
	s->host_threadless += threads ? 0 : kept;
	host_trace_nest(span, kept, threads, s->graph->nanos ? NANOS_PER_MICRO : 1);
	for (size_t i = 0; i < kept; i++)
		add_span(s, &span[i], &in[span[i].id]);
	memory_free(span);
}
