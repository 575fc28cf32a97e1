/* Calls that POSIX does not have: the system's own where there is one, else what POSIX has, or
 * "no", for which every caller has another way. No other file includes a header of one system.
 * `configure --enable-posix` (STEPSTAT_POSIX) leaves out what is Linux's own, so that the other
 * ways are tested there. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__linux__) && !defined(STEPSTAT_POSIX)
#define PLATFORM_LINUX 1
#else
#define PLATFORM_LINUX 0
#endif

#if !defined(STEPSTAT_POSIX) && __has_include(<sys/inotify.h>)
#define PLATFORM_INOTIFY 1 /* which some BSDs have, too */
#include <sys/inotify.h>
#else
#define PLATFORM_INOTIFY 0
#endif

#ifdef __APPLE__ /* POSIX's names of the times in struct stat */
#define st_atim st_atimespec
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

/* Random bytes without waiting; false: there are none. */
bool platform_random(void *bytes, size_t n);

/* Memory that the process frees stays with it for what comes next. */
void platform_keep_memory(void);

/* ---- files ---- */

/* A file without a name in that folder; -1: this file system has none. */
int platform_nameless_file(const char *folder);
/* A file in memory, whose name is /proc/self/fd/N; -1: there is none. */
int platform_memory_file(void);
/* A stream to write, read and seek whose bytes are in memory until it is closed; NULL with errno.
 */
FILE *platform_memory_stream(void);
/* Two names change what they are names of at once. */
bool platform_exchange(const char *one, const char *other);
/* True if other machines write to the file system, whose changes this one is not told. */
bool platform_is_shared(const char *path);

enum platform_openness { OPENNESS_UNKNOWN, OPEN_FOR_WRITING, NOT_OPEN_FOR_WRITING };
enum platform_openness platform_openness(const char *path);

/* ---- signals and processes ---- */

/* A descriptor that is ready to read when one of these signals came, whose effect is nothing else
 * from now on; -1: none. For one set of a process. */
int platform_signals_open(const sigset_t *set);
/* The next signal that came; 0: none. */
int platform_signals_take(int fd);
/* They have the effect that they had before. */
void platform_signals_close(int fd);

/* The next of these blocked signals within that time, without an end when that is negative; 0:
 * none. */
int platform_signal_wait(const sigset_t *set, int64_t most_ns);

/* Unit of the largest memory in struct rusage, in bytes. */
#ifdef __APPLE__
#define PLATFORM_MAXRSS_BYTES 1
#else
#define PLATFORM_MAXRSS_BYTES 1024
#endif

/* Children whose parents end become those of this process, or no longer. Returns what was so. */
bool platform_adopt(bool adopt);

#define PLATFORM_PROCESSORS 1024
/* This process and what it starts run on these processors alone; false: it cannot be. */
bool platform_use_processors(const bool wanted[PLATFORM_PROCESSORS]);

/* A counter of perf_event_open(2) over a child from its exec on and what it starts; -1 with
 * errno. */
int platform_counter(uint32_t type, uint64_t config);
