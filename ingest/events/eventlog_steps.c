/* Marks become slots: in order of process and time, without overlaps, numbered, each in a run; and
 * the search for the slot of an event. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "ingest/events/eventlog_parts.h"

/* A mark with what it is ordered by. */
struct ordered {
	uint32_t rank; /* of the process; EVENTLOG_ANY comes last */
	struct slot slot;
};

static int compare_marks(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	return ORDER(x->rank, y->rank)
		?: ORDER(x->slot.start_ps, y->slot.start_ps)
		?: ORDER(x->slot.end_ps, y->slot.end_ps)
		?: ORDER(y->slot.numbered, x->slot.numbered)
		?: ORDER(x->slot.number, y->slot.number);
}

static void sort_marks(struct eventlog *log)
{
	size_t count = log->mark.count;
	struct slot *slot = slots_of(log);
	struct ordered *item = memory_alloc(memory_product(count, sizeof(*item)));

	for (size_t i = 0; i < count; i++) {
		item[i].rank = slot[i].process == EVENTLOG_ANY ? EVENTLOG_ANY
							       : log->process_rank[slot[i].process];
		item[i].slot = slot[i];
	}
	if (count)
		qsort(item, count, sizeof(*item), compare_marks);
	for (size_t i = 0; i < count; i++)
		slot[i] = item[i].slot;
	memory_free(item);
}

static size_t process_index(const struct eventlog *log, uint32_t process)
{
	return process == EVENTLOG_ANY ? eventlog_process_count(log) : process;
}

static void find_processes(struct eventlog *log)
{
	size_t processes = eventlog_process_count(log) + 1;
	const struct slot *slot = slots_of(log);

	log->range = arena_array(log->arena, processes, sizeof(*log->range));
	for (size_t i = log->mark.count; i-- > 0;) {
		struct slot_range *range = &log->range[process_index(log, slot[i].process)];

		range->first = i;
		range->count++;
	}
}

static size_t slot_count(const struct eventlog *log, uint32_t process)
{
	return log->range[process_index(log, process)].count;
}

/* Open ends, overlaps and numbers of the slots of one process, which follow each other. */
static void cut_overlaps(struct eventlog *log, struct slot *slot, size_t count)
{
	int64_t next_number = 0;

	for (size_t i = 0; i < count; i++) {
		if (!slot[i].numbered)
			slot[i].number = next_number++;
		/* A mark without a duration lasts until the next one. */
		if (!slot[i].open_end && !slot[i].closed_end &&
			slot[i].end_ps <= slot[i].start_ps) {
			slot[i].open_end = true;
			slot[i].end_ps = INT64_MAX;
			slot[i].thread = 0;
			log->tally[TALLY_STEP_POINT].count++;
		}
		if (i + 1 == count)
			break;
		if (!slot[i].open_end && slot[i].end_ps > slot[i + 1].start_ps)
			log->tally[TALLY_STEP_CUT].count++;
		if (slot[i].end_ps >= slot[i + 1].start_ps) {
			if (slot[i].end_ps > slot[i + 1].start_ps)
				slot[i].thread = 0;
			slot[i].end_ps = slot[i + 1].start_ps;
			slot[i].closed_end = false;
		}
	}
}

static bool is_after(const struct slot *slot, int64_t time_ps)
{
	return slot->closed_end ? time_ps > slot->end_ps : time_ps >= slot->end_ps;
}

/* Each process a run of its own when several have steps. */
static void assign_runs(struct eventlog *log)
{
	struct slot *slot = slots_of(log);
	size_t count = log->mark.count, with_steps = 0;
	struct intern *taken = intern_new(log->arena);

	for (size_t p = 0; p < eventlog_process_count(log); p++)
		with_steps += slot_count(log, (uint32_t)p) > 0;
	if (with_steps < 2 || log->one_run) {
		for (size_t i = 0; i < count; i++)
			slot[i].run = log->run;
		return;
	}
	for (size_t i = 0, n; i < count; i += n) {
		const char *run = NULL;

		n = slot_count(log, slot[i].process);
		if (slot[i].process != EVENTLOG_ANY) {
			/* The name of the process, made longer where another process has it too. */
			uint32_t process = slot[i].process;
			struct text name;
			uint32_t id;

			text_init(&name);
			text_add(&name, eventlog_process_name(log, process));
			while (intern_find(taken, text_string(&name), name.size, &id))
				text_printf(&name, " (%s)", eventlog_process_key(log, process));
			intern_id(taken, text_string(&name), name.size);
			run = arena_strdup(log->profile->arena, text_string(&name));
			text_release(&name);
		}
		for (size_t k = i; k < i + n; k++)
			slot[k].run = run;
	}
}

static void order_by_start(struct eventlog *log)
{
	const struct slot *slot = slots_of(log);
	size_t count = log->mark.count;
	struct keyed *item = memory_alloc(memory_product(count, 2 * sizeof(*item)));

	log->by_start = arena_array(log->arena, count, sizeof(*log->by_start));
	for (size_t i = 0; i < count; i++)
		item[i] = (struct keyed){slot[i].start_ps, (int64_t)i};
	order_by_key(item, item + count, count);
	for (size_t i = 0; i < count; i++)
		log->by_start[i] = (uint32_t)item[i].value;
	memory_free(item);
}

/* Everything is one step. */
static void add_only_slot(struct eventlog *log, int64_t number, bool numbered)
{
	struct error unused;
	struct slot *slot;

	log->mark.cap = 1; /* also where no steps are allowed: that is for the profile to say */
	slot = vec_push(&log->mark, &unused);
	slot->process = EVENTLOG_ANY;
	slot->numbered = true;
	slot->number = numbered ? number : 0;
	slot->unnumbered = !numbered;
	slot->start_ps = INT64_MIN;
	slot->end_ps = INT64_MAX;
	slot->open_end = true;
}

/* Windows are steps of all processes. */
static int add_windows(struct eventlog *log, int64_t number, bool numbered, struct error *err)
{
	bool one = log->opt.window_count == 1;

	for (size_t i = 0; i < log->opt.window_count; i++) {
		const struct log_window *window = &log->opt.window[i];
		struct slot *slot = vec_push(&log->mark, err);

		if (!slot)
			return error_hint(err, "allow more with max-steps in stepstat.yaml");
		slot->process = EVENTLOG_ANY;
		slot->numbered = one;
		slot->number = one && numbered ? number : 0;
		slot->unnumbered = one && !numbered;
		if (__builtin_add_overflow(log->first_ps, window->from_ps, &slot->start_ps))
			slot->start_ps = INT64_MAX;
		slot->open_end =
			window->to_ps == INT64_MAX ||
			__builtin_add_overflow(log->first_ps, window->to_ps, &slot->end_ps);
		if (slot->open_end)
			slot->end_ps = INT64_MAX;
	}
	return 0;
}

static bool is_within(const struct slot *inner, const struct slot *outer)
{
	bool same = inner->start_ps == outer->start_ps && inner->end_ps == outer->end_ps;

	if (inner->start_ps == outer->end_ps && !same)
		return false; /* a point at its end */
	if (!inner->outermost || !outer->outermost || inner->process != outer->process)
		return false;
	if (same && inner->numbered && inner->number != outer->number)
		return false; /* two steps at once, not one in another */
	return inner->start_ps >= outer->start_ps && inner->end_ps <= outer->end_ps;
}

/* Takes marks out that are inside of another one; of the same start the shorter comes first. */
static void drop_nested(struct eventlog *log)
{
	struct slot *slot = slots_of(log);
	size_t kept = 0;

	for (size_t i = 0; i < log->mark.count; i++) {
		if (kept && is_within(&slot[i], &slot[kept - 1])) {
			log->tally[TALLY_STEP_NESTED].count++;
			continue;
		}
		while (kept && is_within(&slot[kept - 1], &slot[i])) {
			log->tally[TALLY_STEP_NESTED].count++;
			kept--;
		}
		slot[kept++] = slot[i];
	}
	log->mark.count = kept;
}

/* Makes the marks of the only process that has any those of all. */
static void share_marks(struct eventlog *log)
{
	struct slot *slot = slots_of(log);

	log->shared = UINT32_MAX;
	if (!log->share_marks || log->mark.count == 0 || slot[0].process == EVENTLOG_ANY)
		return;
	for (size_t i = 1; i < log->mark.count; i++)
		if (slot[i].process != slot[0].process)
			return;
	log->shared = slot[0].process;
	for (size_t i = 0; i < log->mark.count; i++)
		slot[i].process = EVENTLOG_ANY;
}

/* Time from the start of the step to the start of the next one of its process. CELL_ABSENT: it is
 * the last one, or steps are missing between. */
static int64_t period_of(const struct eventlog *log, size_t i)
{
	const struct slot *here = &slots_of(log)[i], *next = here + 1;

	if (i + 1 == log->mark.count || next->process != here->process || slot_is_gap(here, next))
		return CELL_ABSENT;
	return next->start_ps - here->start_ps;
}

/* The longest period of the process whose first slot this is; CELL_ABSENT: none is known. */
static int64_t longest_period(const struct eventlog *log, size_t first)
{
	const size_t end = first + slot_count(log, slots_of(log)[first].process);
	int64_t longest = CELL_ABSENT;

	for (size_t i = first; i < end; i++)
		if (period_of(log, i) > longest)
			longest = period_of(log, i);
	return longest;
}

void log_choose_steps(struct eventlog *log)
{
	if (log_is_whole(log) || log->opt.window_count ||
		!(log->opt.step_time == STEP_TIME_PERIOD ||
			(log->opt.step_time == STEP_TIME_AUTO && log->is_launch_only)))
		return;
	log->by_period = true;
	for (size_t i = 0, n; i < log->mark.count; i += n) {
		n = slot_count(log, slots_of(log)[i].process);

		/* The steps of the process whose first slot this is are from mark to mark. */
		const int64_t longest = longest_period(log, i);

		for (size_t j = i; j < i + n; j++) {
			struct slot *slot = &slots_of(log)[j];
			const int64_t next = j + 1 < i + n ? slot[1].start_ps : INT64_MAX;
			int64_t end = INT64_MAX;

			if (slot->from_events || slot->open_end)
				continue;
			if (period_of(log, j) == CELL_ABSENT && longest != CELL_ABSENT &&
				!number_add(slot->start_ps, longest, &end))
				end = INT64_MAX;
			if (end < slot->mark_end_ps)
				end = slot->mark_end_ps;
			slot->end_ps = end < next ? end : next;
			slot->closed_end = false;
			slot->thread = 0;
		}
	}
	log_place_handoffs(log);
}

int log_resolve_steps(struct eventlog *log, int64_t number, bool numbered, struct error *err)
{
	struct slot *slot;

	if (add_windows(log, number, numbered, err) != 0)
		return -1;
	if (log->mark.count == 0)
		add_only_slot(log, number, numbered);
	share_marks(log);
	sort_marks(log);
	drop_nested(log);
	find_processes(log);
	slot = slots_of(log);
	for (size_t i = 0; i < log->mark.count; i++)
		slot[i].mark_end_ps = slot[i].end_ps;
	for (size_t i = 0, n; i < log->mark.count; i += n) {
		n = slot_count(log, slot[i].process);
		cut_overlaps(log, slot + i, n);
	}
	if (!log_is_whole(log) && !log->opt.window_count)
		log->whole[LOSS_STEPS] =
			(int64_t)(log->mark.count + log->tally[TALLY_STEP_BACKWARDS].count);
	assign_runs(log);
	order_by_start(log);
	return 0;
}

/* ---- the search ---- */

/* The last slot of the process that starts at or before this time; `count` when none does. */
static size_t last_before(const struct slot *slot, size_t count, int64_t time_ps, size_t *near)
{
	size_t low = 0, high = count;

	for (size_t i = *near; i < count && i < *near + 2; i++)
		if (slot[i].start_ps <= time_ps &&
			(i + 1 == count || slot[i + 1].start_ps > time_ps))
			return *near = i;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slot[middle].start_ps <= time_ps)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return count;
	return *near = low - 1;
}

/* True if just this process has a slot at that time. */
static bool slot_of_process(const struct eventlog *log, uint32_t process, int64_t time_ps,
	size_t *near, uint32_t *found)
{
	const struct slot_range range = log->range[process_index(log, process)];
	const struct slot *slot = slots_of(log) + range.first;
	size_t i = *near;

	if (range.count == 0)
		return false;
	if (i >= range.count || time_ps < slot[i].start_ps || is_after(&slot[i], time_ps))
		i = last_before(slot, range.count, time_ps, near);
	if (i == range.count || is_after(&slot[i], time_ps))
		return false;
	*found = (uint32_t)(range.first + i);
	return true;
}

uint32_t log_slot_at(const struct eventlog *log, uint32_t process, int64_t time_ps, size_t *near)
{
	uint32_t found = SLOT_NONE;

	if (process != EVENTLOG_ANY && slot_of_process(log, process, time_ps, near, &found))
		return found;
	slot_of_process(log, EVENTLOG_ANY, time_ps, near, &found);
	return found;
}

uint32_t log_slot_anywhere(
	const struct eventlog *log, uint32_t process, int64_t time_ps, size_t *near)
{
	const struct slot *slot = slots_of(log);
	uint32_t found = log_slot_at(log, process, time_ps, near);
	size_t low = 0, high = log->mark.count;

	if (found != SLOT_NONE || slot_count(log, process) > 0)
		return found;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slot[log->by_start[middle]].start_ps <= time_ps)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return SLOT_NONE;
	found = log->by_start[low - 1];
	return is_after(&slot[found], time_ps) ? SLOT_NONE : found;
}

/* Slots of a process do not overlap. Where the process has own ones, they come before those of any
 * process. */
void log_find_lasting(const struct eventlog *log, uint32_t process, bool is_anywhere,
	int64_t time_ps, struct lasting_slot *last)
{
	const uint32_t slot = is_anywhere ? log_slot_anywhere(log, process, time_ps, &last->near)
					  : log_slot_at(log, process, time_ps, &last->near);
	const struct slot *found = slot < SLOT_LEAST_SPECIAL ? &slots_of(log)[slot] : NULL;

	last->process = process;
	last->slot = slot;
	last->from_ps = last->until_ps = time_ps;
	if (!found || (found->process != process &&
			      (found->process != EVENTLOG_ANY || slot_count(log, process) > 0)))
		return;
	last->from_ps = found->start_ps;
	last->until_ps =
		found->closed_end && found->end_ps < INT64_MAX ? found->end_ps + 1 : found->end_ps;
}

/* ---- steps of the profile ---- */

struct placed_slot {
	const char *run;
	int64_t start_ps;
	uint32_t slot;
};

/* Run by run, in order of time. */
static int compare_placed(const void *a, const void *b)
{
	const struct placed_slot *x = a, *y = b;
	int order = text_compare_natural(x->run ? x->run : "", y->run ? y->run : "");

	if (order)
		return order;
	if (x->start_ps != y->start_ps)
		return x->start_ps < y->start_ps ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

static int add_step(struct eventlog *log, struct slot *slot, struct error *err)
{
	const uint64_t parts[] = {slot->hash, slot->events};
	const int64_t mark_end = slot_mark_end(slot);
	int64_t start = slot->first_ps, end = slot->last_ps;

	if (slot->start_ps != INT64_MIN && slot->start_ps < start)
		start = slot->start_ps;
	if (mark_end != INT64_MAX && mark_end > end)
		end = mark_end;
	const struct step step = {
		.number = slot->number,
		.unnumbered = slot->unnumbered,
		.by_place = !slot->numbered,
		.run = slot->run,
		.kind = slot->kind,
		.has_wall = true,
		.start_ps = start,
		.end_ps = end,
		.busy_ps = log->no_busy ? STEP_BUSY_UNKNOWN : slot->busy_ps,
		.fingerprint = intern_hash(parts, sizeof(parts), 1),
		.launches = slot->launches,
	};

	return profile_add_step(log->profile, &step, &slot->index, &log->opt.limits, err);
}

static void check_cut(struct eventlog *log, struct slot *slot, const struct slot *beside)
{
	if (slot->cut || slot->device_events * 5 >= beside->device_events * 4)
		return;
	slot->cut = true;
	log->tally[TALLY_TAIL].count++;
}

/* Counts first and last steps of processes in which work of the device seems to be missing; first
 * ones where launches say in which step it is. */
static void check_tails(struct eventlog *log)
{
	struct slot *slot = slots_of(log), *last = NULL, *before = NULL;

	if (log->tally[TALLY_ZERO].count)
		return; /* it is not known what is missing */

	for (size_t i = 0; i < log->mark.count; i++) {
		if (last && slot[i].process != last->process)
			last = before = NULL;
		if (slot[i].used) {
			if (last && !before && log->any_joined)
				check_cut(log, last, &slot[i]);
			before = last;
			last = &slot[i];
		}
		if (i + 1 < log->mark.count && slot[i + 1].process == slot[i].process)
			continue;
		if (before)
			check_cut(log, last, before);
	}
}

static void add_value(
	struct eventlog *log, const struct slot *slot, enum step_series_kind kind, int64_t ps)
{
	struct profile *profile = log->profile;

	if (ps != CELL_ABSENT)
		step_series_add(&profile->series, profile->arena, kind, "",
			profile->step_count)[slot->index] = ps;
}

/* The period; where no step of the process has any, and marks are only launches, the time to the
 * end of the work of devices. */
static int64_t time_until_next(const struct eventlog *log, size_t i, bool has_periods)
{
	const struct slot *slot = &slots_of(log)[i];
	const int64_t mark_end = slot_mark_end(slot);

	if (has_periods || !log->is_launch_only || !slot->device_events)
		return period_of(log, i);
	return (slot->device_end_ps > mark_end ? slot->device_end_ps : mark_end) - slot->start_ps;
}

/* Adds the series of all steps: time of the mark, time until the next step, span of the events. */
static void add_series(struct eventlog *log)
{
	const bool is_window = log->opt.window_count > 0;
	bool has_periods = false;

	for (size_t i = 0; i < log->mark.count && !log_is_whole(log); i++) {
		const struct slot *slot = &slots_of(log)[i];
		const int64_t end_ps = slot->open_end ? slot->last_ps : slot_mark_end(slot);

		if (i == 0 || slot->process != slot[-1].process)
			has_periods = longest_period(log, i) != CELL_ABSENT;
		if (!slot->used || slot->from_events)
			continue;
		if (!slot->open_end || is_window)
			add_value(log, slot, log->is_launch_only ? SERIES_LAUNCH : SERIES_MARKER,
				slot->took_ps ? slot->took_ps : end_ps - slot->start_ps);
		add_value(log, slot, SERIES_PERIOD, time_until_next(log, i, has_periods));
		add_value(log, slot, SERIES_SPAN, slot->last_ps - slot->first_ps);
	}
}

int log_profile_steps(struct eventlog *log, struct error *err)
{
	struct slot *slot = slots_of(log);
	struct placed_slot *item = memory_alloc(memory_product(log->mark.count, sizeof(*item)));
	size_t count = 0;
	int result = 0;

	for (size_t i = 0; i < log->mark.count; i++)
		if (slot[i].used)
			item[count++] =
				(struct placed_slot){slot[i].run, slot[i].start_ps, (uint32_t)i};
		else if (!log_is_whole(log))
			log->tally[TALLY_STEP_EMPTY].count++;
	if (count)
		qsort(item, count, sizeof(*item), compare_placed);
	for (size_t i = 0; i < count && result == 0; i++)
		result = add_step(log, &slot[item[i].slot], err);
	if (!log->opt.window_count)
		check_tails(log);
	if (result == 0)
		add_series(log);
	memory_free(item);
	return result;
}
