/* Outputs that appear whole or not at all: a buffer over a temporary file beside the target, over a
 * descriptor that is written to directly, or over memory. The first error is kept until the
 * commit. */
#include "base/output/outfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/output/file_identity.h"
#include "base/platform.h"
#include "base/temporary_file.h"
#include "base/text.h"

#define BUFFER_BYTES ((size_t)64 << 10)
#define SLOT_COUNT 16

/* The temporary files that a signal handler has to remove. This must be static: a handler gets no
 * argument. `used` is set after `name` and cleared before `name` is freed, both are volatile, so
 * the handler never follows a pointer that is not good. A file for which no slot is left is only
 * not removed on a signal. */
static struct {
	volatile sig_atomic_t used;
	char *volatile name;
} open_names[SLOT_COUNT];

enum outfile_sink {
	SINK_FILE,	 /* a temporary file, renamed at the end */
	SINK_DESCRIPTOR, /* standard output, a device, a pipe */
	SINK_MEMORY,
};

/* Key no-sync. This must be static, as outputs are opened everywhere. */
static bool no_sync;

struct outfile {
	enum outfile_sink sink;
	char *path;   /* as given, for messages */
	char *target; /* links resolved */
	char *temporary;
	int fd, slot;
	int guarded; /* of output_guard_open */
	int error;   /* the first errno, 0 is none */
	bool member; /* of a folder that is not in its place yet */
	char *buffer;
	size_t used_bytes;
	bool ascii;
	struct text memory; /* the output, or for ASCII its unfinished line */
};

static char *copy_string(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(memory_alloc(size), s, size);
}

static struct outfile *outfile_new(enum outfile_sink sink, const char *path)
{
	struct outfile *out = memory_alloc(sizeof(*out));

	out->sink = sink;
	out->path = copy_string(path);
	out->fd = out->slot = out->guarded = -1;
	text_init(&out->memory);
	if (sink != SINK_MEMORY)
		out->buffer = memory_alloc(BUFFER_BYTES);
	return out;
}

static void outfile_free(struct outfile *out)
{
	if (out->slot >= 0)
		open_names[out->slot].used = 0;
	out->slot = -1;
	output_guard_close(out->guarded);
	text_release(&out->memory);
	memory_free(out->buffer);
	memory_free(out->temporary);
	memory_free(out->target);
	memory_free(out->path);
	memory_free(out);
}

static int fail(struct error *err, const char *path, int number)
{
	return error_set(err, ERROR_OUTPUT, path, "cannot write: %s", strerror(number));
}

static void outfile_remember_name(struct outfile *out)
{
	for (int i = 0; i < SLOT_COUNT; i++) {
		if (open_names[i].used)
			continue;
		open_names[i].name = out->temporary;
		open_names[i].used = 1;
		out->slot = i;
		return;
	}
}

/* Creates the temporary file; no signal may come between its creation and its place in the list. */
static int outfile_create(struct outfile *out)
{
	sigset_t all, before;
	int error = EEXIST;

	sigfillset(&all);
	for (unsigned int attempt = 0; out->fd < 0 && error == EEXIST && attempt < 100; attempt++) {
		memory_free(out->temporary);
		out->temporary = beside_name(out->target, attempt);
		sigprocmask(SIG_SETMASK, &all, &before);
		out->fd = file_open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
		error = errno;
		if (out->fd >= 0 && beside_lock(out->fd) != 0) {
			error = errno;
			close(out->fd);
			out->fd = -1;
		}
		if (out->fd >= 0)
			outfile_remember_name(out);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	if (out->fd >= 0)
		return 0;
	memory_free(out->temporary);
	out->temporary = NULL;
	errno = error;
	return -1;
}

static struct outfile *open_descriptor(const char *path, int fd, struct error *err)
{
	if (fd < 0) {
		fail(err, path, errno);
		return NULL;
	}
	struct outfile *out = outfile_new(SINK_DESCRIPTOR, path);

	out->fd = fd;
	return out;
}

/* A copy: closing it reports late errors, and the program's own descriptor remains open. */
static struct outfile *open_copy(const char *path, int fd, struct error *err)
{
	/* Text that was printed before stays before. */
	if (fflush(fd == STDERR_FILENO ? stderr : stdout) != 0) {
		fail(err, path, errno);
		return NULL;
	}
	return open_descriptor(path, fcntl(fd, F_DUPFD_CLOEXEC, 3), err);
}

/* `existing` is NULL when the target does not exist. */
static struct outfile *open_beside(
	const char *path, const struct stat *existing, bool member, struct error *err)
{
	struct outfile *out = outfile_new(SINK_FILE, path);
	struct stat made;

	out->member = member;
	out->target = file_follow_links(path);
	/* A rename would replace a file that its owner has made read-only. */
	if (!out->target || (existing && access(out->target, W_OK) != 0)) {
		fail(err, path, errno);
		outfile_free(out);
		return NULL;
	}
	if (!member)
		beside_sweep(out->target);
	if (outfile_create(out) != 0) {
		size_t length = (size_t)(text_base_name(out->target) - out->target);
		struct stat status;

		fail(err, path, errno);
		if (errno == ENOENT && length > 0) {
			char *folder = copy_string(out->target);

			folder[length] = '\0';
			if (stat(folder, &status) != 0)
				error_hint(err, "the folder \"%s\" does not exist", folder);
			memory_free(folder);
		}
		outfile_free(out);
		return NULL;
	}
	if (existing && fstat(out->fd, &made) == 0 && made.st_mode != existing->st_mode &&
		fchmod(out->fd, existing->st_mode & 0777) != 0) {
		fail(err, path, errno);
		outfile_discard(out);
		return NULL;
	}
	return out;
}

static struct outfile *open_path(const char *path, bool member, struct error *err)
{
	struct stat status;

	if (text_equal(path, "-"))
		return open_copy("standard output", STDOUT_FILENO, err);
	/* Where these are regular files (">> log"), opening them again would begin at the start. */
	if (text_equal(path, "/dev/stdout"))
		return open_copy(path, STDOUT_FILENO, err);
	if (text_equal(path, "/dev/stderr"))
		return open_copy(path, STDERR_FILENO, err);
	if (stat(path, &status) != 0) {
		if (errno == ENOENT && *path)
			return open_beside(path, NULL, member, err);
		fail(err, path, errno);
		return NULL;
	}
	if (S_ISDIR(status.st_mode)) {
		fail(err, path, EISDIR);
		return NULL;
	}
	if (!S_ISREG(status.st_mode))
		return open_descriptor(path, file_open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), err);
	return open_beside(path, &status, member, err);
}

static struct outfile *open_guarded(const char *path, bool member, struct error *err)
{
	struct outfile *out;

	if (output_guard_check(path, err) < 0)
		return NULL;
	out = open_path(path, member, err);
	if (out)
		out->guarded = output_guard_open(path);
	return out;
}

struct outfile *outfile_open(const char *path, struct error *err)
{
	return open_guarded(path, false, err);
}

struct outfile *outfile_open_member(const char *path, struct error *err)
{
	return open_guarded(path, true, err);
}

void outfile_set_sync(bool sync)
{
	no_sync = !sync;
}

int outfile_sync_folder(const char *path)
{
	if (no_sync)
		return 0;
	/* Write the entries of the folder of a path to the disk. A folder that may not be read, or
	 * a file system that cannot do this, is no error. */
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

struct outfile *outfile_memory(void)
{
	return outfile_new(SINK_MEMORY, "memory");
}

const char *outfile_data(const struct outfile *out, size_t *size)
{
	*size = out->memory.size;
	return out->sink == SINK_MEMORY ? text_string(&out->memory) : NULL;
}

const char *outfile_path(const struct outfile *out)
{
	return out->path;
}

const char *outfile_temporary(const struct outfile *out)
{
	return out->temporary;
}

static void outfile_write_now(struct outfile *out, const char *bytes, size_t n)
{
	while (n > 0 && !out->error) {
		ssize_t written = write(out->fd, bytes, n);

		if (written >= 0) {
			bytes += written;
			n -= (size_t)written;
		} else if (errno == EAGAIN) { /* a pipe that somebody made non-blocking */
			struct pollfd ready = {.fd = out->fd, .events = POLLOUT};

			if (poll(&ready, 1, -1) < 0 && errno != EINTR)
				out->error = errno;
		} else if (errno != EINTR) {
			out->error = errno;
		}
	}
}

static void outfile_flush(struct outfile *out)
{
	outfile_write_now(out, out->buffer, out->used_bytes);
	out->used_bytes = 0;
}

static void outfile_buffer(struct outfile *out, const void *bytes, size_t n)
{
	if (out->sink == SINK_MEMORY) {
		text_add_bytes(&out->memory, bytes, n);
		return;
	}
	if (n > BUFFER_BYTES - out->used_bytes)
		outfile_flush(out);
	if (n >= BUFFER_BYTES) {
		outfile_write_now(out, bytes, n);
		return;
	}
	memcpy(out->buffer + out->used_bytes, bytes, n);
	out->used_bytes += n;
}

void outfile_set_ascii(struct outfile *out)
{
	out->ascii = true;
}

static void outfile_end_line(struct outfile *out)
{
	struct text line;

	text_init(&line);
	text_add_ascii(&line, text_string(&out->memory));
	text_clear(&out->memory);
	outfile_buffer(out, text_string(&line), line.size);
	text_release(&line);
}

static void outfile_write_ascii(struct outfile *out, const char *bytes, size_t n)
{
	const char *end = bytes + n, *next;

	for (; bytes < end; bytes = next) {
		const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));

		next = stop ? stop + 1 : end;
		text_add_bytes(&out->memory, bytes, (size_t)(next - bytes));
		if (stop)
			outfile_end_line(out);
	}
}

void outfile_write(struct outfile *out, const void *bytes, size_t n)
{
	if (out->error || n == 0)
		return;
	if (out->ascii)
		outfile_write_ascii(out, bytes, n);
	else
		outfile_buffer(out, bytes, n);
}

void outfile_puts(struct outfile *out, const char *s)
{
	outfile_write(out, s, strlen(s));
}

void outfile_printf(struct outfile *out, const char *format, ...)
{
	char small[512];
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(small, sizeof(small), format, args);

	if (length < 0) {
		if (!out->error)
			out->error = EOVERFLOW;
	} else if ((size_t)length < sizeof(small)) {
		outfile_write(out, small, (size_t)length);
	} else {
		char *large = memory_alloc((size_t)length + 1);

		vsnprintf(large, (size_t)length + 1, format, again);
		outfile_write(out, large, (size_t)length);
		memory_free(large);
	}
	va_end(again);
	va_end(args);
}

int outfile_finish(struct outfile *out, struct error *err)
{
	if (out->ascii && out->memory.size)
		outfile_end_line(out);
	if (out->sink != SINK_MEMORY)
		outfile_flush(out);
	return out->error ? fail(err, out->path, out->error) : 0;
}

int outfile_commit(struct outfile *out, struct error *err)
{
	if (out->ascii && out->memory.size)
		outfile_end_line(out);
	if (out->sink != SINK_MEMORY)
		outfile_flush(out);
	if (out->sink == SINK_FILE) {
		/* Put the file in its place. Its lock is kept until then by a second descriptor,
		 * since closing the first may still report an error. */
		int lock = -1;

		if (!out->error && !no_sync && file_sync(out->fd) != 0)
			out->error = errno;
		lock = fcntl(out->fd, F_DUPFD_CLOEXEC, 3);
		if (close(out->fd) != 0 && !out->error && errno != EINTR)
			out->error = errno;
		out->fd = -1;
		if (!out->error && rename(out->temporary, out->target) != 0)
			out->error = errno;
		if (!out->error && !out->member && outfile_sync_folder(out->target) != 0)
			out->error = errno;
		if (lock >= 0)
			close(lock);
	}
	if (out->sink == SINK_DESCRIPTOR) {
		if (close(out->fd) != 0 && !out->error && errno != EINTR)
			out->error = errno;
		out->fd = -1;
	}
	if (out->error) {
		fail(err, out->path, out->error);
		outfile_discard(out);
		return -1;
	}
	outfile_free(out);
	return 0;
}

void outfile_discard(struct outfile *out)
{
	if (!out)
		return;
	if (out->fd >= 0)
		close(out->fd);
	if (out->temporary)
		unlink(out->temporary);
	outfile_free(out);
}

void outfile_abandon_all(void)
{
	int before = errno; /* the interrupted code may be about to read it */

	for (int i = 0; i < SLOT_COUNT; i++)
		if (open_names[i].used)
			unlink(open_names[i].name);
	errno = before;
}

/* A lock of flock(2) belongs to the open file: it ends with its process, however that dies, and is
 * seen from other containers and, on most network file systems, from other machines. */

#define NAME_BYTES_MOST 255
#define NAME_BYTES_ADDED (sizeof(TEMPORARY_FILE_MARK) + TEMPORARY_FILE_LETTERS) /* and the dot */

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

	unsigned char bytes[TEMPORARY_FILE_LETTERS];

	/* Without random bytes the number of the process will do: O_EXCL decides. */
	if (!platform_random(bytes, sizeof(bytes))) {
		unsigned long seed = (unsigned long)getpid() * 101 + attempt;

		for (size_t i = 0; i < sizeof(bytes); i++, seed /= 32)
			bytes[i] = (unsigned char)(seed % 32);
	}
	for (size_t i = 0; i < sizeof(bytes); i++)
		text_add_char(&name, TEMPORARY_FILE_ALPHABET[bytes[i] % 32]);
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

void beside_sweep_folder(const char *folder, const char *suffix)
{
	const struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir))) {
		const size_t n = strlen(entry->d_name);
		const size_t end = sizeof(TEMPORARY_FILE_MARK) - 1 + TEMPORARY_FILE_LETTERS;

		if (entry->d_name[0] == '.' && temporary_file_is(entry->d_name) &&
			n > end + strlen(suffix) &&
			strncmp(entry->d_name + n - end - strlen(suffix), suffix, strlen(suffix)) ==
				0)
			remove_left_over(dirfd(dir), entry->d_name);
	}
	if (dir)
		closedir(dir);
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
