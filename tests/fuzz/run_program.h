/* Whole commands inside a fuzz target: a folder of its own that holds the inputs, words in, an exit
 * status out. The target stops when the status is none that the manual names, or when a temporary
 * file stays. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/output/file_identity.h"
#include "cli/program.h"

#define RUN_WORDS_MOST 32

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

/* Of the address sanitizer, as in check_profile.h. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "malloc_context_size=1:quarantine_size_mb=4:thread_local_quarantine_size_kb=256";
}

/* Where a sanitizer reports to while the program's own messages go nowhere; absent without one. */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

struct run_program {
	char folder[64];
	int inside, outside;	      /* folders: of the inputs, and where the target was started */
	int nowhere, output, message; /* /dev/null; standard output and error as they were */
	dev_t device;
	ino_t kept[16]; /* inputs that stay from run to run */
	size_t kept_count;
};

static struct run_program run_program;

/* Removes all but the inputs that stay. True if no file of a temporary name was left. */
static inline bool run_program_clear(int folder, bool all)
{
	DIR *dir = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	const struct dirent *entry;
	bool clean = true;

	require(dir);
	while ((entry = readdir(dir))) {
		struct stat info;
		bool keeps = false;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		for (size_t i = 0; i < run_program.kept_count && !all; i++)
			keeps |= info.st_ino == run_program.kept[i];
		if (keeps)
			continue;
		clean &= !strstr(entry->d_name, ".tmp-");
		if (S_ISDIR(info.st_mode)) {
			int inner = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY);

			clean &= run_program_clear(inner, true);
			close(inner);
			unlinkat(folder, entry->d_name, AT_REMOVEDIR);
		} else {
			unlinkat(folder, entry->d_name, 0);
		}
	}
	closedir(dir);
	return clean;
}

static inline void run_program_end(void)
{
	run_program_clear(run_program.inside, true);
	rmdir(run_program.folder);
}

/* In memory where the system has such a folder: no input is worth a disk's time. */
static inline void run_program_start(void)
{
	struct run_program *r = &run_program;

	if (r->folder[0])
		return;
	snprintf(r->folder, sizeof(r->folder), "%s/stepstat-fuzz-XXXXXX",
		access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	require(mkdtemp(r->folder));
	gsl_set_error_handler_off();
	r->inside = open(r->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r->outside = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r->nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	r->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	r->message = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	require(r->inside >= 0 && r->outside >= 0 && r->nowhere >= 0 && r->output >= 0 &&
		r->message >= 0);
	dup2(r->nowhere, STDIN_FILENO);
	if (__sanitizer_set_report_fd)
		__sanitizer_set_report_fd((void *)(intptr_t)r->message);
	atexit(run_program_end);
}

/* Writes an input of this run. */
static inline void run_program_input(const char *name, const void *bytes, size_t size)
{
	int fd = openat(run_program.inside, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

/* Writes an input that stays for all runs. */
static inline void run_program_keep(const char *name, const void *bytes, size_t size)
{
	struct stat info;

	run_program_input(name, bytes, size);
	require(run_program.kept_count < 16 && fstatat(run_program.inside, name, &info, 0) == 0);
	run_program.kept[run_program.kept_count++] = info.st_ino;
}

/* Runs the words, of which the first is the program's name. */
static inline int run_program_words(int count, char **words)
{
	struct run_program *r = &run_program;
	int status;

	fflush(NULL);
	require(fchdir(r->inside) == 0);
	dup2(r->nowhere, STDOUT_FILENO);
	dup2(r->nowhere, STDERR_FILENO);
	status = program_run(count, words);
	fflush(NULL);
	dup2(r->output, STDOUT_FILENO);
	dup2(r->message, STDERR_FILENO);
	require(fchdir(r->outside) == 0);
	output_guard_forget_inputs();
	require(status >= 0 && status <= 5);
	return status;
}

/* Removes what was written; no temporary file may have stayed. */
static inline void run_program_tidy(void)
{
	require(run_program_clear(run_program.inside, false));
}
