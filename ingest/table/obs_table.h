/*
 * Inside the reader of .obs files: the tables of ops and their series, decoded into the columns of
 * a profile. For the reader only.
 */
#ifndef STEPSTAT_INGEST_TABLE_OBS_TABLE_H
#define STEPSTAT_INGEST_TABLE_OBS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "ingest/protobuf/wire.h"
#include "model/profile.h"

#define OBS_MEASURES_MOST 256

/* What all tables of one file refer to. */
struct obs_context {
	struct input *in;
	struct profile *out;
	const struct read_options *opt;
	struct arena *scratch; /* of one element */
	uint64_t start;	       /* of the current element, in the file */
	const char **text;     /* the string table */
	size_t text_count, text_room;
	int measure[OBS_MEASURES_MOST]; /* number in the file -> id, -1: unknown here */
	size_t measure_count;
	uint64_t observations; /* so far */
	/* Work space for one series over all steps. */
	uint32_t *present;
	bool *known;
	int64_t *value;
	size_t room;
};

struct obs_op {
	uint32_t id; /* of the profile */
	bool other;  /* it is "[other names]": past the cap */
};

struct obs_table {
	struct profile *profile;
	struct obs_op *op; /* by number in the file */
	size_t count, room;
	size_t next_series; /* ops below this one have had theirs */
	struct text name;   /* of the op before */
	size_t *other_row;  /* row of "[other names]" in each step + 1; 0: none yet */
};

void obs_context_release(struct obs_context *context);
void obs_table_init(struct obs_table *table, struct profile *profile);
void obs_table_release(struct obs_table *table); /* not the profile */
/* The contents of one element Op, and of one element Series. */
int obs_table_op(
	struct obs_table *table, struct obs_context *context, struct wire w, struct error *err);
int obs_table_series(
	struct obs_table *table, struct obs_context *context, struct wire w, struct error *err);

/* The contents of one element Collectives; they go to the profile. */
int obs_table_collectives(
	struct obs_table *table, struct obs_context *context, struct wire w, struct error *err);

/* The error of an element that is not what it must be. Always -1. */
int obs_damaged(const struct obs_context *context, const char *what, struct error *err);

/* Packed varints that follow each other as differences; false when they are not `count`. */
bool obs_differences(const struct wire_field *f, uint64_t factor, int64_t *out, size_t count);
size_t obs_count(const struct wire_field *f); /* of packed varints */
/* Lengths of stretches, by turns of `first` and its opposite, into flags; what they leave over is
 * false, and all flags are `all` when there are none. False when they are too long. */
bool obs_stretches(const struct wire_field *f, bool first, bool all, bool *out, size_t count);

/* The text of a field, copied; NULL when it holds a byte 0, which no text of ours does. */
char *obs_copy_text(struct arena *arena, const struct wire_field *f);

static inline bool obs_is_bytes(const struct wire_field *f, uint32_t number)
{
	return f->number == number && f->type == WIRE_BYTES;
}

static inline bool obs_is_number(const struct wire_field *f, uint32_t number)
{
	return f->number == number && f->type == WIRE_VARINT;
}

/* A field that is not there: of no bytes. */
static inline struct wire_field obs_nothing(void)
{
	static const unsigned char nothing[1];

	return (struct wire_field){.type = WIRE_BYTES, .bytes = nothing};
}

#endif
