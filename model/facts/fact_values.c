/*
 * Lists of values are short, but one of names of hosts or of ranks may have thousands: a long list
 * is searched by a name table.
 */
#include "model/facts/fact_values.h"

#include <stdlib.h>
#include <string.h>
#include "base/number.h"

#define SEARCHED_IN_ORDER 16
#define TIMES " x "

static struct intern *texts_of(struct fact_values *values, struct arena *arena)
{
	if (values->texts)
		return values->texts;
	values->texts = intern_new(arena);
	for (size_t i = 0; i < values->count; i++)
		intern_id(values->texts, values->value[i].text, strlen(values->value[i].text));
	return values->texts;
}

static struct fact_value *find(struct fact_values *values, struct arena *arena, const char *text)
{
	uint32_t place;

	if (values->count >= SEARCHED_IN_ORDER)
		return intern_find(texts_of(values, arena), text, strlen(text), &place)
			       ? &values->value[place]
			       : NULL;
	for (size_t i = 0; i < values->count; i++)
		if (strcmp(values->value[i].text, text) == 0)
			return &values->value[i];
	return NULL;
}

void fact_lists_add(struct fact_lists *lists, struct arena *arena, enum fact_id id,
	const struct fact_value *value)
{
	struct fact_values *values = &lists->of[id];
	struct fact_value *known;
	struct text clean;

	text_init(&clean);
	text_add_visible(&clean, value->text);
	known = find(values, arena, text_string(&clean));
	if (known) {
		text_release(&clean);
		if (__builtin_add_overflow(known->files, value->files, &known->files))
			known->files = UINT64_MAX;
		if (text_compare_natural(value->place, known->place) < 0)
			known->place = arena_strdup(arena, value->place);
		return;
	}
	values->value = arena_make_room(
		arena, values->value, values->count, &values->room, sizeof(*values->value));
	known = &values->value[values->count++];
	known->text = arena_strdup(arena, text_string(&clean));
	text_release(&clean);
	known->files = value->files;
	known->place = arena_strdup(arena, value->place);
	if (values->texts)
		intern_id(values->texts, known->text, strlen(known->text));
}

void fact_lists_add_file(
	struct fact_lists *lists, struct arena *arena, const struct facts *facts, const char *path)
{
	char number[FACT_NUMBER_BYTES];

	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		const struct fact_value value = {facts_text(facts, id, number), 1, path};

		if (value.text)
			fact_lists_add(lists, arena, id, &value);
	}
}

void fact_lists_join(struct fact_lists *lists, struct arena *arena, const struct fact_lists *from)
{
	for (enum fact_id id = 0; id < FACT_COUNT; id++)
		for (size_t i = 0; i < from->of[id].count; i++)
			fact_lists_add(lists, arena, id, &from->of[id].value[i]);
}

static int compare_values(const void *a, const void *b)
{
	return text_compare_natural(
		((const struct fact_value *)a)->text, ((const struct fact_value *)b)->text);
}

void fact_lists_sort(struct fact_lists *lists)
{
	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		if (lists->of[id].count > 1)
			qsort(lists->of[id].value, lists->of[id].count,
				sizeof(*lists->of[id].value), compare_values);
		lists->of[id].texts = NULL; /* it has the old places */
	}
}

bool fact_lists_are_empty(const struct fact_lists *lists)
{
	for (enum fact_id id = 0; id < FACT_COUNT; id++)
		if (lists->of[id].count)
			return false;
	return true;
}

const char *fact_lists_common(const struct fact_lists *lists, enum fact_id id)
{
	return lists->of[id].count == 1 ? lists->of[id].value[0].text : NULL;
}

/* ---- as text ---- */

void fact_line_add(struct text *out, enum fact_id id, const struct fact_value *value)
{
	text_printf(out, "%s %llu" TIMES "%s", fact_name(id), (unsigned long long)value->files,
		value->text);
}

/* A fact by the first n bytes of the text. */
static enum fact_id find_fact(const char *text, size_t n)
{
	enum fact_id id = 0;

	while (id < FACT_COUNT &&
		(strlen(fact_name(id)) != n || memcmp(fact_name(id), text, n) != 0))
		id++;
	return id;
}

bool fact_line_parse(
	const char *text, struct fact_lists *lists, struct arena *arena, const char *place)
{
	const char *count = strchr(text, ' '), *times = count ? strstr(count, TIMES) : NULL;
	struct fact_value value = {.place = place};
	enum fact_id id;
	int64_t files;

	if (!times || count == text ||
		!number_parse_int(count + 1, (size_t)(times - count - 1), &files) || files < 1)
		return false;
	value.text = times + strlen(TIMES);
	value.files = (uint64_t)files;
	id = find_fact(text, (size_t)(count - text));
	if (id == FACT_COUNT)
		return true;
	if (!facts_is_value(id, value.text))
		return false;
	fact_lists_add(lists, arena, id, &value);
	return true;
}
