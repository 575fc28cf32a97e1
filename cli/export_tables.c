/* Export of a side to tables. */
#include "config.h"

#include "cli/export_tables.h"

#include <string.h>
#include "base/text.h"
#include "export/database.h"
#include "pipeline/report_choices.h"
#include "report/build.h"

static const struct target_form target[] = {
	{"text", TARGET_NONE, TARGET_NONE, STREAM_TEXT},
	{"csv", TARGET_CSV, TARGET_CSV_TABLES, STREAM_CSV},
	{"ndjson", TARGET_NONE, TARGET_NDJSON_TABLES, STREAM_NDJSON},
	{"parquet", TARGET_PARQUET, TARGET_PARQUET_TABLES, STREAM_PARQUET},
	{"obs", TARGET_OBS, TARGET_NONE, STREAM_NONE},
	{"sqlite", TARGET_SQLITE, TARGET_NONE, STREAM_NONE},
	{"sql", TARGET_SQL, TARGET_NONE, STREAM_NONE},
};

struct target_form target_of(const char *writer)
{
	for (size_t i = 0; i < sizeof(target) / sizeof(*target); i++)
		if (text_equal(target[i].name, writer))
			return target[i];
	return (struct target_form){0};
}

static int choose_measures(
	struct settings *s, struct side *side, struct observation_set *set, struct error *err)
{
	const enum measure_id *given;
	enum measure_id *out = arena_array(side->arena, MEASURE_COUNT, sizeof(*out));
	size_t given_count;

	set->measure = out;
	if (!s->job.measures_given) {
		const size_t count = cube_measures(side->cube, out);

		for (size_t i = 0; i < count; i++)
			if (out[i] < MEASURE_STEP_COUNT)
				out[set->measure_count++] = out[i];
		return 0;
	}
	if (side_measures(side, &s->job, side->arena, &given, &given_count, err) < 0)
		return -1;
	for (size_t i = 0; i < given_count; i++) { /* static measures are always in the table ops */
		bool known = measure_at(given[i])->kind == MEASURE_STATIC;

		for (size_t k = 0; k < set->measure_count; k++)
			known |= out[k] == given[i];
		if (!known)
			out[set->measure_count++] = given[i];
	}
	return 0;
}

/* Files of the side, each with its run and its steps. */
static struct event_file *files_of_steps(const struct side *side)
{
	const struct cube *cube = side->self;
	struct event_file *file = arena_array(side->arena, side->file_count, sizeof(*file));
	struct event_step *step = arena_array(side->arena, cube->step_count, sizeof(*step));
	const char **label = phrase_steps(side->arena, cube);

	for (size_t s = 0; s < cube->step_count; s++) {
		struct event_file *f = &file[cube->step[s].source];

		if (f->step_count <= cube->step[s].origin)
			f->step_count = cube->step[s].origin + 1;
	}
	for (size_t s = 0; s < cube->step_count; s++) {
		struct event_file *f = &file[cube->step[s].source];

		if (!f->step)
			f->step = arena_array(side->arena, f->step_count, sizeof(*f->step));
		f->run = cube->step[s].run;
		f->rank = cube->step[s].rank;
		step[s] = (struct event_step){cube->step[s].number, cube->step[s].index,
			cube->step[s].kind, label[s], (uint32_t)s};
		f->step[cube->step[s].origin] = &step[s];
	}
	return file;
}

const struct event_files *export_events(const struct settings *s, struct side *side)
{
	struct event_files *files = arena_alloc(side->arena, sizeof(*files));
	struct event_file *file = arena_array(side->arena, side->file_count, sizeof(*file));
	struct event_file *of_side = files_of_steps(side);
	const char *before = NULL;
	bool may_be = false;

	for (uint32_t i = 0; i < side->file_count; i++) {
		of_side[i].path = side->file[i].path;
		of_side[i].part = side->file[i].part;
		if (!before || !text_equal(before, of_side[i].path))
			may_be = events_may_be_in(of_side[i].path);
		before = of_side[i].path;
		if (of_side[i].step_count && may_be)
			file[files->count++] = of_side[i];
	}
	files->file = file;
	files->from = s->job.from;
	files->read = s->job.read;
	return files->count ? files : NULL;
}

static int no_events(const char *option, const struct side *side, struct error *err)
{
	error_set(err, ERROR_INPUT, option, "%s has no events", side->label);
	return error_hint(err, "timelines have; without it: a row for each op, step and measure");
}

int export_source(
	struct settings *settings, struct side *side, struct table_source *out, struct error *err)
{
	struct observation_set *set = arena_alloc(side->arena, sizeof(*set));
	struct grouping *all = arena_alloc(side->arena, sizeof(*all));
	struct group_options group = settings->job.group;

	*set = (struct observation_set){.cube = side->cube,
		.steps = &side->steps,
		.rows = &side->grouping,
		.printed = side->is_tfprof_text};
	if (choose_measures(settings, side, set, err) < 0)
		return -1;
	group.never_run = true;
	if (grouping_make(side->cube, settings->job.rules, &group, side->arena, all, err) < 0)
		return -1;
	set->all = all;
	*out = (struct table_source){.set = set, .label = side->label, .program = EXPORT_PROGRAM};
	if (settings->events || settings->layout == LAYOUT_FLAT) {
		out->events = export_events(settings, side);
		if (!out->events)
			return no_events(settings->events ? "--events" : "--layout", side, err);
	}
	return 0;
}

int export_fill(const struct settings *settings, const struct table_source *source,
	struct table_sink *sink, struct error *err)
{
	return settings->layout == LAYOUT_FLAT ? tables_write_flat(source->events, sink, err)
					       : tables_write(source, sink, err);
}

static int fill_database(const struct settings *settings, const struct table_source *source,
	struct database *db, struct error *err)
{
	if (database_begin(db, err) < 0 ||
		export_fill(settings, source, database_sink(db), err) < 0)
		return -1;
	return database_end(db, err);
}

int export_sqlite(const struct settings *settings, const struct table_source *source,
	struct outfile *out, struct error *err)
{
	struct database *db = database_open(out, err);

	if (!db)
		return -1;
	if (fill_database(settings, source, db, err) < 0) {
		database_free(db);
		return -1;
	}
	return database_close(db, err);
}

int export_observations(
	struct settings *s, struct side *side, struct observation_set *set, struct error *err)
{
	struct group_options group = s->job.group;
	struct grouping *all = arena_alloc(side->arena, sizeof(*all));

	*set = (struct observation_set){
		.cube = side->cube,
		.steps = &side->steps,
		.rows = &side->grouping,
		.complete = !s->job.measures_given,
		.printed = side->is_tfprof_text,
		.changed = s->job.rules_given || s->job.group.by != BY_NAME || s->job.value_total,
	};
	if (!set->complete)
		return side_measures(
			side, &s->job, side->arena, &set->measure, &set->measure_count, err);
	set->measure = op_series_measures(side->cube, set->rows, side->arena, &set->measure_count);
	group.never_run = true;
	if (grouping_make(side->cube, s->job.rules, &group, side->arena, all, err) < 0)
		return -1;
	set->all = all;
	if (set->changed || !side->self->given)
		return 0;
	set->given = side->self->given;
	set->given_measure =
		op_series_measures(set->given, set->rows, side->arena, &set->given_count);
	return 0;
}
