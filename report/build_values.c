/* Values of rows, step by step: as a table, as the statistics are computed from them, and for
 * plots, where the type that row_steps.of points to is known here alone. */
#include "report/build_values.h"

#include "analysis/row_series.h"
#include "base/memory.h"
#include "report/build_tables.h"

#define COLUMNS_BEFORE 3 /* op, short, type */

static void add_step_columns(struct report *report, struct table *table,
	const struct summary *summary, size_t m, const struct build_options *opt)
{
	const struct step_set *steps = summary->steps;
	const enum dimension dimension = measure_at(summary->options.measure[m])->dimension;
	const char *title = arena_printf(report->arena,
		"%s of the row in this step, as its mean counts it: %s where it did not run, empty "
		"where not known",
		measure_at(summary->options.measure[m])->name,
		summary->options.skip_absent ? "empty" : "0");

	for (size_t r = 0; r < steps->run_count; r++)
		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++) {
			const char *number =
				phrase_step(report->arena, summary->cube, steps->step[i]);
			struct column *column = report_add_column(report, table);

			column->stat =
				steps->run_count == 1
					? arena_printf(report->arena, "step_%s", number)
					: arena_printf(report->arena, "%s_step_%s",
						  summary->cube->run[steps->run[r]].name, number);
			column->title = title;
			column->dimension = dimension;
			column->unit = unit_given(opt, dimension);
			column->align = ALIGN_RIGHT;
		}
}

static void add_measure(struct report *report, const struct summary *summary, size_t m,
	const size_t *group, size_t count, const char *const *name, const struct build_options *opt)
{
	const char *measure = measure_at(summary->options.measure[m])->name;
	struct table *table = report_append_extra(
		report, m ? arena_printf(report->arena, "values %s", measure) : "values");
	double *x = arena_array(report->arena, summary->steps->count, sizeof(*x));

	report_text_column(report, table, "op")->names = true;
	report_text_column(report, table, "short");
	report_text_column(report, table, "type");
	add_step_columns(report, table, summary, m, opt);
	for (size_t i = 0; i < count; i++) {
		const struct group *of = &summary->grouping->group[group[i]];
		struct cell *cell = report_add_row(report, table)->cell;

		cell[0] = cell_text(of->name);
		cell[1] = cell_text(name[group[i]]);
		cell[2] = cell_text(of->type);
		summary_row_series(summary, of, m, x);
		for (size_t s = 0; s < summary->steps->count; s++)
			cell[COLUMNS_BEFORE + s] = cell_real(x[s]);
	}
}

void build_values(struct report *report, const struct summary *summary, size_t *group, size_t count,
	const char *const *name, const struct build_options *opt)
{
	size_t left = VALUES_MOST, steps = summary->steps->count;

	/* Each once, where it is first; returns how many. */
	bool *seen = memory_alloc(summary->grouping->count + 1);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		const size_t g = group[i];

		if (!seen[g])
			group[kept++] = g;
		seen[g] = true;
	}
	memory_free(seen);
	count = kept;

	for (size_t m = 0; m < summary->options.measure_count; m++) {
		const struct measure *measure = measure_at(summary->options.measure[m]);
		size_t rows = count;

		if (measure->kind == MEASURE_STATIC || measure->kind == MEASURE_OF_CALLS)
			continue;
		if (rows > left / (steps ? steps : 1))
			rows = left / (steps ? steps : 1);
		if (rows < count)
			report_note(report, "!", "--include=REGEX",
				"the sheet of %s values has the first %zu of %zu rows: a workbook "
				"gets at most %zu values",
				measure->name, rows, count, VALUES_MOST);
		add_measure(report, summary, m, group, rows, name, opt);
		left -= rows * steps;
	}
}

/* Steps of rows; the type that row_steps.of points to is known here alone. */

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
