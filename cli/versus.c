/*
 * Loads and prepares two sides alike, and compares them.
 */
#include "cli/versus.h"

#include <math.h>
#include <string.h>
#include "analysis/noise.h"
#include "base/text.h"
#include "cli/compare_sort.h"
#include "cli/explain.h"
#include "cli/mixed.h"
#include "cli/options.h"
#include "cli/rounds.h"
#include "report/build_compare_explain.h"

void versus_clean(struct settings *settings)
{
	if (!settings->warmup_text)
		settings->steps.warmup = WARMUP_MODE_AUTO;
	if (!settings->kind_chosen)
		settings->steps.kind = 1;
}

/* Exactly two words, or --base and --new with any number of them. */
static int check_inputs(const struct settings *s, struct error *err)
{
	const struct compare_settings *c = &s->compare;

	if (!c->base.count && !c->next.count) {
		if (s->input.count == 2)
			return 0;
		error_set(err, ERROR_USAGE, NULL, "expected two inputs, BASE and NEW, found %zu",
			s->input.count);
		return error_hint(err, "each is a file or a folder, like before/ and after/; "
				       "several files a side: --base F... --new F...");
	}
	if (s->input.count) {
		error_set(err, ERROR_USAGE, *(const char *const *)vec_at(&s->input, 0),
			"belongs to no side");
		return error_hint(err, "with --base and --new every input follows one of them");
	}
	if (!c->base.count || !c->next.count)
		return error_set(err, ERROR_USAGE, c->base.count ? "--new" : "--base",
			"is missing: both sides need an input");
	return 0;
}

static struct side *load_side(struct settings *s, size_t which, struct error *err)
{
	const struct vec *list = which ? &s->compare.next : &s->compare.base;
	const char *const *path = s->input.data;

	if (s->input.count)
		return side_load(s, &path[which], 1, err);
	return side_load(s, list->data, list->count, err);
}

struct versus *versus_load(struct settings *settings, struct error *err)
{
	struct arena *arena;
	struct versus *v;

	if (check_inputs(settings, err) < 0)
		return NULL;
	arena = arena_new();
	v = arena_alloc(arena, sizeof(*v));
	v->arena = arena;
	v->base = load_side(settings, 0, err);
	v->next = v->base ? load_side(settings, 1, err) : NULL;
	if (v->next && settings->compare.noise_path)
		v->noise = side_load(settings, &settings->compare.noise_path, 1, err);
	if (!v->next || (settings->compare.noise_path && !v->noise))
		goto fail;
	if (settings->explain_inputs && (explain_inputs(settings, v->base, err) < 0 ||
						explain_inputs(settings, v->next, err) < 0))
		goto fail;
	return v;
fail:
	versus_free(v);
	return NULL;
}

/* The user's measures; else time, requested and peak where both sides have them; else what both
 * have. */
static int choose_measures(const struct versus *v, const struct settings *s,
	const enum measure_id **measure, size_t *count, struct error *err)
{
	static const enum measure_id standard[] = {MEASURE_TIME, MEASURE_REQUESTED, MEASURE_PEAK};
	enum measure_id *out = arena_array(v->arena, MEASURE_COUNT, sizeof(*out));
	const struct cube *base = v->base->self, *next = v->next->self;
	size_t n = 0;

	if (s->measure.count) {
		if (side_measures(v->base, s, v->arena, measure, count, err) < 0)
			return -1;
		return side_measures(v->next, s, v->arena, measure, count, err);
	}
	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++)
		if (cube_has(base, standard[i]) && cube_has(next, standard[i]))
			out[n++] = standard[i];
	for (enum measure_id id = 0; !n && id < MEASURE_COUNT; id++)
		if (cube_has(base, id) && cube_has(next, id))
			out[n++] = id;
	if (!n)
		return error_set(err, ERROR_INPUT, NULL, "%s and %s have no measure in common",
			v->base->label, v->next->label);
	*measure = out;
	*count = n;
	return 0;
}

static struct run_side run_side(const struct side *side)
{
	return (struct run_side){side->self, side->cube, &side->steps, &side->grouping};
}

/* With automatic warm-up a run whose steps never settle speaks for nothing. */
static bool is_unsteady(const struct side *side, const struct settings *s)
{
	if (s->steps.warmup != WARMUP_MODE_AUTO)
		return false;
	for (size_t r = 0; r < side->steps.run_count; r++)
		if (side->steps.warmup[r].state == WARMUP_UNSTEADY)
			return true;
	return false;
}

static void take_options(struct versus *v, const struct settings *s)
{
	v->options = s->compare.options;
	v->options.confidence = s->sample.confidence;
	v->options.value.skip_absent = s->skip_absent;
	v->options.value.of_selected = s->of_selected;
	if (s->min_share_given)
		v->options.min_share = s->min_share;
	v->options.unsteady = is_unsteady(v->base, s) || is_unsteady(v->next, s);
}

static int prepare(struct versus *v, struct settings *s, struct error *err)
{
	if (side_select(v->base, s, err) < 0 || side_select(v->next, s, err) < 0)
		return -1;
	v->left = (struct compare_side){v->base->label, run_side(v->base)};
	v->right = (struct compare_side){v->next->label, run_side(v->next)};
	take_options(v, s);
	if (!s->compare.allow_mixed && mixed_check(&v->left, &v->right, err) < 0)
		return -1;
	if (v->options.method == METHOD_PAIRED) {
		v->options.round = rounds_find(&v->left, &v->right, s, v->arena, err);
		if (!v->options.round)
			return -1;
	}
	return pairing_make(v->base->cube, &v->base->grouping, v->next->cube, &v->next->grouping,
		s->compare.match, v->arena, &v->pairing, err);
}

static int learn_noise(struct versus *v, struct settings *s, const enum measure_id *measure,
	size_t count, struct error *err)
{
	struct run_side side;

	if (!v->noise)
		return 0;
	if (side_select(v->noise, s, err) < 0)
		return error_context(err, "%s", v->noise->label);
	side = run_side(v->noise);
	v->options.noise = noise_make(&side, measure, count, &v->options.value, v->arena, err);
	return v->options.noise ? 0 : -1;
}

static int tell_sums(struct versus *v, const struct settings *s, struct side *side, bool of_next,
	struct error *err)
{
	size_t count = 0;

	for (size_t m = 0; m < v->comparison.measure_count; m++)
		count += of_next ? v->comparison.measure[m].next.out_of_range
				 : v->comparison.measure[m].base.out_of_range;
	/* The report of a comparison reads the issues of the ops themselves. */
	return side_out_of_range(s, side->self, count, side->label, err);
}

int versus_decide(struct versus *versus, struct settings *settings,
	const struct compare_rule *(*rule_of)(
		void *context, const char *name, enum measure_id id, struct error *err),
	void *context, struct error *err)
{
	const enum measure_id *measure;
	size_t count;

	if (prepare(versus, settings, err) < 0 ||
		choose_measures(versus, settings, &measure, &count, err) < 0 ||
		learn_noise(versus, settings, measure, count, err) < 0)
		return -1;
	versus->options.rule_of = rule_of;
	versus->options.rule_context = context;
	if (comparison_make(&versus->left, &versus->right, measure, count, &versus->pairing,
		    &versus->options, versus->arena, &versus->comparison, err) < 0)
		return -1;
	if (tell_sums(versus, settings, versus->base, false, err) < 0 ||
		tell_sums(versus, settings, versus->next, true, err) < 0)
		return -1;
	if (compare_sort(&versus->comparison, settings->sort_text, err) == 0)
		return 0;
	/* The order that a file chose may be one of report's columns; a comparison keeps its own
	 * then. */
	if (!settings->origin[options_find("sort") - option_table].from_file)
		return -1;
	*err = (struct error){.kind = ERROR_NONE};
	return 0;
}

struct taker {
	struct rules *rules;
	struct arena *scratch;
	struct error *err;
	bool failed;
};

static bool takes(void *context, const char *name)
{
	struct taker *t = context;
	struct rule_outcome outcome;

	if (t->failed || rules_apply(t->rules, name, t->scratch, &outcome, t->err) < 0) {
		t->failed = true;
		return false;
	}
	return outcome.kept;
}

struct report *versus_explain(const struct versus *versus, const struct settings *settings,
	const struct build_options *build, struct error *err)
{
	struct taker taker = {rules_new(), arena_new(), err, false};
	struct explain_choice choice = {takes, &taker};
	struct report *report = NULL;

	if (rules_add(taker.rules, RULE_INCLUDE, settings->compare.explain, NULL, "--explain",
		    err) == 0) {
		report = build_compare_explain(&versus->left, &versus->right, &versus->comparison,
			&versus->options, build, &choice);
		if (!report && !taker.failed) {
			error_set(err, ERROR_INPUT, "--explain", "\"%s\" takes no op",
				settings->compare.explain);
			error_hint(err, "--top=all lists the names");
		}
	}
	rules_free(taker.rules);
	arena_free(taker.scratch);
	if (taker.failed) {
		report_free(report);
		return NULL;
	}
	return report;
}

void versus_free(struct versus *versus)
{
	if (!versus)
		return;
	side_free(versus->noise);
	side_free(versus->next);
	side_free(versus->base);
	arena_free(versus->arena);
}
