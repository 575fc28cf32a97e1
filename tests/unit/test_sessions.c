/* Facts of single runs in a cube, and the sessions that follow from machines and starts. */
#include "ab/machine.h"
#include "model/sessions.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

struct made_run {
	const char *machine, *session, *start;
};

/* A run for each, in this order. */
static struct cube *runs_of(const struct made_run *made, size_t count)
{
	struct profile *p[16];
	struct error err;
	struct cube *cube;

	for (size_t i = 0; i < count; i++) {
		char path[16];

		snprintf(path, sizeof(path), "s/r%02zu", i);
		p[i] = made_profile(path, NULL);
		put_cpu(p[i], "a", 1, 100 + (double)i);
		p[i]->facts = (struct facts){.machine = made[i].machine,
			.session = made[i].session,
			.start = made[i].start};
	}
	cube = made_cube(p, count, RUNS_FILES, &err);
	assert_non_null(cube);
	assert_int_equal(cube->run_count, count);
	return cube;
}

static void check(const struct made_run *made, size_t count, const char *expected)
{
	struct cube *cube = runs_of(made, count);
	uint32_t session[16];
	char found[17] = "";
	size_t sessions = sessions_find(cube, session), most = 0;

	for (size_t i = 0; i < count; i++) {
		found[i] = (char)('a' + session[i]);
		most = session[i] + 1 > most ? session[i] + 1 : most;
	}
	assert_string_equal(found, expected);
	assert_int_equal(sessions, most);
	cube_free(cube);
}

TEST(a_gap_of_an_hour_begins_a_session)
{
	static const struct made_run chain[] = {{"m", NULL, "2026-11-28T03:00:00Z"},
		{"m", NULL, "2026-11-28T04:00:00Z"}, {"m", NULL, "2026-11-28T05:00:01Z"},
		{"m", NULL, "2026-11-28T02:30:00Z"}};

	check(chain, 4, "aaba");
}

TEST(machines_and_names_part_sessions)
{
	static const struct made_run two[] = {{"m", NULL, "2026-11-28T03:00:00Z"},
		{"k", NULL, "2026-11-28T03:00:10Z"}, {"m", "job 7", "2026-11-28T03:00:20Z"},
		{"m", "job 8", "2026-11-28T03:00:30Z"}, {"m", "job 7", "2026-11-29T03:00:00Z"},
		{"k", "job 7", "2026-11-28T03:00:40Z"}};

	check(two, 6, "abcdce");
}

TEST(runs_without_starts_are_one_session)
{
	static const struct made_run none[] = {
		{"m", NULL, NULL}, {"m", NULL, NULL}, {"m", NULL, "2026-11-28T03:00:00Z"}};

	check(none, 3, "aab");
}

TEST(runs_keep_what_their_files_share)
{
	struct profile *p[] = {made_profile("s/one/rank0", "one"),
		made_profile("s/one/rank1", "one"), made_profile("s/two/rank0", "two")};
	struct error err;
	struct cube *cube;

	for (size_t i = 0; i < 3; i++) {
		put_cpu(p[i], "a", 1 + (int64_t)i, 100 + (double)i);
		p[i]->is_file_a_step = true;
		p[i]->facts = (struct facts){.commit = i < 2 ? "c1" : "c2",
			.host = i == 1 ? "n2" : "n1",
			.batch = 8 + (int64_t)i,
			.tag = "v1, best"};
	}
	cube = made_cube(p, 3, RUNS_FOLDERS, &err);
	assert_int_equal(cube->run_count, 2);
	assert_string_equal(cube->run[0].facts->commit, "c1");
	assert_null(cube->run[0].facts->host);
	assert_int_equal(cube->run[0].facts->batch, 0);
	assert_true(facts_has_item(cube->run[0].facts->tag, "best"));
	assert_false(facts_has_item(cube->run[0].facts->tag, "bes"));
	assert_string_equal(cube->run[1].facts->commit, "c2");
	assert_string_equal(cube->run[1].facts->host, "n1");
	cube_free(cube);
}

TEST(memories_have_few_sizes)
{
	assert_int_equal(machine_memory_gb(16374628), 16); /* as systems report them */
	assert_int_equal(machine_memory_gb(7939468), 8);
	assert_int_equal(machine_memory_gb(65804924), 64);
	assert_int_equal(machine_memory_gb(1007648), 1);
	assert_int_equal(machine_memory_gb(8 << 20), 8);
	assert_int_equal(machine_memory_gb((8 << 20) + 1), 10);
}
