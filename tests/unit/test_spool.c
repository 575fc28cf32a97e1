/* Bytes that are kept for later: in memory, beyond it in a file, read in order and out of it; and
 * what is said where no file may be made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "base/temporary_file.h"

static char byte_at(uint64_t i)
{
	return (char)(i * 31 + i / 257);
}

static void add(struct spool *s, uint64_t from, size_t n)
{
	char bytes[1000];
	struct error err;

	for (size_t i = 0; i < n; i++)
		bytes[i] = byte_at(from + i);
	assert_int_equal(spool_add(s, bytes, n, &err), 0);
}

static void check(struct spool *s, uint64_t from, size_t n)
{
	char bytes[1000];
	struct error err;

	assert_int_equal(spool_read(s, from, bytes, n, &err), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(bytes[i], byte_at(from + i));
}

static void what_is_added_is_read(void **state)
{
	(void)state;
	static const size_t memory[] = {1, 100, 4096, 1 << 20};

	for (size_t k = 0; k < sizeof(memory) / sizeof(memory[0]); k++) {
		const struct spool_options options = {
			.memory_bytes = memory[k], .max_disk_bytes = 1 << 24, .what = "bytes"};
		struct spool *s = spool_new(&options);
		uint64_t size = 0;

		for (size_t i = 0; i < 2000; i++) {
			size_t n = i * 7 % 999;

			add(s, size, n);
			size += n;
			if (i % 10 == 0 && size > 500)
				check(s, size - 500, 500); /* while it grows */
		}
		assert_int_equal(spool_size(s), size);
		for (uint64_t at = 0; at + 777 < size; at += 777)
			check(s, at, 777);
		for (uint64_t at = size - 999; at > 40000; at -= 39000)
			check(s, at, 999);
		spool_clear(s);
		assert_int_equal(spool_size(s), 0);
		add(s, 0, 1000);
		check(s, 0, 1000);
		spool_free(s);
	}
}

static void a_file_that_may_not_be(void **state)
{
	(void)state;
	struct spool_options options = {.memory_bytes = 100, .what = "bytes"};
	char bytes[200] = {0};
	struct error err = {.kind = ERROR_NONE};
	struct spool *s = spool_new(&options);

	assert_int_equal(spool_add(s, bytes, 99, &err), 0);
	assert_int_equal(spool_add(s, bytes, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	spool_free(s);
	options.max_disk_bytes = 1000;
	options.folder = "/no/such/folder";
	s = spool_new(&options);
	assert_int_equal(spool_add(s, bytes, sizeof(bytes), &err), -1);
	assert_int_equal(err.kind, ERROR_OUTPUT);
	spool_free(s);
	spool_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_added_is_read),
		cmocka_unit_test(a_file_that_may_not_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
