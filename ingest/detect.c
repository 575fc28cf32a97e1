/* Files that lie beside profiles, or that people try: recognised, so that a message can say what
 * they are, but not read by this version. When such a reader is added, its entry goes away here. */
#include <string.h>
#include <strings.h>
#include "base/text.h"
#include "ingest/reader.h"
#include "ingest/protobuf/message_shape.h"
#include "ingest/protobuf/wire.h"

#define GIVE_PROFILE "give a profile or a trace: `stepstat formats` lists what can be read"
#define GIVE_BESIDE "give the profile that was recorded with it (profile_N)"
#define GIVE_WITH(option)                                                                          \
	"it goes with RunMetadata: stepstat run_meta_N " option                                    \
	"; or give the profile that was recorded with it (profile_N)"

#define SUFFIXES(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool is_text(const struct probe *p)
{
	return p->size > 0 && !memchr(p->bytes, 0, p->size);
}

const struct reader reader_graph = {
	.name = "graph",
	.title = "TensorFlow graph (GraphDef)",
	.summary = "TensorFlow graph (graph.pb), binary",
	.suffixes = SUFFIXES(".pb"),
	.probe = shape_probe_graph,
	.companion = true,
	.advice = GIVE_WITH("--graph=FILE"),
};

static int probe_graph_text(const struct probe *p)
{
	if (!is_text(p) || probe_has(p, "step_stats {"))
		return 0;
	return (probe_begins(p, "node {") || probe_has(p, "\nnode {")) && probe_has(p, "op: \"")
		       ? 90
		       : 0;
}

const struct reader reader_graph_text = {
	.name = "graph-text",
	.title = "TensorFlow graph (GraphDef, text)",
	.summary = "TensorFlow graph (graph.pbtxt), protobuf text",
	.suffixes = SUFFIXES(".pbtxt"),
	.probe = probe_graph_text,
	.companion = true,
	.advice = GIVE_WITH("--graph=FILE"),
};

const struct reader reader_meta_graph = {
	.name = "meta-graph",
	.title = "TensorFlow MetaGraphDef",
	.summary = "TensorFlow MetaGraphDef (PREFIX.meta)",
	.suffixes = SUFFIXES(".meta"),
	.probe = shape_probe_meta_graph,
	.companion = true,
	.advice = GIVE_BESIDE,
};

const struct reader reader_op_log = {
	.name = "op-log",
	.title = "tfprof op log (OpLogProto)",
	.summary = "tfprof's op log (tfprof_log, op_log)",
	.probe = shape_probe_op_log,
	.companion = true,
	.advice = GIVE_WITH("--graph=FILE --op-log=FILE"),
};

/* A table's footer ends in this, and its first block begins with the entry of the empty key. */
static bool has_table_magic(const struct probe *p)
{
	return p->whole && p->size >= 48 &&
	       memcmp(p->bytes + p->size - 8, "\x57\xfb\x80\x8b\x24\x75\x47\xdb", 8) == 0;
}

static bool has_table_head(const struct probe *p)
{
	struct wire w = {p->bytes + 2, p->bytes + p->size};
	uint64_t size;

	if (p->size < 16 || p->bytes[0] != 0 || p->bytes[1] != 0 || !wire_varint(&w, &size))
		return false;
	return size > 0 && w.at < w.end && (*w.at == 0x0a || *w.at == 0x08);
}

static int probe_checkpoint(const struct probe *p)
{
	if (has_table_magic(p))
		return 90;
	if (probe_begins(p, "model_checkpoint_path:"))
		return 90;

	/* The bytes of a checkpoint's variables can be anything: the name has to do. */
	const char *data = p->path ? strstr(text_base_name(p->path), ".data-") : NULL;

	return (data && strlen(data) == strlen(".data-00000-of-00001") &&
		       memcmp(data + 11, "-of-", 4) == 0) ||
			       has_table_head(p)
		       ? 50
		       : 0;
}

const struct reader reader_checkpoint = {
	.name = "checkpoint",
	.title = "TensorFlow checkpoint",
	.summary = "TensorFlow checkpoint, V1 or V2 (index, data)",
	.suffixes = SUFFIXES(".index", ".ckpt"),
	.probe = probe_checkpoint,
	.companion = true,
	.advice = GIVE_BESIDE,
};

/* The separator that the first lines have the same number of times, or 0. */
static char table_separator(const struct probe *p)
{
	static const char separators[] = ",;\t";

	for (size_t k = 0; separators[k]; k++) {
		size_t count[3] = {0}, line = 0;

		for (size_t i = 0; i < p->size && line < 3; i++) {
			count[line] += p->bytes[i] == (unsigned char)separators[k];
			line += p->bytes[i] == '\n';
		}
		if (line >= 2 && count[0] > 0 && count[0] == count[1])
			return separators[k];
	}
	return 0;
}

static int probe_table(const struct probe *p)
{
	if (!is_text(p) || probe_is_json(p) || probe_begins(p, "<") || !table_separator(p))
		return 0;
	return 30;
}

const struct reader reader_plain_table = {
	.name = "plain-table",
	.title = "table (CSV) that holds no observations",
	.summary = "any other table with a header line",
	.suffixes = SUFFIXES(".csv", ".tsv"),
	.probe = probe_table,
	.advice = "observations need columns step and op, and either measure, value, unit or a "
		  "column per measure with its unit (time_us); doc/observations.md",
};

/* Our own: the tables of `export` and `sql`, whatever names of other files are in them. */
static int probe_own_database(const struct probe *p)
{
	return p->size >= 16 && memcmp(p->bytes, "SQLite format 3", 16) == 0 &&
			       probe_has(p, "CREATE TABLE \"obs\" (\"run\" ")
		       ? 95
		       : 0;
}

const struct reader reader_own_database = {
	.name = "own-database",
	.title = "database that stepstat export wrote",
	.summary = "database of stepstat export or sql (FILE.sqlite)",
	.suffixes = SUFFIXES(".sqlite", ".db"),
	.probe = probe_own_database,
	.advice = "give the inputs that it was made of, or ask it in SQL: sqlite3 FILE (stepstat "
		  "help sql); what can be read again: stepstat export INPUT -o FILE.obs",
};

/* Schema: rpd_tracer/tableSchema.cmd of ROCm/rocmProfileData. */
static int probe_rpd(const struct probe *p)
{
	return p->size >= 16 && memcmp(p->bytes, "SQLite format 3", 16) == 0 &&
			       probe_has(p, "rocpd_op") && probe_has(p, "rocpd_api") &&
			       !probe_has(p, "rocpd_info_")
		       ? 95
		       : 0;
}

const struct reader reader_rpd = {
	.name = "rpd",
	.title = "database of rocmProfileData (rpd)",
	.summary = "database of AMD's rocmProfileData (FILE.rpd)",
	.suffixes = SUFFIXES(".rpd"),
	.probe = probe_rpd,
	.advice = "rocprofv3 --hip-trace --kernel-trace --memory-copy-trace --marker-trace -- "
		  "PROGRAM records one that is read (PID_results.db); of this file rpd2tracing.py "
		  "FILE.rpd FILE.json makes a Chrome trace",
};

/* source/lib/output/generateJSON.cpp of rocprofiler-sdk. */
const struct reader reader_rocprofv3_json = {
	.name = "rocprofv3-json",
	.title = "JSON trace of rocprofv3",
	.summary = "JSON of AMD's rocprofv3 (PID_results.json)",
	.signs = {95, "{", {{"{\"rocprofiler-sdk-tool\":"}}},
	.advice = "rocprofv3 --output-format rocpd (or pftrace) writes what is read: "
		  "PID_results.db, PID_results.pftrace",
};

/* tensorflow/python/eager/profiler.py of TensorFlow 2.0 writes it. */
const struct reader reader_local_trace = {
	.name = "local-trace",
	.title = "trace that TensorFlow 2.0 or 2.1 wrote for TensorBoard",
	.summary = "trace of TensorFlow 2.0 and 2.1 for TensorBoard (local.trace)",
	.suffixes = SUFFIXES(".trace"),
	.probe = shape_probe_trace_events,
	.advice = "TensorFlow 2.2 and later write HOST.xplane.pb, which is read; of this file the "
		  "TensorBoard of its time serves a Chrome trace: save "
		  "/data/plugin/profile/data?run=RUN&tag=trace_viewer",
};

const struct reader reader_xlsx = {
	.name = "xlsx",
	.title = "XLSX workbook",
	.summary = "Excel workbook",
	.suffixes = SUFFIXES(".xlsx"),
	.signs = {90, "PK\x03\x04", {{"[Content_Types].xml"}, {"xl/workbook.xml"}}},
	.advice = "save the sheet as CSV: stepstat help csv says what it has to hold",
};

/* The file of a folder of criterion that names the benchmark; another has its outliers. */
const struct reader reader_criterion_beside = {
	.name = "criterion-beside",
	.title = "description of a benchmark of criterion",
	.summary = "name of a benchmark of criterion (new/benchmark.json)",
	.suffixes = SUFFIXES(".json"),
	.signs = {90, "{\"group_id\":", {{"\"full_id\":"}}},
	.companion = true,
	.advice = "give sample.json or estimates.json, which lie beside it",
};

static int probe_html(const struct probe *p)
{
	return probe_begins(p, "<!doctype html") || probe_begins(p, "<html") ? 90 : 0;
}

const struct reader reader_html = {
	.name = "html",
	.title = "HTML page",
	.summary = "HTML page, for example a report",
	.suffixes = SUFFIXES(".html", ".htm"),
	.probe = probe_html,
	.companion = true,
	.advice = GIVE_PROFILE,
};
