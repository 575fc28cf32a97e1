/* Threads of the system. */
#include "base/threads.h"

#include <signal.h>
#include <stdatomic.h>
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

struct item_work {
	void (*work)(void *context, size_t item, size_t thread);
	void *context;
	size_t count;
	_Atomic size_t next, thread;
};

static void *take_items(void *object)
{
	struct item_work *w = object;
	const size_t thread = atomic_fetch_add(&w->thread, 1);
	size_t item;

	while ((item = atomic_fetch_add(&w->next, 1)) < w->count)
		w->work(w->context, item, thread);
	return NULL;
}

void threads_each(size_t threads, size_t count,
	void (*work)(void *context, size_t item, size_t thread), void *context)
{
	struct item_work w = {.work = work, .context = context, .count = count};
	const size_t most = threads < count ? threads : count;
	pthread_t *thread = memory_alloc(memory_product(most, sizeof(*thread)));
	size_t started = 0;

	while (started + 1 < most && thread_start(&thread[started], take_items, &w))
		started++;
	take_items(&w);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	memory_free(thread);
}
