/*
 * What launched the work of devices: each launch gets the op of the innermost labelled event that
 * runs on its thread at that time, before launches and launched events are joined.
 *
 * Labels and launches are sorted by lane and time. A launch is a point in time that comes after the
 * labels that start with it. Of labels that only overlap the one that started last is the inner
 * one.
 */
#include "base/memory.h"
#include "events/eventlog_parts.h"

#define LABELS_MOST 512 /* around one point in time */

struct open_label {
	int64_t end_ps;
	uint32_t op;
	bool covers;
};

struct labelling {
	struct eventlog *log;
	struct open_label *open; /* those that have ended, too, until they are on top */
	size_t count;
	uint32_t lane;
	bool any;	 /* a record of this lane was seen */
	uint32_t *seen;	 /* of each op: the last launch that it is around */
	uint32_t number; /* of the launch, from 1 */
};

/* Drops labels that ended before; those on top always, all of them when there is no room. */
static void drop_ended(struct labelling *l, int64_t now_ps)
{
	size_t kept = 0;

	while (l->count && l->open[l->count - 1].end_ps <= now_ps)
		l->count--;
	if (l->count < LABELS_MOST)
		return;
	for (size_t i = 0; i < l->count; i++)
		if (l->open[i].end_ps > now_ps)
			l->open[kept++] = l->open[i];
	l->count = kept;
}

static void open_label(struct labelling *l, const struct log_record *record, int64_t start_ps)
{
	struct open_label label = {
		start_ps + record->dur_ps, record->op, (record->flags & EVENT_COVERS) != 0};

	if (l->count == LABELS_MOST) {
		tally_event(l->log, TALLY_LABELS_DEEP, record->lane, start_ps, record->op);
		return;
	}
	if (l->count && l->open[l->count - 1].covers) {
		label.op = l->open[l->count - 1].op;
		label.covers = true;
	}
	l->open[l->count++] = label;
}

/* Notes the other ops around the launch, each once. */
static int add_around(
	struct labelling *l, uint64_t link, uint32_t inner, int64_t now_ps, struct error *err)
{
	struct eventlog *log = l->log;

	if (!log->opt.totals)
		return 0;
	if (!log->around)
		log->around = log_sorter(log, sizeof(struct around_record), "8", 2);
	l->seen[inner] = l->number;
	for (size_t i = 0; i < l->count; i++) {
		const struct around_record record = {link, l->number, l->open[i].op};

		if (l->open[i].end_ps <= now_ps || l->seen[record.op] == l->number)
			continue;
		l->seen[record.op] = l->number;
		if (spill_add(log->around, &record, err))
			return -1;
	}
	return 0;
}

static int label_launch(
	struct labelling *l, const struct log_record *record, int64_t start_ps, struct error *err)
{
	struct eventlog *log = l->log;
	struct labelled_launch launch = {
		.launch = {.link = record->link,
			.time = key_of(start_ps),
			.process = lanes_of(log)[record->lane].process,
			.awaited = (record->flags & EVENT_AWAITED) != 0},
		.op = l->count ? l->open[l->count - 1].op : log->unlabelled,
		.number = ++l->number,
	};

	log->any_label |= l->count > 0 || log->unlabelled != log->not_attributed;
	if (!log->launches)
		log->launches = log_sorter(log, sizeof(launch), "88", 2);
	return spill_add(log->launches, &launch, err) ||
			       add_around(l, record->link, launch.op, start_ps, err)
		       ? -1
		       : 0;
}

static int add_record(void *context, const struct log_record *record, struct error *err)
{
	struct labelling *l = context;
	const int64_t start_ps = log_record_start(record);

	if (!l->any || record->lane != l->lane)
		l->count = 0;
	l->any = true;
	l->lane = record->lane;
	drop_ended(l, start_ps);
	if (record->flags & EVENT_LAUNCHES)
		return label_launch(l, record, start_ps, err);
	open_label(l, record, start_ps);
	return 0;
}

int log_add_label(struct eventlog *log, const struct event *event, struct error *err)
{
	const bool launches = (event->flags & EVENT_LAUNCHES) != 0;
	struct log_record record = {
		.dur_ps = launches ? 0 : event->dur_ps,
		.link = event->link,
		.lane = event->lane,
		.op = launches				? 0
		      : event->label == EVENT_OWN_LABEL ? event->op
							: event->label,
		.flags = event->flags & (EVENT_LAUNCHES | EVENT_AWAITED | EVENT_COVERS),
	};

	if (!log->labels)
		log->labels = log_sorter(log, sizeof(record), LOG_RECORD_FIELDS, 4);
	record.flags |= launches ? 0 : EVENT_AROUND;
	log_record_key(&record, event->start_ps);
	return spill_add(log->labels, &record, err);
}

int log_label_launches(struct eventlog *log, struct error *err)
{
	struct labelling l = {.log = log};
	struct arena *scratch;
	int result;

	if (!log->labels)
		return 0;
	scratch = arena_new();
	l.open = arena_array(scratch, LABELS_MOST, sizeof(*l.open));
	l.seen = arena_array(scratch, log->profile->op_count, sizeof(*l.seen));
	result = log_check_disk(log, err) || spill_sort(log->labels, err) ||
				 log_in_order(log, log->labels, add_record, &l, err)
			 ? -1
			 : 0;
	arena_free(scratch);
	spill_free(log->labels);
	log->labels = NULL;
	return result;
}
