/* Threads of the system, and work in items that several of them take. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS_MOST ((size_t)64) /* that are worth while on one input */

/* Starts a thread that gets no signals. False: the system has no more; the caller does the work. */
bool thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

/* Calls `work` once for each of `count` items, which begin in order, from so many threads at most,
 * the caller's own included; fewer where the system has no more. `thread` is below `threads`: no
 * two calls at a time have the same. Returns when all is done. Signals stay with the caller's
 * thread. */
void threads_each(size_t threads, size_t count,
	void (*work)(void *context, size_t item, size_t thread), void *context);
