/*
 * Everything lost, odd or assumed in an input: counted, with its first position. It is data; the
 * report prints it.
 */
#ifndef STEPSTAT_MODEL_ISSUE_H
#define STEPSTAT_MODEL_ISSUE_H

#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/text.h"

enum issue_severity {
	ISSUE_INFO,  /* nothing is lost: "the step list was empty" */
	ISSUE_LOSS,  /* something could not be used; --strict makes it an error */
	ISSUE_ERROR, /* a part of the input is wrong */
};

struct issue {
	enum issue_severity severity;
	const char *code;  /* short, stable, for files: "start-missing" */
	const char *text;  /* one sentence without the count: "executions without a start time" */
	const char *place; /* of the first: "FILE:byte 120" or "FILE: op conv1, step 3" */
	size_t count;
};

struct issue_list {
	struct arena *arena;
	struct issue *issue;
	size_t count, room;
	struct intern *codes; /* of a long list, by place; NULL: it is short */
};

void issue_list_init(struct issue_list *list, struct arena *arena);
/* Adds `count` to the issue of this code, or a new one; only the first place is kept (place is
 * copied then). */
void issue_add(struct issue_list *list, enum issue_severity severity, const char *code,
	const char *text, size_t count, const char *place);
/* A sentence with the count: "3 executions without a start time (first: PLACE)", "1 execution ...
 * (PLACE)", "the trace has no steps (PLACE)". A text whose singular is not certain is "1 case:
 * events that end ...". Bytes are as recorded. */
void issue_add_sentence(struct text *out, const struct issue *issue);
/* The same without the place. */
void issue_add_count(struct text *out, const struct issue *issue);
/* For --strict: the first issue that is more than information becomes an error. Returns 0 when
 * there is none. */
int issue_list_refuse_losses(const struct issue_list *list, struct error *err);
/* Adds all of `from`, in its order. */
void issue_list_join(struct issue_list *list, const struct issue_list *from);

#endif
