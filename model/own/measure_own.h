/* Measures that files bring along, with their name, unit and direction: a slot of enum measure_id
 * for each, interned for the process, as readers work in threads. It does not read values. */
#pragma once

#include <stdbool.h>
#include "base/error.h"
#include "base/text.h"
#include "model/measure.h"

#define MEASURE_OWN_SIZE 64 /* bytes of a name with its final zero */

/* Declaration of a measure of a file. */
struct own_measure {
	const char *name;
	const char
		*unit; /* a word as "ms", "tokens/s", "%"; "" of a plain number; NULL: not said */
	enum direction better; /* DIRECTION_UNKNOWN: the name and the unit decide */
};

/* Splits the name of a column or a key ("ttft_ms", "TTFT (ms)", "tokens_per_s", "tflops", "loss")
 * into name and unit; `name` and `unit` have MEASURE_OWN_SIZE bytes. The name is in lower case,
 * with `_` for blanks and dashes, without its unit where that is set off; without a unit in it
 * `unit` is "". False: nothing says that the column is a measure. */
bool own_measure_of_column(const char *column, char *name, char *unit);
/* The direction that the name or the unit has: anything in a second and FLOPS higher; times,
 * bytes, energy, power, loss, counts of errors lower. */
enum direction own_measure_direction(const char *name, const struct unit *unit);

/* Interns a measure. The same name, unit and direction have the same id; what --measure says of
 * the name goes before what the file says. Characters of the name that lists and headers use
 * (blanks, commas, brackets) become '_'. Times and bytes have the dimensions of the table and its
 * base units, all else that of its unit (base/unit.h). ERROR_LIMIT when all slots are taken,
 * ERROR_INPUT where the name or the unit is no word. */
int measure_own(const struct own_measure *own, enum measure_id *id, struct error *err);
/* Keeps what --measure=NAME[:UNIT[:DIRECTION]] says, before any input is read. */
int measure_own_declare(const struct own_measure *own, struct error *err);
/* True if --measure says something of the name. */
bool measure_own_declared(const char *name);
/* The id of a name that is asked for before inputs are read: that of the table, else one that
 * stands for every measure of the name. ERROR_LIMIT when all slots are taken. */
int measure_own_wanted(const char *name, enum measure_id *id, struct error *err);
/* True if the id is what was asked for: the same, or of its name. */
bool measure_is_wanted(enum measure_id wanted, enum measure_id id);
/* True if the id only stands for a name. */
bool measure_is_name(enum measure_id id);

/* The first measure of files of this name; NULL: there is none. */
const struct measure *measure_own_lookup(const char *name);
const struct measure *measure_own_at(enum measure_id id);
/* The unit of a measure of a file; NULL of others. */
const struct unit *measure_unit(const struct measure *measure);
/* "higher" or "lower". */
bool measure_direction_word(const char *word, enum direction *better);
/* Base units in one of the unit of a file, a word as in struct own_measure. */
int64_t measure_factor(enum measure_id id, const char *unit);
/* Adds the unit of a measure of a file as containers write it: "us", "tokens/s"; base: of the
 * values that observations have, "ps", "1e-9 tokens/s". */
void measure_add_unit(const struct measure *measure, bool base, struct text *out);
/* Adds ":higher" or ":lower" where name and unit do not say it. */
void measure_add_direction(const struct measure *measure, struct text *out);
/* Splits both, in place; *base: values are base units ("ps" is a unit like others). False:
 * no direction follows the colon, or base units of another version of the program. */
bool measure_split_unit(char *text, struct own_measure *own, bool *base);
void measure_own_reset(void); /* with unit_own_reset(), which says when */
