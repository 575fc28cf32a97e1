/* Names of ops made of an event's fields by a template of the user: '{name}[{args.Input Dims}]'.
 * What an event has, and where, the reader of its format says. */
#pragma once

#include <stdbool.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/text.h"

struct name_template;

/* NAME_TYPE, the type of the op, is in no template. */
enum name_field { NAME_NAME, NAME_CATEGORY, NAME_PROCESS, NAME_THREAD, NAME_ARG, NAME_TYPE };

/* One event, as its reader sees it. */
struct name_source {
	/* Adds the value of the field; NAME_ARG: of the argument of this key. False: the event has
	 * none (an empty text is there, too). */
	bool (*add)(void *context, enum name_field field, const char *key, struct text *to);
	/* The keys of its arguments one by one; *at is 0 for the first. False after the last. */
	bool (*next_key)(void *context, size_t *at, const char **key, size_t *size);
	void *context;
};

/* Fields: {name}, {cat}, {pid}, {tid}, {args.KEY}; {{ and }} are braces. ERROR_USAGE with what is
 * known when a field is not, or a brace is open. In the arena. */
int name_template_new(
	const char *text, struct arena *arena, struct name_template **out, struct error *err);
/* Adds the name of this event. What the event does not have is empty. */
void name_template_fill(
	struct name_template *name_template, struct text *to, const struct name_source *source);
/* The first {args.KEY} that no event so far had, or NULL; *found: a bit for each of the first 64
 * fields, in order, that some event had. */
const char *name_template_missing(const struct name_template *name_template, uint64_t *found);
/* Keys of the args of events that did not have all fields: of the first ones, at most 100. */
const struct intern *name_template_keys(const struct name_template *name_template);
