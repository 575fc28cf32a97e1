/* Words, told apart by what the options made of them. */
#include "cli/options/command_line.h"

#include <string.h>
#include "base/text.h"

const char *command_line_text(const struct settings *settings)
{
	struct text text;
	const char *line;

	text_init(&text);
	text_printf(&text, "stepstat %s", settings->command_name);
	for (int i = 0; i < settings->word_count; i++) {
		text_add_char(&text, ' ');
		text_add_quoted(&text, settings->word[i]);
	}
	line = arena_strdup(settings->arena, text_string(&text));
	text_release(&text);
	return line;
}

/* -o FILE, -oFILE, --quiet: how many words it takes; 0: it is another one. */
static int words_of_output(const char *word)
{
	if (text_equal(word, "-o"))
		return 2;
	return text_starts(word, "-o") || text_equal(word, "--quiet");
}

const char *command_line_inputs_and_options(const struct settings *settings)
{
	struct text text;
	const char *line;

	text_init(&text);
	for (int i = 0; i < settings->word_count; i++) {
		const int output = words_of_output(settings->word[i]);

		if (output) {
			i += output - 1;
			continue;
		}
		text_add(&text, text.size ? " " : "");
		text_add_quoted(&text, settings->word[i]);
	}
	line = arena_strdup(settings->arena, text_string(&text));
	text_release(&text);
	return line;
}

static bool is_one_of(const struct vec *list, const char *word)
{
	for (size_t i = 0; i < list->count; i++)
		if (text_equal(word, *(const char *const *)vec_at(list, i)))
			return true;
	return false;
}

const char *const *command_line_options(const struct settings *settings, size_t *count)
{
	const char **out =
		arena_array(settings->arena, (size_t)settings->word_count + 1, sizeof(*out));
	size_t n = 0;

	for (int i = 0; i < settings->word_count; i++) {
		const char *word = settings->word[i];
		const int output = words_of_output(word);

		if (output)
			i += output - 1;
		else if (!is_one_of(&settings->job.input, word))
			out[n++] = word;
	}
	*count = n;
	return out;
}

const char *const *command_line_inputs(const struct settings *settings, size_t *count)
{
	*count = settings->job.input.count;
	return settings->job.input.data;
}
