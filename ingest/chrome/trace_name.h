/*
 * Names of ops made of an event's fields by a template of the user: '{name}[{args.Input Dims}]'.
 */
#ifndef STEPSTAT_INGEST_CHROME_TRACE_NAME_H
#define STEPSTAT_INGEST_CHROME_TRACE_NAME_H

#include <stdbool.h>
#include "base/arena.h"
#include "ingest/chrome/trace_scan.h"

struct name_template;

/* Fields: {name}, {cat}, {pid}, {tid}, {args.KEY}; {{ and }} are braces. ERROR_USAGE with what is
 * known when a field is not, or a brace is open. In the arena. */
int name_template_new(
	const char *text, struct arena *arena, struct name_template **out, struct error *err);
/* Adds the name of this event; {name} is `name`. What the event does not have is empty; values that
 * are not strings are written as in the file, without blanks. */
void name_template_fill(struct name_template *name_template, struct text *to,
	const struct trace_event *event, const struct json_value *name);
/* The first {args.KEY} that no event so far had, or NULL; *found: a bit for each of the first 64
 * fields, in order, that some event had. */
const char *name_template_missing(const struct name_template *name_template, uint64_t *found);
/* Keys of the args of events that did not have all fields: of the first ones, at most 100. */
const struct intern *name_template_keys(const struct name_template *name_template);

#endif
