/* Tables for databases, described once: names and types of the columns, and where rows go. The
 * writers of a table_sink (NDJSON, CSV, Parquet, SQLite) know no profile, and what fills tables
 * knows no format. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/unit.h"

enum field_kind {
	FIELD_TEXT,
	FIELD_INTEGER, /* 64 bits, exact everywhere */
	FIELD_MICROS,  /* us with a fraction: an exact decimal in text, a real in databases */
};

struct table_field {
	const char *name; /* letters, digits and '_', lower case: what every engine accepts without
			     quotes */
	enum field_kind kind;
	bool required;	     /* never null */
	const char *summary; /* what it is, its unit */
};

#define TABLE_FIELDS_MOST 16

struct table_form {
	const char *name; /* "obs": of the table and of its files */
	const char *summary;
	const struct table_field *field;
	size_t field_count; /* at most TABLE_FIELDS_MOST */
};

struct table_value {
	bool known; /* else null */
	int64_t integer;
	int32_t ps;	  /* FIELD_MICROS: the value is integer + ps / 10^6 us, 0 <= ps < 10^6 */
	const char *text; /* UTF-8 without control bytes */
};

/* A place for rows. Each returns -1 with err; after that only the owner's release is called. */
struct table_sink {
	int (*begin)(struct table_sink *sink, const struct table_form *form, struct error *err);
	/* One value for each field of the form that was begun. */
	int (*row)(struct table_sink *sink, const struct table_value *value, struct error *err);
	int (*end)(struct table_sink *sink, struct error *err);
};

static inline struct table_value table_text(const char *text) /* NULL: null */
{
	return (struct table_value){.known = text != NULL, .text = text};
}

static inline struct table_value table_integer(int64_t value)
{
	return (struct table_value){.known = true, .integer = value};
}

/* Value of FIELD_MICROS, as the nearest real number or one beside it. */
static inline double table_micros(const struct table_value *value)
{
	return (double)value->integer + value->ps / (double)PS_PER_US;
}
