/* Compares two CSV files column by column, each column by its own rule, and says what differs.
 * Rows are paired by key columns or by place; no row of either file may be left over.
 *
 * usage: compare_tables [--no-header] [--same-order] EXPECTED FOUND COLUMN...
 * COLUMN: NAME[=NAME-IN-FOUND]:RULE. Rules: key; text (equal bytes); integer (equal digits);
 * rel:T and abs:T (numbers, with that relative or absolute difference at most; an empty field only
 * equals an empty field); skip. Each column of EXPECTED must be named. Without header a NAME is a
 * number from 1. Exit status: 0 equal, 1 different or nothing compared, 2 trouble. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "base/order.h"
#include "tests/csv_table.h"

enum rule { RULE_KEY, RULE_TEXT, RULE_INTEGER, RULE_REL, RULE_ABS, RULE_SKIP };

struct column {
	const char *name;
	size_t expected, found; /* indexes in the two files */
	enum rule rule;
	double tolerance;
	size_t differ;
	double worst; /* largest difference seen, in the terms of the rule */
};

struct comparison {
	struct csv_table expected, found;
	struct column *column;
	size_t columns;
	bool same_order;
	size_t rows, values, differ, told;
};

static _Noreturn void stop(const char *what, const char *text)
{
	fprintf(stderr, "compare_tables: %s \"%s\"\n", what, text);
	exit(2);
}

static enum rule rule_named(const char *text, double *tolerance)
{
	static const char *const plain[] = {"key", "text", "integer"};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		if (!strcmp(text, plain[i]))
			return (enum rule)i;
	}
	if (!strcmp(text, "skip"))
		return RULE_SKIP;
	if (strncmp(text, "rel:", 4) && strncmp(text, "abs:", 4))
		stop("no rule", text);
	if (!number_parse_real(text + 4, strlen(text + 4), tolerance) || *tolerance < 0)
		stop("no tolerance", text);
	return *text == 'r' ? RULE_REL : RULE_ABS;
}

/* Takes the argument apart in place. */
static void column_init(struct column *column, char *argument, const struct comparison *all)
{
	char *rule = strchr(argument, ':');
	if (!rule)
		stop("no rule in", argument);
	*rule++ = '\0';
	char *found = strchr(argument, '=');
	if (found)
		*found++ = '\0';
	*column = (struct column){.name = argument};
	column->rule = rule_named(rule, &column->tolerance);
	column->expected = csv_table_column(&all->expected, argument);
	if (column->rule != RULE_SKIP)
		column->found = csv_table_column(&all->found, found ? found : argument);
}

/* A column that nobody named would be a value that nobody looked at. */
static void check_columns(const struct comparison *all)
{
	bool keyed = false;
	for (size_t i = 0; i < all->columns; i++)
		keyed = keyed || all->column[i].rule == RULE_KEY;
	if (keyed == all->same_order)
		stop("key columns or --same-order, one of the two:", all->expected.path);
	for (size_t c = 0; c < all->expected.columns; c++) {
		size_t named = 0;
		for (size_t i = 0; i < all->columns; i++)
			named += all->column[i].expected == c;
		if (named != 1)
			stop("a column is not named exactly once:",
				csv_table_cell(&all->expected, 0, c));
	}
}

static const char *row_key(const struct comparison *all, bool expected, size_t row)
{
	char *key = NULL;
	size_t size;
	FILE *text = open_memstream(&key, &size);
	if (!text)
		stop("out of memory", "");
	for (size_t i = 0; i < all->columns; i++) {
		const struct column *column = &all->column[i];
		if (column->rule != RULE_KEY)
			continue;
		fprintf(text, "%s%s", ftell(text) > 0 ? "\t" : "",
			expected ? csv_table_cell(&all->expected, row, column->expected)
				 : csv_table_cell(&all->found, row, column->found));
	}
	if (all->same_order)
		fprintf(text, "row %zu", row + 1);
	if (fclose(text))
		stop("out of memory", "");
	return key;
}

struct keyed_row {
	const char *key;
	size_t row;
};

ORDERED(by_key, struct keyed_row, strcmp(x->key, y->key));

static struct keyed_row *sorted_rows(const struct comparison *all, bool expected)
{
	const struct csv_table *table = expected ? &all->expected : &all->found;
	size_t first = csv_table_first(table);
	size_t count = table->rows - first;
	struct keyed_row *rows = calloc(count + 1, sizeof *rows);
	if (!rows)
		stop("out of memory", "");
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct keyed_row){row_key(all, expected, first + i), first + i};
	if (!all->same_order)
		qsort(rows, count, sizeof *rows, by_key);
	for (size_t i = 1; i < count; i++) {
		if (!strcmp(rows[i - 1].key, rows[i].key)) {
			fprintf(stderr, "%s: ", table->path);
			stop("two rows have the key", rows[i].key);
		}
	}
	return rows;
}

/* True when one more difference is to be shown. */
static bool tell(struct comparison *all)
{
	all->differ++;
	if (all->told == 20)
		puts("...");
	return all->told++ < 20;
}

static bool numbers_equal(struct column *column, const char *expected, const char *found)
{
	double a, b;
	if (!*expected || !*found)
		return !*expected && !*found;
	if (!number_parse_real(expected, strlen(expected), &a) ||
		!number_parse_real(found, strlen(found), &b))
		return false;
	double difference = fabs(a - b);
	if (column->rule == RULE_REL && difference > 0)
		difference /= fabs(a);
	column->worst = fmax(column->worst, difference);
	return difference <= column->tolerance;
}

static bool values_equal(struct column *column, const char *expected, const char *found)
{
	int64_t number;
	if (column->rule == RULE_REL || column->rule == RULE_ABS)
		return numbers_equal(column, expected, found);
	if (column->rule == RULE_INTEGER && !number_parse_int(expected, strlen(expected), &number))
		return false;
	return !strcmp(expected, found);
}

static void compare_row(struct comparison *all, const char *key, size_t expected, size_t found)
{
	all->rows++;
	for (size_t i = 0; i < all->columns; i++) {
		struct column *column = &all->column[i];
		if (column->rule == RULE_KEY || column->rule == RULE_SKIP)
			continue;
		const char *a = csv_table_cell(&all->expected, expected, column->expected);
		const char *b = csv_table_cell(&all->found, found, column->found);
		all->values++;
		if (values_equal(column, a, b))
			continue;
		column->differ++;
		if (tell(all))
			printf("%s, column %s: expected \"%s\", found \"%s\"\n", key, column->name,
				a, b);
	}
}

static void left_over(struct comparison *all, const char *key, const struct csv_table *table)
{
	if (tell(all))
		printf("%s: only in %s\n", key, table->path);
}

static void compare_rows(struct comparison *all)
{
	struct keyed_row *a = sorted_rows(all, true), *b = sorted_rows(all, false);
	size_t i = 0, j = 0;
	while (a[i].key || b[j].key) {
		int order = !a[i].key	      ? 1
			    : !b[j].key	      ? -1
			    : all->same_order ? 0
					      : strcmp(a[i].key, b[j].key);
		if (order < 0)
			left_over(all, a[i].key, &all->expected);
		else if (order > 0)
			left_over(all, b[j].key, &all->found);
		else
			compare_row(all, a[i].key, a[i].row, b[j].row);
		i += order <= 0;
		j += order >= 0;
	}
	for (i = 0; a[i].key; i++)
		free((char *)a[i].key);
	for (j = 0; b[j].key; j++)
		free((char *)b[j].key);
	free(a);
	free(b);
}

static int verdict(const struct comparison *all)
{
	for (size_t i = 0; i < all->columns; i++) {
		const struct column *column = &all->column[i];
		if (column->differ)
			printf("column %s: %zu differences", column->name, column->differ);
		if (column->differ && column->worst > 0)
			printf(", largest %.3g", column->worst);
		if (column->differ)
			putchar('\n');
	}
	printf("%s: %zu rows, %zu values, %zu differences\n", all->expected.path, all->rows,
		all->values, all->differ);
	if (!all->values)
		puts("nothing was compared");
	return all->differ || !all->values;
}

int main(int argc, char **argv)
{
	struct comparison all = {0};
	bool has_header = true;
	int i = 1;
	for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
		if (!strcmp(argv[i], "--no-header"))
			has_header = false;
		else if (!strcmp(argv[i], "--same-order"))
			all.same_order = true;
		else
			stop("no option", argv[i]);
	}
	if (argc - i < 3)
		stop("two files and columns are needed:",
			"compare_tables EXPECTED FOUND COLUMN:RULE...");
	csv_table_read(&all.expected, argv[i], has_header);
	csv_table_read(&all.found, argv[i + 1], has_header);
	i += 2;
	all.column = calloc((size_t)(argc - i), sizeof *all.column);
	if (!all.column)
		stop("out of memory", "");
	for (; i < argc; i++)
		column_init(&all.column[all.columns++], argv[i], &all);
	check_columns(&all);
	compare_rows(&all);
	int status = verdict(&all);
	free(all.column);
	csv_table_release(&all.expected);
	csv_table_release(&all.found);
	return status;
}
