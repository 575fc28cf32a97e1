/*
 * A typed line: a command and its options.
 */
#include <string.h>
#include "tfprof/options/options.h"
#include "tfprof/options/presets.h"

/* In the order of enum tfprof_command, which begins with the empty line. */
static const char *const command_names[] = {
	"scope", "graph", "op", "code", "advise", "set", "help"};

#define COMMAND_NAMES (sizeof(command_names) / sizeof(*command_names))

/* What the program of 2017 accepted and later ones refuse, with today's words. */
static const struct {
	const char *word, *today;
} old_words[] = {
	{"-dump_to_file", "-output file:outfile=FILE"},
	{"-viz", "-output timeline:outfile=FILE"},
	{"-device_regexes", "-account_type_regexes, whose patterns see devices too"},
};

/* Values of options that are no longer accepted, each of one option. */
static const struct {
	const char *option, *value;
} old_values[] = {
	{"order_by", "depth"},
	{"order_by", "num_hidden_ops"},
	{"select", "num_hidden_ops"},
};

const char *tfprof_command_name(size_t index)
{
	return index < COMMAND_NAMES ? command_names[index]
				     : tfprof_preset_name(index - COMMAND_NAMES);
}

enum tfprof_command tfprof_command_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_NAMES; i++)
		if (text_equal(command_names[i], name))
			return (enum tfprof_command)(COMMAND_SCOPE + i);
	return COMMAND_NONE;
}

void tfprof_old_word(const char *word, struct text *messages)
{
	size_t n;

	word += strspn(word, "-");
	n = strcspn(word, "=");
	for (size_t i = 0; i < sizeof(old_words) / sizeof(*old_words); i++) {
		const char *old = old_words[i].word + (old_words[i].word[0] == '-');

		if (strlen(old) != n || memcmp(old, word, n) != 0)
			continue;
		text_printf(messages, "%s is a word of 2017; today it is %s\n", old_words[i].word,
			old_words[i].today);
	}
}

void tfprof_old_value(const char *option, const char *value, struct text *messages)
{
	for (size_t i = 0; i < sizeof(old_values) / sizeof(*old_values); i++)
		if (text_equal(old_values[i].option, option) &&
			text_equal(old_values[i].value, value))
			text_printf(messages, "%s is a word of 2017; nothing has taken its place\n",
				value);
}

/* The original refuses the word, so that no line of its own has another meaning. */
bool tfprof_asks_all(const char *word)
{
	return text_equal(word, "--all") || text_equal(word, "-all");
}

/* The next word, or NULL; only blanks separate. */
static char *next_word(const char **line, struct arena *arena)
{
	const char *p = *line + strspn(*line, " ");
	size_t n = strcspn(p, " ");

	*line = p + n;
	return n ? arena_strndup(arena, p, n) : NULL;
}

bool tfprof_line_parse(const char *line, struct arena *arena, enum tfprof_command *command,
	struct tfprof_options *options, struct text *message)
{
	const char *word = next_word(&line, arena);

	*command = word ? tfprof_command_find(word) : COMMAND_NONE;
	if (!word)
		return true;
	if (*command == COMMAND_NONE && tfprof_preset_apply(options, word, arena))
		*command = COMMAND_SCOPE;
	if (*command == COMMAND_NONE) {
		text_add(message, "Invalid argument: First string must be a valid command.");
		return false;
	}
	word = next_word(&line, arena);
	while (word) {
		const char *next = next_word(&line, arena);
		bool used_next;

		if (*command == COMMAND_ADVISE && tfprof_asks_all(word)) {
			options->advise_all = true;
			word = next;
			continue;
		}
		if (!tfprof_option_apply(options, word, next, &used_next, arena, message))
			return false;
		word = used_next ? next_word(&line, arena) : next;
	}
	return true;
}
