/* Splices new values into the text of an event. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "timeline/merge/merge_parts.h"
#include "base/output/json_text.h"
#include "base/number.h"

/* ---- sums of decimal texts, as integers of a common power of ten ---- */

#define PS_DECIMALS 6 /* of a microsecond */
#define DECIMALS_MOST 18

static int64_t power_of_ten(int exponent)
{
	int64_t power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* The fewest decimals of a microsecond that hold the shift. */
static int decimals_of(picoseconds shift)
{
	int decimals = PS_DECIMALS;

	for (; decimals > 0 && shift % 10 == 0; decimals--)
		shift /= 10;
	return decimals;
}

/* Adds the sum to `out`, with as many decimals as the text has, or as the shift needs. False (and
 * nothing is added): the text is not a decimal number, or has more digits than 128 bits hold. */
static bool time_shift(const char *text, size_t size, picoseconds shift, struct text *out)
{
	char digits[DECIMAL_TEXT_SIZE];
	struct decimal_text d;
	__int128 time, by = shift;
	int decimals = decimals_of(shift);
	int64_t own;

	if (!decimal_parse(&d, text, size, true))
		return false;
	own = (int64_t)d.fraction_digits - d.exponent;
	if (own > DECIMALS_MOST)
		return false;
	decimals = own > decimals ? (int)own : decimals;
	if (!decimal_scale(&d, power_of_ten(decimals), &time, NULL))
		return false;
	if (decimals < PS_DECIMALS)
		by /= power_of_ten(PS_DECIMALS - decimals);
	else if (__builtin_mul_overflow(by, power_of_ten(decimals - PS_DECIMALS), &by))
		return false;
	if (__builtin_add_overflow(time, by, &time))
		return false;
	text_add_bytes(out, digits, decimal_format(digits, time, decimals));
	return true;
}

void time_add_text(picoseconds time, struct text *out)
{
	char digits[DECIMAL_TEXT_SIZE];

	text_add_bytes(out, digits, decimal_format_short(digits, time, PS_DECIMALS));
}

/* ---- events ---- */

struct event_rewrite {
	struct merge *m;
	const struct merge_part *part;
	struct merge_file *file;
	uint32_t process;
	size_t part_index;
	const struct trace_event *event; /* as its file had it; its text as it was read */
	const struct merged_part *old;	 /* what that text has of a merge before; NULL: nothing */
	struct text *out;
	bool exact;
};

static struct json_value value_of(const struct json_field *field)
{
	char c = field->value[0];
	size_t quote = c == '"';

	return (struct json_value){field->value + quote, field->value_size - 2 * quote,
		quote			       ? '"'
		: text_is_digit(c) || c == '-' ? '0'
					       : c};
}

static void add_pid(const struct event_rewrite *c)
{
	text_printf(c->out, "%" PRId64, c->part->pid[c->process]);
}

static bool add_tid(const struct event_rewrite *c, const struct json_field *field)
{
	struct json_value tid = value_of(field);
	uint32_t thread = merge_thread_of(c->m, c->file, c->process, &tid);

	if (thread == UINT32_MAX)
		return false;
	text_printf(c->out, "%" PRId64,
		((const struct merge_thread *)vec_at(&c->file->thread, thread))->number);
	return true;
}

/* Takes "7:" off; false when it does not begin so. */
static bool cut_number(struct json_value *text, uint64_t id_number)
{
	char prefix[32];
	size_t size = (size_t)snprintf(prefix, sizeof(prefix), "%" PRIu64 ":", id_number);

	if (text->kind != '"' || text->size < size || memcmp(text->at, prefix, size) != 0)
		return false;
	text->at += size;
	text->size -= size;
	return true;
}

void merge_own_id(const struct json_value *id, const struct merged_part *old, struct merge_id *own)
{
	struct json_value text = *id;
	bool cut = old && old->id_number > 0 && cut_number(&text, old->id_number);

	*own = (struct merge_id){.text = text,
		.is_hex = text.size > 2 && text.at[0] == '0' && (text.at[1] | 0x20) == 'x',
		.is_quoted = text.kind == '"'};
	own->is_number = json_unsigned(&text, &own->number) && own->number < ID_MOST;
	if (own->is_number && old && !cut && own->number >= old->id_shift)
		own->number -= old->id_shift;
}

static void add_number(const struct merge_id *own, uint64_t number, struct text *out)
{
	if (own->is_hex)
		text_printf(out, "\"0x%" PRIx64 "\"", number);
	else
		text_printf(out, own->is_quoted ? "\"%" PRIu64 "\"" : "%" PRIu64, number);
}

/* Adds an id with the part's number before it; a number, or something odd, as a text of itself. */
static void add_text_id(const struct event_rewrite *c, const struct merge_id *own)
{
	const struct json_value *id = &own->text;

	text_add_char(c->out, '"');
	if (c->part->id_number > 0)
		text_printf(c->out, "%" PRIu64 ":", c->part->id_number);
	if (id->kind == '"')
		text_add_bytes(c->out, id->at, id->size);
	else
		for (size_t i = 0; i < id->size; i++)
			if (id->at[i] != '"' && id->at[i] != '\\' &&
				(unsigned char)id->at[i] >= ' ')
				text_add_char(c->out, id->at[i]);
	text_add_char(c->out, '"');
}

/* Ids of the first part stay; those of others come after them, or get the part's number in
 * front. */
static bool add_id(const struct event_rewrite *c, const struct json_field *field)
{
	struct json_value id = value_of(field);
	struct merge_id own;

	if (c->part_index == 0 && !c->old)
		return false;
	merge_own_id(&id, c->old, &own);
	if (own.is_number && c->part->id_shift < ID_MOST)
		add_number(&own, own.number + c->part->id_shift, c->out);
	else if (c->part_index == 0 && own.text.size == id.size) /* it is its own */
		return false;
	else
		add_text_id(c, &own);
	return true;
}

/* "id2": {"local": ..., "global": ...}: only the second is known outside of its process. */
static bool add_id2(const struct event_rewrite *c, const struct json_field *field)
{
	struct json_fields inner;
	const char *from = field->value;

	if (!json_fields_of(field->value, field->value_size, &inner))
		return false;
	for (size_t i = 0; i < inner.count; i++) {
		const struct json_field *f = &inner.field[i];

		if (!json_field_is(f, "global"))
			continue;
		text_add_bytes(c->out, from, (size_t)(f->value - from));
		from = add_id(c, f) ? f->value + f->value_size : f->value;
	}
	text_add_bytes(c->out, from, (size_t)(field->value + field->value_size - from));
	return true;
}

static bool add_time(struct event_rewrite *c, const struct json_field *field)
{
	struct json_value time = value_of(field);
	bool quoted = time.kind == '"';
	size_t before = c->out->size;
	picoseconds shift = c->part->shift - (c->old ? merge_time(&c->old->shift) : 0);

	if (shift == 0 || c->event->phase == 'M' || !c->event->start.known)
		return false;
	if (quoted)
		text_add_char(c->out, '"');
	if (!time_shift(time.at, time.size, shift, c->out)) {
		c->out->size = before;
		c->exact = false;
		return false;
	}
	if (quoted)
		text_add_char(c->out, '"');
	return true;
}

/* Begin of the name of a process, after the label that an earlier merge put there. */
static const char *after_label(const struct event_rewrite *c, const struct json_field *field)
{
	const char *name = field->value + 1;
	size_t size = field->value_size - 2;
	struct merged_part written = {0};
	struct text label;

	if (!c->old)
		return name;
	text_init(&label);
	json_text_exact(
		&label, c->old->label, strlen(c->old->label), 0); /* as written in the text */
	label.data[label.size - 1] = '\0';
	written.label = label.data + 1;
	merged_cut_label(&written, &name, &size);
	text_release(&label);
	return size == 0 ? field->value + field->value_size - 1 : name;
}

static void add_label(const struct event_rewrite *c, bool alone)
{
	json_text_exact(c->out, c->part->label, strlen(c->part->label), 0);
	c->out->size--; /* its end is that of the name */
	text_add(c->out, alone ? "" : ": ");
}

/* args of process_name and process_sort_index. */
static bool add_args(const struct event_rewrite *c, const struct json_field *field)
{
	bool is_name = json_equal(&c->event->name, "process_name");
	struct json_fields inner;
	const char *from = field->value;

	if (!(is_name || json_equal(&c->event->name, "process_sort_index")) ||
		!json_fields_of(field->value, field->value_size, &inner))
		return false;
	for (size_t i = 0; i < inner.count; i++) {
		const struct json_field *f = &inner.field[i];

		if (!json_field_is(f, is_name ? "name" : "sort_index"))
			continue;
		text_add_bytes(c->out, from, (size_t)(f->value - from));
		from = f->value;
		if (!is_name) {
			text_printf(c->out, "%" PRIu32, c->part->rank[c->process]);
			from += f->value_size;
		} else if (*f->value == '"') {
			from = after_label(c, f);
			add_label(
				c, c->old && *from == '"' && from + 1 == f->value + f->value_size);
		}
	}
	text_add_bytes(c->out, from, (size_t)(field->value + field->value_size - from));
	return true;
}

bool merge_has_global_id(char phase)
{
	return strchr("bneSTpFstfvV", phase) != NULL;
}

static bool add_changed(struct event_rewrite *c, const struct json_field *field)
{
	if (json_field_is(field, "pid")) {
		add_pid(c);
		return true;
	}
	if (json_field_is(field, "ts"))
		return add_time(c, field);
	if (json_field_is(field, "tid"))
		return add_tid(c, field);
	if (json_field_is(field, "id"))
		return merge_has_global_id(c->event->phase) && add_id(c, field);
	if (json_field_is(field, "bind_id"))
		return add_id(c, field);
	if (json_field_is(field, "id2"))
		return add_id2(c, field);
	return c->event->phase == 'M' && json_field_is(field, "args") && add_args(c, field);
}

bool merge_event_add(struct merge *m, size_t part, uint32_t process, const struct event_text *event,
	struct text *out)
{
	struct merge_part *p = merge_part_at(m, part);
	struct event_rewrite c = {m, p, merge_file_at(m, p->file), process, part, event->event,
		event->old, out, true};
	const struct json_fields *fields = &event->fields;
	const char *from = event->text;

	if (!event->event->process.kind) {
		text_add(out, "{\"pid\": ");
		add_pid(&c);
		text_add(out, fields->count ? ", " : "");
		from++;
	}
	for (size_t i = 0; i < fields->count; i++) {
		const struct json_field *field = &fields->field[i];

		text_add_bytes(out, from, (size_t)(field->value - from));
		from = field->value;
		if (add_changed(&c, field))
			from += field->value_size;
	}
	text_add_bytes(out, from, (size_t)(event->text + event->size - from));
	return c.exact;
}

static void begin_metadata(const char *name, int64_t pid, struct text *out, uint64_t *events)
{
	text_printf(out, "%s{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %" PRId64,
		(*events)++ ? ",\n" : "\n", name, pid);
}

/* Name of a process in a file that gives it no name: by its pid. */
static void add_name(const char *label, const char *key, struct text *out)
{
	struct text name;

	text_init(&name);
	text_add(&name, label);
	if (key[0])
		text_add(&name, ": ");
	text_add(&name, key);
	json_text_exact(out, text_string(&name), name.size, 0);
	text_release(&name);
}

void merge_event_add_missing(struct merge *m, size_t part, struct text *out, uint64_t *events)
{
	const struct merge_part *p = merge_part_at(m, part);
	const struct merge_file *file = merge_file_at(m, p->file);

	for (size_t i = 0; i < file->process.count; i++) {
		const struct merge_process *process = vec_at(&file->process, i);

		if (!process->named) {
			begin_metadata("process_name", p->pid[i], out, events);
			text_add(out, ", \"args\": {\"name\": ");
			add_name(p->label, process->key, out);
			text_add(out, "}}");
		}
		if (!process->sorted) {
			begin_metadata("process_sort_index", p->pid[i], out, events);
			text_printf(out, ", \"args\": {\"sort_index\": %" PRIu32 "}}", p->rank[i]);
		}
	}
	for (size_t i = 0; i < file->thread.count; i++) {
		const struct merge_thread *thread = vec_at(&file->thread, i);

		if (thread->named)
			continue;
		begin_metadata("thread_name", p->pid[thread->process], out, events);
		text_printf(out, ", \"tid\": %" PRId64 ", \"args\": {\"name\": ", thread->number);
		json_text_exact(out, thread->key, strlen(thread->key), 0);
		text_add(out, "}}");
	}
}
