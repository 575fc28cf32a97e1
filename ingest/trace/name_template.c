/* --name: names of ops by a template. */
#include "ingest/trace/name_template.h"

#include <string.h>

struct name_part {
	bool is_text; /* `text` itself; else a field of the event */
	enum name_field field;
	const char *text; /* also the key of NAME_ARG */
	bool used;
};

#define EVENTS_LOOKED_AT 10000 /* for the keys that there are */
#define KEYS_MOST 100

struct name_template {
	struct name_part *part;
	size_t count;
	struct intern *keys; /* of the args of events without one of the fields */
	size_t looked_at;
};

static int field_part(
	const char *text, const char *field, struct name_part *part, struct error *err)
{
	static const struct {
		const char *word;
		enum name_field field;
	} fields[] = {{"name", NAME_NAME}, {"cat", NAME_CATEGORY}, {"pid", NAME_PROCESS},
		{"tid", NAME_THREAD}};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(fields[i].word, field) == 0) {
			part->field = fields[i].field;
			return 0;
		}
	if (strncmp(field, "args.", 5) != 0 || !field[5]) {
		error_set(
			err, ERROR_USAGE, "--name", "\"%s\": there is no field {%s}", text, field);
		return error_hint(err,
			"fields are {name}, {cat}, {pid}, {tid} and {args.KEY}; {{ is a brace");
	}
	part->field = NAME_ARG;
	part->text = field + 5;
	return 0;
}

/* The text up to the next field, with {{ and }} as braces; *at moves to the field's brace or the
 * end. */
static int text_part(const char *text, const char **at, char *to, struct error *err)
{
	for (; **at; (*at)++) {
		char c = **at;

		if (c == '{' && (*at)[1] != '{')
			break;
		if (c == '}' && (*at)[1] != '}') {
			error_set(
				err, ERROR_USAGE, "--name", "\"%s\": found '}' without '{'", text);
			return error_hint(err, "}} is a brace");
		}
		*at += c == '{' || c == '}';
		*to++ = c;
	}
	*to = '\0';
	return 0;
}

int name_template_new(
	const char *text, struct arena *arena, struct name_template **out, struct error *err)
{
	size_t size = strlen(text) + 1;
	struct name_template *n = arena_alloc(arena, sizeof(*n));
	const char *at = text;

	n->part = arena_array(arena, size, sizeof(*n->part));
	n->keys = intern_new(arena);
	while (*at) {
		char *piece = arena_alloc(arena, size);
		const char *end;

		if (text_part(text, &at, piece, err) != 0)
			return -1;
		if (*piece)
			n->part[n->count++] = (struct name_part){.is_text = true, .text = piece};
		if (!*at)
			break;
		end = strchr(at, '}');
		if (!end) {
			error_set(
				err, ERROR_USAGE, "--name", "\"%s\": found '{' without '}'", text);
			return error_hint(err, "{{ is a brace");
		}
		if (field_part(text, arena_strndup(arena, at + 1, (size_t)(end - at - 1)),
			    &n->part[n->count++], err) != 0)
			return -1;
		at = end + 1;
	}
	*out = n;
	return 0;
}

void name_template_fill(
	struct name_template *name_template, struct text *to, const struct name_source *source)
{
	bool is_missing = false;

	for (size_t i = 0; i < name_template->count; i++) {
		struct name_part *part = &name_template->part[i];

		if (part->is_text) {
			text_add(to, part->text);
			continue;
		}
		part->used |= source->add(source->context, part->field, part->text, to);
		is_missing |= !part->used;
	}
	if (is_missing) {
		/* Note what there is, should a field be missing in the end. */
		const char *key;
		size_t at = 0, size;

		if (name_template->looked_at >= EVENTS_LOOKED_AT)
			return;
		while (intern_count(name_template->keys) < KEYS_MOST &&
			source->next_key(source->context, &at, &key, &size))
			intern_id(name_template->keys, size ? key : "", size);
		name_template->looked_at += at > 0; /* one without args costs nothing */
	}
}

const char *name_template_missing(const struct name_template *name_template, uint64_t *found)
{
	const char *missing = NULL;
	size_t field = 0;

	*found = 0;
	for (size_t i = 0; i < name_template->count; i++) {
		const struct name_part *part = &name_template->part[i];

		if (part->is_text)
			continue;
		if (part->used && field < 64)
			*found |= UINT64_C(1) << field;
		field++;
		if (part->field == NAME_ARG && !part->used && !missing)
			missing = part->text;
	}
	return missing;
}

const struct intern *name_template_keys(const struct name_template *name_template)
{
	return name_template->keys;
}
