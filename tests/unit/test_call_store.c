/* The store of single executions against qsort: in memory and through a file, read several times,
 * filled by several threads; and what is said when the disk is capped. */
#include <pthread.h>
#include "base/order.h"
#include "ingest/events/call_store.h"
#include "tests/unit/test.h"

#define MANY 40000
#define THREADS 4

ORDERED(by_time, struct call_record, ORDER(x->ps, y->ps));

/* Each is a function of its number, which `op` holds; times of both signs, few and many equal. */
static struct call_record record_of(uint32_t i)
{
	const uint64_t mixed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return (struct call_record){
		.ps = (int64_t)mixed >> (i % 3 ? 20 : 60),
		.source = i % 7,
		.op = i,
		.place = i * 3,
		.kind = (enum call_kind)(i % CALL_KINDS),
		.total = i % 5 == 0,
	};
}

/* All of them in order, each with its own values, once and again. */
static void read_back(struct call_values *values, size_t count)
{
	struct call_record *expected = calloc(count, sizeof(*expected));
	bool *seen = calloc(count, sizeof(*seen));
	struct error err = {.kind = ERROR_NONE};
	struct call_record got;

	for (size_t i = 0; i < count; i++)
		expected[i] = record_of((uint32_t)i);
	qsort(expected, count, sizeof(*expected), by_time);
	for (size_t turn = 0; turn < 3; turn++) {
		memset(seen, 0, count * sizeof(*seen));
		assert_int_equal(values->rewind(values, &err), 0);
		for (size_t i = 0; i < count && (turn != 1 || i < count / 2); i++) {
			assert_int_equal(values->next(values, &got, &err), 1);
			assert_true(got.ps == expected[i].ps);
			assert_true(got.op < count && !seen[got.op]);
			seen[got.op] = true;

			const struct call_record own = record_of(got.op);

			assert_true(got.ps == own.ps && got.source == own.source &&
				    got.place == own.place && got.kind == own.kind &&
				    got.total == own.total);
		}
		if (turn != 1)
			assert_int_equal(values->next(values, &got, &err), 0);
	}
	free(expected);
	free(seen);
}

struct part {
	struct call_store *store;
	uint32_t first;
};

static void *add_part(void *object)
{
	const struct part *part = object;
	struct error err = {.kind = ERROR_NONE};

	call_store_source(part->store);
	for (uint32_t i = part->first; i < MANY; i += THREADS) {
		const struct call_record record = record_of(i);

		if (call_store_add(part->store, &record, 1, &err))
			return "failed";
	}
	return NULL;
}

static void fill_and_read(size_t buffer_bytes)
{
	const struct call_store_options opt = {
		.buffer_bytes = buffer_bytes, .max_disk_bytes = 1 << 30};
	struct call_store *store = call_store_new(&opt);
	struct call_values *values = call_store_values(store);
	struct part part[THREADS];
	pthread_t thread[THREADS];

	for (uint32_t i = 0; i < THREADS; i++) {
		part[i] = (struct part){store, i};
		assert_int_equal(pthread_create(&thread[i], NULL, add_part, &part[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++) {
		void *result;

		assert_int_equal(pthread_join(thread[i], &result), 0);
		assert_null(result);
	}
	assert_int_equal(call_store_source(store), THREADS);
	read_back(values, MANY);
	values->free(values);
}

TEST(in_memory)
{
	fill_and_read(0);
}

TEST(through_a_file)
{
	fill_and_read(64 << 10);
}

TEST(an_empty_store)
{
	const struct call_store_options opt = {0};
	struct call_values *values = call_store_values(call_store_new(&opt));
	struct error err = {.kind = ERROR_NONE};
	struct call_record got;

	assert_int_equal(values->rewind(values, &err), 0);
	assert_int_equal(values->next(values, &got, &err), 0);
	values->free(values);
}

TEST(the_disk_is_capped)
{
	const struct call_store_options opt = {.buffer_bytes = 16 << 10, .max_disk_bytes = 4096};
	struct call_store *store = call_store_new(&opt);
	struct call_values *values = call_store_values(store);
	struct error err = {.kind = ERROR_NONE};
	int result = 0;

	for (uint32_t i = 0; i < MANY && !result; i++) {
		const struct call_record record = record_of(i);

		result = call_store_add(store, &record, 1, &err);
	}
	assert_int_equal(result, -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_non_null(strstr(err.message, "4096 bytes of temporary disk to keep calls"));
	values->free(values);
}
