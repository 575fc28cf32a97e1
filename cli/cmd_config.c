/* stepstat config: each setting and where it came from. */
#include "cli/options/input_lines.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "report/build.h"

static void add_columns(struct report *report, struct table *table)
{
	static const char *const names[] = {"setting", "value", "from"};

	for (size_t i = 0; i < 3; i++)
		report_text_column(report, table, names[i]);
}

static void add_row(struct report *report, struct table *table, const struct input_line *line)
{
	struct row *row = report_add_row(report, table);

	row->cell[0] = cell_text(line->name);
	row->cell[1] = *line->value ? cell_text(line->value) : cell_blank();
	row->cell[2] = cell_text(line->from);
}

static int run(struct settings *s, struct error *err)
{
	struct report *report = report_new("config");
	const struct input_line *line;
	size_t count;
	int status;

	report->display.name = report->data.name = "settings";
	if (s->config)
		report_heading(
			report, "Configuration file: %s, SHA-256 %s", s->config, s->config_sha256);
	else
		report_heading(report, "Configuration file: none");
	add_columns(report, &report->display);
	add_columns(report, &report->data);
	line = input_lines_of_settings(s, false, report->arena, &count);
	for (size_t i = 0; i < count; i++) {
		add_row(report, &report->display, &line[i]);
		add_row(report, &report->data, &line[i]);
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
