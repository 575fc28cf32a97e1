/* What the Tab key completes: which part of the line, and with which words. */
#include "base/text.h"
#include "cli/prompt.h"
#include "tests/unit/test.h"

static void check_part(const char *line, enum prompt_kind kind, const char *wanted)
{
	const char *part;

	assert_int_equal(prompt_style_tfprof.part(line, &part), kind);
	assert_string_equal(part, wanted);
}

TEST(parts_of_a_line)
{
	check_part("", PROMPT_COMMANDS, "");
	check_part("sc", PROMPT_COMMANDS, "sc");
	check_part("scope ", PROMPT_OPTIONS, "");
	check_part("scope -max_depth 3 -min_mi", PROMPT_OPTIONS, "-min_mi");
	check_part("op -step 3:9 -select micros,micros_m", PROMPT_SELECT, "micros_m");
	check_part("op  -select  'by", PROMPT_SELECT, "by");
	check_part("op -order_by micros_c", PROMPT_ORDER, "micros_c");
	check_part("op -output cs", PROMPT_OUTPUT, "cs");
	check_part("op -output csv:outfile=out/", PROMPT_FILES, "out/");
}

/* How often the word is a candidate. */
static int times(enum prompt_kind kind, const char *word)
{
	const char *candidate;
	int count = 0;

	for (unsigned long i = 0; (candidate = prompt_style_tfprof.candidate(kind, i)); i++)
		count += text_equal(candidate, word);
	return count;
}

static size_t candidates(enum prompt_kind kind)
{
	size_t count = 0;

	while (prompt_style_tfprof.candidate(kind, count))
		count++;
	return count;
}

/* 14 words of the original, and a mean and a CV of each of 9 numbers. */
TEST(words_of_several_steps_are_candidates)
{
	static const char *const number[] = {"accelerator_micros", "bytes", "cpu_micros",
		"float_ops", "micros", "occurrence", "output_bytes", "peak_bytes",
		"residual_bytes"};
	char word[64];

	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
		for (int cv = 0; cv < 2; cv++) {
			const char *end = cv ? "cv" : "mean";

			snprintf(word, sizeof(word), "%s_%s", number[i], end);
			assert_int_equal(times(PROMPT_SELECT, word), 1);
			assert_int_equal(times(PROMPT_ORDER, word), 1);
			snprintf(word, sizeof(word), "-min_%s_%s", number[i], end);
			assert_int_equal(times(PROMPT_OPTIONS, word), 1);
		}
	assert_int_equal(times(PROMPT_SELECT, "micros"), 1);
	assert_int_equal(times(PROMPT_ORDER, "name"), 1);
	assert_int_equal(times(PROMPT_OPTIONS, "-proto_out"), 1);
	assert_int_equal(candidates(PROMPT_SELECT), 14 + 18);
}
