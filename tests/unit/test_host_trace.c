/* Names of the host tracer, and what is nested in what, with and without threads. */
#include "tfprof/graph/host_trace.h"
#include "tests/unit/test.h"

TEST(names_and_types)
{
	static const struct {
		const char *recorded, *name, *type;
	} sample[] = {
		{"Iterator::Model::Map", "Iterator::Model::Map", "Iterator::Map"},
		{"Iterator::Model::ParallelInterleaveV2[3]::FlatMap[12]",
			"Iterator::Model::ParallelInterleaveV2[3]::FlatMap[12]",
			"Iterator::FlatMap"},
		{"Iterator", "Iterator", "Iterator"},
		{"map/while/Cast:Cast", "map/while/Cast", "Cast"},
		{"Iterator::Model::Map:MapDataset", "Iterator::Model::Map", "MapDataset"},
		{"ExecutorState::Process", "ExecutorState::Process", ""},
		{"EagerExecute: Add", "EagerExecute: Add", ""},
		{"IteratorGetNext", "IteratorGetNext", ""},
		{"MatMul", "MatMul", ""},
		{"a:", "a", ""},
		{":", "", ""},
		{"a:::b", "a:::b", ""},
		{"", "", ""},
	};
	struct text type;

	text_init(&type);
	for (size_t i = 0; i < sizeof(sample) / sizeof(sample[0]); i++) {
		size_t n = strlen(sample[i].recorded);

		assert_int_equal(host_trace_name(sample[i].recorded, n), strlen(sample[i].name));
		host_trace_type(sample[i].recorded, n, &type);
		assert_string_equal(text_string(&type), sample[i].type);
	}
	text_release(&type);
}

TEST(devices)
{
	assert_true(device_is_host_trace("/host:CPU", 9));
	assert_true(device_is_host_trace("/job:worker/task:0/host:cpu", 27));
	assert_true(device_is_host_trace("/host:CPU Compute", 17));
	assert_false(device_is_host_trace("/host:CPU:0", 11));
	assert_false(device_is_host_trace("/device:CPU:0", 13));
	assert_false(device_is_host_trace("cpu", 3));
	assert_false(device_is_host_trace("", 0));
}

struct expected {
	const char *name;
	uint32_t thread;
	int64_t start, dur, own;
};

static void check(const struct expected *e, size_t count, bool threads)
{
	struct host_span span[16];

	assert_true(count <= 16);
	for (size_t i = 0; i < count; i++) /* the order must not matter */
		span[count - 1 - i] = (struct host_span){.name = e[i].name,
			.name_size = strlen(e[i].name),
			.thread = e[i].thread,
			.id = i,
			.start = e[i].start,
			.dur = e[i].dur};
	host_trace_nest(span, count, threads, 1);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(span[i].own, e[span[i].id].own);
}

#define CHECK(e, threads) check(e, sizeof(e) / sizeof((e)[0]), threads)

TEST(threads_tell_what_is_nested)
{
	static const struct expected e[] = {
		{"SessionRun", 1, 0, 100, 70}, {"Iterator::A", 1, 10, 30, 5},
		{"Iterator::A::B", 1, 10, 25, 15}, {"x:X", 1, 20, 10, 10}, {"y:Y", 2, 20, 10, 10},
		{"over", 2, 25, 10, 10}, /* overlaps: nested in nothing */
		{"late", 3, 0, 9, 1},
		{"later", 3, 1, 9, 9}, /* ends a tick late: times are cut off */
	};

	CHECK(e, true);
}

TEST(names_tell_what_is_nested)
{
	static const struct expected e[] = {
		{"Iterator::A", 0, 0, 100, 40},
		{"Iterator::A::B", 0, 0, 50, 20},
		{"Iterator::A::B::C", 0, 10, 30, 20},
		{"x", 0, 15, 10, 10}, /* in the innermost of the one chain */
		{"Iterator::A::B", 0, 60, 10, 10},
		{"Iterator::AB", 0, 75, 5, 5}, /* not below A */
		{"y", 0, 76, 1, 1},	       /* two chains are open */
		{"SessionRun", 0, 0, 200, 200},
	};
	static const struct expected pipes[] = {
		{"Iterator::Prefetch", 0, 0, 100, 100},
		{"Iterator::Prefetch::Map", 0, 10, 80, 60},
		{"Iterator::Prefetch::Map::Shuffle", 0, 20, 20, 20},
		{"Iterator::Z", 0, 200, 100, 100},
		{"Iterator::Z::ParallelInterleaveV3[2]::TFRecord", 0, 210, 10, 10},
	};

	CHECK(e, false);
	CHECK(pipes, false);
}

TEST(equal_times_nest_by_name)
{
	static const struct expected e[] = {
		{"Iterator::A::B::C", 7, 5, 10, 10},
		{"Iterator::A", 7, 5, 10, 0},
		{"Iterator::A::B", 7, 5, 10, 0},
	};

	CHECK(e, true);
	CHECK(e, false);
}
