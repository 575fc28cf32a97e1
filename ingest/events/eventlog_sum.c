/* The sums of each op in each step, and the observations that are made of them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/threads.h"
#include "ingest/events/eventlog_sweep.h"

#define ROOM_FIRST 512
/* Along the lists of rows: at the beginning, and more for each row that is asked for. */
#define STEPS_FIRST 4096
#define STEPS_EACH 8

static void use(struct sums *sums, enum sum_id id)
{
	sums->column[id] = memory_alloc(sizeof(*sums->column[id]));
}

void sums_know_ops(struct eventlog *log)
{
	struct sums *sums = &log->sums;
	const size_t ops = log->profile->op_count;

	sums->last =
		memory_make_room_zeroed(sums->last, &sums->last_room, ops, sizeof(*sums->last));
	if (sums->first)
		sums->first = memory_make_room_zeroed(
			sums->first, &sums->first_room, ops, sizeof(*sums->first));
}

void sums_init(struct eventlog *log)
{
	struct sums *sums = &log->sums;
	/* Bytes, but for transferred ones, belong to the op that ran, not to its launcher. */
	const unsigned of_launchers = 1u << BYTES_TRANSFERRED | 1u << BYTES_PRODUCT,
		       bytes = log->bytes_seen & (log->opt.by_launcher ? of_launchers : UINT_MAX);
	const bool launches = log->any_launched && log->any_launch && log->any_link;
	bool accelerator = false;

	for (size_t i = 0; i < log->lane.count; i++)
		accelerator |= lanes_of(log)[i].accelerator && !lanes_of(log)[i].skip;
	use(sums, SUM_CPU);
	use(sums, SUM_CALLS);
	if (accelerator)
		use(sums, SUM_ACCELERATOR);
	if (log->opt.totals)
		use(sums, SUM_TOTAL_CPU);
	if (log->opt.totals && accelerator)
		use(sums, SUM_TOTAL_ACCELERATOR);
	if (log->opt.totals && (log->opt.by_launcher || log->host_rows))
		use(sums, SUM_TOTAL_CALLS);
	if (bytes & 1u << BYTES_ALLOCATED) {
		use(sums, SUM_REQUESTED);
		use(sums, SUM_RESIDUAL);
	}
	if (bytes & 1u << BYTES_OUTPUT)
		use(sums, SUM_OUTPUT);
	if (bytes & 1u << BYTES_TRANSFERRED)
		use(sums, SUM_TRANSFERRED);
	if (bytes & 1u << BYTES_PRODUCT) {
		use(sums, SUM_FLOAT_OPS);
		use(sums, SUM_MATRIX_BYTES);
	}
	for (size_t i = 0; i < CALL_PLACES; i++)
		for (size_t k = 0; k < CALL_KINDS; k++)
			if (log->opt.calls && (i == CALLS_SELF || log->opt.totals) &&
				(k == CALLS_CPU || accelerator) && (k != CALLS_DELAY || launches))
				sums->calls[i][k] = memory_alloc(sizeof(*sums->calls[i][k]));
	sums->first = memory_grow_zeroed(NULL, &sums->first_room, 1, sizeof(*sums->first));
	sums_know_ops(log);
	sums->steps_left = STEPS_FIRST;
}

/* Frees only the tables that find rows. */
static void release_row_index(struct sums *sums)
{
	memory_free(sums->place);
	memory_free(sums->last);
	memory_free(sums->first);
	memory_free(sums->next);
	sums->place = sums->last = sums->first = sums->next = NULL;
}

static void release(struct sums *sums)
{
	release_row_index(sums);
	memory_free(sums->op);
	memory_free(sums->slot);
	for (size_t i = 0; i < SUM_COUNT; i++)
		memory_free(sums->column[i]);
	for (size_t i = 0; i < CALL_PLACES; i++)
		for (size_t k = 0; k < CALL_KINDS; k++)
			memory_free(sums->calls[i][k]);
	*sums = (struct sums){0};
}

void sums_release(struct eventlog *log)
{
	release(&log->sums);
	for (size_t i = 0; i < log->more_sums_count; i++)
		release(&log->more_sums[i]);
	memory_free(log->more_sums);
	log->more_sums = NULL;
	log->more_sums_count = log->more_sums_room = 0;
}

void sums_take(struct eventlog *log, struct eventlog *fork)
{
	struct sums *taken = memory_push(
		&log->more_sums, &log->more_sums_count, &log->more_sums_room, sizeof(*taken));

	*taken = fork->sums;
	fork->sums = (struct sums){0};
}

static uint32_t *place_of(const struct sums *sums, uint32_t op, uint32_t slot)
{
	const uint64_t golden = 0x9e3779b97f4a7c15u;
	uint64_t hash = ((uint64_t)slot << 32 | op) * golden;

	for (size_t i = (size_t)(hash >> 32) & sums->mask;; i = (i + 1) & sums->mask) {
		uint32_t row = sums->place[i];

		if (row == 0 || (sums->op[row - 1] == op && sums->slot[row - 1] == slot))
			return &sums->place[i];
	}
}

static void find_places(struct sums *sums)
{
	memory_free(sums->place);
	sums->place =
		memory_alloc(memory_product(memory_product(sums->room, 2), sizeof(*sums->place)));
	sums->mask = 2 * sums->room - 1;
	for (size_t i = 0; i < sums->count; i++)
		*place_of(sums, sums->op[i], sums->slot[i]) = (uint32_t)i + 1;
}

/* Link to the row, or to its place, in the list of its op. NULL after too many steps: all rows are
 * found by `place` from then on. */
static uint32_t *link_of(struct sums *sums, uint32_t op, uint32_t slot)
{
	const uint32_t last = sums->last[op];
	uint32_t *link =
		last && sums->slot[last - 1] < slot ? &sums->next[last - 1] : &sums->first[op];

	sums->steps_left += STEPS_EACH;
	for (; *link && sums->slot[*link - 1] < slot; link = &sums->next[*link - 1])
		if (--sums->steps_left == 0) {
			memory_free(sums->first);
			memory_free(sums->next);
			sums->first = sums->next = NULL;
			find_places(sums);
			return NULL;
		}
	return link;
}

static void sums_grow(struct sums *sums)
{
	size_t room = memory_next_room(sums->room, ROOM_FIRST);

	sums->op = memory_resize(sums->op, memory_product(room, sizeof(*sums->op)));
	sums->slot = memory_resize(sums->slot, memory_product(room, sizeof(*sums->slot)));
	for (size_t i = 0; i < SUM_COUNT; i++)
		if (sums->column[i])
			sums->column[i] = memory_resize(
				sums->column[i], memory_product(room, sizeof(*sums->column[i])));
	for (size_t i = 0; i < CALL_PLACES; i++)
		for (size_t k = 0; k < CALL_KINDS; k++)
			if (sums->calls[i][k])
				sums->calls[i][k] = memory_resize(sums->calls[i][k],
					memory_product(room, sizeof(*sums->calls[i][k])));
	sums->room = room;
	if (sums->first)
		sums->next = memory_resize(sums->next, memory_product(room, sizeof(*sums->next)));
	else
		find_places(sums);
}

/* The next row of the op is that of its next step, when another lane made it before: by then it is
 * in the cache. (Inlined, or GCC takes the call for one without effect.) */
__attribute__((always_inline)) static inline void fetch_next_row(
	const struct sums *sums, size_t row)
{
	const uint32_t next = sums->next[row];

	if (next == 0)
		return;
	__builtin_prefetch(&sums->slot[next - 1]);
	__builtin_prefetch(&sums->next[next - 1]);
	for (size_t i = SUM_CPU; i <= SUM_CALLS; i++)
		if (sums->column[i])
			__builtin_prefetch(&sums->column[i][next - 1], 1);
}

static int check_room(const struct eventlog *log, size_t rows, struct error *err)
{
	if (rows <= log->opt.limits.observations && rows <= UINT32_MAX / 2)
		return 0;
	error_set(err, ERROR_LIMIT, log->profile->path,
		"more than %zu observations (ops times steps)", log->opt.limits.observations);
	return error_hint(err, "allow more with max-observations in stepstat.yaml");
}

int sums_find_row(struct eventlog *log, uint32_t op, uint32_t slot, size_t *row, struct error *err)
{
	struct sums *sums = &log->sums;
	uint32_t *place = NULL;

	if (sums->count == sums->room)
		sums_grow(sums);
	if (sums->first)
		place = link_of(sums, op, slot);
	if (!place)
		place = place_of(sums, op, slot);
	if (*place == 0 || sums->slot[*place - 1] != slot) {
		const uint32_t after = *place; /* in the list */

		if (check_room(log, sums->count + 1, err))
			return -1;
		sums->op[sums->count] = op;
		sums->slot[sums->count] = slot;
		for (size_t i = 0; i < SUM_COUNT; i++)
			if (sums->column[i])
				sums->column[i][sums->count] = 0;
		for (size_t i = 0; i < CALL_PLACES; i++)
			for (size_t k = 0; k < CALL_KINDS; k++)
				if (sums->calls[i][k])
					sums->calls[i][k][sums->count] = (struct call_sums){0};
		if (sums->first)
			sums->next[sums->count] = after;
		*place = (uint32_t)++sums->count;
	}
	sums->last[op] = *place;
	*row = *place - 1;
	if (sums->first)
		fetch_next_row(sums, *row);
	return 0;
}

void sum_overflow(struct eventlog *log, size_t row, enum sum_id id)
{
	int64_t *sum = &log->sums.column[id][row];

	if (*sum == CELL_ABSENT) /* it was out of range already */
		return;
	*sum = CELL_ABSENT;
	tally_sum(log, TALLY_SUM, log->sums.op[row], log->sums.slot[row]);
}

void sum_add_product(struct eventlog *log, size_t row, enum sum_id id, int64_t count)
{
	int64_t *sum = &log->sums.column[id][row];

	if (count < 0 || *sum == CELL_ABSENT)
		*sum = CELL_ABSENT;
	else
		sum_add(log, row, id, count);
}

int sum_asked_call(struct eventlog *log, size_t row, struct row_call call, struct error *err)
{
	const struct sums *sums = &log->sums;
	const struct call_record record = {
		.ps = call.ps,
		.op = sums->op[row],
		.place = sums->slot[row],
		.kind = call.kind,
		.total = call.place == CALLS_TOTAL,
	};

	call_sums_add(&sums->calls[call.place][call.kind][row], call.kind, call.ps);
	return log_keep_call(log, &record, err);
}

static int sum_delay_of(struct eventlog *log, size_t row, enum call_place place,
	const struct launched_event *event, struct error *err)
{
	struct row_call call = {.place = place, .kind = CALLS_DELAY};

	if (event->launch_ps == LAUNCH_UNKNOWN || !lanes_of(log)[event->record->lane].accelerator)
		return 0;
	call.ps = event->start_ps - event->launch_ps;
	return sum_call(log, row, call, err);
}

int sum_delay(
	struct eventlog *log, uint32_t op, const struct launched_event *event, struct error *err)
{
	const struct log_record *launched = event->record;
	size_t row;

	if (launched->slot >= SLOT_LEAST_SPECIAL || launched->kind != EVENT_OP)
		return 0;
	if (sums_row(log, op, launched->slot, &row, err))
		return -1;
	return sum_delay_of(log, row, CALLS_SELF, event, err) ||
			       sum_delay_of(log, row, CALLS_TOTAL, event, err)
		       ? -1
		       : 0;
}

int sum_launched(
	struct eventlog *log, uint32_t op, const struct launched_event *event, struct error *err)
{
	const struct log_record *launched = event->record;
	const struct lane *lane = &lanes_of(log)[launched->lane];
	const enum sum_id time = lane->accelerator ? SUM_TOTAL_ACCELERATOR : SUM_TOTAL_CPU;
	const enum call_kind kind = lane->accelerator ? CALLS_ACCELERATOR : CALLS_CPU;
	size_t row;

	if (launched->slot >= SLOT_LEAST_SPECIAL || launched->kind != EVENT_OP)
		return 0;
	if (sums_row(log, op, launched->slot, &row, err))
		return -1;
	sum_add(log, row, time, launched->dur_ps);
	sum_add(log, row, SUM_TOTAL_CALLS, !lane->uncounted);
	if (sum_call(log, row, (struct row_call){CALLS_TOTAL, kind, launched->dur_ps}, err))
		return -1;
	return sum_delay_of(log, row, CALLS_TOTAL, event, err);
}

/* ---- observations ---- */

static const enum measure_id measure_of[SUM_COUNT] = {
	[SUM_CPU] = MEASURE_CPU,
	[SUM_ACCELERATOR] = MEASURE_ACCELERATOR,
	[SUM_CALLS] = MEASURE_OCCURRENCE,
	[SUM_TOTAL_CPU] = MEASURE_CPU,
	[SUM_TOTAL_ACCELERATOR] = MEASURE_ACCELERATOR,
	[SUM_TOTAL_CALLS] = MEASURE_OCCURRENCE,
	[SUM_REQUESTED] = MEASURE_REQUESTED,
	[SUM_RESIDUAL] = MEASURE_RESIDUAL,
	[SUM_OUTPUT] = MEASURE_OUTPUT,
	[SUM_TRANSFERRED] = MEASURE_TRANSFERRED,
	[SUM_FLOAT_OPS] = MEASURE_FLOAT_OPS,
	[SUM_MATRIX_BYTES] = MEASURE_MATRIX_BYTES,
};

struct named_op {
	const char *name;
	uint32_t op;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct named_op *)a)->name, ((const struct named_op *)b)->name);
}

/* Place of each op in the order of names. */
static uint32_t *op_ranks(const struct profile *profile)
{
	struct named_op *named = memory_alloc(memory_product(profile->op_count, sizeof(*named)));
	uint32_t *rank = memory_alloc(memory_product(profile->op_count, sizeof(*rank)));

	for (uint32_t i = 0; i < profile->op_count; i++)
		named[i] = (struct named_op){profile->op[i].name, i};
	if (profile->op_count)
		qsort(named, profile->op_count, sizeof(*named), compare_names);
	for (uint32_t i = 0; i < profile->op_count; i++)
		rank[named[i].op] = i;
	memory_free(named);
	return rank;
}

/* Rows in order of key[row], those of one key in the order of `from` (NULL: as they are); keys are
 * below key_count. */
static uint32_t *ordered(const uint32_t *from, const uint32_t *key, const uint32_t *key_of_key,
	size_t count, size_t key_count)
{
	uint32_t *next = memory_alloc(memory_product(key_count + 1, sizeof(*next)));
	uint32_t *order = memory_alloc(memory_product(count, sizeof(*order)));

	for (size_t i = 0; i < count; i++)
		next[(key_of_key ? key_of_key[key[i]] : key[i]) + 1]++;
	for (size_t k = 0; k < key_count; k++)
		next[k + 1] += next[k];
	for (size_t i = 0; i < count; i++) {
		uint32_t row = from ? from[i] : (uint32_t)i;

		order[next[key_of_key ? key_of_key[key[row]] : key[row]]++] = row;
	}
	memory_free(next);
	return order;
}

static void reorder32(uint32_t **column, const uint32_t *order, size_t count)
{
	uint32_t *to = memory_alloc(memory_product(count, sizeof(*to)));

	for (size_t i = 0; i < count; i++)
		to[i] = (*column)[order[i]];
	memory_free(*column);
	*column = to;
}

static void reorder64(int64_t **column, const uint32_t *order, size_t count)
{
	int64_t *to = memory_alloc(memory_product(count, sizeof(*to)));

	for (size_t i = 0; i < count; i++)
		to[i] = (*column)[order[i]];
	memory_free(*column);
	*column = to;
}

static void reorder_calls(struct call_sums **column, const uint32_t *order, size_t count)
{
	struct call_sums *to = memory_alloc(memory_product(count, sizeof(*to)));

	for (size_t i = 0; i < count; i++)
		to[i] = (*column)[order[i]];
	memory_free(*column);
	*column = to;
}

static void *copied(const void *from, size_t count, size_t size)
{
	void *to = memory_alloc(memory_product(count, size));

	if (count)
		memcpy(to, from, memory_product(count, size));
	return to;
}

/* Hands the used ones of some sums over to a profile without observations. */
static void observe(struct sums *sums, struct profile *profile, const enum sum_id *ids,
	size_t id_count, enum call_place place)
{
	struct observations *obs = &profile->obs;

	obs->op = sums->op;
	obs->step = sums->slot;
	obs->count = obs->room = sums->count;
	for (size_t k = 0; k < id_count; k++)
		if (sums->column[ids[k]]) {
			obs->column[measure_of[ids[k]]] = sums->column[ids[k]];
			sums->column[ids[k]] = NULL;
		}
	for (size_t k = 0; k < CALL_KINDS; k++) {
		obs->calls[k] = sums->calls[place][k];
		sums->calls[place][k] = NULL;
	}
	sums->op = NULL;
	sums->slot = NULL;
}

/* The same ops and steps with times that include nested events. */
static int observe_totals(struct eventlog *log, struct error *err)
{
	const bool has_calls = log->opt.by_launcher || log->host_rows;
	const enum sum_id ids[] = {
		SUM_TOTAL_CPU, SUM_TOTAL_ACCELERATOR, has_calls ? SUM_TOTAL_CALLS : SUM_CALLS};
	struct profile *profile = log->profile, *totals = profile_new(profile->path);
	struct sums sums = log->sums;

	profile->totals = totals;
	totals->nesting = log->opt.row_of ? TOTALS_OF_ROWS : TOTALS_UNKNOWN;
	for (size_t i = 0; i < profile->op_count; i++) {
		struct op op = profile->op[i];
		struct profile_limits limits = {.ops = profile->op_count};
		bool is_new;
		uint32_t id = profile_op(totals, op.name, strlen(op.name), &is_new, &limits);

		op.name = totals->op[id].name;
		op.type = arena_strdup(totals->arena, op.type);
		op.device = arena_strdup(totals->arena, op.device);
		totals->op[id] = op;
	}
	for (size_t i = 0; i < profile->step_count; i++) {
		uint32_t index;

		if (profile_add_step(totals, &profile->step[i], &index, &log->opt.limits, err))
			return -1;
	}
	sums.op = copied(sums.op, sums.count, sizeof(*sums.op));
	sums.slot = copied(sums.slot, sums.count, sizeof(*sums.slot));
	if (!has_calls)
		sums.column[SUM_CALLS] =
			copied(sums.column[SUM_CALLS], sums.count, sizeof(int64_t));
	observe(&sums, totals, ids, sizeof(ids) / sizeof(*ids), CALLS_TOTAL);
	log->sums.column[SUM_TOTAL_CPU] = log->sums.column[SUM_TOTAL_ACCELERATOR] =
		log->sums.column[SUM_TOTAL_CALLS] = NULL;
	memcpy(log->sums.calls, sums.calls, sizeof(sums.calls));
	if (totals->obs.column[MEASURE_ACCELERATOR]) {
		/* Set `time` of scopes in which accelerators have a part: the cube cannot derive it
		 * there. */
		const int64_t *accelerator = totals->obs.column[MEASURE_ACCELERATOR];
		bool *has = memory_alloc(memory_product(totals->op_count, sizeof(*has)));

		profile_have(totals, MEASURE_TIME);
		for (size_t i = 0; i < totals->obs.count; i++)
			has[totals->obs.op[i]] |=
				accelerator[i] != 0 && accelerator[i] != CELL_ABSENT;
		for (size_t i = 0; i < totals->obs.count; i++)
			totals->obs.column[MEASURE_TIME][i] =
				has[totals->obs.op[i]] ? accelerator[i] : CELL_ABSENT;
		memory_free(has);
	}
	return 0;
}

/* True if a sum of the row is that of work, and not only of what products cost. */
static bool has_work(const struct sums *sums, size_t row)
{
	for (enum sum_id id = 0; id < SUM_REQUESTED; id++)
		if (sums->column[id] && sums->column[id][row] != 0)
			return true;
	return false;
}

static void move_row(struct sums *sums, size_t to, size_t from)
{
	sums->op[to] = sums->op[from];
	sums->slot[to] = sums->slot[from];
	for (size_t i = 0; i < SUM_COUNT; i++)
		if (sums->column[i])
			sums->column[i][to] = sums->column[i][from];
	for (size_t i = 0; i < CALL_PLACES; i++)
		for (size_t k = 0; k < CALL_KINDS; k++)
			if (sums->calls[i][k])
				sums->calls[i][k][to] = sums->calls[i][k][from];
}

/* Where it is not known what products cost, there is no number of it. Rows of the host have none
 * where devices did the work: its time is that of launches. A launcher that launched nothing of a
 * device has no row. */
static void settle_products(struct eventlog *log)
{
	struct sums *sums = &log->sums;
	const bool are_launchers = log->opt.by_launcher;
	size_t kept = 0;

	if (!sums->column[SUM_FLOAT_OPS])
		return;
	for (enum sum_id id = SUM_FLOAT_OPS; id < SUM_COUNT; id++) {
		int64_t *const sum = sums->column[id];
		bool is_known = false;

		for (size_t i = 0; i < sums->count; i++) {
			sum[i] = sum[i] ? sum[i] : CELL_ABSENT;
			is_known |= sum[i] != CELL_ABSENT;
		}
		if (!is_known || (!are_launchers && log->any_launched)) {
			memory_free(sum);
			sums->column[id] = NULL;
		}
	}
	for (size_t i = 0; i < sums->count; i++) {
		if (are_launchers && !has_work(sums, i))
			continue;
		move_row(sums, kept++, i);
	}
	sums->count = kept;
}

/* ---- sums of threads ---- */

#define PARTS_A_THREAD 8

/* Sums of the log and its forks become one: each is put in order of op names and steps, that of the
 * cube, so that merging moves no row; then threads share the ops. */
struct sums_join {
	struct eventlog *log;
	struct sums *from[THREADS_MOST];
	size_t count;
	uint32_t *rank;	 /* of each op by name */
	uint32_t *index; /* of the step of each slot */
	struct sums to;
	bool is_counted;      /* rows are written */
	size_t parts, *first; /* of each part: its number of rows, then the first; one more */
	bool *any_absent;     /* of each part: a sum is out of range */
};

/* Puts rows in order. Columns are moved one at a time, so that little is there twice. */
static void put_in_order(const struct sums_join *j, struct sums *sums)
{
	const struct eventlog *log = j->log;
	uint32_t *by_step, *order;

	release_row_index(sums);
	by_step = ordered(NULL, sums->slot, j->index, sums->count, log->profile->step_count);
	order = ordered(by_step, sums->op, j->rank, sums->count, log->profile->op_count);
	memory_free(by_step);
	reorder32(&sums->op, order, sums->count);
	reorder32(&sums->slot, order, sums->count);
	for (size_t i = 0; i < SUM_COUNT; i++)
		if (sums->column[i])
			reorder64(&sums->column[i], order, sums->count);
	for (size_t i = 0; i < CALL_PLACES; i++)
		for (size_t k = 0; k < CALL_KINDS; k++)
			if (sums->calls[i][k])
				reorder_calls(&sums->calls[i][k], order, sums->count);
	memory_free(order);
}

static void put_next_in_order(void *object, size_t i, size_t thread)
{
	const struct sums_join *j = object;

	(void)thread;
	put_in_order(j, j->from[i]);
}

/* The first row of an op of this rank or a later one. */
static size_t first_row(const struct sums_join *j, const struct sums *sums, size_t rank)
{
	size_t low = 0, high = sums->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (j->rank[sums->op[middle]] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds a row, and notes a sum that is out of range. */
static void add_row(
	struct sums_join *j, size_t part, size_t to, const struct sums *from, size_t row)
{
	j->to.op[to] = from->op[row];
	j->to.slot[to] = from->slot[row];
	for (enum sum_id id = 0; id < SUM_COUNT; id++) {
		int64_t *const sum = j->to.column[id] ? &j->to.column[id][to] : NULL;
		const int64_t value = sum ? from->column[id][row] : 0;

		if (!sum || *sum == CELL_ABSENT)
			continue;
		if (value == CELL_ABSENT || !number_add(*sum, value, sum))
			*sum = CELL_ABSENT;
		j->any_absent[part] |= *sum == CELL_ABSENT && id < SUM_FLOAT_OPS;
	}
}

/* Counts the rows of the ops of a part; or adds them from this row on. */
static size_t join_part(struct sums_join *j, size_t part)
{
	const size_t ops = j->log->profile->op_count;
	size_t row[THREADS_MOST], end[THREADS_MOST], count = 0;
	uint64_t key[THREADS_MOST], least;

	for (size_t i = 0; i < j->count; i++) {
		row[i] = first_row(j, j->from[i], ops * part / j->parts);
		end[i] = first_row(j, j->from[i], ops * (part + 1) / j->parts);
	}
	for (;; count++) {
		least = UINT64_MAX;
		for (size_t i = 0; i < j->count; i++) {
			const struct sums *from = j->from[i];

			key[i] = row[i] == end[i] ? UINT64_MAX
						  : (uint64_t)j->rank[from->op[row[i]]] << 32 |
							    j->index[from->slot[row[i]]];
			least = key[i] < least ? key[i] : least;
		}
		if (least == UINT64_MAX)
			return count;
		for (size_t i = 0; i < j->count; i++)
			if (key[i] == least) {
				if (j->is_counted)
					add_row(j, part, j->first[part] + count, j->from[i],
						row[i]);
				row[i]++;
			}
	}
}

static void join_next(void *object, size_t part, size_t thread)
{
	struct sums_join *j = object;
	const size_t count = join_part(j, part);

	(void)thread;
	if (!j->is_counted)
		j->first[part + 1] = count;
}

/* Counts the sums that are out of range as they would have been by one thread. */
static void tally_absent(struct sums_join *j)
{
	j->log->tally[TALLY_SUM] = (struct tally){0};
	for (size_t part = 0; part < j->parts; part++)
		for (size_t i = j->first[part]; j->any_absent[part] && i < j->first[part + 1]; i++)
			for (enum sum_id id = 0; id < SUM_FLOAT_OPS; id++)
				if (j->to.column[id] && j->to.column[id][i] == CELL_ABSENT)
					tally_sum(j->log, TALLY_SUM, j->to.op[i], j->to.slot[i]);
}

static int join_sums(struct sums_join *j, struct error *err)
{
	struct eventlog *log = j->log;
	struct arena *scratch = arena_new();
	int result;

	j->parts = PARTS_A_THREAD * j->count;
	j->first = arena_array(scratch, j->parts + 1, sizeof(*j->first));
	j->any_absent = arena_array(scratch, j->parts, sizeof(*j->any_absent));
	threads_each(j->count, j->parts, join_next, j);
	for (size_t part = 0; part < j->parts; part++)
		j->first[part + 1] += j->first[part];
	result = check_room(log, j->first[j->parts], err);
	if (result == 0) {
		j->to.count = j->to.room = j->first[j->parts];
		j->to.op = memory_alloc(memory_product(j->to.count, sizeof(*j->to.op)));
		j->to.slot = memory_alloc(memory_product(j->to.count, sizeof(*j->to.slot)));
		for (size_t i = 0; i < SUM_COUNT; i++)
			if (log->sums.column[i])
				j->to.column[i] = memory_alloc(
					memory_product(j->to.count, sizeof(*j->to.column[i])));
		j->is_counted = true;
		threads_each(j->count, j->parts, join_next, j);
		tally_absent(j);
		sums_release(log);
		log->sums = j->to;
	}
	arena_free(scratch);
	return result;
}

/* Puts all sums in order; slots become steps. */
static int settle_sums(struct eventlog *log, struct error *err)
{
	struct sums_join j = {.log = log, .count = 1 + log->more_sums_count};
	int result = 0;

	j.rank = op_ranks(log->profile);
	j.index = memory_alloc(memory_product(log->mark.count, sizeof(*j.index)));
	for (size_t i = 0; i < log->mark.count; i++)
		j.index[i] = slots_of(log)[i].index;
	for (size_t i = 0; i < j.count; i++)
		j.from[i] = i ? &log->more_sums[i - 1] : &log->sums;
	threads_each(j.count, j.count, put_next_in_order, &j);
	if (j.count > 1)
		result = join_sums(&j, err);
	for (size_t i = 0; i < log->sums.count; i++)
		log->sums.slot[i] = j.index[log->sums.slot[i]];
	memory_free(j.rank);
	memory_free(j.index);
	return result;
}

int sums_observe(struct eventlog *log, struct error *err)
{
	static const enum sum_id ids[] = {SUM_CPU, SUM_ACCELERATOR, SUM_CALLS, SUM_REQUESTED,
		SUM_RESIDUAL, SUM_OUTPUT, SUM_TRANSFERRED, SUM_FLOAT_OPS, SUM_MATRIX_BYTES};

	if (settle_sums(log, err))
		return -1;
	settle_products(log);
	if (log->opt.totals && observe_totals(log, err))
		return -1;
	observe(&log->sums, log->profile, ids, sizeof(ids) / sizeof(*ids), CALLS_SELF);
	return 0;
}
