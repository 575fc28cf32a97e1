/* Facts of a recording: their texts, and what readers find in files. */
#include "base/text.h"
#include "ingest/reader.h"
#include "tests/unit/test.h"

static const struct read_options options = {
	.limits = {.ops = 100, .steps = 100, .observations = 1000},
	.max_record_bytes = 1 << 20,
	.trace = {.sort_bytes = 1 << 16},
};

static struct profile *read_as(const char *reader, const char *path, const char *bytes)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory((const unsigned char *)bytes, strlen(bytes), path);
	struct profile *p = profile_new(path);

	assert_int_equal(reader_find(reader, &err)->read(in, p, &options, &err), 0);
	input_close(in);
	return p;
}

#define EVENTS                                                                                     \
	"\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", "          \
	"\"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 2}]"

#define HEAD                                                                                       \
	"\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA A100\", "     \
	"\"numSms\": 108}, {\"id\": 1, \"name\": \"Tesla V100\"}, {\"id\": 2, "                    \
	"\"name\": \"NVIDIA A100\"}], \"cuda_runtime_version\": 12040, "                           \
	"\"cuda_driver_version\": 12090, \"host_name\": \"node\\u00377\", "                        \
	"\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8, "            \
	"\"pg_config\": [{\"pg_size\": 2, \"ranks\": [0, 1], \"rank\": 1}]}, "                     \
	"\"torch_version\": \"2.4.0\", \"batch_size\": \"32\", \"git_sha\": "                      \
	"\"0123456\", \"machine\": \"runner-3\", \"device_model\": \"of the user\""

static void check_kineto(const char *bytes)
{
	struct profile *p = read_as("kineto", "a.json", bytes);

	assert_string_equal(p->facts.rank, "3");
	assert_int_equal(p->facts.world_size, 8);
	assert_string_equal(p->facts.backend, "nccl");
	assert_string_equal(p->facts.host, "node77");
	assert_string_equal(p->facts.device_model, "NVIDIA A100, Tesla V100");
	assert_int_equal(p->facts.device_count, 3);
	assert_string_equal(p->facts.driver, "CUDA 12.9, runtime 12.4");
	assert_string_equal(p->facts.framework, "PyTorch 2.4.0");
	assert_int_equal(p->facts.batch, 32);
	assert_string_equal(p->facts.commit, "0123456");
	assert_string_equal(p->facts.machine, "runner-3");
	profile_free(p);
}

/* Facts of a device that PyTorch has no properties of, and of any trace. */
TEST(programs_say_it)
{
	static const char *const readers[] = {"kineto", "chrome"};

	for (size_t i = 0; i < 2; i++) {
		struct profile *p = read_as(readers[i], "a.json",
			"{\"schemaVersion\": 1, \"deviceProperties\": [], \"otherData\": {\"run\": "
			"{\"commit\": \"beef\", \"host_name\": \"h\"}, \"commit\": \"2nd\"}, "
			"\"gpu_name\": \"Gaudi 3\", \"machine\": \"x86_64\", \"batch\": 8, "
			"\"rank\": 5, " EVENTS "}");

		assert_string_equal(p->facts.commit, "beef");
		assert_string_equal(p->facts.host, "h");
		assert_string_equal(p->facts.device_model, "Gaudi 3");
		assert_int_equal(p->facts.batch, 8);
		assert_null(p->facts.machine);
		assert_null(p->facts.rank);
		profile_free(p);
	}
}

TEST(kineto_says_it_before_or_after_the_events)
{
	check_kineto("{" HEAD ", " EVENTS "}");
	check_kineto("{" EVENTS ", " HEAD "}");
}

static void check_driver(const char *members, const char *driver)
{
	char bytes[1000];
	struct profile *p;

	snprintf(bytes, sizeof(bytes), "{\"schemaVersion\": 1, %s, " EVENTS "}", members);
	p = read_as("kineto", "a.json", bytes);
	if (driver)
		assert_string_equal(p->facts.driver, driver);
	else
		assert_null(p->facts.driver);
	profile_free(p);
}

TEST(versions_of_drivers)
{
	check_driver("\"hip_driver_version\": 60443483, \"hip_runtime_version\": 60443483",
		"HIP 6.4.43483, runtime 6.4.43483");
	check_driver("\"cuda_driver_version\": 11080", "CUDA 11.8");
	check_driver("\"cuda_runtime_version\": 10010", "CUDA runtime 10.1");
	check_driver("\"cuda_driver_version\": \"575.51\"", "CUDA 575.51");
	check_driver("\"cuda_driver_version\": 12091", "CUDA 12091");
	check_driver("\"cuda_driver_version\": 12", "CUDA 12");
	check_driver("\"cuda_driver_version\": {}", NULL);
}

TEST(nothing_said_is_nothing_known)
{
	char number[FACT_NUMBER_BYTES];
	struct profile *p = read_as("kineto", "rank-7.json",
		"{\"schemaVersion\": 1, \"deviceProperties\": [], \"distributedInfo\": {\"rank\": "
		"{}, \"world_size\": -1, \"backend\": \"\"}, \"host_name\": null, " EVENTS "}");

	for (enum fact_id id = 0; id < FACT_COUNT; id++)
		if (id != FACT_PID) /* events have it */
			assert_null(facts_text(&p->facts, id, number));
	profile_free(p);
}

TEST(described_inside)
{
	struct profile *p = read_as("kineto", "a.json",
		"{\"metadata\": {\"system\": {\"torch_env_info\": {\"torch_version\": "
		"\"2.6.0+cu124\", \"cuda_runtime_version\": \"12.8\"}}, \"task\": {\"shape\": "
		"{\"batch_size\": 16}}}, \"schemaVersion\": 1, " EVENTS "}");

	assert_string_equal(p->facts.framework, "PyTorch 2.6.0+cu124");
	assert_int_equal(p->facts.batch, 16);
	assert_null(p->facts.driver);
	profile_free(p);
}

static const char *host_of(const char *path, const char *process, struct profile **p)
{
	char bytes[1000];

	snprintf(bytes, sizeof(bytes),
		"{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\"traceEvents\":"
		"[{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}},{"
		"\"ph\":\"X\",\"name\":\"op\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}]}",
		process);
	*p = read_as("jax-trace", path, bytes);
	return (*p)->facts.host;
}

static void check_host(const char *path, const char *process, const char *host)
{
	struct profile *p;
	const char *found = host_of(path, process, &p);

	if (host)
		assert_string_equal(found, host);
	else
		assert_null(found);
	profile_free(p);
}

TEST(jax_hosts)
{
	check_host("a.trace.json.gz", "/host:CPU", NULL);
	check_host("a.trace.json.gz", "node7 /device:TPU:0", "node7");
	check_host("logs/plugins/profile/2026_01_02/node8.trace.json.gz", "/host:CPU", "node8");
	check_host("plugins/profile/2026_01_02/n.trace.json", "/host:CPU", "n");
	check_host("plugins/profile/n.trace.json", "/host:CPU", NULL);
	check_host("myplugins/profile/d/n.trace.json", "/host:CPU", NULL);
	check_host("plugins/profile/d/.trace.json", "/host:CPU", NULL);
	check_host("plugins/profile/d/n.json", "/host:CPU", NULL);
}

/* 20 000 devices of other names: the text ends, and reading takes no more than the file. */
TEST(long_texts_end)
{
	struct text bytes;
	struct profile *p;

	text_init(&bytes);
	text_add(&bytes, "{\"schemaVersion\": 1, \"host_name\": \"");
	for (size_t i = 0; i < 999; i++)
		text_add(&bytes, "h");
	text_add(
		&bytes, "\xc3\xa4\", \"distributedInfo\": {\"rank\": -1}, \"deviceProperties\": [");
	for (size_t i = 0; i < 20000; i++)
		text_printf(&bytes, "%s{\"name\": \"device %zu\"}", i ? ", " : "", i);
	text_add(&bytes, "], " EVENTS "}");
	p = read_as("kineto", "a.json", text_string(&bytes));
	text_release(&bytes);
	assert_int_equal(p->facts.device_count, 20000);
	assert_true(strlen(p->facts.device_model) < FACT_TEXT_MOST + 20);
	assert_int_equal(strlen(p->facts.host), 999);
	assert_null(p->facts.rank);
	assert_true(arena_size_bytes(p->arena) < 8 << 20);
	profile_free(p);
}

TEST(texts_are_clean)
{
	struct arena *arena = arena_new();
	struct facts facts = {0};
	char number[FACT_NUMBER_BYTES];

	facts_set(&facts, arena, FACT_HOST, "a\n\0b", 4);
	assert_string_equal(facts.host, "a\\x0a\\0b");
	facts_set(&facts, arena, FACT_WORLD_SIZE, "12", 2);
	facts_set(&facts, arena, FACT_WORLD_SIZE, "-3", 2);
	facts_set(&facts, arena, FACT_WORLD_SIZE, "x", 1);
	assert_string_equal(facts_text(&facts, FACT_WORLD_SIZE, number), "12");
	facts_add(&facts, arena, FACT_DEVICE_MODEL, "H100", 4);
	facts_add(&facts, arena, FACT_DEVICE_MODEL, "H", 1);
	facts_add(&facts, arena, FACT_DEVICE_MODEL, "H100", 4);
	facts_add(&facts, arena, FACT_DEVICE_MODEL, "", 0);
	facts_add(&facts, arena, FACT_DEVICE_MODEL, "H", 1);
	assert_string_equal(facts.device_model, "H100, H");
	assert_int_equal(fact_find("world_size"), FACT_WORLD_SIZE);
	assert_int_equal(fact_find("World"), FACT_COUNT);
	arena_free(arena);
}

/* 100 hosts, some in several files, in any order. */
TEST(values_are_counted)
{
	struct arena *arena = arena_new();
	struct fact_lists lists = {0}, joined = {0};
	uint64_t files = 0;

	assert_true(fact_lists_are_empty(&lists));
	for (size_t i = 0; i < 300; i++) {
		const size_t host = i * 7 % 100;
		const char *name = arena_printf(arena, "node%zu", host);
		const struct facts facts = {
			.host = name, .world_size = 8, .rank = host < 50 ? name : NULL};

		fact_lists_add_file(&lists, arena, &facts,
			arena_printf(arena, "rank%zu-%zu.json", host, 2 - i / 100));
	}
	fact_lists_join(&joined, arena, &lists);
	fact_lists_join(&joined, arena, &lists);
	fact_lists_sort(&joined);
	assert_false(fact_lists_are_empty(&joined));
	assert_int_equal(joined.of[FACT_HOST].count, 100);
	assert_int_equal(joined.of[FACT_RANK].count, 50);
	for (size_t i = 0; i < 100; i++) {
		const struct fact_value *value = &joined.of[FACT_HOST].value[i];

		assert_string_equal(value->text, arena_printf(arena, "node%zu", i));
		assert_string_equal(value->place, arena_printf(arena, "rank%zu-0.json", i));
		files += value->files;
	}
	assert_int_equal(files, 600);
	fact_lists_join(&joined, arena, &lists); /* what is sorted is still found */
	assert_int_equal(joined.of[FACT_HOST].count, 100);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(joined.of[FACT_HOST].value[i].files, 9);
	assert_string_equal(fact_lists_common(&joined, FACT_WORLD_SIZE), "8");
	assert_null(fact_lists_common(&joined, FACT_HOST));
	assert_null(fact_lists_common(&joined, FACT_BATCH));
	arena_free(arena);
}

TEST(counts_do_not_wrap)
{
	struct arena *arena = arena_new();
	struct fact_lists lists = {0};
	const struct fact_value many = {"a", UINT64_MAX - 1, "f"};

	fact_lists_add(&lists, arena, FACT_HOST, &many);
	fact_lists_add(&lists, arena, FACT_HOST, &many);
	assert_true(lists.of[FACT_HOST].value[0].files == UINT64_MAX);
	arena_free(arena);
}

/* What is in every run is of the file, too; what is in one is of that run. */
TEST(runs_of_a_table)
{
	struct arena *arena = arena_new();
	struct profile *p = read_as("csv", "n.csv",
		"run,step,op,time_us,machine,session,commit,status\n"
		"a,1,x,5,m1,s1,c1,passed\nb,1,x,6,m1,s2,c2,passed\n"
		"a,2,x,5,,,,\nc,1,x,7,m1,,,\n");
	const struct facts *of;

	assert_string_equal(p->facts.machine, "m1");
	assert_null(p->facts.commit);
	assert_null(p->facts.status); /* a column of another program */
	of = profile_facts_of_step(p, 0, arena);
	assert_string_equal(of->machine, "m1");
	assert_string_equal(of->session, "s1");
	assert_string_equal(of->commit, "c1");
	of = profile_facts_of_step(p, 1, arena);
	assert_string_equal(of->session, "s2");
	assert_string_equal(of->commit, "c2");
	of = profile_facts_of_step(p, 3, arena);
	assert_string_equal(of->machine, "m1");
	assert_null(of->session);
	profile_free(p);
	p = read_as("csv", "n.csv",
		"run,step,op,time_us,session,commit\n,,,,,c0\na,1,x,5,s1,c1\nb,1,x,6,,\n");
	profile_overlay_facts(p, &(struct facts){.branch = "main"});
	of = profile_facts_of_step(p, 0, arena);
	assert_string_equal(of->session, "s1");
	assert_string_equal(of->commit, "c1");
	of = profile_facts_of_step(p, 1, arena);
	assert_null(of->session); /* of one run alone */
	assert_string_equal(of->commit, "c0");
	assert_string_equal(of->branch, "main");
	profile_free(p);
	arena_free(arena);
}

/* Runs of a table of benchmarks, which has no column for steps. */
TEST(runs_of_benchmarks)
{
	struct arena *arena = arena_new();
	struct profile *p = read_as("csv", "n.csv",
		"run,benchmark,time_us,machine\na,x,5,m1\na,y,5,m1\nb,x,6,m1\nb,y,6,m1\n"
		"c,x,6,m2\n");

	assert_string_equal(profile_facts_of_step(p, 0, arena)->machine, "m1");
	assert_string_equal(profile_facts_of_step(p, 1, arena)->machine, "m1");
	assert_string_equal(profile_facts_of_step(p, 2, arena)->machine, "m2");
	assert_int_equal(p->file_facts.of[FACT_MACHINE].value[0].files, 2);
	profile_free(p);
	arena_free(arena);
}

TEST(words_of_a_status)
{
	assert_true(facts_is_value(FACT_STATUS, "undecided"));
	assert_false(facts_is_value(FACT_STATUS, "passed"));
	assert_true(facts_is_value(FACT_START, "2026-11-28T03:40:16Z"));
	assert_false(facts_is_value(FACT_START, "yesterday"));
	assert_int_equal(fact_find("tag"), FACT_TAG);
	assert_int_equal(fact_called("tag"), FACT_COUNT);
	assert_int_equal(fact_called("session"), FACT_SESSION);
}
