/* Issues as text and back. */
#include "model/issue/issue_text.h"
#include "tests/unit/test.h"

TEST(there_and_back)
{
	static const struct issue issues[] = {
		{ISSUE_INFO, "a-b", "plain", "", 1, {0}, {0}},
		{ISSUE_LOSS, "l", "gone [lost 1 of 2 launches]", "f", 19, {0},
			{LOSS_REPLAYS, 19, 20}},
		{ISSUE_LOSS, "m", "gone", "", 3, {EFFECT_STEPS, "steps", 3, 6, 6, ""},
			{LOSS_BEFORE, 3, INT64_MAX}},
		{ISSUE_LOSS, "c", "12 x words (and more)", "dir/f (1): op a (first: b)", 7,
			{EFFECT_PS, "gemm [effect ps 1 2 3 - of x]", 4500, 271000, 271000,
				"0..2, 7"},
			{0}},
		{ISSUE_ERROR, "d", "t", "f:byte 12", SIZE_MAX / 4,
			{EFFECT_STEPS, "steps", 3, EFFECT_UNKNOWN, EFFECT_UNKNOWN, ""}, {0}},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(issues) / sizeof(issues[0]); i++) {
		struct issue_list list;
		struct text text;

		issue_list_init(&list, arena);
		text_init(&text);
		issue_text_add(&text, &issues[i]);
		assert_true(issue_text_parse(text_string(&text), &list));
		assert_int_equal(list.count, 1);
		assert_int_equal(list.issue[0].severity, issues[i].severity);
		assert_string_equal(list.issue[0].code, issues[i].code);
		assert_string_equal(list.issue[0].text, issues[i].text);
		assert_string_equal(list.issue[0].place, issues[i].place);
		assert_true(list.issue[0].count == issues[i].count);
		assert_int_equal(list.issue[0].loss.kind, issues[i].loss.kind);
		assert_true(list.issue[0].loss.lost == issues[i].loss.lost);
		assert_true(list.issue[0].loss.all == issues[i].loss.all);
		assert_int_equal(list.issue[0].effect.unit, issues[i].effect.unit);
		if (issues[i].effect.unit) {
			assert_string_equal(list.issue[0].effect.row, issues[i].effect.row);
			assert_string_equal(list.issue[0].effect.steps, issues[i].effect.steps);
			assert_true(list.issue[0].effect.low == issues[i].effect.low);
			assert_true(list.issue[0].effect.high == issues[i].effect.high);
			assert_true(list.issue[0].effect.recorded == issues[i].effect.recorded);
		}
		text_release(&text);
	}
	arena_free(arena);
}

TEST(in_words)
{
	struct issue issue = {
		ISSUE_LOSS, "start-missing", "no start time", "f: op a", 12, {0}, {0}};
	struct text text;

	text_init(&text);
	issue_text_add(&text, &issue);
	assert_string_equal(
		text_string(&text), "loss start-missing 12 x no start time (first: f: op a)");
	text_release(&text);
}

TEST(what_is_none)
{
	static const char *const texts[] = {"", "loss", "loss ", "loss code", "loss code 1",
		"loss code 1 x ", "loss code 0 x t", "loss code -1 x t", "loss code one x t",
		"loss  1 x t", "gain code 1 x t", "Loss code 1 x t",
		"loss code 99999999999999999999 x t"};
	struct arena *arena = arena_new();
	struct issue_list list;

	issue_list_init(&list, arena);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (issue_text_parse(texts[i], &list))
			fail_msg("%s", texts[i]);
	assert_int_equal(list.count, 0);
	arena_free(arena);
}

/* A long list is searched by another way than a short one, and stays in the order of first
 * places. */
TEST(long_lists)
{
	enum { CODES = 500, ROUNDS = 3 };
	struct arena *arena = arena_new();
	struct issue_list list, twice;
	char code[20], place[20];

	issue_list_init(&list, arena);
	issue_list_init(&twice, arena);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < CODES; i++) {
			snprintf(code, sizeof(code), "code-%d", i);
			snprintf(place, sizeof(place), "f:%d", round);
			issue_add(&list, ISSUE_INFO, code, "text", (size_t)i + 1, place);
		}
	issue_list_join(&twice, &list);
	issue_list_join(&twice, &list);
	assert_int_equal(list.count, CODES);
	assert_int_equal(twice.count, CODES);
	for (int i = 0; i < CODES; i++) {
		snprintf(code, sizeof(code), "code-%d", i);
		assert_string_equal(list.issue[i].code, code);
		assert_string_equal(list.issue[i].place, "f:0");
		assert_int_equal(list.issue[i].count, ROUNDS * (i + 1));
		assert_int_equal(twice.issue[i].count, 2 * ROUNDS * (i + 1));
	}
	arena_free(arena);
}

/* Expected sentences are written by hand. */
TEST(sentences)
{
	static const struct {
		const char *text, *place;
		size_t count;
		const char *sentence;
	} cases[] = {
		{"executions without a start time", "f", 3,
			"3 executions without a start time (first: f)"},
		{"executions without a start time", "f", 1, "1 execution without a start time (f)"},
		{"the trace has no steps", "f", 1, "the trace has no steps (f)"},
		{"the trace has no steps", "f", 2, "the trace has no steps (2 times, first: f)"},
		{"the trace has no steps", "", 2, "the trace has no steps (2 times)"},
		{"events that end before they begin", "", 1,
			"1 case: events that end before they begin"},
		{"names with a byte that is no UTF-8", "", 1,
			"1 name with a byte that is no UTF-8"},
		{"entries of the op log", "", 1, "1 entry of the op log"},
		{"launches of a kernel, left out", "", 1, "1 launch of a kernel, left out"},
		{"control bytes inside strings", "", 1, "1 control byte inside strings"},
		{"micros: printed to 0.01 ms", "", 2, "micros: printed to 0.01 ms (2 times)"},
		{"runs holds the same steps as x", "", 1, "runs holds the same steps as x"},
		{"tfprof's timeline: without types", "", 1, "tfprof's timeline: without types"},
		{"--graph changes nothing", "", 1, "--graph changes nothing"},
		{"", "", 1, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct issue issue = {ISSUE_LOSS, "code", cases[i].text, cases[i].place,
			cases[i].count, {0}, {0}};
		struct text text;

		text_init(&text);
		issue_add_sentence(&text, &issue);
		assert_string_equal(text_string(&text), cases[i].sentence);
		text_release(&text);
	}
}

TEST(losses_are_refused)
{
	struct arena *arena = arena_new();
	struct issue_list list;
	struct error err;

	issue_list_init(&list, arena);
	issue_add(&list, ISSUE_INFO, "a", "the step list was empty", 1, "f");
	assert_int_equal(issue_list_refuse_losses(&list, &err), 0);
	issue_add(&list, ISSUE_LOSS, "b", "executions without a start time", 3, "f:byte 12");
	issue_add(&list, ISSUE_ERROR, "c", "events that are damaged", 1, "g");
	assert_int_equal(issue_list_refuse_losses(&list, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.message, "3 executions without a start time");
	assert_string_equal(err.place, "f:byte 12");
	arena_free(arena);
}

/* Advice mends the recording, or the reading; it never makes a recording have less. Options are
 * ours (cli/options/options.def), or nsys': --cuda-graph-trace. */
TEST(advice_never_makes_a_recording_worse)
{
	static const char *const worse[] = {"fewer", "less of", "smaller", "shorter", "disable",
		"switch off", "turn off", "do not record", "without with_stack", "--allow"};
	static const char *const options[] = {"--steps", "--step-time=period",
		"--step-marker=REGEX", "--measures=delay", "--on=device", "--runs=REGEX",
		"--cuda-graph-trace=node", "--cuda-flush-interval="};
	const char *code, *advice;
	size_t count = 0;

	for (; (code = issue_advice_code(count)); count++) {
		advice = issue_advice(code);
		assert_non_null(advice);
		for (size_t i = 0; i < sizeof(worse) / sizeof(*worse); i++)
			if (strstr(advice, worse[i]))
				fail_msg("%s: \"%s\" in: %s", code, worse[i], advice);
		for (const char *at = advice; (at = strstr(at, "--")); at += 2) {
			size_t i = 0, all = sizeof(options) / sizeof(*options);

			while (i < all && strncmp(at, options[i], strlen(options[i])) != 0)
				i++;
			if (i == all)
				fail_msg("%s: no such option: %s", code, at);
		}
	}
	assert_true(count > 20);
}

/* Of two effects the wider stays, of two as wide the first. */
TEST(the_widest_effect_stays)
{
	struct arena *arena = arena_new();
	struct issue_list list;

	issue_list_init(&list, arena);
	issue_add(&list, ISSUE_INFO, "code", "text", 1, "");
	issue_set_effect(&list, "code", &(struct issue_effect){EFFECT_STEPS, "a", 3, 5, 5, ""});
	issue_set_effect(&list, "code", &(struct issue_effect){EFFECT_STEPS, "b", 7, 9, 9, ""});
	assert_string_equal(list.issue[0].effect.row, "a");
	issue_set_effect(&list, "code", &(struct issue_effect){EFFECT_STEPS, "c", 6, 9, 9, ""});
	assert_string_equal(list.issue[0].effect.row, "c");
	arena_free(arena);
}

/* A twentieth is information still, also beside a smaller part that comes after it; what was
 * launched before the recording is however much it is. */
TEST(more_than_a_twentieth_is_a_loss)
{
	static const struct {
		struct issue_loss loss;
		enum issue_severity severity;
	} of[] = {{{LOSS_STEPS, 5, 100}, ISSUE_INFO}, {{LOSS_STEPS, 51, 1000}, ISSUE_LOSS},
		{{LOSS_BEFORE, 99, 100}, ISSUE_INFO}, {{LOSS_DEVICE_TIME, 0, 0}, ISSUE_INFO}};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct arena *arena = arena_new();
		struct issue_list list;

		issue_list_init(&list, arena);
		issue_add(&list, ISSUE_INFO, "code", "text", 1, "");
		issue_set_loss(&list, "code", &of[i].loss);
		issue_set_loss(&list, "code", &(struct issue_loss){LOSS_STEPS, 1, 100});
		assert_int_equal(list.issue[0].severity, of[i].severity);
		assert_int_equal(list.issue[0].loss.lost, of[i].loss.lost ? of[i].loss.lost : 1);
		arena_free(arena);
	}
}
