/* Rewrites word by word: an option with its value becomes today's option with its value. */
#include "tfprof/options/old_words.h"

#include <string.h>
#include <unistd.h>
#include "tfprof/options/options.h"

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

/* Name of the flag that is spelt so, with "-" for "_" too, or NULL. */
static const char *tfprof_flag_spelt(const char *name)
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

/* A line about an option of 2017 for which today has no option that does the same
 * ("-device_regexes"); nothing for other words. */
static void tfprof_old_word(const char *word, struct text *messages)
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

#define NAMES_MOST 128
#define WORD_MOST 64 /* bytes: longer words are not misspelt names */

/* Names of which the nearest is looked for. */
struct names {
	const char *name[NAMES_MOST];
	size_t count;
};

static struct names names_of(const char *(*at)(size_t index))
{
	struct names names = {.count = 0};
	const char *name;

	for (size_t i = 0; names.count < NAMES_MOST && (name = at(i)); i++)
		names.name[names.count++] = name;
	return names;
}

static const char *nearest(const struct names *names, const char *word)
{
	int found = strlen(word) > WORD_MOST ? -1 : text_nearest(word, names->name, names->count);

	return found < 0 ? NULL : names->name[found];
}

static bool is_one(const struct names *names, const char *word)
{
	for (size_t i = 0; i < names->count; i++)
		if (text_equal(names->name[i], word))
			return true;
	return false;
}

static void begin(struct text *messages, const char *word)
{
	text_add(messages, "ignored: ");
	text_add_visible(messages, word);
}

/* A word that begins with a dash and is not a flag. */
static void hint_flag(const char *word, struct text *messages)
{
	const struct names flags = names_of(tfprof_flag_name);
	const char *name = word + strspn(word, "-"), *equals = strchr(name, '=');
	const char *flag, *near;
	struct text typed;

	text_init(&typed);
	text_add_bytes(&typed, name, equals ? (size_t)(equals - name) : strlen(name));
	flag = tfprof_flag_spelt(text_string(&typed));
	near = nearest(&flags, text_string(&typed));
	begin(messages, word);
	if (flag) {
		text_printf(messages, ": the flag needs a value, --%s=VALUE\n", flag);
	} else if (text_equal(text_string(&typed), "start_name_regexes")) {
		text_add(messages, ": there is no such flag; --account_type_regexes sets the start "
				   "regexes, so it was in all versions\n");
	} else if (near) {
		text_printf(messages, " is not a flag; did you mean --%s?\n", near);
	} else {
		text_add(messages, " is not a flag; --help lists them\n");
	}
	tfprof_old_word(word, messages);
	text_release(&typed);
}

static void hint_word(
	const struct tfprof_words *w, const char *word, bool chosen, struct text *messages)
{
	if (word == w->command) {
		/* The first word that is not a flag, and no command either. */
		const struct names commands = names_of(tfprof_command_name);
		const char *near = nearest(&commands, word);

		begin(messages, word);
		if (access(word, F_OK) == 0) {
			text_add(messages, ": a file is given with a flag, --profile_path=");
			text_add_visible(messages, word);
			text_add(messages, "\n");
		} else if (near) {
			text_printf(messages, " is not a command; did you mean %s?\n", near);
		} else {
			text_add(messages,
				" is not a command; they are scope, graph, op, code and advise\n");
		}
		return;
	}
	begin(messages, word);
	if (chosen)
		text_printf(messages,
			": one command is run, %s; its options are flags, --NAME=VALUE\n",
			w->command);
	else if (is_command(word))
		text_add(messages,
			": a command is run when it is the first word that is not a flag\n");
	else
		text_add(messages, " is not a flag\n");
}

/* Words of --select and --order_by, which are not checked. */
static void hint_values(const char *flag, const char *value, const char *(*at)(size_t index),
	const char *instead, struct text *messages)
{
	const struct names names = names_of(at);
	struct text word;

	text_init(&word);
	for (const char *p = value; *p;) {
		size_t n = strcspn(p, ",");
		const char *near;

		text_clear(&word);
		text_add_bytes(&word, p, n);
		p += n + (p[n] == ',');
		if (!n || is_one(&names, text_string(&word)))
			continue;
		near = nearest(&names, text_string(&word));
		begin(messages, text_string(&word));
		text_printf(messages, " is not a word of --%s%s", flag, instead);
		if (near)
			text_printf(messages, "; did you mean %s?", near);
		text_add(messages, "\n");
	}
	text_release(&word);
}

void tfprof_hint_flags(const struct tfprof_words *words, struct text *messages)
{
	bool chosen = words->command && is_command(words->command), flags_end = false;

	for (int i = 0; i < words->count; i++) {
		const char *word = words->word[i];

		if (words->taken[i])
			continue;
		if (text_equal(word, "--")) {
			begin(messages, word);
			text_add(messages, ": no word after it is a flag\n");
			flags_end = true;
		} else if (chosen && word == words->command) {
			if (text_equal(word, "set"))
				text_add(messages, "ignored: set is for the prompt\n");
		} else if (*word == '-' && flags_end) {
			begin(messages, word);
			text_add(messages, " is behind --\n");
		} else if (*word == '-') {
			hint_flag(word, messages);
		} else {
			hint_word(words, word, chosen, messages);
		}
	}
	hint_values("order_by", words->order_by, tfprof_order_name,
		", rows are in order of their names", messages);
	hint_values("select", words->select, tfprof_select_name, "", messages);
	if (words->unused_op_log) {
		text_add(messages, "ignored: --op_log_path=");
		text_add_visible(messages, words->unused_op_log);
		text_add(messages, ": a profile has its own op log\n");
	}
}

/* Adds the likely meaning of a word that begins a typed line, or of an option in it. */
static void hint_typed(const char *word, bool first, struct text *messages)
{
	const struct names names = names_of(first ? tfprof_command_name : tfprof_option_name);
	const char *near;

	if ((!first && *word != '-') || is_one(&names, word))
		return;
	near = nearest(&names, word);
	if (near)
		text_printf(messages, "did you mean %s?\n", near);
}

void tfprof_hint_line(const char *line, struct text *messages)
{
	struct text word;
	bool first = true;

	text_init(&word);
	for (const char *p = line; *p;) {
		size_t n = strcspn(p, " ");

		text_clear(&word);
		text_add_bytes(&word, p, n);
		p += n + (p[n] != 0);
		if (!n)
			continue;
		hint_typed(text_string(&word), first, messages);
		tfprof_old_word(text_string(&word), messages);
		first = false;
	}
	text_release(&word);
}
