/*
 * The spelling must be that of the original, byte by byte; doc/decisions.md says why.
 */
#include "tfprof/timeline_json.h"

#include <string.h>
#include "base/output/json_text.h"

void timeline_init(struct timeline *timeline)
{
	text_init(&timeline->blocks);
	text_init(&timeline->rest);
	timeline->process_count = 0;
}

void timeline_release(struct timeline *timeline)
{
	text_release(&timeline->blocks);
	text_release(&timeline->rest);
}

void timeline_string(struct text *out, const char *s)
{
	json_text_exact(out, s, strlen(s), JSON_ASCII | JSON_SHORT);
}

static void timeline_process_name(struct timeline *timeline, int64_t pid, const char *name)
{
	struct text *out = &timeline->blocks;

	text_add(out, "{\"args\":{\"name\":");
	timeline_string(out, name);
	text_printf(out, "},\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%lld},", (long long)pid);
}

int64_t timeline_process(
	struct timeline *timeline, const char *prefix, const char *name, const char *suffix)
{
	int64_t pid = timeline->process_count++;
	struct text whole;

	text_init(&whole);
	text_printf(&whole, "%s%s%s", prefix, name, suffix);
	timeline_process_name(timeline, pid, text_string(&whole));
	text_release(&whole);
	return pid;
}

void timeline_block(struct timeline *timeline, const struct timeline_block *block)
{
	struct text *out = &timeline->blocks;

	text_add(out, "{\"args\":{\"name\":");
	timeline_string(out, block->name);
	if (block->op) {
		text_add(out, ",\"op\":");
		timeline_string(out, block->name);
	}
	text_printf(out, "},\"cat\":\"Op\",\"dur\":%lld,\"name\":", (long long)block->dur);
	timeline_string(out, block->name);
	text_printf(out, ",\"ph\":\"X\",\"pid\":%lld,\"tid\":%lld,\"ts\":%lld},",
		(long long)block->pid, (long long)block->tid, (long long)block->start);
}

void timeline_arrow(struct timeline *timeline, char phase, const struct timeline_arrow *end)
{
	struct text *out = &timeline->rest, whole;

	text_init(&whole);
	text_printf(&whole, "%s_flow", end->name);
	text_printf(out, "{\"cat\":\"DataFlow\",\"id\":%lld,\"name\":", (long long)end->id);
	timeline_string(out, text_string(&whole));
	text_printf(out, ",\"ph\":\"%c\",\"pid\":%lld,\"tid\":%lld,\"ts\":%lld},", phase,
		(long long)end->pid, (long long)end->tid, (long long)end->time);
	text_release(&whole);
}

void timeline_counter(
	struct timeline *timeline, const char *name, const char *args, int64_t pid, int64_t time)
{
	text_printf(&timeline->rest,
		"{\"args\":%s,\"cat\":\"Memory\",\"name\":\"%s\",\"ph\":\"C\",\"pid\":%lld,"
		"\"tid\":0,\"ts\":%lld},",
		args, name, (long long)pid, (long long)time);
}

void timeline_text(const struct timeline *timeline, struct text *out)
{
	text_add(out, "{\"traceEvents\":[");
	text_add_bytes(out, text_string(&timeline->blocks), timeline->blocks.size);
	text_add_bytes(out, text_string(&timeline->rest), timeline->rest.size);
	if (timeline->blocks.size + timeline->rest.size > 0)
		out->size--; /* the last comma */
	text_add(out, "]}\n");
}
