/* tfprof's prompt and its completion: which words are possible at the cursor. */
#include <stddef.h>
#include <string.h>
#include "base/text.h"
#include "cli/prompt.h"
#include "tfprof/options/options.h"

/* The position after the last of these bytes, or the start. */
static const char *behind(const char *text, const char *bytes)
{
	const char *part = text;

	for (const char *p = text; *p; p++)
		if (strchr(bytes, *p))
			part = p + 1;
	return part;
}

/* True if `word` is the last word but the one that begins at `part`. */
static bool follows(const char *text, const char *part, const char *word)
{
	size_t n = strlen(word);
	const char *end = part;

	while (end > text && end[-1] == ' ')
		end--;
	return (size_t)(end - text) > n && end[-(ptrdiff_t)n - 1] == ' ' &&
	       memcmp(end - n, word, n) == 0;
}

static enum prompt_kind find_part(const char *text, const char **part)
{
	const char *word = behind(text, " ");

	*part = word;
	if (!strchr(text, ' '))
		return PROMPT_COMMANDS;
	if (follows(text, word, "-select")) {
		*part = behind(word, ",\"'");
		return PROMPT_SELECT;
	}
	if (follows(text, word, "-order_by"))
		return PROMPT_ORDER;
	if (follows(text, word, "-output")) {
		*part = behind(word, "=");
		return *part > word ? PROMPT_FILES : PROMPT_OUTPUT;
	}
	return PROMPT_OPTIONS;
}

static const char *find_candidate(enum prompt_kind kind, unsigned long index)
{
	static const char *const outputs[] = {"stdout",
		"file:outfile=", "timeline:outfile=", "pprof:outfile=", "none",
		"csv:outfile=", "json:outfile=", "md:outfile=", "txt:outfile="};

	switch (kind) {
	case PROMPT_COMMANDS:
		return tfprof_command_name(index);
	case PROMPT_OPTIONS:
		return tfprof_option_name(index);
	case PROMPT_SELECT:
		return tfprof_select_name(index);
	case PROMPT_ORDER:
		return tfprof_order_name(index);
	case PROMPT_OUTPUT:
		return index < sizeof(outputs) / sizeof(*outputs) ? outputs[index] : NULL;
	default:
		return NULL;
	}
}

const struct prompt_style prompt_style_tfprof = {
	.text = "tfprof> ",
	.history = ".tfprof_history.txt",
	.part = find_part,
	.candidate = find_candidate,
};
