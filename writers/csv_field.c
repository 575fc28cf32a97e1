/*
 * Quoting of CSV text, by libcsv.
 */
#include "writers/csv_field.h"

#include <csv.h>
#include <string.h>
#include "base/memory.h"

/* Readers trim blanks around unquoted fields (libcsv does), so they need quotes too; and what would
 * be a command of GitHub at the beginning of a line of its log is none in quotes. */
static bool needs_quotes(const char *s, char separator)
{
	size_t n = strlen(s);

	return n > 0 && (strchr(s, separator) || strpbrk(s, ",\"") || s[0] == ' ' ||
				s[n - 1] == ' ' || text_starts(s, "::"));
}

static bool runs_in_spreadsheet(const char *s)
{
	return s[0] && strchr("=+-@\t\r", s[0]);
}

void csv_field_between(struct text *line, const char *s, bool safe, char separator)
{
	struct text field;

	text_init(&field);
	if (safe && runs_in_spreadsheet(s))
		text_add_char(&field, '\'');
	text_add_visible(&field, s);
	if (needs_quotes(text_string(&field), separator)) {
		size_t room = 2 * field.size + 2; /* csv_write2 wants it */
		char *quoted = memory_alloc(room);
		size_t n = csv_write2(quoted, room, field.data, field.size, '"');

		text_add_bytes(line, quoted, n);
		memory_free(quoted);
	} else {
		text_add(line, text_string(&field));
	}
	text_release(&field);
}

void csv_field(struct text *line, const char *s, bool safe)
{
	csv_field_between(line, s, safe, ',');
}
