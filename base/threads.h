/*
 * One function that several threads run at the same time, until all of them have returned. It does
 * not divide work: the function takes what nobody else has taken.
 */
#ifndef STEPSTAT_BASE_THREADS_H
#define STEPSTAT_BASE_THREADS_H

#include <stddef.h>

#define THREADS_MOST ((size_t)64)

/* `count` threads, the caller's own included; fewer where the system has no more, and THREADS_MOST
 * at most. Signals stay with the caller's thread. */
void threads_run(size_t count, void *(*run)(void *context), void *context);

#endif
