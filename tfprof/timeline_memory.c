/*
 * Memory of accelerators over time: what the allocator had in use when executions ended, and which
 * nodes held most of it.
 */
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "base/order.h"
#include "tfprof/timeline_graph.h"

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

static int compare_points(const void *a, const void *b)
{
	const struct memory_point *x = a, *y = b;

	return ORDER(x->time, y->time) ?: ORDER(x->visit, y->visit) ?: ORDER(x->record, y->record);
}

static int compare_changes(const void *a, const void *b)
{
	const struct memory_change *x = a, *y = b;

	return ORDER(x->time, y->time);
}

static int compare_nodes(const void *a, const void *b)
{
	const struct timeline_node *x = a, *y = b;

	return strcmp(x->canonical_device, y->canonical_device) ?: strcmp(x->name, y->name);
}

static int compare_holders(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	return ORDER(y->bytes, x->bytes) ?: strcmp(x->name, y->name);
}

/* ---- what is known of a device's nodes ---- */

static int compare_by_node(const void *a, const void *b)
{
	const struct exec_memory *x = *(const struct exec_memory *const *)a,
				 *y = *(const struct exec_memory *const *)b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return (x > y) - (x < y);
}

/* All records, those of a node and step together, in their order. */
static const struct exec_memory **memory_by_node(const struct timeline_graph *g)
{
	const struct exec_memory **record =
		arena_array(g->arena, g->detail->exec_memory_count, sizeof(*record));

	for (size_t i = 0; i < g->detail->exec_memory_count; i++)
		record[i] = &g->detail->exec_memory[i];
	if (g->detail->exec_memory_count > 0)
		qsort(record, g->detail->exec_memory_count, sizeof(*record), compare_by_node);
	return record;
}

/* Index of the node in the device's list, by graph node; SIZE_MAX: not of this device. */
static size_t *places_of(
	const struct timeline_graph *g, const struct timeline_node *node, size_t count)
{
	size_t *place = arena_array(g->arena, g->graph->node_count, sizeof(*place));

	for (size_t i = 0; i < g->graph->node_count; i++)
		place[i] = SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		place[node[i].node] = i;
	return place;
}

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

static void add_allocations(
	struct device_memory *m, const struct timeline_graph *g, const size_t *place)
{
	for (size_t i = 0; i < g->detail->allocation_count; i++) {
		const struct exec_allocation *a = &g->detail->allocation[i];

		if (place[a->node] != SIZE_MAX && a->step == g->step)
			add_change(m, place[a->node], a->alloc_micros, a->alloc_bytes);
	}
}

/* ---- writing ---- */

/* A text "1.5 MB from NODE" as a member of the object. Six digits, as recorded with TensorFlow 2.15
 * and as the text of 2.0 has them up to 1 MB; 2.0 would write up to 15. */
static void add_shown(struct text *args, size_t index, const struct holder *h)
{
	struct text value;

	text_init(&value);
	text_printf(&value, "%.6g MB from %s", (double)h->bytes / 1e6, h->name);
	text_printf(args, ",\"Top Allocation %02zu\":", index);
	timeline_string(args, text_string(&value));
	text_release(&value);
}

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
		add_shown(&shown, shown_count++, &holder[i++]);
	}
	for (size_t k = shown_count ? shown_count : 1; k < SHOWN_MOST; k++)
		text_printf(&shown, ",\"Top Allocation %02zu\":\"N/A\"", k);
	text_printf(args, "{\"Not Displayed\":\"%.2f MB\"%s}", (double)bytes / 1e6,
		text_string(&shown));
	text_release(&shown);
}

static void write_point(struct timeline *timeline, const struct device_memory *m,
	struct holder *scratch, const struct memory_point *p, int64_t pid)
{
	struct text args;
	size_t count = 0;

	for (size_t i = 0; i < m->node_count; i++)
		if (m->node[i].bytes > 0)
			scratch[count++] = m->node[i];
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
		write_point(timeline, m, scratch, p, pid);
	}
	return most;
}

static void add_device(struct timeline *timeline, const struct timeline_graph *g,
	const struct exec_memory **record, const struct timeline_node *node, size_t count,
	struct text *out)
{
	struct device_memory m = {
		.arena = g->arena, .device = node->canonical_device, .node_count = count};
	const size_t *place = places_of(g, node, count);
	size_t records = g->detail->exec_memory_count;
	int64_t pid = timeline_process(timeline, "mem usage on:", m.device, ""), most;

	timeline_process(timeline, "mem usage on:", m.device, " allocations");
	m.node = arena_array(g->arena, count, sizeof(*m.node));
	for (size_t i = 0; i < count; i++)
		m.node[i].name = node[i].name;
	m.point = arena_array(g->arena, records, sizeof(*m.point));
	m.change = arena_array(g->arena, records + g->detail->allocation_count, sizeof(*m.change));
	add_memory(&m, g, record, node, place);
	add_allocations(&m, g, place);
	if (m.point_count > 0)
		qsort(m.point, m.point_count, sizeof(*m.point), compare_points);
	if (m.change_count > 0)
		qsort(m.change, m.change_count, sizeof(*m.change), compare_changes);
	most = write_points(timeline, &m, pid);
	if (strstr(m.device, "gpu") || strstr(m.device, "sycl"))
		text_printf(out, "%s peak memory: %.2f MB\n", m.device, (double)most / 1e6);
}

void timeline_memory_add(
	struct timeline *timeline, const struct timeline_graph *g, struct text *out)
{
	struct timeline_node *node = arena_array(g->arena, g->node_count, sizeof(*node));
	const struct exec_memory **record = memory_by_node(g);

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
