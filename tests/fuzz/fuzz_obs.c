/*
 * Arbitrary bytes through the reader of .obs files. Indexes must be in range and rows distinct and
 * in order, also in what was read before a mistake was found: the checksum at the end refuses most
 * inputs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "ingest/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* The rows of an op stand together, in order of steps; those past the cap are in any order. */
static void check_rows(const struct profile *p, size_t steps)
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

static void check_profile(const struct profile *p)
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
	check_rows(p, p->step_count);
	if (p->totals)
		check_rows(p->totals, p->step_count);
	for (size_t i = 0; i < p->issues.count; i++)
		require(p->issues.issue[i].count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 100000},
		.max_record_bytes = 100000,
	};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct profile *p = profile_new("fuzz");

	if (reader_find("obs", &err)->read(in, p, &opt, &err) == 0)
		require(err.kind == ERROR_NONE && p->format_title);
	else
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	check_profile(p);
	profile_free(p);
	input_close(in);
	return 0;
}
