/* Words between commas. */
#include "tfprof/options/word_list.h"

#include <string.h>

void word_list_split(struct word_list *list, const char *text, struct arena *arena)
{
	size_t most = 1;

	for (const char *p = text; *p; p++)
		most += *p == ',';
	list->word = arena_array(arena, most, sizeof(*list->word));
	list->count = 0;
	while (*text) {
		size_t n = strcspn(text, ",");

		if (n)
			list->word[list->count++] = arena_strndup(arena, text, n);
		text += n + (text[n] == ',');
	}
}

char *word_list_next(const char **line, struct arena *arena)
{
	const char *p = *line + strspn(*line, " ");
	size_t n = strcspn(p, " ");

	*line = p + n;
	return n ? arena_strndup(arena, p, n) : NULL;
}

const char *word_list_strip_quotes(const char *text, struct arena *arena)
{
	static const char quotes[] = "\"'";
	const char *first = text + strspn(text, quotes);
	size_t n = strlen(first);

	while (n && strchr(quotes, first[n - 1]))
		n--;
	return arena_strndup(arena, first, n);
}

void word_list_insert(struct word_list *list, const char *word)
{
	size_t at = 0;

	while (at < list->count && strcmp(list->word[at], word) < 0)
		at++;
	if (at < list->count && text_equal(list->word[at], word))
		return;
	memmove(list->word + at + 1, list->word + at, (list->count - at) * sizeof(*list->word));
	list->word[at] = word;
	list->count++;
}

void word_list_print(const struct word_list *list, struct text *out)
{
	for (size_t i = 0; i < list->count; i++)
		text_printf(out, "%s%s", i ? "," : "", list->word[i]);
}
