/* Survey before the rows are read: the processes that worked on devices, and around which time.
 * Each of them becomes a profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "ingest/chrome/trace_base.h"
#include "ingest/database/database.h"
#include "ingest/trace/source_facts.h"

#define PROCESSES_MOST 1024
#define SORT_BYTES ((size_t)32 << 20) /* of all processes together */
#define SORT_BYTES_LEAST ((size_t)256 << 10)
#define NS_PER_US 1000

/* ---- what there is ---- */

/* Only the columns that a survey needs. */
static void keep_columns(const struct described_table *table, struct described_table *out)
{
	size_t count = 0;

	*out = *table;
	memset(out->column, 0, sizeof(out->column));
	for (size_t i = 0; i < DESCRIBED_COLUMNS_MOST && table->column[i].column.name; i++)
		if (table->column[i].field <= FIELD_PROCESS ||
			table->column[i].field == FIELD_DEVICE)
			out->column[count++] = table->column[i];
}

/* The process of this id, new when it is the first row of its. NULL: too many. */
static struct process *note_process(struct source_row *row, int64_t process)
{
	struct database_reading *db = row->db;
	struct {
		uint64_t set;
		int64_t id;
	} key = {.set = row->set, .id = process};
	uint32_t id;

	if (intern_count(db->process_keys) >= PROCESSES_MOST &&
		!intern_find(db->process_keys, (const char *)&key, sizeof(key), &id)) {
		row_issue(
			row, ISSUE_LOSS, "processes", "rows of more than 1024 processes, left out");
		return NULL;
	}
	id = intern_id(db->process_keys, (const char *)&key, sizeof(key));
	db->process = memory_make_room_zeroed(
		db->process, &db->process_room, (size_t)id + 1, sizeof(*db->process));
	if (id == db->processes) {
		db->process[id] = (struct process){.set = key.set,
			.id = key.id,
			.number = described_system_id(db->is, key.id),
			.device = INT64_MAX};
		db->processes++;
		if (db->set[row->set].processes++ == 0)
			db->set[row->set].process = id;
	}
	return &db->process[id];
}

/* Opens a table, when it is there and says of which process its rows are, or does not. 0, 1, -1. */
static int open_narrow(struct source_row *row, struct database_reading *db, size_t set,
	struct described_table *narrow, bool says_process, struct error *err)
{
	const int status = row_open(row, db, set, narrow, err);

	if (status <= 0 || (row->place[FIELD_PROCESS] >= 0) == says_process)
		return status;
	row_close(row);
	return 0;
}

/* Finds the process of the host's rows, when no row of a device has one. More than one: all rows
 * are read as one process, for the launches are in several. */
static int find_host_process(
	struct database_reading *db, size_t set, int64_t *process, struct error *err)
{
	bool is_found = false;
	int status = 0;

	for (size_t i = 0; i < db->is->tables && status == 0 && !db->set[set].is_one; i++) {
		struct described_table narrow;
		struct source_row row;

		keep_columns(&db->is->table[i], &narrow);
		if (narrow.content != CONTENT_HOST ||
			(status = open_narrow(&row, db, set, &narrow, true, err)) <= 0)
			continue;
		while (!db->set[set].is_one && (status = row_next(&row, err)) == 1) {
			const struct source_value *value = &row.value[FIELD_PROCESS];

			if (value->kind != VALUE_INTEGER)
				continue;
			db->set[set].is_one =
				is_found && described_process(db->is, value->integer) != *process;
			*process = described_process(db->is, value->integer);
			is_found = true;
		}
		row_close(&row);
		status = status < 0 ? -1 : 0;
	}
	if (db->set[set].is_one) {
		*process = 0;
		issue_add(&db->out->issues, ISSUE_LOSS, "processes-as-one",
			"recordings of several processes whose rows of devices do not say of which "
			"they are: read as one process",
			1, db->path);
	}
	return status;
}

/* The process of a row that does not say it: the only one of the recording, NULL: there are
 * several. */
static int note_only_process(struct source_row *row, struct process **process, struct error *err)
{
	struct database_reading *db = row->db;
	const struct table_set *of = &db->set[row->set];
	int64_t id = 0;

	if (of->processes == 0) {
		if (row->table->content != CONTENT_HOST &&
			find_host_process(db, row->set, &id, err) != 0)
			return -1;
		*process = note_process(row, id);
	} else {
		*process = of->processes == 1 ? &db->process[of->process] : NULL;
	}
	return 0;
}

static int survey_row(struct source_row *row, struct trace_starts *starts, struct error *err)
{
	struct process *process = NULL;

	if (row->value[FIELD_START].kind == VALUE_INTEGER && starts->count < TRACE_STARTS_MOST)
		starts->us[starts->count++] = row->value[FIELD_START].integer / NS_PER_US;
	/* A value that is no number is counted when the row is read. */
	if (row->value[FIELD_PROCESS].kind == VALUE_INTEGER)
		process = note_process(
			row, described_process(row->db->is, row->value[FIELD_PROCESS].integer));
	else if (row->place[FIELD_PROCESS] < 0 && note_only_process(row, &process, err) != 0)
		return -1;
	if (process && row->value[FIELD_DEVICE].kind == VALUE_INTEGER &&
		row->value[FIELD_DEVICE].integer < process->device)
		process->device = row->value[FIELD_DEVICE].integer;
	return 0;
}

static int survey_table(struct source_row *row, struct trace_starts *starts, struct error *err)
{
	int status;

	while ((status = row_next(row, err)) == 1)
		if (survey_row(row, starts, err) != 0) {
			status = -1;
			break;
		}
	row_close(row);
	return status;
}

/* Tables that do not say the process of their rows come after all others: then it is known how many
 * there are. */
static int survey_tables(
	struct database_reading *db, bool of_host, struct trace_starts *starts, struct error *err)
{
	for (size_t i = 0; i < 2 * db->sets * db->is->tables; i++) {
		const bool says_process = i < db->sets * db->is->tables;
		struct described_table narrow;
		struct source_row row;
		int status;

		keep_columns(&db->is->table[i % db->is->tables], &narrow);
		if ((narrow.content == CONTENT_HOST) != of_host)
			continue;
		status = open_narrow(
			&row, db, i / db->is->tables % db->sets, &narrow, says_process, err);
		if (status == 1)
			status = survey_table(&row, starts, err);
		if (status != 0)
			return -1;
	}
	return 0;
}

int survey_read(struct database_reading *db, struct error *err)
{
	struct trace_starts starts = {.count = 0};

	if (survey_tables(db, false, &starts, err) != 0)
		return -1;
	/* Without work of devices whatever the host did is read. */
	if (db->processes == 0 && survey_tables(db, true, &starts, err) != 0)
		return -1;
	db->base_us = starts.count ? trace_starts_middle(&starts) & ~(TRACE_GRID_US - 1) : 0;
	return 0;
}

/* ---- profiles ---- */

ORDERED(compare, struct process *,
	ORDER((*y)->has_rank, (*x)->has_rank)
		?: ((*x)->has_rank ? ORDER((*x)->rank, (*y)->rank) : 0)
		?: ORDER((*x)->device, (*y)->device)
		?: ORDER((*x)->set, (*y)->set)
		?: ORDER((*x)->id, (*y)->id));

/* "rank 3", or "pid 144" where no rank is known. */
static const char *name_of(const struct database_reading *db, const struct process *p)
{
	if (p->has_rank)
		return arena_printf(db->arena, "rank %lld", (long long)p->rank);
	return arena_printf(db->arena, "pid %lld", (long long)p->number);
}

static int begin(struct database_reading *db, struct process *p, size_t among, struct error *err)
{
	struct eventlog_options log = trace_requests_log_options(db->opt);
	char key[32];

	log.ops_suffice &= among == 1; /* other ranks may have no devices */
	log.buffer_bytes = (log.buffer_bytes ? log.buffer_bytes : SORT_BYTES) / among;
	if (among > 1 && log.buffer_bytes < SORT_BYTES_LEAST)
		log.buffer_bytes = SORT_BYTES_LEAST;
	log.device_option = db->is->device_option;
	p->arena = arena_new();
	p->log = eventlog_new(p->profile, &log);
	eventlog_set_base(p->log, db->base_us);
	p->op_keys = intern_new(p->arena);
	p->range_keys = intern_new(p->arena);
	p->lane_keys = intern_new(p->arena);
	p->asked = trace_requests_new(p->profile, db->opt, p->arena, err);
	if (!p->asked)
		return -1;
	snprintf(key, sizeof(key), "%lld", (long long)p->number);
	p->host = eventlog_process(p->log, key, strlen(key));
	return 0;
}

int processes_begin(struct database_reading *db, struct error *err)
{
	struct process **order = arena_array(db->arena, db->processes + 1, sizeof(*order));
	struct profile *last = NULL;
	uint64_t rank;

	for (size_t i = 0; i < db->processes; i++)
		order[i] = &db->process[i];
	/* Files of the processes of one job have their ranks in their names. */
	if (db->processes == 1 && !order[0]->has_rank && rank_of_file(db->path, &rank)) {
		order[0]->has_rank = true;
		order[0]->rank = (int64_t)rank;
	}
	qsort(order, db->processes, sizeof(*order), compare);
	db->process_in_order = order;
	for (size_t i = 0; i < db->processes; i++) {
		struct process *p = order[i];
		const char *name = name_of(db, p);

		if (i == 0) {
			p->profile = db->out;
		} else {
			last->next = profile_new(db->path);
			p->profile = last->next;
		}
		last = p->profile;
		if (db->processes > 1)
			profile_make_part(p->profile, db->out, i, name);
		p->profile->format = db->is->format;
		p->profile->format_title = db->is->title;
		if (begin(db, p, db->processes, err) != 0)
			return -1;
		if (db->processes > 1 || p->has_rank) {
			eventlog_name_run(p->log, arena_strdup(p->profile->arena, name));
			p->profile->run_is_rank = true;
		}
	}
	return 0;
}
