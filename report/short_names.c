/*
 * Cuts names in the middle; names that would look the same keep the first part of the path in which
 * they differ.
 */
#include "report/short_names.h"

#include <stdlib.h>
#include <string.h>
#include "base/text.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define LEAST_LAST 8 /* columns for the last part and what stands before it */

struct short_name {
	const char *name, *cut;
	size_t index;
};

static int compare_cuts(const void *a, const void *b)
{
	const struct short_name *x = a, *y = b;
	int order = strcmp(x->cut, y->cut);

	return order ? order : strcmp(x->name, y->name);
}

static const char *shortened(struct arena *arena, const char *s, size_t width)
{
	struct text text;
	const char *result;

	text_init(&text);
	text_add_shortened(&text, s, width);
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return result;
}

/* Start of part `index` of a path, or NULL. */
static const char *part_at(const char *name, size_t index)
{
	for (; index > 0; index--) {
		name = strchr(name, '/');
		if (!name)
			return NULL;
		name++;
	}
	return name;
}

static size_t part_length(const char *part)
{
	return strcspn(part, "/");
}

/* The first part in which not all of the names are the same; sorted names differ most at their
 * ends. */
static size_t first_difference(const struct short_name *group, size_t count)
{
	const char *a = group[0].name, *b = group[count - 1].name;
	size_t index = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		index += a[i] == '/';
	return index;
}

/* FIRST/.../DIFFERENT/.../LAST, or without FIRST where that is too wide. */
static const char *around(struct arena *arena, const char *name, size_t index, size_t width)
{
	const char *part = part_at(name, index);
	const char *last = text_base_name(name);
	bool at_start = index == 0,
	     at_end = part && part + part_length(part) == name + strlen(name);
	const char *wide;

	if (!part)
		return shortened(arena, name, width);
	wide = arena_printf(arena, "%.*s%s%.*s%s%s", at_start ? 0 : (int)part_length(name), name,
		at_start     ? ""
		: index == 1 ? "/"
			     : "/" ELLIPSIS "/",
		(int)part_length(part), part, at_end ? "" : "/" ELLIPSIS "/", at_end ? "" : last);
	if (text_width(wide) <= width)
		return wide;
	wide = arena_printf(arena, "%s%.*s%s%s", at_start ? "" : ELLIPSIS "/",
		(int)part_length(part), part, at_end ? "" : "/" ELLIPSIS "/", at_end ? "" : last);
	if (text_width(wide) <= width)
		return wide;
	wide = arena_strndup(arena, part, part_length(part));
	if (at_end || text_width(wide) + LEAST_LAST > width)
		return shortened(arena, name, width);
	return arena_printf(arena, "%s/" ELLIPSIS "/%s", wide,
		shortened(arena, last, width - text_width(wide) - 3));
}

static void separate(struct short_name *group, size_t count, size_t width, struct arena *arena)
{
	size_t index = first_difference(group, count);

	if (text_equal(group[0].name, group[count - 1].name))
		return;
	for (size_t i = 0; i < count; i++)
		group[i].cut = around(arena, group[i].name, index, width);
}

void short_names(
	const char *const *name, size_t count, size_t width, struct arena *arena, const char **cut)
{
	struct short_name *sorted = arena_array(arena, count, sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		cut[i] = NULL;
		if (name[i])
			sorted[n++] =
				(struct short_name){name[i], shortened(arena, name[i], width), i};
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), compare_cuts);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && text_equal(sorted[next].cut, sorted[i].cut);)
			next++;
		if (next - i > 1)
			separate(&sorted[i], next - i, width, arena);
	}
	for (size_t i = 0; i < n; i++)
		cut[sorted[i].index] = sorted[i].cut;
}
