/* Flags: a table of names, defaults and help texts as the original's usage prints them. */
#include "tfprof/options/flags.h"

#include <string.h>
#include "tfprof/options/old_words.h"
#include "tfprof/options/step_words.h"
#include "tfprof/options/options.h"

enum flag_type { FLAG_STRING, FLAG_INT32, FLAG_INT64, FLAG_BOOL, FLAG_STEPS };

/* Values as text; options are made of them when all words are seen. */
struct flag {
	const char *name;
	enum flag_type type;
	const char *standard; /* its default, as usage shows it */
	const char *help;
};

enum {
	PROFILE_PATH,
	GRAPH_PATH,
	RUN_META_PATH,
	OP_LOG_PATH,
	CHECKPOINT_PATH,
	MAX_DEPTH,
	FIRST_MINIMUM,
	STEP = FIRST_MINIMUM + 10,
	ORDER_BY,
	START_NAME,
	TRIM_NAME,
	SHOW_NAME,
	HIDE_NAME,
	DISPLAYED,
	SELECT,
	OUTPUT,
	PROTO_OUT,
	WRITE_PROFILE,
	FLAG_COUNT
};

/* Values out of the words: a text for each flag, its default where no word sets it. */
struct flag_values {
	const char *text[FLAG_COUNT];
	bool given[FLAG_COUNT];
	bool advise_all;
};

/* The flag account_type_regexes sets the start regexes and there is no start_name_regexes: so it is
 * in all versions of the original. */
static const struct flag flag_table[FLAG_COUNT] = {
	{"profile_path", FLAG_STRING, "", "Profile binary file name."},
	{"graph_path", FLAG_STRING, "", "GraphDef proto text file name"},
	{"run_meta_path", FLAG_STRING, "",
		"Comma-separated list of RunMetadata proto binary files. Each file is given step "
		"number "
		"0,1,2,etc"},
	{"op_log_path", FLAG_STRING, "", "tensorflow::tfprof::OpLogProto proto binary file name"},
	{"checkpoint_path", FLAG_STRING, "", "TensorFlow Checkpoint file name"},
	{"max_depth", FLAG_INT32, "10", "max depth"},
	{"min_bytes", FLAG_INT64, "0", "min_bytes"},
	{"min_peak_bytes", FLAG_INT64, "0", "min_peak_bytes"},
	{"min_residual_bytes", FLAG_INT64, "0", "min_residual_bytes"},
	{"min_output_bytes", FLAG_INT64, "0", "min_output_bytes"},
	{"min_micros", FLAG_INT64, "0", "min micros"},
	{"min_accelerator_micros", FLAG_INT64, "0", "min acclerator_micros"},
	{"min_cpu_micros", FLAG_INT64, "0", "min_cpu_micros"},
	{"min_params", FLAG_INT64, "0", "min params"},
	{"min_float_ops", FLAG_INT64, "0", "min float ops"},
	{"min_occurrence", FLAG_INT64, "0", "min occurrence"},
	{"step", FLAG_STEPS, "-1", "The stats of which step to use. By default average"},
	{"order_by", FLAG_STRING, "name", "order by"},
	{"account_type_regexes", FLAG_STRING, ".*", "start name regexes"},
	{"trim_name_regexes", FLAG_STRING, "", "trim name regexes"},
	{"show_name_regexes", FLAG_STRING, ".*", "show name regexes"},
	{"hide_name_regexes", FLAG_STRING, "", "hide name regexes"},
	{"account_displayed_op_only", FLAG_BOOL, "false", "account displayed op only"},
	{"select", FLAG_STRING, "micros", "select"},
	{"output", FLAG_STRING, "", "output"},
	{"proto_out", FLAG_STRING, "", "file for the answer as a protobuf message"},
	{"write_profile", FLAG_STRING, "", "file for everything that was read, as a ProfileProto"},
};

static void add_usage(const char *program, struct text *out)
{
	static const char *const types[] = {"string", "int32", "int64", "bool", "int64"};
	struct text words;

	text_init(&words);
	text_printf(out, "usage: %s\nFlags:\n", program);
	for (size_t i = 0; i < FLAG_COUNT; i++) {
		const struct flag *flag = &flag_table[i];
		const char *quote = flag->type == FLAG_STRING ? "\"" : "";

		text_clear(&words);
		text_printf(&words, "--%s=%s%s%s", flag->name, quote, flag->standard, quote);
		text_printf(out, "\t%-33s\t%s\t%s\n", text_string(&words), types[flag->type],
			flag->help);
	}
	/* Ours, after those of the original. */
	for (size_t i = 0; i < STEP_WORDS; i++) {
		const struct step_word *word = step_word_at(i);

		text_clear(&words);
		text_printf(&words, "-%s=0", word->minimum);
		text_printf(out, "\t%-33s\tdouble\tmin %s over several steps%s\n",
			text_string(&words), word->legend, word->is_cv ? ", in percent" : "");
	}
	text_release(&words);
}

const char *tfprof_flag_name(size_t index)
{
	const struct step_word *word;

	if (index < FLAG_COUNT)
		return flag_table[index].name;
	word = step_word_at(index - FLAG_COUNT);
	return word ? word->minimum + 1 : NULL; /* without its dash */
}

static bool is_good_steps(const char *value)
{
	struct arena *arena = arena_new();
	struct tfprof_options options = {0};
	bool good = steps_parse(&options, value, arena);

	arena_free(arena);
	return good;
}

static bool is_good_value(const struct flag *flag, const char *value)
{
	int64_t number;

	switch (flag->type) {
	case FLAG_INT32:
		return tfprof_integer_parse(value, INT32_MIN, INT32_MAX, &number);
	case FLAG_INT64:
		return tfprof_integer_parse(value, INT64_MIN, INT64_MAX, &number);
	case FLAG_STEPS:
		return is_good_steps(value);
	case FLAG_BOOL:
		return text_equal(value, "true") || text_equal(value, "false");
	default:
		return true;
	}
}

/* True if the word is a flag: its value is then set, or *bad. */
static bool parse_word(
	const char *word, struct flag_values *values, bool *bad, struct text *messages)
{
	for (size_t i = 0; i < FLAG_COUNT && text_starts(word, "--"); i++) {
		const struct flag *flag = &flag_table[i];
		size_t n = strlen(flag->name);
		const char *found = word + 2 + n;

		if (!text_starts(word + 2, flag->name))
			continue;
		if (flag->type == FLAG_BOOL && !*found)
			found = "=true";
		if (*found != '=')
			continue;
		if (!is_good_value(flag, found + 1)) {
			text_printf(messages, "Couldn't interpret value %s for flag %s.\n",
				found + 1, flag->name);
			*bad = true;
		}
		values->text[i] = found + 1;
		values->given[i] = true;
		return true;
	}
	return false;
}

/* Ours, so its value may be the next word too: "--write_profile FILE". Is the word that flag? */
static bool parse_spaced(const char *word, const char *next, struct flag_values *values, bool *bad,
	struct text *messages)
{
	if (!text_equal(word, "--write_profile"))
		return false;
	if (!next) {
		text_add(messages, "Couldn't interpret value  for flag write_profile.\n");
		*bad = true;
	}
	values->text[WRITE_PROFILE] = next ? next : "";
	return true;
}

/* Minimums of means and CVs over steps are flags without an entry in the table:
 * "--min_micros_cv=5". Is the word one? */
static bool parse_step_minimum(const char *word, struct tfprof_options *options, bool *bad)
{
	static const char prefix[] = "--min_";
	size_t n = strcspn(word, "=");
	struct text name;

	if (!text_starts(word, prefix) || word[n] != '=' ||
		step_word_find(word + strlen(prefix), n - strlen(prefix)) == STEP_WORDS)
		return false;
	text_init(&name);
	text_add_bytes(&name, word + 1, n - 1);
	*bad |= !steps_set_minimum(options, text_string(&name), word + n + 1);
	text_release(&name);
	return true;
}

static void set_inputs(struct tfprof_inputs *inputs, const char *const *value, struct arena *arena)
{
	struct word_list paths;

	word_list_split(&paths, value[RUN_META_PATH], arena);
	*inputs = (struct tfprof_inputs){
		.profile_path = value[PROFILE_PATH],
		.graph_path = value[GRAPH_PATH],
		.op_log_path = value[OP_LOG_PATH],
		.checkpoint_path = value[CHECKPOINT_PATH],
		.run_meta_path = paths.word,
		.run_meta_count = paths.count,
	};
}

/* A flag that was not given leaves what a set of options says. */
static void set_number(int64_t *number, const struct flag_values *values, size_t flag)
{
	if (values->given[flag])
		tfprof_integer_parse(values->text[flag], INT64_MIN, INT64_MAX, number);
}

static void set_list(
	struct word_list *list, const struct flag_values *values, size_t flag, struct arena *arena)
{
	if (values->given[flag])
		word_list_split(list, values->text[flag], arena);
}

/* Words of the flags are not checked, apart from the output. */
static bool set_options(struct tfprof_options *options, const struct flag_values *values,
	struct arena *arena, struct text *message)
{
	static const enum quantity minimum[] = {QUANTITY_BYTES, QUANTITY_PEAK_BYTES,
		QUANTITY_RESIDUAL_BYTES, QUANTITY_OUTPUT_BYTES, QUANTITY_MICROS,
		QUANTITY_ACCELERATOR_MICROS, QUANTITY_CPU_MICROS, QUANTITY_PARAMS,
		QUANTITY_FLOAT_OPS, QUANTITY_OCCURRENCE};

	set_number(&options->max_depth, values, MAX_DEPTH);
	for (size_t i = 0; i < sizeof(minimum) / sizeof(*minimum); i++)
		set_number(&options->min[minimum[i]], values, FIRST_MINIMUM + i);
	if (values->given[STEP])
		steps_parse(options, values->text[STEP], arena);
	if (values->given[ORDER_BY])
		options->order_by = values->text[ORDER_BY];
	set_list(&options->start_name, values, START_NAME, arena);
	set_list(&options->trim_name, values, TRIM_NAME, arena);
	set_list(&options->show_name, values, SHOW_NAME, arena);
	set_list(&options->hide_name, values, HIDE_NAME, arena);
	if (values->given[DISPLAYED])
		options->account_displayed_op_only = text_equal(values->text[DISPLAYED], "true");
	if (values->given[SELECT])
		tfprof_select_set(options, values->text[SELECT], arena);
	if (*values->text[PROTO_OUT])
		options->proto_out = values->text[PROTO_OUT];
	return tfprof_output_parse(options, values->text[OUTPUT], arena, message);
}

/* Sets values, the first word that is not a flag (NULL: none), and which words were used. */
static bool parse_all(int argc, char *const *argv, struct flag_values *values, const char **first,
	bool *taken, struct text *messages)
{
	bool bad = false, flags_end = false;
	struct tfprof_options ignored = {0};

	for (size_t i = 0; i < FLAG_COUNT; i++)
		values->text[i] = flag_table[i].standard;
	for (int i = 0; i < argc; i++) {
		flags_end |= text_equal(argv[i], "--");
		if (!flags_end && parse_spaced(argv[i], i + 1 < argc ? argv[i + 1] : NULL, values,
					  &bad, messages)) {
			taken[i++] = true;
			if (i < argc)
				taken[i] = true;
			continue;
		}
		taken[i] = !flags_end && (parse_word(argv[i], values, &bad, messages) ||
						 parse_step_minimum(argv[i], &ignored, &bad));
		if (taken[i])
			continue;
		taken[i] = *first && tfprof_asks_all(argv[i]) &&
			   tfprof_command_find(*first) == COMMAND_ADVISE;
		values->advise_all |= taken[i];
		if (!*first)
			*first = argv[i];
	}
	return !bad && !(*first && text_equal(*first, "--help"));
}

/* A command that a word names runs once; `set` does not, as in the original. */
static int choose(
	struct tfprof_flags *flags, const char *first, const char *const *value, struct text *out)
{
	enum tfprof_command command = first ? tfprof_command_find(first) : COMMAND_NONE;

	if (command == COMMAND_HELP || (!first && !*value[GRAPH_PATH] && !*value[PROFILE_PATH] &&
					       !*value[RUN_META_PATH])) {
		tfprof_help_text(out);
		return 0;
	}
	if (command != COMMAND_NONE && command != COMMAND_SET)
		flags->command = command;
	return -1;
}

int tfprof_flags_parse(struct tfprof_flags *flags, const struct tfprof_command_line *line,
	struct arena *arena, struct text *out, struct text *messages)
{
	struct tfprof_command_line today;
	struct flag_values values = {.given = {false}};
	const char *const *value = values.text, *first = NULL;
	bool *taken = arena_array(arena, (size_t)line->count, sizeof(*taken));
	struct text message;
	int status = -1;

	text_printf(messages, "%s\n", line->program);
	for (int i = 0; i < line->count; i++)
		text_printf(messages, "%s\n", line->word[i]);
	today = tfprof_words_of_today(line, arena, messages);
	if (!parse_all(today.count, today.word, &values, &first, taken, messages)) {
		add_usage(line->program, out);
		return 2;
	}
	tfprof_hint_flags(&(struct tfprof_words){.count = today.count,
				  .word = today.word,
				  .taken = taken,
				  .command = first,
				  .order_by = value[ORDER_BY],
				  .select = value[SELECT],
				  .unused_op_log = *value[PROFILE_PATH] && *value[OP_LOG_PATH]
							   ? value[OP_LOG_PATH]
							   : NULL},
		messages);
	if (*value[PROFILE_PATH] && (*value[GRAPH_PATH] || *value[RUN_META_PATH])) {
		text_add(messages,
			"--profile_path is set, do not set --graph_path or --run_meta_path\n");
		return 1;
	}
	set_inputs(&flags->inputs, value, arena);
	flags->write_profile = *value[WRITE_PROFILE] ? value[WRITE_PROFILE] : NULL;
	tfprof_options_init(&flags->options, arena);
	flags->command = first && tfprof_preset_apply(&flags->options, first, arena) ? COMMAND_SCOPE
										     : COMMAND_NONE;
	text_init(&message);
	if (!set_options(&flags->options, &values, arena, &message)) {
		text_printf(messages, "E: %s\n", text_string(&message));
		status = 2;
	}

	bool bad = false; /* none is, or the flags were refused */

	for (int i = 0; i < today.count && !text_equal(today.word[i], "--"); i++)
		parse_step_minimum(today.word[i], &flags->options, &bad);
	flags->options.advise_all = values.advise_all;
	text_release(&message);
	return status >= 0 ? status : choose(flags, first, value, out);
}

/* The flag run_log_path is a mistake of the original's text: it is op_log_path. */
void tfprof_help_text(struct text *out)
{
	text_add(out,
		"See https://github.com/tensorflow/tensorflow/tree/master/tensorflow/core/profiler/"
		"README.md for profiler tutorial.\n"
		"See https://github.com/tensorflow/tensorflow/tree/master/tensorflow/core/profiler/"
		"g3doc/command_line.md for command line tool tutorial.\n"
		"profiler --profile_path=<ProfileProto binary file> # required\n"
		"\n"
		"Or:\n"
		"\n"
		"profiler --graph_path=<GraphDef proto file>  # Contains model graph info (no "
		"needed for eager execution)\n"
		"         --run_meta_path=<RunMetadata proto file>  # Contains runtime info. "
		"Optional.\n"
		"         --run_log_path=<OpLogProto proto file>  # Contains extra source code, "
		"flops, custom type info. Optional\n"
		"\n"
		"\n"
		"To skip interactive mode, append one of the following commands:\n"
		"  scope: Organize profiles based on name scopes.\n"
		"  graph: Organize profiles based on graph node input/output.\n"
		"  op: Organize profiles based on operation type.\n"
		"  code: Organize profiles based on python codes (need op_log_path).\n"
		"  advise: Auto-profile and advise. (experimental)\n"
		"  set: Set options that will be default for follow up commands.\n"
		"  help: Show helps.\n");
}
