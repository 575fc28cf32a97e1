/* Arbitrary bytes, packed or not, through the detection and the reader of ProfileProto. What comes
 * out must hold together: indexes in range, one row for each op and step, an error that says
 * something. What can be read can be written as a profile, which is read and written again as the
 * same bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "ingest/reader.h"
#include "tfprof/files/tfprof.h"
#include "tfprof/view/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* The rows of an op stand together, in order of steps; those past the cap are in any order. */
static void check_rows(const struct profile *p)
{
	const struct observations *obs = &p->obs;
	bool *seen = calloc(p->op_count + 1, sizeof(*seen));

	for (size_t i = 0; i < obs->count; i++) {
		require(obs->op[i] < p->op_count && obs->step[i] < p->step_count);
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
		require(p->op[i].name && p->op[i].type && p->op[i].device &&
			strlen(p->op[i].name) < SIZE_MAX);
	for (size_t i = 0; i < p->step_count; i++) {
		const struct step *step = &p->step[i];

		require(i == 0 || p->step[i - 1].number < step->number);
		require(step->busy_ps >= 0 && step->start_ps >= 0);
		require(!step->has_wall || step->busy_ps <= step->end_ps - step->start_ps);
	}
	check_rows(p);
	for (size_t i = 0; i < p->issues.count; i++)
		require(p->issues.issue[i].count > 0 && p->issues.issue[i].place[0]);
}

/* What is read of the bytes, as a profile; NULL: they are none. */
static struct outfile *write_again(const void *data, size_t size, size_t max_record_bytes)
{
	struct read_options opt = {
		.limits = {.ops = 1000, .steps = 1000, .observations = 100000},
		.max_record_bytes = max_record_bytes,
	};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct graph *graph = graph_new();
	struct outfile *out = NULL;
	struct graph_detail detail;

	graph_detail_init(&detail);
	detail.memory = detail.whole = true;
	graph->detail = &detail;
	if (tfprof_read_graph(in, graph, &graph->issues, &opt, &err) == 0) {
		out = outfile_memory();
		profile_write(graph, out);
	}
	graph_free(graph);
	graph_detail_release(&detail);
	input_close(in);
	return out;
}

static void check_writing(const uint8_t *data, size_t size)
{
	struct outfile *first = write_again(data, size, 100000), *second = NULL;
	size_t first_size = 0, second_size = 0;
	const char *bytes = first ? outfile_data(first, &first_size) : NULL;

	if (first_size) { /* nothing at all is no profile */
		second = write_again(bytes, first_size, INT32_MAX);
		require(second);
		const char *again = outfile_data(second, &second_size);

		require(first_size == second_size && memcmp(bytes, again, first_size) == 0);
	}
	outfile_discard(first);
	outfile_discard(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 1000, .steps = 1000, .observations = 100000},
		.max_record_bytes = 100000,
	};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct probe probe;

	if (probe_input(in, &probe, &err) == 0)
		require(reader_detect(&probe, &err) || (err.kind == ERROR_INPUT && err.message[0]));
	input_close(in);
	err.kind = ERROR_NONE;
	in = input_memory(data, size, "fuzz");
	struct profile *p = profile_new("fuzz");

	if (reader_find("tfprof", &err)->read(in, p, &opt, &err) == 0) {
		require(err.kind == ERROR_NONE);
		check_profile(p);
	} else {
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	}
	profile_free(p);
	input_close(in);
	check_writing(data, size);
	return 0;
}
