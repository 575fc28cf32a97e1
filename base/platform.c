/* Linux's calls, and those of POSIX in their place. */
#define _GNU_SOURCE /* O_TMPFILE, memfd_create, F_SETLEASE, cpu_set_t, fopencookie */
#include "base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"

/* ---- streams in memory: functions for fopencookie, or the funopen of macOS and the BSDs ---- */

#if defined(__linux__) || defined(__GLIBC__)
typedef size_t stream_size;
typedef ssize_t stream_result;
#else
#define PLATFORM_FUNOPEN
typedef int stream_size, stream_result;
#endif

struct memory_stream {
	char *bytes;
	size_t size, room, at;
};

static stream_result stream_read(void *cookie, char *bytes, stream_size wanted)
{
	struct memory_stream *stream = cookie;
	size_t n = (size_t)wanted;

	n = n < stream->size - stream->at ? n : stream->size - stream->at;
	if (n > 0)
		memcpy(bytes, stream->bytes + stream->at, n);
	stream->at += n;
	return (stream_result)n;
}

static stream_result stream_write(void *cookie, const char *bytes, stream_size wanted)
{
	struct memory_stream *stream = cookie;
	const size_t n = (size_t)wanted;

	stream->bytes = memory_make_room(stream->bytes, &stream->room, stream->at + n, 1);
	memcpy(stream->bytes + stream->at, bytes, n);
	stream->at += n;
	stream->size = stream->size > stream->at ? stream->size : stream->at;
	return (stream_result)n;
}

static off_t stream_seek(void *cookie, off_t offset, int whence)
{
	struct memory_stream *stream = cookie;
	const size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? stream->at : stream->size;
	const off_t to = (off_t)from + offset;

	if (to < 0 || (uint64_t)to > stream->size)
		return -1;
	stream->at = (size_t)to;
	return to;
}

#ifndef PLATFORM_FUNOPEN
static int stream_seek_to(void *cookie, off_t *offset, int whence)
{
	*offset = stream_seek(cookie, *offset, whence);
	return *offset < 0 ? -1 : 0;
}
#endif

static int stream_close(void *cookie)
{
	struct memory_stream *stream = cookie;

	memory_free(stream->bytes);
	memory_free(stream);
	return 0;
}

FILE *platform_memory_stream(void)
{
	struct memory_stream *stream = memory_alloc(sizeof(*stream));
#ifdef PLATFORM_FUNOPEN
	FILE *file = funopen(stream, stream_read, stream_write, stream_seek, stream_close);
#else
	FILE *file = fopencookie(stream, "w+",
		(cookie_io_functions_t){stream_read, stream_write, stream_seek_to, stream_close});
#endif

	if (!file)
		memory_free(stream);
	return file;
}

/* ---- waiting for signals ---- */

#define PAUSE_NS 1000000

int platform_signal_wait(const sigset_t *set, int64_t most_ns)
{
#if PLATFORM_LINUX
	const struct timespec most = {
		.tv_sec = most_ns / 1000000000, .tv_nsec = most_ns % 1000000000};
	int number;

	do
		number = most_ns < 0 ? sigwaitinfo(set, NULL) : sigtimedwait(set, NULL, &most);
	while (number < 0 && errno == EINTR);
	return number < 0 ? 0 : number;
#else /* macOS and OpenBSD have only sigwait */
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	int number = 0;

	for (;; most_ns -= PAUSE_NS, nanosleep(&pause, NULL)) {
		sigset_t pending;
		bool came = most_ns < 0;

		sigpending(&pending);
		for (int i = 1; i < NSIG && !came; i++)
			came = sigismember(set, i) == 1 && sigismember(&pending, i) == 1;
		if (came)
			return sigwait(set, &number) ? 0 : number;
		if (most_ns < PAUSE_NS)
			return 0;
	}
#endif
}

#if PLATFORM_LINUX

#include <linux/fs.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#ifndef __GLIBC__ /* musl has no name for it */
#define renameat2(...) (int)syscall(SYS_renameat2, __VA_ARGS__)
#endif

bool platform_random(void *bytes, size_t n)
{
	return getrandom(bytes, n, GRND_NONBLOCK) == (ssize_t)n;
}

void platform_keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD /* not in musl */
	mallopt(M_TRIM_THRESHOLD, 16 << 20);
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

int platform_nameless_file(const char *folder)
{
	return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

int platform_memory_file(void)
{
	return memfd_create("stepstat", MFD_CLOEXEC);
}

bool platform_exchange(const char *one, const char *other)
{
	return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0;
}

/* NFS, SMB, CIFS, FUSE, Ceph, AFS, 9P, Lustre, GPFS, BeeGFS. */
bool platform_is_shared(const char *path)
{
	static const uint32_t magic[] = {0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546,
		0x00c36400, 0x5346414f, 0x01021997, 0x0bd00bd0, 0x47504653, 0x19830326};
	struct statfs info;

	if (statfs(path, &info) != 0)
		return false;
	for (size_t i = 0; i < sizeof(magic) / sizeof(*magic); i++)
		if ((uint32_t)info.f_type == magic[i])
			return true;
	return false;
}

/* A lease is refused while somebody has the file open for writing, and it may be asked for only by
 * the owner. It is given back at once: whoever opens the file meanwhile waits for microseconds, and
 * this process gets a signal that is ignored unless somebody handles it. */
enum platform_openness platform_openness(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	enum platform_openness openness = OPENNESS_UNKNOWN;

	if (fd < 0)
		return OPENNESS_UNKNOWN;
	if (fcntl(fd, F_SETSIG, SIGURG) == 0 && fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
		openness = NOT_OPEN_FOR_WRITING;
		fcntl(fd, F_SETLEASE, F_UNLCK);
	} else if (errno == EAGAIN) {
		openness = OPEN_FOR_WRITING;
	}
	close(fd);
	return openness;
}

static sigset_t mask_before;

int platform_signals_open(const sigset_t *set)
{
	int fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);

	if (fd >= 0)
		sigprocmask(SIG_BLOCK, set, &mask_before);
	return fd;
}

int platform_signals_take(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

void platform_signals_close(int fd)
{
	close(fd);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

bool platform_adopt(bool adopt)
{
	int before = 0;

	prctl(PR_GET_CHILD_SUBREAPER, &before);
	prctl(PR_SET_CHILD_SUBREAPER, adopt);
	return before;
}

bool platform_use_processors(const bool wanted[PLATFORM_PROCESSORS])
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < PLATFORM_PROCESSORS && i < CPU_SETSIZE; i++)
		if (wanted[i])
			CPU_SET(i, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

int platform_counter(uint32_t type, uint64_t config)
{
	struct perf_event_attr attributes = {.type = type,
		.size = sizeof(attributes),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1};

	return (int)syscall(
		SYS_perf_event_open, &attributes, 0, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);
}

#else

bool platform_random(void *bytes, size_t n)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : read(fd, bytes, n);

	if (fd >= 0)
		close(fd);
	return got == (ssize_t)n;
}

/* ---- signals, by a pipe to this process ---- */

static int signal_pipe = -1; /* its end for writing */
static sigset_t signals;
static struct sigaction action_before[NSIG];

static void put_signal(int number)
{
	const int before = errno;
	const unsigned char byte = (unsigned char)number;

	/* Full: signals are waiting already. */
	if (write(signal_pipe, &byte, 1) < 0)
		errno = before;
}

int platform_signals_open(const sigset_t *set)
{
	struct sigaction action = {.sa_handler = put_signal, .sa_flags = SA_RESTART};
	int end[2];

	if (pipe(end) != 0)
		return -1;
	for (size_t i = 0; i < 2; i++) {
		fcntl(end[i], F_SETFD, FD_CLOEXEC);
		fcntl(end[i], F_SETFL, O_NONBLOCK);
	}
	signal_pipe = end[1];
	signals = *set;
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&signals, number) == 1)
			sigaction(number, &action, &action_before[number]);
	return end[0];
}

int platform_signals_take(int fd)
{
	unsigned char number;

	return read(fd, &number, 1) == 1 ? number : 0;
}

void platform_signals_close(int fd)
{
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&signals, number) == 1)
			sigaction(number, &action_before[number], NULL);
	close(signal_pipe);
	close(fd);
}

/* ---- what there is not ---- */

void platform_keep_memory(void)
{
}

static int unknown(void)
{
	errno = ENOSYS;
	return -1;
}

int platform_nameless_file(const char *folder)
{
	(void)folder;
	return unknown();
}

int platform_memory_file(void)
{
	return unknown();
}

bool platform_exchange(const char *one, const char *other)
{
	(void)one, (void)other;
	return false;
}

bool platform_is_shared(const char *path)
{
	(void)path;
	return false;
}

enum platform_openness platform_openness(const char *path)
{
	(void)path;
	return OPENNESS_UNKNOWN;
}

bool platform_adopt(bool adopt)
{
	(void)adopt;
	return false;
}

bool platform_use_processors(const bool wanted[PLATFORM_PROCESSORS])
{
	(void)wanted;
	unknown();
	return false;
}

int platform_counter(uint32_t type, uint64_t config)
{
	(void)type, (void)config;
	return unknown();
}

#endif
