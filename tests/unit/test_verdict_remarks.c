/* No row contradicts itself: verdict, change, interval and q of decided rows over a grid of
 * differences, spreads, runs, families, methods and levels. Where two of them seem to disagree, the
 * verdict carries its half sentence; where they do not, it carries none. */
#include <math.h>
#include <gsl/gsl_errno.h>
#include "analysis/compare/verdicts.h"
#include "report/compare/build_compare_words.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

#define ROWS_MOST 30
#define RUNS_MOST 5
#define WITHHELD "differ as much among themselves"

/* One combination of what the verdicts depend on besides the row itself. */
struct setting {
	enum compare_method method;
	size_t runs, rows, changed; /* rows beside the first that changed by 10 % */
	double alpha, confidence;
	bool unsteady, watched;
};

/* How often each pair that seems to disagree was met: a grid without it would show nothing. */
enum seeming {
	OUTSIDE,	    /* the change of the means is outside of the interval */
	UNDECIDED_FLAGGED,  /* INCONCLUSIVE, q < 0.001 */
	UNDECIDED_SHOWN,    /* INCONCLUSIVE, an interval without 0 */
	UNDECIDED_WITHHELD, /* INCONCLUSIVE because other splits of the runs claim as much */
	RED_NEAR,	    /* REGRESSED or IMPROVED, an interval that holds the margin */
	CHANGED_ZERO,	    /* SLOWER or FASTER, an interval with 0 */
	SAME_CHANGED,	    /* SAME, q < alpha */
	CHANGED_BEYOND,	    /* SLOWER or FASTER, an interval beyond the margin */
	SEEMINGS
};

static size_t met[SEEMINGS];

/* Five values of variance 1 and mean 0 or so; the skewed one has a run far from the others. */
static const double even[RUNS_MOST] = {-1, 1, 0, -0.7, 0.7};
static const double skewed[RUNS_MOST] = {-0.4, -0.5, 3, -0.45, -0.4};

static const struct run_row *make_side(
	struct arena *arena, size_t runs, double at, double spread, const double *pattern)
{
	double scaled[RUNS_MOST];

	for (size_t r = 0; r < runs; r++)
		scaled[r] = at + spread * pattern[r];
	return row_of_logs(arena, scaled, runs);
}

static void expect_remark(
	enum seeming seeming, bool is_met, const char *phrase, const char *one, const char *other)
{
	if (!is_met)
		return;
	met[seeming]++;
	if (!strstr(phrase, one) && !(other && strstr(phrase, other)))
		fail_msg("%s: expected (%s)", phrase, one);
}

static void check_row(const struct compare_builder *b, const struct compared *v)
{
	const char *phrase = phrase_verdict(b, v, DIMENSION_TIME);
	double below = 1 / (1 + MARGIN) - 1;
	bool zero = v->low <= 0 && v->high >= 0;
	bool beyond = v->low > MARGIN || v->high < below;
	bool within = v->low >= below && v->high <= MARGIN;
	bool red = v->verdict == VERDICT_REGRESSED || v->verdict == VERDICT_IMPROVED;
	bool changed = v->verdict == VERDICT_SLOWER || v->verdict == VERDICT_FASTER;
	bool open = v->verdict == VERDICT_INCONCLUSIVE;

	if (isnan(v->low))
		return;
	assert_true(isnan(v->change) || (v->change >= v->low && v->change <= v->high));
	expect_remark(OUTSIDE, v->of_centres, phrase, "far off", NULL);
	expect_remark(UNDECIDED_FLAGGED, open && v->q < 0.001, phrase, "no steady state",
		v->withheld ? WITHHELD : NULL);
	expect_remark(UNDECIDED_SHOWN, open && !zero && !v->withheld && !b->opt->unsteady, phrase,
		"alone ", "not at");
	expect_remark(UNDECIDED_WITHHELD, v->withheld && !b->opt->unsteady, phrase, WITHHELD, NULL);
	expect_remark(RED_NEAR, red && !beyond, phrase, "just beyond", NULL);
	expect_remark(CHANGED_ZERO, changed && zero, phrase, "just shown", NULL);
	expect_remark(SAME_CHANGED, v->verdict == VERDICT_SAME && v->flagged, phrase,
		"changed, by less", NULL);
	expect_remark(CHANGED_BEYOND, changed && beyond, phrase, "alone ", NULL);
	assert_false(red && beyond && strstr(phrase, "just"));
	assert_false(v->verdict == VERDICT_SAME && (!within || strstr(phrase, "just")));
	/* Of the direction that it shows. */
	assert_false(v->verdict == VERDICT_REGRESSED && v->diff < 0);
	assert_false(v->verdict == VERDICT_SLOWER && v->diff < 0);
	if (open && isfinite(v->detectable))
		assert_true(v->detectable >= fabs(v->change) && v->detectable >= MARGIN);
	/* The default's discoveries: their own interval shows them, at the usual levels. */
	if (b->opt->method == METHOD_MODERATED && v->flagged && !v->watch &&
		b->opt->confidence <= 1 - v->alpha)
		assert_false(zero);
}

static void decide(const struct setting *s, double diff, double spread, const double *pattern)
{
	struct arena *arena = arena_new();
	struct compare_options opt = usual_options(s->method);
	struct compared_measure measure = {.id = MEASURE_TIME,
		.base = {.runs = s->runs},
		.new = {.runs = s->runs},
		.total = {.base_mean = 1e12}};
	struct compared value[ROWS_MOST];
	struct decide_row row[ROWS_MOST];
	struct report report = {.arena = arena};
	struct compare_builder b = {.opt = &opt, .report = &report};
	struct error err = {.kind = ERROR_NONE};

	opt.rule.alpha = s->alpha;
	opt.rule.watch = s->watched ? arena : NULL;
	opt.confidence = s->confidence;
	opt.unsteady = s->unsteady;
	for (size_t i = 0; i < s->rows; i++) {
		double by = i == 0 ? diff : i <= s->changed ? 0.1 : 0.001 * (i % 3 - 1.0);
		double own = i == 0 ? spread : 0.01 * (1 + 0.1 * (double)(i % 7));

		value[i] = (struct compared){.base = make_side(arena, s->runs, 20,
						     pattern == skewed ? own / 10 : own, even),
			.new = make_side(arena, s->runs, 20 + by, own, i == 0 ? pattern : even)};
		row[i] = (struct decide_row){&value[i], "op", 0};
	}
	if (decide_rows(row, s->rows, &opt, &measure, &err))
		fail_msg("%s", err.message);
	for (size_t i = 0; i < s->rows; i++)
		check_row(&b, &value[i]);
	arena_free(arena);
}

static void over_differences(const struct setting *s)
{
	static const double diff[] = {0, 0.01, 0.02, 0.03, 0.06, 0.3};
	static const double spread[] = {1e-4, 0.003, 0.01, 0.03, 2};

	for (size_t i = 0; i < sizeof(diff) / sizeof(*diff); i++)
		for (size_t k = 0; k < sizeof(spread) / sizeof(*spread); k++) {
			decide(s, diff[i], spread[k], even);
			decide(s, -diff[i], spread[k], even);
			decide(s, diff[i], spread[k], skewed);
		}
}

static void over_families(struct setting s)
{
	static const struct {
		size_t rows, changed;
	} family[] = {{1, 0}, {12, 10}, {30, 0}, {30, 3}, {30, 20}};

	for (size_t i = 0; i < sizeof(family) / sizeof(*family); i++)
		for (s.runs = 2; s.runs <= RUNS_MOST; s.runs += 3) {
			s.rows = family[i].rows;
			s.changed = family[i].changed;
			over_differences(&s);
		}
}

TEST(what_seems_to_disagree_is_explained)
{
	static const enum compare_method method[] = {
		METHOD_MODERATED, METHOD_WELCH, METHOD_RANKSUM};

	gsl_set_error_handler_off();
	for (size_t i = 0; i < sizeof(method) / sizeof(*method); i++) {
		over_families(
			(struct setting){.method = method[i], .alpha = 0.05, .confidence = 0.95});
		over_families((struct setting){
			.method = method[i], .alpha = 0.05, .confidence = 0.95, .watched = true});
	}
	over_families((struct setting){.alpha = 0.01, .confidence = 0.95});
	over_families((struct setting){.alpha = 0.05, .confidence = 0.99});
	over_families((struct setting){.alpha = 0.05, .confidence = 0.95, .unsteady = true});
	for (size_t i = 0; i < SEEMINGS; i++)
		if (!met[i])
			fail_msg("the grid does not reach combination %zu", i);
}

/* A base that is 0, or may be, has no change in percent, and so no remark on its size. */
TEST(a_base_of_0_has_no_remark)
{
	static const enum verdict verdict[] = {
		VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_SLOWER, VERDICT_FASTER};
	struct report report = {.arena = arena_new()};
	struct compare_builder b = {.report = &report};

	for (size_t i = 0; i < sizeof(verdict) / sizeof(*verdict); i++) {
		struct compared v = {.evidence = EVIDENCE_LINEAR,
			.verdict = verdict[i],
			.change = NAN,
			.low = NAN,
			.high = NAN,
			.detectable = INFINITY};

		assert_null(strchr(phrase_verdict(&b, &v, DIMENSION_TIME), '('));
		v.margin = INFINITY;
		assert_null(strchr(phrase_verdict(&b, &v, DIMENSION_TIME), '('));
		v = (struct compared){.evidence = EVIDENCE_LINEAR,
			.verdict = verdict[i],
			.margin = MARGIN,
			.change = 40,
			.low = -INFINITY,
			.high = INFINITY,
			.detectable = 0.5};
		assert_null(strchr(phrase_verdict(&b, &v, DIMENSION_TIME), '('));
	}
	arena_free(report.arena);
}
