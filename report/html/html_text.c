/* Escapes after text_add_shown, which leaves no control character and no bad UTF-8. */
#include "report/html/html_text.h"

#include <string.h>

static void add_escaped(struct text *out, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '&':
			text_add(out, "&amp;");
			break;
		case '<':
			text_add(out, "&lt;");
			break;
		case '>':
			text_add(out, "&gt;");
			break;
		case '"':
			text_add(out, "&quot;");
			break;
		case '\'':
			text_add(out, "&#39;");
			break;
		default:
			text_add_char(out, *s);
		}
}

void html_add(struct text *out, const char *s)
{
	struct text visible;

	if (!s)
		return;
	text_init(&visible);
	text_add_shown(&visible, s);
	add_escaped(out, text_string(&visible));
	text_release(&visible);
}

/* Scopes end before what is in brackets. */
static size_t scope_length(const char *s)
{
	size_t n = strcspn(s, "[(<");

	n -= n && !s[n] && s[n - 1] == '/';
	while (n && s[n - 1] != '/')
		n--;
	return n;
}

void html_add_name(struct text *out, const char *s, const char *whole)
{
	const size_t scope = scope_length(s);
	struct text part;

	text_add(out, "<span class=\"cut\"");
	html_add_attribute(out, "title", whole);
	text_add_char(out, '>');
	if (scope) {
		text_init(&part);
		text_add_bytes(&part, s, scope);
		text_add(out, "<span class=\"dim\">");
		html_add(out, text_string(&part));
		text_add(out, "</span>");
		text_release(&part);
	}
	text_add(out, "<span class=\"last\">");
	html_add(out, s + scope);
	text_add(out, "</span></span>");
}

void html_add_attribute(struct text *out, const char *name, const char *s)
{
	text_add_char(out, ' ');
	text_add(out, name);
	text_add(out, "=\"");
	html_add(out, s);
	text_add_char(out, '"');
}
