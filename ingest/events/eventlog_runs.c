/* Events that come in the order in which they are read again: those of a lane one after the other,
 * whatever lanes do meanwhile. They need no sorting. A packed record is two bytes that say what
 * follows, and of each field what differs from the record before. */
#include <string.h>
#include "base/memory.h"
#include "base/packed_number.h"
#include "ingest/events/eventlog_parts.h"

/* Fields of the two bytes: how many bytes start and duration need (4 bits each), the op (3 bits),
 * and whether the others are there. HAS_PLACE: in another byte is how many bytes the link and the
 * slot need (4 bits each), each as the difference to the last one that was there. HAS_LAUNCH: in
 * another byte is how many bytes the time from the launch to the start and the lane of the launch
 * need, in the same way. A record has 60 bytes at most, a damaged one 71. */
#define DUR_SHIFT 4
#define OP_SHIFT 8
#define HAS_PLACE (1u << 11)
#define HAS_KIND (1u << 12)
#define HAS_BYTES (1u << 13)
#define HAS_LAUNCH (1u << 14)
#define SLOT_SHIFT 4
#define LAUNCH_LANE_SHIFT 4

/* Bytes between two cuts, at least, as a part of the buffer of all sorters: 128 KiB of 32 MiB; by
 * link 64 KiB, of which some are read for nothing at the beginning of each range. */
#define CUTS_A_BUFFER 256
#define LINK_CUTS_A_BUFFER 512

/* Values of the record before, against which the next one is packed. */
struct before {
	int64_t start_ps;
	uint32_t what; /* type, flags, bytes_kind, kind */
	uint64_t link, slot, launch_lane;
};
static const struct before before_first = {.start_ps = -TIME_MOST};

/* State of a lane. */
struct lane_last {
	struct before before;
	/* Last record that was taken. */
	int64_t start_ps, dur_ps;
	uint64_t link;
	bool is_around;
	int64_t open_ps;   /* the last end of all: what starts then, or later, is in nothing */
	bool any, refused; /* one was taken, one was not */
	bool works;	   /* one of either is an op that takes time */
	unsigned flags;	   /* of all of either */
};

struct lane_runs {
	struct eventlog *log;
	struct byte_runs bytes;
	uint64_t cut_bytes;
	bool by_link;		/* the order is that of links, then of starts */
	bool is_full;		/* nothing more is taken */
	struct lane_last *last; /* of each lane */
	size_t last_room, lanes, lanes_most;
	struct lane_runs *adopted; /* what lane_runs_adopt has added; a list */
};

struct lane_runs *lane_runs_new(
	struct eventlog *log, size_t buffer_bytes, bool by_link, size_t lanes_most)
{
	struct lane_runs *r = memory_alloc(sizeof(*r));

	r->log = log;
	r->cut_bytes = log->opt.buffer_bytes / (by_link ? LINK_CUTS_A_BUFFER : CUTS_A_BUFFER);
	r->by_link = by_link;
	r->lanes_most = lanes_most;
	byte_runs_init(&r->bytes, &(struct spool_options){buffer_bytes, log->opt.spill_folder,
					  log->opt.max_spill_bytes, "events"});
	return r;
}

struct lane_runs *lane_runs_fork(const struct lane_runs *r, struct eventlog *log)
{
	struct lane_runs *fork =
		lane_runs_new(log, log->opt.buffer_bytes / 8, r->by_link, r->lanes_most);
	struct byte_runs *bytes = &fork->bytes;

	fork->cut_bytes = r->cut_bytes;
	fork->is_full = r->is_full;
	fork->lanes = r->lanes;
	fork->last =
		memory_make_room_zeroed(NULL, &fork->last_room, r->last_room, sizeof(*fork->last));
	bytes->source = memory_make_room_zeroed(
		NULL, &bytes->source_room, r->last_room, sizeof(*bytes->source));
	for (size_t i = 0; i < r->last_room; i++) {
		fork->last[i] = r->last[i];
		fork->last[i].before = before_first;
	}
	return fork;
}

void lane_runs_free(struct lane_runs *r)
{
	while (r) {
		struct lane_runs *adopted = r->adopted;

		byte_runs_release(&r->bytes);
		memory_free(r->last);
		memory_free(r);
		r = adopted;
	}
}

uint64_t lane_runs_disk_bytes(const struct lane_runs *r)
{
	uint64_t bytes = 0;

	for (; r; r = r->adopted)
		bytes += r->bytes.spool.written;
	return bytes;
}

/* ---- writing ---- */

static inline uint32_t what_of(const struct log_record *record)
{
	uint32_t what;

	memcpy(&what, (const char *)record + offsetof(struct log_record, type), sizeof(what));
	return what;
}

static inline unsigned char *put(unsigned char *to, uint64_t value, unsigned bytes)
{
	value = little_64(value);
	memcpy(to, &value, 8);
	return to + bytes;
}

/* Returns where the packed record ends. */
static inline unsigned char *pack(
	struct before *before, const struct log_record *record, unsigned char *out)
{
	const uint64_t start = (uint64_t)record->start_ps - (uint64_t)before->start_ps,
		       dur = (uint64_t)record->dur_ps;
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
	if (what_of(record) != before->what) {
		what |= HAS_KIND;
		at = put(at, what_of(record), 4);
	}
	if (record->bytes) {
		what |= HAS_BYTES;
		at = put(at, (uint64_t)record->bytes, 8);
	}
	if (record->launch_ps != LAUNCH_UNKNOWN) {
		const uint64_t delay =
			packed_zigzag((uint64_t)record->start_ps - (uint64_t)record->launch_ps);
		const uint64_t lane = packed_zigzag(record->launch_lane - before->launch_lane);
		const unsigned delay_n = packed_bytes(delay), lane_n = packed_bytes(lane);

		what |= HAS_LAUNCH;
		*at++ = (unsigned char)(delay_n | lane_n << LAUNCH_LANE_SHIFT);
		at = put(at, delay, delay_n);
		at = put(at, lane, lane_n);
		before->launch_lane = record->launch_lane;
	}
	out[0] = (unsigned char)what;
	out[1] = (unsigned char)(what >> 8);
	before->start_ps = record->start_ps;
	before->what = what_of(record);
	return at;
}

/* True if the record, which starts with the last one, is before it. Of equal ones the lower link is
 * first, as they are read. */
static bool is_before_equal(const struct log_record *record, const struct lane_last *last)
{
	const uint64_t dur = log_rounded_dur(record->dur_ps),
		       last_dur = log_rounded_dur(last->dur_ps);
	const bool is_around = record->flags & EVENT_AROUND;

	if (dur != last_dur)
		return dur > last_dur;
	return is_around != last->is_around ? is_around : record->link < last->link;
}

static inline bool is_before(
	const struct lane_runs *r, const struct log_record *record, const struct lane_last *last)
{
	if (!last->any)
		return r->lanes == r->lanes_most;
	if (r->by_link && record->link != last->link)
		return record->link < last->link;
	if (record->start_ps != last->start_ps)
		return record->start_ps < last->start_ps;
	return !r->by_link && is_before_equal(record, last);
}

/* As byte_runs_make_room. */
static int make_room(struct lane_runs *r, uint32_t lane, struct error *err)
{
	const int got = byte_runs_make_room(&r->bytes, lane, err);

	r->is_full |= got == 0 && r->bytes.source[lane].chunk;
	return got > 0 && log_check_disk(r->log, err) ? -1 : got;
}

/* Nothing of the lane is open: the next record may be the first of a cut. */
static int cut(struct lane_runs *r, struct lane_last *last, uint32_t lane, struct error *err)
{
	const int got = byte_runs_cut(&r->bytes, lane, err);

	if (got > 0)
		last->before = before_first;
	return got;
}

/* True if nothing before the record says anything of it. */
static inline bool is_apart(
	const struct lane_runs *r, const struct log_record *record, const struct lane_last *last)
{
	return r->by_link ? record->link != last->link
			  : record->start_ps >= last->open_ps && record->start_ps > last->start_ps;
}

static inline int take(struct lane_runs *r, struct lane_last *last, const struct log_record *record,
	struct error *err)
{
	const uint32_t lane = record->lane;
	struct byte_source *source;
	int got = 1;

	if (r->is_full || is_before(r, record, last))
		return 0;

	const bool cuts = last->any && is_apart(r, record, last) &&
			  byte_source_since_cut(&r->bytes.source[lane]) >= r->cut_bytes;

	if (cuts)
		got = cut(r, last, lane, err);
	if (got > 0 && !byte_runs_has_room(&r->bytes, lane))
		got = make_room(r, lane, err);
	if (got <= 0)
		return got;
	source = &r->bytes.source[lane];
	if (cuts || !last->any)
		source->key = r->by_link ? record->link : key_of(record->start_ps);
	if (!last->any) {
		r->lanes++;
		last->any = true;
		last->before = before_first;
		last->open_ps = INT64_MIN;
	}
	source->at = pack(&last->before, record, source->at);
	last->start_ps = record->start_ps;
	last->dur_ps = record->dur_ps;
	last->link = record->link;
	last->is_around = record->flags & EVENT_AROUND;
	if (record->start_ps + record->dur_ps > last->open_ps)
		last->open_ps = record->start_ps + record->dur_ps;
	return 1;
}

int lane_runs_add(struct lane_runs *r, const struct log_record *record, struct error *err)
{
	struct lane_last *last;
	int taken;

	r->last = memory_make_room_zeroed(
		r->last, &r->last_room, (size_t)record->lane + 1, sizeof(*r->last));
	last = &r->last[record->lane];
	taken = take(r, last, record, err);
	last->refused |= taken == 0;
	last->flags |= record->flags;
	if (!last->works)
		last->works = record->kind == EVENT_OP && log_record_lasts(record) > 0;
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

bool lane_runs_have_longer(const struct lane_runs *r, uint32_t lane)
{
	return lane < r->last_room && r->last[lane].flags & EVENT_NESTS;
}

bool lane_runs_have_any(const struct lane_runs *r, uint32_t lane)
{
	return lane < r->last_room && r->last[lane].any;
}

int lane_runs_sort(struct lane_runs *r, struct error *err)
{
	r->is_full = true;
	return byte_runs_end(&r->bytes, err);
}

/* ---- reading ---- */

/* The stretches of a lane. */
static struct lane_part part_of(const struct lane_runs *r, uint32_t lane)
{
	return (struct lane_part){.lane = lane,
		.first = byte_runs_first(&r->bytes, lane),
		.last = byte_runs_first(&r->bytes, lane + 1)};
}

struct lane_pass {
	struct byte_pass bytes;
	uint32_t lane; /* of the stretch */
	struct before before;
	struct log_record record[2];
	unsigned current; /* the other one is the one before */
};

bool lane_runs_are_one(const struct lane_runs *r, uint32_t lane)
{
	return !r->by_link &&
	       (lanes_of(r->log)[lane].serial || r->last[lane].flags & EVENT_LAUNCHED);
}

void lane_runs_add_parts(const struct lane_runs *r, uint32_t lane, struct lane_parts *parts)
{
	const struct lane_part all = part_of(r, lane);
	const bool is_one = lane_runs_are_one(r, lane);
	struct lane_part *part = NULL;

	for (const struct stretch *stretch = all.first; stretch < all.last; stretch++) {
		if (!part || (stretch->is_cut && !is_one)) {
			part = memory_push(
				&parts->part, &parts->count, &parts->room, sizeof(*part));
			part->lane = lane;
			part->first = stretch;
		}
		part->last = stretch + 1;
		part->bytes += stretch->bytes;
		parts->bytes += stretch->bytes;
	}
}

struct lane_pass *lane_pass_of(const struct lane_runs *r, const struct lane_part *part)
{
	struct lane_pass *p = memory_alloc(sizeof(*p));

	byte_pass_init(&p->bytes, &r->bytes, part->first, part->last);
	return p;
}

struct lane_pass *lane_pass_new(const struct lane_runs *r, uint32_t lane)
{
	const struct lane_part all = part_of(r, lane);

	return lane_pass_of(r, &all);
}

struct lane_pass *lane_pass_from(const struct lane_runs *r, uint32_t lane, uint64_t key)
{
	struct lane_part part = part_of(r, lane);

	for (const struct stretch *i = part.first; i < part.last; i++)
		if (i->is_cut && i->key <= key)
			part.first = i;
	return lane_pass_of(r, &part);
}

void lane_pass_free(struct lane_pass *p)
{
	if (p)
		byte_pass_release(&p->bytes);
	memory_free(p);
}

/* Returns where the packed record ends. */
static inline const unsigned char *unpack(
	struct before *before, struct log_record *record, const unsigned char *at)
{
	const unsigned what = at[0] | (unsigned)at[1] << 8;

	at += 2;
	before->start_ps = (int64_t)((uint64_t)before->start_ps + packed_take(&at, what & 15));
	record->start_ps = before->start_ps;
	record->dur_ps = (int64_t)packed_take(&at, what >> DUR_SHIFT & 15);
	record->op = (uint32_t)packed_take(&at, what >> OP_SHIFT & 7);
	record->link = 0;
	record->slot = SLOT_BY_TIME;
	if (what & HAS_PLACE) {
		const unsigned sizes = *at++;

		before->link += packed_unzigzag(packed_take(&at, sizes & 15));
		before->slot += packed_unzigzag(packed_take(&at, sizes >> SLOT_SHIFT));
		record->link = before->link;
		record->slot = (uint32_t)before->slot;
	}
	if (what & HAS_KIND)
		before->what = (uint32_t)packed_take(&at, 4);
	memcpy((char *)record + offsetof(struct log_record, type), &before->what,
		sizeof(before->what));
	record->bytes = what & HAS_BYTES ? (int64_t)packed_take(&at, 8) : 0;
	record->launch_ps = LAUNCH_UNKNOWN;
	if (what & HAS_LAUNCH) {
		const unsigned sizes = *at++;

		record->launch_ps = (int64_t)((uint64_t)before->start_ps -
					      packed_unzigzag(packed_take(&at, sizes & 15)));
		before->launch_lane +=
			packed_unzigzag(packed_take(&at, sizes >> LAUNCH_LANE_SHIFT));
		record->launch_lane = before->launch_lane;
	}
	return at;
}

int lane_pass_next(struct lane_pass *p, const struct log_record **record, struct error *err)
{
	struct log_record *to;
	const struct stretch *begun;
	const int got = byte_pass_next(&p->bytes, &begun, err);

	*record = NULL;
	if (got <= 0)
		return got;
	if (begun && begun->is_cut)
		p->before = before_first;
	to = &p->record[p->current ^= 1];
	if (begun)
		p->lane = begun->source;
	to->lane = p->lane;
	if (byte_pass_over(&p->bytes, unpack(&p->before, to, p->bytes.bytes.at), err))
		return -1;
	*record = to;
	return 1;
}

int lane_part_start(const struct lane_runs *r, const struct lane_part *part, int64_t *start_ps,
	struct error *err)
{
	struct lane_pass *pass = lane_pass_of(r, part);
	const struct log_record *first;
	const int got = lane_pass_next(pass, &first, err);

	*start_ps = got > 0 ? first->start_ps : INT64_MAX;
	lane_pass_free(pass);
	return got < 0 ? -1 : 0;
}

/* Adds what a fork has of a lane, one by one. */
static int add_each(
	struct eventlog *log, const struct lane_runs *fork, uint32_t lane, struct error *err)
{
	struct lane_pass *pass = lane_pass_new(fork, lane);
	const struct log_record *record;
	int got;

	while ((got = lane_pass_next(pass, &record, err)) > 0) {
		struct log_record moved = *record;

		if (log_add_event(log, &moved, err)) {
			got = -1;
			break;
		}
	}
	lane_pass_free(pass);
	return got;
}

/* Events of a lane that the fork has go on behind the last one here. */
static int adopt_lane(
	struct lane_runs *r, const struct lane_runs *fork, uint32_t lane, struct error *err)
{
	const struct lane_part part = part_of(fork, lane);
	struct lane_last *last = &r->last[lane];
	const struct lane_last *from = &fork->last[lane];
	struct lane_pass *pass;
	const struct log_record *first;
	bool is_late;

	last->refused |= from->refused;
	last->works |= from->works;
	last->flags |= from->flags;
	if (part.first == part.last)
		return 0;
	pass = lane_pass_of(fork, &part);
	is_late = lane_pass_next(pass, &first, err) > 0 && is_before(r, first, last);
	lane_pass_free(pass);
	if (is_late)
		return add_each(r->log, fork, lane, err);
	if (byte_runs_adopt(
		    &r->bytes, lane, &fork->bytes, last->any ? key_of(last->open_ps) : 0, err))
		return -1;
	r->lanes += !last->any;
	*last = (struct lane_last){.before = before_first,
		.start_ps = from->start_ps,
		.dur_ps = from->dur_ps,
		.link = from->link,
		.is_around = from->is_around,
		.open_ps =
			last->any && last->open_ps > from->open_ps ? last->open_ps : from->open_ps,
		.any = true,
		.refused = last->refused,
		.works = last->works,
		.flags = last->flags};
	return 0;
}

int lane_runs_adopt(struct lane_runs *r, struct lane_runs *fork, struct error *err)
{
	struct lane_runs **end = &r->adopted;
	int result = 0;

	r->last =
		memory_make_room_zeroed(r->last, &r->last_room, fork->last_room, sizeof(*r->last));
	for (uint32_t i = 0; i < fork->last_room && result == 0; i++)
		result = adopt_lane(r, fork, i, err);
	while (*end)
		end = &(*end)->adopted;
	*end = fork;
	fork->log = r->log;
	return result;
}
