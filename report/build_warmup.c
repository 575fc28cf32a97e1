/*
 * Warm-up in the steps of a report, in words for its answers and notes.
 */
#include "report/build_warmup.h"

#include <math.h>

double mean_of_steps(
	const struct summary *summary, bool (*keep)(const struct step_set *, size_t run, size_t i))
{
	const struct step_set *steps = summary->steps;
	const double *time = summary->step_time ? summary->step_time : summary->step_total[0];
	double means = 0;
	size_t runs = 0;

	for (size_t r = 0; r < steps->run_count; r++) {
		double sum = 0;
		size_t count = 0;

		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++)
			if (keep(steps, r, i) && !isnan(time[i])) {
				sum += time[i];
				count++;
			}
		if (count) {
			means += sum / (double)count;
			runs++;
		}
	}
	return runs ? means / (double)runs : NAN;
}

static bool any_step(const struct step_set *steps, size_t run, size_t i)
{
	return i < steps->first[run + 1];
}

static bool after_warmup(const struct step_set *steps, size_t run, size_t i)
{
	return i - steps->first[run] >= steps->warmup_kept[run];
}

bool warmup_is_unsteady(const struct step_set *steps)
{
	for (size_t r = 0; r < steps->run_count; r++)
		if (steps->warmup[r].state == WARMUP_UNSTEADY)
			return true;
	return false;
}

size_t warmup_found(const struct step_set *steps)
{
	size_t found = 0;

	for (size_t r = 0; r < steps->run_count; r++)
		found = steps->warmup[r].drop > found ? steps->warmup[r].drop : found;
	return found;
}

const char *phrase_warmup(
	struct arena *arena, const struct summary *summary, const struct build_options *opt)
{
	const struct step_set *steps = summary->steps;
	const size_t found = warmup_found(steps);
	size_t most = 0;
	double ratio = 0, mean;

	if (opt->warmup_option || summary->options.measure[0] != MEASURE_TIME ||
		warmup_is_unsteady(steps))
		return NULL;
	for (size_t r = 0; r < steps->run_count; r++) {
		most = steps->warmup_kept[r] > most ? steps->warmup_kept[r] : most;
		ratio = fmax(ratio, steps->warmup[r].ratio);
	}
	mean = most ? mean_of_steps(summary, after_warmup) : NAN;
	if (isnan(mean)) /* --steps has none of them, or no others */
		return NULL;
	return arena_printf(arena, "%s %s look%s like warm-up%s; without %s a step takes %s",
		steps->run_count == 1 ? "the first" : "in some run the first",
		most == 1 ? "step" : arena_printf(arena, "%zu steps", most), most == 1 ? "s" : "",
		most < found ? "" /* the longest may be left out */
			     : arena_printf(arena, " (%.*f times the median)", ratio < 10 ? 1 : 0,
				       ratio),
		most == 1 ? "it" : "them", phrase_quantity(arena, DIMENSION_TIME, mean));
}

bool warmup_is_large(const struct summary *summary, const struct build_options *opt)
{
	return !opt->first_kind && mean_of_steps(summary, after_warmup) <
					   (1 - WARMUP_LARGE) * mean_of_steps(summary, any_step);
}
