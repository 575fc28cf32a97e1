/* A sorter by time behind a lock. */
#include "ingest/events/call_store.h"

#include <pthread.h>
#include "base/memory.h"
#include "ingest/events/spill.h"

#define BUFFER_BYTES ((size_t)24 << 20)

struct call_store {
	struct call_values values; /* the first member */
	struct spill *spill;
	pthread_mutex_t lock;
	uint32_t sources;
	bool sorted;
};

/* In the sorter: `hi` is the time with its sign bit flipped. */
struct stored_call {
	uint64_t hi, lo;
	uint32_t source, place, op, kind; /* kind: and 1 << 8 of totals */
};
#define KIND_TOTAL 0x100u

static int rewind_store(struct call_values *values, struct error *err)
{
	struct call_store *store = (struct call_store *)values;

	if (!store->sorted && spill_sort(store->spill, err))
		return -1;
	store->sorted = true;
	spill_rewind(store->spill);
	return 0;
}

static int next_record(struct call_values *values, struct call_record *record, struct error *err)
{
	struct call_store *store = (struct call_store *)values;
	const struct stored_call *stored;
	const void *next;
	int got = spill_next(store->spill, &next, err);

	if (got <= 0)
		return got;
	stored = next;
	*record = (struct call_record){
		.ps = (int64_t)(stored->hi ^ UINT64_C(1) << 63),
		.source = stored->source,
		.op = stored->op,
		.place = stored->place,
		.kind = (enum call_kind)(stored->kind & ~KIND_TOTAL),
		.total = stored->kind & KIND_TOTAL,
	};
	return 1;
}

static void free_store(struct call_values *values)
{
	struct call_store *store = (struct call_store *)values;

	spill_free(store->spill);
	pthread_mutex_destroy(&store->lock);
	memory_free(store);
}

struct call_store *call_store_new(const struct call_store_options *opt)
{
	struct call_store *store = memory_alloc(sizeof(*store));
	const struct spill_options spill = {
		.record_bytes = sizeof(struct stored_call),
		.buffer_bytes = opt->buffer_bytes ? opt->buffer_bytes : BUFFER_BYTES,
		.folder = opt->folder,
		.max_disk_bytes = opt->max_disk_bytes,
		.what = "calls",
	};

	store->values = (struct call_values){rewind_store, next_record, free_store};
	store->spill = spill_new(&spill);
	pthread_mutex_init(&store->lock, NULL);
	return store;
}

struct call_values *call_store_values(struct call_store *store)
{
	return &store->values;
}

uint32_t call_store_source(struct call_store *store)
{
	uint32_t number;

	pthread_mutex_lock(&store->lock);
	number = store->sources++;
	pthread_mutex_unlock(&store->lock);
	return number;
}

int call_store_add(
	struct call_store *store, const struct call_record *record, size_t count, struct error *err)
{
	int result = 0;

	pthread_mutex_lock(&store->lock);
	for (size_t i = 0; i < count && result == 0; i++) {
		const struct stored_call stored = {
			.hi = (uint64_t)record[i].ps ^ UINT64_C(1) << 63,
			.source = record[i].source,
			.place = record[i].place,
			.op = record[i].op,
			.kind = (uint32_t)record[i].kind | (record[i].total ? KIND_TOTAL : 0),
		};

		result = spill_add(store->spill, &stored, err);
	}
	pthread_mutex_unlock(&store->lock);
	return result;
}
