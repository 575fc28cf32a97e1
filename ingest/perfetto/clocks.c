/* Clocks 64 to 127 belong to a sequence, the others to the trace. Of each clock the snapshots are
 * kept that relate it to the clock of the trace, in the order of its own time; a time counts from
 * the last one before it. */
#include "ingest/perfetto/clocks.h"

#include "base/memory.h"

#define SNAPSHOTS_MOST ((size_t)1 << 20) /* of a clock; later ones say nothing new for long */
#define CLOCKS_MOST ((size_t)1 << 12)
#define SNAPSHOT_CLOCKS 64

enum pf_snapshot_field { SNAPSHOT_CLOCKS_FIELD = 1, SNAPSHOT_PRIMARY = 2 };

struct clock_relation {
	int64_t own_ns, trace_ns; /* the same moment */
};

struct pf_clock {
	uint32_t sequence, id; /* sequence 0: of the trace */
	bool incremental;
	int64_t unit_ns, now_ns; /* now_ns: of an incremental clock */
	struct clock_relation *relation;
	size_t count, room;
};

struct pf_clocks {
	struct pf_clock *clock;
	size_t count, room, last;
	uint32_t primary;
	bool any; /* there was a snapshot */
};

struct clock_shown { /* by a snapshot */
	uint32_t id;
	bool incremental;
	int64_t unit_ns, time_ns;
};

struct pf_clocks *pf_clocks_new(void)
{
	struct pf_clocks *c = memory_alloc(sizeof(*c));

	c->primary = PF_CLOCK_BOOTTIME;
	return c;
}

void pf_clocks_free(struct pf_clocks *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++)
		memory_free(c->clock[i].relation);
	memory_free(c->clock);
	memory_free(c);
}

static bool is_of_sequence(uint32_t id)
{
	return id >= 64 && id < 128;
}

/* NULL: not known yet. */
static struct pf_clock *find(struct pf_clocks *c, uint32_t sequence, uint32_t id)
{
	const uint32_t owner = is_of_sequence(id) ? sequence : 0;

	if (c->last < c->count && c->clock[c->last].id == id && c->clock[c->last].sequence == owner)
		return &c->clock[c->last];
	for (size_t i = 0; i < c->count; i++)
		if (c->clock[i].id == id && c->clock[i].sequence == owner) {
			c->last = i;
			return &c->clock[i];
		}
	return NULL;
}

static struct pf_clock *find_or_add(struct pf_clocks *c, uint32_t sequence, uint32_t id)
{
	struct pf_clock *clock = find(c, sequence, id);

	if (clock || c->count >= CLOCKS_MOST)
		return clock;
	clock = memory_push(&c->clock, &c->count, &c->room, sizeof(*clock));
	clock->id = id;
	clock->sequence = is_of_sequence(id) ? sequence : 0;
	clock->unit_ns = 1;
	return clock;
}

static bool to_ns(uint64_t time, int64_t unit_ns, int64_t *time_ns)
{
	return time <= INT64_MAX && !__builtin_mul_overflow((int64_t)time, unit_ns, time_ns);
}

/* Time of the trace by the last relation that is not after the own time, else by the first. */
static bool relate(const struct pf_clock *clock, int64_t own_ns, int64_t *trace_ns)
{
	size_t low = 0, high = clock->count;
	int64_t since;

	if (clock->count == 0)
		return false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (clock->relation[middle].own_ns <= own_ns)
			low = middle + 1;
		else
			high = middle;
	}
	low -= low > 0;
	return !__builtin_sub_overflow(own_ns, clock->relation[low].own_ns, &since) &&
	       !__builtin_add_overflow(clock->relation[low].trace_ns, since, trace_ns);
}

static void add_relation(struct pf_clock *clock, int64_t own_ns, int64_t trace_ns)
{
	struct clock_relation *relation;

	if (clock->count >= SNAPSHOTS_MOST ||
		(clock->count > 0 && clock->relation[clock->count - 1].own_ns > own_ns))
		return; /* a clock that went back: what was said before stays */
	relation = memory_push(
		&clock->relation, &clock->count, &clock->room, sizeof(*clock->relation));
	*relation = (struct clock_relation){own_ns, trace_ns};
}

static bool parse_clock(struct pf_bytes bytes, struct clock_shown *shown)
{
	struct clock_fields {
		uint32_t id;
		uint64_t time, incremental, unit;
	} f = {.unit = 1};
	static const struct pf_layout layout = {
		{[1] = {PF_UINT32, offsetof(struct clock_fields, id)},
			[2] = {PF_UINT64, offsetof(struct clock_fields, time)},
			[3] = {PF_UINT64, offsetof(struct clock_fields, incremental)},
			[4] = {PF_UINT64, offsetof(struct clock_fields, unit)}}};
	const bool is_whole = pf_set_members(&f, &layout, bytes);

	*shown = (struct clock_shown){.id = f.id,
		.incremental = f.incremental != 0,
		.unit_ns = f.unit > 0 && f.unit <= 1000000000 ? (int64_t)f.unit : 1};
	return is_whole && to_ns(f.time, shown->unit_ns, &shown->time_ns);
}

/* Time that the clock of the trace shows: its own, or that of a clock already related to it. */
static bool trace_time(struct pf_clocks *c, uint32_t sequence, const struct clock_shown *shown,
	size_t count, int64_t *trace_ns)
{
	for (size_t i = 0; i < count; i++)
		if (shown[i].id == c->primary) {
			*trace_ns = shown[i].time_ns;
			return true;
		}
	for (size_t i = 0; i < count; i++) {
		const struct pf_clock *clock = find(c, sequence, shown[i].id);

		if (clock && !clock->incremental && relate(clock, shown[i].time_ns, trace_ns))
			return true;
	}
	return false;
}

bool pf_clocks_add(struct pf_clocks *c, uint32_t sequence, struct pf_bytes snapshot)
{
	struct clock_shown shown[SNAPSHOT_CLOCKS];
	struct wire w = pf_wire(snapshot);
	struct wire_field f;
	enum wire_result got;
	size_t count = 0;
	int64_t trace_ns;
	bool related;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == SNAPSHOT_PRIMARY && f.type == WIRE_VARINT && !c->any)
			c->primary = (uint32_t)f.value;
		if (f.number != SNAPSHOT_CLOCKS_FIELD || f.type != WIRE_BYTES)
			continue;
		if (count == SNAPSHOT_CLOCKS || !parse_clock(pf_bytes_of(&f), &shown[count]))
			return false;
		count++;
	}
	if (got != WIRE_END)
		return false;
	c->any |= count > 0;
	related = trace_time(c, sequence, shown, count, &trace_ns);
	for (size_t i = 0; i < count; i++) {
		struct pf_clock *clock = find_or_add(c, sequence, shown[i].id);

		if (!clock)
			continue;
		clock->incremental = shown[i].incremental;
		clock->unit_ns = shown[i].unit_ns;
		clock->now_ns = shown[i].time_ns;
		if (related)
			add_relation(clock, shown[i].time_ns, trace_ns);
	}
	return true;
}

int64_t pf_clocks_epoch_ns(const struct pf_clocks *c)
{
	int64_t epoch_ns;

	for (size_t i = 0; i < c->count; i++)
		if (c->clock[i].id == PF_CLOCK_REALTIME && c->clock[i].count > 0 &&
			!__builtin_sub_overflow(c->clock[i].relation[0].own_ns,
				c->clock[i].relation[0].trace_ns, &epoch_ns))
			return epoch_ns;
	return 0;
}

bool pf_clocks_time(
	struct pf_clocks *c, uint32_t sequence, uint32_t id, uint64_t time, int64_t *time_ns)
{
	struct pf_clock *clock;
	int64_t own_ns;

	if (id == c->primary)
		return to_ns(time, 1, time_ns);
	clock = find(c, sequence, id);
	/* A trace without any snapshot has one clock, whatever it is called. */
	if (!clock)
		return !c->any && to_ns(time, 1, time_ns);
	if (!to_ns(time, clock->unit_ns, &own_ns))
		return false;
	if (clock->incremental) {
		if (__builtin_add_overflow(clock->now_ns, own_ns, &own_ns))
			return false;
		clock->now_ns = own_ns;
	}
	return relate(clock, own_ns, time_ns);
}
