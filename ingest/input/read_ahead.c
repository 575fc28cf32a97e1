/* The first block is small, the others lie in a ring. Each of these has room before it, where the
 * end of the block before is copied when that is still wanted, so that the reader sees one piece
 * and nothing else is copied. The thread allocates nothing and blocks all signals. A short stream
 * is over before a thread would be worth its start. */
#include "ingest/input/read_ahead.h"

#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/threads.h"

#define RING 3
#define FIRST_BYTES ((size_t)256 << 10) /* most files are small */
#define BLOCK_BYTES ((size_t)1 << 20)
#define ALONE 3 /* blocks that are unpacked without a thread */

struct ahead_block {
	unsigned char *memory; /* READ_AHEAD_KEPT_MOST bytes, then the block's own */
	size_t size;
	bool last;
};

struct read_ahead {
	struct gzip_stream *stream;
	unsigned char *first;
	struct ahead_block ring[RING];
	uint64_t taken;		  /* blocks that were returned */
	const unsigned char *end; /* of the block that was returned last */
	bool at_end, garbage;	  /* that was the last of all */

	bool threaded, alone; /* alone: there is no thread and will be none */
	int break_end;	      /* of the pipe whose other end is the file's break_fd */
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows, while there is a thread */
	pthread_cond_t change;
	uint64_t filled; /* blocks that are unpacked; the first is not counted */
	uint64_t held;	 /* the block that is being read: those before it are free */
	bool stop;
	struct error error; /* why the last block is the last; ERROR_NONE: the end */
};

struct read_ahead *read_ahead_new(struct gzip_stream *stream)
{
	struct read_ahead *a = memory_alloc(sizeof(*a));

	a->stream = stream;
	return a;
}

static void thread_release(struct read_ahead *a)
{
	struct raw_file *file = a->stream->file;

	pthread_cond_destroy(&a->change);
	pthread_mutex_destroy(&a->lock);
	if (file->break_fd >= 0)
		close(file->break_fd);
	if (a->break_end >= 0)
		close(a->break_end);
	file->break_fd = a->break_end = -1;
}

void read_ahead_free(struct read_ahead *a)
{
	if (!a)
		return;
	if (a->threaded) {
		pthread_mutex_lock(&a->lock);
		a->stop = true;
		pthread_cond_signal(&a->change);
		pthread_mutex_unlock(&a->lock);
		/* The thread may wait for a pipe. */
		if (a->break_end >= 0)
			close(a->break_end);
		a->break_end = -1;
		pthread_join(a->thread, NULL);
		thread_release(a);
	}
	memory_free(a->first);
	for (size_t i = 0; i < RING; i++)
		memory_free(a->ring[i].memory);
	memory_free(a);
}

static struct ahead_block *block_at(struct read_ahead *a, uint64_t number)
{
	return &a->ring[number % RING];
}

static void block_fill(struct read_ahead *a, struct ahead_block *block)
{
	int status = gzip_stream_read(a->stream, block->memory + READ_AHEAD_KEPT_MOST, BLOCK_BYTES,
		&block->size, &a->error);

	block->last = status != 0 || a->stream->at_end;
}

static void *unpack_ahead(void *argument)
{
	struct read_ahead *a = argument;
	bool last = false;

	pthread_mutex_lock(&a->lock);
	while (!last && !a->stop) {
		struct ahead_block *block = block_at(a, a->filled);

		if (a->filled >= a->held + RING) {
			pthread_cond_wait(&a->change, &a->lock);
			continue;
		}
		pthread_mutex_unlock(&a->lock);
		block_fill(a, block);
		last = block->last;
		pthread_mutex_lock(&a->lock);
		a->filled++;
		pthread_cond_signal(&a->change);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

static void start_thread(struct read_ahead *a)
{
	struct raw_file *file = a->stream->file;

	a->alone = true;
	a->break_end = -1;
	if (file->fd >= 0) {
		int end[2];

		if (pipe(end) != 0)
			return;
		file->break_fd = end[0];
		a->break_end = end[1];
		fcntl(end[0], F_SETFD, FD_CLOEXEC);
		fcntl(end[1], F_SETFD, FD_CLOEXEC);
	}
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->change, NULL);
	a->threaded = thread_start(&a->thread, unpack_ahead, a);
	a->alone = !a->threaded;
	if (a->alone)
		thread_release(a);
}

static void block_allocate(struct ahead_block *block)
{
	if (!block->memory)
		block->memory = memory_alloc(READ_AHEAD_KEPT_MOST + BLOCK_BYTES);
}

/* The next block of the ring, unpacked. */
static struct ahead_block *await_block(struct read_ahead *a)
{
	struct ahead_block *block = block_at(a, a->taken);

	if (a->taken == ALONE && !a->threaded && !a->alone) {
		for (size_t i = 0; i < RING; i++)
			block_allocate(&a->ring[i]);
		start_thread(a);
	}
	if (!a->threaded) {
		block_allocate(block);
		if (a->filled == a->taken)
			block_fill(a, block);
		a->filled = a->taken + 1;
		return block;
	}
	pthread_mutex_lock(&a->lock);
	while (a->filled <= a->taken)
		pthread_cond_wait(&a->change, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return block;
}

static void read_first(struct read_ahead *a, const unsigned char **bytes, size_t *size)
{
	a->first = memory_alloc(FIRST_BYTES);
	int status = gzip_stream_read(a->stream, a->first, FIRST_BYTES, size, &a->error);

	a->at_end = status != 0 || a->stream->at_end;
	*bytes = a->first;
}

static void read_block(struct read_ahead *a, size_t kept, const unsigned char **bytes, size_t *size)
{
	struct ahead_block *block = await_block(a);

	a->at_end = block->last;
	*size = block->size;
	if (block->size == 0)
		return; /* the end: the block before stays as it is */
	unsigned char *start = block->memory + READ_AHEAD_KEPT_MOST - kept;

	memcpy(start, a->end - kept, kept);

	/* Block `number` is read from now on, and those before it are not. */
	uint64_t number = a->taken++;

	if (a->threaded)
		pthread_mutex_lock(&a->lock);
	a->held = number;
	if (a->threaded) {
		pthread_cond_signal(&a->change);
		pthread_mutex_unlock(&a->lock);
	}
	*bytes = start;
	*size += kept;
}

int read_ahead_next(struct read_ahead *a, size_t kept, const unsigned char **bytes, size_t *size,
	struct error *err)
{
	const unsigned char *next = NULL;
	size_t next_size = 0;

	assert(kept <= READ_AHEAD_KEPT_MOST);
	if (!a->at_end && !a->first)
		read_first(a, &next, &next_size);
	else if (!a->at_end)
		read_block(a, kept, &next, &next_size);
	if (a->at_end)
		a->garbage = a->stream->garbage;
	if (next_size > 0) {
		a->end = next + next_size;
		*bytes = next;
		*size = next_size;
		return 1;
	}
	if (a->error.kind == ERROR_NONE)
		return 0;
	if (err)
		*err = a->error;
	return -1;
}

bool read_ahead_garbage(const struct read_ahead *a)
{
	return a->garbage;
}
