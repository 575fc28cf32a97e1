/* Bytes that are kept for later: appended, in memory while they are few, else in a temporary file
 * without a name, and read back piece by piece. Nothing is known of what they mean. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* Bytes behind any others that may be written or read with them. */
#define SPOOL_SLACK 160

/* The texts must outlive the spool. */
struct spool_options {
	size_t memory_bytes;	 /* that stay in memory; pages that are not used are not touched */
	const char *folder;	 /* of the temporary file; NULL: "/tmp" */
	uint64_t max_disk_bytes; /* 0: no file may be made */
	const char *what;	 /* plural, for messages: "events" */
};

struct spool {
	struct spool_options options;
	int fd; /* -1: all is in memory */
	unsigned char *tail;
	size_t used, room, mapped; /* room: that may be used before it must be written */
	uint64_t written;	   /* bytes in the file; the tail follows */
};

void spool_init(struct spool *s, const struct spool_options *options);
void spool_release(struct spool *s); /* closes the file, which removes it */
static inline uint64_t spool_size(const struct spool *s)
{
	return s->written + s->used;
}
void spool_clear(struct spool *s); /* forgets all bytes */

/* -1: the file cannot be made or written (ERROR_OUTPUT with the folder and the system's word), or
 * max_disk_bytes would be passed (ERROR_LIMIT). */
int spool_make_room(struct spool *s, size_t n, struct error *err);
/* Where n bytes and the slack can be put; what is put there counts once it is added to `used`.
 * NULL: as spool_make_room. */
static inline unsigned char *spool_end(struct spool *s, size_t n, struct error *err)
{
	return n > s->room - s->used && spool_make_room(s, n, err) ? NULL : s->tail + s->used;
}
int spool_add(struct spool *s, const void *bytes, size_t n, struct error *err);
/* Before reading: all bytes are in memory, or all in the file. */
int spool_settle(struct spool *s, struct error *err);

/* Reads pieces of a settled spool; several may do so at a time. */
struct spool_pass {
	const struct spool *spool;
	const unsigned char *at, *end; /* of the piece, as far as it is at hand */
	uint64_t offset, left;	       /* of the bytes of it after `end` */
	unsigned char *window;	       /* NULL: all so far was in memory */
	size_t window_bytes;
};

/* The window holds so many bytes, or what is asked for at a time. */
void spool_pass_init(struct spool_pass *p, const struct spool *s, size_t window_bytes);
void spool_pass_release(struct spool_pass *p);
void spool_pass_begin(struct spool_pass *p, uint64_t offset, uint64_t bytes);
/* -1: the file cannot be read back. */
int spool_pass_fill(struct spool_pass *p, size_t n, struct error *err);
/* At least n bytes from `at` on are at hand then, or all that are left of the piece. */
static inline int spool_pass_need(struct spool_pass *p, size_t n, struct error *err)
{
	return (size_t)(p->end - p->at) < n && p->left ? spool_pass_fill(p, n, err) : 0;
}
/* Error for bytes that are not those that were written. Always -1. */
int spool_damaged(const struct spool *s, struct error *err);
