/* What must hold for every profile that a reader of tfprof's data makes, whatever the bytes were:
 * for fuzz targets, which stop at the first breach. */
#pragma once

#include <stdlib.h>
#include <string.h>
#include "ingest/reader.h"

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

static inline void require_step(const struct step *step)
{
	require(step->busy_ps >= 0 && step->start_ps >= 0);
	require(!step->has_wall || step->busy_ps <= step->end_ps - step->start_ps);
}

static inline void require_profile(const struct profile *p)
{
	const struct observations *obs = &p->obs;

	for (size_t i = 0; i < p->op_count; i++)
		require(p->op[i].name && p->op[i].type && p->op[i].device);
	for (size_t i = 0; i < p->step_count; i++) {
		require(i == 0 || p->step[i - 1].number < p->step[i].number);
		require_step(&p->step[i]);
	}
	for (size_t i = 0; i < obs->count; i++)
		require(obs->op[i] < p->op_count && obs->step[i] < p->step_count &&
			(i == 0 || obs->op[i] != obs->op[i - 1] ||
				obs->step[i] > obs->step[i - 1]));
	for (size_t i = 0; i < p->issues.count; i++)
		require(p->issues.issue[i].count > 0 && p->issues.issue[i].text[0]);
}

/* The bytes through the reader: a profile that holds together, or an error that says something. */
static inline void require_read(
	const char *reader, const uint8_t *data, size_t size, const struct read_options *opt)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz_3");
	struct profile *p = profile_new("fuzz_3");

	if (reader_read(reader_find(reader, &err), in, p, opt, &err) == 0) {
		require(err.kind == ERROR_NONE);
		require_profile(p);
	} else {
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	}
	profile_free(p);
	input_close(in);
}
