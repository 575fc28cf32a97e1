/*
 * stepstat config: each setting and where it came from.
 */
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "cli/options/options.h"
#include "report/build.h"

enum setting_column { SETTING_NAME, SETTING_VALUE, SETTING_FROM };

/* What the cells of a row are made from. */
struct setting_line {
	const char *name, *value, *from;
};

static struct cell setting_cell(const struct column *column, const void *from)
{
	const struct setting_line *line = from;

	switch ((enum setting_column)column->index) {
	case SETTING_NAME:
		return cell_text(line->name);
	case SETTING_VALUE:
		return *line->value ? cell_text(line->value) : cell_blank();
	case SETTING_FROM:
		break;
	}
	return cell_text(line->from);
}

static void add_columns(struct report *report, struct table *table)
{
	static const struct column columns[] = {[SETTING_NAME] = {.stat = "setting"},
		[SETTING_VALUE] = {.stat = "value"},
		[SETTING_FROM] = {.stat = "from"}};

	report_add_columns(
		report, table, setting_cell, columns, sizeof(columns) / sizeof(*columns));
}

/* In both tables. */
static void add_setting(
	struct report *report, const char *name, const char *value, const char *from)
{
	const struct setting_line line = {name, value, from};

	report_make_row(report, &report->display, &line);
	report_make_row(report, &report->data, &line);
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

		add_setting(report, kinds[rule->kind], value, rule->place);
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
		add_setting(report, name, value, from);
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
