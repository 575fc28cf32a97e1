/* Rules on op names: what they decide, in which order, what they count, and the exact words for
 * each mistake in a pattern, a rename or a YAML file. Expected values are written by hand. */
#include "analysis/select/rules.h"
#include "tests/unit/test.h"

struct fixture {
	struct rules *rules;
	struct arena *arena;
	struct error err;
	struct rule_outcome out;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){.rules = rules_new(), .arena = arena_new()};
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rules_free(f->rules);
	arena_free(f->arena);
	return 0;
}

static void add(struct fixture *f, enum rule_kind kind, const char *text)
{
	static const char *const places[] = {"--include", "--exclude", "--rename", "types"};
	const char *type = kind == RULE_TYPE ? "own" : NULL;

	if (rules_add(f->rules, kind, text, type, places[kind], &f->err))
		fail_msg("%s: %s", text, f->err.message);
}

static void apply(struct fixture *f, const char *name)
{
	if (rules_apply(f->rules, name, f->arena, &f->out, &f->err))
		fail_msg("%s: %s", name, f->err.message);
}

static bool kept(struct fixture *f, const char *name)
{
	apply(f, name);
	return f->out.kept;
}

static void expect_name(struct fixture *f, const char *recorded, const char *name)
{
	apply(f, recorded);
	assert_string_equal(f->out.name, name);
}

/* A rename alone, on one name. */
static void expect_rename(const char *rule, const char *recorded, const char *name)
{
	struct fixture f = {.rules = rules_new(), .arena = arena_new()};

	add(&f, RULE_RENAME, rule);
	expect_name(&f, recorded, name);
	rules_free(f.rules);
	arena_free(f.arena);
}

static void expect_bad(enum rule_kind kind, const char *text, const char *message)
{
	struct rules *rules = rules_new();
	struct error err = {.kind = ERROR_NONE};

	assert_int_equal(
		rules_add(rules, kind, text, kind == RULE_TYPE ? "t" : NULL, "--here", &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "--here");
	assert_string_equal(err.message, message);
	assert_int_equal(rules_count(rules), 0);
	rules_free(rules);
}

static void expect_yaml_bytes(
	const char *yaml, size_t size, const char *place, const char *message, const char *hint)
{
	struct rules *rules = rules_new();
	struct error err = {.kind = ERROR_NONE};

	assert_int_equal(rules_read_memory(rules, yaml, size, "r.yaml", &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, place);
	assert_string_equal(err.message, message);
	if (hint)
		assert_string_equal(err.hint, hint);
	rules_free(rules);
}

static void expect_yaml(const char *yaml, const char *place, const char *message, const char *hint)
{
	expect_yaml_bytes(yaml, strlen(yaml), place, message, hint);
}

static void read_yaml(struct fixture *f, const char *yaml)
{
	if (rules_read_memory(f->rules, yaml, strlen(yaml), "r.yaml", &f->err))
		fail_msg("%s: %s", f->err.place, f->err.message);
}

TEST_WITH(without_rules_all_is_kept, setup, teardown)
{
	struct fixture *f = *state;
	const char *name = "conv1/Conv2D";

	apply(f, name);
	assert_true(f->out.kept);
	assert_ptr_equal(f->out.name, name);
	assert_null(f->out.dropped_by);
	assert_null(f->out.type);
	assert_int_equal(f->out.changed_count, 0);
	assert_int_equal(rules_count(f->rules), 0);
	assert_false(rules_have(f->rules, RULE_INCLUDE));
	rules_free(NULL);
}

TEST_WITH(include_is_a_union_and_matches_anywhere, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_INCLUDE, "Conv2D");
	add(f, RULE_INCLUDE, "MatMul$");
	assert_true(kept(f, "a/Conv2D_1"));
	assert_true(kept(f, "logits/MatMul"));
	assert_false(kept(f, "logits/MatMul_1"));
	assert_null(f->out.dropped_by);
}

TEST_WITH(exclude_wins_over_include, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_EXCLUDE, "^gradients/");
	add(f, RULE_INCLUDE, "Conv2D");
	assert_true(kept(f, "a/Conv2D"));
	assert_false(kept(f, "gradients/a/Conv2D"));
	assert_ptr_equal(f->out.dropped_by, rules_at(f->rules, 1));
	/* What no include took was not dropped by the exclude rule. */
	assert_false(kept(f, "gradients/a/Relu"));
	assert_null(f->out.dropped_by);
	assert_int_equal(rules_at(f->rules, 1)->hits, 1);
}

TEST_WITH(full_match_holds_for_earlier_and_later_rules, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_INCLUDE, "a|ab");
	assert_true(kept(f, "xaby"));
	rules_set_full_match(f->rules, true);
	add(f, RULE_TYPE, "b");
	add(f, RULE_RENAME, "s/b/c/");
	assert_false(kept(f, "xaby"));
	assert_true(kept(f, "a"));
	assert_true(kept(f, "ab"));
	assert_null(f->out.type);
	assert_string_equal(f->out.name, "ac"); /* renames stay as they are */
	rules_set_full_match(f->rules, false);
	assert_true(kept(f, "xaby"));
	assert_string_equal(f->out.type, "own");
}

TEST_WITH(dollar_is_the_end_of_the_name, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_INCLUDE, "MatMul$");
	assert_true(kept(f, "MatMul"));
	assert_false(kept(f, "MatMul\n"));
}

TEST_WITH(first_type_rule_that_matches_gives_the_type, setup, teardown)
{
	struct fixture *f = *state;

	read_yaml(f, "types: {pool: ['^pool', Pool$], conv: 'Conv', all: '.'}\n");
	apply(f, "pool/Conv");
	assert_string_equal(f->out.type, "pool");
	apply(f, "a/Conv");
	assert_string_equal(f->out.type, "conv");
	apply(f, "a/Relu");
	assert_string_equal(f->out.type, "all");
	assert_int_equal(rules_at(f->rules, 0)->hits, 1);
	assert_int_equal(rules_at(f->rules, 1)->hits, 0);
	assert_int_equal(rules_at(f->rules, 2)->hits, 1);
	assert_int_equal(rules_at(f->rules, 3)->hits, 1);
	/* Types see the recorded name. */
	add(f, RULE_RENAME, "s/pool/x/");
	apply(f, "pool/y");
	assert_string_equal(f->out.type, "pool");
	assert_string_equal(f->out.name, "x/y");
}

TEST_WITH(renames_run_in_order_on_the_result_before, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_INCLUDE, "^v/");
	add(f, RULE_RENAME, "s#^v/tower_0/##");
	add(f, RULE_RENAME, "s#^cg/#net/#");
	add(f, RULE_RENAME, "s/nothing/x/");
	add(f, RULE_RENAME, "s/[0-9]+/N/g");
	expect_name(f, "v/tower_0/cg/conv12/sub3", "net/convN/subN");
	assert_true(f->out.kept);
	assert_int_equal(f->out.changed_count, 3);
	assert_string_equal(f->out.changed_by[0]->text, "s#^v/tower_0/##");
	assert_string_equal(f->out.changed_by[1]->text, "s#^cg/#net/#");
	assert_string_equal(f->out.changed_by[2]->text, "s/[0-9]+/N/g");
	/* A dropped name is renamed too, and not counted. */
	expect_name(f, "cg/a7", "net/aN");
	assert_false(f->out.kept);
	assert_int_equal(rules_at(f->rules, 1)->hits, 1);
	assert_int_equal(rules_at(f->rules, 2)->hits, 1);
	assert_int_equal(rules_at(f->rules, 3)->hits, 0);
	assert_int_equal(rules_at(f->rules, 4)->hits, 1);
}

TEST_WITH(same_text_put_back_is_no_change, setup, teardown)
{
	struct fixture *f = *state;
	const char *name = "abc";

	add(f, RULE_RENAME, "s/(b)/$1/");
	apply(f, name);
	assert_ptr_equal(f->out.name, name);
	assert_int_equal(f->out.changed_count, 0);
	assert_int_equal(rules_at(f->rules, 0)->hits, 0);
}

TEST_WITH(rename_that_leaves_nothing_is_shown_as_empty, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_RENAME, "s/.*//");
	expect_name(f, "abc", "(empty)");
	add(f, RULE_RENAME, "s/^$/z/");
	expect_name(f, "abc", "z");
}

TEST_WITH(flags_and_groups_of_renames, setup, teardown)
{
	expect_rename("s/a/b/", "aaa", "baa");
	expect_rename("s/a/b/g", "aaa", "bbb");
	expect_rename("s/A/b/", "aaa", "aaa");
	expect_rename("s/A/b/i", "aaa", "baa");
	expect_rename("s/A/b/gi", "aAa", "bbb");
	expect_rename("s/A/b/ig", "aAa", "bbb");
	expect_rename("s/(.)(.)/$2$1/", "abc", "bac");
	expect_rename("s/(?<first>.)/[${first}]/", "abc", "[a]bc");
	expect_rename("s/(.)/${1}0/", "abc", "a0bc");
	expect_rename("s/b/<$0>/", "abc", "a<b>c");
	expect_rename("s/b/$$1/", "abc", "a$1c");
	expect_rename("s/(a)|b/<$1>/", "b", "<>");
	expect_rename("s/x*/-/g", "ab", "-a-b-");
	expect_rename("s/(*MARK:m)b/$*MARK/", "abc", "amc");
	expect_rename("s/(*ANYCRLF)b/x/", "abc", "axc");
}

TEST_WITH(delimiters_and_escapes_of_renames, setup, teardown)
{
	expect_rename("s#a/b#c/d#", "a/b/e", "c/d/e");
	expect_rename("s/a\\/b/c\\/d/", "a/b/e", "c/d/e");
	expect_rename("s#a\\#b#c\\#d#", "a#b", "c#d");
	expect_rename("s,a\\,b,c,", "a,b", "c");
	/* What means something in a pattern is plain text when it had to be escaped. */
	expect_rename("s|a\\|b|c|", "a|b", "c");
	expect_rename("s|a\\|b|c|", "a", "a");
	expect_rename("s.a\\.b.c.", "axb", "axb");
	expect_rename("s.a\\.b.c.", "a.b", "c");
	expect_rename("s$a\\$b$<\\$$", "a$b", "<$");
	expect_rename("s-[a\\-c]-x-g", "ab-c", "xbxx");
	/* A backslash before another one protects nothing else. */
	expect_rename("s/a\\\\/x/", "a\\b", "xb");
	expect_rename("s/a/\\\\/", "ab", "\\b");
	expect_rename("s/\\d+\\/\\w/x/", "12/ab", "xb");
	expect_rename("s:(?\\:a|b)c:x:", "bcd", "xd");
	expect_rename("s/\xc3\xa9/e/g", "\xc3\xa9t\xc3\xa9", "ete");
	expect_rename("s/t/\xc3\xa9/", "ate",
		"a\xc3\xa9"
		"e");
}

TEST_WITH(bad_patterns_say_where, setup, teardown)
{
	expect_bad(RULE_INCLUDE, "(abc",
		"include pattern \"(abc\": at character 5: missing closing parenthesis");
	expect_bad(RULE_EXCLUDE, "a)b",
		"exclude pattern \"a)b\": at character 2: unmatched closing parenthesis");
	expect_bad(RULE_TYPE, "\xc3\xa9(",
		"type pattern \"\xc3\xa9(\": at character 3: missing closing parenthesis");
	expect_bad(RULE_INCLUDE, "", "found an empty include pattern, expected a pattern");
	expect_bad(RULE_INCLUDE, "a\xff",
		"include pattern \"a\\xff\": at character 2: UTF-8 error: illegal byte (0xfe or "
		"0xff)");
	expect_bad(RULE_INCLUDE, "\\C",
		"include pattern \"\\C\": at character 3: using \\C is disabled by the "
		"application");
}

TEST_WITH(bad_renames_say_what_was_found_and_expected, setup, teardown)
{
	expect_bad(RULE_RENAME, "",
		"rename \"\": at character 1: found the end, expected s/REGEX/TEXT/FLAGS");
	expect_bad(RULE_RENAME, "foo",
		"rename \"foo\": at character 1: found \"f\", expected s/REGEX/TEXT/FLAGS");
	expect_bad(RULE_RENAME, "sab",
		"rename \"sab\": at character 2: found \"a\", expected a delimiter like / or #: "
		"ASCII punctuation other than backslash");
	expect_bad(RULE_RENAME, "s\\a\\b\\",
		"rename \"s\\a\\b\\\": at character 2: found \"\\\", expected a delimiter like / "
		"or #: ASCII punctuation other than backslash");
	expect_bad(RULE_RENAME, "s\xc3\xa9",
		"rename \"s\xc3\xa9\": at character 2: found \"\xc3\xa9\", expected a delimiter "
		"like / or #: ASCII punctuation other than backslash");
	expect_bad(RULE_RENAME, "s a b ",
		"rename \"s a b \": at character 2: found \" \", expected a delimiter like / or #: "
		"ASCII punctuation other than backslash");
	expect_bad(RULE_RENAME, "s/a",
		"rename \"s/a\": at character 4: found the end, expected \"/\" after REGEX");
	expect_bad(RULE_RENAME, "s/",
		"rename \"s/\": at character 3: found the end, expected \"/\" after REGEX");
	expect_bad(RULE_RENAME, "s#a#b",
		"rename \"s#a#b\": at character 6: found the end, expected \"#\" after TEXT");
	expect_bad(RULE_RENAME, "s/a/b\\",
		"rename \"s/a/b\\\": at character 7: found the end, expected \"/\" after TEXT");
	expect_bad(RULE_RENAME, "s//b/",
		"rename \"s//b/\": at character 3: found an empty REGEX, expected a pattern");
	expect_bad(RULE_RENAME, "s/a/b/gx",
		"rename \"s/a/b/gx\": at character 8: found flag \"x\", expected g (every match) "
		"or i (ignore case)");
	expect_bad(RULE_RENAME, "s/a/b/gg",
		"rename \"s/a/b/gg\": at character 8: found flag \"g\" twice, expected g (every "
		"match) or i (ignore case)");
	expect_bad(RULE_RENAME, "s/a/b/\n",
		"rename \"s/a/b/\\x0a\": at character 7: found flag \\x0a, expected g (every "
		"match) or i (ignore case)");
	expect_bad(RULE_RENAME, "s#a\\#(#b#",
		"rename \"s#a\\#(#b#\": at character 7: missing closing parenthesis");
}

TEST_WITH(bad_texts_of_renames_are_found_when_added, setup, teardown)
{
	expect_bad(RULE_RENAME, "s/a/$1/",
		"rename \"s/a/$1/\": at character 5: TEXT has group 1, REGEX has no group");
	expect_bad(RULE_RENAME, "s/(a)(b)/x$10/",
		"rename \"s/(a)(b)/x$10/\": at character 11: TEXT has group 10, REGEX has groups 1 "
		"to 2");
	expect_bad(RULE_RENAME, "s/a/$99999999999999999999/",
		"rename \"s/a/$99999999999999999999/\": at character 5: TEXT has group "
		"999999999999, REGEX has no group");
	expect_bad(RULE_RENAME, "s/(?<n>a)/${nn}/",
		"rename \"s/(?<n>a)/${nn}/\": at character 11: TEXT has group \"nn\", REGEX has no "
		"group of this name");
	expect_bad(RULE_RENAME, "s/(?<n>a)/$nn/",
		"rename \"s/(?<n>a)/$nn/\": at character 11: TEXT has group \"nn\", REGEX has no "
		"group of this name");
	expect_bad(RULE_RENAME, "s/a/b$/",
		"rename \"s/a/b$/\": at character 6: found a lone \"$\" in TEXT, expected $1, "
		"${name} or $$");
	expect_bad(RULE_RENAME, "s/a/${0/",
		"rename \"s/a/${0/\": at character 5: found \"${\" in TEXT without a \"}\" after "
		"the group");
	expect_bad(RULE_RENAME, "s/(a)/\\1/",
		"rename \"s/(a)/\\1/\": at character 7: found a backslash before \"1\" in TEXT, "
		"expected one before \"/\" or itself only; groups are $1 and ${name}");
	expect_bad(RULE_RENAME, "s/a/\xff/",
		"rename \"s/a/\\xff/\": at character 5: found byte \\xff in TEXT, expected UTF-8");
}

TEST_WITH(names_that_are_no_utf8_are_matched_by_bytes, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_INCLUDE, "conv.b$");
	add(f, RULE_RENAME, "s/b|(c)/<$1>/g");
	expect_name(f,
		"conv\xff"
		"b",
		"<c>onv\xff<>");
	assert_true(f->out.kept);
	rules_set_full_match(f->rules, true);
	assert_false(kept(f, "aconv\xff"
			     "b"));
	assert_true(kept(f, "conv\xc3"
			    "b"));
	/* Valid text stays characters: one dot is one of them, and \D takes it. */
	expect_rename("s/\\D/-/g", "\xe0\xab\xa2", "-");
	expect_rename("s/./-/g", "\xc3\xa9", "-");
	expect_rename("s/./-/g", "\xc3", "-");
	/* Once the bad byte is gone it is text again. */
	expect_rename("s/\\xff//", "\xff\xc3\xa9", "\xc3\xa9");
}

TEST_WITH(pattern_that_needs_utf8_names_the_op_that_has_none, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_INCLUDE, "\\x{100}");
	assert_true(kept(f, "\xc4\x80"));
	assert_int_equal(rules_apply(f->rules, "a\xff", f->arena, &f->out, &f->err), -1);
	assert_int_equal(f->err.kind, ERROR_USAGE);
	assert_string_equal(f->err.place, "--include");
	assert_string_equal(f->err.message,
		"include pattern \"\\x{100}\" cannot be tried on op \"a\\xff\", which is not "
		"UTF-8: character code point value in \\x{} or \\o{} is too large");
}

static void expect_limit(
	struct fixture *f, enum rule_kind kind, const char *rule, const char *start)
{
	char name[64];

	memset(name, 'a', 60);
	memcpy(name + 60, "!", 2);
	add(f, kind, rule);
	assert_int_equal(rules_apply(f->rules, name, f->arena, &f->out, &f->err), -1);
	assert_int_equal(f->err.kind, ERROR_USAGE);
	assert_memory_equal(f->err.message, start, strlen(start));
	assert_non_null(strstr(f->err.message, name));
	assert_int_not_equal(f->err.hint[0], 0);
}

TEST_WITH(match_limit_is_an_error_and_not_a_miss, setup, teardown)
{
	expect_limit(*state, RULE_INCLUDE, "(a+)+$",
		"include pattern \"(a+)+$\" reached the match limit on op \"aaa");
}

TEST_WITH(match_limit_without_jit_too, setup, teardown)
{
	expect_limit(*state, RULE_EXCLUDE, "(*NO_JIT)(a+)+$",
		"exclude pattern \"(*NO_JIT)(a+)+$\" reached the match limit on op \"aaa");
}

TEST_WITH(match_limit_in_a_rename_and_a_full_match, setup, teardown)
{
	struct fixture *f = *state;

	expect_limit(f, RULE_RENAME, "s/(a+)+$/x/",
		"rename \"s/(a+)+$/x/\" reached the match limit on op \"aaa");
	rules_set_full_match(f->rules, true);
	expect_limit(f, RULE_TYPE, "(a+)+",
		"type pattern \"(a+)+\" reached the match limit on op \"aaa");
}

/* A name of 300 KB needs more than the stack of JIT: the interpreter goes on, or a limit is
 * said. */
TEST_WITH(long_name_never_ends_in_no_match, setup, teardown)
{
	struct fixture *f = *state;
	static char name[300001];

	memset(name, 'a', sizeof(name) - 1);
	add(f, RULE_INCLUDE, "^(?:a|b|(c))*$");
	if (rules_apply(f->rules, name, f->arena, &f->out, &f->err) == 0)
		assert_true(f->out.kept);
	else
		assert_non_null(strstr(f->err.message, " limit on op \"aaa"));
	name[100000] = '\0'; /* within all limits of the interpreter */
	assert_true(kept(f, name));
}

TEST_WITH(renames_cannot_grow_a_name_without_end, setup, teardown)
{
	struct fixture *f = *state;

	for (int i = 0; i < 16; i++)
		add(f, RULE_RENAME, "s/./$0$0/g");
	apply(f, "a");
	assert_int_equal(strlen(f->out.name), 65536);
	assert_int_equal(rules_apply(f->rules, "ab", f->arena, &f->out, &f->err), -1);
	assert_int_equal(f->err.kind, ERROR_USAGE);
	assert_string_equal(f->err.place, "--rename");
	assert_string_equal(f->err.message,
		"rename \"s/./$0$0/g\" makes a name of more than 65536 bytes of op \"ab\"");
}

TEST_WITH(hits_do_not_depend_on_the_order_of_rules, setup, teardown)
{
	struct fixture *f = *state;
	static const char *const names[] = {"a/Conv2D", "b/Conv2D", "b/MatMul", "b/Relu"};

	add(f, RULE_INCLUDE, "Conv");
	add(f, RULE_INCLUDE, "^b/[CM]");
	add(f, RULE_EXCLUDE, "MatMul");
	add(f, RULE_EXCLUDE, "^b");
	add(f, RULE_INCLUDE, "never");
	for (size_t i = 0; i < 4; i++)
		apply(f, names[i]);
	assert_int_equal(rules_count(f->rules), 5);
	assert_string_equal(rules_at(f->rules, 2)->text, "never"); /* includes come first */
	assert_int_equal(rules_at(f->rules, 0)->hits, 2);
	assert_int_equal(rules_at(f->rules, 1)->hits, 2);
	assert_int_equal(rules_at(f->rules, 2)->hits, 0);
	assert_int_equal(rules_at(f->rules, 3)->hits, 1);
	assert_int_equal(rules_at(f->rules, 4)->hits, 2);
	rules_reset_hits(f->rules);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(rules_at(f->rules, i)->hits, 0);
}

TEST_WITH(too_many_rules_are_refused, setup, teardown)
{
	struct fixture *f = *state;

	for (int i = 0; i < 10000; i++)
		add(f, RULE_INCLUDE, "a");
	assert_int_equal(rules_add(f->rules, RULE_EXCLUDE, "a", NULL, "--exclude", &f->err), -1);
	assert_int_equal(f->err.kind, ERROR_LIMIT);
	assert_string_equal(f->err.message, "more than 10000 rules");
}

TEST_WITH(yaml_gives_rules_with_places, setup, teardown)
{
	struct fixture *f = *state;

	read_yaml(f, "# rules\n"
		     "select:\n"
		     "  include: ['Conv2D', 'MatMul$']\n"
		     "  exclude: ^gradients/\n"
		     "  match: anywhere\n"
		     "rename:\n"
		     "  - 's#^v/tower_0/cg/##'\n"
		     "  - \"s/\\\\d+/N/g\"\n"
		     "types:\n"
		     "  pool_logit: '^pool_logit/'\n"
		     "report: {top: 10, anything: [a, {b: c}]}\n"
		     "gate:\n"
		     "  policies:\n"
		     "    - margin: 2%\n");
	static const struct rule expected[] = {
		{RULE_INCLUDE, "Conv2D", NULL, "r.yaml:3:13", 0, 0, NULL},
		{RULE_INCLUDE, "MatMul$", NULL, "r.yaml:3:23", 0, 0, NULL},
		{RULE_EXCLUDE, "^gradients/", NULL, "r.yaml:4:12", 0, 0, NULL},
		{RULE_RENAME, "s#^v/tower_0/cg/##", NULL, "r.yaml:7:5", 0, 0, NULL},
		{RULE_RENAME, "s/\\d+/N/g", NULL, "r.yaml:8:5", 0, 0, NULL},
		{RULE_TYPE, "^pool_logit/", "pool_logit", "r.yaml:10:15", 0, 0, NULL},
	};

	assert_int_equal(rules_count(f->rules), 6);
	for (size_t i = 0; i < 6; i++) {
		const struct rule *rule = rules_at(f->rules, i);

		assert_int_equal(rule->kind, expected[i].kind);
		assert_string_equal(rule->text, expected[i].text);
		assert_string_equal(rule->place, expected[i].place);
		if (expected[i].type)
			assert_string_equal(rule->type, expected[i].type);
		else
			assert_null(rule->type);
	}
	expect_name(f, "v/tower_0/cg/conv12/Conv2D", "convN/ConvND");
}

TEST_WITH(yaml_match_full_is_for_all_rules, setup, teardown)
{
	struct fixture *f = *state;

	add(f, RULE_INCLUDE, "Conv");
	read_yaml(f, "select: {match: full}");
	assert_false(kept(f, "Conv2D"));
	read_yaml(f, "select: {match: anywhere}");
	assert_true(kept(f, "Conv2D"));
}

TEST_WITH(yaml_without_content_has_no_rules, setup, teardown)
{
	struct fixture *f = *state;

	read_yaml(f, "");
	read_yaml(f, "---\n");
	read_yaml(f, "# only a comment\n");
	read_yaml(f, "\xef\xbb\xbfselect:\nrename:\ntypes:\nreport:\ngate:\n");
	read_yaml(f, "select:\n  include:\n#  - a\n  exclude: []\ntypes: {a: , b: []}\n");
	assert_int_equal(rules_count(f->rules), 0);
}

TEST_WITH(yaml_keys_and_kinds_are_checked, setup, teardown)
{
	expect_yaml("slect: {}", "r.yaml:1:1",
		"found \"slect\" as a key, expected select, rename, types, classes, report or gate",
		"did you mean \"select\"?");
	expect_yaml("include: a", "r.yaml:1:1",
		"found \"include\" as a key, expected select, rename, types, classes, report or "
		"gate",
		"\"include\" belongs under \"select\"");
	expect_yaml("select:\n  rename: a", "r.yaml:2:3",
		"found \"rename\" as a key of select, expected include, exclude or match",
		"\"rename\" belongs outside of \"select\"");
	expect_yaml("select: {inclde: a}", "r.yaml:1:10",
		"found \"inclde\" as a key of select, expected include, exclude or match",
		"did you mean \"include\"?");
	expect_yaml("a\xc3\xa9: {}\n? [b]\n: c", "r.yaml:1:1",
		"found \"a\xc3\xa9\" as a key, expected select, rename, types, classes, report or "
		"gate",
		"");
	expect_yaml("? [b]\n: c", "r.yaml:1:3",
		"found a list as a key, expected select, rename, types, classes, report or gate",
		"");
	expect_yaml("gate: {}\nrename: []\ngate: {}", "r.yaml:3:1",
		"found \"gate\" a second time, expected it once (first at line 1)", "");
	expect_yaml("types: {a: b, a: c}", "r.yaml:1:15",
		"found type \"a\" a second time, expected it once with a list of patterns", "");
	expect_yaml("select: [a]", "r.yaml:1:9",
		"found a list, expected a mapping with include, exclude or match", "");
	expect_yaml("select: {include: {a: b}}", "r.yaml:1:19",
		"found a mapping, expected a pattern or a list of them", "");
	expect_yaml("select: {include: [a, [b]]}", "r.yaml:1:23",
		"found a list in a list, expected a pattern", "");
	expect_yaml("rename:\n- s/a/b/\n-\n", "r.yaml:3:2",
		"found nothing in a list, expected 's/REGEX/TEXT/FLAGS'", "");
	expect_yaml("types: {? {a: b} : c}", "r.yaml:1:11",
		"found a mapping as a key of types, expected the name of a type", "");
	expect_yaml("types: {'': c}", "r.yaml:1:9",
		"found nothing as a key of types, expected the name of a type", "");
	expect_yaml("types: a", "r.yaml:1:8",
		"found \"a\", expected a mapping of types to patterns", "");
	expect_yaml("select: {match: ful}", "r.yaml:1:17",
		"found \"ful\" as match, expected full or anywhere", "did you mean \"full\"?");
	expect_yaml("select: {match: }", "r.yaml:1:17",
		"found nothing as match, expected full or anywhere", "");
	expect_yaml("- a", "r.yaml:1:1",
		"found a list, expected a mapping with select, rename, types, classes, report or "
		"gate",
		"");
	expect_yaml("select: {}\n---\nselect: {}\n", "r.yaml:2:1",
		"found a second document, expected one", "");
}

TEST_WITH(yaml_patterns_are_checked_in_place, setup, teardown)
{
	expect_yaml("select:\n  include:\n    - ok\n    - '(a'\n", "r.yaml:4:7",
		"include pattern \"(a\": at character 3: missing closing parenthesis", "");
	expect_yaml("rename: 's/a/b'", "r.yaml:1:9",
		"rename \"s/a/b\": at character 6: found the end, expected \"/\" after TEXT", "");
	expect_yaml("select: {include: ''}", "r.yaml:1:19",
		"found an empty include pattern, expected a pattern", "\".*\" matches every name");
}

TEST_WITH(yaml_that_is_hostile_or_broken_is_refused, setup, teardown)
{
	static const char quotes[] =
		"patterns are best in single quotes, '^a\\.b$'; a quote in one is doubled";
	static const char zero[] = "select: {}\n# \xc3\xa9\0\n";

	expect_yaml_bytes(
		zero, sizeof(zero) - 1, "r.yaml:2:4", "found a 0 byte, expected YAML in UTF-8", "");
	expect_yaml("select: {include: \"a\\0b\"}", "r.yaml:1:19",
		"found a 0 byte in a text, expected none", "");
	expect_yaml("a: \n  \xff", "r.yaml:2:3", "not valid YAML: invalid leading UTF-8 octet", "");
	expect_yaml("select: \x01", "r.yaml:1:9",
		"not valid YAML: control characters are not allowed", "");
	expect_yaml("select: {include: \"a\\d\"}", "r.yaml:1:21",
		"not valid YAML: found unknown escape character, while parsing a quoted scalar "
		"that began at line 1, column 19",
		quotes);
	expect_yaml("select:\n\tinclude: a", "r.yaml:2:1",
		"not valid YAML: found character that cannot start any token, while scanning for "
		"the next token that began at line 2, column 1",
		"YAML needs blanks at the start of a line, not tabs");
	expect_yaml("select: {include: *conv}", "r.yaml:1:19",
		"found alias \"*conv\", expected a value: anchors and aliases are not supported",
		quotes);
	expect_yaml("report: &a [*a]", "r.yaml:1:9",
		"found anchor \"&a\", expected a value: anchors and aliases are not supported",
		quotes);
	expect_yaml("select: {include: !x a}", "r.yaml:1:19",
		"found tag \"!x\", expected a value: tags are not supported", quotes);
}

TEST_WITH(yaml_nesting_and_size_have_caps, setup, teardown)
{
	static char bytes[1024 * 1024 + 2];

	memset(bytes, '[', sizeof(bytes) - 1);
	memcpy(bytes, "gate: ", 6);
	expect_yaml_bytes(bytes, 1024 * 1024, "r.yaml:1:38",
		"lists and mappings are nested more than 32 deep", "");
	memset(bytes, ' ', sizeof(bytes) - 1);
	expect_yaml_bytes(bytes, 1024 * 1024 + 1, "r.yaml",
		"has more than 1048576 bytes, expected a file of rules", "");
}

TEST_WITH(long_path_keeps_its_position, setup, teardown)
{
	struct fixture *f = *state;
	char path[2000];

	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(rules_read_memory(f->rules, "select: a", 9, path, &f->err), -1);
	assert_int_equal(strlen(f->err.place), 447 + strlen(":1:9"));
	assert_string_equal(f->err.place + 444, "...:1:9");
}

TEST_WITH(file_is_read_or_the_system_says_why, setup, teardown)
{
	struct fixture *f = *state;
	const char *path = "test_rules.tmp.yaml";
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs("select:\n  exclude: b\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
	struct rules_unread unread;
	int result = rules_read_file(f->rules, path, &unread, &f->err);

	remove(path);
	assert_int_equal(result, 0);
	assert_string_equal(rules_at(f->rules, 0)->place, "test_rules.tmp.yaml:2:12");
	assert_int_equal(rules_read_file(f->rules, path, &unread, &f->err), -1);
	assert_int_equal(f->err.kind, ERROR_USAGE);
	assert_string_equal(f->err.place, path);
	assert_string_equal(
		f->err.message, "cannot open the rules file: No such file or directory");
	assert_int_equal(rules_read_file(f->rules, ".", &unread, &f->err), -1);
	assert_int_equal(f->err.kind, ERROR_USAGE);
	assert_string_equal(f->err.message, "cannot read the rules file: Is a directory");
}
