/*
 * The text is kept in a temporary file, read as any Chrome trace, and each event kept again as the
 * inside of its packet, with its place and time in a sorter. Then all events are written in order
 * of time: what ends at a time before what begins at it.
 */
#include "timeline/pftrace/pftrace_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output/protobuf_writer.h"
#include "base/temporary_file.h"
#include "base/unit.h"
#include "ingest/chrome/trace_scan.h"
#include "ingest/perfetto/attributes.h"
#include "ingest/reader.h"
#include "timeline/pftrace/pftrace_parts.h"

#define TEXT_BYTES ((size_t)1 << 20)
#define BODY_BYTES ((size_t)16 << 20) /* of the insides of packets in memory */
#define SORT_BYTES ((size_t)16 << 20)
#define RECORD_MOST ((size_t)64 << 20)
#define FLOW_BITS 52
#define NS_PER_US 1000

enum written_attribute_field { ATTRIBUTES_ATTRIBUTE = 1, ATTRIBUTE_KEY = 1, ATTRIBUTE_TEXT = 3 };

static const struct {
	enum issue_severity severity;
	const char *code, *text;
} lost_words[] = {
	[LOST_PHASE] = {ISSUE_LOSS, "pftrace-phase",
		"events of kinds that a Perfetto trace has not (objects, samples, dumps), left "
		"out"},
	[LOST_TIME] = {ISSUE_LOSS, "pftrace-time", "events without a time, left out"},
	[LOST_NEGATIVE] = {ISSUE_LOSS, "pftrace-negative",
		"events before the time 0, where a Perfetto trace begins, left out"},
	[LOST_ROUNDED] = {ISSUE_INFO, "pftrace-rounded",
		"times that are no whole ns, rounded: a Perfetto trace has none"},
	[LOST_OVERLAP] = {ISSUE_LOSS, "pftrace-overlap",
		"slices that overlap with more than 1000 others of their thread, left out"},
	[LOST_FLOW] = {ISSUE_LOSS, "pftrace-flow", "ends of arrows at no slice, left out"},
};

/* Of the key: what is no slice of its own length comes first among the events of a time, in the
 * order of the text; arrows come after the slices they may be of. */
#define LO_IN_ORDER 0
#define LO_FLOW UINT64_MAX

struct pftrace_file *pftrace_file_new(const struct pftrace_options *options)
{
	struct pftrace_file *f = memory_alloc(sizeof(*f));

	f->options = *options;
	f->fd = -1;
	text_init(&f->text);
	text_init(&f->members);
	text_init(&f->body);
	text_init(&f->packet);
	text_init(&f->out);
	f->names = pftrace_names_new();
	f->tracks = pftrace_tracks_new();
	vec_init(&f->ending, sizeof(struct slice_ending), OPEN_MOST, "slices that are open");
	vec_init(&f->now, sizeof(struct now_event), 2 * NOW_MOST, "events of one time");
	return f;
}

void pftrace_free_flows(struct text *flows)
{
	if (!flows)
		return;
	text_release(flows);
	memory_free(flows);
}

void pftrace_file_free(struct pftrace_file *f)
{
	if (!f)
		return;
	if (f->fd >= 0)
		close(f->fd);
	for (size_t i = 0; i < f->lane_count; i++) {
		for (size_t k = 0; k < f->lane[i].layers; k++)
			memory_free(f->lane[i].layer[k].ends_ns);
		memory_free(f->lane[i].layer);
	}
	for (size_t i = 0; i < f->ending.count; i++)
		pftrace_free_flows(((struct slice_ending *)vec_at(&f->ending, i))->flows);
	for (size_t i = 0; i < f->now.count; i++)
		pftrace_free_flows(((struct now_event *)vec_at(&f->now, i))->flows);
	vec_release(&f->ending);
	vec_release(&f->now);
	memory_free(f->lane);
	memory_free(f->scratch);
	text_release(&f->text);
	text_release(&f->members);
	text_release(&f->body);
	text_release(&f->packet);
	text_release(&f->out);
	spool_free(f->bodies);
	spill_free(f->records);
	pftrace_names_free(f->names);
	pftrace_tracks_free(f->tracks);
	memory_free(f);
}

/* ---- the text ---- */

static int file_fail(const struct pftrace_file *f, const char *doing, struct error *err)
{
	const char *folder = f->options.folder ? f->options.folder : "/tmp";

	error_set(err, ERROR_OUTPUT, folder, "cannot %s a temporary file: %s", doing,
		strerror(errno));
	return error_hint(err, "set TMPDIR to a folder that can be written and has room");
}

static int flush_text(struct pftrace_file *f, struct error *err)
{
	if (f->fd < 0)
		f->fd = temporary_file(f->options.folder ? f->options.folder : "/tmp");
	if (f->fd < 0)
		return file_fail(f, "make", err);
	if (temporary_file_write(f->fd, text_string(&f->text), f->text.size, f->size) != 0)
		return file_fail(f, "write", err);
	f->size += f->text.size;
	text_clear(&f->text);
	return 0;
}

void pftrace_file_add(struct pftrace_file *f, const void *bytes, size_t n)
{
	if (f->has_error)
		return;
	text_add_bytes(&f->text, bytes, n);
	if (f->text.size >= TEXT_BYTES)
		f->has_error = flush_text(f, &f->error) != 0;
}

/* ---- the first reading: events become records ---- */

struct lane_layers *pftrace_lane_at(struct pftrace_file *f, uint32_t index)
{
	const size_t old = f->lane_count;

	if (index < old)
		return &f->lane[index];
	f->lane = memory_make_room(f->lane, &f->lane_room, (size_t)index + 1, sizeof(*f->lane));
	memset(f->lane + old, 0, ((size_t)index + 1 - old) * sizeof(*f->lane));
	f->lane_count = (size_t)index + 1;
	return &f->lane[index];
}

/* Nearest ns; false: there is no such time. */
static bool to_ns(struct pftrace_file *f, const struct trace_time *time, int64_t *ns)
{
	if (!time->known || __builtin_mul_overflow(time->us, (int64_t)NS_PER_US, ns) ||
		__builtin_add_overflow(*ns, (time->ps + PS_PER_NS / 2) / PS_PER_NS, ns))
		return false;
	f->lost[LOST_ROUNDED] += time->ps % PS_PER_NS != 0;
	return true;
}

/* The moment in ps, rounded: the end of a slice is not its start and its length rounded apart. */
static bool end_of(const struct trace_event *event, int64_t *ns)
{
	const struct trace_time zero = {0, 0, true},
				*duration = event->duration.known && event->duration.us >= 0
						    ? &event->duration
						    : &zero;
	int64_t us, ps = (int64_t)event->start.ps + duration->ps;

	return !__builtin_add_overflow(event->start.us, duration->us, &us) &&
	       !__builtin_mul_overflow(us, (int64_t)NS_PER_US, ns) &&
	       !__builtin_add_overflow(*ns, (ps + PS_PER_NS / 2) / PS_PER_NS, ns);
}

static int store_record(struct pftrace_file *f, struct pftrace_record *record, struct error *err)
{
	record->body = spool_size(f->bodies);
	record->body_size = (uint32_t)f->body.size;
	if (spool_add(f->bodies, text_string(&f->body), f->body.size, err) != 0)
		return -1;
	return spill_add(f->records, record, err);
}

static int store_counter(struct pftrace_file *f, const struct trace_event *event,
	struct pftrace_record *r, struct error *err)
{
	struct json_member series;
	size_t at = 0;

	r->kind = KIND_COUNTER;
	while (trace_next_arg(event, &at, &series)) {
		int64_t whole;
		double real;
		uint64_t bits;

		text_clear(&f->body);
		if (json_integer(&series.value, &whole)) {
			protobuf_add_number(&f->body, EVENT_COUNTER, (uint64_t)whole);
		} else if (number_parse_real(series.value.at, series.value.size, &real)) {
			memcpy(&bits, &real, sizeof(bits));
			protobuf_add_tag(&f->body, EVENT_COUNTER_REAL, WIRE_FIXED64);
			protobuf_add_fixed(&f->body, bits, 8);
		} else {
			f->lost[LOST_PHASE]++;
			continue;
		}
		r->lane = pftrace_lane_counter(f->tracks, event, &series.key);
		if (r->lane == PFTRACE_LANE_NONE)
			return error_set(
				err, ERROR_LIMIT, f->options.path, "more than 1000000 tracks");
		if (store_record(f, r, err) != 0)
			return -1;
	}
	return 0;
}

/* Arrows of several categories have ids of their own. */
static uint64_t flow_id(struct pftrace_file *f, const struct trace_event *event)
{
	const uint64_t mask = (UINT64_C(1) << FLOW_BITS) - 1;
	const uint64_t category = pftrace_flow_category(f->names, &event->category);
	uint64_t id;

	if (!json_unsigned(&event->id, &id) || id > mask)
		id = intern_hash(event->id.size ? event->id.at : "", event->id.size, 0) & mask;
	return category << FLOW_BITS | id;
}

/* The kind of an event by its phase; false: there is none. */
static bool kind_of(char phase, enum record_kind *kind, bool *is_async)
{
	static const struct {
		const char *phases;
		enum record_kind kind;
		bool is_async;
	} kinds[] = {{"X", KIND_SLICE, false}, {"B", KIND_BEGIN, false}, {"E", KIND_END, false},
		{"iIR", KIND_INSTANT, false}, {"C", KIND_COUNTER, false}, {"st", KIND_FLOW, false},
		{"f", KIND_FLOW_END, false}, {"bS", KIND_BEGIN, true}, {"eF", KIND_END, true},
		{"nTp", KIND_INSTANT, true}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (phase && strchr(kinds[i].phases, phase)) {
			*kind = kinds[i].kind;
			*is_async = kinds[i].is_async;
			return true;
		}
	return false;
}

static int store_event(struct pftrace_file *f, const struct trace_event *event,
	enum record_kind kind, bool is_async, int64_t ns, struct error *err)
{
	struct pftrace_record r = {.hi = (uint64_t)ns, .kind = (uint8_t)kind};
	int64_t end_ns;

	if (kind == KIND_COUNTER)
		return store_counter(f, event, &r, err);
	r.lane = is_async ? pftrace_lane_async(f->tracks, event) : pftrace_lane(f->tracks, event);
	if (r.lane == PFTRACE_LANE_NONE)
		return error_set(err, ERROR_LIMIT, f->options.path, "more than 1000000 tracks");
	text_clear(&f->body);
	if (kind == KIND_FLOW || kind == KIND_FLOW_END) {
		r.lo = LO_FLOW;
		r.body = flow_id(f, event);
		return spill_add(f->records, &r, err);
	}
	if (kind == KIND_SLICE) {
		if (!end_of(event, &end_ns) || end_ns < ns)
			end_ns = ns;
		r.end_ns = (uint64_t)end_ns;
		r.lo = ~(r.end_ns - r.hi);
		pftrace_lane_at(f, r.lane)->has_slices = true;
	}
	pftrace_lane_at(f, r.lane)->has_pairs |= kind == KIND_BEGIN || kind == KIND_END;
	pftrace_add_event(f->names, event, &f->body);
	return store_record(f, &r, err);
}

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	struct pftrace_file *f = context;
	enum record_kind kind;
	bool is_async;
	int64_t ns;

	if (event->phase == 'M') {
		pftrace_name(f->tracks, event);
		return 0;
	}
	if (!kind_of(event->phase, &kind, &is_async)) {
		f->lost[LOST_PHASE]++;
		return 0;
	}
	if (!to_ns(f, &event->start, &ns)) {
		f->lost[LOST_TIME]++;
		return 0;
	}
	if (ns < 0) {
		f->lost[LOST_NEGATIVE]++;
		return 0;
	}
	return store_event(f, event, kind, is_async, ns, err);
}

static void add_attribute(struct pftrace_file *f, const char *prefix, const struct json_value *key,
	const char *text, size_t size)
{
	struct text name, attribute;

	text_init(&name);
	text_init(&attribute);
	text_add(&name, prefix);
	if (key)
		json_add_text(&name, key);
	protobuf_add_bytes(&attribute, ATTRIBUTE_KEY, text_string(&name), name.size);
	protobuf_add_bytes(&attribute, ATTRIBUTE_TEXT, text, size);
	protobuf_add_message(&f->members, ATTRIBUTES_ATTRIBUTE, &attribute);
	text_release(&name);
	text_release(&attribute);
}

static int on_member(void *context, const struct json_member *member, struct error *err)
{
	const size_t quote = member->value.kind == '"';

	(void)err;
	add_attribute(context, PF_ATTRIBUTE_MEMBER, &member->key, member->value.at - quote,
		member->value.size + 2 * quote);
	return 0;
}

static int read_text(struct pftrace_file *f, struct error *err)
{
	const struct trace_handler handler = {.event = on_event,
		.member = on_member,
		.context = f,
		.member_bytes = RECORD_MOST / 2};
	struct arena *arena;
	struct issue_list ignored; /* it is text of our own */
	struct trace_totals totals;
	struct probe probe;
	struct error unknown;
	struct input *in;
	int fd = dup(f->fd), status;

	if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
		return file_fail(f, "read", err);
	in = input_descriptor(fd, f->options.path, err);
	if (!in)
		return -1;
	arena = arena_new();
	issue_list_init(&ignored, arena);
	status = probe_input(in, &probe, err);
	if (status == 0) {
		const struct reader *reader = reader_detect(&probe, &unknown);

		if (reader)
			add_attribute(
				f, PF_ATTRIBUTE_READER, NULL, reader->name, strlen(reader->name));
		status = trace_scan(in, &handler, &ignored, RECORD_MOST, &totals, err);
	}
	arena_free(arena);
	input_close(in);
	return status;
}

static void report(struct pftrace_file *f)
{
	for (size_t i = 0; f->options.issues && i < LOST_KINDS; i++)
		if (f->lost[i])
			issue_add(f->options.issues, lost_words[i].severity, lost_words[i].code,
				lost_words[i].text, f->lost[i], f->options.path);
}

int pftrace_file_finish(struct pftrace_file *f,
	void (*write)(void *to, const void *bytes, size_t n), void *to, struct error *err)
{
	const struct spool_options bodies = {.memory_bytes = BODY_BYTES,
		.folder = f->options.folder,
		.max_disk_bytes = f->options.max_disk_bytes,
		.what = "events"};
	const struct spill_options records = {.record_bytes = sizeof(struct pftrace_record),
		.buffer_bytes = f->options.sort_bytes ? f->options.sort_bytes : SORT_BYTES,
		.folder = f->options.folder,
		.max_disk_bytes = f->options.max_disk_bytes,
		.what = "events"};

	if (!f->has_error)
		f->has_error = flush_text(f, &f->error) != 0;
	if (f->has_error) {
		*err = f->error;
		return -1;
	}
	f->write = write;
	f->to = to;
	f->bodies = spool_new(&bodies);
	f->records = spill_new(&records);
	if (read_text(f, err) != 0 || pftrace_write_packets(f, err) != 0)
		return -1;
	report(f);
	return 0;
}
