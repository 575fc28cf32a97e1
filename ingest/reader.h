/* The reader registry: one struct per format, listed in readers.def. Detection is by content; a
 * reader fills one struct profile from one input. It does not decide about runs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "ingest/input/input.h"
#include "ingest/trace_tally.h"
#include "ingest/events/eventlog.h"
#include "model/profile.h"

#define PROBE_BYTES 65536 /* how much a probe may see */

struct probe {
	const unsigned char *bytes; /* unpacked */
	size_t size;
	bool whole; /* the bytes are the whole input */
	const char *path;
	struct probe_pairs *pairs; /* of bytes that follow each other; NULL: not asked */
};

/* The beginning of the input, which is not consumed. */
int probe_input(struct input *in, struct probe *probe, struct error *err);
/* Opens the file and probes it; NULL: it cannot be opened or read. */
struct input *probe_file(
	const char *path, const char *name, struct probe *probe, struct error *err);
/* Reports a loss when bytes that are not gzip follow the gzip data. The input must be read to its
 * end. */
void input_report_tail(const struct input *in, struct issue_list *issues);

struct graph;
struct trace_dialect; /* ingest/chrome/trace.h */

/* True if the bytes contain this text. */
bool probe_has(const struct probe *p, const char *what);
/* True if they begin with it, in upper or lower case, after blanks and a byte order mark. */
bool probe_begins(const struct probe *p, const char *what);
/* True if the name has this ending, in upper or lower case. */
bool probe_name_ends(const char *name, const char *suffix);
/* True if they begin like JSON. */
bool probe_is_json(const struct probe *p);
/* True for what `timeline merge` writes, with a description of its files. */
bool probe_is_merged(const struct probe *p);

/* The rows of a profile: the ops themselves, or what launched the work of a device (--by=launcher,
 * shape, annotation, module, phase, stack:N), or what the source says of each op (--by=scope:N,
 * source; of programs of XLA --by=module, too). */
enum trace_rows {
	TRACE_ROWS_OPS,
	TRACE_ROWS_LAUNCHERS,
	TRACE_ROWS_SHAPES,
	TRACE_ROWS_ANNOTATIONS,
	TRACE_ROWS_MODULES,
	TRACE_ROWS_PHASES,
	TRACE_ROWS_STACKS,
	TRACE_ROWS_SCOPES, /* names of ops with their scopes, where the recorded ones have none */
	TRACE_ROWS_SOURCES,
};

static inline bool trace_rows_are_launchers(enum trace_rows rows)
{
	return rows >= TRACE_ROWS_LAUNCHERS && rows <= TRACE_ROWS_STACKS;
}

/* True if in a trace without a device they are rows of the host's own ops: those of launchers would
 * be the ops themselves. */
static inline bool trace_rows_may_be_host(enum trace_rows rows)
{
	return trace_rows_are_launchers(rows) && rows != TRACE_ROWS_LAUNCHERS;
}

/* The word for what makes such rows ("user annotation"); of launchers and of those behind them. */
const char *trace_rows_word(enum trace_rows rows);

/* Options of traces of events. */
struct trace_options {
	/* --step-marker: is a slice of this name a step (1, 0, -1 with err), and of which number,
	 * when it says? NULL: not asked. */
	int (*marker)(void *context, const char *name, bool *numbered, int64_t *number,
		struct error *err);
	void *marker_context;
	const char *marker_text;   /* as typed, for messages */
	struct trace_tally *tally; /* what the marker and the name matched; NULL: not counted */
	const struct log_window *window; /* --window: the steps, whatever is marked */
	size_t window_count;
	enum step_time_kind step_time; /* --step-time: which events are in a step of a mark */
	const char *name;	       /* --name: template of the ops' names; NULL: as recorded */
	enum trace_rows rows;
	size_t stack_depth; /* TRACE_ROWS_STACKS: how many frames a row has, from 1 */
	/* TRACE_ROWS_STACKS: is a frame of this name the user's code (1, 0, -1 with err)? NULL: all
	 * are. */
	int (*user_code)(void *context, const char *name, struct error *err);
	void *user_code_context;
	const struct graph_captures *captures; /* --graph=capture: as in struct eventlog_options */
	struct graph_captures *captures_out;
	bool totals; /* --value=total: time with what is nested, as profile->totals */
	/* Options of the totals: as in struct eventlog_options. Several readers ask at once. */
	const char *(*row_of)(
		void *context, const char *name, const char *type, struct arena *arena);
	void *row_context;
	/* Only the ops of a file that is read alone are shown: calls of collectives are not kept,
	 * and where devices say what they did in each step, step->busy_ps is STEP_BUSY_UNKNOWN. */
	bool ops_suffice;
	bool key_averages; /* like: key_averages: the two rules of PyTorch's table */
	const char *spill_folder;
	uint64_t max_spill_bytes; /* spill-limit */
	size_t sort_bytes;	  /* memory for sorting; 0: 32 MiB, and 6 MiB for begins and ends */
	int (*sink)(void *context, const struct event_row *row,
		struct error *err); /* each event as read; NULL: not asked */
	void *sink_context;
};

/* --log: what lines of any text say, by a pattern of the user. */
struct log_lines {
	const char *const *name; /* of the columns of a table */
	size_t count;
	/* 1: the line is a row, with the text of each column (NULL: none); 0: it is none; -1. */
	int (*match)(void *context, const char *line, const char **value, size_t *size,
		struct error *err);
	void *context;
};

struct read_options {
	struct profile_limits limits;
	size_t threads;		 /* for this file, the caller's included; 0 is 1 */
	size_t max_record_bytes; /* 64 MiB; max-record */
	/* --graph and --op-log, read once: nodes, types, shapes; NULL: none */
	const struct graph *graph;
	bool nanoseconds; /* --precision=ns: use the nanoseconds where the source has them */
	struct trace_options trace;
	const struct log_lines *log;   /* NULL: not asked */
	struct call_store *call_store; /* keeps them one by one; load_inputs sets it; NULL: only
					  their sums are kept */
	bool calls;	    /* --per=call: also the single executions of each observation, where the
			       source has them */
	int64_t kilobyte;   /* --kilobyte: bytes in a KB of rounded text and tables, 1000 or 1024 */
	const void *source; /* of the reader, set by reader_read() */
};
extern const struct read_options read_options_default;

/* Words of which the beginning of a file has all of one set, after what it begins with. */
#define SIGN_SETS 4
#define SIGN_WORDS 4

struct reader_signs {
	int score;
	const char *begins; /* as of probe_begins(); NULL: with anything */
	const char *has[SIGN_SETS][SIGN_WORDS];
};

struct reader {
	const char *name;	     /* the value of --from */
	const char *title;	     /* "TensorFlow profile", for the first line of reports */
	const char *summary;	     /* one line for `stepstat formats` */
	const char *const *suffixes; /* NULL-terminated; one that fits adds 5 to the score */
	struct reader_signs signs;
	int (*probe)(const struct probe *p); /* 0..100; pure; NULL: the signs say it */
	/* A check of what the beginning of a file does not show: does it hold what is read here, or
	 * what a companion holds? Nothing is consumed; a stream is not looked at. -1 with the
	 * reason, for which it is refused like a file of another kind. NULL: not asked. */
	int (*holds)(const struct input *in, const struct read_options *opt, struct error *err);
	/* Fills `out` (new, path set). NULL: the kind is recognised but not read by this
	 * version. */
	int (*read)(struct input *in, struct profile *out, const struct read_options *opt,
		struct error *err);
	const void *source; /* where things stand, of a `read` that several readers share */
	/* Not a profile but a file that is found beside profiles (graph, checkpoint, op log): in
	 * folders it is skipped without a note, also where it is read when given by name. */
	bool companion;
	const char *empty_hint; /* what to do about a file without any execution; NULL: what
				   TensorFlow's profiles want */
	/* Hints by enum trace_rows: how to record what makes these rows with this producer; NULL,
	 * also for a single one: words that fit any. */
	const char *const *launcher_hints;
	const char *refusal;   /* of a companion, after its title; NULL: it holds no measurements */
	const char *advice;    /* for kinds that are not read: what to give instead */
	bool is_file_a_step;   /* written a file a step; all others record a process */
	bool is_trace;	       /* of single events; also where `dialect` is not NULL */
	bool uses_graph;       /* --graph and --op-log */
	bool uses_nanoseconds; /* --precision=ns */
	bool uses_kilobyte;    /* --kilobyte */
	bool sums_only;	       /* JSON that holds no single events */
	/* True of a Chrome trace: it reads the files of this kind in a merged trace. Else NULL. */
	const struct trace_dialect *dialect;
};

extern const struct reader *const reader_table[];
extern const size_t reader_count;

/* Probe and read by these, not by the members. */
int reader_probe(const struct reader *reader, const struct probe *p);
int reader_read(const struct reader *reader, struct input *in, struct profile *out,
	const struct read_options *opt, struct error *err);
const struct reader *reader_find(
	const char *name, struct error *err); /* --from; nearest name offered */
/* The best reader for these bytes; NULL with ERROR_INPUT when none scores (says what the bytes look
 * like: empty, text, JSON, gzip, HTML, ELF, ...) or two tie (lists both, hint --from). */
const struct reader *reader_detect(const struct probe *p, struct error *err);
