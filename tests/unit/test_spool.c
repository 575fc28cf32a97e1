/* Bytes that are kept for later: in memory, beyond it in a file, read in order and out of it; and
 * what is said where no file may be made. */
#include "base/spool.h"
#include "ingest/events/byte_runs.h"
#include "tests/unit/test.h"

static unsigned char byte_at(uint64_t i)
{
	return (unsigned char)(i * 31 + i / 257);
}

static void add(struct spool *s, uint64_t from, size_t n)
{
	unsigned char bytes[1000];
	struct error err;

	for (size_t i = 0; i < n; i++)
		bytes[i] = byte_at(from + i);
	assert_int_equal(spool_add(s, bytes, n, &err), 0);
}

/* Reads a piece in steps of so many bytes. */
static void check(struct spool_pass *p, uint64_t from, uint64_t size, size_t step)
{
	struct error err;

	spool_pass_begin(p, from, size);
	for (uint64_t at = from; at < from + size; at++) {
		if ((at - from) % step == 0)
			assert_int_equal(spool_pass_need(p, step, &err), 0);
		assert_true(p->at < p->end);
		assert_int_equal(*p->at++, byte_at(at));
	}
	assert_int_equal(spool_pass_need(p, step, &err), 0);
	assert_true(p->at == p->end);
	assert_int_equal(p->left, 0);
}

TEST(what_is_added_is_read)
{
	static const size_t memory[] = {1, 100, 4096, 1 << 20}, windows[] = {1, 300, 1 << 16};

	for (size_t k = 0; k < 12; k++) {
		const struct spool_options options = {
			.memory_bytes = memory[k / 3], .max_disk_bytes = 1 << 24, .what = "bytes"};
		struct error err;
		struct spool s;
		struct spool_pass p;
		uint64_t size = 0;

		spool_init(&s, &options);
		for (size_t i = 0; i < 2000; i++) {
			size_t n = i * 7 % 999;

			add(&s, size, n);
			size += n;
		}
		assert_int_equal(spool_size(&s), size);
		assert_int_equal(spool_settle(&s, &err), 0);
		assert_int_equal(s.written, k / 3 == 3 ? 0 : size);
		spool_pass_init(&p, &s, windows[k % 3]);
		check(&p, 0, size, 777);
		for (uint64_t at = size - 999; at > 40000; at -= 39000)
			check(&p, at, 999, 80);
		check(&p, size, 0, 1);
		spool_pass_release(&p);
		spool_clear(&s);
		assert_int_equal(spool_size(&s), 0);
		add(&s, 0, 1000);
		assert_int_equal(spool_settle(&s, &err), 0);
		spool_pass_init(&p, &s, windows[k % 3]);
		check(&p, 0, 1000, 1000);
		spool_pass_release(&p);
		spool_release(&s);
	}
}

TEST(a_file_that_may_not_be)
{
	struct spool_options options = {.memory_bytes = 100, .what = "bytes"};
	unsigned char bytes[200] = {0};
	struct error err = {.kind = ERROR_NONE};
	struct spool s;

	spool_init(&s, &options);
	assert_int_equal(spool_add(&s, bytes, 100, &err), 0);
	assert_int_equal(spool_add(&s, bytes, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.message, "more than 0 bytes of temporary disk to keep bytes");
	spool_release(&s);
	options.max_disk_bytes = 1000;
	options.folder = "/no/such/folder";
	spool_init(&s, &options);
	assert_int_equal(spool_add(&s, bytes, sizeof(bytes), &err), 0);
	assert_int_equal(spool_add(&s, bytes, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_OUTPUT);
	spool_release(&s);
}

/* Records of sources in turns until one is refused. */
static size_t add_in_turns(struct byte_runs *r, uint32_t first, uint32_t sources, size_t most)
{
	struct error err;

	for (size_t i = 0; i < most; i++) {
		const uint32_t id = first + (uint32_t)i % sources;
		const int got = byte_runs_has_room(r, id) ? 1 : byte_runs_make_room(r, id, &err);

		assert_in_range(got, 0, 1);
		if (!got)
			return i;
		for (size_t k = 0; k < BYTE_RUNS_RECORD_MOST; k++)
			*r->source[id].at++ = (unsigned char)id;
	}
	return most;
}

/* 256 KiB: 3000 records of 80 bytes by four sources leave less for 20 more than chunks may be. */
TEST(late_sources)
{
	for (uint64_t disk = 0; disk <= 1 << 20; disk += 1 << 20) {
		const struct spool_options options = {
			.memory_bytes = 256 << 10, .max_disk_bytes = disk, .what = "bytes"};
		struct byte_runs r;
		struct error err;
		size_t late;

		byte_runs_init(&r, &options);
		assert_int_equal(add_in_turns(&r, 0, 4, 3000), 3000);
		late = add_in_turns(&r, 4, 20, 2000);
		assert_true(disk ? late == 2000 : late > 0 && late < 2000);
		assert_int_equal(byte_runs_end(&r, &err), 0);
		assert_int_equal(spool_size(&r.spool), (3000 + late) * BYTE_RUNS_RECORD_MOST);
		byte_runs_release(&r);
	}
}
