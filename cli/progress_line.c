/*
 * A thread that wakes a few times a second and prints how far the reading is.
 */
#include "cli/progress_line.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"

#define FIRST_MS 1000
#define NEXT_MS 200

struct progress_line {
	struct progress *progress;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	bool stop;
	bool shown; /* the terminal's line is not empty */
};

static void show(struct progress_line *w)
{
	uint64_t done = atomic_load(&w->progress->bytes_done);
	uint64_t total = atomic_load(&w->progress->bytes_total);
	uint64_t files = atomic_load(&w->progress->files_done);
	uint64_t all = atomic_load(&w->progress->files_total);

	fprintf(stderr, "\rreading: %.1f", (double)done / 1e6);
	/* The size of a pipe is unknown. */
	if (total > 0)
		fprintf(stderr, " of %.1f", (double)total / 1e6);
	fputs(" MB", stderr);
	if (all > 1)
		fprintf(stderr, ", %llu of %llu files", (unsigned long long)files,
			(unsigned long long)all);
	fputs("\033[K", stderr);
	fflush(stderr);
	w->shown = true;
}

static void *run(void *object)
{
	struct progress_line *w = object;
	long wait_ms = FIRST_MS;

	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += wait_ms % 1000 * 1000000;
		until.tv_sec += wait_ms / 1000 + until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&w->stopped, &w->lock, &until);
		if (!w->stop)
			show(w);
		wait_ms = NEXT_MS;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

struct progress_line *progress_line_start(struct progress *progress)
{
	struct progress_line *w;

	if (!isatty(STDERR_FILENO))
		return NULL;
	w = memory_alloc(sizeof(*w));
	w->progress = progress;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->stopped, NULL);
	if (pthread_create(&w->thread, NULL, run, w) == 0)
		return w;
	memory_free(w);
	return NULL;
}

void progress_line_stop(struct progress_line *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_signal(&w->stopped);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	if (w->shown)
		fputs("\r\033[K", stderr);
	pthread_cond_destroy(&w->stopped);
	pthread_mutex_destroy(&w->lock);
	memory_free(w);
}
