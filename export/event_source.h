/* Events of files: source of the rows of the tables `events` and `flat`, and their stream. Files
 * are read again: events are not kept in memory. */
#pragma once

#include "ingest/reader.h"
#include "ingest/chrome/trace_scan.h"
#include "ingest/events/eventlog.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "export/parquet/parquet_writer.h"

/* A step that events count for. */
struct event_step {
	int64_t number, index; /* index: place in time in its run, from 0 */
	const char *kind;      /* as in struct step */
	const char *label;     /* the number as text, "3 (2nd)" where it comes again */
	uint32_t of_cube;      /* its index there; UINT32_MAX: it is in none */
};

/* A file of events, and the run and the steps that its events are in. */
struct event_file {
	const char *path; /* to read; files in a merged trace have one path and follow each other */
	size_t part;	  /* their place there */
	/* The run that it is part of, for events that name none, and the rank; NULL: not known. */
	const char *run, *rank;
	/* Step of the cube for each step of the file, as far as it is in the cube; NULL: as the
	 * file says. */
	const struct event_step **step;
	size_t step_count;
};

struct event_files {
	const struct event_file *file;
	size_t count;
	const struct reader *from; /* --from; NULL: detected */
	const char *input_name;	   /* of standard input; NULL: none */
	struct read_options read;
	struct issue_list *issues; /* where events_each adds; NULL: they are known already */
};

/* Place of an event: the run, rank and step that it counts for. */
struct event_place {
	const char *run, *rank;	       /* as in the tables; NULL: not known */
	const struct event_step *step; /* NULL: none; until the next event */
};

/* Each event of an op, with where it counts, file after file; stops at row's -1. */
int events_each(const struct event_files *files,
	int (*row)(void *to, const struct event_place *at, const struct event_row *event,
		struct error *err),
	void *to, struct error *err);
/* Each event as it is in the files, metadata too. */
int events_each_raw(const struct event_files *files,
	int (*row)(void *to, const struct trace_event *event, struct error *err), void *to,
	struct error *err);
/* True if the file holds JSON, is of a kind that holds events, or cannot be read now. */
bool events_may_be_in(const char *path);

/* ---- Single events as lines, one at a time: for people, as CSV, as NDJSON; or as rows of Parquet.
 * Times are us as the source writes them, exact decimals; in Parquet the nearest real numbers ----
 */

#define EVENT_COLUMNS 15

enum stream_form { STREAM_NONE, STREAM_TEXT, STREAM_CSV, STREAM_NDJSON, STREAM_PARQUET };

struct event_stream {
	struct outfile *out; /* the caller's */
	enum stream_form form;
	bool csv_safe;
	bool any;			/* a heading was written */
	struct parquet_writer *parquet; /* of that form, and the texts of the row before */
	struct text before[EVENT_COLUMNS];
	struct text line;
	struct text lane, lane_before; /* heading in text */
};

/* Writes what comes before the events. The out, the form and csv_safe are set. The program is that
 * of parquet_writer_new. */
void event_stream_begin(struct event_stream *stream, const char *program);
/* op: its name. */
void event_stream_add(struct event_stream *stream, const struct event_place *at, const char *op,
	const struct event_row *row);
/* Writes what comes after them; -1 as of parquet_writer_finish. */
int event_stream_finish(struct event_stream *stream, struct error *err);
void event_stream_end(struct event_stream *stream);
