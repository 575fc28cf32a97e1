/* What must hold for what is read from a table of observations, whatever the bytes were: indexes in
 * range, one row for each op and step, steps distinct by run, rank and number, an error that says
 * where. */
#pragma once

#include <stdlib.h>
#include <string.h>
#include "ingest/reader.h"

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

static inline int compare_keys(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static inline void check_rows(const struct profile *p, size_t steps)
{
	const struct observations *obs = &p->obs;
	uint64_t *key = calloc(obs->count + 1, sizeof(*key));

	require(key);
	for (size_t i = 0; i < obs->count; i++) {
		require(obs->op[i] < p->op_count && obs->step[i] < steps);
		key[i] = (uint64_t)obs->op[i] << 32 | obs->step[i];
	}
	qsort(key, obs->count, sizeof(*key), compare_keys);
	for (size_t i = 1; i < obs->count; i++)
		require(key[i - 1] != key[i]);
	free(key);
}

static inline bool same_name(const char *a, const char *b)
{
	return !a == !b && (!a || strcmp(a, b) == 0);
}

static inline bool same_step(const struct step *a, const struct step *b)
{
	return a->number == b->number && same_name(a->run, b->run) && same_name(a->rank, b->rank);
}

static inline void check_table(const struct profile *p)
{
	for (size_t i = 0; i < p->op_count; i++)
		require(p->op[i].name && p->op[i].type && p->op[i].device);
	for (size_t i = 0; i < p->step_count; i++) {
		const struct step *step = &p->step[i];

		require(step->start_ps == 0 && step->busy_ps >= 0);
		require(!step->has_wall || step->busy_ps <= step->end_ps);
		for (size_t k = 0; k < i && k < 100; k++)
			require(!same_step(step, &p->step[k]));
	}
	check_rows(p, p->step_count);
	if (p->totals)
		check_rows(p->totals, p->step_count);
	require(p->step_count > 0 && p->format_title);
	for (size_t i = 0; i < p->issues.count; i++)
		require(p->issues.issue[i].count > 0 && p->issues.issue[i].code[0]);
}

/* The bytes through the detection and the reader. */
static inline void check_read(
	const char *reader, const uint8_t *data, size_t size, const struct read_options *opt)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct probe probe;

	if (probe_input(in, &probe, &err) == 0)
		require(reader_detect(&probe, &err) || (err.kind == ERROR_INPUT && err.message[0]));
	input_close(in);
	err.kind = ERROR_NONE;
	in = input_memory(data, size, "fuzz");
	struct profile *p = profile_new("fuzz");

	if (reader_read(reader_find(reader, &err), in, p, opt, &err) == 0) {
		require(err.kind == ERROR_NONE);
		check_table(p);
	} else {
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			strncmp(err.place, "fuzz", 4) == 0);
	}
	profile_free(p);
	input_close(in);
}
