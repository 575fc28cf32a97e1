/*
 * The disk as SQLite sees it: one file, which can only be read. No path, journal or lock leads
 * anywhere else.
 */
#ifndef STEPSTAT_INGEST_DATABASE_SPAN_VFS_H
#define STEPSTAT_INGEST_DATABASE_SPAN_VFS_H

#include <sqlite3.h>
#include "ingest/input/span_file.h"

struct span_vfs;

/* File system for connections to this file, which must outlive it. NULL: SQLite has no memory for
 * it. */
struct span_vfs *span_vfs_new(const struct span_file *file);
/* Name for sqlite3_open_v2. */
const char *span_vfs_name(const struct span_vfs *vfs);
/* Frees it after the last connection; NULL is fine. */
void span_vfs_free(struct span_vfs *vfs);

#endif
