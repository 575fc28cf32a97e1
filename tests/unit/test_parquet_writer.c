/* What the Parquet writer writes is what the reader reads: groups of rows, nulls, dictionaries that
 * become too big, many columns. That others read it, too, is in tests/extra. */
#include <unistd.h>
#include "base/text.h"
#include "base/packed_number.h"
#include "export/parquet/parquet_writer.h"
#include "export/sink_files.h"
#include "ingest/parquet/parquet_page.h"
#include "ingest/parquet/parquet_column.h"
#include "tests/unit/threads_agree.h"

#define PAGE_MOST ((size_t)64 << 20)

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Runs, noise and what is between them, at each width. */
TEST(bits_of_every_width)
{
	static uint32_t value[3000];
	uint64_t random = 88172645463325252u;

	for (unsigned width = 0; width <= 32; width++) {
		const uint32_t mask = width == 32 ? UINT32_MAX : (1u << width) - 1;
		struct bit_runs runs;
		struct text out;
		uint32_t found;

		for (size_t i = 0; i < 3000; i++)
			value[i] = i > 0 && next_random(&random) % 100 < i / 30
					   ? value[i - 1]
					   : (uint32_t)next_random(&random) & mask;
		text_init(&out);
		bit_runs_add(&out, value, 3000, width);
		bit_runs_init(&runs, (const unsigned char *)text_string(&out), out.size, width);
		for (size_t i = 0; i < 3000; i++) {
			assert_true(bit_runs_next(&runs, &found));
			assert_int_equal(found, value[i]);
		}
		text_release(&out);
	}
	assert_int_equal(packed_bits(0), 0);
	assert_int_equal(packed_bits(1), 1);
	assert_int_equal(packed_bits(255), 8);
	assert_int_equal(packed_bits(256), 9);
	assert_int_equal(packed_bits(UINT32_MAX), 32);
}

struct written {
	struct outfile *out;
	struct arena *arena;
	struct span_file span;
	struct parquet_file file;
};

static void open_written(struct written *w, struct parquet_writer *writer)
{
	struct error err = {.kind = ERROR_NONE};
	const char *bytes;
	size_t size;

	assert_int_equal(parquet_writer_finish(writer, &err), 0);
	parquet_writer_free(writer);
	assert_int_equal(outfile_finish(w->out, &err), 0);
	bytes = outfile_data(w->out, &size);
	span_file_memory(&w->span, "m", bytes, size);
	w->arena = arena_new();
	if (parquet_file_open(&w->file, &w->span, PAGE_MOST, w->arena, &err) < 0)
		fail_msg("%s: %s", err.place, err.message);
}

static void close_written(struct written *w)
{
	arena_free(w->arena);
	outfile_discard(w->out);
}

/* Begins the values of field i in the group that was read last. */
static int begin(const struct written *w, struct parquet_column *column, size_t i, uint64_t rows)
{
	struct parquet_place place;
	struct error err = {.kind = ERROR_NONE};

	return parquet_place_begin(&w->file, &w->file.field[i], rows, &place, &err) < 0
		       ? -1
		       : parquet_column_begin_at(column, &place, &err);
}

/* The texts, integers and real numbers of a row that all is made of. */
static bool has_text(size_t row)
{
	return row % 7 != 3 && (row < 1000 || row > 3000);
}

static void text_of(size_t row, size_t kinds, char *out, size_t size)
{
	snprintf(out, size, row % 11 == 0 ? "" : "op %zu of \xc3\xa9", row * 7919 % kinds);
}

static void write_rows(struct parquet_writer *w, size_t rows, size_t kinds)
{
	char text[64];

	for (size_t row = 0; row < rows; row++) {
		parquet_put_integer(w, 0, (int64_t)row - 5);
		if (has_text(row)) {
			text_of(row, kinds, text, sizeof(text));
			parquet_put_text(w, 1, text, strlen(text));
		}
		if (row % 3)
			parquet_put_real(w, 2, (double)row / 8);
		parquet_end_row(w);
	}
}

static void check_row(struct parquet_column *const *column, size_t row, size_t kinds)
{
	struct error err = {.kind = ERROR_NONE};
	struct table_cell cell;
	char text[64];

	assert_int_equal(parquet_column_next(column[0], &cell, &err), 0);
	assert_true(cell.given && cell.kind == TABLE_INTEGER && cell.integer == (int64_t)row - 5);
	assert_int_equal(parquet_column_next(column[1], &cell, &err), 0);
	assert_int_equal(cell.given, has_text(row));
	if (cell.given) {
		text_of(row, kinds, text, sizeof(text));
		assert_string_equal(cell.text, text);
	}
	assert_int_equal(parquet_column_next(column[2], &cell, &err), 0);
	assert_int_equal(cell.given, row % 3 != 0);
	assert_true(!cell.given || cell.real == (double)row / 8);
}

static void round_trip(size_t rows, size_t kinds, size_t groups)
{
	static const struct parquet_form form[] = {{"step", PARQUET_INTEGERS, true},
		{"op", PARQUET_TEXTS, false}, {"time", PARQUET_REALS, false}};
	struct written w = {.out = outfile_memory()};
	struct parquet_writer *writer = parquet_writer_new(w.out, form, 3, "stepstat 1");
	struct parquet_column *column[3];
	struct error err = {.kind = ERROR_NONE};
	uint64_t group_rows;
	size_t row = 0;

	write_rows(writer, rows, kinds);
	open_written(&w, writer);
	assert_true(w.file.rows == rows);
	assert_int_equal(w.file.groups_left, groups);
	assert_string_equal(w.file.field[0].name, "step");
	assert_false(w.file.field[0].optional);
	for (size_t i = 0; i < 3; i++)
		column[i] = parquet_column_new(
			&w.file, &w.file.field[i], i == 1 ? TABLE_TEXTS : TABLE_NUMBERS, &err);
	while (parquet_group_next(&w.file, &group_rows, &err) > 0) {
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(begin(&w, column[i], i, group_rows), 0);
		for (size_t i = 0; i < group_rows; i++)
			check_row(column, row++, kinds);
	}
	assert_int_equal(row, rows);
	for (size_t i = 0; i < 3; i++)
		parquet_column_free(column[i]);
	close_written(&w);
}

static bool holds(const char *bytes, size_t size, const char *part, size_t part_size)
{
	bool found = false;

	for (size_t at = 0; at + part_size <= size && !found; at++)
		found = memcmp(bytes + at, part, part_size) == 0;
	return found;
}

/* Thrift's compact form of the statistics of a chunk: nulls (field 3), greatest (5), least value
 * (6), the end. */
TEST(chunks_have_their_bounds)
{
	static const struct parquet_form form[] = {
		{"step", PARQUET_INTEGERS, true}, {"op", PARQUET_TEXTS, false}};
	static const char integers[] =
		"\x36\x00\x28\x08\x07\0\0\0\0\0\0\0\x18\x08\xfd\xff\xff\xff\xff"
		"\xff\xff\xff";
	static const char texts[] = "\x36\x02\x28\x01"
				    "c"
				    "\x18\x01"
				    "a";
	static const int64_t step[] = {5, -3, 7, 2};
	static const char *const op[] = {"b", "c", NULL, "a"};
	struct written w = {.out = outfile_memory()};
	struct parquet_writer *writer = parquet_writer_new(w.out, form, 2, "x");
	const char *bytes;
	size_t size;

	for (size_t i = 0; i < 4; i++) {
		parquet_put_integer(writer, 0, step[i]);
		if (op[i])
			parquet_put_text(writer, 1, op[i], 1);
		parquet_end_row(writer);
	}
	open_written(&w, writer);
	bytes = outfile_data(w.out, &size);
	assert_true(holds(bytes, size, integers, sizeof(integers)));
	assert_true(holds(bytes, size, texts, sizeof(texts)));
	close_written(&w);
}

TEST(rows_come_back)
{
	round_trip(0, 1, 0);
	round_trip(1, 1, 1);
	round_trip(5000, 20, 1);
	round_trip(131072, 20, 1);
	round_trip(300000, 100, 3);    /* 131 072 rows are a group */
	round_trip(140000, 130000, 2); /* too many texts for a dictionary */
}

/* Groups are closed by bytes, too: long texts. */
TEST(groups_are_bounded_by_bytes)
{
	static const struct parquet_form form[] = {{"text", PARQUET_TEXTS, true}};
	static char text[1 << 20];
	struct written w = {.out = outfile_memory()};
	struct parquet_writer *writer = parquet_writer_new(w.out, form, 1, "x");

	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < 100; i++) {
		text[i] = 'b';
		parquet_put_text(writer, 0, text, sizeof(text) - 1);
		parquet_end_row(writer);
	}
	open_written(&w, writer);
	assert_true(w.file.rows == 100);
	assert_int_equal(w.file.groups_left, 4); /* of 32 MiB */
	close_written(&w);
}

TEST(more_columns_than_a_short_list)
{
	struct parquet_form form[40];
	char name[40][16];
	struct written w = {.out = outfile_memory()};
	struct error err = {.kind = ERROR_NONE};
	struct parquet_column *column;
	struct parquet_writer *writer;
	struct table_cell cell;
	uint64_t rows;

	for (size_t i = 0; i < 40; i++) {
		snprintf(name[i], sizeof(name[i]), "c%zu", i);
		form[i] = (struct parquet_form){name[i], PARQUET_INTEGERS, false};
	}
	writer = parquet_writer_new(w.out, form, 40, "x");
	parquet_put_integer(writer, 39, INT64_MIN);
	parquet_end_row(writer);
	open_written(&w, writer);
	assert_int_equal(w.file.field_count, 40);
	assert_int_equal(parquet_group_next(&w.file, &rows, &err), 1);
	for (size_t i = 0; i < 40; i++) {
		column = parquet_column_new(&w.file, &w.file.field[i], TABLE_NUMBERS, &err);
		assert_int_equal(begin(&w, column, i, rows), 0);
		assert_int_equal(parquet_column_next(column, &cell, &err), 0);
		assert_int_equal(cell.given, i == 39);
		assert_true(i != 39 || cell.integer == INT64_MIN);
		parquet_column_free(column);
	}
	close_written(&w);
}

/* A table for databases: its fields in their types, what is not known null. */
TEST(tables_become_columns)
{
	static const struct table_field fields[] = {{"op", FIELD_TEXT, true, ""},
		{"n", FIELD_INTEGER, false, ""}, {"ts", FIELD_MICROS, false, ""}};
	static const struct table_form form = {"made", "", fields, 3};
	const struct table_value rows[2][3] = {
		{table_text("a"), table_integer(INT64_MAX),
			{.known = true, .integer = -1, .ps = 250000}},
		{table_text(""), {.known = false}, {.known = false}}};
	char path[64], file[80];
	struct error err = {.kind = ERROR_NONE};
	struct outfolder *folder;
	struct table_sink *sink;
	struct written w = {0};
	struct table_cell cell;
	uint64_t count;

	snprintf(path, sizeof(path), "test_parquet.%ld.tmp", (long)getpid());
	snprintf(file, sizeof(file), "%s/made.parquet", path);
	folder = outfolder_open(path, NULL, &err);
	assert_non_null(folder);
	sink = parquet_sink_new(folder, "stepstat 1");
	assert_int_equal(sink->begin(sink, &form, &err), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(sink->row(sink, rows[i], &err), 0);
	assert_int_equal(sink->end(sink, &err), 0);
	parquet_sink_free(sink);
	assert_int_equal(outfolder_commit(folder, &err), 0);
	w.arena = arena_new();
	assert_int_equal(span_file_open(&w.span, file, &err), 0);
	assert_int_equal(parquet_file_open(&w.file, &w.span, PAGE_MOST, w.arena, &err), 0);
	assert_int_equal(parquet_group_next(&w.file, &count, &err), 1);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < 3; i++) {
		struct parquet_column *column = parquet_column_new(
			&w.file, &w.file.field[i], i == 0 ? TABLE_TEXTS : TABLE_NUMBERS, &err);

		assert_int_equal(begin(&w, column, i, count), 0);
		assert_int_equal(parquet_column_next(column, &cell, &err), 0);
		assert_true(i == 0   ? text_equal(cell.text, "a")
			    : i == 1 ? cell.integer == INT64_MAX
				     : cell.real == -0.75);
		assert_int_equal(parquet_column_next(column, &cell, &err), 0);
		assert_int_equal(cell.given, i == 0);
		parquet_column_free(column);
	}
	span_file_close(&w.span);
	arena_free(w.arena);
	unlink(file);
	rmdir(path);
}

/* Rows of three groups with measures whose pages are 1 MiB each; odd: the step of row 290001. */
static void write_measures(struct text *out, size_t measures, bool in_turns, int64_t odd)
{
	struct parquet_form form[32] = {
		{"step", PARQUET_INTEGERS, true}, {"op", PARQUET_TEXTS, true}};
	struct outfile *file = outfile_memory();
	struct parquet_writer *w;
	struct error err = {.kind = ERROR_NONE};
	char name[32][32], op[32];
	const char *bytes;
	size_t size;

	for (size_t m = 0; m < measures; m++) {
		snprintf(name[m], sizeof(name[m]), "m%zu_ms", m);
		form[2 + m] = (struct parquet_form){name[m], PARQUET_INTEGERS, false};
	}
	w = parquet_writer_new(file, form, 2 + measures, "x");
	for (size_t row = 0; row < 300000; row++) {
		const size_t turn = (row >> 17) % 2;

		parquet_put_integer(w, 0, row == 290000 ? odd : (int64_t)row / 100);
		snprintf(op, sizeof(op), "op_%zu", row % 100);
		parquet_put_text(w, 1, op, strlen(op));
		for (size_t m = 0; m < measures; m++)
			if (!in_turns || m % 2 == turn)
				parquet_put_integer(w, 2 + m, (int64_t)(row + m));
		parquet_end_row(w);
	}
	assert_int_equal(parquet_writer_finish(w, &err), 0);
	parquet_writer_free(w);
	assert_int_equal(outfile_finish(file, &err), 0);
	bytes = outfile_data(file, &size);
	text_init(out);
	text_add_bytes(out, bytes, size);
	outfile_discard(file);
}

/* The pages of all columns at one row have 16 times `max-record`: here 18 MiB, which are 17 pages
 * and those of ops. Pages of other rows are done with, and any number of threads says the same. */
TEST(pages_at_one_row_have_room)
{
	static const struct {
		size_t measures;
		bool in_turns;
		int64_t odd;
		const char *what;
	} cases[] = {
		{20, true, 2900, "step 2999:"},
		{20, true, 3, "as in row 301"},
		{16, false, 2900, "step 2999:"},
		{17, false, 2900, "the pages of all columns need too much memory"},
	};
	struct read_options options = read_options_default;
	struct text bytes, out;

	options.max_record_bytes = (size_t)9 << 17;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_measures(&bytes, cases[i].measures, cases[i].in_turns, cases[i].odd);
		threads_agree("parquet", &bytes, &options, &out);
		if (!strstr(text_string(&out), cases[i].what))
			fail_msg("no \"%s\" in %.300s", cases[i].what, text_string(&out));
		text_release(&out);
		text_release(&bytes);
	}
}
