/* Runs the program on the recordings of a world and reads what it says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "tests/csv_table.h"
#include "tests/sim/world.h"

enum { PATH_ROOM = 512, COMMAND_ROOM = 4096, LINE_ROOM = 4096 };

static void show_first_line(const char *path)
{
	char line[LINE_ROOM];
	FILE *const file = fopen(path, "r");

	if (file == NULL)
		return;
	if (fgets(line, sizeof(line), file) != NULL)
		fputs(line, stderr);
	fclose(file);
}

/* PROGRAM ARGUMENTS > FOLDER/out. A failure is counted; the first one is shown. */
static bool run(struct world_program *program, const char *arguments)
{
	char command[COMMAND_ROOM], errors[PATH_ROOM];

	snprintf(errors, sizeof(errors), "%s/errors", program->folder);
	snprintf(command, sizeof(command), "cd '%s' && '%s' %s >out 2>errors", program->folder,
		program->path, arguments);
	if (system(command) == 0)
		return true;
	if (program->failures++ == 0)
		show_first_line(errors);
	return false;
}

static bool run_on_sides(struct world_program *program, const struct world *w, const char *to)
{
	char arguments[COMMAND_ROOM / 2];

	snprintf(arguments, sizeof(arguments),
		"compare --config=none --min-share=0 --to=%s %s base.obs new.obs", to, w->options);
	return run(program, arguments);
}

static bool run_report(struct world_program *program, const struct world *w, const char *to)
{
	char arguments[COMMAND_ROOM / 2];

	snprintf(arguments, sizeof(arguments), "report --config=none --to=%s %s base.obs", to,
		w->options);
	return run(program, arguments);
}

static void read_table(const struct world_program *program, struct csv_table *table)
{
	static char path[PATH_ROOM];

	snprintf(path, sizeof(path), "%s/out", program->folder);
	csv_table_read(table, path, true);
}

static double cell_number(const struct csv_table *table, size_t row, const char *column)
{
	const char *const text = csv_table_cell(table, row, csv_table_column(table, column));
	double value;

	return number_parse_real(text, strlen(text), &value) ? value : NAN;
}

static enum said said_by(const char *word)
{
	static const char *const words[] = {[SAID_REGRESSED] = "REGRESSED",
		[SAID_IMPROVED] = "IMPROVED",
		[SAID_SLOWER] = "SLOWER",
		[SAID_FASTER] = "FASTER",
		[SAID_SAME] = "SAME",
		[SAID_INCONCLUSIVE] = "INCONCLUSIVE"};

	for (enum said said = SAID_REGRESSED; said <= SAID_INCONCLUSIVE; said++)
		if (strcmp(words[said], word) == 0)
			return said;
	return SAID_NOTHING;
}

/* Index of the row's op; w->ops when the row is none of the world's. */
static size_t row_op(const struct csv_table *table, size_t row, const struct world *w)
{
	const char *const name = csv_table_cell(table, row, csv_table_column(table, "op"));
	int64_t op;

	if (strncmp(name, "op", 2) != 0 || !number_parse_int(name + 2, strlen(name + 2), &op) ||
		op < 0 || (size_t)op >= w->ops)
		return w->ops;
	return (size_t)op;
}

static const struct world_answer no_answer = {SAID_NOTHING, NAN, NAN, NAN, NAN, NAN};

bool world_compare(
	struct world_program *program, const struct world *w, struct world_answer *answer)
{
	struct csv_table table;

	for (size_t i = 0; i < w->ops; i++)
		answer[i] = no_answer;
	if (!run_on_sides(program, w, "csv"))
		return false;
	read_table(program, &table);
	for (size_t row = csv_table_first(&table); row < table.rows; row++) {
		const size_t op = row_op(&table, row, w);

		if (op == w->ops)
			continue;
		answer[op].said = said_by(
			csv_table_cell(&table, row, csv_table_column(&table, "time_verdict")));
		answer[op].q = cell_number(&table, row, "time_q");
		answer[op].change_pct = cell_number(&table, row, "time_change_pct");
		answer[op].low_pct = cell_number(&table, row, "time_low_pct");
		answer[op].high_pct = cell_number(&table, row, "time_high_pct");
		answer[op].sees_pct = cell_number(&table, row, "time_detectable_pct");
	}
	csv_table_release(&table);
	return true;
}

static FILE *open_out(const struct world_program *program)
{
	char path[PATH_ROOM];
	FILE *file;

	snprintf(path, sizeof(path), "%s/out", program->folder);
	file = fopen(path, "r");
	if (file == NULL) {
		perror(path);
		exit(1);
	}
	return file;
}

struct world_plan world_plan(struct world_program *program, const struct world *w)
{
	static const char change[] = "a change of ", count[] = "record ", unit[] = " runs a side";
	struct world_plan plan = {0, 0};
	char line[LINE_ROOM];
	FILE *file;

	if (!run_on_sides(program, w, "text"))
		return plan;
	file = open_out(program);
	while (fgets(line, sizeof(line), file) != NULL) {
		const char *const of = strstr(line, change), *const runs = strstr(line, count);
		char *end;
		size_t planned;

		if (of == NULL || runs == NULL)
			continue;
		planned = strtoul(runs + strlen(count), &end, 10);
		if (strncmp(end, unit, strlen(unit)) != 0)
			continue;
		plan.change_pct = strtod(of + strlen(change), NULL);
		plan.runs = planned;
	}
	fclose(file);
	return plan;
}

bool world_intervals(
	struct world_program *program, const struct world *w, double *low, double *high)
{
	struct csv_table table;

	if (!run_report(program, w, "csv"))
		return false;
	for (size_t i = 0; i < w->ops; i++)
		low[i] = high[i] = NAN;
	read_table(program, &table);
	for (size_t row = csv_table_first(&table); row < table.rows; row++) {
		const size_t op = row_op(&table, row, w);

		if (op == w->ops)
			continue;
		low[op] = cell_number(&table, row, "time_low_us");
		high[op] = cell_number(&table, row, "time_high_us");
	}
	csv_table_release(&table);
	return true;
}

static bool has_op_name(const char *line)
{
	for (const char *at = strstr(line, "op"); at != NULL; at = strstr(at + 2, "op"))
		if (at[2] >= '0' && at[2] <= '9')
			return true;
	return false;
}

bool world_names_op(struct world_program *program, const struct world *w, bool *names)
{
	char line[LINE_ROOM];
	FILE *file;

	*names = false;
	if (!run_report(program, w, "text"))
		return false;
	file = open_out(program);
	/* The table's head begins with "op" and blanks; what is above it is a sentence. */
	while (fgets(line, sizeof(line), file) != NULL && strncmp(line, "op  ", 4) != 0)
		*names = *names || has_op_name(line);
	fclose(file);
	return true;
}
