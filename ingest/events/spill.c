/*
 * Records are in the first part of the buffer in the order in which they came; sorting orders their
 * numbers, in the second part, and moves no record. A full buffer becomes a run on disk, or a few
 * of them; after one that came in order, what goes on in order is added to its run at once. Runs
 * that follow each other in order are a chain, which is read like one run. Chains are joined by a
 * tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1), each through a block in the
 * buffer, which is free by then.
 */
#define _GNU_SOURCE /* fallocate */
#include "ingest/events/spill.h"

#include <assert.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/events/spill_run.h"

#define BLOCK_LEAST ((size_t)64 << 10)
#define BLOCK_MOST ((size_t)256 << 10)
/* a small buffer has smaller blocks, so that more than two runs are joined */
#define BLOCKS_LEAST 8
#define RUNS_MOST ((size_t)1 << 20)
#define RUNS_WHAT "sorted parts in temporary files"
#define GROUPS_MOST 4096
#define AHEAD 16
/* Additional memory for sorting a record: its number; and, for one in LATE_SHARE, twice its key
 * with its number. */
#define LATE_SHARE 8
#define RECORD_EXTRA_BYTES (sizeof(uint32_t) + 2 * sizeof(struct keyed) / LATE_SHARE)

#define CHAINS_MOST ((size_t)256) /* that runs are added to; further ones are of one run */
/* A buffer that did not come in order, and whose keys have fewer first halves, becomes a run for
 * each: what comes from several sources in turn, each in order, becomes a chain for each. */
#define HALVES_FEW 16

/* A run, and the one that follows it in its chain: its number + 1, 0: none. */
struct chained_run {
	struct spill_run run;
	size_t next;
};

struct chain {
	size_t first, last;    /* numbers of runs */
	struct spill_key most; /* of the last run */
};

/* A file of runs that are chained. */
struct chained_file {
	struct spill_writer writer;
	struct vec runs;  /* of struct chained_run, in the order of adding */
	struct vec chain; /* of struct chain */
};

/* A reader in the tree: its record's key, the greatest there is when it is over. */
struct player {
	struct spill_key key;
	size_t run;
	bool over;
};

/* A tree of losers over chains, or neighbouring runs: the winner has the least key. */
struct tournament {
	size_t count;
	struct spill_reader *reader;
	struct player *player;
	bool is_chained;
	unsigned char *records;
	size_t *loser; /* of node 1 to count - 1 */
	size_t winner;
	bool passed; /* the winner's record was returned: the next call moves on */
};

/* Keys of a written run: from least to most. */
struct written {
	struct spill_key least, most;
};

struct spill {
	size_t record_bytes;
	struct spill_disk disk;
	char *folder;
	unsigned char *buffer;
	size_t buffer_bytes, block_least;
	size_t room, used; /* records in the buffer */
	uint32_t *order;   /* numbers of records */
	bool in_order;	   /* as they came: `order` is not used */
	bool has_few_halves;
	bool is_open; /* the last run: what is not before its last record is added to it */
	struct written open;
	struct keyed *late, *spare; /* touched as far as what comes late needs */
	size_t late_room;
	bool sorted;
	size_t next; /* in the buffer */
	struct chained_file file;
	struct tournament tournament;
};

static void file_init(struct chained_file *f)
{
	*f = (struct chained_file){.writer = {.fd = -1}};
	vec_init(&f->runs, sizeof(struct chained_run), RUNS_MOST, RUNS_WHAT);
	vec_init(&f->chain, sizeof(struct chain), RUNS_MOST, RUNS_WHAT);
}

static void file_release(struct chained_file *f)
{
	if (f->writer.fd >= 0)
		close(f->writer.fd);
	spill_writer_release(&f->writer);
	vec_release(&f->runs);
	vec_release(&f->chain);
}

struct spill *spill_new(const struct spill_options *options)
{
	struct spill *s = memory_alloc(sizeof(*s));
	const char *folder = options->folder ? options->folder : "/tmp";

	assert(options->record_bytes >= 16 && options->record_bytes % 8 == 0 &&
		options->record_bytes <= 8 * PACKED_WORDS_MOST);
	s->record_bytes = options->record_bytes;
	s->folder = memory_alloc(strlen(folder) + 1);
	memcpy(s->folder, folder, strlen(folder) + 1);
	s->disk = (struct spill_disk){
		.folder = s->folder, .what = options->what, .max_bytes = options->max_disk_bytes};
	size_t block_bytes = 2 * packed_most(s->record_bytes / 8) + PACKED_SLACK;

	s->buffer_bytes = options->buffer_bytes;
	if (s->buffer_bytes < BLOCKS_LEAST * block_bytes)
		s->buffer_bytes = BLOCKS_LEAST * block_bytes;
	s->block_least = s->buffer_bytes / BLOCKS_LEAST;
	if (s->block_least > BLOCK_LEAST)
		s->block_least = BLOCK_LEAST;
	s->buffer = memory_map(s->buffer_bytes);
	s->room = s->buffer_bytes / (s->record_bytes + RECORD_EXTRA_BYTES);
	if (s->room > UINT32_MAX)
		s->room = UINT32_MAX;
	s->late = (struct keyed *)(void *)(s->buffer + s->room * s->record_bytes);
	s->late_room = s->room / LATE_SHARE;
	assert(s->late_room > 0); /* BLOCKS_LEAST is enough for more */
	s->spare = s->late + s->late_room;
	s->order = (uint32_t *)(void *)(s->spare + s->late_room);
	file_init(&s->file);
	return s;
}

static void tournament_release(struct tournament *m)
{
	memory_free(m->reader);
	memory_free(m->player);
	memory_free(m->records);
	memory_free(m->loser);
	memset(m, 0, sizeof(*m));
}

void spill_free(struct spill *s)
{
	if (!s)
		return;
	tournament_release(&s->tournament);
	file_release(&s->file);
	memory_unmap(s->buffer, s->buffer_bytes);
	memory_free(s->folder);
	memory_free(s);
}

static const unsigned char *record_at(const struct spill *s, size_t number)
{
	return s->buffer + number * s->record_bytes;
}

static struct spill_key key_of(const void *record)
{
	struct spill_key key;

	memcpy(&key.hi, record, sizeof(key.hi));
	memcpy(&key.lo, (const unsigned char *)record + sizeof(key.hi), sizeof(key.lo));
	return key;
}

static struct spill_key key_at(const struct spill *s, size_t number)
{
	return key_of(record_at(s, number));
}

/* The record that will be read soon: neighbours in order are far apart in memory. (GCC takes a
 * call of a function that only prefetches for one without effect, unless it must be inlined.) */
__attribute__((always_inline)) static inline void fetch_ahead(const struct spill *s, size_t i)
{
	if (i + AHEAD < s->used) {
		const unsigned char *record = record_at(s, s->order[i + AHEAD]);

		__builtin_prefetch(record);
		__builtin_prefetch(record + s->record_bytes - 1); /* often another line */
	}
}

/* order_by_key compares signed numbers. */
static int64_t signed_order(uint64_t key)
{
	return (int64_t)(key ^ UINT64_C(1) << 63);
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
	s->has_few_halves = hi_most - hi_least < HALVES_FEW;
	if (s->in_order)
		return;
	while ((hi_most - hi_least) >> shift >= GROUPS_MOST)
		shift++;

	/* Split the records into groups by the first bits of their keys, in the order in which they
	 * came within each; group_end gets where each ends. */
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

/* The chain whose end is next before the key; NULL: none. */
static struct chain *chain_before(const struct chained_file *f, const struct spill_key *least)
{
	const size_t count = f->chain.count < CHAINS_MOST ? f->chain.count : CHAINS_MOST;
	struct chain *chain = f->chain.data, *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (!spill_key_before(least, &chain[i].most) &&
			(!found || spill_key_before(&found->most, &chain[i].most)))
			found = &chain[i];
	return found;
}

/* The run that the writer has written. */
static int add_run(struct chained_file *f, const struct written *keys, struct error *err)
{
	const size_t number = f->runs.count;
	struct chained_run *added = vec_push(&f->runs, err);
	struct chain *chain = added ? chain_before(f, &keys->least) : NULL;

	if (!added)
		return -1;
	*added = (struct chained_run){.run = f->writer.run};
	if (chain) {
		((struct chained_run *)vec_at(&f->runs, chain->last))->next = number + 1;
	} else {
		chain = vec_push(&f->chain, err);
		if (!chain)
			return -1;
		chain->first = number;
	}
	chain->last = number;
	chain->most = keys->most;
	return 0;
}

/* Ends the run that is being written; its keys are these. */
static int end_run(struct spill *s, const struct written *keys, struct error *err)
{
	return spill_writer_end(&s->file.writer, err) || add_run(&s->file, keys, err) ? -1 : 0;
}

/* A run of the records in order from `begin` on. Where all of them came in order it is one run,
 * which stays open; else, where there are few first halves of the key, it ends before another one.
 * Returns where it ends, 0: failed. */
static size_t write_run(struct spill *s, size_t begin, struct error *err)
{
	const bool by_halves = s->has_few_halves && !s->in_order;
	struct written keys = {.least = {0, 0}};
	size_t i;

	spill_writer_begin(&s->file.writer);
	for (i = begin; i < s->used; i++) {
		const unsigned char *record = nth_in_order(s, i);
		const struct spill_key key = key_of(record);

		if (i == begin)
			keys.least = key;
		if (by_halves && key.hi != keys.least.hi)
			break;
		keys.most = key;
		if (spill_writer_put(&s->file.writer, record, err))
			return 0;
	}
	s->is_open = s->in_order;
	s->open = keys;
	return s->is_open || end_run(s, &keys, err) == 0 ? i : 0;
}

/* Ends the open run, if there is one. */
static int close_run(struct spill *s, struct error *err)
{
	if (!s->is_open)
		return 0;
	s->is_open = false;
	return end_run(s, &s->open, err);
}

/* Writes the buffer as runs and empties it. */
static int spill_buffer(struct spill *s, struct error *err)
{
	struct spill_writer *writer = &s->file.writer;

	if (!writer->block)
		spill_writer_init(writer, s->record_bytes / 8, &s->disk);
	if (writer->fd < 0 && s->disk.max_bytes > 0)
		writer->fd = spill_file_open(&s->disk, err);
	if (writer->fd < 0 && s->disk.max_bytes > 0)
		return -1;
	if (close_run(s, err))
		return -1;
	sort_buffer(s);
	for (size_t at = 0; at < s->used;) {
		at = write_run(s, at, err);
		if (at == 0)
			return -1;
	}
	s->used = 0;
	return 0;
}

/* The record is not before the last of the open run. Where there are few first halves of the key,
 * each is a source: one source must not end the run of another. */
static bool goes_on(const struct spill *s, const struct spill_key *key)
{
	return s->is_open && !spill_key_before(key, &s->open.most) &&
	       (!s->has_few_halves || key->hi == s->open.most.hi);
}

/* A record before the last of the open run goes into the buffer. So of equal records the one in the
 * run has come first, and runs are in the order in which they were begun. */
int spill_add(struct spill *s, const void *record, struct error *err)
{
	const struct spill_key key = key_of(record);

	assert(!s->sorted);
	if (s->used == s->room && !goes_on(s, &key) && spill_buffer(s, err))
		return -1;
	if (goes_on(s, &key)) { /* maybe in the run that spill_buffer has just opened */
		s->open.most = key;
		return spill_writer_put(&s->file.writer, record, err);
	}
	memcpy(s->buffer + s->used * s->record_bytes, record, s->record_bytes);
	s->used++;
	return 0;
}

/* As one number a key is compared without a branch: no processor can predict which of several runs
 * is next. */
static inline unsigned __int128 number_of(const struct spill_key *key)
{
	return (unsigned __int128)key->hi << 64 | key->lo;
}

static inline bool reader_before(const struct tournament *m, size_t a, size_t b)
{
	const struct player *x = &m->player[a], *y = &m->player[b];
	const unsigned __int128 key_x = number_of(&x->key), key_y = number_of(&y->key);

	if (!__builtin_expect(key_x == key_y, 0))
		return key_x < key_y;
	/* A player that is over is last. */
	if (x->over || y->over)
		return x->over == y->over ? a < b : y->over;
	return x->run < y->run;
}

static const struct chained_run *run_at(const struct spill *s, size_t number)
{
	return vec_at(&s->file.runs, number);
}

/* The run of this reader is over: the one that follows it in its chain begins. */
static int next_in_chain(struct spill *s, size_t number, struct error *err)
{
	struct tournament *m = &s->tournament;
	struct spill_reader *reader = &m->reader[number];
	struct player *player = &m->player[number];
	int got = 0;

	while (got == 0 && m->is_chained && run_at(s, player->run)->next) {
		player->run = run_at(s, player->run)->next - 1;
		spill_reader_start(reader, run_at(s, player->run)->run);
		got = spill_reader_next(reader, err);
	}
	player->over = got == 0;
	return got;
}

static inline int tournament_advance(struct spill *s, size_t number, struct error *err)
{
	struct spill_reader *reader = &s->tournament.reader[number];
	struct player *player = &s->tournament.player[number];
	int got = spill_reader_next(reader, err);

	if (got == 0)
		got = next_in_chain(s, number, err);
	if (got < 0)
		return -1;
	player->key =
		got == 0 ? (struct spill_key){UINT64_MAX, UINT64_MAX} : key_of(reader->record);
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

/* Starts to join all chains, or `count` runs from `first` on; releases the tournament before. */
static int tournament_start(
	struct spill *s, bool is_chained, size_t first, size_t count, struct error *err)
{
	struct tournament *m = &s->tournament;
	size_t block_bytes = s->buffer_bytes / count;

	tournament_release(m);
	m->count = count;
	m->is_chained = is_chained;
	m->reader = memory_alloc(memory_product(count, sizeof(*m->reader)));
	m->player = memory_alloc(memory_product(count, sizeof(*m->player)));
	m->records = memory_alloc(memory_product(2 * count, s->record_bytes));
	m->loser = memory_alloc(memory_product(count, sizeof(*m->loser)));
	for (size_t i = 0; i < count; i++) {
		m->reader[i] = (struct spill_reader){
			.words = s->record_bytes / 8,
			.disk = &s->disk,
			.fd = s->file.writer.fd,
			.block = s->buffer + i * block_bytes,
			.block_bytes = block_bytes < BLOCK_MOST ? block_bytes : BLOCK_MOST,
			.record = m->records + 2 * i * s->record_bytes,
			.before = m->records + (2 * i + 1) * s->record_bytes,
		};
		m->player[i].run =
			is_chained ? ((struct chain *)vec_at(&s->file.chain, i))->first : first + i;
		spill_reader_start(&m->reader[i], run_at(s, m->player[i].run)->run);
		if (tournament_advance(s, i, err))
			return -1;
	}
	tournament_play(m);
	return 0;
}

/* Next record, as spill_next returns it. */
static int tournament_next(struct spill *s, const unsigned char **record, struct error *err)
{
	struct tournament *m = &s->tournament;

	if (m->passed) {
		size_t winner = m->winner;

		if (tournament_advance(s, winner, err))
			return -1;
		for (size_t node = (winner + m->count) / 2; node > 0; node /= 2) {
			const size_t other = m->loser[node];
			const bool is_other = reader_before(m, other, winner);

			m->loser[node] = is_other ? winner : other;
			winner = is_other ? other : winner;
		}
		m->winner = winner;
	}
	m->passed = !m->player[m->winner].over;
	*record = m->reader[m->winner].record;
	return m->passed;
}

static int write_joined(struct spill *s, struct chained_file *out, struct error *err)
{
	struct written keys = {.least = s->tournament.player[s->tournament.winner].key};
	const unsigned char *record;
	int got;

	spill_writer_begin(&out->writer);
	while ((got = tournament_next(s, &record, err)) == 1) {
		keys.most = key_of(record);
		if (spill_writer_put(&out->writer, record, err))
			return -1;
	}
	return got < 0 || spill_writer_end(&out->writer, err) ? -1 : add_run(out, &keys, err);
}

static int join_groups(struct spill *s, size_t most, struct chained_file *out, struct error *err)
{
	const size_t runs = s->file.runs.count;

	for (size_t first = 0; first < runs; first += most) {
		size_t count = runs - first < most ? runs - first : most;

		if (tournament_start(s, false, first, count, err) || write_joined(s, out, err))
			return -1;

		const struct spill_run *begin = &run_at(s, first)->run,
				       *last = &run_at(s, first + count - 1)->run;
		uint64_t bytes = last->offset + last->bytes - begin->offset;

		if (fallocate(s->file.writer.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			    (off_t)begin->offset, (off_t)bytes) == 0)
			s->disk.now_bytes -= bytes;
	}
	return 0;
}

int spill_sort(struct spill *s, struct error *err)
{
	assert(!s->sorted);
	s->sorted = true;
	if (!s->file.writer.block) {
		sort_buffer(s);
		return 0;
	}
	size_t most = s->buffer_bytes / s->block_least;

	if (s->used > 0 && spill_buffer(s, err))
		return -1;
	if (close_run(s, err))
		return -1;
	while (s->file.chain.count > most) {
		/* Make fewer and longer runs in a new file: each of as many neighbours as can be
		 * joined at once, whatever their chains, or equal keys would not keep their
		 * order. */
		struct chained_file out;

		file_init(&out);
		spill_writer_init(&out.writer, s->record_bytes / 8, &s->disk);
		out.writer.fd = spill_file_open(&s->disk, err);
		int status = out.writer.fd < 0 ? -1 : join_groups(s, most, &out, err);

		if (status == 0) {
			struct chained_file old = s->file;

			s->file = out;
			s->disk.now_bytes = out.writer.offset; /* all that is left */
			out = old;
		}
		file_release(&out);
		if (status)
			return -1;
	}
	tournament_release(&s->tournament);
	return 0;
}

int spill_next(struct spill *s, const void **record, struct error *err)
{
	const unsigned char *joined = NULL;

	assert(s->sorted);
	if (s->file.runs.count > 0) {
		if (s->tournament.count == 0 &&
			tournament_start(s, true, 0, s->file.chain.count, err))
			return -1;
		int got = tournament_next(s, &joined, err);

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
