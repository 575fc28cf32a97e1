/* Reads a CSV file with libcsv into an array of texts. Whatever is wrong ends the program with
 * status 2, which no test takes for a difference between tables. */
#include "tests/csv_table.h"

#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *room_for(void *memory, size_t size)
{
	void *bigger = realloc(memory, size);
	if (!bigger) {
		fputs("out of memory\n", stderr);
		exit(2);
	}
	return bigger;
}

static void add_cell(void *text, size_t size, void *context)
{
	struct csv_table *table = context;
	if (table->cells == table->room) {
		table->room = table->room ? 2 * table->room : 1024;
		table->cell = room_for(table->cell, table->room * sizeof *table->cell);
	}
	char *copy = room_for(NULL, size + 1);
	memcpy(copy, text, size);
	copy[size] = '\0';
	if (strlen(copy) != size)
		table->wrong = "a zero byte in a field";
	table->cell[table->cells++] = copy;
}

static void end_row(int character, void *context)
{
	struct csv_table *table = context;
	(void)character;
	size_t columns = table->cells - table->row_start;
	if (!table->rows)
		table->columns = columns;
	else if (columns != table->columns)
		table->wrong = "rows with different numbers of fields";
	table->row_start = table->cells;
	table->rows++;
}

static void parse(struct csv_table *table, FILE *file, struct csv_parser *parser)
{
	char buffer[65536];
	size_t size;
	while (!table->wrong && (size = fread(buffer, 1, sizeof buffer, file)) > 0) {
		if (csv_parse(parser, buffer, size, add_cell, end_row, table) != size)
			table->wrong = csv_strerror(csv_error(parser));
	}
	if (!table->wrong && ferror(file))
		table->wrong = "cannot be read";
	if (!table->wrong && csv_fini(parser, add_cell, end_row, table))
		table->wrong = csv_strerror(csv_error(parser));
	if (!table->wrong && !table->rows)
		table->wrong = "no rows";
}

void csv_table_read(struct csv_table *table, const char *path, bool has_header)
{
	*table = (struct csv_table){.path = path, .has_header = has_header};
	FILE *file = fopen(path, "rb");
	struct csv_parser parser;
	if (!file || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI)) {
		fprintf(stderr, "%s: cannot be opened\n", path);
		exit(2);
	}
	parse(table, file, &parser);
	csv_free(&parser);
	fclose(file);
	if (table->wrong) {
		fprintf(stderr, "%s: %s, after row %zu\n", path, table->wrong, table->rows);
		exit(2);
	}
}

size_t csv_table_column(const struct csv_table *table, const char *name)
{
	for (size_t i = 0; i < table->columns; i++) {
		char number[32];
		snprintf(number, sizeof number, "%zu", i + 1);
		if (!strcmp(table->has_header ? csv_table_cell(table, 0, i) : number, name))
			return i;
	}
	fprintf(stderr, "%s: no column \"%s\"\n", table->path, name);
	exit(2);
}

const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column)
{
	return table->cell[row * table->columns + column];
}

size_t csv_table_first(const struct csv_table *table)
{
	return table->has_header ? 1 : 0;
}

void csv_table_release(struct csv_table *table)
{
	for (size_t i = 0; i < table->cells; i++)
		free(table->cell[i]);
	free(table->cell);
}
