/* Writes the man page in roff, from the tables and from texts that are only here. */
#include "config.h"

#include "cli/help/manpage.h"

#include <string.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/options/options.h"
#include "cli/help/topics.h"
#include "cli/help/usage.h"

/* Writes text with roff's special characters escaped. */
static void put(struct outfile *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '-')
			outfile_puts(out, "\\-");
		else if (*s == '\\')
			outfile_puts(out, "\\e");
		else if (*s == '\'')
			outfile_puts(out, "\\(aq");
		else
			outfile_write(out, s, 1);
	}
}

static void put_head(struct outfile *out)
{
	outfile_puts(out, ".\\\" Made by `stepstat help man`; change cli/, not this file.\n"
			  ".TH STEPSTAT 1 \"\" \"stepstat " PACKAGE_VERSION "\" \"User Commands\"\n"
			  ".SH NAME\n"
			  "stepstat \\- statistical reports for profiles of many steps\n"
			  ".SH SYNOPSIS\n"
			  ".B stepstat\n[\\fICOMMAND\\fR] [\\fIOPTION\\fR]... \\fIINPUT\\fR...\n"
			  ".SH DESCRIPTION\n"
			  "Reads the profile of a machine\\-learning run that was recorded step by "
			  "step and says, for every op,\n"
			  "how long it takes in a step, how much memory it asks for, how much it "
			  "varies from step to step, and\n"
			  "what part of the step and of its jitter it makes. An input is a file or "
			  "a folder, plain or gzipped; \\-\n"
			  "is standard input. A file is a run; RunMetadata, timelines and tfprof's "
			  "text are a file a step, and those\n"
			  "of one folder are the steps of one run; each subfolder is a run.\n"
			  ".SH COMMANDS\n");
	for (const struct command *c = command_next(NULL); c; c = command_next(c)) {
		outfile_puts(out, ".TP\n.B ");
		put(out, c->name);
		put(out, " ");
		put(out, c->arguments);
		outfile_puts(out, "\n");
		put(out, c->summary);
		outfile_puts(out, "\n");
	}
}

static void put_option(struct outfile *out, const struct option_spec *spec)
{
	struct text words;

	text_init(&words);
	usage_option_words(spec, &words);
	outfile_puts(out, ".TP\n.B ");
	put(out, text_string(&words));
	outfile_puts(out, *spec->help == '.' ? "\n\\&" : "\n"); /* no request of roff */
	put(out, spec->help);
	if (*spec->standard) {
		outfile_puts(out, " (default ");
		put(out, spec->standard);
		outfile_puts(out, ")");
	}
	text_clear(&words);
	options_add_spellings(spec, 0, &words);
	put(out, text_string(&words));
	outfile_puts(out, ". ");
	text_clear(&words);
	usage_option_commands(spec, &words);
	put(out, text_string(&words));
	outfile_puts(out, ".\n");
	text_release(&words);
}

static void put_part(struct outfile *out, const struct topic_part *part)
{
	struct text text;

	text_init(&text);
	text_add_bytes(&text, part->at, part->size);
	put(out, text_string(&text));
	text_release(&text);
}

static void put_tail(struct outfile *out)
{
	outfile_puts(out,
		".SH EXIT STATUS\n"
		".TP\n.B 0\ndone\n"
		".TP\n.B 2\nthe command line, the rules or the configuration are wrong\n"
		".TP\n.B 3\nthe job could not be done: input unusable, a pattern that "
		"matches nothing, output not\n"
		"writable, a limit passed, a loss in the input under \\-\\-strict\n"
		".PP\n"
		"The command\n.B gate\nalone: 0 green, 1 red, 3 also too few runs for any verdict, "
		"or an expired waiver, 4 blind, or undecided\n"
		"where a policy wants a verdict, 5 only improvements, where asked.\n"
		".B tfprof\nhas the statuses of the original (doc/tfprof.md).\n"
		".SH FILES\n"
		"Outputs appear whole or not at all: they are written under a temporary name in "
		"the same folder and\n"
		"renamed when complete.\n"
		".SH ENVIRONMENT\n"
		".TP\n.B COLUMNS\nwidth of the table; without it that of the terminal, and in a "
		"pipe as wide as needed\n"
		".TP\n.B NO_COLOR\nno colours when set and not empty\n"
		".SH EXAMPLES\n.nf\n"
		"stepstat profile_100\n"
		"stepstat profile_100 \\-\\-by=type \\-o ops.csv \\-o ops.md\n"
		"stepstat report runs/ \\-\\-include=\\(aqConv2D|MatMul\\(aq \\-\\-warmup=auto "
		"\\-\\-sort=jitter\n"
		"stepstat compare before/ after/ \\-o compare.csv\n"
		"tfprof \\-\\-profile_path=profile_100 op \\-\\-order_by=micros\n"
		".fi\n"
		".SH SEE ALSO\n"
		"The README and doc/statistics.md, installed with the program, explain each "
		"number.\n");
}

void manpage_write(struct outfile *out)
{
	put_head(out);
	outfile_puts(out, ".SH OPTIONS\n");
	for (size_t g = 0; g < GROUP_COUNT; g++) {
		outfile_puts(out, ".SS ");
		put(out, option_group_titles[g]);
		outfile_puts(out, "\n");
		for (size_t i = 0; i < option_count; i++)
			if (option_table[i].group == g)
				put_option(out, &option_table[i]);
	}

	struct topic topic = {0};

	outfile_puts(out,
		".SH HELP TOPICS\n"
		".B stepstat help\n\\fITOPIC\\fR explains a kind of input, a word of a "
		"report, an option, a command, or one of the lists\n"
		"columns, statistics, measures, formats, comparison, gate, rules, classes, "
		"habits.\n");
	while (topic_next(&topic)) {
		outfile_puts(out, ".TP\n.B ");
		put_part(out, &topic.name);
		outfile_puts(out, "\n\\&"); /* a dot at the start would be a request of roff */
		put_part(out, &topic.title);
		outfile_puts(out, "\n");
	}
	outfile_puts(out, ".SH TFPROF\n"
			  "Under the name\n.B tfprof\n"
			  "the program is the command line of TensorFlow\\(aqs profiler, as it is "
			  "with the command\n.BR tfprof .\n"
			  "It takes flags \\-\\-NAME=VALUE and a view (scope, graph, op, code) or "
			  "advise, which is run once;\n"
			  "without one it reads lines at a prompt. Its flags are listed by\n"
			  ".BR \"tfprof \\-\\-help\" ;\n"
			  "new are several steps (\\-\\-step=10:99) with micros_mean and "
			  "micros_cv, the outputs csv, md, json\n"
			  "and txt, \\-\\-proto_out=FILE, \\-\\-write_profile=FILE, sets of "
			  "options as commands (time_and_memory), and advise \\-\\-all;\n"
			  "doc/tfprof.md, installed with the program, explains them.\n");
	put_tail(out);
}
