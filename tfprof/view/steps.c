/* Steps chosen by -step, and statistics over them. */
#include "tfprof/view/steps.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "stats/sample.h"

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
			return step_word_at(i)->name;
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

/* Numbers and ranges without a step are reported one by one where another one has steps. */
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
		steps_print_range(options, i, &said);
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
	enum quantity quantity = step_word_at(word)->quantity;

	return step_word_at(word)->is_cv ? steps_cv(value, quantity, slots)
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
	enum quantity quantity = step_word_at(word)->quantity;
	double cv;

	if (!step_word_at(word)->is_cv) {
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
		enum quantity q = step_word_at(i)->quantity;
		bool own = kind == VIEW_OP ||
			   (by_node && (q == QUANTITY_FLOAT_OPS || q == QUANTITY_OCCURRENCE));
		double unit = step_word_at(i)->is_cv ? 100 : 1;

		if (options->min_steps[i] > 0 &&
			!(unit * steps_statistic(own ? self : total, i, slots) >=
				options->min_steps[i]))
			return false;
	}
	return true;
}
