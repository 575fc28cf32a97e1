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
	text_add_visible(&line, text);
	fprintf(stderr, "%s%s\n", start, text_string(&line));
	text_release(&line);
}
