/* A ring of items under one lock. Items are large (some 100 microseconds each), so that nothing
 * finer is needed. */
#include "base/ordered_work.h"

#include <stdint.h>
#include "base/memory.h"
#include "base/threads.h"

#define WORKERS_MOST 32
#define SLOTS_MOST (4 * WORKERS_MOST)

struct ordered_work {
	void (*work)(void *item, size_t thread);
	size_t threads, slots, started;
	pthread_t thread[WORKERS_MOST];
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t is_put, is_done;
	void *item[SLOTS_MOST];
	bool done[SLOTS_MOST];
	uint64_t put, begun, taken; /* items so far: taken <= begun <= put */
	size_t numbered;	    /* threads that run */
	bool stop;
};

/* Many threads need fewer slots each: the caller takes while they work. */
size_t ordered_work_slots(size_t threads)
{
	if (threads <= 1)
		return 1;
	if (threads > WORKERS_MOST)
		threads = WORKERS_MOST;
	return threads < 4 ? 4 * threads : 2 * threads + 8;
}

struct ordered_work *ordered_work_new(size_t threads, void (*work)(void *item, size_t thread))
{
	struct ordered_work *w = memory_alloc(sizeof(*w));

	w->work = work;
	w->threads = threads < 1 ? 1 : threads > WORKERS_MOST ? WORKERS_MOST : threads;
	w->slots = ordered_work_slots(threads);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->is_put, NULL);
	pthread_cond_init(&w->is_done, NULL);
	return w;
}

void ordered_work_free(struct ordered_work *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->is_put);
	pthread_mutex_unlock(&w->lock);
	for (size_t i = 0; i < w->started; i++)
		pthread_join(w->thread[i], NULL);
	pthread_cond_destroy(&w->is_done);
	pthread_cond_destroy(&w->is_put);
	pthread_mutex_destroy(&w->lock);
	memory_free(w);
}

size_t ordered_work_threads(const struct ordered_work *w)
{
	return w->threads;
}

size_t ordered_work_depth(const struct ordered_work *w)
{
	return w->slots;
}

/* Work on the next item that nobody has begun. The lock is held before and after. */
static void do_next(struct ordered_work *w, size_t thread)
{
	const size_t slot = w->begun++ % w->slots;
	void *item = w->item[slot];

	pthread_mutex_unlock(&w->lock);
	w->work(item, thread);
	pthread_mutex_lock(&w->lock);
	w->done[slot] = true;
	pthread_cond_signal(&w->is_done); /* only the caller waits for it */
}

static void *run_worker(void *object)
{
	struct ordered_work *w = object;
	size_t thread;

	pthread_mutex_lock(&w->lock);
	thread = ++w->numbered;
	while (!w->stop) {
		if (w->begun < w->put)
			do_next(w, thread);
		else
			pthread_cond_wait(&w->is_put, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void start_thread(struct ordered_work *w)
{
	if (thread_start(&w->thread[w->started], run_worker, w))
		w->started++;
	else
		w->threads = w->started + 1;
}

static void put(struct ordered_work *w, void *item)
{
	pthread_mutex_lock(&w->lock);
	w->item[w->put % w->slots] = item;
	w->done[w->put % w->slots] = false;
	w->put++;
	pthread_cond_signal(&w->is_put);
	pthread_mutex_unlock(&w->lock);
	if (w->started + 1 < w->threads && w->put >= (w->started + 1) * ORDERED_WORK_WORTH)
		start_thread(w);
}

static void *take(struct ordered_work *w)
{
	void *item = NULL;

	pthread_mutex_lock(&w->lock);
	if (w->taken < w->put) {
		const size_t slot = w->taken % w->slots;

		while (!w->done[slot]) {
			if (w->begun < w->put)
				do_next(w, 0);
			else
				pthread_cond_wait(&w->is_done, &w->lock);
		}
		item = w->item[slot];
		w->taken++;
	}
	pthread_mutex_unlock(&w->lock);
	return item;
}

void *ordered_work_next(
	struct ordered_work *w, void *(*begin)(void *context, size_t slot), void *context)
{
	void *item;

	while (w->put - w->taken < w->slots && (item = begin(context, w->put % w->slots)))
		put(w, item);
	return take(w);
}

void ordered_work_drop(struct ordered_work *w)
{
	while (take(w))
		;
}

bool ordered_work_is_empty(const struct ordered_work *w)
{
	return w->put == w->taken;
}
