/* The section `gate` of a configuration file: what it gives, what stays at the standard, which
 * policy and which waiver is for an op, and the exact words for each mistake. Expected values are
 * written by hand; days are from Python's datetime. */
#include <math.h>
#include "analysis/gate/policies.h"
#include "analysis/gate/policies_diff.h"
#include "tests/unit/test.h"

static struct policies *read_good(const char *yaml)
{
	struct policies *policies = policies_new();
	struct error err = {.kind = ERROR_NONE};

	if (policies_read_memory(policies, yaml, strlen(yaml), "s.yaml", &err))
		fail_msg("%s: %s: %s", yaml, err.place, err.message);
	return policies;
}

static void expect_bad(const char *yaml, const char *place, const char *message, const char *hint)
{
	struct policies *policies = policies_new();
	struct error err = {.kind = ERROR_NONE};

	if (!policies_read_memory(policies, yaml, strlen(yaml), "s.yaml", &err))
		fail_msg("%s: taken", yaml);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, message);
	assert_string_equal(err.place, place);
	assert_string_equal(err.hint, hint);
	policies_free(policies);
}

static void set(struct policies *policies, const char *key, const char *text)
{
	struct error err = {.kind = ERROR_NONE};

	if (policies_set(policies, key, text, "--option", &err))
		fail_msg("%s %s: %s", key, text, err.message);
}

static void expect_set_bad(const char *key, const char *text, const char *message, const char *hint)
{
	struct policies *policies = policies_new();
	struct error err = {.kind = ERROR_NONE};

	assert_int_equal(policies_set(policies, key, text, "--option", &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "--option");
	assert_string_equal(err.message, message);
	assert_string_equal(err.hint, hint);
	policies_free(policies);
}

static const struct policy *find(
	struct policies *policies, const char *name, enum measure_id measure)
{
	struct error err = {.kind = ERROR_NONE};
	const struct policy *policy = policies_find(policies, name, measure, &err);

	if (!policy)
		fail_msg("%s: %s", name, err.message);
	return policy;
}

static const struct waiver *waive(
	struct policies *policies, const char *name, double change_frac, int32_t today_day)
{
	struct error err = {.kind = ERROR_NONE};
	struct waiver_subject subject = {name, MEASURE_TIME, change_frac, today_day};
	const struct waiver *waiver;

	if (policies_waiver(policies, &subject, &waiver, &err))
		fail_msg("%s: %s", name, err.message);
	return waiver;
}

#define assert_frac(value, expected) assert_true(fabs((value) - (expected)) < 1e-15)

/* The example of the header, with every key. */
static const char whole[] = "select: {exclude: [a], match: full}\n"
			    "report: {sort: [time]}\n"
			    "gate:\n"
			    "  policies:\n"
			    "    - name: convolutions\n"
			    "      ops: 'Conv2D'\n"
			    "      measure: time\n"
			    "      margin: 5%\n"
			    "      alpha: 1 %\n"
			    "      min_runs: 5\n"
			    "      inconclusive: fail\n"
			    "      gone: pass\n"
			    "      new: fail\n"
			    "      executions: pass\n"
			    "      watch: true\n"
			    "    - ops: [pool, '^relu$']\n"
			    "    - {measure: requested, margin: 4KiB, name: memory}\n"
			    "  margin: {relative: 2.5%, absolute: [50us, 4KB], share: 0.1%}\n"
			    "  alpha: 10%\n"
			    "  min_runs: 3\n"
			    "  inconclusive: pass\n"
			    "  gone: fail\n"
			    "  new: pass\n"
			    "  executions: fail\n"
			    "  fail_on: slower\n"
			    "  blind: pass\n"
			    "  improved: report\n"
			    "  baseline_expires: 2027-06-30\n"
			    "  waivers:\n"
			    "    - ops: '^conv1/Conv2D$'\n"
			    "      measure: time\n"
			    "      ceiling: 10%\n"
			    "      owner: anna@example.org\n"
			    "      expires: 2026-12-31\n"
			    "      reason: 'known: cudnn 9.1'\n"
			    "    - {ops: b, owner: B, expires: 2028-02-29, reason: r}\n";

TEST(without_a_section_all_is_standard)
{
	static const char *const texts[] = {"", "select: {include: a}\n", "gate:\n", "gate: {}\n",
		"gate:\n  policies:\n  waivers:\n",
		"report: [a, {b: [c]}]\ngate: {policies: []}\n"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct policies *p = read_good(texts[i]);
		const struct policy *s = &p->standard;

		assert_frac(s->margin_frac, 0.02);
		assert_true(isnan(s->margin_ps) && isnan(s->margin_bytes));
		assert_true(isnan(s->margin_share_frac));
		assert_frac(s->alpha, 0.05);
		assert_int_equal(s->min_runs, 1);
		assert_int_equal(s->inconclusive, POLICY_PASS);
		assert_int_equal(s->gone, POLICY_PASS);
		assert_int_equal(s->appeared, POLICY_PASS);
		assert_int_equal(s->executions, POLICY_PASS);
		assert_int_equal(p->fail_on, FAIL_ON_REGRESSED);
		assert_true(p->blind_fails);
		assert_false(p->improved_reports || p->has_baseline_expiry);
		assert_int_equal(policies_count(p) + policies_waiver_count(p), 0);
		assert_ptr_equal(find(p, "a", MEASURE_TIME), s);
		assert_null(waive(p, "a", 0.1, 20000));
		policies_free(p);
	}
}

TEST(every_key_is_read)
{
	struct policies *p = read_good(whole);
	const struct policy *s = &p->standard, *conv = policies_at(p, 0);

	assert_frac(s->margin_frac, 0.025);
	assert_true(s->margin_ps == 50e6 && s->margin_bytes == 4000);
	assert_frac(s->margin_share_frac, 0.001);
	assert_frac(s->alpha, 0.1);
	assert_int_equal(s->min_runs, 3);
	assert_int_equal(s->inconclusive, POLICY_PASS);
	assert_int_equal(s->gone, POLICY_FAIL);
	assert_int_equal(s->appeared, POLICY_PASS);
	assert_int_equal(s->executions, POLICY_FAIL);
	assert_int_equal(p->fail_on, FAIL_ON_SLOWER);
	assert_false(p->blind_fails);
	assert_true(p->improved_reports && p->has_baseline_expiry);
	assert_int_equal(p->baseline_expires_day, 20999);
	assert_int_equal(policies_count(p), 3);
	assert_string_equal(conv->name, "convolutions");
	assert_string_equal(conv->place, "s.yaml:5:7");
	assert_string_equal(conv->patterns->rule.text, "Conv2D");
	assert_string_equal(conv->patterns->rule.place, "s.yaml:6:12");
	assert_true(conv->has_measure && conv->measure == MEASURE_TIME);
	assert_frac(conv->margin_frac, 0.05);
	assert_frac(conv->alpha, 0.01);
	assert_int_equal(conv->min_runs, 5);
	assert_int_equal(conv->inconclusive, POLICY_FAIL);
	assert_int_equal(conv->gone, POLICY_PASS);
	assert_int_equal(conv->appeared, POLICY_FAIL);
	assert_int_equal(conv->executions, POLICY_PASS);
	assert_true(conv->watch && conv->family == 1);
	policies_free(p);
}

/* The standard stands behind the policies in the file, and holds for them all the same. */
TEST(what_a_policy_does_not_say_is_as_under_gate)
{
	struct policies *p = read_good(whole);
	const struct policy *conv = policies_at(p, 0), *pool = policies_at(p, 1);
	const struct policy *memory = policies_at(p, 2);

	assert_true(conv->margin_ps == 50e6);
	assert_frac(conv->margin_share_frac, 0.001);
	assert_string_equal(pool->name, "policy 2");
	assert_false(pool->has_measure || pool->watch || pool->family);
	assert_frac(pool->margin_frac, 0.025);
	assert_frac(pool->alpha, 0.1);
	assert_int_equal(pool->min_runs, 3);
	assert_int_equal(pool->gone, POLICY_FAIL);
	assert_int_equal(pool->executions, POLICY_FAIL);
	assert_true(memory->margin_bytes == 4096 && memory->margin_ps == 50e6);
	assert_null(memory->patterns);
	policies_free(p);
}

TEST(absolute_margin_is_that_of_the_dimension)
{
	struct policies *p = read_good("gate: {margin: {absolute: [1.5ms, 2MiB]}}");

	assert_true(policy_margin_absolute(&p->standard, MEASURE_TIME) == 1.5e9);
	assert_true(policy_margin_absolute(&p->standard, MEASURE_CPU) == 1.5e9);
	assert_true(policy_margin_absolute(&p->standard, MEASURE_PEAK) == 2097152);
	assert_true(isnan(policy_margin_absolute(&p->standard, MEASURE_OCCURRENCE)));
	assert_frac(p->standard.margin_frac, 0.02);
	policies_free(p);
	p = read_good("gate: {margin: 50 us}");
	assert_true(policy_margin_absolute(&p->standard, MEASURE_TIME) == 50e6);
	assert_true(isnan(policy_margin_absolute(&p->standard, MEASURE_PEAK)));
	policies_free(p);
}

TEST(first_policy_that_fits_decides)
{
	struct policies *p = read_good("gate:\n"
				       "  policies:\n"
				       "    - {ops: conv, measure: time}\n"
				       "    - {ops: [conv1, pool]}\n"
				       "    - {ops: never}\n");
	const struct policy *a = policies_at(p, 0), *b = policies_at(p, 1);

	assert_ptr_equal(find(p, "x/conv1", MEASURE_TIME), a);
	assert_ptr_equal(find(p, "x/conv1", MEASURE_PEAK), b);
	assert_ptr_equal(find(p, "x/conv2", MEASURE_PEAK), &p->standard);
	assert_ptr_equal(find(p, "pool", MEASURE_TIME), b);
	assert_int_equal(a->hits, 1);
	assert_int_equal(b->hits, 2);
	assert_int_equal(b->matches, 3);
	assert_int_equal(b->patterns->rule.hits, 2);
	assert_int_equal(b->patterns->next->rule.hits, 1);
	assert_int_equal(policies_at(p, 2)->matches, 0);
	assert_int_equal(p->standard.hits, 1);
	policies_reset_hits(p);
	assert_int_equal(a->hits + b->hits + b->matches + b->patterns->rule.hits, 0);
	assert_int_equal(p->standard.hits + p->standard.matches, 0);
	policies_free(p);
}

TEST(full_match_of_select_is_not_for_policies)
{
	struct policies *p = read_good("select: {match: full}\ngate: {policies: {ops: b}}");

	assert_ptr_equal(find(p, "abc", MEASURE_TIME), policies_at(p, 0));
	policies_free(p);
}

TEST(watching_policies_of_one_name_are_one_family)
{
	struct policies *p = read_good("gate:\n"
				       "  policies:\n"
				       "    - {name: w, ops: a, watch: true}\n"
				       "    - {name: v, ops: b, watch: true}\n"
				       "    - {name: w, ops: c, watch: true}\n"
				       "    - {name: w, ops: d, watch: false}\n"
				       "    - {ops: e, watch: true}\n");
	static const size_t families[] = {1, 2, 1, 0, 3};

	for (size_t i = 0; i < 5; i++)
		assert_int_equal(policies_at(p, i)->family, families[i]);
	assert_int_equal(p->family_count, 3);
	policies_free(p);
}

TEST(waiver_holds_to_its_last_day_and_ceiling)
{
	struct policies *p = read_good(whole);
	const struct waiver *w = policies_waiver_at(p, 0), *b = policies_waiver_at(p, 1);

	assert_int_equal(policies_waiver_count(p), 2);
	assert_string_equal(w->place, "s.yaml:30:7");
	assert_string_equal(w->owner, "anna@example.org");
	assert_string_equal(w->reason, "known: cudnn 9.1");
	assert_int_equal(w->expires_day, 20818);
	assert_frac(w->ceiling_frac, 0.1);
	assert_false(waiver_expired(w, 20818));
	assert_true(waiver_expired(w, 20819));
	assert_true(waiver_covers(w, 0.1, 20818));
	assert_false(waiver_covers(w, 0.11, 20818));
	assert_false(waiver_covers(w, 0.05, 20819));
	assert_false(waiver_covers(w, NAN, 20818));
	assert_true(isnan(b->ceiling_frac) && !b->has_measure);
	assert_true(waiver_covers(b, 99, 21243));
	assert_true(waiver_covers(b, NAN, 21243));
	assert_false(waiver_covers(b, 0.01, 21244));
	policies_free(p);
}

/* An expired waiver does not hide the one that renews it, and is handed out where none does. */
TEST(waiver_that_covers_is_found_behind_others)
{
	struct policies *p = read_good(
		"gate:\n"
		"  waivers:\n"
		"    - {ops: a, measure: peak, owner: o, expires: 2029-01-01, reason: r}\n"
		"    - {ops: a, owner: o, expires: 2026-12-31, reason: r}\n"
		"    - {ops: a, owner: o, expires: 2027-12-31, reason: r, ceiling: 5%}\n"
		"    - {ops: a, owner: o, expires: 2028-12-31, reason: r, ceiling: 50%}\n");
	const struct waiver *old = policies_waiver_at(p, 1), *now = policies_waiver_at(p, 2);
	const struct waiver *wide = policies_waiver_at(p, 3);

	assert_null(waive(p, "b", 0.01, 20000));
	assert_ptr_equal(waive(p, "a", 0.9, 20818), old);
	assert_ptr_equal(waive(p, "a", 0.04, 20819), now);
	assert_ptr_equal(waive(p, "a", 0.2, 20819), wide);
	assert_ptr_equal(waive(p, "a", 0.9, 20819), old);
	assert_int_equal(old->hits, 2);
	assert_int_equal(wide->matches, 4);
	assert_int_equal(policies_waiver_at(p, 0)->matches, 0);
	policies_reset_hits(p);
	assert_int_equal(old->hits + old->matches + old->patterns->rule.hits, 0);
	policies_free(p);
}

TEST(command_line_wins_in_any_order)
{
	for (int before = 0; before < 2; before++) {
		struct policies *p = before ? policies_new() : read_good(whole);
		struct error err = {.kind = ERROR_NONE};

		set(p, "margin", "3%");
		set(p, "absolute", "1ms");
		set(p, "gone", "pass");
		set(p, "fail_on", "regressed");
		set(p, "blind", "fail");
		set(p, "improved", "pass");
		set(p, "baseline_expires", "2030-01-01");
		if (before)
			assert_int_equal(
				policies_read_memory(p, whole, strlen(whole), "s.yaml", &err), 0);
		assert_frac(p->standard.margin_frac, 0.03);
		assert_true(p->standard.margin_ps == 1e9 && p->standard.margin_bytes == 4000);
		assert_frac(p->standard.margin_share_frac, 0.001);
		assert_int_equal(p->standard.gone, POLICY_PASS);
		assert_int_equal(p->standard.executions, POLICY_FAIL);
		assert_int_equal(p->fail_on, FAIL_ON_REGRESSED);
		assert_true(p->blind_fails);
		assert_false(p->improved_reports);
		assert_int_equal(p->baseline_expires_day, 21915);
		assert_frac(policies_at(p, 0)->margin_frac, 0.05);
		assert_true(policies_at(p, 0)->margin_ps == 1e9);
		assert_frac(policies_at(p, 1)->margin_frac, 0.03);
		assert_int_equal(policies_at(p, 1)->gone, POLICY_PASS);
		policies_free(p);
	}
}

TEST(percentages_need_their_sign)
{
	expect_bad("gate: {margin: 2}", "s.yaml:1:16",
		"found \"2\" as margin, expected a percentage, an amount with its unit or both, as "
		"2%, 50us or 2%+50us",
		"write 2%");
	expect_bad("gate: {margin: 0.02}", "s.yaml:1:16",
		"found \"0.02\" as margin, expected a percentage, an amount with its unit or both, "
		"as 2%, 50us or 2%+50us",
		"write 0.02%, or 2% where the share 0.02 is meant");
	expect_bad("gate: {margin: {relative: 50us}}", "s.yaml:1:27",
		"found \"50us\" as relative margin, expected a percentage, as 2%", "");
	expect_bad("gate: {margin: {relative: -2%}}", "s.yaml:1:27",
		"found \"-2%\" as relative margin, expected a percentage, as 2%", "");
	expect_bad("gate: {margin: {share: 101%}}", "s.yaml:1:24",
		"found \"101%\" as share of the margin, expected a percentage of the step from 0% "
		"to 100%, as 0.1%",
		"");
	expect_bad("gate: {alpha: 0.05}", "s.yaml:1:15",
		"found \"0.05\" as alpha, expected a percentage above 0% and below 50%, as 5%",
		"write 0.05%, or 5% where the share 0.05 is meant");
	expect_bad("gate: {alpha: 95%}", "s.yaml:1:15",
		"found \"95%\" as alpha, expected a percentage above 0% and below 50%, as 5%",
		"alpha is how often an unchanged op may fail: 5% where the confidence is 95%");
	expect_bad("gate: {alpha: 0%}", "s.yaml:1:15",
		"found \"0%\" as alpha, expected a percentage above 0% and below 50%, as 5%", "");
	expect_bad("gate: {alpha: }", "s.yaml:1:15",
		"found nothing as alpha, expected a percentage above 0% and below 50%, as 5%", "");
	expect_bad("gate: {alpha: nan%}", "s.yaml:1:15",
		"found \"nan%\" as alpha, expected a percentage above 0% and below 50%, as 5%", "");
}

TEST(amounts_need_a_unit_that_fits)
{
	static const char expected[] =
		"expected a number with a unit of time or of bytes, as 50us or 4KB";
	char message[256];

	snprintf(message, sizeof(message), "found \"50\" as absolute margin, %s", expected);
	expect_bad("gate: {margin: {absolute: 50}}", "s.yaml:1:27", message, "");
	snprintf(message, sizeof(message), "found \"2%%\" as absolute margin, %s", expected);
	expect_bad("gate: {margin: {absolute: 2%}}", "s.yaml:1:27", message,
		"units: ps, ns, us, ms, s, min; B, KB, MB, GB, TB, KiB, MiB, GiB, TiB");
	snprintf(message, sizeof(message), "found \"5 count\" as absolute margin, %s", expected);
	expect_bad("gate: {margin: {absolute: 5 count}}", "s.yaml:1:27", message, "");
	snprintf(message, sizeof(message), "found \"1e308min\" as absolute margin, %s", expected);
	expect_bad("gate: {margin: {absolute: 1e308min}}", "s.yaml:1:27", message, "");
	expect_bad("gate: {margin: 5 sek}", "s.yaml:1:16",
		"found \"5 sek\" as margin, expected a percentage, an amount with its unit or "
		"both, as 2%, 50us or 2%+50us",
		"did you mean \"sec\"? units: ps, ns, us, ms, s, min; B, KB, MB, GB, TB, KiB, MiB, "
		"GiB, TiB");
	expect_bad("gate: {margin: {absolute: [1us, 2KB, 3ms]}}", "s.yaml:1:38",
		"found a second absolute margin for times, expected one (first at line 1)", "");
	expect_bad("gate: {margin: {absolute: []}}", "s.yaml:1:27",
		"found an empty list as absolute margin, expected 50us or 4KB, say", "");
	expect_bad("gate: {margin: [2%]}", "s.yaml:1:16",
		"found a list as margin, expected a value or a mapping with relative, absolute or "
		"share",
		"");
	expect_bad("gate: {policies: [{margin: 50us, measure: peak}]}", "s.yaml:1:28",
		"found an absolute margin in time for measure \"peak\", expected a unit of bytes, "
		"as 4KB",
		"");
	expect_bad("gate: {policies: [{measure: cpu, margin: {absolute: [1us, 4KB]}}]}",
		"s.yaml:1:59",
		"found an absolute margin in bytes for measure \"cpu\", expected a unit of time, "
		"as 50us",
		"");
	expect_bad("gate: {policies: [{measure: occurrence, margin: 4KB}]}", "s.yaml:1:49",
		"found an absolute margin in bytes for measure \"occurrence\", expected a "
		"percentage",
		"");
}

TEST(other_values_say_what_they_may_be)
{
	expect_bad("gate: {min_runs: 0}", "s.yaml:1:18",
		"found \"0\" as min_runs, expected a whole number of runs from 1", "");
	expect_bad("gate: {runs_expected: no}", "s.yaml:1:23",
		"found \"no\" as runs_expected, expected a whole number of runs from 1", "");
	expect_bad("gate: {min_runs: 2.5}", "s.yaml:1:18",
		"found \"2.5\" as min_runs, expected a whole number of runs from 1", "");
	expect_bad("gate: {gone: fails}", "s.yaml:1:14",
		"found \"fails\" as gone, expected pass or fail", "did you mean \"fail\"?");
	expect_bad("gate: {fail_on: slowe}", "s.yaml:1:17",
		"found \"slowe\" as fail_on, expected regressed or slower",
		"did you mean \"slower\"?");
	expect_bad("gate: {improved: fail}", "s.yaml:1:18",
		"found \"fail\" as improved, expected pass or report", "");
	expect_bad("gate: {blind: [fail]}", "s.yaml:1:15",
		"found a list as blind, expected a value", "");
	expect_bad("gate: {baseline_expires: 2026-02-30}", "s.yaml:1:26",
		"found \"2026-02-30\" as baseline_expires, expected a day that exists, as "
		"2027-06-30",
		"");
	expect_bad("gate: {policies: [{ops: a, watch: yes}]}", "s.yaml:1:35",
		"found \"yes\" as watch, expected false or true", "");
	expect_bad("gate: {policies: [{ops: a, name: ''}]}", "s.yaml:1:34",
		"found nothing as name, expected a text", "");
	expect_bad("gate: {policies: [{ops: a, measure: tima}]}", "s.yaml:1:37",
		"found \"tima\" as measure, expected the name of a measure",
		"did you mean \"time\"? measures are accelerator, cpu, requested, peak, residual, "
		"output, transferred, occurrence, time, micros, float_ops, achieved, matrix_bytes, "
		"matrix_rate, params, defined, delay");
}

TEST(keys_in_wrong_places_are_named)
{
	static const char gate_keys[] =
		"margin, alpha, min_runs, runs_expected, fail_on, blind, moved, lost, allow_loss, "
		"inconclusive, gone, new, executions, improved, baseline_expires, policies or "
		"waivers";
	char message[256];

	snprintf(message, sizeof(message), "found \"alpah\" as a key of gate, expected %s",
		gate_keys);
	expect_bad("gate: {alpah: 5%}", "s.yaml:1:8", message, "did you mean \"alpha\"?");
	snprintf(
		message, sizeof(message), "found \"ops\" as a key of gate, expected %s", gate_keys);
	expect_bad("gate: {ops: a}", "s.yaml:1:8", message, "\"ops\" belongs under \"policies\"");
	snprintf(message, sizeof(message), "found \"owner\" as a key of gate, expected %s",
		gate_keys);
	expect_bad(
		"gate: {owner: a}", "s.yaml:1:8", message, "\"owner\" belongs under \"waivers\"");
	snprintf(message, sizeof(message), "found \"a\", expected a mapping with %s", gate_keys);
	expect_bad("gate: a", "s.yaml:1:7", message, "");
	expect_bad("gate: {policies: [{ops: a, blind: pass}]}", "s.yaml:1:28",
		"found \"blind\" as a key of policies, expected name, ops, measure, margin, alpha, "
		"min_runs, inconclusive, gone, new, executions or watch",
		"\"blind\" belongs outside of \"policies\"");
	expect_bad("gate: {waivers: [{ops: a, expire: b}]}", "s.yaml:1:27",
		"found \"expire\" as a key of waivers, expected ops, measure, ceiling, owner, "
		"expires or reason",
		"did you mean \"expires\"?");
	expect_bad("margin: 2%", "s.yaml:1:1",
		"found \"margin\" as a key, expected select, rename, types, classes, report or "
		"gate",
		"\"margin\" belongs under \"gate\"");
	expect_bad("gate:\n  alpha: 5%\n  alpha: 1%\n", "s.yaml:3:3",
		"found \"alpha\" a second time, expected it once (first at line 2)", "");
}

TEST(patterns_are_checked_in_place)
{
	expect_bad("gate:\n  policies:\n    - ops:\n      - ok\n      - '(a'\n", "s.yaml:5:9",
		"policy pattern \"(a\": at character 3: missing closing parenthesis", "");
	expect_bad("gate: {waivers: {ops: 'a)'}}", "s.yaml:1:23",
		"waiver pattern \"a)\": at character 2: unmatched closing parenthesis", "");
	expect_bad("gate: {policies: [{ops: ''}]}", "s.yaml:1:25",
		"found an empty policy pattern, expected a pattern", "\".*\" matches every name");
	expect_bad("gate: {policies: [{ops: , measure: time}]}", "s.yaml:1:25",
		"found nothing as ops, expected a pattern or a list of them", "");
	expect_bad("gate: {policies: [{ops: [], measure: time}]}", "s.yaml:1:25",
		"found an empty list as ops, expected a pattern or a list of them", "");
	expect_bad("gate: {policies: [{ops: [{a: b}]}]}", "s.yaml:1:26",
		"found a mapping as ops, expected a pattern or a list of them", "");
	expect_bad("gate: {policies: [{margin: 2%}]}", "s.yaml:1:19",
		"found a policy without ops and measure, expected ops, measure or both", "");
}

TEST(match_limit_is_an_error_and_not_a_miss)
{
	static const char op[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!";
	struct policies *p = read_good("gate: {policies: [{ops: '(a+)+$'}]}");
	struct error err = {.kind = ERROR_NONE};

	assert_null(policies_find(p, op, MEASURE_TIME, &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "s.yaml:1:25");
	assert_string_equal(err.message, "policy pattern \"(a+)+$\" reached the match limit on op "
					 "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"");
	policies_free(p);
}

TEST(waiver_says_what_it_lacks)
{
	static const char rest[] = ", expected ops, owner, expires and reason";
	static const struct {
		const char *keys, *missing;
	} cases[] = {
		{"owner: o, expires: 2026-12-31, reason: r", "ops"},
		{"ops: a, expires: 2026-12-31, reason: r", "owner"},
		{"ops: a, owner: o, reason: r", "expires"},
		{"ops: a, owner: o, expires: 2026-12-31", "reason"},
		{"ops: a, ceiling: 5%", "owner, expires, reason"},
	};
	char yaml[256], message[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(yaml, sizeof(yaml), "gate:\n  waivers:\n  - {%s}\n", cases[i].keys);
		snprintf(message, sizeof(message), "found a waiver without %s%s", cases[i].missing,
			rest);
		expect_bad(yaml, "s.yaml:3:5", message, "");
	}
	expect_bad("gate: {waivers: [{ops: a, owner: }]}", "s.yaml:1:34",
		"found nothing as owner, expected a text", "");
	expect_bad("gate: {waivers: [{ops: a, reason: [b]}]}", "s.yaml:1:35",
		"found a list as reason, expected a value", "");
	expect_bad("gate: {waivers: [{ops: a, expires: soon}]}", "s.yaml:1:36",
		"found \"soon\" as expires, expected a day that exists, as 2027-06-30", "");
	expect_bad("gate: {waivers: [{ops: a, ceiling: 0.1}]}", "s.yaml:1:36",
		"found \"0.1\" as ceiling, expected a percentage, as 2%",
		"write 0.1%, or 10% where the share 0.1 is meant");
}

TEST(command_line_has_the_words_of_the_file)
{
	expect_set_bad("alpha", "5",
		"found \"5\" as alpha, expected a percentage above 0% and below 50%, as 5%",
		"write 5%");
	expect_set_bad("blind", "no", "found \"no\" as blind, expected pass or fail", "");
	expect_set_bad("margins", "5%", "unknown key of gate \"margins\"", "");
}

TEST(too_many_are_refused)
{
	static const char *const lists[] = {"policies", "waivers"};
	static char yaml[200000];

	for (size_t list = 0; list < 2; list++) {
		struct policies *p = policies_new();
		struct error err = {.kind = ERROR_NONE};
		size_t used = (size_t)snprintf(yaml, sizeof(yaml), "gate:\n  %s:\n", lists[list]);

		for (int i = 0; i < 1001; i++)
			used += (size_t)snprintf(yaml + used, sizeof(yaml) - used,
				"  - {ops: a%s}\n",
				list ? ", owner: o, expires: 2026-12-31, reason: r" : "");
		assert_true(used < sizeof(yaml));
		assert_int_equal(policies_read_memory(p, yaml, used, "s.yaml", &err), -1);
		assert_int_equal(err.kind, ERROR_LIMIT);
		assert_non_null(strstr(err.message, lists[list]));
		policies_free(p);
	}
}

static void expect_diff(const char *in_force, const char *other, const char *want)
{
	struct policies *a = read_good(in_force), *b = read_good(other);
	struct text text;

	text_init(&text);
	policies_diff(a, b, &text);
	assert_string_equal(text_string(&text), want);
	text_release(&text);
	policies_free(a);
	policies_free(b);
}

/* What another file would change, in words; by hand from doc/ci.md. */
TEST(differences_of_files)
{
	const char *const two = "gate: {policies: [{name: a, ops: x}, {name: b, ops: y}]}";

	expect_diff("gate: {margin: 2%}", "gate: {margin: 2%}", "");
	expect_diff("gate: {margin: 2%}", "gate: {margin: 50%, blind: pass}",
		"margin 2% -> 50%, blind fail -> pass");
	expect_diff("gate: {margin: 2%}", "gate: {margin: 10us}", "margin in time none -> 10us");
	expect_diff("gate: {margin: 2%}", "gate: {margin: 5%+10us}",
		"margin 2% -> 5%, margin in time none -> 10us");
	expect_diff("gate: {min_runs: 3}", "gate: {min_runs: 5, inconclusive: fail}",
		"min_runs 3 -> 5, inconclusive pass -> fail");
	expect_diff("gate: {runs_expected: 5}", "gate: {runs_expected: 4}", "runs_expected 5 -> 4");
	expect_diff(two, two, "");
	expect_diff("gate: {}", two, "2 policies added or changed");
	expect_diff(two, "gate: {policies: [{name: a, ops: x}]}", "1 policy removed or changed");
	expect_diff(two, "gate: {policies: [{name: a, ops: x, margin: 9%}, {name: b, ops: y}]}",
		"1 policy added or changed, 1 policy removed or changed");
	expect_diff(two, "gate: {policies: [{name: b, ops: y}, {name: a, ops: x}]}",
		"order of policies changed");
}
