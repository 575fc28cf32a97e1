/* Units: names, aliases, factors, the message for an unknown one, and the choice for a column. */
#include <math.h>
#include <stdbool.h>
#include "base/unit.h"
#include "tests/unit/test.h"

struct expected {
	const char *text, *name, *key;
	enum dimension dimension;
	int64_t factor;
};

TEST(names_and_aliases)
{
	static const struct expected list[] = {
		{"ps", "ps", "ps", DIMENSION_TIME, 1},
		{"ns", "ns", "ns", DIMENSION_TIME, 1000},
		{"us", "us", "us", DIMENSION_TIME, 1000000},
		{"usec", "us", "us", DIMENSION_TIME, 1000000},
		{"\xc2\xb5s", "us", "us", DIMENSION_TIME, 1000000},
		{"\xce\xbcs", "us", "us", DIMENSION_TIME, 1000000},
		{"ms", "ms", "ms", DIMENSION_TIME, 1000000000},
		{"msec", "ms", "ms", DIMENSION_TIME, 1000000000},
		{"s", "s", "s", DIMENSION_TIME, 1000000000000},
		{"sec", "s", "s", DIMENSION_TIME, 1000000000000},
		{"min", "min", "min", DIMENSION_TIME, 60000000000000},
		{"B", "B", "bytes", DIMENSION_BYTES, 1},
		{"byte", "B", "bytes", DIMENSION_BYTES, 1},
		{"bytes", "B", "bytes", DIMENSION_BYTES, 1},
		{"kB", "KB", "kb", DIMENSION_BYTES, 1000},
		{"KB", "KB", "kb", DIMENSION_BYTES, 1000},
		{"MB", "MB", "mb", DIMENSION_BYTES, 1000000},
		{"GB", "GB", "gb", DIMENSION_BYTES, 1000000000},
		{"TB", "TB", "tb", DIMENSION_BYTES, 1000000000000},
		{"KiB", "KiB", "kib", DIMENSION_BYTES, 1024},
		{"MiB", "MiB", "mib", DIMENSION_BYTES, 1048576},
		{"GiB", "GiB", "gib", DIMENSION_BYTES, 1073741824},
		{"TiB", "TiB", "tib", DIMENSION_BYTES, 1099511627776},
		{"count", "", "count", DIMENSION_COUNT, 1},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct error err = {.kind = ERROR_NONE};
		const struct unit *unit = unit_find(list[i].text, &err);

		assert_non_null(unit);
		assert_ptr_equal(unit, unit_lookup(list[i].text));
		assert_int_equal(err.kind, ERROR_NONE);
		assert_string_equal(unit->name, list[i].name);
		assert_string_equal(unit->key, list[i].key);
		assert_int_equal(unit->dimension, list[i].dimension);
		assert_int_equal(unit->factor, list[i].factor);
	}
}

TEST(unknown_names)
{
	static const char *const list[] = {
		"", " ", "kb", "Kb", "S", "MS", "Ms", "bits", "KIB", "us ", "%", "pct", "h"};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		assert_null(unit_lookup(list[i]));
}

#define LIST "units: ps, ns, us, ms, s, min; B, KB, MB, GB, TB, KiB, MiB, GiB, TiB"

static void check_message(const char *name, const char *message, const char *hint)
{
	struct error err = {.kind = ERROR_NONE};

	assert_null(unit_find(name, &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "");
	assert_string_equal(err.message, message);
	assert_string_equal(err.hint, hint);
}

TEST(message_for_unknown)
{
	check_message("kb", "unknown unit \"kb\"", "did you mean \"KB\"? " LIST);
	check_message("kib", "unknown unit \"kib\"", "did you mean \"KiB\"? " LIST);
	check_message("usecs", "unknown unit \"usecs\"", "did you mean \"usec\"? " LIST);
	check_message("MIN", "unknown unit \"MIN\"", "did you mean \"min\"? " LIST);
	check_message("furlong", "unknown unit \"furlong\"", LIST);
	check_message("", "unknown unit \"\"", LIST);
}

TEST(table_is_sound)
{
	for (size_t i = 0; i < unit_count; i++) {
		assert_true(unit_table[i].factor >= 1);
		assert_non_null(unit_table[i].aliases);
		for (size_t j = 0; j < i; j++)
			assert_false(*unit_table[i].name &&
				     strcmp(unit_table[i].name, unit_table[j].name) == 0);
	}
}

static void check_choice(enum dimension dimension, double largest, const char *key)
{
	assert_string_equal(unit_choose(dimension, largest)->key, key);
}

TEST(choice_for_a_column)
{
	check_choice(DIMENSION_TIME, 0, "us");
	check_choice(DIMENSION_TIME, 0.5, "ps");
	check_choice(DIMENSION_TIME, 999, "ps");
	check_choice(DIMENSION_TIME, 1000, "ns");
	check_choice(DIMENSION_TIME, 999999, "ns");
	check_choice(DIMENSION_TIME, 1e6, "us");
	check_choice(DIMENSION_TIME, 6.21e9, "ms");
	check_choice(DIMENSION_TIME, -6.21e9, "ms");
	check_choice(DIMENSION_TIME, 1e12, "s");
	check_choice(DIMENSION_TIME, 1e18, "s"); /* never minutes */
	check_choice(DIMENSION_TIME, NAN, "ps");
	check_choice(DIMENSION_TIME, INFINITY, "s");
	check_choice(DIMENSION_BYTES, 0, "bytes");
	check_choice(DIMENSION_BYTES, 999, "bytes");
	check_choice(DIMENSION_BYTES, 1000, "kb");
	check_choice(DIMENSION_BYTES, 1024, "kb"); /* never KiB */
	check_choice(DIMENSION_BYTES, 12.58e6, "mb");
	check_choice(DIMENSION_BYTES, 1e9, "gb");
	check_choice(DIMENSION_BYTES, 5e12, "tb");
	check_choice(DIMENSION_BYTES, 5e15, "tb");
	check_choice(DIMENSION_COUNT, 1e9, "count");
	check_choice(DIMENSION_FRACTION, 0.5, "pct");
	check_choice(DIMENSION_NONE, 5, "");
}

TEST(names_of_dimensions)
{
	assert_string_equal(dimension_name(DIMENSION_NONE), "none");
	assert_string_equal(dimension_name(DIMENSION_TIME), "time");
	assert_string_equal(dimension_name(DIMENSION_BYTES), "bytes");
	assert_string_equal(dimension_name(DIMENSION_COUNT), "count");
	assert_string_equal(dimension_name(DIMENSION_FRACTION), "fraction");
}
