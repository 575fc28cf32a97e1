/* The help of the program and of each command. */
#include "cli/help/usage.h"

#include <string.h>
#include "base/text.h"

#define HELP_COLUMN 38

/* Every kind of input that has a reader. */
#define INPUT_KINDS                                                                                \
	"INPUT is a file, a folder or - (standard input), plain or gzipped, of one of these "      \
	"kinds:\n"                                                                                 \
	"  TensorFlow     profile_N of tfprof, run_meta_N, timeline-N.json, text that tfprof "     \
	"printed\n"                                                                                \
	"  PyTorch        *.pt.trace.json     ONNX Runtime  onnxruntime_profile_*.json\n"          \
	"  JAX, TF 2      *.xplane.pb, *.trace.json.gz      TensorRT  JSON of trtexec\n"           \
	"  NVIDIA, AMD    *.sqlite of Nsight Systems, *_results.db of rocprofv3\n"                 \
	"  any program    Chrome trace, *.pftrace (Perfetto), table in CSV or Parquet, .obs\n"

/* The README has the same words. */
void usage_brief(struct outfile *out)
{
	outfile_puts(out,
		"Usage: stepstat FILE...            mean, spread and share of every op over the "
		"steps of a profile\n"
		"       stepstat COMMAND [OPTION]... INPUT...\n"
		"\n" INPUT_KINDS "\n"
		"  stepstat profile_100                         report: the most expensive ops, "
		"their spread and share\n"
		"  stepstat profile_100 -o ops.xlsx             all ops and steps, with charts, "
		"for a spreadsheet\n"
		"  stepstat profile_100 -o report.html          a page for a browser, with plots\n"
		"  stepstat profile_100 -o ops.md               a table for a pull request\n"
		"  stepstat compare before/ after/              which ops really changed between "
		"two configurations\n"
		"  stepstat gate before/ after/                 the same for a CI: exit status 1 "
		"on a regression\n"
		"  stepstat tfprof --profile_path=profile_100   TensorFlow's tfprof, word for "
		"word\n"
		"\n"
		"stepstat help lists the commands and topics: stepstat help pytorch, stepstat help "
		"wall.\n");
}

void usage_commands(struct outfile *out)
{
	outfile_puts(out, "Usage: stepstat [COMMAND] [OPTION]... INPUT...\n"
			  "\n"
			  "Commands (report if none is given)\n");
	for (size_t i = 0; i < command_count; i++)
		outfile_printf(
			out, "  %-9s %s\n", command_table[i]->name, command_table[i]->summary);
	outfile_puts(out,
		"\n" INPUT_KINDS "\n"
		"stepstat COMMAND --help shows the options of a command. stepstat help "
		"TOPIC explains a\n"
		"kind of input (pytorch, jax, tfprof, ...), a word of a report (wall, "
		"share, CV, jitter, ...),\n"
		"columns, statistics, measures, formats, rules; stepstat help topics lists "
		"them all.\n"
		"stepstat --version shows the version, stepstat --licences every licence.\n"
		"\nExamples\n"
		"  stepstat profile_100\n"
		"  stepstat profile_100 --by=type -o ops.csv -o ops.md\n");
}

void usage_option_words(const struct option_spec *spec, struct text *out)
{
	const char *dashes = option_dashes(spec);

	text_add(out, dashes);
	for (const char *p = spec->name; *p; p++)
		text_add_char(out, *p == '_' ? '-' : *p);
	if (!option_has_value(spec)) {
		text_add(out, *dashes ? "" : ": true");
		return;
	}
	text_add(out, !*dashes ? ": " : strlen(dashes) == 1 ? " " : "=");
	option_add_argument(spec, out);
}

/* A text may continue with "; comparing: TEXT", "; exporting: TEXT" or "; ab: TEXT", which replaces
 * it for those commands. */
static const char *const text_marks[] = {"; comparing: ", "; exporting: ", "; ab: "};

#define TEXT_MARKS (sizeof(text_marks) / sizeof(*text_marks))

static size_t length_of_common_text(const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < TEXT_MARKS; i++) {
		const char *found = strstr(text, text_marks[i]);

		if (found && (size_t)(found - text) < n)
			n = (size_t)(found - text);
	}
	return n;
}

/* Writes the text for the command; the whole text without a command. */
static void put_own(struct outfile *out, const char *said, const struct command *command)
{
	const char letter = command ? command->letter : 0;
	const char *mark = letter == 'C' || letter == 'G'   ? text_marks[0]
			   : letter == 'E' || letter == 'S' ? text_marks[1]
			   : letter == 'B'		    ? text_marks[2]
							    : NULL;
	const char *own = mark ? strstr(said, mark) : NULL;
	const char *text = own ? own + strlen(mark) : said;

	outfile_write(out, text, command ? length_of_common_text(text) : strlen(text));
}

/* Without a command: the line for all commands. */
static void option_line(
	struct outfile *out, const struct option_spec *spec, const struct command *command)
{
	bool own = command && text_equal(spec->name, "o") && command->output_help;
	struct text words;

	text_init(&words);
	usage_option_words(spec, &words);
	outfile_printf(out, "  %-*s ", HELP_COLUMN - 3, text_string(&words));
	put_own(out, own ? command->output_help : spec->help, command);
	if (*spec->standard) {
		outfile_puts(out, " (default ");
		put_own(out, spec->standard, command);
		outfile_puts(out, ")");
	}
	text_clear(&words);
	options_add_spellings(spec, command ? command->letter : 0, &words);
	outfile_printf(out, "%s\n", text_string(&words));
	text_release(&words);
}

void usage_option_commands(const struct option_spec *spec, struct text *out)
{
	const char *before = "Commands: ";

	for (const struct command *c = command_next(NULL); c; c = command_next(c))
		if (option_is_typed(spec, c->letter)) {
			text_printf(out, "%s%s", before, c->name);
			before = ", ";
		}
	before = out->size ? "; key of stepstat.yaml: " : "Key of stepstat.yaml: ";
	for (const struct command *c = command_next(NULL); c; c = command_next(c))
		if (option_is_key(spec, c->letter)) {
			text_printf(out, "%s%s", before, c->name);
			before = ", ";
		}
}

void usage_option(struct outfile *out, const struct option_spec *spec)
{
	struct text commands;

	text_init(&commands);
	usage_option_commands(spec, &commands);
	outfile_printf(out, "%s\n", option_group_titles[spec->group]);
	option_line(out, spec, NULL);
	outfile_printf(out, "%s\n", text_string(&commands));
	text_release(&commands);
}

void usage_keys(struct outfile *out)
{
	outfile_puts(out,
		"Keys below \"report:\" in stepstat.yaml (or in a file of --config=FILE) that "
		"cannot be typed as options;\n"
		"every option of a command is a key, too, but for inputs and outputs\n\n");
	for (size_t i = 0; i < option_count; i++)
		if (!*option_dashes(&option_table[i]))
			option_line(out, &option_table[i], NULL);
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
				!option_is_typed(spec, command->letter) ||
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
