/*
 * Files are distinguished by device and inode; a file that does not exist, by folder and name.
 */
#include "base/output/file_identity.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/text.h"

#define LINKS_MOST 40 /* as the kernel follows */

static char *copy_bytes(const char *s, size_t n)
{
	char *copy = memory_alloc(n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

/* The folder part of path with its last '/', as a length; 0 is the current folder. */
static size_t folder_length(const char *path)
{
	return (size_t)(text_base_name(path) - path);
}

/* Target of the link at path, as a path from here; NULL with errno when it cannot be read. */
static char *read_link(const char *path)
{
	char link[PATH_MAX];
	ssize_t size = readlink(path, link, sizeof(link));
	struct text target;

	if (size < 0)
		return NULL;
	if ((size_t)size == sizeof(link)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	text_init(&target);
	if (link[0] != '/')
		text_add_bytes(&target, path, folder_length(path));
	text_add_bytes(&target, link, (size_t)size);
	return target.data;
}

char *file_follow_links(const char *path)
{
	char *target = copy_bytes(path, strlen(path));
	struct stat status;

	for (int links = 0; lstat(target, &status) == 0 && S_ISLNK(status.st_mode); links++) {
		char *next = NULL;

		if (links == LINKS_MOST)
			errno = ELOOP;
		else
			next = read_link(target);
		memory_free(target);
		if (!next)
			return NULL;
		target = next;
	}
	return target;
}

static void fill(const struct stat *status, struct file_identity *out)
{
	out->device = status->st_dev;
	out->inode = status->st_ino;
	out->kind = S_ISREG(status->st_mode)   ? FILE_REGULAR
		    : S_ISDIR(status->st_mode) ? FILE_FOLDER
					       : FILE_STREAM;
}

static void of_missing(const char *target, struct file_identity *out)
{
	const char *name = text_base_name(target);
	size_t length = folder_length(target);
	char *folder = length ? copy_bytes(target, length) : copy_bytes(".", 1);
	struct stat status;

	if (*name && strlen(name) <= NAME_MAX && stat(folder, &status) == 0) {
		out->kind = FILE_MISSING;
		out->device = status.st_dev;
		out->inode = status.st_ino;
		memcpy(out->name, name, strlen(name) + 1);
	}
	memory_free(folder);
}

void file_identity_of(const char *path, struct file_identity *out)
{
	size_t n = strlen(path);
	struct stat status;
	char *trimmed, *target;

	memset(out, 0, sizeof(*out));
	while (n > 1 && path[n - 1] == '/')
		n--;
	trimmed = copy_bytes(path, n);
	if (stat(trimmed, &status) == 0) {
		fill(&status, out);
	} else {
		target = file_follow_links(trimmed);
		if (target)
			of_missing(target, out);
		memory_free(target);
	}
	memory_free(trimmed);
}

void file_identity_of_descriptor(int fd, struct file_identity *out)
{
	struct stat status;

	memset(out, 0, sizeof(*out));
	if (fstat(fd, &status) == 0)
		fill(&status, out);
}

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b)
{
	return a->kind == b->kind && a->kind != FILE_UNKNOWN && a->kind != FILE_STREAM &&
	       a->device == b->device && a->inode == b->inode && text_equal(a->name, b->name);
}
