/* What must hold for every profile, whatever the bytes were that it was read from: for fuzz
 * targets, which stop at the first breach. */
#pragma once

#include <stdlib.h>
#include <string.h>
#include "ingest/reader.h"

/* Memory for sorting: small, because the address sanitizer marks each byte of it. What does not fit
 * is an error, since no file may be made (max_spill_bytes is 0). */
#define FUZZ_SORT_BYTES ((size_t)1 << 16)

/* Of the address sanitizer: where a block was allocated is one frame, and few freed blocks are
 * kept. Both cost more time than the readers do. A finding is run again with
 * ASAN_OPTIONS=malloc_context_size=30. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "malloc_context_size=1:quarantine_size_mb=4:thread_local_quarantine_size_kb=256";
}

/* --step-marker: names that begin with s, of which some say a number. */
static inline int is_fuzz_step(
	void *context, const char *name, bool *numbered, int64_t *number, struct error *err)
{
	(void)context;
	(void)err;
	*numbered = name[0] == 's' && name[1] != '\0';
	*number = name[0] ? name[1] : 0;
	return name[0] == 's';
}

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

/* The rows of an op stand together, in order of steps; those past the cap are in any order. */
static inline void check_rows(const struct profile *p, size_t steps)
{
	const struct observations *obs = &p->obs;
	bool *seen = calloc(p->op_count + 1, sizeof(*seen));

	require(seen);
	for (size_t i = 0; i < obs->count; i++) {
		require(obs->op[i] < p->op_count && obs->step[i] < steps);
		if (strcmp(p->op[obs->op[i]].name, "[other names]") == 0)
			continue;
		if (i > 0 && obs->op[i - 1] == obs->op[i])
			require(obs->step[i - 1] < obs->step[i]);
		else
			require(!seen[obs->op[i]]);
		seen[obs->op[i]] = true;
	}
	free(seen);
}

static inline void check_collectives(const struct profile *p)
{
	for (size_t i = 0; i < p->collectives.count; i++) {
		const struct collective_call *call = &p->collectives.call[i];

		require(call->op < p->op_count && call->step < p->step_count);
		require(call->sequence >= COLLECTIVE_UNKNOWN && call->dur_ps >= COLLECTIVE_UNKNOWN);
		require(!call->group || *call->group);
	}
}

/* Once it was read without an error. */
static inline void check_order_of_collectives(const struct profile *p)
{
	for (size_t i = 1; i < p->collectives.count; i++)
		require(p->collectives.call[i - 1].step <= p->collectives.call[i].step);
}

static inline void check_profile(const struct profile *p)
{
	for (size_t i = 0; i < p->op_count; i++)
		require(p->op[i].name && p->op[i].type && p->op[i].device);
	for (size_t i = 0; i < p->step_count; i++) {
		const struct step *step = &p->step[i];

		require(!step->has_wall ||
			(step->busy_ps >= 0 && step->end_ps >= step->start_ps &&
				(uint64_t)step->busy_ps <=
					(uint64_t)step->end_ps - (uint64_t)step->start_ps));
	}
	for (size_t i = 0; i < p->series.count; i++)
		for (size_t s = 0; s < p->step_count; s++)
			require(p->series.item[i].value_ps[s] == CELL_ABSENT ||
				p->series.item[i].value_ps[s] >= 0);
	check_rows(p, p->step_count);
	check_collectives(p);
	if (p->totals)
		check_rows(p->totals, p->step_count);
	for (size_t i = 0; i < p->issues.count; i++)
		require(p->issues.issue[i].count > 0);
}

/* The bytes through the reader: a profile that holds together, or an error that says something. */
static inline void check_read(
	const char *reader, const uint8_t *data, size_t size, const struct read_options *opt)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz_3.json");
	struct profile *p = profile_new("fuzz_3.json");

	if (reader_read(reader_find(reader, &err), in, p, opt, &err) == 0) {
		require(err.kind == ERROR_NONE);
		for (const struct profile *part = p; part; part = part->next)
			check_order_of_collectives(part);
	} else {
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	}
	for (const struct profile *part = p; part; part = part->next)
		check_profile(part);
	profile_free(p);
	input_close(in);
}
