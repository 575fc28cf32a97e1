/* Temporary files beside outputs: what dead processes left, what living ones write, and the order
 * in which an output reaches the disk. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/output/outfile.h"
#include "tests/unit/disk_calls.h"
#include "tests/unit/output_folder.h"

/* A process that opens the name, writes, and waits for SIGKILL, or for a byte to commit. */
static pid_t start_writer(const char *path, const char *text, int *go)
{
	int ready[2], word[2];
	char byte = 'r';

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(word), 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct error err;
		struct outfile *out = outfile_open(path, &err);

		close(word[1]);
		if (!out)
			_exit(1);
		outfile_puts(out, text);
		if (outfile_finish(out, &err) != 0 || write(ready[1], &byte, 1) != 1 ||
			read(word[0], &byte, 1) != 1)
			_exit(2);
		_exit(outfile_commit(out, &err) == 0 ? 0 : 3);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	close(word[0]);
	*go = word[1];
	return child;
}

IN_FOLDER(what_a_killed_process_left_goes)
{
	int go, status;
	pid_t child = start_writer("out.csv", "half", &go);

	put_file(".out.csv.tmp-letter", "of an earlier one");
	put_file(".out.csv.tmp-lett.r", "not ours");
	put_file(".other.csv.tmp-letter", "of another output");
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(count_entries(), 4);
	struct outfile *out = open_ok("out.csv");

	assert_int_equal(count_entries(), 3);
	commit_ok(out);
	assert_int_equal(count_entries(), 3);
	check_file(".out.csv.tmp-lett.r", "not ours");
	close(go);
}

IN_FOLDER(what_a_living_process_writes_stays)
{
	int go, status;
	pid_t child = start_writer("out.csv", "theirs", &go);
	struct outfile *out = open_ok("out.csv");

	outfile_puts(out, "ours");
	commit_ok(out);
	check_file("out.csv", "ours");
	assert_int_equal(write(go, "c", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	check_file("out.csv", "theirs");
	assert_int_equal(count_entries(), 1);
	close(go);
}

/* Each opens, writes and commits the same name again and again: none fails, none leaves anything.
 */
IN_FOLDER(three_write_one_name)
{
	int status;

	for (int w = 0; w < 3; w++) {
		pid_t child = fork();

		assert_true(child >= 0);
		for (int i = 0; child == 0 && i < 100; i++) {
			struct error err;
			struct outfile *out = outfile_open("out.csv", &err);

			if (!out)
				_exit(1);
			outfile_printf(out, "%d whole", w);
			if (outfile_commit(out, &err) != 0)
				_exit(2);
		}
		if (child == 0)
			_exit(0);
	}
	for (int w = 0; w < 3; w++) {
		assert_true(wait(&status) > 0);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_int_equal(count_entries(), 1);
	FILE *f = fopen("out.csv", "r");
	int writer = -1;
	char word[8] = "";

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d %7s", &writer, word), 2);
	assert_string_equal(word, "whole");
	fclose(f);
}

IN_FOLDER(it_is_on_the_disk_before_its_name_is)
{
	struct outfile *out = open_ok("out.csv");

	calls.count = 0;
	outfile_puts(out, "text");
	commit_ok(out);
	assert_string_equal(calls_text(), "sync file of 4, rename, sync folder");
	outfile_set_sync(false);
	out = open_ok("out.csv");
	calls.count = 0;
	outfile_puts(out, "text");
	commit_ok(out);
	outfile_set_sync(true);
	assert_string_equal(calls_text(), "rename");
	calls.failing = EIO;
	out = open_ok("out.csv");
	outfile_puts(out, "lost");
	struct error err;

	assert_int_equal(outfile_commit(out, &err), -1);
	calls.failing = 0;
	check_error(&err, "out.csv", "cannot write: Input/output error");
	check_file("out.csv", "text");
	assert_int_equal(count_entries(), 1);
	calls.failing = EOPNOTSUPP; /* there are file systems without it */
	out = open_ok("out.csv");
	outfile_puts(out, "kept");
	commit_ok(out);
	calls.failing = 0;
	check_file("out.csv", "kept");
}
