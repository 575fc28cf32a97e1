/*
 * Events in the order of the sorter, and in that of their links where they are equal in all else.
 */
#include "events/eventlog_parts.h"

#define EQUALS_MOST 64	 /* equal events that are put in order */
#define CHECK_EVERY 4096 /* events, between two looks at the disk */

/* Records that are equal in lane and times. Clocks of microseconds make such of an event and the
 * one around it. */
struct equals {
	int (*add)(void *context, const struct log_record *record, struct error *err);
	void *context;
	struct log_record record[EQUALS_MOST];
	size_t count;
};

static int add_equals(struct equals *e, struct error *err)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->add(e->context, &e->record[i], err))
			return -1;
	e->count = 0;
	return 0;
}

/* Keeps the lower link before the higher one. */
static int hold(struct equals *e, const struct log_record *record, struct error *err)
{
	const struct log_record *first = e->record;
	size_t at;

	if (e->count &&
		(e->count == EQUALS_MOST || first->lo != record->lo || first->hi != record->hi ||
			first->dur_ps != record->dur_ps) &&
		add_equals(e, err))
		return -1;
	for (at = e->count++; at > 0 && e->record[at - 1].link > record->link; at--)
		e->record[at] = e->record[at - 1];
	e->record[at] = *record;
	return 0;
}

int log_in_order(struct eventlog *log, struct spill *sorter,
	int (*add)(void *context, const struct log_record *record, struct error *err),
	void *context, struct error *err)
{
	struct equals equals = {.add = add, .context = context, .count = 0};
	const void *record;
	size_t taken = 0;
	int got;

	while ((got = spill_next(sorter, &record, err)) > 0) {
		if (hold(&equals, record, err))
			return -1;
		if (++taken % CHECK_EVERY == 0 && log_check_disk(log, err))
			return -1;
	}
	return got < 0 || add_equals(&equals, err) ? -1 : 0;
}
