/*
 * --name: names of ops by a template.
 */
#include "ingest/chrome/trace_name.h"

#include <string.h>

enum part_kind { PART_TEXT, PART_NAME, PART_CATEGORY, PART_PROCESS, PART_THREAD, PART_ARG };

struct name_part {
	enum part_kind kind;
	const char *text; /* of PART_TEXT, the key of PART_ARG */
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

static int bad_field(const char *text, const char *field, struct error *err)
{
	error_set(err, ERROR_USAGE, "--name", "\"%s\": there is no field {%s}", text, field);
	return error_hint(
		err, "fields are {name}, {cat}, {pid}, {tid} and {args.KEY}; {{ is a brace");
}

static int field_part(
	const char *text, const char *field, struct name_part *part, struct error *err)
{
	static const struct {
		const char *word;
		enum part_kind kind;
	} fields[] = {{"name", PART_NAME}, {"cat", PART_CATEGORY}, {"pid", PART_PROCESS},
		{"tid", PART_THREAD}};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(fields[i].word, field) == 0) {
			part->kind = fields[i].kind;
			return 0;
		}
	if (strncmp(field, "args.", 5) != 0 || !field[5])
		return bad_field(text, field, err);
	part->kind = PART_ARG;
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
			n->part[n->count++] = (struct name_part){.kind = PART_TEXT, .text = piece};
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

static void add_value(struct text *to, const struct json_value *value)
{
	bool in_string = false;

	if (value->kind == '"') {
		json_add_text(to, value);
		return;
	}
	for (size_t i = 0; i < value->size; i++) {
		char c = value->at[i];

		if (in_string && c == '\\' && i + 1 < value->size) {
			text_add_bytes(to, value->at + i++, 2);
			continue;
		}
		if (c == '"')
			in_string = !in_string;
		if (in_string || !(c == ' ' || c == '\n' || c == '\t' || c == '\r'))
			text_add_char(to, c);
	}
}

/* Notes what there is, should a field be missing in the end. */
static void note_keys(struct name_template *n, const struct trace_event *event)
{
	struct json_member arg;
	size_t at = 0;

	if (n->looked_at >= EVENTS_LOOKED_AT)
		return;
	while (intern_count(n->keys) < KEYS_MOST && trace_next_arg(event, &at, &arg))
		intern_id(n->keys, arg.key.size ? arg.key.at : "", arg.key.size);
	n->looked_at += at > 0; /* one without args costs nothing */
}

void name_template_fill(struct name_template *name_template, struct text *to,
	const struct trace_event *event, const struct json_value *name)
{
	bool is_missing = false;

	for (size_t i = 0; i < name_template->count; i++) {
		struct name_part *part = &name_template->part[i];
		struct json_value arg;

		part->used |= part->kind != PART_TEXT && part->kind != PART_ARG;
		switch (part->kind) {
		case PART_TEXT:
			text_add(to, part->text);
			break;
		case PART_NAME:
			add_value(to, name);
			break;
		case PART_CATEGORY:
			add_value(to, &event->category);
			break;
		case PART_PROCESS:
			add_value(to, &event->process);
			break;
		case PART_THREAD:
			add_value(to, &event->thread);
			break;
		case PART_ARG:
			arg = trace_arg(event, part->text);
			part->used |= arg.kind != 0; /* an empty text is there, too */
			is_missing |= !part->used;
			add_value(to, &arg);
			break;
		}
	}
	if (is_missing)
		note_keys(name_template, event);
}

const char *name_template_missing(const struct name_template *name_template, uint64_t *found)
{
	const char *missing = NULL;
	size_t field = 0;

	*found = 0;
	for (size_t i = 0; i < name_template->count; i++) {
		const struct name_part *part = &name_template->part[i];

		if (part->kind == PART_TEXT)
			continue;
		if (part->used && field < 64)
			*found |= UINT64_C(1) << field;
		field++;
		if (part->kind == PART_ARG && !part->used && !missing)
			missing = part->text;
	}
	return missing;
}

const struct intern *name_template_keys(const struct name_template *name_template)
{
	return name_template->keys;
}
