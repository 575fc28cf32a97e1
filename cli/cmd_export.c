/*
 * stepstat export: the observations behind a report, exactly as they are.
 */
#include "base/text.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/side.h"
#include "report/observations.h"

static bool is_observations(const struct writer *writer)
{
	return !writer->write || text_equal(writer->name, "csv");
}

static int check_outputs(const struct settings *s, struct error *err)
{
	if (s->to && !is_observations(s->to)) {
		error_set(err, ERROR_USAGE, "--to", "export writes csv and obs, found \"%s\"",
			s->to->name);
		return -1;
	}
	for (size_t i = 0; i < s->output.count; i++) {
		const char *path = *(const char **)vec_at(&s->output, i);

		if (!text_equal(path, "-") && !is_observations(writer_for_path(path, NULL)))
			return error_set(err, ERROR_USAGE, "-o",
				"export writes .csv and .obs, found \"%s\"", path);
	}
	return 0;
}

/* All that a report of the source can show, unless measures, ops or groups were chosen. */
static int choose(
	struct settings *s, struct side *side, struct observation_set *set, struct error *err)
{
	struct group_options group = s->group;
	struct grouping *all = arena_alloc(side->arena, sizeof(*all));

	*set = (struct observation_set){
		.cube = side->cube,
		.steps = &side->steps,
		.rows = &side->grouping,
		.complete = !s->measures_given,
		.printed = side->printed,
		.changed = s->rules_given || s->group.by != BY_NAME || s->value_total,
	};
	if (!set->complete)
		return side_measures(side, s, side->arena, &set->measure, &set->measure_count, err);
	set->measure = op_series_measures(side->cube, set->rows, side->arena, &set->measure_count);
	group.never_run = true;
	if (grouping_make(side->cube, s->rules, &group, side->arena, all, err) < 0)
		return -1;
	set->all = all;
	if (set->changed || !side->self->given)
		return 0;
	set->given = side->self->given;
	set->given_measure =
		op_series_measures(set->given, set->rows, side->arena, &set->given_count);
	return 0;
}

static int write_one(const struct settings *s, const char *path, const struct observation_set *set,
	struct error *err)
{
	struct observations_options opt = {.time_unit = s->time_unit,
		.bytes_unit = s->bytes_unit,
		.wide = s->shape == SHAPE_WIDE};
	const struct writer *writer = text_equal(path, "-") ? s->to : writer_for_path(path, NULL);
	struct outfile *out = outfile_open(path, err);

	if (!out)
		return -1;
	if (!writer || writer->write) {
		observations_write_csv(set, &opt, out);
	} else if (observations_write_obs(set, out, err) < 0) {
		outfile_discard(out);
		return -1;
	}
	return outfile_commit(out, err);
}

static int write_all(struct settings *s, struct side *side, struct error *err)
{
	static const char *const standard_output[] = {"-"};
	const char *const *path = s->output.count ? s->output.data : standard_output;
	size_t count = s->output.count ? s->output.count : 1;
	struct observation_set set;

	if (choose(s, side, &set, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (write_one(s, path[i], &set, err) < 0)
			return -1;
	return 0;
}

static int run(struct settings *s, struct error *err)
{
	struct side *side;
	int status = -1;

	if (!s->input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat export FILE... -o obs.csv");
	}
	if (check_outputs(s, err) < 0)
		return -1;
	side = side_load(s, s->input.data, s->input.count, err);
	if (!side)
		return -1;
	if (s->explain_inputs)
		status = explain_inputs(s, side, err);
	else if (side_select(side, s, err) == 0)
		status = write_all(s, side, err);
	side_free(side);
	return status;
}

const struct command command_export = {
	.name = "export",
	.letter = 'E',
	.arguments = "INPUT...",
	.summary = "the observations behind a report, as CSV or .obs, to be read again",
	.about = "CSV: run, step, op, measure, value, unit; --shape=wide: a column per measure. "
		 ".obs: "
		 "small and\nfast to read. A report of either is the report of the source; values "
		 "are "
		 "exact.",
	.examples = "  stepstat export profile_100 -o run1.obs -o obs.csv\n"
		    "  stepstat export runs/ --by=type --measures=time,occurrence --shape=wide -o "
		    "types.csv\n",
	.run = run,
};
