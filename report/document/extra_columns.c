/*
 * The table that explains the columns of all others.
 */
#include "report/document/extra_tables.h"

#include "base/text.h"
#include "report/build.h"
#include "report/build_tables.h"
#include "report/document/column_words.h"
#include "writers/writer.h"

struct column_line {
	struct report *report;
	struct table *to;
	struct text name, about;
};

static void add_line(struct column_line *line, const struct table *table, const char *unit)
{
	struct arena *arena = line->report->arena;
	struct cell *cell = report_add_row(line->report, line->to)->cell;

	cell[0] = cell_text(table->name);
	cell[1] = cell_text(arena_strdup(arena, text_string(&line->name)));
	cell[2] = *unit ? cell_text(unit) : cell_blank();
	cell[3] = cell_text(arena_strdup(arena, text_string(&line->about)));
}

/* A column for each step is explained once: its title says what its number is. */
static size_t last_alike(const struct table *table, size_t c)
{
	const char *title = table->column[c].title;
	size_t last = c;

	while (!table->column[c].measure && title != table->column[c].stat &&
		last + 1 < table->column_count && table->column[last + 1].title == title)
		last++;
	return last;
}

static void explain_table(struct column_line *line, const struct table *table)
{
	for (size_t c = 0; c < table->column_count; c++) {
		const struct column *column = &table->column[c];
		const size_t last = last_alike(table, c);

		text_clear(&line->name);
		text_clear(&line->about);
		writer_column_name(column, &line->name);
		if (last > c) {
			text_add(&line->name, " ... ");
			writer_column_name(&table->column[last], &line->name);
			text_add(&line->about, column->title);
		} else {
			column_explain(table->name, column, &line->about);
		}
		add_line(line, table,
			column->dimension == DIMENSION_NONE ? "" : writer_column_unit_key(column));
		c = last;
	}
}

void extra_add_columns(struct report *report)
{
	static const char *const names[] = {"sheet", "column", "unit", "meaning"};
	const size_t extra = report->extra_count;
	struct column_line line = {.report = report};

	line.to = report_append_extra(report, "columns");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		report_text_column(report, line.to, names[i]);
	text_init(&line.name);
	text_init(&line.about);
	explain_table(&line, &report->data);
	for (size_t i = 0; i < report->more_count; i++)
		explain_table(&line, &report->more[i]);
	for (size_t i = 0; i < extra; i++)
		explain_table(&line, &report->extra[i]);
	text_release(&line.name);
	text_release(&line.about);
}
