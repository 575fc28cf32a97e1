/*
 * Which file a path means, so that two paths can be compared: through links, and also for a file
 * that does not exist yet. It opens no file.
 */
#ifndef STEPSTAT_BASE_OUTPUT_FILE_IDENTITY_H
#define STEPSTAT_BASE_OUTPUT_FILE_IDENTITY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum file_kind {
	FILE_UNKNOWN, /* nothing is known; such a file equals no other */
	FILE_REGULAR,
	FILE_FOLDER,
	FILE_MISSING, /* device and inode are those of its folder */
	FILE_STREAM,  /* a pipe, a terminal, a device: nothing there is replaced */
};

struct file_identity {
	enum file_kind kind;
	dev_t device;
	ino_t inode;
	char name[NAME_MAX + 1]; /* FILE_MISSING */
};

void file_identity_of(const char *path, struct file_identity *out); /* '/' at its end is ignored */
void file_identity_of_descriptor(int fd, struct file_identity *out);
/* The same file or folder; streams are never the same. */
bool file_identity_equal(const struct file_identity *a, const struct file_identity *b);

/* The path with links at its end followed, also to a file that does not exist: realpath(3) refuses
 * that. NULL with errno; the caller's to free with memory_free. */
char *file_follow_links(const char *path);

#endif
