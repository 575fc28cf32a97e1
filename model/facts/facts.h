/*
 * Facts that a source states about its own recording: where it was made, by which tools, on how
 * many processes. Nothing here is guessed; a fact that a source does not state stays unknown.
 */
#ifndef STEPSTAT_MODEL_FACTS_FACTS_H
#define STEPSTAT_MODEL_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

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
};

#define FACT_NUMBER_BYTES 24
#define FACT_TEXT_MOST 1000 /* bytes of a source that a text keeps; more is cut off */

/* Name in files: "world_size". */
const char *fact_name(enum fact_id id);
bool fact_is_number(enum fact_id id);
/* Fact of this name; FACT_COUNT: there is none. */
enum fact_id fact_find(const char *name);
/* Returns the fact of this name, or of one that other programs have for it ("git_sha", "hostname");
 * FACT_COUNT: it is none. */
enum fact_id fact_called(const char *name);

/* The fact as text; NULL: unknown. A number is printed into the buffer. */
const char *facts_text(const struct facts *facts, enum fact_id id, char buffer[FACT_NUMBER_BYTES]);
/* Sets a fact from n bytes of text, copied into the arena: without control bytes, other than UTF-8
 * made visible. An empty text, a number that is not above 0, and the kind of processor as a machine
 * say nothing. */
void facts_set(
	struct facts *facts, struct arena *arena, enum fact_id id, const char *text, size_t n);
/* True if the fact can have this text. */
bool facts_is_value(enum fact_id id, const char *text);
/* Adds a further value to a text of several, unless it is one of them or the text is full. */
void facts_add(
	struct facts *facts, struct arena *arena, enum fact_id id, const char *text, size_t n);

#endif
