/*
 * Diagnostics.
 */
#include "cli/diagnostic.h"

#include <stdio.h>
#include <unistd.h>
#include "base/text.h"
#include "cli/screen.h"

void diagnostic_line(const char *start, const char *text)
{
	struct text line;

	text_init(&line);
	text_add_shown(&line, text);
	text_disarm(&line, 0);
	if (screen_is_ascii(STDERR_FILENO)) {
		struct text shown = line;

		text_init(&line);
		text_add_ascii(&line, text_string(&shown));
		text_release(&shown);
	}
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
		issue_add_sentence(&line, issue);
		diagnostic_line("stepstat: note: ", text_string(&line));
		text_release(&line);
	}
}
