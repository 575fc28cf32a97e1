/*
 * Words in names of columns that say that a column is a measure, its unit and which direction is
 * better.
 */
#include <string.h>
#include "base/unit.h"
#include "model/own/measure_own.h"

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
