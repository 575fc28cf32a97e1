/* Reads a printed text table back and checks that columns add up to the last row, within what the
 * rounding of the printed numbers allows. It stands on the printed page only.
 *
 * usage: table_sums FILE COLUMN...
 * COLUMN is a heading of the table. Exit status: 0 all add up, 1 one does not, 2 trouble. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"

struct unit {
	const char *name;
	double scale;
};

static const struct unit units[] = {{"", 1}, {"%", 1}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},
	{"s", 1}, {"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};

struct cell {
	double value, half; /* half of a unit of the last digit; both in base units */
	bool empty;	    /* `-` */
};

struct sum {
	const char *name;
	size_t end; /* character position after the heading: numbers end there too */
	double sum, rounding;
	struct cell last; /* the row read last: when the table ends, the total */
	size_t numbers;	  /* all rows, the total included */
};

static _Noreturn void stop(const char *what, const char *text)
{
	fprintf(stderr, "table_sums: %s \"%s\"\n", what, text);
	exit(2);
}

/* Byte offset of a character position; the end of the line when it is shorter. */
static size_t offset_of(const char *line, size_t position)
{
	size_t i = 0;
	while (line[i] && (position > 0 || ((unsigned char)line[i] & 0xc0) == 0x80)) {
		if (((unsigned char)line[i] & 0xc0) != 0x80)
			position--;
		i++;
	}
	return i;
}

static size_t characters(const char *line, size_t bytes)
{
	size_t count = 0;
	for (size_t i = 0; i < bytes; i++)
		count += ((unsigned char)line[i] & 0xc0) != 0x80;
	return count;
}

/* The heading as a whole word of the header line: two blanks or the line's ends around it. */
static bool find_heading(const char *line, struct sum *sum)
{
	size_t size = strlen(sum->name);
	for (const char *at = line; (at = strstr(at, sum->name)); at++) {
		bool starts = at == line || (at - line >= 2 && at[-1] == ' ' && at[-2] == ' ');
		bool ends =
			!at[size] || (at[size] == ' ' && (!at[size + 1] || at[size + 1] == ' '));
		if (starts && ends) {
			sum->end = characters(line, (size_t)(at - line) + size);
			return true;
		}
	}
	return false;
}

static struct cell parse_cell(const char *text, size_t size)
{
	size_t digits = strspn(text, "+-.0123456789");
	if (digits > size)
		digits = size;
	size_t gap = digits < size && text[digits] == ' ';
	struct cell cell = {.empty = size == 1 && *text == '-'};
	if (cell.empty)
		return cell;
	const char *unit = text + digits + gap;
	size_t unit_size = size - digits - gap, i = 0;
	while (i < sizeof units / sizeof *units &&
		(strlen(units[i].name) != unit_size || strncmp(unit, units[i].name, unit_size)))
		i++;
	if (i == sizeof units / sizeof *units || !number_parse_real(text, digits, &cell.value))
		stop("no number with a unit:", text);
	const char *point = memchr(text, '.', digits);
	double decimals = point ? (double)(text + digits - point - 1) : 0;
	cell.value *= units[i].scale;
	cell.half = 0.5 * pow(10, -decimals) * units[i].scale;
	return cell;
}

#define NOT_IN_OPS "[not in ops]" /* a row that has a share of the jitter only */

/* Numbers are right-aligned under the heading and hold no two blanks. */
static struct cell cell_under(const char *line, size_t end)
{
	size_t to = offset_of(line, end), from = to;
	bool is_blank = characters(line, to) < end || (to > 0 && line[to - 1] == ' ');
	if (is_blank && strncmp(line, NOT_IN_OPS, strlen(NOT_IN_OPS)) == 0)
		return (struct cell){.empty = true};
	if (characters(line, to) < end || (to > 0 && line[to - 1] == ' '))
		stop("no number ends under the heading in", line);
	while (from > 0 && !(line[from - 1] == ' ' && (from == 1 || line[from - 2] == ' ')))
		from--;
	return parse_cell(line + from, to - from);
}

static void add_row(struct sum *sum, const char *line)
{
	sum->sum += sum->last.value;
	sum->rounding += sum->last.half;
	sum->last = cell_under(line, sum->end);
	sum->numbers += !sum->last.empty;
}

static bool adds_up(const struct sum *sum, const char *path)
{
	double allowed = (sum->rounding + sum->last.half) * (1 + 1e-9);
	double difference = fabs(sum->sum - sum->last.value);
	if (sum->last.empty || sum->numbers < 2) {
		printf("%s: column %s: %zu numbers, no total\n", path, sum->name, sum->numbers);
		return false;
	}
	if (difference <= allowed)
		return true;
	printf("%s: column %s: the rows make %.15g, the total is %.15g (rounding allows %.3g)\n",
		path, sum->name, sum->sum, sum->last.value, allowed);
	return false;
}

int main(int argc, char **argv)
{
	struct sum sums[16];
	size_t count = argc > 2 ? (size_t)argc - 2 : 0, rows = 0, size = 0;
	if (!count || count > sizeof sums / sizeof *sums)
		stop("a file and up to 16 columns are needed:", "table_sums FILE COLUMN...");
	FILE *file = fopen(argv[1], "r");
	if (!file)
		stop("cannot open", argv[1]);
	char *line = NULL;
	bool inside = false;
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (inside && !*line)
			break;
		rows += inside;
		for (size_t i = 0; inside && i < count; i++)
			add_row(&sums[i], line);
		for (size_t i = 0; !inside && i < count; i++) {
			sums[i] = (struct sum){.name = argv[2 + i]};
			if (!find_heading(line, &sums[i]))
				break;
			inside = i + 1 == count;
		}
	}
	if (!inside)
		stop("no table with these columns in", argv[1]);
	bool good = true;
	for (size_t i = 0; i < count; i++)
		good = adds_up(&sums[i], argv[1]) && good;
	printf("%s: %zu rows, %zu columns %s\n", argv[1], rows, count,
		good ? "add up" : "were checked");
	free(line);
	fclose(file);
	return good ? 0 : 1;
}
