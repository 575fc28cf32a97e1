/* Timelines of TensorFlow: of timeline.py (ProfilerHook) and of tfprof's -output timeline. A file
 * is a step, unless it was merged (tfprof/files/timeline_rows.h). Its rows are not threads: the
 * writers put each execution into the first row that is free, so nothing nests.
 *
 * Which rows count, and as what, are tfprof's rules for the same devices: /job:.../gpu:0 is
 * scheduling on the CPU, /gpu:0/stream:all what the device did (tfprof/files/timeline_rows.h).
 * The durations of timeline.py are all_end_rel_micros; tfprof uses op_end_rel_micros, which is
 * less on a CPU. The rows of the host tracer count where tfprof has no time for them. */
#include <string.h>
#include "base/memory.h"
#include "tfprof/files/timeline_rows.h"
#include "ingest/chrome/trace.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "tfprof/graph/host_trace.h"
#include "tfprof/graph/step_stats.h"

#define SCOPE "Scope:"
#define UNKNOWN "unknown" /* the type that timeline.py writes where it knows none */

/* An op in the rows of one process. */
struct use {
	uint32_t op, process;
	const char *type; /* NULL: more than one */
};

/* Facts from the texts of an execution: "name" and "op" of its arguments, as written. */
struct known_node {
	bool is_known;
	bool is_transport, is_source, is_unknown; /* is_unknown: of its type */
	size_t name_size;			  /* of the node, out of the whole name */
	const char *type;
	bool has_op;
	uint32_t op;
	uint8_t event_type;
	size_t last_use[2]; /* that were noted of it, the last one first: it runs on the host and on
			       a device */
};

struct timeline_reader {
	struct timeline_steps steps;
	struct timeline_host host;
	struct vec events; /* uint64_t, by lane */
	struct arena *arena;
	struct intern *uses, *types;
	struct known_node *node; /* of each pair */
	size_t node_room;
	struct vec use;
	struct text scratch;
	bool is_begun;
};

static void begin(struct timeline_reader *tl, const struct read_options *opt)
{
	tl->is_begun = true;
	timeline_host_init(&tl->host, opt->limits.observations);
	timeline_steps_init(&tl->steps);
	vec_init(&tl->events, sizeof(uint64_t), SIZE_MAX, "lanes");
	vec_init(&tl->use, sizeof(struct use), SIZE_MAX, "ops");
	text_init(&tl->scratch);
	tl->arena = arena_new();
	tl->uses = intern_new(tl->arena);
	tl->types = intern_new(tl->arena);
}

static void timeline_release(struct trace *t)
{
	struct timeline_reader *tl = trace_state(t);

	if (!tl->is_begun)
		return;
	timeline_steps_release(&tl->steps);
	timeline_host_release(&tl->host);
	vec_release(&tl->events);
	vec_release(&tl->use);
	text_release(&tl->scratch);
	memory_free(tl->node);
	arena_free(tl->arena);
}

/* ---- types ---- */

/* The types of executions of the host tracer, "unknown" in timeline.py, are in their names. */
static const char *type_text(
	struct timeline_reader *tl, const struct json_value *type, const struct json_value *name)
{
	struct text whole;

	text_clear(&tl->scratch);
	if (name->kind == '"' && json_equal(type, UNKNOWN)) {
		text_init(&whole);
		json_add_text(&whole, name);
		host_trace_type(text_string(&whole), whole.size, &tl->scratch);
		text_release(&whole);
	}
	if (tl->scratch.size == 0 && type->kind == '"')
		json_add_text(&tl->scratch, type);
	return intern_name(
		tl->types, intern_id(tl->types, text_string(&tl->scratch), tl->scratch.size));
}

/* Rewritten nodes have another type in the rows of streams than in those of the session: the latter
 * counts. Which row is which is known at the end. */
static void note_use(struct trace *t, uint32_t op, uint32_t process, struct known_node *node)
{
	struct timeline_reader *tl = trace_state(t);
	const uint32_t key[] = {op, process};
	uint32_t id;
	struct use *use;

	for (size_t i = 0; i < 2 && node->last_use[i] < tl->use.count; i++) {
		use = vec_at(&tl->use, node->last_use[i]);
		if (use->op == op && use->process == process &&
			(!use->type || use->type == node->type))
			return;
	}
	if (!intern_find(tl->uses, (const char *)key, sizeof(key), &id)) {
		if (tl->use.count >= trace_read_options(t)->limits.ops)
			return;
		id = intern_id(tl->uses, (const char *)key, sizeof(key));
		use = vec_push(&tl->use, NULL);
		*use = (struct use){op, process, node->type};
	}
	if (node->last_use[0] != id) {
		node->last_use[1] = node->last_use[0];
		node->last_use[0] = id;
	}
	use = vec_at(&tl->use, id);
	if (use->type != node->type) /* interned: one text is at one place */
		use->type = NULL;
}

struct op_types {
	const char *type;
	bool is_set, of_host, on_hosts;
};

/* Kinds of the rows of all processes. */
static enum timeline_row *rows_of(struct trace *t)
{
	struct timeline_reader *tl = trace_state(t);
	const struct eventlog *log = trace_log(t);
	size_t processes = eventlog_process_count(log);
	enum timeline_row *row = arena_array(tl->arena, processes, sizeof(*row));

	for (size_t p = 0; p < processes; p++)
		row[p] = timeline_device(eventlog_process_name(log, (uint32_t)p), &tl->scratch);
	return row;
}

/* Sets the types of all ops; returns how many ran on more than one device of the session.
 * of_session: by op, whether it ran on one. */
static size_t set_types(struct trace *t, const bool **of_session)
{
	struct timeline_reader *tl = trace_state(t);
	struct profile *profile = trace_profile(t);
	struct op_types *types = arena_array(tl->arena, profile->op_count, sizeof(*types));
	const enum timeline_row *row = rows_of(t);
	bool *session = arena_array(tl->arena, profile->op_count, sizeof(*session));
	size_t several = 0;

	for (size_t i = 0; i < tl->use.count; i++) {
		struct use *use = vec_at(&tl->use, i);

		if (row[use->process] == ROW_TRACER && use->type && text_equal(use->type, UNKNOWN))
			use->type = "";

		/* One more row's type: those of the session win, different ones of the same rank
		 * leave none. */
		struct op_types *to = &types[use->op];
		bool of_host = row[use->process] == ROW_HOST;

		to->on_hosts |= to->of_host && of_host;
		if (!to->is_set || (of_host && !to->of_host))
			to->type = use->type ? use->type : "";
		else if (of_host == to->of_host && (!use->type || strcmp(use->type, to->type) != 0))
			to->type = "";
		to->is_set = true;
		to->of_host |= of_host;
	}
	for (size_t i = 0; i < profile->op_count; i++) {
		if (types[i].is_set && *types[i].type)
			profile->op[i].type = arena_strdup(profile->arena, types[i].type);
		several += types[i].on_hosts;
		session[i] = types[i].of_host;
	}
	*of_session = session;
	return several;
}

/* ---- events ---- */

static int count_event(struct timeline_reader *tl, uint32_t lane, struct error *err)
{
	while (lane >= tl->events.count)
		if (!vec_push(&tl->events, err))
			return -1;
	++*(uint64_t *)vec_at(&tl->events, lane);
	return 0;
}

/* An execution of a node: its texts, and the facts from them. */
struct node_run {
	const struct trace_event *event;
	struct json_value name; /* of the node */
	struct known_node *node;
	struct known_node own; /* where there are too many to keep them */
};

enum timeline_asked { ASKED_NAME, ASKED_OP };

static const struct trace_ahead timeline_ahead;

static void name_and_type(
	const struct trace_event *event, struct json_value *name, struct json_value *type)
{
	*name = trace_asked(event, &timeline_ahead, ASKED_NAME);
	*type = trace_asked(event, &timeline_ahead, ASKED_OP);
	if (name->kind != '"')
		*name = event->name;
	/* So some writers put a name of the host tracer. */
	else if (json_equal(name, UNKNOWN) && type->kind == '"' && type->size > 0)
		*name = *type;
}

/* Name and type of the node of an execution, where both are texts. */
static void pair_of(const struct trace_event *event, struct name_pair *pair)
{
	struct json_value name, type;

	name_and_type(event, &name, &type);
	*pair = (struct name_pair){0};
	if (name.kind == '"' && (type.kind == '"' || type.kind == 0))
		*pair = (struct name_pair){name.at, type.at, name.size, type.size};
}

static bool is_ready(const struct trace_event *event)
{
	(void)event;
	return true;
}

static const struct trace_ahead timeline_ahead = {
	.asked = {[ASKED_NAME] = "name", [ASKED_OP] = "op"},
	.pair = pair_of,
	.ready = is_ready,
	.phases = "XNODCM",
};

static void read_texts(struct trace *t, struct node_run *x)
{
	struct timeline_reader *tl = trace_state(t);
	struct json_value texts[2], *whole = &texts[0], *type = &texts[1];
	struct name_pair pair;
	uint32_t id;

	if (x->event->is_ahead)
		pair = x->event->pair;
	else
		pair_of(x->event, &pair);
	*whole = (struct json_value){pair.first, pair.first_size, '"'};
	*type = (struct json_value){pair.second, pair.second_size, pair.second ? '"' : 0};
	if (!pair.first)
		name_and_type(x->event, whole, type);
	if (pair.first && trace_pair(t, x->event, &pair, &id)) {
		tl->node = memory_make_room_zeroed(
			tl->node, &tl->node_room, (size_t)id + 1, sizeof(*tl->node));
		x->node = &tl->node[id];
	} else {
		x->own = (struct known_node){.is_known = false};
		x->node = &x->own;
	}
	if (!x->node->is_known) {
		const size_t size =
			whole->kind == '"' ? host_trace_name(whole->at, whole->size) : 0;
		const struct json_value name = {
			whole->at, size > 0 ? size : whole->size, whole->kind};

		text_clear(&tl->scratch);
		if (name.size)
			text_add_bytes(&tl->scratch, name.at, name.size);
		*x->node = (struct known_node){.is_known = true,
			.is_transport = name_is_transport(text_string(&tl->scratch)),
			.is_source = json_equal(&name, "_SOURCE"),
			.is_unknown = json_equal(type, UNKNOWN),
			.name_size = name.size,
			.type = type_text(tl, type, whole),
			.last_use = {SIZE_MAX, SIZE_MAX}};
	}
	x->name = (struct json_value){whole->at, x->node->name_size, whole->kind};
}

/* The names that --name makes have more in them than the texts of the node. */
static void find_op(struct trace *t, const struct node_run *x, struct event *e)
{
	struct known_node *node = x->node;

	if (!node->has_op || trace_read_options(t)->trace.name) {
		node->op = trace_op(t, x->event, &x->name, NULL, &node->event_type);
		node->has_op = true;
	}
	e->op = node->op;
	e->type = node->event_type;
}

/* Adds an execution with times and lane. */
static int add_execution(struct trace *t, const struct node_run *x, struct event *e,
	uint64_t offset, struct error *err)
{
	struct timeline_reader *tl = trace_state(t);
	const uint32_t process = eventlog_lane_at(trace_log(t), e->lane)->process;
	const bool held = timeline_host_is(&tl->host, trace_log(t), process);

	if (x->node->is_transport) {
		if (x->node->is_source &&
			timeline_steps_source(&tl->steps, process, e->start_ps, err) != 0)
			return -1;
		trace_report_issues(t, ISSUE_INFO, "timeline-transport",
			"executions that are not ops (_SOURCE, RecvTensor, MEMCPY), left out "
			"as tfprof does",
			1, offset);
		return 0;
	}
	if (!held && x->node->is_unknown)
		trace_report_issues(t, ISSUE_INFO, "timeline-unknown",
			"events whose label the writer could not read (type \"unknown\")", 1,
			offset);
	if (count_event(tl, e->lane, err) != 0 ||
		timeline_steps_add(&tl->steps, process, e->start_ps, e->dur_ps, err) != 0)
		return -1;
	find_op(t, x, e);
	note_use(t, e->op, process, x->node);
	return held ? timeline_host_hold(&tl->host, e, err) : eventlog_add(trace_log(t), e, err);
}

static int timeline_ready(struct trace *t, const struct trace_ready *ready, uint32_t pair,
	struct event *event, struct error *err)
{
	struct timeline_reader *tl = trace_state(t);
	struct node_run x = {.node = tl->node + pair};

	if (pair >= tl->node_room || !x.node->is_known || !(x.node->has_op || x.node->is_transport))
		return 0;
	return add_execution(t, &x, event, ready->offset, err) != 0 ? -1 : 1;
}

static int execution(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct node_run x = {.event = event};
	struct event e = {0};
	int placed;

	read_texts(t, &x);
	placed = trace_place(t, event, &x.name, &e, err);
	if (placed == 0 && event->start.known && !x.node->is_transport && !trace_has_marker(t)) {
		find_op(t, &x, &e);
		trace_note_far(t, event, e.op);
	}
	return placed == 1 ? add_execution(t, &x, &e, event->offset, err) : placed;
}

static int timeline_event(struct trace *t, const struct trace_event *event, struct error *err)
{
	struct timeline_reader *tl = trace_state(t);

	if (!tl->is_begun)
		begin(tl, trace_read_options(t));
	switch (event->phase) {
	case 'X':
		return execution(t, event, err);
	case 'N':
	case 'O':
	case 'D':
	case 'C':
		trace_report_issue(t, ISSUE_INFO, "timeline-memory",
			"events about tensors and allocators (show_memory): no bytes are read "
			"from them",
			event);
		return 0;
	default: /* arrows between ops */
		return 0;
	}
}

/* ---- the end ---- */

static void report_counts(struct trace *t, enum issue_severity severity, const char *code,
	const char *text, uint64_t count)
{
	struct profile *profile = trace_profile(t);

	if (count)
		issue_add(&profile->issues, severity, code, text, (size_t)count, profile->path);
}

static void set_devices(struct trace *t)
{
	struct timeline_reader *tl = trace_state(t);
	uint64_t skipped[ROW_KINDS] = {0}, counted[ROW_KINDS] = {0};

	timeline_devices(t, tl->events.data, tl->events.count, skipped, counted);
	report_counts(t, ISSUE_INFO, "timeline-stream",
		"events of single streams, left out: stream:all has them, but for copies",
		skipped[ROW_STREAM]);
	report_counts(t, ISSUE_INFO, "timeline-copy",
		"copies between host and device (rows /memcpy), left out as tfprof does",
		skipped[ROW_COPY]);
	report_counts(t, ISSUE_LOSS, "timeline-device",
		"events of devices that tfprof has no time for, left out", skipped[ROW_OTHER]);
	report_counts(t, ISSUE_INFO, "timeline-stream-all",
		"events of single streams that count, as their device has no stream:all "
		"(tfprof uses only that)",
		counted[ROW_STREAM] + counted[ROW_COPY]);
	report_counts(t, ISSUE_INFO, "timeline-unnamed",
		"events of rows that name no device, counted as CPU time", counted[ROW_UNNAMED]);
}

static int add_host(struct trace *t, const bool *of_session, struct error *err)
{
	struct timeline_reader *tl = trace_state(t);
	struct timeline_host_counts counts = {0};
	bool session = false;

	if (timeline_host_add(
		    &tl->host, trace_log(t), trace_profile(t), of_session, &counts, err) != 0)
		return -1;
	for (size_t i = 0; i < trace_profile(t)->op_count; i++)
		session |= of_session[i];
	report_counts(
		t, ISSUE_INFO, HOST_INSIDE_CODE, HOST_INSIDE_TEXT, session ? counts.counted : 0);
	report_counts(t, ISSUE_INFO, HOST_REPEATED_CODE, HOST_REPEATED_TEXT, counts.repeated);
	report_counts(t, ISSUE_INFO, HOST_THREADS_CODE, HOST_THREADS_TEXT, counts.counted);
	report_counts(t, ISSUE_LOSS, "host-range",
		"executions of /host:CPU with times that do not fit, left out", counts.range);
	return 0;
}

static int timeline_end(struct trace *t, struct error *err)
{
	struct timeline_reader *tl = trace_state(t);
	const bool *of_session;
	size_t merged = 0, several;

	if (!tl->is_begun)
		begin(tl, trace_read_options(t));

	/* Reject tfprof's timelines of scope or code view, and counts a timeline of its writer as
	 * an issue. */
	const struct eventlog *log = trace_log(t);
	bool tfprof = false;

	for (size_t p = 0; p < eventlog_process_count(log); p++) {
		const char *name = eventlog_process_name(log, (uint32_t)p);

		tfprof |= text_starts(name, "Op ");
		if (!text_starts(name, SCOPE))
			continue;
		error_set(err, ERROR_INPUT, trace_profile(t)->path,
			"a timeline of tfprof's scope or code view: a drawing of sums, not of "
			"executions");
		return error_hint(err, "give the profile itself, or a timeline of graph view "
				       "(graph -output timeline:outfile=FILE)");
	}
	report_counts(t, ISSUE_INFO, "timeline-tfprof",
		"tfprof's timeline: without types, without ops that ran on streams only, without "
		"what starts on a device in one microsecond",
		tfprof);
	set_devices(t);
	several = set_types(t, &of_session);
	if (add_host(t, of_session, err) != 0)
		return -1;
	if (trace_has_marker(t))
		return 0;
	if (timeline_steps_mark(&tl->steps, trace_log(t), trace_profile(t)->path, &merged, err) !=
		0)
		return -1;
	report_counts(t, ISSUE_INFO, "timeline-merged",
		"steps merged into one timeline, split where _SOURCE runs again", merged);
	if (merged)
		report_counts(t, ISSUE_LOSS, "timeline-exchanged",
			"ops on other devices in other steps: the merge may have exchanged rows of "
			"devices, so --by=device may be wrong",
			several);
	return 0;
}

static const struct trace_dialect timeline_dialect = {
	.ahead = &timeline_ahead,
	.state_bytes = sizeof(struct timeline_reader),
	.event = timeline_event,
	.ready = timeline_ready,
	.end = timeline_end,
	.release = timeline_release,
	.file_is_step = true,
};

static int timeline_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, &timeline_dialect, err);
}

static int timeline_probe(const struct probe *p)
{
	static const char *const signs[] = {" Compute\"", " Tensors\"",
		"\"Op execution threads: ", "\"Op scheduling threads: ", "\"" SCOPE "0\""};

	if (pftrace_is_of(p, "timeline"))
		return PFTRACE_SCORE;
	if (!probe_is_json(p) || !probe_has(p, "\"traceEvents\"") ||
		!probe_has(p, "\"process_name\""))
		return 0;
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (probe_has(p, signs[i]))
			return 90;
	return 0;
}

const struct reader reader_timeline = {
	.name = "timeline",
	.title = "TensorFlow timeline",
	.summary = "TensorFlow timeline of one step (timeline.py, ProfilerHook, tfprof -output "
		   "timeline)",
	.suffixes = (const char *const[]){".json", NULL},
	.probe = timeline_probe,
	.read = timeline_read,
	.is_file_a_step = true,
	.dialect = &timeline_dialect,
};
