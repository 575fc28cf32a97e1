/* Events on their way into the runs and sorters, in batches: once there are several, a thread of
 * its own stores them in the order in which they were added. */
#include "base/memory.h"
#include "base/threads.h"
#include "ingest/events/eventlog_sweep.h"

#define FEW_EVENTS ((size_t)128)    /* of a batch without a thread: 8 KB */
#define FEW_BATCHES 32		    /* before a thread is worth while */
#define BATCH_EVENTS ((size_t)1024) /* of one with a thread */
#define BATCHES ((size_t)8)
/* With fewer threads all of them are busy with what comes before. */
#define THREADS_LEAST 3

struct feed_thread {
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t is_put, is_stored;
	size_t put, stored; /* batches so far */
	int result;
	bool stop;
};

static int add_launch(
	struct eventlog *log, struct log_record *record, uint32_t label, struct error *err)
{
	struct log_record launch = {.start_ps = record->start_ps,
		.dur_ps = record->dur_ps,
		.link = record->link,
		.launch_ps = LAUNCH_UNKNOWN,
		.lane = record->lane,
		.slot = label};

	if (label & (LAUNCH_CAPTURE_BEGINS | LAUNCH_CAPTURE_ENDS))
		log_add_capture(log, record, label);
	if (!record->link)
		return 0;
	log->any_launch = true;
	if (log->opt.by_launcher)
		return log_add_label(log, record, label, err);
	return linked_add(log, &log->launches, &launch, err);
}

static inline int add_event(struct eventlog *log, struct log_record *record, struct error *err)
{
	const int taken = lane_runs_add(log->runs, record, err);

	if (taken)
		return taken < 0 ? -1 : 0;
	log_record_key(record, record->start_ps);
	return spill_add(log->events, record, err);
}

int log_add_event(struct eventlog *log, struct log_record *record, struct error *err)
{
	return add_event(log, record, err);
}

static inline int store(struct eventlog *log, struct log_record *record, struct error *err)
{
	const uint32_t label = record->slot;

	record->slot = SLOT_BY_TIME;
	if (!(record->flags & (EVENT_LAUNCHED | EVENT_LAUNCHES | EVENT_LABELLED)) &&
		record->kind < EVENT_FRAME)
		return add_event(log, record, err);
	if (record->kind == EVENT_CONTEXT) { /* around what is equal; not in order */
		record->flags = EVENT_AROUND;
		log_record_key(record, record->start_ps);
		return spill_add(log->events, record, err);
	}
	if (record->flags & EVENT_LAUNCHED) {
		log->any_launched = true;
		log->any_link |= record->link != 0;
		return linked_add(log, &log->launched, record, err);
	}
	if (log->opt.by_launcher && record->flags & EVENT_LABELLED &&
		log_add_label(log, record, label, err))
		return -1;
	if (record->kind >= EVENT_FRAME)
		return 0;
	if (record->flags & EVENT_LAUNCHES && add_launch(log, record, label, err))
		return -1;
	if (record->flags & EVENT_LAUNCHES && log->opt.by_launcher)
		record->bytes = 0; /* the number of a kernel */
	return add_event(log, record, err);
}

static int store_batch(struct eventlog *log, struct log_record *record, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (store(log, &record[i], &log->feed.err))
			return -1;
	return 0;
}

static void *run(void *object)
{
	struct eventlog *log = object;
	struct feed_thread *t = log->feed.thread;

	pthread_mutex_lock(&t->lock);
	while (!t->stop || t->stored < t->put) {
		struct log_record *batch = log->feed.batch + t->stored % BATCHES * BATCH_EVENTS;
		int result = t->result;

		if (t->stored == t->put) {
			pthread_cond_wait(&t->is_put, &t->lock);
			continue;
		}
		pthread_mutex_unlock(&t->lock);
		if (result == 0)
			result = store_batch(log, batch, BATCH_EVENTS);
		pthread_mutex_lock(&t->lock);
		t->result = result;
		t->stored++;
		pthread_cond_signal(&t->is_stored);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void release_thread(struct log_feed *feed)
{
	pthread_cond_destroy(&feed->thread->is_stored);
	pthread_cond_destroy(&feed->thread->is_put);
	pthread_mutex_destroy(&feed->thread->lock);
	memory_free(feed->thread);
	feed->thread = NULL;
}

static void start_thread(struct eventlog *log)
{
	struct feed_thread *t = memory_alloc(sizeof(*t));

	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->is_put, NULL);
	pthread_cond_init(&t->is_stored, NULL);
	log->feed.thread = t;
	log->feed.batch =
		memory_resize(log->feed.batch, BATCHES * BATCH_EVENTS * sizeof(*log->feed.batch));
	if (!thread_start(&t->thread, run, log)) {
		release_thread(&log->feed);
		log->opt.threads = 1;
	}
}

/* Gives the batch, which is full, to the thread. Returns what came of those before. */
static int put_batch(struct feed_thread *t)
{
	int result;

	pthread_mutex_lock(&t->lock);
	t->put++;
	pthread_cond_signal(&t->is_put);
	while (t->put - t->stored == BATCHES)
		pthread_cond_wait(&t->is_stored, &t->lock);
	result = t->result;
	pthread_mutex_unlock(&t->lock);
	return result;
}

static int fail(const struct log_feed *feed, struct error *err)
{
	*err = feed->err;
	return -1;
}

int log_feed_batch(struct eventlog *log, struct error *err)
{
	struct log_feed *feed = &log->feed;
	size_t number = 0, room = FEW_EVENTS;

	if (!feed->batch)
		feed->batch = memory_alloc(FEW_EVENTS * sizeof(*feed->batch));
	else if (!feed->thread && store_batch(log, feed->batch, (size_t)(feed->at - feed->batch)))
		return fail(feed, err);
	else if (feed->thread && put_batch(feed->thread))
		return fail(feed, err);
	if (!feed->thread && log->opt.threads >= THREADS_LEAST && feed->stored++ == FEW_BATCHES)
		start_thread(log);
	if (feed->thread) {
		number = feed->thread->put % BATCHES;
		room = BATCH_EVENTS;
	}
	feed->at = feed->batch + number * BATCH_EVENTS;
	feed->end = feed->at + room;
	return 0;
}

/* Waits for the thread. Returns the first event of the batch that it has not got. */
static struct log_record *stop_thread(struct log_feed *feed)
{
	struct feed_thread *t = feed->thread;
	struct log_record *left;

	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->is_put);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	left = t->result ? NULL : feed->batch + t->put % BATCHES * BATCH_EVENTS;
	release_thread(feed);
	return left;
}

int log_feed_end(struct eventlog *log, struct error *err)
{
	struct log_feed *feed = &log->feed;
	struct log_record *left = feed->thread ? stop_thread(feed) : feed->batch;

	if (feed->batch && (!left || store_batch(log, left, (size_t)(feed->at - left))))
		return fail(feed, err);
	log_feed_release(log);
	return 0;
}

void log_feed_release(struct eventlog *log)
{
	if (log->feed.thread)
		stop_thread(&log->feed);
	memory_free(log->feed.batch);
	log->feed = (struct log_feed){0};
}
