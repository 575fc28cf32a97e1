/* The meaning of the records of a line. The meaning of a name is known by its id after the first
 * event that has it. */
#include "ingest/xplane/line_events.h"

#include <string.h>
#include "base/number.h"
#include "ingest/trace/xla_words.h"
#include "ingest/xplane/stat_text.h"

#define WHAT "an event"
#define TIME_MOST_PS (INT64_C(1) << 60) /* sums of some of them fit */

/* One event, and the values of the stats that it has. */
struct line_event {
	struct plane *plane;
	struct event_meta *meta;
	struct wire bytes;
	uint32_t lane;
	int64_t start_ps, dur_ps;
	unsigned seen;			 /* bits of roles */
	const struct event_value *value; /* of these, in order */
};

struct line_walk {
	struct xplane_reader *r;
	struct plane *plane;
	uint32_t lane;
	bool is_steps, is_modules, has_marker, has_name, has_words;
	struct line_event event;
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

static bool has(const struct line_event *e, enum stat_role role)
{
	return e->seen >> role & 1;
}

/* The value of a stat that it has. */
static const struct event_value *value_of(const struct line_event *e, enum stat_role role)
{
	const struct event_value *value = e->value;

	for (unsigned before = e->seen & ((1u << role) - 1); before; before &= before - 1)
		value++;
	return value;
}

static bool text_value(const struct line_event *e, enum stat_role role, struct xla_text *text)
{
	const struct event_value *value = value_of(e, role);

	if (!has(e, role) || value->kind != VALUE_TEXT || value->size == 0)
		return false;
	*text = value->is_reference ? e->plane->stat[value->size - 1].name
				    : (struct xla_text){value->text, value->size};
	return text->size > 0;
}

/* A whole number that fits; of a text too, as some writers have it. */
static bool integer_of(const struct line_event *e, enum stat_role role, int64_t *number)
{
	const struct event_value *value = value_of(e, role);
	struct xla_text text;

	if (!has(e, role))
		return false;
	if (value->kind == VALUE_TEXT)
		return text_value(e, role, &text) && number_parse_int(text.at, text.size, number);
	*number = (int64_t)value->bits;
	return value->kind == VALUE_INTEGER && (*number >= 0 || !value->is_unsigned);
}

static uint64_t correlation_of(const struct line_event *e)
{
	int64_t id;

	return integer_of(e, ROLE_CORRELATION, &id) ? (uint64_t)id : 0;
}

static int place_mark(const struct line_event *e, struct xla_mark *mark)
{
	mark->lane = e->lane;
	mark->start_ps = e->start_ps;
	return number_add(e->start_ps, e->dur_ps, &mark->end_ps);
}

/* Finds the op of the event: of its own name, or of this one. */
static uint32_t op_of(struct xplane_reader *r, const struct line_event *e, struct xla_text name,
	struct xla_text type, uint8_t *event_type)
{
	text_clear(&r->scratch);
	if (trace_requests_has_name(r->asked)) {
		struct named_stat_event named = {
			e->plane, e->meta, e->bytes, name, type, r->log, e->lane, r->words};
		const struct name_source source = named_source(&named);

		trace_requests_fill_name(r->asked, &r->scratch, &source);
		name = (struct xla_text){text_string(&r->scratch), r->scratch.size};
	}
	*event_type = eventlog_type(r->log, type.at, type.size);
	return eventlog_op(r->log, name.size ? name.at : "", name.size, type.at, type.size);
}

static int add(struct line_walk *w, struct event *event, struct error *err)
{
	const struct line_event *e = &w->event;

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

static bool handoff_value(const struct line_event *e, enum stat_role role, uint64_t *number)
{
	if (!has(e, role) || value_of(e, role)->kind != VALUE_INTEGER)
		return false;
	*number = value_of(e, role)->bits;
	return true;
}

static void hand_over(
	const struct line_walk *w, enum stat_role kind_role, enum stat_role id_role, bool is_taken)
{
	const struct line_event *e = &w->event;
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

/* Bytes of an allocator: of the op around it, else of the op that it names. */
static int memory_event(struct line_walk *w, bool is_freed, struct error *err)
{
	struct line_event *e = &w->event;
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
	struct line_event *e = &w->event;
	struct event_meta *meta = e->meta;
	struct event event = {.link = link,
		.flags = link ? EVENT_LAUNCHES : 0,
		.label = link ? meta->launch_traits : 0};

	/* Rows by what programs say have the work of devices, and not once more that of the host.
	 */
	const bool is_apart = w->has_words && w->r->device_ops > 0;

	if (!meta->op[is_hlo] || w->has_name)
		meta->op[is_hlo] = op_of(w->r, e, host_name(w->r, meta->name),
					   xla_host_type(meta->name, is_hlo && !is_apart),
					   &meta->type[is_hlo]) +
				   1;
	event.op = meta->op[is_hlo] - 1;
	event.type = meta->type[is_hlo];
	if (is_apart) {
		event.bytes_kind = BYTES_NAME;
		event.bytes = eventlog_context(w->r->log, meta->name.at, meta->name.size);
	}
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
	struct line_event *e = &w->event;
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
	const struct line_event *e = &w->event;
	int64_t dur_ps;

	if (!integer_of(e, ROLE_DEVICE_DURATION, &dur_ps) || dur_ps < 0 || dur_ps > TIME_MOST_PS ||
		dur_ps == e->dur_ps || e->dur_ps < 0 || e->dur_ps > TIME_MOST_PS)
		return;
	event->flags |= EVENT_NESTS;
	event->bytes = e->dur_ps - dur_ps;
}

static int device_op(struct line_walk *w, struct error *err)
{
	struct line_event *e = &w->event;
	struct event_meta *meta = e->meta;
	struct xla_text op = meta->hlo_op, type = meta->category;
	const bool is_hlo = text_value(e, ROLE_HLO_OP, &op) || op.size > 0;
	const uint32_t reference = has(e, ROLE_HLO_OP) && value_of(e, ROLE_HLO_OP)->is_reference
					   ? value_of(e, ROLE_HLO_OP)->size
					   : 0;
	const bool is_own =
		has(e, ROLE_CATEGORY) || (has(e, ROLE_HLO_OP) && !reference) || w->has_name;
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
	if (w->has_words)
		type = xla_word_type(is_hlo ? xla_last_op(op) : meta->name, type);
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
	const struct line_event *e = &w->event;
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
	const struct line_event *e = &w->event;
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

static int take_event(struct line_walk *w, const struct event_window *window,
	const struct event_record *record, const struct event_value *value, struct error *err)
{
	struct xplane_reader *r = w->r;
	struct line_event *e = &w->event;
	int marker = 0;

	if (!record->place && r->tally.unnamed++ == 0)
		r->tally.unnamed_at = (uint64_t)record->start_ps;
	r->tally.aggregated += record->place && record->seen == EVENT_AGGREGATED;
	if (!record->place || record->seen == EVENT_AGGREGATED)
		return 0;
	e->meta = &w->plane->event[record->place - 1];
	e->bytes.at = window->first + record->at;
	e->bytes.end = e->bytes.at + record->size;
	e->start_ps = record->start_ps; /* INT64_MAX: the log leaves it out, and counts it */
	e->dur_ps = record->dur_ps;
	e->seen = record->seen;
	e->value = value;
	if (e->seen & HANDED_ROLES) {
		hand_over(w, ROLE_PRODUCER_TYPE, ROLE_PRODUCER, false);
		hand_over(w, ROLE_CONSUMER_TYPE, ROLE_CONSUMER, true);
	}
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

/* The event that is next cannot be read. */
static int event_damaged(struct line_walk *w, const struct extent *rest, struct error *err)
{
	struct space *s = w->r->space;
	struct extent inside = {rest->start, rest->end};
	struct wire head;
	uint64_t length;
	size_t size;

	if (span_window_get(&s->window, rest->start, EVENT_HEAD_MOST, &head.at, &size, err))
		return -1;
	const unsigned char *bytes = head.at++;

	head.end = bytes + (size < rest->end - rest->start ? size : rest->end - rest->start);
	if (wire_varint(&head, &length)) {
		inside.start += (uint64_t)(head.at - bytes);
		if (length <= rest->end - inside.start) {
			inside.end = inside.start + length;
			if (space_load(s, &inside, WHAT, &head, err))
				return -1;
		}
	}
	return space_damaged(s, rest->start, WHAT, err);
}

/* Field after the first event that is not read as one of the window: the name for display, or
 * damage. */
static int other_field(struct line_walk *w, struct extent *rest, struct error *err)
{
	const uint64_t at = rest->start;
	struct wire_field field;
	struct extent inside;
	struct wire name;
	const unsigned char *bytes;
	size_t size;

	if (span_window_get(&w->r->space->window, at, 1, &bytes, &size, err))
		return -1;
	if (size > 0 && *bytes == (LINE_EVENT << 3 | WIRE_BYTES))
		return event_damaged(w, rest, err);
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

/* Takes the events of the window from `rest` on, which moves behind them. */
static int take_window(
	struct line_walk *w, struct event_window *window, struct extent *rest, struct error *err)
{
	while (rest->start < window->to) {
		if (window->start != rest->start)
			event_window_read(window, rest->start);
		const struct event_value *value = window->value;

		for (size_t i = 0; i < window->count; value += window->event[i++].values)
			if (take_event(w, window, &window->event[i], value, err))
				return -1;
		w->r->tally.events += window->count;
		if (window->end == rest->start && other_field(w, rest, err))
			return -1;
		if (window->end > rest->start)
			rest->start = window->end;
	}
	return 0;
}

int line_events_read(struct xplane_reader *r, struct plane *plane, size_t place, uint32_t lane,
	struct error *err)
{
	const struct xline *line = vec_at(&plane->line, place);
	struct line_walk w = {.r = r,
		.plane = plane,
		.lane = lane,
		.is_steps = xla_is_steps_line(line->name),
		.is_modules = line->is_modules,
		.has_marker = trace_requests_has_marker(r->asked),
		.has_name = trace_requests_has_name(r->asked),
		.has_words = trace_requests_has_words(r->asked),
		.event = {.plane = plane, .lane = lane}};
	struct extent rest = line->events;

	while (rest.start < rest.end)
		if (take_window(&w, event_windows_take(r->windows, plane, place, rest.start), &rest,
			    err))
			return -1;
	for (size_t i = 0; i < XLA_PASSED_COUNT; i++)
		xla_log_pass(r->xla, (enum xla_passed)i, w.passed[i]);
	return 0;
}
