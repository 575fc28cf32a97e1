/* Parameters first, from the end of a name; what is left is split at its last separator. */
#include "report/page/page_names.h"

#include <ctype.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"

static const char *const separators[] = {"::", " > ", "/", "."};
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The separator that begins at s, which a point is between letters only; 0: none. */
static size_t separator_at(const char *name, const char *s)
{
	for (size_t i = 0; i < COUNT(separators); i++) {
		if (!text_starts(s, separators[i]))
			continue;
		if (*s == '.' && (s == name || !isalpha((unsigned char)s[-1]) ||
					 !isalpha((unsigned char)s[1])))
			return 0;
		return strlen(separators[i]);
	}
	return 0;
}

static bool is_number(const char *s, size_t n)
{
	double value;

	return number_parse_real(s, n, &value);
}

/* "size=64", "64"; false: no parameter. Text without a name is one only where `any` says so. */
static bool add_param(
	struct arena *arena, struct name_parts *parts, const char *s, size_t n, bool any)
{
	const char *equals = memchr(s, '=', n);

	if (!n || parts->params == NAME_PARAMS_MOST || (!equals && !any && !is_number(s, n)) ||
		equals == s)
		return false;

	const size_t key = equals ? (size_t)(equals - s) : 0;
	const char **param = parts->param[parts->params++];

	param[0] = equals ? arena_printf(arena, "%.*s", (int)key, s)
			  : arena_printf(arena, "%zu", parts->params);
	param[1] = equals ? arena_printf(arena, "%.*s", (int)(n - key - 1), equals + 1)
			  : arena_printf(arena, "%.*s", (int)n, s);
	return true;
}

/* "[64-json]" of pytest, "(size=64, kind=a)" of JMH, at the end; returns the length before it. */
static size_t take_brackets(
	struct arena *arena, struct name_parts *parts, const char *name, size_t length)
{
	const char close = length ? name[length - 1] : '\0';
	const char *open = close == ']'	  ? strchr(name, '[')
			   : close == ')' ? strchr(name, '(')
					  : NULL;
	const char *between = close == ']' ? "-" : ",";

	if (!open || open == name ||
		(close == ')' && !memchr(open, '=', length - (size_t)(open - name))))
		return length;
	for (const char *s = open + 1; s < name + length - 1;) {
		const size_t room = (size_t)(name + length - 1 - s);
		size_t n = strcspn(s, between);

		if (n > room)
			n = room;
		add_param(arena, parts, s, n, true);
		s += n + 1;
		s += strspn(s, " ");
	}
	while (open > name && (open[-1] == ' ' || open[-1] == ':'))
		open--;
	return (size_t)(open - name);
}

/* "/size=64/8": parts at the end that are parameters, in their order. */
static size_t take_slashes(
	struct arena *arena, struct name_parts *parts, const char *name, size_t length)
{
	size_t start = length;

	for (size_t end = length; end;) {
		size_t at = end;

		while (at && name[at - 1] != '/')
			at--;
		if (at < 2 || !(memchr(name + at, '=', end - at) || is_number(name + at, end - at)))
			break;
		start = at - 1;
		end = at - 1;
	}
	for (size_t at = start; at < length;) {
		const size_t n = strcspn(name + at + 1, "/");
		const size_t room = length - at - 1;

		add_param(arena, parts, name + at + 1, n < room ? n : room, false);
		at += n + 1;
	}
	return start;
}

/* Length of "-8" at the end; 0: none. */
static size_t threads_length(const char *name)
{
	const size_t length = strlen(name);
	size_t n = 0;

	while (n < length && isdigit((unsigned char)name[length - 1 - n]))
		n++;
	return n && n + 1 < length && name[length - 1 - n] == '-' ? n + 1 : 0;
}

static void split(struct arena *arena, struct name_parts *parts, const char *name, size_t length)
{
	size_t after, n;

	length = take_brackets(arena, parts, name, length);
	length = take_slashes(arena, parts, name, length);
	for (after = length; after > 1; after--)
		if ((n = separator_at(name, name + after - 1)) && after - 1 + n < length)
			break;
	if (after <= 1) {
		parts->package = "";
		parts->bench = arena_printf(arena, "%.*s", (int)length, name);
		return;
	}
	n = separator_at(name, name + after - 1);
	parts->package = arena_printf(arena, "%.*s", (int)(after - 1), name);
	parts->bench =
		arena_printf(arena, "%.*s", (int)(length - after + 1 - n), name + after - 1 + n);
}

/* Length of the first `depth` parts of a package. */
static size_t cut_length(const char *package, size_t depth)
{
	const char *s = package;
	size_t n;

	for (; *s; s++)
		if (s > package && (n = separator_at(package, s))) {
			if (!--depth)
				break;
			s += n - 1;
		}
	return (size_t)(s - package);
}

/* True if there are at most PACKAGES_MOST packages of this depth. */
static bool are_few(const struct name_parts *parts, size_t count, size_t depth)
{
	const char *found[PACKAGES_MOST];
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const size_t length = cut_length(parts[i].package, depth);
		size_t k = 0;

		while (k < n && (cut_length(found[k], depth) != length ||
					strncmp(found[k], parts[i].package, length) != 0))
			k++;
		if (k == PACKAGES_MOST)
			return false;
		if (k == n)
			found[n++] = parts[i].package;
	}
	return true;
}

#define DEPTH_MOST 8

struct name_parts *name_parts_find(struct arena *arena, const char *const *name, size_t count)
{
	struct name_parts *parts = arena_array(arena, count, sizeof(*parts));
	size_t threads = count ? threads_length(name[0]) : 0, depth = DEPTH_MOST;

	for (size_t i = 1; i < count; i++)
		if (threads_length(name[i]) != threads ||
			!text_ends(name[i], name[0] + strlen(name[0]) - threads))
			threads = 0;
	for (size_t i = 0; i < count; i++)
		split(arena, &parts[i], name[i], strlen(name[i]) - threads);
	while (depth && !are_few(parts, count, depth))
		depth--;
	for (size_t i = 0; i < count; i++)
		parts[i].package = arena_printf(arena, "%.*s",
			depth ? (int)cut_length(parts[i].package, depth) : 0, parts[i].package);
	return parts;
}
