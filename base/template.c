/*
 * Finds places by their signs.
 */
#include "base/template.h"

#include <string.h>

static const struct template_place *find(
	const struct template_place *place, size_t count, const char *name, size_t n)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(place[i].name) == n && strncmp(place[i].name, name, n) == 0)
			return &place[i];
	return NULL;
}

void template_fill(
	struct text *out, const char *text, const struct template_place *place, size_t count)
{
	while (*text) {
		size_t plain = strcspn(text, "@"), n;
		const struct template_place *found;

		text_add_bytes(out, text, plain);
		text += plain;
		if (!*text)
			return;
		n = strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		found = text[1 + n] == '@' ? find(place, count, text + 1, n) : NULL;
		if (found) {
			text_add(out, found->text);
			text += n + 2;
		} else {
			text_add_char(out, *text++);
		}
	}
}
