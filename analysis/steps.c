/* Chooses steps: kind, then warm-up, then the user's numbers or positions; which runs stay, by
 * prints of their values that show copies; what is lost in the steps that stay. */
#include "analysis/steps.h"

#include <math.h>
#include "analysis/step_kinds.h"
#include "base/text.h"

/* Fewer runs than this never remain of a side because of a run without a steady state. */
#define STEADY_RUNS_LEAST 3

/* Finds the runs of a side that are no runs of their own, and takes them out. */

/* Where each step of the cube is: its run in the set, and its place there; runs that are not in the
 * set: UINT32_MAX. */
struct place_in_set {
	uint32_t run, at;
};

static struct place_in_set *places_of(
	const struct cube *cube, const struct step_set *set, struct arena *scratch)
{
	struct place_in_set *place = arena_array(scratch, cube->step_count, sizeof(*place));

	for (size_t s = 0; s < cube->step_count; s++)
		place[s].run = UINT32_MAX;
	for (size_t r = 0; r < set->run_count; r++)
		for (size_t i = set->first[r]; i < set->first[r + 1]; i++)
			place[set->step[i]] =
				(struct place_in_set){(uint32_t)r, (uint32_t)(i - set->first[r])};
	return place;
}

/* The sum over all values does not depend on their order, so one pass over the cube is enough. */
static void take_prints(const struct cube *cube, uint32_t ops, const struct step_set *set,
	const struct place_in_set *place, struct run_print *print)
{
	for (size_t r = 0; r < set->run_count; r++) {
		const size_t count = set->first[r + 1] - set->first[r];

		print[r] = run_print_new(count, set->time_resolution_ps);
		run_print_add_step_times(&print[r], cube, set->step + set->first[r], count);
	}
	for (uint32_t o = 0; o < ops; o++) {
		uint32_t run = UINT32_MAX;
		int64_t before = CELL_ABSENT;

		for (size_t row = cube->op_first[o]; row < cube->op_first[o + 1]; row++) {
			const struct place_in_set *p = &place[cube->step_of[row]];
			int64_t value;

			if (p->run == UINT32_MAX)
				continue;
			value = cube_value(cube, MEASURE_TIME, o, row);
			run_print_add(
				&print[p->run], o, p->at, value, p->run == run ? &before : NULL);
			run = p->run;
			before = value;
		}
	}
}

static bool any_same(const struct run_print *print, size_t runs)
{
	for (size_t r = 1; r < runs; r++)
		for (size_t k = 0; k < r; k++)
			if (run_print_equal(&print[k], &print[r]))
				return true;
	return false;
}

static void leave_out(struct step_set *set, enum run_fate why, size_t run, size_t of)
{
	set->left_out[set->left_out_count++] =
		(struct left_out_run){.why = why, .run = set->run[run], .of = set->run[of]};
}

static void find_copies(
	const struct cube *cube, struct arena *scratch, struct step_set *set, bool *out)
{
	struct run_print *print = arena_array(scratch, set->run_count, sizeof(*print));
	const struct place_in_set *place;

	if (set->run_count < 2 || !cube_has(cube, MEASURE_TIME))
		return;
	place = places_of(cube, set, scratch);
	take_prints(cube,
		cube->op_count < RUN_PRINT_FIRST_OPS ? (uint32_t)cube->op_count
						     : RUN_PRINT_FIRST_OPS,
		set, place, print);
	if (!any_same(print, set->run_count))
		return;
	take_prints(cube, (uint32_t)cube->op_count, set, place, print);
	for (size_t r = 1; r < set->run_count; r++)
		for (size_t k = 0; k < r && !out[r]; k++) {
			if (out[k] || !run_print_tells(print[r].moves, print[r].telling) ||
				!run_print_equal(&print[k], &print[r]))
				continue;
			out[r] = true;
			leave_out(set, RUN_COPY, r, k);
		}
}

/* Single runs without a steady state, fewer than half of them: more of them say something of the
 * side. */
static void find_unsteady(struct step_set *set, bool *out)
{
	size_t runs = 0, unsteady = 0;

	for (size_t r = 0; r < set->run_count; r++) {
		runs += !out[r];
		unsteady += !out[r] && set->warmup[r].state == WARMUP_UNSTEADY;
	}
	if (2 * unsteady >= runs || runs - unsteady < STEADY_RUNS_LEAST)
		return;
	for (size_t r = 0; r < set->run_count; r++) {
		if (out[r] || set->warmup[r].state != WARMUP_UNSTEADY)
			continue;
		out[r] = true;
		leave_out(set, RUN_UNSTEADY, r, r);
	}
}

/* The runs that stay move up. */
static void take_out(struct step_set *set, const bool *out)
{
	size_t runs = 0, count = 0;

	for (size_t r = 0; r < set->run_count; r++) {
		const size_t begin = set->first[r], end = set->first[r + 1];

		for (size_t i = begin; i < end; i++) {
			if (out[r])
				set->fate[set->step[i]] = STEP_OF_LEFT_OUT_RUN;
			else
				set->step[count++] = set->step[i];
		}
		if (out[r])
			continue;
		set->run[runs] = set->run[r];
		set->warmup[runs] = set->warmup[r];
		set->skipped[runs] = set->skipped[r];
		set->warmup_kept[runs] = set->warmup_kept[r];
		set->first[runs++] = count - (end - begin);
	}
	set->first[runs] = set->count = count;
	set->run_count = runs;
}

/* Removes the runs from step, first, run and warmup of the set, and lists them in left_out.
 * index_of is made afterwards. */
static void leave_out_runs(const struct cube *cube, const struct step_options *opt,
	struct arena *arena, struct step_set *set)
{
	struct arena *scratch = arena_new();
	bool *out = arena_array(scratch, set->run_count + 1, sizeof(*out));

	set->left_out = arena_array(arena, set->run_count + 1, sizeof(*set->left_out));
	if (opt->leave_out_copies)
		find_copies(cube, scratch, set, out);
	if (opt->leave_out_unsteady && opt->warmup == WARMUP_MODE_AUTO)
		find_unsteady(set, out);
	if (set->left_out_count)
		take_out(set, out);
	arena_free(scratch);
}

void steps_totals(const struct cube *cube, enum measure_id id, double *total, bool *known)
{
	const bool additive = cube_adds_up(cube, id);

	for (size_t s = 0; s < cube->step_count; s++) {
		total[s] = 0;
		known[s] = additive;
	}
	for (uint32_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
			int64_t v = cube_value(cube, id, o, r);

			if (v == CELL_ABSENT)
				known[cube->step_of[r]] = false;
			else
				total[cube->step_of[r]] += cube_mean(cube, cube->step_of[r], v);
		}
}

/* The steps of the wanted kind, run by run. */
struct step_candidates {
	uint32_t *step;	  /* index in the cube */
	size_t *position; /* in its run, from 1 */
	size_t *first;	  /* of each run; run_count + 1 */
	double *total;	  /* over the ops that are present in every step of the run */
};

static void find_candidates(const struct cube *cube, struct arena *scratch, struct step_set *set,
	struct step_candidates *out)
{
	size_t n = 0;

	out->step = arena_array(scratch, cube->step_count, sizeof(uint32_t));
	out->position = arena_array(scratch, cube->step_count, sizeof(size_t));
	out->first = arena_array(scratch, cube->run_count + 1, sizeof(size_t));
	out->total = arena_array(scratch, cube->step_count, sizeof(double));
	for (size_t r = 0; r < cube->run_count; r++) {
		const struct run *run = &cube->run[r];

		for (size_t i = 0; i < run->step_count; i++) {
			uint32_t s = (uint32_t)(run->step_first + i);

			if (set->kind && set->kinds.of_step[s] != set->kind) {
				set->dropped_kind++;
				set->fate[s] = STEP_OTHER_KIND;
				continue;
			}
			out->position[n] = i + 1;
			out->step[n++] = s;
		}
		out->first[r + 1] = n;
	}
}

/* The index of each step of the cube in the list step[], or STEP_NOT_KEPT. */
static uint32_t *map_steps(
	const struct cube *cube, const uint32_t *step, size_t count, struct arena *arena)
{
	uint32_t *index_of = arena_array(arena, cube->step_count, sizeof(*index_of));

	for (size_t s = 0; s < cube->step_count; s++)
		index_of[s] = STEP_NOT_KEPT;
	for (size_t i = 0; i < count; i++)
		index_of[step[i]] = (uint32_t)i;
	return index_of;
}

/* The rows of an op are in order of run, so one pass over them is enough for all runs. */
void steps_steady_totals(const struct cube *cube, const uint32_t *step, const uint32_t *run,
	const size_t *first, size_t runs, double *total)
{
	const uint32_t *index_of;
	struct arena *scratch;
	uint32_t *run_of;

	if (cube->times.decides) {
		for (size_t i = 0; i < first[runs]; i++)
			total[i] += step_series_value(cube->times.time_ps, step[i]);
		return;
	}
	scratch = arena_new();
	index_of = map_steps(cube, step, first[runs], scratch);
	run_of = arena_array(scratch, cube->step_count, sizeof(*run_of));
	for (size_t r = 0; r < runs; r++) {
		const struct run *of = &cube->run[run ? run[r] : r];

		for (size_t i = 0; i < of->step_count; i++)
			run_of[of->step_first + i] = (uint32_t)r;
	}
	for (uint32_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o], next; r < cube->op_first[o + 1]; r = next) {
			size_t present = 0, end = cube->op_first[o + 1];
			uint32_t in = run_of[cube->step_of[r]];

			for (next = r; next < end && run_of[cube->step_of[next]] == in; next++)
				present += index_of[cube->step_of[next]] != STEP_NOT_KEPT &&
					   cube_value(cube, MEASURE_TIME, o, next) != CELL_ABSENT;
			if (present != first[in + 1] - first[in])
				continue;
			for (size_t k = r; k < next; k++) {
				uint32_t at = index_of[cube->step_of[k]];

				if (at != STEP_NOT_KEPT)
					total[at] += cube_mean(cube, cube->step_of[k],
						cube_value(cube, MEASURE_TIME, o, k));
			}
		}
	arena_free(scratch);
}

uint32_t step_occurrence(const struct cube *cube, size_t step)
{
	const struct step *at = &cube->step[step];
	uint32_t count = 1;

	for (const struct step *s = at - at->index; s < at; s++)
		count += s->number == at->number && s->kind == at->kind;
	return count;
}

bool step_options_choose(
	const struct step_options *opt, const struct cube *cube, size_t step, size_t position)
{
	if (!opt->range_count)
		return true;
	for (size_t i = 0; i < opt->range_count; i++) {
		const struct step_range *range = &opt->range[i];
		int64_t at = range->by_position ? (int64_t)position : cube->step[step].number;

		if (at >= range->from && at <= range->to) {
			const char *kind = cube->step[step].kind;

			if (!range->occurrence ||
				(text_equal(kind ? kind : "", range->kind ? range->kind : "") &&
					step_occurrence(cube, step) == range->occurrence))
				return true;
		}
	}
	return false;
}

/* Leading steps of a run of n steps that its warm-up takes. */
static size_t needed(const struct warmup *warmup, size_t n)
{
	return warmup->state == WARMUP_UNSTEADY ? n / 2 + 1 : warmup->drop;
}

/* How each run of the cube starts, and what is left out of all of them where they are to be
 * alike. */
static void find_warmup(const struct cube *cube, const struct step_options *opt,
	const struct step_candidates *all, struct step_set *set, struct warmup *warmup)
{
	for (uint32_t r = 0; r < cube->run_count; r++) {
		const double *total = all->total + all->first[r];
		size_t n = all->first[r + 1] - all->first[r];

		sample_warmup(total, n, sample_resolution(total, n), &warmup[r]);
		if (warmup[r].drop > set->warmup_most)
			set->warmup_most = warmup[r].drop;
	}
	set->is_alike = opt->alike && opt->warmup == WARMUP_MODE_AUTO;
	if (!set->is_alike)
		set->warmup_most = 0;
	else if (opt->base)
		set->warmup_most = opt->base->warmup_most;
}

/* Steps to leave out at the start of a run of n steps. */
static size_t skip_of(const struct step_options *opt, const struct step_set *set,
	const struct warmup *warmup, size_t n)
{
	switch (opt->warmup) {
	case WARMUP_MODE_NONE:
		break;
	case WARMUP_MODE_COUNT:
		return opt->warmup_count < n ? opt->warmup_count : n;
	case WARMUP_MODE_AUTO:
		if (!n)
			return 0;
		if (!set->is_alike)
			return warmup->drop;
		return set->warmup_most < n ? set->warmup_most : n - 1;
	}
	return 0;
}

/* A step whose time is not known, as that of the last one, is like the one before it. */
static void fill_unknown(const struct step_candidates *all, size_t runs)
{
	for (size_t r = 0; r < runs; r++) {
		double *total = all->total + all->first[r];
		const size_t n = all->first[r + 1] - all->first[r];

		for (size_t i = 1; i < n; i++)
			total[i] = isnan(total[i]) ? total[i - 1] : total[i];
		for (size_t i = n; i-- > 1;)
			total[i - 1] = isnan(total[i - 1]) ? total[i] : total[i - 1];
	}
}

/* Steps of one run: of the wanted kind, without its warm-up, chosen by the user. They become the
 * next run of the set unless there are none. */
static void select_run(const struct cube *cube, uint32_t run, const struct step_options *opt,
	const struct step_candidates *all, const struct warmup *warmup, struct step_set *set)
{
	size_t first = all->first[run], n = all->first[run + 1] - first, kept = 0, warm = 0;
	size_t skip = skip_of(opt, set, warmup, n), settled = first + needed(warmup, n);
	double above_ps = 0;

	set->dropped_warmup += skip;
	for (size_t i = first; i < first + skip; i++)
		set->fate[all->step[i]] = STEP_WARMUP;
	for (size_t i = first + skip; i < first + n; i++) {
		uint32_t s = all->step[i];

		if (!step_options_choose(opt, cube, s, all->position[i])) {
			set->dropped_choice++;
			set->fate[s] = STEP_NOT_CHOSEN;
			continue;
		}
		if (i < settled)
			above_ps += all->total[i] - warmup->median;
		warm += i < first + warmup->drop;
		set->step[set->count + kept++] = s;
	}
	if (!kept)
		return;
	set->run[set->run_count] = run;
	set->warmup[set->run_count] = *warmup;
	/* Steps that are left out are no reason to call the rest unsteady. */
	if (warmup->state == WARMUP_UNSTEADY && first + skip >= settled)
		set->warmup[set->run_count].state = WARMUP_FOUND;
	set->skipped[set->run_count] = skip;
	set->warmup_kept[set->run_count] = (struct warmup_kept){warm, above_ps};
	set->first[set->run_count++] = set->count;
	set->count += kept;
}

size_t steps_warmup_needed(const struct step_set *steps, size_t r)
{
	return needed(&steps->warmup[r], steps->first[r + 1] - steps->first[r] + steps->skipped[r]);
}

#define MISSING_SHOWN 5

static bool has_step(const struct cube *cube, const struct step_range *range)
{
	for (size_t r = 0; r < cube->run_count; r++) {
		const struct run *run = &cube->run[r];

		for (size_t i = 0; i < run->step_count; i++) {
			int64_t at = range->by_position ? (int64_t)i + 1
							: cube->step[run->step_first + i].number;

			if (at >= range->from && at <= range->to)
				return true;
		}
	}
	return false;
}

void step_range_text(const struct step_range *range, struct text *out)
{
	text_add(out, range->by_position ? "@" : "");
	if (range->from != INT64_MIN)
		text_printf(out, "%lld", (long long)range->from);
	if (range->to != range->from)
		text_add(out, ":");
	if (range->to != INT64_MAX && range->to != range->from)
		text_printf(out, "%lld", (long long)range->to);
}

/* A number that is no step is a slip, or belongs to a run that was not given. */
static void find_missing(const struct cube *cube, const struct step_options *opt,
	struct arena *arena, struct step_set *set)
{
	struct text missing;

	text_init(&missing);
	for (size_t i = 0; i < opt->range_count; i++) {
		if (has_step(cube, &opt->range[i]) || ++set->missing_count > MISSING_SHOWN)
			continue;
		text_add(&missing, missing.size ? "," : "");
		step_range_text(&opt->range[i], &missing);
	}
	if (missing.size)
		set->missing = arena_strdup(arena, text_string(&missing));
	text_release(&missing);
}

static int choose_kind(const struct step_options *opt, struct step_set *set, struct arena *arena,
	struct error *err)
{
	const struct kinds *kinds = &set->kinds;

	set->kind = opt->kind_name ? kinds_number_of(kinds, opt->kind_name) : opt->kind;
	if (opt->kind_name ? set->kind > 0 : set->kind <= kinds->count)
		return 0;
	error_set(err, ERROR_INPUT, "--kind", "there is no kind %s",
		opt->kind_name ? opt->kind_name : arena_printf(arena, "%u", opt->kind));
	if (!kinds->name)
		return error_hint(err, "the input has %zu kind%s of step", kinds->count,
			kinds->count == 1 ? "" : "s");
	return error_hint(err, "the input has %s", kinds_list(kinds, arena));
}

int steps_select(const struct cube *cube, const struct step_options *opt, struct arena *arena,
	struct step_set *out, struct error *err)
{
	struct arena *scratch;
	struct step_candidates all;
	struct step_set set = {0};
	struct warmup *warmup;

	if (opt->kinds)
		set.kinds = *opt->kinds;
	else if (opt->one_kind)
		kinds_none(cube, arena, &set.kinds);
	else
		kinds_find(&cube, 1, arena, &set.kinds);

	bool coarser = cube_has(cube, MEASURE_TIME);

	for (uint32_t o = 0; o < cube->op_count && coarser; o++)
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1] && coarser; r++) {
			const int64_t value = cube_value(cube, MEASURE_TIME, o, r);

			coarser = value <= 0 || grid_add(&set.grid, value);
		}
	set.time_resolution_ps = grid_of_values(&set.grid);
	if (choose_kind(opt, &set, arena, err) < 0)
		return -1;
	set.step = arena_array(arena, cube->step_count, sizeof(uint32_t));
	set.fate = arena_array(arena, cube->step_count, sizeof(*set.fate));
	set.first = arena_array(arena, cube->run_count + 1, sizeof(size_t));
	set.run = arena_array(arena, cube->run_count, sizeof(uint32_t));
	set.warmup = arena_array(arena, cube->run_count, sizeof(*set.warmup));
	set.skipped = arena_array(arena, cube->run_count, sizeof(*set.skipped));
	set.warmup_kept = arena_array(arena, cube->run_count, sizeof(*set.warmup_kept));
	scratch = arena_new();
	warmup = arena_array(scratch, cube->run_count, sizeof(*warmup));
	find_candidates(cube, scratch, &set, &all);
	steps_steady_totals(cube, all.step, NULL, all.first, cube->run_count, all.total);
	fill_unknown(&all, cube->run_count);
	find_warmup(cube, opt, &all, &set, warmup);
	for (uint32_t r = 0; r < cube->run_count; r++)
		select_run(cube, r, opt, &all, &warmup[r], &set);
	arena_free(scratch);
	set.first[set.run_count] = set.count;
	if (!set.count) {
		const struct run *run = &cube->run[0];

		error_set(err, ERROR_INPUT, NULL,
			"no step is left: of %zu steps %zu were left out by --kind, %zu by "
			"--warmup, %zu by --steps",
			cube->step_count, set.dropped_kind, set.dropped_warmup, set.dropped_choice);
		return error_hint(err,
			"the steps of %s are numbered %lld to %lld; %zu kind%s of step", run->name,
			(long long)cube->step[run->step_first].number,
			(long long)cube->step[run->step_first + run->step_count - 1].number,
			set.kinds.count, set.kinds.count == 1 ? "" : "s");
	}
	leave_out_runs(cube, opt, arena, &set);
	set.index_of = map_steps(cube, set.step, set.count, arena);
	find_missing(cube, opt, arena, &set);
	*out = set;
	return 0;
}

/* Prints of runs, and when two of them are of one run. */

/* A value of as many ticks of the clock would show the noise of a run: it does not repeat by
 * itself. */
#define TELLING_TICKS 100
/* How many values that moved from the step before, or how many ops, have to be equal before runs
 * are the same. */
#define EQUAL_MOVES_LEAST 3
#define EQUAL_OPS_LEAST 10

#define STEP_ITSELF UINT32_MAX /* in place of an op */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

struct run_print run_print_new(size_t steps, double resolution_ps)
{
	return (struct run_print){.steps = steps, .telling_ps = TELLING_TICKS * resolution_ps};
}

void run_print_add(
	struct run_print *print, uint32_t op, uint32_t at, int64_t ps, const int64_t *before)
{
	print->hash += mix(mix((uint64_t)op << 32 | at) ^ mix((uint64_t)ps));
	if (ps == CELL_ABSENT)
		return;
	print->moves += before && *before != CELL_ABSENT && *before != ps;
	print->telling += !before && print->telling_ps > 0 && (double)ps >= print->telling_ps;
}

void run_print_add_step_times(
	struct run_print *print, const struct cube *cube, const uint32_t *step, size_t count)
{
	const int64_t *time = cube->times.time_ps;

	for (size_t i = 0; i < count && cube->times.decides; i++)
		run_print_add(print, STEP_ITSELF, (uint32_t)i, time[step[i]],
			i ? &time[step[i - 1]] : NULL);
}

bool run_print_equal(const struct run_print *a, const struct run_print *b)
{
	return a->hash == b->hash && a->steps == b->steps && a->moves == b->moves;
}

bool run_print_tells(size_t moves, size_t telling)
{
	return moves >= EQUAL_MOVES_LEAST || telling >= EQUAL_OPS_LEAST;
}

/* Sums over the chosen steps of each source; as everywhere the source that lost most counts. */

static const struct {
	const char *code;
	enum loss_kind kind;
} known[] = {{"launch-lost", LOSS_LAUNCHES}, {"replay-lost", LOSS_REPLAYS}};

struct source_sum {
	bool is_known;
	struct issue_loss loss[2];
};

/* Says of losses that they are those of the whole recording: files of observations and jobs of
 * several ranks do not have them by step. */
static void note_whole(struct cube *cube)
{
	for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
		const struct issue *issue = issue_list_find(&cube->issues, known[k].code);

		if (!issue || issue->loss.kind != known[k].kind)
			continue;
		issue_add(&cube->issues, ISSUE_INFO, "loss-of-all",
			"the part that is lost is that of the whole recording, not of the chosen "
			"steps: only a trace of one process says it by step",
			1, issue->place);
		return;
	}
}

void kept_losses_set(struct cube *cube, const struct step_options *chosen)
{
	struct source_sum *sum;
	size_t sources = 0;

	if (chosen->range_count == 0)
		return;
	if (cube->ranks) {
		note_whole(cube);
		return;
	}
	for (size_t s = 0; s < cube->step_count; s++)
		sources = cube->step[s].source >= sources ? cube->step[s].source + 1 : sources;
	sum = arena_array(cube->arena, sources + 1, sizeof(*sum));
	for (size_t r = 0; r < cube->run_count; r++) {
		for (size_t i = 0; i < cube->run[r].step_count; i++) {
			const struct step *step = &cube->step[cube->run[r].step_first + i];
			struct source_sum *to = &sum[step->source];

			to->is_known |= step->launches.all[0] || step->launches.all[1];
			if (!step_options_choose(chosen, cube, cube->run[r].step_first + i, i + 1))
				continue;
			for (size_t k = 0; k < 2; k++) {
				to->loss[k].kind = known[k].kind;
				to->loss[k].lost += step->launches.lost[k];
				to->loss[k].all += step->launches.all[k];
			}
		}
	}
	for (size_t s = 0; s < cube->step_count; s++)
		if (!sum[cube->step[s].source].is_known) {
			note_whole(cube);
			return;
		}
	for (size_t i = 0; i < cube->issues.count; i++)
		for (size_t k = 0; k < 2; k++) {
			struct issue *issue = &cube->issues.issue[i];
			struct issue_loss most = {.kind = known[k].kind};

			if (!text_equal(issue->code, known[k].code) ||
				issue->loss.kind != known[k].kind)
				continue;
			for (size_t s = 0; s < sources; s++)
				if (issue_lost_part(&sum[s].loss[k]) > issue_lost_part(&most))
					most = sum[s].loss[k];
			most.kind = known[k].kind;
			issue->loss = most;
			if (most.lost == 0)
				issue->severity = ISSUE_INFO;
		}
}
