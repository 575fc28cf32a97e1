/* Inside the reader of containers of observations (.obs, .part): an element taken apart into its
 * fields by their numbers and the lists of numbers in them; what all elements refer to; and those
 * that are decoded into columns and sums of a profile. For the reader only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/text.h"
#include "ingest/protobuf/wire.h"
#include "ingest/reader.h"
#include "ingest/table/csv_table.h"
#include "ingest/table/obs_format.h"
#include "model/profile.h"

#define OBS_PARTS_MOST 24 /* fields of higher numbers are passed over */

struct obs_parts {
	uint32_t numbers, bytes; /* a bit for each field that is there, by its type */
	struct wire_field field[OBS_PARTS_MOST]; /* of several the last */
};

/* Takes the element apart; false: it is damaged. */
bool obs_parts_of(struct obs_parts *parts, struct wire w);
/* Contents of the next field of this number that is a message; false at the end. */
bool obs_parts_next(struct wire *w, uint32_t number, struct wire *inside);

static inline bool obs_has_bytes(const struct obs_parts *parts, uint32_t number)
{
	return parts->bytes >> number & 1;
}

/* Value of a number; `otherwise`: it is not there. */
static inline uint64_t obs_number(
	const struct obs_parts *parts, uint32_t number, uint64_t otherwise)
{
	return parts->numbers >> number & 1 ? parts->field[number].value : otherwise;
}

/* Contents of a field of bytes; none where it is not there. */
static inline struct wire obs_bytes(const struct obs_parts *parts, uint32_t number)
{
	static const unsigned char nothing[1];

	return obs_has_bytes(parts, number) ? wire_inside(&parts->field[number])
					    : (struct wire){nothing, nothing};
}

static inline size_t obs_size(struct wire bytes)
{
	return (size_t)(bytes.end - bytes.at);
}

/* The text of a field, copied, or `otherwise` where it is not there; NULL when it holds a byte 0,
 * which no text of ours does. */
const char *obs_text(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, const char *otherwise);
const char *obs_copy(struct wire bytes, struct arena *arena);

/* Number of values in a list. */
size_t obs_count(struct wire list);
/* The next `count` values, which follow each other as differences, times the factor. *sum is their
 * sum so far, 0 at first. False: there are not so many. */
bool obs_differences(struct wire *list, uint64_t *sum, uint64_t factor, int64_t *out, size_t count);
/* The values of the list in a field, in the arena; NULL when they are not `count`. */
int64_t *obs_list(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count);
/* The same; zeros where the field is not there. */
int64_t *obs_list_or_zeros(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count);
/* Values that are no differences. */
uint64_t *obs_plain_list(
	const struct obs_parts *parts, uint32_t number, struct arena *arena, size_t count);

/* Places in stretches, by turns set and not set. */
struct obs_stretches {
	struct wire list; /* of lengths that follow */
	size_t count;	  /* places */
	size_t from, to;  /* the stretch that was read */
	bool is_set, next, rest;
	bool bad; /* the lengths are longer than `count` */
};

/* Stretches from a list of lengths that begins with `first` places; what the list leaves over is
 * not set, and all places are `all` where there is no list. */
static inline struct obs_stretches obs_stretches_of(
	struct wire list, bool first, bool all, size_t count)
{
	return (struct obs_stretches){
		.list = list, .count = count, .next = first, .rest = list.at == list.end && all};
}

/* False after the last one, and where the lengths are bad. */
bool obs_stretches_next(struct obs_stretches *stretches);
/* Counts the places that are set; false: the lengths are bad. */
bool obs_stretches_count(struct obs_stretches stretches, size_t *set);

/* ---- the reader ---- */

#define OBS_MEASURES_MOST 256

struct obs_op {
	uint32_t id; /* of the profile */
	bool other;  /* it is "[other names]": past the cap */
};

/* Ops and their series: of the source, and of given totals. */
struct obs_table {
	struct profile *profile; /* NULL: the file has none so far */
	struct obs_op *op;	 /* by number in the file */
	size_t count, room;
	size_t next_series; /* ops below this one have had theirs */
	struct text name;   /* of the op before */
	size_t *other_row;  /* row of "[other names]" in each step + 1; 0: none yet */
};

struct obs_reader {
	struct input *in;
	struct profile *out;
	const struct read_options *opt;
	struct arena *scratch; /* of one element */
	bool has_sums;	       /* the file has, or must have, the section of sums */
	const char **text;     /* the string table */
	size_t text_count, text_room;
	int measure[OBS_MEASURES_MOST]; /* number in the file -> id, -1: unknown here */
	size_t measure_count;
	struct obs_table self, totals;
	struct step_values values;
	struct text row_name;	 /* of the row of sums before */
	uint64_t row_name_bytes; /* of all rows of sums */
	uint32_t *present;	 /* work space for one series over all steps */
	size_t room;
	/* Checks: observations and bytes so far, the element before. */
	uint64_t observations;
	uint32_t crc, last;
	bool ended;
};

/* Results of reading an element. */
enum obs_result {
	OBS_FAILED = -1, /* the error says why */
	OBS_READ = 0,
	OBS_DAMAGED = 1, /* it is not what it must be */
};

static inline enum obs_result obs_sound(bool is_sound)
{
	return is_sound ? OBS_READ : OBS_DAMAGED;
}

void obs_table_init(struct obs_table *table, struct profile *profile);
void obs_table_release(struct obs_table *table); /* not the profile */

/* The name of an op or a row: what it shares with the one before, which it replaces, and the
 * rest. */
bool obs_next_name(
	const struct obs_parts *parts, uint32_t shared, uint32_t rest, struct text *name);

/* The contents of one element. */
enum obs_result obs_read_op(struct obs_reader *r, struct obs_table *table, struct wire w);
enum obs_result obs_read_series(
	struct obs_reader *r, struct obs_table *table, struct wire w, struct error *err);
enum obs_result obs_read_collectives(struct obs_reader *r, struct wire w);
/* Elements of the section of sums; they go to the profile's job, whose steps are read already. */
enum obs_result obs_read_job_steps(struct obs_reader *r, struct wire w);
enum obs_result obs_read_job_set(struct obs_reader *r, struct wire w, struct error *err);
enum obs_result obs_read_job_row(struct obs_reader *r, struct wire w, struct error *err);
