/*
 * Topics: the tables, and finding a word in them.
 */
#include "cli/help/topics.h"

#include <string.h>
#include "base/text.h"
#include "cli/options/command.h"

const struct topic topic_table[] = {
#define TOPIC(name, aliases, title, text) {#name, aliases, title, text, true},
#include "cli/help/topics_formats.def"
#undef TOPIC
#define TOPIC(name, aliases, title, text) {#name, aliases, title, text, false},
#include "cli/help/topics_words.def"
#undef TOPIC
};

const size_t topic_count = sizeof(topic_table) / sizeof(*topic_table);

/* Names of the table have underscores where users type dashes. */
static void typed_name(struct text *out, const char *name)
{
	text_clear(out);
	for (const char *p = name; *p; p++)
		text_add_char(out, *p == '_' || *p == ' ' ? '-' : *p);
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
	struct text word;

	text_init(&word);
	typed_name(&word, topic->name);
	add(context, text_string(&word));
	for (const char *p = topic->aliases; *p;) {
		size_t n = strcspn(p, " ");

		text_clear(&word);
		text_add_bytes(&word, p, n);
		add(context, text_string(&word));
		p += n + (p[n] == ' ');
	}
	text_release(&word);
}

const struct topic *topic_find(const char *name)
{
	const struct topic *topic = NULL;
	struct topic_search search = {0};
	struct text typed;

	text_init(&typed);
	typed_name(&typed, name);
	search.wanted = text_string(&typed);
	for (size_t i = 0; i < topic_count && !topic; i++) {
		words_of(&topic_table[i], compare_word, &search);
		topic = search.found ? &topic_table[i] : NULL;
	}
	text_release(&typed);
	return topic;
}

void topic_words(void (*add)(void *context, const char *word), void *context)
{
	for (size_t i = 0; i < topic_count; i++)
		words_of(&topic_table[i], add, context);
}

void topic_write(struct outfile *out, const struct topic *topic)
{
	struct text name;

	text_init(&name);
	typed_name(&name, topic->name);
	outfile_printf(out, "%s: %s\n%s", text_string(&name), topic->title, topic->text);
	if (command_find(text_string(&name)))
		outfile_printf(
			out, "The command of this name: stepstat %s --help\n", text_string(&name));
	text_release(&name);
}

static void list_part(struct outfile *out, bool formats)
{
	struct text name;

	text_init(&name);
	for (size_t i = 0; i < topic_count; i++) {
		if (topic_table[i].is_format != formats)
			continue;
		typed_name(&name, topic_table[i].name);
		outfile_printf(out, "  %-12s  %s\n", text_string(&name), topic_table[i].title);
	}
	text_release(&name);
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
