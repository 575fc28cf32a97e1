/* Options: their table, the defaults, one option word with its value, the list of all. */
#include "tfprof/options/options.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "tfprof/options/step_words.h"

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
	if (n > 1 && s[0] == '+' && text_is_digit(s[1])) {
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
		else {
			/* Insert the word into a sorted list unless it is there; the list has
			 * room. */
			struct word_list *list = &options->unknown_select;
			size_t at = 0;

			while (at < list->count && strcmp(list->word[at], words.word[i]) < 0)
				at++;
			if (at < list->count && text_equal(list->word[at], words.word[i]))
				continue;
			memmove(list->word + at + 1, list->word + at,
				(list->count - at) * sizeof(*list->word));
			list->word[at] = words.word[i];
			list->count++;
		}
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

/* Inserts the word into a sorted list unless it is there; the list has room. */
static void word_list_print(const struct word_list *list, struct text *out)
{
	for (size_t i = 0; i < list->count; i++)
		text_printf(out, "%s%s", i ? "," : "", list->word[i]);
}

void tfprof_options_print(const struct tfprof_options *options, struct text *out)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (option_table[i].kind == OPTION_PROTO && !options->proto_out)
			continue;
		if (option_table[i].kind == OPTION_STEP)
			steps_print_minimums(options, out);
		text_printf(out, "%-28s", option_table[i].name);
		switch (option_table[i].kind) {
		case OPTION_DEPTH:
			text_printf(out, "%lld", (long long)options->max_depth);
			break;
		case OPTION_MINIMUM:
			text_printf(out, "%lld", (long long)options->min[option_table[i].place]);
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
			word_list_print((const struct word_list *)((const char *)options +
								   option_table[i].place),
				out);
		}
		text_add(out, "\n");
	}
}

void word_list_split(struct word_list *list, const char *text, struct arena *arena)
{
	size_t most = 1;

	for (const char *p = text; *p; p++)
		most += *p == ',';
	list->word = arena_array(arena, most, sizeof(*list->word));
	list->count = 0;
	while (*text) {
		size_t n = strcspn(text, ",");

		if (n)
			list->word[list->count++] = arena_strndup(arena, text, n);
		text += n + (text[n] == ',');
	}
}

char *word_list_next(const char **line, struct arena *arena)
{
	const char *p = *line + strspn(*line, " ");
	size_t n = strcspn(p, " ");

	*line = p + n;
	return n ? arena_strndup(arena, p, n) : NULL;
}

const char *word_list_strip_quotes(const char *text, struct arena *arena)
{
	static const char quotes[] = "\"'";
	const char *first = text + strspn(text, quotes);
	size_t n = strlen(first);

	while (n && strchr(quotes, first[n - 1]))
		n--;
	return arena_strndup(arena, first, n);
}

/* Names in the order of enum tfprof_command, which begins with the empty line. */
static const char *const command_names[] = {
	"scope", "graph", "op", "code", "advise", "set", "help"};

#define COMMAND_NAMES (sizeof(command_names) / sizeof(*command_names))

const char *tfprof_command_name(size_t index)
{
	return index < COMMAND_NAMES ? command_names[index]
				     : tfprof_preset_name(index - COMMAND_NAMES);
}

enum tfprof_command tfprof_command_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_NAMES; i++)
		if (text_equal(command_names[i], name))
			return (enum tfprof_command)(COMMAND_SCOPE + i);
	return COMMAND_NONE;
}

/* The original refuses the word, so that no line of its own has another meaning. */
bool tfprof_asks_all(const char *word)
{
	return text_equal(word, "--all") || text_equal(word, "-all");
}

bool tfprof_line_parse(const char *line, struct arena *arena, enum tfprof_command *command,
	struct tfprof_options *options, struct text *message)
{
	const char *word = word_list_next(&line, arena);

	*command = word ? tfprof_command_find(word) : COMMAND_NONE;
	if (!word)
		return true;
	if (*command == COMMAND_NONE && tfprof_preset_apply(options, word, arena))
		*command = COMMAND_SCOPE;
	if (*command == COMMAND_NONE) {
		text_add(message, "Invalid argument: First string must be a valid command.");
		return false;
	}
	word = word_list_next(&line, arena);
	while (word) {
		const char *next = word_list_next(&line, arena);
		bool used_next;

		if (*command == COMMAND_ADVISE && tfprof_asks_all(word)) {
			options->advise_all = true;
			word = next;
			continue;
		}
		if (!tfprof_option_apply(options, word, next, &used_next, arena, message))
			return false;
		word = used_next ? word_list_next(&line, arena) : next;
	}
	return true;
}

/* ---- Sets of options: what differs from the defaults. All count shown nodes only and show
 * every level ---- */

#define PRESET_DEPTH 10000

static const struct preset {
	const char *name;
	int64_t min_bytes, min_micros, min_float_ops;
	const char *order_by, *account_type, *select;
} presets[] = {
	{"trainable_variables_parameter", 0, 0, 0, "name", "_trainable_variables", "params"},
	{"float_operation", 0, 0, 1, "float_ops", ".*", "float_ops"},
	{"time_and_memory", 1, 1, 0, "micros", ".*", "micros,bytes"},
	/* 2017 */
	{"TRAINABLE_VARS_PARAMS_STAT_OPTIONS", 0, 0, 0, "name", "_trainable_variables", "params"},
	{"FLOAT_OPS_OPTIONS", 0, 0, 1, "float_ops", ".*", "float_ops"},
	{"PRINT_ALL_TIMING_MEMORY", 1, 1, 0, "name", ".*", "micros,bytes"},
};

#define PRESET_COUNT (sizeof(presets) / sizeof(*presets))

const char *tfprof_preset_name(size_t index)
{
	return index < PRESET_COUNT ? presets[index].name : NULL;
}

/* The defaults, but for the step and where the answer goes. */
static void clear(struct tfprof_options *options, struct arena *arena)
{
	struct tfprof_options standard;

	tfprof_options_init(&standard, arena);
	standard.step = options->step;
	standard.several_steps = options->several_steps;
	standard.step_range = options->step_range;
	standard.step_range_count = options->step_range_count;
	standard.output = options->output;
	standard.output_option = options->output_option;
	standard.output_option_count = options->output_option_count;
	standard.proto_out = options->proto_out;
	*options = standard;
}

bool tfprof_preset_apply(struct tfprof_options *options, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < PRESET_COUNT; i++)
		if (text_equal(presets[i].name, name)) {
			clear(options, arena);
			options->max_depth = PRESET_DEPTH;
			options->min[QUANTITY_BYTES] = presets[i].min_bytes;
			options->min[QUANTITY_MICROS] = presets[i].min_micros;
			options->min[QUANTITY_FLOAT_OPS] = presets[i].min_float_ops;
			options->order_by = presets[i].order_by;
			word_list_split(&options->account_type, presets[i].account_type, arena);
			options->account_displayed_op_only = true;
			tfprof_select_set(options, presets[i].select, arena);
			return true;
		}
	return false;
}

static const char *const type_names[] = {
	[OUTPUT_STDOUT] = "stdout",
	[OUTPUT_FILE] = "file",
	[OUTPUT_TIMELINE] = "timeline",
	[OUTPUT_PPROF] = "pprof",
	[OUTPUT_NONE] = "none",
	[OUTPUT_CSV] = "csv",
	[OUTPUT_JSON] = "json",
	[OUTPUT_MD] = "md",
	[OUTPUT_TXT] = "txt",
};

#define TYPE_COUNT (sizeof(type_names) / sizeof(*type_names))

static const char outfile_key[] = "outfile"; /* the only one there is */

static bool has_file(enum tfprof_output type)
{
	return type != OUTPUT_STDOUT && type != OUTPUT_NONE;
}

const char *tfprof_output_writer(enum tfprof_output type)
{
	if (type == OUTPUT_TXT)
		return "text";
	return type >= OUTPUT_CSV ? type_names[type] : NULL;
}

const char *tfprof_output_file(const struct tfprof_options *options)
{
	for (size_t i = 0; i < options->output_option_count; i++)
		if (text_equal(options->output_option[i].key, outfile_key))
			return options->output_option[i].value;
	return NULL;
}

/* "key=value": empty parts between "=" vanish, so that a==b is a=b. NULL: no value. */
static const char *split_pair(const char *pair, char **value, struct arena *arena)
{
	const char *key = NULL;
	struct text rest;

	text_init(&rest);
	while (*pair) {
		size_t n = strcspn(pair, "=");

		if (n && !key) {
			key = arena_strndup(arena, pair, n);
		} else if (n) {
			text_add(&rest, rest.size ? "=" : "");
			text_add_bytes(&rest, pair, n);
		}
		pair += n + (pair[n] == '=');
	}
	*value = arena_strdup(arena, text_string(&rest));
	text_release(&rest);
	return **value ? key : NULL;
}

static bool parse_pairs(
	struct tfprof_options *options, const char *text, struct arena *arena, struct text *message)
{
	struct word_list pairs;

	word_list_split(&pairs, text, arena);
	for (size_t i = 0; i < pairs.count; i++) {
		char *value;
		const char *key = split_pair(pairs.word[i], &value, arena);

		if (!key) {
			text_add(message, "Invalid argument: Visualize format: -output "
					  "timeline:key=value,key=value,...");
			return false;
		}
		if (!has_file(options->output) || !text_equal(key, outfile_key)) {
			text_printf(message,
				"Invalid argument: Unrecognized options %s for output_type: %s\n",
				key, type_names[options->output]);
			return false;
		}
		/* The map has one key at most, since there is only one that is valid. */
		options->output_option = arena_alloc(arena, sizeof(*options->output_option));
		options->output_option[0].key = outfile_key;
		options->output_option[0].value = value;
		options->output_option_count = 1;
	}
	return true;
}

bool tfprof_output_parse(
	struct tfprof_options *options, const char *text, struct arena *arena, struct text *message)
{
	size_t n = strcspn(text, ":");
	size_t type = 0;

	if (!*text) {
		options->output = OUTPUT_STDOUT;
		return true;
	}
	while (type < TYPE_COUNT &&
		(strlen(type_names[type]) != n || memcmp(type_names[type], text, n) != 0))
		type++;
	if (type == TYPE_COUNT) {
		text_printf(message,
			"Invalid argument: E.g. Unknown output type: %.*s, Valid "
			"types: file,none,pprof,stdout,timeline\n",
			(int)n, text);
		return false;
	}
	options->output = (enum tfprof_output)type;
	if (text[n] && !parse_pairs(options, text + n + 1, arena, message))
		return false;
	if (!has_file(options->output) || tfprof_output_file(options))
		return true;
	text_printf(message,
		"Invalid argument: Missing required output_options for %s\nE.g. -output "
		"%s:%s=...\n",
		type_names[type], type_names[type], outfile_key);
	return false;
}

void tfprof_output_print(const struct tfprof_options *options, struct text *out)
{
	text_printf(out, "%s:", type_names[options->output]);
	for (size_t i = 0; i < options->output_option_count; i++)
		text_printf(out, "%s%s=%s", i ? "," : "", options->output_option[i].key,
			options->output_option[i].value);
}
