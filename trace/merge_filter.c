/*
 * Which events the rules of the user keep. They speak of ops: slices, instants, asynchronous operations. Arrows go, since they would point
 * at nothing; counters, objects and names of processes stay.
 */
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "trace/merge_parts.h"

#define NAMES_MOST ((size_t)1000000)

struct lane_stack { /* whether the slices that are open (B) were kept */
	unsigned char *kept;
	size_t depth, room;
};

struct merge_filter {
	struct rules *rules;
	struct arena *arena;
	struct intern *names, *lanes;
	unsigned char *answer; /* by name: 0 not asked, 1 no, 2 yes */
	size_t answer_room;
	struct vec stack; /* struct lane_stack by lane */
	bool by_node;	  /* the name of the op is args.name, as timeline.py has it */
	struct text text;
};

struct merge_filter *merge_filter_new(struct rules *rules)
{
	struct merge_filter *f = memory_alloc(sizeof(*f));

	f->rules = rules;
	f->arena = arena_new();
	f->names = intern_new(f->arena);
	f->lanes = intern_new(f->arena);
	text_init(&f->text);
	vec_init(&f->stack, sizeof(struct lane_stack), PROCESSES_MOST, "threads of a trace");
	return f;
}

static void release_stacks(struct merge_filter *f)
{
	for (size_t i = 0; i < f->stack.count; i++)
		memory_free(((struct lane_stack *)vec_at(&f->stack, i))->kept);
	vec_clear(&f->stack);
}

void merge_filter_free(struct merge_filter *f)
{
	if (!f)
		return;
	release_stacks(f);
	vec_release(&f->stack);
	memory_free(f->answer);
	text_release(&f->text);
	arena_free(f->arena);
	memory_free(f);
}

void merge_filter_begin(struct merge_filter *f, const char *reader)
{
	release_stacks(f);
	arena_reset(f->arena);
	f->names = intern_new(f->arena);
	f->lanes = intern_new(f->arena);
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

static int keeps_name(struct merge_filter *f, const struct trace_event *event, struct error *err)
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
	if (id >= f->answer_room) {
		size_t room = f->answer_room ? 2 * f->answer_room : 1024;

		f->answer = memory_resize(f->answer, room);
		memset(f->answer + f->answer_room, 0, room - f->answer_room);
		f->answer_room = room;
	}
	if (f->answer[id])
		return f->answer[id] - 1;
	kept = ask(f, &name, err);
	if (kept >= 0)
		f->answer[id] = (unsigned char)(kept + 1);
	return kept;
}

static struct lane_stack *stack_of(struct merge_filter *f, const struct trace_event *event, struct error *err)
{
	uint32_t id;

	text_clear(&f->text);
	text_add_bytes(&f->text, event->process.kind ? event->process.at : "", event->process.size);
	text_add_char(&f->text, '\n');
	text_add_bytes(&f->text, event->thread.kind ? event->thread.at : "", event->thread.size);
	id = intern_id(f->lanes, f->text.data, f->text.size);
	if (id == f->stack.count && !vec_push(&f->stack, err))
		return NULL;
	return vec_at(&f->stack, id);
}

/* A slice in two events: the end goes where its beginning went. */
static int keeps_half(struct merge_filter *f, const struct trace_event *event, struct error *err)
{
	struct lane_stack *stack;
	int kept = 1;

	if (event->phase == 'B' && (kept = keeps_name(f, event, err)) < 0)
		return -1;
	stack = stack_of(f, event, err);
	if (!stack)
		return -1;
	if (event->phase == 'E')
		return stack->depth == 0 || stack->kept[--stack->depth];
	if (stack->depth == stack->room) {
		stack->room = stack->room ? 2 * stack->room : 16;
		stack->kept = memory_resize(stack->kept, stack->room);
	}
	stack->kept[stack->depth++] = (unsigned char)kept;
	return kept;
}

int merge_filter_keeps(struct merge_filter *f, const struct trace_event *event, struct error *err)
{
	switch (event->phase) {
	case 'X':
	case 'i':
	case 'I':
	case 'b':
	case 'n':
	case 'e':
		return keeps_name(f, event, err);
	case 'B':
	case 'E':
		return keeps_half(f, event, err);
	default:
		return merge_sort_of(event) != MERGE_ARROW;
	}
}
