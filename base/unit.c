/* The table of units and the searches in it. A new unit is one line here. */
#include "base/unit.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

/* clang-format off */
#define ALIASES(...) ((const char *const[]){ __VA_ARGS__ })

/* The first unit of a dimension is that of a value that is not a number. */
const struct unit unit_table[] = {
	{ "ps",  "ps",    DIMENSION_TIME,  1,                 ALIASES("psec", NULL) },
	{ "ns",  "ns",    DIMENSION_TIME,  1000,
		ALIASES("nsec", "nanosecond", "nanoseconds", NULL) },
	/* U+00B5 is the micro sign, U+03BC the Greek letter: keyboards and programs give either. */
	{ "us",  "us",    DIMENSION_TIME,  1000000,
		ALIASES("usec", "\302\265s", "\316\274s", "microsecond", "microseconds", NULL) },
	{ "ms",  "ms",    DIMENSION_TIME,  1000000000,
		ALIASES("msec", "millisecond", "milliseconds", NULL) },
	{ "s",   "s",     DIMENSION_TIME,  1000000000000,
		ALIASES("sec", "second", "seconds", NULL) },
	{ "min", "min",   DIMENSION_TIME,  60000000000000,    ALIASES(NULL) },
	{ "B",   "bytes", DIMENSION_BYTES, 1,
		ALIASES("byte", "bytes", "Bytes", NULL) },
	{ "KB",  "kb",    DIMENSION_BYTES, 1000,              ALIASES("kB", "Kilobytes", NULL) },
	{ "MB",  "mb",    DIMENSION_BYTES, 1000000,           ALIASES("Megabytes", NULL) },
	{ "GB",  "gb",    DIMENSION_BYTES, 1000000000,        ALIASES("Gigabytes", NULL) },
	{ "TB",  "tb",    DIMENSION_BYTES, 1000000000000,     ALIASES(NULL) },
	{ "KiB", "kib",   DIMENSION_BYTES, (int64_t)1 << 10,  ALIASES(NULL) },
	{ "MiB", "mib",   DIMENSION_BYTES, (int64_t)1 << 20,  ALIASES(NULL) },
	{ "GiB", "gib",   DIMENSION_BYTES, (int64_t)1 << 30,  ALIASES(NULL) },
	{ "TiB", "tib",   DIMENSION_BYTES, (int64_t)1 << 40,  ALIASES(NULL) },
	{ "B/s", "bytes_per_s", DIMENSION_BYTES_RATE, 1000,
		ALIASES("byte/s", "bytes/s", "Bps", NULL) },
	{ "KB/s", "kb_per_s", DIMENSION_BYTES_RATE, 1000000,  ALIASES("kB/s", NULL) },
	{ "MB/s", "mb_per_s", DIMENSION_BYTES_RATE, 1000000000, ALIASES("MBps", NULL) },
	{ "GB/s", "gb_per_s", DIMENSION_BYTES_RATE, 1000000000000, ALIASES("GBps", "gbs", NULL) },
	{ "TB/s", "tb_per_s", DIMENSION_BYTES_RATE, 1000000000000000, ALIASES("TBps", NULL) },
	{ "KiB/s", "kib_per_s", DIMENSION_BYTES_RATE, (int64_t)1000 << 10, ALIASES(NULL) },
	{ "MiB/s", "mib_per_s", DIMENSION_BYTES_RATE, (int64_t)1000 << 20, ALIASES(NULL) },
	{ "GiB/s", "gib_per_s", DIMENSION_BYTES_RATE, (int64_t)1000 << 30, ALIASES(NULL) },
	{ "FLOPS", "flop_per_s", DIMENSION_FLOPS, 1,          ALIASES("FLOP/s", NULL) },
	{ "MFLOPS", "mflops", DIMENSION_FLOPS, 1000000,       ALIASES("MFLOP/s", NULL) },
	{ "GFLOPS", "gflops", DIMENSION_FLOPS, 1000000000,    ALIASES("GFLOP/s", "GFlops", NULL) },
	{ "TFLOPS", "tflops", DIMENSION_FLOPS, 1000000000000,
		ALIASES("TFLOP/s", "TFlops", "TFLOPs", "TFLOPs/s", NULL) },
	{ "PFLOPS", "pflops", DIMENSION_FLOPS, 1000000000000000, ALIASES("PFLOP/s", NULL) },
	{ "J",   "j",     DIMENSION_ENERGY, 1000000000,       ALIASES("joule", "joules", NULL) },
	{ "mJ",  "mj",    DIMENSION_ENERGY, 1000000,          ALIASES(NULL) },
	{ "kJ",  "kj",    DIMENSION_ENERGY, 1000000000000,    ALIASES(NULL) },
	{ "W",   "w",     DIMENSION_POWER, 1000000000,
		ALIASES("watt", "watts", "J/s", NULL) },
	{ "mW",  "mw",    DIMENSION_POWER, 1000000,           ALIASES(NULL) },
	{ "kW",  "kw",    DIMENSION_POWER, 1000000000000,     ALIASES(NULL) },
	{ "Hz",  "hz",    DIMENSION_FREQUENCY, 1000,          ALIASES("hertz", NULL) },
	{ "kHz", "khz",   DIMENSION_FREQUENCY, 1000000,       ALIASES(NULL) },
	{ "MHz", "mhz",   DIMENSION_FREQUENCY, 1000000000,    ALIASES(NULL) },
	{ "GHz", "ghz",   DIMENSION_FREQUENCY, 1000000000000, ALIASES(NULL) },
	{ "",    "",      DIMENSION_NONE,  1,                 ALIASES(NULL) },
	{ "",    "count", DIMENSION_COUNT, 1,                 ALIASES("count", NULL) },
	/* "%" is how it is shown, 100 times the value: a search for it must not give factor 1. */
	{ "%",   "pct",   DIMENSION_FRACTION, 1,              ALIASES("frac", "fraction", NULL) },
};
/* clang-format on */

const size_t unit_count = sizeof(unit_table) / sizeof(unit_table[0]);

const struct unit *unit_lookup(const char *name)
{
	if (!*name)
		return NULL;
	for (size_t i = 0; i < unit_count; i++) {
		if (unit_table[i].dimension != DIMENSION_FRACTION &&
			text_equal(unit_table[i].name, name))
			return &unit_table[i];
		for (const char *const *alias = unit_table[i].aliases; *alias; alias++)
			if (text_equal(*alias, name))
				return &unit_table[i];
	}
	return NULL;
}

const struct unit *unit_lookup_key(const char *name)
{
	const struct unit *unit = unit_lookup(name);

	for (size_t i = 0; !unit && *name && i < unit_count; i++)
		if (text_equal(unit_table[i].key, name))
			unit = &unit_table[i];
	return unit;
}

static bool unit_is_listed(const struct unit *unit)
{
	return unit->dimension == DIMENSION_TIME || unit->dimension == DIMENSION_BYTES;
}

/* The nearest name or alias. Names come first, so that "kb" leads to "KB" and not to "kB". */
static const char *unit_nearest(const char *name)
{
	size_t room = 0, count = 0;

	for (size_t i = 0; i < unit_count; i++) {
		room++;
		for (const char *const *alias = unit_table[i].aliases; *alias; alias++)
			room++;
	}
	const char **words = memory_alloc(memory_product(room, sizeof(*words)));

	for (size_t i = 0; i < unit_count; i++)
		if (unit_is_listed(&unit_table[i]))
			words[count++] = unit_table[i].name;
	for (size_t i = 0; i < unit_count; i++) {
		const char *const *alias = unit_table[i].aliases;

		for (; unit_is_listed(&unit_table[i]) && *alias; alias++)
			words[count++] = *alias;
	}
	int index = text_nearest(name, words, count);
	const char *nearest = index < 0 ? NULL : words[index];

	memory_free(words);
	return nearest;
}

const struct unit *unit_find(const char *name, struct error *err)
{
	const struct unit *unit = unit_lookup(name);

	if (unit)
		return unit;
	struct text list;
	const char *nearest = unit_nearest(name);

	text_init(&list);
	for (size_t i = 0; i < unit_count; i++) {
		const struct unit *known = &unit_table[i];

		if (!unit_is_listed(known))
			continue;
		if (list.size)
			text_add(&list, known->dimension == known[-1].dimension ? ", " : "; ");
		text_add(&list, known->name);
	}
	error_set(err, ERROR_USAGE, NULL, "unknown unit \"%s\"", name);
	if (nearest)
		error_hint(err, "did you mean \"%s\"? units: %s", nearest, text_string(&list));
	else
		error_hint(err, "units: %s", text_string(&list));
	text_release(&list);
	return NULL;
}

const char *dimension_name(enum dimension dimension)
{
	static const char *const names[] = {
		[DIMENSION_NONE] = "none",
		[DIMENSION_TIME] = "time",
		[DIMENSION_BYTES] = "bytes",
		[DIMENSION_COUNT] = "count",
		[DIMENSION_FRACTION] = "fraction",
		[DIMENSION_BYTES_RATE] = "byte_rate",
		[DIMENSION_FLOPS] = "flops",
		[DIMENSION_ENERGY] = "energy",
		[DIMENSION_POWER] = "power",
		[DIMENSION_FREQUENCY] = "frequency",
	};

	return dimension < DIMENSION_OWN ? names[dimension] : "own";
}

/* ---- units that files bring along ----
 * The words are in a table that only grows; its length is published after the entry. */

struct own_unit {
	struct unit unit;
	char word[UNIT_OWN_SIZE], key[UNIT_OWN_SIZE + 4];
	bool unjudged;
};

static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static struct own_unit own_table[UNITS_OWN_MOST];
static _Atomic size_t own_count;
static const char *const no_aliases[] = {NULL};

/* True for rates of things that run into 10^12 in a second. */
static bool is_fine_grained(const char *word)
{
	static const char *const many[] = {"elem/s", "elems/s", "elements/s", "item/s", "items/s",
		"op/s", "ops/s", "bit/s", "bits/s", "/s"};

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

static const struct unit *intern_word(const char *word, bool unjudged)
{
	const struct unit *unit;
	const size_t n = strlen(word);

	if (n == 0 || n >= UNIT_OWN_SIZE)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)word[i] < ' ' || strchr("[]:,\"", word[i]))
			return NULL;
	pthread_mutex_lock(&own_lock);
	unit = find_word(word, unjudged);
	if (!unit && own_count < UNITS_OWN_MOST) {
		struct own_unit *own = &own_table[own_count];

		*own = (struct own_unit){.unit.aliases = no_aliases, .unjudged = unjudged};
		memcpy(own->word, word, strlen(word));
		make_key(own);
		own->unit.name = text_equal(word, UNIT_NUMBER) ? "" : own->word;
		own->unit.key = own->unit.name[0] ? own->key : "";
		own->unit.dimension = (enum dimension)(DIMENSION_OWN + own_count);
		own->unit.factor = is_fine_grained(word) ? 1000000 : 1000000000;
		own_count++;
		unit = &own->unit;
	}
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

/* The unit of a dimension from DIMENSION_OWN on. */
static const struct unit *unit_of_own(enum dimension dimension)
{
	return &own_table[dimension - DIMENSION_OWN].unit;
}

const struct unit *unit_choose(enum dimension dimension, double largest)
{
	const struct unit *chosen = NULL;

	if (dimension >= DIMENSION_OWN)
		return unit_of_own(dimension);
	/* "0.00 ps" would speak of an exactness that no profile has. */
	if (dimension == DIMENSION_TIME && largest == 0)
		return unit_lookup("us");
	for (size_t i = 0; i < unit_count; i++) {
		const struct unit *unit = &unit_table[i];

		if (unit->dimension != dimension)
			continue;

		int64_t factor = unit->factor;

		while (factor % 10 == 0)
			factor /= 10;
		if (factor != 1)
			continue;
		if (!chosen || (fabs(largest) >= (double)unit->factor &&
				       (unit->factor > chosen->factor ||
					       fabs(largest) < (double)chosen->factor)))
			chosen = unit;
	}
	return chosen;
}

bool dimension_is_rate(enum dimension dimension)
{
	return dimension == DIMENSION_BYTES_RATE || dimension == DIMENSION_FLOPS ||
	       dimension == DIMENSION_FREQUENCY ||
	       (dimension >= DIMENSION_OWN && text_ends(unit_of_own(dimension)->name, "/s"));
}

void unit_own_reset(void)
{
	own_count = 0;
}
