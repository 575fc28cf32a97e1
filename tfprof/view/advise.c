/* The three checkers. Values are the averages over each node's own steps, as for -step -1; the
 * accelerator's use is that of each node's last step. */
#include "tfprof/view/advise.h"

#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/view.h"

#define TOP 3	     /* rows of each list */
#define CODE_DEPTH 3 /* deepest level of calls, from 0 */
#define CODE_LEAST_MICROS 1000
/* of the two checkers whose reports are few; devices have their own room */
#define REPORTS_MOST 4
#define USED_WELL 0.5

struct adviser {
	const struct tfprof_model *model;
	struct arena *arena;
	struct node_values values;
	struct slots slots;
	struct tfprof_options options; /* all nodes, by time */
	const struct view *code;       /* NULL: no traces */
	struct text *messages;
};

const char *advice_checker_name(enum advice_checker checker)
{
	static const char *const name[ADVICE_CHECKERS] = {
		[CHECKER_ACCELERATOR_UTILIZATION] = "AcceleratorUtilizationChecker",
		[CHECKER_OPERATION] = "OperationChecker",
		[CHECKER_EXPENSIVE_OPERATION] = "ExpensiveOperationChecker",
	};

	return name[checker];
}

static void add_report(struct advice_reports *reports, const char *report)
{
	reports->report[reports->count++] = report;
}

static bool is_accelerator(const char *device)
{
	return strstr(device, "gpu") || strstr(device, "sycl");
}

/* ---- use of accelerators ---- */

/* Use of one device. Points in time are 0 while nothing is known. */
struct device_use {
	const char *device;
	int64_t start_micros, end_micros, busy_micros;
};

ORDERED(compare_devices, struct device_use, strcmp(x->device, y->device));

static void join_use(struct device_use *to, const struct device_use *one)
{
	if (to->start_micros == 0 ||
		(one->start_micros != 0 && one->start_micros < to->start_micros))
		to->start_micros = one->start_micros;
	if (one->end_micros > to->end_micros)
		to->end_micros = one->end_micros;
	to->busy_micros = (int64_t)((uint64_t)to->busy_micros + (uint64_t)one->busy_micros);
}

/* The last execution of each node on an accelerator, sorted by device. */
static struct device_use *collect_uses(const struct adviser *a, size_t *count)
{
	const struct graph *graph = a->model->graph;
	struct device_use *use = arena_array(a->arena, graph->node_count, sizeof(*use));

	*count = 0;
	for (size_t i = 0; i < graph->node_count; i++) {
		const struct graph_node *node = &graph->node[i];
		const struct exec *last;

		if (node->exec_count == 0 || !is_accelerator(node->canonical_device))
			continue;
		last = &graph->exec[node->exec_first + node->exec_count - 1];
		use[(*count)++] = (struct device_use){node->canonical_device, last->start_micros,
			last->end_micros, last->accelerator_micros};
	}
	if (*count)
		qsort(use, *count, sizeof(*use), compare_devices);
	return use;
}

static void check_accelerators(const struct adviser *a, struct advice_reports *out)
{
	size_t count, end;
	const struct device_use *use = collect_uses(a, &count);

	out->report = arena_array(a->arena, count, sizeof(*out->report));
	for (size_t first = 0; first < count; first = end) {
		struct device_use sum = {.device = use[first].device};
		int64_t span;
		double used;

		for (end = first; end < count && !strcmp(use[end].device, sum.device); end++)
			join_use(&sum, &use[end]);
		span = (int64_t)((uint64_t)sum.end_micros - (uint64_t)sum.start_micros);
		if (span <= 0)
			continue;
		used = (double)sum.busy_micros / (double)span;
		add_report(out, arena_printf(a->arena, "device: %s %sutilization: %.2f", sum.device,
					used >= USED_WELL ? "" : "low ", used));
	}
}

/* ---- choice of operations ---- */

static bool has_type(const struct graph_node *node, const char *type)
{
	for (size_t i = 0; i < node->op_type_count; i++)
		if (strcmp(node->op_types[i], type) == 0)
			return true;
	return false;
}

static bool is_nhwc_on_accelerator(const struct graph *graph, size_t node)
{
	const struct node_detail *detail = node_detail_of(graph->detail, (uint32_t)node);

	return detail && detail->data_format && strcmp(detail->data_format, "NHWC") == 0 &&
	       is_accelerator(graph->node[node].canonical_device);
}

static void check_operations(const struct adviser *a, struct advice_reports *out)
{
	const struct graph *graph = a->model->graph;
	bool plain = false, fused = false, nhwc = false;

	for (size_t i = 0; i < graph->node_count; i++) {
		plain |= strstr(graph->node[i].name, "BatchNorm") != NULL;
		fused |= has_type(&graph->node[i], "FusedBatchNorm");
		nhwc |= is_nhwc_on_accelerator(graph, i);
	}
	out->report = arena_array(a->arena, REPORTS_MOST, sizeof(*out->report));
	if (plain && !fused)
		add_report(out, "Maybe use faster FusedBatchNorm instead of BatchNorm");
	if (nhwc)
		add_report(out,
			"Found operation using NHWC data_format on GPU. Maybe NCHW is faster.");
}

/* ---- what takes most time ---- */

static void add_line_start(struct text *out)
{
	if (out->size)
		text_add_char(out, '\n');
}

/* ", cpu: T, accelerator: T, total: T" of self or total values; average, so there is one slot. */
static void add_times(struct text *out, const int64_t *value)
{
	text_add(out, ", cpu: ");
	format_time(out, value[QUANTITY_CPU_MICROS]);
	text_add(out, ", accelerator: ");
	format_time(out, value[QUANTITY_ACCELERATOR_MICROS]);
	text_add(out, ", total: ");
	format_time(out, value[QUANTITY_MICROS]);
}

static void end_report(const struct adviser *a, struct text *lines, struct advice_reports *out)
{
	add_report(out, arena_strdup(a->arena, text_string(lines)));
	text_release(lines);
}

static void check_ops(struct adviser *a, struct advice_reports *out)
{
	const struct view_node *root;
	struct text lines;

	if (a->model->step_count == 0) {
		text_printf(a->messages, "Missing run_meta for %s\n",
			advice_checker_name(CHECKER_EXPENSIVE_OPERATION));
		return;
	}
	a->options.max_depth = 3;
	a->options.min[QUANTITY_MICROS] = 1;
	root = view_op(&a->values, &a->options, a->arena, a->messages)->root;
	if (root->child_count == 0)
		return;
	text_init(&lines);
	for (size_t i = 0; i < TOP && i < root->child_count; i++) {
		const struct view_node *row = root->child[i];

		add_line_start(&lines);
		text_printf(&lines, "top %zu operation type: %s", i + 1, row->name);
		add_times(&lines, row->self);
		/* The original's guard against a total of 0. */
		text_printf(&lines, " (%.2f%%)",
			100.0 * (double)row->self[QUANTITY_MICROS] /
				((double)root->total[QUANTITY_MICROS] + 1e-10));
	}
	end_report(a, &lines, out);
}

/* The original prints the self times of a scope, which has none. */
static void check_scopes(struct adviser *a, struct advice_reports *out)
{
	const struct view *view;
	struct text lines;

	a->options.max_depth = 100;
	a->options.min[QUANTITY_MICROS] = 100;
	view = view_scope(&a->values, &a->options, a->arena, a->messages);
	if (!view || view->root->child_count == 0)
		return;
	text_init(&lines);
	for (size_t i = 0; i < TOP && i < view->root->child_count; i++) {
		const struct view_node *node = view->root->child[i];

		add_line_start(&lines);
		text_printf(&lines, "top %zu graph node: %s", i + 1, node->name);
		add_times(&lines, node->self);
	}
	end_report(a, &lines, out);
}

/* Adds the calls below a node, at most CODE_DEPTH levels. */
static void add_calls(const struct view_node *node, size_t depth, struct text *lines)
{
	if (node->child_count <= 1 || depth > CODE_DEPTH)
		return;
	for (size_t i = 0; i < TOP && i < node->child_count; i++) {
		const struct view_node *child = node->child[i];

		if (child->total[QUANTITY_MICROS] < CODE_LEAST_MICROS)
			continue;
		add_line_start(lines);
		text_add_repeat(lines, ' ', 2 * depth);
		text_add(lines, child->name);
		add_times(lines, child->total);
		add_calls(child, depth + 1, lines);
	}
}

static void check_code(const struct adviser *a, struct advice_reports *out)
{
	const struct view_node *node;
	struct text lines;

	if (!a->code) {
		text_printf(a->messages, "Missing op_log (code traces) for %s\n",
			advice_checker_name(CHECKER_EXPENSIVE_OPERATION));
		return;
	}
	/* A line with one call is a library's; lines with several are the user's own. */
	for (node = a->code->root; node->child_count == 1;)
		node = node->child[0];
	if (node->child_count == 0)
		return;
	text_init(&lines);
	add_calls(node, 0, &lines);
	end_report(a, &lines, out);
}

static void check_expensive(struct adviser *a, struct advice_reports *out)
{
	if (a->model->step_count == 0)
		text_printf(a->messages, "Missing RunMetadata info. Skip %s\n",
			advice_checker_name(CHECKER_EXPENSIVE_OPERATION));
	out->report = arena_array(a->arena, REPORTS_MOST, sizeof(*out->report));
	check_ops(a, out);
	check_scopes(a, out);
	check_code(a, out);
}

/* ---- all of them ---- */

void advice_make(const struct tfprof_model *model, struct arena *arena, struct advice *out,
	struct text *messages)
{
	struct adviser a = {.model = model,
		.arena = arena,
		.slots = {.average = true, .count = 1},
		.messages = messages};

	*out = (struct advice){0};
	tfprof_options_init(&a.options, arena);
	a.options.order_by = "micros";
	node_values_make(model->graph, &a.slots, arena, &a.values);
	/* First of all, as the original builds its views: what this one has to say precedes the
	 * checkers. */
	a.options.max_depth = 100;
	a.options.min[QUANTITY_MICROS] = 1;
	if (model->graph->has_trace)
		a.code = view_code(&a.values, &a.options, arena, messages);
	check_accelerators(&a, &out->checker[CHECKER_ACCELERATOR_UTILIZATION]);
	check_operations(&a, &out->checker[CHECKER_OPERATION]);
	check_expensive(&a, &out->checker[CHECKER_EXPENSIVE_OPERATION]);
}

void advice_add_reports(const char *checker, const struct advice_reports *reports, struct text *out)
{
	text_printf(out, "\n%s:\n", checker);
	for (size_t k = 0; k < reports->count; k++)
		text_printf(out, "%s\n", reports->report[k]);
}

void advice_text(const struct advice *advice, struct text *out)
{
	for (size_t i = 0; i < ADVICE_CHECKERS; i++)
		advice_add_reports(
			advice_checker_name((enum advice_checker)i), &advice->checker[i], out);
}
