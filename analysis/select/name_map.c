/*
 * Reads the lines of a map and hands their rules to the sides.
 */
#include "analysis/select/name_map.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "base/memory.h"
#include "analysis/select/rename.h"

#define BYTES_MOST ((size_t)1 << 20)

struct map_line {
	const char *place, *text;
	const struct rule *rule[2]; /* of base and new; NULL: it is not for this side */
};

struct name_map {
	const char *path;
	struct rules *side[2];
	struct vec line; /* struct map_line */
	struct arena *arena;
};

const char *name_map_path(const struct name_map *map)
{
	return map->path;
}

struct rules *name_map_side(const struct name_map *map, size_t side)
{
	return map->side[side];
}

static void release(void *object)
{
	struct name_map *map = object;

	rules_free(map->side[0]);
	rules_free(map->side[1]);
	vec_release(&map->line);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static char *skip_blanks(char *s)
{
	while (is_blank(*s))
		s++;
	return s;
}

static void cut_blanks(char *s)
{
	size_t n = strlen(s);

	while (n > 0 && is_blank(s[n - 1]))
		n--;
	s[n] = '\0';
}

/* The word at *s, which is moved behind the blanks after it; the text is cut there. */
static char *take_word(char **s)
{
	char *word = *s, *end = word + strcspn(word, " \t");

	*s = end;
	if (*end) {
		*end = '\0';
		*s = skip_blanks(end + 1);
	}
	return word;
}

/* The last " = " of the text; NULL: it has none. */
static char *equals_sign(char *text)
{
	char *found = NULL;

	for (char *s = text; (s = strchr(s, '=')); s++)
		if ((s == text || is_blank(s[-1])) && (is_blank(s[1]) || !s[1]))
			found = s;
	return found;
}

/* ---- one line ---- */

/* Rule of one line. */
struct map_rule {
	bool for_side[2];
	enum rule_kind kind;
	char *text, *name; /* name: NULL for a rename */
};

static int parse_side(const char *word, const char *place, struct map_rule *rule, struct error *err)
{
	static const char *const words[] = {"base", "new", "both"};
	const size_t count = sizeof(words) / sizeof(*words);
	int near;

	for (size_t i = 0; i < count; i++)
		if (text_equal(word, words[i])) {
			rule->for_side[0] = i != 1;
			rule->for_side[1] = i != 0;
			return 0;
		}
	error_set(err, ERROR_USAGE, place, "found \"%s\", expected base, new or both", word);
	near = text_nearest(word, words, count);
	if (near >= 0)
		return error_hint(err, "did you mean \"%s\"?", words[near]);
	return error_hint(err, "a line is SIDE s/REGEX/TEXT/g, SIDE REGEX = NAME or SIDE type "
			       "REGEX = NAME");
}

static int parse_rule(char *text, const char *place, struct map_rule *rule, struct error *err)
{
	char *sign = equals_sign(text), *rest = text;

	if (!*text)
		return error_set(err, ERROR_USAGE, place,
			"found the end, expected s/REGEX/TEXT/g or REGEX = NAME");
	rule->kind = RULE_RENAME;
	rule->text = text;
	if (rename_is_substitution(text))
		return 0;
	if (!sign && text[0] == 's' && text[1] && strchr("/#|,:;!%@~", text[1]))
		return 0; /* the rename says what is wrong with it */
	if (!sign) {
		error_set(err, ERROR_USAGE, place,
			"found \"%s\", expected s/REGEX/TEXT/g or REGEX = NAME", text);
		return error_hint(err, "blanks are around the =");
	}
	*sign = '\0';
	cut_blanks(text);
	rule->kind = RULE_MAP;
	rule->name = skip_blanks(sign + 1);
	if (strncmp(text, "type", 4) == 0 && is_blank(text[4])) {
		take_word(&rest);
		rule->kind = RULE_MAP_TYPE;
		rule->text = rest;
	}
	return 0;
}

static int add_rule(struct name_map *map, const struct map_rule *rule, const char *typed,
	const char *place, struct error *err)
{
	struct map_line *line = vec_push(&map->line, err);

	if (!line)
		return -1;
	line->place = place;
	line->text = typed;
	for (size_t i = 0; i < 2; i++) {
		struct rules *rules = map->side[i];

		if (!rule->for_side[i])
			continue;
		if (rules_add(rules, rule->kind, rule->text, rule->name, place, err) < 0)
			return -1;
		line->rule[i] = rules_at(rules, rules_count(rules) - 1);
	}
	return 0;
}

static int read_line(struct name_map *map, char *text, size_t number, struct error *err)
{
	const char *place = arena_printf(map->arena, "%s:%zu", map->path, number), *typed;
	struct map_rule rule = {.text = NULL};
	char *word;

	cut_blanks(text);
	text = skip_blanks(text);
	if (!*text || *text == '#')
		return 0;
	typed = arena_strdup(map->arena, text);
	word = take_word(&text);
	if (parse_side(word, place, &rule, err) < 0 || parse_rule(text, place, &rule, err) < 0)
		return -1;
	return add_rule(map, &rule, typed, place, err);
}

static int read_lines(struct name_map *map, char *text, struct error *err)
{
	size_t number = 0;

	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (read_line(map, line, ++number, err) < 0)
			return -1;
	}
	if (map->line.count)
		return 0;
	error_set(err, ERROR_INPUT, map->path, "has no rule");
	return error_hint(err,
		"a line is SIDE s/REGEX/TEXT/g or SIDE REGEX = NAME, with base, new or "
		"both for SIDE");
}

/* ---- files ---- */

struct name_map *name_map_read_memory(
	const char *bytes, size_t size, const char *place, struct arena *arena, struct error *err)
{
	struct name_map *map = arena_alloc(arena, sizeof(*map));
	static const char mark[] = "\xef\xbb\xbf";
	const size_t skipped =
		size >= strlen(mark) && memcmp(bytes, mark, strlen(mark)) == 0 ? strlen(mark) : 0;

	map->path = arena_strdup(arena, place);
	map->arena = arena;
	map->side[0] = rules_new();
	map->side[1] = rules_new();
	vec_init(&map->line, sizeof(struct map_line), SIZE_MAX, "rules");
	arena_defer(arena, release, map);
	if (size > skipped && memchr(bytes, 0, size)) {
		error_set(err, ERROR_INPUT, place, "is no text: it has a zero byte");
		return NULL;
	}
	return read_lines(map, arena_strndup(arena, bytes + skipped, size - skipped), err) < 0
		       ? NULL
		       : map;
}

struct name_map *name_map_read(const char *path, struct arena *arena, struct error *err)
{
	struct name_map *map = NULL;
	FILE *file = fopen(path, "rb");
	struct text text;
	size_t got = 1;

	if (!file) {
		error_set(err, ERROR_INPUT, path, "cannot open: %s", strerror(errno));
		return NULL;
	}
	text_init(&text);
	while (got > 0 && text.size <= BYTES_MOST) {
		got = fread(text_room(&text, 4096), 1, 4096, file);
		text_extend(&text, got);
	}
	if (ferror(file))
		error_set(err, ERROR_INPUT, path, "cannot read: %s", strerror(errno));
	else if (text.size > BYTES_MOST)
		error_set(err, ERROR_LIMIT, path, "is longer than a megabyte");
	else
		map = name_map_read_memory(text_string(&text), text.size, path, arena, err);
	fclose(file);
	text_release(&text);
	return map;
}

size_t name_map_dead(const struct name_map *map, struct arena *arena, const char ***out)
{
	size_t count = 0;

	*out = arena_array(arena, map->line.count, sizeof(**out));
	for (size_t i = 0; i < map->line.count; i++) {
		const struct map_line *line = vec_at(&map->line, i);
		size_t hits = 0;

		for (size_t s = 0; s < 2; s++)
			hits += line->rule[s] ? line->rule[s]->hits : 0;
		if (!hits)
			(*out)[count++] = arena_printf(arena, "%s: %s", line->place, line->text);
	}
	return count;
}
