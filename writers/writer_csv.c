/* CSV after RFC 4180 with LF line ends: one row per op, or one line per op, measure and statistic.
 * Text is quoted where a reader would otherwise take it for something else; numbers never are. */
#include <string.h>
#include "writers/writer.h"
#include "base/number.h"

struct csv {
	struct outfile *out;
	bool safe, complete;
	char separator, point;
	struct text line;
	size_t fields; /* on this line */
};

static void csv_separate(struct csv *csv)
{
	if (csv->fields++)
		text_add_char(&csv->line, csv->separator);
}

static void csv_add_text(struct csv *csv, const char *s)
{
	csv_separate(csv);
	csv_field_between(&csv->line, s, csv->safe, csv->separator);
}

static void csv_add_plain(struct csv *csv, const char *s)
{
	csv_separate(csv);
	text_add(&csv->line, s);
}

static void csv_add_number(struct csv *csv, const char *number)
{
	csv_separate(csv);
	for (; *number; number++)
		text_add_char(&csv->line, *number == '.' ? csv->point : *number);
}

static void csv_add_cell(struct csv *csv, const struct column *column, const struct cell *cell)
{
	char number[NUMBER_TEXT_SIZE];

	if (cell->kind == CELL_TEXT)
		csv_add_text(csv, cell->text ? cell->text : "");
	else
		csv_add_number(csv, writer_file_number(column, cell, number));
}

static void csv_end_line(struct csv *csv)
{
	/* An empty line is no row for most readers. */
	if (csv->line.size == 0)
		text_add(&csv->line, "\"\"");
	text_add_char(&csv->line, '\n');
	outfile_write(csv->out, csv->line.data, csv->line.size);
	text_clear(&csv->line);
	csv->fields = 0;
}

static void csv_add_column_name(struct csv *csv, const struct column *column)
{
	struct text name;

	text_init(&name);
	writer_column_name(column, &name);
	csv_add_text(csv, text_string(&name));
	text_release(&name);
}

static void write_long_row(struct csv *csv, const struct table *table, const struct row *row)
{
	for (size_t v = 0; v < table->column_count; v++) {
		const struct column *value = &table->column[v];

		if (!writer_column_is_value(value))
			continue;
		for (size_t c = 0; c < table->column_count; c++)
			if (writer_column_is_key(&table->column[c]))
				csv_add_cell(csv, &table->column[c], &row->cell[c]);
		csv_add_text(csv, value->measure);
		csv_add_text(csv, value->stat ? value->stat : "");
		csv_add_cell(csv, value, &row->cell[v]);
		csv_add_plain(
			csv, row->cell[v].kind == CELL_TEXT ? "" : writer_column_unit_key(value));
		csv_end_line(csv);
	}
}

static void write_long(struct csv *csv, const struct report *report)
{
	const struct table *table = &report->data;

	if (!report->headerless) {
		for (size_t c = 0; c < table->column_count; c++)
			if (writer_column_is_key(&table->column[c]))
				csv_add_column_name(csv, &table->column[c]);
		csv_add_plain(csv, "measure");
		csv_add_plain(csv, "stat");
		csv_add_plain(csv, "value");
		csv_add_plain(csv, "unit");
		csv_end_line(csv);
	}
	for (size_t r = 0; r < table->row_count; r++)
		if (writer_row_shown(&table->row[r], csv->complete))
			write_long_row(csv, table, &table->row[r]);
}

static int csv_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct csv csv = {.out = out,
		.safe = opt->csv_safe,
		.complete = opt->complete,
		.separator = opt->decimal_comma ? ';' : ',',
		.point = opt->decimal_comma ? ',' : '.'};

	(void)err; /* what cannot be written is reported when the file is committed */
	text_init(&csv.line);
	if (opt->long_shape)
		write_long(&csv, report);
	else {
		const struct table *table = &report->data;

		if (!report->headerless) {
			for (size_t c = 0; c < table->column_count; c++)
				csv_add_column_name(&csv, &table->column[c]);
			csv_end_line(&csv);
		}
		for (size_t r = 0; r < table->row_count; r++) {
			if (!writer_row_shown(&table->row[r], csv.complete))
				continue;
			for (size_t c = 0; c < table->column_count; c++)
				csv_add_cell(&csv, &table->column[c], &table->row[r].cell[c]);
			csv_end_line(&csv);
		}
	}
	text_release(&csv.line);
	return 0;
}

extern const struct writer writer_csv;
const struct writer writer_csv = {
	.name = "csv",
	.summary = "comma separated values for spreadsheets, pandas and R; all rows, one unit per "
		   "column",
	.suffixes = (const char *const[]){".csv", NULL},
	.without_notes = true,
	.has_shapes = true,
	.write = csv_write_report,
};
