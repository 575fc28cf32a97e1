/* The texts of the events that wait are a trace of their own, which is read when the file is at its
 * end. Of a merged trace, the text is not what the file had: its process and time are kept beside
 * it. */
#include "ingest/chrome/trace_wait.h"

#include "base/intern.h"
#include "base/memory.h"

#define WAIT_BYTES ((size_t)64 << 20)

struct trace_wait {
	struct text text;   /* [ event , event ... */
	struct vec waiting; /* struct waiting, of each */
	struct arena *arena;
	struct intern *processes;
};

struct waiting {
	uint64_t offset; /* in the file */
	struct trace_time start;
	struct json_value process; /* of a merged trace; otherwise those of the text count */
	bool is_part;
};

struct waiting_replay {
	struct trace *t;
	const struct trace_wait *wait;
	size_t count;
	int (*take)(struct trace *t, const struct trace_event *event, struct error *err);
};

struct trace_wait *trace_wait_new(void)
{
	struct trace_wait *wait = memory_alloc(sizeof(*wait));

	text_init(&wait->text);
	vec_init(&wait->waiting, sizeof(struct waiting), WAIT_BYTES, "events");
	wait->arena = arena_new();
	wait->processes = intern_new(wait->arena);
	return wait;
}

void trace_wait_free(struct trace_wait *wait)
{
	if (!wait)
		return;
	text_release(&wait->text);
	vec_release(&wait->waiting);
	arena_free(wait->arena);
	memory_free(wait);
}

bool trace_wait_add(struct trace_wait *wait, const struct trace_event *event, bool is_part)
{
	const struct json_value text = trace_event_text(event);
	size_t held = wait->text.size + wait->waiting.count * sizeof(struct waiting);
	struct waiting *waiting;

	if (held + sizeof(*waiting) > WAIT_BYTES ||
		text.size > WAIT_BYTES - held - sizeof(*waiting))
		return false;
	waiting = vec_push(&wait->waiting, NULL);
	if (!waiting)
		return false;
	*waiting = (struct waiting){.offset = event->offset, .is_part = is_part};
	if (is_part) {
		waiting->start = event->start;

		/* The value, good as long as the events wait. */
		struct json_value kept = event->process;

		if (event->process.size > 0)
			kept.at = intern_name(wait->processes,
				intern_id(wait->processes, event->process.at, event->process.size));
		waiting->process = kept;
	}
	text_add_char(&wait->text, wait->text.size ? ',' : '[');
	text_add_bytes(&wait->text, text.at, text.size);
	return true;
}

static int replay_event(void *context, const struct trace_event *event, struct error *err)
{
	struct waiting_replay *given = context;
	struct trace_event e = *event;

	if (given->count < given->wait->waiting.count) {
		const struct waiting *waiting = vec_at(&given->wait->waiting, given->count++);

		e.offset = waiting->offset;
		e.start = waiting->is_part ? waiting->start : e.start;
		e.process = waiting->is_part ? waiting->process : e.process;
	}
	return given->take(given->t, &e, err);
}

int trace_wait_end(struct trace_wait *wait, struct trace *t,
	int (*take)(struct trace *t, const struct trace_event *event, struct error *err),
	struct error *err)
{
	struct waiting_replay given = {.t = t, .wait = wait, .take = take};
	struct trace_handler handler = {.event = replay_event, .context = &given};
	struct trace_totals totals;
	struct issue_list told; /* of the events, reported when they were read first */
	struct arena *arena;
	struct input *in;
	int status;

	if (wait->text.size == 0)
		return 0;
	text_add_char(&wait->text, ']');
	arena = arena_new();
	issue_list_init(&told, arena);
	in = input_memory(wait->text.data, wait->text.size, trace_profile(t)->path);
	status = trace_scan(in, &handler, &told, WAIT_BYTES + 2, &totals, err);
	input_close(in);
	arena_free(arena);
	text_clear(&wait->text);
	vec_clear(&wait->waiting);
	return status;
}
