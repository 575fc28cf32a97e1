/*
 * Tables as Parquet files of a folder: NAME/obs.parquet.
 */
#ifndef STEPSTAT_EXPORT_SINK_PARQUET_H
#define STEPSTAT_EXPORT_SINK_PARQUET_H

#include "base/output/outfolder.h"
#include "export/table.h"

/* The folder stays the caller's. */
struct table_sink *parquet_sink_new(struct outfolder *folder, const char *program);
void parquet_sink_free(struct table_sink *sink); /* an unfinished file is discarded; NULL is fine */

#endif
