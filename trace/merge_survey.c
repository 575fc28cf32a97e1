/*
 * The first reading: which processes and threads a file has, when its events are, which ids it uses, what stands around them.
 */
#define _GNU_SOURCE /* memmem */
#include <string.h>
#include "base/text.h"
#include "trace/json_fields.h"
#include "trace/merge_parts.h"

#define US_PS 1000000
#define NS_PS 1000
#define COMMON_BYTES ((size_t)64 << 10) /* longer members are compared, not kept: they stay with their files */
#define COMMON_MOST ((size_t)1000)
#define TID_MOST ((int64_t)1 << 30)
#define SLACK_BYTES 48 /* by which numbers of an event may grow */

struct survey {
	struct merge *m;
	struct merge_file *file;
	struct trace_totals totals;
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
	return (picoseconds)time->us * US_PS + time->ps;
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
	return 16 * top + (size_t)(ps >> top) < CLASSES ? 16 * top + (size_t)(ps >> top) : CLASSES - 1;
}

int64_t merge_class_ps(size_t class)
{
	size_t top = class < 32 ? 0 : class / 16 - 1;

	return top < 58 ? (int64_t)(class - 16 * top) << top : INT64_MAX;
}

uint32_t merge_process_of(struct merge *m, struct merge_file *file, const struct json_value *pid, struct error *err)
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

uint32_t merge_thread_of(struct merge *m, struct merge_file *file, uint32_t process, const struct json_value *tid)
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

static void see_metadata(struct survey *s, const struct trace_event *event, uint32_t process, uint32_t thread)
{
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
}

static void see_time(struct merge_file *file, const struct trace_event *event)
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

static void see_id(struct merge_file *file, const struct json_value *id)
{
	uint64_t number;

	if (id->kind && json_unsigned(id, &number) && number < ID_MOST && number > file->largest_id)
		file->largest_id = number;
}

static void see_field(struct merge_file *file, const struct json_field *field)
{
	size_t quote = *field->value == '"';
	struct json_value value = {field->value + quote, field->value_size - 2 * quote, quote ? '"' : '0'};

	see_id(file, &value);
}

/* The other ids are rare, and not among the fields of struct trace_event. */
static void see_ids(struct merge_file *file, const struct trace_event *event)
{
	struct json_fields fields, inner;

	see_id(file, &event->id);
	if (!memmem(event->text.at, event->text.size, "id2\"", 4) && !memmem(event->text.at, event->text.size, "bind_id\"", 8))
		return;
	if (!json_fields_of(event->text.at, event->text.size, &fields))
		return;
	for (size_t i = 0; i < fields.count; i++) {
		const struct json_field *f = &fields.field[i];

		if (json_field_is(f, "bind_id"))
			see_field(file, f);
		if (!json_field_is(f, "id2") || !json_fields_of(f->value, f->value_size, &inner))
			continue;
		for (size_t k = 0; k < inner.count; k++)
			see_field(file, &inner.field[k]);
	}
}

static void see_size(struct merge *m, const struct trace_event *event)
{
	uint64_t bytes = event->text.size + SLACK_BYTES;

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
}

static int see_event(void *context, const struct trace_event *event, struct error *err)
{
	struct survey *s = context;
	struct merge_file *file = s->file;
	uint32_t process = merge_process_of(s->m, file, &event->process, err), thread;
	int64_t tid;
	int kept;

	if (process == UINT32_MAX)
		return -1;
	thread = merge_thread_of(s->m, file, process, &event->thread);
	if (json_integer(&event->thread, &tid) && tid < TID_MOST) {
		struct merge_process *p = vec_at(&file->process, process);

		p->largest_tid = tid > p->largest_tid ? tid : p->largest_tid;
	}
	if (event->phase == 'M')
		see_metadata(s, event, process, thread);
	else
		see_time(file, event);
	see_ids(file, event);
	if (s->m->filter) {
		kept = merge_filter_keeps(s->m->filter, event, err);
		if (kept <= 0)
			return kept;
	}
	see_size(s->m, event);
	return 0;
}

static int see_common(struct merge *m, const struct json_member *member, struct error *err)
{
	uint64_t hash = intern_hash(member->value.at, member->value.size, member->value.kind == '"');
	size_t quote = member->value.kind == '"';
	uint32_t id;
	struct merge_common *c;

	if (intern_count(m->common_keys) >= COMMON_MOST && !intern_find(m->common_keys, member->key.at, member->key.size, &id))
		return 0;
	id = intern_id(m->common_keys, member->key.at, member->key.size);
	if (id < m->common.count) {
		c = vec_at(&m->common, id);
		c->files++;
		c->differs |= c->hash != hash;
		return 0;
	}
	c = vec_push(&m->common, err);
	if (!c)
		return -1;
	c->key = arena_strndup(m->arena, member->key.at, member->key.size);
	c->key_size = member->key.size;
	c->hash = hash;
	c->files = 1;
	c->differs = member->value.size > COMMON_BYTES;
	if (!c->differs) {
		c->value_size = member->value.size + 2 * quote;
		c->value = arena_strndup(m->arena, member->value.at - quote, c->value_size);
	}
	return 0;
}

static int see_member(void *context, const struct json_member *member, struct error *err)
{
	struct survey *s = context;

	if (json_equal(&member->key, "baseTimeNanoseconds")) {
		if (!json_unsigned(&member->value, &s->file->base_ns) || s->file->base_ns > INT64_MAX)
			s->file->base_ns = 0;
		return 0;
	}
	return see_common(s->m, member, err);
}

int merge_survey(struct merge *m, struct merge_file *file, struct error *err)
{
	struct survey s = {.m = m, .file = file};
	struct trace_handler handler = {.event = see_event, .member = see_member, .context = &s};
	struct input *in = input_open(file->path, err);
	int status;

	if (!in)
		return -1;
	if (m->filter)
		merge_filter_begin(m->filter, file->reader);
	status = trace_scan(in, &handler, m->issues, m->job->read.max_record_bytes, &s.totals, err);
	if (status == 0 && input_trailing_garbage(in))
		issue_add(m->issues, ISSUE_LOSS, "gzip-garbage", "bytes after the gzip data that are no gzip, not read", 1, file->path);
	file->is_array = s.totals.is_array;
	input_close(in);
	/* Times of files that count from a base of their own. */
	file->first += (picoseconds)file->base_ns * NS_PS;
	file->last += (picoseconds)file->base_ns * NS_PS;
	return status;
}
