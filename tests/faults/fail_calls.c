/* A library for LD_PRELOAD: it stands before the calls by which a program reaches files, writes down each of them, and lets one fail.
 *
 * FAULT_LOG=FILE: a line for each call: its kind, its site (a number made of the return addresses: the same in every run), its
 * result, and the file. FAULT=KIND:SITE:ERROR: the first call of this kind from this site fails with this errno; "short" transfers
 * one byte, or half of what was asked for. It does not know what a program should do then:
 * tests/faults/faults.py does. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAMES_MOST 14
#define FRAMES_OF_STREAM 5 /* libraries write each word by itself */
#define PATH_BYTES 4096

static int log_fd = -1;
static const char *fault;
static atomic_int fault_done;
static __thread bool is_inside; /* what backtrace() and stdio do by themselves is no call of the program */

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("FAULT_LOG");
	void *frames[2];

	is_inside = true;
	backtrace(frames, 2); /* loads what it needs */
	is_inside = false;
	fault = getenv("FAULT");
	if (path) {
		int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

		log_fd = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 700);
		syscall(SYS_close, fd);
	}
}

/* The place of the call: where the frames above are in their files. */
static uint64_t site_now(const char *kind)
{
	void *frame[FRAMES_MOST];
	int count = backtrace(frame, *kind == 'f' ? FRAMES_OF_STREAM : FRAMES_MOST);
	uint64_t site = 14695981039346656037u;

	for (int i = 2; i < count; i++) {
		Dl_info info = {0};
		uint64_t at = (uintptr_t)frame[i];

		if (dladdr(frame[i], &info))
			at -= (uintptr_t)info.dli_fbase;
		site = (site ^ at) * 1099511628211u;
	}
	return site & 0xffffffffffu;
}

static void path_of(int fd, const char *name, char *path)
{
	char link[64];
	ssize_t size;

	if (name) {
		snprintf(path, PATH_BYTES, "%s", name);
		return;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = (ssize_t)syscall(SYS_readlink, link, path, PATH_BYTES - 1);
	path[size < 0 ? 0 : size] = '\0';
}

/* A call that is about to be made. */
struct faulty_call {
	bool is_ours;
	uint64_t site;
	int fault; /* an errno, -1: short, 0: none */
	const char *kind;
	char path[PATH_BYTES];
};

static void begin(struct faulty_call *call, const char *kind, int fd, const char *name)
{
	char *rest;
	size_t size = strlen(kind);

	call->kind = kind;
	call->fault = 0;
	call->is_ours = !is_inside && (log_fd >= 0 || fault);
	if (!call->is_ours)
		return;
	is_inside = true;
	int before = errno;

	call->site = site_now(kind);
	path_of(fd, name, call->path);
	if (fault && strncmp(fault, kind, size) == 0 && fault[size] == ':' &&
		strtoull(fault + size + 1, &rest, 10) == call->site && *rest == ':' && !atomic_exchange(&fault_done, 1))
		call->fault = strcmp(rest + 1, "short") == 0 ? -1 : atoi(rest + 1);
	errno = before;
	is_inside = false;
}

static void end(struct faulty_call *call, long long result, int fd)
{
	char line[PATH_BYTES + 200];
	int before = errno;

	if (!call->is_ours || log_fd < 0)
		return;
	struct stat info = {0};
	if (fd >= 0)
		syscall(SYS_fstat, fd, &info);
	int n = snprintf(line, sizeof(line), "%s %llu %lld %d %llu %s\n", call->kind, (unsigned long long)call->site, result,
		call->fault, (unsigned long long)info.st_ino, call->path);
	syscall(SYS_write, log_fd, line, n);
	errno = before;
}

#define REAL(type, name, ...)                                       \
	static type (*real)(__VA_ARGS__);                           \
	if (!real)                                                  \
	real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Calls that give a descriptor. */
static int opened(const char *kind, int folder, const char *path, int flags, mode_t mode)
{
	struct faulty_call call;
	int fd;

	begin(&call, flags & (O_WRONLY | O_RDWR) ? "create" : kind, -1, path);
	if (call.fault > 0) {
		errno = call.fault;
		fd = -1;
	} else {
		fd = (int)syscall(SYS_openat, folder, path, flags, mode);
	}
	end(&call, fd, fd);
	return fd;
}

#define OPEN_MODE(flags)                                       \
	mode_t mode = 0;                                       \
	if ((flags) & (O_CREAT | O_TMPFILE)) {                 \
		va_list args;                                  \
		va_start(args, flags);                         \
		mode = va_arg(args, mode_t);                   \
		va_end(args);                                  \
	}

int open(const char *path, int flags, ...)
{
	OPEN_MODE(flags)
	return opened("open", AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	OPEN_MODE(flags)
	return opened("open", AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags)
	return opened("open", folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags)
	return opened("open", folder, path, flags, mode);
}

DIR *opendir(const char *path)
{
	struct faulty_call call;
	DIR *dir = NULL;
	REAL(DIR *, "opendir", const char *);

	begin(&call, "opendir", -1, path);
	if (call.fault > 0)
		errno = call.fault;
	else
		dir = real(path);
	end(&call, dir ? 0 : -1, -1);
	return dir;
}

/* Calls that move bytes. */
static ssize_t moved(const char *kind, long number, int fd, void *bytes, size_t size, off_t offset, bool is_placed)
{
	struct faulty_call call;
	ssize_t done;

	begin(&call, kind, fd, NULL);
	if (call.fault < 0 && size > 1)
		size = size > 2 ? size / 2 : 1;
	if (call.fault > 0) {
		errno = call.fault;
		done = -1;
	} else if (is_placed) {
		done = (ssize_t)syscall(number, fd, bytes, size, offset);
	} else {
		done = (ssize_t)syscall(number, fd, bytes, size);
	}
	end(&call, done, fd);
	return done;
}

ssize_t read(int fd, void *bytes, size_t size)
{
	return moved("read", SYS_read, fd, bytes, size, 0, false);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	return moved("read", SYS_pread64, fd, bytes, size, offset, true);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	return moved("read", SYS_pread64, fd, bytes, size, offset, true);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return moved("write", SYS_write, fd, (void *)bytes, size, 0, false);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return moved("write", SYS_pwrite64, fd, (void *)bytes, size, offset, true);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	return moved("write", SYS_pwrite64, fd, (void *)bytes, size, offset, true);
}

/* Calls with a descriptor and no more. */
static int simple(const char *kind, long number, int fd)
{
	struct faulty_call call;
	int result = 0;
	bool is_close = number == SYS_close;

	if (fd == log_fd && fd >= 0)
		return 0;
	int flags = is_close ? (int)syscall(SYS_fcntl, fd, F_GETFL) : O_RDWR;
	begin(&call, (flags & O_ACCMODE) == O_RDONLY ? "close-read" : kind, fd, NULL);
	/* A descriptor is closed whatever close() says. */
	if (is_close || call.fault <= 0)
		result = (int)syscall(number, fd);
	if (call.fault > 0) {
		errno = call.fault;
		result = -1;
	}
	end(&call, result, is_close ? -1 : fd);
	return result;
}

int fsync(int fd)
{
	return simple("fsync", SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return simple("fsync", SYS_fdatasync, fd);
}

int close(int fd)
{
	return simple("close", SYS_close, fd);
}

static int renamed(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
{
	struct faulty_call call;
	char both[PATH_BYTES];
	int result = -1;

	snprintf(both, sizeof(both), "%s\t%s", from, to);
	begin(&call, flags ? "exchange" : "rename", -1, both);
	if (call.fault > 0)
		errno = call.fault;
	else
		result = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
	end(&call, result, -1);
	return result;
}

int rename(const char *from, const char *to)
{
	return renamed(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
{
	return renamed(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode)
{
	struct faulty_call call;
	int result = -1;

	begin(&call, "mkdir", -1, path);
	if (call.fault > 0)
		errno = call.fault;
	else
		result = (int)syscall(SYS_mkdir, path, mode);
	end(&call, result, -1);
	return result;
}

/* Streams of the C library, which read and write behind these functions. */
static int stream_failed(FILE *file, const struct faulty_call *call)
{
	file->_flags |= 0x20; /* ferror() */
	errno = call->fault;
	return EOF;
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
	struct faulty_call call;
	size_t done = 0;
	REAL(size_t, "fread", void *, size_t, size_t, FILE *);

	begin(&call, "fread", fileno(file), NULL);
	if (call.fault > 0)
		stream_failed(file, &call);
	else
		done = real(bytes, size, count, file);
	end(&call, (long long)done, -1);
	return done;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
	struct faulty_call call;
	size_t done = 0;
	REAL(size_t, "fwrite", const void *, size_t, size_t, FILE *);

	begin(&call, size && count ? "fwrite" : "nothing", fileno(file), NULL);
	if (call.fault > 0)
		stream_failed(file, &call);
	else
		done = real(bytes, size, count, file);
	end(&call, (long long)done, -1);
	return done;
}

int fflush(FILE *file)
{
	struct faulty_call call;
	int result;
	REAL(int, "fflush", FILE *);

	begin(&call, "fflush", file ? fileno(file) : -1, NULL);
	result = call.fault > 0 && file ? stream_failed(file, &call) : real(file);
	end(&call, result, -1);
	return result;
}

FILE *fopen(const char *path, const char *mode)
{
	struct faulty_call call;
	FILE *file = NULL;
	REAL(FILE *, "fopen", const char *, const char *);

	begin(&call, "fopen", -1, path);
	if (call.fault > 0)
		errno = call.fault;
	else
		file = real(path, mode);
	end(&call, file ? 0 : -1, -1);
	return file;
}

FILE *tmpfile(void)
{
	struct faulty_call call;
	FILE *file = NULL;
	REAL(FILE *, "tmpfile", void);

	begin(&call, "tmpfile", -1, "/tmp/");
	if (call.fault > 0)
		errno = call.fault;
	else
		file = real();
	end(&call, file ? 0 : -1, -1);
	return file;
}
