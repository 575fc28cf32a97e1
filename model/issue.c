/*
 * The list of issues. Lists are short (one entry per kind of issue), so it is searched from front
 * to back.
 */
#include "model/issue.h"

#include <string.h>

void issue_list_init(struct issue_list *list, struct arena *arena)
{
	*list = (struct issue_list){.arena = arena};
}

static struct issue *issue_find(const struct issue_list *list, const char *code)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->issue[i].code, code) == 0)
			return &list->issue[i];
	return NULL;
}

static struct issue *issue_push(struct issue_list *list)
{
	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : 8;
		struct issue *grown = arena_array(list->arena, room, sizeof(*grown));

		if (list->count)
			memcpy(grown, list->issue, list->count * sizeof(*grown));
		list->issue = grown;
		list->room = room;
	}
	return &list->issue[list->count++];
}

void issue_add(struct issue_list *list, enum issue_severity severity, const char *code,
	const char *text, size_t count, const char *place)
{
	struct issue *issue = issue_find(list, code);

	if (count == 0)
		return;
	if (issue) {
		issue->count += count;
		return;
	}
	issue = issue_push(list);
	*issue = (struct issue){
		.severity = severity,
		.code = arena_strdup(list->arena, code),
		.text = arena_strdup(list->arena, text),
		.place = arena_strdup(list->arena, place ? place : ""),
		.count = count,
	};
}

void issue_list_join(struct issue_list *list, const struct issue_list *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct issue *issue = &from->issue[i];

		issue_add(list, issue->severity, issue->code, issue->text, issue->count,
			issue->place);
	}
}
