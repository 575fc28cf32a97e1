/*
 * Steps of rows; the type that row_steps.of points to is known here alone.
 */
#include "report/build_steps.h"

#include "analysis/row_series.h"

struct steps_source {
	const struct summary *summary;
	const struct summary_part *part; /* of a group; NULL: of the rest */
	size_t group;
	const bool *shown; /* of the rest */
};

static bool read_steps(const struct row_steps *steps, double *value, bool *outlier)
{
	const struct steps_source *source = steps->of;

	if (source->part)
		return plot_row(source->summary, source->part, source->group, value, outlier);
	return plot_rest(source->summary, source->shown, value, outlier);
}

void report_set_steps(struct report *report, const struct summary *summary)
{
	const struct step_set *steps = summary->steps;
	int64_t *number = arena_array(report->arena, steps->count, sizeof(*number));

	for (size_t i = 0; i < steps->count; i++)
		number[i] = summary->cube->step[steps->step[i]].number;
	report->steps = (struct report_steps){.count = steps->count,
		.number = number,
		.first = steps->first,
		.run_count = steps->run_count,
		.read = read_steps};
}

static void set_source(struct report *report, const struct steps_source *from, size_t run_first,
	size_t run_count, struct row *row)
{
	struct steps_source *source = arena_alloc(report->arena, sizeof(*source));
	struct row_steps *steps = arena_alloc(report->arena, sizeof(*steps));

	*source = *from;
	*steps = (struct row_steps){run_first, run_count, source};
	row->steps = steps;
}

void row_set_steps(struct report *report, const struct summary *summary,
	const struct summary_part *part, size_t group, struct row *row)
{
	set_source(report, &(struct steps_source){.summary = summary, .part = part, .group = group},
		part->run_first, part->run_count, row);
}

void row_set_rest(
	struct report *report, const struct summary *summary, const bool *shown, struct row *row)
{
	set_source(report, &(struct steps_source){.summary = summary, .shown = shown}, 0,
		summary->steps->run_count, row);
}
