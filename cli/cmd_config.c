/*
 * stepstat config: each setting and where it came from.
 */
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "cli/options/options.h"
#include "report/build.h"

static void add_columns(struct report *report, struct table *table)
{
	static const char *const names[] = {"setting", "value", "from"};

	for (size_t i = 0; i < 3; i++)
		report_text_column(report, table, names[i]);
}

static void add_row(struct report *report, struct table *table, const char *name, const char *value,
	const char *from)
{
	struct row *row = report_add_row(report, table);

	row->cell[0] = cell_text(name);
	row->cell[1] = *value ? cell_text(value) : cell_blank();
	row->cell[2] = cell_text(from);
}

static void add_rules(struct report *report, const struct settings *s)
{
	static const char *const kinds[] = {[RULE_INCLUDE] = "include",
		[RULE_EXCLUDE] = "exclude",
		[RULE_RENAME] = "rename",
		[RULE_TYPE] = "type",
		[RULE_CLASS] = "class"};

	for (size_t i = 0; i < rules_count(s->job.rules); i++) {
		const struct rule *rule = rules_at(s->job.rules, i);
		const char *value =
			rule->type ? arena_printf(report->arena, "%s: %s", rule->type, rule->text)
				   : rule->text;

		add_row(report, &report->display, kinds[rule->kind], value, rule->place);
		add_row(report, &report->data, kinds[rule->kind], value, rule->place);
	}
}

/* Rules are listed one by one; the options that add them are not. */
static bool is_rule_option(const struct option_spec *spec)
{
	return text_equal(spec->name, "include") || text_equal(spec->name, "exclude") ||
	       text_equal(spec->name, "rename");
}

static int run(struct settings *s, struct error *err)
{
	struct report *report = report_new("config");
	int status;

	report->display.name = report->data.name = "settings";
	if (s->config)
		report_heading(
			report, "Configuration file: %s, SHA-256 %s", s->config, s->config_sha256);
	else
		report_heading(report, "Configuration file: none");
	add_columns(report, &report->display);
	add_columns(report, &report->data);
	add_rules(report, s);
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];
		const struct origin *origin = &s->origin[i];
		const char *value = origin->value ? origin->value : spec->standard;
		const char *from = origin->value ? origin->place : "default";
		const char *name = option_dashed_name(spec, report->arena);

		if (is_rule_option(spec) || text_equal(spec->name, "help"))
			continue;
		add_row(report, &report->display, name, value, from);
		add_row(report, &report->data, name, value, from);
	}
	status = report_output_write(s, report, err);
	report_free(report);
	return status;
}

const struct command command_config = {
	.name = "config",
	.letter = 'R',
	.arguments = "[OPTION]...",
	.summary = "each setting and rule in force, and where it came from",
	.about = "Settings are under `report:` in stepstat.yaml or --config=FILE, written as "
		 "options without dashes.",
	.examples = "  stepstat config\n  stepstat config --config=ci.yaml --by=type\n",
	.run = run,
};
