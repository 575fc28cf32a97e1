/* Folders appear whole or not at all, and replace nothing that is not theirs. */
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/output/outfolder.h"
#include "base/text.h"
#include "tests/unit/disk_calls.h"
#include "tests/unit/test.h"

static char work[] = "outfolder-XXXXXX";

static bool is_table(const char *name)
{
	return text_ends(name, ".table");
}

static bool exists(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0;
}

/* Entries of the current folder, hidden ones too, as `ls -A` counts them. */
static int entries(const char *folder)
{
	char command[128];
	FILE *pipe;
	int n = -1;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", folder);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%d", &n), 1);
	pclose(pipe);
	return n;
}

static void write_file(struct outfolder *folder, const char *name, const char *text)
{
	struct error err = {0};
	struct outfile *out = outfolder_file(folder, name, &err);

	assert_non_null(out);
	outfile_puts(out, text);
	assert_int_equal(outfile_commit(out, &err), 0);
}

TEST(it_is_there_after_the_commit_only)
{
	struct error err = {0};
	struct outfolder *folder = outfolder_open("new/", is_table, &err);

	assert_non_null(folder);
	write_file(folder, "part", "text");
	assert_int_equal(outfolder_rename(folder, "part", "a.table", &err), 0);
	assert_false(exists("new"));
	assert_int_equal(outfolder_commit(folder, &err), 0);
	assert_true(exists("new/a.table"));
	assert_false(exists("new/part"));
	assert_int_equal(entries("."), 1);
}

TEST(tables_are_replaced_as_a_whole)
{
	struct error err = {0};
	struct outfolder *folder = outfolder_open("new", is_table, &err);

	write_file(folder, "b.table", "text");
	assert_true(exists("new/a.table"));
	assert_int_equal(outfolder_commit(folder, &err), 0);
	assert_true(exists("new/b.table"));
	assert_false(exists("new/a.table"));
	assert_int_equal(entries("."), 1);
}

TEST(discarded_or_abandoned_it_leaves_nothing)
{
	struct error err = {0};
	struct outfolder *one = outfolder_open("one", is_table, &err);
	struct outfolder *two = outfolder_open("two", is_table, &err);

	write_file(one, "a.table", "text");
	write_file(two, "a.table", "text");
	outfolder_discard(one);
	assert_int_equal(entries("."), 2);
	outfolder_abandon_all(); /* as a signal handler does */
	assert_int_equal(entries("."), 1);
	outfolder_discard(two);
	assert_true(exists("new/b.table"));
}

TEST(permissions_are_those_of_the_umask)
{
	struct error err = {0};
	const mode_t before = umask(027);
	struct outfolder *folder = outfolder_open("masked", is_table, &err);
	struct stat info;

	assert_int_equal(outfolder_commit(folder, &err), 0);
	umask(before);
	assert_int_equal(stat("masked", &info), 0);
	assert_int_equal(info.st_mode & 0777, 0750);
	/* A folder that is replaced keeps its own. */
	assert_int_equal(chmod("masked", 0705), 0);
	folder = outfolder_open("masked", is_table, &err);
	write_file(folder, "a.table", "text");
	assert_int_equal(outfolder_commit(folder, &err), 0);
	assert_int_equal(stat("masked", &info), 0);
	assert_int_equal(info.st_mode & 0777, 0705);
	assert_int_equal(unlink("masked/a.table"), 0);
	assert_int_equal(rmdir("masked"), 0);
}

TEST(all_is_on_the_disk_before_its_name_is)
{
	struct error err = {0};
	struct outfolder *folder = outfolder_open("new", is_table, &err);

	assert_non_null(folder);
	calls.count = 0;
	write_file(folder, "a.table", "text");
	write_file(folder, "b.table", "longer");
	assert_int_equal(outfolder_commit(folder, &err), 0);
	/* The old folder is full: a rename does not replace it. */
	assert_string_equal(calls_text(), "sync file of 4, rename, sync file of 6, rename, sync "
					  "folder, rename, exchange, sync folder");
}

/* Killed while it writes: a folder with a finished file and one that is open. */
TEST(what_a_killed_process_left_goes)
{
	struct error err = {0};
	const int before = entries(".");
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct outfolder *folder = outfolder_open("new", is_table, &err);

		write_file(folder, "a.table", "text");
		outfolder_file(folder, "b.table", &err);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(entries("."), before + 1);
	struct outfolder *folder = outfolder_open("new", is_table, &err);

	assert_int_equal(entries("."), before + 1);
	write_file(folder, "c.table", "text");
	assert_int_equal(outfolder_commit(folder, &err), 0);
	assert_true(exists("new/c.table"));
	assert_int_equal(entries("."), before);
}

/* Where folders cannot be exchanged one goes away first: killed between the two renames, or after
 * both. */
TEST(killed_between_two_renames)
{
	struct error err = {0};
	const int before = entries(".");

	for (size_t renames = 0; renames <= 2; renames++) {
		struct outfolder *folder;
		int status;
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			calls.no_exchange = true;
			calls.kill_after = renames;
			folder = outfolder_open("new", is_table, &err);
			write_file(folder, "d.table", "text");
			_exit(outfolder_commit(folder, &err) ? 1 : 0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, renames ? SIGKILL : 0);
		assert_int_equal(exists("new/d.table"), renames != 1);
		folder = outfolder_open("new", is_table, &err);
		assert_non_null(folder);
		write_file(folder, "c.table", "text");
		assert_int_equal(outfolder_commit(folder, &err), 0);
		assert_true(exists("new/c.table"));
		assert_int_equal(entries("."), before);
	}
}

static int set_up(void **state)
{
	(void)state;
	return !mkdtemp(work) || chdir(work) != 0;
}

static int tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", work);
	return chdir("..") != 0 || system(command) != 0;
}

TEST(a_link_to_nothing_stays_one)
{
	struct error err = {0};
	struct outfolder *folder;
	const int before = entries(".");
	char target[16] = "";

	assert_int_equal(symlink("made", "link"), 0);
	for (int i = 0; i < 2; i++) {
		folder = outfolder_open("link/", is_table, &err);
		assert_non_null(folder);
		write_file(folder, "a.table", "x");
		assert_int_equal(outfolder_commit(folder, &err), 0);
		assert_int_equal(readlink("link", target, sizeof(target) - 1), 4);
		assert_string_equal(target, "made");
		assert_true(exists("made/a.table"));
		assert_int_equal(entries("."), before + 2);
	}
	assert_int_equal(system("rm -r link made"), 0);
}

TEST(what_is_not_a_table_stays)
{
	struct error err = {0};

	assert_int_equal(mkdir("mine", 0777), 0);
	assert_int_equal(fclose(fopen("mine/diary", "w")), 0);
	assert_null(outfolder_open("mine", is_table, &err));
	assert_int_equal(err.kind, ERROR_OUTPUT);
	assert_non_null(strstr(err.message, "\"diary\""));
	assert_true(exists("mine/diary"));
	assert_int_equal(entries("."), 2);
	assert_null(outfolder_open("no/such", is_table, &err));
	/* A file that comes while the new folder is written stops the commit. */
	struct outfolder *folder = outfolder_open("new", is_table, &err);

	assert_int_equal(fclose(fopen("new/letter", "w")), 0);
	assert_int_equal(outfolder_commit(folder, &err), -1);
	assert_true(exists("new/letter"));
	assert_int_equal(entries("."), 2);
}

TESTS_BEGIN((tests_set_up = set_up, tests_tear_down = tear_down));
