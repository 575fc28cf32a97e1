/* Run values by row, put in order of time. */
#include "analysis/recorded/recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/compare/compared_step.h"
#include "analysis/compare/comparison.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "model/sessions.h"
#include "stats/moderated/prior.h"
#include "stats/sample.h"

#define CONFIDENCE 0.90
#define SEES_MOST 10   /* a change by more is no answer */
#define RUNS_MOST 1000 /* of a plan: nobody records more for one gate */

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && text_equal(a, b));
}

static void set_gate_machine(struct recorded_runs *out, struct arena *arena)
{
	size_t *sessions = arena_array(arena, out->machines + 1, sizeof(*sessions)), seen = 0;

	/* In order of time sessions have ascending numbers. */
	for (size_t i = 0; i < out->runs; i++) {
		const size_t r = out->order[i];

		if (out->session[r] < seen)
			continue;
		seen = out->session[r] + 1;
		sessions[out->machine[r]]++;
	}
	for (size_t m = 0; m < out->machines; m++)
		if (sessions[m] > out->gate_sessions) {
			out->gate_machine = m;
			out->gate_sessions = sessions[m];
		}
}

static void set_sessions(
	const struct run_side *side, struct recorded_runs *out, struct arena *arena)
{
	const struct cube *cube = side->self;
	uint32_t *session = arena_array(arena, cube->run_count, sizeof(*session));

	sessions_find(cube, session);
	out->session = arena_array(arena, out->runs, sizeof(*out->session));
	out->machine = arena_array(arena, out->runs, sizeof(*out->machine));
	out->machine_name = arena_array(arena, out->runs + 1, sizeof(*out->machine_name));
	for (size_t i = 0; i < out->runs; i++) {
		const size_t r = out->order[i];
		const struct facts *facts = cube->run[out->run[r]].facts;
		const char *name = facts ? facts->machine : NULL;
		size_t m = 0, k = 0;

		while (m < out->machines && !is_same(out->machine_name[m], name))
			m++;
		if (m == out->machines)
			out->machine_name[out->machines++] = name;
		out->machine[r] = m;
		while (k < i && session[out->run[out->order[k]]] != session[out->run[r]])
			k++;
		out->session[r] = k < i ? out->session[out->order[k]] : out->sessions++;
	}
	set_gate_machine(out, arena);
}

struct run_time {
	int64_t start_ns;
	size_t run;
};

static int by_start(const void *a, const void *b)
{
	const struct run_time *x = a, *y = b;

	return ORDER(x->start_ns, y->start_ns) ?: ORDER(x->run, y->run);
}

/* From the start of its first step to the end of its last one, in ps; NaN: not known. */
static double duration_of(const struct cube *cube, const struct run *run)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < run->step_count; i++) {
		const struct step *step = &cube->step[run->step_first + i];
		int64_t start, end;

		if (!step_start(step, &start) ||
			__builtin_add_overflow(
				start, (step->end_ps - step->start_ps) / PS_PER_NS, &end))
			return NAN;
		first = start < first ? start : first;
		last = end > last ? end : last;
	}
	return last > first ? ((double)last - (double)first) * PS_PER_NS : NAN;
}

static void set_order(const struct run_side *side, struct recorded_runs *out, struct arena *arena)
{
	struct run_time *timed = arena_array(arena, out->runs + 1, sizeof(*timed));
	double *duration = arena_array(arena, out->runs + 1, sizeof(*duration));
	size_t known = 0;

	out->has_starts = true;
	out->order = arena_array(arena, out->runs, sizeof(*out->order));
	for (size_t r = 0; r < out->runs; r++) {
		timed[r].run = r;
		out->has_starts &= run_start(side->self, out->run[r], &timed[r].start_ns);
		duration[known] = duration_of(side->self, &side->self->run[out->run[r]]);
		known += !isnan(duration[known]);
	}
	if (out->has_starts)
		qsort(timed, out->runs, sizeof(*timed), by_start);
	for (size_t r = 0; r < out->runs; r++)
		out->order[r] = timed[r].run;
	out->duration_ps = known ? sample_quantile(duration, known, 0.5) : NAN;
}

/* Levels of the runs of one machine; SIZE_MAX: of all. */
static void estimate(const struct recorded_runs *recorded, const struct run_row *row,
	const double *value, size_t changes, size_t machine, struct levels *out)
{
	struct arena *scratch = arena_new();
	const size_t n = recorded->runs;
	double *of = arena_array(scratch, n, sizeof(*of));
	double *steps = arena_array(scratch, n, sizeof(*steps));
	double *variance = arena_array(scratch, n, sizeof(*variance));
	const struct levels_data data = {
		n, of, steps, variance, recorded->session, recorded->machine};
	struct level_part *session = &out->part[LEVEL_SESSION];

	for (size_t r = 0; r < n; r++) {
		const struct run_value *run = &row->run[r];

		of[r] = machine == SIZE_MAX || machine == recorded->machine[r] ? value[r] : NAN;
		steps[r] = (double)run->steps;
		variance[r] = run->variance / (run->mean * run->mean);
	}
	levels_estimate(&data, CONFIDENCE, out);
	if (changes && session->df > (double)changes) {
		session->square *= session->df / (session->df - (double)changes);
		session->df -= (double)changes;
		levels_solve(CONFIDENCE, out);
	}
	arena_free(scratch);
}

void recorded_set_levels(struct recorded_runs *recorded, size_t row, const double *value,
	size_t changes, size_t of_gate)
{
	struct recorded_row *out = &recorded->row[row];

	estimate(recorded, &out->row, value, changes, SIZE_MAX, &out->levels);
	out->changes = changes;
	out->gate = out->levels;
	if (recorded->machines > 1)
		estimate(recorded, &out->row, value, of_gate, recorded->gate_machine, &out->gate);
}

static int by_share(const void *a, const void *b)
{
	const struct recorded_row *x = a, *y = b;

	return ORDER(x->measure, y->measure)
		?: ORDER(y->is_step, x->is_step)
		?: (isnan(x->share) ? 0 : ORDER(y->share, x->share))
		?: strcmp(x->name, y->name);
}

static void add_row(struct recorded_runs *out, const struct recorded_row *row)
{
	if (row->row.valued < 2)
		return;
	if (row->row.constant) {
		out->constant++;
		return;
	}
	out->row[out->count++] = *row;
}

/* Location of the prior over the rows of each level's variance. */
void recorded_set_typical(struct recorded_runs *out)
{
	struct arena *scratch = arena_new();
	double *s2 = arena_array(scratch, out->count + 1, sizeof(*s2));
	double *nu = arena_array(scratch, out->count + 1, sizeof(*nu));
	double *expected = arena_array(scratch, out->count + 1, sizeof(*expected));
	double *df = arena_array(scratch, out->count + 1, sizeof(*df));

	for (size_t l = 0; l < LEVELS; l++) {
		struct prior_data data = {.s2 = s2, .nu = nu};
		struct prior prior;

		out->typical[l] = NAN;
		for (size_t i = 0; i < out->count; i++) {
			const struct level_part *part = &out->row[i].levels.part[l];

			if (out->row[i].is_step || !(part->variance > 0))
				continue;
			s2[data.n] = part->variance;
			nu[data.n++] = part->df;
		}
		if (data.n < 2)
			continue;
		prior_fit(&data, &prior, expected, df);
		out->typical[l] = prior.s2;
	}
	arena_free(scratch);
}

struct recorded_runs *recorded_make(const struct run_side *side, const enum measure_id *measure,
	size_t measures, const struct run_value_options *opt, double min_share, struct arena *arena)
{
	struct recorded_runs *out = arena_alloc(arena, sizeof(*out));
	double *value = arena_array(arena, side->steps->run_count, sizeof(*value));

	out->runs = side->steps->run_count;
	out->run = side->steps->run;
	set_order(side, out, arena);
	set_sessions(side, out, arena);
	out->row = arena_array(
		arena, memory_product(measures, side->grouping->count + 1), sizeof(*out->row));
	for (size_t m = 0; m < measures; m++) {
		const bool adds_up = cube_adds_up(side->self, measure[m]);
		struct recorded_row step = {
			.name = RECORDED_STEP, .measure = measure[m], .is_step = true, .share = 1};
		struct run_table table;

		if (measure_at(measure[m])->kind == MEASURE_STATIC)
			continue;
		run_table_make(side, measure[m], opt, arena, &table);
		step.row = measure[m] == MEASURE_TIME && side->self->times.time_ps
				   ? step_row(side, measure[m], true, opt, arena)
				   : table.total;
		if (adds_up)
			add_row(out, &step);
		for (size_t i = 0; i < table.count; i++) {
			const struct recorded_row row = {.name = table.row[i].group->name,
				.measure = measure[m],
				.share = adds_up ? table.row[i].mean / table.total.mean : NAN,
				.row = table.row[i]};

			if (!adds_up || row.share >= min_share)
				add_row(out, &row);
		}
	}
	qsort(out->row, out->count, sizeof(*out->row), by_share);
	for (size_t i = 0; i < out->count; i++) {
		for (size_t r = 0; r < out->runs; r++)
			value[r] = out->row[i].row.run[r].scaled;
		recorded_set_levels(out, i, value, 0, 0);
	}
	recorded_set_typical(out);
	return out;
}

static double sees(const struct levels_error *error, double alpha)
{
	const double change = expm1(levels_sees(error, alpha, COMPARE_POWER));

	return change <= SEES_MOST ? change : NAN;
}

double recorded_sees(const struct levels *levels, const struct levels_gate *gate, double alpha)
{
	struct levels_error error;

	if (levels->units[LEVEL_SESSION] < COMPARE_SESSIONS_LEAST)
		return NAN;
	levels_error(levels, gate, &error);
	return sees(&error, alpha);
}

double recorded_sees_in_turns(const struct levels *levels, size_t pairs, double alpha)
{
	struct levels_error error;

	levels_error_in_turns(levels, pairs, &error);
	return sees(&error, alpha);
}

size_t recorded_runs_for(const struct levels *levels, double change, double alpha)
{
	for (size_t n = 1; n <= RUNS_MOST; n++) {
		const struct levels_gate gate = {1, (double)n, 0};

		if (recorded_sees(levels, &gate, alpha) <= change)
			return n;
	}
	return 0;
}

bool recorded_sessions_hide(const struct levels *levels, double change, double alpha)
{
	const struct level_part *session = &levels->part[LEVEL_SESSION];
	const struct levels_error least = {
		fmax(0, session->variance) * (1 + 1 / (double)levels->units[LEVEL_SESSION]),
		session->df};

	return !(sees(&least, alpha) <= change);
}

size_t recorded_pairs_for(const struct levels *levels, double change, double alpha)
{
	for (size_t n = 2; n <= RUNS_MOST; n++)
		if (recorded_sees_in_turns(levels, n, alpha) <= change)
			return n;
	return 0;
}
