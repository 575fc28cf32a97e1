/*
 * A typed line: a command and its options.
 */
#include <string.h>
#include "tfprof/options/options.h"
#include "tfprof/options/presets.h"
#include "tfprof/options/word_list.h"

/* Names in the order of enum tfprof_command, which begins with the empty line. */
static const char *const command_names[] = {
	"scope", "graph", "op", "code", "advise", "set", "help"};

#define COMMAND_NAMES (sizeof(command_names) / sizeof(*command_names))

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

/* The original refuses the word, so that no line of its own has another meaning. */
bool tfprof_asks_all(const char *word)
{
	return text_equal(word, "--all") || text_equal(word, "-all");
}

bool tfprof_line_parse(const char *line, struct arena *arena, enum tfprof_command *command,
	struct tfprof_options *options, struct text *message)
{
	const char *word = word_list_next(&line, arena);

	*command = word ? tfprof_command_find(word) : COMMAND_NONE;
	if (!word)
		return true;
	if (*command == COMMAND_NONE && tfprof_preset_apply(options, word, arena))
		*command = COMMAND_SCOPE;
	if (*command == COMMAND_NONE) {
		text_add(message, "Invalid argument: First string must be a valid command.");
		return false;
	}
	word = word_list_next(&line, arena);
	while (word) {
		const char *next = word_list_next(&line, arena);
		bool used_next;

		if (*command == COMMAND_ADVISE && tfprof_asks_all(word)) {
			options->advise_all = true;
			word = next;
			continue;
		}
		if (!tfprof_option_apply(options, word, next, &used_next, arena, message))
			return false;
		word = used_next ? word_list_next(&line, arena) : next;
	}
	return true;
}
