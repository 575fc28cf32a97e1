/* The checkers of steps. The graph becomes a cube and its summary, as every other input does,
 * so that shares, CVs and counts are those of `stepstat report` over the same steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tfprof/view/advise.h"
#include "analysis/summary.h"
#include "base/number.h"
#include "base/order.h"
#include "model/merge.h"
#include "report/build.h"

#define JITTER_STEPS 5 /* below, sample_jitter_share gives nothing */
#define WARMUP_STEPS 6 /* so does sample_warmup */

enum { VALUE_TIME, VALUE_ACCELERATOR, VALUE_CPU, VALUE_PEAK, VALUE_RUNS, VALUES };

struct step_adviser {
	struct arena *arena;
	const struct graph *graph;
	struct cube *cube; /* NULL: nothing ran; then all below is empty */
	struct step_set steps;
	struct grouping grouping;
	struct summary *summary;
	struct advice_reports *out; /* of the checker at work */
};

/* A row that a checker found, and what it is found by: larger first, then by name. */
struct advice_finding {
	double size;
	const struct summary_row *row;
};

struct findings {
	struct advice_finding *item;
	size_t count;
};

/* ---- words ---- */

static void add_report(struct step_adviser *a, const char *report)
{
	a->out->report[a->out->count++] = report;
}

static const char *visible(struct arena *arena, const char *name)
{
	struct text text;
	const char *result;

	text_init(&text);
	text_add_visible(&text, name);
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return result;
}

static const char *duration(struct arena *arena, double ps)
{
	return phrase_quantity(arena, DIMENSION_TIME, ps);
}

/* Percentage with one decimal, as in the tables of `stepstat report`. */
static const char *percent(struct arena *arena, double fraction)
{
	char number[NUMBER_TEXT_SIZE];

	return arena_printf(arena, "%s%%", number_format_fixed(number, 100 * fraction, 1));
}

/* ---- findings ---- */

/* Rows are in the order of their names. */
ORDERED(compare_findings, struct advice_finding, ORDER(y->size, x->size) ?: ORDER(x->row, y->row));

/* Rows that have a size, sorted; NaN: none. Returns how many of them are reported. */
static size_t find_rows(const struct step_adviser *a, struct findings *found,
	double (*size_of)(const struct step_adviser *a, const struct summary_row *row))
{
	found->count = 0;
	found->item = arena_array(a->arena, a->grouping.count, sizeof(*found->item));
	for (size_t g = 0; g < a->grouping.count; g++) {
		const struct summary_row *row = &a->summary->all.row[g];
		double size = size_of(a, row);

		if (!isnan(size))
			found->item[found->count++] = (struct advice_finding){size, row};
	}
	if (found->count)
		qsort(found->item, found->count, sizeof(*found->item), compare_findings);
	return found->count < ADVISE_FINDINGS ? found->count : ADVISE_FINDINGS;
}

static void report_few_steps(struct step_adviser *a, int needed)
{
	add_report(a, arena_printf(a->arena, "not checked: it needs %d steps, there %s %zu", needed,
			      a->steps.count == 1 ? "is" : "are", a->steps.count));
}

/* ---- one row ---- */

static int64_t step_number(const struct step_adviser *a, size_t place)
{
	return a->cube->step[a->steps.step[place]].number;
}

/* The row's time in each step; absent is 0. */
static const int64_t *times_of(
	const struct step_adviser *a, const struct summary_row *row, const unsigned char **state)
{
	size_t count = a->steps.count;
	int64_t *value = arena_array(a->arena, count, sizeof(*value));
	unsigned char *known = arena_array(a->arena, count, sizeof(*known));

	grouping_values(&(struct group_series){.cube = a->cube,
				.step_index = a->steps.index_of,
				.count = count,
				.value = value,
				.state = known},
		row->group, MEASURE_TIME);
	*state = known;
	return value;
}

static bool on_accelerator(const struct step_adviser *a, const struct summary_row *row)
{
	for (size_t i = 0; i < row->group->op_count; i++)
		if (a->cube->has_accelerator[row->group->op[i]])
			return true;
	return false;
}

/* Word for an op that waits for a tensor or passes one on; else NULL. A copy between devices ran on
 * an accelerator and belongs to none: of its name only the part before ":MEMCPY..." is left. */
static const char *transfer_of(const struct step_adviser *a, const struct summary_row *row)
{
	static const char *const types[] = {"_Send", "_Recv", "_HostSend", "_HostRecv"};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (text_equal(row->group->type, types[i]))
			return types[i];
	if (strstr(row->group->name, "MEMCPY") || text_starts(row->group->type, "MEMCPY") ||
		(!*row->group->device && on_accelerator(a, row)))
		return "copy";
	return NULL;
}

/* ---- jitter ---- */

static void report_jitter(struct step_adviser *a, const struct summary_row *row)
{
	const struct summary_value *value = &row->value[VALUE_TIME];
	const unsigned char *state;
	const int64_t *time = times_of(a, row, &state);
	size_t slowest = 0;
	long long step;

	for (size_t i = 1; i < a->steps.count; i++)
		if (time[i] > time[slowest])
			slowest = i;
	step = (long long)step_number(a, slowest);
	add_report(a, arena_printf(a->arena,
			      "%s: %s of the step-to-step jitter; mean %s, CV %s, slowest in step "
			      "%lld (%s)\n"
			      "  try: graph -step %lld -output timeline:outfile=FILE, next to "
			      "another step",
			      visible(a->arena, row->group->name), percent(a->arena, value->jitter),
			      duration(a->arena, value->runs.mean),
			      percent(a->arena, value->runs.cv_step), step,
			      duration(a->arena, (double)time[slowest]), step));
}

static double jitter_of(const struct step_adviser *a, const struct summary_row *row)
{
	double jitter = row->value[VALUE_TIME].jitter;

	(void)a;
	return jitter > ADVISE_JITTER_LEAST ? jitter : NAN;
}

static void check_jitter(struct step_adviser *a)
{
	struct findings found;
	size_t told = find_rows(a, &found, jitter_of);

	if (a->cube && a->steps.count < JITTER_STEPS)
		report_few_steps(a, JITTER_STEPS);
	for (size_t i = 0; i < told; i++)
		report_jitter(a, found.item[i].row);
}

/* ---- ran in some steps ---- */

static void report_partial(struct step_adviser *a, const struct summary_row *row)
{
	const struct summary_value *value = &row->value[VALUE_TIME];
	const unsigned char *state;
	size_t with = 0, without = 0;

	times_of(a, row, &state);
	while (!state[with])
		with++;
	while (state[without])
		without++;
	add_report(
		a, arena_printf(a->arena,
			   "%s: ran %zu of %zu steps, mean %s when it runs\n  try: -step %lld has "
			   "it, -step %lld has not; -step -1 averages over the steps that have it",
			   visible(a->arena, row->group->name), value->ran, value->steps,
			   duration(a->arena, value->when_run->mean),
			   (long long)step_number(a, with), (long long)step_number(a, without)));
}

/* The costly ones first. */
static double partial_cost(const struct step_adviser *a, const struct summary_row *row)
{
	const struct summary_value *value = &row->value[VALUE_TIME];

	(void)a;
	return value->ran > 0 && value->ran < value->steps ? value->runs.pooled.sum : NAN;
}

static void check_partial(struct step_adviser *a)
{
	struct findings found;
	size_t told = find_rows(a, &found, partial_cost);

	for (size_t i = 0; i < told; i++)
		report_partial(a, found.item[i].row);
}

/* ---- slow first steps ---- */

/* Means of a row before and from the step on. */
struct halves {
	double first, rest;
};

/* Names the op that is longer by most. */
static void report_first(struct step_adviser *a, const struct warmup *warmup)
{
	const struct summary_row *most = NULL;
	struct halves of_most = {0, 0};
	char ratio[NUMBER_TEXT_SIZE];

	for (size_t g = 0; g < a->grouping.count; g++) {
		const struct summary_row *row = &a->summary->all.row[g];
		const unsigned char *state;
		const int64_t *time = times_of(a, row, &state);
		struct halves mean = {0, 0};

		for (size_t i = 0; i < a->steps.count; i++)
			*(i < warmup->drop ? &mean.first : &mean.rest) += (double)time[i];
		mean.first /= (double)warmup->drop;
		mean.rest /= (double)(a->steps.count - warmup->drop);

		if (!most || mean.first - mean.rest > of_most.first - of_most.rest) {
			most = row;
			of_most = mean;
		}
	}
	if (!most)
		return;
	add_report(
		a, arena_printf(a->arena,
			   "%s: mean %s in the first %zu step%s (to step %lld), %s later; the "
			   "slowest takes %s times the median of later steps\n  try: leave them "
			   "out: -step N of a later one, or stepstat report --warmup=auto",
			   visible(a->arena, most->group->name), duration(a->arena, of_most.first),
			   warmup->drop, warmup->drop == 1 ? "" : "s",
			   (long long)step_number(a, warmup->drop - 1),
			   duration(a->arena, of_most.rest),
			   number_format_fixed(ratio, warmup->ratio, 1)));
}

static void check_first(struct step_adviser *a)
{
	const struct warmup *warmup;

	if (!a->cube)
		return;
	if (a->steps.count < WARMUP_STEPS) {
		report_few_steps(a, WARMUP_STEPS);
		return;
	}
	warmup = &a->steps.warmup[0];
	if (warmup->state == WARMUP_UNSTEADY)
		add_report(a, "no steady state: more than half of the steps are slower than the "
			      "last ones\n  try: profile more steps");
	else if (warmup->state == WARMUP_FOUND && warmup->drop)
		report_first(a, warmup);
}

/* ---- scheduling ---- */

/* Cost of a tiny op for the CPU, beyond its time on the accelerator. */
static double scheduling_cost(const struct step_adviser *a, const struct summary_row *row)
{
	double accelerator = row->value[VALUE_ACCELERATOR].runs.pooled.sum;
	double cpu = row->value[VALUE_CPU].runs.pooled.sum;
	double runs = row->value[VALUE_RUNS].runs.pooled.sum;

	return on_accelerator(a, row) && !transfer_of(a, row) && runs > 0 && accelerator < cpu &&
			       accelerator / runs < ADVISE_TINY_PS
		       ? cpu - accelerator
		       : NAN;
}

/* Cost of all such ops, for the text after the first. */
static const char *sum_of_tiny(const struct step_adviser *a, const struct findings *found)
{
	double cpu = 0, accelerator = 0;

	if (found->count < 2)
		return "";
	for (size_t i = 0; i < found->count; i++) {
		cpu += found->item[i].row->value[VALUE_CPU].runs.mean;
		accelerator += found->item[i].row->value[VALUE_ACCELERATOR].runs.mean;
	}
	return arena_printf(a->arena, "; all %zu such ops: %s for %s", found->count,
		duration(a->arena, cpu), duration(a->arena, accelerator));
}

static void check_scheduling(struct step_adviser *a)
{
	struct findings found;
	size_t told = find_rows(a, &found, scheduling_cost);

	for (size_t i = 0; i < told; i++) {
		const struct summary_row *row = found.item[i].row;

		add_report(a,
			arena_printf(a->arena,
				"%s: %s of cpu time per step to schedule %s on the accelerator%s\n"
				"  try: fuse it with its neighbours, or place it on the CPU with "
				"them",
				visible(a->arena, row->group->name),
				duration(a->arena, row->value[VALUE_CPU].runs.mean),
				duration(a->arena, row->value[VALUE_ACCELERATOR].runs.mean),
				i ? "" : sum_of_tiny(a, &found)));
	}
}

/* ---- transfers ---- */

static double transfer_share(const struct step_adviser *a, const struct summary_row *row)
{
	double share = row->value[VALUE_TIME].share;

	return share > 0 && transfer_of(a, row) ? share : NAN;
}

/* Many small ones cost as much as a large one: all together must be worth it. */
static void check_transfers(struct step_adviser *a)
{
	struct findings found;
	size_t told = find_rows(a, &found, transfer_share);
	double share = 0;

	for (size_t g = 0; g < a->grouping.count; g++) { /* in the order of the rows */
		double size = transfer_share(a, &a->summary->all.row[g]);

		share += isnan(size) ? 0 : size;
	}
	if (share < ADVISE_TRANSFER_LEAST)
		return;
	for (size_t i = 0; i < told; i++) {
		const struct summary_row *row = found.item[i].row;
		bool first_of_many = i == 0 && found.count > 1;

		add_report(
			a, arena_printf(a->arena,
				   "%s: %s, %s of the op time, mean %s per step%s\n  try: keep "
				   "what makes the tensor and what reads it on one device",
				   visible(a->arena, row->group->name), transfer_of(a, row),
				   percent(a->arena, row->value[VALUE_TIME].share),
				   duration(a->arena, row->value[VALUE_TIME].runs.mean),
				   first_of_many ? arena_printf(a->arena, "; all %zu transfers: %s",
							   found.count, percent(a->arena, share))
						 : ""));
	}
}

/* ---- sizes ---- */

/* Others have a shape too, and tfprof counts its elements: nobody trains a placeholder. */
static bool is_variable(const struct graph_node *node)
{
	static const char *const types[] = {"Variable", "VariableV2", "VarHandleOp",
		"AutoReloadVariable", "_trainable_variables", "_checkpoint_variables"};

	for (size_t i = 0; i < node->op_type_count; i++)
		for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++)
			if (text_equal(node->op_types[i], types[t]))
				return true;
	return false;
}

/* More than half of all can be in one variable only. */
static void check_params(struct step_adviser *a)
{
	const struct graph_node *largest = NULL;
	double sum = 0, most = 0;
	size_t with_params = 0;

	for (size_t i = 0; i < a->graph->node_count; i++) {
		const struct graph_node *node = &a->graph->node[i];
		bool incomplete = false;
		double params;

		if (!is_variable(node))
			continue;
		params = (double)graph_node_params(node, &incomplete);
		with_params += params > 0;
		sum += params;
		if (params > most) {
			most = params;
			largest = node;
		}
	}
	if (with_params < 2 || !(most > ADVISE_PARAMS_LEAST * sum))
		return;
	add_report(
		a, arena_printf(a->arena,
			   "%s: %.0f of %.0f parameters (%s)\n  try: a smaller or factored "
			   "variable; its gradients and its part of each checkpoint are as large",
			   visible(a->arena, largest->name), most, sum,
			   percent(a->arena, most / sum)));
}

static double peak_share(const struct step_adviser *a, const struct summary_row *row)
{
	double share = row->value[VALUE_PEAK].share;

	return share > ADVISE_PEAK_LEAST && a->grouping.count > 1 ? share : NAN;
}

static void check_peaks(struct step_adviser *a)
{
	struct findings found;
	size_t told = find_rows(a, &found, peak_share);

	for (size_t i = 0; i < told && a->out->count < ADVISE_FINDINGS; i++) {
		const struct summary_row *row = found.item[i].row;

		add_report(a, arena_printf(a->arena,
				      "%s: %s of the peak bytes of all ops, mean %s per step\n  "
				      "try: scope -select peak_bytes,input_shapes; a smaller "
				      "batch, or a kernel with less workspace",
				      visible(a->arena, row->group->name),
				      percent(a->arena, row->value[VALUE_PEAK].share),
				      phrase_quantity(a->arena, DIMENSION_BYTES,
					      row->value[VALUE_PEAK].runs.mean)));
	}
}

static void check_sizes(struct step_adviser *a)
{
	check_params(a);
	check_peaks(a);
}

/* ---- all of them ---- */

static void release_cube(void *object)
{
	cube_free(object);
}

static void release_rules(void *object)
{
	rules_free(object);
}

static void release_summary(void *object)
{
	summary_free(object);
}

static struct cube *make_cube(const struct tfprof_model *model, struct error *err)
{
	const char *path = model->inputs.profile_path;
	struct profile *profile = profile_new(path ? path : "");
	struct merge_options merge = {.mode = RUNS_AUTO};
	struct cube *cube = NULL;

	if (graph_to_profile(model->graph, profile, &profile_limits_default, err) == 0)
		cube = merge_profiles(&profile, 1, &merge, err);
	profile_free(profile);
	if (cube && !cube->step_count) {
		cube_free(cube);
		error_set(err, ERROR_INPUT, NULL, "nothing ran in any step");
		return NULL;
	}
	return cube;
}

/* The stages of a report with its default options. */
static int summarize(struct step_adviser *a, const struct tfprof_model *model, struct error *err)
{
	static const enum measure_id measure[VALUES] = {[VALUE_TIME] = MEASURE_TIME,
		[VALUE_ACCELERATOR] = MEASURE_ACCELERATOR,
		[VALUE_CPU] = MEASURE_CPU,
		[VALUE_PEAK] = MEASURE_PEAK,
		[VALUE_RUNS] = MEASURE_OCCURRENCE};
	const struct summary_options options = {
		.measure = measure, .measure_count = VALUES, .sample = {.confidence = 0.95}};
	const struct step_options steps = {.warmup = WARMUP_MODE_NONE};
	const struct group_options group = {.by = BY_NAME};
	struct cube *cube = make_cube(model, err);
	struct rules *rules;

	if (!cube)
		return -1;
	arena_defer(a->arena, release_cube, cube);
	rules = rules_new();
	arena_defer(a->arena, release_rules, rules);
	if (steps_select(cube, &steps, a->arena, &a->steps, err) < 0 ||
		grouping_make(cube, rules, &group, a->arena, &a->grouping, err) < 0)
		return -1;
	a->summary = summary_make(cube, cube, &a->steps, &a->grouping, &options);
	arena_defer(a->arena, release_summary, a->summary);
	a->cube = cube;
	return 0;
}

static const struct {
	const char *name;
	void (*check)(struct step_adviser *a);
} step_checkers[STEP_CHECKERS] = {
	[CHECKER_STEP_JITTER] = {"StepJitterChecker", check_jitter},
	[CHECKER_PARTIAL_STEPS] = {"PartialStepsChecker", check_partial},
	[CHECKER_FIRST_STEPS] = {"FirstStepsChecker", check_first},
	[CHECKER_SCHEDULING] = {"SchedulingChecker", check_scheduling},
	[CHECKER_TRANSFER] = {"TransferChecker", check_transfers},
	[CHECKER_SIZE] = {"SizeChecker", check_sizes},
};

void step_advice_make(const struct tfprof_model *model, struct arena *arena,
	struct step_advice *out, struct text *messages)
{
	struct step_adviser a = {.arena = arena, .graph = model->graph};
	struct error err = {0};

	if (summarize(&a, model, &err) < 0) {
		text_printf(messages, "Steps are not checked: %s\n", err.message);
		a.grouping.count = 0;
	}
	for (size_t i = 0; i < STEP_CHECKERS; i++) {
		a.out = &out->checker[i];
		a.out->count = 0;
		a.out->report = arena_array(arena, ADVISE_FINDINGS, sizeof(*a.out->report));
		step_checkers[i].check(&a);
	}
}

void tfprof_advise_steps(const struct tfprof_model *model, struct text *out, struct text *messages)
{
	struct arena *arena = arena_new();
	struct step_advice advice;

	step_advice_make(model, arena, &advice, messages);
	for (size_t i = 0; i < STEP_CHECKERS; i++)
		advice_add_reports(step_checkers[i].name, &advice.checker[i], out);
	arena_free(arena);
}
