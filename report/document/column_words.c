/*
 * Words of columns: those of columns.def, those of the table they stand in, statistics, measures.
 */
#include "report/document/column_words.h"

#include <string.h>
#include "analysis/statistic.h"
#include "model/measure.h"
#include "model/own/measure_own.h"

static const struct {
	const char *table; /* NULL: in every other table */
	const char *name, *text;
} word_table[] = {
#define COLUMN(name, text) {NULL, #name, text},
#define COLUMN_OF(table, name, text) {#table, #name, text},
#include "report/document/columns.def"
#undef COLUMN
#undef COLUMN_OF
};

/* True if `own` names the table: in columns.def a blank of a table's name is an underscore. */
static bool is_table(const char *own, const char *table)
{
	for (; *own && *table; own++, table++)
		if (*own != (*table == ' ' ? '_' : *table))
			return false;
	return *own == *table;
}

static const char *word_of(const char *table, const char *word)
{
	for (size_t i = 0; i < sizeof(word_table) / sizeof(*word_table); i++) {
		const char *own = word_table[i].table;

		if (text_equal(word_table[i].name, word) &&
			(table ? own && is_table(own, table) : !own))
			return word_table[i].text;
	}
	return NULL;
}

const char *column_word(const char *word)
{
	return word_of(NULL, word);
}

const char *column_word_or_statistic(const char *word)
{
	const char *text = column_word(word);
	struct statistic_choice choice;
	struct error none = {0};

	if (!text && statistic_choose(word, &choice, &none) == 0)
		text = choice.statistic->summary;
	return text;
}

/* The text in one line. */
static void add_line(struct text *out, const char *text)
{
	for (; *text; text++) {
		if (*text != '\n') {
			text_add_char(out, *text);
			continue;
		}
		text_add_char(out, ' ');
		text += strspn(text + 1, " ");
	}
}

/* "gpu:0_compute": the longest end behind a '_' that is a word names the work of the device. */
static bool add_word_of_device(struct text *out, const char *name)
{
	for (const char *end = strchr(name, '_'); end; end = strchr(end + 1, '_')) {
		const char *text = column_word(end + 1);

		if (!text)
			continue;
		text_add_bytes(out, name, (size_t)(end - name));
		text_add(out, ": ");
		add_line(out, text);
		return true;
	}
	return false;
}

static bool add_stat(struct text *out, const char *table, const char *stat)
{
	const char *text = word_of(table, stat), *of_call = "";

	if (!text && text_starts(stat, "call_")) {
		stat += strlen("call_");
		of_call = "of single executions: ";
	}
	if (!text)
		text = column_word_or_statistic(stat);
	if (!text)
		return !*of_call && add_word_of_device(out, stat);
	text_add(out, of_call);
	add_line(out, text);
	return true;
}

static const struct measure *measure_named(const char *name)
{
	const struct measure *known = measure_lookup(name);

	return known ? known : measure_own_lookup(name);
}

void column_explain(const char *table, const struct column *column, struct text *out)
{
	const struct measure *measure = column->measure ? measure_named(column->measure) : NULL;
	bool said = column->stat && add_stat(out, table, column->stat);

	if (!measure)
		return;
	text_printf(out, "%s%s: ", said ? "; " : "", measure->name);
	add_line(out, measure->summary);
}
