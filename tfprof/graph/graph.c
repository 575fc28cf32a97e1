/* Conversion of a graph into a profile: steps are numbered densely, microseconds become picoseconds
 * with a check, intervals become wall and busy time. */
#define _DEFAULT_SOURCE /* madvise */
#include "tfprof/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "tfprof/graph/exec_pack.h"
#include "tfprof/graph/graph_detail.h"
#include "model/op_shape.h"
#include "base/unit.h"

#define NO_ROW SIZE_MAX
#define RELEASE_LEAST ((uintptr_t)16 << 10) /* bytes; fewer are not worth the call */
#define NO_STEP UINT32_MAX
#define FAR_MICROS ((int64_t)1 << 41) /* 25 days: no step lasts as long */

int64_t graph_node_params(const struct graph_node *node, bool *incomplete)
{
	int64_t product = node->shape_count > 0;
	bool fits = true;

	*incomplete = false;
	for (size_t i = 0; i < node->shape_count; i++) {
		if (node->shape[i] < 0)
			*incomplete = true;
		fits = fits && number_multiply(product, node->shape[i], &product);
	}
	if (!fits)
		*incomplete = true;
	return *incomplete ? 0 : product;
}

/* Everything that the conversion needs while it runs. */
struct conversion {
	const struct graph *graph;
	struct graph *spent; /* the same, where it is given up; NULL: it stays */
	struct profile *profile;
	const struct profile_limits *limits;
	struct arena *scratch;
	struct intern *steps; /* step numbers (8 bytes each) to dense ids in order of first use */
	int64_t *number;      /* of each dense id, room for all execs */
	size_t step_count;
	/* The executions of the present node, and the place of the first among all. */
	const struct exec *exec;
	size_t exec_first;
	struct exec *unpacked; /* where they are when the graph packs them */
	size_t unpacked_room;
	size_t packed_end;   /* where the packed ones end */
	uint32_t last_step;  /* dense id found last: the next one is usually asked for next */
	uint32_t *index;     /* dense id to index in the profile */
	int64_t ps_per_tick; /* times are counted in ticks: microseconds, or nanoseconds */
	int64_t base_ticks;  /* the earliest start, 0 when there is none */
	/* Median start of each step that lasts too long, 0 of other steps; NULL when none does. A
	 * start far from the median does not count in the time that the step lasts. */
	int64_t *median_ticks;
	size_t *other_row;	  /* row of "[other names]" in each step, or NO_ROW */
	struct op_target *target; /* of each node */
};

/* Target of the executions of a node. */
struct op_target {
	uint32_t op;
	bool shared; /* that op is "[other names]" */
	size_t row;  /* of its first execution, the others follow; not where it is shared */
};

/* Makes the executions of a node the present ones; what is not of the part is not to be read. */
static const struct exec *look_at(struct conversion *c, size_t n, enum exec_part part)
{
	const struct graph *graph = c->graph;
	const struct graph_node *node = &graph->node[n];

	c->exec_first = node->exec_first;
	if (!graph->pack)
		return c->exec = graph->exec + node->exec_first;
	c->unpacked = memory_make_room_zeroed(
		c->unpacked, &c->unpacked_room, node->exec_count, sizeof(*c->unpacked));
	c->packed_end =
		exec_pack_get(graph->pack, node->packed_at, part, c->unpacked, node->exec_count);
	for (size_t i = 0; part == EXEC_WHOLE && i < node->exec_count; i++)
		c->unpacked[i].node = (uint32_t)n;
	return c->exec = c->unpacked;
}

/* The place of one of the present executions among all. */
static size_t place_of(const struct conversion *c, const struct exec *exec)
{
	return c->exec_first + (size_t)(exec - c->exec);
}

static void conversion_issue(struct conversion *c, enum issue_severity severity, const char *code,
	const char *text, const struct exec *exec)
{
	struct text place;

	text_init(&place);
	text_printf(&place, "%s: op ", c->profile->path);
	text_add_visible(&place, c->graph->node[exec->node].name);
	text_printf(&place, ", step %lld", (long long)exec->step);
	issue_add(&c->profile->issues, severity, code, text, 1, text_string(&place));
	text_release(&place);
}

/* Dense id of a step number; new ones are added until the steps are in the profile. */
static uint32_t step_id(struct conversion *c, int64_t number)
{
	uint32_t id;
	size_t next = (size_t)c->last_step + 1;

	if (next < c->step_count && c->number[next] == number)
		return c->last_step = (uint32_t)next;
	if (c->step_count && c->number[0] == number) /* the next node begins again */
		return c->last_step = 0;
	if (c->index)
		return intern_find(c->steps, (const char *)&number, sizeof(number), &id)
			       ? (c->last_step = id)
			       : NO_STEP;
	id = intern_id(c->steps, (const char *)&number, sizeof(number));
	if (id == c->step_count)
		c->number[c->step_count++] = number;
	return c->last_step = id;
}

/* Compares the steps that the file lists with those in which something ran. */
static void check_listed_steps(struct conversion *c)
{
	const struct graph *graph = c->graph;
	struct issue_list *issues = &c->profile->issues;
	bool *listed = arena_array(c->scratch, c->step_count, sizeof(*listed));
	char place[600];

	for (size_t i = 0; i < graph->step_count; i++) {
		int64_t number = graph->step[i];
		uint32_t id;

		if (intern_find(c->steps, (const char *)&number, sizeof(number), &id)) {
			listed[id] = true;
			continue;
		}
		snprintf(
			place, sizeof(place), "%s: step %lld", c->profile->path, (long long)number);
		issue_add(issues, ISSUE_INFO, "step-empty",
			"listed steps in which nothing ran, left out", 1, place);
	}
	if (graph->step_count == 0 && c->step_count > 0) {
		issue_add(issues, ISSUE_INFO, "steps-missing",
			"no list of steps in the file: the steps of its executions are used", 1,
			c->profile->path);
		return;
	}
	for (size_t i = 0; i < c->profile->step_count; i++) {
		int64_t number = c->profile->step[i].number;

		if (listed[step_id(c, number)])
			continue;
		snprintf(
			place, sizeof(place), "%s: step %lld", c->profile->path, (long long)number);
		issue_add(issues, ISSUE_INFO, "step-unlisted",
			"steps that the file does not list but has executions of, kept", 1, place);
	}
}

static void report_shape(struct conversion *c, const struct graph_node *node)
{
	struct text place;

	text_init(&place);
	text_printf(&place, "%s: op ", c->profile->path);
	text_add_visible(&place, node->name);
	issue_add(&c->profile->issues, ISSUE_INFO, "shape-incomplete",
		"ops whose shape is not known completely: their params count as 0", 1,
		text_string(&place));
	text_release(&place);
}

static void add_op(struct conversion *c, const struct graph_node *node, struct op_target *target)
{
	bool is_new, incomplete;
	const char *shape;

	target->op = profile_op(c->profile, node->name, strlen(node->name), &is_new, c->limits);
	struct op *op = &c->profile->op[target->op];

	target->shared = strcmp(op->name, node->name) != 0;
	if (target->shared) { /* type and device stay empty: several */
		op->defined++;
		return;
	}
	op->type = arena_strdup(c->profile->arena, node->op);
	op->device = arena_strdup(c->profile->arena, node->canonical_device);
	shape = op_shape_join(NULL, node->output_shape);
	op->shape = *shape ? arena_strdup(c->profile->arena, shape) : shape;
	op->params = graph_node_params(node, &incomplete);
	if (c->graph->no_shapes)
		op->params = CELL_ABSENT;
	op->float_ops_each = c->graph->no_float_ops ? CELL_ABSENT : node->float_ops;
	op->defined = 1;
	if (incomplete && !c->graph->base) /* the base has its own issues */
		report_shape(c, node);
}

struct named_node {
	const char *name;
	size_t node;
};

ORDERED(compare_names, struct named_node, strcmp(x->name, y->name));

/* Ops in order of the nodes, so that a cap does not depend on names; rows in order of names, which
 * is the order of the cube: merging one profile then moves no row. */
static int add_ops(struct conversion *c, struct error *err)
{
	const struct graph *graph = c->graph;
	struct named_node *named = arena_array(c->scratch, graph->node_count, sizeof(*named));
	size_t count = 0, rows = 0, first;

	c->target = arena_array(c->scratch, graph->node_count, sizeof(*c->target));
	for (size_t i = 0; i < graph->node_count; i++) {
		add_op(c, &graph->node[i], &c->target[i]);
		if (!c->target[i].shared)
			named[count++] = (struct named_node){graph->node[i].name, i};
	}
	if (count)
		qsort(named, count, sizeof(*named), compare_names);
	for (size_t i = 0; i < count; i++) {
		c->target[named[i].node].row = rows;
		rows += graph->node[named[i].node].exec_count;
	}
	return profile_observe_many(c->profile, rows, &first, c->limits, err);
}

/* The times of an exec in ticks. */
static struct exec_nanos exec_ticks(const struct conversion *c, const struct exec *exec)
{
	if (c->graph->nanos)
		return c->graph->exec_nanos[place_of(c, exec)];
	return (struct exec_nanos){
		.accelerator = exec->accelerator_micros,
		.cpu = exec->cpu_micros,
		.start = exec->start_micros,
		.end = exec->end_micros,
	};
}

static struct interval_nanos interval_ticks(const struct graph *graph, size_t i)
{
	if (graph->nanos)
		return graph->interval_nanos[i];
	return (struct interval_nanos){
		graph->interval[i].start_micros, graph->interval[i].dur_micros};
}

static int64_t time_cell(struct conversion *c, const struct exec *exec, int64_t ticks)
{
	int64_t ps;

	if (exec->overflow)
		return CELL_ABSENT;
	if (number_multiply(ticks, c->ps_per_tick, &ps) && ps != CELL_ABSENT)
		return ps;
	conversion_issue(c, ISSUE_LOSS, "time-range", "times too large to be true, left out", exec);
	return CELL_ABSENT;
}

static void fill_row(struct conversion *c, const struct exec *exec, size_t row, bool shared)
{
	const struct exec_nanos ticks = exec_ticks(c, exec);
	const int64_t cells[] = {
		[MEASURE_ACCELERATOR] = time_cell(c, exec, ticks.accelerator),
		[MEASURE_CPU] = time_cell(c, exec, ticks.cpu),
		[MEASURE_REQUESTED] = exec->requested_bytes,
		[MEASURE_PEAK] = exec->peak_bytes,
		[MEASURE_RESIDUAL] = exec->residual_bytes,
		[MEASURE_OUTPUT] = exec->output_bytes,
		[MEASURE_OCCURRENCE] = exec->run_count,
	};

	for (size_t id = 0; id < MEASURE_RECORDED_COUNT; id++) {
		bool absent = exec->overflow && id != MEASURE_OCCURRENCE;
		int64_t value = absent ? CELL_ABSENT : cells[id];

		if (!c->profile->obs.column[id])
			continue;
		if (shared) {
			int64_t *cell = &c->profile->obs.column[(enum measure_id)id][row];

			if (*cell == CELL_ABSENT || value == CELL_ABSENT)
				*cell = value == CELL_ABSENT ? *cell : value;
			else if (!number_add(*cell, value, cell))
				*cell = CELL_ABSENT;
		} else if (value) /* zero already: a column of zeros needs no memory */
			c->profile->obs.column[id][row] = value;
	}
	for (size_t k = 0; c->graph->calls && !exec->overflow && k < CALL_TIME_KINDS; k++)
		call_sums_join(&c->profile->obs.calls[k][row],
			&c->graph->exec_calls[place_of(c, exec)].kind[k]);
	if (exec->overflow)
		conversion_issue(c, ISSUE_LOSS, "sum-range",
			"executions whose times or bytes add up to more than 64 bits, left out",
			exec);
	if (exec->start_micros == 0)
		conversion_issue(
			c, ISSUE_LOSS, "start-missing", "executions without a start time", exec);
}

/* ---- starts that are far from those of their step ---- */

static int64_t far_ticks(const struct conversion *c)
{
	return c->graph->nanos ? FAR_MICROS * (PS_PER_US / PS_PER_NS) : FAR_MICROS;
}

/* Starts are above 0, so that differences fit. */
static bool is_far(const struct conversion *c, uint32_t index, int64_t start)
{
	if (!c->median_ticks || !c->median_ticks[index] || start <= 0)
		return false;
	int64_t off = start - c->median_ticks[index];

	return off >= far_ticks(c) || off <= -far_ticks(c);
}

struct start_of_step {
	uint32_t index;
	int64_t start;
};

ORDERED(compare_starts, struct start_of_step,
	ORDER(x->index, y->index) ?: ORDER(x->start, y->start));

/* The medians of the steps that are marked by a 1. */
static void set_medians(struct conversion *c)
{
	const struct graph *graph = c->graph;
	struct start_of_step *all =
		memory_alloc(memory_product(graph_exec_total(graph), sizeof(*all)));
	size_t count = 0;

	for (size_t n = 0; n < graph->node_count; n++) {
		const struct exec *exec = look_at(c, n, EXEC_TIMES);

		for (size_t i = 0; i < graph->node[n].exec_count; i++) {
			uint32_t index = c->index[step_id(c, exec[i].step)];
			int64_t start = exec_ticks(c, &exec[i]).start;

			if (start > 0 && c->median_ticks[index])
				all[count++] = (struct start_of_step){index, start};
		}
	}
	qsort(all, count, sizeof(*all), compare_starts);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i; next < count && all[next].index == all[i].index;)
			next++;
		c->median_ticks[all[i].index] = all[i + (next - i) / 2].start;
	}
	memory_free(all);
}

static void find_far(struct conversion *c)
{
	const struct graph *graph = c->graph;
	size_t steps = c->profile->step_count;
	int64_t *first = arena_array(c->scratch, steps, sizeof(*first));
	int64_t *last = arena_array(c->scratch, steps, sizeof(*last));

	for (size_t n = 0; n < graph->node_count; n++) {
		const struct exec *exec = look_at(c, n, EXEC_TIMES);

		for (size_t i = 0; i < graph->node[n].exec_count; i++) {
			uint32_t index = c->index[step_id(c, exec[i].step)];
			int64_t start = exec_ticks(c, &exec[i]).start;

			if (start <= 0)
				continue;
			first[index] = first[index] && first[index] < start ? first[index] : start;
			last[index] = last[index] > start ? last[index] : start;
		}
	}
	for (size_t s = 0; s < steps; s++) {
		if (last[s] - first[s] < far_ticks(c))
			continue;
		if (!c->median_ticks)
			c->median_ticks = arena_array(c->scratch, steps, sizeof(*c->median_ticks));
		c->median_ticks[s] = 1;
	}
	if (c->median_ticks)
		set_medians(c);
}

/* ---- wall time ---- */

static int64_t earlier(int64_t base, int64_t start)
{
	return start > 0 && (base == 0 || start < base) ? start : base;
}

/* Start and end in ticks, kept in the fields for ps until wall_to_ps. Both are above 0. */
static void extend_wall(struct step *step, int64_t start, int64_t end)
{
	if (!step->has_wall || start < step->start_ps)
		step->start_ps = start;
	if (!step->has_wall || end > step->end_ps)
		step->end_ps = end;
	step->has_wall = true;
}

/* The row of "[other names]" in this step. */
static int other_row(
	struct conversion *c, uint32_t op, uint32_t index, size_t *row, struct error *err)
{
	*row = c->other_row[index];
	if (*row == NO_ROW && profile_observe(c->profile, op, index, row, c->limits, err))
		return -1;
	c->other_row[index] = *row;
	return 0;
}

static int add_node(struct conversion *c, size_t n, struct error *err)
{
	const struct graph_node *node = &c->graph->node[n];
	const struct op_target *target = &c->target[n];
	uint64_t name_hash = intern_hash(node->name, strlen(node->name), 0);
	const struct exec *first = look_at(c, n, EXEC_WHOLE);

	for (size_t i = 0; i < node->exec_count; i++) {
		const struct exec *exec = &first[i];
		uint32_t index = c->index[step_id(c, exec->step)];
		size_t row = target->row + i;

		if (target->shared && other_row(c, target->op, index, &row, err))
			return -1;
		c->profile->obs.op[row] = target->op;
		c->profile->obs.step[row] = index;
		fill_row(c, exec, row, target->shared);

		struct step *step = &c->profile->step[index];
		const uint64_t parts[] = {name_hash, (uint64_t)exec->start_micros,
			(uint64_t)exec->end_micros, (uint64_t)exec->accelerator_micros,
			(uint64_t)exec->cpu_micros};
		const struct exec_nanos ticks = exec_ticks(c, exec);

		step->fingerprint += intern_hash(parts, sizeof(parts), 1);
		if (is_far(c, index, ticks.start)) {
			conversion_issue(c, ISSUE_LOSS, "start-far",
				"executions whose start is 25 days or more from those of their "
				"step: their duration counts, not when they ran",
				exec);
			continue;
		}
		c->base_ticks = earlier(c->base_ticks, ticks.start);
		if (ticks.start > 0 && ticks.end >= ticks.start)
			extend_wall(step, ticks.start, ticks.end);
	}
	return 0;
}

/* Length of the union of spans with key start and value end. */
static int64_t union_ticks(struct keyed *span, struct keyed *spare, size_t count)
{
	int64_t sum = 0, end = INT64_MIN;

	order_by_key(span, spare, count);
	for (size_t i = 0; i < count; i++) {
		if (span[i].value <= end)
			continue;
		/* Never above last end minus first start, which was checked to fit. */
		sum += span[i].value - (span[i].key > end ? span[i].key : end);
		end = span[i].value;
	}
	return sum;
}

/* The spans of all steps, each step's together: those of step s end at end[s]. */
struct step_spans {
	size_t *end;
	struct keyed *span; /* NULL while they are counted, in end[s + 1] */
};

/* An interval as a span of its step, where it counts. */
static void take_span(
	struct conversion *c, struct step_spans *to, int64_t step, const struct interval_nanos *in)
{
	struct keyed span = {.key = in->start};
	uint32_t id = NO_STEP;

	if (in->start > 0 && in->dur > 0 && number_add(in->start, in->dur, &span.value))
		id = step_id(c, step);
	if (id != NO_STEP && is_far(c, c->index[id], in->start))
		return;
	c->base_ticks = earlier(c->base_ticks, in->start);
	if (id == NO_STEP)
		return;
	size_t s = c->index[id];

	if (to->span) {
		to->span[to->end[s]++] = span;
		return;
	}
	extend_wall(&c->profile->step[s], span.key, span.value);
	to->end[s + 1]++;
}

/* Adds the intervals of the graph, and those of executions that have their own. */
static void take_spans(struct conversion *c, struct step_spans *to)
{
	const struct graph *graph = c->graph;

	for (size_t i = 0; i < graph->interval_count; i++) {
		const struct interval_nanos in = interval_ticks(graph, i);

		take_span(c, to, graph->interval[i].step, &in);
	}
	for (size_t n = 0; n < graph->node_count; n++) {
		const struct exec *exec = look_at(c, n, EXEC_TIMES);

		for (size_t i = 0; i < graph->node[n].exec_count; i++) {
			if (!exec[i].own_interval) /* any times: their difference may not fit */
				continue;
			const struct interval_nanos in = {
				exec[i].start_micros, exec[i].end_micros - exec[i].start_micros};

			take_span(c, to, exec[i].step, &in);
		}
	}
}

static void busy_times(struct conversion *c)
{
	struct arena *arena = arena_new();
	size_t steps = c->profile->step_count, longest = 0;
	struct step_spans spans = {.end = arena_array(arena, steps + 1, sizeof(*spans.end))};
	size_t *end = spans.end;
	struct keyed *spare;

	take_spans(c, &spans);
	for (size_t s = 0; s < steps; s++) {
		longest = end[s + 1] > longest ? end[s + 1] : longest;
		end[s + 1] += end[s];
	}
	spans.span = arena_array(arena, end[steps], sizeof(*spans.span));
	take_spans(c, &spans);
	spare = arena_array(arena, longest, sizeof(*spare));
	for (size_t s = 0; s < steps; s++) {
		size_t first = s ? end[s - 1] : 0;

		c->profile->step[s].busy_ps =
			union_ticks(spans.span + first, spare, end[s] - first);
	}
	arena_free(arena);
}

/* The three times of each step from ticks to ps, points in time since the base, which is the
 * earliest of them; a step whose times do not fit has none. */
static void wall_to_ps(struct conversion *c)
{
	for (size_t s = 0; s < c->profile->step_count; s++) {
		struct step *step = &c->profile->step[s];
		int64_t *times[] = {&step->start_ps, &step->end_ps, &step->busy_ps};

		if (step->has_wall) {
			step->start_ps -= c->base_ticks;
			step->end_ps -= c->base_ticks;
		}
		for (size_t i = 0; i < 3; i++)
			if (!number_multiply(*times[i], c->ps_per_tick, times[i]))
				step->has_wall = false;
		if (!step->has_wall)
			step->start_ps = step->end_ps = step->busy_ps = 0;
	}
}

/* The executions of the present node are together: the pages that only they are on are
 * given back. */
static void release_execs(const struct conversion *c, const struct graph_node *node)
{
	const struct graph *graph = c->spent;

	if (!node->exec_count)
		return;
	unsigned char *first = graph->pack ? graph->pack->bytes + node->packed_at
					   : (unsigned char *)(graph->exec + node->exec_first);
	const size_t size = graph->pack ? c->packed_end - node->packed_at
					: node->exec_count * sizeof(*graph->exec);
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t from = (uintptr_t)first;
	const uintptr_t begin = (from + page - 1) / page * page;
	const uintptr_t end = (from + size) / page * page;

	if (end > begin && end - begin >= RELEASE_LEAST)
		madvise(first + (begin - from), end - begin, MADV_DONTNEED);
}

static int convert(struct conversion *c, struct error *err)
{
	const struct graph *graph = c->graph;

	for (size_t n = 0; n < graph->node_count; n++) {
		const struct exec *exec = look_at(c, n, EXEC_TIMES);

		for (size_t i = 0; i < graph->node[n].exec_count; i++)
			step_id(c, exec[i].step);
	}

	int64_t *sorted = arena_array(c->scratch, c->step_count, sizeof(*sorted));

	c->index = arena_array(c->scratch, c->step_count, sizeof(*c->index));
	c->other_row = arena_array(c->scratch, c->step_count, sizeof(*c->other_row));
	if (c->step_count)
		memcpy(sorted, c->number, c->step_count * sizeof(*sorted));
	qsort(sorted, c->step_count, sizeof(*sorted), order_int64);
	for (size_t i = 0; i < c->step_count; i++) {
		struct step step = {.number = sorted[i]};
		uint32_t index;

		if (profile_add_step(c->profile, &step, &index, c->limits, err))
			return -1;
		c->index[step_id(c, sorted[i])] = index;
		c->other_row[i] = NO_ROW;
	}
	check_listed_steps(c);
	find_far(c);
	busy_times(c); /* before the rows: its work space is gone when they come */
	if (c->spent) {
		memory_free(c->spent->interval);
		memory_free(c->spent->interval_nanos);
		c->spent->interval = NULL;
		c->spent->interval_nanos = NULL;
		c->spent->interval_count = c->spent->interval_nanos_count = 0;
		c->spent->interval_room = c->spent->interval_nanos_room = 0;
	}
	for (size_t id = MEASURE_ACCELERATOR; id < MEASURE_RECORDED_COUNT; id++)
		if (id != MEASURE_TRANSFERRED) /* a graph does not have it */
			profile_have(c->profile, (enum measure_id)id);
	for (size_t k = 0; graph->calls && k < CALL_TIME_KINDS; k++)
		profile_have_calls(c->profile, (enum call_kind)k);
	if (add_ops(c, err))
		return -1;
	for (size_t i = 0; i < graph->node_count; i++) {
		if (add_node(c, i, err))
			return -1;
		if (c->spent)
			release_execs(c, &graph->node[i]);
	}
	if (!number_multiply(c->base_ticks, c->ps_per_tick / PS_PER_NS, &c->profile->base_ns))
		c->profile->base_ns = 0;
	wall_to_ps(c);
	return 0;
}

/* `spent` is the graph where nobody looks at it any more, else NULL. */
static int make_profile(const struct graph *graph, struct graph *spent, struct profile *profile,
	const struct profile_limits *limits, struct error *err)
{
	struct arena *scratch = arena_new();
	struct conversion c = {
		.ps_per_tick = graph->nanos ? PS_PER_NS : PS_PER_US,
		.graph = graph,
		.spent = spent,
		.profile = profile,
		.limits = limits,
		.scratch = scratch,
		.steps = intern_new(scratch),
	};

	c.number = memory_alloc(memory_product(graph_exec_total(graph) + 1, sizeof(*c.number)));
	issue_list_join(&profile->issues, &graph->issues);
	int result = convert(&c, err);

	memory_free(c.number);
	memory_free(c.unpacked);
	arena_free(scratch);
	return result;
}

int graph_to_profile(const struct graph *graph, struct profile *profile,
	const struct profile_limits *limits, struct error *err)
{
	return make_profile(graph, NULL, profile, limits, err);
}

int graph_into_profile(struct graph *graph, struct profile *profile,
	const struct profile_limits *limits, struct error *err)
{
	if (graph->pack) { /* the last node's are packed as well */
		memory_free(graph->exec);
		graph->exec = NULL;
		graph->exec_room = 0;
	}
	return make_profile(graph, graph, profile, limits, err);
}
