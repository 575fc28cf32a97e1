/*
 * Issues in words that can be read back.
 */
#include "model/issue_text.h"

#include <string.h>
#include "base/number.h"

#define FIRST " (first: "

static const char *const severity_words[] = {
	[ISSUE_INFO] = "info ",
	[ISSUE_LOSS] = "loss ",
	[ISSUE_ERROR] = "error ",
};

void issue_text_add(struct text *out, const struct issue *issue)
{
	text_printf(out, "%s%s %zu x %s", severity_words[issue->severity], issue->code,
		issue->count, issue->text);
	if (issue->place && *issue->place)
		text_printf(out, FIRST "%s)", issue->place);
}

bool issue_text_parse(const char *text, struct issue_list *list)
{
	const char *code = NULL, *count, *words, *first, *place = "";
	enum issue_severity severity = ISSUE_INFO;
	int64_t n;

	for (size_t i = 0; i < sizeof(severity_words) / sizeof(severity_words[0]) && !code; i++)
		if (text_starts(text, severity_words[i])) {
			severity = (enum issue_severity)i;
			code = text + strlen(severity_words[i]);
		}
	count = code ? strchr(code, ' ') : NULL;
	words = count ? strstr(count, " x ") : NULL;
	if (!words || count == code || !words[3] ||
		!number_parse_int(count + 1, (size_t)(words - count - 1), &n) || n < 1)
		return false;
	words += 3;
	first = strstr(words, FIRST);
	if (first && text_ends(first, ")"))
		place = arena_strndup(
			list->arena, first + strlen(FIRST), strlen(first) - strlen(FIRST) - 1);
	else
		first = words + strlen(words);
	issue_add(list, severity, arena_strndup(list->arena, code, (size_t)(count - code)),
		arena_strndup(list->arena, words, (size_t)(first - words)), (size_t)n, place);
	return true;
}
