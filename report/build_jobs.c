/*
 * One row for each run, the same for people and for programs.
 */
#include "report/build_jobs.h"

#include <math.h>
#include "report/build_tables.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum job_column {
	JOB_NAME,
	JOB_STEPS,
	JOB_MEAN,
	JOB_LAST,
	JOB_LAST_VALUE,
	JOB_TREND,
	JOB_CHANGE,
	JOB_MOVED,
	JOB_MOVED_BY,
	JOB_MOVED_FROM,
};

static const char *trend_word(struct arena *arena, const struct run_latest *run)
{
	const bool up = run->trend_change > 0;

	switch (run->trend) {
	case TREND_UNKNOWN:
		break;
	case TREND_NONE:
		return "none shown";
	case TREND_DRIFT:
		return up ? "rising" : "falling";
	case TREND_SHIFT:
		return arena_printf(
			arena, "%s at step %lld", up ? "up" : "down", (long long)run->shift_step);
	}
	return NULL;
}

/* Adds the columns; the level before is left out for people. */
static void add_columns(struct report *report, struct table *table, const struct summary *summary,
	const struct build_options *opt)
{
	const struct measure *measure = measure_at(summary->options.measure[0]);
	const struct column value = {.measure = measure->name,
		.dimension = measure->dimension,
		.unit = unit_given(opt, measure->dimension),
		.decimals = 2,
		.align = ALIGN_RIGHT};
	struct column columns[] = {
		[JOB_NAME] = {.stat = "job", .shorten = true},
		[JOB_STEPS] = {.stat = "steps",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT,
			.drop = 2},
		[JOB_MEAN] = value,
		[JOB_LAST] = {.stat = "last_step",
			.title = "last step",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[JOB_LAST_VALUE] = value,
		[JOB_TREND] = {.stat = "trend"},
		[JOB_CHANGE] = {.stat = "trend_change",
			.title = "change",
			.dimension = DIMENSION_FRACTION,
			.decimals = 1,
			.align = ALIGN_RIGHT,
			.show_sign = true,
			.drop = 1},
		[JOB_MOVED] = {.stat = "moved",
			.title = "moved most",
			.shorten = true,
			.names = true},
		[JOB_MOVED_BY] = value,
		[JOB_MOVED_FROM] = value,
	};
	const bool of_people = table == &report->before;

	columns[JOB_MEAN].stat = "mean";
	columns[JOB_MEAN].title = arena_printf(report->arena, "%s/step", measure->name);
	columns[JOB_LAST_VALUE].stat = "last";
	columns[JOB_LAST_VALUE].title = "it took";
	columns[JOB_MOVED_BY].stat = "moved_by";
	columns[JOB_MOVED_BY].title = "by";
	columns[JOB_MOVED_BY].show_sign = true;
	columns[JOB_MOVED_FROM].stat = "moved_from";
	report_add_columns(report, table, NULL, columns, COUNT(columns) - of_people);
}

void build_jobs(struct report *report, const struct summary *summary,
	const struct run_latest *latest, const struct build_options *opt)
{
	struct table *const tables[] = {&report->before, report_append_table(report, "jobs")};

	report->before.name = "jobs";
	for (size_t t = 0; t < COUNT(tables); t++) {
		add_columns(report, tables[t], summary, opt);
		for (size_t r = 0; r < summary->steps->run_count; r++) {
			const struct run_latest *run = &latest[r];

			report_add_cells(report, tables[t],
				(const struct cell[]){[JOB_NAME] = cell_text(run->run),
					[JOB_STEPS] = cell_integer((int64_t)run->steps),
					[JOB_MEAN] = cell_real(run->mean),
					[JOB_LAST] = cell_integer(run->last),
					[JOB_LAST_VALUE] = cell_real(run->last_value),
					[JOB_TREND] = cell_text(trend_word(report->arena, run)),
					[JOB_CHANGE] = cell_real(run->trend == TREND_UNKNOWN
									 ? NAN
									 : run->trend_change),
					[JOB_MOVED] =
						cell_text(run->moved ? run->moved->name : NULL),
					[JOB_MOVED_BY] =
						cell_real(run->moved ? run->moved_by : NAN),
					[JOB_MOVED_FROM] =
						cell_real(run->moved ? run->moved_from : NAN)});
		}
	}
}
