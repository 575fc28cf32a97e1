/* Keys with a prefix, values that are JSON. */
#include "ingest/perfetto/attributes.h"

#include <string.h>

#define MEMBER_LIMIT ((size_t)1 << 20)

enum pf_attributes_field { ATTRIBUTES_ATTRIBUTE = 1 };
enum pf_attribute_field { ATTRIBUTE_KEY = 1, ATTRIBUTE_NUMBER = 2, ATTRIBUTE_TEXT = 3 };

static bool parse(struct pf_bytes bytes, struct pf_attribute *attribute)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	*attribute = (struct pf_attribute){0};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == ATTRIBUTE_KEY && f.type == WIRE_BYTES)
			attribute->key = pf_bytes_of(&f);
		else if (f.number == ATTRIBUTE_TEXT && f.type == WIRE_BYTES)
			attribute->text = pf_bytes_of(&f);
		else if (f.number == ATTRIBUTE_NUMBER && f.type == WIRE_VARINT) {
			attribute->is_number = true;
			attribute->number = (int64_t)f.value;
		}
	}
	return got == WIRE_END;
}

bool pf_attributes_next(struct pf_bytes attributes, size_t *at, struct pf_attribute *attribute)
{
	struct wire w = {attributes.at + *at, attributes.at + attributes.size};
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		*at = (size_t)(w.at - attributes.at);
		if (f.number == ATTRIBUTES_ATTRIBUTE && f.type == WIRE_BYTES &&
			parse(pf_bytes_of(&f), attribute))
			return true;
	}
	return false;
}

static struct json_value value_of(struct pf_bytes text)
{
	const char *at = (const char *)text.at;
	char c = text.size ? *at : '\0';

	if (c == '"' && text.size >= 2)
		return (struct json_value){at + 1, text.size - 2, '"'};
	return (struct json_value){at, text.size,
		(char)(c == '{' || c == '['		     ? c
			: (c >= '0' && c <= '9') || c == '-' ? '0'
							     : 'w')};
}

int pf_attributes_each(struct pf_bytes attributes, const struct trace_handler *handler,
	struct arena *scratch, uint64_t *long_members, struct error *err)
{
	const size_t prefix = strlen(PF_ATTRIBUTE_MEMBER),
		     most = handler->member_bytes ? handler->member_bytes : MEMBER_LIMIT;
	struct pf_attribute a;
	size_t at = 0;

	while (pf_attributes_next(attributes, &at, &a)) {
		struct json_member member;
		struct pf_bytes key = a.key;

		if (a.is_number || key.size <= prefix || a.text.size == 0 ||
			memcmp(key.at, PF_ATTRIBUTE_MEMBER, prefix) != 0)
			continue;
		if (a.text.size > most) {
			++*long_members;
			continue;
		}
		key.at += prefix;
		key.size -= prefix;
		member.key = pf_json_string(key, scratch);
		member.value = value_of(a.text);
		if (handler->member(handler->context, &member, err) != 0)
			return -1;
	}
	return 0;
}
