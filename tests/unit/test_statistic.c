/* The table of statistics and the choice by name. */
#include "analysis/statistic.h"
#include "tests/unit/test.h"

TEST(every_statistic_is_chosen_by_its_name)
{
	for (size_t i = 0; i < STATISTIC_COUNT; i++) {
		const struct statistic *statistic = statistic_at((enum statistic_id)i);
		struct statistic_choice choice;
		struct error err;

		assert_int_equal(statistic->id, i);
		assert_true(strlen(statistic->summary) > 5);
		assert_true(statistic->digits == 12 || statistic->digits == 15);
		if (statistic_has_order(i))
			continue;
		assert_int_equal(statistic_choose(statistic->name, &choice, &err), 0);
		assert_ptr_equal(choice.statistic, statistic);
		assert_string_equal(choice.name, statistic->name);
	}
}

TEST(percentiles_carry_their_order)
{
	static const struct {
		const char *name;
		double p;
	} good[] = {{"p0", 0}, {"p50", 0.5}, {"p95", 0.95}, {"p99.9", 0.999}, {"p100", 1}};

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct statistic_choice choice;
		struct error err;

		assert_int_equal(statistic_choose(good[i].name, &choice, &err), 0);
		assert_int_equal(choice.statistic->id, STATISTIC_QUANTILE);
		assert_true(choice.p > good[i].p - 1e-15 && choice.p < good[i].p + 1e-15);
		assert_string_equal(choice.name, good[i].name);
	}
}

TEST(ends_of_percentiles_carry_their_order)
{
	struct statistic_choice choice;
	struct error err;

	assert_int_equal(statistic_choose("p99.9low", &choice, &err), 0);
	assert_int_equal(choice.statistic->id, STATISTIC_QUANTILE_LOW);
	assert_true(choice.p > 0.999 - 1e-15 && choice.p < 0.999 + 1e-15);
	assert_int_equal(statistic_choose("p50high", &choice, &err), 0);
	assert_int_equal(choice.statistic->id, STATISTIC_QUANTILE_HIGH);
	assert_true(choice.p == 0.5);
}

static void check_wrong(const char *name, const char *message, const char *hint)
{
	struct statistic_choice choice;
	struct error err = {0};

	assert_int_equal(statistic_choose(name, &choice, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.place, "--stats");
	assert_string_equal(err.message, message);
	assert_string_equal(err.hint, hint);
}

TEST(wrong_names_are_answered)
{
	static const char list[] = "`stepstat help statistics` lists them";

	check_wrong("meen", "unknown statistic \"meen\"",
		"did you mean \"mean\"? `stepstat help statistics` lists them");
	check_wrong("frobnication", "unknown statistic \"frobnication\"", list);
	check_wrong("", "unknown statistic \"\"", list);
	check_wrong("pN", "unknown statistic \"pN\"",
		"percentiles are p and a number: p50, p95, p99.9");
	check_wrong("p100.1", "percentile \"p100.1\" is not between p0 and p100", "");
	check_wrong("p-0.1", "percentile \"p-0.1\" is not between p0 and p100", "");
}

TEST(names_are_matched_exactly)
{
	struct statistic_choice choice;
	struct error err;

	assert_int_equal(statistic_choose("Mean", &choice, &err), -1);
	assert_int_equal(statistic_choose("mea", &choice, &err), -1);
	assert_int_equal(statistic_choose("p50 ", &choice, &err), -1);
	assert_int_equal(statistic_choose("P50", &choice, &err), -1);
}
