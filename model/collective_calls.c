/* A growing array, put in order by counting. */
#include "model/collective_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"

void collective_calls_release(struct collective_calls *calls)
{
	memory_free(calls->call);
	*calls = (struct collective_calls){0};
}

static void push(struct collective_calls *calls, const struct collective_call *call)
{
	calls->call =
		memory_make_room(calls->call, &calls->room, calls->count + 1, sizeof(*calls->call));
	calls->call[calls->count++] = *call;
}

void collective_calls_add(struct collective_calls *calls, const struct collective_call *call)
{
	if (calls->count == COLLECTIVE_CALLS_MOST)
		calls->left_out++;
	else
		push(calls, call);
}

/* False: the call goes. */
static bool renumber(struct collective_call *call, const uint32_t *op_to, const uint32_t *step_to)
{
	call->op = op_to[call->op];
	call->step = step_to ? step_to[call->step] : call->step;
	return call->op != UINT32_MAX && call->step != UINT32_MAX;
}

void collective_calls_join(struct collective_calls *calls, const struct collective_calls *from,
	const uint32_t *op_to, const uint32_t *step_to)
{
	for (size_t i = 0; i < from->count; i++) {
		struct collective_call call = from->call[i];

		if (renumber(&call, op_to, step_to))
			push(calls, &call);
	}
}

void collective_calls_name(struct collective_calls *calls, struct intern *groups)
{
	const char *before = NULL, *name = NULL; /* neighbours mostly have the same */

	for (size_t i = 0; i < calls->count; i++) {
		const char *group = calls->call[i].group;

		if (!group)
			continue;
		if (group != before)
			name = intern_name(groups, intern_id(groups, group, strlen(group)));
		before = group;
		calls->call[i].group = name;
	}
}

void collective_calls_sort(struct collective_calls *calls, size_t steps)
{
	struct collective_call *sorted;
	size_t *next;
	bool in_order = true;

	for (size_t i = 1; i < calls->count && in_order; i++)
		in_order = calls->call[i - 1].step <= calls->call[i].step;
	if (in_order)
		return;
	next = memory_alloc(memory_product(steps + 1, sizeof(*next)));
	sorted = memory_alloc(memory_product(calls->count, sizeof(*sorted)));
	for (size_t i = 0; i < calls->count; i++)
		next[calls->call[i].step + 1]++;
	for (size_t s = 0; s < steps; s++)
		next[s + 1] += next[s];
	for (size_t i = 0; i < calls->count; i++)
		sorted[next[calls->call[i].step]++] = calls->call[i];
	memory_free(next);
	memory_free(calls->call);
	calls->call = sorted;
	calls->room = calls->count;
}

void collective_calls_renumber(
	struct collective_calls *calls, const uint32_t *op_to, const uint32_t *step_to)
{
	size_t kept = 0;

	for (size_t i = 0; i < calls->count; i++) {
		calls->call[kept] = calls->call[i];
		kept += renumber(&calls->call[kept], op_to, step_to);
	}
	calls->count = kept;
}

void collective_calls_report(
	const struct collective_calls *calls, struct issue_list *issues, const char *place)
{
	char text[120];

	if (!calls->left_out)
		return;
	snprintf(text, sizeof(text),
		"calls of collectives beyond the first %zu, in which waiting is not told from "
		"transfer",
		COLLECTIVE_CALLS_MOST);
	issue_add(issues, ISSUE_LOSS, "collectives-capped", text, calls->left_out, place);
}

/* ---- as text ---- */

void collective_call_add_text(
	struct text *text, const struct collective_call *call, const char **group)
{
	const char *before = *group ? *group : "", *now = call->group ? call->group : "";

	if (text->size)
		text_add_char(text, ' ');
	if (strcmp(before, now) != 0) {
		struct text visible;

		text_init(&visible);
		text_add_visible(&visible, now);
		text_printf(text, "@%zu:%s ", visible.size, text_string(&visible));
		text_release(&visible);
	}
	text_printf(text, "%" PRId64 ":%" PRId64, call->sequence, call->dur_ps);
	*group = call->group;
}

bool collective_calls_parse(struct collective_calls *calls, struct collective_call call,
	const char *text, struct intern *groups)
{
	while (*text) {
		const bool is_group = *text == '@';
		const char *colon = strchr(text, ':');
		int64_t first, dur_ps;
		size_t n;

		text += is_group;
		if (!colon || !number_parse_int(text, (size_t)(colon - text), &first) ||
			first < (is_group ? 0 : COLLECTIVE_UNKNOWN))
			return false;
		text = colon + 1;
		n = is_group ? (size_t)first : strcspn(text, " ");
		if (strnlen(text, n) < n)
			return false;
		if (is_group) {
			call.group = n ? intern_name(groups, intern_id(groups, text, n)) : NULL;
		} else {
			if (!number_parse_int(text, n, &dur_ps) || dur_ps < COLLECTIVE_UNKNOWN)
				return false;
			call.sequence = first;
			call.dur_ps = dur_ps;
			collective_calls_add(calls, &call);
		}
		text += n;
		if (*text && *text++ != ' ')
			return false;
	}
	return true;
}
