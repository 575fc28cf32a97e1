/* Parts that all dialects of Chrome traces share. */
#include "ingest/chrome/trace.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "ingest/input/step_number.h"
#include "ingest/chrome/trace_base.h"
#include "ingest/chrome/trace_parts.h"
#include "ingest/chrome/trace_wait.h"
#include "ingest/trace/source_facts.h"
#include "ingest/trace/trace_requests.h"

#define NS_PER_US 1000
#define KNOWN_LANES_MOST 65536 /* others are looked up by their texts each time */
#define CAP_EVENTS 1000000     /* of TensorFlow's and JAX's trace viewer files */

/* Numbers here of texts that are keys in the table of a thread (struct trace_ahead): by table and
 * key. */
struct key_numbers {
	struct table_numbers {
		uint32_t *number_plus_1;
		size_t room;
	} * table;
	size_t room;
};

struct trace {
	struct input *in;
	struct profile *out;
	const struct read_options *opt;
	const struct trace_dialect *dialect;
	struct eventlog *log;
	void *state;
	bool has_base;
	int64_t base_us;
	struct trace_starts starts; /* without a base: of the events that wait for one */
	struct trace_wait *early;   /* those events */
	struct text scratch, type_scratch, key_scratch;
	/* Ops by the text of name and type as written in the file: names are unescaped once. */
	struct arena *arena;
	struct intern_pairs *raw;
	struct key_numbers pair_numbers;
	struct known_op {
		uint32_t op, traits;
		uint8_t type;
		bool has_op, has_traits;
	} * op_of; /* by pair */
	/* Lanes by the text of pid and tid as written in the file. */
	struct intern_pairs *raw_lanes;
	struct key_numbers lane_numbers;
	uint32_t *lane_of;
	size_t op_room, lane_room;	/* of op_of, of lane_of */
	const struct merged_part *part; /* NULL: the trace is a file of its own */
	struct trace_requests *asked;
};

void *trace_state(struct trace *t)
{
	return t->state;
}

struct eventlog *trace_log(struct trace *t)
{
	return t->log;
}

struct profile *trace_profile(struct trace *t)
{
	return t->out;
}

const struct read_options *trace_read_options(const struct trace *t)
{
	return t->opt;
}

void trace_report_issues(struct trace *t, enum issue_severity severity, const char *code,
	const char *text, size_t count, uint64_t offset)
{
	char place[512];

	error_place_offset(place, sizeof(place), input_path(t->in), offset);
	issue_add(&t->out->issues, severity, code, text, count, place);
}

void trace_report_issue(struct trace *t, enum issue_severity severity, const char *code,
	const char *text, const struct trace_event *event)
{
	trace_report_issues(t, severity, code, text, 1, event->offset);
}

void trace_report_cap(struct trace *t, size_t steps)
{
	for (size_t i = 0; i < t->out->issues.count; i++)
		if (strcmp(t->out->issues.issue[i].code, "producer-cap") == 0)
			return;
	issue_add(&t->out->issues, ISSUE_LOSS, "producer-cap",
		"traces of exactly 1 000 000 events: writers silently stop there, so later steps "
		"are missing",
		1, t->out->path);
	issue_set_effect(&t->out->issues, "producer-cap",
		&(struct issue_effect){.unit = EFFECT_STEPS,
			.row = "steps",
			.low = (int64_t)steps,
			.high = EFFECT_UNKNOWN,
			.recorded = EFFECT_UNKNOWN});
}

bool json_is_one_of(const struct json_value *value, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		size_t k = 0;

		while (k < value->size && words[i][k] &&
			(value->at[k] >= 'A' && value->at[k] <= 'Z' ? value->at[k] | 0x20
								    : value->at[k]) == words[i][k])
			k++;
		if (k == value->size && !words[i][k])
			return true;
	}
	return false;
}

/* ---- keys made ahead ---- */

/* Place of the number of a key of the event's table. */
static inline uint32_t *number_of(
	struct key_numbers *numbers, const struct trace_event *event, uint32_t key)
{
	struct table_numbers *table;

	numbers->table = memory_make_room_zeroed(
		numbers->table, &numbers->room, (size_t)event->table + 1, sizeof(*numbers->table));
	table = &numbers->table[event->table];
	table->number_plus_1 = memory_make_room_zeroed(
		table->number_plus_1, &table->room, (size_t)key + 1, sizeof(*table->number_plus_1));
	return &table->number_plus_1[key];
}

/* The same number if there is one, + 1; 0: there is none. */
static inline uint32_t known_number(
	const struct key_numbers *numbers, const struct trace_ready *ready, uint32_t key)
{
	const struct table_numbers *table;

	if (ready->table >= numbers->room)
		return 0;
	table = &numbers->table[ready->table];
	return key < table->room ? table->number_plus_1[key] : 0;
}

static void release_numbers(struct key_numbers *numbers)
{
	for (size_t i = 0; i < numbers->room; i++)
		memory_free(numbers->table[i].number_plus_1);
	memory_free(numbers->table);
}

/* ---- lanes ---- */

static uint32_t process_of(struct trace *t, const struct trace_event *event)
{
	text_clear(&t->key_scratch);
	json_add_text(&t->key_scratch, &event->process);
	return eventlog_process(t->log, text_string(&t->key_scratch), t->key_scratch.size);
}

static int find_lane(
	struct trace *t, const struct trace_event *event, uint32_t *lane, struct error *err)
{
	const struct name_pair pair = {.first = event->process.at,
		.first_size = event->process.size,
		.second = event->thread.at,
		.second_size = event->thread.size};
	const size_t known = intern_pair_count(t->raw_lanes);
	uint32_t id;
	const bool is_kept = intern_pair(t->raw_lanes, &pair, KNOWN_LANES_MOST, &id);

	if (is_kept && id < known) {
		*lane = t->lane_of[id];
		return 0;
	}

	const uint32_t process = process_of(t, event);

	text_clear(&t->key_scratch);
	json_add_text(&t->key_scratch, &event->thread);
	*lane = eventlog_lane(
		t->log, process, text_string(&t->key_scratch), t->key_scratch.size, err);
	if (*lane == UINT32_MAX)
		return -1;
	if (is_kept) {
		t->lane_of = memory_make_room(
			t->lane_of, &t->lane_room, (size_t)id + 1, sizeof(*t->lane_of));
		t->lane_of[id] = *lane;
	}
	return 0;
}

int trace_lane(struct trace *t, const struct trace_event *event, uint32_t *lane, struct error *err)
{
	uint32_t *number;

	if (!event->is_ahead || event->lane_key == 0)
		return find_lane(t, event, lane, err);
	number = number_of(&t->lane_numbers, event, event->lane_key);
	if (*number == 0) {
		if (find_lane(t, event, lane, err) != 0)
			return -1;
		*number = *lane + 1;
	}
	*lane = *number - 1;
	return 0;
}

/* Names the process by the text in scratch. In a merged trace the name begins with a label, which
 * may be all of it. */
static void name_process(struct trace *t, const struct trace_event *event)
{
	const char *name = text_string(&t->scratch);
	size_t size = t->scratch.size;

	if (t->part)
		merged_cut_label(t->part, &name, &size);
	if (size > 0 || !t->part)
		eventlog_name_process(t->log, process_of(t, event), name, size);
}

/* ---- times ---- */

static void set_base(struct trace *t, int64_t near_us)
{
	t->has_base = true;
	t->base_us = near_us & ~(TRACE_GRID_US - 1);
	eventlog_set_base(t->log, t->base_us);
}

bool trace_start(struct trace *t, const struct trace_event *event, int64_t *start_ps)
{
	if (!event->start.known) {
		trace_report_issue(t, ISSUE_LOSS, "event-time",
			"events without a time (\"ts\") that can be read, left out", event);
		return false;
	}
	if (!t->has_base)
		set_base(t, event->start.us);
	if (trace_time_since(&event->start, t->base_us, start_ps))
		return true;
	trace_report_issue(t, ISSUE_LOSS, "clock-jump",
		"events whose time is far from that of the others, left out", event);
	return false;
}

int64_t trace_duration(struct trace *t, const struct trace_event *event)
{
	int64_t ps;

	if (event->odd_duration)
		trace_report_issue(t, ISSUE_LOSS, "event-duration",
			"events with a duration (\"dur\") that cannot be read, counted as 0",
			event);
	if (!event->duration.known)
		return 0;
	if (event->duration.us < 0) {
		trace_report_issue(t, ISSUE_LOSS, "negative-time",
			"events of negative duration, counted as 0", event);
		return 0;
	}
	if (!trace_time_since(&event->duration, 0, &ps)) {
		trace_report_issue(t, ISSUE_ERROR, "long-event",
			"events that are longer than the trace or than 7 days", event);
		return 0;
	}
	return ps;
}

/* ---- ops ---- */

struct named_event {
	const struct trace_event *event;
	const struct json_value *name, *type; /* type: NULL where there is none */
};

/* Values that are not strings are written as in the file, without blanks. */
static void add_value(struct text *to, const struct json_value *value)
{
	bool in_string = false;

	if (value->kind == '"') {
		json_add_text(to, value);
		return;
	}
	for (size_t i = 0; i < value->size; i++) {
		char c = value->at[i];

		if (in_string && c == '\\' && i + 1 < value->size) {
			text_add_bytes(to, value->at + i++, 2);
			continue;
		}
		if (c == '"')
			in_string = !in_string;
		if (in_string || !(c == ' ' || c == '\n' || c == '\t' || c == '\r'))
			text_add_char(to, c);
	}
}

static bool add_field(void *context, enum name_field field, const char *key, struct text *to)
{
	const struct named_event *n = context;
	struct json_value arg;

	switch (field) {
	case NAME_NAME:
		add_value(to, n->name);
		return true;
	case NAME_CATEGORY:
		add_value(to, &n->event->category);
		return true;
	case NAME_PROCESS:
		add_value(to, &n->event->process);
		return true;
	case NAME_THREAD:
		add_value(to, &n->event->thread);
		return true;
	case NAME_TYPE:
		if (n->type)
			add_value(to, n->type);
		return true;
	case NAME_ARG:
		break;
	}
	arg = trace_arg(n->event, key);
	add_value(to, &arg);
	return arg.kind != 0;
}

static bool next_key(void *context, size_t *at, const char **key, size_t *size)
{
	const struct named_event *n = context;
	struct json_member arg;

	if (!trace_next_arg(n->event, at, &arg))
		return false;
	*key = arg.key.at;
	*size = arg.key.size;
	return true;
}

static struct known_op new_op(struct trace *t, const struct trace_event *event,
	const struct json_value *name, const struct json_value *type)
{
	text_clear(&t->scratch);
	if (trace_requests_has_name(t->asked)) {
		struct named_event named = {event, name, type};
		const struct name_source source = {add_field, next_key, &named};

		trace_requests_fill_name(t->asked, &t->scratch, &source);
	} else if (json_add_text(&t->scratch, name) > 0)
		trace_report_issue(t, ISSUE_INFO, "json-escape",
			"names with a backslash that is not an escape, used as it is", event);
	if (json_has_zero(name))
		trace_report_issue(t, ISSUE_INFO, "name-zero",
			"names with a zero byte inside, shown as \\0", event);
	text_clear(&t->type_scratch);
	if (type)
		json_add_text(&t->type_scratch, type);
	return (struct known_op){
		.op = eventlog_op(t->log, text_string(&t->scratch), t->scratch.size,
			text_string(&t->type_scratch), t->type_scratch.size),
		.type = eventlog_type(t->log, text_string(&t->type_scratch), t->type_scratch.size)};
}

static inline bool is_same_pair(const struct name_pair *a, const struct name_pair *b)
{
	return a->first == b->first && a->first_size == b->first_size && a->second == b->second &&
	       a->second_size == b->second_size;
}

bool trace_pair(struct trace *t, const struct trace_event *event, const struct name_pair *pair,
	uint32_t *id)
{
	uint32_t *number = NULL;

	if (event->is_ahead && event->pair_key && is_same_pair(pair, &event->pair)) {
		number = number_of(&t->pair_numbers, event, event->pair_key);
		*id = *number - 1;
		if (*number)
			return true;
	}
	if (!intern_pair(t->raw, pair, t->opt->limits.ops, id))
		return false;
	t->op_of =
		memory_make_room_zeroed(t->op_of, &t->op_room, (size_t)*id + 1, sizeof(*t->op_of));
	if (number)
		*number = *id + 1;
	return true;
}

static struct name_pair pair_of(const struct json_value *name, const struct json_value *type)
{
	return (struct name_pair){.first = name->at,
		.first_size = name->size,
		.second = type ? type->at : NULL,
		.second_size = type ? type->size : 0};
}

uint32_t trace_traits(struct trace *t, const struct trace_event *event)
{
	const struct name_pair pair = pair_of(&event->name, &event->category);
	struct known_op *known;
	uint32_t id;

	if (event->is_ahead)
		return event->traits;
	if (!trace_pair(t, event, &pair, &id))
		return t->dialect->ahead->traits(event);
	known = &t->op_of[id];
	if (!known->has_traits)
		known->traits = t->dialect->ahead->traits(event);
	known->has_traits = true;
	return known->traits;
}

static struct known_op find_op(struct trace *t, const struct trace_event *event,
	const struct json_value *name, const struct json_value *type)
{
	const struct name_pair pair = pair_of(name, type);
	struct known_op *known, made;
	uint32_t id;

	/* A name by a template depends on more than name and type. */
	if (trace_requests_has_name(t->asked) || !trace_pair(t, event, &pair, &id))
		return new_op(t, event, name, type);
	known = &t->op_of[id];
	if (known->has_op)
		return *known;
	made = new_op(t, event, name, type);
	known->op = made.op;
	known->type = made.type;
	known->has_op = true;
	return *known;
}

bool trace_known_op(const struct trace *t, uint32_t pair, struct event *event)
{
	const struct known_op *known = &t->op_of[pair];

	event->op = known->op;
	event->type = known->type;
	return known->has_op;
}

uint32_t trace_op(struct trace *t, const struct trace_event *event, const struct json_value *name,
	const struct json_value *type, uint8_t *event_type)
{
	struct known_op found = find_op(t, event, name, type);

	*event_type = found.type;
	return found.op;
}

/* The text of a string. Most have nothing to resolve and stay where they are. */
static const char *plain_text(struct trace *t, const struct json_value *name, size_t *size)
{
	*size = name->size;
	if (name->size == 0 || (!memchr(name->at, '\\', name->size) && !json_has_zero(name)))
		return name->at;
	text_clear(&t->scratch);
	json_add_text(&t->scratch, name);
	*size = t->scratch.size;
	return text_string(&t->scratch);
}

int trace_is_user_code(struct trace *t, const struct json_value *name, struct error *err)
{
	size_t size;
	const char *text = plain_text(t, name, &size);

	return trace_requests_is_user_code(t->asked, text, size, err);
}

/* ---- steps ---- */

bool trace_has_marker(const struct trace *t)
{
	return trace_requests_has_marker(t->asked);
}

int trace_is_marker(struct trace *t, const struct json_value *name, struct marker_name *marker,
	struct error *err)
{
	const char *text;
	size_t size;

	if (!trace_requests_has_marker(t->asked))
		return 0;
	text = plain_text(t, name, &size);
	return trace_requests_is_marker(t->asked, text, size, marker, err);
}

const char *trace_kind(struct trace *t, const struct json_value *name)
{
	const struct marker_name elsewhere = {.numbered = true, .number = INT64_MIN};
	size_t size;
	const char *text = plain_text(t, name, &size);

	return trace_requests_kind(t->asked, text, size, &elsewhere);
}

int trace_mark(struct trace *t, const struct trace_event *event, const struct marker_name *name,
	struct error *err)
{
	struct step_mark mark = {.numbered = name->numbered,
		.number = name->number,
		.kind = name->kind,
		.is_whole = name->is_whole,
		.outermost = t->opt->trace.marker != NULL};
	uint32_t lane;

	if (!trace_start(t, event, &mark.start_ps))
		return 0;
	if (trace_lane(t, event, &lane, err) != 0)
		return -1;
	mark.process = eventlog_lane_at(t->log, lane)->process;
	mark.thread = lane + 1;
	if (!number_add(mark.start_ps, trace_duration(t, event), &mark.end_ps))
		mark.end_ps = INT64_MAX;
	return eventlog_mark(t->log, &mark, err);
}

int trace_place(struct trace *t, const struct trace_event *event, const struct json_value *name,
	struct event *out, struct error *err)
{
	struct marker_name known;
	int marker = trace_is_marker(t, name, &known, err);

	if (marker != 0)
		return marker < 0 ? -1 : trace_mark(t, event, &known, err);
	if (!trace_start(t, event, &out->start_ps))
		return 0;
	if (trace_lane(t, event, &out->lane, err) != 0)
		return -1;
	out->dur_ps = trace_duration(t, event);
	return 1;
}

void trace_note_far(struct trace *t, const struct trace_event *event, uint32_t op)
{
	int64_t dur_ps;

	if (event->start.known && event->duration.known && event->duration.us >= 0 &&
		trace_time_since(&event->duration, 0, &dur_ps))
		eventlog_doubt(t->log, DOUBT_CLOCK_JUMP, op, DOUBT_LEFT_OUT, dur_ps);
}

/* A duration that cannot be true counts as 0. */
static void note_duration(struct trace *t, const struct trace_event *event, struct event *e)
{
	int64_t dur_ps;

	if (!event->duration.known)
		return;
	if (event->duration.us < 0) {
		if (e->kind == EVENT_OP)
			eventlog_doubt(t->log, DOUBT_NEGATIVE_TIME, e->op, DOUBT_UNMEASURED, 0);
	} else if (e->dur_ps == 0 && !trace_time_since(&event->duration, 0, &dur_ps)) {
		if (e->kind == EVENT_OP)
			eventlog_doubt(t->log, DOUBT_LONG_EVENT, e->op, DOUBT_BEYOND, 0);
	} else {
		return;
	}
	if (e->flags & EVENT_LAUNCHED)
		e->flags |= EVENT_UNMEASURED;
}

int trace_place_op(struct trace *t, const struct trace_event *event, const struct json_value *name,
	const struct json_value *type, struct event *out, struct error *err)
{
	int placed;

	name = name ? name : &event->name;
	placed = trace_place(t, event, name, out, err);
	if (placed == 0 && event->start.known && out->kind == EVENT_OP && !trace_has_marker(t))
		trace_note_far(t, event, trace_op(t, event, name, type, &out->type));
	if (placed != 1)
		return placed;
	if (out->kind != EVENT_SILENT)
		out->op = trace_op(t, event, name, type, &out->type);
	if (out->dur_ps == 0)
		note_duration(t, event, out);
	return 1;
}

/* ---- one trace ---- */

static int pass_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	return t->dialect->event(t, event, err);
}

/* The base out of the events that wait, which are read now. */
static int set_base_from_waiting(struct trace *t, struct error *err)
{
	if (t->has_base || t->starts.count == 0)
		return 0;
	set_base(t, trace_starts_middle(&t->starts));
	return trace_wait_end(t->early, t, pass_event, err);
}

/* Without a base, as after much that has no time, the first events wait: the very first may be
 * astray. */
static bool waits_for_base(struct trace *t, const struct trace_event *event)
{
	if (t->has_base || !event->start.known || t->starts.count == TRACE_STARTS_MOST)
		return false;
	if (!t->early)
		t->early = trace_wait_new();
	if (!trace_wait_add(t->early, event, trace_is_part(t)))
		return false;
	t->starts.us[t->starts.count++] = event->start.us;
	return true;
}

int trace_add_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	if (event->phase == 'M') {
		/* process_name and thread_name; the sort indexes and labels are for viewers. */
		struct json_value name = trace_arg(event, "name");
		uint32_t lane;

		if (name.kind == 0 || !(json_equal(&event->name, "process_name") ||
					      json_equal(&event->name, "thread_name")))
			return 0;
		text_clear(&t->scratch);
		json_add_text(&t->scratch, &name);
		if (json_equal(&event->name, "process_name")) {
			name_process(t, event);
			return 0;
		}
		if (trace_lane(t, event, &lane, err) != 0)
			return -1;
		eventlog_lane_at(t->log, lane)->name =
			eventlog_text(t->log, text_string(&t->scratch), t->scratch.size);
		return 0;
	}
	if (waits_for_base(t, event))
		return 0;
	if (event->start.known && set_base_from_waiting(t, err) != 0)
		return -1;
	return pass_event(t, event, err);
}

bool trace_takes_ready(const struct trace *t, int64_t *base_us)
{
	*base_us = t->base_us;
	return t->has_base && t->dialect->ready && t->opt->trace.rows == TRACE_ROWS_OPS &&
	       !trace_requests_has_marker(t->asked) && !trace_requests_has_name(t->asked);
}

int trace_add_ready(struct trace *t, const struct trace_ready *ready, struct error *err)
{
	const uint32_t lane = known_number(&t->lane_numbers, ready, ready->lane_key),
		       pair = known_number(&t->pair_numbers, ready, ready->pair_key);
	struct event event = {.lane = lane - 1,
		.start_ps = ready->start_ps,
		.dur_ps = ready->dur_ps,
		.link = ready->link};

	if (!lane || !pair)
		return 0;
	return t->dialect->ready(t, ready, pair - 1, &event, err);
}

int trace_add_member(struct trace *t, const struct json_member *member, struct error *err)
{
	return t->dialect->member ? t->dialect->member(t, member, err) : 0;
}

void trace_set_near(struct trace *t, int64_t near_us)
{
	set_base(t, near_us);
}

bool trace_is_part(const struct trace *t)
{
	return t->part != NULL;
}

void trace_set_part(struct trace *t, const struct merged_part *part)
{
	t->part = part;
}

/* The process of the host, where all events of the host are of one. */
static void note_process(struct trace *t, const struct trace_totals *totals)
{
	const char *pid = NULL, *process;
	int64_t number;

	for (size_t i = 0; i < eventlog_lane_count(t->log); i++) {
		const struct lane *lane = eventlog_lane_at(t->log, (uint32_t)i);
		const char *key = eventlog_process_key(t->log, lane->process);

		if (lane->accelerator || !number_parse_int(key, strlen(key), &number))
			continue;
		if (pid && !text_equal(pid, key))
			return;
		pid = key;
	}
	if (!pid)
		return;
	facts_set(&t->out->facts, t->out->arena, FACT_PID, pid, strlen(pid));
	host_of_file(t->out);
	if (!totals->process_key || t->out->facts.pid != totals->process)
		return;
	process = arena_printf(
		t->out->arena, "%s, track %llu", pid, (unsigned long long)totals->process_key);
	facts_set(&t->out->facts, t->out->arena, FACT_PROCESS, process, strlen(process));
}

int trace_end(
	struct trace *t, const struct trace_totals *totals, const char *path, struct error *err)
{
	bool numbered;
	int64_t number = 0, base_ns;

	if (set_base_from_waiting(t, err) != 0)
		return -1;
	t->out->base_ns = totals->epoch_ns;
	if (t->has_base &&
		(__builtin_mul_overflow(t->base_us, NS_PER_US, &base_ns) ||
			__builtin_add_overflow(base_ns, totals->epoch_ns, &t->out->base_ns)))
		t->out->base_ns = 0;
	if (t->dialect->end && t->dialect->end(t, err) != 0)
		return -1;
	trace_requests_report_unused(t->asked);
	/* Marks of the user are slices of the host. What they launched is in other processes. */
	if (trace_requests_has_marker(t->asked))
		eventlog_share_marks(t->log);
	numbered = t->dialect->file_is_step && step_number_among_words(path, &number);
	/* Numbers in names of files do not show that steps go on from file to file. */
	if (t->dialect->has_pids && (!numbered || eventlog_mark_count(t->log)))
		note_process(t, totals);
	if (eventlog_finish(t->log, number, numbered, err) != 0)
		return -1;
	trace_requests_report_found(t->asked, t->log, t->dialect->outside_hint);
	if (totals->events == CAP_EVENTS)
		trace_report_cap(t, t->out->step_count);
	return 0;
}

struct trace *trace_new(struct input *in, struct profile *out, const struct read_options *opt,
	const struct trace_dialect *dialect, struct error *err)
{
	struct eventlog_options log = trace_requests_log_options(opt);
	struct trace *t = memory_alloc(sizeof(*t));
	const bool has_words = trace_requests_take_words(opt, &log, dialect->words);

	log.device_option = dialect->device_option;
	*t = (struct trace){.in = in, .out = out, .opt = opt, .dialect = dialect};
	text_init(&t->scratch);
	text_init(&t->type_scratch);
	text_init(&t->key_scratch);
	t->arena = arena_new();
	t->raw = intern_pairs_new(t->arena);
	t->raw_lanes = intern_pairs_new(t->arena);
	t->state = dialect->state_bytes ? arena_alloc(t->arena, dialect->state_bytes) : NULL;
	t->log = eventlog_new(out, &log);
	t->asked = trace_requests_new(out, opt, t->arena, err);
	trace_requests_set_words(t->asked, has_words ? dialect->words : NULL);
	if (t->asked)
		return t;
	trace_free(t);
	return NULL;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	if (t->dialect->release)
		t->dialect->release(t);
	trace_wait_free(t->early);
	eventlog_free(t->log);
	memory_free(t->op_of);
	memory_free(t->lane_of);
	release_numbers(&t->pair_numbers);
	release_numbers(&t->lane_numbers);
	trace_requests_free(t->asked);
	arena_free(t->arena);
	text_release(&t->scratch);
	text_release(&t->type_scratch);
	text_release(&t->key_scratch);
	memory_free(t);
}
