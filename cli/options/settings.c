/* Default settings. */
#include "cli/options/settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/text.h"

const char *const color_mode_words[] = {"auto", "always", "never", NULL};
const char *const layout_words[] = {"table", "notebook", "flat", "as-printed", NULL};

static void release_vec(void *object)
{
	vec_release(object);
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

	s->arena = arena;
	job_settings_init(&s->job, arena);
	init_vec(s, &s->output, sizeof(const char *), "outputs");
	init_vec(s, &s->rules_file, sizeof(const char *), "rules files");
	init_vec(s, &s->note, sizeof(const char *), "notes");
	init_vec(s, &s->timeline.skip, sizeof(struct step_range), "parts of --skip");
	s->shard_bytes = 1000000000;
	s->ab.max_time_ps = 600 * INT64_C(1000000000000);
	s->job.read.trace.spill_folder = getenv("TMPDIR");
	return s;
}

void settings_free(struct settings *settings)
{
	if (settings)
		arena_free(settings->arena);
}

bool output_ends_in_slash(const char *path)
{
	size_t n = strlen(path);

	return n > 1 && path[n - 1] == '/';
}

bool output_is_folder(const char *path)
{
	struct stat info;

	if (text_equal(path, "-"))
		return false;
	return text_ends(path, "/") || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}
