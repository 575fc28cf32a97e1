/*
 * Warm-up in the steps of a report, in words for its answers and notes.
 */
#include "report/build_warmup.h"

#include <math.h>

double mean_of_steps(const struct summary *summary, const bool *keep)
{
	const struct step_set *steps = summary->steps;
	const double *time = summary->step_time ? summary->step_time : summary->step_total[0];
	double means = 0;
	size_t runs = 0;

	for (size_t r = 0; r < steps->run_count; r++) {
		double sum = 0;
		size_t count = 0;

		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++)
			if ((!keep || keep[i]) && !isnan(time[i])) {
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

struct report_warmup warmup_of(
	struct arena *arena, const struct summary *summary, const struct build_options *opt)
{
	const struct step_set *steps = summary->steps;
	bool *after = arena_array(arena, steps->count, sizeof(*after));
	struct report_warmup w = {0};
	double ratio = 0, mean;
	size_t most = 0;

	for (size_t r = 0; r < steps->run_count; r++) {
		const struct warmup *of_run = &steps->warmup[r];
		const size_t warm = steps->warmup_kept[r].steps;

		w.is_unsteady |= of_run->state == WARMUP_UNSTEADY;
		w.found = of_run->drop > w.found ? of_run->drop : w.found;
		most = warm > most ? warm : most;
		ratio = fmax(ratio, of_run->ratio);
		for (size_t i = steps->first[r] + warm; i < steps->first[r + 1]; i++)
			after[i] = true;
	}
	if (opt->warmup_option || summary->options.measure[0] != MEASURE_TIME || w.is_unsteady)
		return w;
	mean = most ? mean_of_steps(summary, after) : NAN;
	if (isnan(mean)) /* --steps has none of them, or no others */
		return w;
	w.is_large = !opt->first_kind && mean < (1 - WARMUP_LARGE) * mean_of_steps(summary, NULL);
	w.sentence = arena_printf(arena, "%s %s look%s like warm-up%s; without %s a step takes %s",
		steps->run_count == 1 ? "the first" : "in some run the first",
		most == 1 ? "step" : arena_printf(arena, "%zu steps", most), most == 1 ? "s" : "",
		most < w.found ? "" /* the longest may be left out */
			       : arena_printf(arena, " (%.*f times the median)", ratio < 10 ? 1 : 0,
					 ratio),
		most == 1 ? "it" : "them", phrase_quantity(arena, DIMENSION_TIME, mean));
	return w;
}
