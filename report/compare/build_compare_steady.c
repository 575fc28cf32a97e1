/*
 * Words the notes on the steps of the runs. One note holds what there is of its kind on both sides,
 * so that a comparison of many restless runs still has room for other notes.
 */
#include "report/compare/build_compare_steady.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "report/compare/build_compare_words.h"

#define NAMED_MOST 3 /* runs in one list */

/* "run3", "run3, run5 and run6", "run1, run2, run3, ...": the runs that `odd` takes. */
static const char *run_list(struct arena *arena, const struct steady_side *side,
	bool (*odd)(const struct steadiness_run *run))
{
	const char *name[NAMED_MOST];
	size_t count = 0;

	for (size_t r = 0; r < side->steady->runs; r++)
		if (odd(&side->steady->run[r]) && count++ < NAMED_MOST)
			name[count - 1] = side->steady->run[r].run;
	if (count <= NAMED_MOST)
		return phrase_list(arena, name, count);
	return arena_printf(arena, "%s, %s, %s, ...", phrase_visible(arena, name[0]),
		phrase_visible(arena, name[1]), phrase_visible(arena, name[2]));
}

/* "run run3 of base"; where the side has one run only, "base". */
static const char *run_of(
	struct arena *arena, const struct steady_side *side, const struct steadiness_run *run)
{
	if (side->steady->runs == 1)
		return side->label;
	return arena_printf(arena, "run %s of %s", phrase_visible(arena, run->run), side->label);
}

static const char *step_of(struct arena *arena, const struct steady_side *side, uint32_t step)
{
	return phrase_step(arena, side->cube, step);
}

/* ---- drift and shift ---- */

static bool drifts(const struct steadiness_run *run)
{
	return run->drifts;
}

/* "rise by 6.0 to 9.1 %", "fall by 12 %", "change by -6.0 to +9.1 %". */
static const char *drift_range(struct arena *arena, const struct steadiness *steady)
{
	double low = INFINITY, high = -INFINITY;
	const char *from, *to;

	for (size_t r = 0; r < steady->runs; r++)
		if (steady->run[r].drifts) {
			low = fmin(low, steady->run[r].drift.slope_total);
			high = fmax(high, steady->run[r].drift.slope_total);
		}
	if (low < 0 && high > 0)
		return arena_printf(arena, "change by %s to %s", phrase_change(arena, low, 1),
			phrase_change(arena, high, 1));
	from = phrase_percent(arena, fmin(fabs(low), fabs(high)));
	to = phrase_percent(arena, fmax(fabs(low), fabs(high)));
	if (text_equal(from, to))
		return arena_printf(arena, "%s by %s", high > 0 ? "rise" : "fall", to);
	return arena_printf(arena, "%s by %.*s to %s", high > 0 ? "rise" : "fall",
		(int)(strlen(from) - strlen(" %")), from, to);
}

/* "2 of 5 runs of new rise by 6.0 to 9.1 % (run3 and run5)". */
static const char *drift_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness *steady = side->steady;
	const char *range = drift_range(arena, steady);

	if (steady->runs == 1)
		return arena_printf(arena, "%s %s", side->label, range);
	return arena_printf(arena, "%zu of %zu runs of %s %s (%s)", steady->drifting, steady->runs,
		side->label, range, run_list(arena, side, drifts));
}

static const struct steadiness_run *largest_shift(const struct steadiness *steady)
{
	const struct steadiness_run *largest = NULL;

	for (size_t r = 0; r < steady->runs; r++) {
		const struct steadiness_run *run = &steady->run[r];

		if (run->shifts &&
			(!largest || fabs(run->drift.shift) > fabs(largest->drift.shift)))
			largest = run;
	}
	return largest;
}

/* "a shift of +12.0 % at step 57 in run run2 of base". */
static const char *shift_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness_run *run = largest_shift(side->steady);
	const char *change = phrase_change(arena, run->drift.shift, 1);
	const char *step = step_of(arena, side, run->shift_step);

	if (side->steady->shifting == 1)
		return arena_printf(arena, "a shift of %s at step %s in %s", change, step,
			run_of(arena, side, run));
	return arena_printf(arena,
		"shifts in %zu of %zu runs of %s, the largest %s at step %s of run %s",
		side->steady->shifting, side->steady->runs, side->label, change, step,
		phrase_visible(arena, run->run));
}

/* True if the numbers of the steps grow in order of time. */
static bool number_is_order(const struct cube *cube, const struct run *run)
{
	for (size_t i = 1; i < run->step_count; i++)
		if (cube->step[run->step_first + i].number <=
			cube->step[run->step_first + i - 1].number)
			return false;
	return true;
}

/* One shift divides the steps, and the option takes the longer part; else it is the user's
 * choice. */
static const char *moves_option(struct arena *arena, const struct steady_side side[2])
{
	const struct steady_side *at = side[0].steady->shifting ? &side[0] : &side[1];
	const struct steadiness_run *run = largest_shift(at->steady);
	const struct cube *cube = at->cube;
	const char *by;
	long long from;
	size_t r = 0;

	if (side[0].steady->drifting + side[1].steady->drifting > 0 ||
		side[0].steady->shifting + side[1].steady->shifting != 1)
		return "--steps=FROM:TO";
	while (r + 1 < cube->run_count && cube->run[r + 1].step_first <= run->shift_step)
		r++;
	by = number_is_order(cube, &cube->run[r]) ? "" : "@";
	from = *by ? (long long)(run->shift_step - cube->run[r].step_first + 1)
		   : (long long)cube->step[run->shift_step].number;
	if (2 * run->shift_after >= run->steps)
		return arena_printf(arena, "--steps=%s%lld:", by, from);
	return arena_printf(arena, "--steps=%s:%lld", by, from - 1);
}

static void note_moves(struct report *report, const struct steady_side side[2])
{
	struct text text;
	size_t drifting = 0;

	text_init(&text);
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->drifting)
			text_printf(&text, "%s%s",
				drifting++ ? ", of "
					   : "drift: from the first to the last kept step the "
					     "totals of ",
				drift_phrase(report->arena, &side[i]));
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->shifting)
			text_printf(&text, "%s%s", text.size ? "; " : "",
				shift_phrase(report->arena, &side[i]));
	if (text.size)
		report_note(
			report, "!", moves_option(report->arena, side), "%s", text_string(&text));
	text_release(&text);
}

/* ---- two levels ---- */

/* The run with the largest ratio of its levels. */
static const struct steadiness_run *most_split(const struct steadiness *steady)
{
	const struct steadiness_run *most = NULL;

	for (size_t r = 0; r < steady->runs; r++) {
		const struct steadiness_run *run = &steady->run[r];

		if (run->two_modes && (!most || run->modes.high * most->modes.low >
							most->modes.high * run->modes.low))
			most = run;
	}
	return most;
}

/* "18 % of the steps of run run1 of new take 41.00 ms instead of 25.00 ms": the fewer ones. */
static const char *levels_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness_run *run = most_split(side->steady);
	const struct modes *m = &run->modes;
	const char *high = phrase_quantity(arena, DIMENSION_TIME, m->high);
	const char *low = phrase_quantity(arena, DIMENSION_TIME, m->low), *more = "";
	bool few_high = m->share_high <= 0.5;

	if (side->steady->two_modes > 1)
		more = arena_printf(arena, " (and in %zu more of %zu runs)",
			side->steady->two_modes - 1, side->steady->runs);
	return arena_printf(arena, "%s of the steps of %s take %s instead of %s%s",
		phrase_percent(arena, few_high ? m->share_high : 1 - m->share_high),
		run_of(arena, side, run), few_high ? high : low, few_high ? low : high, more);
}

/* ---- outlier steps ---- */

static size_t outliers_of(const struct steadiness *steady)
{
	size_t count = 0;

	for (size_t r = 0; r < steady->runs; r++)
		count += steady->run[r].outliers;
	return count;
}

/* "37 and 71 in run run2 of base", "37, 71, 80, ... (12) in base", with "and 5 in 3 more runs". */
static const char *outliers_phrase(struct arena *arena, const struct steady_side *side)
{
	const struct steadiness_run *run = &side->steady->run[0];

	for (size_t r = 1; r < side->steady->runs; r++)
		if (side->steady->run[r].outliers > run->outliers)
			run = &side->steady->run[r];
	const size_t others = side->steady->with_outliers - 1;
	const char *name[STEADINESS_OUTLIERS_KEPT], *list, *more = "";
	size_t kept =
		run->outliers < STEADINESS_OUTLIERS_KEPT ? run->outliers : STEADINESS_OUTLIERS_KEPT;

	for (size_t i = 0; i < kept; i++)
		name[i] = step_of(arena, side, run->outlier[i]);
	list = run->outliers == kept ? phrase_list(arena, name, kept)
				     : arena_printf(arena, "%s, %s, %s, ... (%zu)", name[0],
					       name[1], name[2], run->outliers);
	if (others)
		more = arena_printf(arena, " and %zu in %zu more run%s",
			outliers_of(side->steady) - run->outliers, others, others == 1 ? "" : "s");
	return arena_printf(arena, "%s in %s%s", list, run_of(arena, side, run), more);
}

/* Mean of the runs, with and without outlier steps. */
static double mean_of(const struct steadiness *steady, bool without)
{
	double sum = 0;

	for (size_t r = 0; r < steady->runs; r++)
		sum += without && steady->run[r].outliers ? steady->run[r].mean_without
							  : steady->run[r].mean;
	return sum / (double)steady->runs;
}

static void note_outliers(struct report *report, const struct steady_side side[2], const char *time)
{
	const double with = mean_of(side[1].steady, false) / mean_of(side[0].steady, false) - 1;
	const double without = mean_of(side[1].steady, true) / mean_of(side[0].steady, true) - 1;
	struct text text;

	text_init(&text);
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->with_outliers)
			text_printf(&text, "%s%s", text.size ? ", " : "outlier steps: ",
				outliers_phrase(report->arena, &side[i]));
	if (text.size && isfinite(with) && isfinite(without))
		text_printf(&text, "; %s %s with them, %s without", time,
			phrase_change(report->arena, with, 1),
			phrase_change(report->arena, without, 1));
	if (text.size)
		report_note(report, NULL, "--run-value=median", "%s", text_string(&text));
	text_release(&text);
}

void compare_steady_notes(struct report *report, const struct steady_side side[2], const char *time)
{
	note_moves(report, side);

	struct text text;

	text_init(&text);
	for (size_t i = 0; i < 2; i++)
		if (side[i].steady->two_modes)
			text_printf(&text, "%s%s", text.size ? "; " : "two levels: ",
				levels_phrase(report->arena, &side[i]));
	if (text.size)
		report_note(report, "!", "--explain=REGEX", "%s", text_string(&text));
	text_release(&text);
	note_outliers(report, side, time);
}
