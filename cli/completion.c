/*
 * Writes a completion script for bash: commands, options of the command, words of options, files.
 */
#include "cli/completion.h"

#include <ctype.h>
#include <string.h>
#include "cli/command.h"
#include "cli/options.h"

static void put_name(struct outfile *out, const struct option_spec *spec)
{
	outfile_puts(out, strlen(spec->name) == 1 ? "-" : "--");
	for (const char *p = spec->name; *p; p++)
		outfile_printf(out, "%c", *p == '_' ? '-' : *p);
	if (*spec->argument && strlen(spec->name) > 1)
		outfile_puts(out, "=");
}

/* The words of "sum|keep|error"; parts with capitals (REGEX, N) are no words. */
static void put_words(struct outfile *out, const char *argument)
{
	for (const char *p = argument; *p;) {
		size_t n = strcspn(p, "|");
		bool word = n > 0;

		for (size_t i = 0; i < n; i++)
			word &= islower((unsigned char)p[i]) || isdigit((unsigned char)p[i]);
		if (word)
			outfile_printf(out, " %.*s", (int)n, p);
		p += n + (p[n] == '|');
	}
}

static void put_names(struct outfile *out, const char *option)
{
	outfile_printf(out, "\t\t--%s=*) words='", option);
	if (option[0] == 'm')
		for (size_t i = 0; i < MEASURE_COUNT; i++)
			outfile_printf(out, " %s", measure_at((enum measure_id)i)->name);
	else
		for (size_t i = 0; i < STATISTIC_COUNT; i++)
			outfile_printf(out, " %s", statistic_at((enum statistic_id)i)->name);
	outfile_puts(out, "' ;;\n");
}

static void put_values(struct outfile *out)
{
	put_names(out, "measures");
	put_names(out, "stats");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];

		if (!strchr(spec->argument, '|'))
			continue;
		outfile_puts(out, "\t\t");
		put_name(out, spec);
		outfile_puts(out, "*) words='");
		put_words(out, spec->argument);
		outfile_puts(out, "' ;;\n");
	}
}

/* A part of a command goes by "timeline/generate". */
static void put_case(struct outfile *out, const struct command *command)
{
	for (const char *p = command->name; *p; p++)
		outfile_printf(out, "%c", *p == ' ' ? '/' : *p);
}

/* The second words of commands with parts. */
static void put_parts(struct outfile *out)
{
	for (size_t c = 0; c < command_count; c++) {
		if (!command_table[c]->part)
			continue;
		outfile_printf(out, "\t%s) parts='", command_table[c]->name);
		for (size_t i = 0; command_table[c]->part[i]; i++)
			outfile_printf(out, "%s%s", i ? " " : "",
				command_last_word(command_table[c]->part[i]));
		outfile_puts(out, "' ;;\n");
	}
}

static void put_commands(struct outfile *out)
{
	put_parts(out);
	for (const struct command *command = command_next(NULL); command;
		command = command_next(command)) {
		outfile_puts(out, "\t");
		put_case(out, command);
		outfile_puts(out, ") options='");
		for (size_t i = 0; i < option_count; i++)
			if (command->letter && strchr(option_table[i].commands, command->letter)) {
				outfile_puts(out, " ");
				put_name(out, &option_table[i]);
			}
		outfile_puts(out, "' ;;\n");
	}
}

void completion_write(struct outfile *out)
{
	outfile_puts(out,
		"# bash completion for stepstat, made by `stepstat help bash-completion`.\n"
		"_stepstat()\n{\n"
		"\tlocal line=${COMP_LINE:0:COMP_POINT} cur= command=report options= words= parts= "
		"i\n"
		"\tlocal -a typed\n"
		"\tread -r -a typed <<<\"$line\"\n"
		"\tcase $line in *[[:space:]]) ;; *) cur=${typed[${#typed[@]}-1]} ;; esac\n"
		"\tlocal commands='");
	for (size_t c = 0; c < command_count; c++)
		outfile_printf(out, "%s%s", c ? " " : "", command_table[c]->name);
	outfile_puts(out,
		"'\n"
		"\tfor i in $commands; do [ \"${typed[1]}\" = \"$i\" ] && command=$i; done\n"
		"\tfor i in");
	for (const struct command *c = command_next(NULL); c; c = command_next(c)) {
		if (!strchr(c->name, ' '))
			continue;
		outfile_puts(out, " ");
		put_case(out, c);
	}
	outfile_puts(out, "; do [ \"${typed[1]}/${typed[2]}\" = \"$i\" ] && command=$i; done\n"
			  "\tcase $command in\n");
	put_commands(out);
	outfile_puts(out, "\tesac\n\tcase $cur in\n\t--*=*)\n\t\tcase $cur in\n");
	put_values(out);
	outfile_puts(out,
		"\t\tesac\n"
		"\t\tlocal value=${cur#*=}\n"
		"\t\tif [ -n \"$words\" ]; then\n"
		"\t\t\tlocal last=${value##*,} before=\n"
		"\t\t\t[ \"$last\" = \"$value\" ] || before=${value%,*},\n"
		"\t\t\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- "
		"\"$last\")\n"
		"\t\telse\n"
		"\t\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$value\")\n"
		"\t\tfi ;;\n"
		"\t-*)\n"
		"\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
		"\t\tcase ${COMPREPLY[0]} in *=) [ ${#COMPREPLY[@]} -gt 1 ] || compopt "
		"-o nospace ;; esac ;;\n"
		"\t*)\n"
		"\t\t[ ${#typed[@]} -gt 2 ] || words=$commands\n"
		"\t\t[ -z \"$parts\" ] || [ \"${typed[1]}\" = \"$cur\" ] || words=$parts\n"
		"\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"; compgen "
		"-f -- \"$cur\")\n"
		"\t\tcompopt -o filenames ;;\n"
		"\tesac\n"
		"}\n"
		"complete -F _stepstat stepstat\n");
}
