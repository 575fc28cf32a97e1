/*
 * Rules are not for two threads at once.
 */
#include "pipeline/row_namer.h"

#include <pthread.h>

struct row_namer {
	const struct job_settings *settings;
	pthread_mutex_t lock;
};

static void release_lock(void *namer)
{
	pthread_mutex_destroy(&((struct row_namer *)namer)->lock);
}

struct row_namer *row_namer_new(const struct job_settings *settings, struct arena *arena)
{
	const struct group_options *group = &settings->group;
	struct row_namer *namer;

	if (!settings->value_total || group->by == BY_DEVICE ||
		(group_by_is_name(group->by) && group->collision == COLLISION_KEEP))
		return NULL;
	namer = arena_alloc(arena, sizeof(*namer));
	namer->settings = settings;
	pthread_mutex_init(&namer->lock, NULL);
	arena_defer(arena, release_lock, namer);
	return namer;
}

const char *row_namer_row(void *namer, const char *name, const char *type, struct arena *arena)
{
	struct row_namer *n = namer;
	const struct op op = {.name = name, .type = type, .device = ""};
	struct error ignored;
	const char *row;

	pthread_mutex_lock(&n->lock);
	if (grouping_row(n->settings->rules, &n->settings->group, &op, arena, &row, &ignored) < 0)
		row = NULL;
	pthread_mutex_unlock(&n->lock);
	return row;
}
