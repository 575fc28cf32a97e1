/*
 * Rewrites word by word: an option with its value becomes today's option with its value.
 */
#include "tfprof/options/old_words.h"

#include <string.h>
#include "base/memory.h"
#include "tfprof/options/word_list.h"

/* The first that fits: an option with this value (NULL: any), or with this word in its list. */
static const struct old_word {
	const char *option, *value;
	const char *today, *today_value; /* before the typed value, where any fits */
} old_words[] = {
	{"dump_to_file", "", "output", "stdout"},
	{"dump_to_file", NULL, "output", "file:outfile="},
	{"viz", "true", "output", "timeline:outfile=timeline"},
	{"viz", "false", "output", "stdout"},
	{"order_by", "depth", "order_by", "name"},
	{"order_by", "num_hidden_ops", "order_by", "name"},
	{"select", "num_hidden_ops", "select", ""},
};

#define OLD_WORDS (sizeof(old_words) / sizeof(*old_words))

/* An option of today or of 2017, as it was typed. */
struct typed {
	const char *name;  /* without dashes, as it is spelt in the tables */
	const char *value; /* NULL: none */
	bool is_flag;	   /* two dashes, and "=" before a value */
	bool used_next;
};

static bool has_changed_name(const char *name)
{
	for (size_t i = 0; i < OLD_WORDS; i++)
		if (text_equal(old_words[i].option, name))
			return !text_equal(old_words[i].today, name);
	return false;
}

const char *tfprof_flag_spelt(const char *name)
{
	const char *flag;

	for (size_t i = 0; (flag = tfprof_flag_name(i)); i++) {
		const char *a = flag, *b = name;

		while (*a && (*a == *b || (*a == '_' && *b == '-')))
			a++, b++;
		if (!*a && !*b)
			return flag;
	}
	return NULL;
}

void tfprof_old_word(const char *word, struct text *messages)
{
	static const char old[] = "device_regexes";

	word += strspn(word, "-");
	if (text_starts(word, old) && (word[strlen(old)] == '\0' || word[strlen(old)] == '='))
		text_add(messages, "-device_regexes is a word of 2017; today it is "
				   "-account_type_regexes, whose patterns see devices too\n");
}

/* ---- an option as it was typed ---- */

static bool is_option(const char *name)
{
	const char *option;

	for (size_t i = 0; (option = tfprof_option_name(i)); i++)
		if (text_equal(option + 1, name))
			return true;
	return false;
}

/* The name that begins a word with dashes; NULL: it is none that is known where it was typed. */
static const char *name_of(const char *word, bool at_prompt, struct arena *arena)
{
	const char *name = word + strspn(word, "-");

	if (name == word)
		return NULL;
	name = arena_strndup(arena, name, strcspn(name, "="));
	if (has_changed_name(name))
		return name;
	if (at_prompt)
		return is_option(name) ? name : NULL;
	return tfprof_flag_spelt(name);
}

static bool is_command(const char *word)
{
	const char *name;

	for (size_t i = 0; (name = tfprof_command_name(i)); i++)
		if (text_equal(name, word))
			return true;
	return false;
}

/* True if the next word is the value of this option. A command is the value of a file's name
 * alone. */
static bool is_value(const char *name, const char *next, bool at_prompt, struct arena *arena)
{
	bool boolean;

	if (!next)
		return false;
	if (text_equal(name, "viz") || text_equal(name, "account_displayed_op_only"))
		return tfprof_bool_parse(next, &boolean);
	if (at_prompt)
		return true;
	return !(*next == '-' && (text_equal(next, "--") || name_of(next, false, arena))) &&
	       (!is_command(next) || text_ends(name, "_path"));
}

/* The option that a word is, with the next word where that is its value. False: it is none, or
 * without the value that it needs. */
static bool read_typed(const char *word, const char *next, bool at_prompt, struct arena *arena,
	struct typed *typed)
{
	const char *equals = strchr(word, '=');

	*typed = (struct typed){.name = name_of(word, at_prompt, arena)};
	if (!typed->name)
		return false;
	typed->is_flag = word[1] == '-' && text_starts(word + 2, typed->name);
	if (equals) {
		typed->value = equals + 1;
	} else if (is_value(typed->name, next, at_prompt, arena)) {
		typed->value = next;
		typed->used_next = true;
	} else if (text_equal(typed->name, "viz")) {
		typed->value = "true";
	}
	return typed->value || text_equal(typed->name, "account_displayed_op_only");
}

/* ---- the option of today ---- */

static const struct old_word *find_old(const char *option, const char *value)
{
	for (size_t i = 0; i < OLD_WORDS; i++)
		if (text_equal(old_words[i].option, option) &&
			(!old_words[i].value || text_equal(old_words[i].value, value)))
			return &old_words[i];
	return NULL;
}

/* A list without its old words. True: it had some. */
static bool change_list(struct typed *typed, struct arena *arena)
{
	struct word_list list;
	struct text changed;
	bool has_old = false;

	text_init(&changed);
	word_list_split(&list, word_list_strip_quotes(typed->value, arena), arena);
	for (size_t i = 0; i < list.count; i++) {
		const struct old_word *old = find_old(typed->name, list.word[i]);
		const char *word = old ? old->today_value : list.word[i];

		has_old |= old != NULL;
		text_printf(&changed, "%s%s", *word && changed.size ? "," : "", word);
	}
	if (has_old)
		typed->value = arena_strdup(arena, text_string(&changed));
	text_release(&changed);
	return has_old;
}

/* True: the option or its value is not of today. */
static bool change(struct typed *typed, struct arena *arena)
{
	const struct old_word *old;
	bool boolean;

	if (typed->value &&
		(text_equal(typed->name, "viz") ||
			text_equal(typed->name, "account_displayed_op_only")) &&
		tfprof_bool_parse(typed->value, &boolean))
		typed->value = boolean ? "true" : "false";
	if (!has_changed_name(typed->name))
		return typed->value && change_list(typed, arena);
	typed->value = word_list_strip_quotes(typed->value, arena);
	old = find_old(typed->name, typed->value);
	if (!old)
		return false;
	typed->name = old->today;
	typed->value = old->value ? old->today_value
				  : arena_printf(arena, "%s%s", old->today_value, typed->value);
	return true;
}

static void report(const char *word, const struct typed *typed, const char *next, const char *today,
	struct text *messages)
{
	text_add_visible(messages, word);
	if (typed->used_next) {
		text_add(messages, " ");
		text_add_visible(messages, next);
	}
	text_add(messages, ": taken for ");
	text_add_visible(messages, today);
	text_add(messages, "\n");
}

struct tfprof_command_line tfprof_words_of_today(
	const struct tfprof_command_line *line, struct arena *arena, struct text *messages)
{
	char **today = arena_array(arena, (size_t)line->count, sizeof(*today));
	int count = 0;

	for (int i = 0; i < line->count; i++) {
		const char *next = i + 1 < line->count ? line->word[i + 1] : NULL;
		char *word = line->word[i];
		struct typed typed;
		bool changed;

		if (text_equal(word, "--")) {
			while (i < line->count)
				today[count++] = line->word[i++];
			break;
		}
		today[count++] = word;
		/* Ours has both forms. */
		if (text_equal(word, "--write_profile")) {
			if (next)
				today[count++] = line->word[++i];
			continue;
		}
		if (!read_typed(word, next, false, arena, &typed))
			continue;
		changed = change(&typed, arena);
		if ((!changed && typed.is_flag && !typed.used_next) ||
			(!changed && has_changed_name(typed.name)))
			continue;
		today[count - 1] = arena_printf(
			arena, "--%s=%s", typed.name, typed.value ? typed.value : "true");
		report(word, &typed, next, today[count - 1], messages);
		i += typed.used_next;
	}
	return (struct tfprof_command_line){line->program, count, today};
}

const char *tfprof_line_of_today(const char *line, struct arena *arena, struct text *messages)
{
	struct text today;
	const char *word = word_list_next(&line, arena), *result;

	text_init(&today);
	while (word) {
		const char *next = word_list_next(&line, arena);
		struct typed typed;
		size_t before;

		text_add(&today, today.size ? " " : "");
		before = today.size;
		if (!read_typed(word, next, true, arena, &typed)) {
			text_add(&today, word);
			word = next;
			continue;
		}
		if (change(&typed, arena) || word[1] == '-' || strchr(word, '=')) {
			text_printf(&today, "-%s", typed.name);
			if (typed.value)
				text_printf(&today, " %s", *typed.value ? typed.value : "\"\"");
			report(word, &typed, next, text_string(&today) + before, messages);
		} else {
			text_printf(&today, "%s%s%s", word, typed.used_next ? " " : "",
				typed.used_next ? next : "");
		}
		word = typed.used_next ? word_list_next(&line, arena) : next;
	}
	result = arena_strdup(arena, text_string(&today));
	text_release(&today);
	return result;
}
