/* Sessions of ab: the order of rounds, verdicts by hand, records that are read back, and commands
 * that end well, fail, hang, or leave processes behind. */

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ab/machine.h"
#include "ab/record.h"
#include "base/unit.h"
#include "tests/unit/test.h"

static const char *const two[] = {"old 'a b'", "new\nline"};

static struct ab_session *session_of(double margin)
{
	struct ab_session *session = ab_session_new();

	session->options = (struct ab_options){
		.command = two, .sides = 2, .seed = 7, .margin_relative = margin, .alpha = 0.05};
	return session;
}

static void add(struct ab_session *session, size_t round, size_t side, double wall_ms)
{
	const struct ab_run run = {.round = round,
		.side = side,
		.result = {.wall_ns = (int64_t)(wall_ms * 1e6), .user_ns = 1000, .peak_bytes = -1},
		.load = NAN};

	ab_session_add(session, &run);
}

TEST(order_of_rounds)
{
	struct ab_options options = {.sides = 3, .seed = 1};
	size_t first[3] = {0}, order[3], again[3];

	for (size_t round = 1; round <= 600; round++) {
		ab_order(&options, round, order);
		ab_order(&options, round, again);
		assert_memory_equal(order, again, sizeof(order));
		assert_int_equal(1u << order[0] | 1u << order[1] | 1u << order[2], 7);
		first[order[0]]++;
	}
	for (size_t i = 0; i < 3; i++)
		assert_true(first[i] > 150 && first[i] < 250);
	options.seed = 2;
	for (size_t round = 1, other = 0; round <= 64; round++) {
		struct ab_options before = {.sides = 3, .seed = 1};

		ab_order(&options, round, order);
		ab_order(&before, round, again);
		other += memcmp(order, again, sizeof(order)) != 0;
		assert_true(round < 64 || other > 20);
	}
}

/* Ratios e^0.049 .. e^0.051: beyond 2 %, and of 10 % within it. */
TEST(verdicts)
{
	static const double noise[] = {0.049, 0.05, 0.051, 0.0495, 0.0505, 0.05};
	struct ab_session *session = session_of(0.02);
	struct ab_change change;

	for (size_t i = 0; i < 6; i++) {
		add(session, i + 1, 1, 100 * exp(noise[i]));
		assert_int_equal(session->rounds, i);
		add(session, i + 1, 0, 100);
		assert_int_equal(session->rounds, i + 1);
		assert_true(ab_is_decided(session, 1, i + 1) == (i >= 4));
	}
	ab_change_find(session, 1, AB_WALL, 6, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_REGRESSED);
	assert_true(fabs(change.change.mean - 0.05) < 1e-6);
	assert_true(fabs(change.base / PS_PER_NS / 1e6 - 100) < 1e-6);
	session->options.margin_relative = 0.1;
	ab_change_find(session, 1, AB_WALL, 6, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_SAME);
	/* 2 % and 6 ms of 100 ms: beyond both is beyond 6 %. */
	session->options.margin_relative = 0.02;
	session->options.margin_ps = 6e9;
	ab_change_find(session, 1, AB_WALL, 6, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_SAME);
	assert_true(fabs(change.margin - 0.06) < 1e-9);
	/* Below five rounds no level decides. */
	session->options.alpha = 0.45;
	ab_change_find(session, 1, AB_WALL, 4, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_INCONCLUSIVE);
	session->options.alpha = 0.05;
	/* CPU time has half of the level, which 5 rounds cannot reach; memory is not known. */
	ab_change_find(session, 1, AB_CPU, 5, &change, NULL);
	assert_true(isinf(change.change.low));
	ab_change_find(session, 1, AB_CPU, 6, &change, NULL);
	assert_true(change.change.low == 0);
	ab_change_find(session, 1, AB_PEAK, 6, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_NONE);
	ab_session_free(session);
}

/* Counts of pairs that differ by 2.99 % to 3.01 %: three pairs decide, at a level of 0.05/4/2,
 * where Student's t of 2 degrees of freedom is 12.59 (R: qt(0.003125, 2, lower.tail = FALSE)). */
TEST(counts_of_pairs)
{
	static const double ratio[] = {1.0299, 1.03, 1.0301, 1.03, 1.0299, 1.03};
	struct ab_session *session = session_of(0.02);
	struct ab_change change;

	for (size_t i = 0; i < 6; i++) {
		struct ab_run run = {.round = i + 1,
			.result = {.wall_ns = 100, .user_ns = 1, .count = {1000000, -1}}};

		ab_session_add(session, &run);
		run.side = 1;
		run.result.wall_ns = i % 2 ? 90 : 110;
		run.result.count[0] = (int64_t)(1e6 * ratio[i]);
		ab_session_add(session, &run);
		ab_change_find(session, 1, AB_INSTRUCTIONS, i + 1, &change, NULL);
		assert_int_equal(change.verdict, i < 2 ? VERDICT_INCONCLUSIVE : VERDICT_REGRESSED);
		if (i >= 2 && i < 5) {
			/* log(1.03) -+ 12.58974 * 0.001 / sqrt(3): they spread by less than 0.1 %.
			 */
			assert_true(fabs(change.change.low - (0.029558799 - 0.007268690)) < 2e-9);
			assert_true(fabs(change.change.high - (0.029558799 + 0.007268690)) < 2e-9);
		}
		assert_false(ab_is_decided(session, 1, i + 1));
	}
	assert_int_equal(ab_counts_decided(session, 1), 3);
	/* Two claims: 2 / 4^3 each is more than 5 %, 2 / 4^4 is not; 16 at 1 % take six pairs. */
	session->options.claims = 2;
	ab_change_find(session, 1, AB_INSTRUCTIONS, 3, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_INCONCLUSIVE);
	ab_change_find(session, 1, AB_INSTRUCTIONS, 4, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_REGRESSED);
	session->options.claims = 16;
	session->options.alpha = 0.01;
	for (size_t n = 5; n <= 6; n++) {
		ab_change_find(session, 1, AB_INSTRUCTIONS, n, &change, NULL);
		assert_true(!isfinite(change.change.low) == (n == 5));
	}
	/* CPU time shares with two counts and memory. */
	ab_change_find(session, 1, AB_CYCLES, 6, &change, NULL);
	assert_int_equal(change.verdict, VERDICT_NONE);
	ab_session_free(session);
}

/* Of three sides two are kept: the values of the rounds that were complete for all. */
TEST(some_sides)
{
	static const char *const three[] = {"x", "y", "z"};
	static const size_t kept[] = {2, 1};
	struct ab_session *session = session_of(0.02);
	const struct command_line_words lines[] = {{.by_shell = true}, {0}, {.by_shell = true}};

	session->options.command = three;
	session->options.sides = 3;
	session->line = lines;
	session->shell_ns = 1e6;
	for (size_t i = 0; i < 18; i++)
		add(session, i / 3 + 1, i % 3, i % 3 ? 100 * (double)(i % 3) : 1.5);
	add(session, 7, 1, 1);
	add(session, 7, 2, 1);
	ab_session_keep(session, kept, 2);
	assert_int_equal(session->rounds, 6);
	assert_string_equal(session->options.command[0], "z");
	assert_string_equal(ab_run_name(session, 2, 0), "c/0002");
	assert_string_equal(ab_run_name(session, 2, 1), "b/0002");
	/* The run of x that is too short for it was dropped, but leaves the start of the shell in.
	 */
	assert_true(ab_value(session, ab_session_run(session, 1, 0), 0, AB_WALL) == 2e11);
	assert_true(fabs(ab_log_ratio(session, 6, 1, AB_WALL) + log(2)) < 1e-12);
	assert_int_equal(session->options.claims, 3);
	ab_session_free(session);
}

/* Ten commands that are the same: the best is faster as measured, and is shown to be so in hardly
 * any session. Spread of a run 1 %. */
TEST(best_of_many)
{
	static const char *const ten[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double measured = 0, shown = 0;
	struct ab_session *session;
	struct ab_change change;
	size_t side;

	for (size_t i = 0; i < 1000; i++) {
		session = session_of(0.02);
		session->options.command = ten;
		session->options.sides = 10;
		for (size_t run = 0; run < 100; run++)
			add(session, run / 10 + 1, run % 10,
				100 * exp(gsl_ran_gaussian(rng, 0.01)));
		shown += ab_best_gain(session, &side) / 1000;
		if (side) {
			ab_change_find(session, side, AB_WALL, 10, &change, NULL);
			measured -= change.change.mean / 1000;
		}
		ab_session_free(session);
	}
	print_message("# the best of ten that are the same: %.3f %% as measured, %.4f %% shown\n",
		measured * 100, shown * 100);
	assert_true(measured > 0.004 && shown < 0.0001);
	/* One of them takes 10 % less. */
	session = session_of(0.02);
	session->options.command = ten;
	session->options.sides = 10;
	for (size_t run = 0; run < 200; run++)
		add(session, run / 10 + 1, run % 10,
			(run % 10 == 3 ? 90 : 100) * exp(gsl_ran_gaussian(rng, 0.01)));
	measured = ab_best_gain(session, &side);
	assert_int_equal(side, 3);
	ab_change_find(session, 3, AB_WALL, 20, &change, NULL);
	assert_true(fabs(measured + expm1(change.change.high)) < 1e-12);
	assert_true(measured > 0.08 && measured < 0.1);
	ab_session_free(session);
	gsl_rng_free(rng);
}

/* Of 20 runs a side 4 or 5 of b take twice as long, none of a: p = 0.106 and 0.0471 (R:
 * fisher.test). */
TEST(slow_runs)
{
	for (size_t count = 4; count <= 5; count++) {
		struct ab_session *session = session_of(0.02);
		struct ab_change change;
		struct ab_slow slow;

		for (size_t i = 0; i < 20; i++) {
			const double wall = 100 + (double)(i % 4);

			add(session, i + 1, 0, wall);
			add(session, i + 1, 1, i % 4 == 1 && i / 4 < count ? 2.1 * wall : wall);
		}
		ab_slow_find(session, 1, &slow);
		assert_int_equal(slow.runs, 20);
		assert_int_equal(slow.base, 0);
		assert_int_equal(slow.new, count);
		/* 2.1 * 101 of a median of 101.5, or of 102 */
		assert_true(slow.times_new > 2 && slow.times_new < 2.1);
		assert_true(slow.differ == (count == 5));
		ab_change_find(session, 1, AB_WALL, 20, &change, NULL);
		assert_int_equal(change.change.beyond, 0);
		ab_session_free(session);
	}
}

/* A pair of which one run failed, and one that lies far off, decide nothing. */
TEST(broken_rounds)
{
	struct ab_session *session = session_of(0.02);
	struct ab_run failed = {.round = 1, .side = 1, .result = {.wall_ns = 1, .exit_status = 2}};
	struct ab_change change;
	bool far[10];

	add(session, 1, 0, 100);
	ab_session_add(session, &failed);
	assert_int_equal(session->rounds, 0);
	/* The round is done again. */
	for (size_t i = 1; i <= 10; i++) {
		add(session, i, 0, 100);
		add(session, i, 1, i == 3 ? 900 : 100 + 0.1 * (double)i);
	}
	assert_int_equal(session->rounds, 10);
	ab_change_find(session, 1, AB_WALL, 10, &change, far);
	assert_true(far[2] && !far[3]);
	assert_int_equal(change.change.far_off, 1);
	assert_int_equal(change.verdict, VERDICT_SAME);
	ab_session_free(session);
}

/* The start of the shell is taken out of all runs by it, or of none. */
TEST(short_runs_of_shell)
{
	const struct command_line_words lines[] = {{.by_shell = true}, {.by_shell = false}};
	struct ab_session *session = session_of(0.02);

	session->line = lines;
	session->shell_ns = 1e6;
	add(session, 1, 0, 3);
	add(session, 1, 1, 1);
	assert_true(ab_shell_time(session, 0, AB_WALL) == 1e6);
	assert_true(ab_value(session, ab_session_run(session, 1, 0), 0, AB_WALL) == 2e9);
	assert_true(ab_value(session, ab_session_run(session, 1, 1), 0, AB_WALL) == 1e9);
	add(session, 2, 0, 1.9);
	add(session, 2, 1, 0.5);
	assert_true(ab_value(session, ab_session_run(session, 1, 0), 0, AB_WALL) == 2e9);
	ab_session_free(session);
	session = session_of(0.02);
	session->line = lines;
	session->shell_ns = 1e6;
	add(session, 1, 0, 1.9);
	add(session, 1, 1, 0.5);
	assert_true(ab_shell_time(session, 0, AB_WALL) == 0);
	assert_true(ab_value(session, ab_session_run(session, 1, 0), 0, AB_WALL) == 1.9e9);
	assert_false(isnan(ab_log_ratio(session, 1, 1, AB_WALL)));
	ab_session_free(session);
}

/* A command that is added is too short for it: it is left in both runs of its pairs, and the pairs
 * from before keep their values, also where only some sides are kept. */
TEST(short_runs_of_added)
{
	static const char *const three[] = {"x", "y", "z"};
	static const size_t kept[] = {2, 1};
	const struct command_line_words lines[] = {
		{.by_shell = true}, {.by_shell = false}, {.by_shell = true}};
	struct ab_session *session = session_of(0.02);
	double before, added;

	session->options.command = three;
	session->options.sides = 3;
	session->options.from[2] = 1;
	session->line = lines;
	session->shell_ns = 1e6;
	add(session, 1, 0, 3);
	add(session, 1, 1, 1);
	before = ab_log_ratio(session, 1, 1, AB_WALL);
	assert_true(fabs(before - log(0.5)) < 1e-12);
	add(session, 2, 0, 3);
	add(session, 2, 1, 1);
	add(session, 2, 2, 0.9);
	assert_int_equal(session->rounds, 2);
	assert_true(ab_log_ratio(session, 1, 1, AB_WALL) == before);
	assert_true(ab_log_ratio(session, 2, 1, AB_WALL) == before);
	added = ab_log_ratio(session, 2, 2, AB_WALL);
	assert_true(fabs(added - log(0.9 / 3)) < 1e-12);
	assert_true(ab_value(session, ab_session_run(session, 2, 0), 0, AB_WALL) == 2e9);
	ab_session_keep(session, kept, 2);
	assert_true(fabs(ab_log_ratio(session, 2, 1, AB_WALL) - log(1 / 0.9)) < 1e-12);
	ab_session_free(session);
}

/* Half of the runs of both take the same; of those that take longer, less than 1.2 medians is not
 * far longer. */
TEST(no_slow_runs)
{
	for (int i = 0; i < 3; i++) {
		struct ab_session *session = session_of(0.02);
		struct ab_slow slow;

		for (size_t run = 0; run < 20; run++) {
			const double wall = i ? 100 + 0.1 * (double)(run % 4) : 100;

			add(session, run + 1, 0, wall);
			add(session, run + 1, 1, run < 6 ? wall * (i == 2 ? 1.22 : 1.18) : wall);
		}
		ab_slow_find(session, 1, &slow);
		assert_int_equal(slow.new, i == 2 ? 6 : 0);
		assert_true(slow.differ == (i == 2));
		ab_session_free(session);
	}
}

TEST(record_read_back)
{
	char folder[] = "test_ab.XXXXXX";
	struct ab_session *session = session_of(0.03), *read = ab_session_new();
	struct error err = {0};
	struct ab_record *record, *second;
	struct stat before, after;
	char path[64];
	FILE *file;

	assert_non_null(mkdtemp(folder));
	session->options.prepare = "sync";
	record = ab_record_new(folder, session, &err);
	assert_non_null(record);
	second = ab_record_open(folder, true, read, &err);
	assert_null(second);
	assert_non_null(strstr(err.message, "another stepstat ab"));
	ab_session_free(read);
	for (size_t i = 0; i < 4; i++) {
		add(session, i / 2 + 1, i % 2, 100 + (double)i);
		assert_int_equal(ab_record_add(record, session, &err), 0);
	}
	assert_int_equal(ab_record_write_sides(record, session, &err), 0);
	ab_record_free(record);
	/* A crash in the middle of a line. */
	snprintf(path, sizeof(path), "%s/runs.csv", folder);
	file = fopen(path, "a");
	fputs("3,0,17", file);
	fclose(file);
	read = ab_session_new();
	record = ab_record_open(folder, true, read, &err);
	assert_non_null(record);
	assert_int_equal(read->rounds, 2);
	assert_int_equal(read->options.seed, 7);
	assert_string_equal(read->options.command[0], two[0]);
	assert_string_equal(read->options.command[1], two[1]);
	assert_string_equal(read->options.prepare, "sync");
	assert_true(read->options.margin_relative == 0.03);
	assert_int_equal(ab_session_run(read, 2, 1)->result.wall_ns, 103000000);
	/* Zero bytes of a file system that lost power are removed, too. */
	ab_record_free(record);
	ab_session_free(read);
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(truncate(path, before.st_size + 100), 0);
	read = ab_session_new();
	record = ab_record_open(folder, true, read, &err);
	assert_non_null(record);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_size, before.st_size);
	add(read, 3, 0, 5);
	assert_int_equal(ab_record_add(record, read, &err), 0);
	ab_record_free(record);
	ab_session_free(read);
	read = ab_session_new();
	record = ab_record_open(folder, false, read, &err);
	assert_non_null(record);
	assert_int_equal(read->count, 5);
	assert_int_equal(ab_session_run(read, 3, 0)->result.wall_ns, 5000000);
	ab_record_free(record);
	ab_session_free(read);
	ab_session_free(session);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

TEST(words_of_commands)
{
	static const struct {
		const char *text, *words;
	} cases[] = {{"a b  c", "a|b|c|"}, {"a 'b c' \"d\\\" e\" f\\ g''", "a|b c|d\" e|f g|"},
		{"a ''", "a||"}, {"a $b", NULL}, {"a | b", NULL}, {"a \"$b\"", NULL},
		{"A=1 b", NULL}, {"a > b", NULL}, {"cd a", NULL}, {"a *", NULL}, {"a 'b", NULL},
		{"./a.sh --x=1,2:3/4", "./a.sh|--x=1,2:3/4|"}};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct command_line_words words;
		struct error err = {0};
		char joined[200] = "";

		assert_int_equal(command_words(cases[i].text, false, arena, &words, &err), 0);
		assert_true(words.by_shell == !cases[i].words);
		for (char *const *w = words.word; cases[i].words && *w; w++)
			snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s|",
				*w);
		assert_string_equal(joined, cases[i].words ? cases[i].words : "");
		assert_int_equal(command_words(cases[i].text, true, arena, &words, &err),
			cases[i].words ? 0 : -1);
	}
	arena_free(arena);
}

/* What the last text printed; the file has no name, so that none is left. */
static FILE *printed;

static struct command_result run_as(
	const char *text, int64_t limit_ns, const struct counted_event *counted)
{
	struct arena *arena = arena_new();
	struct command_watch *watch = command_watch_start(arena);
	struct command_line_words words;
	struct command_result result;
	struct error err = {0};
	struct command_request request = {
		.words = &words, .run = "a/0001", .limit_ns = limit_ns, .counted = counted};

	if (printed)
		fclose(printed);
	printed = tmpfile();
	assert_non_null(printed);
	request.output = fileno(printed);
	assert_int_equal(command_words(text, false, arena, &words, &err), 0);
	assert_int_equal(command_run(watch, &request, &result, &err), 0);
	command_watch_stop(watch);
	arena_free(arena);
	return result;
}

static struct command_result run_text(const char *text, int64_t limit_ns)
{
	return run_as(text, limit_ns, NULL);
}

static struct command_result run_counted(const char *text, const struct counted_event *counted)
{
	return run_as(text, 0, counted);
}

static void assert_printed(const char *want)
{
	char got[200] = "";

	rewind(printed);
	assert_true(fread(got, 1, sizeof(got) - 1, printed) > 0);
	assert_string_equal(got, want);
}

/* Not running; it may be a zombie of a parent that is not this process. */
static bool is_gone(const char *file)
{
	FILE *f = fopen(file, "r");
	long pid = 0;
	bool gone;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%ld", &pid), 1);
	fclose(f);
	unlink(file);
	gone = kill((pid_t)pid, 0) < 0 && errno == ESRCH;
	return gone;
}

TEST(commands)
{
	struct command_result r = run_text("echo \"$STEPSTAT_RUN\"; cat; exit 3", 0);

	assert_int_equal(r.exit_status, 3);
	assert_printed("a/0001\n");
	r = run_text("kill -9 $$", 0);
	assert_int_equal(r.exit_status, -1);
	assert_int_equal(r.signal, 9);
	/* CPU time of children counts, of those that nobody waited for, too. */
	r = run_text("i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done", 0);
	assert_true(r.user_ns + r.system_ns > 1000000 && r.wall_ns > 1000000);
	assert_true(r.user_ns + r.system_ns < 2 * r.wall_ns);
	/* What ignores SIGTERM is killed; a grandchild that left the group, too. */
	r = run_text("trap '' TERM; (setsid sh -c 'echo $$ >test_ab.pid; exec sleep 100' &) ; "
		     "while :; do sleep 0.01; done",
		200000000);
	assert_true(r.timed_out);
	assert_int_equal(r.signal, SIGKILL);
	assert_true(is_gone("test_ab.pid"));
	r = run_text("setsid sh -c 'echo $$ >test_ab.pid; exec sleep 100' >&- 2>&- & "
		     "while ! [ -s test_ab.pid ]; do :; done",
		0);
	assert_int_equal(r.exit_status, 0);
	assert_true(r.left >= 1);
	assert_true(is_gone("test_ab.pid"));
}

/* Page faults, which the kernel counts where there are no counters of the processor: those of the
 * command and of what it starts, nothing of this process. */
TEST(counts_over_processes)
{
	static const struct counted_event faults[COMMAND_COUNTS] = {
		{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}, {PERF_TYPE_SOFTWARE, 999}};
	int64_t one, tree;

	if (counter_open(&faults[0]) < 0) {
		print_message("# no events are counted here\n");
		skip();
	}
	one = run_counted("exec sh -c :", faults).count[0];
	tree = run_counted("sh -c :; sh -c : & setsid sh -c : & wait", faults).count[0];
	assert_true(one > 10 && tree > 2 * one && tree < 10 * one);
	assert_int_equal(run_counted("exec sh -c :", faults).count[1], -1);
	assert_int_equal(run_text("exec sh -c :", 0).count[0], -1);
}

static void write_file(const char *root, const char *name, const char *text)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void assert_file(const char *root, const char *name, const char *want)
{
	char path[200], got[100] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(got, 1, sizeof(got) - 1, file) > 0);
	fclose(file);
	assert_string_equal(got, want);
}

/* Three processes compute: one by ROCm, one by CUDA, one by both; the fourth draws. */
TEST(users_of_devices)
{
	static const struct {
		const char *at, *to;
	} files[] = {{"11/fd/3", "/dev/kfd"}, {"12/fd/9", "/dev/nvidia-uvm"},
		{"13/fd/0", "/dev/nvidia-uvm"}, {"14/fd/5", "/dev/nvidia0"},
		{"x12/fd/9", "/dev/nvidia-uvm"}};
	char root[] = "test_ab.XXXXXX", path[100];
	struct arena *arena = arena_new();

	assert_non_null(mkdtemp(root));
	assert_int_equal(machine_device_users(root), 0);
	assert_int_equal(machine_device_busy(root), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "proc/%s", files[i].at);
		write_file(root, path, "");
		snprintf(path, sizeof(path), "%s/proc/%s", root, files[i].at);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(symlink(files[i].to, path), 0);
	}
	write_file(root, "sys/class/kfd/kfd/proc/11/pasid", "");
	write_file(root, "sys/class/kfd/kfd/proc/13/pasid", "");
	assert_int_equal(machine_device_users(root), 2);
	write_file(root, "proc/driver/nvidia/version", "");
	assert_int_equal(machine_device_users(root), 3);
	write_file(root, "sys/class/drm/card0/device/gpu_busy_percent", "7\n");
	write_file(root, "sys/class/drm/card1/device/gpu_busy_percent", "93\n");
	assert_int_equal(machine_device_busy(root), 93);
	write_file(root, "sys/class/drm/card2/device/gpu_busy_percent", "65535\n");
	assert_int_equal(machine_device_busy(root), 100);
	write_file(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3100000\n");
	write_file(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	write_file(root, "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "5\n");
	assert_true(machine_clock_mhz(root) == 3100);
	assert_int_equal(machine_throttled(root), 5);
	assert_string_equal(machine_governor(root, arena), "powersave");

	/* Everything of the key is known of a file, but for the number of processors. */
	char want[120];
	const long processors = sysconf(_SC_NPROCESSORS_CONF);

	snprintf(want, sizeof(want), "unknown CPU, %ld processors", processors);
	assert_string_equal(machine_key(root, arena), want);
	write_file(root, "proc/cpuinfo",
		"processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 7763 \n"
		"cpu MHz\t\t: 2445.424\n\nprocessor\t: 1\nmodel name\t: AMD EPYC 9\n");
	write_file(root, "proc/meminfo", "MemTotal:       16374628 kB\nMemFree:         1 kB\n");
	write_file(root, "proc/driver/nvidia/gpus/0000:01:00.0/information",
		"Model: \t\t NVIDIA A100\nIRQ:   \t\t 1\n");
	write_file(root, "proc/driver/nvidia/gpus/0000:02:00.0/information",
		"Model: \t\t NVIDIA A100\n");
	write_file(root, "proc/driver/nvidia/gpus/0000:03:00.0/information", "Model: \t\t L4\n");
	snprintf(want, sizeof(want),
		"AMD EPYC 7763, %ld processors, 16 GB, 2 x NVIDIA A100, 1 x L4", processors);
	assert_string_equal(machine_key(root, arena), want);
	arena_free(arena);
	snprintf(path, sizeof(path), "rm -r %s", root);
	assert_int_equal(system(path), 0);
}

/* Files as those of cgroup v2: none below the group of this process, one beside it. */
TEST(group_of_memory)
{
	char root[] = "test_ab.XXXXXX", beside[100], procs[100], peak[100], command[120];
	struct arena *arena = arena_new();
	struct memory_group *group;

	assert_non_null(mkdtemp(root));
	assert_null(memory_group_find(root, arena));
	write_file(root, "proc/self/cgroup", "1:cpu:/x\n0::/user/app\n");
	write_file(root, "sys/fs/cgroup/user/app/cgroup.procs", "7\n");
	assert_null(memory_group_find(root, arena));
	snprintf(
		beside, sizeof(beside), "%s/sys/fs/cgroup/user/stepstat-%ld", root, (long)getpid());
	assert_int_equal(access(beside, F_OK), -1);
	snprintf(procs, sizeof(procs), "sys/fs/cgroup/user/stepstat-%ld/cgroup.procs",
		(long)getpid());
	snprintf(peak, sizeof(peak), "sys/fs/cgroup/user/stepstat-%ld/memory.peak", (long)getpid());
	write_file(root, procs, "8\n");
	assert_null(memory_group_find(root, arena));
	write_file(root, peak, "0\n");
	/* What runs beside a group does not keep to its limits. */
	write_file(root, "sys/fs/cgroup/user/app/memory.max", "1000000000\n");
	assert_null(memory_group_find(root, arena));
	write_file(root, "sys/fs/cgroup/user/app/memory.max", "max\n");
	write_file(root, "sys/fs/cgroup/user/app/cpu.max", "50000 100000\n");
	assert_null(memory_group_find(root, arena));
	write_file(root, "sys/fs/cgroup/user/app/cpu.max", "max 100000\n");
	write_file(root, "sys/fs/cgroup/user/app/cpuset.cpus", "0-3\n");
	assert_null(memory_group_find(root, arena));
	write_file(root, "sys/fs/cgroup/user/app/cpuset.cpus", "\n");
	group = memory_group_find(root, arena);
	assert_non_null(group);
	assert_true(memory_group_enter(group));
	assert_file(root, procs, "0\n");
	write_file(root, peak, "23456789\n");
	assert_false(memory_group_enter(group));
	write_file(root, "sys/fs/cgroup/user/app/cgroup.procs", "7\n");
	assert_int_equal(memory_group_leave(group), 23456789);
	assert_file(root, "sys/fs/cgroup/user/app/cgroup.procs", "0\n");
	snprintf(command, sizeof(command), "rm -r %s", beside);
	assert_int_equal(system(command), 0);
	assert_false(memory_group_enter(group));
	assert_int_equal(access(beside, F_OK), -1);
	/* The first group of all has none beside it. */
	write_file(root, "proc/self/cgroup", "0::/\n");
	assert_null(memory_group_find(root, arena));
	arena_free(arena);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

TEST(no_such_command)
{
	struct arena *arena = arena_new();
	struct command_watch *watch = command_watch_start(arena);
	struct command_line_words words;
	struct command_result result;
	struct error err = {0};
	struct command_request request = {.words = &words, .output = 2};

	assert_int_equal(command_words("./test_ab.none", false, arena, &words, &err), 0);
	assert_int_equal(command_run(watch, &request, &result, &err), -1);
	assert_string_equal(err.place, "./test_ab.none");
	command_watch_stop(watch);
	arena_free(arena);
}
