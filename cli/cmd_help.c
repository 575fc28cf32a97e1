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
		"With --per=call\n"
		"  calls      single executions in these steps; time sum is their sum\n"
		"  time/call  mean time of one execution; min call, max call: the shortest and the "
		"longest\n"
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
		"(stepstat help classes prints them); its patterns see the type of an op,\n"
		"in PyTorch's traces CATEGORY:NAME.\n"
		"\n"
		"stepstat ops INPUT --rules FILE shows what each rule does.\n");
}

static void help_comparison(struct outfile *out)
{
	outfile_puts(out,
		"What `stepstat compare` and `gate` decide (doc/comparison.md has the formulas)\n"
		"  An op's value in a run is its total over the kept steps / their number. The run is\n"
		"  the unit of replication: steps of one run are no independent samples. Tests are on\n"
		"  logarithms; p values are adjusted for the number of ops (q).\n"
		"Verdicts, tried in this order\n"
		"  NEW, GONE      the op is on one side only\n"
		"  REGRESSED      slower by more than the margin, shown by a minimum-effect test (q < alpha)\n"
		"  IMPROVED       the same, faster\n"
		"  SAME           within the margin, shown by two one-sided tests at alpha\n"
		"  SLOWER, FASTER changed (q < alpha), but perhaps by less than the margin; MORE, LESS for bytes\n"
		"  INCONCLUSIVE   neither shown to differ nor to be the same; \"sees\" is the smallest\n"
		"                 change that such runs show in 80 % of cases\n"
		"What a verdict rests on\n"
		"  exact          constant on both sides (bytes, counts): no test is needed\n"
		"  test           on the run values; from 2 runs a side, better 3\n"
		"  floor          no spread between the runs but the resolution of the times\n"
		"  linear         0 in some run: Welch on the values, adjusted apart\n"
		"  given          one run a side, spread by --run-cv or --noise\n"
		"Methods (--method)\n"
		"  moderated      the default: each op's variance borrows from the others', and what moves\n"
		"                 all ops of a run together is told apart\n"
		"  limma          the same without that; false alarms on machines that breathe\n"
		"  welch          each op for itself; few runs find little\n"
		"  ranksum        exact, also with ties; no result is possible with 3 runs a side\n"
		"  paired         runs recorded in rounds, one of each side (--pair)\n");
}

static void help_gate(struct outfile *out)
{
	outfile_puts(out,
		"The section `gate` of stepstat.yaml (or --config FILE); what is left out is as shown\n"
		"\n"
		"  gate:\n"
		"    margin: 2%              # or 50us, or {relative: 2%, absolute: 50us, share: 0.1%}\n"
		"    alpha: 5%\n"
		"    min_runs: 1             # a side; fewer: exit 3\n"
		"    fail_on: regressed      # or slower\n"
		"    blind: fail             # or pass\n"
		"    inconclusive: pass      # or fail: exit 4\n"
		"    gone: pass              # or fail; so for new and executions\n"
		"    new: pass\n"
		"    executions: pass\n"
		"    improved: pass          # or report: exit 5\n"
		"    baseline_expires: 2027-06-30\n"
		"    policies:               # the first that fits an op decides\n"
		"      - name: convolutions\n"
		"        ops: 'Conv2D'       # a pattern or a list; and: measure: time\n"
		"        margin: 5%          # from margin to executions as above\n"
		"        watch: true         # a family of their own, adjusted by Holm\n"
		"    waivers:\n"
		"      - ops: '^conv1/Conv2D$'\n"
		"        ceiling: 10%        # what is worse is not waived\n"
		"        owner: anna@example.org\n"
		"        expires: 2026-12-31 # the last day; after it the gate is unusable\n"
		"        reason: 'cudnn 9.1, fixed in 9.2'\n"
		"\n"
		"Exit status: 0 green, 1 red, 2 wrong options or file, 3 unusable (too few runs for any\n"
		"verdict, a policy that fits no op, an expired waiver or base), 4 blind or undecided,\n"
		"5 only improvements (improved: report). 2 wins over 3, then 1, 4, 5.\n"
		"`gate --self-test` proves that the gate can go red.\n");
}

static int topic(const char *name, struct outfile *out, struct error *err)
{
	static const char *const topics[] = {
		"columns", "statistics", "measures", "comparison", "formats", "rules", "classes",
		NULL};
	const struct command *command = command_find(name);
	int nearest;

	if (text_equal(name, "statistics"))
		help_statistics(out);
	else if (text_equal(name, "measures"))
		help_measures(out);
	else if (text_equal(name, "columns"))
		help_columns(out);
	else if (text_equal(name, "comparison"))
		help_comparison(out);
	else if (text_equal(name, "gate"))
		help_gate(out);
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
		nearest = text_nearest(name, topics, 7);
		error_set(err, ERROR_USAGE, NULL, "no help on \"%s\"", name);
		return error_hint(err,
			"%s%s%stopics: columns, statistics, measures, comparison, formats, rules, "
			"classes, or a command",
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
	.summary = "explains columns, statistics, measures, comparison, formats, rules, a command",
	.run = run,
};
