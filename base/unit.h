/* Dimensions and units with their aliases and factors: the only place where a unit is known.
 * Base units are ps, byte, and 1 for counts; nothing between reading and writing converts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* Times are ps everywhere between reading and writing. */
#define PS_PER_NS 1000
#define PS_PER_US 1000000

enum dimension {
	DIMENSION_NONE,	      /* a plain number */
	DIMENSION_TIME,	      /* base ps */
	DIMENSION_BYTES,      /* base byte */
	DIMENSION_COUNT,      /* 1 */
	DIMENSION_FRACTION,   /* 1; shown as percent */
	DIMENSION_BYTES_RATE, /* base a thousandth of a byte in a second */
	DIMENSION_FLOPS,      /* base one operation of floating point in a second */
	DIMENSION_ENERGY,     /* base nJ */
	DIMENSION_POWER,      /* base nW */
	DIMENSION_FREQUENCY,  /* base mHz */
	DIMENSION_OWN,	      /* and above: units that files bring along */
};

struct unit {
	const char *name; /* as printed in tables: "ms", "KB", "us" */
	const char *key;  /* as in CSV headers: "us", "bytes", "kb" */
	enum dimension dimension;
	int64_t factor;		    /* base units in one of these: ms 10^9, KB 1000, KiB 1024 */
	const char *const *aliases; /* NULL-terminated, exact case */
};

extern const struct unit unit_table[];
extern const size_t unit_count;

/* Unit of this name or alias (B, byte, bytes, kB, KB, MB, GB, TB 1000-based; KiB, MiB, GiB, TiB
 * 1024-based; ps, ns, us, µs (both code points), usec, ms, msec, s, sec, min). Case matters except
 * where an alias says otherwise. Unknown: ERROR_USAGE with the nearest known unit and the list. */
const struct unit *unit_find(const char *name, struct error *err);
/* The same without an error: NULL. */
const struct unit *unit_lookup(const char *name);
/* The same, also by the key of CSV headers ("kb"). */
const struct unit *unit_lookup_key(const char *name);
const char *dimension_name(enum dimension dimension); /* "time", "bytes", "count", ... */
/* The unit for a table column whose largest absolute value is `largest` base units: the largest
 * decimal unit in which it is at least 1 (times: ps ns us ms s; bytes: B KB MB GB TB). A time of 0
 * has us. */
const struct unit *unit_choose(enum dimension dimension, double largest);

/* ---- units that files bring along ("tokens/s", "%", "points") ----
 * Each word is a dimension of its own, interned for the process, as readers work in threads; an
 * entry never changes. */

#define UNITS_OWN_MOST 64
#define UNIT_NUMBER "number" /* the word of plain numbers, shown without a unit */
#define UNIT_OWN_SIZE 32     /* bytes of a word with its final zero */

/* Unit of this word: one of unit_table, else one of its own, made when new. Values are whole
 * multiples of 1e-9 of it (1e-6 of what counts elements, items or operations in a second), so that
 * 9.2e9 (9.2e12) is the largest. NULL: the word is empty, too long or has control characters, or
 * there are UNITS_OWN_MOST already. */
const struct unit *unit_own(const char *word);
/* The same, of measures of which nobody knows which values are better: its dimension is another. */
const struct unit *unit_own_unjudged(const char *word);
/* False of the dimension of such a unit. */
bool dimension_is_judged(enum dimension dimension);
/* The unit of unit_own without making one: NULL where it is new. */
const struct unit *unit_own_lookup(const char *word);
/* True if values of the dimension are something in a second. */
bool dimension_is_rate(enum dimension dimension);
/* Forgets all of them, between two command lines of one process. No thread may read then. */
void unit_own_reset(void);
