/* A table by number and kind, open addressing. */
#include "ingest/perfetto/names.h"

#include <string.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/output/json_text.h"

#define BYTES_MOST ((size_t)256 << 20)

struct pf_entry {
	uint64_t iid;
	const char *at;
	uint32_t size;
	uint8_t kind; /* enum pf_name; PF_NAME_KINDS: the place is free */
};

struct pf_names {
	size_t owners, count, room, bytes;
	struct pf_entry *entry;
	struct arena *arena;
};

struct pf_names *pf_names_new(void)
{
	struct pf_names *n = memory_alloc(sizeof(*n));

	n->owners = 1;
	n->arena = arena_new();
	return n;
}

struct pf_names *pf_names_keep(struct pf_names *n)
{
	if (n)
		n->owners++;
	return n;
}

void pf_names_release(struct pf_names *n)
{
	if (!n || --n->owners > 0)
		return;
	memory_free(n->entry);
	arena_free(n->arena);
	memory_free(n);
}

/* The place of this number, or the free one where it belongs. */
static struct pf_entry *place(const struct pf_names *n, enum pf_name kind, uint64_t iid)
{
	uint64_t hash = (iid ^ (uint64_t)kind << 59) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(hash >> 32) & (n->room - 1);

	while (n->entry[i].kind != PF_NAME_KINDS &&
		(n->entry[i].iid != iid || n->entry[i].kind != kind))
		i = (i + 1) & (n->room - 1);
	return &n->entry[i];
}

/* Most texts need no escape. */
static bool needs_escape(struct pf_bytes bytes)
{
	for (size_t i = 0; i < bytes.size; i++)
		if (bytes.at[i] < 0x20 || bytes.at[i] == '"' || bytes.at[i] == '\\')
			return true;
	return false;
}

static struct json_value escaped(struct pf_bytes bytes, struct arena *arena)
{
	struct text text;
	struct json_value value = {.kind = '"'};

	text_init(&text);
	json_text_exact(&text, (const char *)bytes.at, bytes.size, JSON_SHORT);
	value.size = text.size - 2;
	value.at = arena_strndup(arena, text.data + 1, value.size);
	text_release(&text);
	return value;
}

struct json_value pf_json_string(struct pf_bytes bytes, struct arena *scratch)
{
	if (bytes.size == 0)
		return (struct json_value){.at = "", .kind = '"'};
	if (needs_escape(bytes))
		return escaped(bytes, scratch);
	return (struct json_value){(const char *)bytes.at, bytes.size, '"'};
}

static bool add_entry(struct pf_names *n, enum pf_name kind, uint64_t iid, struct pf_bytes name)
{
	struct json_value value;
	struct pf_entry *entry;

	if (name.size > BYTES_MOST - n->bytes || n->bytes + sizeof(*entry) > BYTES_MOST - name.size)
		return false;
	if (4 * (n->count + 1) > 3 * n->room) {
		struct pf_entry *old = n->entry;
		size_t room = n->room;

		n->room = room ? 2 * room : 8;
		n->entry = memory_alloc(memory_product(n->room, sizeof(*n->entry)));
		for (size_t i = 0; i < n->room; i++)
			n->entry[i].kind = PF_NAME_KINDS;
		for (size_t i = 0; i < room; i++)
			if (old[i].kind != PF_NAME_KINDS)
				*place(n, (enum pf_name)old[i].kind, old[i].iid) = old[i];
		memory_free(old);
	}
	n->bytes += name.size + sizeof(*entry);
	value = needs_escape(name)
			? escaped(name, n->arena)
			: (struct json_value){
				  arena_strndup(n->arena, name.size ? (const char *)name.at : "",
					  name.size),
				  name.size, '"'};
	entry = place(n, kind, iid);
	n->count += entry->kind == PF_NAME_KINDS;
	*entry = (struct pf_entry){
		.iid = iid, .at = value.at, .size = (uint32_t)value.size, .kind = (uint8_t)kind};
	return true;
}

/* All of these messages have the number in field 1 and a name in field 2. */
static bool parse_entry(struct pf_names *n, enum pf_name kind, struct pf_bytes bytes)
{
	struct name_fields {
		uint64_t iid;
		struct pf_bytes name, demangled; /* of kernels: what people read */
	} e = {0};
	static const struct pf_layout layout = {
		{[1] = {PF_UINT64, offsetof(struct name_fields, iid)},
			[2] = {PF_BYTES, offsetof(struct name_fields, name)},
			[3] = {PF_BYTES, offsetof(struct name_fields, demangled)}}};

	if (!pf_set_members(&e, &layout, bytes))
		return false;
	return add_entry(
		n, kind, e.iid, kind == PF_KERNEL && e.demangled.size ? e.demangled : e.name);
}

static enum pf_name kind_of(uint32_t field)
{
	static const struct {
		uint32_t field;
		enum pf_name kind;
	} kinds[] = {{1, PF_CATEGORY}, {2, PF_EVENT_NAME}, {3, PF_ARG_NAME}, {24, PF_SPECIFICATION},
		{29, PF_ARG_TEXT}, {1000, PF_KERNEL}, {1001, PF_KERNEL_ARG}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].field == field)
			return kinds[i].kind;
	return PF_NAME_KINDS;
}

size_t pf_names_add(struct pf_names *n, struct pf_bytes interned)
{
	struct wire w = pf_wire(interned);
	struct wire_field f;
	enum wire_result got;
	size_t lost = 0;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		enum pf_name kind = f.type == WIRE_BYTES ? kind_of(f.number) : PF_NAME_KINDS;

		if (kind != PF_NAME_KINDS)
			lost += !parse_entry(n, kind, pf_bytes_of(&f));
	}
	return lost + (got != WIRE_END);
}

struct json_value pf_name(const struct pf_names *n, enum pf_name kind, uint64_t iid)
{
	const struct pf_entry *entry;

	if (n->count == 0)
		return (struct json_value){0};
	entry = place(n, kind, iid);
	if (entry->kind == PF_NAME_KINDS)
		return (struct json_value){0};
	return (struct json_value){entry->at, entry->size, '"'};
}
