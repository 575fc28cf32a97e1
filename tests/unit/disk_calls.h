/* The calls by which outputs reach the disk, in order: this program's own fsync, rename and
 * renameat2 stand before those of the C library. */
#pragma once

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	char text[4096];
	size_t count;
	int failing; /* the errno of each fsync; 0: they work */
	bool no_exchange;
	size_t kill_after; /* renames that a folder is the first name of; 0: none kills */
} calls;

static inline void calls_add(const char *what, long long bytes)
{
	char *at = calls.text + (calls.count ? strlen(calls.text) : 0);
	size_t room = sizeof(calls.text) - (size_t)(at - calls.text);

	if (room < 64) /* nobody has asked for a while */
		return;
	at += snprintf(at, room, "%s%s", calls.count ? ", " : "", what);
	if (bytes >= 0)
		snprintf(at, sizeof(calls.text) - (size_t)(at - calls.text), " of %lld", bytes);
	calls.count++;
}

static inline const char *calls_text(void)
{
	return calls.count ? calls.text : "";
}

int fsync(int fd)
{
	struct stat info;

	if (fstat(fd, &info) == 0)
		calls_add(S_ISDIR(info.st_mode) ? "sync folder" : "sync file",
			S_ISDIR(info.st_mode) ? -1 : (long long)info.st_size);
	if (calls.failing) {
		errno = calls.failing;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	int status = (int)syscall(SYS_renameat2, -100, from, -100, to, 0); /* AT_FDCWD */
	struct stat info;

	calls_add("rename", -1);
	if (status == 0 && calls.kill_after && stat(to, &info) == 0 && S_ISDIR(info.st_mode) &&
		--calls.kill_after == 0)
		raise(SIGKILL);
	return status;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
{
	calls_add("exchange", -1);
	if (calls.no_exchange) {
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
