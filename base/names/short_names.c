/* Cuts names in the middle; names that would look the same keep the part in which they differ. */
#include "base/names/short_names.h"
#include "base/order.h"
#include "base/names/code_names.h"
#include "base/names/demangled_name.h"

#include <stdlib.h>
#include <string.h>
#include "base/text.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define ROUNDS 4     /* of looking for differences among names that still look the same */
#define LEAST_LAST 8 /* columns for the last part and what is before it */

struct short_name {
	const char *recorded;	       /* as the caller has it */
	const char *name, *text, *cut; /* text: what is cut; the name or a form of it */
	size_t index;		       /* in the caller's order */
	bool fits;		       /* it stays as it is */
	bool made;		       /* harmless; not the name of the caller */
};

ORDERED(compare_cuts, struct short_name, strcmp(x->cut, y->cut) ?: strcmp(x->name, y->name));

/* Only what is shown goes into the arena: names may be long. */
static const char *shortened_bytes(struct arena *arena, const char *s, size_t n, size_t width)
{
	struct text whole, text;
	const char *result;

	text_init(&whole);
	text_init(&text);
	text_add_bytes(&whole, s, n);
	text_add_shortened(&text, text_string(&whole), width);
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	text_release(&whole);
	return result;
}

static const char *shortened(struct arena *arena, const char *s, size_t width)
{
	return shortened_bytes(arena, s, strlen(s), width);
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

/* The first `n` bytes of the part between the two texts; NULL where that is too wide. */
static const char *fitting(
	struct arena *arena, const char *before, const char *part, const char *after, size_t width)
{
	size_t n = part_length(part);
	const char *whole;

	if (n > 4 * width || !text_fits(before, width) || !text_fits(after, width))
		return NULL;
	whole = arena_printf(arena, "%s%.*s%s", before, (int)n, part, after);
	return text_fits(whole, width) ? whole : NULL;
}

/* FIRST/.../DIFFERENT/.../LAST, or without FIRST where that is too wide. */
static const char *around(struct arena *arena, const char *name, size_t index, size_t width)
{
	const char *part = part_at(name, index);
	const char *last = text_base_name(name);
	bool at_start = index == 0,
	     at_end = part && part + part_length(part) == name + strlen(name);
	const char *wide = NULL, *first, *end;

	if (!part)
		return shortened(arena, name, width);
	if (at_end || text_fits(last, width)) {
		end = at_end ? "" : arena_printf(arena, "/" ELLIPSIS "/%s", last);
		first = at_start ? ""
				 : fitting(arena, "", name, index == 1 ? "/" : "/" ELLIPSIS "/",
					   width);
		wide = first ? fitting(arena, first, part, end, width) : NULL;
		if (!wide)
			wide = fitting(arena, at_start ? "" : ELLIPSIS "/", part, end, width);
	}
	if (wide)
		return wide;
	wide = fitting(arena, "", part, "", width);
	if (at_end || !wide || text_width(wide) + LEAST_LAST > width)
		return shortened(arena, name, width);
	return arena_printf(arena, "%s/" ELLIPSIS "/%s", wide,
		shortened(arena, last, width - text_width(wide) - 3));
}

/* Text to compare: the cut text, or the name. */
static const char *compared(const struct short_name *item, bool names)
{
	return names ? item->name : item->text;
}

/* The same from the end, of what follows the first `start` bytes. */
static size_t common_end(const struct short_name *group, size_t count, size_t start, bool names)
{
	const char *a = compared(&group[0], names);
	size_t length = strlen(a), n = length - start;

	for (size_t i = 1; i < count; i++) {
		const char *b = compared(&group[i], names);
		size_t same = 0, size = strlen(b), most = size - start;

		most = most < n ? most : n;
		while (same < most && a[length - 1 - same] == b[size - 1 - same])
			same++;
		n = same;
	}
	while (n && ((unsigned char)a[length - n] & 0xc0) == 0x80)
		n--;
	return n;
}

/* HEAD...DIFFERENCE...: the part that the names share is cut. */
static const char *show_difference(
	struct arena *arena, const char *text, size_t start, size_t end, size_t width)
{
	size_t length = strlen(text), bytes = length - start - end;
	size_t head_most = width / 3;
	const char *middle = shortened_bytes(arena, text + start, bytes, width - head_most - 2);
	size_t room = width - text_width(middle) - 2;
	size_t wide = start < 4 * width ? start : 4 * width; /* bytes that cannot fit */
	const char *head = arena_strndup(arena, text, wide), *whole;

	if (wide < start || !text_fits(head, room)) {
		size_t n = room;

		while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
		head = arena_strndup(arena, text, n);
		while (!text_fits(head, room))
			head = arena_strndup(arena, text, --n);
		head = arena_printf(arena, "%s" ELLIPSIS, head);
	}
	whole = arena_printf(arena, "%s%s%s", head, middle, end ? ELLIPSIS : "");
	return text_fits(whole, width) ? whole : shortened(arena, text, width);
}

/* FORM DIFFERENCE, for functions whose forms are the same: in what their names differ. */
static const char *add_difference(
	struct arena *arena, const struct short_name *item, size_t start, size_t end, size_t width)
{
	const char *from = item->name + start;
	size_t bytes = strlen(from) - end, room;
	const char *middle;

	while (bytes && *from == ' ') {
		from++;
		bytes--;
	}
	if (!bytes)
		return item->cut;
	middle = shortened_bytes(arena, from, bytes, width - width / 3 - 1);
	room = width - text_width(middle) - 1;
	return arena_printf(arena, "%s%s%s", shortened(arena, item->text, room),
		from[-(from > item->name)] == ' ' ? " " : ELLIPSIS, middle);
}

static bool texts_are_equal(const struct short_name *group, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (!text_equal(group[i].text, group[0].text))
			return false;
	return true;
}

/* Sorted by cut: the groups of more than one different name that look the same. */
struct groups {
	struct short_name *sorted;
	size_t count;
	size_t at, next;
};

static bool next_group(struct groups *groups)
{
	while (groups->next < groups->count) {
		bool differ = false;

		groups->at = groups->next++;
		while (groups->next < groups->count && text_equal(groups->sorted[groups->next].cut,
							       groups->sorted[groups->at].cut)) {
			differ |= !text_equal(
				groups->sorted[groups->next].name, groups->sorted[groups->at].name);
			groups->next++;
		}
		if (differ)
			return true;
	}
	return false;
}

static bool separate_once(
	struct short_name *sorted, size_t count, size_t width, bool paths, struct arena *arena)
{
	struct groups groups = {.sorted = sorted, .count = count};
	bool any = false;

	qsort(sorted, count, sizeof(*sorted), compare_cuts);
	while (next_group(&groups)) {
		struct short_name *group = &sorted[groups.at];
		size_t n = groups.next - groups.at, start, end;
		bool names;

		any = true;
		if (paths && strchr(group->text, '/')) {
			/* The first part in which not all of the names are the same; sorted names
			 * differ most at their ends. */
			const char *a = group[0].text, *b = group[n - 1].text;
			size_t index = 0;

			for (size_t i = 0; a[i] && a[i] == b[i]; i++)
				index += a[i] == '/';

			for (size_t i = 0; i < n; i++)
				if (!group[i].fits)
					group[i].cut = around(arena, group[i].text, index, width);
			continue;
		}
		names = texts_are_equal(group, n);

		/* Number of bytes that all of them begin with, up to the start of a character. */
		const char *a = compared(&group[0], names);
		start = strlen(a);

		for (size_t i = 1; i < n; i++) {
			const char *b = compared(&group[i], names);
			size_t same = 0;

			while (same < start && a[same] == b[same])
				same++;
			start = same;
		}
		while (start && ((unsigned char)a[start] & 0xc0) == 0x80)
			start--;
		end = common_end(group, n, start, names);
		for (size_t i = 0; i < n; i++)
			if (!group[i].fits)
				group[i].cut =
					names ? add_difference(arena, &group[i], start, end, width)
					      : show_difference(
							arena, group[i].text, start, end, width);
	}
	return any;
}

/* Numbers the names that no cut makes different; `again`: no number is used twice, as numbers made
 * names alike. */
static void number_alike(
	struct short_name *sorted, size_t count, size_t width, bool again, struct arena *arena)
{
	struct groups groups = {.sorted = sorted, .count = count};
	size_t used = 0;

	qsort(sorted, count, sizeof(*sorted), compare_cuts);
	while (next_group(&groups)) {
		size_t number = again ? used : 0;
		const char *before = NULL, *cut = sorted[groups.at].cut;

		for (size_t i = groups.at; i < groups.next; i++)
			if (sorted[i].fits && !number)
				number = 1;
		for (size_t i = groups.at; i < groups.next; i++) {
			const char *digits;

			if (sorted[i].fits)
				continue;
			number += !before || !text_equal(before, sorted[i].name);
			before = sorted[i].name;
			if (number == 1)
				continue;
			digits = arena_printf(arena, "~%zu", number);
			sorted[i].cut = arena_printf(arena, "%s%s",
				shortened(arena, cut, width - strlen(digits)), digits);
		}
		used = number;
	}
}

/* text: what is cut, the name or, of a function, its form without types and namespaces. */
static void find_texts(struct short_name *item, size_t count, size_t width, struct arena *arena)
{
	const char **name = arena_array(arena, count, sizeof(*name));
	const char **form = arena_array(arena, count, sizeof(*form));
	size_t codes = 0;

	for (size_t i = 0; i < count; i++) {
		item[i].text = item[i].name;
		item[i].fits = text_fits(item[i].name, width);
		if (!item[i].fits && code_name_is(item[i].name) &&
			(i == 0 || !text_equal(item[i].name, item[i - 1].name)))
			name[codes++] = item[i].name;
	}
	code_names(name, codes, width, arena, form);
	codes = 0;
	for (size_t i = 0; i < count; i++) {
		bool again = i > 0 && text_equal(item[i].name, item[i - 1].name);

		if (again)
			item[i].text = item[i - 1].text;
		else if (!item[i].fits && code_name_is(item[i].name))
			item[i].text = form[codes++];
		item[i].cut = shortened(arena, item[i].text, width);
	}
}

static bool is_harmless(const char *name)
{
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f)
			return false;
	return *name != ' ' && !text_ends(name, " ");
}

/* The name made harmless: itself where it is. A blank at its start or end, which nobody sees, is
 * \x20. */
static const char *visible_name(struct arena *arena, const char *name)
{
	struct text text;
	const char *result;

	if (!*name)
		return NO_NAME;
	if (is_harmless(name))
		return name;
	text_init(&text);
	if (*name == ' ') {
		text_add(&text, "\\x20");
		name++;
	}
	text_add_shown(&text, name);
	if (text_ends(text_string(&text), " ")) {
		text.size--;
		text_add(&text, "\\x20");
	}
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return result;
}

ORDERED(compare_names, struct short_name, strcmp(x->name, y->name));

/* Names that are the same demangled, as those of the constructors C1 and C2, are shown as they are.
 */
static void keep_apart(struct short_name *item, size_t n, struct arena *arena)
{
	for (size_t at = 0, next; at < n; at = next) {
		bool differ = false;

		for (next = at + 1; next < n && text_equal(item[next].name, item[at].name); next++)
			differ |= !text_equal(item[next].recorded, item[at].recorded);
		for (size_t i = at; differ && i < next; i++)
			item[i].name = visible_name(arena, item[i].recorded);
	}
}

void short_names(
	const char *const *name, size_t count, size_t width, struct arena *arena, const char **cut)
{
	struct arena *scratch = arena_new();
	struct short_name *item = arena_array(scratch, count, sizeof(*item));
	size_t n = 0;
	bool wide = false;

	for (size_t i = 0; i < count; i++) {
		const char *demangled = name[i] ? demangled_name(scratch, name[i]) : NULL;
		const char *shown =
			name[i] ? visible_name(scratch, demangled ? demangled : name[i]) : NULL;

		if (shown) {
			wide |= demangled || !text_fits(shown, width);
			item[n++] = (struct short_name){.recorded = name[i],
				.name = shown,
				.index = i,
				.fits = true,
				.made = shown != name[i]};
		}
		cut[i] = shown;
	}
	if (wide) {
		qsort(item, n, sizeof(*item), compare_names);
		keep_apart(item, n, scratch);
		qsort(item, n, sizeof(*item), compare_names);
		find_texts(item, n, width, scratch);
		for (int i = 0; i < ROUNDS && separate_once(item, n, width, i == 0, scratch); i++)
			;
		number_alike(item, n, width, false, scratch);
		number_alike(item, n, width, true, scratch);
	}
	for (size_t i = 0; i < n; i++)
		if (!item[i].fits)
			cut[item[i].index] = arena_strdup(arena, item[i].cut);
		else if (item[i].made)
			cut[item[i].index] = arena_strdup(arena, item[i].name);
	arena_free(scratch);
}
