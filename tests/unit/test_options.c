/* The option table and the command line: every default is accepted, values arrive, words are
 * exact. */
#include <ctype.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/options/options.h"
#include "tests/unit/test.h"

#define PARSE(settings, ...)                                                                       \
	do {                                                                                       \
		char *words[] = {__VA_ARGS__};                                                     \
		struct error error;                                                                \
		if (options_parse(settings, 'R', "report", sizeof(words) / sizeof(*words), words,  \
			    &error) < 0)                                                           \
			fail_msg("%s: %s", error.place, error.message);                            \
	} while (0)

static void refuse(const char *word, const char *place, const char *message)
{
	struct settings *s = settings_new();
	char *words[] = {(char *)(uintptr_t)word};
	struct error err = {0};

	assert_int_equal(options_parse(s, 'R', "report", 1, words, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, place);
	assert_string_equal(err.message, message);
	settings_free(s);
}

TEST(names_are_distinct_and_commands_known)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];

		assert_true((spec->kind == OPTION_HANDLER) == (spec->apply != NULL));
		assert_true(spec->group < GROUP_COUNT);
		assert_true(strlen(spec->help) > 5);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(spec->name, option_table[j].name);
		for (const char *p = spec->commands; *p; p++) {
			bool known = *p == ' ';

			for (const struct command *c = command_next(NULL); c; c = command_next(c))
				known |= c->letter == toupper((unsigned char)*p);
			assert_true(known);
		}
	}
}

/* A person can read 50 lines; what few need is a key of stepstat.yaml. */
TEST(commands_have_at_most_50_options)
{
	for (const struct command *c = command_next(NULL); c; c = command_next(c)) {
		size_t typed = 0;

		for (size_t i = 0; i < option_count; i++)
			typed += option_is_typed(&option_table[i], c->letter) &&
				 !text_equal(option_table[i].name, "help");
		if (typed > 50)
			fail_msg("%s has %zu options", c->name, typed);
	}
}

/* A key is a mistake on the command line, which says where to write it, and sets its member there.
 */
TEST(keys_are_for_the_file)
{
	struct settings *s = settings_new();
	char *words[] = {"--max-ops=7"};
	struct error err = {0};

	assert_int_equal(options_parse(s, 'R', "report", 1, words, &err), -1);
	assert_string_equal(err.message, "--max-ops of \"report\" is a key of stepstat.yaml");
	assert_string_equal(err.hint, "write \"max-ops: 7\" below \"report:\" there, or in a file "
				      "that --config=FILE names");
	assert_int_equal(options_set(s, 'R', "max-ops", "7", "a.yaml:1:1", &err), 0);
	assert_int_equal(s->job.read.limits.ops, 7);
	assert_int_equal(options_set(s, 'G', "names", "full", "a.yaml:1:1", &err), 0);
	assert_true(s->job.whole_names);
	assert_int_equal(options_set(s, 'R', "max-ops", "0", "a.yaml:2:1", &err), -1);
	assert_string_equal(err.message, "max-ops: expected a whole number from 1, found \"0\"");
	settings_free(s);
}

static int parse_one(struct settings *s, char letter, const char *word, struct error *err)
{
	char *words[] = {(char *)(uintptr_t)word};

	return options_parse(s, letter, "x", 1, words, err);
}

/* --per-run is --per=run; a word of other commands is refused, but in a file for all. */
TEST(words_of_options_are_options)
{
	static const char *const same[][2] = {{"--per-run", "--per=run"},
		{"--allow-loss=20%", "--allow=loss=20%"}, {"--csv-safe", "--csv=safe"},
		{"--shape=long", "--csv=long"}, {"--kilobyte=1024", "--unit=us,KB=1024"},
		{"--jitter-of=ops", "--of=jitter=ops"}, {"--pair=order", "--method=paired:order"},
		{"--op-log=x", "--graph=op-log:x"}, {"--as-printed", "--layout=as-printed"}};

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		for (size_t way = 0; way < 2; way++) {
			struct settings *s = settings_new();
			struct error err = {0};
			const char letter = i == 1 || i == 6 ? 'C' : 'R';

			assert_int_equal(parse_one(s, letter, same[i][way], &err), 0);
			assert_true(i != 0 || (s->job.per_run && !s->job.per_rank));
			assert_true(i != 1 || s->job.compare.allow_loss == 0.2);
			assert_true(i != 2 || (s->csv_safe && s->shape == SHAPE_DEFAULT));
			assert_true(i != 3 || s->shape == SHAPE_LONG);
			assert_true(i != 4 || s->job.kilobyte == 1024);
			assert_true(i != 5 || s->job.jitter_of == JITTER_OF_OPS);
			assert_true(i != 6 || s->job.compare.pair == PAIR_ORDER);
			assert_true(i != 7 || text_equal(s->job.op_log_path, "x"));
			assert_true(i != 8 || (s->job.as_printed && s->layout == LAYOUT_TABLE));
			settings_free(s);
		}
	for (size_t way = 0; way < 2; way++) {
		struct settings *s = settings_new();
		struct error err = {0};

		assert_int_equal(
			parse_one(s, 'R', way ? "--allow=mixed" : "--allow-mixed", &err), -1);
		assert_string_equal(err.hint, "it is an option of: compare, gate");
		assert_int_equal(options_set(s, 'R', "allow-mixed", "true", "a.yaml", &err), 0);
		assert_false(s->job.compare.allow_mixed);
		assert_int_equal(options_set(s, 'G', "allow-mixed", "true", "a.yaml", &err), 0);
		assert_true(s->job.compare.allow_mixed);
		settings_free(s);
	}
}

/* A word sets the member to its place in the list, and any other word is refused. */
TEST(words_are_numbers)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];
		struct settings *s = settings_new();
		struct error err = {0};

		for (size_t k = 0; spec->kind == OPTION_WORD && spec->words[k]; k++) {
			int64_t number = 0;

			assert_int_equal(option_set_value(s, spec, spec->words[k], &err), 0);
			memcpy(&number, (char *)s + spec->at, spec->bytes);
			assert_int_equal(number, spec->number + (int64_t)k);
		}
		if (spec->words) {
			assert_int_equal(option_set_value(s, spec, "no word", &err), -1);
			assert_int_equal(err.kind, ERROR_USAGE);
		}
		settings_free(s);
	}
}

TEST(arguments_in_words)
{
	struct text text;

	text_init(&text);
	option_add_argument(options_find("on-collision"), &text);
	assert_string_equal(text_string(&text), "sum|keep|error");
	text_clear(&text);
	option_add_argument(options_find("rules"), &text);
	assert_string_equal(text_string(&text), "FILE");
	text_release(&text);
	assert_true(option_has_value(options_find("color")));
	assert_false(option_has_value(options_find("strict")));
}

/* What the help calls the default is a value that the option takes. */
TEST(defaults_are_accepted)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];
		struct settings *s = settings_new();
		struct error err = {0};

		if (*spec->standard && !strchr(spec->standard, ' ') &&
			option_set_value(s, spec, spec->standard, &err) < 0)
			fail_msg("--%s=%s: %s", spec->name, spec->standard, err.message);
		settings_free(s);
	}
}

static void set_defaults_of_keys(struct settings *s)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_spec *spec = &option_table[i];
		struct error err = {0};

		if (!*option_dashes(spec) && *spec->standard && !strchr(spec->standard, ' '))
			assert_int_equal(option_set_value(s, spec, spec->standard, &err), 0);
	}
}

/* Setting the defaults changes nothing. */
TEST(defaults_are_the_defaults)
{
	struct settings *s = settings_new(), *t = settings_new();

	PARSE(s, "--by=name", "--value=self", "--of=all", "--steps=all", "--kind=all",
		"--warmup=none", "--absent=zero", "--runs=auto", "--cv=sample", "--confidence=95%",
		"--top=10", "--min-share=0%", "--layout=table", "--kilobyte=1000", "--color=auto");
	set_defaults_of_keys(s);
	assert_int_equal(s->job.group.by, t->job.group.by);
	assert_int_equal(s->job.group.collision, t->job.group.collision);
	assert_int_equal(s->job.value_total, t->job.value_total);
	assert_int_equal(s->job.of_selected, t->job.of_selected);
	assert_int_equal(s->job.range.count, 0);
	assert_int_equal(s->job.steps.kind, t->job.steps.kind);
	assert_int_equal(s->job.steps.warmup, t->job.steps.warmup);
	assert_int_equal(s->job.skip_absent, t->job.skip_absent);
	assert_int_equal(s->job.runs_mode, t->job.runs_mode);
	assert_int_equal(s->job.sample.population, t->job.sample.population);
	assert_true(s->job.sample.confidence == t->job.sample.confidence);
	assert_int_equal(s->job.top, t->job.top);
	assert_true(s->job.min_share == t->job.min_share);
	assert_int_equal(s->layout, t->layout);
	assert_int_equal(s->job.kilobyte, t->job.kilobyte);
	assert_int_equal(s->job.read.max_record_bytes, t->job.read.max_record_bytes);
	assert_memory_equal(&s->job.read.limits, &t->job.read.limits, sizeof(s->job.read.limits));
	assert_int_equal(s->color, t->color);
	settings_free(s);
	settings_free(t);
}

TEST(values_follow_or_stand_behind_an_equals_sign)
{
	struct settings *s = settings_new();

	PARSE(s, "--by", "type", "--top=all", "-o", "a.csv", "-ob.md", "--absent", "skip", "in");
	assert_int_equal(s->job.group.by, BY_TYPE);
	assert_true(s->job.top == SIZE_MAX);
	assert_true(s->job.skip_absent);
	assert_int_equal(s->output.count, 2);
	assert_string_equal(*(const char **)vec_at(&s->output, 1), "b.md");
	assert_int_equal(s->job.input.count, 1);
	settings_free(s);
}

TEST(inputs_that_look_like_options)
{
	struct settings *s = settings_new();

	PARSE(s, "-", "--quiet", "--", "--by=type", "-o");
	assert_true(s->quiet);
	assert_int_equal(s->job.group.by, BY_NAME);
	assert_int_equal(s->job.input.count, 3);
	assert_string_equal(*(const char **)vec_at(&s->job.input, 0), "-");
	assert_string_equal(*(const char **)vec_at(&s->job.input, 1), "--by=type");
	assert_string_equal(*(const char **)vec_at(&s->job.input, 2), "-o");
	settings_free(s);
}

TEST(steps_are_ranges_with_both_ends)
{
	struct settings *s = settings_new();
	const struct step_range expected[] = {{.from = 10, .to = 99}, {.from = 120, .to = 120},
		{.from = INT64_MIN, .to = 5}, {.from = 7, .to = INT64_MAX},
		{.from = 2, .to = INT64_MAX, .by_position = true},
		{.from = 1, .to = 3, .by_position = true}, {.from = -4, .to = -2}};
	const struct step_range *range;

	PARSE(s, "--steps=10:99,120,:5,7:", "--steps=@2:,@1:3", "--steps=-4:-2");
	assert_int_equal(s->job.range.count, 7);
	range = s->job.range.data;
	for (size_t i = 0; i < 7; i++) {
		assert_true(range[i].from == expected[i].from && range[i].to == expected[i].to);
		assert_int_equal(range[i].by_position, expected[i].by_position);
	}
	settings_free(s);
}

TEST(lists_replace_and_count_once)
{
	struct settings *s = settings_new();
	const enum measure_id *measure;

	PARSE(s, "--measures=peak", "--measures=time,requested,time", "--stats=sd",
		"--stats=mean,p95");
	assert_int_equal(s->job.measure.count, 2);
	measure = s->job.measure.data;
	assert_int_equal(measure[0], MEASURE_TIME);
	assert_int_equal(measure[1], MEASURE_REQUESTED);
	assert_int_equal(s->job.stat.count, 2);
	settings_free(s);
}

TEST(patterns_add_up)
{
	struct settings *s = settings_new();

	PARSE(s, "--include=a", "--include=b", "--exclude=c", "--rename=s/a/b/");
	assert_int_equal(rules_count(s->job.rules), 4);
	assert_true(s->job.rules_given);
	settings_free(s);
}

TEST(units_of_each_dimension)
{
	struct settings *s = settings_new();

	PARSE(s, "--unit=us,MB", "--unit=KiB,ms"); /* the last one holds */
	assert_string_equal(s->job.time_unit->name, "ms");
	assert_string_equal(s->job.bytes_unit->name, "KiB");
	settings_free(s);
}

TEST(words_of_runs_and_patterns)
{
	struct settings *s = settings_new();

	PARSE(s, "--runs=run(\\d+)");
	assert_int_equal(s->job.runs_mode, RUNS_NAMED);
	assert_string_equal(s->job.runs_pattern, "run(\\d+)");
	PARSE(s, "--runs=(file)");
	assert_int_equal(s->job.runs_mode, RUNS_NAMED);
	PARSE(s, "--runs=run");
	assert_string_equal(s->job.runs_pattern, "run");
	PARSE(s, "--runs=folders");
	assert_int_equal(s->job.runs_mode, RUNS_FOLDERS);
	assert_null(s->job.runs_pattern);
	settings_free(s);
	refuse("--runs=folder", "--runs", "unknown word \"folder\"");
}

TEST(sizes_and_counts)
{
	struct settings *s = settings_new();
	const struct option_spec *record = options_find("max-record");
	struct error err = {0};

	assert_int_equal(option_set_value(s, record, "2KiB", &err), 0);
	assert_int_equal(s->job.read.max_record_bytes, 2048);
	assert_int_equal(option_set_value(s, record, "1.5MB", &err), 0);
	assert_int_equal(s->job.read.max_record_bytes, 1500000);
	assert_int_equal(option_set_value(s, record, "4096", &err), 0);
	assert_int_equal(s->job.read.max_record_bytes, 4096);
	settings_free(s);
}

TEST(help_is_short_or_whole)
{
	struct settings *s = settings_new();

	PARSE(s, "--help");
	assert_true(s->help && !s->help_all);
	PARSE(s, "--help=all");
	assert_true(s->help_all);
	settings_free(s);
	s = settings_new();
	PARSE(s, "-h");
	assert_true(s->help);
	settings_free(s);
}

TEST(wrong_words_are_refused)
{
	refuse("--b=type", "", "unknown option \"--b\"");
	refuse("--BY=type", "", "unknown option \"--BY\"");
	refuse("---by=type", "", "unknown option \"---by\"");
	refuse("--by", "--by", "needs a value");
	refuse("--quiet=no", "--quiet", "expected no value, found \"no\"");
	refuse("-select", "", "unknown option \"-select\"");
	refuse("-q", "", "unknown option \"-q\"");
	refuse("-o", "-o", "needs a file name");
	refuse("--steps=3:1", "--steps", "\"3:1\" ends before it begins");
}

TEST(commands_take_their_options_only)
{
	struct settings *s = settings_new();
	char *words[] = {"--stats=mean"};
	struct error err = {0};

	assert_int_equal(options_parse(s, 'E', "export", 1, words, &err), -1);
	assert_string_equal(err.message, "\"export\" does not have the option --stats");
	assert_non_null(strstr(err.hint, "report"));
	settings_free(s);
}
