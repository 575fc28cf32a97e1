/*
 * A lock of flock(2) belongs to the open file: it ends with its process, however that dies, and is
 * seen from other containers and, on most network file systems, from other machines.
 */
#include "base/output/beside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"
#include "base/text.h"

#define NAME_BYTES_MOST 255
#define NAME_BYTES_ADDED (sizeof(TEMPORARY_FILE_MARK) + TEMPORARY_FILE_LETTERS) /* and the dot */

static void add_random(struct text *name, unsigned int attempt)
{
	unsigned char bytes[TEMPORARY_FILE_LETTERS];

	/* Without random bytes the number of the process will do: O_EXCL decides. */
	if (getrandom(bytes, sizeof(bytes), GRND_NONBLOCK) != sizeof(bytes)) {
		unsigned long seed = (unsigned long)getpid() * 101 + attempt;

		for (size_t i = 0; i < sizeof(bytes); i++, seed /= 32)
			bytes[i] = (unsigned char)(seed % 32);
	}
	for (size_t i = 0; i < sizeof(bytes); i++)
		text_add_char(name, TEMPORARY_FILE_ALPHABET[bytes[i] % 32]);
}

/* The folder part of the path with its last '/', and ".NAME.tmp-". */
static void add_start(struct text *name, const char *target)
{
	const size_t most = NAME_BYTES_MOST - NAME_BYTES_ADDED;
	const char *base = text_base_name(target);
	size_t size = strlen(base);

	text_add_bytes(name, target, (size_t)(base - target));
	text_add_char(name, '.');
	text_add_bytes(name, base, size < most ? size : most);
	text_add(name, TEMPORARY_FILE_MARK);
}

char *beside_name(const char *target, unsigned int attempt)
{
	struct text name;

	text_init(&name);
	add_start(&name, target);
	add_random(&name, attempt);
	return name.data;
}

int beside_lock(int fd)
{
	struct stat info;

	if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return errno = EEXIST, -1;
	if (fstat(fd, &info) == 0 && info.st_nlink == 0)
		return errno = EEXIST, -1;
	return 0;
}

static void remove_files(int folder)
{
	const struct dirent *entry;
	DIR *dir = fdopendir(folder);

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0); /* not of folders */
	if (dir)
		closedir(dir);
	else
		close(folder);
}

void beside_remove_folder(const char *path)
{
	int fd = file_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		remove_files(fd);
	rmdir(path);
}

/* NFS locks only what is open for writing. */
static int open_left_over(int folder, const char *name)
{
	const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
	int fd = openat(folder, name, O_RDWR | flags);

	return fd < 0 && errno == EISDIR ? openat(folder, name, O_RDONLY | flags) : fd;
}

/* Removes an entry that this user made; a folder is emptied, too. */
static void remove_left_over(int folder, const char *name)
{
	struct stat info;
	int fd = open_left_over(folder, name);

	if (fd < 0)
		return;
	if (fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
		(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) &&
		flock(fd, LOCK_EX | LOCK_NB) == 0) {
		if (S_ISDIR(info.st_mode))
			remove_files(fcntl(fd, F_DUPFD_CLOEXEC, 0));
		unlinkat(folder, name, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
	}
	close(fd);
}

void beside_sweep(const char *target)
{
	const struct dirent *entry;
	struct text start, folder;
	DIR *dir;

	text_init(&start);
	text_init(&folder);
	add_start(&start, target);
	text_add_bytes(&folder, target, (size_t)(text_base_name(target) - target));
	dir = opendir(folder.size ? text_string(&folder) : ".");
	while (dir && (entry = readdir(dir)))
		if (text_starts(entry->d_name, text_base_name(text_string(&start))) &&
			temporary_file_is(entry->d_name) &&
			strlen(entry->d_name) == strlen(text_base_name(text_string(&start))) +
							 TEMPORARY_FILE_LETTERS)
			remove_left_over(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
	text_release(&start);
	text_release(&folder);
}

int beside_sync_folder(const char *path)
{
	struct text folder;
	int fd, status;

	text_init(&folder);
	text_add_bytes(&folder, path, (size_t)(text_base_name(path) - path));
	fd = file_open(
		folder.size ? text_string(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	text_release(&folder);
	if (fd < 0) /* a folder may be one to write into, not to list */
		return errno == EACCES ? 0 : -1;
	status = file_sync(fd);
	int number = errno;

	close(fd);
	errno = number;
	return status;
}
