/*
 * Steps chosen by -step, statistics over them, and the words for these statistics.
 */
#include "tfprof/steps.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "stats/sample.h"
#include "tfprof/word_list.h"

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

/* "7", "7:9", "7:", ":9". */
static bool parse_range(const char *text, int64_t *from, int64_t *to)
{
	const char *colon = strchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : strlen(text);

	*from = 0;
	*to = INT64_MAX;
	if ((n || !colon) && !number_parse_int(text, n, from))
		return false;
	if (!colon)
		*to = *from;
	else if (colon[1] && !number_parse_int(colon + 1, strlen(colon + 1), to))
		return false;
	return *from >= 0 && *from <= *to;
}

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
	for (size_t i = 0; i < part.count; i++)
		if (!parse_range(
			    part.word[i], &parsed.step_range[i].from, &parsed.step_range[i].to))
			return false;
	parsed.step_range_count = part.count;
	parsed.several_steps = true;
	if (part.count)
		*options = parsed;
	return part.count > 0;
}

static void print_range(const struct tfprof_options *options, size_t range, struct text *out)
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
		print_range(options, i, out);
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

/* ---- slots ---- */

static bool is_in_range(const struct tfprof_options *options, size_t range, int64_t step)
{
	return step >= options->step_range[range].from && step <= options->step_range[range].to;
}

static bool is_chosen(const struct tfprof_options *options, int64_t step)
{
	for (size_t i = 0; i < options->step_range_count; i++)
		if (is_in_range(options, i, step))
			return true;
	return false;
}

struct slots *steps_slots(const struct tfprof_options *options, const int64_t *step, size_t count,
	struct arena *arena)
{
	struct slots *slots = arena_alloc(arena, sizeof(*slots));

	slots->several = options->several_steps;
	slots->average = !slots->several && options->step < 0;
	if (!slots->several) {
		slots->step = arena_alloc(arena, sizeof(*slots->step));
		slots->step[0] = options->step;
		slots->count = 1;
		return slots;
	}
	slots->step = arena_array(arena, count, sizeof(*slots->step));
	for (size_t i = 0; i < count; i++)
		if (is_chosen(options, step[i]))
			slots->step[slots->count++] = step[i];
	return slots;
}

/* The first step word in use, or NULL. */
static const char *used_word(const struct tfprof_options *options)
{
	for (size_t i = 0; i < STEP_WORDS; i++)
		if (options->select_steps[i] || options->min_steps[i] > 0)
			return step_words[i].name;
	return step_word_find(options->order_by, strlen(options->order_by)) < STEP_WORDS
		       ? options->order_by
		       : NULL;
}

static bool has_any(
	const struct tfprof_options *options, size_t range, const int64_t *step, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_in_range(options, range, step[i]))
			return true;
	return false;
}

/* Numbers and ranges without a step are told one by one where another one has some. */
static bool refuse_missing(const struct tfprof_options *options, const int64_t *step, size_t count,
	struct text *messages)
{
	size_t missing = 0;
	struct text said;

	text_init(&said);
	for (size_t i = 0; i < options->step_range_count; i++) {
		if (has_any(options, i, step, count))
			continue;
		missing++;
		text_add(&said, "Options -step=");
		print_range(options, i, &said);
		text_add(&said, " not found, the others are used.\n");
	}
	if (missing == options->step_range_count) {
		text_clear(&said);
		text_add(&said, "Options -step=");
		steps_print(options, &said);
		text_add(&said, " not found.\nAvailable steps: ");
		for (size_t i = 0; i < count; i++)
			text_printf(&said, "%" PRId64 " ", step[i]);
		text_add_char(&said, '\n');
	}
	text_add(messages, text_string(&said));
	text_release(&said);
	return missing == options->step_range_count;
}

bool steps_refuse(const struct tfprof_options *options, const int64_t *step, size_t count,
	struct text *messages)
{
	const char *word = used_word(options);

	if (!options->several_steps && word)
		text_printf(messages, "E: Invalid argument: %s needs several steps: -step 10:99\n",
			word);
	if (!options->several_steps)
		return word != NULL;
	if (options->output == OUTPUT_TIMELINE || options->output == OUTPUT_PPROF) {
		text_printf(messages,
			"E: Invalid argument: a %s shows one step or the average: -step N\n",
			options->output == OUTPUT_PPROF ? "pprof file" : "timeline");
		return true;
	}
	return refuse_missing(options, step, count, messages);
}

/* ---- statistics ---- */

static void describe(
	const int64_t *value, enum quantity quantity, size_t slots, struct sample *sample)
{
	const struct sample_options options = {.confidence = 0.95};
	double *x = memory_alloc(memory_product(slots, sizeof(*x)));

	for (size_t s = 0; s < slots; s++)
		x[s] = (double)value[quantity * slots + s];
	sample_describe(x, slots, &options, sample);
	memory_free(x);
}

double steps_mean(const int64_t *value, enum quantity quantity, size_t slots)
{
	struct sample sample;

	if (slots == 1)
		return (double)value[quantity];
	describe(value, quantity, slots, &sample);
	return sample.mean;
}

double steps_cv(const int64_t *value, enum quantity quantity, size_t slots)
{
	struct sample sample;

	describe(value, quantity, slots, &sample);
	return sample.cv;
}

double steps_statistic(const int64_t *value, size_t word, size_t slots)
{
	enum quantity quantity = step_words[word].quantity;

	return step_words[word].is_cv ? steps_cv(value, quantity, slots)
				      : steps_mean(value, quantity, slots);
}

void steps_format_mean(struct text *out, const int64_t *value, enum quantity quantity, size_t slots)
{
	double mean = steps_mean(value, quantity, slots);

	switch (quantity) {
	case QUANTITY_PARAMS:
	case QUANTITY_DEFINITION: /* the same in every step */
		format_number(out, value[quantity * slots]);
		break;
	case QUANTITY_FLOAT_OPS:
	case QUANTITY_OCCURRENCE:
		format_number_mean(out, mean);
		break;
	case QUANTITY_MICROS:
	case QUANTITY_ACCELERATOR_MICROS:
	case QUANTITY_CPU_MICROS:
		format_time_mean(out, mean);
		break;
	default:
		format_memory_mean(out, mean);
	}
}

void step_word_format(size_t word, const int64_t *value, size_t slots, struct text *out)
{
	enum quantity quantity = step_words[word].quantity;
	double cv;

	if (!step_words[word].is_cv) {
		steps_format_mean(out, value, quantity, slots);
		return;
	}
	cv = steps_cv(value, quantity, slots);
	if (isnan(cv))
		text_add(out, "n/a");
	else
		text_printf(out, "%.2f%%", 100 * cv);
}

void steps_describe(const struct slots *slots, struct text *out)
{
	text_printf(out,
		"steps: Means over %zu steps from %" PRId64 " to %" PRId64
		"; a step without a node counts as 0.\n",
		slots->count, slots->step[0], slots->step[slots->count - 1]);
}

bool steps_enough(const struct tfprof_options *options, enum view_kind kind, const int64_t *total,
	const int64_t *self, size_t slots)
{
	bool by_node = kind == VIEW_SCOPE || kind == VIEW_GRAPH;

	for (size_t i = 0; i < STEP_WORDS; i++) {
		enum quantity q = step_words[i].quantity;
		bool own = kind == VIEW_OP ||
			   (by_node && (q == QUANTITY_FLOAT_OPS || q == QUANTITY_OCCURRENCE));
		double unit = step_words[i].is_cv ? 100 : 1;

		if (options->min_steps[i] > 0 &&
			!(unit * steps_statistic(own ? self : total, i, slots) >=
				options->min_steps[i]))
			return false;
	}
	return true;
}
