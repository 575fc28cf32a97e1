/*
 * The help of the program and of each command.
 */
#include "cli/usage.h"

#include <string.h>
#include "base/text.h"

#define HELP_COLUMN 38

void usage_brief(struct outfile *out)
{
	outfile_puts(out,
		"Usage: stepstat FILE...            mean, spread and share of every op over the "
		"steps of a profile\n"
		"       stepstat COMMAND [OPTION]... INPUT...\n"
		"\n"
		"A profile is a profile_N dump of TensorFlow's profiler (a folder of them is "
		"fine).\n"
		"\n"
		"  stepstat profile_100                         the ten most expensive ops, their "
		"spread and share\n"
		"  stepstat profile_100 -o ops.csv -o ops.md    all ops, for a spreadsheet and for "
		"a pull request\n"
		"  stepstat compare before/ after/              two configurations side by side\n"
		"\n"
		"stepstat --help lists the commands, stepstat report --help the options.\n");
}

void usage_commands(struct outfile *out)
{
	outfile_puts(out, "Usage: stepstat [COMMAND] [OPTION]... INPUT...\n\nCommands (report when "
			  "none is given)\n");
	for (size_t i = 0; i < command_count; i++)
		outfile_printf(
			out, "  %-9s %s\n", command_table[i]->name, command_table[i]->summary);
	outfile_puts(out, "\nstepstat COMMAND --help shows the options of a command, stepstat help "
			  "TOPIC explains\n"
			  "columns, statistics, measures, formats and rules. stepstat --version "
			  "shows the version.\n"
			  "\nExamples\n"
			  "  stepstat profile_100\n"
			  "  stepstat profile_100 --by=type -o ops.csv -o ops.md\n");
}

void usage_option_words(const struct option_spec *spec, struct text *out)
{
	text_add(out, strlen(spec->name) == 1 ? "-" : "--");
	for (const char *p = spec->name; *p; p++)
		text_add_char(out, *p == '_' ? '-' : *p);
	if (*spec->argument)
		text_printf(out, "%s%s", strlen(spec->name) == 1 ? " " : "=", spec->argument);
}

static void option_line(
	struct outfile *out, const struct option_spec *spec, const struct command *command)
{
	bool own = text_equal(spec->name, "o") && command->output_help;
	struct text words;

	text_init(&words);
	usage_option_words(spec, &words);
	outfile_printf(out, "  %-*s", HELP_COLUMN - 3, text_string(&words));
	outfile_printf(out, " %s", own ? command->output_help : spec->help);
	if (*spec->standard)
		outfile_printf(out, " (default %s)", spec->standard);
	outfile_puts(out, "\n");
	text_release(&words);
}

void usage_command(struct outfile *out, const struct command *command, bool all)
{
	bool is_report = text_equal(command->name, "report");

	outfile_printf(out, "Usage: stepstat %s%s%s %s   %s\n", is_report ? "[" : "", command->name,
		is_report ? "]" : "", command->arguments, command->summary);
	if (command->about)
		outfile_printf(out, "%s\n", command->about);
	for (size_t i = 0; command->part && command->part[i]; i++)
		outfile_printf(out, "  %-9s %s\n", command_last_word(command->part[i]),
			command->part[i]->summary);
	for (size_t g = 0; g < GROUP_COUNT; g++) {
		bool titled = false;

		for (size_t i = 0; i < option_count; i++) {
			const struct option_spec *spec = &option_table[i];

			if (!command->letter || spec->group != g ||
				!strchr(spec->commands, command->letter) ||
				!(all || strchr(spec->short_for, command->letter)))
				continue;
			if (!titled)
				outfile_printf(out, "%s\n", option_group_titles[g]);
			titled = true;
			option_line(out, spec, command);
		}
	}
	if (command->letter && !all)
		outfile_puts(out, "  --help=all                          every option\n");
	if (command->examples)
		outfile_printf(out, "Examples\n%s", command->examples);
}
