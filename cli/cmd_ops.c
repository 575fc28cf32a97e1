/* stepstat ops: every op before and after the rules. */
#include <string.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "cli/explain.h"
#include "pipeline/one_side.h"
#include "report/build_ops.h"

static const char *rule_words(const struct rule *rule)
{
	static const char *const words[] = {[RULE_INCLUDE] = "include",
		[RULE_EXCLUDE] = "exclude",
		[RULE_RENAME] = "rename",
		[RULE_TYPE] = "type",
		[RULE_CLASS] = "class"};

	return words[rule->kind];
}

static const char *reason(const struct rule_outcome *outcome, struct arena *arena)
{
	const char *why = "";

	if (outcome->dropped_by)
		return arena_printf(arena, "exclude %s (%s)", outcome->dropped_by->text,
			outcome->dropped_by->place);
	if (!outcome->kept)
		return "no include matches";
	for (size_t i = 0; i < outcome->changed_count; i++)
		why = arena_printf(arena, "%s%s%s (%s)", why, i ? "; " : "",
			outcome->changed_by[i]->text, outcome->changed_by[i]->place);
	return why;
}

static int show(struct settings *s, struct side *side, struct error *err)
{
	const struct cube *cube = side->self;
	struct op_fate *fate = arena_array(side->arena, cube->op_count, sizeof(*fate));
	const char **idle = arena_array(side->arena, rules_count(s->job.rules), sizeof(*idle));
	size_t kept = 0, n = 0, idle_count = 0;
	struct report *report;
	int status;

	for (size_t o = 0; o < cube->op_count; o++) {
		struct rule_outcome outcome;

		if (!s->job.group.never_run && cube->op_first[o] == cube->op_first[o + 1])
			continue;
		if (rules_apply(s->job.rules, cube->op[o].name, side->arena, &outcome, err) < 0)
			return -1;
		fate[n].name = cube->op[o].name;
		fate[n].type = outcome.type ? outcome.type : cube->op[o].type;
		fate[n].becomes = outcome.kept ? outcome.name : NULL;
		fate[n++].why = reason(&outcome, side->arena);
		kept += outcome.kept;
	}
	for (size_t i = 0; i < rules_count(s->job.rules); i++) {
		const struct rule *rule = rules_at(s->job.rules, i);

		if (!rule->hits)
			idle[idle_count++] = arena_printf(side->arena, "%s %s (%s)",
				rule_words(rule), rule->text, rule->place);
	}
	report = build_ops(side->label, fate, n, kept, idle, idle_count);
	status = report_output_write(s, report, err);
	report_free(report);
	return status;
}

static int run(struct settings *s, struct error *err)
{
	struct side *side;
	int status;

	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat ops FILE --rules=rules.yaml");
	}
	side = side_load(&s->job, s->job.input.data, s->job.input.count, err);
	if (!side)
		return -1;
	status = s->explain_inputs ? explain_inputs(s, side, err) : show(s, side, err);
	side_free(side);
	return status;
}

const struct command command_ops = {
	.name = "ops",
	.letter = 'O',
	.arguments = "INPUT...",
	.summary = "every op before and after the rules, and which rule changed it",
	.about = "Try rules here before a report; rules without effect are listed at the end.",
	.examples = "  stepstat ops profile_100 --rules=rules.yaml\n"
		    "  stepstat ops profile_100 --include='Conv2D' --rename='s#^tower_[0-9]/##' -o "
		    "ops.csv\n",
	.run = run,
	.shows_all_rows = true,
};
