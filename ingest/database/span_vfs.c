/*
 * A file system of one file. It is read in blocks that are larger than pages: tables are read from
 * front to back.
 */
#include "ingest/database/span_vfs.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"

#define BLOCK_BYTES ((size_t)64 << 10)
#define BLOCKS 8

struct block {
	uint64_t offset;
	size_t size;
	uint64_t used; /* when; 0: it holds nothing */
	unsigned char bytes[BLOCK_BYTES];
};

struct span_vfs {
	sqlite3_vfs vfs; /* first: SQLite hands it back */
	const struct span_file *file;
	char name[32];
	uint64_t now;
	struct block block[BLOCKS];
};

struct open_file {
	sqlite3_file base; /* first */
	struct span_vfs *of;
};

/* ---- the file ---- */

static int file_close(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

/* The block that has this offset, read when it is not there; NULL: it cannot be read. */
static const struct block *block_at(struct span_vfs *v, uint64_t offset)
{
	const uint64_t begin = offset - offset % BLOCK_BYTES;
	const uint64_t left = v->file->size - begin;
	struct block *oldest = &v->block[0];
	struct error ignored;

	v->now++;
	for (size_t i = 0; i < BLOCKS; i++) {
		struct block *b = &v->block[i];

		if (b->used && b->offset == begin) {
			b->used = v->now;
			return b;
		}
		if (b->used < oldest->used)
			oldest = b;
	}
	oldest->used = 0;
	oldest->offset = begin;
	oldest->size = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
	if (span_file_read(v->file, begin, oldest->bytes, oldest->size, "a page", &ignored) != 0)
		return NULL;
	oldest->used = v->now;
	return oldest;
}

static int file_read(sqlite3_file *file, void *to, int amount, sqlite3_int64 offset)
{
	struct span_vfs *v = ((struct open_file *)file)->of;
	size_t size = amount > 0 ? (size_t)amount : 0;
	unsigned char *out = to;
	uint64_t at = (uint64_t)offset;

	while (size > 0 && offset >= 0 && at < v->file->size) {
		const struct block *b = block_at(v, at);
		size_t from, n;

		if (!b)
			return SQLITE_IOERR_READ;
		from = (size_t)(at - b->offset);
		n = b->size - from < size ? b->size - from : size;
		memcpy(out, b->bytes + from, n);
		out += n;
		at += n;
		size -= n;
	}
	if (size == 0)
		return SQLITE_OK;
	memset(out, 0, size); /* as SQLite asks */
	return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *file, const void *from, int amount, sqlite3_int64 offset)
{
	(void)file;
	(void)from;
	(void)amount;
	(void)offset;
	return SQLITE_READONLY;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	(void)file;
	(void)size;
	return SQLITE_READONLY;
}

static int file_flags(sqlite3_file *file, int flags) /* sync, lock, unlock: there is no other */
{
	(void)file;
	(void)flags;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	*size = (sqlite3_int64)((struct open_file *)file)->of->file->size;
	return SQLITE_OK;
}

static int file_reserved(sqlite3_file *file, int *is_reserved)
{
	(void)file;
	*is_reserved = 0;
	return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int op, void *argument)
{
	(void)file;
	(void)op;
	(void)argument;
	return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file)
{
	(void)file;
	return 4096;
}

static int file_characteristics(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_flags,
	.xFileSize = file_size,
	.xLock = file_flags,
	.xUnlock = file_flags,
	.xCheckReservedLock = file_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = file_characteristics,
};

/* ---- the file system ---- */

/* Only the database itself: SQLite keeps what is temporary in memory. */
static int vfs_open(
	sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
	struct open_file *f = (struct open_file *)file;

	f->base.pMethods = NULL;
	if (!name || !(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	f->of = (struct span_vfs *)vfs;
	f->base.pMethods = &methods;
	if (out_flags)
		*out_flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
	(void)vfs;
	(void)name;
	(void)sync_folder;
	return SQLITE_READONLY;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*result = 0;
	return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int room, char *out)
{
	(void)vfs;
	return snprintf(out, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int vfs_random(sqlite3_vfs *vfs, int size, char *out) /* nothing read depends on it */
{
	(void)vfs;
	memset(out, 0, (size_t)size);
	return size;
}

static int vfs_sleep(sqlite3_vfs *vfs, int us)
{
	(void)vfs;
	return us;
}

static int vfs_time(sqlite3_vfs *vfs, double *day)
{
	(void)vfs;
	*day = 0;
	return SQLITE_OK;
}

static int vfs_error(sqlite3_vfs *vfs, int size, char *out)
{
	(void)vfs;
	(void)size;
	(void)out;
	return 0;
}

struct span_vfs *span_vfs_new(const struct span_file *file)
{
	struct span_vfs *v = memory_alloc(sizeof(*v));

	v->file = file;
	snprintf(v->name, sizeof(v->name), "stepstat %p", (void *)v);
	v->vfs = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = sizeof(struct open_file),
		.mxPathname = 64,
		.zName = v->name,
		.xOpen = vfs_open,
		.xDelete = vfs_delete,
		.xAccess = vfs_access,
		.xFullPathname = vfs_path,
		.xRandomness = vfs_random,
		.xSleep = vfs_sleep,
		.xCurrentTime = vfs_time,
		.xGetLastError = vfs_error,
	};
	if (sqlite3_vfs_register(&v->vfs, 0) == SQLITE_OK)
		return v;
	memory_free(v);
	return NULL;
}

const char *span_vfs_name(const struct span_vfs *v)
{
	return v->name;
}

void span_vfs_free(struct span_vfs *v)
{
	if (!v)
		return;
	sqlite3_vfs_unregister(&v->vfs);
	memory_free(v);
}
