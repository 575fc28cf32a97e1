/*
 * Threads of the system that live as long as the call.
 */
#include "base/threads.h"

#include <pthread.h>
#include <signal.h>

void threads_run(size_t count, void *(*run)(void *context), void *context)
{
	pthread_t thread[THREADS_MOST];
	sigset_t all, before;
	size_t started = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	while (started + 1 < count && started < THREADS_MOST &&
		pthread_create(&thread[started], NULL, run, context) == 0)
		started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	run(context);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
}
