/*
 * Launched events get the step of their launch, and where rows are launchers its op: both are
 * sorted by link and read side by side.
 */
#include "events/eventlog_parts.h"

#define CHECK_EVERY 4096 /* records, between two looks at the disk */

struct join {
	struct eventlog *log;
	const struct link_record *launch; /* the next one; NULL at the end */
	uint64_t link;			  /* that was looked for last */
	uint32_t slot;			  /* of its launch, or SLOT_UNLINKED */
	int64_t launch_ps;		  /* or LAUNCH_UNKNOWN */
	size_t near, near_launch, added;
	/* Where rows are launchers. */
	uint32_t op;			    /* that has what this link launched */
	struct vec others;		    /* uint32_t: the other ops around the launch */
	const struct around_record *around; /* the next one; NULL at the end */
};

static int next_launch(struct join *j, struct error *err)
{
	const void *record;
	int got = spill_next(j->log->launches, &record, err);

	j->launch = got > 0 ? record : NULL;
	return got < 0 ? -1 : 0;
}

static int next_around(struct join *j, struct error *err)
{
	const void *record;
	int got = spill_next(j->log->around, &record, err);

	j->around = got > 0 ? record : NULL;
	return got < 0 ? -1 : 0;
}

/* The ops that have what this launch started. */
static int find_ops(struct join *j, struct error *err)
{
	const struct labelled_launch *launch = (const void *)j->launch;
	const uint64_t link = j->link, number = launch->number;

	j->op = launch->op;
	while (j->around && (j->around->link < link ||
				    (j->around->link == link && j->around->number <= number))) {
		if (j->around->link == link && j->around->number == number) {
			uint32_t *other = vec_push(&j->others, err);

			if (!other)
				return -1;
			*other = (uint32_t)j->around->op;
		}
		if (next_around(j, err))
			return -1;
	}
	return 0;
}

static uint32_t launch_slot(struct join *j)
{
	int64_t start_ps = value_of(j->launch->time);

	return log_slot_at(j->log, j->launch->process, start_ps, &j->near_launch);
}

/* Passes over the launch, which nothing in the trace names. */
static int pass_idle(struct join *j, struct error *err)
{
	if (j->launch->awaited && launch_slot(j) < SLOT_LEAST_SPECIAL)
		j->log->tally[TALLY_AWAITED].count++;
	return next_launch(j, err);
}

/* Moves to the launches of this link; the first of them counts. */
static int find_launch(struct join *j, uint64_t link, struct error *err)
{
	j->link = link;
	j->slot = SLOT_UNLINKED;
	j->launch_ps = LAUNCH_UNKNOWN;
	j->op = j->log->not_attributed;
	vec_clear(&j->others);
	while (j->launch && j->launch->link < link)
		if (pass_idle(j, err))
			return -1;
	if (!j->launch || j->launch->link != link)
		return 0;
	j->slot = launch_slot(j);
	j->launch_ps = value_of(j->launch->time);
	if (j->log->opt.by_launcher && find_ops(j, err))
		return -1;
	for (;;) {
		if (next_launch(j, err))
			return -1;
		if (!j->launch || j->launch->link != link)
			return 0;
		j->log->tally[TALLY_LINK_TWICE].count += launch_slot(j) != j->slot;
	}
}

/* The launched event becomes one of what launched it. */
static int attribute(struct join *j, struct log_record *record, int64_t start_ps, struct error *err)
{
	const struct launched_event event = {record, start_ps, j->launch_ps};

	record->op = j->op;
	record->type = 0;
	for (size_t i = 0; i < j->others.count; i++)
		if (sum_launched(j->log, *(uint32_t *)vec_at(&j->others, i), &event, err))
			return -1;
	return 0;
}

static int join_event(struct join *j, const struct log_record *launched, struct error *err)
{
	struct eventlog *log = j->log;
	const struct lane *lane = &lanes_of(log)[launched->lane];
	struct log_record record = *launched;
	int64_t start_ps = value_of(launched->lo);

	if (lane->skip)
		return 0;
	if (log->any_launch && log->any_link && record.link != j->link &&
		find_launch(j, record.link, err))
		return -1;
	if (log_is_whole(log)) {
		record.slot = 0;
	} else if (!log->any_launch || !log->any_link) {
		record.slot = log_slot_anywhere(log, lane->process, start_ps, &j->near);
		tally_event(log, TALLY_BY_TIME, record.lane, start_ps,
			record.kind == EVENT_OP ? record.op : UINT32_MAX);
	} else {
		record.slot = j->slot;
	}
	if (lane->flat && record.kind == EVENT_OP &&
		log_add_work(log,
			&(struct lane_work){record.lane, record.op, start_ps, record.dur_ps,
				j->launch_ps, false},
			err))
		return -1;
	if (log->opt.by_launcher && record.kind == EVENT_OP && attribute(j, &record, start_ps, err))
		return -1;
	if (sum_delay(
		    log, record.op, &(struct launched_event){&record, start_ps, j->launch_ps}, err))
		return -1;
	log_record_key(&record, start_ps);
	if (++j->added % CHECK_EVERY == 0 && log_check_disk(log, err))
		return -1;
	return spill_add(log->events, &record, err);
}

static int join_events(struct join *j, struct error *err)
{
	const void *record;
	int got;

	if (spill_sort(j->log->launched, err))
		return -1;
	if (j->log->launches && (spill_sort(j->log->launches, err) || next_launch(j, err)))
		return -1;
	if (j->log->around && (spill_sort(j->log->around, err) || next_around(j, err)))
		return -1;
	while ((got = spill_next(j->log->launched, &record, err)) > 0)
		if (join_event(j, record, err))
			return -1;
	while (got == 0 && j->launch)
		if (pass_idle(j, err))
			return -1;
	return got;
}

int log_join_links(struct eventlog *log, struct error *err)
{
	struct join j = {.log = log,
		.slot = SLOT_UNLINKED,
		.launch_ps = LAUNCH_UNKNOWN,
		.op = log->not_attributed};
	int result;

	vec_init(&j.others, sizeof(uint32_t), SIZE_MAX, "launchers");
	result = log_check_disk(log, err) || (log->launched && join_events(&j, err)) ? -1 : 0;
	vec_release(&j.others);
	spill_free(log->launched);
	spill_free(log->launches);
	spill_free(log->around);
	log->launched = log->launches = log->around = NULL;
	return result;
}
