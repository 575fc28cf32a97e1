/*
 * Reading of code traces, straight from the bytes.
 */
#include "tfprof/files/code_trace.h"

#include <string.h>
#include "base/memory.h"
#include "ingest/protobuf/wire.h"

#define TEXTS 3		    /* of a frame: file, function, line */
#define SMALL_IDS (1 << 16) /* writers number texts from 0 on: those below need no search */

struct frame_texts {
	struct graph_frame frame;
	int64_t id[TEXTS];
};

/* The frames of nodes, in the order in which the nodes got them. */
struct given_frames {
	struct graph_frame *frame;
	size_t count;
};

/* Places of the texts of a frame, for those that it lacks. */
struct places {
	uint32_t text[TEXTS];
};

struct code_trace {
	struct graph_detail *detail;
	struct arena *scratch;
	bool present; /* a trace is being read, with or without frames */
	struct frame_texts *frame;
	size_t frame_count, frame_room;
	struct given_frames *given;
	size_t given_count, given_room;
	struct places *places;
	size_t places_count, places_room;
	uint32_t *small;    /* place + 1 of the text of a small number, 0: none yet */
	struct intern *ids; /* the other numbers, 8 bytes each, to entries of `large` */
	uint32_t *large;    /* their places */
	size_t large_room;
	const char **text; /* by place; NULL: the table has not said it yet */
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
	memory_free(t->given);
	memory_free(t->places);
	memory_free(t->small);
	memory_free(t->large);
	memory_free(t->text);
	arena_free(t->scratch);
	memory_free(t);
}

static uint32_t new_place(struct code_trace *t)
{
	t->text = memory_make_room(t->text, &t->text_room, t->text_count + 1, sizeof(*t->text));
	t->text[t->text_count] = NULL;
	return (uint32_t)t->text_count++;
}

/* The place of a number's text, the same each time. */
static uint32_t place_of(struct code_trace *t, int64_t id)
{
	if (id >= 0 && id < SMALL_IDS) {
		if (!t->small)
			t->small = memory_alloc(SMALL_IDS * sizeof(*t->small));
		if (!t->small[id])
			t->small[id] = new_place(t) + 1;
		return t->small[id] - 1;
	}
	size_t known = intern_count(t->ids);
	uint32_t entry = intern_id(t->ids, (const char *)&id, sizeof(id));

	t->large = memory_make_room(t->large, &t->large_room, (size_t)entry + 1, sizeof(*t->large));
	if (entry == known)
		t->large[entry] = new_place(t);
	return t->large[entry];
}

static const char *word(struct code_trace *t, const struct wire_field *f)
{
	return graph_detail_word(t->detail, (const char *)f->bytes, f->size);
}

static void read_number(struct frame_texts *to, const struct wire_field *f)
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
	struct frame_texts to = {.frame = {.file = "", .function = "", .text = ""}};
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type == WIRE_VARINT)
			read_number(&to, &f);
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 1)
			to.frame.file = word(t, &f);
		else if (f.number == 3)
			to.frame.function = word(t, &f);
		else if (f.number == 4)
			to.frame.text = word(t, &f);
	}
	t->frame =
		memory_make_room(t->frame, &t->frame_room, t->frame_count + 1, sizeof(*t->frame));
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

static void store_frame(
	struct code_trace *t, const struct frame_texts *from, struct graph_frame *to)
{
	t->places = memory_make_room(
		t->places, &t->places_room, t->places_count + 1, sizeof(*t->places));
	struct places *places = &t->places[t->places_count++];

	*to = from->frame;
	for (size_t i = 0; i < TEXTS; i++)
		places->text[i] = place_of(t, from->id[i]);
}

bool code_trace_store(struct code_trace *t, struct node_detail *node)
{
	bool present = t->present;

	if (present && node) {
		node->trace_count = t->frame_count;
		node->trace =
			arena_array(t->detail->arena, t->frame_count + 1, sizeof(*node->trace));
		for (size_t i = 0; i < t->frame_count; i++)
			store_frame(t, &t->frame[i], &node->trace[i]);
		t->given = memory_make_room(
			t->given, &t->given_room, t->given_count + 1, sizeof(*t->given));
		t->given[t->given_count++] = (struct given_frames){node->trace, node->trace_count};
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
	uint32_t place = place_of(t, id);

	t->text[place] = text;
	return true;
}

static const char *text_of(const struct code_trace *t, const char *inside, uint32_t place)
{
	return *inside || !t->text[place] ? inside : t->text[place];
}

void code_trace_finish(struct code_trace *t)
{
	const struct places *places = t->places;

	for (size_t i = 0; i < t->given_count; i++)
		for (size_t k = 0; k < t->given[i].count; k++, places++) {
			struct graph_frame *frame = &t->given[i].frame[k];

			frame->file = text_of(t, frame->file, places->text[0]);
			frame->function = text_of(t, frame->function, places->text[1]);
			frame->text = text_of(t, frame->text, places->text[2]);
		}
	t->given_count = t->places_count = 0;
}
