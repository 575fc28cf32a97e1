/* stepstat help: commands, topics, and a line for each column, statistic, measure and option. */
#include "cli/help/help.h"

#include <string.h>
#include "base/arena.h"
#include "base/text.h"
#include "analysis/gate/policies.h"
#include "cli/help/columns.h"
#include "cli/options/command.h"
#include "cli/help/completion.h"
#include "cli/options/foreign_options.h"
#include "cli/help/manpage.h"
#include "cli/options/options.h"
#include "cli/screen.h"
#include "cli/help/topics.h"
#include "cli/help/usage.h"
#include "writers/writer.h"

#define NAMES_MOST 512

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
	static const char *const kinds[] = {"recorded", "derived", "per op", "per call"};

	outfile_puts(out,
		"Measures (--measures=a,b,...), the sum over the executions of an op in one "
		"step;\nthose \"per call\" are of each execution (stepstat report --per=call).\n");
	for (size_t i = 0; i < MEASURE_COUNT; i++) {
		const struct measure *m = measure_at((enum measure_id)i);

		if (measure_is_own((enum measure_id)i))
			continue;
		outfile_printf(out, "  %-12s %-9s %-8s %s\n", m->name, dimension_name(m->dimension),
			kinds[m->kind], m->summary);
	}
}

static void help_columns(struct outfile *out)
{
	outfile_puts(out,
		"Columns of the table\n"
		"  op         name of the op after the rules (or its type, device or scope "
		"with --by)\n"
		"  type       kind of op, such as Conv2D; empty where there are several. Work "
		"of the host and of an\n"
		"             accelerator under one name has the accelerator's time, type and "
		"device\n"
		"  time/step  mean time per step; a step without the op counts as 0 unless "
		"--absent=skip\n"
		"  ± 95%      half width of the interval of that mean, relative to it, "
		"corrected for correlated steps\n"
		"  share      part of the op time of all steps\n"
		"  CV         coefficient of variation over the steps: sd / mean, divisor n-1 "
		"unless --cv=population\n"
		"             a letter after it refers to a note that names the steps that cause "
		"it\n"
		"  jitter     part of the step-to-step variance of the step time (help jitter) "
		"that moves with this op;\n"
		"             adds up to 100 %, negative if an op compensates for others\n"
		"  requested  mean bytes requested from the allocators per step\n"
		"  calls      in traces: how often it ran in all of these steps\n"
		"  ran        steps in which the op ran, of all steps\n"
		"With --per=call\n"
		"  calls      single executions in these steps; time sum is their sum\n"
		"  time/call  mean time of one execution; min call, max call: the shortest and the "
		"longest;\n"
		"             p50, p99: percentiles over them; < 5 us: the part that takes less\n"
		"  delay/call mean time from the start of the launch to the start of the work on a "
		"device\n"
		"Columns of a CSV file\n"
		"  run,op,type,device,ran,steps, then MEASURE_STATISTIC_UNIT, then notes:\n"
		"  low, high  ends of the interval of the mean (--confidence), not the "
		"smallest and largest time:\n"
		"             these are min and max; empty below five independent steps\n"
		"  sum        over all steps; se: standard error of the mean; help statistics has "
		"the others\n"
		"  notes\n"
		"  absent     some steps had no such op      spiky   one step alone makes the CV\n"
		"  resolution sd below the file's resolution  summed  several ops share the name\n"
		"  lost       values out of range were left out\n"
		"Other tables (--table=NAME; -o NAME/ writes all, .json and .xlsx hold all)\n"
		"  steps      run,step,kind,kept,ops, then a column each for step_time, op_time, "
		"wall, busy and what the host\n"
		"             and each device did, as far as the input has them, and index: a row "
		"for each step of the input;\n"
		"             kept is yes or why not (warm-up, other kind, not chosen), ops how "
		"many ran, index the place\n"
		"             of the step in its run, from 0\n"
		"  totals     run,series, then every statistic: a row for each of these times over "
		"the kept steps\n"
		"  issues     severity,code,count,text,place,row,low,high,recorded,unit,steps: "
		"losses, oddities and\n"
		"             assumptions, with bounds of what each changes most\n"
		"  facts      fact,value,files: what files say about their recording\n"
		"  ranks      rank,group,steps,slowest_in,excess_mean,work_mean: a row for each "
		"rank of a job of several;\n"
		"             where calls of collectives are known also transfer_mean, "
		"waiting_mean (of a step: what the\n"
		"             last rank's call took, and the rest) and last_in (collectives in "
		"which it came last)\n"
		"  split      op,ranks,steps,group,rank_in_group,step,rank_x_step: how the "
		"variance over ranks and steps\n"
		"             splits, of all ops (of: all), each class and each row\n"
		"  culprits   rank,group,op,ranks,steps,slowest_in,excess_mean: the ranks named as "
		"slow, and in what\n");
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

static const char comparison_text[] =
	"What `stepstat compare` prints, word by word (formulas: doc/comparison.md)\n"
	"The question\n"
	"  An op has one number per run: its time per step. Runs of one program differ by "
	"themselves,\n"
	"  so a change counts when it is larger than that; steps of one run share a machine and "
	"are no\n"
	"  further evidence. Best are 5 runs a side, base and new recorded in turns.\n"
	"Verdicts (the margin is --margin, 2 %; changes within it do not matter to you)\n"
	"  REGRESSED      slower by more than the margin; IMPROVED: faster by more\n"
	"  SLOWER, FASTER changed, but perhaps by less than the margin\n"
	"  MORE, LESS     the same of bytes and counts\n"
	"  SAME           no change beyond the margin\n"
	"  INCONCLUSIVE   these runs cannot tell: no change is shown, and none is excluded\n"
	"  NEW, GONE      the op is on one side only; RARE: in so few runs that it may be chance\n"
	"  no verdict     there was nothing to test with; the reason is beside it\n"
	"Half sentences beside them\n"
	"  sees > 5 %     a change of 5 % would be REGRESSED in 80 of 100 such comparisons, a "
	"smaller one\n"
	"                 less often; more runs see smaller changes\n"
	"  size near 2 %, perhaps < 2 %   the change is shown, that it is beyond the margin is "
	"not\n"
	"  just beyond, just shown   true, but the interval alone would not show it\n"
	"  alone SLOWER   this op by itself would be SLOWER; of so many ops some look so by "
	"chance\n"
	"  one run far off   the change lies outside of its interval: look at the runs one by one\n"
	"  no steady state   steps of a run never settle; choose them with --steps or --warmup\n"
	"  the runs differ as much among themselves   other splits of the runs make claims as "
	"strong\n"
	"Columns\n"
	"  change         of the mean over the runs. ms/step: what it adds to a step; the column "
	"adds up\n"
	"  [95 %]         interval: where the true change is, right in 95 of 100 cases. Of an op "
	"that was\n"
	"                 picked out as changed it is wider, as the largest changes are partly "
	"luck\n"
	"  q              the smaller, the less likely chance alone explains the change. Of all "
	"ops with q\n"
	"                 below 5 % at most 5 % are expected to be false alarms (false "
	"discoveries)\n"
	"  exact          instead of q: the value never varies, so no test is needed (bytes, "
	"counts)\n"
	"  a, b           the note of that letter is about this row\n"
	"The step and its devices\n"
	"  a step took    step time, where steps are marked or an accelerator worked in them; else "
	"op time\n"
	"  part           what a device did, by time: compute, communication and copies alone, "
	"idle. They add\n"
	"                 up to the window of the step and explain it, without a verdict "
	"(--table=parts)\n"
	"Rows\n"
	"  small ops      below 0.1 % of the step each, tested as one sum (--min-share)\n"
	"  [9 ops, none above 1 %]   rows that are not shown; --top=all shows them\n"
	"Notes\n"
	"  fragile        without one run (or step) the claim would not be made. With 3 runs a "
	"side that is\n"
	"                 common for true changes, too: record more runs\n"
	"  common shift   nearly all ops moved the same way: the machine, or something that all "
	"ops use\n"
	"  ICC            the part of the spread that is between runs, 0 to 1. \"97 steps of a run "
	"are worth\n"
	"                 5\": more steps help little then, more runs help\n"
	"  typical op     geometric mean of all ratios: small ops count as much as large ones\n"
	"How it is decided (--method; --explain=REGEX prints every number of an op)\n"
	"  moderated      the default: the spread of an op borrows from that of the others, what "
	"moves all\n"
	"                 ops of a run is separated; each direction is adjusted for the number of "
	"ops\n"
	"  limma          the same without the separation; false alarms if the machine's speed "
	"varies\n"
	"  welch          each op for itself; few runs find little\n"
	"  ranksum        by ranks only; no result is possible with 3 runs a side\n"
	"  paired         runs recorded in rounds, one of each side (--pair): moderated t of the "
	"differences;\n"
	"                 below 10 ops each for itself. Without --method it is taken where the "
	"times in\n"
	"                 the files show 3 rounds or more\n"
	"  evidence       in files, what a verdict rests on: exact; test (on the runs); floor (no "
	"spread\n"
	"                 but that of the times' resolution); linear (0 in a run: Welch on the "
	"values);\n"
	"                 given (--run-cv, --noise); one run\n"
	"  1 run a side   no verdict, unless --run-cv or --noise say how much runs differ\n";

static void help_comparison(struct outfile *out)
{
	outfile_puts(out, comparison_text);
}

static void help_gate(struct outfile *out)
{
	const char *line;

	outfile_puts(out, "The section `gate` of stepstat.yaml (or --config FILE); omitted keys "
			  "are as shown\n"
			  "\n"
			  "  gate:\n");
	for (size_t i = 0; (line = policies_help(i)); i++)
		outfile_printf(out, "    %s\n", line);
	outfile_puts(out,
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
		"Exit status: 0 green, 1 red, 2 wrong options or file, 3 unusable (too few runs "
		"for any\n"
		"verdict, a policy that fits no op, an expired waiver or base), 4 blind or "
		"undecided,\n"
		"5 only improvements (improved: report). 2 wins over 3, then 1, 4, 5.\n"
		"`gate --self-test` proves that the gate can go red.\n");
}

static void help_classes(struct outfile *out)
{
	outfile_puts(out, rules_shipped_classes());
}

/* Topics that are made of tables, or are lists. */
static const struct {
	const char *name;
	void (*write)(struct outfile *out);
} list_table[] = {
	{"columns", help_columns},
	{"statistics", help_statistics},
	{"measures", help_measures},
	{"comparison", help_comparison},
	{"gate", help_gate},
	{"rules", help_rules},
	{"classes", help_classes},
	{"keys", usage_keys},
	{"habits", foreign_option_list},
	{"topics", topic_list},
	{"bash-completion", completion_write},
	{"zsh-completion", completion_write_zsh},
	{"fish-completion", completion_write_fish},
	{"man", manpage_write},
};

#define LISTS (sizeof(list_table) / sizeof(*list_table))

static void add_unlisted(
	const char *name, void (*add)(void *context, const char *word), void *context)
{
	bool listed = text_equal(name, "formats");
	struct topic topic;

	for (size_t i = 0; i < LISTS; i++)
		listed |= text_equal(list_table[i].name, name);
	if (!listed && !topic_find(name, &topic))
		add(context, name);
}

void help_words(void (*add)(void *context, const char *word), void *context)
{
	for (size_t i = 0; i < LISTS; i++)
		add(context, list_table[i].name);
	add(context, "formats");
	topic_words(add, context);
	for (size_t i = 0; i < MEASURE_COUNT; i++)
		if (!measure_is_own((enum measure_id)i))
			add_unlisted(measure_at((enum measure_id)i)->name, add, context);
	for (size_t i = 0; i < STATISTIC_COUNT; i++)
		add_unlisted(statistic_at((enum statistic_id)i)->name, add, context);
	for (size_t i = 0; i < command_count; i++)
		add_unlisted(command_table[i]->name, add, context);
}

/* A column of --stats by its name or its title, or a percentile. */
static const struct statistic *find_statistic(const char *name)
{
	struct statistic_choice choice;
	struct error none = {0};

	for (size_t i = 0; i < STATISTIC_COUNT; i++) {
		const struct statistic *s = statistic_at((enum statistic_id)i);

		if (text_distance(name, s->name, 0) == 0 || text_distance(name, s->title, 0) == 0)
			return s;
	}
	return statistic_choose(name, &choice, &none) == 0 ? choice.statistic : NULL;
}

static bool column_topic(const char *name, struct outfile *out)
{
	const struct statistic *s = find_statistic(name);

	for (size_t i = 0; i < MEASURE_COUNT && !s; i++) {
		const struct measure *m = measure_at((enum measure_id)i);

		if (measure_is_own((enum measure_id)i) || text_distance(name, m->name, 0))
			continue;
		outfile_printf(out, "%s: %s\n--measures=%s; all of them: stepstat help measures\n",
			m->name, m->summary, m->name);
		return true;
	}
	if (s)
		outfile_printf(out,
			"%s: %s\n--stats=mean,%s; all of them: stepstat help statistics\n", s->name,
			s->summary, statistic_has_order(s->id) ? "p95,p95low,p95high" : s->name);
	return s != NULL;
}

static bool writer_topic(const char *name, struct outfile *out)
{
	for (size_t i = 0; i < writer_count; i++)
		if (text_equal(writer_table[i]->name, name)) {
			outfile_printf(out,
				"%s: %s\n-o FILE, --to=%s; all of them: stepstat formats\n", name,
				writer_table[i]->summary, name);
			return true;
		}
	return false;
}

/* "timeline merge" is a part of a command. */
static const struct command *command_topic(const char *name)
{
	for (const struct command *c = command_next(NULL); c; c = command_next(c))
		if (text_equal(c->name, name))
			return c;
	return command_find(name);
}

/* An option by its name, with or without dashes. */
static bool option_topic(const char *name, struct outfile *out)
{
	const struct option_spec *spec = options_find(name + strspn(name, "-"));

	if (spec)
		usage_option(out, spec);
	return spec != NULL;
}

struct nearest {
	const char *word[NAMES_MOST];
	size_t count;
	struct arena *arena;
};

static void add_word(void *context, const char *word)
{
	struct nearest *nearest = context;

	if (nearest->count < NAMES_MOST)
		nearest->word[nearest->count++] = arena_strdup(nearest->arena, word);
}

static int unknown(const char *name, struct error *err)
{
	struct nearest nearest = {.arena = arena_new()};
	int found;

	help_words(add_word, &nearest);
	found = text_nearest(name, nearest.word, nearest.count);
	error_set(err, ERROR_USAGE, NULL, "no help on \"%s\"", name);
	if (found >= 0)
		error_hint(err, "did you mean \"%s\"? stepstat help topics lists them",
			nearest.word[found]);
	else
		error_hint(err, "stepstat help topics lists kinds of input and words of a report; "
				"commands and options have help, too");
	arena_free(nearest.arena);
	return -1;
}

/* A topic with the name of a command says where the command's own help is. */
static int topic(const char *name, struct outfile *out, struct error *err)
{
	struct topic topic;
	const bool found = topic_find(name, &topic);
	const struct command *command = command_topic(name);

	for (size_t i = 0; i < LISTS; i++)
		if (text_equal(list_table[i].name, name)) {
			list_table[i].write(out);
			return 0;
		}
	if (found)
		topic_write(out, &topic);
	else if (command)
		usage_command(out, command, false);
	else if (!column_topic(name, out) && !option_topic(name, out) && !writer_topic(name, out))
		return column_help(name, out) || glossary_write(out, name) ? 0 : unknown(name, err);
	if (!command && !(found && strlen(name) == topic.name.size &&
				strncmp(topic.name.at, name, topic.name.size) == 0))
		column_word_help(name, out);
	return 0;
}

static int run(struct settings *s, struct error *err)
{
	struct outfile *out;

	/* "stepstat help op time" asks for one topic. */
	const char *name = NULL;

	for (size_t i = 0; i < s->job.input.count; i++) {
		const char *word = *(const char **)vec_at(&s->job.input, i);

		name = name ? arena_printf(s->arena, "%s %s", name, word) : word;
	}

	if (name && text_equal(name, "formats"))
		return command_find("formats")->run(s, err);
	out = screen_open(err);
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
	.arguments = "[TOPIC]...",
	.summary =
		"explains a kind of input, a word of a report, an option, a command: help topics",
	.run = run,
};
