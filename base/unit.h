/*
 * Dimensions and units with their aliases and factors: the only place where a unit is known.
 * Base units are ps, byte, and 1 for counts; nothing between reading and writing converts.
 */
#ifndef STEPSTAT_BASE_UNIT_H
#define STEPSTAT_BASE_UNIT_H

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
	DIMENSION_OWN,	      /* and above: units that files bring along (base/unit_own.h) */
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

/* By name or alias (B, byte, bytes, kB, KB, MB, GB, TB 1000-based; KiB, MiB, GiB, TiB 1024-based;
 * ps, ns, us, µs (both code points), usec, ms, msec, s, sec, min). Case matters except where an
 * alias says otherwise. Unknown: ERROR_USAGE with the nearest known unit and the list. */
const struct unit *unit_find(const char *name, struct error *err);
/* The same without an error: NULL. */
const struct unit *unit_lookup(const char *name);
const char *dimension_name(enum dimension dimension); /* "time", "bytes", "count", ... */
/* The unit for a table column whose largest absolute value is `largest` base units: the largest
 * decimal unit in which it is at least 1 (times: ps ns us ms s; bytes: B KB MB GB TB). A time of 0
 * has us. */
const struct unit *unit_choose(enum dimension dimension, double largest);

#endif
