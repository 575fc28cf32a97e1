/* Threads of the system, and one function that several of them run at the same time. It does not
 * divide work: the function takes what nobody else has taken. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS_MOST ((size_t)64) /* that are worth while on one input */

/* Starts a thread that gets no signals. False: the system has no more; the caller does the work. */
bool thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

/* `count` threads, the caller's own included; fewer where the system has no more. Returns when all
 * of them have. Signals stay with the caller's thread. */
void threads_run(size_t count, void *(*run)(void *context), void *context);
