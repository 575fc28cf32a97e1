/*
 * Default settings.
 */
#include "cli/settings.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static void release_vec(void *object)
{
	vec_release(object);
}

static void free_rules(void *object)
{
	rules_free(object);
}

static void init_vec(struct settings *s, struct vec *v, size_t item_bytes, const char *what)
{
	vec_init(v, item_bytes, 100000, what);
	arena_defer(s->arena, release_vec, v);
}

struct settings *settings_new(void)
{
	struct arena *arena = arena_new();
	struct settings *s = arena_alloc(arena, sizeof(*s));
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	s->arena = arena;
	init_vec(s, &s->input, sizeof(const char *), "inputs");
	init_vec(s, &s->output, sizeof(const char *), "outputs");
	init_vec(s, &s->rules_file, sizeof(const char *), "rules files");
	init_vec(s, &s->range, sizeof(struct step_range), "parts of --steps");
	init_vec(s, &s->timeline.skip, sizeof(struct step_range), "parts of --skip");
	init_vec(s, &s->measure, sizeof(enum measure_id), "measures");
	init_vec(s, &s->stat, sizeof(struct statistic_choice), "statistics");
	s->rules = rules_new();
	arena_defer(arena, free_rules, s->rules);
	s->sample.confidence = 0.95;
	s->top = 10;
	s->kilobyte = 1000;
	s->shard_bytes = 1000000000;
	init_vec(s, &s->compare.base, sizeof(const char *), "inputs");
	init_vec(s, &s->compare.next, sizeof(const char *), "inputs");
	s->compare.options = (struct compare_options){.rule = {.margin_relative = 0.02,
							      .margin_absolute = NAN,
							      .margin_share = NAN,
							      .alpha = 0.05},
		.min_share = 0.001,
		.run_cv = NAN};
	s->compare.today = INT32_MIN;
	s->read = read_options_default;
	s->read.trace.tally = arena_alloc(arena, sizeof(*s->read.trace.tally));
	s->read.trace.spill_folder = getenv("TMPDIR");
	s->jobs = processors > 0 ? (size_t)processors : 1;
	return s;
}

void settings_free(struct settings *settings)
{
	if (settings)
		arena_free(settings->arena);
}

int settings_add_input(struct settings *settings, const char *path, struct error *err)
{
	struct vec *list = settings->compare.side == INPUT_BASE	 ? &settings->compare.base
			   : settings->compare.side == INPUT_NEW ? &settings->compare.next
								 : &settings->input;
	const char **slot = vec_push(list, err);

	if (!slot)
		return -1;
	*slot = path;
	return 0;
}
