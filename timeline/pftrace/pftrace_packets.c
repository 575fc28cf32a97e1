/*
 * Records become packets in order of time: what ends at a time before what begins at it. The events
 * of one time are held until all of them are known, since arrows come after their slices.
 */
#include "base/memory.h"
#include "base/output/protobuf_writer.h"
#include "timeline/pftrace/pftrace_parts.h"

#define FLUSH_BYTES ((size_t)256 << 10)
#define PAIRS_LAYER (PFTRACE_LAYERS - 1)

enum written_packet_field {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_FLAGS = 13,
	PACKET_ATTRIBUTES = 126,
};
enum { TRACE_PACKET = 1, NEEDS = 2 };
enum written_type { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };

/* ---- packets ---- */

static void flush_out(struct pftrace_file *f, size_t above)
{
	if (f->out.size <= above)
		return;
	f->write(f->to, text_string(&f->out), f->out.size);
	text_clear(&f->out);
}

/* The event in f->body, complete but for its kind and its track. */
static void write_event(
	struct pftrace_file *f, uint64_t ns, enum written_type type, uint32_t lane, uint32_t layer)
{
	pftrace_describe(f->tracks, lane, layer, &f->out);
	protobuf_add_number(&f->body, EVENT_TYPE, type);
	protobuf_add_number(&f->body, EVENT_TRACK, pftrace_track(lane, layer));
	protobuf_add_number(&f->packet, PACKET_TIMESTAMP, ns);
	protobuf_add_number(&f->packet, PACKET_SEQUENCE, PFTRACE_SEQUENCE);
	protobuf_add_number(&f->packet, PACKET_FLAGS, NEEDS);
	protobuf_add_message(&f->packet, PACKET_EVENT, &f->body);
	protobuf_add_message(&f->out, TRACE_PACKET, &f->packet);
	flush_out(f, FLUSH_BYTES);
}

static int write_now(struct pftrace_file *f, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < f->now.count; i++) {
		struct now_event *n = vec_at(&f->now, i);
		struct lane_layers *lane = pftrace_lane_at(f, n->lane);

		lane->now = lane->ended = 0;
		text_clear(&f->body);
		f->scratch = memory_make_room(f->scratch, &f->scratch_room, n->body_size, 1);
		if (status == 0)
			status = spool_read(f->bodies, n->body, f->scratch, n->body_size, err);
		text_add_bytes(&f->body, f->scratch, n->body_size);
		if (n->flows)
			text_add_bytes(&f->body, text_string(n->flows), n->flows->size);
		pftrace_free_flows(n->flows);
		n->flows = NULL;
		if (status == 0)
			write_event(f, f->now_ns, (enum written_type)n->type, n->lane, n->layer);
	}
	vec_clear(&f->now);
	return status;
}

/* ---- open slices ---- */

static bool ends_before(const struct slice_ending *a, const struct slice_ending *b)
{
	/* Of slices that end together the inner one began later. */
	return a->end_ns != b->end_ns ? a->end_ns < b->end_ns : a->order > b->order;
}

static struct slice_ending *ending_at(const struct pftrace_file *f, size_t i)
{
	return vec_at(&f->ending, i);
}

static void swap_endings(struct pftrace_file *f, size_t a, size_t b)
{
	struct slice_ending kept = *ending_at(f, a);

	*ending_at(f, a) = *ending_at(f, b);
	*ending_at(f, b) = kept;
}

static int push_ending(struct pftrace_file *f, const struct slice_ending *ending, struct error *err)
{
	struct slice_ending *e = vec_push(&f->ending, err);

	if (!e)
		return -1;
	*e = *ending;
	for (size_t i = f->ending.count - 1; i > 0; i = (i - 1) / 2) {
		if (!ends_before(ending_at(f, i), ending_at(f, (i - 1) / 2)))
			break;
		swap_endings(f, i, (i - 1) / 2);
	}
	return 0;
}

static void pop_ending(struct pftrace_file *f)
{
	size_t i = 0;

	*ending_at(f, 0) = *ending_at(f, f->ending.count - 1);
	f->ending.count--;
	for (;;) {
		size_t least = i;

		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < f->ending.count; k++)
			if (ends_before(ending_at(f, k), ending_at(f, least)))
				least = k;
		if (least == i)
			return;
		swap_endings(f, i, least);
		i = least;
	}
}

/* The next end of a slice that is open: of an earlier time it is written, of this one held. */
static int end_next(struct pftrace_file *f, uint64_t ns, struct error *err)
{
	const struct slice_ending e = *ending_at(f, 0);
	struct now_event *n;

	if (e.end_ns == ns && f->now.count < NOW_MOST) {
		n = vec_push(&f->now, err);
		if (!n)
			return -1;
		*n = (struct now_event){
			.lane = e.lane, .layer = e.layer, .type = TYPE_END, .flows = e.flows};
		f->lane[e.lane].ended = f->now.count;
	} else {
		text_clear(&f->body);
		if (e.flows)
			text_add_bytes(&f->body, text_string(e.flows), e.flows->size);
		pftrace_free_flows(e.flows);
		write_event(f, e.end_ns, TYPE_END, e.lane, e.layer);
	}
	f->lane[e.lane].layer[e.layer].count--;
	pop_ending(f);
	return 0;
}

/* The ends until a time, that one included. */
static int end_until(struct pftrace_file *f, uint64_t ns, struct error *err)
{
	while (f->ending.count > 0 && ending_at(f, 0)->end_ns <= ns)
		if (end_next(f, ns, err) != 0)
			return -1;
	return 0;
}

/* The first layer of the lane in which the slice is within what is open; PFTRACE_LAYERS: there is
 * none. */
static uint32_t layer_of(struct lane_layers *lane, uint64_t end_ns)
{
	uint32_t i = 0;

	while (i < lane->layers && lane->layer[i].count > 0 &&
		lane->layer[i].ends_ns[lane->layer[i].count - 1] < end_ns)
		i++;
	if (i < lane->layers)
		return i;
	if (i >= PAIRS_LAYER)
		return PFTRACE_LAYERS;
	memory_push(&lane->layer, &lane->layers, &lane->room, sizeof(*lane->layer));
	return i;
}

static int add_now(struct pftrace_file *f, const struct pftrace_record *r, uint32_t layer,
	enum written_type type, struct error *err)
{
	struct now_event *n = vec_push(&f->now, err);

	if (!n)
		return -1;
	*n = (struct now_event){.body = r->body,
		.body_size = r->body_size,
		.lane = r->lane,
		.layer = layer,
		.type = type};
	return 0;
}

static int begin_slice(struct pftrace_file *f, const struct pftrace_record *r, struct error *err)
{
	struct lane_layers *lane = pftrace_lane_at(f, r->lane);
	const uint32_t layer = layer_of(lane, r->end_ns);
	const struct slice_ending ending = {
		.end_ns = r->end_ns, .order = ++f->order, .lane = r->lane, .layer = layer};
	struct lane_layer *l;

	if (layer == PFTRACE_LAYERS) {
		f->lost[LOST_OVERLAP]++;
		return 0;
	}
	if (add_now(f, r, layer, TYPE_BEGIN, err) != 0)
		return -1;
	lane->now = f->now.count;
	/* One without a length ends before the next on its track begins. */
	if (r->end_ns == r->hi) {
		const struct pftrace_record end = {.lane = r->lane};

		return add_now(f, &end, layer, TYPE_END, err);
	}
	l = &lane->layer[layer];
	l->ends_ns = memory_make_room(l->ends_ns, &l->room, l->count + 1, sizeof(*l->ends_ns));
	l->ends_ns[l->count++] = r->end_ns;
	return push_ending(f, &ending, err);
}

/* ---- arrows ---- */

static void add_flow(struct text **flows, const struct pftrace_record *r)
{
	if (!*flows) {
		*flows = memory_alloc(sizeof(**flows));
		text_init(*flows);
	}
	protobuf_add_tag(
		*flows, r->kind == KIND_FLOW ? EVENT_FLOWS : EVENT_FLOWS_END, WIRE_FIXED64);
	protobuf_add_fixed(*flows, r->body, 8);
}

/* The innermost slice that is open on the lane: it ends first. */
static struct slice_ending *innermost(struct pftrace_file *f, uint32_t lane)
{
	struct slice_ending *found = NULL;

	for (size_t i = 0; i < f->ending.count; i++) {
		struct slice_ending *e = ending_at(f, i);

		if (e->lane == lane && (!found || ends_before(e, found)))
			found = e;
	}
	return found;
}

/* An arrow is at the slice that begins at its time, or that ends, else at the one around that. */
static void take_flow(struct pftrace_file *f, const struct pftrace_record *r)
{
	struct lane_layers *lane = pftrace_lane_at(f, r->lane);
	const size_t now = lane->now ? lane->now : lane->ended;
	struct slice_ending *around;

	if (now) {
		add_flow(&((struct now_event *)vec_at(&f->now, now - 1))->flows, r);
		return;
	}
	around = innermost(f, r->lane);
	if (around)
		add_flow(&around->flows, r);
	else
		f->lost[LOST_FLOW]++;
}

/* ---- the second reading: records become packets ---- */

static uint32_t pairs_layer(struct pftrace_file *f, uint32_t lane)
{
	return pftrace_lane_at(f, lane)->has_slices ? PAIRS_LAYER : 0;
}

static int take_record(struct pftrace_file *f, const struct pftrace_record *r, struct error *err)
{
	if (r->hi != f->now_ns || f->now.count >= NOW_MOST) {
		if (write_now(f, err) != 0)
			return -1;
		f->now_ns = r->hi;
		if (end_until(f, r->hi, err) != 0)
			return -1;
	}
	switch ((enum record_kind)r->kind) {
	case KIND_SLICE:
		return begin_slice(f, r, err);
	case KIND_BEGIN:
		pftrace_lane_at(f, r->lane)->now = f->now.count + 1;
		return add_now(f, r, pairs_layer(f, r->lane), TYPE_BEGIN, err);
	case KIND_END:
		return add_now(f, r, pairs_layer(f, r->lane), TYPE_END, err);
	case KIND_INSTANT:
		return add_now(f, r, 0, TYPE_INSTANT, err);
	case KIND_COUNTER:
		return add_now(f, r, 0, TYPE_COUNTER, err);
	case KIND_FLOW:
	case KIND_FLOW_END:
	default:
		take_flow(f, r);
		return 0;
	}
}

int pftrace_write_packets(struct pftrace_file *f, struct error *err)
{
	const void *record;
	size_t at = 0;
	bool more;
	int got;

	if (f->members.size > 0) {
		protobuf_add_message(&f->packet, PACKET_ATTRIBUTES, &f->members);
		protobuf_add_message(&f->out, TRACE_PACKET, &f->packet);
	}
	do {
		more = pftrace_add_names(f->names, &at, &f->out);
		flush_out(f, FLUSH_BYTES);
	} while (more);
	if (spill_sort(f->records, err) != 0)
		return -1;
	while ((got = spill_next(f->records, &record, err)) > 0)
		if (take_record(f, record, err) != 0)
			return -1;
	if (got < 0 || write_now(f, err) != 0 || end_until(f, UINT64_MAX, err) != 0)
		return -1;
	f->now_ns = UINT64_MAX;
	if (write_now(f, err) != 0)
		return -1;
	flush_out(f, 0);
	return 0;
}
