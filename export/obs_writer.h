/*
 * The state of a writer of .obs and .part files, and the pieces that all their elements are made
 * of. For these writers only.
 */
#ifndef STEPSTAT_EXPORT_OBS_WRITER_H
#define STEPSTAT_EXPORT_OBS_WRITER_H

#include "base/intern.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "export/op_series.h"

struct obs_writer {
	const struct observation_set *set;
	bool is_part; /* of a .part file */
	struct outfile *out;
	struct arena *arena;
	struct text element, part, list; /* contents of what is being written, reused */
	uint32_t crc;
	uint64_t observations;
	struct intern *texts;			  /* types, devices, shapes; ids begin at 0 */
	unsigned char number[MEASURE_STEP_COUNT]; /* of each measure, in this file */
	const char *name;			  /* of the op before */
};

/* The list that was collected, as a packed field; nothing when it is empty. */
void obs_put_list(struct obs_writer *w, struct text *t, unsigned field);
void obs_write_raw(struct obs_writer *w, const struct text *t);
/* The element of this number; its contents are emptied. */
void obs_write_element(struct obs_writer *w, unsigned field, struct text *contents);
/* Lengths of stretches, by turns of `first` and its opposite; nothing when all are `usual`. */
void obs_list_stretches(struct obs_writer *w, const bool *is, size_t count, bool first, bool usual);
/* Numbers as differences to the one before, modulo 2^64. */
void obs_list_differences(struct obs_writer *w, const uint64_t *value, size_t count);

#endif
