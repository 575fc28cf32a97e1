/* The files in a merged trace, out of its description. */
#include "ingest/chrome/merged.h"

#include <string.h>
#include "base/intern.h"
#include "base/text.h"
#include "base/unit.h"
#include "base/memory.h"
#include "ingest/json/json_table.h"

#define PARTS_MOST ((size_t)1000000)

struct merged_pid {
	size_t part;
	struct json_value own;
};

struct merged {
	struct arena *arena;
	struct intern *pids;
	struct vec pid, part, source; /* struct merged_pid, merged_part, merged_source */
};

static bool is_key(const struct json_member *member, const char *word)
{
	return json_equal(&member->key, word);
}

static const char *text_of(struct merged *m, const struct json_value *value)
{
	struct text text;
	const char *result;

	text_init(&text);
	if (value->kind == '"')
		json_add_text(&text, value);
	result = arena_strdup(m->arena, text_string(&text));
	text_release(&text);
	return result;
}

static void add_pids(struct merged *m, struct json_walk *pids, size_t part)
{
	struct json_member pid;

	while (json_next_member(pids, &pid, NULL)) {
		uint32_t id = intern_id(m->pids, pid.key.at, pid.key.size);
		struct merged_pid *entry;

		if (id < m->pid.count)
			continue;
		entry = vec_push(&m->pid, NULL);
		entry->part = part;
		entry->own = pid.value;
		entry->own.at = arena_strndup(m->arena, pid.value.at, pid.value.size);
	}
}

/* {"file": ..., "label": ..., "shift": ..., "source": N, ..., "pids": {"PID": "OWN PID", ...}} */
static void add_part(struct merged *m, struct json_walk *object)
{
	struct merged_source source = {.path = "", .reader = "", .part = m->part.count};
	struct merged_part *part = vec_push(&m->part, NULL);
	struct json_member member;
	struct json_walk value;

	part->label = "";
	part->source = m->source.count;
	while (json_next_member(object, &member, &value)) {
		if (is_key(&member, "file"))
			source.path = text_of(m, &member.value);
		else if (is_key(&member, "reader"))
			source.reader = text_of(m, &member.value);
		else if (is_key(&member, "label"))
			part->label = text_of(m, &member.value);
		else if (is_key(&member, "pids") && member.value.kind == '{')
			add_pids(m, &value, m->part.count - 1);
		else {
			uint64_t number;

			if (is_key(&member, "shift"))
				part->shift = json_time(&member.value);
			if (is_key(&member, "near"))
				source.has_near = json_integer(&member.value, &source.near_us);
			if (!json_unsigned(&member.value, &number))
				continue;
			if (is_key(&member, "source"))
				part->source = (size_t)number;
			else if (is_key(&member, "id_shift"))
				part->id_shift = number;
			else if (is_key(&member, "id_number"))
				part->id_number = number;
			else if (is_key(&member, "base_ns"))
				source.base_ns = number;
			else if (is_key(&member, "events"))
				source.events = number;
		}
	}
	/* Parts of one file follow each other. */
	if (m->source.count == 0 || part->source == m->source.count) {
		part->source = m->source.count;
		*(struct merged_source *)vec_push(&m->source, NULL) = source;
	} else {
		part->source = m->source.count - 1;
	}
}

static void free_parts(void *object)
{
	struct merged *m = object;

	vec_release(&m->pid);
	vec_release(&m->part);
	vec_release(&m->source);
}

struct merged *merged_new(const struct json_value *description, struct arena *arena)
{
	struct merged *m = arena_alloc(arena, sizeof(*m));
	struct json_table table;
	struct json_walk members = json_table_open(&table, description), parts, part;
	struct json_member member;
	struct json_value item;

	m->arena = arena;
	m->pids = intern_new(arena);
	vec_init(&m->pid, sizeof(struct merged_pid), SIZE_MAX, "processes");
	vec_init(&m->part, sizeof(struct merged_part), SIZE_MAX, "parts");
	vec_init(&m->source, sizeof(struct merged_source), SIZE_MAX, "files");
	arena_defer(arena, free_parts, m);
	while (description->kind == '{' && json_next_member(&members, &member, &parts))
		while (is_key(&member, "parts") && member.value.kind == '[' &&
			m->part.count < PARTS_MOST && json_next_item(&parts, &item, &part))
			if (item.kind == '{')
				add_part(m, &part);
	json_table_close(&table);
	return m->pid.count > 0 ? m : NULL;
}

size_t merged_source_count(const struct merged *m)
{
	return m->source.count;
}

const struct merged_source *merged_source_at(const struct merged *m, size_t source)
{
	return vec_at(&m->source, source);
}

const struct merged_part *merged_part_at(const struct merged *m, size_t part)
{
	return vec_at(&m->part, part);
}

/* The part that a process with this "pid" is of, and the "pid" that it had; NULL: of none. */
static const struct merged_part *merged_part_of(
	const struct merged *m, const struct json_value *pid, struct json_value *own)
{
	const struct merged_pid *entry;
	uint32_t id;

	if (pid->size == 0 || !intern_find(m->pids, pid->at, pid->size, &id))
		return NULL;
	entry = vec_at(&m->pid, id);
	*own = entry->own;
	return vec_at(&m->part, entry->part);
}

/* Exact; what does not fit is no longer known. */
static void subtract_shift(struct trace_time *time, const struct trace_time *shift)
{
	int64_t us;
	int32_t ps = time->ps - shift->ps;

	if (!time->known || !shift->known)
		return;
	if (__builtin_sub_overflow(time->us, shift->us, &us) ||
		(ps < 0 && __builtin_sub_overflow(us, 1, &us))) {
		time->known = false;
		return;
	}
	time->us = us;
	time->ps = ps < 0 ? ps + PS_PER_US : ps;
}

const struct merged_part *merged_restore(
	const struct merged *m, const struct trace_event *event, struct trace_event *own)
{
	const struct merged_part *part;

	*own = *event;
	part = merged_part_of(m, &event->process, &own->process);
	if (part && event->phase != 'M')
		subtract_shift(&own->start, &part->shift);
	return part;
}

void merged_cut_label(const struct merged_part *part, const char **name, size_t *size)
{
	size_t n = strlen(part->label);

	if (*size < n || memcmp(*name, part->label, n) != 0)
		return;
	if (*size == n) {
		*size = 0;
	} else if (*size >= n + 2 && memcmp(*name + n, ": ", 2) == 0) {
		*name += n + 2;
		*size -= n + 2;
	}
}

/* ---- around the events ---- */

/* {"file": ..., "source": N, "members": {...}}: the source comes before the members. */
static int each_member_of(struct json_walk *file,
	int (*member)(
		void *context, size_t source, const struct json_member *member, struct error *err),
	void *context, struct error *err)
{
	struct json_member of_entry, of_file;
	struct json_walk members;
	uint64_t source = 0;
	int status = 0;

	while (status == 0 && json_next_member(file, &of_entry, &members)) {
		if (is_key(&of_entry, "source") && !json_unsigned(&of_entry.value, &source))
			source = 0;
		if (!is_key(&of_entry, "members") || of_entry.value.kind != '{')
			continue;
		while (status == 0 && json_next_member(&members, &of_file, NULL))
			status = member(context, (size_t)source, &of_file, err);
	}
	return status;
}

int merged_each_member(const struct json_value *files,
	int (*member)(
		void *context, size_t source, const struct json_member *member, struct error *err),
	void *context, struct error *err)
{
	struct json_table table;
	struct json_walk items = json_table_open(&table, files), file;
	struct json_value item;
	int status = 0;

	while (status == 0 && files->kind == '[' && json_next_item(&items, &item, &file))
		if (item.kind == '{')
			status = each_member_of(&file, member, context, err);
	json_table_close(&table);
	return status;
}
