/* Recognising protobuf files by the shape of their first bytes: which fields of which types are
 * where. It decodes nothing and knows no meaning. */
#pragma once

#include "ingest/reader.h"

/* Scores of 0 to 100, for struct reader. */
int shape_probe_profile(const struct probe *p);	     /* tfprof's ProfileProto */
int shape_probe_run_metadata(const struct probe *p); /* TensorFlow's RunMetadata */
int shape_probe_graph(const struct probe *p);	     /* GraphDef */
int shape_probe_op_log(const struct probe *p);	     /* tfprof's OpLogProto */
int shape_probe_meta_graph(const struct probe *p);   /* MetaGraphDef */
int shape_probe_xplane(const struct probe *p);	     /* XSpace */
int shape_probe_trace_events(const struct probe *p); /* tensorflow.profiler.Trace */

/* True if the bytes are a profile, RunMetadata or an XSpace whose end is missing: they end inside
 * of a field, and three fields deep. */
bool shape_is_cut(const struct probe *p);
