/* Which files and steps make which run: by content, dumps that hold one another, --runs, names. */
#include "model/run_rule.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

/* What came out, as text: "NAME: 1 2 3 | NAME: ...", and the issues' codes with counts. */
struct outcome {
	char runs[1000], sources[1000], issues[400], ranks[400];
};

/* A file of the steps first..last, all with this time: equal times make equal steps. */
static struct profile *file(const char *path, const char *group, int first, int last, int us)
{
	struct profile *p = made_profile(path, group);

	p->is_file_a_step = true;
	for (int s = first; s <= last; s++)
		put_cpu(p, "op", s, us);
	return p;
}

static const char *name_by_letter(
	void *context, const char *path, struct arena *arena, struct error *err)
{
	(void)context;
	if (!strchr(path, 'x')) {
		error_set(err, ERROR_INPUT, "--runs", "no name in %s", path);
		return NULL;
	}
	return arena_printf(arena, "by/%c", path[0]);
}

static void describe(struct arena *arena, const struct run_plans *plans,
	const struct issue_list *issues, struct outcome *out)
{
	const struct run_plan *plan = plans->plan;
	const char *runs = "", *sources = "", *codes = "", *ranks = "";

	for (size_t i = 0; i < plans->rank_count; i++)
		ranks = arena_printf(arena, "%s%s%s", ranks, i ? "; " : "", plans->rank[i]);
	snprintf(out->ranks, sizeof(out->ranks), "%s", ranks);
	for (size_t i = 0; i < plans->count; i++) {
		runs = arena_printf(arena, "%s%s%s:", runs, i ? " | " : "", plan[i].name);
		sources = arena_printf(arena, "%s%s%s", sources, i ? " | " : "", plan[i].sources);
		for (size_t k = 0; k < plan[i].count; k++)
			runs = arena_printf(
				arena, "%s %lld", runs, (long long)plan[i].piece[k].number);
	}
	for (size_t i = 0; i < issues->count; i++)
		codes = arena_printf(arena, "%s%s%s %zu", codes, i ? ", " : "",
			issues->issue[i].code, issues->issue[i].count);
	snprintf(out->runs, sizeof(out->runs), "%s", runs);
	snprintf(out->sources, sizeof(out->sources), "%s", sources);
	snprintf(out->issues, sizeof(out->issues), "%s", codes);
}

/* Frees the profiles. */
static int apply(struct profile **profiles, size_t count, enum runs_mode mode, struct outcome *out,
	struct error *err)
{
	struct arena *arena = arena_new();
	struct merge_options opt = {.mode = mode, .name_run = name_by_letter};
	struct issue_list issues;
	struct run_plans plans = {.arena = arena, .issues = &issues};
	int status;

	issue_list_init(&issues, arena);
	status = run_rule_apply(profiles, count, &opt, &plans, err);
	if (status == 0)
		describe(arena, &plans, &issues, out);
	for (size_t i = 0; i < count; i++)
		profile_free(profiles[i]);
	arena_free(arena);
	return status;
}

#define APPLY(out, mode, ...)                                                                      \
	do {                                                                                       \
		struct profile *files[] = {__VA_ARGS__};                                           \
		struct error error;                                                                \
		assert_int_equal(                                                                  \
			apply(files, sizeof(files) / sizeof(*files), mode, out, &error), 0);       \
	} while (0)

TEST(file_of_several_steps_is_a_run)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("b/second", NULL, 1, 2, 10), file("a/first", NULL, 1, 3, 20));
	assert_string_equal(out.runs, "first: 1 2 3 | second: 1 2");
	assert_string_equal(out.sources, "a/first | b/second");
	assert_string_equal(out.issues, "");
}

TEST(files_of_one_step_are_the_steps_of_their_folder)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("f/p_10", "f", 10, 10, 1), file("f/p_2", "f", 2, 2, 1),
		file("f/p_3", "f", 3, 3, 1), file("g/p_2", "g", 2, 2, 5));
	assert_string_equal(out.runs, "f: 2 3 10 | g: 2");
	assert_string_equal(out.sources, "f/p_10 ... f/p_3 (3 files) | g/p_2");
}

TEST(files_of_one_step_on_the_command_line_are_one_run)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("d/p_10", NULL, 10, 10, 1), file("d/p_12", NULL, 12, 12, 1));
	assert_string_equal(out.runs, "p_*: 10 12");
	assert_string_equal(out.sources, "d/p_10 d/p_12");
	APPLY(&out, RUNS_AUTO, file("7", NULL, 7, 7, 1), file("8", NULL, 8, 8, 1));
	assert_string_equal(out.runs, "run: 7 8");
}

TEST(one_file_of_one_step_keeps_its_name)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("d/p_10", NULL, 10, 10, 1));
	assert_string_equal(out.runs, "p_10: 10");
}

TEST(dump_inside_another_is_the_same_run)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("p_3", NULL, 1, 3, 10), file("p_6", NULL, 1, 6, 10),
		file("p_9", NULL, 1, 9, 10));
	assert_string_equal(out.runs, "p_9: 1 2 3 4 5 6 7 8 9");
	assert_string_equal(out.sources, "p_9; the same run: p_6 (6 steps), p_3 (3 steps)");
	assert_string_equal(out.issues, "same-run 2");
}

TEST(order_of_the_files_changes_nothing)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("p_9", NULL, 1, 9, 10), file("p_6", NULL, 1, 6, 10),
		file("p_3", NULL, 1, 3, 10));
	assert_string_equal(out.runs, "p_9: 1 2 3 4 5 6 7 8 9");
	assert_string_equal(out.sources, "p_9; the same run: p_6 (6 steps), p_3 (3 steps)");
}

/* A dump that keeps the last steps only: what both have is the same, the rest adds to the run. */
TEST(dumps_that_overlap_are_one_run)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("a", NULL, 1, 4, 10), file("b", NULL, 3, 6, 10));
	assert_string_equal(out.runs, "a: 1 2 3 4 5 6");
}

TEST(equal_numbers_with_other_times_are_two_runs)
{
	struct profile *mixed = file("b", NULL, 1, 2, 10);
	struct outcome out;

	put_cpu(mixed, "op", 3, 99); /* steps 1 and 2 are those of a, step 3 is not */
	APPLY(&out, RUNS_AUTO, file("a", NULL, 1, 4, 10), mixed);
	assert_string_equal(out.runs, "a: 1 2 3 4 | b: 1 2 3");
}

TEST(copies_of_a_step_count_once)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("f/p_2", "f", 2, 2, 1), file("f/copy", "f", 2, 2, 1),
		file("f/p_3", "f", 3, 3, 1));
	assert_string_equal(out.runs, "f: 2 3");
	assert_string_equal(out.issues, "same-step 1");
}

TEST(same_step_with_other_times_is_an_error)
{
	struct profile *files[] = {file("f/one", "f", 2, 2, 1), file("f/two", "f", 3, 3, 1),
		file("f/three", "f", 2, 2, 9)};
	struct error err = {0};
	struct outcome out;

	assert_int_equal(apply(files, 3, RUNS_AUTO, &out, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.place, "f/one");
	assert_string_equal(err.message, "step 2 is also in f/three, with other times");
	assert_non_null(strstr(err.hint, "--runs=files"));
}

TEST(every_file_a_run)
{
	struct outcome out;

	APPLY(&out, RUNS_FILES, file("p_10", NULL, 1, 3, 10), file("p_2", NULL, 1, 2, 10),
		file("p_1", NULL, 1, 1, 10));
	assert_string_equal(out.runs, "p_1: 1 | p_2: 1 2 | p_10: 1 2 3");
	assert_string_equal(out.issues, "");
}

TEST(every_folder_a_run)
{
	struct outcome out;

	APPLY(&out, RUNS_FOLDERS, file("r/b/p", "r/b", 1, 2, 1), file("r/a/p", "r/a", 1, 2, 2),
		file("r/a/q", "r/a", 3, 4, 2), file("named", NULL, 1, 1, 3));
	assert_string_equal(out.runs, "a: 1 2 3 4 | b: 1 2 | files: 1");
}

/* A file of one step of a process of a job. */
static struct profile *of_rank(const char *path, const char *run, int step, int us)
{
	struct profile *p = file(path, "f", step, step, us);

	p->step[0].run = run;
	p->run_is_rank = true;
	return p;
}

TEST(files_of_one_step_of_several_processes)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, of_rank("f/a", "rank 10", 1, 1), of_rank("f/b", "rank 2", 1, 2),
		of_rank("f/c", "rank 10", 2, 3), of_rank("f/d", "rank 2", 3, 4));
	assert_string_equal(out.runs, "rank 2: 1 3 | rank 10: 1 2");
	assert_string_equal(out.sources, "f/b f/d | f/a f/c");
	APPLY(&out, RUNS_FOLDERS, of_rank("f/a", "rank 1", 1, 1), of_rank("f/b", "rank 1", 2, 2));
	assert_string_equal(out.runs, "f: 1 2");
}

TEST(names_of_the_user_stay_whole)
{
	struct outcome out;

	APPLY(&out, RUNS_NAMED, file("ax1", NULL, 1, 2, 1), file("bx1", NULL, 1, 2, 2),
		file("ax2", NULL, 3, 4, 1));
	assert_string_equal(out.runs, "by/a: 1 2 3 4 | by/b: 1 2");
}

TEST(path_without_a_name_is_an_error)
{
	struct profile *files[] = {file("ax", NULL, 1, 2, 1), file("b", NULL, 3, 3, 1)};
	struct error err = {0};
	struct outcome out;

	assert_int_equal(apply(files, 2, RUNS_NAMED, &out, &err), -1);
	assert_string_equal(err.message, "no name in b");
}

TEST(run_column_of_the_source_makes_runs)
{
	struct profile *p = file("table.csv", NULL, 1, 4, 1);
	struct outcome out;

	p->step[0].run = p->step[2].run = "r2";
	p->step[1].run = p->step[3].run = "r10";
	APPLY(&out, RUNS_AUTO, p);
	assert_string_equal(out.runs, "r2: 1 3 | r10: 2 4");
}

TEST(names_are_distinct_and_in_natural_order)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("b/p", NULL, 1, 2, 1), file("a10/p", NULL, 1, 2, 2),
		file("a9/p", NULL, 1, 2, 3));
	assert_string_equal(out.runs, "a9/p: 1 2 | a10/p: 1 2 | b/p: 1 2");
}

TEST(file_without_steps_is_no_run)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, file("p", NULL, 1, 2, 1), made_profile("none", NULL));
	assert_string_equal(out.runs, "p: 1 2");
}

/* A recording of the steps first..last of a process, which began at this time. */
static struct profile *window(
	const char *path, int pid, const char *host, int first, int last, int at_s)
{
	struct profile *p = file(path, "f", first, last, at_s);

	p->is_file_a_step = false;
	p->format = "trace";
	p->facts.pid = pid;
	p->facts.host = host;
	p->base_ns = at_s * INT64_C(1000000000);
	for (size_t s = 0; s < p->step_count; s++) {
		p->step[s].has_wall = true;
		p->step[s].start_ps = (int64_t)s * 1000000;
		p->step[s].end_ps = p->step[s].start_ps + 1000000;
	}
	return p;
}

TEST(recording_of_one_step_is_a_run)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, window("f/p_1", 0, NULL, 1, 1, 10),
		window("f/p_2", 0, NULL, 2, 2, 20), window("f/p_3", 0, NULL, 1, 1, 30));
	assert_string_equal(out.runs, "p_1: 1 | p_2: 2 | p_3: 1");
	assert_string_equal(out.sources, "f/p_1 | f/p_2 | f/p_3");
	assert_string_equal(out.issues, "");
}

TEST(windows_of_a_process_are_one_run)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, window("f/b", 7, NULL, 5, 6, 20), window("f/a", 7, NULL, 1, 2, 10),
		window("f/c", 7, NULL, 9, 9, 30));
	assert_string_equal(out.runs, "f: 1 2 5 6 9");
	assert_string_equal(
		out.sources, "f/a ... f/c (3 files); process 7: windows, whose steps go on");
	assert_string_equal(out.issues, "");
}

/* Process 1 of a container, and process 7 of another machine. */
TEST(equal_numbers_of_other_processes_are_runs)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, window("f/a", 7, "x", 1, 2, 10), window("f/b", 7, "y", 3, 4, 20));
	assert_string_equal(out.runs, "a: 1 2 | b: 3 4");
	assert_string_equal(out.sources, "f/a; process 7 of x | f/b; process 7 of y");
	APPLY(&out, RUNS_AUTO, window("f/a", 7, NULL, 1, 2, 10), window("f/b", 8, NULL, 3, 4, 20));
	assert_string_equal(out.runs, "a: 1 2 | b: 3 4");
	assert_string_equal(out.issues, "");
}

/* Recordings that follow each other under one number are one run, which is said to be taken for
 * granted where the number is that of a container, or of a host without a name. There process 1
 * says nothing. */
TEST(equal_numbers_one_after_the_other)
{
	static const struct {
		int pid;
		const char *host;
		const char *runs, *issues;
	} of[] = {{1, NULL, "a: 1 2 | b: 1 2", "same-process 1"},
		{2, NULL, "f: 1 2 1 2", "same-number 1"}, {1, "x", "f: 1 2 1 2", "same-number 1"},
		{299, "x", "f: 1 2 1 2", "same-number 1"}, {300, "x", "f: 1 2 1 2", ""},
		{300, NULL, "f: 1 2 1 2", "same-number 1"}};
	struct outcome out;

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		APPLY(&out, RUNS_AUTO, window("f/a", of[i].pid, of[i].host, 1, 2, 10),
			window("f/b", of[i].pid, of[i].host, 1, 2, 20));
		assert_string_equal(out.runs, of[i].runs);
		assert_string_equal(out.issues, of[i].issues);
	}
}

/* Without a clock nobody knows. */
TEST(equal_numbers_without_a_clock)
{
	struct profile *first = window("f/a", 7, "x", 1, 2, 0),
		       *second = window("f/b", 7, "x", 1, 2, 0);
	struct outcome out;

	second->step[0].fingerprint++;
	second->step[1].fingerprint++;
	APPLY(&out, RUNS_AUTO, first, second);
	assert_string_equal(out.runs, "a: 1 2 | b: 1 2");
	assert_string_equal(out.issues, "same-process 1");
}

/* Numbers that begin again, in order of time: of a host's process, of windows that are counted. */
TEST(steps_of_windows_begin_again)
{
	struct profile *first = window("f/a", 1, NULL, 1, 2, 0), *second;
	struct outcome out;

	APPLY(&out, RUNS_AUTO, window("f/b", 300, "x", 1, 2, 20),
		window("f/a", 300, "x", 2, 3, 10));
	assert_string_equal(out.runs, "f: 2 3 1 2");
	assert_string_equal(
		out.sources, "f/a f/b; process 300 of x: windows that follow each other");
	second = window("f/b", 1, NULL, 1, 2, 0);
	first->facts.process = second->facts.process = "1, abc";
	first->facts.window = 2;
	second->facts.window = 1;
	second->step[0].fingerprint++;
	second->step[1].fingerprint++;
	APPLY(&out, RUNS_AUTO, first, second);
	assert_string_equal(out.runs, "f: 1 2 1 2");
	assert_string_equal(out.sources, "f/b f/a; process 1, abc: windows by their numbers");
	/* Of a clock that nobody knows: it goes on in the process. */
	first = window("f/b", 1, NULL, 1, 2, 0);
	second = window("f/a", 1, NULL, 1, 2, 0);
	first->facts.process = second->facts.process = "1, abc";
	for (size_t s = 0; s < 2; s++) {
		second->step[s].start_ps += 5000000;
		second->step[s].end_ps += 5000000;
		second->step[s].fingerprint++;
	}
	APPLY(&out, RUNS_AUTO, second, first);
	assert_string_equal(out.runs, "f: 1 2 1 2");
	assert_string_equal(out.sources, "f/b f/a; process 1, abc: windows that follow each other");
}

TEST(recordings_at_one_time_are_no_windows)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, window("f/a", 7, NULL, 1, 2, 10), window("f/b", 7, NULL, 3, 4, 10));
	assert_string_equal(out.runs, "a: 1 2 | b: 3 4");
	assert_string_equal(out.issues, "");
}

/* The first one ends 2 us after its begin. A window may begin then, but not 1 ns before; its
 * numbers go on after the last one, and not with it. */
TEST(a_window_may_begin_where_another_ends)
{
	struct profile *second;
	struct outcome out;

	for (int early_ns = 0; early_ns < 2; early_ns++) {
		second = window("f/b", 300, "x", 1, 2, 10);
		second->base_ns += 2000 - early_ns;
		second->step[0].fingerprint++;
		second->step[1].fingerprint++;
		APPLY(&out, RUNS_AUTO, window("f/a", 300, "x", 1, 2, 10), second);
		assert_string_equal(out.runs, early_ns ? "a: 1 2 | b: 1 2" : "f: 1 2 1 2");
		assert_string_equal(out.issues, "");
	}
	for (int first = 2; first <= 3; first++) {
		APPLY(&out, RUNS_AUTO, window("f/a", 7, NULL, 1, 2, 10),
			window("f/b", 7, NULL, first, 4, 20));
		assert_string_equal(out.runs, first == 2 ? "f: 1 2 2 3 4" : "f: 1 2 3 4");
		assert_string_equal(out.issues, first == 2 ? "same-number 1" : "");
	}
}

static struct profile *rank(const char *name, int last, int at_s)
{
	struct profile *p = window(name, 7, NULL, 1, last, at_s);

	for (size_t s = 0; s < p->step_count; s++)
		p->step[s].rank = name + strlen("f/");
	return p;
}

/* Without times a rank may lack half of the steps, and no more. With times ranks overlap, where the
 * one ends when the other begins, too: the first has two steps of 1 us. */
TEST(recordings_of_ranks_are_one_run)
{
	struct profile *second;
	struct outcome out;

	APPLY(&out, RUNS_AUTO, rank("f/0", 4, 0), rank("f/1", 2, 0));
	assert_string_equal(out.runs, "f: 1 1 2 2 3 4");
	APPLY(&out, RUNS_AUTO, rank("f/0", 5, 0), rank("f/1", 2, 0));
	assert_string_equal(out.runs, "0: 1 2 3 4 5 | 1: 1 2");
	for (int late_ns = 0; late_ns < 2; late_ns++) {
		second = rank("f/1", 2, 10);
		second->base_ns += 2000 + late_ns;
		APPLY(&out, RUNS_AUTO, rank("f/0", 2, 10), second);
		assert_string_equal(out.runs, late_ns ? "0: 1 2 | 1: 1 2" : "f: 1 1 2 2");
	}
}

/* Two processes that no source calls ranks, in two steps of 1 us each; the second begins so much
 * later. */
static void apply_pair(struct outcome *out, const char *host, int pid, int late_ns)
{
	struct profile *second = window("f/b", pid, host, 1, 2, 10);

	second->base_ns += late_ns;
	for (size_t s = 0; s < 2; s++)
		second->step[s].fingerprint++;
	APPLY(out, RUNS_AUTO, window("f/a", 7, "x", 1, 2, 10), second);
}

TEST(processes_at_one_time_are_ranks)
{
	struct profile *second;
	struct outcome out;

	for (int late_ns = 0; late_ns < 2; late_ns++) {
		apply_pair(&out, "x", 8, 2000 + late_ns);
		assert_string_equal(out.runs, late_ns ? "a: 1 2 | b: 1 2" : "f: 1 1 2 2");
		assert_string_equal(out.ranks, late_ns ? "" : "pid 7; pid 8");
		assert_string_equal(out.issues, late_ns ? "" : "same-time 2");
	}
	apply_pair(&out, "y", 7, 0);
	assert_string_equal(out.ranks, "x; y");
	apply_pair(&out, "x", 7, 0); /* perhaps the same process */
	assert_string_equal(out.runs, "a: 1 2 | b: 1 2");
	/* Two hosts, one of which has two. */
	APPLY(&out, RUNS_AUTO, window("f/a", 7, "x", 1, 2, 10), window("f/b", 8, "x", 1, 2, 10),
		window("f/c", 7, "y", 1, 2, 10));
	assert_string_equal(out.ranks, "x, pid 7; x, pid 8; y, pid 7");
	/* Started at other times, in containers. */
	second = window("f/b", 1, "x", 1, 2, 10);
	second->facts.process = "1, started at 5";
	struct profile *first = window("f/a", 1, "x", 1, 2, 10);
	first->facts.process = "1, started at 4";
	APPLY(&out, RUNS_AUTO, first, second);
	assert_string_equal(out.ranks, "process 1, started at 4; process 1, started at 5");
	/* Two profilers see one process, to which a container gives a number of its own. */
	second = window("f/b", 8, "x", 1, 2, 10);
	second->format = "other";
	APPLY(&out, RUNS_AUTO, window("f/a", 7, "x", 1, 2, 10), second);
	assert_string_equal(out.ranks, "");
	second = window("f/b", 8, "x", 1, 2, 10);
	second->facts.world_size = 1; /* a job of its own, as it says */
	APPLY(&out, RUNS_AUTO, window("f/a", 7, "x", 1, 2, 10), second);
	assert_string_equal(out.ranks, "");
}

/* The second window of process 400 was recorded alone. The next run has the same hosts. */
TEST(windows_of_ranks_without_names)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, window("f/a", 400, "x", 1, 2, 10), window("f/b", 400, "y", 1, 2, 10),
		window("f/c", 400, "x", 3, 4, 20), window("f/d", 500, "x", 1, 2, 30),
		window("f/e", 500, "y", 1, 2, 30));
	assert_string_equal(out.runs, "f: 1 1 2 2 3 4 | f#2: 1 1 2 2");
	assert_string_equal(out.ranks, "x; y");
	assert_string_equal(out.issues, "same-time 4"); /* 400 and 500 of x and of y */
}

/* Runs one after the other of which two of four overlap, or none. What overlaps in turn is no job
 * on one host; clocks of several differ. */
TEST(runs_that_overlap_by_chance)
{
	struct outcome out;

	for (int at_s = 30; at_s <= 40; at_s += 10) {
		struct profile *last = window("f/d", 10, "x", 1, 5, 40);

		last->base_ns = at_s * INT64_C(1000000000);
		APPLY(&out, RUNS_AUTO, window("f/a", 7, "x", 1, 2, 10),
			window("f/b", 8, "x", 1, 3, 20), window("f/c", 9, "x", 1, 4, 30), last);
		assert_string_equal(out.ranks, "");
		assert_string_equal(out.runs, "a: 1 2 | b: 1 2 3 | c: 1 2 3 4 | d: 1 2 3 4 5");
	}
	APPLY(&out, RUNS_AUTO, window("f/b", 8, "x", 1, 3, 20), window("f/c", 9, "x", 1, 4, 30),
		window("f/d", 10, "x", 1, 5, 30));
	assert_string_equal(out.ranks, "pid 9; pid 10");
	for (int hosts = 0; hosts < 2; hosts++)
		for (int late_ns = 0; late_ns < 2; late_ns++) {
			struct profile *second = window("f/b", 8, hosts ? "y" : "x", 1, 2, 10),
				       *third = window("f/c", 9, hosts ? "z" : "x", 1, 2, 10);

			second->base_ns += 1000;
			third->base_ns += 2000 + late_ns; /* the first ends then */
			APPLY(&out, RUNS_AUTO, window("f/a", 7, "x", 1, 2, 10), second, third);
			assert_int_equal(*out.ranks == 0, !hosts && late_ns);
		}
}

/* A process of a file that has several. */
static struct profile *part(const char *path, int pid, const char *host)
{
	struct profile *p = window(path, pid, host, 1, 2, 10);

	p->group = arena_strndup(p->arena, path, strlen("f/a"));
	p->input = p->group;
	p->run_is_rank = true;
	for (size_t s = 0; s < p->step_count; s++)
		p->step[s].run = arena_printf(p->arena, "pid %d", pid);
	return p;
}

TEST(files_of_several_processes_are_one_job)
{
	struct outcome out;

	APPLY(&out, RUNS_AUTO, part("f/a/7", 7, "x"), part("f/a/8", 8, "x"), part("f/b/7", 7, "y"),
		part("f/b/8", 8, "y"));
	assert_string_equal(out.runs, "f: 1 1 1 1 2 2 2 2");
	assert_string_equal(out.ranks, "x, pid 7; x, pid 8; y, pid 7; y, pid 8");
}
