/*
 * What all dialects of Chrome traces share.
 */
#include "ingest/chrome/trace.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "ingest/input/step_number.h"
#include "ingest/chrome/trace_base.h"
#include "ingest/chrome/trace_name.h"
#include "ingest/chrome/trace_parts.h"
#include "ingest/chrome/trace_wait.h"

/* Times are kept relative to a multiple of 2^41 us (25 days) near the first of them: so they fit,
 * and files of one recording share their base. */
#define BASE_GRID_US ((int64_t)1 << 41)
#define NS_PER_US 1000
#define KNOWN_LANES_MOST 65536 /* others are looked up by their texts each time */
#define CAP_EVENTS 1000000     /* of TensorFlow's and JAX's trace viewer files */

struct marker { /* answer of --step-marker for a name */
	bool asked, is_marker, numbered;
	int64_t number;
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
	struct known_op {
		uint32_t op;
		uint8_t type;
	} * op_of;
	size_t op_room;
	struct name_template *name;
	/* Lanes by the text of pid and tid as written in the file. */
	struct intern_pairs *raw_lanes;
	uint32_t *lane_of;
	size_t lane_room;
	const struct merged_part *part; /* NULL: the trace is a file of its own */
	struct intern *marker_names;
	struct marker *marker;
	size_t marker_room;
	bool is_marked; /* --step-marker matched a name */
	struct intern *frames;
	signed char *is_user_code; /* by frame: 1, 0 */
	size_t frame_room;
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

/* ---- lanes ---- */

static uint32_t process_of(struct trace *t, const struct trace_event *event)
{
	text_clear(&t->key_scratch);
	json_add_text(&t->key_scratch, &event->process);
	return eventlog_process(t->log, text_string(&t->key_scratch), t->key_scratch.size);
}

static uint32_t new_lane(struct trace *t, const struct trace_event *event, struct error *err)
{
	const uint32_t process = process_of(t, event);

	text_clear(&t->key_scratch);
	json_add_text(&t->key_scratch, &event->thread);
	return eventlog_lane(
		t->log, process, text_string(&t->key_scratch), t->key_scratch.size, err);
}

int trace_lane(struct trace *t, const struct trace_event *event, uint32_t *lane, struct error *err)
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
	*lane = new_lane(t, event, err);
	if (*lane == UINT32_MAX)
		return -1;
	if (is_kept) {
		t->lane_of = memory_make_room(
			t->lane_of, &t->lane_room, (size_t)id + 1, sizeof(*t->lane_of));
		t->lane_of[id] = *lane;
	}
	return 0;
}

/* By the text in scratch. In a merged trace the name begins with a label, which may be all of
 * it. */
static void name_process(struct trace *t, const struct trace_event *event)
{
	const char *name = text_string(&t->scratch);
	size_t size = t->scratch.size;

	if (t->part)
		merged_cut_label(t->part, &name, &size);
	if (size > 0 || !t->part)
		eventlog_name_process(t->log, process_of(t, event), name, size);
}

/* process_name and thread_name; the sort indexes and labels are for viewers. */
static int add_metadata(struct trace *t, const struct trace_event *event, struct error *err)
{
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

/* ---- times ---- */

static void set_base(struct trace *t, int64_t near_us)
{
	t->has_base = true;
	t->base_us = near_us & ~(BASE_GRID_US - 1);
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

static struct known_op new_op(struct trace *t, const struct trace_event *event,
	const struct json_value *name, const struct json_value *type)
{
	text_clear(&t->scratch);
	if (t->name)
		name_template_fill(t->name, &t->scratch, event, name);
	else if (json_add_text(&t->scratch, name) > 0)
		trace_report_issue(t, ISSUE_INFO, "json-escape",
			"names with a backslash that is not an escape, used as it is", event);
	if (json_has_zero(name))
		trace_report_issue(t, ISSUE_INFO, "name-zero",
			"names with a zero byte inside, shown as \\0", event);
	text_clear(&t->type_scratch);
	if (type)
		json_add_text(&t->type_scratch, type);
	return (struct known_op){eventlog_op(t->log, text_string(&t->scratch), t->scratch.size,
					 text_string(&t->type_scratch), t->type_scratch.size),
		eventlog_type(t->log, text_string(&t->type_scratch), t->type_scratch.size)};
}

static struct known_op find_op(struct trace *t, const struct trace_event *event,
	const struct json_value *name, const struct json_value *type)
{
	const size_t known = intern_pair_count(t->raw);
	const struct name_pair pair = {.first = name->at,
		.first_size = name->size,
		.second = type ? type->at : NULL,
		.second_size = type ? type->size : 0};
	uint32_t id;

	/* A name by a template depends on more than name and type. */
	if (t->name || !intern_pair(t->raw, &pair, t->opt->limits.ops, &id))
		return new_op(t, event, name, type);
	if (id < known)
		return t->op_of[id];
	t->op_of = memory_make_room(t->op_of, &t->op_room, (size_t)id + 1, sizeof(*t->op_of));
	return t->op_of[id] = new_op(t, event, name, type);
}

uint32_t trace_op(struct trace *t, const struct trace_event *event, const struct json_value *name,
	const struct json_value *type, uint8_t *event_type)
{
	struct known_op found = find_op(t, event, name, type);

	*event_type = found.type;
	return found.op;
}

/* A trace has few names of frames, and many frames. */
int trace_is_user_code(struct trace *t, const struct json_value *name, struct error *err)
{
	const struct trace_options *opt = &t->opt->trace;
	const char *at = name->size ? name->at : "";
	const size_t known = intern_count(t->frames);
	uint32_t id = 0;
	int answer;

	if (!opt->user_code)
		return 1;
	if (intern_find(t->frames, at, name->size, &id))
		return t->is_user_code[id];
	text_clear(&t->scratch);
	json_add_text(&t->scratch, name);
	answer = opt->user_code(opt->user_code_context, text_string(&t->scratch), err);
	if (answer < 0 || known >= t->opt->limits.ops)
		return answer;
	id = intern_id(t->frames, at, name->size);
	t->is_user_code = memory_make_room(t->is_user_code, &t->frame_room, (size_t)id + 1, 1);
	t->is_user_code[id] = (signed char)answer;
	return answer;
}

/* ---- steps ---- */

bool trace_has_marker(const struct trace *t)
{
	return t->opt->trace.marker != NULL;
}

/* Where the answer for this name is kept; NULL when there are too many names to keep them all. */
static struct marker *cached_answer(struct trace *t, const struct json_value *name)
{
	const char *at = name->size ? name->at : "";
	uint32_t id;

	if (!intern_find(t->marker_names, at, name->size, &id)) {
		if (intern_count(t->marker_names) >= t->opt->limits.ops)
			return NULL;
		id = intern_id(t->marker_names, at, name->size);
	}
	t->marker = memory_make_room_zeroed(
		t->marker, &t->marker_room, (size_t)id + 1, sizeof(*t->marker));
	return &t->marker[id];
}

int trace_is_marker(struct trace *t, const struct json_value *name, bool *numbered, int64_t *number,
	struct error *err)
{
	struct marker here = {0}, *m;

	if (!t->opt->trace.marker)
		return 0;
	m = cached_answer(t, name);
	m = m ? m : &here;
	if (!m->asked) {
		int answer;

		text_clear(&t->scratch);
		json_add_text(&t->scratch, name);
		answer = t->opt->trace.marker(t->opt->trace.marker_context,
			text_string(&t->scratch), &m->numbered, &m->number, err);
		if (answer < 0)
			return -1;
		m->asked = true;
		m->is_marker = answer > 0;
		t->is_marked |= m->is_marker;
	}
	*numbered = m->numbered;
	*number = m->number;
	return m->is_marker;
}

int trace_mark(struct trace *t, const struct trace_event *event, bool numbered, int64_t number,
	struct error *err)
{
	struct step_mark mark = {
		.numbered = numbered, .number = number, .outermost = t->opt->trace.marker != NULL};
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
	bool numbered;
	int64_t number;
	int marker = trace_is_marker(t, name, &numbered, &number, err);

	if (marker != 0)
		return marker < 0 ? -1 : trace_mark(t, event, numbered, number, err);
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

int trace_add(struct trace *t, const struct trace_event *event, const struct json_value *name,
	const struct json_value *type, const struct event *extra, struct error *err)
{
	struct event e = extra ? *extra : (struct event){0};
	int placed;

	name = name ? name : &event->name;
	placed = trace_place(t, event, name, &e, err);
	if (placed == 0 && event->start.known && e.kind == EVENT_OP && !trace_has_marker(t))
		trace_note_far(t, event, trace_op(t, event, name, type, &e.type));
	if (placed != 1)
		return placed;
	if (e.kind != EVENT_SILENT)
		e.op = trace_op(t, event, name, type, &e.type);
	if (e.dur_ps == 0)
		note_duration(t, event, &e);
	return eventlog_add(t->log, &e, err);
}

/* ---- one trace ---- */

static int pass_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	return t->dialect->event(t, event, err);
}

/* The base out of the events that wait, which are read now. */
static int resolve_base(struct trace *t, struct error *err)
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
	if (event->phase == 'M')
		return add_metadata(t, event, err);
	if (waits_for_base(t, event))
		return 0;
	if (event->start.known && resolve_base(t, err) != 0)
		return -1;
	return pass_event(t, event, err);
}

int trace_add_member(struct trace *t, const struct json_member *member, struct error *err)
{
	return t->dialect->member ? t->dialect->member(t, member, err) : 0;
}

#define NEAREST_MOST 3

/* For the message, should no trace have what was asked for. */
static void store_words(
	struct trace *t, const char *asked, const struct intern *from, struct tally_words *to)
{
	size_t count = intern_count(from), near[NEAREST_MOST], found;
	const char **word = arena_array(t->arena, count + 1, sizeof(*word));

	if (count == 0 || atomic_flag_test_and_set(&to->taken))
		return;
	for (size_t i = 0; i < count; i++)
		word[i] = intern_name(from, (uint32_t)i);
	found = text_nearest_few(asked, word, count, near, NEAREST_MOST);
	to->near = found > 0;
	for (; !to->near && found < NEAREST_MOST && found < count; found++)
		near[found] = found;
	text_clear(&t->scratch);
	for (size_t i = 0; i < found; i++) {
		text_add(&t->scratch, i ? ", " : "");
		text_add_visible(&t->scratch, word[near[i]]);
		if (t->scratch.size >= sizeof(to->words))
			break;
		memcpy(to->words, text_string(&t->scratch), t->scratch.size + 1);
	}
}

/* What the user said of the trace and what took nothing in it; where that is so in all of them it
 * is an error. */
static void report_unused(struct trace *t)
{
	const struct trace_options *opt = &t->opt->trace;
	struct issue_list *issues = &t->out->issues;
	uint64_t fields = 0;
	const char *missing = t->name ? name_template_missing(t->name, &fields) : NULL;

	if (missing)
		issue_add(issues, ISSUE_LOSS, arena_printf(t->out->arena, "no-field %s", missing),
			arena_printf(t->out->arena,
				"traces without an event that has {args.%s} of --name", missing),
			1, t->out->path);
	if (opt->marker && !t->is_marked)
		issue_add(issues, ISSUE_LOSS, "marker-unused",
			"traces in which --step-marker matches no slice", 1, t->out->path);
	if (!opt->tally)
		return;
	atomic_fetch_add(&opt->tally->traces, 1);
	atomic_fetch_add(&opt->tally->marked, t->is_marked);
	atomic_fetch_or(&opt->tally->fields, fields);
	if (opt->marker && !t->is_marked)
		store_words(t, opt->marker_text, t->marker_names, &opt->tally->names);
	if (missing)
		store_words(t, missing, name_template_keys(t->name), &opt->tally->keys);
}

/* Where rows are launchers; a trace without launches, as of a rank without a device, is an error
 * only if no other one has any. */
static void count_launched(struct trace *t)
{
	struct trace_tally *tally = t->opt->trace.tally;
	const struct log_launched launched = eventlog_launched(t->log);

	if (t->opt->trace.rows != TRACE_ROWS_OPS && !launched.any)
		issue_add(&t->out->issues, ISSUE_LOSS, "no-launches",
			"traces without a launch of a device's work: in their steps every row but "
			"[not attributed] is 0",
			1, t->out->path);
	if (!tally)
		return;
	atomic_fetch_add(&tally->launched, launched.any);
	atomic_fetch_add(&tally->labelled, launched.labelled);
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

int trace_end(
	struct trace *t, const struct trace_totals *totals, const char *path, struct error *err)
{
	bool numbered;
	int64_t number = 0;

	if (resolve_base(t, err) != 0)
		return -1;
	t->out->base_ns = 0;
	if (t->has_base && __builtin_mul_overflow(t->base_us, NS_PER_US, &t->out->base_ns))
		t->out->base_ns = 0;
	if (t->dialect->end && t->dialect->end(t, err) != 0)
		return -1;
	report_unused(t);
	numbered = t->dialect->file_is_step && step_number_among_words(path, &number);
	if (eventlog_finish(t->log, number, numbered, err) != 0)
		return -1;
	count_launched(t);
	if (totals->events == CAP_EVENTS)
		trace_report_cap(t, t->out->step_count);
	return 0;
}

static struct eventlog_options log_options(const struct read_options *opt)
{
	return (struct eventlog_options){
		.limits = opt->limits,
		.buffer_bytes = opt->trace.sort_bytes,
		.spill_folder = opt->trace.spill_folder,
		.max_spill_bytes = opt->trace.max_spill_bytes,
		.window = opt->trace.window,
		.window_count = opt->trace.window_count,
		.totals = opt->trace.totals,
		.row_of = opt->trace.row_of,
		.row_context = opt->trace.row_context,
		.calls = opt->calls,
		.call_store = opt->call_store,
		.merge_only_child = opt->trace.key_averages,
		.by_launcher = opt->trace.rows != TRACE_ROWS_OPS,
		.unlabelled = opt->trace.rows == TRACE_ROWS_PHASES ? "other" : NULL,
		.stack_depth = opt->trace.rows == TRACE_ROWS_STACKS ? opt->trace.stack_depth : 1,
		.sink = opt->trace.sink,
		.context = opt->trace.sink_context,
	};
}

struct trace *trace_new(struct input *in, struct profile *out, const struct read_options *opt,
	const struct trace_dialect *dialect, struct error *err)
{
	struct eventlog_options log = log_options(opt);
	struct trace *t = memory_alloc(sizeof(*t));

	*t = (struct trace){.in = in, .out = out, .opt = opt, .dialect = dialect};
	text_init(&t->scratch);
	text_init(&t->type_scratch);
	text_init(&t->key_scratch);
	t->arena = arena_new();
	t->raw = intern_pairs_new(t->arena);
	t->raw_lanes = intern_pairs_new(t->arena);
	t->marker_names = intern_new(t->arena);
	t->frames = intern_new(t->arena);
	t->state = dialect->state_bytes ? arena_alloc(t->arena, dialect->state_bytes) : NULL;
	t->log = eventlog_new(out, &log);
	if (!opt->trace.name || name_template_new(opt->trace.name, t->arena, &t->name, err) == 0)
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
	memory_free(t->marker);
	memory_free(t->is_user_code);
	arena_free(t->arena);
	text_release(&t->scratch);
	text_release(&t->type_scratch);
	text_release(&t->key_scratch);
	memory_free(t);
}
