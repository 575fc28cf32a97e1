/* Details of a ProfileProto, and code traces, which are read straight from the bytes. */
#include "tfprof/files/tfprof_detail.h"

#include <string.h>
#include "base/memory.h"
#include "tfprof/graph/graph_detail.h"
#include "base/order.h"
#include "ingest/protobuf/wire.h"

#define A_NODE "a node"
#define NO_NODE UINT32_MAX
#define TRACE_FIELD 10
#define ATTRS_FIELD 11
#define DATA_FORMAT "data_format"
#define KEY_BYTES 16 /* enough to recognise the key of an attribute */

/* Beside the node_detail of the same index: what inputs refer to. */
struct raw_node {
	const char *name;
	int64_t *input_key, *source_key;
};

struct tfprof_detail {
	struct graph *graph;
	struct graph_detail *detail;
	struct arena *arena;
	struct code_trace *trace;
	const char *data_format; /* of the present node */
	struct raw_node *node;	 /* in the order of the file */
	size_t node_count, node_room;
	struct keyed *turn;
	size_t turn_room;
};

struct tfprof_detail *tfprof_detail_new(struct graph *graph)
{
	if (!graph->detail)
		return NULL;
	struct tfprof_detail *d = memory_alloc(sizeof(*d));

	d->graph = graph;
	d->detail = graph->detail;
	d->arena = arena_new();
	d->trace = code_trace_new(d->detail);
	d->data_format = "";
	return d;
}

void tfprof_detail_free(struct tfprof_detail *d)
{
	if (!d)
		return;
	code_trace_free(d->trace);
	memory_free(d->node);
	memory_free(d->turn);
	arena_free(d->arena);
	memory_free(d);
}

bool tfprof_detail_wants(const struct tfprof_detail *d, const struct wire_field *f)
{
	return d && f->type == WIRE_BYTES && (f->number == TRACE_FIELD || f->number == ATTRS_FIELD);
}

/* True if the key, which comes first as every writer has it, is another one: constants stay out of
 * memory. */
static bool is_other_attribute(const unsigned char *bytes, size_t size)
{
	const size_t n = sizeof(DATA_FORMAT) - 1;

	if (size < 2 || bytes[0] != (1 << 3 | WIRE_BYTES) || bytes[1] >= 0x80)
		return false;
	return bytes[1] != n || size < n + 2 || memcmp(bytes + 2, DATA_FORMAT, n) != 0;
}

/* AttrValue: its string. */
static bool walk_value(struct tfprof_detail *d, struct wire w)
{
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 2 && f.type == WIRE_BYTES)
			d->data_format =
				graph_detail_word(d->detail, (const char *)f.bytes, f.size);
	return got == WIRE_END;
}

static bool walk_attribute(struct tfprof_detail *d, struct wire w)
{
	struct wire value = {w.at, w.at};
	struct graph_attribute whole = {.node = (uint32_t)d->graph->node_count, .key = ""};
	struct wire_field f;
	enum wire_result got;
	bool wanted = false;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == 1) {
			wanted = f.size == sizeof(DATA_FORMAT) - 1 &&
				 memcmp(f.bytes, DATA_FORMAT, f.size) == 0;
			whole.key = (const char *)f.bytes;
			whole.key_size = f.size;
		} else if (f.number == 2) {
			value = wire_inside(&f);
		}
	}
	whole.value = value.at;
	whole.value_size = (size_t)(value.end - value.at);
	if (d->detail->whole && got == WIRE_END)
		graph_detail_add_attribute(d->detail, &whole);
	return got == WIRE_END && (!wanted || walk_value(d, value));
}

int tfprof_detail_read(struct tfprof_detail *d, struct input *in, const struct wire_field *f,
	const struct read_options *opt, struct error *err)
{
	const unsigned char *bytes;
	uint64_t base = input_offset(in);
	size_t size;

	if (f->number == ATTRS_FIELD && !d->detail->whole) {
		if (input_peek(in, KEY_BYTES, &bytes, &size, err))
			return -1;
		if (is_other_attribute(bytes, size < f->size ? size : f->size))
			return input_discard(in, f->size, A_NODE, err);
	}
	if (input_read(in, f->size, opt->max_record_bytes, A_NODE, &bytes, err))
		return -1;
	bool good = f->number == TRACE_FIELD
			    ? code_trace_add(d->trace, bytes, f->size)
			    : walk_attribute(d, (struct wire){bytes, bytes + f->size});

	return good ? 0 : wire_damaged(in, base, A_NODE, err);
}

int tfprof_detail_text(struct tfprof_detail *d, struct input *in, size_t size,
	const struct read_options *opt, struct error *err)
{
	const unsigned char *bytes;
	uint64_t base = input_offset(in);

	if (input_read(in, size, opt->max_record_bytes, "a text", &bytes, err))
		return -1;
	return code_trace_text(d->trace, bytes, size) ? 0 : wire_damaged(in, base, "a text", err);
}

/* Room to sort `count` entries of a map by their keys. */
static struct keyed *turns(struct tfprof_detail *d, size_t count)
{
	d->turn = memory_make_room(
		d->turn, &d->turn_room, memory_product(count, 2), sizeof(*d->turn));
	return d->turn;
}

/* Sorts by keys, of equal ones the last stays. Returns how many are left. */
static size_t last_of_each(struct keyed *turn, size_t count)
{
	size_t kept = 0;

	order_by_key(turn, turn + count, count);
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count || turn[i + 1].key != turn[i].key)
			turn[kept++] = turn[i];
	return kept;
}

static void store_sources(struct tfprof_detail *d, struct node_detail *to, struct raw_node *raw,
	const Tfprof__Node *node)
{
	size_t count = node->n_src_output_index;
	struct keyed *turn = turns(d, count);

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		turn[i] = (struct keyed){node->src_output_index[i]->key, (int64_t)i};
	count = last_of_each(turn, count);
	to->source_output = arena_array(d->detail->arena, count, sizeof(*to->source_output));
	to->source_output_count = count;
	raw->source_key = arena_array(d->arena, count, sizeof(*raw->source_key));
	for (size_t i = 0; i < count; i++) {
		to->source_output[i].source = NO_NODE;
		to->source_output[i].output = node->src_output_index[turn[i].value]->value;
		raw->source_key[i] = turn[i].key;
	}
}

static void store_outputs(struct tfprof_detail *d, struct node_detail *to,
	const struct op_output *output, size_t count)
{
	struct arena *arena = d->detail->arena;
	struct keyed *turn = turns(d, count);

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		turn[i] = (struct keyed){output[i].index, (int64_t)i};
	count = last_of_each(turn, count);
	to->output = arena_array(arena, count, sizeof(*to->output));
	to->output_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct op_output *from = &output[turn[i].value];
		struct graph_shape *shape = &to->output[i];

		shape->index = (int32_t)from->index;
		shape->dim_count = from->dim_count;
		if (from->dim_count == 0)
			continue;
		shape->dim = arena_array(arena, from->dim_count, sizeof(*shape->dim));
		memcpy(shape->dim, from->dim, from->dim_count * sizeof(*shape->dim));
	}
}

void tfprof_detail_store(struct tfprof_detail *d, const Tfprof__Node *node,
	const struct op_output *output, size_t output_count)
{
	size_t index = d->graph->node_count - 1;
	struct node_detail *to = &d->detail->node[index];

	d->node = memory_make_room(d->node, &d->node_room, d->node_count + 1, sizeof(*d->node));
	struct raw_node *raw = &d->node[d->node_count++];

	*raw = (struct raw_node){.name = d->graph->node[index].name};
	size_t count = node->n_inputs;
	struct keyed *turn = turns(d, count);

	if (count != 0) {
		for (size_t i = 0; i < count; i++)
			turn[i] = (struct keyed){node->inputs[i]->key, (int64_t)i};
		count = last_of_each(turn, count);
		to->input = arena_array(d->detail->arena, count, sizeof(*to->input));
		to->input_count = count;
		raw->input_key = arena_array(d->arena, count, sizeof(*raw->input_key));
		for (size_t i = 0; i < count; i++) {
			to->input[i] = (struct graph_input){(int32_t)turn[i].key, NO_NODE, NULL};
			raw->input_key[i] = node->inputs[turn[i].value]->value;
		}
	}
	store_sources(d, to, raw, node);
	store_outputs(d, to, output, output_count);
	to->data_format = d->data_format;
	d->data_format = "";
	code_trace_store(d->trace, to);
}

/* Name of the node under a key; of equal keys the last. NULL: there is none. */
static const char *name_of(
	const struct tfprof_detail *d, const struct tfprof_key *key, size_t count, int64_t wanted)
{
	size_t low = 0, high = count;

	while (low < high) { /* first above */
		size_t middle = low + (high - low) / 2;

		if (key[middle].key <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && key[low - 1].key == wanted ? d->node[key[low - 1].node].name : NULL;
}

void tfprof_detail_finish(struct tfprof_detail *d, const struct tfprof_key *key, size_t count)
{
	uint32_t *new_index = arena_array(d->arena, d->node_count, sizeof(*new_index)), next = 0;

	for (size_t i = 0; i < count; i++)
		new_index[key[i].node] = key[i].dropped ? NO_NODE : next++;
	for (size_t i = 0; i < d->node_count; i++) {
		struct node_detail *node = &d->detail->node[i];

		for (size_t k = 0; k < node->input_count; k++)
			node->input[k].name = name_of(d, key, count, d->node[i].input_key[k]);
		for (size_t k = 0; k < node->source_output_count; k++)
			node->source_output[k].name =
				name_of(d, key, count, d->node[i].source_key[k]);
	}
	graph_detail_renumber(d->detail, new_index, next);
	code_trace_finish(d->trace);
	graph_index_nodes(d->graph);
	graph_detail_finish(d->graph);
}

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

static bool add_frame(struct code_trace *t, struct wire w)
{
	struct frame_texts to = {.frame = {.file = "", .function = "", .text = ""}};
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type == WIRE_VARINT) {
			switch (f.number) {
			case 2:
				to.frame.line = (int32_t)f.value;
				break;
			case 5:
				to.frame.func_start_line = (int32_t)f.value;
				break;
			case 6:
			case 7:
			case 8:
				to.id[f.number - 6] = (int64_t)f.value;
				break;
			default:
				break;
			}
		}
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
