/* The stages of a job in their order. */
#include "pipeline/one_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "analysis/steps.h"
#include "analysis/job/rank_times.h"
#include "pipeline/report_choices.h"
#include "pipeline/settings.h"
#include "pipeline/store.h"
#include "ingest/table/rank_groups.h"
#include "tfprof/files/graph_def.h"
#include "model/ranks.h"
#include "analysis/select/pattern.h"
#include "stats/drift.h"

static const char *label_of(
	struct arena *arena, const char *const *paths, size_t count, const char *input_name)
{
	if (count == 1 && text_equal(paths[0], "-"))
		return arena_strdup(arena, input_name ? input_name : "standard input");
	if (count == 1)
		return arena_strdup(arena, paths[0]);
	return arena_printf(arena, "%zu inputs", count);
}

/* True if it is the title of a trace format; exported observations keep the title. */
static bool is_trace(const char *format_title)
{
	for (size_t i = 0; i < reader_count; i++)
		if ((reader_table[i]->dialect || reader_table[i]->is_trace) &&
			text_equal(reader_table[i]->title, format_title))
			return true;
	return false;
}

/* Path to open for reading the profile again. */
static const char *path_of(const struct profile *profile)
{
	if (profile->is_stdin)
		return "-";
	return profile->entry ? profile->entry : profile->input ? profile->input : profile->path;
}

/* Only with a cache is it no error of the loading. */
static int check_any(const struct side *side, const struct loaded *loaded, struct error *err)
{
	return loaded->count ? 0
			     : error_set(err, ERROR_INPUT, side->label, "no profile is there yet");
}

/* --kilobyte matters only where values are, or become, rounded text. */
static int check_kilobyte(const struct job_settings *s, const struct side *side, struct error *err)
{
	if (s->kilobyte == 1000 || side->uses_kilobyte || s->as_printed)
		return 0;
	error_set(err, ERROR_USAGE, "--kilobyte",
		"is for inputs that are text (tfprof's, CSV), and for --as-printed");
	return error_hint(err, "the values of %s are exact bytes", side->label);
}

/* Sums per step cannot be split into calls. */
static int check_calls(const struct loaded *loaded, struct error *err)
{
	for (size_t i = 0; i < loaded->count; i++) {
		const struct profile *profile = loaded->profile[i];
		const struct reader *reader = reader_find(profile->format, NULL);

		if (profile->packed ? profile->packed->calls[CALLS_CPU] != NULL
				    : !profile->obs.count || profile->obs.calls[CALLS_CPU])
			continue;
		error_set(err, ERROR_INPUT, profile->path,
			"%s: the sums of each step, no single calls",
			reader ? reader->title : profile->format);
		return error_hint(err, "--per=call is for traces, RunMetadata and profile_N "
				       "dumps; --per=step, the default, for all inputs");
	}
	return 0;
}

/* --step-marker and --name must match something. Only traces are checked; observations were
 * checked when they were exported. */
static int check_trace_options(
	const struct job_settings *s, const struct loaded *loaded, struct error *err)
{
	const struct trace_options *trace = &s->read.trace;
	const char *option = trace->marker ? "--step-marker" : "--name";

	if (s->group.allow_empty || (!trace->marker && !trace->name))
		return 0;
	if (atomic_load(&trace->tally->traces))
		return trace_tally_check(trace, err);
	for (size_t i = 0; i < loaded->count; i++)
		if (text_equal(loaded->profile[i]->format, "obs") ||
			text_equal(loaded->profile[i]->format, "csv"))
			return 0;
	error_set(err, ERROR_USAGE, option, "is for traces of events, and no input is one");
	return error_hint(err, "the steps and names of %s are those that were recorded",
		loaded->count ? loaded->profile[0]->path : "the inputs");
}

/* Rows of launchers need launches. */
static int check_launchers(const struct job_settings *s, const struct side *side,
	const struct loaded *loaded, struct error *err)
{
	const struct reader *reader =
		loaded->count ? reader_find(loaded->profile[0]->format, NULL) : NULL;
	const char *found = arena_printf(side->arena, "%s%s%s%s", side->label, reader ? " (" : "",
		reader ? reader->title : "", reader ? ")" : "");

	return trace_tally_check_launchers(
		&s->read.trace, found, reader ? reader->launcher_hints : NULL, err);
}

/* Reads the model of --graph; *graph stays NULL without one. */
static int load_graph(const struct job_settings *settings, struct graph **graph, struct error *err)
{
	if (settings->op_log_path && !settings->graph_path) {
		error_set(err, ERROR_USAGE, "--op-log", "needs --graph as well");
		return error_hint(err, "what the op log says belongs to nodes of the graph");
	}
	if (!settings->graph_path)
		return 0;
	*graph =
		graph_read_files(settings->graph_path, settings->op_log_path, &settings->read, err);
	return *graph ? 0 : -1;
}

/* Options by which files become runs and ranks. */
static int choose_runs(const struct job_settings *settings, struct arena *arena,
	struct merge_options *merge, struct error *err)
{
	*merge = (struct merge_options){.mode = settings->runs_mode,
		.ranks = settings->ranks_mode,
		.one_job = settings->one_job,
		.rows = settings->rows,
		.rank_value = settings->rank_value,
		.rank = settings->rank.count ? settings->rank.data : NULL,
		.rank_count = settings->rank.count,
		.input_run = settings->input_run,
		.step_time = settings->step_time,
		.threads = settings->jobs};
	if (settings->runs_pattern) {
		merge->name_run = run_namer_name;
		merge->context = run_namer_new("--runs", "run", settings->runs_pattern, arena, err);
		if (!merge->context)
			return -1;
	}
	if (settings->ranks_pattern) {
		merge->name_rank = run_namer_name;
		merge->rank_context =
			run_namer_new("--ranks", "rank", settings->ranks_pattern, arena, err);
		if (!merge->rank_context)
			return -1;
	}
	if (settings->rank_group_path) {
		merge->group_of_rank = rank_groups_find;
		merge->group_context = rank_groups_read(settings->rank_group_path, arena, err);
		if (!merge->group_context)
			return -1;
	}
	return 0;
}

/* Each rank becomes a run of its own. */
static struct cube *take_apart(struct cube *job)
{
	struct cube *apart = cube_of_ranks(job);

	cube_free(job);
	return apart;
}

/* Reads the traces of --graph=capture: for the graphs that they captured. */
static int load_captures(const struct job_settings *settings, const struct load_options *options,
	struct graph_captures **captures, struct error *err)
{
	struct load_options load = *options;
	struct loaded *loaded;

	if (settings->capture.count == 0)
		return 0;
	if (!trace_rows_are_launchers(settings->read.trace.rows)) {
		error_set(err, ERROR_USAGE, "--graph=capture",
			"is for rows of what launched kernels");
		return error_hint(err, "--by=launcher, module, phase or stack:N make such rows");
	}
	*captures = graph_captures_new();
	load.from = NULL;
	load.progress = NULL;
	load.cache = NULL;
	load.call_values = false;
	load.jobs = 1; /* all files fill one table */
	load.read.trace.tally = NULL;
	load.read.trace.captures_out = *captures;
	loaded = load_inputs(settings->capture.data, settings->capture.count, &load, err);
	loaded_free(loaded);
	if (!loaded)
		return -1;
	if (graph_captures_count(*captures))
		return 0;
	error_set(err, ERROR_INPUT, "--graph=capture", "no graph is captured in %s",
		*(const char **)settings->capture.data);
	return error_hint(err, "record the capture: the calls cudaStreamBeginCapture (hip...) to "
			       "...EndCapture and the launches between them");
}

struct loaded *side_read(const struct job_settings *settings, const char *const *paths,
	size_t count, struct arena *arena, struct error *err)
{
	struct progress progress = {0};
	struct load_options load = {.from = settings->from,
		.input_name = settings->input_name,
		.read = settings->read,
		.call_values = settings->read.calls &&
			       report_choices_percentiles(settings).percentile_count > 0,
		.jobs = settings->jobs,
		.cache = settings->cache,
		.progress = &progress};
	struct graph *graph = NULL;
	struct graph_captures *captures = NULL;
	struct progress_line *line = NULL;
	struct store_inputs inputs;
	struct loaded *loaded;

	if (store_expand(paths, count, arena, &inputs, err) < 0)
		return NULL;
	load.read.kilobyte = settings->kilobyte;
	load.read.trace.step_time = settings->step_time;
	load.read.trace.row_context = row_namer_new(settings, arena);
	if (load.read.trace.row_context)
		load.read.trace.row_of = row_namer_row;
	if (load_graph(settings, &graph, err) < 0)
		return NULL;
	load.read.graph = graph;
	/* A cache has traces that are not read now; the inputs of merge are read in turns. */
	if (!settings->cache && !settings->one_job)
		trace_tally_reset(settings->read.trace.tally);
	if (settings->display.start)
		line = settings->display.start(&progress);
	if (load_captures(settings, &load, &captures, err)) {
		graph_captures_free(captures);
		graph_free(graph);
		return NULL;
	}
	load.read.trace.captures = captures;
	loaded = load_inputs(inputs.path, inputs.count, &load, err);
	graph_captures_free(captures);
	if (settings->display.stop)
		settings->display.stop(line);
	graph_free(graph);
	store_inputs_skip(&inputs, loaded);
	for (size_t i = 0; loaded && i < loaded->count; i++)
		profile_overlay_facts(loaded->profile[i], &settings->facts);
	return loaded;
}

int side_check_runs(const struct job_settings *settings, const struct loaded *loaded,
	struct issue_list *out, struct error *err)
{
	struct merge_options merge;

	if (choose_runs(settings, out->arena, &merge, err) < 0)
		return -1;
	return merge_check(loaded->profile, loaded->count, &merge, out, err);
}

static bool has_series(const struct profile *profile, enum step_series_kind kind)
{
	return step_series_find(&profile->series, kind, "") != NULL;
}

static bool has_rows_of(const struct profile *profile, const char *whose)
{
	return profile->facts.rows_of && text_equal(profile->facts.rows_of, whose);
}

/* Where rows of some files are what launched the work of a device, those that are of the host's own
 * ops are left out: their times do not add up. */
static void drop_host_rows(const struct loaded *loaded)
{
	bool has_device = false;

	for (size_t i = 0; i < loaded->count; i++)
		has_device |= has_rows_of(loaded->profile[i], ROWS_OF_DEVICE);
	for (size_t i = 0; has_device && i < loaded->count; i++) {
		struct profile *profile = loaded->profile[i];

		if (!has_rows_of(profile, ROWS_OF_HOST) ||
			(profile->obs.count == 0 && !profile->packed))
			continue;
		profile_drop_rows(profile);
		trace_report_no_launches(profile);
	}
}

/* The steps of all files are from mark to mark where those of some are. */
static struct loaded *read_alike(const struct job_settings *settings, const char *const *paths,
	size_t count, struct arena *arena, struct error *err)
{
	struct job_settings *again;
	struct loaded *loaded = side_read(settings, paths, count, arena, err);

	if (!loaded || settings->cache)
		return loaded;

	/* Whether some markers are only launches, or points, and others are not. */
	bool launches = false, markers = false;

	for (size_t i = 0; i < loaded->count; i++) {
		const bool has_marker = has_series(loaded->profile[i], SERIES_MARKER),
			   has_period = has_series(loaded->profile[i], SERIES_PERIOD);

		launches |= !has_marker && has_period;
		markers |= has_marker && has_period;
	}
	launches &= settings->step_time == STEP_TIME_AUTO;
	if (!launches || !markers)
		return loaded;
	for (size_t i = 0; i < count; i++)
		if (strcmp(paths[i], "-") == 0)
			return loaded; /* it can be read once only */
	loaded_free(loaded);
	again = arena_alloc(arena, sizeof(*again));
	*again = *settings;
	again->step_time = STEP_TIME_PERIOD;
	return side_read(again, paths, count, arena, err);
}

struct side *side_load(const struct job_settings *settings, const char *const *paths, size_t count,
	struct error *err)
{
	struct merge_options merge;
	struct arena *arena = arena_new();
	struct side *side = arena_alloc(arena, sizeof(*side));
	struct loaded *loaded = NULL;

	side->arena = arena;
	side->label = label_of(arena, paths, count, settings->input_name);
	if (choose_runs(settings, arena, &merge, err) == 0)
		loaded = read_alike(settings, paths, count, arena, err);
	if (!loaded)
		goto fail;
	drop_host_rows(loaded);
	if (check_any(side, loaded, err) < 0 || part_limits_check(settings, loaded, err) < 0 ||
		check_trace_options(settings, loaded, err) < 0 ||
		check_launchers(settings, side, loaded, err) < 0) {
		loaded_free(loaded);
		goto fail;
	}
	/* List the inputs and records what they have in common. */
	side->is_tfprof_text = side->uses_kilobyte = side->is_trace = loaded->count > 0;
	side->file = arena_array(side->arena, loaded->count, sizeof(*side->file));
	side->file_count = loaded->count;
	for (size_t i = 0; i < loaded->count; i++) {
		const struct reader *reader = reader_find(loaded->profile[i]->format, NULL);

		side->file[i].path = arena_strdup(side->arena, path_of(loaded->profile[i]));
		side->file[i].part = loaded->profile[i]->part;
		side->is_tfprof_text &= loaded->profile[i]->is_printed;
		side->uses_kilobyte &= reader && reader->uses_kilobyte;
		side->is_trace &= is_trace(loaded->profile[i]->format_title);
	}
	merge.call_values = side->call_values = loaded->call_values;
	loaded->call_values = NULL;
	if (!settings->read.calls || check_calls(loaded, err) == 0)
		side->self = merge_profiles(loaded->profile, loaded->count, &merge, err);
	if (side->self && side->self->ranks && settings->ranks_apart)
		side->self = take_apart(side->self);
	if (side->self) {
		side->skipped =
			arena_array(side->arena, loaded->skipped_count, sizeof(*side->skipped));
		for (size_t i = 0; i < loaded->skipped_count; i++) {
			struct skipped_file *file = &side->skipped[side->skipped_count++];

			*file = loaded->skipped[i];
			file->path = arena_strdup(side->arena, file->path);
			file->reason = arena_strdup(side->arena, file->reason);
		}
		/* A file that no reader accepts is reported, unless it is the companion of a
		 * profile. */
		skipped_report(&side->self->issues, loaded->skipped, loaded->skipped_count);
		for (size_t i = 0; i < loaded->skipped_count; i++)
			if (!loaded->skipped[i].broken && !loaded->skipped[i].companion)
				issue_add(&side->self->issues, ISSUE_INFO, "not-read",
					"files in the folder were not read", 1,
					loaded->skipped[i].path);
	}
	loaded_free(loaded);
	if (!side->self || check_kilobyte(settings, side, err) < 0 ||
		cube_derive(side->self, settings->derived, err) < 0 ||
		(settings->strict && issue_list_refuse_losses(&side->self->issues, err) < 0))
		goto fail;
	return side;
fail:
	side_free(side);
	return NULL;
}

/* Time of the host's ops in each step, and what of it waits: they are known before the host's rows
 * may go. */
static int measure_host(struct side *side, const struct job_settings *settings, struct error *err)
{
	struct cube *cube = side->self;
	const int64_t *cpu = cube->column[MEASURE_CPU];
	int64_t *ops =
		step_series_add(&cube->series, cube->arena, SERIES_HOST_OPS, "", cube->step_count);
	int64_t *waiting = step_series_add(
		&cube->series, cube->arena, SERIES_HOST_WAITING, "", cube->step_count);

	for (size_t s = 0; s < cube->step_count; s++)
		ops[s] = waiting[s] = 0;
	for (size_t o = 0; o < cube->op_count; o++) {
		const struct op *op = &cube->op[o];
		const char *class_name;

		if (rules_class(settings->rules, op->type, op->name, &class_name, err) < 0)
			return -1;
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
			const uint32_t s = cube->step_of[r];

			if (cpu[r] == CELL_ABSENT || !number_add(ops[s], cpu[r], &ops[s]))
				continue;
			if (class_name && text_equal(class_name, "waits"))
				waiting[s] += cpu[r];
		}
	}
	for (size_t s = 0; s < cube->step_count && cube->divisor; s++) {
		ops[s] /= cube->divisor[s];
		waiting[s] /= cube->divisor[s];
	}
	return 0;
}

/* Measures that the user chose may be the host's; these, of calls, are of the same rows as when
 * none was chosen. */
static bool chose_host_measure(const struct job_settings *settings)
{
	for (size_t i = 0; i < settings->measure.count; i++) {
		const enum measure_id id = *(const enum measure_id *)vec_at(&settings->measure, i);

		if (!settings->read.calls ||
			(id != MEASURE_TIME && id != MEASURE_ACCELERATOR && id != MEASURE_DELAY))
			return true;
	}
	return false;
}

int side_choose_rows(struct side *side, const struct job_settings *settings, struct error *err)
{
	enum rows_on on = settings->on;
	const size_t ops = side->self->op_count;

	if (settings->read.trace.user_code_context &&
		settings->read.trace.rows != TRACE_ROWS_STACKS) {
		error_set(err, ERROR_USAGE, "user-code", "is for --by=stack:N");
		return error_hint(err, "--by=stack:1 makes rows of frames of the user's code");
	}
	if (on == ON_HOST && trace_rows_are_launchers(settings->read.trace.rows)) {
		error_set(err, ERROR_USAGE, "--on=host", "--by has rows of work of the device");
		return error_hint(err, "--by=name, type, class or scope:N show the host's ops");
	}
	if (on == ON_AUTO && settings->measures_given && chose_host_measure(settings))
		on = ON_ALL;
	side->usual_rows = on == ON_AUTO;
	side->rows_chosen = true;
	if (on == ON_ALL)
		return 0;
	if (cube_host_is_apart(side->self) && measure_host(side, settings, err) < 0)
		return -1;
	cube_keep_on(side->self, on);
	side->has_other_rows = side->self->op_count < ops;
	if (side->self->op_count || !ops)
		return 0;
	error_set(err, ERROR_INPUT, "--on", "%s has no op on the %s", side->label,
		on == ON_DEVICE ? "device" : "host");
	return error_hint(err, "leave out --on to see its %zu ops", ops);
}

int side_select(struct side *side, const struct job_settings *settings, struct error *err)
{
	struct group_options group = settings->group;
	struct step_options steps = settings->steps;

	if (!side->rows_chosen && side_choose_rows(side, settings, err) < 0)
		return -1;
	steps.range = settings->range.data;
	steps.range_count = settings->range.count;
	if (side->self->benchmarks) { /* a run is no loop whose first steps are slow */
		steps.warmup = WARMUP_MODE_NONE;
		steps.one_kind = true;
	}
	side->cube = side->self;
	if (settings->value_total) {
		side->totals = cube_totals(side->self, err);
		if (!side->totals)
			return error_hint(err, "--value=self looks at no scopes");
		side->cube = side->totals;
		if (settings->read.calls && !side->totals->calls[CALLS_CPU]) {
			error_set(err, ERROR_USAGE, "--per=call",
				"a call of %s has no total: the scopes there are sums of ops",
				side->label);
			return error_hint(err, "leave out --value=total");
		}
	}
	if (steps_select(side->self, &steps, side->arena, &side->steps, err) < 0)
		return -1;
	kept_losses_set(side->self, &steps);
	if (side->steps.missing)
		issue_add(&side->self->issues, ISSUE_LOSS, "steps-unknown", STEPS_UNKNOWN,
			side->steps.missing_count,
			arena_printf(side->arena, "--steps=%s", side->steps.missing));
	if (side->steps.missing && settings->strict &&
		issue_list_refuse_losses(&side->self->issues, err) < 0)
		return -1;
	group.step_index = side->steps.index_of;
	if (grouping_make(side->cube, settings->rules, &group, side->arena, &side->grouping, err) <
		0)
		return side->has_other_rows && err->kind == ERROR_INPUT
			       ? error_hint(err,
					 settings->on == ON_HOST
						 ? "the rows are those of the host; --on=device "
						   "has those of devices, --on=all both"
						 : "the rows are those of devices; --on=host has "
						   "those of the host, --on=all both")
			       : -1;
	if (side->grouping.count || group.allow_empty)
		return 0;
	if (!side->totals && side->self->given && !side->self->row_count) {
		error_set(err, ERROR_INPUT, NULL, "no op has values of its own, only totals");
		return error_hint(err, "--value=total shows these");
	}
	error_set(err, ERROR_INPUT, NULL,
		"no op is left: the patterns match none of the %zu ops that ran",
		side->grouping.ops);
	return error_hint(err, "`stepstat ops INPUT` shows what each rule does; never-run in "
			       "stepstat.yaml adds ops that did not run; --allow-empty lets it "
			       "pass");
}

int side_split_kinds(struct side *side, const struct job_settings *settings,
	const uint32_t *kind_of_step, struct error *err)
{
	struct group_options group = settings->group;

	group.step_index = side->steps.index_of;
	group.kind_of_step = kind_of_step;
	group.kind_name = side->steps.kinds.name;
	return grouping_make(
		side->cube, settings->rules, &group, side->arena, &side->grouping, err);
}

/* --sort=p95 and --sort=time_p95 need the series even when the column is not shown. Returns the
 * number of entries added to out. */
static size_t sort_extra(const struct job_settings *settings, struct statistic_choice *out)
{
	return report_choices_sort_stat(settings, out) &&
	       (out->statistic->traits & STATISTIC_OF_SERIES);
}

int side_out_of_range(const struct job_settings *settings, struct cube *cube, size_t count,
	const char *place, struct error *err)
{
	if (!count)
		return 0;
	issue_add(&cube->issues, ISSUE_LOSS, "row-range",
		"sums of rows of more than 64 bits, not known", count, place);
	return settings->strict ? issue_list_refuse_losses(&cube->issues, err) : 0;
}

ORDERED(compare_classes, struct op_class, strcmp(x->name, y->name));

/* The classes of all ops, or with of_rows those of the rows that they are in. Communication and
 * waiting are no work: their time depends on the other ranks. */
static int find_classes(struct side *side, const struct job_settings *settings, bool of_rows,
	struct op_classes *out, struct error *err)
{
	const struct cube *self = side->self;
	const struct group **row = arena_array(side->arena, self->op_count, sizeof(*row));
	struct op_class *item = arena_array(side->arena, self->op_count, sizeof(*item));
	uint32_t *of_op = arena_array(side->arena, self->op_count, sizeof(*of_op));
	struct intern *names = intern_new(side->arena);

	for (size_t g = 0; of_rows && g < side->grouping.count; g++)
		for (size_t i = 0; i < side->grouping.group[g].op_count; i++)
			row[side->grouping.group[g].op[i]] = &side->grouping.group[g];
	for (size_t o = 0; o < self->op_count; o++) {
		const char *type = row[o] ? row[o]->type : self->op[o].type, *name;

		if (rules_class(settings->rules, type, row[o] ? row[o]->name : self->op[o].name,
			    &name, err) < 0)
			return -1;
		name = name ? name : GROUPING_NO_CLASS;
		of_op[o] = intern_id(names, name, strlen(name));
	}
	out->count = intern_count(names);
	for (uint32_t c = 0; c < out->count; c++) {
		item[c].name = intern_name(names, c);
		item[c].is_work = !text_equal(item[c].name, "communication") &&
				  !text_equal(item[c].name, "waits");
	}
	if (out->count)
		qsort(item, out->count, sizeof(*item), compare_classes);
	for (size_t o = 0; o < self->op_count; o++) {
		const struct op_class key = {.name = intern_name(names, of_op[o])};
		const struct op_class *found =
			bsearch(&key, item, out->count, sizeof(*item), compare_classes);

		of_op[o] = (uint32_t)(found - item);
	}
	out->item = item;
	out->of_op = of_op;
	return 0;
}

struct job_sums *side_job_sums(
	struct side *side, const struct job_settings *settings, struct error *err)
{
	struct group_options group = settings->group;
	struct op_classes classes;

	cube_keep_on(side->self, ON_AUTO);
	group.step_index = side->steps.index_of;
	group.allow_empty = true; /* the rows were found before */
	if (grouping_make(side->cube, settings->rules, &group, side->arena, &side->grouping, err) <
			0 ||
		find_classes(side, settings, true, &classes, err) < 0)
		return NULL;
	return job_sums_make(side->self, &side->steps, &side->grouping, &classes, err);
}

/* Says of waiting in collectives what it may be wrong by. */
static void say_ungrouped(const struct side *side)
{
	const struct job_collectives *collectives = side->ranks->collectives;

	if (collectives && collectives->ungrouped)
		issue_add(&(side->totals ? side->totals : side->self)->issues, ISSUE_INFO,
			"collectives-ungrouped",
			"collectives whose process group is not recorded: all ranks are taken for "
			"one, and waiting may be too large",
			collectives->ungrouped, side->label);
}

static int summarize_ranks(struct side *side, const struct job_settings *settings,
	const struct summary *summary, struct job_ranks **out, struct error *err)
{
	struct op_classes classes = {0};

	if (!side->self->ranks)
		return 0;
	if (find_classes(side, settings, false, &classes, err) < 0 ||
		job_input_find(side->self, settings->rules, side->arena, &classes, err) < 0)
		return -1;
	*out = job_ranks_make(summary, side->self, &classes, side->usual_rows, side->arena);
	return 0;
}

/* True if a run is long enough for causes in its steps. */
static bool is_long_enough(const struct step_set *steps)
{
	for (size_t r = 0; r < steps->run_count; r++)
		if (steps->first[r + 1] - steps->first[r] >= DRIFT_VALUES_MIN)
			return true;
	return false;
}

int side_summarize_time(struct side *side, const struct job_settings *settings, struct error *err)
{
	static const enum measure_id measure = MEASURE_TIME;
	const struct summary_options opt = {.measure = &measure,
		.measure_count = 1,
		.sample = settings->sample,
		.of_selected = settings->of_selected,
		.threads = settings->jobs};

	if (side->self->benchmarks || side->cube != side->self || settings->skip_absent ||
		!cube_has(side->self, MEASURE_TIME) ||
		(!side->self->ranks && !is_long_enough(&side->steps)))
		return 0;
	side->by_time = summary_make(side->self, side->cube, &side->steps, &side->grouping, &opt);
	return summarize_ranks(side, settings, side->by_time, &side->ranks_by_time, err);
}

/* Summary of the steps of the first kind, where the sources name several and all are shown. */
static int summarize_first_kind(struct side *side, const struct job_settings *settings,
	const struct summary_options *opt, struct error *err)
{
	struct step_options choice = settings->steps;
	struct group_options group = settings->group;
	struct step_set *steps = arena_alloc(side->arena, sizeof(*steps));
	struct grouping *grouping = arena_alloc(side->arena, sizeof(*grouping));

	if (!side->steps.kinds.name || side->steps.kinds.count < 2 || settings->kind_chosen)
		return 0;
	choice.range = settings->range.data;
	choice.range_count = settings->range.count;
	choice.kinds = &side->steps.kinds;
	choice.kind = 1;
	if (steps_select(side->self, &choice, side->arena, steps, err) < 0) {
		*err = (struct error){.kind = ERROR_NONE}; /* --steps takes none of them */
		return 0;
	}
	group.step_index = steps->index_of;
	if (grouping_make(side->cube, settings->rules, &group, side->arena, grouping, err) < 0)
		return -1;
	side->first_kind = summary_make(side->self, side->cube, steps, grouping, opt);
	return 0;
}

int side_summarize(struct side *side, const struct job_settings *settings,
	double (*adjust)(const void *, enum measure_id, double), struct error *err)
{
	struct summary_options opt = {
		.sample = settings->sample,
		.skip_absent = settings->skip_absent || side->self->benchmarks,
		.of_selected = settings->of_selected,
		.jitter_of = settings->jitter_of,
		.parts = settings->per_run && !settings->per_rank ? PARTS_RUNS : PARTS_NONE,
		.adjust = adjust,
		.adjust_context = settings,
		.threads = settings->jobs,
	};
	struct statistic_choice *extra =
		arena_array(side->arena, settings->stat.count + 1, sizeof(*extra));

	if (settings->jitter_of == JITTER_OF_STEP && !side->self->times.time_ps) {
		error_set(err, ERROR_USAGE, "--jitter-of",
			"the source has no start and end of its steps");
		return error_hint(err, "use --jitter-of=ops");
	}
	if (side_measures(side, settings, side->arena, &opt.measure, &opt.measure_count, err) < 0)
		return -1;
	for (size_t i = 0; i < settings->stat.count; i++) {
		const struct statistic_choice *choice = vec_at(&settings->stat, i);

		if (choice->statistic->traits & STATISTIC_OF_SERIES)
			extra[opt.extra_count++] = *choice;
	}
	opt.extra_count += sort_extra(settings, &extra[opt.extra_count]);
	opt.extra = extra;
	side->summary = summary_make(side->self, side->cube, &side->steps, &side->grouping, &opt);
	if (summarize_first_kind(side, settings, &opt, err) < 0)
		return -1;
	if (summarize_ranks(side, settings, side->summary, &side->ranks, err) < 0)
		return -1;
	if (side->ranks)
		say_ungrouped(side);
	if (settings->per_rank) {
		if (settings->read.calls) {
			error_set(err, ERROR_USAGE, "--per-rank", "does not go with --per=call");
			return error_hint(err, "--rank=N has the calls of one rank");
		}
		if (!side->self->ranks) {
			error_set(err, ERROR_INPUT, "--per-rank", "%s has no run of several ranks",
				side->label);
			return error_hint(
				err, "--explain-inputs shows which runs and ranks there are");
		}
		if (rank_rows_add(side->summary, side->self, settings->per_run, err) < 0)
			return -1;
	}

	struct cube *cube = side->totals ? side->totals : side->self;
	const struct summary *summary = side->summary;
	char place[512];

	if (summary->out_of_range == 0)
		return 0;
	snprintf(place, sizeof(place), "%s, step %lld", summary->out_of_range_row,
		(long long)summary->cube->step[summary->out_of_range_step].number);
	return side_out_of_range(settings, cube, summary->out_of_range, place, err);
}

void side_free(struct side *side)
{
	if (!side)
		return;
	summary_free(side->summary);
	summary_free(side->by_time);
	summary_free(side->first_kind);
	cube_free(side->totals);
	cube_free(side->self);
	if (side->call_values)
		side->call_values->free(side->call_values);
	arena_free(side->arena);
}
