/* The text of values: what tfprof 2.0 printed for DW, and the rules of cutting and rounding with
 * variables made for it. */
#include <math.h>
#include "tests/unit/encode.h"
#include "tests/unit/test.h"
#include "tfprof/outputs.h"

#define PATH_SIZE 4096

static void check_text(const char *prefix, const char *name, const char *text, const char *message)
{
	char path[PATH_SIZE];
	struct error err = {.kind = ERROR_NONE};
	struct checkpoint *c = checkpoint_open(data_path(path, sizeof(path), prefix), &err);
	struct text out, messages;

	assert_non_null(c);
	text_init(&out);
	text_init(&messages);
	tensor_value_text(c, name, &out, &messages);
	assert_string_equal(text_string(&out), text);
	assert_string_equal(text_string(&messages), message);
	text_release(&out);
	text_release(&messages);
	checkpoint_free(c);
}

TEST(recorded)
{
	char path[PATH_SIZE], text[16384] = "";
	FILE *in = fopen(data_path(path, sizeof(path), "ckpt_tf2/DW.txt"), "rb");

	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = 0;
	fclose(in);
	assert_true(strlen(text) > 1000);
	check_text("ckpt_tf2/ckpt", "DW", text, "");
	check_text("ckpt_tf2/ckpt", "ScalarW", "[0.00 ],\n", "");
	check_text("ckpt_tf2/ckpt", "DW/read", "", "Key DW/read not found in checkpoint\n");
}

/* By hand, from expected.tsv. */
TEST(types)
{
	check_text("ckpt_kinds/v2", "dbl", "[[-1.05 1.06 ],\n[-0.42 2.29 ],\n],\n", "");
	check_text("ckpt_kinds/v2", "i32", "[[6 1 -8 ],\n[8 -5 -7 ],\n],\n", "");
	check_text("ckpt_kinds/v2", "i64",
		"[680571943909 449424449771 -65282983258 -600653562750 ],\n", "");
	check_text("ckpt_kinds/v2", "scalar", "[2.50 ],\n", "");
	check_text("ckpt_kinds/v2", "empty", "[],\n", "");
	check_text("ckpt_kinds/v2", "s",
		"['one' '' 'a longer string, \xc3\xa9' "
		"'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' ],\n",
		"");
	check_text("ckpt_kinds/v2", "h", "", "Not Supported type 19\n");
	check_text("ckpt_kinds/v2", "flag", "", "Not Supported type 10\n");
	check_text("ckpt_kinds/v1", "h", "", "Data type not supported\n");
	check_text("ckpt_kinds/v1", "part", "", "Sliced checkpoints are not supported\n");
	check_text("ckpt_kinds/v1", "none", "", "none not found in checkpoint file\n");
}

/* 40 x 50 zeros: "[" and then rows of "[", 50 times "0.00 " and "],\n", 254 bytes each. Row 40 ends
 * behind byte 10000 (1 + 39 x 254 = 9907), so 92 bytes of it remain of the bracket and its values:
 * "[", 18 values, "0.". */
TEST(long_values_are_cut)
{
	struct text wanted;

	text_init(&wanted);
	text_add(&wanted, "[");
	for (int row = 0; row < 39; row++) {
		text_add(&wanted, "[");
		for (int i = 0; i < 50; i++)
			text_add(&wanted, "0.00 ");
		text_add(&wanted, "],\n");
	}
	text_add(&wanted, "[");
	for (int i = 0; i < 18; i++)
		text_add(&wanted, "0.00 ");
	text_add(&wanted, "0.");
	assert_int_equal(wanted.size, 10000);
	text_add(&wanted, "],\n...omitted from display\n\n");
	check_text("ckpt_kinds/v2", "zeros", text_string(&wanted), "");
	text_release(&wanted);
}

static void put_doubles(struct text *to, const double *value, size_t count)
{
	put_varint(to, 2 << 3 | 2);
	put_varint(to, 8 * count);
	for (size_t i = 0; i < count; i++) {
		uint64_t bits;

		memcpy(&bits, &value[i], sizeof(bits));
		for (size_t k = 0; k < 8; k++)
			text_add_char(to, (char)(bits >> 8 * k));
	}
}

/* NULL: there is none. */
static void check_message(const char *prefix, const char *name, struct text *wanted)
{
	char path[PATH_SIZE];
	struct error err = {.kind = ERROR_NONE};
	struct checkpoint *c = checkpoint_open(data_path(path, sizeof(path), prefix), &err);
	struct text found;

	assert_non_null(c);
	text_init(&found);
	assert_int_equal(tensor_value_message(c, name, &found), wanted != NULL);
	assert_int_equal(found.size, wanted ? wanted->size : 0);
	if (wanted)
		assert_memory_equal(text_string(&found), text_string(wanted), found.size);
	if (wanted)
		text_clear(wanted);
	text_release(&found);
	checkpoint_free(c);
}

/* Field by field: dtype 1, doubles 2, integers 3, texts 4; doubles are those of expected.tsv in six
 * digits. */
TEST(messages)
{
	static const double dbl[] = {-1.04994, 1.05661, -0.419678, 2.29484}, zeros[2000];
	struct text wanted, packed;

	text_init(&wanted);
	text_init(&packed);
	put_number(&wanted, 1, 2);
	put_doubles(&wanted, dbl, 4);
	check_message("ckpt_kinds/v2", "dbl", &wanted);
	put_number(&wanted, 1, 1);
	put_doubles(&wanted, zeros, 2000); /* the text of it is cut */
	check_message("ckpt_kinds/v2", "zeros", &wanted);
	put_number(&wanted, 1, 3);
	for (size_t i = 0; i < 6; i++)
		put_varint(&packed, (uint64_t)(int64_t[]){6, 1, -8, 8, -5, -7}[i]);
	put_message(&wanted, 3, &packed);
	check_message("ckpt_kinds/v2", "i32", &wanted);
	put_number(&wanted, 1, 1);
	check_message("ckpt_kinds/v2", "empty", &wanted);
	put_number(&wanted, 1, 19); /* float16 has no text */
	check_message("ckpt_kinds/v2", "h", &wanted);
	check_message("ckpt_kinds/v2", "none", NULL);
	check_message("ckpt_kinds/v1", "part", NULL);
	text_release(&packed);
	text_release(&wanted);
}

/* Six digits, to even where the rest is a half: by hand. */
TEST(six_digits)
{
	static const double pair[][2] = {{-0.0005343154189176857, -0.000534315},
		{1234567.89, 1234570}, {0.00499999999, 0.005}, {999999.5, 1e6}, {-1.5e-7, -1.5e-7},
		{0, 0}, {123456.5, 123456}, {1e300, 1e300}};

	for (size_t i = 0; i < sizeof(pair) / sizeof(*pair); i++)
		assert_true(tensor_value_rounded(pair[i][0]) == pair[i][1]);
	assert_true(signbit(tensor_value_rounded(-0.0)));
	assert_true(isnan(tensor_value_rounded(NAN)));
	assert_true(tensor_value_rounded(-INFINITY) == -INFINITY);
}
