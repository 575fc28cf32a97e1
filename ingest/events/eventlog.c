/* Building the log: processes, lanes and ops by name, events into the sorters, marks into their
 * list; and the order of what is done with them in the end. */
#include "ingest/events/eventlog.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "ingest/events/eventlog_sweep.h"

#define BUFFER_BYTES ((size_t)32 << 20)

struct eventlog *eventlog_new(struct profile *profile, const struct eventlog_options *opt)
{
	struct arena *arena = arena_new();
	struct eventlog *log = arena_alloc(arena, sizeof(*log));

	log->arena = arena;
	log->profile = profile;
	log->opt = *opt;
	if (log->opt.buffer_bytes == 0)
		log->opt.buffer_bytes = BUFFER_BYTES;
	log->processes = intern_new(arena);
	log->lanes = intern_new(arena);
	log->texts = intern_new(arena);
	log->types = intern_new(profile->arena);
	log->event_types = intern_new(arena);
	log->contexts = intern_new(arena);
	log->products = intern_new(arena);
	log->row_names = intern_new(arena);
	vec_init(&log->process_name, sizeof(const char *), LANES_MOST, "processes");
	vec_init(&log->lane, sizeof(struct lane), LANES_MOST, "threads and streams");
	vec_init(&log->mark, sizeof(struct slot),
		opt->limits.steps < SLOT_LEAST_SPECIAL ? opt->limits.steps : SLOT_LEAST_SPECIAL,
		"steps");
	vec_init(&log->stretch, sizeof(struct step_stretch), log->mark.cap, "steps");
	log_init_handoffs(log);
	log->groups = intern_new(profile->arena);
	vec_init(&log->described, sizeof(struct described_id), COLLECTIVE_CALLS_MOST,
		"descriptions of collectives");
	vec_init(&log->waits, sizeof(struct device_wait), WAITS_MOST, "waits");
	log->events = log_sorter(log, sizeof(struct log_record), 8);
	log->runs = lane_runs_new(log, log->opt.buffer_bytes / 8, false, SIZE_MAX);
	return log;
}

void eventlog_free(struct eventlog *log)
{
	if (!log)
		return;
	log_feed_release(log);
	spill_free(log->events);
	lane_runs_free(log->runs);
	linked_release(&log->launched);
	linked_release(&log->launches);
	log_release_busy(log);
	spill_free(log->work);
	spill_free(log->late);
	spill_free(log->rows);
	log_release_labels(log);
	host_rows_free(log->host_rows);
	spill_free(log->around);
	sums_release(log);
	doubts_release(log);
	vec_release(&log->process_name);
	vec_release(&log->lane);
	vec_release(&log->mark);
	vec_release(&log->stretch);
	log_release_handoffs(log);
	vec_release(&log->waits);
	vec_release(&log->captures);
	graph_captures_free(log->graphs);
	log_release_collectives(log);
	memory_free(log->row_of);
	arena_free(log->arena);
}

struct spill *log_sorter_of(
	const struct eventlog *log, size_t record_bytes, size_t buffer_bytes, size_t run_bytes)
{
	struct spill_options options = {
		.record_bytes = record_bytes,
		.buffer_bytes = buffer_bytes,
		.run_bytes = run_bytes,
		.folder = log->opt.spill_folder,
		.max_disk_bytes = log->opt.max_spill_bytes,
		.what = "events",
	};

	return spill_new(&options);
}

struct spill *log_sorter(const struct eventlog *log, size_t record_bytes, size_t sixteenths)
{
	return log_sorter_of(log, record_bytes, log->opt.buffer_bytes / 16 * sixteenths, 0);
}

static uint64_t disk_bytes(const struct spill *sorter)
{
	return sorter ? spill_disk_bytes(sorter) : 0;
}

int log_check_disk(const struct eventlog *log, struct error *err)
{
	uint64_t bytes = lane_runs_disk_bytes(log->runs) + linked_disk_bytes(&log->launched) +
			 linked_disk_bytes(&log->launches) + disk_bytes(log->events) +
			 log_busy_disk_bytes(log) + disk_bytes(log->work) + disk_bytes(log->late) +
			 disk_bytes(log->rows) + disk_bytes(log->labels) + disk_bytes(log->around);

	if (bytes <= log->opt.max_spill_bytes)
		return 0;
	error_set(err, ERROR_LIMIT, log->profile->path,
		"more than %llu bytes of temporary disk to sort events",
		(unsigned long long)log->opt.max_spill_bytes);
	return error_hint(err, "allow more with spill-limit in stepstat.yaml");
}

/* ---- processes and lanes ---- */

uint32_t eventlog_process(struct eventlog *log, const char *key, size_t n)
{
	uint32_t id;
	struct error full;

	if (intern_find(log->processes, key, n, &id))
		return id;
	if (!vec_push(&log->process_name, &full))
		return UINT32_MAX;
	return intern_id(log->processes, key, n);
}

/* The key in the table of lanes: the process, then the lane's own key. */
static uint32_t lane_id(struct eventlog *log, uint32_t process, const char *key, size_t n, bool add)
{
	char few[256], *bytes = n <= sizeof(few) - sizeof(process)
					? few
					: memory_alloc(n + sizeof(process));
	uint32_t id = UINT32_MAX;

	memcpy(bytes, &process, sizeof(process));
	if (n)
		memcpy(bytes + sizeof(process), key, n);
	if (add)
		id = intern_id(log->lanes, bytes, n + sizeof(process));
	else if (!intern_find(log->lanes, bytes, n + sizeof(process), &id))
		id = UINT32_MAX;
	if (bytes != few)
		memory_free(bytes);
	return id;
}

uint32_t eventlog_lane(
	struct eventlog *log, uint32_t process, const char *key, size_t n, struct error *err)
{
	uint32_t id;
	struct lane *lane;

	if (process == UINT32_MAX) {
		error_set(err, ERROR_LIMIT, log->profile->path, "more than %zu processes",
			LANES_MOST);
		return UINT32_MAX;
	}
	assert(process < eventlog_process_count(log));
	id = lane_id(log, process, key, n, false);
	if (id != UINT32_MAX)
		return id;
	lane = vec_push(&log->lane, err);
	if (!lane)
		return UINT32_MAX;
	id = lane_id(log, process, key, n, true);
	lane->process = process;
	lane->name = intern_name(log->lanes, id) + sizeof(process);
	lane->device = "";
	return id;
}

struct lane *eventlog_lane_at(struct eventlog *log, uint32_t lane)
{
	return vec_at(&log->lane, lane);
}

size_t eventlog_lane_count(const struct eventlog *log)
{
	return log->lane.count;
}

const char *eventlog_process_key(const struct eventlog *log, uint32_t process)
{
	return intern_name(log->processes, process);
}

void eventlog_name_process(struct eventlog *log, uint32_t process, const char *name, size_t n)
{
	if (n && process != UINT32_MAX)
		*(const char **)vec_at(&log->process_name, process) = eventlog_text(log, name, n);
}

const char *eventlog_process_name(const struct eventlog *log, uint32_t process)
{
	const char *name = *(const char **)vec_at(&log->process_name, process);

	return name ? name : eventlog_process_key(log, process);
}

size_t eventlog_process_count(const struct eventlog *log)
{
	return log->process_name.count;
}

void eventlog_set_base(struct eventlog *log, int64_t base_us)
{
	log->base_us = base_us;
}

const char *eventlog_text(struct eventlog *log, const char *s, size_t n)
{
	struct text visible;
	const char *kept;

	if (n == 0 || !memchr(s, 0, n))
		return intern_name(log->texts, intern_id(log->texts, s, n));
	text_init(&visible);
	text_add_zeros_visible(&visible, s, n);
	kept = intern_name(log->texts, intern_id(log->texts, visible.data, visible.size));
	text_release(&visible);
	return kept;
}

/* ---- ops, events, marks ---- */

uint32_t eventlog_op(
	struct eventlog *log, const char *name, size_t n, const char *type, size_t type_n)
{
	bool is_new;
	uint32_t id = profile_op(log->profile, name, n, &is_new, &log->opt.limits);
	struct op *op = &log->profile->op[id];

	if (is_new) {
		op->params = op->float_ops_each = CELL_ABSENT;
		op->type =
			type_n ? intern_name(log->types, intern_id(log->types, type, type_n)) : "";
	} else if (*op->type &&
		   (strlen(op->type) != type_n || memcmp(op->type, type, type_n) != 0)) {
		op->type = "";
	}
	return id;
}

uint32_t log_row_of(struct eventlog *log, uint32_t op)
{
	const struct op *of = &log->profile->op[op];
	struct arena *scratch;
	const char *row;

	if (!log->opt.row_of)
		return op;
	log->row_of = memory_make_room_zeroed(
		log->row_of, &log->row_room, (size_t)op + 1, sizeof(*log->row_of));
	if (log->row_of[op])
		return log->row_of[op] - 1;
	scratch = arena_new();
	row = log->opt.row_of(log->opt.row_context, of->name, of->type, scratch);
	/* The name of a row has no line break in front. */
	row = row ? row : arena_printf(scratch, "\n%u", op);
	log->row_of[op] = intern_id(log->row_names, row, strlen(row)) + 1;
	arena_free(scratch);
	return log->row_of[op] - 1;
}

int64_t eventlog_product(struct eventlog *log, struct log_product product)
{
	return intern_id(log->products, (const char *)&product, sizeof(product));
}

struct log_product log_product_of(const struct eventlog *log, int64_t number)
{
	struct log_product product;

	memcpy(&product, intern_name(log->products, (uint32_t)number), sizeof(product));
	return product;
}

int64_t eventlog_kernel(struct eventlog *log, const char *name, size_t n)
{
	if (!log->opt.by_launcher)
		return 0;
	log->graphs = log->graphs ? log->graphs : graph_captures_new();
	return graph_captures_kernel(log->graphs, name, n, log->opt.limits.ops);
}

uint8_t eventlog_type(struct eventlog *log, const char *type, size_t n)
{
	uint32_t id;

	if (n == 0)
		return 0;
	if (intern_find(log->event_types, type, n, &id))
		return (uint8_t)(id + 1);
	if (intern_count(log->event_types) == UINT8_MAX) {
		log->tally[TALLY_TYPES].count++;
		return 0;
	}
	return (uint8_t)(intern_id(log->event_types, type, n) + 1);
}

uint32_t eventlog_context(struct eventlog *log, const char *name, size_t n)
{
	const struct profile_limits *limits = &log->opt.limits;
	uint32_t id;

	if (intern_count(log->contexts) < limits->ops || intern_find(log->contexts, name, n, &id))
		return intern_id(log->contexts, name, n);
	return intern_id(log->contexts, STEP_SERIES_OTHER, strlen(STEP_SERIES_OTHER));
}

/* Times and durations that cannot be true. */
__attribute__((noinline)) static void leave_out(
	struct eventlog *log, const struct event *event, int64_t dur_ps)
{
	const bool is_long = dur_ps >= TIME_MOST;

	if (event->kind == EVENT_FORWARD || event->kind == EVENT_BACKWARD)
		return; /* their op counts */
	if (event->kind == EVENT_SILENT || event->kind >= EVENT_FRAME || dur_ps < 0) {
		log->tally[TALLY_RANGE].count++;
		return;
	}
	log->tally[is_long ? TALLY_LONG : TALLY_FAR].count++;
	eventlog_doubt(log, is_long ? DOUBT_LONG_EVENT : DOUBT_CLOCK_JUMP, event->op,
		DOUBT_LEFT_OUT, dur_ps);
}

__attribute__((noinline)) static void add_bytes(struct eventlog *log, const struct event *event)
{
	if (event->bytes_kind < BYTES_COLLECTIVE)
		log->bytes_sum += fabs((double)event->bytes);
	if (event->bytes_kind == BYTES_PRODUCT) {
		const struct log_product product = log_product_of(log, event->bytes);

		log->bytes_sum += fabs((double)product.float_ops) + fabs((double)product.bytes);
	}
}

int eventlog_add(struct eventlog *log, const struct event *event, struct error *err)
{
	const bool is_timeless = event->flags & EVENT_TIMELESS;
	const int64_t start_ps = is_timeless ? 0 : event->start_ps,
		      dur_ps = event->kind == EVENT_INSTANT ? 0 : event->dur_ps;
	struct log_record *record;

	assert(event->lane < log->lane.count);
	assert(event->op < log->profile->op_count || event->kind == EVENT_SILENT ||
		event->kind == EVENT_CONTEXT);
	if (event->kind >= EVENT_FRAME && event->kind != EVENT_CONTEXT && !log->opt.by_launcher)
		return 0;
	if (!is_timeless && (dur_ps < 0 || dur_ps >= TIME_MOST || start_ps <= -TIME_MOST ||
				    start_ps >= TIME_MOST - dur_ps)) {
		leave_out(log, event, dur_ps);
		return 0;
	}
	if (!is_timeless && event->kind < EVENT_FRAME) {
		if (!log->any_event || start_ps < log->first_ps)
			log->first_ps = start_ps;
		log->any_event = true;
		log->bytes_seen |= 1u << event->bytes_kind;
	}
	if (!is_timeless && !log->has_fraction)
		log->has_fraction = start_ps % CLOCK_PS != 0 || dur_ps % CLOCK_PS > 1;
	if (event->bytes_kind != BYTES_NONE)
		add_bytes(log, event);
	if (event->kind == EVENT_CONTEXT)
		lanes_of(log)[event->lane].has_contexts = true;
	record = log_feed_next(log, err);
	if (!record)
		return -1;
	record->start_ps = start_ps;
	record->dur_ps = dur_ps;
	record->bytes = event->bytes;
	record->link = event->link;
	record->launch_ps = LAUNCH_UNKNOWN;
	record->lane = event->lane;
	record->slot = event->label;
	record->op = event->kind == EVENT_SILENT ? 0 : event->op;
	record->type = event->type;
	record->flags = event->flags;
	record->bytes_kind = event->bytes_kind;
	record->kind = event->kind;
	record->launch_lane = 0;
	return 0;
}

void eventlog_device_wait(struct eventlog *log, int64_t start_ps, int64_t end_ps)
{
	struct device_wait *wait;
	struct error full;

	if (log->waits.count == WAITS_MOST)
		return;
	wait = vec_push(&log->waits, &full);
	*wait = (struct device_wait){start_ps, end_ps};
}

void eventlog_set_end(struct eventlog *log, int64_t end_ps)
{
	if (!log->has_end || end_ps > log->end_ps)
		log->end_ps = end_ps;
	log->has_end = true;
}

static int64_t in_range(int64_t time_ps)
{
	if (time_ps <= -TIME_MOST)
		return 1 - TIME_MOST;
	return time_ps >= TIME_MOST ? TIME_MOST - 1 : time_ps;
}

int eventlog_mark(struct eventlog *log, const struct step_mark *mark, struct error *err)
{
	struct slot *slot;

	assert(mark->process == EVENTLOG_ANY || mark->process < eventlog_process_count(log));
	if (!mark->open_end && mark->end_ps < mark->start_ps) {
		log->tally[TALLY_STEP_BACKWARDS].count++;
		return 0;
	}
	if (log->opt.window_count) {
		log->tally[TALLY_STEP_REPLACED].count++;
		return 0;
	}
	slot = vec_push(&log->mark, err);
	if (!slot)
		return error_hint(err, "allow more with max-steps in stepstat.yaml");
	slot->process = mark->process;
	slot->numbered = mark->numbered;
	slot->number = mark->numbered ? mark->number : 0;
	slot->kind = mark->kind;
	slot->start_ps = in_range(mark->start_ps);
	slot->end_ps = mark->open_end ? INT64_MAX : in_range(mark->end_ps);
	slot->from_events = mark->from_events;
	slot->thread = mark->open_end || mark->from_events ? 0 : mark->thread;
	slot->open_end = mark->open_end;
	slot->outermost = mark->outermost && !mark->open_end;
	slot->is_whole = mark->is_whole;
	slot->closed_end = !mark->open_end && mark->closed_end;
	slot->took_ps = in_range(mark->took_ps);
	return 0;
}

int eventlog_stretch(struct eventlog *log, const struct step_stretch *stretch, struct error *err)
{
	struct step_stretch *kept;

	if (log->opt.window_count)
		return 0;
	kept = vec_push(&log->stretch, err);
	if (!kept)
		return error_hint(err, "allow more with max-steps in stepstat.yaml");
	*kept = (struct step_stretch){stretch->process, stretch->place, in_range(stretch->start_ps),
		in_range(stretch->end_ps)};
	return 0;
}

void eventlog_share_marks(struct eventlog *log)
{
	log->share_marks = true;
}

void eventlog_tell_steps(struct eventlog *log)
{
	log->tell_steps = true;
}

void eventlog_join_runs(struct eventlog *log)
{
	log->one_run = true;
}

size_t eventlog_mark_count(const struct eventlog *log)
{
	return log->opt.window_count ? log->opt.window_count : log->mark.count;
}

void eventlog_name_run(struct eventlog *log, const char *name)
{
	log->run = arena_strdup(log->profile->arena, name);
}

/* ---- the end ---- */

struct ranked_lane {
	const char *process, *key;
	uint32_t id;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked_lane *x = a, *y = b;
	int order = text_compare_natural(x->process, y->process);

	if (order == 0)
		order = text_compare_natural(x->key, y->key);
	return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* Places of ids in natural order of their keys. */
static uint32_t *ranks(struct eventlog *log, struct ranked_lane *item, size_t count)
{
	uint32_t *rank = arena_array(log->arena, count + 1, sizeof(*rank));

	if (count)
		qsort(item, count, sizeof(*item), compare_ranked);
	for (size_t i = 0; i < count; i++)
		rank[item[i].id] = (uint32_t)i;
	memory_free(item);
	return rank;
}

static uint32_t op_named(struct eventlog *log, const char *name)
{
	return eventlog_op(log, name, strlen(name), "", 0);
}

struct log_launched eventlog_launched(const struct eventlog *log)
{
	return (struct log_launched){.any = log->any_launch && log->any_link,
		.labelled = log->any_label,
		.host = log->host_rows != NULL,
		.device = log->opt.by_launcher && log_has_device(log),
		.backward = log->any_backward};
}

int eventlog_finish(struct eventlog *log, int64_t number, bool numbered, struct error *err)
{
	size_t processes = eventlog_process_count(log);
	struct ranked_lane *item = memory_alloc(memory_product(processes, sizeof(*item)));

	for (uint32_t i = 0; i < processes; i++)
		item[i] = (struct ranked_lane){eventlog_process_key(log, i), "", i};
	log->process_rank = ranks(log, item, processes);
	item = memory_alloc(memory_product(log->lane.count, sizeof(*item)));
	for (uint32_t i = 0; i < log->lane.count; i++)
		item[i] = (struct ranked_lane){eventlog_process_key(log, lanes_of(log)[i].process),
			intern_name(log->lanes, i) + sizeof(uint32_t), i};
	log->lane_rank = ranks(log, item, log->lane.count);
	if (log->opt.by_launcher) {
		log->not_attributed = op_named(log, NOT_ATTRIBUTED_NAME);
		log->unlabelled = log->opt.unlabelled ? op_named(log, log->opt.unlabelled)
						      : log->not_attributed;
	}
	if (log_feed_end(log, err))
		return -1;
	if (eventlog_mark_count(log) == 0 && log->opt.marker_name)
		log_begin_recurring(log);
	if (log_resolve_steps(log, number, numbered, err))
		return -1;
	log_resolve_handoffs(log);
	log_find_devices(log);
	log_pair_captures(log);
	if (log_label_launches(log, err))
		return -1;
	sums_init(log);
	if (log_join_links(log, err) || lane_runs_sort(log->runs, err) ||
		spill_sort(log->events, err))
		return -1;
	log_choose_work(log);
	log->no_busy = log->opt.ops_suffice && log_has_parts(log);
	if (log_sweep(log, err))
		return -1;
	if (log->recurrence)
		log_end_recurring(log);
	if (log_profile_steps(log, err) || log_end_calls(log, err) ||
		log_measure_devices(log, err) || log_find_causes(log, err))
		return -1;
	log_release_labels(log);
	spill_free(log->events);
	log->events = NULL;
	lane_runs_free(log->runs);
	log->runs = NULL;
	if (sums_observe(log, err))
		return -1;
	log_end_collectives(log);
	log_issues(log);
	doubts_bound(log);
	return log_write_rows(log, err);
}
