/* Levels of variance: data whose answers are published or from lme4, intervals against the formulas
 * worked out in R (tests/ref/make_levels.R), and by simulation how often they hold. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "stats/levels.h"
#include "stats/student.h"
#include "tests/unit/test.h"

#define TEXTBOOK "tests/data/stats/textbook/"

enum { ROOM = 400 };

/* Values with a session each, and a machine. */
struct made {
	double value[ROOM], steps[ROOM], variance[ROOM];
	size_t session[ROOM], machine[ROOM], n;
};

static void estimate(const struct made *m, bool with_steps, struct levels *out)
{
	const struct levels_data data = {m->n, m->value, with_steps ? m->steps : NULL,
		with_steps ? m->variance : NULL, m->session, m->machine};

	levels_estimate(&data, 0.90, out);
}

/* Lines "batch,yield", batches one after another. */
static void read_dyestuff(const char *name, struct made *out)
{
	char path[128], line[128];
	FILE *file;

	*out = (struct made){.n = 0};
	snprintf(path, sizeof(path), TEXTBOOK "%s.csv", name);
	file = ref_open(path);
	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file)) {
		char *s = line + 2;

		out->session[out->n] = (size_t)(line[0] - 'A');
		assert_true(out->n < ROOM && ref_next(&s, &out->value[out->n++]));
	}
	fclose(file);
}

TEST(dyestuff)
{
	struct made m;
	struct levels l;

	read_dyestuff("dyestuff", &m);
	estimate(&m, false, &l);
	assert_true(l.units[LEVEL_RUN] == 30 && l.units[LEVEL_SESSION] == 6);
	ref_near("session", l.part[LEVEL_SESSION].variance, 1764.05, 1e-12);
	ref_near("run", l.part[LEVEL_RUN].variance, 2451.25, 1e-12);
	ref_near("low", l.part[LEVEL_SESSION].low, 472.785733505742, 1e-11);
	ref_near("high", l.part[LEVEL_SESSION].high, 9331.23202072693, 1e-11);
	ref_near("run low", l.part[LEVEL_RUN].low, 1615.54178097321, 1e-11);
	ref_near("run high", l.part[LEVEL_RUN].high, 4248.13651260538, 1e-11);
	assert_true(isnan(l.part[LEVEL_MACHINE].variance) && isnan(l.part[LEVEL_STEP].variance));
	/* The second set has less between batches than its samples alone make. */
	read_dyestuff("dyestuff2", &m);
	estimate(&m, false, &l);
	ref_near("below 0", l.part[LEVEL_SESSION].variance, -1.321912768, 1e-9);
	assert_true(l.part[LEVEL_SESSION].low == 0 && l.part[LEVEL_SESSION].high > 0);
}

/* Samples of casks of batches: lme4's answer (1.1-31, REML), which balanced data share. Casks are
 * sessions, batches machines, and with the two samples as steps casks are runs. */
TEST(pastes)
{
	char line[128];
	FILE *file = ref_open(TEXTBOOK "pastes.csv");
	struct made m = {.n = 0}, runs = {.n = 0};
	struct levels l;

	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file)) {
		char *s = line, batch, cask;

		assert_true(ref_next(&s, &m.value[m.n]));
		batch = s[0] == ',' ? s[1] : s[0];
		cask = strchr(s + 1, ',')[1];
		m.machine[m.n] = (size_t)(batch - 'A');
		m.session[m.n] = m.machine[m.n] * 3 + (size_t)(cask - 'a');
		m.n++;
	}
	fclose(file);
	assert_int_equal(m.n, 60);
	estimate(&m, false, &l);
	ref_near("cask", l.part[LEVEL_SESSION].variance, 8.433665931295, 1e-6);
	ref_near("batch", l.part[LEVEL_MACHINE].variance, 1.657310911834, 1e-5);
	ref_near("sample", l.part[LEVEL_RUN].variance, 0.677999949669, 1e-6);
	for (size_t i = 0; i < 60; i += 2) {
		const double d = m.value[i] - m.value[i + 1];

		runs.session[runs.n] = m.machine[i];
		runs.value[runs.n] = (m.value[i] + m.value[i + 1]) / 2;
		runs.steps[runs.n] = 2;
		runs.variance[runs.n++] = d * d / 2;
	}
	estimate(&runs, true, &l);
	ref_near("sample as step", l.part[LEVEL_STEP].variance, 0.677999949669, 1e-6);
	ref_near("cask as run", l.part[LEVEL_RUN].variance, 8.433665931295, 1e-6);
	ref_near("batch as session", l.part[LEVEL_SESSION].variance, 1.657310911834, 1e-5);
}

/* One run a session: what runs differ by cannot be told from what sessions do. */
TEST(nothing_repeated)
{
	struct made m = {.n = 6, .value = {1, 3, 2, 5, 4, 6}, .session = {0, 1, 2, 3, 4, 5}};
	const struct levels_gate gate = {1, 1, 1};
	struct levels_error e;
	struct levels l;

	estimate(&m, false, &l);
	assert_true(isnan(l.part[LEVEL_RUN].variance) && l.part[LEVEL_SESSION].holds_below);
	ref_near("both", l.part[LEVEL_SESSION].variance, 3.5, 1e-15);
	/* 29 nights more make prototypes' figures: 2.95 sd for one row, 4.25 for one of 20. */
	levels_error(&l, &gate, &e);
	ref_near("error", e.variance, 3.5 * (1 + 1 / 6.0), 1e-15);
	ref_near("df", e.df, 5, 1e-12);
	e = (struct levels_error){1 + 1 / 30.0, 29};
	ref_near("one row", levels_sees(&e, 0.05, 0.8), 2.94734919934821, 1e-10);
	ref_near("twenty", levels_sees(&e, 0.05 / 20, 0.8), 4.23325863032093, 1e-10);
	/* A new run has as many steps as a recorded one. */
	for (size_t i = 0; i < m.n; i++) {
		m.steps[i] = 8;
		m.variance[i] = 40;
	}
	estimate(&m, true, &l);
	levels_error(&l, &(struct levels_gate){1, 1, 0}, &e);
	ref_near("with steps", e.variance, 3.5 * (1 + 1 / 6.0), 1e-15);
	for (size_t i = 0; i < m.n; i++)
		m.session[i] = 0;
	/* Runs differ by 3.5, and by 40 / 8 from their steps alone. */
	estimate(&m, true, &l);
	levels_error_in_turns(&l, 9, &e);
	ref_near("no less than steps", e.variance, 2 * 5 / 9.0, 1e-15);
	ref_near("runs are fewer", e.df, 5, 1e-15);
	estimate(&(struct made){.n = 3, .value = {1, 2, 4}, .session = {0, 1, 1}}, false, &l);
	levels_error_in_turns(&l, 5, &e);
	assert_true(isnan(e.variance) && isnan(levels_sees(&e, 0.05, 0.8)));
	estimate(&m, false, &l);
	assert_true(isnan(l.part[LEVEL_SESSION].variance) && l.part[LEVEL_RUN].holds_below);
	levels_error(&l, &gate, &e);
	assert_true(isnan(e.variance) && isnan(levels_sees(&e, 0.05, 0.8)));
	levels_error_in_turns(&l, 5, &e);
	ref_near("in turns", e.variance, 2 * 3.5 / 5, 1e-15);
	ref_near("of all that is known", e.df, 4, 1e-15);
}

/* Standard deviations of each level, and how many units at most; fewer are drawn in some. */
struct world {
	double sd[LEVELS];
	size_t machines, sessions, runs, steps;
	bool balanced;
};

static void draw(gsl_rng *rng, const struct world *w, struct made *out)
{
	size_t session = 0;

	out->n = 0;
	for (size_t k = 0; k < w->machines; k++) {
		const double machine = gsl_ran_gaussian(rng, w->sd[LEVEL_MACHINE]);

		for (size_t s = 0; s < w->sessions; s++, session++) {
			const double shift = gsl_ran_gaussian(rng, w->sd[LEVEL_SESSION]);
			const size_t runs =
				w->balanced ? w->runs : 1 + gsl_rng_uniform_int(rng, w->runs);

			for (size_t r = 0; r < runs; r++) {
				const double steps = (double)w->steps;

				out->session[out->n] = session;
				out->machine[out->n] = k;
				out->steps[out->n] = steps;
				out->variance[out->n] = w->sd[LEVEL_STEP] * w->sd[LEVEL_STEP] *
							gsl_ran_chisq(rng, steps - 1) / (steps - 1);
				out->value[out->n++] =
					machine + shift + gsl_ran_gaussian(rng, w->sd[LEVEL_RUN]) +
					gsl_ran_gaussian(rng, w->sd[LEVEL_STEP] / sqrt(steps));
			}
		}
	}
}

/* Intervals of 90 % hold in 90 % of 500 stores, to within three standard errors. */
TEST(intervals_hold)
{
	static const struct world worlds[] = {
		{{5, 1, 3, 8}, 4, 8, 4, 20, false},
		{{5, 1, 3, 8}, 6, 5, 3, 20, true},
		{{5, 0.3, 8, 0}, 1, 30, 3, 20, false},
		{{2, 1, 0.5, 0}, 1, 12, 6, 50, false},
	};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t i = 0; i < sizeof(worlds) / sizeof(*worlds); i++) {
		int held[LEVELS] = {0};

		gsl_rng_set(rng, 17 + i);
		for (int t = 0; t < 500; t++) {
			static struct made m;
			struct levels l;

			draw(rng, &worlds[i], &m);
			estimate(&m, true, &l);
			for (size_t k = 0; k < LEVELS; k++) {
				const double truth = worlds[i].sd[k] * worlds[i].sd[k];

				held[k] += l.part[k].low <= truth && truth <= l.part[k].high;
			}
		}
		for (size_t k = 0; k < (worlds[i].machines > 1 ? 4 : 3); k++)
			assert_true(held[k] >= 430);
	}
	gsl_rng_free(rng);
}

/* What the levels say a gate sees is seen in 80 % of new sides that differ by it, with the errors
 * of the same store. */
TEST(change_seen)
{
	static const struct world worlds[] = {
		{{5, 0.3, 8, 0}, 1, 30, 1, 20, true},
		{{5, 2, 4, 0}, 1, 10, 3, 20, true},
		{{5, 2, 1, 0}, 1, 8, 4, 20, false},
	};
	const struct levels_gate gates[] = {{1, 1, 20}, {1, 3, 20}, {2, 2, 20}};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, 46);
	for (size_t i = 0; i < sizeof(worlds) / sizeof(*worlds); i++) {
		const struct world *w = &worlds[i];
		const struct levels_gate *g = &gates[i];
		int seen = 0, red = 0;

		for (int t = 0; t < 4000; t++) {
			static struct made m, side;
			struct world of_new = *w;
			struct levels_error e;
			double mean = 0, new_mean = 0, bound, difference;
			struct levels l;
			size_t sessions = 0;

			draw(rng, w, &m);
			estimate(&m, true, &l);
			levels_error(&l, g, &e);
			/* Means of sessions, each of which counts alike. */
			for (size_t r = 0; r < m.n;) {
				double sum = 0;
				size_t k = r;

				for (; k < m.n && m.session[k] == m.session[r]; k++)
					sum += m.value[k];
				mean += sum / (double)(k - r);
				sessions++;
				r = k;
			}
			of_new.sessions = (size_t)g->sessions;
			of_new.runs = (size_t)g->runs;
			of_new.balanced = true;
			draw(rng, &of_new, &side);
			for (size_t r = 0; r < side.n; r++)
				new_mean += side.value[r] / (double)side.n;
			difference = new_mean - mean / (double)sessions;
			bound = student_quantile(0.025, e.df) * sqrt(e.variance);
			red += fabs(difference) > bound;
			seen += difference + levels_sees(&e, 0.05, 0.8) > bound;
		}
		assert_true(red <= 240); /* 0.06 */
		assert_true(seen >= 3120 && seen <= 3280);
	}
	gsl_rng_free(rng);
}

TESTS_BEGIN(gsl_set_error_handler_off());
