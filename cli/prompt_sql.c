/*
 * The prompt of sql: words of SQL, tables, columns and functions.
 */
#include <ctype.h>
#include <string.h>
#include "cli/prompt.h"
#include "export/tables.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static enum prompt_kind find_part(const char *text, const char **part)
{
	const char *p = text + strlen(text);

	while (p > text && is_word(p[-1]))
		p--;
	*part = p;
	return PROMPT_COMMANDS;
}

static const char *find_candidate(enum prompt_kind kind, unsigned long index)
{
	static const char *const words[] = {"SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY",
		"LIMIT", "JOIN", "USING", "DISTINCT", "DESC", "HAVING", "WITH", "select", "from",
		"where", "group by", "order by", "limit", "join", "using", "distinct", "desc",
		"having", "with", "count(*)", "sum(", "avg(", "min(", "max(", "stddev_samp(",
		"stddev_pop(", "cv(", "median(", "quantile("};
	const size_t count = sizeof(words) / sizeof(*words);

	if (kind != PROMPT_COMMANDS)
		return NULL;
	if (index < count)
		return words[index];
	index -= count;
	for (size_t t = 0; t < table_form_count; t++) {
		if (index == 0)
			return table_forms[t]->name;
		index--;
		if (index < table_forms[t]->field_count)
			return table_forms[t]->field[index].name;
		index -= table_forms[t]->field_count;
	}
	return NULL;
}

const struct prompt_style prompt_style_sql = {
	.text = "sql> ",
	.part = find_part,
	.candidate = find_candidate,
};
