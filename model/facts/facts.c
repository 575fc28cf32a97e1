/* Facts by number or by name, and the texts of their values. */
#include "model/facts/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/day.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"

#define BETWEEN ", "

enum fact_kind { TEXT, NUMBER };

static const struct {
	const char *name;
	enum fact_kind kind;
	size_t offset;
} facts_known[FACT_COUNT] = {
#define FACT(id, field, kind, name, summary) {name, kind, offsetof(struct facts, field)},
#include "model/facts/facts.def"
#undef FACT
};

#define COMMIT_SHOWN 12 /* bytes */

int facts_commit_shown(const char *commit)
{
	return (int)text_cut(commit, strlen(commit), COMMIT_SHOWN);
}

const char *fact_name(enum fact_id id)
{
	return facts_known[id].name;
}

bool fact_is_number(enum fact_id id)
{
	return facts_known[id].kind == NUMBER;
}

enum fact_id fact_find(const char *name)
{
	enum fact_id id = 0;

	while (id < FACT_COUNT && strcmp(facts_known[id].name, name) != 0)
		id++;
	return id;
}

enum fact_id fact_called(const char *name)
{
	static const struct {
		const char *name;
		enum fact_id fact;
	} others[] = {
		{"gpu_model", FACT_DEVICE_MODEL},
		{"gpu_name", FACT_DEVICE_MODEL},
		{"hostname", FACT_HOST},
		{"host_name", FACT_HOST},
		{"batch_size", FACT_BATCH},
		{"git_commit", FACT_COMMIT},
		{"git_sha", FACT_COMMIT},
		{"git_hash", FACT_COMMIT},
		{"head_sha", FACT_COMMIT},
		{"commit_id", FACT_COMMIT},
		{"commit_sha", FACT_COMMIT},
		{"commit_hash", FACT_COMMIT},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (text_equal(others[i].name, name))
			return others[i].fact;

	const enum fact_id id = fact_find(name);

	return id < FACT_START ? id : FACT_COUNT;
}

static const char **text_of(struct facts *facts, enum fact_id id)
{
	return (const char **)((char *)facts + facts_known[id].offset);
}

const char *facts_text(const struct facts *facts, enum fact_id id, char buffer[FACT_NUMBER_BYTES])
{
	const char *at = (const char *)facts + facts_known[id].offset;
	int64_t number;

	if (!fact_is_number(id))
		return *(const char *const *)at;
	number = *(const int64_t *)at;
	if (number <= 0)
		return NULL;
	snprintf(buffer, FACT_NUMBER_BYTES, "%lld", (long long)number);
	return buffer;
}

/* Words of Python's platform.machine(): machines of one kind of processor are not one machine. */
static bool is_architecture(const char *text, size_t n)
{
	static const char *const words[] = {"x86_64", "amd64", "i386", "i686", "aarch64", "arm64",
		"armv7l", "ppc64le", "s390x", "riscv64"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == n && strncasecmp(words[i], text, n) == 0)
			return true;
	return false;
}

void facts_set(
	struct facts *facts, struct arena *arena, enum fact_id id, const char *text, size_t n)
{
	struct text clean;
	int64_t number;

	if (n == 0 || (id == FACT_MACHINE && is_architecture(text, n)))
		return;
	if (fact_is_number(id)) {
		if (number_parse_int(text, n, &number) && number > 0)
			*(int64_t *)((char *)facts + facts_known[id].offset) = number;
		return;
	}
	n = text_cut(text, n, FACT_TEXT_MOST);
	text_init(&clean);

	/* n bytes as a text that any output can show. */
	struct text whole;

	text_init(&whole);
	text_add_zeros_visible(&whole, text, n);
	text_add_visible(&clean, text_string(&whole));
	text_release(&whole);
	*text_of(facts, id) = arena_strdup(arena, text_string(&clean));
	text_release(&clean);
}

static bool is_status(const char *text)
{
	static const char *const words[] = {"green", "red", "undecided", "broken", "first"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (text_equal(words[i], text))
			return true;
	return false;
}

bool facts_is_value(enum fact_id id, const char *text)
{
	int64_t number;

	if (id == FACT_STATUS)
		return is_status(text);
	if (id == FACT_START)
		return moment_from_text(text, strlen(text), &number);

	if (fact_is_number(id))
		return number_parse_int(text, strlen(text), &number) && number > 0;
	return *text && !(id == FACT_MACHINE && is_architecture(text, strlen(text)));
}

bool facts_has_item(const char *list, const char *one)
{
	const size_t size = strlen(one);

	for (const char *at = list; (at = strstr(at, one)); at++) {
		const bool begins =
			at == list || (at >= list + strlen(BETWEEN) &&
					      text_starts(at - strlen(BETWEEN), BETWEEN));

		if (begins && (!at[size] || text_starts(at + size, BETWEEN)))
			return true;
	}
	return false;
}

void facts_add(
	struct facts *facts, struct arena *arena, enum fact_id id, const char *text, size_t n)
{
	const char **value = text_of(facts, id), *before = *value;

	if (before && strlen(before) >= FACT_TEXT_MOST)
		return;
	facts_set(facts, arena, id, text, n);
	if (!before || before == *value)
		return;
	*value = facts_has_item(before, *value)
			 ? before
			 : arena_printf(arena, "%s" BETWEEN "%s", before, *value);
}

static void clear(struct facts *facts, enum fact_id id)
{
	if (fact_is_number(id))
		*(int64_t *)((char *)facts + facts_known[id].offset) = 0;
	else
		*text_of(facts, id) = NULL;
}

void facts_keep_common(struct facts *facts, const struct facts *other)
{
	char a[FACT_NUMBER_BYTES], b[FACT_NUMBER_BYTES];

	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		const char *text = facts_text(facts, id, a), *of_other = facts_text(other, id, b);

		if (text && !(of_other && text_equal(text, of_other)))
			clear(facts, id);
	}
}

void facts_remove(struct facts *facts, const struct facts *other)
{
	char number[FACT_NUMBER_BYTES];

	for (enum fact_id id = 0; id < FACT_COUNT; id++)
		if (facts_text(other, id, number))
			clear(facts, id);
}

void facts_overlay(struct facts *facts, const struct facts *over, struct arena *arena)
{
	char number[FACT_NUMBER_BYTES];

	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		const char *text = facts_text(over, id, number);

		if (text)
			facts_set(facts, arena, id, text, strlen(text));
	}
}

struct facts *facts_copy(const struct facts *facts, struct arena *arena)
{
	struct facts *copy = arena_alloc(arena, sizeof(*copy));

	facts_overlay(copy, facts, arena);
	return copy;
}

/* Lists of values are short, but one of names of hosts or of ranks may have thousands: a long list
 * is searched by a name table. */

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

ORDERED(compare_values, struct fact_value, text_compare_natural(x->text, y->text));

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

	/* A fact by the first n bytes of the text. */
	size_t n = (size_t)(count - text);
	id = 0;

	while (id < FACT_COUNT &&
		(strlen(fact_name(id)) != n || memcmp(fact_name(id), text, n) != 0))
		id++;
	if (id == FACT_COUNT)
		return true;
	if (!facts_is_value(id, value.text))
		return false;
	fact_lists_add(lists, arena, id, &value);
	return true;
}
