/*
 * Lists are collected in one text and put into their element as a packed field.
 */
#include "export/obs_writer.h"

#include "base/checksum/crc32.h"
#include "base/output/protobuf_writer.h"

void obs_put_list(struct obs_writer *w, struct text *t, unsigned field)
{
	if (w->list.size)
		protobuf_add_message(t, field, &w->list);
}

void obs_write_raw(struct obs_writer *w, const struct text *t)
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
	obs_write_raw(w, &head);
	obs_write_raw(w, contents);
	text_clear(contents);
	text_release(&head);
}

void obs_list_stretches(struct obs_writer *w, const bool *is, size_t count, bool first, bool usual)
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
}

void obs_list_differences(struct obs_writer *w, const uint64_t *value, size_t count)
{
	uint64_t before = 0;

	for (size_t i = 0; i < count; i++) {
		protobuf_add_varint(&w->list, protobuf_zigzag(value[i] - before));
		before = value[i];
	}
}
