/*
 * Options: their table, the defaults, one option word with its value, the list of all.
 */
#include "tfprof/options/options.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "tfprof/options/output.h"
#include "tfprof/options/step_words.h"
#include "tfprof/options/word_list.h"

enum tfprof_option_kind {
	OPTION_DEPTH,
	OPTION_MINIMUM,
	OPTION_STEP,
	OPTION_ORDER,
	OPTION_LIST,
	OPTION_DISPLAYED,
	OPTION_SELECT,
	OPTION_OUTPUT,
	OPTION_PROTO,
};

/* Options in the order in which an empty line lists them. */
static const struct option {
	const char *name;
	enum tfprof_option_kind kind;
	size_t place; /* quantity of a minimum; offset of a list in the options */
} option_table[] = {
	{"-max_depth", OPTION_DEPTH, 0}, {"-min_bytes", OPTION_MINIMUM, QUANTITY_BYTES},
	{"-min_peak_bytes", OPTION_MINIMUM, QUANTITY_PEAK_BYTES},
	{"-min_residual_bytes", OPTION_MINIMUM, QUANTITY_RESIDUAL_BYTES},
	{"-min_output_bytes", OPTION_MINIMUM, QUANTITY_OUTPUT_BYTES},
	{"-min_micros", OPTION_MINIMUM, QUANTITY_MICROS},
	{"-min_accelerator_micros", OPTION_MINIMUM, QUANTITY_ACCELERATOR_MICROS},
	{"-min_cpu_micros", OPTION_MINIMUM, QUANTITY_CPU_MICROS},
	{"-min_params", OPTION_MINIMUM, QUANTITY_PARAMS},
	{"-min_float_ops", OPTION_MINIMUM, QUANTITY_FLOAT_OPS},
	{"-min_occurrence", OPTION_MINIMUM, QUANTITY_OCCURRENCE}, {"-step", OPTION_STEP, 0},
	{"-order_by", OPTION_ORDER, 0},
	{"-account_type_regexes", OPTION_LIST, offsetof(struct tfprof_options, account_type)},
	{"-start_name_regexes", OPTION_LIST, offsetof(struct tfprof_options, start_name)},
	{"-trim_name_regexes", OPTION_LIST, offsetof(struct tfprof_options, trim_name)},
	{"-show_name_regexes", OPTION_LIST, offsetof(struct tfprof_options, show_name)},
	{"-hide_name_regexes", OPTION_LIST, offsetof(struct tfprof_options, hide_name)},
	{"-account_displayed_op_only", OPTION_DISPLAYED, 0}, {"-select", OPTION_SELECT, 0},
	{"-output", OPTION_OUTPUT, 0},
	{"-proto_out", OPTION_PROTO, 0}, /* ours: listed when it is set */
};

#define OPTION_COUNT (sizeof(option_table) / sizeof(*option_table))

static const char *const select_names[SELECT_WORDS] = {
	[SELECT_ACCELERATOR_MICROS] = "accelerator_micros",
	[SELECT_BYTES] = "bytes",
	[SELECT_CPU_MICROS] = "cpu_micros",
	[SELECT_DEVICE] = "device",
	[SELECT_FLOAT_OPS] = "float_ops",
	[SELECT_INPUT_SHAPES] = "input_shapes",
	[SELECT_MICROS] = "micros",
	[SELECT_OCCURRENCE] = "occurrence",
	[SELECT_OP_TYPES] = "op_types",
	[SELECT_OUTPUT_BYTES] = "output_bytes",
	[SELECT_PARAMS] = "params",
	[SELECT_PEAK_BYTES] = "peak_bytes",
	[SELECT_RESIDUAL_BYTES] = "residual_bytes",
	[SELECT_TENSOR_VALUE] = "tensor_value",
};

/* "name" is not a quantity. */
static const struct order_word {
	const char *name;
	enum quantity quantity;
} order_words[] = {
	{"name", QUANTITIES},
	{"bytes", QUANTITY_BYTES},
	{"peak_bytes", QUANTITY_PEAK_BYTES},
	{"residual_bytes", QUANTITY_RESIDUAL_BYTES},
	{"output_bytes", QUANTITY_OUTPUT_BYTES},
	{"micros", QUANTITY_MICROS},
	{"accelerator_micros", QUANTITY_ACCELERATOR_MICROS},
	{"cpu_micros", QUANTITY_CPU_MICROS},
	{"params", QUANTITY_PARAMS},
	{"float_ops", QUANTITY_FLOAT_OPS},
	{"occurrence", QUANTITY_OCCURRENCE},
};

#define ORDER_COUNT (sizeof(order_words) / sizeof(*order_words))

const char *tfprof_option_name(size_t index)
{
	const struct step_word *word;

	if (index < OPTION_COUNT)
		return option_table[index].name;
	word = step_word_at(index - OPTION_COUNT);
	return word ? word->minimum : NULL;
}

const char *tfprof_select_name(size_t index)
{
	const struct step_word *word;

	if (index < SELECT_WORDS)
		return select_name((enum select_word)index);
	word = step_word_at(index - SELECT_WORDS);
	return word ? word->name : NULL;
}

const char *tfprof_order_name(size_t index)
{
	const struct step_word *word;

	if (index < ORDER_COUNT)
		return order_words[index].name;
	word = step_word_at(index - ORDER_COUNT);
	return word ? word->name : NULL;
}

enum select_word select_find(const char *name, size_t n)
{
	for (size_t i = 0; i < SELECT_WORDS; i++)
		if (strlen(select_names[i]) == n && memcmp(select_names[i], name, n) == 0)
			return (enum select_word)i;
	return SELECT_WORDS;
}

const char *select_name(enum select_word word)
{
	return select_names[word];
}

static const struct order_word *find_order(const char *name)
{
	for (size_t i = 0; i < ORDER_COUNT; i++)
		if (text_equal(order_words[i].name, name))
			return &order_words[i];
	return NULL;
}

enum quantity quantity_of_order(const char *order_by)
{
	const struct order_word *word = find_order(order_by);

	return word ? word->quantity : QUANTITIES;
}

void tfprof_options_init(struct tfprof_options *options, struct arena *arena)
{
	*options = (struct tfprof_options){
		.max_depth = 10,
		.step = -1,
		.order_by = "name",
		.select[SELECT_MICROS] = true,
		.output = OUTPUT_STDOUT,
	};
	word_list_split(&options->account_type, ".*", arena);
	word_list_split(&options->start_name, ".*", arena);
	word_list_split(&options->show_name, ".*", arena);
}

bool tfprof_integer_parse(const char *s, int64_t least, int64_t most, int64_t *out)
{
	static const char blanks[] = "\t\n\v\f\r";
	size_t n;
	int64_t value;

	s += strspn(s, blanks);
	n = strlen(s);
	while (n && strchr(blanks, s[n - 1]))
		n--;
	if (n > 1 && s[0] == '+' && s[1] >= '0' && s[1] <= '9') {
		s++;
		n--;
	}
	if (!number_parse_int(s, n, &value) || value < least || value > most)
		return false;
	*out = value;
	return true;
}

/* Case is ignored in A to Z alone, so that no locale matters. */
static bool equal_in_any_case(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if ((*a >= 'A' && *a <= 'Z' ? *a + ('a' - 'A') : *a) != *b)
			return false;
	return *a == *b;
}

bool tfprof_bool_parse(const char *s, bool *out)
{
	static const char *const words[2][5] = {
		{"false", "f", "no", "n", "0"}, {"true", "t", "yes", "y", "1"}};

	for (size_t value = 0; value < 2; value++)
		for (size_t i = 0; i < 5; i++)
			if (equal_in_any_case(s, words[value][i])) {
				*out = value == 1;
				return true;
			}
	return false;
}

void tfprof_select_set(struct tfprof_options *options, const char *text, struct arena *arena)
{
	struct word_list words;

	memset(options->select, 0, sizeof(options->select));
	memset(options->select_steps, 0, sizeof(options->select_steps));
	word_list_split(&words, text, arena);
	options->unknown_select.word = arena_array(arena, words.count, sizeof(*words.word));
	options->unknown_select.count = 0;
	for (size_t i = 0; i < words.count; i++) {
		size_t n = strlen(words.word[i]);
		enum select_word word = select_find(words.word[i], n);
		size_t steps = step_word_find(words.word[i], n);

		if (word < SELECT_WORDS)
			options->select[word] = true;
		else if (steps < STEP_WORDS)
			options->select_steps[steps] = true;
		else
			word_list_insert(&options->unknown_select, words.word[i]);
	}
}

static bool set_select(struct tfprof_options *options, const char *next, struct arena *arena)
{
	struct word_list words;

	next = word_list_strip_quotes(next, arena);
	word_list_split(&words, next, arena);
	for (size_t i = 0; i < words.count; i++) {
		size_t n = strlen(words.word[i]);

		if (select_find(words.word[i], n) == SELECT_WORDS &&
			step_word_find(words.word[i], n) == STEP_WORDS)
			return false;
	}
	tfprof_select_set(options, next, arena);
	return true;
}

static bool set_order(struct tfprof_options *options, const char *next)
{
	const struct order_word *word = find_order(next);
	const struct step_word *steps = step_word_at(step_word_find(next, strlen(next)));

	if (word)
		options->order_by = word->name;
	else if (steps)
		options->order_by = steps->name;
	return word || steps;
}

/* A value that the option needs; all but the output, which has messages of its own. */
static bool set_value(struct tfprof_options *options, const struct option *option, const char *next,
	struct arena *arena)
{
	switch (option->kind) {
	case OPTION_DEPTH:
		return tfprof_integer_parse(next, INT32_MIN, INT32_MAX, &options->max_depth);
	case OPTION_MINIMUM:
		return tfprof_integer_parse(
			next, INT64_MIN, INT64_MAX, &options->min[option->place]);
	case OPTION_STEP:
		return steps_parse(options, next, arena);
	case OPTION_ORDER:
		return set_order(options, next);
	case OPTION_SELECT:
		return set_select(options, next, arena);
	case OPTION_DISPLAYED:
		return tfprof_bool_parse(next, &options->account_displayed_op_only);
	case OPTION_PROTO:
		next = word_list_strip_quotes(next, arena);
		options->proto_out = *next ? next : NULL;
		return true;
	default:
		word_list_split((struct word_list *)((char *)options + option->place),
			word_list_strip_quotes(next, arena), arena);
		return true;
	}
}

static const struct option *find_option(const char *word)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (text_equal(option_table[i].name, word))
			return &option_table[i];
	return NULL;
}

bool tfprof_option_apply(struct tfprof_options *options, const char *word, const char *next,
	bool *used_next, struct arena *arena, struct text *message)
{
	const struct option *option = find_option(word);

	*used_next = next != NULL;
	if (option && option->kind == OPTION_DISPLAYED && (!next || *next == '-')) {
		*used_next = false;
		options->account_displayed_op_only = true;
		return true;
	}
	if (option && option->kind == OPTION_OUTPUT && next)
		return tfprof_output_parse(options, next, arena, message);
	if (option && next && set_value(options, option, next, arena))
		return true;
	if (!option && next && steps_set_minimum(options, word, next))
		return true;
	text_printf(message, "Invalid argument: Invalid option '%s' value: '%s'", word,
		next ? next : "");
	return false;
}

size_t tfprof_selected_words(const struct tfprof_options *options, const char **word)
{
	const struct word_list *unknown = &options->unknown_select;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < SELECT_WORDS; i++)
		if (options->select[i])
			word[n++] = select_names[i];
	for (size_t i = 0; i < STEP_WORDS; i++)
		if (options->select_steps[i])
			word[n++] = step_word_at(i)->name;
	for (size_t i = 0; i < unknown->count; i++)
		word[n++] = unknown->word[i];
	if (n)
		qsort(word, n, sizeof(*word), order_texts);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(word[i], word[i - 1]) != 0)
			word[kept++] = word[i];
	return kept;
}

static void print_select(const struct tfprof_options *options, struct text *out)
{
	size_t room = SELECT_WORDS + STEP_WORDS + options->unknown_select.count;
	const char **word = memory_alloc(memory_product(room, sizeof(*word)));
	size_t count = tfprof_selected_words(options, word);

	for (size_t i = 0; i < count; i++)
		text_printf(out, "%s%s", i ? "," : "", word[i]);
	memory_free(word);
}

static void print_value(
	const struct tfprof_options *options, const struct option *option, struct text *out)
{
	switch (option->kind) {
	case OPTION_DEPTH:
		text_printf(out, "%lld", (long long)options->max_depth);
		break;
	case OPTION_MINIMUM:
		text_printf(out, "%lld", (long long)options->min[option->place]);
		break;
	case OPTION_STEP:
		steps_print(options, out);
		break;
	case OPTION_ORDER:
		text_add(out, options->order_by);
		break;
	case OPTION_DISPLAYED:
		text_add(out, options->account_displayed_op_only ? "true" : "false");
		break;
	case OPTION_SELECT:
		print_select(options, out);
		break;
	case OPTION_OUTPUT:
		tfprof_output_print(options, out);
		break;
	case OPTION_PROTO:
		text_add(out, options->proto_out);
		break;
	default:
		word_list_print(
			(const struct word_list *)((const char *)options + option->place), out);
	}
}

void tfprof_options_print(const struct tfprof_options *options, struct text *out)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (option_table[i].kind == OPTION_PROTO && !options->proto_out)
			continue;
		if (option_table[i].kind == OPTION_STEP)
			steps_print_minimums(options, out);
		text_printf(out, "%-28s", option_table[i].name);
		print_value(options, &option_table[i], out);
		text_add(out, "\n");
	}
}
