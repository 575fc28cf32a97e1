/* Outputs: whole or not at all, links, permissions, devices, errors in words, and signals. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/output/outfile.h"
#include "tests/unit/output_folder.h"
#include "tests/unit/test.h"

static void check_open_fails(const char *path, const char *message, const char *hint)
{
	struct error err = {.kind = ERROR_NONE};

	assert_null(outfile_open(path, &err));
	check_error(&err, path, message);
	assert_string_equal(err.hint, hint);
}

IN_FOLDER(appears_at_commit_only)
{
	struct outfile *out = open_ok("out.csv");

	assert_string_equal(outfile_path(out), "out.csv");
	outfile_puts(out, "a,b\n");
	outfile_printf(out, "%d,%s\n", 1, "x");
	outfile_write(out, "z\n", 2);
	outfile_write(out, NULL, 0);
	assert_int_not_equal(access("out.csv", F_OK), 0);
	assert_int_equal(count_entries(), 1);
	commit_ok(out);
	check_file("out.csv", "a,b\n1,x\nz\n");
	assert_int_equal(count_entries(), 1);
	assert_int_equal(mode_of("out.csv"), 0644);
}

IN_FOLDER(umask_is_kept)
{
	umask(027);
	commit_ok(open_ok("out.csv"));
	umask(022);
	assert_int_equal(mode_of("out.csv"), 0640);
	check_file("out.csv", "");
}

IN_FOLDER(temporary_name_is_beside)
{
	assert_int_equal(mkdir("sub", 0755), 0);
	struct outfile *out = open_ok("sub/out.csv");
	DIR *dir = opendir("sub");
	const struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir)) && !is_entry(entry))
		;
	assert_non_null(entry);
	assert_memory_equal(entry->d_name, ".out.csv.tmp-", 13);
	assert_int_equal(strlen(entry->d_name), 19);
	closedir(dir);
	outfile_discard(out);
	assert_int_equal(rmdir("sub"), 0); /* it is empty */
}

IN_FOLDER(discard_leaves_the_target)
{
	put_file("out.csv", "old");
	struct outfile *out = open_ok("out.csv");

	outfile_puts(out, "new");
	outfile_discard(out);
	check_file("out.csv", "old");
	assert_int_equal(count_entries(), 1);
	outfile_discard(NULL);
}

IN_FOLDER(replaces_and_keeps_permissions)
{
	put_file("out.csv", "old and longer");
	assert_int_equal(chmod("out.csv", 0606), 0);
	struct outfile *out = open_ok("out.csv");

	outfile_puts(out, "new");
	check_file("out.csv", "old and longer");
	commit_ok(out);
	check_file("out.csv", "new");
	assert_int_equal(mode_of("out.csv"), 0606);
	assert_int_equal(count_entries(), 1);
}

/* In a child, which can give up the rights of the superuser, who may write everything. */
IN_FOLDER(read_only_target_is_refused)
{
	int status;

	put_file("out.csv", "old");
	assert_int_equal(chmod("out.csv", 0444), 0);
	assert_int_equal(chmod(".", 0777), 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct error err = {.kind = ERROR_NONE};

		if (geteuid() == 0 && setuid(65534) != 0)
			_exit(3);
		if (outfile_open("out.csv", &err))
			_exit(2);
		_exit(strcmp(err.message, "cannot write: Permission denied") != 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	check_file("out.csv", "old");
	assert_int_equal(count_entries(), 1);
}

IN_FOLDER(link_stays)
{
	struct stat status;

	assert_int_equal(mkdir("sub", 0755), 0);
	put_file("sub/real.csv", "old");
	assert_int_equal(symlink("real.csv", "sub/inner"), 0);
	assert_int_equal(symlink("sub/inner", "outer"), 0);
	struct outfile *out = open_ok("outer");

	outfile_puts(out, "new");
	commit_ok(out);
	check_file("sub/real.csv", "new");
	assert_int_equal(lstat("outer", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(lstat("sub/inner", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(unlink("sub/inner"), 0);
	assert_int_equal(unlink("sub/real.csv"), 0);
}

IN_FOLDER(dangling_link_is_filled)
{
	struct stat status;

	assert_int_equal(symlink("real.csv", "link"), 0);
	struct outfile *out = open_ok("link");

	outfile_puts(out, "new");
	commit_ok(out);
	check_file("real.csv", "new");
	assert_int_equal(lstat("link", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
}

IN_FOLDER(link_in_a_circle)
{
	assert_int_equal(symlink("b", "a"), 0);
	assert_int_equal(symlink("a", "b"), 0);
	check_open_fails("a", "cannot write: Too many levels of symbolic links", "");
}

IN_FOLDER(targets_that_cannot_be)
{
	assert_int_equal(mkdir("folder", 0755), 0);
	put_file("file", "x");
	check_open_fails("folder", "cannot write: Is a directory", "");
	check_open_fails("folder/", "cannot write: Is a directory", "");
	check_open_fails(".", "cannot write: Is a directory", "");
	check_open_fails("missing/out.csv", "cannot write: No such file or directory",
		"the folder \"missing/\" does not exist");
	check_open_fails("file/out.csv", "cannot write: Not a directory", "");
	check_open_fails("", "cannot write: No such file or directory", "");
	assert_int_equal(count_entries(), 2);
}

IN_FOLDER(target_that_becomes_a_folder)
{
	struct error err = {.kind = ERROR_NONE};
	struct outfile *out = open_ok("out.csv");

	outfile_puts(out, "text");
	assert_int_equal(mkdir("out.csv", 0755), 0);
	assert_int_equal(outfile_commit(out, &err), -1);
	check_error(&err, "out.csv", "cannot write: Is a directory");
	assert_int_equal(count_entries(), 1); /* the temporary file is gone */
}

IN_FOLDER(name_too_long)
{
	char name[300];

	/* The longest name of a file, for which the temporary one must be cut. */
	memset(name, 'n', sizeof(name));
	name[255] = '\0';
	struct outfile *out = open_ok(name);

	outfile_puts(out, "new");
	commit_ok(out);
	check_file(name, "new");
	name[255] = 'n';
	name[256] = '\0';
	check_open_fails(name, "cannot write: File name too long", "");
}

IN_FOLDER(full_device)
{
	struct error err = {.kind = ERROR_NONE};

	if (access("/dev/full", W_OK) != 0)
		return; /* no such device here; cmocka's skip() is a failure in TAP */
	struct outfile *out = open_ok("/dev/full");

	outfile_puts(out, "small");
	assert_int_equal(outfile_commit(out, &err), -1);
	check_error(&err, "/dev/full", "cannot write: No space left on device");
	/* Also when it is found out long before the end, and nothing may loop. */
	out = open_ok("/dev/full");
	for (int i = 0; i < 100000; i++)
		outfile_puts(out, "0123456789");
	memset(&err, 0, sizeof(err));
	assert_int_equal(outfile_commit(out, &err), -1);
	check_error(&err, "/dev/full", "cannot write: No space left on device");
	outfile_discard(open_ok("/dev/full"));
}

IN_FOLDER(link_to_a_device_is_written_to)
{
	struct stat status;

	assert_int_equal(symlink("/dev/null", "null"), 0);
	struct outfile *out = open_ok("null");

	outfile_puts(out, "text");
	commit_ok(out);
	assert_int_equal(lstat("null", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(count_entries(), 1);
}

IN_FOLDER(pipe_by_name)
{
	char data[16] = "";

	assert_int_equal(mkfifo("pipe", 0600), 0);
	int reader = open("pipe", O_RDONLY | O_NONBLOCK);

	assert_true(reader >= 0);
	struct outfile *out = open_ok("pipe");

	outfile_puts(out, "through");
	commit_ok(out);
	assert_int_equal(read(reader, data, sizeof(data) - 1), 7);
	assert_string_equal(data, "through");
	close(reader);
	assert_int_equal(count_entries(), 1);
}

IN_FOLDER(reader_that_went_away)
{
	struct error err = {.kind = ERROR_NONE};
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);

	assert_int_equal(mkfifo("pipe", 0600), 0);
	int reader = open("pipe", O_RDONLY | O_NONBLOCK);
	struct outfile *out = open_ok("pipe");

	close(reader);
	outfile_puts(out, "text");
	assert_int_equal(outfile_commit(out, &err), -1);
	check_error(&err, "pipe", "cannot write: Broken pipe");
	signal(SIGPIPE, before);
}

/* Runs with descriptor 1 on a file, as by "> file" or ">> file" of a shell. */
static int redirect_output(const char *path, int flags)
{
	fflush(stdout);
	int saved = dup(STDOUT_FILENO);
	int fd = open(path, O_WRONLY | O_CREAT | flags, 0644);

	assert_true(saved >= 0 && fd >= 0);
	assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	close(fd);
	return saved;
}

/* With several outputs a full disk must leave all targets as they are. */
IN_FOLDER(finish_tells_before_any_is_in_place)
{
	struct error err = {0};

	struct outfile *good = outfile_open("finished.txt", &err);
	struct outfile *full = outfile_open("/dev/full", &err);

	assert_non_null(good);
	assert_non_null(full);
	outfile_puts(good, "all of it");
	outfile_puts(full, "some of it");
	assert_int_equal(outfile_finish(good, &err), 0);
	assert_int_equal(access("finished.txt", F_OK), -1);
	assert_int_equal(outfile_finish(full, &err), -1);
	assert_int_equal(err.kind, ERROR_OUTPUT);
	assert_string_equal(err.place, "/dev/full");
	outfile_discard(full);
	outfile_discard(good);
	assert_int_equal(access("finished.txt", F_OK), -1);
}

static void restore_output(int saved)
{
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
}

IN_FOLDER(standard_output)
{
	struct error err = {.kind = ERROR_NONE};
	int saved = redirect_output("printed", O_TRUNC);
	struct outfile *out = outfile_open("-", &err);
	int result = -1;

	if (out) {
		outfile_puts(out, "one\n");
		result = outfile_commit(out, &err);
	}
	printf("two\n"); /* it is still open */
	restore_output(saved);
	assert_int_equal(result, 0);
	check_file("printed", "one\ntwo\n");
}

IN_FOLDER(standard_output_by_its_path)
{
	struct error err = {.kind = ERROR_NONE};

	put_file("log", "before\n");
	int saved = redirect_output("log", O_APPEND);

	printf("first\n");
	struct outfile *out = outfile_open("/dev/stdout", &err);
	int result = -1;

	if (out) {
		outfile_puts(out, "second\n");
		result = outfile_commit(out, &err);
	}
	restore_output(saved);
	assert_int_equal(result, 0);
	check_file("log", "before\nfirst\nsecond\n");
	assert_int_equal(count_entries(), 1);
}

IN_FOLDER(standard_output_full_or_closed)
{
	struct error full = {.kind = ERROR_NONE}, closed = {.kind = ERROR_NONE};

	if (access("/dev/full", W_OK) != 0)
		return; /* no such device here; cmocka's skip() is a failure in TAP */
	int saved = redirect_output("/dev/full", 0);
	struct outfile *out = outfile_open("-", &full);
	int result = 0;

	if (out) {
		outfile_puts(out, "text");
		result = outfile_commit(out, &full);
	}
	close(STDOUT_FILENO);
	out = outfile_open("-", &closed);
	restore_output(saved);
	assert_int_equal(result, -1);
	check_error(&full, "standard output", "cannot write: No space left on device");
	assert_null(out);
	check_error(&closed, "standard output", "cannot write: Bad file descriptor");
}

IN_FOLDER(large_and_small_writes)
{
	enum { LINES = 20000, BLOCK = 200000 };
	char *block = malloc(BLOCK), *back = malloc(BLOCK);
	struct outfile *out = open_ok("big");
	char line[32];

	assert_true(block && back);
	for (int i = 0; i < LINES; i++)
		outfile_printf(out, "line %09d\n", i);
	for (int i = 0; i < BLOCK; i++)
		block[i] = (char)('a' + i % 23);
	outfile_write(out, block, BLOCK);
	outfile_printf(out, "%.*s|", 70000, block);
	outfile_printf(out, "%.*s|", 511, block);
	outfile_printf(out, "%.*s|", 512, block);
	commit_ok(out);

	FILE *f = fopen("big", "r");

	assert_non_null(f);
	for (int i = 0; i < LINES; i++) {
		char expected[32];

		snprintf(expected, sizeof(expected), "line %09d\n", i);
		assert_non_null(fgets(line, sizeof(line), f));
		assert_string_equal(line, expected);
	}
	static const size_t sizes[] = {BLOCK, 70000, 511, 512};

	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(fread(back, 1, sizes[i], f), sizes[i]);
		assert_memory_equal(back, block, sizes[i]);
		if (i > 0)
			assert_int_equal(fgetc(f), '|');
	}
	assert_int_equal(fgetc(f), EOF);
	fclose(f);
	free(block);
	free(back);
}

IN_FOLDER(into_memory)
{
	struct outfile *out = outfile_memory();
	size_t size = 99;

	assert_string_equal(outfile_data(out, &size), "");
	assert_int_equal(size, 0);
	outfile_puts(out, "a");
	outfile_write(out, "\0b", 2);
	outfile_printf(out, "%05d", 7);
	assert_memory_equal(outfile_data(out, &size), "a\0b00007", 9);
	assert_int_equal(size, 8);
	commit_ok(out);
	outfile_discard(outfile_memory());
	out = open_ok("file");
	assert_null(outfile_data(out, &size));
	assert_int_equal(size, 0);
	outfile_discard(out);
	assert_int_equal(count_entries(), 0);
}

IN_FOLDER(abandon_removes_what_is_open)
{
	struct outfile *done = open_ok("done"), *a = open_ok("a"), *b = open_ok("b");

	commit_ok(done);
	outfile_puts(a, "text");
	assert_int_equal(count_entries(), 3);
	errno = 17;
	outfile_abandon_all();
	assert_int_equal(errno, 17);
	assert_int_equal(count_entries(), 1);
	check_file("done", "");
	outfile_discard(a);
	outfile_discard(b);
	outfile_abandon_all();
	assert_int_equal(count_entries(), 1);
}

IN_FOLDER(many_open_at_once)
{
	struct outfile *files[40];
	char name[16];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 40; i++) {
			snprintf(name, sizeof(name), "file%d", i);
			files[i] = open_ok(name);
			outfile_puts(files[i], name);
		}
		for (int i = 0; i < 40; i++)
			commit_ok(files[i]);
		assert_int_equal(count_entries(), 40);
		check_file("file39", "file39");
	}
	/* After all that there are free places for a signal. */
	struct outfile *last = open_ok("last");

	outfile_abandon_all();
	assert_int_equal(count_entries(), 40);
	outfile_discard(last);
}

static void abandon_and_end(int number)
{
	(void)number;
	outfile_abandon_all();
	_exit(7);
}

IN_FOLDER(signal_in_the_middle)
{
	int status;

	put_file("out.csv", "old");
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct error err;
		struct outfile *out = outfile_open("out.csv", &err);

		if (!out || signal(SIGTERM, abandon_and_end) == SIG_ERR)
			_exit(1);
		outfile_puts(out, "half");
		raise(SIGTERM);
		_exit(2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_int_equal(count_entries(), 1);
	check_file("out.csv", "old");
}
