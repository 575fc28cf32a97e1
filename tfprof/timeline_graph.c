/* Executions become blocks, one for each device and start; blocks that overlap are in different
 * lanes of their device. Arrows go from the block of an input to that of its consumer on another
 * device. */
#include "tfprof/timeline_graph.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/order.h"
#include "base/text.h"
#include "tfprof/view/regex.h"

struct device {
	const char *name;
	int64_t pid;
};

struct exec_block {
	uint32_t node;
	const struct device *device;
	int64_t start, dur;
	size_t sequence;   /* as it was found */
	size_t lane, rank; /* rank: as it is written */
};

struct flow {
	const struct exec_block *source, *consumer;
	size_t sequence;
};

struct drawing {
	struct timeline *timeline;
	struct timeline_graph *g;
	const struct exec_times **times; /* by node, then device */
	size_t times_count;
	struct intern *device_names;
	struct device **device; /* by pid, and by id in device_names */
	size_t device_count, device_room;
	struct exec_block *block; /* by name of the device, then start */
	size_t block_count, block_room;
	struct flow *flow;
	size_t flow_count, flow_room;
};

/* ---- the nodes that are shown and ran ---- */

/* The execution of the step, or NULL where the node did not run at a known time on a known
 * device. */
static const struct exec *exec_of(const struct timeline_graph *g, uint32_t node)
{
	const struct graph_node *n = &g->graph->node[node];
	const struct exec *exec = &g->graph->exec[n->exec_first];

	if (!*n->canonical_device)
		return NULL;
	exec = exec_find(exec, n->exec_count, g->step);
	return exec && exec->start_micros ? exec : NULL;
}

static void list_node(struct timeline_graph *g, const struct view_node *v, size_t *room)
{
	const struct graph_node *n;

	if (v->node == NODE_NONE || !exec_of(g, v->node))
		return;
	n = &g->graph->node[v->node];
	g->node = arena_make_room(g->arena, g->node, g->node_count, room, sizeof(*g->node));
	g->node[g->node_count] =
		(struct timeline_node){v->node, n->name, n->canonical_device, g->node_count};
	g->node_count++;
}

/* ---- blocks ---- */

ORDERED(compare_times, struct exec_times *,
	ORDER((*x)->node, (*y)->node)
		?: strcmp((*x)->device, (*y)->device)
		?: ORDER(*x, *y));

/* The first of the node's in `times` on this device or a later one, or past the end. */
static size_t times_from(const struct drawing *d, uint32_t node, const char *device)
{
	size_t low = 0, high = d->times_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->times[middle]->node < node ||
			(d->times[middle]->node == node &&
				strcmp(d->times[middle]->device, device) < 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first of the node's. */
static size_t times_of(const struct drawing *d, uint32_t node)
{
	return times_from(d, node, "");
}

static const struct device *device_of(struct drawing *d, const char *name)
{
	uint32_t id = intern_id(d->device_names, name, strlen(name));
	struct device *device;

	if (id < d->device_count)
		return d->device[id];
	device = arena_alloc(d->g->arena, sizeof(*device));
	device->name = name;
	device->pid = timeline_process(d->timeline,
		strstr(name, "stream") ? "Op execution threads: " : "Op scheduling threads: ", name,
		"");
	d->device = arena_make_room(
		d->g->arena, d->device, d->device_count, &d->device_room, sizeof(struct device *));
	return d->device[d->device_count++] = device;
}

static void add_blocks(struct drawing *d, uint32_t node)
{
	for (size_t i = times_of(d, node); i < d->times_count && d->times[i]->node == node; i++) {
		const struct exec_times *t = d->times[i];
		const struct device *device = device_of(d, t->device);

		for (size_t k = 0; k < t->count; k++) {
			d->block = arena_make_room(d->g->arena, d->block, d->block_count,
				&d->block_room, sizeof(*d->block));
			d->block[d->block_count] = (struct exec_block){.node = node,
				.device = device,
				.start = t->start_micros[k],
				.dur = t->dur_micros[k],
				.sequence = d->block_count};
			d->block_count++;
		}
	}
}

static int compare_place(const char *device, int64_t start, const struct exec_block *b)
{
	int order = strcmp(device, b->device->name);

	return order ? order : (start > b->start) - (start < b->start);
}

ORDERED(compare_blocks, struct exec_block,
	compare_place(x->device->name, x->start, y) ?: ORDER(x->sequence, y->sequence));

/* ---- lanes ---- */

/* A tree over the lanes' ends that finds the first lane whose end is not after a time: a node has
 * the least end below it; lanes without a block end at INT64_MIN. */
struct block_lanes {
	int64_t *least;
	size_t leaves;
};

static int64_t block_end(const struct exec_block *b)
{
	return (int64_t)((uint64_t)b->start + (uint64_t)b->dur);
}

/* The blocks of one device. */
static void set_lanes(struct exec_block *block, size_t count)
{
	struct arena *arena = arena_new();
	struct block_lanes lanes = {.leaves = 1};

	while (lanes.leaves < count)
		lanes.leaves *= 2;
	lanes.least = arena_array(arena, 2 * lanes.leaves, sizeof(*lanes.least));
	for (size_t i = 0; i < 2 * lanes.leaves; i++)
		lanes.least[i] = INT64_MIN;
	for (size_t i = 0; i < count; i++) {
		int64_t end = block_end(&block[i]);
		size_t at = 1, lane;

		while (at < lanes.leaves)
			at = lanes.least[2 * at] <= block[i].start ? 2 * at : 2 * at + 1;
		lane = at - lanes.leaves;
		lanes.least[at] = end;
		for (at /= 2; at > 0; at /= 2) {
			int64_t a = lanes.least[2 * at], b = lanes.least[2 * at + 1];

			lanes.least[at] = a < b ? a : b;
		}
		block[i].lane = lane;
	}
	arena_free(arena);
}

/* ---- arrows ---- */

static const struct exec_block *find_block(
	const struct drawing *d, const char *device, int64_t start)
{
	size_t low = 0, high = d->block_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_place(device, start, &d->block[middle]);

		if (order == 0)
			return &d->block[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* Adds flows from all executions of an input on other canonical devices: an execution that is not
 * of an accelerator is on one. */
static void add_flows(struct drawing *d, uint32_t input, const struct exec_block *consumer)
{
	for (size_t i = times_of(d, input); i < d->times_count && d->times[i]->node == input; i++) {
		const struct exec_times *t = d->times[i];

		if (t->accelerator || text_equal(t->device, consumer->device->name))
			continue;
		for (size_t k = 0; k < t->count; k++) {
			const struct exec_block *source =
				find_block(d, t->device, t->start_micros[k]);

			if (source) {
				d->flow = arena_make_room(d->g->arena, d->flow, d->flow_count,
					&d->flow_room, sizeof(*d->flow));
				d->flow[d->flow_count] =
					(struct flow){source, consumer, d->flow_count};
				d->flow_count++;
			}
		}
	}
}

static bool is_canonical(const struct drawing *d, const struct exec_block *b)
{
	size_t i = times_from(d, b->node, b->device->name);

	return i < d->times_count && d->times[i]->node == b->node &&
	       text_equal(d->times[i]->device, b->device->name) && !d->times[i]->accelerator;
}

static void link_blocks(struct drawing *d)
{
	struct regex_list *account = regex_list_new(&d->g->options->account_type);

	for (size_t i = 0; i < d->block_count; i++) {
		const struct exec_block *b = &d->block[i];
		const struct node_detail *known = &d->g->inputs[b->node];

		if (!is_canonical(d, b))
			continue;
		for (size_t k = 0; k < known->input_count; k++) {
			uint32_t input = known->input[k].source;

			if (input < d->g->graph->node_count && exec_of(d->g, input) &&
				view_accounts(account, &d->g->graph->node[input]))
				add_flows(d, input, b);
		}
	}
	regex_list_free(account);
}

/* ---- writing ---- */

ORDERED(compare_written, struct exec_block *,
	((*x)->device == (*y)->device ? 0 : (*x)->device->pid < (*y)->device->pid ? -1 : 1)
		?: ORDER((*x)->lane, (*y)->lane)
		?: ORDER((*x)->start, (*y)->start));

static void write_blocks(struct drawing *d)
{
	struct exec_block **written =
		arena_array(d->g->arena, d->block_count, sizeof(struct exec_block *));

	for (size_t i = 0; i < d->block_count; i++)
		written[i] = &d->block[i];
	if (d->block_count > 0)
		qsort(written, d->block_count, sizeof(*written), compare_written);
	for (size_t i = 0; i < d->block_count; i++) {
		struct exec_block *b = written[i];

		b->rank = i;
		timeline_block(d->timeline,
			&(struct timeline_block){.name = d->g->graph->node[b->node].name,
				.pid = b->device->pid,
				.tid = (int64_t)b->lane,
				.start = b->start,
				.dur = b->dur});
	}
}

ORDERED(compare_flows, struct flow,
	ORDER(x->source->rank, y->source->rank) ?: ORDER(x->sequence, y->sequence));

static void write_flows(struct drawing *d)
{
	if (d->flow_count > 0)
		qsort(d->flow, d->flow_count, sizeof(*d->flow), compare_flows);
	for (size_t i = 0; i < d->flow_count; i++) {
		const struct exec_block *from = d->flow[i].source, *to = d->flow[i].consumer;
		struct timeline_arrow arrow = {.name = d->g->graph->node[from->node].name,
			.id = (int64_t)i + 1,
			.pid = from->device->pid,
			.tid = (int64_t)from->lane,
			.time = block_end(from)};

		timeline_arrow(d->timeline, 's', &arrow);
		arrow.pid = to->device->pid;
		arrow.tid = (int64_t)to->lane;
		arrow.time = to->start;
		timeline_arrow(d->timeline, 't', &arrow);
	}
}

/* ---- Memory of accelerators over time: what the allocator had in use when executions ended,
 * and which nodes held most of it ---- */

#define SHOWN_MOST 10
#define POINT_DISTANCE 100 /* us; points nearer to the last one drawn are left out */

/* The use of a device at a time. */
struct memory_point {
	int64_t time, bytes;
	size_t visit, record;
};

/* Memory that a node allocates (or frees) at a time. */
struct memory_change {
	int64_t time, bytes;
	size_t node; /* of the device's nodes */
};

struct holder {
	const char *name;
	int64_t bytes;
};

struct device_memory {
	struct arena *arena;
	const char *device;
	struct holder *node; /* by name */
	size_t node_count;
	struct memory_point *point;
	size_t point_count;
	struct memory_change *change;
	size_t change_count;
};

static int64_t sum_of(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

ORDERED(compare_points, struct memory_point,
	ORDER(x->time, y->time)
		?: ORDER(x->visit, y->visit)
		?: ORDER(x->record, y->record));

ORDERED(compare_changes, struct memory_change, ORDER(x->time, y->time));

ORDERED(compare_nodes, struct timeline_node,
	strcmp(x->canonical_device, y->canonical_device) ?: strcmp(x->name, y->name));

ORDERED(compare_holders, struct holder, ORDER(y->bytes, x->bytes) ?: strcmp(x->name, y->name));

/* ---- what is known of a device's nodes ---- */

ORDERED(compare_by_node, struct exec_memory *,
	ORDER((*x)->node, (*y)->node)
		?: ORDER((*x)->step, (*y)->step)
		?: ORDER(*x, *y));

static void add_change(struct device_memory *m, size_t node, int64_t time, int64_t bytes)
{
	m->change[m->change_count++] = (struct memory_change){time, bytes, node};
}

/* The points are those of the step; what a node keeps for good is the most of any step, held from
 * time 0 on. */
static void add_memory(struct device_memory *m, const struct timeline_graph *g,
	const struct exec_memory **record, const struct timeline_node *node, const size_t *place)
{
	size_t count = g->detail->exec_memory_count;
	int64_t kept = 0, most = 0;

	for (size_t i = 0; i < count; i++) {
		const struct exec_memory *r = record[i],
					 *next = i + 1 < count ? record[i + 1] : NULL;
		bool same_node = next && next->node == r->node;

		kept = sum_of(kept, r->accelerator_persistent_bytes);
		if (!same_node || next->step != r->step) {
			most = kept > most ? kept : most;
			kept = 0;
		}
		if (place[r->node] != SIZE_MAX && r->step == g->step && r->memory_micros > 0)
			m->point[m->point_count++] = (struct memory_point){
				r->memory_micros, r->bytes_in_use, node[place[r->node]].visit, i};
		if (!same_node) {
			if (place[r->node] != SIZE_MAX)
				add_change(m, place[r->node], 0, most);
			most = 0;
		}
	}
}

/* ---- writing ---- */

/* The members in the order of their names; those from 01 on are always there. A node that holds
 * more than what is left ends the nodes of its size. */
static void top_allocations(
	const struct holder *holder, size_t count, int64_t bytes, struct text *args)
{
	struct text shown;
	size_t shown_count = 0, i = 0;

	text_init(&shown);
	while (i < count && shown_count < SHOWN_MOST) {
		if (bytes < holder[i].bytes) {
			int64_t size = holder[i].bytes;

			while (i < count && holder[i].bytes == size)
				i++;
			continue;
		}
		bytes = sum_of(bytes, (int64_t)(0 - (uint64_t)holder[i].bytes));

		/* A text "1.5 MB from NODE" as a member of the object. Six digits, as recorded with
		 * TensorFlow 2.15 and as the text of 2.0 has them up to 1 MB; 2.0 would write up
		 * to 15. */
		size_t index = shown_count++;
		const struct holder *h = &holder[i++];
		struct text value;

		text_init(&value);
		text_printf(&value, "%.6g MB from %s", (double)h->bytes / 1e6, h->name);
		text_printf(&shown, ",\"Top Allocation %02zu\":", index);
		timeline_string(&shown, text_string(&value));
		text_release(&value);
	}
	for (size_t k = shown_count ? shown_count : 1; k < SHOWN_MOST; k++)
		text_printf(&shown, ",\"Top Allocation %02zu\":\"N/A\"", k);
	text_printf(args, "{\"Not Displayed\":\"%.2f MB\"%s}", (double)bytes / 1e6,
		text_string(&shown));
	text_release(&shown);
}

/* Goes through points and changes in time; returns the most that was in use. */
static int64_t write_points(struct timeline *timeline, struct device_memory *m, int64_t pid)
{
	struct holder *scratch = arena_array(m->arena, m->node_count, sizeof(*scratch));
	int64_t most = 0, drawn = 0;
	size_t change = 0;

	for (size_t i = 0; i < m->point_count; i++) {
		const struct memory_point *p = &m->point[i];

		if (i + 1 < m->point_count && m->point[i + 1].time == p->time)
			continue; /* the later one counts */
		most = p->bytes > most ? p->bytes : most;
		if (p->time - drawn < POINT_DISTANCE)
			continue;
		drawn = p->time;
		for (; change < m->change_count && m->change[change].time < p->time; change++) {
			struct holder *h = &m->node[m->change[change].node];

			h->bytes = sum_of(h->bytes, m->change[change].bytes);
		}

		struct text args;
		size_t count = 0;

		for (size_t j = 0; j < m->node_count; j++)
			if (m->node[j].bytes > 0)
				scratch[count++] = m->node[j];
		if (count > 0)
			qsort(scratch, count, sizeof(*scratch), compare_holders);
		text_init(&args);
		text_printf(&args, "{\"Allocator Bytes in Use\":%lld}", (long long)p->bytes);
		timeline_counter(timeline, "Allocated Bytes", text_string(&args), pid, p->time);
		text_clear(&args);
		top_allocations(scratch, count, p->bytes, &args);
		timeline_counter(timeline, "Top Allocations", text_string(&args), pid + 1, p->time);
		text_release(&args);
	}
	return most;
}

static void add_device(struct timeline *timeline, const struct timeline_graph *g,
	const struct exec_memory **record, const struct timeline_node *node, size_t count,
	struct text *out)
{
	struct device_memory m = {
		.arena = g->arena, .device = node->canonical_device, .node_count = count};
	size_t records = g->detail->exec_memory_count;

	/* Index of the node in the device's list, by graph node; SIZE_MAX: not of this device. */
	size_t *place = arena_array(g->arena, g->graph->node_count, sizeof(*place));

	for (size_t i = 0; i < g->graph->node_count; i++)
		place[i] = SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		place[node[i].node] = i;
	int64_t pid = timeline_process(timeline, "mem usage on:", m.device, ""), most;

	timeline_process(timeline, "mem usage on:", m.device, " allocations");
	m.node = arena_array(g->arena, count, sizeof(*m.node));
	for (size_t i = 0; i < count; i++)
		m.node[i].name = node[i].name;
	m.point = arena_array(g->arena, records, sizeof(*m.point));
	m.change = arena_array(g->arena, records + g->detail->allocation_count, sizeof(*m.change));
	add_memory(&m, g, record, node, place);
	for (size_t i = 0; i < g->detail->allocation_count; i++) {
		const struct exec_allocation *a = &g->detail->allocation[i];

		if (place[a->node] != SIZE_MAX && a->step == g->step)
			add_change(&m, place[a->node], a->alloc_micros, a->alloc_bytes);
	}
	if (m.point_count > 0)
		qsort(m.point, m.point_count, sizeof(*m.point), compare_points);
	if (m.change_count > 0)
		qsort(m.change, m.change_count, sizeof(*m.change), compare_changes);
	most = write_points(timeline, &m, pid);
	if (strstr(m.device, "gpu") || strstr(m.device, "sycl"))
		text_printf(out, "%s peak memory: %.2f MB\n", m.device, (double)most / 1e6);
}

/* The memory of the devices of these nodes. */
static void timeline_memory_add(
	struct timeline *timeline, const struct timeline_graph *g, struct text *out)
{
	struct timeline_node *node = arena_array(g->arena, g->node_count, sizeof(*node));
	/* All records, those of a node and step together, in their order. */
	const struct exec_memory **record =
		arena_array(g->arena, g->detail->exec_memory_count, sizeof(*record));

	for (size_t i = 0; i < g->detail->exec_memory_count; i++)
		record[i] = &g->detail->exec_memory[i];
	if (g->detail->exec_memory_count > 0)
		qsort(record, g->detail->exec_memory_count, sizeof(*record), compare_by_node);

	if (g->node_count == 0)
		return;
	memcpy(node, g->node, g->node_count * sizeof(*node));
	qsort(node, g->node_count, sizeof(*node), compare_nodes);
	for (size_t i = 0, next; i < g->node_count; i = next) {
		next = i + 1;
		while (next < g->node_count &&
			text_equal(node[next].canonical_device, node[i].canonical_device))
			next++;
		if (!strstr(node[i].canonical_device, "cpu"))
			add_device(timeline, g, record, node + i, next - i, out);
	}
}

void timeline_graph_add(struct timeline *timeline, struct timeline_graph *graph, struct text *out)
{
	struct drawing d = {
		.timeline = timeline, .g = graph, .device_names = intern_new(graph->arena)};

	graph->graph = graph->view->values->graph;

	/* Parents first, without recursion. */
	const struct view_node **open = NULL;
	size_t count = 0, open_room = 0, node_room = 0;

	open = arena_make_room(graph->arena, open, count, &open_room, sizeof(*open));
	open[count++] = graph->view->root;
	while (count > 0) {
		const struct view_node *v = open[--count];

		if (v != graph->view->root)
			list_node(graph, v, &node_room);
		for (size_t i = v->child_count; i-- > 0;) {
			open = arena_make_room(
				graph->arena, open, count, &open_room, sizeof(*open));
			open[count++] = v->child[i];
		}
	}
	d.times_count = graph->detail->times_count;
	d.times = arena_array(d.g->arena, d.times_count, sizeof(const struct exec_times *));
	for (size_t i = 0; i < d.times_count; i++)
		d.times[i] = &graph->detail->times[i];
	if (d.times_count > 0)
		qsort(d.times, d.times_count, sizeof(*d.times), compare_times);
	for (size_t i = 0; i < graph->node_count; i++)
		add_blocks(&d, graph->node[i].node);

	/* Sort the blocks; the first of those with the same device and start stays. */
	size_t kept = 0;

	if (d.block_count > 0)
		qsort(d.block, d.block_count, sizeof(*d.block), compare_blocks);
	for (size_t i = 0; i < d.block_count; i++) {
		struct exec_block *b = &d.block[i];

		if (kept == 0 || compare_place(b->device->name, b->start, &d.block[kept - 1]))
			d.block[kept++] = *b;
	}
	d.block_count = kept;
	for (size_t i = 0, next; i < d.block_count; i = next) {
		next = i + 1;
		while (next < d.block_count && d.block[next].device == d.block[i].device)
			next++;
		set_lanes(d.block + i, next - i);
	}
	link_blocks(&d);
	text_add(out, "generating trace file.\n");
	write_blocks(&d);
	write_flows(&d);
	timeline_memory_add(timeline, graph, out);
}
