/* The words for statistics over steps, and the value of -step. */
#include "tfprof/options/step_words.h"

#include <inttypes.h>
#include <string.h>
#include "base/number.h"
#include "tfprof/options/options.h"

#define WORDS(name, legend, unit, quantity)                                                        \
	{name "_cv", "-min_" name "_cv", legend " cv", " cv", quantity, true},                     \
	{                                                                                          \
		name "_mean", "-min_" name "_mean", legend " mean", unit, quantity, false          \
	}

static const struct step_word step_words[] = {
	WORDS("accelerator_micros", "accelerator execution time", "", QUANTITY_ACCELERATOR_MICROS),
	WORDS("bytes", "requested bytes", "", QUANTITY_BYTES),
	WORDS("cpu_micros", "cpu execution time", "", QUANTITY_CPU_MICROS),
	WORDS("float_ops", "# float_ops", " flops", QUANTITY_FLOAT_OPS),
	WORDS("micros", "total execution time", "", QUANTITY_MICROS),
	WORDS("occurrence", "op runs", " runs", QUANTITY_OCCURRENCE),
	WORDS("output_bytes", "output bytes", "", QUANTITY_OUTPUT_BYTES),
	WORDS("peak_bytes", "peak bytes", "", QUANTITY_PEAK_BYTES),
	WORDS("residual_bytes", "residual bytes", "", QUANTITY_RESIDUAL_BYTES),
};

_Static_assert(sizeof(step_words) / sizeof(*step_words) == STEP_WORDS, "one entry for each word");

const struct step_word *step_word_at(size_t index)
{
	return index < STEP_WORDS ? &step_words[index] : NULL;
}

size_t step_word_find(const char *name, size_t n)
{
	size_t i = 0;

	while (i < STEP_WORDS &&
		(strlen(step_words[i].name) != n || memcmp(step_words[i].name, name, n) != 0))
		i++;
	return i;
}

size_t step_words_selected(
	const struct tfprof_options *options, enum quantity quantity, size_t word[2])
{
	size_t count = 0;

	for (size_t i = STEP_WORDS; i-- > 0;)
		if (options->select_steps[i] && step_words[i].quantity == quantity)
			word[count++] = i;
	return count;
}

void step_word_help(size_t index, struct text *out)
{
	const struct step_word *word = &step_words[index];

	text_printf(out, "%s: %s", word->legend,
		word->is_cv ? "Standard deviation over the steps (divisor n - 1), in percent of "
			      "the mean."
			    : "Mean over the steps.");
}

/* ---- -step ---- */

bool steps_parse(struct tfprof_options *options, const char *text, struct arena *arena)
{
	struct tfprof_options parsed = *options;
	struct word_list part;

	if (tfprof_integer_parse(text, INT64_MIN, INT64_MAX, &options->step)) {
		options->several_steps = false;
		return true;
	}
	word_list_split(&part, text, arena);
	parsed.step_range = arena_array(arena, part.count, sizeof(*parsed.step_range));
	for (size_t i = 0; i < part.count; i++) {
		/* "7", "7:9", "7:", ":9". */
		int64_t *from = &parsed.step_range[i].from;
		int64_t *to = &parsed.step_range[i].to;
		const char *colon = strchr(part.word[i], ':');
		size_t n = colon ? (size_t)(colon - part.word[i]) : strlen(part.word[i]);

		*from = 0;
		*to = INT64_MAX;
		if ((n || !colon) && !number_parse_int(part.word[i], n, from))
			return false;
		if (!colon)
			*to = *from;
		else if (colon[1] && !number_parse_int(colon + 1, strlen(colon + 1), to))
			return false;
		if (*from < 0 || *from > *to)
			return false;
	}
	parsed.step_range_count = part.count;
	parsed.several_steps = true;
	if (part.count)
		*options = parsed;
	return part.count > 0;
}

void steps_print_range(const struct tfprof_options *options, size_t range, struct text *out)
{
	int64_t from = options->step_range[range].from, to = options->step_range[range].to;

	text_printf(out, "%" PRId64, from);
	if (to == INT64_MAX)
		text_add_char(out, ':');
	else if (to != from)
		text_printf(out, ":%" PRId64, to);
}

void steps_print(const struct tfprof_options *options, struct text *out)
{
	if (!options->several_steps)
		text_printf(out, "%" PRId64, options->step);
	for (size_t i = 0; options->several_steps && i < options->step_range_count; i++) {
		text_add(out, i ? "," : "");
		steps_print_range(options, i, out);
	}
}

bool steps_set_minimum(struct tfprof_options *options, const char *word, const char *value)
{
	size_t index = 0;
	double least;

	while (index < STEP_WORDS && !text_equal(word, step_words[index].minimum))
		index++;
	if (index == STEP_WORDS || !number_parse_real(value, strlen(value), &least) || least < 0)
		return false;
	options->min_steps[index] = least;
	return true;
}

void steps_print_minimums(const struct tfprof_options *options, struct text *out)
{
	char least[NUMBER_TEXT_SIZE];

	for (size_t i = 0; i < STEP_WORDS; i++) {
		if (options->min_steps[i] <= 0)
			continue;
		text_printf(out, "%-28s%s\n", step_words[i].minimum,
			number_format_real(least, options->min_steps[i], 15));
	}
}
