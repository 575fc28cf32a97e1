/* Values stay in the bytes of the packet until one is asked for. Numbers become text in the slot of
 * their arg, so that what was given stays valid; only nested values need memory. */
#include "ingest/perfetto/args.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/number.h"

#define BLOCK_ARGS 64
#define BLOCKS_MOST 1024
#define ARGS_MOST ((size_t)BLOCK_ARGS * BLOCKS_MOST) /* of one event */
#define DEPTH_MOST 32

enum { TRACK_EVENT_ANNOTATIONS = 4 };

enum pf_annotation_field {
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_NAME = 10,
	ANNOTATION_DICT = 11,
	ANNOTATION_ARRAY = 12,
};

enum pf_nested_field {
	NESTED_TYPE = 1,
	NESTED_KEYS = 2,
	NESTED_VALUES = 3,
	NESTED_ITEMS = 4,
	NESTED_INT = 5,
	NESTED_DOUBLE = 6,
	NESTED_BOOL = 7,
	NESTED_STRING = 8,
};

enum pf_compute_field { COMPUTE_NAME_IID = 1, COMPUTE_NAME = 2 };

enum arg_kind {
	KIND_NONE,
	KIND_BOOL,
	KIND_UNSIGNED,
	KIND_SIGNED,
	KIND_REAL,
	KIND_POINTER,
	KIND_STRING,	 /* bytes of the packet */
	KIND_STRING_IID, /* bits: its number */
	KIND_TEXT,	 /* value has it */
	KIND_JSON,	 /* bytes: JSON as the writer made it */
	KIND_TREE,	 /* bytes: an annotation with entries or items */
	KIND_NESTED,	 /* bytes: a NestedValue */
};

struct arg {
	struct json_value key, value; /* value.kind 0: not made yet */
	enum arg_kind kind;
	uint64_t bits;
	struct pf_bytes bytes;
	const struct pf_names *names;
	char digits[NUMBER_TEXT_SIZE];
};

struct pf_args {
	struct trace_source source;
	const struct trace_event *event;
	struct arg *block[BLOCKS_MOST]; /* of args: they stay where they are */
	size_t count;
	/* Messages that were added and not taken apart yet. */
	struct given {
		struct wire unread;
		const struct pf_names *names;
	} given[2];
	size_t given_count, given_at;
	struct arena *arena;
	bool is_arena_used, has_text, is_cut;
	struct text text;
};

/* ---- annotations ---- */

/* The kind of value of a field, by its number. */
struct value_field {
	enum wire_type type;
	enum arg_kind kind; /* KIND_NONE: it is no value */
};

#define VALUE_FIELDS 18 /* numbers are below */

static const struct value_field annotation_field[VALUE_FIELDS] = {
	[ANNOTATION_NAME_IID] = {WIRE_VARINT, KIND_NONE},
	[2] = {WIRE_VARINT, KIND_BOOL},
	[3] = {WIRE_VARINT, KIND_UNSIGNED},
	[4] = {WIRE_VARINT, KIND_SIGNED},
	[5] = {WIRE_FIXED64, KIND_REAL},
	[6] = {WIRE_BYTES, KIND_STRING},
	[7] = {WIRE_VARINT, KIND_POINTER},
	[8] = {WIRE_BYTES, KIND_NESTED}, /* of old writers */
	[9] = {WIRE_BYTES, KIND_JSON},
	[ANNOTATION_NAME] = {WIRE_BYTES, KIND_NONE},
	[ANNOTATION_DICT] = {WIRE_BYTES, KIND_TREE},
	[ANNOTATION_ARRAY] = {WIRE_BYTES, KIND_TREE},
	[17] = {WIRE_VARINT, KIND_STRING_IID}};

/* False: the field has not the type that it should have. A value is in the arg then. */
static bool take_field(
	const struct value_field *fields, const struct wire_field *f, struct arg *arg)
{
	if (f->number >= VALUE_FIELDS || f->type != fields[f->number].type)
		return false;
	if (fields[f->number].kind == KIND_NONE)
		return true;
	arg->kind = fields[f->number].kind;
	if (f->type == WIRE_BYTES)
		arg->bytes = pf_bytes_of(f);
	else
		arg->bits = f->value;
	return true;
}

static struct json_value json_string(struct pf_args *a, struct pf_bytes bytes)
{
	struct json_value value = pf_json_string(bytes, a->arena);

	a->is_arena_used |= value.at != (const char *)bytes.at;
	return value;
}

/* False: damaged. */
static bool parse_annotation(
	struct pf_bytes bytes, const struct pf_names *names, struct pf_args *a, struct arg *arg)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	arg->key = (struct json_value){.at = "", .kind = '"'};
	arg->value.kind = 0;
	arg->kind = KIND_NONE;
	arg->names = names;
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (!take_field(annotation_field, &f, arg))
			continue;
		if (f.number == ANNOTATION_NAME_IID)
			arg->key = pf_name(names, PF_ARG_NAME, f.value);
		else if (f.number == ANNOTATION_NAME)
			arg->key = json_string(a, pf_bytes_of(&f));
		else if (arg->kind == KIND_TREE)
			arg->bytes = bytes;
	}
	return got == WIRE_END;
}

static struct arg *arg_at(const struct pf_args *a, size_t i)
{
	return &a->block[i / BLOCK_ARGS][i % BLOCK_ARGS];
}

static struct arg *push(struct pf_args *a)
{
	struct arg **block;

	if (a->count >= ARGS_MOST) {
		a->is_cut = true;
		return NULL;
	}
	block = &a->block[a->count / BLOCK_ARGS];
	if (!*block)
		*block = memory_alloc(BLOCK_ARGS * sizeof(**block));
	return &(*block)[a->count++ % BLOCK_ARGS];
}

/* Takes the next annotation apart; false: there is none left. */
static bool take_next(struct pf_args *a)
{
	while (a->given_at < a->given_count) {
		struct given *given = &a->given[a->given_at];
		struct wire_field f;
		struct arg *arg;

		if (wire_next(&given->unread, &f) != WIRE_FIELD) {
			a->given_at++;
			continue;
		}
		if (f.number != TRACK_EVENT_ANNOTATIONS || f.type != WIRE_BYTES)
			continue;
		arg = push(a);
		if (!arg)
			return false;
		if (parse_annotation(pf_bytes_of(&f), given->names, a, arg))
			return true;
		a->count--;
	}
	return false;
}

/* ---- values ---- */

static double real_of(uint64_t bits)
{
	double real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

static struct json_value digits_of(struct arg *arg, int size, char kind)
{
	return (struct json_value){arg->digits, (size_t)size, kind};
}

/* Every slice has some: they are written from the end of the slot on. */
static struct json_value whole_value(struct arg *arg, uint64_t size, bool minus)
{
	char *end = arg->digits + sizeof(arg->digits), *at = end;

	do
		*--at = (char)('0' + size % 10);
	while ((size /= 10) > 0);
	if (minus)
		*--at = '-';
	return (struct json_value){at, (size_t)(end - at), '0'};
}

/* The shortest number that reads back as the same. */
static struct json_value real_value(struct arg *arg, double real)
{
	double back;

	if (!isfinite(real))
		return (struct json_value){isnan(real) ? "NaN"
					   : real > 0  ? "Infinity"
						       : "-Infinity",
			isnan(real) ? 3
			: real > 0  ? 8
				    : 9,
			'w'};
	for (int digits = 15; digits <= 17; digits++) {
		number_format_real(arg->digits, real, digits);
		if (number_parse_real(arg->digits, strlen(arg->digits), &back) && back == real)
			break;
	}
	return digits_of(arg, (int)strlen(arg->digits), '0');
}

static void add_tree(struct text *to, struct pf_bytes bytes, const struct pf_names *names,
	struct pf_args *a, unsigned depth);
static void add_nested(struct text *to, struct pf_bytes bytes, struct pf_args *a, unsigned depth);

static struct json_value in_arena(struct pf_args *a, struct text *text, char kind)
{
	struct json_value value = {
		arena_strndup(pf_args_arena(a), text_string(text), text->size), text->size, kind};

	text_release(text);
	return value;
}

static struct json_value json_value_of(struct pf_bytes bytes)
{
	const char *at = (const char *)bytes.at;
	size_t size = bytes.size;
	char c;

	while (size > 0 && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) {
		at++;
		size--;
	}
	if (size == 0)
		return (struct json_value){"null", 4, 'w'};
	c = *at;
	if (c == '"' && size >= 2)
		return (struct json_value){at + 1, size - 2, '"'};
	if (c == '{' || c == '[')
		return (struct json_value){at, size, c};
	return (struct json_value){at, size, text_is_digit(c) || c == '-' ? '0' : 'w'};
}

static struct json_value make_value(struct arg *arg, struct pf_args *a, unsigned depth)
{
	struct text text;

	switch (arg->kind) {
	case KIND_BOOL:
		return (struct json_value){arg->bits ? "true" : "false", arg->bits ? 4 : 5, 'w'};
	case KIND_UNSIGNED:
		return whole_value(arg, arg->bits, false);
	case KIND_SIGNED:
		return (int64_t)arg->bits < 0 ? whole_value(arg, 0 - arg->bits, true)
					      : whole_value(arg, arg->bits, false);
	case KIND_REAL:
		return real_value(arg, real_of(arg->bits));
	case KIND_POINTER:
		return digits_of(arg,
			snprintf(arg->digits, sizeof(arg->digits), "0x%" PRIx64, arg->bits), '"');
	case KIND_STRING:
		return json_string(a, arg->bytes);
	case KIND_STRING_IID:
		return pf_name(arg->names, PF_ARG_TEXT, arg->bits);
	case KIND_TEXT:
		return arg->value;
	case KIND_JSON:
		return json_value_of(arg->bytes);
	case KIND_TREE:
		text_init(&text);
		add_tree(&text, arg->bytes, arg->names, a, depth);
		return in_arena(a, &text, text_string(&text)[0]);
	case KIND_NESTED:
		text_init(&text);
		add_nested(&text, arg->bytes, a, depth);
		return in_arena(a, &text, text_string(&text)[0]);
	case KIND_NONE:
	default:
		return (struct json_value){"null", 4, 'w'};
	}
}

static void add_value(struct text *to, const struct json_value *value)
{
	if (value->kind == '"')
		text_add_char(to, '"');
	if (value->size > 0)
		text_add_bytes(to, value->at, value->size);
	if (value->kind == '"')
		text_add_char(to, '"');
	if (value->kind == 0)
		text_add(to, "null");
}

static void add_member(
	struct text *to, const struct json_value *key, const struct json_value *value)
{
	text_add_char(to, '"');
	if (key->size > 0)
		text_add_bytes(to, key->at, key->size);
	text_add(to, "\": ");
	add_value(to, value);
}

/* An annotation with entries is an object, one with items an array; what has both is an object. */
static void add_tree(struct text *to, struct pf_bytes bytes, const struct pf_names *names,
	struct pf_args *a, unsigned depth)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	char kind = '\0';

	if (depth >= DEPTH_MOST) {
		a->is_cut = true;
		text_add(to, "null");
		return;
	}
	while (wire_next(&w, &f) == WIRE_FIELD) {
		struct json_value value;
		struct arg arg;
		char found = f.number == ANNOTATION_DICT ? '{' : '[';

		if ((f.number != ANNOTATION_DICT && f.number != ANNOTATION_ARRAY) ||
			f.type != WIRE_BYTES || (kind && found != kind) ||
			!parse_annotation(pf_bytes_of(&f), names, a, &arg))
			continue;
		if (kind)
			text_add(to, ", ");
		else
			text_add_char(to, found);
		kind = found;
		value = make_value(&arg, a, depth + 1);
		if (kind == '{')
			add_member(to, &arg.key, &value);
		else
			add_value(to, &value);
	}
	text_add(to, kind == '{' ? "}" : kind == '[' ? "]" : "null");
}

/* The next of the keys; those that are missing are empty. */
static struct pf_bytes next_key(struct wire *keys)
{
	struct wire_field f;

	while (wire_next(keys, &f) == WIRE_FIELD)
		if (f.number == NESTED_KEYS && f.type == WIRE_BYTES)
			return pf_bytes_of(&f);
	keys->at = keys->end;
	return (struct pf_bytes){(const unsigned char *)"", 0};
}

static void add_scalar(struct text *to, const struct wire_field *f)
{
	struct arg arg = {.bits = f->value};
	struct json_value value;

	switch (f->number) {
	case NESTED_INT:
		arg.kind = KIND_SIGNED;
		break;
	case NESTED_BOOL:
		arg.kind = KIND_BOOL;
		break;
	default:
		arg.kind = KIND_REAL;
		break;
	}
	value = make_value(&arg, NULL, 0);
	add_value(to, &value);
}

static void add_string(struct text *to, struct pf_bytes bytes)
{
	struct arena *arena = arena_new();
	struct json_value value = pf_json_string(bytes, arena);

	add_value(to, &value);
	arena_free(arena);
}

/* Old writers: keys and values are two lists, which are read side by side. */
static void add_nested(struct text *to, struct pf_bytes bytes, struct pf_args *a, unsigned depth)
{
	struct wire w = pf_wire(bytes), keys = w;
	struct wire_field f;
	char kind = '\0';

	if (depth >= DEPTH_MOST) {
		a->is_cut = true;
		text_add(to, "null");
		return;
	}
	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (kind == '\0' &&
			((f.number == NESTED_INT && f.type == WIRE_VARINT) ||
				(f.number == NESTED_BOOL && f.type == WIRE_VARINT) ||
				(f.number == NESTED_DOUBLE && f.type == WIRE_FIXED64))) {
			add_scalar(to, &f);
			return;
		}
		if (kind == '\0' && f.number == NESTED_STRING && f.type == WIRE_BYTES) {
			add_string(to, pf_bytes_of(&f));
			return;
		}
		const char found = f.number == NESTED_VALUES ? '{' : '[';

		if ((f.number != NESTED_VALUES && f.number != NESTED_ITEMS) ||
			f.type != WIRE_BYTES || (kind && found != kind))
			continue;
		if (kind)
			text_add(to, ", ");
		else
			text_add_char(to, found);
		kind = found;
		if (kind == '{') {
			add_string(to, next_key(&keys));
			text_add(to, ": ");
		}
		add_nested(to, pf_bytes_of(&f), a, depth + 1);
	}
	text_add(to, kind == '{' ? "}" : kind == '[' ? "]" : "null");
}

/* ---- asked for ---- */

static struct json_value value_of(struct pf_args *a, struct arg *arg)
{
	if (arg->value.kind == 0)
		arg->value = make_value(arg, a, 0);
	return arg->value;
}

/* Names are a few bytes long: a call to compare them takes longer than a loop. */
static inline bool is_named(const struct json_value *key, const char *name)
{
	for (size_t i = 0; i < key->size; i++)
		if (name[i] == '\0' || name[i] != key->at[i])
			return false;
	return name[key->size] == '\0';
}

static void find_args(
	void *context, const char *const *names, struct json_value *values, size_t count)
{
	struct pf_args *a = context;
	size_t missing = count;

	for (size_t k = 0; k < count; k++)
		values[k] = (struct json_value){0};
	for (size_t i = 0; missing > 0 && (i < a->count || take_next(a)); i++)
		for (size_t k = 0; k < count; k++)
			if (values[k].kind == 0 && is_named(&arg_at(a, i)->key, names[k])) {
				values[k] = value_of(a, arg_at(a, i));
				missing--;
				break;
			}
}

static bool next_arg(void *context, size_t *at, struct json_member *member)
{
	struct pf_args *a = context;

	if (*at >= a->count && !take_next(a))
		return false;
	member->key = arg_at(a, *at)->key;
	member->value = value_of(a, arg_at(a, *at));
	++*at;
	return true;
}

static void add_time(struct text *to, const char *key, const struct trace_time *time)
{
	char digits[NUMBER_TEXT_SIZE];

	text_printf(to, ", \"%s\": %s", key, number_format_micros(digits, time->us, time->ps));
}

static void add_field(struct text *to, const char *key, const struct json_value *value)
{
	if (value->kind == 0)
		return;
	text_printf(to, ", \"%s\": ", key);
	add_value(to, value);
}

static struct json_value event_text(void *context)
{
	struct pf_args *a = context;
	const struct trace_event *e = a->event;
	struct json_member arg;
	size_t at = 0;

	if (!a->has_text) {
		text_clear(&a->text);
		text_printf(&a->text, "{\"ph\": \"%c\"", e->phase);
		add_field(&a->text, "cat", &e->category);
		add_field(&a->text, "name", &e->name);
		add_field(&a->text, "pid", &e->process);
		add_field(&a->text, "tid", &e->thread);
		add_field(&a->text, "id", &e->id);
		if (e->start.known)
			add_time(&a->text, "ts", &e->start);
		if (e->duration.known)
			add_time(&a->text, "dur", &e->duration);
		if (e->phase == 'f')
			text_add(&a->text, ", \"bp\": \"e\"");
		if (e->phase == 'i')
			text_add(&a->text, ", \"s\": \"t\"");
		while (next_arg(a, &at, &arg)) {
			text_add(&a->text, at == 1 ? ", \"args\": {" : ", ");
			add_member(&a->text, &arg.key, &arg.value);
		}
		text_add(&a->text, at ? "}}" : "}");
		a->has_text = true;
	}
	return (struct json_value){a->text.data, a->text.size, '{'};
}

struct json_value pf_arg(struct pf_args *a, const char *key)
{
	struct json_value value;

	find_args(a, &key, &value, 1);
	return value;
}

/* ---- given ---- */

struct pf_args *pf_args_new(void)
{
	struct pf_args *a = memory_alloc(sizeof(*a));

	a->source = (struct trace_source){
		.args = find_args, .next_arg = next_arg, .text = event_text, .context = a};
	a->arena = arena_new();
	text_init(&a->text);
	return a;
}

void pf_args_free(struct pf_args *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < BLOCKS_MOST && a->block[i]; i++)
		memory_free(a->block[i]);
	arena_free(a->arena);
	text_release(&a->text);
	memory_free(a);
}

const struct trace_source *pf_args_source(const struct pf_args *a)
{
	return &a->source;
}

void pf_args_begin(struct pf_args *a)
{
	a->count = a->given_count = a->given_at = 0;
	a->has_text = a->is_cut = false;
	if (a->is_arena_used)
		arena_reset(a->arena);
	a->is_arena_used = false;
}

bool pf_args_are_cut(const struct pf_args *a)
{
	return a->is_cut;
}

void pf_args_set_event(struct pf_args *a, const struct trace_event *event)
{
	a->event = event;
	a->has_text = false;
}

struct arena *pf_args_arena(struct pf_args *a)
{
	a->is_arena_used = true;
	return a->arena;
}

void pf_args_add_annotations(
	struct pf_args *a, struct pf_bytes track_event, const struct pf_names *names)
{
	if (track_event.at && a->given_count < 2)
		a->given[a->given_count++] = (struct given){pf_wire(track_event), names};
}

void pf_args_add_text(
	struct pf_args *a, const struct json_value *key, const struct json_value *text)
{
	struct arg *arg = push(a);

	if (!arg)
		return;
	arg->key = *key;
	arg->value = *text;
	arg->kind = KIND_TEXT;
}

static struct arg *push_named(struct pf_args *a, const char *key, enum arg_kind kind, uint64_t bits)
{
	struct arg *arg = push(a);

	if (!arg)
		return NULL;
	arg->key = (struct json_value){key, strlen(key), '"'};
	arg->value.kind = 0;
	arg->kind = kind;
	arg->bits = bits;
	return arg;
}

void pf_args_add_number(struct pf_args *a, const char *key, int64_t number)
{
	push_named(a, key, KIND_SIGNED, (uint64_t)number);
}

void pf_args_add_real(struct pf_args *a, const char *key, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	push_named(a, key, KIND_REAL, bits);
}

void pf_args_add_json(struct pf_args *a, const char *key, const char *json)
{
	struct arg *arg = push_named(a, key, KIND_JSON, 0);

	if (arg)
		arg->bytes = (struct pf_bytes){(const unsigned char *)json, strlen(json)};
}

void pf_args_add_compute(struct pf_args *a, struct pf_bytes bytes, const struct pf_names *names)
{
	struct wire w = pf_wire(bytes);
	static const struct value_field compute_field[VALUE_FIELDS] = {
		[COMPUTE_NAME_IID] = {WIRE_VARINT, KIND_NONE},
		[COMPUTE_NAME] = {WIRE_BYTES, KIND_NONE},
		[3] = {WIRE_VARINT, KIND_SIGNED},
		[4] = {WIRE_VARINT, KIND_UNSIGNED},
		[5] = {WIRE_FIXED64, KIND_REAL},
		[6] = {WIRE_BYTES, KIND_STRING},
		[7] = {WIRE_VARINT, KIND_STRING_IID}};
	struct arg *arg = push_named(a, "", KIND_NONE, 0);
	struct wire_field f;

	if (!arg)
		return;
	arg->names = names;
	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (!take_field(compute_field, &f, arg))
			continue;
		if (f.number == COMPUTE_NAME_IID)
			arg->key = pf_name(names, PF_KERNEL_ARG, f.value);
		else if (f.number == COMPUTE_NAME)
			arg->key = pf_json_string(pf_bytes_of(&f), pf_args_arena(a));
	}
}
