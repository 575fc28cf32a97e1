/* Values as texts: references become names, numbers digits. */
#include "ingest/xplane/stat_text.h"

#include <string.h>
#include "base/number.h"
#include "ingest/input/input.h"
#include "ingest/trace/xla_words.h"

#define REAL_DIGITS 15
#define UNPACKED_MOST ((size_t)16384)

/* The beginning of a packed text; nothing where it cannot be unpacked. */
static void add_packed(struct text *to, struct xla_text packed)
{
	struct input *in = input_memory(packed.at, packed.size, "a packed text");
	const unsigned char *bytes;
	struct error ignored;
	size_t size;

	if (input_is_gzip(in) && input_peek(in, UNPACKED_MOST, &bytes, &size, &ignored) == 0)
		text_add_zeros_visible(
			to, (const char *)bytes, size < UNPACKED_MOST ? size : UNPACKED_MOST);
	input_close(in);
}

static void add_value(struct text *to, const struct stat_value *value)
{
	char digits[NUMBER_TEXT_SIZE];
	double real;

	switch (value->kind) {
	case VALUE_INTEGER:
		if (value->is_unsigned)
			text_printf(to, "%llu", (unsigned long long)value->bits);
		else
			text_add(to, number_format_int(digits, (int64_t)value->bits));
		break;
	case VALUE_REAL:
		memcpy(&real, &value->bits, sizeof(real));
		text_add(to, number_format_real(digits, real, REAL_DIGITS));
		break;
	case VALUE_TEXT:
	case VALUE_BYTES:
		text_add_zeros_visible(
			to, value->text.size ? value->text.at : "", value->text.size);
		break;
	case VALUE_PACKED:
		add_packed(to, value->text);
		break;
	case VALUE_NONE:
		break;
	}
}

/* The stats of a message one by one; they are its fields of this number. */
struct stats_walk {
	struct wire rest;
	uint32_t number;
};

static bool next_stat(const struct plane *plane, struct stats_walk *walk, struct xla_text *name,
	struct stat_value *value)
{
	struct wire_field field;
	uint32_t place;

	while (wire_next(&walk->rest, &field) == WIRE_FIELD)
		if (field.number == walk->number && field.type == WIRE_BYTES &&
			plane_stat(plane, wire_inside(&field), &place, value) && place) {
			*name = plane->stat[place - 1].name;
			return true;
		}
	return false;
}

/* Stats of the event itself, then of all events of its id. */
static struct stats_walk walk_of(const struct named_stat_event *named, bool of_meta)
{
	const struct xla_text *stats = &named->meta->stats;
	const unsigned char *at = (const unsigned char *)(stats->size ? stats->at : "");

	return of_meta ? (struct stats_walk){{at, at + stats->size}, 5}
		       : (struct stats_walk){named->bytes, XEVENT_STAT};
}

static bool find_stat(
	const struct named_stat_event *named, const char *key, struct stat_value *value)
{
	struct xla_text name;

	for (int of_meta = 0; of_meta < 2; of_meta++) {
		struct stats_walk walk = walk_of(named, of_meta);

		while (next_stat(named->plane, &walk, &name, value))
			if (xla_text_is(name, key))
				return true;
	}
	return false;
}

/* Adds the word that the program of the op has for it. */
static bool add_word(const struct named_stat_event *named, const char *key, struct text *to)
{
	struct xla_text module = {"", 0}, op = named->name;
	struct stat_value value, program;
	const bool has_program =
		find_stat(named, "program_id", &program) && program.kind == VALUE_INTEGER;
	struct hlo_word word;
	const char *text;

	if (find_stat(named, "hlo_module", &value) && value.kind == VALUE_TEXT)
		module = value.text;
	if (find_stat(named, "hlo_op", &value) && value.kind == VALUE_TEXT)
		op = xla_last_op(value.text);
	if (strcmp(key, "hlo_module") == 0) {
		text = has_program ? hlo_words_module(named->words, program.bits) : "";
	} else {
		if ((!has_program && module.size == 0) ||
			!hlo_words_find(named->words, has_program ? &program.bits : NULL, module,
				op, &word))
			return false;
		text = strcmp(key, "tf_op") == 0	  ? word.op_name
		       : strcmp(key, "source") == 0	  ? word.source
		       : strcmp(key, XLA_CALLER_ARG) == 0 ? word.caller
							  : word.user_source;
	}
	text_add_zeros_visible(to, text, strlen(text));
	return *text != '\0';
}

static bool add_stat(const struct named_stat_event *named, const char *key, struct text *to)
{
	static const char *const of_programs[] = {
		"tf_op", "source", "hlo_module", XLA_CALLER_ARG, XLA_USER_SOURCE_ARG, NULL};
	const size_t start = to->size;
	struct stat_value value;
	const bool found = find_stat(named, key, &value);

	if (found)
		add_value(to, &value);
	for (size_t i = 0; named->words && of_programs[i]; i++) {
		if (strcmp(of_programs[i], key) != 0)
			continue;
		if (i == 0 && strcmp(text_string(to) + start, XLA_NO_OP_NAME) == 0)
			to->size = start;
		return to->size > start || add_word(named, key, to) || found;
	}
	if (found)
		return true;
	if (strcmp(key, "long_name") != 0 || named->meta->long_name.size == 0)
		return false;
	text_add_zeros_visible(to, named->meta->long_name.at, named->meta->long_name.size);
	return true;
}

static bool add_field(void *context, enum name_field field, const char *key, struct text *to)
{
	const struct named_stat_event *named = context;
	const struct lane *lane = eventlog_lane_at(named->log, named->lane);

	switch (field) {
	case NAME_NAME:
		text_add_zeros_visible(
			to, named->name.size ? named->name.at : "", named->name.size);
		return true;
	case NAME_CATEGORY:
		text_add_bytes(to, named->type.at, named->type.size);
		return true;
	case NAME_PROCESS:
		text_add(to, eventlog_process_name(named->log, lane->process));
		return true;
	case NAME_THREAD:
		text_add(to, lane->name);
		return true;
	case NAME_TYPE:
		text_add_bytes(to, named->type.at, named->type.size);
		return true;
	case NAME_ARG:
		return add_stat(named, key, to);
	}
	return false;
}

/* *at counts the stats of the event and, behind them, of its id. */
static bool next_key(void *context, size_t *at, const char **key, size_t *size)
{
	const struct named_stat_event *named = context;
	struct stat_value value;
	struct xla_text name;
	size_t place = 0;

	for (int of_meta = 0; of_meta < 2; of_meta++) {
		struct stats_walk walk = walk_of(named, of_meta);

		while (next_stat(named->plane, &walk, &name, &value))
			if (place++ == *at) {
				*key = name.at;
				*size = name.size;
				(*at)++;
				return true;
			}
	}
	return false;
}

struct name_source named_source(struct named_stat_event *named)
{
	return (struct name_source){add_field, next_key, named};
}
