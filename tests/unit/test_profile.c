/* Building a profile: ops by name, caps, absent cells; the list of issues and the table of
 * measures. */
#include "model/profile.h"
#include "tests/unit/test.h"

TEST(op_index_is_that_of_its_name)
{
	struct profile *p = profile_new("runs/profile_1");
	bool is_new;

	assert_string_equal(p->path, "runs/profile_1");
	assert_int_equal(profile_op(p, "a", 1, &is_new, &profile_limits_default), 0);
	assert_true(is_new);
	assert_int_equal(profile_op(p, "bb/c", 4, &is_new, &profile_limits_default), 1);
	assert_true(is_new);
	assert_int_equal(profile_op(p, "a", 1, &is_new, &profile_limits_default), 0);
	assert_false(is_new);
	assert_int_equal(p->op_count, 2);
	assert_string_equal(p->op[1].name, "bb/c");
	assert_string_equal(p->op[1].type, "");
	assert_string_equal(p->op[1].device, "");
	profile_free(p);
}

/* A zero byte is part of the name, and names stay strings: it is the op that the visible form
 * names. */
TEST(zero_byte_is_part_of_the_name)
{
	struct profile *p = profile_new("f");
	bool is_new;

	assert_int_equal(profile_op(p, "a", 1, &is_new, &profile_limits_default), 0);
	assert_int_equal(profile_op(p, "a\0b", 3, &is_new, &profile_limits_default), 1);
	assert_true(is_new);
	assert_string_equal(p->op[1].name, "a\\0b");
	assert_int_equal(profile_op(p, "a\\0b", 4, &is_new, &profile_limits_default), 1);
	assert_false(is_new);
	profile_free(p);
}

TEST(names_past_the_cap_share_one_op)
{
	struct profile *p = profile_new("f");
	struct profile_limits limits = {10, 10, 10, 0};
	char name[20];
	bool is_new;

	for (int i = 0; i < 13; i++) {
		snprintf(name, sizeof(name), "op%d", i);
		uint32_t id = profile_op(p, name, strlen(name), &is_new, &limits);

		assert_int_equal(id, i < 10 ? i : 10);
		assert_true(is_new == (i <= 10));
	}
	assert_int_equal(profile_op(p, "op3", 3, &is_new, &limits), 3);
	assert_int_equal(p->op_count, 11);
	assert_string_equal(p->op[10].name, "[other names]");
	assert_int_equal(p->issues.count, 1);
	assert_string_equal(p->issues.issue[0].code, "names-capped");
	assert_int_equal(p->issues.issue[0].count, 3);
	assert_int_equal(p->issues.issue[0].severity, ISSUE_LOSS);
	assert_non_null(strstr(p->issues.issue[0].text, "max-ops"));
	profile_free(p);
}

TEST(names_past_so_many_bytes_share_one_op)
{
	struct profile *p = profile_new("f");
	const struct profile_limits limits = {10, 10, 10, 9};
	bool is_new;

	assert_int_equal(profile_op(p, "abcd", 4, &is_new, &limits), 0);
	assert_int_equal(profile_op(p, "long name", 9, &is_new, &limits), 1); /* 13 bytes */
	assert_string_equal(p->op[1].name, "[other names]");
	assert_int_equal(profile_op(p, "a name of more bytes", 20, &is_new, &limits), 1);
	assert_int_equal(profile_op(p, "abcd", 4, &is_new, &limits), 0);
	assert_int_equal(p->issues.issue[0].count, 2);
	assert_non_null(strstr(p->issues.issue[0].text, "first 9 bytes of names (max-names)"));
	profile_free(p);
}

TEST(names_of_runs_are_capped)
{
	struct profile *p = profile_new("f");
	const struct profile_limits limits = {10, 10, 10, 16};
	struct error err = {.kind = ERROR_NONE};
	const struct step same = {.run = "ab"}, other = {.run = "cde"};
	uint32_t index;

	for (int i = 0; i < 5; i++)
		assert_int_equal(profile_add_step(p, &same, &index, &limits, &err), 0);
	assert_int_equal(profile_add_step(p, &other, &index, &limits, &err), -1); /* 5 bytes of 4 */
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_non_null(strstr(err.hint, "max-names"));
	profile_free(p);
}

TEST(columns_grow_together_and_start_absent)
{
	struct profile *p = profile_new("f");
	struct error err = {.kind = ERROR_NONE};

	profile_have(p, MEASURE_CPU);
	profile_have(p, MEASURE_PEAK);
	profile_have(p, MEASURE_CPU);
	for (size_t i = 0; i < 3000; i++) {
		size_t row;

		assert_int_equal(profile_observe(p, (uint32_t)(i % 7), (uint32_t)(i / 7), &row,
					 &profile_limits_default, &err),
			0);
		assert_int_equal(row, i);
		p->obs.column[MEASURE_CPU][row] = (int64_t)i;
	}
	assert_int_equal(p->obs.count, 3000);
	assert_null(p->obs.column[MEASURE_REQUESTED]);
	for (size_t i = 0; i < 3000; i++) {
		assert_int_equal(p->obs.op[i], i % 7);
		assert_int_equal(p->obs.step[i], i / 7);
		assert_int_equal(p->obs.column[MEASURE_CPU][i], i);
		assert_true(p->obs.column[MEASURE_PEAK][i] == CELL_ABSENT);
	}
	profile_free(p);
}

TEST(many_at_once_start_as_zero)
{
	const struct profile_limits limits = {.ops = 1, .steps = 1, .observations = 700};
	struct profile *p = profile_new("p");
	struct error err = {.kind = ERROR_NONE};
	size_t row;

	profile_have(p, MEASURE_CPU);
	assert_int_equal(profile_observe_many(p, 300, &row, &limits, &err), 0);
	assert_int_equal(row, 0);
	assert_int_equal(profile_observe(p, 0, 0, &row, &limits, &err), 0);
	assert_int_equal(row, 300);
	assert_true(p->obs.column[MEASURE_CPU][row] == CELL_ABSENT);
	assert_int_equal(profile_observe_many(p, 399, &row, &limits, &err), 0);
	assert_int_equal(row, 301);
	assert_int_equal(p->obs.count, 700);
	for (size_t i = 0; i < p->obs.count; i++)
		assert_true(i == 300 || p->obs.column[MEASURE_CPU][i] == 0);
	assert_null(p->obs.column[MEASURE_PEAK]);
	assert_int_equal(profile_observe_many(p, 1, &row, &limits, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	profile_free(p);
}

TEST(caps_name_their_option)
{
	struct profile *p = profile_new("f");
	struct profile_limits limits = {10, 2, 3, 0};
	struct error err = {.kind = ERROR_NONE};
	struct step step = {.number = 5};
	uint32_t index;
	size_t row;

	assert_int_equal(profile_add_step(p, &step, &index, &limits, &err), 0);
	assert_int_equal(profile_add_step(p, &step, &index, &limits, &err), 0);
	assert_int_equal(index, 1);
	assert_int_equal(profile_add_step(p, &step, &index, &limits, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.place, "f");
	assert_string_equal(err.message, "more than 2 steps");
	assert_string_equal(err.hint, "allow more with max-steps in stepstat.yaml");
	for (int i = 0; i < 3; i++)
		assert_int_equal(profile_observe(p, 0, 0, &row, &limits, &err), 0);
	assert_int_equal(profile_observe(p, 0, 0, &row, &limits, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.hint, "allow more with max-observations in stepstat.yaml");
	profile_free(p);
	profile_free(NULL);
}

TEST(issues_count_and_keep_the_first_place)
{
	struct arena *arena = arena_new();
	struct issue_list a, b;

	issue_list_init(&a, arena);
	issue_list_init(&b, arena);
	issue_add(&a, ISSUE_LOSS, "start-missing", "without a start", 2, "f: op a");
	issue_add(&a, ISSUE_LOSS, "start-missing", "without a start", 3, "f: op b");
	issue_add(&a, ISSUE_INFO, "never", "counted 0 times", 0, "f");
	assert_int_equal(a.count, 1);
	assert_int_equal(a.issue[0].count, 5);
	assert_string_equal(a.issue[0].place, "f: op a");
	for (int i = 0; i < 40; i++) {
		char code[32];

		snprintf(code, sizeof(code), "code-%d", i);
		issue_add(&b, ISSUE_INFO, code, "text", 1, NULL);
	}
	issue_add(&b, ISSUE_LOSS, "start-missing", "without a start", 1, "g: op c");
	issue_list_join(&a, &b);
	assert_int_equal(a.count, 41);
	assert_int_equal(a.issue[0].count, 6);
	assert_string_equal(a.issue[1].code, "code-0");
	assert_string_equal(a.issue[40].place, "");
	arena_free(arena);
}

TEST(measures_are_found_by_name)
{
	struct error err = {.kind = ERROR_NONE};

	for (size_t i = 0; i < MEASURE_COUNT; i++) {
		if (measure_is_own((enum measure_id)i))
			continue;
		const struct measure *m = measure_at((enum measure_id)i);

		assert_int_equal(m->id, i);
		assert_ptr_equal(measure_find(m->name, &err), m);
		assert_true((m->kind == MEASURE_RECORDED) == (i < MEASURE_RECORDED_COUNT));
	}
	assert_int_equal(measure_find("requested", &err)->dimension, DIMENSION_BYTES);
	assert_int_equal(measure_find("accelerator", &err)->dimension, DIMENSION_TIME);
	assert_int_equal(measure_find("occurrence", &err)->dimension, DIMENSION_COUNT);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_null(measure_find("requsted", &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, "unknown measure \"requsted\"");
	assert_non_null(strstr(err.hint, "did you mean \"requested\"?"));
	assert_non_null(strstr(err.hint, "accelerator, cpu, requested, peak, residual, output, "
					 "transferred, occurrence, time, micros, float_ops, "
					 "achieved, matrix_bytes, matrix_rate, params"));
}
