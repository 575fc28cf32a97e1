/* The calls of collectives that a profile has, one by one: sums per op and step do not say which
 * calls of the ranks of a job belong together (analysis/job/job_collectives.h finds out). Only
 * operations in which every process of a group needs data of all others: one that has a root, or is
 * between two of them, may end in one before another has begun. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/intern.h"
#include "base/text.h"
#include "model/issue/issue.h"

#define COLLECTIVE_CALLS_MOST ((size_t)4000000) /* of a profile: 128 MB */
#define COLLECTIVE_UNKNOWN (-1)

struct collective_call {
	uint32_t op, step;
	const char *group; /* of processes; NULL: not known */
	int64_t sequence;  /* its number in the group; COLLECTIVE_UNKNOWN */
	int64_t dur_ps;	   /* COLLECTIVE_UNKNOWN: it has no time */
};

/* The memory of `call` is the owner's to free (collective_calls_release). */
struct collective_calls {
	struct collective_call *call; /* by step, those of a step in order of their start */
	size_t count, room;
	size_t left_out; /* past COLLECTIVE_CALLS_MOST */
};

void collective_calls_release(struct collective_calls *calls);
/* Adds one, in any order of steps; past COLLECTIVE_CALLS_MOST it is only counted. */
void collective_calls_add(struct collective_calls *calls, const struct collective_call *call);
/* Adds those of `from` whose op and step have a place (not UINT32_MAX) in op_to and step_to; names
 * of groups are not copied. The cap is that of one profile: of several all are kept. */
void collective_calls_join(struct collective_calls *calls, const struct collective_calls *from,
	const uint32_t *op_to, const uint32_t *step_to);
/* Names of groups are those of `groups` from now on: equal ones are one pointer. */
void collective_calls_name(struct collective_calls *calls, struct intern *groups);
/* Puts them in order of the steps, `steps` of them; those of a step keep their order. */
void collective_calls_sort(struct collective_calls *calls, size_t steps);
/* Op o is op_to[o] from now on, step s is step_to[s] (NULL: as it is); UINT32_MAX: its calls go. */
void collective_calls_renumber(
	struct collective_calls *calls, const uint32_t *op_to, const uint32_t *step_to);
/* Adds a call to a text of those of one op in one step; `group` is that of the call before, at
 * first NULL: "@2:dp 5:1200" is call 5 of group dp, of 1200 ps. */
void collective_call_add_text(
	struct text *text, const struct collective_call *call, const char **group);
/* Adds the calls of such a text, with the op and the step of `call`. False: it is none. */
bool collective_calls_parse(struct collective_calls *calls, struct collective_call call,
	const char *text, struct intern *groups);
/* Counts those that were left out as an issue. */
void collective_calls_report(
	const struct collective_calls *calls, struct issue_list *issues, const char *place);
