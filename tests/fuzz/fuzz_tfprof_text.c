/* Arbitrary text through the detection and the reader of tfprof's text, and on to the cube and its
 * totals. What comes out must hold together; rows that the grammar takes must be inside their
 * line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "ingest/reader.h"
#include "tfprof/files/tfprof_text.h"
#include "model/merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_observations(const struct profile *p)
{
	const struct observations *obs = &p->obs;

	for (size_t i = 0; i < obs->count; i++) {
		require(obs->op[i] < p->op_count && obs->step[i] < p->step_count);
		require(i == 0 || obs->step[i - 1] <= obs->step[i]);
	}
	for (size_t i = 0; i < p->op_count; i++)
		require(p->op[i].name && p->op[i].type && p->op[i].device && p->op[i].defined >= 0);
}

static void check_profile(struct profile *p)
{
	struct merge_options opt = {.mode = RUNS_AUTO};
	struct error err = {.kind = ERROR_NONE};
	struct cube *cube, *totals;

	require(p->step_count > 0 && p->op_count + (p->totals ? p->totals->op_count : 0) > 0);
	check_observations(p);
	if (p->totals) {
		require(p->totals->step_count == p->step_count);
		check_observations(p->totals);
	}
	for (size_t i = 0; i < p->issues.count; i++)
		require(p->issues.issue[i].count > 0 && p->issues.issue[i].place[0]);
	cube = merge_profiles(&p, 1, &opt, &err);
	require(cube && cube->step_count == p->step_count);
	totals = cube_totals(cube, &err);
	require(totals || err.kind == ERROR_LIMIT);
	for (uint32_t o = 0; totals && o < totals->op_count; o++)
		for (size_t r = totals->op_first[o]; r < totals->op_first[o + 1]; r++)
			for (enum measure_id id = 0; id < MEASURE_COUNT; id++)
				cube_value(totals, id, o, r);
	cube_free(totals);
	cube_free(cube);
}

/* The first line as the legend, the others as rows of either view. */
static void check_grammar(const char *text, size_t size)
{
	const char *bad, *end = memchr(text, '\n', size);
	struct tfprof_legend legend;
	struct tfprof_row row;

	if (!end || !tfprof_legend_parse(text, (size_t)(end - text), &legend, &bad) || bad)
		return;
	for (const char *at = end + 1; at < text + size; at = end + 1) {
		end = memchr(at, '\n', (size_t)(text + size - at));
		if (!end)
			end = text + size;
		for (int op = 0; op < 2; op++) {
			if (!(op ? tfprof_op_row : tfprof_tree_row)(
				    &legend, at, (size_t)(end - at), 1024, &row))
				continue;
			require(row.name >= at && row.name + row.name_size <= end);
			require(!row.types || row.types + row.types_size <= end);
			require(!row.device || row.device + row.device_size <= end);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 1000, .steps = 1000, .observations = 100000},
		.max_record_bytes = 100000,
		.kilobyte = size % 2 ? 1024 : 1000,
	};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz_1");
	struct probe probe = {.path = "fuzz_1", .bytes = data, .size = size, .whole = true};
	struct profile *p = profile_new("fuzz_1");

	if (size <= PROBE_BYTES)
		require(reader_detect(&probe, &err) || (err.kind == ERROR_INPUT && err.message[0]));
	check_grammar((const char *)data, size);
	err.kind = ERROR_NONE;
	if (reader_find("tfprof-text", &err)->read(in, p, &opt, &err) == 0) {
		require(err.kind == ERROR_NONE);
		check_profile(p);
	} else {
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	}
	profile_free(p);
	input_close(in);
	return 0;
}
