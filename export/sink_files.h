/* Tables as files of a folder: NDJSON in shards, with a BigQuery schema beside each table, CSV,
 * Parquet. */
#pragma once

#include "base/output/outfolder.h"
#include "export/table.h"

struct file_options {
	bool csv;	    /* else NDJSON */
	bool gzip;	    /* FILE.gz */
	size_t shard_bytes; /* of NDJSON: uncompressed bytes of a file, at least one row; 0: no
			       bound */
};

/* NDJSON (one object per line) obeys what BigQuery asks for: integers beyond 2^53 - 1 are strings
 * and INT64 in TABLE.schema.json; several files are TABLE-000001-of-000003.ndjson, one is
 * TABLE.ndjson. CSV: a header, an empty field is null, "" is an empty text. The folder stays the
 * caller's. */
struct table_sink *file_sink_new(struct outfolder *folder, const struct file_options *opt);
void file_sink_free(struct table_sink *sink); /* unfinished files are discarded; NULL is fine */

/* True if a file of such a folder, of whichever format, has such a name. For outfolder_open. */
bool file_sink_made(const char *name);

/* ---- Tables as Parquet files of a folder: NAME/obs.parquet ---- */

/* The folder stays the caller's. */
struct table_sink *parquet_sink_new(struct outfolder *folder, const char *program);
void parquet_sink_free(struct table_sink *sink); /* an unfinished file is discarded; NULL is fine */
