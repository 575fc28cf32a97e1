/*
 * Pairs runs by their names, by what a pattern captures of the names, or by order where the user
 * asks for it.
 */
#include "pipeline/run_pairs.h"

#include <string.h>
#include "base/text.h"
#include "analysis/select/pattern.h"

static const char *run_name(const struct compare_side *side, size_t run)
{
	return side->run.self->run[side->run.steps->run[run]].name;
}

/* The rounds of one side; NULL with err set. */
static const char **names_of(const struct compare_side *side, struct run_namer *namer,
	struct arena *arena, struct error *err)
{
	size_t n = side->run.steps->run_count;
	const char **name = arena_array(arena, n, sizeof(*name));

	for (size_t r = 0; r < n; r++) {
		name[r] = run_name(side, r);
		if (namer)
			name[r] = run_namer_name(namer, name[r], arena, err);
		if (!name[r])
			return NULL;
		for (size_t k = 0; k < r; k++)
			if (text_equal(name[k], name[r])) {
				error_set(err, ERROR_INPUT, "--pair",
					"round \"%s\" is there twice in %s", name[r], side->label);
				return NULL;
			}
	}
	return name;
}

static const size_t *unequal(const struct compare_side *base, const char *round, struct error *err)
{
	error_set(err, ERROR_INPUT, "--method=paired", "round \"%s\" of %s has no partner", round,
		base->label);
	error_hint(err, "--pair='run(\\d+)' finds the round in the names of the runs, "
			"--pair=order uses their order; or leave out --method");
	return NULL;
}

static const size_t *by_name(const struct compare_side *base, const struct compare_side *new_side,
	struct run_namer *namer, struct arena *arena, struct error *err)
{
	size_t n = base->run.steps->run_count;
	size_t *round = arena_array(arena, n, sizeof(*round));
	const char **left = names_of(base, namer, arena, err);
	const char **right = left ? names_of(new_side, namer, arena, err) : NULL;

	if (!right)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < n && !text_equal(left[i], right[k]))
			k++;
		if (k == n)
			return unequal(base, left[i], err);
		round[i] = k;
	}
	return round;
}

const size_t *run_pairs_find(const struct compare_side *base, const struct compare_side *new_side,
	const struct job_settings *settings, struct arena *arena, struct error *err)
{
	size_t n = base->run.steps->run_count, k = new_side->run.steps->run_count;
	struct run_namer *namer = NULL;
	size_t *round;

	if (n != k) {
		error_set(err, ERROR_INPUT, "--method=paired",
			"needs as many runs on both sides, found %zu and %zu", n, k);
		error_hint(err, "every round has one run of base and one of new");
		return NULL;
	}
	if (settings->compare.pair == PAIR_REGEX) {
		namer = run_namer_new(
			"--pair", "round", settings->compare.pair_pattern, arena, err);
		if (!namer)
			return NULL;
	}
	if (settings->compare.pair != PAIR_ORDER)
		return by_name(base, new_side, namer, arena, err);
	round = arena_array(arena, n, sizeof(*round));
	for (size_t i = 0; i < n; i++)
		round[i] = i;
	return round;
}
