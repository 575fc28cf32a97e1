/* Threads of the system. */
#include "base/threads.h"

#include <signal.h>
#include "base/memory.h"

bool thread_start(pthread_t *thread, void *(*run)(void *context), void *context)
{
	sigset_t all, before;
	bool is_started;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	is_started = pthread_create(thread, NULL, run, context) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_started;
}

void threads_run(size_t count, void *(*run)(void *context), void *context)
{
	pthread_t *thread = memory_alloc(memory_product(count, sizeof(*thread)));
	size_t started = 0;

	while (started + 1 < count && thread_start(&thread[started], run, context))
		started++;
	run(context);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	memory_free(thread);
}
