/*
 * stepstat help: commands, and one line for each column, statistic, measure, format and rule.
 */
#include <string.h>
#include "base/text.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/manpage.h"
#include "cli/usage.h"

static void help_statistics(struct outfile *out)
{
	outfile_puts(out, "Statistics (--stats=a,b,...), over the steps of a run. "
			  "doc/statistics.md has the formulas.\n");
	for (size_t i = 0; i < STATISTIC_COUNT; i++) {
		const struct statistic *s = statistic_at((enum statistic_id)i);

		outfile_printf(out, "  %-9s %s\n", s->name, s->summary);
	}
}

static void help_measures(struct outfile *out)
{
	static const char *const kinds[] = {"recorded", "derived", "per op"};

	outfile_puts(out, "Measures (--measures=a,b,...), the sum over the executions of an op in "
			  "one step.\n");
	for (size_t i = 0; i < MEASURE_COUNT; i++) {
		const struct measure *m = measure_at((enum measure_id)i);

		outfile_printf(out, "  %-11s %-6s %-8s %s\n", m->name, dimension_name(m->dimension),
			kinds[m->kind], m->summary);
	}
}

static void help_columns(struct outfile *out)
{
	outfile_puts(out,
		"Columns of the table\n"
		"  op         name of the op after the rules (or its type, device or scope with "
		"--by)\n"
		"  type       kind of op, such as Conv2D\n"
		"  time/step  mean time per step; a step without the op counts as 0 unless "
		"--absent=skip\n"
		"  ± 95%      half width of the interval of that mean, relative to it, corrected "
		"for correlated steps\n"
		"  share      part of the op time of all steps\n"
		"  CV         coefficient of variation over the steps: sd / mean, divisor n-1 "
		"unless --cv=population\n"
		"  robust CV  1.4826 MAD / median, shown where it and CV differ by more than a factor of 2\n"
		"  jitter     part of the step-to-step variance of the op time that moves with "
		"this op; adds up to\n"
		"             100 %, negative when an op compensates\n"
		"  requested  mean bytes requested from the allocators per step\n"
		"  ran        steps in which the op ran, of all steps\n"
		"Columns of a CSV file\n"
		"  run,op,type,device,ran,steps, then MEASURE_STATISTIC_UNIT, then notes (codes):\n"
		"  absent     some steps had no such op      spiky   one step alone makes the CV\n"
		"  resolution sd below the file's resolution  summed  several ops share the name\n"
		"  lost       values out of range were left out\n");
}

static void help_rules(struct outfile *out)
{
	outfile_puts(out,
		"Rules: on the command line, or in a YAML file (--rules FILE). Patterns are PCRE2, "
		"see the\n"
		"recorded name, and match anywhere in it; exclude wins; renames run in order.\n"
		"\n"
		"  select:\n"
		"    include: ['Conv2D', 'MatMul$']\n"
		"    exclude: ['^gradients/']\n"
		"    match: full                       # patterns match whole names, as tfprof's "
		"do\n"
		"  rename:\n"
		"    - 's#^v/tower_[0-9]/cg/##'        # any delimiter; $1 is a group; flags g, i\n"
		"  types:\n"
		"    pool_logit: '^pool_logit/'        # a type of your own, for --by=type\n"
		"\n"
		"A section `classes`, written like `types`, replaces the shipped classes of "
		"--by=class\n"
		"(stepstat help classes prints them); its patterns see the type of an op.\n"
		"\n"
		"stepstat ops INPUT --rules FILE shows what each rule does.\n");
}

static int topic(const char *name, struct outfile *out, struct error *err)
{
	static const char *const topics[] = {
		"columns", "statistics", "measures", "formats", "rules", "classes", NULL};
	const struct command *command = command_find(name);
	int nearest;

	if (text_equal(name, "statistics"))
		help_statistics(out);
	else if (text_equal(name, "measures"))
		help_measures(out);
	else if (text_equal(name, "columns"))
		help_columns(out);
	else if (text_equal(name, "rules"))
		help_rules(out);
	else if (text_equal(name, "classes"))
		outfile_puts(out, rules_shipped_classes());
	else if (text_equal(name, "bash-completion"))
		completion_write(out);
	else if (text_equal(name, "man"))
		manpage_write(out);
	else if (command)
		usage_command(out, command, false);
	else {
		nearest = text_nearest(name, topics, 6);
		error_set(err, ERROR_USAGE, NULL, "no help on \"%s\"", name);
		return error_hint(err,
			"%s%s%stopics: columns, statistics, measures, formats, rules, classes, or "
			"a command",
			nearest >= 0 ? "did you mean \"" : "", nearest >= 0 ? topics[nearest] : "",
			nearest >= 0 ? "\"? " : "");
	}
	return 0;
}

static int run(struct settings *s, struct error *err)
{
	const char *name = s->input.count ? *(const char **)vec_at(&s->input, 0) : NULL;
	struct outfile *out;

	if (name && text_equal(name, "formats"))
		return command_find("formats")->run(s, err);
	out = outfile_open("-", err);
	if (!out)
		return -1;
	if (!name)
		usage_commands(out);
	else if (topic(name, out, err) < 0) {
		outfile_discard(out);
		return -1;
	}
	return outfile_commit(out, err);
}

const struct command command_help = {
	.name = "help",
	.arguments = "[TOPIC]",
	.summary = "explains columns, statistics, measures, formats, rules, classes, or a command",
	.run = run,
};
