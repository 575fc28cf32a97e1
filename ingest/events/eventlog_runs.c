/*
 * Events that come in the order in which they are read again: each lane's one after the other, or
 * several stretches of a lane, each behind the one before. They need no sorting. A packed record is
 * two bytes that say what follows, and of each field what differs from the record before.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/events/eventlog_parts.h"
#include "ingest/events/spill_run.h"

#define STRETCHES_MOST ((size_t)65536)
#define STRETCHES_FEW 1024 /* then they must be long, or sorting is faster */
#define EVENTS_A_STRETCH 64
/* Bytes of a packed record: own ones have 57 at most, damaged ones 63, of which the last 8 are read
 * at once. */
#define PACKED_MOST 65
#define SLACK 8 /* written and read behind it */
#define READ_BYTES ((size_t)256 << 10)

/* Bytes that are written at once to a file: so much stays in a cache of the processor. */
#define WRITE_BYTES ((size_t)256 << 10)

/* Fields of the two bytes: how many bytes start and duration need (4 bits each), the op (3 bits),
 * and whether the others are there. HAS_PLACE: in another byte is how many bytes the link and the
 * slot need (4 bits each), each as the difference to the last one that was there. HAS_LAUNCH: in
 * another byte is how many bytes the time from the launch to the start needs. */
#define DUR_SHIFT 4
#define OP_SHIFT 8
#define HAS_PLACE (1u << 11)
#define HAS_KIND (1u << 12)
#define HAS_BYTES (1u << 13)
#define HAS_LAUNCH (1u << 14)
#define SLOT_SHIFT 4

struct stretch {
	uint32_t lane, number;
	uint64_t offset, bytes;
};

/* State of a lane. */
struct lane_last {
	uint64_t hi, lo, link; /* of the last record that was taken */
	bool any, refused;     /* one was taken, one was not */
	bool works;	       /* one of either is an op that takes time */
};

/* Values of the record before, against which the next one is packed. */
struct before {
	int64_t start_ps;
	uint32_t kind; /* kind, flags, bytes_kind, type */
	uint64_t link, slot;
};

struct lane_runs {
	struct eventlog *log;
	size_t block_bytes;
	unsigned char *block; /* NULL: none as yet */
	size_t used;
	uint64_t offset; /* of block[0] */
	struct spill_disk disk;
	int fd;	      /* -1: all is in the block */
	bool is_full; /* nothing more is taken */
	struct vec stretch;
	struct lane_last *last; /* of each lane */
	size_t last_room, lanes, lanes_most;
	uint64_t events;
	struct before before;
};

struct lane_pass {
	const struct lane_runs *runs;
	size_t next, end_stretch;
	unsigned char *window; /* NULL: all is in the block */
	size_t window_bytes;   /* without what is read behind it */
	const unsigned char *at, *end;
	uint64_t window_end; /* offset in the file behind the window */
	uint64_t left;	     /* bytes of the stretch from `at` on */
	uint32_t lane;	     /* of the stretch */
	struct before before;
	struct log_record record[2];
	unsigned current; /* the other one is the one before */
};

struct lane_runs *lane_runs_new(struct eventlog *log, size_t bytes, size_t lanes_most)
{
	struct lane_runs *r = memory_alloc(sizeof(*r));

	r->log = log;
	r->disk = (struct spill_disk){
		.folder = log->opt.spill_folder ? log->opt.spill_folder : "/tmp",
		.what = "events",
		.max_bytes = log->opt.max_spill_bytes};
	r->block_bytes = bytes < 2 * PACKED_MOST ? 2 * PACKED_MOST : bytes;
	r->fd = -1;
	r->lanes_most = lanes_most;
	vec_init(&r->stretch, sizeof(struct stretch), STRETCHES_MOST, "stretches of events");
	return r;
}

void lane_runs_free(struct lane_runs *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	memory_unmap(r->block, r->block_bytes + PACKED_MOST + SLACK);
	memory_free(r->last);
	vec_release(&r->stretch);
	memory_free(r);
}

uint64_t lane_runs_disk_bytes(const struct lane_runs *r)
{
	return r ? r->disk.most_bytes : 0;
}

/* ---- writing ---- */

static int write_block(struct lane_runs *r, struct error *err)
{
	if (r->fd < 0)
		r->fd = spill_file_open(&r->disk, err);
	if (r->fd < 0 || spill_file_write(&r->disk, r->fd, r->offset, r->block, r->used, err))
		return -1;
	r->offset += r->used;
	r->used = 0;
	return log_check_disk(r->log, err);
}

/* 1: there is one; 0: no more are taken. */
static int begin_stretch(struct lane_runs *r, uint32_t lane, struct error *err)
{
	struct stretch *s;

	if (r->stretch.count == STRETCHES_MOST ||
		(r->stretch.count >= STRETCHES_FEW &&
			r->events < r->stretch.count * EVENTS_A_STRETCH)) {
		r->is_full = true;
		return 0;
	}
	s = vec_push(&r->stretch, err);
	if (!s)
		return -1;
	*s = (struct stretch){
		.lane = lane, .number = (uint32_t)r->stretch.count, .offset = r->offset + r->used};
	r->before = (struct before){.start_ps = -TIME_MOST};
	return 1;
}

static uint32_t kind_of(const struct log_record *record)
{
	return (uint32_t)record->kind | (uint32_t)record->flags << 8 |
	       (uint32_t)record->bytes_kind << 16 | (uint32_t)record->type << 24;
}

static inline unsigned char *put(unsigned char *to, uint64_t value, unsigned bytes)
{
	value = htole64(value);
	memcpy(to, &value, 8);
	return to + bytes;
}

static size_t pack(struct before *before, const struct log_record *record, int64_t start_ps,
	unsigned char *out)
{
	const uint64_t start = (uint64_t)start_ps - (uint64_t)before->start_ps,
		       dur = (uint64_t)record->dur_ps;
	const uint32_t kind = kind_of(record);
	const unsigned start_n = packed_bytes(start), dur_n = packed_bytes(dur),
		       op_n = packed_bytes(record->op);
	unsigned what = start_n | dur_n << DUR_SHIFT | op_n << OP_SHIFT;
	unsigned char *at = out + 2;

	at = put(at, start, start_n);
	at = put(at, dur, dur_n);
	at = put(at, record->op, op_n);
	if (record->link || record->slot != SLOT_BY_TIME) {
		const uint64_t link = packed_zigzag(record->link - before->link),
			       slot = packed_zigzag(record->slot - before->slot);
		const unsigned link_n = packed_bytes(link), slot_n = packed_bytes(slot);

		what |= HAS_PLACE;
		*at++ = (unsigned char)(link_n | slot_n << SLOT_SHIFT);
		at = put(at, link, link_n);
		at = put(at, slot, slot_n);
		before->link = record->link;
		before->slot = record->slot;
	}
	if (kind != before->kind) {
		what |= HAS_KIND;
		at = put(at, kind, 4);
	}
	if (record->bytes) {
		what |= HAS_BYTES;
		at = put(at, (uint64_t)record->bytes, 8);
	}
	if (record->launch_ps != LAUNCH_UNKNOWN) {
		const uint64_t delay =
			packed_zigzag((uint64_t)start_ps - (uint64_t)record->launch_ps);
		const unsigned delay_n = packed_bytes(delay);

		what |= HAS_LAUNCH;
		*at++ = (unsigned char)delay_n;
		at = put(at, delay, delay_n);
	}
	out[0] = (unsigned char)what;
	out[1] = (unsigned char)(what >> 8);
	before->start_ps = start_ps;
	before->kind = kind;
	return (size_t)(at - out);
}

/* True if the record is before the last one. Of equal ones the lower link is first, as they are
 * read. */
static bool is_before(const struct log_record *record, const struct lane_last *last)
{
	if (record->hi != last->hi)
		return record->hi < last->hi;
	return record->lo != last->lo ? record->lo < last->lo : record->link < last->link;
}

static int take(
	struct lane_runs *r, const struct log_record *record, int64_t start_ps, struct error *err)
{
	struct lane_last *last = &r->last[record->lane];
	struct stretch *s;
	size_t size;

	if (r->is_full || is_before(record, last) || (!last->any && r->lanes == r->lanes_most))
		return 0;
	s = r->stretch.count ? (struct stretch *)r->stretch.data + r->stretch.count - 1 : NULL;
	if (!s || s->lane != record->lane) {
		int got = begin_stretch(r, record->lane, err);

		if (got <= 0)
			return got;
		s = (struct stretch *)r->stretch.data + r->stretch.count - 1;
	}
	if (!r->block)
		r->block = memory_map(r->block_bytes + PACKED_MOST + SLACK);
	if (r->used + PACKED_MOST >
		(r->fd < 0 || r->block_bytes < WRITE_BYTES ? r->block_bytes : WRITE_BYTES)) {
		if (r->log->opt.max_spill_bytes == 0) {
			r->is_full = true;
			return 0;
		}
		if (write_block(r, err))
			return -1;
	}
	size = pack(&r->before, record, start_ps, r->block + r->used);
	r->used += size;
	s->bytes += size;
	r->events++;
	last->hi = record->hi;
	last->lo = record->lo;
	last->link = record->link;
	r->lanes += !last->any;
	last->any = true;
	return 1;
}

int lane_runs_add(
	struct lane_runs *r, const struct log_record *record, int64_t start_ps, struct error *err)
{
	int taken;

	r->last = memory_make_room_zeroed(
		r->last, &r->last_room, (size_t)record->lane + 1, sizeof(*r->last));
	taken = take(r, record, start_ps, err);
	if (taken == 0)
		r->last[record->lane].refused = true;
	if (record->kind == EVENT_OP && log_record_lasts(record) > 0)
		r->last[record->lane].works = true;
	return taken;
}

bool lane_runs_have_all(const struct lane_runs *r, uint32_t lane)
{
	return lane >= r->last_room || !r->last[lane].refused;
}

bool lane_runs_have_work(const struct lane_runs *r, uint32_t lane)
{
	return lane < r->last_room && r->last[lane].works;
}

bool lane_runs_have_any(const struct lane_runs *r, uint32_t lane)
{
	return lane < r->last_room && r->last[lane].any;
}

/* ---- reading ---- */

static int compare_stretches(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return ORDER(x->lane, y->lane) ?: ORDER(x->number, y->number);
}

int lane_runs_sort(struct lane_runs *r, struct error *err)
{
	if (r->stretch.count)
		qsort(r->stretch.data, r->stretch.count, sizeof(struct stretch), compare_stretches);
	if (r->fd >= 0 && write_block(r, err))
		return -1;
	if (r->fd >= 0) {
		memory_unmap(r->block, r->block_bytes + PACKED_MOST + SLACK);
		r->block = NULL;
	}
	r->is_full = true;
	return 0;
}

/* The first stretch of this lane or a later one. */
static size_t first_stretch(const struct lane_runs *r, uint32_t lane)
{
	const struct stretch *stretch = r->stretch.data;
	size_t low = 0, high = r->stretch.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (stretch[middle].lane < lane)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct lane_pass *lane_pass_new(const struct lane_runs *r, uint32_t lane)
{
	struct lane_pass *p = memory_alloc(sizeof(*p));

	p->runs = r;
	p->next = lane == LANE_UNKNOWN ? 0 : first_stretch(r, lane);
	p->end_stretch = lane == LANE_UNKNOWN ? r->stretch.count : first_stretch(r, lane + 1);
	if (r->fd < 0)
		return p;
	/* Short ones of many lanes need little. */
	for (size_t i = p->next; i < p->end_stretch && p->window_bytes < READ_BYTES; i++) {
		const uint64_t bytes = ((struct stretch *)vec_at(&r->stretch, i))->bytes;

		if (bytes > p->window_bytes)
			p->window_bytes = bytes < READ_BYTES ? (size_t)bytes : READ_BYTES;
	}
	p->window = memory_alloc(p->window_bytes + PACKED_MOST + SLACK);
	return p;
}

void lane_pass_free(struct lane_pass *p)
{
	if (!p)
		return;
	memory_free(p->window);
	memory_free(p);
}

/* False: these are not the bytes that were written. */
static bool unpack(struct lane_pass *p)
{
	const unsigned char *at = p->at;
	const unsigned what = at[0] | (unsigned)at[1] << 8;
	struct log_record *record = &p->record[p->current ^= 1];

	at += 2;
	p->before.start_ps = (int64_t)((uint64_t)p->before.start_ps + packed_take(&at, what & 15));
	record->dur_ps = (int64_t)packed_take(&at, what >> DUR_SHIFT & 15);
	record->op = (uint32_t)packed_take(&at, what >> OP_SHIFT & 7);
	record->link = 0;
	record->slot = SLOT_BY_TIME;
	if (what & HAS_PLACE) {
		const unsigned sizes = *at++;

		p->before.link += packed_unzigzag(packed_take(&at, sizes & 15));
		p->before.slot += packed_unzigzag(packed_take(&at, sizes >> SLOT_SHIFT));
		record->link = p->before.link;
		record->slot = (uint32_t)p->before.slot;
	}
	if (what & HAS_KIND)
		p->before.kind = (uint32_t)packed_take(&at, 4);
	record->kind = (uint8_t)p->before.kind;
	record->flags = (uint8_t)(p->before.kind >> 8);
	record->bytes_kind = (uint8_t)(p->before.kind >> 16);
	record->type = (uint8_t)(p->before.kind >> 24);
	record->lane = p->lane;
	record->bytes = what & HAS_BYTES ? (int64_t)packed_take(&at, 8) : 0;
	record->launch_ps = LAUNCH_UNKNOWN;
	if (what & HAS_LAUNCH) {
		const unsigned delay_n = *at++;

		record->launch_ps = (int64_t)((uint64_t)p->before.start_ps -
					      packed_unzigzag(packed_take(&at, delay_n & 15)));
	}
	log_record_key(record, p->before.start_ps);
	if ((uint64_t)(at - p->at) > p->left)
		return false;
	p->left -= (uint64_t)(at - p->at);
	p->at = at;
	return true;
}

int lane_pass_next(struct lane_pass *p, const struct log_record **record, struct error *err)
{
	*record = NULL;
	while (p->left == 0) {
		const struct stretch *s;

		if (p->next == p->end_stretch)
			return 0;
		s = vec_at(&p->runs->stretch, p->next++);
		p->left = s->bytes;
		p->before = (struct before){.start_ps = -TIME_MOST};
		p->lane = s->lane;
		p->window_end = s->offset;
		p->at = p->end = p->window;
		if (!p->window) {
			p->at = p->runs->block + s->offset;
			p->end = p->at + s->bytes;
		}
	}
	if ((size_t)(p->end - p->at) < PACKED_MOST && (uint64_t)(p->end - p->at) < p->left) {
		/* More of the stretch into the window, behind what is left of it. */
		const size_t have = (size_t)(p->end - p->at);
		const uint64_t more = p->left - have;
		const size_t want =
			more < p->window_bytes - have ? (size_t)more : p->window_bytes - have;

		if (have)
			memmove(p->window, p->at, have);
		if (spill_file_read(&p->runs->disk, p->runs->fd, p->window_end, p->window + have,
			    want, err))
			return -1;
		p->window_end += want;
		p->at = p->window;
		p->end = p->at + have + want;
	}
	if (!unpack(p))
		return spill_file_damaged(&p->runs->disk, err);
	*record = &p->record[p->current];
	return 1;
}
