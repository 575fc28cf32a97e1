/* The rows of a described table: columns are found in this version of it, values are checked. */
#include <stdio.h>
#include <string.h>
#include "base/number.h"
#include "base/unit.h"
#include "ingest/database/database.h"

#define TIME_MOST_PS (INT64_C(1) << 62)
#define NAME_BYTES_MOST 512 /* of a table with the id of its recording */

/* ---- columns ---- */

const char *name_in_set(const struct database_reading *db, size_t set, const char *table)
{
	const char *suffix = db->set[set].suffix;

	return *suffix ? arena_printf(db->arena, "%s%s", table, suffix) : table;
}

/* True if the database has everything on the way to the column; *out then has the names of its
 * tables. */
static bool find_column(struct database_reading *db, size_t set, const char *table,
	const struct table_column *described, struct table_column *out)
{
	*out = *described;
	if (!table_has(db->source, table, described->name))
		return false;
	for (size_t i = 0; i < COLUMN_HOPS && out->hop[i].table; i++) {
		out->hop[i].table = name_in_set(db, set, out->hop[i].table);
		if (!table_has(db->source, out->hop[i].table, out->hop[i].column))
			return false;
	}
	return true;
}

int row_open(struct source_row *row, struct database_reading *db, size_t set,
	const struct described_table *table, struct error *err)
{
	struct table_column column[DESCRIBED_COLUMNS_MOST + 128];

	*row = (struct source_row){
		.db = db, .table = table, .name = name_in_set(db, set, table->name), .set = set};
	if (!table_has(db->source, row->name, NULL))
		return 0;
	for (size_t i = 0; i < FIELD_COUNT; i++)
		row->place[i] = -1;
	for (size_t i = 0; i < DESCRIBED_COLUMNS_MOST && table->column[i].column.name; i++) {
		const struct described_column *described = &table->column[i];

		if (row->place[described->field] < 0 &&
			find_column(
				db, set, row->name, &described->column, &column[row->columns])) {
			row->field[row->columns] = described->field;
			row->place[described->field] = (int)row->columns++;
		}
	}
	if (row->place[FIELD_START] < 0 || row->place[FIELD_END] < 0) {
		char place[sizeof(err->place)];

		snprintf(place, sizeof(place), "%s: table %s", db->path, row->name);
		error_set(err, ERROR_INPUT, place,
			"no columns for start and end that this version knows");
		return error_hint(err, "tell us which version of the profiler wrote it");
	}
	if (db->opt->trace.name) {
		/* All columns of the table, for names by a template. */
		const struct row_source_functions *f = row->db->source->functions;
		const char *name;

		row->extra = arena_array(row->db->arena, 128, sizeof(*row->extra));
		while (row->extras < 128 &&
			(name = f->column_name(row->db->source, row->name, row->extras))) {
			column[row->columns + row->extras] = (struct table_column){.name = name};
			row->extra[row->extras++] = name;
		}
	}
	row->rows = db->source->functions->open(
		db->source, row->name, column, row->columns + row->extras, err);
	return row->rows ? 1 : -1;
}

int row_next(struct source_row *row, struct error *err)
{
	const struct row_source_functions *f = row->db->source->functions;
	const int status = f->next(row->rows, err);

	if (status != 1)
		return status;
	row->number++;
	for (size_t i = 0; i < row->columns; i++)
		f->value(row->rows, i, &row->value[row->field[i]]);
	return 1;
}

void row_close(struct source_row *row)
{
	if (row->db)
		row->db->source->functions->close(row->rows);
	row->rows = NULL;
}

/* ---- values ---- */

void row_issue(const struct source_row *row, enum issue_severity severity, const char *code,
	const char *text)
{
	struct profile *of =
		row->process && row->process->profile ? row->process->profile : row->db->out;
	char place[512];

	snprintf(place, sizeof(place), "%s: table %s, row %llu", row->db->path, row->name,
		(unsigned long long)row->number);
	issue_add(&of->issues, severity, code, text, 1, place);
}

bool row_number(struct source_row *row, enum event_field field, int64_t *out)
{
	const struct source_value *value = &row->value[field];

	if (value->kind == VALUE_INTEGER) {
		*out = value->integer;
		return true;
	}
	if (value->kind != VALUE_NONE)
		row_issue(row, ISSUE_LOSS, "row-value",
			"values of a database that are no whole number where one belongs, not "
			"used");
	return false;
}

bool row_thread(struct source_row *row, int64_t *out)
{
	if (!row_number(row, FIELD_THREAD, out))
		return false;
	if (row->value[FIELD_SYSTEM_THREAD].kind == VALUE_INTEGER)
		*out = row->value[FIELD_SYSTEM_THREAD].integer;
	*out = described_system_id(row->db->is, *out);
	return true;
}

int row_text(struct source_row *row, enum event_field field, const char **text, size_t *size,
	struct error *err)
{
	const struct database_reading *db = row->db;
	struct source_value value = row->value[field];
	int status = 1;

	if (value.kind == VALUE_INTEGER && db->is->text_table)
		status = db->source->functions->find(db->source, db->is->text_table,
			db->is->text_column, value.integer, &value, err);
	if (status == 1 && value.kind == VALUE_TEXT) {
		*text = value.text;
		*size = value.size;
		return 1;
	}
	if (status >= 0 && row->value[field].kind != VALUE_NONE)
		row_issue(row, ISSUE_LOSS, "row-name",
			"names of a database that are not in its table of texts");
	return status < 0 ? -1 : 0;
}

struct process *row_process(struct source_row *row)
{
	struct database_reading *db = row->db;
	const struct table_set *of = &db->set[row->set];
	struct {
		uint64_t set;
		int64_t id;
	} key = {.set = row->set};
	uint32_t id;

	if (of->is_one || row->value[FIELD_PROCESS].kind == VALUE_NONE)
		return of->processes == 1 ? &db->process[of->process] : NULL;
	if (!row_number(row, FIELD_PROCESS, &key.id))
		return NULL;
	key.id = described_process(db->is, key.id);
	if (row->process && row->process->id == key.id)
		return row->process;
	if (!intern_find(db->process_keys, (const char *)&key, sizeof(key), &id))
		return NULL;
	return &db->process[id];
}

/* ps since the base; false: too far away. */
static bool time_since_base(const struct database_reading *db, int64_t ns, int64_t *ps)
{
	int64_t base_ns, since, result;

	if (!number_multiply(db->base_us, 1000, &base_ns) ||
		__builtin_sub_overflow(ns, base_ns, &since) ||
		!number_multiply(since, PS_PER_NS, &result) || result >= TIME_MOST_PS ||
		result <= -TIME_MOST_PS)
		return false;
	*ps = result;
	return true;
}

/* end - start in ps; false: beyond what can be kept. */
static bool duration(int64_t start, int64_t end, int64_t *ps)
{
	int64_t ns;

	if (__builtin_sub_overflow(end, start, &ns) || ns >= TIME_MOST_PS / PS_PER_NS ||
		ns <= -(TIME_MOST_PS / PS_PER_NS))
		return false;
	*ps = ns * PS_PER_NS;
	return true;
}

enum row_time row_times(struct source_row *row, int64_t *start_ps, int64_t *dur_ps)
{
	int64_t start, end;
	bool has_end;

	*start_ps = *dur_ps = 0;
	if (!row_number(row, FIELD_START, &start)) {
		row_issue(row, ISSUE_LOSS, "event-time",
			"events without a time that can be read, left out");
		return ROW_UNTIMED;
	}
	has_end = row_number(row, FIELD_END, &end);
	if (has_end && start == 0 && end == 0)
		return ROW_TIMELESS;
	if (!time_since_base(row->db, start, start_ps)) {
		row_issue(row, ISSUE_LOSS, "clock-jump",
			"events whose time is far from that of the others, left out");
		if (!has_end || !duration(start, end, dur_ps) || *dur_ps < 0)
			*dur_ps = 0;
		return ROW_FAR;
	}
	if (!has_end)
		return ROW_OPEN;
	if (!duration(start, end, dur_ps)) {
		row_issue(row, ISSUE_ERROR, "long-event",
			"events that are longer than the trace or than 7 days");
		return ROW_LONG;
	}
	if (*dur_ps < 0) {
		*dur_ps = 0;
		row_issue(row, ISSUE_LOSS, "negative-time",
			"events of negative duration, counted as 0");
		return ROW_NEGATIVE;
	}
	return ROW_TIMED;
}

int row_add(struct source_row *row, enum row_time time, struct event *e, struct error *err)
{
	struct eventlog *log = row->process->log;
	const bool is_launched = e->flags & EVENT_LAUNCHED;

	switch (time) {
	case ROW_FAR:
		if (e->kind == EVENT_OP)
			eventlog_doubt(log, DOUBT_CLOCK_JUMP, e->op, DOUBT_LEFT_OUT, e->dur_ps);
		return 0;
	case ROW_UNTIMED:
		return 0;
	case ROW_OPEN:
		row_issue(row, ISSUE_LOSS, "event-duration", "events without an end, counted as 0");
		e->flags |= is_launched ? EVENT_UNMEASURED : 0;
		break;
	case ROW_NEGATIVE:
		eventlog_doubt(log, DOUBT_NEGATIVE_TIME, e->op, DOUBT_UNMEASURED, 0);
		e->flags |= is_launched ? EVENT_UNMEASURED : 0;
		break;
	case ROW_LONG:
		eventlog_doubt(log, DOUBT_LONG_EVENT, e->op, DOUBT_BEYOND, 0);
		e->flags |= is_launched ? EVENT_UNMEASURED : 0;
		break;
	case ROW_TIMELESS:
		e->flags |= is_launched ? EVENT_TIMELESS : 0;
		break;
	case ROW_TIMED:
		break;
	}
	return eventlog_add(log, e, err);
}
