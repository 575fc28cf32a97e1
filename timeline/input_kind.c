/* Kinds of input by their content, the way from each to a trace, and labels out of paths. */
#include "timeline/input_kind.h"

#include <inttypes.h>
#include <string.h>
#include "base/text.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "base/intern.h"
#include "ingest/input/step_number.h"

#define TRACE_EXPECTED "expected a Chrome trace (JSON, plain or gzip) or a Perfetto trace"
#define RUN_METADATA_EXPECTED "expected RunMetadata (run_meta_N), binary or text"

/* Way to a trace, or to RunMetadata, from a file of this reader; %s is the file. */
struct way {
	const char *reader, *hint;
};

static const struct way ways_to_trace[] = {
	{"xplane", "give the .trace.json.gz next to it; TensorFlow 2.11 and later write none: "
		   "stepstat help xplane"},
	{"run-metadata", "make a trace from it: stepstat timeline generate %s -o trace.json"},
	{"run-metadata-text", "make a trace from it: stepstat timeline generate %s -o trace.json"},
	{"tfprof", "it has sums and no events; a trace of its steps: stepstat tfprof "
		   "--profile_path=%s graph --output=timeline:outfile=trace.json"},
	{"csv", "a table of observations has no single events: give the traces it was made from"},
	{"obs", "a table of observations has no single events: give the traces it was made from"},
	{NULL, "a trace is what the profilers of TensorFlow, PyTorch, JAX, ONNX Runtime and many "
	       "others write: stepstat formats"},
};

static const struct way ways_to_run_metadata[] = {
	{"timeline", "it is a trace already: stepstat timeline merge, stepstat report"},
	{"kineto", "it is a trace already: stepstat timeline merge, stepstat report"},
	{"jax-trace", "it is a trace already: stepstat timeline merge, stepstat report"},
	{"onnxruntime", "it is a trace already: stepstat timeline merge, stepstat report"},
	{"chrome", "it is a trace already: stepstat timeline merge, stepstat report"},
	{"pftrace", "it is a trace already: stepstat timeline merge, stepstat report"},
	{"merged", "it is a trace already: stepstat timeline merge, stepstat report"},
	{"xplane", "give the .trace.json.gz next to it; TensorFlow 2.11 and later write none: "
		   "stepstat help xplane"},
	{"tfprof", "a trace of its steps: stepstat tfprof --profile_path=%s graph "
		   "--output=timeline:outfile=trace.json"},
	{NULL, "session.run(..., options=FULL_TRACE, run_metadata=...) records it"},
};

static int show_way(const struct way *way, const char *reader, const char *path, struct error *err)
{
	const char *place;
	struct text hint;
	int status;

	while (way->reader && strcmp(way->reader, reader) != 0)
		way++;
	place = strstr(way->hint, "%s");
	text_init(&hint);
	text_add_bytes(&hint, way->hint, place ? (size_t)(place - way->hint) : strlen(way->hint));
	if (place) {
		text_add_visible(&hint, path);
		text_add(&hint, place + 2);
	}
	status = error_hint(err, "%s", text_string(&hint));
	text_release(&hint);
	return status;
}

static int refuse(const struct probe *probe, const struct reader *found, const char *expected,
	const struct way *ways, struct error *err)
{
	struct error unknown;

	if (found) {
		error_set(err, ERROR_INPUT, probe->path, "found %s, %s", found->title, expected);
		return show_way(ways, found->name, probe->path, err);
	}
	reader_detect(probe, &unknown);
	error_set(err, ERROR_INPUT, probe->path, "found %s, %s", unknown.message, expected);
	return show_way(ways, "", probe->path, err);
}

int expect_trace(const struct probe *probe, struct error *err)
{
	struct error unknown;

	if (probe_is_json(probe) || pftrace_is_of(probe, NULL))
		return 0;
	return refuse(probe, reader_detect(probe, &unknown), TRACE_EXPECTED, ways_to_trace, err);
}

int expect_run_metadata(const struct probe *probe, struct error *err)
{
	struct error unknown;
	const struct reader *found = reader_detect(probe, &unknown);

	if (found && text_starts(found->name, "run-metadata"))
		return 0;
	return refuse(probe, found, RUN_METADATA_EXPECTED, ways_to_run_metadata, err);
}

/* True if no two of the files have one name, in different folders. */
static bool names_are_distinct(const char *const *paths, size_t count)
{
	struct arena *arena = arena_new();
	struct intern *names = intern_new(arena);
	bool distinct;

	for (size_t i = 0; i < count; i++) {
		const char *name = text_base_name(paths[i]);

		intern_id(names, name, strlen(name));
	}
	distinct = intern_count(names) == count;
	arena_free(arena);
	return distinct;
}

const char **step_labels(const char *const *paths, size_t count, struct arena *arena)
{
	const char **labels = arena_array(arena, count, sizeof(*labels));
	bool distinct = names_are_distinct(paths, count);

	for (size_t i = 0; i < count && count > 1; i++) {
		const char *name = distinct ? text_base_name(paths[i]) : paths[i];
		int64_t step;

		labels[i] = step_number_in_name(paths[i], &step)
				    ? arena_printf(arena, "step %" PRId64 " (%s)", step, name)
				    : name;
	}
	return labels;
}
