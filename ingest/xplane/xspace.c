/* Framing at offsets. */
#include "ingest/xplane/xspace.h"

#define HEAD_MOST 20 /* tag and length, or tag and value */

int space_damaged(struct space *s, uint64_t offset, const char *what, struct error *err)
{
	const bool is_cut = offset >= s->window.file->size;
	char message[128];

	s->is_damaged = true;
	snprintf(message, sizeof(message), is_cut ? "ends inside %s" : "damaged inside %s", what);
	span_file_damaged(s->window.file, offset, message, err);
	return error_hint(err, is_cut ? "the file is cut off: copy or record it again"
				      : "the file was changed on its way: copy or record it again");
}

/* A group is passed over: no message here has any. */
static int skip_group(struct space *s, struct extent *rest, const char *what, struct error *err)
{
	const struct extent all = *rest;
	struct wire_field field;
	struct wire w;

	if (space_load(s, &all, what, &w, err))
		return -1;
	const unsigned char *start = w.at;

	if (wire_next(&w, &field) != WIRE_FIELD)
		return space_damaged(s, rest->start, what, err);
	rest->start += (uint64_t)(w.at - start);
	return 1;
}

int space_next(struct space *s, struct extent *rest, const char *what, struct wire_field *field,
	struct extent *inside, struct error *err)
{
	const uint64_t left = rest->end - rest->start;
	const unsigned char *bytes;
	size_t size;
	uint64_t tag, value;

	if (left == 0)
		return 0;
	if (span_window_get(&s->window, rest->start, HEAD_MOST, &bytes, &size, err))
		return -1;
	struct wire w = {bytes, bytes + (size < left ? size : (size_t)left)};

	if (!wire_varint(&w, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
		return space_damaged(s, rest->start, what, err);
	*field = (struct wire_field){
		.number = (uint32_t)(tag >> 3), .type = (enum wire_type)(tag & 7)};
	switch (field->type) {
	case WIRE_VARINT:
	case WIRE_BYTES:
		if (!wire_varint(&w, &value))
			return space_damaged(s, rest->start, what, err);
		break;
	case WIRE_FIXED64:
	case WIRE_FIXED32:
		if ((size_t)(w.end - w.at) < (field->type == WIRE_FIXED64 ? 8 : 4))
			return space_damaged(s, rest->start, what, err);
		w.at += field->type == WIRE_FIXED64 ? 8 : 4;
		value = 0;
		break;
	case WIRE_GROUP:
		return skip_group(s, rest, what, err);
	default:
		return space_damaged(s, rest->start, what, err);
	}
	const uint64_t head = (uint64_t)(w.at - bytes);

	field->value = value;
	if (field->type == WIRE_BYTES) {
		if (value > left - head)
			return space_damaged(s,
				rest->end == s->window.file->size ? rest->end : rest->start, what,
				err);
		field->size = value;
		*inside = (struct extent){rest->start + head, rest->start + head + value};
		rest->start = inside->end;
	} else {
		rest->start += head;
	}
	return 1;
}

int space_load(struct space *s, const struct extent *inside, const char *what, struct wire *out,
	struct error *err)
{
	const uint64_t want = inside->end - inside->start;
	const unsigned char *bytes;
	size_t size;
	char place[sizeof(err->place)];

	if (want > s->most_bytes) {
		error_place_offset(place, sizeof(place), s->window.file->path, inside->start);
		error_set(err, ERROR_LIMIT, place, "%llu bytes for %s, at most %zu are allowed",
			(unsigned long long)want, what, s->most_bytes);
		return error_hint(
			err, "allow more with max-record in stepstat.yaml, if the file is sound");
	}
	if (span_window_get(&s->window, inside->start, (size_t)want, &bytes, &size, err))
		return -1;
	*out = (struct wire){bytes, bytes + want};
	return 0;
}
