/* Sheets of workbooks: what stands in the cells, limits of a sheet, undefined and large numbers,
 * formulas. */
#include <math.h>
#include <zlib.h>
#include "base/memory.h"
#include "tests/unit/test.h"
#include "writers/xlsx.h"

/* clang-format off */
#define TEXT(s) {.kind = CELL_TEXT, .text = (s)}
#define REAL(v) {.kind = CELL_REAL, .real = (v)}
#define INTEGER(v) {.kind = CELL_INTEGER, .integer = (v)}
#define NONE {.kind = CELL_NONE}
#define BLANK {.kind = CELL_BLANK}
#define CELLS(...) (struct cell[]){__VA_ARGS__}

static struct column column[] = {
	{.stat = "op"},
	{.stat = "count", .dimension = DIMENSION_COUNT},
	{.measure = "time", .stat = "mean", .dimension = DIMENSION_TIME, .digits = 15},
	{.measure = "time", .stat = "share", .dimension = DIMENSION_FRACTION, .digits = 15},
};

static struct row row[] = {
	{CELLS(TEXT("a_x0041_"), INTEGER(9007199254740993), REAL(3e6), REAL(0.75)), ROW_BODY, true,
		true, .short_name = NULL},
	{CELLS(TEXT("=1+1"), NONE, REAL(1e6), REAL(0.24)), ROW_BODY, true, true, .short_name = NULL},
	{CELLS(TEXT("a long name of an op"), BLANK, REAL(NAN), REAL(INFINITY)), ROW_BODY, false,
		true, .short_name = NULL},
};

static struct row sum_row[] = {
	{CELLS(TEXT("all ops"), NONE, REAL(4e6), REAL(1.0)), ROW_TOTAL, true, true, .short_name = NULL},
};
/* clang-format on */

static const struct table table = {
	.name = "ops", .column = column, .column_count = 4, .row = row, .row_count = 3};
static const struct table sums = {
	.name = "ops", .column = column, .column_count = 4, .row = sum_row, .row_count = 1};

/* The part of this name, unpacked; the caller frees it. */
static char *part_of(const char *zip, size_t size, const char *name, size_t part_size)
{
	for (size_t at = 0; at + 30 < size && memcmp(zip + at, "PK\3\4", 4) == 0;) {
		const unsigned char *h = (const unsigned char *)zip + at;
		const size_t packed = h[18] | h[19] << 8 | h[20] << 16;
		const size_t length = h[26] | h[27] << 8, before = 30 + length + h[28];

		if (length == strlen(name) && memcmp(zip + at + 30, name, length) == 0) {
			char *out = memory_alloc(part_size + 1);
			z_stream stream = {.next_in = (unsigned char *)zip + at + before,
				.avail_in = (uInt)packed,
				.next_out = (unsigned char *)out,
				.avail_out = (uInt)part_size};

			assert_int_equal(inflateInit2(&stream, -MAX_WBITS), Z_OK);
			assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
			inflateEnd(&stream);
			return out;
		}
		at += before + packed;
	}
	fail_msg("no part %s", name);
	return NULL;
}

struct made {
	struct outfile *out;
	char *sheet, *texts;
	size_t cut, rounded;
	char said[512];
};

static void make(struct made *made, const struct xlsx_limits *limits, bool complete)
{
	struct error err = {0};
	struct arena *arena = arena_new();
	struct xlsx_written written;
	struct xlsx_book book;
	const char *zip;
	size_t size;

	made->out = outfile_memory();
	assert_int_equal(xlsx_book_open(&book, limits, made->out, &err), 0);
	xlsx_write_table(&book, "ops", &table, &sums, complete, arena, &written);
	made->cut = book.cut_texts;
	made->rounded = book.rounded_numbers;
	snprintf(made->said, sizeof(made->said), "%s", text_string(&book.said));
	assert_int_equal(xlsx_book_write(&book, made->out, &err), 0);
	zip = outfile_data(made->out, &size);
	made->sheet = part_of(zip, size, "xl/worksheets/sheet1.xml", 1 << 16);
	made->texts = part_of(zip, size, "xl/sharedStrings.xml", 1 << 16);
	arena_free(arena);
}

static void release(struct made *made)
{
	outfile_discard(made->out);
	memory_free(made->sheet);
	memory_free(made->texts);
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in %s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" in %s", part, text);
}

TEST(cells)
{
	struct made made;

	make(&made, &xlsx_limits_usual, true);
	has(made.texts, "<t>time_mean_us</t>");
	has(made.texts, "<t>a_x005F_x0041_</t>"); /* else it would be read as "aA" */
	has(made.texts, "<t>=1+1</t>");
	has(made.sheet, "<v>9007199254740992</v>"); /* 2^53; 2^53 + 1 is no double */
	assert_int_equal(made.rounded, 1);
	has(made.sheet, "<f>100*C2/C$5</f><v>75</v>");
	has_not(made.sheet, "<f>100*C3/C$5</f>"); /* 25 is not 24: a value, no formula */
	has(made.sheet, "<v>24</v>");
	has(made.sheet, "<f>SUM(C2:C4)</f><v>4</v>");
	has_not(made.sheet, "<f>SUM(D2:D4)</f>"); /* 99 is not 100 */
	has(made.sheet, "<v>100</v>");
	has_not(made.sheet, "r=\"C4\""); /* undefined: no cell */
	has_not(made.sheet, "r=\"D4\"");
	has_not(made.sheet, "NAN");
	has(made.sheet, "<autoFilter ref=\"A1:D4\"/>");
	has(made.sheet, "state=\"frozen\"");
	assert_string_equal(made.said, "");
	release(&made);
}

TEST(short_form)
{
	struct made made;

	make(&made, &xlsx_limits_usual, false);
	has_not(made.texts, "a long name");
	has(made.sheet, "<f>SUM(C2:C3)</f><v>4</v>");
	release(&made);
}

TEST(limits)
{
	const struct xlsx_limits small = {.rows = 4, .columns = 3, .text = 12};
	struct made made;

	make(&made, &small, true);
	has_not(made.texts, "long");
	has_not(made.sheet, "r=\"D1\"");
	has_not(made.sheet, "r=\"A5\"");
	assert_string_equal(made.said,
		"Left out: 1 of 3 rows of sheet ops; a sheet has 4 lines. A .csv file has them "
		"all.\n"
		"Left out: the last 1 of 4 columns of sheet ops; a sheet has 3.\n");
	/* "a_x005F_x0041_" has 14 characters. */
	assert_int_equal(made.cut, 1);
	release(&made);
}

TEST(long_text)
{
	const struct xlsx_limits small = {.rows = 10, .columns = 10, .text = 16};
	struct made made;

	make(&made, &small, true);
	has(made.texts, "<t>a long name o...</t>");
	assert_int_equal(made.cut, 1);
	release(&made);
}
