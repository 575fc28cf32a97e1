/* The sorter against qsort made stable by a serial number: in memory and through temporary files,
 * with several passes of merging; and what it says when the disk is full, capped or not there. */
#include <signal.h>
#include <sys/resource.h>
#include "base/order.h"
#include "ingest/events/spill.h"
#include "tests/unit/test.h"

struct record {
	uint64_t hi, lo;
	int64_t dur_ps;
	uint32_t name;
	uint16_t kind;
	uint8_t flags, spare;
	uint64_t serial; /* in the order of adding */
};

static uint64_t next_random(uint64_t *state) /* xorshift64 (Marsaglia 2003) */
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

ORDERED(compare, struct record,
	ORDER(x->hi, y->hi)
		?: ORDER(x->lo, y->lo)
		?: ORDER(x->serial, y->serial));

/* Keys and values under masks, so that there are few or many different ones, of few or many
 * bytes. */
static struct record *random_records(size_t count, uint64_t hi_mask, uint64_t lo_mask)
{
	struct record *all = calloc(count ? count : 1, sizeof(*all));
	uint64_t state = 88172645463325252u;

	assert_non_null(all);
	for (size_t i = 0; i < count; i++) {
		uint64_t shape = next_random(&state);

		all[i].hi = next_random(&state) & hi_mask;
		all[i].lo = next_random(&state) & lo_mask;
		all[i].dur_ps = (int64_t)(next_random(&state) >> shape % 64);
		all[i].dur_ps = shape & 1024 ? -all[i].dur_ps : all[i].dur_ps;
		all[i].name = (uint32_t)(next_random(&state) >> (32 + shape / 64 % 32));
		all[i].kind = (uint16_t)next_random(&state);
		all[i].flags = (uint8_t)(shape >> 40);
		all[i].serial = i;
	}
	return all;
}

static const struct spill_options plain = {
	.record_bytes = sizeof(struct record),
	.buffer_bytes = 64 << 20,
	.max_disk_bytes = 1 << 30,
	.what = "events",
};

static void add_all(struct spill *spill, const struct record *all, size_t count)
{
	struct error err = {.kind = ERROR_NONE};

	for (size_t i = 0; i < count; i++)
		assert_int_equal(spill_add(spill, &all[i], &err), 0);
	assert_int_equal(spill_sort(spill, &err), 0);
	assert_int_equal(err.kind, ERROR_NONE);
}

static void expect_all(struct spill *spill, const struct record *sorted, size_t count)
{
	struct error err = {.kind = ERROR_NONE};
	const void *record;

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(spill_next(spill, &record, &err), 1);
		assert_memory_equal(record, &sorted[i], sizeof(sorted[i]));
	}
	assert_int_equal(spill_next(spill, &record, &err), 0);
	assert_int_equal(spill_next(spill, &record, &err), 0);
	assert_int_equal(err.kind, ERROR_NONE);
}

/* Takes `all`. Returns the bytes that were on disk. */
static uint64_t check(const struct spill_options *options, struct record *all, size_t count)
{
	struct spill *spill = spill_new(options);

	add_all(spill, all, count);
	qsort(all, count, sizeof(*all), compare);
	expect_all(spill, all, count);
	uint64_t disk_bytes = spill_disk_bytes(spill);

	spill_free(spill);
	free(all);
	return disk_bytes;
}

static const uint64_t masks[] = {0, 7, 0xffff, UINT64_MAX};

TEST(equals_a_stable_sort_in_memory)
{
	const size_t counts[] = {0, 1, 2, 30, 20000};

	for (size_t c = 0; c < 5; c++)
		for (size_t h = 0; h < 4; h++)
			for (size_t l = 0; l < 4; l++)
				assert_int_equal(
					check(&plain, random_records(counts[c], masks[h], masks[l]),
						counts[c]),
					0);
}

/* 48 bytes per record in memory: 477 runs of 42 records, a few of 2 083, and one that just fits or
 * does not. */
TEST(equals_a_stable_sort_through_files)
{
	const size_t buffers[] = {1, 5000, 100000, 48 * 19999, 48 * 20000};

	for (size_t b = 0; b < 5; b++)
		for (size_t h = 0; h < 4; h++)
			for (size_t l = 0; l < 4; l++) {
				struct spill_options options = plain;

				options.buffer_bytes = buffers[b];
				uint64_t disk_bytes = check(
					&options, random_records(20000, masks[h], masks[l]), 20000);

				assert_int_equal(disk_bytes > 0, b < 4);
			}
}

/* All at once, none in order or all but the first, of one group or of many: each portion of what
 * comes late is sorted and interleaved. */
TEST(late_records_are_sorted_in_portions)
{
	const size_t counts[] = {23, 24, 25, 1000, 20000};

	for (size_t c = 0; c < 5; c++)
		for (size_t way = 0; way < 6; way++) {
			struct record *all = random_records(counts[c], 0, 0);
			struct spill_options options = plain;

			options.buffer_bytes = 48 * counts[c];
			for (size_t i = 0; i < counts[c]; i++) {
				const uint64_t down = counts[c] - i,
					       early = i == 0 ? UINT64_MAX : i / 2;

				all[i].hi = way < 2 ? 5 : way < 4 ? down << 40 : early >> 60;
				all[i].lo = way % 2 ? down / 3 : early;
			}
			check(&options, all, counts[c]);
		}
}

/* Several sources, each in order: one after the other or in turn, with the first half of the key as
 * the source or not. Keys that are equal between them, and 200 sources that are more than can be
 * joined at once. */
TEST(sources_in_order_are_sorted)
{
	enum { COUNT = 24000 };
	const size_t sources[] = {1, 2, 4, 15, 16, 17, 200}, turns[] = {1, 40, 1000, COUNT};

	for (size_t s = 0; s < 7; s++)
		for (size_t t = 0; t < 4; t++)
			for (size_t way = 0; way < 3; way++) {
				struct record *all = random_records(COUNT, 0, 0);
				struct spill_options options = plain;
				const size_t each =
					turns[t] == COUNT ? COUNT / sources[s] + 1 : turns[t];

				for (size_t i = 0; i < COUNT; i++) {
					const size_t source = i / each % sources[s],
						     time = i / each / sources[s] * each + i % each;

					all[i].hi = way == 0 ? source : way == 1 ? time / 2 : 7;
					all[i].lo = way == 1 ? 0 : time / 3;
				}
				options.buffer_bytes = 48 * 1000;
				assert_true(check(&options, all, COUNT) > 0);
			}
}

/* A source alone for more than a buffer, then two in turn: each stays a chain, and nothing is
 * written twice. */
TEST(sources_in_turn_stay_chains)
{
	enum { COUNT = 60000, ALONE = 1500, EACH = 10 };
	struct record *all = random_records(COUNT, 0, 0);
	struct spill_options options = plain;

	for (size_t i = 0; i < COUNT; i++)
		all[i] = (struct record){.hi = i < ALONE ? 0 : i / EACH % 2, .lo = i, .serial = i};
	options.buffer_bytes = 48 * 1000;
	/* two differences of one or two bytes, and half a byte for each of five words */
	assert_in_range(check(&options, all, COUNT), COUNT * 3, COUNT * 6);
}

/* In order but for one record in `late` of them, which is among the first; keys often repeat. Runs
 * that are open go on, and are closed when what was late fills the buffer.
 */
TEST(equals_a_stable_sort_of_what_goes_on_in_order)
{
	enum { COUNT = 30000 };
	const size_t late[] = {COUNT, 1000, 20, 3}, buffers[] = {1, 5000, 48 * 1000};

	for (size_t l = 0; l < 4; l++)
		for (size_t b = 0; b < 3; b++)
			for (size_t many_halves = 0; many_halves < 2; many_halves++) {
				struct spill_options options = plain;
				struct record *all = random_records(COUNT, 0, 0);

				for (size_t i = 0; i < COUNT; i++) {
					const size_t back = i % late[l] ? 0 : i * 7 % (i + 1),
						     time = (i - back) / 3;

					all[i].hi = many_halves ? time / 50 : time / 5000;
					all[i].lo = time;
				}
				options.buffer_bytes = buffers[b];
				assert_true(check(&options, all, COUNT) > 0);
			}
}

/* Records of any number of words; the words after the key hold the number of the record. */
TEST(packs_records_of_any_size)
{
	enum { COUNT = 3000 };
	struct error err = {.kind = ERROR_NONE};

	for (size_t words = 2; words <= 16; words++) {
		struct spill_options options = plain;

		options.record_bytes = 8 * words;
		options.buffer_bytes = 1;
		struct spill *spill = spill_new(&options);
		uint64_t record[16];
		const void *next;

		for (uint64_t i = 0; i < COUNT; i++) {
			for (size_t w = 0; w < words; w++)
				record[w] = w == 0 ? 7 : COUNT - 1 - i;
			assert_int_equal(spill_add(spill, record, &err), 0);
		}
		assert_int_equal(spill_sort(spill, &err), 0);
		for (uint64_t i = 0; i < COUNT; i++) {
			assert_int_equal(spill_next(spill, &next, &err), 1);
			memcpy(record, next, 8 * words);
			for (size_t w = 0; w < words; w++)
				assert_int_equal(record[w], w == 0 ? 7 : i);
		}
		assert_int_equal(spill_next(spill, &next, &err), 0);
		spill_free(spill);
	}
}

/* Fields of all widths between their ends, both ways. */
TEST(extremes_survive)
{
	struct spill_options options = plain;
	struct record *all = calloc(4000, sizeof(*all));

	assert_non_null(all);
	for (size_t i = 0; i < 4000; i++)
		all[i] = (struct record){
			.hi = i % 3 == 0 ? UINT64_MAX : 0,
			.lo = i % 2 == 0 ? UINT64_MAX - i : (uint64_t)1 << i % 64,
			.dur_ps = i % 5 == 0   ? INT64_MIN
				  : i % 5 == 1 ? INT64_MAX
					       : -(int64_t)i,
			.name = i % 7 < 3 ? UINT32_MAX : 0,
			.kind = i % 7 < 5 ? UINT16_MAX : 1,
			.flags = (uint8_t)(i % 2 ? 255 : 0),
			.serial = i,
		};
	options.buffer_bytes = 10000;
	assert_true(check(&options, all, 4000) > 0);
}

/* Lanes with times that rise by some microseconds, as event streams have: what must stay below 28
 * bytes per record. */
TEST(event_streams_are_small_on_disk)
{
	enum { COUNT = 100000 };
	struct record *all = calloc(COUNT, sizeof(*all));
	struct spill_options options = plain;
	uint64_t random = 88172645463325252u, now_ps = UINT64_C(1) << 63;

	assert_non_null(all);
	for (size_t i = 0; i < COUNT; i++) {
		now_ps += next_random(&random) % 10000 * 1000;
		all[i] = (struct record){
			.hi = next_random(&random) % 8,
			.lo = now_ps,
			.dur_ps = (int64_t)(next_random(&random) % 100000) * 1000,
			.name = (uint32_t)(next_random(&random) % 1000),
			.kind = (uint16_t)(next_random(&random) % 8),
			.serial = i,
		};
	}
	options.buffer_bytes = 1 << 20;
	uint64_t disk_bytes = check(&options, all, COUNT);

	assert_in_range(disk_bytes, COUNT * 4, COUNT * 20);
}

static int add_until_error(const struct spill_options *options, struct error *err)
{
	struct record *all = random_records(20000, UINT64_MAX, UINT64_MAX);
	struct spill *spill = spill_new(options);
	int status = 0;

	for (size_t i = 0; i < 20000 && status == 0; i++)
		status = spill_add(spill, &all[i], err);
	if (status == 0)
		status = spill_sort(spill, err);
	spill_free(spill);
	free(all);
	return status;
}

TEST(the_cap_is_an_error)
{
	struct error err = {.kind = ERROR_NONE};
	struct spill_options options = plain;

	options.buffer_bytes = 100000;
	options.max_disk_bytes = 300000;
	assert_int_equal(add_until_error(&options, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.message, "more than 300000 bytes of temporary disk to keep events");
	assert_string_equal(err.hint,
		"allow more with spill-limit in stepstat.yaml, or read fewer files at once");
	options.max_disk_bytes = 0;
	options.folder = "/nowhere/at/all"; /* is not even tried */
	err.kind = ERROR_NONE;
	assert_int_equal(add_until_error(&options, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.message, "more than 0 bytes of temporary disk to keep events");
}

TEST(a_missing_folder_is_an_error)
{
	struct error err = {.kind = ERROR_NONE};
	struct spill_options options = plain;

	options.buffer_bytes = 100000;
	options.folder = "/nowhere/at/all";
	assert_int_equal(add_until_error(&options, &err), -1);
	assert_int_equal(err.kind, ERROR_OUTPUT);
	assert_string_equal(err.place, "/nowhere/at/all");
	assert_string_equal(err.message, "cannot make the temporary file in which events are "
					 "kept: No such file or directory");
	assert_string_equal(err.hint, "set TMPDIR to a folder that can be written and has room, or "
				      "read fewer files at once");
}

/* The largest size of a file stands for a full disk. */
TEST(a_write_that_fails_is_an_error)
{
	struct error err = {.kind = ERROR_NONE};
	struct spill_options options = plain;
	struct rlimit before, small;

	options.buffer_bytes = 100000;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	small = before;
	small.rlim_cur = 200000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int status = add_until_error(&options, &err);

	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(status, -1);
	assert_int_equal(err.kind, ERROR_OUTPUT);
	assert_string_equal(err.message,
		"cannot write the temporary file in which events are kept: File too large");
}
