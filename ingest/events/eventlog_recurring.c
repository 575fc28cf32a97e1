/* Names of slices that recur regularly on a thread of the host and reach over the recording: one of
 * them may mark steps where nothing does, best one whose slices count. Else by time only; names are
 * the reader's business. */
#include <stdlib.h>
#include <string.h>
#include "ingest/events/eventlog_parts.h"

#define SLICES_LEAST 3

/* The slices of a name on one lane; those inside of another one of the name are passed over. */
struct on_lane {
	uint32_t lane; /* + 1; 0: none */
	size_t count, alike;
	size_t rising, next; /* numbers above all before, and above the last one by 1 */
	int64_t number, highest;
	int64_t first_ps, start_ps, end_ps; /* first start, last start, last end */
	int64_t gap_ps;			    /* from start to start, the last one */
	int64_t covered_ps;
};

struct name_slices {
	const char *name;
	struct on_lane here, best; /* best: of the lane that they cover most */
	size_t count;
};

struct recurrence {
	struct intern *names;
	uint32_t *name_of;  /* by op, + 1; 0: no name of a marker */
	int64_t *number_of; /* by op; MARKER_UNNUMBERED: none */
	struct name_slices *of;
	int64_t first_ps, last_ps; /* of all slices */
	struct recurring *found;
	size_t found_count;
};

/* Each op gets the number of its name. */
void log_begin_recurring(struct eventlog *log)
{
	const struct profile *profile = log->profile;
	struct recurrence *r = arena_alloc(log->arena, sizeof(*r));
	struct text name;

	*r = (struct recurrence){.names = intern_new(log->arena),
		.name_of = arena_array(log->arena, profile->op_count + 1, sizeof(*r->name_of)),
		.number_of = arena_array(log->arena, profile->op_count + 1, sizeof(*r->number_of)),
		.first_ps = INT64_MAX,
		.last_ps = INT64_MIN};
	text_init(&name);
	for (size_t i = 0; i < profile->op_count; i++) {
		text_clear(&name);
		r->number_of[i] = log->opt.marker_name(profile->op[i].name, &name);
		if (name.size)
			r->name_of[i] = intern_id(r->names, text_string(&name), name.size) + 1;
	}
	text_release(&name);
	r->of = arena_array(log->arena, intern_count(r->names) + 1, sizeof(*r->of));
	for (uint32_t i = 0; i < intern_count(r->names); i++)
		r->of[i].name = intern_name(r->names, i);
	log->recurrence = r;
}

/* Time over which the slices reach, with one gap after the last of them. */
static int64_t reach_ps(const struct on_lane *lane)
{
	const int64_t from_first_ps = lane->start_ps - lane->first_ps;

	return from_first_ps + from_first_ps / (int64_t)(lane->count - 1);
}

/* Slices that count: steps do, and neither layers, which begin again in each, nor ids of calls. */
static bool counts(const struct on_lane *lane)
{
	return lane->rising + 1 == lane->count && 2 * lane->next >= lane->count - 1;
}

static void end_lane_of(struct name_slices *slices)
{
	if (slices->here.count >= SLICES_LEAST &&
		2 * slices->here.alike >= slices->here.count - 2 &&
		(slices->best.lane == 0 || slices->here.covered_ps > slices->best.covered_ps))
		slices->best = slices->here;
	slices->here = (struct on_lane){0};
}

/* Events come lane by lane, in order of start. */
void log_note_recurring(struct eventlog *log, const struct log_record *event, int64_t start_ps)
{
	struct recurrence *r = log->recurrence;
	const uint32_t name = r->name_of[event->op];
	const int64_t end_ps = start_ps + event->dur_ps, number = r->number_of[event->op];
	struct name_slices *slices;
	struct on_lane *here;

	r->first_ps = start_ps < r->first_ps ? start_ps : r->first_ps;
	r->last_ps = end_ps > r->last_ps ? end_ps : r->last_ps;
	if (name == 0)
		return;
	slices = &r->of[name - 1];
	here = &slices->here;
	if (here->lane != event->lane + 1)
		end_lane_of(slices);
	if (here->count && start_ps < here->end_ps)
		return;
	if (here->count) {
		const int64_t gap_ps = start_ps - here->start_ps;

		here->alike +=
			here->count > 1 && gap_ps / 2 <= here->gap_ps && here->gap_ps / 2 <= gap_ps;
		here->gap_ps = gap_ps;
	} else {
		here->lane = event->lane + 1;
		here->first_ps = start_ps;
	}
	here->rising += here->count && number > here->highest;
	here->next += here->count && here->number != INT64_MAX && number == here->number + 1;
	here->highest = here->count && here->highest > number ? here->highest : number;
	here->number = number;
	here->start_ps = start_ps;
	here->end_ps = end_ps;
	here->covered_ps += event->dur_ps;
	here->count++;
	slices->count++;
}

static int by_cover(const void *a, const void *b)
{
	const struct recurring *x = a, *y = b;

	if (x->counts != y->counts)
		return x->counts ? -1 : 1;
	if (x->covered_ps != y->covered_ps)
		return x->covered_ps < y->covered_ps ? 1 : -1;
	return strcmp(x->name, y->name);
}

void log_end_recurring(struct eventlog *log)
{
	struct recurrence *r = log->recurrence;
	const size_t names = intern_count(r->names);

	r->found = arena_array(log->arena, names + 1, sizeof(*r->found));
	for (size_t i = 0; i < names; i++) {
		const struct on_lane *best = &r->of[i].best;

		end_lane_of(&r->of[i]);
		if (best->lane && reach_ps(best) >= (r->last_ps - r->first_ps) / 2)
			r->found[r->found_count++] = (struct recurring){
				r->of[i].name, r->of[i].count, counts(best), best->covered_ps};
	}
	if (r->found_count)
		qsort(r->found, r->found_count, sizeof(*r->found), by_cover);
}

size_t eventlog_recurring(const struct eventlog *log, const struct recurring **found)
{
	if (!log->recurrence)
		return 0;
	*found = log->recurrence->found;
	return log->recurrence->found_count;
}
