/* Events in the order of the sorter, and in that of their links where they are equal in all
 * else. */
#include "ingest/events/eventlog_parts.h"

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

static bool are_equal(const struct log_record *a, const struct log_record *b)
{
	return a->start_ps == b->start_ps && a->dur_ps == b->dur_ps && a->lane == b->lane &&
	       (a->flags & EVENT_AROUND) == (b->flags & EVENT_AROUND);
}

/* True if the first of two equal records comes after the other. */
static bool is_after(const struct log_record *a, const struct log_record *b)
{
	if ((a->kind == EVENT_CONTEXT) != (b->kind == EVENT_CONTEXT))
		return b->kind == EVENT_CONTEXT;
	return a->link > b->link;
}

/* Adds a record that is followed by this one; NULL: it is the last. Most have no equal one beside
 * them, and are not copied. */
static int add_before(struct equals *e, const struct log_record *record,
	const struct log_record *next, struct error *err)
{
	const bool is_held = next && are_equal(record, next);

	if (e->count == 0 && !is_held)
		return e->add(e->context, record, err);

	size_t at;

	for (at = e->count++; at > 0 && is_after(&e->record[at - 1], record); at--)
		e->record[at] = e->record[at - 1];
	e->record[at] = *record;
	if (is_held && e->count != EQUALS_MOST)
		return 0;
	for (size_t i = 0; i < e->count; i++)
		if (e->add(e->context, &e->record[i], err))
			return -1;
	e->count = 0;
	return 0;
}

/* The next record of each; NULL after the last. */
struct two_ways {
	struct spill *sorter;
	const struct eventlog *log;
	const struct lane_runs *runs; /* NULL: none */
	const bool *lanes;	      /* as in struct log_sorted */
	uint32_t lane;		      /* of the runs: the next one */
	/* NULL: none is begun; the one before, whose last record may still be looked at. */
	struct lane_pass *pass, *before;
	const struct log_record *sorted, *run;
	struct log_record of_sorter[2]; /* `sorted` and the one before, with their starts */
	unsigned current;
};

static int next_sorted(struct two_ways *w, struct error *err)
{
	const void *next;
	struct log_record *record = &w->of_sorter[w->current ^= 1];

	if (log_next_sorted(w->sorter, &next, err))
		return -1;
	w->sorted = next ? record : NULL;
	if (next) {
		*record = *(const struct log_record *)next;
		record->start_ps = log_record_start(next);
	}
	return 0;
}

static int next_lane(struct two_ways *w, struct error *err)
{
	int got = 0;

	while (got == 0 && w->runs && w->lane < w->log->lane.count) {
		const uint32_t lane = w->lane++;

		if (!lane_runs_have_any(w->runs, lane) ||
			(w->lanes ? !w->lanes[lane] : lane_runs_have_all(w->runs, lane)))
			continue;
		lane_pass_free(w->before);
		w->before = w->pass;
		w->pass = lane_pass_new(w->runs, lane);
		got = lane_pass_next(w->pass, &w->run, err);
	}
	return got < 0 ? -1 : 0;
}

static inline int next_run(struct two_ways *w, struct error *err)
{
	const int got = w->pass ? lane_pass_next(w->pass, &w->run, err) : 0;

	return got > 0 ? 0 : got < 0 ? -1 : next_lane(w, err);
}

/* True if the next record is that of the runs. It is first of equal ones: it was added when no
 * other one was after it. */
static bool run_is_before(const struct two_ways *w)
{
	struct log_record run, sorted;

	if (w->run->lane != w->sorted->lane)
		return w->run->lane < w->sorted->lane;
	if (w->run->start_ps != w->sorted->start_ps)
		return w->run->start_ps < w->sorted->start_ps;
	run = *w->run;
	sorted = *w->sorted;
	log_record_key(&run, w->run->start_ps);
	log_record_key(&sorted, w->sorted->start_ps);
	return run.hi != sorted.hi ? run.hi < sorted.hi : run.lo <= sorted.lo;
}

static inline bool run_is_next(const struct two_ways *w)
{
	return w->run && (!w->sorted || run_is_before(w));
}

static int pass(struct eventlog *log, struct two_ways *w, struct equals *equals, struct error *err)
{
	size_t taken = 0;

	if (next_sorted(w, err) || next_run(w, err))
		return -1;
	for (bool is_run = run_is_next(w); w->sorted || w->run;) {
		const struct log_record *record = is_run ? w->run : w->sorted;

		if (is_run ? next_run(w, err) : next_sorted(w, err))
			return -1;
		is_run = run_is_next(w);
		if (add_before(equals, record, is_run ? w->run : w->sorted, err))
			return -1;
		if (++taken % CHECK_EVERY == 0 && log_check_disk(log, err))
			return -1;
	}
	return 0;
}

int log_in_order(struct eventlog *log, struct log_sorted from,
	int (*add)(void *context, const struct log_record *record, struct error *err),
	void *context, struct error *err)
{
	struct equals equals = {.add = add, .context = context, .count = 0};
	struct two_ways w = {.sorter = from.sorter,
		.log = log,
		.runs = from.part ? NULL : from.runs,
		.lanes = from.lanes,
		.pass = from.part ? lane_pass_of(from.runs, from.part) : NULL};
	const int result = pass(log, &w, &equals, err);

	lane_pass_free(w.before);
	lane_pass_free(w.pass);
	return result;
}
