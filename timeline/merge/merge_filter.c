/* Events that a merge leaves out: by --include and --exclude, and for --max-size. */
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "timeline/merge/merge_parts.h"
#include "ingest/trace/trace_event.h"
#include "base/intern.h"

struct merge_lanes;

/* NULL is fine */

/* ---- A stack for each thread, found by the texts of its pid and tid ---- */

#define LANES_MOST ((size_t)1000000)
#define DEPTH_MOST ((size_t)1000000)

struct merge_lanes {
	size_t item_bytes;
	struct arena *arena;
	struct intern *ids;
	struct vec stack; /* struct vec by lane */
	struct text key;
};

/* `item_bytes` is the size of what is kept for an open slice. */
static struct merge_lanes *merge_lanes_new(size_t item_bytes)
{
	struct merge_lanes *lanes = memory_alloc(sizeof(*lanes));

	lanes->item_bytes = item_bytes;
	lanes->arena = arena_new();
	lanes->ids = intern_new(lanes->arena);
	vec_init(&lanes->stack, sizeof(struct vec), LANES_MOST, "threads of a trace");
	text_init(&lanes->key);
	return lanes;
}

/* Another file: nothing is open. */
static void merge_lanes_clear(struct merge_lanes *lanes)
{
	for (size_t i = 0; i < lanes->stack.count; i++)
		vec_release(vec_at(&lanes->stack, i));
	vec_clear(&lanes->stack);
	arena_reset(lanes->arena);
	lanes->ids = intern_new(lanes->arena);
}

static void merge_lanes_free(struct merge_lanes *lanes)
{
	if (!lanes)
		return;
	merge_lanes_clear(lanes);
	vec_release(&lanes->stack);
	text_release(&lanes->key);
	arena_free(lanes->arena);
	memory_free(lanes);
}

static void set_key(struct merge_lanes *lanes, const struct trace_event *event)
{
	text_clear(&lanes->key);
	text_add_bytes(
		&lanes->key, event->process.kind ? event->process.at : "", event->process.size);
	text_add_char(&lanes->key, '\n');
	text_add_bytes(&lanes->key, event->thread.kind ? event->thread.at : "", event->thread.size);
}

/* A slice begins on the event's thread: its item, zeroed, valid until the next call. NULL: too many
 * threads, or too deep. */
static void *merge_lanes_push(
	struct merge_lanes *lanes, const struct trace_event *event, struct error *err)
{
	struct vec *stack;
	uint32_t id;

	set_key(lanes, event);
	if (!intern_find(lanes->ids, lanes->key.data, lanes->key.size, &id)) {
		stack = vec_push(&lanes->stack, err);
		if (!stack)
			return NULL;
		vec_init(stack, lanes->item_bytes, DEPTH_MOST, "open slices of a thread");
		id = intern_id(lanes->ids, lanes->key.data, lanes->key.size);
	}
	return vec_push(vec_at(&lanes->stack, id), err);
}

/* The slice that the event ends: its item, valid until the next call, no longer open. NULL: none is
 * open. */
static void *merge_lanes_pop(struct merge_lanes *lanes, const struct trace_event *event)
{
	struct vec *stack;
	uint32_t id;
	void *item;

	set_key(lanes, event);
	if (!intern_find(lanes->ids, lanes->key.data, lanes->key.size, &id))
		return NULL;
	stack = vec_at(&lanes->stack, id);
	if (stack->count == 0)
		return NULL;
	item = vec_at(stack, stack->count - 1);
	stack->count--;
	return item;
}

#define NAMES_MOST ((size_t)1000000)

struct merge_filter {
	struct rules *rules;
	struct arena *arena;
	struct intern *names;
	struct merge_lanes *lanes; /* bool: the open slice is kept */
	unsigned char *answer;	   /* by name: 0 not asked, 1 no, 2 yes */
	size_t answer_room;
	bool by_node; /* the name of the op is args.name, as timeline.py has it */
	struct text text;
};

struct merge_filter *merge_filter_new(struct rules *rules)
{
	struct merge_filter *f = memory_alloc(sizeof(*f));

	f->rules = rules;
	f->arena = arena_new();
	f->names = intern_new(f->arena);
	f->lanes = merge_lanes_new(sizeof(bool));
	text_init(&f->text);
	return f;
}

void merge_filter_free(struct merge_filter *f)
{
	if (!f)
		return;
	merge_lanes_free(f->lanes);
	memory_free(f->answer);
	text_release(&f->text);
	arena_free(f->arena);
	memory_free(f);
}

void merge_filter_begin(struct merge_filter *f, const char *reader)
{
	merge_lanes_clear(f->lanes);
	arena_reset(f->arena);
	f->names = intern_new(f->arena);
	if (f->answer_room)
		memset(f->answer, 0, f->answer_room);
	f->by_node = text_equal(reader, "timeline");
}

static int ask(struct merge_filter *f, const struct json_value *name, struct error *err)
{
	struct arena *arena = arena_new();
	struct rule_outcome outcome;
	int status;

	text_clear(&f->text);
	json_add_text(&f->text, name);
	status = rules_apply(f->rules, text_string(&f->text), arena, &outcome, err);
	arena_free(arena);
	return status < 0 ? -1 : outcome.kept;
}

static int passes_name(struct merge_filter *f, const struct trace_event *event, struct error *err)
{
	struct json_value name = event->name, node = {0};
	uint32_t id;
	int kept;

	if (f->by_node)
		node = trace_arg(event, "name");
	if (node.kind == '"')
		name = node;
	if (name.kind == 0)
		name = (struct json_value){"", 0, '"'};
	if (intern_count(f->names) >= NAMES_MOST && !intern_find(f->names, name.at, name.size, &id))
		return ask(f, &name, err);
	id = intern_id(f->names, name.at, name.size);
	f->answer = memory_make_room_zeroed(f->answer, &f->answer_room, (size_t)id + 1, 1);
	if (f->answer[id])
		return f->answer[id] - 1;
	kept = ask(f, &name, err);
	if (kept >= 0)
		f->answer[id] = (unsigned char)(kept + 1);
	return kept;
}

/* A slice in two events: the end goes where its beginning went. */
static int passes_half(struct merge_filter *f, const struct trace_event *event, struct error *err)
{
	bool *kept;
	int passes;

	if (event->phase == 'E') {
		kept = merge_lanes_pop(f->lanes, event);
		return !kept || *kept;
	}
	passes = passes_name(f, event, err);
	if (passes < 0)
		return -1;
	kept = merge_lanes_push(f->lanes, event, err);
	if (!kept)
		return -1;
	*kept = passes > 0;
	return passes;
}

int merge_filter_passes(struct merge_filter *f, const struct trace_event *event, struct error *err)
{
	switch (event->phase) {
	case 'X':
	case 'i':
	case 'I':
	case 'b':
	case 'n':
	case 'e':
		return passes_name(f, event, err);
	case 'B':
	case 'E':
		return passes_half(f, event, err);
	default:
		return merge_sort_of(event) != MERGE_ARROW;
	}
}

/* ---- Beginnings are numbered in the order of the files; for each the class and the bytes of
 * its slice are kept, in four bytes. An end finds the number of its beginning on the stack of
 * its thread ---- */

#define BEGINS_MOST ((size_t)1 << 31)
#define BYTES_BITS 21
#define BYTES_MOST ((1U << BYTES_BITS) - 1) /* and more */
#define ALONE UINT32_MAX

_Static_assert(CLASSES < UINT32_MAX >> BYTES_BITS, "a class and bytes fit into 32 bits");

struct opened {
	size_t number;
	struct trace_time start;
	uint64_t bytes;
	bool leaves; /* second reading */
};

struct merge_pairs {
	struct merge_lanes *lanes; /* struct opened */
	struct vec slice;     /* uint32_t by beginning: class and bytes; ALONE: it has no end */
	size_t next;	      /* second reading: number of the next beginning */
	uint64_t alone_bytes; /* of beginnings, until they have ends */
};

struct merge_pairs *merge_pairs_new(void)
{
	struct merge_pairs *pairs = memory_alloc(sizeof(*pairs));

	pairs->lanes = merge_lanes_new(sizeof(struct opened));
	vec_init(&pairs->slice, sizeof(uint32_t), BEGINS_MOST, "slices in two events (B, E)");
	return pairs;
}

void merge_pairs_free(struct merge_pairs *pairs)
{
	if (!pairs)
		return;
	merge_lanes_free(pairs->lanes);
	vec_release(&pairs->slice);
	memory_free(pairs);
}

void merge_pairs_file(struct merge_pairs *pairs)
{
	merge_lanes_clear(pairs->lanes);
}

/* Class of a pair; without both times it is of the shortest. */
static size_t class_between(const struct trace_time *start, const struct trace_time *end)
{
	struct trace_time duration = {.known = start->known && end->known};

	if (!duration.known || __builtin_sub_overflow(end->us, start->us, &duration.us))
		return 0;
	duration.ps = end->ps - start->ps;
	if (duration.ps < 0) {
		duration.ps += 1000000;
		if (__builtin_sub_overflow(duration.us, 1, &duration.us))
			return 0;
	}
	return merge_class(&duration);
}

int merge_pairs_add(struct merge_pairs *pairs, const struct trace_event *event, uint64_t bytes,
	struct merge_sizes *sizes, struct error *err)
{
	struct opened *opened;
	uint32_t *slice;
	size_t class;

	if (event->phase == 'B') {
		slice = vec_push(&pairs->slice, err);
		opened = slice ? merge_lanes_push(pairs->lanes, event, err) : NULL;
		if (!opened)
			return -1;
		*slice = ALONE;
		*opened = (struct opened){
			.number = pairs->slice.count - 1, .start = event->start, .bytes = bytes};
		pairs->alone_bytes += bytes;
		return 0;
	}
	opened = merge_lanes_pop(pairs->lanes, event);
	if (!opened) {
		sizes->others += bytes;
		return 0;
	}
	class = class_between(&opened->start, &event->start);
	sizes->slices[class] += opened->bytes + bytes;
	slice = vec_at(&pairs->slice, opened->number);
	*slice =
		(uint32_t) class << BYTES_BITS |
		(uint32_t)(opened->bytes + bytes < BYTES_MOST ? opened->bytes + bytes : BYTES_MOST);
	pairs->alone_bytes -= opened->bytes;
	return 0;
}

void merge_pairs_end(struct merge_pairs *pairs, struct merge_sizes *sizes)
{
	sizes->others += pairs->alone_bytes;
	pairs->alone_bytes = 0;
	merge_lanes_clear(pairs->lanes);
}

/* The file may have grown between the readings. */
static uint32_t slice_at(const struct merge_pairs *pairs, size_t number)
{
	return number < pairs->slice.count ? *(const uint32_t *)vec_at(&pairs->slice, number)
					   : ALONE;
}

int merge_pairs_next(struct merge_pairs *pairs, const struct trace_event *event,
	struct merge_cut *cut, bool *leaves, struct error *err)
{
	struct opened *opened;
	uint32_t slice;

	if (event->phase == 'B') {
		opened = merge_lanes_push(pairs->lanes, event, err);
		if (!opened)
			return -1;
		opened->number = pairs->next++;
		slice = slice_at(pairs, opened->number);

		/* A slice whose bytes are not known exactly is too long to stay in part of its
		 * class. */
		uint32_t bytes = slice & BYTES_MOST;

		opened->leaves =
			slice != ALONE && merge_cut_leaves(cut, slice >> BYTES_BITS,
						  bytes < BYTES_MOST ? bytes : cut->class_bytes);
	} else {
		opened = merge_lanes_pop(pairs->lanes, event);
		if (!opened)
			return 0;
		slice = slice_at(pairs, opened->number);
	}
	*leaves = opened->leaves;
	return slice != ALONE;
}

/* ---- Slices that --max-size leaves out: the shortest classes, and of the next one as much as
 * has to go, evenly over the files. So slices of one duration do not all go at once ---- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool merge_cut_leaves(struct merge_cut *cut, size_t class, uint64_t bytes)
{
	unsigned __int128 share;

	if (class + 1 != cut->end || cut->class_bytes == 0)
		return class < cut->end;
	cut->seen = smaller(cut->seen + bytes, cut->class_bytes);
	share = (unsigned __int128)cut->seen * cut->room / cut->class_bytes;
	if (cut->kept + bytes > share)
		return true;
	cut->kept += bytes;
	return false;
}

void merge_cut_set(struct merge_cut *cut, const struct merge_sizes *sizes, uint64_t most)
{
	uint64_t slices = 0;

	for (size_t i = 0; i < CLASSES; i++)
		slices += sizes->slices[i];
	while (cut->end < CLASSES && slices > most) {
		cut->class_bytes = sizes->slices[cut->end++];
		slices -= cut->class_bytes;
	}
	cut->room = cut->end > 0 ? most - slices : 0;
}
