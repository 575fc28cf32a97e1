/* Compares the last part of a path with the names in its folder. */
#include "base/file_nearest.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/order.h"

#define NAMES_MOST 10000

/* None of a folder with more than NAMES_MOST: which of them come first is the file system's, and
 * changes. */
static size_t list_names(const char *folder, struct arena *arena, const char **names)
{
	const struct dirent *entry;
	bool more = false;
	DIR *dir = opendir(folder);
	size_t count = 0;

	while (dir && !more && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		more = count == NAMES_MOST;
		if (!more)
			names[count++] = arena_strdup(arena, entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (more)
		return 0;
	qsort(names, count, sizeof(*names), order_texts);
	return count;
}

bool file_nearest(const char *path, struct text *out)
{
	struct arena *arena = arena_new();
	const char **names = arena_array(arena, NAMES_MOST, sizeof(*names));
	size_t end = strlen(path), start;
	const char *name, *folder;
	int near = -1;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/';)
		start--;
	name = arena_strndup(arena, path + start, end - start);
	folder = start ? arena_strndup(arena, path, start) : ".";
	if (*name)
		near = text_nearest(name, names, list_names(folder, arena, names));
	text_clear(out);
	if (near >= 0) {
		text_add_bytes(out, path, start);
		text_add(out, names[near]);
	}
	arena_free(arena);
	return near >= 0;
}
