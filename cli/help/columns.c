/* A header is a word, or MEASURE_WORD_UNIT with any of the three parts left out. */
#include "cli/help/columns.h"

#include <string.h>
#include "base/text.h"
#include "base/unit.h"
#include "model/measure.h"
#include "export/tables.h"
#include "report/document/extra_tables.h"

/* Cuts the unit off the end of the name; NULL: it has none. */
static const char *split_unit(struct text *name)
{
	char *last = strrchr(name->data, '_');
	const char *key = NULL;

	if (!last)
		return NULL;
	if (text_equal(last + 1, "pct"))
		key = "per cent";
	for (size_t i = 0; i < unit_count && !key; i++)
		if (text_equal(unit_table[i].key, last + 1))
			key = unit_table[i].name;
	if (key) {
		*last = '\0';
		name->size = (size_t)(last - name->data);
	}
	return key;
}

static const struct measure *split_measure(const char **name)
{
	const struct measure *found = NULL;
	size_t length = 0;

	for (size_t i = 0; i < MEASURE_COUNT; i++) {
		const struct measure *m = measure_at((enum measure_id)i);
		size_t n = measure_is_own((enum measure_id)i) ? 0 : strlen(m->name);

		if (n > length && text_starts(*name, m->name) &&
			((*name)[n] == '_' || !(*name)[n])) {
			found = m;
			length = n;
		}
	}
	*name += length + ((*name)[length] == '_');
	return found;
}

static bool made_of_parts(const char *name, struct outfile *out)
{
	struct text rest;
	const char *word, *unit, *text, *of_call = "";
	const struct measure *measure;
	bool found = false;

	text_init(&rest);
	text_add(&rest, name);
	unit = split_unit(&rest);
	word = text_string(&rest);
	text = column_word_or_statistic(word);
	measure = text ? NULL : split_measure(&word);
	if (measure && text_starts(word, "call_")) {
		of_call = " of one execution";
		word += strlen("call_");
	}
	if (measure && *word)
		text = column_word_or_statistic(word);
	if (text || (measure && !*word)) {
		outfile_printf(
			out, "%s in CSV files%s%s\n", name, unit ? ", in " : "", unit ? unit : "");
		if (text)
			outfile_printf(out, "  %s: %s\n", word, text);
		if (measure)
			outfile_printf(
				out, "  %s%s: %s\n", measure->name, of_call, measure->summary);
		found = true;
	}
	text_release(&rest);
	return found;
}

static bool column_is_word(const char *name)
{
	return column_word(name) != NULL;
}

bool column_word_help(const char *name, struct outfile *out)
{
	return column_is_word(name) && made_of_parts(name, out);
}

bool column_help(const char *name, struct outfile *out)
{
	bool found = false;

	for (size_t t = 0; t <= table_form_count; t++) {
		const struct table_form *form = t < table_form_count ? table_forms[t] : &table_flat;

		for (size_t i = 0; i < form->field_count; i++) {
			if (!text_equal(form->field[i].name, name))
				continue;
			outfile_printf(out, "%s in the table %s (stepstat sql, export): %s\n", name,
				form->name, form->field[i].summary);
			found = true;
		}
	}

	return (!found || column_is_word(name)) && made_of_parts(name, out) ? true : found;
}
