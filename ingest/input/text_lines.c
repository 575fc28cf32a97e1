/*
 * Cuts an input into lines.
 */
#include "ingest/input/text_lines.h"

#include <stdio.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

void line_reader_init(struct line_reader *r, struct input *in, size_t cap)
{
	*r = (struct line_reader){.in = in, .cap = cap};
	text_init(&r->text);
}

void line_reader_release(struct line_reader *r)
{
	text_release(&r->text);
}

const char *line_reader_place(const struct line_reader *r, char *out, size_t room)
{
	snprintf(out, room, "%s:%zu", input_path(r->in), r->number);
	return out;
}

/* Adds bytes up to the line end; *more is set when there was none yet. */
static int add_part(struct line_reader *r, bool *more, struct error *err)
{
	const unsigned char *bytes, *end;
	size_t size, part;

	if (input_peek(r->in, 1, &bytes, &size, err))
		return -1;
	if (size == 0) {
		r->unended = true;
		*more = false;
		return 0;
	}
	end = memchr(bytes, '\n', size);
	part = end ? (size_t)(end - bytes) : size;
	if (part > r->cap - r->text.size) {
		char place[512];

		error_set(err, ERROR_LIMIT, line_reader_place(r, place, sizeof(place)),
			"a line of more than %zu bytes", r->cap);
		return error_hint(err, "allow more with max-record in stepstat.yaml");
	}
	text_add_bytes(&r->text, (const char *)bytes, part);
	input_skip(r->in, part + (end != NULL));
	*more = !end;
	return 0;
}

int line_reader_next(struct line_reader *r, const char **line, size_t *size, struct error *err)
{
	size_t skip = 0;
	bool more = true, unended = r->unended;

	text_clear(&r->text);
	r->unended = false;
	r->number++;
	while (more)
		if (add_part(r, &more, err))
			return -1;
	if (r->unended && r->text.size == 0) {
		r->unended = unended;
		r->number--;
		return 0;
	}
	*line = text_string(&r->text);
	*size = r->text.size;
	if (r->number == 1 && *size >= 3 && memcmp(*line, BYTE_ORDER_MARK, 3) == 0)
		skip = 3;
	*line += skip;
	*size -= skip;
	if (*size > 0 && (*line)[*size - 1] == '\r') {
		r->text.data[r->text.size - 1] = '\0';
		--*size;
	}
	return 1;
}
