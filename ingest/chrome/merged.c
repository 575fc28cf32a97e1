/*
 * The files in a merged trace, out of its description.
 */
#include "ingest/chrome/merged.h"

#include <string.h>
#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"
#include "ingest/chrome/json_index.h"
#include "ingest/chrome/trace_event.h"

#define PS_PER_US 1000000
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

static char byte_at(const struct json_piece *p, size_t i)
{
	return i < p->count ? p->bytes[p->at[i]] : '\0';
}

static bool is_key(const struct json_member *member, const char *word)
{
	return json_equal(&member->key, word);
}

/* The next member of an object whose entries begin at *i (behind its brace); *value is the entry of
 * its value. */
static bool next_member(
	const struct json_piece *p, size_t *i, struct json_member *member, size_t *value)
{
	if (byte_at(p, *i) == ',')
		(*i)++;
	*value = *i + 2;
	return byte_at(p, *i) == '"' && member_take(p, i, member) == TAKEN_WHOLE;
}

/* The next object of an array whose entries begin at *i (behind its bracket): *i moves behind its
 * brace. *depth is 0 at first. */
static bool next_object(const struct json_piece *p, size_t *i, size_t *depth)
{
	for (; *i < p->count; ++*i) {
		char c = byte_at(p, *i);
		bool found = c == '{' && *depth == 0;

		if ((c == '}' || c == ']') && *depth == 0)
			return false;
		*depth += c == '{' || c == '[';
		*depth -= c == '}' || c == ']';
		if (found) {
			++*i;
			return true;
		}
	}
	return false;
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

static void add_pids(struct merged *m, const struct json_piece *p, size_t i, size_t part)
{
	struct json_member pid;
	size_t ignored;

	while (next_member(p, &i, &pid, &ignored)) {
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

static void take_number(
	const struct json_member *member, struct merged_part *part, struct merged_source *source)
{
	uint64_t number;

	if (is_key(member, "shift"))
		part->shift = json_time(&member->value);
	if (is_key(member, "near"))
		source->has_near = json_integer(&member->value, &source->near_us);
	if (!json_unsigned(&member->value, &number))
		return;
	if (is_key(member, "source"))
		part->source = (size_t)number;
	else if (is_key(member, "id_shift"))
		part->id_shift = number;
	else if (is_key(member, "id_number"))
		part->id_number = number;
	else if (is_key(member, "base_ns"))
		source->base_ns = number;
	else if (is_key(member, "events"))
		source->events = number;
}

/* {"file": ..., "label": ..., "shift": ..., "source": N, ..., "pids": {"PID": "OWN PID", ...}} */
static void take_part(struct merged *m, const struct json_piece *p, size_t i)
{
	struct merged_source source = {.path = "", .reader = "", .part = m->part.count};
	struct merged_part *part = vec_push(&m->part, NULL);
	struct json_member member;
	size_t value;

	part->label = "";
	part->source = m->source.count;
	while (next_member(p, &i, &member, &value)) {
		if (is_key(&member, "file"))
			source.path = text_of(m, &member.value);
		else if (is_key(&member, "reader"))
			source.reader = text_of(m, &member.value);
		else if (is_key(&member, "label"))
			part->label = text_of(m, &member.value);
		else if (is_key(&member, "pids") && member.value.kind == '{')
			add_pids(m, p, value + 1, m->part.count - 1);
		else
			take_number(&member, part, &source);
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

/* Calls `take` with each object of the array `value`. */
static int each_object(const struct json_value *value, const char *member_name,
	int (*take)(void *context, const struct json_piece *p, size_t i, struct error *err),
	void *context, struct error *err)
{
	struct json_index *index = json_index_new();
	struct json_damage damage = {0};
	struct json_piece piece = {.bytes = value->at, .size = value->size};
	struct json_member member;
	size_t i = 1, at = 1, depth = 0;
	int status = 0;

	json_index_patient(index, value->at, value->size, &piece.at, &piece.count, &damage);
	if (member_name) {
		at = SIZE_MAX;
		for (size_t inner; value->kind == '{' && next_member(&piece, &i, &member, &inner);)
			if (is_key(&member, member_name) && member.value.kind == '[')
				at = inner + 1;
	}
	while (status == 0 && at < piece.count && next_object(&piece, &at, &depth))
		status = take(context, &piece, at, err);
	json_index_free(index);
	return status;
}

static int see_part(void *context, const struct json_piece *p, size_t i, struct error *err)
{
	struct merged *m = context;

	(void)err;
	if (m->part.count < PARTS_MOST)
		take_part(m, p, i);
	return 0;
}

struct merged *merged_new(const struct json_value *description, struct arena *arena)
{
	struct merged *m = arena_alloc(arena, sizeof(*m));

	m->arena = arena;
	m->pids = intern_new(arena);
	vec_init(&m->pid, sizeof(struct merged_pid), SIZE_MAX, "processes");
	vec_init(&m->part, sizeof(struct merged_part), SIZE_MAX, "parts");
	vec_init(&m->source, sizeof(struct merged_source), SIZE_MAX, "files");
	arena_defer(arena, free_parts, m);
	each_object(description, "parts", see_part, m, NULL);
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

const struct merged_part *merged_part_of(
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
static void take_off(struct trace_time *time, const struct trace_time *shift)
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
		take_off(&own->start, &part->shift);
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

struct members {
	int (*member)(
		void *context, size_t source, const struct json_member *member, struct error *err);
	void *context;
};

/* {"file": ..., "source": N, "members": {...}}: the source stands before the members. */
static int see_file(void *context, const struct json_piece *p, size_t i, struct error *err)
{
	const struct members *to = context;
	struct json_member member, of_file;
	size_t value, ignored;
	uint64_t source = 0;
	int status = 0;

	while (status == 0 && next_member(p, &i, &member, &value)) {
		if (is_key(&member, "source") && !json_unsigned(&member.value, &source))
			source = 0;
		if (!is_key(&member, "members") || member.value.kind != '{')
			continue;
		for (size_t inner = value + 1;
			status == 0 && next_member(p, &inner, &of_file, &ignored);)
			status = to->member(to->context, (size_t)source, &of_file, err);
	}
	return status;
}

int merged_each_member(const struct json_value *files,
	int (*member)(
		void *context, size_t source, const struct json_member *member, struct error *err),
	void *context, struct error *err)
{
	struct members to = {member, context};

	return files->kind == '[' ? each_object(files, NULL, see_file, &to, err) : 0;
}
