/*
 * Filter of events by the rules of the user. Rules speak of ops: slices, instants, asynchronous
 * operations. Arrows go, since they would point at nothing; counters, objects and names of
 * processes stay.
 */
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "timeline/merge/merge_lanes.h"
#include "timeline/merge/merge_parts.h"

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
