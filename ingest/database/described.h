/* Meaning of the tables of a profiler's database: a description for each producer, as data. The
 * reader of databases (reader_database.c) goes by these alone. */
#pragma once

#include "ingest/database/row_source.h"

/* Kinds of rows; all rows of a table are of one kind. */
enum content {
	CONTENT_KERNEL,
	CONTENT_COPY,
	CONTENT_SET,
	CONTENT_GRAPH, /* a graph of kernels, launched and recorded as a whole */
	CONTENT_HOST,  /* a call of a runtime, or a range that the program drew */
};

/* Values in the columns of a table. Times are in ns. */
enum event_field {
	FIELD_START,
	FIELD_END,
	FIELD_PROCESS,
	FIELD_THREAD,
	FIELD_SYSTEM_THREAD, /* as the system numbers it, where FIELD_THREAD is another id */
	FIELD_DEVICE,
	FIELD_OTHER_DEVICE, /* of a copy that FIELD_TO says ends on the host */
	FIELD_STREAM,
	FIELD_QUEUE, /* or context: streams of one number in two of them are two */
	FIELD_LINK,  /* what a launch and the launched have in common */
	FIELD_NAME,  /* text, or the id of one */
	FIELD_TEXT,  /* a name that goes before FIELD_NAME where it is there */
	FIELD_KIND,  /* of a call, a copy, a range: a number or a word */
	FIELD_FROM,  /* of a copy: the kind of memory */
	FIELD_TO,
	FIELD_BYTES,
	FIELD_COUNT
};

struct described_column {
	enum event_field field;
	struct table_column column;
};

#define DESCRIBED_COLUMNS_MOST 28

/* A field may have several columns: of different versions of the producer. The first that the
 * database has is taken. Times are needed, all others may lack. */
struct host_row;

struct described_table {
	const char *name;
	enum content content;
	void (*host)(struct host_row *row); /* of CONTENT_HOST: what the row is */
	struct described_column column[DESCRIBED_COLUMNS_MOST]; /* up to a column without a name */
};

struct database_description {
	const char *format, *title; /* of the reader */
	const char *device_option;  /* as in struct eventlog_options */
	/* The names of its tables end in "_" and an id of the recording, in several sets when files
	 * were joined. */
	bool has_sets;
	const struct described_table *table;
	size_t tables;
	const char *text_table, *text_column; /* of FIELD_NAME's ids; NULL: names are texts */
	const char *const
		*text_ids; /* further columns with such ids, for --name; NULL-terminated */
	/* A process or a thread is one number in rows: so many low bits are the thread, as many
	 * above them the process, and what is left the machine. 0: it is the process or the thread
	 * alone. */
	int id_bits;
	/* Table of processes: first the column with the number used in rows, then `name`; the
	 * second column, unless NULL, has the system's number of the process. */
	const char *process_table, *process_column, *process_system_id;
	/* Table with the names of threads, by the system's number of the thread or by the number in
	 * rows. */
	const char *thread_table, *thread_column, *thread_name;
	/* The name of a copy or a memset in the words that PyTorch's profiler has for it. */
	const char *(*copy_name)(
		char *room, size_t size, const struct source_value value[FIELD_COUNT]);
};

/* The process, with its machine, in the number that a row has of a process or a thread. */
static inline int64_t described_process(const struct database_description *is, int64_t number)
{
	return number >> is->id_bits;
}

/* The system's number of the thread in such a number, or of the process in a result of the function
 * above. */
static inline int64_t described_system_id(const struct database_description *is, int64_t number)
{
	return is->id_bits ? number & ((INT64_C(1) << is->id_bits) - 1) : number;
}

enum host_meaning {
	HOST_LEFT_OUT,
	HOST_CALL,  /* of a runtime: launches */
	HOST_RANGE, /* drawn by the program, nested in others of its thread */
	HOST_SPAN,  /* drawn by the program from any point to any other: can be a step, but is no op
		     */
};

/* A row of CONTENT_HOST: the description reads `value` and fills the rest. */
struct host_row {
	const struct source_value *value; /* by field */
	enum host_meaning meaning;
	const char *type;  /* of a call: "cuda_runtime" */
	bool text_is_json; /* the name is the member "message" of FIELD_TEXT */
};

extern const struct database_description nsight_description, rocpd_description;
