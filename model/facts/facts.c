/*
 * Facts by number or by name, and the texts of their values.
 */
#include "model/facts/facts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/number.h"
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
	return fact_find(name);
}

static const char **text_of(struct facts *facts, enum fact_id id)
{
	return (const char **)((char *)facts + facts_known[id].offset);
}

static int64_t *number_of(struct facts *facts, enum fact_id id)
{
	return (int64_t *)((char *)facts + facts_known[id].offset);
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

/* n bytes as a text that any output can show. */
static void add_clean(struct text *to, const char *text, size_t n)
{
	struct text whole;

	text_init(&whole);
	text_add_zeros_visible(&whole, text, n);
	text_add_visible(to, text_string(&whole));
	text_release(&whole);
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
			*number_of(facts, id) = number;
		return;
	}
	if (n > FACT_TEXT_MOST)
		for (n = FACT_TEXT_MOST; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;)
			n--; /* not inside of a character */
	text_init(&clean);
	add_clean(&clean, text, n);
	*text_of(facts, id) = arena_strdup(arena, text_string(&clean));
	text_release(&clean);
}

bool facts_is_value(enum fact_id id, const char *text)
{
	int64_t number;

	if (fact_is_number(id))
		return number_parse_int(text, strlen(text), &number) && number > 0;
	return *text && !(id == FACT_MACHINE && is_architecture(text, strlen(text)));
}

/* True if `one` is a whole item of the list. */
static bool has_item(const char *list, const char *one)
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
	*value = has_item(before, *value) ? before
					  : arena_printf(arena, "%s" BETWEEN "%s", before, *value);
}
