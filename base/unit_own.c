/*
 * The words are in a table that only grows; its length is published after the entry.
 */
#include "base/unit_own.h"

#include <pthread.h>
#include <string.h>
#include "base/text.h"

struct own_unit {
	struct unit unit;
	char word[UNIT_OWN_SIZE], key[UNIT_OWN_SIZE + 4];
	bool unjudged;
};

static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static struct own_unit own_table[UNITS_OWN_MOST];
static _Atomic size_t own_count;
static const char *const no_aliases[] = {NULL};

/* Of what runs into 10^12 in a second. */
static bool is_fine_grained(const char *word)
{
	static const char *const many[] = {"elem/s", "elems/s", "elements/s", "item/s", "items/s",
		"op/s", "ops/s", "bit/s", "bits/s", "/s", "Hz"};

	for (size_t i = 0; i < sizeof(many) / sizeof(*many); i++)
		if (text_equal(word, many[i]))
			return true;
	return false;
}

/* "tokens/s" is "tokens_per_s", "%" is "pct". */
static void make_key(struct own_unit *own)
{
	const char *rate = strstr(own->word, "/s");
	size_t n = 0;

	if (text_equal(own->word, "%")) {
		memcpy(own->key, "pct", sizeof("pct"));
		return;
	}
	for (const char *p = own->word; *p && p != rate; p++)
		own->key[n++] = strchr(" /-%^*.,[]()", *p) ? '_' : *p;
	if (rate)
		memcpy(own->key + n, n ? "_per_s" : "per_s", n ? 7 : 6);
}

static bool is_word(const char *word)
{
	const size_t n = strlen(word);

	if (n == 0 || n >= UNIT_OWN_SIZE)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)word[i] < ' ' || strchr("[]:,\"", word[i]))
			return false;
	return true;
}

static const struct unit *find_word(const char *word, bool unjudged)
{
	for (size_t i = 0; i < own_count; i++)
		if (own_table[i].unjudged == unjudged && text_equal(own_table[i].word, word))
			return &own_table[i].unit;
	return NULL;
}

const struct unit *unit_own_lookup(const char *word)
{
	const struct unit *known = unit_lookup(word);

	if (known && known->dimension != DIMENSION_COUNT && known->dimension != DIMENSION_FRACTION)
		return known;
	return find_word(word, false);
}

static const struct unit *add_word(const char *word, bool unjudged)
{
	struct own_unit *own = &own_table[own_count];

	*own = (struct own_unit){.unit.aliases = no_aliases, .unjudged = unjudged};
	memcpy(own->word, word, strlen(word));
	make_key(own);
	own->unit.name = text_equal(word, UNIT_NUMBER) ? "" : own->word;
	own->unit.key = own->unit.name[0] ? own->key : "";
	own->unit.dimension = (enum dimension)(DIMENSION_OWN + own_count);
	own->unit.factor = is_fine_grained(word) ? 1000000 : 1000000000;
	own_count++;
	return &own->unit;
}

static const struct unit *intern_word(const char *word, bool unjudged)
{
	const struct unit *unit;

	if (!is_word(word))
		return NULL;
	pthread_mutex_lock(&own_lock);
	unit = find_word(word, unjudged);
	if (!unit && own_count < UNITS_OWN_MOST)
		unit = add_word(word, unjudged);
	pthread_mutex_unlock(&own_lock);
	return unit;
}

const struct unit *unit_own(const char *word)
{
	const struct unit *unit = unit_own_lookup(word);

	return unit ? unit : intern_word(word, false);
}

const struct unit *unit_own_unjudged(const char *word)
{
	return intern_word(word, true);
}

bool dimension_is_judged(enum dimension dimension)
{
	return dimension < DIMENSION_OWN || !own_table[dimension - DIMENSION_OWN].unjudged;
}

const struct unit *unit_of_own(enum dimension dimension)
{
	return &own_table[dimension - DIMENSION_OWN].unit;
}

bool dimension_is_rate(enum dimension dimension)
{
	return dimension == DIMENSION_BYTES_RATE || dimension == DIMENSION_FLOPS ||
	       (dimension >= DIMENSION_OWN && text_ends(unit_of_own(dimension)->name, "/s"));
}

void unit_own_reset(void)
{
	own_count = 0;
}
