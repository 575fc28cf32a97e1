/* OpenMetrics 1.0 text: a gauge for each column of numbers, a sample for each row, whose texts are
 * its labels. Units are the base units of the format whatever was asked for. No clock: who takes
 * the file knows when. */
#include <string.h>
#include "base/intern.h"
#include "base/number.h"
#include "report/document/extra_tables.h"
#include "writers/writer.h"

struct openmetrics {
	struct outfile *out;
	struct arena *arena;
	struct intern *families; /* their names */
	bool complete;
	struct text line, name;
};

static const struct base_unit {
	enum dimension dimension;
	const char *unit, *word; /* ours; that of the format */
} base_units[] = {
	{DIMENSION_TIME, "s", "seconds"},
	{DIMENSION_BYTES, "B", "bytes"},
	{DIMENSION_FRACTION, NULL, "ratio"},
	{DIMENSION_BYTES_RATE, "B/s", "bytes_per_second"},
	{DIMENSION_FLOPS, "FLOPS", "flop_per_second"},
	{DIMENSION_ENERGY, "J", "joules"},
	{DIMENSION_POWER, "W", "watts"},
	{DIMENSION_FREQUENCY, "Hz", "hertz"},
};

static const struct base_unit *base_unit_of(enum dimension dimension)
{
	for (size_t i = 0; i < sizeof(base_units) / sizeof(*base_units); i++)
		if (base_units[i].dimension == dimension)
			return &base_units[i];
	return NULL;
}

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && !text_equal(word, *words))
		words++;
	return *words;
}

/* Numbers that name the row are labels; remarks about it would make another series of it. */
static bool is_identity(const struct column *column)
{
	static const char *const words[] = {"step", "index", "rank", "kind", NULL};

	return !column->measure && column->stat && column->dimension != DIMENSION_FRACTION &&
	       is_one_of(column->stat, words);
}

static bool is_remark(const struct column *column)
{
	static const char *const words[] = {"notes", "short", "text", "place", "paired",
		"base_name", "class", "what", "facts", "compare", NULL};

	return column->measure || !column->stat || is_one_of(column->stat, words);
}

static void add_escaped(struct text *out, const char *s)
{
	struct text visible;

	text_init(&visible);
	text_add_visible(&visible, s);
	for (const char *c = text_string(&visible); *c; c++) {
		if (*c == '"' || *c == '\\')
			text_add_char(out, '\\');
		text_add_char(out, *c);
	}
	text_release(&visible);
}

/* A name of letters, digits and '_'. */
static void add_name(struct text *out, const char *s)
{
	for (; *s; s++) {
		const bool plain =
			(*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || text_is_digit(*s);

		text_add_char(out, plain ? *s : '_');
	}
}

static void end_line(struct openmetrics *om)
{
	text_add_char(&om->line, '\n');
	outfile_write(om->out, om->line.data, om->line.size);
	text_clear(&om->line);
}

static void add_label(struct text *out, const char *name, const char *value)
{
	if (out->size)
		text_add_char(out, ',');
	add_name(out, name);
	text_add(out, "=\"");
	add_escaped(out, value);
	text_add_char(out, '"');
}

/* The labels of each row; of rows that have the same ones the later ones also have their number. */
static const char **row_labels(struct openmetrics *om, const struct table *table)
{
	const char **labels = arena_array(om->arena, table->row_count, sizeof(*labels));
	struct intern *known = intern_new(om->arena);
	char number[NUMBER_TEXT_SIZE];

	for (size_t r = 0; r < table->row_count; r++) {
		text_clear(&om->line);
		for (size_t c = 0; c < table->column_count; c++) {
			const struct column *column = &table->column[c];
			const struct cell *cell = &table->row[r].cell[c];

			if (cell->kind == CELL_TEXT && cell->text && *cell->text &&
				!is_remark(column))
				add_label(&om->line, column->stat, cell->text);
			else if (cell->kind == CELL_INTEGER && is_identity(column))
				add_label(&om->line, column->stat,
					number_format_int(number, cell->integer));
		}

		const size_t before = intern_count(known);

		intern_id(known, text_string(&om->line), om->line.size);
		if (intern_count(known) == before)
			add_label(
				&om->line, "row_number", number_format_int(number, (int64_t)r + 1));
		labels[r] = arena_strdup(om->arena, text_string(&om->line));
	}
	text_clear(&om->line);
	return labels;
}

/* The number in the unit of its family; "" where it is none. */
static const char *number_of(const struct column *column, const struct cell *cell, char *out)
{
	if (column->dimension != DIMENSION_FRACTION)
		return writer_file_number(column, cell, out);
	out[0] = '\0';
	if (cell->kind == CELL_INTEGER)
		return number_format_int(out, cell->integer);
	if (cell->kind == CELL_REAL)
		return number_format_real(
			out, cell->real, column->digits > 0 ? column->digits : 15);
	return out;
}

static void name_family(struct openmetrics *om, const struct table *table,
	const struct column *column, const struct base_unit *base)
{
	struct column plain = *column;
	struct text words;
	size_t before;

	if (base)
		plain.dimension = DIMENSION_NONE;
	text_init(&words);
	writer_column_name(&plain, &words);
	/* Measures that files bring along may differ in letters that no name may have. */
	for (int number = 1;; number++) {
		text_clear(&om->name);
		text_add(&om->name, "stepstat_");
		add_name(&om->name, table->name);
		text_add_char(&om->name, '_');
		add_name(&om->name, text_string(&words));
		if (number > 1)
			text_printf(&om->name, "_%d", number);
		if (base)
			text_printf(&om->name, "_%s", base->word);
		before = intern_count(om->families);
		intern_id(om->families, text_string(&om->name), om->name.size);
		if (intern_count(om->families) > before)
			break;
	}
	text_release(&words);
}

static void begin_family(struct openmetrics *om, const char *unit, const char *about)
{
	const char *name = text_string(&om->name);

	text_printf(&om->line, "# TYPE %s gauge", name);
	end_line(om);
	if (unit) {
		text_printf(&om->line, "# UNIT %s %s", name, unit);
		end_line(om);
	}
	if (*about) {
		text_printf(&om->line, "# HELP %s ", name);
		add_escaped(&om->line, about);
		end_line(om);
	}
}

static void write_family(
	struct openmetrics *om, const struct table *table, size_t c, const char *const *labels)
{
	const struct base_unit *base = base_unit_of(table->column[c].dimension);
	struct column column = table->column[c];
	char number[NUMBER_TEXT_SIZE];
	struct text about;
	bool begun = false;

	if (base && base->unit)
		column.unit = unit_lookup(base->unit);
	text_init(&about);
	for (size_t r = 0; r < table->row_count; r++) {
		if (!writer_row_shown(&table->row[r], om->complete) ||
			!*number_of(&column, &table->row[r].cell[c], number))
			continue;
		if (!begun) {
			column_about(table, c, &about);
			name_family(om, table, &column, base);
			begin_family(om, base ? base->word : NULL, text_string(&about));
			begun = true;
		}
		text_add(&om->line, text_string(&om->name));
		if (*labels[r])
			text_printf(&om->line, "{%s}", labels[r]);
		text_printf(&om->line, " %s", number);
		end_line(om);
	}
	text_release(&about);
}

static void write_table(struct openmetrics *om, const struct table *table)
{
	const char **labels = row_labels(om, table);

	for (size_t c = 0; c < table->column_count; c++)
		if (!is_identity(&table->column[c]))
			write_family(om, table, c, labels);
}

static int openmetrics_write(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct openmetrics om = {.out = out,
		.arena = report->arena,
		.families = intern_new(report->arena),
		.complete = opt->complete};

	(void)err;
	text_init(&om.line);
	text_init(&om.name);
	if (report->has_result) {
		text_add(&om.name, "stepstat_exit_status");
		begin_family(&om, NULL,
			"of the gate: 0 green, 1 red, 3 unusable, 4 undecided, 5 improved");
		text_printf(&om.line, "stepstat_exit_status %d", report->exit_status);
		end_line(&om);
	}
	write_table(&om, &report->data);
	/* The whole of which the rows are parts, and what is lost of it. */
	for (size_t i = 0; i < report->more_count; i++)
		if (text_equal(report->data.name, "ops") &&
			(text_equal(report->more[i].name, "totals") ||
				text_equal(report->more[i].name, "issues")))
			write_table(&om, &report->more[i]);
	text_add(&om.line, "# EOF");
	end_line(&om);
	text_release(&om.line);
	text_release(&om.name);
	return 0;
}

extern const struct writer writer_openmetrics;
const struct writer writer_openmetrics = {
	.name = "openmetrics",
	.summary =
		"OpenMetrics text for Prometheus, GitLab and others: gauges in seconds and bytes",
	.suffixes = (const char *const[]){".prom", ".openmetrics", NULL},
	.without_notes = true,
	.holds_all = true,
	.write = openmetrics_write,
};
