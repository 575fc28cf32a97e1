/* A database of a profiler that becomes profiles, one for each process that worked on a device:
 * what the files of this folder share. The steps of reading, in order: survey (which processes),
 * rows (values of one row), events (what a row is), ranges (names and steps of the host), facts. */
#pragma once

#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "ingest/database/described.h"
#include "ingest/input/span_file.h"
#include "ingest/reader.h"
#include "ingest/trace/trace_requests.h"

struct known_op {
	uint32_t op;
	uint8_t type;
};

/* A process of the recorded system. */
struct process {
	uint64_t set;	/* which of the joined recordings it is in, from 0 */
	int64_t id;	/* as rows have it */
	int64_t number; /* as the system has it: what users know */
	int64_t device; /* the lowest number among its devices */
	bool has_rank;
	int64_t rank, world_size; /* 0: not known */
	struct profile *profile;
	struct eventlog *log;
	struct trace_requests *asked;
	struct arena *arena;	/* as long as it is read */
	uint32_t host;		/* its process in the log */
	struct intern *op_keys; /* what known_op is of: content and id or text */
	struct known_op *op;
	size_t op_room;
	struct intern *range_keys;
	struct known_range *range; /* ranges.c */
	size_t range_room;
	struct intern *lane_keys; /* of devices */
	uint32_t *lane;
	size_t lane_room;
	uint64_t last_thread; /* the lane found last, of the host */
	uint32_t last_lane;
	bool has_last;
	uint64_t marks; /* found by their names */
};

/* The tables of one recording; several were joined into one file. */
struct table_set {
	const char *suffix;	   /* of its tables' names: "" or "_1234" */
	size_t processes, process; /* how many, and which is the first of them */
	bool is_one;		   /* of all rows, of any process */
};

struct database_reading {
	const char *path; /* of the database, for messages */
	struct row_source *source;
	const struct database_description *is;
	const struct read_options *opt;
	struct profile *out;
	struct arena *arena;
	struct table_set *set;
	size_t sets, set_room;
	struct intern *process_keys;
	struct process *process, **process_in_order; /* the second: as they are shown */
	size_t processes, process_room;
	int64_t base_us;  /* point 0 of times */
	int64_t epoch_ns; /* what point 0 of the database's clock is; 0: not known */
	struct text scratch, name, named; /* the last: what a template is filled with */
};

/* One row of a table that is read. */
struct source_row {
	struct database_reading *db;
	const struct described_table *table;
	const char *name; /* of the table in the file */
	uint64_t number;  /* from 1 */
	struct source_rows *rows;
	struct source_value value[FIELD_COUNT];
	int place[FIELD_COUNT];		     /* among the columns that are read; -1: it has none */
	enum event_field field[FIELD_COUNT]; /* of each column */
	size_t columns;			     /* that are read for fields; those for --name follow */
	const char **extra;		     /* their names; NULL: none */
	size_t extras;
	struct process *process;
	uint64_t set;
};

/* ---- rows ---- */

/* "rocpd_event" of a recording: with its suffix. */
const char *name_in_set(const struct database_reading *db, size_t set, const char *table);
/* 0: the database has no such table. 1, -1. */
int row_open(struct source_row *row, struct database_reading *db, size_t set,
	const struct described_table *table, struct error *err);
/* 1: there is a next row, whose values are filled in. 0, -1. */
int row_next(struct source_row *row, struct error *err);
void row_close(struct source_row *row);
/* Number of the row in this field; false when there is none, or, which is counted, a text. */
bool row_number(struct source_row *row, enum event_field field, int64_t *out);
void row_issue(const struct source_row *row, enum issue_severity severity, const char *code,
	const char *text);
/* Number of the row's thread as the system knows it, or its id where no such number is known;
 * false: the row has no thread. */
bool row_thread(struct source_row *row, int64_t *out);
/* Text of the row in this field, or the text that its number stands for. 1, 0: none, -1. Valid
 * until the next row, or the next such call. */
int row_text(struct source_row *row, enum event_field field, const char **text, size_t *size,
	struct error *err);
/* Process of the row; the only one of its recording where the row has none. NULL: it is not among
 * the processes that are read, or not known. */
struct process *row_process(struct source_row *row);

enum row_time {
	ROW_TIMED,
	ROW_OPEN,     /* it has no end; duration 0, as of the next three, which are counted */
	ROW_NEGATIVE, /* it ends before it starts */
	ROW_LONG,     /* the duration is beyond what can be kept */
	ROW_TIMELESS, /* start and end are 0: the producer knows neither */
	ROW_FAR,      /* start is beyond what can be kept, duration as recorded */
	ROW_UNTIMED,  /* it has no start; counted, too, and left out */
};
/* Start in ps since the base, and duration. */
enum row_time row_times(struct source_row *row, int64_t *start_ps, int64_t *dur_ps);
/* Adds the event of the op with these times: what cannot be true counts as 0, what is too far is
 * left out, and the doubts are noted. */
int row_add(struct source_row *row, enum row_time time, struct event *event, struct error *err);

/* ---- the parts, in order ---- */

int survey_read(struct database_reading *db, struct error *err);
int ranks_read(struct database_reading *db, struct error *err);
int processes_begin(struct database_reading *db, struct error *err);
int events_read(struct database_reading *db, struct error *err);
int host_row_add(struct source_row *row, struct error *err);
/* Op of a row by the user's template, or by this name. */
struct known_op row_op(struct source_row *row, const char *name, size_t size, const char *type);
int facts_read(struct database_reading *db, struct error *err);

/* Copies the tables that are read into an SQLite database in a temporary file without a name, which
 * the caller closes. `path` is the folder's, for messages, and outlives it. */
int parquet_tables_copy(const char *folder, const struct database_description *is,
	const struct read_options *opt, struct span_file *out, struct error *err);
