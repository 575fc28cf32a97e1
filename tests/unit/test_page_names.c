/* Names of benchmarks as their tools spell them, taken apart by hand. */
#include "base/arena.h"
#include "report/page/page_names.h"
#include "tests/unit/test.h"

TEST(names_have_parts)
{
	static const struct {
		const char *name, *package, *bench, *params;
	} want[] = {
		{"benchmarks/test_suite.py::test_parse", "benchmarks/test_suite.py", "test_parse",
			""},
		{"bench.py::test_fib[20-json]", "bench.py", "test_fib", "1=20;2=json;"},
		{"a.py::test[n=4-x]", "a.py", "test", "n=4;2=x;"},
		{"github.com/gofiber/fiber/v3/cache.Append/size=64/op=read",
			"github.com/gofiber/fiber/v3/cache", "Append", "size=64;op=read;"},
		{"BM_SetInsert/1024/8", "", "BM_SetInsert", "1=1024;2=8;"},
		{"BM_Copy<int>/64", "", "BM_Copy<int>", "1=64;"},
		{"fast/timestamp/now", "fast/timestamp", "now", ""},
		{"fib/20", "", "fib", "1=20;"},
		{"20", "", "20", ""},
		{"tests::benchmark_a", "tests", "benchmark_a", ""},
		{"sort.bench.ts > sorting > reverse", "sort.bench.ts > sorting", "reverse", ""},
		{"fib.bench.ts > fibonacci > fib(20)", "fib.bench.ts > fibonacci", "fib(20)", ""},
		{"org.openjdk.JMHSample.hello (size=10, kind=a)", "org.openjdk.JMHSample", "hello",
			"size=10;kind=a;"},
		{"sleep 0.01", "", "sleep 0.01", ""},
		{"Fibonacci-15_bench", "", "Fibonacci-15_bench", ""},
		{"a/b=1/c", "a/b=1", "c", ""},
		{"x[1-2-3-4-5]", "", "x", "1=1;2=2;3=3;4=4;"},
		{"[1,2]*1000", "", "[1,2]*1000", ""},
		{"", "", "", ""},
		{"/", "", "/", ""},
		{"a::", "", "a::", ""},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		const struct name_parts *parts = name_parts_find(arena, &want[i].name, 1);
		char params[200] = "";

		for (size_t k = 0; k < parts->params; k++)
			snprintf(params + strlen(params), sizeof(params) - strlen(params), "%s=%s;",
				parts->param[k][0], parts->param[k][1]);
		assert_string_equal(parts->package, want[i].package);
		assert_string_equal(parts->bench, want[i].bench);
		assert_string_equal(params, want[i].params);
	}
	arena_free(arena);
}

/* Threads of Go go where all names have them, and only there. */
TEST(common_threads_go)
{
	static const char *const all[] = {"p.A/size=64-8", "p.B-8"}, *const some[] = {
									     "p.A-8", "p.B-16"};
	struct arena *arena = arena_new();

	assert_string_equal(name_parts_find(arena, all, 2)[0].param[0][1], "64");
	assert_string_equal(name_parts_find(arena, all, 2)[1].bench, "B");
	assert_string_equal(name_parts_find(arena, some, 2)[1].bench, "B-16");
	arena_free(arena);
}

/* 13 packages of two parts are cut to the first parts; 12 are not. */
TEST(packages_are_few)
{
	struct arena *arena = arena_new();
	const char *name[PACKAGES_MOST + 1];

	for (size_t i = 0; i <= PACKAGES_MOST; i++)
		name[i] = arena_printf(arena, "top/p%c/bench", (int)('a' + i));
	assert_string_equal(name_parts_find(arena, name, PACKAGES_MOST)[1].package, "top/pb");
	assert_string_equal(name_parts_find(arena, name, PACKAGES_MOST + 1)[1].package, "top");
	for (size_t i = 0; i <= PACKAGES_MOST; i++)
		name[i] = arena_printf(arena, "p%c/bench", (int)('a' + i));
	assert_string_equal(name_parts_find(arena, name, PACKAGES_MOST + 1)[1].package, "");
	arena_free(arena);
}
