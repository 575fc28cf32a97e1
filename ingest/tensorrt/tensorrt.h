/* Parts that the readers of trtexec's files share: rows of an array of objects, times in
 * milliseconds. */
#pragma once

#include "ingest/chrome/trace_scan.h"
#include "ingest/json/json_table.h"
#include "ingest/reader.h"

#define TENSORRT_DEVICE "gpu:0"

/* Decimal milliseconds, rounded to the ps. False when it is no number, or more than 13
 * days. */
bool tensorrt_time(const struct json_value *value, int64_t *ps);

/* ---- types of layers: what --exportLayerInfo wrote ---- */

struct layer_info;

/* The file of this kind beside the profile of this path: X.graph.json beside X.profile.json (as
 * TensorRT's engine explorer names them), else the only one in its folder. NULL: none, several
 * (an issue says so), or one that cannot be read (also an issue). In the arena. */
const struct layer_info *layer_info_beside(
	const char *path, size_t max_bytes, struct arena *arena, struct issue_list *issues);
const char *layer_info_path(const struct layer_info *info);
/* Type of the layer of this name; NULL: it has none, or is not there. */
const char *layer_info_type(const struct layer_info *info, const char *name, size_t size);
/* True if the bytes look like such a file. */
bool layer_info_probe(const struct probe *p);
