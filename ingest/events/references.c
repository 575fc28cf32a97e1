/* References sorted by id and group, records before the waits for them. */
#include "ingest/events/references.h"

#include "base/memory.h"
#include "ingest/events/spill.h"

#define BUFFER_BYTES ((size_t)2 << 20)
#define GROUP_WAITS 1
#define GROUP_SHARED (UINT64_C(1) << 63)

/* The key is the id and the group. */
struct reference_record {
	uint64_t id, group;
	int64_t time_ps;
	uint64_t offset;
	uint32_t op, kind;
};

struct references {
	struct spill *sorter;
	bool any;
};

struct references *references_new(const char *folder, uint64_t max_disk_bytes)
{
	struct references *references = memory_alloc(sizeof(*references));

	references->any = false;
	references->sorter =
		spill_new(&(struct spill_options){.record_bytes = sizeof(struct reference_record),
			.buffer_bytes = BUFFER_BYTES,
			.folder = folder,
			.max_disk_bytes = max_disk_bytes,
			.what = "references between events"});
	return references;
}

void references_free(struct references *references)
{
	if (!references)
		return;
	spill_free(references->sorter);
	memory_free(references);
}

int references_add(
	struct references *references, const struct reference *reference, struct error *err)
{
	const struct reference_record record = {
		.id = reference->id,
		.group = reference->kind == REFERENCE_SHARED ? GROUP_SHARED | reference->group
			 : reference->kind == REFERENCE_WAIT ? GROUP_WAITS
							     : 0,
		.time_ps = reference->time_ps,
		.offset = reference->offset,
		.op = reference->op,
		.kind = reference->kind,
	};

	references->any = true;
	return spill_add(references->sorter, &record, err);
}

/* References seen of the id, and of the group, that are read. */
struct reference_walk {
	struct reference_record first;
	bool any, is_shared;
	uint64_t recorded_id;
	bool any_recorded;
	int64_t recorded_ps;
	struct broken_references *broken;
};

static void note_first(size_t *count, uint64_t *first, uint64_t offset)
{
	if ((*count)++ == 0 || offset < *first)
		*first = offset;
}

static void end_shared(struct reference_walk *r)
{
	if (r->any && r->is_shared)
		note_first(&r->broken->shared, &r->broken->first_shared, r->first.offset);
	r->any = r->is_shared = false;
}

int references_check(struct references *references, int64_t tolerance_ps,
	struct broken_references *broken, struct error *err)
{
	struct reference_walk r = {.broken = broken};
	const void *next;
	int got = 0;

	*broken = (struct broken_references){0};
	if (references->any && spill_sort(references->sorter, err) != 0)
		return -1;
	while (references->any && (got = spill_next(references->sorter, &next, err)) > 0) {
		const struct reference_record *record = next;

		if (record->kind == REFERENCE_SHARED) {
			if (!r.any || r.first.id != record->id || r.first.group != record->group) {
				end_shared(&r);
				r.any = true;
				r.first = *record;
			}
			r.is_shared |= record->op != r.first.op;
		} else if (record->kind == REFERENCE_RECORD) {
			/* The earliest of an id counts. */
			if (!r.any_recorded || r.recorded_id != record->id ||
				record->time_ps < r.recorded_ps)
				r.recorded_ps = record->time_ps;
			r.any_recorded = true;
			r.recorded_id = record->id;
		} else {
			if (!r.any_recorded || r.recorded_id != record->id ||
				r.recorded_ps - tolerance_ps > record->time_ps)
				note_first(&r.broken->waits, &r.broken->first_wait, record->offset);
		}
	}
	end_shared(&r);
	return got < 0 ? -1 : 0;
}
