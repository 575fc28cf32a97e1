/*
 * stepstat export: the observations behind a report, exactly as they are.
 */
#include "base/text.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/side.h"
#include "report/observations.h"

static int check_outputs(const struct settings *s, struct error *err)
{
	if (s->to && !text_equal(s->to->name, "csv")) {
		error_set(err, ERROR_USAGE, "--to", "export writes csv, found \"%s\"", s->to->name);
		return -1;
	}
	for (size_t i = 0; i < s->output.count; i++) {
		const char *path = *(const char **)vec_at(&s->output, i);

		if (!text_equal(path, "-") && !text_ends(path, ".csv"))
			return error_set(
				err, ERROR_USAGE, "-o", "export writes .csv, found \"%s\"", path);
	}
	return 0;
}

/* Without a choice: all that was recorded. */
static int choose_measures(struct settings *s, const struct side *side, struct error *err)
{
	for (enum measure_id id = 0; !s->measures_given && id < MEASURE_RECORDED_COUNT; id++) {
		enum measure_id *slot;

		if (!cube_has(side->self, id))
			continue;
		slot = vec_push(&s->measure, err);
		if (!slot)
			return -1;
		*slot = id;
	}
	return 0;
}

/* Every output is complete before the first is put in place. */
static int put_all(const struct side *side, const struct observations_options *opt,
	const char *const *path, size_t count, struct error *err)
{
	struct outfile **out = arena_array(side->arena, count, sizeof(*out));
	size_t done = 0;
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		out[i] = outfile_open(path[i], err);
		if (out[i])
			observations_write(side->cube, &side->steps, &side->grouping, opt, out[i]);
		status = out[i] ? outfile_finish(out[i], err) : -1;
	}
	for (; done < count && !status; done++)
		status = outfile_commit(out[done], err);
	for (; done < count; done++)
		outfile_discard(out[done]);
	return status;
}

static int write_all(struct settings *s, struct side *side, struct error *err)
{
	struct observations_options opt = {.time_unit = s->time_unit,
		.bytes_unit = s->bytes_unit,
		.wide = s->shape == SHAPE_WIDE};
	static const char *const standard_output[] = {"-"};
	const char *const *path = s->output.count ? s->output.data : standard_output;
	size_t count = s->output.count ? s->output.count : 1;

	if (choose_measures(s, side, err) < 0 ||
		side_measures(side, s, side->arena, &opt.measure, &opt.measure_count, err) < 0)
		return -1;
	return put_all(side, &opt, path, count, err);
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
	.summary = "the observations as CSV: run, step, op, measure, value, unit",
	.about = "One row per run, step and op present in it; values are exact. --shape=wide: a "
		 "column per measure.",
	.examples = "  stepstat export profile_100 -o obs.csv\n"
		    "  stepstat export runs/ --by=type --measures=time,occurrence --shape=wide -o "
		    "types.csv\n",
	.run = run,
};
