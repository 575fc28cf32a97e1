/* Facts about the files of a merge after the first reading. Internal to merge_*.c. */
#pragma once

#include <stdbool.h>
#include "base/text.h"
#include "base/intern.h"
#include "base/memory.h"
#include "ingest/chrome/merged.h"
#include "ingest/chrome/trace_scan.h"
#include "timeline/merge/json_fields.h"
#include "timeline/merge/merge_files.h"

/* Points in time of a trace as decimal text in microseconds, moved by whole picoseconds without
 * any rounding. */

typedef __int128 picoseconds; /* holds times since any epoch */

/* The shift alone: "-12.5". */
void time_add_text(picoseconds time, struct text *out);

#define PROCESSES_MOST ((size_t)1000000)
#define PARTS_MOST ((size_t)100000)
#define ID_MOST ((uint64_t)1 << 50) /* larger ids become texts */

struct merge_process {
	const char *key;    /* its pid as text */
	bool named, sorted; /* has a process_name, a process_sort_index */
	int64_t sort_index;
	int64_t largest_tid;
};

struct merge_thread { /* whose tid is a text */
	uint32_t process;
	const char *key;
	bool named;
	int64_t number;
};

struct merge_window { /* a step of a file that holds several */
	picoseconds begin, end;
	size_t part;
};

struct merge_file { /* or one of those in a merged trace */
	const char *path, *label;
	const char *input; /* what is read: the path, or the merged trace; files of one input follow
			      each other, with one pointer */
	const char *shown; /* in messages: the input, or the name of standard input */
	const struct merged *merged; /* NULL: the input is the file */
	size_t source;		     /* its place there */
	size_t number;	    /* in the trace that is written, from 0, among those that have parts */
	const char *reader; /* its name, "" when no reader accepts it */
	uint64_t base_ns;
	bool has_time;
	picoseconds first, last; /* of its events, in its own time */
	uint64_t events;	 /* of its arrays */
	bool has_near;
	int64_t near_us;     /* a time in the middle of it */
	struct vec member;   /* struct merge_member: around its events */
	uint64_t largest_id; /* below ID_MOST */
	struct intern *process_keys, *thread_keys;
	struct vec process, thread; /* struct merge_process, struct merge_thread */
	struct vec window;	    /* struct merge_window, by begin; none: all of it is one part */
	size_t part, part_count;    /* its parts; 0: left out */
};

struct merge_member { /* JSON, as it is to be written */
	const char *key, *value;
	size_t key_size, value_size;
};

struct merge_part {
	size_t file;
	bool has_step;
	int64_t step;
	const char *label;
	bool has_range;
	picoseconds begin, end; /* in the file's own time */
	picoseconds shift;
	uint64_t id_shift;    /* of ids that are numbers */
	uint64_t id_number;   /* put before ids that are texts; 0: they stay */
	int64_t *pid;	      /* of the file's processes */
	size_t process_count; /* of them, when they were numbered */
	uint32_t *rank;	      /* place among the processes of the trace */
};

struct merge_common { /* a member beside the events of the files */
	const char *key, *value;
	uint64_t hash;
	size_t key_size, value_size, files;
	bool differs;
};

/* The shortest slices that fit: bytes by duration, sixteen classes for each doubling. */
#define CLASSES 1040
struct merge_sizes {
	uint64_t slices[CLASSES], arrows, others, metadata;
	uint64_t around; /* members around the events */
};

/* Slices that --max-size leaves out: see merge_cut.c. Zeros: none. */
struct merge_cut {
	size_t end;		    /* the classes below go, of the last of them all but `room` */
	uint64_t class_bytes, room; /* of that class */
	uint64_t seen, kept;	    /* of it, in the second reading */
};

struct merge {
	const struct merge_job *job;
	struct merge_outcome *outcome;
	struct issue_list *issues;
	struct arena *arena;
	struct vec file, part; /* struct merge_file, struct merge_part */
	struct intern *common_keys;
	struct vec common; /* struct merge_common */
	struct merge_sizes sizes;
	struct merge_filter *filter;
	struct merge_pairs *pairs; /* NULL: --max-size was not given */
	size_t inputs;		   /* that are read: a merged trace is one, of several files */
	bool is_copy;		   /* of one input nothing is changed */
	bool by_step;		   /* steps of the files are asked for */
	bool no_arrows, no_others;
	struct merge_cut cut;
	uint64_t base_ns;      /* of the merged trace */
	struct intern *values; /* of members around the events, each once */
	size_t member_bytes;
	uint64_t largest_id_number; /* that ids of the files begin with */
};

struct merge_file *merge_file_at(const struct merge *m, size_t i);
struct merge_part *merge_part_at(const struct merge *m, size_t i);
/* Local id of the event's process, of its thread when that is a text; added when new. UINT32_MAX
 * with err: too many. */
uint32_t merge_process_of(
	struct merge *m, struct merge_file *file, const struct json_value *pid, struct error *err);
/* UINT32_MAX: its tid is a number, or it has none. */
uint32_t merge_thread_of(
	struct merge *m, struct merge_file *file, uint32_t process, const struct json_value *tid);

/* Name of standard input, when it is the file's input; NULL: no name, or another input. */
const char *merge_input_name(const struct merge *m, const struct merge_file *file);
/* The index after the last file of this file's input. */
size_t merge_input_end(const struct merge *m, size_t first);
/* An event of the input whose first file this is, as its file had it: *own. *old: the part with its
 * changes (NULL: none). Index of the file; SIZE_MAX: the event is of no file, or repeats the name
 * of its process. */
size_t merge_own_event(const struct merge *m, size_t first, const struct trace_event *event,
	struct trace_event *own, const struct merged_part **old);

/* merge_survey.c: the first reading of the input whose files are first to end - 1. */
int merge_survey(struct merge *m, size_t first, size_t end, struct error *err);
/* merge_steps.c: the parts of all files, chosen. */
int merge_choose(struct merge *m, struct error *err);
/* An id as its file had it. */
struct merge_id {
	bool is_number; /* below ID_MOST */
	uint64_t number;
	struct json_value text; /* with its kind; where it is not a number */
	bool is_hex, is_quoted;
};
void merge_own_id(const struct json_value *id, const struct merged_part *old, struct merge_id *own);
/* True if ids of this phase are known beyond the process. Ids of objects (N, O, D) and counters are
 * the process's own, and stay. */
bool merge_has_global_id(char phase);
/* merge_clock.c: shifts, numbers of processes, ids. */
int merge_arrange(struct merge *m, struct error *err);
/* merge_write.c: the second reading, all files. */
int merge_write(struct merge *m, struct error *err);

/* merge_filter.c: --include, --exclude. */
struct merge_filter *merge_filter_new(struct rules *rules);
void merge_filter_free(struct merge_filter *filter);			  /* NULL is fine */
void merge_filter_begin(struct merge_filter *filter, const char *reader); /* a file */
/* Returns 1 if the event is kept, 0 if not, or -1 with err. */
int merge_filter_passes(
	struct merge_filter *filter, const struct trace_event *event, struct error *err);

/* Class of a duration, 0: none. */
size_t merge_class(const struct trace_time *duration);
int64_t merge_class_ps(size_t class); /* its least */
/* Bytes that the event may have in the merged trace, 0 when it is not written for another
 * reason. */
uint64_t merge_event_bytes(const struct merge *m, const struct trace_event *event, bool is_kept);
/* Slices have room for so many bytes. */
void merge_cut_set(struct merge_cut *cut, const struct merge_sizes *sizes, uint64_t most);
/* True if a slice of this class is left out. Called once for each, in the second reading. */
bool merge_cut_leaves(struct merge_cut *cut, size_t class, uint64_t bytes);
enum merge_sort { MERGE_METADATA, MERGE_SLICE, MERGE_ARROW, MERGE_OTHER };
enum merge_sort merge_sort_of(const struct trace_event *event);
picoseconds merge_time(const struct trace_time *time);

/* merge_pairs.c: slices in two events (B, E), for --max-size. The first reading finds how long the
 * slice of each beginning is; the second one asks in the same order. */
struct merge_pairs *merge_pairs_new(void);
void merge_pairs_free(struct merge_pairs *pairs); /* NULL is fine */
/* A file begins, in either reading. */
void merge_pairs_file(struct merge_pairs *pairs);
/* First reading: `event` is B or E and has so many bytes, 0 when it is not written for another
 * reason. Paired events are added to the slices, the rest to the others. -1: too many. */
int merge_pairs_add(struct merge_pairs *pairs, const struct trace_event *event, uint64_t bytes,
	struct merge_sizes *sizes, struct error *err);
/* Between the two readings: adds the slices that are still open to the others. */
void merge_pairs_end(struct merge_pairs *pairs, struct merge_sizes *sizes);
/* Second reading: sets *leaves if the slice is left out, as decided at its beginning. 1; 0: it has
 * no other half; -1 with err. */
int merge_pairs_next(struct merge_pairs *pairs, const struct trace_event *event,
	struct merge_cut *cut, bool *leaves, struct error *err);

/* merge_event.c: one event of a part, with the numbers that it has in the merged trace. */

/* An event with the text that is written for it. */
struct event_text {
	const struct trace_event *event; /* as its file had it */
	const struct merged_part *old;	 /* the part that it was in an earlier merge; NULL: none */
	const char *text;		 /* as it was read, made JSON where it was not */
	size_t size;
	struct json_fields fields; /* of the text */
};

/* Adds the event's text with pid, tid, ts, ids and names of processes changed for the part;
 * everything else is copied. False: its time could not be moved exactly and is unchanged. */
bool merge_event_add(struct merge *m, size_t part, uint32_t process, const struct event_text *event,
	struct text *out);
/* Metadata that the file does not have and the merged trace needs: names and places of the part's
 * processes, each after `between`. */
void merge_event_add_missing(struct merge *m, size_t part, struct text *out, uint64_t *events);
