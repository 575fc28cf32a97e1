/*
 * Defaults of a job.
 */
#include "pipeline/settings.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "analysis/select/pattern.h"

static void release_vec(void *object)
{
	vec_release(object);
}

static void free_rules(void *object)
{
	rules_free(object);
}

static void init_vec(struct job_settings *s, struct vec *v, size_t item_bytes, const char *what)
{
	vec_init(v, item_bytes, 100000, what);
	arena_defer(s->arena, release_vec, v);
}

void job_settings_init(struct job_settings *s, struct arena *arena)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	*s = (struct job_settings){.arena = arena};
	init_vec(s, &s->input, sizeof(const char *), "inputs");
	init_vec(s, &s->range, sizeof(struct step_range), "parts of --steps");
	init_vec(s, &s->rank, sizeof(const char *), "ranks");
	init_vec(s, &s->measure, sizeof(enum measure_id), "measures");
	init_vec(s, &s->stat, sizeof(struct statistic_choice), "statistics");
	init_vec(s, &s->compare.base, sizeof(const char *), "inputs");
	init_vec(s, &s->compare.new_side, sizeof(const char *), "inputs");
	s->rules = rules_new();
	arena_defer(arena, free_rules, s->rules);
	s->measures_option = "--measures";
	s->sample.confidence = 0.95;
	s->top = 10;
	s->kilobyte = 1000;
	s->compare.options = (struct compare_options){.rule = {.margin_relative = 0.02,
							      .margin_absolute = NAN,
							      .margin_share = NAN,
							      .alpha = 0.05},
		.margin_ps = NAN,
		.margin_bytes = NAN,
		.min_share = 0.001,
		.run_cv = NAN};
	s->compare.allow_loss = 0.10;
	s->compare.today = INT32_MIN;
	s->read = read_options_default;
	s->read.trace.user_code = user_code_match;
	s->read.trace.tally = arena_alloc(arena, sizeof(*s->read.trace.tally));
	s->jobs = processors > 0 ? (size_t)processors : 1;
}

int job_settings_add_input(struct job_settings *s, const char *path, struct error *err)
{
	struct vec *list = s->compare.side == INPUT_BASE  ? &s->compare.base
			   : s->compare.side == INPUT_NEW ? &s->compare.new_side
							  : &s->input;
	const char **slot = vec_push(list, err);

	if (!slot)
		return -1;
	*slot = path;
	return 0;
}
