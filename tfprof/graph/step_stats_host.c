/*
 * Enters what the host tracer recorded: own times, as CPU time, of ops that no device of the
 * session has.
 */
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "tfprof/graph/host_trace.h"
#include "tfprof/graph/step_stats_parts.h"

/* Times in ticks: microseconds, or nanoseconds where the graph has them. */
struct host_times {
	int64_t start, dur;
};

static bool to_ticks(int64_t micros, int64_t nanos, bool in_nanos, int64_t *ticks)
{
	*ticks = in_nanos && nanos > 0 ? nanos : micros;
	return !in_nanos || nanos > 0 || number_multiply(micros, NANOS_PER_MICRO, ticks);
}

/* The tracer of TensorFlow 1.15 leaves op_end_rel at 0. */
static bool times_of(const struct step_stats *s, const struct node_stats *in, struct host_times *to)
{
	bool nanos = s->graph->nanos;
	bool whole = in->whole_micros > 0 || in->whole_nanos > 0;
	int64_t micros = whole ? in->whole_micros : in->dur_micros, end;

	return in->start_micros > 0 && micros >= 0 &&
	       to_ticks(in->start_micros, in->start_nanos, nanos, &to->start) &&
	       to_ticks(micros, whole ? in->whole_nanos : in->dur_nanos, nanos, &to->dur) &&
	       number_add(to->start, to->dur, &end);
}

static bool is_of_session(struct step_stats *s, const char *name)
{
	uint32_t index;

	return graph_node_find(s->graph, name, &index) && step_stats_state(s, index)->on_session;
}

/* The spans that count; returns their number. */
static size_t gather(
	struct step_stats *s, const struct node_stats *in, size_t count, struct host_span *span)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		size_t size = host_trace_name(in[i].name, in[i].name_size);
		const char *name = graph_word(s->graph, in[i].name, size, &s->had_zero);
		struct host_times times;

		if (name_is_transport(name))
			continue;
		if (is_of_session(s, name)) {
			s->host_repeated++;
			continue;
		}
		if (!times_of(s, &in[i], &times)) {
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
	return kept;
}

static void set_type(struct step_stats *s, uint32_t index, const struct node_stats *in)
{
	struct graph_node *node = &s->graph->node[index];
	struct text type;

	if (*node->op)
		return;
	text_init(&type);
	host_trace_type(in->name, in->name_size, &type);
	node->op = graph_word(s->graph, text_string(&type), type.size, &s->had_zero);
	text_release(&type);
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
	set_type(s, index, in);
	set_host(&graph->node[index], s->device);
	uint32_t at = step_stats_exec(s, index);
	struct exec *exec = &graph->exec[at];
	int64_t start = span->start / tick, own = span->own / tick, dur = span->dur / tick;

	step_stats_extend(&exec->start_micros, &exec->end_micros, start, start + dur);
	exec_add(exec, &exec->cpu_micros, own);
	exec->run_count++;
	graph_add_call(graph, at, CALLS_CPU, span->own);
	*graph_push_interval(graph) = (struct interval){s->step, start, dur};
	s->host_counted++;
	if (!graph->nanos)
		return;
	struct exec_nanos *nanos = &graph->exec_nanos[at];

	step_stats_extend(&nanos->start, &nanos->end, span->start, span->start + span->dur);
	exec_add(exec, &nanos->cpu, span->own);
	graph->interval_nanos[graph->interval_count - 1] =
		(struct interval_nanos){span->start, span->dur};
}

void step_stats_host(struct step_stats *s, const struct node_stats *in, size_t count)
{
	struct host_span *span = memory_alloc(memory_product(count, sizeof(*span)));
	size_t kept = gather(s, in, count, span);
	bool threads = false;

	for (size_t i = 0; i < count; i++)
		threads |= in[i].thread != 0;
	s->host_threadless += threads ? 0 : kept;
	host_trace_nest(span, kept, threads, s->graph->nanos ? NANOS_PER_MICRO : 1);
	for (size_t i = 0; i < kept; i++)
		add_span(s, &span[i], &in[span[i].id]);
	memory_free(span);
}
