/*
 * The list of issues. Lists are short (one entry per kind of issue) and searched from front to
 * back; a table of observations may bring codes of its own, and a long list is searched by a name
 * table.
 */
#include "model/issue/issue.h"

#include <string.h>

void issue_list_init(struct issue_list *list, struct arena *arena)
{
	*list = (struct issue_list){.arena = arena};
}

#define SEARCHED_IN_ORDER 32

/* The name table of a long list: the id of a code is its place. */
static struct intern *codes_of(struct issue_list *list)
{
	if (list->codes)
		return list->codes;
	list->codes = intern_new(list->arena);
	for (size_t i = 0; i < list->count; i++)
		intern_id(list->codes, list->issue[i].code, strlen(list->issue[i].code));
	return list->codes;
}

static struct issue *issue_find(struct issue_list *list, const char *code)
{
	uint32_t place;

	if (list->count >= SEARCHED_IN_ORDER)
		return intern_find(codes_of(list), code, strlen(code), &place) ? &list->issue[place]
									       : NULL;
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->issue[i].code, code) == 0)
			return &list->issue[i];
	return NULL;
}

static struct issue *issue_push(struct issue_list *list)
{
	list->issue = arena_make_room(
		list->arena, list->issue, list->count, &list->room, sizeof(*list->issue));
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
		issue->severity = severity > issue->severity ? severity : issue->severity;
		return;
	}
	issue = issue_push(list);
	if (list->codes)
		intern_id(list->codes, code, strlen(code));
	*issue = (struct issue){
		.severity = severity,
		.code = arena_strdup(list->arena, code),
		.text = arena_strdup(list->arena, text),
		.place = arena_strdup(list->arena, place ? place : ""),
		.count = count,
	};
}

/* Distance of the bounds; a bound that is not known is as far as can be. */
static uint64_t width(const struct issue_effect *effect)
{
	if (effect->unit == EFFECT_NONE)
		return 0;
	if (effect->low == EFFECT_UNKNOWN || effect->high == EFFECT_UNKNOWN)
		return UINT64_MAX;
	return (uint64_t)effect->high - (uint64_t)effect->low + 1;
}

void issue_set_effect(struct issue_list *list, const char *code, const struct issue_effect *effect)
{
	struct issue *issue = issue_find(list, code);

	if (!issue || width(effect) <= width(&issue->effect))
		return;
	issue->effect = *effect;
	issue->effect.row = arena_strdup(list->arena, effect->row ? effect->row : "");
	issue->effect.steps = arena_strdup(list->arena, effect->steps ? effect->steps : "");
}

double issue_lost_part(const struct issue_loss *loss)
{
	return loss->kind != LOSS_NONE && loss->all > 0 ? (double)loss->lost / (double)loss->all
							: 0;
}

void issue_set_loss(struct issue_list *list, const char *code, const struct issue_loss *loss)
{
	struct issue *issue = issue_find(list, code);

	if (!issue || issue_lost_part(loss) <= issue_lost_part(&issue->loss))
		return;
	issue->loss = *loss;
	if (issue->severity == ISSUE_INFO && loss->kind != LOSS_BEFORE &&
		issue_lost_part(loss) > LOSS_MUCH)
		issue->severity = ISSUE_LOSS;
}

const struct issue *issue_list_find(const struct issue_list *list, const char *code)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->issue[i].code, code) == 0)
			return &list->issue[i];
	return NULL;
}

void issue_list_join_without(
	struct issue_list *list, const struct issue_list *from, const struct issue_list *without)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct issue *issue = &from->issue[i];

		if (without && issue_list_find(without, issue->code))
			continue;
		issue_add(list, issue->severity, issue->code, issue->text, issue->count,
			issue->place);
		issue_set_effect(list, issue->code, &issue->effect);
		issue_set_loss(list, issue->code, &issue->loss);
	}
}

void issue_list_join(struct issue_list *list, const struct issue_list *from)
{
	issue_list_join_without(list, from, NULL);
}
