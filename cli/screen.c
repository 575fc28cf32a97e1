/* The encoding of a terminal is read from the environment variables that setlocale(3) uses. */
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/number.h"
#include "base/text.h"

bool screen_is_ascii(int fd)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL, *codeset;

	if (!isatty(fd))
		return false;
	for (size_t i = 0; i < 3 && !(locale && *locale); i++)
		locale = getenv(names[i]);
	codeset = locale ? strchr(locale, '.') : NULL;
	return !codeset ||
	       (strncasecmp(codeset, ".utf-8", 6) != 0 && strncasecmp(codeset, ".utf8", 5) != 0);
}

struct outfile *screen_open(struct error *err)
{
	struct outfile *out = outfile_open("-", err);

	if (out && screen_is_ascii(STDOUT_FILENO))
		outfile_set_ascii(out);
	return out;
}

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

size_t screen_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int64_t n;

	if (columns && number_parse_int(columns, strlen(columns), &n) && n >= 20 && n <= 10000)
		return (size_t)n;
	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
		return size.ws_col;
	return 80;
}
