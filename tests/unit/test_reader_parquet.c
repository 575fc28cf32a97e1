/* Tables of observations in Parquet: the files of several writers hold what their CSV holds, each
 * type means what it should, and what cannot be read is named. */
#define _GNU_SOURCE /* memmem */
#include "base/text.h"
#include "ingest/parquet/parquet_column.h"
#include "ingest/parquet/parquet_page.h"
#include "ingest/parquet/thrift_compact.h"
#include "ingest/reader.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

static struct profile *read_file(const char *reader, const char *name, struct error *err)
{
	struct error none = {.kind = ERROR_NONE};
	char path[1024], file[128];
	struct profile *p = profile_new("t");
	struct input *in;

	snprintf(file, sizeof(file), "parquet/%s", name);
	in = input_open_as(data_path(path, sizeof(path), file), "t", &none);
	*err = none;
	assert_non_null(in);
	if (reader_find(reader, err)->read(in, p, &read_options_default, err) < 0) {
		profile_free(p);
		p = NULL;
	}
	input_close(in);
	return p;
}

static void same_text(const char *a, const char *b)
{
	assert_true(!a == !b);
	if (a)
		assert_string_equal(a, b);
}

static void same_profile(const struct profile *a, const struct profile *b)
{
	assert_int_equal(a->op_count, b->op_count);
	assert_int_equal(a->step_count, b->step_count);
	assert_int_equal(a->obs.count, b->obs.count);
	for (size_t i = 0; i < a->op_count; i++) {
		same_text(a->op[i].name, b->op[i].name);
		same_text(a->op[i].type, b->op[i].type);
	}
	for (size_t i = 0; i < a->step_count; i++) {
		assert_true(a->step[i].number == b->step[i].number);
		assert_true(a->step[i].fingerprint == b->step[i].fingerprint);
		same_text(a->step[i].run, b->step[i].run);
	}
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
		assert_true(!a->obs.column[m] == !b->obs.column[m]);
		for (size_t r = 0; a->obs.column[m] && r < a->obs.count; r++)
			assert_true(a->obs.column[m][r] == b->obs.column[m][r]);
	}
}

TEST(what_the_csv_says)
{
	static const char *const names[] = {"pyarrow_none_v1_plain", "pyarrow_snappy_v1",
		"pyarrow_gzip_v2", "pyarrow_zstd_v2_plain", "pyarrow_mixed", "polars", "duckdb",
		"chdb", "fastparquet"};
	struct error err;
	struct profile *table = read_file("csv", "table.csv", &err);

	assert_non_null(table);
	assert_int_equal(table->obs.count, 88); /* 2 runs, 12 steps, 4 ops; one has 8 steps */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char name[64];
		struct profile *p;

		snprintf(name, sizeof(name), "%s.parquet", names[i]);
		p = read_file("parquet", name, &err);
		if (!p)
			fail_msg("%s: %s", name, err.message);
		same_profile(table, p);
		assert_int_equal(p->issues.count, 0);
		profile_free(p);
	}
	profile_free(table);
}

TEST(each_type_means_something)
{
	struct error err;
	struct profile *p = read_file("parquet", "types.parquet", &err);
	const int64_t none = CELL_ABSENT;
	const struct {
		enum measure_id id;
		int64_t value[3];
	} expected[] = {
		{MEASURE_TIME, {1250000, none, -1000}}, /* decimals of 16 bytes */
		{MEASURE_CPU, {100000, 2500000, none}}, /* 0.1 is not that of 64 bits */
		{MEASURE_REQUESTED, {4294967295, none, 3000000000}},
		{MEASURE_PEAK, {INT64_MAX, 0, none}},
		{MEASURE_OCCURRENCE, {1, 2, 3}},
	};

	assert_non_null(p);
	assert_int_equal(p->step_count, 3);
	assert_int_equal(p->op_count, 1);
	assert_string_equal(p->op[0].name, "x");
	assert_string_equal(p->op[0].type, "true");
	for (size_t s = 0; s < 3; s++) {
		assert_true(p->step[s].number == 7 + (int64_t)s);
		assert_string_equal(p->step[s].run, "2026-02-28");
		assert_string_equal(p->step[s].rank, "0");
		for (size_t m = 0; m < sizeof(expected) / sizeof(expected[0]); m++)
			if (p->obs.column[expected[m].id][s] != expected[m].value[s])
				fail_msg("measure %d of step %zu", (int)expected[m].id, s);
	}
	assert_true(p->obs.column[MEASURE_ACCELERATOR][0] == 100000);
	assert_true(p->obs.column[MEASURE_ACCELERATOR][1] == 1);
	profile_free(p);
}

TEST(what_is_nested_is_counted)
{
	struct error err;
	struct profile *p = read_file("parquet", "nested.parquet", &err);

	assert_non_null(p);
	assert_true(p->obs.count == 1 && p->obs.column[MEASURE_TIME][0] == 1000000);
	assert_int_equal(p->issues.count, 1);
	assert_string_equal(p->issues.issue[0].code, "column-ignored");
	assert_int_equal(p->issues.issue[0].count, 2);
	assert_string_equal(p->issues.issue[0].place, "t: column stack");
	profile_free(p);
}

TEST(what_cannot_be_read_is_named)
{
	static const struct {
		const char *name, *place, *message;
	} cases[] = {
		{"brotli", "t: column \"step\"", "compressed with BROTLI, which is not read"},
		{"lz4", "t: column \"step\"", "compressed with LZ4_RAW, which is not read"},
		{"delta", "t: column \"step\"",
			"its encoding is DELTA_BINARY_PACKED, which is not read"},
		{"timestamp", "t: column \"time_us\"",
			"its values are a point in time, expected numbers or texts"},
		{"nested_op", "t: column \"op\"",
			"its values are nested, lists or groups of columns, expected numbers or "
			"texts"},
		{"half_step", "t: row 1, column \"step\"",
			"\"1.5\" is not a step number, expected a whole number"},
		{"no_rows", "t", "no observation: no row follows the header"},
		{"twice", "t: row 2, column \"op\"",
			"the same run, step, op and measure as in row 1"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[64];
		struct error err;

		snprintf(name, sizeof(name), "%s.parquet", cases[i].name);
		assert_null(read_file("parquet", name, &err));
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.place, cases[i].place);
		assert_string_equal(err.message, cases[i].message);
	}
}

/* In a page of texts, and in a dictionary. */
TEST(a_text_with_a_byte_0_is_refused)
{
	static const char *const names[] = {"pyarrow_none_v1_plain", "duckdb"};
	static const char text[] = "conv1";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char name[128], path[1024];
		unsigned char bytes[16384], *at = bytes;
		struct error err = {.kind = ERROR_NONE};
		struct profile *p = profile_new("t");
		FILE *f;

		snprintf(name, sizeof(name), "parquet/%s.parquet", names[i]);
		f = fopen(data_path(path, sizeof(path), name), "rb");
		assert_non_null(f);
		const size_t size = fread(bytes, 1, sizeof(bytes), f);

		fclose(f);
		while ((at = memmem(at, size - (size_t)(at - bytes), text, strlen(text))))
			at[2] = '\0';
		struct input *in = input_memory(bytes, size, "t");

		assert_int_equal(
			reader_find("parquet", NULL)->read(in, p, &read_options_default, &err), -1);
		assert_string_equal(err.place, "t: row 1, column \"op\"");
		assert_string_equal(err.message, "a byte 0, which no text has");
		profile_free(p);
		input_close(in);
	}
}

TEST(a_table_of_something_else_is_refused)
{
	const struct reader *parquet = reader_find("parquet", NULL);
	struct error err = {.kind = ERROR_NONE};
	char path[1024];
	struct input *in =
		input_open(data_path(path, sizeof(path), "parquet/no_observations.parquet"), &err);

	assert_non_null(in);
	assert_int_equal(parquet->holds(in, &read_options_default, &err), -1);
	assert_string_equal(err.message, "a Parquet table that holds no observations (columns "
					 "globalTid, start, end, nameId)");
	input_close(in);
	in = input_open(data_path(path, sizeof(path), "parquet/polars.parquet"), &err);
	assert_int_equal(parquet->holds(in, &read_options_default, &err), 0);
	input_close(in);
}

/* The example of the format's description: 0 to 7 in groups of 3 bits. */
TEST(runs_of_bits)
{
	static const unsigned char groups[] = {0x03, 0x88, 0xc6, 0xfa},
				   run[] = {0x0c, 0x05, 0x03, 0x21}, wide[] = {0x02, 1, 2, 3, 4};
	struct bit_runs runs;
	uint32_t value;

	bit_runs_init(&runs, groups, sizeof(groups), 3);
	for (uint32_t i = 0; i < 8; i++) {
		assert_true(bit_runs_next(&runs, &value));
		assert_int_equal(value, i);
	}
	assert_false(bit_runs_next(&runs, &value));
	/* six times 5, then a group of 4 bits of which the writer left out the end */
	bit_runs_init(&runs, run, sizeof(run), 4);
	for (uint32_t i = 0; i < 6; i++)
		assert_true(bit_runs_next(&runs, &value) && value == 5);
	assert_true(bit_runs_next(&runs, &value) && value == 1);
	assert_true(bit_runs_next(&runs, &value) && value == 2);
	assert_false(bit_runs_next(&runs, &value));
	bit_runs_init(&runs, wide, sizeof(wide), 32);
	assert_true(bit_runs_next(&runs, &value) && value == 0x04030201);
	/* nothing is there, and places of 0 bits */
	bit_runs_init(&runs, wide, 0, 0);
	assert_false(bit_runs_next(&runs, &value));
	bit_runs_init(&runs, wide, 1, 0);
	assert_true(bit_runs_next(&runs, &value) && value == 0);
	assert_false(bit_runs_next(&runs, &value));
}

/* Nested lists and structs beyond any sense, and counts that promise more than there is. */
TEST(hostile_thrift)
{
	unsigned char deep[1000];
	static const unsigned char many[] = {0xf9, 0xff, 0xff, 0xff, 0xff, 0x0f},
				   endless[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0x01};
	struct thrift t = {.at = deep, .end = deep + sizeof(deep)};

	memset(deep, 0x1c, sizeof(deep)); /* a struct in a struct in ... */
	thrift_skip(&t, THRIFT_STRUCT);
	assert_true(t.bad);
	memset(deep, 0x19, sizeof(deep)); /* lists of one list */
	t = (struct thrift){.at = deep, .end = deep + sizeof(deep)};
	thrift_skip(&t, THRIFT_LIST);
	assert_true(t.bad);
	t = (struct thrift){.at = many, .end = many + sizeof(many)};
	thrift_skip(&t, THRIFT_LIST);
	assert_true(t.bad);
	t = (struct thrift){.at = endless, .end = endless + sizeof(endless)};
	assert_int_equal(thrift_integer(&t, THRIFT_I64), 0);
	assert_true(t.bad);
}

/* Each file cut off anywhere, and with any bit changed: a message, or a profile. */
TEST(damage)
{
	static const char *const names[] = {"pyarrow_none_v1_plain", "pyarrow_snappy_v1",
		"pyarrow_gzip_v2", "pyarrow_zstd_v2_plain", "pyarrow_mixed", "polars", "duckdb",
		"chdb", "fastparquet", "types"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char name[128], path[1024];
		static unsigned char bytes[16384], copy[16384];
		FILE *f;

		snprintf(name, sizeof(name), "parquet/%s.parquet", names[i]);
		f = fopen(data_path(path, sizeof(path), name), "rb");
		assert_non_null(f);
		const size_t size = fread(bytes, 1, sizeof(bytes), f);

		fclose(f);
		for (size_t k = 0; k < 400; k++) {
			const size_t at = (k * 2654435761u) % size, cut = k % 2 ? at : size;
			struct error err = {.kind = ERROR_NONE};
			struct profile *p = profile_new("t");
			struct input *in;
			int result;

			memcpy(copy, bytes, size);
			copy[at] ^= (unsigned char)(1u << (k / 2 % 8));
			in = input_memory(copy, cut, "t");
			result = reader_find("parquet", NULL)
					 ->read(in, p, &read_options_default, &err);
			assert_true(result == 0 || (err.kind != ERROR_NONE && err.message[0] &&
							   text_starts(err.place, "t")));
			assert_true(result < 0 || cut == size);
			profile_free(p);
			input_close(in);
		}
	}
}

/* Heads of a dictionary of 5 entries and of pages of 2 values, for a column of 4 rows. */
TEST(a_dictionary_may_have_more_entries_than_rows)
{
	static const unsigned char bytes[] = {'P', 'A', 'R', '1',
		/* type, bytes, packed bytes, dictionary: values, encoding */
		0x15, 4, 0x15, 0, 0x15, 0, 0x4c, 0x15, 10, 0x15, 0, 0, 0,
		/* type, bytes, packed bytes, page: values, encoding, both kinds of levels */
		0x15, 0, 0x15, 0, 0x15, 0, 0x2c, 0x15, 4, 0x15, 16, 0x15, 6, 0x15, 6, 0, 0,
		/* the same with 3 values, of which 2 are left */
		0x15, 0, 0x15, 0, 0x15, 0, 0x2c, 0x15, 6, 0x15, 16, 0x15, 6, 0x15, 6, 0, 0};
	struct span_file span;
	struct parquet_file file = {.span = &span};
	struct parquet_place place = {.chunk = {.at = 4, .end = sizeof(bytes)}, .at = 4, .left = 4};

	span_file_memory(&span, "m", bytes, sizeof(bytes));
	assert_int_equal(parquet_place_move(&file, &place, 1, NULL), 0);
	assert_int_equal(place.dictionary_at, 4);
	assert_int_equal(place.at, 17);
	assert_int_equal(parquet_place_move(&file, &place, 1, NULL), 0);
	assert_int_equal(place.left, 2);
	assert_int_equal(parquet_place_move(&file, &place, 1, NULL), -1);
}
