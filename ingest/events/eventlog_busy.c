/*
 * Busy time of each step: the union of the stretches of all lanes. Those of a lane come in order of
 * start and are kept as few bytes; in the end all lanes are read side by side.
 */
#include <endian.h>
#include <string.h>
#include "base/memory.h"
#include "ingest/events/eventlog_sweep.h"

/* Lanes that are kept so; what further ones have is sorted. */
#define LANES_KEPT 256
/* Sixteenths of the buffer: what launches were sorted in is free by now. */
#define KEPT_SHARE 4
#define SORTER_SHARE 1

/* A packed stretch: how many bytes start and length need (4 bits each), the start as the difference
 * to the one before, the length; in front of it, where the slot is another one, a byte and the
 * slot.
 */
#define LENGTH_SHIFT 4
#define IS_SLOT 0xf0
#define SLOT_BYTES 4

void log_init_busy(struct eventlog *log)
{
	byte_runs_init(&log->busy.kept,
		&(struct byte_runs_options){log->opt.buffer_bytes / 16 * KEPT_SHARE,
			log->opt.spill_folder, log->opt.max_spill_bytes, "events"});
	log->busy.lane = LANE_UNKNOWN;
	log->busy.kept_lanes = 0;
}

void log_release_busy(struct eventlog *log)
{
	byte_runs_release(&log->busy.kept);
	spill_free(log->busy.sorter);
	log->busy.sorter = NULL;
}

static int sort_stretch(struct eventlog *log, const struct busy_record *record, struct error *err)
{
	if (!log->busy.sorter)
		log->busy.sorter = log_sorter(log, sizeof(*record), SORTER_SHARE);
	return spill_add(log->busy.sorter, record, err);
}

static unsigned char *put(unsigned char *to, uint64_t value, unsigned bytes)
{
	value = htole64(value);
	memcpy(to, &value, 8);
	return to + bytes;
}

int log_add_busy(
	struct eventlog *log, uint32_t lane, const struct busy_record *record, struct error *err)
{
	struct busy_stretches *busy = &log->busy;
	const uint64_t start = record->start - busy->before.start,
		       length = (uint64_t)(record->end_ps - value_of(record->start));
	const unsigned start_n = packed_bytes(start), length_n = packed_bytes(length);
	unsigned char *at;
	int got = 1;

	if (lane != busy->lane) {
		busy->lane = lane;
		busy->kept_lanes++;
		busy->before = (struct busy_record){.slot = SLOT_NONE};
		return log_add_busy(log, lane, record, err);
	}
	if (busy->kept_lanes > LANES_KEPT)
		return sort_stretch(log, record, err);
	if (!byte_runs_has_room(&busy->kept, busy->kept_lanes))
		got = byte_runs_make_room(&busy->kept, busy->kept_lanes, err);
	if (got <= 0)
		return got ? -1 : sort_stretch(log, record, err);
	at = busy->kept.source[busy->kept_lanes].at;
	if (record->slot != busy->before.slot) {
		*at++ = IS_SLOT;
		at = put(at, record->slot, SLOT_BYTES);
	}
	*at++ = (unsigned char)(start_n | length_n << LENGTH_SHIFT);
	at = put(at, start, start_n);
	busy->kept.source[busy->kept_lanes].at = put(at, length, length_n);
	busy->before = *record;
	return 0;
}

/* ---- the union ---- */

/* A lane, or a sorter. */
struct busy_source {
	struct byte_pass pass;
	struct spill *sorter; /* NULL: the pass */
	struct busy_record next;
};

/* 1: source->next is the next stretch; 0; -1. */
static int advance(struct busy_source *source, struct error *err)
{
	struct busy_record *next = &source->next;
	const struct stretch *begun;
	const unsigned char *at;
	const void *sorted;
	unsigned sizes;
	int got;

	if (source->sorter) {
		got = spill_next(source->sorter, &sorted, err);
		if (got > 0)
			*next = *(const struct busy_record *)sorted;
		return got;
	}
	got = byte_pass_next(&source->pass, &begun, err);
	if (got <= 0)
		return got;
	at = source->pass.at;
	if (*at == IS_SLOT) {
		at++;
		next->slot = packed_take(&at, SLOT_BYTES);
	}
	sizes = *at++;
	next->start += packed_take(&at, sizes & 15);
	next->end_ps = value_of(next->start) + (int64_t)packed_take(&at, sizes >> LENGTH_SHIFT);
	return byte_pass_over(&source->pass, at, err) ? -1 : 1;
}

/* All sources as a heap: the one whose next stretch starts first is on top. */
struct busy_heap {
	struct busy_source **source;
	size_t count;
};

static void sink(struct busy_heap *heap, size_t at)
{
	struct busy_source *const moved = heap->source[at];

	for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
		if (child + 1 < heap->count &&
			heap->source[child + 1]->next.start < heap->source[child]->next.start)
			child++;
		if (moved->next.start <= heap->source[child]->next.start)
			break;
		heap->source[at] = heap->source[child];
	}
	heap->source[at] = moved;
}

static int add_source(struct busy_heap *heap, struct busy_source *source, struct error *err)
{
	const int got = advance(source, err);

	if (got > 0)
		heap->source[heap->count++] = source;
	return got < 0 ? -1 : 0;
}

/* Adds what is not covered before to the slots. `until_ps`: up to there each slot is covered. */
static int unite(struct eventlog *log, struct busy_heap *heap, struct error *err)
{
	int64_t *until_ps = memory_alloc(memory_product(log->mark.count, sizeof(*until_ps)));
	int got = 1;

	for (size_t i = 0; i < log->mark.count; i++)
		until_ps[i] = INT64_MIN;
	for (size_t i = heap->count; i-- > 0;)
		sink(heap, i);
	while (heap->count && got >= 0) {
		struct busy_source *first = heap->source[0];
		const struct busy_record *next = &first->next;
		int64_t from_ps = value_of(next->start), *until = &until_ps[next->slot];

		from_ps = from_ps > *until ? from_ps : *until;
		if (next->end_ps > from_ps) {
			slots_of(log)[next->slot].busy_ps += next->end_ps - from_ps;
			*until = next->end_ps;
		}
		got = advance(first, err);
		if (got == 0)
			heap->source[0] = heap->source[--heap->count];
		if (heap->count)
			sink(heap, 0);
	}
	memory_free(until_ps);
	return got < 0 ? -1 : 0;
}

/* The lanes of a log, and its sorter. */
static int add_sources(struct eventlog *log, struct busy_heap *heap, struct busy_source *source,
	size_t *count, struct error *err)
{
	struct busy_stretches *busy = &log->busy;

	if (byte_runs_end(&busy->kept, err) || (busy->sorter && spill_sort(busy->sorter, err)) ||
		log_check_disk(log, err))
		return -1;
	for (uint32_t i = 1; i <= busy->kept_lanes && i <= LANES_KEPT; i++) {
		struct busy_source *lane = &source[(*count)++];

		byte_pass_init(&lane->pass, &busy->kept, byte_runs_first(&busy->kept, i),
			byte_runs_first(&busy->kept, i + 1));
		if (add_source(heap, lane, err))
			return -1;
	}
	source[*count].sorter = busy->sorter;
	return busy->sorter ? add_source(heap, &source[(*count)++], err) : 0;
}

int log_measure_busy(
	struct eventlog *log, struct eventlog *const *fork, size_t forks, struct error *err)
{
	const size_t most = (forks + 1) * (LANES_KEPT + 1);
	struct busy_source *source = memory_alloc(memory_product(most, sizeof(*source)));
	struct busy_heap heap = {memory_alloc(memory_product(most, sizeof(*heap.source))), 0};
	size_t count = 0;
	int result = add_sources(log, &heap, source, &count, err);

	for (size_t i = 0; i < forks && result == 0; i++)
		result = add_sources(fork[i], &heap, source, &count, err);
	if (result == 0)
		result = unite(log, &heap, err);
	for (size_t i = 0; i < count; i++)
		byte_pass_release(&source[i].pass);
	memory_free(source);
	memory_free(heap.source);
	return result;
}
