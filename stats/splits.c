/*
 * Counts through the splits, or draws them.
 */
#include "stats/splits.h"

#include <math.h>
#include <string.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include "base/memory.h"

#define SEED 20240229 /* any; the same data give the same answer */

struct splitter {
	size_t base, runs, most;
	size_t *member; /* runs of the side that is called base, ascending */
	size_t count;
	bool *of_new;
};

/* One more row, unless it is the split that was observed. */
static void add(struct splitter *s)
{
	bool *row = s->of_new + s->count * s->runs;
	bool is_other = false;

	for (size_t r = 0; r < s->runs; r++)
		row[r] = true;
	for (size_t i = 0; i < s->base; i++) {
		row[s->member[i]] = false;
		is_other |= s->member[i] >= s->base;
	}
	s->count += is_other;
}

/* The next larger set of members; false after the last. */
static bool advance(struct splitter *s, size_t fixed)
{
	size_t i = s->base;

	while (i > fixed && s->member[i - 1] == s->runs - s->base + i - 1)
		i--;
	if (i == fixed)
		return false;
	s->member[i - 1]++;
	for (; i < s->base; i++)
		s->member[i] = s->member[i - 1] + 1;
	return true;
}

static void draw(struct splitter *s, size_t fixed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t *all = memory_alloc(memory_product(s->runs, sizeof(*all)));

	for (size_t r = 0; r < s->runs; r++)
		all[r] = r;
	gsl_rng_set(rng, SEED);
	while (s->count < s->most) {
		s->member[0] = 0;
		gsl_ran_choose(rng, s->member + fixed, s->base - fixed, all + fixed,
			s->runs - fixed, sizeof(*all));
		add(s);
	}
	memory_free(all);
	gsl_rng_free(rng);
}

size_t splits_fill(size_t base, size_t new, size_t most, bool *of_new)
{
	struct splitter s = {base, base + new, most, NULL, 0, of_new};
	/* Sides of equal size: base keeps run 0, or the same split comes twice. */
	const size_t fixed = 2 * s.base == s.runs;
	double others;

	if (!base || !new || !most || base + new < 3)
		return 0;
	/* The logarithm does not overflow. */
	others =
		exp(gsl_sf_lnchoose((unsigned int)(s.runs - fixed), (unsigned int)(base - fixed))) -
		1;
	s.member = memory_alloc(memory_product(base, sizeof(*s.member)));
	for (size_t i = 0; i < base; i++)
		s.member[i] = i;
	if (others > (double)most + 0.5)
		draw(&s, fixed);
	else
		while (advance(&s, fixed))
			add(&s);
	memory_free(s.member);
	return s.count;
}

size_t splits_fill_rounds(size_t rounds, size_t most, bool *exchanged)
{
	/* Bits for the rounds after the first, at most as many as `most` needs. */
	const size_t bits = rounds < 2 ? 0 : rounds - 1 < 32 ? rounds - 1 : 32;
	const size_t others = ((size_t)1 << bits) - 1;

	if (others <= most) {
		for (size_t i = 0; i < others; i++)
			for (size_t r = 0; r < rounds; r++)
				exchanged[i * rounds + r] = r > 0 && (i + 1) >> (r - 1) & 1;
	} else {
		gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

		gsl_rng_set(rng, SEED);
		for (size_t i = 0; i < most;) {
			bool is_other = false;

			for (size_t r = 0; r < rounds; r++) {
				exchanged[i * rounds + r] = r > 0 && gsl_rng_uniform_int(rng, 2);
				is_other |= exchanged[i * rounds + r];
			}
			i += is_other;
		}
		gsl_rng_free(rng);
	}
	return others <= most ? others : most;
}
