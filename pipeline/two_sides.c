/* Loads and prepares two sides alike, and compares them. */
#include "pipeline/two_sides.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/compare/compared_step.h"
#include "analysis/compare/comparison.h"
#include "analysis/compare/noise.h"
#include "analysis/compare/run_order.h"
#include "analysis/select/pattern.h"
#include "analysis/step_kinds.h"
#include "base/order.h"
#include "base/output/file_identity.h"
#include "base/text.h"
#include "model/ranks.h"
#include "model/sessions.h"
#include "pipeline/comparable.h"
#include "pipeline/compare_sort.h"
#include "pipeline/report_choices.h"
#include "pipeline/settings.h"
#include "report/compare/build_compare_explain.h"
#include "stats/student.h"

/* The rounds of one side; NULL with err set. */
static const char **names_of(const struct compare_side *side, struct run_namer *namer,
	struct arena *arena, struct error *err)
{
	size_t n = side->run.steps->run_count;
	const char **name = arena_array(arena, n, sizeof(*name));

	for (size_t r = 0; r < n; r++) {
		name[r] = side->run.self->run[side->run.steps->run[r]].name;
		if (namer)
			name[r] = run_namer_name(namer, name[r], arena, err);
		if (!name[r])
			return NULL;
		for (size_t k = 0; k < r; k++)
			if (text_equal(name[k], name[r])) {
				error_set(err, ERROR_INPUT, "--pair",
					"round \"%s\" is there twice in %s", name[r], side->label);
				return NULL;
			}
	}
	return name;
}

static const size_t *by_name(const struct compare_side *base, const struct compare_side *new_side,
	struct run_namer *namer, struct arena *arena, struct error *err)
{
	size_t n = base->run.steps->run_count;
	size_t *round = arena_array(arena, n, sizeof(*round));
	const char **left = names_of(base, namer, arena, err);
	const char **right = left ? names_of(new_side, namer, arena, err) : NULL;

	if (!right)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < n && !text_equal(left[i], right[k]))
			k++;
		if (k == n) {
			error_set(err, ERROR_INPUT, "--method=paired",
				"round \"%s\" of %s has no partner", left[i], base->label);
			error_hint(err,
				"--pair='run(\\d+)' finds the round in the names of the runs, "
				"--pair=order uses their order; or leave out --method");
			return NULL;
		}
		round[i] = k;
	}
	return round;
}

/* round[i] is the run of `new_side` that belongs to run i of `base`; in the arena. NULL:
 * ERROR_INPUT, the sides do not have the same rounds. */
static const size_t *run_pairs_find(const struct compare_side *base,
	const struct compare_side *new_side, const struct job_settings *settings,
	struct arena *arena, struct error *err)
{
	size_t n = base->run.steps->run_count, k = new_side->run.steps->run_count;
	struct run_namer *namer = NULL;
	size_t *round;

	if (n != k) {
		error_set(err, ERROR_INPUT, "--method=paired",
			"needs as many runs on both sides, found %zu and %zu", n, k);
		error_hint(err, "every round has one run of base and one of new");
		return NULL;
	}
	if (settings->compare.pair == PAIR_REGEX) {
		namer = run_namer_new(
			"--pair", "round", settings->compare.pair_pattern, arena, err);
		if (!namer)
			return NULL;
	}
	if (settings->compare.pair != PAIR_ORDER)
		return by_name(base, new_side, namer, arena, err);
	round = arena_array(arena, n, sizeof(*round));
	for (size_t i = 0; i < n; i++)
		round[i] = i;
	return round;
}

void two_sides_set_defaults(struct job_settings *settings)
{
	if (!settings->warmup_text)
		settings->steps.warmup = WARMUP_MODE_AUTO;
	if (!settings->kind_chosen)
		settings->steps.kind = 1;
	settings->steps.alike = true;
	settings->steps.leave_out_copies = true;
	/* A run without its partner of the round is of no use. */
	settings->steps.leave_out_unsteady = settings->compare.options.method != METHOD_PAIRED;
}

/* Exactly two inputs, or --base and --new with any number of inputs each. */
static int check_inputs(const struct job_settings *s, struct error *err)
{
	const struct compare_settings *c = &s->compare;

	if (!c->base.count && !c->new_side.count) {
		if (s->input.count == 2)
			return 0;
		error_set(err, ERROR_USAGE, NULL, "expected two inputs, BASE and NEW, found %zu",
			s->input.count);
		return error_hint(err, "each is a file or a folder, like before/ and after/; "
				       "several files a side: --base F... --new F...");
	}
	if (s->input.count) {
		error_set(err, ERROR_USAGE, *(const char *const *)vec_at(&s->input, 0),
			"belongs to no side");
		return error_hint(err, "with --base and --new every input follows one of them");
	}
	if (c->base.count && !c->new_side.count) {
		const char *first = *(const char *const *)vec_at(&c->base, 0);

		if (access(first, F_OK) != 0) { /* a store of that name would have left new */
			error_set(err, ERROR_INPUT, first, "%s", strerror(errno));
			return strchr(first, ':')
				       ? error_hint(err, "runs of a store: STORE:last=30, "
							 "tag=, commit=, branch= or machine=")
				       : -1;
		}
	}
	if (!c->base.count || !c->new_side.count)
		return error_set(err, ERROR_USAGE, c->base.count ? "--new" : "--base",
			"is missing: both sides need an input");
	return 0;
}

/* Sets the name map of the side that is handled from here on: base (0) or new (1). */
static void turn_to_side(struct job_settings *s, size_t which)
{
	s->group.map = s->compare.map ? name_map_side(s->compare.map, which) : NULL;
}

static struct side *load_side(struct job_settings *s, size_t which, struct error *err)
{
	const struct vec *list = which ? &s->compare.new_side : &s->compare.base;
	const char *const *path = s->input.data;

	const enum runs_mode runs = s->runs_mode;
	const struct facts facts = s->facts;
	struct side *side;

	turn_to_side(s, which);
	if (!which)
		s->facts = (struct facts){0}; /* they are of new */
	if (!which && s->compare.by_sessions)
		s->runs_mode = RUNS_FILES; /* also of one process, which names the same in each */
	side = s->input.count ? side_load(s, &path[which], 1, err)
			      : side_load(s, list->data, list->count, err);
	s->runs_mode = runs;
	s->facts = facts;
	return side;
}

/* Reads the other side again for its periods, if it has any, where one side has periods because its
 * markers are only launches. */
static void load_alike(struct two_sides *v, struct job_settings *s)
{
	const enum step_time_kind base = v->base->self->times.kind,
				  new_side = v->new_side->self->times.kind;
	const size_t which = base == STEP_TIME_PERIOD;
	struct side **other = which ? &v->new_side : &v->base, *again;
	struct error unused;

	if (s->step_time != STEP_TIME_AUTO || base == new_side ||
		(base != STEP_TIME_PERIOD && new_side != STEP_TIME_PERIOD) ||
		(*other)->self->times.kind != STEP_TIME_MARKER)
		return;
	s->step_time = STEP_TIME_PERIOD;
	again = load_side(s, which, &unused);
	s->step_time = STEP_TIME_AUTO;
	if (!again)
		return;
	side_free(*other);
	*other = again;
}

struct two_sides *two_sides_load(struct job_settings *settings, struct error *err)
{
	struct arena *arena;
	struct two_sides *v;

	if (check_inputs(settings, err) < 0)
		return NULL;
	arena = arena_new();
	v = arena_alloc(arena, sizeof(*v));
	v->arena = arena;
	if (settings->compare.base_from) {
		v->new_side = load_side(settings, 1, err);
		if (!v->new_side || settings->compare.base_from(settings->compare.base_context,
					    v->new_side, &settings->compare.base, err) < 0)
			goto fail;
	}
	v->base = load_side(settings, 0, err);
	if (v->base && !v->new_side)
		v->new_side = load_side(settings, 1, err);
	if (!v->base)
		goto fail;
	if (v->new_side)
		load_alike(v, settings);
	turn_to_side(settings, 0);
	if (v->new_side && settings->compare.noise_path)
		v->noise = side_load(settings, &settings->compare.noise_path, 1, err);
	if (!v->new_side || (settings->compare.noise_path && !v->noise))
		goto fail;
	return v;
fail:
	two_sides_free(v);
	return NULL;
}

static struct run_side run_side(const struct side *side)
{
	return (struct run_side){side->self, side->cube, &side->steps, &side->grouping};
}

/* True if half of the side's runs never become steady, with automatic warm-up: such a side proves
 * nothing. */
static bool is_unsteady(const struct side *side, const struct job_settings *s)
{
	size_t unsteady = 0;

	if (s->steps.warmup != WARMUP_MODE_AUTO)
		return false;
	for (size_t r = 0; r < side->steps.run_count; r++)
		unsteady += side->steps.warmup[r].state == WARMUP_UNSTEADY;
	return 2 * unsteady >= side->steps.run_count;
}

/* Number of files with the steps of a side without ranks, where it is more than its runs. */
static size_t files_beyond_runs(const struct side *side, struct arena *arena)
{
	const struct cube *cube = side->self;
	bool *seen = arena_array(arena, side->file_count, sizeof(*seen));
	size_t files = 0;

	for (size_t s = 0; s < cube->step_count; s++) {
		const uint32_t source = cube->step[s].source;

		if (source >= side->file_count) /* made without files */
			continue;
		files += !seen[source];
		seen[source] = true;
	}
	return !cube->ranks && files > cube->run_count ? files : 0;
}

static size_t ranks_assumed(const struct cube *cube)
{
	const struct issue *issue = issue_list_find(&cube->issues, RANKS_ASSUMED);

	return issue ? issue->count : 0;
}

/* Narrower by so much, so that the choice costs less than 1 % of false claims. */
#define ROUNDS_NARROWER 0.5

/* Mean over the tested rows of the logarithm of half their interval; NaN without any. */
static double mean_log_width(const struct comparison *comparison)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct compared *v = &comparison->row[i].value[0];

		if (!(v->own_se > 0) || !(v->own_df > 0))
			continue;
		sum += log(v->own_se * student_quantile(0.025, v->own_df));
		n++;
	}
	return n ? sum / (double)n : NAN;
}

/* Compares by round what was recorded so, unless too few ops are tested for the variances to borrow
 * from each other: 3 rounds show next to nothing then. There it does where that makes the intervals
 * much narrower and each side leads some rounds: a drift that shows in the runs would be taken for
 * a change by rounds that all begin with the same side. */
static int make_comparison(
	struct two_sides *v, const struct comparison_input *input, struct error *err)
{
	double by_round;

	if (comparison_make(input, v->arena, &v->comparison, err) < 0)
		return -1;
	if (!v->options.in_turns || v->comparison.measure[0].moderated.prior_ops > 0)
		return 0;
	v->options.turns_unused = v->order.base_leads || v->order.new_leads ||
				  v->comparison.runs_base < RUN_ORDER_ROUNDS_OF_FEW;
	by_round = v->options.turns_unused ? NAN : mean_log_width(&v->comparison);
	v->options.method = METHOD_MODERATED;
	v->options.in_turns = false;
	if (comparison_make(input, v->arena, &v->comparison, err) < 0)
		return -1;
	if (!(by_round - mean_log_width(&v->comparison) < log(ROUNDS_NARROWER)))
		return 0;
	v->options.method = METHOD_PAIRED;
	v->options.in_turns = true;
	return comparison_make(input, v->arena, &v->comparison, err);
}

/* Splits rows by kind of step, with --kind=all. */
static int split_kinds(struct two_sides *v, struct job_settings *s, struct error *err)
{
	const struct run_side *base = &v->base_runs.run, *new_side = &v->new_runs.run;

	if (s->steps.kind || (base->steps->kinds.count < 2 && new_side->steps->kinds.count < 2))
		return 0;
	turn_to_side(s, 0);
	if (side_split_kinds(v->base, s, compared_kinds_of_steps(base, new_side, v->arena), err) <
		0)
		return -1;
	turn_to_side(s, 1);
	return side_split_kinds(
		v->new_side, s, compared_kinds_of_steps(new_side, base, v->arena), err);
}

/* Finds the kinds of steps of all sides together: v->kinds. */
static int find_kinds(struct two_sides *v, struct job_settings *s, struct error *err)
{
	struct side *side[] = {v->base, v->new_side, v->noise};
	const struct cube *cube[SIDES_MOST];
	const size_t sides = v->noise ? SIDES_MOST : SIDES_MOST - 1;

	for (size_t i = 0; i < sides; i++) {
		turn_to_side(s, i == 1);
		if (side_choose_rows(side[i], s, err) < 0)
			return i == 2 ? error_context(err, "%s", v->noise->label) : -1;
		cube[i] = side[i]->self;
	}
	if (s->steps.one_kind)
		for (size_t i = 0; i < sides; i++)
			kinds_none(cube[i], v->arena, &v->kinds[i]);
	else
		kinds_find(cube, sides, v->arena, v->kinds);
	return 0;
}

/* The ops of a row, with or without the kind of step behind its name. */
static const struct group *find_ops(const struct grouping *whole, const struct group *row)
{
	const char *mark = row->kind > GROUPING_KINDS ? GROUPING_OTHER_KINDS : GROUPING_KIND;
	size_t length = strlen(row->name);

	while (row->kind > 1 && !text_starts(row->name + --length, mark)) {
	}

	for (size_t g = 0; g < whole->count; g++)
		if (strncmp(whole->group[g].name, row->name, length) == 0 &&
			!whole->group[g].name[length])
			return &whole->group[g];
	return NULL;
}

ORDERED(compare_rows, struct group, strcmp(x->name, y->name));

static const struct group *find_row(const struct grouping *grouping, const struct group *row)
{
	return grouping->count
		       ? bsearch(row, grouping->group, grouping->count, sizeof(*row), compare_rows)
		       : NULL;
}

/* Rows of the other side whose ops this one has in steps that it does not keep (of another kind,
 * of the warm-up) are 0 here, not absent. */
static int add_zero_rows(
	struct side *side, const struct grouping *other, struct job_settings *s, struct error *err)
{
	struct group_options group = s->group;
	struct grouping whole = {0}, *own = &side->grouping;
	struct group *row = arena_array(side->arena, own->count + other->count, sizeof(*row));
	size_t n = own->count;
	bool is_made = false;

	if (side->steps.count == side->self->step_count)
		return 0;
	if (n)
		memcpy(row, own->group, n * sizeof(*row));
	group.allow_empty = true;
	for (size_t i = 0; i < other->count; i++) {
		const struct group *there = &other->group[i], *ops;

		if (find_row(own, there))
			continue;
		if (!is_made) {
			/* All steps of a side but those that --steps does not take. */
			const size_t steps = side->self->step_count;
			uint32_t *index = arena_array(side->arena, steps, sizeof(*index));

			for (size_t j = 0; j < steps; j++)
				index[j] = side->steps.fate[j] == STEP_NOT_CHOSEN ? STEP_NOT_KEPT
										  : (uint32_t)j;
			group.step_index = index;
		}
		if (!is_made &&
			grouping_make(side->cube, s->rules, &group, side->arena, &whole, err) < 0)
			return -1;
		is_made = true;
		ops = find_ops(&whole, there);
		if (!ops)
			continue;
		row[n] = *ops;
		row[n].name = there->name;
		row[n].kind = there->kind;
		row[n++].kind_of_step =
			there->kind && own->count ? own->group[0].kind_of_step : NULL;
	}
	if (n)
		qsort(row, n, sizeof(*row), compare_rows);
	own->group = row;
	own->count = n;
	return 0;
}

/* A side without a step of the chosen kind cannot be compared: what there is, of which side. */
static int check_kind(
	const struct two_sides *v, const struct step_options *steps, struct error *err)
{
	const struct side *side[] = {v->base, v->new_side, v->noise};
	const uint32_t kind =
		steps->kind_name ? kinds_number_of(&v->kinds[0], steps->kind_name) : steps->kind;

	if (!steps->kind_name && !kind)
		return 0;
	for (size_t i = 0; i < SIDES_MOST && side[i]; i++) {
		if (kind && kind <= v->kinds[i].count && v->kinds[i].steps[kind - 1])
			continue;
		error_set(err, ERROR_INPUT, "--kind", "no step of %s is of kind %s", side[i]->label,
			steps->kind_name ? steps->kind_name : arena_printf(v->arena, "%u", kind));
		return error_hint(err,
			"steps of base: %s; of new: %s; --kind=NAME takes a kind of both, "
			"--kind=none all steps as one kind",
			kinds_list(&v->kinds[0], v->arena), kinds_list(&v->kinds[1], v->arena));
	}
	return 0;
}

/* A table of rows and runs may have so many cells for each value that was read, and CELLS_FREE
 * more. */
#define CELLS_EACH 8
#define CELLS_FREE 1000000

/* Rows that nearly no run has would need far more memory than the inputs have values. */
static int check_sparse(const struct side *side, struct error *err)
{
	const size_t rows = side->grouping.count, runs = side->steps.run_count;

	if (!rows || runs <= (CELLS_EACH * side->cube->row_count + CELLS_FREE) / rows)
		return 0;
	error_set(err, ERROR_LIMIT, side->label,
		"%zu runs x %zu rows, of which nearly all lack in nearly all runs", runs, rows);
	return error_hint(err, "compare coarser rows (--by=type) or fewer ops (--include=REGEX)");
}

/* Sessions of the kept runs of a side. */
static uint32_t *sessions_of_side(const struct side *side, struct arena *arena, size_t *count)
{
	const struct step_set *steps = &side->steps;
	uint32_t *all = arena_array(arena, side->self->run_count, sizeof(*all));
	uint32_t *kept = arena_array(arena, steps->run_count, sizeof(*kept));

	*count = sessions_find(side->self, all);
	for (size_t r = 0; r < steps->run_count; r++)
		kept[r] = all[steps->run[r]];
	return kept;
}

static void set_sessions(struct two_sides *v)
{
	struct compare_sessions *out = arena_alloc(v->arena, sizeof(*out));

	out->base_runs = v->base->steps.run_count;
	out->new_runs = v->new_side->steps.run_count;
	out->base = sessions_of_side(v->base, v->arena, &out->base_count);
	out->new = sessions_of_side(v->new_side, v->arena, &out->new_count);
	v->options.sessions = out;
}

static int prepare(struct two_sides *v, struct job_settings *s, struct error *err)
{
	if (find_kinds(v, s, err) < 0 || check_kind(v, &s->steps, err) < 0)
		return -1;
	turn_to_side(s, 0);
	s->steps.kinds = &v->kinds[0];
	if (side_select(v->base, s, err) < 0)
		return -1;
	turn_to_side(s, 1);
	s->steps.base = &v->base->steps;
	s->steps.kinds = &v->kinds[1];
	if (side_select(v->new_side, s, err) < 0)
		return -1;
	s->steps.kind = v->base->steps.kind;
	if (check_sparse(v->base, err) < 0 || check_sparse(v->new_side, err) < 0)
		return -1;
	v->base_runs = (struct compare_side){.label = v->base->label, .run = run_side(v->base)};
	v->new_runs =
		(struct compare_side){.label = v->new_side->label, .run = run_side(v->new_side)};
	if (split_kinds(v, s, err) < 0)
		return -1;
	/* Both from what the sides had of themselves. */
	const struct grouping base = v->base->grouping;

	turn_to_side(s, 0);
	if (add_zero_rows(v->base, &v->new_side->grouping, s, err) < 0)
		return -1;
	turn_to_side(s, 1);
	if (add_zero_rows(v->new_side, &base, s, err) < 0)
		return -1;
	v->options = s->compare.options;
	v->options.confidence = s->sample.confidence;
	v->options.files_base = files_beyond_runs(v->base, v->arena);
	v->options.files_new = files_beyond_runs(v->new_side, v->arena);
	v->options.assumed_base = ranks_assumed(v->base->self);
	v->options.assumed_new = ranks_assumed(v->new_side->self);
	v->options.benchmarks = v->base->self->benchmarks && v->new_side->self->benchmarks;
	v->options.value.skip_absent = s->skip_absent || v->options.benchmarks;
	v->options.value.of_selected = s->of_selected;
	v->options.min_share_fixed = s->min_share_given;
	if (s->min_share_given)
		v->options.min_share = s->min_share;
	if (s->compare.map && s->group.by != BY_CLASS && s->group.by != BY_DEVICE) {
		v->options.map_path = name_map_path(s->compare.map);
		v->options.dead_map_count =
			name_map_dead(s->compare.map, v->arena, &v->options.dead_map);
	}
	v->options.unsteady = is_unsteady(v->base, s) || is_unsteady(v->new_side, s);
	if (comparable_check(&v->base_runs, &v->new_runs, &s->compare, v->arena, &v->options, err) <
		0)
		return -1;
	/* The rounds of --method=paired; without --method those in which the runs were recorded. */
	run_order_find(&v->base_runs.run, &v->new_runs.run, v->arena, &v->order);
	if (s->compare.by_sessions)
		set_sessions(v);
	else if (!s->compare.method_text && v->order.kind == RUN_ORDER_ROUNDS) {
		v->options.method = METHOD_PAIRED;
		v->options.round = v->order.round;
		v->options.in_turns = true;
	} else if (v->options.method == METHOD_PAIRED) {
		v->options.round = run_pairs_find(&v->base_runs, &v->new_runs, s, v->arena, err);
	}
	if ((v->options.method == METHOD_PAIRED && !v->options.round ? -1 : 0) < 0)
		return -1;
	return pairing_make(&(struct pairing_side){v->base->cube, &v->base->grouping},
		&(struct pairing_side){v->new_side->cube, &v->new_side->grouping}, s->compare.match,
		v->arena, &v->pairing, err);
}

static int measure_noise(struct two_sides *v, struct job_settings *s,
	const enum measure_id *measure, size_t count, struct error *err)
{
	struct run_side side;

	if (!v->noise)
		return 0;
	turn_to_side(s, 0);
	s->steps.kinds = &v->kinds[2];
	if (side_select(v->noise, s, err) < 0)
		return error_context(err, "%s", v->noise->label);
	side = run_side(v->noise);
	v->options.noise = noise_make(&side, measure, count, &v->options.value, v->arena, err);
	return v->options.noise ? 0 : -1;
}

static bool is_file_of(const struct side *side, const struct file_identity *file)
{
	for (size_t i = 0; i < side->file_count; i++) {
		struct file_identity other;

		file_identity_of(side->file[i].path, &other);
		if (file_identity_equal(file, &other))
			return true;
	}
	return false;
}

/* The same paths, or others that lead to the same files. */
static bool has_same_files(const struct two_sides *v)
{
	for (size_t i = 0; i < v->new_side->file_count; i++) {
		struct file_identity file;

		file_identity_of(v->new_side->file[i].path, &file);
		if (!is_file_of(v->base, &file))
			return false;
	}
	return v->new_side->file_count > 0;
}

static int report_row_sums(struct two_sides *v, const struct job_settings *s, struct side *side,
	bool is_new, struct error *err)
{
	size_t count = 0;

	for (size_t m = 0; m < v->comparison.measure_count; m++)
		count += is_new ? v->comparison.measure[m].new.out_of_range
				: v->comparison.measure[m].base.out_of_range;
	/* The report of a comparison reads the issues of `self`. */
	return side_out_of_range(s, side->self, count, side->label, err);
}

/* Whatever else is compared, causes are those of time. */
static int summarize_time(struct two_sides *v, const struct job_settings *s, struct error *err)
{
	if (v->comparison.new_is_base || v->comparison.measure[0].id != MEASURE_TIME)
		return 0;
	if (side_summarize_time(v->base, s, err) < 0 ||
		side_summarize_time(v->new_side, s, err) < 0)
		return -1;
	v->base_runs.summary = v->base->by_time;
	v->base_runs.ranks = v->base->ranks_by_time;
	v->new_runs.summary = v->new_side->by_time;
	v->new_runs.ranks = v->new_side->ranks_by_time;
	return 0;
}

int two_sides_compare(struct two_sides *sides, struct job_settings *settings,
	const struct compare_rule *(*rule_of)(
		void *context, const char *name, enum measure_id id, struct error *err),
	void *context, struct error *err)
{
	struct comparison_input input;
	const enum measure_id *measure;
	size_t count;

	if (prepare(sides, settings, err) < 0 ||
		measures_of_both(sides->base, sides->new_side, settings, sides->arena, &measure,
			&count, err) < 0 ||
		measure_noise(sides, settings, measure, count, err) < 0)
		return -1;
	sides->options.rule_of = rule_of;
	sides->options.rule_context = context;
	input = (struct comparison_input){sides->base_runs, sides->new_runs, measure, count,
		&sides->pairing, &sides->options, has_same_files(sides), settings->steps,
		sides->order};
	input.steps.range = settings->range.data;
	input.steps.range_count = settings->range.count;
	if (make_comparison(sides, &input, err) < 0 || summarize_time(sides, settings, err) < 0)
		return -1;
	if (report_row_sums(sides, settings, sides->base, false, err) < 0 ||
		report_row_sums(sides, settings, sides->new_side, true, err) < 0)
		return -1;
	if (compare_sort(&sides->comparison, settings->sort_text, err) == 0)
		return 0;
	if (!settings->sort_optional)
		return -1;
	*err = (struct error){.kind = ERROR_NONE};
	return 0;
}

struct row_matcher {
	struct rules *rules;
	struct arena *scratch;
	struct error *err;
	bool failed;
};

static bool is_matched(void *context, const char *name)
{
	struct row_matcher *m = context;
	struct rule_outcome outcome;

	if (m->failed || rules_apply(m->rules, name, m->scratch, &outcome, m->err) < 0) {
		m->failed = true;
		return false;
	}
	return outcome.kept;
}

struct report *two_sides_explain(const struct two_sides *sides, const struct job_settings *settings,
	const struct build_options *build, struct error *err)
{
	struct row_matcher matcher = {rules_new(), arena_new(), err, false};
	struct explain_choice choice = {is_matched, &matcher};
	struct report *report = NULL;

	if (rules_add(matcher.rules, RULE_INCLUDE, settings->compare.explain, NULL, "--explain",
		    err) == 0) {
		report = build_compare_explain(&sides->base_runs, &sides->new_runs,
			&sides->comparison, &sides->options, build, &choice);
		if (!report && !matcher.failed) {
			error_set(err, ERROR_INPUT, "--explain", "\"%s\" matches no op",
				settings->compare.explain);
			error_hint(err, "--top=all lists the names");
		}
	}
	rules_free(matcher.rules);
	arena_free(matcher.scratch);
	if (matcher.failed) {
		report_free(report);
		return NULL;
	}
	return report;
}

void two_sides_free(struct two_sides *sides)
{
	if (!sides)
		return;
	side_free(sides->noise);
	side_free(sides->new_side);
	side_free(sides->base);
	arena_free(sides->arena);
}
