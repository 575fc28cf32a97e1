/*
 * Every step of a cube has the same kind of step time: what only some have is not used. The period
 * alone is not known of every step: the last one of a run has none. It comes before the marker
 * where that is only the launch, and before the span where marks are points.
 */
#include "model/step_time.h"

#include "model/cube.h"

static const enum step_series_kind series_of[] = {
	[STEP_TIME_MARKER] = SERIES_MARKER,
	[STEP_TIME_PERIOD] = SERIES_PERIOD,
	[STEP_TIME_SPAN] = SERIES_SPAN,
};

const char *step_time_name(enum step_time_kind kind)
{
	if (kind == STEP_TIME_AUTO || kind == STEP_TIME_NONE)
		return kind == STEP_TIME_AUTO ? "auto" : "none";
	return step_series_name(series_of[kind]);
}

/* A launch is a marker, too. The span of a step that nothing marks is from its start to its end. */
static int64_t time_of(const struct step *step, enum step_time_kind kind, int64_t recorded_ps)
{
	if (recorded_ps != CELL_ABSENT)
		return recorded_ps;
	return kind == STEP_TIME_SPAN && step->has_wall ? step->end_ps - step->start_ps
							: CELL_ABSENT;
}

static const int64_t *launches_of(const struct cube *cube)
{
	return step_series_find(&cube->series, SERIES_LAUNCH, "");
}

/* True if the times of the run reach to the ends of its work, because no step has a period. Where
 * some step has one, the last has none, unless the next mark is there and nothing ran in it. */
static bool ends_with_work(const struct cube *cube, const struct run *run)
{
	const struct step *step = &cube->step[run->step_first];
	const int64_t *time = &cube->times.time_ps[run->step_first];
	const size_t last = run->step_count - 1;

	for (size_t i = 0; i < last; i++)
		if (time[i] == step[i + 1].start_ps - step[i].start_ps)
			return false;
	return launches_of(cube) && time[last] != CELL_ABSENT &&
	       time[last] <= step[last].end_ps - step[last].start_ps;
}

const char *step_time_phrase(const struct cube *cube)
{
	if (cube->times.kind != STEP_TIME_PERIOD)
		return "";
	return ends_with_work(cube, cube->run) ? " to the end of its device work"
					       : " from start to start";
}

/* True if the time is known of all steps of the run, or, if it is the period, of at least one. */
static bool is_known(const struct run *run, enum step_time_kind kind, const int64_t *time_ps)
{
	size_t known = 0;

	for (size_t i = 0; i < run->step_count; i++)
		known += time_ps[run->step_first + i] != CELL_ABSENT;
	return known == run->step_count || (known && kind == STEP_TIME_PERIOD);
}

static bool fill(struct cube *cube, enum step_time_kind kind)
{
	const int64_t *series = step_series_find(&cube->series, series_of[kind], "");
	const int64_t *launch = kind == STEP_TIME_MARKER ? launches_of(cube) : NULL;
	int64_t *time = arena_array(cube->arena, cube->step_count, sizeof(*time));

	for (size_t s = 0; s < cube->step_count; s++) {
		time[s] = series ? series[s] : CELL_ABSENT;
		if (launch && time[s] == CELL_ABSENT)
			time[s] = launch[s];
		time[s] = time_of(&cube->step[s], kind, time[s]);
	}
	for (size_t r = 0; r < cube->run_count; r++)
		if (!is_known(&cube->run[r], kind, time))
			return false;
	cube->times.kind = kind;
	cube->times.time_ps = time;
	return true;
}

static bool has_accelerator(const struct cube *cube)
{
	for (size_t o = 0; o < cube->op_count; o++)
		if (cube->has_accelerator[o])
			return true;
	return false;
}

int step_time_choose(struct cube *cube, enum step_time_kind asked, struct error *err)
{
	cube->times = (struct step_times){.kind = STEP_TIME_NONE};
	if (cube->step_count == 0)
		return 0;
	if (asked == STEP_TIME_AUTO) {
		if (!(launches_of(cube) && fill(cube, STEP_TIME_PERIOD)) &&
			!fill(cube, STEP_TIME_MARKER) && !fill(cube, STEP_TIME_PERIOD))
			fill(cube, STEP_TIME_SPAN);
		cube->times.decides = cube->times.kind == STEP_TIME_MARKER ||
				      cube->times.kind == STEP_TIME_PERIOD ||
				      (cube->times.kind == STEP_TIME_SPAN && has_accelerator(cube));
		return 0;
	}
	if (!fill(cube, asked)) {
		error_set(err, ERROR_USAGE, "--step-time", "some steps have no %s",
			step_time_name(asked));
		return error_hint(err,
			asked == STEP_TIME_SPAN
				? "the source has no times of events"
				: "nothing marks their start and end; use --step-time=span, or "
				  "name what marks them with --step-marker");
	}
	cube->times.decides = true;
	return 0;
}
