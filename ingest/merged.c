/*
 * The files in a merged trace.
 */
#include "ingest/merged.h"

#include "base/intern.h"
#include "base/memory.h"
#include "ingest/json_index.h"
#include "ingest/trace_event.h"

struct merged {
	struct intern *pids;
	uint64_t *file; /* of each pid */
	size_t room;
};

static char byte_at(const struct json_piece *p, size_t i)
{
	return i < p->count ? p->bytes[p->at[i]] : '\0';
}

static bool is_key(const struct json_member *member, const char *word)
{
	return json_equal(&member->key, word);
}

/* The next member of an object whose entries begin at *i (behind its brace); *value is the entry of its value. */
static bool next_member(const struct json_piece *p, size_t *i, struct json_member *member, size_t *value)
{
	if (byte_at(p, *i) == ',')
		(*i)++;
	*value = *i + 2;
	return byte_at(p, *i) == '"' && member_take(p, i, member) == TAKEN_WHOLE;
}

static void add_pid(struct merged *m, const struct json_value *pid, uint64_t file)
{
	uint32_t id = intern_id(m->pids, pid->at, pid->size);

	if (id >= m->room) {
		m->room = m->room ? 2 * m->room : 64;
		m->file = memory_resize(m->file, m->room * sizeof(*m->file));
	}
	m->file[id] = file;
}

/* {"file": ..., "source": N, "pids": {"PID": ..., ...}}: the source stands before the processes. */
static void take_part(struct merged *m, const struct json_piece *p, size_t i)
{
	struct json_member member, pid;
	size_t value, inner, ignored;
	uint64_t file = 0;

	while (next_member(p, &i, &member, &value)) {
		if (is_key(&member, "source") && !json_unsigned(&member.value, &file))
			file = 0;
		if (!is_key(&member, "pids") || member.value.kind != '{')
			continue;
		for (inner = value + 1; next_member(p, &inner, &pid, &ignored);)
			add_pid(m, &pid.key, file);
	}
}

/* Objects of an array whose entries begin at i. */
static void take_parts(struct merged *m, const struct json_piece *p, size_t i)
{
	for (size_t depth = 0; i < p->count; i++) {
		char c = byte_at(p, i);

		if (c == '{' && depth == 0)
			take_part(m, p, i + 1);
		depth += c == '{' || c == '[';
		if (c == '}' || c == ']') {
			if (depth == 0)
				return;
			depth--;
		}
	}
}

static void free_files(void *object)
{
	struct merged *m = object;

	memory_free(m->file);
}

struct merged *merged_new(const struct json_value *description, struct arena *arena)
{
	struct merged *m = arena_alloc(arena, sizeof(*m));
	struct json_index *index = json_index_new();
	struct json_damage damage = {0};
	struct json_piece piece = {.bytes = description->at, .size = description->size};
	struct json_member member;
	size_t i = 1, value;

	m->pids = intern_new(arena);
	arena_defer(arena, free_files, m);
	json_index_patient(index, description->at, description->size, &piece.at, &piece.count, &damage);
	while (description->kind == '{' && next_member(&piece, &i, &member, &value))
		if (is_key(&member, "parts") && member.value.kind == '[')
			take_parts(m, &piece, value + 1);
	json_index_free(index);
	return intern_count(m->pids) > 0 ? m : NULL;
}

uint64_t merged_file_of(const struct merged *merged, const struct json_value *pid)
{
	uint32_t id;

	return pid->size > 0 && intern_find(merged->pids, pid->at, pid->size, &id) ? merged->file[id] : 0;
}
