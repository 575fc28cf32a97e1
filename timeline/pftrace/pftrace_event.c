/*
 * JSON values as debug annotations. What protobuf has no value for, null and numbers of more than
 * 64 bits, stays JSON.
 */
#include "timeline/pftrace/pftrace_event.h"

#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output/protobuf_writer.h"
#include "ingest/json/json_table.h"

#define PACKET_BYTES ((size_t)256 << 10)
#define DEPTH_MOST 32

enum names_packet_field { PACKET_SEQUENCE = 10, PACKET_INTERNED = 12, PACKET_FLAGS = 13 };
enum { TRACE_PACKET = 1, CLEARED = 1, NEEDS = 2 };
enum named_event_field { EVENT_CATEGORY_IIDS = 3, EVENT_ANNOTATIONS = 4, EVENT_NAME_IID = 10 };
enum name_entry_field { ENTRY_IID = 1, ENTRY_NAME = 2 };

enum written_annotation_field {
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_STRING = 6,
	ANNOTATION_JSON = 9,
	ANNOTATION_NAME = 10,
	ANNOTATION_DICT = 11,
	ANNOTATION_ARRAY = 12,
};

/* Fields of InternedData, in the order of the tables. */
static const uint32_t interned_field[] = {1, 2, 3};
enum name_table { TABLE_CATEGORIES, TABLE_NAMES, TABLE_KEYS, TABLES };

struct pftrace_names {
	struct arena *arena;
	struct intern *table[TABLES], *flows;
	struct text text;
	struct text level[DEPTH_MOST + 1]; /* annotations that are being made, by depth */
};

struct pftrace_names *pftrace_names_new(void)
{
	struct pftrace_names *n = memory_alloc(sizeof(*n));

	n->arena = arena_new();
	for (size_t i = 0; i < TABLES; i++)
		n->table[i] = intern_new(n->arena);
	n->flows = intern_new(n->arena);
	text_init(&n->text);
	for (size_t i = 0; i <= DEPTH_MOST; i++)
		text_init(&n->level[i]);
	return n;
}

void pftrace_names_free(struct pftrace_names *n)
{
	if (!n)
		return;
	text_release(&n->text);
	for (size_t i = 0; i <= DEPTH_MOST; i++)
		text_release(&n->level[i]);
	arena_free(n->arena);
	memory_free(n);
}

static uint64_t iid(struct pftrace_names *n, enum name_table table, const struct json_value *value)
{
	text_clear(&n->text);
	json_add_text(&n->text, value);
	return (uint64_t)intern_id(n->table[table], text_string(&n->text), n->text.size) + 1;
}

/* ---- values ---- */

static void add_number(const struct json_value *value, struct text *annotation)
{
	uint64_t whole, bits;
	int64_t number;
	double real;
	size_t digits = 0;

	if (json_integer(value, &number)) {
		protobuf_add_number(annotation, ANNOTATION_INT, (uint64_t)number);
		return;
	}
	if (json_unsigned(value, &whole)) {
		protobuf_add_number(annotation, ANNOTATION_UINT, whole);
		return;
	}
	while (digits < value->size &&
		(value->at[digits] == '-' ||
			(value->at[digits] >= '0' && value->at[digits] <= '9')))
		digits++;
	/* A whole number of more than 64 bits would lose digits. */
	if (digits == value->size || !number_parse_real(value->at, value->size, &real)) {
		protobuf_add_bytes(annotation, ANNOTATION_JSON, value->at, value->size);
		return;
	}
	memcpy(&bits, &real, sizeof(bits));
	protobuf_add_tag(annotation, ANNOTATION_DOUBLE, WIRE_FIXED64);
	protobuf_add_fixed(annotation, bits, 8);
}

static void add_word(const struct json_value *value, struct text *annotation)
{
	const bool is_true = value->size == 4 && memcmp(value->at, "true", 4) == 0;

	if (is_true || (value->size == 5 && memcmp(value->at, "false", 5) == 0))
		protobuf_add_number(annotation, ANNOTATION_BOOL, is_true);
	else
		protobuf_add_bytes(annotation, ANNOTATION_JSON, value->at, value->size);
}

static void add_value(struct pftrace_names *n, const struct json_value *value,
	struct json_walk *inside, unsigned depth);

/* Entries of an object or items of an array; those without any stay JSON. */
static void add_inside(struct pftrace_names *n, const struct json_value *value,
	struct json_walk *inside, unsigned depth)
{
	struct text *outer = &n->level[depth], *inner = &n->level[depth + 1];
	const size_t before = outer->size;
	struct json_member member;
	struct json_walk below;

	while (value->kind == '{' ? json_next_member(inside, &member, &below)
				  : json_next_item(inside, &member.value, &below)) {
		text_clear(inner);
		if (value->kind == '{') {
			text_clear(&n->text);
			json_add_text(&n->text, &member.key);
			protobuf_add_bytes(
				inner, ANNOTATION_NAME, text_string(&n->text), n->text.size);
		}
		add_value(n, &member.value, &below, depth + 1);
		protobuf_add_bytes(outer, value->kind == '{' ? ANNOTATION_DICT : ANNOTATION_ARRAY,
			text_string(inner), inner->size);
	}
	if (outer->size == before)
		protobuf_add_bytes(outer, ANNOTATION_JSON, value->at, value->size);
}

/* To the annotation of this depth. */
static void add_value(struct pftrace_names *n, const struct json_value *value,
	struct json_walk *inside, unsigned depth)
{
	struct text *annotation = &n->level[depth];

	switch (value->kind) {
	case '"':
		text_clear(&n->text);
		json_add_text(&n->text, value);
		protobuf_add_bytes(
			annotation, ANNOTATION_STRING, text_string(&n->text), n->text.size);
		break;
	case '0':
		add_number(value, annotation);
		break;
	case '{':
	case '[':
		if (depth < DEPTH_MOST)
			add_inside(n, value, inside, depth);
		else
			protobuf_add_bytes(annotation, ANNOTATION_JSON, value->at, value->size);
		break;
	default:
		add_word(value, annotation);
		break;
	}
}

static void add_arg(struct pftrace_names *n, const struct json_member *arg, struct text *event)
{
	struct json_table table;
	struct json_walk inside = {0};
	const bool is_nested = arg->value.kind == '{' || arg->value.kind == '[';

	text_clear(&n->level[0]);
	protobuf_add_number(&n->level[0], ANNOTATION_NAME_IID, iid(n, TABLE_KEYS, &arg->key));
	if (is_nested)
		inside = json_table_open(&table, &arg->value);
	add_value(n, &arg->value, &inside, 0);
	if (is_nested)
		json_table_close(&table);
	protobuf_add_bytes(event, EVENT_ANNOTATIONS, text_string(&n->level[0]), n->level[0].size);
}

void pftrace_add_event(
	struct pftrace_names *n, const struct trace_event *event, struct text *track_event)
{
	struct json_member arg;
	size_t at = 0;

	if (event->category.size > 0)
		protobuf_add_number(track_event, EVENT_CATEGORY_IIDS,
			iid(n, TABLE_CATEGORIES, &event->category));
	if (event->name.kind)
		protobuf_add_number(track_event, EVENT_NAME_IID, iid(n, TABLE_NAMES, &event->name));
	while (trace_next_arg(event, &at, &arg))
		add_arg(n, &arg, track_event);
}

uint32_t pftrace_flow_category(struct pftrace_names *n, const struct json_value *category)
{
	text_clear(&n->text);
	json_add_text(&n->text, category);
	return intern_id(n->flows, text_string(&n->text), n->text.size);
}

/* ---- names ---- */

static void add_entry(const struct intern *table, uint32_t id, uint32_t field, struct text *data)
{
	struct text entry;

	text_init(&entry);
	protobuf_add_number(&entry, ENTRY_IID, (uint64_t)id + 1);
	protobuf_add_string(&entry, ENTRY_NAME, intern_name(table, id));
	protobuf_add_message(data, field, &entry);
	text_release(&entry);
}

bool pftrace_add_names(const struct pftrace_names *n, size_t *at, struct text *packets)
{
	struct text data, packet;
	size_t seen = 0;
	const bool is_first = *at == 0;

	text_init(&data);
	text_init(&packet);
	for (size_t i = 0; i < TABLES; i++) {
		const size_t count = intern_count(n->table[i]);

		for (size_t k = *at > seen ? *at - seen : 0; k < count && data.size < PACKET_BYTES;
			k++, ++*at)
			add_entry(n->table[i], (uint32_t)k, interned_field[i], &data);
		seen += count;
	}
	if (is_first || data.size > 0) {
		protobuf_add_number(&packet, PACKET_SEQUENCE, PFTRACE_SEQUENCE);
		protobuf_add_number(&packet, PACKET_FLAGS, is_first ? CLEARED : NEEDS);
		protobuf_add_message(&packet, PACKET_INTERNED, &data);
		protobuf_add_message(packets, TRACE_PACKET, &packet);
	}
	text_release(&data);
	text_release(&packet);
	return *at < seen;
}
