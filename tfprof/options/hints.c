/*
 * Hints: which word was meant.
 */
#include "tfprof/options/hints.h"

#include <string.h>
#include <unistd.h>
#include "tfprof/options/old_words.h"

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

static bool is_command(const char *word)
{
	const struct names commands = names_of(tfprof_command_name);

	return is_one(&commands, word);
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

/* The first word that is not a flag, and no command either. */
static void hint_command(const char *word, struct text *messages)
{
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
}

static void hint_word(
	const struct tfprof_words *w, const char *word, bool chosen, struct text *messages)
{
	if (word == w->command) {
		hint_command(word, messages);
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
