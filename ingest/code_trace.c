/*
 * Reading of code traces, straight from the bytes.
 */
#include "ingest/code_trace.h"

#include <string.h>
#include "base/memory.h"
#include "ingest/wire.h"

#define TEXTS 3 /* of a frame: file, function, line */

struct frame {
	struct graph_frame frame;
	int64_t id[TEXTS];
};

/* A frame that was given to a node and lacks texts. */
struct open_frame {
	struct graph_frame *frame;
	int64_t id[TEXTS];
};

struct code_trace {
	struct graph_detail *detail;
	struct arena *scratch;
	bool present; /* a trace is being read, with or without frames */
	struct frame *frame;
	size_t frame_count, frame_room;
	struct open_frame *open;
	size_t open_count, open_room;
	struct intern *ids; /* numbers, 8 bytes each, to places in text */
	const char **text;
	size_t text_count, text_room;
};

struct code_trace *code_trace_new(struct graph_detail *detail)
{
	struct code_trace *t = memory_alloc(sizeof(*t));

	t->detail = detail;
	t->scratch = arena_new();
	t->ids = intern_new(t->scratch);
	return t;
}

void code_trace_free(struct code_trace *t)
{
	if (!t)
		return;
	memory_free(t->frame);
	memory_free(t->open);
	memory_free(t->text);
	arena_free(t->scratch);
	memory_free(t);
}

static void *more(void *items, size_t *room, size_t item_bytes)
{
	*room = *room ? memory_product(*room, 2) : 64;
	return memory_resize(items, memory_product(*room, item_bytes));
}

static const char *word(struct code_trace *t, const struct wire_field *f)
{
	return graph_detail_word(t->detail, (const char *)f->bytes, f->size);
}

static void take_number(struct frame *to, const struct wire_field *f)
{
	switch (f->number) {
	case 2:
		to->frame.line = (int32_t)f->value;
		break;
	case 5:
		to->frame.func_start_line = (int32_t)f->value;
		break;
	case 6:
	case 7:
	case 8:
		to->id[f->number - 6] = (int64_t)f->value;
		break;
	default:
		break;
	}
}

static bool add_frame(struct code_trace *t, struct wire w)
{
	struct frame to = {.frame = {.file = "", .function = "", .text = ""}};
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type == WIRE_VARINT)
			take_number(&to, &f);
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 1)
			to.frame.file = word(t, &f);
		else if (f.number == 3)
			to.frame.function = word(t, &f);
		else if (f.number == 4)
			to.frame.text = word(t, &f);
	}
	if (t->frame_count == t->frame_room)
		t->frame = more(t->frame, &t->frame_room, sizeof(*t->frame));
	t->frame[t->frame_count++] = to;
	return got == WIRE_END;
}

bool code_trace_add(struct code_trace *t, const unsigned char *bytes, size_t size)
{
	struct wire w = {bytes, bytes + size};
	struct wire_field f;
	enum wire_result got;

	t->present = true;
	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_BYTES && !add_frame(t, wire_inside(&f)))
			return false;
	return got == WIRE_END;
}

static bool lacks_text(const struct graph_frame *frame)
{
	return !*frame->file || !*frame->function || !*frame->text;
}

bool code_trace_give(struct code_trace *t, struct node_detail *node)
{
	bool present = t->present;

	if (present && node) {
		node->trace_count = t->frame_count;
		node->trace =
			arena_array(t->detail->arena, t->frame_count + 1, sizeof(*node->trace));
		for (size_t i = 0; i < t->frame_count; i++) {
			node->trace[i] = t->frame[i].frame;
			if (!lacks_text(&node->trace[i]))
				continue;
			if (t->open_count == t->open_room)
				t->open = more(t->open, &t->open_room, sizeof(*t->open));
			struct open_frame *open = &t->open[t->open_count++];

			open->frame = &node->trace[i];
			memcpy(open->id, t->frame[i].id, sizeof(open->id));
		}
	}
	t->present = false;
	t->frame_count = 0;
	return present;
}

bool code_trace_text(struct code_trace *t, const unsigned char *bytes, size_t size)
{
	struct wire w = {bytes, bytes + size};
	struct wire_field f;
	enum wire_result got;
	int64_t id = 0;
	const char *text = "";

	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_VARINT)
			id = (int64_t)f.value;
		else if (f.number == 2 && f.type == WIRE_BYTES)
			text = word(t, &f);
	if (got == WIRE_BAD)
		return false;
	uint32_t place = intern_id(t->ids, (const char *)&id, sizeof(id));

	if (place == t->text_room)
		t->text = more(t->text, &t->text_room, sizeof(*t->text));
	t->text_count += place == t->text_count;
	t->text[place] = text;
	return true;
}

static const char *text_of(const struct code_trace *t, const char *inside, int64_t id)
{
	uint32_t place;

	if (*inside || !intern_find(t->ids, (const char *)&id, sizeof(id), &place))
		return inside;
	return t->text[place];
}

void code_trace_settle(struct code_trace *t)
{
	for (size_t i = 0; i < t->open_count; i++) {
		struct graph_frame *frame = t->open[i].frame;
		const int64_t *id = t->open[i].id;

		frame->file = text_of(t, frame->file, id[0]);
		frame->function = text_of(t, frame->function, id[1]);
		frame->text = text_of(t, frame->text, id[2]);
	}
	t->open_count = 0;
}
