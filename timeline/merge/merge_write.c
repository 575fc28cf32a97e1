/* The second reading: the events of all parts, one after the other, and the members around them. */
#include <inttypes.h>
#include <string.h>
#include "base/output/json_text.h"
#include "base/memory.h"
#include "base/unit.h"
#include "timeline/input_kind.h"
#include "timeline/merge/json_fields.h"
#include "timeline/merge/merge_parts.h"
#include "timeline/json_writer.h"

#define FLUSH_BYTES ((size_t)64 << 10)
#define DESCRIPTION_BYTES (MERGED_MEMBER_BYTES - ((size_t)1 << 20))

struct merge_writer {
	struct merge *m;
	struct trace_file *file;
	struct json_index *index;
	struct text out, after, mended;
	struct arena *arena;
	struct intern *seen; /* members that are written, with their values */
	struct trace_totals totals;
	struct issue_list *issues;
	size_t first, reading; /* files: the first of the input, that of the last event */
	const char *path;
	uint64_t events;
	size_t members;
	bool in_events, is_array;
};

static void flush(struct merge_writer *w, size_t above)
{
	if (w->out.size <= above)
		return;
	trace_file_write(w->file, w->out.data, w->out.size);
	text_clear(&w->out);
}

/* ---- around the events ---- */

static void begin_root(struct merge_writer *w, bool is_array)
{
	w->is_array = is_array;
	text_add(&w->out, is_array ? "[" : "{");
}

static void begin_events(struct merge_writer *w)
{
	if (w->in_events)
		return;
	if (w->members == 0)
		begin_root(w, w->m->is_copy && w->totals.is_array);
	if (!w->is_array)
		text_add(&w->out, w->members ? ",\n\"traceEvents\": [" : "\"traceEvents\": [");
	w->in_events = true;
}

static void end_events(struct merge_writer *w)
{
	begin_events(w);
	text_add(&w->out, w->events ? "\n]" : "]");
	if (w->after.size)
		text_add_bytes(&w->out, w->after.data, w->after.size);
	text_add(&w->out, w->is_array ? "\n" : "\n}\n");
}

static void add_value(struct merge_writer *w, const struct json_value *value, struct text *to)
{
	size_t quote = value->kind == '"';

	if (json_is_value(value->at - quote, value->size + 2 * quote))
		text_add_bytes(to, value->at - quote, value->size + 2 * quote);
	else if (quote)
		json_text_exact(to, value->at, value->size, JSON_KEEP_ESCAPES);
	else
		json_mend(w->index, value->at, value->size, to);
}

static void add_member(struct merge_writer *w, const struct json_member *member, struct text *to)
{
	json_text_exact(to, member->key.at, member->key.size, JSON_KEEP_ESCAPES);
	text_add(to, ": ");
	add_value(w, &member->value, to);
}

static void report_issue(
	struct merge_writer *w, enum issue_severity severity, const char *code, const char *text)
{
	issue_add(w->issues, severity, code, text, 1, w->path);
}

/* Copies a member of the one file: before the events or after them, as the file has it. */
static void copy_member(struct merge_writer *w, const struct json_member *member)
{
	size_t before = intern_count(w->seen);

	if (intern_id(w->seen, member->key.at, member->key.size) < before) {
		report_issue(w, ISSUE_LOSS, "member-twice",
			"members around the events that are there twice; the first is used");
		return;
	}
	if (w->in_events && w->is_array) {
		report_issue(w, ISSUE_LOSS, "member-array",
			"members that have no place around a bare array of events");
		return;
	}
	if (w->in_events) {
		text_add(&w->after, ",\n");
		add_member(w, member, &w->after);
		return;
	}
	if (w->members++ == 0)
		begin_root(w, false);
	else
		text_add(&w->out, ",\n");
	add_member(w, member, &w->out);
}

static int on_member(void *context, const struct json_member *member, struct error *err)
{
	(void)err;
	copy_member(context, member);
	return 0;
}

/* ---- what the merged trace says of its parts (doc/timelines.md) ---- */

static void describe_source(const struct merge_file *file, struct text *to)
{
	if (file->base_ns > 0)
		text_printf(to, ", \"base_ns\": %" PRIu64, file->base_ns);
	if (file->has_near)
		text_printf(to, ", \"near\": %" PRId64, file->near_us);
	if (file->events > 0)
		text_printf(to, ", \"events\": %" PRIu64, file->events);
}

static void describe_part(const struct merge *m, const struct merge_part *part, struct text *to)
{
	const struct merge_file *file = merge_file_at(m, part->file);

	text_add(to, "{\"file\": ");
	json_text_exact(to, file->path, strlen(file->path), 0);
	text_printf(to, ", \"reader\": \"%s\"", file->reader);
	text_add(to, ", \"label\": ");
	json_text_exact(to, part->label, strlen(part->label), 0);
	if (part->has_step)
		text_printf(to, ", \"step\": %" PRId64, part->step);
	text_add(to, ", \"shift\": ");
	time_add_text(part->shift, to);
	text_printf(to, ", \"source\": %zu", file->number);
	describe_source(file, to);
	if (part->id_shift > 0)
		text_printf(to, ", \"id_shift\": %" PRIu64, part->id_shift);
	if (part->id_number > 0)
		text_printf(to, ", \"id_number\": %" PRIu64, part->id_number);
	text_add(to, ", \"pids\": {");
	for (size_t i = 0; i < file->process.count; i++) {
		const struct merge_process *process = vec_at(&file->process, i);

		text_printf(to, "%s\"%" PRId64 "\": ", i ? ", " : "", part->pid[i]);
		json_text_exact(to, process->key, strlen(process->key), 0);
	}
	text_add(to, "}}");
}

static void describe(struct merge_writer *w)
{
	const struct merge *m = w->m;
	size_t begin = w->out.size;

	text_add(&w->out, "\"stepstat\": {\"timeline\": \"merged\", \"parts\": [");
	for (size_t i = 0; i < m->part.count && w->out.size - begin < DESCRIPTION_BYTES; i++) {
		text_add(&w->out, i ? ",\n" : "\n");
		describe_part(m, merge_part_at(m, i), &w->out);
	}
	text_add(&w->out, "]}");
	if (w->out.size - begin < DESCRIPTION_BYTES)
		return;
	w->out.size = begin;
	text_add(&w->out, "\"stepstat\": {\"timeline\": \"merged\"}");
	issue_add(m->issues, ISSUE_LOSS, "merge-parts",
		"more parts than the description of the merged trace can hold: it cannot be read "
		"back as its files",
		1, m->job->output);
}

/* True if the member is the same in all files: it stays where it is. */
static bool is_common(const struct merge *m, const struct merge_member *member)
{
	const struct merge_common *c;
	uint32_t id;

	if (!intern_find(m->common_keys, member->key, member->key_size, &id))
		return false;
	c = vec_at(&m->common, id);
	return c->files == m->outcome->files && !c->differs;
}

static bool is_common_base(
	const struct merge *m, const struct merge_file *file, const struct merge_member *member)
{
	static const char key[] = "baseTimeNanoseconds";

	return member->key_size == sizeof(key) - 1 &&
	       memcmp(member->key, key, sizeof(key) - 1) == 0 && file->base_ns == m->base_ns;
}

static void add_copied_member(struct merge_writer *w, const char *key, size_t key_size,
	const char *value, size_t value_size)
{
	json_text_exact(&w->out, key, key_size, JSON_KEEP_ESCAPES);
	text_add(&w->out, ": ");
	if (json_is_value(value, value_size))
		text_add_bytes(&w->out, value, value_size);
	else
		json_mend(w->index, value, value_size, &w->out);
}

static void add_members_of(struct merge_writer *w, const struct merge_file *file, bool *any)
{
	bool first = true;

	for (size_t i = 0; i < file->member.count; i++) {
		const struct merge_member *member = vec_at(&file->member, i);

		if (is_common(w->m, member) || is_common_base(w->m, file, member))
			continue;
		if (first) {
			text_add(&w->out, *any ? ",\n" : ",\n\"stepstat_files\": [\n");
			text_add(&w->out, "{\"file\": ");
			json_text_exact(&w->out, file->path, strlen(file->path), 0);
			text_printf(&w->out, ", \"source\": %zu, \"members\": {", file->number);
			*any = true;
		}
		text_add(&w->out, first ? "" : ", ");
		first = false;
		add_copied_member(
			w, member->key, member->key_size, member->value, member->value_size);
	}
	if (!first)
		text_add(&w->out, "}}");
}

/* Adds the members around the events of each file: in front of the events, so that a reader has
 * them with the first event. */
static void add_members(struct merge_writer *w)
{
	bool any = false;

	for (size_t i = 0; i < w->m->file.count; i++)
		if (merge_file_at(w->m, i)->part_count > 0)
			add_members_of(w, merge_file_at(w->m, i), &any);
	if (any)
		text_add(&w->out, "\n]");
}

static void begin_merged(struct merge_writer *w)
{
	const struct merge *m = w->m;

	begin_root(w, false);
	describe(w);
	w->members = 1;
	for (size_t i = 0; i < m->common.count; i++) {
		const struct merge_common *c = vec_at(&m->common, i);

		if (c->differs || c->files != m->outcome->files)
			continue;
		text_add(&w->out, ",\n");
		add_copied_member(w, c->key, c->key_size, c->value, c->value_size);
	}
	if (m->base_ns > 0)
		text_printf(&w->out, ",\n\"baseTimeNanoseconds\": %" PRIu64, m->base_ns);
	add_members(w);
	begin_events(w);
}

/* ---- events ---- */

/* The part that the event is in, by its time; SIZE_MAX: none that was chosen. */
static size_t part_of(const struct merge_file *file, const struct trace_event *event)
{
	size_t low = 0, high = file->window.count;
	picoseconds time;

	if (file->window.count == 0)
		return file->part;
	if (!event->start.known)
		return SIZE_MAX;
	time = merge_time(&event->start) + (picoseconds)file->base_ns * PS_PER_NS;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (((const struct merge_window *)vec_at(&file->window, middle))->begin <= time)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t back = 0; low > 0 && back < 64; low--, back++) {
		const struct merge_window *window = vec_at(&file->window, low - 1);

		if (time <= window->end)
			return window->part;
	}
	return SIZE_MAX;
}

/* Returns 1 if --max-size leaves out the event, 0 if not, or -1 with err. A pair is one slice,
 * counted once. */
static int is_too_much(
	struct merge_writer *w, const struct trace_event *event, bool is_kept, struct error *err)
{
	struct merge *m = w->m;
	bool leaves;
	int paired;

	if (m->pairs && (event->phase == 'B' || event->phase == 'E')) {
		paired = merge_pairs_next(m->pairs, event, &m->cut, &leaves, err);
		if (paired < 0)
			return -1;
		if (paired > 0) {
			m->outcome->short_slices += is_kept && leaves && event->phase == 'B';
			return leaves;
		}
	}
	switch (merge_sort_of(event)) {
	case MERGE_SLICE:
		leaves = merge_cut_leaves(&m->cut, merge_class(&event->duration),
			merge_event_bytes(m, event, is_kept));
		m->outcome->short_slices += is_kept && leaves;
		return leaves;
	case MERGE_ARROW:
		m->outcome->arrows += is_kept && m->no_arrows;
		return m->no_arrows;
	case MERGE_OTHER:
		m->outcome->others += is_kept && m->no_others;
		return m->no_others;
	case MERGE_METADATA:
	default:
		return false;
	}
}

static int is_wanted(struct merge_writer *w, const struct trace_event *event, struct error *err)
{
	int kept = 1, leaves;

	if (w->m->filter) {
		kept = merge_filter_passes(w->m->filter, event, err);
		if (kept < 0)
			return -1;
		if (kept == 0) {
			if (merge_sort_of(event) == MERGE_ARROW)
				w->m->outcome->arrows++;
			else
				w->m->outcome->filtered++;
		}
	}
	leaves = is_too_much(w, event, kept > 0, err);
	return leaves < 0 ? -1 : kept > 0 && !leaves;
}

static void next_event(struct merge_writer *w)
{
	begin_events(w);
	text_add(&w->out, w->events++ ? ",\n" : "\n");
}

static int write_changed(struct merge_writer *w, const struct event_text *text, struct error *err)
{
	const struct trace_event *event = text->event;
	struct merge *m = w->m;
	struct merge_file *file = merge_file_at(m, w->reading);
	size_t part = part_of(file, event), end = part + 1;
	uint32_t process = merge_process_of(m, file, &event->process, err);

	if (process == UINT32_MAX)
		return -1;
	if (event->phase == 'M') { /* each part has its processes */
		part = file->part;
		end = part + file->part_count;
	} else if (part == SIZE_MAX) {
		m->outcome->outside++;
		return 0;
	}
	for (; part < end; part++) {
		if (process >=
			merge_part_at(m, part)->process_count) /* the file has changed meanwhile */
			continue;
		next_event(w);
		if (!merge_event_add(m, part, process, text, &w->out))
			report_issue(w, ISSUE_LOSS, "time-not-moved",
				"times with more digits than can be moved exactly, left as they "
				"were");
		flush(w, FLUSH_BYTES);
	}
	return 0;
}

static int write_event(struct merge_writer *w, const struct trace_event *event,
	const struct merged_part *old, struct error *err)
{
	struct event_text text; /* its fields are not cleared for each event */
	struct json_value value;
	int wanted = is_wanted(w, event, err);

	if (wanted <= 0)
		return wanted;
	text.event = event;
	text.old = old;
	value = trace_event_text(event);
	text.text = value.at;
	text.size = value.size;
	if (!json_fields_of(text.text, text.size, &text.fields)) {
		text_clear(&w->mended);
		json_mend(w->index, text.text, text.size, &w->mended);
		text.text = text_string(&w->mended);
		text.size = w->mended.size;
		json_fields_of(text.text, text.size, &text.fields);
		report_issue(w, ISSUE_INFO, "event-mended", "events that were no JSON, made JSON");
	}
	if (!w->m->is_copy)
		return write_changed(w, &text, err);
	if (event->phase != 'M' && part_of(merge_file_at(w->m, w->reading), event) == SIZE_MAX) {
		w->m->outcome->outside++;
		return 0;
	}
	next_event(w);
	text_add_bytes(&w->out, text.text, text.size);
	flush(w, FLUSH_BYTES);
	return 0;
}

static void begin_file(struct merge_writer *w, size_t i)
{
	struct merge *m = w->m;
	const struct merge_file *file = merge_file_at(m, i);

	w->reading = i;
	if (m->filter)
		merge_filter_begin(m->filter, file->reader);
	if (m->pairs)
		merge_pairs_file(m->pairs);
	for (size_t p = file->part; !m->is_copy && p < file->part + file->part_count; p++)
		merge_event_add_missing(m, p, &w->out, &w->events);
}

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	struct merge_writer *w = context;
	struct trace_event own;
	const struct merged_part *old;
	size_t index = merge_own_event(w->m, w->first, event, &own, &old);

	if (w->m->is_copy && index == SIZE_MAX) /* of no file, but nothing is lost */
		index = w->reading;
	if (index == SIZE_MAX && !old)
		report_issue(w, ISSUE_LOSS, "merged-stray",
			"events of a process that is not in the merged files, left out");
	if (index == SIZE_MAX || merge_file_at(w->m, index)->part_count == 0)
		return 0;
	if (index != w->reading)
		begin_file(w, index);
	return write_event(w, &own, old, err);
}

/* ---- files ---- */

static int write_input(struct merge_writer *w, size_t first, struct error *err)
{
	struct merge *m = w->m;
	const struct merge_file *file = merge_file_at(m, first);
	struct trace_handler handler = {.event = on_event,
		.context = w,
		.spill_folder = m->job->read.trace.spill_folder,
		.max_spill_bytes = m->job->read.trace.max_spill_bytes};
	struct probe probe;
	struct input *in = probe_file(file->input, merge_input_name(m, file), &probe, err);
	int status;

	if (!in)
		return -1;
	if (expect_trace(&probe, err) != 0) { /* standard input was not probed yet */
		input_close(in);
		return -1;
	}
	if (m->is_copy) {
		handler.member = on_member;
		handler.member_bytes = m->job->read.max_record_bytes / 2;
	}
	w->first = first;
	w->path = file->shown;
	begin_file(w, first);
	status =
		trace_scan(in, &handler, w->issues, m->job->read.max_record_bytes, &w->totals, err);
	if (m->is_copy && w->totals.long_members > 0)
		issue_add(m->issues, ISSUE_LOSS, "member-long",
			"members around the events that are too long for a merged trace, left out",
			w->totals.long_members, w->path);
	input_close(in);
	return status;
}

static int write_all(struct merge_writer *w, struct error *err)
{
	struct merge *m = w->m;

	if (!m->is_copy)
		begin_merged(w);
	for (size_t i = 0, end; i < m->file.count; i = end) {
		bool is_read = false;

		end = merge_input_end(m, i);
		for (size_t k = i; k < end; k++)
			is_read |= merge_file_at(m, k)->part_count > 0;
		if (is_read && write_input(w, i, err) != 0)
			return -1;
	}
	end_events(w);
	flush(w, 0);
	m->outcome->events = w->events;
	m->outcome->cut_kept = m->cut.kept > 0;
	return 0;
}

/* Adds the issues that the second reading alone finds: those in the files themselves were reported
 * by the first. */
static void join_own(struct merge *m, const struct issue_list *issues)
{
	static const char *const own[] = {"event-mended", "time-not-moved", "member-long",
		"member-twice", "member-array", "merged-stray", NULL};

	for (size_t i = 0; i < issues->count; i++)
		for (size_t k = 0; own[k]; k++)
			if (m->is_copy || strcmp(issues->issue[i].code, own[k]) == 0) {
				issue_add(m->issues, issues->issue[i].severity,
					issues->issue[i].code, issues->issue[i].text,
					issues->issue[i].count, issues->issue[i].place);
				break;
			}
}

int merge_write(struct merge *m, struct error *err)
{
	struct merge_writer w = {.m = m, .file = trace_file_open(m->job->output, err)};
	struct issue_list issues;
	int status;

	if (!w.file)
		return -1;
	w.arena = arena_new();
	issue_list_init(&issues, w.arena);
	w.issues = &issues;
	w.seen = intern_new(w.arena);
	w.index = json_index_new();
	text_init(&w.out);
	text_init(&w.after);
	text_init(&w.mended);
	status = write_all(&w, err);
	join_own(m, &issues);
	if (status == 0 && m->job->strict) /* before the file is put in place */
		status = issue_list_refuse_losses(m->issues, err);
	json_index_free(w.index);
	text_release(&w.out);
	text_release(&w.after);
	text_release(&w.mended);
	arena_free(w.arena);
	if (status == 0)
		return trace_file_commit(w.file, err);
	trace_file_discard(w.file);
	return -1;
}
