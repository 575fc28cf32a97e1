/* Takes s/REGEX/TEXT/FLAGS apart, checks TEXT against the groups of REGEX before any name is seen,
 * and applies it to names. */
#include "analysis/select/rename.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

/* A name may grow to this, or keep a greater length: twenty times `s/./$0$0/g` has to end. */
#define NAME_MOST 65536
#define GROUP_NAME_MOST 32 /* PCRE2's own limit */

/* The three parts as indexes into the typed text. */
struct rename_parts {
	const char *typed;
	char delimiter;
	size_t regex, regex_end, text, text_end, flags;
};

struct problem {
	size_t offset;
	char message[256];
};

static bool is_delimiter(char c)
{
	return c > ' ' && c < 0x7f && c != '\\' && !text_is_digit(c) && !(c >= 'A' && c <= 'Z') &&
	       !(c >= 'a' && c <= 'z');
}

static bool is_word(char c)
{
	return text_is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Name of a character in a message; out has room for 8 bytes. */
static const char *show_character(const char *s, char *out)
{
	size_t length = text_utf8_length(s, strlen(s));

	if (*s == '\0')
		return "the end";
	if (length && !(length == 1 && (*s < ' ' || *s == 0x7f)))
		snprintf(out, 8, "\"%.*s\"", (int)length, s);
	else
		snprintf(out, 8, "\\x%02x", (unsigned char)*s);
	return out;
}

/* Index of the delimiter that ends the part, or of the final 0. */
static size_t part_end(const char *typed, size_t i, char delimiter)
{
	while (typed[i] && typed[i] != delimiter) {
		if (typed[i] == '\\' && typed[i + 1])
			i++;
		i++;
	}
	return i;
}

/* True if the text has the three parts of a substitution. Their contents may be wrong. */
static bool rename_is_substitution(const char *text)
{
	size_t end;

	if (text[0] != 's' || !is_delimiter(text[1]))
		return false;
	end = part_end(text, 2, text[1]);
	return text[end] && text[part_end(text, end + 1, text[1])];
}

static int split(const struct rule *rule, struct rename_parts *p, bool *all, bool *ignore_case,
	struct error *err)
{
	const char *s = p->typed = rule->text;
	char shown[8], message[128];

	if (s[0] != 's') {
		snprintf(message, sizeof(message), "found %s, expected s/REGEX/TEXT/FLAGS",
			show_character(s, shown));
		return rule_wrong(rule, 0, message, err);
	}
	p->delimiter = s[1];
	if (!is_delimiter(s[1])) {
		snprintf(message, sizeof(message),
			"found %s, expected a delimiter like / or #: ASCII punctuation other than "
			"backslash",
			show_character(s + 1, shown));
		return rule_wrong(rule, 1, message, err);
	}
	p->regex = 2;
	p->regex_end = part_end(s, p->regex, p->delimiter);
	if (p->regex_end == p->regex && s[p->regex_end])
		return rule_wrong(rule, p->regex, "found an empty REGEX, expected a pattern", err);
	p->text = p->regex_end + (s[p->regex_end] != '\0');
	p->text_end = part_end(s, p->text, p->delimiter);
	if (!s[p->regex_end] || !s[p->text_end]) {
		snprintf(message, sizeof(message), "found the end, expected \"%c\" after %s",
			p->delimiter, s[p->regex_end] ? "TEXT" : "REGEX");
		return rule_wrong(rule, p->text_end, message, err);
	}
	p->flags = p->text_end + 1;
	*all = *ignore_case = false;
	for (size_t i = p->flags; s[i]; i++) {
		bool *flag = s[i] == 'g' ? all : s[i] == 'i' ? ignore_case : NULL;

		if (!flag || *flag) {
			snprintf(message, sizeof(message),
				"found flag %s%s, expected g (every match) or i (ignore case)",
				show_character(s + i, shown), flag ? " twice" : "");
			return rule_wrong(rule, i, message, err);
		}
		*flag = true;
	}
	return 0;
}

/* Copies REGEX as PCRE2 shall see it, up to `most` bytes, and returns where it is in the typed
 * text: this is also how an offset is translated back. An escaped delimiter is that character;
 * where it means something in a pattern the backslash has to stay for that. */
static size_t unescape_regex(const struct rename_parts *p, size_t most, struct text *out)
{
	bool special = strchr("^$.[]|()?*+{}-", p->delimiter) != NULL;
	size_t i = p->regex;

	for (; i < p->regex_end && out->size < most; i++) {
		if (p->typed[i] == '\\') {
			if (special || p->typed[i + 1] != p->delimiter)
				text_add_char(out, '\\');
			i++;
		}
		text_add_char(out, p->typed[i]);
	}
	return i;
}

/* The same for TEXT. A backslash comes before itself or the delimiter only. */
static size_t unescape_text(const struct rename_parts *p, size_t most, struct text *out)
{
	size_t i = p->text;

	for (; i < p->text_end && out->size < most; i++) {
		bool escaped = p->typed[i] == '\\';

		i += escaped;
		if (escaped && p->typed[i] == '$')
			text_add_char(out, '$');
		text_add_char(out, p->typed[i]);
	}
	return i;
}

static bool check_text_bytes(const struct rename_parts *p, struct problem *problem)
{
	char shown[8];

	for (size_t i = p->text; i < p->text_end;) {
		const char *s = p->typed + i;
		size_t length = text_utf8_length(s, p->text_end - i);

		problem->offset = i;
		if (!length) {
			snprintf(problem->message, sizeof(problem->message),
				"found byte %s in TEXT, expected UTF-8", show_character(s, shown));
			return false;
		}
		if (*s == '\\' && s[1] != '\\' && s[1] != p->delimiter) {
			snprintf(problem->message, sizeof(problem->message),
				"found a backslash before %s in TEXT, expected one before \"%c\" "
				"or itself only; groups are $1 and ${name}",
				show_character(s + 1, shown), p->delimiter);
			return false;
		}
		i += *s == '\\' ? 2 : length;
	}
	return true;
}

static bool check_number(const char *text, size_t *i, uint32_t groups, char *message, size_t room)
{
	uint64_t number = 0;
	size_t start = *i;

	for (; text_is_digit(text[*i]); (*i)++)
		if (number <= groups)
			number = number * 10 + (uint64_t)(text[*i] - '0');
	if (number <= groups)
		return true;
	if (groups)
		snprintf(message, room, "TEXT has group %.*s, REGEX has groups 1 to %u",
			(int)(*i - start < 12 ? *i - start : 12), text + start, (unsigned)groups);
	else
		snprintf(message, room, "TEXT has group %.*s, REGEX has no group",
			(int)(*i - start < 12 ? *i - start : 12), text + start);
	return false;
}

static bool check_name(
	const char *text, size_t *i, const pcre2_code *code, bool mark, char *message, size_t room)
{
	char name[GROUP_NAME_MOST + 1];
	size_t start = *i, size;

	while (is_word(text[*i]))
		(*i)++;
	size = *i - start;
	if (size == 0) {
		snprintf(message, room, "found a lone \"$\" in TEXT, expected $1, ${name} or $$");
		return false;
	}
	snprintf(name, sizeof(name), "%.*s", size < sizeof(name) ? (int)size : 0, text + start);
	if (mark && strcmp(name, "MARK") == 0)
		return true;
	if (!mark && name[0]) {
		int number = pcre2_substring_number_from_name(code, (PCRE2_SPTR)name);

		if (number > 0 || number == PCRE2_ERROR_NOUNIQUESUBSTRING)
			return true;
	}
	snprintf(message, room, "TEXT has group \"%.*s\", REGEX has no group of this name",
		(int)(size < 40 ? size : 40), text + start);
	return false;
}

/* Checks the group references in PCRE2's replacement syntax, as pcre2_substitute reads it: there, a
 * wrong one is found only when a name matches. */
static bool check_references(
	const struct text *text, const pcre2_code *code, struct problem *problem)
{
	const char *s = text_string(text);
	uint32_t groups = 0;

	(void)pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
	for (size_t i = 0; s[i]; i++) {
		if (s[i] != '$')
			continue;
		problem->offset = i++;
		if (s[i] == '$')
			continue;
		bool brace = s[i] == '{', good;

		i += brace;
		bool mark = s[i] == '*';

		i += mark;
		if (text_is_digit(s[i]) && !mark)
			good = check_number(
				s, &i, groups, problem->message, sizeof(problem->message));
		else
			good = check_name(
				s, &i, code, mark, problem->message, sizeof(problem->message));
		if (!good)
			return false;
		if (brace && s[i] != '}') {
			snprintf(problem->message, sizeof(problem->message),
				"found \"${\" in TEXT without a \"}\" after the group");
			return false;
		}
		i -= !brace;
	}
	return true;
}

static struct pattern *new_pattern(struct matcher *matcher, const struct rule *rule,
	const struct rename_parts *p, bool ignore_case, struct error *err)
{
	struct pattern_problem problem;
	struct text regex;

	text_init(&regex);
	unescape_regex(p, SIZE_MAX, &regex);
	struct pattern *pattern =
		pattern_new(matcher, rule, text_string(&regex), regex.size, ignore_case, &problem);
	if (!pattern) {
		text_clear(&regex);
		rule_wrong(rule, unescape_regex(p, problem.offset, &regex), problem.message, err);
	}
	text_release(&regex);
	return pattern;
}

struct rename *rename_new(struct matcher *matcher, const struct rule *rule, struct error *err)
{
	struct rename *rename = arena_alloc(matcher->arena, sizeof(*rename));
	struct rename_parts p = {0};
	struct problem problem;
	struct text text;
	bool ignore_case;

	if (split(rule, &p, &rename->all, &ignore_case, err))
		return NULL;
	rename->pattern = new_pattern(matcher, rule, &p, ignore_case, err);
	if (!rename->pattern)
		return NULL;
	if (!check_text_bytes(&p, &problem)) {
		rule_wrong(rule, problem.offset, problem.message, err);
		return NULL;
	}
	text_init(&text);
	unescape_text(&p, SIZE_MAX, &text);
	bool good = check_references(&text, rename->pattern->code[0][0], &problem);
	if (good) {
		rename->text = arena_strndup(matcher->arena, text_string(&text), text.size);
		rename->text_size = text.size;
	} else {
		text_clear(&text);
		rule_wrong(rule, unescape_text(&p, problem.offset, &text), problem.message, err);
	}
	text_release(&text);
	return good ? rename : NULL;
}

void rename_buffer_room(struct rename_buffer *buffer, size_t size)
{
	if (buffer->data && size < buffer->room)
		return;
	buffer->room = size + 1 > 256 ? size + 1 : 256;
	buffer->data = memory_resize(buffer->data, buffer->room);
}

int rename_apply(struct matcher *matcher, const struct rename *rename, const char *op,
	const struct rename_buffer *from, struct rename_buffer *to, struct error *err)
{
	struct pattern *pattern = rename->pattern;
	pcre2_match_data *data = pattern_data(matcher, pattern);
	/* A group that did not match is empty text, as in Perl. */
	uint32_t options = PCRE2_SUBSTITUTE_UNSET_EMPTY | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH |
			   (rename->all ? PCRE2_SUBSTITUTE_GLOBAL : 0);
	size_t most = from->size > NAME_MOST ? from->size : NAME_MOST;
	bool bytes = false;

	rename_buffer_room(to, from->size);
	for (;;) {
		const pcre2_code *code = pattern_code(matcher, pattern, bytes, false, op, err);
		PCRE2_SIZE size = to->room;

		if (!code)
			return -1;
		int rc = pcre2_substitute(code, (PCRE2_SPTR)from->data, from->size, 0, options,
			data, matcher->matching, (PCRE2_SPTR)rename->text, rename->text_size,
			(PCRE2_UCHAR *)to->data, &size);

		if (rc >= 0 && size <= most) {
			to->size = size;
			return 0;
		}
		if (pattern_not_utf8(rc) && !bytes)
			bytes = true;
		else if (rc == PCRE2_ERROR_JIT_STACKLIMIT && !(options & PCRE2_NO_JIT))
			options |= PCRE2_NO_JIT;
		else if (rc == PCRE2_ERROR_NOMEMORY && size > to->room && size - 1 <= most)
			rename_buffer_room(to, size - 1);
		else if (rc >= 0 || rc == PCRE2_ERROR_NOMEMORY)
			return pattern_too_long(pattern->rule, most, op, err);
		else
			return pattern_fail(pattern->rule, rc, op, err);
	}
}

/* Reads the lines of a map and hands their rules to the sides. */

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
	return error_hint(
		err, "a line is SIDE s/REGEX/TEXT/g, SIDE REGEX = NAME or SIDE type REGEX = NAME");
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

	struct map_line *line = vec_push(&map->line, err);

	if (!line)
		return -1;
	line->place = place;
	line->text = typed;
	for (size_t i = 0; i < 2; i++) {
		struct rules *rules = map->side[i];

		if (!rule.for_side[i])
			continue;
		if (rules_add(rules, rule.kind, rule.text, rule.name, place, err) < 0)
			return -1;
		line->rule[i] = rules_at(rules, rules_count(rules) - 1);
	}
	return 0;
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
	return error_hint(err, "a line is SIDE s/REGEX/TEXT/g or SIDE REGEX = NAME, with base, new "
			       "or both for SIDE");
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
