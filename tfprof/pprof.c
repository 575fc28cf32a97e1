/* pprof's message. Strings are numbered by first use, functions and locations as they are met; all
 * three are found again by their bytes. */
#include <stdlib.h>
#include <string.h>
#include "tfprof/outputs.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/output/protobuf_writer.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/view.h"

#define NO_FRAME UINT32_MAX

struct function {
	const char *file, *name;
	uint64_t start_line; /* sorted as the original does: -1 is the greatest */
	uint64_t id, name_string, file_string;
};

struct location {
	const char *file, *called; /* the caller's file, the function that it calls */
	uint64_t line, id, function;
};

struct pprof_sample {
	const char *node;
	uint64_t *location; /* from the leaf up */
	size_t location_count;
	uint64_t string;
	int64_t value;
};

/* Meaning of a select word for pprof. */
struct pprof_quantity {
	enum select_word word;
	enum quantity quantity;
	const char *unit, *comment;
};

static const struct pprof_quantity subjects[] = {
	{SELECT_BYTES, QUANTITY_BYTES, "bytes",
		"Sum of operation total memory requests, excluding deallocations."},
	{SELECT_MICROS, QUANTITY_MICROS, "microseconds",
		"Sum of accelerator execution time and cpu execution time."},
	{SELECT_PARAMS, QUANTITY_PARAMS, "count", "Model parameters."},
	{SELECT_FLOAT_OPS, QUANTITY_FLOAT_OPS, "count",
		"Model float operations (Only available if defined)."},
	{SELECT_ACCELERATOR_MICROS, QUANTITY_ACCELERATOR_MICROS, "microseconds",
		"Accelerator execution time."},
	{SELECT_CPU_MICROS, QUANTITY_CPU_MICROS, "microseconds", "CPU execution time."},
	{SELECT_PEAK_BYTES, QUANTITY_PEAK_BYTES, "bytes", "Sum of operation peak memory usage."},
	{SELECT_RESIDUAL_BYTES, QUANTITY_RESIDUAL_BYTES, "bytes",
		"Sum of operation allocated memory after finish."},
	{SELECT_OUTPUT_BYTES, QUANTITY_OUTPUT_BYTES, "bytes", "Sum of operation output size."},
};

struct pprof {
	struct arena *arena;
	const struct view *view;
	const struct pprof_quantity *subject;
	struct view_filter *filter;
	struct code_tree code;
	uint32_t *first_child, *next_sibling; /* by frame of the code tree; NO_FRAME: none */
	struct intern *frames;		      /* frames of the code tree by address and suffix */
	struct intern *strings, *function_keys, *location_keys;
	struct vec function, location, sample;
};

/* A shown node on the way from the root, with the location of the call that leads to it. */
struct call {
	const struct view_node *node;
	size_t next;	   /* child */
	uint64_t location; /* 0: none */
};

static const struct pprof_quantity *find_subject(const struct tfprof_options *options)
{
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		if (options->select[subjects[i].word])
			return &subjects[i];
	return NULL;
}

bool pprof_is_possible(
	enum view_kind kind, const struct tfprof_options *options, struct text *messages)
{
	const struct word_list *unknown = &options->unknown_select;
	const char *word = unknown->count ? unknown->word[0] : "";
	size_t count = unknown->count;

	for (size_t i = 0; i < SELECT_WORDS; i++)
		if (options->select[i]) {
			word = select_name((enum select_word)i);
			count++;
		}
	if (kind != VIEW_CODE)
		text_add(messages, "Only 'code' view supports pprof output now.\n");
	else if (count != 1)
		text_add(messages, "Can only select 1 attribute for pprof output.\n");
	else if (!find_subject(options))
		text_printf(messages, "pprof doesn't support -select=%s\n", word);
	else
		return true;
	return false;
}

/* ---- tables ---- */

static uint64_t string_of(struct pprof *p, const char *s)
{
	return intern_id(p->strings, s, strlen(s));
}

/* The key of two texts and a number; *size_bytes is its length. */
static const char *make_key(
	struct pprof *p, const char *a, const char *b, uint64_t n, size_t *size_bytes)
{
	size_t a_size = strlen(a) + 1, b_size = strlen(b) + 1;
	char *key = arena_alloc(p->arena, a_size + b_size + sizeof(n));

	memcpy(key, a, a_size);
	memcpy(key + a_size, b, b_size);
	memcpy(key + a_size + b_size, &n, sizeof(n));
	*size_bytes = a_size + b_size + sizeof(n);
	return key;
}

static uint64_t function_of(
	struct pprof *p, const char *file, const char *name, uint64_t start_line)
{
	size_t size_bytes;
	const char *key = make_key(p, file, name, start_line, &size_bytes);
	uint32_t index = intern_id(p->function_keys, key, size_bytes);

	if (index == p->function.count) {
		struct function *f = vec_push(&p->function, NULL);
		const char *base = text_base_name(file);
		const char *dot = strrchr(base, '.');

		f->file = file;
		f->name = name;
		f->start_line = start_line;
		f->id = index + UINT64_C(1);
		f->name_string = string_of(
			p, arena_printf(p->arena, "%.*s:%s",
				   (int)(dot ? (size_t)(dot - base) : strlen(base)), base, name));
		f->file_string = string_of(p, file);
	}
	return index + UINT64_C(1);
}

/* Calls of one function from one line are one location, whichever file the function is in, as in
 * the original. */
static uint64_t location_of(
	struct pprof *p, const struct view_node *caller, const struct view_node *callee)
{
	size_t size_bytes;
	uint64_t line = (uint64_t)(int64_t)caller->frame->line;
	const char *called =
		callee->gradient ? arena_printf(p->arena, "%s (gradient)", callee->frame->function)
				 : callee->frame->function;
	const char *key = make_key(p, caller->frame->file, called, line, &size_bytes);
	uint32_t index = intern_id(p->location_keys, key, size_bytes);

	if (index == p->location.count) {
		struct location *l = vec_push(&p->location, NULL);

		l->file = caller->frame->file;
		l->called = called;
		l->line = line;
		l->id = index + UINT64_C(1);
		l->function = function_of(p, callee->frame->file, called,
			(uint64_t)(int64_t)callee->frame->func_start_line);
	}
	return index + UINT64_C(1);
}

/* ---- samples ---- */

static uint32_t frame_id(struct pprof *p, const struct graph_frame *frame, bool gradient)
{
	uint64_t key[2] = {(uint64_t)(uintptr_t)frame, gradient};

	return intern_id(p->frames, (const char *)key, sizeof(key));
}

/* Adds the samples of a leaf. A shown leaf may have more calls below it: its true leaves bring the
 * samples. */
static void add_leaf(struct pprof *p, const struct vec *way)
{
	const struct call *calls = way->data;
	const struct view_node *shown = calls[way->count - 1].node;
	uint32_t top = frame_id(p, shown->frame, shown->gradient), at = top;
	uint64_t *location = arena_array(p->arena, way->count, sizeof(*location));
	size_t count = 0;

	for (size_t i = way->count; i-- > 0;)
		if (calls[i].location)
			location[count++] = calls[i].location;
	for (;;) {
		while (p->first_child[at] != NO_FRAME)
			at = p->first_child[at];

		const struct code_frame *frame = &p->code.frame[at];
		struct view_node row = {.node = NODE_NONE};

		members_account(&row, p->view->values, frame->node, frame->node_count,
			p->filter->account, p->arena);
		for (size_t i = 0; i < row.member_count; i++) {
			struct pprof_sample *sample = vec_push(&p->sample, NULL);

			sample->node = p->view->values->graph->node[row.member[i]].name;
			sample->location = location;
			sample->location_count = count;
			string_of(p, "graph node:");
			sample->string = string_of(p, sample->node);
			sample->value =
				*node_value(p->view->values, row.member[i], p->subject->quantity);
		}
		while (at != top && p->next_sibling[at] == NO_FRAME)
			at = p->code.frame[at].parent;
		if (at == top)
			break;
		at = p->next_sibling[at];
	}
}

static void enter(struct pprof *p, struct vec *way, const struct view_node *node)
{
	const struct call *before = way->count ? vec_at(way, way->count - 1) : NULL;
	const struct view_node *caller = before && before->node->frame ? before->node : NULL;
	struct call *call = vec_push(way, NULL);

	call->node = node;
	call->location = caller ? location_of(p, caller, node) : 0;
	if (node->child_count == 0 && node->frame)
		add_leaf(p, way);
}

static void walk(struct pprof *p)
{
	struct vec way;

	vec_init(&way, sizeof(struct call), SIZE_MAX, "calls");
	enter(p, &way, p->view->root);
	while (way.count) {
		struct call *call = vec_at(&way, way.count - 1);

		if (call->next < call->node->child_count)
			enter(p, &way, call->node->child[call->next++]);
		else
			way.count--;
	}
	vec_release(&way);
}

/* ---- order ---- */

ORDERED(compare_functions, struct function,
	strcmp(x->file, y->file)
		?: strcmp(x->name, y->name)
		?: ORDER(x->start_line, y->start_line));

ORDERED(compare_locations, struct location,
	strcmp(x->file, y->file)
		?: strcmp(x->called, y->called)
		?: ORDER(x->line, y->line));

/* Every node is the last frame's of one trace only, so that names are distinct. */
ORDERED(compare_samples, struct pprof_sample, strcmp(x->node, y->node));

/* ---- bytes ---- */

/* 0 is left out, as proto3 has it. */
static void put_number(struct text *t, unsigned field, uint64_t value)
{
	if (!value)
		return;
	protobuf_add_number(t, field, value);
}

static void put_type(struct text *t, struct text *part, uint64_t type, uint64_t unit)
{
	put_number(part, 1, type);
	put_number(part, 2, unit);
	protobuf_add_message(t, 1, part);
}

static void put_sample(struct pprof *p, const struct pprof_sample *sample, struct text *t,
	struct text *part, struct text *inner)
{
	for (size_t i = 0; i < sample->location_count; i++)
		protobuf_add_varint(inner, sample->location[i]);
	if (inner->size)
		protobuf_add_message(part, 1, inner);
	protobuf_add_varint(inner, 1);
	protobuf_add_varint(inner, (uint64_t)sample->value);
	protobuf_add_message(part, 2, inner);
	put_number(inner, 1, string_of(p, "graph node:"));
	put_number(inner, 2, sample->string);
	protobuf_add_message(part, 3, inner);
	protobuf_add_message(t, 2, part);
}

static void put_tables(const struct pprof *p, struct text *t, struct text *part, struct text *inner)
{
	for (size_t i = 0; i < p->location.count; i++) {
		const struct location *l = vec_at(&p->location, i);

		put_number(inner, 1, l->function);
		put_number(inner, 2, l->line);
		put_number(part, 1, l->id);
		protobuf_add_message(part, 4, inner);
		protobuf_add_message(t, 4, part);
	}
	for (size_t i = 0; i < p->function.count; i++) {
		const struct function *f = vec_at(&p->function, i);

		put_number(part, 1, f->id);
		put_number(part, 2, f->name_string);
		put_number(part, 4, f->file_string);
		put_number(part, 5, f->start_line);
		protobuf_add_message(t, 5, part);
	}
	for (size_t i = 0; i < intern_count(p->strings); i++) {
		const char *s = intern_name(p->strings, (uint32_t)i);

		protobuf_add_string(t, 6, s);
	}
}

static void put_profile(struct pprof *p, struct text *t)
{
	struct text part, inner;
	uint64_t count = string_of(p, "count"), type = string_of(p, select_name(p->subject->word));
	uint64_t unit = string_of(p, p->subject->unit), comment = string_of(p, p->subject->comment);

	text_init(&part);
	text_init(&inner);
	put_type(t, &part, count, count);
	put_type(t, &part, type, unit);
	for (size_t i = 0; i < p->sample.count; i++)
		put_sample(p, vec_at(&p->sample, i), t, &part, &inner);
	put_tables(p, t, &part, &inner);
	protobuf_add_varint(&part, comment);
	protobuf_add_message(t, 13, &part);
	text_release(&part);
	text_release(&inner);
}

static void sort(struct vec *items, int (*compare)(const void *, const void *))
{
	if (items->count > 1)
		qsort(items->data, items->count, items->item_bytes, compare);
}

void pprof_write(const struct view *view, const struct tfprof_options *options, struct text *bytes)
{
	struct arena *arena = arena_new();
	struct pprof p = {
		.arena = arena,
		.view = view,
		.subject = find_subject(options),
		.filter = view_filter_new(options, arena),
		.frames = intern_new(arena),
		.strings = intern_new(arena),
		.function_keys = intern_new(arena),
		.location_keys = intern_new(arena),
	};

	vec_init(&p.function, sizeof(struct function), SIZE_MAX, "functions");
	vec_init(&p.location, sizeof(struct location), SIZE_MAX, "locations");
	vec_init(&p.sample, sizeof(struct pprof_sample), SIZE_MAX, "samples");
	string_of(&p, "");

	/* The whole tree, of which the view shows a part. */
	const struct node_values *values = p.view->values;
	uint32_t *last, top = NO_FRAME;

	code_tree_build(values->graph, values->by_name, p.arena, &p.code);
	p.first_child = arena_array(p.arena, p.code.count, sizeof(uint32_t));
	p.next_sibling = arena_array(p.arena, p.code.count, sizeof(uint32_t));
	last = arena_array(p.arena, p.code.count, sizeof(uint32_t));
	for (uint32_t i = 0; i < p.code.count; i++) {
		uint32_t parent = p.code.frame[i].parent;
		uint32_t *before = parent == CODE_ROOT ? &top : &last[parent];

		p.first_child[i] = p.next_sibling[i] = last[i] = NO_FRAME;
		if (*before != NO_FRAME)
			p.next_sibling[*before] = i;
		else if (parent != CODE_ROOT)
			p.first_child[parent] = i;
		*before = i;
		frame_id(&p, p.code.frame[i].frame, p.code.frame[i].gradient);
	}
	walk(&p);
	sort(&p.function, compare_functions);
	sort(&p.location, compare_locations);
	sort(&p.sample, compare_samples);
	put_profile(&p, bytes);
	vec_release(&p.function);
	vec_release(&p.location);
	vec_release(&p.sample);
	arena_free(arena);
}
