/*
 * Diagnostics.
 */
#include "cli/diagnostic.h"

#include <stdio.h>
#include "base/text.h"

void diagnostic_line(const char *start, const char *text)
{
	struct text line;

	text_init(&line);
	text_add_shown(&line, text);
	text_disarm(&line, 0);
	fprintf(stderr, "%s%s\n", start, text_string(&line));
	text_release(&line);
}

void diagnostic_issue(const struct issue_list *issues, const char *code)
{
	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];
		struct text line;

		if (!text_equal(issue->code, code))
			continue;
		text_init(&line);
		text_printf(&line, "%zu x %s (first: %s)", issue->count, issue->text, issue->place);
		diagnostic_line("stepstat: note: ", text_string(&line));
		text_release(&line);
	}
}
