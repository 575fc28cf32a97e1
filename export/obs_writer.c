/*
 * Lists are collected in one text and put into their message as a packed field.
 */
#include "export/obs_writer.h"

#include "base/checksum.h"
#include "base/memory.h"

uint64_t *obs_room(struct obs_writer *w, size_t count)
{
	w->room = memory_make_room(w->room, &w->room_count, count, sizeof(*w->room));
	return w->room;
}

void obs_put_list(struct obs_writer *w, struct text *to, unsigned field)
{
	if (w->list.size)
		protobuf_add_message(to, field, &w->list);
}

void obs_put_differences(
	struct obs_writer *w, struct text *to, unsigned field, const uint64_t *value, size_t count)
{
	uint64_t before = 0;

	for (size_t i = 0; i < count; before = value[i++])
		protobuf_add_varint(&w->list, packed_zigzag(value[i] - before));
	obs_put_list(w, to, field);
}

void obs_put_plain(
	struct obs_writer *w, struct text *to, unsigned field, const uint64_t *value, size_t count)
{
	for (size_t i = 0; i < count; i++)
		protobuf_add_varint(&w->list, value[i]);
	obs_put_list(w, to, field);
}

void obs_put_stretches(struct obs_writer *w, struct text *to, unsigned field, const bool *is,
	size_t count, bool first, bool usual)
{
	size_t same = 0, length = 0;
	bool now = first;

	while (same < count && is[same] == usual)
		same++;
	if (same == count)
		return;
	for (size_t i = 0; i < count; i++) {
		if (is[i] != now) {
			protobuf_add_varint(&w->list, length);
			length = 0;
			now = !now;
		}
		length++;
	}
	protobuf_add_varint(&w->list, length);
	obs_put_list(w, to, field);
}

void obs_put_name(struct obs_writer *w, const char *name, unsigned shared, unsigned rest)
{
	const char *before = w->name ? w->name : "";
	size_t n = 0;

	while (name[n] && name[n] == before[n])
		n++;
	w->name = name;
	if (n)
		protobuf_add_number(&w->element, shared, n);
	protobuf_add_string(&w->element, rest, name + n);
}

static void write_raw(struct obs_writer *w, const struct text *t)
{
	w->crc = crc32_add(w->crc, text_string(t), t->size);
	outfile_write(w->out, text_string(t), t->size);
}

void obs_write_element(struct obs_writer *w, unsigned field, struct text *contents)
{
	struct text head;

	text_init(&head);
	protobuf_add_tag(&head, field, WIRE_BYTES);
	protobuf_add_varint(&head, contents->size);
	write_raw(w, &head);
	write_raw(w, contents);
	text_clear(contents);
	text_release(&head);
}
