/* Merged traces of `stepstat timeline merge`: each file in it is read by the reader that it had
 * (ingest/chrome/trace_read.c). */
#include "ingest/chrome/trace.h"
#include "ingest/perfetto/pftrace_scan.h"

static int merged_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return trace_read(in, out, opt, NULL, err);
}

static int merged_probe(const struct probe *p)
{
	return probe_is_merged(p) || pftrace_is_merged(p) ? 100 : 0;
}

const struct reader reader_merged = {
	.name = "merged",
	.title = "merged trace",
	.summary = "several traces in one (stepstat timeline merge): read as its files",
	.suffixes = (const char *const[]){".json", NULL},
	.probe = merged_probe,
	.read = merged_read,
	.empty_hint = "give the traces that were merged",
};
