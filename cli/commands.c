/*
 * The command table.
 */
#include "base/text.h"
#include "cli/command.h"

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
