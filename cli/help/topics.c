/* Topics: the parts of the page, and finding a word in them.
 *
 *     ### NAME
 *
 *     TITLE (also: ALIAS, ALIAS)
 *
 *     ```text
 *     TEXT
 *     ``` */
#include "cli/help/topics.h"

#include <string.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "templates/templates.h"

#define HEADING "\n### "
#define ALSO " (also: "
#define FENCE "```"

static struct topic_part part(const char *at, const char *end)
{
	return (struct topic_part){at, (size_t)(end - at)};
}

bool topic_next(struct topic *topic)
{
	const char *page = template_find("topics.md"), *at, *end, *also;

	at = strstr(topic->text.at ? topic->text.at + topic->text.size : page, HEADING);
	if (!at)
		return false;
	at += strlen(HEADING);
	end = strchr(at, '\n');
	topic->name = part(at, end);
	at = end + strspn(end, "\n");
	end = strchr(at, '\n');
	topic->title = part(at, end);
	topic->aliases = part(end, end);
	also = strstr(at, ALSO);
	if (also && also < end) {
		topic->title = part(at, also);
		topic->aliases = part(also + strlen(ALSO), end - 1);
	}
	at = strchr(strstr(end, FENCE), '\n') + 1;
	topic->text = part(at, strstr(at, FENCE));
	topic->is_format = topic->text.at < strstr(page, "\n## Words of a report");
	return true;
}

struct topic_search {
	const char *wanted;
	bool found;
};

static void compare_word(void *context, const char *word)
{
	struct topic_search *search = context;

	search->found |= text_distance(word, search->wanted, 0) == 0;
}

static void words_of(
	const struct topic *topic, void (*add)(void *context, const char *word), void *context)
{
	const char *at = topic->aliases.at, *end = at + topic->aliases.size;
	struct text word;

	text_init(&word);
	text_add_bytes(&word, topic->name.at, topic->name.size);
	add(context, text_string(&word));
	while (at < end) {
		const size_t n = strcspn(at, ",)");

		text_clear(&word);
		text_add_bytes(&word, at, n);
		add(context, text_string(&word));
		at += n + strlen(", ");
	}
	text_release(&word);
}

/* The name as words are spelt here; to be freed. */
static char *spelt(const char *name)
{
	char *word = memory_string(name);

	for (char *p = word; *p; p++)
		*p = *p == '_' || *p == ' ' ? '-' : *p;
	return word;
}

bool topic_find(const char *name, struct topic *out)
{
	char *wanted = spelt(name);
	struct topic_search search = {.wanted = wanted};

	*out = (struct topic){0};
	while (!search.found && topic_next(out))
		words_of(out, compare_word, &search);
	memory_free(wanted);
	return search.found;
}

static void put(struct outfile *out, const struct topic_part *text)
{
	outfile_write(out, text->at, text->size);
}

/* "waiting", "base, new", "coefficient of variation (CV)": true if the cell has the word, or it
 * without an "s". */
static bool cell_has(const struct topic_part *cell, const char *wanted)
{
	const char *at = cell->at, *end = at + cell->size;
	bool found = false;
	struct text word;

	text_init(&word);
	while (at < end && !found) {
		text_clear(&word);
		for (; at < end && !strchr(",()", *at); at++)
			if (*at != ' ')
				text_add_char(&word, *at);
			else if (word.size && at + 1 < end && at[1] != '(')
				text_add_char(&word, '-');
		at++;
		found = text_distance(text_string(&word), wanted, 0) == 0;
		text_add_char(&word, 's');
		found |= word.size > 1 && text_distance(text_string(&word), wanted, 0) == 0;
	}
	text_release(&word);
	return found;
}

/* Text of a page, of links their words alone. */
static void put_linked(struct outfile *out, const char *at, const char *end)
{
	for (; at < end; at++) {
		if (at[0] == ']' && at[1] == '(')
			at += strcspn(at, ")");
		else if (*at != '[')
			outfile_write(out, at, 1);
	}
}

bool glossary_write(struct outfile *out, const char *name)
{
	char *wanted = spelt(name);
	bool found = false;

	for (const char *at = strstr(template_find("glossary.md"), "| ---");
		(at = strstr(at, "\n| ")) && !found;) {
		const char *end, *meaning;
		struct topic_part cell;

		at += strlen("\n| ");
		end = at + strcspn(at, "\n");
		meaning = strstr(at, " | ");
		if (!meaning || meaning > end)
			continue;
		cell = part(at, meaning);
		found = cell_has(&cell, wanted);
		if (!found)
			continue;
		put(out, &cell);
		outfile_puts(out, ": ");
		put_linked(out, meaning + strlen(" | "), end - strlen(" |"));
		outfile_puts(out, "\n");
	}
	memory_free(wanted);
	return found;
}

void topic_words(void (*add)(void *context, const char *word), void *context)
{
	struct topic topic = {0};

	while (topic_next(&topic))
		words_of(&topic, add, context);
}

void topic_write(struct outfile *out, const struct topic *topic)
{
	struct text name;

	text_init(&name);
	text_add_bytes(&name, topic->name.at, topic->name.size);
	outfile_printf(out, "%s: ", text_string(&name));
	put(out, &topic->title);
	outfile_puts(out, "\n");
	put(out, &topic->text);
	if (command_find(text_string(&name)))
		outfile_printf(
			out, "The command of this name: stepstat %s --help\n", text_string(&name));
	text_release(&name);
}

static void list_part(struct outfile *out, bool formats)
{
	struct topic topic = {0};

	while (topic_next(&topic)) {
		if (topic.is_format != formats)
			continue;
		outfile_printf(out, "  %-12.*s  ", (int)topic.name.size, topic.name.at);
		put(out, &topic.title);
		outfile_puts(out, "\n");
	}
}

void topic_list(struct outfile *out)
{
	outfile_puts(out, "stepstat help TOPIC\n"
			  "\n"
			  "Kinds of input: how to record them, which file, what makes a step\n");
	list_part(out, true);
	outfile_puts(out, "\nWords of a report\n");
	list_part(out, false);
	outfile_puts(out, "\nLists\n"
			  "  columns       columns of the table and of CSV files\n"
			  "  statistics    every column of --stats\n"
			  "  measures      every measure of --measures\n"
			  "  formats       what is read and written\n"
			  "  comparison    verdicts, evidence and methods of compare and gate\n"
			  "  gate          the section gate of stepstat.yaml, exit status\n"
			  "  rules         the file of --rules\n"
			  "  classes       the classes of --by=class\n"
			  "  habits        options of other tools, and what they are here\n");
}
