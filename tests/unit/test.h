/* Unit tests: TEST(name) { ... } is a test, and all of a file run in the order in which they
 * stand. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TESTS_MOST 100

static struct CMUnitTest tests[TESTS_MOST];
static size_t test_count;
/* Around all; NULL: nothing. */
static CMFixtureFunction tests_set_up, tests_tear_down;

/* Runs before any test. */
#define TESTS_BEGIN(statement)                                                                     \
	__attribute__((constructor)) static void tests_begin(void)                                 \
	{                                                                                          \
		statement;                                                                         \
	}                                                                                          \
	static void tests_begin(void)

/* With what is called before and after it. */
#define TEST_WITH(name, set_up, tear_down)                                                         \
	static void name(void **state);                                                            \
	__attribute__((constructor)) static void add_##name(void)                                  \
	{                                                                                          \
		if (test_count == TESTS_MOST)                                                      \
			abort();                                                                   \
		tests[test_count++] = (struct CMUnitTest){#name, name, set_up, tear_down, NULL};   \
	}                                                                                          \
	static void name(__attribute__((unused)) void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

int main(void)
{
	return _cmocka_run_group_tests("tests", tests, test_count, tests_set_up, tests_tear_down);
}
