/* Numbers are sorted from the largest, q and p from the smallest, texts in alphabetical order.
 * Unknown values come last, and equal rows keep their order. */
#include "pipeline/compare_sort.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

enum key_kind { KEY_NUMBER, KEY_TEXT, KEY_VERDICT };

struct key {
	const char *name;
	enum key_kind kind;
	size_t at; /* of the double in struct compared, of the text in struct compared_row */
	bool smallest_first;
};

#define NUMBER(name, field, first)                                                                 \
	{                                                                                          \
		name, KEY_NUMBER, offsetof(struct compared, field), first                          \
	}
#define TEXT(name, field)                                                                          \
	{                                                                                          \
		name, KEY_TEXT, offsetof(struct compared_row, field), true                         \
	}

static const struct key keys[] = {
	TEXT("op", name),
	TEXT("name", name),
	TEXT("type", type),
	TEXT("device", device),
	NUMBER("base", base_mean, false),
	NUMBER("new", new_mean, false),
	NUMBER("difference", difference, false),
	NUMBER("change", change, false),
	NUMBER("low", low, false),
	NUMBER("high", high, false),
	NUMBER("p", p, true),
	NUMBER("q", q, true),
	NUMBER("level", level, false),
	NUMBER("logratio", diff, false),
	NUMBER("logse", se, false),
	NUMBER("df", df, false),
	NUMBER("margin", margin, false),
	NUMBER("detectable", detectable, false),
	{"verdict", KEY_VERDICT, 0, true},
};

#define KEYS (sizeof(keys) / sizeof(*keys))

struct entry {
	struct compared_row row;
	const struct key *key;
	size_t measure, place;
};

static double number_of(const struct entry *e)
{
	double number;

	memcpy(&number, (const char *)&e->row.value[e->measure] + e->key->at, sizeof(number));
	return e->key->smallest_first ? -number : number;
}

static const char *text_of(const struct entry *e)
{
	const char *text;

	memcpy(&text, (const char *)&e->row + e->key->at, sizeof(text));
	return text ? text : "";
}

/* Order of enum verdict, loudest first; no verdict comes last. */
static int loudness(const struct entry *e)
{
	enum verdict verdict = e->row.value[e->measure].verdict;

	return verdict == VERDICT_NONE ? VERDICT_COUNT : (int)verdict;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = 0;

	if (x->key->kind == KEY_TEXT) {
		order = strcmp(text_of(x), text_of(y));
	} else if (x->key->kind == KEY_VERDICT) {
		order = loudness(x) - loudness(y);
	} else {
		double p = number_of(x), q = number_of(y);

		order = isnan(p) || isnan(q) ? isnan(p) - isnan(q) : (p < q) - (p > q);
	}
	return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Cuts the unit off the name of a CSV column; false when the name has none. */
static bool drop_unit(char *column)
{
	static const char *const units[] = {"_us", "_bytes", "_pct"};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (text_ends(column, units[i])) {
			column[strlen(column) - strlen(units[i])] = '\0';
			return true;
		}
	return false;
}

static const struct key *find_key(const char *name)
{
	for (size_t i = 0; i < KEYS; i++)
		if (text_equal(keys[i].name, name))
			return &keys[i];
	return NULL;
}

/* Finds "change" or "time_change"; *measure is the measure it belongs to. */
static const struct key *find_column(
	const struct comparison *c, const char *column, size_t *measure)
{
	*measure = 0;
	for (size_t m = 0; m < c->measure_count; m++) {
		const char *name = measure_at(c->measure[m].id)->name;
		size_t n = strlen(name);

		if (strncmp(column, name, n) != 0 || (column[n] && column[n] != '_'))
			continue;
		*measure = m;
		return find_key(column[n] ? column + n + 1 : "new");
	}
	/* The table names the difference by its unit. */
	if (text_ends(column, "/step"))
		return find_key("difference");
	return find_key(column);
}

const char *compare_sort_column(size_t i)
{
	return i < KEYS ? keys[i].name : NULL;
}

int compare_sort(struct comparison *comparison, const char *column, struct error *err)
{
	const struct key *key;
	struct entry *entry;
	char *plain;
	size_t measure;

	if (!column)
		return 0;
	plain = memory_alloc(strlen(column) + 1);
	memcpy(plain, column, strlen(column) + 1);
	key = find_column(comparison, plain, &measure);
	if (!key && drop_unit(plain))
		key = find_column(comparison, plain, &measure);
	memory_free(plain);
	if (!key) {
		const char *names[KEYS];
		struct text list;
		int nearest;

		text_init(&list);
		for (size_t i = 0; i < KEYS; i++) {
			names[i] = keys[i].name;
			text_printf(&list, "%s%s", i ? ", " : "", names[i]);
		}
		nearest = text_nearest(column, names, KEYS);
		error_set(err, ERROR_USAGE, "--sort", "unknown column \"%s\"", column);
		error_hint(err,
			"%s%s%scolumns of a comparison: %s; of another measure: requested_change",
			nearest >= 0 ? "did you mean \"" : "", nearest >= 0 ? names[nearest] : "",
			nearest >= 0 ? "\"? " : "", text_string(&list));
		text_release(&list);
		return -1;
	}
	entry = memory_alloc(memory_product(comparison->count + 1, sizeof(*entry)));
	for (size_t i = 0; i < comparison->count; i++)
		entry[i] = (struct entry){comparison->row[i], key, measure, i};
	if (comparison->count)
		qsort(entry, comparison->count, sizeof(*entry), compare_entries);
	for (size_t i = 0; i < comparison->count; i++)
		comparison->row[i] = entry[i].row;
	memory_free(entry);
	return 0;
}
