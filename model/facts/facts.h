/* Facts that a source states about its own recording: where it was made, by which tools, on how
 * many processes. Nothing here is guessed; a fact that a source does not state stays unknown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"

enum fact_id {
#define FACT(id, field, kind, name, summary) FACT_##id,
#include "model/facts/facts.def"
#undef FACT
	FACT_COUNT
};

/* Texts are in the arena of the profile. NULL and 0: the source does not say. */
struct facts {
	const char *rank;	  /* "3": of this process, 0 to world_size - 1 */
	int64_t world_size;	  /* processes of the job */
	const char *host;	  /* "node7" */
	const char *backend;	  /* of communication: "nccl", "cpu:gloo,cuda:nccl" */
	const char *device_model; /* "NVIDIA A100-SXM4-80GB"; different ones joined by ", " */
	int64_t device_count;	  /* accelerators that the process saw, used or not */
	const char *driver;	  /* "CUDA 12.9, runtime 12.4" */
	const char *framework;	  /* "PyTorch 2.4.0" */
	int64_t batch;
	const char
		*machine;   /* "runner-a100-3"; a host's name is none: those of containers change */
	const char *commit; /* "df88b71c" */
	int64_t pid;	    /* 1 in most containers */
	const char *process; /* "4242, started 1712195495502094565" */
	int64_t window;	     /* 3: the third recording of this process */
	/* Facts of a run in a store. Texts of several are joined by ", ". */
	const char *session, *branch;
	const char *start;  /* "2026-11-28T03:40:16.500000000Z" */
	const char *status; /* green, red, undecided, broken or first */
	const char *label, *tag;
	const char *rows_of; /* ROWS_OF_DEVICE, ROWS_OF_HOST */
};

#define ROWS_OF_DEVICE "device"
#define ROWS_OF_HOST "host"
#define FACT_NUMBER_BYTES 24
#define FACT_TEXT_MOST 1000 /* bytes of a source that a text keeps; more is cut off */

/* Bytes of a commit that people read. */
int facts_commit_shown(const char *commit);

/* Name in files: "world_size". */
const char *fact_name(enum fact_id id);
bool fact_is_number(enum fact_id id);
/* Fact of this name; FACT_COUNT: there is none. */
enum fact_id fact_find(const char *name);
/* Returns the fact of this name, or of one that other programs have for it ("git_sha", "hostname");
 * FACT_COUNT: it is none. Columns named start, status, label and tag of other programs are not the
 * facts of these names. */
enum fact_id fact_called(const char *name);

/* The fact as text; NULL: unknown. A number is printed into the buffer. */
const char *facts_text(const struct facts *facts, enum fact_id id, char buffer[FACT_NUMBER_BYTES]);
/* Sets a fact from n bytes of text, copied into the arena: without control bytes, other than UTF-8
 * made visible. An empty text, a number that is not above 0, and the kind of processor as a machine
 * say nothing. */
void facts_set(
	struct facts *facts, struct arena *arena, enum fact_id id, const char *text, size_t n);
/* Facts that both state alike stay in `facts`. */
void facts_keep_common(struct facts *facts, const struct facts *other);
/* Sets the facts that `over` has. */
void facts_overlay(struct facts *facts, const struct facts *over, struct arena *arena);
/* Removes the facts that the other one has. */
void facts_remove(struct facts *facts, const struct facts *other);
/* A copy, its texts in the arena. */
struct facts *facts_copy(const struct facts *facts, struct arena *arena);
/* True if the text, a list of several, has this item. */
bool facts_has_item(const char *list, const char *item);
/* True if the fact can have this text. */
bool facts_is_value(enum fact_id id, const char *text);
/* Adds a further value to a text of several, unless it is one of them or the text is full. */
void facts_add(
	struct facts *facts, struct arena *arena, enum fact_id id, const char *text, size_t n);

/* The facts of several files: for each fact its different values, and how many files have each. */

struct fact_value {
	const char *text;
	uint64_t files;	   /* that have it, 1 or more */
	const char *place; /* path of the first of them by name */
};

/* Files that do not say are in no value. */
struct fact_values {
	struct fact_value *value;
	size_t count, room;
	struct intern *texts; /* of a long list, by place; NULL: it is short */
};

struct fact_lists {
	struct fact_values of[FACT_COUNT]; /* by enum fact_id */
};

/* Adds files to the value of this text, or a new value; the text is copied into the arena, bytes
 * that cannot be shown made visible. */
void fact_lists_add(struct fact_lists *lists, struct arena *arena, enum fact_id id,
	const struct fact_value *value);
/* Adds all facts of one file. */
void fact_lists_add_file(
	struct fact_lists *lists, struct arena *arena, const struct facts *facts, const char *path);
void fact_lists_join(struct fact_lists *lists, struct arena *arena, const struct fact_lists *from);
/* Orders the values of each fact as people sort names. Nothing is added after it. */
void fact_lists_sort(struct fact_lists *lists);
bool fact_lists_are_empty(const struct fact_lists *lists);
/* The value that all files that say it have; NULL: none says it, or they differ. */
const char *fact_lists_common(const struct fact_lists *lists, enum fact_id id);

/* A value as one line of text, "device_model 2 x NVIDIA A100", for tables of observations. */
void fact_line_add(struct text *out, enum fact_id id, const struct fact_value *value);
/* Adds the value to the lists, with this place; false when the text is none. A fact of a later
 * version has a name that is not known here: it is passed over. */
bool fact_line_parse(
	const char *text, struct fact_lists *lists, struct arena *arena, const char *place);
