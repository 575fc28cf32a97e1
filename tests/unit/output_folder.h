/* Folders in which tests of outputs run, and what is in them; the steps of an output that must
 * work. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/output/outfile.h"
#include "tests/unit/test.h"

#define IN_FOLDER(test) TEST_WITH(test, enter_folder, leave_folder)

/* Each test runs in a folder of its own, so that relative paths and error texts are known. */
struct folder {
	char name[64];
	int parent;
};

/* Hidden ones, too. */
static inline bool is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static inline int enter_folder(void **state)
{
	struct folder *folder = calloc(1, sizeof(*folder));

	if (!folder)
		return -1;
	snprintf(folder->name, sizeof(folder->name), "test_outfile.XXXXXX");
	folder->parent = open(".", O_RDONLY | O_DIRECTORY);
	if (folder->parent < 0 || !mkdtemp(folder->name) || chdir(folder->name) != 0)
		return -1;
	*state = folder;
	umask(022);
	return 0;
}

static inline int leave_folder(void **state)
{
	struct folder *folder = *state;
	DIR *dir = opendir(".");
	int result = -1;

	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		if (is_entry(entry) && unlink(entry->d_name) != 0)
			rmdir(entry->d_name);
	if (dir)
		closedir(dir);
	if (fchdir(folder->parent) == 0)
		result = rmdir(folder->name);
	close(folder->parent);
	free(folder);
	return result;
}

static inline int count_entries(void)
{
	DIR *dir = opendir(".");
	int count = 0;

	assert_non_null(dir);
	for (const struct dirent *entry; (entry = readdir(dir));)
		count += is_entry(entry);
	closedir(dir);
	return count;
}

static inline void put_file(const char *path, const char *content)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(content, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static inline void check_file(const char *path, const char *content)
{
	char data[1000];
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	size_t size = fread(data, 1, sizeof(data) - 1, f);

	fclose(f);
	data[size] = '\0';
	assert_string_equal(data, content);
}

static inline mode_t mode_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 07777;
}

static inline struct outfile *open_ok(const char *path)
{
	struct error err = {.kind = ERROR_NONE};
	struct outfile *out = outfile_open(path, &err);

	if (!out)
		fail_msg("%s: %s", err.place, err.message);
	assert_int_equal(err.kind, ERROR_NONE);
	return out;
}

static inline void commit_ok(struct outfile *out)
{
	struct error err = {.kind = ERROR_NONE};

	if (outfile_commit(out, &err) != 0)
		fail_msg("%s: %s", err.place, err.message);
	assert_int_equal(err.kind, ERROR_NONE);
}

static inline void check_error(const struct error *err, const char *place, const char *message)
{
	assert_int_equal(err->kind, ERROR_OUTPUT);
	assert_string_equal(err->place, place);
	assert_string_equal(err->message, message);
}
