/*
 * Entries are in a table that only grows; its length is published after the entry.
 */
#include "model/own/measure_own.h"

#include <pthread.h>
#include <string.h>
#include "base/unit.h"

struct own_slot {
	struct measure measure;
	char name[MEASURE_OWN_SIZE];
	const struct unit *unit;
	bool is_name; /* asked for, or declared by --measure */
	bool declared;
};

static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static struct own_slot own_table[MEASURE_OWN_SLOTS];
static _Atomic size_t own_count;

/* Digits behind the point of a factor that is a power of ten. */
static int decimals_of(int64_t factor)
{
	int decimals = 0;

	for (; factor >= 10; factor /= 10)
		decimals++;
	return decimals;
}

bool measure_direction_word(const char *word, enum direction *better)
{
	if (!text_equal(word, "higher") && !text_equal(word, "lower"))
		return false;
	*better = text_equal(word, "higher") ? DIRECTION_HIGHER : DIRECTION_LOWER;
	return true;
}

static const char *clean_name(const char *from, char *to)
{
	size_t n = 0;

	for (; from[n] && n < MEASURE_OWN_SIZE - 1; n++)
		to[n] = (unsigned char)from[n] <= ' ' || strchr(",[]:\"'=", from[n]) ? '_'
										     : from[n];
	to[n] = '\0';
	return to;
}

static struct own_slot *slot_of(enum measure_id id)
{
	return &own_table[id - MEASURE_OWN_FIRST];
}

const struct measure *measure_own_at(enum measure_id id)
{
	return &slot_of(id)->measure;
}

const struct measure *measure_own_lookup(const char *name)
{
	for (size_t i = 0; i < own_count; i++)
		if (!own_table[i].is_name && text_equal(own_table[i].name, name))
			return &own_table[i].measure;
	return NULL;
}

const struct unit *measure_unit(const struct measure *measure)
{
	return measure_is_own(measure->id) ? slot_of(measure->id)->unit : NULL;
}

bool measure_is_name(enum measure_id id)
{
	return measure_is_own(id) && slot_of(id)->is_name;
}

bool measure_is_wanted(enum measure_id wanted, enum measure_id id)
{
	return wanted == id ||
	       (measure_is_name(wanted) && measure_is_own(id) && !measure_is_name(id) &&
		       text_equal(slot_of(wanted)->name, slot_of(id)->name));
}

/* Declaration of the measure of this name; NULL: there is none. */
static const struct own_slot *declaration(const char *name)
{
	for (size_t i = 0; i < own_count; i++)
		if (own_table[i].declared && text_equal(own_table[i].name, name))
			return &own_table[i];
	return NULL;
}

bool measure_own_declared(const char *name)
{
	char clean[MEASURE_OWN_SIZE];

	return declaration(clean_name(name, clean)) != NULL;
}

/* Unit of a plain number: its word is "". */
static const struct unit *unit_of_word(const char *word)
{
	return unit_own(*word ? word : UNIT_NUMBER);
}

static bool same_slot(const struct own_slot *slot, const char *name, bool is_name,
	const struct unit *unit, enum direction better)
{
	return slot->is_name == is_name && text_equal(slot->name, name) &&
	       (is_name || (slot->measure.dimension == unit->dimension &&
				   slot->measure.better == better));
}

/* The slot of these, made when new; NULL: all are taken. */
static struct own_slot *intern_slot(
	const char *name, bool is_name, const struct unit *unit, enum direction better)
{
	struct own_slot *slot = NULL;

	pthread_mutex_lock(&own_lock);
	for (size_t i = 0; i < own_count && !slot; i++)
		if (same_slot(&own_table[i], name, is_name, unit, better))
			slot = &own_table[i];
	if (!slot && own_count < MEASURE_OWN_SLOTS) {
		slot = &own_table[own_count];
		*slot = (struct own_slot){.unit = unit, .is_name = is_name};
		memcpy(slot->name, name, strlen(name) + 1);
		slot->measure =
			(struct measure){.id = (enum measure_id)(MEASURE_OWN_FIRST + own_count),
				.name = slot->name,
				.dimension = unit ? unit->dimension : DIMENSION_NONE,
				.kind = MEASURE_RECORDED,
				.summary = "a measure of the input",
				.better = better};
		own_count++;
	}
	pthread_mutex_unlock(&own_lock);
	return slot;
}

static int no_slot(struct error *err)
{
	error_set(err, ERROR_LIMIT, NULL, "more than %zu measures that are none of the program",
		MEASURE_OWN_SLOTS);
	return error_hint(err, "leave out columns, or read fewer files at once");
}

int measure_own(const struct own_measure *own, enum measure_id *id, struct error *err)
{
	char name[MEASURE_OWN_SIZE];
	const struct own_slot *declared = declaration(clean_name(own->name, name)), *slot;
	const struct unit *unit = own->unit ? unit_of_word(own->unit) : NULL;
	enum direction better = own->better;

	if (declared && declared->unit && (!own->unit || !*own->unit))
		unit = declared->unit;
	if (!*name)
		return error_set(err, ERROR_INPUT, NULL, "a measure without a name");
	if (!unit && own->unit)
		return error_set(err, ERROR_INPUT, NULL,
			"\"%s\" cannot be a unit: expected a short word without brackets, colons "
			"and commas",
			own->unit);
	if (!unit)
		unit = unit_of_word("");
	if (!unit)
		return no_slot(err);
	if (declared && declared->measure.better != DIRECTION_UNKNOWN)
		better = declared->measure.better;
	if (better == DIRECTION_UNKNOWN)
		better = own_measure_direction(name, unit);
	if (better == DIRECTION_UNKNOWN && unit->dimension >= DIMENSION_OWN)
		unit = unit_own_unjudged(*unit->name ? unit->name : UNIT_NUMBER);
	if (!unit)
		return no_slot(err);
	slot = intern_slot(name, false, unit, better);
	if (!slot)
		return no_slot(err);
	*id = slot->measure.id;
	return 0;
}

int measure_own_declare(const struct own_measure *own, struct error *err)
{
	char name[MEASURE_OWN_SIZE];
	const struct unit *unit = own->unit && *own->unit ? unit_own(own->unit) : NULL;
	struct own_slot *slot;

	clean_name(own->name, name);
	if (!*name || measure_lookup(name))
		return error_set(err, ERROR_USAGE, NULL,
			*name ? "\"%s\" is a measure of the program" : "no name of a measure%s",
			name);
	if (own->unit && *own->unit && !unit)
		return error_set(err, ERROR_USAGE, NULL, "\"%s\" cannot be a unit", own->unit);
	slot = intern_slot(name, true, NULL, DIRECTION_UNKNOWN);
	if (!slot)
		return no_slot(err);
	slot->declared = true;
	slot->unit = unit;
	slot->measure.better = own->better;
	return 0;
}

int measure_own_wanted(const char *name, enum measure_id *id, struct error *err)
{
	const struct measure *known = measure_lookup(name);
	char clean[MEASURE_OWN_SIZE];
	const struct own_slot *slot;

	if (known) {
		*id = known->id;
		return 0;
	}
	slot = intern_slot(clean_name(name, clean), true, NULL, DIRECTION_UNKNOWN);
	if (!slot)
		return no_slot(err);
	*id = slot->measure.id;
	return 0;
}

int64_t measure_factor(enum measure_id id, const char *unit)
{
	const struct unit *known = unit && *unit ? unit_own_lookup(unit) : NULL;

	return known ? known->factor : slot_of(id)->unit->factor;
}

/* The unit in which files have it, times in us; base units of these: ps, bytes, 1e-9 of others. */
static const struct unit *unit_of_files(const struct measure *measure)
{
	return measure->dimension == DIMENSION_TIME ? unit_lookup("us")
						    : unit_choose(measure->dimension, 0);
}

void measure_add_unit(const struct measure *measure, bool base, struct text *out)
{
	const struct unit *unit = unit_of_files(measure);

	if (base && measure->dimension == DIMENSION_TIME)
		unit = unit_lookup("ps");
	else if (base && unit->factor != 1)
		text_printf(out, "1e-%d ", decimals_of(unit->factor));
	text_add(out, unit->dimension == DIMENSION_BYTES ? unit->key : unit->name);
}

void measure_add_direction(const struct measure *measure, struct text *out)
{
	const struct unit *unit = unit_of_files(measure);

	if (measure->better != own_measure_direction(measure->name, unit))
		text_add(out, measure->better == DIRECTION_HIGHER ? ":higher" : ":lower");
}

bool measure_split_unit(char *text, struct own_measure *own, bool *base)
{
	char *colon = strrchr(text, ':');
	const struct unit *unit;

	own->better = DIRECTION_UNKNOWN;
	if (colon) {
		if (!measure_direction_word(colon + 1, &own->better))
			return false;
		*colon = '\0';
	}
	*base = text_starts(text, "1e-") && text[3] && text[4] == ' ';
	own->unit = *base ? text + 5 : text;
	unit = *base ? unit_of_word(own->unit) : NULL;
	return !*base || (unit && decimals_of(unit->factor) == text[3] - '0');
}

void measure_own_reset(void)
{
	own_count = 0;
	unit_own_reset();
}
