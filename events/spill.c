/*
 * Records are in the first part of the buffer in the order in which they came; sorting orders their
 * numbers, in the second part, and moves no record. A full buffer becomes a run on disk. Runs are
 * joined by a tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1), each through a
 * block in the buffer, which is free by then.
 */
#define _GNU_SOURCE /* fallocate */
#include "events/spill.h"

#include <assert.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/vec.h"
#include "base/radix_sort.h"
#include "events/spill_run.h"

#define BLOCK_LEAST ((size_t)64 << 10)
#define BLOCK_MOST ((size_t)256 << 10)
/* a small buffer has smaller blocks, so that more than two runs are joined */
#define BLOCKS_LEAST 8
#define RUNS_MOST ((size_t)1 << 20)
#define GROUPS_MOST 4096
#define AHEAD 16
/* To sort a record: its number; and, for one in LATE_SHARE, twice its key with its number. */
#define LATE_SHARE 8
#define RECORD_EXTRA_BYTES (sizeof(uint32_t) + 2 * sizeof(struct keyed) / LATE_SHARE)

/* A tree of losers over neighbouring runs: the winner has the least key. */
struct tournament {
	size_t count;
	struct spill_reader *reader;
	unsigned char *records;
	struct spill_key *key; /* of each reader's record */
	bool *over;
	size_t *loser; /* of node 1 to count - 1 */
	size_t winner;
	bool passed; /* the winner's record was returned: the next call moves on */
};

struct spill {
	struct spill_layout layout;
	struct spill_disk disk;
	char *folder;
	unsigned char *buffer;
	size_t buffer_bytes, block_least;
	size_t room, used;	    /* records in the buffer */
	uint32_t *order;	    /* numbers of records */
	bool in_order;		    /* as they came: `order` is not used */
	struct keyed *late, *spare; /* touched as far as what comes late needs */
	size_t late_room;
	bool sorted;
	size_t next; /* in the buffer */
	struct spill_writer writer;
	struct vec runs; /* of struct spill_run, in the order of adding */
	struct tournament tournament;
};

struct spill *spill_new(const struct spill_options *options)
{
	struct spill *s = memory_alloc(sizeof(*s));
	const char *folder = options->folder ? options->folder : "/tmp";

	spill_layout_init(&s->layout, options->record_bytes, options->fields);
	s->folder = memory_alloc(strlen(folder) + 1);
	memcpy(s->folder, folder, strlen(folder) + 1);
	s->disk = (struct spill_disk){
		.folder = s->folder, .what = options->what, .max_bytes = options->max_disk_bytes};
	size_t block_bytes = 2 * s->layout.packed_most + SPILL_SLACK;

	s->buffer_bytes = options->buffer_bytes;
	if (s->buffer_bytes < BLOCKS_LEAST * block_bytes)
		s->buffer_bytes = BLOCKS_LEAST * block_bytes;
	s->block_least = s->buffer_bytes / BLOCKS_LEAST;
	if (s->block_least > BLOCK_LEAST)
		s->block_least = BLOCK_LEAST;
	s->buffer = memory_map(s->buffer_bytes);
	s->room = s->buffer_bytes / (s->layout.record_bytes + RECORD_EXTRA_BYTES);
	if (s->room > UINT32_MAX)
		s->room = UINT32_MAX;
	s->late = (struct keyed *)(void *)(s->buffer + s->room * s->layout.record_bytes);
	s->late_room = s->room / LATE_SHARE;
	assert(s->late_room > 0); /* BLOCKS_LEAST is enough for more */
	s->spare = s->late + s->late_room;
	s->order = (uint32_t *)(void *)(s->spare + s->late_room);
	s->writer.fd = -1;
	vec_init(&s->runs, sizeof(struct spill_run), RUNS_MOST, "sorted parts in temporary files");
	return s;
}

static void tournament_release(struct tournament *m)
{
	memory_free(m->reader);
	memory_free(m->records);
	memory_free(m->key);
	memory_free(m->over);
	memory_free(m->loser);
	memset(m, 0, sizeof(*m));
}

void spill_free(struct spill *s)
{
	if (!s)
		return;
	tournament_release(&s->tournament);
	if (s->writer.fd >= 0)
		close(s->writer.fd);
	spill_writer_release(&s->writer);
	vec_release(&s->runs);
	memory_unmap(s->buffer, s->buffer_bytes);
	memory_free(s->folder);
	memory_free(s);
}

static const unsigned char *record_at(const struct spill *s, size_t number)
{
	return s->buffer + number * s->layout.record_bytes;
}

static struct spill_key key_at(const struct spill *s, size_t number)
{
	struct spill_key key;

	memcpy(&key, record_at(s, number), sizeof(key));
	return key;
}

/* The record that will be read soon: neighbours in order are far apart in memory. (GCC takes a
 * call of a function that only prefetches for one without effect, unless it must be inlined.) */
__attribute__((always_inline)) static inline void fetch_ahead(const struct spill *s, size_t i)
{
	if (i + AHEAD < s->used) {
		const unsigned char *record = record_at(s, s->order[i + AHEAD]);

		__builtin_prefetch(record);
		__builtin_prefetch(record + s->layout.record_bytes - 1); /* often another line */
	}
}

/* order_by_key compares signed numbers. */
static int64_t signed_order(uint64_t key)
{
	return (int64_t)(key ^ UINT64_C(1) << 63);
}

/* Splits the records into groups by the first bits of their keys, in the order in which they came
 * within each; group_end gets where each ends. */
static void split_into_groups(
	struct spill *s, uint64_t hi_least, unsigned shift, uint32_t group_end[GROUPS_MOST])
{
	uint32_t sum = 0;

	memset(group_end, 0, GROUPS_MOST * sizeof(*group_end));
	for (size_t i = 0; i < s->used; i++)
		group_end[(key_at(s, i).hi - hi_least) >> shift]++;
	for (size_t i = 0; i < GROUPS_MOST; i++) {
		uint32_t here = group_end[i];

		group_end[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < s->used; i++)
		s->order[group_end[(key_at(s, i).hi - hi_least) >> shift]++] = (uint32_t)i;
}

/* Sorts what came late by the whole key. */
static void sort_late(struct spill *s, size_t count)
{
	struct keyed *late = s->late;

	order_by_key(late, s->spare, count);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && late[end].key == late[i].key;)
			end++;
		if (end == i + 1)
			continue;
		for (size_t k = i; k < end; k++)
			late[k].key = signed_order(key_at(s, (size_t)late[k].value).lo);
		order_by_key(late + i, s->spare, end - i);
	}
}

/* Puts what came late, sorted, between the `kept` records in order from `begin` on, from the last
 * to the first; of equal keys, the record that came first is first. */
static void interleave(struct spill *s, size_t begin, size_t kept, size_t late)
{
	uint32_t *order = s->order + begin;

	while (late > 0) {
		const uint32_t number = (uint32_t)s->late[late - 1].value;
		const struct spill_key key = key_at(s, number);

		for (; kept > 0; kept--) {
			const struct spill_key other = key_at(s, order[kept - 1]);

			if (spill_key_before(&other, &key) ||
				(!spill_key_before(&key, &other) && order[kept - 1] < number))
				break;
			order[kept - 1 + late] = order[kept - 1];
		}
		order[kept + --late] = number;
	}
}

/*
 * Most events of a lane come in order: only those that come after a greater one are sorted, then
 * interleaved with the others; in several portions, where they are many.
 */
static void sort_group(struct spill *s, size_t begin, size_t end)
{
	size_t kept = begin, late = 0;
	struct spill_key most = {0, 0};

	for (size_t i = begin; i < end; i++) {
		const struct spill_key key = key_at(s, s->order[i]);

		fetch_ahead(s, i);
		if (late == s->late_room) {
			sort_late(s, late);
			interleave(s, begin, kept - begin, late);
			kept += late;
			late = 0;
		}
		if (spill_key_before(&key, &most)) {
			s->late[late++] =
				(struct keyed){.key = signed_order(key.hi), .value = s->order[i]};
		} else {
			s->order[kept++] = s->order[i];
			most = key;
		}
	}
	sort_late(s, late);
	interleave(s, begin, kept - begin, late);
}

static void sort_buffer(struct spill *s)
{
	struct spill_key before = {0, 0};
	uint64_t hi_least = UINT64_MAX, hi_most = 0;
	uint32_t group_end[GROUPS_MOST];
	unsigned shift = 0;

	s->in_order = true;
	for (size_t i = 0; i < s->used; i++) {
		struct spill_key key = key_at(s, i);

		s->in_order = s->in_order && !spill_key_before(&key, &before);
		hi_least = key.hi < hi_least ? key.hi : hi_least;
		hi_most = key.hi > hi_most ? key.hi : hi_most;
		before = key;
	}
	if (s->in_order)
		return;
	while ((hi_most - hi_least) >> shift >= GROUPS_MOST)
		shift++;
	split_into_groups(s, hi_least, shift, group_end);
	for (size_t i = 0, begin = 0; i < GROUPS_MOST; begin = group_end[i++])
		if (group_end[i] > begin)
			sort_group(s, begin, group_end[i]);
}

static const unsigned char *nth_in_order(const struct spill *s, size_t i)
{
	if (s->in_order)
		return record_at(s, i);
	fetch_ahead(s, i);
	return record_at(s, s->order[i]);
}

static int add_run(struct vec *runs, struct spill_run run, struct error *err)
{
	struct spill_run *kept = vec_push(runs, err);

	if (!kept)
		return -1;
	*kept = run;
	return 0;
}

/* Writes the buffer as a run and empties it. */
static int spill_buffer(struct spill *s, struct error *err)
{
	if (!s->writer.block)
		spill_writer_init(&s->writer, &s->layout, &s->disk);
	if (s->writer.fd < 0 && s->disk.max_bytes > 0)
		s->writer.fd = spill_file_open(&s->disk, err);
	if (s->writer.fd < 0 && s->disk.max_bytes > 0)
		return -1;
	sort_buffer(s);
	spill_writer_begin(&s->writer);
	for (size_t i = 0; i < s->used; i++)
		if (spill_writer_put(&s->writer, nth_in_order(s, i), err))
			return -1;
	if (spill_writer_end(&s->writer, err) || add_run(&s->runs, s->writer.run, err))
		return -1;
	s->used = 0;
	return 0;
}

int spill_add(struct spill *s, const void *record, struct error *err)
{
	assert(!s->sorted);
	if (s->used == s->room && spill_buffer(s, err))
		return -1;
	memcpy(s->buffer + s->used * s->layout.record_bytes, record, s->layout.record_bytes);
	s->used++;
	return 0;
}

/* Equal keys: the earlier run first. A run that is over comes last. */
static bool reader_before(const struct tournament *m, size_t a, size_t b)
{
	if (m->over[a] || m->over[b])
		return m->over[a] == m->over[b] ? a < b : m->over[b];
	if (m->key[a].hi != m->key[b].hi || m->key[a].lo != m->key[b].lo)
		return spill_key_before(&m->key[a], &m->key[b]);
	return a < b;
}

static int tournament_advance(struct tournament *m, size_t reader, struct error *err)
{
	int got = spill_reader_next(&m->reader[reader], err);

	if (got < 0)
		return -1;
	m->over[reader] = got == 0;
	memcpy(&m->key[reader], m->reader[reader].record, sizeof(m->key[reader]));
	return 0;
}

/* Plays the tree from its leaves, which are nodes count to 2 * count - 1. */
static void tournament_play(struct tournament *m)
{
	size_t *winner = memory_alloc(memory_product(2 * m->count, sizeof(*winner)));

	for (size_t i = 0; i < m->count; i++)
		winner[m->count + i] = i;
	for (size_t node = m->count - 1; node > 0; node--) {
		size_t a = winner[2 * node], b = winner[2 * node + 1];
		bool first = reader_before(m, a, b);

		winner[node] = first ? a : b;
		m->loser[node] = first ? b : a;
	}
	m->winner = winner[1];
	memory_free(winner);
}

/* Starts to join `count` runs from `first` on; releases the tournament before. */
static int tournament_start(struct spill *s, size_t first, size_t count, struct error *err)
{
	struct tournament *m = &s->tournament;
	size_t block_bytes = s->buffer_bytes / count;

	tournament_release(m);
	m->count = count;
	m->reader = memory_alloc(memory_product(count, sizeof(*m->reader)));
	m->records = memory_alloc(memory_product(count, s->layout.record_bytes));
	m->key = memory_alloc(memory_product(count, sizeof(*m->key)));
	m->over = memory_alloc(memory_product(count, sizeof(*m->over)));
	m->loser = memory_alloc(memory_product(count, sizeof(*m->loser)));
	for (size_t i = 0; i < count; i++) {
		m->reader[i] = (struct spill_reader){
			.layout = &s->layout,
			.disk = &s->disk,
			.fd = s->writer.fd,
			.block = s->buffer + i * block_bytes,
			.block_bytes = block_bytes < BLOCK_MOST ? block_bytes : BLOCK_MOST,
			.record = m->records + i * s->layout.record_bytes,
		};
		spill_reader_start(&m->reader[i], *(struct spill_run *)vec_at(&s->runs, first + i));
		if (tournament_advance(m, i, err))
			return -1;
	}
	tournament_play(m);
	return 0;
}

/* As spill_next. */
static int tournament_next(struct tournament *m, const unsigned char **record, struct error *err)
{
	if (m->passed) {
		if (tournament_advance(m, m->winner, err))
			return -1;
		for (size_t node = (m->winner + m->count) / 2; node > 0; node /= 2)
			if (reader_before(m, m->loser[node], m->winner)) {
				size_t loser = m->winner;

				m->winner = m->loser[node];
				m->loser[node] = loser;
			}
	}
	m->passed = !m->over[m->winner];
	*record = m->reader[m->winner].record;
	return m->passed;
}

/* Frees the disk space of runs that were joined, where the file system can do that. */
static void free_disk(struct spill *s, size_t first, size_t count)
{
	const struct spill_run *begin = vec_at(&s->runs, first),
			       *last = vec_at(&s->runs, first + count - 1);
	uint64_t bytes = last->offset + last->bytes - begin->offset;

	if (fallocate(s->writer.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		    (off_t)begin->offset, (off_t)bytes) == 0)
		s->disk.now_bytes -= bytes;
}

static int write_joined(struct spill *s, struct spill_writer *out, struct error *err)
{
	const unsigned char *record;
	int got;

	spill_writer_begin(out);
	while ((got = tournament_next(&s->tournament, &record, err)) == 1)
		if (spill_writer_put(out, record, err))
			return -1;
	return got < 0 ? -1 : spill_writer_end(out, err);
}

static int join_groups(
	struct spill *s, size_t most, struct spill_writer *out, struct vec *runs, struct error *err)
{
	for (size_t first = 0; first < s->runs.count; first += most) {
		size_t count = s->runs.count - first < most ? s->runs.count - first : most;

		if (tournament_start(s, first, count, err) || write_joined(s, out, err) ||
			add_run(runs, out->run, err))
			return -1;
		free_disk(s, first, count);
	}
	return 0;
}

/* Makes fewer and longer runs in a new file: each of as many neighbours as can be joined at
 * once. */
static int join_pass(struct spill *s, size_t most, struct error *err)
{
	struct spill_writer out;
	struct vec runs;

	spill_writer_init(&out, &s->layout, &s->disk);
	vec_init(&runs, sizeof(struct spill_run), RUNS_MOST, s->runs.what);
	out.fd = spill_file_open(&s->disk, err);
	int status = out.fd < 0 ? -1 : join_groups(s, most, &out, &runs, err);

	if (status == 0) {
		struct spill_writer old_writer = s->writer;
		struct vec old_runs = s->runs;

		s->writer = out;
		s->runs = runs;
		s->disk.now_bytes = out.offset; /* all that is left */
		out = old_writer;
		runs = old_runs;
	}
	if (out.fd >= 0)
		close(out.fd);
	spill_writer_release(&out);
	vec_release(&runs);
	return status;
}

int spill_sort(struct spill *s, struct error *err)
{
	assert(!s->sorted);
	s->sorted = true;
	if (s->runs.count == 0) {
		sort_buffer(s);
		return 0;
	}
	size_t most = s->buffer_bytes / s->block_least;

	if (s->used > 0 && spill_buffer(s, err))
		return -1;
	while (s->runs.count > most)
		if (join_pass(s, most, err))
			return -1;
	tournament_release(&s->tournament);
	return 0;
}

int spill_next(struct spill *s, const void **record, struct error *err)
{
	const unsigned char *joined;

	assert(s->sorted);
	if (s->runs.count > 0) {
		if (s->tournament.count == 0 && tournament_start(s, 0, s->runs.count, err))
			return -1;
		int got = tournament_next(&s->tournament, &joined, err);

		*record = joined;
		return got;
	}
	if (s->next == s->used)
		return 0;
	*record = nth_in_order(s, s->next++);
	return 1;
}

void spill_rewind(struct spill *s)
{
	assert(s->sorted);
	s->next = 0;
	tournament_release(&s->tournament);
}

uint64_t spill_disk_bytes(const struct spill *s)
{
	return s->disk.most_bytes;
}
