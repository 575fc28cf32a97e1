/*
 * The encoding of a terminal is read from the environment variables that setlocale(3) uses.
 */
#include "cli/screen.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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
