/* Which end belongs to which beginning: as things happen, in groups of any size, by time; and what
 * has no other half. */
#include "ingest/perfetto/slices.h"
#include "tests/unit/test.h"

#define PAIRS_MOST 300000

/* Each slice is known by the offset of its beginning; its end has the same offset in these tests.
 */
struct found {
	size_t count, wrong;
	int64_t order[16]; /* offsets of the first ones */
};

static int on_slice(
	void *context, const struct pf_half *begin, const struct pf_half *end, struct error *err)
{
	struct found *f = context;

	(void)err;
	assert_true(end->time_ns >= begin->time_ns);
	assert_int_equal(end->track, begin->track);
	assert_int_equal(begin->event.size, 3);
	assert_memory_equal(begin->event.at, "abc", 3);
	f->wrong += begin->offset != end->offset;
	if (f->count < 16)
		f->order[f->count] = (int64_t)begin->offset;
	f->count++;
	return 0;
}

struct job {
	struct pf_slices *slices;
	struct pf_names *names;
	struct found found;
};

static void start(struct job *j, uint64_t disk)
{
	const struct pf_slices_options options = {
		.slice = on_slice, .context = &j->found, .max_disk_bytes = disk};

	*j = (struct job){.slices = pf_slices_new(&options), .names = pf_names_new()};
}

static int half(struct job *j, bool is_end, uint32_t sequence, uint32_t track, int64_t time_ns,
	uint64_t offset)
{
	const struct pf_half h = {.time_ns = time_ns,
		.offset = offset,
		.track = track,
		.names = j->names,
		.event = {(const unsigned char *)"abc", 3}};
	struct error err;

	return is_end ? pf_slices_end(j->slices, sequence, &h, &err)
		      : pf_slices_begin(j->slices, sequence, &h, &err);
}

static void begin(struct job *j, uint32_t track, int64_t time_ns, uint64_t offset)
{
	assert_int_equal(half(j, false, 0, track, time_ns, offset), 0);
}

static void end(struct job *j, uint32_t track, int64_t time_ns, uint64_t offset)
{
	assert_int_equal(half(j, true, 0, track, time_ns, offset), 0);
}

static struct pf_slices_lost finish(struct job *j)
{
	struct pf_slices_lost lost;
	struct error err;

	assert_int_equal(pf_slices_finish(j->slices, &lost, &err), 0);
	pf_slices_free(j->slices);
	pf_names_release(j->names);
	assert_int_equal(j->found.wrong, 0);
	return lost;
}

TEST(as_things_happen)
{
	struct job j;

	start(&j, 0);
	begin(&j, 1, 0, 1);
	begin(&j, 1, 2, 2);
	begin(&j, 2, 3, 3);
	end(&j, 1, 5, 2);
	begin(&j, 1, 5, 4);
	end(&j, 1, 5, 4);
	end(&j, 2, 6, 3);
	end(&j, 1, 9, 1);
	/* A nest whose ends follow each other. */
	for (uint64_t i = 0; i < 5; i++)
		begin(&j, 1, 10 + (int64_t)i, 10 + i);
	for (uint64_t i = 5; i-- > 0;)
		end(&j, 1, 30 - (int64_t)i, 10 + i);
	/* One after the other, the later one first. */
	begin(&j, 1, 50, 20);
	end(&j, 1, 60, 20);
	begin(&j, 1, 40, 21);
	end(&j, 1, 50, 21);
	struct pf_slices_lost lost = finish(&j);

	assert_int_equal(j.found.count, 11);
	assert_int_equal(lost.open.count + lost.stray.count + lost.sorted.count, 0);
}

/* The outer one of slices with the same times comes first. */
TEST(at_the_same_times)
{
	struct job j;

	start(&j, 0);
	for (uint64_t i = 1; i <= 3; i++)
		begin(&j, 1, 10, i);
	for (uint64_t i = 3; i >= 1; i--)
		end(&j, 1, 20, i);
	begin(&j, 1, 20, 4);
	begin(&j, 1, 20, 5);
	end(&j, 1, 25, 5);
	end(&j, 1, 30, 4);
	finish(&j);
	static const int64_t order[] = {1, 2, 3, 5, 4};

	assert_int_equal(j.found.count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(j.found.order[i], order[i]);
}

/* Slices that touch, nest, are nothing long; on several tracks. */
static void group(struct job *j, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		begin(j, (uint32_t)(i % 3), (int64_t)(10 * (i / 3)), i);
	for (uint64_t i = 0; i < count; i++)
		end(j, (uint32_t)(i % 3), (int64_t)(10 * (i / 3) + (i % 7 == 0 ? 0 : 10)), i);
}

TEST(in_groups)
{
	static const uint64_t counts[] = {1, 2, 4, 9, 100, 65535, 65536, 65537, PAIRS_MOST};

	for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
		struct job j;

		start(&j, 1 << 28);
		group(&j, counts[k]);
		group(&j, counts[k]);
		begin(&j, 1, 1 << 30, 1);
		end(&j, 1, 1 << 30, 1);
		struct pf_slices_lost lost = finish(&j);

		assert_int_equal(j.found.count, 2 * counts[k] + 1);
		assert_int_equal(lost.open.count + lost.stray.count, 0);
	}
}

TEST(a_group_without_room)
{
	struct job j;
	int status = 0;

	start(&j, 0);
	for (uint64_t i = 0; i < PAIRS_MOST && status == 0; i++)
		status = half(&j, false, 0, 1, (int64_t)i, i);
	assert_int_equal(status, -1);
	pf_slices_free(j.slices);
	pf_names_release(j.names);
}

TEST(a_group_that_is_cut)
{
	struct job j;

	start(&j, 1 << 28);
	for (uint64_t i = 0; i < 100000; i++)
		begin(&j, 1, (int64_t)(2 * i), i);
	for (uint64_t i = 0; i < 60000; i++)
		end(&j, 1, (int64_t)(2 * i + 1), i);
	struct pf_slices_lost lost = finish(&j);

	assert_int_equal(j.found.count, 60000);
	assert_int_equal(lost.open.count, 40000);
	assert_int_equal(lost.open.offset, 60000);
}

/* One sequence begins, another one ends. */
TEST(by_time)
{
	struct job j;

	start(&j, 0);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(half(&j, false, 0, 1, (int64_t)(10 * i), i), 0);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(half(&j, true, 1, 1, (int64_t)(10 * i + 5), i), 0);
	assert_int_equal(half(&j, true, 1, 1, 1 << 20, 7), 0);
	assert_int_equal(half(&j, false, 0, 1, 1 << 21, 8), 0);
	struct pf_slices_lost lost = finish(&j);

	assert_int_equal(j.found.count, 1000);
	assert_int_equal(lost.stray.count, 1);
	assert_int_equal(lost.stray.offset, 7);
	assert_int_equal(lost.open.count, 1);
	assert_int_equal(lost.open.offset, 8);
}

TEST(without_another_half)
{
	struct job j;

	start(&j, 0);
	end(&j, 1, 5, 1);
	begin(&j, 2, 6, 2);
	begin(&j, 2, 7, 3);
	end(&j, 2, 8, 3);
	struct pf_slices_lost lost = finish(&j);

	assert_int_equal(j.found.count, 1);
	assert_int_equal(lost.stray.count, 1);
	assert_int_equal(lost.open.count, 1);
	assert_int_equal(lost.open.offset, 2);
	pf_slices_free(NULL);
}

/* Sequences of which none has as many as a group: together they have a bound. */
TEST(too_many_open)
{
	struct job j;
	struct pf_half h = {.time_ns = 1, .event = {(const unsigned char *)"abc", 3}};
	struct error err = {.kind = ERROR_NONE};
	uint64_t count = 0;
	int status = 0;

	start(&j, 1 << 28);
	h.names = j.names;
	for (; status == 0 && count < 4000000; count++)
		status = pf_slices_begin(j.slices, (uint32_t)(count / 32000), &h, &err);
	assert_int_equal(status, -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_non_null(strstr(err.message, "256 MiB"));
	assert_in_range(count, 500000, 3000000);
	pf_slices_free(j.slices);
	pf_names_release(j.names);
}
