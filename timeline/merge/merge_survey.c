/* The first reading: which processes and threads a file has, when its events are, which ids it
 * uses, the members around them. */
#define _GNU_SOURCE /* memmem */
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "base/text.h"
#include "base/unit.h"
#include "timeline/merge/json_fields.h"
#include "timeline/merge/merge_parts.h"

/* longer members are compared, not kept: they stay with their files */
#define COMMON_BYTES ((size_t)64 << 10)
#define COMMON_MOST ((size_t)1000)
#define TID_MOST ((int64_t)1 << 30)
#define STARTS_MOST 1024
#define AROUND_BYTES ((size_t)4 << 20) /* members of several files, together */
#define COMMA_BYTES 2		       /* and the end of a line, after an event */
#define SLACK_BYTES 48		       /* by which numbers of an event may grow */

struct survey {
	struct merge *m;
	size_t first, end;	 /* files of the input */
	struct merge_file *file; /* of the last event; NULL: of none yet */
	struct trace_totals totals;
	int64_t start_us[STARTS_MOST]; /* of the first events */
	size_t start_count;
};

struct merge_file *merge_file_at(const struct merge *m, size_t i)
{
	return vec_at(&m->file, i);
}

struct merge_part *merge_part_at(const struct merge *m, size_t i)
{
	return vec_at(&m->part, i);
}

picoseconds merge_time(const struct trace_time *time)
{
	return (picoseconds)time->us * PS_PER_US + time->ps;
}

enum merge_sort merge_sort_of(const struct trace_event *event)
{
	switch (event->phase) {
	case 'M':
	case 'c':
		return MERGE_METADATA;
	case 'X':
		return MERGE_SLICE;
	case 's':
	case 't':
	case 'f':
		return MERGE_ARROW;
	default:
		return MERGE_OTHER;
	}
}

size_t merge_class(const struct trace_time *duration)
{
	unsigned __int128 ps;
	unsigned top;

	if (!duration->known || duration->us < 0)
		return 0;
	ps = (unsigned __int128)merge_time(duration);
	if (ps < 16)
		return (size_t)ps;
	for (top = 0; ps >> top >= 32; top++)
		;
	return 16 * top + (size_t)(ps >> top) < CLASSES ? 16 * top + (size_t)(ps >> top)
							: CLASSES - 1;
}

int64_t merge_class_ps(size_t class)
{
	size_t top = class < 32 ? 0 : class / 16 - 1;

	return top < 58 ? (int64_t)(class - 16 * top) << top : INT64_MAX;
}

uint32_t merge_process_of(
	struct merge *m, struct merge_file *file, const struct json_value *pid, struct error *err)
{
	struct text key;
	struct merge_process *process;
	uint32_t id;

	text_init(&key);
	json_add_text(&key, pid);
	id = intern_id(file->process_keys, text_string(&key), key.size);
	if (id == file->process.count) {
		process = vec_push(&file->process, err);
		if (process) {
			process->key = arena_strndup(m->arena, text_string(&key), key.size);
			process->largest_tid = -1;
		} else {
			id = UINT32_MAX;
		}
	}
	text_release(&key);
	return id;
}

uint32_t merge_thread_of(
	struct merge *m, struct merge_file *file, uint32_t process, const struct json_value *tid)
{
	struct merge_thread *thread;
	struct error ignored;
	struct text key;
	int64_t number;
	uint32_t id;

	if (tid->kind != '"' || json_integer(tid, &number))
		return UINT32_MAX;
	text_init(&key);
	text_printf(&key, "%u\n", process);
	json_add_text(&key, tid);
	id = intern_id(file->thread_keys, key.data, key.size);
	if (id == file->thread.count) {
		thread = vec_push(&file->thread, &ignored);
		if (thread) {
			thread->process = process;
			thread->key = arena_strdup(m->arena, strchr(text_string(&key), '\n') + 1);
		}
	}
	text_release(&key);
	return id < file->thread.count ? id : UINT32_MAX;
}

static void survey_time(struct merge_file *file, const struct trace_event *event)
{
	picoseconds begin, end;

	if (!event->start.known)
		return;
	begin = end = merge_time(&event->start);
	if (event->phase == 'X' && event->duration.known && event->duration.us >= 0)
		end += merge_time(&event->duration);
	if (!file->has_time || begin < file->first)
		file->first = begin;
	if (!file->has_time || end > file->last)
		file->last = end;
	file->has_time = true;
}

static void survey_id(struct survey *s, const struct json_value *id, const struct merged_part *old)
{
	struct merge_id own;

	if (!id->kind)
		return;
	merge_own_id(id, old, &own);
	if (!own.is_number) {
		/* "7:name", as ids that are texts become in a merge. */
		struct json_value number = {own.text.at, 0, '0'};
		uint64_t value;

		while (number.size < own.text.size && own.text.at[number.size] >= '0' &&
			own.text.at[number.size] <= '9')
			number.size++;
		if (number.size < own.text.size && own.text.at[number.size] == ':' &&
			json_unsigned(&number, &value) && value < ID_MOST &&
			value > s->m->largest_id_number)
			s->m->largest_id_number = value;
	} else if (own.number > s->file->largest_id)
		s->file->largest_id = own.number;
}

static void survey_field(
	struct survey *s, const struct json_field *field, const struct merged_part *old)
{
	size_t quote = *field->value == '"';
	struct json_value value = {
		field->value + quote, field->value_size - 2 * quote, quote ? '"' : '0'};

	survey_id(s, &value, old);
}

/* The other ids are rare, and not among the fields of struct trace_event. */
static void survey_ids(
	struct survey *s, const struct trace_event *event, const struct merged_part *old)
{
	const struct json_value text = trace_event_text(event);
	struct json_fields fields, inner;

	survey_id(s, &event->id, merge_has_global_id(event->phase) ? old : NULL);
	if (!memmem(text.at, text.size, "id2\"", 4) && !memmem(text.at, text.size, "bind_id\"", 8))
		return;
	if (!json_fields_of(text.at, text.size, &fields))
		return;
	for (size_t i = 0; i < fields.count; i++) {
		const struct json_field *f = &fields.field[i];

		if (json_field_is(f, "bind_id"))
			survey_field(s, f, old);
		if (!json_field_is(f, "id2") || !json_fields_of(f->value, f->value_size, &inner))
			continue;
		for (size_t k = 0; k < inner.count; k++)
			survey_field(s, &inner.field[k],
				json_field_is(&inner.field[k], "global") ? old : NULL);
	}
}

uint64_t merge_event_bytes(const struct merge *m, const struct trace_event *event, bool is_kept)
{
	return is_kept ? trace_event_text(event).size + (m->is_copy ? COMMA_BYTES : SLACK_BYTES)
		       : 0;
}

static int survey_size(
	struct merge *m, const struct trace_event *event, bool is_kept, struct error *err)
{
	uint64_t bytes = merge_event_bytes(m, event, is_kept);

	if (m->pairs && (event->phase == 'B' || event->phase == 'E'))
		return merge_pairs_add(m->pairs, event, bytes, &m->sizes, err);
	switch (merge_sort_of(event)) {
	case MERGE_SLICE:
		m->sizes.slices[merge_class(&event->duration)] += bytes;
		break;
	case MERGE_ARROW:
		m->sizes.arrows += bytes;
		break;
	case MERGE_METADATA:
		m->sizes.metadata += bytes;
		break;
	case MERGE_OTHER:
		m->sizes.others += bytes;
		break;
	}
	return 0;
}

static int survey_event(struct survey *s, const struct trace_event *event,
	const struct merged_part *old, struct error *err)
{
	struct merge_file *file = s->file;
	uint32_t process = merge_process_of(s->m, file, &event->process, err), thread;
	int64_t tid;
	int kept = 1;

	if (process == UINT32_MAX)
		return -1;
	thread = merge_thread_of(s->m, file, process, &event->thread);
	if (json_integer(&event->thread, &tid) && tid < TID_MOST) {
		struct merge_process *p = vec_at(&file->process, process);

		p->largest_tid = tid > p->largest_tid ? tid : p->largest_tid;
	}
	if (event->phase == 'M') {
		struct merge_process *p = vec_at(&s->file->process, process);
		struct json_value value;

		if (json_equal(&event->name, "process_name")) {
			p->named = true;
		} else if (json_equal(&event->name, "process_sort_index")) {
			value = trace_arg(event, "sort_index");
			p->sorted = json_integer(&value, &p->sort_index);
		} else if (json_equal(&event->name, "thread_name") && thread != UINT32_MAX) {
			((struct merge_thread *)vec_at(&s->file->thread, thread))->named = true;
		}
	} else
		survey_time(file, event);
	if (event->phase != 'M' && event->start.known && s->start_count < STARTS_MOST)
		s->start_us[s->start_count++] = event->start.us;
	survey_ids(s, event, old);
	if (s->m->filter) {
		kept = merge_filter_passes(s->m->filter, event, err);
		if (kept < 0)
			return -1;
	}
	return survey_size(s->m, event, kept > 0, err);
}

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	struct survey *s = context;
	struct trace_event own;
	const struct merged_part *old;
	size_t index = merge_own_event(s->m, s->first, event, &own, &old);
	struct merge_file *file = index < s->end ? merge_file_at(s->m, index) : NULL;

	if (!file || file->part_count == 0)
		return 0;
	if (s->m->filter && file != s->file)
		merge_filter_begin(s->m->filter, file->reader);
	if (s->m->pairs && file != s->file)
		merge_pairs_file(s->m->pairs);
	s->file = file;
	return survey_event(s, &own, old, err);
}

/* ---- around the events ---- */

/* The value with its quotes. What many files have is kept once. */
static void store_member(
	struct survey *s, struct merge_file *file, const struct json_member *member)
{
	size_t quote = member->value.kind == '"', size = member->value.size + 2 * quote;
	const char *value = member->value.at - quote;
	struct merge_member *kept;
	uint32_t id;

	if (!intern_find(s->m->values, value, size, &id)) {
		if (s->m->member_bytes + size > AROUND_BYTES) {
			issue_add(s->m->issues, ISSUE_LOSS, "member-long",
				"members around the events that are too long for a merged trace, "
				"left out",
				1, file->path);
			return;
		}
		s->m->member_bytes += size;
		id = intern_id(s->m->values, value, size);
	}
	kept = vec_push(&file->member, NULL);
	kept->key = arena_strndup(s->m->arena, member->key.at, member->key.size);
	kept->key_size = member->key.size;
	kept->value = intern_name(s->m->values, id);
	kept->value_size = size;
}

static int survey_member(struct survey *s, struct merge_file *file,
	const struct json_member *member, struct error *err)
{
	if (file->part_count == 0)
		return 0;
	s->m->sizes.around += member->key.size + member->value.size + SLACK_BYTES;
	if (!s->m->is_copy)
		store_member(s, file, member);
	if (!json_equal(&member->key, "baseTimeNanoseconds")) {
		uint64_t hash = intern_hash(
			member->value.at, member->value.size, member->value.kind == '"');
		size_t quote = member->value.kind == '"';
		uint32_t id;
		struct merge_common *c;

		if (intern_count(s->m->common_keys) >= COMMON_MOST &&
			!intern_find(s->m->common_keys, member->key.at, member->key.size, &id))
			return 0;
		id = intern_id(s->m->common_keys, member->key.at, member->key.size);
		if (id < s->m->common.count) {
			c = vec_at(&s->m->common, id);
			c->files++;
			c->differs |= c->hash != hash;
			return 0;
		}
		c = vec_push(&s->m->common, err);
		if (!c)
			return -1;
		c->key = arena_strndup(s->m->arena, member->key.at, member->key.size);
		c->key_size = member->key.size;
		c->hash = hash;
		c->files = 1;
		c->differs = member->value.size > COMMON_BYTES;
		if (!c->differs) {
			c->value_size = member->value.size + 2 * quote;
			c->value =
				arena_strndup(s->m->arena, member->value.at - quote, c->value_size);
		}
		return 0;
	}
	if (!file->merged &&
		(!json_unsigned(&member->value, &file->base_ns) || file->base_ns > INT64_MAX))
		file->base_ns = 0;
	return 0;
}

static int on_member_of_source(
	void *context, size_t source, const struct json_member *member, struct error *err)
{
	struct survey *s = context;

	return source < s->end - s->first
		       ? survey_member(s, merge_file_at(s->m, s->first + source), member, err)
		       : 0;
}

/* Members of a merged trace are of each of its files, or in a list by file. */
static int on_member(void *context, const struct json_member *member, struct error *err)
{
	struct survey *s = context;
	bool is_merged = merge_file_at(s->m, s->first)->merged;

	if (is_merged && json_equal(&member->key, "stepstat_files"))
		return merged_each_member(&member->value, on_member_of_source, s, err);
	if (is_merged && (json_equal(&member->key, "stepstat") ||
				 json_equal(&member->key, "baseTimeNanoseconds")))
		return 0;
	for (size_t i = s->first; i < s->end; i++)
		if (survey_member(s, merge_file_at(s->m, i), member, err) != 0)
			return -1;
	return 0;
}

/* Notes the facts about each file that the description of the merged trace states. */
static void note_file(struct survey *s, struct merge_file *file)
{
	if (!file->merged) {
		file->events = s->totals.events;
		file->has_near = s->start_count > 0;
		qsort(s->start_us, s->start_count, sizeof(*s->start_us), order_int64);
		file->near_us = file->has_near ? s->start_us[s->start_count / 2] : 0;
	}
	/* Times of files that count from a base of their own. */
	file->first += (picoseconds)file->base_ns * PS_PER_NS;
	file->last += (picoseconds)file->base_ns * PS_PER_NS;
}

int merge_survey(struct merge *m, size_t first, size_t end, struct error *err)
{
	struct survey s = {.m = m, .first = first, .end = end};
	const struct merge_file *file = merge_file_at(m, first);
	struct trace_handler handler = {.event = on_event,
		.member = on_member,
		.context = &s,
		.member_bytes = m->is_copy     ? m->job->read.max_record_bytes / 2
				: file->merged ? MERGED_MEMBER_BYTES
					       : 0,
		.spill_folder = m->job->read.trace.spill_folder,
		.max_spill_bytes = m->job->read.trace.max_spill_bytes};
	struct input *in = input_open_as(file->input, merge_input_name(m, file), err);
	int status;

	if (!in)
		return -1;
	status = trace_scan(in, &handler, m->issues, m->job->read.max_record_bytes, &s.totals, err);
	if (s.totals.long_members > 0 && !m->is_copy)
		issue_add(m->issues, ISSUE_LOSS, "member-long",
			"members around the events that are too long for a merged trace, left out",
			s.totals.long_members, file->shown);
	input_close(in);
	for (size_t i = first; i < end; i++)
		note_file(&s, merge_file_at(m, i));
	return status;
}
