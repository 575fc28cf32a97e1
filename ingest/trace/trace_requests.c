/* Requests of the user about a trace of events. */
#include "ingest/trace/trace_requests.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"

#define UNKNOWN_PHASE "other"

struct marker { /* answer of --step-marker for a name */
	bool asked, is_marker;
	struct marker_name name;
};

struct trace_requests {
	struct profile *out;
	const struct read_options *opt;
	struct arena *arena;
	struct text scratch;
	struct name_template *name;
	trace_row_words *words; /* names of ops; NULL: not these */
	bool has_words;		/* some op has */
	struct intern *marker_names;
	struct marker *marker;
	size_t marker_room;
	bool is_marked;	      /* --step-marker matched a name */
	struct intern *kinds; /* texts of the profile */
	struct intern *frames;
	signed char *is_user_code; /* by frame: 1, 0 */
	size_t frame_room;
};

/* A frame of Python, "$file.py:12 f", "file.py(12): f", "<built-in ...>", "<string>(1): f": no
 * step, however often it comes. */
static bool is_frame(const char *name)
{
	return name[0] == '$' || name[0] == '<' || strstr(name, ".py:") || strstr(name, ".py(");
}

#define DIGITS "0123456789"

/* The size of a number at this place that stands alone: "12" of "step 12", not "3" of "conv_3d". */
static size_t number_at(const char *name, size_t at)
{
	const size_t digits = strspn(name + at, DIGITS);
	const char next = name[at + digits];

	return (at && !strchr(" _-#:=.,/([", name[at - 1])) || (next >= 'a' && next <= 'z') ||
			       (next >= 'A' && next <= 'Z')
		       ? 0
		       : digits;
}

/* The pattern that matches the name and those that differ from it in their first number alone; the
 * name alone where it has no number, or begins with one. Returns the number. */
static int64_t slice_name(const char *name, struct text *out)
{
	int64_t number;
	size_t end = 0;

	if (is_frame(name))
		return MARKER_UNNUMBERED;
	while (name[end] && !number_at(name, end))
		end++;
	if (end == 0)
		end = strlen(name);
	text_add_char(out, '^');
	for (size_t i = 0; i < end; i++) {
		if (strchr("\\^$.|?*+()[]{}", name[i]))
			text_add_char(out, '\\');
		text_add_char(out, name[i]);
	}
	text_add(out, name[end] ? "\\d" : "$");
	return number_parse_int(name + end, number_at(name, end), &number) ? number
									   : MARKER_UNNUMBERED;
}

struct eventlog_options trace_requests_log_options(const struct read_options *opt)
{
	return (struct eventlog_options){
		/* Where rows have the names of slices. */
		.marker_name =
			opt->trace.name || opt->trace.rows == TRACE_ROWS_SHAPES ? NULL : slice_name,
		.limits = opt->limits,
		.threads = opt->threads,
		.buffer_bytes = opt->trace.sort_bytes,
		.spill_folder = opt->trace.spill_folder,
		.max_spill_bytes = opt->trace.max_spill_bytes,
		.window = opt->trace.window,
		.window_count = opt->trace.window_count,
		.step_time = opt->trace.step_time,
		.totals = opt->trace.totals,
		.row_of = opt->trace.row_of,
		.row_context = opt->trace.row_context,
		.ops_suffice = opt->trace.ops_suffice,
		.calls = opt->calls,
		.call_store = opt->call_store,
		.merge_only_child = opt->trace.key_averages,
		.by_launcher = trace_rows_are_launchers(opt->trace.rows),
		.or_host = trace_rows_may_be_host(opt->trace.rows),
		.unlabelled = opt->trace.rows == TRACE_ROWS_PHASES ? UNKNOWN_PHASE : NULL,
		.stack_depth = opt->trace.rows == TRACE_ROWS_STACKS ? opt->trace.stack_depth : 1,
		.captures = opt->trace.captures,
		.captures_out = opt->trace.captures_out,
		.keeps_own_label = opt->trace.rows == TRACE_ROWS_ANNOTATIONS,
		.rows_are_ops = opt->trace.rows == TRACE_ROWS_LAUNCHERS ||
				opt->trace.rows == TRACE_ROWS_SHAPES,
		.sink = opt->trace.sink,
		.context = opt->trace.sink_context,
	};
}

struct trace_requests *trace_requests_new(
	struct profile *out, const struct read_options *opt, struct arena *arena, struct error *err)
{
	struct trace_requests *a = arena_alloc(arena, sizeof(*a));

	*a = (struct trace_requests){.out = out, .opt = opt, .arena = arena};
	if (opt->trace.name && name_template_new(opt->trace.name, arena, &a->name, err) != 0)
		return NULL;
	text_init(&a->scratch);
	a->marker_names = intern_new(arena);
	a->kinds = intern_new(out->arena);
	a->frames = intern_new(arena);
	return a;
}

void trace_requests_free(struct trace_requests *a)
{
	if (!a)
		return;
	memory_free(a->marker);
	memory_free(a->is_user_code);
	text_release(&a->scratch);
}

static const char *as_string(struct trace_requests *a, const char *name, size_t size)
{
	text_clear(&a->scratch);
	text_add_bytes(&a->scratch, name, size);
	return text_string(&a->scratch);
}

/* ---- steps ---- */

bool trace_requests_has_marker(const struct trace_requests *a)
{
	return a->opt->trace.marker != NULL;
}

/* Place of the answer for this name; NULL when there are too many names to keep them all. */
static struct marker *cached_answer(struct trace_requests *a, const char *name, size_t size)
{
	uint32_t id;

	if (!intern_find(a->marker_names, name, size, &id)) {
		if (intern_count(a->marker_names) >= a->opt->limits.ops)
			return NULL;
		id = intern_id(a->marker_names, name, size);
	}
	a->marker = memory_make_room_zeroed(
		a->marker, &a->marker_room, (size_t)id + 1, sizeof(*a->marker));
	return &a->marker[id];
}

const char *trace_requests_kind(
	struct trace_requests *a, const char *name, size_t size, const struct marker_name *marker)
{
	text_clear(&a->scratch);
	step_kind(name, size, marker, &a->scratch);
	if (!a->scratch.size)
		return NULL;
	return intern_name(
		a->kinds, intern_id(a->kinds, text_string(&a->scratch), a->scratch.size));
}

int trace_requests_is_marker(struct trace_requests *a, const char *name, size_t size,
	struct marker_name *marker, struct error *err)
{
	const struct trace_options *opt = &a->opt->trace;
	struct marker here = {0}, *m;

	if (!opt->marker)
		return 0;
	name = size ? name : "";
	m = cached_answer(a, name, size);
	m = m ? m : &here;
	if (!m->asked) {
		int answer = opt->marker(opt->marker_context, as_string(a, name, size),
			&m->name.numbered, &m->name.number, err);

		if (answer < 0)
			return -1;
		m->asked = true;
		m->is_marker = answer > 0;
		if (m->is_marker)
			m->name.kind = trace_requests_kind(a, name, size, &m->name);
		m->name.is_whole = step_is_whole(name, size);
		a->is_marked |= m->is_marker;
	}
	*marker = m->name;
	return m->is_marker;
}

/* ---- names ---- */

/* A trace has few names of frames, and many frames. */
int trace_requests_is_user_code(
	struct trace_requests *a, const char *name, size_t size, struct error *err)
{
	const struct trace_options *opt = &a->opt->trace;
	uint32_t id = 0;
	int answer;

	if (!opt->user_code)
		return 1;
	name = size ? name : "";
	if (intern_find(a->frames, name, size, &id))
		return a->is_user_code[id];
	answer = opt->user_code(opt->user_code_context, as_string(a, name, size), err);
	if (answer < 0 || intern_count(a->frames) >= a->opt->limits.ops)
		return answer;
	id = intern_id(a->frames, name, size);
	a->is_user_code = memory_make_room(a->is_user_code, &a->frame_room, (size_t)id + 1, 1);
	a->is_user_code[id] = (signed char)answer;
	return answer;
}

bool trace_requests_take_words(
	const struct read_options *opt, struct eventlog_options *log, trace_row_words *words)
{
	const enum trace_rows rows = opt->trace.rows;
	const bool taken = words && (rows == TRACE_ROWS_MODULES || rows == TRACE_ROWS_SOURCES ||
					    (rows == TRACE_ROWS_SCOPES && !opt->trace.name));

	if (taken) {
		log->by_launcher = false;
		log->marker_name = NULL;
	}
	return taken;
}

void trace_requests_set_words(struct trace_requests *a, trace_row_words *words)
{
	if (a)
		a->words = words;
}

bool trace_requests_has_words(const struct trace_requests *a)
{
	return a->words != NULL;
}

bool trace_requests_has_name(const struct trace_requests *a)
{
	return a->name || a->words;
}

void trace_requests_fill_name(
	struct trace_requests *a, struct text *to, const struct name_source *source)
{
	if (a->words)
		a->has_words |= a->words(a->opt->trace.rows, source, to);
	else
		name_template_fill(a->name, to, source);
}

/* ---- what took nothing ---- */

#define NEAREST_MOST 3
#define RECURRING_MOST 4

/* Stores keys for the message in case no trace has a field of --name. */
static void store_keys(struct trace_requests *a, const char *missing, struct tally_words *to)
{
	const struct intern *keys = name_template_keys(a->name);
	size_t all = intern_count(keys), near[NEAREST_MOST], found;
	const char **word = arena_array(a->arena, all + 1, sizeof(*word));

	if (all == 0 || atomic_flag_test_and_set(&to->taken))
		return;
	for (size_t i = 0; i < all; i++)
		word[i] = intern_name(keys, (uint32_t)i);
	found = text_nearest_few(missing, word, all, near, NEAREST_MOST);
	to->near = found > 0;
	for (; !to->near && found < NEAREST_MOST && found < all; found++)
		near[found] = found;
	text_clear(&a->scratch);
	for (size_t i = 0; i < found; i++) {
		text_add(&a->scratch, i ? ", " : "");
		text_add_visible(&a->scratch, word[near[i]]);
		if (a->scratch.size >= sizeof(to->words))
			break;
		memcpy(to->words, text_string(&a->scratch), a->scratch.size + 1);
	}
}

void trace_requests_report_unused(struct trace_requests *a)
{
	const struct trace_options *opt = &a->opt->trace;
	struct issue_list *issues = &a->out->issues;
	uint64_t fields = 0;
	const char *missing = a->name ? name_template_missing(a->name, &fields) : NULL;

	if (missing)
		issue_add(issues, ISSUE_LOSS, arena_printf(a->out->arena, "no-field %s", missing),
			arena_printf(a->out->arena,
				"traces without an event that has {args.%s} of --name", missing),
			1, a->out->path);
	if (opt->marker && !a->is_marked)
		issue_add(issues, ISSUE_LOSS, "marker-unused",
			"traces in which --step-marker matches no slice", 1, a->out->path);
	if (!opt->tally)
		return;
	atomic_fetch_add(&opt->tally->traces, 1);
	atomic_fetch_add(&opt->tally->marked, a->is_marked);
	atomic_fetch_or(&opt->tally->fields, fields);
	if (missing)
		store_keys(a, missing, &opt->tally->keys);
}

/* "'^eval_step \d' (12 times), '^loss$' (12 times)"; room is that of the messages. */
static void add_recurring(const struct recurring *found, size_t count, struct text *out)
{
	struct text visible;

	text_init(&visible);
	for (size_t i = 0; i < count && i < RECURRING_MOST; i++) {
		const size_t size = out->size;

		text_add(out, i ? ", " : "");
		text_clear(&visible);
		text_add_visible(&visible, found[i].name);
		text_add_quoted(out, text_string(&visible));
		text_printf(out, " (%zu times)", found[i].count);
		if (out->size >= TALLY_NAMES_SIZE) {
			out->data[out->size = size] = '\0';
			break;
		}
	}
	text_release(&visible);
}

/* Names of slices that may be marks, where there are none. */
static void report_recurring(struct trace_requests *a, const struct eventlog *log)
{
	struct trace_tally *tally = a->opt->trace.tally;
	const struct recurring *found;
	const size_t count = eventlog_recurring(log, &found);

	text_clear(&a->scratch);
	add_recurring(found, count, &a->scratch);
	if (a->scratch.size == 0)
		return;
	if (a->out->step_count && a->out->step[0].unnumbered) /* the file is no step of its own */
		issue_add(&a->out->issues, ISSUE_INFO, STEPS_UNMARKED,
			"recordings without steps in which slices recur regularly: "
			"--step-marker=PATTERN makes steps of those of a pattern",
			1, text_string(&a->scratch));
	if (tally && a->opt->trace.marker && !atomic_flag_test_and_set(&tally->names.taken))
		memcpy(tally->names.words, text_string(&a->scratch), a->scratch.size + 1);
}

/* Counts the work that lies in nothing that makes rows. */
static void report_outside(struct trace_requests *a, struct log_launched launched, const char *hint)
{
	const enum trace_rows rows = a->opt->trace.rows;
	const char *row = rows == TRACE_ROWS_PHASES ? UNKNOWN_PHASE : NOT_ATTRIBUTED_NAME;
	const struct observations *obs = &a->out->obs;
	const int64_t *calls = obs->column[MEASURE_OCCURRENCE];
	int64_t count = 0;
	uint32_t op;

	if (!launched.labelled || !calls || !intern_find(a->out->names, row, strlen(row), &op))
		return;
	for (size_t i = 0; i < obs->count; i++)
		if (obs->op[i] == op && calls[i] != CELL_ABSENT)
			count += calls[i];
	if (count > 0)
		issue_add(&a->out->issues, ISSUE_INFO, "rows-outside",
			arena_printf(a->out->arena, "%s outside of every %s%s%s%s",
				launched.host ? "ops of the host"
					      : "pieces of a device's work launched",
				trace_rows_word(rows), hint ? " (" : "", hint ? hint : "",
				hint ? ")" : ""),
			(size_t)count, row);
}

void trace_requests_report_found(struct trace_requests *a, const struct eventlog *log,
	const char *(*outside_hint)(enum trace_rows rows, bool has_backward))
{
	struct trace_tally *tally = a->opt->trace.tally;
	const struct log_launched launched = eventlog_launched(log);

	report_recurring(a, log);
	issue_add(&a->out->issues, ISSUE_INFO, STEPS_WINDOWS,
		"windows as steps (--window): nothing says that they hold equal amounts of work",
		a->opt->trace.window_count, a->out->path);
	if (!a->words && trace_rows_may_be_host(a->opt->trace.rows))
		report_outside(a, launched,
			outside_hint ? outside_hint(a->opt->trace.rows, launched.backward) : NULL);
	if (launched.host || launched.device)
		a->out->facts.rows_of = launched.host ? ROWS_OF_HOST : ROWS_OF_DEVICE;
	if (!a->words && trace_rows_are_launchers(a->opt->trace.rows) && !launched.any &&
		!launched.host)
		trace_report_no_launches(a->out);
	if (!tally)
		return;
	atomic_fetch_add(&tally->launched,
		a->words || launched.host ||
			(launched.any && trace_rows_are_launchers(a->opt->trace.rows)));
	atomic_fetch_add(&tally->hosts, launched.host);
	atomic_fetch_add(&tally->worded, a->words != NULL);
	atomic_fetch_add(&tally->labelled, a->words ? a->has_words : launched.labelled);
}
