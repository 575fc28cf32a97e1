/*
 * The walk over the events of a line. Most of the time of reading is spent here: an event is looked
 * at once, where it lies in the window; what its name means is known by its id after the first of
 * them.
 */
#include "ingest/xplane/line_events.h"

#include <string.h>
#include "base/number.h"
#include "ingest/trace/host_words.h"
#include "ingest/xplane/stat_text.h"

#define WHAT "an event"
#define TIME_MOST_PS (INT64_C(1) << 60) /* sums of some of them fit */
#define HEAD_MOST 11			/* tag and length of an event */

#define FIELD(number, type) ((uint64_t)(number) << 3 | (type))

/* Stats of events that hand work to another thread, and of those that take it over. */
#define HANDED_ROLES                                                                               \
	(1u << ROLE_PRODUCER_TYPE | 1u << ROLE_PRODUCER | 1u << ROLE_CONSUMER_TYPE |               \
		1u << ROLE_CONSUMER)
#define HANDED_COUNT (ROLE_CONSUMER - ROLE_PRODUCER_TYPE + 1)

/* One event, and the values in its own stats. */
struct xevent {
	struct plane *plane;
	struct event_meta *meta;
	struct wire bytes;
	const unsigned char *readable_end; /* of the memory behind it: not before bytes.end */
	uint64_t at;			   /* in the file */
	uint32_t lane;
	int64_t offset_ps, start_ps, dur_ps;
	unsigned seen; /* bits of roles */
	struct stat_value value[ROLE_COUNT];
	/* Stats of HANDED_ROLES as bytes: each op of XLA on a CPU has some, and they are not
	 * used. */
	struct wire handed[HANDED_COUNT];
};

struct line_walk {
	struct xplane_reader *r;
	struct plane *plane;
	const struct xline *line;
	uint32_t lane;
	int64_t zero_ps; /* of the line */
	bool is_steps, is_modules, has_marker;
	struct xevent event;
	size_t passed[XLA_PASSED_COUNT];
};

unsigned line_events_wanted(bool is_device)
{
	const unsigned device = 1u << ROLE_HLO_OP | 1u << ROLE_CATEGORY | 1u << ROLE_CORRELATION |
				1u << ROLE_STEP_NUM | 1u << ROLE_STEP_NAME | 1u << ROLE_GROUP |
				1u << ROLE_DEVICE_DURATION | 1u << ROLE_CONSUMER_TYPE |
				1u << ROLE_CONSUMER,
		       host = 1u << ROLE_HLO_OP | 1u << ROLE_CORRELATION | 1u << ROLE_STEP_NUM |
			      1u << ROLE_GRAPH_TYPE | 1u << ROLE_REQUESTED_BYTES |
			      1u << ROLE_TF_OP | 1u << ROLE_START_TIME | 1u << ROLE_PROCESS |
			      HANDED_ROLES;

	return is_device ? device : host;
}

/* ---- one event ---- */

static bool has(const struct xevent *e, enum stat_role role)
{
	return e->seen >> role & 1;
}

/* A whole number that fits; of a text too, as some writers have it. */
static bool integer_of(const struct xevent *e, enum stat_role role, int64_t *number)
{
	const struct stat_value *value = &e->value[role];

	if (!has(e, role))
		return false;
	if (value->kind == VALUE_TEXT)
		return number_parse_int(value->text.at, value->text.size, number);
	*number = (int64_t)value->bits;
	return value->kind == VALUE_INTEGER && (*number >= 0 || !value->is_unsigned);
}

static bool text_value(const struct xevent *e, enum stat_role role, struct xla_text *text)
{
	if (!has(e, role) || e->value[role].kind != VALUE_TEXT || e->value[role].text.size == 0)
		return false;
	*text = e->value[role].text;
	return true;
}

static uint64_t correlation_of(const struct xevent *e)
{
	int64_t id;

	return integer_of(e, ROLE_CORRELATION, &id) ? (uint64_t)id : 0;
}

static int place_mark(const struct xevent *e, struct xla_mark *mark)
{
	mark->lane = e->lane;
	mark->start_ps = e->start_ps;
	return number_add(e->start_ps, e->dur_ps, &mark->end_ps);
}

/* Finds the op of the event: of its own name, or of this one. */
static uint32_t op_of(struct xplane_reader *r, const struct xevent *e, struct xla_text name,
	struct xla_text type, uint8_t *event_type)
{
	text_clear(&r->scratch);
	if (trace_requests_has_name(r->asked)) {
		struct named_stat_event named = {
			e->plane, e->meta, e->bytes, name, type, r->log, e->lane};
		const struct name_source source = named_source(&named);

		trace_requests_fill_name(r->asked, &r->scratch, &source);
		name = (struct xla_text){text_string(&r->scratch), r->scratch.size};
	}
	*event_type = eventlog_type(r->log, type.at, type.size);
	return eventlog_op(r->log, name.size ? name.at : "", name.size, type.at, type.size);
}

static int add(struct line_walk *w, struct event *event, struct error *err)
{
	const struct xevent *e = &w->event;

	event->lane = e->lane;
	event->start_ps = e->start_ps;
	event->dur_ps = e->dur_ps;
	if (event->dur_ps < 0) {
		/* Counted as in any other trace. */
		issue_add(&w->r->profile->issues, ISSUE_LOSS, "negative-time",
			"events of negative duration, counted as 0", 1, w->r->profile->path);
		if (event->kind == EVENT_OP)
			eventlog_doubt(
				w->r->log, DOUBT_NEGATIVE_TIME, event->op, DOUBT_UNMEASURED, 0);
		event->dur_ps = 0;
	}
	return eventlog_add(w->r->log, event, err);
}

/* ---- of the host ---- */

static bool handoff_value(const struct xevent *e, enum stat_role role, uint64_t *number)
{
	struct stat_value value;
	uint32_t place;

	if (!has(e, role) ||
		!plane_stat(e->plane, e->handed[role - ROLE_PRODUCER_TYPE], &place, &value))
		return false;
	*number = value.bits;
	return value.kind == VALUE_INTEGER;
}

static void hand_over(
	const struct line_walk *w, enum stat_role kind_role, enum stat_role id_role, bool is_taken)
{
	const struct xevent *e = &w->event;
	uint64_t kind;
	struct log_handover handover = {.lane = e->lane,
		.start_ps = e->start_ps,
		.is_taken = is_taken,
		.by_process = w->plane->is_device};

	if (!handoff_value(e, kind_role, &kind) || !handoff_value(e, id_role, &handover.id) ||
		!number_add(e->start_ps, e->dur_ps, &handover.end_ps))
		return;
	handover.kind = (uint32_t)kind;
	eventlog_hand_over(w->r->log, &handover);
}

/* Points in time (of thread pools) and ends of ops have such ids, too: they contain nothing. The
 * first in a thread pool only says who had a thread to spare. A device takes over a program that it
 * then executes. */
static void hand_over_work(const struct line_walk *w)
{
	const struct xevent *e = &w->event;

	if (w->plane->is_device && !w->is_modules)
		return;
	if (e->dur_ps <= 0 || has(e, ROLE_HLO_OP) || e->meta->host_event == XLA_HOST_END)
		return;
	hand_over(w, ROLE_PRODUCER_TYPE, ROLE_PRODUCER, false);
	hand_over(w, ROLE_CONSUMER_TYPE, ROLE_CONSUMER, true);
}

/* Bytes of an allocator: of the op around it, else of the op that it names. */
static int memory_event(struct line_walk *w, bool is_freed, struct error *err)
{
	struct xevent *e = &w->event;
	struct xla_text name = e->meta->name, op;
	struct event event = {.kind = EVENT_INSTANT, .bytes_kind = BYTES_ALLOCATED};

	if (!integer_of(e, ROLE_REQUESTED_BYTES, &event.bytes) || event.bytes < 0) {
		w->passed[XLA_PASSED_INSTANT]++;
		return 0;
	}
	if (is_freed)
		event.bytes = -event.bytes;
	if (text_value(e, ROLE_TF_OP, &op) && op.at[0] != '(')
		name = op;
	event.op = op_of(w->r, e, name, xla_host_type(name, false), &event.type);
	return add(w, &event, err);
}

/* An event of the host that has the name of an op of a device launches it: it is an op of its own.
 */
static struct xla_text host_name(struct xplane_reader *r, struct xla_text name)
{
	uint32_t id;

	if (r->device_ops == 0 ||
		!intern_find(r->profile->names, name.size ? name.at : "", name.size, &id) ||
		id >= r->device_ops)
		return name;
	text_clear(&r->host_name);
	text_add_bytes(&r->host_name, name.at, name.size);
	text_add(&r->host_name, " (host)");
	return (struct xla_text){text_string(&r->host_name), r->host_name.size};
}

static int host_op(struct line_walk *w, bool is_hlo, uint64_t link, struct error *err)
{
	struct xevent *e = &w->event;
	struct event_meta *meta = e->meta;
	struct event event = {.link = link,
		.flags = link ? EVENT_LAUNCHES : 0,
		.label = link ? host_launch_traits(meta->name.at, meta->name.size) : 0};

	if (!meta->op[is_hlo] || trace_requests_has_name(w->r->asked))
		meta->op[is_hlo] = op_of(w->r, e, host_name(w->r, meta->name),
					   xla_host_type(meta->name, is_hlo), &meta->type[is_hlo]) +
				   1;
	event.op = meta->op[is_hlo] - 1;
	event.type = meta->type[is_hlo];
	if (w->r->with_launchers && !link && xla_name_launches(meta->name)) {
		event.flags |= EVENT_LABELLED;
		event.label = EVENT_OWN_LABEL;
	}
	return add(w, &event, err);
}

/* The kind of step that the stat says, or else the name. */
static const char *kind_of(struct line_walk *w, enum stat_role role, struct xla_text name)
{
	const struct marker_name elsewhere = {.numbered = true, .number = INT64_MIN};

	text_value(&w->event, role, &name);
	return trace_requests_kind(w->r->asked, name.at, name.size, &elsewhere);
}

static int host_event(struct line_walk *w, struct error *err)
{
	struct xevent *e = &w->event;
	const enum xla_host_event what = (enum xla_host_event)e->meta->host_event;
	const uint64_t link = correlation_of(e);
	const bool is_hlo = has(e, ROLE_HLO_OP) && !link; /* else it launches the op */
	struct event silent = {.kind = EVENT_SILENT};
	struct xla_mark mark;

	if (has(e, ROLE_STEP_NUM) && !w->has_marker && integer_of(e, ROLE_STEP_NUM, &mark.number) &&
		place_mark(e, &mark)) {
		mark.kind = kind_of(w, ROLE_GRAPH_TYPE, e->meta->name);
		return xla_log_host_step(w->r->xla, &mark, err);
	}
	if (what == XLA_HOST_FRAME) {
		w->passed[XLA_PASSED_FRAME]++;
		return 0;
	}
	if (what == XLA_HOST_ALLOCATED || what == XLA_HOST_FREED)
		return memory_event(w, what == XLA_HOST_FREED, err);
	if (!is_hlo && e->dur_ps == 0) {
		w->passed[XLA_PASSED_INSTANT]++;
		return 0;
	}
	if (is_hlo || (what != XLA_HOST_END && what != XLA_HOST_WAIT))
		return host_op(w, is_hlo, link, err);
	w->passed[what == XLA_HOST_END ? XLA_PASSED_END : XLA_PASSED_WAIT]++;
	return add(w, &silent, err);
}

/* ---- of a device ---- */

/* Duration of an event by the device's own clock: where recording pauses, the event in the file is
 * cut, this duration is not. The event's place in time stays, or the part that was cut would
 * overlap other events. */
static void use_device_time(struct line_walk *w, struct event *event)
{
	const struct xevent *e = &w->event;
	int64_t dur_ps;

	if (!integer_of(e, ROLE_DEVICE_DURATION, &dur_ps) || dur_ps < 0 || dur_ps > TIME_MOST_PS ||
		dur_ps == e->dur_ps || e->dur_ps < 0 || e->dur_ps > TIME_MOST_PS)
		return;
	event->flags |= EVENT_NESTS;
	event->bytes = e->dur_ps - dur_ps;
}

static int device_op(struct line_walk *w, struct error *err)
{
	struct xevent *e = &w->event;
	struct event_meta *meta = e->meta;
	struct xla_text op = meta->hlo_op, type = meta->category;
	const bool is_hlo = text_value(e, ROLE_HLO_OP, &op) || op.size > 0;
	const uint32_t reference = has(e, ROLE_HLO_OP) ? e->value[ROLE_HLO_OP].reference : 0;
	const bool is_own = has(e, ROLE_CATEGORY) || (has(e, ROLE_HLO_OP) && !reference) ||
			    trace_requests_has_name(w->r->asked);
	struct event event = {.link = correlation_of(e)};

	event.flags = event.link ? EVENT_LAUNCHED : 0;
	if (has(e, ROLE_DEVICE_DURATION))
		use_device_time(w, &event);
	if (!is_own && meta->op[is_hlo] && (!is_hlo || meta->reference == reference)) {
		event.op = meta->op[is_hlo] - 1;
		event.type = meta->type[is_hlo];
		return add(w, &event, err);
	}
	if (!text_value(e, ROLE_CATEGORY, &type) && type.size == 0)
		type = xla_device_type(meta->name, is_hlo);
	event.op = op_of(w->r, e, is_hlo ? xla_last_op(op) : meta->name, type, &event.type);
	if (!is_own) {
		meta->op[is_hlo] = event.op + 1;
		meta->type[is_hlo] = event.type;
		meta->reference = is_hlo ? reference : meta->reference;
	}
	return add(w, &event, err);
}

/* Marks a step of a line of steps: its number is the event's name, or one of its stats. */
static int device_step(struct line_walk *w, struct error *err)
{
	const struct xevent *e = &w->event;
	struct xla_mark mark;

	if (!xla_is_step_name(e->meta->name, &mark.number) &&
		!integer_of(e, ROLE_STEP_NUM, &mark.number) &&
		!integer_of(e, ROLE_GROUP, &mark.number))
		return 0;
	mark.kind = kind_of(w, ROLE_STEP_NAME, e->meta->name);
	return place_mark(e, &mark) ? xla_log_device_step(w->r->xla, &mark, err) : 0;
}

/* ---- steps of the user ---- */

/* 1: it is one; the answer for a name is kept. */
static int is_marker(struct line_walk *w, struct error *err)
{
	struct event_meta *meta = w->event.meta;
	int answer;

	if (meta->marker)
		return meta->marker == 2;
	answer = trace_requests_is_marker(
		w->r->asked, meta->name.at, meta->name.size, &meta->step, err);
	if (answer >= 0)
		meta->marker = (uint8_t)(answer > 0 ? 2 : 1);
	return answer;
}

static int add_marker(struct line_walk *w, struct error *err)
{
	const struct xevent *e = &w->event;
	struct step_mark mark = {.process = eventlog_lane_at(w->r->log, e->lane)->process,
		.numbered = e->meta->step.numbered,
		.number = e->meta->step.number,
		.kind = e->meta->step.kind,
		.is_whole = e->meta->step.is_whole,
		.start_ps = e->start_ps,
		.outermost = true,
		.thread = e->lane + 1};

	if (!number_add(e->start_ps, e->dur_ps, &mark.end_ps))
		mark.end_ps = INT64_MAX;
	return eventlog_mark(w->r->log, &mark, err);
}

/* ---- the walk ---- */

/* The first of several stats of one name counts. */
static void keep_handoffs(struct xevent *e, uint32_t role, struct wire stat)
{
	if (!(e->seen >> role & 1))
		e->handed[role - ROLE_PRODUCER_TYPE] = stat;
	e->seen |= 1u << role;
}

static inline void keep_value(struct xevent *e, uint32_t role, const struct stat_value *value)
{
	if (!(e->seen >> role & 1))
		e->value[role] = *value;
	e->seen |= 1u << role;
}

/* A varint that ends within w. It is loaded as one word, which may reach beyond w: most are at the
 * end of a short record. False leaves it, and what is wrong, to the framing. */
static inline bool varint_within(
	const struct xevent *e, struct wire *w, const unsigned char *at, uint64_t *value)
{
	struct wire wide = {at, e->readable_end};

	if (!wire_varint(&wide, value) || wide.at > w->end)
		return false;
	w->at = wide.at;
	return true;
}

/* A stat whose value is a varint, and the rest of it from `at` on. False: it is any other. */
static inline bool number_stat(
	const struct xevent *e, struct wire stat, const unsigned char *at, struct stat_value *value)
{
	uint64_t bits;

	if (at == stat.end || (*at != FIELD(STAT_UNSIGNED, WIRE_VARINT) &&
				      *at != FIELD(STAT_SIGNED, WIRE_VARINT) &&
				      *at != FIELD(STAT_REFERENCE, WIRE_VARINT)))
		return false;
	if (!varint_within(e, &stat, at + 1, &bits) || stat.at != stat.end)
		return false;
	*value = plane_stat_number(e->plane, *at >> 3, bits);
	return true;
}

/* The value of a stat that has a role. */
static bool read_stat(struct xevent *e, struct wire stat)
{
	struct stat_value value;
	uint32_t place, role;

	if (!plane_stat(e->plane, stat, &place, &value))
		return false;
	role = place ? e->plane->stat[place - 1].role : ROLE_NONE;
	if (HANDED_ROLES >> role & 1)
		keep_handoffs(e, role, stat);
	else if (role != ROLE_NONE)
		keep_value(e, role, &value);
	return true;
}

/* The role of the stat; ROLE_COUNT: it must be read to know. Its id comes first, and most have a
 * short one; *rest is what follows. */
static inline uint32_t role_at(
	const struct plane *plane, struct wire stat, const unsigned char **rest)
{
	const unsigned char *at = stat.at;
	const size_t size = (size_t)(stat.end - at);
	uint32_t place;

	if (size < 2 || at[0] != FIELD(STAT_METADATA_ID, WIRE_VARINT))
		return ROLE_COUNT;
	if (at[1] < 0x80)
		place = id_map_find(&plane->stats, at[1]);
	else if (size > 2 && at[2] < 0x80)
		place = id_map_find(&plane->stats, (at[1] & 0x7f) | at[2] << 7);
	else
		return ROLE_COUNT;
	*rest = at + (at[1] < 0x80 ? 2 : 3);
	return place ? plane->stat[place - 1].role : ROLE_NONE;
}

/* False: damaged. */
static inline bool take_stat(struct xevent *e, struct wire stat)
{
	const unsigned char *rest;
	const uint32_t role = role_at(e->plane, stat, &rest);
	struct stat_value value;

	if (role == ROLE_NONE)
		return true;
	if (HANDED_ROLES >> role & 1) {
		keep_handoffs(e, role, stat);
		return true;
	}
	if (role == ROLE_COUNT || !number_stat(e, stat, rest, &value))
		return read_stat(e, stat);
	keep_value(e, role, &value);
	return true;
}

/* A field that is a varint, if it is the next. */
static inline void take_number(
	const struct xevent *e, struct wire *w, unsigned char tag, int64_t *number)
{
	uint64_t value;

	if (w->at < w->end && *w->at == tag && varint_within(e, w, w->at + 1, &value))
		*number = (int64_t)value;
}

/* Takes the event apart. False: damaged. *aggregated: it is the sum of many. All known writers have
 * the fields in order of their numbers; what is left then may come in any order. */
static inline bool read_event(struct xevent *e, int64_t *id, bool *aggregated)
{
	struct wire w = e->bytes;
	struct wire_field field;
	enum wire_result got;

	*id = 0;
	e->offset_ps = e->dur_ps = 0;
	e->seen = 0;
	*aggregated = false;
	take_number(e, &w, FIELD(XEVENT_ID, WIRE_VARINT), id);
	take_number(e, &w, FIELD(XEVENT_OFFSET, WIRE_VARINT), &e->offset_ps);
	take_number(e, &w, FIELD(XEVENT_DURATION, WIRE_VARINT), &e->dur_ps);
	/* The stats of less than 128 bytes that are next. */
	while (w.end - w.at > 1 && *w.at == FIELD(XEVENT_STAT, WIRE_BYTES) && w.at[1] < 0x80 &&
		w.at[1] <= w.end - w.at - 2) {
		const struct wire stat = {w.at + 2, w.at + 2 + w.at[1]};

		w.at = stat.end;
		if (!take_stat(e, stat))
			return false;
	}
	while ((got = wire_next(&w, &field)) == WIRE_FIELD) {
		switch (FIELD(field.number, field.type)) {
		case FIELD(XEVENT_STAT, WIRE_BYTES):
			if (!take_stat(e, wire_inside(&field)))
				return false;
			break;
		case FIELD(XEVENT_ID, WIRE_VARINT):
			*id = (int64_t)field.value;
			break;
		case FIELD(XEVENT_OFFSET, WIRE_VARINT):
			e->offset_ps = (int64_t)field.value;
			*aggregated = false;
			break;
		case FIELD(XEVENT_DURATION, WIRE_VARINT):
			e->dur_ps = (int64_t)field.value;
			break;
		case FIELD(XEVENT_OCCURRENCES, WIRE_VARINT):
			*aggregated = true;
			break;
		default:
			break;
		}
	}
	return got == WIRE_END;
}

static int take_event(struct line_walk *w, struct error *err)
{
	struct xplane_reader *r = w->r;
	struct xevent *e = &w->event;
	int64_t id;
	bool aggregated;
	uint32_t place;
	int marker = 0;

	if (!read_event(e, &id, &aggregated))
		return space_damaged(r->space, e->at, WHAT, err);
	r->tally.events++;
	place = id_map_find(&w->plane->events, id);
	if (!place && r->tally.unnamed++ == 0)
		r->tally.unnamed_at = e->at;
	r->tally.aggregated += place && aggregated;
	if (!place || aggregated)
		return 0;
	e->meta = &w->plane->event[place - 1];
	if (!number_add(w->zero_ps, e->offset_ps, &e->start_ps))
		e->start_ps = INT64_MAX; /* the log leaves it out, and counts it */
	if (e->seen & HANDED_ROLES)
		hand_over_work(w);
	if (w->has_marker && !w->is_modules && (marker = is_marker(w, err)) != 0)
		return marker < 0 ? -1 : add_marker(w, err);
	if (!w->plane->is_device)
		return host_event(w, err);

	struct xla_mark mark = {0};

	if (w->is_steps)
		return device_step(w, err);
	if (w->is_modules) {
		if (!w->has_marker && place_mark(&w->event, &mark))
			xla_log_module(w->r->xla, &mark, w->event.meta->name);
		return 0;
	}
	return device_op(w, err);
}

static int late_field(struct line_walk *w, uint64_t at, struct error *err)
{
	char place[sizeof(err->place)];

	error_place_offset(place, sizeof(place), w->r->profile->path, at);
	return error_set(err, ERROR_INPUT, place,
		"name or time of a line stand behind its events: no known profiler writes this");
}

/* Field after the first event: further events, and the name for display. */
static int other_field(struct line_walk *w, struct extent *rest, struct error *err)
{
	const uint64_t at = rest->start;
	struct wire_field field;
	struct extent inside;
	struct wire name;

	if (space_next(w->r->space, rest, "a line", &field, &inside, err) < 0)
		return -1;
	if (field.number == LINE_ID || field.number == LINE_NAME || field.number == LINE_TIMESTAMP)
		return late_field(w, at, err);
	if (field.number != LINE_DISPLAY_NAME || field.type != WIRE_BYTES || field.size == 0)
		return 0;
	if (space_load(w->r->space, &inside, "a name", &name, err))
		return -1;
	eventlog_lane_at(w->r->log, w->lane)->name =
		eventlog_text(w->r->log, (const char *)name.at, (size_t)(name.end - name.at));
	return 0;
}

/* The events that are in the window from `rest` on, which moves behind them. */
static int walk_window(struct line_walk *w, struct extent *rest, struct error *err)
{
	const uint64_t left = rest->end - rest->start;
	const unsigned char *bytes;
	size_t size;

	if (span_window_get(&w->r->space->window, rest->start, HEAD_MOST, &bytes, &size, err))
		return -1;
	struct wire all = {bytes, bytes + (size < left ? size : (size_t)left)};

	while (all.at < all.end) {
		const unsigned char *start = all.at;
		struct wire head = {all.at + 1, all.end};
		struct extent inside;
		uint64_t length;

		rest->start += (uint64_t)(start - bytes);
		bytes = start;
		if (*start != (LINE_EVENT << 3 | WIRE_BYTES))
			return other_field(w, rest, err);
		if (!wire_varint(&head, &length))
			return all.end - start >= HEAD_MOST || (uint64_t)(all.end - start) ==
								       rest->end - rest->start
				       ? space_damaged(w->r->space, rest->start, WHAT, err)
				       : 0;
		inside.start = rest->start + (uint64_t)(head.at - start);
		if (length > rest->end - inside.start)
			return space_damaged(w->r->space, rest->start, WHAT, err);
		inside.end = inside.start + length;
		w->event.at = rest->start;
		if (length <= (uint64_t)(head.end - head.at)) {
			w->event.bytes = (struct wire){head.at, head.at + length};
			w->event.readable_end = all.end;
			all.at = head.at + length;
			if (take_event(w, err))
				return -1;
			continue;
		}
		/* The event reaches beyond the window, which moves. */
		if (space_load(w->r->space, &inside, WHAT, &w->event.bytes, err))
			return -1;
		w->event.readable_end = w->event.bytes.end;
		rest->start = inside.end;
		return take_event(w, err);
	}
	rest->start += (uint64_t)(all.at - bytes);
	return 0;
}

/* Start of the line since the base in ps; a time beyond 64 bits becomes the farthest one. */
static int64_t zero_of(const struct xplane_reader *r, const struct xline *line)
{
	int64_t ns;

	if (__builtin_sub_overflow(line->timestamp_ns, r->base_ns, &ns) ||
		__builtin_mul_overflow(ns, INT64_C(1000), &ns))
		return line->timestamp_ns < r->base_ns ? -INT64_MAX : INT64_MAX;
	return ns;
}

int line_events_read(struct xplane_reader *r, struct plane *plane, const struct xline *line,
	uint32_t lane, struct error *err)
{
	struct line_walk w = {.r = r,
		.plane = plane,
		.line = line,
		.lane = lane,
		.zero_ps = zero_of(r, line),
		.is_steps = xla_is_steps_line(line->name),
		.is_modules = plane->is_device && xla_is_modules_line(line->name),
		.has_marker = trace_requests_has_marker(r->asked),
		.event = {.plane = plane, .lane = lane}};
	struct extent rest = line->events;

	if (w.has_marker && plane->is_device && w.is_steps)
		return 0;
	while (rest.start < rest.end)
		if (walk_window(&w, &rest, err))
			return -1;
	for (size_t i = 0; i < XLA_PASSED_COUNT; i++)
		xla_log_pass(r->xla, (enum xla_passed)i, w.passed[i]);
	return 0;
}
