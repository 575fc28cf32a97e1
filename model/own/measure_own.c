/* Entries are in a table that only grows; its length is published after the entry. */
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

/* Words in names of columns that say that a column is a measure, its unit and which direction is
 * better. */

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const rate_ends[] = {
	"_per_second", "_per_sec", "_per_s", "/second", "/sec", "/s"};

/* Rates by their initials. */
static const struct {
	const char *word, *unit;
} rates[] = {{"fps", "frames/s"}, {"qps", "queries/s"}, {"rps", "requests/s"}, {"tps", "t/s"},
	{"ips", "it/s"}, {"gbps", "GB/s"}, {"gb_s", "GB/s"}, {"gbs", "GB/s"}};

/* Plain numbers: the last word of a name, or all of it. */
static const char *const higher_words[] = {"accuracy", "acc", "throughput", "bandwidth", "goodput",
	"speedup", "efficiency", "utilization", "utilisation", "mfu", "hfu", "f1", "bleu", "rouge",
	"iou", "map", "auc", "reward", "score", "top1", "top5", "hit_rate", "occupancy"};
static const char *const lower_words[] = {"loss", "perplexity", "ppl", "wer", "cer", "rmse", "mse",
	"mae", "error", "errors", "error_rate", "failed", "failures", "fails", "misses",
	"miss_rate", "timeouts", "retries", "dropped", "latency", "overhead"};

static bool is_separator(char c)
{
	return c == '_' || c == '/' || c == '.' || c == ':' || c == ' ';
}

/* True if the name is the word, or ends in it behind a separator. */
static bool ends_in_word(const char *name, const char *word)
{
	const size_t n = strlen(name), size = strlen(word);

	return text_ends(name, word) && (n == size || is_separator(name[n - size - 1]));
}

static bool ends_in_any(const char *name, const char *const *word, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ends_in_word(name, word[i]))
			return true;
	return false;
}

/* "errors/s" */
static bool is_of_errors(const char *unit)
{
	for (size_t i = 0; i < COUNT(lower_words); i++)
		if (text_starts(unit, lower_words[i]))
			return true;
	return false;
}

enum direction own_measure_direction(const char *name, const struct unit *unit)
{
	char plain[MEASURE_OWN_SIZE];
	size_t n = 0;

	for (; name[n] && n < sizeof(plain) - 1; n++)
		plain[n] = name[n] >= 'A' && name[n] <= 'Z' ? (char)(name[n] - 'A' + 'a') : name[n];
	plain[n] = '\0';
	if (dimension_is_rate(unit->dimension))
		return is_of_errors(unit->name) ||
				       ends_in_any(plain, lower_words, COUNT(lower_words))
			       ? DIRECTION_LOWER
			       : DIRECTION_HIGHER;
	if (unit->dimension == DIMENSION_TIME || unit->dimension == DIMENSION_BYTES ||
		unit->dimension == DIMENSION_ENERGY || unit->dimension == DIMENSION_POWER ||
		ends_in_any(plain, lower_words, COUNT(lower_words)))
		return DIRECTION_LOWER;
	return ends_in_any(plain, higher_words, COUNT(higher_words)) ? DIRECTION_HIGHER
								     : DIRECTION_UNKNOWN;
}

/* ---- names of columns ---- */

/* A unit of unit_table by its name, alias or the key of headers; not a count. */
static const struct unit *known_unit(const char *word)
{
	const struct unit *unit = unit_lookup_key(word);

	return unit && unit->dimension != DIMENSION_COUNT && unit->dimension != DIMENSION_NONE
		       ? unit
		       : NULL;
}

static bool set_unit(char *unit, const char *word)
{
	const struct unit *known = known_unit(word);
	const char *name = known ? known->name : word;

	if (text_equal(word, "frac") || text_equal(word, "fraction"))
		name = ""; /* of 1, not of 100 */
	if (text_equal(word, "percent"))
		name = "%";

	if (strlen(name) >= MEASURE_OWN_SIZE)
		return false;
	memcpy(unit, name, strlen(name) + 1);
	return true;
}

/* "Throughput (tok/s)", "loss []": of round brackets only what can be nothing but a unit. */
static bool cut_brackets(const char *column, char *name, char *unit)
{
	const size_t n = strlen(column);
	const char *open = n ? strrchr(column, column[n - 1] == ']' ? '[' : '(') : NULL;
	char word[MEASURE_OWN_SIZE];
	size_t size;

	if (!open || open == column || (column[n - 1] != ']' && column[n - 1] != ')'))
		return false;
	size = n - 2 - (size_t)(open - column);
	memcpy(word, open + 1, size);
	word[size] = '\0';
	if (*open == '(' && !known_unit(word) && !strpbrk(word, "/%"))
		return false;
	for (size = (size_t)(open - column); size > 1 && is_separator(name[size - 1]);)
		size--;
	name[size] = '\0';
	return set_unit(unit, word);
}

/* "output_tokens_per_s" is in tokens/s; "bandwidth_gb/s" in GB/s, and the unit is no part of its
 * name. */
static bool cut_rate(char *name, char *unit)
{
	size_t n = strlen(name), i = 0, at;
	char word[MEASURE_OWN_SIZE + 8];
	const struct unit *known;

	while (i < COUNT(rate_ends) && !text_ends(name, rate_ends[i]))
		i++;
	if (i == COUNT(rate_ends))
		return false;
	n -= strlen(rate_ends[i]);
	for (at = n; at > 0 && !is_separator(name[at - 1]);)
		at--;
	memcpy(word, name + at, n - at);
	memcpy(word + n - at, "_per_s", sizeof("_per_s"));
	known = known_unit(word);
	if (known || text_starts(word, "flop")) {
		name[known && at > 1 ? at - 1 : strlen(name)] = '\0';
		return set_unit(unit, known ? known->name : "FLOPS");
	}
	memcpy(word + n - at, "/s", sizeof("/s"));
	if (rate_ends[i][0] == '/' && n + sizeof("_per_s") <= MEASURE_OWN_SIZE)
		memcpy(name + n, "_per_s", sizeof("_per_s"));
	return set_unit(unit, word);
}

static bool is_letter_of(const char *word, const char *name)
{
	return (!text_equal(word, "w") || strstr(name, "power") || strstr(name, "draw")) &&
	       (!text_equal(word, "j") || strstr(name, "energy"));
}

/* "ttft_ms", "gemm_tflops", "tflops", "busy_pct". */
static bool cut_suffix(const char *column, char *name, char *unit)
{
	char word[MEASURE_OWN_SIZE];
	size_t at = strlen(name);
	const struct unit *known;

	while (at > 0 && !is_separator(name[at - 1]))
		at--;
	memcpy(word, name + at, strlen(name + at) + 1);
	for (size_t i = 0; i < COUNT(rates); i++)
		if (ends_in_word(name, rates[i].word))
			return set_unit(unit, rates[i].unit);
	known = known_unit(column + at);
	if (!known)
		known = known_unit(name + at);
	if (text_equal(word, "percent") || text_equal(word, "%"))
		known = known_unit("pct");
	if (!known || !is_letter_of(word, name))
		return false;
	if (at > 1)
		name[at - 1] = '\0';
	else if (known->dimension == DIMENSION_TIME || known->dimension == DIMENSION_BYTES)
		return false;
	return set_unit(unit, known->dimension == DIMENSION_FRACTION ? word : known->name);
}

bool own_measure_of_column(const char *column, char *name, char *unit)
{
	const size_t n = strlen(column);

	if (n == 0 || n >= MEASURE_OWN_SIZE)
		return false;
	for (size_t i = 0; i <= n; i++) {
		char c = column[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		name[i] = c == ' ' || c == '-' ? '_' : c;
	}
	unit[0] = '\0';
	return cut_brackets(column, name, unit) || cut_rate(name, unit) ||
	       cut_suffix(column, name, unit) || measure_own_declared(name) ||
	       ends_in_any(name, higher_words, COUNT(higher_words)) ||
	       ends_in_any(name, lower_words, COUNT(lower_words));
}
