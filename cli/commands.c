/* The command table. */
#include <string.h>
#include "base/text.h"
#include "cli/options/command.h"

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

#define COMMAND(name) &command_##name,
const struct command *const command_table[] = {
#include "cli/commands.def"
};
#undef COMMAND

const size_t command_count = sizeof(command_table) / sizeof(*command_table);

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < command_count; i++)
		if (text_equal(command_table[i]->name, name))
			return command_table[i];
	return NULL;
}

const char *command_last_word(const struct command *command)
{
	const char *blank = strrchr(command->name, ' ');

	return blank ? blank + 1 : command->name;
}

const struct command *command_part(const struct command *command, const char *word)
{
	for (size_t i = 0; command->part && command->part[i]; i++)
		if (text_equal(command_last_word(command->part[i]), word))
			return command->part[i];
	return NULL;
}

const struct command *command_next(const struct command *command)
{
	bool passed = !command;

	for (size_t i = 0; i < command_count; i++) {
		const struct command *alone[] = {command_table[i], NULL};
		const struct command *const *part =
			command_table[i]->part ? command_table[i]->part : alone;

		for (; *part; part++) {
			if (passed)
				return *part;
			passed = *part == command;
		}
	}
	return NULL;
}
