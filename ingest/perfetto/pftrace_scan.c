/* Conversion of packets to events: names, clocks and tracks are resolved, slices paired, and each
 * slice that a viewer would draw becomes one event. */
#include "ingest/perfetto/pftrace_scan.h"

#include <inttypes.h>
#include <string.h>
#include "base/arena.h"
#include "base/intern.h"
#include "base/memory.h"
#include "ingest/perfetto/clocks.h"
#include "ingest/perfetto/ftrace.h"
#include "ingest/perfetto/packet.h"
#include "ingest/perfetto/packets.h"
#include "ingest/perfetto/producer.h"
#include "ingest/perfetto/sequences.h"
#include "ingest/perfetto/slices.h"
#include "ingest/perfetto/stages.h"
#include "ingest/perfetto/tracks.h"

#define FLOWS_MOST ((size_t)1 << 20) /* arrows whose beginning is known */
#define NS_PER_US 1000

enum pftrace_lost {
	LOST_STATE,
	LOST_CLOCK,
	LOST_TIME,
	LOST_NAMES,
	LOST_TRACK,
	LOST_LEGACY,
	LOST_ARGS,
	LOST_ARROWS,
	LOST_GPU_COUNTERS,
	LOST_BUNDLE,
	LOST_BUFFER,
	LOST_PRINT,
	LOST_KINDS
};

static const struct {
	enum issue_severity severity;
	const char *code, *text;
} lost_words[] = {
	[LOST_STATE] = {ISSUE_LOSS, "perfetto-state",
		"packets that refer to names of packets that are lost, left out"},
	[LOST_CLOCK] = {ISSUE_LOSS, "perfetto-clock",
		"events of a clock that no snapshot relates to that of the trace, left out"},
	[LOST_TIME] = {ISSUE_LOSS, "perfetto-time",
		"events without a time, or longer than 64 bits of ns, left out"},
	[LOST_NAMES] = {ISSUE_LOSS, "perfetto-names", "names (InternedData) that are damaged"},
	[LOST_TRACK] = {ISSUE_LOSS, "perfetto-track", "descriptions of tracks that are damaged"},
	[LOST_LEGACY] = {ISSUE_LOSS, "perfetto-legacy",
		"events of the old kind (legacy_event), left out"},
	[LOST_ARGS] = {ISSUE_LOSS, "perfetto-args",
		"events with more than 65536 args, or with more than 32 inside of each other, of "
		"which the rest is left out"},
	[LOST_ARROWS] = {ISSUE_LOSS, "perfetto-arrows",
		"ends of arrows that may be their beginnings: there are more than 1048576 arrows"},
	[LOST_GPU_COUNTERS] = {ISSUE_INFO, "perfetto-gpu-counters",
		"values of counters of devices (GpuCounterEvent), left out"},
	[LOST_BUNDLE] = {ISSUE_LOSS, "ftrace-damaged",
		"bundles of the kernel's events (ftrace) that are damaged"},
	[LOST_BUFFER] = {ISSUE_LOSS, "ftrace-lost",
		"times at which the kernel's buffer (ftrace) was full and lost events: record with "
		"a larger buffer_size_kb"},
	[LOST_PRINT] = {ISSUE_INFO, "ftrace-print",
		"texts in the kernel's trace (ftrace print) that are of no program, left out"},
};

struct pftrace {
	const struct trace_handler *handler;
	struct issue_list *issues;
	struct trace_totals *totals;
	const char *path;
	struct pf_packets *packets;
	struct pf_sequences *sequences;
	struct pf_clocks *clocks;
	struct pf_tracks *tracks;
	struct pf_slices *slices;
	struct pf_prints *prints;
	struct pf_stages *stages;
	struct pf_args *args;
	struct arena *arena;
	struct intern *flows; /* ids of arrows that have begun */
	bool is_pytorch, several_processes;
	struct pf_lost lost[LOST_KINDS];
};

/* ---- issues ---- */

static void count_lost(struct pftrace *p, enum pftrace_lost kind, uint64_t count, uint64_t offset)
{
	if (count > 0 && p->lost[kind].count == 0)
		p->lost[kind].offset = offset;
	p->lost[kind].count += count;
}

static void report(struct pftrace *p, enum issue_severity severity, const char *code,
	const char *text, const struct pf_lost *lost)
{
	char place[512];

	if (lost->count == 0)
		return;
	error_place_offset(place, sizeof(place), p->path, lost->offset);
	issue_add(p->issues, severity, code, text, (size_t)lost->count, place);
}

static void report_all(struct pftrace *p, const struct pf_slices_lost *slices)
{
	const struct pf_packets_lost *packets = pf_packets_lost(p->packets);
	const struct pf_lost damaged = {packets->damaged, packets->damaged_offset},
			     zstd = {packets->zstd, packets->zstd_offset},
			     cut = {packets->is_cut, packets->cut_offset};

	for (size_t i = 0; i < LOST_KINDS; i++)
		report(p, lost_words[i].severity, lost_words[i].code, lost_words[i].text,
			&p->lost[i]);
	report(p, ISSUE_ERROR, "perfetto-damaged",
		"places that are no packets, or packets longer than max-record, left out",
		&damaged);
	report(p, ISSUE_ERROR, "perfetto-zstd",
		"packets packed with zstd, left out: record without compression, or with zlib",
		&zstd);
	report(p, ISSUE_LOSS, "trace-cut",
		"the file ends inside a packet, which is lost, with all that would follow", &cut);
	report(p, ISSUE_LOSS, "slice-open", "slices that begin and do not end, left out",
		&slices->open);
	report(p, ISSUE_LOSS, "slice-end", "ends of slices that did not begin, left out",
		&slices->stray);
	report(p, ISSUE_LOSS, "slice-order",
		"events of tracks that are out of order, more than 64 MiB of them, left out",
		&slices->sorted);
}

/* ---- events ---- */

static struct json_value word(const char *text)
{
	return (struct json_value){text, strlen(text), '"'};
}

static struct trace_time time_of(int64_t ns)
{
	int64_t us = ns / NS_PER_US, rest = ns % NS_PER_US;

	if (rest < 0) {
		us--;
		rest += NS_PER_US;
	}
	return (struct trace_time){us, (int32_t)rest * NS_PER_US, true};
}

static int hand_over(struct pftrace *p, struct trace_event *event, struct error *err)
{
	int status;

	event->source = pf_args_source(p->args);
	pf_args_set_event(p->args, event);
	p->totals->events++;
	status = p->handler->event(p->handler->context, event, err);
	count_lost(p, LOST_ARGS, pf_args_are_cut(p->args), event->offset);
	return status;
}

/* process_name or thread_name. */
static int name_lane(struct pftrace *p, const char *what, const struct json_value *process,
	const struct json_value *thread, const struct json_value *name, struct error *err)
{
	const struct json_value key = word("name");
	struct trace_event event = {
		.phase = 'M', .name = word(what), .process = *process, .thread = *thread};

	pf_args_begin(p->args);
	pf_args_add_text(p->args, &key, name);
	event.source = pf_args_source(p->args);
	pf_args_set_event(p->args, &event);
	return p->handler->event(p->handler->context, &event, err);
}

static int check_tracks(struct pftrace *p, struct error *err)
{
	if (!pf_tracks_is_full(p->tracks))
		return 0;
	return error_set(err, ERROR_LIMIT, p->path, "names of tracks that take more than 256 MiB");
}

/* The names of a track that was described, or is met first. */
static int name_track(struct pftrace *p, uint32_t index, struct error *err)
{
	const struct pf_track *track;
	const struct json_value none = {.at = "", .kind = '"'};
	bool is_process;

	pf_tracks_lane(p->tracks, index);
	if (check_tracks(p, err) != 0)
		return -1;
	track = pf_tracks_at(p->tracks, index);
	if (track->name.kind == 0 || track->is_counter || track->is_overlap || track->is_async)
		return 0;
	is_process = track->is_process || (!track->is_thread && track->thread.size == 0);
	if (!is_process)
		return name_lane(
			p, "thread_name", &track->process, &track->thread, &track->name, err);
	/* A process that is known by its name may have another one to be shown. */
	return name_lane(p, "process_name", &track->process, &none,
		track->is_process || track->description.kind == 0 ? &track->name
								  : &track->description,
		err);
}

static int set_lane(struct pftrace *p, uint32_t index, struct trace_event *event, struct error *err)
{
	const struct pf_track *track = pf_tracks_at(p->tracks, index);

	if (!track->has_lane) {
		if (name_track(p, index, err) != 0)
			return -1;
		track = pf_tracks_at(p->tracks, index);
	}
	event->process = track->process;
	event->thread = track->thread;
	return 0;
}

/* ---- arrows ---- */

/* The first slice of an arrow begins it. */
static bool is_new_flow(struct pftrace *p, uint64_t id, uint64_t offset)
{
	uint32_t known;

	if (intern_find(p->flows, (const char *)&id, sizeof(id), &known))
		return false;
	if (intern_count(p->flows) >= FLOWS_MOST) {
		count_lost(p, LOST_ARROWS, 1, offset);
		return false;
	}
	intern_id(p->flows, (const char *)&id, sizeof(id));
	return true;
}

static int add_flows(struct pftrace *p, const struct trace_event *slice, const struct pf_half *half,
	struct error *err)
{
	struct pf_flows flows = pf_track_event_flows(half->event);
	struct pf_flow flow;

	if (p->handler->without_arrows || !(half->has & PF_HAS_FLOWS))
		return 0;
	while (pf_flows_next(&flows, &flow)) {
		char phase = flow.ends ? 'f' : is_new_flow(p, flow.id, slice->offset) ? 's' : 't';
		uint64_t id = flow.id;
		struct trace_event event = {.phase = phase,
			.name = word("flow"),
			.category = word("flow"),
			.process = slice->process,
			.thread = slice->thread,
			.start = slice->start,
			.offset = slice->offset};
		const char *digits;

		pf_args_begin(p->args);
		digits = arena_printf(pf_args_arena(p->args), "%" PRIu64, id);
		event.id = (struct json_value){digits, strlen(digits), '0'};
		if (hand_over(p, &event, err) != 0)
			return -1;
	}
	return 0;
}

/* ---- slices ---- */

static void name_event(struct pftrace *p, const struct pf_half *half, struct trace_event *event)
{
	if (half->has & PF_HAS_PLAIN_NAME)
		event->name = pf_json_string(half->event, pf_args_arena(p->args));
	else if (half->has & PF_HAS_NAME)
		event->name =
			pf_json_string(pf_track_event_name(half->event), pf_args_arena(p->args));
	else if (half->name_iid)
		event->name = pf_name(half->names, PF_EVENT_NAME, half->name_iid);
	if (half->has & PF_HAS_CATEGORY)
		event->category = pf_json_string(
			pf_track_event_category(half->event), pf_args_arena(p->args));
	else if (half->category_iid)
		event->category = pf_name(half->names, PF_CATEGORY, half->category_iid);
}

/* Name, category, args. */
static void begin_event(struct pftrace *p, const struct pf_half *half, struct trace_event *event)
{
	pf_args_begin(p->args);
	if (half->has & PF_HAS_ARGS)
		pf_args_add_annotations(p->args, half->event, half->names);
	name_event(p, half, event);
}

/* Work beside threads has its track's number as its id. */
static void set_async_id(struct pftrace *p, const struct pf_half *begin, struct trace_event *event)
{
	const char *digits = arena_printf(
		pf_args_arena(p->args), "%" PRIu64, pf_tracks_at(p->tracks, begin->track)->uuid);

	event->thread = (struct json_value){0};
	event->id = (struct json_value){digits, strlen(digits), '0'};
}

static int on_slice(
	void *context, const struct pf_half *begin, const struct pf_half *end, struct error *err)
{
	struct pftrace *p = context;
	struct trace_event event = {.phase = 'X', .offset = begin->offset};
	const struct pf_track *track;
	int64_t dur_ns;

	if (__builtin_sub_overflow(end->time_ns, begin->time_ns, &dur_ns)) {
		count_lost(p, LOST_TIME, 1, begin->offset);
		return 0;
	}
	if (set_lane(p, begin->track, &event, err) != 0)
		return -1;
	begin_event(p, begin, &event);
	if (end->has & PF_HAS_ARGS)
		pf_args_add_annotations(p->args, end->event, end->names);
	track = pf_tracks_at(p->tracks, begin->track);
	if (p->is_pytorch && event.category.kind == 0)
		event.category = pf_pytorch_category(p->args, &event.name, &track->name);
	event.start = time_of(begin->time_ns);
	if (track->is_async) {
		event.phase = 'b';
		set_async_id(p, begin, &event);
	} else {
		event.duration = time_of(dur_ns);
	}
	if (hand_over(p, &event, err) != 0 || add_flows(p, &event, begin, err) != 0)
		return -1;
	event.start = time_of(end->time_ns);
	if (event.phase == 'b') {
		/* End of work that is no time of a thread. */
		event.phase = 'e';
		event.duration = (struct trace_time){0};
		pf_args_begin(p->args);
		name_event(p, begin, &event);
		set_async_id(p, begin, &event);
		if (hand_over(p, &event, err) != 0)
			return -1;
	}
	return add_flows(p, &event, end, err);
}

static int on_instant(struct pftrace *p, const struct pf_half *half, struct error *err)
{
	struct trace_event event = {
		.phase = 'i', .offset = half->offset, .start = time_of(half->time_ns)};

	if (set_lane(p, half->track, &event, err) != 0)
		return -1;
	begin_event(p, half, &event);
	return hand_over(p, &event, err) != 0 ? -1 : add_flows(p, &event, half, err);
}

static int on_counter(struct pftrace *p, const struct pf_half *half,
	const struct pf_track_event *from, struct error *err)
{
	struct trace_event event = {
		.phase = 'C', .offset = half->offset, .start = time_of(half->time_ns)};
	const struct pf_track *track;
	double real;

	if (set_lane(p, half->track, &event, err) != 0)
		return -1;
	track = pf_tracks_at(p->tracks, half->track);
	event.thread = (struct json_value){0};
	pf_args_begin(p->args);
	name_event(p, half, &event);
	if (event.name.kind == 0)
		event.name = track->name;
	memcpy(&real, &from->value, sizeof(real));
	if (from->has & PF_HAS_REAL)
		pf_args_add_real(p->args, track->unit, real);
	else
		pf_args_add_number(p->args, track->unit, (int64_t)from->value);
	return hand_over(p, &event, err);
}

/* ---- packets ---- */

static int take_event(struct pftrace *p, const struct pf_packet *packet,
	const struct pf_sequence *sequence, struct pf_half *half, struct error *err)
{
	struct pf_track_event event;

	half->event = packet->event;
	half->names = sequence->names;
	if (!pf_track_event_parse(packet->event, &event)) {
		count_lost(p, LOST_TRACK, 1, half->offset);
		return 0;
	}
	half->name_iid = event.name_iid;
	half->category_iid = event.category_iid;
	half->has = event.has;

	uint64_t uuid = event.has & PF_HAS_TRACK ? event.track_uuid
			: sequence->has_track	 ? sequence->track_uuid
						 : pf_tracks_uuid_of_sequence(sequence->id);

	half->track = pf_tracks_find(p->tracks, uuid);
	if (half->track == PF_TRACK_NONE)
		return error_set(err, ERROR_LIMIT, p->path, "more than 1000000 tracks");
	switch (event.type) {
	case PF_SLICE_BEGIN:
		return pf_slices_begin(p->slices, sequence->number, half, err);
	case PF_SLICE_END:
		return pf_slices_end(p->slices, sequence->number, half, err);
	case PF_INSTANT:
		return on_instant(p, half, err);
	case PF_COUNTER:
		return on_counter(p, half, &event, err);
	default:
		count_lost(p, LOST_LEGACY, 1, half->offset);
		return 0;
	}
}

/* A print that is no slice: a counter, an instant, one end of work beside the threads. */
static int on_print(struct pftrace *p, const struct pf_print *print, int64_t time_ns,
	uint64_t offset, struct error *err)
{
	struct trace_event event = {
		.phase = print->phase, .offset = offset, .start = time_of(time_ns)};
	const uint32_t track = pf_tracks_of_thread(p->tracks, print->process, print->thread);

	if (track == PF_TRACK_NONE)
		return error_set(err, ERROR_LIMIT, p->path, "more than 1000000 tracks");
	if (set_lane(p, track, &event, err) != 0)
		return -1;
	pf_args_begin(p->args);
	event.name = pf_json_string(print->name, pf_args_arena(p->args));
	if (print->phase == 'S' || print->phase == 'F')
		event.id = pf_json_string(print->id, pf_args_arena(p->args));
	if (print->phase == 'C')
		pf_args_add_number(p->args, "value", print->value);
	if (print->phase != 'i')
		event.thread = (struct json_value){0};
	return hand_over(p, &event, err);
}

static int take_ftrace(
	struct pftrace *p, const struct pf_packet *packet, uint64_t offset, struct error *err)
{
	struct pf_bundle bundle = pf_bundle_open(packet->ftrace);
	struct pf_print print;
	int64_t time_ns;
	int status = 0;

	count_lost(p, LOST_BUFFER, bundle.has_lost, offset);
	while (status == 0 && pf_bundle_next(&bundle, &print)) {
		if (!print.phase)
			count_lost(p, LOST_PRINT, 1, offset);
		else if (!pf_clocks_time(
				 p->clocks, packet->sequence, bundle.clock, print.time, &time_ns))
			count_lost(p, LOST_CLOCK, 1, offset);
		else if (print.phase == 'B' || print.phase == 'E')
			status = pf_prints_add(p->prints, &print, time_ns, offset, err);
		else
			status = on_print(p, &print, time_ns, offset, err);
	}
	count_lost(p, LOST_BUNDLE, bundle.is_damaged, offset);
	return status;
}

/* Perfetto's SDK numbers the track of a process by a hash of when it began; others count tracks. */
static void note_process(struct pftrace *p, const struct pf_track *track)
{
	struct trace_totals *totals = p->totals;

	if (!track->is_process || !track->pid)
		return;
	p->several_processes |= totals->process && totals->process != track->pid;
	totals->process = track->pid;
	totals->process_key = track->uuid > UINT32_MAX && !p->several_processes ? track->uuid : 0;
}

static int describe(
	struct pftrace *p, const struct pf_packet *packet, uint64_t offset, struct error *err)
{
	const uint64_t own = pf_tracks_uuid_of_sequence(packet->sequence);
	uint32_t track;

	if (packet->track.at)
		track = pf_tracks_describe(p->tracks, packet->track);
	else if (packet->process.at)
		track = pf_tracks_describe_process(p->tracks, packet->process);
	else if (packet->thread.at)
		track = pf_tracks_describe_thread(p->tracks, own, packet->thread);
	else
		return 0;
	count_lost(p, LOST_TRACK, track == PF_TRACK_NONE, offset);
	if (track == PF_TRACK_NONE)
		return 0;
	if (packet->track.at)
		note_process(p, pf_tracks_at(p->tracks, track));
	if (pf_tracks_at(p->tracks, track)->is_process || pf_tracks_at(p->tracks, track)->is_thread)
		return name_track(p, track, err);
	return check_tracks(p, err);
}

static int take_timed(struct pftrace *p, const struct pf_packet *packet,
	const struct pf_sequence *sequence, uint64_t offset, struct error *err)
{
	struct pf_half half = {.offset = offset};
	const bool is_event = packet->event.at || packet->stage.at;
	const uint32_t clock = packet->has_clock     ? packet->clock
			       : sequence->has_clock ? sequence->clock
						     : PF_CLOCK_BOOTTIME;

	if (is_event && packet->flags & PF_NEEDS && !sequence->is_valid) {
		count_lost(p, LOST_STATE, 1, offset);
		return 0;
	}
	if (!packet->has_time) {
		count_lost(p, LOST_TIME, is_event, offset);
		return 0;
	}
	if (!pf_clocks_time(p->clocks, packet->sequence, clock, packet->time, &half.time_ns)) {
		count_lost(p, LOST_CLOCK, is_event, offset);
		return 0;
	}
	if (packet->event.at)
		return take_event(p, packet, sequence, &half, err);
	if (!packet->stage.at)
		return 0;

	struct trace_event event = {
		.phase = 'X', .offset = half.offset, .start = time_of(half.time_ns)};

	pf_args_begin(p->args);
	if (!pf_stage_event(p->stages, packet->stage, sequence->names, p->args, &event)) {
		count_lost(p, LOST_TRACK, 1, half.offset);
		return 0;
	}
	return hand_over(p, &event, err);
}

static int take_packet(
	struct pftrace *p, const struct pf_packet *packet, uint64_t offset, struct error *err)
{
	size_t lost;
	const struct pf_sequence *sequence = pf_sequences_take(p->sequences, packet, &lost);

	if (!sequence)
		return error_set(
			err, ERROR_LIMIT, p->path, "more than 1000000 sequences of packets");
	count_lost(p, LOST_NAMES, lost, offset);
	count_lost(p, LOST_GPU_COUNTERS, packet->gpu_counters.at != NULL, offset);
	if (!p->is_pytorch && !packet->event.at) {
		const char *reader = pf_reader_of(packet);

		p->is_pytorch = reader && strcmp(reader, "kineto") == 0;
	}
	if (packet->clocks.at && !pf_clocks_add(p->clocks, packet->sequence, packet->clocks))
		count_lost(p, LOST_CLOCK, 1, offset);
	if (describe(p, packet, offset, err) != 0)
		return -1;
	if (packet->attributes.at && p->handler->member &&
		pf_attributes_each(packet->attributes, p->handler, pf_args_arena(p->args),
			&p->totals->long_members, err) != 0)
		return -1;
	if (packet->ftrace.at)
		return take_ftrace(p, packet, offset, err);
	return take_timed(p, packet, sequence, offset, err);
}

static void add_lost(struct pf_lost *to, const struct pf_lost *more)
{
	if (more->count > 0 && (to->count == 0 || more->offset < to->offset))
		to->offset = more->offset;
	to->count += more->count;
}

static int scan_all(struct pftrace *p, struct error *err)
{
	struct pf_slices_lost slices, prints;
	struct pf_packet packet;
	uint64_t offset;
	int got;

	while ((got = pf_packets_next(p->packets, &packet, &offset, err)) > 0)
		if (take_packet(p, &packet, offset, err) != 0)
			return -1;
	if (got < 0 || pf_slices_finish(p->slices, &slices, err) != 0 ||
		pf_prints_finish(p->prints, &prints, err) != 0)
		return -1;
	add_lost(&slices.open, &prints.open);
	add_lost(&slices.stray, &prints.stray);
	add_lost(&slices.sorted, &prints.sorted);
	p->totals->is_closed = true;
	p->totals->epoch_ns = pf_clocks_epoch_ns(p->clocks);
	p->totals->damaged = pf_packets_lost(p->packets)->damaged;
	report_all(p, &slices);
	return 0;
}

int pftrace_scan(struct input *in, const struct trace_handler *handler, struct issue_list *issues,
	size_t max_record_bytes, struct trace_totals *totals, struct error *err)
{
	struct pftrace p = {.handler = handler,
		.issues = issues,
		.totals = totals,
		.path = input_path(in),
		.packets = pf_packets_new(in, max_record_bytes),
		.sequences = pf_sequences_new(),
		.clocks = pf_clocks_new(),
		.tracks = pf_tracks_new(),
		.stages = pf_stages_new(),
		.args = pf_args_new(),
		.arena = arena_new()};
	const struct pf_slices_options options = {.slice = on_slice,
		.context = &p,
		.path = p.path,
		.folder = handler->spill_folder,
		.max_disk_bytes = handler->max_spill_bytes};
	int status;

	*totals = (struct trace_totals){0};
	p.slices = pf_slices_new(&options);
	p.prints = pf_prints_new(&options, p.tracks);
	p.flows = intern_new(p.arena);
	status = scan_all(&p, err);
	if (status == 0)
		input_report_tail(in, issues);
	pf_slices_free(p.slices);
	pf_prints_free(p.prints);
	pf_packets_free(p.packets);
	pf_sequences_free(p.sequences);
	pf_clocks_free(p.clocks);
	pf_tracks_free(p.tracks);
	pf_stages_free(p.stages);
	pf_args_free(p.args);
	arena_free(p.arena);
	return status;
}
