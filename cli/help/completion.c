/* Writes completion scripts for bash, zsh and fish: commands, options of the command, words of
 * options, files. */
#include "cli/help/completion.h"

#include <ctype.h>
#include <string.h>
#include "base/text.h"
#include "base/unit.h"
#include "cli/options/command.h"
#include "pipeline/compare_sort.h"
#include "cli/help/help.h"
#include "cli/options/options.h"
#include "ingest/reader.h"
#include "writers/writer.h"

static void put_name(struct outfile *out, const struct option_spec *spec)
{
	outfile_puts(out, strlen(spec->name) == 1 ? "-" : "--");
	for (const char *p = spec->name; *p; p++)
		outfile_printf(out, "%c", *p == '_' ? '-' : *p);
	if (option_has_value(spec) && strlen(spec->name) > 1)
		outfile_puts(out, "=");
}

static bool is_word(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!islower((unsigned char)p[i]) && !isdigit((unsigned char)p[i]) &&
			!strchr("_+-", p[i]))
			return false;
	return n > 0 && islower((unsigned char)p[0]);
}

/* Writes the words of "sum|keep|error" and numbers. Parts in capitals (REGEX, N) are left out;
 * "scope:N" becomes "scope:". Returns how many. */
static size_t put_words(struct outfile *out, const char *argument)
{
	size_t count = 0;

	for (const char *p = argument; *p;) {
		size_t n = strcspn(p, "|"), head = strcspn(p, ":|");

		if (is_word(p, n) || (n > 0 && strspn(p, "0123456789") >= n))
			outfile_printf(out, " %.*s", (int)n, p), count++;
		else if (head + 2 == n && is_word(p, head))
			outfile_printf(out, " %.*s:", (int)head, p), count++;
		p += n + (p[n] == '|');
	}
	return count;
}

static void put_measures(struct outfile *out)
{
	for (size_t i = 0; i < MEASURE_COUNT; i++)
		if (!measure_is_own((enum measure_id)i))
			outfile_printf(out, " %s", measure_at((enum measure_id)i)->name);
}

static void put_statistics(struct outfile *out)
{
	for (size_t i = 0; i < STATISTIC_COUNT; i++)
		if (!statistic_has_order(i))
			outfile_printf(out, " %s", statistic_at((enum statistic_id)i)->name);
	outfile_puts(out, " p50 p95 p99");
}

static void put_columns(struct outfile *out)
{
	outfile_puts(out, " name");
	put_measures(out);
	put_statistics(out);
}

static void put_columns_comparing(struct outfile *out)
{
	for (size_t i = 0; compare_sort_column(i); i++)
		outfile_printf(out, " %s", compare_sort_column(i));
}

static void put_units(struct outfile *out)
{
	for (size_t i = 0; i < unit_count; i++)
		if (unit_table[i].dimension == DIMENSION_TIME ||
			unit_table[i].dimension == DIMENSION_BYTES)
			outfile_printf(out, " %s", unit_table[i].name);
}

static void put_readers(struct outfile *out)
{
	for (size_t i = 0; i < reader_count; i++)
		if (reader_table[i]->read)
			outfile_printf(out, " %s", reader_table[i]->name);
}

static void put_writers(struct outfile *out)
{
	for (size_t i = 0; i < writer_count; i++)
		outfile_printf(out, " %s", writer_table[i]->name);
}

static void put_tables(struct outfile *out)
{
	outfile_puts(out, " ops steps totals issues");
}

static void put_tables_comparing(struct outfile *out)
{
	outfile_puts(out, " ops parts");
}

/* Options whose values are words of other tables. */
static const struct {
	const char *option;
	void (*put)(struct outfile *out);
	void (*put_comparing)(struct outfile *out); /* where compare and gate have others */
} value_table[] = {
	{"measures", put_measures, NULL},
	{"stats", put_statistics, NULL},
	{"sort", put_columns, put_columns_comparing},
	{"unit", put_units, NULL},
	{"table", put_tables, put_tables_comparing},
	{"from", put_readers, NULL},
	{"to", put_writers, NULL},
};

#define VALUES (sizeof(value_table) / sizeof(*value_table))

static bool has_table(const struct option_spec *spec)
{
	for (size_t i = 0; i < VALUES; i++)
		if (text_equal(value_table[i].option, spec->name))
			return true;
	return false;
}

static void put_values(struct outfile *out)
{
	struct outfile *nowhere = outfile_memory();
	struct text argument;

	text_init(&argument);
	for (size_t i = 0; i < VALUES; i++) {
		outfile_printf(out, "\t\t--%s=*) words='", value_table[i].option);
		value_table[i].put(out);
		if (value_table[i].put_comparing) {
			outfile_puts(out, "'; case $command in compare | gate) words='");
			value_table[i].put_comparing(out);
			outfile_puts(out, "' ;; esac ;;\n");
			continue;
		}
		outfile_puts(out, "' ;;\n");
	}
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];

		text_clear(&argument);
		option_add_argument(spec, &argument);
		if (!*option_dashes(spec) || has_table(spec) ||
			!put_words(nowhere, text_string(&argument)))
			continue;
		outfile_puts(out, "\t\t");
		put_name(out, spec);
		outfile_puts(out, "*) words='");
		put_words(out, text_string(&argument));
		outfile_puts(
			out, strstr(text_string(&argument), "FILE") ? "' files=-f ;;\n" : "' ;;\n");
	}
	outfile_discard(nowhere);
	text_release(&argument);
}

static void put_topic(void *context, const char *word)
{
	bool plain = true;

	for (const char *p = word; *p; p++)
		plain &= isalnum((unsigned char)*p) || strchr("_.-", *p);
	if (plain)
		outfile_printf(context, " %s", word);
}

/* Words of the option's values, each with a blank before it. Released with outfile_discard(). */
static struct outfile *option_words(const struct option_spec *spec)
{
	struct outfile *out = outfile_memory();
	struct text argument;
	size_t i = 0;

	text_init(&argument);
	while (i < VALUES && !text_equal(value_table[i].option, spec->name))
		i++;
	if (i < VALUES) {
		value_table[i].put(out);
		if (value_table[i].put_comparing)
			value_table[i].put_comparing(out);
	} else {
		option_add_argument(spec, &argument);
		put_words(out, text_string(&argument));
	}
	text_release(&argument);
	return out;
}

/* Text within single quotes: signs that the shell gives a meaning there have a backslash, and the
 * quote is written as zsh and fish both read it. */
static void put_quoted(struct outfile *out, const char *text, const char *signs)
{
	for (; *text; text++) {
		if (*text == '\'')
			outfile_puts(out, "'\\''");
		else
			outfile_printf(out, "%s%c", strchr(signs, *text) ? "\\" : "", *text);
	}
}

/* A part of a command goes by "timeline/generate". */
static void put_case(struct outfile *out, const struct command *command)
{
	for (const char *p = command->name; *p; p++)
		outfile_printf(out, "%c", *p == ' ' ? '/' : *p);
}

static void put_commands(struct outfile *out)
{
	/* The second words of commands with parts. */
	for (size_t c = 0; c < command_count; c++) {
		if (!command_table[c]->part)
			continue;
		outfile_printf(out, "\t%s) parts='", command_table[c]->name);
		for (size_t i = 0; command_table[c]->part[i]; i++)
			outfile_printf(out, "%s%s", i ? " " : "",
				command_last_word(command_table[c]->part[i]));
		outfile_puts(out, "' ;;\n");
	}
	outfile_puts(out, "\thelp) topics='");
	help_words(put_topic, out);
	outfile_puts(out, "' ;;\n");
	for (const struct command *command = command_next(NULL); command;
		command = command_next(command)) {
		if (!command->letter)
			continue;
		outfile_puts(out, "\t");
		put_case(out, command);
		outfile_puts(out, ") options='");
		for (size_t i = 0; i < option_count; i++)
			if (option_is_typed(&option_table[i], command->letter)) {
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
		"topics= files= i\n"
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
		"\t\t\tmapfile -t COMPREPLY < <(compgen $files -P \"$before\" -W \"$words\" -- "
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
		"\t\t[ -z \"$topics\" ] || [ \"${typed[1]}\" = \"$cur\" ] || {\n"
		"\t\t\tmapfile -t COMPREPLY < <(compgen -W \"$topics\" -- \"$cur\")\n"
		"\t\t\treturn\n"
		"\t\t}\n"
		"\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"; compgen "
		"-f -- \"$cur\")\n"
		"\t\tcompopt -o filenames ;;\n"
		"\tesac\n"
		"}\n"
		"complete -F _stepstat stepstat\n");
}

/* ---- zsh and fish ---- */

static bool has_dashes(const struct option_spec *spec)
{
	return *option_dashes(spec) != '\0';
}

/* The commands with which the option is typed, each with a blank before it (NULL: not written).
 * Returns how many. */
static size_t put_option_commands(struct outfile *out, const struct option_spec *spec)
{
	size_t count = 0;

	for (const struct command *c = command_next(NULL); c; c = command_next(c))
		if (c->letter && option_is_typed(spec, c->letter)) {
			if (out) {
				outfile_puts(out, " ");
				put_case(out, c);
			}
			count++;
		}
	return count;
}

static void put_zsh_option(struct outfile *out, const struct option_spec *spec)
{
	struct outfile *words = option_words(spec);
	size_t size = 0;
	const char *data = outfile_data(words, &size);

	outfile_puts(out, "[[ \"");
	put_option_commands(out, spec);
	outfile_puts(out, " \" == *\" $command \"* ]] && options+='*");
	put_name(out, spec);
	outfile_puts(out, "[");
	put_quoted(out, spec->help, "[]\\");
	outfile_puts(out, "]");
	if (option_has_value(spec) && size)
		outfile_printf(out, ":value:_sequence -s , compadd -%.*s", (int)size, data);
	else if (option_has_value(spec))
		outfile_puts(out, ":value:_files");
	outfile_puts(out, "'\n");
	outfile_discard(words);
}

/* Each with a blank before it; "timeline/generate" is one. */
static void put_all_commands(struct outfile *out)
{
	for (const struct command *c = command_next(NULL); c; c = command_next(c)) {
		outfile_puts(out, " ");
		put_case(out, c);
	}
}

void completion_write_zsh(struct outfile *out)
{
	outfile_puts(out, "#compdef stepstat\n"
			  "# zsh completion for stepstat, made by `stepstat help zsh-completion`.\n"
			  "local command=report\nlocal -a commands options\ncommands=(\n");
	for (size_t c = 0; c < command_count; c++) {
		outfile_printf(out, "\t%s:'", command_table[c]->name);
		put_quoted(out, command_table[c]->summary, ":\\");
		outfile_puts(out, "'\n");
	}
	outfile_puts(out, ")\nif (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
			  "\t_describe command commands\n\t_files\n\treturn\nfi\nfor command in");
	put_all_commands(out);
	outfile_puts(out,
		" report; do\n"
		"\t[[ $words[2] == $command || $words[2]/$words[3] == $command ]] && break\n"
		"done\n");
	for (size_t i = 0; i < option_count; i++)
		if (has_dashes(&option_table[i]) && put_option_commands(NULL, &option_table[i]))
			put_zsh_option(out, &option_table[i]);
	outfile_puts(out, "_arguments $options '*:input:_files'\n");
}

static void put_fish_option(struct outfile *out, const struct option_spec *spec)
{
	struct outfile *words = option_words(spec);
	size_t size = 0;
	const char *data = outfile_data(words, &size);

	outfile_puts(out, "complete -c stepstat -n '__stepstat_is");
	put_option_commands(out, spec);
	outfile_printf(out, "' -%c ", strlen(spec->name) == 1 ? 's' : 'l');
	for (const char *p = spec->name; *p; p++)
		outfile_printf(out, "%c", *p == '_' ? '-' : *p);
	if (option_has_value(spec) && size)
		outfile_printf(out, " -x -a '(__fish_append , %.*s)'", (int)size - 1, data + 1);
	else if (option_has_value(spec))
		outfile_puts(out, " -r");
	outfile_puts(out, " -d '");
	put_quoted(out, spec->help, "\\");
	outfile_puts(out, "'\n");
	outfile_discard(words);
}

void completion_write_fish(struct outfile *out)
{
	outfile_puts(out,
		"# fish completion for stepstat, made by `stepstat help fish-completion`.\n"
		"function __stepstat_is\n"
		"\tset -l typed (commandline -opc) none none\n"
		"\tset -l command report\n"
		"\tfor one in");
	put_all_commands(out);
	outfile_puts(out, "\n"
			  "\t\tif test $typed[2] = $one; or test $typed[2]/$typed[3] = $one\n"
			  "\t\t\tset command $one\n\t\tend\n\tend\n"
			  "\tcontains -- $command $argv\nend\n");
	for (size_t c = 0; c < command_count; c++) {
		outfile_printf(out, "complete -c stepstat -n __fish_use_subcommand -a %s -d '",
			command_table[c]->name);
		put_quoted(out, command_table[c]->summary, "\\");
		outfile_puts(out, "'\n");
	}
	for (size_t i = 0; i < option_count; i++)
		if (has_dashes(&option_table[i]) && put_option_commands(NULL, &option_table[i]))
			put_fish_option(out, &option_table[i]);
}
