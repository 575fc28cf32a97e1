/* The state of the writer of containers of observations (.obs, .part), and the pieces that all its
 * elements are made of. For the writer only. */
#pragma once

#include "base/intern.h"
#include "base/output/outfile.h"
#include "base/output/protobuf_writer.h"
#include "base/text.h"
#include "export/op_series.h"
#include "ingest/table/obs_format.h"
#include "model/sums/job_sums.h"

struct obs_writer {
	const struct observation_set *set;
	bool has_sums; /* the section of sums follows */
	struct outfile *out;
	struct arena *arena;
	struct text element, part, list; /* contents of what is being written, reused */
	uint64_t *room;			 /* for a list of numbers, reused */
	size_t room_count;
	uint32_t crc;
	uint64_t observations;
	struct intern *texts;			  /* types, devices, shapes; ids begin at 0 */
	unsigned char number[MEASURE_STEP_COUNT]; /* of each measure, in this file */
	const char *name;			  /* of the op or row before */
};

/* Room for a list of numbers, which holds until the next one. */
uint64_t *obs_room(struct obs_writer *w, size_t count);
/* Fields of a message: lists are left out when they are empty. Numbers as differences to the one
 * before, modulo 2^64; as they are; and lengths of stretches, by turns true and false, which are
 * left out when all are `usual`. */
void obs_put_differences(
	struct obs_writer *w, struct text *to, unsigned field, const uint64_t *value, size_t count);
void obs_put_plain(
	struct obs_writer *w, struct text *to, unsigned field, const uint64_t *value, size_t count);
void obs_put_stretches(struct obs_writer *w, struct text *to, unsigned field, const bool *is,
	size_t count, bool usual);
/* The list that was collected in w->list. */
void obs_put_list(struct obs_writer *w, struct text *to, unsigned field);
/* The name of an op or a row: what it shares with the one before, and the rest. */
void obs_put_name(struct obs_writer *w, const char *name, unsigned shared, unsigned rest);
/* Writes the element of this number; its contents are emptied. */
void obs_write_element(struct obs_writer *w, unsigned field, struct text *contents);

/* The section of sums: records of the ranks about the steps, which are those of the file; then sets
 * of ranks and their rows, which are in order. */
void obs_write_job_steps(struct obs_writer *w, const struct step_sums *steps);
void obs_write_job_sums(struct obs_writer *w, const struct job_sums *sums);
