/* Records are in the first part of the buffer in the order in which they came; sorting orders their
 * numbers, in the second part, and moves no record. A full buffer becomes a run on disk, or a few
 * of them; after one that came in order, what goes on in order is added to its run at once. Runs
 * that follow each other in order are a chain, which is read like one run. Chains are joined by a
 * tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1), each through a block in the
 * buffer, which is free by then. */
#include "ingest/events/spill.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/spool.h"
#include "ingest/events/packed_words.h"

/* Bytes of a chain that are read at once. All chains share the memory of the buffer, but for very
 * many of them: each is of a buffer of records, or of what one source had in it. */
#define BLOCK_LEAST ((size_t)2 << 10)
#define BLOCK_MOST ((size_t)256 << 10)
#define BUFFER_LEAST ((size_t)2 << 10)
/* Bytes of packed runs that stay in memory: as many as of the buffer, at most these. */
#define RUN_BYTES ((size_t)128 << 10)
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

struct spill_key {
	uint64_t hi, lo;
};

static inline bool spill_key_before(const struct spill_key *a, const struct spill_key *b)
{
	return a->hi != b->hi ? a->hi < b->hi : a->lo < b->lo;
}

/* A run in the spool, and the one that follows it in its chain: its number + 1, 0: none. */
struct sorted_run {
	uint64_t offset, bytes;
	size_t next;
};

struct run_chain {
	size_t first, last;    /* numbers of runs */
	struct spill_key most; /* of the last run */
};

/* Reader of a chain in the tree: its record's key, the greatest there is when it is over. */
struct player {
	struct spill_key key;
	size_t run, leaf; /* leaf: its node of the tree */
	bool over;
	struct spool_pass bytes;
	/* The current one, and the one before, which stays as it is until the next is read. */
	unsigned char *record, *before;
	const unsigned char *base; /* what the next one is packed against */
};

/* A tree of losers over chains: the winner has the least key. */
struct tournament {
	size_t count;
	struct player *player;
	unsigned char *records;
	struct player **loser; /* of node 1 to count - 1 */
	struct player *winner;
	bool passed; /* the winner's record was returned: the next call moves on */
};

struct spill {
	size_t record_bytes;
	char *folder;
	unsigned char *buffer; /* NULL: runs are read */
	size_t buffer_bytes;
	size_t room, used; /* records in the buffer */
	uint32_t *order;   /* numbers of records */
	bool in_order;	   /* as they came: `order` is not used */
	bool has_few_halves;
	struct keyed *late, *spare; /* touched as far as what comes late needs */
	size_t late_room;
	bool sorted;
	size_t next; /* in the buffer */
	struct spool spool;
	struct vec runs;  /* of struct sorted_run, in the order of adding */
	struct vec chain; /* of struct run_chain */
	bool is_open;	  /* the last run: what is not before its last record is added to it */
	struct spill_key least, most;	    /* of the run that is written */
	uint64_t before[PACKED_WORDS_MOST]; /* its last record */
	struct tournament tournament;
};

struct spill *spill_new(const struct spill_options *options)
{
	struct spill *s = memory_alloc(sizeof(*s));
	const char *folder = options->folder ? options->folder : "/tmp";
	struct spool_options spool;

	assert(options->record_bytes >= 16 && options->record_bytes % 8 == 0 &&
		options->record_bytes <= 8 * PACKED_WORDS_MOST);
	s->record_bytes = options->record_bytes;
	s->folder = memory_string(folder);
	s->buffer_bytes =
		options->buffer_bytes > BUFFER_LEAST ? options->buffer_bytes : BUFFER_LEAST;
	s->buffer = memory_map(s->buffer_bytes);
	s->room = s->buffer_bytes / (s->record_bytes + RECORD_EXTRA_BYTES);
	if (s->room > UINT32_MAX)
		s->room = UINT32_MAX;
	s->late = (struct keyed *)(void *)(s->buffer + s->room * s->record_bytes);
	s->late_room = s->room / LATE_SHARE;
	s->spare = s->late + s->late_room;
	s->order = (uint32_t *)(void *)(s->spare + s->late_room);
	spool = (struct spool_options){
		options->run_bytes, s->folder, options->max_disk_bytes, options->what};
	if (!spool.memory_bytes)
		spool.memory_bytes = s->buffer_bytes < RUN_BYTES ? s->buffer_bytes : RUN_BYTES;
	spool_init(&s->spool, &spool);
	vec_init(&s->runs, sizeof(struct sorted_run), RUNS_MOST, RUNS_WHAT);
	vec_init(&s->chain, sizeof(struct run_chain), RUNS_MOST, RUNS_WHAT);
	return s;
}

static void tournament_release(struct tournament *m)
{
	for (size_t i = 0; i < m->count; i++)
		spool_pass_release(&m->player[i].bytes);
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
	spool_release(&s->spool);
	vec_release(&s->runs);
	vec_release(&s->chain);
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

/* Most events of a lane come in order: only those that come after a greater one are sorted, then
 * interleaved with the others; in several portions, where they are many. */
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
static struct run_chain *chain_before(const struct spill *s, const struct spill_key *least)
{
	const size_t count = s->chain.count < CHAINS_MOST ? s->chain.count : CHAINS_MOST;
	struct run_chain *chain = s->chain.data, *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (!spill_key_before(least, &chain[i].most) &&
			(!found || spill_key_before(&found->most, &chain[i].most)))
			found = &chain[i];
	return found;
}

/* ---- runs ---- */

static struct sorted_run *run_at(const struct spill *s, size_t number)
{
	return vec_at(&s->runs, number);
}

static int begin_run(struct spill *s, const struct spill_key *least, struct error *err)
{
	struct sorted_run *run = vec_push(&s->runs, err);

	if (!run)
		return -1;
	run->offset = spool_size(&s->spool);
	s->least = *least;
	memset(s->before, 0, sizeof(s->before));
	return 0;
}

static inline int put(
	struct spill *s, const void *record, const struct spill_key *key, struct error *err)
{
	const size_t words = s->record_bytes / 8;
	unsigned char *to = spool_end(&s->spool, packed_most(words), err);

	if (!to)
		return -1;
	s->spool.used += pack_words(words, s->before, record, to);
	s->most = *key;
	return 0;
}

static int end_run(struct spill *s, struct error *err)
{
	const size_t number = s->runs.count - 1;
	struct run_chain *chain = chain_before(s, &s->least);

	run_at(s, number)->bytes = spool_size(&s->spool) - run_at(s, number)->offset;
	if (chain) {
		run_at(s, chain->last)->next = number + 1;
	} else {
		chain = vec_push(&s->chain, err);
		if (!chain)
			return -1;
		chain->first = number;
	}
	chain->last = number;
	chain->most = s->most;
	return 0;
}

/* Ends the open run, if there is one. */
static int close_run(struct spill *s, struct error *err)
{
	if (!s->is_open)
		return 0;
	s->is_open = false;
	return end_run(s, err);
}

/* A run of the records in order from `begin` on. Where all of them came in order it is one run,
 * which stays open; else, where there are few first halves of the key, it ends before another one.
 * Returns where it ends, 0: failed. */
static size_t write_run(struct spill *s, size_t begin, struct error *err)
{
	const bool by_halves = s->has_few_halves && !s->in_order;
	size_t i;

	for (i = begin; i < s->used; i++) {
		const unsigned char *record = nth_in_order(s, i);
		const struct spill_key key = key_of(record);

		if (i == begin && begin_run(s, &key, err))
			return 0;
		if (by_halves && key.hi != s->least.hi)
			break;
		if (put(s, record, &key, err))
			return 0;
	}
	s->is_open = s->in_order;
	return s->is_open || end_run(s, err) == 0 ? i : 0;
}

/* Writes the buffer as runs and empties it. */
static int spill_buffer(struct spill *s, struct error *err)
{
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
static inline bool goes_on(const struct spill *s, const struct spill_key *key)
{
	return s->is_open && !spill_key_before(key, &s->most) &&
	       (!s->has_few_halves || key->hi == s->most.hi);
}

__attribute__((noinline)) static int add_to_buffer(
	struct spill *s, const void *record, const struct spill_key *key, struct error *err)
{
	if (s->used == s->room) {
		if (spill_buffer(s, err))
			return -1;
		if (goes_on(s, key)) /* in the run that has just been opened */
			return put(s, record, key, err);
	}
	memcpy(s->buffer + s->used * s->record_bytes, record, s->record_bytes);
	s->used++;
	return 0;
}

/* A record before the last of the open run goes into the buffer. So of equal records the one in the
 * run has come first, and runs are in the order in which they were begun. */
int spill_add(struct spill *s, const void *record, struct error *err)
{
	const struct spill_key key = key_of(record);

	assert(!s->sorted);
	return goes_on(s, &key) ? put(s, record, &key, err) : add_to_buffer(s, record, &key, err);
}

int spill_begin_run(struct spill *s, const void *record, struct error *err)
{
	const struct spill_key key = key_of(record);

	if (close_run(s, err) || begin_run(s, &key, err))
		return -1;
	s->is_open = true;
	s->has_few_halves = false;
	return put(s, record, &key, err);
}

/* ---- the tournament ---- */

/* As one number a key is compared without a branch: no processor can predict which of several runs
 * is next. */
static inline unsigned __int128 number_of(const struct spill_key *key)
{
	return (unsigned __int128)key->hi << 64 | key->lo;
}

static inline bool player_before(const struct player *x, const struct player *y)
{
	const unsigned __int128 key_x = number_of(&x->key), key_y = number_of(&y->key);

	if (!__builtin_expect(key_x == key_y, 0))
		return key_x < key_y;
	/* A player that is over is last. */
	if (x->over || y->over)
		return x->over == y->over ? x->leaf < y->leaf : y->over;
	return x->run < y->run;
}

/* Record before the first of a run. */
static const uint64_t zeros[PACKED_WORDS_MOST];

static void begin_reading(const struct spill *s, struct player *player, size_t number)
{
	const struct sorted_run *run = run_at(s, number);

	player->run = number;
	player->base = (const unsigned char *)zeros;
	spool_pass_begin(&player->bytes, run->offset, run->bytes);
}

static inline int advance(const struct spill *s, struct player *player, struct error *err)
{
	const size_t words = s->record_bytes / 8;
	struct spool_pass *const bytes = &player->bytes;
	unsigned char *const next = player->before;

	while (bytes->at == bytes->end && !bytes->left) {
		const size_t following = run_at(s, player->run)->next;

		if (!following) {
			player->over = true;
			player->key = (struct spill_key){UINT64_MAX, UINT64_MAX};
			return 0;
		}
		begin_reading(s, player, following - 1);
	}
	if (spool_pass_need(bytes, packed_most(words), err))
		return -1;
	bytes->at += unpack_words(words, player->base, next, bytes->at);
	if (bytes->at > bytes->end)
		return spool_damaged(&s->spool, err);
	player->before = player->record;
	player->base = player->record = next;
	player->key = key_of(next);
	return 0;
}

/* Plays the tree from its leaves, which are nodes count to 2 * count - 1. */
static void tournament_play(struct tournament *m)
{
	struct player **winner = memory_alloc(memory_product(2 * m->count, sizeof(*winner)));

	for (size_t i = 0; i < m->count; i++)
		winner[m->count + i] = &m->player[i];
	for (size_t node = m->count - 1; node > 0; node--) {
		struct player *a = winner[2 * node], *b = winner[2 * node + 1];
		bool first = player_before(a, b);

		winner[node] = first ? a : b;
		m->loser[node] = first ? b : a;
	}
	m->winner = winner[1];
	memory_free(winner);
}

static int tournament_start(struct spill *s, struct error *err)
{
	struct tournament *m = &s->tournament;
	const size_t share = s->buffer_bytes / s->chain.count,
		     block = share < BLOCK_LEAST  ? BLOCK_LEAST
			     : share > BLOCK_MOST ? BLOCK_MOST
						  : share;

	m->count = s->chain.count;
	m->player = memory_alloc(memory_product(m->count, sizeof(*m->player)));
	m->records = memory_alloc(memory_product(2 * m->count, s->record_bytes));
	m->loser = memory_alloc(memory_product(m->count, sizeof(*m->loser)));
	for (size_t i = 0; i < m->count; i++) {
		struct player *player = &m->player[i];

		player->leaf = m->count + i;
		player->record = m->records + 2 * i * s->record_bytes;
		player->before = player->record + s->record_bytes;
		spool_pass_init(&player->bytes, &s->spool, block);
		begin_reading(s, player, ((struct run_chain *)vec_at(&s->chain, i))->first);
		if (advance(s, player, err))
			return -1;
	}
	tournament_play(m);
	return 0;
}

/* Next record, as spill_next returns it. */
static int tournament_next(struct spill *s, const void **record, struct error *err)
{
	struct tournament *m = &s->tournament;

	if (m->passed) {
		struct player *winner = m->winner;

		if (advance(s, winner, err))
			return -1;
		for (size_t node = winner->leaf / 2; node > 0; node /= 2) {
			struct player *const other = m->loser[node];
			const bool is_other = player_before(other, winner);

			m->loser[node] = is_other ? winner : other;
			winner = is_other ? other : winner;
		}
		m->winner = winner;
	}
	m->passed = !m->winner->over;
	*record = m->winner->record;
	return m->passed;
}

int spill_sort(struct spill *s, struct error *err)
{
	assert(!s->sorted);
	s->sorted = true;
	if (s->runs.count == 0) {
		sort_buffer(s);
		return 0;
	}
	if (s->used > 0 && spill_buffer(s, err))
		return -1;
	if (close_run(s, err) || spool_settle(&s->spool, err))
		return -1;
	memory_unmap(s->buffer, s->buffer_bytes);
	s->buffer = NULL;
	return 0;
}

int spill_next(struct spill *s, const void **record, struct error *err)
{
	assert(s->sorted);
	if (s->runs.count > 0) {
		if (s->tournament.count == 0 && tournament_start(s, err))
			return -1;
		return tournament_next(s, record, err);
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
	return s->spool.written;
}
